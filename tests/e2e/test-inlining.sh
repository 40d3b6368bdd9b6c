#!/bin/bash
# What GCC inlines without counters is inlined with them, whatever the file asks of the optimisers; counts are the same.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
cp "$here/programs/inlined.c" .

# calls_left COMPILER [FLAG ...]: how many calls of entry() are in the code
calls_left()
{
	"$@" -O2 -S -o code.s inlined.c || return
	grep -cE '^[[:space:]]*(call|jmp)[[:space:]]+entry' code.s
}

plain=$(calls_left gcc)
check "the compiler inlines it" test "$plain" = 0
check "... and so it is with counters" test "$(calls_left "$cgcc")" = 0
check "where a pragma asks for something else, too" test "$(calls_left "$cgcc" -DPRAGMA)" = 0
check "... and counters are in the code" grep -q 'incq.*gs' code.s
check "who asks for calls has them" test "$(calls_left gcc -DNO_INLINE)" -gt 0
check "... with counters" test "$(calls_left "$cgcc" -DNO_INLINE)" -gt 0
check "... and by an option" test "$(calls_left "$cgcc" -DPRAGMA -fno-inline)" -gt 0

# By hand: later(4) is 0 and sooner(2) is -1, as only entry(-6) is not 0; so later() runs twice, sooner() once, and
# each of them calls three times.
printf '%s\n' "entry 9" "later 2" "main 1" "sooner 1" > expected
for flag in -DNOTHING -DPRAGMA -DNO_INLINE; do
	must "compile with $flag" "$cgcc" -O2 "$flag" inlined.c -o inlined
	record inlined.db ./inlined
	report inlined.db procedure | python3 -c '
import csv, sys
for r in csv.DictReader(sys.stdin):
    if r["procedure"] in ("entry", "later", "main", "sooner"):
        print(r["procedure"], r["calls"])' | sort > counted
	check "$flag: procedures count what they must" diff expected counted
done
