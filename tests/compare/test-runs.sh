#!/bin/bash
# Some of a profile's runs as a side of a comparison: all.db:runs=1-3. Run n calls step() n times, so that all counts
# are known by hand.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1
cat > steps.c <<'END'
#include <stdlib.h>

static volatile int sum;

__attribute__((noinline)) static void
step(int i)
{
	sum += i;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < n; i++)
		step(i);
	return 0;
}
END
"$cgcc" -O1 -g -o steps steps.c || exit 1
for n in 1 2 3 4 5 6; do
	"$cgview" record -a -o all.db -- ./steps $n > record.out 2>&1 || cat record.out
done
verdict() # verdict STATUS NAME
{
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; fi
}

# diff_calls [OPTION...] A B: calls of step() in both, and the difference.
diff_calls()
{
	"$cgview" diff -e 'b.calls - a.calls' --format csv "$@" | tr -d '\r' | sed -n 's/^step,.*,procedure,//p' | cut -d, -f1-3
}
check "two halves of the runs" [ "$(diff_calls all.db:runs=1-3 all.db:runs=4-6)" = 6,15,9 ]
check "lists, in any order" [ "$(diff_calls all.db:runs=6,1 ./all.db:runs=2,4)" = 7,6,-1 ]
check "threads" [ "$(diff_calls all.db:threads=1-3 all.db:threads=4-6)" = 6,15,9 ]
# Unequal numbers of runs: figures are those of a run, of everything that is a sum.
check "a run against all: 21 calls in 6 runs" [ "$(diff_calls all.db:runs=6 all.db)" = 6,3.5,-2.5 ]
check "lists of unequal length" [ "$(diff_calls all.db:runs=6,1 ./all.db:runs=2,4-6)" = 3.5,4.25,0.75 ]
check "threads, and both" [ "$(diff_calls all.db:threads=1-3 all.db:runs=3-6:threads=1-4)" = 2,3.5,1.5 ]
check "the same runs once and twice: nothing differs" \
	[ "$(diff_calls all.db:runs=1,6 all.db)" = 3.5,3.5,0 ]
check "... nor in a ratio, a condition, the work" "$cgview" diff --fail-if \
	'b.work <> a.work or more_work() or ratio(b.calls, a.calls) > 1 or b.run.count > a.run.count' all.db:runs=1,6 all.db
"$cgview" diff -e 'b.calls - a.calls' all.db:runs=1,6 all.db > text
check "the head tells the numbers of runs" [ "$(sed -nE 's/^([ab]) .* (blocks?   [0-9]+ runs)( .*)?$/\1 \2/p' text | xargs)" = \
	"a blocks 2 runs b blocks 6 runs" ]
check "... and that figures are those of a run" grep -qE '^result = b.calls - a.calls   figures of a run$' text
check "... in the table" grep -qE '^ *3\.5[0-9]* +3\.5[0-9]* += +0% .* step ' text
check "sums of equal numbers are told to be sums" grep -qx 'result = b.calls - a.calls   sums of 3 runs' \
	<("$cgview" diff -e 'b.calls - a.calls' all.db:runs=1-3 all.db:runs=4-6)
check "... and nothing of one run each" grep -qx 'result = b.calls - a.calls' \
	<("$cgview" diff -e 'b.calls - a.calls' all.db:runs=1 all.db:runs=4)
check "normalised: of a run, too" [ "$(diff_calls --normalise step all.db:runs=1,6 all.db)" = 3.5,3.5,0 ]
check "... as the first one" [ "$(diff_calls --normalise step all.db:runs=6 all.db)" = 6,6,0 ]
check "... in the same scale" [ "$(diff_calls --normalise main all.db:runs=4-5 all.db)" = 4.5,3.5,-1 ]
gate() # gate STATUS CONDITION A B
{
	"$cgview" diff --fail-if "$2" "${@:3}" > text 2> err
	[ $? = "$1" ] || { cat text err; false; }
	verdict $? "$2 of ${*:3}: status $1"
}
# Runs 1 and 6 with six times the work each, in twice as many runs: that neither hides nor makes a difference.
gate 1 'b.calls > 1.4 * a.calls' all.db:runs=1-4 all.db:runs=4
gate 0 'b.calls > 1.1 * a.calls' all.db:runs=4 all.db:runs=3-5
gate 1 'more_work(30%)' all.db:runs=1-4 all.db:runs=4-5
check "three sides" [ "$("$cgview" diff -e 'a.calls + 10 * b.calls + 100 * c.calls' --format csv all.db:runs=1 all.db:runs=2 \
	all.db:runs=3 | tr -d '\r' | sed -n 's/^step,.*,procedure,//p' | cut -d, -f1-4)" = 1,2,3,321 ]
check "as --runs of report has them" [ "$("$cgview" report --runs 2-4 --format csv --columns procedure,calls all.db |
	tr -d '\r' | grep '^step,')" = step,9 ]
check "... and they are called so" grep -q 'all.db .*only runs 2-4 of 6' <("$cgview" report --runs 2-4 all.db)
"$cgview" diff all.db:runs=1-3 all.db:runs=4-6 > text
check "the head names the sides" [ "$(grep -c '^a   all.db:runs=1-3 \|^b   all.db:runs=4-6 ' text)" = 2 ]
check "there is a number of runs for significance" [ "$("$cgview" diff -e 'a.run.runs + 10 * b.run.runs + 0 * a.calls' \
	--limit 1 --format csv all.db:runs=1-2 all.db:runs=3-6 | tr -d '\r' | sed -n '2s/^.*,procedure,//p' | cut -d, -f3)" = 42 ]

