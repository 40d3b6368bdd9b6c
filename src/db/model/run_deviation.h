/* Computes how much figures differ from run to run. */
#ifndef CGVIEW_DB_RUN_DEVIATION
#define CGVIEW_DB_RUN_DEVIATION

#include "db/model/model.h"
#include "db/model/parts.h"
#include "util/deviation.h"

/* Returns the standard deviation of what each run of a model spent in each procedure itself, in
 * nanoseconds, by id - 1; -1: not known. Runs without samples by intention do not count. There is
 * no deviation of less than two runs or of different commands, nor when it is not known which run
 * counted what. Heap, the caller's. */
int64_t *spread_of_procedures(const struct model *m);

/* Times of procedures, or of groups of them. */
struct spread_of {
	enum part_column column; /* PART_SELF_NS, PART_TOTAL_NS */
	const uint32_t *group;   /* of a procedure, by id - 1; NULL: each is one */
	size_t nr;               /* groups */
	/* Of evenness: the group above each, which has what is in that, too. It stands before it,
	 * and above group 0 is none. NULL: all stand alone. */
	const uint32_t *up;
	const double *base;      /* by run - 1, or NULL */
};

/* Set SPREAD to the same by group, or *CPU to that of the runs' CPU time; all 0 where nothing is
 * known. With BASE it is the deviation from the same share of that in each run: what a time that is
 * divided by that of BASE differs by from run to run. M needs no more than model_load_parts(), that
 * of the CPU time no more than runs. Return the number of runs, 0: nothing is known. */
size_t spread_of_times(const struct model *m, const struct spread_of *of, double *spread);
size_t spread_of_cpu(const struct model *m, const double *base, double *cpu);

/* How evenly processes of a program, or its runs, have a figure. */
struct evenness {
	struct deviation of;     /* over all of them, also those that have 0 */
	uint64_t least, most;
	uint32_t least_at, most_at; /* rank or run, of equal ones the first */
	uint32_t seen, gap;      /* while it is made: how many had some; the first that had none */
};
/* Sets EVENNESS[i] by group, for each of the NR figures OF (see struct spread_of; no base), over
 * the ranks of M, or if there are none its runs. What belongs to no rank is left out then. Returns
 * how many there are; less than 2: EVENNESS says nothing, or a part is damaged. M needs no more
 * than model_load_parts(). A job pauses (util/job.h): if it may be dropped, the caller holds what
 * it has given. */
size_t evenness_of(const struct model *m, const struct spread_of *of, size_t nr,
		   struct evenness *const *evenness);
/* Returns what the most is above the mean, in percent of the most (not 0), to two digits. */
double evenness_imbalance(const struct evenness *e);
/* Does M tell ranks apart? */
bool evenness_is_of_ranks(const struct model *m);

/* Returns the sum of the times of GROUP (0: of all) in each run, by id - 1. Heap, the caller's. */
double *times_of_runs(const struct model *m, const struct spread_of *of, uint32_t group);

#endif
