/* Inside src/compare: lines and tokens of texts, and numbers for them. */
#ifndef CGVIEW_COMPARE_TOKEN_H
#define CGVIEW_COMPARE_TOKEN_H

#include "compare/match/align.h"
#include "util/index.h"

struct slice { const char *s; size_t n; };

/* Line N with its newline; empty when there is none. */
struct slice text_line(const struct text *t, uint32_t line);
uint64_t slice_hash(struct slice s);
bool slice_is(struct slice s, const char *text);
/* Is it a name, or a keyword? */
bool slice_is_name(struct slice s);

/* The tokens of lines LINE..LAST, from byte BEGIN of the first on: words, numbers, literals, and
 * each other character by itself; no comments. The rest is zeroed. */
struct token_reader {
	const struct text *text;
	uint32_t line, last;     /* LINE: the next one that is read */
	size_t begin;
	struct slice here;       /* the line that is read, up to AT */
	size_t at;
	bool in_comment;
};
struct token_text {
	struct slice text;
	uint32_t line, begin, end; /* columns from 1 on, inclusive */
};
bool token_next(struct token_reader *r, struct token_text *t);
void token_go_to(struct token_reader *r, uint32_t line);

/* Numbers for texts: equal texts, equal numbers, from 0 on. Zeroed: empty. The texts stay the
 * caller's. */
struct text_numbers {
	struct slice *texts;     /* by number */
	size_t nr, alloc;
	struct index index;
};
uint32_t text_number(struct text_numbers *x, struct slice s);
/* Returns the number of S; x->nr if it has none. */
uint32_t text_number_known(const struct text_numbers *x, struct slice s);
void text_numbers_release(struct text_numbers *x);

#endif
