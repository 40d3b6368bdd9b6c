/* Only some threads or runs of a profile, or a span of its time, as a profile of its own: what they
 * counted, what was sampled then, solved anew. Counts of a span are those of the whole runs.
 *
 * Where several profiles are compared each is called by a NAME, its path, behind which lists may
 * stand: PATH:runs=1-20, PATH:threads=2,5, PATH:ranks=0-3, PATH:span=1s,2s, or several of them. A
 * file of just that name goes before. */
#ifndef CGVIEW_SOLVE_SUBSET
#define CGVIEW_SOLVE_SUBSET

#include <stdbool.h>
#include <stddef.h>

#include "db/store/profile.h"
#include "util/error.h"
#include "util/progress.h"

/* What is taken: of the threads (rows of LIST_THREAD, NR in all) those for which KEEP[id - 1] is
 * set, NULL: all; and the samples of a SPAN, NULL: of all of the time. */
struct time_span;
struct subset {
	const bool *keep;
	size_t nr;
	const struct time_span *span;
};

/* Opens what P, or the profile that it is a part of, is called, restricted to ONLY: a profile that
 * nobody else can see, with the same path and name. PROGRESS (may be NULL) as for profile_write().
 * NULL and ERR: as model_load(), none is kept, or it cannot be done. */
struct profile *subset_open(struct profile *p, const struct subset *only,
			    const struct progress *progress, struct error *err);

/* Lists of what is taken ("2,5-7"; NULL: all): threads and runs by their rows, and the ranks that
 * processes of a parallel program have. A span is FROM,TO: times since a run began, or begin, or
 * end. */
struct subset_lists {
	const char *threads, *runs, *ranks, *span;
};

/* Reads a span as users type it. -1 and ERR: it is none. */
int subset_read_span(const char *text, struct time_span *span, struct error *err);

/* Opens the profile at PATH restricted to what is in all of LISTS; the profile itself without
 * lists. NULL and ERR: also when there is nothing of that number. */
struct profile *subset_open_lists(const char *path, const struct subset_lists *lists,
				  struct error *err);

/* Of a profile called NAME, which is a path with lists: opens it; loads it into M, which is empty
 * (-1: ERR); returns its path, heap, the caller's. */
struct profile *subset_open_named(const char *name, struct error *err);
int subset_load(struct model *m, const char *name, struct error *err);
char *subset_path(const char *name);

#endif
