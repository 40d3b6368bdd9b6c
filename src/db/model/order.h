/* Gives a model's rows one order, so that the order of their collection leaves no trace. */
#ifndef CGVIEW_DB_ORDER_H
#define CGVIEW_DB_ORDER_H

#include "db/model/rows.h"
#include "util/error.h"

/* Puts files in the order of their paths, procedures in that of their places, the rows of each
 * procedure behind each other, runs in the order of their beginnings, and so on. Arcs and pins stay
 * in their order, with new ids. Parts go from the model's spill to the spill TO, which becomes the
 * model's (both may be NULL). IDS gets the new ids; the caller releases it. Returns -1 and ERR
 * when parts are damaged or the disk is full; M is then of no use. */
int model_put_in_order(struct model *m, struct spill *to, struct row_ids *ids, struct error *err);

/* The order in which the writer stores a model's files, by path, and lines, by file (FILES: what
 * the first returned) and number: positions in the model, from 0 on. Heap, the caller's. */
model_id *model_stored_files(const struct model *m);
model_id *model_stored_lines(const struct model *m, const model_id *files);

/* Puts the rows of the tables that IDS has some for in their order: each of these is a permutation.
 * All that refers to them gets the new ids, and M keeps its spill. -1 and ERR: as above. */
int model_renumber(struct model *m, const struct row_ids *ids, struct error *err);

#endif
