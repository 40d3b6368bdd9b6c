/* Aggregate time by gprof's rule: Graham, Kessler and McKusick (1982), section 4. Strongly
 * connected procedures are one node; the time of a node is carried to its callers in proportion to
 * their calls from outside the node. Whole nanoseconds, none lost: what comes from outside keeps
 * the rest. */
#include "flow/flow.h"

#include <string.h>

#include "flow/array.h"

typedef unsigned __int128 wide;

/* The call graph: arcs grouped by caller, equal ones merged, and the components of it. */
struct call_graph {
	size_t nr, nr_arcs;
	struct flow_call *arcs;   /* sorted by caller, then callee; one per pair */
	size_t *start;            /* per procedure + 1: its arcs as caller */
	uint32_t *component;      /* per procedure; callees' components have lower numbers */
	size_t nr_components;
};

static int
call_compare(const void *a, const void *b)
{
	const struct flow_call *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static uint64_t
add_saturated(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static void
merge_equal(struct call_graph *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->nr_arcs; i++) {
		if (n && !call_compare(&g->arcs[n - 1], &g->arcs[i]))
			g->arcs[n - 1].count =
				add_saturated(g->arcs[n - 1].count, g->arcs[i].count);
		else
			g->arcs[n++] = g->arcs[i];
	}
	g->nr_arcs = n;
}

static enum flow_status
call_graph_build(struct call_graph *g, size_t nr, const struct flow_call *calls, size_t nr_calls)
{
	for (size_t i = 0; i < nr_calls; i++)
		if (calls[i].caller >= nr || calls[i].callee >= nr)
			return FLOW_BAD_INPUT;
	g->nr = nr;
	g->nr_arcs = nr_calls;
	g->arcs = array_raw(nr_calls, sizeof(*g->arcs));
	g->start = array_new(nr, sizeof(*g->start));
	g->component = array_raw(nr, sizeof(*g->component));
	if (!g->arcs || !g->start || !g->component)
		return FLOW_NO_MEMORY;
	if (nr_calls)
		memcpy(g->arcs, calls, nr_calls * sizeof(*calls));
	qsort(g->arcs, nr_calls, sizeof(*g->arcs), call_compare);
	merge_equal(g);
	for (size_t i = 0; i < g->nr_arcs; i++)
		g->start[g->arcs[i].caller + 1]++;
	for (size_t p = 0; p < nr; p++)
		g->start[p + 1] += g->start[p];
	return FLOW_OK;
}

static void
call_graph_release(struct call_graph *g)
{
	free(g->arcs);
	free(g->start);
	free(g->component);
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

/* ---- cycles: components of two or more, numbered by their first member ---- */

static enum flow_status
number_cycles(const struct call_graph *g, struct flow_time *out)
{
	uint32_t *members = array_new(g->nr_components, sizeof(*members));
	uint32_t *number = array_new(g->nr_components, sizeof(*number));
	enum flow_status status = FLOW_NO_MEMORY;
	uint32_t k;

	if (!members || !number)
		goto out;
	for (size_t p = 0; p < g->nr; p++)
		members[g->component[p]]++;
	for (size_t p = 0; p < g->nr; p++) {
		k = g->component[p];
		if (members[k] < 2)
			continue;
		if (!number[k])
			number[k] = (uint32_t)++out->nr_cycles;
		out->cycle[p] = number[k];
	}
	out->cycle_total_ns = array_new(out->nr_cycles, sizeof(*out->cycle_total_ns));
	if (out->cycle_total_ns)
		status = FLOW_OK;
out:
	free(members);
	free(number);
	return status;
}

/* ---- carrying time from callees to callers ---- */

struct carry {
	wide *entries;        /* per component: calls into it from outside of it */
	wide *arcs_in;        /* per component: those of them that have a caller */
	uint64_t *total_ns;   /* per component: self and inherited time of its members so far */
	size_t *order;        /* arcs between components, by component of the callee */
	size_t nr_order;
};

/* Calls within a component carry no time and do not count as entries. Entries fewer than the calls
 * (counts that do not fit) must not carry more time than there is. */
static void
count_entries(const struct call_graph *g, const uint64_t *entries, struct carry *c)
{
	wide *inner = c->arcs_in;
	uint32_t k;

	for (size_t p = 0; p < g->nr; p++)
		c->entries[g->component[p]] += entries[p];
	for (size_t i = 0; i < g->nr_arcs; i++)
		if (g->component[g->arcs[i].caller] == g->component[g->arcs[i].callee])
			inner[g->component[g->arcs[i].caller]] += g->arcs[i].count;
	for (k = 0; k < g->nr_components; k++) {
		c->entries[k] -= inner[k] < c->entries[k] ? inner[k] : c->entries[k];
		c->arcs_in[k] = 0;
	}
	for (size_t i = 0; i < g->nr_arcs; i++)
		if (g->component[g->arcs[i].caller] != g->component[g->arcs[i].callee])
			c->arcs_in[g->component[g->arcs[i].callee]] += g->arcs[i].count;
	for (k = 0; k < g->nr_components; k++)
		if (c->entries[k] < c->arcs_in[k])
			c->entries[k] = c->arcs_in[k];
}

/* Callers have higher component numbers than their callees: sorted by the callee's component,
 * highest last, every component is complete when its turn comes. A counting sort keeps arc order.
 */
static enum flow_status
order_arcs(const struct call_graph *g, struct carry *c)
{
	size_t *start = array_new(g->nr_components + 1, sizeof(*start));
	const struct flow_call *a;

	if (!start)
		return FLOW_NO_MEMORY;
	for (size_t i = 0; i < g->nr_arcs; i++) {
		a = &g->arcs[i];
		if (g->component[a->caller] != g->component[a->callee])
			start[g->component[a->callee] + 1]++;
	}
	for (size_t k = 0; k < g->nr_components; k++)
		start[k + 1] += start[k];
	c->nr_order = start[g->nr_components];
	for (size_t i = 0; i < g->nr_arcs; i++) {
		a = &g->arcs[i];
		if (g->component[a->caller] != g->component[a->callee])
			c->order[start[g->component[a->callee]]++] = i;
	}
	free(start);
	return FLOW_OK;
}

/* Share of TOTAL that goes with the first CALLS of ENTRIES. */
static uint64_t
share(uint64_t total, wide calls, wide entries)
{
	while (entries > UINT64_MAX) {
		entries >>= 1;
		calls >>= 1;
	}
	return entries ? (uint64_t)((wide)total * calls / entries) : 0;
}

static void
carry_up(const struct call_graph *g, struct carry *c, struct flow_time *out)
{
	const struct flow_call *a;
	uint64_t before, after;
	wide calls = 0;
	uint32_t k, last = NO_COMPONENT;

	for (size_t i = 0; i < c->nr_order; i++) {
		a = &g->arcs[c->order[i]];
		k = g->component[a->callee];
		if (k != last)
			calls = 0;
		last = k;
		before = share(c->total_ns[k], calls, c->entries[k]);
		calls += a->count;
		after = share(c->total_ns[k], calls, c->entries[k]);
		c->total_ns[g->component[a->caller]] += after - before;
		out->total_ns[a->caller] += after - before;
		out->outside_ns -= after - before;
	}
}

static enum flow_status
carry_time(const struct call_graph *g, const uint64_t *self_ns, const uint64_t *entries,
	   struct flow_time *out)
{
	struct carry c = { 0 };
	enum flow_status status = FLOW_NO_MEMORY;

	c.entries = array_new(g->nr_components, sizeof(*c.entries));
	c.arcs_in = array_new(g->nr_components, sizeof(*c.arcs_in));
	c.total_ns = array_new(g->nr_components, sizeof(*c.total_ns));
	c.order = array_raw(g->nr_arcs, sizeof(*c.order));
	if (!c.entries || !c.arcs_in || !c.total_ns || !c.order || order_arcs(g, &c))
		goto out;
	count_entries(g, entries, &c);
	for (size_t p = 0; p < g->nr; p++) {
		out->total_ns[p] = self_ns[p];
		c.total_ns[g->component[p]] += self_ns[p];
	}
	carry_up(g, &c, out);
	/* What no caller took is outside's: per component its total less what was carried up. */
	for (size_t k = 0; k < g->nr_components; k++)
		out->outside_ns += c.total_ns[k];
	for (size_t p = 0; p < g->nr; p++)
		if (out->cycle[p])
			out->cycle_total_ns[out->cycle[p] - 1] = c.total_ns[g->component[p]];
	status = FLOW_OK;
out:
	free(c.entries);
	free(c.arcs_in);
	free(c.total_ns);
	free(c.order);
	return status;
}

static enum flow_status
check_sum(const uint64_t *self_ns, size_t nr)
{
	uint64_t sum = 0;

	for (size_t p = 0; p < nr; p++)
		if (__builtin_add_overflow(sum, self_ns[p], &sum))
			return FLOW_BAD_INPUT;
	return FLOW_OK;
}

enum flow_status
flow_time(size_t nr_procedures, const uint64_t *self_ns, const uint64_t *entries,
	  const struct flow_call *calls, size_t nr_calls, struct flow_time *out)
{
	struct call_graph g = { 0 };
	enum flow_status status;

	memset(out, 0, sizeof(*out));
	if (nr_procedures >= NO_COMPONENT || check_sum(self_ns, nr_procedures))
		return FLOW_BAD_INPUT;
	out->total_ns = array_new(nr_procedures, sizeof(*out->total_ns));
	out->cycle = array_new(nr_procedures, sizeof(*out->cycle));
	status = out->total_ns && out->cycle ? FLOW_OK : FLOW_NO_MEMORY;
	if (!status)
		status = call_graph_build(&g, nr_procedures, calls, nr_calls);
	if (!status)
		status = find_components(&g);
	if (!status)
		status = number_cycles(&g, out);
	if (!status)
		status = carry_time(&g, self_ns, entries, out);
	call_graph_release(&g);
	if (status)
		flow_time_release(out);
	return status;
}

void
flow_time_release(struct flow_time *t)
{
	free(t->total_ns);
	free(t->cycle);
	free(t->cycle_total_ns);
	memset(t, 0, sizeof(*t));
}
