/* Chooses the runs and threads that the browser shows, and the span of time. All views then have
 * only their figures, as a profile of its own (solve/subset.h); the whole one stays open. */
#ifndef CGVIEW_TUI_THREADS_H
#define CGVIEW_TUI_THREADS_H

#include <stdbool.h>

#include "db/model/tracks.h"
#include "db/store/profile.h"
#include "tui/tui.h"
#include "util/mem.h"

struct browser;

struct threads {
	struct profile *whole;            /* while some are shown; else it is the browser's */
	bool *keep;                       /* the chosen ones, in the order of LIST_THREAD */
	size_t nr;                        /* 0: all */
	bool has_span;                    /* only samples of this one */
	struct time_span span;
};

void threads_release(struct threads *t);

/* Returns the profile with all threads. */
struct profile *threads_whole(struct browser *b);
/* Shows only KEEP[0..NR), all of them or none: all. Tells when that is impossible. Returns a set of
 * enum effect. Views over the panes are closed. */
unsigned threads_show(struct browser *b, const bool *keep, size_t nr);

/* Shows only the samples of SPAN, NULL: all, of these threads; as threads_show(). */
unsigned threads_show_span(struct browser *b, const struct time_span *span);

/* Drops the choice: the browser opens the profile anew, as a whole. */
void threads_forget(struct browser *b);

/* Appends "only threads 2, 5 of 8", or nothing when all are shown. */
void threads_banner(struct browser *b, struct strbuf *out);

#endif
