#include "print/brief.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/import.h"
#include "print/record.h"
#include "print/report.h"
#include "show/human.h"
#include "show/value.h"
#include "util/text/safe.h"

/* ---- facts ---- */

const char *
brief_text_of(struct brief *b, const char *text)
{
	return arena_strdup(&b->texts, text);
}

struct brief_fact *
brief_fact(struct brief *b, const char *key, const char *title, const char *const *more)
{
	struct brief_fact *f = &b->facts[b->nr++];
	size_t nr = 0;
	char *command;

	*f = (struct brief_fact){.key = key, .title = title};
	while (more && more[nr])
		nr++;
	if (!nr)
		return f;
	command = import_quote(more, nr);
	f->more = brief_text_of(b, command);
	free(command);
	return f;
}

struct brief_row *
brief_row(struct brief *b, const char *name)
{
	struct brief_fact *f = &b->facts[b->nr - 1];

	GROW(f->rows, f->nr + 1, f->alloc);
	f->rows[f->nr] = (struct brief_row){.name = name};
	return &f->rows[f->nr++];
}

void
brief_figure(struct brief_row *row, const struct brief_figure *figure)
{
	if (row->nr < BRIEF_FIGURES)
		row->figures[row->nr++] = *figure;
}

void
brief_release(struct brief *b)
{
	for (size_t i = 0; i < b->nr; i++)
		free(b->facts[i].rows);
	arena_release(&b->texts);
}

/* ---- text ---- */

static const char *const trust_names[NR_BRIEF_TRUST] = {
	[BRIEF_EXACT] = "exact",
	[BRIEF_AT_LEAST] = "at least",
	[BRIEF_ESTIMATED] = "estimated",
	[BRIEF_SAMPLED] = "sampled",
};

enum { LINE_WIDTH = 180 };

/* Appends what a fact's figures are: "exact, sampled". */
static void
put_trust(struct strbuf *out, const struct brief_fact *f)
{
	bool has[NR_BRIEF_TRUST] = {false};
	int nr = 0;

	for (size_t i = 0; i < f->nr; i++) {
		for (int k = 0; k < f->rows[i].nr; k++)
			has[f->rows[i].figures[k].trust] = true;
	}
	for (int t = 0; t < NR_BRIEF_TRUST; t++) {
		if (has[t])
			strbuf_fmt(out, "%s%s", nr++ ? ", " : " [", trust_names[t]);
	}
	strbuf_str(out, nr ? "]" : "");
}

/* Appends "calls >=18,810", "own 152 ms +-4%". */
static void
put_figure(struct strbuf *out, const struct brief_figure *f, bool ascii)
{
	static const char *const marks[NR_BRIEF_TRUST] = {
		[BRIEF_AT_LEAST] = "lacking",
		[BRIEF_ESTIMATED] = "estimated",
	};

	strbuf_fmt(out, "%s%s", f->name, *f->name ? " " : "");
	if (marks[f->trust])
		value_mark(out, marks[f->trust], ascii);
	value_print(out, f->unit, &f->value, VALUE_WIDE, f->differs ? VALUE_SIGNED : VALUE_PLAIN,
		    ascii);
	if (f->trust != BRIEF_SAMPLED)
		return;
	strbuf_str(out, ascii ? " +-" : " \302\261");
	if (isnan(f->error))
		strbuf_char(out, '?');
	else if (f->differs)
		value_real(out, f->unit, fabs(scalar_number(&f->value)) * f->error, VALUE_WIDE,
			   VALUE_PLAIN, ascii);
	else
		human_share(out, f->error);
}

/* Appends PATH as it is seen from the working directory. */
static void
put_path(struct strbuf *out, const char *path, const char *directory)
{
	size_t n = directory ? strlen(directory) : 0;

	if (n > 1 && !strncmp(path, directory, n) && path[n] == '/')
		path += n + 1;
	safe_str(out, path);
}

static void
print_row(const struct brief_row *row, const char *directory, bool ascii)
{
	struct strbuf out = STRBUF_INIT, line = STRBUF_INIT;

	if (row->name)
		safe_str(&out, row->name);
	if (row->path) {
		strbuf_str(&out, out.len ? " " : "");
		put_path(&out, row->path, directory);
		if (row->line)
			strbuf_fmt(&out, ":%" PRIu32, row->line);
	}
	for (int i = 0; i < row->nr; i++) {
		const struct brief_figure *f = &row->figures[i];

		if (!strcmp(f->key, BRIEF_SHARE)) {
			strbuf_fmt(&out, " (%.1f%%)", scalar_number(&f->value));
			continue;
		}
		strbuf_str(&out, i ? ", " : out.len ? ": " : "");
		put_figure(&out, f, ascii);
	}
	if (row->source) {
		strbuf_str(&out, out.len ? ": " : "");
		safe_str(&out, row->source);
	}
	if (row->note) {
		strbuf_str(&out, out.len ? ": " : "");
		safe_str(&out, row->note);
	}
	strbuf_str(&line, "    ");
	if (safe_width(out.buf, out.len) > LINE_WIDTH)
		safe_fit(&line, out.buf, out.len, LINE_WIDTH);
	else
		strbuf_add(&line, out.buf, out.len);
	puts(line.buf);
	strbuf_release(&line);
	strbuf_release(&out);
}

