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
	uint64_t *count;               /* per node of members: what its arcs must add up to */
	uint64_t *residual;            /* per node of members: what it has beyond that */
	uint8_t *alone;                /* per node of members: it has no twins */
	double *samples;               /* per arc of members, or NULL */
	uint8_t *unlikely;             /* per arc of members, or NULL: none is */
	struct twins twins;
	struct net merged;             /* members with twins merged; holds a solution */
	uint8_t *merged_unlikely;
	struct blocks blocks;          /* of merged */
	struct bounds bounds;          /* per arc of merged */
	struct push push;
	uint32_t *number;              /* scratch for net_part() on members or merged */
};

/* Does everything up to a solution with minimal residual and the blocks of free arcs. X: as
 * graph_init(). S is to be released in any case. */
enum flow_status solver_init(struct flow_solver *s, const struct flow_problem *problem,
			     const struct flow_options *options, uint64_t *x);
void solver_release(struct flow_solver *s);

/* Finds the intervals of the merged arcs. */
enum flow_status solver_bound(struct flow_solver *s, enum flow_bounds how);

/* A part of the merged network that has changed: arcs of block NUMBER, as the blocks were before.
 */
struct solver_region {
	const uint32_t *block;         /* per merged arc */
	uint32_t number;
	const uint64_t *before;        /* per merged arc: its count before the change; or NULL */
};

/* Finds the estimator's solution, down to the members. REGION (may be NULL): only that has changed;
 * large blocks stay near what they were. */
enum flow_status solver_estimate(struct flow_solver *s, enum flow_estimator estimator,
				 const struct solver_region *region);

/* Merge twins anew, after ALONE has changed; the solution stays. */
enum flow_status solver_regroup(struct flow_solver *s);

/* Finds the exact interval of arc K of members. */
enum flow_status solver_interval(struct flow_solver *s, uint32_t k, struct twins_interval *in);

/* Makes a result with all arrays for PROBLEM; R is to be released in any case. */
enum flow_status solver_result_init(struct flow_result *r, const struct flow_problem *problem);

/* Stores everything into R, whose count is X of solver_init(). */
enum flow_status solver_store(const struct flow_solver *s, struct flow_result *r);

/* Stores what a turn of the dial can change into R: counts, and intervals that have become a single
 * value. */
enum flow_status solver_store_turn(const struct flow_solver *s, struct flow_result *r);

#endif
