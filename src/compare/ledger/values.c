/* Values of terms and their errors: every amount is linear in the times of the runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/ledger/parts.h"
#include "db/model/significance.h"

/* What effects are found with a probability of 80 % by a test at 5 %. */
static const double STANDARD_ERRORS = 2.8;

/* ---- times ---- */

double
ledger_cell_time(const struct ledger *l, uint32_t cell, size_t side, bool raw)
{
	const struct ledger_side *s = &l->sides[side];
	uint32_t column = l->cells[cell].timed;
	double sum = 0;

	if (!column)
		return 0;
	if (s->mean)
		return (raw ? s->mean : s->scaled)[column - 1];
	for (size_t v = 0; v < s->nr_vectors; v++)
		sum += s->times[v * l->nr_timed + column - 1];
	return sum / (double)s->nr_vectors;
}

static void
find_means(struct ledger *l, struct ledger_side *s)
{
	s->mean = xcalloc(l->nr_timed + 1, sizeof(*s->mean));
	s->scaled = xcalloc(l->nr_timed + 1, sizeof(*s->scaled));
	for (size_t v = 0; v < s->nr_vectors; v++)
		for (size_t i = 0; i < l->nr_timed; i++) {
			double ns = s->times[v * l->nr_timed + i];

			s->mean[i] += ns / (double)s->nr_vectors;
			s->scaled[i] += ns * s->scale[v] / (double)s->nr_vectors;
		}
}

/* ---- the machine's speed ---- */

/* Is it known that nothing changed in a cell, so that what it takes tells how fast a run was? */
static bool
is_control(const struct ledger *l, size_t cell)
{
	const double *n = l->counts[cell].n;

	return l->cells[cell].known && !l->changed[l->cells[cell].procedure] && n[0] > 0 &&
	       n[1] > 0 && fabs(n[1] - n[0]) <= 0.002 * fmax(n[0], n[1]);
}

static double
sum_of(const struct ledger *l, const struct ledger_side *s, size_t v, const bool *which)
{
	double sum = 0;

	for (size_t i = 0; i < l->nr_timed; i++)
		sum += !which || which[i] ? s->times[v * l->nr_timed + i] : 0;
	return sum;
}

/* Returns the mean over a side's runs; 0: a run has none. */
static double
mean_of(const struct ledger *l, const struct ledger_side *s, const bool *which)
{
	double sum = 0;

	for (size_t v = 0; v < s->nr_vectors; v++) {
		double of_run = sum_of(l, s, v, which);

		if (!(of_run > 0))
			return 0;
		sum += of_run;
	}
	return sum / (double)s->nr_vectors;
}

/* One build that did the same everywhere. */
static bool
has_same_work(const struct ledger *l)
{
	const struct profile_totals *a = profile_totals(l->sides[0].p);
	const struct profile_totals *b = profile_totals(l->sides[1].p);

	if (!a->run.build_id || !*a->run.build_id || strcmp(a->run.build_id, b->run.build_id) ||
	    !a->blocks_executed || !b->blocks_executed)
		return false;
	for (size_t e = 1; e < l->nr; e++) {
		const struct ledger_procedure *p = &l->procedures[e];

		if (!p->foreign && p->counted &&
		    (p->work[0] != p->work[1] || l->calls[e][0] != l->calls[e][1]))
			return false;
	}
	return true;
}

static void
set_speed(struct ledger *l)
{
	bool *which = xcalloc(l->nr_timed + 1, sizeof(*which));
	double of[2], all;

	for (size_t i = 0; i < l->nr_cells; i++)
		if (l->cells[i].timed)
			which[l->cells[i].timed - 1] = is_control(l, i);
	for (size_t k = 0; k < 2; k++)
		of[k] = mean_of(l, &l->sides[k], which);
	all = mean_of(l, &l->sides[0], NULL) + mean_of(l, &l->sides[1], NULL);
	if (of[0] > 0 && of[1] > 0) {
		l->head.share = (of[0] + of[1]) / all;
		l->head.factor = of[1] / of[0];
	}
	/* Waiting is no speed. */
	l->head.controlled = l->head.share >= LEDGER_LEAST_CONTROL && !l->head.same_work &&
			     l->of == LEDGER_CPU;
	for (size_t k = 0; k < 2 && l->head.controlled; k++)
		for (size_t v = 0; v < l->sides[k].nr_vectors; v++)
			l->sides[k].scale[v] = (of[0] + of[1]) / 2 /
					       sum_of(l, &l->sides[k], v, which);
	free(which);
}

