/* Inside src/compare: sums for some of many items, and those with the greatest. */
#ifndef CGVIEW_COMPARE_TALLY_H
#define CGVIEW_COMPARE_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct tally {
	float *sums;             /* [item] */
	uint32_t *items;         /* those that have a sum */
	size_t nr_items, alloc;
};

/* NR: items that there can be. */
void tally_init(struct tally *t, size_t nr);
void tally_release(struct tally *t);
void tally_add(struct tally *t, uint32_t item, float weight);
/* Puts the MOST items with the greatest sums into BEST, of equal ones those that came first, and
 * sets all sums to 0. Returns how many they are. */
size_t tally_take(struct tally *t, uint32_t *best, size_t most);

#endif
