/* Figures that things of several profiles are compared by: those of every profile, and of measures,
 * which have the same number in all profiles with one of that name and unit. */
#ifndef CGVIEW_DB_FIGURE_H
#define CGVIEW_DB_FIGURE_H

#include "db/profile.h"

/* What is counted or measured; not every table has each. The names are those of cgview-db(5), but
 * for the procedure's `calls`, which are its `count`, too. */
enum figure {
	FIGURE_COUNT, FIGURE_CALLS, FIGURE_SELF_NS, FIGURE_SELF_SAMPLES, FIGURE_TOTAL_NS,
	FIGURE_PROPAGATED_NS, FIGURE_TOTAL_SAMPLES, FIGURE_SELF_WAIT_NS, FIGURE_TOTAL_WAIT_NS,
	FIGURE_CODE_BYTES, NR_FIGURES,
	FIGURES_MAX = 64        /* with those of measures, from NR_FIGURES on */
};
/* In a mask of figures. */
#define FIGURE_BIT(f) ((uint64_t)1 << (f))

/* "self_ns"; of a measure "faults", "total_faults". */
const char *figure_name(enum figure f);
enum column_unit figure_unit(enum figure f);
/* Is it an estimate from samples whose error is known? */
bool figure_is_sampled(enum figure f);
/* Is it a total of a measure? Of figures of every profile nobody asks. */
bool figure_is_total(enum figure f);
/* How those of several copies become one. */
enum measure_combine figure_how(enum figure f);

/* The figure among those of MASK that is called NAME, of LENGTH bytes; a measure's also as
 * self_NAME. FIGURES_MAX: none. */
enum figure figure_find(const char *name, size_t length, uint64_t mask);

/* The figure of a measure that is stored. FIGURES_MAX: too many have been asked for. */
enum figure figure_of_measure(const struct model_measure *measure, bool total);
/* All those of P's measures, as a mask. */
uint64_t profile_figures(struct profile *p);

#endif
