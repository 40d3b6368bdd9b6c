/* Draws a line of a source text with the roles of its bytes. */
#ifndef CGVIEW_TUI_TEXT_LINE_H
#define CGVIEW_TUI_TEXT_LINE_H

#include "show/paint.h"
#include "tui/screen/draw.h"

/* Returns the columns that the numbers of NR lines take. */
int text_line_digits(uint32_t nr);

/* Makes VIS the visible part of line LINENO when LEFT columns are scrolled away and WIDTH are
 * there: to be painted. Its roles and overlays are valid until the next call. */
void text_look_at(struct doc *doc, uint32_t lineno, int left, int width, struct painted *vis);

/* Draws it from column X of LINE to its end. */
void text_draw(const struct painted *vis, const struct line *line, int x, int left);

#endif
