/* The tree from the arcs: what a node has is shared out among its callees by the arcs' stored times
 * (bottom-up: among its callers), calls by the arcs' counts. Of a cycle only its whole is known:
 * it is a node, with its members below (bottom-up: above the member that is asked for). */
#include <stdlib.h>
#include <string.h>

#include "db/tree_links.h"
#include "util/mem.h"

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
	struct link_cache cache;
};

static struct link_cache *
cache_of(const struct tree *t)
{
	return &((struct arcs *)t->data)->cache;
}

enum { OF_CYCLE = INT32_MIN };   /* in tree_node.at: a cycle's number, not a procedure */

/* ---- one row ---- */

static struct part_row
cycle_row(struct tree *t, uint32_t cycle)
{
	struct part_row row = { .cycle = cycle };
	sqlite3_stmt *st;

	st = profile_query(t->profile, QUERY_CYCLE);
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

/* Of a row of QUERY_CALLED or QUERY_ALL_CALLED. */
static struct part_row
read_procedure(const struct tree *t, sqlite3_stmt *st)
{
	struct part_row row = {
		.total = column_count(t->profile, st, 1),
		.self = column_count(t->profile, st, 2),
		.entries = column_count(t->profile, st, 3),
		.recursive = column_count(t->profile, st, 4),
		.cycle = column_id(t->profile, st, 5, ID_OF_CYCLE),
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

	*sum = sum_capped(*sum, part);
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
	s->number = sum_capped(s->number, c.number);
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

/* ---- children ---- */

/* Of one node, while its children are looked for: its members or its links, one by one. */
struct arc_node {
	enum { ARC_BEGIN, ARC_MEMBERS, ARC_LINKS, ARC_CALLEES, ARC_CALLERS, ARC_DONE } stage;
	struct tree_node n;
	struct part_row row;
	struct members members;
	struct link_reader links;
	size_t next;
	uint64_t sum;            /* of the parts that were given out */
	uint64_t recursive;      /* callees: calls that lead back */
	struct sharing sharing;  /* callers */
	bool some;               /* callers: there is one */
};

static void
next_callee(struct tree *t, struct arc_node *a)
{
	const struct link *k = &a->links.links[a->next++];

	if (k->other == a->n.procedure || (a->row.cycle && k->cycle == a->row.cycle))
		a->recursive = sum_capped(a->recursive, k->count);
	else
		add_callee(t, &a->n, &a->row, k, &a->sum);
}

static void
next_caller(struct tree *t, struct arc_node *a)
{
	const struct link *k = &a->links.links[a->next++];

	if (!k->other || k->other == a->n.procedure ||
	    (a->n.cycle && k->cycle == a->n.cycle))
		return;
	add_caller(t, &a->n, &a->row, k, &a->sharing);
	a->some = true;
}

static bool
next_member(struct tree *t, struct arc_node *a)
{
	model_id id = members_next(t, &a->members);
	struct tree_node c = { .exact = a->n.exact && a->n.number == a->row.entries };
	struct part_row m;
	uint64_t calls;

	if (!id)
		return false;
	m = procedure_row(t, id);
	calls = sum_capped(m.entries, m.recursive);
	name_node(&c, id, 0);
	c.total = take(a->n.total, m.total, a->row.total, &a->sum);
	c.self = tree_share(c.total, m.self, m.total);
	c.number = c.exact ? calls : tree_share(calls, a->n.number, a->row.entries);
	if (c.total || c.number)
		tree_add(t, &c);
	return true;
}

/* What is left when all callees or callers are there. */
static void
add_rest(struct tree *t, struct arc_node *a)
{
	if (a->stage == ARC_CALLEES && a->recursive)
		add_recursion(t, &a->n, &a->row, a->recursive);
	if (a->stage != ARC_CALLERS)
		return;
	if (a->some)
		add_outside(t, &a->n, &a->sharing);
	if (a->row.recursive && a->n.depth == 1)
		add_recursion(t, &a->n, &a->row, a->row.recursive);
}

static void
begin_callees(struct tree *t, struct arc_node *a)
{
	a->row = procedure_row(t, a->n.procedure);
	a->sum = a->row.self;
	/* Of a member all calls are entries: the cycle's node has told what is recursion. */
	if (a->row.cycle)
		a->row.entries = sum_capped(a->row.entries, a->row.recursive);
	links_begin(t, cache_of(t), &a->links, false, a->n.procedure, 0);
	a->stage = ARC_LINKS;
}

static void
begin_callers(struct tree *t, struct arc_node *a)
{
	a->row = a->n.cycle ? cycle_row(t, a->n.cycle) : procedure_row(t, a->n.procedure);
	a->stage = ARC_DONE;
	if (!a->n.cycle && a->row.cycle) {
		add_cycle_above(t, &a->n, a->row.cycle);
		return;
	}
	links_begin(t, cache_of(t), &a->links, true, a->n.cycle ? 0 : a->n.procedure, a->n.cycle);
	a->stage = ARC_LINKS;
}

static void *
arc_open_node(struct tree *t, uint32_t id)
{
	struct arc_node *a = xcalloc(1, sizeof(*a));

	a->n = t->nodes[id]; /* nodes move */
	a->links.stage = LINKS_READY;
	if (t->want.bottom_up) {
		a->stage = ARC_BEGIN;
	} else if (a->n.kind == TREE_CYCLE) {
		a->row = cycle_row(t, a->n.cycle);
		a->members = members_begin(t, cache_of(t), a->n.cycle);
		a->stage = ARC_MEMBERS;
	} else {
		begin_callees(t, a);
	}
	return a;
}

static bool
arc_node_step(struct tree *t, void *node)
{
	struct arc_node *a = node;

	switch (a->stage) {
	case ARC_BEGIN:
		begin_callers(t, a);
		return true;
	case ARC_MEMBERS:
		return next_member(t, a);
	case ARC_LINKS:
		if (!links_step(t, cache_of(t), &a->links))
			a->stage = t->want.bottom_up ? ARC_CALLERS : ARC_CALLEES;
		return true;
	case ARC_CALLEES:
	case ARC_CALLERS:
		if (a->next < a->links.nr) {
			a->stage == ARC_CALLERS ? next_caller(t, a) : next_callee(t, a);
			return true;
		}
		add_rest(t, a);
		return false;
	case ARC_DONE:
		break;
	}
	return false;
}

static void
arc_close_node(struct tree *t, void *node, bool done)
{
	struct arc_node *a = node;

	(void)done;
	members_end(cache_of(t), &a->members);
	links_end(cache_of(t), &a->links);
	free(a);
}

/* ---- finding ---- */

enum { LONGEST_PATH = 10000 };

/* The caller that brings the most; NULL: outside brings more, or nobody calls. */
static const struct link *
best_caller(const struct link_reader *r, model_id procedure, uint32_t cycle)
{
	const struct link *best = NULL;

	for (size_t i = 0; i < r->nr; i++) {
		const struct link *k = &r->links[i];

		if (k->other == procedure || (cycle && k->cycle == cycle))
			continue;
		if (!best || k->time > best->time ||
		    (k->time == best->time && k->count > best->count))
			best = k;
	}
	return best && best->other ? best : NULL;
}

/* The way up, from where the path ends. */
struct arc_path {
	model_id procedure;
	uint32_t cycle;
	struct link_reader links; /* its callers */
};

static void
begin_way(struct tree *t, struct finding *f, model_id procedure, uint32_t cycle)
{
	struct arc_path *p = f->data;

	p->procedure = procedure;
	p->cycle = cycle;
	GROW(f->path, f->nr + 2, f->alloc);
	f->path[f->nr++] = procedure;
	if (cycle)
		f->path[f->nr++] = cycle | (uint32_t)OF_CYCLE;
	links_begin(t, cache_of(t), &p->links, true, cycle ? 0 : procedure, cycle);
}

static void
arc_path_end(struct tree *t, struct finding *f)
{
	struct arc_path *p = f->data;

	links_end(cache_of(t), &p->links);
	free(p);
	f->data = NULL;
}

static void
turn_round(struct finding *f)
{
	for (size_t i = 0; i < f->nr / 2; i++) {
		uint32_t tmp = f->path[i];

		f->path[i] = f->path[f->nr - 1 - i];
		f->path[f->nr - 1 - i] = tmp;
	}
}

static bool
arc_path_step(struct tree *t, struct finding *f)
{
	struct arc_path *p = f->data;
	const struct link *k;
	model_id procedure;
	uint32_t cycle;

	if (!p) {
		f->data = xcalloc(1, sizeof(*p));
		begin_way(t, f, f->procedure, procedure_row(t, f->procedure).cycle);
		return true;
	}
	if (links_step(t, cache_of(t), &p->links))
		return true;
	k = best_caller(&p->links, p->procedure, p->cycle);
	procedure = k ? k->other : 0;
	cycle = k ? k->cycle : 0;
	links_end(cache_of(t), &p->links);
	if (procedure && f->nr < LONGEST_PATH) {
		begin_way(t, f, procedure, cycle);
		return true;
	}
	arc_path_end(t, f);
	turn_round(f);
	return false;
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
	uint64_t count, time;
	struct entry *e;
	model_id callee;

	if (!profile_step(t->profile, a->st))
		return false;
	callee = column_id(t->profile, a->st, 2, ID_OF_PROCEDURE);
	if (!callee || callee > a->greatest)
		return true;
	count = column_count(t->profile, a->st, 3);
	time = column_count(t->profile, a->st, 4);
	e = entry_of(&a->procedures, callee);
	if (column_id(t->profile, a->st, 1, ID_OF_PROCEDURE)) {
		e->taken = sum_capped(e->taken, time);
	} else {
		e->calls = sum_capped(e->calls, count);
		e->estimated |= sqlite3_column_int(a->st, 5);
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
	to->taken = sum_capped(to->taken, from->taken);
	to->calls = sum_capped(to->calls, from->calls);
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
	c.number = row->cycle ? sum_capped(row->entries, row->recursive) : row->entries;
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
	id = column_id(t->profile, a->st, 0, ID_OF_PROCEDURE);
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
	links_release(&a->cache);
	free(a);
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
	a->greatest = column_last_id(t->profile, ID_OF_PROCEDURE);
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
		all = sum_capped(all, totals->nr_arcs);
	return (unsigned)tree_share(100, a->done, all);
}

static size_t
arc_bytes(const struct tree *t)
{
	const struct arcs *a = t->data;

	return links_bytes(&a->cache);
}

const struct tree_reader tree_arc_reader = {
	.open = arc_open, .step = arc_step, .percent = arc_percent, .bytes = arc_bytes,
	.close = arc_close, .open_node = arc_open_node, .node_step = arc_node_step,
	.close_node = arc_close_node, .path_step = arc_path_step, .path_end = arc_path_end,
};
