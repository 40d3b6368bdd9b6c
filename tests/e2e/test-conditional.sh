#!/bin/bash
# Of a conditional expression on several lines each arm's line is executed as often as the arm, and
# the line where it begins as often as the condition: at every level, in C and C++, whatever the arms
# call comes back or not. The counts stand in the source, by hand.
. tests/e2e/lib.sh
need_collection
source=tests/e2e/programs/conditional.c

# expected PATTERN: line and count of what is marked so.
expected() { sed -n "s|.*//$1= \\([0-9]*\\).*|\\1|;t number;d;:number;=;p" $source | paste -d' ' - -; }

# lines COMPILER FLAGS...: build, run and compare.
lines()
{
	local flags=${*:2}
	must "compile $*" "$1" "${@:2}" -o "$TMP_DIR/program" $source
	record "$TMP_DIR/program.db" "$TMP_DIR/program"
	report "$TMP_DIR/program.db" line | cut -d, -f2,3 | tr ',' ' ' | sort > "$TMP_DIR/counts"
	check "$(basename "$1") $flags: each line as often as it was evaluated" diff \
		<(sort "$TMP_DIR/expected") <(join -a 1 <(cut -d' ' -f1 "$TMP_DIR/expected" | sort) "$TMP_DIR/counts")
	check "$(basename "$1") $flags: no count where nothing tells it" sh -c '! join "$1" "$2" | grep .' sh \
		<(sed -n '\|//- |=' $source | sort) "$TMP_DIR/counts"
}

for flags in -O0 -O1 -O2 -Os "-O3 -flto" --cgview-flags=mode=block; do
	expected 'c*' > "$TMP_DIR/expected"
	lines "$cgcc" $flags
	expected '' > "$TMP_DIR/expected"
	lines "${cgcc%cgcc}cgg++" -x c++ $flags
done
