/* The solver against an exact linear program (simplex.h) on random instances: residual minimal,
 * sums kept, what is determined, both bounds, estimates and truth inside, as few calls from and to
 * outside as possible; and that neither the order of the arcs, nor their repetition, nor the
 * numbers of the nodes make a difference. FLOW_INSTANCES: how many instances of each shape. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "instances.h"
#include "simplex.h"

enum { INSTANCES = 1000 };

static const enum flow_estimator estimators[] = { FLOW_LIKELY, FLOW_EVEN, FLOW_ENTROPY };

struct tally {
	size_t instances, arcs, undetermined, inconsistent, outside, unlikely, differ, wrong;
};

static void
complain_arc(struct tally *t, const char *what, uint64_t seed, size_t arc)
{
	if (t->wrong++ < 10)
		printf("# seed %" PRIu64 " arc %zu: %s\n", seed, arc, what);
}

/* Counts + residuals = what was measured; counts within their intervals. */
static void
check_sums(struct tally *t, const struct instance *in, const struct flow_result *r, uint64_t seed)
{
	uint64_t sites[MAX_SITES] = { 0 }, procedures[MAX_PROCEDURES] = { 0 };

	for (size_t e = 0; e < in->problem.nr_arcs; e++) {
		if (in->arcs[e].site >= 0)
			sites[in->arcs[e].site] += r->count[e];
		if (in->arcs[e].procedure >= 0)
			procedures[in->arcs[e].procedure] += r->count[e];
		if (r->count[e] < r->lo[e] || r->count[e] > r->hi[e])
			complain_arc(t, "estimate outside of its interval", seed, e);
		if ((r->how[e] == FLOW_SOLVED) != (r->lo[e] == r->hi[e]))
			complain_arc(t, "solved, but not one value", seed, e);
	}
	for (size_t i = 0; i < in->problem.nr_sites; i++)
		if (sites[i] + r->site_residual[i] != in->sites[i])
			complain_arc(t, "sum of a site", seed, i);
	for (size_t j = 0; j < in->problem.nr_procedures; j++)
		if (procedures[j] + r->procedure_residual[j] != in->procedures[j])
			complain_arc(t, "sum of a procedure", seed, j);
}

static void
check_residual(struct tally *t, const struct instance *in, const struct flow_result *r,
	       uint64_t seed)
{
	static struct simplex s;
	exact sum = 0;

	for (size_t i = 0; i < in->problem.nr_sites; i++)
		sum += r->site_residual[i];
	for (size_t j = 0; j < in->problem.nr_procedures; j++)
		sum += r->procedure_residual[j];
	simplex_init(&s, &in->problem, in->sites, in->procedures);
	if (simplex_least_residual(&s) != sum)
		complain_arc(t, "residual is not minimal", seed, 0);
	t->inconsistent += sum != 0;
}

/* A solution of the counts that the residuals leave. */
static void
solve_rest(struct tally *t, struct simplex *s, const struct instance *in,
	   const struct flow_result *r, uint64_t seed)
{
	uint64_t sites[MAX_SITES], procedures[MAX_PROCEDURES];

	for (size_t i = 0; i < in->problem.nr_sites; i++)
		sites[i] = in->sites[i] - r->site_residual[i];
	for (size_t j = 0; j < in->problem.nr_procedures; j++)
		procedures[j] = in->procedures[j] - r->procedure_residual[j];
	simplex_init(s, &in->problem, sites, procedures);
	if (simplex_least_residual(s))
		complain_arc(t, "counts less residuals do not fit", seed, 0);
	simplex_drop_slacks(s);
}

static exact
is_outside(const struct flow_problem *p, int arc)
{
	return p->arcs[arc].site < 0 || p->arcs[arc].procedure < 0;
}

/* Of those with the fewest calls from and to outside, solutions with the likeliest calls. */
static exact
outside_or_unlikely(const struct flow_problem *p, int arc)
{
	return is_outside(p, arc) * 1000 + p->unlikely[arc];
}

