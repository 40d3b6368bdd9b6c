/* The n-queens program of Waddell & Ashley (1999), Figure 3: its equations (Figure 5) have one
 * solution. The numbers were counted by hand-instrumenting that program call by call, not solved
 * for. */
#include "flow/flow.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Call sites a .. k of Figure 3 are 0 .. 10, procedures 1 .. 9 are 0 .. 8. Queens 8 and 3: one
 * board that is found and one that is not, so that each procedure at h is reached. */
enum { SITES = 11, PROCEDURES = 9, ARCS = 12 };

static const struct figure {
	const char *name;
	uint64_t sites[SITES], procedures[PROCEDURES];
} figures[] = {
	{ "8 queens",
	  { 1, 1, 1, 113, 113, 105, 113, 105, 336, 113, 763 },
	  { 1, 114, 1, 113, 981, 105, 113, 0, 336 } },
	{ "3 queens, no solution",
	  { 1, 1, 0, 6, 6, 5, 5, 6, 11, 5, 13 },
	  { 1, 6, 0, 6, 24, 5, 5, 1, 11 } },
};

static const struct flow_arc arcs[ARCS] = {
	{ 0, 0 }, { 1, 1 }, { 9, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 4 }, { 10, 4 }, { 7, 5 },
	{ 6, 6 }, { 7, 7 }, { 8, 8 },
};

static const uint64_t expected[][ARCS] = {
	{ 1, 1, 113, 1, 113, 113, 105, 763, 105, 113, 0, 336 },
	{ 1, 1, 5, 0, 6, 6, 5, 13, 5, 5, 1, 11 },
};

static bool
check(size_t n, const struct flow_options *options)
{
	struct flow_problem p = {
		.nr_sites = SITES, .nr_procedures = PROCEDURES, .nr_arcs = ARCS, .arcs = arcs,
		.site_count = figures[n].sites, .procedure_count = figures[n].procedures,
	};
	struct flow_result r;
	bool good = true;

	if (flow_solve(&p, options, &r))
		return false;
	for (size_t i = 0; i < ARCS; i++) {
		if (r.how[i] == FLOW_SOLVED && r.count[i] == expected[n][i] &&
		    r.lo[i] == r.count[i] && r.hi[i] == r.count[i])
			continue;
		printf("# arc %zu: %" PRIu64 " in %" PRIu64 "..%" PRIu64 ", expected %" PRIu64 "\n",
		       i, r.count[i], r.lo[i], r.hi[i], expected[n][i]);
		good = false;
	}
	for (size_t i = 0; i < SITES; i++)
		good = good && !r.site_residual[i];
	for (size_t i = 0; i < PROCEDURES; i++)
		good = good && !r.procedure_residual[i];
	flow_result_release(&r);
	return good;
}

int
main(void)
{
	static const enum flow_estimator estimators[] = { FLOW_LIKELY, FLOW_EVEN, FLOW_ENTROPY };
	int failed = 0;

	for (size_t n = 0; n < sizeof(figures) / sizeof(*figures); n++) {
		struct flow_options options = { .bounds = FLOW_BOUNDS_EXACT };
		bool good = true;

		for (size_t e = 0; e < sizeof(estimators) / sizeof(*estimators); e++) {
			options.estimator = estimators[e];
			good = check(n, &options) && good;
		}
		printf("%s - Figure 5, %s\n", good ? "ok" : "not ok", figures[n].name);
		failed += !good;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
