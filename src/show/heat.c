#include "show/heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/value.h"

/* Values of a formula are told in two digits. */
static uint64_t
figure_of_step(const struct metric *metric, double step)
{
	char text[32];

	if (!metric || !metric->formula)
		return (uint64_t)ceil(step);
	snprintf(text, sizeof(text), "%.1e", step);
	return (uint64_t)figure_of_value(strtod(text, NULL));
}

static void
make_steps(struct heat *heat, double low, double high)
{
	double part;
	int i;

	heat->from[0] = 0;
	heat->from[1] = figure_of_step(heat->metric, low); /* less belongs to it, too */
	for (i = 2; i <= HEAT_LEVELS; i++) {
		part = (double)(i - 1) / HEAT_LEVELS;
		heat->from[i] = figure_of_step(heat->metric, heat->linear ? high * part
							     : low * pow(high / low, part));
		if (heat->from[i] <= heat->from[i - 1])
			heat->from[i] = heat->from[i - 1] + 1;
	}
	/* With few different figures the greatest still is the hottest. */
	if (heat->max && heat->from[HEAT_LEVELS] > heat->max)
		heat->from[HEAT_LEVELS] = heat->max;
}

void
heat_init(struct heat *heat, enum column_unit unit, bool linear, uint64_t min, uint64_t max)
{
	double low = min ? (double)min : 1, high = (double)max > low ? (double)max : low;

	*heat = (struct heat){ .unit = unit, .linear = linear, .max = max };
	make_steps(heat, low, high);
}

void
heat_of_metric(struct heat *heat, const struct metric *metric, bool linear)
{
	heat_init(heat, metric->unit, linear, metric->least, metric->max);
	heat->metric = metric;
	if (metric->formula)
		make_steps(heat, value_of_figure((int64_t)metric->least),
			   value_of_figure((int64_t)metric->max));
}

int
heat_level(const struct heat *heat, int64_t figure)
{
	uint64_t size = figure_size(figure);
	int level = HEAT_LEVELS;

	if (!figure)
		return 0;
	while (level > 1 && size < heat->from[level])
		level--;
	return level;
}

/* With few different figures some levels are skipped. */
uint64_t
heat_from(const struct heat *heat, int level)
{
	uint64_t from = heat->from[level];

	return from <= heat->max && heat_level(heat, (int64_t)from) == level ? from : 0;
}

static void
print_figure(struct strbuf *out, const struct heat *heat, uint64_t figure, bool ascii)
{
	if (heat->metric)
		metric_print(out, heat->metric, (int64_t)figure, 7, ascii);
	else
		value_whole(out, heat->unit, (int64_t)figure, 7, ascii);
}

void
heat_print_from(struct strbuf *out, const struct heat *heat, int level, bool ascii)
{
	print_figure(out, heat, heat->from[level], ascii);
}

void
heat_print_step(struct strbuf *out, const struct heat *heat, int level, bool ascii)
{
	uint64_t from = heat->from[level], to = heat->max;
	struct strbuf first = STRBUF_INIT, last = STRBUF_INIT;
	int next;

	for (next = level + 1; next <= HEAT_LEVELS; next++)
		if (heat->from[next] <= to)
			to = heat->from[next] - 1;
	print_figure(&first, heat, from, ascii);
	print_figure(&last, heat, to, ascii);
	strbuf_str(out, first.buf);
	if (to > from && strcmp(first.buf, last.buf) != 0)
		strbuf_fmt(out, "..%s", last.buf);
	strbuf_release(&first);
	strbuf_release(&last);
}

enum role
heat_role(const struct heat *heat, uint64_t count, bool lacking, int64_t figure)
{
	int level = heat_level(heat, figure);

	if (level)
		return (enum role)(ROLE_HEAT_1 + level - 1);
	return count ? ROLE_COLD : lacking ? ROLE_NO_CODE : ROLE_NEVER;
}