void
ledger_control(struct ledger *l)
{
	l->head.same_work = has_same_work(l);
	l->head.in_blocks = !l->sides[0].timed || !l->sides[1].timed;
	for (size_t k = 0; k < 2; k++)
		for (size_t v = 0; v < l->sides[k].nr_vectors; v++)
			l->sides[k].scale[v] = 1;
	l->weighed = xcalloc(l->nr_timed + 1, sizeof(*l->weighed));
	if (!l->head.in_blocks)
		set_speed(l);
	for (size_t k = 0; k < 2; k++) {
		find_means(l, &l->sides[k]);
		l->weights[k] = xcalloc(l->nr_timed + 1, sizeof(*l->weights[k]));
	}
	l->head.judged = !l->head.in_blocks && l->sides[0].nr_vectors >= FEWEST_RUNS &&
			 l->sides[1].nr_vectors >= FEWEST_RUNS;
}

/* ---- terms ---- */

/* What a term's amount takes of the time of its cell on both sides. */
static void
weights_of(const struct ledger *l, const struct ledger_term *t, double w[2])
{
	const double *n = l->counts[t->cell].n, *price = l->price[t->cell];

	for (size_t k = 0; k < 2; k++) {
		w[k] = k ? 1 : -1;
		if (t->kind == TERM_WORK)
			w[k] = t->n * price[k];
		else if (t->kind == TERM_PRICE)
			w[k] -= (n[1] - n[0]) * price[k];
	}
}

static double
rest_of(const struct ledger_side *s, bool raw)
{
	double sum = 0;

	for (size_t v = 0; v < s->nr_vectors; v++)
		sum += s->rest[v] * (raw ? 1 : s->scale[v]);
	return sum / (double)s->nr_vectors;
}

double
ledger_amount(const struct ledger *l, const struct ledger_term *t, bool raw)
{
	double w[2];

	if (l->head.in_blocks)
		return t->kind == TERM_WORK && l->cells[t->cell].kind == LEDGER_OWN ? t->n : 0;
	if (t->kind == TERM_BEYOND)
		return rest_of(&l->sides[1], raw) - rest_of(&l->sides[0], raw);
	weights_of(l, t, w);
	return w[0] * ledger_cell_time(l, t->cell, 0, raw) +
	       w[1] * ledger_cell_time(l, t->cell, 1, raw);
}

double
ledger_samples(const struct ledger *l, const struct ledger_term *terms, size_t nr)
{
	double samples = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < 2 && terms[i].kind != TERM_BEYOND; k++)
			if (l->sides[k].sample_ns > 0)
				samples += ledger_cell_time(l, terms[i].cell, k, true) *
					   l->sides[k].runs / l->sides[k].sample_ns;
	return samples;
}

/* ---- values ---- */

/* The weights of columns in a value. */
struct weighing {
	const struct ledger *l;
	uint32_t *columns;       /* that have some */
	size_t nr, alloc;
	bool beyond;
	double amount, raw;      /* of what is in blocks */
};

static void
weigh(struct weighing *w, const struct ledger_term *terms, size_t nr)
{
	const struct ledger *l = w->l;

	for (size_t i = 0; i < nr; i++) {
		uint32_t column = l->cells ? l->cells[terms[i].cell].timed : 0;
		double of[2];

		w->amount += ledger_amount(l, &terms[i], false);
		w->raw += ledger_amount(l, &terms[i], true);
		w->beyond |= terms[i].kind == TERM_BEYOND;
		if (terms[i].kind == TERM_BEYOND || !column)
			continue;
		weights_of(l, &terms[i], of);
		if (!l->weighed[column - 1]) {
			l->weighed[column - 1] = true;
			GROW(w->columns, w->nr + 1, w->alloc);
			w->columns[w->nr++] = column - 1;
		}
		for (size_t k = 0; k < 2; k++)
			l->weights[k][column - 1] += of[k];
	}
}

