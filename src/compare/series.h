/* A series of runs on growing inputs: for each thing how it grows. */
#ifndef CGVIEW_COMPARE_SERIES_H
#define CGVIEW_COMPARE_SERIES_H

#include "compare/comparison.h"
#include "compare/fit.h"

struct series_row {
	enum compare_by by;
	uint32_t row;            /* of the table */
	float exponent, r2;      /* of the power, see struct fit */
	bool good;               /* fit_is_good() */
	bool appears;            /* it has nothing at smaller sizes, and something at the largest */
	double degree;           /* fit_degree() */
	double last;             /* value at the largest size */
};

struct series {
	struct comparison *c;
	const struct expression_profile *profiles;
	struct compared *tables[NR_COMPARE_BY]; /* NULL: not asked for */
	struct expression *expressions[NR_COMPARE_BY]; /* over `a`, each profile in its turn */
	struct fit_sizes sizes;
	size_t largest;          /* the profile of the largest size */
	double sums[NR_COMPARE_BY]; /* of all positive values at this size */
	struct series_row *rows;
	size_t nr_rows, rows_alloc;
	size_t at;               /* of the rows that are being added */
	bool compared;           /* their table is ready */
};

/* Begins a series of the profiles of C. SIZES, one for each, are positive, and the caller's. */
void series_init(struct series *s, struct comparison *c, const double *sizes);
void series_release(struct series *s);

/* Returns the expression for things when none is given: executed blocks, of procedures all that
 * they executed. */
const char *series_default(const struct comparison *c, enum compare_by by);

/* Adds the rows of BY, with the values of EXPRESSION (text or name; NULL: the default), which is
 * over `a` alone. To be called once for each kind, then series_sort(). -1: ERR. */
int series_add(struct series *s, enum compare_by by, const char *expression,
	       struct expression_error *err);
/* Like series_add(), in slices: series_work() goes on until ENOUGH(CONTEXT) (NULL: to the end) or
 * until all is done (1; 0: not yet; -1: ERR). */
int series_begin(struct series *s, enum compare_by by, const char *expression,
		 struct expression_error *err);
int series_work(struct series *s, enum compare_by by, bool (*enough)(void *context),
		void *context, struct error *err);

/* Sorts the rows. First come those that are only there at larger sizes and have a hundredth or more
 * at the largest, by share; then those that a model describes well; then all others. Both by
 * fit_degree(), then by value at the largest size, the greatest first. */
void series_sort(struct series *s);

/* Returns the share of ROW, from 0 to 1, in all rows of its kind at the largest size; NAN: none. */
double series_share(const struct series *s, const struct series_row *row);

/* Reads the values of a row, one for each profile (NAN: none). -1: ERR. */
int series_values(struct series *s, const struct series_row *row, double *values,
		  struct error *err);

/* Append the values of NR points, at most 8 steps high, from 0 on: one column each. */
void spark_line(struct strbuf *out, const double *values, size_t nr, size_t most, bool ascii);

#endif
