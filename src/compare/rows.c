/* Answers all questions about a table of compared rows. */
#include <math.h>
#include <stdlib.h>

#include "compare/comparison.h"
#include "compare/table.h"
#include "util/job_sort.h"
#include "util/mem.h"
#include "util/order.h"

size_t
compared_rows(const struct compared *t)
{
	return t->x.nr_rows;
}

struct match *
compared_match(const struct compared *t)
{
	return t->c->m;
}

struct profile *
compared_profile(const struct compared *t, size_t i)
{
	return comparison_profile(t->c, i);
}

const struct expression *
compared_expression(const struct compared *t)
{
	return t->e;
}

enum compare_by
compared_by(const struct compared *t)
{
	return t->x.by;
}

enum figure
compared_figure(const struct compared *t)
{
	return expression_figure(t->e);
}

enum figure
compared_figure_of(const struct compared *t, size_t profile)
{
	return expression_figure_of(t->e, profile);
}

void
compared_row(const struct compared *t, size_t i, struct compared_row *out)
{
	compared_what(t, i, out);
	out->value = row_value(&t->x, t->order[i]);
	out->significance = row_significance(t, t->order[i]);
}

static bool
is_point(const struct items *x, size_t profile, uint32_t item)
{
	return x->by == BY_RANGE && x->sides[profile].items[item].kind == RANGE_POINT;
}

/* The least of all profiles in which the procedure was found by its similar text; 0: none. */
static int
alike(const struct compared *t, entity_id entity)
{
	int least = 0, percent;

	for (size_t k = 0; k < t->x.nr_profiles; k++)
		if (match_found(t->c->m, entity, k, &percent) == MATCH_LIKE)
			least = least && least < percent ? least : percent;
	return least;
}

void
compared_what(const struct compared *t, size_t i, struct compared_row *out)
{
	const struct items *x = &t->x;
	size_t n = t->order[i];
	uint32_t other = 0;

	*out = (struct compared_row){
		.type = "",
		.estimated = x->flags[n] & ROW_ESTIMATED,
		.arcs = x->arcs ? x->arcs[n] : 0,
	};
	for (size_t k = 0; k < x->nr_profiles; k++) {
		uint32_t item = x->index[n * x->nr_profiles + k];

		if (!item)
			continue;
		if (!sides_count(&out->sides) || !is_point(x, k, item - 1))
			out->kind = x->sides[k].items[item - 1].kind;
		sides_add(&out->sides, k);
		other = x->sides[k].items[item - 1].what;
		out->entity = compare_by_has_owner(x->by) ? item_owner(x, k, item - 1) : 0;
		out->type = item_type(x, k, item - 1);
		out->size_class = item_size_class(x, k, item - 1);
	}
	if (compare_by_is_called(x->by) && !(other & CALL_OUTSIDE))
		out->callee = other & CALL_MASK;
	out->changed = x->flags[n] & ROW_CHANGED && compared_everywhere(t, out);
	out->alike = x->by == BY_PROCEDURE ? alike(t, out->entity) : 0;
}

/* The number + 1 of row I's item; 0: there is none. */
static uint32_t
item_of(const struct compared *t, size_t i, size_t profile)
{
	return t->x.index[t->order[i] * t->x.nr_profiles + profile];
}

bool
compared_place(const struct compared *t, size_t i, size_t profile, struct place *place)
{
	uint32_t item = item_of(t, i, profile);

	if (item)
		*place = item_place(&t->x, profile, item - 1);
	return item;
}

size_t
compared_holder(const struct compared *t, size_t i, struct place *place)
{
	size_t holder = 0;
	bool point = true;
	uint32_t item;

	*place = (struct place){ .file = 0 };
	for (size_t k = t->x.nr_profiles; k-- > 0 && point;) {
		item = item_of(t, i, k);
		if (!item || (place->file && is_point(&t->x, k, item - 1)))
			continue;
		*place = item_place(&t->x, k, item - 1);
		holder = k;
		point = is_point(&t->x, k, item - 1);
	}
	return holder;
}

model_id
compared_id(const struct compared *t, size_t i, size_t profile)
{
	uint32_t item = item_of(t, i, profile);

	return item ? item_id(&t->x, profile, item - 1) : 0;
}

struct scalar_value
compared_value(const struct compared *t, size_t i, size_t profile, enum figure f)
{
	return figure_of(t, t->order[i], profile, f);
}

bool
compared_everywhere(const struct compared *t, const struct compared_row *row)
{
	return sides_count(&row->sides) == t->x.nr_profiles;
}

