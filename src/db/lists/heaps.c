#include "db/lists/heaps.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/connection.h"
#include "util/index.h"
#include "util/order.h"
#include "util/text/numbers.h"

const char *const bands_by_names[NR_BANDS_BY + 1] = {
	"producer", "procedure", "file", "module", "type", "size", "site", "disposer", NULL
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
	free(h->groups);
	free(h->sources);
	free(h->shares);
	free(h->levels);
	arena_release(&h->arena);
	*h = (struct live_heap){ .arena = ARENA_INIT };
}

/* ---- reading ---- */

/* What stands between the rows and the bands: figures of a profile may be anything. */
struct reader {
	struct profile *p;
	struct live_heap *h;
	size_t moments_alloc, groups_alloc, sources_alloc, shares_alloc, levels_alloc;
	/* Of groups and sources by their numbers; TEXT: a group's key where that is a text. */
	struct key { uint64_t number; const char *text; } *group_keys;
	uint64_t *source_keys;
	size_t group_keys_alloc, source_keys_alloc;
	struct index groups, sources;
};

static bool
group_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct key *x = &((const struct reader *)ctx)->group_keys[item], *k = key;

	return x->number == k->number && !strcmp(x->text, k->text);
}

static bool
source_equal(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct reader *)ctx)->source_keys[item] == *(const uint64_t *)key;
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
			.id = column_id(r->p, st, 0, TABLE_MOMENT),
			.at_ns = column_count(r->p, st, 1), .cpu_ns = column_count(r->p, st, 2),
			.clock_bytes = column_count(r->p, st, 3),
			.resident_bytes = column_count(r->p, st, 4),
			.of = { [HEAP_ALL_BANDS - 1] = column_count(r->p, st, 5) },
		};

		if (h->nr && m.at_ns < h->moments[h->nr - 1].at_ns)
			m.at_ns = h->moments[h->nr - 1].at_ns;
		GROW(h->moments, h->nr + 1, r->moments_alloc);
		h->moments[h->nr++] = m;
	}
	sqlite3_finalize(st);
}

/* The rows of bands, and what is known of a key of theirs: asked once for each, so that no text is
 * joined to each row. */
enum level_column { MOMENT, LEVEL_KEY, LIVE, MADE };
static const char bands_sql[] =
	"SELECT b.moment, b.producer, b.live_bytes, b.made_bytes "
	"FROM band b JOIN moment m ON m.id = b.moment WHERE m.heap = ?1 ORDER BY b.moment, b.id";
static const char size_bands_sql[] =
	"SELECT b.moment, b.size_class, b.live_bytes, b.made_bytes "
	"FROM size_band b JOIN moment m ON m.id = b.moment "
	"WHERE m.heap = ?1 ORDER BY b.moment, b.id";
enum band_column {
	KEY, PROCEDURE, NAME, MODULE, PATH, LINE, FILE_ID, COLUMN, END_LINE, END_COLUMN, TYPE,
	SITE, TARGET,
};
static const char producer_sql[] =
	"SELECT o.id, p.id, p.name, p.module, f.path, "
	"o.line, f.id, o.column, o.end_line, o.end_column, coalesce(s.type, '(not known)'), "
	"s.id, s.target FROM producer o LEFT JOIN call_site s ON s.id = o.site "
	"LEFT JOIN procedure p ON p.id = o.procedure LEFT JOIN file f ON f.id = o.file "
	"WHERE o.id = ?1";
static const char size_sql[] =
	"SELECT ?1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL";

