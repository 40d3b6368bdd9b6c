/* Turns the values of a comparison into colours and titles. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/compared.h"
#include "db/model/significance.h"
#include "show/human.h"
#include "show/value.h"
#include "tui/browser.h"
#include "util/text/path.h"

/* ---- windows of a source text ---- */

bool
compare_is_unsure(const struct compare_kind *k, double significance)
{
	return k->few_runs || k->same_work ||
	       (!isnan(significance) && fabs(significance) < CERTAIN);
}

static void
take_row(const struct compare *x, const struct compare_kind *k, size_t at, size_t profile,
	 struct compare_value *v)
{
	struct compared_row row;

	compared_row(k->table, at, &row);
	compared_place(k->table, at, profile, &v->place);
	v->kind = row.kind;
	v->value = k->exponents ? k->exponents[at] : scalar_number(&row.value);
	v->heat = k->degrees ? k->degrees[at] : v->value;
	v->unsure = compare_is_unsure(k, row.significance);
	if (sides_have(&row.sides, 0))
		v->a = compared_value(k->table, at, 0, k->of_a);
	if (sides_have(&row.sides, x->nr - 1))
		v->b = compared_value(k->table, at, x->nr - 1, k->of_b);
}

static void
read_table(const struct compare *x, struct compare_kind *k, struct compare_window *w)
{
	size_t profile = compare_side(x, w->of.file.first), *rows;

	w->nr = compared_at(k->table, profile, w->of.file.id, w->of.from, w->of.to, &rows);
	w->values = xcalloc(w->nr, sizeof(*w->values));
	for (size_t i = 0; i < w->nr; i++)
		take_row(x, k, rows[i], profile, &w->values[i]);
	free(rows);
}

static void
read_stored(const struct compare *x, const struct compare_kind *k, enum compare_by by,
	    struct compare_window *w)
{
	struct stored_value *stored;

	if (w->of.file.first)
		return;
	w->nr = profile_stored_at(x->profiles[x->nr - 1], compare_by_name(by), w->of.file.id,
				  w->of.from, w->of.to, &stored);
	w->values = xcalloc(w->nr, sizeof(*w->values));
	for (size_t i = 0; i < w->nr; i++)
		w->values[i] = (struct compare_value){
			.place = stored[i].place, .value = scalar_number(&stored[i].value),
			.heat = scalar_number(&stored[i].value),
			.a = stored[i].a, .b = stored[i].b, .kind = stored[i].kind,
			.unsure = compare_is_unsure(k, stored[i].significance),
		};
	free(stored);
}

const struct compare_value *
compare_values(struct browser *b, enum compare_by by, const struct compare_source *s, size_t *nr)
{
	struct compare_kind *k = compare_kind(b, by);
	struct compare_window *w = &b->compare.windows[s->file.first][by];

	*nr = 0;
	if (!compare_has_places(b, by, s->file.first))
		return NULL;
	if (!w->of.file.id || w->of.file.id != s->file.id || s->from < w->of.from ||
	    s->to > w->of.to) {
		free(w->values);
		*w = (struct compare_window){ .of = *s };
		if (k->table)
			read_table(&b->compare, k, w);
		else if (k->expression)
			read_stored(&b->compare, k, by, w);
	}
	*nr = w->nr;
	return w->values;
}

/* ---- steps ---- */

/* Returns the distance from "no difference"; of factors the logarithm counts. */
static double
distance(const struct compare_kind *k, double value)
{
	if (k->unit == UNIT_FACTOR)
		return value > 0 ? log2(value) : -INFINITY;
	return k->unit == UNIT_GROWTH ? value - 1 : value;
}

struct hot_line { double differs; uint32_t line; };

