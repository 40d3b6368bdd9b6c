/* Work in slices gives what the same work at once gives: comparisons against those that
 * were not interrupted; however often left, and begun anew in the middle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/make.h"
#include "compare/series.h"
#include "tui/check.h"
#include "util/mem.h"

static bool
at_once(void *left)
{
	return left && !--*(unsigned *)left;
}

/* ---- comparing ---- */

static bool
same_value(const struct scalar_value *a, const struct scalar_value *b)
{
	return a->type == b->type && (a->type == SCALAR_NULL || a->integer == b->integer);
}

static int
same_tables(struct compared *a, struct compared *b)
{
	struct compared_row x, y;
	struct place p, q;
	bool there;

	if (compared_rows(a) != compared_rows(b) || !compared_rows(a))
		return 0;
	for (size_t i = 0; i < compared_rows(a); i++) {
		compared_row(a, i, &x);
		compared_row(b, i, &y);
		if (!same_value(&x.value, &y.value) ||
		    memcmp(&x.sides, &y.sides, sizeof(x.sides)) ||
		    x.entity != y.entity || x.callee != y.callee || x.changed != y.changed)
			return 0;
		for (size_t k = 0; k < 2; k++) {
			there = compared_place(a, i, k, &p);
			if (there != compared_place(b, i, k, &q) ||
			    (there && !place_same(&p, &q)) ||
			    compared_id(a, i, k) != compared_id(b, i, k))
				return 0;
		}
	}
	return 1;
}

static int
same_windows(struct compared *a, struct compared *b, unsigned pause)
{
	int good = 1;

	for (size_t k = 0; k < 2; k++) {
		for (unsigned left = pause; !compared_index(a, k, at_once, &left); left = pause)
			;
		for (model_id file = 1; file <= 3; file++) {
			size_t *x, *y, nr = compared_at(a, k, file, 100, 400, &x);

			good &= nr == compared_at(b, k, file, 100, 400, &y) &&
				!memcmp(x, y, nr * sizeof(*x));
			free(x);
			free(y);
		}
	}
	return good;
}

/* In between somebody looks at something else. */
static struct compared *
in_slices(struct comparison *c, enum compare_by by, const char *text, unsigned pause,
	  size_t *slices)
{
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct compared *t = comparison_begin(c, by, text, 0, &err);
	struct procedure_row row;
	int done = 0, percent = 0;

	for (*slices = 0; t && !done; ++*slices) {
		unsigned left = pause;

		done = comparison_work(t, at_once, &left, &err.error);
		profile_procedure(comparison_profile(c, 0), 1 + (model_id)(*slices % 30), &row);
		if (compared_percent(t) < percent || compared_percent(t) > 100)
			printf("# %d%% after %d%%\n", compared_percent(t), percent);
		percent = compared_percent(t);
	}
	return done > 0 && percent == 100 ? t : NULL;
}

static void
test_kinds(struct profile *const *p)
{
	struct comparison_options options = { .normalise = NULL };
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct comparison *whole = comparison_open(p, 2, &options, &err.error);
	struct comparison *c = comparison_open(p, 2, &options, &err.error);
	size_t slices, fewest = SIZE_MAX;
	int good = 1;

	for (int by = 0; whole && c && by < NR_COMPARE_BY; by++) {
		struct compared *t, *s;

		if (compare_by_is_space((enum compare_by)by))
			continue; /* these profiles have none */
		t = comparison_table(whole, (enum compare_by)by, "count", &err);
		s = in_slices(c, (enum compare_by)by, "count", 1 + (unsigned)by % 3, &slices);
		good &= t && s && same_tables(t, s);
		if (by >= BY_BLOCK && by <= BY_SITE)
			good &= s && same_windows(s, t, 1 + (unsigned)by % 2);
		fewest = by != BY_FILE && slices < fewest ? slices : fewest;
	}
	printf("# %zu slices at least\n", fewest);
	verdict(good && fewest > 3, "compared in slices as at once, every kind");
	comparison_close(whole);
	comparison_close(c);
}

/* Ranges and blocks both need to know who has which block: both wait for what one of them has
 * begun, also when that one is begun anew before it is done. */
