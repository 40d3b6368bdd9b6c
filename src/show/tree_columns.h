/* The columns of rows of a tree of calls, for the browser and for reports, and their cells. */
#ifndef CGVIEW_SHOW_TREE_COLUMNS_H
#define CGVIEW_SHOW_TREE_COLUMNS_H

#include "show/columns.h"
#include "show/tree_rows.h"

/* What a comparison knows of a joined tree. */
struct tree_compared {
	size_t nr;               /* profiles; 0: it is none */
	bool timed;              /* its figures are times */
};

/* Makes C, which is zeroed or was made before, those of O's rows. */
void tree_columns_make(struct column_set *c, const struct tree_rows *o,
		       const struct tree_compared *compared, bool ascii);
/* Returns what their cells are printed with. */
struct cell_context tree_cell_context(const struct tree_rows *o, bool ascii);
/* Fills cells of ROW with how evenly ranks, or runs, have what E tells. */
void tree_put_evenness(struct list_row *row, struct tree_evenness e);
/* Fills ROW with the figures of the row of NODE, but for its names, its place and what
 * compares. */
void tree_cells(struct tree_rows *o, uint32_t node, struct list_row *row);

#endif
