/* Where the errors are that other tools found: for marks in the source, and the way from one to the
 * next. */
#ifndef CGVIEW_TUI_ERRORS_H
#define CGVIEW_TUI_ERRORS_H

#include <stdbool.h>

#include "db/profile.h"
#include "tui/action.h"

struct browser;

struct errors {
	struct error_place {
		struct place place;  /* file 0: in no source; column 0: only the line is known */
		model_id procedure;
		char *what;
	} *items;                    /* in the order of their places */
	size_t nr;
};

/* Reads those of P in place of those that E has. */
void errors_read(struct errors *e, struct profile *p);
void errors_release(struct errors *e);
/* Is there one on LINE of FILE? */
bool errors_on(const struct errors *e, model_id file, uint32_t line);

/* Goes to the next error, or the one before, from where the cursor of the source is. */
unsigned errors_step(struct browser *b, enum action action, size_t count);

#endif
