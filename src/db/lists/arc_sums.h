/* Sums over all arcs of a listing, added up a few at a time, as there may be millions. */
#ifndef CGVIEW_DB_ARC_SUMS_H
#define CGVIEW_DB_ARC_SUMS_H

#include "db/store/profile.h"

struct arc_sums {
	uint64_t count;          /* sum of the counts; stops at the greatest number */
	bool estimated;          /* one of them is, or is pinned */
};

/* Sums up the arcs that Q asks for by caller, callee, site and only_possible; its other
 * restrictions are ignored. */
struct arc_sum;
struct arc_sum *arc_sum_begin(struct profile *p, const struct list_query *q);
/* Goes on until all is done (returns true, with *SUMS) or ENOUGH(CONTEXT) says so (NULL: never). */
bool arc_sum_work(struct arc_sum *s, bool (*enough)(void *context), void *context,
		  struct arc_sums *sums);
void arc_sum_end(struct arc_sum *s);

#endif
