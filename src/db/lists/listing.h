/* Inside src/db and its tests only: the SQL behind a listing. */
#ifndef CGVIEW_DB_LISTING_H
#define CGVIEW_DB_LISTING_H

#include "db/store/profile.h"
#include "util/mem.h"

/* Appends the query for the ids of Q in their order; BACKWARD: from the last one. */
void listing_ids_sql(const struct list_query *q, bool backward, struct strbuf *sql);

/* Appends the query for the sums over the rows of Q: the id, and the columns that add up. */
void listing_sums_sql(const struct list_query *q, struct strbuf *sql);

/* Appends the query for the columns of the row of Q with the id ?1. */
void listing_row_sql(const struct list_query *q, struct strbuf *sql);

/* Does an index give the ids in this order, so that the first ones cost nothing? */
bool listing_is_indexed(const struct list_query *q);

/* Do rows come in their order without sorting? Only an index can give it, if no other is needed. */
bool listing_comes_in_order(const struct list_query *q);

/* Are they the spots of a file, wanted one by one in their order? Most are in few files, and the
 * first ones are found sooner in the order of all spots than all spots of a file can be sorted. */
bool listing_by_hottest(const struct list_query *q);

/* Is anything asked of rows? Rows of one kind of things count as a table of their own: THINGS is no
 * restriction. */
bool listing_is_restricted(const struct list_query *q);

/* Is anything asked that no index looks up, so that each row tells whether it is wanted? */
bool listing_checks(const struct list_query *q);

/* Sets DOWN to the terms that descend: those of the column, then the id. Returns their number. */
int listing_terms(const struct list_query *q, bool backward, bool down[LIST_MAX_TERMS + 1]);

#endif
