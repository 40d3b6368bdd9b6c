/* Views made of lines of text. */
#ifndef CGVIEW_TUI_TEXT_VIEW_H
#define CGVIEW_TUI_TEXT_VIEW_H

#include "tui/browser.h"
#include "tui/view.h"

/* Makes a view that BUILD fills with text_add(), again whenever the width changes. TITLE is static
 * storage. HEAD_WIDTH: columns of the first column. */
struct view *text_new(struct browser *b, const char *title, int head_width,
		      void (*build)(struct view *v));

/* Makes the view a question: ACTION_YES, and ACTION_OPEN if BY_DEFAULT, call ACCEPT, which may
 * close the view, once all rows have been seen; otherwise ACTION_OPEN means no. */
void text_ask(struct view *v, bool by_default, unsigned (*accept)(struct browser *b));

/* Shows it beside the view that it belongs to, as a popup. */
void text_beside(struct view *v);
/* Is V such a one, and filled by BUILD? */
bool text_is_built_by(const struct view *v, void (*build)(struct view *v));

/* Says that there may be much text: BUILD becomes a job that pauses in text_add() (util/job.h). */
void text_in_slices(struct view *v);

/* Makes ACTION_OPEN call OPEN, which may close the view. */
void text_open(struct view *v, unsigned (*open)(struct browser *b));

/* Appends a paragraph, wrapped; HEAD (may be NULL: none) stands before its first line. */
void text_add(struct view *v, enum role role, const char *head, const char *text);

/* Appends text that must be seen as it is, without a head: all of it, cut only where the screen
 * ends; many blanks in a row are reported as such, and not shown. */
void text_add_whole(struct view *v, enum role role, const char *text);

#endif
