#include <stdio.h>
#include "macros.h"

int other(int n);

static int never(int x)
{
	return x + 1;
}

int main(int argc, char **argv)
{
	volatile int a = 1, b = 2;
	int s = 0, least = 10, most = 990; /* of constants GCC 14 makes a minimum */

	for (int i = 0; i < 1000; i++) {
		s += MAX(i, 500);
		s += CLAMP(i, least, most) + sq(i);
		if (i % 10 == 0) {
			SWAP(a, b);
			SWAP(b, a);
		}
		s = UP2(s);
	}
	if (argc > 5)
		s = never(s) + MAX(s, argc);
	printf("%d %d\n", s, other(300) + MAX(s, 5));
	(void)argv;
	return 0;
}
