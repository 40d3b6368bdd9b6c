#include "flow/estimate.h"

#include <math.h>

#include "flow/array.h"

/* Fewer calls are the same by chance. */
enum { SAME_BY_CHANCE = 16 };

/* ---- the same counts ---- */

/* Of the open neighbours of V just one has the count of V. */
static bool
has_one_equal(const struct net *net, uint32_t v)
{
	uint32_t nr = 0;

	for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
		nr += !net->closed[net->near[k].arc] &&
		      net->rest[net->near[k].node] == net->rest[v];
	return nr == 1;
}

static void
match_counts(struct turns *t)
{
	const struct net *net = t->net;

	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		uint32_t from = net->from[e], to = net->to[e];

		if (net->rest[from] == net->rest[to] && net->rest[to] >= SAME_BY_CHANCE &&
		    has_one_equal(net, from) && has_one_equal(net, to))
			turns_make(t, e, net->rest[to]);
	}
}

/* ---- samples ---- */

/* What samples say of a block that holds the estimate without them. */
struct evidence {
	const struct net *net;
	const double *samples;     /* per arc */
	double *total, *of_callee; /* per node: counts and samples of all of its arcs */
	double *weight;            /* per arc: how many calls both make likely */
};

/* Arcs without any sample count as half a call, so that no share is 0. */
static const double HARDLY = 0.5;

static double
gamma_log(double x)
{
	int sign; /* of what is not asked for below 0; lgamma() would have it global */

	return lgamma_r(x, &sign);
}

/* How likely the samples are, if the shares of a callee's arcs scatter around those of the estimate
 * as if that were worth as many samples as WORTH says (Dirichlet-multinomial); logarithm. */
static double
likelihood(const struct evidence *v, double worth)
{
	const struct net *net = v->net;
	double sum = 0;

	for (uint32_t q = 0; q < net->nr_nodes; q++)
		if (v->of_callee[q] > 0)
			sum += gamma_log(worth) - gamma_log(v->of_callee[q] + worth);
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		uint32_t q = net->to[e];
		double all = v->total[q] + HARDLY * net_degree(net, q), part;

		if (!(v->samples[e] > 0))
			continue;
		part = worth * ((double)net->x[e] + HARDLY) / all;
		sum += gamma_log(v->samples[e] + part) - gamma_log(part);
	}
	return sum;
}

/* Returns how many samples of a callee the estimate is worth: what makes the samples likeliest.
 * Where these are few it is about eight, which is what it was in programs whose calls are known. */
static double
find_worth(const struct evidence *v)
{
	enum { LEAST = -4, USUAL = 3, SPREAD = 4, MOST = 24 }; /* powers of two */
	double best = 0, found = 0;

	for (int i = LEAST; i <= MOST; i++) {
		double worth = ldexp(1, i), off = (double)(i - USUAL) / SPREAD;
		double l = likelihood(v, worth) - off * off / 2;

		if (i == LEAST || l > best) {
			best = l;
			found = worth;
		}
	}
	return found;
}

static void
weigh(struct evidence *v)
{
	const struct net *net = v->net;
	double worth;

	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		v->of_callee[net->to[e]] += v->samples[e];
		v->total[net->to[e]] += (double)net->x[e];
	}
	worth = find_worth(v);
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		double n = v->of_callee[net->to[e]], x = (double)net->x[e];

		if (n > 0)
			x = (v->total[net->to[e]] * v->samples[e] + worth * x) / (n + worth);
		v->weight[e] = x + HARDLY;
	}
}

static bool
any_sample(const struct net *net, const double *samples)
{
	for (uint32_t e = 0; samples && e < net->nr_arcs; e++)
		if (samples[e] > 0)
			return true;
	return false;
}

enum flow_status
estimate_likely(struct net *net, struct push *p, uint64_t budget, const double *samples)
{
	struct evidence v = { .net = net, .samples = samples };
	struct turns turns;
	enum flow_status status = turns_begin(&turns, net, p, budget);

	if (status)
		return status;
	match_counts(&turns);
	turns_end(&turns);
	if (!any_sample(net, samples))
		return FLOW_OK;
	v.weight = array_raw(net->nr_arcs, sizeof(*v.weight));
	v.total = array_new(net->nr_nodes, sizeof(*v.total));
	v.of_callee = array_new(net->nr_nodes, sizeof(*v.of_callee));
	status = FLOW_NO_MEMORY;
	if (v.weight && v.total && v.of_callee) {
		weigh(&v);
		status = estimate_fit(net, p, v.weight);
	}
	free(v.weight);
	free(v.total);
	free(v.of_callee);
	return status;
}