printf 'all.db:runs=%s\n' '1 1' '2 2' '3-4 7' '5-6 11' > sizes
check "a series" [ "$("$cgview" diff --series sizes -e a.calls --by procedure --format csv all.db:runs=1 all.db:runs=2 \
	all.db:runs=3-4 all.db:runs=5-6 | grep -c '^step,.*,1,2,3.5,5.5')" = 1 ]

"$cgview" diff -o out.db -e 'b.calls - a.calls' --by procedure all.db:runs=1-3 all.db:runs=4-6
check "-o: the figures are those of the last side" [ "$(sqlite3 out.db "SELECT calls FROM procedure WHERE name = 'step'")" = 15 ]
check "... the value" [ "$(sqlite3 out.db "SELECT value FROM difference WHERE procedure = 'step'")" = 9 ]
check "... the sides' names" [ "$(sqlite3 out.db 'SELECT path FROM compared' | xargs)" = "all.db:runs=1-3 all.db:runs=4-6" ]
screen() # screen PROFILE...: of the browser
{
	printf '%s\n' size:140x24 ':save-screen shows' text:q > script
	CGVIEW_SCRIPT=script "$cgview" "$@"
}
screen out.db
grep -q 'step  *6  *15 ' shows || grep -q ' 6 .* 15 .*step' shows
verdict $? "... is opened with both sides again"
screen -e 'b.calls - a.calls' all.db:runs=1-3 all.db:runs=4-6
grep -q 'a all.db:runs=1-3, .* b all.db:runs=4-6, .* only runs 4-6 of 6' shows && grep -q ' 6 .* 15 .*step' shows
verdict $? "the browser"

cp all.db all.db:runs=1
check "a file of just that name is that" [ "$("$cgview" diff --format csv -e 'a.run.runs + 0 * a.calls' --limit 1 \
	all.db:runs=1 all.db:runs=2 | tr -d '\r' | sed -n '2s/^.*,procedure,//p' | cut -d, -f3)" = 6 ]
rm all.db:runs=1
# Processes of a parallel program, in one run, and each recorded by itself as a launcher does it.
cat > launch <<'END'
for rank in 0 1 2 3; do
	CGVIEW_RANK=$rank "$@" $((rank + 10)) || exit
done
./steps 100
OMPI_COMM_WORLD_RANK=4x ./steps 1000
END
"$cgview" record -F 0 -o launched.db -- sh launch ./steps > record.out 2>&1 || cat record.out
for rank in 0 1 2 3; do
	PMIX_RANK=$rank "$cgview" record -F 0 -a -o ranks.db -- ./steps $((rank + 10)) > record.out 2>&1 || cat record.out
done
check "two halves of the ranks" [ "$(diff_calls launched.db:ranks=0-1 launched.db:ranks=2,3)" = 21,25,4 ]
check "... all of them, but no process without" [ "$(diff_calls launched.db:ranks=0-3 launched.db)" = 46,1146,1100 ]
check "ranks that were recorded one by one" [ "$(diff_calls ranks.db:ranks=3 ranks.db:ranks=0-2)" = 13,11,-2 ]
check "as --ranks of report has them" [ "$("$cgview" report --ranks 2-3 --format csv --columns procedure,calls ranks.db |
	tr -d '\r' | grep '^step,')" = step,25 ]
"$cgview" report --ranks 2-3 ranks.db > text
check "... and they are called so" grep -q 'ranks.db .*only ranks 2, 3 of 4' text
"$cgview" merge -o merged.db ranks.db launched.db > /dev/null 2>&1 || true
check "merged" [ "$(diff_calls merged.db:ranks=0 merged.db:ranks=1)" = 20,22,2 ]
"$cgview" report --by thread --format csv --columns rank,blocks_executed ranks.db | tr -d '\r' | cut -d, -f1 | sort | xargs > text
check "csv of threads has the ranks" grep -qx '0 1 2 3 rank' text
refused() # refused NAME PATTERN PROFILE
{
	"$cgview" diff "$3" all.db > out 2> err
	[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q "$2" err
	verdict $? "refused: $1"
}
refused "a run that is not there" 'has runs 1 to 6 only' all.db:runs=7
refused "no list" "runs=x: it is a list of numbers" all.db:runs=x
refused "an empty list" 'runs=: it is a list' all.db:runs=
cp all.db none.db
refused "a rank that is not there" 'has ranks 0 to 3 only' ranks.db:ranks=4
refused "a huge rank" 'has ranks 0 to 3 only' ranks.db:ranks=99999999999999999999
refused "a program without ranks" 'ranks 0: none.db has none' none.db:ranks=0
refused "nothing is left" 'no thread is in all of these lists' all.db:runs=1:threads=2
refused "a word that is none" 'all.db:rnus=1' all.db:rnus=1
"$cgview" diff -o all.db all.db:runs=2 all.db:runs=3 > out 2> err
[ $? = 2 ] && grep -q 'is the profile all.db' err
verdict $? "the output is none of the profiles that sides are of"
# So many runs are imported some at a time: the program's tables once for these.
"$cgview" record -F 0 -n 70 -o many.db -- ./steps 3 > record.out 2>&1 || cat record.out
check "seventy runs: each has its calls" [ "$(diff_calls many.db:runs=1-64 many.db:runs=65-70) $(diff_calls many.db:runs=1 many.db:runs=70)" = \
	"3,3,0 3,3,0" ] # of a run
check "... all together" [ "$(sqlite3 many.db "SELECT calls FROM procedure WHERE name = 'step'")" = 210 ]
check "... and its row" [ "$(sqlite3 many.db "SELECT count(*), min(processes), max(processes), sum(exit_status), count(DISTINCT started_ns) FROM run")" = \
	"70|1|1|0|70" ]
check "... with the command's parts in order" [ "$(sqlite3 many.db "SELECT count(*) FROM part JOIN run ON run.id = part.run")" = 70 ]
