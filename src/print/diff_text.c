/* cgview diff for people: prints tables. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/agreement.h"
#include "print/diff.h"
#include "print/report.h"
#include "print/sheet.h"
#include "show/columns.h"
#include "show/human.h"
#include "show/value.h"
#include "util/text/path.h"
#include "util/text/safe.h"

enum { MOST_SHOWN = 10 /* profiles, each with columns and a line of its own */ };

/* ---- the head ---- */

static void
print_profile(const struct diff *d, size_t k)
{
	struct profile *p = comparison_profile(d->c, k);
	uint32_t runs = profile_totals(p)->nr_runs;
	struct comparison_scale scale = comparison_scale(d->c, k);
	struct strbuf out = STRBUF_INIT;

	strbuf_fmt(&out, "%s   ", sides_name(k));
	report_run(&out, p);
	if (comparison_per_run(d->c) || runs > 1)
		strbuf_fmt(&out, "   %" PRIu32 " run%s", runs, runs == 1 ? "" : "s");
	if (scale.count != 1 || scale.time != 1) {
		strbuf_str(&out, "   shown ");
		value_scale(&out, scale.count, report_ascii());
		strbuf_str(&out, " (counts), ");
		value_scale(&out, scale.time, report_ascii());
		strbuf_str(&out, " (times)");
	}
	puts(out.buf);
	strbuf_release(&out);
}

static void
put_matched(struct strbuf *out, const struct match_report *r)
{
	human_count(out, r->matched);
	strbuf_str(out, " of ");
	human_count(out, r->procedures);
	strbuf_str(out, " procedures");
	if (r->executions) {
		strbuf_str(out, ", ");
		human_percent(out, r->matched_executions, r->executions);
		strbuf_str(out, "% of counts");
	}
	if (r->self_ns) {
		strbuf_str(out, ", ");
		human_percent(out, r->matched_self_ns, r->self_ns);
		strbuf_str(out, "% of time");
	}
	if (r->cost) {
		strbuf_str(out, ", ");
		human_percent(out, r->matched_cost, r->cost);
		strbuf_str(out, "% of ");
		safe_str(out, r->cost_name);
	}
}

static void
put_some(struct strbuf *out, size_t n, const char *what)
{
	if (!n)
		return;
	strbuf_str(out, "; ");
	human_count(out, n);
	strbuf_str(out, what);
}

static bool
is_less_than_half(uint64_t n, uint64_t of)
{
	return n < of - n;
}

/* Other tools have all the libraries, too: whether it is the same program tells who has counts. */
static bool
has_libraries(const struct diff *d, size_t k)
{
	bool any = false;

	for (size_t i = 0; i < comparison_profiles(d->c); i++)
		any |= match_report(comparison_match(d->c), i)->executions > 0;
	return any && !match_report(comparison_match(d->c), k)->executions;
}

bool
diff_hardly_matches(const struct diff *d, struct strbuf *out)
{
	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		const struct match_report *r = match_report(comparison_match(d->c), k);

		if (has_libraries(d, k) || !is_less_than_half(r->matched, r->procedures) ||
		    (r->executions && !is_less_than_half(r->matched_executions, r->executions)))
			continue;
		strbuf_fmt(out, "less than half of %s is in the others: ", sides_name(k));
		put_matched(out, r);
		strbuf_str(out, ": another program? --rename tells of new names");
		return true;
	}
	return false;
}

static void
put_lines(struct strbuf *out, const struct match *m, size_t k, const struct differing_lines *l)
{
	human_count(out, l->lines);
	strbuf_str(out, l->lines == 1 ? " line differs: " : " lines differ: ");
	for (size_t i = 0; i < l->nr; i++) {
		strbuf_str(out, i ? ", " : "");
		safe_str(out, path_base(match_path(m, k, l->at[i].file)));
		strbuf_fmt(out, ":%" PRIu32, l->at[i].first);
		if (l->at[i].last > l->at[i].first)
			strbuf_fmt(out, "-%" PRIu32, l->at[i].last);
	}
}

/* Where the text of the last profile is not that of the first one. */
static void
print_differing(const struct diff *d)
{
	struct match *m = comparison_match(d->c);
	size_t last = comparison_profiles(d->c) - 1;
	struct differing_lines l;
	struct strbuf out = STRBUF_INIT;

	match_differing(m, 0, last, &l);
	if (!l.not_looked_at && l.lines) {
		uint64_t told = 0;

		put_lines(&out, m, last, &l);
		for (size_t i = 0; i < l.nr; i++)
			told += l.at[i].last - l.at[i].first + 1;
		if (told < l.lines)
			strbuf_str(&out, " ..");
		if (l.files > 1) {
			strbuf_str(&out, " in ");
			human_count(&out, l.files);
			strbuf_str(&out, " files");
		}
		puts(out.buf);
	} else if (l.files) {
		human_count(&out, l.files);
		strbuf_str(&out, l.files == 1 ? " file differs" : " files differ");
		puts(out.buf);
	}
	strbuf_release(&out);
}

