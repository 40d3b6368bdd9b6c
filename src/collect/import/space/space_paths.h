/* Call paths of some blocks, which the runtime sampled by bytes: they share out what each producer
 * has got, which is exact. */
#ifndef CGVIEW_COLLECT_SPACE_PATHS_H
#define CGVIEW_COLLECT_SPACE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/import/rawfile.h"

struct space_cell;

/* What a path stands for: its share is by these. */
enum path_weight { PATH_BYTES, PATH_LIVE, NR_PATH_WEIGHTS };

struct space_path {
	uint32_t stack;            /* its number, of those of the samples */
	uint32_t input;
	uint64_t where;            /* its cell's, in the raw file */
	uint32_t cell;             /* number of that; UINT32_MAX: all of one producer */
	uint32_t producer;         /* equal for all cells of one producer */
	bool drawn;                /* by chance, not as the first of its producer */
	double weights[NR_PATH_WEIGHTS];
};

struct space_paths {
	struct space_path *items;  /* in the end by producer, cell, weight */
	size_t nr, alloc;
	uint32_t *producers;       /* by cell */
	uint64_t period;           /* bytes that a path stands for, at the most; 0: no paths */
};

struct space_share {
	uint32_t stack;
	uint64_t value;
};

void space_paths_release(struct space_paths *p);

/* Takes in FROM's sample, which has the flag RAW_ALLOCATED, of the raw file INPUT; its frames are
 * those of STACK. */
void space_paths_take(struct space_paths *p, uint32_t input, uint32_t stack,
		      const struct raw_sample_reader *from);

/* When all has been taken: finds whose they are among the NR CELLS, which stay in their order. */
void space_paths_settle(struct space_paths *p, const struct space_cell *cells, size_t nr);

/* Shares out VALUE of cell NUMBER over its paths; if none was drawn in its thread, over those of
 * the producer. Returns how many shares there are in *SHARES, heap; they add up to VALUE. 0: it has
 * no path. */
size_t space_paths_share(const struct space_paths *p, size_t number, enum path_weight by,
			 uint64_t value, struct space_share **shares);

#endif
