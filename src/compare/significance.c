/* Which values are differences, and how sure these are. An expression may be any; whether it is a
 * difference is found out by its values: those of each sampled figure alone must be amounts that
 * add up to the value of all. Exact figures are constants of the row. */
#include "db/model/significance.h"

#include <math.h>
#include <stdlib.h>

#include "compare/table.h"

/* What the sampled figures of a row add to its value. */
struct parts {
	size_t nr;
	double weights[MAX_REFERENCES]; /* of the value for one of the figure */
	double values[MAX_REFERENCES];
	double samples[MAX_REFERENCES]; /* of the figure that one sample stands for */
	struct reference of[MAX_REFERENCES];
};

/* Returns how much of figure F one sample of profile K stands for; 0: nobody knows. */
static double
sample_of(const struct comparison *c, size_t k, enum figure f)
{
	bool wait = f == FIGURE_SELF_WAIT_NS || f == FIGURE_TOTAL_WAIT_NS;
	const struct expression_profile *p = &c->context.profiles[k];

	if (figure_unit(f) == UNIT_SAMPLES)
		return comparison_times(c, k);
	return wait ? p->wait_interval_ns : p->interval_ns;
}

/* The same, as long as in another profile where there are none in this one. */
static double
sample_of_any(const struct comparison *c, size_t k, enum figure f)
{
	double size = sample_of(c, k, f);

	for (size_t i = 0; i < c->nr && !(size > 0); i++)
		size = sample_of(c, i, f);
	return size;
}

/* Returns the value of E with sampled figure ONLY as in PROBES and the others 0; NAN: it has none.
 * With ONLY beyond all of them each is as in PROBES. */
static double
value_with(struct expression *e, const struct scalar_value *figures, const double *probes,
	   size_t only)
{
	struct scalar_value with[MAX_REFERENCES], value;
	struct error err = ERROR_INIT;
	size_t nr;
	const struct reference *r = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++) {
		with[i] = figures[i];
		if (figure_is_sampled((enum figure)r[i].figure))
			with[i] = (struct scalar_value){
				.type = SCALAR_REAL,
				.real = only >= nr || only == i ? probes[i] : 0,
			};
	}
	if (expression_evaluate(e, with, NULL, &value, &err) || value.type == SCALAR_NULL)
		return NAN;
	return scalar_number(&value);
}

/* Takes E apart. False: its value is no sum of sampled figures. */
static bool
take_apart(const struct comparison *c, struct expression *e, const struct scalar_value *figures,
	   struct parts *p)
{
	double probes[MAX_REFERENCES], all = 0, size = 0;
	size_t nr, numbers[MAX_REFERENCES];
	const struct reference *r = expression_references(e, &nr);

	p->nr = 0;
	for (size_t i = 0; i < nr; i++) {
		if (!figure_is_sampled((enum figure)r[i].figure))
			continue;
		p->values[p->nr] = scalar_number(&figures[i]);
		p->samples[p->nr] = sample_of_any(c, r[i].profile, (enum figure)r[i].figure);
		probes[i] = fmax(p->values[p->nr], fmax(p->samples[p->nr], 1));
		p->of[p->nr] = r[i];
		numbers[p->nr++] = i;
	}
	for (size_t k = 0; k < p->nr; k++) {
		double part = value_with(e, figures, probes, numbers[k]);

		p->weights[k] = part / probes[numbers[k]];
		all += part;
		size += fabs(part);
	}
	return p->nr && isfinite(size) &&
	       fabs(value_with(e, figures, probes, nr) - all) <= 1e-9 * size;
}

/* By what the runs of both sides differ among themselves; NAN: that is not known of both. */
static double
by_runs(const struct comparison *c, const struct parts *p, const struct run_deviations *d,
	double *error)
{
	struct sampled_runs runs[2];
	double value = 0;

	for (size_t k = 0; k < 2; k++) {
		size_t profile = p->of[k].profile;

		runs[k].nr = profile_totals(c->profiles[profile])->nr_runs;
		runs[k].deviation = fabs(p->weights[k]) * d->by_profile[profile];
		if (p->of[k].figure != d->of || runs[k].nr < FEWEST_RUNS ||
		    !(runs[k].deviation > 0))
			return NAN;
		value += p->weights[k] * p->values[k];
	}
	*error = significance_error_of_runs(&runs[0], &runs[1]);
	return significance_of_runs(value, &runs[0], &runs[1]);
}

