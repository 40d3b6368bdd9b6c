/* The tree from the arcs: what a node has is shared out among its callees by the arcs' stored times
 * (bottom-up: among its callers), calls by the arcs' counts. Of a cycle only its whole is known:
 * it is a node, with its members below (bottom-up: above the member that is asked for). */
#include <stdlib.h>
#include <string.h>

#include "db/tree_reader.h"
#include "util/index.h"
#include "util/mem.h"

struct link {                    /* all arcs between two procedures */
	model_id other, site;
	uint32_t cycle;          /* of the other */
	bool estimated;
	uint64_t count, time, most; /* most: the count of the site that is told */
};

/* Who calls or is called; of a procedure or a cycle. Asked for once. */
struct links {
	uint64_t key;
	struct link *links;
	size_t nr, alloc;
};

struct part_row {                /* a procedure or a cycle, whose time and calls are shared */
	uint64_t total, self, entries, recursive;
	uint32_t cycle;
};

struct arcs {
	struct links *links;
	size_t nr_links, links_alloc;
	struct index index;
};

enum { OF_CYCLE = INT32_MIN };   /* in tree_node.at: a cycle's number, not a procedure */

/* ---- reading ---- */

static struct part_row
cycle_row(struct profile *p, uint32_t cycle)
{
	sqlite3_stmt *st = profile_query(p, QUERY_CYCLE);
	struct part_row row = { .cycle = cycle };

	if (!st)
		return row;
	sqlite3_bind_int64(st, 1, cycle);
	if (profile_step(p, st)) {
		row.total = column_count(st, 0);
		row.self = column_count(st, 1);
		row.entries = column_count(st, 2);
		row.recursive = tree_sum(column_count(st, 3), column_count(st, 4));
		sqlite3_reset(st);
	}
	return row;
}

static struct part_row
procedure_row(struct profile *p, model_id id)
{
	sqlite3_stmt *st = profile_query(p, QUERY_CALLED);
	struct part_row row = { .cycle = 0 };

	if (!st)
		return row;
	sqlite3_bind_int64(st, 1, id);
	if (!profile_step(p, st))
		return row;
	row.total = column_count(st, 0);
	row.self = column_count(st, 1);
	row.entries = column_count(st, 2);
	row.recursive = column_count(st, 3);
	row.cycle = column_u32(st, 4);
	sqlite3_reset(st);
	/* By itself is no way in. */
	row.entries -= row.recursive < row.entries ? row.recursive : row.entries;
	return row;
}

static size_t
members(struct profile *p, uint32_t cycle, model_id **ids)
{
	sqlite3_stmt *st = profile_query(p, QUERY_MEMBERS);
	size_t nr = 0, alloc = 0;

	*ids = NULL;
	if (st)
		sqlite3_bind_int64(st, 1, cycle);
	while (profile_step(p, st)) {
		GROW(*ids, nr + 1, alloc);
		(*ids)[nr++] = column_u32(st, 0);
	}
	return nr;
}

static int
compare_links(const void *pa, const void *pb)
{
	const struct link *a = pa, *b = pb;

	return a->other < b->other ? -1 : a->other > b->other;
}

/* One link for each procedure at the other end. */
static void
merge_links(struct links *l)
{
	struct link *to = l->links;

	if (!l->nr)
		return;
	qsort(l->links, l->nr, sizeof(*l->links), compare_links);
	for (size_t i = 1; i < l->nr; i++) {
		const struct link *from = &l->links[i];

		if (from->other != to->other) {
			*++to = *from;
			continue;
		}
		if (from->count > to->most) {
			to->most = from->count;
			to->site = from->site;
		}
		to->count = tree_sum(to->count, from->count);
		to->time = tree_sum(to->time, from->time);
		to->estimated |= from->estimated;
	}
	l->nr = (size_t)(to - l->links) + 1;
}

static void
read_links(struct profile *p, enum profile_query query, model_id procedure, struct links *l)
{
	sqlite3_stmt *st = profile_query(p, query);

	if (st)
		sqlite3_bind_int64(st, 1, procedure);
	while (profile_step(p, st)) {
		struct link k = {
			.other = column_u32(st, 0), .site = column_u32(st, 1),
			.count = column_count(st, 2), .time = column_count(st, 3),
			.estimated = sqlite3_column_int(st, 4), .cycle = column_u32(st, 5),
		};

		k.most = k.count;
		if (!k.count && !k.time)
			continue;
		GROW(l->links, l->nr + 1, l->alloc);
		l->links[l->nr++] = k;
	}
}

static bool
same_links(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct arcs *)ctx)->links[item].key == *(const uint64_t *)key;
}

/* Of the procedure, or with PROCEDURE 0 of the members of CYCLE together. Valid until the next one
 * is asked for. */