/* The estimate has no more calls from and to outside than there must be. */
static void
check_outside(struct tally *t, const struct instance *in, const struct flow_result *r,
	      uint64_t seed)
{
	static struct simplex s;
	exact sum = 0;

	for (size_t e = 0; e < in->problem.nr_arcs; e++)
		if (in->arcs[e].site < 0 || in->arcs[e].procedure < 0)
			sum += r->count[e];
	if (!sum)
		return;
	solve_rest(t, &s, in, r, seed);
	if (sum != simplex_least(&s, &in->problem, is_outside))
		complain_arc(t, "more calls from and to outside than need be", seed, 0);
	t->outside++;
}

/* Exact intervals of the counts that the residuals leave. */
static void
check_bounds(struct tally *t, const struct instance *in, const struct flow_result *r,
	     const struct flow_result *outer, const struct flow_result *small, uint64_t seed)
{
	static struct simplex s;
	exact lo, hi;

	solve_rest(t, &s, in, r, seed);
	for (size_t e = 0; e < in->problem.nr_arcs; e++) {
		lo = simplex_extreme(&s, (int)e, 1);
		hi = simplex_extreme(&s, (int)e, -1);
		if (lo != r->lo[e])
			complain_arc(t, "lower bound", seed, e);
		if (hi != r->hi[e])
			complain_arc(t, "upper bound", seed, e);
		if (outer->lo[e] > lo || outer->hi[e] < hi || outer->how[e] != r->how[e])
			complain_arc(t, "outer bounds", seed, e);
		if (small->lo[e] > lo || small->hi[e] < hi || small->how[e] != r->how[e])
			complain_arc(t, "bounds of small blocks", seed, e);
		t->undetermined += lo != hi;
	}
}

static void
check_truth(struct tally *t, const struct instance *in, const struct flow_result *r, uint64_t seed)
{
	for (size_t e = 0; in->consistent && e < in->problem.nr_arcs; e++)
		if (in->truth[e] < r->lo[e] || in->truth[e] > r->hi[e])
			complain_arc(t, "truth outside of the interval", seed, e);
}

/* The same with the arcs in another order and some of them twice. */
static void
check_order(struct tally *t, const struct instance *in, const struct flow_result *r,
	    const struct flow_options *options, uint64_t seed)
{
	struct flow_problem p = in->problem;
	struct flow_arc arcs[2 * MAX_ARCS];
	size_t from[2 * MAX_ARCS], nr = p.nr_arcs;
	uint64_t state = seed;
	struct flow_result other;

	for (size_t e = 0; e < p.nr_arcs; e++)
		from[e] = e;
	for (size_t e = 0; e < p.nr_arcs; e++)
		if (random_chance(&state, 20))
			from[nr++] = e;
	for (size_t e = nr; e > 1; e--) {
		size_t other_place = random_below(&state, (unsigned)e), swap = from[e - 1];

		from[e - 1] = from[other_place];
		from[other_place] = swap;
	}
	for (size_t e = 0; e < nr; e++)
		arcs[e] = in->arcs[from[e]];
	p.arcs = arcs;
	p.nr_arcs = nr;
	if (flow_solve(&p, options, &other)) {
		complain_arc(t, "not solved in another order", seed, 0);
		return;
	}
	for (size_t e = 0; e < nr; e++)
		if (other.count[e] != r->count[from[e]] || other.lo[e] != r->lo[from[e]] ||
		    other.hi[e] != r->hi[from[e]] || other.how[e] != r->how[from[e]])
			complain_arc(t, "the order of the arcs matters", seed, e);
	flow_result_release(&other);
}

/* The nodes of one side with other numbers: those that were 0, 1, ... are TO[0], TO[1], ... */
struct renumbered { int32_t to[MAX_SITES]; uint64_t count[MAX_SITES], key[MAX_SITES]; };