static int
by_difference(const void *a, const void *b)
{
	const struct hot_line *x = a, *y = b;

	if (x->differs != y->differs)
		return x->differs > y->differs ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

size_t
compare_hot_lines(struct browser *b, const struct compare_source *s, uint32_t **lines)
{
	const struct compare_kind *k = compare_kind(b, BY_LINE);
	size_t nr, n = 0;
	/* Those of a larger window may be there. */
	const struct compare_value *values = compare_values(b, BY_LINE, s, &nr);
	struct hot_line *hot = xcalloc(nr + 1, sizeof(*hot));

	for (size_t i = 0; i < nr; i++) {
		uint32_t line = values[i].place.line;
		double d = isnan(values[i].heat) ? 0 : fabs(distance(k, values[i].heat));

		if (d > 0 && !values[i].unsure && line >= s->from && line <= s->to)
			hot[n++] = (struct hot_line){ d, line };
	}
	qsort(hot, n, sizeof(*hot), by_difference);
	*lines = xcalloc(n + 1, sizeof(**lines));
	for (size_t i = 0; i < n; i++)
		(*lines)[i] = hot[i].line;
	free(hot);
	return n;
}

uint32_t
compare_hottest_line(struct browser *b, const struct compare_source *s)
{
	uint32_t *lines, line;

	line = compare_hot_lines(b, s, &lines) ? lines[0] : 0;
	free(lines);
	return line;
}

static double
step(const struct browser *b, const struct compare_kind *k, int level)
{
	static const double fixed[][COMPARE_LEVELS] = {
		[UNIT_FACTOR] = { 0.07, 0.32, 1, 2 },      /* 5 %, 25 %, twice, four times */
		[UNIT_GROWTH] = { 0.1, 0.3, 0.6, 0.9 },
		[UNIT_DEVIATIONS] = { 2, 3, 5, 10 },
	};
	static const double parts[2][COMPARE_LEVELS] = {
		{ 0, 0.01, 0.05, 0.25 }, { 0, 0.25, 0.5, 0.75 },
	};

	if (k->unit == UNIT_FACTOR || k->unit == UNIT_GROWTH || k->unit == UNIT_DEVIATIONS)
		return fixed[k->unit][level - 1];
	return parts[b->linear][level - 1] * k->greatest;
}

double
compare_step(const struct browser *b, const struct compare_kind *k, int level)
{
	double d = level < 0 ? -step(b, k, -level) : step(b, k, level);

	return k->unit == UNIT_FACTOR ? exp2(d) : k->unit == UNIT_GROWTH ? 1 + d : d;
}

/* Returns how much more or less VALUE is than no difference: -COMPARE_LEVELS .. COMPARE_LEVELS. */
static int
level_of(const struct browser *b, const struct compare_kind *k, double value)
{
	double d = distance(k, value), size = fabs(d);
	int level = 0;

	if (isnan(d) || size == 0)
		return 0;
	while (level < COMPARE_LEVELS && size >= step(b, k, level + 1))
		level++;
	return d < 0 ? -level : level;
}

enum role
compare_role(const struct browser *b, const struct compare_kind *k, double value, bool unsure)
{
	int level = level_of(b, k, value);

	if (!level)
		return ROLE_COLD;
	if (unsure)
		return ROLE_UNSURE;
	return (enum role)(level < 0 ? ROLE_LESS_1 - level - 1 : ROLE_MORE_1 + level - 1);
}

enum role
compare_text_role(const struct browser *b, const struct compare_kind *k, double value, bool unsure)
{
	enum role role = compare_role(b, k, value, unsure);

	return role == ROLE_COLD ? ROLE_DIM : role;
}

void
compare_arrow(const struct browser *b, const struct compare_kind *k, double value, bool unsure,
	      struct strbuf *out, enum role *role)
{
	int level = level_of(b, k, value);

	*role = level && unsure ? ROLE_DIM : level < 0 ? ROLE_PLACE : ROLE_BAR;
	strbuf_str(out, !level ? "" : draw_glyph(level < 0 ? GLYPH_DOWN : GLYPH_UP));
}

/* ---- titles ---- */

void
compare_add_expression(const struct compare *x, const struct compare_kind *k, const char *of,
		       struct strbuf *out)
{
	if (!k->expression)
		return;
	strbuf_fmt(out, ": %s%s", x->series ? "growth of " : "", k->expression);
	if (k->instead)
		strbuf_fmt(out, " (the other one cannot be had of %s)", of);
}

void
compare_add_chance(struct browser *b, enum compare_by by, struct strbuf *out)
{
	const struct discoveries *found = &b->compare.kinds[by].chance;

	if (b->compare.kinds[by].few_runs)
		strbuf_fmt(out, "; times of less than %d runs each are not judged", FEWEST_RUNS);
	if (b->compare.kinds[by].same_work)
		strbuf_str(out, "; same work: what differs is the machine");
	if (!found->tested || b->compare.kinds[by].same_work)
		return;
	if (!found->beyond)
		strbuf_str(out, "; none beyond chance");
	else
		strbuf_fmt(out, "; %zu of %zu beyond chance, expect 1 false of 20", found->beyond,
			   found->tested);
}

void
compare_title(struct browser *b, enum compare_by by, struct strbuf *out)
{
	const struct compare_kind *k = compare_kind(b, by);

	compare_add_expression(&b->compare, k, "these", out);
	if (k->expression && !k->differs && k->table)
		strbuf_str(out, ": no difference");
}

void
compare_explain(struct browser *b, enum compare_by by, struct strbuf *out)
{
	if (b->compare.c)
		strbuf_fmt(out, "There are no %s in any of the profiles.\n",
			   compare_by_things(by));
	else
		strbuf_fmt(out, "The saved comparison has no %s: %s.\n"
			   "cgview diff -o without --by saves all kinds.\n",
			   compare_by_things(by), b->compare.absent);
}

static void
add_scale(const struct compare *x, struct strbuf *out)
{
	struct comparison_scale s = comparison_scale(x->c, x->nr - 1);

	if (x->unscaled) {
		strbuf_fmt(out, "   not normalised: nothing of %s here", x->normalise);
		return;
	}
	strbuf_fmt(out, "   normalised by %s: %s ", x->normalise, sides_name(x->nr - 1));
	value_scale(out, s.count, draw_ascii());
	if (s.time <= 0 || s.time == s.count)
		return;
	strbuf_str(out, ", its times ");
	value_scale(out, s.time, draw_ascii());
}

void
compare_names(struct browser *b, bool times, struct strbuf *out)
{
	const struct compare *x = &b->compare;
	struct stored_side sides[MAX_PROFILES];
	size_t nr = x->c ? 0 : profile_stored_sides(b->profile, sides, MAX_PROFILES);
	uint32_t runs;

	for (size_t i = 0; i < x->nr; i++) {
		if (i && x->nr > 3 && i + 1 < x->nr) {
			strbuf_str(out, i == 1 ? " .." : "");
			continue;
		}
		strbuf_fmt(out, "%s%s %s", i ? "   " : "", sides_name(i),
			   path_base(x->c ? profile_name(x->profiles[i])
				     : i < nr ? sides[i].path : "?"));
		if (!x->c || !times)
			continue;
		strbuf_str(out, ", ");
		human_ns(out, profile_totals(x->profiles[i])->run.cpu_ns, draw_ascii());
		runs = profile_totals(x->profiles[i])->nr_runs;
		if (comparison_per_run(x->c) || runs > 1)
			strbuf_fmt(out, " in %" PRIu32 " run%s", runs, runs == 1 ? "" : "s");
	}
}

void
compare_banner(struct browser *b, struct strbuf *out)
{
	struct compare *x = &b->compare;

	if (x->c && x->normalise)
		add_scale(x, out);
	if (x->c && comparison_per_run(x->c))
		strbuf_str(out, "   figures of a run");
	if (x->same_work)
		strbuf_str(out, "   same work");
	if (x->c && x->agreement.known)
		strbuf_fmt(out, "   %s (rank correlation %.2f)", x->agreement.doubtful
			   ? "workloads do not match" : "workloads match", x->agreement.rank);
	if (x->absent)
		strbuf_str(out, "   saved");
}
