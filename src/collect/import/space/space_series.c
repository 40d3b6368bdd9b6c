#include "collect/import/space/space_series.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/space/merge_heaps.h"
#include "collect/import/space/space.h"
#include "util/index.h"
#include "util/order.h"

/* No process has had more: it is damage. */
#define MOST ((uint64_t)1 << 53)
enum { MOST_BYTES = 128 << 20 }; /* of one raw file's moments: it has no more of two processes */

void
space_series_release(struct space_series *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free(s->processes[i].moments);
	free(s->processes);
	free(s->changes);
	*s = (struct space_series){ .nr = 0 };
}

/* ---- reading ---- */

/* What is read of one raw file. */
struct reader {
	struct space_series *s;
	const struct rawfile *r;
	uint32_t input;
	model_id run;
	size_t first;              /* of its processes */
	uint8_t *bytes;
	size_t nr, alloc;
};

static uint64_t
at_most(uint64_t value)
{
	return value < MOST ? value : MOST;
}

static struct space_process *
process_of(const struct reader *g, uint32_t pid)
{
	for (size_t i = g->s->nr; i-- > g->first;)
		if (g->s->processes[i].pid == pid)
			return &g->s->processes[i];
	return NULL;
}

/* A process's first moment tells how exactly its peak is known: its threads may have moved since
 * they told the last time, unless there is only one, which has come to its end. */
static struct space_process *
begin_process(struct reader *g, const struct raw_moment *raw)
{
	struct space_series *s = g->s;
	uint64_t off = raw->off, threads = raw->threads, peak = at_most(raw->peak);
	bool first = raw->pid == g->r->head.pid;
	bool exact = first && threads <= 1 && g->r->head.ended_ns;
	uint64_t lower = threads > 1 ? (threads - 1) * off : 0;

	GROW(s->processes, s->nr + 1, s->alloc);
	s->processes[s->nr++] = (struct space_process){
		.input = g->input, .pid = raw->pid, .run = g->run, .first = first, .ended = exact,
		.full = raw->flags & RAW_MOMENT_FULL, .peak = peak,
		.lo = peak > lower ? peak - lower : 0,
		.hi = exact ? peak : at_most(peak + threads * off),
	};
	return &s->processes[s->nr - 1];
}

static void
add_moment(struct reader *g, const struct raw_moment *raw, size_t at)
{
	struct space_process *p = process_of(g, raw->pid);
	uint64_t begin = g->r->head.started_mono_ns;
	struct space_moment *m;

	if (raw->flags & RAW_MOMENT_FIRST)
		p = begin_process(g, raw);
	if (!p)
		return;
	GROW(p->moments, p->nr + 1, p->alloc);
	m = &p->moments[p->nr];
	*m = (struct space_moment){
		.at_ns = raw->mono_ns > begin ? at_most(raw->mono_ns - begin) : 0,
		.cpu_ns = at_most(raw->cpu_ns), .made = at_most(raw->made),
		.live = at_most(raw->live), .inherited = at_most(raw->inherited),
		.resident = at_most(raw->resident), .begin = at + sizeof(*raw),
		.end = at + raw->size, .all = raw->flags & RAW_MOMENT_ALL, .nr = raw->nr,
	};
	if (p->nr && m->at_ns < m[-1].at_ns)
		m->at_ns = m[-1].at_ns;
	p->nr++;
	p->nr_written++;
}

static void
read_part(struct reader *g, const struct raw_part *part)
{
	size_t begin = g->nr, end;
	struct raw_moment raw;

	if (!part->size || part->size > MOST_BYTES - g->nr)
		return;
	GROW(g->bytes, g->nr + part->size, g->alloc);
	end = g->nr += rawfile_read(g->r, part->offset, g->bytes + g->nr, part->size);
	for (; end - begin >= sizeof(raw); begin += raw.size) {
		memcpy(&raw, g->bytes + begin, sizeof(raw));
		if (raw.size < sizeof(raw) || raw.size > end - begin || raw.size % 8) {
			g->s->damaged = true;
			return;
		}
		add_moment(g, &raw, begin);
	}
}