/* The variance of a side's part, and its degrees of freedom: 0 where runs tell nothing. */
static double
variance_of(const struct weighing *w, size_t k, double *freedom)
{
	const struct ledger *l = w->l;
	const struct ledger_side *s = &l->sides[k];
	double sum = 0, squares = 0, poisson = 0, most = 0, n = (double)s->nr_vectors, of_runs;

	for (size_t v = 0; v < s->nr_vectors; v++) {
		double x = w->beyond ? (k ? 1 : -1) * s->rest[v] : 0;

		for (size_t i = 0; i < w->nr; i++)
			x += l->weights[k][w->columns[i]] *
			     s->times[v * l->nr_timed + w->columns[i]];
		x *= s->scale[v];
		sum += x;
		squares += x * x;
	}
	for (size_t i = 0; i < w->nr; i++) {
		double weight = fabs(l->weights[k][w->columns[i]]);

		poisson += weight * weight * s->scaled[w->columns[i]] * s->sample_ns / s->runs;
		most = fmax(most, weight);
	}
	/* One sample at least: what was never seen may take as much. */
	most *= s->sample_ns / s->runs;
	poisson = fmax(poisson, most * most);
	*freedom = 0;
	if (!l->head.judged) {
		of_runs = RUN_DEVIATION * sum / n;
		return poisson + of_runs * of_runs / s->runs;
	}
	*freedom = n - 1;
	return fmax(poisson, fmax(0, squares - sum * sum / n) / (n - 1) / n);
}

static void
finish(struct weighing *w, struct ledger_value *v)
{
	const struct ledger *l = w->l;
	double of[2], freedom[2], all, se;

	*v = (struct ledger_value){ .amount = w->amount, .raw = w->raw, .error = NAN,
				    .least = NAN, .chance = NAN };
	if (!l->head.in_blocks) {
		for (size_t k = 0; k < 2; k++)
			of[k] = variance_of(w, k, &freedom[k]);
		se = sqrt(of[0] + of[1]);
		all = l->head.judged && se > 0 ? (of[0] + of[1]) * (of[0] + of[1]) /
			(of[0] * of[0] / freedom[0] + of[1] * of[1] / freedom[1]) : INFINITY;
		v->error = se * (all < 1000 ? student_quantile(0.975, all) : 1.96);
		v->least = STANDARD_ERRORS * se;
		v->chance = se > 0 ? student_beyond(v->amount / se, all) : v->amount == 0;
	}
	for (size_t i = 0; i < w->nr; i++) {
		l->weights[0][w->columns[i]] = l->weights[1][w->columns[i]] = 0;
		l->weighed[w->columns[i]] = false;
	}
	free(w->columns);
}

void
ledger_value(const struct ledger *l, const struct ledger_term *terms, size_t nr,
	     struct ledger_value *v)
{
	struct weighing w = { .l = l };

	weigh(&w, terms, nr);
	finish(&w, v);
}

void
ledger_sum(const struct ledger *l, bool (*take)(const struct ledger_made *row),
	   struct ledger_value *v)
{
	struct weighing w = { .l = l };

	for (size_t i = 0; i < l->nr_rows; i++)
		if (!take || take(&l->rows[i]))
			weigh(&w, l->rows[i].terms, l->rows[i].nr_terms);
	finish(&w, v);
}

double
ledger_runs_for(const struct ledger *l, const struct ledger_value *v)
{
	enum { MOST = 1000 };
	double share = v->least / fabs(v->amount);
	double runs = (l->sides[0].runs + l->sides[1].runs) / 2 * share * share;

	return runs <= MOST ? fmax(FEWEST_RUNS, ceil(runs)) : NAN;
}
