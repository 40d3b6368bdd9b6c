#include "collect/import/sums/share_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/noted_calls.h"
#include "collect/import/helpers.h"
#include "collect/import/samples/event_measures.h"
#include "collect/import/samples/short_runs.h"
#include "collect/import/samples/spans.h"
#include "collect/import/samples/weights.h"
#include "util/keys.h"
#include "util/sum.h"

/* As in import: larger numbers are damage. */
#define MOST_CPU_NS ((uint64_t)1 << 53)
#define MOST_INTERVAL_NS UINT64_C(10000000000)
/* Of all processes together; no sum of them leaves 63 bits in the profile. */
#define MOST_SUM ((uint64_t)1 << 60)

/* The state of reading one file. */
struct reading {
	struct share_reader *sr;
	struct share *s;
	const struct rawfile *r;
	int *place_of;             /* per module */
	struct areas areas;        /* for what it says of children that share */
	struct spans spans;
	struct helpers helpers;
	struct error *err;
};

void
share_reader_init(struct share_reader *sr, struct places *p)
{
	*sr = (struct share_reader){ .places = p };
	foreign_init(&sr->foreign, NULL);
}

void
share_reader_release(struct share_reader *sr)
{
	foreign_release(&sr->foreign);
	owners_release(&sr->owners);
}

/* ---- head, modules ---- */

static void
read_head(const struct reading *x)
{
	const struct raw_head *h = &x->r->head;
	struct share *s = x->s;

	for (size_t i = 0; i < RAW_TEXTS; i++)
		s->texts[i] = places_text(x->sr->places, x->r->texts[i]);
	s->arguments = arena_alloc(&s->arena, (x->r->nr_arguments + 1) * sizeof(char *));
	for (size_t i = 0; i < x->r->nr_arguments; i++)
		s->arguments[i] = arena_strdup(&s->arena, x->r->arguments[i]);
	s->nr_arguments = x->r->nr_arguments;
	s->pid = h->pid;
	s->started_ns = h->started_ns;
	s->started_mono_ns = h->started_mono_ns;
	s->ended_ns = h->ended_ns;
	s->asked_interval_ns = h->asked_interval_ns < MOST_INTERVAL_NS ? h->asked_interval_ns
									: MOST_INTERVAL_NS;
	s->flags = h->flags & UINT32_MAX; /* without the reason why there is no event */
	s->stacks.program = s->texts[RAW_TEXT_PROGRAM];
	s->any = true;
}

static int
read_modules(struct reading *x)
{
	const struct rawfile *r = x->r;
	bool pointers = r->head.flags & RAW_POINTERS && !r->sum;

	x->place_of = xcalloc(r->nr_modules + 1, sizeof(*x->place_of));
	for (size_t i = 0; i < r->nr_modules; i++) {
		int place = places_module(x->sr->places, &r->modules[i], r->path, x->err);

		if (place < 0)
			return -1;
		x->place_of[i] = place;
		share_counters(x->s, x->sr->places, place);
		if (pointers && r->modules[i].nr_counters &&
		    places_find_sites(x->sr->places, place, &x->sr->owners, x->err))
			return -1;
	}
	return 0;
}

/* ---- counters ---- */

/* The addresses in them go to the targets. */
static void
clear_sites(const struct sum_place *place, uint64_t *counters)
{
	for (size_t i = 0; i < place->nr_sites; i++) {
		uint64_t at = place->sites[i] / 8, words = sizeof(struct raw_target_words) / 8;
		uint64_t others;
		const size_t other = offsetof(struct raw_target_words, others) / 8;

		if (at >= place->nr_counters || place->nr_counters - at < words)
			continue;
		others = counters[at + other];
		memset(counters + at, 0, words * sizeof(*counters));
		counters[at + other] = others;
	}
}

