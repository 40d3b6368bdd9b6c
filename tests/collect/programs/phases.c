/* First f(), then g(), then system calls in h(), each for MS of this thread's CPU time; two threads
 * do it. Prints for each thread when g() and h() began and h() ended, on the clock that samples
 * have (CLOCK_MONOTONIC, ns), and how long h() was in the kernel and in the program. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int ms, zero;

static uint64_t
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t
until(void)
{
	return now(CLOCK_THREAD_CPUTIME_ID) + (uint64_t)ms * 1000000;
}

static __attribute__((noipa)) unsigned
f(uint64_t end)
{
	volatile unsigned n = 0;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 300000; i++)
			n += (unsigned)i;
	return n;
}

static __attribute__((noipa)) unsigned
g(uint64_t end)
{
	volatile unsigned n = 1;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 300000; i++)
			n ^= (unsigned)i;
	return n;
}

static __attribute__((noipa)) unsigned
h(uint64_t end)
{
	char *room = malloc(1 << 20);
	unsigned n = 0;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 20; i++)
			n += read(zero, room, 1 << 20) > 0;
	free(room);
	return n;
}

static void *
all(void *unused)
{
	uint64_t at_g, at_h;
	struct rusage before, after;

	(void)unused;
	f(until());
	at_g = now(CLOCK_MONOTONIC);
	g(until());
	at_h = now(CLOCK_MONOTONIC);
	getrusage(RUSAGE_THREAD, &before);
	h(until());
	getrusage(RUSAGE_THREAD, &after);
	printf("%ld %lu %lu %lu %ld %ld\n", syscall(SYS_gettid), at_g, at_h, now(CLOCK_MONOTONIC),
	       (after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000 +
		       after.ru_stime.tv_usec - before.ru_stime.tv_usec,
	       (after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 +
		       after.ru_utime.tv_usec - before.ru_utime.tv_usec);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t other;

	ms = argc > 1 ? atoi(argv[1]) : 100;
	zero = open("/dev/zero", O_RDONLY);
	pthread_create(&other, NULL, all, NULL);
	all(NULL);
	return pthread_join(other, NULL);
}
