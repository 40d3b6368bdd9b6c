/* Very many 64-bit numbers; few are large, and the others take four bytes each. */
#ifndef CGVIEW_UTIL_PACKED_COUNTS
#define CGVIEW_UTIL_PACKED_COUNTS

#include <stddef.h>
#include <stdint.h>

#define NARROW_LARGE 0x80000000u

/* Zeroed: empty. */
struct narrow {
	uint32_t *small;         /* the number, or with this bit where it is in LARGE */
	size_t nr, alloc;
	uint64_t *large;
	size_t nr_large, large_alloc;
};

/* Append V; number I becomes V. */
void narrow_add(struct narrow *n, uint64_t v);
void narrow_set(struct narrow *n, size_t i, uint64_t v);
void narrow_release(struct narrow *n);

static inline uint64_t
narrow_get(const struct narrow *n, size_t i)
{
	uint32_t v = n->small[i];

	return v & NARROW_LARGE ? n->large[v & ~NARROW_LARGE] : v;
}

#endif
