/* The dial in the browser: the user changes arcs that the counts leave open, and all figures
 * follow. Nothing is opened before the first change; nothing reaches the profile before
 * arc_dial_save(). */
#ifndef CGVIEW_TUI_ARC_DIAL_H
#define CGVIEW_TUI_ARC_DIAL_H

#include <stdbool.h>

#include "db/store/profile.h"
#include "solve/dial.h"
#include "tui/keys/action.h"
#include "util/mem.h"

struct browser;
struct view;

struct arc_dial {
	struct dial *dial;              /* NULL: nothing has been changed yet */
	const char *rule;               /* for the estimates; NULL: the profile's own */
	model_id asked;                 /* the arc whose count the prompt asks for */
	bool warned;                    /* the user knows that leaving loses changes */
};

/* Drops all changes, and shows what is stored. */
void arc_dial_release(struct browser *b);

/* Does one of the dial's actions on arc ID (0: on no row). Returns a set of enum effect. */
unsigned arc_dial_act(struct browser *b, model_id id, enum action action, size_t count);
/* Takes a count typed at the prompt. */
unsigned arc_dial_typed(struct browser *b, const char *text);

/* Commands: save all changes, those without a name as NAME ("": "pin"); release the pins of that
 * name ("": all); estimate by another rule. */
unsigned arc_dial_save(struct browser *b, const char *name);
unsigned arc_dial_release_pins(struct browser *b, const char *name);
unsigned arc_dial_estimate(struct browser *b, const char *rule);

/* Are other counts and times shown than the stored ones? */
bool arc_dial_is_shown(const struct browser *b);
/* Shows the present changes, or what is stored: listings, trees, sums. */
void arc_dial_show(struct browser *b);

/* Appends what must be known in every view: "counts changed, not saved". */
void arc_dial_banner(const struct arc_dial *t, struct strbuf *out);
/* May the browser be left? Says no, with a message, the first time that something would be lost. */
bool arc_dial_may_leave(struct browser *b);

/* Returns the model with all changes; opens the dial. NULL after a message. */
const struct model *arc_dial_model(struct browser *b);

/* Appends "lookup:37 -> hash". */
void arc_dial_arc_name(struct strbuf *out, const struct model *m, model_id id);

#endif
