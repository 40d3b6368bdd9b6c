#include "show/paint.h"

#include <ctype.h>
#include <string.h>

uint64_t
paint_hottest(const struct doc *doc, uint32_t line, const struct line_row *f,
	      const struct metric *metric)
{
	uint64_t most = f ? metric_of_line(metric, f) : 0, below;

	for (size_t i = 0; metric->total && i < doc->nr_sites &&
			   doc->sites[i].place.line <= line; i++) {
		below = metric_of_site(metric, &doc->sites[i]);
		if (doc->sites[i].place.line == line && below > most)
			most = below;
	}
	return most;
}

void
paint_bytes(uint8_t *to, const struct painted *vis, size_t from, size_t end, uint8_t value)
{
	if (from < vis->from)
		from = vis->from;
	if (end > vis->to)
		end = vis->to;
	if (from < end)
		memset(to + from - vis->from, value, end - from);
}

static size_t
indent_of(const struct painted *vis)
{
	size_t i = 0;

	while (i < vis->length && (vis->text[i] == ' ' || vis->text[i] == '\t'))
		i++;
	return i;
}

void
paint_extent(const struct painted *vis, const struct place *place, uint32_t line, size_t *from,
	     size_t *end)
{
	*from = line == place->line ? (place->column ? place->column - 1 : 0) : indent_of(vis);
	*end = line == place->end_line && place->end_column ? place->end_column : vis->length;
}

size_t
paint_end_of_name(const struct painted *vis, size_t from)
{
	size_t i = from;

	while (i < vis->length && (isalnum((unsigned char)vis->text[i]) || vis->text[i] == '_' ||
				   (unsigned char)vis->text[i] >= 0x80))
		i++;
	return i;
}

/* Of a whole procedure only its name is coloured. */
static void
paint_range(struct painted *vis, const struct range_row *r, uint32_t line, const struct heat *heat)
{
	enum role role = heat_role(heat, r->count, metric_of_range(heat->metric, r));
	size_t from, end;

	if (r->kind == RANGE_PROCEDURE && line != r->place.line)
		return;
	paint_extent(vis, &r->place, line, &from, &end);
	if (r->kind == RANGE_PROCEDURE)
		end = paint_end_of_name(vis, from);
	paint_bytes(vis->role, vis, from, end, (uint8_t)role);
}

/* A total belongs to calls: what is below them. */
static void
paint_site(struct painted *vis, const struct site_row *s, uint32_t line, const struct heat *heat)
{
	uint64_t total = metric_of_site(heat->metric, s);
	size_t from, end;

	if (s->place.line > line || s->place.end_line < line || !total)
		return;
	paint_extent(vis, &s->place, line, &from, &end);
	paint_bytes(vis->role, vis, from, end, (uint8_t)heat_role(heat, s->count, total));
}

/* A is around B, or before it, or the same. */
static bool
comes_first(const struct place *a, const struct place *b)
{
	if (a->line != b->line)
		return a->line < b->line;
	if (a->column != b->column)
		return a->column < b->column;
	return place_holds(a, b);
}

/* Ranges come outer before inner, and so do calls: the innermost is painted last. Returns how many
 * ranges touch the line. */
static int
paint_ranges(struct painted *vis, const struct doc *doc, uint32_t line, const struct heat *heat)
{
	size_t i, site = 0, sites = heat->metric->total ? doc->nr_sites : 0;
	const struct range_row *r;
	int nr = 0;

	for (i = 0; i < doc->nr_ranges; i++) {
		r = &doc->ranges[i];
		if (r->place.line > line)
			break;
		for (; site < sites && !comes_first(&r->place, &doc->sites[site].place); site++)
			paint_site(vis, &doc->sites[site], line, heat);
		if (r->place.end_line < line)
			continue;
		paint_range(vis, r, line, heat);
		nr += r->kind != RANGE_PROCEDURE || r->place.line == line;
	}
	for (; site < sites && doc->sites[site].place.line <= line; site++)
		paint_site(vis, &doc->sites[site], line, heat);
	return nr;
}

void
paint_line(struct painted *vis, const struct doc *doc, uint32_t line, const struct heat *heat)
{
	const struct line_row *f = doc_figures(doc, line);

	memset(vis->role, ROLE_NO_CODE, vis->to - vis->from);
	if (paint_ranges(vis, doc, line, heat) || !f)
		return;
	/* Without ranges the whole line takes the line's heat, below that of its calls. */
	paint_bytes(vis->role, vis, indent_of(vis), vis->length,
		    (uint8_t)heat_role(heat, f->count, metric_of_line(heat->metric, f)));
	paint_ranges(vis, doc, line, heat);
}
