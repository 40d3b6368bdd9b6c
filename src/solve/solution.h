/* The arcs of a model as a problem of the flow module: solved once, and then turned like a dial.
 * Waddell & Ashley (1999), section 6. */
#ifndef CGVIEW_SOLVE_SOLUTION
#define CGVIEW_SOLVE_SOLUTION

#include <stdbool.h>

#include "db/model/model.h"
#include "flow/flow.h"
#include "util/error.h"

struct solution;

/* Solves M's arcs (sorted by site, callee and through, each once; only these members, `unlike` and
 * `measured` are read, and their samples set) for the counts of its sites and procedures. M must
 * stay, and its sites, procedures and arcs must stay where they are. NULL and ERR: no memory, or
 * damaged. Calls that were measured and contradict the counts are cut in the arcs' `measured`;
 * EXCESS: how many. */
struct solution *solution_open(struct model *m, uint64_t *excess, struct error *err);
void solution_close(struct solution *s);

/* Store what is known into M: count, lo, hi and how of the arcs, residuals of sites and procedures.
 * To be called before anything is turned. */
void solution_store_facts(const struct solution *s, struct model *m);
/* Store the counts as they are turned now; arcs that are held, or have moved with those, get
 * pins. */
void solution_store_counts(const struct solution *s, struct model *m);

/* Finds the exact interval of arc number ARC (from 0) under the present pins. */
int solution_interval(struct solution *s, size_t arc, uint64_t *lo, uint64_t *hi,
		      struct error *err);

/* Turn an arc to COUNT and hold it there. 1: it is not possible under the other pins, nothing
 * has changed. -1 and ERR: no memory, S is to be closed; as for the two below. */
int solution_turn(struct solution *s, size_t arc, uint64_t count, struct error *err);
int solution_let_go(struct solution *s, size_t arc, struct error *err);
/* Estimates by the rule ESTIMATOR all that is not held. */
int solution_estimator(struct solution *s, enum flow_estimator estimator, struct error *err);

#endif
