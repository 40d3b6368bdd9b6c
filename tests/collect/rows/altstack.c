/* altstack BYTES: threads set alternate stacks of that size one after the other and handle a signal
 * on them for a while, where there is room for that. What lies below must stay as it is, and what
 * the kernel is asked must be told as it was set. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "step.h"

enum { AREA = 256 * 1024, BELOW = 128 * 1024 };
static size_t bytes;
static __thread char *area;
static volatile int told;
static void *volatile nowhere = (void *)8;

__attribute__((noinline)) static void
busy(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 20;

	while (clock() < end)
		steps(1000);
}

static void
tell(const char *when)
{
	stack_t now;

	if (sigaltstack(NULL, &now) < 0)
		printf("%s: cannot be told\n", when);
	else if (now.ss_flags & SS_DISABLE)
		printf("%s: none\n", when);
	else
		printf("%s: %d of %zu bytes at %td\n", when, now.ss_flags, now.ss_size,
		       (char *)now.ss_sp - area);
}

static void
handle(int signal)
{
	stack_t other = {.ss_sp = area, .ss_size = bytes};

	(void)signal;
	busy();
	told = sigaltstack(&other, NULL) < 0;
}

static void *
run(void *name)
{
	stack_t own, before;
	size_t i;

	area = malloc(AREA);
	memset(area, 0x5a, AREA);
	own = (stack_t){.ss_sp = area + BELOW, .ss_size = bytes};
	tell("before");
	if (sigaltstack(&own, &before) < 0)
		perror("sigaltstack");
	tell(name);
	busy();
	if (bytes >= 8192)
		raise(SIGUSR1);
	printf("within: %s\n", told ? "cannot be changed" : "-");
	tell("behind");
	own.ss_flags = SS_DISABLE;
	printf("taken away: %d\n", sigaltstack(&own, &before));
	printf("was: %zu bytes at %td\n", before.ss_size, (char *)before.ss_sp - area);
	tell("at the end");
	for (i = 0; i < BELOW && area[i] == 0x5a; i++)
		;
	puts(i == BELOW ? "nothing below was written" : "WRITTEN BELOW");
	own = (stack_t){.ss_sp = area + BELOW, .ss_size = bytes};
	printf("in and out in one place: %d\n", sigaltstack(&own, &own));
	printf("there was: %d\n", own.ss_flags & SS_DISABLE);
	printf("nowhere: %d", sigaltstack((const stack_t *)nowhere, NULL));
	printf(" %d\n", sigaltstack(NULL, (stack_t *)nowhere));
	tell("left");
	return NULL;
}

int
main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
	pthread_t thread;

	bytes = argc > 1 ? (size_t)atol(argv[1]) : 8192;
	sigaction(SIGUSR1, &action, NULL);
	run("first");
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, run, "thread");
		pthread_join(thread, NULL);
	}
	return 0;
}