/* ---- which of them are kept ---- */

/* MOST_BY_SHAPE are those between which live is nearest to a straight line; the others are spread
 * over all. */
enum { MOST_BY_SHAPE = 300, MOST_MOMENTS = 400 };

struct stretch {
	size_t begin, end, farthest;
	double off;                /* how far that is from the line between the ends */
};

static void
find_farthest(const struct space_moment *m, struct stretch *s)
{
	double t = (double)m[s->begin].at_ns, y = (double)m[s->begin].live;
	double width = (double)m[s->end].at_ns - t, height = (double)m[s->end].live - y;

	s->off = -1;
	for (size_t i = s->begin + 1; i < s->end; i++) {
		double part = width > 0 ? ((double)m[i].at_ns - t) / width : 0;
		double off = (double)m[i].live - y - part * height;

		off = off < 0 ? -off : off;
		if (off > s->off) {
			s->off = off;
			s->farthest = i;
		}
	}
}

static void
keep_by_shape(const struct space_moment *m, size_t nr, bool *keep)
{
	struct stretch parts[MOST_BY_SHAPE];
	size_t n = 1, widest;

	parts[0] = (struct stretch){ .begin = 0, .end = nr - 1 };
	find_farthest(m, &parts[0]);
	while (n < MOST_BY_SHAPE) {
		widest = 0;
		for (size_t i = 1; i < n; i++)
			if (parts[i].off > parts[widest].off)
				widest = i;
		if (parts[widest].off < 0)
			return;
		keep[parts[widest].farthest] = true;
		parts[n] = (struct stretch){ .begin = parts[widest].farthest,
					     .end = parts[widest].end };
		parts[widest].end = parts[widest].farthest;
		find_farthest(m, &parts[widest]);
		find_farthest(m, &parts[n++]);
	}
}

static size_t
find_top(const struct space_process *p)
{
	size_t top = 0;

	for (size_t i = 1; i < p->nr; i++)
		if (p->moments[i].live > p->moments[top].live)
			top = i;
	return top;
}

/* Returns which moments are kept, heap. */
static bool *
choose(const struct space_process *p)
{
	enum { SPREAD = MOST_MOMENTS - MOST_BY_SHAPE - 3 };
	bool *keep = xcalloc(p->nr, sizeof(*keep));

	keep[0] = keep[p->nr - 1] = keep[find_top(p)] = true;
	if (p->nr <= MOST_MOMENTS) {
		memset(keep, true, p->nr);
		return keep;
	}
	keep_by_shape(p->moments, p->nr, keep);
	for (size_t i = 0; i < SPREAD; i++)
		keep[i * p->nr / SPREAD] = true;
	return keep;
}

/* ---- what changes from one that is kept to the next ---- */

/* The cells of a process, by where they are. */
struct state {
	struct state_cell {
		uint64_t where;
		int64_t live, told;
		uint64_t made, told_made;
		bool touched;      /* it is among TOUCHED */
	} *cells;
	size_t nr, alloc;
	uint32_t *touched;
	size_t nr_touched, touched_alloc;
	struct index by_where;
};

static bool
where_equal(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct state *)ctx)->cells[item].where == *(const uint64_t *)key;
}

static void
touch(struct state *st, uint32_t i)
{
	if (st->cells[i].touched)
		return;
	st->cells[i].touched = true;
	GROW(st->touched, st->nr_touched + 1, st->touched_alloc);
	st->touched[st->nr_touched++] = i;
}

/* MADE: since it was set the last time. */
static void
set_cell(struct state *st, uint64_t where, int64_t live, uint64_t made)
{
	uint64_t h = hash_number(HASH_START, where);
	uint32_t i = index_find(&st->by_where, h, where_equal, st, &where);

	if (i == INDEX_NONE) {
		i = (uint32_t)st->nr;
		GROW(st->cells, st->nr + 1, st->alloc);
		st->cells[st->nr++] = (struct state_cell){ .where = where };
		index_add(&st->by_where, h, i);
	}
	st->cells[i].live = live;
	st->cells[i].made = at_most(st->cells[i].made + made);
	touch(st, i);
}

