/* Recursion of all kinds, for the tree of calls. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;

static void
work(unsigned n)
{
	for (unsigned i = 0; i < n * 2000; i++)
		sink += i;
}

static void
deep(unsigned n)
{
	work(20);
	if (n)
		deep(n - 1);
	work(1);
}

static void odd(unsigned n);

static void
even(unsigned n)
{
	work(2);
	if (n)
		odd(n - 1);
}

static void
odd(unsigned n)
{
	work(1);
	if (n)
		even(n - 1);
}

static int
compare(const void *a, const void *b)
{
	work(1);
	return *(const int *)a - *(const int *)b;
}

static void
sort(void)
{
	int numbers[200];

	for (int i = 0; i < 200; i++)
		numbers[i] = i * 7919 % 211;
	qsort(numbers, 200, sizeof(*numbers), compare);
}

static void
each(void (*f)(unsigned), unsigned n)
{
	for (int i = 0; i < 20; i++)
		f(n);
}

int
main(void)
{
	for (int i = 0; i < 40; i++) {
		deep(200);
		even(300);
		odd(20);
		sort();
		each(work, 30);
		each(even, 10);
	}
	printf("%u\n", sink != 0);
	return 0;
}
