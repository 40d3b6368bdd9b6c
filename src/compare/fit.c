#include "compare/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/significance.h"
#include "util/order.h"

/* A fit that explains less than this is none; of a constant: whose points deviate more. */
#define GOOD_R2 0.9
#define GOOD_CONSTANT 0.1

/* ---- the models ---- */

static double one(double n) { return n > 0; }
static double n_log_n(double n) { return n * log2(n); }
static double n_sqrt_n(double n) { return n * sqrt(n); }
static double identity(double n) { return n; }
static double square(double n) { return n * n; }
static double n2_log_n(double n) { return n * n * log2(n); }
static double cube(double n) { return n * n * n; }

static const struct model {
	const char *name;
	double (*term)(double n);
	double degree;           /* greater of what grows faster in the end; a factor of log n,
	                          * which runs hardly tell, makes no difference */
	int complexity;          /* of models that describe a value alike, which is more likely */
} models[NR_GROWTHS] = {
	[GROWTH_NONE] = { "", NULL, -INFINITY, 0 },
	[GROWTH_1] = { "1", one, 0, 0 },
	[GROWTH_LOG] = { "log n", log2, 0.01, 2 },
	[GROWTH_SQRT] = { "sqrt n", sqrt, 0.5, 2 },
	[GROWTH_N] = { "n", identity, 1, 1 },
	[GROWTH_N_LOG] = { "n log n", n_log_n, 1, 2 },
	[GROWTH_N_SQRT] = { "n^1.5", n_sqrt_n, 1.5, 2 },
	[GROWTH_N2] = { "n^2", square, 2, 1 },
	[GROWTH_N2_LOG] = { "n^2 log n", n2_log_n, 2, 2 },
	[GROWTH_N3] = { "n^3", cube, 3, 1 },
	[GROWTH_2_N] = { "2^n", exp2, 1e6 + 2, 2 },
	[GROWTH_POWER] = { "n^x", NULL, 0, 3 },
	[GROWTH_EXPONENTIAL] = { "x^n", NULL, 1e6, 3 },
};

const char *
growth_name(enum growth growth)
{
	return models[growth].name;
}

/* Bases near 1 differ by what is beyond it: 1.0025. */
static int
digits_of_base(double base)
{
	double beyond = fabs(base - 1);

	return beyond > 0 && beyond < 0.1 ? 1 - (int)floor(log10(beyond)) : 2;
}

void
fit_name(const struct fit *f, struct strbuf *out)
{
	if (f->growth == GROWTH_POWER)
		strbuf_fmt(out, "n^%.2f", f->parameter);
	else if (f->growth == GROWTH_EXPONENTIAL)
		strbuf_fmt(out, "%.*f^n", digits_of_base(f->parameter), f->parameter);
	else
		strbuf_str(out, models[f->growth].name);
}

double
fit_degree(const struct fit *f)
{
	double degree = models[f->growth].degree + f->parameter;

	return f->falls ? -degree : degree;
}

bool
fit_is_good(const struct fit *f)
{
	if (f->growth == GROWTH_NONE)
		return false;
	return f->growth == GROWTH_1 ? f->cv_error <= GOOD_CONSTANT
				     : f->model_r2 >= GOOD_R2 && f->sure;
}

static int
compare_sizes(const void *pa, const void *pb, void *fit_sizes)
{
	const struct fit_sizes *s = fit_sizes;
	const size_t a = *(const size_t *)pa, b = *(const size_t *)pb;

	COMPARE(s->sizes[a], s->sizes[b]);
	return (a > b) - (a < b);
}

void
fit_sizes_init(struct fit_sizes *s, const double *sizes, size_t nr)
{
	*s = (struct fit_sizes){ .nr = nr, .sizes = sizes };
	for (int g = GROWTH_1; g < NR_FIXED_GROWTHS; g++) {
		s->terms[g] = xcalloc(nr, sizeof(*s->terms[g]));
		for (size_t i = 0; i < nr; i++)
			s->terms[g][i] = models[g].term(sizes[i]);
	}
	s->quantiles = xcalloc(nr, sizeof(*s->quantiles));
	s->order = xcalloc(nr, sizeof(*s->order));
	for (size_t i = 0; i < nr; i++) {
		s->quantiles[i] = i ? student_quantile(0.975, (double)i) : 0;
		s->order[i] = i;
	}
	qsort_r(s->order, nr, sizeof(*s->order), compare_sizes, s);
}

