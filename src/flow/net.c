#include "flow/net.h"

#include <string.h>

#include "flow/array.h"

enum { NO_NODE = UINT32_MAX };

enum flow_status
net_init(struct net *net, uint32_t nodes, uint32_t arcs)
{
	memset(net, 0, sizeof(*net));
	net->nr_nodes = nodes;
	net->nr_arcs = arcs;
	net->from = array_new(arcs, sizeof(*net->from));
	net->to = array_new(arcs, sizeof(*net->to));
	net->start = array_new((size_t)nodes + 1, sizeof(*net->start));
	net->near = array_raw((size_t)arcs * 2, sizeof(*net->near));
	net->x = array_new(arcs, sizeof(*net->x));
	net->rest = array_new(nodes, sizeof(*net->rest));
	net->closed = array_new(arcs, sizeof(*net->closed));
	return net->from && net->to && net->start && net->near && net->x && net->rest &&
	       net->closed ? FLOW_OK : FLOW_NO_MEMORY;
}

void
net_release(struct net *net)
{
	free(net->from);
	free(net->to);
	free(net->start);
	free(net->near);
	free(net->x);
	free(net->rest);
	free(net->closed);
	memset(net, 0, sizeof(*net));
}

void
net_link(struct net *net)
{
	uint32_t *start = net->start;

	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		start[net->from[e] + 1]++;
		start[net->to[e] + 1]++;
	}
	for (uint32_t v = 0; v < net->nr_nodes; v++)
		start[v + 1] += start[v];
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		net->near[start[net->from[e]]++] = (struct net_near){ e, net->to[e] };
		net->near[start[net->to[e]]++] = (struct net_near){ e, net->from[e] };
	}
	memmove(start + 1, start, net->nr_nodes * sizeof(*start));
	start[0] = 0;
}

void
net_add(struct net *net, uint32_t arc, uint64_t n)
{
	uint32_t from = net->from[arc], to = net->to[arc];

	net->x[arc] += n;
	if (!net_is_outside(net, from))
		net->rest[from] -= n;
	if (!net_is_outside(net, to))
		net->rest[to] -= n;
}

uint64_t
net_least_rest(const struct net *net, uint32_t arc)
{
	uint32_t from = net->from[arc], to = net->to[arc];
	uint64_t r = net_is_outside(net, from) ? UINT64_MAX : net->rest[from];
	uint64_t c = net_is_outside(net, to) ? UINT64_MAX : net->rest[to];

	return r < c ? r : c;
}

uint64_t
net_total(const struct net *net, uint32_t v)
{
	uint64_t sum = 0;

	for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
		sum += net->x[net->near[k].arc];
	return sum;
}

/* ---- what peeling left over ---- */

struct number {
	uint32_t *site, *procedure;   /* node of each of the graph's, NO_NODE: settled */
	uint32_t *parent;             /* union-find: components without outside */
	uint32_t *outside;            /* per root of a component: its copy of outside */
};

static uint32_t
find_root(uint32_t *parent, uint32_t v)
{
	while (parent[v] != v) {
		parent[v] = parent[parent[v]];
		v = parent[v];
	}
	return v;
}

