/* cgview diff as a table for a comment on a change: old and new with their errors, the change, and
 * what to make of it. Figures are those of a run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/agreement.h"
#include "print/diff.h"
#include "show/human.h"
#include "show/value.h"
#include "util/text/path.h"
#include "util/text/safe.h"

/* Appends TEXT as code: nothing in it can end the cell or the code. */
static void
put_code(struct strbuf *out, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	safe_str(&safe, text);
	strbuf_char(out, '`');
	for (size_t i = 0; i < safe.len; i++) {
		strbuf_str(out, safe.buf[i] == '|' ? "\\" : "");
		strbuf_char(out, safe.buf[i] == '`' ? '\'' : safe.buf[i]);
	}
	strbuf_char(out, '`');
	strbuf_release(&safe);
}

/* The profile on one side of the table: the first, or the last. */
static size_t
side(const struct diff *d, bool last)
{
	return last ? comparison_profiles(d->c) - 1 : 0;
}

static bool
is_rate(const struct diff *d)
{
	return expression_rate(compared_expression(d->t));
}

/* Appends the error of a time: by what the runs differ among themselves, else by its samples. */
static void
put_error(struct strbuf *out, const struct diff *d, size_t row, size_t profile, double ns)
{
	enum figure f = compared_figure(d->t);
	const struct profile_totals *t = profile_totals(comparison_profile(d->c, profile));
	double share = compared_error(d->t, row, profile);
	double scale = comparison_times(d->c, profile);
	struct scalar_value samples;

	strbuf_str(out, " \302\261 ");
	if (!isnan(share)) {
		strbuf_fmt(out, "%.*f%%", share < 0.01 ? 1 : 0, share * 100);
		return;
	}
	samples = compared_value(d->t, row, profile, f == FIGURE_SELF_NS ? FIGURE_SELF_SAMPLES
				 : FIGURE_TOTAL_SAMPLES);
	human_error(out, profile_samples(t, (uint64_t)(scalar_number(&samples) / scale + 0.5),
					 (uint64_t)(ns / scale + 0.5)),
		    profile_samples(t, t->self_samples, t->self_ns));
}

static void
put_figure(struct strbuf *out, const struct diff *d, size_t row, size_t profile,
	   const struct sides *sides)
{
	enum figure f = compared_figure_of(d->t, profile);
	bool all = row == SIZE_MAX;
	struct scalar_value v;
	double n;

	if (!all && !sides_have(sides, profile))
		return;
	v = all ? compared_total(d->t, profile, f) : compared_value(d->t, row, profile, f);
	if (v.type == SCALAR_NULL)
		return;
	n = scalar_number(&v) / comparison_runs(d->c);
	value_whole(out, figure_unit(f), (uint64_t)(n + 0.5), VALUE_WIDE, false);
	if (!all && n > 0 && !is_rate(d) && (f == FIGURE_SELF_NS || f == FIGURE_TOTAL_NS))
		put_error(out, d, row, profile, scalar_number(&v));
}

/* Returns the figure of a run in both; false: it is not there. */
static bool
figures_of(const struct diff *d, size_t row, const struct sides *sides, struct scalar_value v[2])
{
	enum figure f = compared_figure(d->t);

	for (int last = 0; last < 2; last++) {
		size_t k = side(d, last);
		bool there = row == SIZE_MAX || sides_have(sides, k);

		v[last] = row == SIZE_MAX ? compared_total(d->t, k, f)
			: compared_value(d->t, row, k, f);
		if (!there || v[last].type == SCALAR_NULL)
			return false;
		v[last] = (struct scalar_value){
			.type = SCALAR_REAL,
			.real = scalar_number(&v[last]) / comparison_runs(d->c),
		};
	}
	return true;
}

static void
put_change(struct strbuf *out, const struct diff *d, size_t row, const struct sides *sides)
{
	struct scalar_value v[2];

	if (figures_of(d, row, sides, v))
		value_change(out, &v[0], &v[1]);
}

/* Z: the difference in standard errors. */
static void
put_verdict(struct strbuf *out, const struct diff *d, struct row_verdict v, double z)
{
	diff_put_verdict(out, d, &v, 1. / comparison_runs(d->c), false);
	if (v.verdict == VERDICT_SLOWER || v.verdict == VERDICT_FASTER)
		strbuf_fmt(out, " (p=%.3f)", erfc(fabs(z) / M_SQRT2));
}

static void
put_names(struct strbuf *out, const struct diff *d, const struct diff_place *at)
{
	enum compare_by by = compared_by(d->t);
	struct strbuf where = STRBUF_INIT;

	if (*at->procedure)
		put_code(out, at->procedure);
	if (*at->callee) {
		strbuf_str(out, " calls ");
		put_code(out, at->callee);
	}
	diff_where(&where, at, by);
	for (int blocks = 0; blocks < 2; blocks++) {
		if (blocks) {
			strbuf_clear(&where);
			diff_blocks(&where, at, by);
		}
		if (!where.len)
			continue;
		strbuf_str(out, out->len > 2 ? " " : "");
		put_code(out, where.buf);
	}
	strbuf_release(&where);
}

