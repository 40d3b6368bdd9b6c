/* Twins: sites with the same candidates, and procedures with the same callers, are one node for all
 * that follows, because counts can be exchanged freely between them. The solutions of the merged
 * network determine those of its members exactly. */
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

/* Merge the twins of MEMBERS into MERGED: its x and rest are the sums of the members'. COUNT: per
 * member node, its count (not used for outside). ALONE: per member node, 1 if it must stay alone.
 * Sums of counts never exceed 64 bits: groups that would are made smaller. All to be released in
 * any case. */
enum flow_status twins_merge(struct twins *t, struct net *merged, const struct net *members,
			     const uint64_t *count, const uint8_t *alone);
void twins_release(struct twins *t);

/* Makes the solution of MERGED (x and rest) one of MEMBERS: in proportion to the COUNT of the
 * members, every sum exact. */
enum flow_status twins_expand(const struct twins *t, const struct net *merged,
			      const uint64_t *count, struct net *members);

struct twins_interval { uint64_t lo, hi; };

/* Returns the interval of a member arc, given that of its merged arc, for one end after the other:
 * OWN is the sum of the counts at the end, OTHERS that of its twins. */
struct twins_interval twins_narrow(struct twins_interval in, uint64_t own, uint64_t others);

#endif
