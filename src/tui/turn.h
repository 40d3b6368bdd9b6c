/* The dial in the browser: arcs that the counts leave open are turned, and what is shown follows.
 * Nothing is opened before the first turn; nothing reaches the profile before turn_save(). */
#ifndef CGVIEW_TUI_TURN_H
#define CGVIEW_TUI_TURN_H

#include <stdbool.h>

#include "db/profile.h"
#include "solve/dial.h"
#include "tui/action.h"
#include "util/mem.h"

struct browser;
struct view;

struct turn {
	struct dial *dial;              /* NULL: nothing has been turned yet */
	const char *rule;               /* of the estimates; NULL: the profile's own */
	model_id asked;                 /* the arc whose count the prompt asks for */
	bool warned;                    /* that leaving loses what was turned */
};

/* Nothing is turned any more, and what is stored is shown. */
void turn_release(struct browser *b);

/* One of the dial's actions on arc ID (0: on no row). Returns a set of enum effect. */
unsigned turn_act(struct browser *b, model_id id, enum action action, size_t count);
/* What was typed at the prompt for a count. */
unsigned turn_typed(struct browser *b, const char *text);

/* Commands: save all that is turned, what has no name yet as NAME ("": "pin"); let go of the pins
 * of that name ("": of all); estimate by another rule. */
unsigned turn_save(struct browser *b, const char *name);
unsigned turn_let_go(struct browser *b, const char *name);
unsigned turn_estimate(struct browser *b, const char *rule);

bool turn_is_pinned(const struct turn *t, model_id arc);

/* Are other counts and times shown than the stored ones? */
bool turn_is_shown(const struct browser *b);
/* What is shown becomes what is turned now, or what is stored: listings, trees, sums. */
void turn_show(struct browser *b);

/* Append what must be known whatever is looked at: "turned, not saved". */
void turn_banner(const struct turn *t, struct strbuf *out);
/* May the browser be left? The first time that something would be lost: no, and it is told. */
bool turn_may_leave(struct browser *b);

/* All as it is turned now; opens the dial. NULL, and told why: there is none. */
const struct model *turn_model(struct browser *b);

/* Append "lookup:37 -> hash". */
void turn_arc_name(struct strbuf *out, const struct model *m, model_id id);

#endif
