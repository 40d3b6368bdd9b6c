/* Libraries that come and go: what the file has of one, its description and the copies of its
 * counters, is used again when it comes back. A table that is never cleared: what finds no place in
 * it is written anew the next time, and the reader adds it up. The lock is held. */
#include "runtime.h"

enum { LOOKED_AT = 16 };

static uint32_t
place_of(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % MAX_KEPT;
}

uint64_t
kept_find(uint64_t key)
{
	const struct kept *kept = runtime.tables->kept;
	uint32_t i, first = place_of(key);

	for (i = 0; key && i < LOOKED_AT; i++)
		if (kept[(first + i) % MAX_KEPT].key == key)
			return kept[(first + i) % MAX_KEPT].at;
	return 0;
}

void
kept_note(uint64_t key, uint64_t at)
{
	struct kept *kept = runtime.tables->kept;
	uint32_t i, first = place_of(key), place;

	for (i = 0; key && at && i < LOOKED_AT; i++) {
		place = (first + i) % MAX_KEPT;
		if (kept[place].key && kept[place].key != key)
			continue;
		kept[place].key = key;
		kept[place].at = at;
		return;
	}
}

/* A child of fork has copies of its own. Modules beyond 64 GB of the file have no key. */
uint64_t
kept_copy(uint32_t module, uint32_t slot)
{
	return module >> 24 ? 0 : (uint64_t)module << 40 | (uint64_t)slot << 24 | runtime.pid;
}
