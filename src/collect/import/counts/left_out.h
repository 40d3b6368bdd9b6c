/* Tells which procedures are not counted, and why: the plugin left them out, or they were compiled
 * without cgcc. */
#ifndef CGVIEW_COLLECT_LEFT_OUT_H
#define CGVIEW_COLLECT_LEFT_OUT_H

#include "collect/import/counts/names.h"

/* Add notes about them to M. The symbols of the modules must have been read. */
void left_out_tell(struct model *m, const struct names *names, struct module *modules,
		   size_t nr);

#endif
