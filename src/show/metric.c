#include "show/metric.h"

#include <stdio.h>
#include <string.h>

#include "show/value.h"
#include "util/text/safe.h"

#define AT(range, line, procedure)                                                                 \
	offsetof(struct range_row, range), offsetof(struct line_row, line),                        \
		offsetof(struct procedure_row, procedure)
#define SITE(of) offsetof(struct site_row, of)
#define NO_SITE 0

static const struct metric builtin[NR_BUILTIN_METRICS] = {
	[METRIC_SELF] = { "self", "self time", "executed, no time seen", "self_ns", UNIT_NS, false,
			  0, true, AT(self_ns, self_ns, self_ns), NO_SITE, 0, 0, 0 },
	[METRIC_COUNT] = { "count", "count", NULL, "count", UNIT_COUNT, false, 0, true,
			   AT(count, count, calls), NO_SITE, 0, 0, 0 },
	[METRIC_TOTAL] = { "total", "total time", "executed, no time seen", "total_ns", UNIT_NS,
			   true, 0, true, AT(self_ns, self_ns, total_ns), SITE(total_ns), 0, 0, 0 },
	[METRIC_WAIT] = { "wait", "waiting time", "executed, never waited", "self_wait_ns",
			  UNIT_NS, false, MEASURE_WAIT, false,
			  AT(self_wait_ns, self_wait_ns, self_wait_ns), NO_SITE, 0, 0, 0 },
	[METRIC_TOTAL_WAIT] = { "total_wait", "total waiting time", "executed, never waited",
				"total_wait_ns", UNIT_NS, true, MEASURE_WAIT, false,
				AT(self_wait_ns, self_wait_ns, total_wait_ns),
				SITE(total_wait_ns), 0, 0, 0 },
	[METRIC_TOTAL_WORK] = { "total_work", "total executed blocks", NULL,
				"total_work", UNIT_COUNT, true, 0, false,
				AT(count, count, total_work), SITE(total_work), 0, 0, 0 },
	/* That of ranges and procedures is not asked for. */
	[METRIC_CODE] = { "code", "machine code", "executed, no code of its own", "code_bytes",
			  UNIT_BYTES, false, 0, false, AT(count, code_bytes, calls), NO_SITE,
			  0, 0, .detail = true, .of_lines = true },
};

static void
scale(struct metric *m, uint64_t least, uint64_t max)
{
	m->least = least ? least : m->unit == UNIT_NS ? 1000000 : 1;
	m->max = max;
}

/* Nobody knows the smallest value of a formula that means something; less than a nanosecond or a
 * byte is not printed. */
static void
scale_values(struct metric *m, double max)
{
	bool whole = m->unit != UNIT_VALUE && max > 1;

	m->formula = true;
	m->least = figure_of_value(whole && max < 1000 ? 1 : max / 1000);
	m->max = figure_of_value(max);
	m->there = m->max != 0;
}

/* A profile's title may be anything; it names a unit that is shown nowhere else. */
static void
set_title(struct metric *metric, const struct model_measure *measure)
{
	struct strbuf title = STRBUF_INIT, fit = STRBUF_INIT;
	size_t n;

	strbuf_str(&title, metric->total ? "total " : "");
	strbuf_str(&title, measure->title);
	if (measure_names_unit(measure)) {
		strbuf_str(&title, " (");
		strbuf_str(&title, measure->unit);
		strbuf_char(&title, ')');
	}
	safe_fit(&fit, title.buf, title.len, METRIC_TITLE_WIDTH);
	/* Characters without a width take bytes, too; the last one is kept whole or not at all. */
	n = fit.len < sizeof(metric->title) ? fit.len : sizeof(metric->title) - 1;
	while (n && ((unsigned char)fit.buf[n] & 0xc0) == 0x80)
		n--;
	memcpy(metric->title, fit.buf, n);
	strbuf_release(&title);
	strbuf_release(&fit);
}

static void
add(struct metrics *m, const struct model_measure *measure, size_t slot, bool total)
{
	struct metric *metric = &m->items[m->nr++];
	size_t own = slot * sizeof(uint64_t);

	*metric = (struct metric){
		.cold = "executed, has none", .unit = measure_unit(measure), .total = total,
		.measure = NR_BUILTIN_MEASURES + 1 + (unsigned)slot,
		/* A measure of procedures alone has no figures of lines. */
		.there = measure->max_line || !measure->total, .detail = measure->detail,
		.range = offsetof(struct range_row, self) + own,
		.line = offsetof(struct line_row, self) + own,
		.procedure = own + (total ? offsetof(struct procedure_row, figures.total)
					  : offsetof(struct procedure_row, figures.self)),
		.site = offsetof(struct site_row, total) + own,
		.carried = total && measure->inclusive == INCLUSIVE_ARCS,
		.at_least = measure_is_least(measure),
	};
	snprintf(metric->column, sizeof(metric->column), "%s%s", total ? "total_" : "self_",
		 measure->name);
	snprintf(metric->name, sizeof(metric->name), "%s%s", total ? "total_" : "",
		 measure->name);
	set_title(metric, measure);
	if (measure->formula)
		scale_values(metric, measure->max_value);
	else
		scale(metric, measure->exact || measure_has_paths(measure) ? 1 : measure->period,
		      total ? measure->total : measure->max_line);
}

