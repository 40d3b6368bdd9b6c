/* Jumps out of procedures, also out of a signal handler; hand counts beside. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "step.h"

static jmp_buf outer, inner;
static sigjmp_buf from_handler;
static volatile long turns;

/* 6 calls each time, of which none returns. */
__attribute__((noinline)) static void
deep(int depth)
{
	step(depth);
	if (depth == 0)
		longjmp(outer, 1);
	deep(depth - 1);
	turns = -1; /* never reached */
}

/* One that jumps within itself: 10 arrivals. */
__attribute__((noinline)) static void
again(void)
{
	volatile int left = 10;

	setjmp(inner);
	step(0);
	if (--left > 0)
		longjmp(inner, 1);
}

static void
handler(int signal)
{
	step(signal);
	siglongjmp(from_handler, 1);
}

__attribute__((noinline)) static void
interrupted(void)
{
	for (;;)
		turns++;
}

static void *
in_thread(void *unused)
{
	jmp_buf here;

	(void)unused;
	if (setjmp(here) == 0) {
		step(0);
		longjmp(here, 1);
	}
	step(1);
	return NULL;
}

int
main(void)
{
	struct itimerval once = { { 0, 0 }, { 0, 2000 } };
	volatile int i, interrupts = 0;
	pthread_t thread;

	for (i = 0; i < 100; i++)
		if (setjmp(outer) == 0)
			deep(5); /* 600 steps */
	for (i = 0; i < 100; i++)
		again(); /* 1000 steps */
	signal(SIGALRM, handler);
	while (interrupts < 50) /* 50 steps: one signal each turn, however slow the machine */
		if (sigsetjmp(from_handler, 1) == 0) {
			setitimer(ITIMER_REAL, &once, NULL);
			interrupted();
		} else {
			interrupts++;
		}
	for (i = 0; i < 10; i++) { /* 20 steps */
		pthread_create(&thread, NULL, in_thread, NULL);
		pthread_join(thread, NULL);
	}
	printf("%d interrupts\n", interrupts);
	return 0;
}
