#include "show/margin.h"

#include <string.h>

#include "show/human.h"
#include "show/value.h"

enum { LEAST_COUNT = 7, MOST_COUNT = 15 };

const struct margin_column margin_columns[MARGIN_NR] = {
	[MARGIN_COUNT] = { "count", "how often it was executed", 0 },
	[MARGIN_SELF] = { "self", "its own time", 8 },
	[MARGIN_PERCENT] = { "self%", "its share of all time", 5 },
	[MARGIN_ERROR] = { "error", "sampling error of its own time", 5 },
	[MARGIN_SAMPLES] = { "samples", "the samples that its own time is made of", 8 },
	[MARGIN_BELOW] = { "below", "time below its costliest call", 8 },
	[MARGIN_WAIT] = { "wait", "time that threads waited there", 8 },
	[MARGIN_EACH] = { "self/x", "its own time for each execution", 8 },
};

/* The costliest call that begins and ends within PLACE. */
static uint64_t
below(const struct doc *doc, const struct place *place)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < doc->nr_sites && doc->sites[i].place.line <= place->end_line; i++)
		if (doc->sites[i].total_ns > most && place_holds(place, &doc->sites[i].place))
			most = doc->sites[i].total_ns;
	return most;
}

/* Was an expression executed that is on LINE, or in part? */
static bool
is_touched(const struct doc *doc, uint32_t line)
{
	const struct range_row *r;
	size_t i;

	for (i = 0; i < doc->nr_ranges && doc->ranges[i].place.line <= line; i++) {
		r = &doc->ranges[i];
		if (r->count && r->place.end_line >= line && r->kind != RANGE_PROCEDURE)
			return true;
	}
	return false;
}

bool
figures_of_line(const struct doc *doc, uint32_t line, struct margin_figures *f)
{
	const struct line_row *l = doc_figures(doc, line);
	size_t i;

	memset(f, 0, sizeof(*f));
	if (!l)
		return false;
	*f = (struct margin_figures){ l->count, l->self_ns, l->self_samples, l->self_wait_ns, 0,
			       !l->count && !is_touched(doc, line) };
	for (i = 0; i < doc->nr_sites && doc->sites[i].place.line <= line; i++)
		if (doc->sites[i].place.line == line && doc->sites[i].total_ns > f->below_ns)
			f->below_ns = doc->sites[i].total_ns;
	return true;
}

void
figures_of_range(const struct doc *doc, const struct range_row *r, struct margin_figures *f)
{
	*f = (struct margin_figures){ r->count, r->self_ns, r->self_samples, r->self_wait_ns,
			       below(doc, &r->place), !r->count };
}

/* Where there is none the line keeps still. */
static void
print_time(struct strbuf *out, uint64_t ns, bool ascii)
{
	if (ns)
		value_whole(out, UNIT_NS, ns, VALUE_WIDE, ascii);
}

void
margin_print(struct strbuf *out, enum margin m, const struct margin_figures *f, uint64_t whole,
	     int width, bool ascii)
{
	switch (m) {
	case MARGIN_COUNT:
		value_whole(out, UNIT_COUNT, f->count, width, ascii);
		break;
	case MARGIN_SELF:
		print_time(out, f->self_ns, ascii);
		break;
	case MARGIN_PERCENT:
		if (f->self_ns)
			human_percent(out, f->self_ns, whole);
		break;
	case MARGIN_ERROR:
		if (f->samples)
			human_error(out, f->samples);
		break;
	case MARGIN_SAMPLES:
		if (f->samples)
			value_whole(out, UNIT_SAMPLES, f->samples, width, ascii);
		break;
	case MARGIN_BELOW:
		print_time(out, f->below_ns, ascii);
		break;
	case MARGIN_WAIT:
		print_time(out, f->wait_ns, ascii);
		break;
	case MARGIN_EACH:
		if (f->self_ns && f->count)
			human_each(out, f->self_ns, f->count, ascii);
		break;
	case MARGIN_NR:
		break;
	}
}

unsigned
margin_default(const struct profile_totals *totals)
{
	unsigned set = 1u << MARGIN_COUNT | 1u << MARGIN_SELF;

	return totals->run.wall_interval_ns ? set | 1u << MARGIN_WAIT : set;
}

int
margin_count_width(const struct profile_totals *totals)
{
	struct strbuf text = STRBUF_INIT;
	int width;

	human_count(&text, totals->max_line_count);
	width = text.len < LEAST_COUNT  ? LEAST_COUNT
		: text.len > MOST_COUNT ? MOST_COUNT
					: (int)text.len;
	strbuf_release(&text);
	return width;
}

int
margin_find(const char *name, size_t length)
{
	int i;

	for (i = 0; i < MARGIN_NR; i++)
		if (strlen(margin_columns[i].name) == length &&
		    !strncmp(margin_columns[i].name, name, length))
			return i;
	return -1;
}
