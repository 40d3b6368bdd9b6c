#include "times.h"

#include <time.h>

#include "blocks.h"

/* Times are of the kernel's coarse clock, which costs few ns and is late by a tick at the most, in
 * units of 2^20 ns since the program began, from 1 on. TICK: no kernel's is longer (HZ=100). */
enum { UNIT_BITS = 20, TICK = 10000000, CLOCKS = 4096 / RAW_SPACE_LIFE_UNIT };
static uint64_t off_ns; /* how far one end may be off: a tick, and the rounding */

struct births {
	_Atomic uint32_t first, last; /* 0: none yet */
};

/* Bounds of the lifetime that ends; MOST 0: there is none, or it was born before the table. */
static __thread struct {
	uint64_t least_ns, most_ns;
} ended __attribute__((tls_model("initial-exec")));

bool times_on;
static struct births *births;
static uint64_t began_ns;
enum { NR_BIRTHS = (CLOCK_MASK + 1) / CLOCKS };

static uint64_t
coarse_ns(void)
{
	struct timespec t = {0, 0};

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint32_t
now(void)
{
	return (uint32_t)((coarse_ns() - began_ns) >> UNIT_BITS) + 1;
}

void
times_start(void)
{
	struct timespec tick;

	off_ns = clock_getres(CLOCK_MONOTONIC_COARSE, &tick) ? TICK : (uint64_t)tick.tv_nsec;
	off_ns += 1 << UNIT_BITS;
	began_ns = coarse_ns();
	births = atomic_load(&space.host)->memory(NR_BIRTHS * sizeof(*births));
	times_on = births;
}

/* The heap clock may come to the same place again: then the first one is older than need be, and
 * the last one younger; the bounds are wider, and true. */
void
times_born(uint64_t clock)
{
	struct births *b = &births[(clock & CLOCK_MASK) / CLOCKS];
	uint32_t at = now();

	if (!atomic_load_explicit(&b->first, memory_order_relaxed))
		atomic_store_explicit(&b->first, at, memory_order_relaxed);
	if (atomic_load_explicit(&b->last, memory_order_relaxed) < at)
		atomic_store_explicit(&b->last, at, memory_order_relaxed);
}

/* Both ends may be late by a tick, and were rounded; threads that set the first one together are
 * no more than a tick apart. */
void
times_end(uint64_t born)
{
	const struct births *b = &births[(born & CLOCK_MASK) / CLOCKS];
	uint64_t first = atomic_load_explicit(&b->first, memory_order_relaxed), at = now();
	uint64_t last = atomic_load_explicit(&b->last, memory_order_relaxed), least;

	at = at < last ? last : at;
	least = (at - last) << UNIT_BITS;
	ended.least_ns = least > off_ns ? least - off_ns : 0;
	ended.most_ns = first ? ((at - first) << UNIT_BITS) + off_ns : 0;
}

/* A handler of a signal may have come in between, and have counted its own. */
void
times_count(struct raw_space_pair *pair)
{
	if (!ended.most_ns)
		return;
	pair->least_ns += ended.least_ns;
	pair->most_ns += ended.most_ns;
	pair->timed++;
	ended.most_ns = 0;
}
