/* Runs that left very many raw files, as a build does whose tools are profiled: record adds the
 * files up before it imports them. Each file costs the import what it takes to solve all of the
 * program's counts; adding up costs a thirtieth of that. */
#ifndef CGVIEW_CMD_FOLD_RUNS
#define CGVIEW_CMD_FOLD_RUNS

#include <stddef.h>

#include "cmd/make/make_profile.h"

/* So many files of a run stay as they are, so that each keeps its threads. Allocations lose more:
 * when memory was live, and call paths. */
enum { FOLD_FROM = 200, FOLD_SPACE_FROM = 2000 };

struct folded_runs {
	const char **paths;        /* to be imported: raw files, and sums in place of many */
	size_t nr, nr_sums;        /* the sums are this object's */
	char **sums;
};

/* Fills F with the raw files RAWS of the NR_RUNS RUNS, whose nr_raws become what they are in F:
 * those of a run that has more than MOST are added up. A run with a partial sum
 * (cmd/make/partial_sums.h) is added up, too, however many files it has left besides. The sums are
 * written into DIRECTORY, and removed by folded_runs_release(). Files that cannot be added (one was
 * cut off) are left beside the sum; if none can, or there is no room, that run's are left as they
 * are. */
void folded_runs_make(struct folded_runs *f, const char *const *raws, struct recorded *runs,
		      size_t nr_runs, size_t most, const char *directory);
void folded_runs_release(struct folded_runs *f);

#endif
