/* Events that the kernel counts (perf_event_open(2)): the thread gets a signal at each of them, or
 * each hundredth when there are many, and takes a sample. The signal comes when the kernel is about
 * to go back to the program, so the program is where the event happened; no call that waits is
 * ended, as what happens within the kernel is not counted.
 *
 * One of them is a clock, finer than the timers of sample.c, that runs in the program only. What
 * the kernel does for the program it does not see: which of both counts, the importer decides.
 *
 * The event lives as long as one page of it is mapped. Its descriptor is open for some microseconds
 * only, most of them under a high number. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <ucontext.h>

/* So many samples of a source a program and its children take of each event; then of each
 * PERIOD-th. */
enum { EACH = 4096, PERIOD = 100 };

/* The clock's stages. What a sample costs is the machine's affair: nearly all of it is the
 * kernel's interrupt and signal, 7 us here and 40 there, both on virtual machines. So the first
 * LOOKS samples, at twice the rate that was asked for, measure it; from then on the rate is so many
 * TIMES that, but no more than makes the samples COST per mille of the time, for as long as SAMPLES
 * at the full rate take the program and its children; at the end, what was asked for. Where nobody
 * asked, that is no more than takes END_COST per mille, but each LONGEST (ns) at least. That is all
 * there is, too, where BLIND samples have not told: no second page may be locked. No period is
 * below SHORTEST (ns): the program would hardly get on. All are shorter by one PACE-th, lest the
 * clock keeps step with the kernel's ticks, or with what the program does each millisecond. LOOKS
 * is more than short_runs.c calls enough: the samples of a run that has fewer stand for as much. */
static const struct stage { uint32_t times, samples, cost; } stages[] = {
	{10, 1000, 50},
	{4, 3600, 25},
	{2, 20000, 10},
};
enum { LOOKS = 32, BLIND = 400, PATIENCE = 1000, PACE = 256 };
enum { SHORTEST = 100000, SHORTEST_FIRST = 10000, LONGEST = 4000000, END_COST = 16 };

/* The handler cannot see the way into the interrupt, nor that back to the program. So behind the
 * last look a thread waits for TRIALS samples itself, SHORTEST from one to the next, and looks for
 * how long it stood still: these are samples in the runtime's code, as good as others. On its own
 * stack alone, and where there is ROOM on it. */
enum { TRIALS = 5, ROOM = 128 << 10, MOST_TURNS = 100000 };

struct trials {
	struct slot *_Atomic of; /* that makes them, NULL: nobody */
	volatile uint32_t nr;	 /* samples until now */
	volatile uint32_t seen;	 /* ns that the last one's handler saw */
};

/* What it takes to walk through deep stacks, which come and go, has no stages: at any time it makes
 * the period so long that it is no more than so many per mille of the time. */
enum { WALKS_COST = 25 };

/* A record of the event's, in the page behind the one that keeps it alive: nothing but when. */
struct look { struct perf_event_header head; uint64_t ns; };

/* The first thread of a program is still in the runtime's own start, and then in libc's, for so
 * long (ns). Until its first sample the clock comes again and again, each time after as long as the
 * first time, and in the kernel, where a short program is most of the time, for nothing: an
 * interrupt each 10 us was what cost most of all at the start. */
enum { SHORTEST_AT_START = 50000 };

/* A first sample can be due so soon (ns) that the kernel has no time for anything but that event
 * until its signal is let in: the event stops by itself behind so many. More than one, as each may
 * find a signal of another event that is pending, and be lost. */
enum { SOON = 100000, FIRST_SAMPLES = 16 };

