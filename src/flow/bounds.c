#include "flow/bounds.h"

#include <string.h>

typedef __int128 wide;

enum { ROUNDS = 4 };

/* ---- outer bounds ---- */

/* At a site or procedure the counts add up to TOTAL; at outside those that leave it less those that
 * enter it do. Both are one rule: sum of sign * count = total. */
struct equation {
	wide total;
	wide least, most;   /* of the sum, with every arc at its bounds */
};

static int
sign_at(const struct net *net, uint32_t v, uint32_t arc)
{
	return net_is_outside(net, v) && net->to[arc] == v ? -1 : 1;
}

static struct equation
equation_at(const struct net *net, uint32_t v, const struct bounds *b)
{
	struct equation q = { 0 };

	for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++) {
		uint32_t e = net->near[k].arc;
		bool plus = sign_at(net, v, e) > 0;

		q.total += plus ? (wide)net->x[e] : -(wide)net->x[e];
		q.least += plus ? (wide)b->lo[e] : -(wide)b->hi[e];
		q.most += plus ? (wide)b->hi[e] : -(wide)b->lo[e];
	}
	return q;
}

/* Tighten arc E: the others' sum is at least least - its part, at most most - its part. */
static bool
tighten(const struct net *net, uint32_t v, uint32_t e, const struct equation *q, struct bounds *b)
{
	wide lo, hi;
	bool changed = false;

	if (sign_at(net, v, e) > 0) {
		hi = q->total - (q->least - (wide)b->lo[e]);
		lo = q->total - (q->most - (wide)b->hi[e]);
	} else {
		hi = (q->most + (wide)b->lo[e]) - q->total;
		lo = (q->least + (wide)b->hi[e]) - q->total;
	}
	if (hi < (wide)b->hi[e]) {
		b->hi[e] = (uint64_t)hi;
		changed = true;
	}
	if (lo > (wide)b->lo[e]) {
		b->lo[e] = (uint64_t)lo;
		changed = true;
	}
	return changed;
}

static bool
tighten_all(const struct net *net, struct bounds *b)
{
	bool changed = false;

	for (uint32_t v = 0; v < net->nr_nodes; v++) {
		struct equation q = equation_at(net, v, b);

		for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
			if (tighten(net, v, net->near[k].arc, &q, b))
				changed = true;
	}
	return changed;
}

void
bounds_outer(const struct net *net, struct bounds *b)
{
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		b->lo[e] = 0;
		b->hi[e] = UINT64_MAX;
	}
	for (uint32_t v = 0; v < net->first_outside; v++) {
		uint64_t total = net_total(net, v);

		for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
			if (total < b->hi[net->near[k].arc])
				b->hi[net->near[k].arc] = total;
	}
	for (int i = 0; i < ROUNDS && tighten_all(net, b); i++)
		;
}

/* ---- exact bounds ---- */

/* Moves as much as possible onto ARC: it goes back from its end to its begin on other ways. */
static void
raise_arc(struct net *net, struct push *p, uint32_t arc)
{
	net->closed[arc] = 1;
	net->x[arc] += push_between(p, net, net->to[arc], net->from[arc], UINT64_MAX);
	net->closed[arc] = 0;
}

/* Moves as much as possible off ARC, onto other ways from its begin to its end. */
static void
lower_arc(struct net *net, struct push *p, uint32_t arc)
{
	net->closed[arc] = 1;
	net->x[arc] -= push_between(p, net, net->from[arc], net->to[arc], net->x[arc]);
	net->closed[arc] = 0;
}

void
bounds_of_arc(struct net *net, struct push *p, uint32_t arc, uint64_t *lo, uint64_t *hi)
{
	raise_arc(net, p, arc);
	*hi = net->x[arc];
	lower_arc(net, p, arc);
	*lo = net->x[arc];
}

/* Every solution on the way shows that the counts in it are possible; where one reaches the outer
 * bound, that bound is exact and needs no search. */
void
bounds_exact(struct net *net, struct push *p, struct bounds *b, uint64_t *least, uint64_t *most)
{
	memcpy(least, net->x, net->nr_arcs * sizeof(*least));
	memcpy(most, net->x, net->nr_arcs * sizeof(*most));
	p->least = least;
	p->most = most;
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		if (most[e] < b->hi[e]) {
			raise_arc(net, p, e);
			b->hi[e] = most[e] = net->x[e];
		}
		if (least[e] > b->lo[e]) {
			lower_arc(net, p, e);
			b->lo[e] = least[e] = net->x[e];
		}
	}
	p->least = p->most = NULL;
}
