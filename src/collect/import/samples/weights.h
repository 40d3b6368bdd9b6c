/* Weights: how much CPU time each sample of a raw file stands for, and which of the two clocks that
 * sample time is believed. Why so: docs/design/sampling.md. */
#ifndef CGVIEW_COLLECT_WEIGHTS_H
#define CGVIEW_COLLECT_WEIGHTS_H

#include "collect/import/rawfile.h"
#include "util/index.h"

#define WEIGHT_UNUSED UINT64_MAX /* of a clock that is not believed there */

struct weights {
	uint64_t *ns;            /* of each sample of time, in the order of the file */
	size_t nr;
	bool event;              /* the kernel's event is believed; else the timers */
	bool split;              /* the event for the program's own time, timers for the kernel's */
	uint64_t used, cpu_ns;
	double unseen_ns;        /* that the event did not see; it saw nothing, if there was none */
	double jumped_ns;        /* in too long steps of the timers, if they are believed */
	double period_ns;        /* the longest of the believed clock's */
	double least_period_ns;
	double kernel_ns;        /* by the timers, if it is split */
	double sum, squares;     /* of the weights, and of their squares */
	/* For the work, and for weights_of_thread(). */
	struct weighed_tick *ticks;
	size_t ticks_alloc;
	struct weighed_thread *threads;
	size_t nr_threads, threads_alloc;
	struct index by_tid;
	bool spare;              /* threads that have no event have their timer */
};

/* Is S a sample of time? */
bool weights_is_time(const struct raw_sample *s);
/* Reads all samples of time of R, and weighs them. */
void weights_read(struct weights *w, const struct rawfile *r);
/* Gives back the memory that grows with the samples; what weights_tell() needs stays. */
void weights_settle(struct weights *w);
/* Returns how many of the samples of thread T count. */
uint64_t weights_of_thread(const struct weights *w, const struct raw_thread *t);
/* Appends what sampled time in R, and why it. Nothing, if nothing did. */
void weights_tell(const struct weights *w, const struct rawfile *r, struct strbuf *out);

#endif
