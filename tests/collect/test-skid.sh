#!/bin/bash
# A clock interrupts one instruction behind the one that took the time. The time of an access to memory
# that misses all caches must stand on its line, and not on that of what is executed next.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

must "compile skid.c" "$cgcc" -O2 -g "$top/tests/collect/programs/skid.c" -o skid
line=$(grep -n '/\* here \*/' "$top/tests/collect/programs/skid.c" | cut -d: -f1)
record skid.db ./skid
read -r there all <<< "$(sqlite3 -separator ' ' skid.db "SELECT
	total(self_samples) FILTER (WHERE line = $line), total(self_samples) FROM line")"
echo "# $there of $all samples at line $line"
if [ "${all%.*}" -lt 40 ]; then
	echo "skip - time stands on the line that took it: only ${all%.*} samples"
	exit 0
fi
# It is 0.88 by single steps, where the line behind it would have nearly all.
check "time stands on the line that took it" [ "${there%.*}" -gt $((${all%.*} * 7 / 10)) ]
