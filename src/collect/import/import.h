/* Imports raw profiles into a model: all of collect in one call. */
#ifndef CGVIEW_COLLECT_IMPORT_H
#define CGVIEW_COLLECT_IMPORT_H

#include "collect/import/counts/candidates.h"
#include "collect/import/samples/short_runs.h"
#include "db/model/model.h"
#include "util/error.h"

/* How many of the raw files each run has left, one behind the other. */
struct import_runs { const size_t *nr_raws; size_t nr; };

/* Fill M (fresh) from the raw files PATHS, and CANDIDATES with the arcs that model_solve() wants.
 * What only the starter of a run knows, like its exit status, is left unknown. RUNS: M has them in
 * this order; NULL: each file is a run of its own. AMONG: the short ones of the runs that were made
 * together with these; NULL: PATHS are all that there is. M's notes tell what does not stop the
 * import but should be known. -1 and ERR: nothing usable, of one of RUNS; M is to be released all
 * the same. */
int import_raw(struct model *m, const char *const *paths, size_t nr,
	       const struct import_runs *runs, const struct short_runs *among,
	       struct candidates *candidates, struct error *err);

/* Returns the arguments as a shell would take them. Heap. */
char *import_quote(const char *const *arguments, size_t nr);

#endif
