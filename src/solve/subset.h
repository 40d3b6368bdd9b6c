/* Only some threads of a profile, as a profile of its own: what they counted, solved anew. */
#ifndef CGVIEW_SOLVE_SUBSET
#define CGVIEW_SOLVE_SUBSET

#include <stdbool.h>
#include <stddef.h>

#include "db/profile.h"
#include "util/error.h"
#include "util/progress.h"

/* Opens the profile at PATH restricted to the threads (rows of LIST_THREAD, NR in all) for which
 * KEEP[id - 1] is set: a profile that nobody else can see, under the same path. PROGRESS (may be
 * NULL) as for profile_write(). NULL and ERR: as model_load(), none is kept, or it cannot be
 * done. */
struct profile *subset_open(const char *path, const bool *keep, size_t nr,
			    const struct progress *progress, struct error *err);

/* Opens the profile at PATH restricted to the threads in the list THREADS ("2,5-7"; NULL: all)
 * whose run is in the list RUNS; the profile itself without lists. The lists are as options_parse()
 * takes them. NULL and ERR: also when there is nothing of that number. */
struct profile *subset_open_lists(const char *path, const char *threads, const char *runs,
				  struct error *err);

#endif
