/* Calls become arcs, arcs become components. See callgraph.h. */
#include "flow/callgraph.h"

#include <string.h>

#include "flow/array.h"
#include "util/order.h"

typedef unsigned __int128 wide;

struct sorting { const struct flow_call *calls; };

/* Orders calls by caller and callee; equal ones stay in the order of the input. */
static int
call_compare(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct flow_call *x = &s->calls[i], *y = &s->calls[k];

	COMPARE(x->caller, y->caller);
	COMPARE(x->callee, y->callee);
	return i < k ? -1 : i > k;
}

/* A pair of procedures, and where its calls stand in the sorted order. */
struct pair { uint32_t caller, earliest; size_t first, end; };

static int
pair_compare(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	COMPARE(x->caller, y->caller);
	return x->earliest < y->earliest ? -1 : x->earliest > y->earliest;
}

static size_t
find_pairs(const struct flow_call *calls, const uint32_t *sorted, size_t nr, struct pair *pairs)
{
	const struct flow_call *c, *before;
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		c = &calls[sorted[i]];
		before = i ? &calls[sorted[i - 1]] : NULL;
		if (!before || before->caller != c->caller || before->callee != c->callee)
			pairs[n++] = (struct pair){ c->caller, sorted[i], i, i };
		pairs[n - 1].end = i + 1;
	}
	return n;
}

/* Arcs in the order in which their callers' text makes the calls: that of the input. */
static void
store_arcs(struct call_graph *g, const struct flow_call *calls, const uint32_t *sorted,
	   const struct pair *pairs)
{
	struct flow_call *a;
	size_t n = 0;

	for (size_t i = 0; i < g->nr_arcs; i++) {
		a = &g->arcs[i];
		*a = (struct flow_call){ pairs[i].caller, calls[pairs[i].earliest].callee, 0 };
		g->first[i] = n;
		for (size_t k = pairs[i].first; k < pairs[i].end; k++) {
			g->order[n++] = sorted[k];
			a->count = add_saturated(a->count, calls[sorted[k]].count);
		}
		g->start[a->caller + 1]++;
	}
	g->first[g->nr_arcs] = n;
	for (size_t p = 0; p < g->nr; p++)
		g->start[p + 1] += g->start[p];
}

static enum flow_status
make_arcs(struct call_graph *g, const struct flow_call *calls)
{
	uint32_t *sorted = array_raw(g->nr_calls, sizeof(*sorted));
	struct pair *pairs = array_raw(g->nr_calls, sizeof(*pairs));
	struct sorting sorting = { calls };
	enum flow_status status = FLOW_NO_MEMORY;

	if (!sorted || !pairs)
		goto out;
	for (size_t i = 0; i < g->nr_calls; i++)
		sorted[i] = (uint32_t)i;
	qsort_r(sorted, g->nr_calls, sizeof(*sorted), call_compare, &sorting);
	g->nr_arcs = find_pairs(calls, sorted, g->nr_calls, pairs);
	qsort(pairs, g->nr_arcs, sizeof(*pairs), pair_compare);
	g->arcs = array_raw(g->nr_arcs, sizeof(*g->arcs));
	g->first = array_raw(g->nr_arcs, sizeof(*g->first));
	if (!g->arcs || !g->first)
		goto out;
	store_arcs(g, calls, sorted, pairs);
	status = FLOW_OK;
out:
	free(sorted);
	free(pairs);
	return status;
}

/* ---- strongly connected components: Tarjan's algorithm with its own stack ---- */

enum { NO_COMPONENT = UINT32_MAX };

struct tarjan {
	uint32_t *index, *low;   /* 0: not seen */
	uint32_t *open;          /* procedures seen whose component is not known yet */
	uint32_t *path;          /* the depth-first path */
	size_t *next;            /* per procedure: its next arc to follow */
	size_t nr_open, depth;
	uint32_t count;
};

