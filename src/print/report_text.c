/* cgview report for people: aligned columns, numbers as people read them, a line with the sums. */
#include "print/report.h"

#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/record.h"
#include "print/sheet.h"
#include "show/advice.h"
#include "show/human.h"
#include "show/runs.h"
#include "show/value.h"
#include "util/mem.h"
#include "util/text/name.h"
#include "util/text/path.h"
#include "util/text/safe.h"

/* ---- rows ---- */

static bool
text_is(const struct list_row *row, int column, const char *wanted)
{
	return !wanted || !strcmp(row->cells[column].text, wanted);
}

const struct list_row *
report_next(const struct report *r, size_t *i)
{
	const struct list_row *row;

	while ((row = listing_row(r->list, *i))) {
		++*i;
		if (!text_is(row, r->caller_column, r->caller) ||
		    !text_is(row, r->callee_column, r->callee))
			continue;
		return row;
	}
	return NULL;
}

void
report_tell_cut(const char *command, uint64_t nr)
{
	if (nr)
		complain("%s: --filter looks at the first %d bytes of a source text; rows left out "
			 "that have a longer one: %" PRIu64, command, FILTER_TEXT_MAX, nr);
}

enum {
	MAX_NAME = SHEET_MAX_WIDTH,
	MAX_SOURCE = 40,
	MAX_PLACE = 32,          /* but the whole name of the file is there */
};

_Static_assert((int)COLUMNS_MAX <= (int)SHEET_MAX_COLUMNS, "a sheet has room for all columns");

struct grid {
	const struct report *r;
	struct cell_context x;
	struct column columns[COLUMNS_MAX];
	struct sheet sheet;             /* what is printed, in the same columns */
	bool filled[COLUMNS_MAX]; /* columns that some row has a value in */
	struct list_sums shown, all;
	uint64_t nr_there;              /* with those that were filtered out */
};

/* ---- the grid ---- */

/* Returns how wide a cell of COLUMN may be: source text, and texts that others stand behind. */
static int
room_of(const struct grid *g, int column)
{
	const struct column *c = &g->columns[column];

	if (c->flags & COLUMN_IN_SOURCE)
		return MAX_SOURCE;
	if (c->cell == CELL_PLACE && c->second)
		return MAX_PLACE;
	return cell_is_left(c->cell) && column < g->sheet.nr_columns - 1 ? MAX_NAME : VALUE_WIDE;
}

/* Cuts a cell to the width that its column may have. */
static void
cut_cell(const struct grid *g, struct strbuf *cell, int room)
{
	const char *dots = g->x.ascii ? "~" : "\342\200\246";
	size_t end = 0, step;
	int32_t c;
	int used = 0;

	if (safe_width(cell->buf, cell->len) <= room)
		return;
	for (room--; end < cell->len; end += step) {
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
		struct strbuf cell = STRBUF_INIT, safe = STRBUF_INIT;
		int room = room_of(g, c);
		enum role role;

		cell_print(&cell, &g->x, &g->columns[c], row, room, &role);
		g->filled[c] |= !cell_is_nothing(&g->x, &g->columns[c], row, &cell);
		safe_text(&safe, cell.buf, cell.len);
		if (room != MAX_PLACE)
			cut_cell(g, &safe, room);
		sheet_cell(&g->sheet, &safe);
		strbuf_release(&cell);
	}
}

/* Adds the figures of ROW to SUMS as listing_sums() does: calls of code that is not profiled do not
 * add up. */
static void
sum_up(const struct grid *g, struct list_sums *sums, const struct list_row *row)
{
	int foreign = list_column_find(g->x.kind, "is_foreign");
	int left_out = foreign > 0 && row->cells[foreign].number ?
		       list_column_find(g->x.kind, "calls") : -1;

	sums->rows++;
	for (int i = 0; i < LIST_MAX_COLUMNS; i++) {
		if (i != left_out)
			sums->of[i] = measure_combine(COMBINE_SUM, sums->of[i],
						      row->cells[i].number);
	}
}

/* Returns the first visible column of text, which names a line of sums. */
static int
label_column(const struct grid *g)
{
	int c = 0;

	while (c < g->sheet.nr_columns - 1 &&
	       (g->sheet.hidden[c] || !cell_is_left(g->columns[c].cell)))
		c++;
	return c;
}

