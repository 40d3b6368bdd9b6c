#include "util/slicesort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/* Elements of a run that is sorted at once, and merged between two looks at the clock. */
enum { RUN = 512, STRIDE = 1024 };

void
slice_sort_begin(struct slice_sort *s, void *base, size_t nr, size_t size,
		 int (*compare)(const void *a, const void *b, void *context), void *context)
{
	*s = (struct slice_sort){
		.base = base, .nr = nr, .size = size, .compare = compare, .context = context,
	};
}

void
slice_sort_release(struct slice_sort *s)
{
	free(s->left);
	s->left = NULL;
}

static char *
element(const struct slice_sort *s, size_t i)
{
	return s->base + i * s->size;
}

/* Numbers are what is sorted most. */
static void
move(const struct slice_sort *s, char *to, const char *from)
{
	if (s->size == sizeof(uint32_t))
		memcpy(to, from, sizeof(uint32_t));
	else
		memcpy(to, from, s->size);
}

static void
sort_run(struct slice_sort *s)
{
	size_t nr = s->nr - s->at < RUN ? s->nr - s->at : RUN;
	size_t i = 1;

	while (i < nr && s->compare(element(s, s->at + i - 1), element(s, s->at + i),
				    s->context) <= 0)
		i++;
	if (i < nr)
		qsort_r(element(s, s->at), nr, s->size, s->compare, s->context);
	s->at += nr;
}

/* The runs from AT on and behind it. False: they are in order. */
static bool
begin_merge(struct slice_sort *s)
{
	size_t rest = s->nr - s->at;

	s->nr_left = s->width;
	s->end = rest < 2 * s->width ? s->nr : s->at + 2 * s->width;
	if (rest <= s->width ||
	    s->compare(element(s, s->at + s->nr_left - 1), element(s, s->at + s->nr_left),
		       s->context) <= 0) {
		s->at = s->end;
		return false;
	}
	s->i = 0;
	s->j = s->at + s->nr_left;
	s->k = s->at;
	s->left = xmalloc(s->nr_left * s->size);
	memcpy(s->left, element(s, s->at), s->nr_left * s->size);
	return true;
}

static void
merge(struct slice_sort *s)
{
	for (int n = 0; n < STRIDE && s->i < s->nr_left; n++) {
		const char *from = s->left + s->i * s->size;

		if (s->j < s->end && s->compare(from, element(s, s->j), s->context) > 0)
			from = element(s, s->j++);
		else
			s->i++;
		move(s, element(s, s->k++), from);
	}
	if (s->i < s->nr_left)
		return;
	/* The rest of the right run stands where it belongs. */
	slice_sort_release(s);
	s->at = s->end;
}

bool
slice_sort_work(struct slice_sort *s, bool (*enough)(void *context), void *context)
{
	while (s->width < s->nr || !s->width) {
		if (!s->width)
			sort_run(s);
		else if (s->left || begin_merge(s))
			merge(s);
		if (s->at >= s->nr && !s->left) {
			s->at = 0;
			s->width = s->width ? 2 * s->width : RUN;
		}
		if (enough && enough(context) && s->width < s->nr)
			return false;
	}
	return true;
}

double
slice_sort_done(const struct slice_sort *s)
{
	double rounds = 1, done = 0;

	for (size_t width = RUN; width < s->nr; width *= 2) {
		rounds++;
		done += width <= s->width;
	}
	return s->nr ? (done + (double)s->at / (double)s->nr) / rounds : 1;
}
