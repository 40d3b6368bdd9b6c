/* Long work that is done in slices while it is written as if it were done at once: a job is a plain
 * function on a stack of its own. Whoever runs it says when it is enough for now; whatever works
 * calls job_pause() now and then, which comes back when the job is run again. Two of them never run
 * at once: the one is called, and the other waits, so nothing needs a lock. Others may change what
 * both see between two slices, as with any call: what may move is asked for again after a pause.
 *
 * When no job runs job_pause() and all below it do nothing, so the same function serves those who
 * want everything at once. It must not be called from within a callback of SQLite or of libc (a
 * comparison of qsort()): a job that is dropped there could not be undone.
 *
 * A job that is dropped does not come back from job_pause(). What it has then that must be given
 * back it has told with job_hold(). */
#ifndef CGVIEW_UTIL_JOB_H
#define CGVIEW_UTIL_JOB_H

#include <stdbool.h>
#include <stdint.h>

struct job;

/* FUNCTION(CONTEXT) is called by the first job_run(). */
struct job *job_new(void (*function)(void *context), void *context);
/* Goes on until the function has returned (true), or ENOUGH(CONTEXT) (NULL: never) says that it is
 * enough for now, which is asked when some work was done: a job gets further, however short the
 * slice is. A job may run another one, but not itself. */
bool job_run(struct job *j, bool (*enough)(void *context), void *context);
/* May be called whenever J does not run: releases what it holds, the last first. NULL: nothing. */
void job_free(struct job *j);
/* Returns how far it is, 0 to 100, as it has reported; NULL: 0. */
unsigned job_percent(const struct job *j);

/* ---- for whoever works, in a job or not ---- */

/* A unit of work is about what it costs to read a row, a microsecond or less; ENOUGH is asked once
 * in JOB_LOOK of them. */
enum { JOB_LOOK = 64 };
void job_pause(unsigned work);

/* *J is run to its end as a part of what runs now, which pauses and has got as far as it does; then
 * it is freed and NULL. Somebody else may do so during a pause. NULL: nothing. */
void job_wait(struct job **j);
/* Nothing pauses between job_still(true) and job_still() with what that has returned: around what
 * calls back. */
bool job_still(bool still);

/* RELEASE(WHAT) is called by job_let_go(), or when the job is dropped before. HOLD may be on the
 * stack, as WHAT may be. The last hold is released first. */
struct job_hold {
	void (*release)(void *what);
	void *what;
	struct job_hold *next;
};
void job_hold(struct job_hold *hold, void (*release)(void *what), void *what);
void job_let_go(struct job_hold *hold);

/* Makes the following work the share from FROM to TO (0 to 1) of the present part; returns the
 * part, for job_part_end(). */
struct job_part { double from, size; };
struct job_part job_part(double from, double to);
void job_part_end(struct job_part outer);
/* DONE of ALL are done of the part. */
void job_progress(double done, double all);

#endif
