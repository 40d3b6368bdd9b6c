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
#include "show/plot.h"
#include "show/value.h"
#include "util/error.h"
#include "util/mem.h"
#include "util/text/path.h"
#include "util/text/list.h"
#include "util/text/safe.h"

/* ---- the sizes ---- */

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
	struct error err = ERROR_INIT;
	char *text = list_read(file, &err), *next = text, *line;
	size_t in_turn = 0;
	int number = 0;

	if (!text)
		die(2, "diff: %s", err.text);
	while ((line = list_next(&next, &number)))
		add_size(file, number, line, paths, nr, sizes, &in_turn);
	free(text);
	for (size_t k = 0; k < nr; k++) {
		if (!(sizes[k] > 0))
			die(2, "diff: %s has no size for %s", file, paths[k]);
	}
}

/* ---- one row ---- */

struct line {
	const struct series_row *row;
	struct fit fit;
	struct prediction at;    /* at the size that was asked for; NAN: none was */
	struct diff_place place;
	double values[MAX_PROFILES];
};

static void
make_line(struct series *s, size_t i, double at, struct line *l)
{
	const struct series_row *row = &s->rows[i];
	struct diff d = { .c = s->c, .t = s->tables[row->by] };
	struct error err = ERROR_INIT;

	l->row = row;
	diff_place(&d, row->row, &l->place);
	if (series_values(s, row, l->values, &err))
		die(2, "diff: -e: %s", err.text);
	fit_values(&s->sizes, l->values, &l->fit);
	l->at = (struct prediction){ NAN, NAN, NAN };
	if (at > 0)
		l->at = fit_predict(&s->sizes, l->values, &l->fit, at);
}

enum series_column {
	GROWTH, COEFFICIENT, R2, OTHERS, VALUES, FIRST, LAST, SHARE, AT, INTERVAL, PROCEDURE, KIND,
	WHERE, SOURCE, NR_COLUMNS
};

/* What is printed in one go. */
struct page {
	struct series *s;
	const struct series_options *o;
	struct sheet sheet;
	struct diff_sources sources;
	bool ascii;
	bool others;             /* some row has other models */
};

static void
put_growth(const struct line *l, struct strbuf *cell)
{
	fit_name(&l->fit, cell);
	if (l->row->appears)
		strbuf_fmt(cell, "%sfrom %.6g", cell->len ? " " : "", l->fit.from);
	if (!cell->len)
		strbuf_char(cell, '-');
}

static void
put_coefficient(const struct line *l, bool ascii, struct strbuf *cell)
{
	double error = l->fit.coefficient_error;

	if (l->fit.growth == GROWTH_NONE)
		return;
	if (error < 1e-9 * fabs(l->fit.coefficient))
		error = 0; /* but for the rounding of the least squares */
	strbuf_fmt(cell, "%.4g %s%.2g", l->fit.coefficient, ascii ? "+-" : "±", error);
}

/* The other models that the points leave possible. */
static void
put_others(const struct fit *f, struct strbuf *cell)
{
	for (int g = GROWTH_1; g < NR_GROWTHS; g++) {
		if (!(f->also & 1u << g) || g == (int)f->growth)
			continue;
		strbuf_str(cell, cell->len ? ", " : "");
		strbuf_str(cell, growth_name((enum growth)g));
	}
}

static void
put_value(const struct page *p, const struct line *l, double value, struct strbuf *cell)
{
	value_real(cell, expression_unit(p->s->expressions[l->row->by]), value, VALUE_WIDE,
		   VALUE_PLAIN, p->ascii);
}

/* What is foretold is not known to its last digit. */
static void
put_prediction(struct page *p, const struct line *l, struct strbuf *cell)
{
	enum column_unit unit = expression_unit(p->s->expressions[l->row->by]);
	enum { WIDTH = 7 };

	if (!isnan(l->at.value))
		value_real(cell, unit, l->at.value, WIDTH, VALUE_PLAIN, p->ascii);
	sheet_cell(&p->sheet, cell);
	if (isnan(l->at.lo) || isnan(l->at.hi))
		return;
	value_real(cell, unit, l->at.lo, WIDTH, VALUE_PLAIN, p->ascii);
	strbuf_str(cell, " .. ");
	value_real(cell, unit, l->at.hi, WIDTH, VALUE_PLAIN, p->ascii);
}

enum { SPARK_WIDTH = 24 };

