/* Loops whose counts are summed up, and threads that do not leave them: test-sums.sh. What the loop
 * has done stands in memory that outlives it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 3, LENGTH = 6, PAGE = 4096, ROOM = 9 * PAGE };

static sigjmp_buf back;
static unsigned char *pages;
static volatile int sink;

__attribute__((noinline)) static unsigned char *
clear(unsigned char *p)
{
	while (*p)
		*p++ = 0; //= what is done in each round
	return p;
}

/* The child is killed behind that many instructions. */
static int
stepped(long steps)
{
	pid_t child = fork();
	int status, cleared = 0;

	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			_exit(2);
		raise(SIGSTOP);
		for (int i = 0; i < RUNS; i++)
			clear(pages + i * (LENGTH + 1));
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status))
		exit(2); /* nobody may trace here */
	while (steps-- > 0 && WIFSTOPPED(status)) {
		if (ptrace(PTRACE_SINGLESTEP, child, 0, 0))
			break;
		waitpid(child, &status, 0);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	for (int i = 0; i < RUNS * (LENGTH + 1) - 1; i++)
		cleared += !pages[i];
	return cleared - (RUNS - 1);
}

static void
away(int signal)
{
	siglongjmp(back, signal);
}

static void
leave(int signal)
{
	(void)signal;
	exit(0);
}

/* It counts in the same loop, and lets the interrupted one go on. */
static void
mend(int signal)
{
	unsigned char own[10] = "another";

	(void)signal;
	clear(own);
	mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE);
}

/* The loop comes to a page that it may not touch, after 100 rounds. */
static int
faulting(void (*handler)(int))
{
	mprotect(pages + PAGE, PAGE, PROT_NONE);
	signal(SIGSEGV, handler);
	if (!sigsetjmp(back, 1))
		clear(pages + PAGE - 100);
	return 0;
}

/* Two loops, which at -O3 are summed up together. */
__attribute__((noinline)) static void
weigh(float *restrict to, const float *from, const float *by)
{
	for (int k = 0; k < 128; k++)
		for (int i = 0; i < 64; i++)
			to[i] += from[64 * k + i] * by[k]; //= of two loops
}

/* They come to a page that they may not touch, after 16 rounds of the outer one. */
static int
faulting_in_two(void (*handler)(int))
{
	static float to[64], by[128];

	mprotect(pages + PAGE, PAGE, PROT_NONE);
	signal(SIGSEGV, handler);
	if (!sigsetjmp(back, 1))
		weigh(to, (float *)(void *)pages, by);
	return 0;
}

static void *
clears(void *text)
{
	for (;;)
		if (clear(memset(text, 1, 100)) == text)
			break;
	return NULL;
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	pthread_t other;

	pages = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < RUNS && argc > 2; i++)
		memset(pages + i * (LENGTH + 1), 1, LENGTH);
	if (argc > 2)
		printf("%d\n", stepped(atol(argv[2])));
	memset(pages + PAGE - 100, 1, 110);
	if (!strcmp(way, "dies"))
		return faulting(SIG_DFL);
	if (!strcmp(way, "jumps"))
		return faulting(away);
	if (!strcmp(way, "exits"))
		return faulting(leave);
	if (!strcmp(way, "goes-on"))
		return faulting(mend);
	if (!strcmp(way, "two-die"))
		return faulting_in_two(SIG_DFL);
	if (!strcmp(way, "two-jump"))
		return faulting_in_two(away);
	if (!strcmp(way, "two-go-on"))
		return faulting_in_two(mend);
	if (!strcmp(way, "thread") && !pthread_create(&other, NULL, clears, malloc(101)))
		usleep(20000);
	return 0;
}
