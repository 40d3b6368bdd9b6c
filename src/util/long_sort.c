#include "util/long_sort.h"

#include <stdlib.h>

#include "util/mem.h"

struct things { long_sort_compare *compare; const void *context; };

/* Equal things stand by their numbers, as they did in the beginning. */
static int
compare_things(const void *a, const void *b, void *context)
{
	const struct things *t = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = t->compare(t->context, x, y);

	return order ? order : (x > y) - (x < y);
}

static bool
at_once(void *context)
{
	(void)context;
	return true;
}

void
long_sort_begin(struct long_sort *s, size_t nr)
{
	s->order = xcalloc(nr + 1, sizeof(*s->order));
	for (size_t i = 0; i < nr; i++)
		s->order[i] = (uint32_t)i;
	slice_sort_begin(&s->slices, s->order, nr, sizeof(*s->order), compare_things, NULL);
}

bool
long_sort_work(struct long_sort *s, long_sort_compare *compare, const void *context)
{
	struct things things = { compare, context };

	s->slices.context = &things;
	return slice_sort_work(&s->slices, at_once, NULL);
}

uint32_t *
long_sort_take(struct long_sort *s)
{
	uint32_t *order = s->order;

	s->order = NULL;
	long_sort_release(s);
	return order;
}

unsigned
long_sort_percent(const struct long_sort *s)
{
	return (unsigned)(100 * slice_sort_done(&s->slices));
}

void
long_sort_release(struct long_sort *s)
{
	slice_sort_release(&s->slices);
	free(s->order);
	*s = (struct long_sort)LONG_SORT_INIT;
}
