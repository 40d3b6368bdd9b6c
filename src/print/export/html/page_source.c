/* The sources of a page: which lines of each file are shown, and what they look like. Their text is
 * packed, a file for itself, and unpacked when somebody looks at it: it is most of a page. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "print/export/html/parts.h"
#include "show/paint.h"
#include "show/value.h"
#include "util/index.h"
#include "util/text/base64.h"
#include "util/text/safe.h"

/* Lines around others that are shown, as long as those between are not worth a gap; lines whose
 * figures are read at once. */
enum { GAP_LEAST = 6, WINDOW = 250, PLAIN_LINES = 200 };

/* ---- what is shown ---- */

static bool
is_hotter(const struct page_procedure *a, const struct page_procedure *b)
{
	return a->weight != b->weight ? a->weight > b->weight
	     : a->total != b->total   ? a->total > b->total
				      : a->count > b->count;
}

static int
by_heat(const void *a, const void *b, void *page)
{
	const struct page_procedure *all = ((const struct page *)page)->procedures;
	model_id x = *(const model_id *)a, y = *(const model_id *)b;

	if (is_hotter(&all[x], &all[y]))
		return -1;
	return is_hotter(&all[y], &all[x]) ? 1 : (x > y) - (x < y);
}

/* Machine code is there whether it ran or not. */
static bool
ran(const struct procedure_row *row)
{
	for (int i = 1; i < NR_ROW_FIGURES; i++)
		if (i != MEASURE_CODE && (row->self[i] || row->total[i]))
			return true;
	return false;
}

void
page_choose_sources(struct page *g)
{
	const struct metric *metric = &g->metrics.items[g->metrics.first];
	size_t nr = g->totals->nr_procedures;
	struct procedure_row row;
	uint64_t lines = 0;

	g->procedures = xcalloc(nr + 1, sizeof(*g->procedures));
	g->hottest = xcalloc(nr + 1, sizeof(*g->hottest));
	for (model_id id = 1; id <= nr; id++) {
		struct page_procedure *at = &g->procedures[id];

		if (!profile_procedure(g->p, id, &row))
			continue;
		*at = (struct page_procedure){
			.place = row.place, .ran = ran(&row),
			.weight = figure_size(metric_of_procedure(metric, &row)),
			.total = figure_size(row.total[MEASURE_TIME]),
			.count = (uint64_t)row.self[MEASURE_CALLS],
		};
		if (at->place.file && at->place.line && at->ran)
			g->hottest[g->nr_hottest++] = id;
	}
	qsort_r(g->hottest, g->nr_hottest, sizeof(*g->hottest), by_heat, g);
	for (size_t i = 0; i < g->nr_hottest && !g->e->without_sources; i++) {
		struct page_procedure *at = &g->procedures[g->hottest[i]];

		lines += at->place.end_line - at->place.line + 1;
		at->shown = g->e->all || lines <= PAGE_MOST_LINES;
	}
}

/* ---- a file ---- */

struct source {
	struct page *g;
	struct doc *doc;
	struct page_json packed; /* its lines, and: */
	struct strbuf figures;   /* texts of figures, each with a NUL behind it */
	size_t *figure_at;       /* where they begin */
	size_t nr_figures, figures_alloc;
	struct index index;
	uint32_t *of_range;      /* number of the text of each range in the window; NO_FIGURE */
	size_t of_range_alloc;
	uint32_t first, last;    /* lines of the window; 0: it was not read */
	const model_id *inside;  /* its procedures, in the order of their lines */
	size_t nr_inside;
};
enum { NO_FIGURE = UINT32_MAX };

static bool
is_figure(const void *source, uint32_t item, const void *text)
{
	const struct source *s = source;

	return !strcmp(s->figures.buf + s->figure_at[item], text);
}

static uint32_t
figure_number(struct source *s, const char *text)
{
	uint64_t hash = hash_text(HASH_START, text);
	uint32_t n = index_find(&s->index, hash, is_figure, s, text);

	if (n != INDEX_NONE)
		return n;
	GROW(s->figure_at, s->nr_figures + 1, s->figures_alloc);
	s->figure_at[s->nr_figures] = s->figures.len;
	strbuf_add(&s->figures, text, strlen(text) + 1);
	index_add(&s->index, hash, (uint32_t)s->nr_figures);
	return (uint32_t)s->nr_figures++;
}

