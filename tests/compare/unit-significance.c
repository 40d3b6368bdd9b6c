/* significance() against the sum of the binomial distribution itself, term by term, and by how
 * often it claims what is not there, and finds what is, among samples that are drawn. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/model/significance.h"

/* The probability, on both sides, that a normal distribution is farther away than Z. */
static double
probability(double z)
{
	return erfc(fabs(z) / M_SQRT2);
}

/* That of K of N, each with P, or of what is farther away on its side; twice. */
static long double
binomial(int k, int n, double p)
{
	long double sums[2] = { 0, 0 }, least;

	for (int i = 0; i <= n; i++) {
		long double ways = lgammal(n + 1.0L) - lgammal(i + 1.0L) - lgammal(n - i + 1.0L);
		long double term = expl(ways + i * logl(p) + (n - i) * log1pl(-p));

		sums[0] += i <= k ? term : 0;
		sums[1] += i >= k ? term : 0;
	}
	least = 2 * fminl(sums[0], sums[1]);
	return least < 1 ? least : 1;
}

static bool
all_samples(void)
{
	static const double ratios[] = { 1, 0.5, 3, 200, 0.001 };
	double worst = 0;

	for (size_t r = 0; r < sizeof(ratios) / sizeof(ratios[0]); r++) {
		for (int n = 1; n < 400; n += n < 40 ? 1 : 37) {
			for (int k = 0; k <= n; k++) {
				double u = ratios[r] * 4e6, v = 4e6;
				double z = significance((n - k) * u, k * v, u, v, 0);
				long double want = binomial(k, n, u / (u + v));
				bool sign = z == 0 || (z > 0) == (k * v > (n - k) * u);

				if (!sign)
					return false;
				if (want > 1e-240)
					worst = fmax(worst, fabs((double)(probability(z) / want -
									  1)));
			}
		}
	}
	printf("# worst %g\n", worst);
	return worst < 1e-6;
}

/* Many samples are what a normal distribution says; a profile of 30 ms tells nothing about one of
 * 6 s that was scaled to it: 0 samples against 28 of a 200th each. */
static bool
extremes(void)
{
	return fabs(significance(1e12, 1.01e12, 4e6, 4e6, 0) - 1e10 / sqrt(2.01e12 * 4e6)) < 1e-9 &&
	       significance(0, 0, 4e6, 4e6, 0) == 0 &&
	       significance(0, 28 * 2e4, 4e6, 2e4, 0) < 0.5 &&
	       significance(0, 1e9, 1, 1, 0) > 1e4 && significance(1e9, 0, 1, 1, 0) < -1e4;
}

/* The density of Student's t with N degrees of freedom. */
static double
density(double t, double n)
{
	return exp(lgamma((n + 1) / 2) - lgamma(n / 2) - (n + 1) / 2 * log1p(t * t / n)) /
	       sqrt(n * M_PI);
}

/* What lies beyond T on both sides, by Simpson's rule. */
static double
beyond(double t, double n)
{
	enum { PARTS = 20000 };
	double sum = 0, h = t / PARTS;

	for (int i = 0; i <= PARTS; i++)
		sum += (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) * density(i * h, n);
	return 1 - 2 * sum * h / 3;
}

/* Equal deviations and numbers of runs: Welch's degrees of freedom are all runs less two. One side
 * without any to speak of: its own are the other's. */
static bool
runs(void)
{
	static const uint64_t numbers[] = { 3, 5, 10, 40 };
	bool good = true;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		for (double t = 0.1; t < 6; t += 0.7) {
			uint64_t n = numbers[i];
			struct sampled_runs a = { n, 5 }, b = { n, 5 }, sure = { n, 5e-9 };
			double z = significance_of_runs(t * sqrt(50.0 * (double)n), &a, &b);
			double one = significance_of_runs(-t * sqrt(25.0 * (double)n), &a, &sure);

			good = good && one < 0 &&
			       fabs(probability(z) - beyond(t, 2 * (double)n - 2)) < 1e-6 &&
			       fabs(probability(one) - beyond(t, (double)n - 1)) < 1e-6;
		}
	}
	return good;
}

/* How many of these are taken: the most, K, of which the K-th has at most K of NR twentieths. */
static size_t
taken(const double *of, size_t nr)
{
	size_t most = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t rank = 0;

		for (size_t k = 0; k < nr; k++)
			rank += fabs(of[k]) >= fabs(of[i]);
		if (probability(of[i]) <= 0.05 * (double)rank / (double)nr && rank > most)
			most = rank;
	}
	return most;
}

static bool
many_rows(void)
{
	unsigned seed = 1;

	for (int round = 0; round < 2000; round++) {
		double of[60], sorted[60];
		size_t nr = (size_t)rand_r(&seed) % 60, want, n = 0;
		struct discoveries d;

		for (size_t i = 0; i < nr; i++) /* some equal ones, some 0, some of other signs */
			sorted[i] = of[i] = (rand_r(&seed) % 100 - 50) / (round % 2 ? 10.0 : 16.0);
		d = discoveries_of(sorted, nr, FALSE_DISCOVERIES);
		want = taken(of, nr);
		for (size_t i = 0; i < nr; i++)
			n += fabs(of[i]) >= d.least;
		if (d.tested != nr || d.beyond != want || n != want)
			return false;
	}
	return true;
}