static const struct {
	const char *levels, *about;
	bool by_text, at_place;
	enum band_column key, name;
	enum band_column what;     /* 0: none */
} groupings[NR_BANDS_BY] = {
	[BANDS_BY_PRODUCER] = { bands_sql, producer_sql, false, true, KEY, NAME, 0 },
	[BANDS_BY_PROCEDURE] = { bands_sql, producer_sql, false, false, PROCEDURE, NAME, 0 },
	[BANDS_BY_FILE] = { bands_sql, producer_sql, false, false, FILE_ID, PATH, 0 },
	[BANDS_BY_MODULE] = { bands_sql, producer_sql, true, false, MODULE, MODULE, 0 },
	[BANDS_BY_TYPE] = { bands_sql, producer_sql, true, false, TYPE, TYPE, 0 },
	[BANDS_BY_SIZE] = { size_bands_sql, size_sql, false, false, KEY, NAME, 0 },
	[BANDS_BY_SITE] = { bands_sql, producer_sql, false, true, SITE, NAME, TARGET },
	[BANDS_BY_DISPOSER] = { bands_sql, producer_sql, false, true, KEY, NAME, 0 },
};

/* Returns the number of the group with the key, which becomes LIKE if there is none. */
static uint32_t
group_of(struct reader *r, struct key key, const struct live_band *like)
{
	struct live_heap *h = r->h;
	uint64_t hash = hash_text(hash_number(HASH_START, key.number), key.text);
	uint32_t at = index_find(&r->groups, hash, group_equal, r, &key);
	struct live_band *g;

	if (at != INDEX_NONE)
		return at;
	at = (uint32_t)h->nr_groups++;
	GROW(h->groups, h->nr_groups, r->groups_alloc);
	GROW(r->group_keys, h->nr_groups, r->group_keys_alloc);
	r->group_keys[at] = (struct key){ key.number, arena_strdup(&h->arena, key.text) };
	g = &h->groups[at];
	*g = *like;
	g->name = arena_strdup(&h->arena, like->name);
	g->what = like->what && *like->what ? arena_strdup(&h->arena, like->what) : NULL;
	g->number = -1;
	index_add(&r->groups, hash, at);
	return at;
}

static struct place
place_of(struct reader *r, sqlite3_stmt *st, int file, int line, int column)
{
	return (struct place){
		column_id(r->p, st, file, TABLE_FILE), (uint32_t)column_count(r->p, st, line),
		(uint32_t)column_count(r->p, st, column),
		(uint32_t)column_count(r->p, st, column + 1),
		(uint32_t)column_count(r->p, st, column + 2),
	};
}

/* Returns the number of the group of ST's row. */
static uint32_t
group_of_row(struct reader *r, sqlite3_stmt *st)
{
	const enum bands_by by = r->h->by;
	struct key key = { .text = "" };
	size_t length;
	struct live_band like = {
		.at_place = groupings[by].at_place,
		.place = place_of(r, st, FILE_ID, LINE, COLUMN),
		.procedure = column_id(r->p, st, PROCEDURE, TABLE_PROCEDURE),
	};

	if (groupings[by].by_text)
		key.text = column_text(st, groupings[by].key, &length);
	else
		key.number = column_count(r->p, st, groupings[by].key);
	like.size_class = by == BANDS_BY_SIZE ? key.number : 0;
	like.name = column_text(st, groupings[by].name, &length);
	if (groupings[by].what)
		like.what = column_text(st, (int)groupings[by].what, &length);
	return group_of(r, key, &like);
}

/* Returns the number of the group of what has KEY, by the query ABOUT. */
static uint32_t
group_of_key(struct reader *r, sqlite3_stmt *about, uint64_t key)
{
	uint32_t group = HEAP_OTHERS;

	if (!about)
		return group;
	profile_step_anew(about);
	sqlite3_bind_int64(about, 1, (sqlite3_int64)key);
	if (profile_step(r->p, about))
		group = group_of_row(r, about);
	sqlite3_reset(about);
	return group;
}

/* Returns the number of the source with KEY; *IS_NEW: it has no group yet. */
static uint32_t
source_of(struct reader *r, uint64_t key, bool *is_new)
{
	struct live_heap *h = r->h;
	uint64_t hash = hash_number(HASH_START, key);
	uint32_t at = index_find(&r->sources, hash, source_equal, r, &key);

	*is_new = at == INDEX_NONE;
	if (!*is_new)
		return at;
	at = (uint32_t)h->nr_sources++;
	GROW(h->sources, h->nr_sources, r->sources_alloc);
	GROW(r->source_keys, h->nr_sources, r->source_keys_alloc);
	h->sources[at] = (struct live_source){ .group = HEAP_OTHERS };
	r->source_keys[at] = key;
	index_add(&r->sources, hash, at);
	return at;
}

