#include "macros.h"
int other(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += sq(i) + MAX(i, 100);
	return s;
}
