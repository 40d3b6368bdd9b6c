/* Imports raw profiles into a model: all of collect in one call. */
#ifndef CGVIEW_COLLECT_IMPORT_H
#define CGVIEW_COLLECT_IMPORT_H

#include "collect/candidates.h"
#include "db/model.h"
#include "util/error.h"

/* Fill M (fresh) from the raw files PATHS, and CANDIDATES with the arcs that model_solve() wants.
 * ONE_RUN: they all come from one command (its facts that only the starter knows, like exit status,
 * are left unknown); else each file is a run of its own. M's notes tell what does not stop the
 * import but should be known. -1 and ERR: nothing usable; M is to be released all the same. */
int import_raw(struct model *m, const char *const *paths, size_t nr, bool one_run,
	       struct candidates *candidates, struct error *err);

/* Returns the arguments as a shell would take them. Heap. */
char *import_quote(const char *const *arguments, size_t nr);

#endif
