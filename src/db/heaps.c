#include "db/heaps.h"

#include <stdlib.h>
#include <string.h>

#include "db/connection.h"
#include "util/index.h"

const char *const bands_by_names[NR_BANDS_BY + 1] = {
	"producer", "procedure", "file", "module", "type", "size", NULL
};

#define WITH_MOMENTS "EXISTS (SELECT 1 FROM moment m WHERE m.heap = h.id)"

size_t
heaps_count(struct profile *p)
{
	sqlite3_stmt *st = profile_prepare(p, "SELECT count(*) FROM heap h WHERE " WITH_MOMENTS);
	uint64_t nr = st && profile_step(p, st) ? column_count(p, st, 0) : 0;

	sqlite3_finalize(st);
	return nr < HEAPS_MOST ? (size_t)nr : HEAPS_MOST;
}

void
heap_release(struct live_heap *h)
{
	free(h->moments);
	arena_release(&h->arena);
	*h = (struct live_heap){ .arena = ARENA_INIT };
}

/* ---- reading ---- */

/* What stands between the rows and the bands: figures of a profile may be anything. */
struct group {
	uint64_t key;
	const char *text;          /* its key where that is a text, else "" */
	struct live_band band;
	int band_number;
};

struct level {                 /* a row of the bands */
	uint32_t moment, group;
	uint64_t live;
};

struct reader {
	struct profile *p;
	struct live_heap *h;
	enum bands_by by;
	model_id *ids;             /* of the moments */
	size_t ids_alloc, moments_alloc;
	struct group *groups;
	size_t nr_groups, groups_alloc;
	struct index by_key;
	struct level *levels;
	size_t nr_levels, levels_alloc;
};

static bool
group_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct group *x = &((const struct reader *)ctx)->groups[item], *k = key;

	return x->key == k->key && !strcmp(x->text, k->text);
}

static model_id
read_heap(struct reader *r, size_t which)
{
	static const char sql[] =
		"SELECT h.id, h.run, h.pid, h.peak_bytes, h.peak_lo_bytes, h.peak_hi_bytes "
		"FROM heap h WHERE " WITH_MOMENTS " ORDER BY h.peak_bytes DESC, h.id";
	sqlite3_stmt *st = profile_prepare(r->p, sql);
	model_id id = 0;

	while (st && profile_step(r->p, st)) {
		if (which--)
			continue;
		id = column_id(r->p, st, 0, TABLE_HEAP);
		r->h->run = column_id(r->p, st, 1, TABLE_RUN);
		r->h->pid = (uint32_t)column_count(r->p, st, 2);
		r->h->peak_bytes = column_count(r->p, st, 3);
		r->h->lo_bytes = column_count(r->p, st, 4);
		r->h->hi_bytes = column_count(r->p, st, 5);
		break;
	}
	sqlite3_finalize(st);
	return id;
}

static void
read_moments(struct reader *r, model_id heap)
{
	enum { MOST = 10000 };
	static const char sql[] =
		"SELECT id, at_ns, cpu_ns, clock_bytes, resident_bytes, inherited_bytes "
		"FROM moment WHERE heap = ?1 ORDER BY id";
	sqlite3_stmt *st = profile_prepare(r->p, sql);
	struct live_heap *h = r->h;

	if (st)
		sqlite3_bind_int64(st, 1, heap);
	while (st && h->nr < MOST && profile_step(r->p, st)) {
		struct live_moment m = {
			.at_ns = column_count(r->p, st, 1), .cpu_ns = column_count(r->p, st, 2),
			.clock_bytes = column_count(r->p, st, 3),
			.resident_bytes = column_count(r->p, st, 4),
			.of = { [HEAP_ALL_BANDS - 1] = column_count(r->p, st, 5) },
		};

		if (h->nr && m.at_ns < h->moments[h->nr - 1].at_ns)
			m.at_ns = h->moments[h->nr - 1].at_ns;
		GROW(h->moments, h->nr + 1, r->moments_alloc);
		GROW(r->ids, h->nr + 1, r->ids_alloc);
		r->ids[h->nr] = column_id(r->p, st, 0, TABLE_MOMENT);
		h->moments[h->nr++] = m;
	}
	sqlite3_finalize(st);
}

