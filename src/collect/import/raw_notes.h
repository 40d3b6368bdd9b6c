/* What a raw file, or the member of a sum, says of what its figures lack, as notes. */
#ifndef CGVIEW_COLLECT_RAW_NOTES_H
#define CGVIEW_COLLECT_RAW_NOTES_H

#include "collect/import/rawfile.h"
#include "collect/sum.h"
#include "db/model/model.h"

void raw_notes_tell(struct model *m, const struct rawfile *r);
void raw_notes_tell_sum(struct model *m, const struct sum_facts *f);

#endif
