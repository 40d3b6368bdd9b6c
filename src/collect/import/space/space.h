/* Allocations: what the library of record --space added up for each producer, a call site that asks
 * for blocks. */
#ifndef CGVIEW_COLLECT_SPACE_H
#define CGVIEW_COLLECT_SPACE_H

#include "collect/import/counts/areas.h"
#include "collect/import/counts/build.h"
#include "collect/import/rawfile.h"
#include "collect/import/samples/event_measures.h"
#include "collect/import/space/space_paths.h"
#include "collect/import/space/space_series.h"
#include "util/index.h"

/* The measures, which are figures of a producer, too. */
#define SPACE_MEASURE "allocs" /* the first of them */
#define SPACE_TOOL "cgview"     /* that has found what was given back without a record */
enum space_figure {
	SPACE_ALLOCS, SPACE_BYTES, SPACE_LIVE, SPACE_LIVE_BLOCKS, SPACE_SLACK,
	SPACE_PEAK,
	/* These come from the pairs: of what disposers gave back, and of what producers had got. */
	SPACE_FREED, SPACE_TEMPORARY, SPACE_COPIED, SPACE_AT_EXIT,
	/* Of the blocks of pools, which lie in others; LEFT: of those whose end would be seen. */
	SPACE_POOL_ALLOCS, SPACE_POOL_BYTES, SPACE_POOL_FREED, SPACE_POOL_LEFT, SPACE_POOL_PEAK,
	NR_SPACE_FIGURES
};

struct space_cell {                /* what a producer has got in one part */
	uint32_t address;          /* number + 1 among those of the samples; 0: nobody's */
	uint32_t maker;            /* the call itself, which may be in a wrapper; as address */
	bool through;              /* other code wanted the blocks for the maker */
	unsigned size_class;       /* RAW_SPACE_CLASS() of its blocks */
	model_id part;
	uint32_t input, pid;       /* the process, pid 0: all children of one */
	uint64_t freed_blocks, freed_bytes; /* of its, and given back in this part */
	uint64_t empty;            /* calls that brought no block */
	/* Of a pool's: as SPACE_POOL_LEFT; bytes of those whose end would be seen. */
	uint64_t left_blocks, seen;
	uint64_t strange;          /* blocks without a record that were given back here */
	uint64_t where;            /* in its file */
	int64_t at_peak;           /* of its bytes: live at its run's peak; see freed_bytes */
	model_id producer;         /* once it is known */
	uint64_t figures[NR_SPACE_FIGURES];
};

struct space_pool_sum {            /* what there was of a producer's blocks of pools */
	uint64_t where;            /* one of its cells */
	uint32_t input;
	uint64_t peak, left_blocks; /* PEAK: bytes, when its process had most */
};

struct space_pair {                /* what a disposer gave back of a producer's in one part */
	uint32_t address, of;      /* the disposer's, the producer's: numbers as in space_cell */
	bool through, of_through;
	unsigned size_class;       /* of the blocks */
	model_id part;
	struct model_disposal counts;
};

struct space_fault {               /* what had no record when it was given back */
	uint32_t address, of;      /* who gave it back, whose it was: numbers as in space_cell */
	bool through, of_through;
	uint64_t times[RAW_SPACE_FAULTS];
};

struct space {
	struct space_cell *cells;
	size_t nr, alloc;
	struct space_cell *pools;  /* with the figures of pools only */
	size_t nr_pools, pools_alloc;
	bool ends_seen;            /* of some of them */
	struct space_pool_sum *pool_sums;
	size_t nr_pool_sums, pool_sums_alloc;
	struct space_pair *pairs;  /* in the order of their parts */
	size_t nr_pairs, pairs_alloc;
	struct space_fault *faults;
	size_t nr_faults, faults_alloc;
	uint64_t nr_counted, nr_inputs; /* raw files with allocations; all */
	uint64_t nr_summed;        /* of those with allocations: in sums */
	bool killed;               /* a program that had not come to its end was */
	uint64_t killed_threads;   /* the same of those in sums */
	uint64_t lost, early, strange;
	uint64_t unplaced;         /* allocations with a known address only, as in what was
				    * stripped */
	struct space_series series;
	struct space_paths paths;
	struct index producers;    /* by what they are */
	int slots[NR_SPACE_FIGURES]; /* of the measures; -1: there is none */
	/* Of the measures of time in allocators, and in what gives back: of one each or none. */
	struct event_slots making, giving;
};

void space_release(struct space *s);

struct samples;
/* Takes in what raw file R tells of allocations; MODULE_OF: for each of its modules the number of
 * the module, or -1; AREAS: of the raw file that was read the last. SAMPLES is told which addresses
 * are to be looked up. */
void space_read(struct space *s, struct samples *samples, const struct rawfile *r,
		const int *module_of, const struct areas *areas);

/* Is it no damage? */
bool space_cell_is_sound(const struct raw_space_cell *c);
/* Returns the cell of the call that wants what C, cell NUMBER of part P, tells of: the outermost
 * one of a wrapper. */
struct raw_space_cell space_root(const struct rawfile *r, const struct raw_part *p, uint64_t number,
				 const struct raw_space_cell *c);

/* When all has been read: adds the measures to M, works out what is live, and puts the cells in the
 * order of their parts. */
void space_settle(struct space *s, struct model *m);

/* Returns the producer of M that is KEY; it is a new one if there was none. */
model_id space_producer(struct space *s, struct model *m, const struct model_producer *key);

/* Where a call stands. */
struct space_end {
	model_id procedure;        /* 0: not profiled */
	struct place place;
};

/* Adds the errors of one row to M: BY gave back what OF had asked for. Returns how many times. */
uint64_t space_add_fault(const struct space *s, struct model *m, const struct space_fault *f,
			 const struct space_end *by, const struct space_end *of);
/* Notes that there were so many. */
void space_tell_faults(struct model *m, uint64_t times);

/* Notes that something without a record was given back there, so many TIMES; nothing else is known
 * of it. */
void space_tell_strange(const struct space *s, struct model *m, model_id file, uint32_t line,
			uint64_t times);

/* Linkage names of what a call wants a block of, and of what it gives one back to; NULL ends
 * them. */
const char *const *space_allocators(void);
const char *const *space_disposers(void);
/* When all has been read, and time was sampled: adds the measures of the time below calls of
 * these. */
void space_add_times(struct space *s, struct model *m);
/* Returns those that the time below a call of foreign code NAME (NULL: not known) counts for. */
const struct event_slots *space_time_slots(const struct space *s, const char *name);
/* Is NAME one of NAMES? */
bool space_is_among(const char *const *names, const char *name);

/* Notes where M's direct calls of allocators, which are counted, are not those that were seen
 * there: CALLS, per site. CALLEE: per site the procedure of a direct call; POOLED: is it one that
 * wants a block of a pool? */
void space_check(const struct space *s, struct model *m, const uint64_t *calls,
		 const model_id *callee, const bool *pooled);

#endif
