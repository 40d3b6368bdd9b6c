/* Runs and threads: which of them the browser shows. All views then have only what these did, as a
 * profile of its own (solve/subset.h); the whole one stays open beside it. */
#ifndef CGVIEW_TUI_THREADS_H
#define CGVIEW_TUI_THREADS_H

#include <stdbool.h>

#include "db/profile.h"
#include "tui/tui.h"
#include "util/mem.h"

struct browser;
struct view;

struct threads {
	struct profile *whole;            /* while some are shown; else the browser's is it */
	bool *keep;                       /* these, of all in the order of LIST_THREAD */
	size_t nr;
};

void threads_release(struct threads *t);

/* The profile with all threads: to be asked which there are. */
struct profile *threads_whole(struct browser *b);
/* Show only KEEP[0..NR), all of them or none: all. Told when it cannot be. Returns a set of enum
 * effect. Views over the panes are closed. */
unsigned threads_show(struct browser *b, const bool *keep, size_t nr);

/* The browser opens the profile anew, as a whole: what was chosen is forgotten. */
void threads_forget(struct browser *b);

/* Append "only threads 2, 5 of 8", or nothing when all are shown. */
void threads_banner(struct browser *b, struct strbuf *out);

/* The view that lists and chooses them. */
struct view *threads_new(struct browser *b);

#endif
