#!/bin/bash
# Libraries that come and go: three times the same one, in a program built with cgcc, in one built
# with plain gcc, and dlclose() in a static program; such that keep their runtime to themselves; and
# such of our objects that were linked by others, and have none.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

cat > lib.c <<'END'
int run(int n) { return n; }
END
cat > host.c <<'END'
#include <dlfcn.h>
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./lib.so", RTLD_NOW);
		int (*run)(int) = (int (*)(int))dlsym(library, "run");
		for (int k = 0; k < 100; k++)
			sum += run(1);
		dlclose(library);
	}
	return sum == 300 ? 0 : 1;
}
END
cat > closes.c <<'END'
#include <dlfcn.h>
int main(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);
	return library && dlclose(library);
}
END
calls() # calls PROCEDURE: as reported
{
	count_of host.db "$1" | awk '{ n += $1 } END { printf "%.0f\n", n }'
}

must "compile the library" "$cgcc" -O2 -fPIC -shared lib.c -o lib.so
must "compile the host" "$cgcc" -O2 host.c -o host
record host.db ./host
check "opened three times: 300 calls" [ "$(calls run)" = 300 ]
check "... and the program itself is counted" [ "$(calls main)" = 1 ]
must "compile a plain host" gcc -O2 host.c -o host
record host.db ./host
check "in a program that was built without cgcc: 300 calls" [ "$(calls run)" = 300 ]

# A library that was not linked with cgcc: the program must find its counters, too.
cat > more.c <<'END'
__attribute__((constructor)) static void early(void) { }
int more(int n) { return n + 1; }
END
cat > uses.c <<'END'
#include <pthread.h>
int run(int n), more(int n);
static void *thread(void *sum)
{
	for (int i = 0; i < 1000; i++)
		*(int *)sum += run(1) + more(-1);
	return NULL;
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		if (pthread_create(&t, NULL, thread, &sum) || pthread_join(t, NULL))
			return 1;
	}
	thread(&sum);
	return sum == 4000 ? 0 : 1;
}
END
echo '{ global: run; more; local: *; };' > map
cp more.c more.cc
sed -i 's/^int more/extern "C" &/' more.cc
fixed() # fixed LIBRARY: has it but one note and one constructor of ours, however many objects?
{
	[ "$(readelf -SW "$1" | awk 'sub(/.*] \.note\.cgview_object/, "") { print $4 }')" = 000024 ]
}
must "compile the host" "$cgcc" -O2 host.c -o host
must "compile a plain host" gcc -O2 host.c -o plain
linked_by() # linked_by NAME, lib.so being there
{
	record host.db ./host
	check "linked by $1, opened three times: 300 calls" [ "$(calls run)" = 300 ]
	check "... and 3 of its constructor" [ "$(calls early)" = 3 ]
	CGVIEW_OUT=$TMP_DIR/alone check "... a plain program can use it" ./plain
	check "... and leaves nothing" [ -z "$(ls "$TMP_DIR"/alone* 2> /dev/null)" ]
	must "$1: compile what is linked to it" "$cgcc" -O2 -pthread uses.c -o uses ./lib.so
	record host.db ./uses
	check "... linked to it, by four threads: 4000 calls each" \
		[ "$(calls run) $(calls more) $(calls early)" = "4000 4000 1" ]
}
for flags in "" --cgview-flags=mode=block,joint=none --cgview-flags=targets -masm=intel \
	-mcmodel=large "-flto -ffat-lto-objects"; do
	must "compile its objects $flags" "$cgcc" -O2 -fPIC $flags -c lib.c more.c
	must "link them by gcc" gcc -fno-lto -shared lib.o more.o -o lib.so
	linked_by "gcc, $flags"
	check "... each thing stands there once" fixed lib.so
