/* Sampling: one CPU-time timer a thread; the handler notes where the thread is and who called. */
#include "unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* The first is small, as most processes are short, and each one four times as large as the one
 * before. What a child leaves free the next child fills. */
enum { CHUNK = SAMPLES_CHUNK, CHILD_CHUNK = 32 * 1024, FIRST_CHUNK = 8 * 1024 };
_Static_assert((int)FIRST_CHUNK >= (int)SAMPLES_ROOM, "a sample has room in it");
/* Of the stack, for one frame and for all of a walk. */
enum { SCAN_WORDS = 1024, SCAN_MOST = 8192 };
/* A deep stack: the innermost frames, a 0, the outermost ones; no deeper than this. */
enum { MOST_STEPS = 1 << 20, OUTER = 63, INNER = RAW_MAX_FRAMES - OUTER - 1 };

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

uint64_t (*centre_read)(void);

/* ---- the stack ---- */

bool
in_profiled_text(uint64_t pc)
{
	uint32_t i, n = atomic_load_explicit(&runtime.nr_modules, memory_order_acquire);

	for (i = 0; i < n; i++)
		if (runtime.modules[i].state == MODULE_LIVE &&
		    pc >= runtime.modules[i].text_start && pc < runtime.modules[i].text_end)
			return true;
	return false;
}

/* The runtime's code has a section of its own (Makefile). */
extern HIDDEN const unsigned char __start_cgview_rt[], __stop_cgview_rt[];

bool
in_runtime_text(uint64_t pc)
{
	return pc >= (uintptr_t)__start_cgview_rt && pc < (uintptr_t)__stop_cgview_rt;
}

/* x86-64's calls. The indirect one has its own number in the middle of the byte behind. */
enum { CALL_REL32 = 0xe8, GROUP_5 = 0xff, MODRM_REG = 7 << 3, GROUP_5_CALL = 2 << 3 };

static bool
is_indirect_call(const unsigned char *p)
{
	return p[0] == GROUP_5 && (p[1] & MODRM_REG) == GROUP_5_CALL;
}

/* Does a call instruction end at ADDRESS? Profiled text is readable. */
static bool
behind_call(uint64_t address)
{
	const unsigned char *p = (const unsigned char *)address;

	return p[-5] == CALL_REL32 || is_indirect_call(p - 2) || is_indirect_call(p - 3) ||
	       is_indirect_call(p - 6) || is_indirect_call(p - 4) || is_indirect_call(p - 7);
}

/* Does a call of what begins at PROCEDURE end at ADDRESS? */
static bool
behind_call_of(uint64_t address, uint64_t procedure)
{
	const unsigned char *p = (const unsigned char *)address;
	int32_t distance;

	memcpy(&distance, p - 4, sizeof(distance));
	return p[-5] == CALL_REL32 && address + (uint64_t)(int64_t)distance == procedure;
}

/* The place of the nearest word on the stack that a call in profiled code left there, of PROCEDURE
 * if that is not 0; 0: there is none. What the runtime's own code left is passed over: it calls
 * next to nothing of the program's (a handler, what a thread begins with), but it was at work there
 * before the program began, and is before a call through a pointer. */
static uint64_t
find_return_address(struct walk *w, struct frame *f, uint64_t procedure)
{
	uint64_t at = (f->regs[REG_SP] + 7) & ~UINT64_C(7), end = at + SCAN_WORDS * 8, value;

	for (; at < end && w->scanned < SCAN_MOST && unwind_load(f, at, &value);
	     at += 8, w->scanned++)
		if (in_profiled_text(value) && in_profiled_text(value - 8) &&
		    !in_runtime_text(value) && unwind_can_read_code(f, value) &&
		    (procedure ? behind_call_of(value, procedure) : behind_call(value)))
			return at;
	return 0;
}

/* Code that nothing is known about, or whose frame pointer is not known: what the nearest call has
 * left on the stack is taken for the return address. Where the procedure is known, a direct call of
 * it goes before others: its variables may have the place of frames that are no more. */
