#include "compare/items.h"

#include <stdlib.h>
#include <string.h>

#include "compare/match/side.h"
#include "compare/match/token.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/order.h"
#include "util/sum.h"

/* ---- asking ---- */

struct place
item_place(const struct items *x, size_t profile, size_t i)
{
	const struct item *item = &x->sides[profile].items[i];

	if (item->lines == WIDE)
		return x->sides[profile].wide[item->line];
	return (struct place){ item->file, item->line, item->column, item->line + item->lines,
			       item->end_column };
}

model_id
item_id(const struct items *x, size_t profile, size_t i)
{
	return x->by == BY_RANGE ? x->sides[profile].items[i].what : (model_id)i + 1;
}

/* The procedure that it is in, or is; 0: none, or it is not known. */
static model_id
item_procedure(const struct items *x, size_t profile, size_t i)
{
	const struct side *s = &x->m->sides[profile];
	model_id id = item_id(x, profile, i);

	switch (x->by) {
	case BY_PROCEDURE:
		return id;
	case BY_RANGE:
	case BY_BLOCK:
		return id && id <= s->nr_blocks ? s->block_procedure[id - 1] : 0;
	case BY_SITE:
	case BY_ARC:
	case BY_PAIR:
	case BY_PRODUCER:
	case BY_DISPOSER:
	case BY_POOL:
		return x->sides[profile].procedure[i];
	default:
		return 0;
	}
}

uint32_t
item_owner(const struct items *x, size_t profile, size_t i)
{
	if (x->by == BY_LINE || x->by == BY_FILE)
		return match_file(x->m, profile, item_place(x, profile, i).file);
	return match_entity(x->m, profile, item_procedure(x, profile, i));
}

const char *
item_type(const struct items *x, size_t profile, size_t i)
{
	const struct side_items *s = &x->sides[profile];
	uint32_t number = x->by == BY_TYPE ? s->items[i].what : s->type ? s->type[i] : 0;

	return number ? x->types.names[number - 1] : "";
}

uint64_t
item_size_class(const struct items *x, size_t profile, size_t i)
{
	uint32_t bits = x->sides[profile].items[i].what & SIZE_MASK;

	return compare_by_has_size(x->by) && bits ? UINT64_C(1) << bits : 0;
}

int64_t
item_figure(const struct items *x, size_t profile, size_t i, enum figure f)
{
	return x->slot[f] < 0 ? 0 : (int64_t)narrow_get(&x->sides[profile].figures,
					       i * x->stride + (size_t)x->slot[f]);
}

/* ---- loading ---- */

struct loading {
	struct items *x;
	struct match *m;
	size_t profile;
};

static void
set_place(struct side_items *s, struct item *item, const struct place *p)
{
	uint32_t lines = p->end_line - p->line;

	*item = (struct item){
		.line = p->line, .file = (uint16_t)p->file, .column = (uint16_t)p->column,
		.end_column = (uint16_t)p->end_column, .lines = WIDE,
	};
	if (item->file == p->file && item->column == p->column &&
	    item->end_column == p->end_column && lines < WIDE) {
		item->lines = lines & WIDE;
		return;
	}
	GROW(s->wide, s->nr_wide + 1, s->wide_alloc);
	item->line = (uint32_t)s->nr_wide;
	s->wide[s->nr_wide++] = *p;
}

static struct item *
add_item(struct loading *l, const struct bulk_row *row)
{
	struct items *x = l->x;
	struct side_items *s = &x->sides[l->profile];

	GROW(s->items, s->nr + 1, s->alloc);
	for (int f = 0; f < x->slots; f++) {
		if (x->slot[f] >= 0)
			narrow_add(&s->figures, row->figures[f]);
	}
	set_place(s, &s->items[s->nr], &row->place);
	return &s->items[s->nr++];
}

/* A figure of what was added last that is not in its own row. */
static void
set_figure(struct loading *l, enum figure f, uint64_t value)
{
	struct items *x = l->x;
	struct side_items *s = &x->sides[l->profile];

	if (x->slot[f] >= 0)
		narrow_set(&s->figures, (s->nr - 1) * x->stride + (size_t)x->slot[f], value);
}

