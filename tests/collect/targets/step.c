/* step SEED [fork]: the program is stepped through, one instruction after the other, and at about
 * each 23rd of them gets a signal whose handler calls through the site that was interrupted, so
 * also while its words and tables are changed. Prints how many calls there were. With `fork` some
 * handlers fork, and both processes go on where the signal came: prints the number of children,
 * too, and fails if one of them does not end as it should. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NR = 60, ROUNDS = 40 };
typedef long procedure(long);

#define P(n)                                                                                   \
	static __attribute__((noipa)) long p##n(long x)                                        \
	{                                                                                      \
		return x + n;                                                                  \
	}
#define P10(n) P(n##0) P(n##1) P(n##2) P(n##3) P(n##4) P(n##5) P(n##6) P(n##7) P(n##8) P(n##9)
P10(1) P10(2) P10(3) P10(4) P10(5) P10(6)
#define N10(n)                                                                                 \
	p##n##0, p##n##1, p##n##2, p##n##3, p##n##4, p##n##5, p##n##6, p##n##7, p##n##8, p##n##9
static procedure *const all[NR] = {N10(1), N10(2), N10(3), N10(4), N10(5), N10(6)};

/* The second one has its call in tail position. */
#define SITE(n, extra)                                                                         \
	static __attribute__((noinline)) long site##n(procedure *p, long x)                    \
	{                                                                                      \
		return p(x) extra;                                                             \
	}
SITE(0, +1) SITE(1, ) SITE(2, +1)
typedef long site(procedure *p, long x);
static site *const sites[] = {site0, site1, site2};
enum { SITES = sizeof(sites) / sizeof(*sites) };

static struct { long calls, children, failed; } *common;
static volatile int current, forking, child;
static unsigned state = 1;

static unsigned
number(unsigned *x)
{
	*x = *x * 1103515245 + 12345;
	return *x >> 16 & 0x7fff;
}

static void
call(procedure *p)
{
	__atomic_fetch_add(&common->calls, 1, __ATOMIC_RELAXED);
	sites[current % SITES](p, 1); /* the last signal may come behind them */
}

static void
on_signal(int signal)
{
	(void)signal;
	call(all[number(&state) % NR]);
	if (!forking || child || number(&state) % 64)
		return;
	child = !fork();
	common->children += !child;
	if (!child)
		call(all[number(&state) % NR]);
}

static void
run(unsigned seed)
{
	signal(SIGUSR1, on_signal);
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	for (current = 0; current < SITES; current++)
		for (int i = 0; i < ROUNDS; i++) {
			if (child && i % 8 == 7)
				_exit(0);
			call(all[number(&seed) % (unsigned)(1 + i)]);
		}
	while (wait(&(int){0}) > 0)
		;
	_exit(0);
}

/* Goes on with PROCESS, step by step, until it ends. Returns its status. */
static int
step(pid_t process, unsigned seed)
{
	int status = 0, signal;

	waitpid(process, &status, 0);
	while (WIFSTOPPED(status)) {
		/* One that had to wait for the handler's end is dropped, lest there be no other. */
		signal = number(&seed) % 23 ? 0 : SIGUSR1;
		if (WSTOPSIG(status) == SIGCHLD || WSTOPSIG(status) == SIGSEGV)
			signal = WSTOPSIG(status);
		if (ptrace(PTRACE_SINGLESTEP, process, 0, signal) ||
		    waitpid(process, &status, 0) < 0)
			return -1;
	}
	return status;
}

int
main(int argc, char **argv)
{
	unsigned seed = (unsigned)atoi(argv[1]);
	pid_t process;
	int status;

	common = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	forking = argc > 2;
	process = fork();
	if (!process)
		run(seed);
	status = step(process, seed);
	printf("%ld %ld\n", common->calls, common->children);
	return status != 0;
}
