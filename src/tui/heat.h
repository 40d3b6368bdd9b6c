/* From a figure to a level of heat, and back for the legend. */
#ifndef CGVIEW_TUI_HEAT_H
#define CGVIEW_TUI_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/role.h"

enum metric { METRIC_SELF, METRIC_COUNT, METRIC_TOTAL, METRIC_WAIT, METRIC_NR };

struct heat {
	enum metric metric;
	bool linear;         /* even steps, else steps of one factor */
	uint64_t max;        /* the largest figure there is */
	uint64_t from[HEAT_LEVELS + 1]; /* smallest figure of each level; [0] not used */
};

/* Levels for figures from MIN (the smallest that means anything, > 0) to MAX. */
void heat_init(struct heat *heat, enum metric metric, bool linear, uint64_t min, uint64_t max);

/* 0 for 0, else 1..HEAT_LEVELS. */
int heat_level(const struct heat *heat, uint64_t figure);

/* Role of code that was executed COUNT times and has FIGURE of the metric. */
enum role heat_role(const struct heat *heat, uint64_t count, uint64_t figure);

const char *metric_name(enum metric metric);

#endif
