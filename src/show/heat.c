#include "show/heat.h"

#include <math.h>

#include "show/value.h"

void
heat_init(struct heat *heat, enum column_unit unit, bool linear, uint64_t min, uint64_t max)
{
	double low = min ? (double)min : 1, high = (double)max > low ? (double)max : low;
	double part;
	int i;

	heat->metric = NULL;
	heat->unit = unit;
	heat->linear = linear;
	heat->max = max;
	heat->from[0] = 0;
	heat->from[1] = (uint64_t)low; /* less, if there is any, belongs to it too */
	for (i = 2; i <= HEAT_LEVELS; i++) {
		part = (double)(i - 1) / HEAT_LEVELS;
		heat->from[i] = (uint64_t)ceil(linear ? high * part : low * pow(high / low, part));
		if (heat->from[i] <= heat->from[i - 1])
			heat->from[i] = heat->from[i - 1] + 1;
	}
	/* With few different figures the greatest still is the hottest. */
	if (max && heat->from[HEAT_LEVELS] > max)
		heat->from[HEAT_LEVELS] = max;
}

void
heat_of_metric(struct heat *heat, const struct metric *metric, bool linear)
{
	heat_init(heat, metric->unit, linear, metric->least, metric->max);
	heat->metric = metric;
}

int
heat_level(const struct heat *heat, uint64_t figure)
{
	int level = HEAT_LEVELS;

	if (!figure)
		return 0;
	while (level > 1 && figure < heat->from[level])
		level--;
	return level;
}

/* With few different figures some levels are skipped. */
uint64_t
heat_from(const struct heat *heat, int level)
{
	uint64_t from = heat->from[level];

	return from <= heat->max && heat_level(heat, from) == level ? from : 0;
}

static void
print_figure(struct strbuf *out, const struct heat *heat, uint64_t figure, bool ascii)
{
	value_whole(out, heat->unit, figure, 7, ascii);
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
	int next;

	for (next = level + 1; next <= HEAT_LEVELS; next++)
		if (heat->from[next] <= to)
			to = heat->from[next] - 1;
	print_figure(out, heat, from, ascii);
	if (to <= from)
		return;
	strbuf_str(out, "..");
	print_figure(out, heat, to, ascii);
}

enum role
heat_role(const struct heat *heat, uint64_t count, uint64_t figure)
{
	int level = heat_level(heat, figure);

	if (level)
		return (enum role)(ROLE_HEAT_1 + level - 1);
	return count ? ROLE_COLD : ROLE_NEVER;
}
