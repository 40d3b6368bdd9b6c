/* "Did you mean …?": the names that are nearest to one that does not exist. */
#ifndef CGVIEW_UTIL_NEAREST_H
#define CGVIEW_UTIL_NEAREST_H

#include "util/mem.h"

enum { NEAREST_MOST = 3 };

struct nearest {
	const char *wanted;
	size_t nr;
	struct {
		char *name;      /* heap */
		unsigned int far; /* 0: the same but for capitals */
	} best[NEAREST_MOST];    /* the nearest first */
};

/* WANTED stays the caller's and must outlive N. */
void nearest_init(struct nearest *n, const char *wanted);
void nearest_release(struct nearest *n);

/* Keep NAME if it is among the nearest so far. A name is near when it contains what is wanted, or
 * when few letters are wrong, missing, too many or swapped (Damerau's distance): at most a third of
 * them. */
void nearest_try(struct nearest *n, const char *name);

/* Returns ": did you mean a, b or c? See", heap; NULL: nothing is near. */
char *nearest_question(const struct nearest *n);

/* The same for a list of names that ends in NULL. */
char *nearest_of(const char *wanted, const char *const *names);

#endif