/* Returns the value in standard errors, and one of these; INFINITY: it is a difference, but of too
 * few runs. */
static double
errors_of(const struct comparison *c, struct expression *e, const struct scalar_value *figures,
	  const struct run_deviations *deviations, double *error)
{
	struct parts p;
	double sides[2] = { 0, 0 }, of_one[2] = { 0, 0 }, relative = 0, variance = 0, runs;
	int nr[2] = { 0, 0 };

	if (!take_apart(c, e, figures, &p))
		return NAN;
	for (size_t k = 0; k < p.nr; k++) {
		bool adds = p.weights[k] > 0;
		double amount = fabs(p.weights[k]) * p.values[k];
		double beyond = c->context.profiles[p.of[k].profile].variance;

		if (p.weights[k] == 0)
			continue;
		nr[adds]++;
		sides[adds] += amount;
		of_one[adds] = fabs(p.weights[k]) * p.samples[k];
		relative += beyond;
		variance += amount * (of_one[adds] + amount * beyond);
	}
	if (!nr[0] || !nr[1])
		return NAN;
	if (isinf(relative))
		return INFINITY;
	runs = deviations && p.nr == 2 ? by_runs(c, &p, deviations, error) : NAN;
	if (!isnan(runs)) {
		*error = fmax(*error, fmax(of_one[0], of_one[1]));
		return runs;
	}
	if (nr[0] == 1 && nr[1] == 1 && of_one[0] > 0 && of_one[1] > 0) {
		*error = significance_error(sides[0], sides[1], of_one[0], of_one[1], relative);
		return significance(sides[0], sides[1], of_one[0], of_one[1], relative);
	}
	*error = fmax(sqrt(variance), fmax(of_one[0], of_one[1]));
	return variance > 0 ? (sides[1] - sides[0]) / sqrt(variance) : 0;
}

double
comparison_significance(const struct comparison *c, struct expression *e,
			const struct scalar_value *figures,
			const struct run_deviations *deviations, double *error)
{
	double ignored, errors = errors_of(c, e, figures, deviations, error ? error : &ignored);

	if (isfinite(errors))
		return errors;
	if (error)
		*error = NAN;
	return NAN;
}

/* Those of the total times, if these are asked for and known, else of the self times. */
static void
row_deviations(const struct compared *t, size_t row, enum figure f, struct run_deviations *d)
{
	const struct comparison *c = t->c;
	bool totals = t->x.by == BY_PROCEDURE && f == FIGURE_TOTAL_NS;

	d->of = totals ? FIGURE_TOTAL_NS : FIGURE_SELF_NS;
	for (size_t k = 0; k < t->x.nr_profiles; k++) {
		uint32_t item = t->x.index[row * t->x.nr_profiles + k];
		struct scalar_value v = figure_of(t, row, k, FIGURE_SELF_SD_NS);
		const double *of = totals ? c->spreads[k].total : c->spreads[k].self;

		d->by_profile[k] = totals || c->normalised ? 0 : scalar_number(&v) / c->runs[k];
		if (t->x.by == BY_PROCEDURE && of && item)
			d->by_profile[k] = comparison_times(c, k) *
				of[item_owner(&t->x, k, item - 1)];
	}
}

double
row_judged(const struct compared *t, struct expression *e, size_t row, double *error)
{
	struct scalar_value figures[MAX_REFERENCES];
	struct run_deviations deviations;
	size_t nr;
	const struct reference *r = expression_references(e, &nr);

	row_deviations(t, row, expression_figure(e), &deviations);
	for (size_t i = 0; i < nr; i++)
		figures[i] = figure_of(t, row, r[i].profile, (enum figure)r[i].figure);
	return comparison_significance(t->c, e, figures, &deviations, error);
}

double
row_significance(const struct compared *t, size_t row)
{
	return t->sampled ? row_judged(t, t->e, row, NULL) : NAN;
}

