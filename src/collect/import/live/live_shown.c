#include "collect/import/live/live_shown.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect/import/live/live_tables.h"
#include "collect/raw.h"
#include "db/store/profile.h"
#include "util/order.h"

struct thread_figures { uint64_t cpu_ns, samples, lost_samples, wait_ns, delay_ns; };

/* The figures of a look. */
struct moment {
	uint64_t *slots;
	struct live_figures *procedures;
	struct live_noted *noted;
	struct thread_figures *threads;
	size_t nr_slots, nr_procedures, nr_noted, slots_alloc, procedures_alloc, noted_alloc;
	size_t nr_threads, threads_alloc;
	uint64_t at_ns, cpu_ns;
};

struct live_shown {
	struct live *l;
	struct moment now, before, zero;
	struct moment kept, before_kept; /* when figures began to stand still, the last time */
	uint64_t looked_ns;        /* when the last look was, also while they stand still */
	int64_t taken_ns;          /* when what is shown was taken, since 1970 */
	struct live_state state;
	bool any;                  /* a look was taken */
	struct live_tables *tables; /* what the figures are of; NULL at first */
	struct live_tables *next;  /* to be taken */
	struct site_shown {        /* what all arcs of a site have; 0: of none, figures are new */
		model_id site;
		bool single, noted, open, outside; /* open: it made calls that it did not note */
		int64_t count, known, calls; /* known: that it noted; of all that it can call */
	} site;
};

/* ---- moments ---- */

/* Of damage: none. */
static struct thread_figures
figures_of_thread(const struct raw_thread *t)
{
	return (struct thread_figures){
		.cpu_ns = t->cpu_ns < MOST_WAIT_NS ? t->cpu_ns : 0,
		.samples = t->nr_samples < INT64_MAX ? t->nr_samples : 0,
		.lost_samples = t->lost_samples < INT64_MAX ? t->lost_samples : 0,
		.wait_ns = t->wait_ns < MOST_WAIT_NS ? t->wait_ns : 0,
		.delay_ns = (uint64_t)t->delay_ms * 1000000,
	};
}

static void
moment_take(struct moment *m, const struct live *l, uint64_t now_ns)
{
	GROW(m->slots, l->nr_slots + 1, m->slots_alloc);
	GROW(m->procedures, l->nr_rows + 1, m->procedures_alloc);
	for (size_t i = 0; i < l->nr_slots; i++)
		m->slots[i] = l->slots[i].count;
	for (size_t i = 0; i < l->nr_rows; i++)
		m->procedures[i] = l->rows[i].now;
	GROW(m->noted, l->nr_noted + 1, m->noted_alloc);
	for (size_t i = 0; i < l->nr_noted; i++)
		m->noted[i] = l->noted[i];
	GROW(m->threads, l->nr_threads + 1, m->threads_alloc);
	for (size_t i = 0; i < l->nr_threads; i++)
		m->threads[i] = figures_of_thread(&l->threads[i].now);
	m->nr_threads = l->nr_threads;
	m->nr_slots = l->nr_slots;
	m->nr_procedures = l->nr_rows;
	m->nr_noted = l->nr_noted;
	m->at_ns = now_ns;
	m->cpu_ns = l->sums.cpu_ns;
}

static void
moment_copy(struct moment *to, const struct moment *from)
{
	GROW(to->slots, from->nr_slots + 1, to->slots_alloc);
	GROW(to->procedures, from->nr_procedures + 1, to->procedures_alloc);
	memcpy(to->slots, from->slots, from->nr_slots * sizeof(*to->slots));
	memcpy(to->procedures, from->procedures, from->nr_procedures * sizeof(*to->procedures));
	GROW(to->noted, from->nr_noted + 1, to->noted_alloc);
	if (from->nr_noted)
		memcpy(to->noted, from->noted, from->nr_noted * sizeof(*to->noted));
	GROW(to->threads, from->nr_threads + 1, to->threads_alloc);
	if (from->nr_threads)
		memcpy(to->threads, from->threads, from->nr_threads * sizeof(*to->threads));
	to->nr_threads = from->nr_threads;
	to->nr_noted = from->nr_noted;
	to->nr_slots = from->nr_slots;
	to->nr_procedures = from->nr_procedures;
	to->at_ns = from->at_ns;
	to->cpu_ns = from->cpu_ns;
}

