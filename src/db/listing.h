/* Inside src/db and its tests only: the SQL behind a listing. */
#ifndef CGVIEW_DB_LISTING_H
#define CGVIEW_DB_LISTING_H

#include "db/profile.h"
#include "util/mem.h"

/* Append the query for the ids of Q in their order, BACKWARD: from the last one. */
void listing_ids_sql(const struct list_query *q, bool backward, struct strbuf *sql);

/* Append the query for what is summed up over the rows of Q: the id, and what adds up. */
void listing_sums_sql(const struct list_query *q, struct strbuf *sql);

/* Append the query for the columns of the row of Q with the id ?1. */
void listing_row_sql(const struct list_query *q, struct strbuf *sql);

/* Does an index give the ids in this order, so that the first ones cost nothing? */
bool listing_is_indexed(const struct list_query *q);

#endif
