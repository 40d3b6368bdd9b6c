/* Calls from outside of procedures whose addresses the program has handed out: qsort(…, compare)
 * leads to compare. */
#ifndef CGVIEW_SOLVE_CALLBACK_ARCS
#define CGVIEW_SOLVE_CALLBACK_ARCS

#include <stdbool.h>
#include <stddef.h>

#include "db/model/model.h"

/* Returns the site that the calls of A come from or through; 0: neither is known. */
static inline model_id
arc_origin(const struct model_arc *a)
{
	return a->site ? a->site : a->through;
}

/* Does code that was not profiled stand between context C and the profiled procedure around it? If
 * so *SITE is the call that leads into it; 0: there is none, or it is not known. */
bool context_below(const struct model *m, const struct model_context *c, model_id *site);

/* Returns, per context, the nearest one above it that has the same procedure; 0: there is none, or
 * it has no procedure. Heap, by id - 1. O(contexts), however deep they are. */
model_id *contexts_above(const struct model *m);

/* Does a call that names TARGET call what it is given, and only while it lasts? */
bool calls_what_it_gets(const char *target);

/* M's arcs are sorted by site, callee, through; those of one callee from outside all have the count
 * (and, with FACTS, the interval) of all calls from outside. Share it among them: by the sampled
 * stacks, also those below other calls, which the arc without a site has; else among the sites that
 * were executed, by how often they were. */
void through_share(struct model *m, bool facts);

#endif
