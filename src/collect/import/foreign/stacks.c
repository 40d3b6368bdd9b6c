/* Stacks are kept as a tree from the outside in: one node for each different stack of frames. */
#include "collect/import/foreign/stacks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/foreign/definition.h"
#include "collect/import/foreign/line_rows.h"
#include "collect/import/foreign/stacks_frames.h"
#include "collect/import/track_log.h"
#include "util/keys.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/text/path.h"

/* SAMPLES: 0 where it is not known how many the weight is of. */
struct amount { uint64_t samples; int64_t weight; };

/* Of stacks that end in a node. */
struct own_amount {
	struct amount of;
	int event;
	struct own_amount *next;   /* of the next event that they have */
};

struct node {
	uint32_t parent, frame;    /* number + 1 of the node; of the frame */
	struct own_amount *own;    /* NULL: no stack ends here */
	uint64_t calls;            /* see stacks_call() */
	bool bare;                 /* nothing is known of it, nor of any stack that it leads to */
	/* When the model is made: the context of its innermost procedure, and where that is. */
	model_id context, procedure, file;
	uint32_t line, column;
};

/* NEGATIVE: some weights are below 0. */
struct event {
	const char *name, *unit, *title;
	uint64_t period;
	bool ns, exact, detail, negative;
	struct amount all;
};
struct thread { uint32_t pid, tid; const char *name; struct amount time; };

struct stacks {
	struct arena arena;
	struct frames frames;
	struct node *nodes;
	size_t nr_nodes, nodes_alloc;
	struct keys node_keys, thread_keys;
	struct event events[STACKS_MAX_EVENTS];
	int nr_events;
	struct thread *threads;
	size_t nr_threads, threads_alloc;
	uint64_t samples, cut;
	struct track_log times;    /* of the first event that is time; stacks are nodes */
	bool counts_calls, without_calls;
	bool spots_only;           /* see stacks_spots_only() */
	bool full;                 /* there are more events than are kept */
};

struct stacks *
stacks_new(void)
{
	struct stacks *s = xcalloc(1, sizeof(*s));

	s->arena = (struct arena)ARENA_INIT;
	frames_init(&s->frames);
	return s;
}

void
stacks_free(struct stacks *s)
{
	frames_release(&s->frames);
	keys_release(&s->node_keys);
	keys_release(&s->thread_keys);
	track_log_release(&s->times);
	free(s->nodes);
	free(s->threads);
	arena_release(&s->arena);
	free(s);
}

/* ---- adding ---- */

static bool
is_text(const char *a, struct stacks_text b)
{
	return strlen(a) == b.length && !memcmp(a, b.at, b.length);
}

int
stacks_event(struct stacks *s, const struct stacks_event *event)
{
	struct stacks_text name = event->name, unit = event->unit;
	int i = 0;

	while (i < s->nr_events &&
	       !(is_text(s->events[i].name, name) && is_text(s->events[i].unit, unit)))
		i++;
	if (i == STACKS_MAX_EVENTS) {
		s->full = true;
		return -1;
	}
	if (i == s->nr_events)
		s->events[s->nr_events++] = (struct event){
			.name = arena_strndup(&s->arena, name.at, name.length),
			.unit = arena_strndup(&s->arena, unit.at, unit.length),
			.period = event->period,
			.ns = unit.length == 2 && !memcmp(unit.at, "ns", 2),
		};
	return i;
}

void
stacks_counted(struct stacks *s, int event, const char *title, bool detail)
{
	s->events[event].title = arena_strdup(&s->arena, title);
	s->events[event].exact = true;
	s->events[event].detail = detail;
}

static void
amount_add(struct amount *a, const struct stacks_value *v)
{
	a->samples = count_add(a->samples, v->samples);
	a->weight = measure_combine(COMBINE_SUM, a->weight, v->weight);
}

/* Returns the number + 1 of the node of FRAME below PARENT. */
static uint32_t
node_of(struct stacks *s, uint32_t parent, uint32_t frame)
{
	bool is_new;
	uint32_t i = keys_number(&s->node_keys, KEY(parent, frame), &is_new);

	if (is_new) {
		GROW(s->nodes, s->nr_nodes + 1, s->nodes_alloc);
		s->nodes[s->nr_nodes++] = (struct node){ .parent = parent, .frame = frame };
	}
	return i + 1;
}

