/* The allocations of a share, added up: what each producer has got, and who gave that back. When it
 * was live, and the call paths, are no sums, and are left out. */
#ifndef CGVIEW_COLLECT_SPACE_SUM_H
#define CGVIEW_COLLECT_SPACE_SUM_H

#include "collect/import/rawfile.h"
#include "collect/sum.h"
#include "util/index.h"

struct space_sum {
	struct sum_space facts;
	struct summed_cell {
		struct raw_space_cell of; /* its addresses are those of places; `module` is 0 */
		uint64_t root;     /* the call that wants its blocks: the outermost of wrappers */
		uint64_t pool_peak, left_blocks; /* as raw_space_pool has them, of processes */
	} *cells;
	size_t nr_cells, cells_alloc;
	struct raw_space_pair *pairs; /* likewise */
	size_t nr_pairs, pairs_alloc;
	struct index cell_index, pair_index;
};

void space_sum_release(struct space_sum *s); /* it is empty then */

/* Adds what R, a raw profile or a member of a sum, has; PLACE_OF: per module. THREADS: of R. */
void space_sum_read(struct space_sum *s, const struct rawfile *r, const int *place_of,
		    uint64_t threads);
void space_sum_add(struct space_sum *s, const struct space_sum *from);

/* Reads what member R says of its raw profiles. False: their allocations were not counted, or it is
 * damaged. */
bool space_sum_facts(const struct rawfile *r, struct sum_space *facts);

#endif
