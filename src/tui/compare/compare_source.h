/* A source text in a comparison: its margin and its colours. */
#ifndef CGVIEW_TUI_COMPARE_SOURCE_H
#define CGVIEW_TUI_COMPARE_SOURCE_H

#include "show/paint.h"
#include "tui/compare/compare.h"
#include "tui/views/source_view.h"
#include "tui/screen/draw.h"

struct browser;

/* Returns the value of a whole line; NULL: none. Valid until the next call of compare_values(). */
const struct compare_value *compare_value_of_line(struct browser *b, const struct compare_source *s,
						  uint32_t line);
/* Appends a line's figure in CELL; nothing where there is none. */
void compare_print_cell(struct browser *b, const struct source_cell *cell,
			const struct compare_value *v, struct strbuf *out, enum role *role);

/* Sets the cells of the margin in a pane of WIDTH; returns how many. */
int compare_cells(const struct browser *b, int width, struct source_cell *cells);

/* Returns "~" when the line has another text in the other profile; "-", "+" when it is only in the
 * first, the last one; otherwise "". */
const char *compare_line_mark(struct browser *b, const struct compare_source *s, uint32_t line,
			      enum role *role);

/* Sets the roles of LINE, as paint_line() does. */
void compare_paint(struct browser *b, const struct compare_source *s, struct painted *vis,
		   uint32_t line);

#endif