static void
tarjan_enter(struct tarjan *t, const struct call_graph *g, uint32_t p)
{
	t->index[p] = t->low[p] = ++t->count;
	t->next[p] = g->start[p];
	t->open[t->nr_open++] = p;
	t->path[t->depth++] = p;
}

static void
tarjan_leave(struct tarjan *t, struct call_graph *g, uint32_t p)
{
	uint32_t q;

	t->depth--;
	if (t->depth && t->low[p] < t->low[t->path[t->depth - 1]])
		t->low[t->path[t->depth - 1]] = t->low[p];
	if (t->low[p] != t->index[p])
		return;
	do {
		q = t->open[--t->nr_open];
		g->component[q] = (uint32_t)g->nr_components;
	} while (q != p);
	g->nr_components++;
}

static void
tarjan_walk(struct tarjan *t, struct call_graph *g, uint32_t root)
{
	uint32_t p, q;

	tarjan_enter(t, g, root);
	while (t->depth) {
		p = t->path[t->depth - 1];
		if (t->next[p] == g->start[p + 1]) {
			tarjan_leave(t, g, p);
			continue;
		}
		q = g->arcs[t->next[p]++].callee;
		if (!t->index[q])
			tarjan_enter(t, g, q);
		else if (g->component[q] == NO_COMPONENT && t->index[q] < t->low[p])
			t->low[p] = t->index[q];
	}
}

static enum flow_status
find_components(struct call_graph *g)
{
	struct tarjan t = { 0 };
	enum flow_status status = FLOW_NO_MEMORY;

	t.index = array_new(g->nr, sizeof(*t.index));
	t.low = array_new(g->nr, sizeof(*t.low));
	t.open = array_raw(g->nr, sizeof(*t.open));
	t.path = array_raw(g->nr, sizeof(*t.path));
	t.next = array_raw(g->nr, sizeof(*t.next));
	if (!t.index || !t.low || !t.open || !t.path || !t.next)
		goto out;
	memset(g->component, 0xff, (g->nr + 1) * sizeof(*g->component));
	for (size_t p = 0; p < g->nr; p++)
		if (!t.index[p])
			tarjan_walk(&t, g, (uint32_t)p);
	status = FLOW_OK;
out:
	free(t.index);
	free(t.low);
	free(t.open);
	free(t.path);
	free(t.next);
	return status;
}

enum flow_status
call_graph_init(struct call_graph *g, size_t nr, const struct flow_call *calls, size_t nr_calls)
{
	enum flow_status status;

	*g = (struct call_graph){ .nr = nr, .nr_calls = nr_calls };
	if (nr >= UINT32_MAX || nr_calls >= UINT32_MAX)
		return FLOW_BAD_INPUT;
	for (size_t i = 0; i < nr_calls; i++)
		if (calls[i].caller >= nr || calls[i].callee >= nr)
			return FLOW_BAD_INPUT;
	g->order = array_raw(nr_calls, sizeof(*g->order));
	g->start = array_new(nr, sizeof(*g->start));
	g->component = array_raw(nr, sizeof(*g->component));
	if (!g->order || !g->start || !g->component)
		return FLOW_NO_MEMORY;
	status = make_arcs(g, calls);
	return status ? status : find_components(g);
}

void
call_graph_release(struct call_graph *g)
{
	free(g->arcs);
	free(g->order);
	free(g->first);
	free(g->start);
	free(g->component);
	*g = (struct call_graph){ .nr = 0 };
}

/* ---- what all rules for times need ---- */

uint64_t
time_share(uint64_t total, wide calls, wide entries)
{
	while (entries > UINT64_MAX) {
		entries >>= 1;
		calls >>= 1;
	}
	return entries ? (uint64_t)((wide)total * calls / entries) : 0;
}

enum flow_status
time_check_sum(const uint64_t *self_ns, size_t nr)
{
	uint64_t sum = 0;

	for (size_t p = 0; p < nr; p++)
		if (__builtin_add_overflow(sum, self_ns[p], &sum))
			return FLOW_BAD_INPUT;
	return FLOW_OK;
}
