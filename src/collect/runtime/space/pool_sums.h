/* What is there of the blocks of pools that will be seen to end, by producer, and was when there
 * was most of all of them: in the raw file (struct raw_space_pool). One thread at a time is
 * here. */
#ifndef CGVIEW_SPACE_POOL_SUMS_H
#define CGVIEW_SPACE_POOL_SUMS_H

#include <stdint.h>

/* So many blocks and bytes more of PRODUCER's are there; of less they are below 0, as of numbers
 * without a sign. The calling thread has counted some of them in a cell of its own. */
__attribute__((visibility("hidden"))) void pool_sums_add(uint32_t producer, uint64_t blocks,
							 uint64_t bytes);
/* In a child of fork: it begins with none. */
__attribute__((visibility("hidden"))) void pool_sums_forked(void);

#endif
