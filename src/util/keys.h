/* Numbers for keys of up to four numbers: 0, 1, 2 ... in the order in which they are first seen, so
 * that they are positions in an array of the caller's. */
#ifndef CGVIEW_UTIL_KEYS_H
#define CGVIEW_UTIL_KEYS_H

#include "util/index.h"

struct key { uint32_t of[4]; };
#define KEY(...) ((struct key){ { __VA_ARGS__ } })

struct keys {
	struct key *items;
	size_t nr, alloc;
	struct index index;
};
#define KEYS_INIT { .items = NULL, .nr = 0, .alloc = 0, .index = INDEX_INIT }

/* Returns the number of KEY. IS_NEW: it is the first one of its kind, and has the next number. */
uint32_t keys_number(struct keys *k, struct key key, bool *is_new);
/* The same of a key that is there; INDEX_NONE: it is not. */
uint32_t keys_find(const struct keys *k, struct key key);
void keys_release(struct keys *k);

#endif
