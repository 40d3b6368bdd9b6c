/* Most of its time is in malloc, realloc and free. */
#include <stdlib.h>

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

int
main(void)
{
	for (int i = 0; i < 20; i++) {
		make(100000);
		grow(100000);
		drop(100000);
		work(1000000);
	}
	return 0;
}
