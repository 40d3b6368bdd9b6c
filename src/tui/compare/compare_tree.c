/* The tree of calls in a comparison: the paths of all profiles, with the value of an expression
 * over the figures that each has there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/value.h"
#include "tui/browser.h"

_Static_assert((int)MAX_PROFILES <= (int)MOST_JOINED, "as many trees as profiles");

bool
compare_has_tree(const struct browser *b)
{
	return compare_is_on(b) && b->compare.c;
}

/* ---- which procedure is which ---- */

static model_id
entity_of(void *context, size_t tree, model_id procedure)
{
	struct browser *b = context;

	return match_entity(comparison_match(b->compare.c), tree, procedure);
}

static model_id
procedure_in(void *context, size_t tree, model_id entity)
{
	struct browser *b = context;

	return entity ? match_procedure(comparison_match(b->compare.c), entity, tree) : 0;
}

/* ---- the expression ---- */

/* Returns the figure that a tree of a measure has of paths: their own, or with callees. */
static enum figure
figure_of_tree(const struct compare *x, const struct tree_want *want, bool total)
{
	static const enum figure times[3][2] = {
		[TREE_CONTEXTS] = { FIGURE_SELF_NS, FIGURE_TOTAL_NS },
		[TREE_ARCS] = { FIGURE_SELF_NS, FIGURE_PROPAGATED_NS },
		[2] = { FIGURE_SELF_WAIT_NS, FIGURE_TOTAL_WAIT_NS },
	};
	struct measures all = profile_measures(x->profiles[x->nr - 1]);

	if (want->measure > NR_BUILTIN_MEASURES)
		return figure_of_measure(&all.items[want->measure - 1], total);
	return times[want->measure ? 2 : want->source][total];
}

/* Returns the figures that a tree's nodes have, as a mask. */
static uint64_t
figures_of(const struct compare *x, const struct tree_want *want)
{
	uint64_t times = FIGURE_BIT(FIGURE_SELF_NS) | FIGURE_BIT(FIGURE_TOTAL_NS) |
			 FIGURE_BIT(FIGURE_PROPAGATED_NS);

	if (want->measure)
		return FIGURE_BIT(figure_of_tree(x, want, false)) |
		       FIGURE_BIT(figure_of_tree(x, want, true));
	if (want->source == TREE_CONTEXTS)
		return times | FIGURE_BIT(FIGURE_TOTAL_SAMPLES);
	return times | FIGURE_BIT(FIGURE_COUNT) | FIGURE_BIT(FIGURE_CALLS);
}

/* Returns the number that MEASURE of the last profile has in profile K, if stacks have it there;
 * else 0. */
static unsigned
measure_in(const struct compare *x, size_t k, unsigned measure)
{
	const struct model_measure *all = profile_measures(x->profiles[x->nr - 1]).items;
	const struct model_measure *here = profile_measures(x->profiles[k]).items;
	unsigned m = 0;

	if (measure <= NR_BUILTIN_MEASURES)
		return tree_has_measure(x->profiles[k], measure) ? measure : 0;
	while ((m = tree_next_measure(x->profiles[k], m)))
		if (m > NR_BUILTIN_MEASURES && figure_of_measure(&here[m - 1], false) ==
		    figure_of_measure(&all[measure - 1], false))
			return m;
	return 0;
}

bool
compare_tree_has_measure(const struct browser *b, unsigned measure)
{
	for (size_t k = 0; k < b->compare.nr; k++)
		if (!measure_in(&b->compare, k, measure))
			return false;
	return true;
}

static const char *
things_of(const struct tree_want *want)
{
	return want->source == TREE_CONTEXTS ? "sampled paths" : "paths of calls";
}

static int64_t
figure_of(const struct tree_side *side, enum figure f)
{
	switch (f) {
	case FIGURE_SELF_NS:
	case FIGURE_SELF_WAIT_NS:
		return side->self;
	case FIGURE_COUNT:
	case FIGURE_CALLS:
	case FIGURE_TOTAL_SAMPLES:
		return side->number;
	default:
		return f < NR_FIGURES || figure_is_total(f) ? side->total : side->self;
	}
}