/* Returns false when there is no number from *AT to END. */
static bool
get_number(const uint8_t **at, const uint8_t *end, int64_t *value)
{
	uint64_t n = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;

		n |= (uint64_t)(byte & 127) << shift;
		if (byte < 128) {
			*value = (int64_t)(n >> 1 ^ -(n & 1));
			return true;
		}
	}
	return false;
}

static bool
apply(struct state *st, const uint8_t *bytes, const struct space_moment *m)
{
	const uint8_t *at = bytes + m->begin, *end = bytes + m->end;
	int64_t step, live, made;
	uint64_t where = 0;

	for (uint32_t i = 0; m->all && i < st->nr; i++) {
		st->cells[i].live = 0;
		touch(st, i);
	}
	for (uint32_t i = 0; i < m->nr; i++) {
		if (!get_number(&at, end, &step) || !get_number(&at, end, &live) ||
		    !get_number(&at, end, &made))
			return false;
		where += (uint64_t)step;
		if (live > (int64_t)MOST || live < -(int64_t)MOST || made < 0 ||
		    made > (int64_t)MOST)
			return false;
		set_cell(st, where * RAW_MOMENT_UNIT, live, (uint64_t)made);
	}
	return true;
}

static void
tell_changes(struct space_series *s, struct state *st, struct space_moment *m)
{
	m->begin = s->nr_changes;
	for (size_t i = 0; i < st->nr_touched; i++) {
		struct state_cell *c = &st->cells[st->touched[i]];

		c->touched = false;
		if (c->live == c->told && c->made == c->told_made)
			continue;
		GROW(s->changes, s->nr_changes + 1, s->changes_alloc);
		s->changes[s->nr_changes++] =
			(struct space_change){ c->where, c->live, c->made };
		c->told = c->live;
		c->told_made = c->made;
	}
	st->nr_touched = 0;
	m->end = s->nr_changes;
}

static void
reduce(struct space_series *s, struct space_process *p, const uint8_t *bytes)
{
	struct state st = { .nr = 0 };
	bool *keep = choose(p);
	size_t kept = 0;

	for (size_t i = 0; i < p->nr; i++) {
		if (!apply(&st, bytes, &p->moments[i])) {
			s->damaged = true;
			break;
		}
		if (!keep[i])
			continue;
		p->moments[kept] = p->moments[i];
		tell_changes(s, &st, &p->moments[kept++]);
	}
	p->nr = kept;
	free(keep);
	free(st.cells);
	free(st.touched);
	index_release(&st.by_where);
}

void
space_series_read(struct space_series *s, const struct rawfile *r, uint32_t input, model_id run)
{
	struct reader g = { .s = s, .r = r, .input = input, .run = run, .first = s->nr };

	for (size_t i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_SPACE_SERIES)
			read_part(&g, &r->parts[i]);
	for (size_t i = g.first; i < s->nr; i++)
		reduce(s, &s->processes[i], g.bytes);
	free(g.bytes);
}

/* ---- the end, the peak ---- */

