#include "util/long_sort.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum { STEPS = 256 };

static size_t
at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/* The pair of runs that begins at AT. */
static void
begin_pair(struct long_sort *s, size_t at)
{
	s->i = s->k = at;
	s->j = s->left_end = at + at_most(s->width, s->nr - at);
	s->right_end = s->left_end + at_most(s->width, s->nr - s->left_end);
}

void
long_sort_begin(struct long_sort *s, size_t nr)
{
	*s = (struct long_sort){ .nr = nr, .width = 1 };
	s->from = xcalloc(nr + 1, sizeof(*s->from));
	s->to = xcalloc(nr + 1, sizeof(*s->to));
	for (size_t i = 0; i < nr; i++)
		s->from[i] = (uint32_t)i;
	begin_pair(s, 0);
}

static bool
is_left_next(const struct long_sort *s, long_sort_compare *compare, const void *context)
{
	if (s->i == s->left_end || s->j == s->right_end)
		return s->i < s->left_end;
	return compare(context, s->from[s->i], s->from[s->j]) <= 0;
}

bool
long_sort_work(struct long_sort *s, long_sort_compare *compare, const void *context)
{
	uint32_t *merged;

	for (int step = 0; step < STEPS && s->width < s->nr; step++) {
		if (s->k < s->right_end) {
			bool left = is_left_next(s, compare, context);

			s->to[s->k++] = s->from[left ? s->i++ : s->j++];
			continue;
		}
		if (s->k == s->nr) {
			merged = s->to;
			s->to = s->from;
			s->from = merged;
			s->width *= 2;
		}
		begin_pair(s, s->k == s->nr ? 0 : s->k);
	}
	return s->width >= s->nr;
}

uint32_t *
long_sort_take(struct long_sort *s)
{
	uint32_t *order = s->from;

	s->from = NULL;
	long_sort_release(s);
	return order;
}

unsigned
long_sort_percent(const struct long_sort *s)
{
	size_t levels = 0, done = 0, width;

	for (width = 1; width < s->nr; width *= 2) {
		levels++;
		done += width < s->width;
	}
	return levels ? (unsigned)((100 * done + 100 * s->k / s->nr) / levels) : 100;
}

void
long_sort_release(struct long_sort *s)
{
	free(s->from);
	free(s->to);
	*s = (struct long_sort)LONG_SORT_INIT;
}