static void
set_calls(struct loading *l, model_id procedure)
{
	const struct side_procedure *p = side_procedure(&l->m->sides[l->profile], procedure);

	set_figure(l, FIGURE_CALLS, p ? p->calls : 0);
	if (p && p->uncounted)
		l->x->sides[l->profile].items[l->x->sides[l->profile].nr - 1].uncounted = true;
}

static void
load_procedure(struct loading *l, const struct bulk_row *row)
{
	add_item(l, row);
	set_calls(l, row->id);
}

static void
load_block(struct loading *l, const struct bulk_row *row)
{
	add_item(l, row);
	set_calls(l, row->procedure);
}

static void
load_range(struct loading *l, const struct bulk_row *row)
{
	const struct side *s = &l->m->sides[l->profile];
	struct item *item = add_item(l, row);

	item->kind = (unsigned)row->kind & 15;
	l->x->sides[l->profile].points |= item->kind == RANGE_POINT;
	item->what = row->block && row->block <= s->nr_blocks ? row->block : 0;
	if (!item->what)
		return;
	set_calls(l, s->block_procedure[item->what - 1]);
	set_figure(l, FIGURE_COUNT, narrow_get(&s->block_count, item->what - 1));
}

static void
set_procedure(struct loading *l, model_id procedure)
{
	struct side_items *s = &l->x->sides[l->profile];

	GROW(s->procedure, s->nr, s->procedure_alloc);
	s->procedure[s->nr - 1] = procedure;
}

/* A call site is the same when it calls the same: by its procedure, else by what it says. */
static uint32_t
site_target(const struct loading *l, const char *name, bool direct)
{
	uint32_t target = direct ? match_target(l->m, l->profile, name) : 0;

	if (direct && !target)
		target = match_foreign_target(l->m, name);
	return target ? target
	       : CALL_OUTSIDE | (uint32_t)slice_hash((struct slice){ name, strlen(name) });
}

static void
load_site(struct loading *l, const struct bulk_row *row)
{
	struct item *item = add_item(l, row);

	set_procedure(l, row->procedure);
	set_calls(l, row->procedure);
	item->what = site_target(l, row->name, row->kind == SITE_DIRECT);
}

static void
load_arc(struct loading *l, const struct bulk_row *row)
{
	struct item *item = add_item(l, row);
	entity_id callee = match_entity(l->m, l->profile, row->callee);
	struct slice name = { row->name, strlen(row->name) };

	if (!callee)
		callee = match_foreign_target(l->m, row->name);
	set_procedure(l, row->procedure);
	item->what = callee ? callee : CALL_OUTSIDE | ((uint32_t)slice_hash(name) & CALL_MASK);
	item->what |= row->through ? (uint32_t)CALL_THROUGH : 0;
	item->kind = (unsigned)row->kind & 15;
}

static void
load_in_file(struct loading *l, const struct bulk_row *row)
{
	add_item(l, row)->uncounted = row->uncounted;
}

static bool
is_type(const void *names, uint32_t item, const void *name)
{
	return !strcmp(((const struct type_names *)names)->names[item], name);
}

static uint32_t
type_number(struct type_names *t, const char *name)
{
	uint64_t hash = hash_text(HASH_START, name);
	uint32_t i = *name ? index_find(&t->by_name, hash, is_type, t, name) : INDEX_NONE;

	if (!*name || i != INDEX_NONE)
		return *name ? i + 1 : 0;
	GROW(t->names, t->nr + 1, t->alloc);
	t->names[t->nr] = arena_strdup(&t->texts, name);
	index_add(&t->by_name, hash, (uint32_t)t->nr++);
	return (uint32_t)t->nr;
}

static uint32_t
bits_of_size(uint64_t size_class)
{
	return size_class ? 63 - (uint32_t)__builtin_clzll(size_class) : 0;
}

