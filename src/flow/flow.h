/* How often each call site called each procedure: the flow problem on the bipartite graph of both.
 * Waddell & Ashley (1999), section 4. Pure: arrays in, arrays out; no globals, no I/O. */
#ifndef CGVIEW_FLOW_FLOW_H
#define CGVIEW_FLOW_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum flow_status { FLOW_OK = 0, FLOW_NO_MEMORY = -1, FLOW_BAD_INPUT = -2, FLOW_BAD_PIN = -3 };
enum flow_how { FLOW_SOLVED, FLOW_ESTIMATED };
enum flow_estimator { FLOW_LIKELY, FLOW_EVEN, FLOW_ENTROPY };

/* OUTER: sound and nearly always exact, O(arcs). EXACT: takes minutes for blocks of 100,000 free
 * arcs. SMALL: exact where that is cheap, else outer. All of them tell exactly which arcs are
 * solved. */
enum flow_bounds { FLOW_BOUNDS_OUTER, FLOW_BOUNDS_EXACT, FLOW_BOUNDS_SMALL };

#define FLOW_OUTSIDE (-1)
enum { FLOW_UNLIKELY = 2 };

struct flow_arc {
	int32_t site;        /* 0-based, or FLOW_OUTSIDE */
	int32_t procedure;   /* 0-based, or FLOW_OUTSIDE; not both outside */
};

struct flow_problem {
	size_t nr_sites, nr_procedures, nr_arcs;
	const uint64_t *site_count;       /* calls from each site */
	const uint64_t *procedure_count;  /* entries of each procedure */
	const struct flow_arc *arcs;      /* candidates; duplicates allowed (share one arc) */
	/* Per arc, up to FLOW_UNLIKELY; or NULL. Estimates put calls on those of 0 first, as many
	 * as fit, then on those of 1, and so on. Equal arcs are equally unlikely. */
	const uint8_t *unlikely;
	/* Names of the nodes, that their numbers may not matter: where nodes with the same count
	 * cannot be told apart otherwise, these decide. NULL: the numbers do. */
	const uint64_t *site_key, *procedure_key;
};

struct flow_pin { size_t arc; uint64_t count; };

struct flow_options {
	enum flow_estimator estimator;
	enum flow_bounds bounds;
	const struct flow_pin *pins;
	size_t nr_pins;
	const double *prior;   /* per arc >= 0, how often samples saw it (FLOW_LIKELY), or NULL */
};

struct flow_result {           /* arrays owned by the result, freed by flow_result_release */
	uint64_t *count, *lo, *hi;  /* per arc; lo <= count <= hi */
	uint8_t *how;               /* enum flow_how per arc; solved: lo == hi == count */
	uint64_t *site_residual;      /* calls without entry */
	uint64_t *procedure_residual; /* entries without call */
};

/* Label every arc. For every site: sum of its arcs + site_residual = site_count; for every
 * procedure: sum of arcs + procedure_residual = procedure_count. Deterministic in the set of arcs;
 * the numbers of nodes matter only where both counts and keys are equal. */
enum flow_status flow_solve(const struct flow_problem *problem, const struct flow_options *options,
			    struct flow_result *result);
void flow_result_release(struct flow_result *r);

/* ---- the dial: a solution that stays in memory and is turned (Waddell & Ashley, section 6) */

struct flow_dial;

/* flow_solve() whose result can be asked more and be changed. PROBLEM's arrays must stay as long as
 * the dial; OPTIONS' need not. On failure *DIAL is NULL. */
enum flow_status flow_dial_open(const struct flow_problem *problem,
				const struct flow_options *options, struct flow_dial **dial);
void flow_dial_close(struct flow_dial *d);

/* The present solution; the dial's, its contents change with the calls below. */
const struct flow_result *flow_dial_result(const struct flow_dial *d);

/* The exact interval of ARC under the present pins. The result has it from now on, too. */
enum flow_status flow_dial_interval(struct flow_dial *d, size_t arc, uint64_t *lo, uint64_t *hi);

/* Turn ARC to COUNT and pin it there; a pinned arc can be turned again. All that hangs together
 * with it is estimated anew, pins and sums are kept. FLOW_BAD_PIN: not within the exact interval,
 * nothing has changed. After turns the result's lo and hi are sound for all arcs, but may be wider
 * than those of a problem solved with these pins; flow_dial_interval() is exact. After
 * FLOW_NO_MEMORY the dial can only be closed. */
