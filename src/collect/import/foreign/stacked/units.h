/* Units of other tools, in our words. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_UNITS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_STACKED_UNITS_H

#include "collect/import/foreign/stacks.h"

/* Returns what UNIT is called here: "ns" of all times, "bytes", "count", or UNIT itself. SCALE:
 * what its values are to be multiplied by. */
struct stacks_text unit_of(struct stacks_text unit, uint64_t *scale);

#endif