void
fit_sizes_release(struct fit_sizes *s)
{
	for (int g = GROWTH_1; g < NR_FIXED_GROWTHS; g++)
		free(s->terms[g]);
	free(s->quantiles);
	free(s->order);
	*s = (struct fit_sizes){ .nr = 0 };
}

/* ---- least squares ---- */

/* Rows of target = constant * ones + coefficient * term, each already divided by its weight. */
struct rows {
	size_t nr;
	double target[MAX_POINTS], ones[MAX_POINTS], term[MAX_POINTS];
};

struct line {
	double constant, coefficient;
	double ones, slant, term; /* |ones|, ones * term / |ones|, what of term is at right angles
	                           * to ones */
	double variance;         /* of the deviations */
	size_t freedom;          /* degrees of; positive */
	double deviation[MAX_POINTS], left_out[MAX_POINTS]; /* of each point; when it is left out */
};

static double
dot(const double *a, const double *b, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Solves by Gram-Schmidt, as sums of squares of n^3 lose too many digits. Returns false when the
 * points do not tell. FLAT: without a term. */
static bool
solve(const struct rows *r, bool flat, struct line *l)
{
	double rest[MAX_POINTS], left, squares;

	l->ones = sqrt(dot(r->ones, r->ones, r->nr));
	l->slant = flat ? 0 : dot(r->ones, r->term, r->nr) / l->ones;
	for (size_t i = 0; i < r->nr; i++)
		rest[i] = flat ? 0 : r->term[i] - l->slant * r->ones[i] / l->ones;
	squares = dot(rest, rest, r->nr);
	if (!isfinite(squares) || (!flat && squares <= 1e-18 * dot(r->term, r->term, r->nr)))
		return false;
	l->term = sqrt(squares);
	l->coefficient = flat ? 0 : dot(rest, r->target, r->nr) / squares;
	l->constant = (dot(r->ones, r->target, r->nr) / l->ones - l->coefficient * l->slant) /
		      l->ones;
	for (size_t i = 0; i < r->nr; i++) {
		double one = r->ones[i] / l->ones, other = flat ? 0 : rest[i] / l->term;

		l->deviation[i] = r->target[i] - l->constant * r->ones[i] -
				  (flat ? 0 : l->coefficient * r->term[i]);
		left = 1 - one * one - other * other;
		if (left < 1e-12)
			return false;
		l->left_out[i] = l->deviation[i] / left;
	}
	l->freedom = r->nr - (flat ? 1 : 2);
	l->variance = dot(l->deviation, l->deviation, r->nr) / (double)l->freedom;
	return isfinite(l->variance);
}

/* Returns the variance of constant * ONE + coefficient * TERM. */
static double
variance_at(const struct line *l, bool flat, double one, double term)
{
	double a = one / l->ones, b = flat ? 0 : (term - a * l->slant) / l->term;

	return l->variance * (a * a + b * b);
}

/* ---- one model ---- */

/* The points that can be used, the smallest size first. */
struct points {
	size_t nr;
	size_t at[MAX_POINTS];   /* positions */
	double least;            /* positive value: what 0 is compared with */
	bool positive;           /* all are */
};

static double
value_at(const double *values, size_t i)
{
	return isfinite(values[i]) ? values[i] : 0;
}

static void
make_rows(const struct fit_sizes *s, const double *values, const struct points *p, enum growth g,
	  struct rows *r)
{
	r->nr = p->nr;
	for (size_t k = 0; k < p->nr; k++) {
		size_t i = p->at[k];
		double v = value_at(values, i), weight = fmax(fabs(v), p->least);

		if (g < NR_FIXED_GROWTHS) {
			r->target[k] = v / weight;
			r->ones[k] = 1 / weight;
			r->term[k] = s->terms[g][i] / weight;
		} else {
			r->target[k] = log(v);
			r->ones[k] = 1;
			r->term[k] = g == GROWTH_POWER ? log(s->sizes[i]) : s->sizes[i];
		}
	}
}

static bool
solve_growth(const struct fit_sizes *s, const double *values, const struct points *p,
	     enum growth g, struct rows *r, struct line *l)
{
	if (g >= NR_FIXED_GROWTHS && !p->positive)
		return false;
	make_rows(s, values, p, g, r);
	return solve(r, g == GROWTH_1, l);
}

/* Mean of the squares of what is wrong about points that are left out, and its standard error. */
struct validation { double mean, error; };

static struct validation
validate(const struct line *l, size_t nr, enum growth g)
{
	struct validation v = { 0, 0 };
	double squares[MAX_POINTS];

	for (size_t i = 0; i < nr; i++) {
		double d = g < NR_FIXED_GROWTHS ? l->left_out[i] : expm1(-l->left_out[i]);

		squares[i] = d * d;
		v.mean += squares[i] / (double)nr;
	}
	for (size_t i = 0; i < nr; i++)
		v.error += (squares[i] - v.mean) * (squares[i] - v.mean);
	v.error = sqrt(v.error / (double)(nr - 1) / (double)nr);
	return v;
}

static double
explained(const struct rows *r, const struct line *l)
{
	struct line mean;
	double all, rest = dot(l->deviation, l->deviation, r->nr);

	if (!solve(r, true, &mean))
		return NAN;
	all = dot(mean.deviation, mean.deviation, r->nr);
	return all <= 1e-20 * (double)r->nr ? 1 : 1 - rest / all;
}

static void
take_model(const struct fit_sizes *s, const double *values, const struct points *p,
	   const struct validation *v, struct fit *f)
{
	enum growth g = f->growth;
	struct rows r;
	struct line l;

	solve_growth(s, values, p, g, &r, &l);
	f->cv_error = sqrt(v->mean);
	f->model_r2 = explained(&r, &l);
	f->sure = fabs(l.coefficient) * l.term >= s->quantiles[l.freedom] * sqrt(l.variance);
	if (g < NR_FIXED_GROWTHS) {
		f->constant = l.constant;
		f->coefficient = g == GROWTH_1 ? l.constant : l.coefficient;
		f->coefficient_error = g == GROWTH_1 ? sqrt(l.variance) / l.ones
						     : sqrt(l.variance) / l.term;
		f->falls = g != GROWTH_1 && f->coefficient < 0;
	} else {
		f->parameter = g == GROWTH_POWER ? l.coefficient : exp(l.coefficient);
		f->coefficient = exp(l.constant);
		f->coefficient_error = f->coefficient * sqrt(variance_at(&l, false, 1, 0));
		f->falls = g == GROWTH_EXPONENTIAL && f->parameter < 1;
	}
}

/* ---- the choice ---- */

/* Squares of relative errors that are no more than rounding. */
#define EXACT 1e-18
/* Where all models are wrong by this, others are looked for: those that make errors which are half
 * as large, or less. */
#define NEAR 0.02
/* A power that is no farther than this from one that has a model is taken for it with smaller terms
 * beside it, as n (n + 1) is, unless its errors are a tenth of those of all models; from the next
 * on it need not come near. */
#define SAME_POWER 0.1
#define OTHER_POWER 0.25
#define FAR_BETTER 100
/* A power foretells beside a model when its squares are at most so many times those of this. */
#define AS_GOOD 4
/* So near all models are right enough. */
#define RIGHT 0.003

static void
validate_all(const struct fit_sizes *s, const double *values, const struct points *p,
	     struct validation *v)
{
	struct rows r;
	struct line l;

	for (int g = GROWTH_1; g < NR_GROWTHS; g++) {
		v[g] = (struct validation){ INFINITY, 0 };
		if (solve_growth(s, values, p, (enum growth)g, &r, &l))
			v[g] = validate(&l, r.nr, (enum growth)g);
		if (!isfinite(v[g].mean))
			v[g] = (struct validation){ INFINITY, 0 };
	}
}

static enum growth
best_of(const struct validation *v, int from, int to)
{
	enum growth best = (enum growth)from;

	for (int g = from; g < to; g++) {
		if (v[g].mean < v[best].mean)
			best = (enum growth)g;
	}
	return best;
}

/* Is it a power of its own? */
static bool
is_other_power(double exponent, const struct validation *v)
{
	static const double known[] = { 0, 0.5, 1, 1.5, 2, 3 };
	double distance = INFINITY;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		distance = fmin(distance, fabs(exponent - known[i]));
	return distance > OTHER_POWER || (distance > SAME_POWER && v->mean <= NEAR * NEAR);
}

static bool
is_other(const struct validation *v, enum growth best, enum growth other, const struct fit *f)
{
	if (other == GROWTH_POWER && v[best].mean > RIGHT * RIGHT &&
	    v[other].mean * FAR_BETTER < v[best].mean)
		return true;
	if (v[best].mean <= NEAR * NEAR || !(v[other].mean < v[best].mean / 4))
		return false;
	return other != GROWTH_POWER || is_other_power(f->exponent, &v[other]);
}

static void
choose(const struct validation *v, struct fit *f)
{
	enum growth best = best_of(v, GROWTH_1, NR_FIXED_GROWTHS);
	enum growth other = best_of(v, NR_FIXED_GROWTHS, NR_GROWTHS);
	double most = v[best].mean + v[best].error + EXACT;

	if (is_other(v, best, other, f)) {
		f->growth = other;
		f->also = f->foretold_by = 1u << other;
		return;
	}
	if (!isfinite(v[best].mean))
		return;
	f->growth = best;
	for (int g = GROWTH_1; g < NR_FIXED_GROWTHS; g++) {
		if (v[g].mean > most)
			continue;
		f->also |= 1u << g;
		if (models[g].complexity < models[f->growth].complexity ||
		    (models[g].complexity == models[f->growth].complexity &&
		     v[g].mean < v[f->growth].mean))
			f->growth = (enum growth)g;
	}
	/* A slope that nothing speaks for is none. */
	if (f->growth == GROWTH_1)
		f->also = 1u << GROWTH_1;
	f->foretold_by = f->also;
	if (f->growth != GROWTH_1 && v[GROWTH_POWER].mean <= AS_GOOD * most)
		f->foretold_by |= 1u << GROWTH_POWER;
}

/* ---- the power ---- */

void
fit_power(const double *sizes, const double *values, size_t nr, struct fit *f)
{
	double x = 0, y = 0, xx = 0, xy = 0, yy = 0;

	f->points = 0;
	f->exponent = f->exponent_error = f->r2 = NAN;
	for (size_t i = 0; i < nr; i++) {
		if (!(value_at(values, i) > 0))
			continue;
		x += log(sizes[i]);
		y += log(values[i]);
		f->points++;
	}
	if (!f->points)
		return;
	x /= f->points;
	y /= f->points;
	for (size_t i = 0; i < nr; i++) {
		double dx = log(sizes[i]) - x, dy = log(values[i]) - y;

		if (!(value_at(values, i) > 0))
			continue;
		xx += dx * dx;
		xy += dx * dy;
		yy += dy * dy;
	}
	if (xx <= 1e-12)
		return;
	f->exponent = xy / xx;
	if (f->points < LEAST_POINTS)
		return;
	f->r2 = yy <= 1e-12 ? 1 : xy * xy / (xx * yy);
	f->exponent_error = sqrt(fmax(yy - xy * xy / xx, 0) / (f->points - 2) / xx);
}

/* ---- all together ---- */

/* Takes all points but those of the smallest sizes that are 0. */
static void
find_points(const struct fit_sizes *s, const double *values, struct points *p, struct fit *f)
{
	double zero = 0, from = INFINITY;

	*p = (struct points){ .least = INFINITY, .positive = true };
	for (size_t i = 0; i < s->nr; i++) {
		double v = value_at(values, i);

		if (v != 0)
			from = fmin(from, s->sizes[i]);
		if (v > 0)
			p->least = fmin(p->least, v);
	}
	for (size_t k = 0; k < s->nr; k++) {
		size_t i = s->order[k];

		if (s->sizes[i] < from) {
			zero = s->sizes[i];
			continue;
		}
		p->positive &= value_at(values, i) > 0;
		p->at[p->nr++] = i;
	}
	p->least = isfinite(p->least) ? p->least : 1;
	f->from = zero > 0 && isfinite(from) ? from : 0;
}

static size_t
different_sizes(const struct fit_sizes *s, const struct points *p)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr; i++)
		nr += !i || s->sizes[p->at[i]] != s->sizes[p->at[i - 1]];
	return nr;
}

