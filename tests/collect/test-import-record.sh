#!/bin/bash
# record and import as commands: exit status, signals, what is kept, what is left behind.
set -u
. tests/e2e/lib.sh
cd "$TMP_DIR" || exit
verdict() # verdict NAME STATUS
{
	if [ "$2" = 0 ]; then echo "ok - $1"; else echo "not ok - $1"; fi
}
same() # same NAME EXPECTED GOT
{
	if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "# expected $2, got $3"; echo "not ok - $1"; fi
}
calls() # calls DB PROCEDURE
{
	"$cgview" report --by procedure --format csv "$1" | awk -F, -v p="$2" '$1 == p { print $4 }'
}

# What needs no profiled program.
"$cgview" record -o x.db -- ./does-not-exist 2> err
same "no such program: 127, as in a shell" 127 $?
"$cgview" record -o x.db -- /etc/passwd 2> err
same "no program: 126, as in a shell" 126 $?
"$cgview" record -o nowhere/x.db -- touch ran 2> err
same "an output that cannot be written" 1 $?
verdict "... is told before the program runs" "$([ ! -e ran ]; echo $?)"
echo "precious" > notes.txt
"$cgview" record -o notes.txt -- true 2> err
verdict "a file that is no profile is not replaced" "$(grep -q 'no profile' err && grep -q precious notes.txt; echo $?)"
# Each millisecond a slow machine would sample it.
"$cgview" record -F 1 -o x.db -- sh -c 'exit 3' 2> err
same "nothing profiled: the status of the program" 3 $?
"$cgview" record -F 1 -o x.db -- sh -c 'exit 0' 2> err
same "... 1 where that is 0" 1 $?
verdict "... and how to do it" "$(grep -q cgcc err; echo $?)"
"$cgview" record 2> err
same "no program given: 2" 2 $?
"$cgview" record -F fast -- true 2> err
same "a rate that is no number: 2" 2 $?
same "failures leave nothing behind" "err notes.txt" "$(echo *)"

[ -x "$cgcc" ] && ls "$build"/lib/cgview/cgview*.so > /dev/null 2>&1 || {
	echo "skip - record: cgcc and its plugin were not built"
	exit 0
}
cat > prog.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static void step(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 1000; i++)
		step();
	if (argc < 2)
		return 0;
	if (!strcmp(argv[1], "exit"))
		return atoi(argv[2]);
	if (!strcmp(argv[1], "raise"))
		raise(atoi(argv[2]));
	if (!strcmp(argv[1], "cat"))
		for (int c; (c = getchar()) != EOF;)
			putchar(c);
	if (!strcmp(argv[1], "exec"))
		execv(argv[0], (char *[]){ argv[0], NULL });
	if (!strcmp(argv[1], "daemon") && !daemon(1, 1))
		for (int i = 0; i < 200; i++) {
			while (i == 100 && access("go", F_OK))
				usleep(5000);
			step();
		}
	if (!strcmp(argv[1], "fork")) {
		for (int i = 0; i < 3; i++)
			if (!fork()) {
				step();
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
	}
	if (!strcmp(argv[1], "wait")) {
		puts("ready");
		fflush(stdout);
		pause();
	}
	return 0;
}
END
"$cgcc" -O2 prog.c -o prog 2> err || { cat err; echo "not ok - compile"; exit 1; }

for status in 0 1 7 255; do
	"$cgview" record -o a.db -- ./prog exit $status 2> err
	same "exit status $status is the program's" $status $?
done
# Where lines are counted no sample is taken, of which there might be something to tell.
for signal in 2 6 9 15; do
	env --default-signal=INT "$cgview" record -F 0 -o a.db -- ./prog raise $signal 2> err
	same "signal $signal: status as in a shell" $((128 + signal)) $?
	same "... and the counts are there" 1000 "$(calls a.db step)"
