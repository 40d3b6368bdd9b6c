#include "collect/import/counts/counts.h"

#include <stdlib.h>
#include <string.h>

/* The arcs are numbered: block b is arc b, edge e is arc nr_blocks + e. A vertex that has one arc
 * of unknown count left gives that count; solving it may leave one at the arc's other end. The
 * exclusive or of the numbers of a vertex's unknown arcs is the last one's number when one is left.
 * */
struct counts_vertex {
	uint64_t balance;   /* known counts in minus known counts out; wraps, as the counts do */
	uint32_t unknown;
	uint32_t arcs;
};

/* A vertex that had one unknown arc left, and that arc. */
struct counts_leaf { uint32_t vertex, arc; };

struct solver {
	const struct table_procedure *p;
	struct counts *c;
	struct counts_vertex *vertices;
	uint32_t *queue;
	size_t nr_queue;
	uint64_t following; /* what the counter that P does without would have counted */
};

static void
arc_ends(const struct table_procedure *p, uint32_t arc, uint32_t *from, uint32_t *to)
{
	if (arc < p->nr_blocks) {
		*from = 1 + 2 * arc;
		*to = 2 + 2 * arc;
	} else {
		*from = p->edges[arc - p->nr_blocks].from;
		*to = p->edges[arc - p->nr_blocks].to;
	}
}

static uint64_t *
arc_count(struct solver *s, uint32_t arc)
{
	return arc < s->p->nr_blocks ? &s->c->blocks[arc] : &s->c->edges[arc - s->p->nr_blocks];
}

static void
add_known(struct solver *s, uint32_t arc, uint64_t count)
{
	uint32_t from, to;

	arc_ends(s->p, arc, &from, &to);
	*arc_count(s, arc) = count;
	s->vertices[from].balance -= count;
	s->vertices[to].balance += count;
}

static void
add_unknown(struct solver *s, uint32_t arc)
{
	uint32_t from, to;

	arc_ends(s->p, arc, &from, &to);
	*arc_count(s, arc) = 0;
	s->vertices[from].unknown++;
	s->vertices[from].arcs ^= arc;
	s->vertices[to].unknown++;
	s->vertices[to].arcs ^= arc;
}

static void
add_arc(struct solver *s, uint32_t arc, uint32_t counter, const uint64_t *counters)
{
	if (counter > s->p->nr_counters)
		add_known(s, arc, s->following);
	else if (counter)
		add_known(s, arc, counters[counter - 1]);
	else
		add_unknown(s, arc);
}

/* Take one unknown arc off vertex V. */
static void
forget(struct solver *s, uint32_t v, uint32_t arc)
{
	s->vertices[v].unknown--;
	s->vertices[v].arcs ^= arc;
	if (v && s->vertices[v].unknown == 1)
		s->queue[s->nr_queue++] = v;
}

static void
solve_leaf(struct solver *s, uint32_t v)
{
	uint32_t arc = s->vertices[v].arcs, from, to;

	if (s->vertices[v].unknown != 1) /* the other end was first */
		return;
	arc_ends(s->p, arc, &from, &to);
	add_known(s, arc, from == v ? s->vertices[v].balance : -s->vertices[v].balance);
	forget(s, from, arc);
	forget(s, to, arc);
}

static void
clamp(struct counts *c, uint64_t *count)
{
	if ((int64_t)*count >= 0)
		return;
	c->nr_negative++;
	if (-*count > c->most_negative)
		c->most_negative = -*count;
	*count = 0;
}

/* The arc from behind a call to the root counts calls that did not return. */
static void
clamp_edge(struct counts *c, const struct table_edge *edge, uint64_t *count)
{
	if (edge->to || (int64_t)*count >= 0) {
		clamp(c, count);
		return;
	}
	c->extra_returns += -*count;
	*count = 0;
}