/* ---- draws ---- */

/* Always the same ones. */
static unsigned short state[3] = { 1, 2, 3 };

static double
normal(void)
{
	double u = 1 - erand48(state); /* not 0 */

	return sqrt(-2 * log(u)) * cos(2 * M_PI * erand48(state));
}

/* How many events there are until the sum of their intervals, each of 1 on average, exceeds MEAN:
 * as a Poisson distribution has it. */
static double
events(double mean)
{
	double n = -1;

	for (double left = mean; left >= 0; n++)
		left += log(1 - erand48(state));
	return n;
}

enum { TIMES = 3000 };

/* Returns how many of a hundred pairs of runs are told to differ: the first of X milliseconds, with
 * a sample each U of them, the second of Y, V. Both are longer or shorter by chance, by SPREAD;
 * what is thought of that is KNOWN. */
static double
claims(double x, double y, double u, double v, double spread, double known)
{
	double claimed = 0;

	for (int i = 0; i < TIMES; i++) {
		double a = u * events(x / u * exp(spread * normal()));
		double b = v * events(y / v * exp(spread * normal()));

		claimed += fabs(significance(a, b, u, v, 2 * known * known)) > 1.96;
	}
	return 100 * claimed / TIMES;
}

/* What is the same is claimed in no more than 5 of 100 but for the noise of 3,000 pairs, of which
 * one standard error is 0.4; few samples make it less. Half as much again is found. */
static bool
level_of_samples(void)
{
	static const double spreads[] = { 0, RUN_DEVIATION, 0.1 };
	bool good = true;

	for (size_t i = 0; i < sizeof(spreads) / sizeof(spreads[0]); i++) {
		double s = spreads[i], few = claims(8, 8, 1, 1, s, s);
		double some = claims(60, 60, 1, 0.1, s, s), many = claims(900, 900, 1, 1, s, s);
		double longer = claims(200, 200, 2, 0.5, s, s);
		double more = claims(200, 300, 1, 1, s, s);
		double unequal = claims(300, 450, 2, 0.2, s, s);

		printf("# spread %g: %.1f %.1f %.1f %.1f; half more: %.1f %.1f\n", s, few, some,
		       many, longer, more, unequal);
		good = good && few < 6 && some < 6 && many > 3 && many < 6 && longer > 3 &&
		       longer < 6 && more > (s < 0.1 ? 95 : 50) && unequal > (s < 0.1 ? 95 : 50);
	}
	/* What differs is claimed too often when runs are thought to be all the same. */
	return good && claims(2500, 2500, 1, 1, 0.05, 0) > 20 &&
	       claims(2500, 2500, 1, 1, 0.05, 0.05) < 6;
}

/* Returns how many of a hundred comparisons of NR and NR runs of mean 100, where the second side
 * has MORE, with the deviation FIRST of the one and LAST of the other, are told to differ. */
static double
claims_of_runs(uint64_t nr, double more, double first, double last)
{
	double claimed = 0;

	for (int i = 0; i < TIMES; i++) {
		struct sampled_runs of[2] = { { nr, 0 }, { nr, 0 } };
		double sums[2] = { 0, 0 };

		for (int k = 0; k < 2; k++) {
			double squares = 0;

			for (uint64_t run = 0; run < nr; run++) {
				double t = 100 + (k ? more : 0) + (k ? last : first) * normal();

				sums[k] += t;
				squares += t * t;
			}
			of[k].deviation = sqrt((squares - sums[k] * sums[k] / (double)nr) /
					       ((double)nr - 1));
		}
		claimed += fabs(significance_of_runs(sums[1] - sums[0], &of[0], &of[1])) > 1.96;
	}
	return 100 * claimed / TIMES;
}

static bool
level_of_runs(void)
{
	double three = claims_of_runs(3, 0, 5, 5), ten = claims_of_runs(10, 0, 5, 5);
	double forty = claims_of_runs(40, 0, 5, 15), unlike = claims_of_runs(10, 0, 2, 9);
	double more = claims_of_runs(10, 10, 5, 5), little = claims_of_runs(40, 3, 4, 4);

	printf("# runs: %.1f %.1f %.1f %.1f; more: %.1f %.1f\n", three, ten, forty, unlike, more,
	       little);
	return three < 6 && ten > 3 && ten < 6 && forty > 3 && forty < 6 && unlike > 3 &&
	       unlike < 6 && more > 90 && little > 80;
}

int
main(void)
{
	bool good = all_samples();

	if (!many_rows()) {
		printf("not ok - significance: of many rows\n");
		return EXIT_FAILURE;
	}
	printf("ok - significance: of many rows\n");

	printf("%s - significance: as the binomial distribution\n", good ? "ok" : "not ok");
	if (!extremes()) {
		printf("not ok - significance: many samples, few\n");
		return EXIT_FAILURE;
	}
	printf("ok - significance: many samples, few\n");
	if (!runs()) {
		printf("not ok - significance: of several runs\n");
		return EXIT_FAILURE;
	}
	printf("ok - significance: of several runs\n");
	if (!level_of_samples() || !level_of_runs()) {
		printf("not ok - significance: drawn\n");
		return EXIT_FAILURE;
	}
	printf("ok - significance: drawn, the same is rarely claimed, other is found\n");
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
