#include "collect/import/samples/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step of more periods is a jump of the clock, not time of the place where it is noticed. */
enum { MOST_PERIODS = 8 };
/* From so many samples on, a thread's own CPU time says more than that of all. */
enum { ENOUGH = 30 };
/* The event is believed if what it has not seen of the time is no more, in percent, above what the
 * kernel took by the timers; or no more than a few periods (which are long where stacks are deep);
 * or if there are fewer samples of the timers: their error is then the greater one. */
enum { MOST_UNSEEN = 5, FEW_PERIODS = 3, TOO_FEW = 20 };
/* A tick so soon (ns) behind when the event was due fell into the kernel's work for that one: it
 * says nothing of the program. Both clocks can keep step for the whole of a run. */
enum { SHADOW = 20000 };
/* Half a year: more is damage. */
#define MOST_CPU_NS ((uint64_t)1 << 54)

enum clock { TIMER, EVENT, NR_CLOCKS };

struct weighed_tick {
	uint32_t thread;
	enum clock clock;
	bool kernel;             /* that was at work, by the timer */
	bool shadowed;           /* by a sample of the event */
	uint64_t cpu_ns, period_ns;
	double weight;           /* before it is scaled */
};

/* Of weights: of samples that count and are the program's, of all of the timers, and of those of
 * them that are the kernel's. The last two only where it is split. */
struct sums { double program, timers, kernel; };

struct weighed_thread {
	uint32_t tid;
	uint32_t records;        /* of threads with this number */
	bool alone;              /* and the one has the figures of no other thread */
	uint64_t cpu_ns;         /* of that */
	struct { uint64_t last_ns, period_ns, samples; } of[NR_CLOCKS];
	uint64_t used;
	struct sums sums;
};

bool
weights_is_time(const struct raw_sample *s)
{
	return !(s->flags & (RAW_WAITING | RAW_EVENT | RAW_MODULES | RAW_ALLOCATED));
}

/* ---- reading ---- */

static bool
tid_equal(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct weights *)ctx)->threads[item].tid == *(const uint32_t *)key;
}

/* Returns the number of the thread TID; INDEX_NONE if it is new and not to be ADDED. */
static uint32_t
thread_of(struct weights *w, uint32_t tid, bool add)
{
	uint64_t h = hash_number(HASH_START, tid);
	uint32_t i = index_find(&w->by_tid, h, tid_equal, w, &tid);

	if (i != INDEX_NONE || !add)
		return i;
	GROW(w->threads, w->nr_threads + 1, w->threads_alloc);
	w->threads[w->nr_threads] = (struct weighed_thread){ .tid = tid };
	index_add(&w->by_tid, h, (uint32_t)w->nr_threads);
	return (uint32_t)w->nr_threads++;
}

/* What a damaged file says weighs next to nothing. */
static void
add_tick(struct weights *w, const struct raw_sample *s)
{
	bool sound = s->amount && s->amount <= MOST_CPU_NS && s->cpu_ns <= MOST_CPU_NS;
	struct weighed_tick *t;

	GROW(w->ticks, w->nr + 1, w->ticks_alloc);
	t = &w->ticks[w->nr++];
	*t = (struct weighed_tick){ .thread = thread_of(w, s->tid, true),
				    .clock = s->flags & RAW_CLOCK ? EVENT : TIMER,
				    .kernel = s->flags & RAW_IN_KERNEL && !(s->flags & RAW_CLOCK),
				    .cpu_ns = sound ? s->cpu_ns : 0,
				    .period_ns = sound ? s->amount : 1 };
}

static void
read_ticks(struct weights *w, const struct rawfile *r)
{
	struct raw_sample_reader from;

	for (size_t i = 0; i < r->nr_parts; i++) {
		if (r->parts[i].kind != RAW_SAMPLES || !r->parts[i].size)
			continue;
		raw_samples_begin(&from, r, &r->parts[i]);
		while (raw_samples_next(&from))
			if (weights_is_time(&from.sample))
				add_tick(w, &from.sample);
		raw_samples_end(&from);
	}
}

