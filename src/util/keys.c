#include "util/keys.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

static bool
key_equal(const void *context, uint32_t item, const void *key)
{
	return !memcmp(&((const struct keys *)context)->items[item], key, sizeof(struct key));
}

static uint64_t
hash_of(const struct key *key)
{
	uint64_t hash = hash_number(HASH_START, (uint64_t)key->of[0] << 32 | key->of[1]);

	return hash_number(hash, (uint64_t)key->of[2] << 32 | key->of[3]);
}

uint32_t
keys_find(const struct keys *k, struct key key)
{
	return index_find(&k->index, hash_of(&key), key_equal, k, &key);
}

uint32_t
keys_number(struct keys *k, struct key key, bool *is_new)
{
	uint32_t i = keys_find(k, key);

	*is_new = i == INDEX_NONE;
	if (*is_new) {
		i = (uint32_t)k->nr;
		GROW(k->items, k->nr + 1, k->alloc);
		k->items[k->nr++] = key;
		index_add(&k->index, hash_of(&key), i);
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
