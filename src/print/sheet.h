/* Prints a table of texts with its columns aligned. */
#ifndef CGVIEW_PRINT_SHEET
#define CGVIEW_PRINT_SHEET

#include <stdbool.h>
#include <stddef.h>

#include "util/mem.h"

enum {
	SHEET_MAX_COLUMNS = 128,
	SHEET_MAX_WIDTH = 60, /* a name of 2,000 bytes (C++ has them) does not move all others */
};

struct sheet {
	int nr_columns, width[SHEET_MAX_COLUMNS];
	bool right[SHEET_MAX_COLUMNS], hidden[SHEET_MAX_COLUMNS];
	char **cells;            /* row by row */
	size_t nr_cells, cells_alloc;
};
#define SHEET_INIT { .nr_columns = 0 }

/* Adds a column; called before the first row. */
void sheet_column(struct sheet *s, const char *header, bool right);
/* Adds the next cell; takes what is in TEXT, which must be safe for the terminal. */
void sheet_cell(struct sheet *s, struct strbuf *text);
void sheet_print(const struct sheet *s);
void sheet_release(struct sheet *s);

#endif