static bool
guess_caller(struct walk *w, struct frame *f)
{
	uint64_t pc = f->regs[REG_RA] - f->is_return, begin = 0, at = 0, saved;

	if (in_profiled_text(pc) && unwind_procedure(f, pc, &begin))
		at = find_return_address(w, f, begin);
	if (!at) {
		begin = 0;
		at = find_return_address(w, f, 0);
	}
	if (!at || !unwind_load(f, at, &f->regs[REG_RA]))
		return false;
	f->regs[REG_SP] = at + 8;
	f->known &= 1u << REG_FP | 1u << REG_RA | 1u << REG_SP;
	if (begin && pushes_frame_pointer(begin) && unwind_load(f, at - 8, &saved)) {
		f->regs[REG_FP] = saved;
		f->known |= 1u << REG_FP;
	}
	f->is_return = true;
	return true;
}

/* Frames that do not fit go round in the outer part, until the walk has come to the end. */
static void
add_frame(struct walk *w, uint64_t pc)
{
	if (w->nr < RAW_MAX_FRAMES)
		w->frames[w->nr++] = pc;
	else
		w->frames[INNER + 1 + (w->steps - RAW_MAX_FRAMES) % OUTER] = pc;
	w->steps++;
}

static void
reverse(uint64_t *frames, unsigned n)
{
	unsigned i;

	for (i = 0; i < n / 2; i++) {
		uint64_t other = frames[n - 1 - i];

		frames[n - 1 - i] = frames[i];
		frames[i] = other;
	}
}

/* The outer frames in order. If the end was not found they are not the outermost ones. */
static void
close_gap(struct walk *w)
{
	uint64_t *outer = w->frames + INNER + 1;
	unsigned first = (w->steps - RAW_MAX_FRAMES) % OUTER;

	if (w->steps <= RAW_MAX_FRAMES)
		return;
	w->frames[INNER] = 0;
	if (w->steps == w->most) {
		w->nr = INNER + 1;
		return;
	}
	reverse(outer, first);
	reverse(outer + first, OUTER - first);
	reverse(outer, OUTER);
}

/* On its way out, libgcc's unwinder puts the registers of the procedure that catches in the place
 * of its own saved ones, also the return address; the stack pointer comes last. Where that return
 * address stands on the stack, there the procedure's own frame begins. */
static void
find_catcher(struct frame *f)
{
	uintptr_t at = (uintptr_t)f->regs[REG_SP], end = at + SCAN_WORDS * 8;
	uint64_t value;

	for (; at < end && unwind_load(f, at, &value); at += 8)
		if (value == f->regs[REG_RA]) {
			f->regs[REG_SP] = at + 8;
			return;
		}
}

void
walk_stack(struct walk *w, struct frame *f)
{
	enum unwind_result r;

	if (!w->most)
		w->most = MOST_STEPS;
	while (w->steps < w->most) {
		add_frame(w, f->regs[REG_RA]);
		if (unwind_step_known(f))
			continue;
		r = unwind_step(f);
		if (r == UNWIND_UNKNOWN && find_frame_pointer(f))
			r = unwind_step(f);
		if (r == UNWIND_OK && f->throwing && in_profiled_text(f->regs[REG_RA]))
			find_catcher(f);
		if (r == UNWIND_OK)
			continue;
		if (r == UNWIND_END || !guess_caller(w, f))
			break;
		w->guessed = true;
	}
	close_gap(w);
}

/* The interrupted frame, and what of its stack may be read. */
static void
first_frame(struct frame *f, const struct slot *s, const ucontext_t *context)
{
	static const unsigned char from[NR_REGS] = {
		/* DWARF's order of the registers */
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
		REG_R9,	 REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
	};
	unsigned i;

	for (i = 0; i < NR_REGS; i++)
		f->regs[i] = (uint64_t)context->uc_mcontext.gregs[from[i]];
	f->known = (1u << NR_REGS) - 1;
	f->moved = 0;
	f->is_return = false;
	f->thread_lo = s->stack_lo;
	f->thread_hi = s->stack_hi;
	unwind_find_stack(f);
}