static void
put_report(struct strbuf *out, const struct match_report *r)
{
	put_matched(out, r);
	put_some(out, r->changed, " with another text");
	put_some(out, r->affected, " that use what has changed");
	put_some(out, r->how[MATCH_FILE_MOVED], " moved to another file");
	put_some(out, r->how[MATCH_NAME], " by name alone");
	put_some(out, r->how[MATCH_TEXT] + r->how[MATCH_TEXT_AND_FILE],
		 " under another name, by their text");
	put_some(out, r->how[MATCH_LIKE], " under another name, by a similar text");
	put_some(out, r->without_text, " without their text");
	put_some(out, r->not_aligned, " not aligned");
}

void
diff_matched(const struct diff *d)
{
	size_t nr = comparison_profiles(d->c), next;
	struct strbuf out = STRBUF_INIT, other = STRBUF_INIT;

	for (size_t k = 0; k < nr; k = next) {
		strbuf_clear(&out);
		put_report(&out, match_report(comparison_match(d->c), k));
		/* Where there are many profiles, those that are told the same share a line. */
		for (next = k + 1; nr > MOST_SHOWN && next < nr; next++) {
			strbuf_clear(&other);
			put_report(&other, match_report(comparison_match(d->c), next));
			if (strcmp(out.buf, other.buf))
				break;
		}
		printf("matched of %s%s%s: %s\n", sides_name(k), next > k + 1 ? " to " : "",
		       next > k + 1 ? sides_name(next - 1) : "", out.buf);
	}
	strbuf_release(&out);
	strbuf_release(&other);
}

void
diff_agreement(const struct diff *d)
{
	struct strbuf out = STRBUF_INIT;

	agreement_put(&out, d->c);
	if (out.len)
		puts(out.buf);
	strbuf_release(&out);
}

void
diff_profiles(const struct diff *d)
{
	for (size_t k = 0; k < comparison_profiles(d->c); k++)
		print_profile(d, k);
}

static void
print_title(const struct diff *d)
{
	struct strbuf out = STRBUF_INIT;

	if (diff_hardly_matches(d, &out))
		puts(out.buf);
	strbuf_clear(&out);
	diff_profiles(d);
	strbuf_str(&out, "result = ");
	safe_str(&out, expression_text(compared_expression(d->t)));
	if (comparison_per_run(d->c))
		strbuf_str(&out, "   figures of a run");
	else if (comparison_runs(d->c) > 1)
		strbuf_fmt(&out, "   sums of %" PRIu32 " runs", comparison_runs(d->c));
	if (d->fail_if) {
		strbuf_str(&out, "   fails if ");
		safe_str(&out, d->fail_if);
	}
	if (d->normalise) {
		strbuf_str(&out, "   normalised by ");
		safe_str(&out, d->normalise);
	}
	puts(out.buf);
	strbuf_release(&out);
	if (comparison_same_work(d->c))
		puts("same work: one build, equal counts; what differs is the machine");
	print_differing(d);
	diff_matched(d);
	diff_agreement(d);
	putchar('\n');
}

/* ---- the table ---- */

void
diff_where(struct strbuf *out, const struct diff_place *at, enum compare_by by)
{
	if (!at->place.file)
		return;
	safe_str(out, path_base(at->path));
	if (by == BY_FILE)
		return;
	strbuf_fmt(out, ":%" PRIu32, at->place.line);
	if (by != BY_PROCEDURE && by != BY_LINE)
		strbuf_fmt(out, ":%" PRIu32 "-%" PRIu32 ":%" PRIu32, at->place.column,
			   at->place.end_line, at->place.end_column);
}

static void
put_size(struct strbuf *out, uint64_t size)
{
	if (size)
		strbuf_fmt(out, "%" PRIu64, size);
	else
		strbuf_str(out, "?");
}

static void
put_type(struct strbuf *out, const char *type)
{
	safe_str(out, *type ? type : "?");
}

void
diff_blocks(struct strbuf *out, const struct diff_place *at, enum compare_by by)
{
	if (compare_by_has_type(by))
		put_type(out, at->type);
	if (!compare_by_has_size(by))
		return;
	strbuf_str(out, compare_by_has_type(by) ? ", " : "");
	strbuf_str(out, at->size_class ? "<= " : "");
	put_size(out, at->size_class);
	strbuf_str(out, at->size_class ? " B" : "");
}

