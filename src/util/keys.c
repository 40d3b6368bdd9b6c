#include "util/keys.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

static bool
key_equal(const void *context, uint32_t item, const void *key)
{
	return !memcmp(&((const struct keys *)context)->items[item], key, sizeof(struct key));
}

uint32_t
keys_number(struct keys *k, struct key key, bool *is_new)
{
	uint64_t hash = hash_number(HASH_START, (uint64_t)key.of[0] << 32 | key.of[1]);
	uint32_t i;

	hash = hash_number(hash, (uint64_t)key.of[2] << 32 | key.of[3]);
	i = index_find(&k->index, hash, key_equal, k, &key);
	*is_new = i == INDEX_NONE;
	if (*is_new) {
		i = (uint32_t)k->nr;
		GROW(k->items, k->nr + 1, k->alloc);
		k->items[k->nr++] = key;
		index_add(&k->index, hash, i);
	}
	return i;
}

void
keys_release(struct keys *k)
{
	free(k->items);
	index_release(&k->index);
	*k = (struct keys)KEYS_INIT;
}
