/* The format for people: aligned columns, numbers as people read them, a last line that adds up. */
#include "print/report.h"

#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/texts.h"
#include "print/record.h"
#include "print/sheet.h"
#include "show/advice.h"
#include "show/human.h"
#include "show/runs.h"
#include "show/value.h"
#include "util/mem.h"
#include "util/name.h"
#include "util/path.h"
#include "util/safe.h"

enum {
	MAX_TEXT_COLUMNS = REPORT_MAX_COLUMNS,
	MAX_NAME = SHEET_MAX_WIDTH,
	MAX_SOURCE = 40,
};

struct grid {
	const struct report *r;
	const struct profile_totals *totals;
	bool ascii;
	struct texts *texts;
	struct text_column text[MAX_TEXT_COLUMNS]; /* the view's that have something to show */
	struct sheet sheet;             /* what is printed, in the same columns */
	int index[MAX_TEXT_COLUMNS], other[MAX_TEXT_COLUMNS]; /* in the listing; -1: none */
	int how, callee;                /* the listing's columns "how" and "callee_id", or -1 */
	bool filled[MAX_TEXT_COLUMNS];  /* in some row */
	uint64_t shown[MAX_TEXT_COLUMNS], all[MAX_TEXT_COLUMNS]; /* sums */
	size_t nr_shown, nr_all;
	uint64_t nr_there;              /* with those that were filtered out */
};

static uint64_t
number(const struct list_row *row, int i)
{
	return i < 0 || row->cells[i].number < 0 ? 0 : (uint64_t)row->cells[i].number;
}

/* ---- one function a style ---- */

struct source {              /* where a cell comes from */
	const struct grid *g;
	const struct list_row *row;
	int i, j;            /* columns of the listing */
};

static void
put_plain(struct strbuf *out, const struct source *s)
{
	if (s->row->cells[s->i].text)
		safe_str(out, s->row->cells[s->i].text);
}

static void
put_procedure(struct strbuf *out, const struct source *s)
{
	put_plain(out, s);
	if (number(s->row, s->j))
		strbuf_fmt(out, " <cycle %" PRIu64 ">", number(s->row, s->j));
}

static void
put_callee(struct strbuf *out, const struct source *s)
{
	const struct cell *called = &s->row->cells[s->j];

	put_plain(out, s);
	if (!s->row->cells[s->g->callee].null || called->null || !*called->text)
		return;
	strbuf_str(out, " (");
	safe_str(out, called->text);
	strbuf_char(out, ')');
}

static void
put_amount(struct strbuf *out, const struct source *s)
{
	enum column_unit unit = s->g->r->columns[s->i].unit;

	if (unit != UNIT_NUMBER || !s->row->cells[s->i].null)
		value_whole(out, unit, number(s->row, s->i), VALUE_WIDE, s->g->ascii);
}

/* Of how many runs. */
static void
put_without(struct strbuf *out, const struct source *s)
{
	if (number(s->row, s->i))
		strbuf_fmt(out, "%" PRIu64 "/%" PRIu32, number(s->row, s->i),
			   s->g->totals->nr_runs);
	else
		strbuf_char(out, '-');
}

static const char *
how_of(const struct source *s)
{
	return s->g->how >= 0 ? s->row->cells[s->g->how].text : "";
}

static void
put_estimate(struct strbuf *out, const struct source *s)
{
	value_mark(out, how_of(s), s->g->ascii);
	put_amount(out, s);
}

static void
put_between(struct strbuf *out, const struct source *s)
{
	value_between(out, s->g->r->columns[s->i].unit, number(s->row, s->i), number(s->row, s->j),
		      VALUE_WIDE, s->g->ascii);
}

static void
put_interval(struct strbuf *out, const struct source *s)
{
	if (!strcmp(how_of(s), "estimated") || !strcmp(how_of(s), "pinned"))
		put_between(out, s);
}

/* Samples come to a cycle at any of its members: no share of one can be told. */
static void
put_differs(struct strbuf *out, const struct source *s)
{
	struct procedure_row callee;
	model_id id = (model_id)number(s->row, s->g->callee);

	if (!number(s->row, s->j))
		return;
	strbuf_str(out, s->g->ascii ? "!" : "≠");
	if (!profile_procedure(s->g->r->p, id, &callee) || callee.cycle)
		return;
	strbuf_char(out, ' ');
	human_percent(out, number(s->row, s->i), profile_samples_into(s->g->r->p, id));
}

