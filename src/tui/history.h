/* The places the user has been at, back and forth as in a web browser. */
#ifndef CGVIEW_TUI_HISTORY_H
#define CGVIEW_TUI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "db/store/profile.h"

struct browser;
struct view;

/* A procedure or a file of the browser's profile, or of a comparison's first. id 0: none. */
struct subject {
	model_id id;
	bool first;
};

/* The procedures that were walked along from call to call: each is a caller (UP) or a callee of the
 * one before. A step to the same procedure is no further entry; in the middle of a long trail some
 * are left out. */
enum { TRAIL_ENTRIES = 40, TRAIL_HALF = TRAIL_ENTRIES / 2 };
struct trail {
	struct trail_entry {
		struct subject at;
		uint32_t times;         /* so many times in a row */
	} entries[TRAIL_ENTRIES];       /* the last one is the present procedure */
	uint32_t nr;
	uint32_t left_out;              /* before entries[TRAIL_HALF] */
	bool up;
};

/* All that is needed to come back to a place. */
struct location {
	bool set;
	int focus;              /* enum pane */
	bool zoom;
	int summary;            /* enum summary_kind */
	int64_t summary_row;    /* id of the selected row, -1 none */
	struct subject file;    /* in the source pane */
	size_t cursor, top;     /* its rows */
	int left;
	struct place selected;  /* expression; line 0: none */
	struct subject procedure; /* whose callers and callees are shown */
	model_id site;          /* callees of this call site only; 0: of all */
	size_t caller_row, callee_row;
	/* Makes the view that was over the panes; NULL: there was none that is made again. */
	struct view *(*again)(struct browser *b);
	bool errors;            /* the source was opened from the errors */
	bool strayed;           /* as in struct browser */
	struct trail trail;
};

enum { HISTORY_MAX = 200 };

struct history {
	struct location *places;
	size_t nr;              /* places kept */
	size_t now;             /* places[now..nr) are ahead of us */
};

void history_release(struct history *h);

/* Leaves FROM for somewhere new: forgets what was ahead. */
void history_leave(struct history *h, const struct location *from);

/* Go back or forward from HERE; false: there is nothing. */
bool history_back(struct history *h, const struct location *here, struct location *to);
bool history_forward(struct history *h, const struct location *here, struct location *to);

#endif
