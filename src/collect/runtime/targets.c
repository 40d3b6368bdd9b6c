/* Whom calls through pointers reach: `site S called procedure P n times`, exactly.
 *
 * Each thread has tables of its own in the raw file, so there are no locks and nothing is lost when
 * the program is killed. A call site has two words in the counter area, of which each thread has a
 * copy: [0] the entry that the site used last, an address; [1] calls that were not noted because
 * the tables are full, or there are none.
 *
 * A signal handler may interrupt this code in the same thread anywhere and do the same. Entries
 * never move and are never given up, so an entry that was found stays right; adding one to it is a
 * single instruction. A free entry is claimed by a single instruction, too (cmpxchg of its site);
 * until its target is set it is nobody's: who comes across it goes on to the next. So there may be
 * two entries of one site and target, which the reader adds up.
 */
#include "runtime.h"

#include <errno.h>
#include <sys/mman.h>

enum { PROBES = 32 }; /* entries that are looked at before a table counts as full */
static const uint32_t sizes[2] = {2048, 32768};

static uint64_t *
copy_of(const struct slot *s, uint64_t *word)
{
	return (uint64_t *)((uintptr_t)word + (uintptr_t)s->displacement);
}

static uint64_t
bytes(unsigned table)
{
	return sizes[table] * sizeof(struct raw_target);
}

static void
add_one(struct raw_target *e)
{
	__asm__ volatile("addq $1, %0" : "+m"(e->count));
}

/* Not atomic between threads, but no signal comes between. True: it was free and is ours. */
static bool
claim(struct raw_target *e, uint64_t site)
{
	uint64_t expected = 0;
	bool ours;

	__asm__ volatile("cmpxchgq %3, %1"
			 : "=@ccz"(ours), "+m"(e->site), "+a"(expected)
			 : "r"(site)
			 : "memory");
	return ours;
}

static struct raw_target *
find(struct raw_target *table, unsigned number, uint64_t site, uint64_t target)
{
	uint64_t hash = site * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t mask = sizes[number] - 1, at, i;

	hash = ((hash ^ hash >> 32) + target) * UINT64_C(0xff51afd7ed558ccd);
	at = (uint32_t)(hash >> 40);
	for (i = 0; i < PROBES; i++) {
		volatile struct raw_target *e = &table[(at + i) & mask];

		if (e->site == site && e->target == target)
			return (struct raw_target *)e;
		if (e->site == 0 && claim((struct raw_target *)e, site)) {
			e->target = target;
			return (struct raw_target *)e;
		}
	}
	return NULL;
}

static struct raw_target *
table_of(struct slot *s, unsigned number)
{
	struct raw_target *table = s->targets[number], *none = NULL;
	struct extent_request r = {
		.kind = RAW_TARGETS,
		.data_length = bytes(number),
		.slot = (uint32_t)(s - runtime.slots),
	};
	uint64_t all = UINT64_MAX, mask;
	int saved = errno;

	if (table || s->no_targets)
		return table;
	/* Whoever may be cancelled anywhere must not be while it has a part of the file in hand. */
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, sizeof(mask));
	table = (struct raw_target *)extent_new(&r);
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
	s->no_targets = !table;
	if (table && !atomic_compare_exchange_strong(&s->targets[number], &none, table)) {
		sys_munmap(table, page_up(bytes(number)));
		table = none; /* a signal handler's */
	}
	errno = saved;
	return table;
}

static struct raw_target *
entry_for(struct slot *s, uint64_t site, uint64_t target)
{
	struct raw_target *table, *e;
	unsigned i;

	for (i = 0; i < 2; i++) {
		table = table_of(s, i);
		e = table ? find(table, i, site, target) : NULL;
		if (e || !table)
			return e;
	}
	return NULL;
}

/* The program's own handler may be the one whose stack is not aligned. */
static __attribute__((noinline)) ALIGNING void
note(uint64_t *words, const void *target)
{
	struct slot *s = runtime.active ? slot_self() : NULL;
	struct raw_target *e = NULL;

	if (s && target)
		e = entry_for(s, (uintptr_t)words, (uintptr_t)target);
	if (!e) {
		__asm__ volatile("addq $1, %%gs:%0" : "+m"(words[1]));
		return;
	}
	if (!(runtime.head->flags & RAW_POINTERS))
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_POINTERS);
	add_one(e);
	*(volatile uint64_t *)copy_of(s, words) = (uintptr_t)e;
}

void
__cgview_target(uint64_t *words, const void *target)
{
	struct raw_target *e;

	__asm__ volatile("movq %%gs:%1, %0" : "=r"(e) : "m"(words[0]));
	if (e && e->target == (uintptr_t)target)
		add_one(e);
	else
		note(words, target);
}

/* ---- fork ---- */

void
targets_forget(struct slot *s)
{
	unsigned i;

	for (i = 0; i < 2; i++)
		if (s->targets[i])
			sys_munmap(s->targets[i], page_up(bytes(i)));
}

/* The thread may be about to add to an entry (fork was called in a signal handler): memory stays
 * there, but it is not the file's. */
void
targets_renew(struct slot *s)
{
	unsigned i;

	s->no_targets = false;
	for (i = 0; i < 2; i++) {
		if (s->targets[i])
			sys_mmap(s->targets[i], page_up(bytes(i)), PROT_READ | PROT_WRITE,
				 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		s->targets[i] = NULL;
	}
}
