/* What the compiler splits off from a procedure to inline the rest of it, and then brings back into
 * the procedure itself; and one that does call itself. */
#include <stdlib.h>

struct buffer { unsigned long *items; unsigned nr, size; };

static volatile unsigned long sink;

/* Its begin is worth inlining, the rest is split off. */
static void
put(struct buffer *b, unsigned long n)
{
	if (b) {
		for (unsigned i = 0; i < 40; i++)
			n = n * 31 / (i + 7) + (n >> 3);
		b->items[b->nr++] = n;
	}
}

void (*volatile by_pointer)(struct buffer *, unsigned long) = put;

static unsigned long
sum(const struct buffer *b, unsigned from, unsigned to)
{
	return from + 1 < to ? sum(b, from, (from + to) / 2) + sum(b, (from + to) / 2, to)
			     : b->items[from] / (from | 1);
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	struct buffer b = { malloc(100 * sizeof(*b.items)), 0, 100 };

	while (n--) {
		for (b.nr = 0; b.nr < 99;)
			by_pointer(&b, n);
		sink += sum(&b, 0, 99);
	}
	free(b.items);
	return 0;
}