void
fit_values(const struct fit_sizes *s, const double *values, struct fit *f)
{
	struct validation v[NR_GROWTHS];
	struct points p;

	*f = (struct fit){ .constant = 0, .coefficient = NAN, .coefficient_error = NAN,
			   .model_r2 = NAN, .cv_error = NAN };
	fit_power(s->sizes, values, s->nr, f);
	find_points(s, values, &p, f);
	if (different_sizes(s, &p) < LEAST_POINTS)
		return;
	validate_all(s, values, &p, v);
	choose(v, f);
	if (f->growth != GROWTH_NONE)
		take_model(s, values, &p, &v[f->growth], f);
}

/* ---- other sizes ---- */

static struct prediction
predict(const struct line *l, enum growth g, double size, double least, double share)
{
	double value, error;

	if (g >= NR_FIXED_GROWTHS) {
		double x = g == GROWTH_POWER ? log(size) : size;

		value = l->constant + l->coefficient * x;
		error = share * sqrt(l->variance + variance_at(l, false, 1, x));
		return (struct prediction){ exp(value), exp(value - error), exp(value + error) };
	}
	value = l->constant + (g == GROWTH_1 ? 0 : l->coefficient * models[g].term(size));
	error = fmax(fabs(value), least);
	error = share * sqrt(l->variance * error * error +
			     variance_at(l, g == GROWTH_1, 1, models[g].term(size)));
	return (struct prediction){ value, value - error, value + error };
}

