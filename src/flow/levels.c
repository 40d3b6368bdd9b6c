/* A solution costs least if no cycle of its residual network has a negative cost (Klein 1967). Then
 * there are potentials of the nodes by which no residual arc has a negative cost, and by
 * complementary slackness the solutions of least cost are those without counts on arcs that cost
 * something by them (Ahuja, Magnanti and Orlin 1993, section 9.4). Bellman and Ford's algorithm
 * finds the potentials, or a cycle.
 *
 * It is not enough to close each arc that is unlikely by itself: if one of two sites has a pointer
 * of another type, both can share two procedures in two ways that are equally unlikely. */
#include "flow/levels.h"

#include <stdlib.h>

#include "flow/array.h"

enum {
	MOST_PASSES = 400,   /* over all arcs of a block */
	LOOK_EVERY = 8,      /* passes: whether there is a cycle */
	NO_ARC = UINT32_MAX,
};

struct levels {
	struct net *net;
	const uint8_t *level;  /* per arc of the origin */
	const uint32_t *arcs;
	int32_t *potential;    /* per node */
	uint32_t *by;          /* per node: the arc that its potential comes from */
	uint32_t *seen;        /* per node: the walk that has been there */
};

static int32_t
cost(const struct levels *l, uint32_t e)
{
	return l->level[l->arcs[e]];
}

static bool
lower(struct levels *l, uint32_t node, int32_t potential, uint32_t e)
{
	if (potential >= l->potential[node])
		return false;
	l->potential[node] = potential;
	l->by[node] = e;
	return true;
}

static bool
pass(struct levels *l)
{
	const struct net *net = l->net;
	bool changed = false;

	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		uint32_t u = net->from[e], v = net->to[e];

		changed |= lower(l, v, l->potential[u] + cost(l, e), e);
		if (net->x[e])
			changed |= lower(l, u, l->potential[v] - cost(l, e), e);
	}
	return changed;
}

/* The node that NODE's potential comes from. */
static uint32_t
node_before(const struct levels *l, uint32_t node)
{
	const struct net *net = l->net;
	uint32_t e = l->by[node];

	return net->to[e] == node ? net->from[e] : net->to[e];
}

/* Returns a node of a cycle: each node's potential comes from another one of it. NO_ARC: none. */
static uint32_t
find_cycle(const struct levels *l)
{
	for (uint32_t v = 0; v < l->net->nr_nodes; v++)
		l->seen[v] = 0;
	for (uint32_t v = 0; v < l->net->nr_nodes; v++) {
		uint32_t node = v;

		while (!l->seen[node] && l->by[node] != NO_ARC) {
			l->seen[node] = v + 1;
			node = node_before(l, node);
		}
		if (l->seen[node] == v + 1)
			return node;
		if (!l->seen[node])
			l->seen[node] = v + 1;
	}
	return NO_ARC;
}

/* Moves as much as there is along the cycle through NODE. */
static void
cancel(struct levels *l, uint32_t node)
{
	struct net *net = l->net;
	uint64_t most = UINT64_MAX;
	uint32_t at = node;

	do {
		uint32_t e = l->by[at];

		if (net->from[e] == at && net->x[e] < most)
			most = net->x[e];
		at = node_before(l, at);
	} while (at != node);
	do {
		uint32_t e = l->by[at];

		net->x[e] = net->from[e] == at ? net->x[e] - most : net->x[e] + most;
		at = node_before(l, at);
	} while (at != node);
}

static void
begin(struct levels *l)
{
	for (uint32_t v = 0; v < l->net->nr_nodes; v++) {
		l->potential[v] = 0;
		l->by[v] = NO_ARC;
	}
}

/* False: that takes too long. */
static bool
find_potentials(struct levels *l)
{
	begin(l);
	for (unsigned n = 1; n <= MOST_PASSES; n++) {
		uint32_t node;

		if (!pass(l))
			return true;
		node = n % LOOK_EVERY ? NO_ARC : find_cycle(l);
		if (node == NO_ARC)
			continue;
		cancel(l, node);
		begin(l);
	}
	return false;
}

static void
close_arcs(struct levels *l, bool known)
{
	struct net *net = l->net;

	for (uint32_t e = 0; e < net->nr_arcs; e++)
		net->closed[e] = known ? l->potential[net->from[e]] + cost(l, e) !=
					 l->potential[net->to[e]]
				       : cost(l, e) != 0;
}

void
levels_settle(struct net *net, const uint8_t *level, const uint32_t *arcs)
{
	struct levels l = {
		.net = net, .level = level, .arcs = arcs,
		.potential = array_new(net->nr_nodes, sizeof(*l.potential)),
		.by = array_new(net->nr_nodes, sizeof(*l.by)),
		.seen = array_new(net->nr_nodes, sizeof(*l.seen)),
	};

	close_arcs(&l, l.potential && l.by && l.seen && find_potentials(&l));
	free(l.potential);
	free(l.by);
	free(l.seen);
}
