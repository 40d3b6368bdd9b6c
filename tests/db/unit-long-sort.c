/* Sorting a bit at a time: the same as qsort() does, equals in the order in which they came. */
#include "util/long_sort.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

static int
by_key(const void *context, uint32_t a, uint32_t b)
{
	const uint32_t *keys = context;

	return keys[a] < keys[b] ? -1 : keys[a] > keys[b];
}

static const uint32_t *keys_of_qsort;

/* The number decides between equals: what a stable sort must come to. */
static int
compare(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int c = by_key(keys_of_qsort, a, b);

	return c ? c : a < b ? -1 : a > b;
}

static bool
is_sorted_right(size_t nr, uint32_t kinds, size_t *most_steps)
{
	uint32_t *keys = xcalloc(nr + 1, sizeof(*keys)), *want = xcalloc(nr + 1, sizeof(*want));
	struct long_sort s = LONG_SORT_INIT;
	uint32_t *order;
	size_t i, steps = 0;
	bool same = true;
	unsigned before = 0;

	for (i = 0; i < nr; i++) {
		keys[i] = kinds ? (uint32_t)rand() % kinds : (uint32_t)i;
		want[i] = (uint32_t)i;
	}
	keys_of_qsort = keys;
	qsort(want, nr, sizeof(*want), compare);
	long_sort_begin(&s, nr);
	while (!long_sort_work(&s, by_key, keys)) {
		same &= long_sort_percent(&s) >= before && long_sort_percent(&s) <= 100;
		before = long_sort_percent(&s);
		steps++;
	}
	order = long_sort_take(&s);
	for (i = 0; i < nr; i++)
		same &= order[i] == want[i];
	*most_steps = steps > *most_steps ? steps : *most_steps;
	free(order);
	free(keys);
	free(want);
	return same;
}

int
main(void)
{
	static const uint32_t kinds[] = { 0, 1, 2, 7, 1000000000 };
	static const size_t sizes[] = { 0, 1, 2, 3, 4, 5, 255, 256, 257, 1000, 4096, 30001 };
	bool right = true;
	size_t steps = 0;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
			if (is_sorted_right(sizes[i], kinds[k], &steps))
				continue;
			printf("# %zu things of %u kinds\n", sizes[i], (unsigned)kinds[k]);
			right = false;
		}
	}
	printf("%s - sorted as by qsort()\n", right ? "ok" : "not ok");
	printf("%s - it is not done at once\n", steps > 100 ? "ok" : "not ok");
	return !right || steps <= 100;
}
