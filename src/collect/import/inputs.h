/* What is imported: raw files, and the members of sums of them (collect/sum.h); and what their
 * samples stand for. */
#ifndef CGVIEW_COLLECT_INPUTS_H
#define CGVIEW_COLLECT_INPUTS_H

#include "collect/import/import.h"
#include "collect/import/owners.h"
#include "collect/import/rawfile.h"
#include "collect/import/samples/samples.h"
#include "collect/import/sums/sumfile.h"

/* No clock of ours goes beyond this (104 days in ns times 1000): larger numbers are damage. */
#define MOST_NS ((uint64_t)1 << 53)
/* A larger interval between samples is damage, too; it keeps all sums of times in 63 bits. */
#define MOST_INTERVAL_NS UINT64_C(10000000000)

static inline uint64_t
at_most(uint64_t v, uint64_t most)
{
	return v < most ? v : most;
}

struct input {
	struct rawfile raw;        /* a file, or a member of a sum */
	struct sum_facts facts;    /* of a member */
	char *ids;                 /* of the files in a member; NULL: it is a file */
	int *module_of;            /* per module of the file: number in modules, -1 unusable */
	size_t of_run;             /* from 0 on */
	model_id run;
	struct weights weights;    /* of its samples */
};

struct inputs {
	struct input *items;       /* those of one run stand together */
	size_t nr, alloc;
	struct sumfile **sums;     /* whose members are inputs */
	size_t nr_sums, sums_alloc;
};

/* Opens the files PATHS; the OWNERS get theirs. RUNS as import_raw() has them; without them each
 * file, and each member of a sum, is a run. What cannot be used is left out with a note in M, if
 * there is anything else. -1 and ERR: nothing can be used, or of one of RUNS; a file cannot be read
 * now, or a sum is damaged. Either way inputs_release() is called in the end. */
int inputs_open(struct inputs *x, struct model *m, struct owners *owners, const char *const *paths,
		size_t nr, const struct import_runs *runs, struct error *err);
void inputs_release(struct inputs *x);

/* Says in M's runs what their samples stand for, and what took them, and makes times of the weights
 * of SAMPLES. All samples have been read. AMONG: as import_raw() has it. */
void inputs_settle_times(const struct inputs *x, struct model *m, struct samples *samples,
			 const struct short_runs *among);

#endif