static void
add_record(struct weights *w, const struct raw_thread *t)
{
	uint64_t cpu_ns = t->cpu_ns < MOST_CPU_NS ? t->cpu_ns : 0;
	uint32_t i = thread_of(w, t->tid, false);

	if (!t->pid || t->flags & RAW_THREAD_UNSEEN)
		return;
	if (w->cpu_ns + cpu_ns < MOST_CPU_NS)
		w->cpu_ns += cpu_ns;
	if (i == INDEX_NONE)
		return;
	w->threads[i].alone = !w->threads[i].records++ && !t->more_threads && !t->more_processes;
	w->threads[i].cpu_ns = cpu_ns;
}

static void
read_records(struct weights *w, const struct rawfile *r)
{
	struct raw_thread t;

	for (size_t i = 0; i < r->nr_parts; i++)
		for (uint64_t k = 0; rawfile_thread(r, &r->parts[i], k, &t); k++)
			add_record(w, &t);
}

/* ---- which clock ---- */

/* Weighs T, of a thread whose last tick of this clock was DELTA ns before; its first one if there
 * was none. One that comes far too early was due in what the one before was for. */
static void
weigh(struct weights *w, struct weighed_tick *t, bool first, double delta)
{
	double period = (double)t->period_ns, periods = first ? 1 : floor(delta / period + 0.5);

	if (!first && t->clock == EVENT && delta > 1.5 * period)
		w->unseen_ns += delta - period;
	if (periods > MOST_PERIODS && t->clock == TIMER)
		w->jumped_ns += delta - period;
	if (periods > MOST_PERIODS || (periods < 1 && delta >= period / 4))
		periods = 1;
	t->weight = period * periods;
}

/* Did T's event fall due just before T, be it that it was not seen, as the kernel was at work? To
 * leave only those out that were would leave out more of the program's. */
static bool
is_shadowed(const struct weighed_thread *of, const struct weighed_tick *t)
{
	return of->of[EVENT].samples && t->cpu_ns >= of->of[EVENT].last_ns &&
	       (t->cpu_ns - of->of[EVENT].last_ns) % of->of[EVENT].period_ns < SHADOW;
}

static void
weigh_all(struct weights *w)
{
	for (size_t i = 0; i < w->nr; i++) {
		struct weighed_tick *t = &w->ticks[i];
		struct weighed_thread *of = &w->threads[t->thread];
		uint64_t last = of->of[t->clock].last_ns;
		bool first = !of->of[t->clock].samples || t->cpu_ns < last;

		t->shadowed = t->clock == TIMER && is_shadowed(of, t);
		weigh(w, t, first, first ? 0 : (double)(t->cpu_ns - last));
		of->of[t->clock].last_ns = t->cpu_ns;
		of->of[t->clock].period_ns = t->period_ns;
		of->of[t->clock].samples++;
	}
}

/* Adds what the event has not seen of threads behind its last tick, or that never ticked. */
static void
add_ends(struct weights *w, double period)
{
	for (size_t i = 0; i < w->nr_threads; i++) {
		const struct weighed_thread *t = &w->threads[i];
		uint64_t last = t->of[EVENT].last_ns;

		if (t->alone && t->cpu_ns > last && (double)(t->cpu_ns - last) > 1.5 * period)
			w->unseen_ns += (double)(t->cpu_ns - last);
	}
}

/* How much of the time the event may have missed, when KERNEL of TELLING samples of the timers are
 * the kernel's: that share, and its 95 % interval (Agresti and Coull). */
static double
may_miss(uint64_t kernel, uint64_t telling)
{
	double n = (double)telling + 4, p = ((double)kernel + 2) / n;

	if (telling < TOO_FEW)
		return MOST_UNSEEN / 100.0;
	return MOST_UNSEEN / 100.0 + p + 1.96 * sqrt(p * (1 - p) / n);
}

static void
choose(struct weights *w, uint64_t flags)
{
	uint64_t nr[NR_CLOCKS] = { 0 }, telling = 0, kernel = 0;
	double period[NR_CLOCKS] = { 0 }, least[NR_CLOCKS] = { INFINITY, INFINITY }, missed;

	for (size_t i = 0; i < w->nr; i++) {
		const struct weighed_tick *t = &w->ticks[i];
		bool tells = flags & RAW_KERNEL_TOLD && t->clock == TIMER && !t->shadowed;

		nr[t->clock]++;
		telling += tells;
		kernel += tells && t->kernel;
		period[t->clock] = fmax(period[t->clock], (double)t->period_ns);
		least[t->clock] = fmin(least[t->clock], (double)t->period_ns);
	}
	add_ends(w, period[EVENT]);
	missed = fmax((double)w->cpu_ns * may_miss(kernel, telling), FEW_PERIODS * period[EVENT]);
	w->event = nr[EVENT] && (w->unseen_ns <= missed || nr[TIMER] < TOO_FEW);
	w->split = w->event && telling >= TOO_FEW;
	w->period_ns = period[w->event ? EVENT : TIMER];
	w->least_period_ns = least[w->event ? EVENT : TIMER];
	w->jumped_ns = w->event ? 0 : w->jumped_ns;
	w->spare = flags & RAW_CLOCK_MISSING;
}