/* What a call got, with its type, or pool; returns the item, and the number of the type. */
static struct item *
load_got(struct loading *l, const struct bulk_row *row, uint32_t *type)
{
	struct side_items *s = &l->x->sides[l->profile];
	struct item *item = add_item(l, row);

	set_procedure(l, row->procedure);
	GROW(s->type, s->nr, s->type_alloc);
	s->type[s->nr - 1] = *type = type_number(&l->x->types, row->type);
	item->what = site_target(l, row->name, true) << SIZE_BITS;
	return item;
}

/* What a call got of one size is the same when the call is. */
static void
load_producer(struct loading *l, const struct bulk_row *row)
{
	uint32_t type;

	load_got(l, row, &type)->what |= bits_of_size(row->size_class);
}

/* What a call got of one pool is the same when the call is. */
static void
load_pool(struct loading *l, const struct bulk_row *row)
{
	uint32_t pool;
	struct item *item = load_got(l, row, &pool);

	item->what |= pool & SIZE_MASK;
}

static void
load_type(struct loading *l, const struct bulk_row *row)
{
	add_item(l, row)->what = type_number(&l->x->types, row->type);
}

static void
load_size(struct loading *l, const struct bulk_row *row)
{
	add_item(l, row)->what = bits_of_size(row->size_class);
}

static void
load_disposer(struct loading *l, const struct bulk_row *row)
{
	struct item *item = add_item(l, row);

	set_procedure(l, row->procedure);
	item->what = item->kind = (unsigned)row->kind & 15;
}

/* Where the things of each kind are read from. */
static const struct {
	enum bulk_table bulk;
	enum list_kind list;     /* that has as many rows */
	void (*load)(struct loading *l, const struct bulk_row *row);
	uint64_t derived;        /* figures that are not in the table, but known all the same */
} sources[NR_COMPARE_BY] = {
	[BY_PROCEDURE] = { BULK_PROCEDURE, LIST_PROCEDURE, load_procedure, 0 },
	[BY_BLOCK] = { BULK_BLOCK, LIST_BLOCK, load_block, FIGURE_BIT(FIGURE_CALLS) },
	[BY_RANGE] = { BULK_RANGE, LIST_NR, load_range,
		       FIGURE_BIT(FIGURE_COUNT) | FIGURE_BIT(FIGURE_CALLS) },
	[BY_LINE] = { BULK_LINE, LIST_LINE, load_in_file, 0 },
	[BY_SITE] = { BULK_SITE, LIST_SITE, load_site, FIGURE_BIT(FIGURE_CALLS) },
	[BY_ARC] = { BULK_ARC, LIST_ARC, load_arc, 0 },
	[BY_FILE] = { BULK_FILE, LIST_FILE, load_in_file, 0 },
	[BY_PAIR] = { BULK_PAIR, LIST_ARC, load_arc, 0 },
	[BY_PRODUCER] = { BULK_PRODUCER, LIST_PRODUCER, load_producer, 0 },
	[BY_TYPE] = { BULK_TYPE, LIST_TYPE, load_type, 0 },
	[BY_SIZE] = { BULK_SIZE, LIST_SIZE, load_size, 0 },
	[BY_DISPOSER] = { BULK_DISPOSER, LIST_DISPOSER, load_disposer, 0 },
	[BY_POOL] = { BULK_POOL, LIST_POOL, load_pool, 0 },
};

uint64_t
compare_figures(enum compare_by by, uint64_t measures)
{
	return bulk_figures(sources[by].bulk, measures) | sources[by].derived;
}

/* ---- joining ---- */

/* An item with the place that it has in its home: what is equal there is the same thing. */
struct keyed_item {
	struct place place;
	uint32_t home, other;
	uint32_t profile, item;
	model_id procedure, id;
	bool changed;
};

static int
compare_keys(const struct keyed_item *a, const struct keyed_item *b)
{
	COMPARE(a->home, b->home);
	COMPARE(a->place.file, b->place.file);
	COMPARE(a->place.line, b->place.line);
	COMPARE(a->place.column, b->place.column);
	COMPARE(b->place.end_line, a->place.end_line);
	COMPARE(b->place.end_column, a->place.end_column);
	COMPARE(a->other, b->other);
	return 0;
}

