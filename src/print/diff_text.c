/* cgview diff for people: prints tables. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "print/diff.h"
#include "print/report.h"
#include "print/sheet.h"
#include "show/columns.h"
#include "show/human.h"
#include "show/value.h"
#include "util/path.h"
#include "util/safe.h"

/* ---- the head ---- */

static void
print_profile(const struct diff *d, size_t k)
{
	struct profile *p = comparison_profile(d->c, k);
	struct comparison_scale scale = comparison_scale(d->c, k);
	struct strbuf out = STRBUF_INIT;

	strbuf_fmt(&out, "%c   ", (char)('a' + k));
	report_run(&out, p);
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

void
diff_matched(const struct diff *d)
{
	const struct match *m = comparison_match(d->c);
	struct strbuf out = STRBUF_INIT;

	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		const struct match_report *r = match_report(m, k);

		strbuf_clear(&out);
		strbuf_fmt(&out, "matched of %c: ", (char)('a' + k));
		put_matched(&out, r);
		put_some(&out, r->changed, " with another text");
		put_some(&out, r->how[MATCH_FILE_MOVED], " moved to another file");
		put_some(&out, r->how[MATCH_NAME], " by name alone");
		put_some(&out, r->how[MATCH_CONTENT], " under another name, by their text");
		put_some(&out, r->without_text, " without their text");
		put_some(&out, r->not_aligned, " not aligned");
		puts(out.buf);
	}
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

	diff_profiles(d);
	strbuf_str(&out, "result = ");
	safe_str(&out, expression_text(compared_expression(d->t)));
	if (d->normalise) {
		strbuf_str(&out, "   normalised by ");
		safe_str(&out, d->normalise);
	}
	puts(out.buf);
	strbuf_release(&out);
	diff_matched(d);
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
	struct texts *texts = &sources->texts[at->profile];
	struct strbuf text = STRBUF_INIT;
	struct place place = at->place;

	if (!place.file)
		return;
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
	for (size_t k = 0; k < MAX_PROFILES; k++)
		texts_release(&sources->texts[k]);
}

struct columns { bool sigma, procedure, callee, source; };

/* The heading is the browser's. */
static void
add_column(struct sheet *s, const char *source)
{
	const struct column *columns = table_kinds[LIST_COMPARISON].columns;
	const struct column *c = &columns[columns_called(columns, INT_MAX, source, true)];

	sheet_column(s, c->head, !cell_is_left(c->cell));
}

static void
add_columns(struct sheet *s, const struct diff *d, const struct columns *c)
{
	enum figure f = compared_figure(d->t);

	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		struct strbuf name = STRBUF_INIT;

		strbuf_fmt(&name, "%c.%s", (char)('a' + k), figure_name(f));
		sheet_column(s, name.buf, true);
		strbuf_release(&name);
	}
	add_column(s, "value");
	if (c->sigma)
		add_column(s, "significance");
	add_column(s, "sides");
	if (c->procedure)
		add_column(s, "procedure");
	if (c->callee)
		add_column(s, "callee");
	add_column(s, "where");
	if (c->source)
		sheet_column(s, "source", false);
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
add_row(struct sheet *s, const struct diff *d, size_t i, const struct columns *c,
	struct diff_sources *sources, bool ascii)
{
	enum figure f = compared_figure(d->t);
	struct strbuf cell = STRBUF_INIT;
	struct compared_row row;
	struct diff_place at;
	char letters[MAX_PROFILES + 1];

	compared_row(d->t, i, &row);
	diff_place(d, i, &at);
	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		struct scalar_value v = compared_value(d->t, i, k, f);

		if (!(row.sides & 1u << k))
			v.type = SCALAR_NULL;
		else if (row.estimated)
			value_mark(&cell, "estimated", ascii);
		value_print(&cell, figure_unit(f), &v, VALUE_WIDE, VALUE_PLAIN, ascii);
		sheet_cell(s, &cell);
	}
	value_print(&cell, expression_unit(compared_expression(d->t)), &row.value, VALUE_WIDE,
		    VALUE_SIGNED, ascii);
	sheet_cell(s, &cell);
	if (c->sigma) {
		value_errors(&cell, row.significance);
		sheet_cell(s, &cell);
	}
	cell_sides(&cell, compared_sides(d->t, &row, letters));
	sheet_cell(s, &cell);
	if (c->procedure) {
		safe_str(&cell, at.procedure);
		sheet_cell(s, &cell);
	}
	if (c->callee) {
		put_callee(&cell, at.callee);
		sheet_cell(s, &cell);
	}
	diff_where(&cell, &at, compared_by(d->t));
	sheet_cell(s, &cell);
	if (c->source) {
		diff_source(sources, d->c, &at, compared_by(d->t), &cell);
		sheet_cell(s, &cell);
	}
}

void
diff_text(const struct diff *d)
{
	bool ascii = report_ascii();
	enum compare_by by = compared_by(d->t);
	struct sheet s = SHEET_INIT;
	struct columns c = { .sigma = false };
	struct diff_sources sources = {};
	struct compared_row row;

	if (d->nr_rows) {
		compared_row(d->t, d->rows[0], &row);
		c.sigma = !isnan(row.significance);
	}
	c.procedure = by != BY_LINE && by != BY_FILE;
	c.callee = compare_by_is_called(by);
	c.source = diff_has_source(by);
	print_title(d);
	add_columns(&s, d, &c);
	for (size_t i = 0; i < d->nr_rows && i < d->limit; i++)
		add_row(&s, d, d->rows[i], &c, &sources, ascii);
	diff_sources_release(&sources);
	sheet_print(&s);
	sheet_release(&s);
	printf("%zu of %zu %s\n", d->nr_rows < d->limit ? d->nr_rows : d->limit,
	       compared_rows(d->t), compare_by_things(by));
}
