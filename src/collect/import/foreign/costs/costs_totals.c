/* What procedures cost with all that they call, out of what each call costs with all that it leads
 * to. Of recursion that is told apart by levels, calls of the first one have all. Of functions that
 * call each other without that, what comes from outside of their cycle has all. */
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/costs/costs.h"
#include "util/mem.h"

struct graph {
	const struct costs *c;
	size_t *start;             /* per function: its calls in ORDER */
	uint32_t *order;
	uint32_t *component;       /* per function */
	uint32_t nr_components;
};

static uint32_t
caller_of(const struct costs *c, size_t call)
{
	return c->calls.items[call].of[0];
}

static uint32_t
callee_of(const struct costs *c, size_t call)
{
	return c->calls.items[call].of[3];
}

static void
sort_calls(struct graph *g)
{
	const struct costs *c = g->c;
	size_t nr = c->functions.nr, i;

	g->start = xcalloc(nr + 2, sizeof(*g->start));
	g->order = xcalloc(c->calls.nr + 1, sizeof(*g->order));
	for (i = 0; i < c->calls.nr; i++)
		g->start[caller_of(c, i) + 2]++;
	for (i = 2; i < nr + 2; i++)
		g->start[i] += g->start[i - 1];
	for (i = 0; i < c->calls.nr; i++)
		g->order[g->start[caller_of(c, i) + 1]++] = (uint32_t)i;
}

/* Tarjan's walk through the graph, without recursion. */
struct walk {
	uint32_t *number, *low;    /* per function: 0 not yet seen */
	size_t *next;              /* per function: the next of its calls */
	uint32_t *path, *open;     /* functions being walked through; of components that are open */
	size_t nr_path, nr_open;
	bool *is_open;
	uint32_t last;
};

static void
enter(struct walk *w, const struct graph *g, uint32_t f)
{
	w->number[f] = w->low[f] = ++w->last;
	w->next[f] = g->start[f];
	w->path[w->nr_path++] = f;
	w->open[w->nr_open++] = f;
	w->is_open[f] = true;
}

static void
leave(struct walk *w, struct graph *g)
{
	uint32_t f = w->path[--w->nr_path], up, member;

	if (w->nr_path) {
		up = w->path[w->nr_path - 1];
		w->low[up] = w->low[f] < w->low[up] ? w->low[f] : w->low[up];
	}
	if (w->low[f] != w->number[f])
		return;
	do {
		member = w->open[--w->nr_open];
		w->is_open[member] = false;
		g->component[member] = g->nr_components;
	} while (member != f);
	g->nr_components++;
}

static void
walk_from(struct walk *w, struct graph *g, uint32_t root)
{
	uint32_t f, to;

	for (enter(w, g, root); w->nr_path;) {
		f = w->path[w->nr_path - 1];
		if (w->next[f] == g->start[f + 1]) {
			leave(w, g);
			continue;
		}
		to = callee_of(g->c, g->order[w->next[f]++]);
		if (!w->number[to])
			enter(w, g, to);
		else if (w->is_open[to] && w->number[to] < w->low[f])
			w->low[f] = w->number[to];
	}
}

static void
find_components(struct graph *g)
{
	size_t nr = g->c->functions.nr;
	struct walk w = {
		.number = xcalloc(nr + 1, sizeof(*w.number)),
		.low = xcalloc(nr + 1, sizeof(*w.low)),
		.next = xcalloc(nr + 1, sizeof(*w.next)), .path = xcalloc(nr + 1, sizeof(*w.path)),
		.open = xcalloc(nr + 1, sizeof(*w.open)),
		.is_open = xcalloc(nr + 1, sizeof(*w.is_open)),
	};

	g->component = xcalloc(nr + 1, sizeof(*g->component));
	for (uint32_t f = 0; f < nr; f++)
		if (!w.number[f])
			walk_from(&w, g, f);
	free(w.number);
	free(w.low);
	free(w.next);
	free(w.path);
	free(w.open);
	free(w.is_open);
}

/* ---- sums ---- */

struct sums {
	struct costs *c;
	const struct graph *g;
	/* Per component: by calls from outside; its own and what it calls. */
	uint64_t *into, *inside;
	bool *entered;             /* per component: there are such calls */
};

/* Where levels of recursion are told apart, each function of the first one is on a stack but once,
 * whatever the cycles that it is in: it is a component alone. */
static void
part_levels(struct graph *g)
{
	const struct costs *c = g->c;
	bool levels = false;

	for (size_t i = 0; i < c->functions.nr; i++)
		levels |= c->function[i].deeper;
	for (size_t i = 0; levels && i < c->functions.nr; i++)
		g->component[i] = (uint32_t)i;
	g->nr_components = levels ? (uint32_t)c->functions.nr : g->nr_components;
}

