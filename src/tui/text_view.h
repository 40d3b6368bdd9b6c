/* Views made of lines of text. */
#ifndef CGVIEW_TUI_TEXT_VIEW_H
#define CGVIEW_TUI_TEXT_VIEW_H

#include "tui/browser.h"
#include "tui/view.h"

/* BUILD fills the view with text_add(); it is called again when the width changes. TITLE is static
 * storage. HEAD_WIDTH: columns of the first column. */
struct view *text_new(struct browser *b, const char *title, int head_width,
		      void (*build)(struct view *v));

/* ACTION_OPEN calls ACCEPT, which may close the view. */
void text_accept(struct view *v, unsigned (*accept)(struct browser *b));

/* Append a paragraph, wrapped; HEAD (may be NULL: none) stands before its first line. */
void text_add(struct view *v, enum role role, const char *head, const char *text);

#endif
