/* What the library of --space adds up: for each thread and producer, in the raw file. A producer is
 * a return address in counted code, with a size class; its number stands in the records of its
 * blocks, and is the same in a child of fork. */
#ifndef CGVIEW_SPACE_TABLES_H
#define CGVIEW_SPACE_TABLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/runtime/space_host.h"
#include "paths.h"
#include "series.h"
#include "watched.h"

#define HIDDEN	      __attribute__((visibility("hidden")))
#define LIKELY(x)     __builtin_expect(!!(x), 1)
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define OUT_OF_THE_WAY __attribute__((noinline, cold))

#define SPACE_THROUGH RAW_SPACE_THROUGH
#define SPACE_POOL    RAW_SPACE_POOL /* where the class would stand: a pool's blocks */

enum {
	NR_PRODUCERS = 1 << 17, /* the first of them is nobody */
	NR_ENTRIES = 1 << 12,
	CELLS_OF_PAGE = 512,
	MOST_CHUNKS = 24,
	MAX_THREADS = 16384, /* at one time */
	CLOCK_STEP = 16384 /* bytes that a thread allocates before others see them */
};

/* A call that this thread has seen before; it is counted in CELL. */
struct space_entry {
	/* Where it returns to, with the class of the blocks; with SPACE_THROUGH if it called other
	 * code, which wants the blocks. Of calls in wrappers what tables_chain() makes of all on
	 * the way from there. */
	uint64_t pc;
	struct raw_space_cell *cell; /* NULL: whose it is must be asked each time */
	uint32_t producer;
	uint16_t kind; /* enum space_kind */
	/* IN_WRAPPER: how far above the stack pointer there the caller's is, in words, or BY_FP,
	 * two words above the frame pointer; 0: that is not known. */
	uint16_t step;
};
enum space_kind { COUNTED, FOREIGN, IN_WRAPPER };
enum { BY_FP = UINT16_MAX };

/* Room for records of one kind in the raw file. */
struct space_room {
	struct space_chunk {
		struct raw_extent *extent;
		uint64_t found; /* bytes that a dead process has left in it */
		struct series_chunk series;
	} chunks[MOST_CHUNKS];
	_Atomic uint32_t nr_chunks;
	bool full; /* there is no more room */
};

/* What this thread has given back of a producer's by a call: a place in an open table. */
struct space_death {
	uint32_t by, of; /* producers, BY with how in its upper bits; the pair is NULL: unused */
	struct raw_space_pair *pair;
	struct raw_space_cell *cell; /* of the producer's blocks */
};

struct space_thread {
	struct space_entry entries[NR_ENTRIES];
	struct space_entry spare; /* what is in no entry */
	struct raw_space_cell **pages[NR_PRODUCERS / CELLS_OF_PAGE]; /* by producer; NULL: none */
	struct raw_space_cell *first_page[CELLS_OF_PAGE];
	struct space_room cells, pairs;
	struct series_thread series;
	struct sampler watch; /* of blocks that are to be watched */
	struct paths_thread paths;
	struct space_death *deaths; /* NULL: none yet */
	uint32_t nr_deaths, deaths_mask;
	uint32_t layout;	/* space.layout that the entries are of */
	uint64_t unseen;	/* bytes of the heap clock that are not in space.clock yet */
	uint64_t due;		/* so many of them are a step */
	const void *last_block; /* that it made, when nothing has been allocated since */
};

struct space {
	const struct space_host *_Atomic host; /* NULL: nothing is counted (yet) */
	_Atomic uint32_t layout; /* grows when other code may stand where there was some */
	uint32_t generation;	 /* grows in each child of fork */
	uint64_t early;		 /* blocks that were handed out before and are not known */
	_Atomic uint64_t clock;	 /* the heap clock: bytes allocated by all threads */
	bool ending;		 /* main() has returned, or exit() was called */
};
extern HIDDEN struct space space;
extern HIDDEN __thread struct space_thread *space_self __attribute__((tls_model("initial-exec")));