void
brief_text(const struct brief *b)
{
	char *directory = getcwd(NULL, 0);
	bool ascii = report_ascii();
	struct strbuf out = STRBUF_INIT;

	safe_str(&out, b->names[0]);
	if (b->names[1]) {
		strbuf_str(&out, " (a) and ");
		safe_str(&out, b->names[1]);
		strbuf_str(&out, " (b)");
	}
	printf("%s\nFigures are exact, or have a mark: %s: sampled, so far from the true one, with "
	       "95 %%; %s: at least; %s: estimated.\n",
	       out.buf, ascii ? "+-" : "\302\261", ascii ? ">" : "\342\211\245",
	       ascii ? "~" : "\342\211\210");
	for (size_t i = 0; i < b->nr && report_can_write(); i++) {
		const struct brief_fact *f = &b->facts[i];

		strbuf_clear(&out);
		safe_str(&out, f->title);
		put_trust(&out, f);
		printf("%2zu. %s%s%s\n", i + 1, out.buf, f->none ? ": " : "",
		       f->none ? f->none : "");
		for (size_t k = 0; k < f->nr; k++)
			print_row(&f->rows[k], directory, ascii);
		strbuf_clear(&out);
		safe_str(&out, f->more && !f->none ? f->more : "");
		if (out.len)
			printf("    more: %s\n", out.buf);
	}
	strbuf_release(&out);
	free(directory);
}

/* ---- csv, json ---- */

static const char *
unit_word(enum column_unit unit)
{
	switch (unit) {
	case UNIT_NS:
	case UNIT_NS_EACH:
		return "ns";
	case UNIT_BYTES:
		return "bytes";
	case UNIT_PERCENT:
		return "percent";
	default:
		return "count";
	}
}

/* FIGURE NULL: the row has none; ROW NULL: the names of the fields. */
static void
put_fields(struct record *out, const struct brief_fact *f, size_t nr, const struct brief_row *row,
	   const struct brief_figure *figure)
{
	static const struct brief_row none;
	const struct scalar_value null = {.type = SCALAR_NULL};

	record_text(out, "fact", f ? f->key : "");
	record_whole(out, "row", nr);
	row = row ? row : &none;
	record_text(out, "name", row->name);
	record_text(out, "file", row->path);
	if (row->line)
		record_whole(out, "line", row->line);
	else
		record_none(out, "line");
	if (row->column)
		record_whole(out, "column", row->column);
	else
		record_none(out, "column");
	record_text(out, "source", row->source);
	record_text(out, "note", row->note);
	record_text(out, "figure", figure ? figure->key : NULL);
	record_scalar(out, "value", figure ? &figure->value : &null);
	record_text(out, "unit", figure ? unit_word(figure->unit) : NULL);
	record_text(out, "trust", figure ? trust_names[figure->trust] : NULL);
	record_real(out, "error", figure ? figure->error : NAN);
}

static void
put_row(struct record *out, const struct brief_fact *f, size_t nr)
{
	const struct brief_row *row = &f->rows[nr];

	for (int k = 0; k < row->nr || !k; k++) {
		record_begin(out);
		put_fields(out, f, nr + 1, row, row->nr ? &row->figures[k] : NULL);
		record_end(out);
	}
}

void
brief_data(const struct brief *b, const char *format)
{
	struct record out;

	record_open(&out, "brief", format);
	record_text(&out, "a", b->names[0]);
	record_text(&out, "b", b->names[1]);
	record_heads(&out, NULL);
	put_fields(&out, NULL, 0, NULL, NULL);
	record_list(&out, "facts");
	for (size_t i = 0; i < b->nr; i++) {
		record_begin(&out);
		record_text(&out, "fact", b->facts[i].key);
		record_text(&out, "title", b->facts[i].title);
		record_text(&out, "none", b->facts[i].none);
		record_text(&out, "more", b->facts[i].more);
		record_end(&out);
	}
	record_list(&out, "rows");
	for (size_t i = 0; i < b->nr; i++) {
		for (size_t k = 0; k < b->facts[i].nr && report_can_write(); k++)
			put_row(&out, &b->facts[i], k);
	}
	record_close(&out);
}
