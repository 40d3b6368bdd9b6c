/* Jobs: a function that is left and gone on with gives what it gives at once; what one holds that
 * is dropped is given back, the last first; jobs that run others. Sorting against qsort_r(), left
 * after each look and not at all, and dropped in its midst. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/check.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/mem.h"

static bool
at_once(void *looks)
{
	if (looks)
		++*(unsigned *)looks;
	return true;
}

/* ---- going on ---- */

/* Numbers of all kinds stay what they are, also in registers. */
struct sum {
	unsigned to, nr;
	uint64_t whole;
	double real;
};

static void
add_up(void *context)
{
	struct sum *s = context;
	uint64_t whole = 0;
	double real = 0;

	for (unsigned i = 1; i <= s->to; i++, job_pause(1)) {
		whole += i;
		real += 1.0 / i;
		s->nr = i;
		job_progress(i, s->to);
	}
	s->whole = whole;
	s->real = real;
}

static void
test_going_on(void)
{
	struct sum alone = { .to = 10000 }, sliced = { .to = 10000 };
	struct job *j = job_new(add_up, &sliced);
	unsigned slices = 0, looks = 0, least = 100, percent = 0, backward = 0;

	add_up(&alone);
	while (!job_run(j, at_once, &looks)) {
		unsigned more = sliced.nr / JOB_LOOK;

		slices++;
		least = more == slices ? least : 0;
		backward += job_percent(j) < percent;
		percent = job_percent(j);
	}
	verdict(sliced.whole == alone.whole && sliced.real == alone.real && sliced.nr == 10000,
		"a job that is left gives what it gives at once");
	verdict(slices == 10000 / JOB_LOOK && looks == slices && least,
		"enough is asked once in as much work as is said");
	verdict(!backward && percent > 95 && job_percent(j) == 100 && !job_percent(NULL),
		"how far it is");
	verdict(job_run(j, at_once, NULL) && sliced.nr == 10000, "what is done stays done");
	job_free(j);
}

/* ---- parts ---- */

static void
in_parts(void *seen)
{
	double *at = seen;
	struct job_part outer = job_part(0.5, 1), inner;

	inner = job_part(0, 0.5);
	job_progress(1, 2);
	job_pause(JOB_LOOK);
	job_part_end(inner);
	job_pause(JOB_LOOK);
	job_part_end(outer);
	job_progress(1, 4);
	job_pause(JOB_LOOK);
	*at = 1;
}

static void
test_parts(void)
{
	static const unsigned expected[] = { 62, 75, 25 };
	double end = 0;
	struct job *j = job_new(in_parts, &end);
	bool good = true;

	for (int i = 0; !job_run(j, at_once, NULL); i++)
		good &= i < 3 && job_percent(j) == expected[i];
	verdict(good && end == 1, "parts of parts");
	job_free(j);
}

/* ---- dropping, and jobs in jobs ---- */

static char given[100];

static void
give(void *name)
{
	strcat(given, name);
}

static void
hold_more(void *name)
{
	struct job_hold hold;

	job_hold(&hold, give, name);
	job_pause(JOB_LOOK);
	strcat(given, "-");
	job_let_go(&hold);
}

static void
hold(void *unused)
{
	char first[] = "1", second[] = "2"; /* on the job's own stack */
	struct job_hold a, b;
	struct job *inner;

	(void)unused;
	job_hold(&a, give, first);
	hold_more("x");
	job_hold(&b, give, second);
	inner = job_new(hold_more, "i");
	while (!job_run(inner, at_once, NULL))
		strcat(given, "!");
	job_free(inner);
	inner = job_new(hold_more, "d");
	job_run(inner, at_once, NULL);
	job_free(inner);
	hold_more("y");
	job_let_go(&b);
	job_let_go(&a);
	strcat(given, ".");
}

/* Dropped after so many slices: what it has given back. */
static const char *
dropped_after(unsigned slices)
{
	struct job *j = job_new(hold, NULL);

	*given = '\0';
	while (slices-- && !job_run(j, at_once, NULL))
		;
	strcat(given, "|");
	job_free(j);
	return given;
}

