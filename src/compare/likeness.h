/* Inside src/compare: how alike the texts of two procedures are. */
#ifndef CGVIEW_COMPARE_LIKENESS_H
#define CGVIEW_COMPARE_LIKENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/align.h"

/* The 3-grams of a text's tokens: a hash for each three that stand side by side. Of a long text a
 * sample is kept, those below 2^(32 - STEP), so that two samples can be compared. */
struct grams {
	uint32_t *hashes;        /* ascending, each as often as it is there; heap */
	uint32_t nr;
	unsigned step;
};

/* What is known of a procedure's text. */
struct digest {
	uint64_t hash;           /* of its tokens: equal texts, equal hashes */
	size_t tokens;           /* how many; 0: not read, or there are none */
	struct grams grams;
	bool read;
};

/* Reads the text S from COLUMN of its first line on, without comments and white space; the first
 * token (a procedure's name) stands for itself wherever it occurs again. About MOST grams are kept
 * of a long one: MOST to MOST / 2, unless they are few and frequent. */
void digest_read(struct digest *d, const struct span *s, uint32_t column, size_t most);
void digest_release(struct digest *d);

/* Returns how alike they are, 0 to 1: Dice's coefficient, twice what both have over the sum of what
 * each has (Dice 1945). *COMMON: how many 3-grams both have, about. */
double grams_alike(const struct grams *a, const struct grams *b, uint64_t *common);

/* A text that looks for its counterpart. */
struct lonely {
	const struct grams *grams;
	uint32_t index;          /* the caller's */
	bool is_static;
};

/* Calls PAIR for texts of A and B that are each other's most similar one, with a margin to the
 * second, and similar enough; what is paired is no second for the others. How much each text costs
 * has a bound, whatever the others are: only 3-grams that few of B have lead to candidates. */
void lonely_match(const struct lonely *a, size_t nr_a, const struct lonely *b, size_t nr_b,
		  void (*pair)(void *context, uint32_t a, uint32_t b, double alike), void *context);

#endif
