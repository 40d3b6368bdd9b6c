#include "db/lists/likely_calls.h"

#include <math.h>

/* Calls from one place take longer than those from another, so that their shares of time are not
 * those of the counts, however many samples there are: more than so many tell no more. That makes
 * the intervals of programs whose calls are known hold as many of these as they say
 * (bench/estimates). */
static const double MOST_WORTH = 100;

/* An estimate is near an end of what is possible if no more than this part of it lies between: then
 * it is mostly right, as most calls that could be are never made, and most pointers have one value.
 * To a formula in which shares are anything between, that would be improbable. */
static const double AT_END = 0.03;

/* Standard errors; and how far from an estimate at an end so many true counts are, as a part of
 * what is possible (bench/estimates: what the programs but one say holds for that one, too). */
static const struct level {
	double two_sided, one_sided, from_end;
} levels[] = {
	[LIKELY_95] = { 1.96, 1.645, 0.018 },
	[LIKELY_90] = { 1.645, 1.282, 0.008 },
};

/* The bound of the interval of a share that is ESTIMATED from N samples, BY standard errors from it
 * (negative: the lower one; Wilson 1927). */
static double
bound(double estimated, double n, double by)
{
	double square = by * by, middle = estimated + square / (2 * n);

	return (middle + by * sqrt(estimated * (1 - estimated) / n + square / (4 * n * n))) /
	       (1 + square / n);
}

static void
narrow(struct likely_calls *l, uint64_t count, double lo, double hi)
{
	if (lo > (double)l->lo)
		l->lo = lo < (double)count ? (uint64_t)lo : count;
	if (hi < (double)l->hi)
		l->hi = hi > (double)count ? (uint64_t)hi : count;
}

void
likely_calls(struct likely_calls *l, enum likely_level level, uint64_t count, double all,
	     double samples, double of)
{
	const struct level *v = &levels[level];
	double lo = (double)l->lo, width = fmin((double)l->hi, all) - lo;
	double above = (double)count - lo, share = all > 0 ? fmin((double)count / all, 1) : 0;
	double n = of * MOST_WORTH / (of + MOST_WORTH), hi = INFINITY;
	bool none = samples <= 0, each = samples >= of;

	if (!l->handed && (above <= AT_END * width || above >= (1 - AT_END) * width)) {
		narrow(l, count, floor((double)count - v->from_end * width),
		       ceil((double)count + v->from_end * width));
		return;
	}
	/* What was never seen may be none at all, and what was seen always may be all there is. */
	if (!none)
		lo = floor(all * bound(share, n, each ? -v->one_sided : -v->two_sided));
	if (!each)
		hi = ceil(all * bound(share, n, none ? v->one_sided : v->two_sided));
	narrow(l, count, lo, hi);
}

bool
likely_contradicted(double count, double all, double samples, double of)
{
	double n = of * MOST_WORTH / (of + MOST_WORTH), share, seen;

	if (!(of > 0) || !(all > 0))
		return false;
	share = fmin(count / all, 1);
	seen = fmin(fmax(samples / of, 0), 1);
	/* And by one sample: a single one proves little. */
	return share < bound(seen, n, -3) - 1 / n || share > bound(seen, n, 3) + 1 / n;
}
