/* What a viewer asks of a comparison: the rows in a window of the source, against all rows looked
 * at one by one; two texts side by side, each line once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/make.h"
#include "tui/check.h"
#include "util/job.h"
#include "util/mem.h"

static bool
is_in(const struct compared *t, size_t i, size_t profile, model_id file, uint32_t first,
      uint32_t last)
{
	struct place p;

	return compared_place(t, i, profile, &p) && p.file == file && p.line <= last &&
	       p.end_line >= first;
}

static int
check_window(struct compared *t, size_t profile, model_id file, uint32_t first, uint32_t last)
{
	size_t *rows, nr = compared_at(t, profile, file, first, last, &rows), want = 0;
	struct place before = { 0 }, p = { 0 };
	int good = 1;

	for (size_t i = 0; i < compared_rows(t); i++)
		want += is_in(t, i, profile, file, first, last);
	for (size_t i = 0; i < nr; i++) {
		good &= is_in(t, rows[i], profile, file, first, last);
		compared_place(t, rows[i], profile, &p);
		good &= p.line > before.line ||
			(p.line == before.line && p.column >= before.column);
		before = p;
	}
	if (nr != want)
		printf("# lines %u to %u: %zu rows, not %zu\n", first, last, nr, want);
	free(rows);
	return good && nr == want;
}

static size_t
pair_at_once(struct match *m, model_id a, model_id b, struct line_pair **pairs)
{
	struct side_by_side *s = side_by_side_begin(m, 0, a, 1, b);
	size_t nr;

	side_by_side_work(s, NULL, NULL);
	nr = side_by_side_take(s, pairs);
	side_by_side_free(s);
	return nr;
}

static int
check_pairs(struct match *m, model_id a, model_id b, uint32_t nr_a, uint32_t nr_b)
{
	struct line_pair *pairs;
	size_t nr = pair_at_once(m, a, b, &pairs);
	uint32_t next_a = 1, next_b = 1;
	int good = 1;

	for (size_t i = 0; i < nr; i++) {
		good &= pairs[i].a || pairs[i].b;
		good &= !pairs[i].a || pairs[i].a == next_a++;
		good &= !pairs[i].b || pairs[i].b == next_b++;
	}
	free(pairs);
	if (next_a - 1 != nr_a || next_b - 1 != nr_b)
		printf("# %u and %u lines, not %u and %u\n", next_a - 1, next_b - 1, nr_a, nr_b);
	return good && next_a - 1 == nr_a && next_b - 1 == nr_b;
}

static bool
now_and_then(void *context)
{
	(void)context;
	return rand() % 2;
}

/* In slices, and given up in the midst of them, as at once. */
static int
check_slices(struct match *m, model_id a, model_id b, size_t *slices)
{
	struct side_by_side *s = side_by_side_begin(m, 0, a, 1, b);
	struct line_pair *whole, *pairs;
	size_t nr;
	int good;

	for (int i = 0; i < 3; i++)
		side_by_side_work(s, now_and_then, NULL);
	side_by_side_free(s);
	s = side_by_side_begin(m, 0, a, 1, b);
	while (!side_by_side_work(s, now_and_then, NULL))
		++*slices;
	nr = side_by_side_take(s, &pairs);
	side_by_side_free(s);
	good = nr == pair_at_once(m, a, b, &whole);
	for (size_t i = 0; good && i < nr; i++)
		good = pairs[i].a == whole[i].a && pairs[i].b == whole[i].b &&
		       pairs[i].changed == whole[i].changed;
	free(pairs);
	free(whole);
	return good;
}

struct placing {
	struct match *m;
	model_id file;
	uint32_t line;
	struct matched_place out;
};

static void
place_line(void *placing)
{
	struct placing *p = placing;

	match_line(p->m, 1, p->file, p->line, &p->out);
}

/* A match that is made in slices places things where one does that is made at once; what is begun
 * for one procedure may be left for another, or for good. */
static int
check_prepared(struct profile *const *p)
{
	struct match_options options = { .nr_renames = 0 };
	struct error err = ERROR_INIT;
	struct match *whole, *m;
	struct matched_place x;
	size_t slices = 0;
	int good = !match_open(p, 2, &options, &whole, &err) &&
		   !match_open(p, 2, &options, &m, &err);

	for (int i = 0; good && i < 2000; i++) {
		struct placing now = { .m = m, .file = 1 + (model_id)rand() % 3,
				       .line = 1 + (uint32_t)rand() % 10000 };
		struct job *j = job_new(place_line, &now);
		bool done = false;

		while (rand() % 4 && !done) {
			done = job_run(j, now_and_then, NULL);
			slices += !done;
		}
		job_free(j);
		if (!done && rand() % 2)
			continue;
		if (!done)
			place_line(&now);
		match_line(whole, 1, now.file, now.line, &x);
		good = place_same(&x.place, &now.out.place) && x.home == now.out.home &&
		       x.changed == now.out.changed;
	}
	match_close(whole);
	match_close(m);
	printf("# %zu slices of places\n", slices);
	return good && slices > 20;
}

/* The last line with a text in FILE. */
static uint32_t
lines_of(struct profile *p, model_id file)
{
	size_t size;
	char *text = profile_file_text(p, file, &size);
	uint32_t lines = 0;

	for (size_t i = 0; text && i < size; i++)
		lines += text[i] == '\n' || i + 1 == size;
	free(text);
	return lines;
}

int
main(void)
{
	struct comparison_options options = { .normalise = NULL };
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct profile *p[2];
	struct comparison *c;
	size_t slices = 0;
	int windows = 1;

	setenv("BUILD", "build", 0);
	setenv("TMP_DIR", "/tmp", 0);
	p[0] = make("a.db", "--procedures 40 --ranges 900 --lines 900 --files 3");
	p[1] = make("b.db", "--procedures 60 --ranges 900 --lines 1100 --files 3");
	c = comparison_open(p, 2, &options, &err.error);
	srand(5);
	for (int by = BY_BLOCK; c && by <= BY_SITE; by++) {
		struct compared *t = comparison_table(c, (enum compare_by)by, "count", &err);

		for (int i = 0; t && i < 300; i++) {
			uint32_t first = 1 + (uint32_t)rand() % 700;

			windows &= check_window(t, (size_t)rand() % 2, 1 + (model_id)rand() % 3,
						first, first + (uint32_t)rand() % 60);
		}
		windows &= t != NULL;
	}
	verdict(c && windows, "the rows of a window are those that touch it");
	for (model_id file = 1; c && file <= 3; file++) {
		struct match *m = comparison_match(c);
		model_id other = match_file_in(m, match_file(m, 0, file), 1);
		uint32_t nr_a = lines_of(p[0], file), nr_b = lines_of(p[1], other);

		windows &= other && check_pairs(m, file, other, nr_a, nr_b);
	}
	verdict(c && windows, "side by side each line stands once, in its order");
	for (model_id file = 1; c && file <= 3; file++) {
		struct match *m = comparison_match(c);

		windows &= check_slices(m, file, match_file_in(m, match_file(m, 0, file), 1),
					&slices);
	}
	printf("# %zu slices\n", slices);
	verdict(c && windows && slices > 20, "side by side in slices as at once");
	comparison_close(c);
	profile_close(p[0]);
	profile_close(p[1]);
	p[0] = make("c.db", "--procedures 40 --ranges 900 --lines 30000 --files 3");
	p[1] = make("d.db", "--procedures 60 --ranges 900 --lines 31000 --files 3");
	verdict(check_prepared(p), "places that are found in slices are where they are at once");
	profile_close(p[0]);
	profile_close(p[1]);
	return failures != 0;
}
