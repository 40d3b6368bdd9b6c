#include "util/index.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

uint32_t
index_find(const struct index *ix, uint64_t hash, index_equal equal, const void *ctx,
	   const void *key)
{
	size_t i;

	if (!ix->alloc)
		return INDEX_NONE;
	for (i = (uint32_t)hash & (ix->alloc - 1); ix->slots[i].item; i = (i + 1) & (ix->alloc - 1))
		if (ix->slots[i].hash == (uint32_t)hash && equal(ctx, ix->slots[i].item - 1, key))
			return ix->slots[i].item - 1;
	return INDEX_NONE;
}

static void
put(struct index *ix, struct index_slot slot)
{
	size_t i = slot.hash & (ix->alloc - 1);

	while (ix->slots[i].item)
		i = (i + 1) & (ix->alloc - 1);
	ix->slots[i] = slot;
}

static void
grow(struct index *ix)
{
	struct index old = *ix;
	size_t i;

	ix->alloc = old.alloc ? old.alloc * 2 : 64;
	ix->slots = xcalloc(ix->alloc, sizeof(*ix->slots));
	for (i = 0; i < old.alloc; i++)
		if (old.slots[i].item)
			put(ix, old.slots[i]);
	free(old.slots);
}

void
index_reserve(struct index *ix, size_t nr)
{
	while (nr + nr / 2 >= ix->alloc)
		ix->alloc = ix->alloc ? ix->alloc * 2 : 64;
	ix->slots = xcalloc(ix->alloc, sizeof(*ix->slots));
}

void
index_add(struct index *ix, uint64_t hash, uint32_t item)
{
	if (ix->nr + ix->nr / 2 >= ix->alloc)
		grow(ix);
	put(ix, (struct index_slot){ .hash = (uint32_t)hash, .item = item + 1 });
	ix->nr++;
}

void
index_release(struct index *ix)
{
	free(ix->slots);
	*ix = (struct index)INDEX_INIT;
}

uint64_t
hash_bytes(uint64_t h, const void *data, size_t n)
{
	const unsigned char *p = data;
	size_t i;

	for (i = 0; i < n; i++)
		h = (h ^ p[i]) * 1099511628211ull;
	return h;
}

uint64_t
hash_text(uint64_t h, const char *s)
{
	h = hash_bytes(h, s, strlen(s) + 1);
	return h ^ h >> 29;
}
