/* Blocks that are watched: few, drawn at random. When was such a block used first, and last? It
 * lies in a page of its own of a memory file, which the runtime's own thread looks at again and
 * again: a page that the processor finds in the tables was used since the last look. Taking it out
 * of them takes no data away, as those stay in the file; the program notices nothing but a short
 * delay at its next use. A block that lives when the process forks stays where it is, in memory
 * that is the process's own, and is not watched any more. */
#ifndef CGVIEW_SPACE_WATCHED_H
#define CGVIEW_SPACE_WATCHED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler.h"

#define WATCHED_OUT_OF_THE_WAY __attribute__((visibility("hidden"), noinline, cold))

/* The kernel maps up to 64 kB around a page that is read. */
enum { WATCHED_STRIDE = 65536, WATCHED_PLACES = 4096 };
#define WATCHED_BYTES ((uintptr_t)WATCHED_STRIDE * WATCHED_PLACES)

extern struct watched_state {
	_Atomic bool on;  /* blocks may be drawn */
	uintptr_t begin; /* of the places; where no address is if there are none */
} watched __attribute__((visibility("hidden")));

/* What a block's record tells of others. */
struct watched_block {
	size_t size;
	uint64_t born; /* the heap clock then, in units */
	uint32_t producer;
	bool inherited;
};

/* Finds memory for the places; false: there is none. */
WATCHED_OUT_OF_THE_WAY bool watched_start(void);
/* In a child of fork, where none are watched yet. */
WATCHED_OUT_OF_THE_WAY void watched_forked(void);

/* See struct space_guest. */
WATCHED_OUT_OF_THE_WAY bool watched_begin(void);
WATCHED_OUT_OF_THE_WAY uint64_t watched_look(void);
WATCHED_OUT_OF_THE_WAY void watched_end(bool ends);

/* Returns a place for a block of SIZE bytes, of zeros if FILLED, that S has drawn; NULL: it is not
 * to be watched. Keeps errno. S draws the next one. */
WATCHED_OUT_OF_THE_WAY void *watched_make(struct sampler *s, size_t size, bool filled);
/* The block at P, which nobody has yet, is PRODUCER's. */
WATCHED_OUT_OF_THE_WAY void watched_name(void *p, uint32_t producer);
/* Its bytes, where it is no use to read them. */
WATCHED_OUT_OF_THE_WAY const void *watched_data(const void *p);
/* Bytes of the block at P; 0: there is none. */
WATCHED_OUT_OF_THE_WAY size_t watched_size(const void *p);
/* The block at P is given back. *B: what is known of it. BEHIND: so it is, but something wrote
 * behind it; TWICE: it was given back already; NONE: no block begins there. */
enum watched_end { WATCHED_ENDED, WATCHED_BEHIND, WATCHED_TWICE, WATCHED_NONE };
WATCHED_OUT_OF_THE_WAY enum watched_end watched_give_back(void *p, struct watched_block *b);

/* Is P in a place, whether a block is there or not? */
static inline bool
watched_has(const void *p)
{
	return __builtin_expect((uintptr_t)p - watched.begin < WATCHED_BYTES, 0);
}

#endif