static void
put_margin(struct strbuf *out, const struct page *g, int column, const struct margin_figures *f)
{
	margin_print(out, &g->margins.columns[column], f, g->totals, VALUE_WIDE, false);
}

/* The first column of a line has its mark, too. */
static void
put_cell(struct strbuf *out, const struct page *g, int i, const struct margin_figures *f)
{
	if (f->one_way && !i)
		strbuf_str(out, PAGE_ONE_WAY " ");
	put_margin(out, g, g->columns[i], f);
}

/* Appends "count 12, self 1.20 ms, below 3 ms"; nothing where nothing is known. */
static void
put_figures(struct strbuf *out, const struct page *g, const struct margin_figures *f)
{
	struct strbuf cell = STRBUF_INIT;

	for (int i = 0; i <= g->nr_columns && !f->never; i++) {
		int column = i < g->nr_columns ? g->columns[i] : MARGIN_BELOW;

		if (!g->margins.columns[column].metric->there)
			continue;
		strbuf_clear(&cell);
		put_margin(&cell, g, column, f);
		if (cell.len)
			strbuf_fmt(out, "%s%s %s", out->len ? ", " : "",
				   g->margins.columns[column].name, cell.buf);
	}
	if (f->never)
		strbuf_str(out, "never executed");
	if (f->one_way) {
		strbuf_str(out, out->len ? ", " : "");
		margin_put_one_way(out, f);
	}
	strbuf_release(&cell);
}

/* Returns the number of the text with the figures of range I. */
static uint32_t
figure_of_range(struct source *s, size_t i)
{
	struct strbuf text = STRBUF_INIT;
	struct margin_figures f;

	if (s->of_range[i] != NO_FIGURE)
		return s->of_range[i];
	figures_of_range(s->doc, &s->doc->ranges[i], &f);
	put_figures(&text, s->g, &f);
	if (text.len)
		s->of_range[i] = figure_number(s, text.buf);
	strbuf_release(&text);
	return s->of_range[i];
}

/* Reads the figures from LINE on, unless they are there. */
static void
read_window(struct source *s, uint32_t line, uint32_t last)
{
	struct doc *doc = s->doc;

	if (line >= s->first && line <= s->last)
		return;
	doc_window(&s->g->docs, doc, line, last < line + WINDOW ? last : line + WINDOW);
	s->first = line;
	s->last = doc->last;
	GROW(s->of_range, doc->nr_ranges, s->of_range_alloc);
	for (size_t i = 0; i < doc->nr_ranges; i++)
		s->of_range[i] = NO_FIGURE;
}

/* ---- a line ---- */

struct line {
	uint32_t number;
	struct painted vis;      /* all of it; with room of its own */
	uint32_t *figure;        /* of each byte: of the innermost expression around it */
	uint32_t *unit;          /* of each byte: how many UTF-16 units of the shown text are before
				  * it; and of the end */
	struct strbuf text;      /* as it is shown: tabs stay */
};

static uint32_t
utf16_units(const char *s, size_t n)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			nr += (unsigned char)s[i] >= 0xf0 ? 2 : 1;
	return nr;
}

static void
show_text(struct line *l)
{
	uint32_t units = 0;
	int32_t c;
	size_t n, before;

	for (size_t i = 0; i < l->vis.length; i += n) {
		n = utf8_decode(l->vis.text + i, l->vis.length - i, &c);
		before = l->text.len;
		if (c == '\t')
			strbuf_char(&l->text, '\t');
		else
			safe_char(&l->text, c);
		for (size_t k = 0; k < n; k++)
			l->unit[i + k] = units;
		units += utf16_units(l->text.buf + before, l->text.len - before);
	}
	l->unit[l->vis.length] = units;
}

