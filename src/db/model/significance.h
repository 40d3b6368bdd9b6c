/* How sure it is that two sampled values differ. */
#ifndef CGVIEW_DB_SIGNIFICANCE
#define CGVIEW_DB_SIGNIFICANCE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns Y - X in standard errors, when X is made of samples that stand for U each, and Y of
 * samples of V each (both positive). It is the exact test of two rates: if both values are the same
 * but for chance, each of all samples together is one of Y with the probability U / (U + V)
 * (Przyborowski and Wilenski 1940). What is returned is the deviation of a normal distribution that
 * is as improbable, on both sides, with the sign of Y - X; 0 without samples.
 *
 * VARIANCE is that of the logarithm of Y / X besides that of samples: then this probability varies,
 * too, and so many samples say as much as fewer would, those that have the same variance in all
 * (as of a beta-binomial distribution). */
double significance(double x, double y, double u, double v, double variance);
/* Returns the standard error of Y - X, of one sample at least. */
double significance_error(double x, double y, double u, double v, double variance);

/* By how much of its time a run differs from others of the same program, one standard deviation: no
 * single run tells that, but pairs of runs of one program do (bench/significance). */
#define RUN_DEVIATION 0.02

/* Below so many standard errors a difference may be chance. */
#define CERTAIN 2
/* A difference of so many is seen in four of five comparisons (1.96 + 0.84). */
#define DETECTABLE 2.8

struct sampled_runs {
	uint64_t nr;             /* two or more */
	double deviation;        /* standard deviation of one run's amount, not 0 */
};

/* Returns how sure it is that DIFFERENCE, of the sum over the runs A and that over the runs B, is
 * not 0: Welch's t test by what the runs of either side differ among themselves, as the deviation
 * of a normal distribution. */
double significance_of_runs(double difference, const struct sampled_runs *a,
			    const struct sampled_runs *b);
/* Returns its standard error. */
double significance_error_of_runs(const struct sampled_runs *a, const struct sampled_runs *b);

/* How many of NR rows differ beyond chance, if the share LEVEL of them may be false, as one in
 * twenty: the false discovery rate (Benjamini and Hochberg 1995). */
#define FALSE_DISCOVERIES 0.05
struct discoveries {
	size_t tested, beyond;
	double least;            /* |significance| from which rows are beyond chance; INFINITY */
};
/* Is a row of this significance one of them? It may have been computed in another way. */
static inline bool
is_beyond_chance(const struct discoveries *d, double significance)
{
	double amount = significance < 0 ? -significance : significance;

	return d->beyond && amount >= d->least * (1 - 1e-9);
}

/* DEVIATIONS are their significances, in any order; they are sorted. A job pauses. */
struct discoveries discoveries_of(double *deviations, size_t nr, double level);

/* Returns the number that a value of Student's t distribution with FREEDOM degrees (1 or more) is
 * below with the probability P, from 0.5 on. */
double student_quantile(double p, double freedom);
/* Returns the probability that it is farther from 0 than T; FREEDOM may be INFINITY. */
double student_beyond(double t, double freedom);

#endif
