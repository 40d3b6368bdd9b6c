/* Events that the kernel counts (perf_event_open(2)): the thread gets a signal at each of them, or
 * each hundredth when there are many, and takes a sample. The signal comes when the kernel is about
 * to go back to the program, so the program is where the event happened; no call that waits is
 * ended, as what happens within the kernel is not counted.
 *
 * The event lives as long as one page of it is mapped. Its descriptor is open for some microseconds
 * only, most of them under a high number. */
#include "runtime.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <ucontext.h>

/* So many samples of a source a program and its children take of each event; then of each
 * PERIOD-th. */
enum { EACH = 4096, PERIOD = 100 };

static struct raw_events *told;	 /* in the file; children go on with it */
static _Atomic uint32_t sources; /* that threads begin with, a bit each */
static _Atomic uint32_t opened;	 /* that some thread has had */

/* ---- opening ---- */

static uint32_t
period_of(int source)
{
	return atomic_load((_Atomic uint64_t *)&told->sources[source].taken) < EACH ? 1 : PERIOD;
}

/* Signals name the event by its descriptor's number: that of the other source must differ. */
static int
move_up(int fd, int other)
{
	int up = file_move_up(fd), next;

	if (up < 0)
		kernel(SYS_close, fd);
	if (up < 0 || up != other)
		return up;
	next = (int)kernel(SYS_fcntl, up, F_DUPFD_CLOEXEC, up + 1);
	kernel(SYS_close, up);
	return next;
}

