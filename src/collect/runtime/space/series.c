#include "series.h"

#include <errno.h>

#include "collect/runtime/kernel.h"
#include "tables.h"

/* A thread tells at the latest when it has moved MOST_STEP, and the threshold of moments is 1/PARTS
 * of the peak: both together are less than 1/64 of it. The first moments may be nearer to each
 * other, for small programs. */
enum { PARTS = 128, MOST_STEP = 65536, LEAST_STEP = 4096, FIRST_STEP = 256, FIRST_MOMENTS = 1024 };
/* The threshold doubles when the moments have cost so much: a cell that is looked at is 1. */
enum { COST_OF_MOMENT = 256, COST_OF_DOUBLING = 1 << 18 };
enum { ALL_EACH = 64, NUMBERS_OF_CELL = 3, MOST_OF_NUMBER = 10 };
enum { FIRST_EXTENT = 16384, LARGEST_EXTENT = 4 << 20, MOST_ROOM = 64 << 20 };

static struct series {
	_Atomic int64_t live;	   /* that this process has made, as far as it was told */
	_Atomic int64_t inherited; /* and got by fork */
	_Atomic int64_t given_back; /* of that, since it was told */
	_Atomic int64_t peak, peak_told; /* of both; the greatest in a moment */
	_Atomic int64_t last;		 /* live in the last moment */
	_Atomic int64_t threshold;
	_Atomic uint64_t nr; /* of moments */
	atomic_flag lock;    /* held by who writes a moment; it is only tried */
	/* What stands below is the holder's. */
	struct raw_extent *extent, *first_extent;
	struct raw_moment *first; /* of this process */
	uint64_t room, cost, made; /* MADE: bytes, as far as moments have told of them */
	uint32_t doublings, pid;
	bool ended;
} series = {.lock = ATOMIC_FLAG_INIT};

static const struct space_host *
host(void)
{
	return atomic_load(&space.host);
}

static struct raw_space_cell *
cells_of(const struct raw_extent *e)
{
	return (struct raw_space_cell *)((char *)e + RAW_PAGE);
}

static uint64_t
nr_cells(const struct raw_extent *e)
{
	return atomic_load_explicit((const _Atomic uint64_t *)&e->used, memory_order_acquire) /
	       sizeof(struct raw_space_cell);
}

/* The least that counts. */
static int64_t
least_step(void)
{
	return atomic_load(&series.nr) < FIRST_MOMENTS ? FIRST_STEP : LEAST_STEP;
}

/* How far a thread may go before it tells; it does not become less in the end. */
static int64_t
step_now(void)
{
	int64_t step = atomic_load(&series.peak) / PARTS, least = least_step();

	return step < least ? least : step < MOST_STEP ? step : MOST_STEP;
}

static void
raise_to(_Atomic int64_t *most, int64_t value)
{
	int64_t old = atomic_load(most);

	while (old < value && !atomic_compare_exchange_weak(most, &old, value))
		;
}

/* ---- what the cells say ---- */

/* What a cell has at a moment. */
struct level {
	int64_t live;
	uint64_t made; /* bytes since it was told of */
};

/* The blocks of a pool lie in others. */
static struct level
level_now(const struct raw_space_cell *c, const struct series_cell *told)
{
	uint64_t bytes = __atomic_load_n(&c->bytes, __ATOMIC_RELAXED);
	uint64_t freed = __atomic_load_n(&c->freed_bytes, __ATOMIC_RELAXED);

	if (c->pc & RAW_SPACE_POOL)
		return (struct level){0, 0};
	return (struct level){(int64_t)(bytes - freed - told->found), bytes - told->made};
}

/* Is it to be told of, in a moment that has ALL that is not at 0? */
static bool
is_news(const struct level *now, const struct series_cell *told, bool all)
{
	return now->made || (all ? now->live != 0 : now->live != told->live);
}

void
series_chunk_begin(struct series_chunk *chunk, const struct raw_extent *e)
{
	uint64_t most = e->data_length / sizeof(struct raw_space_cell), found = nr_cells(e);
	const struct raw_space_cell *cells = cells_of(e);

	chunk->cells = host()->memory(most * sizeof(*chunk->cells));
	for (uint64_t i = 0; chunk->cells && i < found && i < most; i++)
		chunk->cells[i] = (struct series_cell){
			0, cells[i].bytes, cells[i].bytes - cells[i].freed_bytes,
		};
}

