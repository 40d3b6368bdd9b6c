/* How many of a procedure's calls came from one place, as far as samples tell. */
#ifndef CGVIEW_DB_LIKELY_CALLS
#define CGVIEW_DB_LIKELY_CALLS

#include <stdbool.h>
#include <stdint.h>

/* How often the interval holds the true count, in percent. */
enum likely_level { LIKELY_95, LIKELY_90 };

struct likely_calls {
	uint64_t lo, hi;       /* in: what is possible; out: holds the true count mostly */
	/* The place handed the procedure to code outside, and was executed: it has led to calls, as
	 * a rule, and its estimate comes from samples alone. */
	bool handed;
};

/* Narrows L for a place that is estimated to have made COUNT (within L) of a procedure's ALL calls,
 * and was found on SAMPLES of the OF stacks with that procedure (OF above 0). */
void likely_calls(struct likely_calls *l, enum likely_level level, uint64_t count, double all,
		  double samples, double of);

/* Do the samples contradict this estimate, by more than three standard errors and one sample? */
bool likely_contradicted(double count, double all, double samples, double of);

#endif
