/* The machine code of a procedure, or of an expression, as text: each instruction with what was
 * sampled in it, below the place in the source that it stands for. */
#ifndef CGVIEW_SHOW_INSTRUCTIONS_H
#define CGVIEW_SHOW_INSTRUCTIONS_H

#include "show/doc.h"
#include "util/error.h"

struct instructions_query {
	model_id procedure;
	struct place place; /* only what stands for something in it; file 0: the whole procedure */
	bool ascii;
};

/* Appends lines to OUT, which are safe for a terminal; those of places begin with no blank. What an
 * instruction stands for, debug information tells: inlined code stands for its call, too. Samples
 * are of all runs and threads. An instruction has no count, as no block can be told behind the
 * optimiser: the count is that of the source range around the place. Returns how many instructions
 * there are; -1 and ERR: the code cannot be shown, with the reason. */
ptrdiff_t instructions_text(struct strbuf *out, struct docs *docs,
			    const struct instructions_query *q, struct error *err);

#endif