done
same "one line about it" 1 "$(wc -l < err)"
echo "text through it" | "$cgview" record -o a.db -- ./prog cat > out 2> err
same "stdin and stdout belong to the program" "text through it" "$(cat out)"
"$cgview" record -o a.db -- ./prog exec 2> err
same "exec: both programs are in the profile" 2000 "$(calls a.db step)"
"$cgview" record -o a.db -- ./prog fork 2> err
same "fork: all processes are in the profile" 1003 "$(calls a.db step)"
"$cgview" record -o a.db -- sh -c './prog & ./prog; wait' 2> err
same "several programs are in the profile" 2000 "$(calls a.db step)"
# In the middle of its work the background waits for the file "go".
rm err
"$cgview" record -F 0 -o a.db -- ./prog daemon 2> err &
wait_for 'still runs' err
touch go
wait $!
same "daemon: its status is that of the start" 0 $?
same "... what it did in the background is counted" 1200 "$(calls a.db step)"
same "... it is told once that it is waited for" 1 "$(grep -c '^cgview: 1 process of ./prog still runs in the background' err)"
same "... there is nothing else to tell" 2 "$(wc -l < err)"
[ "$(wc -l < err)" = 2 ] || sed 's/^/# /' err
rm err go
"$cgview" record -o a.db -- ./prog daemon 2> err &
recorder=$!
wait_for 'still runs' err
kill -TERM $recorder
wait $recorder
few=$(calls a.db step)
verdict "daemon, interrupted: what there is is imported" "$([ "$few" -ge 1000 ] && [ "$few" -le 1100 ]; echo $?)"
touch go
command=$(sed -n 's/.*has ended with: cgview //p' err)
all_again() { eval "$cgview $command" 2> /dev/null; [ "$(calls a.db step)" = 1200 ]; }
wait_until all_again
same "... and can be imported again" 1200 "$(calls a.db step)"
rm -rf a.db.raw-* go err
# Added to a profile: that has the recording as far as it got, and what is told makes all of it.
"$cgview" record -o "a b.db" -- ./prog 2> err
"$cgview" record -a -o "a b.db" -- ./prog daemon 2> err &
recorder=$!
wait_for 'still runs' err
kill -TERM $recorder
wait $recorder
few=$(calls "a b.db" step)
verdict "daemon, interrupted, added: what there is is added" \
	"$([ "$few" -ge 2000 ] && [ "$few" -le 2100 ]; echo $?)"
touch go
command=$(sed -n 's/.*has ended with: cgview //p' err)
whole=$(eval "set -- $command"; echo "$3")
alone() { eval "$cgview $command" 2> /dev/null; [ "$(calls "$whole" step)" = 1200 ]; }
wait_until alone
same "... and is a profile of its own when it has ended" 1200 "$(calls "$whole" step)"
same "... the one that it was added to keeps its runs" "$few" "$(calls "a b.db" step)"
rm -rf "a b.db"*
"$cgview" record -F 0 -o a.db -- sh -c './prog; sleep 3 & exit 0' 2> err
same "what runs on without counting is not waited for" 1 "$(wc -l < err)"
PATH=$PATH:$TMP_DIR "$cgview" record -o a.db -- prog 2> err
same "a program is found as in a shell" 1000 "$(calls a.db step)"

