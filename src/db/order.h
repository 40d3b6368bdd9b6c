/* One order of a model's rows: that in which they came together leaves no trace. */
#ifndef CGVIEW_DB_ORDER_H
#define CGVIEW_DB_ORDER_H

#include "db/model.h"
#include "util/error.h"

struct model_order {       /* [old id] -> new id; [0] is 0 */
	model_id *files, *procedures, *blocks, *ranges, *sites, *lines, *contexts, *runs, *parts;
};

/* Put files in the order of their paths, procedures in that of their places, what is in them behind
 * each other, runs in that of their beginnings, and so on. Arcs and pins are not put in order, but
 * name the same as before. Parts go from the model's spill to the spill TO, which becomes the
 * model's (both may be NULL). ORDER tells what became what; it is to be released. -1 and ERR: parts
 * are damaged, or the disk is full; M is to be given up. */
int model_put_in_order(struct model *m, struct spill *to, struct model_order *order,
		       struct error *err);
void model_order_release(struct model_order *order);

#endif
