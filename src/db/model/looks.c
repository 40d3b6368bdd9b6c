#include "db/model/looks.h"

#include <math.h>
#include <stdint.h>

#include "db/model/significance.h"

static const size_t after[NR_LOOKS] = { 3, 5, 10, 20 };

size_t
look_after(size_t i)
{
	return after[i];
}

static double
spent(double share)
{
	return FALSE_DISCOVERIES * log1p((M_E - 1) * share);
}

double
look_level(size_t i)
{
	double last = (double)after[NR_LOOKS - 1];

	return spent((double)after[i] / last) - (i ? spent((double)after[i - 1] / last) : 0);
}

/* Returns the sum. */
static double
sum_up(const double *values, size_t n, struct sampled_runs *runs)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
	*runs = (struct sampled_runs){ .nr = n, .deviation = sqrt(squares / ((double)n - 1)) };
	return sum;
}

enum look
look_at(const double *a, const double *b, size_t n, double level)
{
	struct sampled_runs runs[2];
	double before = sum_up(a, n, &runs[0]), difference = sum_up(b, n, &runs[1]) - before;

	if (!(runs[0].deviation > 0) || !(runs[1].deviation > 0))
		return LOOK_GO_ON;
	if (erfc(fabs(significance_of_runs(difference, &runs[0], &runs[1])) / M_SQRT2) < level)
		return LOOK_DIFFERS;
	if (DETECTABLE * significance_error_of_runs(&runs[0], &runs[1]) <= LOOK_SHARE * before)
		return LOOK_PRECISE;
	return LOOK_GO_ON;
}
