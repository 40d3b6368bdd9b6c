/* Things whose growth is known, and how many executions of it can be counted by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long steps;

static void
cube(int n)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			for (int m = 0; m < n; m++)
				steps++;
}

static void
square(int n)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			steps++;
}

static void
sort(int *from, int *to, int n)
{
	int half = n / 2;

	if (n < 2)
		return;
	sort(from, to, half);
	sort(from + half, to, n - half);
	for (int i = 0, a = 0, b = half; i < n; i++)
		to[i] = a < half && (b == n || from[a] <= from[b]) ? from[a++] : from[b++];
	memcpy(from, to, (size_t)n * sizeof(*from));
}

static void
divide(int n)
{
	for (; n > 1; n /= 2)
		steps++;
}

static void
root(int n)
{
	for (int i = 1; i * i <= n; i++)
		steps++;
}

static void
both(int n)
{
	for (int i = 0; i < n + 5000; i++)
		steps++;
}

static void
late(int n)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			steps++;
}

static void
same(int n)
{
	for (int i = 0; i < 100 + 0 * n; i++)
		steps++;
}

/* Keys that no other bucket has: a step each. */
static void
table(int n)
{
	int *buckets = calloc((size_t)n, sizeof(*buckets));

	for (int key = 0; key < n; key++) {
		int at = (int)(key * 7919L % n);

		while (buckets[at] && buckets[at] != key + 1)
			at = (at + 1) % n;
		buckets[at] = key + 1;
	}
	free(buckets);
}

static int
fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void
subsets(int n)
{
	if (!n) {
		steps++;
		return;
	}
	subsets(n - 1);
	subsets(n - 1);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	int *a, *b;

	if (argc > 2) { /* what must stay small */
		subsets(n);
		printf("%d %lu\n", fibonacci(n), steps);
		return 0;
	}
	a = malloc((size_t)n * sizeof(*a));
	b = malloc((size_t)n * sizeof(*b));
	srand(1);
	for (int i = 0; i < n; i++)
		a[i] = rand();
	cube(n);
	square(n);
	sort(a, b, n);
	divide(n);
	root(n);
	both(n);
	if (n > 100)
		late(n);
	same(n);
	table(n);
	printf("%lu\n", steps);
	free(a);
	free(b);
	return 0;
}
