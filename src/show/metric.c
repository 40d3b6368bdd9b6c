#include "show/metric.h"

#include <stdio.h>
#include <string.h>

#include "show/value.h"
#include "util/text/safe.h"

static const struct metric builtin[NR_BUILTIN_METRICS] = {
	[METRIC_SELF] = { .name = "self", .title = "self time", .measure = MEASURE_TIME,
			  .cold = "executed, no time seen", .unit = UNIT_NS, .there = true },
	[METRIC_COUNT] = { .name = "count", .title = "count", .measure = MEASURE_COUNT,
			   .unit = UNIT_COUNT, .there = true },
	[METRIC_TOTAL] = { .name = "total", .title = "total time", .measure = MEASURE_TIME,
			   .cold = "executed, no time seen", .unit = UNIT_NS, .total = true,
			   .there = true },
	[METRIC_CODE] = { .name = "code", .title = "machine code", .measure = MEASURE_CODE,
			  .cold = "executed, no code of its own", .unit = UNIT_BYTES,
			  .detail = true, .of_lines = true },
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
	m->least = (uint64_t)figure_of_value(whole && max < 1000 ? 1 : max / 1000);
	m->max = (uint64_t)figure_of_value(max);
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

/* Makes METRIC the one of the measure ID of P, or of its totals. */
static void
make(struct metric *metric, struct profile *p, unsigned id, bool total)
{
	const struct model_measure *measure = &profile_measures(p).items[id - 1];

	*metric = (struct metric){
		.cold = "executed, has none", .unit = measure_unit(measure), .total = total,
		.measure = id,
		/* A measure of procedures alone has no figures of lines. */
		.there = measure->max_line || !measure->total, .detail = measure->detail,
		.carried = total && measure->inclusive == INCLUSIVE_ARCS,
		.at_least = measure_is_least(measure),
	};
	snprintf(metric->name, sizeof(metric->name), "%s%s", total ? "total_" : "",
		 measure->name);
	set_title(metric, measure);
	if (measure->formula)
		scale_values(metric, measure->max_value);
	else
		scale(metric, measure->exact || measure_has_paths(measure) ? 1 : measure->period,
		      total ? measure->total : measure->max_line);
}

static void
make_builtin(struct metrics *m, struct profile *p)
{
	const struct profile_totals *t = profile_totals(p);
	struct metric *work = &m->items[METRIC_TOTAL_WORK];

	memcpy(m->items, builtin, sizeof(builtin));
	m->first = METRIC_SELF;
	scale(&m->items[METRIC_SELF], t->run.interval_ns, t->max_line_self_ns);
	scale(&m->items[METRIC_COUNT], 1, t->max_block_count);
	m->items[METRIC_COUNT].there = !profile_is_uncounted(p) && !profile_counts_only_calls(p);
	m->items[METRIC_SELF].there = m->items[METRIC_TOTAL].there = !profile_is_untimed(p);
	scale(&m->items[METRIC_TOTAL], t->run.interval_ns, t->max_procedure_total_ns);
	for (int i = METRIC_WAIT; i <= METRIC_TOTAL_WAIT; i++) {
		make(&m->items[i], p, MEASURE_WAIT, i == METRIC_TOTAL_WAIT);
		m->items[i].cold = "executed, never waited";
		scale(&m->items[i], t->run.wall_interval_ns, m->items[i].max);
		m->items[i].there = t->run.wall_interval_ns != 0;
	}
	make(work, p, MEASURE_WORK, true);
	work->cold = NULL;
	scale(work, 1, work->max);
	work->there = work->max != 0;
	work->carried = false;
	scale(&m->items[METRIC_CODE], 1, t->max_line_code_bytes);
	m->items[METRIC_CODE].there = t->max_line_code_bytes != 0;
	m->nr = NR_BUILTIN_METRICS;
}

void
metrics_of(struct metrics *m, struct profile *p)
{
	struct measures all = profile_measures(p);

	make_builtin(m, p);
	for (unsigned id = NR_BUILTIN_MEASURES + 1; id <= all.nr; id++) {
		if (id == profile_lead(p))
			m->first = m->nr;
		make(&m->items[m->nr++], p, id, false);
		if (all.items[id - 1].inclusive != INCLUSIVE_NONE && !all.items[id - 1].formula)
			make(&m->items[m->nr++], p, id, true);
	}
	for (size_t i = 0; i < m->nr; i++) {
		struct metric *metric = &m->items[i];
		const char *column = builtin_columns[metric->measure][metric->total];

		snprintf(metric->column, sizeof(metric->column), "%s%s",
			 column ? "" : metric->total ? "total_" : "self_",
			 column ? column : all.items[metric->measure - 1].name);
	}
}

int
metrics_first(const struct metrics *m, const struct profile_totals *t)
{
	if (totals_have_time(t))
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
metric_print(struct strbuf *out, const struct metric *m, int64_t figure, int width, bool ascii)
{
	if (m->at_least)
		width -= value_mark(out, "lacking", ascii);
	if (m->formula)
		value_real(out, m->unit, value_of_figure(figure), width, VALUE_PLAIN, ascii);
	else
		value_whole(out, m->unit, figure, width, ascii);
}

int64_t
metric_of_range(const struct metric *m, const struct range_row *r)
{
	return m->of_lines ? 0 : r->self[m->measure];
}

int64_t
metric_of_line(const struct metric *m, const struct line_row *l)
{
	return l->self[m->measure];
}

int64_t
metric_of_procedure(const struct metric *m, const struct procedure_row *p)
{
	return m->of_lines ? 0 : m->total ? p->total[m->measure] : p->self[m->measure];
}

int64_t
metric_of_site(const struct metric *m, const struct site_row *s)
{
	return s->total[m->measure];
}

unsigned
metric_tree_measure(const struct metric *m)
{
	return m->measure == MEASURE_WAIT ||
	       (m->measure > NR_BUILTIN_MEASURES && m->measure < MEASURE_SAMPLES) ? m->measure : 0;
}
