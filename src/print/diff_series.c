/* cgview diff --series: prints how things grow with the input. */
#include "print/diff_series.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/series.h"
#include "compare/store.h"
#include "print/record.h"
#include "print/report.h"
#include "print/sheet.h"
#include "show/value.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/path.h"
#include "util/safe.h"

/* ---- the sizes ---- */

enum { MOST_BYTES = 1 << 20 };

/* Reads all of FILE, which may be a pipe; heap. */
static char *
read_sizes(const char *file)
{
	FILE *in = fopen(file, "r");
	char *text = xmalloc(MOST_BYTES + 1);
	size_t n;

	if (!in)
		die(2, "diff: cannot open %s: %s", file, strerror(errno));
	n = fread(text, 1, MOST_BYTES + 1, in);
	if (ferror(in))
		die(2, "diff: cannot read %s: %s", file, strerror(errno));
	fclose(in);
	if (n > MOST_BYTES)
		die(2, "diff: %s is larger than %d KiB: it is no list of sizes", file,
		    MOST_BYTES >> 10);
	text[n] = '\0';
	if (strlen(text) < n)
		die(2, "diff: %s is no list of sizes: there is a zero byte in it", file);
	return text;
}

/* Returns the profile that a line names: by its whole path, else by the end of it; -1: none. */
static int
find_profile(char *const *paths, size_t nr, const char *name)
{
	for (size_t k = 0; k < nr; k++) {
		if (!strcmp(paths[k], name))
			return (int)k;
	}
	for (size_t k = 0; k < nr; k++) {
		if (!strcmp(path_base(paths[k]), name))
			return (int)k;
	}
	return -1;
}

static void
add_size(const char *file, int line, char *text, char *const *paths, size_t nr, double *sizes,
	 size_t *in_turn)
{
	char *number = text + strcspn(text, " \t\r\n"), *end;
	int profile = (int)*in_turn;
	double size;

	if (*number) {
		*number++ = '\0';
		number += strspn(number, " \t");
		number[strcspn(number, " \t\r\n")] = '\0';
	}
	if (*number)
		profile = find_profile(paths, nr, text);
	else
		number = text;
	if (profile < 0)
		die(2, "diff: %s:%d: %s is none of the profiles", file, line, text);
	if ((size_t)profile >= nr)
		die(2, "diff: %s:%d: more sizes than the %zu profiles", file, line, nr);
	if (sizes[profile] > 0)
		die(2, "diff: %s:%d: %s has a size already", file, line, paths[profile]);
	size = strtod(number, &end);
	if (end == number || *end || !(size > 0) || isinf(size))
		die(2, "diff: %s:%d: '%s' is not a size: a number greater than 0 is", file, line,
		    number);
	sizes[profile] = size;
	*in_turn = (size_t)profile + 1;
}

void
series_read_sizes(const char *file, char *const *paths, size_t nr, double *sizes)
{
	char *text = read_sizes(file), *next = text, *line;
	size_t in_turn = 0;

	for (int i = 1; (line = strsep(&next, "\n")); i++) {
		line += strspn(line, " \t\r");
		line[strcspn(line, "#")] = '\0';
		if (*line)
			add_size(file, i, line, paths, nr, sizes, &in_turn);
	}
	free(text);
	for (size_t k = 0; k < nr; k++) {
		if (!(sizes[k] > 0))
			die(2, "diff: %s has no size for %s", file, paths[k]);
	}
}

/* ---- one row ---- */

struct line {
	const struct series_row *row;
	struct diff_place at;
	uint32_t sides;
	bool changed;
	double values[MAX_PROFILES];
};

static void
make_line(struct series *s, size_t i, struct line *l)
{
	const struct series_row *row = &s->rows[i];
	struct diff d = { .c = s->c, .t = s->tables[row->by] };
	struct error err = ERROR_INIT;
	struct compared_row r;

	l->row = row;
	compared_row(d.t, row->row, &r);
	l->sides = r.sides;
	l->changed = r.changed;
	diff_place(&d, row->row, &l->at);
	for (size_t k = 0; k < comparison_profiles(s->c); k++) {
		if (series_value(s, row, k, &l->values[k], &err))
			die(2, "diff: -e: %s", err.text);
	}
}

