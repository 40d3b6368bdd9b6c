/* Finds the innermost range at a position in a procedure's source, and the call there. */
#ifndef CGVIEW_COLLECT_LOCATE_H
#define CGVIEW_COLLECT_LOCATE_H

#include "collect/import/counts/build.h"

struct position { model_id file; uint32_t line, column; }; /* column 0: unknown */

/* Returns the innermost range of PROCEDURE that holds the position; else one that begins on its
 * line; else that of the procedure's begin or end if it is there. 0: none. */
model_id locate_range(const struct builder *b, model_id procedure, struct position at);

/* Returns the call in PROCEDURE that stands at the position and calls CALLEE (0: unprofiled code);
 * CALLEES: per site the procedure of direct calls. One that was never executed stands for the only
 * equal one that was, if any was. 0: none. *SURE: it stands exactly there, not only on the same
 * line. */
model_id locate_site(const struct builder *b, model_id procedure, struct position at,
		     model_id callee, const model_id *callees, bool *sure);

/* Returns the executed call in PROCEDURE that calls CALLEE directly, if there is only one. 0: none,
 * or several. */
model_id locate_only_site(const struct builder *b, model_id procedure, model_id callee,
			  const model_id *callees);

/* Can a call of PROCEDURE that stands around the position have called PROCEDURE itself? */
bool locate_calls_itself(const struct builder *b, model_id procedure, struct position at,
			 const model_id *callees);

/* Returns the procedure that a call around the position AT of PROCEDURE calls directly, and that
 * begins at BEGIN, or, if no line of that is known, holds WITHIN. 0: none, or several. */
model_id locate_called(const struct builder *b, model_id procedure, struct position at,
		       const model_id *callees, struct position begin, struct position within);

/* Returns, as locate_site(), the call in PROCEDURE that stands at the position and is counted as
 * one that wants a block of a pool. 0: none. */
model_id locate_pool_site(const struct builder *b, model_id procedure, struct position at,
			  const model_id *callees);

/* Returns the other call that stands at the very place of the direct call SITE; of several the one
 * of NAME (NULL: none is preferred). 0: there is none. */
model_id locate_twin(const struct builder *b, model_id site, const char *name);

/* Returns for each call of the model whether it wants a block of a pool; heap. */
bool *locate_pooled(const struct builder *b);

#endif