static void
text_numbers(struct page *p, const struct line *l, struct strbuf *cell)
{
	double share = series_share(p->s, l->row);

	put_growth(l, cell);
	sheet_cell(&p->sheet, cell);
	put_coefficient(l, p->ascii, cell);
	sheet_cell(&p->sheet, cell);
	if (!isnan(l->fit.model_r2) && l->fit.growth != GROWTH_1)
		strbuf_fmt(cell, "%.3f", l->fit.model_r2);
	sheet_cell(&p->sheet, cell);
	put_others(&l->fit, cell);
	p->others |= cell->len > 0;
	sheet_cell(&p->sheet, cell);
	spark_line(cell, l->values, p->s->sizes.nr, SPARK_WIDTH, p->ascii);
	sheet_cell(&p->sheet, cell);
	put_value(p, l, l->values[0], cell);
	sheet_cell(&p->sheet, cell);
	put_value(p, l, l->values[p->s->sizes.nr - 1], cell);
	sheet_cell(&p->sheet, cell);
	if (share >= 0)
		strbuf_fmt(cell, "%.1f%%", 100 * share);
	sheet_cell(&p->sheet, cell);
	put_prediction(p, l, cell);
	sheet_cell(&p->sheet, cell);
}

static void
text_row(struct page *p, size_t i)
{
	struct strbuf cell = STRBUF_INIT;
	struct line l;

	make_line(p->s, i, p->o->at, &l);
	text_numbers(p, &l, &cell);
	safe_str(&cell, l.place.procedure);
	sheet_cell(&p->sheet, &cell);
	strbuf_str(&cell, l.place.kind);
	sheet_cell(&p->sheet, &cell);
	diff_where(&cell, &l.place, l.row->by);
	sheet_cell(&p->sheet, &cell);
	if (diff_has_source(l.row->by))
		diff_source(&p->sources, p->s->c, &l.place, l.row->by, &cell);
	diff_blocks(&cell, &l.place, l.row->by);
	sheet_cell(&p->sheet, &cell);
}

static void
add_heads(struct sheet *sheet, double at)
{
	static const struct { const char *head; bool right; } heads[NR_COLUMNS] = {
		[GROWTH] = { "growth", false }, [COEFFICIENT] = { "coefficient", true },
		[R2] = { "R2", true }, [OTHERS] = { "or", false }, [VALUES] = { "values", false },
		[FIRST] = { "first", true }, [LAST] = { "last", true }, [SHARE] = { "share", true },
		[INTERVAL] = { "95% interval", true }, [PROCEDURE] = { "procedure", false },
		[KIND] = { "kind", false }, [WHERE] = { "where", false },
		[SOURCE] = { "source", false },
	};
	char head[40];

	snprintf(head, sizeof(head), "at %.6g", at);
	for (int i = 0; i < NR_COLUMNS; i++)
		sheet_column(sheet, i == AT ? head : heads[i].head, heads[i].right || i == AT);
}

static void
print_plot(struct page *p, size_t i)
{
	enum { WIDTH = 72, HEIGHT = 14 };
	struct strbuf text = STRBUF_INIT;
	struct line l;
	struct plot plot = {
		.sizes = &p->s->sizes, .values = l.values, .fit = &l.fit, .at = p->o->at,
		.width = WIDTH, .height = HEIGHT, .ascii = p->ascii,
	};

	make_line(p->s, i, p->o->at, &l);
	if (!l.fit.points)
		return;
	plot.unit = expression_unit(p->s->expressions[l.row->by]);
	strbuf_char(&text, '\n');
	safe_str(&text, l.place.procedure);
	strbuf_str(&text, text.len > 1 ? "  " : "");
	diff_where(&text, &l.place, l.row->by);
	strbuf_str(&text, "  ");
	if (diff_has_source(l.row->by))
		diff_source(&p->sources, p->s->c, &l.place, l.row->by, &text);
	diff_blocks(&text, &l.place, l.row->by);
	strbuf_str(&text, diff_has_source(l.row->by) || compare_by_is_space(l.row->by) ? ": " : "");
	put_growth(&l, &text);
	strbuf_char(&text, '\n');
	plot_draw(&text, &plot);
	fputs(text.buf, stdout);
	strbuf_release(&text);
}

static void
put_size_name(const char *name)
{
	struct strbuf safe = STRBUF_INIT;

	safe_str(&safe, name);
	printf("n: %s\n", safe.buf);
	strbuf_release(&safe);
}

