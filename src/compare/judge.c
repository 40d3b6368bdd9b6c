#include "compare/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "compare/ledger/ledger.h"
#include "compare/table.h"
#include "compare/verdict.h"

enum { FIRST, LAST, NR_ENDS };

/* Amounts of a run, in both profiles. */
struct judged {
	bool both;
	double of[NR_ENDS];
	struct row_verdict is;   /* of times */
	double excepted;         /* of what it has more: by procedures that it calls */
};

/* The procedures by one figure. */
struct kind {
	struct judged *of;       /* by entity; NULL: nobody asks */
	double excepted;         /* of all that is more */
	struct discoveries found;/* of times */
	struct judged_difference difference;
};

/* What the ledger claims of a procedure. */
struct dearer { double before, amount; };

struct judge {
	struct comparison *c;
	enum compare_by by;
	struct expression *e;
	struct compared *t;
	size_t ends[NR_ENDS];    /* profiles */
	double share;            /* of their figures that a run has */
	struct kind kinds[FIGURES_MAX];
	struct expression *plain;/* the difference of times; NULL: nobody can judge it */
	struct dearer *dearer;   /* by entity; NULL: nobody asks */
	bool *excepted;          /* by entity; NULL: none is */
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
		figures |= FIGURE_BIT(t[i].figure) |
			   FIGURE_BIT(verdict_work(BY_PROCEDURE, t[i].figure));
	return figures;
}

