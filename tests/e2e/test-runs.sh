#!/bin/bash
# record -n: a program is run again and again, each run is kept, and times have a spread.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1

# What it does depends on how often it was run: the file `turn` counts. The time it takes, too.
cat > prog.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void step(long n) { for (volatile long k = 0; k < n; k++) ; }
int main(int argc, char **argv)
{
	FILE *f = fopen("turn", "r+");
	int turn = 0, c, bytes = 0;

	if (!f || fscanf(f, "%d", &turn) != 1)
		return 99;
	rewind(f);
	fprintf(f, "%d\n", ++turn);
	fclose(f);
	while ((c = getchar()) != EOF)
		bytes++;
	printf("turn %d: %d bytes\n", turn, bytes);
	for (int i = 0; i < turn; i++)
		step(20000000);
	if (argc > 1 && turn == atoi(argv[1]))
		exit(3);
	if (argc > 2 && turn == atoi(argv[2]))
		raise(SIGTERM);
	if (argc > 3 && turn == atoi(argv[3])) {
		kill(getppid(), SIGTERM);
		usleep(200000);
	}
	return 0;
}
END
must "compile" "$cgcc" -O1 prog.c -o prog
echo "twelve bytes" > input

# runs N STATUS ARGUMENTS...: record N runs; the exit status must be STATUS.
runs()
{
	local n=$1 status=$2 got
	shift 2
	echo 0 > turn
	"$cgview" record -n "$n" -o runs.db -- ./prog "$@" < input > out 2> err
	got=$?
	check "exit status of $n runs of prog $*" [ "$got" = "$status" ]
}
of() { sqlite3 runs.db "SELECT $1"; }

runs 4 0
check "four runs" [ "$(of "group_concat(exit_status || '/' || exit_signal) FROM run")" = 0/0,0/0,0/0,0/0 ]
check "each read its input from the begin" [ "$(grep -c ': 13 bytes' out)" = 4 ]
check "one after the other" [ "$(of "count(*) FROM run a, run b WHERE b.id = a.id + 1 AND b.started_ns < a.started_ns + a.wall_ns")" = 0 ]
check "main, step: 4 and 1 + 2 + 3 + 4" [ "$(count_of runs.db main) $(count_of runs.db step)" = "4 10" ]
for n in 1 2 3 4; do
	check "run $n alone" [ "$("$cgview" report --runs $n --format csv runs.db | tr -d '\r' |
		awk -F, '$1 == "step" { print $4 }')" = $n ]
done
check "nothing is left" [ -z "$(ls -d ./*raw* ./*tmp* 2> /dev/null)" ]

# The spread, by hand from each run alone.
for n in 1 2 3 4; do
	"$cgview" report --runs $n --format csv runs.db | tr -d '\r' | awk -F, '$1 == "step" { print $5 }'
done > self
spread=$(of "self_sd_ns FROM procedure WHERE name = 'step'")
check "standard deviation of step(): $spread of $(xargs < self)" awk -v spread="$spread" '
	{ n++; s += $1; x[n] = $1 }
	END { for (i = 1; i <= n; i++) q += (x[i] - s / n) ^ 2; d = sqrt(q / (n - 1)) - spread; exit !(n == 4 && d < 2 && d > -2 && spread > 0) }' self