static void
print_text(struct series *s, const struct series_options *o)
{
	struct page p = { .s = s, .o = o, .sheet = SHEET_INIT, .ascii = report_ascii() };
	struct diff d = { .c = s->c };
	size_t nr = s->nr_rows < o->limit ? s->nr_rows : o->limit;

	diff_profiles(&d);
	diff_matched(&d);
	if (s->sizes.name)
		put_size_name(s->sizes.name);
	putchar('\n');
	add_heads(&p.sheet, o->at);
	for (size_t i = 0; i < nr; i++)
		text_row(&p, i);
	p.sheet.hidden[OTHERS] = !p.others;
	p.sheet.hidden[AT] = p.sheet.hidden[INTERVAL] = !(o->at > 0);
	sheet_print(&p.sheet);
	sheet_release(&p.sheet);
	printf("%zu of %zu rows\n", nr, s->nr_rows);
	for (size_t i = 0; o->plot && i < nr && report_can_write(); i++)
		print_plot(&p, i);
	diff_sources_release(&p.sources);
}

/* ---- for programs ---- */

/* What is not known is missing, not NAN. */
static void
put_model(struct record *out, const struct fit *f)
{
	struct strbuf text = STRBUF_INIT;

	fit_name(f, &text);
	diff_put_text(out, "model", text.buf);
	record_real(out, "coefficient", f->coefficient);
	record_real(out, "coefficient_error", f->coefficient_error);
	record_real(out, "constant", f->growth == GROWTH_NONE ? NAN : f->constant);
	record_real(out, "model_r2", f->model_r2);
	record_real(out, "left_out_error", f->cv_error);
	strbuf_clear(&text);
	put_others(f, &text);
	diff_put_text(out, "or", text.buf);
	strbuf_release(&text);
}

static void
put_row(struct record *out, const struct series *s, const struct line *l)
{
	const struct place *p = &l->place.place;

	diff_put_text(out, "procedure", l->place.procedure);
	diff_put_text(out, "file", l->place.path);
	diff_put_place(out, "line", p->line);
	diff_put_place(out, "column", p->column);
	diff_put_place(out, "end_line", p->end_line);
	diff_put_place(out, "end_column", p->end_column);
	diff_put_text(out, "kind", l->place.kind);
	record_real(out, "exponent", l->fit.exponent);
	record_real(out, "r2", l->fit.r2);
	record_whole(out, "points", (uint64_t)l->fit.points);
	for (size_t k = 0; k < s->sizes.nr; k++)
		record_real(out, sides_name(k), l->values[k]);
	record_real(out, "exponent_error", l->fit.exponent_error);
	put_model(out, &l->fit);
	record_real(out, "from", l->row->appears ? l->fit.from : NAN);
	record_real(out, "share", series_share(s, l->row));
	record_real(out, "at", l->at.value);
	record_real(out, "at_lo", l->at.lo);
	record_real(out, "at_hi", l->at.hi);
	diff_put_text(out, "type", l->place.type);
	diff_put_size(out, "size_class", l->place.size_class);
}

static void
print_data(struct series *s, const struct series_options *o)
{
	static const struct series_row none;
	struct line l = { .row = &none, .place = { .path = "", .procedure = "", .kind = "",
							.type = "" } };
	struct record out;

	record_open(&out, "series", o->format);
	record_heads(&out, NULL);
	put_row(&out, s, &l);
	record_items(&out, "sizes");
	for (size_t k = 0; k < comparison_profiles(s->c); k++)
		record_real(&out, NULL, s->sizes.sizes[k]);
	record_list(&out, "rows");
	for (size_t i = 0; i < s->nr_rows && i < o->limit && record_begin(&out); i++) {
		make_line(s, i, o->at, &l);
		put_row(&out, s, &l);
		record_end(&out);
	}
	record_close(&out);
}

int
series_print(struct comparison *c, const struct series_options *o, struct expression_error *err)
{
	struct series s;
	int status = 0;

	series_init(&s, c, o->sizes);
	for (int by = 0; by < NR_COMPARE_BY && !status; by++) {
		if (o->kinds & 1u << by)
			status = series_add(&s, (enum compare_by)by, o->expression, err);
	}
	if (!status) {
		series_sort(&s);
		errno = 0;
		if (!strcmp(o->format, "text"))
			print_text(&s, o);
		else
			print_data(&s, o);
	}
	series_release(&s);
	return status;
}
