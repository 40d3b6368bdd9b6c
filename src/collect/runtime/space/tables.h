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

#define HIDDEN	      __attribute__((visibility("hidden")))
#define LIKELY(x)     __builtin_expect(!!(x), 1)
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define OUT_OF_THE_WAY __attribute__((noinline, cold))
#define APART	      __attribute__((noinline)) /* so that others save fewer registers */
#define AT_ONCE	      static inline __attribute__((always_inline))

#define SPACE_THROUGH RAW_SPACE_THROUGH
#define SPACE_POOL    RAW_SPACE_POOL /* where the class would stand: a pool's blocks */

enum {
	NR_PRODUCERS = 1 << 17, /* the first of them is nobody */
	NR_ENTRIES = 1 << 12,
	NR_ENDS = 1 << 11,
	CELLS_OF_PAGE = 512,
	MOST_CHUNKS = 24,
	MAX_THREADS = 16384, /* at one time */
	CLOCK_STEP = 16384 /* bytes that a thread allocates before others see them */
};

/* A call that this thread has seen before; it is counted in CELL. Of 32 bytes, as ends are: each
 * lies in one cache line. */
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
} __attribute__((aligned(32)));
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

/* A death by its call, where it is found at once; others may be where it was before. */
struct space_end {
	uint64_t key; /* as in an entry that is COUNTED; 0: unused */
	struct raw_space_pair *pair;
	struct raw_space_cell *cell;
	uint32_t of; /* the producer, with how in its upper bits */
} __attribute__((aligned(32)));

struct space_thread {
	/* What each call looks at: one cache line. */
	uint32_t layout;	/* space.layout that entries and ends are of; 0: there are none */
	uint64_t unseen;	/* bytes of the heap clock that are not in space.clock yet */
	uint64_t due;		/* so many of them are a step */
	struct series_thread series;
	const void *last_block; /* that it made, when nothing has been allocated since */
	uint64_t wrapped; /* where the last call of free() that is in a wrapper returned to */

	struct space_entry entries[NR_ENTRIES];
	struct space_end ends[NR_ENDS];
	struct space_entry spare; /* what is in no entry */
	struct raw_space_cell **pages[NR_PRODUCERS / CELLS_OF_PAGE]; /* by producer; NULL: none */
	struct raw_space_cell *first_page[CELLS_OF_PAGE];
	struct space_room cells, pairs;
	struct paths_thread paths;
	struct space_death *deaths; /* NULL: none yet */
	uint32_t nr_deaths, deaths_mask;
};

struct space {
	const struct space_host *_Atomic host; /* NULL: nothing is counted (yet) */
	const _Atomic bool *handles;	       /* host->handles, once there is a host */
	/* Grows by LAYOUT_STEP when other code may stand where there was some. LONG_WAY: no call
	 * may be noted without a look at what is special here (blocks.h). */
	_Atomic uint32_t layout;
	/* How free() gives back, at HOW_AT: RAW_SPACE_FREE, or RAW_SPACE_EXIT when main() has
	 * returned or exit() was called. */
	uint32_t how;
	_Atomic uint64_t clock; /* the heap clock: bytes allocated by all threads */
	uint64_t known;		/* tables_known_of() the generation */
	uint32_t generation;	/* grows in each child of fork */
	uint64_t early;		/* blocks that were handed out before and are not known */
	/* All that were handed out before are at EARLY_BEGIN or above, less than so far. */
	uint64_t early_begin, early_length;
};
enum { LONG_WAY = 1, LAYOUT_STEP = 2 };
extern HIDDEN struct space space;
extern HIDDEN __thread struct space_thread *space_self __attribute__((tls_model("initial-exec")));
/* The same; instead of NULL, one that has nothing but its layout, which is of no time. */
extern HIDDEN __thread struct space_thread *space_quick __attribute__((tls_model("initial-exec")));

HIDDEN void tables_forked(void);

