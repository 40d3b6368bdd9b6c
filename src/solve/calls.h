/* Inside src/solve only: the calls of a model as src/flow wants them. */
#ifndef CGVIEW_SOLVE_CALLS_H
#define CGVIEW_SOLVE_CALLS_H

#include "db/model/model.h"
#include "flow/flow.h"

/* Calls of one procedure by another, as src/flow wants them. */
struct calls {
	struct flow_call *made;         /* those that there were, and direct ones that were not */
	size_t *arc;                    /* of each of them */
	struct flow_call_range *ranges; /* all that there may have been */
	size_t *range_arc;              /* of each of them */
	size_t nr_made, nr_ranges;
	uint64_t *self_ns, *entries;    /* per procedure */
};

/* M's arcs are those of its solution. C is to be released. */
void calls_init(struct calls *c, const struct model *m);
void calls_release(struct calls *c);

/* How often PROCEDURE was called, but for calls by itself, or of its cycle but for calls within. */
uint64_t calls_into(const struct model *m, model_id procedure);
/* What arc A brings of its callee's total, or of its cycle's, if it is one from outside; else 0:
 * such calls have their share, too, though no procedure gets it. */
uint64_t calls_share_of_outside(const struct model *m, const struct model_arc *a,
				const struct flow_time *t);

#endif
