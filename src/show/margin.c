#include "show/margin.h"

#include <string.h>

#include "show/human.h"
#include "show/value.h"
#include "util/text/safe.h"

enum { LEAST_COUNT = 7, MOST_COUNT = 15 };

/* ---- figures ---- */

/* Returns the costliest call on F's line, or within its expression; NULL: there is none. */
static const struct site_row *
costliest(const struct metric *m, const struct margin_figures *f)
{
	const struct doc *doc = f->doc;
	uint32_t last = f->range ? f->range->place.end_line : f->line;
	const struct site_row *most = NULL;

	for (size_t i = 0; i < doc->nr_sites && doc->sites[i].place.line <= last; i++) {
		const struct place *place = &doc->sites[i].place;

		if (f->range ? !place_holds(&f->range->place, place) : place->line != f->line)
			continue;
		if (!most || figure_size(metric_of_site(m, &doc->sites[i])) >
				     figure_size(metric_of_site(m, most)))
			most = &doc->sites[i];
	}
	return most;
}

static int64_t
figure(const struct metric *m, const struct margin_figures *f)
{
	const struct site_row *site = m->total ? costliest(m, f) : NULL;

	return m->total   ? site ? metric_of_site(m, site) : 0
	       : f->range ? metric_of_range(m, f->range)
			  : metric_of_line(m, f->of_line);
}

/* Was an expression executed that is on LINE, even in part; or may it have been? */
static bool
is_touched(const struct doc *doc, uint32_t line)
{
	const struct range_row *r;
	size_t i;

	for (i = 0; i < doc->nr_ranges && doc->ranges[i].place.line <= line; i++) {
		r = &doc->ranges[i];
		if ((r->self[MEASURE_COUNT] || r->lacking) && r->place.end_line >= line &&
		    r->kind != RANGE_PROCEDURE)
			return true;
	}
	return false;
}

