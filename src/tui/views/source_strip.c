/* The strip at the right edge of a long source: the heat of all of it. Each row of the pane stands
 * for many lines, and has the figure of the hottest of them. */
#include <stdlib.h>

#include "show/heat.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "tui/views/source_view.h"
#include "tui/views/table.h"

enum {
	LEAST_LINES = 4,   /* of a row: a shorter source has no strip */
	LEAST_COLUMNS = 40,
	PIECE = 512,       /* lines that are read at once */
};

static uint32_t
nr_lines(struct view *v)
{
	return (uint32_t)view_rows(v);
}

int
source_strip_width(struct view *v)
{
	size_t rows = (size_t)view_body_height(v);
	bool wanted = rows && v->area.w >= LEAST_COLUMNS &&
		      nr_lines(v) / rows >= LEAST_LINES && !compare_is_on(v->browser);

	return wanted ? 2 : 0;
}

void
source_forget_strip(struct source *s)
{
	free(s->strip.rows);
	s->strip.rows = NULL;
	s->strip.nr = 0;
	s->strip.line = 0;
}

static size_t
row_of(const struct source *s, uint32_t all, uint32_t line)
{
	return (size_t)((uint64_t)(line - 1) * s->strip.nr / all);
}

static void
take(struct source *s, uint32_t all, uint32_t line, int64_t figure)
{
	struct strip_row *r;

	if (!line || line > all)
		return;
	r = &s->strip.rows[row_of(s, all, line)];
	if (figure_size(figure) > figure_size(r->figure))
		*r = (struct strip_row){ figure, line };
}

/* Reads the lines that are next, PIECE of them. */
static void
read_piece(struct view *v)
{
	struct source *s = v->data;
	const struct metric *metric = v->browser->heat.metric;
	uint32_t all = nr_lines(v), first = s->strip.line + 1, last = s->strip.line + PIECE;
	struct line_row *lines = NULL;
	struct site_row *sites = NULL;
	size_t nr = 0;

	if (metric->total)
		nr = profile_sites(source_profile(v), s->file.id, first, last, &sites);
	else
		nr = profile_lines(source_profile(v), s->file.id, first, last, &lines);
	for (size_t i = 0; i < nr; i++)
		if (metric->total)
			take(s, all, sites[i].place.line, metric_of_site(metric, &sites[i]));
		else
			take(s, all, lines[i].line, metric_of_line(metric, &lines[i]));
	free(lines);
	free(sites);
	s->strip.line = last;
}

unsigned
source_strip_work(struct view *v)
{
	struct source *s = v->data;
	size_t rows = (size_t)view_body_height(v);
	uint32_t all = nr_lines(v);

	if (!source_strip_width(v))
		return 0;
	if (s->strip.nr != rows) {
		source_forget_strip(s);
		s->strip.rows = xcalloc(rows, sizeof(*s->strip.rows));
		s->strip.nr = rows;
	}
	if (s->strip.line >= all)
		return 0;
	busy_slice(v->browser, SLICE_IDLE);
	do
		read_piece(v);
	while (s->strip.line < all && !busy_over(v->browser));
	return s->strip.line < all ? WORK_MORE : WORK_NEW;
}

/* Is any of the lines of ROW to be seen? */
static bool
is_seen(struct view *v, size_t row)
{
	const struct source *s = v->data;
	uint32_t all = nr_lines(v);
	size_t first = row_of(s, all, (uint32_t)v->top + 1);
	size_t last = (size_t)v->top + (size_t)view_body_height(v);

	return row >= first && row <= row_of(s, all, last < all ? (uint32_t)last : all);
}

/* With few colours how hot it is must not be told by a colour alone. */
void
source_draw_strip(struct view *v, size_t row, const struct line *line)
{
	const struct source *s = v->data;
	size_t i = row - v->top;
	bool seen, few = draw_palette_now() <= PALETTE_FEW;
	int level;

	if (!source_strip_width(v) || s->strip.nr != (size_t)view_body_height(v) ||
	    i >= s->strip.nr)
		return;
	seen = is_seen(v, i);
	level = heat_level(&v->browser->heat, s->strip.rows[i].figure);
	if (level && few)
		line_text(line, line->w - 1, 1, ALIGN_LEFT, ROLE_BAR, draw_column(level), -1);
	else if (level)
		line_text(line, line->w - 1, 1, ALIGN_LEFT, ROLE_HEAT_1 + (enum role)level - 1,
			  seen ? draw_glyph(GLYPH_VLINE) : " ", -1);
	else if (seen)
		line_text(line, line->w - 1, 1, ALIGN_LEFT, ROLE_RULE, draw_glyph(GLYPH_VLINE), -1);
}

void
source_pick(struct view *v, size_t row, int x)
{
	struct source *s = v->data;
	size_t i = row - v->top;
	uint32_t line;

	if (!source_strip_width(v) || x < v->area.w - 1 || i >= s->strip.nr) {
		view_move_to(v, row);
		return;
	}
	line = s->strip.rows[i].line;
	if (!line)
		line = (uint32_t)((uint64_t)i * nr_lines(v) / s->strip.nr) + 1;
	source_show(v, s->file, line, NULL);
}
