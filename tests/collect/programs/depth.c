/* How deep the stack is where time is spent. It prints what only it knows: how many bytes lie
 * between the environment and main's frame. How large the frames are tells -fstack-usage.
 *   depth DEEP SHALLOW  recursion, spends time in the deepest of so many frames, then of so many
 *   depth threads       two, with frames of their own
 *   depth elsewhere     on a stack of signals, and on one that it has made itself
 *   depth handler       a handler of signals on the stack that was interrupted */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define APART __attribute__((noinline, noclone))
static volatile unsigned sink;

/* Some 100 ms, and calls nothing. */
#define SPEND                                                                                     \
	for (unsigned i = 0; i < 60000000; i++)                                                   \
	sink += i

APART static void
leaf(void)
{
	SPEND;
}

APART static int
recurse(int frames)
{
	volatile char room[400];
	int below;

	room[frames % 400] = 1;
	if (frames > 1) {
		below = recurse(frames - 1);
	} else {
		leaf();
		below = 0;
	}
	return below + room[frames % 400];
}

APART static void
itself(void)
{
	volatile char room[5000];

	room[0] = 1;
	SPEND;
	sink += room[0];
}

static void *
small(void *p)
{
	itself();
	return p;
}

static void *
large(void *p)
{
	volatile char room[100000];

	room[0] = 1;
	itself();
	sink += room[0];
	return p;
}

APART static void
threads(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, small, NULL);
	pthread_join(a, NULL);
	pthread_create(&b, NULL, large, NULL);
	pthread_join(b, NULL);
}

APART static void
on_signal(int number)
{
	(void)number;
	SPEND;
}

APART static void
on_own(void)
{
	SPEND;
}

static ucontext_t own, back;

APART static void
elsewhere(int flags)
{
	enum { SIZE = 1 << 18 };
	stack_t stack = { .ss_sp = malloc(SIZE), .ss_size = SIZE };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	if (!flags)
		return;
	getcontext(&own);
	own.uc_stack.ss_sp = malloc(SIZE);
	own.uc_stack.ss_size = SIZE;
	own.uc_link = &back;
	makecontext(&own, on_own, 0);
	swapcontext(&back, &own);
	leaf();
}

int
main(int argc, char **argv, char **environment)
{
	char *frame = __builtin_dwarf_cfa();

	printf("%td\n", (char *)environment - frame);
	fflush(stdout);
	if (argc == 3) {
		recurse(atoi(argv[1]));
		recurse(atoi(argv[2]));
	} else if (!strcmp(argv[1], "threads")) {
		threads();
	} else {
		elsewhere(strcmp(argv[1], "handler") ? SA_ONSTACK : 0);
	}
	return 0;
}
