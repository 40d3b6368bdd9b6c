#!/bin/bash
# cgview watch: what a look shows lies between what the program has counted itself before and after it. Programs that
# fork, execute others, load libraries, end and are killed; who cannot be watched; a second watcher; what it costs them.
. tests/e2e/lib.sh
need_collection
need python3 sqlite3
cp "$here/watch.py" "$TMP_DIR"
cd "$TMP_DIR" || exit

cat > own.c <<'END_OF_C'
/* Counts calls in a mapped file of its own. own MAP THREADS [EXECUTED | LIBRARY] */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Each thread has eight: calls of hot, rare, never; [0] of the last eight: all are to end. */
static volatile uint64_t *own;

__attribute__((noinline)) static void hot(volatile uint64_t *my, unsigned *x)
{
	my[0]++;
	*x = *x * 1103515245 + 12345;
}
__attribute__((noinline)) static void rare(volatile uint64_t *my) { my[1]++; }
__attribute__((noinline)) static void never(volatile uint64_t *my) { my[2]++; }

static void *work(void *number)
{
	volatile uint64_t *my = own + 8 * (uintptr_t)number;
	unsigned x = 1;

	for (uint64_t i = 0; !own[504]; i++) {
		hot(my, &x);
		if (i % 1000 == 0)
			rare(my);
		else if (i % 20001 == 0) /* leave others some time */
			usleep(1000);
		else if (i > UINT64_MAX / 2)
			never(my);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	uintptr_t nr = strtoul(argv[2], NULL, 10);
	pthread_t threads[64];
	int fd = open(argv[1], O_RDWR | O_CREAT, 0600);

	if (ftruncate(fd, 4096))
		return 1;
	own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (argc > 3 && strstr(argv[3], ".so")) {
		void (*loaded)(volatile uint64_t *) = dlsym(dlopen(argv[3], RTLD_NOW), "loaded");
		loaded(own + 488);
	} else if (argc > 3 && !fork()) {
		if (!strcmp(argv[3], "fork"))
			work((void *)nr);
		else
			execl(argv[3], argv[3], "other.map", "1", NULL);
		_exit(3);
	}
	for (uintptr_t i = 1; i < nr; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work(0);
	for (uintptr_t i = 1; i < nr; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END_OF_C
cat > library.c <<'END_OF_C'
__attribute__((noinline)) void loaded(volatile unsigned long *my) { for (int i = 0; i < 7; i++) my[0]++; }
END_OF_C
must "own.c compiles" "$cgcc" -O2 -pthread -o own own.c
must "library.c compiles" "$cgcc" -O2 -shared -fPIC -o library.so library.c
cp own another
gcc -O2 -pthread -o plain own.c

# start NAME [PROGRAM] WORDS...: in the background; PID is its number
start()
{
	local name=$1
	shift
	"$@" &
	pid=$!
	wait_until python3 watch.py running "$name.map"
}
stop() { python3 watch.py end "$1.map"; wait "$pid"; }

for threads in 1 3; do
	start own ./own own.map $threads
	check "$threads threads: a look lies between the program's own counters" \
		python3 watch.py between "$cgview" "$pid" own.map 4
	check "$threads threads: so does one with --once" python3 watch.py once "$cgview" "$pid" own.map
	check "$threads threads: rates are those of the program's own counters" \
		python3 watch.py rates "$cgview" "$pid" own.map
	stop own
	rm -f own.map prof.db*
done

# A second watcher, and the profile that is left. timeout sends its signal twice.
start own ./own own.map 2
timeout -s INT 3 "$cgview" watch -o first.db "$pid" > first.out 2>&1 &
timeout -s INT 3 "$cgview" watch -o second.db "$pid" > second.out 2>&1
wait $!
check "two watchers see the same program" python3 watch.py seen first.out second.out
python3 watch.py count own.map > before
"$cgview" watch --once -o kept.db "$pid" > /dev/null 2> err
python3 watch.py count own.map > after
mkdir prof.db # in the way of a profile that nobody wants
"$cgview" watch --once --limit 1 "$pid" > one.out 2>&1
rmdir prof.db
check "--once --limit: so many rows" test "$(grep -cE '^ +[0-9.]+ +[0-9].*own\.c:' one.out)" = 1
check "... of all" grep -q '([0-9]* more)' one.out
check "what was seen is saved" python3 watch.py within before after "$(count_of kept.db hot)" 2
check "... with the command" test "$(sqlite3 kept.db 'SELECT command FROM run')" = "./own own.map 2"
check "... and no more files" test -z "$(ls -d ./*.raw-* 2> /dev/null)"
check "it is a profile like others" test "$(sqlite3 kept.db 'SELECT count(*), wall_ns > 0 FROM run')" = "1|1"
stop own

# Children that fork, and that execute another program; a library that is loaded.
rm -f own.map
start own ./own own.map 1 fork
check "a child of fork counts with its parent" python3 watch.py between "$cgview" "$pid" own.map 3
stop own
rm -f own.map
start own ./own own.map 1 ./another
wait_until python3 watch.py running other.map
check "a program that is executed is watched, too" python3 watch.py between "$cgview" "$pid" own.map 3 other.map
python3 watch.py end other.map
stop own
rm -f own.map other.map
start own ./own own.map 1 ./library.so
check "a library that was loaded" python3 watch.py says "$cgview" "$pid" '^ *[-0-9.]* +1  loaded +library.c:1$'
stop own
rm -f own.map

# A program that is run.
"$cgview" watch -d 0.3 -o ran.db -- ./own own.map 2 fork > ran.out 2> ran.err &
watcher=$!
wait_until grep -qs hot ran.out
wait_until sh -c '[ $(grep -c watched ran.out) -ge 3 ]'
python3 watch.py end own.map
wait $watcher
check "a program that is run: its status" test $? = 0
check "... looks that grow" python3 watch.py seen ran.out
check "... and its profile has all" test "$(count_of ran.db hot)" = "$(python3 watch.py count own.map)"
rm -f own.map
"$cgview" watch -d 0.2 -o killed.db -- ./own own.map 1 > killed.out 2> killed.err &
watcher=$!
wait_until grep -qs hot killed.out
pkill -9 -P "$(pgrep -P $watcher)"
wait $watcher
check "one that is killed: 128 and the signal" test $? = 137
check "... its profile has what it did" python3 watch.py near "$(count_of killed.db hot)" "$(python3 watch.py count own.map)" 1
rm -f own.map
start own ./own own.map 1
"$cgview" watch -d 0.2 -o ended.db "$pid" > ended.out 2> ended.err &
watcher=$!
wait_until grep -qs hot ended.out
kill -9 "$pid"
wait $watcher
check "one that runs already is killed: no failure" test $? = 0
check "... its profile has what it did" python3 watch.py near "$(count_of ended.db hot)" "$(python3 watch.py count own.map)" 1
rm -f own.map
"$cgview" watch --once -d 0.5 --by line -o once.db -- ./own own.map 1 > once.out 2> once.err &
watcher=$!
wait_until grep -qs 'own.c:' once.out
python3 watch.py end own.map
wait $watcher
check "--once: a report while it runs, the profile at its end" \
	test "$(count_of once.db hot)" = "$(python3 watch.py count own.map)"
rm -f own.map

# A loop that keeps counts in registers says so.
cat > loop.c <<'END_OF_C'
#include <fcntl.h>
static volatile int begun;
static inline unsigned step(unsigned x, const unsigned char *p) { return x + *p; }
int main(void)
{
	static unsigned char bytes[1 << 16];
	unsigned x = 0;
	begun = creat("loop.map", 0600) >= 0;
	for (unsigned long n = 0; n < 1ul << 40; n++)
		x = step(x, bytes + (n & 0xffff));
	return x == 77;
}
END_OF_C
must "loop.c compiles" "$cgcc" -O2 --cgview-flags=sums=all -o loop loop.c
./loop &
pid=$!
wait_until test -e loop.map
check "counts in registers have a mark" env LC_ALL=C.UTF-8 python3 watch.py says "$cgview" "$pid" '^ *[-0-9.]* +≥0  step '
kill -9 $pid
wait $pid 2> /dev/null

# Who cannot be watched, in one line each; nothing is left.
refused() # refused NAME TEXT WORDS...
{
	local name=$1 text=$2 status
	shift 2
	"$cgview" watch -o refused.db "$@" > refused.out 2> refused.err
	status=$?
	if [ $status != 0 ] && [ "$(wc -l < refused.err)" = 1 ] && grep -q "$text" refused.err && [ ! -s refused.out ] &&
			[ -z "$(ls -d refused.db* 2> /dev/null)" ]; then
		ok "$name"
	else
		cat refused.err refused.out
		not_ok "$name"
	fi
}
sh -c 'exit 0' &
gone=$!
wait $gone
refused "one that is not there" "there is no such process" "$gone"
python3 -c 'import os, time; os.fork() or os._exit(0); time.sleep(100)' &
parent=$!
wait_until sh -c "ps -o stat= --ppid $parent | grep -q Z"
refused "one that has ended" "the process has ended" "$(ps -o pid= --ppid $parent | tr -d ' ')"
kill $parent
start own ./own own.map 1
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null && chmod 777 . &&
		setpriv --reuid 65534 --regid 65534 --clear-groups "$cgview" version > /dev/null 2>&1; then
	setpriv --reuid 65534 --regid 65534 --clear-groups "$cgview" watch -o theirs.db "$pid" > refused.out 2> refused.err
	check "another user's" test "$?|$(cat refused.err)" = "1|cgview: watch $pid: it is another user's: its owner may watch it, and root"
fi
mv cgview.$pid.raw kept.raw && rm kept.raw
refused "one whose raw file was removed" "was removed" "$pid"
stop own
refused "a number too many" "no such process" 99999999999
refused "no program" "which program"
refused "--by without --once" "goes with --once" --by line 1
refused "a delay of 0" "it is a time" -d 0 1
refused "an unknown report" "it is procedure, block" --once --by nothing 1
rm -f own.map

# Memory: what is live, and was allocated, by hand. 300 blocks of 100 and 200 bytes in turns; a thread gives back 30 of 100
# and another procedure 60 of 200; a child allocates 50 of 64 and gives back 5.
cat > heap.c <<'END_OF_C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static char *volatile blocks[300];
__attribute__((noinline)) static void grab(int i) { blocks[i] = malloc(i % 2 ? 200 : 100); *blocks[i] = 1; }
__attribute__((noinline)) static void drop(int i) { free(blocks[i]); }
static void *others(void *nothing)
{
	for (int i = 0; i < 30; i++)
		drop(2 * i);
	return nothing;
}
__attribute__((noinline)) static void child(void)
{
	char *volatile mine[50];

	for (int i = 0; i < 50; i++)
		*(mine[i] = malloc(64)) = 1;
	for (int i = 0; i < 5; i++)
		free(mine[i]);
	sleep(4);
	_exit(0);
}
int main(void)
{
	pthread_t t;

	for (int i = 0; i < 300; i++)
		grab(i);
	pthread_create(&t, NULL, others, NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 60; i++)
		drop(2 * i + 1);
	if (!fork())
		child();
	return pause();
}
END_OF_C
must "heap.c compiles" "$cgcc" -O1 -g -o heap heap.c -pthread
"$cgview" watch --space --lines -d 0.5 --limit 20 -o heap.db -- ./heap > heap.out 2> heap.err &
pid=$!
sleep 2.3
kill $pid
wait $pid 2> /dev/null
check "what a procedure has allocated, and what is live of it" \
	grep -Eq '^ *[-0-9.]+ +300 +300 +45,000 +210 +30,000 +grab ' heap.out
check "... in a child" grep -Eq '^ *[-0-9.]+ +1 +50 +3,200 +45 +2,880 +child ' heap.out
check "... and who gives back has none" grep -Eq '^ *[-0-9.]+ +90 +0 +0 +0 +0 +drop ' heap.out
# libc has a block for the thread, which is its creator's.
check "... and all of it" awk '/watched/ { all = $(NF - 1); n = 0 } $1 ~ /^[-0-9.]+$/ { n += $5 } NF == 0 { bad += n != all }
	END { exit bad || n < 255 }' heap.out
check "... as the profile has it" test "$(sqlite3 heap.db "SELECT self_allocs, self_bytes, self_live, self_live_blocks
	FROM procedure WHERE name = 'grab'")" = '300|45000|30000|210'
refused "the memory of a process" "goes with a program that is run" --space 1

# What is watched does nothing for it: it executes as many instructions.
command -v valgrind > /dev/null || exit 0
cat > fixed.c <<'END_OF_C'
static volatile unsigned x;
__attribute__((noinline)) static void step(void) { x = x * 5 + 1; }
int main(void) { for (int i = 0; i < 4000000; i++) step(); return 0; }
END_OF_C
must "fixed.c compiles" "$cgcc" -O2 -o fixed fixed.c
run_fixed()
{
	exec env CGVIEW_HZ=0 CGVIEW_OUT=fixed.%p setarch -R valgrind --tool=callgrind --callgrind-out-file=/dev/null ./fixed \
		> "$1" 2>&1
}
(run_fixed alone) &
wait $!
(run_fixed watched) &
pid=$!
wait_until sh -c "ls fixed.$pid.raw" > /dev/null 2>&1
"$cgview" watch -d 0.1 -o fixed.db "$pid" > fixed.out 2> fixed.err
wait $pid
check "it was watched" sh -c '[ $(grep -c watched fixed.out) -ge 3 ]'
check "and has executed no instruction more" python3 watch.py instructions alone watched
