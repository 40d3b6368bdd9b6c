/* Sampling: one CPU-time timer a thread; the handler notes where the thread is and who called. */
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* SIGPROF may belong to the program. This one is at the end that nobody counts from. */
#define SAMPLE_SIGNAL (SIGRTMAX - 3)
enum { CHUNK = 256 * 1024, SCAN_WORDS = 1024 };

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* ---- the stack ---- */

struct walk {
	const struct slot *slot;
	uintptr_t lo, hi;       /* readable: lo <= address < hi */
	uint64_t *frames;
	unsigned nr;
	bool guessed, cut;
};

static bool
in_profiled_text(uint64_t pc)
{
	uint32_t i, n = atomic_load_explicit(&runtime.nr_modules, memory_order_acquire);

	for (i = 0; i < n; i++)
		if (pc >= runtime.modules[i].text_start && pc < runtime.modules[i].text_end)
			return true;
	return false;
}

static bool
readable(const struct walk *w, uintptr_t address)
{
	return address >= w->lo && address + 8 <= w->hi && !(address & 7);
}

static uint64_t
word(uintptr_t address)
{
	return *(const volatile uint64_t *)address;
}

static void
push_frame(struct walk *w, uint64_t address)
{
	if (w->nr < RAW_MAX_FRAMES)
		w->frames[w->nr++] = address;
	else
		w->cut = true;
}

/* Does a call instruction end at ADDRESS? Profiled text is readable. */
static bool
behind_call(uint64_t address)
{
	const unsigned char *p = (const unsigned char *)address;

	return p[-5] == 0xe8 || (p[-2] == 0xff && (p[-1] & 0x38) == 0x10) ||
	       (p[-3] == 0xff && (p[-2] & 0x38) == 0x10) || (p[-6] == 0xff && (p[-5] & 0x38) == 0x10) ||
	       (p[-4] == 0xff && (p[-3] & 0x38) == 0x10) || (p[-7] == 0xff && (p[-6] & 0x38) == 0x10);
}

/* Frames that were pushed below `above` are not taken again. */
static void
walk_frame_pointers(struct walk *w, uintptr_t fp, uintptr_t above)
{
	uintptr_t next;

	while (readable(w, fp) && readable(w, fp + 8)) {
		if (fp + 8 > above)
			push_frame(w, word(fp + 8));
		next = word(fp);
		if (next <= fp || w->cut)
			return;
		fp = next;
	}
}

/* At a procedure's first instructions and at its return the frame pointer is still (or again) the
 * caller's: the return address lies at the top of the stack. 0: the frame is complete. */
static uintptr_t
unframed_return(uint64_t pc, uintptr_t sp)
{
	static const unsigned char entry[] = { 0xf3, 0x0f, 0x1e, 0xfa }, set[] = { 0x48, 0x89, 0xe5 };
	const unsigned char *p = (const unsigned char *)pc;

	if (*p == 0x55 || *p == 0xc3 || !memcmp(p, entry, sizeof(entry)))
		return sp;
	if (p[-1] == 0x55 && !memcmp(p, set, sizeof(set)))
		return sp + 8;
	return 0;
}

static void
walk_from_profiled(struct walk *w, uint64_t pc, uintptr_t sp, uintptr_t fp)
{
	uintptr_t at = unframed_return(pc, sp);

	if (at && readable(w, at))
		push_frame(w, word(at));
	walk_frame_pointers(w, fp, at);
}

/* In a library without frame pointers: the nearest word on the stack that a call in profiled code
 * left there is taken for the profiled caller; the frame pointer, which such libraries mostly leave
 * alone, leads on from it. */
static void
walk_from_foreign(struct walk *w, uintptr_t sp, uintptr_t fp)
{
	uintptr_t at, end = sp + SCAN_WORDS * 8;

	w->guessed = true;
	for (at = sp; at < end && readable(w, at); at += 8) {
		uint64_t value = word(at);

		if (in_profiled_text(value) && in_profiled_text(value - 8) && behind_call(value)) {
			push_frame(w, value);
			walk_frame_pointers(w, fp, at);
			return;
		}
	}
	walk_frame_pointers(w, fp, 0);
}

