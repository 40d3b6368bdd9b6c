/* Places the panes, and draws the whole frame. */
#ifndef CGVIEW_TUI_LAYOUT_H
#define CGVIEW_TUI_LAYOUT_H

#include <stdbool.h>

#include "tui/browser.h"

/* Gives every visible view its area; the others get none. */
void layout(struct browser *b);

/* The same after rows have changed, where the panes can be seen. Returns whether the source has
 * another height then. */
bool layout_fit(struct browser *b);

/* Returns the view that is a strip above all others; NULL: there is none. */
struct view *layout_strip(const struct browser *b);

/* Returns the action whose hint is drawn there, ACTION_NONE if none is. */
enum action layout_hint_at(int y, int x);

/* Draws title bar, panes, bottom line. */
void layout_draw(struct browser *b);

/* Shows TEXT at the bottom at once: the present work takes long, and cannot be stopped. */
void layout_draw_busy(const char *text);

#endif