uint32_t
stacks_thread(struct stacks *s, uint32_t pid, uint32_t tid, struct stacks_text name)
{
	bool is_new;
	uint32_t i = keys_number(&s->thread_keys, KEY(pid, tid), &is_new);

	if (is_new) {
		GROW(s->threads, s->nr_threads + 1, s->threads_alloc);
		s->threads[s->nr_threads++] = (struct thread){
			.pid = pid, .tid = tid,
			.name = arena_strndup(&s->arena, name.at, name.length),
		};
	}
	return i;
}

void
stacks_name_thread(struct stacks *s, uint32_t thread, struct stacks_text name)
{
	s->threads[thread].name = arena_strndup(&s->arena, name.at, name.length);
}

void
stacks_forget(struct stacks *s)
{
	s->nr_nodes = s->nr_threads = 0;
	keys_release(&s->node_keys);
	keys_release(&s->thread_keys);
	track_log_release(&s->times);
	s->samples = s->cut = 0;
	s->counts_calls = false;
	for (int i = 0; i < s->nr_events; i++) {
		s->events[i].all = (struct amount){ 0 };
		s->events[i].negative = false;
	}
}

uint32_t
stacks_frame(struct stacks *s, const struct stacks_frame *frame, bool caller, uint32_t into)
{
	return frames_add(&s->frames, frame, caller, frame->inlined ? into : 0);
}

uint32_t
stacks_onto(struct stacks *s, uint32_t node, uint32_t frame)
{
	return node_of(s, node, frame);
}

uint32_t
stacks_below(struct stacks *s, uint32_t node, const struct stacks_frame *frame)
{
	return node_of(s, node, stacks_frame(s, frame, false, 0));
}

void
stacks_call(struct stacks *s, uint32_t node, uint64_t calls)
{
	s->counts_calls = !s->without_calls;
	s->nodes[node - 1].calls = count_add(s->nodes[node - 1].calls, calls);
}

void
stacks_without_calls(struct stacks *s)
{
	s->without_calls = true;
	s->counts_calls = false;
}

void
stacks_spots_only(struct stacks *s)
{
	s->spots_only = true;
}

uint32_t
stacks_keep(struct stacks *s, struct stacks_text text)
{
	return frames_text(&s->frames, text);
}

struct stacks_text
stacks_kept(const struct stacks *s, uint32_t number)
{
	const char *text = s->frames.texts[number];

	return (struct stacks_text){ text, strlen(text) };
}

void
stacks_value(struct stacks *s, uint32_t node, uint32_t thread, const struct stacks_value *v)
{
	struct event *e = &s->events[v->event];
	struct own_amount **own;

	e->negative |= v->weight < 0;
	amount_add(&e->all, v);
	if (e->ns)
		amount_add(&s->threads[thread].time, v);
	if (!node)
		return;
	own = &s->nodes[node - 1].own;
	while (*own && (*own)->event != v->event)
		own = &(*own)->next;
	if (!*own) {
		*own = arena_alloc(&s->arena, sizeof(**own));
		(*own)->event = v->event;
	}
	amount_add(&(*own)->of, v);
}

/* Returns the first event that is time; nr_events: none is. */
static int
first_time(const struct stacks *s)
{
	int e = 0;

	while (e < s->nr_events && !s->events[e].ns)
		e++;
	return e;
}

void
stacks_value_at(struct stacks *s, uint32_t node, uint32_t thread, const struct stacks_value *v,
		const struct stacks_when *when)
{
	stacks_value(s, node, thread, v);
	if (node && when && v->weight >= 0 && v->samples == 1 && v->event == first_time(s))
		track_log_add(&s->times, thread, node, when->ns, (uint64_t)v->weight,
			      when->kernel ? TRACK_KERNEL : 0);
}

