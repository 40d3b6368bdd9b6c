/* Where the errors are that other tools found: for marks in the source, and the way from one to the
 * next. */
#ifndef CGVIEW_TUI_ERRORS_H
#define CGVIEW_TUI_ERRORS_H

#include <stdbool.h>

#include "db/store/profile.h"
#include "tui/keys/action.h"

struct browser;
struct view;

struct errors {
	struct error_place {
		model_id id;
		struct place place;  /* file 0: in no source; column 0: only the line is known */
		model_id procedure;
		char *what;
	} *items;                    /* in the order of their places */
	size_t nr;
	bool walked;                 /* the source was opened from them: "the next hot spot" is
				      * the next error */
	size_t at;                   /* the one that was gone to last, which is shown there: */
	struct place shown;          /* file 0: none was */
};

/* Reads those of P in place of those that E has. */
void errors_read(struct errors *e, struct profile *p);
void errors_release(struct errors *e);
/* Is there one on LINE of FILE? */
bool errors_on(const struct errors *e, model_id file, uint32_t line);

/* Goes to the next error, or the one before, from where the cursor of the source is. */
unsigned errors_step(struct browser *b, enum action action, size_t count);

/* Is V the list of them, or the stacks of one? */
bool is_errors(const struct view *v);

#endif