/* Bytes of the thread's stack in use at F; 0: not known, as F is on another one (of signals, of a
 * coroutine), or part of them is the runtime's. */
static uint64_t
stack_used(const struct frame *f)
{
	return f->probe || in_runtime_text(f->regs[REG_RA]) ? 0
							    : f->thread_hi - f->regs[REG_SP];
}

/* ---- storing ---- */

static uint64_t
next_chunk(const struct sample_chunk *c)
{
	uint64_t before = c->extent ? c->extent->data_length : 0;

	if (!before)
		return runtime.forked ? CHILD_CHUNK : FIRST_CHUNK;
	return before < CHUNK / 4 ? 4 * before : CHUNK;
}

/* S's paths stay where they are, as they are told what becomes of their blocks. */
static struct raw_extent *
chunk_with_room(struct slot *s, struct sample_chunk *c, size_t room)
{
	struct extent_request r = {.kind = RAW_SAMPLES,
				   .data_length = next_chunk(c),
				   .room = c->extent || !runtime.forked ? 0 : room,
				   .slot = (uint32_t)(s - runtime.slots),
				   .map_head = true};
	bool other_maps = runtime.forked && c->key != runtime.maps_key;

	if (c->extent && !other_maps && c->extent->used + room <= c->extent->data_length)
		return c->extent;
	if (c->extent && c != &s->paths)
		extent_unmap(c->extent);
	c->key = runtime.maps_key;
	c->extent = extent_new(&r);
	c->layout = c->extent && c->extent->used ? UINT32_MAX : 0;
	return c->extent;
}

uint64_t
sample_time_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC) - runtime.head->started_mono_ns;
}

void
samples_tell_modules(struct raw_extent *e, uint32_t *layout)
{
	uint32_t now = atomic_load(&runtime.layout), i, n = runtime.nr_modules;
	struct raw_sample *told = (struct raw_sample *)((char *)e + RAW_PAGE + e->used);
	uint64_t *numbers = (uint64_t *)(told + 1);
	uint16_t nr = 0;

	if (*layout == now)
		return;
	*layout = now;
	for (i = 0; i < n && nr < RAW_MAX_FRAMES; i++)
		if (runtime.modules[i].state == MODULE_LIVE)
			numbers[nr++] = runtime.modules[i].number;
	if (!nr)
		numbers[nr++] = 0;
	*told = (struct raw_sample){.nr_frames = nr, .flags = RAW_MODULES};
	atomic_store_explicit((_Atomic uint64_t *)&e->used, e->used + sizeof(*told) + nr * 8ul,
			      memory_order_release);
}

/* The frames go straight to their place in the file: the stack that this runs on may be small.
 * CENTRE: see RAW_CENTRE, 0 none; USED: of the stack, 0 if that is not to be told. Returns the
 * sample in C, which has room for it. */
static struct raw_sample *
store(struct slot *s, struct sample_chunk *c, struct frame *frame, const struct raw_sample *what,
      uint64_t centre, uint64_t used, unsigned most)
{
	struct raw_extent *e = c->extent;
	struct raw_sample *sample;
	struct walk w = {.most = most};
	uint64_t now = runtime_closed() ? 0 : sample_time_ns();

	samples_tell_modules(e, &c->layout);
	sample = (struct raw_sample *)((char *)e + RAW_PAGE + e->used);
	w.frames = (uint64_t *)(sample + 1);
	frame->all = unwind_enter();
	walk_stack(&w, frame);
	if (frame->all)
		unwind_leave();
	s->walked = w.steps + w.scanned;
	*sample = *what;
	sample->tid = (uint32_t)s->tid;
	sample->time_ns = now;
	sample->nr_frames = (uint16_t)w.nr;
	sample->flags |= (uint16_t)((w.steps > RAW_MAX_FRAMES ? RAW_STACK_CUT : 0) |
				    (w.guessed ? RAW_STACK_GUESS : 0) |
				    (centre ? RAW_CENTRE : 0) | (used ? RAW_STACK_USED : 0));
	if (centre)
		w.frames[w.nr++] = centre;
	if (used)
		w.frames[w.nr++] = used;
	atomic_store_explicit((_Atomic uint64_t *)&e->used, e->used + sizeof(*sample) + w.nr * 8,
			      memory_order_release);
	return sample;
}

