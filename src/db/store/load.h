/* Reads a stored profile into a model again, for instance to add another run to it. */
#ifndef CGVIEW_DB_LOAD_H
#define CGVIEW_DB_LOAD_H

#include "db/model/model.h"
#include "db/store/profile.h"
#include "util/error.h"

/* Fills M (fresh) with all that is stored, except what is computed from the rest. The ids of files
 * may differ from those that the writer was given. Returns -1 and ERR as profile_open() does, or
 * when the tables contradict each other; M is to be released all the same. */
int model_load(struct model *m, const char *path, struct error *err);

/* Reads only what tells the calls into M (fresh): of procedures name, calls, times; of sites
 * procedure, kind, target, place without its file, count; arcs; contexts; pins. Ids are those of
 * the profile. */
int model_load_calls(struct model *m, const char *path, struct error *err);

/* Reads only runs and modules into M (fresh). */
int model_load_runs(struct model *m, const char *path, struct error *err);

/* Reads only the tracks of P, which is open, into M (fresh). -1 and ERR: it is damaged. */
int model_load_tracks(struct model *m, struct profile *p, struct error *err);
/* Reads only runs and parts of P, which is open, into M (fresh), and how many rows the others have,
 * which parts are unpacked by: of those there are none. -1 and ERR: it is damaged. */
int model_load_parts(struct model *m, struct profile *p, struct error *err);
/* Reads besides these contexts, and of procedures which are foreign, and their own times. */
int model_load_stacks(struct model *m, struct profile *p, struct error *err);

/* Reads tables of P, which is open, into M (fresh): those whose bits (1 << enum table_id) are in
 * WANTED, with what follows when a profile is solved; no texts of sources. Ids are those of the
 * profile. -1 and ERR: it is damaged. */
int model_load_tables(struct model *m, struct profile *p, uint64_t wanted, struct error *err);

#endif
