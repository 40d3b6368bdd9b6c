/* One solution out of many. Each estimator gets a block that holds some solution and leaves another
 * one in it: the sums at its nodes stay, so every count is within its interval. Outside is two
 * nodes like others there (net_split_outside()). */
#ifndef CGVIEW_FLOW_ESTIMATE_H
#define CGVIEW_FLOW_ESTIMATE_H

#include "flow/push.h"

/* The paper's rule: an arc gets the smaller of its ends' counts divided by the number of that
 * end's arcs, as if each were equally likely. Here arc after arc is turned to that value, as far
 * as the sums allow, and kept while the next ones are. When BUDGET (in push work) is used up, the
 * values of the rest are set at once and the sums repaired. */
enum flow_status estimate_even(struct net *block, struct push *p, uint64_t budget);

/* What is likely: an arc between a site and a procedure whose counts are the same, as those of no
 * other of their arcs are, carries them all; the rest goes by the paper's rule. Then, where there
 * are SAMPLES (may be NULL: per arc, how many of the callee's were seen to come by it), each
 * callee's calls are shared as these say, weighed against the former by how well that predicts
 * them, and fitted to the sums. */
enum flow_status estimate_likely(struct net *block, struct push *p, uint64_t budget,
				 const double *samples);

/* Maximum entropy: as close to "callers and callees are independent" as the sums allow, by
 * iterative proportional fitting, then whole numbers. NEAR (may be NULL): per arc, an earlier
 * estimate to start from instead; that is fast, and the result stays near it. */
enum flow_status estimate_entropy(struct net *block, struct push *p, const uint64_t *near);

/* As close to WEIGHT (per arc, not negative) as the sums allow, by the same fitting. */
enum flow_status estimate_fit(struct net *block, struct push *p, const double *weight);

/* Arc after arc of a block is turned to a value and kept, as far as BUDGET goes. */
struct turns {
	struct net *net;
	struct push *push;
	uint32_t *degree;          /* per node: its arcs that are not kept yet */
	uint64_t end;
};
enum flow_status turns_begin(struct turns *t, struct net *block, struct push *p, uint64_t budget);
/* Turns ARC, unless it is kept already, as near to VALUE as the others can make up for. */
void turns_make(struct turns *t, uint32_t arc, uint64_t value);
/* Turns the rest to the values of the paper's rule, and releases T. */
void turns_end(struct turns *t);

/* X as a count. */
static inline uint64_t
estimate_whole(double x)
{
	if (!(x > 0))
		return 0;
	return x < 18446744073709549568.0 ? (uint64_t)x : UINT64_MAX;
}

/* Take all counts of open arcs off: they are left at the nodes (net->rest). */
void estimate_clear(struct net *block);

#endif
