#include "show/paint.h"

#include <ctype.h>
#include <string.h>

int64_t
paint_hottest(const struct doc *doc, uint32_t line, const struct line_row *f,
	      const struct metric *metric)
{
	int64_t most = f ? metric_of_line(metric, f) : 0, below;

	for (size_t i = 0; metric->total && i < doc->nr_sites &&
			   doc->sites[i].place.line <= line; i++) {
		below = metric_of_site(metric, &doc->sites[i]);
		if (doc->sites[i].place.line == line && figure_size(below) > figure_size(most))
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

static size_t
end_of_name(const struct painted *vis, size_t from)
{
	size_t i = from;

	while (i < vis->length && (isalnum((unsigned char)vis->text[i]) || vis->text[i] == '_' ||
				   (unsigned char)vis->text[i] >= 0x80))
		i++;
	return i;
}

static void
paint_mark(struct painted *vis, const struct paint_mark *m, uint32_t line)
{
	size_t from, end;

	paint_extent(vis, &m->place, line, &from, &end);
	paint_bytes(vis->role, vis, from, m->name ? end_of_name(vis, from) : end,
		    (uint8_t)m->role);
}

void
paint_marks(struct painted *vis, uint32_t line, paint_next *next, void *context, enum role whole)
{
	struct paint_mark m;
	size_t i, from = indent_of(vis);
	bool any = false;

	memset(vis->role, ROLE_NO_CODE, vis->to - vis->from);
	while (next(context, &m) && m.place.line <= line) {
		if ((m.name ? m.place.line : m.place.end_line) < line)
			continue;
		paint_mark(vis, &m, line);
		any |= !m.call;
	}
	for (i = from > vis->from ? from : vis->from; !any && i < vis->to; i++)
		if (vis->role[i - vis->from] == ROLE_NO_CODE)
			vis->role[i - vis->from] = (uint8_t)whole;
}

/* Is A around B, or before it, or equal? */
static bool
comes_first(const struct place *a, const struct place *b)
{
	if (a->line != b->line)
		return a->line < b->line;
	if (a->column != b->column)
		return a->column < b->column;
	return place_holds(a, b);
}

/* Goes through ranges, or for a total, which belongs to calls, through calls. */
struct heat_marks {
	const struct doc *doc;
	const struct heat *heat;
	uint32_t line;           /* ranges that end before it are left out */
	size_t range, site;      /* the next ones */
};

static bool
next_of_heat(void *context, struct paint_mark *m)
{
	struct heat_marks *h = context;
	const struct metric *metric = h->heat->metric;
	const struct range_row *r = h->doc->ranges + h->range;
	const struct range_row *end = h->doc->ranges + h->doc->nr_ranges;
	const struct site_row *s = h->doc->sites + h->site;
	const struct site_row *last = h->doc->sites + (metric->total ? h->doc->nr_sites : 0);

	if (metric->of_lines)
		return false;
	/* All of a line has the line's own heat. */
	while (r < end && (r->place.end_line < h->line || r->kind == RANGE_LINE))
		r++;
	while (s < last && (s->place.end_line < h->line || !metric_of_site(metric, s)))
		s++;
	h->range = (size_t)(r - h->doc->ranges);
	h->site = (size_t)(s - h->doc->sites);
	if (s < last && (r == end || !comes_first(&r->place, &s->place))) {
		h->site++;
		*m = (struct paint_mark){ s->place, false, true,
					  heat_role(h->heat, s->total[MEASURE_COUNT], s->uncounted,
						    metric_of_site(metric, s)) };
		return true;
	}
	if (r == end)
		return false;
	h->range++;
	*m = (struct paint_mark){ r->place, r->kind == RANGE_PROCEDURE, false,
				  heat_role(h->heat, r->self[MEASURE_COUNT], r->lacking,
					    metric_of_range(metric, r)) };
	return true;
}

void
paint_line(struct painted *vis, const struct doc *doc, uint32_t line, const struct heat *heat)
{
	const struct line_row *f = doc_figures(doc, line);
	struct heat_marks marks = { .doc = doc, .heat = heat, .line = line };

	paint_marks(vis, line, next_of_heat, &marks,
		    !f ? ROLE_NO_CODE
		       : heat_role(heat, f->self[MEASURE_COUNT], f->lacking,
				    metric_of_line(heat->metric, f)));
}