static void
line_open(struct line *l, struct source *s, uint32_t number)
{
	const struct doc *doc = s->doc;
	size_t from, end;

	*l = (struct line){ .number = number, .text = STRBUF_INIT };
	l->vis.text = doc_line(doc, number, &l->vis.length);
	l->vis.to = l->vis.length;
	l->vis.role = xcalloc(l->vis.length + 1, 1);
	l->figure = xcalloc(l->vis.length + 1, sizeof(*l->figure));
	l->unit = xcalloc(l->vis.length + 1, sizeof(*l->unit));
	paint_line(&l->vis, doc, number, &s->g->heat);
	memset(l->figure, 0xff, (l->vis.length + 1) * sizeof(*l->figure));
	for (size_t i = 0; i < doc->nr_ranges && doc->ranges[i].place.line <= number; i++) {
		const struct range_row *r = &doc->ranges[i];
		uint32_t figure;

		if (r->place.end_line < number || r->kind == RANGE_PROCEDURE)
			continue;
		figure = figure_of_range(s, i);
		paint_extent(&l->vis, &r->place, number, &from, &end);
		for (size_t k = from; k < end && k < l->vis.length; k++)
			l->figure[k] = figure;
	}
	show_text(l);
}

static void
line_close(struct line *l)
{
	free(l->vis.role);
	free(l->figure);
	free(l->unit);
	strbuf_release(&l->text);
}

/* Does byte I look as the one before it? */
static bool
goes_on(const struct line *l, size_t i)
{
	return l->vis.role[i] == l->vis.role[i - 1] && l->figure[i] == l->figure[i - 1];
}

static size_t
end_of_run(const struct line *l, size_t i)
{
	for (i++; i < l->vis.length && goes_on(l, i); i++)
		;
	return i;
}

/* Returns the letter of a role: "." no code, "-" never executed, "+" cold, then A..H. */
static char
role_sign(uint8_t role)
{
	if (role >= ROLE_HEAT_1 && role < ROLE_HEAT_1 + HEAT_LEVELS)
		return (char)('A' + role - ROLE_HEAT_1);
	return role == ROLE_NEVER ? '-' : role == ROLE_COLD ? '+' : '.';
}

/* Appends the runs of bytes that look alike: sign, units, ",figure"; the last one without its
 * length: "A12,3.4+". Nothing where there is no code. */
static void
put_runs(struct strbuf *out, const struct line *l)
{
	for (size_t i = 0, end; i < l->vis.length; i = end) {
		end = end_of_run(l, i);
		strbuf_char(out, role_sign(l->vis.role[i]));
		if (end < l->vis.length)
			strbuf_fmt(out, "%u", l->unit[end] - l->unit[i]);
		if (l->figure[i] != NO_FIGURE)
			strbuf_fmt(out, ",%u", l->figure[i]);
	}
	if (!strcmp(out->buf, "."))
		strbuf_clear(out);
}

/* Appends the margins with tabs between them, without those at the end; of a line that was never
 * executed a mark alone. */
static void
put_margins(struct strbuf *out, const struct page *g, const struct margin_figures *f)
{
	if (f->never) {
		strbuf_str(out, "\303\227");
		return;
	}
	for (int i = 0; i < g->nr_columns; i++) {
		if (i)
			strbuf_char(out, '\t');
		put_cell(out, g, i, f);
	}
	while (out->len && out->buf[out->len - 1] == '\t')
		out->buf[--out->len] = '\0';
}

/* Finds the part of L that names what SITE calls: up to its arguments. */
static bool
call_extent(const struct line *l, const struct site_row *site, size_t *from, size_t *end)
{
	if (site->place.line != l->number || !site->place.column ||
	    site->place.column > l->vis.length)
		return false;
	*from = site->place.column - 1;
	for (*end = *from; *end < l->vis.length && l->vis.text[*end] != '('; ++*end)
		;
	while (*end > *from && isspace((unsigned char)l->vis.text[*end - 1]))
		--*end;
	return *end > *from;
}

/* Writes where calls stand in L, and what they call: begin, length, procedure. */
static void
put_links(struct page_json *j, const struct source *s, const struct line *l)
{
	const struct doc *doc = s->doc;
	size_t from, end, last = 0;

	page_json_begin(j, '[');
	for (size_t i = 0; i < doc->nr_sites && doc->sites[i].place.line <= l->number; i++) {
		const struct site_row *site = &doc->sites[i];
		model_id callee = site->id < s->g->nr_sites ? s->g->called[site->id] : 0;

		if (!callee || !call_extent(l, site, &from, &end) || from < last)
			continue;
		page_json_whole(j, l->unit[from]);
		page_json_whole(j, l->unit[end] - l->unit[from]);
		page_json_whole(j, callee);
		last = end;
	}
	page_json_end(j, ']');
}

