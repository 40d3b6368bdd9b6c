#!/bin/bash
# cgview watch of programs that were not built with cgcc, by samples: shares and times are those that the program reads
# from its own clock, and what record -p finds of it; the profile that is left has the samples of the last look. Threads,
# children, programs that end and are killed, that begin to count, or use no time; who cannot be watched.
. tests/e2e/lib.sh
need_collection
need python3 sqlite3
cp "$here/sampled.py" "$here/watch.py" "$TMP_DIR"
cd "$TMP_DIR" || exit

cat > shares.c <<'END_OF_C'
/* shares MAP [THREADS [SECONDS]]: three() runs three times as long as one(), by the thread's clock. MAP has what both had
 * in each thread, 16 bytes for a thread. After SECONDS of its clock each thread waits; the last bytes tell how many. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t *own;
static double seconds = 1e9;
static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
/* Until the clock has gone on by NS. */
#define SPIN(ns)                                                     \
	uint64_t begin = now(), end = begin;                         \
	volatile unsigned x = 1;                                     \
	for (; end - begin < (ns); end = now())                      \
		for (int i = 0; i < 20000; i++)                      \
			x = x * 5 + 1;                               \
	*to += end - begin
__attribute__((noinline)) static void three(volatile uint64_t *to) { SPIN(9000000); }
__attribute__((noinline)) static void one(volatile uint64_t *to) { SPIN(3000000); }
static void *work(void *number)
{
	volatile uint64_t *my = own + 2 * (uintptr_t)number;

	while ((double)(my[0] + my[1]) < 1e9 * seconds) {
		three(my);
		one(my + 1);
	}
	__atomic_fetch_add(&own[511], 1, __ATOMIC_SEQ_CST);
	for (;;)
		pause();
	return NULL;
}
int main(int argc, char **argv)
{
	uintptr_t nr = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	pthread_t thread;

	seconds = argc > 3 ? atof(argv[3]) : seconds;
	if (ftruncate(fd, 4096))
		return 1;
	own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (uintptr_t i = 1; i < nr; i++)
		pthread_create(&thread, NULL, work, (void *)i);
	work(0);
}
END_OF_C
gcc -O2 -g -pthread -o shares shares.c || { not_ok "shares.c compiles"; exit 1; }
gcc -O2 -s -pthread -o stripped shares.c

start() # start MAP WORDS...: in the background; PID is its number
{
	local map=$1
	shift
	"$@" &
	pid=$!
	wait_until test -s "$map"
}
end() { kill -9 "$pid"; wait "$pid" 2> /dev/null; }

start probe.map ./shares probe.map
"$cgview" record -p "$pid" --seconds 1 -o probe.db > probe.out 2>&1
if grep -q 'may not sample it\|cannot sample it\|perf_event' probe.out; then
	end
	skip_all "the kernel's events are not permitted: $(tail -1 probe.out)"
fi
end

for threads in 1 3; do
	start own.map ./shares own.map $threads
	check "$threads threads: shares are those by the program's own clock" \
		python3 sampled.py shares "$cgview" "$pid" own.map $threads
	end
	rm -f own.map looks.db*
done

# What record -p finds meanwhile is the same.
start own.map ./shares own.map
"$cgview" record -p "$pid" --seconds 4 -F 100 -o beside.db > /dev/null 2>&1 &
timeout -s INT 4 "$cgview" watch --limit 100 -o seen.db "$pid" > seen.out 2> seen.err
wait $!
check "record -p of the same has the same shares" python3 sampled.py same seen.out beside.db
check "looks grow" python3 sampled.py grow seen.out
check "... and have no counts" grep -q 'no counts' seen.out
check "a profile is saved" test "$(sqlite3 seen.db 'SELECT command FROM run')" = "./shares own.map"
check "... and no more files" test -z "$(ls -d ./*.raw-* 2> /dev/null)"
"$cgview" watch --rate -d 1 --limit 100 -o rates.db "$pid" > rates.out 2> /dev/null &
watcher=$!
wait_until sh -c '[ $(grep -c watched rates.out) -ge 4 ]'
kill -INT $watcher
wait $watcher
check "rates are what a second brings" python3 sampled.py rates rates.out
mkdir prof.db # in the way of a profile that nobody wants
"$cgview" watch --once "$pid" > once.out 2> once.err
check "--once: a report" test "$?|$(cat once.err)" = "0|"
check "... by procedure" grep -q 'shares.c:' once.out
rmdir prof.db
check "... leaves nothing" test -z "$(ls -d prof.db* ./*.raw-* 2> /dev/null)"
"$cgview" watch --once --by line -o once.db "$pid" > once.out 2> once.err
check "... by line, and a profile" sh -c "grep -q 'shares.c:' once.out && test -s once.db"
end
rm -f own.map

