#!/bin/bash
# A line is counted as often as control comes to it, whatever part of a condition on it is evaluated;
# also when the compiler folds an operand, or a header makes code of it.
. tests/e2e/lib.sh
need_collection
printf '%s\n' '10 10' '16 10' '17 7' '19 3' '28 10' '29 10' '30 10' '37 10' > "$TMP_DIR/expected"

for flags in -O0 -O1 -O2 "-O3 -flto"; do
	must "compile $flags" "$cgcc" $flags -o "$TMP_DIR/program" tests/e2e/programs/one-line.c
	record "$TMP_DIR/program.db" "$TMP_DIR/program"
	report "$TMP_DIR/program.db" line | cut -d, -f2,3 | tr ',' ' ' | sort -n |
		grep -E '^(10|16|17|19|28|29|30|37) ' > "$TMP_DIR/counts"
	check "$flags: each line once" diff "$TMP_DIR/expected" "$TMP_DIR/counts"
done
