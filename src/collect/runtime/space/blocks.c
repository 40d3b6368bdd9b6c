#include "blocks.h"

#include "times.h"

_Atomic uint8_t *blocks_seen;

bool
blocks_is_inherited(const void *p, uint64_t record, size_t size)
{
	for (uint32_t back = 1; back <= space.generation && back < GENERATIONS; back++)
		if (is_known_by(p, record, size, tables_known_of(space.generation - back)))
			return true;
	return false;
}

/* ---- records ---- */

static void
write_record(void *p, size_t usable, size_t size, uint32_t producer)
{
	uint64_t *record = (uint64_t *)((char *)p + usable) - 1;
	uint64_t slack = usable - size - sizeof(*record), bits;
	uint64_t clock = tables_clock(space_self);

	if (UNLIKELY(times_on))
		times_born(clock / RAW_SPACE_LIFE_UNIT & CLOCK_MASK);
	if (UNLIKELY(next.tells_size))
		note_seen((uintptr_t)p);
	if (UNLIKELY(crosses_page(p, record))) {
		note_seen((uintptr_t)(record - 1));
		note_seen((uintptr_t)record);
	}
	if (UNLIKELY(usable >= next.long_usable)) {
		if (UNLIKELY(usable < size + LONG_RECORD)) /* its allocator does not say all */
			return;
		record[-1] = size;
		slack = 0;
	} else if (UNLIKELY(slack > MOST_SLACK)) { /* glibc never gives so much */
		producer = NR_PRODUCERS;
	}
	bits = record_of(producer, slack, clock);
	*record = UNLIKELY(producer == NR_PRODUCERS)
			  ? 0 : bits | known_by(p, bits, size, space.known);
}

bool
blocks_read(void *p, struct block *b)
{
	uint32_t nr = atomic_load_explicit(&nr_producers, memory_order_relaxed);
	size_t usable = usable_if_block(p);
	uint64_t *record = (uint64_t *)((char *)p + usable) - 1;

	if (UNLIKELY(!usable) || !may_be_record(p, record))
		return false;
	*b = (struct block){
		.record = record,
		.size = usable >= next.long_usable ? record[-1] : usable - 8 - slack_in(*record),
		.producer = producer_in(*record),
		.born = *record >> CLOCK_AT,
	};
	if (UNLIKELY(b->size > usable))
		return false;
	if (UNLIKELY(b->producer >= nr)) {
		b->producer ^= PATHS_SAMPLED;
		b->sampled = true;
		if (b->producer >= nr)
			return false;
	}
	if (LIKELY(is_known_by(p, *record, b->size, space.known)))
		return true;
	b->inherited = space.generation && blocks_is_inherited(p, *record, b->size);
	return b->inherited;
}

/* ---- blocks that libc mapped by themselves ---- */

static _Atomic uintptr_t gone[256]; /* given back; by page */

static _Atomic uintptr_t *
gone_at(const void *p)
{
	return &gone[(uintptr_t)p / RAW_PAGE % (sizeof(gone) / sizeof(*gone))];
}

OUT_OF_THE_WAY void
blocks_note_gone(const void *p)
{
	atomic_store_explicit(gone_at(p), (uintptr_t)p, memory_order_relaxed);
}

OUT_OF_THE_WAY bool
blocks_is_noted_gone(const void *p)
{
	return atomic_load_explicit(gone_at(p), memory_order_relaxed) == (uintptr_t)p;
}

/* ---- the long way ---- */

static APART void *
born_long(void *p, size_t n, const uint64_t *frame)
{
	size_t usable, wanted;
	uint32_t producer;

	if (UNLIKELY(!p)) {
		tables_note(frame, SPACE_EMPTY, 0, 0);
		return p;
	}
	usable = usable_at(p);
	wanted = with_record(n);
	producer = tables_made(frame, n, usable > wanted ? usable - wanted : 0);
	write_record(p, usable, n, producer);
	if (UNLIKELY(producer & PATHS_SAMPLED) && space_self) /* no fork in between */
		paths_born(&space_self->paths, p);
	if (LIKELY(space_self != NULL))
		space_self->last_block = p;
	return p;
}

void *
blocks_born(void *p, size_t n, const uint64_t *frame)
{
	struct space_thread *t = short_way();
	const struct space_entry *e = NULL;

	if (LIKELY(p && t && n < SHORT))
		e = tables_entry(t, frame, tables_short_class(n));
	return LIKELY(e && note_born(t, p, n, e, true)) ? p : born_long(p, n, frame);
}

static APART void
give_back_long(void *p, const uint64_t *frame)
{
	struct block b;

	if (UNLIKELY(!counts(frame))) {
		faults_was_uncounted(p);
		if (!calls_is_early(p) && calls_find_next())
			next.free(p);
		return;
	}
	if (!next.tells_size)
		word_before_inside(p, frame);
	if (LIKELY(blocks_read(p, &b))) {
		struct space_freed f = freed(space_self, &b, p, how_of_free());

		if (UNLIKELY(times_on))
			times_end(b.born);
		*b.record ^= GIVEN_BACK;
		forget_seen((uintptr_t)b.record);
		if (is_mapped(p))
			blocks_note_gone(p);
		if (UNLIKELY(b.sampled) && !b.inherited)
			paths_freed(p);
		if (LIKELY(!b.inherited)) /* that is its parent's */
			tables_freed(frame, &f);
		else
			series_disinherit(b.size);
	} else if (calls_is_early(p)) {
		return;
	} else {
		faults_note(p, frame);
	}
	next.free(p);
}

void
blocks_give_back_short(void *p, const uint64_t *frame, uint64_t *record, struct space_thread *t)
{
	struct block b = tell_short(p, record);
	const struct space_end *e = tables_find_end(t, frame, b.producer | space.how);

	if (LIKELY(e && note_end(t, p, &b, e))) {
		forget_seen((uintptr_t)record);
		next.free(p);
	} else {
		give_back_long(p, frame);
	}
}

void
blocks_give_back(void *p, const uint64_t *frame)
{
	struct space_thread *t = short_way();
	struct block b;

	if (LIKELY(t && read_short(p, word_before_inside(p, frame), &b, true)))
		blocks_give_back_short(p, frame, b.record, t);
	else
		give_back_long(p, frame);
}

void
blocks_give_back_wrapped(void *p, const uint64_t *frame, struct space_thread *t)
{
	const struct space_end *e = NULL;
	struct block b;

	if (LIKELY(read_short(p, word_before_inside(p, frame), &b, false)))
		e = tables_known_end(t, frame, b.producer | space.how);
	if (LIKELY(e && note_end(t, p, &b, e)))
		next.free(p);
	else
		blocks_give_back(p, frame);
}
