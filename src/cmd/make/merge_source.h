/* Adds profiles of different builds: things at one place of the source are one thing. */
#ifndef CGVIEW_CMD_MERGE_SOURCE
#define CGVIEW_CMD_MERGE_SOURCE

#include "collect/import/merge.h"
#include "compare/match/match.h"

/* Adds M, which is the profile PATH, to SUM, which began as the profile BASE: the ids of that are
 * SUM's. BASE is the first profile of the matching, which OPTIONS are for. Reports how much was
 * found. Returns -1 and ERR as model_merge(), or for a profile that cannot be read. */
int merge_by_source(struct model *sum, const char *base, const struct model *m, const char *path,
		    const struct match_options *options, struct candidates *c, struct error *err);

#endif
