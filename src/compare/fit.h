/* How a value grows with a size: which of a few models describes it, and what that says of other
 * sizes. */
#ifndef CGVIEW_COMPARE_FIT_H
#define CGVIEW_COMPARE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/sides.h"
#include "util/mem.h"

enum {
	LEAST_POINTS = 3,        /* a growth that fewer points show is none */
	MAX_POINTS = MAX_PROFILES,
};

/* Logarithms are to the base 2. */
enum growth {
	GROWTH_NONE,             /* fewer than LEAST_POINTS different sizes */
	/* constant + coefficient * f(n) */
	GROWTH_1, GROWTH_LOG, GROWTH_SQRT, GROWTH_N, GROWTH_N_LOG, GROWTH_N_SQRT, GROWTH_N2,
	GROWTH_N2_LOG, GROWTH_N3, GROWTH_2_N,
	NR_FIXED_GROWTHS,
	/* coefficient * n^parameter, coefficient * parameter^n: where none of these comes near */
	GROWTH_POWER = NR_FIXED_GROWTHS, GROWTH_EXPONENTIAL,
	NR_GROWTHS
};

/* Sizes as the models see them, made once for many values. */
struct fit_sizes {
	const char *name;        /* what n is: "bytes of argument 1", the caller's; NULL: unknown */
	size_t nr;               /* at most MAX_POINTS */
	const double *sizes;     /* the caller's; positive */
	double *terms[NR_FIXED_GROWTHS]; /* f(n) */
	double *quantiles;       /* [degrees of freedom]: what Student's t is within, in 95 of 100
	                          * cases */
	size_t *order;           /* positions, the smallest size first */
};
void fit_sizes_init(struct fit_sizes *s, const double *sizes, size_t nr);
void fit_sizes_release(struct fit_sizes *s);

struct fit {
	/* value = c * size^exponent, by least squares of the logarithms. */
	int points;              /* that could be used: those with a value greater than 0 */
	double exponent;         /* NAN: fewer than two different sizes with a positive value */
	double exponent_error;   /* its standard error; NAN with fewer than three points, as r2 */
	double r2;               /* share of the variation that it explains; 1 when there is none */
	enum growth growth;      /* the model; what follows is of it */
	double parameter;        /* of GROWTH_POWER and GROWTH_EXPONENTIAL */
	double constant;         /* 0 where the model has none */
	double coefficient, coefficient_error; /* the latter a standard error; of GROWTH_1 both are
	                                        * of the constant */
	double model_r2;         /* as r2, of the relative deviations */
	double cv_error;         /* relative error of a point that was left out: root mean square */
	uint32_t also;           /* models that are hardly worse: mask of 1 << enum growth */
	uint32_t foretold_by;    /* those whose values at other sizes are held: these, and a power
	                          * that is nearly as good */
	double from;             /* the least size with a value when smaller ones have 0; else 0 */
	bool sure;               /* it grows, or falls: by chance in no more than 5 of 100 cases */
	bool falls;              /* the greater the size, the smaller the value */
};

/* Fits the power alone, the first members of F. */
void fit_power(const double *sizes, const double *values, size_t nr, struct fit *f);
/* Fits VALUES, one for each size (NAN: none, as 0). The models are fitted by least squares of the
 * relative deviations and compared by leaving out one point after the other; of those whose mean
 * square is within a standard error of the least one, the simplest is taken (Hastie, Tibshirani and
 * Friedman, The Elements of Statistical Learning, second edition, section 7.10). */
void fit_values(const struct fit_sizes *s, const double *values, struct fit *fit);

/* Is the growth known well enough to be believed? */
bool fit_is_good(const struct fit *f);
/* Returns a number that is the greater the faster things grow in the end; n and n log n have the
 * same, as n^2 and n^2 log n. */
double fit_degree(const struct fit *f);

/* The value at SIZE by the model, and the interval in which that of a run of this size is in 95 of
 * 100 cases, as far as a model is true: it holds those of all models in `also`, each fitted to all
 * points and, when these are four or more, to the larger half of them, as small runs are governed
 * by what large ones do not feel. All are NAN without a model. */
struct prediction { double value, lo, hi; };
struct prediction fit_predict(const struct fit_sizes *s, const double *values, const struct fit *f,
			      double size);

/* Append "n^2 log n", "n^2.58", "1.62^n"; nothing without a model. */
void fit_name(const struct fit *f, struct strbuf *out);
/* Returns the name of a model that has no parameter: "n log n". */
const char *growth_name(enum growth growth);

#endif
