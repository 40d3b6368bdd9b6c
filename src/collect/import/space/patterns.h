/* The patterns that name wrappers and pools for record --space, which may name nothing. */
#ifndef CGVIEW_COLLECT_PATTERNS_H
#define CGVIEW_COLLECT_PATTERNS_H

#include "collect/import/counts/build.h"
#include "db/model/model.h"

/* Notes which patterns were of no use in any unit of the NR modules. */
void patterns_tell(struct model *m, const struct module *modules, size_t nr);

#endif