static void
put_other(struct strbuf *out, const struct source *s)
{
	if (!s->row->cells[s->i].null && number(s->row, s->i) != number(s->row, s->j))
		put_amount(out, s);
}

static void
put_range_of(struct strbuf *out, const struct source *s)
{
	if (number(s->row, s->i) < number(s->row, s->j))
		put_between(out, s);
}

static void
put_share(struct strbuf *out, const struct source *s)
{
	human_percent(out, number(s->row, s->i), s->g->totals->self_ns);
}

static void
put_parts(struct strbuf *out, const struct source *s)
{
	human_percent(out, number(s->row, s->i), number(s->row, s->j));
}

static void
put_error(struct strbuf *out, const struct source *s)
{
	human_error(out, number(s->row, s->i));
}

static void
put_per(struct strbuf *out, const struct source *s)
{
	human_each(out, number(s->row, s->i), number(s->row, s->j), s->g->ascii);
}

static void
put_place(struct strbuf *out, const struct source *s)
{
	if (s->row->cells[s->i].null)
		return;
	safe_str(out, path_base(s->row->cells[s->i].text));
	if (!s->row->cells[s->j].null)
		strbuf_fmt(out, ":%" PRIu64, number(s->row, s->j));
}

/* line, column, end_line, end_column stand side by side in the listings that have them all. */
static void
put_range(struct strbuf *out, const struct source *s)
{
	if (s->row->cells[s->i].null)
		return;
	put_place(out, s);
	if (!s->row->cells[s->j + 1].null)
		strbuf_fmt(out, ":%" PRIu64 "-%" PRIu64 ":%" PRIu64, number(s->row, s->j + 1),
			   number(s->row, s->j + 2), number(s->row, s->j + 3));
}

static void
put_text(struct strbuf *out, const struct source *s, uint64_t column, uint64_t end_line,
	 uint64_t end_column)
{
	struct place p = {
		.file = (model_id)number(s->row, s->i),
		.line = (uint32_t)number(s->row, s->j),
		.column = (uint32_t)column,
		.end_line = (uint32_t)end_line,
		.end_column = (uint32_t)end_column,
	};

	if (!s->row->cells[s->i].null)
		texts_excerpt(s->g->texts, out, &p, MAX_SOURCE);
}

static uint64_t
number_named(const struct source *s, const char *name)
{
	return number(s->row, list_column_find(s->g->r->view->kind, name));
}

static void
put_source(struct strbuf *out, const struct source *s)
{
	put_text(out, s, number_named(s, "column"), number_named(s, "end_line"),
		 number_named(s, "end_column"));
}

static void
put_line(struct strbuf *out, const struct source *s)
{
	put_text(out, s, 0, number(s->row, s->j), UINT32_MAX);
}

static void
put_time(struct strbuf *out, const struct source *s)
{
	human_when(out, (int64_t)number(s->row, s->i));
}

static void
put_exit(struct strbuf *out, const struct source *s)
{
	if (!s->row->cells[s->j].null)
		strbuf_fmt(out, "signal %" PRIu64, number(s->row, s->j));
	else if (!s->row->cells[s->i].null)
		put_amount(out, s);
	else
		strbuf_char(out, '?');
}

/* ---- of a comparison ---- */

static void
put_figure(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = report_value(&s->row->cells[s->i]);

	if (v.type != SCALAR_NULL && number(s->row, s->j))
		value_mark(out, "estimated", s->g->ascii);
	value_print(out, figure_unit(s->g->r->compared->figure), &v, VALUE_WIDE, VALUE_PLAIN,
		    s->g->ascii);
}

static void
put_value(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = report_value(&s->row->cells[s->i]);

	value_print(out, s->g->r->compared->unit, &v, VALUE_WIDE, VALUE_SIGNED, s->g->ascii);
}

static void
put_sigma(struct strbuf *out, const struct source *s)
{
	struct scalar_value v = report_value(&s->row->cells[s->i]);

	if (v.type != SCALAR_NULL)
		value_errors(out, scalar_number(&v));
}

static void
put_end(struct strbuf *out, const struct source *s)
{
	safe_str(out, report_compared_name(s->g->r->compared, &s->row->cells[s->i]));
}

/* Which columns are left out when nobody asked for them. */
enum left_out { NEVER, EMPTY, ZERO /* or empty */ };