void
metrics_of(struct metrics *m, struct profile *p)
{
	const struct profile_totals *t = profile_totals(p);
	struct measures all = profile_measures(p);

	memcpy(m->items, builtin, sizeof(builtin));
	m->nr = NR_BUILTIN_METRICS;
	scale(&m->items[METRIC_SELF], t->run.interval_ns, t->max_line_self_ns);
	scale(&m->items[METRIC_COUNT], 1, t->max_block_count);
	m->items[METRIC_COUNT].there = !profile_is_uncounted(p) && !profile_counts_only_calls(p);
	m->items[METRIC_SELF].there = m->items[METRIC_TOTAL].there = !profile_is_untimed(p);
	scale(&m->items[METRIC_TOTAL], t->run.interval_ns, t->max_procedure_total_ns);
	scale(&m->items[METRIC_WAIT], t->run.wall_interval_ns, t->max_line_self_wait_ns);
	scale(&m->items[METRIC_TOTAL_WAIT], t->run.wall_interval_ns, t->wait_ns);
	scale(&m->items[METRIC_TOTAL_WORK], 1, all.items[MEASURE_WORK - 1].total);
	m->items[METRIC_TOTAL_WORK].at_least = measure_is_least(&all.items[MEASURE_WORK - 1]);
	m->items[METRIC_TOTAL_WORK].there = all.items[MEASURE_WORK - 1].total != 0;
	scale(&m->items[METRIC_CODE], 1, t->max_line_code_bytes);
	m->items[METRIC_CODE].there = t->max_line_code_bytes != 0;
	m->items[METRIC_WAIT].there = m->items[METRIC_TOTAL_WAIT].there =
		t->run.wall_interval_ns != 0;
	for (size_t i = NR_BUILTIN_MEASURES; i < all.nr; i++) {
		const struct model_measure *measure = &all.items[i];

		add(m, measure, i - NR_BUILTIN_MEASURES, false);
		if (measure->inclusive != INCLUSIVE_NONE && !measure->formula)
			add(m, measure, i - NR_BUILTIN_MEASURES, true);
	}
}

int
metrics_first(const struct metrics *m, const struct profile_totals *t)
{
	if (t->self_ns)
		return METRIC_SELF;
	for (size_t i = NR_BUILTIN_METRICS; i < m->nr && !m->items[METRIC_COUNT].there; i++)
		if (m->items[i].there && !m->items[i].detail)
			return (int)i;
	return METRIC_COUNT;
}

int
metrics_find(const struct metrics *m, const char *name, size_t length)
{
	for (size_t i = 0; i < m->nr; i++) {
		if (strlen(m->items[i].name) == length && !memcmp(m->items[i].name, name, length))
			return (int)i;
	}
	return -1;
}

void
metrics_names(const struct metrics *m, struct strbuf *out)
{
	size_t last = m->nr - 1, i;

	while (!m->items[last].there)
		last--;
	for (i = 0; i <= last; i++)
		if (m->items[i].there)
			strbuf_fmt(out, "%s%s", !i ? "" : i < last ? ", " : " or ",
				   m->items[i].name);
}

void
metric_print(struct strbuf *out, const struct metric *m, uint64_t figure, int width, bool ascii)
{
	if (m->at_least)
		width -= value_mark(out, "lacking", ascii);
	if (m->formula)
		value_real(out, m->unit, value_of_figure(figure), width, VALUE_PLAIN, ascii);
	else
		value_whole(out, m->unit, figure, width, ascii);
}

static uint64_t
figure_at(const void *row, size_t offset)
{
	return *(const uint64_t *)((const char *)row + offset);
}

uint64_t
metric_of_range(const struct metric *m, const struct range_row *r)
{
	return m->of_lines ? 0 : figure_at(r, m->range);
}

uint64_t
metric_of_line(const struct metric *m, const struct line_row *l)
{
	return figure_at(l, m->line);
}

uint64_t
metric_of_procedure(const struct metric *m, const struct procedure_row *p)
{
	return m->of_lines ? 0 : figure_at(p, m->procedure);
}

uint64_t
metric_of_site(const struct metric *m, const struct site_row *s)
{
	return figure_at(s, m->site);
}