static void
test_shared(struct profile *const *p)
{
	static const enum compare_by bys[] = { BY_RANGE, BY_BLOCK };
	static const char other[] = "b.self_ns - a.self_ns";
	struct comparison_options options = { .normalise = NULL };
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct comparison *whole = comparison_open(p, 2, &options, &err.error);
	struct comparison *c = comparison_open(p, 2, &options, &err.error);
	struct compared *t[2];
	int done[2] = { 0, 0 }, good = 1;

	for (int i = 0; i < 2; i++)
		t[i] = comparison_begin(c, bys[i], "count", 0, &err);
	for (unsigned round = 0; !done[0] || !done[1]; round++) {
		for (int i = 0; i < 2; i++) {
			unsigned left = 2;

			if (i == 0 && round == 5)
				t[i] = comparison_begin(c, bys[i], other, 0, &err);
			if (!done[i])
				done[i] = comparison_work(t[i], at_once, &left, &err.error);
			good &= done[i] >= 0;
		}
	}
	good &= same_tables(comparison_table(whole, BY_RANGE, other, &err), t[0]);
	good &= same_tables(comparison_table(whole, BY_BLOCK, "count", &err), t[1]);
	verdict(good, "ranges and blocks are compared in turns as one after the other");
	comparison_close(whole);
	comparison_close(c);
}

/* Left in the middle for another expression, with other figures; and for good. */
static void
test_overtaken(struct profile *const *p)
{
	struct comparison_options options = { .normalise = NULL };
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct comparison *c = comparison_open(p, 2, &options, &err.error);
	struct comparison *whole = comparison_open(p, 2, &options, &err.error);
	struct compared *t, *other = comparison_table(whole, BY_RANGE,
						      "b.self_ns - 2 * a.self_ns", &err);
	size_t slices;
	int good = other != NULL;

	for (int steps = 0; steps < 400; steps += 1 + steps / 3) {
		t = comparison_begin(c, BY_RANGE, "b.count - a.count", 0, &err);
		for (int i = 0; t && i < steps; i++) {
			unsigned left = 1;

			comparison_work(t, at_once, &left, &err.error);
		}
		t = in_slices(c, BY_RANGE, "b.self_ns - 2 * a.self_ns", 2, &slices);
		good &= t && same_tables(other, t);
		t = comparison_begin(c, BY_LINE, "count", 0, &err);
		comparison_close(c); /* in the middle of it, or before anything */
		c = comparison_open(p, 2, &options, &err.error);
	}
	verdict(good, "another expression overtakes one that goes on");
	comparison_close(c);
	comparison_close(whole);
}

static void
test_series(struct profile *const *p)
{
	struct comparison_options options = { .normalise = NULL };
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct comparison *c = comparison_open(p, 2, &options, &err.error);
	const double sizes[] = { 10, 20 };
	struct series a, b;
	int good, done = 0, slices = 0;

	series_init(&a, c, sizes);
	series_init(&b, c, sizes);
	good = c && !series_add(&a, BY_RANGE, "a.count", &err);
	good = good && !series_begin(&b, BY_RANGE, "a.count", &err);
	for (; good && !done; slices++) {
		unsigned left = 1;

		done = series_work(&b, BY_RANGE, at_once, &left, &err.error);
	}
	good = good && done > 0 && slices > 5 && a.nr_rows == b.nr_rows && a.nr_rows;
	for (size_t i = 0; good && i < a.nr_rows; i++)
		good &= !memcmp(&a.rows[i].exponent, &b.rows[i].exponent, sizeof(float)) &&
			!memcmp(&a.rows[i].last, &b.rows[i].last, sizeof(double)) &&
			a.rows[i].row == b.rows[i].row;
	verdict(good, "a series in slices as at once");
	series_release(&a);
	series_release(&b);
	comparison_close(c);
}

int
main(void)
{
	struct profile *p[2];

	setenv("BUILD", "build", 0);
	setenv("TMP_DIR", "/tmp", 0);
	p[0] = make("a.db", "--procedures 300 --ranges 9000 --lines 9000 --files 3");
	p[1] = make("b.db", "--procedures 320 --ranges 9500 --lines 9100 --files 3");
	test_kinds(p);
	test_overtaken(p);
	test_series(p);
	profile_close(p[1]);
	p[1] = make("c.db", "--procedures 300 --ranges 9000 --lines 9000 --files 3");
	test_kinds(p); /* the same but for figures: what is the same is kept once */
	test_shared(p);
	test_overtaken(p);
	profile_close(p[0]);
	profile_close(p[1]);
	return failures != 0;
}
