/* What a viewer asks of a comparison: the rows in a window of the source, against all rows looked
 * at one by one; two texts side by side, each line once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/make.h"
#include "tui/check.h"
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

static int
check_pairs(struct match *m, model_id a, model_id b, uint32_t nr_a, uint32_t nr_b)
{
	struct line_pair *pairs;
	size_t nr = match_side_by_side(m, 0, a, 1, b, &pairs);
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
	comparison_close(c);
	profile_close(p[0]);
	profile_close(p[1]);
	return failures != 0;
}
