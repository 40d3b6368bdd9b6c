/* Calls that a tool tells one by one, of one thread after another: how often each stack was called
 * is counted, and its time is measured. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_SPANS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_SPANS_H

#include "collect/import/foreign/stacks.h"

#define SPAN_OPEN INT64_MAX        /* as the end of a call: it is told later */

struct spans {
	struct stacks *stacks;
	int event;                 /* that positions are of */
	uint32_t thread;           /* as of stacks_thread() */
	struct span *open;         /* calls that have not ended, the outermost first */
	size_t nr, alloc;
	int64_t at;                /* the last position */
	uint64_t begun;            /* calls */
	uint64_t unmatched;        /* ends without a begin */
	uint64_t unended;          /* begins without an end */
	uint64_t crossed;          /* calls that end behind what they are in: they were cut */
	uint64_t deep;             /* calls below STACKS_MAX_FRAMES: they are in what called them */
};
void spans_release(struct spans *s);

/* A call begins; NAME: any number for what is called. Calls whose END was told and is past have
 * ended before. */
void spans_begin(struct spans *s, const struct stacks_frame *frame, uint32_t name, int64_t at,
		 int64_t end);
/* The innermost call of NAME (0: any) whose end was not told ends, and with it what it called. If
 * there is none, nothing ends: uftrace tells the ends of waits that it left out. */
void spans_end(struct spans *s, uint32_t name, int64_t at);
/* The thread has ended; another one can follow. */
void spans_finish(struct spans *s);

/* Notes in M what did not fit. */
void spans_tell(const struct spans *s, struct model *m);

#endif