/* Of no more than MOST steps, if that is not 0. */
static bool
store_limited(struct slot *s, const void *context, const struct raw_sample *what, uint64_t centre,
	      unsigned most)
{
	struct frame frame;

	if (!chunk_with_room(s, &s->samples, SAMPLES_ROOM))
		return false;
	first_frame(&frame, s, context);
	store(s, &s->samples, &frame, what, centre, stack_used(&frame), most);
	return true;
}

bool
sample_store(struct slot *s, const void *context, const struct raw_sample *what)
{
	return store_limited(s, context, what, 0, 0);
}

struct raw_sample *
sample_store_path(struct slot *s, struct frame *frame, const struct raw_sample *what, uint64_t cell)
{
	return chunk_with_room(s, &s->paths, SAMPLES_ROOM)
		       ? store(s, &s->paths, frame, what, cell, 0, 0) : NULL;
}

/* So many steps take no time worth a look (some 10 us): nearly all stacks have fewer. */
enum { FEW_STEPS = 1024 };
/* A timer comes at its tick, whatever a sample costs: of deep stacks only so many are walked
 * through as take one part in so many of the time. The others lack their outer end, and say so; or
 * there is none at all, where nothing else samples. */
enum { WALKS_SHARE = 40 };

static unsigned
most_steps(const struct slot *s, const struct raw_sample *what)
{
	return what->flags & RAW_CLOCK || what->cpu_ns >= s->walk_after ? 0 : RAW_MAX_FRAMES + 1;
}

/* The time of a walk is charged to the program where it was interrupted: it must stay a small part
 * of all, so where stacks are deep fewer samples walk through them. */
static void
note_walk(struct slot *s, const struct raw_sample *what)
{
	uint64_t took = s->walked <= FEW_STEPS ? 0
		      : clock_ns(CLOCK_THREAD_CPUTIME_ID) - what->cpu_ns;

	if (what->flags & RAW_CLOCK) {
		events_walked(took);
		return;
	}
	if (what->cpu_ns < s->walk_after)
		return;
	/* How long until the next one must not depend on where this one fell, nor on the time. */
	s->walk_ns = mean_with(s->walk_ns, took);
	s->walk_after = !s->walk_ns ? 0 : what->cpu_ns +
			s->walk_ns * (WALKS_SHARE / 2 + (what->cpu_ns >> 10) % WALKS_SHARE);
}

void
sampling_take(struct slot *s, const void *context, uint16_t flags, uint64_t period)
{
	struct raw_sample what = {
		.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), .flags = flags, .amount = period};

	if (!store_limited(s, context, &what, centre_read ? centre_read() : 0,
			   most_steps(s, &what))) {
		atomic_fetch_add((_Atomic uint32_t *)&runtime.head->lost_samples, 1);
		return;
	}
	note_walk(s, &what);
	slot_note_cpu(s, what.cpu_ns);
	if (!s->record)
		return;
	s->record->nr_samples++;
	/* A thread that never ends is asked for its name now and then. */
	if (!(s->record->nr_samples & (s->record->nr_samples - 1)))
		slot_note_name(s);
}

static uint64_t
tick_ns(void)
{
	static _Atomic uint64_t tick;
	struct timespec t;

	if (!tick) {
		kernel(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &t);
		tick = (uint64_t)t.tv_nsec;
	}
	return tick;
}

