/* The tree of calls in the browser: as rows and as an icicle, two views of one state. The state
 * stays when they are left, so that coming back finds what was expanded. Private to src/tui. */
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

/* Work that a key has begun and that goes on while nobody types. */
struct tree_job {
	struct job *job;              /* NULL: there is nothing */
	enum tree_job_kind {          /* its present step */
		JOB_ARRIVE,           /* on rows that are as they were left */
		JOB_MARKS,            /* expand what was expanded before */
		JOB_FIND,             /* find a procedure */
		JOB_EXPAND,           /* expand node */
		JOB_ALL,              /* expand all below node */
		JOB_HOTTEST,          /* expand the hottest path from node on */
	} kind;
	uint32_t node;
	bool moved;                   /* the user moved the cursor, which stays there */
	unsigned per_mille;           /* smaller nodes are not expanded */
};

struct tree_state {
	struct tree_rows *kept[2][2]; /* by enum tree_source, bottom-up */
	unsigned generation[2][2];    /* the comparison's, which they are ordered for */
	struct {                      /* for trees that are not kept */
		struct tree_marks *marks;
		struct tree_want want;
	} gone[2][2];
	struct tree_want want;        /* what is shown, or read to be shown */
	struct tree_rows *rows;       /* the rows shown; NULL: not read, or not yet */
	struct tree *next;            /* being read, to be shown; NULL: none */
	struct job *reading;          /* reads it */
	enum tree_arrival arrival;    /* what follows */
	model_id procedure;           /* the procedure for that */
	uint32_t node;                /* that the cursor is on */
	struct job *looking;          /* a search goes on; NULL: none */
	struct tree_look look;
	struct job *laying_out;       /* lays out the icicle; NULL: that is done */
	struct tree_job job;          /* on the rows that are shown */
	bool icicle;                  /* shown as an icicle the last time */
	bool unfolded;
	bool uneven;                  /* where it can be told, also how evenly ranks have it */
};

/* Make the two kinds of view of b->tree, which must be there. */
struct view *tree_list_new(struct browser *b);
struct view *tree_icicle_new(struct browser *b);

/* ---- work that a key begins: tree_job.c ---- */

/* Begin work: as much as a key has time for is done. */
void tree_job_expand(struct browser *b, uint32_t node);
void tree_job_all(struct browser *b, uint32_t node, unsigned per_mille);
void tree_job_hottest(struct browser *b, uint32_t node);
/* Does what s->arrival says when the rows are shown, in the time that is left. */
void tree_job_arrive(struct browser *b);
/* Stops; what was expanded stays so. Returns false when there was nothing to do. */
bool tree_job_stop(struct browser *b);
/* Called when ACTION begins: other actions on the tree stop the present work, and moving keeps the
 * cursor. Returns true when ACTION is what is being done. */
bool tree_job_before(struct browser *b, enum action action, uint32_t node);
void tree_job_describe(const struct tree_state *s, struct strbuf *out);

/* Is the view gone after ACTION? */
bool tree_leaves(enum action action);
/* Does what both do for ACTION; the rows may then be others, and the cursor is at state->node. */
unsigned tree_common_act(struct view *v, enum action action, size_t count);
/* Keeps a search that goes on from moving the cursor that the user has moved. */
void tree_stop_looking(struct browser *b);
void tree_common_title(struct view *v, struct title *title);
void tree_common_empty(struct view *v, struct strbuf *out);
/* Goes on reading the tree that is to be shown, or searching; see view.h. */
unsigned tree_common_idle(struct view *v);
bool tree_common_undo(struct view *v);
size_t tree_common_place(struct view *v);
bool tree_common_search(struct view *v, const struct search *search, bool backward, size_t from,
			bool here);
void tree_common_write(struct view *v, FILE *out);

/* Finds the source of node ID: for a caller (bottom-up) the call, else the procedure, its name
 * (NAME) or all of it. Returns false when there is none. */
bool tree_node_target(struct browser *b, struct tree_rows *rows, uint32_t id, bool name,
		      struct target *target);

/* Append share, total, self, number as in the line above the icicle and in the columns. */
void tree_print_number(const struct tree_rows *rows, const struct tree_node *n, int width,
		       struct strbuf *out);

#endif