extern HIDDEN __thread uint32_t tables_held __attribute__((tls_model("initial-exec")));
HIDDEN OUT_OF_THE_WAY void tables_block(void);
HIDDEN OUT_OF_THE_WAY void tables_unblock(void);

/* Until as many calls of tables_let_go() no handler of the program's runs in this thread, but those
 * of faults: one might wait for what its own thread holds, or leave by a jump what is half done. A
 * program without handlers does not pay for it. */
AT_ONCE void
tables_hold(void)
{
	if (UNLIKELY(atomic_load_explicit(space.handles, memory_order_relaxed)))
		tables_block();
}

AT_ONCE void
tables_let_go(void)
{
	if (UNLIKELY(tables_held))
		tables_unblock();
}

/* All that threads have, one after the other; begins with zeros. Others may add to it meanwhile. */
struct space_walk {
	int thread;
	uint32_t chunk;
};
HIDDEN struct space_thread *tables_next_thread(struct space_walk *walk);     /* NULL: no more */
HIDDEN const struct space_chunk *tables_next_chunk(struct space_walk *walk); /* NULL: no more */
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
 * keeps errno. */
HIDDEN void tables_note_fault(const uint64_t *frame, enum raw_space_fault fault, uint32_t producer);

/* A block that is given back. */
struct space_freed {
	const void *block;
	uint64_t bytes, life; /* LIFE: bytes that were allocated meanwhile */
	uint32_t producer;
	enum raw_space_how how;
	uint64_t moved, copied, grown; /* by realloc, as in the raw file */
};
enum { HOW_AT = 30 }; /* in space_death.by, space_end.of */
/* Notes that the call gave it back; keeps errno. */
HIDDEN void tables_freed(const uint64_t *frame, const struct space_freed *f);

/* As tables_note(), for a block of a pool; REMEMBERED: its end will be seen. Returns its producer;
 * 0: it could not be noted. */
HIDDEN uint32_t tables_note_pool(const uint64_t *frame, enum space_event event, uint64_t bytes,
				 bool remembered);
/* So many blocks of a pool, which were remembered as PRODUCER's, are given back; keeps errno. */
HIDDEN void tables_pool_freed(uint32_t producer, uint64_t blocks, uint64_t bytes);
/* Where a cell of the producer's is in the file, the calling thread's; 0: it has none. */
HIDDEN uint64_t tables_where(uint32_t producer);
/* Something could not be noted. */
HIDDEN void tables_note_lost(void);

/* What of a generation goes into the bits by which records are known. */
static inline uint64_t
tables_known_of(uint32_t generation)
{
	return generation * UINT64_C(0x9e3779b97f4a7c15);
}

/* Counts in one instruction, which a signal's handler that counts too cannot interrupt. */
AT_ONCE void
tables_add(uint64_t *count, uint64_t n)
{
	__asm__("addq %1, %0" : "+m"(*count) : "er"(n) : "cc");
}

/* The place where a thread's entry of a call at PC, with its class, is if it is anywhere. */
static inline uint32_t
tables_place(uint64_t pc)
{
	return (uint32_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 52) & (NR_ENTRIES - 1);
}

/* The place of an entry with a KEY that tables_chain() has made: its lower bits tell the last call,
 * those from 48 on, of a product, all else, the class too. */
static inline uint32_t
tables_place_of_chain(uint64_t key)
{
	return (uint32_t)(key ^ key >> 48) & (NR_ENTRIES - 1);
}

/* The place of the end of blocks OF a producer by the call with KEY. */
static inline uint32_t
tables_place_of_end(uint64_t key, uint32_t of)
{
	enum { BITS = 11 };
	_Static_assert(NR_ENDS == 1 << BITS, "the upper bits of a product");

	return (uint32_t)((key ^ (uint64_t)of << 32) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS));
}

/* The size class of a block, as it stands above an address. */
static inline uint64_t
tables_class(uint64_t bytes)
{
	enum { LEAST = (1 << RAW_SPACE_LEAST_CLASS) - 1 };
	unsigned bits = 64 - (unsigned)__builtin_clzll((bytes - (bytes != 0)) | LEAST);

	return (uint64_t)bits << RAW_SPACE_CLASS_AT;
}

