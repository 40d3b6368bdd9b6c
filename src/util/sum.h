/* Sums that stop at the greatest number instead of beginning anew. */
#ifndef CGVIEW_UTIL_SUM_H
#define CGVIEW_UTIL_SUM_H

#include <stdint.h>

static inline uint64_t
sum_capped(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

#endif