/* Returns the threshold of KIND; NULL: it is not asked for. */
static const struct threshold *
threshold_of(const struct judge *j, enum threshold_kind kind)
{
	size_t nr;
	const struct threshold *t = expression_thresholds(j->e, &nr);

	for (size_t i = 0; i < nr; i++)
		if (t[i].kind == kind)
			return &t[i];
	return NULL;
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
	for (int k = 0; k < FIGURES_MAX; k++)
		free(j->kinds[k].of);
	free(j->dearer);
	free(j->excepted);
	expression_free(j->plain);
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

void
judge_except(struct judge *j, bool *entities)
{
	free(j->excepted);
	j->excepted = entities;
}

/* ---- the profiles ---- */

/* Has each profile what a threshold is about? What nobody counted must not pass. */
static int
check_ends(const struct judge *j, const struct threshold *t, struct error *err)
{
	for (int k = 0; k < NR_ENDS; k++) {
		struct profile *p = j->c->profiles[j->ends[k]];

		if (t->kind != THRESHOLD_MORE && !profile_totals(p)->self_samples)
			return error_set(err, "%s(): %s has no samples of time: record it longer, "
					 "or several times", t->name, profile_name(p));
		if (t->figure == FIGURE_TOTAL_WORK && !profile_totals(p)->blocks_executed)
			return error_set(err, "%s(): %s has no counts: compile the program with "
					 "cgcc", t->name, profile_name(p));
		if (t->figure >= NR_FIGURES &&
		    !(j->c->measures[j->ends[k]] & FIGURE_BIT(t->figure)))
			return error_set(err, "%s(): %s has no %s: record it as the other one",
					 t->name, profile_name(p), figure_name(t->figure));
	}
	if (t->kind == THRESHOLD_DEARER && j->c->normalised)
		return error_set(err, "dearer() is judged at equal speed: no --normalise");
	return 0;
}

static int
open_ends(struct judge *j, struct error *err)
{
	struct comparison *c = j->c;
	struct expression_context context;

	if (j->kinds[FIGURE_TOTAL_NS].of && comparison_know_runs(c, FIGURE_TOTAL_NS, err))
		return -1;
	j->ends[LAST] = c->nr - 1;
	j->share = 1. / comparison_runs(c);
	for (int k = 0; k < NR_ENDS; k++)
		j->few_runs |= profile_totals(c->profiles[j->ends[k]])->nr_runs < FEWEST_RUNS;
	comparison_context(c, j->by, &context);
	if (!j->few_runs)
		j->plain = verdict_difference(c, &context, FIGURE_TOTAL_NS, NULL, j->ends);
	return 0;
}

/* Are the times OF less in the last profile beyond chance, by their samples? */
static bool
is_surely_less(const struct judge *j, const double of[NR_ENDS])
{
	double units[NR_ENDS], variance = 0;

	for (int k = 0; k < NR_ENDS; k++) {
		units[k] = j->c->context.profiles[j->ends[k]].interval_ns * j->share;
		variance += j->c->context.profiles[j->ends[k]].variance;
	}
	return !j->few_runs && units[FIRST] > 0 && units[LAST] > 0 &&
	       significance(of[FIRST], of[LAST], units[FIRST], units[LAST], variance) <= -2;
}

/* ---- procedures ---- */

static void
fill(struct judge *j, struct kind *kind, enum figure f)
{
	size_t rows = compared_rows(j->t);

	kind->difference = (struct judged_difference){
		.f = f, .ends = j->ends, .found = &kind->found,
		.plain = f == FIGURE_TOTAL_NS ? j->plain : NULL,
	};
	if (kind->difference.plain)
		kind->found = discoveries_by(j->t, j->plain);
	for (size_t i = 0; i < rows; i++) {
		struct compared_row row;
		struct judged *of;

		compared_what(j->t, i, &row);
		of = &kind->of[row.entity];
		of->both = sides_have(&row.sides, 0) && sides_have(&row.sides, j->ends[LAST]);
		for (int k = 0; k < NR_ENDS; k++) {
			struct scalar_value v = compared_value(j->t, i, j->ends[k], f);

			of->of[k] = scalar_number(&v) * j->share;
		}
		if (f == FIGURE_TOTAL_NS)
			of->is = verdict_of_row(j->t, j->t->order[i], &kind->difference);
	}
}

/* Which procedures are dearer than before, by the ledger. */
static int
find_dearer(struct judge *j, struct error *err)
{
	struct comparison *c = j->c;
	struct ledger *l;

	if (!threshold_of(j, THRESHOLD_DEARER))
		return 0;
	l = ledger_begin(c->profiles[0], c->profiles[j->ends[LAST]], LEDGER_CPU,
			 &c->match_options, c->nr == 2 ? c->m : NULL, err);
	if (!l || ledger_work(l, NULL, NULL, err) < 0) {
		ledger_close(l);
		return -1;
	}
	if (!ledger_head(l)->judged && !j->few_runs && !c->same_work) {
		ledger_close(l);
		return error_set(err, "dearer(): the runs have no times of their own");
	}
	j->dearer = xcalloc(match_entities(c->m) + 1, sizeof(*j->dearer));
	for (size_t i = 0; i < ledger_head(l)->nr_claimed; i++) {
		const struct ledger_row *r = ledger_row(l, i);
		struct dearer *d;

		/* What stands under a row of work is another mix of it. */
		if (r->kind != LEDGER_DEARER || r->under != SIZE_MAX || !r->procedure[1])
			continue;
		d = &j->dearer[match_entity(c->m, j->ends[LAST], r->procedure[1])];
		d->amount += r->value.amount;
		for (size_t k = 0; k < r->nr_items; k++)
			d->before += r->items[k].price ? r->items[k].ns[0] : 0;
	}
	ledger_close(l);
	return 0;
}

/* ---- callers ---- */

static bool
calls_now(const struct judge *j, const struct compared *pairs, size_t i, struct compared_row *row)
{
	struct scalar_value count;

	compared_what(pairs, i, row);
	if (!row->entity || !row->callee || !sides_have(&row->sides, j->ends[LAST]))
		return false;
	count = compared_value(pairs, i, j->ends[LAST], FIGURE_COUNT);
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
	certain = certain || is_surely_less(j, rest);
	return of->of[LAST] - of->of[FIRST] - (less > 0 && certain ? less : 0);
}

/* ---- what is excepted ---- */

/* What ENTITY has more is no gain of those that call it, up to the next ones that are excepted, nor
 * of the whole, if there is a way to it. */
static void
except_from_callers(struct judge *j, struct kind *kind, entity_id entity)
{
	const struct judged *of = &kind->of[entity];
	double more = of->of[LAST] - of->of[FIRST];
	bool whole = false;
	size_t nr = 0;

	if (!(more > 0))
		return;
	j->seen[entity] = ++j->stamp;
	for (j->todo[nr++] = entity; nr;) {
		entity_id e = j->todo[--nr];

		whole |= j->first[e] == j->first[e + 1];
		for (uint32_t i = j->first[e]; i < j->first[e + 1]; i++) {
			entity_id caller = j->callers[i];

			if (j->seen[caller] == j->stamp || j->excepted[caller])
				continue;
			j->seen[caller] = j->stamp;
			kind->of[caller].excepted += more;
			j->todo[nr++] = caller;
		}
	}
	if (whole)
		kind->excepted += more;
}

static void
except(struct judge *j, struct kind *kind)
{
	size_t nr = match_entities(j->c->m);

	for (entity_id e = 1; j->excepted && e <= nr; e++)
		if (j->excepted[e])
			except_from_callers(j, kind, e);
}

/* ---- thresholds ---- */

static bool
exceeds(const struct threshold *t, double gain, double before)
{
	return gain > 0 && gain > t->absolute && gain > t->relative * before;
}

/* Is nothing known of it? Of the same work it is: it takes as long. */
static bool
is_unknown(const struct judge *j, const struct threshold *t)
{
	return (t->kind == THRESHOLD_SLOWER || t->kind == THRESHOLD_DEARER) && j->few_runs &&
	       !j->c->same_work;
}

/* May it be so much slower, or faster, and nobody sees it? */
static bool
is_unresolved(const struct judge *j, const struct threshold *t, const struct judged *of)
{
	double least = of->is.least * j->share, more = fabs(of->of[LAST] - of->of[FIRST]);
	double most = fmax(of->of[FIRST], of->of[LAST]);

	if (j->c->same_work || !(most > 0) || of->is.verdict == VERDICT_SLOWER ||
	    of->is.verdict == VERDICT_FASTER)
		return false;
	if (isnan(least))
		return most > t->absolute;
	return exceeds(t, least, of->of[FIRST]) &&
	       (least > SAME_SHARE * of->of[FIRST] || more >= least);
}

static bool
is_met(struct judge *j, const struct threshold *t, entity_id entity)
{
	const struct judged *of = &j->kinds[t->figure].of[entity];

	if (t->kind == THRESHOLD_DEARER)
		return exceeds(t, j->dearer[entity].amount, j->dearer[entity].before);
	if (!of->both)
		return false;
	if (t->kind == THRESHOLD_UNRESOLVED)
		return is_unresolved(j, t, of);
	if (t->kind == THRESHOLD_SLOWER && of->is.verdict != VERDICT_SLOWER)
		return false;
	return exceeds(t, of->of[LAST] - of->of[FIRST] - of->excepted, of->of[FIRST]) &&
	       exceeds(t, gain_of(j, t, entity) - of->excepted, of->of[FIRST]);
}

/* The same of the whole program. What is dearer is told of procedures. */
static bool
is_met_by_all(const struct judge *j, const struct threshold *t)
{
	const struct kind *kind = &j->kinds[t->figure];
	struct judged of = { .both = true };

	if (t->kind == THRESHOLD_DEARER)
		return false;
	for (int k = 0; k < NR_ENDS; k++) {
		struct scalar_value v = comparison_total(j->c, j->ends[k], t->figure);

		of.of[k] = scalar_number(&v) * j->share;
	}
	if (t->figure == FIGURE_TOTAL_NS)
		of.is = verdict_of_total(j->t, &kind->difference);
	if (t->kind == THRESHOLD_UNRESOLVED)
		return is_unresolved(j, t, &of);
	return (t->kind != THRESHOLD_SLOWER || of.is.verdict == VERDICT_SLOWER) &&
	       exceeds(t, of.of[LAST] - of.of[FIRST] - kind->excepted, of.of[FIRST]);
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
	if (open_ends(j, err))
		return -1;
	for (size_t i = 0; i < nr; i++)
		if (check_ends(j, &thresholds[i], err))
			return -1;
	if (read_callers(j, err))
		return -1;
	for (int f = 0; f < FIGURES_MAX; f++) {
		if (!j->kinds[f].of)
			continue;
		fill(j, &j->kinds[f], (enum figure)f);
		except(j, &j->kinds[f]);
	}
	return find_dearer(j, err);
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
	if (j->excepted && j->excepted[row.entity])
		return 0;
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
		struct profile *p = j->c->profiles[j->ends[k]];
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
	const struct threshold *slower = threshold_of(j, THRESHOLD_SLOWER),
			       *timed = slower ? slower : threshold_of(j, THRESHOLD_DEARER);

	if (timed && is_unknown(j, timed) && (j->unknown || j->nr_known < j->nr_judged)) {
		put_few_runs(j, &reason);
		error_set(err, "%s() cannot be told by %s: one run may take longer than another by "
			  "chance; it needs %d of each, as by record -n 10", timed->name,
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
	for (size_t i = 0; i < nr; i++)
		extra.met[i] = is_unknown(j, &t[i]) ? -1 : is_met_by_all(j, &t[i]);
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
