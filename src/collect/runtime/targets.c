/* What calls through pointers reach: `site S called procedure P n times`, exactly.
 *
 * Each call site has five words in the counter area. Each thread has a copy of this area in the raw
 * file, so there are no locks and nothing is lost when the program is killed:
 *	FIRST, FIRST_COUNT	the first procedure that the thread called there, and how often
 *	OTHERS			calls that were not noted, as the tables are full, or there are none
 *	MASK, TABLE		a table for the other procedures: which bits of an address are the
 *				distance of its entry from the first one; where that is; 0 none
 * The code (plugin/targets.c) looks at the first one, then at the entry that the table has for the
 * target. If that is another's it comes here. A site's table is as small as it can be with an entry
 * of its own for each of its procedures; when there is another one a larger table takes its place,
 * and what was counted stays where it is: the reader adds up. For procedures that no table of 512
 * can tell apart, and when the room for tables has run out, there are two hash tables for all
 * sites, which are asked at each call.
 *
 * A signal handler may interrupt this code, and that in line, in the same thread anywhere and do
 * the same, or fork. So entries never move and are never given up: one that was found stays right.
 * Adding one is a single instruction; a free entry is claimed by a single instruction, too
 * (cmpxchg). In a hash table it is nobody's until its target is set: who comes across it goes on to
 * the next, and there may be two of one site and target. A table is set before its mask: one that
 * is too small for the table does no harm. After fork the child's copies are empty, and where
 * tables were there is other memory, so that whoever was about to look there still can.
 */
#include "runtime.h"

#include <cpuid.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* The program's vectors are in their registers: nothing below may touch them. */
#pragma GCC target("general-regs-only")

enum { FIRST, FIRST_COUNT, OTHERS, MASK, TABLE };
enum { SMALLEST = 4, LARGEST = 512 }; /* entries of a site's table; plugin/targets.c knows it */
enum { PROBES = 32 }; /* entries of a hash table that are looked at before it counts as full */
static const uint32_t sizes[2] = {2048, 32768};
static const uint64_t room[NR_ROOMS] = {16 << 10, 1 << 20, 16 << 20}; /* for tables: bytes */

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

/* Not atomic between threads, but no signal comes between. True: it was EXPECTED and is ours. */
static bool
claim(volatile uint64_t *word, uint64_t expected, uint64_t value)
{
	bool ours;

	__asm__ volatile("cmpxchgq %3, %1"
			 : "=@ccz"(ours), "+m"(*word), "+a"(expected)
			 : "r"(value)
			 : "memory");
	return ours;
}

/* ---- room in the file ---- */

/* Vector registers, kept in memory (a page of zeros): what makes an extent is compiled as the
 * compiler likes, and calls libc. Older processors have no more than what fxsave knows. */
static bool
has_xsave(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
}

enum { VECTORS = 0xe7 }; /* x87, SSE, AVX, AVX-512 */

static void
vectors_keep(void *page, bool xsave)
{
	if (xsave)
		__asm__ volatile("xsave64 (%0)" : : "r"(page), "a"(VECTORS), "d"(0) : "memory");
	else
		__asm__ volatile("fxsave64 (%0)" : : "r"(page) : "memory");
}

static void
vectors_restore(void *page, bool xsave)
{
	if (xsave)
		__asm__ volatile("xrstor64 (%0)" : : "r"(page), "a"(VECTORS), "d"(0) : "memory");
	else
		__asm__ volatile("fxrstor64 (%0)" : : "r"(page) : "memory");
}

static __attribute__((noinline)) void *
make_extent(const struct slot *s, enum raw_kind kind, uint64_t length)
{
	struct extent_request r = {
		.kind = kind,
		.data_length = length,
		.slot = (uint32_t)(s - runtime.slots),
	};

	return extent_new(&r);
}

