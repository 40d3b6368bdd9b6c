/* Computes how much figures differ from run to run. */
#ifndef CGVIEW_DB_RUN_DEVIATION
#define CGVIEW_DB_RUN_DEVIATION

#include "db/model.h"

/* Returns the standard deviation of what each run of a model spent in each procedure itself, in
 * nanoseconds, by id - 1; -1: not known. Runs without samples by intention do not count. There is
 * no deviation of less than two runs or of different commands, nor when it is not known which run
 * counted what. Heap, the caller's. */
int64_t *spread_of_procedures(const struct model *m);

/* Sets SPREAD to the same of the time with callees, by group: GROUP has that of each procedure, by
 * id - 1, of NR groups; and *CPU to that of the runs' CPU time; all 0 where nothing is known of
 * them. M needs no more than model_load_parts(). Returns the number of runs, 0: nothing is
 * known. */
size_t spread_of_totals(const struct model *m, const uint32_t *group, size_t nr, double *spread,
			double *cpu);

#endif
