/* Aggregate times of a model whose arcs are known, in all the ways there are. */
#ifndef CGVIEW_SOLVE_AGGREGATE
#define CGVIEW_SOLVE_AGGREGATE

#include "db/model.h"
#include "util/error.h"

/* Fills what follows from arcs and self times: in procedures total_ns with its bounds,
 * centre_total_ns, root_total_ns, self_calls and cycle; in arcs time_ns, samples and differs; in
 * call sites propagated_ns; and the cycles. -1 and ERR: no memory, or counts that contradict each
 * other. */
int model_aggregate(struct model *m, struct error *err);

/* Fills only what changes with the counts of arcs and is quickly done: total_ns and cycle of
 * procedures, time_ns of arcs, propagated_ns of call sites, the cycles. */
int model_propagate(struct model *m, struct error *err);

#endif
