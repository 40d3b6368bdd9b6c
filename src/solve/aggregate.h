/* Aggregate times of a model whose arcs are known, in all the ways there are. */
#ifndef CGVIEW_SOLVE_AGGREGATE
#define CGVIEW_SOLVE_AGGREGATE

#include "db/model/model.h"
#include "util/error.h"

/* Fills what follows from arcs, self times and stacks: in procedures propagated_ns with its bounds,
 * centre_total_ns, differs, self_calls and cycle; in arcs propagated_ns, samples, total_samples,
 * pair_samples, total_ns and differs; in call sites propagated_ns; and the cycles. -1 and ERR: no
 * memory, or counts that contradict each other. */
int model_aggregate(struct model *m, struct error *err);

/* Counts the stacks that pass through each arc: total_samples; and in INNERMOST (per arc, zero
 * before) those that got to its callee last by it. M's arcs are sorted. */
void model_count_passes(struct model *m, double *innermost);

/* Fills only what changes with the counts of arcs and is quickly done: propagated_ns of procedures,
 * arcs, call sites and cycles, which procedures are in which cycle, and the cycles' total_ns. */
int model_propagate(struct model *m, struct error *err);

#endif
