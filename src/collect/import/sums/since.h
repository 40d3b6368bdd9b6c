/* What a process that goes on did since an earlier state of it (cgview reduce --since). */
#ifndef CGVIEW_COLLECT_SINCE_H
#define CGVIEW_COLLECT_SINCE_H

#include "collect/import/sums/fold.h"

/* Subtracts the sum LAST, a state of F's only process, from what F has. The process gets another
 * id: intervals add up, but for two that begin at the same state. -1 and ERR: F has several
 * processes; LAST is damaged, has several, or another one; it is a later state; or nothing was done
 * since. Then F is only to be released. */
int fold_since(struct fold *f, const char *last, struct error *err);

#endif
