#!/bin/bash
# cgview watch in the browser of a program that counts nothing: times of procedures and lines by samples are those that
# the program, which works when it is told, reads from its own clock. From here on, standing still, compared, threads,
# its end, a terminal that is closed, and the profile that is left.
. tests/tui/lib.sh
command -v tmux > /dev/null || { echo 'skip - live-sampled: no tmux'; exit 0; }
command -v sqlite3 > /dev/null || { echo 'skip - live-sampled: no sqlite3'; exit 0; }
pids=
# shellcheck disable=SC2086 # several
trap 'tm kill-server; kill -9 $pids 2> /dev/null' EXIT

cat > told.c <<'END_OF_C'
/* Does what it reads: three() or one() for so many ms of its clock. Writes what both had so far, in ms. */
#include <stdio.h>
#include <string.h>
#include <time.h>
static double own[2];
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
__attribute__((noinline)) static double three(double ms)
{
	double begin = now();
	volatile unsigned x = 1;

	while (now() - begin < ms)
		for (int i = 0; i < 100000; i++)
			x = x * 3 + 1;
	return now() - begin;
}
__attribute__((noinline)) static double one(double ms)
{
	double begin = now();
	volatile unsigned y = 1;

	while (now() - begin < ms)
		for (int i = 0; i < 100000; i++)
			y = y * 5 + 1;
	return now() - begin;
}
int main(int argc, char **argv)
{
	char line[100], word[100];
	FILE *in = fopen(argv[1], "r"), *out;
	int n;

	(void)argc;
	do {
		out = fopen("own.new", "w");
		fprintf(out, "%.0f %.0f\n", own[0], own[1]);
		fclose(out);
		rename("own.new", "own");
		if (!fgets(line, sizeof(line), in) || sscanf(line, "%99s %d", word, &n) != 2)
			return 4;
		own[!strcmp(word, "one")] += !strcmp(word, "one") ? one(n) : three(n);
	} while (strcmp(word, "end"));
	return n;
}
END_OF_C
gcc -O2 -g -o told told.c || { echo 'not ok - told.c compiles'; exit 1; }

start() # start WATCH...: in a terminal of 120 columns and 44 lines
{
	tm kill-server
	rm -f status
	tm new-session -d -s t -x 120 -y 44 -- bash -c '"$@" 2> err; echo "status $?" > status; exec cat' bash "$cgview" watch \
		-d 0.3 "$@" \; set -g status off \; setw -g window-size manual
}
tell() # tell WORDS: and it has done it
{
	local before
	before=$(cat own)
	echo "$*" >&3
	wait_until different "$before"
	read -r threes ones < own
}
different() { [ "$(cat own 2> /dev/null)" != "$1" ]; }
begin()
{
	rm -f own told.fifo
	mkfifo told.fifo
	exec 3<> told.fifo
	./told told.fifo & pid=$!
	pids="$pids $pid"
	wait_until test -s own
}
# of_row PATTERN NUMBER: the NUMBER-th time in the first line of the screen that has it, in ms
of_row()
{
	tm capture-pane -p -t t | grep -m 1 -e "$1" | awk -v n="$2" '{for (i = 2; i <= NF; i++)
		if ($i ~ /^(ms|s)$/ && !--n) print $i == "s" ? 1000 * $(i - 1) : $(i - 1)}'
}
# has PATTERN NUMBER MS: as many, but for two samples on each processor and a tenth; where the machine is busy, or a
# virtual one, a timer that is late makes one sample of several
has()
{
	last=$(of_row "$1" "$2")
	awk -v n="${last:-none}" -v ms="$3" 'BEGIN {exit !(n != "none" && 0.6 * ms - 40 <= n && n <= 1.1 * ms + 40)}'
}
await_has() # as has, waited for; the cursor may have gone down with its row
{
	tm send-keys -t t Home
	wait_until has "$@" && return 0
	tm capture-pane -p -t t | sed 's/^/# /'
	return 1
}
# has_all MS MS: three() and one(), with what they call, after some looks
has_all() { await_has ' three .*told.c:' 2 "$1" && await_has ' one .*told.c:' 2 "$2"; }
told_row=' three .*told.c:'

