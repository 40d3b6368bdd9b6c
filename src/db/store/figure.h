/* The figures by which things of several profiles are compared: those of every profile, and those
 * of measures. Measures of one name and unit have the same number in all profiles. */
#ifndef CGVIEW_DB_FIGURE_H
#define CGVIEW_DB_FIGURE_H

#include "db/store/profile.h"

/* What is counted or measured; not every table has each. The names are those of cgview-db(5),
 * except that a procedure's `calls` is also its `count`. */
enum figure {
	FIGURE_COUNT, FIGURE_CALLS, FIGURE_SELF_NS, FIGURE_SELF_SAMPLES, FIGURE_TOTAL_NS,
	FIGURE_PROPAGATED_NS, FIGURE_TOTAL_SAMPLES, FIGURE_SELF_WAIT_NS, FIGURE_TOTAL_WAIT_NS,
	FIGURE_CODE_BYTES, FIGURE_SELF_SD_NS, FIGURE_WORK, FIGURE_TOTAL_WORK, NR_FIGURES,
	FIGURES_MAX = 64        /* with those of measures, from NR_FIGURES on */
};
_Static_assert(NR_FIGURES + 2 * MEASURES_MAX <= FIGURES_MAX, "a profile's figures fit in a mask");
/* The bit of a figure in a mask. */
#define FIGURE_BIT(f) ((uint64_t)1 << (f))

/* "self_ns"; of a measure "faults", "total_faults". */
const char *figure_name(enum figure f);
/* Appends the name as people read it, and may write it in expressions: as the tool that measured it
 * has it, "Ir", "total_Ir", in quotes if it is no word. */
void figure_put_name(struct strbuf *out, enum figure f);
enum column_unit figure_unit(enum figure f);
/* Is it an amount of time, or of samples? */
bool figure_is_time(enum figure f);
/* Is it one that is made of samples, whose error is known? */
bool figure_is_sampled(enum figure f);
/* Is it a total of a measure? To be asked of measures' figures only. */
bool figure_is_total(enum figure f);
/* Returns how the figures of several copies of a thing become one. */
enum measure_combine figure_how(enum figure f);

/* Returns the figure among those of MASK that is called NAME, of LENGTH bytes; a measure's may also
 * be called self_NAME. FIGURES_MAX: none. */
enum figure figure_find(const char *name, size_t length, uint64_t mask);

/* The same by the name that the tool has for a measure: "L1-dcache-loads:u". */
enum figure figure_find_label(const char *label, size_t length, uint64_t mask);

/* Returns the figure of a stored measure. FIGURES_MAX: too many have been asked for. */
enum figure figure_of_measure(const struct model_measure *measure, bool total);
/* Returns the figures of all measures of P, as a mask. */
uint64_t profile_figures(struct profile *p);

#endif
