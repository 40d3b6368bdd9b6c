/* The call graph for aggregate times: calls sorted and equal ones merged into arcs, and its
 * strongly connected components. Internal to src/flow. */
#ifndef CGVIEW_FLOW_CALLGRAPH_H
#define CGVIEW_FLOW_CALLGRAPH_H

#include "flow/flow.h"

struct call_graph {
	size_t nr, nr_calls, nr_arcs;
	struct flow_call *arcs;   /* one per pair; by caller, then in the order of the input */
	uint32_t *order;          /* calls of the input, those of an arc side by side */
	size_t *first;            /* per arc + 1: its calls in order[] */
	size_t *start;            /* per procedure + 1: its arcs as caller */
	uint32_t *component;      /* per procedure; callees' components have lower numbers */
	size_t nr_components;
};

/* Finds arcs and components of CALLS. FLOW_BAD_INPUT: a procedure beyond NR. G is to be released in
 * any case. */
enum flow_status call_graph_init(struct call_graph *g, size_t nr, const struct flow_call *calls,
				 size_t nr_calls);
void call_graph_release(struct call_graph *g);

static inline uint64_t
add_saturated(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Returns the share of TOTAL that CALLS out of ENTRIES get, rounded down; 0 of 0 is 0. */
uint64_t time_share(uint64_t total, unsigned __int128 calls, unsigned __int128 entries);

/* FLOW_BAD_INPUT when the sum of the times does not fit. */
enum flow_status time_check_sum(const uint64_t *self_ns, size_t nr);

#endif
