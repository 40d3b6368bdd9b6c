/* The browser: its panes, what they show, where the user has been. Views call it to go somewhere;
 * it calls them through struct view_ops. Private to src/tui. */
#ifndef CGVIEW_TUI_BROWSER_H
#define CGVIEW_TUI_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

#include "db/profile.h"
#include "show/doc.h"
#include "show/heat.h"
#include "show/margin.h"
#include "show/role.h"
#include "tui/busy.h"
#include "tui/compare.h"
#include "tui/config.h"
#include "tui/history.h"
#include "tui/search_rows.h"
#include "tui/prompt.h"
#include "tui/threads.h"
#include "tui/turn.h"
#include "tui/view.h"
#include "util/search.h"

enum pane { PANE_SUMMARY, PANE_SOURCE, PANE_CALLERS, PANE_CALLEES, PANE_NR };

enum { STACK_MAX = 8 };

struct browser {
	struct profile *profile;
	const struct profile_totals *totals;
	struct profile_optional optional;
	char *directory;                /* that all files are in, with its slash; "": none */
	struct docs docs;

	struct view *panes[PANE_NR];
	enum pane focus;
	bool zoom;                      /* the focused pane has the screen to itself */
	struct view *stack[STACK_MAX];  /* views over the panes: help, files, notes */
	int depth;

	struct subject procedure;       /* whose callers and callees are shown */
	model_id site;

	struct history history;
	struct location marks[26];
	struct search search;
	struct hits hits;               /* for its next hit, while that takes long */
	struct prompt prompt;
	enum action waits_for_letter;   /* ACTION_MARK_SET or _GO: the next key is a letter */
	size_t count;                   /* typed before a key */
	size_t search_from;             /* cursor when a prompt was opened */
	char *filter_before;            /* what a cancelled filter goes back to */
	struct busy busy;               /* long work that goes on */
	struct column_choice **choices; /* columns of tables, each heap */
	size_t nr_choices, choices_alloc;

	struct metrics metrics;         /* of the profile: colours can be of these */
	struct margins margins;         /* columns of the source's margin, of these */
	size_t metric;                  /* what colours are of */
	bool linear;
	bool by_centre;                 /* procedures are charged by cost centre */
	bool light, mouse;
	struct heat heat;

	const struct config *config;    /* what the user wants */
	tui_again_function *again;      /* NULL: nothing can be run again */
	struct turn turn;               /* arcs that are turned */
	struct tree_state *tree;        /* of calls, as it was left; NULL: not looked at yet */
	struct threads threads;         /* whose figures are shown */
	struct compare compare;         /* with other profiles */

	struct strbuf message;          /* bottom line, until the next key */
	enum role message_role;
	bool quit;
	bool interrupted;               /* by what makes us quit */
	unsigned actions_done[ACTION_NR]; /* how often, for the tests */
};

/* OPTIONS and CONFIG must stay. */
struct browser *browser_new(struct profile *profile, const struct tui_options *options,
			    const struct config *config);
void browser_free(struct browser *b);

/* Open the profile anew after it was written, and stay where we are. b->profile is another one
 * then, the old one is closed. -1 and ERR: all is as before. */
int browser_reopen(struct browser *b, struct error *err);
/* PROFILE in place of the one that is looked at, which is the caller's then; what was the selected
 * row's number there is so here. */
void browser_take(struct browser *b, struct profile *profile);

/* Lay out and draw the whole frame; nothing reaches the terminal before draw_flush(). */
void browser_draw(struct browser *b);

/* Nobody types: some work that can wait. A set of WORK_NEW (there is something new to draw) and
 * WORK_MORE (call it again); see table.h. */
unsigned browser_idle(struct browser *b);

/* One key. Returns a set of enum effect; b->quit says whether to go on. */
unsigned browser_key(struct browser *b, tui_key key);
unsigned browser_mouse(struct browser *b);

unsigned browser_act(struct browser *b, enum action action, size_t count);

/* The view that has the keyboard. */
struct view *browser_view(struct browser *b);

/* A message at the bottom until the next key. */
void browser_say(struct browser *b, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Where something is: a place in a file, and what callers and callees are shown of. */
struct target {
	struct place place; /* line 0: the file's first line; column 0: no expression selected */
	struct subject procedure; /* none: the one at the place */
	model_id site;          /* callees of this call site only */
	bool first;             /* the place is in the first profile of a comparison */
	bool hottest;           /* the procedure's hottest line is shown, too, or instead */
};

/* Show TARGET in the source pane without remembering where we were (following a cursor). */
void browser_follow(struct browser *b, const struct target *target);

/* Go to TARGET: remembers where we were, shows it. FOCUS: the source pane gets the keyboard, else
 * it stays where it is if the source can be seen from there. */
unsigned browser_go(struct browser *b, const struct target *target, bool focus);

/* Callers and callees are those of PROCEDURE; callees only of SITE unless 0. */
void browser_subject(struct browser *b, struct subject procedure, model_id site);

/* Give PANE the keyboard. */
unsigned browser_focus(struct browser *b, enum pane pane);

/* Put VIEW over the panes; it belongs to the browser then. */
unsigned browser_push(struct browser *b, struct view *view);
unsigned browser_pop(struct browser *b);

/* New heat after metric or scale changed. */
void browser_heat(struct browser *b);
/* Colours, hot spots and the margin are of the metric of this name, if there is one; the tree, when
 * it is looked at, is of its measure, if stacks have it. */
unsigned browser_measure(struct browser *b, const char *name);

#endif
