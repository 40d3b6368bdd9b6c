/* Calls from outside of procedures whose addresses the program has handed out: qsort(…, compare)
 * leads to compare. */
#ifndef CGVIEW_SOLVE_CALLBACK_ARCS
#define CGVIEW_SOLVE_CALLBACK_ARCS

#include <stdbool.h>
#include <stddef.h>

#include "db/model.h"

/* Returns the site that the calls of A come from or through; 0: neither is known. */
static inline model_id
arc_origin(const struct model_arc *a)
{
	return a->site ? a->site : a->through;
}

/* M's arcs are sorted by site, callee, through; those of one callee from outside all have the count
 * (and, with FACTS, the interval) of all calls from outside. Share it among them: among the sites
 * that were executed, by the sampled stacks, else by how often they were executed. */
void through_share(struct model *m, bool facts);

#endif
