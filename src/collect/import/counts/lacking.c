#include "collect/import/counts/lacking.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/counts.h"
#include "util/mem.h"

/* What is missing are whole rounds: a flow along cycles, through the arcs of the procedure as
 * counts.c numbers them. None of it is on an arc whose counter lacks nothing. So without these an
 * arc can be short if it is on a cycle, that is, if its two ends are reached from each other: the
 * blocks of the loop, and those of a procedure that was inlined there, through the root. */
struct finder {
	struct lacking_room *room;
	const struct table_procedure *p;
	const uint64_t *counters;
	uint64_t calls;
	bool recursive;            /* it calls itself, too */
	uint32_t nr_vertices, nr_arcs;
};

enum { FORWARD = 1, BACKWARD = 2 };

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

/* What the arc's count is known to lack; *KNOWN: it is counted, or, if it is the entry, it follows
 * from the calls. Then the counter that P does without follows from that. */
static uint64_t
lacks(const struct finder *f, uint32_t arc, bool *known)
{
	const struct table_procedure *p = f->p;
	const struct table_edge *e = arc < p->nr_blocks ? NULL : &p->edges[arc - p->nr_blocks];
	uint32_t counter = e ? e->counter : p->blocks[arc].counter;

	*known = true;
	if (p->follows && e && !e->from && e->to == 1 && !f->recursive)
		return f->calls;
	*known = counter && counter <= p->nr_counters;
	return *known && f->counters ? f->counters[counter - 1] : 0;
}

static bool
is_exact(const struct finder *f, uint32_t arc)
{
	bool known;

	return !lacks(f, arc, &known) && known;
}

/* The arcs that are not known, as lists by their begin (2 * vertex) and by their end (+ 1). A link
 * is the arc's number + 1. */
static void
link_arcs(struct finder *f)
{
	struct lacking_room *r = f->room;
	uint32_t arc, from, to;

	GROW(r->first, 2 * (size_t)f->nr_vertices, r->first_alloc);
	GROW(r->next, 2 * (size_t)f->nr_arcs, r->next_alloc);
	memset(r->first, 0, 2 * (size_t)f->nr_vertices * sizeof(*r->first));
	for (arc = 0; arc < f->nr_arcs; arc++) {
		if (is_exact(f, arc))
			continue;
		arc_ends(f->p, arc, &from, &to);
		r->next[2 * arc] = r->first[2 * from];
		r->first[2 * from] = arc + 1;
		r->next[2 * arc + 1] = r->first[2 * to + 1];
		r->first[2 * to + 1] = arc + 1;
	}
}

/* Adds WAY to the state of all vertices that are reached from START that way. */
static void
reach(struct finder *f, uint32_t start, uint32_t way)
{
	struct lacking_room *r = f->room;
	uint32_t back = way == BACKWARD, v, link, ends[2], nr = 0;

	r->state[start] |= way;
	r->stack[nr++] = start;
	while (nr) {
		v = r->stack[--nr];
		for (link = r->first[2 * v + back]; link; link = r->next[2 * (link - 1) + back]) {
			arc_ends(f->p, link - 1, &ends[0], &ends[1]);
			if (r->state[ends[!back]] & way)
				continue;
			r->state[ends[!back]] |= way;
			r->stack[nr++] = ends[!back];
		}
	}
}

/* RUNS are missing of ARC, and of all cycles through it. */
static void
spread(struct finder *f, uint32_t arc, uint64_t runs, uint64_t *calls)
{
	struct lacking_room *r = f->room;
	uint32_t from, to, i;

	arc_ends(f->p, arc, &from, &to);
	memset(r->state, 0, f->nr_vertices * sizeof(*r->state));
	reach(f, to, FORWARD);
	reach(f, from, BACKWARD);
	for (i = 0; i < f->nr_arcs; i++) {
		arc_ends(f->p, i, &from, &to);
		if (is_exact(f, i) || r->state[from] != (FORWARD | BACKWARD) ||
		    r->state[to] != (FORWARD | BACKWARD))
			continue;
		if (i < f->p->nr_blocks && r->blocks[i] < runs)
			r->blocks[i] = runs;
		else if (!from && to == 1 && *calls < runs)
			*calls = runs;
	}
}

struct lacking
lacking_find(struct lacking_room *room, const struct table_procedure *p, const uint64_t *counters,
	     uint64_t calls)
{
	struct finder f = {
		.room = room, .p = p, .counters = counters, .calls = calls,
		.nr_vertices = 1 + 2 * p->nr_blocks, .nr_arcs = p->nr_blocks + p->nr_edges,
	};
	struct lacking found = { NULL, 0 };
	uint64_t runs;
	uint32_t arc, i;
	bool known;

	for (i = 0; p->follows && !f.recursive && i < p->nr_sites; i++)
		f.recursive = counts_calls(&p->sites[i], p);
	for (arc = 0; arc < f.nr_arcs; arc++) {
		runs = lacks(&f, arc, &known);
		if (!runs)
			continue;
		if (!found.blocks) {
			GROW(room->blocks, p->nr_blocks, room->blocks_alloc);
			GROW(room->state, f.nr_vertices, room->state_alloc);
			GROW(room->stack, f.nr_vertices, room->stack_alloc);
			memset(room->blocks, 0, p->nr_blocks * sizeof(*room->blocks));
			link_arcs(&f);
			found.blocks = room->blocks;
		}
		spread(&f, arc, runs, &found.calls);
	}
	return found;
}

void
lacking_release(struct lacking_room *room)
{
	free(room->blocks);
	free(room->state);
	free(room->stack);
	free(room->first);
	free(room->next);
	*room = (struct lacking_room){ .blocks = NULL };
}
