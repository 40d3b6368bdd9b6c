/* Things that live elsewhere are put in order by their numbers, a few at a time (slicesort.h).
 * Equals stay as they were. */
#ifndef CGVIEW_UTIL_LONG_SORT_H
#define CGVIEW_UTIL_LONG_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/slicesort.h"

struct long_sort {
	uint32_t *order;
	struct slice_sort slices;
};
#define LONG_SORT_INIT { .order = NULL }

/* < 0, 0, > 0 as in qsort(), of things number A and B. */
typedef int long_sort_compare(const void *context, uint32_t a, uint32_t b);

/* Things 0 .. NR - 1, in that order to begin with. */
void long_sort_begin(struct long_sort *s, size_t nr);
/* Some hundred steps. True: there is nothing left to do. */
bool long_sort_work(struct long_sort *s, long_sort_compare *compare, const void *context);
/* All numbers in order, when the work is done; heap, the caller's from then on. */
uint32_t *long_sort_take(struct long_sort *s);
/* How much is done, 0 to 100. */
unsigned long_sort_percent(const struct long_sort *s);
void long_sort_release(struct long_sort *s);

#endif
