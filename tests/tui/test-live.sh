#!/bin/bash
# cgview watch in the browser: its figures are those that the program, which goes on when it is told, has counted
# itself. Rates, standing still, counting from here on, calls through pointers, libraries that come, the program's end,
# and the profile that is left.
cgcc=$PWD/${BUILD:?}/cgcc
case $BUILD in /*) cgcc=$BUILD/cgcc ;; esac
. tests/tui/lib.sh
command -v tmux > /dev/null || { echo 'skip - live: no tmux'; exit 0; }
command -v sqlite3 > /dev/null || { echo 'skip - live: no sqlite3'; exit 0; }
pids=
# shellcheck disable=SC2086 # several
trap 'tm kill-server; kill -9 $pids 2> /dev/null' EXIT

cat > told.c <<'END_OF_C'
/* Does what it reads: how often what, with a word for each. Writes how often it did each so far. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned x;
static volatile unsigned long leaves, odds, evens;
__attribute__((noinline)) static void leaf(void)
{
	leaves++;
	x = x * 3 + 1;
}
__attribute__((noinline)) static void odd(int n) { odds++; x += (unsigned)n; }
__attribute__((noinline)) static void even(int n) { evens++; x -= (unsigned)n; }
static void (*const either[])(int) = { even, odd };
__attribute__((noinline)) static void rounds(int n)
{
	for (int i = 0; i < n; i++)
		leaf();
}
__attribute__((noinline)) static void pointers(int n)
{
	for (int i = 0; i < n; i++)
		either[i % 3 == 0](i);
}
static void tell(const char *path)
{
	char *other = malloc(strlen(path) + 5);
	FILE *f = fopen(strcat(strcpy(other, path), ".new"), "w");

	fprintf(f, "%lu %lu %lu\n", leaves, odds, evens);
	fclose(f);
	rename(other, path);
	free(other);
}
int main(int argc, char **argv)
{
	char line[100], word[100];
	FILE *in = fopen(argv[1], "r");
	int n;

	(void)argc;
	puts("this goes to the terminal when all is over");
	tell(argv[2]);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%99s %d", word, &n) != 2)
			return 4;
		if (!strcmp(word, "leaf"))
			rounds(n);
		else if (!strcmp(word, "through"))
			pointers(n);
		else if (!strcmp(word, "steady"))
			for (int i = 0; i < 10 * n; i++, usleep(100000))
				rounds(50);
		else if (!strcmp(word, "load"))
			((void (*)(int))dlsym(dlopen("./loaded.so", RTLD_NOW), "loaded"))(n);
		else if (!strcmp(word, "fork") && !fork()) {
			rounds(n);
			sleep(2);
			_exit(0);
		} else if (!strcmp(word, "exec"))
			execl("./other", "other", line + 5, NULL);
		else if (!strcmp(word, "end"))
			return n;
		tell(argv[2]);
	}
	return 0;
}
END_OF_C
cat > loaded.c <<'END_OF_C'
static volatile unsigned y;
__attribute__((noinline)) static void inside(void) { y++; }
void loaded(int n) { for (int i = 0; i < n; i++) inside(); }
END_OF_C
cat > other.c <<'END_OF_C'
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned z;
__attribute__((noinline)) static void elsewhere(void) { z++; }
int main(int argc, char **argv)
{
	for (int i = atoi(argv[argc - 1]); i > 0; i--)
		elsewhere();
	return pause();
}
END_OF_C
"$cgcc" -O2 -o other other.c || { echo 'not ok - other.c compiles'; exit 1; }
# Its path stands before that of told.c, whose unit is linked first: rows are numbered in the order of the paths.
printf 'int never_called(int n)\n{\n\tif (n > 3)\n\t\treturn n;\n\treturn 2;\n}\n' > first.c
"$cgcc" -O2 -o told told.c first.c && "$cgcc" -O2 -fPIC -shared -o loaded.so loaded.c || { echo 'not ok - it compiles'; exit 1; }

start() # start WATCH...: in a terminal of 120 columns and 44 lines
{
	tm kill-server
	session=$((session + 1))
	rm -f status
	tm new-session -d -s t -x 120 -y 44 -- bash -c '"$@"; echo "status $?" > status; exec cat' bash "$cgview" watch \
		-d 0.3 "$@" \; set -g status off \; setw -g window-size manual
}
commas() { printf '%s' "$1" | rev | sed 's/[0-9]\{3\}/&,/g; s/,$//' | rev; }
# shown NAME CALLS: the summary has so many calls of it
shown() { await " $(commas "$2") .* $1 .*told.c:"; }
# tell WORDS: and it has done it
tell()
{
	local before
	before=$(cat own)
	echo "$*" >&3
	wait_until different "$before"
	read -r leaves odds evens < own
}
different() { [ "$(cat own 2> /dev/null)" != "$1" ]; }
begin() # begin NAME: the program runs in the background
{
	rm -f own told.fifo
	mkfifo told.fifo
	exec 3<> told.fifo
	./told told.fifo own > said & pid=$!
	pids="$pids $pid"
	wait_until test -s own
}

# A process that runs already.
begin
tell leaf 1234
start -o first.db "$pid"
shown leaf "$leaves"
verdict $? 'what it has counted before is there'
await '^ told .* live, all so far'
verdict $? '... and the head says that it is live'
await 'Live: what a look may lack: D'
verdict $? '... and where is told what it may lack'
tell leaf 4321
shown leaf "$leaves"
verdict $? 'the figures go on'
tell through 3000
shown odd "$odds" && shown even "$evens"
verdict $? 'calls through pointers are those of each procedure'
# On the row of the greatest count the callers follow: all calls of leaf come from rounds.
tm send-keys -t t C-t
tm send-keys -t t -l leaf
tm send-keys -t t Enter
await "^─ callers of leaf ─* $(commas "$leaves") calls"
verdict $? 'callers have them, too'
await "^ *$(commas "$leaves") .* rounds "
verdict $? '... by name'

await "$(commas "$leaves") .*│.*leaves++"
verdict $? 'so has the line of the source'
tell leaf 1000
await "$(commas "$leaves") .*│.*leaves++"
verdict $? '... and that goes on, at the same place'
tm send-keys -t t C-t
tm send-keys -t t -l even
tm send-keys -t t Enter
await "^─ callers of even ─* $(commas "$evens") calls"
await "^ *$(commas "$evens") .* pointers "
verdict $? 'a call through a pointer is told apart'

# From here on, standing still, rates.
tm send-keys -t t u
tm send-keys -t t 0
await 'live, of [0-9]* s'
tell leaf 77
shown leaf 77
verdict $? 'from here on: what was done since'
tm send-keys -t t '*'
await ' frozen, of'
tell leaf 50000
sleep 1
screen_has ' 77 .* leaf .*told.c:'
verdict $? 'standing still: nothing changes'
tm send-keys -t t =
await ' 77  *50,077  *+50,000 .* leaf .*told.c:'
verdict $? '... and it is compared with what is now, by procedure'
screen_has ' 77  *50,077  *+50,000 │.*leaves++'
verdict $? '... by line'
screen_has ' 77  *50,077  *+50,000 .* rounds '
verdict $? '... and by caller'
tm send-keys -t t q
await ' frozen, of'
verdict $? '... and it stands still as before'
tm send-keys -t t '*'
shown leaf 50077
verdict $? '... and it goes on'
tm send-keys -t t 0
shown leaf "$leaves"
verdict $? 'since the beginning again'
tm send-keys -t t r
await 'live, figures a second'
await ' 0 .* leaf .*told.c:'
verdict $? 'rates of nothing are 0'
echo 'steady 4' >&3
# 500 a second, if the machine has the time: no rate is greater, some are near.
await ' \(4[0-9][0-9]\|3[5-9][0-9]\|5[0-9][0-9]\) .* leaf .*told.c:'
verdict $? 'rates are what a second brings'
tm send-keys -t t '*'
await ' frozen, figures a second'
sleep 1
tm send-keys -t t =
await 'only what a second brought'
# Then, and since: both are rates, no sums of more than 50,000.
await '^ *.\? *[0-9]\{1,3\}  *[0-9]\{1,3\}  .* leaf .*told.c:'
verdict $? '... and are compared as such'
tm send-keys -t t Q
await ' frozen, figures a second'
tm send-keys -t t '*'
tm send-keys -t t r
wait_until grep -q . own
tell load 55
await ' 55 .* inside .*loaded.c:'
verdict $? 'a library that comes'
# What is known only at the end is not shown.
tm send-keys -t t t
await 'not while it is watched'
verdict $? 'the tree is for the end'

# A second watcher sees the same; the first goes on.
tm send-keys -t t q
wait_until test -s status
verdict $? 'it can be left'
grep -q 'status 0' status && kill -0 "$pid"
verdict $? '... and the program goes on'
[ "$(sqlite3 first.db "SELECT calls FROM procedure WHERE name = 'leaf'")" = "$(cut -d' ' -f1 own)" ]
verdict $? '... and what was seen is saved'

# Its end, in the browser; and killed.
start -o second.db "$pid"
shown leaf "$(cut -d' ' -f1 own)"
tell leaf 11
shown leaf "$leaves"
echo 'fork 1000' >&3
leaves=$((leaves + 1000))
shown leaf "$leaves"
verdict $? 'a child of fork counts with its parent'
echo 'exec 66' >&3
await ' 66 .* elsewhere .*other.c:'
verdict $? 'a program that is executed is there'
shown leaf "$leaves"
verdict $? '... beside the one before'
kill -9 "$pid"
await 'the program has ended'
verdict $? 'one that is killed: it says so'
screen_has " $(commas "$leaves") .* leaf .*told.c:"
verdict $? '... and has its last state'
tm send-keys -t t Q
wait_until test -s status
[ "$(sqlite3 second.db "SELECT calls FROM procedure WHERE name = 'leaf'")" = "$leaves" ]
verdict $? '... which is saved'
exec 3>&-

# A program that is run: to its end, and left before.
rm -f own told.fifo
mkfifo told.fifo
exec 3<> told.fifo
start -o run.db -- ./told told.fifo own
wait_until test -s own
tell leaf 500
shown leaf "$leaves"
verdict $? 'a program that is run'
screen_has 'this goes to the terminal'
[ $? -ne 0 ]
verdict $? '... writes nothing over the screen'
echo 'leaf 100' >&3
echo 'end 7' >&3
await 'the program has ended'
shown leaf $((leaves + 100))
verdict $? '... has ended with all that it did'
tm send-keys -t t q
await 'this goes to the terminal'
verdict $? '... and its output comes behind'
await 'exit 7  ->  run.db'
grep -q 'status 7' status && [ "$(sqlite3 run.db "SELECT calls FROM procedure WHERE name = 'leaf'")" = $((leaves + 100)) ]
verdict $? '... its status, and the profile'
exec 3>&-
rm -f own told.fifo
mkfifo told.fifo
exec 3<> told.fifo
start -o left.db -- ./told told.fifo own
wait_until test -s own
tell leaf 600
shown leaf "$leaves"
tm send-keys -t t q
await 'leaving ends the program'
verdict $? 'leaving one that runs asks'
tm send-keys -t t q
wait_until test -s status
[ "$(sqlite3 left.db "SELECT calls FROM procedure WHERE name = 'leaf'")" = "$leaves" ]
verdict $? '... and then ends it, and saves'

# A terminal that goes away.
rm -f own
start -o gone.db -- ./told told.fifo own
wait_until test -s own
tell leaf 50
shown leaf "$leaves"
tm kill-server
no_program() { ! pgrep -fx './told told.fifo own' > pids.out; }
wait_until no_program
verdict $? 'a terminal that is closed: the program does not run on'
wait_until test -s gone.db
[ "$(sqlite3 gone.db "SELECT calls FROM procedure WHERE name = 'leaf'")" = "$leaves" ]
verdict $? '... and is saved'

begin
tell leaf 70
start -o lost.db "$pid"
shown leaf "$leaves"
tell leaf 30
tm kill-server
wait_until test -s lost.db
[ "$(sqlite3 lost.db "SELECT calls FROM procedure WHERE name = 'leaf'")" = "$leaves" ] && kill -0 "$pid"
verdict $? '... a process that ran before runs on, and what it did is saved'
kill -9 "$pid"

# Threads: the processor time of each lies between what the kernel says before the look and after it.
cat > threads.c <<'END_OF_C'
/* A thread that works, and one more when there is a line to be read. Tells their numbers. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static void turn(volatile unsigned *x)
{
	for (int i = 0; i < 100000; i++)
		*x = *x * 3 + 1;
}
static void *work(void *name)
{
	volatile unsigned x = 1;

	pthread_setname_np(pthread_self(), name);
	printf("%s %d\n", (char *)name, gettid());
	fflush(stdout);
	for (;;) {
		turn(&x);
		usleep(1000);
	}
	return NULL;
}
int main(void)
{
	pthread_t t;
	char line[9];

	pthread_create(&t, NULL, work, "busy");
	if (fgets(line, sizeof(line), stdin))
		pthread_create(&t, NULL, work, "later");
	return pthread_join(t, NULL);
}
END_OF_C
"$cgcc" -O2 -D_GNU_SOURCE -pthread -o threads threads.c || { echo 'not ok - threads.c compiles'; exit 1; }
mkfifo lines.fifo
exec 4<> lines.fifo
./threads < lines.fifo > tids & threads=$!
pids="$pids $threads"
wait_until grep -q busy tids
cpu_of() { cut -d' ' -f1 "/proc/$threads/task/$1/schedstat"; } # cpu_of TID, in ns
# shown_cpu NAME: of its row, in ms
shown_cpu() { tm capture-pane -p -t t | sed -n "s/.* $1  *\([0-9.]*\) \(ms\|s\) .*/\1 \2/p" | awk '{print $2 == "s" ? 1000 * $1 : $1}'; }
between() # between NAME TID
{
	local before
	before=$(cpu_of "$2")
	sleep 1.2 # three looks
	now=$(shown_cpu "$1")
	awk -v a="$before" -v n="$now" -v b="$(cpu_of "$2")" 'BEGIN {exit !(n != "" && a / 1e6 - 15 <= n && n <= 1.005 * b / 1e6)}'
}
start -o threads.db "$threads"
await '^ threads .* live, all so far'
tm send-keys -t t T
await ' busy '
between busy "$(sed -n 's/busy //p' tids)"
verdict $? 'threads have the processor time that the kernel tells'
echo >&4
await ' later '
verdict $? '... and one that comes is there'
between later "$(sed -n 's/later //p' tids)" && between busy "$(sed -n 's/busy //p' tids)"
verdict $? '... with its own'
screen_has ' 3 threads'
verdict $? '... and is counted'
tm send-keys -t t r
await 'wall 1.000 s'
verdict $? '... in a second, too'
tm send-keys -t t Q
wait_until test -s status
kill "$threads"
exec 4>&-

