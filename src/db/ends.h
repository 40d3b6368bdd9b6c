/* Calls by whom they are of: which rows have a caller, a callee. */
#ifndef CGVIEW_DB_ENDS_H
#define CGVIEW_DB_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By caller, by callee. Zeroed: not made yet. */
struct ends {
	uint32_t *first[2];      /* [entity]: where its rows begin; [entity + 1]: where they end */
	uint32_t *rows[2];
	uint32_t most;           /* the greatest entity that is told apart */
};

/* END tells the caller (false) or the callee (true) of each of NR rows; those that are 0 or more
 * than MOST are left out. */
void ends_make(struct ends *e, uint32_t nr, uint32_t most,
	       uint32_t (*end)(void *context, uint32_t i, bool callee), void *context);
void ends_release(struct ends *e);

/* The rows of ENTITY, ascending, *NR of them. */
const uint32_t *ends_of(const struct ends *e, bool callee, uint32_t entity, size_t *nr);

#endif
