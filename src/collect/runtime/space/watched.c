#include "watched.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "collect/runtime/kernel.h"
#include "tables.h"
#include "times.h"

#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1
#endif

enum {
	MOST = 1024,	/* at one time */
	LARGEST = 4096, /* bytes of a block: a page */
	BEHIND = 8,	/* written behind a block, if there is room, to be found again */
	BATCH = 32,	/* places whose pages are asked for at once */
	PAGES_OF_PLACE = WATCHED_STRIDE / RAW_PAGE,
	LIVES_CHUNK = 65536, /* bytes of records in the file */
	MOST_LIVES_CHUNKS = 512
};
/* One block is drawn each LEAST_MEAN bytes; half as many after each EACH_DRAWN of them, and for
 * each EACH_PLACES that are in use beyond FREELY: there is always room, and the records of a long
 * run are few. */
enum { LEAST_MEAN = 4096, EACH_DRAWN = 2048, FREELY = 256, EACH_PLACES = 64, MOST_HALVES = 40 };
/* The longest time between two looks, the shortest, and the share of the time that they take,
 * together with what each use after a look costs the program. */
enum { LONGEST_NS = 100000000, SHORTEST_NS = 10000000, SHARE = 100, USE_NS = 3000 };

struct watched_state watched = {.begin = UINTPTR_MAX / 2};

/* FREE: in shared memory, nobody has used its page since it was looked at. KEPT: it holds a block,
 * in the process's own memory; KEEPING: it is about to be there. GONE: such a block was given
 * back. */
enum place_state { FREE, TAKEN, LIVE, DYING, KEEPING, KEPT, GONE };
struct place {
	_Atomic uint8_t state; /* enum place_state */
	uint16_t offset;       /* of the block */
	uint32_t generation;   /* of the process that made it */
	uint32_t producer;
	uint64_t born; /* the heap clock then, in units */
	size_t size;
	struct raw_space_life *life; /* in the file; NULL: it is of another process */
};

static struct places {
	struct place *of; /* NULL: there are none */
	uintptr_t again;  /* where the same memory is to be had a second time */
	atomic_flag lock; /* of all below; it is only tried */
	uint16_t free[WATCHED_PLACES];
	uint32_t nr_free, nr_used; /* used: LIVE or DYING */
	uint32_t high;		   /* places from here on were never used */
	uint64_t drawn;
	struct raw_extent *chunks[MOST_LIVES_CHUNKS];
	uint32_t nr_chunks;
	/* Of the thread that looks. */
	int file, pagemap;
	uint64_t looked_ns, before_ns; /* when the last look ended, and began */
} places = {.lock = ATOMIC_FLAG_INIT};

static const struct space_host *
host(void)
{
	return atomic_load(&space.host);
}

static void
fail(enum raw_watch_state state, int error)
{
	struct raw_space_watch *w = host()->watch;

	atomic_store(&watched.on, false);
	if (w->state == RAW_WATCH_ON) {
		w->error = (uint32_t)error;
		w->state = state;
	}
}

static bool
try_lock(void)
{
	return !atomic_flag_test_and_set_explicit(&places.lock, memory_order_acquire);
}

static void
unlock(void)
{
	atomic_flag_clear_explicit(&places.lock, memory_order_release);
}

static char *
page_of(uint32_t i)
{
	return (char *)watched.begin + (uintptr_t)i * WATCHED_STRIDE;
}

static char *
page_again(uint32_t i)
{
	return (char *)places.again + (uintptr_t)i * WATCHED_STRIDE;
}

static enum place_state
state_of(uint32_t i)
{
	return (enum place_state)atomic_load_explicit(&places.of[i].state, memory_order_acquire);
}

static void
set_state(uint32_t i, enum place_state state)
{
	atomic_store_explicit(&places.of[i].state, (uint8_t)state, memory_order_release);
}

static bool
change_state(uint32_t i, enum place_state from, enum place_state to)
{
	uint8_t old = (uint8_t)from;

	return atomic_compare_exchange_strong(&places.of[i].state, &old, (uint8_t)to);
}

/* ---- the memory ---- */

