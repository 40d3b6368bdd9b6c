/* Calls by whom they are of: which rows have a caller, a callee. */
#ifndef CGVIEW_DB_ARC_ENDS
#define CGVIEW_DB_ARC_ENDS

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By caller, by callee. Zeroed: not begun yet. */
struct ends {
	uint32_t *first[2];      /* [entity]: where its rows begin; [entity + 1]: where they end */
	uint32_t *rows[2];
	uint32_t most;           /* the greatest entity that is told apart */
	uint32_t nr, at;         /* rows; those that are done in this stage */
	enum { ENDS_NONE, ENDS_ASKED, ENDS_PLACED, ENDS_READY } stage;
	uint32_t *of[2];         /* [row]: its ends, while they are put in order */
	uint32_t (*end)(void *context, uint32_t i, bool callee);
	void *context;
};

/* END tells the caller (false) or the callee (true) of each of NR rows; those that are 0 or more
 * than MOST are left out. */
void ends_begin(struct ends *e, uint32_t nr, uint32_t most,
		uint32_t (*end)(void *context, uint32_t i, bool callee), void *context);
/* Go on until ENOUGH(CONTEXT) (NULL: to the end). True: all is done. */
bool ends_work(struct ends *e, bool (*enough)(void *context), void *context);
void ends_release(struct ends *e);

/* The rows of ENTITY, ascending, *NR of them; when all is done. */
const uint32_t *ends_of(const struct ends *e, bool callee, uint32_t entity, size_t *nr);

#endif
