/* A source text in a comparison: what its margin and its colours are. */
#ifndef CGVIEW_TUI_COMPARE_SOURCE_H
#define CGVIEW_TUI_COMPARE_SOURCE_H

#include "show/paint.h"
#include "tui/compare.h"
#include "tui/source_view.h"
#include "tui/draw.h"

struct browser;

/* The value of a line as a whole; NULL: none. Valid until the next call of compare_values(). */
const struct compare_value *compare_value_of_line(struct browser *b, const struct compare_source *s,
						  uint32_t line);
/* Append what a line has in CELL; nothing where there is none. */
void compare_print_cell(struct browser *b, const struct source_cell *cell,
			const struct compare_value *v, struct strbuf *out, enum role *role);

/* The cells of the margin in a pane of WIDTH; returns how many. */
int compare_cells(const struct browser *b, int width, struct source_cell *cells);

/* "~": the line has another text in the other profile; "-", "+": it is only in the first, the last
 * one; "": it is the same. */
const char *compare_line_mark(struct browser *b, const struct compare_source *s, uint32_t line,
			      enum role *role);

/* Roles of LINE, as paint_line() does it. */
void compare_paint(struct browser *b, const struct compare_source *s, struct painted *vis,
		   uint32_t line);

#endif