# Memory: 400 blocks, of which 150 are given back; then 250 more when it is told.
cat > heap.c <<'END_OF_C'
#include <stdlib.h>
#include <unistd.h>
static char *volatile blocks[650];
__attribute__((noinline)) static void grab(int i) { blocks[i] = malloc(100); *blocks[i] = 1; }
int main(void)
{
	char word;
	for (int i = 0; i < 400; i++)
		grab(i);
	for (int i = 0; i < 150; i++)
		free(blocks[i]);
	if (read(3, &word, 1) == 1)
		for (int i = 400; i < 650; i++)
			grab(i);
	return pause();
}
END_OF_C
"$cgcc" -O1 -o heap heap.c || { echo 'not ok - heap.c compiles'; exit 1; }
rm -f heap.fifo
mkfifo heap.fifo
exec 4<> heap.fifo
cat > begin <<'END_OF_SH'
#!/bin/sh
exec ./heap 3< heap.fifo
END_OF_SH
chmod +x begin
start --space -o heap.db -- ./begin
tm resize-window -t t -x 160 -y 44
await ' 25.0 kB  *\(100\)* *40.0 kB  *400  *400 .* grab '
verdict $? 'memory: what is allocated and live, by procedure'
tm send-keys -t t 0
await 'live, of [0-9]* s'
echo >&4
await ' 50.0 kB  *\(100\)* *25.0 kB  *250  *250 .* grab '
verdict $? '... from here on; live is what is live now'
tm send-keys -t t -l qq
wait_until test -s status
exec 4>&-

