#include "flow/estimate.h"

#include <string.h>

#include "flow/array.h"
#include "util/order.h"

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

static const double NO_DOUBT = 1e9; /* the most samples that an estimate is worth */

/* How many samples an estimate is worth: if the shares of callees that it says were right, samples
 * would scatter around them like a multinomial; the more they scatter beyond that, the less
 * (Dirichlet-multinomial, all callees pooled, by moments). */
struct trust { double scatter, at_least, at_most; };

/* Of N samples SEEN were seen where the share P was estimated. */
static void
trust_add(struct trust *t, double seen, double n, double p)
{
	double d = seen - n * p;

	t->scatter += d * d;
	t->at_least += n * p * (1 - p);
	t->at_most += n * n * p * (1 - p);
}

static double
trust_worth(const struct trust *t)
{
	if (t->scatter <= t->at_least || t->at_most <= 0)
		return NO_DOUBT;
	if (t->scatter >= t->at_most)
		return 0;
	return (t->at_most - t->scatter) / (t->scatter - t->at_least);
}

/* What samples say of a block, and an estimate without them. */
struct evidence {
	const double *samples;     /* per arc */
	uint64_t *before;          /* per arc: the estimate */
	uint32_t *order;           /* arcs with samples, those with the most first */
	uint32_t nr;
	double *of_callee;         /* per node: samples of all of its arcs */
	double trust;              /* in the estimate: worth so many samples of a callee */
};

static int
compare_samples(const void *a, const void *b, void *context)
{
	const struct evidence *v = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	COMPARE(v->samples[k], v->samples[i]);
	return i < k ? -1 : i > k;
}

static void
weigh(struct evidence *v, const struct net *net)
{
	struct trust trust = { 0 };

	memcpy(v->before, net->x, net->nr_arcs * sizeof(*v->before));
	for (uint32_t e = 0; e < net->nr_arcs; e++)
		v->of_callee[net->to[e]] += v->samples[e];
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		double all = (double)net_total(net, net->to[e]), n = v->of_callee[net->to[e]];

		if (n > 0 && all > 0)
			trust_add(&trust, v->samples[e], n, (double)v->before[e] / all);
		if (v->samples[e] > 0)
			v->order[v->nr++] = e;
	}
	v->trust = trust_worth(&trust);
	qsort_r(v->order, v->nr, sizeof(*v->order), compare_samples, v);
}

static void
turn_to_samples(struct turns *t, const struct evidence *v)
{
	const struct net *net = t->net;

	for (uint32_t i = 0; i < v->nr; i++) {
		uint32_t e = v->order[i];
		double n = v->of_callee[net->to[e]], all = (double)net_total(net, net->to[e]);

		turns_make(t, e, estimate_whole((all * v->samples[e] +
						 v->trust * (double)v->before[e]) /
						(n + v->trust) + 0.5));
	}
}

static enum flow_status
estimate(struct net *net, struct push *p, uint64_t budget, const struct evidence *v)
{
	struct turns turns;
	enum flow_status status = turns_begin(&turns, net, p, budget);

	if (status)
		return status;
	match_counts(&turns);
	if (v)
		turn_to_samples(&turns, v);
	turns_end(&turns);
	return FLOW_OK;
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
	struct evidence v = { .samples = samples };
	enum flow_status status = estimate(net, p, budget, NULL);

	if (status || !any_sample(net, samples))
		return status;
	v.before = array_raw(net->nr_arcs, sizeof(*v.before));
	v.order = array_raw(net->nr_arcs, sizeof(*v.order));
	v.of_callee = array_new(net->nr_nodes, sizeof(*v.of_callee));
	status = FLOW_NO_MEMORY;
	if (v.before && v.order && v.of_callee) {
		weigh(&v, net);
		status = estimate(net, p, budget, &v);
	}
	free(v.before);
	free(v.order);
	free(v.of_callee);
	return status;
}