/* How many cells there are. */
static uint64_t
count_cells(void)
{
	struct space_walk walk = {0};
	uint64_t nr = 0;

	for (const struct space_chunk *k; (k = tables_next_chunk(&walk));)
		nr += k->series.cells ? nr_cells(k->extent) : 0;
	return nr;
}

/* How many of them are to be told of in a moment. */
static uint64_t
count_changed(bool all)
{
	struct space_walk walk = {0};
	uint64_t changed = 0;

	for (const struct space_chunk *k; (k = tables_next_chunk(&walk));) {
		const struct raw_space_cell *cells = cells_of(k->extent);
		uint64_t nr = nr_cells(k->extent);

		for (uint64_t i = 0; k->series.cells && i < nr; i++) {
			struct level now = level_now(&cells[i], &k->series.cells[i]);

			changed += is_news(&now, &k->series.cells[i], all);
		}
	}
	return changed;
}

/* ---- writing ---- */

static uint8_t *
put_number(uint8_t *p, int64_t value)
{
	uint64_t n = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);

	for (; n >= 128; n >>= 7)
		*p++ = (uint8_t)(n | 128);
	*p++ = (uint8_t)n;
	return p;
}

/* Writes MOST cells at the most, from P on, and sums up in LIVE, and in what was made, what then is
 * told: other threads go on meanwhile, and a moment has to add up. What has changed since it was
 * counted comes the next time. */
static uint8_t *
put_cells(uint8_t *p, bool all, uint64_t most, uint32_t *nr, int64_t *live_told)
{
	struct space_walk walk = {0};
	uint64_t before = 0;

	for (const struct space_chunk *k; (k = tables_next_chunk(&walk));) {
		const struct raw_space_cell *cells = cells_of(k->extent);
		uint64_t used = nr_cells(k->extent);

		for (uint64_t i = 0; k->series.cells && i < used; i++) {
			struct series_cell *told = &k->series.cells[i];
			struct level now = level_now(&cells[i], told);
			uint64_t at = (k->series.where + i * sizeof(*cells)) / RAW_MOMENT_UNIT;

			if (is_news(&now, told, all) && *nr < most) {
				p = put_number(p, (int64_t)(at - before));
				p = put_number(p, now.live);
				p = put_number(p, (int64_t)now.made);
				before = at;
				told->live = now.live;
				told->made += now.made;
				series.made += now.made;
				++*nr;
			} else if (all) {
				told->live = 0;
			}
			*live_told += told->live;
		}
	}
	return p;
}

/* What a moment that tells of so many cells may need. */
static uint64_t
room_of(uint64_t cells)
{
	return sizeof(struct raw_moment) + cells * NUMBERS_OF_CELL * MOST_OF_NUMBER + 8;
}

static bool
has_room(uint64_t size)
{
	const struct raw_extent *e = series.extent;

	return e && e->used + size <= e->data_length;
}

/* Sees to it that there is room for SIZE bytes. */
static bool
make_room(uint64_t size)
{
	struct raw_extent *e = series.extent;
	uint64_t length = e ? e->data_length * 2 : FIRST_EXTENT;

	if (has_room(size))
		return true;
	if (length > LARGEST_EXTENT)
		length = LARGEST_EXTENT;
	while (length < size)
		length *= 2;
	if (series.ended || series.room + length > MOST_ROOM)
		return false;
	if (e && e != series.first_extent)
		host()->drop(e);
	series.extent = host()->series(length);
	series.room += length;
	if (!series.first_extent)
		series.first_extent = series.extent;
	return series.extent && series.extent->used + size <= series.extent->data_length;
}

/* In place, in the first moment. */
static void
tell_peak(void)
{
	if (!series.first)
		return;
	series.first->peak = (uint64_t)atomic_load(&series.peak);
	series.first->threads = tables_nr_threads();
	series.first->off = (uint32_t)step_now();
}

static void
write_moment(struct raw_moment *m, bool all, uint64_t most)
{
	int64_t inherited = atomic_load(&series.inherited), live = 0;
	uint8_t *end = put_cells((uint8_t *)(m + 1), all, most, &m->nr, &live);
	uint64_t size = ((uint64_t)(end - (uint8_t *)m) + 7) & ~(uint64_t)7;

	m->size = (uint32_t)size;
	m->flags = (all ? RAW_MOMENT_ALL : 0) | (series.first ? 0 : RAW_MOMENT_FIRST);
	if (!series.first) /* it may be a child of vfork that asks later */
		series.pid = (uint32_t)kernel(SYS_getpid);
	m->pid = series.pid;
	m->made = series.made;
	m->inherited = inherited > 0 ? (uint64_t)inherited : 0;
	m->live = (uint64_t)(live > 0 ? live : 0) + m->inherited;
	if (!series.first)
		series.first = m;
	raise_to(&series.peak, (int64_t)m->live);
	raise_to(&series.peak_told, (int64_t)m->live);
	atomic_store(&series.last, (int64_t)m->live);
	tell_peak();
	atomic_store_explicit((_Atomic uint64_t *)&series.extent->used, series.extent->used + size,
			      memory_order_release);
}

