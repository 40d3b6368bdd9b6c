#include "tui/heat.h"

#include <math.h>

static const char *const metric_names[METRIC_NR] = {
	[METRIC_SELF] = "self time", [METRIC_COUNT] = "count", [METRIC_TOTAL] = "total time",
	[METRIC_WAIT] = "waiting time",
};

const char *
metric_name(enum metric metric)
{
	return metric_names[metric];
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

enum role
heat_role(const struct heat *heat, uint64_t count, uint64_t figure)
{
	int level = heat_level(heat, figure);

	if (level)
		return (enum role)(ROLE_HEAT_1 + level - 1);
	return count ? ROLE_COLD : ROLE_NEVER;
}
