/* cgview diff --series: how things grow with the input. */
#include "print/diff_series.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/series.h"
#include "compare/store.h"
#include "print/report.h"
#include "print/sheet.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/path.h"
#include "util/safe.h"

/* ---- the sizes ---- */

enum { MOST_BYTES = 1 << 20 };

/* All of FILE, which may be a pipe; heap. */
static char *
read_sizes(const char *file)
{
	FILE *in = fopen(file, "r");
	char *text = xmalloc(MOST_BYTES + 1);
	size_t n;

	if (!in)
		die(1, "diff: cannot open %s: %s", file, strerror(errno));
	n = fread(text, 1, MOST_BYTES + 1, in);
	if (ferror(in))
		die(1, "diff: cannot read %s: %s", file, strerror(errno));
	fclose(in);
	if (n > MOST_BYTES)
		die(2, "diff: %s is larger than %d KiB: it is no list of sizes", file,
		    MOST_BYTES >> 10);
	text[n] = '\0';
	if (strlen(text) < n)
		die(2, "diff: %s is no list of sizes: there is a zero byte in it", file);
	return text;
}

/* The profile that a line names: by all of its path, else by the end of it; -1: none. */
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
			die(1, "diff: -e: %s", err.text);
	}
}

static void
put_count(struct strbuf *out, size_t n)
{
	strbuf_fmt(out, "%zu", n);
}

static void
text_row(struct sheet *sheet, struct series *s, size_t i, struct diff_sources *sources, bool ascii)
{
	struct strbuf cell = STRBUF_INIT;
	size_t nr = comparison_profiles(s->c);
	struct line l;

	make_line(s, i, &l);
	if (!isnan(l.row->fit.exponent))
		strbuf_fmt(&cell, "n^%.2f", l.row->fit.exponent);
	sheet_cell(sheet, &cell);
	if (!isnan(l.row->fit.r2))
		strbuf_fmt(&cell, "%.3f", l.row->fit.r2);
	sheet_cell(sheet, &cell);
	spark_line(&cell, l.values, nr, ascii);
	sheet_cell(sheet, &cell);
	for (size_t k = 0; k < nr; k += nr > 1 ? nr - 1 : 1) {
		diff_real(&cell, l.values[k]);
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

static const char *const names[] = {
	"procedure", "file", "line", "column", "end_line", "end_column", "kind", "exponent", "r2",
	"points",
};
enum { NR_NAMES = sizeof(names) / sizeof(names[0]) };

/* Field number F of a row, as CSV or as JSON. */
static void
put_field(struct strbuf *out, const struct line *l, size_t f, bool json)
{
	const char *const texts[] = { l->at.procedure, l->at.path };
	const struct place *p = &l->at.place;
	const uint32_t places[] = { p->line, p->column, p->end_line, p->end_column };
	const char *text = f < 2 ? texts[f] : f == 6 ? l->at.kind : NULL;
	size_t before = out->len;

	if (text && *text && json)
		report_json_text(out, text, strlen(text));
	else if (text && !json)
		report_csv_text(out, text, strlen(text));
	else if (f >= 2 && f < 6 && places[f - 2])
		strbuf_fmt(out, "%u", places[f - 2]);
	else if (f == 7 || f == 8)
		diff_real(out, f == 7 ? l->row->fit.exponent : l->row->fit.r2);
	else if (f == 9)
		put_count(out, (size_t)l->row->fit.points);
	else if (f >= NR_NAMES)
		diff_real(out, l->values[f - NR_NAMES]);
	if (json && out->len == before)
		strbuf_str(out, "null");
}

static void
put_name(struct strbuf *out, size_t f)
{
	if (f < NR_NAMES)
		strbuf_str(out, names[f]);
	else
		strbuf_char(out, (char)('a' + (f - NR_NAMES)));
}

static void
put_row(struct strbuf *out, struct series *s, size_t i, bool json)
{
	struct line l;

	make_line(s, i, &l);
	for (size_t f = 0; f < NR_NAMES + comparison_profiles(s->c); f++) {
		strbuf_str(out, f ? "," : json ? "{" : "");
		if (json) {
			strbuf_char(out, '"');
			put_name(out, f);
			strbuf_str(out, "\":");
		}
		put_field(out, &l, f, json);
	}
	strbuf_str(out, json ? "}" : "\r\n");
}

static void
print_csv(struct series *s, size_t limit)
{
	struct strbuf out = STRBUF_INIT;

	for (size_t f = 0; f < NR_NAMES + comparison_profiles(s->c); f++) {
		strbuf_str(&out, f ? "," : "");
		put_name(&out, f);
	}
	strbuf_str(&out, "\r\n");
	for (size_t i = 0; i < s->nr_rows && i < limit && report_can_write(); i++) {
		put_row(&out, s, i, false);
		fwrite(out.buf, 1, out.len, stdout);
		strbuf_clear(&out);
	}
	fwrite(out.buf, 1, out.len, stdout);
	strbuf_release(&out);
}

static void
print_json(struct series *s, size_t limit)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_str(&out, "{\"version\":1,\"sizes\":[");
	for (size_t k = 0; k < comparison_profiles(s->c); k++) {
		strbuf_str(&out, k ? "," : "");
		diff_real(&out, s->sizes[k]);
	}
	strbuf_str(&out, "],\"rows\":[");
	for (size_t i = 0; i < s->nr_rows && i < limit && report_can_write(); i++) {
		strbuf_str(&out, i ? ",\n" : "\n");
		put_row(&out, s, i, true);
		fwrite(out.buf, 1, out.len, stdout);
		strbuf_clear(&out);
	}
	strbuf_str(&out, "\n]}\n");
	fwrite(out.buf, 1, out.len, stdout);
	strbuf_release(&out);
}

static const struct {
	const char *name;
	void (*print)(struct series *s, size_t limit);
} formats[] = { { "text", print_text }, { "csv", print_csv }, { "json", print_json } };

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
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
			if (!strcmp(formats[i].name, o->format))
				formats[i].print(&s, o->limit);
		}
	}
	series_release(&s);
	return status;
}
