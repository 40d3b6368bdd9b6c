#include "show/heat.h"

#include <math.h>

#include "db/profile.h"
#include "show/value.h"

static const struct {
	const char *name;
	enum column_unit unit;
} metrics[METRIC_NR] = {
	[METRIC_SELF] = { "self time", UNIT_NS }, [METRIC_COUNT] = { "count", UNIT_COUNT },
	[METRIC_TOTAL] = { "total time", UNIT_NS }, [METRIC_WAIT] = { "waiting time", UNIT_NS },
};

const char *const metric_choices[] = {
	[METRIC_SELF] = "self", [METRIC_COUNT] = "count", [METRIC_TOTAL] = "total",
	[METRIC_WAIT] = "wait", NULL
};

const char *
metric_name(enum metric metric)
{
	return metrics[metric].name;
}

enum column_unit
metric_unit(enum metric metric)
{
	return metrics[metric].unit;
}

void
heat_init(struct heat *heat, enum metric metric, bool linear, uint64_t min, uint64_t max)
{
	double low = min ? (double)min : 1, high = (double)max > low ? (double)max : low;
	double part;
	int i;

	heat->metric = metric;
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
heat_of_profile(struct heat *heat, enum metric metric, bool linear, const struct profile_totals *t)
{
	uint64_t tick = metric == METRIC_WAIT ? t->run.wall_interval_ns : t->run.interval_ns;
	uint64_t max[METRIC_NR] = {
		[METRIC_SELF] = t->max_line_self_ns,
		[METRIC_COUNT] = t->max_block_count,
		[METRIC_TOTAL] = t->max_procedure_total_ns,
		[METRIC_WAIT] = t->max_line_self_wait_ns,
	};

	if (!tick)
		tick = 1000000;
	heat_init(heat, metric, linear, metric == METRIC_COUNT ? 1 : tick, max[metric]);
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
	value_whole(out, metric_unit(heat->metric), figure, 7, ascii);
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
