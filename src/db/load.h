/* A stored profile as a model again: to add another run to it. */
#ifndef CGVIEW_DB_LOAD_H
#define CGVIEW_DB_LOAD_H

#include "db/model.h"
#include "util/error.h"

/* Fill M (fresh) with all that was stored but what is computed from the rest. The ids of files may
 * differ from those that the writer was given. -1 and ERR: as profile_open(), or the tables
 * contradict each other; M is to be released all the same. */
int model_load(struct model *m, const char *path, struct error *err);

/* Into M (fresh) only what calls are: of procedures name, calls, times; of sites procedure, kind,
 * target, place without its file, count; arcs; contexts; pins. Ids are those of the profile. */
int model_load_calls(struct model *m, const char *path, struct error *err);

/* Into M (fresh) only runs and modules. */
int model_load_runs(struct model *m, const char *path, struct error *err);

#endif