static const struct {
	void (*put)(struct strbuf *out, const struct source *s);
	bool right;
	enum left_out left_out;
} styles[] = {
	[TEXT_PLAIN] = { put_plain, false, NEVER },
	[TEXT_REMARK] = { put_plain, false, EMPTY },
	[TEXT_PROCEDURE] = { put_procedure, false, NEVER },
	[TEXT_CALLEE] = { put_callee, false, NEVER },
	[TEXT_COUNT] = { put_amount, true, NEVER },
	[TEXT_NUMBER] = { put_amount, true, NEVER },
	[TEXT_SOME] = { put_amount, true, ZERO },
	[TEXT_SOME_NS] = { put_amount, true, ZERO },
	[TEXT_WITHOUT] = { put_without, true, ZERO },
	[TEXT_TIME] = { put_time, false, NEVER },
	[TEXT_EXIT] = { put_exit, true, NEVER },
	[TEXT_DIFFERS] = { put_differs, true, EMPTY },
	[TEXT_OTHER_NS] = { put_other, true, EMPTY },
	[TEXT_BETWEEN] = { put_range_of, true, EMPTY },
	[TEXT_ESTIMATE] = { put_estimate, true, NEVER },
	[TEXT_INTERVAL] = { put_interval, true, NEVER },
	[TEXT_NS] = { put_amount, true, NEVER },
	[TEXT_SHARE] = { put_share, true, NEVER },
	[TEXT_PARTS] = { put_parts, true, NEVER },
	[TEXT_ERROR] = { put_error, true, NEVER },
	[TEXT_PER] = { put_per, true, NEVER },
	[TEXT_PLACE] = { put_place, false, NEVER },
	[TEXT_RANGE] = { put_range, false, NEVER },
	[TEXT_SOURCE] = { put_source, false, EMPTY },
	[TEXT_LINE] = { put_line, false, EMPTY },
	[TEXT_FIGURE] = { put_figure, true, NEVER },
	[TEXT_VALUE] = { put_value, true, NEVER },
	[TEXT_SIGMA] = { put_sigma, true, EMPTY },
	[TEXT_END] = { put_end, false, EMPTY },
};

/* ---- the grid ---- */

/* How wide a cell of COLUMN may be: source text, and names that others stand behind. */
static int
room_of(const struct grid *g, int column)
{
	enum text_style style = g->text[column].style;

	if (style == TEXT_SOURCE || style == TEXT_LINE)
		return MAX_SOURCE;
	if ((style != TEXT_PLAIN && style != TEXT_PROCEDURE && style != TEXT_CALLEE) ||
	    column == g->sheet.nr_columns - 1)
		return INT_MAX;
	return MAX_NAME;
}

/* Cut at what its column may be wide. */
static void
cut_cell(const struct grid *g, int column, struct strbuf *cell)
{
	const char *dots = g->ascii ? "..." : "\342\200\246";
	enum text_style style = g->text[column].style;
	size_t end = 0, step;
	int32_t c;
	int used = 0, room = room_of(g, column);

	if (safe_width(cell->buf, cell->len) <= room)
		return;
	if (style == TEXT_PROCEDURE || style == TEXT_CALLEE) {
		name_cut(cell, room, dots);
		return;
	}
	room -= g->ascii ? 3 : 1;
	for (; end < cell->len; end += step) {
		step = utf8_decode(cell->buf + end, cell->len - end, &c);
		used += safe_width_char(c);
		if (used > room)
			break;
	}
	cell->len = end;
	cell->buf[end] = '\0';
	strbuf_str(cell, dots);
}

static void
add_row(struct grid *g, const struct list_row *row)
{
	for (int c = 0; c < g->sheet.nr_columns; c++) {
		struct source s = { g, row, g->index[c], g->other[c] };
		struct strbuf cell = STRBUF_INIT;

		styles[g->text[c].style].put(&cell, &s);
		cut_cell(g, c, &cell);
		g->filled[c] |= cell.len > 0 && (styles[g->text[c].style].left_out != ZERO ||
						 number(row, g->index[c]));
		sheet_cell(&g->sheet, &cell);
	}
}

static void
sum_up(const struct grid *g, uint64_t *sums, const struct list_row *row)
{
	for (int c = 0; c < g->sheet.nr_columns; c++) {
		if (g->text[c].sum)
			sums[c] += number(row, g->index[c]);
	}
}