# The old profile is kept.
rm -f ./*.db ./*.old
"$cgview" record -- ./prog 2> err
"$cgview" record -- ./prog exec 2> err
same "prof.db is the default" 2000 "$(calls prof.db step)"
same "the one before is prof.db.old" 1000 "$(calls prof.db.old step)"
"$cgview" record -- ./does-not-exist 2> err
same "a failure leaves both alone" "2000 1000" "$(calls prof.db step) $(calls prof.db.old step)"

# Several runs in one profile: every count is the sum. Another build is refused.
rm -f ./*.db
# Without samples, of which a row of libc's, or the expression that a block is named by, may come.
"$cgview" record -F 0 -a -o sum.db -- ./prog fork 2> err
"$cgview" record -F 0 -o one.db -- ./prog fork 2> err
"$cgview" record -F 0 -a -o sum.db -- ./prog fork 2> err
for what in procedure block site line; do
	for db in one sum; do
		"$cgview" report --by $what --format csv $db.db | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    n = int(row.pop("calls", None) or row.pop("count"))
    place = [v for k, v in row.items() if not any(w in k for w in ("_ns", "samples", "_work"))]
    print(*place, n * int(sys.argv[1]))' $([ $db = one ] && echo 2 || echo 1) | sort > $db.$what
	done
	verdict "-a: each $what has the sum of both runs" "$(cmp one.$what sum.$what > /dev/null &&
		[ "$(wc -l < sum.$what)" -ge 2 ]; echo $?)"
done
verdict "-a: two runs are listed" "$("$cgview" report sum.db | grep -q '2 runs'; echo $?)"
sed 's/1000/999/' prog.c > prog2.c
cp prog prog.first
"$cgcc" -O2 prog2.c -o prog
"$cgview" record -a -o sum.db -- ./prog 2> err
same "-a: another build is refused" 1 $?
verdict "... and said to be one" "$(grep -q 'another build' err; echo $?)"
same "... and the profile is as it was" 2006 "$(calls sum.db step)"
rm -rf ./*.raw-*
cp prog.first prog

# Counts without samples.
"$cgview" record -F 0 -o zero.db -- ./prog 2> err
verdict "-F 0: no samples" "$(grep -q ' 0 samples' err; echo $?)"

# Nothing says which procedure a sample is in: it is told, and no sample is lost.
cat > burn.c <<'END'
static volatile long sum;
__attribute__((noinline)) static void burn(long n) { while (n--) sum += n; }
int main(void) { burn(100000000); return 0; }
END
"$cgcc" -O2 -s burn.c -o burn
# burned LINES DB: recorded again if a sample was where there is something to tell.
burned()
{
	for _ in 1 2 3 4; do
		"$cgview" record -o "$2" -- ./burn 2> err
		[ "$(wc -l < err)" != "$1" ] || break
		sed 's/^/# /' err
	done
}
burned 2 stripped.db
verdict "stripped: told, with what to do" "$(grep -q '/burn is stripped: no time can be counted to procedures; link without -s and do not strip it$' err; echo $?)"
same "... in one line, beside the summary" 2 "$(wc -l < err)"
same "... all samples are uncharged ones" "1|1" "$(sqlite3 stripped.db "SELECT samples > 0, samples = unprofiled_samples +
	(SELECT coalesce(sum(self_samples), 0) FROM procedure WHERE name = '(cgview)') FROM run")"
same "... the counts are there" 1 "$(calls stripped.db burn)"
"$cgcc" -O2 -g burn.c -o burn && cp burn burn.debug
objcopy --add-gnu-debuglink=burn.debug burn && strip burn
burned 1 split.db
same "debug information in another file: nothing to tell" 1 "$(wc -l < err)"
verdict "... and time is charged" "$([ "$(sqlite3 split.db 'SELECT SUM(self_samples) FROM procedure')" -gt 0 ]; echo $?)"

# A source that is too large is no unreadable one.
mkdir texts
echo 'static inline int large(void) { return 1; }' > texts/large.h
sed 's/large/unread/' texts/large.h > texts/unread.h
printf '#include "large.h"\n#include "unread.h"\nint main(void) { return large() - unread(); }\n' > texts/text.c
"$cgcc" -O2 texts/text.c -o text
truncate -s 65M texts/large.h
rm texts/unread.h
mkdir texts/unread.h
"$cgview" record -o text.db -- ./text 2> err
same "a too large source: its state, and that of an unreadable one" "large unread" "$(echo $(
	sqlite3 text.db "SELECT substr(state, 1, 6) FROM file WHERE path LIKE '%.h' ORDER BY path"))"
same "... the note tells the limit" 1 "$(sqlite3 text.db "SELECT COUNT(*) FROM note WHERE text LIKE '%/large.h larger than 64 MB:%'")"
same "... and does not say so of the other" 1 "$(sqlite3 text.db "SELECT COUNT(*) FROM note WHERE text LIKE '%/unread.h could not be read:%'")"

# A signal to record reaches the program; the profile is made.
rm out
"$cgview" record -o term.db -- ./prog wait > out 2> err &
recorder=$!
wait_for ready out
kill -TERM $recorder
wait $recorder
same "SIGTERM is passed on" 143 $?
same "... and the counts are there" 1000 "$(calls term.db step)"

# Interrupted while it makes the profile: the raw data is kept, and what it prints does its work.
# The program is large enough for this to take its time. Signals that come too early are passed on.
{
	for i in $(seq 2500); do
		echo "int f$i(int n) { int s = 0; for (int i = 0; i < n; i++) if (i & $i) s += i;" \
			"else s -= f$i(i - 1) && n; return s; }"
	done
	cat prog.c
} > large.c
"$cgcc" -O0 -g0 large.c -o large
for attempt in $(seq 10); do
	rm -f late.db out
	"$cgview" record -o late.db -- ./large wait > out 2> err &
	recorder=$!
	wait_for ready out
	kill -KILL "$(pgrep -P $recorder -x large)" 2> /dev/null
	while kill -HUP $recorder 2> /dev/null; do :; done
	wait $recorder
	status=$?
	[ -e late.db ] || break
done
same "interrupted: status" 129 $status
command=$(sed -n 's/.*finish with: cgview //p' err)
eval "$cgview $command" 2> /dev/null
same "interrupted: the raw data can be imported" 1000 "$(calls late.db step)"
rm -rf late.db.raw-*

# Disk full: the program runs, the failure is one line, nothing half-made is left.
if mkdir small && mount -t tmpfs -o size=64k none small 2> /dev/null; then
	"$cgview" record -o small/x.db -- ./prog > out 2> err
	status=$?
	verdict "disk full: status 1" "$([ $status = 1 ]; echo $?)"
	verdict "disk full: no profile" "$([ ! -e small/x.db ] && ! ls small/*.tmp 2> /dev/null; echo $?)"
	sed 's/^/# /' err
	umount small
else
	echo "skip - disk full: cannot mount"
fi
same "nothing is left behind" "" "$(ls -d ./*.raw-* ./*.tmp 2> /dev/null)"
