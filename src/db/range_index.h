/* The R*Tree over source ranges, built in one go. Inserting row by row costs 13 µs a range, which
 * is two seconds for a large program; packing the nodes ourselves costs a fiftieth. The layout of
 * the nodes is that of "The SQLite R*Tree Module", section "Shadow Tables". */
#ifndef CGVIEW_DB_RANGE_INDEX_H
#define CGVIEW_DB_RANGE_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct sqlite3;

struct range_box {
	int64_t id;
	int32_t first_file, last_file, first_line, last_line; /* order of the columns */
};

/* Fill the empty table range_index with BOXES, whose ids are different and 1..LAST_ID; the array is
 * used up. Returns an SQLite code; the message is sqlite3_errmsg(db). */
int range_index_build(struct sqlite3 *db, struct range_box *boxes, size_t nr, size_t last_id);

#endif
