/* Live memory over time when profiles are added: series are not, each keeps its own. */
#ifndef CGVIEW_COLLECT_MERGE_HEAPS_H
#define CGVIEW_COLLECT_MERGE_HEAPS_H

#include "collect/import/merge_tables.h"

/* Puts FROM's heaps, moments and bands behind INTO's; producers that are the same become one. To be
 * called when INTO has FROM's runs. */
void merge_heaps(const struct merger *g);

/* Only a few heaps keep their moments: those with the greatest peaks. */
void heaps_bound(struct model *m);

#endif
