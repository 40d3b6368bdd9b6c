/* Thresholds, as slower(5%, 1ms): has the last profile more of a figure than the first, a run, by
 * more than a share of it and by more than an amount? */
#ifndef CGVIEW_COMPARE_THRESHOLD_H
#define CGVIEW_COMPARE_THRESHOLD_H

#include "db/store/figure.h"

enum threshold_kind {
	THRESHOLD_MORE,          /* of what is exact: more_work(), more_bytes() */
	THRESHOLD_SLOWER,        /* beyond chance */
	THRESHOLD_DEARER,        /* each of its executions, beyond chance: as the ledger says */
	THRESHOLD_UNRESOLVED,    /* nobody can tell whether it is so much more, or less */
};
struct threshold {
	const char *name;        /* "slower" */
	enum threshold_kind kind;
	enum figure figure;      /* FIGURES_MAX: no profile has it */
	double relative, absolute; /* a share; ns, executions, bytes */
};

/* How an amount may be written: a number with a unit. */
struct threshold_unit { const char *name; double amount; };

/* How thresholds are written. */
struct threshold_form {
	struct threshold is;
	const char *figure;      /* the name of a measure's; NULL: it has one */
	const struct threshold_unit *units; /* a NULL name ends them: what stands without a unit;
	                          * its amount is 0 where there must be one */
	const char *takes;       /* "slower() takes a share and a time, as in slower(5%, 1ms)" */
};
extern const struct threshold_form threshold_forms[]; /* one without a name ends them */

#endif