/* An extent of S, which *PLACE is to lead to. False: there is no room. */
static bool
add_extent(struct slot *s, enum raw_kind kind, uint64_t length, void *volatile *place)
{
	uint64_t all = ~FAULT_SIGNALS, mask;
	int saved = errno;
	bool xsave = has_xsave();
	void *page, *p;

	if (s->no_targets)
		return false;
	/* Whoever may be cancelled anywhere must not be while it has a part of the file in hand. */
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, sizeof(mask));
	page = (void *)kernel(SYS_mmap, NULL, RAW_PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p = NULL;
	if (page != MAP_FAILED) {
		vectors_keep(page, xsave);
		p = make_extent(s, kind, length);
		vectors_restore(page, xsave);
		kernel(SYS_munmap, page, RAW_PAGE);
	}
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
	s->no_targets = !p;
	if (p && !claim((volatile uint64_t *)place, 0, (uintptr_t)p))
		kernel(SYS_munmap, p, page_up(length)); /* a signal handler has made one */
	errno = saved;
	return *place;
}

/* ---- tables of sites ---- */

static uint64_t
mask_of(uint64_t number)
{
	return (number - 1) * sizeof(struct raw_target_entry);
}

static volatile struct raw_target_entry *
entry_of(struct raw_target_table *t, uint64_t number, uint64_t target)
{
	return (void *)((char *)t->entries + (target & mask_of(number)));
}

static struct raw_target_table *
take_room(struct slot *s, uint64_t size)
{
	struct raw_target_room *area;
	uint64_t at;
	unsigned i;

	for (i = 0; i < NR_ROOMS; i++) {
		if (!s->rooms[i] && !add_extent(s, RAW_TARGET_ROOM, room[i], &s->rooms[i]))
			return NULL;
		area = s->rooms[i];
		if (*(volatile uint64_t *)&area->used + size > room[i] - sizeof(*area))
			continue;
		at = size;
		__asm__ volatile("xaddq %0, %1" : "+r"(at), "+m"(area->used) : : "memory");
		if (at + size <= room[i] - sizeof(*area))
			return (struct raw_target_table *)(area->bytes + at);
	}
	return NULL;
}

/* Do the targets of T, and TARGET, have entries of their own in a table of NUMBER? */
static bool
fits(const struct raw_target_table *t, uint64_t old, uint64_t target, uint64_t number)
{
	uint64_t i, k, a, b, mask = mask_of(number);

	for (i = 0; i < old; i++) {
		a = t->entries[i].target;
		if (!a || a == target)
			continue;
		if ((a & mask) == (target & mask))
			return false;
		for (k = 0; k < i; k++) {
			b = t->entries[k].target;
			if (b && (a & mask) == (b & mask))
				return false;
		}
	}
	return true;
}

/* The largest table of SITE that is there already: a dead process may have left it. */
static struct raw_target_table *
left_table(const struct slot *s, uint64_t site)
{
	struct raw_target_table *found = NULL, *t;
	struct raw_target_room *area;
	uint64_t at, end;
	unsigned i;

	for (i = 0; runtime.forked && i < NR_ROOMS && s->rooms[i]; i++) {
		area = s->rooms[i];
		end = *(volatile uint64_t *)&area->used;
		for (at = 0; at + sizeof(*t) <= end && end <= room[i] - sizeof(*area);
		     at += sizeof(*t) + t->number * sizeof(*t->entries)) {
			t = (struct raw_target_table *)(area->bytes + at);
			if (t->number > LARGEST)
				return found;
			if (t->site == site && (!found || found->number < t->number))
				found = t;
		}
	}
	return found;
}

/* A larger table than T, which has OLD entries (NULL: 0), with its targets and TARGET, but without
 * their counts. NULL: there is none. */
static struct raw_target_table *
grown(struct slot *s, struct raw_target_table *t, uint64_t old, uint64_t site, uint64_t target)
{
	uint64_t number = old ? old * 2 : SMALLEST, size, i;
	struct raw_target_table *n;

	while (number <= LARGEST && !fits(t, old, target, number))
		number *= 2;
	if (number > LARGEST)
		return NULL;
	size = sizeof(*n) + number * sizeof(*n->entries);
	n = take_room(s, size);
	if (!n)
		return NULL;
	*(volatile uint64_t *)&n->number = number;
	*(volatile uint64_t *)&n->site = site;
	for (i = 0; i < old; i++)
		if (t->entries[i].target)
			entry_of(n, number, t->entries[i].target)->target = t->entries[i].target;
	entry_of(n, number, target)->target = target;
	return n;
}