static void
read_counters(const struct reading *x, const struct raw_part *p)
{
	enum { CHUNK = 8192 };
	int m = rawfile_module(x->r, p->module);
	uint64_t buffer[CHUNK], offset = p->offset, *to;
	size_t done = 0, want, got, nr = p->size / 8;
	const struct sum_place *place;

	if (m < 0)
		return;
	place = &x->sr->places->items[x->place_of[m]];
	to = share_counters(x->s, x->sr->places, x->place_of[m]);
	nr = nr < place->nr_counters ? nr : place->nr_counters;
	for (; done < nr; done += got, offset += got * 8) {
		want = nr - done < CHUNK ? nr - done : CHUNK;
		got = rawfile_read(x->r, offset, buffer, want * 8) / 8;
		for (size_t i = 0; i < got; i++)
			to[done + i] += buffer[i];
		if (got < want)
			return;
	}
}

static void
read_all_counters(const struct reading *x)
{
	for (size_t i = 0; i < x->r->nr_parts; i++)
		if (x->r->parts[i].kind == RAW_COUNTERS)
			read_counters(x, &x->r->parts[i]);
	for (size_t i = 0; i < x->r->nr_modules; i++)
		if (!x->r->sum)
			clear_sites(&x->sr->places->items[x->place_of[i]],
				    x->s->counters[x->place_of[i]]);
}

/* ---- targets ---- */

static bool
words_of(const void *reading, int module, size_t i, uint64_t *site)
{
	const struct reading *x = reading;
	const struct sum_place *p = &x->sr->places->items[module];

	if (i >= p->nr_sites || x->r->sum)
		return false;
	*site = p->sites[i];
	return true;
}

static void
take_call(void *reading, const struct noted_call *call)
{
	const struct reading *x = reading;
	uint64_t site = SUM_SEVERAL, target = SUM_UNKNOWN, counters;
	int place;

	if (call->site_module >= 0) {
		place = x->place_of[call->site_module];
		counters = x->sr->places->items[place].counters;
		site = place_address(place, counters + call->site);
	}
	if (call->module >= 0)
		target = place_address(x->place_of[call->module],
				       call->target - x->r->modules[call->module].load_bias);
	else if (call->module == NOTED_OUTSIDE)
		target = place_address(0, 0);
	else if (call->module == NOTED_SEVERAL)
		target = SUM_SEVERAL;
	share_add_target(x->s, site, target, call->count);
}

static void
read_targets(struct reading *x)
{
	const struct noted_calls calls = {
		.raw = x->r, .module_of = x->place_of, .areas = &x->areas, .words = words_of,
		.take = take_call, .context = x,
	};

	noted_calls_read(&calls);
}

/* ---- stacks ---- */

/* The run-time ADDRESS, as an address in places; 0: of nothing known. LEAF: it may be the first one
 * behind a module, and what was interrupted is the last of that. */
static uint64_t
place_of_address(struct reading *x, uint64_t address, bool leaf)
{
	const struct span *span = spans_at(&x->spans, leaf ? address : address - 1);
	uint64_t inode, offset;
	const char *path;
	int library;

	if (!span && leaf)
		span = spans_at(&x->spans, address - 1);
	if (span)
		return place_address(span->module, address - span->bias);
	path = foreign_file_at(&x->sr->foreign, x->spans.pid, address, &inode, &offset);
	if (!path || offset >> SUM_PLACE)
		return 0;
	library = places_library(x->sr->places, path, inode, x->err);
	return library < 0 ? 0 : place_address(library, offset);
}

static uint64_t
place_of_centre(const struct reading *x, uint64_t centre)
{
	for (size_t i = 0; i < x->r->nr_modules && centre; i++) {
		const struct raw_module *m = &x->r->modules[i];

		if (centre >= m->counters && centre - m->counters < m->nr_counters * 8)
			return place_address(x->place_of[i], centre - m->load_bias);
	}
	return 0;
}

/* Of the time samples of the file: by what to multiply their weights, and whether it is short. */
struct timing { struct weights w; double factor; bool is_short; size_t nr; };