static void
prepare(struct counts_room *room, const struct table_procedure *p, struct solver *s)
{
	size_t nr_vertices = 1 + 2 * (size_t)p->nr_blocks;
	struct counts *c = &room->result;

	GROW(room->vertices, nr_vertices, room->vertices_alloc);
	GROW(room->queue, nr_vertices + p->nr_edges + p->nr_blocks, room->queue_alloc);
	GROW(c->blocks, p->nr_blocks, room->blocks_alloc);
	GROW(c->edges, p->nr_edges, room->edges_alloc);
	c->calls = c->most_negative = c->extra_returns = 0;
	c->nr_negative = 0;
	*s = (struct solver){
		.p = p, .c = c, .vertices = room->vertices, .queue = room->queue,
	};
}

/* The edge from the root to the first block. Others from the root are arrivals by longjmp and the
 * like. */
uint32_t
counts_entry(const struct table_procedure *p)
{
	for (uint32_t e = 0; e < p->nr_edges; e++)
		if (!p->edges[e].from && p->edges[e].to == 1)
			return p->nr_blocks + e;
	return UINT32_MAX;
}

static uint64_t
entries(const struct table_procedure *p, const struct counts *c)
{
	uint32_t arc = counts_entry(p);

	return arc == UINT32_MAX ? 0 : c->edges[arc - p->nr_blocks];
}

/* Every arc, as FOLLOWING has it: negative ones are not set to 0 yet. */
static void
solve(struct solver *s, struct counts_room *room, const uint64_t *counters, uint64_t following)
{
	const struct table_procedure *p = s->p;
	uint32_t i, v;

	memset(room->vertices, 0, (1 + 2 * (size_t)p->nr_blocks) * sizeof(*room->vertices));
	s->following = following;
	for (i = 0; i < p->nr_blocks; i++)
		add_arc(s, i, p->blocks[i].counter, counters);
	for (i = 0; i < p->nr_edges; i++)
		add_arc(s, p->nr_blocks + i, p->edges[i].counter, counters);
	for (v = 1; v < 1 + 2 * p->nr_blocks; v++)
		if (s->vertices[v].unknown == 1)
			s->queue[s->nr_queue++] = v;
	while (s->nr_queue)
		solve_leaf(s, s->queue[--s->nr_queue]);
	s->c->unsolved = false;
	for (v = 1; v < 1 + 2 * p->nr_blocks; v++)
		s->c->unsolved |= s->vertices[v].unknown != 0;
}

/* Entries that are not the procedure's own calls. */
static uint64_t
called_by_others(const struct solver *s)
{
	const struct table_procedure *p = s->p;
	uint64_t calls = entries(p, s->c);
	uint32_t i;

	for (i = 0; i < p->nr_sites; i++)
		if (counts_calls(&p->sites[i], p))
			calls -= s->c->blocks[p->sites[i].block];
	return calls;
}

/* Finds the value of the missing counter by which P was called CALLS times: the calls are a sum in
 * which it stands with 1 or -1. */
static void
solve_following(struct solver *s, struct counts_room *room, const uint64_t *counters,
		uint64_t calls)
{
	uint64_t without, factor;

	solve(s, room, counters, 1);
	factor = called_by_others(s);
	solve(s, room, counters, 0);
	without = called_by_others(s);
	factor -= without;
	solve(s, room, counters, factor * (calls - without));
	s->c->unsolved |= called_by_others(s) != calls;
}

bool
counts_calls(const struct table_site *site, const struct table_procedure *p)
{
	return !site->kind && !strcmp(site->target, p->linkage_name);
}

const struct counts *
counts_solve(struct counts_room *room, const struct table_procedure *p, const uint64_t *counters,
	     uint64_t calls)
{
	struct counts *c = &room->result;
	struct solver s;
	uint32_t i;

	prepare(room, p, &s);
	if (p->follows)
		solve_following(&s, room, counters, calls);
	else
		solve(&s, room, counters, 0);
	for (i = 0; i < p->nr_blocks; i++)
		clamp(c, &c->blocks[i]);
	for (i = 0; i < p->nr_edges; i++)
		clamp_edge(c, &p->edges[i], &c->edges[i]);
	c->calls = entries(p, c);
	return c;
}

