#include "matrix.h"

static NOINLINE int
helper(int n) //: 40
{
	return start_run(n); //= 40
}

int
second_run(int n) //: 40
{
	int sum = helper(n); //= 40

	for (int i = 0; i < 4; i++)
		sum += clamp(i, 2); //= 160
	return sum; //= 40
}