/* Returns false when the sample is none that counts. */
static bool
figures_of(struct reading *x, const struct raw_sample_reader *from, struct timing *t,
	   struct event_measures *events, struct sum_stack *of)
{
	enum event_source source;
	uint64_t ns;

	if (from->sample.flags & RAW_EVENT) {
		of->events = event_measures_take(events, &from->sample, &source);
		of->flags |= SUM_STACK_EVENT | (uint32_t)source << SUM_SOURCE_SHIFT;
		return of->events != 0;
	}
	if (from->sample.flags & RAW_WAITING) {
		of->wait_ns = from->sample.amount < MOST_WAIT_NS ? from->sample.amount : 0;
		return true;
	}
	ns = t->nr < t->w.nr ? t->w.ns[t->nr++] : WEIGHT_UNUSED;
	if (ns == WEIGHT_UNUSED)
		return false;
	of->centre = place_of_centre(x, from->centre);
	of->samples = 1;
	ns = (uint64_t)((double)ns * t->factor + 0.5);
	*(t->is_short ? &of->short_ns : &of->long_ns) = ns;
	return true;
}

static void
take_sample(struct reading *x, const struct raw_sample_reader *from, struct timing *t,
	    struct event_measures *events, struct sample_faults *faults)
{
	struct sum_stack of = { .nr_frames = from->sample.nr_frames };
	uint64_t frames[RAW_MAX_FRAMES];
	bool counts;

	if (from->sample.flags & RAW_ALLOCATED || helpers_waits(&x->helpers, &from->sample))
		return;
	if (!(from->sample.flags & (RAW_EVENT | RAW_STACK_GUESS)))
		of.flags |= SUM_STACK_WALKED;
	counts = figures_of(x, from, t, events, &of);
	if (weights_is_time(&from->sample) && !counts)
		return;
	sample_faults_note(faults, from);
	if (!counts)
		return;
	of.used = from->stack_used < MOST_STACK_USED ? from->stack_used : 0;
	for (uint32_t i = 0; i < of.nr_frames; i++)
		frames[i] = place_of_address(x, from->frames[i], !i);
	stack_set_add(&x->s->stacks, &of, frames);
}

static int
read_part(struct reading *x, const struct raw_part *p, struct timing *t,
	  struct event_measures *events, struct sample_faults *faults)
{
	struct raw_sample_reader from;
	bool damaged;

	x->spans.nr_loaded = 0;
	spans_find(&x->spans, x->r, x->place_of, p->pid);
	raw_samples_begin(&from, x->r, p);
	while (raw_samples_next(&from)) {
		if (from.sample.flags & RAW_MODULES) {
			spans_load(&x->spans, &from);
			spans_find(&x->spans, x->r, x->place_of, p->pid);
			continue;
		}
		take_sample(x, &from, t, events, faults);
	}
	damaged = from.damaged;
	raw_samples_end(&from);
	return damaged ? error_set(x->err, "%s: damaged: some of its samples are none", x->r->path)
		       : 0;
}

static void
read_events(struct reading *x, struct event_measures *events)
{
	struct raw_events raw;

	for (size_t i = 0; i < x->r->nr_parts; i++) {
		const struct raw_part *p = &x->r->parts[i];

		if (p->kind != RAW_EVENTS || p->size < sizeof(raw) ||
		    rawfile_read(x->r, p->offset, &raw, sizeof(raw)) != sizeof(raw))
			continue;
		event_measures_read(events, &raw);
		x->s->events = raw;
	}
}

/* ---- facts ---- */

/* Returns the interval that a sample of the file stands for; 0: it is a short one. */
static uint64_t
own_interval(const struct share *s)
{
	const struct sum_facts *f = &s->facts;
	struct short_runs test = { .cpu_ns = 0 };
	uint64_t interval;

	short_runs_add(&test, 1, f->samples, 1);
	if (test.cpu_ns > 0)
		return 0;
	interval = short_runs_interval(&test, f->cpu_ns, f->samples, s->asked_interval_ns);
	return interval < MOST_INTERVAL_NS ? interval : MOST_INTERVAL_NS;
}

