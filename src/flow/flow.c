/* First form: what follows by peeling is solved; the rest gets the paper's even split, repaired along
 * alternating paths so that every sum holds. */
#include "flow/flow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The bipartite graph: sites 0 .. S-1, procedures S .. S+P-1, outside last (it has no equation). */
struct graph {
	const struct flow_problem *problem;
	size_t nr_nodes, nr_arcs;
	uint32_t outside;
	uint32_t *order;      /* arcs by site and procedure; duplicates stand together */
	uint32_t *from, *to;  /* nodes, per unique arc */
	uint32_t *unique;     /* per arc of the problem */
	uint32_t *start, *near; /* arcs at each node */
	uint32_t *degree;     /* open arcs at each node */
	bool *open;
	uint64_t *x, *rest;   /* count per arc, what is left per node */
	uint32_t *queue, *by; /* queue of nodes; arc by which a search came */
};

static const struct flow_arc *compared;

static int
arc_compare(const void *a, const void *b)
{
	const struct flow_arc *x = &compared[*(const uint32_t *)a], *y = &compared[*(const uint32_t *)b];

	if (x->site != y->site)
		return (uint32_t)x->site < (uint32_t)y->site ? -1 : 1;
	return (uint32_t)x->procedure < (uint32_t)y->procedure ? -1 : x->procedure != y->procedure;
}

static enum flow_status
check(const struct flow_problem *p)
{
	if (p->nr_arcs >= UINT32_MAX / 4 || p->nr_sites >= INT32_MAX || p->nr_procedures >= INT32_MAX)
		return FLOW_BAD_INPUT;
	for (size_t i = 0; i < p->nr_arcs; i++) {
		const struct flow_arc *a = &p->arcs[i];

		if (a->site < FLOW_OUTSIDE || (a->site >= 0 && (size_t)a->site >= p->nr_sites) ||
		    a->procedure < FLOW_OUTSIDE ||
		    (a->procedure >= 0 && (size_t)a->procedure >= p->nr_procedures) ||
		    (a->site == FLOW_OUTSIDE && a->procedure == FLOW_OUTSIDE))
			return FLOW_BAD_INPUT;
	}
	return FLOW_OK;
}

static enum flow_status
allocate(struct graph *g)
{
	size_t nodes = g->nr_nodes + 1, arcs = g->problem->nr_arcs + 1;

	g->order = malloc(arcs * sizeof(*g->order));
	g->from = malloc(arcs * sizeof(*g->from));
	g->to = malloc(arcs * sizeof(*g->to));
	g->unique = malloc(arcs * sizeof(*g->unique));
	g->start = calloc(nodes + 1, sizeof(*g->start));
	g->near = malloc(2 * arcs * sizeof(*g->near));
	g->degree = calloc(nodes, sizeof(*g->degree));
	g->open = calloc(arcs, sizeof(*g->open));
	g->x = calloc(arcs, sizeof(*g->x));
	g->rest = calloc(nodes, sizeof(*g->rest));
	g->queue = malloc((nodes + 2 * arcs) * sizeof(*g->queue));
	g->by = malloc(nodes * sizeof(*g->by));
	return g->order && g->from && g->to && g->unique && g->start && g->near && g->degree &&
	       g->open && g->x && g->rest && g->queue && g->by ? FLOW_OK : FLOW_NO_MEMORY;
}

static void
release(struct graph *g)
{
	void *all[] = { g->order, g->from, g->to, g->unique, g->start, g->near, g->degree, g->open,
			g->x, g->rest, g->queue, g->by };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		free(all[i]);
}