HIDDEN void tables_forked(void);

/* All that threads have, one after the other; begins with zeros. Others may add to it meanwhile. */
struct space_walk {
	int thread;
	uint32_t chunk;
};
HIDDEN struct space_thread *tables_next_thread(struct space_walk *walk);     /* NULL: no more */
HIDDEN const struct space_chunk *tables_next_chunk(struct space_walk *walk); /* likewise */
HIDDEN uint32_t tables_nr_threads(void);
/* Producers that there are by now, nobody included: no record has a greater number. */
extern HIDDEN _Atomic uint32_t nr_producers;

/* FRAME is that of the procedure that the program has called: the caller's frame pointer, and where
 * the call returns to. Notes what became of it: a block of BYTES, with SLACK more usable; none.
 * Returns the producer that a block's record is to name, with PATHS_SAMPLED if its path was stored.
 * Keeps errno. */
enum space_event { SPACE_MADE, SPACE_EMPTY };
HIDDEN uint32_t tables_note(const uint64_t *frame, enum space_event event, uint64_t bytes,
			    uint64_t slack);

/* Notes that the call gave back what has no record, and whose it was (0: that is not known);
 * likewise. */
HIDDEN void tables_note_fault(const uint64_t *frame, enum raw_space_fault fault, uint32_t producer);

/* Whose blocks PRODUCER's are, as the raw file tells it (struct raw_space_life). */
HIDDEN void tables_tell_producer(uint32_t producer, uint64_t *pc, uint32_t *module);

/* A block that is given back. */
struct space_freed {
	const void *block;
	uint64_t bytes, life; /* LIFE: bytes that were allocated meanwhile */
	uint32_t producer;
	enum raw_space_how how;
	uint64_t moved, copied, grown; /* by realloc, as in the raw file */
};
enum { HOW_AT = 30 }; /* in space_death.by */
/* Notes that the call gave it back; likewise. */
HIDDEN void tables_note_freed(const uint64_t *frame, const struct space_freed *f);

/* Likewise of a block of a pool; REMEMBERED: its end will be seen. Returns its producer; 0: it
 * could not be noted. */
HIDDEN uint32_t tables_note_pool(const uint64_t *frame, enum space_event event, uint64_t bytes,
				 bool remembered);
/* So many blocks of a pool, which were remembered as PRODUCER's, are given back; likewise. */
HIDDEN void tables_pool_freed(uint32_t producer, uint64_t blocks, uint64_t bytes);

/* The place where a thread's entry of a call at PC is, if it is anywhere. */
static inline uint32_t
tables_place(uint64_t pc)
{
	return (uint32_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 52) & (NR_ENTRIES - 1);
}

/* The size class of a block, as it stands above an address. */
static inline uint64_t
tables_class(uint64_t bytes)
{
	enum { LEAST = (1 << RAW_SPACE_LEAST_CLASS) - 1 };
	unsigned bits = 64 - (unsigned)__builtin_clzll((bytes - (bytes != 0)) | LEAST);

	return (uint64_t)bits << RAW_SPACE_CLASS_AT;
}

/* The heap clock, as this thread knows it. */
static inline uint64_t
tables_clock(void)
{
	const struct space_thread *t = space_self;

	return atomic_load_explicit(&space.clock, memory_order_relaxed) + (t ? t->unseen : 0);
}

/* T has allocated a step, with the block of BYTES that the procedure with FRAME wants, whose call
 * is E (NULL: not known): others see it, and if it is due a path is stored. Returns PATHS_SAMPLED
 * then, else 0. */
HIDDEN uint32_t tables_step(struct space_thread *t, const struct space_entry *e,
			    const uint64_t *frame, uint64_t bytes);

/* The key of a call that returns to PC and leads to the one with KEY. */
static inline uint64_t
tables_chain(uint64_t key, uint64_t pc)
{
	uint64_t h = (key * UINT64_C(0x9e3779b97f4a7c15) ^ pc) * UINT64_C(0xd6e8feb86659fd93);

	return (h ^ h >> 32) >> 2 | UINT64_C(1) << 62;
}