static uint32_t
counter_of(const struct table_procedure *p, uint32_t arc)
{
	return arc < p->nr_blocks ? p->blocks[arc].counter : p->edges[arc - p->nr_blocks].counter;
}

/* Takes unknown arcs off, as solve() does, and notes in which order. Returns how many. */
static size_t
find_leaves(struct solver *s, struct counts_room *room)
{
	const struct table_procedure *p = s->p;
	const uint32_t nr_vertices = 1 + 2 * p->nr_blocks;
	size_t nr = 0;

	memset(room->vertices, 0, nr_vertices * sizeof(*room->vertices));
	GROW(room->leaves, nr_vertices, room->leaves_alloc);
	for (uint32_t arc = 0; arc < p->nr_blocks + p->nr_edges; arc++)
		if (!counter_of(p, arc))
			add_unknown(s, arc);
	for (uint32_t v = 1; v < nr_vertices; v++)
		if (s->vertices[v].unknown == 1)
			s->queue[s->nr_queue++] = v;
	while (s->nr_queue) {
		uint32_t v = s->queue[--s->nr_queue], arc = s->vertices[v].arcs, from, to;

		if (s->vertices[v].unknown != 1)
			continue;
		arc_ends(p, arc, &from, &to);
		room->leaves[nr++] = (struct counts_leaf){ v, arc };
		forget(s, from, arc);
		forget(s, to, arc);
	}
	return nr;
}

/* As much goes into a vertex as out of it. So whatever number each vertex has, the counts of all
 * arcs times the difference of the numbers at their ends add up to 0. With numbers that differ at
 * the ends of an unknown arc by its weight, the unknown ones are known by the others. */
bool
counts_factors(struct counts_room *room, const struct table_procedure *p, const int64_t *weights,
	       int64_t *factors)
{
	struct counts_vertex *at;
	struct solver s;
	uint32_t from, to;
	bool solved = true;
	size_t nr;

	prepare(room, p, &s);
	at = s.vertices;
	nr = find_leaves(&s, room);
	for (uint32_t v = 1; v < 1 + 2 * p->nr_blocks; v++)
		solved &= !at[v].unknown;
	while (nr--) {
		const struct counts_leaf *l = &room->leaves[nr];

		arc_ends(p, l->arc, &from, &to);
		at[l->vertex].balance = l->vertex == to
			? at[from].balance + (uint64_t)weights[l->arc]
			: at[to].balance - (uint64_t)weights[l->arc];
	}
	memset(factors, 0, ((size_t)p->nr_counters + 1) * sizeof(*factors));
	for (uint32_t arc = 0; arc < p->nr_blocks + p->nr_edges; arc++) {
		uint32_t counter = counter_of(p, arc);

		if (!counter)
			continue;
		arc_ends(p, arc, &from, &to);
		factors[counter - 1] += weights[arc] -
					(int64_t)(at[to].balance - at[from].balance);
	}
	return solved;
}

void
counts_expect(const struct table_procedure *p)
{
	enum { LINE = 64 /* bytes */ };

	for (size_t i = 0; i < p->nr_blocks; i += LINE / sizeof(*p->blocks))
		__builtin_prefetch(&p->blocks[i]);
	for (size_t i = 0; i < p->nr_edges; i += LINE / sizeof(*p->edges))
		__builtin_prefetch(&p->edges[i]);
}

void
counts_release(struct counts_room *room)
{
	free(room->vertices);
	free(room->queue);
	free(room->leaves);
	free(room->result.blocks);
	free(room->result.edges);
	memset(room, 0, sizeof(*room));
}