bool
stacks_repeats(const struct stacks_frame *a, const struct stacks_frame *b)
{
	return (a->address || !a->symbol.length) && a->address == b->address && !a->in_file &&
	       !a->inlined && !b->inlined && a->symbol.length == b->symbol.length &&
	       !memcmp(a->symbol.at, b->symbol.at, a->symbol.length);
}

void
stacks_add(struct stacks *s, const struct stacks_sample *x)
{
	size_t nr = x->nr_frames < STACKS_MAX_FRAMES ? x->nr_frames : STACKS_MAX_FRAMES;
	uint32_t node = 0, physical = 0;

	for (size_t i = nr; i-- > 0;) {
		const struct stacks_frame *f = &x->frames[i];
		size_t inner = i;

		if (i == 1 && stacks_repeats(f - 1, f))
			continue;
		/* Frames that are inlined into the innermost one are no callers either. */
		while (inner && x->frames[inner - 1].inlined)
			inner--;
		physical = stacks_frame(s, f, inner > 0 && i > 0, physical);
		node = node_of(s, node, physical);
		physical = f->inlined ? s->frames.items[physical].into : physical;
	}
	s->cut += !x->cut && nr < x->nr_frames;
	stacks_add_to(s, node, x);
}

void
stacks_add_to(struct stacks *s, uint32_t node, const struct stacks_sample *x)
{
	uint32_t thread = stacks_thread(s, x->pid, x->tid, x->name);

	s->samples++;
	s->cut += x->cut;
	for (size_t i = 0; i < x->nr_values; i++)
		stacks_value_at(s, node, thread, &x->values[i], x->when);
}

void
stacks_build(struct stacks *s, struct stacks_text module, const uint8_t *id, size_t length)
{
	frames_build(&s->frames, module, id, length);
}

void
stacks_program(struct stacks *s, struct stacks_text program, uint64_t loaded)
{
	s->frames.program = frames_text(&s->frames, program);
	s->frames.loaded = loaded;
}

/* ---- the model ---- */

struct maker {
	struct stacks *s;
	struct model *m;
	struct line_rows rows;
	struct keys contexts, arcs;
	int time;                  /* the event that is time; -1: none */
	int slot[STACKS_MAX_EVENTS]; /* of measures; -1: it is none */
	/* By procedure, line, site: the last context whose total it has. */
	model_id *procedure_stamp, *line_stamp, *site_stamp, stamp;
};

static model_id
context_of(struct maker *k, model_id parent, model_id procedure, model_id site, model_id block)
{
	bool is_new;
	uint32_t i = keys_number(&k->contexts, KEY(parent, procedure, site, block), &is_new);

	if (is_new)
		*MODEL_ADD(k->m, contexts) = (struct model_context){
			.parent = parent, .procedure = procedure, .site = site, .block = block,
		};
	return i + 1;
}

/* Returns the place where N's procedure calls, or has the code of another one in it. */
static model_id
site_of(struct maker *k, const struct node *n, bool inlined)
{
	return line_rows_site(&k->rows, n->procedure, n->file, n->line, n->column,
			      inlined ? SITE_INLINED : SITE_UNKNOWN);
}

/* N's calls are counted: from SITE, or, where that is 0, from outside. */
static void
add_calls(struct maker *k, const struct node *n, model_id site)
{
	uint64_t *calls = &k->m->procedures[n->procedure - 1].calls;
	bool is_new;
	uint32_t i;

	*calls = count_add(*calls, n->calls);
	if (!site)
		return;
	k->m->sites[site - 1].count = count_add(k->m->sites[site - 1].count, n->calls);
	i = keys_number(&k->arcs, KEY(site, n->procedure), &is_new);
	if (is_new)
		*MODEL_ADD(k->m, arcs) = (struct model_arc){
			.site = site, .callee = n->procedure,
		};
	k->m->arcs[i].measured = count_add(k->m->arcs[i].measured, n->calls);
}