/* What was not told any more stands in the cells, whatever ended the program. */
static void
add_end(struct space_series *s, struct space_process *p, const struct model_run *run,
	const struct space_cell *cells, size_t nr)
{
	struct space_moment end = { .begin = s->nr_changes };
	int64_t live = 0;

	if (p->nr)
		end = p->moments[p->nr - 1];
	end.begin = s->nr_changes;
	end.made = 0;
	for (size_t i = 0; i < nr; i++) {
		const struct space_cell *c = &cells[i];

		if (c->input != p->input || c->pid != p->pid)
			continue;
		end.made += c->figures[SPACE_BYTES];
		live += (int64_t)(c->figures[SPACE_BYTES] - c->freed_bytes);
		GROW(s->changes, s->nr_changes + 1, s->changes_alloc);
		s->changes[s->nr_changes++] = (struct space_change){
			c->where, (int64_t)(c->figures[SPACE_BYTES] - c->freed_bytes),
			c->figures[SPACE_BYTES],
		};
	}
	end.live = live > 0 ? (uint64_t)live : 0;
	end.at_ns = end.at_ns < run->wall_ns ? run->wall_ns : end.at_ns;
	end.cpu_ns = end.cpu_ns < run->cpu_ns ? run->cpu_ns : end.cpu_ns;
	end.end = s->nr_changes;
	GROW(p->moments, p->nr + 1, p->alloc);
	p->moments[p->nr++] = end;
}

static void
raise_peak(struct space_process *p)
{
	uint64_t most;

	p->top = find_top(p);
	most = p->nr ? p->moments[p->top].live : 0;
	p->peak = p->peak < most ? most : p->peak;
	p->lo = p->ended ? p->peak : p->lo;
	p->hi = p->hi < p->peak ? p->peak : p->hi;
}

static int
compare_processes(const void *a, const void *b)
{
	const struct space_process *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->peak != y->peak)
		return x->peak > y->peak ? -1 : 1;
	return x->input != y->input ? (x->input < y->input ? -1 : 1) :
	       x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* ---- cells by where they are ---- */

struct places {
	const struct space_cell *cells;
	struct index by_place;
};

static bool
place_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct space_cell *x = &((const struct places *)ctx)->cells[item], *k = key;

	return x->input == k->input && x->where == k->where;
}

static uint64_t
hash_cell(const struct space_cell *c)
{
	return hash_number(hash_number(HASH_START, c->input), c->where);
}

static struct places
index_cells(const struct space_cell *cells, size_t nr)
{
	struct places p = { .cells = cells };

	for (size_t i = 0; i < nr; i++)
		index_add(&p.by_place, hash_cell(&cells[i]), (uint32_t)i);
	return p;
}

/* What a cell has at a moment. */
struct level {
	int64_t live;
	uint64_t made;
};

/* Sets LEVELS, by the numbers of the cells, to what they are from M on. */
static void
go_on(const struct space_series *s, const struct places *places, const struct space_process *p,
      const struct space_moment *m, struct level *levels)
{
	for (size_t i = m->begin; i < m->end; i++) {
		struct space_cell key = { .input = p->input, .where = s->changes[i].where };
		uint32_t at = index_find(&places->by_place, hash_cell(&key), place_equal, places,
					 &key);

		if (at != INDEX_NONE)
			levels[at] = (struct level){ s->changes[i].live, s->changes[i].made };
	}
}

void
space_series_settle(struct space_series *s, const struct model *m, struct space_cell *cells,
		    size_t nr)
{
	struct places places = index_cells(cells, nr);
	struct level *levels = xcalloc(nr, sizeof(*levels));
	model_id last = 0;

	for (size_t i = 0; i < s->nr; i++) {
		struct space_process *p = &s->processes[i];

		if (p->first)
			add_end(s, p, &m->runs[p->run - 1], cells, nr);
		raise_peak(p);
	}
	if (s->nr)
		qsort(s->processes, s->nr, sizeof(*s->processes), compare_processes);
	for (size_t i = 0; i < s->nr; i++) {
		const struct space_process *p = &s->processes[i];

		if (p->run == last)
			continue;
		last = p->run;
		memset(levels, 0, nr * sizeof(*levels));
		for (size_t k = 0; k < p->nr && k <= p->top; k++)
			go_on(s, &places, p, &p->moments[k], levels);
		for (size_t k = 0; k < nr; k++)
			cells[k].at_peak += levels[k].live;
	}
	free(levels);
	index_release(&places.by_place);
}

/* ---- bands ---- */

/* So many processes have moments until the greatest are chosen, and so many producers are told
 * apart in them: most of them those that hold most over time, the others those with most at the
 * peak. */
