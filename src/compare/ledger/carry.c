#include "compare/ledger/carry.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"

/* Procedures whose passed arcs make cycles, and their system I - ψᵀ, factored. */
struct carry_component {
	uint32_t *members;
	size_t nr;
	double *lu;              /* [nr * nr], rows; NULL: nothing is passed within it */
	uint32_t *swaps;
};

/* Larger systems would take seconds: within those nothing is passed. */
enum { MOST_MEMBERS = 1000 };

/* ---- components ---- */

/* Tarjan's algorithm, with a stack of its own. */
struct tarjan {
	const struct carry *c;
	bool (*counts)(const struct carry_arc *a);
	uint32_t *index, *low, *component, *stack, *path;
	size_t *next;
	bool *on_stack;
	uint32_t nr_indices, nr_components;
	size_t nr_stack, nr_path;
};

static void
enter(struct tarjan *t, uint32_t v)
{
	t->index[v] = t->low[v] = ++t->nr_indices;
	t->next[v] = t->c->first[v];
	t->stack[t->nr_stack++] = v;
	t->on_stack[v] = true;
	t->path[t->nr_path++] = v;
}

static void
leave(struct tarjan *t, uint32_t v)
{
	uint32_t w;

	t->nr_path--;
	if (t->nr_path && t->low[v] < t->low[t->path[t->nr_path - 1]])
		t->low[t->path[t->nr_path - 1]] = t->low[v];
	if (t->low[v] != t->index[v])
		return;
	do {
		w = t->stack[--t->nr_stack];
		t->on_stack[w] = false;
		t->component[w] = t->nr_components;
	} while (w != v);
	t->nr_components++;
}

static void
walk(struct tarjan *t, uint32_t from)
{
	enter(t, from);
	while (t->nr_path) {
		uint32_t v = t->path[t->nr_path - 1];
		const struct carry_arc *a = &t->c->arcs[t->next[v]];

		if (t->next[v] == t->c->first[v + 1]) {
			leave(t, v);
			continue;
		}
		t->next[v]++;
		if (!t->counts(a))
			continue;
		if (!t->index[a->callee])
			enter(t, a->callee);
		else if (t->on_stack[a->callee] && t->index[a->callee] < t->low[v])
			t->low[v] = t->index[a->callee];
	}
}

/* Returns the number of the component of each procedure, by the arcs that COUNT; callees have the
 * lower numbers. */
static uint32_t *
find_components(const struct carry *c, bool (*counts)(const struct carry_arc *a), size_t *nr)
{
	struct tarjan t = { .c = c, .counts = counts };

	t.index = xcalloc(c->nr, sizeof(*t.index));
	t.low = xcalloc(c->nr, sizeof(*t.low));
	t.component = xcalloc(c->nr, sizeof(*t.component));
	t.stack = xcalloc(c->nr, sizeof(*t.stack));
	t.path = xcalloc(c->nr, sizeof(*t.path));
	t.next = xcalloc(c->nr, sizeof(*t.next));
	t.on_stack = xcalloc(c->nr, sizeof(*t.on_stack));
	for (uint32_t v = 0; v < c->nr; v++)
		if (!t.index[v])
			walk(&t, v);
	*nr = t.nr_components;
	free(t.index);
	free(t.low);
	free(t.stack);
	free(t.path);
	free(t.next);
	free(t.on_stack);
	return t.component;
}

static bool
is_called(const struct carry_arc *a)
{
	return a->caller && a->callee && (a->n[0] > 0 || a->n[1] > 0);
}

static bool
is_passed(const struct carry_arc *a)
{
	return a->passed != 0;
}

/* ---- what is passed ---- */

/* Of a procedure whose text is the same, and that is called by this share more or less often, all
 * that changes is due to its calls. */
static const double ENOUGH_CALLS = 0.1;

