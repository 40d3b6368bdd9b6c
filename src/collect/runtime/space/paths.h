/* Call paths of some blocks, as samples in the raw file: of the first block of each producer, and
 * of those in which a byte lies that was drawn. The distances of such bytes are exponential, so
 * that a block of SIZE bytes is one of them with the chance 1 - e^(-SIZE/mean), whatever was
 * before it. */
#ifndef CGVIEW_SPACE_PATHS_H
#define CGVIEW_SPACE_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#define PATHS_HIDDEN __attribute__((visibility("hidden"), noinline, cold))

struct raw_sample;
struct space_call;

/* In the number of a block's producer, in its record: a path was stored. */
enum { PATHS_SAMPLED = 1 << 18 };

struct paths_thread {
	uint64_t random;	 /* state of the generator; 0: it has not begun */
	uint64_t left;		 /* bytes until the next one that was drawn */
	uint64_t mean, drawn;	 /* that its distance was drawn with; and the one before */
	struct raw_sample *last; /* the path of the block that is being made */
};

/* The thread has allocated so many BYTES more. Returns whether a byte that was drawn was among
 * them. */
PATHS_HIDDEN bool paths_pass(struct paths_thread *p, uint64_t bytes);
/* Stores a path of a block of BYTES that CALL asks for, the FIRST of its producer or one that was
 * drawn; CELL: where the producer's cell is in the file. Returns PATHS_SAMPLED, and P->last; 0:
 * there was no room. */
PATHS_HIDDEN uint32_t paths_store(struct paths_thread *p, const struct space_call *call,
				  uint64_t bytes, uint64_t cell, bool first);
/* BLOCK is the one of P->last. */
PATHS_HIDDEN void paths_born(const struct paths_thread *p, const void *block);
/* BLOCK, which has a path, is given back by the process that made it. */
PATHS_HIDDEN void paths_freed(const void *block);
/* In a child of fork: all blocks are its parent's. */
PATHS_HIDDEN void paths_forked(void);

#endif
