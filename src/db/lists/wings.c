#include "db/lists/wings.h"

#include "db/lists/imbalance.h"
#include "db/lists/list_spec.h"
#include "db/store/column.h"

const struct wing wings[NR_WINGS] = {
	[WING_MOMENTS] = { "memory over time", "cgview record --space", NULL },
	[WING_BLOCKS] = { "allocations", "cgview record --space",
		" allocations bytes live live_blocks slack freed temporaries copied at_exit "
		"peak " },
	[WING_POOLS] = { "blocks of pools", "cgcc --cgview-flags=alloc=GLOB names the procedures "
		"that give them out", NULL },
	[WING_FAULTS] = { "page faults", "cgview record -e page-faults",
		" faults minor_faults major_faults " },
	[WING_ERRORS] = { "errors", "cgview record --memcheck", NULL },
	[WING_WAITING] = { "waiting times", "cgview record --wall", NULL },
	[WING_CENTRES] = { "time by cost centre",
		"compile with cgcc --cgview-flags=cost-centres and record again", NULL },
	[WING_RUNS] = { "runs", "cgview record", NULL },
	[WING_COUNTS] = { "counts of lines", "compile with cgcc and record again", NULL },
	[WING_BRANCHES] = { "branches",
		"the program has no conditions, or was not built with cgcc", NULL },
	[WING_RANKS] = { "ranks", "start it by mpirun or srun, or set CGVIEW_RANK for each process",
		NULL },
	[WING_SEVERAL] = { "second rank or run",
		"start it by mpirun or srun, or cgview record -n 5", NULL },
	[WING_IMBALANCE] = { "second rank or run",
		"start it by mpirun or srun, or cgview record -n 5", NULL },
	[WING_PROCEDURES] = { "procedures, as nothing was compiled with cgcc", "cgview record",
		NULL },
};

bool
wing_is_there(struct profile *p, enum wing_id wing)
{
	const struct profile_totals *totals = profile_totals(p);

	switch (wing) {
	case WING_MOMENTS:
		return profile_rows(p, LIST_MOMENT);
	case WING_BLOCKS:
		return profile_has_disposals(p);
	case WING_POOLS:
		return profile_rows(p, LIST_POOL);
	case WING_ERRORS:
		return profile_rows(p, LIST_DEFECT);
	case WING_WAITING:
		return totals->run.wait_ns;
	case WING_CENTRES:
		return totals->run.centre_samples;
	case WING_RUNS:
		return totals->nr_runs || totals->nr_threads;
	case WING_COUNTS:
		return !profile_lines_are_uncounted(p);
	case WING_BRANCHES:
		return column_last_id(p, TABLE_BRANCH);
	case WING_RANKS:
		return profile_rows(p, LIST_RANK);
	case WING_SEVERAL:
		return imbalance_is_there(p);
	case WING_IMBALANCE:
		return imbalance_is_there(p) || imbalance_has_spread(p);
	case WING_PROCEDURES:
		return totals->nr_procedures;
	case WING_NONE: case WING_FAULTS: case NR_WINGS:
		break;
	}
	return true;
}

enum wing_id
wing_missing(struct profile *p, enum list_kind kind)
{
	enum wing_id wing = list_specs[kind].wing;

	if (wing == WING_POOLS && !wing_is_there(p, WING_BLOCKS))
		wing = WING_BLOCKS;
	return wing_is_there(p, wing) ? WING_NONE : wing;
}
