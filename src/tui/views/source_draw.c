/* Draws source text: margin, heat of each expression, selection, search hits. */
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/paint.h"
#include "tui/browser.h"
#include "tui/compare/compare_source.h"
#include "tui/screen/text_line.h"
#include "tui/views/source_view.h"
#include "util/text/safe.h"

int
source_cells(struct view *v, uint64_t columns, int width, struct source_cell *cells)
{
	const struct source *s = v->data;
	int nr = 0;

	if (compare_is_on(v->browser))
		return compare_cells(v->browser, width, cells);
	for (int i = 0; i < s->margins->nr; i++) {
		const struct margin_column *c = &s->margins->columns[i];

		if (columns & MARGIN_BIT(i))
			cells[nr++] = (struct source_cell){
				c->name, c->width ? c->width : s->count_width, c, CELL_A };
	}
	return nr;
}

/* "▌█ 1,204,331  8.00 ms │ 347 " */
int
source_margin(const struct source *s)
{
	int width = MARGIN_START + 2 + s->lineno_width + 1; /* rule, mark, line number, blank */

	for (int i = 0; i < s->nr_cells; i++)
		width += s->cells[i].width + 1;
	return width;
}

int
source_text_width(struct view *v)
{
	return v->area.w - source_margin(v->data) - source_strip_width(v);
}

/* Returns the part of a comparison that is drawn. */
static struct compare_source
window_of(struct view *v)
{
	const struct source *s = v->data;

	return (struct compare_source){
		.file = s->file, .from = (uint32_t)v->top + 1,
		.to = (uint32_t)(v->top + (size_t)v->area.h) + 1,
	};
}

uint64_t
source_needed_margin(const struct view *v)
{
	const struct browser *b = v->browser;

	return MARGIN_BIT(margin_of_metric(&b->margins, b->heat.metric));
}

/* The text gets the larger half of the pane. */
void
source_fit_margin(struct view *v)
{
	struct source *s = v->data;
	uint64_t shown = source_needed_margin(v);

	s->compared = compare_is_on(v->browser);
	for (int i = 0; i < s->margins->nr; i++) {
		uint64_t more = shown | (s->chosen & MARGIN_BIT(i));

		s->nr_cells = source_cells(v, more, v->area.w, s->cells);
		if (source_margin(s) <= v->area.w / 2)
			shown = more;
	}
	s->nr_cells = source_cells(v, shown, v->area.w, s->cells);
}

/* ---- the visible part of one line ---- */

static void
paint_selection(const struct source *s, const struct painted *vis, uint32_t line)
{
	size_t from, end;

	if (!s->selected.line || line < s->selected.line || line > s->selected.end_line)
		return;
	paint_extent(vis, &s->selected, line, &from, &end);
	paint_bytes(vis->overlay, vis, from, end, OVERLAY_SELECT);
}

/* Marks what PLACE calls, up to its arguments. */
static void
paint_callee(const struct painted *vis, const struct place *place, uint32_t line)
{
	size_t from, end, i;

	paint_extent(vis, place, line, &from, &end);
	for (i = from; i < end && i < vis->length; i++)
		if (vis->text[i] == '(' && i > from)
			break;
	paint_bytes(vis->overlay, vis, from, i, OVERLAY_CALL);
}

/* Marks the calls that the current procedure makes. */
static void
paint_calls(struct view *v, const struct doc *doc, const struct painted *vis, uint32_t line)
{
	const struct source *s = v->data;

	for (size_t i = 0; i < doc->nr_sites && doc->sites[i].place.line <= line; i++) {
		struct subject procedure = { doc->sites[i].procedure, s->file.first };

		if (doc->sites[i].place.line == line &&
		    subject_is(compare_procedure(v->browser, procedure), v->browser->procedure))
			paint_callee(vis, &doc->sites[i].place, line);
	}
}

static void
paint_hits(const struct search *search, const struct painted *vis)
{
	size_t from = vis->from > 200 ? vis->from - 200 : 0, start, end;
	size_t stop = vis->to + 200 < vis->length ? vis->to + 200 : vis->length;

	while (from < vis->to && search_find(search, vis->text, stop, from, &start, &end)) {
		paint_bytes(vis->overlay, vis, start, end, OVERLAY_MATCH);
		from = end;
	}
}

/* ---- margin ---- */

enum { MOST_SITES = 100 }; /* on one line that are asked for their callees */

/* Is the current procedure called from LINE? */
static bool
is_caller(struct view *v, const struct doc *doc, uint32_t line)
{
	size_t i;
	int asked = 0;

	for (i = 0; i < doc->nr_sites && doc->sites[i].place.line <= line; i++)
		if (doc->sites[i].place.line == line && asked++ < MOST_SITES &&
		    profile_site_calls(v->browser->profile, &doc->sites[i],
				       v->browser->procedure.id))
			return true;
	return false;
}

struct source_figures
source_figures(struct view *v, const struct compare_source *window, uint32_t line)
{
	struct source_figures f = { .there = false };

	if (compare_is_on(v->browser))
		f.compared = compare_value_of_line(v->browser, window, line);
	else
		f.there = figures_of_line(source_doc(v), line, &f.margin);
	f.there |= f.compared != NULL;
	return f;
}

