/* What all arcs of a listing have together, added up a few at a time: there may be as many as a
 * program has calls. */
#ifndef CGVIEW_DB_ARC_SUMS_H
#define CGVIEW_DB_ARC_SUMS_H

#include "db/profile.h"

struct arc_sums {
	uint64_t count;          /* of calls; stops at the greatest there is */
	bool estimated;          /* one of them is, or is pinned */
};

/* Of the arcs that Q asks for (caller, callee, site, only_possible), whatever restricts it
 * besides. */
struct arc_sum;
struct arc_sum *arc_sum_begin(struct profile *p, const struct list_query *q);
/* Go on until all is done (true: *SUMS), or ENOUGH(CONTEXT) (NULL: never). */
bool arc_sum_work(struct arc_sum *s, bool (*enough)(void *context), void *context,
		  struct arc_sums *sums);
void arc_sum_end(struct arc_sum *s);

#endif