static bool
collide_for_ever(uint64_t a, uint64_t b)
{
	return (a & mask_of(LARGEST)) == (b & mask_of(LARGEST));
}

/* Where calls of TARGET at the site with the words W are counted in the site's own table. */
static uint64_t *
own_entry(struct slot *s, volatile uint64_t *w, uint64_t site, uint64_t target)
{
	volatile struct raw_target_entry *e;
	struct raw_target_table *t, *n;
	uint64_t at, number;
	uint32_t process;

	for (;;) {
		process = *(volatile uint32_t *)&runtime.pid;
		at = w[TABLE];
		t = at ? (struct raw_target_table *)(at - sizeof(*t)) : NULL;
		number = t ? *(volatile uint64_t *)&t->number : 0;
		if (at && !number && w[TABLE] == at) /* the file was cut */
			return NULL;
		if (at && !number) /* a handler has forked */
			continue;
		if (t) {
			w[MASK] = mask_of(number);
			e = entry_of(t, number, target);
			if (e->target == target || claim(&e->target, 0, target) ||
			    e->target == target)
				return (uint64_t *)&e->count;
			if (collide_for_ever(e->target, target))
				return NULL;
		}
		n = t ? NULL : left_table(s, site);
		if (!n)
			n = grown(s, t, number, site, target);
		if (!n)
			return NULL;
		if (!claim(&w[TABLE], at, (uintptr_t)n->entries))
			continue;
		w[MASK] = mask_of(n->number);
		if (*(volatile uint32_t *)&runtime.pid != process) /* not this one's memory */
			claim(&w[TABLE], (uintptr_t)n->entries, 0);
	}
}

/* ---- hash tables ---- */

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
		if (e->site == 0 && claim(&e->site, 0, site)) {
			e->target = target;
			return (struct raw_target *)e;
		}
	}
	return NULL;
}

static struct raw_target *
entry_for(struct slot *s, uint64_t site, uint64_t target)
{
	struct raw_target *e;
	unsigned i;

	for (i = 0; i < 2; i++) {
		if (!s->targets[i] && !add_extent(s, RAW_TARGETS, bytes(i), &s->targets[i]))
			return NULL;
		e = find(s->targets[i], i, site, target);
		if (e)
			return e;
	}
	return NULL;
}

/* ---- from the code ---- */

/* A count without a procedure is of a fork in a handler, between claiming and counting. */
static void
claim_first(volatile uint64_t *w, uint64_t target)
{
	uint64_t stray = w[FIRST_COUNT];

	if (w[FIRST])
		return;
	if (stray)
		claim(&w[FIRST_COUNT], stray, 0);
	claim(&w[FIRST], 0, target);
}

static uint64_t *
count_of(struct slot *s, uint64_t *words, uint64_t target, bool in_line)
{
	volatile uint64_t *w = copy_of(s, words);
	struct raw_target *e;
	uint64_t *count;

	if (!(runtime.head->flags & RAW_POINTERS))
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_POINTERS);
	claim_first(w, target);
	if (w[FIRST] == target)
		return (uint64_t *)&w[FIRST_COUNT];
	count = in_line ? own_entry(s, w, (uintptr_t)words, target) : NULL;
	if (count)
		return count;
	e = entry_for(s, (uintptr_t)words, target);
	return e ? &e->count : NULL;
}

void
targets_note(uint64_t *words, uint64_t target, bool in_line)
{
	struct slot *s = runtime.active ? slot_self() : NULL;
	uint64_t *count = s && target ? count_of(s, words, target, in_line) : NULL;

	if (count)
		__asm__ volatile("incq %0" : "+m"(*count));
	else
		__asm__ volatile("incq %%gs:%0" : "+m"(words[OTHERS]));
}