static const struct links *
links_of(struct tree *t, bool up, model_id procedure, uint32_t cycle)
{
	enum profile_query query = up ? QUERY_ARCS_IN : QUERY_ARCS_OUT;
	uint64_t key = (uint64_t)(procedure ? procedure : cycle) << 2 | !procedure << 1 | up;
	struct arcs *a = t->data;
	uint64_t hash = hash_number(HASH_START, key);
	uint32_t i = index_find(&a->index, hash, same_links, a, &key);
	struct links l = { .key = key };
	model_id *ids;
	size_t nr, k;

	if (i != INDEX_NONE)
		return &a->links[i];
	if (procedure) {
		read_links(t->profile, query, procedure, &l);
	} else {
		nr = members(t->profile, cycle, &ids);
		for (k = 0; k < nr; k++)
			read_links(t->profile, query, ids[k], &l);
		free(ids);
	}
	merge_links(&l);
	index_add(&a->index, hash, (uint32_t)a->nr_links);
	GROW(a->links, a->nr_links + 1, a->links_alloc);
	a->links[a->nr_links] = l;
	return &a->links[a->nr_links++];
}

/* ---- nodes ---- */

static void
name_node(struct tree_node *n, model_id procedure, uint32_t cycle)
{
	n->kind = cycle ? TREE_CYCLE : TREE_PROCEDURE;
	n->procedure = procedure;
	n->cycle = cycle;
	n->at = cycle ? cycle | (uint32_t)OF_CYCLE : procedure;
}

/* SUM runs over the parts of OF that were given out already. */
static uint64_t
take(uint64_t whole, uint64_t part, uint64_t of, uint64_t *sum)
{
	uint64_t before = tree_share(whole, *sum, of);

	*sum = tree_sum(*sum, part);
	return tree_share(whole, *sum, of) - before;
}

static void
add_recursion(struct tree *t, const struct tree_node *n, const struct part_row *row, uint64_t calls)
{
	struct tree_node r = { .kind = TREE_RECURSION, .procedure = row->cycle ? 0 : n->procedure,
			       .cycle = row->cycle };

	r.number = tree_share(calls, n->number, row->entries);
	r.exact = n->exact && n->number == row->entries;
	if (r.exact)
		r.number = calls;
	if (r.number)
		tree_add(t, &r);
}

/* A node that the member or procedure of ROW calls. SUM as in take(). */
static void
add_callee(struct tree *t, const struct tree_node *n, const struct part_row *row,
	   const struct link *k, uint64_t *sum)
{
	struct part_row callee = k->cycle ? cycle_row(t->profile, k->cycle)
					  : procedure_row(t->profile, k->other);
	struct tree_node c = { .site = k->site };

	name_node(&c, k->other, k->cycle);
	c.total = take(n->total, k->time, row->total, sum);
	c.self = k->cycle ? 0 : tree_share(c.total, callee.self, callee.total);
	c.exact = n->exact && n->number >= row->entries && !k->estimated;
	c.number = c.exact ? k->count : tree_share(k->count, n->number, row->entries);
	if (c.total || c.number)
		tree_add(t, &c);
}

static void
callees(struct tree *t, const struct tree_node *n)
{
	struct part_row row = procedure_row(t->profile, n->procedure);
	const struct links *l = links_of(t, false, n->procedure, 0);
	uint64_t sum = row.self, recursive = 0;
	size_t i, nr = l->nr;
	const struct link *links = l->links; /* stays where it is */

	/* Of a member all calls are entries: the cycle's node has told what is recursion. */
	if (row.cycle)
		row.entries = tree_sum(row.entries, row.recursive);
	for (i = 0; i < nr; i++) {
		if (links[i].other == n->procedure || (row.cycle && links[i].cycle == row.cycle))
			recursive = tree_sum(recursive, links[i].count);
		else
			add_callee(t, n, &row, &links[i], &sum);
	}
	if (recursive)
		add_recursion(t, n, &row, recursive);
}

static void
cycle_members(struct tree *t, const struct tree_node *n)
{
	struct part_row cycle = cycle_row(t->profile, n->cycle);
	model_id *ids;
	size_t nr = members(t->profile, n->cycle, &ids), i;
	uint64_t sum = 0;

	for (i = 0; i < nr; i++) {
		struct part_row m = procedure_row(t->profile, ids[i]);
		struct tree_node c = { .exact = n->exact && n->number == cycle.entries };
		uint64_t calls = tree_sum(m.entries, m.recursive);

		name_node(&c, ids[i], 0);
		c.total = take(n->total, m.total, cycle.total, &sum);
		c.self = tree_share(c.total, m.self, m.total);
		c.number = c.exact ? calls : tree_share(calls, n->number, cycle.entries);
		if (c.total || c.number)
			tree_add(t, &c);
	}
	free(ids);
}

