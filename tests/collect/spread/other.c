#include "both.h"

long other(long n);

long
other(long n)
{
	long sum = 0;

	for (long i = 0; i < 100 * n; i++)
		sum += in_both(i & 31);
	return sum;
}
