/* Inside src/db and its tests only: the SQL behind a listing. */
#ifndef CGVIEW_DB_LISTING_H
#define CGVIEW_DB_LISTING_H

#include "db/profile.h"
#include "util/mem.h"

/* Appends the query for the ids of Q in their order; BACKWARD: from the last one. */
void listing_ids_sql(const struct list_query *q, bool backward, struct strbuf *sql);

/* Appends the query for the sums over the rows of Q: the id, and the columns that add up. */
void listing_sums_sql(const struct list_query *q, struct strbuf *sql);

/* Appends the query for the columns of the row of Q with the id ?1. */
void listing_row_sql(const struct list_query *q, struct strbuf *sql);

/* Does an index give the ids in this order, so that the first ones cost nothing? */
bool listing_is_indexed(const struct list_query *q);

#endif