static void
add_row(struct costs *c, uint64_t *to, const uint64_t *from)
{
	for (unsigned i = 0; i < c->nr_events; i++)
		to[i] = count_add(to[i], from[i]);
}

/* A call by a context of the same procedure is recursion, too. */
static bool
is_recursive(const struct sums *s, size_t call)
{
	const struct costs *c = s->c;
	uint32_t from = caller_of(c, call), to = callee_of(c, call);

	return s->g->component[from] == s->g->component[to] ||
	       (c->function[from].procedure == c->function[to].procedure &&
		!c->function[to].deeper);
}

static void
sum_components(struct sums *s)
{
	struct costs *c = s->c;
	size_t room = c->room, i;

	for (i = 0; i < c->functions.nr; i++)
		add_row(c, s->inside + s->g->component[i] * room,
			c->of_functions.values + i * room);
	for (i = 0; i < c->calls.nr; i++) {
		const uint64_t *values = c->of_calls.values + i * room;
		uint32_t to = s->g->component[callee_of(c, i)];

		if (s->g->component[caller_of(c, i)] == to)
			continue;
		add_row(c, s->inside + s->g->component[caller_of(c, i)] * room, values);
		if (is_recursive(s, i))
			continue;
		add_row(c, s->into + to * room, values);
		s->entered[to] = true;
	}
}

/* Whoever was not called, but for recursion, is where the program or a thread begins. */
static void
sum_procedures(struct sums *s, uint64_t *totals)
{
	struct costs *c = s->c;
	bool *has_first = xcalloc(c->procedures.nr + 1, sizeof(*has_first)), is_new;
	struct keys seen = KEYS_INIT;
	size_t room = c->room, i;

	for (i = 0; i < c->functions.nr; i++)
		has_first[c->function[i].procedure] |= !c->function[i].deeper;
	for (i = 0; i < c->functions.nr; i++) {
		uint32_t procedure = c->function[i].procedure, of = s->g->component[i];

		if (c->function[i].deeper && has_first[procedure])
			continue;
		keys_number(&seen, KEY(procedure, of, 0, 0), &is_new);
		if (is_new)
			add_row(c, totals + procedure * room,
				(s->entered[of] ? s->into : s->inside) + of * room);
	}
	keys_release(&seen);
	free(has_first);
}

/* Nobody has less with all that he calls than by himself. */
static void
raise_to_self(const struct costs *c, uint64_t *totals)
{
	uint64_t *self = xcalloc(c->procedures.nr * c->room + 1, sizeof(*self));
	size_t i, k;

	for (i = 0; i < c->functions.nr; i++)
		for (k = 0; k < c->room; k++) {
			uint64_t *to = &self[c->function[i].procedure * c->room + k];

			*to = count_add(*to, c->of_functions.values[i * c->room + k]);
		}
	for (i = 0; i < c->procedures.nr * c->room; i++)
		totals[i] = totals[i] > self[i] ? totals[i] : self[i];
	free(self);
}

/* ---- calls ---- */

/* Is a call within recursion, so that others of it may be within what it costs? */
static bool
is_nested(const struct costs *c, const struct graph *g, size_t call)
{
	uint32_t from = caller_of(c, call), to = callee_of(c, call);

	return g->component[from] == g->component[to] ||
	       (c->function[from].deeper && c->function[to].deeper);
}

struct cost_totals *
costs_totals(struct costs *c)
{
	struct cost_totals *t = xcalloc(1, sizeof(*t));
	struct graph g = { .c = c };
	struct sums s = { .c = c, .g = &g };
	size_t i;

	t->of_procedures = xcalloc(c->procedures.nr * c->room + 1, sizeof(*t->of_procedures));
	t->nested = xcalloc(c->calls.nr + 1, sizeof(*t->nested));
	sort_calls(&g);
	find_components(&g);
	part_levels(&g);
	s.into = xcalloc(g.nr_components * c->room + 1, sizeof(*s.into));
	s.inside = xcalloc(g.nr_components * c->room + 1, sizeof(*s.inside));
	s.entered = xcalloc(g.nr_components + 1, sizeof(*s.entered));
	sum_components(&s);
	sum_procedures(&s, t->of_procedures);
	raise_to_self(c, t->of_procedures);
	for (i = 0; i < c->calls.nr; i++)
		t->nested[i] = is_nested(c, &g, i);
	free(s.into);
	free(s.inside);
	free(s.entered);
	free(g.start);
	free(g.order);
	free(g.component);
	return t;
}

void
cost_totals_free(struct cost_totals *t)
{
	free(t->of_procedures);
	free(t->nested);
	free(t);
}
