/* Twins: sites with the same candidates, and procedures with the same callers, are one node for
 * all that follows, because counts can be exchanged freely between them. The solutions of the
 * merged network tell exactly those of its members. */
#ifndef CGVIEW_FLOW_TWINS_H
#define CGVIEW_FLOW_TWINS_H

#include "flow/net.h"

struct twins {
	uint32_t *group;         /* per member node: its node in the merged network */
	uint32_t *member_start;  /* per merged node + 1: its places in member */
	uint32_t *member;        /* nodes, ascending within a group; the first speaks for it */
	uint32_t *merged_arc;    /* per member arc */
	uint32_t *first_arc;     /* per merged arc: its arc between the first members */
};

/* Merge the twins of MEMBERS into MERGED (its x is 0, its rest the sum of the members'). WEIGHT
 * (may be NULL): per member arc, what is known about it; nodes with such an arc stay alone. Sums
 * never exceed 64 bits: groups that would are made smaller. All to be released in any case. */
enum flow_status twins_merge(struct twins *t, struct net *merged, const struct net *members,
			     const double *weight);
void twins_release(struct twins *t);

/* From the solution of MERGED (x and rest) one of MEMBERS: in proportion to the counts of the
 * members, every sum exact. MEMBERS' rest must be the counts as twins_merge() saw them and x 0. */
enum flow_status twins_expand(const struct twins *t, const struct net *merged, struct net *members);

struct twins_interval { uint64_t lo, hi; };

/* The interval of member arc ARC when that of its merged arc is [lo, hi]. TOTAL, MERGED_TOTAL: sum
 * of the counts at each member and each merged node. */
struct twins_interval twins_narrow(const struct twins *t, const struct net *members, uint32_t arc,
				   const uint64_t *total, const uint64_t *merged_total,
				   struct twins_interval merged);

#endif