/* Expiries of a timer are noticed at the kernel's next tick. */
static uint64_t
timer_period(void)
{
	uint64_t asked = (uint64_t)runtime.interval_ns;

	return tick_ns() > asked ? tick_ns() : asked;
}

/* ---- whose time it was ---- */

/* The kernel charges each tick to itself, if it was at work, or to the program, and the timer is
 * noticed at that same tick: so what was charged since the timer's last sample tells where this one
 * fell, be it a system call or a page fault. It needs a sample at each tick. */
static bool
tells_kernel(void)
{
	return timer_period() == tick_ns();
}

static uint64_t
nanoseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

/* Was the kernel at work most of the time since this was asked before? */
static bool
kernel_at_work(struct slot *s)
{
	uint64_t system = s->system_ns, program = s->program_ns;
	struct rusage now;

	if (kernel(SYS_getrusage, RUSAGE_THREAD, &now))
		return false;
	s->system_ns = nanoseconds(now.ru_stime);
	s->program_ns = nanoseconds(now.ru_utime);
	return s->system_ns - system > s->program_ns - program;
}

static void
begin_telling(struct slot *s)
{
	if (s->timer < 0 || !tells_kernel())
		return;
	kernel_at_work(s);
	atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_KERNEL_TOLD);
}

/* Where nothing else samples, and there is no time to walk through the stack, the next sample
 * stands for this one as well. */
static bool
left_to_next(struct slot *s)
{
	if (!s->walk_after || atomic_load(&s->events[CLOCK_SOURCE].page) ||
	    clock_ns(CLOCK_THREAD_CPUTIME_ID) >= s->walk_after)
		return false;
	s->left_out++;
	return true;
}

static void
on_sample(siginfo_t *info, void *context)
{
	struct slot *s = slot_self();
	uint64_t period;

	(void)info;
	if (!s || !runtime.active || left_to_next(s))
		return;
	period = timer_period() * (1 + s->left_out);
	s->left_out = 0;
	sampling_take(s, context, tells_kernel() && kernel_at_work(s) ? RAW_IN_KERNEL : 0, period);
}

/* ---- the signal ---- */

/* SIGPROF may belong to the program. This one is at the end that nobody counts from: SIGRTMAX - 3,
 * which libc would have to be asked for. */
#define SAMPLE_SIGNAL (_NSIG - 4)
static _Atomic bool ended;

static void
stop_timer(struct slot *s)
{
	int timer = atomic_exchange(&s->timer, -1);

	if (timer >= 0)
		kernel(SYS_timer_delete, timer);
}

static bool
samples(void)
{
	return runtime.interval_ns > 0 && sample_signal;
}

void
sampling_install(void)
{
	/* Also without samples: slots.c, moving. */
	signals_own_sample(runtime.enters_kernel ? HARMLESS_SIGNAL : SAMPLE_SIGNAL, on_sample);
}

static bool
has_ended(void)
{
	return atomic_load(&ended);
}

static void
tell_signal_taken(void)
{
	atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_SIGNAL_TAKEN);
}

static bool
may_be_taken(void)
{
	return samples() && sample_signal == HARMLESS_SIGNAL && runtime.active &&
	       !runtime_closed() && !has_ended();
}

void
sampling_look_after(void)
{
	if (may_be_taken() && signals_lost(true))
		tell_signal_taken();
}

void
sampling_look_back(void)
{
	uint64_t blocked = 0;

	if (!may_be_taken())
		return;
	kernel(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof(blocked));
	if (blocked >> (sample_signal - 1) & 1 || signals_lost(false))
		tell_signal_taken();
}

void
sampling_end(int signal)
{
	uint32_t i;

	if (signal == HARMLESS_SIGNAL)
		events_end();
	if (signal != sample_signal || atomic_exchange(&ended, true))
		return;
	for (i = 0; i < runtime.nr_slots; i++)
		stop_timer(&runtime.slots[i]);
	if (samples())
		tell_signal_taken();
}

/* ---- timers ---- */

