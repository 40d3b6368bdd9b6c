#include "compare/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table.h"

static const char *const words[] = {
	[VERDICT_NONE] = "", [VERDICT_SLOWER] = "slower", [VERDICT_FASTER] = "faster",
	[VERDICT_MORE_WORK] = "more work", [VERDICT_LESS_WORK] = "less work",
	[VERDICT_MORE] = "more", [VERDICT_LESS] = "less", [VERDICT_NEW] = "new",
	[VERDICT_GONE] = "gone", [VERDICT_SAME] = "same", [VERDICT_UNRESOLVED] = "unresolved",
};

const char *
verdict_word(enum verdict v)
{
	return words[v];
}

enum figure
verdict_work(enum compare_by by, enum figure figure)
{
	if (by != BY_PROCEDURE)
		return FIGURE_COUNT;
	return figure == FIGURE_TOTAL_NS || figure == FIGURE_TOTAL_SAMPLES ? FIGURE_TOTAL_WORK
									   : FIGURE_WORK;
}

/* ---- what is judged ---- */

void
verdict_set_ends(const struct comparison *c, const struct expression *e, size_t ends[2])
{
	size_t nr, low = SIZE_MAX, high = 0;
	const struct reference *r = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++) {
		low = r[i].profile < low ? r[i].profile : low;
		high = r[i].profile > high ? r[i].profile : high;
	}
	for (size_t i = 0; i < nr && low < high; i++)
		if (r[i].profile != low && r[i].profile != high)
			low = high;
	ends[0] = low < high ? low : 0;
	ends[1] = low < high ? high : c->nr - 1;
}

struct expression *
verdict_difference(const struct comparison *c, const struct expression_context *context,
		   enum figure f, struct expression *e, const size_t ends[2])
{
	const char *name = figure_name(f);
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct expression *plain;
	char *text;

	if (c->nr < 2 || !figure_is_sampled(f))
		return NULL;
	text = xasprintf("%s.%s - %s.%s", sides_name(ends[1]), name, sides_name(ends[0]), name);
	plain = e && !strcmp(text, expression_text(e)) ? e
		: expression_compile(text, context, &err);
	free(text);
	if (!plain || comparison_differs(c, plain))
		return plain;
	if (plain != e)
		expression_free(plain);
	return NULL;
}

/* ---- one difference ---- */

/* Returns which of both is more, of exact values: -1, 0 or 1. What was divided by runs or scaled is
 * a little off. */
static int
compare_exact(const struct scalar_value v[2])
{
	double a = scalar_number(&v[0]), b = scalar_number(&v[1]);

	if (v[0].type == SCALAR_INTEGER && v[1].type == SCALAR_INTEGER)
		return (v[1].integer > v[0].integer) - (v[1].integer < v[0].integer);
	if (fabs(b - a) <= 1e-9 * fmax(fabs(a), fabs(b)))
		return 0;
	return b > a ? 1 : -1;
}

static bool
is_work(enum figure f)
{
	return f == FIGURE_COUNT || f == FIGURE_CALLS || f == FIGURE_WORK || f == FIGURE_TOTAL_WORK;
}

static bool
are_known(const struct scalar_value v[2])
{
	return v[0].type != SCALAR_NULL && v[1].type != SCALAR_NULL;
}

static enum verdict
of_exact(const struct scalar_value v[2], enum verdict more, enum verdict less)
{
	int which = compare_exact(v);

	return which > 0 ? more : which < 0 ? less : VERDICT_SAME;
}

static enum verdict
of_time(const struct verdict_facts *f, double least)
{
	double first = scalar_number(&f->of[0]), last = scalar_number(&f->of[1]);
	bool counted = are_known(f->work) && !f->estimated;
	enum verdict work = counted ? of_exact(f->work, VERDICT_MORE_WORK, VERDICT_LESS_WORK)
				    : VERDICT_NONE;

	if (f->same_work)
		return VERDICT_SAME;
	if (f->beyond)
		return f->significance > 0 ? VERDICT_SLOWER : VERDICT_FASTER;
	if (counted && work != VERDICT_SAME)
		return work;
	if (counted && !(first > 0) && !(last > 0))
		return VERDICT_SAME;
	return least <= SAME_SHARE * first && fabs(last - first) < least ? VERDICT_SAME
									 : VERDICT_UNRESOLVED;
}

