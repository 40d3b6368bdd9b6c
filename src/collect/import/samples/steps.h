/* A stack as steps: procedures, also those that were inlined, and foreign code. */
#ifndef CGVIEW_COLLECT_STEPS_H
#define CGVIEW_COLLECT_STEPS_H

#include "collect/import/samples/foreign_rows.h"
#include "collect/import/samples/resolver.h"

struct step {
	struct level *level;           /* NULL: unprofiled code */
	bool foreign;                  /* unprofiled code, with or without a row of its own */
	uint32_t kernel, called;       /* foreign code: numbers + 1, 0 none */
};

/* What SITE called, or FROM jumped to, where the stack has CALLEE in its place. */
struct missing {
	model_id site, from, callee;
	struct level *level;           /* NULL: CALLEE itself, or it is not known */
};

struct steps {
	struct resolver *r;
	struct model *m;
	struct missing *missing;       /* that was asked for */
	size_t nr_missing, missing_alloc;
	struct index missing_index;
	struct step *items;            /* of one stack, innermost first */
	size_t nr, alloc;
	struct foreign_rows rows;
	struct level *foreign;         /* of rows, by procedure, from first_foreign on */
	model_id first_foreign;
};

void steps_release(struct steps *c);

/* Adds the rows of foreign code to the model, and finds out which there are: before anything is
 * counted for it, and before a stack is unfolded. */
void steps_find_foreign(struct steps *c);

/* Makes STACK the steps at hand; none, if all of it is unprofiled. */
void steps_unfold(struct steps *c, const struct stack *stack);

/* Returns the procedure whose self time the time of STACK is; 0: none. It needs no rows of foreign
 * code. */
model_id steps_self(struct steps *c, const struct stack *stack);

/* Was the time of STACK the runtime's own? Not that of what it does for a call of the program's. */
bool steps_is_runtime(struct steps *c, const struct stack *stack);

/* Returns the call site that stands at LEVEL, which called CALLEE (0: other code); 0: not known. */
model_id steps_site(struct steps *c, struct level *level, model_id callee);

/* Returns the procedure that LEVEL must have called under which the stack has CALLEE; NULL: it has
 * called that itself. */
struct level *steps_missing(struct steps *c, struct level *level, model_id callee);

/* Returns the name of what was called where step I begins, which is foreign, as its row has it;
 * NULL: not known. */
const char *steps_foreign_name(struct steps *c, size_t i);

/* Returns the profiled procedure that step I calls; 0: other code. */
model_id steps_callee(const struct steps *c, size_t i);

#endif