begin
"$cgview" record -p $$ --seconds 1 -o probe.db > probe.out 2>&1
if grep -q 'may not sample it\|perf_event' probe.out; then
	echo "skip - live-sampled: the kernel's events are not permitted"
	exit 0
fi
start -o first.db "$pid"
wait_until grep -qs 'it has used no CPU time so far: the browser opens when there is something' err
verdict $? 'where nothing is used it says what it waits for'
tell three 900
await "$told_row"
verdict $? 'the browser opens with the first sample'
tell one 300
has_all "$threes" "$ones"
verdict $? 'times of procedures are those of its own clock'
await '^ told .* live, all so far .*heat: self time'
verdict $? '... and the head says that it is live'
! screen_has 'calls'
verdict $? '... and nothing was counted'
await_has '│.*x = x \* 3 + 1' 1 "$threes"
verdict $? 'so are times of lines'
screen_has 'Not known while it is watched'
verdict $? 'callers are for the end, it says so'
tm send-keys -t t '*'
await ' frozen, '
was=$(of_row "$told_row" 2)
tell three 600
sleep 1
[ "$(of_row "$told_row" 2)" = "$was" ]
verdict $? 'standing still: nothing changes'
tm send-keys -t t =
await 'only what looks saw'
await_has "$told_row" 3 600
verdict $? '... and it is compared with what is now'
tm send-keys -t t q
await ' frozen, '
tm send-keys -t t '*'
has_all "$threes" "$ones"
verdict $? '... and it goes on'
tm send-keys -t t 0
await 'live, of [0-9]* s'
tell one 500
await_has ' one .*told.c:' 2 500
verdict $? 'from here on: what was done since'
tm send-keys -t t 0
has_all "$threes" "$ones"
tm send-keys -t t T
await_has '^. *1  told ' 1 $((threes + ones))
verdict $? 'its thread has all of the time'
tm send-keys -t t q
tm send-keys -t t t
await 'not while it is watched'
verdict $? 'the tree is for the end'
kill -9 "$pid"
await 'the program has ended'
verdict $? 'one that is killed: it says so'
has_all "$threes" "$ones"
verdict $? '... and has its last state'
at_last=$(of_row "$told_row" 2)
tm send-keys -t t Q
wait_until test -s status
grep -q 'status 0' status
verdict $? 'it can be left'
[ "$(sqlite3 first.db "SELECT round(total_ns / 1e6) FROM procedure WHERE name = 'three'")" = "${at_last%.*}.0" ]
verdict $? '... and the profile has the samples of the last look'
exec 3>&-

sampled() { ls lost.db.raw-*/run1.perf > files.out 2>&1; }
# A program that is run: to its end; and a terminal that is closed.
rm -f own told.fifo
mkfifo told.fifo
exec 3<> told.fifo
start -o run.db -- ./told told.fifo
wait_until test -s own
tell three 700
await "$told_row"
echo 'end 7' >&3
await 'the program has ended'
await_has "$told_row" 2 "$threes"
verdict $? 'a program that is run has ended with all that it did'
tm send-keys -t t Q
wait_until test -s status
grep -q 'status 7' status && [ -s run.db ]
verdict $? '... its status, and the profile'
exec 3>&-
begin
tell three 10
start -o lost.db "$pid"
wait_until sampled
tell three 500
await "$told_row"
tm kill-server
wait_until test -s lost.db
kill -0 "$pid" && [ "$(sqlite3 lost.db "SELECT total_ns BETWEEN 400e6 AND 600e6 FROM procedure WHERE name = 'three'")" = 1 ]
verdict $? 'a terminal that is closed: the process runs on, and what it did is saved'
kill -9 "$pid"