static void
moment_release(struct moment *m)
{
	free(m->slots);
	free(m->procedures);
	free(m->noted);
	free(m->threads);
}

struct live_shown *
live_shown_new(struct live *l, uint64_t began_ns)
{
	struct live_shown *s = xcalloc(1, sizeof(*s));

	s->l = l;
	s->now.at_ns = began_ns;
	return s;
}

void
live_shown_free(struct live_shown *s)
{
	if (!s)
		return;
	live_tables_free(s->tables);
	live_tables_free(s->next);
	moment_release(&s->now);
	moment_release(&s->before);
	moment_release(&s->zero);
	moment_release(&s->kept);
	moment_release(&s->before_kept);
	free(s);
}

void
live_shown_take(struct live_shown *s, uint64_t now_ns)
{
	struct moment last = s->now;
	struct timespec t;

	s->looked_ns = now_ns;
	if (s->state.frozen)
		return;
	s->site.site = 0;
	s->now = s->before;
	s->before = last;
	moment_take(&s->now, s->l, now_ns);
	if (!s->any && !s->before.at_ns)
		moment_copy(&s->before, &s->now);
	s->any = true;
	s->state.taken_ns = now_ns;
	clock_gettime(CLOCK_REALTIME, &t);
	s->taken_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void
live_shown_rate(struct live_shown *s, bool rate)
{
	s->site.site = 0;
	s->state.rate = rate;
}

void
live_shown_freeze(struct live_shown *s, bool frozen)
{
	if (frozen) {
		moment_copy(&s->kept, &s->now);
		moment_copy(&s->before_kept, &s->before);
	}
	s->state.frozen = frozen;
}

void
live_shown_zero(struct live_shown *s, bool zeroed)
{
	s->site.site = 0;
	s->zero.nr_slots = s->zero.nr_procedures = s->zero.nr_noted = s->zero.nr_threads = 0;
	s->zero.cpu_ns = 0;
	if (zeroed)
		moment_copy(&s->zero, &s->now);
	s->state.zeroed = zeroed;
	s->state.zero_ns = s->now.at_ns;
}

struct live_state
live_shown_state(const struct live_shown *s)
{
	return s->state;
}

/* ---- the tables ---- */

const struct model *
live_shown_model(struct live_shown *s, bool procedures)
{
	live_tables_free(s->next);
	s->next = procedures ? live_tables_of_procedures(s->l) : live_tables_make(s->l);
	return &s->next->m;
}

bool
live_shown_is_large(const struct live_shown *s)
{
	enum { LARGE = 8000 /* some 50 ms */ };

	return s->l->m.nr_ranges > LARGE;
}

const struct model *
live_shown_take_model(struct live_shown *s)
{
	live_tables_free(s->tables);
	s->tables = s->next;
	s->next = NULL;
	s->site.site = 0;
	return &s->tables->m;
}

bool
live_shown_has_more(struct live_shown *s)
{
	if (!s->tables || s->l->sampled)
		return !s->tables || live_sampled_has_more(s->l);
	return s->tables->nr_modules != s->l->nr_named ||
	       s->tables->m.nr_measures != s->l->m.nr_measures ||
	       live_tables_lack_arcs(s->tables, s->l);
}

/* ---- figures ---- */

static const struct moment *
begin_of(const struct live_shown *s)
{
	return s->state.rate ? &s->before : &s->zero;
}

/* What is shown of something that went from BEFORE to NOW. */
static int64_t
shown(const struct live_shown *s, uint64_t now, uint64_t before)
{
	uint64_t n = now > before ? now - before : 0;
	double seconds = (double)(s->now.at_ns - s->before.at_ns) / 1e9;

	if (s->state.rate)
		return seconds > 0 ? (int64_t)((double)n / seconds + 0.5) : 0;
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static struct live_figures
procedure_in(const struct moment *m, model_id procedure)
{
	return procedure && procedure <= m->nr_procedures ? m->procedures[procedure - 1]
							  : (struct live_figures){ .calls = 0 };
}

static int64_t
shown_of_procedure(const struct live_shown *s, int figure, model_id procedure)
{
	const struct live_figures now = procedure_in(&s->now, procedure);
	const struct live_figures before = procedure_in(begin_of(s), procedure);

	return figure == OVERLAY_CALLS ? shown(s, now.calls, before.calls)
	       : figure == OVERLAY_SELF_NS ? shown(s, now.ns, before.ns)
					: shown(s, now.total_ns, before.total_ns);
}

/* What is live is what is live then, also of rates and from a moment on. */
static int64_t
shown_of_memory(const struct live_shown *s, int figure, model_id procedure)
{
	const struct live_memory now = procedure_in(&s->now, procedure).memory;
	const struct live_memory before = procedure_in(begin_of(s), procedure).memory;

	return figure == OVERLAY_ALLOCS ? shown(s, now.blocks, before.blocks)
	       : figure == OVERLAY_BYTES ? shown(s, now.bytes, before.bytes)
	       : (int64_t)(figure == OVERLAY_LIVE_BLOCKS ? now.live_blocks : now.live_bytes);
}

static uint64_t
slot_in(const struct moment *m, size_t slot)
{
	return slot < m->nr_slots ? m->slots[slot] : 0;
}

static int64_t
shown_of_block(const struct live_shown *s, model_id block)
{
	const struct live *l = s->l;
	uint64_t now = 0, before = 0;

	if (!block || block > l->nr_slotted)
		return 0;
	for (uint32_t i = l->first_slots[block - 1]; i; i = l->slots[i - 1].next) {
		now = count_add(now, slot_in(&s->now, i - 1));
		before = count_add(before, slot_in(begin_of(s), i - 1));
	}
	return shown(s, now, before);
}

static bool
block_lacks(const struct live *l, model_id block)
{
	bool lacks = false;

	for (uint32_t i = block && block <= l->nr_slotted ? l->first_slots[block - 1] : 0; i;
	     i = l->slots[i - 1].next)
		lacks |= l->slots[i - 1].lacking;
	return lacks;
}

static bool
same_share(const struct line_entry *a, const struct line_entry *b)
{
	return a->file == b->file && a->at_line == b->at_line && a->at_column == b->at_column;
}

/* How often the entries FROM..END of a line were executed by M. */
static uint64_t
line_in(const struct moment *m, const struct line_entry *from, const struct line_entry *end)
{
	const struct line_entry *e = from, *share, *compiled, *group;
	uint64_t most = 0, sum, best, here;

	while (e < end) {
		for (share = e, sum = 0; e < end && same_share(e, share); sum += best)
			for (compiled = e, best = 0; e < end && same_share(e, share) &&
			     e->compiled == compiled->compiled; best = here > best ? here : best)
				for (group = e, here = 0; e < end && same_share(e, share) &&
				     e->compiled == compiled->compiled &&
				     e->group == group->group; e++)
					here = count_add(here, slot_in(m, e->slot));
		most = sum > most ? sum : most;
	}
	return most;
}

static int64_t
shown_of_line(const struct live_shown *s, model_id line)
{
	const struct live_tables *t = s->tables;
	const struct line_entry *from = t->entries + t->first_entries[line - 1];
	const struct line_entry *end = t->entries + t->first_entries[line];

	if (s->l->sampled)
		return 0;
	return shown(s, line_in(&s->now, from, end), line_in(begin_of(s), from, end));
}

/* Of programs that count nothing, whose slots are the time of blocks themselves. */
static int64_t
time_of_slot(const struct live_shown *s, size_t slot)
{
	return shown(s, slot_in(&s->now, slot), slot_in(begin_of(s), slot));
}

static int64_t
time_of_line(const struct live_shown *s, model_id line)
{
	const struct live_tables *t = s->tables;
	int64_t ns = 0;

	for (size_t i = t->first_entries[line - 1]; i < t->first_entries[line]; i++)
		ns += time_of_slot(s, t->entries[i].slot);
	return ns;
}

static bool
line_lacks(const struct live_shown *s, model_id line)
{
	const struct live_tables *t = s->tables;
	bool lacks = false;

	for (size_t i = t->first_entries[line - 1]; i < t->first_entries[line]; i++)
		lacks |= s->l->slots[t->entries[i].slot].lacking;
	return lacks;
}

/* ---- arcs ---- */

struct arc_shown { int64_t count, lo, hi; bool estimated; };

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static uint64_t
noted_in(const struct moment *m, const struct model_arc *a)
{
	size_t lo = 0, hi = m->nr_noted;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct live_noted *n = &m->noted[mid];

		if (n->site == a->site && n->callee == a->callee)
			return n->count;
		if (n->site < a->site || (n->site == a->site && n->callee < a->callee))
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

static int64_t
shown_noted(const struct live_shown *s, const struct model_arc *a)
{
	return shown(s, noted_in(&s->now, a), noted_in(begin_of(s), a));
}

/* Has SITE, which notes what it calls, called anything that was not noted? */
static bool
has_others(const struct live_shown *s, model_id site)
{
	const struct builder *b = &s->l->builder;
	bool any = false;

	for (uint32_t i = s->tables->words[site]; i; i = s->tables->next_words[i - 1]) {
		const struct noted_site *n = &b->noted[i - 1];
		size_t at = (n->address - n->mod->counters_address) / 8 +
			    offsetof(struct raw_target_words, others) / 8;

		any |= at < n->mod->nr_counters && n->mod->counters[at];
	}
	return any;
}

/* Looks at all arcs of SITE, unless that was done for the same figures. */
static const struct site_shown *
look_at_site(struct live_shown *s, const struct model_arc *a)
{
	const struct model *m = &s->tables->m;
	struct site_shown *to = &s->site;
	size_t first = (size_t)(a - m->arcs), end;

	if (to->site == a->site)
		return to;
	while (first && m->arcs[first - 1].site == a->site)
		first--;
	*to = (struct site_shown){
		.site = a->site, .noted = s->tables->words[a->site],
		.count = shown_of_block(s, s->l->m.sites[a->site - 1].block),
	};
	to->open = !to->noted || has_others(s, a->site);
	for (end = first; end < m->nr_arcs && m->arcs[end].site == a->site; end++) {
		to->known += to->noted ? shown_noted(s, &m->arcs[end]) : 0;
		to->outside |= !m->arcs[end].callee;
		to->calls += shown_of_procedure(s, OVERLAY_CALLS, m->arcs[end].callee);
	}
	to->single = end - first == 1;
	return to;
}

/* A site with one arc made all of its calls by it. One through a pointer notes what it calls; what
 * it has not noted can be calls of each procedure that it can reach, as many as that had, and these
 * are the measure of how many they are. */
static struct arc_shown
arc_of_site(struct live_shown *s, const struct model_arc *a)
{
	const struct site_shown *site = look_at_site(s, a);
	int64_t known = site->noted ? shown_noted(s, a) : 0;
	int64_t rest = site->count - least(site->known, site->count), calls;
	struct arc_shown to = { known, known, known, false };

	if (site->single && !site->noted)
		return (struct arc_shown){ site->count, site->count, site->count, false };
	if (!site->open)
		return to;
	calls = shown_of_procedure(s, OVERLAY_CALLS, a->callee);
	to.hi = known + (a->callee ? least(rest, calls - least(known, calls)) : rest);
	if (!site->noted && !site->outside && site->calls == calls)
		to.lo = to.hi;
	to.estimated = to.lo < to.hi;
	to.count = !to.estimated ? to.hi : !site->calls || !a->callee ? known
		   : least(to.hi, known + (int64_t)((double)rest * (double)calls /
						    (double)site->calls));
	return to;
}

/* What no site has called. */
static struct arc_shown
arc_from_outside(struct live_shown *s, const struct model_arc *a)
{
	const struct model_arc *arcs = s->tables->m.arcs;
	int64_t calls = shown_of_procedure(s, OVERLAY_CALLS, a->callee), lo = 0, hi = 0, count = 0;
	struct arc_shown to, of;
	const uint32_t *to_it;
	size_t nr;

	to_it = live_tables_arcs_to(s->tables, a->callee, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!arcs[to_it[i]].site)
			continue;
		of = arc_of_site(s, &arcs[to_it[i]]);
		count = (int64_t)count_add((uint64_t)count, (uint64_t)of.count);
		lo = (int64_t)count_add((uint64_t)lo, (uint64_t)of.lo);
		hi = (int64_t)count_add((uint64_t)hi, (uint64_t)of.hi);
	}
	to = (struct arc_shown){ .count = calls - least(count, calls),
				 .lo = calls - least(hi, calls), .hi = calls - least(lo, calls) };
	to.estimated = to.lo < to.hi;
	return to;
}

static int64_t
shown_of_arc(struct live_shown *s, int figure, model_id arc)
{
	const struct model_arc *a = &s->tables->m.arcs[arc - 1];
	struct arc_shown of = a->site ? arc_of_site(s, a) : arc_from_outside(s, a);

	return figure == OVERLAY_ARC ? of.count : figure == OVERLAY_ARC_LO ? of.lo
	       : figure == OVERLAY_ARC_HI ? of.hi : of.estimated;
}

/* ---- files ---- */

static int64_t
shown_of_file(const struct live_shown *s, int figure, model_id file)
{
	const struct model *m = &s->l->m;
	const uint32_t *numbers;
	uint64_t sum = 0;
	size_t nr;

	if (figure == OVERLAY_FILE) {
		numbers = live_tables_blocks_in(s->tables, file, &nr);
		for (size_t i = 0; i < nr; i++)
			sum = count_add(sum, (uint64_t)shown_of_block(s, numbers[i] + 1));
	} else if (figure == OVERLAY_FILE_EXECUTED) {
		numbers = live_tables_lines_in(s->tables, file, &nr);
		for (size_t i = 0; i < nr; i++)
			sum += shown_of_line(s, numbers[i] + 1) > 0;
	} else {
		for (model_id i = 1; i <= m->nr_procedures; i++)
			if (m->procedures[i - 1].place.file == file)
				sum += (uint64_t)shown_of_procedure(s, OVERLAY_SELF_NS, i);
	}
	return (int64_t)sum;
}

/* The time that the run's figures are of. */
static int64_t
wall_ns(const struct live_shown *s)
{
	const struct model *m = &s->l->m;

	return s->state.rate     ? 1000000000
	       : s->state.zeroed ? (int64_t)(s->now.at_ns - s->zero.at_ns)
	       : m->nr_runs && s->taken_ns > m->runs[0].started_ns
		       ? s->taken_ns - m->runs[0].started_ns : 0;
}

int64_t
live_shown_figure(void *context, int figure, model_id id)
{
	struct live_shown *s = context;
	const struct live_tables *t = s->tables;
	const struct live *l = s->l;

	if (!id)
		return 0;
	switch ((enum overlay_figure)figure) {
	case OVERLAY_CALLS:
	case OVERLAY_SELF_NS:
	case OVERLAY_TOTAL_NS:
		return shown_of_procedure(s, figure, id);
	case OVERLAY_ALLOCS:
	case OVERLAY_BYTES:
	case OVERLAY_LIVE_BLOCKS:
	case OVERLAY_LIVE:
		return shown_of_memory(s, figure, id);
	case OVERLAY_CALLS_LACK:
		return l->sampled ? (int64_t)COUNT_LACKS_ALL
				  : id <= l->nr_rows && l->rows[id - 1].lacking;
	case OVERLAY_BLOCK_SELF_NS:
		return time_of_slot(s, id - 1);
	case OVERLAY_LINE_SELF_NS:
		return id <= t->m.nr_lines ? time_of_line(s, t->lines[id - 1] + 1) : 0;
	case OVERLAY_BLOCK:
		return shown_of_block(s, id);
	case OVERLAY_BLOCK_LACKS:
		return block_lacks(l, id);
	case OVERLAY_LINE:
		return id <= t->m.nr_lines ? shown_of_line(s, t->lines[id - 1] + 1) : 0;
	case OVERLAY_LINE_LACKS:
		return id <= t->m.nr_lines && line_lacks(s, t->lines[id - 1] + 1);
	case OVERLAY_ARC:
	case OVERLAY_ARC_LO:
	case OVERLAY_ARC_HI:
	case OVERLAY_ARC_ESTIMATED:
		return id <= t->m.nr_arcs ? shown_of_arc(s, figure, id) : 0;
	case OVERLAY_RUN_CPU_NS:
		return shown(s, s->now.cpu_ns, begin_of(s)->cpu_ns);
	case OVERLAY_RUN_WALL_NS:
		return wall_ns(s);
	case OVERLAY_FILE:
	case OVERLAY_FILE_SELF_NS:
	case OVERLAY_FILE_EXECUTED:
		return id <= t->m.nr_files ? shown_of_file(s, figure, t->files[id - 1] + 1) : 0;
	}
	return 0;
}

static struct thread_figures
thread_in(const struct moment *m, size_t thread)
{
	return thread < m->nr_threads ? m->threads[thread] : (struct thread_figures){ .cpu_ns = 0 };
}

size_t
live_shown_threads(const struct live_shown *s, struct overlay_thread **threads)
{
	struct overlay_thread *to = xcalloc(s->now.nr_threads + 1, sizeof(*to));

	for (size_t i = 0; i < s->now.nr_threads; i++) {
		const struct raw_thread *t = &s->l->threads[i].now;
		const struct thread_figures now = thread_in(&s->now, i);
		const struct thread_figures before = thread_in(begin_of(s), i);

		to[i] = (struct overlay_thread){
			.pid = t->pid, .tid = t->tid, .threads = t->more_threads + (uint64_t)1,
			.cpu_ns = shown(s, now.cpu_ns, before.cpu_ns),
			.samples = shown(s, now.samples, before.samples),
			.lost_samples = shown(s, now.lost_samples, before.lost_samples),
			.wait_ns = shown(s, now.wait_ns, before.wait_ns),
			.delay_ns = shown(s, now.delay_ns, before.delay_ns),
		};
		memcpy(to[i].name, t->name, sizeof(t->name));
	}
	*threads = to;
	return s->now.nr_threads;
}

#define RAISE(max, value) do { if ((value) > (max)) (max) = (value); } while (0)

void
live_shown_totals(const struct live_shown *s, struct profile_totals *t, uint64_t *calls,
		  int64_t space[NR_OVERLAY_SPACE])
{
	const struct model *m = &s->l->m;

	memset(space, 0, NR_OVERLAY_SPACE * sizeof(*space));
	t->self_ns = t->blocks_executed = t->calls = t->max_block_count = 0;
	t->max_procedure_total_ns = *calls = 0;
	for (model_id i = 1; i <= m->nr_procedures; i++) {
		t->self_ns += (uint64_t)shown_of_procedure(s, OVERLAY_SELF_NS, i);
		*calls = count_add(*calls, (uint64_t)shown_of_procedure(s, OVERLAY_CALLS, i));
		RAISE(t->max_procedure_total_ns,
		      (uint64_t)shown_of_procedure(s, OVERLAY_TOTAL_NS, i));
		for (int k = 0; s->l->has_space && k < NR_OVERLAY_SPACE; k++)
			space[k] += shown_of_memory(s, OVERLAY_LIVE + k, i);
	}
	for (model_id i = 1; i <= m->nr_blocks; i++) {
		uint64_t count = (uint64_t)shown_of_block(s, i);

		t->blocks_executed = count_add(t->blocks_executed, count);
		RAISE(t->max_block_count, count);
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		t->calls = count_add(t->calls,
				     (uint64_t)shown_of_block(s, m->sites[i].block));
	t->max_line_count = t->max_block_count;
	t->self_samples = t->self_ns; /* what it rests on is not told apart */
	t->max_line_self_ns = 0;
	if (s->l->sampled) {
		t->self_samples /= m->runs[0].interval_ns;
		for (model_id i = 1; s->tables && i <= s->tables->m.nr_lines; i++)
			RAISE(t->max_line_self_ns, (uint64_t)time_of_line(s, i));
	}
	t->run.cpu_ns = (uint64_t)shown(s, s->now.cpu_ns, begin_of(s)->cpu_ns);
	t->run.samples = s->l->stacks;
	t->nr_threads = (uint32_t)s->l->sums.threads;
}

/* ---- two states as profiles ---- */

/* The range of a block, a line of a procedure, has its number. */
static void
set_times(struct live_shown *s)
{
	struct model *m = &s->l->m;

	for (size_t i = 0; i < m->nr_blocks; i++)
		m->blocks[i].self_ns = m->ranges[i].self_ns = (uint64_t)time_of_slot(s, i);
	for (model_id i = 1; i <= s->tables->m.nr_lines; i++)
		m->lines[i - 1].self_ns = (uint64_t)time_of_line(s, i);
}

/* Sets the figures of the tables to those that S shows. */
static void
set_figures(struct live_shown *s)
{
	struct model *m = &s->l->m;

	if (s->l->sampled)
		set_times(s);
	for (model_id i = 1; i <= m->nr_procedures; i++) {
		struct model_procedure *p = &m->procedures[i - 1];

		p->calls = (uint64_t)shown_of_procedure(s, OVERLAY_CALLS, i);
		p->self_ns = p->own_ns = (uint64_t)shown_of_procedure(s, OVERLAY_SELF_NS, i);
		p->total_ns = (uint64_t)shown_of_procedure(s, OVERLAY_TOTAL_NS, i);
		p->lacking = (uint64_t)live_shown_figure(s, OVERLAY_CALLS_LACK, i);
		for (int k = 0; s->l->has_space && k < NR_OVERLAY_SPACE; k++)
			figure_self(m, &p->figures, s->l->space_slots[k],
				    shown_of_memory(s, OVERLAY_LIVE + k, i));
	}
	for (model_id i = 1; !s->l->sampled && i <= m->nr_blocks; i++) {
		m->blocks[i - 1].count = (uint64_t)shown_of_block(s, i);
		m->blocks[i - 1].lacking = block_lacks(s->l, i);
	}
	for (size_t i = 0; i < m->nr_sites; i++) {
		m->sites[i].count = m->blocks[m->sites[i].block - 1].count;
		m->sites[i].lacking = m->blocks[m->sites[i].block - 1].lacking;
	}
	for (model_id i = 1; !s->l->sampled && i <= m->nr_lines; i++) {
		m->lines[i - 1].count = (uint64_t)shown_of_line(s, i);
		m->lines[i - 1].lacking = line_lacks(s, i);
	}
	for (size_t i = 0; i < s->tables->m.nr_arcs; i++) {
		struct model_arc *a = &s->tables->m.arcs[i];
		struct arc_shown of = a->site ? arc_of_site(s, a) : arc_from_outside(s, a);

		a->count = (uint64_t)of.count;
		a->lo = (uint64_t)of.lo;
		a->hi = (uint64_t)of.hi;
		a->how = of.estimated ? ARC_ESTIMATED : ARC_SOLVED;
	}
	m->runs[0].cpu_ns = (uint64_t)shown(s, s->now.cpu_ns, begin_of(s)->cpu_ns);
}

/* The figures of NOW, less those of BEFORE if they are rates, as a profile. */
static struct profile *
open_state(const struct live_shown *s, struct moment now, struct moment before, const char *name,
	   struct error *err)
{
	const struct made_of of = {
		.path = name, .name = name,
		.only = s->state.rate ? "what a second brought" : "what looks saw",
	};
	struct live_shown state = *s;

	state.site.site = 0;
	state.now = now;
	state.before = before;
	set_figures(&state);
	return profile_open_model(&s->tables->m, &of, NULL, err);
}

int
live_shown_states(struct live_shown *s, struct profile *states[2], struct error *err)
{
	const struct moment none = { .at_ns = 0 };
	struct live_shown empty = *s;
	struct moment last = none;

	if (!s->kept.at_ns)
		return error_set(err, "nothing has stood still yet");
	if (s->looked_ns <= s->kept.at_ns)
		return error_set(err, "no look has come since");
	if (s->l->sampled)
		live_tables_renew(s->tables);
	else if (live_shown_has_more(s))
		return error_set(err, "other tables are coming");
	moment_take(&last, s->l, s->looked_ns);
	states[0] = open_state(s, s->kept, s->before_kept, "frozen", err);
	states[1] = states[0] ? open_state(s, last, s->kept, "now", err) : NULL;
	if (!states[1])
		profile_close(states[0]);
	moment_release(&last);
	empty.site.site = 0;
	empty.now = empty.before = empty.zero = none;
	set_figures(&empty);
	return states[1] ? 0 : -1;
}
