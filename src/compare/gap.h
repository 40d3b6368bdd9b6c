/* Inside src/compare: lines that became others, token by token, in slices. */
#ifndef CGVIEW_COMPARE_GAP_H
#define CGVIEW_COMPARE_GAP_H

#include "compare/align.h"

struct aligned_token {
	uint32_t line, begin, end;       /* in FROM */
	uint32_t to_line, to_begin;      /* to_line 0: it does not begin anywhere there */
	uint32_t to_end_line, to_end;
};

/* Takes all the lines of two spans, of which none corresponds as a whole. WORK as in
 * sequence_begin(). */
struct gap *gap_begin(const struct span *from, const struct span *to, uint64_t *work);
/* Go on until ENOUGH(CONTEXT) (NULL: to the end). True: done. */
bool gap_work(struct gap *g, bool (*enough)(void *context), void *context);
/* The tokens of FROM, in order, *NR of them; when all is done, and until gap_free(). */
const struct aligned_token *gap_tokens(const struct gap *g, size_t *nr);
void gap_free(struct gap *g);

#endif
