#include "paths.h"

#include <errno.h>

#include "collect/runtime/kernel.h"
#include "tables.h"

/* What was stored and walked has a bound: when it has cost so much, distances double. A step of a
 * walk is 8, as are the bytes of a frame. */
enum { COST_OF_PATH = 64, COST_OF_STEP = 8, COST_OF_DOUBLING = 8 << 20 };

/* Blocks that were not given back yet, by address: open addressing. */
struct tracked {
	const void *block; /* NULL: unused */
	struct raw_sample *path;
};

static struct paths {
	_Atomic uint64_t mean; /* 0: it has not been asked for yet */
	_Atomic uint64_t cost;
	atomic_flag lock;
	/* What stands below is the lock's holder's. */
	struct tracked *table;
	uint64_t nr, mask;
} paths = {.lock = ATOMIC_FLAG_INIT};

/* This thread holds the lock: a fault's handler must not wait for it. */
static __thread bool holding __attribute__((tls_model("initial-exec")));

/* ---- what is drawn ---- */

/* Splitmix64. */
static uint64_t
draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Returns an exponential number of mean MEAN by comparing uniform ones only (von Neumann 1951): no
 * logarithm is needed. */
static uint64_t
draw_distance(uint64_t *state, uint64_t mean)
{
	for (uint64_t whole = 0;; whole += mean) {
		uint64_t first = draw(state), last = first, next;
		bool odd = true;

		while ((next = draw(state)) < last) {
			last = next;
			odd = !odd;
		}
		if (odd)
			return whole + (uint64_t)((unsigned __int128)first * mean >> 64);
	}
}

static void
begin(struct paths_thread *p)
{
	const struct space_host *host = atomic_load(&space.host);
	uint64_t none = 0;

	p->random = host->seed + ((uint64_t)(host->slot() + 1) << 32);
	if (space.generation) /* its brothers have the same slot */
		p->random += (uint64_t)kernel(SYS_getpid) << 48 | space.generation;
	p->random = draw(&p->random) | 1;
	atomic_compare_exchange_strong(&paths.mean, &none, host->every);
	p->mean = atomic_load(&paths.mean);
	p->left = draw_distance(&p->random, p->mean);
}

bool
paths_pass(struct paths_thread *p, uint64_t bytes)
{
	if (!atomic_load(&space.host)->every) {
		p->left = UINT64_MAX;
		return false;
	}
	if (!p->random)
		begin(p);
	if (bytes <= p->left) {
		p->left -= bytes;
		return false;
	}
	p->drawn = p->mean;
	p->mean = atomic_load(&paths.mean);
	p->left = draw_distance(&p->random, p->mean);
	return true;
}

/* ---- what is stored ---- */

static void
pay(uint64_t cost)
{
	uint64_t before = atomic_fetch_add(&paths.cost, cost);

	if (before / COST_OF_DOUBLING != (before + cost) / COST_OF_DOUBLING)
		atomic_store(&paths.mean, 2 * atomic_load(&paths.mean));
}

uint32_t
paths_store(struct paths_thread *p, const struct space_call *call, uint64_t bytes, uint64_t cell,
	    bool first)
{
	const struct raw_sample what = {
		.flags = RAW_ALLOCATED | (first ? RAW_ALLOCATED_FIRST : 0),
		.amount = bytes,
		.cpu_ns = first ? p->mean : p->drawn,
	};

	p->last = atomic_load(&space.host)->path(call, &what, cell);
	if (p->last)
		pay(COST_OF_PATH + (uint64_t)COST_OF_STEP * p->last->nr_frames);
	return p->last ? PATHS_SAMPLED : 0;
}

/* ---- what becomes of them ---- */

static void
tell_freed(struct raw_sample *path)
{
	__atomic_fetch_or(&path->flags, RAW_ALLOCATED_FREED, __ATOMIC_RELAXED);
}

static uint64_t
place_of(const void *block)
{
	return ((uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15) >> 32) & paths.mask;
}

/* Returns where the block stands, or would. */
static struct tracked *
find(const void *block)
{
	uint64_t i = place_of(block);

	while (paths.table[i].block && paths.table[i].block != block)
		i = (i + 1) & paths.mask;
	return &paths.table[i];
}

static bool
grow(void)
{
	enum { LEAST = 256 };
	uint64_t nr = paths.table ? 2 * (paths.mask + 1) : LEAST, old_nr = paths.mask + 1;
	struct tracked *old = paths.table;
	struct tracked *new = atomic_load(&space.host)->memory(nr * sizeof(*new));

	if (!new)
		return false;
	paths.table = new;
	paths.mask = nr - 1;
	for (uint64_t i = 0; old && i < old_nr; i++)
		if (old[i].block)
			*find(old[i].block) = old[i];
	if (old)
		kernel(SYS_munmap, old, old_nr * sizeof(*old));
	return true;
}

/* Those behind it that would not be found any more move up. */
static void
take_out(struct tracked *at)
{
	uint64_t hole = (uint64_t)(at - paths.table), i = hole;

	paths.nr--;
	for (;;) {
		i = (i + 1) & paths.mask;
		if (!paths.table[i].block)
			break;
		if (((i - place_of(paths.table[i].block)) & paths.mask) <
		    ((i - hole) & paths.mask))
			continue;
		paths.table[hole] = paths.table[i];
		hole = i;
	}
	paths.table[hole] = (struct tracked){NULL, NULL};
}

/* Returns false in a fault's handler that has interrupted the holder. */
static bool
take_lock(void)
{
	if (holding)
		return false;
	tables_hold();
	holding = true;
	while (atomic_flag_test_and_set_explicit(&paths.lock, memory_order_acquire))
		kernel(SYS_sched_yield);
	return true;
}

static void
give_lock(void)
{
	atomic_flag_clear_explicit(&paths.lock, memory_order_release);
	holding = false;
	tables_let_go();
}

void
paths_born(const struct paths_thread *p, const void *block)
{
	int saved = errno;
	bool held;

	if (!p->last) /* it was stored before a fork in between */
		return;
	held = take_lock();

	if (held && ((paths.table && paths.nr <= paths.mask / 2) || grow())) {
		struct tracked *at = find(block);

		paths.nr += !at->block;
		*at = (struct tracked){block, p->last};
	} else {
		tell_freed(p->last); /* nobody will know */
	}
	if (held)
		give_lock();
	errno = saved;
}

void
paths_freed(const void *block)
{
	int saved = errno;

	if (take_lock()) {
		struct tracked *at = paths.table ? find(block) : NULL;

		if (at && at->block) {
			tell_freed(at->path);
			take_out(at);
		}
		give_lock();
	}
	errno = saved;
}

void
paths_forked(void)
{
	if (paths.table)
		kernel(SYS_munmap, paths.table, (paths.mask + 1) * sizeof(*paths.table));
	paths.table = NULL;
	paths.nr = paths.mask = 0;
	atomic_flag_clear(&paths.lock);
	holding = false;
}
