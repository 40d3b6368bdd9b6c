#include "matrix.h"

static NOINLINE int
helper(int n) //: 60
{
	return n & 1 ? -n : n; //= 60
}

int
plug_run(int n) //: 60
{
	int sum = 0;

	do {
		sum += clamp(n, 9); //= 118
		n -= 20; //= 118
	} while (n > 0); //= 118
	return sum + helper(sum); //= 60
}