/* The program's own handler may be the one whose stack is not aligned. */
ALIGNING void
__cgview_target_note(uint64_t *words, const void *target)
{
	runtime_door.note_target(words, (uintptr_t)target, false);
}

/* REGISTERS: of the code, by their numbers; behind them the number of the one that has the target.
 * r11 is where the code goes on: right behind the distance from there to the site's second word. */
HIDDEN __attribute__((used)) void
targets_missed(const uint64_t registers[17])
{
	const char *back = (const char *)registers[11];
	int32_t distance = *(const int32_t *)(back - 4);

	runtime_door.note_target((uint64_t *)(back + distance) - FIRST_COUNT,
				 registers[registers[16]], true);
}

#define PUSH(r) "\tpushq %" #r "\n\t.cfi_adjust_cfa_offset 8\n"
#define POP(r)	"\tpopq %" #r "\n\t.cfi_adjust_cfa_offset -8\n"

/* The code jumps here, with a number on the stack, and goes on where r11 leads to, with all that it
 * had in other registers and below the stack pointer. For the unwinder this is a procedure that the
 * code has called. */
__attribute__((naked)) void
__cgview_target_missed(void)
{
	__asm__("endbr64\n"
		"\t.cfi_def_cfa 7, 136\n"
		"\t.cfi_register 16, 11\n"
		PUSH(r15) PUSH(r14) PUSH(r13) PUSH(r12) PUSH(r11)
		"\t.cfi_offset 16, -176\n"
		PUSH(r10) PUSH(r9) PUSH(r8) PUSH(rdi) PUSH(rsi) PUSH(rbp)
		"\t.cfi_offset 6, -224\n"
		PUSH(rsp) PUSH(rbx) PUSH(rdx) PUSH(rcx) PUSH(rax)
		"\tmovq %rsp, %rdi\n"
		"\tmovq %rsp, %rbp\n"
		"\t.cfi_def_cfa_register 6\n"
		"\tandq $-16, %rsp\n"
		"\tcall targets_missed\n"
		"\tmovq %rbp, %rsp\n"
		"\t.cfi_def_cfa_register 7\n"
		POP(rax) POP(rcx) POP(rdx)
		"\tleaq 16(%rsp), %rsp\n"
		"\t.cfi_adjust_cfa_offset -16\n"
		POP(rbp)
		"\t.cfi_restore 6\n"
		POP(rsi) POP(rdi) POP(r8) POP(r9) POP(r10)
		"\t.cfi_register 16, 11\n"
		POP(r11)
		"\tleaq 168(%rsp), %rsp\n"
		"\t.cfi_def_cfa_offset 0\n"
		"\tnotrack jmp *%r11\n");
}

/* ---- fork ---- */

void
targets_clear(const struct module *m, const struct slot *s)
{
	const int64_t *site;

	for (site = m->sites; site < m->sites_end; site++) {
		uint64_t *w = copy_of(s, (uint64_t *)((uintptr_t)site + (uint64_t)*site)) - MASK;

		if (w[TABLE])
			w[MASK] = w[TABLE] = 0;
	}
}

static void
for_each_extent(struct slot *s, void (*what)(void *, uint64_t))
{
	unsigned i;

	for (i = 0; i < 2; i++)
		if (s->targets[i])
			what(s->targets[i], page_up(bytes(i)));
	for (i = 0; i < NR_ROOMS; i++)
		if (s->rooms[i])
			what(s->rooms[i], page_up(room[i]));
}

static void
forget(void *extent, uint64_t length)
{
	kernel(SYS_munmap, extent, length);
}

void
targets_forget(struct slot *s)
{
	for_each_extent(s, forget);
}

/* The thread may be about to add to an entry (fork was called in a signal handler): memory stays
 * there, but it is not the file's. */
static void
renew(void *extent, uint64_t length)
{
	kernel(SYS_mmap, extent, length, PROT_READ | PROT_WRITE,
	       MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

void
targets_renew(struct slot *s)
{
	for_each_extent(s, renew);
	s->no_targets = false;
	memset((void *)s->targets, 0, sizeof(s->targets));
	memset((void *)s->rooms, 0, sizeof(s->rooms));
}