/* The columns of a row of the bands, which are the same in both queries. */
enum band_column {
	MOMENT, KEY, LIVE, PROCEDURE, NAME, MODULE, PATH, LINE, FILE_ID, COLUMN, END_LINE,
	END_COLUMN, TYPE,
};
static const char by_producer_sql[] =
	"SELECT b.moment, b.producer, b.live_bytes, p.id, p.name, p.module, f.path, "
	"o.line, f.id, o.column, o.end_line, o.end_column, coalesce(s.type, '(not known)') "
	"FROM band b JOIN moment m ON m.id = b.moment "
	"LEFT JOIN producer o ON o.id = b.producer LEFT JOIN call_site s ON s.id = o.site "
	"LEFT JOIN procedure p ON p.id = o.procedure LEFT JOIN file f ON f.id = o.file "
	"WHERE m.heap = ?1 ORDER BY b.moment, b.id";
static const char by_size_sql[] =
	"SELECT b.moment, b.size_class, b.live_bytes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
	"NULL, NULL, NULL FROM size_band b JOIN moment m ON m.id = b.moment "
	"WHERE m.heap = ?1 ORDER BY b.moment, b.id";

static const struct {
	const char *sql;
	bool by_text;
	enum band_column key, name;
} groupings[NR_BANDS_BY] = {
	[BANDS_BY_PRODUCER] = { by_producer_sql, false, KEY, NAME },
	[BANDS_BY_PROCEDURE] = { by_producer_sql, false, PROCEDURE, NAME },
	[BANDS_BY_FILE] = { by_producer_sql, false, FILE_ID, PATH },
	[BANDS_BY_MODULE] = { by_producer_sql, true, MODULE, MODULE },
	[BANDS_BY_TYPE] = { by_producer_sql, true, TYPE, TYPE },
	[BANDS_BY_SIZE] = { by_size_sql, false, KEY, NAME },
};

/* Returns the number of the group of ST's row. */
static uint32_t
group_of(struct reader *r, sqlite3_stmt *st)
{
	struct group g = { .text = "", .band_number = -1 };
	uint64_t hash;
	size_t length;
	uint32_t at;

	if (groupings[r->by].by_text)
		g.text = column_text(st, groupings[r->by].key, &length);
	else
		g.key = column_count(r->p, st, groupings[r->by].key);
	hash = hash_text(hash_number(HASH_START, g.key), g.text);
	at = index_find(&r->by_key, hash, group_equal, r, &g);
	if (at != INDEX_NONE)
		return at;
	g.text = arena_strdup(&r->h->arena, g.text);
	g.band.name = arena_strdup(&r->h->arena, column_text(st, groupings[r->by].name, &length));
	g.band.procedure = column_id(r->p, st, PROCEDURE, TABLE_PROCEDURE);
	g.band.size_class = r->by == BANDS_BY_SIZE ? g.key : 0;
	g.band.place = (struct place){
		column_id(r->p, st, FILE_ID, TABLE_FILE), (uint32_t)column_count(r->p, st, LINE),
		(uint32_t)column_count(r->p, st, COLUMN),
		(uint32_t)column_count(r->p, st, END_LINE),
		(uint32_t)column_count(r->p, st, END_COLUMN),
	};
	GROW(r->groups, r->nr_groups + 1, r->groups_alloc);
	r->groups[r->nr_groups] = g;
	index_add(&r->by_key, hash, (uint32_t)r->nr_groups);
	return (uint32_t)r->nr_groups++;
}

