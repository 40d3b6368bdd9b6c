#include <stdlib.h>

static int
by_size(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int
sorted(int n)
{
	int *v = malloc((size_t)n * sizeof(*v)), first;

	for (int i = 0; i < n; i++)
		v[i] = (i * 7919) % 1009;
	qsort(v, (size_t)n, sizeof(*v), by_size);
	first = v[0];
	free(v);
	return first;
}
