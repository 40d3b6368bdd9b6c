/* What a process does depends on its argument: loops, recursion, procedures that are inlined, that
 * follow from their callers, that stand in a header of two units, and in a library; and one that
 * only some processes call. */
#include <stdlib.h>
#include <string.h>

#include "both.h"

int sorted(int n);
long other(long n);

static volatile long sink;

static inline long
inlined(long n)
{
	for (long i = 0; i < n; i++)
		sink += i % 7;
	return sink;
}

static long
leaf(long n)
{
	sink += n;
	return sink > 3 ? n : n + 1;
}

__attribute__((noinline)) static long
follows(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += leaf(i) & 1;
	return sum;
}

__attribute__((noinline)) static long
recurse(long n)
{
	return n < 2 ? n : recurse(n - 1) + recurse(n - 2);
}

static long even(long n);

__attribute__((noinline)) static long
odd(long n)
{
	return n ? even(n - 1) : 0;
}

__attribute__((noinline)) static long
even(long n)
{
	return n ? odd(n - 1) : 1;
}

__attribute__((noinline)) static long
loops(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		for (long k = 0; k < 300; k++) {
			if ((i ^ k) % 3 == 0)
				continue;
			sum += inlined(k & 15);
			if (k > 290)
				break;
		}
	return sum;
}

__attribute__((noinline)) static void
rare(void)
{
	sink++;
}

int
main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;
	char text[4000];

	loops(400 * n);
	recurse(18 + n / 2);
	even(3 * n);
	follows(1000 * n);
	for (long i = 0; i < n; i++) {
		memset(text, (int)i, sizeof(text));
		sink += in_both(i) + text[n];
	}
	other(n);
	sorted((int)n);
	if (n % 4 == 3)
		rare();
	if (n % 5)
		inlined(100000 * n);
	return 0;
}