/* Returns true if the counts alone tell the nodes apart. */
static bool
renumber(struct renumbered *r, size_t nr, const uint64_t *count, uint64_t *state)
{
	bool differ = true;

	for (size_t i = 0; i < nr; i++)
		r->to[i] = (int32_t)i;
	for (size_t i = nr; i > 1; i--) {
		size_t other = random_below(state, (unsigned)i);
		int32_t swap = r->to[i - 1];

		r->to[i - 1] = r->to[other];
		r->to[other] = swap;
	}
	for (size_t i = 0; i < nr; i++) {
		r->count[r->to[i]] = count[i];
		r->key[r->to[i]] = i;
		for (size_t k = 0; k < i; k++)
			differ = differ && (!count[i] || count[i] != count[k]);
	}
	return differ;
}

/* The same with other numbers for the nodes. R is without keys, and so are their own numbers. */
static void
check_numbers(struct tally *t, const struct instance *in, const struct flow_result *r,
	      const struct flow_options *options, uint64_t seed)
{
	static struct renumbered sites, procedures;
	struct flow_problem p = in->problem;
	struct flow_arc arcs[MAX_ARCS];
	uint64_t state = seed;
	struct flow_result other;
	bool differ;

	differ = renumber(&sites, p.nr_sites, in->sites, &state);
	differ = renumber(&procedures, p.nr_procedures, in->procedures, &state) && differ;
	for (size_t e = 0; e < p.nr_arcs; e++) {
		const struct flow_arc *a = &in->arcs[e];

		arcs[e].site = a->site < 0 ? a->site : sites.to[a->site];
		arcs[e].procedure = a->procedure < 0 ? a->procedure : procedures.to[a->procedure];
	}
	p.site_count = sites.count;
	p.procedure_count = procedures.count;
	p.arcs = arcs;
	p.site_key = differ ? NULL : sites.key;
	p.procedure_key = differ ? NULL : procedures.key;
	if (flow_solve(&p, options, &other)) {
		complain_arc(t, "not solved with other numbers", seed, 0);
		return;
	}
	for (size_t e = 0; e < p.nr_arcs; e++)
		if (other.count[e] != r->count[e] || other.lo[e] != r->lo[e] ||
		    other.hi[e] != r->hi[e] || other.how[e] != r->how[e])
			complain_arc(t, "the numbers of the nodes matter", seed, e);
	for (size_t i = 0; i < p.nr_sites; i++)
		if (other.site_residual[sites.to[i]] != r->site_residual[i])
			complain_arc(t, "the numbers of the nodes matter to residuals", seed, i);
	flow_result_release(&other);
	t->differ += differ;
}

/* Beyond 64 bits outside is not split in two, and types do not count. */
static bool
fits(const struct instance *in)
{
	exact sites = 0, procedures = 0;

	for (size_t i = 0; i < in->problem.nr_sites; i++)
		sites += in->sites[i];
	for (size_t i = 0; i < in->problem.nr_procedures; i++)
		procedures += in->procedures[i];
	return sites <= UINT64_MAX && procedures <= UINT64_MAX;
}

/* The estimate has as few calls on unlikely arcs as it can, each counted by how unlikely it is. */
static void
check_levels(struct tally *t, const struct instance *in, const struct flow_problem *p,
	     const struct flow_result *r, uint64_t seed)
{
	static struct simplex s;
	exact sum = 0;

	for (size_t e = 0; e < p->nr_arcs; e++)
		sum += (exact)r->count[e] * outside_or_unlikely(p, (int)e);
	if (!sum || !fits(in))
		return;
	solve_rest(t, &s, in, r, seed);
	if (sum != simplex_least(&s, p, outside_or_unlikely))
		complain_arc(t, "more unlikely calls than need be", seed, 0);
	t->unlikely++;
}

