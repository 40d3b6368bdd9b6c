#include "flow/graph.h"

#include <stdbool.h>
#include <string.h>

#include "flow/array.h"
#include "util/order.h"

/* ---- the problem must make sense ---- */

static bool
in_range(int32_t node, size_t nr)
{
	return node == FLOW_OUTSIDE || (node >= 0 && (size_t)node < nr);
}

static enum flow_status
check_problem(const struct flow_problem *p)
{
	if (p->nr_arcs >= UINT32_MAX / 4 || p->nr_sites >= INT32_MAX ||
	    p->nr_procedures >= INT32_MAX)
		return FLOW_BAD_INPUT;
	for (size_t i = 0; i < p->nr_arcs; i++) {
		const struct flow_arc *a = &p->arcs[i];

		if (!in_range(a->site, p->nr_sites) || !in_range(a->procedure, p->nr_procedures) ||
		    (a->site == FLOW_OUTSIDE && a->procedure == FLOW_OUTSIDE))
			return FLOW_BAD_INPUT;
	}
	return FLOW_OK;
}

/* ---- numbers of nodes that do not depend on those in the problem ---- */

struct ranked { uint64_t count, key; uint32_t node; };

static int
ranked_compare(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	COMPARE(x->count, y->count);
	COMPARE(x->key, y->key);
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Nodes without calls have nothing to share: they come last, as they are. KEY may be NULL. Small
 * counts are first, as an arc of them has the least to choose from. */
static enum flow_status
number_nodes(uint32_t *number, uint32_t nr, const uint64_t *count, const uint64_t *key)
{
	struct ranked *called = array_raw(nr, sizeof(*called));
	uint32_t n = 0;

	if (!called)
		return FLOW_NO_MEMORY;
	for (uint32_t v = 0; v < nr; v++)
		if (count[v])
			called[n++] = (struct ranked){ count[v], key ? key[v] : v, v };
	qsort(called, n, sizeof(*called), ranked_compare);
	for (uint32_t i = 0; i < n; i++)
		number[called[i].node] = i;
	for (uint32_t v = 0; v < nr; v++)
		if (!count[v])
			number[v] = n++;
	free(called);
	return FLOW_OK;
}

static enum flow_status
number_all(struct graph *g)
{
	const struct flow_problem *p = g->problem;
	enum flow_status status = number_nodes(g->site_number, g->nr_sites, p->site_count,
					       p->site_key);

	return status ? status : number_nodes(g->procedure_number, g->nr_procedures,
					      p->procedure_count, p->procedure_key);
}

/* ---- sorting ---- */

typedef uint32_t (*graph_key)(const struct graph *, uint32_t arc);

/* Turn the numbers of elements START[k + 1] of each key into the first place of each. */
static void
sum_up(uint32_t *start, uint32_t nr)
{
	for (uint32_t k = 0; k < nr; k++)
		start[k + 1] += start[k];
}

/* Stable counting sort of FROM (NULL: all arcs in the problem's order) into TO. START holds the
 * first place of each key and is as it was afterwards. */
static void
sort_by(const struct graph *g, graph_key key, uint32_t nr_keys, uint32_t *start,
	const uint32_t *from, uint32_t *to)
{
	for (uint32_t i = 0; i < g->nr_arcs; i++) {
		uint32_t arc = from ? from[i] : i;

		to[start[key(g, arc)]++] = arc;
	}
	memmove(start + 1, start, nr_keys * sizeof(*start));
	start[0] = 0;
}

/* Sorts by procedure, then stably by site: by_site is in its final order; by_procedure gets its. */
static void
sort_arcs(struct graph *g)
{
	for (uint32_t i = 0; i < g->nr_arcs; i++) {
		g->site_start[graph_site(g, i) + 1]++;
		g->procedure_start[graph_procedure(g, i) + 1]++;
	}
	sum_up(g->site_start, g->nr_sites + 1);
	sum_up(g->procedure_start, g->nr_procedures + 1);
	sort_by(g, graph_procedure, g->nr_procedures + 1, g->procedure_start, NULL,
		g->by_procedure);
	sort_by(g, graph_site, g->nr_sites + 1, g->site_start, g->by_procedure, g->by_site);
	sort_by(g, graph_procedure, g->nr_procedures + 1, g->procedure_start, g->by_site,
		g->by_procedure);
}

static bool
same_ends(const struct graph *g, uint32_t a, uint32_t b)
{
	return g->problem->arcs[a].site == g->problem->arcs[b].site &&
	       g->problem->arcs[a].procedure == g->problem->arcs[b].procedure;
}

static void
mark_duplicates(struct graph *g)
{
	for (uint32_t i = 1; i < g->nr_arcs; i++)
		if (same_ends(g, g->by_site[i - 1], g->by_site[i]))
			g->state[g->by_site[i]] = GRAPH_DUPLICATE;
	for (uint32_t i = 0; i < g->nr_arcs; i++)
		g->nr_duplicates += g->state[i] == GRAPH_DUPLICATE;
	for (uint32_t i = 0; i < g->nr_arcs; i++) {
		uint32_t s = graph_site(g, i), p = graph_procedure(g, i);

		if (g->state[i] == GRAPH_DUPLICATE)
			continue;
		if (s < g->nr_sites)
			g->degree[s]++;
		if (p < g->nr_procedures)
			g->degree[g->nr_sites + p]++;
	}
}

static enum flow_status
allocate(struct graph *g)
{
	size_t s = g->nr_sites, p = g->nr_procedures;

	g->site_number = array_raw(s, sizeof(*g->site_number));
	g->procedure_number = array_raw(p, sizeof(*g->procedure_number));
	g->by_site = array_raw(g->nr_arcs, sizeof(*g->by_site));
	g->by_procedure = array_raw(g->nr_arcs, sizeof(*g->by_procedure));
	g->site_start = array_new(s + 2, sizeof(*g->site_start));
	g->procedure_start = array_new(p + 2, sizeof(*g->procedure_start));
	g->site_rest = array_new(s, sizeof(*g->site_rest));
	g->procedure_rest = array_new(p, sizeof(*g->procedure_rest));
	g->degree = array_new(s + p, sizeof(*g->degree));
	g->state = array_new(g->nr_arcs, sizeof(*g->state));
	return g->site_number && g->procedure_number && g->by_site && g->by_procedure &&
	       g->site_start && g->procedure_start && g->site_rest && g->procedure_rest &&
	       g->degree && g->state ? FLOW_OK : FLOW_NO_MEMORY;
}

enum flow_status
graph_init(struct graph *g, const struct flow_problem *problem, uint64_t *x)
{
	enum flow_status status;

	memset(g, 0, sizeof(*g));
	status = check_problem(problem);
	if (status)
		return status;
	g->problem = problem;
	g->nr_sites = (uint32_t)problem->nr_sites;
	g->nr_procedures = (uint32_t)problem->nr_procedures;
	g->nr_arcs = (uint32_t)problem->nr_arcs;
	g->x = x;
	status = allocate(g);
	if (!status)
		status = number_all(g);
	if (status)
		return status;
	memset(x, 0, problem->nr_arcs * sizeof(*x));
	for (uint32_t s = 0; s < g->nr_sites; s++)
		g->site_rest[g->site_number[s]] = problem->site_count[s];
	for (uint32_t p = 0; p < g->nr_procedures; p++)
		g->procedure_rest[g->procedure_number[p]] = problem->procedure_count[p];
	sort_arcs(g);
	mark_duplicates(g);
	return FLOW_OK;
}

void
graph_release(struct graph *g)
{
	free(g->site_number);
	free(g->procedure_number);
	free(g->by_site);
	free(g->by_procedure);
	free(g->site_start);
	free(g->procedure_start);
	free(g->site_rest);
	free(g->procedure_rest);
	free(g->degree);
	free(g->state);
	memset(g, 0, sizeof(*g));
}

/* ---- settling arcs ---- */

/* Returns the most that an arc can carry: the lesser of what its ends S and P have left. */
static uint64_t
least_rest(const struct graph *g, uint32_t s, uint32_t p)
{
	uint64_t r = s < g->nr_sites ? g->site_rest[s] : UINT64_MAX;
	uint64_t c = p < g->nr_procedures ? g->procedure_rest[p] : UINT64_MAX;

	return r < c ? r : c;
}

static void
settle(struct graph *g, uint32_t arc, uint64_t n)
{
	uint32_t s = graph_site(g, arc), p = graph_procedure(g, arc);

	g->state[arc] = GRAPH_SETTLED;
	g->x[arc] = n;
	if (s < g->nr_sites) {
		g->site_rest[s] -= n;
		g->degree[s]--;
	}
	if (p < g->nr_procedures) {
		g->procedure_rest[p] -= n;
		g->degree[g->nr_sites + p]--;
	}
}

static uint32_t
first_of_equals(const struct graph *g, uint32_t arc)
{
	uint32_t s = graph_site(g, arc), i;

	for (i = g->site_start[s]; i < g->site_start[s + 1]; i++)
		if (same_ends(g, g->by_site[i], arc))
			break;
	return g->by_site[i];
}

enum flow_status
graph_pin(struct graph *g, size_t arc, uint64_t n)
{
	uint32_t first;

	if (arc >= g->nr_arcs)
		return FLOW_BAD_PIN;
	first = first_of_equals(g, (uint32_t)arc);
	if (g->state[first] == GRAPH_SETTLED)
		return g->x[first] == n ? FLOW_OK : FLOW_BAD_PIN;
	if (n > least_rest(g, graph_site(g, first), graph_procedure(g, first)))
		return FLOW_BAD_PIN;
	settle(g, first, n);
	return FLOW_OK;
}

/* ---- peeling ---- */

struct peel {
	uint32_t *queue;  /* nodes to settle, each at most once: it leaves with no open arc */
	uint8_t *queued;
	uint32_t nr;
};

static uint64_t
node_rest(const struct graph *g, uint32_t v)
{
	return v < g->nr_sites ? g->site_rest[v] : g->procedure_rest[v - g->nr_sites];
}

static void
peel_consider(struct peel *q, const struct graph *g, uint32_t v)
{
	if (q->queued[v] || !g->degree[v] || (g->degree[v] > 1 && node_rest(g, v)))
		return;
	q->queued[v] = 1;
	q->queue[q->nr++] = v;
}

static void
peel_node(struct peel *q, struct graph *g, uint32_t v)
{
	bool is_site = v < g->nr_sites;
	uint32_t i = is_site ? g->site_start[v] : g->procedure_start[v - g->nr_sites];
	const uint32_t *arcs = is_site ? g->by_site : g->by_procedure;

	for (; g->degree[v]; i++) {
		uint32_t arc = arcs[i], s, p;

		if (g->state[arc] != GRAPH_OPEN)
			continue;
		s = graph_site(g, arc);
		p = graph_procedure(g, arc);
		settle(g, arc, least_rest(g, s, p));
		if (is_site && p < g->nr_procedures)
			peel_consider(q, g, g->nr_sites + p);
		if (!is_site && s < g->nr_sites)
			peel_consider(q, g, s);
	}
}

/* Before all others, as the order in which nodes without calls are found is that of the problem. */
static void
settle_uncalled(struct graph *g)
{
	for (uint32_t i = 0; i < g->nr_arcs; i++)
		if (g->state[i] == GRAPH_OPEN &&
		    !least_rest(g, graph_site(g, i), graph_procedure(g, i)))
			settle(g, i, 0);
}

enum flow_status
graph_peel(struct graph *g)
{
	uint32_t nr_nodes = g->nr_sites + g->nr_procedures;
	struct peel q = { 0 };
	enum flow_status status = FLOW_NO_MEMORY;

	q.queue = array_raw(nr_nodes, sizeof(*q.queue));
	q.queued = array_new(nr_nodes, sizeof(*q.queued));
	if (!q.queue || !q.queued)
		goto out;
	settle_uncalled(g);
	for (uint32_t v = 0; v < nr_nodes; v++)
		peel_consider(&q, g, v);
	for (uint32_t i = 0; i < q.nr; i++)
		peel_node(&q, g, q.queue[i]);
	status = FLOW_OK;
out:
	free(q.queue);
	free(q.queued);
	return status;
}

void
graph_copy_duplicates(const struct graph *g, struct flow_result *r)
{
	uint32_t first = 0;

	for (uint32_t i = 0; g->nr_duplicates && i < g->nr_arcs; i++) {
		uint32_t arc = g->by_site[i];

		if (g->state[arc] != GRAPH_DUPLICATE) {
			first = arc;
			continue;
		}
		r->count[arc] = r->count[first];
		r->lo[arc] = r->lo[first];
		r->hi[arc] = r->hi[first];
		r->how[arc] = r->how[first];
	}
}
