/* The tree of calls in the browser: as rows and as an icicle, two views of one state. It stays when
 * they are left, so that coming back finds what was expanded. Private to src/tui. */
#ifndef CGVIEW_TUI_TREE_VIEW_H
#define CGVIEW_TUI_TREE_VIEW_H

#include "show/tree_rows.h"
#include "tui/browser.h"
#include "util/job.h"

enum tree_arrival {
	ARRIVE_FIRST,                 /* the cursor on the first row */
	ARRIVE_FIND,                  /* on the procedure, else where the time is */
	ARRIVE_FIND_IF_THERE,         /* on the procedure, else on the first row */
	ARRIVE_EXPAND,                /* on the first row, which is expanded */
	ARRIVE_AGAIN,                 /* where it was */
};

/* What a key has begun and is gone on with while nobody types. */
struct tree_job {
	struct job *job;              /* NULL: there is nothing */
	enum tree_job_kind {          /* what it does now */
		JOB_ARRIVE,           /* on rows that are as they were left */
		JOB_MARKS,            /* expanding what was expanded before */
		JOB_FIND,             /* a procedure */
		JOB_EXPAND,           /* node */
		JOB_ALL,              /* expanding all below node */
		JOB_HOTTEST,          /* from node on */
	} kind;
	uint32_t node;
	bool moved;                   /* the cursor was: it stays where it is */
	unsigned per_mille;           /* that all is expanded down to */
};

struct tree_state {
	struct tree_rows *kept[2][2]; /* by enum tree_source, bottom-up */
	unsigned generation[2][2];    /* of what is compared, for which they are ordered */
	struct {                      /* the same of trees that are not kept */
		struct tree_marks *marks;
		struct tree_want want;
	} gone[2][2];
	struct tree_want want;        /* of what is shown, or read to be shown */
	struct tree_rows *rows;       /* the one that is shown; NULL: not read, or not yet */
	struct tree *next;            /* is being read, to be shown; NULL: none */
	struct job *reading;          /* it */
	enum tree_arrival arrival;    /* what is done when it is */
	model_id procedure;           /* with that */
	uint32_t node;                /* that the cursor is on */
	struct job *looking;          /* a search goes on; NULL: none */
	struct tree_look look;
	struct job *laying_out;       /* the icicle; NULL: that is done */
	struct tree_job job;          /* on the rows that are shown */
	bool icicle;                  /* shown as that the last time */
	bool unfolded;
};

/* The two kinds of view of b->tree, which must be there. */
struct view *tree_list_new(struct browser *b);
struct view *tree_icicle_new(struct browser *b);

/* ---- work that a key begins: tree_job.c ---- */

/* Begin: as much as a key has time for is done. */
void tree_job_expand(struct browser *b, uint32_t node);
void tree_job_all(struct browser *b, uint32_t node, unsigned per_mille);
void tree_job_hottest(struct browser *b, uint32_t node);
/* What is done when the rows are shown as s->arrival says; the time that is left is used. */
void tree_job_arrive(struct browser *b);
/* No further; what was expanded is so. False: there was nothing to do. */
bool tree_job_stop(struct browser *b);
/* ACTION begins: others on the tree stop what goes on, and moving keeps the cursor. True: it is
 * what is done already. */
bool tree_job_before(struct browser *b, enum action action, uint32_t node);
void tree_job_describe(const struct tree_state *s, struct strbuf *out);

/* Is the view gone after ACTION? */
bool tree_leaves(enum action action);
/* What both do with ACTION; the rows may be others then, and the cursor is where state->node is. */
unsigned tree_common_act(struct view *v, enum action action, size_t count);
/* Whoever moves the cursor is not moved away by a search that goes on. */
void tree_stop_looking(struct browser *b);
void tree_common_title(struct view *v, struct title *title);
void tree_common_empty(struct view *v, struct strbuf *out);
/* Go on reading the tree that is to be shown, or searching; see view.h. */
unsigned tree_common_idle(struct view *v);
bool tree_common_undo(struct view *v);
size_t tree_common_place(struct view *v);
bool tree_common_search(struct view *v, const struct search *search, bool backward, size_t from,
			bool here);
void tree_common_write(struct view *v, FILE *out);

/* Where the node that the cursor is on is in the source: of a caller (bottom-up) the call, else the
 * procedure. False: nowhere. */
bool tree_common_target(struct browser *b, struct target *target);

/* Where the row of node ID is, likewise: of a procedure its name (NAME), or all of it. */
bool tree_node_target(struct browser *b, struct tree_rows *rows, uint32_t id, bool name,
		      struct target *target);

/* Append share, total, self, number as the line above the icicle and the columns have them. */
void tree_print_number(const struct tree_rows *rows, const struct tree_node *n, int width,
		       struct strbuf *out);

#endif
