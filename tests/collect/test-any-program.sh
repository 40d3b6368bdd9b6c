#!/bin/bash
# Programs that were not built with cgcc: record samples them, with their threads, children and libraries, static and
# stripped ones. hot() has three times the rounds of cold(); how long they take is the machine's affair.
set -u
. tests/db/lib.sh
need sqlite3
cd "$TMP_DIR" || exit 1

csv()
{
	"$cgview" report --format csv "$@" | tr -d '\r'
}

# share DB PROCEDURE: its part of all samples, with what is inlined in it, in %
share()
{
	csv --sql "SELECT CAST(100.0 * total_samples / (SELECT self_samples FROM totals) + 0.5 AS INTEGER) AS s FROM procedure
		WHERE name = '$2'" "$1" | tail -1
}

# between NAME LOW HIGH VALUE
between()
{
	echo "# $1: $4"
	check "$1" test "${4:-none}" -ge "$2" -a "${4:-none}" -le "$3"
}

# 3 parts of the rounds in hot(), 1 in cold(), in the main thread, in a thread, and in a child.
cat > p.c <<'EOF2'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static long rounds = 30000000;
__attribute__((noinline)) long spin(long n)
{
	volatile long x = 0;

	for (long i = 0; i < n; i++)
		x += i;
	return x;
}
__attribute__((noinline)) long hot(void) { return spin(3 * rounds) + 1; }
__attribute__((noinline)) long cold(void) { return spin(rounds) + 1; }
static void *work(void *a)
{
	hot();
	cold();
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	if (argc > 1 && !fork()) {
		work(0);
		return 0;
	}
	if (argc > 1)
		pthread_create(&t, 0, work, 0);
	work(0);
	if (argc > 1)
		pthread_join(t, 0);
	wait(0);
	return 0;
}
EOF2
gcc -O1 -fomit-frame-pointer -g -pthread -o p p.c && gcc -O1 -g -static -pthread -o static p.c &&
	gcc -O1 -pthread -s -o stripped p.c || exit 1

# Where the kernel's events are forbidden, the runtime is preloaded: its timers sample. Static programs cannot have it.
cat > deny.c <<'EOF2'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog f = { 4, code };

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f))
		return 99;
	execvp(argv[1], argv + 1);
	return 98;
}
EOF2
gcc -o deny deny.c || exit 1
if [ -e "$build/lib/cgview/libcgview_sample.so" ] && ./deny true; then
	./deny "$cgview" record -o timers.db -- ./p all > out 2>&1
	check "forbidden: the status is the program's" test $? -eq 0
	check "... a line says that timers took the place" grep -q 'by a timer in each process' out
	check "... nothing is counted" test "$(csv --columns calls,measured timers.db | tail -n +2 | sort -u)" = ,sampled
	between "... hot() takes most" 50 95 "$(share timers.db hot)"
	between "... all is below work()" 90 100 "$(share timers.db work)"
	check "... in three threads of two processes" test "$(csv --sql "SELECT count(*) || ' ' || count(DISTINCT pid) AS s FROM thread
		WHERE samples > 3" timers.db | tail -1 | tr -d '"')" = '3 2'
	./deny "$cgview" record -o none.db -- ./static > out 2>&1
	check "... static: one line, which says what forbids it" test $? -eq 1 -a "$(wc -l < out)" -eq 1
	check "... that says so" grep -q 'may not sample it: .*perf_event' out
	./deny "$cgview" record -p $$ -o none.db > out 2>&1
	check "... -p: one line" test $? -eq 1 -a "$(wc -l < out)" -eq 1
	if [ -x "$build/cgcc" ]; then
		"$build/cgcc" -O1 -o counted p.c -pthread
		printf '#!/bin/sh\n./p\n./counted\n' > script.sh
		chmod +x script.sh
		./deny "$cgview" record -o mixed.db -- ./script.sh > out 2>&1
		check "... one of a script's programs counts: that profile has counts" \
			test "$(csv --sql "SELECT calls FROM procedure WHERE name = 'hot'" mixed.db | tail -1)" -eq 1
	fi
	check "... nothing is left behind" test -z "$(ls -d ./*.raw-* 2> /dev/null)"
else
	echo "skip - no filter of system calls, or no library to preload"
fi

