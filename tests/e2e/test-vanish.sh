#!/bin/bash
# Control vanishes where the compiler would think that it goes on: what stands before was executed, what
# stands behind was not. The numbers are those that the programs' loops and conditions say.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

# dies NAME EXPECTED SOURCE ARGUMENT...: the calls of the procedures in EXPECTED ("main=1 step=3").
dies()
{
	local name=$1 expected=$2 got= pair
	shift 2
	must "$name: compile" "$cgcc" -w "$@" -o program
	rm -f d.*.raw
	(
		ulimit -c 0
		CGVIEW_OUT=$TMP_DIR/d timeout -s KILL 300 ./program
		true
	) > /dev/null 2>&1
	must "$name: import" "$cgview" import -o program.db d.*.raw
	for pair in $expected; do
		got="$got ${pair%=*}=$(count_of program.db "${pair%=*}")"
	done
	[ "$got" = " $expected" ] || echo "# expected $expected, got$got"
	check "$name: $expected" [ "$got" = " $expected" ]
}

# GCC takes the body that it sees; the program runs another one.
cat > seen.c << 'END'
extern inline __attribute__((gnu_inline)) int hook(int i) { return i + 1; }
static volatile int sink;
static void behind(int i) { sink = i; }
static void calls(int i) { sink = hook(i); behind(i); }
int main(void) { for (int i = 0;; i++) calls(i); }
END
cat > runs.c << 'END'
#include <stdlib.h>
int hook(int i) { if (i == 30) exit(0); return i; }
END
for level in -O0 "-O1 -fno-inline" "-O2 -fno-inline -fPIC"; do
	dies "another body, $level" "main=1 calls=31 behind=30" $level seen.c runs.c
done

cat > named.c << 'END'
#include <stdlib.h>
static volatile int sink;
static void behind(int i) { sink = i; }
int ffs(int i) { if (i == 7) exit(0); return i; }
int main(void) { for (int i = 1;; i++) { sink = ffs(i); behind(i); } }
END
dies "a builtin's name" "main=1 behind=6 ffs=7" -O2 named.c

cat > signals.c << 'END'
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>
static volatile int sink;
static sigjmp_buf back;
static void away(int n) { siglongjmp(back, n); }
static void let(int how) { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigprocmask(how, &s, 0); }
static void behind(int i) { sink = i; }
static void group(void) { sigset_t s; setpgid(0, 0); killpg(0, SIGKILL); behind(0); }
int main(void)
{
	signal(SIGUSR1, away);
	for (int i = 0; i < 10; i++) {
		if (sigsetjmp(back, 1))
			continue;
		let(SIG_BLOCK);
		if (i & 1)
			raise(SIGUSR1);
		let(SIG_UNBLOCK);
		behind(i);
	}
	group();
}
END
for level in -O0 -O2; do
	dies "signals, $level" "main=1 away=5 let=20 behind=5 group=1" $level signals.c
done

# In loops that never end, or that run for long, a thread is killed.
cat > spins.c << 'END'
#define _DEFAULT_SOURCE
#include <unistd.h>
static volatile int sink, go = 1;
static int __attribute__((noinline)) get(int i) { return i + 1; }
static void __attribute__((noinline)) before(int i) { sink = i; }
static void __attribute__((noinline)) behind(int i) { sink = i; }
static void __attribute__((noinline)) ever(int i) { before(i); ualarm(300000, 0); for (;;) sink = HOW; }
static void __attribute__((noinline)) long_(int i)
{
	before(i);
	ualarm(300000, 0);
	while (go)
		for (int k = 0; k < 7; k++)
			sink = HOW;
	behind(i);
}
int main(void) { for (int i = 0; i < 5; i++) before(i); WHICH(4); behind(1); return 0; }
END
for level in -O0 -O1 -O2 "-O3 -flto"; do
	for which in ever long_; do
		for how in i "get(i)"; do
			dies "killed in $which, $how, $level" "main=1 before=6 $which=1 behind=0" $level \
				"-DWHICH=$which" "-DHOW=$how" spins.c
		done
	done
done

# A fault in straight-line code: what comes first is counted.
cat > fault.c << 'END'
static volatile int sink, one = 1, two = 2;
static int *volatile null;
static void __attribute__((noinline)) x(int i)
{
	sink = i > 0 ? one : two;
	if (i == -1)
		*null = 0;
	sink = 3;
}
int main(void) { x(3); x(4); x(-1); return 0; }
END
for level in -O0 -O2; do
	dies "a fault, $level" "main=1 x=3" $level fault.c
done
