#!/bin/bash
# Every construct of C: which ranges are shown, in the program's text, at the uses of macros and in
# their definitions, and how often each was evaluated. All is written by hand beside the source.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
cp "$here"/programs/constructs.[ch] .
# From GCC 15 on a pointer's first value is assigned in each arm, and the whole has no place.
[ "$("$cgcc" -dumpversion | cut -d. -f1)" -lt 15 ] ||
	sed -i 's/ s 10 p = i > 5 ? &i : 0 |//' constructs.c

for level in -O0 -O2 "-O3 -flto" --cgview-flags=mode=block; do
	must "compile with $level" "$cgcc" $level -w constructs.c -o constructs
	record constructs.db ./constructs
	for source in constructs.c constructs.h; do
		check "$level: ranges of $source" python3 "$here/ranges.py" $source constructs.db
	done
done
exit 0
