#include "compare/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "compare/table.h"

enum { FIRST, LAST, NR_ENDS };

/* One of the profiles that are compared. */
struct end {
	size_t profile;
	double share;            /* of its figures that a run has */
};

/* A procedure in both profiles, a run. */
struct judged { bool both; double of[NR_ENDS], significance; };

/* The procedures by one figure. */
struct kind {
	struct judged *of;       /* by entity; NULL: nobody asks */
	struct discoveries found;/* of times */
};

struct judge {
	struct comparison *c;
	enum compare_by by;
	struct expression *e;
	struct compared *t;
	struct end ends[NR_ENDS];
	struct kind kinds[NR_FIGURES];
	/* Callers in the last profile: those of entity E from first[E] to first[E + 1]. */
	uint32_t *first, *callers;
	uint32_t *seen, *todo, stamp;
	/* Rows that were judged, and those for which the condition had a value. */
	size_t nr_judged, nr_known;
	bool has[MAX_REFERENCES];/* has a row had a value of this figure? */
	bool has_significance;
	bool few_runs;           /* so that nothing is known of times */
	bool unknown;            /* the condition was not known of the whole program */
};

/* ---- what is asked for ---- */

static uint64_t
figures_of(const struct expression *e)
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);
	const struct threshold *t;
	uint64_t figures = 0;

	for (size_t i = 0; i < nr; i++)
		figures |= FIGURE_BIT(r[i].figure);
	t = expression_thresholds(e, &nr);
	for (size_t i = 0; i < nr; i++)
		figures |= FIGURE_BIT(t[i].figure);
	return figures;
}

struct judge *
judge_open(struct comparison *c, enum compare_by by, const char *text,
	   struct expression_error *err)
{
	struct judge *j = xcalloc(1, sizeof(*j));
	struct expression_context context;
	const struct threshold *t = NULL;
	size_t nr = 0;

	j->c = c;
	j->by = by;
	comparison_context(c, by, &context);
	context.has_value = true;
	j->e = expression_compile(text, &context, err);
	if (j->e)
		t = expression_thresholds(j->e, &nr);
	if (nr && by != BY_PROCEDURE)
		error_set(&err->error, "%s() judges procedures: no --by %s", t->name,
			  compare_by_name(by));
	else if (j->e && !comparison_load(c, by, figures_of(j->e), &err->error))
		return j;
	judge_close(j);
	return NULL;
}

void
judge_close(struct judge *j)
{
	if (!j)
		return;
	for (int k = 0; k < NR_FIGURES; k++)
		free(j->kinds[k].of);
	free(j->first);
	free(j->callers);
	free(j->seen);
	free(j->todo);
	expression_free(j->e);
	free(j);
}

const struct expression *
judge_expression(const struct judge *j)
{
	return j->e;
}

/* ---- the profiles ---- */

static int
open_ends(struct judge *j, struct error *err)
{
	struct comparison *c = j->c;
	bool times = j->kinds[FIGURE_TOTAL_NS].of;

	if (times && comparison_know_runs(c, FIGURE_TOTAL_NS, err))
		return -1;
	j->ends[LAST].profile = c->nr - 1;
	for (int k = 0; k < NR_ENDS; k++) {
		struct end *end = &j->ends[k];

		end->share = 1. / comparison_runs(c);
		j->few_runs |= profile_totals(c->profiles[end->profile])->nr_runs < FEWEST_RUNS;
		if (times && !profile_totals(c->profiles[end->profile])->self_samples)
			return error_set(err, "slower(): %s has no samples of time: record it "
					 "longer, or several times",
					 profile_name(c->profiles[end->profile]));
	}
	return 0;
}

/* How sure it is that A and B, times of a run, differ. SPREADS: of the runs; NULL: unknown. */
static double
surety(const struct judge *j, const double of[NR_ENDS], const double spreads[NR_ENDS])
{
	struct sampled_runs runs[NR_ENDS];
	double units[NR_ENDS], variance = 0;
	bool known = spreads;

	for (int k = 0; k < NR_ENDS; k++) {
		const struct end *end = &j->ends[k];
		double scale = comparison_times(j->c, end->profile);

		runs[k].nr = j->c->spreads[end->profile].runs;
		runs[k].deviation = spreads ? spreads[k] * scale * end->share : 0;
		known &= runs[k].nr >= FEWEST_RUNS && runs[k].deviation > 0;
		units[k] = j->c->context.profiles[end->profile].interval_ns * end->share;
		variance += j->c->context.profiles[end->profile].variance;
	}
	if (known)
		return significance_of_runs(of[LAST] - of[FIRST], &runs[FIRST], &runs[LAST]);
	if (!(units[FIRST] > 0) || !(units[LAST] > 0))
		return 0;
	return significance(of[FIRST], of[LAST], units[FIRST], units[LAST], variance);
}

