/* Inside src/compare: lines that became others, token by token. */
#ifndef CGVIEW_COMPARE_GAP_H
#define CGVIEW_COMPARE_GAP_H

#include "compare/match/align.h"

struct aligned_token {
	uint32_t line, begin, end;       /* in FROM */
	uint32_t to_line, to_begin;      /* to_line 0: it does not begin anywhere there */
	uint32_t to_end_line, to_end;
};

/* The tokens of FROM, in order, *NR of them (heap), of all the lines of two spans; no line of these
 * corresponds as a whole. WORK as in sequence_pair(). A job pauses. */
struct aligned_token *gap_tokens(const struct span *from, const struct span *to, uint64_t *work,
				 size_t *nr);

#endif