/* Adds a line of sums; LABEL (heap) is released. */
static void
add_sums(struct grid *g, const struct list_sums *sums, char *label)
{
	struct list_row row;

	columns_sums(g->r->p, g->x.kind, sums, &row);
	for (int c = 0; c < g->sheet.nr_columns; c++) {
		struct strbuf cell = STRBUF_INIT;
		enum role role;

		if (column_adds_up(g->r->p, g->x.kind, &g->columns[c]))
			cell_print(&cell, &g->x, &g->columns[c], &row, VALUE_WIDE, &role);
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
	const struct table_kind *table = &table_kinds[r->kind];

	return one ? table->of_row : table->of_rows;
}

static void
add_totals(struct grid *g)
{
	struct strbuf label = STRBUF_INIT;
	struct list_sums rest = g->all;

	if (g->all.rows > g->shown.rows) {
		for (int i = 0; i < LIST_MAX_COLUMNS; i++)
			rest.of[i] -= g->shown.of[i];
		strbuf_str(&label, "(");
		human_count(&label, g->all.rows - g->shown.rows);
		strbuf_str(&label, " more)");
		add_sums(g, &rest, strbuf_take(&label));
	}
	human_count(&label, g->all.rows);
	if (g->nr_there > g->all.rows) {
		strbuf_str(&label, " of ");
		human_count(&label, g->nr_there);
	}
	strbuf_fmt(&label, " %s", noun_of(g->r, g->all.rows == 1));
	add_sums(g, &g->all, strbuf_take(&label));
}

/* Leaves out columns that were not asked for and have nothing to show. */
static void
hide_empty(struct grid *g)
{
	for (int c = 0; c < g->sheet.nr_columns; c++)
		g->sheet.hidden[c] = !g->r->nr_chosen && !g->filled[c] &&
				     g->columns[c].needs == NEEDS_ROWS;
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

	safe_str(out, path_base(profile_name(p)));
	strbuf_str(out, "   ");
	safe_str(out, t->run.command);
	strbuf_str(out, "   ");
	runs_measured(out, p, report_ascii());
}

void
report_put_title(struct strbuf *out, struct profile *p)
{
	const struct profile_totals *t = profile_totals(p);
	bool ascii = report_ascii();

	report_run(out, p);
	if (t->nr_threads) /* other tools may not tell of them */
		strbuf_fmt(out, "   %" PRIu32 " thread%s", t->nr_threads,
			   t->nr_threads == 1 ? "" : "s");
	if (t->run.clock) {
		strbuf_str(out, "   time by ");
		safe_text(out, t->run.clock, strcspn(t->run.clock, ";"));
	}
	if (t->nr_runs > 1)
		strbuf_fmt(out, "   %" PRIu32 " runs", t->nr_runs);
	if (t->run.label) {
		strbuf_str(out, "   label ");
		safe_str(out, t->run.label);
	}
	if (t->run.wall_interval_ns) {
		strbuf_str(out, "   ");
		human_ns(out, t->run.wait_ns, ascii);
		strbuf_str(out, " waiting");
	}
	if (profile_only(p))
		strbuf_fmt(out, "   only %s", profile_only(p));
	strbuf_char(out, '\n');
	if (t->run.baseline_program) {
		human_baseline(out, t->based_user_ns, t->run.baseline_user_ns, ascii);
		strbuf_char(out, '\n');
	}
}

void
report_title(struct profile *p)
{
	struct strbuf out = STRBUF_INIT;

	report_put_title(&out, p);
	fputs(out.buf, stdout);
	report_compared_hint(p);
	putchar('\n');
	strbuf_release(&out);
}

static void
add_column(struct grid *g, const struct column *c)
{
	size_t nr = g->r->compared ? g->r->compared->nr_profiles : 0;

	struct strbuf head = STRBUF_INIT;

	column_put_head(&head, c, column_heading(c, nr, g->x.ascii));
	g->columns[g->sheet.nr_columns] = *c;
	sheet_column(&g->sheet, head.buf, !cell_is_left(c->cell));
	strbuf_release(&head);
}

static void
add_columns(struct grid *g)
{
	for (int i = 0; i < g->r->nr_chosen; i++)
		add_column(g, &g->r->chosen[i]);
	for (int i = 0; !g->r->nr_chosen && i < g->r->heads.nr; i++) {
		struct column c = g->r->heads.items[i];

		column_set_self_by(&c, g->r->self_by);
		if (c.source && !(c.flags & COLUMN_OFF) && column_known(&g->x, &c))
			add_column(g, &c);
	}
}

/* Prints the rows up to the limit, and sums up all, in the database unless they are chosen here. */
static void
add_rows(struct grid *g)
{
	bool by_name = g->r->caller || g->r->callee;
	const struct list_row *row;
	struct list_sums sums;
	size_t i = 0;

	while ((by_name || g->shown.rows < g->r->limit) && (row = report_next(g->r, &i))) {
		sum_up(g, &g->all, row);
		if (g->shown.rows >= g->r->limit)
			continue;
		sum_up(g, &g->shown, row);
		add_row(g, row);
	}
	if (by_name || !listing_sums(g->r->list, &sums))
		return;
	g->all = sums;
	g->nr_there = profile_rows(g->r->p, g->x.kind);
}

/* ---- notes: paragraphs, kind by kind ---- */

enum { NOTE_WIDTH = 80 };

/* Prints TEXT wrapped; the first line stands behind FIRST, the others behind as many blanks. */
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

	runs_spread(&line, g->r->list, g->x.ascii);
	if (line.len)
		printf("\n%s (mean and standard deviation of one run)\n", line.buf);
	strbuf_release(&line);
}

void
report_context(const struct report *r, struct cell_context *x, struct profile_optional *optional,
	       const char *directory)
{
	profile_optional(r->p, optional);
	*x = (struct cell_context){
		.profile = r->p, .totals = profile_totals(r->p), .optional = optional,
		.kind = r->kind, .directory = directory, .columns = true, .self_by = r->self_by,
		.ascii = report_ascii(),
	};
	if (!r->compared)
		return;
	x->unit = r->compared->unit;
	x->figure = r->compared->figure;
	x->of_a = r->compared->of_a;
	x->of_b = r->compared->of_b;
	x->calls = report_compared_calls(r->compared);
}

void
report_text(const struct report *r)
{
	struct profile_optional optional;
	char *directory = profile_directory(r->p);
	struct grid g = { .r = r };

	report_context(r, &g.x, &optional, directory);
	if (r->compared)
		report_compared_title(r->compared, r->p);
	else
		report_title(r->p);
	if (r->facts)
		printf("%s\n\n", r->facts);
	if (g.x.kind == LIST_NOTE && !r->nr_chosen) {
		print_notes(r);
	} else {
		add_columns(&g);
		add_rows(&g);
		hide_empty(&g);
		add_totals(&g);
		sheet_print(&g.sheet);
		sheet_release(&g.sheet);
	}
	if (g.x.kind == LIST_RUN)
		print_spread(&g);
	if (r->compared)
		report_compared_chance(r->compared, r->p);
	free(directory);
}