done
must "compile its objects" "$cgcc" -O2 -fPIC -ffunction-sections -c lib.c more.c
must "compile one in C++" "${cgcc%cgcc}cgg++" -O2 -fPIC -c more.cc -o more++.o
must "put them into an archive" ar rc libboth.a lib.o more.o
for how in "ld -shared lib.o more.o" "gcc -shared lib.o more++.o" "gcc -nostdlib -shared lib.o more.o" \
	"gcc -shared -Wl,--version-script=map lib.o more.o" "gcc -shared -Wl,-Bsymbolic lib.o more.o" \
	"gcc -shared -Wl,--gc-sections,-z,defs lib.o more.o" \
	"gcc -shared -Wl,--whole-archive libboth.a -Wl,--no-whole-archive" \
	"gcc -shared -fuse-ld=gold -Wl,--gc-sections lib.o more.o" \
	"gcc -shared -fuse-ld=lld -Wl,--gc-sections lib.o more.o" \
	"gcc -shared -fuse-ld=mold -Wl,--gc-sections lib.o more.o"; do
	case $how in *fuse-ld=*)
		linker=${how#*fuse-ld=}
		command -v "ld.${linker%% *}" > /dev/null || continue
	esac
	must "$how" $how -o lib.so
	linked_by "$how"
	check "... each thing stands there once" fixed lib.so
done
must "make one object of two" ld -r lib.o more.o -o both.o
must "link it by gcc" gcc -shared both.o -o lib.so
linked_by "gcc, one object of two"
must "link it with cgcc" "$cgcc" -shared both.o -o lib.so
record host.db ./host
check "one object of two, linked with cgcc: 300 calls" [ "$(calls run)" = 300 ]
must "compile for link time" "$cgcc" -O2 -fPIC -flto -c lib.c more.c
must "make one object with code" "$cgcc" -O2 -fPIC -flto -r -flinker-output=nolto-rel lib.o more.o -o both.o
must "link it by gcc" gcc -shared both.o -o lib.so
linked_by "gcc, after link-time optimisation with cgcc"
must "link them by gcc, which makes the code" gcc -O2 -flto -shared lib.o more.o -o lib.so
record host.db ./host
check "code made without cgcc is not counted" [ -z "$(calls run | tr -d 0)" ]

# Whose runtime is out of sight, and who comes first.
cat > many.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
static void *work(void *procedure)
{
	for (int i = 0; i < 100; i++)
		((int (*)(int))procedure)(1);
	return NULL;
}
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		void *procedure = library ? dlsym(library, argv[i + 1]) : NULL;
		pthread_t t;
		if (!procedure || pthread_create(&t, NULL, work, procedure) || pthread_join(t, NULL))
			return 1;
		work(procedure);
	}
	return 0;
}
END
for name in a b c; do echo "int $name(int n) { return n; }" > $name.c; done
echo '{ global: a; local: *; };' > map
must "compile a library with its own runtime" "$cgcc" -O2 -fPIC -shared a.c -Wl,--version-script=map -o liba.so
must "compile two without" "$cgcc" -O2 -fPIC -c b.c c.c
must "link the first" gcc -shared b.o -o libb.so
must "link the second" gcc -shared c.o -o libc_.so
must "compile a plain program" gcc -O2 -pthread many.c -o plain
must "compile one" "$cgcc" -O2 -pthread many.c -o counted
must "compile its object" "$cgcc" -O2 -pthread -c many.c
must "link it by gcc" gcc -pthread many.o -o many
# A program of our objects without a runtime counts when a library brings one; the rest is 0.
for order in "./liba.so a ./libb.so b ./libc_.so c" "./libb.so b ./liba.so a ./libc_.so c"; do
	for program in plain counted many; do
		record host.db ./$program $order
		check "$program $order: 200 calls each" \
			[ "$(calls a) $(calls b) $(calls c)" = "200 200 200" ]
		[ $program = plain ] || check "... and 6 of its own" [ "$(calls work)" = 6 ]
	done
done
check "linked by gcc, with no runtime at all, it runs" ./many ./libb.so b ./libc_.so c

# A library that keeps the symbols of its runtime to itself: its threads count for themselves, too.
cat > work.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
static volatile int sink;
__attribute__((noinline)) static void turn(int i) { sink = i; }
static pthread_barrier_t all;
static void *thread(void *n)
{
	pthread_barrier_wait(&all); /* who comes after another one's end would count in its place */
	for (int i = 0; i < *(int *)n; i++)
		turn(i);
	return NULL;
}
int work(void)
{
	pthread_t t[4];
	int n = 200000, sum = 0;
	pthread_barrier_init(&all, NULL, 4);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, thread, &n))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./lib.so", RTLD_NOW);
		int (*run)(int) = library ? (int (*)(int))dlsym(library, "run") : NULL;
		for (int k = 0; run && k < 100; k++)
			sum += run(1);
		if (library)
			dlclose(library);
	}
	return sum == 300 ? 0 : 1;
}
END
echo 'int work(void); int main(void) { return work(); }' > host.c
echo 'int other(void) { return 3; }' > other.c
echo '{ global: work; local: *; };' > map
must "compile the library" "$cgcc" -O2 -fPIC -shared lib.c -o lib.so
must "compile another library" "$cgcc" -O2 -fPIC -shared other.c -o libother.so
for how in -Wl,--version-script=map -Wl,-Bsymbolic -Wl,-O1; do
	must "$how: compile the library" "$cgcc" -O2 -fPIC -shared -pthread $how work.c -o libwork.so
	for compiler in "$cgcc" gcc; do
		must "$how: compile the host with ${compiler##*/}" "$compiler" -O2 -pthread host.c \
			-o host -L. -Wl,--no-as-needed -lother -lwork -Wl,-rpath,"$TMP_DIR"
		record host.db ./host
		check "... 800,000 calls" [ "$(calls turn)" = 800000 ]
		check "... by four threads besides the first" [ "$(report host.db thread | wc -l)" = 6 ]
		check "... and 300 of a library that came and went" [ "$(calls run)" = 300 ]
	done
done

