/* An index of calls by their ends: which rows have a given caller or callee. */
#ifndef CGVIEW_DB_ARC_ENDS
#define CGVIEW_DB_ARC_ENDS

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arrays of two are by caller and by callee. A zeroed struct is one that has not begun. */
struct ends {
	uint32_t *first[2];      /* [entity]: where its rows begin; [entity + 1]: where they end */
	uint32_t *rows[2];
	uint32_t most;           /* the greatest entity that has rows of its own */
	uint32_t nr, at;         /* rows; those that are done in this stage */
	enum { ENDS_NONE, ENDS_ASKED, ENDS_PLACED, ENDS_READY } stage;
	uint32_t *of[2];         /* [row]: its ends, while they are put in order */
	uint32_t (*end)(void *context, uint32_t i, bool callee);
	void *context;
};

/* Begins an index of NR rows, of which END tells the caller (false) or the callee (true). Ends that
 * are 0 or greater than MOST are left out. */
void ends_begin(struct ends *e, uint32_t nr, uint32_t most,
		uint32_t (*end)(void *context, uint32_t i, bool callee), void *context);
/* Goes on until all is done (returns true) or ENOUGH(CONTEXT) says so (NULL: to the end). */
bool ends_work(struct ends *e, bool (*enough)(void *context), void *context);
void ends_release(struct ends *e);

/* Returns the rows of ENTITY, ascending, *NR of them. All must be done. */
const uint32_t *ends_of(const struct ends *e, bool callee, uint32_t entity, size_t *nr);

#endif
