/* Many profiles become one. */
#ifndef CGVIEW_CMD_MERGE
#define CGVIEW_CMD_MERGE

#include <stdbool.h>
#include <stddef.h>

#include "cmd/make/destination.h"
#include "compare/match/match.h"
#include "util/error.h"

struct merge_options {
	struct destination *to;    /* opened */
	bool keep_going;           /* leave out what cannot be added, and say so */
	bool by_source;            /* builds may differ: see merge_source.h */
	struct match_options match; /* by source: the newest build is the first */
};

/* Add up the profiles PATHS, one at a time, and write the sum to TO, which may be one of them: then
 * others that want to write it wait. All must be of one build, and no run may be in two of them.
 * Messages go to stderr, a line each. *LEFT_OUT is how many were not added. 1: as
 * destination_put(). -1 and ERR: nothing was written. */
int merge_profiles(const char *const *paths, size_t nr, const struct merge_options *o,
		   size_t *left_out, struct error *err);

#endif
