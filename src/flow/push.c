#include "flow/push.h"

#include <string.h>

#include "flow/array.h"

enum { FAR = UINT32_MAX };

enum flow_status
push_init(struct push *p, uint32_t nodes)
{
	memset(p, 0, sizeof(*p));
	p->level = array_raw(nodes, sizeof(*p->level));
	p->cursor = array_raw(nodes, sizeof(*p->cursor));
	p->queue = array_raw(nodes, sizeof(*p->queue));
	p->path_arc = array_raw(nodes, sizeof(*p->path_arc));
	p->path_node = array_raw(nodes, sizeof(*p->path_node));
	p->give = array_new(nodes, sizeof(*p->give));
	p->take = array_new(nodes, sizeof(*p->take));
	if (!p->level || !p->cursor || !p->queue || !p->path_arc || !p->path_node || !p->give ||
	    !p->take)
		return FLOW_NO_MEMORY;
	memset(p->level, 0xff, nodes * sizeof(*p->level));
	return FLOW_OK;
}

void
push_release(struct push *p)
{
	free(p->level);
	free(p->cursor);
	free(p->queue);
	free(p->path_arc);
	free(p->path_node);
	free(p->give);
	free(p->take);
	memset(p, 0, sizeof(*p));
}

/* ---- distances: breadth first, backwards from the takers in queue[0 .. nr) ---- */

/* Can something be moved from NEAR.node to V, its neighbour? */
static inline bool
leads_to(const struct net *net, struct net_near near, uint32_t v)
{
	return !net_leaves(net, v, near) || net->x[near.arc] > 0;
}

/* Outside is passed only when there is one giver (STOP) or when it gives itself. Returns the
 * number of nodes that got a level; with STOP, ends as soon as STOP has one. */
static uint32_t
find_levels(struct push *p, const struct net *net, uint32_t nr, uint32_t stop)
{
	for (uint32_t head = 0; head < nr; head++) {
		uint32_t v = p->queue[head];

		if (net_is_outside(net, v) && stop == FAR && p->level[v])
			continue;
		p->work += net_degree(net, v);
		for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++) {
			struct net_near near = net->near[k];
			uint32_t u = near.node;

			if (p->level[u] != FAR || net->closed[near.arc] ||
			    !leads_to(net, near, v) ||
			    (net_is_outside(net, u) && stop == FAR && !p->give[u]))
				continue;
			p->level[u] = p->level[v] + 1;
			p->cursor[u] = net->start[u];
			p->queue[nr++] = u;
			if (u == stop)
				return nr;
		}
	}
	return nr;
}

static void
forget_levels(struct push *p, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		p->level[p->queue[i]] = FAR;
}

/* ---- paths: depth first, downhill ---- */

static inline void
use_up(uint64_t *amount, uint64_t n)
{
	if (*amount != UINT64_MAX)
		*amount -= n;
}

static void
note_extremes(struct push *p, uint32_t arc, uint64_t x)
{
	if (x < p->least[arc])
		p->least[arc] = x;
	if (x > p->most[arc])
		p->most[arc] = x;
}

/* Move what fits along the path of DEPTH arcs. Returns the depth up to which the path stays
 * usable. */
static uint32_t
augment(struct push *p, struct net *net, uint32_t depth, uint64_t *moved)
{
	uint32_t source = p->path_node[0], sink = p->path_node[depth], usable = depth;
	uint64_t n = p->give[source] < p->take[sink] ? p->give[source] : p->take[sink];

	for (uint32_t d = 0; d < depth; d++) {
		uint32_t arc = p->path_arc[d];

		if (net->to[arc] == p->path_node[d] && net->x[arc] < n)
			n = net->x[arc];
	}
	for (uint32_t d = depth; d-- > 0; ) {
		uint32_t arc = p->path_arc[d];

		if (net->to[arc] == p->path_node[d]) {
			net->x[arc] -= n;
			if (!net->x[arc])
				usable = d;
		} else {
			net->x[arc] += n;
		}
		if (p->least)
			note_extremes(p, arc, net->x[arc]);
	}
	use_up(&p->give[source], n);
	use_up(&p->take[sink], n);
	*moved = n;
	if (p->take[sink])
		return usable;
	return usable < depth - 1 ? usable : depth - 1;
}

/* The next arc downhill from V, or false. */
static bool
step_down(struct push *p, const struct net *net, uint32_t v, struct net_near *step)
{
	uint32_t k = p->cursor[v], begin = k, end = net->start[v + 1];

	for (; k < end; k++) {
		struct net_near near = net->near[k];

		/* The step goes from V to the neighbour: along an arc that leaves V, or back. */
		if (p->level[near.node] + 1 != p->level[v] || net->closed[near.arc] ||
		    p->level[near.node] == FAR ||
		    (!net_leaves(net, v, near) && !net->x[near.arc]))
			continue;
		*step = near;
		break;
	}
	p->cursor[v] = k;
	p->work += k - begin;
	return k < end;
}

