#include "flow/estimate.h"

#include "flow/array.h"

void
estimate_clear(struct net *net)
{
	for (uint32_t v = 0; v < net->nr_nodes; v++) {
		net->rest[v] = 0;
		for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
			if (!net->closed[net->near[k].arc])
				net->rest[v] += net->x[net->near[k].arc];
	}
	for (uint32_t e = 0; e < net->nr_arcs; e++)
		if (!net->closed[e])
			net->x[e] = 0;
}

/* Returns the value of the paper's rule for ARC, from what is left at its ends (net->rest) and the
 * number of arcs there that share it. */
static uint64_t
even_value(const struct net *net, const uint32_t *degree, uint32_t arc)
{
	uint32_t from = net->from[arc], to = net->to[arc];

	if (net->rest[from] < net->rest[to])
		return net->rest[from] / degree[from];
	return net->rest[to] / degree[to];
}

/* Bring ARC as near to VALUE as the others can make up for. */
static void
bring(struct net *net, struct push *p, uint32_t arc, uint64_t value)
{
	uint64_t x = net->x[arc];

	net->closed[arc] = 1;
	if (value > x)
		net->x[arc] += push_between(p, net, net->to[arc], net->from[arc], value - x);
	else if (value < x)
		net->x[arc] -= push_between(p, net, net->from[arc], net->to[arc], x - value);
}

/* Keep ARC's count: its ends share out the rest among their other arcs. */
static void
freeze(struct net *net, uint32_t *degree, uint32_t arc)
{
	uint32_t ends[2] = { net->from[arc], net->to[arc] };

	net->closed[arc] = 1;
	for (int i = 0; i < 2; i++) {
		degree[ends[i]]--;
		net->rest[ends[i]] -= net->x[arc];
	}
}

/* The last open arc of a node has no choice. */
static bool
has_choice(const struct net *net, const uint32_t *degree, uint32_t arc)
{
	return degree[net->from[arc]] > 1 && degree[net->to[arc]] > 1;
}

/* Arcs that are still open: all values at once, then the sums. */
static void
split_at_once(struct net *net, struct push *p, uint32_t *degree)
{
	uint64_t value, most;

	estimate_clear(net);
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		if (net->closed[e])
			continue;
		value = even_value(net, degree, e);
		most = net_least_rest(net, e);
		net_add(net, e, value < most ? value : most);
		degree[net->from[e]]--;
		degree[net->to[e]]--;
	}
	push_rests(p, net);
}

enum flow_status
turns_begin(struct turns *t, struct net *net, struct push *p, uint64_t budget)
{
	*t = (struct turns){ .net = net, .push = p, .end = p->work + budget,
			     .degree = array_raw(net->nr_nodes, sizeof(*t->degree)) };
	if (!t->degree)
		return FLOW_NO_MEMORY;
	for (uint32_t v = 0; v < net->nr_nodes; v++) {
		t->degree[v] = net_degree(net, v);
		net->rest[v] = net_total(net, v);
	}
	return FLOW_OK;
}

void
turns_make(struct turns *t, uint32_t arc, uint64_t value)
{
	if (t->net->closed[arc] || t->push->work > t->end)
		return;
	if (has_choice(t->net, t->degree, arc))
		bring(t->net, t->push, arc, value);
	freeze(t->net, t->degree, arc);
}

void
turns_end(struct turns *t)
{
	struct net *net = t->net;

	for (uint32_t e = 0; e < net->nr_arcs && t->push->work <= t->end; e++)
		if (!net->closed[e])
			turns_make(t, e, even_value(net, t->degree, e));
	split_at_once(net, t->push, t->degree);
	for (uint32_t e = 0; e < net->nr_arcs; e++)
		net->closed[e] = 0;
	free(t->degree);
}

enum flow_status
estimate_even(struct net *net, struct push *p, uint64_t budget)
{
	struct turns turns;
	enum flow_status status = turns_begin(&turns, net, p, budget);

	if (!status)
		turns_end(&turns);
	return status;
}
