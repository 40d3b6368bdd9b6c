/* The disposals of a model: what became of the blocks of each call that wanted some. */
#ifndef CGVIEW_COLLECT_DISPOSALS_H
#define CGVIEW_COLLECT_DISPOSALS_H

#include "db/model/parts.h"
#include "util/index.h"

struct disposals { struct index by_ends; };

/* Adds the counts of D to M's disposal with its ends, which is made if it is not there, and to PART
 * (NULL: nobody asks). */
void disposals_add(struct disposals *s, struct model *m, struct part_entries *part,
		   const struct model_disposal *d);
void disposals_release(struct disposals *s);

#endif