/* Makes the contexts of node N, whose parent has its own: one for each procedure of its frame. */
static void
make_contexts(struct maker *k, struct node *n)
{
	const struct frame *f = &k->s->frames.items[n->frame];
	const struct node *up = n->parent ? &k->s->nodes[n->parent - 1] : NULL;
	struct node at = { .context = 0 };
	model_id site = 0;

	if (up) {
		at.context = up->context;
		at.procedure = up->procedure;
		at.file = up->file;
		at.line = up->line;
		at.column = up->column;
	}
	for (size_t i = 0; i < f->nr_parts; i++) {
		const struct frame_part *p = &k->s->frames.parts[f->first_part + i];

		if (!n->bare) {
			site = at.procedure ? site_of(k, &at, i || f->inlined) : 0;
			at.context = context_of(k, at.context, p->procedure, site, 0);
		} else {
			line_rows_block(&k->rows, p->procedure, p->file, p->line);
		}
		at.procedure = p->procedure;
		at.file = p->file;
		at.line = p->line;
		at.column = p->column;
	}
	n->context = at.context;
	n->procedure = at.procedure;
	n->file = at.file;
	n->line = at.line;
	n->column = at.column;
	if (n->calls && k->s->counts_calls)
		add_calls(k, n, site);
}

/* Adds amounts of time, or of another event, to the self, or TOTAL, figures of a row. */
#define ADD(row, what, event, amount)                                                        \
	do {                                                                                 \
		if ((event) == k->time) {                                                    \
			(row)->what##_samples = count_add((row)->what##_samples,             \
							  (amount)->samples);                \
			(row)->what##_ns = count_add((row)->what##_ns,                       \
						     (uint64_t)(amount)->weight);            \
		} else if (k->slot[event] >= 0) {                                            \
			figure_##what(k->m, &(row)->figures, (unsigned)k->slot[event],       \
				      (amount)->weight);                                     \
		}                                                                            \
	} while (0)

/* The stacks that end in node N: they are N's own. */
static void
count_self(struct maker *k, const struct node *n)
{
	model_id block = line_rows_block(&k->rows, n->procedure, n->file, n->line);
	const struct model_context *c = &k->m->contexts[n->context - 1];
	model_id leaf = context_of(k, c->parent, c->procedure, c->site, block);

	for (const struct own_amount *own = n->own; own; own = own->next) {
		const struct amount *a = &own->of;
		int e = own->event;

		ADD(&k->m->contexts[leaf - 1], self, e, a);
		ADD(&k->m->procedures[n->procedure - 1], self, e, a);
		if (!block)
			continue;
		ADD(&k->m->blocks[block - 1], self, e, a);
		ADD(line_rows_range(&k->rows, block, n->column), self, e, a);
		ADD(line_rows_line(&k->rows, n->file, n->line), self, e, a);
	}
}

/* A total has each stack once, however often it is on it. */
static bool
is_first(model_id *stamps, size_t i, model_id stamp)
{
	bool first = stamps[i] != stamp;

	stamps[i] = stamp;
	return first;
}

static void
count_line(struct maker *k, const struct place *place, model_id stamp, int event,
	   const struct amount *a)
{
	struct model_line *l;

	if (!place->file)
		return;
	l = line_rows_line(&k->rows, place->file, place->line);
	if (is_first(k->line_stamp, (size_t)(l - k->m->lines), stamp)) {
		l->total_samples = count_add(l->total_samples, event == k->time ? a->samples : 0);
		l->total_ns = count_add(l->total_ns,
					event == k->time ? (uint64_t)a->weight : 0);
	}
}

/* The stacks that end in N count to all that are on them. STAMP: theirs alone. */
static void
count_totals(struct maker *k, const struct node *n, int event, const struct amount *a,
	     model_id stamp)
{
	model_id block = line_rows_block(&k->rows, n->procedure, n->file, n->line);
	const struct model_context *top = &k->m->contexts[n->context - 1];
	model_id at = context_of(k, top->parent, top->procedure, top->site, block);

	if (block)
		count_line(k, &k->m->blocks[block - 1].place, stamp, event, a);
	for (; at; at = k->m->contexts[at - 1].parent) {
		struct model_context *c = &k->m->contexts[at - 1];
		struct model_site *s = c->site ? &k->m->sites[c->site - 1] : NULL;

		ADD(c, total, event, a);
		if (is_first(k->procedure_stamp, c->procedure - 1, stamp))
			ADD(&k->m->procedures[c->procedure - 1], total, event, a);
		if (s && is_first(k->site_stamp, c->site - 1, stamp)) {
			ADD(s, total, event, a);
			count_line(k, &s->place, stamp, event, a);
		}
	}
}