static void
add_thread(struct share *s, const struct raw_thread *t)
{
	struct sum_facts *f = &s->facts;

	f->threads += 1 + (uint64_t)t->more_threads;
	f->processes += t->more_processes;
	f->cpu_ns += t->cpu_ns < MOST_CPU_NS ? t->cpu_ns : 0;
	f->lost_samples += t->lost_samples < MOST_CPU_NS ? t->lost_samples : 0;
	f->wait_ns += t->wait_ns < MOST_CPU_NS ? t->wait_ns : 0;
	f->delay_ns += (uint64_t)t->delay_ms * 1000000;
}

static void
read_threads(const struct reading *x)
{
	struct sum_facts *f = &x->s->facts;
	struct keys pids = KEYS_INIT;
	struct raw_thread t;

	for (size_t i = 0; i < x->r->nr_parts; i++)
		for (uint64_t k = 0; rawfile_thread(x->r, &x->r->parts[i], k, &t); k++) {
			bool is_new;

			if (!t.pid)
				continue;
			keys_number(&pids, KEY(t.pid), &is_new);
			add_thread(x->s, &t);
		}
	f->processes += pids.nr ? pids.nr : 1;
	f->files = 1;
	f->lost_samples += x->r->head.lost_samples;
	keys_release(&pids);
}

static void
set_squares(uint64_t to[2], double squares)
{
	unsigned __int128 v = squares < 0x1p126 ? (unsigned __int128)squares : 0;

	to[0] = (uint64_t)v;
	to[1] = (uint64_t)(v >> 64);
}

/* Time of short processes: as if the interval asked for were true. What all of them have together
 * scales it later. */
static void
settle_time(struct share *s, struct timing *t)
{
	struct sum_facts *f = &s->facts;
	uint64_t interval, period = (uint64_t)(t->w.used ? t->w.period_ns : 0);
	uint64_t least = (uint64_t)(t->w.used ? t->w.least_period_ns : 0);

	f->samples = t->w.used;
	interval = own_interval(s);
	t->is_short = !interval;
	if (t->is_short)
		interval = s->asked_interval_ns;
	t->factor = t->w.sum > 0 ? (double)interval * (double)f->samples / t->w.sum : 0;
	set_squares(t->is_short ? f->short_squares : f->long_squares,
		    t->factor * t->factor * t->w.squares);
	if (t->is_short) {
		f->short_cpu_ns = f->cpu_ns;
		f->short_asked_ns = f->samples * interval;
	} else {
		f->long_ns = f->samples * interval;
	}
	f->by_event = t->w.used && t->w.event;
	f->by_timers = t->w.used && !t->w.event;
	f->least_period_ns = least;
	f->most_period_ns = period;
}

static void
read_wall(const struct reading *x)
{
	struct raw_wall w, *to = &x->s->wall;

	for (size_t i = 0; i < x->r->nr_parts; i++) {
		const struct raw_part *p = &x->r->parts[i];

		if (p->kind != RAW_WALL || p->size < sizeof(w) ||
		    rawfile_read(x->r, p->offset, &w, sizeof(w)) != sizeof(w))
			continue;
		to->elapsed_ns = w.looks ? w.elapsed_ns / w.looks : 0;
		to->looks = w.looks != 0;
		to->lost = w.lost;
		to->error = w.error;
		to->longest_ns = w.longest_ns;
	}
}

/* ---- a member of a sum ---- */

void
sum_stacks_begin(struct sum_stack_reader *s, const struct rawfile *r, const struct raw_part *p)
{
	*s = (struct sum_stack_reader){ .raw = r, .at = p->offset, .end = p->offset + p->size };
}