static void
text_row(struct sheet *sheet, struct series *s, size_t i, struct diff_sources *sources, bool ascii)
{
	struct strbuf cell = STRBUF_INIT;
	size_t nr = comparison_profiles(s->c);
	struct line l;

	make_line(s, i, &l);
	value_real(&cell, UNIT_GROWTH, l.row->fit.exponent, VALUE_WIDE, VALUE_PLAIN, ascii);
	sheet_cell(sheet, &cell);
	if (!isnan(l.row->fit.r2))
		strbuf_fmt(&cell, "%.3f", l.row->fit.r2);
	sheet_cell(sheet, &cell);
	spark_line(&cell, l.values, nr, ascii);
	sheet_cell(sheet, &cell);
	for (size_t k = 0; k < nr; k += nr > 1 ? nr - 1 : 1) {
		value_real(&cell, expression_unit(s->expressions[l.row->by][k]), l.values[k],
			   VALUE_WIDE, VALUE_PLAIN, ascii);
		sheet_cell(sheet, &cell);
	}
	safe_str(&cell, l.at.procedure);
	sheet_cell(sheet, &cell);
	strbuf_str(&cell, l.at.kind);
	sheet_cell(sheet, &cell);
	diff_where(&cell, &l.at, l.row->by);
	sheet_cell(sheet, &cell);
	if (diff_has_source(l.row->by))
		diff_source(sources, s->c, &l.at, l.row->by, &cell);
	sheet_cell(sheet, &cell);
}

static void
print_text(struct series *s, size_t limit)
{
	bool ascii = report_ascii();
	static const char *const headers[] = { "growth", "R2", "values", "first", "last",
					       "procedure", "kind", "where", "source" };
	struct diff d = { .c = s->c };
	struct diff_sources sources = {};
	struct sheet sheet = SHEET_INIT;

	diff_profiles(&d);
	diff_matched(&d);
	putchar('\n');
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		sheet_column(&sheet, headers[i], i < 2 || i == 3 || i == 4);
	for (size_t i = 0; i < s->nr_rows && i < limit; i++)
		text_row(&sheet, s, i, &sources, ascii);
	diff_sources_release(&sources);
	sheet_print(&sheet);
	sheet_release(&sheet);
	printf("%zu of %zu rows\n", s->nr_rows < limit ? s->nr_rows : limit, s->nr_rows);
}

/* ---- for programs ---- */

static void
put_row(struct record *out, const struct series *s, const struct line *l)
{
	const struct place *p = &l->at.place;

	diff_put_text(out, "procedure", l->at.procedure);
	diff_put_text(out, "file", l->at.path);
	diff_put_place(out, "line", p->line);
	diff_put_place(out, "column", p->column);
	diff_put_place(out, "end_line", p->end_line);
	diff_put_place(out, "end_column", p->end_column);
	diff_put_text(out, "kind", l->at.kind);
	record_real(out, "exponent", l->row->fit.exponent);
	record_real(out, "r2", l->row->fit.r2);
	record_whole(out, "points", (uint64_t)l->row->fit.points);
	for (size_t k = 0; k < comparison_profiles(s->c); k++)
		record_real(out, (char[]){ (char)('a' + k), '\0' }, l->values[k]);
}

static void
print_data(struct series *s, size_t limit, const char *format)
{
	static const struct series_row none;
	struct line l = { .row = &none, .at = { .path = "", .procedure = "", .kind = "" } };
	struct record out;

	record_open(&out, format);
	record_heads(&out, NULL);
	put_row(&out, s, &l);
	record_items(&out, "sizes");
	for (size_t k = 0; k < comparison_profiles(s->c); k++)
		record_real(&out, NULL, s->sizes[k]);
	record_list(&out, "rows");
	for (size_t i = 0; i < s->nr_rows && i < limit && record_begin(&out); i++) {
		make_line(s, i, &l);
		put_row(&out, s, &l);
		record_end(&out);
	}
	record_close(&out);
}

int
series_print(struct comparison *c, const struct series_options *o, struct expression_error *err)
{
	struct series s = { .c = c, .sizes = o->sizes };
	int status = 0;

	for (int by = 0; by < NR_COMPARE_BY && !status; by++) {
		if (o->kinds & 1u << by)
			status = series_add(&s, (enum compare_by)by, o->expression, err);
	}
	if (!status) {
		series_sort(&s);
		errno = 0;
		if (!strcmp(o->format, "text"))
			print_text(&s, o->limit);
		else
			print_data(&s, o->limit, o->format);
	}
	series_release(&s);
	return status;
}
