/* Do costs of one profile and counts of another tell of the same work? Spearman's rank correlation
 * over procedures says so: a procedure that executes more costs more, mostly, whatever one
 * execution takes. Ranks need no scale, and procedures without a sample have one. */
#ifndef CGVIEW_COMPARE_AGREEMENT_H
#define CGVIEW_COMPARE_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/mem.h"

struct comparison;

struct agreement {
	bool known;              /* one has counts, the other only costs, and enough of them */
	double rank;             /* -1 to 1: the same order */
	size_t procedures;       /* that it is of */
	bool doubtful;           /* the work seems to be another one */
};

/* Below this there is doubt: equal work had 0.70 and more, other work at most 0.1. */
#define LEAST_AGREEMENT 0.4

/* Tells about the first and the last profile. */
struct agreement comparison_agreement(const struct comparison *c);
/* Appends "samples go with counts: rank correlation 0.83 over 97 procedures", or that the workloads
 * do not match; nothing if it is not known. */
void agreement_put(struct strbuf *out, const struct comparison *c);

#endif