static struct raw_events *told;	 /* in the file; children go on with it */
static _Atomic uint32_t sources; /* that threads begin with, a bit each, and CLOCK_SOURCE's */
static _Atomic uint32_t opened;	 /* that some thread has had */
static _Atomic uint32_t looks;	 /* at how long a sample takes, of this process and those above */
static _Atomic uint32_t look_ns[LOOKS];
static _Atomic uint32_t usual_ns; /* the median of that; 0: not known yet */
static _Atomic uint32_t unseen_ns; /* that it takes beyond that; 0: nobody has tried */
static struct trials trials;
static _Atomic uint64_t walk_mean_ns, walk_ns; /* of a deep stack; for which the period is made */

/* ---- opening ---- */

static uint64_t
most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool
is_looking(void)
{
	return !atomic_load(&usual_ns);
}

/* What the program lacks by one sample: a third more than it stands still, as it then has to warm
 * up (10 us where that was 7.5). Where nobody has tried, what is not seen is as much as what is. */
static uint64_t
cost_ns(void)
{
	uint64_t usual = atomic_load(&usual_ns), unseen = atomic_load(&unseen_ns);

	return unseen ? (usual + unseen) * 4 / 3 : usual * 2;
}

/* How long until the next sample, in the long run. */
static uint64_t
last_period(void)
{
	uint64_t asked = (uint64_t)runtime.interval_ns;
	uint64_t dear = is_looking() ? LONGEST / 2 : cost_ns() * 1000 / END_COST;

	if (runtime.rate_asked || asked >= LONGEST)
		return asked;
	return most(asked, dear < LONGEST ? dear : LONGEST);
}

/* How long until the next sample, when TAKEN samples were. */
static uint64_t
period_at(uint32_t taken)
{
	uint64_t asked = (uint64_t)runtime.interval_ns, last = last_period(), period;
	uint64_t until = LOOKS;

	if (is_looking())
		return taken < BLIND ? asked / 2 : last;
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		const struct stage *g = &stages[i];

		period = most(asked / g->times, cost_ns() * 1000 / g->cost);
		if (period >= last)
			break;
		period = most(period, SHORTEST);
		until += g->samples * (asked / g->times) / period;
		if (taken < until)
			return period;
	}
	return last;
}

static uint32_t
period_of_clock(void)
{
	uint32_t taken = atomic_load((_Atomic uint32_t *)&runtime.head->clock_samples);
	uint64_t period = most(most(period_at(taken), SHORTEST),
			       atomic_load(&walk_ns) * 1000 / WALKS_COST);

	period -= period / PACE;
	return (uint32_t)(period < UINT32_MAX / 2 ? period : UINT32_MAX / 2);
}

static uint32_t
period_of(const struct slot *s, int source)
{
	if (source == CLOCK_SOURCE)
		return atomic_load(&trials.of) == s ? SHORTEST : period_of_clock();
	return atomic_load((_Atomic uint64_t *)&told->sources[source].taken) < EACH ? 1 : PERIOD;
}

static bool
names_another(const struct slot *s, int source, int fd)
{
	for (int i = 0; i < NR_SLOT_EVENTS; i++)
		if (i != source && s->events[i].fd == fd)
			return true;
	return false;
}

/* Signals name the event by its descriptor's number: those of the other sources must differ. */
static int
move_up(const struct slot *s, int source, int fd)
{
	int up = file_move_up(fd), next;

	if (up < 0) {
		kernel(SYS_close, fd);
		errno = EMFILE; /* and not that the number is invalid, as the limit is lower */
	}
	while (up >= 0 && names_another(s, source, up)) {
		next = (int)kernel(SYS_fcntl, up, F_DUPFD_CLOEXEC, up + 1);
		kernel(SYS_close, up);
		up = next;
	}
	return up;
}

static void
close_event(struct slot_event *e)
{
	void *page = atomic_exchange(&e->page, NULL);

	/* That of another thread, which stands there for a moment; or did when it vanished in a
	 * fork(2): then the page, which is not in the child, is no loss. */
	for (int i = 0; i < PATIENCE && atomic_load(&e->peeks); i++)
		kernel(SYS_sched_yield);
	if (page && !atomic_load(&e->peeks))
		sys_munmap(page, e->looks ? 2 * RAW_PAGE : RAW_PAGE);
}