/* ---- procedures ---- */

static void
fill(struct judge *j, struct kind *kind, enum figure f)
{
	size_t rows = compared_rows(j->t);

	for (size_t i = 0; i < rows; i++) {
		struct compared_row row;
		struct judged *of;

		compared_what(j->t, i, &row);
		of = &kind->of[row.entity];
		of->both = sides_have(&row.sides, 0) &&
			   sides_have(&row.sides, j->ends[LAST].profile);
		for (int k = 0; k < NR_ENDS; k++) {
			struct scalar_value v = compared_value(j->t, i, j->ends[k].profile, f);

			of->of[k] = scalar_number(&v) * j->ends[k].share;
		}
	}
}

/* Tells which times differ beyond chance; of few runs none is asked. */
static void
find_discoveries(struct judge *j, struct kind *kind)
{
	const struct run_spread *spreads = j->c->spreads;
	const double *known[NR_ENDS] = { spreads[j->ends[FIRST].profile].total,
					 spreads[j->ends[LAST].profile].total };
	size_t entities = match_entities(j->c->m), nr = 0;
	double *all = xcalloc(entities + 1, sizeof(*all));

	for (size_t i = 1; i <= entities; i++) {
		struct judged *of = &kind->of[i];

		if (j->few_runs || !of->both || !(of->of[FIRST] + of->of[LAST] > 0))
			continue;
		of->significance = surety(j, of->of, known[FIRST] && known[LAST] ?
			(double[NR_ENDS]){ known[FIRST][i], known[LAST][i] } : NULL);
		all[nr++] = of->significance;
	}
	kind->found = discoveries_of(all, nr, comparison_level(j->c));
	free(all);
}

/* ---- callers ---- */

static bool
calls_now(const struct judge *j, const struct compared *pairs, size_t i, struct compared_row *row)
{
	struct scalar_value count;

	compared_what(pairs, i, row);
	if (!row->entity || !row->callee || !sides_have(&row->sides, j->ends[LAST].profile))
		return false;
	count = compared_value(pairs, i, j->ends[LAST].profile, FIGURE_COUNT);
	return scalar_number(&count) > 0;
}

static int
read_callers(struct judge *j, struct error *err)
{
	struct expression_error problem = EXPRESSION_ERROR_INIT;
	size_t nr = match_entities(j->c->m) + 2;
	struct compared *pairs = comparison_table(j->c, BY_PAIR, "a.count", &problem);
	struct compared_row row;

	if (!pairs)
		return error_copy(err, &problem.error);
	j->first = xcalloc(nr + 1, sizeof(*j->first));
	j->callers = xcalloc(compared_rows(pairs) + 1, sizeof(*j->callers));
	j->seen = xcalloc(nr, sizeof(*j->seen));
	j->todo = xcalloc(nr, sizeof(*j->todo));
	for (size_t i = 0; i < compared_rows(pairs); i++) {
		if (calls_now(j, pairs, i, &row))
			j->first[row.callee + 2]++;
	}
	for (size_t e = 2; e <= nr; e++)
		j->first[e] += j->first[e - 1];
	/* first[e + 1] counts up from where those of e begin to where they end. */
	for (size_t i = 0; i < compared_rows(pairs); i++) {
		if (calls_now(j, pairs, i, &row))
			j->callers[j->first[row.callee + 1]++] = row.entity;
	}
	return 0;
}