const char *
compared_uses(const struct compared *t, const struct compared_row *row)
{
	const char *uses = "";

	if (t->x.by != BY_PROCEDURE || !row->changed)
		return "";
	for (size_t k = 0; k < t->x.nr_profiles; k++) {
		if (match_changed(t->c->m, row->entity, k))
			return "";
		if (!*uses)
			uses = match_uses(t->c->m, row->entity, k);
	}
	return uses;
}

void
compared_sides(const struct compared *t, const struct compared_row *row, struct strbuf *out)
{
	size_t nr = t->x.nr_profiles;
	bool everywhere = nr > 1 && compared_everywhere(t, row);

	if (everywhere && row->alike)
		strbuf_fmt(out, "like (%d %%)", row->alike);
	else if (everywhere && *compared_uses(t, row))
		strbuf_fmt(out, "uses %s", compared_uses(t, row));
	else if (everywhere)
		strbuf_str(out, row->changed ? "changed" : nr == 2 ? "both" : "all");
	else
		sides_text(&row->sides, nr, out);
}

bool
compared_apart(const struct compared *t)
{
	return t->apart;
}

bool
compared_affected(const struct compared *t)
{
	bool any = false;

	for (size_t k = 0; t->x.by == BY_PROCEDURE && k < t->x.nr_profiles; k++)
		any |= match_report(t->c->m, k)->affected > 0;
	return any;
}

bool
compared_alike(const struct compared *t)
{
	bool any = false;

	for (size_t k = 0; t->x.by == BY_PROCEDURE && k < t->x.nr_profiles; k++)
		any |= match_report(t->c->m, k)->how[MATCH_LIKE] > 0;
	return any;
}

bool
compared_sampled(const struct compared *t)
{
	return t->sampled;
}

bool
compared_few_runs(const struct compared *t)
{
	return t->few_runs;
}

/* Each block is of one row, whoever got it. */
static struct scalar_value
sum_of_rows(const struct compared *t, size_t profile, enum figure f)
{
	struct scalar_value sum = comparison_scaled(t->c, profile, f, 0), v;

	for (size_t i = 0; i < t->x.nr_rows && sum.type != SCALAR_NULL; i++) {
		v = figure_of(t, i, profile, f);
		if (__builtin_add_overflow(sum.integer, v.integer, &sum.integer))
			sum.integer = INT64_MAX;
	}
	return sum;
}

struct scalar_value
compared_total(const struct compared *t, size_t profile, enum figure f)
{
	bool calls = t->x.by == BY_PROCEDURE || compare_by_is_called(t->x.by);

	if (compare_by_is_space(t->x.by))
		return sum_of_rows(t, profile, f);
	return comparison_total(t->c, profile, calls && f == FIGURE_COUNT ? FIGURE_CALLS : f);
}

/* False: there is none of one of them. */
static bool
total_figures(const struct compared *t, const struct expression *e,
	      struct scalar_value figures[MAX_REFERENCES])
{
	size_t nr;
	const struct reference *r = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++) {
		figures[i] = compared_total(t, r[i].profile, (enum figure)r[i].figure);
		if (figures[i].type == SCALAR_NULL)
			return false;
	}
	return true;
}

struct scalar_value
compared_total_value(struct compared *t)
{
	struct scalar_value figures[MAX_REFERENCES], value = { .type = SCALAR_NULL };
	struct error err = ERROR_INIT;

	if (!total_figures(t, t->e, figures))
		return value;
	if (expression_evaluate(t->e, figures, NULL, &value, &err))
		value.type = SCALAR_NULL;
	return value;
}

double
total_judged(const struct compared *t, struct expression *e, double *error)
{
	struct scalar_value figures[MAX_REFERENCES];
	struct run_deviations d = { .by_profile = { 0 } };

	if (!e || (t->c->normalised && !t->c->base) || !total_figures(t, e, figures))
		return NAN; /* or it was made the same */
	d.of = expression_figure(e);
	for (size_t k = 0; k < t->c->nr; k++)
		d.by_profile[k] = t->c->spreads[k].cpu * comparison_times(t->c, k);
	return comparison_significance(t->c, e, figures, &d, error);
}

double
compared_total_significance(const struct compared *t)
{
	return total_judged(t, t->sampled ? t->e : NULL, NULL);
}

bool
compared_differs(const struct compared *t)
{
	enum column_unit unit = expression_unit(t->e);
	double same = unit == UNIT_FACTOR || unit == UNIT_GROWTH ? 1 : 0;

	for (size_t i = 0; i < t->x.nr_rows; i++) {
		struct scalar_value v = row_value(&t->x, i);

		if (v.type != SCALAR_NULL && scalar_number(&v) != same)
			return true;
	}
	return false;
}

