/* Kirchhoff: from the counters on some arcs of a procedure to the count of every arc. */
#ifndef CGVIEW_COLLECT_COUNTS_H
#define CGVIEW_COLLECT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/import/elf/tables.h"

struct counts {
	uint64_t calls;         /* entries from outside */
	uint64_t *blocks;       /* one per block */
	uint64_t *edges;        /* one per edge */
	uint32_t nr_negative;   /* arcs whose solution was below 0, set to 0 */
	uint64_t most_negative; /* the largest amount below 0 among them */
	uint64_t extra_returns; /* from calls, more than there were calls: what fork() does; not
				 * among the negative ones, and all counts are right */
	bool unsolved;          /* arcs without counters were no spanning tree; those left are 0 */
};

/* Room that is reused from procedure to procedure: zero it first, release it last. */
struct counts_room {
	struct counts result;
	struct counts_vertex *vertices;
	uint32_t *queue;
	struct counts_leaf *leaves;
	size_t vertices_alloc, queue_alloc, blocks_alloc, edges_alloc, leaves_alloc;
};

/* Solves P from its own COUNTERS and, when P follows, from how often others called it (CALLS,
 * without its calls of itself). The result is valid until the next call. */
const struct counts *counts_solve(struct counts_room *room, const struct table_procedure *p,
				  const uint64_t *counters, uint64_t calls);
/* How a sum of P's counts follows from its counters: sets FACTORS, one for each counter and one
 * behind them for that which it does without, so that the counters times these are the sum of all
 * arcs' counts (blocks, then edges) times WEIGHTS, one for each. False: the counters do not
 * determine the counts. */
bool counts_factors(struct counts_room *room, const struct table_procedure *p,
		    const int64_t *weights, int64_t *factors);
/* Returns the arc by which P is entered, as a number among these; UINT32_MAX: none. */
uint32_t counts_entry(const struct table_procedure *p);
/* P will be solved soon: what is needed of its tables comes into the caches, where nothing of them
 * is after a second without. */
void counts_expect(const struct table_procedure *p);
/* Does SITE, of the same unit, call P by its name? */
bool counts_calls(const struct table_site *site, const struct table_procedure *p);
void counts_release(struct counts_room *room);

#endif