/* The same for at most 1024 bytes: many processors are slow at finding bits. */
AT_ONCE uint64_t
tables_short_class(uint64_t bytes)
{
	static const uint8_t of[] = {
		4, 4, 5, 6, 6, [5 ... 8] = 7, [9 ... 16] = 8, [17 ... 32] = 9, [33 ... 64] = 10,
	};

	return (uint64_t)of[(bytes + 15) / 16] << RAW_SPACE_CLASS_AT;
}

/* The heap clock, as the calling thread T knows it; NULL: there is none yet. */
static inline uint64_t
tables_clock(const struct space_thread *t)
{
	return atomic_load_explicit(&space.clock, memory_order_relaxed) + (t ? t->unseen : 0);
}

/* T has allocated a step, with the block of BYTES that the procedure with FRAME wants, whose call
 * is E (NULL: not known): others see it, and if it is due a path is stored. Returns PATHS_SAMPLED
 * then, else 0. */
HIDDEN uint32_t tables_step(struct space_thread *t, const struct space_entry *e,
			    const uint64_t *frame, uint64_t bytes);

/* The key of a call that returns to PC and leads to the one with KEY: 63 bits in which that of KEY
 * are mixed, and one that is in no address. */
static inline uint64_t
tables_chain(uint64_t key, uint64_t pc)
{
	uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15) ^ pc;

	return h | UINT64_C(1) << 62;
}

/* Are T's entries of the code that stands there now? */
static inline bool
tables_are_current(const struct space_thread *t)
{
	return t->layout == (atomic_load_explicit(&space.layout, memory_order_relaxed) &
			     ~(uint32_t)LONG_WAY);
}

AT_ONCE const struct space_entry *
tables_entry_at(const struct space_thread *t, uint32_t place)
{
	const char *at = (const char *)t + place * sizeof(struct space_entry);

	__asm__("" : "+r"(at)); /* computed once, not once for each member that is looked at */
	return (const struct space_entry *)(at + offsetof(struct space_thread, entries));
}

/* Returns the entry of the call in a wrapper that E is of, from there outwards; NULL: it is not
 * known, or must be asked each time. What a frame pointer that is none leads to is no key. */
AT_ONCE const struct space_entry *
tables_outward(const struct space_thread *t, const struct space_entry *e, const uint64_t *frame)
{
	enum { FARTHEST = 1 << 16 };
	uint64_t key = e->pc, sp = (uintptr_t)(frame + 2), fp = frame[0];

	do {
		if (UNLIKELY(!e->step))
			return NULL;
		if (e->step != BY_FP) {
			sp += e->step * sizeof(uint64_t);
			fp = 0;
		} else if (LIKELY(fp - sp < FARTHEST)) {
			sp = fp + 16;
			fp = *(const uint64_t *)(uintptr_t)fp;
		} else {
			return NULL;
		}
		key = tables_chain(key, ((const uint64_t *)(uintptr_t)sp)[-1]);
		e = tables_entry_at(t, tables_place_of_chain(key));
		if (UNLIKELY(e->pc != key))
			return NULL;
	} while (!e->cell);
	return e;
}

/* Returns the entry of the call of the procedure with FRAME, for blocks of CLASS (0: it gives them
 * back), which may be in a wrapper, if it is known whose it is; else NULL. T's entries are
 * current. */
AT_ONCE const struct space_entry *
tables_entry(const struct space_thread *t, const uint64_t *frame, uint64_t class)
{
	uint64_t pc = frame[1] | class;
	const struct space_entry *e = tables_entry_at(t, tables_place(pc));

	if (UNLIKELY(e->pc != pc))
		return NULL;
	return LIKELY(e->cell) ? e : tables_outward(t, e, frame);
}

