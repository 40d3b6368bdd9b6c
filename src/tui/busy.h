/* Work that may take longer than a key should: it is done in slices, the first at once, the others
 * while nobody types. */
#ifndef CGVIEW_TUI_BUSY_H
#define CGVIEW_TUI_BUSY_H

#include <stdbool.h>
#include <stdint.h>

struct browser;
struct job;
struct profile;

struct busy {
	uint64_t until_ns;   /* when the slice ends, by a clock; 0: never */
	bool idle;           /* work goes on that any key stops for good */
	bool patient;        /* slices have no end: a script waits for each key's work */
	unsigned looks;      /* of a script: how often it may be asked in a slice; 0: by time */
	unsigned left;       /* of them */
};

/* Milliseconds: within a key; of what it does by the way; while rows are drawn, for what they must
 * ask for; between two looks at the keyboard. */
enum { SLICE_KEY = 3, SLICE_ASIDE = 1, SLICE_DRAW = 2, SLICE_IDLE = 3 };

/* Once for each profile that is opened. */
void busy_watch(struct browser *b, struct profile *p);

/* A slice begins; 0: one without an end. */
void busy_slice(struct browser *b, unsigned milliseconds);
/* Is it over? For listing_work(). */
bool busy_over(void *browser);

/* Goes on with *J (util/job.h) in the slice that has begun. True: it is done, and *J is NULL, as it
 * may have been before. */
bool busy_run(struct browser *b, struct job **j);
/* *J is dropped, and NULL then. */
void busy_drop(struct job **j);

/* Something that can as well be done later begins: any key stops it. */
void busy_begin_idle(struct browser *b);
void busy_end(struct browser *b);

#endif