enum { MOST_PROCESSES = 256, MOST_BANDS = 64, BY_AREA = 48 };

struct holding {               /* of a producer in one process */
	double area;
	int64_t live, at_top;
	uint64_t made, made_told;
	bool told;
};

/* A producer, by one of its figures. */
struct ranked {
	model_id producer;
	double by;
};

/* Those with most first. */
static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	COMPARE(y->by, x->by);
	COMPARE(x->producer, y->producer);
	return 0;
}

/* What one process holds over time, and room for it. */
struct bands {
	const struct space_series *s;
	const struct space_cell *cells;
	size_t nr, producers;
	const struct places *places;
	struct level *levels;      /* by cell */
	struct holding *held;      /* by producer */
	uint64_t made_of_class[RAW_SPACE_CLASSES]; /* as far as it was stored */
};

/* Adds up by producer. */
static void
add_up(struct bands *b)
{
	for (size_t i = 0; i <= b->producers; i++) {
		b->held[i].live = 0;
		b->held[i].made = 0;
	}
	for (size_t i = 0; i < b->nr; i++) {
		struct holding *of = &b->held[b->cells[i].producer];

		of->live += b->levels[i].live;
		of->made = count_add(of->made, b->levels[i].made);
	}
}

static void
find_areas(struct bands *b, const struct space_process *p)
{
	memset(b->levels, 0, b->nr * sizeof(*b->levels));
	for (size_t i = 0; i <= b->producers; i++)
		b->held[i] = (struct holding){ .live = 0 };
	for (size_t k = 0; k < p->nr; k++) {
		double width = k + 1 < p->nr
			? (double)(p->moments[k + 1].at_ns - p->moments[k].at_ns) : 0;

		go_on(b->s, b->places, p, &p->moments[k], b->levels);
		add_up(b);
		for (size_t i = 1; i <= b->producers; i++) {
			b->held[i].area += (double)b->held[i].live * width;
			if (k == p->top)
				b->held[i].at_top = b->held[i].live;
		}
	}
}

/* Tells the producers that are the first by a figure apart, until there are MOST of them. ORDER has
 * all of them with that figure. */
static size_t
tell_first(struct bands *b, struct ranked *order, size_t told, size_t most)
{
	qsort(order, b->producers, sizeof(*order), compare_ranked);
	for (size_t i = 0; i < b->producers && told < most; i++) {
		told += !b->held[order[i].producer].told;
		b->held[order[i].producer].told = true;
	}
	return told;
}

static void
choose_bands(struct bands *b)
{
	struct ranked *order = xcalloc(b->producers + 1, sizeof(*order));
	size_t told;

	for (size_t i = 0; i < b->producers; i++)
		order[i] = (struct ranked){ (model_id)i + 1, b->held[i + 1].area };
	told = tell_first(b, order, 0, BY_AREA);
	for (size_t i = 0; i < b->producers; i++)
		order[i] = (struct ranked){ (model_id)i + 1, (double)b->held[i + 1].at_top };
	tell_first(b, order, told, MOST_BANDS);
	free(order);
}

/* What was made of all that has no band of its own, as of live bytes, is what is left. */
static uint64_t
left_of(uint64_t *left, uint64_t of)
{
	of = of < *left ? of : *left;
	*left -= of;
	return of;
}

