/* A source text in a comparison: what its margin and its colours are. */
#ifndef CGVIEW_TUI_COMPARE_SOURCE_H
#define CGVIEW_TUI_COMPARE_SOURCE_H

#include "show/paint.h"
#include "tui/compare.h"
#include "tui/draw.h"

struct browser;

/* The value of a line as a whole; NULL: none. Valid until the next call of compare_values(). */
const struct compare_value *compare_value_of_line(struct browser *b, const struct compare_source *s,
						  uint32_t line);
/* Append cell I of a line: a, b, result; nothing where there is none. */
void compare_print_cell(struct strbuf *out, const struct compare_kind *k,
			const struct compare_value *v, int i, int width);

/* Columns that a, b and result take, with a blank behind each, in a pane of WIDTH. */
int compare_margin(int width);
void compare_draw_margin_head(const struct browser *b, const struct line *line, int width);
void compare_draw_margin(struct browser *b, const struct compare_source *s, uint32_t lineno,
			 const struct line *line, int width);

/* The same as text, in a wide pane: heads, and the cells of a line, each with a blank before. */
void compare_print_margin_head(const struct browser *b, struct strbuf *out);
void compare_print_margin(struct browser *b, const struct compare_source *s, uint32_t lineno,
			  struct strbuf *out);

/* "~": the line has another text in the other profile; "-", "+": it is only in the first, the last
 * one; "": it is the same. */
const char *compare_line_mark(struct browser *b, const struct compare_source *s, uint32_t line,
			      enum role *role);

/* Roles of LINE, as paint_line() does it. */
void compare_paint(struct browser *b, const struct compare_source *s, struct painted *vis,
		   uint32_t line);

#endif
