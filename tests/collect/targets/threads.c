/* Four threads call through one pointer site a million times each, while they are interrupted by
 * signals whose handler calls through the same site. Prints how often each procedure was called
 * from there, by its own count. With an argument it kills itself in the end. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { NR_THREADS = 4, NR_CALLS = 1000000, NR_HANDLERS = 8 };
static unsigned long truth[NR_HANDLERS], interruptions;
static volatile int running = NR_THREADS;

#define HANDLER(n)                                                                             \
	static void handler_##n(volatile unsigned *x)                                          \
	{                                                                                      \
		*x += n;                                                                       \
	}
HANDLER(0)
HANDLER(1)
HANDLER(2)
HANDLER(3)
HANDLER(4)
HANDLER(5)
HANDLER(6)
HANDLER(7)

typedef void handler(volatile unsigned *);
static handler *const handlers[NR_HANDLERS] = {
	handler_0, handler_1, handler_2, handler_3, handler_4, handler_5, handler_6, handler_7,
};

static void
dispatch(unsigned random)
{
	volatile unsigned x = 0;
	unsigned n = random >> 8 & 15;

	n = n < NR_HANDLERS ? n : 0; /* mostly the first */
	__atomic_fetch_add(&truth[n], 1, __ATOMIC_RELAXED);
	handlers[n](&x);
}

static void
on_signal(int signal)
{
	static unsigned random;

	(void)signal;
	dispatch(__atomic_add_fetch(&random, 2654435761u, __ATOMIC_RELAXED));
	__atomic_fetch_add(&interruptions, 1, __ATOMIC_RELAXED);
}

static void *
work(void *seed)
{
	unsigned random = (unsigned)(unsigned long)seed;

	for (int i = 0; i < NR_CALLS; i++)
		dispatch(random = random * 1103515245 + 12345);
	__atomic_fetch_sub(&running, 1, __ATOMIC_RELAXED);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[NR_THREADS];

	(void)argv;
	signal(SIGUSR1, on_signal);
	for (long i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	while (running)
		for (int i = 0; i < NR_THREADS; i++)
			pthread_kill(threads[i], SIGUSR1);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NR_HANDLERS; i++)
		printf("dispatch handler_%d measured %lu\n", i, truth[i]);
	fprintf(stderr, "%lu interruptions\n", interruptions);
	fflush(stdout);
	if (argc > 1)
		raise(SIGKILL);
	return 0;
}