/* A producer without live blocks has a band if it made more since it had one. */
static void
store_bands(struct bands *b, struct model *m, const struct space_moment *moment)
{
	struct ranked told[MOST_BANDS];
	uint64_t left = moment->live > moment->inherited ? moment->live - moment->inherited : 0;
	uint64_t left_made = moment->made;
	size_t n = 0;

	for (size_t i = 1; i <= b->producers; i++) {
		const struct holding *h = &b->held[i];

		left_of(&left_made, h->told ? h->made : 0);
		if (h->told && (h->live > 0 || h->made != h->made_told))
			told[n++] = (struct ranked){ (model_id)i, (double)h->live };
	}
	qsort(told, n, sizeof(*told), compare_ranked);
	for (size_t i = 0; i < n; i++) {
		struct holding *h = &b->held[told[i].producer];
		uint64_t live = h->live > 0 ? (uint64_t)h->live : 0;

		*MODEL_ADD(m, bands) = (struct model_band){
			(model_id)m->nr_moments, told[i].producer, live, h->made,
		};
		h->made_told = h->made;
		left_of(&left, live);
	}
	if (left || left_made != b->held[0].made_told)
		*MODEL_ADD(m, bands) = (struct model_band){
			(model_id)m->nr_moments, 0, left, left_made,
		};
	b->held[0].made_told = left_made;
}

/* What is not in the cells any more, as they were damaged, is of no known size. */
static void
store_sizes(struct bands *b, struct model *m, const struct space_moment *moment)
{
	uint64_t left = moment->live > moment->inherited ? moment->live - moment->inherited : 0;
	uint64_t left_made = moment->made;
	struct level of[RAW_SPACE_CLASSES] = { { 0, 0 } };

	for (size_t i = 0; i < b->nr; i++) {
		of[b->cells[i].size_class].live += b->levels[i].live;
		of[b->cells[i].size_class].made += b->levels[i].made;
	}
	for (unsigned i = 1; i <= RAW_SPACE_CLASSES; i++) {
		unsigned class = i % RAW_SPACE_CLASSES; /* what is of none comes last */
		uint64_t live = of[class].live > 0 ? (uint64_t)of[class].live : 0;
		uint64_t made = class ? left_of(&left_made, of[class].made) : left_made;

		live = class ? left_of(&left, live) : left;
		if (live || made != b->made_of_class[class])
			*MODEL_ADD(m, size_bands) = (struct model_size_band){
				(model_id)m->nr_moments,
				class ? (uint64_t)1 << class : COUNT_UNKNOWN, live, made,
			};
		b->made_of_class[class] = made;
	}
}

static void
store_moments(struct bands *b, struct model *m, const struct space_process *p)
{
	find_areas(b, p);
	choose_bands(b);
	memset(b->made_of_class, 0, sizeof(b->made_of_class));
	memset(b->levels, 0, b->nr * sizeof(*b->levels));
	for (size_t k = 0; k < p->nr; k++) {
		const struct space_moment *moment = &p->moments[k];

		go_on(b->s, b->places, p, moment, b->levels);
		add_up(b);
		*MODEL_ADD(m, moments) = (struct model_moment){
			.heap = (model_id)m->nr_heaps, .at_ns = moment->at_ns,
			.cpu_ns = moment->cpu_ns, .clock_bytes = moment->made,
			.live_bytes = moment->live, .inherited_bytes = moment->inherited,
			.resident_bytes = moment->resident, .peak = k == p->top,
		};
		store_bands(b, m, moment);
		store_sizes(b, m, moment);
	}
}

void
space_series_store(const struct space_series *s, struct model *m, const struct space_cell *cells,
		   size_t nr)
{
	struct places places = index_cells(cells, nr);
	struct bands b = {
		.s = s, .cells = cells, .nr = nr, .producers = m->nr_producers, .places = &places,
		.levels = xcalloc(nr, sizeof(*b.levels)),
		.held = xcalloc(m->nr_producers + 1, sizeof(*b.held)),
	};

	for (size_t i = 0; i < s->nr; i++) {
		const struct space_process *p = &s->processes[i];

		*MODEL_ADD(m, heaps) = (struct model_heap){
			p->run, p->pid, p->peak, p->lo, p->hi, p->nr_written, p->full,
		};
		if (i < MOST_PROCESSES)
			store_moments(&b, m, p);
	}
	heaps_bound(m);
	if (s->damaged)
		model_note(m, "space", "some of what was live over time cannot be read: the file "
			   "is damaged");
	free(b.levels);
	free(b.held);
	index_release(&places.by_place);
}
