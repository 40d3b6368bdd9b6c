/* The third column of a wide screen: the whole run as an icicle, in which the procedure that the
 * panes show stands out. It takes no keys; a click on a box goes to its procedure. */
#ifndef CGVIEW_TUI_ICICLE_ASIDE_H
#define CGVIEW_TUI_ICICLE_ASIDE_H

#include "tui/view.h"

/* Returns its width on a screen of W columns with H rows for panes; 0: there is none, as there is
 * no room, or the run changes, or two are compared. */
int icicle_aside_width(const struct browser *b, int h, int w);
/* Makes it, of b->profile. */
struct view *icicle_aside_new(struct browser *b);
/* Drops b->aside, if it is there: the profile goes. */
void icicle_aside_forget(struct browser *b);

#endif
