#include "compare/agreement.h"

#include <math.h>
#include <stdlib.h>

#include "compare/match/side.h"
#include "compare/table.h"
#include "util/order.h"
#include "util/text/safe.h"

/* Procedures with less of all work and all costs tell little; fewer of them, or of samples,
 * nothing. */
#define LEAST_SHARE 0.001
enum { FEWEST_PROCEDURES = 6, FEWEST_SAMPLES = 100 };

struct pair { double work, cost, rank; };

/* The costs of a procedure are times, or what leads in a profile without. */
static double
cost_of(const struct side *s, const struct side_procedure *p)
{
	return (double)(s->lead < FIGURES_MAX ? p->cost : p->self_ns);
}

static double
whole_cost(const struct side *s)
{
	return (double)(s->lead < FIGURES_MAX ? s->report.cost : s->report.self_ns);
}

static int
compare_work(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;

	COMPARE(a->work, b->work);
	return 0;
}

static int
compare_cost(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;

	COMPARE(a->cost, b->cost);
	return 0;
}

/* Puts the ranks into RANK, in place of WORK or COST; equal ones share theirs. */
static void
rank_by(struct pair *pairs, size_t nr, int (*compare)(const void *a, const void *b))
{
	size_t end;

	qsort(pairs, nr, sizeof(*pairs), compare);
	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && !compare(&pairs[i], &pairs[end]);)
			end++;
		for (size_t k = i; k < end; k++)
			pairs[k].rank = (double)(i + end - 1) / 2;
	}
}

static double
correlation(const struct pair *pairs, size_t nr)
{
	double middle = (double)(nr - 1) / 2, both = 0, work = 0, cost = 0;

	for (size_t i = 0; i < nr; i++) {
		double w = pairs[i].work - middle, c = pairs[i].cost - middle;

		both += w * c;
		work += w * w;
		cost += c * c;
	}
	/* What was counted as executed was nowhere sampled, or the other way. */
	return work > 0 && cost > 0 ? both / sqrt(work * cost) : 0;
}

/* What has no row among costs cost nothing, unless it may be inlined, and part of others. */
static size_t
take_pairs(const struct match *m, size_t counted, size_t other, struct pair *pairs)
{
	const struct side *a = &m->sides[counted], *b = &m->sides[other];
	struct pair *all = xcalloc(m->nr_entities + 1, sizeof(*all));
	bool *apart = xcalloc(m->nr_entities + 1, sizeof(*apart));
	size_t nr = 0;

	for (size_t i = 0; i < a->nr_procedures; i++) {
		const struct side_procedure *p = &a->procedures[i];

		all[p->entity].work += (double)p->executions;
		apart[p->entity] |= p->is_static;
	}
	for (size_t i = 0; i < b->nr_procedures; i++)
		all[b->procedures[i].entity].cost += cost_of(b, &b->procedures[i]);
	for (entity_id e = 1; e <= m->nr_entities; e++) {
		bool there = m->procedure[e * m->nr_sides + other];

		if (m->procedure[e * m->nr_sides + counted] && (there || !apart[e]) &&
		    (all[e].work > LEAST_SHARE * (double)a->report.executions ||
		     all[e].cost > LEAST_SHARE * whole_cost(b)))
			pairs[nr++] = all[e];
	}
	free(all);
	free(apart);
	return nr;
}

struct agreement
comparison_agreement(const struct comparison *c)
{
	const struct match *m = c->m;
	size_t last = c->nr - 1, counted = m->sides[0].report.executions ? 0 : last;
	const struct side *a = &m->sides[counted], *b = &m->sides[last - counted];
	struct agreement found = { .known = false };
	struct pair *pairs;

	if (c->nr < 2 || !a->report.executions || b->report.executions || whole_cost(b) <= 0 ||
	    (b->lead == FIGURES_MAX &&
	     profile_totals(b->p)->self_samples < FEWEST_SAMPLES))
		return found;
	pairs = xcalloc(m->nr_entities, sizeof(*pairs));
	found.procedures = take_pairs(m, counted, last - counted, pairs);
	rank_by(pairs, found.procedures, compare_work);
	for (size_t i = 0; i < found.procedures; i++)
		pairs[i].work = pairs[i].rank;
	rank_by(pairs, found.procedures, compare_cost);
	for (size_t i = 0; i < found.procedures; i++)
		pairs[i].cost = pairs[i].rank;
	found.rank = correlation(pairs, found.procedures);
	found.known = found.procedures >= FEWEST_PROCEDURES;
	found.doubtful = found.rank < LEAST_AGREEMENT;
	free(pairs);
	return found;
}

void
agreement_put(struct strbuf *out, const struct comparison *c)
{
	struct agreement found = comparison_agreement(c);
	const struct match *m = c->m;
	const char *cost = m->sides[0].report.cost_name;

	if (!found.known)
		return;
	cost = cost ? cost : m->sides[c->nr - 1].report.cost_name;
	strbuf_str(out, found.doubtful ? "workloads do not match: " : "");
	safe_str(out, cost ? cost : "samples");
	strbuf_fmt(out, "%s: rank correlation %.2f over %zu procedures",
		   found.doubtful ? " do not go with counts" : " go with counts", found.rank,
		   found.procedures);
}