"$cgview" record -o p.db -- ./p all > out 2>&1
status=$?
if grep -q 'a timer in each process\|may not sample it\|cannot sample it' out; then
	skip_all "the kernel's events are not permitted: $(tail -1 out)"
fi
check "the exit status is the program's" test $status -eq 0
check "a line says that nothing was counted" grep -q 'was not built with cgcc: nothing is counted; it has times and stacks' out
check "... and the usual one what there is" grep -qE 'p: .* cpu, .* samples by cpu-clock.*exit 0' out
between "hot() takes most" 50 95 "$(share p.db hot)"
between "cold() takes a part" 5 50 "$(share p.db cold)"
between "all is below work()" 97 100 "$(share p.db work)"
check "three threads of two processes" test "$(csv --sql "SELECT count(*) || ' ' || count(DISTINCT pid) AS s FROM thread
	WHERE samples > 9" p.db | tail -1 | tr -d '"')" = '3 2'
check "spin() is called on its line of hot()" test "$(csv --sql "SELECT count(*) AS n FROM arc a
	JOIN procedure c ON c.id = a.caller JOIN procedure e ON e.id = a.callee JOIN call_site s ON s.id = a.site
	WHERE c.name = 'hot' AND e.name = 'spin' AND s.line = 13" p.db | tail -1)" -ge 1
check "no count anywhere" test "$(csv --columns calls,measured p.db | tail -n +2 | sort -u)" = ,sampled
"$cgview" report --by never p.db > never 2>&1
check "nothing is told to be never executed" grep -qE '(^| )0 ' never
check "no directory is left" test -z "$(ls -d ./*.raw-* 2> /dev/null)"

"$cgview" record -o static.db -- ./static > out 2>&1
between "static: hot()" 50 95 "$(share static.db hot)"
"$cgview" record -o stripped.db -- ./stripped > out 2>&1
at=$(nm p | awk '/ T hot$/ { print $1 }')
check "stripped: procedures are where they begin" test "$(csv --columns procedure stripped.db | grep -c '^0x[0-9a-f]* (stripped)')" -ge 3
echo "# hot() of p is at $at"

# Frames that only debug information tells of, packed, beside a C library that has its own: as Go's programs have them.
for how in -gz=none -gz=zlib -gz=zstd; do
	gcc -O2 $how -g -static -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-exceptions -o packed p.c -pthread \
		2> gcc.out || { echo "skip - $how: gcc does not know it"; continue; }
	"$cgview" record -o packed.db -- ./packed > out 2>&1
	between "$how: main() calls all" 97 100 "$(share packed.db main)"
	check "... no stack is cut" test "$(grep -c 'callers could not be found' out)" -eq 0
done

# Two calls on one line, the second with three times the rounds: each is a place of its own, where its name stands.
cat > line.c <<'EOF2'
static volatile long x;
__attribute__((noinline)) long f(long n) { long s = 0; while (n--) s += x; return s; }
int main(void)
{
	for (int i = 0; i < 100; i++)
		x = f(1000000) * 3 + f(3000000);
	return 0;
}
EOF2
gcc -O1 -g -o line line.c
"$cgview" record -o line.db -- ./line > out 2>&1
of_call()
{
	csv --sql "SELECT CAST(100.0 * sum(a.total_ns) / (SELECT self_ns FROM totals) AS INTEGER) AS n FROM arc a
		JOIN call_site s ON s.id = a.site JOIN procedure c ON c.id = a.caller JOIN procedure e ON e.id = a.callee
		WHERE c.name = 'main' AND e.name = 'f' AND s.line = 6 AND s.column = $1 AND s.end_column = $1" line.db | tail -1
}
between "the first call of a line" 15 35 "$(of_call 7)"
between "... the second" 65 85 "$(of_call 24)"