# When all threads wait, the looks have come to the last sample: the profile has as many in each procedure.
for program in ./shares ./stripped; do
	start own.map $program own.map 2 2
	"$cgview" watch -d 0.2 --limit 1000 -o same.db "$pid" > same.out 2> same.err &
	watcher=$!
	wait_until python3 sampled.py waits own.map 2
	sleep 1
	kill -INT $watcher
	wait $watcher
	check "$program: the profile has what the last look had" python3 sampled.py all same.out same.db
	end
	rm -f own.map same.db*
done

# A program that is run, with a child; its end is saved, also when it is killed.
cat > ends.sh <<'END_OF_SH'
timeout -s KILL 2 ./shares child.map
exit 7
END_OF_SH
"$cgview" watch -d 0.3 -o ran.db -- sh ends.sh > ran.out 2> ran.err
check "a program that is run: its status" test $? = 7
check "... a child is looked at" grep -q '  three  *shares' ran.out
check "... its profile has the child" python3 sampled.py child ran.db child.map
"$cgview" watch -d 0.2 -o killed.db -- ./shares killed.map > killed.out 2> killed.err &
watcher=$!
wait_until grep -qs three killed.out
pkill -9 -P "$(pgrep -P $watcher)"
wait $watcher
check "one that is killed: 128 and the signal" test $? = 137
check "... its profile has what it did" python3 sampled.py child killed.db killed.map
start own.map ./shares own.map
"$cgview" watch -d 0.2 -o ended.db "$pid" > ended.out 2> ended.err &
watcher=$!
wait_until grep -qs three ended.out
end
wait $watcher
check "one that runs already is killed: no failure" test $? = 0
check "... its profile is saved" test "$(sqlite3 ended.db "SELECT count(*) FROM procedure WHERE name = 'three'")" = 1
rm -f own.map
"$cgview" watch --once -d 0.5 -o once.db -- timeout -s KILL 2 ./shares own.map > once.out 2> once.err
check "--once of a program that is run: a report meanwhile, and the profile at its end" \
	sh -c "grep -q 'shares.c:' once.out && grep -q 'once.db' once.err && test -s once.db"
rm -f own.map

# What counts is looked at by its counts, from then on.
must "counted.c compiles" "$cgcc" -O2 -pthread -o counted shares.c
cat > both.sh <<'END_OF_SH'
timeout -s KILL 1.5 ./shares first.map
timeout -s KILL 2 ./counted second.map
END_OF_SH
"$cgview" watch -d 0.3 -o both.db -- sh both.sh > both.out 2> both.err
check "a child that counts: samples first, then calls" python3 sampled.py changes both.out

# Who cannot be watched, in one line each; nothing is left.
refused() # refused NAME TEXT WORDS...
{
	local name=$1 text=$2 status
	shift 2
	"$@" > refused.out 2> refused.err
	status=$?
	if [ $status != 0 ] && [ "$(wc -l < refused.err)" = 1 ] && grep -q "$text" refused.err && [ ! -s refused.out ] &&
			[ -z "$(ls -d refused.db* 2> /dev/null)" ]; then
		ok "$name"
	else
		cat refused.err refused.out
		not_ok "$name"
	fi
}
sleep 100 &
pid=$!
refused "one that uses no time" "used no CPU time" "$cgview" watch --once -d 0.3 "$pid"
end
start own.map ./shares own.map
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null && chmod 777 . &&
		setpriv --reuid 65534 --regid 65534 --clear-groups "$cgview" version > /dev/null 2>&1; then
	refused "another user's" "watch $pid: it is another user's: its owner may watch it, and root" \
		setpriv --reuid 65534 --regid 65534 --clear-groups "$cgview" watch -o refused.db "$pid"
fi
cat > deny.c <<'END_OF_C'
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
END_OF_C
if gcc -o deny deny.c && ./deny true; then
	refused "the kernel does not permit it" "watch $pid: this user may not sample it: .*perf_event_paranoid" \
		./deny "$cgview" watch -o refused.db "$pid"
	./deny "$cgview" watch -o denied.db -- sh -c 'exit 3' > refused.out 2> refused.err
	check "... of a program that is run: it is said" grep -q 'watch: sh was not built with cgcc, and this user may not' refused.err
fi
end
exit 0
