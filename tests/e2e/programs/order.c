/* Loops with a test at their begin, which is too large to be copied before them. */
#include <stdlib.h>

struct entry {
	int key, value;
	char x, y, depth;
} *table;
int last = 1000;
volatile int found;

__attribute__((noinline)) void
clear(void)
{
	for (int i = 0; i <= last; i++)
		table[i].key = table[i].depth = 0; /* CLEARED */
}

__attribute__((noinline)) int
find(const struct entry *e, int key)
{
	int n = 0;

	while (e->key != key && e->depth <= 2 && n < last) {
		n += e->x; /* PASSED */
		e++;
	}
	return n;
}

int
main(void)
{
	table = calloc((size_t)last + 1, sizeof(*table));
	for (int i = 0; i < 50; i++)
		clear();
	for (int i = 0; i < last; i++) {
		table[i].key = i;
		table[i].x = 1;
	}
	for (int i = 0; i < last; i++)
		found = find(table, i);
	return 0;
}
