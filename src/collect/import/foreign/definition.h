/* Where a procedure begins, for tools that only tell which of its lines were executed. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_DEFINITION_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_DEFINITION_H

#include <stdbool.h>

#include "db/model/model.h"

/* The places of M's procedures that are UNKNOWN, by id - 1, begin at the first line that is known
 * to be theirs: moves them up to where the texts of the files define their names. */
void definitions_find(struct model *m, const bool *unknown);

#endif