check "the same in the report" [ "$("$cgview" report --format csv runs.db | tr -d '\r' | python3 -c '
import csv, sys
print([r["self_sd_ns"] for r in csv.DictReader(sys.stdin) if r["procedure"] == "step"][0])')" = "$spread" ]
check "a column of the text" sh -c '"$1" report runs.db | grep -q " spread "' sh "$cgview"

# Of the whole runs: in the last line of record, in the report, and the same in both.
python3 - > wanted <<'END'
import sqlite3, statistics
rows = sqlite3.connect("runs.db").execute("SELECT cpu_ns, wall_ns FROM run").fetchall()
def ms(ns):
    s = ns / 1e9
    if s >= 0.9995: # on a busy machine
        return "%.*f s" % (3 if s < 9.9995 else 2 if s < 99.995 else 1, s)
    text = "%.2f" % (ns / 1e6) if ns < 9.995e6 else "%.1f" % (ns / 1e6) if ns < 99.95e6 else "%.0f" % (ns / 1e6)
    return text + " ms"
for i in (0, 1):
    figures = [r[i] for r in rows]
    print("%s +- %s" % (ms(statistics.mean(figures)), ms(statistics.stdev(figures))))
END
cpu=$(sed -n 1p wanted) wall=$(sed -n 2p wanted)
check "record tells: $wall wall, $cpu cpu" grep -qF "4 runs, each ${wall/+-/±} wall, ${cpu/+-/±} cpu, " err
check "report tells it" sh -c 'LC_ALL=C "$1" report --by run runs.db | grep -qF "4 runs: cpu $2, wall $3 (mean"' sh "$cgview" "$cpu" "$wall"
printf '%s\n' size:100x30 T ":save-screen $TMP_DIR/screen" > script
LC_ALL=C CGVIEW_SCRIPT=script "$cgview" --config /dev/null runs.db
check "the browser tells it" grep -qF "4 runs: cpu $cpu, wall $wall" screen

# Runs that are too short for samples: their time is that of the samples which the others have.
echo -6 > turn
"$cgview" record -F 50 -n 8 -o short.db -- ./prog < input > out 2> err
# (To a nanosecond for each sample, and for each stack.)
check "short runs, $(sqlite3 short.db "SELECT sum(samples), sum(samples = 0) FROM run"): all their time is somebody's" \
	[ "$(sqlite3 short.db "SELECT sum(samples) = 0 OR abs((SELECT sum(self_ns) FROM procedure) - sum(cpu_ns)) <= 2 * sum(samples) FROM run")" = 1 ]
check "... each stands for as much" [ "$(sqlite3 short.db "SELECT count(DISTINCT interval_ns) <= 1 FROM run WHERE samples")" = 1 ]

# One run has none.
runs 1 0
check "one run: no spread" sh -c '! grep -q "+-" err; ! "$1" report --by run runs.db | grep -q deviation' sh "$cgview"
check "... in the profile" [ "$(of "count(self_sd_ns) FROM procedure")" = 0 ]

# Some fail: all are run, the status is the first one's.
runs 4 3 2
check "all were run" [ "$(of "group_concat(exit_status) FROM run")" = 0,3,0,0 ]
check "it is told" grep -q "^cgview: 1 of 4 runs failed; the first of them is run 2: exit 3$" err
runs 4 143 9 3
check "a signal" [ "$(of "group_concat(exit_signal) FROM run")" = 0,0,15,0 ]
runs 5 3 2 3
check "two fail: the first one's status" grep -q "2 of 5 runs failed; the first of them is run 2: exit 3" err

# We are told to end: the series ends, what was run becomes the profile.
runs 9 143 0 0 3
check "a series is ended by a signal" grep -q "^cgview: stopped after 3 of 9 runs" err
check "... what was run is kept" [ "$(of "count(*) FROM run")" = 3 ]

# Added to what is there; with a baseline after each.
runs 2 0
echo 0 > turn
"$cgview" record -a -n 3 -o runs.db -- ./prog < input > out 2> err
check "added: 2 and 3" [ "$? $(of "count(*) FROM run")" = "0 5" ]
check "... the last line is about the three" grep -q "5 runs, of the last 3 each " err
check "... counts" [ "$(count_of runs.db step)" = $((1 + 2 + 1 + 2 + 3)) ]
must "compile" gcc -O1 prog.c -o plain
echo 0 > turn
"$cgview" record -n 2 --baseline ./plain -o based.db -- ./prog < input > out 2> err
check "a baseline for each run" [ "$(sqlite3 based.db "SELECT count(*) FROM run WHERE baseline_user_ns > 0")" = 2 ]
check "... in turn" [ "$(cat turn) $(grep -c turn out)" = "4 2" ]
check "... told" grep -q "^cgview: instrumented .* user, plain " err

# What is no number of runs; what cannot be read twice.
for n in 0 -1 x 1x '' 99999; do
	"$cgview" record -n "$n" -o no.db -- ./prog > out 2> err < /dev/null
	check "refused: -n '$n'" [ "$? $(wc -l < err) $(ls no.db 2> /dev/null)" = "2 1 " ]
done
echo x | "$cgview" record -n 2 -o no.db -- ./prog > out 2> err
check "refused: a pipe" [ "$? $(wc -l < err)" = "2 1" ]
"$cgview" record -n 2 -o no.db -- ./nothing > out 2> err < /dev/null
check "no such program" [ "$? $(wc -l < err)" = "127 1" ]
