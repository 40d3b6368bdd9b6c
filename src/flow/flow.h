/* Who called whom, how often: the flow problem on the bipartite graph of call sites and procedures.
 * Waddell & Ashley (1999), section 4. Pure: arrays in, arrays out; no globals, no I/O. */
#ifndef CGVIEW_FLOW_FLOW_H
#define CGVIEW_FLOW_FLOW_H

#include <stddef.h>
#include <stdint.h>

enum flow_status { FLOW_OK = 0, FLOW_NO_MEMORY = -1, FLOW_BAD_INPUT = -2, FLOW_BAD_PIN = -3 };
enum flow_how { FLOW_SOLVED, FLOW_ESTIMATED };
enum flow_estimator { FLOW_EVEN, FLOW_ENTROPY, FLOW_SPARSE };

/* OUTER: sound and nearly always exact, O(arcs). EXACT: takes minutes for blocks of 100,000 free
 * arcs. SMALL: exact where that is cheap, else outer. What is solved is told exactly in all of
 * them. */
enum flow_bounds { FLOW_BOUNDS_OUTER, FLOW_BOUNDS_EXACT, FLOW_BOUNDS_SMALL };

#define FLOW_OUTSIDE (-1)

struct flow_arc {
	int32_t site;        /* 0-based, or FLOW_OUTSIDE */
	int32_t procedure;   /* 0-based, or FLOW_OUTSIDE; not both outside */
};

struct flow_problem {
	size_t nr_sites, nr_procedures, nr_arcs;
	const uint64_t *site_count;       /* calls from each site */
	const uint64_t *procedure_count;  /* entries of each procedure */
	const struct flow_arc *arcs;      /* candidates; duplicates allowed (share one arc) */
};

struct flow_pin { size_t arc; uint64_t count; };

struct flow_options {
	enum flow_estimator estimator;
	enum flow_bounds bounds;
	const struct flow_pin *pins;
	size_t nr_pins;
	const double *prior;   /* per arc weight >= 0 (from sampled stacks), or NULL */
};

struct flow_result {           /* arrays owned by the result, freed by flow_result_release */
	uint64_t *count, *lo, *hi;  /* per arc; lo <= count <= hi */
	uint8_t *how;               /* enum flow_how per arc; solved: lo == hi == count */
	uint64_t *site_residual;      /* calls without entry */
	uint64_t *procedure_residual; /* entries without call */
};

/* Label every arc. For every site: sum of its arcs + site_residual = site_count; for every
 * procedure: sum of arcs + procedure_residual = procedure_count. Deterministic in the set of arcs.
 */
enum flow_status flow_solve(const struct flow_problem *problem, const struct flow_options *options,
			    struct flow_result *result);
void flow_result_release(struct flow_result *r);

/* ---- aggregate time: gprof's rule (Graham, Kessler, McKusick 1982, section 4) ---- */

/* Calls of one procedure by another. Those that were never made (count 0) take part in cycles. */
struct flow_call { uint32_t caller, callee; uint64_t count; };

struct flow_time {             /* arrays owned by the result */
	uint64_t *total_ns;         /* per procedure: self + share of callees */
	uint32_t *cycle;            /* per procedure: number of its cycle from 1, 0 none */
	uint64_t *cycle_total_ns;   /* per cycle, index cycle - 1 */
	size_t nr_cycles;
	uint64_t outside_ns;        /* what no caller took: the sum of self_ns to the last ns */
};
/* entries[]: all entries of each procedure including those from outside (the share that comes from
 * outside is nobody's). Conservation: see flow_time() in docs/flow.md. */
enum flow_status flow_time(size_t nr_procedures, const uint64_t *self_ns, const uint64_t *entries,
			   const struct flow_call *calls, size_t nr_calls, struct flow_time *out);
void flow_time_release(struct flow_time *t);

#endif