/* Adds up what the nearest callers of ENTITY are in both profiles: through such as are new. */
static void
add_callers(struct judge *j, const struct kind *kind, entity_id entity, double sums[NR_ENDS])
{
	size_t nr = 0;

	j->seen[entity] = ++j->stamp;
	for (j->todo[nr++] = entity; nr;) {
		entity_id e = j->todo[--nr];

		for (uint32_t i = j->first[e]; i < j->first[e + 1]; i++) {
			entity_id caller = j->callers[i];

			if (j->seen[caller] == j->stamp)
				continue;
			j->seen[caller] = j->stamp;
			if (!kind->of[caller].both)
				j->todo[nr++] = caller;
			for (int k = 0; kind->of[caller].both && k < NR_ENDS; k++)
				sums[k] += kind->of[caller].of[k];
		}
	}
}

/* How much more ENTITY has, less what its callers have less outside of it. */
static double
gain_of(struct judge *j, const struct threshold *t, entity_id entity)
{
	const struct kind *kind = &j->kinds[t->figure];
	const struct judged *of = &kind->of[entity];
	double sums[NR_ENDS] = { 0, 0 }, rest[NR_ENDS], less;
	bool certain = t->figure != FIGURE_TOTAL_NS;

	add_callers(j, kind, entity, sums);
	for (int k = 0; k < NR_ENDS; k++)
		rest[k] = fmax(0, sums[k] - of->of[k]);
	less = rest[FIRST] - rest[LAST];
	certain = certain || (!j->few_runs && surety(j, rest, NULL) <= -2);
	return of->of[LAST] - of->of[FIRST] - (less > 0 && certain ? less : 0);
}

static bool
exceeds(const struct threshold *t, double gain, double before)
{
	return gain > 0 && gain > t->absolute && gain > t->relative * before;
}

static bool
is_unknown(const struct judge *j, const struct threshold *t)
{
	return t->figure == FIGURE_TOTAL_NS && j->few_runs;
}

static bool
is_met(struct judge *j, const struct threshold *t, entity_id entity)
{
	const struct kind *kind = &j->kinds[t->figure];
	const struct judged *of = &kind->of[entity];

	if (!of->both || !exceeds(t, of->of[LAST] - of->of[FIRST], of->of[FIRST]))
		return false;
	if (t->figure == FIGURE_TOTAL_NS && !is_beyond_chance(&kind->found, of->significance))
		return false;
	return exceeds(t, gain_of(j, t, entity), of->of[FIRST]);
}

/* ---- judging ---- */

int
judge_begin(struct judge *j, struct compared *t, struct error *err)
{
	size_t nr;
	const struct threshold *thresholds = expression_thresholds(j->e, &nr);

	j->t = t;
	if (!nr)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		struct kind *kind = &j->kinds[thresholds[i].figure];

		if (!kind->of)
			kind->of = xcalloc(match_entities(j->c->m) + 1, sizeof(*kind->of));
	}
	if (open_ends(j, err) || read_callers(j, err))
		return -1;
	for (int f = 0; f < NR_FIGURES; f++) {
		if (j->kinds[f].of)
			fill(j, &j->kinds[f], (enum figure)f);
	}
	if (j->kinds[FIGURE_TOTAL_NS].of)
		find_discoveries(j, &j->kinds[FIGURE_TOTAL_NS]);
	return 0;
}

/* What a condition may be besides true (1), false (0) and an error (-1): NULL. */
enum { UNKNOWN = 2 };

static int
evaluate(struct judge *j, const struct scalar_value *figures, const struct expression_extra *extra,
	 struct error *err)
{
	struct scalar_value value;

	if (expression_evaluate(j->e, figures, extra, &value, err))
		return -1;
	return value.type == SCALAR_NULL ? UNKNOWN : scalar_number(&value) != 0;
}

int
judge_row(struct judge *j, size_t i, struct error *err)
{
	struct scalar_value figures[MAX_REFERENCES];
	struct expression_extra extra = { .met = { 0 } };
	struct strbuf sides = STRBUF_INIT;
	struct compared_row row;
	size_t nr;
	int met;
	const struct reference *r = expression_references(j->e, &nr);
	const struct threshold *t;

	compared_row(j->t, i, &row);
	for (size_t k = 0; k < nr; k++) {
		figures[k] = compared_value(j->t, i, r[k].profile, (enum figure)r[k].figure);
		j->has[k] |= figures[k].type != SCALAR_NULL;
	}
	extra.value = row.value;
	j->has_significance |= !isnan(row.significance);
	if (!isnan(row.significance))
		extra.significance = (struct scalar_value){ .type = SCALAR_REAL,
							    .real = row.significance };
	compared_sides(j->t, &row, &sides);
	extra.sides = (struct scalar_value){ .type = SCALAR_TEXT, .text = sides.buf };
	t = expression_thresholds(j->e, &nr);
	for (size_t k = 0; k < nr; k++)
		extra.met[k] = is_unknown(j, &t[k]) ? -1 : is_met(j, &t[k], row.entity);
	met = evaluate(j, figures, &extra, err);
	strbuf_release(&sides);
	j->nr_judged++;
	j->nr_known += met != UNKNOWN;
	return met == UNKNOWN ? 0 : met;
}