static void
test_dropping(void)
{
	verdict(!strcmp(dropped_after(0), "|"), "one that was never run");
	verdict(!strcmp(dropped_after(1), "|x1"), "what is held is given back, the last first");
	verdict(!strcmp(dropped_after(2), "-x!-id|y21"), "a job runs another one, and drops it");
	verdict(!strcmp(dropped_after(9), "-x!-id-y21.|"), "what is done holds nothing");
	*given = '\0';
	hold_more("p");
	verdict(!strcmp(given, "-p"), "no job at all: nothing is left");
}

/* ---- sorting ---- */

struct thing { uint32_t key, number; };

static int
compare_things(const void *pa, const void *pb, void *calls)
{
	const struct thing *a = pa, *b = pb;

	++*(size_t *)calls;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

struct sorting {
	struct thing *things;
	size_t nr, calls;
	uint32_t *order;
};

static void
sort(void *sorting)
{
	struct sorting *s = sorting;

	job_sort(s->things, s->nr, sizeof(*s->things), compare_things, &s->calls);
}

static int
compare_keys(const void *sorting, uint32_t a, uint32_t b)
{
	const struct sorting *s = sorting;

	return (s->things[a].key > s->things[b].key) - (s->things[a].key < s->things[b].key);
}

static void
sort_order(void *sorting)
{
	struct sorting *s = sorting;

	job_sort_order(&s->order, s->nr, compare_keys, s);
}

static void
fill(struct sorting *s, unsigned seed, size_t nr, uint32_t keys)
{
	srand(seed);
	*s = (struct sorting){ .things = xcalloc(nr, sizeof(*s->things)), .nr = nr };
	for (size_t i = 0; i < nr; i++)
		s->things[i] = (struct thing){ keys ? (uint32_t)rand() % keys : (uint32_t)i,
					       (uint32_t)i };
}

static bool
is_order(const struct sorting *s, const struct thing *sorted)
{
	bool good = true;

	for (size_t i = 0; i < s->nr; i++)
		good &= s->order[i] == sorted[i].number;
	return good;
}

static bool
check_sort(unsigned seed, size_t nr, uint32_t keys, bool slices)
{
	struct sorting s, expected;
	struct job *j = job_new(sort, &s), *k = job_new(sort_order, &s);
	unsigned looks = 0;
	bool good;

	fill(&s, seed, nr, keys);
	fill(&expected, seed, nr, keys);
	if (nr)
		qsort_r(expected.things, nr, sizeof(*s.things), compare_things, &expected.calls);
	while (!job_run(k, slices ? at_once : NULL, NULL))
		;
	good = is_order(&s, expected.things);
	while (!job_run(j, slices ? at_once : NULL, &looks))
		;
	good &= !nr || !memcmp(s.things, expected.things, nr * sizeof(*s.things));
	good &= !slices || nr < 4000 || looks > 3;
	good &= keys || s.calls <= nr + nr / 100 + 10;
	if (!good)
		printf("# %zu things, seed %u: %u looks, %zu calls\n", nr, seed, looks, s.calls);
	job_free(j);
	job_free(k);
	free(s.order);
	free(s.things);
	free(expected.things);
	return good;
}

static void
test_sorting(void)
{
	static const size_t edges[] = { 0, 1, 2, 511, 512, 513, 1023, 1024, 1025, 1536, 2049 };
	bool good = true;

	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++)
		good &= check_sort((unsigned)i, edges[i], 50, i % 2);
	for (unsigned seed = 0; seed < 60; seed++)
		good &= check_sort(seed, seed * 131 % 9000, seed % 2 ? 7 : 1000000, seed % 3);
	verdict(good, "sorted as by qsort_r(), and what is equal as it was");
	verdict(check_sort(1, 10000, 0, true), "what is in order is looked at once");
}

/* For the leak checker: a sort that is dropped wherever it can be. */
static void
test_dropped_sorts(void)
{
	struct sorting s;
	bool done = false;
	unsigned slices;

	for (slices = 1; !done; slices++) {
		struct job *j = job_new(sort_order, &s);

		fill(&s, slices, 5000, 1000);
		for (unsigned i = 0; i < slices && !done; i++)
			done = job_run(j, at_once, NULL);
		job_free(j);
		free(s.order);
		free(s.things);
	}
	verdict(slices > 10, "sorts that are dropped");
}

int
main(void)
{
	test_going_on();
	test_parts();
	test_dropping();
	test_sorting();
	test_dropped_sorts();
	return 0;
}
