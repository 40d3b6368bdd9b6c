/* What the library of --space adds up: for each thread and producer, in the raw file. A producer is
 * a return address in counted code; its number stands in the records of its blocks, and is the same
 * in a child of fork. */
#ifndef CGVIEW_SPACE_TABLES_H
#define CGVIEW_SPACE_TABLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/runtime/space_host.h"
#include "series.h"

#define HIDDEN	      __attribute__((visibility("hidden")))
#define LIKELY(x)     __builtin_expect(!!(x), 1)
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define OUT_OF_THE_WAY __attribute__((noinline, cold))

#define SPACE_THROUGH (UINT64_C(1) << 63)

enum {
	NR_PRODUCERS = 1 << 17, /* the first of them is nobody */
	NR_ENTRIES = 1024,	/* a power of two */
	CELLS_OF_PAGE = 512,
	MOST_CHUNKS = 24
};

/* A call that this thread has seen before; it is counted in CELL. */
struct space_entry {
	uint64_t pc; /* with SPACE_THROUGH if it called other code, which wants the blocks */
	struct raw_space_cell *cell; /* NULL: whose it is must be asked each time */
	uint32_t producer;
	bool foreign; /* the call is not in counted code */
};

struct space_thread {
	struct space_entry entries[NR_ENTRIES];
	struct raw_space_cell **pages[NR_PRODUCERS / CELLS_OF_PAGE]; /* by producer; NULL: none */
	struct raw_space_cell *first_page[CELLS_OF_PAGE];
	struct space_chunk {
		struct raw_extent *extent;
		uint64_t found; /* bytes that a dead process has left in it */
		struct series_chunk series;
	} chunks[MOST_CHUNKS];
	_Atomic uint32_t nr_chunks;
	struct series_thread series;
	uint32_t layout; /* space.layout that the entries are of */
	bool full;	 /* there is no more room */
};

struct space {
	const struct space_host *_Atomic host; /* NULL: nothing is counted (yet) */
	_Atomic uint32_t layout; /* grows when other code may stand where there was some */
	uint32_t generation;	 /* grows in each child of fork */
	uint64_t early;		 /* blocks that were handed out before */
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

/* FRAME is that of the procedure that the program has called: the caller's frame pointer, and where
 * the call returns to. Notes what became of it: a block of BYTES; none; one without a record that
 * it gave back. Returns the producer that a block's record is to name. Keeps errno. */
enum space_event { SPACE_MADE, SPACE_EMPTY, SPACE_STRANGE };
HIDDEN uint32_t tables_note(const uint64_t *frame, enum space_event event, uint64_t bytes);
/* Notes that a block of PRODUCER's with BYTES was given back; likewise. */
HIDDEN void tables_note_freed(uint32_t producer, uint64_t bytes);

/* The place where a thread's entry of a call at PC is, if it is anywhere. */
static inline uint32_t
tables_place(uint64_t pc)
{
	return (uint32_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 54) & (NR_ENTRIES - 1);
}

/* Notes a block likewise; most calls are where they were the last time. */
static inline uint32_t
tables_made(const uint64_t *frame, uint64_t bytes)
{
	struct space_thread *t = space_self;
	struct space_entry *e;

	if (UNLIKELY(!t))
		return tables_note(frame, SPACE_MADE, bytes);
	e = &t->entries[tables_place(frame[1])];
	if (UNLIKELY(e->pc != frame[1] || !e->cell ||
		     t->layout != atomic_load_explicit(&space.layout, memory_order_relaxed)))
		return tables_note(frame, SPACE_MADE, bytes);
	e->cell->blocks++;
	e->cell->bytes += bytes;
	series_made(&t->series, bytes);
	return e->producer;
}

static inline void
tables_freed(uint32_t producer, uint64_t bytes)
{
	struct space_thread *t = space_self;
	struct raw_space_cell **page = NULL, *cell = NULL;

	if (LIKELY(t != NULL))
		page = t->pages[producer / CELLS_OF_PAGE];
	if (LIKELY(page != NULL))
		cell = page[producer % CELLS_OF_PAGE];
	if (UNLIKELY(!cell)) {
		tables_note_freed(producer, bytes);
		return;
	}
	cell->freed_blocks++;
	cell->freed_bytes += bytes;
	series_freed(&t->series, bytes);
}

#endif