static void
build(struct graph *g)
{
	const struct flow_problem *p = g->problem;

	for (size_t i = 0; i < p->nr_arcs; i++)
		g->order[i] = (uint32_t)i;
	compared = p->arcs;
	qsort(g->order, p->nr_arcs, sizeof(*g->order), arc_compare);
	for (size_t i = 0; i < p->nr_arcs; i++) {
		const struct flow_arc *a = &p->arcs[g->order[i]];

		if (!i || arc_compare(&g->order[i - 1], &g->order[i])) {
			g->from[g->nr_arcs] = a->site < 0 ? g->outside : (uint32_t)a->site;
			g->to[g->nr_arcs] = a->procedure < 0 ? g->outside :
					    (uint32_t)(p->nr_sites + (size_t)a->procedure);
			g->nr_arcs++;
		}
		g->unique[g->order[i]] = (uint32_t)(g->nr_arcs - 1);
	}
	for (size_t e = 0; e < g->nr_arcs; e++) {
		g->open[e] = true;
		g->degree[g->from[e]]++;
		g->degree[g->to[e]]++;
	}
	for (size_t v = 0; v < g->nr_nodes; v++)
		g->start[v + 1] = g->start[v] + g->degree[v];
	for (size_t e = g->nr_arcs; e-- > 0; ) {
		g->near[g->start[g->from[e]] + --g->degree[g->from[e]]] = (uint32_t)e;
		g->near[g->start[g->to[e]] + --g->degree[g->to[e]]] = (uint32_t)e;
	}
	for (size_t v = 0; v < g->nr_nodes; v++)
		g->degree[v] = g->start[v + 1] - g->start[v];
	for (size_t i = 0; i < p->nr_sites; i++)
		g->rest[i] = p->site_count[i];
	for (size_t j = 0; j < p->nr_procedures; j++)
		g->rest[p->nr_sites + j] = p->procedure_count[j];
}

static uint64_t
least(const struct graph *g, uint32_t e)
{
	uint64_t r = g->from[e] == g->outside ? UINT64_MAX : g->rest[g->from[e]];
	uint64_t c = g->to[e] == g->outside ? UINT64_MAX : g->rest[g->to[e]];

	return r < c ? r : c;
}

static void
add(struct graph *g, uint32_t e, uint64_t n)
{
	g->x[e] += n;
	if (g->from[e] != g->outside)
		g->rest[g->from[e]] -= n;
	if (g->to[e] != g->outside)
		g->rest[g->to[e]] -= n;
}

/* A node with one open arc, or with nothing left, settles its arcs. */
static void
peel(struct graph *g)
{
	size_t n = 0;

	for (uint32_t v = 0; v < g->outside; v++)
		if (g->degree[v] && (g->degree[v] == 1 || !g->rest[v]))
			g->queue[n++] = v;
	for (size_t i = 0; i < n; i++) {
		uint32_t v = g->queue[i], w, e;

		for (uint32_t k = g->start[v]; k < g->start[v + 1]; k++) {
			e = g->near[k];
			if (!g->open[e] || (g->degree[v] > 1 && g->rest[v]))
				continue;
			w = g->from[e] == v ? g->to[e] : g->from[e];
			if (g->degree[v] == 1)
				add(g, e, least(g, e));
			g->open[e] = false;
			g->degree[v]--;
			g->degree[w]--;
			if (w != g->outside && g->degree[w] && (g->degree[w] == 1 || !g->rest[w]))
				g->queue[n++] = w;
		}
	}
}

/* The paper's rule: the smaller end's count divided by its arcs. */
static void
split_evenly(struct graph *g)
{
	uint64_t r, c, n, m;

	for (uint32_t e = 0; e < g->nr_arcs; e++) {
		if (!g->open[e])
			continue;
		r = g->from[e] == g->outside ? UINT64_MAX : g->rest[g->from[e]];
		c = g->to[e] == g->outside ? UINT64_MAX : g->rest[g->to[e]];
		n = r < c ? r / g->degree[g->from[e]] : c / g->degree[g->to[e]];
		m = least(g, e);
		add(g, e, n < m ? n : m);
		g->degree[g->from[e]]--;
		g->degree[g->to[e]]--;
	}
}

/* Breadth first from V along open arcs (back only where there is something to take back) to a node
 * with something left on the other side, or to outside. UINT32_MAX: none. */
static uint32_t
search(struct graph *g, uint32_t v, bool from_site)
{
	size_t head = 0, tail = 0;

	memset(g->by, 0xff, g->nr_nodes * sizeof(*g->by));
	g->queue[tail++] = v;
	while (head < tail) {
		uint32_t u = g->queue[head++], w, e;
		bool is_site = u < g->problem->nr_sites;

		if (u != v && (u == g->outside || (is_site != from_site && g->rest[u])))
			return u;
		for (uint32_t k = g->start[u]; k < g->start[u + 1]; k++) {
			e = g->near[k];
			w = g->from[e] == u ? g->to[e] : g->from[e];
			if (!g->open[e] || w == v || g->by[w] != UINT32_MAX ||
			    (is_site != from_site && !g->x[e]))
				continue;
			g->by[w] = e;
			g->queue[tail++] = w;
		}
	}
	return UINT32_MAX;
}

