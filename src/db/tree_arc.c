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

/* What comes into a procedure or cycle: from callers, and from outside. */
struct entry {
	uint64_t taken, calls, most;
	model_id procedure;      /* that has the most calls from outside */
	bool estimated;          /* calls */
};

struct entries {
	struct entry *entries;   /* by id of the procedure, by number of the cycle */
	size_t nr, alloc;
};

/* Everything is looked at once to find the roots. */
enum phase { PHASE_ARCS, PHASE_PROCEDURES, PHASE_CYCLES, PHASE_READY };

struct arcs {
	enum phase phase;
	sqlite3_stmt *st;        /* of what is read one by one */
	uint64_t done;           /* rows */
	model_id greatest;       /* procedure that there can be */
	struct entries procedures, cycles;
	uint32_t cycle;          /* the last one that was looked at */
	struct links *links;
	size_t nr_links, links_alloc;
	size_t kept;             /* links in all of these */
	struct index index;
};

enum { OF_CYCLE = INT32_MIN };   /* in tree_node.at: a cycle's number, not a procedure */

/* ---- one row: stored, or as things are turned ---- */

static const struct model_arc *
turned_arc(const struct tree *t, uint64_t id)
{
	const struct model *m = t->want.turned;

	return m && id && id <= m->nr_arcs ? &m->arcs[id - 1] : NULL;
}

static bool
is_estimated(const struct model_arc *a)
{
	return a->how == ARC_ESTIMATED || a->how == ARC_PINNED;
}

static const struct model_procedure *
turned_procedure(const struct tree *t, uint64_t id)
{
	const struct model *m = t->want.turned;

	return m && id && id <= m->nr_procedures ? &m->procedures[id - 1] : NULL;
}

static struct part_row
turned_cycle(const struct tree *t, uint32_t cycle)
{
	const struct model *m = t->want.turned;
	const struct model_cycle *c = cycle && cycle <= m->nr_cycles ? &m->cycles[cycle - 1] : NULL;

	if (!c)
		return (struct part_row){ .cycle = cycle };
	return (struct part_row){
		.total = c->total_ns, .self = c->self_ns, .entries = c->outer_calls,
		.recursive = tree_sum(c->inner_calls, c->self_calls), .cycle = cycle,
	};
}

static struct part_row
cycle_row(struct tree *t, uint32_t cycle)
{
	struct part_row row = { .cycle = cycle };
	sqlite3_stmt *st;

	if (t->want.turned)
		return turned_cycle(t, cycle);
	st = profile_query(t->profile, QUERY_CYCLE);
	if (!st)
		return row;
	sqlite3_bind_int64(st, 1, cycle);
	if (profile_step(t->profile, st)) {
		row.total = column_count(st, 0);
		row.self = column_count(st, 1);
		row.entries = column_count(st, 2);
		row.recursive = tree_sum(column_count(st, 3), column_count(st, 4));
		sqlite3_reset(st);
	}
	return row;
}

/* Of a row of QUERY_CALLED or QUERY_ALL_CALLED. */
static struct part_row
read_procedure(const struct tree *t, sqlite3_stmt *st)
{
	const struct model_procedure *turned = turned_procedure(t, column_count(st, 0));
	struct part_row row = {
		.total = turned ? turned->total_ns : column_count(st, 1),
		.self = column_count(st, 2),
		.entries = column_count(st, 3),
		.recursive = turned ? turned->self_calls : column_count(st, 4),
		.cycle = turned ? turned->cycle : column_u32(st, 5),
	};

	/* By itself is no way in. */
	row.entries -= row.recursive < row.entries ? row.recursive : row.entries;
	return row;
}

