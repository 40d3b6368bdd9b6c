/* Nothing is copied at a peak. Each producer has the number of the peak that its `at_peak` is of;
 * as long as nothing of its has changed since the last one it is of an older one, and what is there
 * is what was there then. So each change costs the same, and what is in the file is right at any
 * time. */
#include "pool_sums.h"

#include "tables.h"

#include "collect/runtime/kernel.h"

enum { MOST_ROOMS = 8, FIRST_ROOM = 4096, LARGEST_ROOM = 1 << 20 };

static struct {
	struct raw_extent *rooms[MOST_ROOMS]; /* each begins with what is known of all */
	uint64_t found[MOST_ROOMS];	      /* records that a dead process has left there */
	uint32_t nr;
	bool full;
	struct raw_space_pool **producers; /* by number; NULL: it has none yet */
	uint64_t live, most, peak;	   /* of all; PEAK: the number of the last one */
} sums;

static struct raw_space_pool *
records_of(const struct raw_extent *e)
{
	return (struct raw_space_pool *)((char *)(uintptr_t)e + RAW_PAGE);
}

static uint64_t
nr_records(const struct raw_extent *e)
{
	return e->used / sizeof(struct raw_space_pool);
}

/* What dead processes had at their peaks stands in `before`. */
static void
take_over(struct raw_extent *e)
{
	struct raw_space_pool *all = records_of(e);

	for (uint64_t i = 1; i < nr_records(e); i++) {
		struct raw_space_pool *r = &all[i];

		r->before += r->peak == all->peak ? r->at_peak : r->live;
		r->live = r->at_peak = r->peak = 0;
	}
}

static bool
make_room(void)
{
	struct raw_extent *e = sums.nr ? sums.rooms[sums.nr - 1] : NULL;
	uint64_t length = e ? e->data_length * 4 : FIRST_ROOM, where;

	if (e && e->used + sizeof(struct raw_space_pool) <= e->data_length)
		return true;
	if (sums.full || sums.nr == MOST_ROOMS)
		return false;
	e = atomic_load(&space.host)->room(RAW_SPACE_POOLS, 0,
					   length < LARGEST_ROOM ? length : LARGEST_ROOM, &where);
	sums.full = !e;
	if (!e)
		return false;
	take_over(e);
	sums.found[sums.nr] = nr_records(e);
	if (!e->used)
		e->used = sizeof(struct raw_space_pool);
	records_of(e)->peak = sums.peak;
	sums.rooms[sums.nr++] = e;
	return e->used + sizeof(struct raw_space_pool) <= e->data_length;
}

/* Returns one that a dead process has left of the cell at WHERE in the file. */
static struct raw_space_pool *
left_record(uint64_t where)
{
	for (uint32_t i = 0; i < sums.nr; i++)
		for (uint64_t k = 1; k < sums.found[i]; k++)
			if (records_of(sums.rooms[i])[k].cell == where)
				return &records_of(sums.rooms[i])[k];
	return NULL;
}

/* Returns the record of the producer; NULL: there is no room. */
static struct raw_space_pool *
record_of(uint32_t producer)
{
	struct raw_space_pool **at, *r;
	struct raw_extent *e;
	uint64_t where;

	if (!sums.producers)
		sums.producers = atomic_load(&space.host)->memory(NR_PRODUCERS * sizeof(*at));
	if (!sums.producers)
		return NULL;
	at = &sums.producers[producer];
	if (*at)
		return *at;
	where = tables_where(producer);
	if (!sums.peak)
		sums.peak = 1;
	if (!where || !make_room())
		return NULL;
	*at = left_record(where);
	if (*at)
		return *at;
	e = sums.rooms[sums.nr - 1];
	r = (struct raw_space_pool *)((char *)records_of(e) + e->used);
	r->cell = where;
	atomic_store_explicit((_Atomic uint64_t *)&e->used, e->used + sizeof(*r),
			      memory_order_release);
	return *at = r;
}

void
pool_sums_add(uint32_t producer, uint64_t blocks, uint64_t bytes)
{
	struct raw_space_pool *r = record_of(producer);

	if (!r) {
		tables_note_lost();
		return;
	}
	if (r->peak != sums.peak) {
		r->at_peak = r->live;
		r->peak = sums.peak;
	}
	r->live += bytes;
	r->left_blocks += blocks;
	sums.live += bytes;
	if ((int64_t)sums.live <= (int64_t)sums.most)
		return;
	sums.most = sums.live;
	sums.peak++;
	for (uint32_t i = 0; i < sums.nr; i++)
		records_of(sums.rooms[i])->peak = sums.peak;
}

void
pool_sums_forked(void)
{
	for (uint32_t i = 0; i < sums.nr; i++)
		atomic_load(&space.host)->drop(sums.rooms[i]);
	if (sums.producers)
		kernel(SYS_munmap, sums.producers, NR_PRODUCERS * sizeof(*sums.producers));
	sums = (__typeof__(sums)){.nr = 0};
}