static void
walk_stack(struct walk *w, const ucontext_t *context)
{
	const greg_t *regs = context->uc_mcontext.gregs;
	uint64_t pc = (uint64_t)regs[REG_RIP];
	uintptr_t sp = (uintptr_t)regs[REG_RSP], fp = (uintptr_t)regs[REG_RBP];

	w->lo = sp & ~(uintptr_t)7;
	if (sp >= w->slot->stack_lo && sp < w->slot->stack_hi)
		w->hi = w->slot->stack_hi;
	else    /* a stack of the program's own making: what is left of this page is there */
		w->hi = page_up(sp + 1);
	push_frame(w, pc);
	if (in_profiled_text(pc))
		walk_from_profiled(w, pc, sp, fp);
	else
		walk_from_foreign(w, w->lo, fp);
}

/* ---- storing ---- */

static struct raw_extent *
chunk_with_room(struct slot *s, size_t room)
{
	struct extent_request r = { .kind = RAW_SAMPLES, .data_length = CHUNK, .map_head = true };

	if (s->samples && s->samples->used + room <= CHUNK)
		return s->samples;
	if (s->samples)
		munmap(s->samples, RAW_PAGE + CHUNK);
	r.slot = (uint32_t)(s - runtime.slots);
	s->samples = extent_new(&r);
	return s->samples;
}

static void
store(struct slot *s, const struct walk *w, uint64_t cpu_ns)
{
	struct raw_sample head = {
		.tid = (uint32_t)s->tid, .nr_frames = (uint16_t)w->nr, .cpu_ns = cpu_ns,
		.flags = (uint16_t)((w->cut ? RAW_STACK_CUT : 0) | (w->guessed ? RAW_STACK_GUESS : 0)),
	};
	size_t size = sizeof(head) + w->nr * 8;
	struct raw_extent *e = chunk_with_room(s, size);
	char *at;

	if (!e) {
		atomic_fetch_add((_Atomic uint64_t *)&runtime.head->lost_samples, 1);
		return;
	}
	at = (char *)e + RAW_PAGE + e->used;
	memcpy(at, &head, sizeof(head));
	memcpy(at + sizeof(head), w->frames, w->nr * 8);
	atomic_store_explicit((_Atomic uint64_t *)&e->used, e->used + size, memory_order_release);
	if (s->record) {
		s->record->cpu_ns = cpu_ns;
		s->record->nr_samples++;
	}
}

static void
on_sample(int signal, siginfo_t *info, void *context)
{
	struct slot *s = slot_self();
	uint64_t frames[RAW_MAX_FRAMES];
	struct walk w = { .slot = s, .frames = frames };
	int saved = errno;
	struct timespec t;

	(void)signal;
	if (!s || !runtime.active || info->si_code != SI_TIMER)
		return;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	walk_stack(&w, context);
	store(s, &w, (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
	errno = saved;
}

/* ---- timers ---- */

void
sampling_install(void)
{
	struct sigaction action = { .sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };

	if (runtime.interval_ns > 0)
		sigaction(SAMPLE_SIGNAL, &action, NULL);
}

void
sampling_start(struct slot *s)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SAMPLE_SIGNAL };
	struct itimerspec when = {
		.it_interval = { runtime.interval_ns / 1000000000, runtime.interval_ns % 1000000000 },
	};

	s->timer = -1;
	if (runtime.interval_ns <= 0)
		return;
	when.it_value = when.it_interval;
	event.sigev_notify_thread_id = s->tid;
	if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &s->timer) < 0) {
		s->timer = -1;
		return;
	}
	syscall(SYS_timer_settime, s->timer, 0, &when, NULL);
}

void
sampling_stop(struct slot *s)
{
	if (s->timer >= 0)
		syscall(SYS_timer_delete, s->timer);
	s->timer = -1;
}