/* E gets the event that FD is. False: it cannot be had, errno says why. */
static bool
begin(struct slot_event *e, int fd)
{
	struct f_owner_ex owner = {F_OWNER_TID, (pid_t)kernel(SYS_gettid)};
	void *page;

	if (kernel(SYS_fcntl, fd, F_SETOWN_EX, &owner) ||
	    kernel(SYS_fcntl, fd, F_SETSIG, HARMLESS_SIGNAL) ||
	    kernel(SYS_fcntl, fd, F_SETFL, O_ASYNC))
		return false;
	page = sys_mmap(NULL, RAW_PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return false;
	e->fd = fd;
	atomic_store(&e->page, page);
	kernel(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0);
	return true;
}

static uint32_t
random_up_to(uint32_t most, const struct slot *s)
{
	uint64_t seed = clock_ns(CLOCK_MONOTONIC) + (uint64_t)s->tid;

	return 1 + (uint32_t)(seed * 0x9e3779b97f4a7c15u >> 40) % most;
}

/* The calling thread, S, gets an event of SOURCE. When a sample is one of many, the first is due
 * after a random number of them, lest threads that have few never have one; behind it, the event is
 * opened once more. */
static bool
open_event(struct slot *s, int source)
{
	struct slot_event *e = &s->events[source];
	uint32_t period = period_of(source);
	uint32_t first = e->period == period ? period : random_up_to(period, s);
	struct perf_event_attr attr;
	bool done = false;
	int fd;

	attr = event_attr((enum event_source)source, first);
	fd = (int)kernel(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		fd = move_up(fd, s->events[!source].fd);
	e->period = period;
	e->renew = first != period;
	if (fd >= 0) {
		done = begin(e, fd);
		kernel(SYS_close, fd);
	}
	return done;
}

static void
close_event(struct slot_event *e)
{
	void *page = atomic_exchange(&e->page, NULL);

	if (page)
		sys_munmap(page, RAW_PAGE);
}

/* What nobody could open so far, nobody tries again. */
static void
cannot_open(int source, int error)
{
	struct raw_source *t = &told->sources[source];

	if (atomic_load(&opened) >> source & 1) {
		atomic_fetch_add((_Atomic uint64_t *)&t->missing, 1);
		return;
	}
	t->error = (uint32_t)error;
	atomic_fetch_and(&sources, ~(1u << source));
}

static void
try_event(struct slot *s, int source)
{
	if (open_event(s, source))
		atomic_fetch_or(&opened, 1u << source);
	else
		cannot_open(source, errno);
}

void
events_start(struct slot *s)
{
	uint32_t wanted = atomic_load(&sources);
	int i;

	if (!wanted)
		return;
	signals_let_in(HARMLESS_SIGNAL);
	for (i = 0; i < NR_EVENT_SOURCES; i++) {
		close_event(&s->events[i]); /* of a thread that ended unseen */
		s->events[i].period = 0;
		if (wanted >> i & 1)
			try_event(s, i);
	}
}

void
events_stop(struct slot *s)
{
	for (int i = 0; i < NR_EVENT_SOURCES; i++)
		close_event(&s->events[i]);
}

void
events_forget(struct slot *s)
{
	for (int i = 0; i < NR_EVENT_SOURCES; i++)
		s->events[i] = (struct slot_event){.fd = 0};
}

void
events_end(void)
{
	uint32_t wanted = atomic_exchange(&sources, 0), i;

	for (i = 0; i < runtime.nr_slots; i++)
		events_stop(&runtime.slots[i]);
	for (i = 0; i < NR_EVENT_SOURCES; i++)
		if (wanted >> i & 1)
			told->sources[i].ended = 1;
}

/* ---- what comes ---- */

/* The runtime's code has a section of its own (Makefile). */
extern HIDDEN const unsigned char __start_cgview_rt[], __stop_cgview_rt[];

/* Signals are blocked while libc makes a thread: what it caused meanwhile comes when the runtime's
 * call that lets them in ends. */
static bool
was_blocked(const unsigned char *pc)
{
	return pc[-2] == 0x0f && pc[-1] == 0x05; /* syscall */
}

/* Did it happen for the profile's sake? Within the runtime, or as a counter's page was not yet
 * there: nothing but counting has this prefix. */
static bool
is_own(const ucontext_t *context)
{
	enum { GS_PREFIX = 0x65 };
	const unsigned char *pc = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];

	if (pc >= __start_cgview_rt && pc < __stop_cgview_rt && !was_blocked(pc))
		return true;
	return runtime_holds_lock() || (in_profiled_text((uint64_t)pc) && *pc == GS_PREFIX);
}

/* The source of S that INFO is from; -1: none. */
static int
source_of(const struct slot *s, const siginfo_t *info)
{
	int i;

	if (info->si_code != POLL_IN)
		return -1;
	for (i = NR_EVENT_SOURCES - 1; i >= 0 && s->events[i].fd != info->si_fd; i--)
		;
	return i;
}

static bool
take(siginfo_t *info, void *context)
{
	struct slot *s = slot_self();
	int source = s ? source_of(s, info) : -1;
	struct slot_event *e;

	if (source < 0)
		return false;
	e = &s->events[source];
	if (!runtime.active || !atomic_load(&e->page)) /* it has been stopped meanwhile */
		return true;
	if (is_own(context))
		return true;
	atomic_fetch_add((_Atomic uint64_t *)&told->sources[source].taken, 1);
	if (!sample_store(s, context,
			  &(struct raw_sample){
				  .flags = (uint16_t)(RAW_EVENT | source << RAW_SOURCE_SHIFT),
				  .amount = e->period}))
		atomic_fetch_add((_Atomic uint64_t *)&told->sources[source].lost, 1);
	return true;
}

bool
events_settle(siginfo_t *next)
{
	const struct timespec at_once = {0, 0};
	uint64_t set = (uint64_t)1 << (HARMLESS_SIGNAL - 1);
	struct slot *s = slot_self();
	bool foreign;

	if (!s || runtime_closed() || !atomic_load(&sources))
		return false;
	foreign = kernel(SYS_rt_sigtimedwait, &set, next, &at_once, sizeof(set)) > 0 &&
		  source_of(s, next) < 0;
	for (int i = 0; i < NR_EVENT_SOURCES; i++) {
		struct slot_event *e = &s->events[i];

		if (!atomic_load(&e->page) || (!e->renew && e->period == period_of(i)))
			continue;
		close_event(e);
		try_event(s, i);
	}
	return foreign;
}

/* ---- start ---- */

void
events_install(uint32_t asked)
{
	struct extent_request r = {
		.kind = RAW_EVENTS, .data_length = sizeof(*told), .map_head = true};
	struct raw_extent *e = asked ? extent_new(&r) : NULL;

	if (!e)
		return;
	told = (struct raw_events *)((char *)e + RAW_PAGE);
	told->asked = asked;
	told->nr_sources = NR_EVENT_SOURCES;
	e->used = sizeof(*told);
	signals_own_event(HARMLESS_SIGNAL, take);
	atomic_store(&sources, events_sources(asked));
}