/* The first column of text, where a line of sums says what it is. */
static int
label_column(const struct grid *g)
{
	int c = 0;

	while (c < g->sheet.nr_columns - 1 && styles[g->text[c].style].right)
		c++;
	return c;
}

/* A line of sums; LABEL (heap) is used up. */
static void
add_sums(struct grid *g, const uint64_t *sums, char *label)
{
	struct list_row row = { 0 };

	for (int c = 0; c < g->sheet.nr_columns; c++) {
		const struct text_column *t = &g->text[c];
		struct source s = { g, &row, g->index[c], -1 };
		struct strbuf cell = STRBUF_INIT;

		row.cells[g->index[c]].number = (int64_t)sums[c];
		if (t->sum && t->style == TEXT_SHARE)
			put_share(&cell, &s);
		else if (t->sum)
			put_amount(&cell, &s);
		else if (c == label_column(g))
			strbuf_str(&cell, label);
		sheet_cell(&g->sheet, &cell);
	}
	free(label);
}

static const char *
noun_of(const struct report *r, bool one)
{
	if (r->compared)
		return one ? compare_by_name(r->compared->by) : compare_by_things(r->compared->by);
	return one ? r->view->noun : r->view->plural;
}

static void
add_totals(struct grid *g)
{
	struct strbuf label = STRBUF_INIT;
	uint64_t rest[MAX_TEXT_COLUMNS];

	if (g->nr_all > g->nr_shown) {
		for (int c = 0; c < g->sheet.nr_columns; c++)
			rest[c] = g->all[c] - g->shown[c];
		strbuf_str(&label, "(");
		human_count(&label, g->nr_all - g->nr_shown);
		strbuf_str(&label, " more)");
		add_sums(g, rest, strbuf_take(&label));
	}
	human_count(&label, g->nr_all);
	if (g->nr_there > g->nr_all) {
		strbuf_str(&label, " of ");
		human_count(&label, g->nr_there);
	}
	strbuf_fmt(&label, " %s", noun_of(g->r, g->nr_all == 1));
	add_sums(g, g->all, strbuf_take(&label));
}

/* Left out is what was not asked for and has nothing to show. */
static void
print_grid(struct grid *g)
{
	for (int c = 0; c < g->sheet.nr_columns; c++)
		g->sheet.hidden[c] = !g->r->nr_chosen && !g->filled[c] &&
				     styles[g->text[c].style].left_out != NEVER;
	sheet_print(&g->sheet);
	sheet_release(&g->sheet);
}

