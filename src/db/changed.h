/* Figures that follow from other counts of arcs than the stored ones, as the dial makes them. They
 * are rows of temporary tables in the profile's own connection; in place of each table that they
 * are about stands a view of the same name, so that whatever asks for arcs, procedures, call sites
 * or cycles sees them: listings, their order, filters and sums, trees, single rows. */
#ifndef CGVIEW_DB_CHANGED_H
#define CGVIEW_DB_CHANGED_H

#include "db/profile.h"

/* From now on the calls of P are those of M, which was loaded from the same file; NULL: those that
 * are stored. What M does not work out (total times by root) is not known meanwhile. Listings and
 * trees that are not complete must be begun anew. Nothing happens to the file. */
void profile_change(struct profile *p, const struct model *m);

/* Are there figures in rows of this kind that can be others than the stored ones? Are they? */
bool list_may_change(enum list_kind kind);
bool profile_changes(const struct profile *p, enum list_kind kind);

#endif
