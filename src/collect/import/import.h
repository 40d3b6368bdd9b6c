/* Imports raw profiles into a model: all of collect in one call. */
#ifndef CGVIEW_COLLECT_IMPORT_H
#define CGVIEW_COLLECT_IMPORT_H

#include "collect/import/counts/candidates.h"
#include "collect/import/samples/short_runs.h"
#include "db/model/model.h"
#include "util/error.h"

/* Fill M (fresh) from the raw files PATHS, and CANDIDATES with the arcs that model_solve() wants.
 * ONE_RUN: they all come from one command (its facts that only the starter knows, like exit status,
 * are left unknown); else each file is a run of its own. AMONG: the short ones of the runs that
 * were made together with it; NULL: PATHS are all that there is. M's notes tell what does not stop
 * the import but should be known. -1 and ERR: nothing usable; M is to be released all the same. */
int import_raw(struct model *m, const char *const *paths, size_t nr, bool one_run,
	       const struct short_runs *among, struct candidates *candidates, struct error *err);

/* Returns the arguments as a shell would take them. Heap. */
char *import_quote(const char *const *arguments, size_t nr);

#endif
