/* What can be short in a procedure: where a thread ended in a loop whose counts are stored behind
 * it (plugin/sums.c), what it did there in that run of the loop is not counted. */
#ifndef CGVIEW_COLLECT_LACKING_H
#define CGVIEW_COLLECT_LACKING_H

#include <stddef.h>
#include <stdint.h>

#include "collect/import/elf/tables.h"

/* Room that is used again from procedure to procedure. Begin with all zero. */
struct lacking_room {
	uint64_t *blocks;
	uint32_t *state, *stack;   /* per vertex */
	uint32_t *first, *next;    /* arcs that are not known exactly, by either end */
	size_t blocks_alloc, state_alloc, stack_alloc, first_alloc, next_alloc;
};

struct lacking {
	const uint64_t *blocks;    /* per block; NULL: all counts are exact. ROOM's */
	uint64_t calls;            /* of its entries */
};

/* How many runs of loops each block of P can lack, at least. COUNTERS: how many each of P's
 * counters can; NULL: none. CALLS: how many its entries can, where these follow from the calls. */
struct lacking lacking_find(struct lacking_room *room, const struct table_procedure *p,
			    const uint64_t *counters, uint64_t calls);
void lacking_release(struct lacking_room *room);

#endif