/* Widens ALL by what the model G of the points says. Returns its value; NAN: it has none. */
static double
add_prediction(const struct fit_sizes *s, const double *values, const struct points *p,
	       enum growth g, double size, struct prediction *all)
{
	struct prediction one;
	struct rows r;
	struct line l;

	if (!solve_growth(s, values, p, g, &r, &l))
		return NAN;
	one = predict(&l, g, size, p->least, s->quantiles[l.freedom]);
	all->lo = fmin(all->lo, one.lo);
	all->hi = fmax(all->hi, one.hi);
	return one.value;
}

/* How far a value goes on that has not settled: so much more than from what all points say to what
 * the larger half of them does. With this intervals hold what they should, as
 * tests/compare/unit-fit.c shows. */
#define DRIFT 1.5

static void
add_drift(double of_all, double of_half, struct prediction *all)
{
	all->lo = fmin(all->lo, of_half - DRIFT * fabs(of_half - of_all));
	all->hi = fmax(all->hi, of_half + DRIFT * fabs(of_half - of_all));
}

/* Leaves the larger half of the points. */
static void
keep_larger(struct points *p)
{
	size_t nr = (p->nr + 1) / 2;

	memmove(p->at, p->at + p->nr - nr, nr * sizeof(*p->at));
	p->nr = nr;
}

struct prediction
fit_predict(const struct fit_sizes *s, const double *values, const struct fit *f, double size)
{
	enum { LEAST_HALF = 4 };
	struct prediction all = { NAN, NAN, NAN };
	double value = NAN;
	struct fit unused;
	struct points p;

	find_points(s, values, &p, &unused);
	for (int g = GROWTH_1; g < NR_GROWTHS; g++) {
		struct points half = p;
		double of_all, of_half;

		if (!(f->foretold_by & 1u << g))
			continue;
		of_all = add_prediction(s, values, &p, (enum growth)g, size, &all);
		value = g == (int)f->growth ? of_all : value;
		keep_larger(&half);
		if (half.nr < LEAST_HALF)
			continue;
		of_half = add_prediction(s, values, &half, (enum growth)g, size, &all);
		add_drift(of_all, of_half, &all);
	}
	all.value = value;
	/* What was never less than nothing will not be so. */
	if (p.positive && !isnan(all.lo))
		all.lo = fmax(all.lo, 0);
	return all;
}