/* A block of BYTES, with SLACK, was made by the call E; others do not yet see it. */
AT_ONCE void
tables_count_made(const struct space_entry *e, uint64_t bytes, uint64_t slack)
{
	struct raw_space_cell *cell = e->cell;

	tables_add(&cell->blocks, 1);
	tables_add(&cell->bytes, bytes);
	tables_add(&cell->slack, slack);
}

/* Notes a block as tables_note() does; most calls are where they were the last time. */
static inline uint32_t
tables_made(const uint64_t *frame, uint64_t bytes, uint64_t slack)
{
	struct space_thread *t = space_self;
	const struct space_entry *e = NULL;

	if (LIKELY(t && tables_are_current(t)))
		e = tables_entry(t, frame, tables_class(bytes));
	if (UNLIKELY(!e))
		return tables_note(frame, SPACE_MADE, bytes, slack);
	tables_count_made(e, bytes, slack);
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

/* Returns the class of its lifetime, 0: temporary. LAST: as in tables_count_end(). */
AT_ONCE unsigned
tables_life(const struct space_freed *f, const void *last)
{
	enum { LEAST = 15, LEAST_BITS = 4 };
	/* Of 256 bytes; those below 4 kB are one. Each kind of life is 16 times the one before. */
	uint64_t parts = f->life >> (12 - LEAST_BITS) | LEAST;
	unsigned life = 1 + (63 - (unsigned)__builtin_clzll(parts)) / LEAST_BITS;

	if (UNLIKELY(f->block == last))
		return 0;
	return LIKELY(life < RAW_SPACE_LIVES) ? life : RAW_SPACE_LIVES - 1;
}

/* The block is one of this PAIR, its producer's CELL; others do not yet see it. LAST: the one that
 * is temporary if it is given back now, or NULL. */
AT_ONCE void
tables_count_end(struct raw_space_pair *pair, struct raw_space_cell *cell,
		 const struct space_freed *f, const void *last)
{
	tables_add(&cell->freed_blocks, 1);
	tables_add(&cell->freed_bytes, f->bytes);
	tables_add(&pair->bytes, f->bytes);
	tables_add(&pair->life, f->life);
	tables_add(&pair->lives[tables_life(f, last)], 1);
}

/* Returns the end of blocks OF a producer, with how in its upper bits, by the call with KEY; NULL:
 * it is not known. */
AT_ONCE const struct space_end *
tables_end(const struct space_thread *t, uint64_t key, uint32_t of)
{
	const char *at = (const char *)t + tables_place_of_end(key, of) * sizeof(struct space_end);
	const struct space_end *e;

	__asm__("" : "+r"(at)); /* as in tables_entry_at() */
	e = (const struct space_end *)(at + offsetof(struct space_thread, ends));
	return LIKELY(e->key == key && e->of == of) ? e : NULL;
}

/* The same for the call of the procedure with FRAME, which may be in a wrapper. T's entries are
 * current. */
AT_ONCE const struct space_end *
tables_known_end(const struct space_thread *t, const uint64_t *frame, uint32_t of)
{
	const struct space_entry *e = tables_entry(t, frame, 0);

	return LIKELY(e != NULL) ? tables_end(t, e->pc, of) : NULL;
}

/* The same for what the call E gives back; it has its place among the ends then. */
HIDDEN const struct space_end *tables_put_end(struct space_thread *t, const struct space_entry *e,
					      uint32_t of);

/* The same as tables_known_end() does; the call is noted if it is in a wrapper. */
AT_ONCE const struct space_end *
tables_find_end(struct space_thread *t, const uint64_t *frame, uint32_t of)
{
	const struct space_entry *e = tables_entry(t, frame, 0);
	const struct space_end *known = e ? tables_end(t, e->pc, of) : NULL;

	if (e && e->pc != frame[1])
		t->wrapped = frame[1];
	return LIKELY(known || !e) ? known : tables_put_end(t, e, of);
}

/* What an end's OF is of blocks of this producer. */
AT_ONCE uint32_t
tables_of(uint32_t producer, enum raw_space_how how)
{
	return producer | (uint32_t)how << HOW_AT;
}

#endif