/* Totals of several roots overlap: from the callees up each root has its own time. */
static bool
is_of_self(const struct tree_want *want)
{
	return want->bottom_up && !want->procedure;
}

/* Takes time, if all profiles have one that can be compared. */
static void
default_expression(const struct compare *x, const struct tree_want *want, char *out, size_t size)
{
	const char *figure = figure_name(figure_of_tree(x, want, !is_of_self(want)));
	bool timed = !comparison_no_time(x->c);

	for (size_t k = 0; k < x->nr; k++)
		timed &= profile_totals(x->profiles[k])->self_ns > 0;
	if (!timed && want->source == TREE_ARCS)
		figure = "calls";
	if (x->series)
		snprintf(out, size, "a.%s", figure);
	else
		snprintf(out, size, "%s.%s - a.%s", sides_name(x->nr - 1), figure, figure);
}

static void
forget_expression(struct compare_tree *v)
{
	expression_free(v->expression);
	free(v->kind.expression);
	memset(v, 0, sizeof(*v));
}

/* The expression of a series is over `a`, each profile in its turn. */
static int
compile(const struct compare *x, const struct tree_want *want, const char *text,
	struct compare_tree *v, struct expression_error *err)
{
	struct expression_context context;

	comparison_context(x->c, BY_PROCEDURE, &context);
	context.figures = figures_of(x, want);
	context.things = things_of(want);
	if (x->series)
		context.nr_profiles = 1;
	v->expression = expression_compile(expression_meant(text, false), &context, err);
	if (!v->expression)
		return -1;
	expression_deadline(v->expression, 10000 * (x->series ? (unsigned)x->nr : 1));
	return comparison_check_time(x->c, v->expression, &err->error);
}

static struct compare_tree *
values_of(struct browser *b, const struct tree_want *want)
{
	struct compare *x = &b->compare;
	size_t of = want->measure ? NR_TREE_SOURCES + want->measure - 1 : want->source;
	struct compare_tree *v = &x->trees[of][is_of_self(want)];
	struct expression_error err = EXPRESSION_ERROR_INIT;
	char text[80];

	if (v->kind.state == COMPARE_READY)
		return v;
	default_expression(x, want, text, sizeof(text));
	if (!x->expression || compile(x, want, x->expression, v, &err)) {
		forget_expression(v);
		v->kind.instead = x->expression != NULL;
		if (v->kind.instead)
			browser_say(b, ROLE_MESSAGE,
				    "%s cannot be had of %s: the title tells what is shown",
				    x->expression, things_of(want));
		err = (struct expression_error)EXPRESSION_ERROR_INIT;
		v->failed = compile(x, want, text, v, &err);
	}
	v->kind.state = COMPARE_READY;
	if (v->failed) {
		browser_say(b, ROLE_ERROR, "%s", err.error.text);
		return v;
	}
	v->kind.expression = xstrdup(expression_text(v->expression));
	v->kind.unit = x->series ? UNIT_GROWTH : expression_unit(v->expression);
	v->kind.figure = v->kind.of_a = v->kind.of_b = expression_figure(v->expression);
	v->kind.few_runs = !x->series && comparison_few_runs(x->c, v->expression);
	v->kind.same_work = !x->series && x->same_work && figure_is_sampled(v->kind.figure);
	return v;
}

const struct compare_kind *
compare_tree_kind(struct browser *b, const struct tree *t)
{
	return &values_of(b, tree_wanted(t))->kind;
}

/* ---- values ---- */

static struct scalar_value
scaled_figure(const struct compare *x, const struct tree_side *sides, size_t k, enum figure f)
{
	return comparison_scaled(x->c, k, f, figure_of(&sides[k], f));
}

/* Sets what E refers to. PROFILE: in a series the one that is `a`. */
static void
take_figures(const struct compare *x, const struct expression *e, const struct tree_side *sides,
	     size_t profile, struct scalar_value figures[MAX_REFERENCES])
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++)
		figures[i] = scaled_figure(x, sides, profile + r[i].profile,
					   (enum figure)r[i].figure);
}