/* Nodes stand behind those that they are below. */
static void
find_bare(struct stacks *s)
{
	size_t i;

	for (i = 0; i < s->nr_nodes; i++)
		s->nodes[i].bare = true;
	for (i = s->nr_nodes; i-- > 0;) {
		struct node *n = &s->nodes[i];

		n->bare = n->bare && !n->own && !n->calls;
		if (!n->bare && n->parent)
			s->nodes[n->parent - 1].bare = false;
	}
}

static void
make_rows(struct maker *k)
{
	struct stacks *s = k->s;
	struct node *n;

	if (s->spots_only)
		find_bare(s);
	for (n = s->nodes; n < s->nodes + s->nr_nodes; n++)
		make_contexts(k, n);
	for (n = s->nodes; n < s->nodes + s->nr_nodes; n++)
		if (n->own)
			count_self(k, n);
	k->procedure_stamp = xcalloc(k->m->nr_procedures + 1, sizeof(model_id));
	k->line_stamp = xcalloc(k->m->nr_lines + 1, sizeof(model_id));
	k->site_stamp = xcalloc(k->m->nr_sites + 1, sizeof(model_id));
	for (n = s->nodes; n < s->nodes + s->nr_nodes; n++)
		for (const struct own_amount *own = n->own; own; own = own->next)
			count_totals(k, n, own->event, &own->of, ++k->stamp);
}

/* ---- times ---- */

static void
log_line(struct maker *k, const struct place *place)
{
	size_t i;

	if (!place->file)
		return;
	i = (size_t)(line_rows_line(&k->rows, place->file, place->line) - k->m->lines);
	if (is_first(k->line_stamp, i, k->stamp))
		track_log_entry(&k->s->times, PART_LINE_TOTAL_SAMPLES, (model_id)i + 1);
}

/* Tells what the stacks that end in N count for: what count_self() and count_totals() do. */
static void
log_stack(struct maker *k, const struct node *n)
{
	struct track_log *l = &k->s->times;
	model_id block = line_rows_block(&k->rows, n->procedure, n->file, n->line);
	const struct model_context *top = &k->m->contexts[n->context - 1];
	model_id at = context_of(k, top->parent, top->procedure, top->site, block);

	k->stamp++;
	track_log_begin(l, (size_t)(n - k->s->nodes) + 1);
	track_log_entry(l, PART_CONTEXT_SAMPLES, at);
	track_log_entry(l, PART_SELF_SAMPLES, n->procedure);
	if (block) {
		size_t line = (size_t)(line_rows_line(&k->rows, n->file, n->line) - k->m->lines);

		track_log_entry(l, PART_RANGE_SAMPLES,
				line_rows_range_id(&k->rows, block, n->column));
		track_log_entry(l, PART_LINE_SAMPLES, (model_id)line + 1);
		log_line(k, &k->m->blocks[block - 1].place);
	}
	for (; at; at = k->m->contexts[at - 1].parent) {
		const struct model_context *c = &k->m->contexts[at - 1];

		if (is_first(k->procedure_stamp, c->procedure - 1, k->stamp))
			track_log_entry(l, PART_TOTAL_SAMPLES, c->procedure);
		if (c->site && is_first(k->site_stamp, c->site - 1, k->stamp)) {
			track_log_entry(l, PART_SITE_SAMPLES, c->site);
			log_line(k, &k->m->sites[c->site - 1].place);
		}
	}
	track_log_end(l);
}

/* The first of all times becomes 0. */
static void
begin_at_first(struct track_log *l)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < l->nr; i++)
		first = l->items[i].at_us < first ? l->items[i].at_us : first;
	for (size_t i = 0; i < l->nr; i++)
		l->items[i].at_us -= first;
}

