/* Places of the panes, and the drawing of the whole frame. */
#ifndef CGVIEW_TUI_LAYOUT_H
#define CGVIEW_TUI_LAYOUT_H

#include <stdbool.h>

#include "tui/browser.h"

/* Give every visible view its area; the others get none. */
void layout(struct browser *b);

/* Title bar, panes, bottom line. */
void layout_draw(struct browser *b);

/* TEXT at the bottom at once: what goes on takes long, and cannot be stopped. */
void layout_draw_busy(const char *text);

#endif