/* E gets the event that FD is, which counts already unless it is DISABLED. False: it cannot be had,
 * errno says why. */
static bool
begin(struct slot_event *e, int fd, bool disabled)
{
	struct f_owner_ex owner = {F_OWNER_TID, (pid_t)kernel(SYS_gettid)};
	void *page;

	if (kernel(SYS_fcntl, fd, F_SETOWN_EX, &owner) ||
	    kernel(SYS_fcntl, fd, F_SETSIG, HARMLESS_SIGNAL))
		return false;
	page = e->looks ? sys_mmap(NULL, 2 * RAW_PAGE, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	e->looks = page != MAP_FAILED;
	if (!e->looks)
		page = sys_mmap(NULL, RAW_PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return false;
	e->before = e->fd;
	e->fd = fd;
	atomic_store(&e->page, page);
	/* From here on there are signals, which must find all this. */
	if (kernel(SYS_fcntl, fd, F_SETFL, O_ASYNC)) {
		close_event(e);
		return false;
	}
	if (disabled && e->renew)
		kernel(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, FIRST_SAMPLES);
	else if (disabled)
		kernel(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0);
	return true;
}

static uint32_t
random_up_to(uint32_t most, const struct slot *s)
{
	uint64_t seed = clock_ns(CLOCK_MONOTONIC) + (uint64_t)s->tid;

	return 1 + (uint32_t)(seed * 0x9e3779b97f4a7c15u >> 32) % most;
}

/* When the first sample of S is due. When it is one of many, that is after a random number of
 * them, lest threads that have few never have one. A clock that goes on at another rate is in no
 * step with the program. */
static uint32_t
first_of(const struct slot *s, int source, uint32_t period)
{
	const struct slot_event *e = &s->events[source];

	if (source != CLOCK_SOURCE)
		return e->period == period ? period : random_up_to(period, s);
	if (e->period)
		return period;
	return (runtime.reserved ? SHORTEST_AT_START : SHORTEST_FIRST) + random_up_to(period, s);
}

static struct perf_event_attr
clock_attr(uint64_t first)
{
	struct perf_event_attr attr = event_attr(EVENT_MINOR_FAULT, first);

	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.sample_type = PERF_SAMPLE_TIME;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return attr;
}

/* The calling thread, S, gets an event of SOURCE. Behind a first sample of another period, the
 * event is opened once more. */
static bool
open_event(struct slot *s, int source)
{
	struct slot_event *e = &s->events[source];
	uint32_t period = period_of(s, source);
	uint32_t first = first_of(s, source, period);
	struct perf_event_attr attr;
	bool done = false;
	int fd;

	attr = source == CLOCK_SOURCE ? clock_attr(first)
				      : event_attr((enum event_source)source, first);
	/* To let an event count later takes the kernel as long as to open it. Before its signal can
	 * come, none is due. */
	if (source == CLOCK_SOURCE && first >= SOON)
		attr.disabled = 0;
	fd = (int)kernel(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		fd = move_up(s, source, fd);
	e->period = period;
	e->renew = first != period;
	e->looks = source == CLOCK_SOURCE && !e->renew &&
		   (is_looking() || atomic_load(&trials.of) == s);
	if (fd >= 0) {
		done = begin(e, fd, attr.disabled);
		kernel(SYS_close, fd);
	}
	return done;
}

static void
flag(uint64_t flags)
{
	atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, flags);
}

/* What nobody could open so far, nobody tries again. */
static void
cannot_open(int source, int error)
{
	bool some = atomic_load(&opened) >> source & 1;

	if (!some)
		atomic_fetch_and(&sources, ~(1u << source));
	if (source == CLOCK_SOURCE)
		flag(some ? RAW_CLOCK_MISSING : (uint64_t)error << RAW_CLOCK_ERROR);
	else if (some)
		atomic_fetch_add((_Atomic uint64_t *)&told->sources[source].missing, 1);
	else
		told->sources[source].error = (uint32_t)error;
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
	for (i = 0; i < NR_SLOT_EVENTS; i++) {
		close_event(&s->events[i]); /* of a thread that ended unseen */
		s->events[i].period = 0;
		s->events[i].due = false;
		s->events[i].owed = 0;
		if (wanted >> i & 1)
			try_event(s, i);
	}
}

void
events_stop(struct slot *s)
{
	for (int i = 0; i < NR_SLOT_EVENTS; i++)
		close_event(&s->events[i]);
}

void
events_forget(struct slot *s)
{
	for (int i = 0; i < NR_SLOT_EVENTS; i++)
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
	if (wanted >> CLOCK_SOURCE & 1)
		flag(RAW_CLOCK_ENDED);
}

/* ---- what comes ---- */

/* Signals are blocked while libc makes a thread: what it caused meanwhile comes when the runtime's
 * call that lets them in ends. Another call lets in what the runtime caused itself. */
static bool
was_blocked(const unsigned char *pc)
{
	return pc[-2] == 0x0f && pc[-1] == 0x05 && pc != signals_let_in; /* syscall */
}

/* Did it happen for the profile's sake? Within the runtime, or as a counter's page was not yet
 * there: nothing but counting has this prefix. */
static bool
is_own(const ucontext_t *context)
{
	enum { GS_PREFIX = 0x65 };
	const unsigned char *pc = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];

	if (in_runtime_text((uint64_t)pc) && !was_blocked(pc))
		return true;
	return runtime_holds_lock() || (in_profiled_text((uint64_t)pc) && *pc == GS_PREFIX);
}

/* The source of S that INFO is from; -1: none. */
static int
source_of(const struct slot *s, const siginfo_t *info)
{
	int i;

	if (info->si_code != POLL_IN && info->si_code != POLL_HUP) /* HUP: it stopped */
		return -1;
	for (i = NR_SLOT_EVENTS - 1; i >= 0 && s->events[i].fd != info->si_fd; i--)
		;
	if (i < 0)
		for (i = NR_SLOT_EVENTS - 1; i >= 0 && s->events[i].before != info->si_fd; i--)
			;
	return i;
}

/* When E's latest sample was due; 0: it is not known. */
static uint64_t
due_ns(struct slot_event *e)
{
	const struct perf_event_mmap_page *page;
	const struct look *l;
	uint64_t at, ns = 0;

	atomic_store(&e->peeks, true); /* and then looks whether it is still there: events_end() */
	page = atomic_load(&e->page);
	at = page ? (page->data_head - sizeof(*l)) % RAW_PAGE : RAW_PAGE;
	if (at <= RAW_PAGE - sizeof(*l)) {
		l = (const void *)((const char *)page + RAW_PAGE + at);
		ns = l->head.type == PERF_RECORD_SAMPLE ? l->ns : 0;
	}
	atomic_store(&e->peeks, false);
	return ns;
}

/* How long did the sample of E take until now, from the interrupt on? 0: that is not known. */
static uint32_t
took_ns(struct slot_event *e)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), due = due_ns(e);

	return !due || due >= now || now - due > UINT32_MAX ? 0 : (uint32_t)(now - due);
}