static bool
is_sound(const struct sum_stack *of)
{
	const uint32_t known = SUM_STACK_WALKED | SUM_STACK_EVENT;
	uint32_t source = of->flags >> SUM_SOURCE_SHIFT;

	return of->nr_frames && of->nr_frames <= RAW_MAX_FRAMES &&
	       !(of->flags & ((1u << SUM_SOURCE_SHIFT) - 1) & ~known) &&
	       source < NR_EVENT_SOURCES && of->samples <= MOST_SUM && of->long_ns <= MOST_SUM &&
	       of->short_ns <= MOST_SUM && of->wait_ns <= MOST_SUM && of->events <= MOST_SUM &&
	       of->used < MOST_STACK_USED;
}

bool
sum_stacks_next(struct sum_stack_reader *s)
{
	uint64_t left = s->end - s->at;
	size_t bytes;

	if (!left || s->damaged)
		return false;
	s->damaged = left < sizeof(s->of) ||
		     rawfile_read(s->raw, s->at, &s->of, sizeof(s->of)) < sizeof(s->of) ||
		     !is_sound(&s->of);
	if (s->damaged)
		return false;
	bytes = s->of.nr_frames * sizeof(*s->frames);
	s->damaged = left - sizeof(s->of) < bytes ||
		     rawfile_read(s->raw, s->at + sizeof(s->of), s->frames, bytes) < bytes;
	s->at += sizeof(s->of) + bytes;
	return !s->damaged;
}

static bool
are_true(const struct sum_facts *f)
{
	return f->files && f->files <= f->processes && f->processes <= UINT32_MAX &&
	       f->threads <= UINT32_MAX && f->cpu_ns <= MOST_SUM && f->samples <= MOST_SUM &&
	       f->lost_samples <= MOST_SUM && f->wait_ns <= MOST_SUM && f->delay_ns <= MOST_SUM &&
	       f->long_ns <= MOST_SUM && f->short_cpu_ns <= MOST_SUM &&
	       f->short_asked_ns <= MOST_SUM && f->by_event <= f->files &&
	       f->by_timers <= f->files && f->left_space <= f->files &&
	       f->least_period_ns <= f->most_period_ns &&
	       !(f->sampled_events >> NR_EVENT_SOURCES);
}

int
sum_facts_read(const struct rawfile *r, struct sum_facts *f, struct error *err)
{
	const struct raw_part *p = rawfile_part(r, SUM_FACTS);

	if (!p || p->size != sizeof(*f) || rawfile_read(r, p->offset, f, sizeof(*f)) < sizeof(*f) ||
	    !are_true(f))
		return error_set(err, "%s: damaged: its facts cannot be true", r->path);
	return 0;
}

static double
wide(const uint64_t words[2])
{
	return (double)((unsigned __int128)words[1] << 64 | words[0]);
}

double
sum_facts_ns(const struct sum_facts *f, double factor, double *squares)
{
	*squares = wide(f->long_squares) + factor * factor * wide(f->short_squares);
	return (double)f->long_ns + factor * (double)f->short_asked_ns;
}

char *
sum_facts_clock(const struct sum_facts *f)
{
	struct strbuf sb = STRBUF_INIT;
	bool event = f->by_event >= f->by_timers;

	strbuf_str(&sb, event ? "a perf event of the kernel" : "timers");
	strbuf_str(&sb, ", each ");
	if ((double)f->least_period_ns * 1.1 < (double)f->most_period_ns)
		strbuf_fmt(&sb, "%.2g to ", (double)f->least_period_ns / 1e6);
	strbuf_fmt(&sb, "%.2g ms", (double)f->most_period_ns / 1e6);
	if (f->by_event && f->by_timers)
		strbuf_fmt(&sb, "; %s in %" PRIu64 " of %" PRIu64 " processes",
			   event ? "timers" : "a perf event of the kernel",
			   event ? f->by_timers : f->by_event, f->by_event + f->by_timers);
	return strbuf_take(&sb);
}

