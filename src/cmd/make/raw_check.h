/* Checks which raw files can be imported together: they are there, of one build of their program,
 * and no run is there twice. */
#ifndef CGVIEW_CMD_RAW_CHECK
#define CGVIEW_CMD_RAW_CHECK

#include <stdbool.h>
#include <stddef.h>

#include "db/model/model.h"
#include "util/error.h"

struct raw_check {
	const char **paths;        /* those that can be imported, in their order */
	size_t nr;
	char **left_out;           /* why others cannot, one line each */
	size_t nr_left_out, left_out_alloc;
};

/* Look at the raw files PATHS. PROFILE (NULL: none) is one that they are to be added to: they are
 * of its builds, and none of its runs. KEEP_GOING: what cannot be imported is left out, and told.
 * -1 and ERR: it is an error, or nothing remains. Either way raw_check_release() is called in the
 * end. */
int raw_check(struct raw_check *c, const char *const *paths, size_t nr, const char *profile,
	      bool keep_going, struct error *err);
void raw_check_release(struct raw_check *c);

/* Checks again whether M, made of the raw files, has runs of the profile OLD at PATH: another
 * importer may have been faster. -1 and ERR: a run of M is in OLD. */
int raw_check_runs(const struct model *m, const struct model *old, const char *path,
		   struct error *err);

#endif