static void
tell_cost(void)
{
	atomic_store((_Atomic uint32_t *)&runtime.head->sample_cost_ns, (uint32_t)cost_ns());
}

/* The median of what was seen, as on a busy machine one look in some takes milliseconds. What
 * another thread has not written yet is 0, and left out. */
static uint32_t
median_look(void)
{
	uint32_t sorted[LOOKS], nr = 0, at;

	for (uint32_t i = 0; i < LOOKS; i++) {
		uint32_t ns = atomic_load(&look_ns[i]);

		if (!ns)
			continue;
		for (at = nr++; at && sorted[at - 1] > ns; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = ns;
	}
	return sorted[nr / 2];
}

/* True: this was the last look. */
static bool
look(struct slot_event *e)
{
	uint32_t ns = took_ns(e), nr;

	nr = ns ? atomic_fetch_add(&looks, 1) : LOOKS;
	if (nr >= LOOKS)
		return false;
	atomic_store(&look_ns[nr], ns);
	if (nr != LOOKS - 1)
		return false;
	atomic_store(&usual_ns, median_look());
	tell_cost();
	return true;
}

/* Waits for the next sample; returns for how long the processor's counter says that nothing was
 * done here, 0: none came. */
static uint64_t
stood_still(void)
{
	uint32_t nr = trials.nr;
	uint64_t before = __builtin_ia32_rdtsc(), now = before;

	for (int i = 0; i < MOST_TURNS && nr == trials.nr; i++) {
		before = now;
		now = __builtin_ia32_rdtsc();
	}
	/* It may have come between the two. */
	return nr == trials.nr ? 0 : __builtin_ia32_rdtsc() - before;
}

static void
sort(uint32_t *v, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned k = i; k && v[k - 1] > v[k]; k--) {
			uint32_t other = v[k];

			v[k] = v[k - 1];
			v[k - 1] = other;
		}
}

