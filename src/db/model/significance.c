#include "db/model/significance.h"

#include <math.h>
#include <stdlib.h>

#include "util/job.h"
#include "util/job_sort.h"

/* The continued fraction of the incomplete beta function, by Lentz's method (Numerical Recipes in
 * C, second edition, section 6.4). */
static double
beta_fraction(double a, double b, double x)
{
	enum { MOST = 10000 };
	const double least = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < least ? least : d);
	f = d;
	for (int m = 1; m < MOST; m++) {
		double terms[2] = {
			m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
			-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
		};
		double before = f;

		for (int i = 0; i < 2; i++) {
			d = 1 + terms[i] * d;
			d = 1 / (fabs(d) < least ? least : d);
			c = 1 + terms[i] / c;
			c = fabs(c) < least ? least : c;
			f *= c * d;
		}
		if (fabs(f - before) <= 1e-12 * fabs(f))
			break;
	}
	return f;
}

/* The regularised incomplete beta function I_x(a, b). */
static double
beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* The deviation beyond which, upward, a normal distribution has the share P, at most one half
 * (Abramowitz and Stegun 26.2.23, made exact by Newton's method). */
static double
deviation(double p)
{
	double t = sqrt(-2 * log(p)), z;

	z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
		(1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	for (int i = 0; i < 3; i++)
		z += (erfc(z / M_SQRT2) / 2 - p) / (exp(-z * z / 2) / sqrt(2 * M_PI));
	return z < 0 ? 0 : z;
}

double
significance(double x, double y, double u, double v, double variance)
{
	enum { MANY = 100000 /* samples: from here on a normal distribution is exact enough */ };
	const double least = 1e-250; /* beyond which a probability is not told from 0 */
	double m = x / u, n = y / v, of_y = u / (u + v), more, z, p;

	if (!(m + n > 0))
		return 0;
	more = 1 + (m + n) * of_y * (1 - of_y) * variance;
	z = (y - x) / sqrt((x * u + y * v) * more);
	m /= more;
	n /= more;
	if (m + n > MANY)
		return z;
	/* The probability of N samples or more of Y, or of N or fewer. */
	p = y > x ? n > 0 ? beta(n, m + 1, of_y) : 1 : m > 0 ? beta(m, n + 1, 1 - of_y) : 1;
	if (p < least)
		return z;
	return p >= 0.5 ? 0 : copysign(deviation(p), y - x);
}

double
significance_error(double x, double y, double u, double v, double variance)
{
	double m = x / u, n = y / v, of_y = u / (u + v);
	double more = 1 + (m + n) * of_y * (1 - of_y) * variance;

	return fmax(sqrt((x * u + y * v) * more), fmax(u, v));
}

double
significance_error_of_runs(const struct sampled_runs *a, const struct sampled_runs *b)
{
	return sqrt((double)a->nr * a->deviation * a->deviation +
		    (double)b->nr * b->deviation * b->deviation);
}

double
significance_of_runs(double difference, const struct sampled_runs *a, const struct sampled_runs *b)
{
	const double least = 1e-250;
	double u = (double)a->nr * a->deviation * a->deviation;
	double v = (double)b->nr * b->deviation * b->deviation;
	double t = difference / sqrt(u + v);
	double freedom = (u + v) * (u + v) /
			 (u * u / ((double)a->nr - 1) + v * v / ((double)b->nr - 1));
	double p = beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;

	if (t == 0 || p >= 0.5)
		return 0;
	return copysign(p < least ? fabs(t) : deviation(p), difference);
}

static int
compare_amounts(const void *a, const void *b, void *context)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	(void)context;
	return (x < y) - (x > y);
}

struct discoveries
discoveries_of(double *deviations, size_t nr, double level)
{
	struct discoveries d = { .tested = nr, .least = INFINITY };

	job_sort(deviations, nr, sizeof(*deviations), compare_amounts, NULL);
	for (size_t i = nr; i-- > 0 && !d.beyond;) {
		double p = erfc(fabs(deviations[i]) / M_SQRT2);

		job_pause(1);
		if (p > level * ((double)i + 1) / (double)nr)
			continue;
		d.beyond = i + 1;
		d.least = fabs(deviations[i]);
	}
	/* Equal ones are alike. */
	while (d.beyond && d.beyond < nr && fabs(deviations[d.beyond]) >= d.least)
		d.beyond++;
	return d;
}

double
student_quantile(double p, double freedom)
{
	double lo = 0, hi = 1;

	/* Half of what is farther from 0 than T is I_x(freedom / 2, 1 / 2) / 2. */
	while (beta(freedom / 2, 0.5, freedom / (freedom + hi * hi)) / 2 > 1 - p && hi < 1e9)
		hi *= 2;
	for (int i = 0; i < 100; i++) {
		double t = (lo + hi) / 2;

		if (beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2 > 1 - p)
			lo = t;
		else
			hi = t;
	}
	return hi;
}

double
student_beyond(double t, double freedom)
{
	enum { MANY = 10000 /* degrees: from here on a normal distribution is exact enough */ };

	if (!(freedom < MANY))
		return erfc(fabs(t) / M_SQRT2);
	return t == 0 ? 1 : beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}
