/* Most of its time is in malloc, realloc and free. It prints the CPU time of what calls them,
 * in ns. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *volatile kept[100000];

static __attribute__((noinline)) void
make(int n)
{
	for (int i = 0; i < n; i++)
		kept[i] = malloc(100);
}

static __attribute__((noinline)) void
grow(int n)
{
	for (int i = 0; i < n; i++)
		kept[i] = realloc(kept[i], 300);
}

static __attribute__((noinline)) void
drop(int n)
{
	for (int i = 0; i < n; i++)
		free(kept[i]);
}

static volatile long sum;

static __attribute__((noinline)) void
work(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

static long long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int
main(void)
{
	long long spent = 0, began;

	for (int i = 0; i < 20; i++) {
		began = now();
		make(100000);
		grow(100000);
		drop(100000);
		spent += now() - began;
		work(1000000);
	}
	printf("%lld\n", spent);
	return 0;
}