/* The median of what is not seen of a sample, by TRIALS of them. */
static uint32_t
try_samples(void)
{
	uint64_t from = __builtin_ia32_rdtsc(), ns = clock_ns(CLOCK_MONOTONIC), still[TRIALS];
	uint32_t seen[TRIALS], unseen[TRIALS];
	unsigned n = 0, i;

	for (i = 0; i < TRIALS; i++) {
		still[n] = stood_still();
		seen[n] = trials.seen;
		n += still[n] && seen[n];
	}
	ns = clock_ns(CLOCK_MONOTONIC) - ns;
	from = __builtin_ia32_rdtsc() - from;
	for (i = 0; i < n; i++) {
		uint64_t all = (uint64_t)((double)still[i] * (double)ns / (double)(from + !from));

		unseen[i] = all > seen[i] ? (uint32_t)(all - seen[i]) : 1;
	}
	sort(unseen, n);
	return n ? unseen[n / 2] : 0;
}

/* S's stack is known, this is on it, and the handler of another signal has room there. */
static bool
may_try(const struct slot *s)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	return here < s->stack_hi && here > s->stack_lo && here - s->stack_lo > ROOM;
}

/* Once, in the handler: the clock's signal is let in meanwhile, and no other one. */
static void
try_clock(struct slot *s)
{
	uint64_t set = (uint64_t)1 << (HARMLESS_SIGNAL - 1);
	uint32_t unseen = 0;

	if (!may_try(s))
		return;
	atomic_store(&trials.of, s);
	close_event(&s->events[CLOCK_SOURCE]);
	if (open_event(s, CLOCK_SOURCE)) {
		kernel(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, NULL, sizeof(set));
		unseen = try_samples();
		kernel(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, sizeof(set));
	}
	atomic_store(&trials.of, NULL);
	atomic_store(&unseen_ns, unseen);
	tell_cost();
}

static void
take_time(struct slot *s, struct slot_event *e, const void *context)
{
	atomic_fetch_add((_Atomic uint32_t *)&runtime.head->clock_samples, 1);
	sampling_take(s, context, RAW_CLOCK, e->period);
	if (atomic_load(&trials.of) == s) {
		trials.seen = took_ns(e);
		trials.nr++;
	} else if (e->looks && is_looking() && look(e)) {
		try_clock(s);
	}
}