# A large program: the summary is there first; the source and the callers of what is typed at once follow. 700 procedures
# are called three times each, with 1, 2 and 3; the loop in each of them goes round as often as that tells.
for ((i = 0; i < 700; i++)); do
	printf 'int f%d(int x)\n{\n\tint s = 0;\n\tfor (int i = 0; i < x; i++)\n\t\ts += i & 1 ? x : -x;\n' "$i"
	printf '\tif (x & 8)\n\t\ts ^= x;\n\telse\n\t\ts += 3;\n\treturn x & 16 && s > 7 ? s : s - 1;\n}\n'
done > many.c
{
	echo '#include <unistd.h>'
	for ((i = 0; i < 700; i++)); do printf 'int f%d(int);\n' "$i"; done
	echo 'int main(void)'
	echo '{ volatile int s = 0; for (int x = 1; x <= 3; x++) {'
	for ((i = 0; i < 700; i++)); do printf 's += f%d(x);\n' "$i"; done
	echo '} return pause(); }'
} > large.c
"$cgcc" -O1 -o large many.c large.c || { echo 'not ok - large.c compiles'; exit 1; }
./large & large=$!
pids="$pids $large"
sleep 0.5
start -o large.db "$large"
await '  3 .* f[0-9]* .*many.c:'
tm send-keys -t t C-t
tm send-keys -t t -l f123
tm send-keys -t t Enter
await ' 6 │ *1358 .*s += i' && screen_has ' 3 │ *1362 .*s += 3;'
verdict $? 'a large program: the lines of a procedure that is asked for at once'
await '^─ callers of f123 ─* 3 calls' && screen_has ' 3 .* main '
verdict $? '... and its callers'
tm send-keys -t t Q
wait_until test -s status
verdict "$(sqlite3 large.db 'SELECT count(*) < 8000 FROM range')" '... which has so many ranges that it is opened in two steps'
kill "$large"

# With --lines, and where the output is no terminal, looks are printed.
start --lines -o lines.db -- ./told told.fifo own
await 'calls  procedure'
verdict $? '--lines prints looks'
tm send-keys -t t C-c