static double
passed_of(const struct carry *c, uint32_t p, const double n[2], bool inner)
{
	const double *calls = c->calls[p];
	double more = calls[1] - calls[0], change = n[1] - n[0], expected;
	bool b_is_small = !(calls[0] > 0) || (calls[1] > 0 && calls[1] < calls[0]);

	if (!p || more == 0 || change == 0 || !(calls[b_is_small] > 0))
		return 0;
	expected = n[b_is_small] / calls[b_is_small] * more;
	if (expected * change <= 0)
		return 0;
	/* Within a cycle that says nothing: its calls are these arcs. */
	if (!inner && !c->changed[p] && fabs(more) >= ENOUGH_CALLS * calls[b_is_small])
		return change;
	return copysign(fmin(fabs(expected), fabs(change)), change);
}

static void
find_arcs(struct carry *c)
{
	size_t nr = 0;

	c->first = xcalloc(c->nr + 2, sizeof(*c->first));
	for (uint32_t p = 0; p < c->nr; p++) {
		c->first[p] = nr;
		while (nr < c->nr_arcs && c->arcs[nr].caller == p)
			nr++;
	}
	c->first[c->nr] = nr;
}

static void
find_passed(struct carry *c)
{
	for (size_t i = 0; i < c->nr_cells; i++)
		c->cells[i].passed = passed_of(c, c->cells[i].procedure, c->cells[i].n, false);
	for (size_t i = 0; i < c->nr_arcs; i++) {
		struct carry_arc *a = &c->arcs[i];

		a->inner = is_called(a) && c->cycle[a->caller] == c->cycle[a->callee];
		a->passed = passed_of(c, a->caller, a->n, a->inner);
	}
}

/* ---- systems ---- */

static double
more_calls(const struct carry *c, uint32_t p)
{
	return c->calls[p][1] - c->calls[p][0];
}

/* Puts I - ψᵀ of a component into A; PLACE[procedure]: its row. */
static void
fill(const struct carry *c, const struct carry_component *s, const uint32_t *place, double *a)
{
	for (size_t i = 0; i < s->nr; i++)
		a[i * s->nr + i] = 1;
	for (size_t i = 0; i < s->nr; i++) {
		uint32_t p = s->members[i];

		for (size_t k = c->first[p]; k < c->first[p + 1]; k++) {
			const struct carry_arc *arc = &c->arcs[k];

			if (arc->passed != 0 && c->component[arc->callee] == c->component[p])
				a[place[arc->callee] * s->nr + i] -=
					arc->passed / more_calls(c, p);
		}
	}
}

/* Factors A in place, with rows swapped. False: it is singular. */
static bool
factor(double *a, uint32_t *swaps, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		size_t best = k;

		for (size_t i = k + 1; i < n; i++)
			if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
				best = i;
		swaps[k] = (uint32_t)best;
		for (size_t j = 0; best != k && j < n; j++) {
			double t = a[k * n + j];

			a[k * n + j] = a[best * n + j];
			a[best * n + j] = t;
		}
		if (!(fabs(a[k * n + k]) > 1e-14))
			return false;
		for (size_t i = k + 1; i < n; i++) {
			double f = a[i * n + k] / a[k * n + k];

			a[i * n + k] = f;
			for (size_t j = k + 1; f != 0 && j < n; j++)
				a[i * n + j] -= f * a[k * n + j];
		}
	}
	return true;
}

static void
solve(const struct carry_component *s, double *x)
{
	size_t n = s->nr;

	for (size_t k = 0; k < n; k++) {
		double t = x[s->swaps[k]];

		x[s->swaps[k]] = x[k];
		x[k] = t;
		for (size_t i = k + 1; t != 0 && i < n; i++)
			x[i] -= s->lu[i * n + k] * t;
	}
	for (size_t k = n; k-- > 0;) {
		for (size_t j = k + 1; j < n; j++)
			x[k] -= s->lu[k * n + j] * x[j];
		x[k] /= s->lu[k * n + k];
	}
}

