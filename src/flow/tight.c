#include "flow/tight.h"

#include <string.h>

#include "flow/array.h"

enum { NONE = UINT32_MAX };

/* This is what a walk knows of a node; it lies side by side, since a walk asks for most of it at
 * once. */
struct mark {
	uint32_t index, low;       /* 0: not seen */
	uint32_t component;
	uint32_t cursor;           /* its next place in near */
	uint32_t by;               /* the arc by which it was reached */
};

/* Scratch for both walks; each is Tarjan's depth-first search with its own stack. */
struct walk {
	const struct net *net;
	struct mark *marks;        /* per node */
	uint32_t *path, depth;     /* nodes from the root down */
	uint32_t *open, nr_open;   /* nodes (components) or arcs (blocks) not assigned yet */
	uint32_t count;
};

static enum flow_status
walk_init(struct walk *w, const struct net *net)
{
	uint32_t nodes = net->nr_nodes;
	uint32_t most = nodes > net->nr_arcs ? nodes : net->nr_arcs;

	memset(w, 0, sizeof(*w));
	w->net = net;
	w->marks = array_new(nodes, sizeof(*w->marks));
	w->path = array_raw(nodes, sizeof(*w->path));
	w->open = array_raw(most, sizeof(*w->open));
	return w->marks && w->path && w->open ? FLOW_OK : FLOW_NO_MEMORY;
}

static void
walk_release(struct walk *w)
{
	free(w->marks);
	free(w->path);
	free(w->open);
}

static void
enter(struct walk *w, uint32_t v, uint32_t by)
{
	struct mark *m = &w->marks[v];

	m->index = m->low = ++w->count;
	m->cursor = w->net->start[v];
	m->by = by;
	w->path[w->depth++] = v;
}

/* Back to the parent of V; NONE at the root. */
static uint32_t
leave(struct walk *w, uint32_t v)
{
	uint32_t parent;

	w->depth--;
	if (!w->depth)
		return NONE;
	parent = w->path[w->depth - 1];
	if (w->marks[v].low < w->marks[parent].low)
		w->marks[parent].low = w->marks[v].low;
	return parent;
}

/* ---- strongly connected components of the residual network ---- */

static void
close_component(struct walk *w, uint32_t v)
{
	uint32_t u;

	if (w->marks[v].low != w->marks[v].index)
		return;
	do {
		u = w->open[--w->nr_open];
		w->marks[u].component = v;
	} while (u != v);
}

static void
find_component(struct walk *w, uint32_t root)
{
	const struct net *net = w->net;

	enter(w, root, NONE);
	w->open[w->nr_open++] = root;
	while (w->depth) {
		uint32_t v = w->path[w->depth - 1];
		struct net_near near;

		if (w->marks[v].cursor == net->start[v + 1]) {
			close_component(w, v);
			leave(w, v);
			continue;
		}
		near = net->near[w->marks[v].cursor++];
		if (net->closed[near.arc] || (!net_leaves(net, v, near) && !net->x[near.arc]))
			continue;
		if (!w->marks[near.node].index) {
			enter(w, near.node, near.arc);
			w->open[w->nr_open++] = near.node;
		} else if (w->marks[near.node].component == NONE &&
			   w->marks[near.node].index < w->marks[v].low) {
			w->marks[v].low = w->marks[near.node].index;
		}
	}
}

static void
find_components(struct walk *w)
{
	for (uint32_t v = 0; v < w->net->nr_nodes; v++)
		w->marks[v].component = NONE;
	for (uint32_t v = 0; v < w->net->nr_nodes; v++)
		if (!w->marks[v].index)
			find_component(w, v);
	for (uint32_t v = 0; v < w->net->nr_nodes; v++)
		w->marks[v].index = 0;
	w->count = 0;
}

/* ---- blocks of the undirected network within the components ---- */

/* The arcs since BY, the one by which V was reached, form a block with it; alone it is a bridge. */
static void
close_block(struct walk *w, struct blocks *b, uint32_t by)
{
	uint32_t n = w->nr_open, block = b->nr;

	while (w->open[n - 1] != by)
		n--;
	n--;
	if (w->nr_open - n == 1)
		block = BLOCK_NONE;
	else
		b->nr++;
	while (w->nr_open > n)
		b->block[w->open[--w->nr_open]] = block;
}

static void
step_back(struct walk *w, struct blocks *b, uint32_t v)
{
	uint32_t by = w->marks[v].by, parent = leave(w, v);

	if (parent != NONE && w->marks[v].low >= w->marks[parent].index)
		close_block(w, b, by);
}

static void
find_block(struct walk *w, struct blocks *b, uint32_t root)
{
	const struct net *net = w->net;

	enter(w, root, NONE);
	while (w->depth) {
		uint32_t v = w->path[w->depth - 1];
		struct net_near near;

		if (w->marks[v].cursor == net->start[v + 1]) {
			step_back(w, b, v);
			continue;
		}
		near = net->near[w->marks[v].cursor++];
		if (near.arc == w->marks[v].by || net->closed[near.arc] ||
		    w->marks[near.node].component != w->marks[v].component)
			continue;
		if (!w->marks[near.node].index) {
			w->open[w->nr_open++] = near.arc;
			enter(w, near.node, near.arc);
		} else if (w->marks[near.node].index < w->marks[v].index) {
			w->open[w->nr_open++] = near.arc;
			if (w->marks[near.node].index < w->marks[v].low)
				w->marks[v].low = w->marks[near.node].index;
		}
	}
}

static void
find_blocks(struct walk *w, struct blocks *b)
{
	memset(b->block, 0xff, w->net->nr_arcs * sizeof(*b->block));
	for (uint32_t v = 0; v < w->net->nr_nodes; v++)
		if (!w->marks[v].index)
			find_block(w, b, v);
}

/* ---- the list ---- */

static enum flow_status
list_blocks(struct blocks *b, uint32_t nr_arcs)
{
	uint32_t nr_free = 0;

	for (uint32_t e = 0; e < nr_arcs; e++)
		nr_free += b->block[e] != BLOCK_NONE;
	b->start = array_new((size_t)b->nr + 1, sizeof(*b->start));
	b->arcs = array_raw(nr_free, sizeof(*b->arcs));
	if (!b->start || !b->arcs)
		return FLOW_NO_MEMORY;
	for (uint32_t e = 0; e < nr_arcs; e++)
		if (b->block[e] != BLOCK_NONE)
			b->start[b->block[e] + 1]++;
	for (uint32_t k = 0; k < b->nr; k++)
		b->start[k + 1] += b->start[k];
	for (uint32_t e = 0; e < nr_arcs; e++)
		if (b->block[e] != BLOCK_NONE)
			b->arcs[b->start[b->block[e]]++] = e;
	memmove(b->start + 1, b->start, b->nr * sizeof(*b->start));
	b->start[0] = 0;
	return FLOW_OK;
}

enum flow_status
blocks_find(struct blocks *b, const struct net *net)
{
	enum flow_status status = FLOW_NO_MEMORY;
	struct walk w;

	memset(b, 0, sizeof(*b));
	b->block = array_raw(net->nr_arcs, sizeof(*b->block));
	if (!walk_init(&w, net) && b->block) {
		find_components(&w);
		find_blocks(&w, b);
		status = list_blocks(b, net->nr_arcs);
	}
	walk_release(&w);
	return status;
}

void
blocks_release(struct blocks *b)
{
	free(b->start);
	free(b->arcs);
	free(b->block);
	memset(b, 0, sizeof(*b));
}