bool
diff_is_sampled_rate(const struct diff *d)
{
	const struct reference *rate = expression_rate(compared_expression(d->t));

	return rate && figure_is_sampled((enum figure)rate->figure);
}

bool
diff_has_source(enum compare_by by)
{
	return by == BY_BLOCK || by == BY_RANGE || by == BY_LINE || by == BY_SITE;
}

void
diff_source(struct diff_sources *sources, struct comparison *c, const struct diff_place *at,
	    enum compare_by by, struct strbuf *out)
{
	enum { WIDTH = 40 };
	struct strbuf text = STRBUF_INIT;
	struct place place = at->place;
	struct texts *texts;

	if (!place.file)
		return;
	if (!sources->texts) {
		sources->nr = comparison_profiles(c);
		sources->texts = xcalloc(sources->nr, sizeof(*sources->texts));
	}
	texts = &sources->texts[at->profile];
	if (by == BY_LINE) {
		place.column = 0;
		place.end_line = place.line;
		place.end_column = UINT32_MAX;
	}
	texts->profile = comparison_profile(c, at->profile);
	texts_excerpt(texts, &text, &place, WIDTH);
	safe_fit(out, text.buf, text.len, WIDTH);
	strbuf_release(&text);
}

void
diff_sources_release(struct diff_sources *sources)
{
	for (size_t k = 0; k < sources->nr; k++)
		texts_release(&sources->texts[k]);
	free(sources->texts);
}

struct columns {
	bool error, change, sigma, verdict, procedure, callee, where, size, type, how, source,
	     uses;
	struct sides sides;      /* profiles whose figures have columns */
};

/* Many profiles have columns for the first and the last, and for what the expression names. */
static void
choose_sides(const struct diff *d, struct sides *sides)
{
	size_t profiles = comparison_profiles(d->c), nr;
	const struct reference *r = expression_references(compared_expression(d->t), &nr);

	for (size_t k = 0; k < profiles && profiles <= MOST_SHOWN; k++)
		sides_add(sides, k);
	sides_add(sides, 0);
	sides_add(sides, profiles - 1);
	for (size_t i = 0; i < nr && sides_count(sides) < MOST_SHOWN; i++)
		sides_add(sides, r[i].profile);
}

/* The heading is the browser's. */
static void
add_column(struct sheet *s, const char *source)
{
	const struct column *columns = table_kinds[LIST_COMPARISON].columns;
	const struct column *c = &columns[columns_called(columns, INT_MAX, source, true)];

	struct strbuf head = STRBUF_INIT;

	column_put_head(&head, c, c->head);
	sheet_column(s, head.buf, !cell_is_left(c->cell));
	strbuf_release(&head);
}

/* A column for each profile. F is FIGURES_MAX: of what the expression uses of it. */
static void
add_figure(struct sheet *s, const struct diff *d, const struct sides *sides, enum figure f)
{
	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		struct strbuf name = STRBUF_INIT;

		if (!sides_have(sides, k))
			continue;
		strbuf_fmt(&name, "%s.", sides_name(k));
		figure_put_name(&name, f < FIGURES_MAX ? f : compared_figure_of(d->t, k));
		sheet_column(s, name.buf, true);
		strbuf_release(&name);
	}
}

static void
add_columns(struct sheet *s, const struct diff *d, const struct columns *c)
{
	add_figure(s, d, &c->sides, FIGURES_MAX);
	add_column(s, "value");
	if (c->error)
		sheet_column(s, report_ascii() ? "+-" : "\302\261", true);
	if (c->change)
		sheet_column(s, "change", true);
	if (c->sigma)
		add_column(s, COLUMN_NOISE);
	for (size_t i = 0; i < d->nr_judged; i++) {
		add_figure(s, d, &c->sides, d->judged[i]);
		sheet_column(s, "change", true);
	}
	if (c->verdict)
		add_column(s, "verdict");
	add_column(s, "sides");
	if (c->procedure)
		add_column(s, "procedure");
	if (c->callee)
		add_column(s, "callee");
	if (c->where)
		add_column(s, "where");
	if (c->size)
		add_column(s, "size_class");
	if (c->type && compared_by(d->t) == BY_POOL)
		sheet_column(s, "pool", false);
	else if (c->type)
		add_column(s, "type");
	if (c->how)
		sheet_column(s, "how", false);
	if (c->source)
		sheet_column(s, "source", false);
	if (c->uses)
		sheet_column(s, "", false);
}

