/* What a difference between two profiles (those that the expression names, if they are two, else
 * the first and the last) comes to, in a word. A change of time is
 * told only where it is beyond chance among all rows of the table, and never of fewer than
 * FEWEST_RUNS runs a side. Counts are exact: one run is enough for more work, or less. What is left
 * is unresolved, with the least difference that would have been seen; "same" are equal counts where
 * there is no time to judge, or where even SAME_SHARE of it would have been seen. Of one build with
 * equal counts (comparison_same_work()) everything is the same: what differs is the machine. */
#ifndef CGVIEW_COMPARE_VERDICT_H
#define CGVIEW_COMPARE_VERDICT_H

#include "compare/comparison.h"

enum verdict {
	VERDICT_NONE,            /* nothing is known, or not yet; a rate is no difference */
	VERDICT_SLOWER, VERDICT_FASTER, VERDICT_MORE_WORK, VERDICT_LESS_WORK,
	VERDICT_MORE, VERDICT_LESS, /* of what is neither time nor work, as bytes */
	VERDICT_NEW, VERDICT_GONE, VERDICT_SAME, VERDICT_UNRESOLVED
};
#define SAME_SHARE 0.02

struct row_verdict {
	enum verdict verdict;
	double least;            /* of times: the least difference that would have been seen, in
	                          * the unit of the figure; NAN: nobody knows */
};

/* "more work" */
const char *verdict_word(enum verdict v);
/* What a verdict is made of. */
struct verdict_facts {
	enum figure figure;
	struct scalar_value of[2];   /* its value in the first profile and the last; NULL: none */
	struct scalar_value work[2]; /* how often it was executed; NULL: not known */
	bool there[2];           /* has the profile it? */
	double significance;     /* of times; NAN: nobody can judge them */
	double error;            /* one standard error */
	bool beyond;             /* it is beyond chance */
	bool same_work;          /* as are all rows */
	bool estimated;          /* counts are estimates, which tell no difference */
};
struct row_verdict verdict_of(const struct verdict_facts *f);

/* The figure that tells how often a thing of this kind was executed, for times FIGURE. */
enum figure verdict_work(enum compare_by by, enum figure figure);

/* Row I of T. That of times is VERDICT_NONE until compared_discoveries() has been asked. */
struct row_verdict compared_verdict(const struct compared *t, size_t i);
/* The whole program, which needs no other rows. */
struct row_verdict compared_total_verdict(const struct compared *t);
/* Returns about how many runs a side would resolve that, if its difference is what it seems to be.
 * NAN: it is not unresolved, nobody knows, or no number below 1000 would. */
double compared_total_runs(const struct compared *t);

#endif