/* Rows are in the order of their moments. */
static void
read_levels(struct reader *r, model_id heap)
{
	enum { MOST = 1000000 };
	struct live_heap *h = r->h;
	sqlite3_stmt *st = profile_prepare(r->p, groupings[h->by].levels);
	sqlite3_stmt *about = profile_prepare(r->p, groupings[h->by].about);
	size_t at = 0;

	if (st)
		sqlite3_bind_int64(st, 1, heap);
	while (st && h->nr_levels < MOST && profile_step(r->p, st)) {
		model_id moment = column_id(r->p, st, MOMENT, TABLE_MOMENT);
		uint64_t key = column_count(r->p, st, LEVEL_KEY);
		uint32_t source;
		bool is_new;

		while (at < h->nr && h->moments[at].id < moment)
			at++;
		if (at == h->nr || h->moments[at].id != moment)
			continue;
		source = source_of(r, key, &is_new);
		if (is_new && key && h->by != BANDS_BY_DISPOSER)
			h->sources[source].group = group_of_key(r, about, key);
		GROW(h->levels, h->nr_levels + 1, r->levels_alloc);
		h->levels[h->nr_levels++] = (struct live_level){
			(uint32_t)at, source, column_count(r->p, st, LIVE),
			column_count(r->p, st, MADE),
		};
	}
	sqlite3_finalize(st);
	sqlite3_finalize(about);
}

/* ---- who will give it back ---- */

enum share_column {
	SHARE_PRODUCER, SHARE_BYTES, SHARE_TOTAL, SHARE_HOW, SHARE_BY, SHARE_BY_SITE, SHARE_NAME,
	SHARE_FILE, SHARE_LINE, SHARE_COLUMN, SHARE_END_LINE, SHARE_END_COLUMN,
};
#define EITHER(what) "iif(t.file IS NULL, q." what ", t." what ")"
/* What a producer ever got, in all processes, is the sum of its allocations; where some of it could
 * not be noted as given back, it is more than the sum of its disposals. */
static const char shares_sql[] =
	"SELECT o.id, d.bytes, max(a.bytes, sum(d.bytes) OVER (PARTITION BY o.id)), d.how, d.by, "
	"d.by_site, coalesce(q.name, '(unprofiled)'), " EITHER("file") ", " EITHER("line") ", "
	EITHER("column") ", " EITHER("end_line") ", " EITHER("end_column") " "
	"FROM producer o JOIN disposal d ON d.site IS o.site AND d.procedure IS o.procedure "
	"JOIN (SELECT site, procedure, sum(bytes) AS bytes FROM allocation "
	"WHERE pool IS NULL GROUP BY site, procedure) a ON a.site IS o.site "
	"AND a.procedure IS o.procedure "
	"LEFT JOIN call_site t ON t.id = d.by_site LEFT JOIN procedure q ON q.id = d.by "
	"WHERE d.bytes > 0 AND o.id IN (SELECT b.producer FROM band b "
	"JOIN moment m ON m.id = b.moment WHERE m.heap = ?1) ORDER BY o.id, d.id";

/* Returns the group with NAME, which is at no place. */
static uint32_t
plain_group(struct reader *r, const char *name)
{
	const struct live_band like = { .name = name };

	return group_of(r, (struct key){ 0, name }, &like);
}

