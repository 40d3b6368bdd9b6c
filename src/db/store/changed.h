/* Figures that follow from other counts of arcs than the stored ones, as the dial makes them. They
 * are rows of temporary tables in the profile's connection. A view hides each table that they
 * replace, so that all queries for arcs, procedures, call sites or cycles see them: listings with
 * their order, filters and sums, trees, single rows. */
#ifndef CGVIEW_DB_CHANGED_H
#define CGVIEW_DB_CHANGED_H

#include "db/store/profile.h"

/* Makes the calls of P those of M, which was loaded from the same file, or with NULL the stored
 * ones again. Listings and trees that are not complete must be begun anew. The file stays as it
 * is. */
void profile_change(struct profile *p, const struct model *m);

/* Can rows of this kind have other figures than the stored ones? Have they now? */
bool list_may_change(enum list_kind kind);
bool profile_changes(const struct profile *p, enum list_kind kind);

#endif