/* How far live has to move for the next moment. */
static void
set_threshold(uint64_t cells)
{
	int64_t threshold = atomic_load(&series.peak) / PARTS, least;

	atomic_fetch_add(&series.nr, 1);
	least = least_step();
	series.cost += COST_OF_MOMENT + cells;
	if (series.cost >= COST_OF_DOUBLING) {
		series.cost = 0;
		series.doublings += series.doublings < 20;
	}
	threshold = threshold < least ? least : threshold;
	atomic_store(&series.threshold, threshold << series.doublings);
}

static void
make_moment(void)
{
	struct raw_moment times = {0}, *m;
	bool all = !series.first || atomic_load(&series.nr) % ALL_EACH == 0;
	uint64_t cells, most;

	if (series.ended || !host()->now(&times))
		return;
	cells = count_cells();
	most = has_room(room_of(cells)) ? cells : count_changed(all);
	if (!make_room(room_of(most))) {
		series.ended = true;
		if (series.first)
			series.first->flags |= RAW_MOMENT_FULL;
		return;
	}
	m = (struct raw_moment *)((char *)series.extent + RAW_PAGE + series.extent->used);
	*m = times;
	write_moment(m, all, most);
	set_threshold(cells);
}

/* ---- when ---- */

/* A new peak is told of as soon as it is greater by 1/PARTS, however large the threshold has
 * become: so there is a moment near to each. */
static bool
is_due(int64_t live)
{
	int64_t top = atomic_load(&series.peak_told), moved = live - atomic_load(&series.last);
	int64_t threshold = atomic_load(&series.threshold), rise = top / PARTS;
	int64_t least = least_step();

	return live >= top + (rise < least ? least : rise) || moved >= threshold ||
	       moved <= -threshold;
}

/* Returns how much the thread has told of. */
static int64_t
take_untold(struct series_thread *t)
{
	int64_t moved = __atomic_exchange_n(&t->live, 0, __ATOMIC_RELAXED), high = t->high;
	int64_t before = atomic_fetch_add(&series.live, moved);

	t->high = 0;
	raise_to(&series.peak, before + atomic_load(&series.inherited) + (high > 0 ? high : 0));
	return before + moved;
}

void
series_tell(struct series_thread *t)
{
	int saved = errno;
	int64_t live = take_untold(t) + atomic_load(&series.inherited);

	if (host() && is_due(live)) {
		tables_hold();
		if (!atomic_flag_test_and_set(&series.lock)) {
			make_moment();
			atomic_flag_clear(&series.lock);
		}
		tables_let_go();
	}
	t->step = step_now();
	errno = saved;
}

void
series_disinherit(uint64_t bytes)
{
	struct series_thread nobody = {0};
	int64_t untold;

	if (!atomic_load(&series.nr)) /* what there was comes first */
		series_tell(&nobody);
	atomic_fetch_sub(&series.inherited, (int64_t)bytes);
	untold = atomic_fetch_add(&series.given_back, (int64_t)bytes) + (int64_t)bytes;
	if (untold < step_now())
		return;
	atomic_fetch_sub(&series.given_back, untold);
	series_tell(&nobody);
}

void
series_end(void)
{
	struct space_walk walk = {0};

	for (struct space_thread *t; (t = tables_next_thread(&walk));)
		take_untold(&t->series);
	tables_hold();
	if (!atomic_flag_test_and_set(&series.lock)) {
		tell_peak();
		atomic_flag_clear(&series.lock);
	}
	tables_let_go();
}

void
series_forked(int64_t untold)
{
	int64_t inherited = atomic_load(&series.live) + atomic_load(&series.inherited) + untold;

	if (series.extent)
		host()->drop(series.extent);
	if (series.first_extent && series.first_extent != series.extent)
		host()->drop(series.first_extent);
	series = (struct series){.lock = ATOMIC_FLAG_INIT};
	atomic_store(&series.inherited, inherited > 0 ? inherited : 0);
	atomic_store(&series.peak, inherited > 0 ? inherited : 0);
}