# What such a library calls through pointers, and its signals.
cat > work.c <<'END'
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noinline)) static void first(void) { sink = 1; }
__attribute__((noinline)) static void second(void) { sink = 2; }
__attribute__((noinline)) static void third(void) { sink = 3; }
static void (*volatile all[])(void) = { first, second, third, second };
static void on_signal(int signal) { (void)signal; }
int work(void)
{
	const int wanted[] = { SIGURG, SIGRTMAX - 3, SIGBUS };
	struct timespec now = { 0, 0 };
	struct sigaction action, old;
	sigset_t set, before;
	int wrong = 0;
	for (int i = 0; i < 4000; i++)
		all[i & 3]();
	for (int i = 0; i < 3; i++) {
		memset(&action, 0, sizeof(action));
		action.sa_handler = on_signal;
		sigaction(wanted[i], &action, NULL);
		wrong += sigaction(wanted[i], NULL, &old) || old.sa_handler != on_signal;
		wrong += signal(wanted[i], SIG_DFL) != on_signal;
	}
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, &before);
	wrong += sigismember(&before, SIGURG);
	memset(&before, 0, sizeof(before));
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &before, 8);
	wrong += !sigismember(&before, SIGURG) || !sigismember(&before, SIGRTMAX - 3);
	while (now.tv_sec < 1 && now.tv_nsec < 300000000) {
		for (int i = 0; i < 100000; i++)
			sink = i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	}
	return wrong;
}
END
for how in -Wl,--version-script=map -Wl,-Bsymbolic; do
	must "$how: compile the library" "$cgcc" -O2 -fPIC -shared $how work.c -o libwork.so
	for flags in -O2 "-O2 -mcmodel=large"; do
		[ "$flags" = -O2 ] || must "$how: compile it with $flags" \
			"$cgcc" $flags -fPIC -shared $how work.c -o libwork.so
		must "$how: compile the host" "$cgcc" -O2 host.c -o host \
			-L. -Wl,--no-as-needed -lother -lwork -Wl,-rpath,"$TMP_DIR"
		record host.db ./host
		check "$how, $flags: what it asks of signals is answered" [ $? = 0 ]
		reached=$(sqlite3 host.db "SELECT group_concat(x, ', ') FROM (SELECT
				p.name || ' ' || a.count || ' ' || a.measured AS x FROM arc a JOIN procedure p
				ON p.id = a.callee JOIN call_site s ON s.id = a.site
				WHERE s.kind = 'indirect' AND a.count > 0 ORDER BY p.name)")
		check "... whom its calls through pointers reached" \
			[ "$reached" = "first 1000 1000, second 2000 2000, third 1000 1000" ]
		check "... time is measured where it blocks all signals" \
			[ "$(sqlite3 host.db "SELECT samples FROM run")" -ge 10 ]
	done
done

if "$cgcc" -static -O2 closes.c -o closes 2> /dev/null; then
	CGVIEW_OUT=$TMP_DIR/static check "dlclose() in a static program" ./closes
fi

must "compile without -static" "$cgcc" -O2 closes.c -o closes
mkdir quiet && cd quiet || exit
../closes
check "a program on its own leaves a raw profile" [ "$(ls -A | wc -l)" = 1 ]
rm -f ./*
CGVIEW_OUT=off ../closes
check "CGVIEW_OUT=off: the program leaves nothing" [ -z "$(ls -A)" ]

# A thousand libraries, each with a runtime of its own. Their names are in no library: a copy is another file.
echo '__attribute__((noinline)) int in_library(int n) { return n; }' > in.c
must "compile a library" "$cgcc" -O1 -fPIC -shared in.c -o copy.so
check "a library brings nothing thread-local" [ -z "$(readelf -lW copy.so | grep -w TLS)" ]
must "compile its user" "$cgcc" -O1 -pthread "$here/programs/libraries.c" -o many
must "compile its user without cgcc" gcc -O1 -pthread "$here/programs/libraries.c" -o many.plain
for i in $(seq 0 1039); do cp copy.so "copy$i.so"; done
opened() # opened NAME PROGRAM NR THREADS SEED: counts are what it prints
{
	local name=$1
	shift
	rm -rf raw libraries.db
	mkdir raw
	CGVIEW_OUT=$PWD/raw/p "./$@" > out 2> err || echo "status $?" >> err
	"$cgview" import -o libraries.db raw/* > import.log 2>&1
	check "$name: they are all opened" [ ! -s err ]
	[ ! -s err ] || cat err
	check "... each call is counted" \
		[ "$(count_of libraries.db in_library | awk '{ n += $1 } END { print n }')" = "$(< out)" ]
}
opened "1,000 libraries, one thread" many 1000 0 1
opened "1,000 libraries, eight threads" many 1000 8 2
opened "1,000 libraries in a program built without cgcc" many.plain 1000 0 3
size=$(du -m raw | cut -f1)
check "... what is written does not grow with the square: $size MB" [ "$size" -lt 40 ]
rm -rf raw
CGVIEW_OUT=$PWD/p ./many 1035 8 4 > out 2> err
check "more than there is room for: the program goes on" [ "$?$(wc -l < out)" = 01 ]
check "... and it is told in one line which" \
	[ "$(grep -c . err)$(grep -c 'more than 1024 libraries have counters' err)" = 11 ]
rm -f copy*.so
