#!/bin/bash
# Executed blocks of procedures, and with what they call, of a program in which they are counted by hand;
# calls and work as measures, wherever measures are.
. tests/collect/rows/lib.sh
source=$top/tests/collect/programs/work.c
must "compile" "$cgcc" -O0 "$source" -o work
must "compile without noting targets" "$cgcc" -O0 --cgview-flags=notargets "$source" -o estimated
must "record" "$cgview" record -F 0 -o run.db ./work
must "record" "$cgview" record -F 0 -o open.db ./estimated
report() { "$cgview" report --format csv "$@" | tr -d '\r"' | tail -n +2 | xargs; }
text() { LC_ALL=C.UTF-8 "$cgview" report "$@" | tail -n +4 | sed 's/  */ /g; s/^ //'; }

# Of loop(10): before, 11 tests, 10 rounds, behind. Of down(4): 4 times 4, and 3.
equal "blocks of each procedure" \
	"above,1,2 down,5,19 leaf,7,7 loop,4,92 main,1,7 once,1,2 pointed,1,2 thrice,1,5" \
	"$(report --sort procedure --columns procedure,calls,work run.db)"
equal "... with what it calls" \
	"above,5 down,24 leaf,7 loop,92 main,136 once,25 pointed,3 thrice,75" \
	"$(report --sort procedure --columns procedure,total_work run.db)"
equal "... each call by its count; none by recursion" \
	"above,pointed,3 down,down,0 down,leaf,5 once,loop,23 outside,main,136 pointed,leaf,1 thrice,leaf,1" \
	"$(report --by arc --sort caller --columns caller,callee,total_work run.db | tr ' ' '\n' |
		grep -v '^main\|thrice,loop\|,outside\|outside,leaf' | sort | xargs)"
equal "... of call sites" "75 25 24 23 23 23 23 5 5 3 1 1 0" \
	"$(report --by site --sort total_work --columns total_work run.db)"
equal "shares are of all blocks" "loop 67.6 main 5.1 8 procedures 100" \
	"$(text --sort procedure --columns procedure,work% run.db | grep 'loop\|main\|100' | xargs)"
equal "what rests on an estimated call has a mark" \
	"above ≈ 5 down 24 leaf 7 loop 92 main ≈ 136 once 25 pointed ≈ 3 thrice 75" \
	"$(text --sort procedure --columns 'procedure,total work' open.db | head -8 | xargs)"
equal "... so do calls" "above ≈ 5 leaf ≈ 1 loop 23 main ≈ 136 pointed ≈ 3" \
	"$(text --by arc --columns callee,work open.db | grep '≈\|loop' | sort -u | xargs)"
equal "... and call sites" 3 "$(text --by site --columns call,work open.db | grep -c '≈')"
equal "measures of the profile" "calls|21|none|1 work|136|arcs|1" "$(sqlite3 run.db "SELECT name, total,
	inclusive, exact FROM measure WHERE name IN ('calls', 'work')" | xargs)"
equal "an expression of diff, each side with its figure" "down,19,24,43 leaf,7,7,14 loop,92,92,184" \
	"$("$cgview" diff -e 'a.self_work + b.total_work' --format csv run.db open.db | tr -d '\r"' |
		cut -d, -f1,8-10 | grep '^down\|^leaf\|^loop' | sort | xargs)"
equal "... of calls" 25 "$("$cgview" diff --by arc -e a.total_work --format csv run.db open.db | tr -d '\r"' |
	grep 'main,.*,once' | cut -d, -f10)"
equal "the margin has the costliest call of each line" "25 75 24 5" \
	"$("$cgview" annotate --columns total_work --heat total_work run.db |
		sed -n 's/^ *\([0-9]\+\) |.*[^a-z]\(once\|thrice\|down\|above\)(.*);/\1/p' | xargs)"
must "record another run" "$cgview" record -F 0 -o other.db ./work
must "merge" "$cgview" merge -o sum.db run.db other.db
equal "adding up" "down,38,48 main,14,272" "$(report --sort procedure --columns procedure,work,total_work sum.db |
	tr ' ' '\n' | grep 'down\|main' | xargs)"
must "pin" "$cgview" pin open.db 'pointed->leaf=0'
equal "an estimate that is set" "main ≈ 135 pointed ≈ 2" \
	"$(text --sort procedure --columns 'procedure,total work' open.db | grep 'main\|pointed' | xargs)"
