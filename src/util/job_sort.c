#include "util/job_sort.h"

#include <stdlib.h>
#include <string.h>

#include "util/job.h"
#include "util/mem.h"

/* Elements of a run that is sorted at once, and compared for a unit of work; bytes that are copied
 * for one. */
enum { RUN = 512, UNIT = 16, UNIT_COPY = 1024 };

struct sorting {
	char *base, *copy;       /* copy: of the shorter one of two runs that are merged, or NULL */
	size_t size;
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
	double done, all;        /* elements, in all rounds */
};

static void
release(void *sorting)
{
	free(((struct sorting *)sorting)->copy);
}

static void
advance(struct sorting *s, size_t nr)
{
	s->done += (double)nr;
	job_progress(s->done, s->all);
}

static void
sort_run(struct sorting *s, char *base, size_t nr)
{
	size_t i = 1;

	while (i < nr && s->compare(base + (i - 1) * s->size, base + i * s->size, s->context) <= 0)
		i++;
	if (i < nr)
		qsort_r(base, nr, s->size, s->compare, s->context);
	advance(s, nr);
	job_pause((unsigned)(nr / UNIT));
}

/* Numbers are what is sorted most. */
static void
move(char *to, const char *from, size_t size)
{
	if (size == sizeof(uint32_t))
		memcpy(to, from, sizeof(uint32_t));
	else
		memmove(to, from, size);
}

/* Merges forward, the left run from its copy: the rest of the right one stands where it belongs. */
static void
merge_left(struct sorting *s, char *to, const char *right, const char *end)
{
	size_t size = s->size;
	const char *left = s->copy, *left_end = left + (right - to);

	for (size_t i = 1; left < left_end; i++, to += size) {
		const char **from = right < end && s->compare(left, right, s->context) > 0
				    ? &right : &left;

		move(to, *from, size);
		*from += size;
		if (i % UNIT == 0)
			job_pause(1);
	}
}

/* Merges two runs backward, the right one from its copy. */
static void
merge_right(struct sorting *s, const char *base, const char *left, char *to)
{
	size_t size = s->size;
	const char *right = s->copy + (to - left);

	for (size_t i = 1; right > s->copy; i++) {
		const char **from = left > base &&
				    s->compare(left - size, right - size, s->context) > 0
				    ? &left : &right;

		*from -= size;
		to -= size;
		move(to, *from, size);
		if (i % UNIT == 0)
			job_pause(1);
	}
}

/* The copy's pages are new the first time: it takes longer than it seems. */
static void
copy_run(struct sorting *s, const char *run, size_t bytes)
{
	for (size_t at = 0, n; at < bytes; at += n) {
		n = bytes - at < UNIT_COPY ? bytes - at : UNIT_COPY;
		memcpy(s->copy + at, run + at, n);
		job_pause(1);
	}
}

/* Two runs in order, the left one of NR_LEFT, of NR elements together. */
static void
merge(struct sorting *s, char *base, size_t nr_left, size_t nr)
{
	size_t size = s->size, nr_right = nr - nr_left;
	char *right = base + nr_left * size, *end = base + nr * size;

	if (s->compare(right - size, right, s->context) <= 0)
		return;
	if (nr_left <= nr_right) {
		copy_run(s, base, nr_left * size);
		merge_left(s, base, right, end);
	} else {
		copy_run(s, right, nr_right * size);
		merge_right(s, base, right, end);
	}
}

void
job_sort(void *base, size_t nr, size_t size,
	 int (*compare)(const void *a, const void *b, void *context), void *context)
{
	struct sorting s = { .base = base, .size = size, .compare = compare,
			     .context = context, .all = (double)nr };
	struct job_hold hold;
	size_t width, at, rest;

	for (width = RUN; width < nr; width *= 2)
		s.all += (double)nr;
	if (nr > RUN) /* the shorter run of two is half of all at the most */
		s.copy = xmalloc(nr / 2 * size);
	job_hold(&hold, release, &s);
	for (at = 0; at < nr; at += RUN)
		sort_run(&s, s.base + at * size, nr - at < RUN ? nr - at : RUN);
	for (width = RUN; width < nr; width *= 2) {
		for (at = 0; at < nr; at += 2 * width) {
			rest = nr - at < 2 * width ? nr - at : 2 * width;
			if (rest > width)
				merge(&s, s.base + at * size, width, rest);
			advance(&s, rest);
			job_pause(1);
		}
	}
	job_let_go(&hold);
}

struct things {
	int (*compare)(const void *context, uint32_t a, uint32_t b);
	const void *context;
};

static int
compare_things(const void *a, const void *b, void *context)
{
	const struct things *t = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = t->compare(t->context, x, y);

	return order ? order : (x > y) - (x < y);
}

void
job_sort_order(uint32_t **order, size_t nr,
	       int (*compare)(const void *context, uint32_t a, uint32_t b), const void *context)
{
	struct things things = { compare, context };

	*order = xcalloc(nr + 1, sizeof(**order));
	for (size_t i = 0; i < nr; i++)
		(*order)[i] = (uint32_t)i;
	job_sort(*order, nr, sizeof(**order), compare_things, &things);
}