/* Writes a line: its text; with code or remarks an array of text, runs, margins, calls, remarks. */
static void
put_line(struct source *s, uint32_t number)
{
	struct strbuf runs = STRBUF_INIT, margins = STRBUF_INIT, remarks = STRBUF_INIT;
	struct page_json *j = &s->packed;
	struct margin_figures f;
	bool code = figures_of_line(s->doc, number, &f);
	struct line l;

	line_open(&l, s, number);
	put_runs(&runs, &l);
	if (code)
		put_margins(&margins, s->g, &f);
	docs_put_remarks(&remarks, &s->g->docs, s->doc->file->id, number);
	if (!runs.len && !margins.len && !remarks.len) {
		page_json_text(j, l.text.buf, l.text.len);
	} else {
		page_json_begin(j, '[');
		page_json_text(j, l.text.buf, l.text.len);
		page_json_text(j, runs.buf, runs.len);
		page_json_text(j, margins.buf, margins.len);
		put_links(j, s, &l);
		if (remarks.len)
			page_json_text(j, remarks.buf, remarks.len);
		page_json_end(j, ']');
	}
	line_close(&l);
	strbuf_release(&remarks);
	strbuf_release(&runs);
	strbuf_release(&margins);
}

/* ---- what of a file is shown ---- */

static void
mark_lines(bool *marks, uint32_t nr, uint32_t first, uint32_t last)
{
	for (uint32_t line = first; line <= last && line <= nr; line++)
		marks[line] = true;
}

/* Marks lines that have figures and are in no procedure, as those of macros. */
static void
mark_lines_outside(const struct source *s, bool *marks, const bool *inside)
{
	struct line_row *rows;
	size_t nr = profile_lines(s->g->p, s->doc->file->id, 1, s->doc->nr_lines, &rows);

	for (size_t i = 0; i < nr; i++) {
		uint32_t line = rows[i].line;
		bool any = false;

		for (int k = 1; k < NR_ROW_FIGURES; k++)
			any |= k != MEASURE_CODE && rows[i].self[k];
		if (any && line <= s->doc->nr_lines && !inside[line])
			marks[line] = true;
	}
	free(rows);
}

/* Returns which lines are shown, by number; heap. */
static bool *
choose_lines(const struct source *s)
{
	uint32_t nr = s->doc->nr_lines, last = 0;
	bool *marks = xcalloc((size_t)nr + 2, sizeof(*marks));
	bool *inside = xcalloc((size_t)nr + 2, sizeof(*inside));

	for (size_t i = 0; i < s->nr_inside; i++) {
		const struct page_procedure *at = &s->g->procedures[s->inside[i]];

		mark_lines(inside, nr, at->place.line, at->place.end_line);
		if (at->shown)
			mark_lines(marks, nr, at->place.line, at->place.end_line);
	}
	if (s->g->e->all)
		mark_lines(marks, nr, 1, nr);
	else
		mark_lines_outside(s, marks, inside);
	for (uint32_t line = 1; line <= nr; line++) {
		if (!marks[line])
			continue;
		if (line - last < GAP_LEAST)
			mark_lines(marks, nr, last + 1, line);
		last = line;
	}
	if (last && nr - last < GAP_LEAST)
		mark_lines(marks, nr, last, nr);
	free(inside);
	return marks;
}

/* Writes the procedures that begin on lines FIRST..LAST. */
static void
put_outline(struct page_json *j, const struct source *s, uint32_t first, uint32_t last)
{
	page_json_begin(j, '[');
	for (size_t i = 0; i < s->nr_inside; i++) {
		uint32_t line = s->g->procedures[s->inside[i]].place.line;

		if (line >= first && line <= last)
			page_json_whole(j, s->inside[i]);
	}
	page_json_end(j, ']');
}

/* Writes the stretches of a file, and packs the lines of those that are shown: of others they tell
 * the procedures in them. */
static void
put_stretches(struct source *s, struct page_json *j)
{
	uint32_t nr = s->doc->nr_lines, last;
	bool *marks = choose_lines(s);

	for (uint32_t first = 1; first <= nr; first = last + 1) {
		for (last = first; last < nr && marks[last + 1] == marks[first]; last++)
			;
		page_json_begin(j, '[');
		page_json_whole(j, first);
		page_json_whole(j, last);
		page_json_whole(j, marks[first]);
		put_outline(j, s, first, last);
		page_json_end(j, ']');
		if (!marks[first])
			continue;
		page_json_begin(&s->packed, '[');
		for (uint32_t line = first; line <= last; line++) {
			read_window(s, line, last);
			put_line(s, line);
		}
		page_json_end(&s->packed, ']');
	}
	free(marks);
}

