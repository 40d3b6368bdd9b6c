/* Loops whose counts are stored where they are left (plugin/sums.c). */
#include "runtime.h"

enum { LONGEST_NS = 50000000, STEP_NS = 200000 };

/* How many runs of such loops the thread of S has begun and not ended. */
static int64_t
runs_of(const struct module *m, const struct slot *s)
{
	const struct open_count *o;
	int64_t sum = 0;

	for (o = m->open; o < m->open_end; o++) {
		uintptr_t counter = (uintptr_t)o + (uintptr_t)o->distance;

		if (o->runs)
			sum += o->runs *
			       *(volatile int64_t *)(counter + (uintptr_t)s->displacement);
	}
	return sum;
}

static bool
others_in_loops(void)
{
	const struct slot *own = slot_self(), *s;
	uint32_t i, k;

	for (k = 0; k < runtime.nr_slots; k++) {
		s = &runtime.slots[k];
		if (s->state != SLOT_USED || s == own)
			continue;
		FOR_EACH_MODULE(i)
		{
			if (runtime.modules[i].state == MODULE_LIVE &&
			    runs_of(&runtime.modules[i], s))
				return true;
		}
	}
	return false;
}

void
loops_wait(void)
{
	const struct timespec step = {.tv_nsec = STEP_NS};
	uint64_t end;
	bool waits;

	if (!runtime.active || runtime_closed())
		return;
	end = clock_ns(CLOCK_MONOTONIC) + LONGEST_NS;
	for (;;) {
		runtime_lock();
		waits = others_in_loops();
		runtime_unlock();
		if (!waits || clock_ns(CLOCK_MONOTONIC) >= end)
			return;
		kernel(SYS_nanosleep, &step, NULL);
	}
}