static void
put_rate(struct strbuf *out, const struct diff *d, size_t i, const struct scalar_value *value)
{
	value_print(out, expression_unit(compared_expression(d->t)), value, VALUE_WIDE,
		    VALUE_PLAIN, false);
	strbuf_str(out, " | ");
	if (i < SIZE_MAX && diff_is_sampled_rate(d)) {
		strbuf_str(out, "\302\261 ");
		human_share(out, compared_rate_error(d->t, i));
	}
}

static void
print_row(const struct diff *d, size_t i)
{
	struct strbuf out = STRBUF_INIT;
	struct compared_row row;
	struct diff_place at;

	compared_row(d->t, i, &row);
	diff_place(d, i, &at);
	strbuf_str(&out, "| ");
	put_names(&out, d, &at);
	strbuf_str(&out, " | ");
	put_figure(&out, d, i, side(d, false), &row.sides);
	strbuf_str(&out, " | ");
	put_figure(&out, d, i, side(d, true), &row.sides);
	strbuf_str(&out, " | ");
	if (is_rate(d)) {
		put_rate(&out, d, i, &row.value);
	} else {
		put_change(&out, d, i, &row.sides);
		strbuf_str(&out, " | ");
		put_verdict(&out, d, compared_verdict(d->t, i), row.significance);
	}
	strbuf_str(&out, " |");
	puts(out.buf);
	strbuf_release(&out);
}

static void
print_total(const struct diff *d)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_str(&out, "| **total** | ");
	put_figure(&out, d, SIZE_MAX, side(d, false), 0);
	strbuf_str(&out, " | ");
	put_figure(&out, d, SIZE_MAX, side(d, true), 0);
	strbuf_str(&out, " | ");
	if (is_rate(d)) {
		struct scalar_value value = compared_total_value(d->t);

		put_rate(&out, d, SIZE_MAX, &value);
	} else {
		put_change(&out, d, SIZE_MAX, 0);
		strbuf_str(&out, " | ");
		if (d->all_fails)
			strbuf_str(&out, "fails");
		else
			put_verdict(&out, d, compared_total_verdict(d->t),
				    compared_total_significance(d->t));
	}
	strbuf_str(&out, " |");
	puts(out.buf);
	strbuf_release(&out);
}

/* What it is about, in a line; what fails stands first. */
static void
print_head(const struct diff *d)
{
	struct strbuf out = STRBUF_INIT;
	const char *things = compare_by_things(compared_by(d->t));

	if (d->fail_if) {
		if (d->nr_rows)
			strbuf_fmt(&out, "**%zu of %zu %s %s** ", d->nr_rows, compared_rows(d->t),
				   things, d->nr_rows == 1 ? "fails" : "fail");
		else
			strbuf_str(&out, d->all_fails ? "**The whole fails** " : "Nothing fails ");
		put_code(&out, d->fail_if);
		strbuf_str(&out, ". ");
	}
	if (is_rate(d))
		put_code(&out, expression_text(compared_expression(d->t)));
	else
		strbuf_str(&out, figure_name(compared_figure(d->t)));
	strbuf_fmt(&out, " of %s: ", things);
	for (int last = 0; last < 2; last++) {
		struct profile *p = comparison_profile(d->c, side(d, last));
		uint32_t runs = profile_totals(p)->nr_runs;

		put_code(&out, path_base(profile_name(p)));
		if (runs > 1)
			strbuf_fmt(&out, " (%" PRIu32 " runs)", runs);
		strbuf_str(&out, last ? "\n" : " to ");
	}
	puts(out.buf);
	strbuf_clear(&out);
	if (diff_hardly_matches(d, &out))
		printf("**%s**\n\n", out.buf);
	strbuf_clear(&out);
	agreement_put(&out, d->c);
	if (out.len)
		printf("%s\n\n", out.buf);
	strbuf_release(&out);
}

static void
print_heads(const struct diff *d)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_fmt(&out, "| %s |", compare_by_name(compared_by(d->t)));
	for (int last = 0; last < 2 && is_rate(d); last++) {
		strbuf_fmt(&out, " %s.", sides_name(side(d, last)));
		figure_put_name(&out, compared_figure_of(d->t, side(d, last)));
		strbuf_str(&out, " |");
	}
	strbuf_str(&out, is_rate(d) ? " each | |" : " old | new | change | |");
	printf("%s\n|:--|--:|--:|--:|:--|\n", out.buf);
	strbuf_release(&out);
}

void
diff_markdown(const struct diff *d)
{
	size_t limit = d->limit == SIZE_MAX ? DIFF_MARKDOWN_ROWS : d->limit;
	size_t nr = d->nr_rows < limit ? d->nr_rows : limit;

	print_head(d);
	print_heads(d);
	for (size_t i = 0; i < nr; i++)
		print_row(d, d->rows[i]);
	print_total(d);
	putchar('\n');
	if (nr < d->nr_rows)
		printf("%zu more. ", d->nr_rows - nr);
	diff_chance(d);
}
