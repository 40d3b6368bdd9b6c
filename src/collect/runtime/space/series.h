/* Live bytes over time: moments in the raw file. Each thread adds what it has made and given back
 * up for itself, and tells the process when that is more than a step; when the sum has moved far
 * enough, it writes a moment. */
#ifndef CGVIEW_SPACE_SERIES_H
#define CGVIEW_SPACE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#define SERIES_OUT_OF_THE_WAY __attribute__((visibility("hidden"), noinline, cold))

struct raw_extent;

/* What a thread has not yet told. */
struct series_thread {
	int64_t live, high; /* bytes since it told the last time; the most it has been since */
	int64_t step;	    /* it tells when LIVE has moved so far */
};

/* What was last told of the cells of one chunk. */
struct series_chunk {
	struct series_cell {
		int64_t live;	/* in the last moment */
		uint64_t made;	/* until then, with what a dead process has left */
		uint64_t found; /* what that has left live */
	} *cells;
	uint64_t where; /* of the first cell, in the raw file */
};

SERIES_OUT_OF_THE_WAY void series_tell(struct series_thread *t);
/* Bytes that this process has inherited were given back. */
SERIES_OUT_OF_THE_WAY void series_disinherit(uint64_t bytes);
/* CELLS is for the NR cells at WHERE in the file, which may have figures already. */
SERIES_OUT_OF_THE_WAY void series_chunk_begin(struct series_chunk *chunk,
					      const struct raw_extent *extent);
/* In a child of fork that has inherited what the threads had not told, besides what they had. */
SERIES_OUT_OF_THE_WAY void series_forked(int64_t untold);
/* The process ends: what is not told yet may have been the peak. */
SERIES_OUT_OF_THE_WAY void series_end(void);

static inline void
series_made(struct series_thread *t, uint64_t bytes)
{
	t->live += (int64_t)bytes;
	if (__builtin_expect(t->live <= t->high, 1))
		return;
	t->high = t->live;
	if (__builtin_expect(t->live >= t->step, 0))
		series_tell(t);
}

static inline void
series_freed(struct series_thread *t, uint64_t bytes)
{
	t->live -= (int64_t)bytes;
	if (__builtin_expect(t->live <= -t->step, 0))
		series_tell(t);
}

/* As series_made(), but does nothing and returns false where that would call series_tell(). */
static inline bool
series_made_untold(struct series_thread *t, uint64_t bytes)
{
	int64_t live = t->live + (int64_t)bytes;

	if (live > t->high) {
		if (__builtin_expect(live >= t->step, 0))
			return false;
		t->high = live;
	}
	t->live = live;
	return true;
}

static inline bool
series_freed_untold(struct series_thread *t, uint64_t bytes)
{
	int64_t live = t->live - (int64_t)bytes;

	if (__builtin_expect(live + t->step <= 0, 0))
		return false;
	t->live = live;
	return true;
}

#endif
