/* Inside src/compare/ledger: who is to blame for more calls. Arrays in, arrays out; no profiles.
 *
 * What procedure p does n times, a cell or an arc, changes by Δn = passed + origin. Passed is what
 * p does more because it is called more often (ΔN); its callers answer for that. The origin is in p
 * itself. One more call of p then makes ψ = passed / ΔN more calls of each callee, and a change
 * that begins with o more calls makes y = o + ψᵀ y: solved component by component of ψ, in the
 * order of calls, each of which is a dense system of its own. */
#ifndef CGVIEW_COMPARE_LEDGER_CARRY_H
#define CGVIEW_COMPARE_LEDGER_CARRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct carry_cell { uint32_t procedure; double n[2], passed; };
/* INNER: both ends are in one cycle of calls. */
struct carry_arc { uint32_t caller, callee; double n[2], passed; bool inner; };

struct carry_component;
struct carry {
	/* To be filled in; all stays the caller's. Procedure 0 is all that is outside. */
	size_t nr;
	const double (*calls)[2];
	const bool *changed;     /* its text */
	struct carry_cell *cells;
	struct carry_arc *arcs;  /* by caller */
	size_t nr_cells, nr_arcs;
	/* Made of these. */
	size_t *first;           /* [procedure]: its arcs; [nr]: the end */
	uint32_t *cycle;         /* [procedure]: it and those that it calls and that call it have
				  * the same number */
	uint32_t *component;     /* [procedure]: the same by passed arcs, callees first */
	struct carry_component *components;
	size_t nr_components;
	double *y;               /* [procedure]: of the last carry_spread() */
	uint32_t *reached;       /* procedures with some */
	size_t nr_reached;
	uint32_t *heap;          /* components to be solved */
	bool *waiting;
	size_t nr_heap;
};

/* Works out what is passed, and prepares the rest. */
void carry_open(struct carry *c);
void carry_release(struct carry *c);

/* Begin a change, add to it O more calls of PROCEDURE, and carry it: y and reached. */
void carry_begin(struct carry *c);
void carry_add(struct carry *c, uint32_t procedure, double o);
void carry_spread(struct carry *c);

/* Sets PRICE, by procedure, to that of one more call with all that it makes: V = φ + ψ V. PHI: the
 * price of what a call does itself. */
void carry_prices(const struct carry *c, const double *phi, double *price);

#endif
