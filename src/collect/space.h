/* Allocations: what the library of record --space added up for each producer, a call site that asks
 * for blocks. */
#ifndef CGVIEW_COLLECT_SPACE_H
#define CGVIEW_COLLECT_SPACE_H

#include "collect/areas.h"
#include "collect/build.h"
#include "collect/rawfile.h"
#include "collect/space_series.h"
#include "util/index.h"

/* The measures, which are figures of a producer, too. */
#define SPACE_MEASURE "allocs" /* the first of them */
enum space_figure {
	SPACE_ALLOCS, SPACE_BYTES, SPACE_LIVE, SPACE_LIVE_BLOCKS, SPACE_SLACK,
	SPACE_PEAK,
	/* These come from the pairs: of what disposers gave back, and of what producers had got. */
	SPACE_FREED, SPACE_TEMPORARY, SPACE_COPIED, SPACE_AT_EXIT, NR_SPACE_FIGURES
};

struct space_cell {                /* what a producer has got in one part */
	uint32_t address;          /* number + 1 among those of the samples; 0: nobody's */
	uint32_t maker;            /* likewise: the call itself, which may be in a wrapper */
	bool through;              /* other code wanted the blocks for the maker */
	model_id part;
	uint32_t input, pid;       /* the process, pid 0: all children of one */
	uint64_t freed_blocks, freed_bytes; /* of its, and given back in this part */
	uint64_t empty;            /* calls that brought no block */
	uint64_t strange;          /* blocks without a record that were given back here */
	uint64_t where;            /* in its file */
	int64_t at_peak;           /* of its bytes: live at its run's peak; see freed_bytes */
	model_id producer;         /* once it is known */
	uint64_t figures[NR_SPACE_FIGURES];
};

struct space_pair {                /* what a disposer gave back of a producer's in one part */
	uint32_t address, of;      /* the disposer's, the producer's: numbers likewise */
	bool through, of_through;
	model_id part;
	struct model_disposal counts;
};

struct space {
	struct space_cell *cells;
	size_t nr, alloc;
	struct space_pair *pairs;  /* in the order of their parts */
	size_t nr_pairs, pairs_alloc;
	unsigned nr_counted, nr_inputs; /* raw files with allocations; all */
	bool killed;               /* a program that had not come to its end was */
	uint64_t lost, early, strange;
	struct space_series series;
	struct index producers;    /* by what they are */
	int slots[NR_SPACE_FIGURES]; /* of the measures; -1: there is none */
};

void space_release(struct space *s);

struct samples;
/* Takes in what raw file R tells of allocations; MODULE_OF: for each of its modules the number of
 * the module, or -1; AREAS: of the raw file that was read the last. SAMPLES is told which addresses
 * are to be looked up. */
void space_read(struct space *s, struct samples *samples, const struct rawfile *r,
		const int *module_of, const struct areas *areas);

/* When all has been read: adds the measures to M, works out what is live, and puts the cells in the
 * order of their parts. */
void space_settle(struct space *s, struct model *m);

/* Returns the producer of M that is KEY; it is a new one if there was none. */
model_id space_producer(struct space *s, struct model *m, const struct model_producer *key);

/* Notes that something without a record was given back there, so many TIMES. */
void space_tell_strange(const struct space *s, struct model *m, model_id file, uint32_t line,
			uint64_t times);

/* Linkage names of what a call wants a block of, and of what it gives one back to; NULL ends
 * them. */
const char *const *space_allocators(void);
const char *const *space_disposers(void);
/* Is NAME one of NAMES? */
bool space_is_among(const char *const *names, const char *name);

/* Notes where M's direct calls of allocators, which are counted, are not those that were seen
 * there: CALLS, per site. CALLEE: per site the procedure of a direct call. */
void space_check(const struct space *s, struct model *m, const uint64_t *calls,
		 const model_id *callee);

#endif
