#include "matrix.h"

static int ready;

__attribute__((constructor)) static void
prepare(void) //: 1
{
	ready = 1; //= 1
}

static NOINLINE int
helper(int n) //: 140
{
	if (n % 2 == 0 && n % 3 == 0)
		return n; //= 24
	return ready; //= 116
}

int
start_run(int n) //: 140
{
	return clamp(helper(n), 1); //= 140
}

int
start_callback(int (*f)(int), int n) //: 1
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += f(i); //= 25
	return sum; //= 1
}
