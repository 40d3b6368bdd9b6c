/* Walking: where we are, back, forward, marks; panes that follow a cursor. */
#ifndef CGVIEW_TUI_WALK_H
#define CGVIEW_TUI_WALK_H

#include "tui/browser.h"

void walk_here(struct browser *b, struct location *here);
/* Be at TO again, without remembering where we were. */
void walk_to(struct browser *b, const struct location *to);
unsigned walk_back(struct browser *b, size_t count);
unsigned walk_forward(struct browser *b, size_t count);

/* ACTION_MARK_SET or ACTION_MARK_GO with the letter that was typed. */
unsigned walk_mark(struct browser *b, enum action action, tui_key letter);

/* The cursor of MOVED moved: the panes that show what it is on show that. */
void walk_follow_cursor(struct browser *b, struct view *moved);

#endif
