/* Blocks that were drawn to be watched (watched.h) are counted as all others are. */
#include "blocks.h"
#include "times.h"

OUT_OF_THE_WAY void *
drawn_born(void *p, size_t n, const uint64_t *frame)
{
	uint32_t producer = tables_made(frame, n, 0);

	watched_name(p, producer & (PATHS_SAMPLED - 1));
	if (producer & PATHS_SAMPLED)
		paths_born(&space_self->paths, p);
	space_self->last_block = p;
	return p;
}

OUT_OF_THE_WAY void *
drawn_make(size_t n, bool filled, const uint64_t *frame)
{
	void *p = watched_make(&space_self->watch, n, filled);

	return p ? drawn_born(p, n, frame) : NULL;
}

/* Copying is no use of what it makes. */
static void
copy_to_place(void *place, const void *data, size_t size)
{
	memcpy((void *)(uintptr_t)watched_data(place), data, size);
}

OUT_OF_THE_WAY void *
drawn_move(void *p, size_t n)
{
	void *q = watched_make(&space_self->watch, n, false);
	size_t usable = usable_at(p);

	if (!q)
		return NULL;
	copy_to_place(q, p, n < usable ? n : usable);
	next.free(p);
	return q;
}

/* P, which is in a place of those that are watched, is given back. Returns whether it is to be
 * counted, as *F. */
static bool
end_watched(void *p, enum raw_space_how how, const uint64_t *frame, struct space_freed *f)
{
	static const enum raw_space_fault faults[] = {
		[WATCHED_BEHIND] = RAW_SPACE_OVERWRITTEN, [WATCHED_TWICE] = RAW_SPACE_TWICE,
		[WATCHED_NONE] = RAW_SPACE_NO_BLOCK,
	};
	struct watched_block w = {0};
	enum watched_end end = watched_give_back(p, &w);
	const struct block b = {NULL, w.size, w.born, w.producer, true, w.inherited};

	if (end != WATCHED_ENDED)
		tables_note_fault(frame, faults[end], w.inherited ? 0 : w.producer);
	else if (w.inherited)
		series_disinherit(w.size);
	else
		*f = freed(space_self, &b, p, how);
	if (times_on && end == WATCHED_ENDED && !w.inherited)
		times_end(b.born);
	if (end == WATCHED_ENDED && !w.inherited) /* there may be a path of it */
		paths_freed(p);
	if (end > WATCHED_BEHIND) /* libc says what it thinks of such a pointer */
		next.free(p);
	return end == WATCHED_ENDED && !w.inherited;
}

OUT_OF_THE_WAY void
drawn_free(void *p, const uint64_t *frame)
{
	struct space_freed f;

	if (end_watched(p, how_of_free(), frame, &f))
		tables_freed(frame, &f);
}

OUT_OF_THE_WAY void *
drawn_reallocate(void *p, size_t n, const uint64_t *frame)
{
	size_t old = watched_size(p), both = n < old ? n : old;
	void *place = NULL, *q = NULL;
	struct space_freed f;

	if (!old)
		return next.realloc(p, n);
	if (n && is_drawn(n))
		place = watched_make(&space_self->watch, n, false);
	if (place)
		copy_to_place(place, watched_data(p), both);
	else if (n)
		q = next.malloc(with_record(n));
	if (!q && !place && n) {
		tables_note(frame, SPACE_EMPTY, 0, 0);
		return NULL;
	}
	if (q)
		memcpy(q, watched_data(p), both);
	if (end_watched(p, RAW_SPACE_REALLOC, frame, &f)) {
		f.moved = n != 0;
		f.copied = both;
		f.grown = n > old ? n - old : 0;
		tables_freed(frame, &f);
	}
	return place ? drawn_born(place, n, frame) : born(q, n, frame);
}
