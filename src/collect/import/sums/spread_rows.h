/* Makes rows of a profile of the spreads in a sum. */
#ifndef CGVIEW_COLLECT_SPREAD_ROWS_H
#define CGVIEW_COLLECT_SPREAD_ROWS_H

#include "collect/import/counts/build.h"
#include "collect/import/inputs.h"

/* Adds those of X, whose modules were added to M. A spread is left out, with a note, when there is
 * anything besides its sum, or another cgview has numbered the procedures. */
void spread_rows_add(struct model *m, const struct inputs *x, const struct module *modules,
		     size_t nr);

#endif