static uint32_t
group_of_disposer(struct reader *r, sqlite3_stmt *st, bool *never)
{
	size_t length;
	const char *how = column_text(st, SHARE_HOW, &length);
	struct live_band like = { .at_place = true };
	struct key key = { .text = "" };
	model_id site;

	*never = !strcmp(how, "never");
	if (*never)
		return plain_group(r, "never freed");
	if (!strcmp(how, "exit"))
		return plain_group(r, "freed at exit");
	like.what = strcmp(how, "realloc") ? NULL : "(realloc)";
	like.procedure = column_id(r->p, st, SHARE_BY, TABLE_PROCEDURE);
	site = column_id(r->p, st, SHARE_BY_SITE, TABLE_SITE);
	key.text = like.what ? like.what : "";
	key.number = site ? 2 * (uint64_t)site + 1 : 2 * (uint64_t)like.procedure;
	like.name = column_text(st, SHARE_NAME, &length);
	like.place = place_of(r, st, SHARE_FILE, SHARE_LINE, SHARE_COLUMN);
	return group_of(r, key, &like);
}

/* Adds it to what the group has of the source, which is the last one that has shares. */
static void
add_share(struct reader *r, uint32_t source, const struct live_share *share)
{
	struct live_heap *h = r->h;
	struct live_source *s = &h->sources[source];

	if (!s->nr_shares) {
		s->share = h->nr_shares;
		s->group = plain_group(r, "one of several");
	}
	for (size_t i = s->share; i < h->nr_shares; i++) {
		if (h->shares[i].group == share->group) {
			h->shares[i].bytes = count_add(h->shares[i].bytes, share->bytes);
			return;
		}
	}
	GROW(h->shares, h->nr_shares + 1, r->shares_alloc);
	h->shares[h->nr_shares++] = *share;
	s->nr_shares++;
}

