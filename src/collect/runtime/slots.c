/* Slots: a copy of all counters for each thread that runs at the same time. */
#include "runtime.h"

#include <errno.h>
#include <sched.h>
#include <linux/prctl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ARCH_SET_GS 0x1001

/* ---- whose slot it is ---- */

/* In each thread's copy of the counters that come with this runtime there is a word that leads to
 * its slot (note.h). So a library needs no thread-local storage: there is little of it for
 * libraries that are opened late. */
extern HIDDEN struct slot *__cgview_slot;

/* A thread that nobody saw begin has its creator's base. */
static struct slot *
slot_by_base(void)
{
	struct slot *s = NULL;

	if (runtime.slots)
		__asm__("movq %%gs:%1, %0" : "=r"(s) : "m"(__cgview_slot));
	return s;
}

struct slot *
slot_self(void)
{
	struct slot *s = slot_by_base();

	return s && atomic_load_explicit(&s->owner, memory_order_relaxed) == thread_pointer()
		       ? s : NULL;
}

struct slot *
slot_base(void)
{
	struct slot *s = slot_by_base();
	uintptr_t owner = s ? atomic_load_explicit(&s->owner, memory_order_relaxed) : 0;

	return !owner || owner == thread_pointer() ? s : NULL;
}

static bool
has_word(const struct module *m)
{
	return &__cgview_slot >= (struct slot **)m->counters &&
	       &__cgview_slot < (struct slot **)(m->counters + m->nr_counters);
}

bool
slots_have_word(void)
{
	uint32_t i;

	FOR_EACH_MODULE(i)
		if (has_word(&runtime.modules[i]))
			return true;
	return false;
}

/* M's copy at the displacement D is that of S. */
static void
tell_slot(const struct module *m, intptr_t d, struct slot *s)
{
	if (has_word(m))
		*(struct slot **)((uintptr_t)&__cgview_slot + (uintptr_t)d) = s;
}

/* ---- mapping ---- */

static void *
copy_begin(const struct module *m, const struct slot *s)
{
	return (void *)(page_down((uintptr_t)m->counters) + (uintptr_t)s->displacement);
}

static size_t
copy_length(const struct module *m)
{
	uintptr_t begin = (uintptr_t)m->counters;

	return page_up(begin + m->nr_counters * 8) - page_down(begin);
}

/* Counts that went to the module's own counters: from before the start, or of code that was
 * compiled with counters=plain. */
void
slot_move_own_counts(const struct module *m, const struct slot *s)
{
	uint64_t *copy = (uint64_t *)((uintptr_t)m->counters + (uintptr_t)s->displacement);
	uint64_t i;

	for (i = 0; m->state == MODULE_LIVE && i < m->nr_counters; i++)
		if (m->counters[i]) {
			copy[i] += m->counters[i];
			m->counters[i] = 0;
		}
}

static void
unmap_copy(const struct module *m, struct slot *s)
{
	sys_munmap(copy_begin(m, s), copy_length(m));
}

/* There is no room in the file, but the program must be able to count. */
static bool
map_nowhere(void *address, size_t length)
{
	void *p = sys_mmap(address, length, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	if (p != address) {
		sys_munmap(p, length);
		return false;
	}
	atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_NO_ROOM);
	return true;
}

/* The copy of slot NUMBER, whose displacement is, or will be, that of S. */
static bool
map_copy_of(uint32_t module, const struct slot *s, uint32_t number)
{
	const struct module *m = &runtime.modules[module];
	uint64_t key = kept_copy(m->number, number), at = kept_find(key);
	bool adopted = false, mapped;
	struct extent_request r = {
		.kind = RAW_COUNTERS,
		.compact = true,
		.data_length = m->nr_counters * 8,
		.offset = (uintptr_t)m->counters - page_down((uintptr_t)m->counters),
		.address = copy_begin(m, s),
		.module = m->number,
		.slot = number,
		.nr_counters = m->nr_counters,
		.where = &at,
		.adopted = &adopted,
	};

	mapped = at && extent_again(&r, at);
	if (!mapped) {
		mapped = extent_new(&r) != NULL;
		if (!adopted)
			kept_note(key, at); /* if the address is taken, it is for another one */
		else if (mapped)
			targets_clear(m, s);
	}
	if (!mapped && !map_nowhere(r.address, copy_length(m)))
		return false;
	tell_slot(m, s->displacement, &runtime.slots[number]);
	return true;
}