/* Pushes all that can go downhill from SOURCE. */
static uint64_t
push_from(struct push *p, struct net *net, uint32_t source)
{
	uint64_t total = 0, moved;
	uint32_t depth = 0, v;
	struct net_near step;

	p->path_node[0] = source;
	while (p->give[source] && p->level[source] != FAR) {
		v = p->path_node[depth];
		if (!p->level[v] && p->take[v]) {
			depth = augment(p, net, depth, &moved);
			total += moved;
		} else if (p->level[v] && step_down(p, net, v, &step)) {
			p->path_arc[depth++] = step.arc;
			p->path_node[depth] = step.node;
		} else if (depth) {
			depth--;
			p->cursor[p->path_node[depth]]++;
		} else {
			break;
		}
	}
	return total;
}

/* ---- one giver, one taker ---- */

uint64_t
push_between(struct push *p, struct net *net, uint32_t source, uint32_t sink, uint64_t limit)
{
	uint64_t total = 0, moved = 1;
	uint32_t nr;

	p->give[source] = limit;
	p->take[sink] = UINT64_MAX;
	while (moved && p->give[source]) {
		p->queue[0] = sink;
		p->level[sink] = 0;
		nr = find_levels(p, net, 1, source);
		moved = push_from(p, net, source);
		forget_levels(p, nr);
		total += moved;
	}
	p->give[source] = p->take[sink] = 0;
	return total;
}

/* ---- everything that nodes have left ---- */

enum side { SIDE_SITES, SIDE_PROCEDURES, SIDE_OUTSIDE };

static void
side_range(const struct net *net, enum side side, uint32_t *first, uint32_t *end)
{
	const uint32_t bounds[] = { 0, net->first_procedure, net->first_outside, net->nr_nodes };

	*first = bounds[side];
	*end = bounds[side + 1];
}

static void
offer(const struct net *net, enum side side, uint64_t *amount)
{
	uint32_t first, end;

	side_range(net, side, &first, &end);
	for (uint32_t v = first; v < end; v++)
		amount[v] = side == SIDE_OUTSIDE ? UINT64_MAX : net->rest[v];
}

static void
settle(struct net *net, enum side side, uint64_t *amount)
{
	uint32_t first, end;

	side_range(net, side, &first, &end);
	for (uint32_t v = first; v < end; v++) {
		if (side != SIDE_OUTSIDE)
			net->rest[v] = amount[v];
		amount[v] = 0;
	}
}

static void
push_sides(struct push *p, struct net *net, enum side givers, enum side takers)
{
	uint32_t first, end, taker, taker_end, nr;
	uint64_t moved;

	offer(net, givers, p->give);
	offer(net, takers, p->take);
	side_range(net, givers, &first, &end);
	side_range(net, takers, &taker, &taker_end);
	do {
		nr = 0;
		for (uint32_t v = taker; v < taker_end; v++) {
			if (!p->take[v])
				continue;
			p->level[v] = 0;
			p->queue[nr++] = v;
		}
		nr = find_levels(p, net, nr, FAR);
		moved = 0;
		for (uint32_t v = first; v < end; v++)
			if (p->give[v] && push_from(p, net, v))
				moved = 1;
		forget_levels(p, nr);
	} while (moved);
	settle(net, givers, p->give);
	settle(net, takers, p->take);
}

void
push_rests(struct push *p, struct net *net)
{
	for (uint32_t e = 0; e < net->nr_arcs; e++)
		if (!net_is_outside(net, net->from[e]) && !net_is_outside(net, net->to[e]) &&
		    !net->closed[e])
			net_add(net, e, net_least_rest(net, e));
	push_sides(p, net, SIDE_SITES, SIDE_PROCEDURES);
	push_sides(p, net, SIDE_SITES, SIDE_OUTSIDE);
	push_sides(p, net, SIDE_OUTSIDE, SIDE_PROCEDURES);
}

/* The node at the known end of ARC, if the other end is outside; else none. */
static bool
find_known_end(const struct net *net, uint32_t arc, uint32_t *v)
{
	bool from = net_is_outside(net, net->from[arc]);

	*v = from ? net->to[arc] : net->from[arc];
	return from || net_is_outside(net, net->to[arc]);
}

/* A node has one arc with outside at most, so its rest says what is on that. */
void
push_off_outside(struct push *p, struct net *net)
{
	uint32_t v;

	for (uint32_t e = 0; e < net->nr_arcs; e++)
		if (find_known_end(net, e, &v))
			net->rest[v] = net->x[e];
	push_sides(p, net, SIDE_SITES, SIDE_PROCEDURES);
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		if (!find_known_end(net, e, &v))
			continue;
		net->x[e] = net->rest[v];
		net->rest[v] = 0;
	}
}