/* ---- packing ---- */

/* Appends DATA, deflated, as base64. */
static void
put_packed(struct strbuf *out, const struct strbuf *data)
{
	uLongf size = compressBound(data->len);
	unsigned char *bytes = xmalloc(size);

	if (compress2(bytes, &size, (const unsigned char *)data->buf, data->len, 9) == Z_OK)
		base64_put(out, bytes, size);
	free(bytes);
}

static void
put_element(struct source *s)
{
	struct strbuf *out = &s->g->sources;
	struct page_json *j = &s->packed;

	if (!j->behind)
		return; /* none of it is shown */
	page_json_end(j, ']');
	page_json_name(j, "figures");
	page_json_begin(j, '[');
	for (size_t i = 0; i < s->nr_figures; i++)
		page_json_str(j, s->figures.buf + s->figure_at[i]);
	page_json_end(j, ']');
	page_json_end(j, '}');
	strbuf_fmt(out, "<script type=\"application/x-cgview-source\" id=\"source-%u\">",
		   s->doc->file->id);
	put_packed(out, &j->out);
	strbuf_str(out, "</script>\n");
}

static void
source_begin(struct source *s, struct page *g, struct doc *doc)
{
	*s = (struct source){ .g = g, .doc = doc, .figures = STRBUF_INIT,
			      .packed = { .out = STRBUF_INIT }, .index = INDEX_INIT };
	page_json_begin(&s->packed, '{');
	page_json_name(&s->packed, "lines");
	page_json_begin(&s->packed, '[');
}

static void
source_end(struct source *s)
{
	strbuf_release(&s->packed.out);
	strbuf_release(&s->figures);
	free(s->figure_at);
	free(s->of_range);
	index_release(&s->index);
}

/* ---- all files ---- */

static int
by_place(const void *a, const void *b, void *page)
{
	const struct page_procedure *all = ((const struct page *)page)->procedures;
	const struct place *x = &all[*(const model_id *)a].place;
	const struct place *y = &all[*(const model_id *)b].place;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->line != y->line ? (x->line < y->line ? -1 : 1)
				  : (x->column > y->column) - (x->column < y->column);
}

static void
put_file(struct page *g, struct page_json *j, const struct profile_file *file,
	 const model_id *inside, size_t nr)
{
	struct doc *doc = g->e->without_sources ? NULL : docs_get(&g->docs, file->id);
	struct source s;

	page_json_begin(j, '[');
	page_json_str(j, page_path(g, file->id));
	page_json_whole(j, file->lines);
	page_json_begin(j, '[');
	if (doc && doc->text) {
		source_begin(&s, g, doc);
		s.inside = inside;
		s.nr_inside = nr;
		put_stretches(&s, j);
		put_element(&s);
		source_end(&s);
	}
	page_json_end(j, ']');
	page_json_end(j, ']');
}

/* Writes an array by id: path, lines, stretches. */
void
page_sources(struct page *g, struct page_json *j)
{
	size_t nr = g->totals->nr_procedures, at = 0, end;
	model_id *ids = xcalloc(nr + 1, sizeof(*ids));

	for (model_id id = 1; id <= nr; id++)
		ids[id - 1] = id;
	qsort_r(ids, nr, sizeof(*ids), by_place, g);
	page_json_name(j, "files");
	page_json_begin(j, '[');
	page_json_null(j);
	for (model_id id = 1; id <= g->totals->nr_files; id++) {
		const struct profile_file *file = profile_file(g->p, id);

		while (at < nr && g->procedures[ids[at]].place.file < id)
			at++;
		for (end = at; end < nr && g->procedures[ids[end]].place.file == id; end++)
			;
		if (file)
			put_file(g, j, file, ids + at, end - at);
		else
			page_json_null(j);
	}
	page_json_end(j, ']');
	free(ids);
}

/* ---- without a script ---- */

