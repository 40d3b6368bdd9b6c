/* stress CASE SECONDS: what samples may interrupt: the dynamic linker, malloc, fork, for that time
 * and until half of it was spent on the processor. Prints how often step() was called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "step.h"

static volatile int stop;
static long calls[4];

static void
load(long *nr)
{
	void *library = dlopen("./library.so", RTLD_NOW);
	void (*call)(void) = library ? (void (*)(void))dlsym(library, "library_step") : NULL;

	if (!call)
		abort();
	for (int i = 0; i < 1000; i++)
		call();
	dlclose(library);
	*nr += 1000;
}

static void
allocate(long *nr)
{
	static __thread void *kept[64];
	static __thread unsigned next;

	free(kept[next % 64]);
	kept[next % 64] = malloc(1 + next * 7919u % 200000);
	if (!kept[next++ % 64])
		abort();
	step((long)next);
	++*nr;
}

static void
fork_one(long *nr)
{
	pid_t child = fork();

	if (child == 0) {
		step(0);
		free(malloc(1000));
		_exit(0);
	}
	if (child > 0 && waitpid(child, NULL, 0) == child)
		++*nr;
}

static void
burn(long *nr)
{
	steps(1000);
	*nr += 1000;
}

struct work {
	void (*act)(long *);
	long *nr;
};

static void *
work(void *w)
{
	while (!stop)
		((struct work *)w)->act(((struct work *)w)->nr);
	return NULL;
}

static double
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	double begun = seconds(CLOCK_MONOTONIC), wanted = argc > 2 ? atoi(argv[2]) : 1;
	static struct work jobs[] = {
		{ load, &calls[0] }, { burn, &calls[1] }, { allocate, &calls[2] },
		{ fork_one, &calls[3] },
	};
	int nr = argc > 1 && strcmp(argv[1], "load") == 0 ? 2 : 4;
	pthread_t threads[4];

	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, work, &jobs[i]);
	while (seconds(CLOCK_MONOTONIC) < begun + wanted ||
	       seconds(CLOCK_PROCESS_CPUTIME_ID) < wanted / 2)
		usleep(20000);
	stop = 1;
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	printf("%ld %ld\n", calls[0], calls[1] + calls[2] + calls[3]);
	return 0;
}
