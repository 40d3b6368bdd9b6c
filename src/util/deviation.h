/* Mean and standard deviation of figures that come one by one. */
#ifndef CGVIEW_UTIL_DEVIATION_H
#define CGVIEW_UTIL_DEVIATION_H

#include <math.h>
#include <stddef.h>

struct deviation {
	size_t nr;
	long double sum, squares;
};

static inline void
deviation_add(struct deviation *d, double v)
{
	d->nr++;
	d->sum += v;
	d->squares += (long double)v * v;
}

static inline double
deviation_mean(const struct deviation *d)
{
	return d->nr ? (double)(d->sum / (long double)d->nr) : 0;
}

/* Returns the standard deviation of the population that the figures are a sample of; 0 for less
 * than two figures. */
static inline double
deviation_of(const struct deviation *d)
{
	long double n = (long double)d->nr, rest;

	if (d->nr < 2)
		return 0;
	rest = (d->squares - d->sum * d->sum / n) / (n - 1);
	return rest > 0 ? sqrt((double)rest) : 0;
}

#endif
