/* calls AMOUNT: tiny recursive procedures and callbacks, with little else to do. */
#include <stdio.h>
#include <stdlib.h>

static int
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int
tak(int x, int y, int z)
{
	return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

static int
queens(unsigned all, unsigned columns, unsigned left, unsigned right)
{
	unsigned free = all & ~(columns | left | right), place;
	int found = 0;

	if (columns == all)
		return 1;
	for (; free; free &= free - 1) {
		place = free & -free;
		found += queens(all, columns | place, (left | place) << 1, (right | place) >> 1);
	}
	return found;
}

static int
compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static unsigned
sort(unsigned seed)
{
	static int numbers[20000];
	int n = sizeof(numbers) / sizeof(*numbers);

	for (int i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		numbers[i] = (int)(seed >> 1);
	}
	qsort(numbers, (size_t)n, sizeof(*numbers), compare);
	return (unsigned)numbers[n / 2];
}

struct tree {
	struct tree *left, *right;
	int key;
};

static void
walk(const struct tree *t, void (*visit)(const struct tree *, void *), void *argument)
{
	if (!t)
		return;
	walk(t->left, visit, argument);
	visit(t, argument);
	walk(t->right, visit, argument);
}

static void
add_key(const struct tree *t, void *sum)
{
	*(unsigned *)sum += (unsigned)t->key;
}

static void
weigh_key(const struct tree *t, void *sum)
{
	*(unsigned *)sum = *(unsigned *)sum * 31 + (unsigned)t->key;
}

static struct tree *
grow(int lo, int hi)
{
	struct tree *t = lo < hi ? malloc(sizeof(*t)) : NULL;
	int key = (lo + hi) / 2;

	if (t)
		*t = (struct tree){ grow(lo, key), grow(key + 1, hi), key };
	return t;
}

static unsigned add(unsigned a) { return a + 3; }
static unsigned twist(unsigned a) { return a ^ a >> 3; }
static unsigned turn(unsigned a) { return a << 1 | a >> 31; }

static unsigned
dispatch(unsigned n)
{
	static unsigned (*const steps[])(unsigned) = { add, twist, turn, add };
	unsigned a = n;

	for (unsigned i = 0; i < n; i++)
		a = steps[(a >> 5) & 3](a);
	return a;
}

int
main(int argc, char **argv)
{
	int amount = argc > 1 ? atoi(argv[1]) : 1;
	struct tree *tree = grow(0, 20000);
	unsigned sum = 0;

	for (int i = 0; i < amount; i++) {
		sum += (unsigned)fib(26);
		sum += (unsigned)tak(14, 8, i % 3);
		sum += (unsigned)queens((1u << 8) - 1, 0, 0, 0);
		sum += sort((unsigned)i);
		walk(tree, i & 1 ? add_key : weigh_key, &sum);
		sum += dispatch(300000);
	}
	printf("%u\n", sum);
	return 0;
}
