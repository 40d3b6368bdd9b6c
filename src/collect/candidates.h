/* Finds which procedures each call site can have called: the arcs for the flow solver. */
#ifndef CGVIEW_COLLECT_CANDIDATES_H
#define CGVIEW_COLLECT_CANDIDATES_H

#include "collect/names.h"

struct taken {                     /* a procedure whose address is taken */
	model_id procedure;
	const char *signature;     /* the tables' */
	uint64_t programs;
};

struct candidates {
	struct candidate *items;
	size_t nr, alloc;
	struct taken *taken;       /* by signature */
	size_t nr_taken, taken_alloc;
	model_id *callee;          /* per site: the procedure that a direct call calls; 0 none */
};

/* Also sets PROCEDURE_TAKEN on the model's procedures. */
void candidates_find(struct candidates *c, struct builder *b, const struct names *n,
		     const struct module *modules, size_t nr);
void candidates_release(struct candidates *c);
/* SITE, a call of code outside, gave it the address of CALLEE. */
void candidates_add_handed(struct candidates *c, model_id site, model_id callee);

/* Can a call of signature CALL reach a procedure of signature PROCEDURE? See docs/formats.md.
 * *UNLIKE: if so, how unlikely that is. */
bool signatures_compatible(const char *call, const char *procedure, enum unlike *unlike);

#endif
