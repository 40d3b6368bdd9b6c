/* A program may fork a hundred thousand children, and each counts for itself. The first ones have
 * extents of their own; then the extents of children that are gone are used again, and their counts
 * go on. Who has which is noted in the file, in a table that all processes of the family map: a
 * place is taken by compare-and-swap, and never given back: it is free when its owner is dead. */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
	ROOM = 64 * 1024,
	MOST = ROOM / sizeof(struct raw_share),
	APART = 64, /* copies of a module's counters before they are used again */
};

static struct raw_extent *table;

static struct raw_share *
places(void)
{
	return (struct raw_share *)((char *)table + RAW_PAGE);
}

static uint32_t
nr_places(void)
{
	uint64_t n = atomic_load((_Atomic uint64_t *)&table->used) / sizeof(struct raw_share);

	return n < MOST ? (uint32_t)n : MOST;
}

void
share_before_fork(void)
{
	struct extent_request r = {.kind = RAW_SHARES, .data_length = ROOM, .map_head = true};

	if (!table && runtime.active)
		table = extent_new(&r);
}

void
share_after_fork(void)
{
	runtime.forked = true;
	if (!kernel(SYS_getppid)) /* numbers of processes mean others here: the parent has none */
		table = NULL;
}

bool
share_process_gone(uint32_t pid)
{
	return pid != runtime.pid && kernel(SYS_kill, pid, 0) < 0 && errno == ESRCH;
}

/* What has addresses in it is of use only where there is the same code at these. */
static uint64_t
where_code_is(void)
{
	return runtime.head->flags & RAW_POINTERS ? runtime.maps_key << 32 : 0;
}

/* Returns the key that tells extents of one kind apart; 0: they are not shared. */
static uint64_t
key_of(const struct extent_request *r)
{
	switch (r->kind) {
	case RAW_COUNTERS:
		return where_code_is() | r->module;
	case RAW_TARGETS:
	case RAW_TARGET_ROOM:
	case RAW_SPACE_CELLS:
	case RAW_SPACE_PAIRS:
	case RAW_SPACE_POOLS:
		return where_code_is() | r->data_length;
	case RAW_SPACE_SERIES:
		return r->data_length;
	case RAW_SAMPLES:
		return r->room ? runtime.maps_key ^ r->data_length : 0;
	default:
		return r->key;
	}
}

static bool
has_room(const struct extent_request *r, uint64_t at)
{
	struct raw_target_room room;
	struct raw_extent e;

	if (r->kind == RAW_TARGET_ROOM)
		return file_read(&room, sizeof(room), at + RAW_PAGE) &&
		       room.used <= r->data_length / 2;
	if (r->kind == RAW_SPACE_CELLS || r->kind == RAW_SPACE_PAIRS ||
	    r->kind == RAW_SPACE_SERIES || r->kind == RAW_SPACE_POOLS)
		return file_read(&e, sizeof(e), at) && e.used <= e.data_length / 2;
	return r->kind != RAW_SAMPLES ||
	       (file_read(&e, sizeof(e), at) && e.used + r->room <= e.data_length);
}

static bool
take(struct raw_share *s)
{
	uint32_t owner = atomic_load((_Atomic uint32_t *)&s->owner);

	if (!share_process_gone(owner) ||
	    !atomic_compare_exchange_strong((_Atomic uint32_t *)&s->owner, &owner, runtime.pid))
		return false;
	atomic_fetch_add((_Atomic uint32_t *)&s->nr_processes, 1);
	return true;
}

static bool
matches(const struct raw_share *s, uint32_t kind, uint64_t key)
{
	return atomic_load((const _Atomic uint32_t *)&s->kind) == kind && s->key == key;
}

static uint32_t
count_matches(uint32_t kind, uint64_t key)
{
	uint32_t i, n = nr_places(), nr = 0;

	for (i = 0; i < n; i++)
		nr += matches(&places()[i], kind, key);
	return nr;
}

/* With many modules there is less room for each. */
static uint32_t
apart(uint32_t kind)
{
	uint32_t most = MOST / 2 / (runtime.nr_modules ? runtime.nr_modules : 1);

	if (kind != RAW_COUNTERS && kind != RAW_TARGETS && kind != RAW_TARGET_ROOM &&
	    kind != RAW_SPACE_CELLS && kind != RAW_SPACE_PAIRS && kind != RAW_SPACE_POOLS)
		return 1;
	return most > APART ? APART : most ? most : 1;
}

uint64_t
share_find(uint32_t kind, uint64_t key)
{
	uint32_t i, n = table ? nr_places() : 0;

	for (i = 0; i < n; i++)
		if (matches(&places()[i], kind, key))
			return places()[i].offset;
	return 0;
}

uint64_t
extent_adopt(const struct extent_request *r)
{
	uint64_t key = key_of(r);
	uint32_t i, n, first;

	if (!table || !runtime.forked || !key || atomic_load(&runtime.closed))
		return 0;
	if (count_matches(r->kind, key) < apart(r->kind))
		return 0;
	n = nr_places();
	first = runtime.pid % n;
	for (i = 0; i < n; i++) {
		struct raw_share *s = &places()[(first + i) % n];

		if (matches(s, r->kind, key) && take(s) && has_room(r, s->offset))
			return s->offset;
	}
	return 0;
}

void
extent_share(const struct extent_request *r, uint64_t at)
{
	uint64_t key = key_of(r), place;
	struct raw_share *s;

	if (!table || !runtime.forked || !key)
		return;
	place = atomic_fetch_add((_Atomic uint64_t *)&table->used, sizeof(*s)) / sizeof(*s);
	if (place >= MOST) {
		atomic_store((_Atomic uint64_t *)&table->used, ROOM);
		return;
	}
	s = &places()[place];
	s->offset = at;
	s->key = key;
	s->owner = runtime.pid;
	s->nr_processes = 1;
	atomic_store((_Atomic uint32_t *)&s->kind, r->kind);
}