void
source_print_cell(struct view *v, const struct source_cell *cell, const struct source_figures *f,
		  struct strbuf *out, enum role *role)
{
	if (!cell->column) {
		compare_print_cell(v->browser, cell, f->compared, out, role);
		return;
	}
	*role = f->margin.never ? ROLE_NEVER : ROLE_TEXT;
	margin_print(out, cell->column, &f->margin, v->browser->totals, cell->width, draw_ascii());
}

/* Prints how hot the line is, or whether more or less is done there. */
static void
print_heat(struct view *v, uint32_t line, const struct source_figures *f, struct strbuf *out,
	   enum role *role)
{
	const struct heat *heat = &v->browser->heat;
	const struct doc *doc = source_doc(v);

	if (f->compared) {
		compare_arrow(v->browser, compare_kind(v->browser, BY_LINE), f->compared->heat,
			      f->compared->unsure, out, role);
		return;
	}
	*role = f->margin.never ? ROLE_NEVER : ROLE_BAR;
	strbuf_str(out, f->margin.never
		   ? draw_glyph(GLYPH_NEVER)
		   : draw_column(heat_level(heat, paint_hottest(doc, line, doc_figures(doc, line),
								heat->metric))));
}

static void
draw_figures(struct view *v, uint32_t lineno, const struct source_figures *f,
	     const struct line *line)
{
	const struct source *s = v->data;
	struct strbuf text = STRBUF_INIT;
	enum role role;
	int x = MARGIN_START;

	print_heat(v, lineno, f, &text, &role);
	line_text(line, 1, 1, ALIGN_LEFT, role, text.buf, -1);
	if (!f->compared && f->margin.one_way)
		line_text(line, 2, 1, ALIGN_LEFT, ROLE_NEVER, draw_glyph(GLYPH_ONE_WAY), -1);
	for (int i = 0; i < s->nr_cells; i++) {
		strbuf_clear(&text);
		source_print_cell(v, &s->cells[i], f, &text, &role);
		line_text(line, x, s->cells[i].width, ALIGN_RIGHT, role, text.buf, -1);
		x += s->cells[i].width + 1;
	}
	strbuf_release(&text);
}

static void
draw_margin(struct view *v, const struct doc *doc, uint32_t lineno, const struct line *line)
{
	struct source *s = v->data;
	int x = source_margin(s) - s->lineno_width - 3;
	struct strbuf text = STRBUF_INIT;
	struct compare_source window = window_of(v);
	struct source_figures f = source_figures(v, &window, lineno);
	const char *mark = "";
	enum role role = ROLE_KEY;
	size_t nr;

	if (f.there)
		draw_figures(v, lineno, &f, line);
	line_text(line, x, 1, ALIGN_LEFT, ROLE_RULE, draw_glyph(GLYPH_VLINE), -1);
	if (s->compared)
		mark = compare_line_mark(v->browser, &window, lineno, &role);
	else if (errors_on(&v->browser->errors, s->file.first ? 0 : s->file.id, lineno)) {
		mark = "!";
		role = ROLE_ERROR;
	} else if (remarks_on(&v->browser->docs.remarks, s->file.id, lineno, &nr), nr) {
		mark = "\"";
	} else if (is_caller(v, doc, lineno)) {
		mark = draw_glyph(GLYPH_CALLER);
	}
	line_text(line, x + 1, 1, ALIGN_LEFT, role, mark, -1);
	strbuf_fmt(&text, "%u", lineno);
	line_text(line, x + 2, s->lineno_width, ALIGN_RIGHT, ROLE_LINENO, text.buf, -1);
	strbuf_release(&text);
}

void
source_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct source *s = v->data;
	struct doc *doc = source_doc(v);
	uint32_t lineno = (uint32_t)row + 1;
	struct area area = { line->y, line->x, 1, source_margin(s) - 1 };
	struct line margin = *line, text = *line;
	int x = source_margin(s);
	struct painted vis;

	if (row == v->cursor)
		margin = draw_line(&area, 0, browser_view(v->browser) == v ? OVERLAY_CURSOR
									   : OVERLAY_CURSOR_IDLE);
	draw_margin(v, doc, lineno, &margin);
	text_look_at(doc, lineno, v->left, source_text_width(v), &vis);
	if (s->compared) {
		struct compare_source window = window_of(v);

		compare_paint(v->browser, &window, &vis, lineno);
	} else {
		paint_line(&vis, doc, lineno, &v->browser->heat);
	}
	paint_calls(v, doc, &vis, lineno);
	paint_selection(s, &vis, lineno);
	paint_hits(&v->browser->search, &vis);
	text.w -= source_strip_width(v);
	text_draw(&vis, &text, x, v->left);
	if (!s->compared && vis.to == vis.length)
		remark_draw(v->browser, s->file.id, lineno, &text,
			    x + doc_column(doc, lineno, vis.length) - v->left + 2);
	source_draw_strip(v, row, line);
}
