/* From a figure to a level of heat, and back for the legend. */
#ifndef CGVIEW_SHOW_HEAT
#define CGVIEW_SHOW_HEAT

#include <stdbool.h>
#include <stdint.h>

#include "show/metric.h"
#include "show/role.h"
#include "util/mem.h"

struct heat {
	const struct metric *metric; /* NULL: of what heat_init() was given */
	enum column_unit unit;
	bool linear;         /* even steps, else steps of one factor */
	uint64_t max;        /* the largest figure there is */
	uint64_t from[HEAT_LEVELS + 1]; /* smallest figure of each level; [0] not used */
};

/* Levels for figures from MIN (the smallest that means anything, > 0) to MAX. */
void heat_init(struct heat *heat, enum column_unit unit, bool linear, uint64_t min, uint64_t max);

/* The same for what expressions have of METRIC, which must stay. */
void heat_of_metric(struct heat *heat, const struct metric *metric, bool linear);

/* 0 for 0, else 1..HEAT_LEVELS. */
int heat_level(const struct heat *heat, uint64_t figure);

/* Role of code that was executed COUNT times and has FIGURE of the metric. */
enum role heat_role(const struct heat *heat, uint64_t count, uint64_t figure);

/* The smallest figure of LEVEL; 0: no figure can have this level. */
uint64_t heat_from(const struct heat *heat, int level);

/* Append the figures of LEVEL: "1,024..4,095", or the only one. */
void heat_print_step(struct strbuf *out, const struct heat *heat, int level, bool ascii);

/* Append where LEVEL begins: "1,024". */
void heat_print_from(struct strbuf *out, const struct heat *heat, int level, bool ascii);

#endif