/* Solves the transposed system. */
static void
solve_transposed(const struct carry_component *s, double *x)
{
	size_t n = s->nr;

	for (size_t k = 0; k < n; k++) {
		for (size_t j = 0; j < k; j++)
			x[k] -= s->lu[j * n + k] * x[j];
		x[k] /= s->lu[k * n + k];
	}
	for (size_t k = n; k-- > 0;)
		for (size_t i = k + 1; i < n; i++)
			x[k] -= s->lu[i * n + k] * x[i];
	for (size_t k = n; k-- > 0;) {
		double t = x[s->swaps[k]];

		x[s->swaps[k]] = x[k];
		x[k] = t;
	}
}

/* All changes together must give the known change of calls; where rounding is greater than that, or
 * nothing comes in from outside that could have been passed, the system says nothing. */
static bool
is_solvable(const struct carry *c, const struct carry_component *s, const uint32_t *place)
{
	double *x = xcalloc(s->nr, sizeof(*x)), most = 0, wrong = 0;

	for (size_t i = 0; i < s->nr; i++)
		x[i] = more_calls(c, s->members[i]);
	for (size_t i = 0; i < s->nr; i++) {
		uint32_t p = s->members[i];

		for (size_t k = c->first[p]; k < c->first[p + 1]; k++)
			if (c->component[c->arcs[k].callee] == c->component[p])
				x[place[c->arcs[k].callee]] -= c->arcs[k].passed;
	}
	solve(s, x);
	for (size_t i = 0; i < s->nr; i++) {
		double more = more_calls(c, s->members[i]);

		most = fmax(most, fabs(more));
		wrong = fmax(wrong, fabs(x[i] - more));
	}
	free(x);
	return wrong <= 1e-9 * most;
}

/* Nothing is passed within a component: what changes there begins there. */
static void
condense(struct carry *c, const struct carry_component *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		uint32_t p = s->members[i];

		for (size_t k = c->first[p]; k < c->first[p + 1]; k++)
			if (c->component[c->arcs[k].callee] == c->component[p])
				c->arcs[k].passed = 0;
	}
}

static bool
passes_within(const struct carry *c, const struct carry_component *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		uint32_t p = s->members[i];

		for (size_t k = c->first[p]; k < c->first[p + 1]; k++)
			if (c->arcs[k].passed != 0 &&
			    c->component[c->arcs[k].callee] == c->component[p])
				return true;
	}
	return false;
}

static void
prepare(struct carry *c, struct carry_component *s, uint32_t *place)
{
	if (!passes_within(c, s))
		return;
	if (s->nr > MOST_MEMBERS) {
		condense(c, s);
		return;
	}
	for (size_t i = 0; i < s->nr; i++)
		place[s->members[i]] = (uint32_t)i;
	s->lu = xcalloc(s->nr * s->nr, sizeof(*s->lu));
	s->swaps = xcalloc(s->nr, sizeof(*s->swaps));
	fill(c, s, place, s->lu);
	if (factor(s->lu, s->swaps, s->nr) && is_solvable(c, s, place))
		return;
	condense(c, s);
	free(s->lu);
	s->lu = NULL;
}

static void
gather(struct carry *c)
{
	uint32_t *members = xcalloc(c->nr, sizeof(*members));
	size_t at = 0;

	c->components = xcalloc(c->nr_components, sizeof(*c->components));
	for (size_t p = 0; p < c->nr; p++)
		c->components[c->component[p]].nr++;
	for (size_t i = 0; i < c->nr_components; i++) {
		c->components[i].members = members + at;
		at += c->components[i].nr;
		c->components[i].nr = 0;
	}
	for (uint32_t p = 0; p < c->nr; p++) {
		struct carry_component *s = &c->components[c->component[p]];

		s->members[s->nr++] = p;
	}
}

void
carry_open(struct carry *c)
{
	uint32_t *place = xcalloc(c->nr, sizeof(*place));
	size_t nr;

	find_arcs(c);
	c->cycle = find_components(c, is_called, &nr);
	find_passed(c);
	c->component = find_components(c, is_passed, &c->nr_components);
	gather(c);
	for (size_t i = 0; i < c->nr_components; i++)
		prepare(c, &c->components[i], place);
	free(place);
	c->y = xcalloc(c->nr, sizeof(*c->y));
	c->reached = xcalloc(c->nr, sizeof(*c->reached));
	c->heap = xcalloc(c->nr_components, sizeof(*c->heap));
	c->waiting = xcalloc(c->nr_components, sizeof(*c->waiting));
}

