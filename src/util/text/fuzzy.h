/* Names that fit a few typed letters, as in editors: the letters stand in the name in their order,
 * not necessarily beside each other. */
#ifndef CGVIEW_UTIL_FUZZY_H
#define CGVIEW_UTIL_FUZZY_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZY_WANTED = 64, FUZZY_NAME = 512 }; /* bytes that are looked at, at most */

/* Room to work in, too large for a stack. */
struct fuzzy {
	int16_t ends[FUZZY_WANTED][FUZZY_NAME]; /* the best of the letters up to I, I at byte J */
};

/* Returns how well NAME fits WANTED, whose blanks do not count: more for letters that begin words
 * (behind what is no letter, or a capital) and for those that follow each other, less for what lies
 * between. -1: it does not fit. Capitals in WANTED want capitals. Nothing wanted fits all: 0.
 * (The score is Smith and Waterman's, with the bonuses of fzf.) */
int fuzzy_score(struct fuzzy *f, const char *wanted, const char *name);

/* Fills AT with the bytes of NAME that the letters are, in their order, for a name that fits.
 * Returns how many. */
size_t fuzzy_places(struct fuzzy *f, const char *wanted, const char *name,
		    size_t at[FUZZY_WANTED]);

#endif
