#!/bin/bash
# The test of a loop stands at its end (plugin/order.c): no round ends in a jump to it. The counts are
# those of the source.
. tests/e2e/lib.sh
need_collection
source=$PWD/tests/e2e/programs/order.c
cd "$TMP_DIR" || exit 1
cp "$source" order.c

must "compile to assembly" "$cgcc" -O2 -S order.c -o order.s
# Jumps back in clear() and find() without a condition.
back=$(awk '/^(clear|find):/ { inside = 1 } /\.cfi_endproc/ { inside = 0 }
	/^\.L[0-9]+:/ { seen[$1] = 1 }
	inside && $1 == "jmp" && seen[$2 ":"] { n++ } END { print n + 0 }' order.s)
check "no round of the loops ends in a jump" [ "$back" = 0 ]
for level in -O1 -Og -O2 -O3; do
	check "GCC's own checks of the graph hold at $level" "$cgcc" $level -fchecking -c order.c -o checked.o
done

must "compile" "$cgcc" -O2 order.c -o order
record run.db ./order
# of_line MARK: how often the line with it was executed
of_line()
{
	local line
	line=$(grep -n "/\* $1 \*/" order.c | cut -d: -f1)
	sqlite3 run.db "SELECT l.count FROM line l JOIN file f ON f.id = l.file
		WHERE f.path LIKE '%order.c' AND l.line = $line"
}
check "rounds of clear(): 50 times 1001" [ "$(of_line CLEARED)" = 50050 ]
check "rounds of find(): 0 + 1 + ... + 999" [ "$(of_line PASSED)" = 499500 ]
