#include "compare/series.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"

enum { LEAST_POINTS = 3 };
#define GOOD_FIT 0.9

struct fit
fit_power(const double *sizes, const double *values, size_t nr)
{
	struct fit fit = { NAN, NAN, 0 };
	double x = 0, y = 0, xx = 0, xy = 0, yy = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!(values[i] > 0) || !isfinite(values[i]))
			continue;
		x += log(sizes[i]);
		y += log(values[i]);
		fit.points++;
	}
	if (!fit.points)
		return fit;
	x /= fit.points;
	y /= fit.points;
	for (size_t i = 0; i < nr; i++) {
		double dx = log(sizes[i]) - x, dy = log(values[i]) - y;

		if (!(values[i] > 0) || !isfinite(values[i]))
			continue;
		xx += dx * dx;
		xy += dx * dy;
		yy += dy * dy;
	}
	if (xx <= 1e-12)
		return fit;
	fit.exponent = xy / xx;
	if (fit.points >= LEAST_POINTS)
		fit.r2 = yy <= 1e-12 ? 1 : xy * xy / (xx * yy);
	return fit;
}

int
series_value(struct series *s, const struct series_row *row, size_t profile, double *value,
	     struct error *err)
{
	struct expression *e = s->expressions[row->by][profile];
	struct scalar_value figures[MAX_REFERENCES], v;
	struct compared_row r;
	size_t nr;
	const struct reference *refs = expression_references(e, &nr);

	*value = NAN;
	compared_row(s->tables[row->by], row->row, &r);
	if (!(r.sides & 1u << profile))
		return 0;
	for (size_t i = 0; i < nr; i++)
		figures[i] = compared_value(s->tables[row->by], row->row, profile,
					    (enum figure)refs[i].figure);
	if (expression_evaluate(e, figures, NULL, &v, err))
		return -1;
	*value = scalar_number(&v);
	return 0;
}

static size_t
largest(const struct series *s)
{
	size_t at = 0;

	for (size_t k = 1; k < comparison_profiles(s->c); k++)
		at = s->sizes[k] > s->sizes[at] ? k : at;
	return at;
}

static int
add_row(struct series *s, enum compare_by by, size_t i, struct error *err)
{
	struct series_row row = { .by = by, .row = i };
	double values[MAX_PROFILES] = { 0 };
	size_t nr = comparison_profiles(s->c);

	for (size_t k = 0; k < nr; k++) {
		if (series_value(s, &row, k, &values[k], err))
			return -1;
	}
	row.fit = fit_power(s->sizes, values, nr);
	row.last = values[largest(s)];
	GROW(s->rows, s->nr_rows + 1, s->rows_alloc);
	s->rows[s->nr_rows++] = row;
	return 0;
}

/* Returns the figures that the expression needs (a mask), or 0: ERR. */
static uint64_t
compile(struct series *s, enum compare_by by, const char *text, struct expression_error *err)
{
	struct expression_context context;
	uint64_t figures = FIGURE_BIT(FIGURE_COUNT);

	for (size_t k = 0; k < comparison_profiles(s->c); k++) {
		size_t nr;
		const struct reference *refs;

		comparison_context(s->c, by, &context);
		context.profiles[0] = context.profiles[k];
		context.nr_profiles = 1;
		s->expressions[by][k] = expression_compile(text, &context, err);
		if (!s->expressions[by][k])
			return 0;
		expression_deadline(s->expressions[by][k], 10000);
		refs = expression_references(s->expressions[by][k], &nr);
		for (size_t i = 0; i < nr; i++)
			figures |= FIGURE_BIT(refs[i].figure);
	}
	return figures;
}

int
series_begin(struct series *s, enum compare_by by, const char *text,
	     struct expression_error *err)
{
	const struct named_expression *named = expression_find(text);
	uint64_t figures = compile(s, by, named ? named->expression : text, err);

	if (!figures)
		return -1;
	s->at = 0;
	s->compared = false;
	s->tables[by] = comparison_begin(s->c, by, "a.count", figures, err);
	return s->tables[by] ? 0 : -1;
}

int
series_work(struct series *s, enum compare_by by, bool (*enough)(void *context), void *context,
	    struct error *err)
{
	enum { STRIDE = 64 };
	size_t nr;
	int done;

	if (!s->compared) {
		done = comparison_work(s->tables[by], enough, context, err);
		if (done <= 0)
			return done;
		s->compared = true;
	}
	for (nr = compared_rows(s->tables[by]); s->at < nr;) {
		if (add_row(s, by, s->at++, err))
			return -1;
		if (enough && s->at % STRIDE == 0 && enough(context))
			return 0;
	}
	return 1;
}

int
series_add(struct series *s, enum compare_by by, const char *text, struct expression_error *err)
{
	if (series_begin(s, by, text, err))
		return -1;
	return series_work(s, by, NULL, NULL, &err->error) < 0 ? -1 : 0;
}

void
series_release(struct series *s)
{
	for (int by = 0; by < NR_COMPARE_BY; by++) {
		for (size_t k = 0; k < MAX_PROFILES; k++)
			expression_free(s->expressions[by][k]);
	}
	free(s->rows);
	s->rows = NULL;
	s->nr_rows = s->rows_alloc = 0;
}

/* ---- order ---- */

static int
rank(const struct series_row *r)
{
	if (isnan(r->fit.exponent))
		return 2;
	return r->fit.points >= LEAST_POINTS && r->fit.r2 >= GOOD_FIT ? 0 : 1;
}

static double
or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/* Figures that grow alike have exponents that are equal but for the last digits of a double. */
static double
exact_exponent(const struct series_row *r)
{
	return round(or_zero(r->fit.exponent) * 1e9) / 1e9;
}

static int
compare_rows(const void *pa, const void *pb)
{
	const struct series_row *a = pa, *b = pb;
	double ea = exact_exponent(a), eb = exact_exponent(b);
	double la = or_zero(a->last), lb = or_zero(b->last);

	if (rank(a) != rank(b))
		return rank(a) - rank(b);
	if (ea != eb)
		return ea > eb ? -1 : 1;
	if (la != lb)
		return la > lb ? -1 : 1;
	if (a->by != b->by)
		return a->by < b->by ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

void
series_sort(struct series *s)
{
	if (s->nr_rows)
		qsort(s->rows, s->nr_rows, sizeof(*s->rows), compare_rows);
}

/* ---- the spark line ---- */

void
spark_line(struct strbuf *out, const double *values, size_t nr, bool ascii)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char letters[] = "_.:-=+*#";
	double greatest = 0;

	for (size_t i = 0; i < nr; i++) {
		if (isfinite(values[i]) && values[i] > greatest)
			greatest = values[i];
	}
	for (size_t i = 0; i < nr; i++) {
		int step = 0;

		if (isnan(values[i])) {
			strbuf_char(out, ' ');
			continue;
		}
		if (greatest > 0 && values[i] > 0)
			step = values[i] >= greatest ? 7 : (int)(values[i] / greatest * 8);
		if (ascii)
			strbuf_char(out, letters[step]);
		else
			strbuf_str(out, bars[step]);
	}
}