static double
evaluate(const struct compare *x, struct expression *e, const struct tree_side *sides,
	 size_t profile)
{
	struct scalar_value figures[MAX_REFERENCES], value;
	struct error err = ERROR_INIT;

	take_figures(x, e, sides, profile, figures);
	return expression_evaluate(e, figures, NULL, &value, &err) ? NAN : scalar_number(&value);
}

/* Differences that scaling makes of equal figures count as none. */
static double
without_noise(double value, const struct compare *x, const struct compare_tree *v,
	      const struct tree_side *sides)
{
	double size = 0;

	for (size_t k = 0; k < x->nr; k++) {
		struct scalar_value figure = scaled_figure(x, sides, k, v->kind.figure);

		size = fmax(size, scalar_number(&figure));
	}
	return fabs(value) < size * 1e-12 ? 0 : value;
}

/* Evaluates the expression of a series in each profile; NAN: it is not there. */
static void
values_on(const struct compare *x, const struct compare_tree *v, const struct tree_side *sides,
	  double *values)
{
	struct expression_context context;

	comparison_context(x->c, BY_PROCEDURE, &context);
	for (size_t k = 0; k < x->nr; k++) {
		expression_take(v->expression, context.profiles + k);
		values[k] = sides[k].there ? evaluate(x, v->expression, sides, k) : NAN;
	}
}

/* The plain power of each path orders the tree: models would take longer. */
static double
exponent_of(const struct compare *x, const struct compare_tree *v, const struct tree_side *sides)
{
	double values[MAX_PROFILES];
	struct fit fit;

	values_on(x, v, sides, values);
	fit_power(x->sizes, values, x->nr, &fit);
	return fit.exponent;
}

static void
take_model(const struct compare *x, const struct compare_tree *v, const struct tree_side *sides,
	   struct compare_tree_row *row)
{
	double values[MAX_PROFILES];
	struct fit fit;

	values_on(x, v, sides, values);
	fit_values(&x->fit_sizes, values, &fit);
	row->heat = fit_degree(&fit);
	row->significance = fit_is_good(&fit) ? NAN : 0;
}

static double
value_of(void *context, const struct tree *t, const struct tree_side *sides)
{
	struct browser *b = context;
	struct compare_tree *v = values_of(b, tree_wanted(t));
	double value;

	if (v->failed)
		return NAN;
	if (b->compare.series)
		value = exponent_of(&b->compare, v, sides);
	else
		value = without_noise(evaluate(&b->compare, v->expression, sides, 0),
				      &b->compare, v, sides);
	if (isfinite(value) && fabs(value) > v->kind.greatest)
		v->kind.greatest = fabs(value);
	return value;
}

/* Sets *ERROR to one standard error. */
static double
significance_of(const struct compare *x, const struct compare_tree *v,
		const struct tree_side *sides, double value, double *error)
{
	struct scalar_value figures[MAX_REFERENCES];
	double errors;

	take_figures(x, v->expression, sides, 0, figures);
	errors = comparison_significance(x->c, v->expression, figures, NULL, error);
	if (value == 0)
		return comparison_sampled(v->expression) ? 0 : NAN;
	return errors;
}

/* Paths are many, and which of all of them are beyond chance is not found out: so many standard
 * errors are needed, which 3 of 1,000 have by chance. ERROR: one of them. */
static void
judge(const struct compare *x, const struct compare_tree *v, const struct tree_want *want,
      const struct tree_side *sides, double error, struct compare_tree_row *row)
{
	enum { BEYOND_OF_PATHS = 3 };
	size_t ends[2] = { 0, x->nr - 1 };
	struct verdict_facts facts = {
		.figure = v->kind.figure, .significance = row->significance, .error = error,
		.beyond = fabs(row->significance) >= BEYOND_OF_PATHS,
		.same_work = x->same_work, .estimated = !row->exact,
	};

	if (x->nr < 2 || !value_is_amount(v->kind.unit))
		return;
	for (int k = 0; k < 2; k++) {
		const struct tree_side *side = &sides[ends[k]];

		facts.there[k] = side->there;
		facts.of[k] = scaled_figure(x, sides, ends[k], v->kind.figure);
		facts.work[k].type = SCALAR_NULL;
		if (want->source == TREE_ARCS && !want->measure)
			facts.work[k] = scaled_figure(x, sides, ends[k], FIGURE_CALLS);
	}
	row->verdict = verdict_of(&facts);
}

