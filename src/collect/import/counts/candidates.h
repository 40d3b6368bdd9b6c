/* Finds which procedures each call site can have called: the arcs for the flow solver. */
#ifndef CGVIEW_COLLECT_CANDIDATES_H
#define CGVIEW_COLLECT_CANDIDATES_H

#include "collect/import/counts/names.h"

struct taken {                     /* a procedure whose address is taken */
	model_id procedure;
	const char *signature;     /* the tables' */
	uint64_t programs;
};

struct handed_public {             /* a public procedure; MOD only hands out its address */
	model_id procedure;
	const struct module *mod;
	const char *name;          /* for the linker */
};

struct candidates {
	struct candidate *items;
	size_t nr, alloc;
	struct taken *taken;       /* by signature */
	size_t nr_taken, taken_alloc;
	struct handed_public *handed;
	size_t nr_handed, handed_alloc;
	model_id *callee;          /* per site: the procedure that a direct call calls; 0 none */
};

/* Also sets PROCEDURE_TAKEN on the model's procedures. */
void candidates_find(struct candidates *c, struct builder *b, const struct names *n,
		     const struct module *modules, size_t nr);
void candidates_release(struct candidates *c);
/* The procedures that TEXT, a linkage name, can mean in UNIT: its own static one, else its
 * module's, else those of the other modules that were in a process with it. Calls TELL for each;
 * returns how many. */
size_t candidates_resolve(const struct names *n, const struct module *mod, uint32_t unit,
			  const char *text, void (*tell)(void *, model_id), void *data);
/* Public procedures lose PROCEDURE_PASSED where others than the units of their program, all
 * compiled by cgcc, can name them. MODULES: all; what they have of foreign code is known. UNREAD is
 * set where a file was there and could not be read. */
void candidates_doubt_public(struct candidates *c, struct model *m, struct module *modules,
			     struct error *unread);
/* SITE, a call of code outside, gave it the address of CALLEE. */
void candidates_add_handed(struct candidates *c, model_id site, model_id callee);

/* Can a call of signature CALL reach a procedure of signature PROCEDURE? See docs/formats.md.
 * *UNLIKE: if so, how unlikely that is. */
bool signatures_compatible(const char *call, const char *procedure, enum unlike *unlike);

#endif