/* Appends of how few runs the profiles are. */
static void
put_few_runs(const struct judge *j, struct strbuf *out)
{
	for (int k = 0; k < NR_ENDS; k++) {
		struct profile *p = j->c->profiles[j->ends[k].profile];
		uint32_t runs = profile_totals(p)->nr_runs;

		strbuf_fmt(out, "%s%s (%" PRIu32 " run%s)", k ? " and " : "", profile_name(p),
			   runs, runs == 1 ? "" : "s");
	}
}

/* Tells why no row has a value of the condition, as far as that can be told. */
static void
put_reason(const struct judge *j, struct strbuf *out)
{
	size_t nr;
	const struct reference *r = expression_references(j->e, &nr);

	for (size_t k = 0; k < nr; k++) {
		if (j->has[k])
			continue;
		strbuf_fmt(out, ": %s has no %s", profile_name(j->c->profiles[r[k].profile]),
			   figure_name((enum figure)r[k].figure));
		return;
	}
	if (!expression_uses_significance(j->e) || j->has_significance)
		return;
	strbuf_str(out, ": none has a significance");
	if (compared_few_runs(j->t))
		strbuf_fmt(out, ", as for times it needs %d runs of each profile: record -n 10",
			   FEWEST_RUNS);
}

int
judge_end(struct judge *j, struct error *err)
{
	struct strbuf reason = STRBUF_INIT;
	bool unsure = expression_uses_significance(j->e) && !j->has_significance;
	bool timed = j->kinds[FIGURE_TOTAL_NS].of && j->few_runs;

	if (timed && (j->unknown || j->nr_known < j->nr_judged)) {
		put_few_runs(j, &reason);
		error_set(err, "slower() cannot be told by %s: one run may take longer than "
			  "another by chance; it needs %d of each, as by record -n 10",
			  reason.buf, FEWEST_RUNS);
	} else if (j->nr_judged && (!j->nr_known || unsure)) {
		put_reason(j, &reason);
		error_set(err, "nothing is judged: the condition has no value in any of %zu %s%s",
			  j->nr_judged, compare_by_things(j->by), reason.buf);
	}
	strbuf_release(&reason);
	return err->set ? -1 : 0;
}

int
judge_all(struct judge *j, struct error *err)
{
	struct expression_extra extra = { .met = { 0 } };
	size_t nr, references;
	int met;
	const struct threshold *t = expression_thresholds(j->e, &nr);

	expression_references(j->e, &references);
	if (!nr || references || expression_uses_value(j->e))
		return 0;
	for (size_t i = 0; i < nr; i++) {
		bool times = t[i].figure == FIGURE_TOTAL_NS;
		double of[NR_ENDS], spreads[NR_ENDS];

		for (int k = 0; k < NR_ENDS; k++) {
			struct scalar_value v = comparison_total(j->c, j->ends[k].profile,
								 t[i].figure);

			of[k] = scalar_number(&v) * j->ends[k].share;
			spreads[k] = j->c->spreads[j->ends[k].profile].cpu;
		}
		if (is_unknown(j, &t[i]))
			extra.met[i] = -1;
		else
			extra.met[i] = exceeds(&t[i], of[LAST] - of[FIRST], of[FIRST]) &&
				       (!times || surety(j, of, spreads) >= 1.96);
	}
	met = evaluate(j, NULL, &extra, err);
	j->unknown = met == UNKNOWN;
	return j->unknown ? 0 : met;
}

bool
judge_discoveries(const struct judge *j, struct discoveries *d)
{
	*d = j->kinds[FIGURE_TOTAL_NS].found;
	return j->kinds[FIGURE_TOTAL_NS].of;
}