# Scripts, and what they start: names of threads are those of the programs.
printf '#!/bin/sh\n./p\n./stripped\n' > script.sh
chmod +x script.sh
"$cgview" record -o script.db -- ./script.sh > out 2>&1
between "a script: hot() of one of two programs" 10 90 "$(share script.db hot)"
# Several runs make one profile.
"$cgview" record -n 2 -o two.db -- ./p > out 2>&1
check "two runs" test "$(csv --sql 'SELECT count(*) AS n FROM run' two.db | tail -1)" -eq 2
between "... of the same" 50 95 "$(share two.db hot)"
# Too little to be sampled; a program that is not there; one that fails.
"$cgview" record -F 10 -o none.db -- true > out 2>&1
status=$?
check "too short: one line" test $status -eq 1 -a "$(wc -l < out)" -eq 1
check "... that says so" grep -q 'too little CPU time for a sample' out
"$cgview" record -o none.db -- ./nowhere > out 2>&1
check "no program: status 127" test $? -eq 127
"$cgview" record -o fails.db -- sh -c './p; exit 7' > out 2>&1
check "a failure's status is handed on" test $? -eq 7
check "nothing is left behind" test -z "$(ls -d ./*.raw-* 2> /dev/null)"
if [ -x "$build/cgcc" ]; then
	"$build/cgcc" -O1 -o counted p.c -pthread
	printf '#!/bin/sh\n./p\n./counted\n' > script.sh
	"$cgview" record -o mixed.db -- ./script.sh > out 2>&1
	check "one of a script's programs counts: that profile has counts" \
		test "$(csv --sql "SELECT calls FROM procedure WHERE name = 'hot'" mixed.db | tail -1)" -eq 1
fi

# A process that runs already: its threads, and what they start, until the time is over, an interrupt comes, or it ends.
cat > loop.c <<'EOF2'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile double x;
__attribute__((noinline)) void leaf(void)
{
	for (int i = 0; i < 3000000; i++)
		x = x * 1.000001 + 1;
}
static void *work(void *a)
{
	for (;;)
		leaf();
	return a;
}
int main(void)
{
	pthread_t t;

	alarm(300);
	pthread_create(&t, 0, work, 0);
	for (;;) {
		leaf();
		if (!fork()) {
			leaf();
			_exit(0);
		}
		wait(0);
	}
}
EOF2
gcc -O1 -g -pthread -o loop loop.c || exit 1
./loop &
loop=$!
until [ "$(readlink /proc/$loop/exe)" = "$(realpath loop)" ]; do # it is this shell's copy at first
	sleep 0.01
done
"$cgview" record -p $loop --seconds 2 -o for.db > out 2>&1
check "-p for some seconds" test $? -eq 0
between "... all is in leaf()" 80 100 "$(share for.db leaf)"
check "... in both threads and a child" test "$(csv --sql "SELECT min(count(DISTINCT pid), 2) || ' ' || min(count(*), 3) AS n
	FROM thread" for.db | tail -1 | tr -d '"')" = '2 3'
check "... of this command, that has not ended" test "$(csv --sql "SELECT command || ' ' || coalesce(exit_status, -1) AS c FROM run" \
	for.db | tail -1 | tr -d '"')" = './loop -1'
"$cgview" record -p $loop -o interrupted.db > out 2>&1 &
recorder=$!
sleep 1.5
kill -INT $recorder
wait $recorder
check "-p until an interrupt" test $? -eq 0 -a -s interrupted.db
"$cgview" record -p $loop -o ended.db > out 2>&1 &
recorder=$!
sleep 1.5
kill $loop
wait $recorder
check "-p until it ends" test $? -eq 0 -a -s ended.db
wait $loop 2> /dev/null
"$cgview" record -p $loop -o none.db > out 2>&1
check "a process that has ended: one line" test $? -eq 1 -a "$(cat out)" = "cgview: record -p $loop: there is no such process"
"$cgview" record -p $$ -n 2 -o none.db > out 2>&1
check "what is for programs that record starts is refused" test $? -eq 2
check "nothing is left behind by that" test -z "$(ls -d ./*.raw-* 2> /dev/null)"

# A recorder that is killed: what it has written so far is told of, and can be imported.
"$cgview" record -o killed.db -- ./loop > out 2>&1 &
recorder=$!
for i in $(seq 100); do
	sleep 0.1
	[ "$(cat killed.db.raw-*/*.perf 2> /dev/null | wc -c)" -lt 8000 ] || break
done
loop=$(pgrep -P $recorder)
kill -9 $recorder
wait $recorder 2> /dev/null
kill $loop
"$cgview" killed.db > out 2>&1
check "a recorder that was killed: what it has left is told" grep -qF "cgview import -a -o killed.db killed.db.raw-" out
"$cgview" import -a -o killed.db killed.db.raw-*/*.perf > out 2>&1
between "... and has its samples" 80 100 "$(share killed.db leaf)"