/* Returns errors_of() a row that has some of everything. */
static double
errors_of_any(const struct comparison *c, struct expression *e)
{
	struct scalar_value figures[MAX_REFERENCES];
	double error;
	size_t nr;
	const struct reference *r = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++)
		figures[i] = (struct scalar_value){
			.type = SCALAR_REAL,
			.real = 10 * sample_of_any(c, r[i].profile, (enum figure)r[i].figure),
		};
	return errors_of(c, e, figures, NULL, &error);
}

bool
comparison_differs(const struct comparison *c, struct expression *e)
{
	return isfinite(errors_of_any(c, e));
}

bool
comparison_few_runs(const struct comparison *c, struct expression *e)
{
	return isinf(errors_of_any(c, e));
}

double
compared_error(const struct compared *t, size_t i, size_t profile)
{
	struct scalar_value v = figure_of(t, t->order[i], profile, compared_figure(t));
	uint64_t runs = profile_totals(t->c->profiles[profile])->nr_runs;
	struct run_deviations d;

	row_deviations(t, t->order[i], compared_figure(t), &d);
	if (d.of != compared_figure(t) || runs < FEWEST_RUNS || !(d.by_profile[profile] > 0) ||
	    !(scalar_number(&v) > 0))
		return NAN;
	return student_quantile(0.975, (double)runs - 1) * d.by_profile[profile] *
	       sqrt((double)runs) / scalar_number(&v);
}

double
compared_rate_error(const struct compared *t, size_t i)
{
	const struct reference *rate = expression_rate(t->e);
	struct scalar_value samples;
	const struct profile_totals *all;
	double share, n, whole, part;
	enum figure f;

	if (!rate || !figure_is_sampled((enum figure)rate->figure))
		return NAN;
	share = compared_error(t, i, rate->profile);
	if (!isnan(share))
		return share;
	f = rate->figure == FIGURE_SELF_NS || rate->figure == FIGURE_SELF_SAMPLES
	    ? FIGURE_SELF_SAMPLES : FIGURE_TOTAL_SAMPLES;
	samples = figure_of(t, t->order[i], rate->profile, f);
	all = profile_totals(t->c->profiles[rate->profile]);
	n = scalar_number(&samples) / comparison_times(t->c, rate->profile);
	whole = (double)all->self_samples;
	part = (n + 2) / (whole + 4);
	return n >= 1 && n <= whole
	       ? 1.96 * sqrt(part * (1 - part) / (whole + 4)) * whole / n : NAN;
}

/* Are not all figures that E uses equal? */
static bool
differs(const struct compared *t, size_t row, const struct expression *e)
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);
	struct scalar_value first = figure_of(t, row, r[0].profile, (enum figure)r[0].figure);

	for (size_t i = 1; i < nr; i++) {
		struct scalar_value v = figure_of(t, row, r[i].profile, (enum figure)r[i].figure);

		if (scalar_number(&v) != scalar_number(&first))
			return true;
	}
	return false;
}

struct discoveries
discoveries_by(const struct compared *t, struct expression *e)
{
	double *all = xcalloc(t->x.nr_rows, sizeof(*all));
	struct discoveries found;
	struct job_hold hold;
	size_t nr = 0;

	job_hold(&hold, free, all);
	for (size_t i = 0; e && i < t->x.nr_rows; i++) {
		struct scalar_value v = row_value(&t->x, i);
		double errors;

		job_pause(1);
		if (e == t->e ? v.type == SCALAR_NULL || scalar_number(&v) == 0 : !differs(t, i, e))
			continue;
		errors = row_judged(t, e, i, NULL);
		if (!isnan(errors))
			all[nr++] = errors;
	}
	found = discoveries_of(all, nr, comparison_level(t->c));
	job_let_go(&hold);
	return found;
}

struct discoveries
compared_discoveries(struct compared *t)
{
	struct discoveries found = discoveries_by(t, t->sampled ? t->e : NULL);

	t->found = t->plain == t->e ? found : discoveries_by(t, t->plain);
	t->judged = true;
	return found;
}
