/* Makes the tree from the arcs: shares what a node has out among its callees (bottom-up: among its
 * callers) by the arcs' stored times, or by what another tool has measured of them, calls by the
 * arcs' counts. Of a cycle only the whole is known: it is a node, with its members below
 * (bottom-up: above the member that is asked for). */
#include <stdlib.h>
#include <string.h>

#include "db/trees/tree_links.h"
#include "util/mem.h"

struct part_row {                /* a procedure or a cycle, whose time and calls are shared */
	uint64_t total, self, entries, recursive;
	uint32_t cycle;
};

/* The calls into a procedure or cycle: from callers, and from outside. */
struct entry {
	uint64_t taken, calls, most;
	model_id procedure;      /* the one with the most calls from outside */
	bool estimated;          /* calls */
};

struct entries {
	struct entry *entries;   /* by id of the procedure, by number of the cycle */
	size_t nr, alloc;
};

static struct link_cache *
cache_of(const struct tree *t)
{
	return t->data;
}

enum { OF_CYCLE = INT32_MIN };   /* in tree_node.at: a cycle's number, not a procedure */

/* ---- one row ---- */

static struct part_row
cycle_row(struct tree *t, uint32_t cycle)
{
	struct part_row row = { .cycle = cycle };
	sqlite3_stmt *st;

	st = tree_row_query(t, cache_of(t), QUERY_CYCLE);
	if (!st)
		return row;
	sqlite3_bind_int64(st, 1, cycle);
	if (profile_step(t->profile, st)) {
		row.total = column_count(t->profile, st, 0);
		row.self = column_count(t->profile, st, 1);
		row.entries = column_count(t->profile, st, 2);
		row.recursive = sum_capped(column_count(t->profile, st, 3),
					 column_count(t->profile, st, 4));
		sqlite3_reset(st);
	}
	return row;
}

/* Reads a row of QUERY_CALLED or QUERY_ALL_CALLED. */
static struct part_row
read_procedure(const struct tree *t, sqlite3_stmt *st)
{
	struct part_row row = {
		.total = column_count(t->profile, st, 1),
		.self = column_count(t->profile, st, 2),
		.entries = column_count(t->profile, st, 3),
		.recursive = column_count(t->profile, st, 4),
		.cycle = column_id(t->profile, st, 5, TABLE_CYCLE),
	};

	/* A call of itself is no way in. */
	row.entries -= row.recursive < row.entries ? row.recursive : row.entries;
	return row;
}

