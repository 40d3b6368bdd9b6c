/* Drawing source text: margin, heat of each expression, selection, search hits. */
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/paint.h"
#include "tui/browser.h"
#include "tui/compare_source.h"
#include "tui/source_view.h"
#include "tui/text_line.h"
#include "util/safe.h"

/* Before the figures: cursor, heat, a blank. */
enum { MARGIN_START = 3 };

int
source_column_width(const struct source *s, int column)
{
	int width = s->margins->columns[column].width;

	return width ? width : s->count_width;
}

static int
margin_width(const struct source *s, uint64_t columns)
{
	int width = MARGIN_START + 2 + s->lineno_width + 1; /* rule, mark, line number, blank */

	for (int i = 0; i < s->margins->nr; i++)
		if (columns & MARGIN_BIT(i))
			width += source_column_width(s, i) + 1;
	return width;
}

/* "▌█ 1,204,331  8.00 ms │ 347 " */
int
source_margin(const struct source *s)
{
	return margin_width(s, s->shown) + s->compared;
}

/* What of a comparison is drawn. */
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
	uint64_t needed = source_needed_margin(v);
	int room = v->area.w / 2;

	s->compared = compare_is_on(v->browser) ? compare_margin(v->area.w) : 0;
	if (s->compared) {
		s->shown = 0;
		return;
	}
	s->shown = needed;
	for (int i = 0; i < s->margins->nr; i++) {
		uint64_t more = s->shown | (s->chosen & MARGIN_BIT(i));

		if (margin_width(s, more) <= room)
			s->shown = more;
	}
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

/* What PLACE calls, up to its arguments. */
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

/* The calls that the procedure that is looked at makes. */
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

enum { MOST_SITES = 100 }; /* of one line that are asked whom they call */

/* Is the procedure that is looked at called from LINE? */
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

static void
draw_figures(struct view *v, const struct doc *doc, const struct margin_figures *f, uint32_t lineno,
	     const struct line *line)
{
	const struct heat *heat = &v->browser->heat;
	struct source *s = v->data;
	uint64_t hot = paint_hottest(doc, lineno, doc_figures(doc, lineno), heat->metric);
	struct strbuf text = STRBUF_INIT;
	int i, w, x = MARGIN_START;

	line_text(line, 1, 1, ALIGN_LEFT, f->never ? ROLE_NEVER : ROLE_BAR,
		  f->never ? draw_glyph(GLYPH_NEVER) : draw_column(heat_level(heat, hot)), -1);
	for (i = 0; i < s->margins->nr; i++) {
		if (!(s->shown & MARGIN_BIT(i)))
			continue;
		w = source_column_width(s, i);
		strbuf_clear(&text);
		margin_print(&text, &s->margins->columns[i], f, v->browser->totals->self_ns, w,
			     draw_ascii());
		line_text(line, x, w, ALIGN_RIGHT, f->never ? ROLE_NEVER : ROLE_TEXT,
			  text.buf, -1);
		x += w + 1;
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
	struct margin_figures f;
	enum role role = ROLE_TEXT;

	if (s->compared)
		compare_draw_margin(v->browser, &window, lineno, line, v->area.w);
	else if (figures_of_line(doc, lineno, &f))
		draw_figures(v, doc, &f, lineno, line);
	line_text(line, x, 1, ALIGN_LEFT, ROLE_RULE, draw_glyph(GLYPH_VLINE), -1);
	if (s->compared) {
		const char *mark = compare_line_mark(v->browser, &window, lineno, &role);

		line_text(line, x + 1, 1, ALIGN_LEFT, role, mark, -1);
	} else if (is_caller(v, doc, lineno))
		line_text(line, x + 1, 1, ALIGN_LEFT, ROLE_KEY, draw_glyph(GLYPH_CALLER), -1);
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
	struct line margin = *line;
	int x = source_margin(s);
	struct painted vis;

	if (row == v->cursor)
		margin = draw_line(&area, 0, browser_view(v->browser) == v ? OVERLAY_CURSOR
									   : OVERLAY_CURSOR_IDLE);
	draw_margin(v, doc, lineno, &margin);
	text_look_at(doc, lineno, v->left, line->w - x, &vis);
	if (s->compared) {
		struct compare_source window = window_of(v);

		compare_paint(v->browser, &window, &vis, lineno);
	} else {
		paint_line(&vis, doc, lineno, &v->browser->heat);
	}
	paint_calls(v, doc, &vis, lineno);
	paint_selection(s, &vis, lineno);
	paint_hits(&v->browser->search, &vis);
	text_draw(&vis, line, x, v->left);
}
