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
	uint64_t until_ns;   /* the end of the slice by the clock; 0: never */
	uint64_t key_until_ns; /* that of all slices that a key begins; 0: none is answered */
	bool idle;           /* work goes on that any key stops for good */
	bool patient;        /* slices have no end: a script waits for each key's work */
	unsigned looks;      /* in scripts: how often a slice may be asked; 0: it ends by time */
	unsigned left;       /* looks left */
};

/* Milliseconds: for a key; for what follows it; for queries while rows are drawn; between two looks
 * at the keyboard. */
enum { SLICE_KEY = 3, SLICE_ASIDE = 1, SLICE_DRAW = 2, SLICE_IDLE = 2 };
/* All slices of a key together; several views may follow it. */
enum { SLICES_KEY = 4 };

/* A key is answered from now on; its answer has been drawn. */
void busy_begin_key(struct browser *b);
void busy_end_key(struct browser *b);

/* Watches P; called once for each profile that is opened. */
void busy_watch(struct browser *b, struct profile *p);

/* Begins a slice; 0: one without an end. */
void busy_slice(struct browser *b, unsigned milliseconds);
/* Is it over? A callback for listing_work(). */
bool busy_over(void *browser);

/* Goes on with *J (util/job.h) in the slice that has begun. Returns true when it is done, with *J
 * NULL, as it may have been before. */
bool busy_run(struct browser *b, struct job **j);
/* Drops *J and makes it NULL. */
void busy_drop(struct job **j);

/* Begins work that can as well be done later: any key stops it. */
void busy_begin_idle(struct browser *b);
void busy_end(struct browser *b);

#endif
