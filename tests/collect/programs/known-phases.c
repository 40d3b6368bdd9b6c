/* A run of phases: red, a pause, green; each prints its name, and CLOCK_MONOTONIC in microseconds
 * before and behind. With an argument another thread is blue all the time. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static volatile double sink, blue_sink;
static atomic_bool over;

static int64_t
us(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static __attribute__((noinline)) void
red(void)
{
	for (int i = 0; i < 100000; i++)
		sink += i * 0.5;
}

static __attribute__((noinline)) void
green(void)
{
	for (int i = 0; i < 100000; i++)
		sink *= 1.0000001;
}

static __attribute__((noinline)) void
blue(void)
{
	for (int i = 0; i < 100000; i++)
		blue_sink *= 1.0000001;
}

static void *
other(void *unused)
{
	while (!over)
		blue();
	return unused;
}

static void
phase(void (*work)(void), const char *name)
{
	int64_t begin = us(CLOCK_MONOTONIC), cpu = us(CLOCK_THREAD_CPUTIME_ID);

	while (us(CLOCK_THREAD_CPUTIME_ID) < cpu + 150000)
		work();
	printf("%s %lld %lld\n", name, (long long)begin, (long long)us(CLOCK_MONOTONIC) + 1);
}

int
main(int argc, char **argv)
{
	const struct timespec pause = { 0, 150000000 };
	pthread_t thread;

	(void)argv;
	if (argc > 1 && pthread_create(&thread, NULL, other, NULL))
		return 1;
	phase(red, "red");
	nanosleep(&pause, NULL);
	phase(green, "green");
	over = true;
	if (argc > 1)
		pthread_join(thread, NULL);
	return 0;
}
