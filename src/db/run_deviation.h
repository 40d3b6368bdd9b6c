/* Computes how much figures differ from run to run. */
#ifndef CGVIEW_DB_RUN_DEVIATION
#define CGVIEW_DB_RUN_DEVIATION

#include "db/model.h"

/* Returns the standard deviation of what each run of a model spent in each procedure itself, in
 * nanoseconds, by id - 1; -1: not known. Runs without samples by intention do not count. There is
 * no deviation of less than two runs or of different commands, nor when it is not known which run
 * counted what. Heap, the caller's. */
int64_t *spread_of_procedures(const struct model *m);

#endif
