/* Libraries that come and go: what the file has of one, its description and the copies of its
 * counters, is used again when it comes back. A table that is never cleared: what finds no place in
 * it is written anew the next time, and the reader adds it up. The first keys, all that most
 * programs have, stand together. The lock is held. */
#include "runtime.h"

enum { LOOKED_AT = 16 };

static uint32_t nr_first;

/* The place of KEY: where it is, or else a free one. NULL: neither. */
static struct kept *
place_of(uint64_t key)
{
	uint32_t i, first = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40);
	struct kept *k;

	for (i = 0; i < nr_first; i++)
		if (runtime.tables->first_kept[i].key == key)
			return &runtime.tables->first_kept[i];
	if (nr_first < MAX_FIRST_KEPT)
		return &runtime.tables->first_kept[nr_first];
	for (i = 0; i < LOOKED_AT; i++) {
		k = &runtime.tables->kept[(first + i) % MAX_KEPT];
		if (!k->key || k->key == key)
			return k;
	}
	return NULL;
}

uint64_t
kept_find(uint64_t key)
{
	const struct kept *k = key && nr_first ? place_of(key) : NULL;

	return k && k->key ? k->at : 0;
}

void
kept_note(uint64_t key, uint64_t at)
{
	struct kept *k = key && at ? place_of(key) : NULL;

	if (!k)
		return;
	/* To look first at a page that nobody has touched would take a fault of its own. */
	if (nr_first < MAX_FIRST_KEPT && k == &runtime.tables->first_kept[nr_first])
		nr_first++;
	k->key = key;
	k->at = at;
}

/* A child of fork has copies of its own. Modules beyond 64 GB of the file have no key. */
uint64_t
kept_copy(uint32_t module, uint32_t slot)
{
	return module >> 24 ? 0 : (uint64_t)module << 40 | (uint64_t)slot << 24 | runtime.pid;
}
