#!/bin/bash
# The truth, as the program notes it, is within the interval that the solver tells without it, and
# the rules that share calls out misplace few of them.
set -u
top=$PWD BUILD=$(cd "${BUILD:-build}" && pwd)
[ -x "$BUILD/truth" ] && ls "$BUILD"/lib/cgview/cgview*.so > /dev/null 2>&1 || {
	echo "skip - truth: cgcc, its plugin or build/truth was not built"
	exit 0
}
export BUILD
for program in queens callbacks shapes; do
	mkdir "$TMP_DIR/$program"
	if "$top"/bench/estimates --programs $program --keep "$TMP_DIR/$program" \
		--output "$TMP_DIR/$program.md" > "$TMP_DIR/out" 2>&1; then
		echo "ok - $program: the truth is within the intervals of all arcs"
	else
		tail -20 "$TMP_DIR/out"
		echo "not ok - $program: the truth is within the intervals of all arcs"
		continue
	fi
	"$BUILD/truth" "$TMP_DIR/$program/$program".*.raw > "$TMP_DIR/$program.txt"
done
cat "$TMP_DIR"/*.txt > "$TMP_DIR/all"
awk '$1 == "entropy" && $2 && $3 { n++ } END { exit n != 3 }' "$TMP_DIR/all"
[ $? = 0 ] && echo "ok - there was something to estimate" || echo "not ok - there was something to estimate"
for rule in entropy even; do
	awk -v rule=$rule '$1 == rule { misplaced += $5 / $3 / 3 } END { exit !(misplaced < 0.2) }' "$TMP_DIR/all"
	[ $? = 0 ] && echo "ok - $rule misplaces less than a fifth of the calls" || {
		cat "$TMP_DIR/all"
		echo "not ok - $rule misplaces less than a fifth of the calls"
	}
done