/* Appends a figure or a number at the right of WIDTH columns. */
static void
put_right(struct page *g, const char *text, int width)
{
	strbuf_fmt(&g->html, "%*s", width - safe_width(text, strlen(text)), "");
	page_put(g, text);
}

static void
plain_text(struct page *g, const struct line *l)
{
	for (size_t i = 0, end; i < l->vis.length; i = end) {
		char sign = role_sign(l->vis.role[i]);

		for (end = i + 1; end < l->vis.length && l->vis.role[end] == l->vis.role[i]; end++)
			;
		if (sign != '.')
			strbuf_fmt(&g->html, "<b class=%s%c>", sign >= 'A' ? "h" : "",
				   sign >= 'A' ? '1' + sign - 'A' : sign == '-' ? 'x' : 'c');
		page_put_source(g, l->vis.text + i, end - i);
		if (sign != '.')
			strbuf_str(&g->html, "</b>");
	}
}

static void
plain_line(struct source *s, uint32_t number)
{
	struct strbuf cell = STRBUF_INIT;
	struct page *g = s->g;
	struct margin_figures f;
	bool code = figures_of_line(s->doc, number, &f);
	struct line l;

	for (int i = 0; i < g->nr_columns; i++) {
		strbuf_clear(&cell);
		if (code && f.never && !i)
			strbuf_str(&cell, "\303\227");
		else if (code && !f.never)
			put_cell(&cell, g, i, &f);
		put_right(g, cell.buf, page_margin_width(g, i));
		strbuf_char(&g->html, ' ');
	}
	strbuf_fmt(&g->html, "%6u  ", number);
	line_open(&l, s, number);
	plain_text(g, &l);
	strbuf_clear(&cell);
	docs_put_remarks(&cell, &g->docs, s->doc->file->id, number);
	if (cell.len) {
		strbuf_str(&g->html, "  <i>");
		page_put(g, cell.buf);
		strbuf_str(&g->html, "</i>");
	}
	strbuf_char(&g->html, '\n');
	line_close(&l);
	strbuf_release(&cell);
}

/* Is LINE, or the one before it or behind it, worth its place where not all fits? */
static bool
is_hot(const struct source *s, uint32_t line)
{
	const struct line_row *f = doc_figures(s->doc, line);

	return f && heat_level(&s->g->heat, metric_of_line(s->g->heat.metric, f)) > 0;
}

static void
plain_lines(struct source *s, const struct place *place)
{
	bool whole = place->end_line - place->line < PLAIN_LINES;
	uint32_t nr = 0, last = place->line - 1, line;

	for (line = place->line; line <= place->end_line && nr < PLAIN_LINES; line++) {
		read_window(s, line, place->end_line + 1);
		if (!whole && line != place->line && !is_hot(s, line))
			continue;
		if (line > last + 1)
			strbuf_fmt(&s->g->html, "<i>lines %u to %u</i>\n", last + 1, line - 1);
		plain_line(s, line);
		last = line;
		nr++;
	}
	if (last < place->end_line)
		strbuf_fmt(&s->g->html, "<i>lines %u to %u</i>\n", last + 1, place->end_line);
}

void
page_plain_sources(struct page *g)
{
	struct strbuf name = STRBUF_INIT;
	struct procedure_row row;
	struct source s;
	size_t nr = 0;

	for (size_t i = 0; i < g->nr_hottest && nr < PAGE_PLAIN_SOURCES; i++) {
		const struct page_procedure *at = &g->procedures[g->hottest[i]];
		struct doc *doc = at->shown ? docs_get(&g->docs, at->place.file) : NULL;

		if (!doc || !doc->text || at->place.end_line > doc->nr_lines ||
		    !profile_procedure(g->p, g->hottest[i], &row))
			continue;
		if (!nr++)
			strbuf_str(&g->html, "<h2>The hottest sources</h2>\n");
		strbuf_clear(&name);
		safe_str(&name, row.name);
		strbuf_str(&g->html, "<h3>");
		page_put(g, name.buf);
		strbuf_str(&g->html, " <small>");
		page_put(g, page_path(g, at->place.file));
		strbuf_fmt(&g->html, ":%u</small></h3>\n<pre>", at->place.line);
		source_begin(&s, g, doc);
		plain_lines(&s, &at->place);
		source_end(&s);
		strbuf_str(&g->html, "</pre>\n");
	}
	strbuf_release(&name);
}