double
compared_greatest(const struct compared *t)
{
	/* Behind those that are infinite. */
	for (size_t i = 0; i < t->x.nr_rows; i++) {
		struct scalar_value v = row_value(&t->x, t->order[i]);
		double number = fabs(scalar_number(&v));

		if (isfinite(number))
			return number;
	}
	return 0;
}

/* ---- windows of the source ---- */

/* Returns the place of a row that has an item. */
static struct place
place_of(const struct compared *t, size_t i, size_t profile)
{
	return item_place(&t->x, profile, item_of(t, i, profile) - 1);
}

static int
compare_by_place(const void *pa, const void *pb, void *context)
{
	const struct by_place *c = context;
	const uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
	struct place a = place_of(c->t, ia, c->profile), b = place_of(c->t, ib, c->profile);

	COMPARE(a.file, b.file);
	COMPARE(a.line, b.line);
	COMPARE(a.column, b.column);
	COMPARE(b.end_line, a.end_line);
	COMPARE(b.end_column, a.end_column);
	COMPARE(ia, ib);
	return 0;
}

/* Rows and items that are looked at for a unit of work. */
enum { UNIT = 16 };

static void
looked_at(size_t i, size_t all)
{
	if (i % UNIT)
		return;
	job_progress((double)i, (double)all);
	job_pause(1);
}

/* Gathers the rows in the order of their items, which is nearly that of their places. */
static void
gather_rows(const struct compared *t, struct place_index *at, size_t profile)
{
	size_t nr = t->x.sides[profile].nr;

	at->row_of = xcalloc(nr, sizeof(*at->row_of));
	at->rows = xcalloc(t->x.nr_rows, sizeof(*at->rows));
	for (size_t i = 0; i < t->x.nr_rows; looked_at(++i, t->x.nr_rows)) {
		uint32_t item = item_of(t, i, profile);

		if (item && item_place(&t->x, profile, item - 1).file)
			at->row_of[item - 1] = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < nr; looked_at(++i, nr))
		if (at->row_of[i])
			at->rows[at->nr++] = at->row_of[i] - 1;
	free(at->row_of);
	at->row_of = NULL;
}

/* Notes how far the rows up to each one reach. */
static void
note_reach(const struct compared *t, struct place_index *at, size_t profile)
{
	struct place reached = { 0 }; /* that of the row that reaches furthest in its file */

	at->reach = xcalloc(at->nr / REACH_STEP + 1, sizeof(*at->reach));
	for (size_t i = 0; i < at->nr; looked_at(++i, at->nr)) {
		struct place p = place_of(t, at->rows[i], profile);

		if (p.file != reached.file || p.end_line > reached.end_line)
			reached = p;
		at->reach[i / REACH_STEP] = reached.end_line;
	}
}

static void
make_index(void *place_index)
{
	struct place_index *at = place_index;
	const struct compared *t = at->context.t;

	gather_rows(t, at, at->context.profile);
	job_sort(at->rows, at->nr, sizeof(*at->rows), compare_by_place, &at->context);
	note_reach(t, at, at->context.profile);
	at->indexed = true;
}

bool
compared_index(struct compared *t, size_t profile, bool (*enough)(void *context), void *context)
{
	struct place_index *at = &t->at[profile];

	if (at->indexed)
		return true;
	if (!at->job) {
		at->context = (struct by_place){ t, profile };
		at->job = job_new(make_index, at);
	}
	return job_run(at->job, enough, context);
}

size_t
compared_at(struct compared *t, size_t profile, model_id file, uint32_t first, uint32_t last,
	    size_t **rows)
{
	struct place_index *at = &t->at[profile];
	size_t low = 0, high, nr = 0, begin;

	compared_index(t, profile, NULL, NULL);
	for (high = at->nr; low < high;) {
		size_t middle = (low + high) / 2;
		struct place p = place_of(t, at->rows[middle], profile);

		if (p.file < file || (p.file == file && p.line <= last))
			low = middle + 1;
		else
			high = middle;
	}
	begin = low;
	while (begin && place_of(t, at->rows[begin - 1], profile).file == file &&
	       (begin % REACH_STEP || at->reach[begin / REACH_STEP - 1] >= first))
		begin--;
	*rows = xcalloc(low - begin, sizeof(**rows));
	for (; begin < low; begin++) {
		if (place_of(t, at->rows[begin], profile).end_line >= first)
			(*rows)[nr++] = at->rows[begin];
	}
	return nr;
}