/* All arcs between two procedures are one thing, wherever the calls stand. */
static bool
is_same(const struct items *x, const struct keyed_item *a, const struct keyed_item *b)
{
	return x->by == BY_PAIR ? !((a->other ^ b->other) & ~(uint32_t)CALL_THROUGH)
				: !compare_keys(a, b);
}

static int
compare_items(const void *pa, const void *pb, void *context)
{
	const struct items *x = context;
	const struct keyed_item *a = pa, *b = pb;
	int c = x->by == BY_PAIR ? 0 : compare_keys(a, b);

	if (c)
		return c;
	COMPARE(a->other & ~(uint32_t)CALL_THROUGH, b->other & ~(uint32_t)CALL_THROUGH);
	COMPARE(a->profile, b->profile);
	COMPARE(a->procedure, b->procedure);
	COMPARE(a->id, b->id);
	COMPARE(a->item, b->item);
	return 0;
}

/* The state while items are loaded and joined. */
struct joining {
	struct items *x;
	struct match *m;
	struct bulk *bulk;
	double rows, all_rows;       /* loaded so far; about all that there are to load */
	struct keyed_item *keyed;    /* of one owner */
	size_t nr, alloc;
	uint32_t **order;        /* by profile: items by owner */
	uint32_t **first;        /* by profile, [owner]: its first in order; [owners]: the end */
	size_t owners;
	bool points;             /* some profile has points in ranges */
};

static void
key_item(struct joining *j, size_t profile, uint32_t i)
{
	const struct items *x = j->x;
	const struct item *item = &x->sides[profile].items[i];
	struct place place = item_place(x, profile, i);
	uint32_t owner = item_owner(x, profile, i);
	struct matched_place at = { .place = { 0 } };
	struct keyed_item *k;

	if (x->by == BY_LINE)
		match_line(j->m, profile, place.file, place.line, &at);
	else if (x->by == BY_PROCEDURE && owner)
		at.changed = match_affected(j->m, owner, profile);
	else if (x->by != BY_PROCEDURE && x->by != BY_FILE && compare_by_has_owner(x->by))
		match_place(j->m, profile, &place, &at);
	GROW(j->keyed, j->nr + 1, j->alloc);
	k = &j->keyed[j->nr++];
	*k = (struct keyed_item){
		.place = at.place, .home = at.home, .id = item_id(x, profile, i),
		.other = x->by == BY_RANGE ? item->kind : item->what,
		.profile = (uint32_t)profile, .item = i, .changed = at.changed,
	};
	if (x->by == BY_RANGE || x->by == BY_BLOCK || x->by == BY_PROCEDURE)
		k->procedure = item_procedure(x, profile, i);
}

/* Counts of one place in one profile, as the browser shows them: the parts of one thing in a
 * procedure are executed as often as the most frequent one; the text of a macro, copies of a
 * procedure and calls add up. */
struct count { uint64_t before, here; };

static void
add_count(struct count *c, const struct keyed_item *last, const struct keyed_item *next,
	  uint64_t count, bool parts)
{
	if (parts && next->procedure == last->procedure) {
		if (next->id == last->id)
			return;
		if (next->other == RANGE_MACRO_DEFINITION)
			c->here = sum_capped(c->here, count);
		else if (count > c->here)
			c->here = count;
		return;
	}
	c->before = sum_capped(c->before, c->here);
	c->here = count;
}

/* Combines one figure of NR equal items of one profile in the first one. */
static void
accumulate_figure(struct items *x, const struct keyed_item *k, size_t nr, enum figure f)
{
	bool parts = x->by == BY_RANGE || x->by == BY_BLOCK;
	int64_t sum = item_figure(x, k->profile, k->item, f);
	struct count c = { 0, (uint64_t)sum };

	for (size_t i = 1; i < nr; i++) {
		int64_t here = item_figure(x, k->profile, k[i].item, f);

		if (f == FIGURE_COUNT)
			add_count(&c, &k[i - 1], &k[i], (uint64_t)here, parts);
		else if (f != FIGURE_CALLS || k[i].procedure != k[i - 1].procedure)
			sum = figure_combine(figure_how(f), sum, here);
	}
	narrow_set(&x->sides[k->profile].figures, k->item * x->stride + (size_t)x->slot[f],
		   f == FIGURE_COUNT ? sum_capped(c.before, c.here) : (uint64_t)sum);
}