enum flow_status flow_dial_turn(struct flow_dial *d, size_t arc, uint64_t count);

/* Releases ARC; no error if it is not pinned. */
enum flow_status flow_dial_unpin(struct flow_dial *d, size_t arc);

/* Estimate everything that is not pinned anew, by another rule. */
enum flow_status flow_dial_estimator(struct flow_dial *d, enum flow_estimator estimator);

/* ---- aggregate time: gprof's rule (Graham, Kessler, McKusick 1982, section 4) ---- */

/* Calls of one procedure by another. Those that were never made (count 0) take part in cycles. */
struct flow_call { uint32_t caller, callee; uint64_t count; };

struct flow_cycle {            /* procedures that call each other */
	size_t members;
	uint64_t total_ns;     /* self times of its members and what they call outside of it */
	uint64_t inner_calls;  /* from one member to another */
	uint64_t self_calls;   /* of members by themselves */
	uint64_t outer_calls;  /* into it, those from outside the program included */
};

struct flow_time {             /* arrays owned by the result */
	uint64_t *total_ns;         /* per procedure: self + share of callees */
	uint64_t *call_ns;          /* per call: time of the callee that it brings to the caller;
				     * 0 within a cycle */
	uint32_t *cycle;            /* per procedure: number of its cycle from 1, 0 none */
	struct flow_cycle *cycles;  /* number - 1 */
	size_t nr_cycles;
	uint64_t outside_ns;        /* what no caller took: the sum of self_ns to the last ns */
};
/* entries[]: all entries of each procedure including those from outside (the share that comes from
 * outside is nobody's). Conservation: see docs/design/arcs.md, "Aggregate time". */
enum flow_status flow_time(size_t nr_procedures, const uint64_t *self_ns, const uint64_t *entries,
			   const struct flow_call *calls, size_t nr_calls, struct flow_time *out);
void flow_time_release(struct flow_time *t);

/* ---- how far aggregate times move when the arcs do ---- */

/* A call whose count is known to lie in lo..hi. ALWAYS: it takes part in cycles even when there are
 * no such calls; others that cannot have been made (hi 0) are to be left out. */
struct flow_call_range { uint32_t caller, callee; uint64_t lo, hi; uint8_t always; };

/* Bounds of flow_time()'s total_ns, LO_NS and HI_NS, per procedure: over all counts within the
 * ranges such that no procedure's calls exceed its entries. They are sound; equal only if no
 * uncertain call matters to the procedure, and then the total is exact (but for the rounding of
 * shares to whole nanoseconds). They can be wider than need be, as counts are taken to move
 * independently of each other. O(calls log calls). */
enum flow_status flow_time_bounds(size_t nr_procedures, const uint64_t *self_ns,
				  const uint64_t *entries, const struct flow_call_range *calls,
				  size_t nr_calls, uint64_t *lo_ns, uint64_t *hi_ns);

/* ---- what is below a procedure for certain ---- */

/* If a procedure is called from several places, it is not known which of these calls led to what it
 * makes. But what can be reached only through a procedure, or a call, was made below it. */
struct flow_certain {
	bool *whole;        /* per procedure: whatever it leads to is reached only through it */
	bool *whole_call;   /* per call: whatever it leads to is reached only through it */
	uint32_t *above;    /* per procedure: the innermost one that each way to it passes, or nr */
	uint32_t *order;    /* all procedures, each behind the one above it */
};

/* CALLS with hi 0 were not made. ENTERED: per procedure, can it be called from outside? It is set
 * for those that no call leads to. MAKES: what makes nothing, nor leads to such, does not matter.
 * WHOLE and WHOLE_CALL are sound; where cycles are left by the call that entered them, or finding
 * out takes too long, they can be false though it is so. OUT: on failure nothing. */
enum flow_status flow_certain(size_t nr_procedures, const struct flow_call_range *calls,
			      size_t nr_calls, bool *entered, const bool *makes,
			      struct flow_certain *out);
/* Adds to each of BELOW, per procedure, the figures of all below it: in the end it is of all that
 * a whole procedure leads to. Their sum must fit. */
void flow_certain_sum(const struct flow_certain *c, size_t nr_procedures, uint64_t *below);
void flow_certain_release(struct flow_certain *c);

#endif