/* Has T no event, and so its timer in place of that? */
static bool
has_spare(const struct weights *w, const struct weighed_tick *t)
{
	return w->spare && w->event && !w->threads[t->thread].of[EVENT].samples;
}

/* Does T tell how much was the kernel's? */
static bool
is_split(const struct weights *w, const struct weighed_tick *t)
{
	return w->split && t->clock == TIMER && !t->shadowed && !has_spare(w, t);
}

static bool
is_used(const struct weights *w, const struct weighed_tick *t)
{
	return (t->clock == EVENT) == w->event || has_spare(w, t) || (is_split(w, t) && t->kernel);
}

/* ---- scales ---- */

static bool
has_own_scale(const struct weighed_thread *t)
{
	return t->alone && t->used >= ENOUGH && t->sums.program > 0 &&
	       t->cpu_ns >= t->of[TIMER].last_ns && t->cpu_ns >= t->of[EVENT].last_ns;
}

/* What a weight is multiplied by. */
struct scales { double program, kernel; };

/* The scales with which SUMS are CPU_NS: the kernel has as much of it as of the timers' samples. */
static struct scales
share_out(const struct sums *sums, double cpu_ns)
{
	double kernel = sums->timers > 0 ? cpu_ns / sums->timers : 0;

	if (sums->program <= 0)
		return (struct scales){ 1, sums->kernel > 0 ? cpu_ns / sums->kernel : 1 };
	return (struct scales){ (cpu_ns - kernel * sums->kernel) / sums->program, kernel };
}

/* Returns the scales of threads that have none of their own; in *OWN the factor of the others'
 * time. With both, the weights add up to the CPU time. */
static struct scales
find_scales(const struct weights *w, double *own)
{
	double own_ns = 0, left = (double)w->cpu_ns;
	struct sums rest = { 0 };

	for (size_t i = 0; i < w->nr_threads; i++) {
		const struct weighed_thread *t = &w->threads[i];

		if (has_own_scale(t)) {
			own_ns += (double)t->cpu_ns;
			continue;
		}
		rest.program += t->sums.program;
		rest.timers += t->sums.timers;
		rest.kernel += t->sums.kernel;
	}
	left -= own_ns;
	*own = rest.program + rest.kernel > 0 || own_ns <= 0 ? 1 : (double)w->cpu_ns / own_ns;
	return left > 0 ? share_out(&rest, left) : (struct scales){ 1, 1 };
}

static void
scale(struct weights *w)
{
	double own;
	const struct scales common = find_scales(w, &own);

	for (size_t i = 0; i < w->nr; i++) {
		const struct weighed_tick *t = &w->ticks[i];
		const struct weighed_thread *of = &w->threads[t->thread];
		struct scales by = common;
		double ns;

		if (w->ns[i] == WEIGHT_UNUSED)
			continue;
		if (has_own_scale(of))
			by = share_out(&of->sums, own * (double)of->cpu_ns);
		ns = t->weight * (is_split(w, t) ? by.kernel : by.program);
		w->ns[i] = (uint64_t)(ns + 0.5);
		w->sum += ns;
		w->squares += ns * ns;
		w->kernel_ns += is_split(w, t) ? ns : 0;
	}
}

static void
sum_up(struct weights *w)
{
	w->ns = xcalloc(w->nr, sizeof(*w->ns));
	for (size_t i = 0; i < w->nr; i++) {
		struct weighed_tick *t = &w->ticks[i];
		struct weighed_thread *of = &w->threads[t->thread];
		bool split = is_split(w, t), used = is_used(w, t);

		/* The periods that went by unseen were the kernel's. */
		if (w->split && t->clock == EVENT)
			t->weight = fmin(t->weight, (double)t->period_ns);
		w->ns[i] = used ? 0 : WEIGHT_UNUSED;
		w->used += used;
		of->used += used;
		of->sums.program += used && !split ? t->weight : 0;
		of->sums.timers += split ? t->weight : 0;
		of->sums.kernel += split && used ? t->weight : 0;
	}
}

