/* Adding one profile to another of the same program. */
#ifndef CGVIEW_COLLECT_MERGE_H
#define CGVIEW_COLLECT_MERGE_H

#include "collect/candidates.h"
#include "db/model.h"

/* Add all of FROM to INTO: counts, samples and times of what both have, and what only FROM has; its
 * runs, parts and threads come first. FROM's arcs become candidates; INTO's own are not solved yet.
 * INTO keeps nothing of FROM's. What INTO comes to hold does not depend on who is added to whom, or
 * in which order; the order of its rows does. -1 and ERR: FROM's parts are damaged, see
 * parts_check(), or INTO's spill is full; INTO is to be given up. */
int model_merge(struct model *into, const struct model *from, struct candidates *c,
		struct error *err);

#endif
