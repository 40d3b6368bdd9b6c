/* The browser: its panes, their contents, the places visited. Views call it to go somewhere; it
 * calls them through struct view_ops. Private to src/tui. */
#ifndef CGVIEW_TUI_BROWSER_H
#define CGVIEW_TUI_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

#include "db/store/profile.h"
#include "show/columns.h"
#include "show/doc.h"
#include "show/heat.h"
#include "show/margin.h"
#include "show/role.h"
#include "tui/views/errors.h"
#include "tui/remarks.h"
#include "tui/busy.h"
#include "tui/compare/compare.h"
#include "tui/keys/config.h"
#include "tui/live.h"
#include "tui/history.h"
#include "tui/search_rows.h"
#include "tui/keys/prompt.h"
#include "tui/threads.h"
#include "tui/arc_dial.h"
#include "tui/view.h"
#include "util/text/search.h"

enum pane { PANE_SUMMARY, PANE_SOURCE, PANE_CALLERS, PANE_CALLEES, PANE_NR };

enum { STACK_MAX = 8 };

struct browser {
	struct profile *profile;
	const struct profile_totals *totals;
	struct profile_optional optional;
	char *directory;                /* of all files, with its slash; "": none */
	struct docs docs;
	model_id ranked;       /* :ranks shows what each did in this procedure; 0: in none */

	struct view *panes[PANE_NR];
	struct view *aside;             /* beside the panes of a wide screen; NULL: not made yet */
	enum pane focus;
	bool zoom;                      /* the focused pane has the screen to itself */
	struct view *stack[STACK_MAX];  /* views over the panes: help, files, notes */
	int depth;

	struct subject procedure;       /* whose callers and callees are shown */
	model_id site;
	struct trail trail;             /* how it was walked to */
	bool strayed;                   /* the summary's cursor is on something else */
	bool peeks;                     /* the source shows a row of callers or callees */

	struct history history;
	struct location marks[26];
	struct search search;
	struct hits hits;               /* the search for the next hit, while that takes long */
	struct prompt prompt;
	enum action waits_for_letter;   /* ACTION_MARK_SET or _GO: the next key is a letter */
	size_t count;                   /* the number typed before a key */
	size_t search_from;             /* cursor when a prompt was opened */
	char *filter_before;            /* the filter that cancelling restores */
	struct busy busy;               /* long work that goes on */
	struct column_choice **choices; /* columns of tables, each heap */
	size_t nr_choices, choices_alloc;

	struct metrics metrics;         /* the profile's, which colours can show */
	struct margins margins;         /* columns of the source's margin, for these */
	size_t metric;                  /* the metric that colours show */
	bool linear;
	enum self_by self_by;             /* of the time of procedures */
	bool light, mouse;
	struct heat heat;
	struct errors errors;
	struct model_remark remark_asked; /* that is being typed: its place; texts of remarks */
	struct { size_t row; bool files; } never; /* where the list of what never ran was left */

	const struct config *config;    /* the user's choices */
	tui_again_function *again;      /* NULL: nothing can be run again */
	struct arc_dial arc_dial;             /* the arcs that are changed */
	struct tree_state *tree;        /* the tree of calls as it was left; NULL: not opened yet */
	struct threads threads;         /* the threads whose figures are shown */
	struct compare compare;         /* the comparison with other profiles */
	struct live_looks live;         /* at programs that are watched */

	struct strbuf message;          /* bottom line, until the next key */
	enum role message_role;
	bool quit;
	bool interrupted;               /* by a signal to quit */
	unsigned actions_done[ACTION_NR]; /* numbers for the tests */
};

/* Makes a browser. OPTIONS and CONFIG must stay. */
struct browser *browser_new(struct profile *profile, const struct tui_options *options,
			    const struct config *config);
void browser_free(struct browser *b);

/* Opens the profile anew after it was written, and stays at the same place. b->profile is then
 * another one, the old one is closed. Returns -1 and ERR with everything as before. */
int browser_reopen(struct browser *b, struct error *err);
/* Browses PROFILE in place of the present one, which then belongs to the caller; the numbers of
 * selected rows must mean the same in both. */
void browser_take(struct browser *b, struct profile *profile);

/* The greatest figures of the profile are other ones: colours follow. */
void browser_renew_heat(struct browser *b);

/* Lays out and draws the whole frame; nothing reaches the terminal before draw_flush(). */
void browser_draw(struct browser *b);

/* Does some work that can wait, while nobody types. Returns a set of WORK_NEW (there is something
 * new to draw) and WORK_MORE (call it again); see table.h. */
unsigned browser_idle(struct browser *b);

/* Handles one key. Returns a set of enum effect; b->quit says whether to stop. */
unsigned browser_key(struct browser *b, tui_key key);
unsigned browser_mouse(struct browser *b);

unsigned browser_act(struct browser *b, enum action action, size_t count);

/* Returns the view that has the keyboard. */
struct view *browser_view(struct browser *b);

/* Shows a message at the bottom until the next key. */
void browser_say(struct browser *b, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A place in a file, and the procedure or site whose callers and callees are shown. */
struct target {
	struct place place; /* line 0: the file's first line; column 0: no expression selected */
	struct subject procedure; /* none: the one at the place */
	model_id site;          /* show the callees of this call site only */
	bool first;             /* the place is in the first profile of a comparison */
	bool hottest;           /* the procedure's hottest line is shown, too, or instead */
};

/* Goes to TARGET: remembers the present place, shows it. FOCUS: the source pane gets the keyboard;
 * otherwise the keyboard stays where it is if the source can be seen from there. */
unsigned browser_go(struct browser *b, const struct target *target, bool focus);

/* The same as a step to a caller (UP) or a callee of the present procedure: the trail goes on. */
unsigned browser_step(struct browser *b, const struct target *target, bool up, bool focus);

/* Shows the callers and callees of PROCEDURE; callees only of SITE unless 0. */
void browser_subject(struct browser *b, struct subject procedure, model_id site);

/* Gives PANE the keyboard. */
unsigned browser_focus(struct browser *b, enum pane pane);

/* Puts VIEW, which then belongs to the browser, over the panes. */
unsigned browser_push(struct browser *b, struct view *view);
unsigned browser_pop(struct browser *b);
/* Closes what makes the difference, the first screen of two profiles, wherever it is on the stack:
 * it would be over the place to which one goes from a view above it. */
void browser_leave_causes(struct browser *b);

/* Makes colours, hot spots and the margin show the metric of this name, if there is one, and an
 * open tree its measure, if stacks have it. */
unsigned browser_measure(struct browser *b, const char *name);

#endif