/* Returns the first condition of DOC on LINE or behind; conditions.nr: there is none. */
static size_t
first_condition(const struct doc *doc, uint32_t line)
{
	size_t low = 0, high = doc->conditions.nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (doc->conditions.items[middle].place.line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Are only blanks and bytes of BRACKETS on LINE from byte FROM (from 1) on and before END? */
static bool
is_blank(const struct doc *doc, uint32_t line, uint32_t from, uint32_t end, const char *brackets)
{
	const char *s;
	size_t n;

	if (!doc->text || from > end)
		return false;
	s = doc_line(doc, line, &n);
	for (size_t i = from - 1; i + 1 < end; i++)
		if (i >= n || !strchr(brackets, s[i]))
			return false;
	return true;
}

/* Is the text of condition C at PLACE? What an if tests has its brackets there. */
static bool
is_condition_of(const struct doc *doc, const struct place *place, const struct condition *c)
{
	const struct place *p = &c->place;

	return place_same(place, p) ||
	       (place->column && place->line == p->line && place->end_line == p->end_line &&
		is_blank(doc, p->line, place->column, p->column, "( \t") &&
		is_blank(doc, p->end_line, p->end_column + 1, place->end_column + 1, ") \t"));
}

/* Returns how many conditions on LINE, or if PLACE is not NULL there, never went one of their ways,
 * and in *FIRST the first of them. */
static size_t
count_one_way(const struct doc *doc, uint32_t line, const struct place *place,
	      const struct condition **first)
{
	const struct condition *c;
	size_t nr = 0;

	*first = NULL;
	for (size_t i = first_condition(doc, line); i < doc->conditions.nr; i++) {
		c = &doc->conditions.items[i];
		if (c->place.line != line)
			break;
		if ((place && !is_condition_of(doc, place, c)) || !condition_is_one_way(c))
			continue;
		*first = nr++ ? *first : c;
	}
	return nr;
}

bool
figures_of_line(const struct doc *doc, uint32_t line, struct margin_figures *f)
{
	const struct line_row *l = doc_figures(doc, line);

	memset(f, 0, sizeof(*f));
	if (!l)
		return false;
	*f = (struct margin_figures){
		.doc = doc, .line = line, .of_line = l, .count = l->self[MEASURE_COUNT],
		.never = !l->self[MEASURE_COUNT] && !l->lacking && !is_touched(doc, line),
	};
	count_one_way(doc, line, NULL, &f->one_way);
	return true;
}

void
figures_of_range(const struct doc *doc, const struct range_row *r, struct margin_figures *f)
{
	*f = (struct margin_figures){
		.doc = doc, .range = r, .count = r->self[MEASURE_COUNT],
		.never = !r->self[MEASURE_COUNT] && !r->lacking,
	};
	count_one_way(doc, r->place.line, &r->place, &f->one_way);
}

void
margin_put_one_way(struct strbuf *out, const struct margin_figures *f)
{
	const struct condition *first;
	size_t nr;

	if (!f->one_way)
		return;
	if (!f->range)
		strbuf_fmt(out, "%u: ", f->one_way->place.column);
	strbuf_str(out, "never ");
	condition_put_missing(out, f->one_way);
	nr = count_one_way(f->doc, f->one_way->place.line, f->range ? &f->range->place : NULL,
			   &first);
	if (nr > 1)
		strbuf_fmt(out, ", and %zu more", nr - 1);
}

/* ---- columns ---- */

struct margin_cell {
	const struct metric *metric;
	const struct margin_figures *figures;
	const struct profile_totals *all;
	int width;
	bool ascii;
};

static uint64_t
samples_of(const struct margin_cell *c)
{
	const struct margin_figures *f = c->figures;

	return f->range ? f->range->self[MEASURE_SAMPLES] : f->of_line->self[MEASURE_SAMPLES];
}

static void
print_count(struct strbuf *out, const struct margin_cell *c)
{
	const struct margin_figures *f = c->figures;
	bool lacking = f->range ? f->range->lacking : f->of_line->lacking;
	int mark;

	if (f->range ? f->range->uncounted : f->of_line->uncounted)
		return;
	mark = lacking ? value_mark(out, "lacking", c->ascii) : 0;

	value_whole(out, c->metric->unit, figure(c->metric, f), c->width - mark, c->ascii);
}

/* A line without a figure stays blank. */
static void
print_figure(struct strbuf *out, const struct margin_cell *c)
{
	int64_t n = figure(c->metric, c->figures);
	bool shared = n && c->metric->carried && costliest(c->metric, c->figures)->shared;
	int mark = shared ? value_mark(out, "estimated", c->ascii) : 0;

	if (n)
		metric_print(out, c->metric, n, c->width - mark, c->ascii);
}

static void
print_percent(struct strbuf *out, const struct margin_cell *c)
{
	uint64_t n = figure(c->metric, c->figures);

	if (n)
		human_percent(out, n, c->all->self_ns);
}

static void
print_error(struct strbuf *out, const struct margin_cell *c)
{
	const struct margin_figures *f = c->figures;
	uint64_t ns = f->range ? f->range->self[MEASURE_TIME] : f->of_line->self[MEASURE_TIME];

	if (samples_of(c))
		human_error(out, profile_samples(c->all, samples_of(c), ns),
			    profile_samples(c->all, c->all->self_samples, c->all->self_ns));
}

static void
print_samples(struct strbuf *out, const struct margin_cell *c)
{
	if (samples_of(c))
		value_whole(out, UNIT_SAMPLES, samples_of(c), c->width, c->ascii);
}

static void
print_each(struct strbuf *out, const struct margin_cell *c)
{
	uint64_t n = figure(c->metric, c->figures);

	if (n && c->figures->count && !c->all->is_span)
		human_each(out, n, c->figures->count, c->ascii);
}

enum { FIGURE_WIDTH = 8, VALUE_WIDTH = 11 /* "1.23457e-05" */, MOST_WIDTH = 12 };

static const struct {
	struct margin_column column;
	int metric;
} builtin[NR_BUILTIN_MARGINS] = {
#define C(name, help, width, of, print) { { name, help, width, NULL, print }, METRIC_##of }
	[MARGIN_COUNT] = C("count", "how often it was executed", 0, COUNT, print_count),
	[MARGIN_SELF] = C("self", "its own time", FIGURE_WIDTH, SELF, print_figure),
	[MARGIN_PERCENT] = C("self%", "its share of all time", 5, SELF, print_percent),
	[MARGIN_ERROR] = C("error", "sampling error of its own time", 5, SELF, print_error),
	[MARGIN_SAMPLES] = C("samples", "the samples that its own time is made of", 8, SELF,
			     print_samples),
	[MARGIN_BELOW] = C("below", "time in what its costliest call calls", FIGURE_WIDTH, TOTAL,
			   print_figure),
	[MARGIN_WAIT] = C("wait", "time that threads waited there", FIGURE_WIDTH, WAIT,
			  print_figure),
	[MARGIN_EACH] = C("self/x", "its own time for each execution", 8, SELF, print_each),
#undef C
};

void
margins_of(struct margins *m, const struct metrics *metrics)
{
	m->first = &metrics->items[metrics->first];
	for (m->nr = 0; m->nr < NR_BUILTIN_MARGINS; m->nr++) {
		m->columns[m->nr] = builtin[m->nr].column;
		m->columns[m->nr].metric = &metrics->items[builtin[m->nr].metric];
	}
	for (size_t i = METRIC_TOTAL_WAIT; i < metrics->nr; i++) {
		const struct metric *metric = &metrics->items[i];
		int width = (int)strlen(metric->name);
		int least = metric->unit == UNIT_VALUE ? VALUE_WIDTH : FIGURE_WIDTH;

		width = width < least ? least : width;
		m->columns[m->nr++] = (struct margin_column){
			metric->name, metric->title, width < MOST_WIDTH ? width : MOST_WIDTH,
			metric, print_figure };
	}
}

void
margin_print(struct strbuf *out, const struct margin_column *c, const struct margin_figures *f,
	     const struct profile_totals *all, int width, bool ascii)
{
	const struct margin_cell cell = { c->metric, f, all, width, ascii };

	c->print(out, &cell);
}

void
margin_put_head(struct strbuf *out, const struct margin_column *c, int width)
{
	struct strbuf head = STRBUF_INIT;

	safe_fit(&head, c->name, strlen(c->name), width);
	safe_put_right(out, head.buf, head.len, width);
	strbuf_release(&head);
}

uint64_t
margin_default(const struct margins *m)
{
	uint64_t set = 0;
	int first;

	if (m->columns[MARGIN_SELF].metric->there) {
		set |= MARGIN_BIT(MARGIN_SELF);
	} else if (m->first->measure > NR_BUILTIN_MEASURES) { /* its total stands behind it */
		first = margin_of_metric(m, m->first);
		set |= MARGIN_BIT(first);
		if (first + 1 < m->nr &&
		    m->columns[first + 1].metric->measure == m->first->measure)
			set |= MARGIN_BIT(first + 1);
	}
	if (m->columns[MARGIN_COUNT].metric->there)
		set |= MARGIN_BIT(MARGIN_COUNT);
	return m->columns[MARGIN_WAIT].metric->there ? set | MARGIN_BIT(MARGIN_WAIT) : set;
}

int
margin_of_metric(const struct margins *m, const struct metric *metric)
{
	int i = 0;

	while (i < m->nr - 1 && m->columns[i].metric != metric)
		i++;
	return i;
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
margin_find(const struct margins *m, const char *name, size_t length)
{
	for (int i = 0; i < m->nr; i++)
		if (strlen(m->columns[i].name) == length &&
		    !strncmp(m->columns[i].name, name, length))
			return i;
	return -1;
}