static void
put_callee(struct strbuf *out, const char *name)
{
	struct strbuf called = STRBUF_INIT;

	cell_called(&called, name);
	safe_str(out, called.buf);
	strbuf_release(&called);
}

static void
add_figures(struct sheet *s, const struct diff *d, const struct scalar_value *v,
	    const struct sides *sides, enum figure f, bool estimated, bool ascii)
{
	struct strbuf cell = STRBUF_INIT;

	for (size_t k = 0; k < MAX_PROFILES; k++) {
		if (!sides_have(sides, k))
			continue;
		if (estimated && v[k].type != SCALAR_NULL)
			value_mark(&cell, "estimated", ascii);
		value_print(&cell, figure_unit(f < FIGURES_MAX ? f : compared_figure_of(d->t, k)),
			    &v[k], VALUE_WIDE, VALUE_PLAIN, ascii);
		sheet_cell(s, &cell);
	}
}

/* The figures of row I in all profiles; I is SIZE_MAX: those of all. F as in add_figure(). */
static void
figures_of(const struct diff *d, size_t i, enum figure f, const struct sides *sides,
	   struct scalar_value *v)
{
	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		enum figure of = f < FIGURES_MAX ? f : compared_figure_of(d->t, k);

		v[k] = (struct scalar_value){ .type = SCALAR_NULL };
		if (i == SIZE_MAX)
			v[k] = compared_total(d->t, k, of);
		else if (sides_have(sides, k))
			v[k] = compared_value(d->t, i, k, of);
	}
}

/* Adds the cells of numbers of row I. */
static void
add_numbers(struct sheet *s, const struct diff *d, size_t i, const struct compared_row *row,
	    const struct columns *c, bool ascii)
{
	struct scalar_value v[MAX_PROFILES];
	size_t nr = comparison_profiles(d->c);
	struct strbuf cell = STRBUF_INIT;

	figures_of(d, i, FIGURES_MAX, &row->sides, v);
	add_figures(s, d, v, &c->sides, FIGURES_MAX, row->estimated, ascii);
	value_print(&cell, expression_unit(compared_expression(d->t)), &row->value, VALUE_WIDE,
		    VALUE_SIGNED, ascii);
	sheet_cell(s, &cell);
	if (c->error) {
		if (i != SIZE_MAX)
			human_share(&cell, compared_rate_error(d->t, i));
		sheet_cell(s, &cell);
	}
	if (c->change) {
		value_change(&cell, &v[0], &v[nr - 1]);
		sheet_cell(s, &cell);
	}
	if (c->sigma) {
		value_errors(&cell, row->significance);
		sheet_cell(s, &cell);
	}
	for (size_t k = 0; k < d->nr_judged; k++) {
		figures_of(d, i, d->judged[k], &row->sides, v);
		add_figures(s, d, v, &c->sides, d->judged[k], false, ascii);
		value_change(&cell, &v[0], &v[nr - 1]);
		sheet_cell(s, &cell);
	}
}

void
diff_put_verdict(struct strbuf *out, const struct diff *d, const struct row_verdict *v,
		 double scale, bool ascii)
{
	strbuf_str(out, verdict_word(v->verdict));
	if (v->verdict != VERDICT_UNRESOLVED || !isfinite(v->least))
		return;
	strbuf_str(out, " <");
	value_real(out, figure_unit(compared_figure(d->t)), v->least * scale, VALUE_WIDE,
		   VALUE_PLAIN, ascii);
}

static void
add_verdict(struct sheet *s, const struct diff *d, struct row_verdict v, bool ascii)
{
	struct strbuf cell = STRBUF_INIT;

	diff_put_verdict(&cell, d, &v, 1, ascii);
	sheet_cell(s, &cell);
}

/* Adds the cells that only rows of memory have. */
static void
add_blocks(struct sheet *s, const struct diff_place *at, const struct columns *c)
{
	struct strbuf cell = STRBUF_INIT;

	if (c->size) {
		put_size(&cell, at->size_class);
		sheet_cell(s, &cell);
	}
	if (c->type) {
		put_type(&cell, at->type);
		sheet_cell(s, &cell);
	}
	if (c->how) {
		strbuf_str(&cell, at->kind);
		sheet_cell(s, &cell);
	}
}

static void
add_row(struct sheet *s, const struct diff *d, size_t i, const struct columns *c,
	struct diff_sources *sources, bool ascii)
{
	struct strbuf cell = STRBUF_INIT, sides = STRBUF_INIT;
	struct compared_row row;
	struct diff_place at;