bool
report_ascii(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

void
report_run(struct strbuf *out, struct profile *p)
{
	const struct profile_totals *t = profile_totals(p);

	safe_str(out, path_base(profile_path(p)));
	strbuf_str(out, "   ");
	safe_str(out, t->run.command);
	strbuf_str(out, "   ");
	runs_measured(out, t, report_ascii());
}

void
report_title(struct profile *p)
{
	const struct profile_totals *t = profile_totals(p);
	struct strbuf out = STRBUF_INIT;
	bool ascii = report_ascii();

	report_run(&out, p);
	strbuf_str(&out, "   ");
	strbuf_fmt(&out, "%" PRIu32 " thread%s", t->nr_threads, t->nr_threads == 1 ? "" : "s");
	if (t->nr_runs > 1)
		strbuf_fmt(&out, "   %" PRIu32 " runs", t->nr_runs);
	if (t->run.wall_interval_ns) {
		strbuf_str(&out, "   ");
		human_ns(&out, t->run.wait_ns, ascii);
		strbuf_str(&out, " waiting");
	}
	if (profile_only(p))
		strbuf_fmt(&out, "   only %s", profile_only(p));
	puts(out.buf);
	if (t->run.baseline_program) {
		strbuf_clear(&out);
		human_baseline(&out, t->based_user_ns, t->run.baseline_user_ns, ascii);
		puts(out.buf);
	}
	report_compared_hint(p);
	putchar('\n');
	strbuf_release(&out);
}

static void
add_column(struct grid *g, const struct text_column *t)
{
	int c = g->sheet.nr_columns;

	g->text[c] = *t;
	g->index[c] = list_column_find(g->r->view->kind, t->column);
	g->other[c] = t->other ? list_column_find(g->r->view->kind, t->other) : -1;
	if (g->index[c] < 0 || (t->other && g->other[c] < 0))
		BUG("no column %s", t->column);
	sheet_column(&g->sheet, t->header, styles[t->style].right);
}

static void
add_columns(struct grid *g)
{
	const struct text_column *t;

	for (int i = 0; i < g->r->nr_chosen; i++)
		add_column(g, &g->r->chosen[i]);
	for (t = g->r->view->text; !g->r->nr_chosen && t->header; t++) {
		/* Did anybody look who waits? */
		if (!strstr(t->column, "wait_ns") || g->totals->run.wall_interval_ns)
			add_column(g, t);
	}
}

/* The rows up to the limit are printed, all are summed up: by the database, unless they are chosen
 * here. */
static void
add_rows(struct grid *g)
{
	bool by_name = g->r->caller || g->r->callee;
	const struct list_row *row;
	struct list_sums sums;
	size_t i = 0;

	while ((by_name || g->nr_shown < g->r->limit) && (row = report_next(g->r, &i))) {
		g->nr_all++;
		sum_up(g, g->all, row);
		if (g->nr_shown >= g->r->limit)
			continue;
		sum_up(g, g->shown, row);
		add_row(g, row);
		g->nr_shown++;
	}
	if (by_name || !listing_sums(g->r->list, &sums))
		return;
	g->nr_all = sums.rows;
	for (int c = 0; c < g->sheet.nr_columns; c++)
		g->all[c] = g->text[c].sum ? sums.of[g->index[c]] : 0;
	g->nr_there = profile_rows(g->r->p, g->r->view->kind);
}

/* ---- notes: paragraphs, kind by kind ---- */

enum { NOTE_WIDTH = 80 };

/* Wrapped, each line after FIRST (of the first line) or as many blanks. */
static void
print_paragraph(const char *first, const char *text)
{
	int indent = (int)strlen(first), used = 0, width;
	struct strbuf safe = STRBUF_INIT;
	const char *s, *end;

	safe_str(&safe, text);
	fputs(first, stdout);
	for (s = safe.buf; *s; s = end + strspn(end, " ")) {
		end = s + strcspn(s, " ");
		width = safe_width(s, (size_t)(end - s));
		if (used && indent + used + 1 + width > NOTE_WIDTH) {
			printf("\n%*s", indent, "");
			used = 0;
		}
		printf("%s%.*s", used ? " " : "", (int)(end - s), s);
		used += width + (used != 0);
	}
	putchar('\n');
	strbuf_release(&safe);
}

static void
end_notes(const char *kind)
{
	if (*kind && *advice_of(kind).what)
		print_paragraph("    ", advice_of(kind).what);
	if (*kind)
		putchar('\n');
}

static void
print_notes(const struct report *r)
{
	int kind = list_column_find(LIST_NOTE, "kind"), text = list_column_find(LIST_NOTE, "text");
	struct strbuf last = STRBUF_INIT;
	const struct list_row *row;
	size_t i = 0, nr = 0;

	while (nr < r->limit && report_can_write() && (row = report_next(r, &i))) {
		if (!nr || strcmp(last.buf, row->cells[kind].text)) {
			end_notes(last.buf);
			print_paragraph("", advice_of(row->cells[kind].text).heading);
			strbuf_clear(&last);
			strbuf_str(&last, row->cells[kind].text);
		}
		print_paragraph("  - ", row->cells[text].text);
		nr++;
	}
	end_notes(last.buf);
	printf("%zu %s\n", nr, nr == 1 ? "note" : "notes");
	strbuf_release(&last);
}

static void
print_spread(const struct grid *g)
{
	struct strbuf line = STRBUF_INIT;

	runs_spread(&line, g->r->list, g->ascii);
	if (line.len)
		printf("\n%s (mean and standard deviation of one run)\n", line.buf);
	strbuf_release(&line);
}

void
report_text(const struct report *r)
{
	struct grid g = { .r = r, .totals = profile_totals(r->p), .texts = profile_texts(r->p) };

	if (r->view->kind == LIST_NOTE && !r->nr_chosen) {
		report_title(r->p);
		print_notes(r);
		return;
	}
	g.ascii = report_ascii();
	g.how = list_column_find(r->view->kind, "how");
	g.callee = list_column_find(r->view->kind, "callee_id");
	add_columns(&g);
	if (r->compared)
		report_compared_title(r->compared, r->p);
	else
		report_title(r->p);
	add_rows(&g);
	add_totals(&g);
	print_grid(&g);
	if (r->view->kind == LIST_RUN)
		print_spread(&g);
}