/* Some arcs are unlikely, and some were seen in samples: sums, intervals and outside stay right. */
static void
check_likely(struct tally *t, const struct instance *in, uint64_t seed)
{
	struct flow_problem p = in->problem;
	uint8_t *unlikely = calloc(p.nr_arcs + 1, sizeof(*unlikely));
	double *samples = calloc(p.nr_arcs + 1, sizeof(*samples));
	struct flow_options options = { .bounds = FLOW_BOUNDS_SMALL, .prior = samples };
	struct flow_result r;

	p.unlikely = unlikely;
	for (size_t e = 0; e < p.nr_arcs; e++) { /* equal arcs alike */
		uint64_t h = ((uint64_t)(p.arcs[e].site + 2) * 31 +
			      (uint64_t)(p.arcs[e].procedure + 2)) * 0x9e3779b97f4a7c15u + seed;

		unlikely[e] = h >> 40 & 1 ? 0 : h >> 41 & 1 ? 2 : 1;
		samples[e] = h >> 43 & 3 ? 0 : (double)(h >> 50 & 15);
	}
	for (size_t i = 0; i < sizeof(estimators) / sizeof(*estimators); i++) {
		options.estimator = estimators[i];
		if (flow_solve(&p, &options, &r)) {
			complain_arc(t, "not solved", seed, 0);
			continue;
		}
		check_sums(t, in, &r, seed);
		check_outside(t, in, &r, seed);
		check_levels(t, in, &p, &r, seed);
		flow_result_release(&r);
	}
	free(unlikely);
	free(samples);
}

static void
check_instance(struct tally *t, const struct shape *shape, uint64_t seed)
{
	static struct instance in;
	struct flow_options options = { .bounds = FLOW_BOUNDS_OUTER };
	struct flow_result r, outer, small;

	instance_make(&in, shape, seed);
	if (flow_solve(&in.problem, &options, &outer)) {
		complain_arc(t, "not solved", seed, 0);
		return;
	}
	options.bounds = FLOW_BOUNDS_SMALL;
	if (flow_solve(&in.problem, &options, &small)) {
		complain_arc(t, "not solved", seed, 0);
		flow_result_release(&outer);
		return;
	}
	options.bounds = FLOW_BOUNDS_EXACT;
	for (size_t i = 0; i < sizeof(estimators) / sizeof(*estimators); i++) {
		options.estimator = estimators[i];
		if (flow_solve(&in.problem, &options, &r)) {
			complain_arc(t, "not solved", seed, 0);
			continue;
		}
		check_sums(t, &in, &r, seed);
		check_order(t, &in, &r, &options, seed);
		check_outside(t, &in, &r, seed);
		check_numbers(t, &in, &r, &options, seed);
		if (!i) {
			check_residual(t, &in, &r, seed);
			check_bounds(t, &in, &r, &outer, &small, seed);
			check_truth(t, &in, &r, seed);
		}
		flow_result_release(&r);
	}
	check_likely(t, &in, seed);
	flow_result_release(&outer);
	flow_result_release(&small);
	t->instances++;
	t->arcs += in.problem.nr_arcs;
}

int
main(void)
{
	const char *text = getenv("FLOW_INSTANCES");
	size_t nr = text ? strtoul(text, NULL, 10) : INSTANCES;
	int failed = 0;

	for (size_t k = 0; k < NR_SHAPES; k++) {
		struct tally t = { 0 };

		for (size_t i = 0; i < nr; i++)
			check_instance(&t, &shapes[k], k * 1000000 + i);
		printf("# %zu instances, %zu arcs, %zu undetermined, %zu inconsistent instances, "
		       "%zu estimates with calls from or to outside, %zu with unlikely calls, "
		       "%zu without keys\n",
		       t.instances, t.arcs, t.undetermined, t.inconsistent, t.outside,
		       t.unlikely, t.differ);
		printf("%s - against linear programming: %s\n",
		       t.wrong || !t.instances ? "not ok" : "ok", shapes[k].name);
		failed += t.wrong != 0;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
