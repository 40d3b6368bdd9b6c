/* A series of runs on growing inputs: for each thing the exponent with which it grows. */
#ifndef CGVIEW_COMPARE_SERIES_H
#define CGVIEW_COMPARE_SERIES_H

#include "compare/comparison.h"

/* value = c * size^exponent, by least squares of the logarithms. */
struct fit {
	double exponent;         /* NAN: fewer than two different sizes with a positive value */
	double r2;               /* share of the variation that it explains; 1 when there is none;
	                          * NAN with fewer than three points */
	int points;              /* that could be used: value > 0 */
};
struct fit fit_power(const double *sizes, const double *values, size_t nr);

struct series_row {
	enum compare_by by;
	size_t row;              /* of the table */
	struct fit fit;
	double last;             /* value at the largest size */
};

struct series {
	struct comparison *c;
	struct compared *tables[NR_COMPARE_BY]; /* NULL: not asked for */
	/* One expression for each profile, which is `a` in its own. */
	struct expression *expressions[NR_COMPARE_BY][MAX_PROFILES];
	const double *sizes;
	struct series_row *rows;
	size_t nr_rows, rows_alloc;
	size_t at;               /* of the rows that are being added */
	bool compared;           /* their table is ready */
};

/* Adds the rows of BY, with the values of EXPRESSION (text or name), which is over `a` alone. To be
 * called once for each kind, then series_sort(). SIZES (one for each profile, the caller's) are
 * positive. -1: ERR. */
int series_add(struct series *s, enum compare_by by, const char *expression,
	       struct expression_error *err);
/* Like series_add(), in slices: series_work() goes on until ENOUGH(CONTEXT) (NULL: to the end) or
 * until all is done (1; 0: not yet; -1: ERR). */
int series_begin(struct series *s, enum compare_by by, const char *expression,
		 struct expression_error *err);
int series_work(struct series *s, enum compare_by by, bool (*enough)(void *context),
		void *context, struct error *err);
void series_release(struct series *s);

/* Sorts the rows: those that a power describes well first (r2 of 0.9 or more, three points), by
 * exponent, the greatest first, then by the value at the largest size. */
void series_sort(struct series *s);

/* The value of a row in PROFILE; NAN: none. -1: ERR. */
int series_value(struct series *s, const struct series_row *row, size_t profile, double *value,
		 struct error *err);

/* Append the values of NR points, at most 8 steps high, from 0 on: one column each. */
void spark_line(struct strbuf *out, const double *values, size_t nr, bool ascii);

#endif