/* Room for all places where there is none yet. */
static uintptr_t
reserve(void)
{
	long p = kernel(SYS_mmap, NULL, WATCHED_BYTES + WATCHED_STRIDE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == -1 ? 0 : ((uintptr_t)p + WATCHED_STRIDE - 1) & -(uintptr_t)WATCHED_STRIDE;
}

bool
watched_start(void)
{
	uintptr_t begin = reserve(), again = begin ? reserve() : 0;

	places.of = again ? host()->memory(WATCHED_PLACES * sizeof(*places.of)) : NULL;
	if (!places.of) {
		fail(RAW_WATCH_NO_MEMORY, errno);
		return false;
	}
	places.again = again;
	watched.begin = begin;
	return true;
}

static bool
map_run(uint32_t from, uint32_t to, int flags)
{
	size_t length = (size_t)(to - from) * WATCHED_STRIDE;
	char *at[2] = {page_of(from), page_again(from)};

	for (int i = 0; i < (flags & MAP_SHARED ? 2 : 1); i++) {
		if (kernel(SYS_mmap, at[i], length, PROT_READ | PROT_WRITE,
			   flags | MAP_FIXED | MAP_NORESERVE, places.file,
			   (size_t)from * WATCHED_STRIDE) == -1)
			return false;
		/* A huge page is in use when any of its pages is. */
		kernel(SYS_madvise, at[i], length, MADV_NOHUGEPAGE);
	}
	return true;
}

/* Maps all runs of places in this state, to NR. */
static bool
map_places(enum place_state state, uint32_t nr, int flags)
{
	uint32_t from = 0, to;

	for (; from < nr; from = to) {
		to = from + 1;
		if (state_of(from) != state)
			continue;
		while (to < nr && state_of(to) == state)
			to++;
		if (!map_run(from, to, flags))
			return false;
	}
	return true;
}

/* The program may have a limit to the size of its files. */
static int
make_file(void)
{
	struct rlimit limit;
	int fd;

	if (kernel(SYS_getrlimit, RLIMIT_FSIZE, &limit) || limit.rlim_cur < WATCHED_BYTES) {
		errno = EFBIG;
		return -1;
	}
	fd = (int)kernel(SYS_memfd_create, "cgview-watched", MFD_CLOEXEC);
	if (fd >= 0 && kernel(SYS_ftruncate, fd, WATCHED_BYTES)) {
		kernel(SYS_close, fd);
		return -1;
	}
	return fd;
}

/* ---- what the kernel tells ---- */

/* Was the first page of each of NR places from FROM on used? */
static bool
read_used(uint32_t from, uint32_t nr, bool *used)
{
	uint64_t entries[BATCH * PAGES_OF_PLACE];
	long size = (long)nr * PAGES_OF_PLACE * 8;
	uint64_t at = (uintptr_t)page_of(from) / RAW_PAGE * 8;

	if (kernel(SYS_pread64, places.pagemap, entries, size, at) != size)
		return false;
	for (uint32_t i = 0; i < nr; i++)
		used[i] = entries[i * PAGES_OF_PLACE] >> 63;
	return true;
}

static bool
forget_use(uint32_t i)
{
	return !kernel(SYS_madvise, page_of(i), RAW_PAGE, MADV_DONTNEED);
}

/* Does it tell what was done to place I, which is free? */
static bool
tells(uint32_t i)
{
	bool used, unused;

	*(volatile char *)page_of(i) = 0;
	if (!read_used(i, 1, &used) || !used) {
		fail(RAW_WATCH_NO_PAGEMAP, 0);
		return false;
	}
	if (!forget_use(i)) {
		fail(RAW_WATCH_LOCKED, errno);
		return false;
	}
	if (!read_used(i, 1, &unused) || unused) {
		fail(RAW_WATCH_NO_PAGEMAP, 0);
		return false;
	}
	return true;
}

/* ---- looking ---- */

static uint64_t
now(void)
{
	struct {
		int64_t s, ns;
	} t = {0, 0};

	kernel(SYS_clock_gettime, 1 /* CLOCK_MONOTONIC */, &t);
	return (uint64_t)t.s * 1000000000 + (uint64_t)t.ns;
}

/* It was used later than AFTER, and not later than AT. */
static void
note_use(struct raw_space_life *l, uint64_t after, uint64_t at)
{
	after = after > l->born_ns ? after : l->born_ns;
	if (!l->first_ns) {
		l->first_after_ns = after;
		l->first_ns = at;
	}
	l->last_after_ns = after;
	l->last_ns = at;
}

/* Nobody uses place I any more. */
static void
finish(uint32_t i)
{
	places.of[i].life = NULL;
	set_state(i, FREE);
	places.free[places.nr_free++] = (uint16_t)i;
	places.nr_used--;
}

/* Waits for whoever is at work, but not for one that is interrupted by who waits for us. */
static bool
lock(void)
{
	enum { MOST_TRIES = 10000 };

	for (int i = 0; i < MOST_TRIES; i++) {
		if (try_lock())
			return true;
		kernel(SYS_sched_yield);
	}
	return false;
}

/* What is found out of a place in a look: WAS its state before it was looked at. */
static void
look_at(uint32_t i, enum place_state was, bool used, uint64_t at)
{
	struct raw_space_life *l = places.of[i].life;

	if (was != LIVE && was != DYING)
		return;
	if (used && was == DYING && at > l->died_ns)
		note_use(l, places.before_ns, l->died_ns);
	else if (used)
		note_use(l, places.before_ns, at);
	atomic_store_explicit((_Atomic uint64_t *)&l->seen_ns, at, memory_order_release);
	if (used && !forget_use(i))
		fail(RAW_WATCH_LOCKED, errno);
	if (was == DYING && lock()) {
		finish(i);
		unlock();
	}
}

/* Returns how many were used. */
static uint32_t
look_at_all(void)
{
	uint32_t nr = atomic_load((_Atomic uint32_t *)&places.high), n, i, at, nr_used = 0;
	enum place_state was[BATCH];
	bool used[BATCH];
	uint64_t when;

	for (at = 0; at < nr; at += n) {
		n = nr - at < BATCH ? nr - at : BATCH;
		for (i = 0; i < n; i++)
			was[i] = state_of(at + i);
		if (!read_used(at, n, used)) {
			fail(RAW_WATCH_NO_PAGEMAP, errno);
			return 0;
		}
		when = now();
		for (i = 0; i < n; i++) {
			look_at(at + i, was[i], used[i], when);
			nr_used += used[i];
		}
	}
	return nr_used;
}

uint64_t
watched_look(void)
{
	struct raw_space_watch *w = host()->watch;
	uint64_t begin = now(), cost, pause;
	uint32_t nr_used;

	if (!atomic_load(&watched.on))
		return 0;
	nr_used = look_at_all();
	atomic_fetch_add((_Atomic uint64_t *)&w->looks, 1);
	if (begin - places.before_ns > w->longest_ns)
		w->longest_ns = begin - places.before_ns;
	places.before_ns = begin;
	cost = now() - begin + (uint64_t)nr_used * USE_NS;
	pause = cost * SHARE < LONGEST_NS ? cost * SHARE : LONGEST_NS;
	return pause > SHORTEST_NS ? pause : SHORTEST_NS;
}

/* ---- begin and end ---- */

/* The places that hold nothing are in new memory, which no other process has. Others may be given
 * back meanwhile. */
static bool
begin_places(void)
{
	places.nr_free = places.nr_used = 0;
	for (uint32_t i = WATCHED_PLACES; i-- > 0;)
		if (state_of(i) == FREE || change_state(i, GONE, FREE))
			places.free[places.nr_free++] = (uint16_t)i;
	places.file = make_file();
	if (places.file < 0 || !map_places(FREE, WATCHED_PLACES, MAP_SHARED)) {
		fail(RAW_WATCH_NO_MEMORY, errno);
		return false;
	}
	return true;
}

bool
watched_begin(void)
{
	if (!places.of || host()->watch->state != RAW_WATCH_ON)
		return false;
	places.pagemap = (int)kernel(SYS_openat, -100 /* AT_FDCWD */, "/proc/self/pagemap",
				     0 /* O_RDONLY */);
	if (places.pagemap < 0) {
		fail(RAW_WATCH_NO_PAGEMAP, errno);
		return false;
	}
	if (!begin_places() || !places.nr_free || !tells(places.free[places.nr_free - 1]))
		return false;
	places.before_ns = now();
	atomic_store(&watched.on, true);
	return true;
}

/* Before the memory changes, as who sees it must not look for the block's bytes elsewhere. */
static void
keep_those_that_live(uint32_t nr, bool ends)
{
	for (uint32_t i = 0; i < nr; i++) {
		struct raw_space_life *l = places.of[i].life;
		bool kept = change_state(i, TAKEN, KEEPING) || change_state(i, LIVE, KEEPING);

		if (kept && l && !ends)
			l->flags |= RAW_LIFE_CUT;
		if (state_of(i) == DYING) /* since the last look */
			set_state(i, GONE);
	}
}

/* The private memory has at first what the file has, to which nobody writes any more. */
void
watched_end(bool ends)
{
	bool was_on = atomic_exchange(&watched.on, false), locked;
	uint32_t nr;

	if (!places.of)
		return;
	locked = lock();
	nr = places.high;
	if (locked)
		unlock();
	if (was_on)
		look_at_all();
	locked = lock();
	keep_those_that_live(nr, ends);
	if (!map_places(KEEPING, nr, MAP_PRIVATE))
		fail(RAW_WATCH_NO_MEMORY, errno);
	for (uint32_t i = 0; i < nr; i++)
		change_state(i, KEEPING, KEPT);
	if (locked)
		unlock();
}

void
watched_forked(void)
{
	if (!places.of)
		return;
	for (uint32_t i = 0; i < places.high; i++)
		places.of[i].life = NULL;
	for (uint32_t i = 0; i < places.nr_chunks; i++)
		host()->drop(places.chunks[i]);
	places.nr_chunks = 0;
	places.drawn = 0;
	unlock();
}

/* ---- blocks ---- */

/* How many bytes there are from one to the next that is drawn from now on. */
static uint64_t
mean_now(void)
{
	uint32_t used = places.nr_used;
	uint64_t halves = places.drawn / EACH_DRAWN;
	uint64_t crowd = used > FREELY ? (used - FREELY) / EACH_PLACES + 1 : 0;

	halves = halves > crowd ? halves : crowd;
	return (uint64_t)LEAST_MEAN << (halves < MOST_HALVES ? halves : MOST_HALVES);
}

/* Returns a record in the file that nobody has; NULL: there is no room. */
static struct raw_space_life *
new_life(void)
{
	uint32_t nr = places.nr_chunks;
	struct raw_extent *e = nr ? places.chunks[nr - 1] : NULL;
	uint64_t where;

	if (!e || e->used + sizeof(struct raw_space_life) > e->data_length) {
		if (nr == MOST_LIVES_CHUNKS)
			return NULL;
		e = host()->room(RAW_SPACE_LIFE, -1, LIVES_CHUNK, &where);
		if (!e)
			return NULL;
		places.chunks[places.nr_chunks++] = e;
		if (e->used + sizeof(struct raw_space_life) > e->data_length)
			return NULL;
	}
	return (struct raw_space_life *)((char *)e + RAW_PAGE + e->used);
}

static void
tell_life(const struct raw_space_life *like, struct raw_space_life *new)
{
	struct raw_extent *e = places.chunks[places.nr_chunks - 1];

	*new = *like;
	atomic_store_explicit((_Atomic uint64_t *)&e->used, e->used + sizeof(*new),
			      memory_order_release);
}

/* Where in the page it begins: were it always at the begin, all of them were in the same lines of
 * the processor's cache. */
static uint16_t
offset_of(uint32_t i, size_t size)
{
	size_t room = size + BEHIND < LARGEST ? LARGEST - size - BEHIND : 0;

	return (uint16_t)((size_t)i * 7 * 64 % (room + 1) & ~(size_t)15);
}

static bool
has_behind(const struct place *p)
{
	return p->offset + p->size + BEHIND <= LARGEST;
}

static uint64_t
behind(const struct place *p)
{
	return (p->born ^ p->size ^ (uintptr_t)p) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* Its page is not touched where the program has it: only the program's use is to be seen there. */
static char *
take(struct place *p, size_t size, bool filled)
{
	uint32_t i = (uint32_t)(p - places.of);
	uint64_t word;

	p->offset = offset_of(i, size);
	p->generation = space.generation;
	p->born = tables_clock(space_self) / RAW_SPACE_LIFE_UNIT;
	if (times_on)
		times_born(p->born);
	p->size = size;
	p->producer = 0;
	if (filled)
		memset(page_again(i) + p->offset, 0, size);
	word = behind(p);
	if (has_behind(p))
		memcpy(page_again(i) + p->offset + size, &word, sizeof(word));
	return page_of(i) + p->offset;
}

/* It is held for a short time only; but maybe by whom a signal's handler, which this is in, has
 * interrupted. */
static bool
lock_soon(void)
{
	enum { MOST_TRIES = 1000 };

	for (int i = 0; i < MOST_TRIES; i++) {
		if (try_lock())
			return true;
		__builtin_ia32_pause();
	}
	return false;
}

/* The lock is held. */
static char *
make(uint64_t mean, size_t size, bool filled)
{
	int slot = host()->slot();
	struct raw_space_life life = {
		.flags = filled ? RAW_LIFE_FILLED : 0, .slot = slot < 0 ? 0 : (uint32_t)slot,
		.size = size, .mean = mean, .born_ns = host()->clock(),
	};
	struct place *p;
	uint32_t i;
	char *block;

	if (!atomic_load(&watched.on) || !life.born_ns || !places.nr_free ||
	    places.nr_used >= MOST)
		return NULL;
	life.seen_ns = life.born_ns;
	i = places.free[places.nr_free - 1];
	p = &places.of[i];
	p->life = new_life();
	if (!p->life)
		return NULL;
	tell_life(&life, p->life);
	places.nr_free--;
	places.nr_used++;
	if (i >= places.high)
		atomic_store((_Atomic uint32_t *)&places.high, i + 1);
	set_state(i, TAKEN);
	block = take(p, size, filled);
	change_state(i, TAKEN, LIVE);
	return block;
}

void *
watched_make(struct sampler *s, size_t size, bool filled)
{
	uint64_t mean = s->mean;
	int saved = errno;
	void *p = NULL;

	sampler_draw(s, mean_now(), (uintptr_t)s / 64);
	if (mean && size && size <= LARGEST) {
		if (lock_soon()) {
			p = make(mean, size, filled);
			places.drawn += p != NULL;
			unlock();
		}
		if (!p)
			atomic_fetch_add((_Atomic uint64_t *)&host()->watch->missed, 1);
	}
	errno = saved;
	return p;
}

/* Returns the place with a block at P; NULL: there is none. */
static struct place *
place_of(const void *p)
{
	uint32_t i = (uint32_t)(((uintptr_t)p - watched.begin) / WATCHED_STRIDE);
	enum place_state state = state_of(i);

	return (state == LIVE || state == KEEPING || state == KEPT) &&
	       (const char *)p == page_of(i) + places.of[i].offset ? &places.of[i] : NULL;
}

void
watched_name(void *p, uint32_t producer)
{
	struct place *place = place_of(p);

	if (!place)
		return;
	place->producer = producer;
	if (place->life)
		tables_tell_producer(producer, &place->life->pc, &place->life->module);
}

const void *
watched_data(const void *p)
{
	const struct place *place = place_of(p);
	uint32_t i = (uint32_t)(place - places.of);

	if (!place)
		return p;
	return state_of(i) == LIVE ? page_again(i) + place->offset : p;
}

size_t
watched_size(const void *p)
{
	const struct place *place = place_of(p);

	return place ? place->size : 0;
}

static bool
is_written_behind(const struct place *p, const void *data)
{
	uint64_t word;

	memcpy(&word, (const char *)data + (has_behind(p) ? p->size : 0), sizeof(word));
	return has_behind(p) && word != behind(p);
}

/* Returns what is wrong with P, where no block is. */
static enum watched_end
fault_at(const void *p, struct watched_block *b)
{
	uint32_t i = (uint32_t)(((uintptr_t)p - watched.begin) / WATCHED_STRIDE);
	const struct place *place = &places.of[i];

	if ((const char *)p != page_of(i) + place->offset || !place->size)
		return WATCHED_NONE;
	b->producer = place->producer;
	return WATCHED_TWICE;
}

enum watched_end
watched_give_back(void *p, struct watched_block *b)
{
	struct place *place = place_of(p);
	uint32_t i = (uint32_t)(place - places.of);
	enum watched_end end;
	uint64_t at;

	if (!place)
		return fault_at(p, b);
	*b = (struct watched_block){place->size, place->born, place->producer,
				    place->generation != space.generation};
	end = is_written_behind(place, watched_data(p)) ? WATCHED_BEHIND : WATCHED_ENDED;
	at = host()->clock();
	if (place->life && at && state_of(i) == LIVE)
		place->life->died_ns = at;
	if (change_state(i, LIVE, DYING))
		return end;
	if (state_of(i) == KEPT && at)
		kernel(SYS_madvise, page_of(i), RAW_PAGE, MADV_DONTNEED);
	if (change_state(i, KEEPING, GONE) || change_state(i, KEPT, GONE))
		return end;
	return WATCHED_TWICE;
}