/* The smaller node becomes the root: the outcome does not depend on the order of the joins. */
static void
join(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = find_root(parent, a);
	b = find_root(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

static uint32_t
number_nodes(struct number *n, const struct graph *g, struct net *net)
{
	uint32_t v = 0;

	for (uint32_t s = 0; s < g->nr_sites; s++)
		n->site[s] = g->degree[s] ? v++ : NO_NODE;
	net->first_procedure = v;
	for (uint32_t p = 0; p < g->nr_procedures; p++)
		n->procedure[p] = g->degree[g->nr_sites + p] ? v++ : NO_NODE;
	net->first_outside = v;
	return v;
}

/* Components; the number of open arcs. */
static uint32_t
find_components(struct number *n, const struct graph *g, uint32_t nr_nodes)
{
	uint32_t arcs = 0;

	for (uint32_t v = 0; v < nr_nodes; v++) {
		n->parent[v] = v;
		n->outside[v] = NO_NODE;
	}
	for (uint32_t i = 0; i < g->nr_arcs; i++) {
		uint32_t s, p;

		if (g->state[i] != GRAPH_OPEN)
			continue;
		arcs++;
		s = graph_site(g, i);
		p = graph_procedure(g, i);
		if (s < g->nr_sites && p < g->nr_procedures)
			join(n->parent, n->site[s], n->procedure[p]);
	}
	return arcs;
}

/* The copy of outside for the component of node V; made at first sight. */
static uint32_t
outside_of(struct number *n, uint32_t v, uint32_t *nr_nodes)
{
	uint32_t root = find_root(n->parent, v);

	if (n->outside[root] == NO_NODE)
		n->outside[root] = (*nr_nodes)++;
	return n->outside[root];
}

static void
find_ends(struct number *n, const struct graph *g, uint32_t arc, uint32_t *nr_nodes, uint32_t *from,
	  uint32_t *to)
{
	uint32_t s = graph_site(g, arc), p = graph_procedure(g, arc);

	*from = s < g->nr_sites ? n->site[s] : outside_of(n, n->procedure[p], nr_nodes);
	*to = p < g->nr_procedures ? n->procedure[p] : outside_of(n, n->site[s], nr_nodes);
}

static uint32_t
count_copies(struct number *n, const struct graph *g, uint32_t nr_nodes)
{
	uint32_t from, to, nr = nr_nodes;

	for (uint32_t i = 0; i < g->nr_arcs; i++)
		if (g->state[g->by_site[i]] == GRAPH_OPEN)
			find_ends(n, g, g->by_site[i], &nr, &from, &to);
	return nr;
}

static void
copy_open(struct net *net, struct number *n, const struct graph *g, uint32_t *ids)
{
	uint32_t k = 0, nr = net->nr_nodes;

	for (uint32_t i = 0; i < g->nr_arcs; i++) {
		uint32_t arc = g->by_site[i];

		if (g->state[arc] != GRAPH_OPEN)
			continue;
		find_ends(n, g, arc, &nr, &net->from[k], &net->to[k]);
		ids[k++] = arc;
	}
	for (uint32_t s = 0; s < g->nr_sites; s++)
		if (n->site[s] != NO_NODE)
			net->rest[n->site[s]] = g->site_rest[s];
	for (uint32_t p = 0; p < g->nr_procedures; p++)
		if (n->procedure[p] != NO_NODE)
			net->rest[n->procedure[p]] = g->procedure_rest[p];
}

static enum flow_status
net_from_numbers(struct net *net, struct number *n, const struct graph *g, uint32_t **ids)
{
	uint32_t first_procedure, first_outside, arcs, nodes;
	enum flow_status status;

	nodes = number_nodes(n, g, net);
	first_procedure = net->first_procedure;
	first_outside = net->first_outside;
	n->parent = array_raw(nodes, sizeof(*n->parent));
	n->outside = array_raw(nodes, sizeof(*n->outside));
	if (!n->parent || !n->outside)
		return FLOW_NO_MEMORY;
	arcs = find_components(n, g, nodes);
	nodes = count_copies(n, g, nodes);
	*ids = array_raw(arcs, sizeof(**ids));
	if (!*ids)
		return FLOW_NO_MEMORY;
	status = net_init(net, nodes, arcs);
	if (status)
		return status;
	net->first_procedure = first_procedure;
	net->first_outside = first_outside;
	copy_open(net, n, g, *ids);
	net_link(net);
	return FLOW_OK;
}

enum flow_status
net_from_graph(struct net *net, const struct graph *g, uint32_t **ids)
{
	enum flow_status status = FLOW_NO_MEMORY;
	struct number n = { 0 };

	memset(net, 0, sizeof(*net));
	*ids = NULL;
	n.site = array_raw(g->nr_sites, sizeof(*n.site));
	n.procedure = array_raw(g->nr_procedures, sizeof(*n.procedure));
	if (n.site && n.procedure)
		status = net_from_numbers(net, &n, g, ids);
	free(n.site);
	free(n.procedure);
	free(n.parent);
	free(n.outside);
	return status;
}

/* ---- outside as two nodes ---- */

/* Do the counts that leave outside add up to 64 bits, and those that enter it? */
static bool
outside_sums_fit(const struct net *net)
{
	uint64_t from = 0, to = 0;

	for (uint32_t e = 0; e < net->nr_arcs; e++)
		if ((net_is_outside(net, net->from[e]) &&
		     __builtin_add_overflow(from, net->x[e], &from)) ||
		    (net_is_outside(net, net->to[e]) &&
		     __builtin_add_overflow(to, net->x[e], &to)))
			return false;
	return true;
}

enum flow_status
net_split_outside(struct net *net)
{
	uint32_t site = net->first_procedure, nodes = net->nr_nodes + 1;
	uint32_t *start;
	uint64_t *rest;

	if (net->first_outside == net->nr_nodes || !outside_sums_fit(net))
		return FLOW_OK;
	start = array_new((size_t)nodes + 1, sizeof(*start));
	rest = array_new(nodes, sizeof(*rest));
	if (!start || !rest) {
		free(start);
		free(rest);
		return FLOW_NO_MEMORY;
	}
	free(net->start);
	free(net->rest);
	net->start = start;
	net->rest = rest;
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		if (net_is_outside(net, net->from[e]))
			net->from[e] = site;
		net->to[e]++; /* behind the new site */
	}
	net->first_procedure++;
	net->nr_nodes = net->first_outside = nodes;
	net_link(net);
	return FLOW_OK;
}

/* ---- a part of a network ---- */

static int
number_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The nodes at ARCS, ascending, into NODES (room for two per arc); their number. */
static uint32_t
collect_nodes(const struct net *outer, const uint32_t *arcs, uint32_t nr, uint32_t *number,
	      uint32_t *nodes)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < nr; k++)
		number[outer->from[arcs[k]]] = number[outer->to[arcs[k]]] = NO_NODE;
	for (uint32_t k = 0; k < nr; k++) {
		uint32_t ends[2] = { outer->from[arcs[k]], outer->to[arcs[k]] };

		for (int i = 0; i < 2; i++) {
			if (number[ends[i]] != NO_NODE)
				continue;
			number[ends[i]] = 0;
			nodes[n++] = ends[i];
		}
	}
	qsort(nodes, n, sizeof(*nodes), number_compare);
	for (uint32_t v = 0; v < n; v++)
		number[nodes[v]] = v;
	return n;
}

enum flow_status
net_part(struct net *net, const struct net *outer, const uint32_t *arcs, uint32_t nr,
	 uint32_t *number)
{
	uint32_t *nodes = array_raw((size_t)nr * 2, sizeof(*nodes));
	enum flow_status status;
	uint32_t n;

	memset(net, 0, sizeof(*net));
	if (!nodes)
		return FLOW_NO_MEMORY;
	n = collect_nodes(outer, arcs, nr, number, nodes);
	status = net_init(net, n, nr);
	if (status)
		goto out;
	net->first_procedure = net->first_outside = n;
	for (uint32_t v = n; v-- > 0; ) {
		if (nodes[v] >= outer->first_procedure)
			net->first_procedure = v;
		if (nodes[v] >= outer->first_outside)
			net->first_outside = v;
	}
	for (uint32_t k = 0; k < nr; k++) {
		net->from[k] = number[outer->from[arcs[k]]];
		net->to[k] = number[outer->to[arcs[k]]];
		net->x[k] = outer->x[arcs[k]];
	}
	net_link(net);
out:
	free(nodes);
	return status;
}