/* Another period is another event: it changes when it must, and not with each sample. */
void
events_walked(uint64_t took)
{
	uint64_t mean = atomic_load(&walk_mean_ns), now = atomic_load(&walk_ns);

	if (!took && !mean)
		return;
	mean = mean_with(mean, took);
	atomic_store(&walk_mean_ns, mean);
	if (mean > now || mean < now / 4)
		atomic_store(&walk_ns, mean / 2 * 3);
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
	if (!runtime.active || !atomic_load(&e->page) || info->si_fd != e->fd)
		return true; /* it has been stopped meanwhile */
	if (source == CLOCK_SOURCE)
		take_time(s, e, context);
	e->due = e->renew || e->period != period_of(s, source);
	if (source == CLOCK_SOURCE)
		return true;
	/* Of those that it ends the others were the program's: the next sample stands for them. */
	if (is_own(context)) {
		e->owed += e->period - 1;
		return true;
	}
	atomic_fetch_add((_Atomic uint64_t *)&told->sources[source].taken, 1);
	if (!sample_store(s, context,
			  &(struct raw_sample){
				  .flags = (uint16_t)(RAW_EVENT | source << RAW_SOURCE_SHIFT),
				  .amount = e->period + e->owed}))
		atomic_fetch_add((_Atomic uint64_t *)&told->sources[source].lost, 1);
	e->owed = 0;
	return true;
}

/* Closes what S is to have another event of, a bit each. An event that has not yet had its first
 * sample stays. */
static uint32_t
close_old(struct slot *s)
{
	uint32_t old = 0;

	for (int i = 0; i < NR_SLOT_EVENTS; i++) {
		struct slot_event *e = &s->events[i];

		if (!e->due || !atomic_load(&e->page))
			continue;
		e->due = false;
		close_event(e);
		old |= 1u << i;
	}
	return old;
}

bool
events_settle(siginfo_t *next)
{
	const struct timespec at_once = {0, 0};
	uint64_t set = (uint64_t)1 << (HARMLESS_SIGNAL - 1);
	struct slot *s = slot_self();
	uint32_t old;
	bool foreign;

	if (!s || runtime_closed() || !atomic_load(&sources))
		return false;
	/* What is pending then has a number that is still known. */
	old = close_old(s);
	if (!old && atomic_load(&sources) == 1u << CLOCK_SOURCE) /* which counts no own faults */
		return false;
	foreign = kernel(SYS_rt_sigtimedwait, &set, next, &at_once, sizeof(set)) > 0 &&
		  source_of(s, next) < 0;
	for (int i = 0; i < NR_SLOT_EVENTS; i++)
		if (old >> i & 1)
			try_event(s, i);
	return foreign;
}

/* ---- start ---- */

/* A filter of system calls may end the process for one that it does not know: where there is one
 * already, it is not asked. */
static bool
is_filtered(void)
{
	return kernel(SYS_prctl, PR_GET_SECCOMP) > 0;
}

/* Tells in the file why there is no clock, if there is none. */
static bool
wants_clock(bool clock)
{
	if (!runtime.interval_ns)
		return false;
	if (!clock)
		flag(RAW_CLOCK_OFF);
	else if (is_filtered())
		flag((uint64_t)EPERM << RAW_CLOCK_ERROR);
	else
		return true;
	return false;
}

static uint32_t
tell_asked(uint32_t asked)
{
	struct extent_request r = {
		.kind = RAW_EVENTS, .data_length = sizeof(*told), .map_head = true};
	struct raw_extent *e = asked ? extent_new(&r) : NULL;

	if (!e)
		return 0;
	told = (struct raw_events *)((char *)e + RAW_PAGE);
	told->asked = asked;
	told->nr_sources = NR_EVENT_SOURCES;
	e->used = sizeof(*told);
	return events_sources(asked);
}

void
events_install(uint32_t asked, bool clock)
{
	uint32_t wanted = tell_asked(asked);

	if (wants_clock(clock))
		wanted |= 1u << CLOCK_SOURCE;
	if (wanted)
		signals_own_event(HARMLESS_SIGNAL, take);
	atomic_store(&sources, wanted);
}
