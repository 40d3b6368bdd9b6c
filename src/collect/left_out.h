/* What is not counted, and why: procedures that the plugin left out, and those that were compiled
 * without cgcc. */
#ifndef CGVIEW_COLLECT_LEFT_OUT_H
#define CGVIEW_COLLECT_LEFT_OUT_H

#include "collect/names.h"

/* Add notes about them to M. The symbols of the modules must have been read. */
void left_out_tell(struct model *m, const struct names *names, const struct module *modules,
		   size_t nr);

#endif