static void
read_shares(struct reader *r, model_id heap)
{
	sqlite3_stmt *st = profile_prepare(r->p, shares_sql);
	bool is_new;

	if (st)
		sqlite3_bind_int64(st, 1, heap);
	while (st && profile_step(r->p, st)) {
		uint64_t producer = column_id(r->p, st, SHARE_PRODUCER, TABLE_PRODUCER);
		uint32_t source = source_of(r, producer, &is_new);
		struct live_share share = { .bytes = column_count(r->p, st, SHARE_BYTES) };

		share.group = group_of_disposer(r, st, &share.never);
		r->h->sources[source].total = column_count(r->p, st, SHARE_TOTAL);
		add_share(r, source, &share);
	}
	sqlite3_finalize(st);
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
more(uint64_t a, uint64_t than)
{
	return a > than ? a - than : 0;
}

/* Returns bounds of SHARE's part of LIVE, the bytes that are left of the MADE ones of S. The other
 * shares can have at most their totals; what is never given back is among what is left. */
static struct bytes_within
share_of(const struct live_source *s, const struct live_share *share, uint64_t live, uint64_t made)
{
	uint64_t others = more(s->total, share->bytes), most = lesser(live, share->bytes);

	return (struct bytes_within){
		lesser(more(share->never ? made : live, others), most), most,
	};
}

/* ---- bands ---- */

/* Calls ADD with each group that has some of LEVEL, and what that is. */
typedef void add_function(struct live_heap *h, const struct live_level *level, uint32_t group,
			  uint64_t live);
static void
split(struct live_heap *h, const struct live_level *level, add_function *add)
{
	const struct live_source *s = &h->sources[level->source];
	uint64_t left = level->live;

	for (size_t i = s->share; i < s->share + s->nr_shares; i++) {
		struct bytes_within w = share_of(s, &h->shares[i], level->live, level->made);
		uint64_t live = lesser(w.lo, left);

		left -= live;
		if (live)
			add(h, level, h->shares[i].group, live);
	}
	if (left)
		add(h, level, s->group, left);
}

static void
add_area(struct live_heap *h, const struct live_level *level, uint32_t group, uint64_t live)
{
	const struct live_moment *m = &h->moments[level->moment];
	double width = level->moment + 1 < h->nr ? (double)(m[1].at_ns - m->at_ns) : 0;

	/* What has no time at all has its bytes, at least. */
	if (group != HEAP_OTHERS)
		h->groups[group].area += (double)live * (width + 1);
}

static int
compare_groups(const void *a, const void *b, void *context)
{
	const struct live_band *groups = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (groups[i].area != groups[k].area)
		return groups[i].area > groups[k].area ? -1 : 1;
	return i < k ? -1 : i > k;
}

/* What has no area is no band: of a disposer there may be nothing that is certain. */
static void
choose_bands(struct live_heap *h)
{
	uint32_t *order = xcalloc(h->nr_groups + 1, sizeof(*order));

	for (size_t i = 0; i < h->nr_groups; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, h->nr_groups, sizeof(*order), compare_groups, h->groups);
	for (size_t i = 0; i < h->nr_groups && i < HEAP_MOST_BANDS; i++) {
		struct live_band *g = &h->groups[order[i]];

		if (g->area <= 0)
			break;
		g->number = (int)i;
		h->bands[h->nr_bands++] = *g;
	}
	free(order);
}

static void
add_live(struct live_heap *h, const struct live_level *level, uint32_t group, uint64_t live)
{
	int number = group == HEAP_OTHERS ? -1 : h->groups[group].number;
	uint64_t *of = h->moments[level->moment].of;

	of += number < 0 ? (int)h->nr_bands : number;
	*of = count_add(*of, live);
}

/* Puts what has no band of its own behind the others, and adds all up. */
static void
add_up(struct live_heap *h)
{
	unsigned others = h->nr_bands, inherited = HEAP_ALL_BANDS - 1;
	bool any[2] = { false, false };

	for (size_t i = 0; i < h->nr_levels; i++)
		split(h, &h->levels[i], add_live);
	for (size_t i = 0; i < h->nr; i++) {
		any[0] |= h->moments[i].of[others] != 0;
		any[1] |= h->moments[i].of[inherited] != 0;
	}
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
	struct reader r = { .p = p, .h = h };
	model_id heap;

	*h = (struct live_heap){ .by = by, .arena = ARENA_INIT };
	heap = read_heap(&r, which);
	if (heap) {
		read_moments(&r, heap);
		read_levels(&r, heap);
		if (by == BANDS_BY_DISPOSER)
			read_shares(&r, heap);
		for (size_t i = 0; i < h->nr_levels; i++)
			split(h, &h->levels[i], add_area);
		choose_bands(h);
		add_up(h);
	}
	free(r.group_keys);
	free(r.source_keys);
	index_release(&r.groups);
	index_release(&r.sources);
	if (!heap || !h->nr) {
		heap_release(h);
		return false;
	}
	return true;
}

/* ---- from one moment to another ---- */

/* Of a source: what was live, and had been made, at both. */
struct ends {
	uint64_t live[2], made[2];
};

static struct ends *
find_ends(const struct live_heap *h, size_t from, size_t to)
{
	struct ends *ends = xcalloc(h->nr_sources + 1, sizeof(*ends));
	const size_t at[2] = { from, to };

	for (size_t i = 0; i < h->nr_levels; i++) {
		const struct live_level *l = &h->levels[i];

		for (int k = 0; k < 2; k++) {
			struct ends *e = &ends[l->source];

			if (at[k] == SIZE_MAX || l->moment > at[k])
				continue;
			e->made[k] = l->made > e->made[k] ? l->made : e->made[k];
			if (l->moment == at[k])
				e->live[k] = count_add(e->live[k], l->live);
		}
	}
	return ends;
}

static void
add_within(struct bytes_within *to, struct bytes_within w)
{
	to->lo = count_add(to->lo, w.lo);
	to->hi = count_add(to->hi, w.hi);
}

static struct bytes_within
exactly(uint64_t bytes)
{
	return (struct bytes_within){ bytes, bytes };
}

/* Adds the shares of WHOLE, what is left of MADE bytes, to the figure at OFFSET of their rows: each
 * can have no more than what is certainly not of the others. */
static void
add_shares(const struct live_heap *h, const struct live_source *s, struct bytes_within whole,
	   uint64_t made, struct span_row *rows, size_t offset)
{
	const struct live_share *of = &h->shares[s->share];
	uint64_t certain = 0;

	for (size_t i = 0; i < s->nr_shares; i++)
		certain = count_add(certain, share_of(s, &of[i], whole.lo, made).lo);
	for (size_t i = 0; i < s->nr_shares; i++) {
		struct bytes_within w = share_of(s, &of[i], whole.hi, made);

		w.lo = share_of(s, &of[i], whole.lo, made).lo;
		w.hi = lesser(w.hi, more(whole.hi, certain - w.lo));
		add_within((struct bytes_within *)((char *)&rows[of[i].group] + offset), w);
	}
}

/* ROWS: by group, the others last. */
static void
add_source(const struct live_heap *h, const struct live_source *s, const struct ends *e,
	   struct span_row *rows, struct heap_span *span)
{
	uint64_t made = more(e->made[1], e->made[0]);
	struct bytes_within kept = {
		lesser(more(e->live[1], e->live[0]), made), lesser(e->live[1], made),
	};
	struct span_row *row = &rows[s->group == HEAP_OTHERS ? h->nr_groups : s->group];

	span->made = count_add(span->made, made);
	add_within(&span->kept, kept);
	if (s->nr_shares) {
#define ADD(whole, of_made, member) \
	add_shares(h, s, whole, of_made, rows, offsetof(struct span_row, member))
		ADD(exactly(made), made, made);
		ADD(kept, made, kept);
		ADD(exactly(e->live[0]), e->made[0], before);
		ADD(exactly(e->live[1]), e->made[1], after);
#undef ADD
		return;
	}
	add_within(&row->made, exactly(made));
	add_within(&row->kept, kept);
	add_within(&row->before, exactly(e->live[0]));
	add_within(&row->after, exactly(e->live[1]));
}

static int
compare_rows(const void *a, const void *b)
{
	const struct span_row *x = a, *y = b;

	COMPARE(y->kept.lo, x->kept.lo);
	COMPARE(y->kept.hi, x->kept.hi);
	COMPARE(y->made.hi, x->made.hi);
	COMPARE(x->group, y->group);
	return 0;
}

void
heap_span(const struct live_heap *h, size_t from, size_t to, struct heap_span *span)
{
	struct ends *ends = find_ends(h, from, to);

	*span = (struct heap_span){
		.rows = xcalloc(h->nr_groups + 1, sizeof(*span->rows)),
	};
	for (size_t i = 0; i < h->nr_sources; i++)
		add_source(h, &h->sources[i], &ends[i], span->rows, span);
	for (size_t i = 0; i <= h->nr_groups; i++) {
		struct span_row row = span->rows[i];

		row.group = i < h->nr_groups ? (uint32_t)i : HEAP_OTHERS;
		if (row.made.hi)
			span->rows[span->nr++] = row;
	}
	if (span->nr)
		qsort(span->rows, span->nr, sizeof(*span->rows), compare_rows);
	free(ends);
}

void
heap_span_release(struct heap_span *span)
{
	free(span->rows);
	*span = (struct heap_span){ .nr = 0 };
}

bool
heap_find_moment(const struct live_heap *h, const char *name, size_t *at)
{
	const struct { const char *name; size_t at; } names[] = {
		{ "begin", SIZE_MAX }, { "peak", h->top }, { "end", h->nr - 1 },
	};
	double ns = numbers_time(name);
	char *end;
	unsigned long long id;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		*at = names[i].at;
		if (!strcmp(name, names[i].name))
			return true;
	}
	*at = SIZE_MAX;
	for (size_t i = 0; ns >= 0 && i < h->nr && (double)h->moments[i].at_ns <= ns; i++)
		*at = i;
	if (ns >= 0)
		return true;
	id = strtoull(name, &end, 10);
	for (size_t i = 0; *name >= '0' && *name <= '9' && !*end && i < h->nr; i++)
		if (h->moments[i].id == id)
			*at = i;
	return *at != SIZE_MAX;
}
