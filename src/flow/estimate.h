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

/* Maximum entropy: as close to "callers and callees are independent" as the sums allow, by
 * iterative proportional fitting, then whole numbers. SAMPLES (may be NULL): per arc, how often it
 * was seen in samples; weighed against the sums by how well these predict them. NEAR (may be
 * NULL): per arc, an earlier estimate to start from instead; that is fast, and the result stays
 * near it. */
enum flow_status estimate_entropy(struct net *block, struct push *p, const double *samples,
				  const uint64_t *near);

/* As few arcs as possible: the arc that can take the most takes it all, then the next. */
enum flow_status estimate_sparse(struct net *block, struct push *p);

/* Take all counts of open arcs off: they are left at the nodes (net->rest). */
void estimate_clear(struct net *block);

/* The value of the paper's rule for ARC, from what is left at its ends (net->rest) and the number
 * of arcs there that share it. */
uint64_t estimate_even_value(const struct net *block, const uint32_t *degree, uint32_t arc);

#endif
