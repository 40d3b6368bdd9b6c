#include "db/likely_calls.h"

#include <math.h>
#include <stdbool.h>

/* Calls from one place take longer than those from another, so that their shares of time are not
 * those of the counts, however many samples there are: more than so many tell no more. That makes
 * the intervals of programs whose calls are known hold as many of these as they say
 * (bench/estimates). */
static const double MOST_WORTH = 100;

static const double TWO_SIDED = 1.96, ONE_SIDED = 1.645; /* standard errors for 95 % */

/* The bound of the interval of a share that is ESTIMATED from N samples, BY standard errors from it
 * (negative: the lower one; Wilson 1927). */
static double
bound(double estimated, double n, double by)
{
	double square = by * by, middle = estimated + square / (2 * n);

	return (middle + by * sqrt(estimated * (1 - estimated) / n + square / (4 * n * n))) /
	       (1 + square / n);
}

void
likely_calls(struct likely_calls *l, uint64_t count, double all, double samples, double of)
{
	double share = all > 0 ? fmin((double)count / all, 1) : 0;
	double n = of * MOST_WORTH / (of + MOST_WORTH), lo = 0, hi = INFINITY;
	bool none = samples <= 0, each = samples >= of;

	/* What was never seen may be none at all, and what was seen always may be all there is. */
	if (!none)
		lo = floor(all * bound(share, n, each ? -ONE_SIDED : -TWO_SIDED));
	if (!each)
		hi = ceil(all * bound(share, n, none ? ONE_SIDED : TWO_SIDED));
	if (lo > (double)l->lo)
		l->lo = lo < (double)count ? (uint64_t)lo : count;
	if (hi < (double)l->hi)
		l->hi = hi > (double)count ? (uint64_t)hi : count;
}
