/* An index of calls by their ends: which rows have a given caller or callee. */
#ifndef CGVIEW_DB_ARC_ENDS
#define CGVIEW_DB_ARC_ENDS

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arrays of two are by caller and by callee. A zeroed struct is one that has not begun. */
struct ends {
	bool ready;
	uint32_t most;           /* the greatest entity that has rows of its own */
	uint32_t *first[2];      /* [entity]: where its rows begin; [entity + 1]: where they end */
	uint32_t *rows[2];
	uint32_t *of[2];         /* [row]: its ends, while they are put in order */
};

/* Makes an index of NR rows; END returns the caller (false) or the callee (true) of row I. Ends
 * that are 0 or greater than MOST are left out. Pauses (util/job.h). */
void ends_make(struct ends *e, uint32_t nr, uint32_t most,
	       uint32_t (*end)(void *context, uint32_t i, bool callee), void *context);
/* Also when it is not ready. */
void ends_release(struct ends *e);

/* Returns the rows of ENTITY, ascending, *NR of them; none when it is not ready. */
const uint32_t *ends_of(const struct ends *e, bool callee, uint32_t entity, size_t *nr);

#endif
