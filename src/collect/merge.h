/* Adding one profile to another of the same program. */
#ifndef CGVIEW_COLLECT_MERGE_H
#define CGVIEW_COLLECT_MERGE_H

#include "collect/candidates.h"
#include "db/model.h"

/* Add all of FROM to INTO: counts, samples and times of what both have, and what only FROM has; its
 * runs, parts and threads come first. FROM's arcs become candidates; INTO's own are not solved yet.
 * Texts stay FROM's: it must live as long as INTO. -1 and ERR: FROM's parts are damaged. */
int model_merge(struct model *into, const struct model *from, struct candidates *c,
		struct error *err);

#endif