/* Combines NR equal items of one profile in the first one. */
static void
accumulate(struct items *x, const struct keyed_item *k, size_t nr)
{
	struct item *items = x->sides[k->profile].items;

	/* What has a count in one arc has one in all of them together. */
	for (size_t i = 1; i < nr && compare_by_is_arcs(x->by); i++)
		if (items[k->item].kind == ARC_SAMPLED)
			items[k->item].kind = items[k[i].item].kind;
	for (size_t i = 1; i < nr; i++)
		items[k->item].uncounted &= items[k[i].item].uncounted;
	for (int f = 0; f < x->slots && nr > 1; f++)
		if (x->slot[f] >= 0)
			accumulate_figure(x, k, nr, (enum figure)f);
}

static bool
is_estimate(const struct items *x, const struct keyed_item *k)
{
	enum arc_how how = (enum arc_how)x->sides[k->profile].items[k->item].kind;

	return compare_by_is_arcs(x->by) && (how == ARC_ESTIMATED || how == ARC_PINNED);
}

static void
add_row(struct items *x, const struct keyed_item *k, size_t nr)
{
	size_t n = x->nr_rows++;
	unsigned char flags = SCALAR_NULL;
	uint32_t *index;

	GROW(x->flags, n + 1, x->flags_alloc);
	GROW(x->index, (n + 1) * x->nr_profiles, x->index_alloc);
	index = x->index + n * x->nr_profiles;
	memset(index, 0, x->nr_profiles * sizeof(*index));
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && k[end].profile == k[i].profile;)
			end++;
		accumulate(x, k + i, end - i);
		index[k[i].profile] = k[i].item + 1;
		for (size_t e = i; e < end; e++) {
			flags |= k[e].changed ? ROW_CHANGED : 0;
			flags |= is_estimate(x, &k[e]) ? ROW_ESTIMATED : 0;
		}
	}
	x->flags[n] = flags;
}

/* ---- all of it ---- */

/* Items that are looked at for a unit of work. */
enum { UNIT = 16 };

static void
looked_at(size_t item)
{
	if (item % UNIT == 0)
		job_pause(1);
}

/* Items in the order of their owners: counted, and put where those before them end. */
static void
order_items(struct joining *j, size_t k)
{
	const struct items *x = j->x;
	uint32_t nr = (uint32_t)x->sides[k].nr;

	j->first[k] = xcalloc(j->owners + 2, sizeof(*j->first[k]));
	j->order[k] = xcalloc(nr, sizeof(*j->order[k]));
	for (uint32_t i = 0; i < nr; looked_at(++i))
		j->first[k][item_owner(x, k, i) + 2]++;
	for (size_t o = 1; o <= j->owners + 1; looked_at(++o))
		j->first[k][o] += j->first[k][o - 1];
	for (uint32_t i = 0; i < nr; looked_at(++i))
		j->order[k][j->first[k][item_owner(x, k, i) + 1]++] = i;
}

static void
load(struct joining *j, struct profile *p, size_t k)
{
	struct loading l = { j->x, j->m, k };
	const struct bulk_row *row;

	j->bulk = bulk_open(p, sources[j->x->by].bulk, j->x->figures);
	while ((row = bulk_next(j->bulk))) {
		sources[j->x->by].load(&l, row);
		job_progress(++j->rows, j->all_rows);
		job_pause(1);
	}
	bulk_close(j->bulk);
	j->bulk = NULL;
}

/* Two runs of one program differ in figures only: all else is kept once. */
static void
share_items(struct joining *j, size_t k)
{
	enum { AT_ONCE = 1024 };
	struct side_items *a = &j->x->sides[0], *s = &j->x->sides[k];

	if (!k || !s->nr || s->nr != a->nr || s->nr_wide != a->nr_wide ||
	    (s->nr_wide && memcmp(a->wide, s->wide, s->nr_wide * sizeof(*s->wide))))
		return;
	for (size_t i = 0, n; i < s->nr; i += n, job_pause(AT_ONCE / UNIT)) {
		n = s->nr - i < AT_ONCE ? s->nr - i : AT_ONCE;
		if (memcmp(a->items + i, s->items + i, n * sizeof(struct item)))
			return;
	}
	free(s->items);
	free(s->wide);
	s->items = a->items;
	s->wide = a->wide;
}

