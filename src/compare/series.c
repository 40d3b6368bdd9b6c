#include "compare/series.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

/* What has at least this share at the largest size is looked at first when smaller ones lack it. */
#define LEAST_SHARE 0.01

void
series_init(struct series *s, struct comparison *c, const double *sizes)
{
	*s = (struct series){ .c = c };
	fit_sizes_init(&s->sizes, sizes, comparison_profiles(c));
	s->sizes.name = comparison_size_name(c);
	for (size_t k = 1; k < s->sizes.nr; k++)
		s->largest = sizes[k] > sizes[s->largest] ? k : s->largest;
}

static uint64_t
work_of(struct profile *p)
{
	return profile_measures(p).items[MEASURE_WORK - 1].total;
}

/* Profiles that were made before it was recorded have none. */
static bool
has_work(const struct comparison *c)
{
	bool all = true;

	for (size_t k = 0; k < comparison_profiles(c); k++)
		all &= work_of(comparison_profile(c, k)) != 0;
	return all;
}

const char *
series_default(const struct comparison *c, enum compare_by by)
{
	if (compare_by_is_space(by))
		return by == BY_DISPOSER ? "a.freed" : by == BY_POOL ? "a.pool_bytes" : "a.bytes";
	return by == BY_PROCEDURE && has_work(c) ? "a.work" : "a.count";
}

/* The value of a row in PROFILE. */
static int
value_in(struct series *s, const struct series_row *row, size_t profile, double *value,
	 struct error *err)
{
	struct expression *e = s->expressions[row->by];
	struct scalar_value figures[MAX_REFERENCES], v;
	size_t nr;
	const struct reference *refs = expression_references(e, &nr);

	for (size_t i = 0; i < nr; i++)
		figures[i] = compared_value(s->tables[row->by], row->row, profile,
					    (enum figure)refs[i].figure);
	expression_take(e, s->profiles + profile);
	if (expression_evaluate(e, figures, NULL, &v, err))
		return -1;
	*value = scalar_number(&v);
	return 0;
}

int
series_values(struct series *s, const struct series_row *row, double *values, struct error *err)
{
	struct compared_row r;

	compared_what(s->tables[row->by], row->row, &r);
	for (size_t k = 0; k < s->sizes.nr; k++) {
		values[k] = NAN;
		if (sides_have(&r.sides, k) && value_in(s, row, k, &values[k], err))
			return -1;
	}
	return 0;
}

double
series_share(const struct series *s, const struct series_row *row)
{
	return row->last / s->sums[row->by];
}

static int
add_row(struct series *s, enum compare_by by, size_t i, struct error *err)
{
	struct series_row row = { .by = by, .row = (uint32_t)i };
	double values[MAX_PROFILES];
	struct fit fit;

	if (series_values(s, &row, values, err))
		return -1;
	fit_values(&s->sizes, values, &fit);
	row.exponent = (float)fit.exponent;
	row.r2 = (float)fit.r2;
	row.good = fit_is_good(&fit);
	row.degree = fit_degree(&fit);
	row.last = values[s->largest];
	row.appears = fit.from > 0 && row.last > 0;
	if (row.last > 0 && isfinite(row.last))
		s->sums[by] += row.last;
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
	const struct reference *refs;
	size_t nr;

	comparison_context(s->c, by, &context);
	s->profiles = context.profiles;
	context.nr_profiles = 1;
	s->expressions[by] = expression_compile(text, &context, err);
	if (!s->expressions[by])
		return 0;
	expression_deadline(s->expressions[by], 10000 * (unsigned)comparison_profiles(s->c));
	refs = expression_references(s->expressions[by], &nr);
	for (size_t i = 0; i < nr; i++)
		figures |= FIGURE_BIT(refs[i].figure);
	return figures;
}

int
series_begin(struct series *s, enum compare_by by, const char *text,
	     struct expression_error *err)
{
	uint64_t figures;

	text = text ? expression_meant(text, by == BY_PROCEDURE) : series_default(s->c, by);
	figures = compile(s, by, text, err);
	if (!figures)
		return -1;
	s->sums[by] = 0;
	s->at = 0;
	s->compared = false;
	text = compare_by_is_space(by) ? series_default(s->c, by) : "a.count";
	s->tables[by] = comparison_begin(s->c, by, text, figures, err);
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
	/* One row at a time is evaluated from now on. */
	expression_deadline(s->expressions[by], UINT_MAX);
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
	for (int by = 0; by < NR_COMPARE_BY; by++)
		expression_free(s->expressions[by]);
	fit_sizes_release(&s->sizes);
	free(s->rows);
	s->rows = NULL;
	s->nr_rows = s->rows_alloc = 0;
}

/* ---- order ---- */

/* Rows by their rank; then by the key, the greatest first. */
struct rank { int rank; double key; };

static struct rank
rank(const struct series *s, const struct series_row *r)
{
	if (r->appears && series_share(s, r) >= LEAST_SHARE)
		return (struct rank){ 0, series_share(s, r) };
	return (struct rank){ r->good ? 1 : isfinite(r->degree) ? 2 : 3, r->degree };
}

static double
or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static int
compare_rows(const void *pa, const void *pb, void *series)
{
	const struct series_row *a = pa, *b = pb;
	struct rank ra = rank(series, a), rb = rank(series, b);
	double la = or_zero(a->last), lb = or_zero(b->last);

	if (ra.rank != rb.rank)
		return ra.rank - rb.rank;
	COMPARE(rb.key, ra.key);
	COMPARE(lb, la);
	COMPARE(a->by, b->by);
	return (a->row > b->row) - (a->row < b->row);
}

void
series_sort(struct series *s)
{
	if (s->nr_rows)
		qsort_r(s->rows, s->nr_rows, sizeof(*s->rows), compare_rows, s);
}

/* ---- the spark line ---- */

/* Returns the mean of those of NR values that are there; NAN: none is. */
static double
mean_of(const double *values, size_t nr)
{
	double sum = 0;
	size_t there = 0;

	for (size_t i = 0; i < nr; i++) {
		if (isnan(values[i]))
			continue;
		sum += values[i];
		there++;
	}
	return there ? sum / (double)there : NAN;
}

void
spark_line(struct strbuf *out, const double *values, size_t nr, size_t most, bool ascii)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char letters[] = "_.:-=+*#";
	size_t cells = nr < most ? nr : most;
	double greatest = 0;

	for (size_t i = 0; i < nr; i++) {
		if (isfinite(values[i]) && values[i] > greatest)
			greatest = values[i];
	}
	for (size_t i = 0; i < cells; i++) {
		size_t from = i * nr / cells;
		double value = mean_of(values + from, (i + 1) * nr / cells - from);
		int step = 0;

		if (isnan(value)) {
			strbuf_char(out, ' ');
			continue;
		}
		if (greatest > 0 && value > 0)
			step = value >= greatest ? 7 : (int)(value / greatest * 8);
		if (ascii)
			strbuf_char(out, letters[step]);
		else
			strbuf_str(out, bars[step]);
	}
}