/* ---- all of it ---- */

void
weights_read(struct weights *w, const struct rawfile *r)
{
	*w = (struct weights){ .ns = NULL };
	read_ticks(w, r);
	read_records(w, r);
	weigh_all(w);
	choose(w, r->head.flags);
	sum_up(w);
	scale(w);
}

void
weights_settle(struct weights *w)
{
	index_release(&w->by_tid);
	free(w->ns);
	free(w->ticks);
	free(w->threads);
	w->ns = NULL;
	w->ticks = NULL;
	w->threads = NULL;
	w->nr = w->nr_threads = 0;
}

uint64_t
weights_of_thread(const struct weights *w, const struct raw_thread *t)
{
	uint32_t i = thread_of((struct weights *)w, t->tid, false);
	uint64_t nr = t->nr_samples < INT64_MAX ? t->nr_samples : INT64_MAX;

	if (i != INDEX_NONE && w->threads[i].alone)
		return w->threads[i].used;
	return w->nr ? (uint64_t)((double)nr * (double)w->used / (double)w->nr + 0.5) : nr;
}

/* Appends why time was not sampled by the event, or how much of it was not. */
static void
tell_why(const struct weights *w, const struct rawfile *r, struct strbuf *out)
{
	unsigned error = r->head.flags >> RAW_CLOCK_ERROR & 0xfff;
	double unseen = w->cpu_ns ? 100 * w->unseen_ns / (double)w->cpu_ns : 0;

	if (r->head.flags & RAW_CLOCK_RING && w->event)
		strbuf_str(out, ", taken by the recorder");
	if (w->split)
		strbuf_fmt(out, "; timers for the kernel's work, %.1f%% of the time",
			   w->cpu_ns ? 100 * w->kernel_ns / (double)w->cpu_ns : 0);
	else if (r->head.flags & RAW_CLOCK_OFF)
		strbuf_str(out, r->head.flags & RAW_CLOCK_RING
				? "; the recorder has too few samples" : ", as asked for");
	else if (r->head.flags & RAW_CLOCK_RING && !w->event)
		strbuf_fmt(out, "; the recorder's event did not see %.1f%% of the time, of short "
			   "threads or in the kernel", unseen < 100 ? unseen : 100);
	else if (error)
		strbuf_fmt(out, "; the kernel gives no perf event (perf_event_open: %s)",
			   strerror((int)error));
	else if (r->head.flags & RAW_CLOCK_ENDED && !w->event)
		strbuf_str(out, "; the program needs SIGURG, the event's signal");
	else if (unseen > 0)
		strbuf_fmt(out, "; %.1f%% of the time, in the kernel, the event %s",
			   unseen < 100 ? unseen : 100, w->event ? "did not see" : "would not see");
}

/* What the event's samples took of the time, whether they are used or not: as the program measured
 * it. */
static void
tell_cost(const struct weights *w, const struct rawfile *r, struct strbuf *out)
{
	double cost = r->head.sample_cost_ns, all = cost * r->head.clock_samples, percent;

	if (!cost || !w->cpu_ns)
		return;
	percent = fmin(100, 100 * all / (double)w->cpu_ns);
	/* Two digits, but 100 is not 1e+02. */
	strbuf_fmt(out, percent < 99.5 ? " (samples take %.*f us, %.2g%% of the time)"
				       : " (samples take %.*f us, %.0f%% of the time)",
		   cost < 1e4, cost / 1e3, percent);
}

void
weights_tell(const struct weights *w, const struct rawfile *r, struct strbuf *out)
{
	if (!w->used)
		return;
	strbuf_str(out, w->event ? "a perf event of the kernel" : "timers");
	strbuf_str(out, ", each ");
	if (w->least_period_ns * 1.1 < w->period_ns)
		strbuf_fmt(out, "%.2g to ", w->least_period_ns / 1e6);
	strbuf_fmt(out, "%.2g ms", w->period_ns / 1e6);
	tell_cost(w, r, out);
	tell_why(w, r, out);
	if (w->jumped_ns * 100 > (double)w->cpu_ns)
		strbuf_fmt(out, "; %.1f%% passed in jumps of the clock and is spread over all rows",
			   100 * w->jumped_ns / (double)w->cpu_ns);
}
