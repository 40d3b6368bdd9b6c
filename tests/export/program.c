/* What exports must hold: recursion, a call through a pointer, one by the C library, code that
 * never ran, a line of a header in a procedure, more than one call on a line, and waiting. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "program.h"

static int
compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static unsigned
fill(int *v, int n, unsigned s)
{
	for (int i = 0; i < n; i++) {
		s = s * 1103515245 + 12345;
		v[i] = LIMITED(s >> 3);
	}
	return s;
}

int
never(int x)
{
	return x * 2;
}

static long
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static long odd(int n);
static long even(int n) { return n ? odd(n - 1) : 1; }
static long odd(int n) { return n ? even(n - 1) : 0; }

static long (*volatile functions[])(int) = { fib, even, odd };

int
main(int argc, char **argv)
{
	int n = 50000, *v = malloc((size_t)n * sizeof(*v));
	unsigned s = 1;
	long sum = 0;

	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	for (int round = 0; round < 12; round++) {
		s = fill(v, n, s);
		qsort(v, (size_t)n, sizeof(*v), compare);
		sum += v[n / 2] + functions[round % 3](24);
	}
	printf("%ld %s\n", sum, argc > 5 ? argv[never(1)] : "");
	free(v);
	return 0;
}