void
compare_tree_row(struct browser *b, const struct tree *t, uint32_t id, struct compare_tree_row *row)
{
	const struct compare *x = &b->compare;
	const struct compare_tree *v = values_of(b, tree_wanted(t));
	struct tree_side sides[MOST_JOINED];
	double error;

	tree_sides(t, id, sides);
	*row = (struct compare_tree_row){ .value = tree_value(t, id), .exact = true,
					  .verdict.least = NAN };
	for (size_t k = 0; k < x->nr; k++) {
		struct scalar_value figure = scaled_figure(x, sides, k, v->kind.figure);

		row->figures[k] = sides[k].there ? scalar_number(&figure) : NAN;
		if (sides[k].there)
			sides_add(&row->sides, k);
		row->exact &= sides[k].exact || !sides[k].there;
	}
	row->heat = row->value;
	row->significance = NAN;
	if (x->series && !v->failed)
		take_model(x, v, sides, row);
	else if (!v->failed) {
		row->significance = significance_of(x, v, sides, row->value, &error);
		judge(x, v, tree_wanted(t), sides, error, row);
	}
}

/* ---- life ---- */

void
compare_tree_forget(struct compare *x)
{
	for (size_t i = 0; i < NR_COMPARE_TREES; i++)
		for (int of_self = 0; of_self < 2; of_self++)
			forget_expression(&x->trees[i][of_self]);
	x->generation++;
}

void
compare_tree_rescale(struct compare *x)
{
	for (size_t k = 0; k < x->nr; k++) {
		double time = comparison_times(x->c, k);

		x->tree_scales[k] = time > 0 ? time : 1;
	}
}

bool
compare_tree_possible(const struct browser *b, enum tree_source source)
{
	for (size_t k = 0; k < b->compare.nr; k++)
		if (!tree_is_possible(b->compare.profiles[k], source))
			return false;
	return true;
}

const char *
compare_tree_error(const struct browser *b)
{
	const char *error = NULL;

	for (size_t k = 0; k < b->compare.nr && !error; k++)
		error = profile_error(b->compare.profiles[k]);
	return error;
}

struct tree *
compare_tree_begin(struct browser *b, const struct tree_want *want)
{
	/* Times are normalised, and no other measure is. */
	static const double as_they_are[MAX_PROFILES] = { [0 ... MAX_PROFILES - 1] = 1 };
	struct compare *x = &b->compare;
	struct tree_join join = {
		.nr = x->nr, .name = entity_of, .here = procedure_in, .value = value_of,
		.context = b,
		.scales = want->measure > NR_BUILTIN_MEASURES ? as_they_are : x->tree_scales,
	};

	compare_tree_rescale(x);
	for (size_t k = 0; k < x->nr; k++) {
		struct tree_want here = *want;

		here.procedure = procedure_in(b, k, want->procedure);
		here.measure = measure_in(x, k, want->measure);
		if ((want->procedure && !here.procedure) || !here.measure != !want->measure)
			continue;
		join.trees[k] = tree_begin(x->profiles[k], &here);
		if (join.trees[k])
			continue;
		while (k-- > 0)
			tree_close(join.trees[k]);
		return NULL;
	}
	return tree_join_begin(b->profile, want, &join);
}

/* ---- text ---- */

void
compare_tree_title(struct browser *b, const struct tree *t, struct strbuf *out)
{
	compare_add_expression(&b->compare, compare_tree_kind(b, t), "paths", out);
}

void
compare_tree_in(const struct compare *x, const struct sides *sides, struct strbuf *out)
{
	size_t nr = sides_count(sides);

	if (nr == x->nr)
		return;
	strbuf_str(out, nr < 2 ? "only " : "");
	sides_text(sides, x->nr, out);
}
