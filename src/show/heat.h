/* Turns figures into levels of heat, and back for the legend. */
#ifndef CGVIEW_SHOW_HEAT
#define CGVIEW_SHOW_HEAT

#include <stdbool.h>
#include <stdint.h>

#include "show/metric.h"
#include "show/role.h"
#include "util/mem.h"

struct heat {
	const struct metric *metric; /* NULL: that of heat_init() */
	enum column_unit unit;
	bool linear;         /* even steps; otherwise steps of one factor */
	uint64_t max;        /* the largest figure there is */
	uint64_t from[HEAT_LEVELS + 1]; /* smallest figure of each level; [0] not used */
};

/* Makes levels for figures from MIN (the smallest that means anything, > 0) to MAX. */
void heat_init(struct heat *heat, enum column_unit unit, bool linear, uint64_t min, uint64_t max);

/* Makes levels for METRIC's figures of expressions; METRIC must stay. */
void heat_of_metric(struct heat *heat, const struct metric *metric, bool linear);

/* Returns 0 for 0, else 1..HEAT_LEVELS: what is below 0 is as hot as if it were above. */
int heat_level(const struct heat *heat, int64_t figure);

/* Returns the role of code that was executed COUNT times and has FIGURE of the metric. */
enum role heat_role(const struct heat *heat, uint64_t count, bool lacking, int64_t figure);

/* Returns the smallest figure of LEVEL; 0: no figure can have this level. */
uint64_t heat_from(const struct heat *heat, int level);

/* Appends the figures of LEVEL: "1,024..4,095", or the only one. */
void heat_print_step(struct strbuf *out, const struct heat *heat, int level, bool ascii);

/* Appends where LEVEL begins: "1,024". */
void heat_print_from(struct strbuf *out, const struct heat *heat, int level, bool ascii);

#endif
