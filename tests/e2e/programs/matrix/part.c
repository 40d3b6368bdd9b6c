#include "matrix.h"

/* Of 8 values 3 are above 4, each time. */
NOINLINE int
part_fold(const int *values, int n) //: 10
{
	int sum = 0, i = 0;

	while (i < n) { //= 90
		if (values[i] > 4)
			sum += 2; //= 30
		else
			sum -= 1; //= 50
		i++; //= 80
	}
	return sum > 0 ? clamp(sum, 3) : -1; //= 10
}

NOINLINE int
part_state(int n) //: 12
{
	switch (n % 4) { //= 12
	case 0:
		n += 5; //= 3
		/* fall through */
	case 1:
		n += 3; //= 6
		break;
	case 2:
		return n; //= 3
	default:
		goto out; //= 3
	}
	n *= 2; //= 6
out:
	return n; //= 9
}

static NOINLINE int
down(int n) //: 404
{
	return n <= 0 ? 0 : 1 + down(n - 1); //= 404
}

void *
part_thread(void *argument) //: 4
{
	*(int *)argument = down(100); //= 4
	return argument; //= 4
}

int
part_unused(int n) //: 0
{
	return n + 1; //= 0
}