	compared_row(d->t, i, &row);
	diff_place(d, i, &at);
	add_numbers(s, d, i, &row, c, ascii);
	if (c->verdict)
		add_verdict(s, d, compared_verdict(d->t, i), ascii);
	compared_sides(d->t, &row, &sides);
	if (c->uses && *compared_uses(d->t, &row))
		strbuf_str(&cell, "uses");
	else
		cell_sides(&cell, sides.buf);
	sheet_cell(s, &cell);
	if (c->procedure) {
		safe_str(&cell, at.procedure);
		sheet_cell(s, &cell);
	}
	if (c->callee) {
		put_callee(&cell, at.callee);
		sheet_cell(s, &cell);
	}
	if (c->where) {
		diff_where(&cell, &at, compared_by(d->t));
		sheet_cell(s, &cell);
	}
	add_blocks(s, &at, c);
	if (c->source) {
		diff_source(sources, d->c, &at, compared_by(d->t), &cell);
		sheet_cell(s, &cell);
	}
	if (c->uses) {
		if (*compared_uses(d->t, &row))
			cell_sides(&cell, sides.buf);
		sheet_cell(s, &cell);
	}
	strbuf_release(&sides);
}

/* The whole program, below all rows. */
static void
add_total(struct sheet *s, const struct diff *d, const struct columns *c, bool ascii)
{
	struct compared_row row = {
		.significance = compared_total_significance(d->t),
		.value = compared_total_value(d->t),
	};
	int names = c->procedure + c->callee + c->where + c->size + c->type + c->how +
		    c->source + c->uses;
	struct strbuf cell = STRBUF_INIT;

	add_numbers(s, d, SIZE_MAX, &row, c, ascii);
	if (c->verdict)
		add_verdict(s, d, compared_total_verdict(d->t), ascii);
	strbuf_str(&cell, d->all_fails ? "fails" : "");
	sheet_cell(s, &cell);
	for (int i = 0; i < names; i++) {
		strbuf_str(&cell, i ? "" : "total");
		sheet_cell(s, &cell);
	}
}

void
diff_chance(const struct diff *d)
{
	if (d->tells_chance)
		diff_print_discoveries(&d->chance, compared_by(d->t));
	if (!isnan(compared_total_runs(d->t)))
		printf("the total is unresolved: if its difference is there, about %.0f runs a "
		       "side would tell\n", compared_total_runs(d->t));
	if (compared_few_runs(d->t))
		printf("times are not judged: that needs %d runs of each profile (record -n 10)\n",
		       FEWEST_RUNS);
}

void
diff_print_discoveries(const struct discoveries *found, enum compare_by by)
{
	const char *things = compare_by_things(by);

	if (!found->tested)
		return;
	if (!found->beyond)
		printf("none of %zu sampled %s differs beyond chance\n", found->tested, things);
	else
		printf("%zu of %zu sampled %s differ beyond chance (" COLUMN_NOISE
		       " from %.1f on); expect 1 false of 20\n",
		       found->beyond, found->tested, things, found->least);
}

static bool
is_affected(const struct diff *d, size_t i)
{
	struct compared_row row;

	compared_what(d->t, i, &row);
	return *compared_uses(d->t, &row);
}

void
diff_text(const struct diff *d)
{
	bool ascii = report_ascii();
	enum compare_by by = compared_by(d->t);
	struct sheet s = SHEET_INIT;
	struct columns c = { .sigma = compared_sampled(d->t), .error = diff_is_sampled_rate(d),
			     .verdict = comparison_profiles(d->c) > 1 };
	struct diff_sources sources = {};

	c.change = value_is_amount(expression_unit(compared_expression(d->t)));
	c.procedure = compare_by_has_owner(by);
	c.where = c.procedure || !compare_by_is_space(by);
	c.size = compare_by_has_size(by);
	c.type = compare_by_has_type(by);
	c.how = by == BY_DISPOSER;
	c.callee = compare_by_is_called(by);
	c.source = diff_has_source(by);
	for (size_t i = 0; i < d->nr_rows && i < d->limit && !c.uses; i++)
		c.uses = is_affected(d, d->rows[i]);
	choose_sides(d, &c.sides);
	print_title(d);
	add_columns(&s, d, &c);
	for (size_t i = 0; i < d->nr_rows && i < d->limit; i++)
		add_row(&s, d, d->rows[i], &c, &sources, ascii);
	add_total(&s, d, &c, ascii);
	diff_sources_release(&sources);
	sheet_print(&s);
	sheet_release(&s);
	printf("%zu of %zu %s\n", d->nr_rows < d->limit ? d->nr_rows : d->limit,
	       compared_rows(d->t), compare_by_things(by));
	diff_chance(d);
}
