/* The runtime's side of record --space: it finds the preloaded library, gives it room in the raw
 * file, and tells it which call in counted code wants a block. */
#include "space_host.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

#include "unwind.h"

static struct space_guest guest; /* none of it is set: there is nobody */

static int
number_of_slot(void)
{
	struct slot *s = slot_self();

	return s ? (int)(s - runtime.slots) : -1;
}

static struct raw_extent *
make_room(enum raw_kind kind, int slot, uint64_t length, uint64_t *where)
{
	struct extent_request r = {.kind = kind,
				   .data_length = length,
				   .slot = slot < 0 ? 0 : (uint32_t)slot,
				   .where = where,
				   .map_head = true};
	struct raw_extent *e = extent_new(&r);

	*where += RAW_PAGE;
	return e;
}

static struct raw_extent *
make_series(uint64_t length)
{
	struct extent_request r = {
		.kind = RAW_SPACE_SERIES, .data_length = length, .map_head = true};

	return extent_new(&r);
}

/* Bytes of the process that are in memory; 0: the kernel does not tell. */
static uint64_t
resident(void)
{
	char text[64];
	int fd = (int)kernel(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? kernel(SYS_read, fd, text, sizeof(text)) : 0, i = 0;
	uint64_t pages = 0;

	if (fd >= 0)
		kernel(SYS_close, fd);
	while (i < n && text[i] != ' ')
		i++;
	for (i++; i < n && text[i] >= '0' && text[i] <= '9'; i++)
		pages = pages * 10 + (uint64_t)(text[i] - '0');
	return pages * RAW_PAGE;
}

/* What is resident takes longer to ask than all else: not more than once a millisecond. One thread
 * at a time writes a moment. */
static bool
tell_now(struct raw_moment *m)
{
	static uint64_t asked_ns, last;

	if (runtime_closed())
		return false;
	m->mono_ns = clock_ns(CLOCK_MONOTONIC);
	m->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (m->mono_ns - asked_ns >= 1000000) {
		last = resident();
		asked_ns = m->mono_ns;
	}
	m->resident = last;
	return true;
}

static void *
get_memory(uint64_t size)
{
	void *p = runtime_closed() ? MAP_FAILED
				   : sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* A static program is one piece: what was linked into it with the flag space tells where the code
 * of the program itself is (src/cgcc/text_begin.s), in each of the groups that a linker makes. */
#define MARKS(group)                                                                               \
	extern HIDDEN const unsigned char __cgview_text_begin_##group[] __attribute__((weak));     \
	extern HIDDEN const unsigned char __cgview_text_end_##group[] __attribute__((weak));
#define RANGE(group) {__cgview_text_begin_##group, __cgview_text_end_##group},
#define GROUPS(X) X(unlikely) X(exit) X(startup) X(hot) X(text)
GROUPS(MARKS)
static const struct text {
	const unsigned char *begin, *end;
} texts[] = {GROUPS(RANGE)};

static bool
is_of_libraries(uint64_t pc)
{
	size_t i, nr = sizeof(texts) / sizeof(*texts);

	for (i = 0; i < nr; i++) {
		if (!texts[i].begin || !texts[i].end)
			return false;
		if (pc >= (uintptr_t)texts[i].begin && pc < (uintptr_t)texts[i].end)
			return false;
	}
	return true;
}

/* What the runtime allocates for a call, as around pthread_create(), is the call's. */
static uint32_t
module_at(uint64_t pc)
{
	uint32_t i, n = atomic_load_explicit(&runtime.nr_modules, memory_order_acquire);

	if (in_runtime_text(pc) || is_of_libraries(pc))
		return 0;
	for (i = 0; i < n; i++)
		if (runtime.modules[i].state == MODULE_LIVE &&
		    pc >= runtime.modules[i].text_start && pc < runtime.modules[i].text_end)
			return runtime.modules[i].number;
	return 0;
}

/* Behind each call in a wrapper the plugin has put an instruction that no compiler makes: nopl
 * 0x77766763(%rax,%rax,1). */
static bool
is_in_wrapper(uint64_t pc)
{
	const uint64_t mark = UINT64_C(0x7776676300841f0f);
	uint64_t there;
	uint32_t i, n = atomic_load_explicit(&runtime.nr_modules, memory_order_acquire);

	for (i = 0; i < n; i++)
		if (runtime.modules[i].state == MODULE_LIVE &&
		    pc >= runtime.modules[i].text_start &&
		    pc + sizeof(mark) <= runtime.modules[i].text_end) {
			__builtin_memcpy(&there, (const void *)(uintptr_t)pc, sizeof(there));
			return there == mark;
		}
	return false;
}

/* Nothing is guessed: a call that cannot be found is nobody's. */
static uint32_t
walk_to_counted(struct frame *f, struct space_link *links)
{
	enum { MOST_STEPS = 64 };
	enum unwind_result r = UNWIND_OK;
	uint32_t nr = 0;
	int last = MOST_STEPS;

	for (int i = 0; i < MOST_STEPS && r == UNWIND_OK && nr < SPACE_LINKS; i++) {
		uint64_t pc = f->regs[REG_RA];

		if (module_at(pc - 1)) {
			links[nr++] = (struct space_link){
				pc, f->regs[REG_SP],
				f->known & 1u << REG_FP ? f->regs[REG_FP] : 0, last + 1 == i};
			last = i;
			if (!is_in_wrapper(pc))
				break;
		}
		r = unwind_step(f);
		if (r == UNWIND_UNKNOWN && find_frame_pointer(f))
			r = unwind_step(f);
	}
	return nr;
}

/* Makes F that of CALL, by thread S. Returns false if it is where nobody may look. */
static bool
frame_of(struct frame *f, const struct space_call *call, const struct slot *s)
{
	*f = (struct frame){.known = 1u << REG_RA | 1u << REG_SP | 1u << REG_FP,
			    .is_return = true};
	f->regs[REG_RA] = call->pc;
	f->regs[REG_SP] = call->sp;
	f->regs[REG_FP] = call->fp;
	f->thread_lo = s ? s->stack_lo : 0;
	f->thread_hi = s ? s->stack_hi : 0;
	unwind_find_stack(f);
	return !f->probe || !runtime_closed(); /* the kernel must not be asked */
}

static uint32_t
find_counted(const struct space_call *call, struct space_link *links)
{
	struct frame f;
	uint32_t nr;

	if (!frame_of(&f, call, slot_self()))
		return 0;
	f.all = unwind_enter();
	nr = walk_to_counted(&f, links);
	if (f.all)
		unwind_leave();
	return nr;
}

static struct raw_sample *
store_path(const struct space_call *call, const struct raw_sample *what, uint64_t cell)
{
	struct slot *s = slot_self();
	struct frame f;

	return s && frame_of(&f, call, s) ? sample_store_path(s, &f, what, cell) : NULL;
}

static bool
hold_signals(uint64_t *mask)
{
	if (runtime_closed())
		return false;
	*mask = signals_hold(0);
	return true;
}

/* No sampling signal is blocked. */
static void
let_go_signals(uint64_t mask)
{
	signals_let_in_own(mask & ~signals_never_blocked());
}

void
space_start(const struct settings *s)
{
	static struct space_host host = {
		.version = SPACE_VERSION, .slot = number_of_slot, .room = make_room,
		.series = make_series, .drop = extent_unmap, .memory = get_memory,
		.module = module_at, .counted = find_counted, .wraps = is_in_wrapper,
		.now = tell_now, .path = store_path, .hold = hold_signals,
		.let_go = let_go_signals,
	};
	struct extent_request r = {.kind = RAW_SPACE,
				   .data_length = sizeof(struct raw_space),
				   .used = sizeof(struct raw_space),
				   .map_head = true};
	struct raw_extent *e = extent_new(&r);
	space_attach_function *attach = (space_attach_function *)runtime_symbol(SPACE_ATTACH);

	if (!e)
		return;
	/* The tables hold addresses of code. */
	atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_POINTERS);
	host.every = s->space_every;
	host.seed = s->space_seed ? s->space_seed
				  : clock_ns(CLOCK_MONOTONIC) ^ (uint64_t)runtime.pid << 40;
	host.facts = (struct raw_space *)((char *)e + RAW_PAGE);
	host.times = s->times;
	host.handles = signals_handled();
	host.facts->state = attach ? attach(&host, &guest) : RAW_SPACE_NOT_LOADED;
	if (guest.signalled)
		signals_own_invalid_access(guest.signalled);
}

void
space_moved(void)
{
	if (guest.moved)
		guest.moved();
}

void
space_after_fork(void)
{
	if (guest.forked)
		guest.forked();
}

void
space_end(void)
{
	if (guest.ended)
		guest.ended();
}

void
space_note_pool(const uint64_t *frame, const struct space_pool *what)
{
	if (guest.pool)
		guest.pool(frame, what);
}

/* What the plugin has put at calls of a pool's procedures (plugin/pools.c). The frame must be there
 * until all is done, so that nothing here is a jump. */
#define TELL(...)                                                                                  \
	do {                                                                                       \
		const struct space_pool what = {__VA_ARGS__};                                      \
		runtime_door.note_pool(__builtin_frame_address(0), &what);                         \
		__asm__ volatile("" : : "m"(what));                                                \
	} while (0)

void
__cgview_pool_counted(const void *block, uint64_t size)
{
	TELL(.event = SPACE_POOL_COUNTED, .block = block, .size = size);
}

void
__cgview_pool_made(const void *block, uint64_t size, const void *pool, const void *old)
{
	TELL(SPACE_POOL_MADE, block, size, pool, old);
}

void
__cgview_pool_gone(const void *block)
{
	if (block)
		TELL(.event = SPACE_POOL_GONE, .block = block);
}

void
__cgview_pool_cut(const void *block, const void *pool)
{
	if (pool)
		TELL(.event = SPACE_POOL_CUT, .block = block, .pool = pool);
}

void
__cgview_pool_held(const void *pool, const void *parent, uint64_t is_block)
{
	if (pool)
		TELL(SPACE_POOL_HELD, pool, is_block, parent, NULL);
}