/* Rows are in the order of their moments. */
static void
read_bands(struct reader *r, model_id heap)
{
	enum { MOST = 1000000 };
	sqlite3_stmt *st = profile_prepare(r->p, groupings[r->by].sql);
	size_t at = 0;

	if (st)
		sqlite3_bind_int64(st, 1, heap);
	while (st && r->nr_levels < MOST && profile_step(r->p, st)) {
		model_id moment = column_id(r->p, st, MOMENT, TABLE_MOMENT);

		while (at < r->h->nr && r->ids[at] < moment)
			at++;
		if (at == r->h->nr || r->ids[at] != moment)
			continue;
		GROW(r->levels, r->nr_levels + 1, r->levels_alloc);
		r->levels[r->nr_levels++] = (struct level){
			(uint32_t)at, column_count(r->p, st, KEY) ? group_of(r, st) : UINT32_MAX,
			column_count(r->p, st, LIVE),
		};
	}
	sqlite3_finalize(st);
}

/* ---- bands ---- */

static void
find_areas(struct reader *r)
{
	const struct live_moment *m = r->h->moments;

	for (size_t i = 0; i < r->nr_levels; i++) {
		const struct level *l = &r->levels[i];
		double width = l->moment + 1 < r->h->nr
			? (double)(m[l->moment + 1].at_ns - m[l->moment].at_ns) : 0;

		/* What has no time at all has its bytes, at least. */
		if (l->group != UINT32_MAX)
			r->groups[l->group].band.area += (double)l->live * (width + 1);
	}
}

static int
compare_groups(const void *a, const void *b, void *context)
{
	const struct group *groups = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (groups[i].band.area != groups[k].band.area)
		return groups[i].band.area > groups[k].band.area ? -1 : 1;
	return i < k ? -1 : i > k;
}

static void
choose_bands(struct reader *r)
{
	uint32_t *order = xcalloc(r->nr_groups + 1, sizeof(*order));

	for (size_t i = 0; i < r->nr_groups; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, r->nr_groups, sizeof(*order), compare_groups, r->groups);
	for (size_t i = 0; i < r->nr_groups && i < HEAP_MOST_BANDS; i++) {
		r->groups[order[i]].band_number = (int)i;
		r->h->bands[r->h->nr_bands++] = r->groups[order[i]].band;
	}
	free(order);
}

/* Puts what has no band of its own behind the others, and adds all up. */
static void
add_up(struct reader *r)
{
	struct live_heap *h = r->h;
	unsigned others = h->nr_bands, inherited = HEAP_ALL_BANDS - 1;
	bool any[2] = { false, false };

	for (size_t i = 0; i < r->nr_levels; i++) {
		const struct level *l = &r->levels[i];
		int number = l->group == UINT32_MAX ? -1 : r->groups[l->group].band_number;
		uint64_t *of = &h->moments[l->moment].of[number < 0 ? (int)others : number];

		any[0] |= number < 0 && l->live;
		*of = count_add(*of, l->live);
	}
	for (size_t i = 0; i < h->nr; i++)
		any[1] |= h->moments[i].of[inherited] != 0;
	if (any[0])
		h->bands[h->nr_bands++].name = "others";
	for (size_t i = 0; i < h->nr && inherited != h->nr_bands; i++) {
		h->moments[i].of[h->nr_bands] = h->moments[i].of[inherited];
		h->moments[i].of[inherited] = 0;
	}
	if (any[1])
		h->bands[h->nr_bands++].name = "inherited by fork";
	for (size_t i = 0; i < h->nr; i++) {
		for (unsigned k = 0; k < h->nr_bands; k++)
			h->moments[i].live_bytes = count_add(h->moments[i].live_bytes,
							     h->moments[i].of[k]);
		if (h->moments[i].live_bytes > h->moments[h->top].live_bytes)
			h->top = i;
	}
}

bool
heap_read(struct profile *p, size_t which, enum bands_by by, struct live_heap *h)
{
	struct reader r = { .p = p, .h = h, .by = by };
	model_id heap;

	*h = (struct live_heap){ .arena = ARENA_INIT };
	heap = read_heap(&r, which);
	if (heap) {
		read_moments(&r, heap);
		read_bands(&r, heap);
		find_areas(&r);
		choose_bands(&r);
		add_up(&r);
	}
	free(r.ids);
	free(r.groups);
	free(r.levels);
	index_release(&r.by_key);
	if (!heap || !h->nr) {
		heap_release(h);
		return false;
	}
	return true;
}
