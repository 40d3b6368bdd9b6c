/* The events of cost profiles as measures. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_COSTS_COST_MEASURES_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_COSTS_COST_MEASURES_H

#include "collect/import/foreign/costs/costs.h"

/* Per event: the slot of its measure, -1: it has none; and what its costs are multiplied by. */
struct cost_slots { int slot[MEASURES_MAX]; uint64_t scale[MEASURES_MAX]; };

/* Adds a measure to M for each event of C and each formula, of the file or that users of such
 * events know. INCLUSIVE: calls have costs. */
void cost_measures_add(const struct costs *c, bool inclusive, struct model *m,
		       struct cost_slots *slots);

#endif
