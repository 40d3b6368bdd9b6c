#include "flow/estimate.h"

#include <string.h>

#include "flow/array.h"

/* More sweeps do not pay: what is still missing in a sum is made up for in whole numbers. */
enum { SWEEPS = 100, NEAR_SWEEPS = 3 };

static const double CLOSE_ENOUGH = 1e-7;     /* relative error of sums */

struct fit {
	const struct net *net;
	double *total;     /* per node: what its arcs must add up to */
	double *x;         /* per arc */
	double *weight;    /* per arc: where the fitting begins */
};

/* ---- fitting ---- */

/* Scale the arcs of node V to their sum; returns how far it was off. */
static double
scale_node(struct fit *f, uint32_t v)
{
	const struct net *net = f->net;
	double sum = 0, factor, off;

	for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
		sum += f->x[net->near[k].arc];
	if (!(sum > 0) || !(f->total[v] > 0))
		return 0;
	factor = f->total[v] / sum;
	for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
		f->x[net->near[k].arc] *= factor;
	off = factor - 1;
	return off < 0 ? -off : off;
}

static void
fit_sums(struct fit *f, int sweeps)
{
	double off, worst = 1;

	memcpy(f->x, f->weight, f->net->nr_arcs * sizeof(*f->x));
	for (int i = 0; i < sweeps && worst > CLOSE_ENOUGH; i++) {
		worst = 0;
		for (uint32_t v = 0; v < f->net->nr_nodes; v++) {
			off = scale_node(f, v);
			if (off > worst)
				worst = off;
		}
	}
}

/* Callers and callees are independent. */
static void
weigh_independent(struct fit *f)
{
	const struct net *net = f->net;
	double all = 0;

	for (uint32_t v = 0; v < net->first_procedure; v++)
		all += f->total[v];
	for (uint32_t e = 0; e < net->nr_arcs; e++)
		f->weight[e] = f->total[net->from[e]] / all * f->total[net->to[e]];
}

/* ---- whole numbers ---- */

/* Round so that the rounding errors of a site's arcs cancel, then make up for what is missing. */
static void
make_whole(struct net *net, struct push *p, const double *x)
{
	double carry = 0;
	uint64_t n, most;

	estimate_clear(net);
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		if (!e || net->from[e] != net->from[e - 1])
			carry = 0.5;
		n = estimate_whole(x[e] + carry);
		carry += x[e] - (double)n;
		most = net_least_rest(net, e);
		net_add(net, e, n < most ? n : most);
	}
	push_rests(p, net);
}

static enum flow_status
fit_init(struct fit *f, const struct net *net)
{
	*f = (struct fit){ .net = net };
	f->total = array_raw(net->nr_nodes, sizeof(*f->total));
	f->x = array_raw(net->nr_arcs, sizeof(*f->x));
	f->weight = array_raw(net->nr_arcs, sizeof(*f->weight));
	if (!f->total || !f->x || !f->weight)
		return FLOW_NO_MEMORY;
	for (uint32_t v = 0; v < net->nr_nodes; v++)
		f->total[v] = (double)net_total(net, v);
	return FLOW_OK;
}

static void
fit_release(struct fit *f)
{
	free(f->total);
	free(f->x);
	free(f->weight);
}

enum flow_status
estimate_entropy(struct net *net, struct push *p, const uint64_t *near)
{
	struct fit f;
	enum flow_status status = fit_init(&f, net);

	if (!status && near)
		for (uint32_t e = 0; e < net->nr_arcs; e++)
			f.weight[e] = (double)near[e] + 0.5; /* nothing may become something */
	else if (!status)
		weigh_independent(&f);
	if (!status) {
		fit_sums(&f, near ? NEAR_SWEEPS : SWEEPS);
		make_whole(net, p, f.x);
	}
	fit_release(&f);
	return status;
}

enum flow_status
estimate_fit(struct net *net, struct push *p, const double *weight)
{
	struct fit f;
	enum flow_status status = fit_init(&f, net);

	if (!status) {
		memcpy(f.weight, weight, net->nr_arcs * sizeof(*weight));
		fit_sums(&f, SWEEPS);
		make_whole(net, p, f.x);
	}
	fit_release(&f);
	return status;
}
