#!/bin/bash
# The time of an instruction that two arms share is not that of an inlined procedure that never ran, though debug
# information has its place.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
source=$top/tests/collect/programs/shared-code.c

must "compile shared-code.c" "$cgcc" -O2 -g "$source" -o shared
record shared.db ./shared 20000000
ask() { sqlite3 shared.db "SELECT total($1) FROM procedure WHERE name $2"; }
if [ "$(ask self_samples "IS NOT NULL" | cut -d. -f1)" -lt 40 ]; then
	echo "skip - time is that of procedures that ran: too few samples"
	exit 0
fi
# Else it had all of the division's: 60 of 100.
check "a procedure that never ran took no time" [ "$(ask self_ns "= 'never'"; ask total_ns "= 'never'")" = $'0.0\n0.0' ]
share=$(sqlite3 shared.db "SELECT 100 * often.self_ns / (SELECT sum(self_ns) FROM procedure) FROM procedure often
	WHERE name = 'often'")
echo "# $share of 100"
check "that around it has it" [ "$share" -ge 15 ]
check "the times of the roots are all there is" conserved shared.db
# Of equal calls, of which the compiler made one, the only one that was executed has the time below it.
site() { sqlite3 shared.db "SELECT count, total_ns > 0 FROM call_site WHERE line = $(grep -n "// $1" "$source" | cut -d: -f1)"; }
check "a call that was never executed took no time" [ "$(site "the one that is never executed")" = "0|0" ]
check "that like it has it" [ "$(site "the one that is$")" = "100000|1" ]
check "so its arcs" [ "$(sqlite3 shared.db "SELECT count(*) FROM arc WHERE count = 0 AND total_ns > 0 AND site IS NOT NULL")" = 0 ]
# A jump has no frame: which call became one is in the tables.
share=$(sqlite3 shared.db "SELECT 100 * (SELECT total_ns FROM call_site WHERE line = $(grep -n '// three q' "$source" | cut -d: -f1)) /
	(SELECT sum(total_ns) FROM procedure WHERE name = 'burn')")
echo "# $share of 100"
check "a call that became a jump has the time below it" [ "$share" -ge 60 -a "$share" -le 90 ]
check "all of it is in the arcs" [ "$(sqlite3 shared.db "SELECT (SELECT sum(pair_ns) FROM arc JOIN procedure p ON p.id = callee
	WHERE p.name = 'burn') = (SELECT total_ns FROM procedure WHERE name = 'burn')")" = 1 ]
# With so many arguments it is the one that runs.
must "build a copy with counts of both" "$cgcc" -O2 -g "$source" -o both
record both.db ./both 20000000 both of them are run
check "what ran keeps its times" [ "$(sqlite3 both.db "SELECT self_ns > 0 FROM procedure WHERE name = 'never'")" = 1 ]