/* Returns the entry of the call in a wrapper that E is of, from there outwards; NULL: it is not
 * known. */
HIDDEN const struct space_entry *tables_outward(const struct space_thread *t,
						const struct space_entry *e, const uint64_t *frame);

/* Returns the entry of the call of the procedure with FRAME, for blocks of CLASS (0: it gives them
 * back), if it is known whose it is; else NULL. */
static inline const struct space_entry *
tables_entry(const struct space_thread *t, const uint64_t *frame, uint64_t class)
{
	const struct space_entry *e = &t->entries[tables_place(frame[1] | class)];

	if (UNLIKELY(e->pc != (frame[1] | class) ||
		     t->layout != atomic_load_explicit(&space.layout, memory_order_relaxed)))
		return NULL;
	if (UNLIKELY(e->step))
		e = tables_outward(t, e, frame);
	return LIKELY(e && e->cell) ? e : NULL;
}

/* Notes a block likewise; most calls are where they were the last time. */
static inline uint32_t
tables_made(const uint64_t *frame, uint64_t bytes, uint64_t slack)
{
	struct space_thread *t = space_self;
	const struct space_entry *e =
		LIKELY(t != NULL) ? tables_entry(t, frame, tables_class(bytes)) : NULL;

	if (UNLIKELY(!e))
		return tables_note(frame, SPACE_MADE, bytes, slack);
	e->cell->blocks++;
	e->cell->bytes += bytes;
	e->cell->slack += slack;
	series_made(&t->series, bytes);
	t->unseen += bytes;
	if (UNLIKELY(t->unseen >= t->due))
		return e->producer | tables_step(t, e, frame, bytes);
	return e->producer;
}

/* Where T's table has, or would have, what the disposer BY gives back of producer OF. */
static inline struct space_death *
tables_death(const struct space_thread *t, uint32_t by, uint32_t of)
{
	uint32_t i = (by ^ of * UINT32_C(0x9e3779b9)) * UINT32_C(0x85ebca6b) >> 12;

	for (;; i++) {
		struct space_death *d = &t->deaths[i & t->deaths_mask];

		if (LIKELY(d->by == by && d->of == of) || !d->pair)
			return d;
	}
}

/* Returns which of the lives it is. */
static inline unsigned
tables_life(const struct space_thread *t, const struct space_freed *f)
{
	uint64_t steps = f->life >> 12; /* of 4 kB; each kind of life is 16 times the one before */
	unsigned bits = steps ? 64 - (unsigned)__builtin_clzll(steps) : 0;
	unsigned life = 1 + (bits + 3) / 4;

	if (f->block == t->last_block && f->how != RAW_SPACE_REALLOC)
		return 0;
	return life < RAW_SPACE_LIVES ? life : RAW_SPACE_LIVES - 1;
}

static inline void
tables_count_freed(struct space_thread *t, const struct space_death *d, const struct space_freed *f)
{
	d->cell->freed_blocks++;
	d->cell->freed_bytes += f->bytes;
	series_freed(&t->series, f->bytes);
	d->pair->bytes += f->bytes;
	d->pair->life += f->life;
	d->pair->lives[tables_life(t, f)]++;
	if (f->how == RAW_SPACE_REALLOC) {
		d->pair->moved += f->moved;
		d->pair->copied += f->copied;
		d->pair->grown += f->grown;
	}
}

static inline void
tables_freed(const uint64_t *frame, const struct space_freed *f)
{
	struct space_thread *t = space_self;
	const struct space_entry *e = LIKELY(t != NULL) ? tables_entry(t, frame, 0) : NULL;
	const struct space_death *d = NULL;

	if (LIKELY(e && t->deaths))
		d = tables_death(t, e->producer | (uint32_t)f->how << HOW_AT, f->producer);
	if (LIKELY(d && d->pair))
		tables_count_freed(t, d, f);
	else
		tables_note_freed(frame, f);
}

#endif