/* ---- roots ---- */

struct root { uint64_t total, calls, most; model_id procedure; uint32_t cycle; };

struct roots {
	struct root *roots;
	size_t nr, alloc;
	struct index index;
};

static bool
same_root(const void *ctx, uint32_t item, const void *key)
{
	const struct root *r = &((const struct roots *)ctx)->roots[item], *k = key;

	return k->cycle ? r->cycle == k->cycle : !r->cycle && r->procedure == k->procedure;
}

static struct root *
root_of(struct roots *r, model_id procedure, uint32_t cycle)
{
	/* Of a cycle it is not known yet where it is entered. */
	struct root key = { .procedure = cycle ? 0 : procedure, .cycle = cycle };
	uint64_t h = hash_number(hash_number(HASH_START, cycle), cycle ? 0 : procedure);
	uint32_t i = index_find(&r->index, h, same_root, r, &key);

	if (i == INDEX_NONE) {
		i = (uint32_t)r->nr;
		index_add(&r->index, h, i);
		GROW(r->roots, r->nr + 1, r->alloc);
		r->roots[r->nr++] = key;
	}
	return &r->roots[i];
}

/* What no caller takes of a total is what came from outside. */
static void
find_root_times(struct profile *p, enum profile_query query, struct roots *r)
{
	sqlite3_stmt *st = profile_query(p, query);

	while (profile_step(p, st)) {
		uint64_t total = column_count(st, 2), taken = column_count(st, 3);

		if (total > taken)
			root_of(r, column_u32(st, 0), column_u32(st, 1))->total = total - taken;
	}
}

static void
find_roots(struct profile *p, struct roots *r)
{
	sqlite3_stmt *st;
	struct root *root;

	find_root_times(p, QUERY_ROOT_TIMES, r);
	find_root_times(p, QUERY_ROOT_CYCLES, r);
	st = profile_query(p, QUERY_ROOT_CALLS);
	while (profile_step(p, st)) {
		uint64_t calls = column_count(st, 2);

		root = root_of(r, column_u32(st, 0), column_u32(st, 1));
		root->calls = tree_sum(root->calls, calls);
		if (calls > root->most) {
			root->most = calls;
			root->procedure = column_u32(st, 0);
		}
	}
}

static void
add_root(struct tree *t, const struct root *root)
{
	struct part_row row = root->cycle ? cycle_row(t->profile, root->cycle)
					  : procedure_row(t->profile, root->procedure);
	struct tree_node c = { .exact = true, .number = root->calls };

	name_node(&c, root->procedure, root->cycle);
	c.total = root->total;
	c.self = root->cycle ? 0 : tree_share(c.total, row.self, row.total);
	if (c.total || c.number)
		tree_add(t, &c);
}

static void
roots_down(struct tree *t)
{
	struct roots r = { .index = INDEX_INIT };

	find_roots(t->profile, &r);
	for (size_t i = 0; i < r.nr; i++)
		add_root(t, &r.roots[i]);
	index_release(&r.index);
	free(r.roots);
}

/* ---- bottom-up ---- */

static void
add_root_up(struct tree *t, model_id procedure)
{
	struct part_row row = procedure_row(t->profile, procedure);
	struct tree_node c = { .total = row.total, .self = row.self, .exact = true };

	name_node(&c, procedure, 0);
	c.number = row.cycle ? tree_sum(row.entries, row.recursive) : row.entries;
	tree_add(t, &c);
}

static void
roots_up(struct tree *t)
{
	sqlite3_stmt *st;
	model_id *ids = NULL;
	size_t nr = 0, alloc = 0;

	if (t->want.procedure) {
		add_root_up(t, t->want.procedure);
		return;
	}
	st = profile_query(t->profile, tree_has_time(t) ? QUERY_WITH_SELF : QUERY_WITH_CALLS);
	while (profile_step(t->profile, st)) {
		GROW(ids, nr + 1, alloc);
		ids[nr++] = column_u32(st, 0);
	}
	for (size_t i = 0; i < nr; i++)
		add_root_up(t, ids[i]);
	free(ids);
}

/* The share of N that comes from one caller, or with K NULL from outside: what is left. */
struct sharing { uint64_t times, counts, total, self, number; };

static void
add_caller(struct tree *t, const struct tree_node *n, const struct part_row *row,
	   const struct link *k, struct sharing *s)
{
	bool timed = row->total > 0;
	uint64_t of = timed ? row->total : row->entries, part = timed ? k->time : k->count;
	uint64_t sum = s->times;
	struct tree_node c = { .site = k->site };

	name_node(&c, k->other, 0);
	c.total = take(n->total, part, of, &sum);
	sum = s->times;
	c.self = take(n->self, part, of, &sum);
	s->times = sum;
	c.exact = n->exact && n->number >= row->entries && !k->estimated;
	c.number = take(n->number, k->count, row->entries, &s->counts);
	if (c.exact)
		c.number = k->count;
	if (c.total || c.self || c.number)
		tree_add(t, &c);
	s->total += c.total;
	s->self += c.self;
	s->number = tree_sum(s->number, c.number);
}