static bool
improve(struct graph *g, uint32_t v)
{
	bool from_site = v < g->problem->nr_sites;
	uint32_t end = search(g, v, from_site), u, e;
	uint64_t n = g->rest[v];
	bool forward = true;

	if (end == UINT32_MAX)
		return false;
	if (end != g->outside && g->rest[end] < n)
		n = g->rest[end];
	for (u = end; u != v; u = g->from[e] == u ? g->to[e] : g->from[e]) {
		e = g->by[u];
		forward = from_site ? g->to[e] == u : g->from[e] == u;
		if (!forward && g->x[e] < n)
			n = g->x[e];
	}
	for (u = end; u != v; u = g->from[e] == u ? g->to[e] : g->from[e]) {
		e = g->by[u];
		forward = from_site ? g->to[e] == u : g->from[e] == u;
		g->x[e] = forward ? g->x[e] + n : g->x[e] - n;
	}
	g->rest[v] -= n;
	if (end != g->outside)
		g->rest[end] -= n;
	return true;
}

static enum flow_status
result_fill(const struct graph *g, struct flow_result *r)
{
	const struct flow_problem *p = g->problem;

	for (size_t i = 0; i < p->nr_arcs; i++) {
		uint32_t e = g->unique[i];
		const struct flow_arc *a = &p->arcs[i];
		uint64_t s = a->site < 0 ? UINT64_MAX : p->site_count[a->site];
		uint64_t c = a->procedure < 0 ? UINT64_MAX : p->procedure_count[a->procedure];

		r->count[i] = r->lo[i] = r->hi[i] = g->x[e];
		r->how[i] = FLOW_SOLVED;
		if (!g->open[e])
			continue;
		r->how[i] = FLOW_ESTIMATED;
		r->lo[i] = 0;
		r->hi[i] = s < c ? s : c;
	}
	memcpy(r->site_residual, g->rest, p->nr_sites * sizeof(*g->rest));
	memcpy(r->procedure_residual, g->rest + p->nr_sites, p->nr_procedures * sizeof(*g->rest));
	return FLOW_OK;
}

static enum flow_status
result_allocate(struct flow_result *r, const struct flow_problem *p)
{
	memset(r, 0, sizeof(*r));
	r->count = malloc((p->nr_arcs + 1) * sizeof(*r->count));
	r->lo = malloc((p->nr_arcs + 1) * sizeof(*r->lo));
	r->hi = malloc((p->nr_arcs + 1) * sizeof(*r->hi));
	r->how = malloc(p->nr_arcs + 1);
	r->site_residual = malloc((p->nr_sites + 1) * sizeof(*r->site_residual));
	r->procedure_residual = malloc((p->nr_procedures + 1) * sizeof(*r->procedure_residual));
	return r->count && r->lo && r->hi && r->how && r->site_residual && r->procedure_residual ?
	       FLOW_OK : FLOW_NO_MEMORY;
}

enum flow_status
flow_solve(const struct flow_problem *problem, const struct flow_options *options,
	   struct flow_result *result)
{
	struct graph g = { .problem = problem };
	enum flow_status status;

	(void)options;
	memset(result, 0, sizeof(*result));
	status = check(problem);
	if (status)
		return status;
	g.outside = (uint32_t)(problem->nr_sites + problem->nr_procedures);
	g.nr_nodes = g.outside + 1;
	status = result_allocate(result, problem);
	if (!status)
		status = allocate(&g);
	if (!status) {
		build(&g);
		peel(&g);
		split_evenly(&g);
		for (uint32_t v = 0; v < g.outside; v++)
			while (g.rest[v] && improve(&g, v))
				;
		status = result_fill(&g, result);
	}
	release(&g);
	if (status)
		flow_result_release(result);
	return status;
}

void
flow_result_release(struct flow_result *r)
{
	free(r->count);
	free(r->lo);
	free(r->hi);
	free(r->how);
	free(r->site_residual);
	free(r->procedure_residual);
	memset(r, 0, sizeof(*r));
}