static struct part_row
procedure_row(struct tree *t, model_id id)
{
	sqlite3_stmt *st = tree_row_query(t, cache_of(t), QUERY_CALLED);
	struct part_row row = { .cycle = 0 };

	if (!st)
		return row;
	sqlite3_bind_int64(st, 1, id);
	if (!profile_step(t->profile, st))
		return row;
	row = read_procedure(t, st);
	sqlite3_reset(st);
	return row;
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

/* Returns the next part of WHOLE. SUM runs over the parts of OF that were given out already. */
static uint64_t
take(uint64_t whole, uint64_t part, uint64_t of, uint64_t *sum)
{
	uint64_t before = tree_share(whole, *sum, of);

	*sum = sum_capped(*sum, part);
	return tree_share(whole, *sum, of) - before;
}

static void
add_recursion(struct opening *to, const struct tree_node *n, const struct part_row *row,
	      uint64_t calls)
{
	struct tree_node r = { .kind = TREE_RECURSION, .procedure = row->cycle ? 0 : n->procedure,
			       .cycle = row->cycle };

	r.number = tree_share(calls, n->number, row->entries);
	r.exact = n->exact && n->number == row->entries;
	if (r.exact)
		r.number = calls;
	if (r.number)
		tree_add(to, &r);
}

/* Adds the node for the member or procedure of ROW, which N calls. SUM as in take(). */
static void
add_callee(struct opening *to, const struct tree_node *n, const struct part_row *row,
	   const struct link *k, uint64_t *sum)
{
	struct part_row callee = k->cycle ? cycle_row(to->tree, k->cycle)
					  : procedure_row(to->tree, k->other);
	struct tree_node c = { .site = k->site };

	name_node(&c, k->other, k->cycle);
	c.total = take(n->total, k->time, row->total, sum);
	c.self = k->cycle ? 0 : tree_share(c.total, callee.self, callee.total);
	c.exact = n->exact && n->number >= row->entries && !k->estimated;
	c.number = c.exact ? k->count : tree_share(k->count, n->number, row->entries);
	if (c.total || c.number)
		tree_add(to, &c);
}

/* The share of N that comes from one caller, or with K NULL the rest, from outside. */
struct sharing { uint64_t times, counts, total, self, number; };

static void
add_caller(struct opening *to, const struct tree_node *n, const struct part_row *row,
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
		tree_add(to, &c);
	s->total += c.total;
	s->self += c.self;
	s->number = sum_capped(s->number, c.number);
}

static void
add_outside(struct opening *to, const struct tree_node *n, const struct sharing *s)
{
	struct tree_node c = { .kind = TREE_OUTSIDE };

	c.total = n->total - s->total;
	c.self = n->self - s->self;
	c.number = n->number > s->number ? n->number - s->number : 0;
	if (c.total || c.number)
		tree_add(to, &c);
}

/* Adds the cycle of a procedure above it as a whole: calls of the procedure are calls of it. */
static void
add_cycle_above(struct opening *to, const struct tree_node *n, uint32_t cycle)
{
	struct part_row row = cycle_row(to->tree, cycle);
	struct tree_node c = { .total = n->total, .self = n->self, .number = row.entries,
			       .exact = n->depth == 1 };

	name_node(&c, 0, cycle);
	if (!c.exact)
		c.number = n->number;
	tree_add(to, &c);
}

/* ---- children ---- */

/* The state while the children of a node are looked for. */
struct arc_work {
	struct link_cache *cache;
	struct members members;
	struct link_list links;
};

static void
release_work(void *work)
{
	struct arc_work *w = work;

	members_end(w->cache, &w->members);
	links_free(w->cache, &w->links);
}

static void
add_callees(struct tree *t, struct opening *to, const struct tree_node *n, struct arc_work *w)
{
	struct part_row row = procedure_row(t, n->procedure);
	uint64_t sum = row.self, recursive = 0;

	/* All calls of a member are entries: the cycle's node has told what is recursion. */
	if (row.cycle)
		row.entries = sum_capped(row.entries, row.recursive);
	links_read(t, w->cache, &w->links, false, n->procedure, 0);
	for (size_t i = 0; i < w->links.nr; i++, job_pause(1)) {
		const struct link *k = &w->links.links[i];

		if (k->other == n->procedure || (row.cycle && k->cycle == row.cycle))
			recursive = sum_capped(recursive, k->count);
		else
			add_callee(to, n, &row, k, &sum);
	}
	if (recursive)
		add_recursion(to, n, &row, recursive);
}

static void
add_callers(struct tree *t, struct opening *to, const struct tree_node *n, struct arc_work *w)
{
	struct part_row row = n->cycle ? cycle_row(t, n->cycle) : procedure_row(t, n->procedure);
	struct sharing sharing = { .times = 0 };
	bool some = false;

	if (!n->cycle && row.cycle) {
		add_cycle_above(to, n, row.cycle);
		return;
	}
	links_read(t, w->cache, &w->links, true, n->cycle ? 0 : n->procedure, n->cycle);
	for (size_t i = 0; i < w->links.nr; i++, job_pause(1)) {
		const struct link *k = &w->links.links[i];

		if (!k->other || k->other == n->procedure || (n->cycle && k->cycle == n->cycle))
			continue;
		add_caller(to, n, &row, k, &sharing);
		some = true;
	}
	if (some)
		add_outside(to, n, &sharing);
	if (row.recursive && n->depth == 1)
		add_recursion(to, n, &row, row.recursive);
}

static void
add_member(struct tree *t, struct opening *to, const struct tree_node *n,
	   const struct part_row *row, model_id id, uint64_t *sum)
{
	struct tree_node c = { .exact = n->exact && n->number == row->entries };
	struct part_row m = procedure_row(t, id);
	uint64_t calls = sum_capped(m.entries, m.recursive);

	name_node(&c, id, 0);
	c.total = take(n->total, m.total, row->total, sum);
	c.self = tree_share(c.total, m.self, m.total);
	c.number = c.exact ? calls : tree_share(calls, n->number, row->entries);
	if (c.total || c.number)
		tree_add(to, &c);
}

static void
add_members(struct tree *t, struct opening *to, const struct tree_node *n, struct arc_work *w)
{
	struct part_row row = cycle_row(t, n->cycle);
	uint64_t sum = 0;
	model_id id;

	w->members = members_begin(t, w->cache, n->cycle);
	for (; (id = members_next(t, &w->members)); job_pause(1))
		add_member(t, to, n, &row, id, &sum);
}

static void
arc_children(struct tree *t, struct opening *to)
{
	struct arc_work work = { .cache = cache_of(t) };
	struct tree_node n = t->nodes[to->id]; /* nodes move */
	struct job_hold hold;

	job_hold(&hold, release_work, &work);
	if (t->want.bottom_up)
		add_callers(t, to, &n, &work);
	else if (n.kind == TREE_CYCLE)
		add_members(t, to, &n, &work);
	else
		add_callees(t, to, &n, &work);
	job_let_go(&hold);
}

/* ---- finding ---- */

enum { LONGEST_PATH = 10000 };

/* Returns the caller that brings the most; NULL: outside brings more, or nobody calls. */
static const struct link *
best_caller(const struct link_list *l, model_id procedure, uint32_t cycle)
{
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

static void
turn_round(struct tree_path *path)
{
	for (size_t i = 0; i < path->nr / 2; i++) {
		uint32_t tmp = path->at[i];

		path->at[i] = path->at[path->nr - 1 - i];
		path->at[path->nr - 1 - i] = tmp;
	}
}

/* Finds the way up. */
static void
arc_path(struct tree *t, struct tree_path *path)
{
	struct arc_work work = { .cache = cache_of(t) };
	uint32_t cycle = procedure_row(t, path->procedure).cycle;
	model_id procedure = path->procedure;
	const struct link *best;
	struct job_hold hold;

	job_hold(&hold, release_work, &work);
	while (procedure && path->nr < LONGEST_PATH) {
		GROW(path->at, path->nr + 2, path->alloc);
		path->at[path->nr++] = procedure;
		if (cycle)
			path->at[path->nr++] = cycle | (uint32_t)OF_CYCLE;
		links_read(t, work.cache, &work.links, true, cycle ? 0 : procedure, cycle);
		best = best_caller(&work.links, procedure, cycle);
		procedure = best ? best->other : 0;
		cycle = best ? best->cycle : 0;
		links_free(work.cache, &work.links);
		job_pause(1);
	}
	job_let_go(&hold);
	turn_round(path);
}

/* ---- roots ---- */

static struct entry *
entry_of(struct entries *e, size_t i)
{
	size_t old = e->alloc;

	if (i >= old) {
		GROW(e->entries, i + 1, e->alloc);
		memset(e->entries + old, 0, (e->alloc - old) * sizeof(*e->entries));
	}
	if (i >= e->nr)
		e->nr = i + 1;
	return &e->entries[i];
}

/* The state while all procedures are read to find the roots. */
struct arc_roots {
	sqlite3_stmt *st;        /* its own: others may ask the same query while it pauses */
	double done, all;        /* rows */
	model_id greatest;       /* the greatest id of a procedure */
	struct entries procedures, cycles;
};

static void
release_roots(void *roots)
{
	struct arc_roots *r = roots;

	sqlite3_finalize(r->st);
	free(r->procedures.entries);
	free(r->cycles.entries);
}

static void
read_all(struct tree *t, struct arc_roots *r, enum profile_query query)
{
	sqlite3_finalize(r->st);
	r->st = tree_prepare(t, query);
}

/* The part of a total that no caller takes came from outside. */
static void
note_arc(struct tree *t, struct arc_roots *r)
{
	model_id callee = column_id(t->profile, r->st, 2, TABLE_PROCEDURE);
	uint64_t count, time;
	struct entry *e;

	if (!callee || callee > r->greatest)
		return;
	count = column_count(t->profile, r->st, 3);
	time = column_count(t->profile, r->st, 4);
	e = entry_of(&r->procedures, callee);
	if (column_id(t->profile, r->st, 1, TABLE_PROCEDURE)) {
		e->taken = sum_capped(e->taken, time);
	} else {
		e->calls = sum_capped(e->calls, count);
		e->estimated |= column_integer(r->st, 5);
		e->most = count > e->most ? count : e->most;
	}
}

static void
add_root(struct opening *to, const struct part_row *row, const struct entry *e, uint32_t cycle)
{
	struct tree_node c = { .exact = !e->estimated, .number = e->calls };

	name_node(&c, e->procedure, cycle);
	c.total = row->total > e->taken ? row->total - e->taken : 0;
	c.self = cycle ? 0 : tree_share(c.total, row->self, row->total);
	if (c.total || c.number)
		tree_add(to, &c);
}

/* A cycle is one root, entered where most calls from outside go. */
static void
add_to_cycle(struct arc_roots *r, const struct entry *from, uint32_t cycle)
{
	struct entry *to;

	if (cycle > r->greatest)
		return;
	to = entry_of(&r->cycles, cycle);
	to->taken = sum_capped(to->taken, from->taken);
	to->calls = sum_capped(to->calls, from->calls);
	to->estimated |= from->estimated;
	if (from->most <= to->most)
		return;
	to->most = from->most;
	to->procedure = from->procedure;
}

static void
add_root_up(struct opening *to, model_id procedure, const struct part_row *row)
{
	struct tree_node c = { .total = row->total, .self = row->self, .exact = true };

	name_node(&c, procedure, 0);
	c.number = row->cycle ? sum_capped(row->entries, row->recursive) : row->entries;
	tree_add(to, &c);
}

static void
note_procedure(struct tree *t, struct opening *to, struct arc_roots *r)
{
	model_id id = column_id(t->profile, r->st, 0, TABLE_PROCEDURE);
	struct part_row row = read_procedure(t, r->st);
	struct entry e = { .taken = 0 };

	if (t->want.bottom_up) {
		/* The tree of all procedures has as roots those with something of their own. */
		if (tree_has_time(t) ? row.self : row.entries || row.recursive)
			add_root_up(to, id, &row);
		return;
	}
	if (id && id < r->procedures.nr)
		e = r->procedures.entries[id];
	e.procedure = id;
	if (row.cycle)
		add_to_cycle(r, &e, row.cycle);
	else
		add_root(to, &row, &e, 0);
}

static void
advance(struct arc_roots *r)
{
	job_progress(++r->done, r->all);
	job_pause(1);
}

static void
find_roots(struct tree *t, struct opening *to, struct arc_roots *r)
{
	const struct profile_totals *totals = profile_totals(t->profile);
	struct part_row row;

	r->greatest = column_last_id(t->profile, TABLE_PROCEDURE);
	r->all = (double)totals->nr_procedures;
	if (!t->want.bottom_up) {
		r->all += (double)totals->nr_arcs;
		read_all(t, r, QUERY_ALL_ARCS);
		for (; profile_step(t->profile, r->st); advance(r))
			note_arc(t, r);
	}
	read_all(t, r, QUERY_ALL_CALLED);
	for (; profile_step(t->profile, r->st); advance(r))
		note_procedure(t, to, r);
	for (uint32_t i = 1; i < r->cycles.nr; i++, advance(r)) {
		row = cycle_row(t, i);
		add_root(to, &row, &r->cycles.entries[i], i);
	}
}

static void
arc_read(struct tree *t, struct opening *to)
{
	struct arc_roots roots = { .st = NULL };
	struct job_hold hold;
	struct part_row row;

	t->nodes[0].total = tree_measure(t) ? tree_measure(t)->total
					    : profile_totals(t->profile)->self_ns;
	if (t->want.procedure) {
		row = procedure_row(t, t->want.procedure);
		add_root_up(to, t->want.procedure, &row);
		return;
	}
	job_hold(&hold, release_roots, &roots);
	find_roots(t, to, &roots);
	job_let_go(&hold);
}

/* ---- life ---- */

void *
tree_arc_open(struct tree *t)
{
	(void)t;
	return xcalloc(1, sizeof(struct link_cache));
}

static void
arc_close(void *data)
{
	links_release(data);
	free(data);
}

static size_t
arc_bytes(const struct tree *t)
{
	return links_bytes(cache_of(t));
}

const struct tree_reader tree_arc_reader = {
	.read = arc_read, .children = arc_children, .path = arc_path, .bytes = arc_bytes,
	.close = arc_close,
};