struct row_verdict
verdict_of(const struct verdict_facts *f)
{
	struct row_verdict v = { .verdict = VERDICT_NONE, .least = NAN };
	bool timed = figure_is_sampled(f->figure);
	/* What only samples tell of may be there without one. */
	bool surely = timed ? are_known(f->work) : are_known(f->of);

	if (timed && isfinite(f->error) && f->error > 0)
		v.least = DETECTABLE * f->error;
	if (surely && f->there[0] != f->there[1])
		v.verdict = f->there[1] ? VERDICT_NEW : VERDICT_GONE;
	else if (timed)
		v.verdict = of_time(f, v.least);
	else if (are_known(f->of) && f->estimated)
		v.verdict = compare_exact(f->of) ? VERDICT_UNRESOLVED : VERDICT_SAME;
	else if (are_known(f->of))
		v.verdict = is_work(f->figure)
			? of_exact(f->of, VERDICT_MORE_WORK, VERDICT_LESS_WORK)
			: of_exact(f->of, VERDICT_MORE, VERDICT_LESS);
	return v;
}

/* ---- rows ---- */

struct row_verdict
verdict_of_row(const struct compared *t, size_t row, const struct judged_difference *d)
{
	enum figure work = verdict_work(t->x.by, d->f);
	struct verdict_facts facts = {
		.figure = d->f, .significance = NAN, .error = NAN,
		.same_work = t->c->same_work, .estimated = t->x.flags[row] & ROW_ESTIMATED,
	};

	for (int k = 0; k < 2; k++) {
		facts.there[k] = t->x.index[row * t->x.nr_profiles + d->ends[k]];
		facts.of[k] = figure_of(t, row, d->ends[k], d->f);
		facts.work[k] = figure_of(t, row, d->ends[k], work);
	}
	if (d->plain) {
		facts.significance = row_judged(t, d->plain, row, &facts.error);
		facts.beyond = !isnan(facts.significance) &&
			       is_beyond_chance(d->found, facts.significance);
	}
	return verdict_of(&facts);
}

struct row_verdict
verdict_of_total(const struct compared *t, const struct judged_difference *d)
{
	struct verdict_facts facts = {
		.figure = d->f, .there = { true, true }, .significance = NAN, .error = NAN,
		.same_work = t->c->same_work,
	};

	for (int k = 0; k < 2; k++) {
		facts.of[k] = compared_total(t, d->ends[k], d->f);
		facts.work[k] = comparison_total(t->c, d->ends[k], FIGURE_COUNT);
		if (!scalar_number(&facts.work[k]))
			facts.work[k].type = SCALAR_NULL;
	}
	if (!are_known(facts.of))
		return (struct row_verdict){ .verdict = VERDICT_NONE, .least = NAN };
	facts.significance = total_judged(t, d->plain, &facts.error);
	facts.beyond = erfc(fabs(facts.significance) / M_SQRT2) < t->c->level;
	return verdict_of(&facts);
}

static struct judged_difference
difference_of(const struct compared *t)
{
	return (struct judged_difference){ .f = compared_figure(t), .ends = t->ends,
					   .plain = t->plain, .found = &t->found };
}

struct row_verdict
compared_verdict(const struct compared *t, size_t i)
{
	const struct judged_difference d = difference_of(t);

	if (t->x.nr_profiles < 2 || expression_rate(t->e) ||
	    (t->plain && !t->judged && !t->c->same_work))
		return (struct row_verdict){ .verdict = VERDICT_NONE, .least = NAN };
	return verdict_of_row(t, t->order[i], &d);
}

struct row_verdict
compared_total_verdict(const struct compared *t)
{
	const struct judged_difference d = difference_of(t);

	if (t->ends[1] == 0 || expression_rate(t->e))
		return (struct row_verdict){ .verdict = VERDICT_NONE, .least = NAN };
	return verdict_of_total(t, &d);
}

double
compared_total_runs(const struct compared *t)
{
	enum { MOST = 1000 };
	struct row_verdict v = compared_total_verdict(t);
	double of[2], share, runs = 0;

	for (int k = 0; k < 2; k++) {
		struct scalar_value value = compared_total(t, t->ends[k], compared_figure(t));

		of[k] = scalar_number(&value);
		runs += profile_totals(t->c->profiles[t->ends[k]])->nr_runs / 2.;
	}
	share = v.least / fabs(of[1] - of[0]);
	runs *= share * share;
	return v.verdict == VERDICT_UNRESOLVED && share > 1 && runs <= MOST ? ceil(runs) : NAN;
}
