/* Figures of a profile that somebody else knows, and that change while it is open: of programs that
 * run. A temporary view hides each table that has such figures and asks for them row by row, so
 * that all queries see them and nothing is copied; indexes of the figures are not used. */
#ifndef CGVIEW_DB_OVERLAY_H
#define CGVIEW_DB_OVERLAY_H

#include "db/model/model.h"

enum overlay_figure {
	OVERLAY_CALLS, OVERLAY_CALLS_LACK, OVERLAY_SELF_NS, OVERLAY_TOTAL_NS, /* of a procedure */
	/* Of a procedure, if memory is looked at: what is live now; all that was allocated. */
	OVERLAY_LIVE, OVERLAY_BYTES, OVERLAY_ALLOCS, OVERLAY_LIVE_BLOCKS,
	OVERLAY_BLOCK, OVERLAY_BLOCK_LACKS,
	OVERLAY_LINE, OVERLAY_LINE_LACKS,
	OVERLAY_ARC, OVERLAY_ARC_LO, OVERLAY_ARC_HI, OVERLAY_ARC_ESTIMATED,
	OVERLAY_FILE, OVERLAY_FILE_SELF_NS, OVERLAY_FILE_EXECUTED,
	OVERLAY_BLOCK_SELF_NS, OVERLAY_LINE_SELF_NS, /* if they have times */
	OVERLAY_RUN_CPU_NS, OVERLAY_RUN_WALL_NS, /* of all that is watched */
};

enum { NR_OVERLAY_SPACE = OVERLAY_LIVE_BLOCKS - OVERLAY_LIVE + 1 };

struct overlay_source {
	/* Returns FIGURE (enum overlay_figure) of the row ID, 0 or more; also while a statement
	 * runs. NULL: there is no overlay. */
	int64_t (*figure)(void *context, int figure, model_id id);
	void *context;
	bool lines_have_times;     /* and ranges, and blocks; and nothing is counted */
};

struct profile;

/* Makes the figures of P those of O, whose context must stay until P is closed. Once, before
 * anything is listed. */
void profile_overlay(struct profile *p, const struct overlay_source *o);

/* They have changed: sums over them are those in T, and of all procedures CALLS, and SPACE if
 * memory is looked at. Listings that are not complete must be begun anew. */
void profile_overlay_changed(struct profile *p, const struct profile_totals *t, uint64_t calls,
			     const int64_t space[NR_OVERLAY_SPACE]);

struct overlay_thread {
	uint32_t pid, tid;
	uint64_t threads;          /* that used its record one after the other */
	int64_t cpu_ns, samples, lost_samples, wait_ns, delay_ns;
	char name[17];
};

/* The threads of P are these, NR of them, from now on; what they counted is not told apart. */
void profile_overlay_threads(struct profile *p, const struct overlay_thread *threads, size_t nr);

#endif
