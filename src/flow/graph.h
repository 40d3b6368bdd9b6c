/* Step 1: the candidate arcs, sorted, each once, and the arcs that follow at once (peeling). */
#ifndef CGVIEW_FLOW_GRAPH_H
#define CGVIEW_FLOW_GRAPH_H

#include "flow/flow.h"

enum graph_state { GRAPH_OPEN, GRAPH_SETTLED, GRAPH_DUPLICATE };

/* An arc is known by its index in the problem. Sites, and procedures, have other numbers here:
 * those with smaller counts come first, then their keys decide. Outside is site nr_sites and
 * procedure nr_procedures: behind all others in every order. */
struct graph {
	const struct flow_problem *problem;
	uint32_t nr_sites, nr_procedures, nr_arcs;
	uint32_t *site_number, *procedure_number; /* per site and procedure of the problem */
	uint32_t *by_site, *by_procedure;       /* arcs by both ends, the named one first */
	uint32_t *site_start, *procedure_start; /* a node's first place in them, outside included */
	uint64_t *site_rest, *procedure_rest;   /* what is not yet on an arc */
	uint32_t *degree;                       /* open arcs: sites, then procedures */
	uint8_t *state;                         /* enum graph_state, per arc */
	uint32_t nr_duplicates;
	uint64_t *x;                            /* count per arc; the caller's, zeroed here */
};

static inline uint32_t
graph_site(const struct graph *g, uint32_t arc)
{
	int32_t s = g->problem->arcs[arc].site;

	return s < 0 ? g->nr_sites : g->site_number[s];
}

static inline uint32_t
graph_procedure(const struct graph *g, uint32_t arc)
{
	int32_t p = g->problem->arcs[arc].procedure;

	return p < 0 ? g->nr_procedures : g->procedure_number[p];
}

/* Check PROBLEM and sort its arcs; X has room for a count per arc. G is to be released in any case.
 * The order of the problem's arcs leaves no trace: the first of equal arcs stands for all. */
enum flow_status graph_init(struct graph *g, const struct flow_problem *problem, uint64_t *x);
void graph_release(struct graph *g);

/* Give ARC (or the arc it duplicates) the count N for good; FLOW_BAD_PIN when an end has less. */
enum flow_status graph_pin(struct graph *g, size_t arc, uint64_t n);

/* Settle what needs no search: a node with one open arc puts all it has on it, as far as the other
 * end goes along; a node with nothing left closes its arcs. Repeated until nothing is left to
 * settle. Takes all direct calls and all that was never called. O(arcs). */
enum flow_status graph_peel(struct graph *g);

/* Give duplicates the count of their first. */
void graph_copy_duplicates(const struct graph *g, struct flow_result *result);

#endif
