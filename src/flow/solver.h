/* The way of a problem through the steps, and what stays in memory for further questions. */
#ifndef CGVIEW_FLOW_SOLVER_H
#define CGVIEW_FLOW_SOLVER_H

#include "flow/bounds.h"
#include "flow/graph.h"
#include "flow/net.h"
#include "flow/push.h"
#include "flow/tight.h"
#include "flow/twins.h"

struct flow_solver {
	struct graph graph;            /* all arcs; those that peeling settled are done */
	struct net members;            /* the others */
	uint32_t *ids;                 /* per arc of members: the problem's arc */
	double *samples;               /* per arc of members, or NULL */
	struct twins twins;
	struct net merged;             /* members with twins merged; always holds a solution */
	double *merged_samples;
	struct blocks blocks;          /* of merged */
	struct bounds bounds;          /* per arc of merged */
	struct push push;
	uint32_t *number;              /* scratch for net_part() on members or merged */
};

/* Everything up to a solution with minimal residual and the blocks of free arcs. X: as
 * graph_init(). S is to be released in any case. */
enum flow_status solver_init(struct flow_solver *s, const struct flow_problem *problem,
			     const struct flow_options *options, uint64_t *x);
void solver_release(struct flow_solver *s);

/* Intervals of the merged arcs. */
enum flow_status solver_bound(struct flow_solver *s, enum flow_bounds how);

/* The estimator's solution, down to the members. */
enum flow_status solver_estimate(struct flow_solver *s, enum flow_estimator estimator);

/* Everything into R, whose count is X of solver_init() and whose other arrays exist. */
enum flow_status solver_store(const struct flow_solver *s, struct flow_result *r);

#endif
