/* Blocks of pools (alloc= and free= of cgcc): parts of larger blocks; only the program's own
 * procedures know their begin and end. They are counted apart; if free= names what gives them back
 * they are remembered here, as nothing of ours is in them. */
#ifndef CGVIEW_SPACE_POOLS_H
#define CGVIEW_SPACE_POOLS_H

#include <stdint.h>

struct space_pool;

/* See struct space_guest. */
__attribute__((visibility("hidden"))) void pools_note(const uint64_t *frame,
						      const struct space_pool *what);
/* In a child of fork: what it has inherited is none of its own. */
__attribute__((visibility("hidden"))) void pools_forked(void);

#endif