static struct part_row
procedure_row(struct tree *t, model_id id)
{
	sqlite3_stmt *st = profile_query(t->profile, QUERY_CALLED);
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

struct ids {
	model_id *ids;
	size_t nr, alloc;
};

static void
add_id(struct ids *ids, model_id id)
{
	GROW(ids->ids, ids->nr + 1, ids->alloc);
	ids->ids[ids->nr++] = id;
}

/* The caller frees ids.ids. */
static struct ids
members(struct tree *t, uint32_t cycle)
{
	const struct model *m = t->want.turned;
	struct ids ids = { .ids = NULL };
	sqlite3_stmt *st;

	for (size_t i = 0; m && i < m->nr_procedures; i++)
		if (m->procedures[i].cycle == cycle)
			add_id(&ids, (model_id)(i + 1));
	if (m)
		return ids;
	st = profile_query(t->profile, QUERY_MEMBERS);
	if (st)
		sqlite3_bind_int64(st, 1, cycle);
	while (profile_step(t->profile, st))
		add_id(&ids, column_u32(st, 0));
	return ids;
}

/* ---- links ---- */

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

static struct link
read_link(const struct tree *t, sqlite3_stmt *st)
{
	const struct model_arc *turned = turned_arc(t, column_count(st, 0));
	struct link k = {
		.other = column_u32(st, 1), .site = column_u32(st, 2),
		.count = column_count(st, 3), .time = column_count(st, 4),
		.estimated = sqlite3_column_int(st, 5), .cycle = column_u32(st, 6),
	};
	const struct model_procedure *other = turned_procedure(t, k.other);

	if (turned) {
		k.count = turned->count;
		k.time = turned->time_ns;
		k.estimated = is_estimated(turned);
	}
	if (other)
		k.cycle = other->cycle;
	k.most = k.count;
	return k;
}

static void
read_links(struct tree *t, enum profile_query query, model_id procedure, struct links *l)
{
	sqlite3_stmt *st = profile_query(t->profile, query);

	if (st)
		sqlite3_bind_int64(st, 1, procedure);
	while (profile_step(t->profile, st)) {
		struct link k = read_link(t, st);

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

static void
forget_links(struct arcs *a)
{
	for (size_t i = 0; i < a->nr_links; i++)
		free(a->links[i].links);
	free(a->links);
	a->links = NULL;
	a->nr_links = a->links_alloc = a->kept = 0;
	index_release(&a->index);
}

/* Whoever goes through all of a tree leaves no more than this behind. */
enum { MOST_KEPT = 50000 };

static const struct links *
keep_links(struct arcs *a, const struct links *l, uint64_t hash)
{
	if (a->kept + a->nr_links > MOST_KEPT)
		forget_links(a);
	a->kept += l->nr;
	index_add(&a->index, hash, (uint32_t)a->nr_links);
	GROW(a->links, a->nr_links + 1, a->links_alloc);
	a->links[a->nr_links] = *l;
	return &a->links[a->nr_links++];
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
	struct ids ids;

	if (i != INDEX_NONE)
		return &a->links[i];
	if (procedure) {
		read_links(t, query, procedure, &l);
	} else {
		ids = members(t, cycle);
		for (size_t k = 0; k < ids.nr; k++)
			read_links(t, query, ids.ids[k], &l);
		free(ids.ids);
	}
	merge_links(&l);
	return keep_links(a, &l, hash);
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
	struct part_row callee = k->cycle ? cycle_row(t, k->cycle)
					  : procedure_row(t, k->other);
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
	struct part_row row = procedure_row(t, n->procedure);
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
	struct part_row cycle = cycle_row(t, n->cycle);
	struct ids ids = members(t, n->cycle);
	uint64_t sum = 0;

	for (size_t i = 0; i < ids.nr; i++) {
		struct part_row m = procedure_row(t, ids.ids[i]);
		struct tree_node c = { .exact = n->exact && n->number == cycle.entries };
		uint64_t calls = tree_sum(m.entries, m.recursive);

		name_node(&c, ids.ids[i], 0);
		c.total = take(n->total, m.total, cycle.total, &sum);
		c.self = tree_share(c.total, m.self, m.total);
		c.number = c.exact ? calls : tree_share(calls, n->number, cycle.entries);
		if (c.total || c.number)
			tree_add(t, &c);
	}
	free(ids.ids);
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

/* What no caller takes of a total is what came from outside. */
static bool
note_arc(struct tree *t, struct arcs *a)
{
	const struct model_arc *turned;
	uint64_t count, time;
	struct entry *e;
	model_id callee;

	if (!profile_step(t->profile, a->st))
		return false;
	callee = column_u32(a->st, 2);
	if (!callee || callee > a->greatest)
		return true;
	turned = turned_arc(t, column_count(a->st, 0));
	count = turned ? turned->count : column_count(a->st, 3);
	time = turned ? turned->time_ns : column_count(a->st, 4);
	e = entry_of(&a->procedures, callee);
	if (column_u32(a->st, 1)) {
		e->taken = tree_sum(e->taken, time);
	} else {
		e->calls = tree_sum(e->calls, count);
		e->estimated |= turned ? is_estimated(turned) : sqlite3_column_int(a->st, 5);
		e->most = count > e->most ? count : e->most;
	}
	return true;
}

static void
add_root(struct tree *t, const struct part_row *row, const struct entry *e, uint32_t cycle)
{
	struct tree_node c = { .exact = !e->estimated, .number = e->calls };

	name_node(&c, e->procedure, cycle);
	c.total = row->total > e->taken ? row->total - e->taken : 0;
	c.self = cycle ? 0 : tree_share(c.total, row->self, row->total);
	if (c.total || c.number)
		tree_add(t, &c);
}

/* A cycle is one root, entered where most calls from outside go. */
static void
add_to_cycle(struct arcs *a, const struct entry *from, uint32_t cycle)
{
	struct entry *to;

	if (cycle > a->greatest)
		return;
	to = entry_of(&a->cycles, cycle);
	to->taken = tree_sum(to->taken, from->taken);
	to->calls = tree_sum(to->calls, from->calls);
	to->estimated |= from->estimated;
	if (from->most <= to->most)
		return;
	to->most = from->most;
	to->procedure = from->procedure;
}

static void
add_root_up(struct tree *t, model_id procedure, const struct part_row *row)
{
	struct tree_node c = { .total = row->total, .self = row->self, .exact = true };

	name_node(&c, procedure, 0);
	c.number = row->cycle ? tree_sum(row->entries, row->recursive) : row->entries;
	tree_add(t, &c);
}

/* Bottom-up of all: who has anything of its own. */
static void
note_root_up(struct tree *t, model_id procedure, const struct part_row *row)
{
	if (tree_has_time(t) ? row->self : row->entries || row->recursive)
		add_root_up(t, procedure, row);
}

static bool
note_procedure(struct tree *t, struct arcs *a)
{
	struct entry e = { .taken = 0 };
	struct part_row row;
	model_id id;

	if (!profile_step(t->profile, a->st))
		return false;
	id = column_u32(a->st, 0);
	row = read_procedure(t, a->st);
	if (t->want.bottom_up) {
		note_root_up(t, id, &row);
		return true;
	}
	if (id && id < a->procedures.nr)
		e = a->procedures.entries[id];
	e.procedure = id;
	if (row.cycle)
		add_to_cycle(a, &e, row.cycle);
	else
		add_root(t, &row, &e, 0);
	return true;
}

static bool
note_cycle(struct tree *t, struct arcs *a)
{
	struct part_row row;

	if (a->cycle + 1 >= a->cycles.nr)
		return false;
	row = cycle_row(t, ++a->cycle);
	add_root(t, &row, &a->cycles.entries[a->cycle], a->cycle);
	return true;
}

/* ---- bottom-up ---- */

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
	struct part_row row = cycle_row(t, cycle);
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
	struct part_row row = n->cycle ? cycle_row(t, n->cycle)
				       : procedure_row(t, n->procedure);
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

	if (t->want.bottom_up)
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
	uint32_t cycle = procedure_row(t, procedure).cycle;
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

/* ---- opening ---- */

/* Nothing but the roots remains of what was read for them. */
static void
release_entries(struct arcs *a)
{
	sqlite3_finalize(a->st);
	a->st = NULL;
	free(a->procedures.entries);
	free(a->cycles.entries);
	a->procedures = a->cycles = (struct entries){ .entries = NULL };
}

static void
arc_close(void *data)
{
	struct arcs *a = data;

	release_entries(a);
	forget_links(a);
	free(a);
}

/* Of a file of this size: a procedure takes more than thirty bytes. */
static model_id
greatest_procedure(struct profile *p)
{
	sqlite3_stmt *st = profile_query(p, QUERY_GREATEST_ID);
	model_id id = 0;

	if (profile_step(p, st)) {
		id = column_u32(st, 0);
		sqlite3_reset(st);
	}
	return id < p->bytes / 30 ? id : (model_id)(p->bytes / 30);
}

/* Its own statements: others may ask the same between two slices. */
static void
begin_phase(struct tree *t, struct arcs *a, enum phase phase)
{
	sqlite3_finalize(a->st);
	a->st = NULL;
	a->phase = phase;
	if (phase <= PHASE_PROCEDURES)
		a->st = profile_prepare(t->profile, profile_queries[phase == PHASE_ARCS
				? QUERY_ALL_ARCS : QUERY_ALL_CALLED]);
	else if (phase == PHASE_READY)
		release_entries(a);
}

static void *
arc_open(struct tree *t)
{
	struct arcs *a = xcalloc(1, sizeof(*a));
	struct part_row row;

	t->nodes[0].total = profile_totals(t->profile)->self_ns;
	if (t->want.procedure) {
		row = procedure_row(t, t->want.procedure);
		add_root_up(t, t->want.procedure, &row);
		begin_phase(t, a, PHASE_READY);
		return a;
	}
	a->greatest = greatest_procedure(t->profile);
	begin_phase(t, a, t->want.bottom_up ? PHASE_PROCEDURES : PHASE_ARCS);
	return a;
}

static bool
arc_step(struct tree *t)
{
	static bool (*const steps[])(struct tree *t, struct arcs *a) = {
		[PHASE_ARCS] = note_arc, [PHASE_PROCEDURES] = note_procedure,
		[PHASE_CYCLES] = note_cycle,
	};
	struct arcs *a = t->data;

	if (a->phase == PHASE_READY)
		return false;
	a->done++;
	if (!steps[a->phase](t, a) && !profile_error(t->profile))
		begin_phase(t, a, a->phase + 1);
	return true;
}

static unsigned
arc_percent(const struct tree *t)
{
	const struct profile_totals *totals = profile_totals(t->profile);
	const struct arcs *a = t->data;
	uint64_t all = totals->nr_procedures;

	if (!t->want.bottom_up)
		all = tree_sum(all, totals->nr_arcs);
	return (unsigned)tree_share(100, a->done, all);
}

static size_t
arc_bytes(const struct tree *t)
{
	const struct arcs *a = t->data;

	return a->kept * sizeof(struct link) + a->nr_links * sizeof(struct links);
}

const struct tree_reader tree_arc_reader = {
	.open = arc_open, .step = arc_step, .percent = arc_percent, .bytes = arc_bytes,
	.close = arc_close, .children = arc_children, .path = arc_path,
};
