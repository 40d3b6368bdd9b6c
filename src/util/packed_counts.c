#include "util/packed_counts.h"

#include <stdlib.h>

#include "util/error.h"
#include "util/mem.h"

/* Returns where V is stored from now on. */
static uint32_t
place(struct narrow *n, uint64_t v)
{
	if (v < NARROW_LARGE)
		return (uint32_t)v;
	if (n->nr_large == NARROW_LARGE)
		BUG("more than %u large numbers", NARROW_LARGE);
	GROW(n->large, n->nr_large + 1, n->large_alloc);
	n->large[n->nr_large] = v;
	return (uint32_t)n->nr_large++ | NARROW_LARGE;
}

void
narrow_add(struct narrow *n, uint64_t v)
{
	GROW(n->small, n->nr + 1, n->alloc);
	n->small[n->nr++] = place(n, v);
}

void
narrow_set(struct narrow *n, size_t i, uint64_t v)
{
	if (n->small[i] & NARROW_LARGE)
		n->large[n->small[i] & ~NARROW_LARGE] = v;
	else
		n->small[i] = place(n, v);
}

void
narrow_release(struct narrow *n)
{
	free(n->small);
	free(n->large);
	*n = (struct narrow){ .nr = 0 };
}
