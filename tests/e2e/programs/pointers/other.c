/* The table of main.c that another file has, and a comparator of the same name as one there. */
#include "note.h"

#include <stdlib.h>

static int far_one(int n) { CALLED; return n + 1; }
static int far_two(int n) { CALLED; return n + 2; }
const fn_int far_table[2] = { far_one, far_two };

static int
by_twin(const void *a, const void *b)
{
	note("other/by_twin", origin);
	return *(const int *)a - *(const int *)b;
}

int
work_other(int n)
{
	int v[8];

	for (int i = 0; i < 8; i++)
		v[i] = n * i % 7;
	origin = 1000 + __LINE__; qsort(v, 8, sizeof(*v), by_twin);
	return v[0];
}
