#include "compare/match/tally.h"

#include <stdlib.h>

#include "util/mem.h"

void
tally_init(struct tally *t, size_t nr)
{
	*t = (struct tally){ .sums = xcalloc(nr, sizeof(*t->sums)) };
}

void
tally_release(struct tally *t)
{
	free(t->sums);
	free(t->items);
}

void
tally_add(struct tally *t, uint32_t item, float weight)
{
	if (!t->sums[item]) {
		GROW(t->items, t->nr_items + 1, t->alloc);
		t->items[t->nr_items++] = item;
	}
	t->sums[item] += weight;
}

size_t
tally_take(struct tally *t, uint32_t *best, size_t most)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_items; i++) {
		uint32_t item = t->items[i];
		size_t at = nr < most ? nr++ : nr;

		for (; at && t->sums[best[at - 1]] < t->sums[item]; at--)
			if (at < most)
				best[at] = best[at - 1];
		if (at < most)
			best[at] = item;
	}
	for (size_t i = 0; i < t->nr_items; i++)
		t->sums[t->items[i]] = 0;
	t->nr_items = 0;
	return nr;
}
