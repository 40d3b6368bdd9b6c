/* Inside src/compare: how alike the texts of two procedures are. */
#ifndef CGVIEW_COMPARE_LIKENESS_H
#define CGVIEW_COMPARE_LIKENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/match/align.h"

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

/* Which texts have a 3-gram. How much a question costs has a bound, whatever the texts are: only
 * 3-grams that few of them have lead to them. */
struct gram_index;
struct gram_index *gram_index_new(const struct grams *const *texts, size_t nr);
void gram_index_free(struct gram_index *x);
/* The texts that have most in common with one, about: at most MOST. */
size_t gram_index_leads(struct gram_index *x, const struct grams *g, uint32_t *best, size_t most);

#endif