/* Makes tracks of the times, one for each thread. Behind line_rows_add_points(). */
static void
make_tracks(struct maker *k, bool from_first)
{
	struct stacks *s = k->s;

	if (!s->times.nr || k->time != first_time(s))
		return;
	for (const struct node *n = s->nodes; n < s->nodes + s->nr_nodes; n++)
		if (n->own)
			log_stack(k, n);
	for (size_t i = 0; i < s->nr_threads; i++)
		*MODEL_ADD(k->m, tracks) = (struct model_track){
			.run = 1, .part = 1, .pid = s->threads[i].pid, .tid = s->threads[i].tid,
			.name = arena_strdup(&k->m->arena, s->threads[i].name),
		};
	if (from_first)
		begin_at_first(&s->times);
	track_log_finish(&s->times, k->m);
}

/* The first event that is time is time, unless it is a difference, which can be below 0; any other
 * one is a measure. */
static void
make_measures(struct maker *k)
{
	k->time = -1;
	for (int e = 0; e < k->s->nr_events; e++) {
		const struct event *event = &k->s->events[e];
		char id[MEASURE_NAME_MAX + 1];

		k->slot[e] = -1;
		if (event->ns && !event->negative && k->time < 0) {
			k->time = e;
			continue;
		}
		measure_identifier(event->name, id);
		k->slot[e] = measure_add(k->m, &(struct model_measure){
			.name = id, .title = event->title ? event->title : event->name,
			.label = event->name,
			.unit = event->unit,
			.combine = COMBINE_SUM, .inclusive = INCLUSIVE_STACKS,
			.exact = event->exact, .detail = event->detail,
			.period = event->period || event->negative || !event->all.samples
				  ? event->period
				  : (uint64_t)event->all.weight / event->all.samples,
		});
		if (k->slot[e] < 0)
			model_note(k->m, "samples", "%s has no place in a profile: there is "
				   "another measure of this name", event->name);
	}
}

static const char *
keep(struct model *m, struct stacks_text t)
{
	return arena_strndup(&m->arena, t.at, t.length);
}

static int
compare_pids(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	COMPARE(*x, *y);
	return 0;
}

static uint32_t
nr_processes(const struct stacks *s)
{
	uint32_t *pids = xcalloc(s->nr_threads + 1, sizeof(*pids)), nr = 0;

	for (size_t i = 0; i < s->nr_threads; i++)
		pids[i] = s->threads[i].pid;
	qsort(pids, s->nr_threads, sizeof(*pids), compare_pids);
	for (size_t i = 0; i < s->nr_threads; i++)
		nr += !i || pids[i] != pids[i - 1];
	free(pids);
	return nr;
}

static void
make_run(struct maker *k, const struct stacks_run *from, const char *path)
{
	struct model *m = k->m;
	struct model_run *run = MODEL_ADD(m, runs);
	const struct event *time = k->time < 0 ? NULL : &k->s->events[k->time];
	uint64_t samples = 0;

	for (int e = 0; e < k->s->nr_events; e++)
		samples = count_add(samples, k->s->events[e].all.samples);
	*run = (struct model_run){
		.command = keep(m, from->command), .directory = "", .build_id = "",
		.program = arena_strdup(&m->arena, frames_program(&k->s->frames)),
		.started_ns = from->started_ns, .wall_ns = from->wall_ns,
		.host = keep(m, from->host), .tool = keep(m, from->tool), .exit_status = -1,
		.processes = nr_processes(k->s), .samples = time ? time->all.samples : samples,
	};
	if (!*run->command)
		run->command = *run->program ? run->program : arena_strdup(&m->arena, path);
	if (time) {
		run->cpu_ns = (uint64_t)time->all.weight;
		if (time->all.samples)
			run->interval_ns = run->sample_ns = run->cpu_ns / time->all.samples;
		run->clock = arena_strdup(&m->arena, time->name);
	}
	for (size_t i = 0; i < k->s->nr_threads; i++) {
		const struct thread *t = &k->s->threads[i];

		*MODEL_ADD(m, threads) = (struct model_thread){
			.run = 1, .pid = t->pid, .tid = t->tid,
			.name = arena_strdup(&m->arena, t->name),
			.cpu_ns = time && t->time.weight > 0 ? (uint64_t)t->time.weight : 0,
			.samples = time ? t->time.samples : 0,
		};
	}
	parts_of_whole(m);
}

