/* significance() against the sum of the binomial distribution itself, term by term. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "db/significance.h"

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
				double z = significance((n - k) * u, k * v, u, v);
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
	return fabs(significance(1e12, 1.01e12, 4e6, 4e6) - 1e10 / sqrt(2.01e12 * 4e6)) < 1e-9 &&
	       significance(0, 0, 4e6, 4e6) == 0 && significance(0, 28 * 2e4, 4e6, 2e4) < 0.5 &&
	       significance(0, 1e9, 1, 1) > 1e4 && significance(1e9, 0, 1, 1) < -1e4;
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
		d = discoveries_of(sorted, nr);
		want = taken(of, nr);
		for (size_t i = 0; i < nr; i++)
			n += fabs(of[i]) >= d.least;
		if (d.tested != nr || d.beyond != want || n != want)
			return false;
	}
	return true;
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
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
