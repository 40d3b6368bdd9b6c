/* How far a file is read, for whoever shows that: readers of large files tell it now and then. */
#ifndef CGVIEW_COLLECT_IMPORT_READING_H
#define CGVIEW_COLLECT_IMPORT_READING_H

#include <stdint.h>

#include "util/progress.h"

enum { READING_STEP = 1 << 20 }; /* bytes; more often it need not be told */

/* From now on P, which stays, is told; NULL: nobody. */
void reading_watch(const struct progress *p);
/* DONE bytes of ALL were read. Of what is read twice the second time tells nothing new. */
void reading_at(uint64_t done, uint64_t all);

#endif