static int
compare_calls(const void *pa, const void *pb, void *context)
{
	(void)context;
	return compare_keys(pa, pb);
}

/* Notes how many arcs the pair of the last row has: NR items of all profiles. */
static void
count_arcs(struct items *x, struct keyed_item *k, size_t nr)
{
	uint32_t arcs = 1;

	job_sort(k, nr, sizeof(*k), compare_calls, NULL);
	for (size_t i = 1; i < nr; i++)
		arcs += compare_keys(&k[i - 1], &k[i]) != 0;
	GROW(x->arcs, x->nr_rows, x->arcs_alloc);
	x->arcs[x->nr_rows - 1] = arcs;
}

/* Is the place of POINT in that of RANGE? Both are places of one text. */
static bool
is_inside(const struct keyed_item *range, const struct keyed_item *point)
{
	const struct place *r = &range->place, *p = &point->place;

	return r->file == p->file && range->home == point->home &&
	       (r->line < p->line || (r->line == p->line && r->column <= p->column)) &&
	       (r->end_line > p->line || (r->end_line == p->line && r->end_column >= p->column));
}

/* All that a profile with points has in this line is theirs: the line's own row tells nothing. */
static bool
is_empty_line(const struct items *x, const struct keyed_item *k)
{
	if (k->other != RANGE_LINE || !x->sides[k->profile].points)
		return false;
	for (int f = 0; f < x->slots; f++)
		if (f != FIGURE_CALLS && item_figure(x, k->profile, k->item, (enum figure)f))
			return false;
	return true;
}

/* A point is the token where debug information has an expression, so it counts to the innermost
 * range around it that another profile has: both tell about that expression. Debug information has
 * the use of a macro, not its text. The items are sorted: what is around another one stands before
 * it. */
static void
place_points(struct joining *j)
{
	size_t *around = xcalloc(j->nr, sizeof(*around)), depth = 0;
	size_t kept = 0;
	bool moved = false;

	for (size_t i = 0; i < j->nr; i++) {
		struct keyed_item *k = &j->keyed[kept];

		if (is_empty_line(j->x, &j->keyed[i]))
			continue;
		*k = j->keyed[i];
		while (depth && !is_inside(&j->keyed[around[depth - 1]], k))
			depth--;
		if (k->other != RANGE_POINT && k->other != RANGE_LINE &&
		    k->other != RANGE_MACRO_DEFINITION) {
			around[depth++] = kept;
		} else if (k->other == RANGE_POINT && depth) {
			k->place = j->keyed[around[depth - 1]].place;
			k->other = j->keyed[around[depth - 1]].other;
			moved = true;
		}
		kept++;
	}
	j->nr = kept;
	free(around);
	if (moved)
		job_sort(j->keyed, j->nr, sizeof(*j->keyed), compare_items, j->x);
}

/* The items of one owner in all profiles: a row of equal ones. */
static void
join_owner(struct joining *j, uint32_t owner)
{
	size_t end;

	j->nr = 0;
	for (size_t k = 0; k < j->x->nr_profiles; k++)
		for (uint32_t i = j->first[k][owner]; i < j->first[k][owner + 1]; i++) {
			key_item(j, k, j->order[k][i]);
			job_pause(1);
		}
	job_sort(j->keyed, j->nr, sizeof(*j->keyed), compare_items, j->x);
	if (j->points)
		place_points(j);
	for (size_t i = 0; i < j->nr; i = end) {
		for (end = i + 1; end < j->nr && is_same(j->x, &j->keyed[i], &j->keyed[end]);)
			end++;
		add_row(j->x, j->keyed + i, end - i);
		if (j->x->by == BY_PAIR)
			count_arcs(j->x, j->keyed + i, end - i);
		job_pause(1);
	}
}