static void
add_outside(struct tree *t, const struct tree_node *n, const struct sharing *s)
{
	struct tree_node c = { .kind = TREE_OUTSIDE };

	c.total = n->total - s->total;
	c.self = n->self - s->self;
	c.number = n->number > s->number ? n->number - s->number : 0;
	if (c.total || c.number)
		tree_add(t, &c);
}

/* The cycle that a procedure is in stands over it as a whole: whoever calls it, calls that. */
static void
add_cycle_above(struct tree *t, const struct tree_node *n, uint32_t cycle)
{
	struct part_row row = cycle_row(t->profile, cycle);
	struct tree_node c = { .total = n->total, .self = n->self, .number = row.entries,
			       .exact = n->depth == 1 };

	name_node(&c, 0, cycle);
	if (!c.exact)
		c.number = n->number;
	tree_add(t, &c);
}

static void
callers(struct tree *t, const struct tree_node *n)
{
	struct part_row row = n->cycle ? cycle_row(t->profile, n->cycle)
				       : procedure_row(t->profile, n->procedure);
	struct sharing s = { .times = 0 };
	const struct links *l;
	const struct link *links;
	size_t i, nr;
	bool some = false;

	if (!n->cycle && row.cycle) {
		add_cycle_above(t, n, row.cycle);
		return;
	}
	l = links_of(t, true, n->cycle ? 0 : n->procedure, n->cycle);
	links = l->links; /* stays where it is */
	nr = l->nr;
	for (i = 0; i < nr; i++) {
		if (!links[i].other || links[i].other == n->procedure ||
		    (n->cycle && links[i].cycle == n->cycle))
			continue;
		add_caller(t, n, &row, &links[i], &s);
		some = true;
	}
	if (some)
		add_outside(t, n, &s);
	if (row.recursive && n->depth == 1)
		add_recursion(t, n, &row, row.recursive);
}

static void
arc_children(struct tree *t, uint32_t id)
{
	struct tree_node n = t->nodes[id]; /* nodes move */

	if (!id && t->want.bottom_up)
		roots_up(t);
	else if (!id)
		roots_down(t);
	else if (t->want.bottom_up)
		callers(t, &n);
	else if (n.kind == TREE_CYCLE)
		cycle_members(t, &n);
	else
		callees(t, &n);
}

/* ---- finding ---- */

enum { LONGEST_PATH = 10000 };

/* The caller that brings the most; NULL: outside brings more, or nobody calls. */
static const struct link *
best_caller(struct tree *t, model_id procedure, uint32_t cycle)
{
	const struct links *l = links_of(t, true, cycle ? 0 : procedure, cycle);
	const struct link *best = NULL;

	for (size_t i = 0; i < l->nr; i++) {
		const struct link *k = &l->links[i];

		if (k->other == procedure || (cycle && k->cycle == cycle))
			continue;
		if (!best || k->time > best->time ||
		    (k->time == best->time && k->count > best->count))
			best = k;
	}
	return best && best->other ? best : NULL;
}

static uint32_t *
arc_path(struct tree *t, model_id procedure, size_t *nr)
{
	uint32_t *path = NULL, tmp;
	uint32_t cycle = procedure_row(t->profile, procedure).cycle;
	const struct link *k;
	size_t alloc = 0, i;

	*nr = 0;
	while (procedure && *nr < LONGEST_PATH) {
		GROW(path, *nr + 2, alloc);
		path[(*nr)++] = procedure;
		if (cycle)
			path[(*nr)++] = cycle | (uint32_t)OF_CYCLE;
		k = best_caller(t, procedure, cycle);
		procedure = k ? k->other : 0;
		cycle = k ? k->cycle : 0;
	}
	for (i = 0; i < *nr / 2; i++) {
		tmp = path[i];
		path[i] = path[*nr - 1 - i];
		path[*nr - 1 - i] = tmp;
	}
	return path;
}

static void
arc_close(void *data)
{
	struct arcs *a = data;

	for (size_t i = 0; i < a->nr_links; i++)
		free(a->links[i].links);
	free(a->links);
	index_release(&a->index);
	free(a);
}

static void *
arc_open(struct tree *t)
{
	t->nodes[0].total = profile_totals(t->profile)->self_ns;
	return xcalloc(1, sizeof(struct arcs));
}

const struct tree_reader tree_arc_reader = {
	.open = arc_open, .close = arc_close,
	.children = arc_children, .path = arc_path,
};
