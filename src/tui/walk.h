/* Walking: present place, back, forward, marks; panes that follow a cursor. */
#ifndef CGVIEW_TUI_WALK_H
#define CGVIEW_TUI_WALK_H

#include "tui/browser.h"

void walk_here(struct browser *b, struct location *here);
/* Goes to TO again, without remembering the present place. */
void walk_to(struct browser *b, const struct location *to);
unsigned walk_back(struct browser *b, size_t count);
unsigned walk_forward(struct browser *b, size_t count);

/* Does ACTION_MARK_SET or ACTION_MARK_GO with the letter that was typed. */
unsigned walk_mark(struct browser *b, enum action action, tui_key letter);

/* Makes the panes follow the cursor of MOVED, which moved. */
void walk_follow_cursor(struct browser *b, struct view *moved);

/* Called when the keyboard came to another view: if that is the summary or the source and the panes
 * show something else, they follow its cursor. */
void walk_arrived(struct browser *b);

#endif