static void
join(struct joining *j)
{
	struct job_part all;

	for (size_t k = 0; k < j->x->nr_profiles; k++)
		order_items(j, k);
	for (uint32_t owner = 0; owner < j->owners; owner++) {
		all = job_part(owner / (double)j->owners, (owner + 1) / (double)j->owners);
		join_owner(j, owner);
		job_part_end(all);
		job_pause(0);
	}
}

static void
end_joining(void *joining)
{
	struct joining *j = joining;

	for (size_t k = 0; k < j->x->nr_profiles; k++) {
		free(j->first[k]);
		free(j->order[k]);
	}
	free(j->first);
	free(j->order);
	bulk_close(j->bulk);
	free(j->keyed);
}

static uint64_t
rows_of(struct profile *p, enum compare_by by)
{
	return by == BY_RANGE ? profile_totals(p)->nr_ranges
			      : profile_rows(p, sources[by].list);
}

void
items_init(struct items *x, struct match *m, enum compare_by by, uint64_t figures)
{
	*x = (struct items){ .by = by, .m = m, .nr_profiles = match_profiles(m),
			     .figures = figures & compare_figures(by, figures) };
	x->sides = xcalloc(x->nr_profiles, sizeof(*x->sides));
	for (int f = 0; f < FIGURES_MAX; f++) {
		bool loaded = x->figures & FIGURE_BIT(f);

		x->slot[f] = loaded ? (signed char)x->stride++ : -1;
		x->slots = loaded ? f + 1 : x->slots;
	}
}

/* Loading takes half of the time, about. */
const char *
items_load(struct items *x, struct match *m, struct profile *const *profiles)
{
	bool by_file = x->by == BY_LINE || x->by == BY_FILE;
	struct joining j = { .x = x, .m = m,
			     .owners = (by_file ? match_files(m) : match_entities(m)) + 1 };
	const char *error = NULL;
	struct job_hold hold;
	struct job_part all;

	j.order = xcalloc(x->nr_profiles, sizeof(*j.order));
	j.first = xcalloc(x->nr_profiles, sizeof(*j.first));
	for (size_t k = 0; k < x->nr_profiles; k++)
		j.all_rows += (double)rows_of(profiles[k], x->by);
	all = job_part(0, 0.1);
	for (size_t k = 0; k < x->nr_profiles && (x->by == BY_RANGE || x->by == BY_BLOCK); k++)
		side_load_blocks(&m->sides[k], x->by == BY_RANGE);
	job_part_end(all);
	job_hold(&hold, end_joining, &j);
	all = job_part(0.1, 0.5);
	for (size_t k = 0; k < x->nr_profiles && !error; k++) {
		load(&j, profiles[k], k);
		error = profile_error(profiles[k]);
		share_items(&j, k);
		j.points |= x->sides[k].points;
		if (x->by == BY_RANGE || x->by == BY_BLOCK)
			side_share_blocks(&m->sides[k], &m->sides[0]);
		if (x->by == BY_RANGE)
			side_forget_counts(&m->sides[k]);
	}
	job_part_end(all);
	all = job_part(0.5, 1);
	if (!error)
		join(&j);
	job_part_end(all);
	job_let_go(&hold);
	for (size_t k = 0; k < x->nr_profiles; k++)
		side_forget_texts(&m->sides[k]);
	return error;
}

bool
items_shared(const struct items *x, size_t profile)
{
	return profile && x->sides[profile].items == x->sides[0].items;
}

void
items_release(struct items *x)
{
	for (size_t k = x->nr_profiles; k-- > 0;) {
		struct side_items *s = &x->sides[k];

		if (!items_shared(x, k)) {
			free(s->items);
			free(s->wide);
		}
		free(s->procedure);
		free(s->type);
		narrow_release(&s->figures);
	}
	free(x->sides);
	free(x->values);
	free(x->wide);
	free(x->flags);
	free(x->index);
	free(x->arcs);
	free(x->types.names);
	index_release(&x->types.by_name);
	arena_release(&x->types.texts);
	*x = (struct items){ .nr_profiles = 0 };
}
