/* cgview report for editors: "FILE:LINE:COLUMN: what", as compilers tell errors. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print/record.h"
#include "print/report.h"
#include "util/error.h"
#include "util/text/safe.h"

enum {
	MOST_RANK = 8,           /* columns of a higher one are printed if they are asked for */
	MAX_TEXT = 80,           /* columns of a source text */
};

struct lines {
	const struct report *r;
	struct cell_context x;
	struct column columns[COLUMNS_MAX];
	int nr, labels;          /* how many of them say what a row is */
	/* The places that a row may have, as columns of the listing; -1: there is none. */
	struct { int file, line, column; } places[2];
};

/* ---- places ---- */

static const char *const place_prefixes[] = { "", "by_" };

static int
place_column(enum list_kind kind, size_t which, const char *name)
{
	char column[20];

	snprintf(column, sizeof(column), "%s%s", place_prefixes[which], name);
	return list_column_find(kind, column);
}

bool
report_has_places(enum list_kind kind)
{
	return place_column(kind, 0, "file") >= 0 || place_column(kind, 1, "file") >= 0;
}

void
report_put_place(struct strbuf *out, const char *path, uint64_t line, uint64_t column)
{
	safe_str(out, path);
	strbuf_fmt(out, ":%" PRIu64 ":%" PRIu64 ": ", line ? line : 1, column ? column : 1);
}

void
report_tell_without_place(uint64_t nr)
{
	if (nr)
		complain("report: --format lines: rows left out that have no place: %" PRIu64, nr);
}

static uint64_t
number_in(const struct list_row *row, int column)
{
	return column >= 0 && !row->cells[column].null && row->cells[column].number > 0
		       ? (uint64_t)row->cells[column].number : 0;
}

/* Appends the first place that ROW has; false: it has none. */
static bool
put_place(const struct lines *l, const struct list_row *row, struct strbuf *out)
{
	for (size_t i = 0; i < 2; i++) {
		int file = l->places[i].file;

		if (file < 0 || row->cells[file].null || !*row->cells[file].text)
			continue;
		report_put_place(out, row->cells[file].text, number_in(row, l->places[i].line),
				 number_in(row, l->places[i].column));
		return true;
	}
	return false;
}

/* ---- columns ---- */

/* Is it worth its room on a line that begins with the place? */
static bool
is_wanted(const struct lines *l, const struct column *c)
{
	const char *place = l->places[0].file < 0 ? "by_file" : "file";

	if (!c->source || c->cell == CELL_BAR ||
	    (c->cell == CELL_PLACE && !strcmp(c->source, place)))
		return false;
	return !(c->flags & COLUMN_OFF) && c->rank <= MOST_RANK && column_known(&l->x, c);
}

static bool
is_label(const struct column *c)
{
	return cell_is_left(c->cell) && !c->rank;
}

static void
choose_columns(struct lines *l)
{
	const struct report *r = l->r;
	int nr = r->nr_chosen ? r->nr_chosen : r->heads.nr;

	for (int i = 0; i < nr; i++) {
		struct column c = r->nr_chosen ? r->chosen[i] : r->heads.items[i];

		if (!r->nr_chosen)
			column_set_self_by(&c, r->self_by);
		if (!r->nr_chosen && !is_wanted(l, &c))
			continue;
		l->labels += is_label(&c);
		l->columns[l->nr++] = c;
	}
}

/* ---- lines ---- */

/* Appends the cell of C, with its heading before it unless it is the only label: "main", "calls 3".
 * Nothing that has nothing to say. */
static void
put_cell(const struct lines *l, const struct column *c, const struct list_row *row,
	 struct strbuf *out)
{
	struct strbuf cell = STRBUF_INIT;
	size_t nr = l->r->compared ? l->r->compared->nr_profiles : 0;
	enum role role;

	cell_print(&cell, &l->x, c, row, MAX_TEXT, &role);
	if (!cell_is_nothing(&l->x, c, row, &cell) && strcmp(cell.buf, "-")) {
		strbuf_str(out, out->len ? ", " : "");
		if (!is_label(c) || l->labels > 1) {
			column_put_head(out, c, column_heading(c, nr, l->x.ascii));
			strbuf_char(out, ' ');
		}
		safe_text(out, cell.buf, cell.len);
	}
	strbuf_release(&cell);
}

static void
put_row(const struct lines *l, const struct list_row *row, struct strbuf *out)
{
	struct strbuf labels = STRBUF_INIT, figures = STRBUF_INIT;

	for (int i = 0; i < l->nr; i++)
		put_cell(l, &l->columns[i], row, is_label(&l->columns[i]) ? &labels : &figures);
	strbuf_str(out, labels.buf);
	strbuf_str(out, labels.len && figures.len ? ": " : "");
	strbuf_str(out, figures.buf);
	strbuf_release(&labels);
	strbuf_release(&figures);
}

void
report_lines(const struct report *r)
{
	struct profile_optional optional;
	struct strbuf out = STRBUF_INIT;
	struct lines l = { .r = r };
	const struct list_row *row;
	uint64_t without = 0;
	size_t i = 0, shown = 0;

	report_context(r, &l.x, &optional, "");
	for (size_t k = 0; k < 2; k++) {
		l.places[k].file = place_column(r->kind, k, "file");
		l.places[k].line = place_column(r->kind, k, "line");
		l.places[k].column = place_column(r->kind, k, "column");
	}
	choose_columns(&l);
	while (shown < r->limit && report_can_write() && (row = report_next(r, &i))) {
		strbuf_clear(&out);
		if (!put_place(&l, row, &out)) {
			without++;
			continue;
		}
		put_row(&l, row, &out);
		puts(out.buf);
		shown++;
	}
	report_tell_without_place(without);
	strbuf_release(&out);
}