/* When the first sample is due. Expiries are noticed at the kernel's next tick; a thread that lives
 * shorter than the interval must get its share, too: on average a sample for each interval. */
static long
first_expiry(const struct slot *s)
{
	struct timespec now, tick;
	uint64_t random;
	long due;

	kernel(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	kernel(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, &tick);
	random = ((uint64_t)now.tv_nsec + (uint64_t)s->tid) * 0x9e3779b97f4a7c15u >> 40;
	due = (long)((__uint128_t)random * (uint64_t)runtime.interval_ns >> 24);
	if (runtime.interval_ns <= tick.tv_nsec)
		due = 0;
	due -= tick.tv_nsec / 2;
	return due > 0 ? due : 1;
}

/* A timer on S's thread's CLOCK. Another thread may stop it meanwhile. */
static void
arm(struct slot *s, clockid_t clock)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = sample_signal,
				 .sigev_value.sival_ptr = &runtime};
	struct itimerspec when = {
		.it_interval = {runtime.interval_ns / 1000000000, runtime.interval_ns % 1000000000},
	};
	long due = first_expiry(s);
	int timer;

	when.it_value = (struct timespec){due / 1000000000, due % 1000000000};
	event.sigev_notify_thread_id = s->tid;
	if (kernel(SYS_timer_create, clock, &event, &timer) < 0) {
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_NO_TIMER);
		return;
	}
	kernel(SYS_timer_settime, timer, 0, &when, NULL);
	atomic_store(&s->timer, timer);
	if (has_ended() || s->state == SLOT_ENDING)
		stop_timer(s);
}

void
sampling_start(struct slot *s)
{
	s->timer = -1;
	s->walk_ns = s->walk_after = s->left_out = 0;
	if (samples() && !runtime_closed() && !has_ended()) {
		sampling_look_after();
		arm(s, CLOCK_THREAD_CPUTIME_ID);
	}
	if (!runtime_closed()) {
		events_start(s);
		begin_telling(s);
	}
}

void
sampling_stop(struct slot *s)
{
	stop_timer(s);
	events_stop(s);
}

/* ---- another signal ---- */

/* Does the thread TID block SIGNAL? If nobody knows, it does. */
static bool
blocks(pid_t tid, int signal)
{
	static const char begin[] = "\nSigBlk:\t";
	char text[4096], *p;
	uint64_t mask = 0;
	size_t at;
	long n;
	int fd;

	at = add_text(text, sizeof(text), 0, "/proc/self/task/");
	at = add_number(text, sizeof(text), at, (unsigned long)tid);
	add_text(text, sizeof(text), at, "/status");
	fd = (int)kernel(SYS_openat, AT_FDCWD, text, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : kernel(SYS_read, fd, text, sizeof(text) - 1);
	if (fd >= 0)
		kernel(SYS_close, fd);
	p = n > 0 ? memmem(text, (size_t)n, begin, sizeof(begin) - 1) : NULL;
	if (!p)
		return true;
	text[n] = '\0';
	for (p += sizeof(begin) - 1; *p >= '0'; p++)
		mask = mask << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
	return mask >> (signal - 1) & 1;
}

static void
change_timer(struct slot *s)
{
	bool mine = s == slot_self();

	if (s->timer < 0)
		return;
	stop_timer(s);
	/* Nobody can unblock it from outside: pending, it would end what waits there. */
	if (!mine && blocks(s->tid, sample_signal))
		tell_signal_taken();
	else
		arm(s, mine ? CLOCK_THREAD_CPUTIME_ID : (clockid_t)(~(uint32_t)s->tid << 3 | 6));
}

void
sampling_beware(void)
{
	uint32_t i;

	if (!runtime.enters_kernel || sample_signal == HARMLESS_SIGNAL || has_ended())
		return;
	signals_own_sample(HARMLESS_SIGNAL, on_sample);
	for (i = 0; i < runtime.nr_slots; i++)
		change_timer(&runtime.slots[i]);
}