/* Procedures whose line is not known have no place: the name says the file. */
static void
drop_places(struct model *m, const bool *begins_unknown)
{
	for (size_t i = 0; i < m->nr_procedures; i++) {
		struct model_procedure *p = &m->procedures[i];
		char *name;

		if (!begins_unknown[i] || p->place.line)
			continue;
		name = xasprintf("%s (%s)", p->name, path_base(m->files[p->place.file - 1].path));
		p->name = arena_strdup(&m->arena, name);
		p->place = (struct place){ .file = 0 };
		free(name);
	}
}

/* All calls were counted. */
static void
settle_counted(struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		m->procedures[i].lacking = 0;
	for (size_t i = 0; i < m->nr_sites; i++)
		m->sites[i].lacking = 0;
}

/* Where in the machine code the time of stacks is that end there. */
static void
make_instructions(struct maker *k)
{
	struct keys keys = KEYS_INIT;
	const struct frames *all = &k->s->frames;

	for (struct node *n = k->s->nodes; n < k->s->nodes + k->s->nr_nodes; n++) {
		const struct frame *f = &all->items[n->frame];
		model_id block = line_rows_block(&k->rows, n->procedure, n->file, n->line);
		const struct own_amount *own = n->own;
		bool is_new;
		uint32_t i;

		while (own && own->event != k->time)
			own = own->next;
		if (!own || !f->link)
			continue;
		i = keys_number(&keys, KEY(f->module, (uint32_t)f->link, (uint32_t)(f->link >> 32),
					   n->procedure), &is_new);
		if (is_new)
			*MODEL_ADD(k->m, instructions) = (struct model_instruction){
				.module = arena_strdup(&k->m->arena, all->texts[f->module]),
				.address = f->link, .procedure = n->procedure,
				.range = block ? line_rows_range_id(&k->rows, block, n->column) : 0,
			};
		sampled_add(&k->m->instructions[i].self, &(struct sampled){
			.samples = own->of.samples, .ns = (uint64_t)own->of.weight,
		});
	}
	keys_release(&keys);
}

int
stacks_finish(struct stacks *s, const struct stacks_run *run, const char *path, uid_t uid,
	      struct model *m, struct error *err)
{
	struct maker k = { .s = s, .m = m, .rows = LINE_ROWS_INIT(m) };
	struct stat st = { .st_size = 0 };

	if (!s->samples && !s->nr_nodes) {
		err->pointless |= !err->set;
		return error_set(err, "%s has no samples: there is nothing to show", path);
	}
	if (stat(path, &st))
		st.st_mtim.tv_sec = 0;
	frames_resolve(&s->frames, m, uid,
		       (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec);
	make_measures(&k);
	make_rows(&k);
	if (s->counts_calls)
		settle_counted(m);
	make_run(&k, run, path);
	frames_read_sources(&s->frames);
	definitions_find(m, s->frames.begins_unknown);
	drop_places(m, s->frames.begins_unknown);
	line_rows_add_points(&k.rows);
	make_instructions(&k);
	make_tracks(&k, run->from_first);
	line_rows_set_columns(m);
	if (s->full)
		model_note(m, "samples", "only the first %d events were taken", STACKS_MAX_EVENTS);
	if (s->cut)
		model_note(m, "stacks", "%llu of %llu stacks end where their callers could not "
			   "be found: what called is missing there",
			   (unsigned long long)s->cut, (unsigned long long)s->samples);
	free(k.procedure_stamp);
	free(k.line_stamp);
	free(k.site_stamp);
	keys_release(&k.contexts);
	line_rows_release(&k.rows);
	keys_release(&k.arcs);
	return 0;
}

struct stacks_spot
stacks_spot(const struct stacks *s, uint32_t node)
{
	const struct node *n = &s->nodes[node - 1];

	return (struct stacks_spot){ n->procedure, n->file, n->line };
}
