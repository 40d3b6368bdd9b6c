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

int
main(void)
{
	bool good = all_samples();

	printf("%s - significance: as the binomial distribution\n", good ? "ok" : "not ok");
	if (!extremes()) {
		printf("not ok - significance: many samples, few\n");
		return EXIT_FAILURE;
	}
	printf("ok - significance: many samples, few\n");
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
