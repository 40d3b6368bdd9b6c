/* Stacks that are added up: each once, with the sums of its figures, in one order, however they
 * come and however few of them stay in memory. Compared with a table that is searched from end to
 * end. */
#include "collect/import/sums/share.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "tui/check.h"
#include "util/mem.h"

enum { DIFFERENT = 700, ADDED = 20000, PLACES = 9, MOST_FRAMES = 40 };

struct known { struct sum_stack of; uint64_t frames[MOST_FRAMES]; };

static struct known known[DIFFERENT];
static unsigned seed = 1;

static unsigned
any(unsigned below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % below;
}

/* Of three only one has frames of its own; the others differ from it in what is no frame. */
static void
make_known(void)
{
	for (size_t i = 0; i < DIFFERENT; i++) {
		struct known *k = &known[i];
		uint32_t nr = i % 3 ? known[i - 1].of.nr_frames : 1 + any(i % 2 ? MOST_FRAMES : 4);

		if (i % 3)
			memcpy(k->frames, known[i - 1].frames, sizeof(k->frames));
		for (uint32_t n = 0; n < nr && i % 3 == 0; n++)
			k->frames[n] = n + 1 == nr ? place_address((int)any(PLACES), 1000 + i)
				       : any(20) ? place_address((int)any(PLACES), any(2)) : 0;
		k->of = (struct sum_stack){ .nr_frames = nr };
		if (i % 3 == 1)
			k->of.centre = place_address((int)any(PLACES), 8 * i);
		if (i % 3 == 2)
			k->of.flags = SUM_STACK_EVENT;
	}
}

static struct sum_stack
figures(const struct known *k)
{
	struct sum_stack of = k->of;

	of.flags |= any(2) ? SUM_STACK_WALKED : 0;
	of.samples = any(5);
	of.long_ns = any(1000);
	of.short_ns = any(1000);
	of.wait_ns = any(1000);
	of.events = any(9);
	of.used = any(4096);
	return of;
}

static void
count(struct known *k, const struct sum_stack *of)
{
	k->of.flags |= of->flags;
	k->of.samples += of->samples;
	k->of.long_ns += of->long_ns;
	k->of.short_ns += of->short_ns;
	k->of.wait_ns += of->wait_ns;
	k->of.events += of->events;
	if (k->of.used < of->used)
		k->of.used = of->used;
}

/* Reads all of S: returns how many are as KNOWN has them, if they rise. */
static size_t
right_ones(struct stack_set *s)
{
	struct stack_record *last = xcalloc(1, 4096);
	struct stack_set_reader r;
	size_t right = 0;
	bool rise = true;

	stack_set_read_begin(&r, s);
	for (size_t nr = 0; stack_set_next(&r); nr++) {
		rise &= !nr || stack_compare(last, r.now, r.rank) < 0;
		memcpy(last, r.now, stack_record_size(&r.now->of));
		for (size_t i = 0; i < DIFFERENT; i++)
			right += !memcmp(&known[i].of, &r.now->of, sizeof(r.now->of)) &&
				 !memcmp(known[i].frames, r.now->frames,
					 r.now->of.nr_frames * sizeof(uint64_t));
	}
	stack_set_read_end(&r);
	free(last);
	return rise && !s->store->problem.set ? right : 0;
}

/* Adds them to some sets, which are taken by the first. MOST: bytes that stay in memory. */
static void
try(const struct places *p, size_t most, const char *what)
{
	enum { SETS = 5 };
	struct stack_set sets[SETS];
	struct stack_store store;
	struct stat st;
	size_t seen = 0;

	make_known();
	stack_store_init(&store, p, getenv("TMP_DIR") ? getenv("TMP_DIR") : "/tmp/x");
	store.most = most;
	for (size_t i = 0; i < SETS; i++)
		stack_set_init(&sets[i], &store);
	for (size_t i = 0; i < ADDED; i++) {
		struct known *k = &known[i < DIFFERENT ? i : any(DIFFERENT)];
		struct sum_stack of = figures(k);
		size_t to = any(SETS);

		stack_set_add(&sets[to], &of, k->frames);
		count(k, &of);
		if (i % 3000 == 2999)
			for (size_t n = 1; n < SETS; n++) {
				stack_set_take(&sets[0], &sets[n]);
				stack_set_release(&sets[n]);
			}
	}
	for (size_t n = 1; n < SETS; n++)
		stack_set_take(&sets[0], &sets[n]);
	for (size_t i = 0; i < sets[0].nr_used; i++)
		seen += sets[0].used[i];
	verdict(right_ones(&sets[0]) == DIFFERENT, what);
	verdict(right_ones(&sets[0]) == DIFFERENT, "... the same when it is read again");
	verdict(seen == PLACES, "... all places are known to be in use");
	verdict((store.file.fd >= 0) == (most < 100000), "... a file is there if it is needed");
	if (store.file.fd >= 0)
		verdict(!fstat(store.file.fd, &st) && !st.st_nlink, "... which has no name");
	for (size_t i = 0; i < SETS; i++)
		stack_set_release(&sets[i]);
	stack_store_release(&store);
}

int
main(void)
{
	struct places p;
	char name[32];

	places_init(&p);
	for (int i = 1; i < PLACES; i++) { /* their order is not that of their numbers */
		snprintf(name, sizeof(name), "/lib/%d", PLACES - i);
		places_library(&p, name, (uint64_t)i, NULL);
	}
	try(&p, 1 << 20, "stacks that stay in memory");
	try(&p, 20000, "stacks that are put aside, some at a time");
	try(&p, 1000, "... very few at a time: there are runs of runs");
	places_release(&p);
	return failures > 0;
}