static bool
map_copy(uint32_t module, const struct slot *s)
{
	return map_copy_of(module, s, (uint32_t)(s - runtime.slots));
}

/* PAGE, of some copy, has been mapped anew, and is all zero. */
void
slots_mend(uintptr_t page)
{
	uint32_t k;

	for (k = 0; k < runtime.nr_slots; k++) {
		uintptr_t word = (uintptr_t)&__cgview_slot +
				 (uintptr_t)runtime.slots[k].displacement;

		if (page_down(word) == page)
			*(struct slot **)word = &runtime.slots[k];
	}
}

bool
slots_own(uintptr_t address)
{
	uint32_t i, k;

	for (k = 0; k < runtime.nr_slots; k++)
		FOR_EACH_MODULE(i)
		{
			const struct module *m = &runtime.modules[i];
			uintptr_t begin = (uintptr_t)copy_begin(m, &runtime.slots[k]);

			if (address >= begin && address < begin + copy_length(m))
				return true;
		}
	return false;
}

static bool
range_free(void *address, size_t length)
{
	void *p =
		sys_mmap(address, length, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	sys_munmap(p, length);
	return p == address;
}

static bool
displacement_free(struct slot *s, intptr_t displacement)
{
	uint32_t i;

	s->displacement = displacement;
	FOR_EACH_MODULE(i)
		if (!range_free(copy_begin(&runtime.modules[i], s),
				copy_length(&runtime.modules[i])))
			return false;
	return true;
}

static uintptr_t
lowest_module(void)
{
	uintptr_t lowest = UINTPTR_MAX;
	uint32_t i;

	FOR_EACH_MODULE(i)
		if ((uintptr_t)runtime.modules[i].counters < lowest)
			lowest = (uintptr_t)runtime.modules[i].counters;
	return lowest;
}

/* Far below the modules there is room enough. Programs that stand at a fixed low address (and
 * machines that do not let us set a negative base) go up instead, in small steps, so that libraries
 * near the top of the address space still have room above them. A sanitizer that has most of the
 * address space leaves room near the modules only. */
static const struct {
	intptr_t first, step;
} ways[] = {
	{-((intptr_t)1 << 40), -((intptr_t)4 << 30)},
	{-((intptr_t)4 << 30), -((intptr_t)1 << 30)},
	{(intptr_t)1 << 30, (intptr_t)64 << 20},
};
enum { NR_WAYS = sizeof(ways) / sizeof(*ways) };

/* The one that is tried next. */
static intptr_t
next_displacement(void)
{
	uint32_t *way = &runtime.displacement_way;

	if (*way != NR_WAYS - 1 &&
	    (!runtime.can_set_gs || lowest_module() <= (uintptr_t)40 << 40)) {
		*way = NR_WAYS - 1;
		runtime.next_displacement = 0;
	}
	return runtime.next_displacement ? runtime.next_displacement : ways[*way].first;
}

/* Does the kernel let this process have another mapping (vm.max_map_count)? */
static bool
mappings_left(void)
{
	void *p = sys_mmap(NULL, RAW_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p != MAP_FAILED)
		sys_munmap(p, RAW_PAGE);
	return p != MAP_FAILED;
}

static bool
find_displacement(struct slot *s)
{
	uint32_t *way = &runtime.displacement_way;
	intptr_t d = next_displacement();
	int tries;

	while (*way < NR_WAYS) {
		for (tries = 0; tries < 4096; tries++, d += ways[*way].step) {
			if (displacement_free(s, d)) {
				runtime.next_displacement = d + ways[*way].step;
				return true;
			}
			if (errno == ENOMEM && !mappings_left())
				return false;
		}
		runtime.next_displacement = 0;
		if (++*way < NR_WAYS)
			d = ways[*way].first;
	}
	*way = 0;
	return false;
}

static void
unmap_all(struct slot *s)
{
	uint32_t i;

	FOR_EACH_MODULE(i)
		unmap_copy(&runtime.modules[i], s);
}

/* All copies of S, or none. */
static bool
map_copies(struct slot *s)
{
	uint32_t i, k;

	FOR_EACH_MODULE(i)
		if (!map_copy(i, s)) {
			for (k = 0; k < i; k++)
				if (runtime.modules[k].state != MODULE_UNUSED)
					unmap_copy(&runtime.modules[k], s);
			return false;
		}
	return true;
}

/* Mostly there is room at the next displacement, and to look whether takes as long as to map it. */
static bool
map_all(struct slot *s)
{
	s->displacement = next_displacement();
	if (map_copies(s)) {
		runtime.next_displacement =
			s->displacement + ways[runtime.displacement_way].step;
		return true;
	}
	return find_displacement(s) && map_copies(s);
}

static void
set_base(intptr_t displacement)
{
	if (runtime.can_set_gs)
		__asm__ volatile("wrgsbase %0" : : "r"(displacement) : "memory");
	else
		kernel(SYS_arch_prctl, ARCH_SET_GS, displacement);
}

/* ---- taking and leaving ---- */

static bool
thread_gone(const struct slot *s)
{
	return kernel(SYS_tgkill, kernel(SYS_getpid), s->tid, 0) < 0 && errno == ESRCH;
}

/* A slot whose thread is gone: its counters simply go on. */
static struct slot *
reusable_slot(void)
{
	uint32_t i;

	for (i = 0; i < runtime.nr_slots; i++) {
		struct slot *s = &runtime.slots[i];

		if (s->state == SLOT_FREE || (s->state == SLOT_ENDING && thread_gone(s)))
			return s;
	}
	return NULL;
}

struct slot *
slot_take(void)
{
	struct slot *s = reusable_slot();

	if (!s) {
		if (runtime.nr_slots == MAX_SLOTS)
			return NULL;
		s = &runtime.slots[runtime.nr_slots];
		if (!map_all(s))
			return NULL;
		runtime.nr_slots++;
	}
	s->state = SLOT_USED;
	s->tid = 0;
	s->start = NULL;
	s->timer = -1;
	s->stack_lo = s->stack_hi = 0;
	s->owner = 0;
	s->blocked = 0;
	s->wanted_signal_stack.ss_sp = NULL;
	return s;
}

void
slot_cancel(struct slot *s)
{
	runtime_lock();
	s->state = SLOT_FREE;
	runtime_unlock();
}

/* ---- records ---- */

/* The first table is a page, which is enough for most; all others have five. */
enum { FEW = (RAW_PAGE - sizeof(struct raw_extent)) / sizeof(struct raw_thread) };
enum { MANY = (5 * RAW_PAGE - sizeof(struct raw_extent)) / sizeof(struct raw_thread) };
/* So many tables give each process and thread a record of its own: 212 * 80, 16,960 of them. */
enum { MOST_TABLES = 80 };
static uint32_t nr_records; /* that runtime.threads has room for */
static uint64_t table_at;   /* where runtime.threads begins in the file */

static struct raw_thread *
records(void)
{
	return (struct raw_thread *)(runtime.threads + 1);
}

static struct extent_request
table_request(uint32_t nr)
{
	return (struct extent_request){.kind = RAW_THREADS,
				       .data_length = nr * sizeof(struct raw_thread),
				       .map_head = true,
				       .compact = true};
}

/* The number of the table: the first one that processes share is 0. */
static uint32_t
table_number(void)
{
	return nr_records == FEW ? UINT32_MAX : runtime.threads->slot;
}

/* USED: of its NR records. The latest table is told in the file's head, for other processes; of two
 * that make one at once, one has its own. */
static bool
new_table(uint32_t nr, uint32_t used)
{
	struct extent_request request = table_request(nr);
	uint64_t before = nr_records == FEW ? 0 : table_at, at = 0;
	struct raw_extent *e;

	request.used = used * sizeof(struct raw_thread);
	request.slot = runtime.threads ? table_number() + 1 : 0;
	request.where = &at;
	e = extent_new(&request);
	if (!e)
		return false;
	runtime.threads = e;
	nr_records = nr;
	table_at = at;
	if (nr != FEW)
		atomic_compare_exchange_strong((_Atomic uint64_t *)&runtime.head->threads, &before,
					       at);
	return true;
}

/* Goes on with the latest table; false: there is no later one. */
static bool
next_table(void)
{
	struct extent_request request = table_request(MANY);
	uint64_t at = atomic_load((_Atomic uint64_t *)&runtime.head->threads);
	struct raw_extent *e = at && at != table_at ? extent_again(&request, at) : NULL;

	if (!e)
		return false;
	runtime.threads = e;
	nr_records = MANY;
	table_at = at;
	return true;
}

static bool
is_full(void)
{
	return atomic_load((_Atomic uint64_t *)&runtime.threads->used) >=
	       nr_records * sizeof(struct raw_thread);
}

static bool
has_more_tables(void)
{
	return table_number() + 1 < MOST_TABLES;
}

/* Children share a table that has room. */
void
slots_before_fork(void)
{
	if (!runtime.threads || (nr_records != FEW && !is_full()))
		return;
	while (next_table() && is_full())
		;
	if (nr_records == FEW || (is_full() && has_more_tables()))
		new_table(MANY, 0);
}

/* One of a process that is gone. */
static struct raw_thread *
left_record(const struct slot *s)
{
	uint32_t i, first = runtime.pid % nr_records;

	for (i = 0; runtime.forked && i < nr_records; i++) {
		struct raw_thread *r = &records()[(first + i) % nr_records];
		uint32_t owner = atomic_load((_Atomic uint32_t *)&r->owner);

		if (owner && share_process_gone(owner) &&
		    atomic_compare_exchange_strong((_Atomic uint32_t *)&r->owner, &owner,
						   runtime.pid)) {
			r->more_processes += s == &runtime.slots[0];
			return r;
		}
	}
	return NULL;
}

/* Forked processes share the tables: places are handed out by an atomic add. */
static struct raw_thread *
free_record(void)
{
	_Atomic uint64_t *used = (_Atomic uint64_t *)&runtime.threads->used;
	uint64_t room = nr_records * sizeof(struct raw_thread), at = room;

	if (atomic_load(used) < room)
		at = atomic_fetch_add(used, sizeof(struct raw_thread));
	return at < room ? (struct raw_thread *)((char *)records() + at) : NULL;
}

/* When a table is full a thread goes on with the record of the one that had its slot before. When
 * there are many tables, records of dead processes are used again, and only if none is dead there
 * is another table. */
static struct raw_thread *
new_record(struct slot *s)
{
	struct raw_thread *r = runtime.threads ? free_record() : NULL;
	bool many = runtime.threads && (nr_records > FEW || runtime.forked);

	if (r)
		return r;
	if (many && s->record)
		r = s->record;
	while (many && !r && next_table())
		if ((r = free_record()) != NULL)
			return r;
	if (many && !r && !has_more_tables())
		r = left_record(s);
	if (r) {
		r->more_threads++;
		return r;
	}
	return new_table(runtime.threads ? MANY : FEW, 1) ? records() : NULL;
}

/* Called by the thread itself, maybe in a signal handler: errno stays. */
void
slot_note_name(struct slot *s)
{
	if (s->record && !runtime_closed())
		kernel_quietly(SYS_prctl, PR_GET_NAME, s->record->name);
}

void
slot_note_start(struct slot *s, uintptr_t start)
{
	if (s && s->record && !runtime_closed())
		s->record->start = start;
}

static void
begin_record(struct slot *s)
{
	struct raw_thread *r = new_record(s);

	s->record = r;
	if (!r)
		return;
	s->record_cpu_ns = r->cpu_ns;
	r->owner = runtime.pid;
	if (r->pid)
		return;
	r->tid = (uint32_t)s->tid;
	r->slot = (uint32_t)(s - runtime.slots);
	slot_note_name(s);
	r->start = (uintptr_t)s->start;
	r->started_ns = clock_ns(CLOCK_MONOTONIC);
	atomic_store((_Atomic uint32_t *)&r->pid, runtime.pid);
}

void
slots_note_process(void)
{
	struct slot s = {.tid = (pid_t)kernel(SYS_getpid)};

	runtime.pid = (uint32_t)s.tid;
	begin_record(&s);
	if (!s.record)
		return;
	s.record->flags |= RAW_THREAD_UNSEEN;
	slot_note_cpu(&s, clock_ns(CLOCK_PROCESS_CPUTIME_ID));
}

void
slot_note_cpu(struct slot *s, uint64_t ns)
{
	if (s->record)
		s->record->cpu_ns = s->record_cpu_ns + ns;
}

/* ---- entering and leaving ---- */

/* Called with the lock held. */
void
slot_enter(struct slot *s)
{
	uint32_t i;

	s->owner = thread_pointer();
	s->tid = (pid_t)kernel(SYS_gettid);
	if (s->stack_hi && s->wanted_stack)
		s->stack_lo = s->stack_hi - s->wanted_stack;
	set_base(s->displacement);
	s->base = s->displacement;
	if (s == &runtime.slots[0])
		FOR_EACH_MODULE(i)
	slot_move_own_counts(&runtime.modules[i], s);
	begin_record(s);
	sampling_start(s);
}

void
slot_enter_clone(struct slot *s)
{
	s->tid = (pid_t)kernel(SYS_gettid);
	set_base(s->displacement);
	s->base = s->displacement;
	begin_record(s);
	s->state = SLOT_ENDING;
}

void
slot_leave(struct slot *s)
{
	sampling_look_back();
	s->state = SLOT_ENDING; /* reused when the kernel says that the thread is gone */
	sampling_stop(s);
	slot_note_cpu(s, clock_ns(CLOCK_THREAD_CPUTIME_ID));
	slot_note_name(s);
}

/* ---- moving ---- */

/* Maps the pages of the file that hold FROM's copy at TO's place as well. */
static bool
map_again(const struct module *m, const struct slot *from, const struct slot *to)
{
	size_t length = copy_length(m);
	void *place = copy_begin(m, to), *old = copy_begin(m, from);

	if (!range_free(place, length))
		return false;
	if ((void *)kernel(SYS_mremap, old, 0, length, MREMAP_MAYMOVE | MREMAP_FIXED, place) ==
	    place)
		return true;
	return map_nowhere(place, length); /* it was nowhere before */
}

/* The thread itself must take its new base; a signal brings it there. Whoever is so unlucky as to
 * be in a call that waits may see it interrupted. */
static void
tell_to_move(struct slot *s)
{
	siginfo_t info = {.si_code = SI_QUEUE};
	int tries;

	info.si_signo = sample_signal;
	info.si_pid = (pid_t)kernel(SYS_getpid);
	info.si_value.sival_ptr = &runtime;
	if (!s->tid || (s->state != SLOT_USED && s->state != SLOT_ENDING))
		return;
	if (kernel(SYS_rt_tgsigqueueinfo, info.si_pid, s->tid, sample_signal, &info) < 0)
		return;
	for (tries = 0; tries < 1000000; tries++) {
		if (atomic_load(&s->base) == s->displacement || thread_gone(s))
			return;
		kernel(SYS_sched_yield);
	}
}

void
slots_take_base(void)
{
	struct slot *s = slot_base();

	if (!s || !s->tid || atomic_load(&s->base) == s->displacement)
		return;
	set_base(s->displacement);
	atomic_store(&s->base, s->displacement);
}

/* Something is where the copy of MODULE should be. The slot gets another displacement: all that it
 * has is mapped there too, so that it does not matter when its thread begins to count there. */
static bool
move_slot(uint32_t module, struct slot *s)
{
	struct slot to = *s;
	uint32_t i;

	if (!find_displacement(&to))
		return false;
	FOR_EACH_MODULE(i)
		if (i == module ? !map_copy_of(i, &to, (uint32_t)(s - runtime.slots))
				: !map_again(&runtime.modules[i], s, &to))
			return false;
	s->displacement = to.displacement;
	if (s == slot_self()) {
		set_base(s->displacement);
		s->base = s->displacement;
	} else {
		tell_to_move(s);
	}
	return true;
}

bool
slots_map_module(uint32_t module)
{
	const struct slot *self = slot_self();
	uint32_t i;

	for (i = 0; i < runtime.nr_slots; i++)
		if (!map_copy(module, &runtime.slots[i]) && !move_slot(module, &runtime.slots[i])) {
			slots_give_up("no room for the counters of another library, by "
				      "vm.max_map_count or in the address space, in", ENOMEM);
			return false;
		}
	if (self)
		slot_move_own_counts(&runtime.modules[module], self);
	return true;
}

void
slots_unmap_module(uint32_t module)
{
	uint32_t i;

	for (i = 0; i < runtime.nr_slots; i++)
		unmap_copy(&runtime.modules[module], &runtime.slots[i]);
}

/* No room for another copy at any displacement. All threads go back to the modules' own counters;
 * what they count is lost to the file, which is marked so. */
void
slots_give_up(const char *why, int error)
{
	struct slot *self = slot_self();
	uint32_t i;

	runtime.active = false;
	runtime.head->flags |= RAW_SHARED_COUNTERS;
	for (i = 0; i < runtime.nr_slots; i++) {
		runtime.slots[i].displacement = 0;
		if (&runtime.slots[i] != self)
			tell_to_move(&runtime.slots[i]);
	}
	set_base(0);
	complain(why, error);
}

/* ---- fork ---- */

/* The child's counters must not be the parent's: new extents, mapped where the old ones are, so the
 * displacement of the one thread that lives on stays. Meanwhile it counts nowhere. */
static void
replace_copies(struct slot *s)
{
	uint32_t i;

	set_base(0);
	FOR_EACH_MODULE(i)
	{
		unmap_copy(&runtime.modules[i], s);
		if (!map_copy(i, s)) {
			runtime.active = false;
			return;
		}
	}
	set_base(s->displacement);
}

void
slots_after_fork(void)
{
	struct slot *self = slot_self(), mine;
	uint32_t i;

	if (!self)
		return;
	for (i = 0; i < runtime.nr_slots; i++)
		if (&runtime.slots[i] != self) {
			unmap_all(&runtime.slots[i]);
			targets_forget(&runtime.slots[i]);
		}
	mine = *self;
	memset(runtime.slots, 0, sizeof(runtime.slots[0]) * runtime.nr_slots);
	runtime.slots[0] = mine;
	runtime.nr_slots = 1;
	self = &runtime.slots[0];
	self->samples.extent = self->paths.extent = NULL;
	events_forget(self);
	targets_renew(self);
	self->record = NULL;
	self->timer = -1;
	self->tid = (pid_t)kernel(SYS_gettid);
	replace_copies(self);
	if (!runtime.active)
		return;
	begin_record(self);
	sampling_start(self);
}
