/* What the head of a raw file says of what its counts and times lack, as notes of the profile. */
#ifndef CGVIEW_COLLECT_RAW_NOTES_H
#define CGVIEW_COLLECT_RAW_NOTES_H

#include "collect/import/rawfile.h"
#include "db/model/model.h"

void raw_notes_tell(struct model *m, const struct rawfile *r);

#endif
