/* Inside src/db only: all arcs between two procedures as one, in a temporary table that has the
 * columns of the table of arcs. It is filled one arc at a time, so that its user can pause. */
#ifndef CGVIEW_DB_ARC_GROUPS_H
#define CGVIEW_DB_ARC_GROUPS_H

#include "db/store/profile.h"

/* What the arcs of a group have in common, of the arc A in SQL: the procedure at that end, or what
 * is known of it where it is outside of the profile. */
#define GROUP_NAMED "CASE WHEN substr(g.target, -8) = '@outside' " \
	"THEN substr(g.target, 1, length(g.target) - 8) ELSE g.target END"
#define CALLER_OF(a) "coalesce(" a ".caller, -" a ".id)"
#define CALLEE_OF(a) \
	"coalesce(" a ".callee, (SELECT " GROUP_NAMED " FROM call_site g " \
	"WHERE g.id = " a ".site AND g.kind = 'direct'), -" a ".id)"

/* How much the count of arc A may lack: what its call site lacks; if the site does not determine
 * the callee, also what the callee's count lacks. */
#define ARC_LACKING \
	"(SELECT min(9223372036854775807, coalesce(max(g.lacking), 0) + " \
	"iif(a.how = 'measured' OR max(g.kind) = 'direct', " \
	"0, coalesce((SELECT e.lacking FROM procedure e WHERE e.id = a.callee), 0))) " \
	"FROM call_site g WHERE g.id = coalesce(a.site, a.through))"

struct arc_groups;
/* A table that may have rows of before. */
struct arc_groups *arc_groups_new(struct profile *p, enum list_group by, bool only_possible);
/* Removes some of these rows; true: none is left. */
enum { ARC_GROUPS_BATCH = 500 /* as its SQL says */ };
bool arc_groups_empty(struct arc_groups *g);
/* The table is temp.arc_group_N, with this N. */
unsigned arc_groups_table(const struct arc_groups *g);
/* The arc becomes part of its group. WANTED: and the group is one that is looked for. */
void arc_groups_add(struct arc_groups *g, int64_t arc, bool wanted);
/* So it is, because of this arc. */
void arc_groups_want(struct arc_groups *g, int64_t arc);
void arc_groups_filled(struct arc_groups *g);
/* NULL: nothing. */
void arc_groups_free(struct arc_groups *g);

#endif
