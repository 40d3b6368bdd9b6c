#!/bin/bash
# What must not be trusted to come back: parallel regions and tasks, which run the program's own code;
# procedures of the program that it calls leaf and nothrow; procedures of the library that wait, or
# that send a signal whose handler jumps away; assembly that ends the program; with
# -fnon-call-exceptions, a fault. The counts are those that stand in the sources.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

cat > head.h << 'END'
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/sem.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
static volatile int sink;
END

# counted SOURCE LEVEL ARGUMENT...: by both ways of counting.
counted()
{
	local source=$1 level=$2 mode compiler=$cgcc
	shift 2
	case $source in *.cc) compiler=$build/cgg++ ;; esac
	for mode in tree block; do
		must "compile $source $level" "$compiler" --cgview-flags=mode=$mode $level "$source" "$@" -o program
		rm -f t.*.raw
		CGVIEW_OUT=$TMP_DIR/t timeout -s KILL 300 ./program > program.out 2>&1
		must "import" "$cgview" import -o program.db t.*.raw
		check "$source $level $*, $mode: counts are those written there" \
			python3 "$here/expected.py" "$source" "$cgview" program.db
	done
}

cat > region.c << 'END'
#include "head.h"
static void NOINLINE behind(int n) { sink = n; } //: 2
static void NOINLINE region(int n) //: 3
{
	sink = n; //= 3
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		if (n == 2)
			exit(0);
	}
	sink = 5; //= 2
	behind(n); //= 2
}
int main(void) //: 1
{
	for (int i = 0; i < 10; i++)
		region(i); //= 3
}
END
cat > task.c << 'END'
#include "head.h"
static void NOINLINE behind(int n) { sink = n; } //: 7
static void NOINLINE task(int n) //: 8
{
	sink = n; //= 8
#pragma omp task if(0)
	{
		if (n == 7)
			exit(0);
	}
	behind(n); //= 7
}
int main(void) //: 1
{
	for (int i = 0; i < 10; i++)
		task(i); //= 8
}
END
cat > leaf.c << 'END'
#include "head.h"
extern void quits(int n) __attribute__((leaf, nothrow));
static void NOINLINE behind(int n) { sink = n; } //: 4
static void NOINLINE calls(int n) //: 5
{
	sink = n; //= 5
	quits(n); //= 5
	sink = 3; //= 4
	behind(n); //= 4
}
int main(void) //: 1
{
	for (int i = 0; i < 10; i++)
		calls(i); //= 5
}
END
echo '#include <stdlib.h>
void quits(int n) { if (n == 4) exit(0); }' > quits.c
cat > waits.c << 'END'
#define _GNU_SOURCE
#include "head.h"
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
static sigjmp_buf back;
/* A child that sends SIGALRM whenever its parent sleeps, and so never before it does. */
static pid_t watched(pid_t parent)
{
	pid_t child = fork();
	char path[40], text[200], *state;

	if (child)
		return child;
	snprintf(path, sizeof(path), "/proc/%d/stat", parent);
	for (; getppid() == parent; usleep(1000)) {
		FILE *f = fopen(path, "r"); /* anew: what was read once is not read again */

		state = f && fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
		if (state && state[2] == 'S')
			kill(parent, SIGALRM);
		if (f)
			fclose(f);
	}
	_exit(0);
}
static void away(int n) { siglongjmp(back, n); } //: 9
static void NOINLINE behind(int n) { sink = n; } //: 0
static void NOINLINE semaphore(int id) //: 3
{
	struct sembuf b = { 0, -1, 0 };

	semop(id, &b, 1); //= 3
	behind(1); //= 0
}
static void NOINLINE lock(int file) //: 3
{
	flock(file, LOCK_EX); //= 3
	behind(2); //= 0
}
static void NOINLINE unblocks(int n) //: 3
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	sigprocmask(SIG_BLOCK, &s, 0); //= 3
	raise(SIGUSR1); //= 3
	sink = n; //= 3
	sigset(SIGUSR1, away); //= 3
	behind(3); //= 0
}
int main(void) //: 1
{
	pid_t watcher = (signal(SIGALRM, SIG_IGN), watched(getpid()));
	int id = semget(IPC_PRIVATE, 1, 0600), one = open("lock", O_CREAT | O_RDWR, 0600);
	int other = open("lock", O_RDWR);

	flock(one, LOCK_EX);
	signal(SIGALRM, away);
	signal(SIGUSR1, away);
	for (int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			semaphore(id); //= 3
	for (int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			lock(other); //= 3
	for (int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			unblocks(i); //= 3
	semctl(id, 0, IPC_RMID);
	signal(SIGALRM, SIG_IGN);
	kill(watcher, SIGKILL);
	waitpid(watcher, NULL, 0);
	return 0; //= 1
}
END
cat > assembly.c << 'END'
#include "head.h"
#include <sys/syscall.h>
static void NOINLINE behind(int n) { sink = n; } //: 4
static void NOINLINE leave(int n) //: 5
{
	sink = n; //= 5
	if (n == 4) {
		sink = 7; //= 1
		__asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0) : "rcx", "r11",
				 "memory");
		sink = 8; //= 0
		behind(3); //= 0
	}
	behind(n); //= 4
}
int main(void) //: 1
{
	for (int i = 0; i < 10; i++)
		leave(i); //= 5
}
END
cat > faults.cc << 'END'
#define NOINLINE __attribute__((noinline))
#include <csignal>
static volatile int sink;
static int *volatile null;
static void segv(int) //: 10
{
	sigset_t s;
	sigemptyset(&s);
	sigaddset(&s, SIGSEGV);
	sigprocmask(SIG_UNBLOCK, &s, 0);
	throw 1; //= 10
}
static int NOINLINE get(int n) { return n + 1; } //: 20
static int NOINLINE deref(int *p) //: 20
{
	int v = *p; //= 20
	return v; //= 10
}
struct guard {
	~guard() { sink++; } //= 20
};
static int NOINLINE mid(int *p, int i) //: 20
{
	guard g;
	sink = get(i); //= 20
	int v = deref(p); //= 20
	sink = 3; //= 10
	return v; //= 10
}
int main() //: 1
{
	int x = 5;
	signal(SIGSEGV, segv);
	for (int i = 0; i < 20; i++)
		try {
			sink = mid(i & 1 ? null : &x, i); //= 20
			sink++; //= 10
		} catch (int) {
			sink = 9; //= 10
		}
	return 0; //= 1
}
END
for level in -O0 -O2 "-O3 -flto"; do
	counted assembly.c "$level"
	counted faults.cc "$level" -fnon-call-exceptions
	counted leaf.c "$level" quits.c
	counted waits.c "$level" -Wno-deprecated-declarations
done
if echo 'int main(void) { return 0; }' > omp.c && gcc -fopenmp omp.c -o omp 2> /dev/null; then
	for level in -O0 -O2 "-O3 -flto"; do
		counted region.c "$level" -fopenmp
		counted task.c "$level" -fopenmp
	done
else
	echo "skip - OpenMP: gcc -fopenmp does not work here"
fi

# What libc's headers call for the tables of ctype is merged and taken out of loops as by gcc: asked of a library that
# counts its calls, which gcc made. The counts of what is written there are all the same those of the source.
cat > tables.c << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
static int asked;
const int **
__ctype_tolower_loc(void)
{
	static const int **(*next)(void);
	asked++;
	if (!next)
		next = (const int **(*)(void))dlsym(RTLD_NEXT, "__ctype_tolower_loc");
	return next();
}
static void __attribute__((destructor)) tell(void) { fprintf(stderr, "asked %d\n", asked); }
END
cat > lower.c << 'END'
#include "head.h"
#include <ctype.h>
static void NOINLINE lower(char *to, const char *from) //: 50
{
	while (*from) {
		*to = *from++; //= 1300
		*to = (char)tolower((unsigned char)*to); //= 1300
		to++; //= 1300
	}
	*to = 0; //= 50
}
int main(void) //: 1
{
	char to[100];
	for (int i = 0; i < 50; i++)
		lower(to, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"); //= 50
	return to[0] != 'a';
}
END
must "a library" gcc -O2 -shared -fPIC tables.c -o libtables.so
for level in -O2 -O3; do
	must "gcc $level" gcc $level lower.c -L. -ltables -Wl,-rpath,"$TMP_DIR" -o plain
	counted lower.c $level -L. -ltables -Wl,-rpath,"$TMP_DIR"
	must "lower.c $level" "$cgcc" $level lower.c -L. -ltables -Wl,-rpath,"$TMP_DIR" -o program
	plain=$(./plain 2>&1) ours=$(CGVIEW_OUT=off ./program 2>&1)
	[ "$plain" = "$ours" ] || echo "# plain: $plain, counted: $ours"
	check "$level: as many calls of __ctype_tolower_loc() as by gcc" [ "$plain" = "$ours" ]
done
