/* A hash index over items that live elsewhere: from a key to the item's number. The caller hashes
 * and compares; the index only keeps the numbers. */
#ifndef CGVIEW_UTIL_INDEX_H
#define CGVIEW_UTIL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index {
	/* Hash: its low half. Item: number + 1, 0 empty. */
	struct index_slot { uint32_t hash, item; } *slots;
	size_t nr, alloc;          /* alloc: a power of two */
};
#define INDEX_INIT { .slots = NULL, .nr = 0, .alloc = 0 }
#define INDEX_NONE UINT32_MAX

/* Is item number ITEM of CTX the one that KEY describes? */
typedef bool (*index_equal)(const void *ctx, uint32_t item, const void *key);

/* The number of the item with this hash and key, or INDEX_NONE. */
uint32_t index_find(const struct index *ix, uint64_t hash, index_equal equal, const void *ctx,
		    const void *key);
/* Enter item number ITEM; it must not be there yet (or equal items may be found in any order). */
void index_add(struct index *ix, uint64_t hash, uint32_t item);
/* Make room for NR items in an empty one, so that it need not grow, which takes long. */
void index_reserve(struct index *ix, size_t nr);
void index_release(struct index *ix);

/* Hashes: FNV-1a over bytes, and a good mixer to chain numbers. */
#define HASH_START 14695981039346656037ull
uint64_t hash_bytes(uint64_t h, const void *data, size_t n);
uint64_t hash_text(uint64_t h, const char *s);
static inline uint64_t
hash_number(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}

#endif