static int
read_stacks(struct reading *x, const struct raw_part *p)
{
	struct sum_stack_reader from;

	spans_find(&x->spans, x->r, x->place_of, p->pid);
	sum_stacks_begin(&from, x->r, p);
	while (sum_stacks_next(&from)) {
		for (uint32_t i = 0; i < from.of.nr_frames; i++)
			from.frames[i] = place_of_address(x, from.frames[i], !i);
		from.of.centre = place_of_centre(x, from.of.centre);
		stack_set_add(&x->s->stacks, &from.of, from.frames);
	}
	return from.damaged ? error_set(x->err, "%s: damaged: some of its stacks are none",
					x->r->path) : 0;
}

/* ---- all of it ---- */

static int
read_samples(struct reading *x)
{
	struct event_measures events = { .asked = 0 };
	struct sum_facts *f = &x->s->facts;
	struct sample_faults faults = { 0 };
	struct timing t = { .nr = 0 };
	int status = 0;

	helpers_find(&x->helpers, x->r);
	weights_read(&t.w, x->r);
	settle_time(x->s, &t);
	read_events(x, &events);
	for (size_t i = 0; i < x->r->nr_parts && !status; i++) {
		uint32_t kind = x->r->parts[i].kind;

		if (kind == RAW_SAMPLES && x->r->parts[i].size)
			status = read_part(x, &x->r->parts[i], &t, &events, &faults);
	}
	f->cut = faults.cut;
	f->ends = faults.ends;
	f->copies_cut = faults.copies_cut;
	f->guessed = faults.guessed;
	for (unsigned i = 0; i < NR_EVENT_SOURCES; i++)
		f->sampled_events |= (uint64_t)events.sources[i].sampled << i;
	weights_settle(&t.w);
	helpers_release(&x->helpers);
	return status;
}

static int
read_member(struct reading *x)
{
	struct event_measures ignored = { .asked = 0 };
	int status = sum_facts_read(x->r, &x->s->facts, x->err);

	read_events(x, &ignored);
	for (size_t i = 0; i < x->r->nr_parts && !status; i++)
		if (x->r->parts[i].kind == SUM_STACKS)
			status = read_stacks(x, &x->r->parts[i]);
	return status;
}

/* A file that was cut has lost what nobody knows. */
static int
check(const struct rawfile *r, struct error *err)
{
	if (r->missing)
		return error_set(err, "%s: cut off: %" PRIu64 " bytes are missing", r->path,
				 r->missing);
	if (r->damaged)
		return error_set(err, "%s: damaged: %zu of its parts contradict themselves",
				 r->path, r->damaged);
	if (!r->nr_modules)
		return error_set(err, "%s: holds no counts: the program ended before it began",
				 r->path);
	return 0;
}

int
share_read(struct share_reader *sr, struct share *s, const struct rawfile *r, struct error *err)
{
	struct error problem = ERROR_INIT;
	struct reading x = { .sr = sr, .s = s, .r = r, .err = &problem };
	int status = check(r, &problem);

	areas_init(&x.areas, NULL);
	if (!status) {
		owners_add(&sr->owners, r->owner);
		read_head(&x);
		areas_begin(&x.areas, r, 1);
		foreign_read_maps(&sr->foreign, r);
		status = read_modules(&x);
	}
	if (!status) {
		read_all_counters(&x);
		read_targets(&x);
		read_wall(&x);
		if (!r->sum)
			read_threads(&x);
		status = r->sum ? read_member(&x) : read_samples(&x);
		space_sum_read(&s->space, r, x.place_of, s->facts.threads);
	}
	areas_release(&x.areas);
	free(x.spans.items);
	free(x.place_of);
	if (!status && !problem.set)
		status = rawfile_check(r, &problem);
	return status || problem.set ? error_set(err, "%s", problem.text) : 0;
}