void
carry_release(struct carry *c)
{
	for (size_t i = 0; c->components && i < c->nr_components; i++) {
		free(c->components[i].lu);
		free(c->components[i].swaps);
	}
	if (c->components && c->nr_components)
		free(c->components[0].members);
	free(c->components);
	free(c->first);
	free(c->cycle);
	free(c->component);
	free(c->y);
	free(c->reached);
	free(c->heap);
	free(c->waiting);
}

/* ---- changes ---- */

/* The components that have something to carry, the greatest number, so the callers, first. */
static void
heap_add(struct carry *c, uint32_t component)
{
	size_t i;

	if (c->waiting[component])
		return;
	c->waiting[component] = true;
	for (i = c->nr_heap++; i && c->heap[(i - 1) / 2] < component; i = (i - 1) / 2)
		c->heap[i] = c->heap[(i - 1) / 2];
	c->heap[i] = component;
}

static uint32_t
heap_take(struct carry *c)
{
	uint32_t top = c->heap[0], last = c->heap[--c->nr_heap];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < c->nr_heap) {
		k += k + 1 < c->nr_heap && c->heap[k + 1] > c->heap[k];
		if (c->heap[k] <= last)
			break;
		c->heap[i] = c->heap[k];
		i = k;
	}
	c->heap[i] = last;
	c->waiting[top] = false;
	return top;
}

void
carry_begin(struct carry *c)
{
	for (size_t i = 0; i < c->nr_reached; i++)
		c->y[c->reached[i]] = 0;
	c->nr_reached = 0;
}

void
carry_add(struct carry *c, uint32_t procedure, double o)
{
	c->y[procedure] += o;
	heap_add(c, c->component[procedure]);
}

static void
solve_component(struct carry *c, const struct carry_component *s)
{
	double one[1], *x = s->nr > 1 ? xcalloc(s->nr, sizeof(*x)) : one;

	for (size_t i = 0; i < s->nr; i++)
		x[i] = c->y[s->members[i]];
	solve(s, x);
	for (size_t i = 0; i < s->nr; i++)
		c->y[s->members[i]] = x[i];
	if (x != one)
		free(x);
}

void
carry_spread(struct carry *c)
{
	while (c->nr_heap) {
		uint32_t number = heap_take(c);
		const struct carry_component *s = &c->components[number];

		if (s->lu)
			solve_component(c, s);
		for (size_t i = 0; i < s->nr; i++) {
			uint32_t p = s->members[i];

			if (c->y[p] == 0)
				continue;
			c->reached[c->nr_reached++] = p;
			for (size_t k = c->first[p]; k < c->first[p + 1]; k++) {
				const struct carry_arc *a = &c->arcs[k];

				if (a->passed != 0 && c->component[a->callee] != number)
					carry_add(c, a->callee,
						  c->y[p] * (a->passed / more_calls(c, p)));
			}
		}
	}
}

void
carry_prices(const struct carry *c, const double *phi, double *price)
{
	for (size_t n = 0; n < c->nr_components; n++) {
		const struct carry_component *s = &c->components[n];
		double one[1], *x = s->nr > 1 ? xcalloc(s->nr, sizeof(*x)) : one;

		for (size_t i = 0; i < s->nr; i++) {
			uint32_t p = s->members[i];

			x[i] = phi[p];
			for (size_t k = c->first[p]; k < c->first[p + 1]; k++) {
				const struct carry_arc *a = &c->arcs[k];

				if (a->passed != 0 && c->component[a->callee] != n)
					x[i] += a->passed / more_calls(c, p) * price[a->callee];
			}
		}
		if (s->lu)
			solve_transposed(s, x);
		for (size_t i = 0; i < s->nr; i++)
			price[s->members[i]] = x[i];
		if (x != one)
			free(x);
	}
}
