/* The rows of a query, packed: as many as there is room for. Private to src/tui. */
#ifndef CGVIEW_TUI_QUERY_ROWS_H
#define CGVIEW_TUI_QUERY_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/store/sql.h"

/* The limits: of memory, and of the bytes of a text. */
enum { QUERY_ROWS_MAX = 100000, QUERY_ROWS_BYTES = 8 << 20, QUERY_ROWS_CELL = 4096 };

struct query_rows {
	int nr_columns;
	unsigned char *bytes;    /* the cells, one behind the other */
	size_t len, alloc;
	uint32_t *at;            /* by row: where its first cell is */
	size_t nr, at_alloc;
};

/* Adds a row. Returns false when there is no room. */
bool query_rows_add(struct query_rows *r, const struct sql_cell *cells);
/* Returns in *CELL what was added; its text is the rows', and "" for an integer:
 * query_rows_text(). */
void query_rows_cell(const struct query_rows *r, size_t row, int column, struct sql_cell *cell);
/* Appends the text of a cell. */
struct strbuf;
void query_rows_text(const struct query_rows *r, size_t row, int column, struct strbuf *out);
/* Compares as SQLite orders values: NULL, numbers, texts, blobs (by their size). */
int query_rows_compare(const struct query_rows *r, int column, size_t a, size_t b);
void query_rows_release(struct query_rows *r);

#endif
