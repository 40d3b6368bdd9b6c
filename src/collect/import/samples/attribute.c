/* Turns stacks that were read into figures of procedures, ranges, lines, call sites and
 * contexts. */
#include <stdlib.h>
#include <string.h>

#include "collect/import/samples/steps.h"
#include "collect/import/space/allocations.h"
#include "collect/import/space/disposals.h"
#include "util/keys.h"

/* ---- counting samples to procedures ---- */

/* The context in which OWNER, whose blocks they are, is the innermost procedure of a stack. */
struct path_end { model_id owner, context; };

struct account {
	struct resolver *r;
	struct model *m;
	struct steps steps;            /* of the stack at hand */
	/* Number + 1 of the last stack that counted to it. */
	uint32_t *procedure_stack, *site_stack, *line_stack;
	struct index context_index;
	struct keys instructions;      /* of the model: address, procedure, range */
	struct path_end *path_ends;    /* by stack, of those of blocks */
	struct part_entries *parts;    /* NULL: nobody asks */
	struct part_entries *part;     /* of the stack at hand; NULL as well */
	struct disposals disposals;
	struct allocations allocations;
	struct disagreement disagreement;
	int stack_slot;                /* of the measure of stack in use; -1: none */
	struct figures *unprofiled;    /* the arena's; NULL: none */
	model_id runtime;              /* what the runtime took for itself; 0: nothing */
	uint64_t unprofiled_ns, centre_unprofiled_ns;
};

static void
locate(struct account *c, struct level *level)
{
	if (level->located)
		return;
	level->located = true;
	level->range = locate_range(c->r->s->b, level->procedure, level->at);
	level->block = level->range ? c->m->ranges[level->range - 1].block : 0;
	level->line = resolver_line(c->r, level);
}

/* One stack stands for so much, for so many events of a source; and it used so many bytes. */
struct amount {
	struct sampled sampled;
	uint64_t events, used;
	const struct event_slots *slots; /* of the measures that the events count for */
};

static struct sampled
sampled_of(const struct stack *stack)
{
	return (struct sampled){ stack->count, stack->ns, stack->wait_ns };
}

static struct amount
amount_of(struct account *c, const struct stack *stack)
{
	static const struct event_slots none;

	/* The time below calls of allocators is a measure, too. */
	if (!stack->event && c->steps.nr && c->steps.items[0].foreign)
		return (struct amount){
			sampled_of(stack), stack->ns, stack->used,
			space_time_slots(&c->r->s->space, steps_foreign_name(&c->steps, 0)),
		};
	return (struct amount){
		sampled_of(stack), stack->events, stack->used,
		stack->event ? &c->r->s->events.slots[stack->event - 1] : &none,
	};
}

static void
note(struct account *c, enum part_column column, model_id id, uint64_t value)
{
	if (c->part)
		part_add(c->part, column, id, value);
}

static void
note_sampled(struct account *c, enum part_column samples, model_id id, const struct sampled *of)
{
	track_log_entry(&c->r->s->times, samples, id);
	if (c->part)
		part_add_sampled(c->part, samples, id, of);
}

/* Adds what A was sampled with to TO, where the part has its samples in COLUMN of ID. */
static void
count_sampled(struct account *c, struct sampled *to, enum part_column column, model_id id,
	      const struct amount *a)
{
	sampled_add(to, &a->sampled);
	note_sampled(c, column, id, &a->sampled);
}

typedef void figure_function(struct model *m, struct figures **at, unsigned slot, int64_t value);

static void
add_to_figure(struct account *c, figure_function *set, struct figures **at,
	      enum part_figure figure, model_id id, unsigned slot, uint64_t value)
{
	int64_t of = count_figure(value);

	set(c->m, at, slot, of);
	if (id)
		note(c, part_figure(slot, figure), id, (uint64_t)of);
}

/* Adds the events of A by SET to the figures *AT, which the part has as FIGURE of ID (0: none); and
 * the stack in use. Contexts have no stack in use: trees show only what adds up. */
static void
count_events(struct account *c, figure_function *set, struct figures **at,
	     enum part_figure figure, model_id id, const struct amount *a)
{
	unsigned i;

	for (i = 0; i < a->slots->nr; i++)
		add_to_figure(c, set, at, figure, id, a->slots->slots[i], a->events);
	if (c->stack_slot >= 0 && figure != FIGURE_OF_CONTEXT)
		add_to_figure(c, set, at, figure, id, (unsigned)c->stack_slot, a->used);
}

static void
count_instruction(struct account *c, const struct level *level, const struct sampled *of)
{
	const struct address *a = &c->r->s->addresses[level->address - 1];
	bool is_new;
	uint32_t i = keys_number(&c->instructions, KEY(level->address, level->procedure,
						       level->range), &is_new);

	if (is_new)
		*MODEL_ADD(c->m, instructions) = (struct model_instruction){
			.module = arena_strdup(&c->m->arena, c->r->s->modules[a->module].path),
			.address = a->address, .procedure = level->procedure,
			.range = level->range,
		};
	sampled_add(&c->m->instructions[i].self, of);
}

static void
count_self(struct account *c, struct level *level, const struct amount *a)
{
	struct model_procedure *p = &c->m->procedures[level->procedure - 1];
	struct model_range *r;
	struct model_block *b;

	locate(c, level);
	count_sampled(c, &p->self, PART_SELF_SAMPLES, level->procedure, a);
	count_events(c, figure_self, &p->figures, FIGURE_OF_PROCEDURE, level->procedure, a);
	if (level->range) {
		r = &c->m->ranges[level->range - 1];
		count_sampled(c, &r->self, PART_RANGE_SAMPLES, level->range, a);
		count_events(c, figure_self, &r->figures, FIGURE_OF_RANGE, level->range, a);
		b = &c->m->blocks[level->block - 1];
		sampled_add(&b->self, &a->sampled);
		count_events(c, figure_self, &b->figures, FIGURE_OF_RANGE, 0, a);
	}
	if (level->address && (a->sampled.samples || a->sampled.wait_ns))
		count_instruction(c, level, &a->sampled);
	if (level->line) {
		count_sampled(c, &level->line->self, PART_LINE_SAMPLES,
			      (model_id)(level->line - c->m->lines) + 1, a);
		count_events(c, figure_self, &level->line->figures, FIGURE_OF_LINE,
			     (model_id)(level->line - c->m->lines) + 1, a);
	}
}

static bool
context_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct model_context *x = &((const struct model *)ctx)->contexts[item], *k = key;

	return x->parent == k->parent && x->procedure == k->procedure && x->site == k->site;
}

static model_id
context(struct account *c, model_id parent, model_id procedure, model_id site)
{
	struct model_context key = { .parent = parent, .procedure = procedure, .site = site };
	uint64_t h = hash_number(hash_number(hash_number(HASH_START, parent), procedure), site);
	uint32_t i = index_find(&c->context_index, h, context_equal, c->m, &key);

	if (i == INDEX_NONE) {
		i = (uint32_t)c->m->nr_contexts;
		*MODEL_ADD(c->m, contexts) = key;
		index_add(&c->context_index, h, i);
	}
	return i + 1;
}

static void
count_line(struct account *c, const struct level *level, uint32_t stamp, const struct amount *a)
{
	size_t i = level->line ? (size_t)(level->line - c->m->lines) : 0;

	if (!level->line || c->line_stack[i] == stamp)
		return;
	c->line_stack[i] = stamp;
	level->line->total_samples += a->sampled.samples;
	level->line->total_ns += a->sampled.ns;
	note_sampled(c, PART_LINE_TOTAL_SAMPLES, (model_id)i + 1, &a->sampled);
}

/* Totals, once per stack however often a procedure, a line or a site is on it. */
static void
count_total(struct account *c, struct level *level, model_id site, uint32_t stamp,
	    const struct amount *a)
{
	struct model_procedure *p = &c->m->procedures[level->procedure - 1];

	locate(c, level);
	count_line(c, level, stamp, a);
	if (c->procedure_stack[level->procedure - 1] != stamp) {
		c->procedure_stack[level->procedure - 1] = stamp;
		count_sampled(c, &p->total, PART_TOTAL_SAMPLES, level->procedure, a);
		count_events(c, figure_total, &p->figures, FIGURE_BELOW_PROCEDURE,
			     level->procedure, a);
	}
	if (site && c->site_stack[site - 1] != stamp) {
		c->site_stack[site - 1] = stamp;
		count_sampled(c, &c->m->sites[site - 1].total, PART_SITE_SAMPLES, site, a);
		count_events(c, figure_total, &c->m->sites[site - 1].figures, FIGURE_BELOW_SITE,
			     site, a);
	}
}

/* Two frames stand one on the other: CALLER's, at SITE, and CALLEE's. What the compiler split off
 * from a procedure may be reached without it, and what it brought into one has no frame. */
static void
note_call(struct account *c, const struct stack *stack, const struct level *caller,
	  const struct level *callee, model_id site)
{
	if (stack->walked && caller->innermost && caller->sure && callee->outermost &&
	    c->m->sites[site - 1].kind == SITE_INDIRECT)
		seen_calls_note(&c->r->seen, site, callee->procedure);
}

/* Returns the procedure whose self time it is. */
static model_id
count_stack(struct account *c, const struct stack *stack, uint32_t stamp)
{
	const struct amount a = amount_of(c, stack);
	size_t self = 0, first = c->steps.items[0].foreign && !c->steps.items[0].level, i;
	model_id node = 0, site = 0;
	struct level *level;

	while (c->steps.items[self].foreign) /* code that was profiled is further out */
		self++;
	for (i = c->steps.nr; i-- > first;) {
		level = c->steps.items[i].level;
		node = context(c, node, level ? level->procedure : 0, site);
		sampled_add(&c->m->contexts[node - 1].total, &a.sampled);
		count_events(c, figure_total, &c->m->contexts[node - 1].figures, FIGURE_OF_CONTEXT,
			     0, &a);
		site = 0;
		if (!level)
			continue;
		if (i > 0 && !c->steps.items[i].foreign)
			site = steps_site(&c->steps, level, steps_callee(&c->steps, i));
		if (site && c->steps.items[i - 1].level && !c->steps.items[i - 1].foreign)
			note_call(c, stack, level, c->steps.items[i - 1].level, site);
		count_total(c, level, site, stamp, &a);
	}
	count_sampled(c, &c->m->contexts[node - 1].self, PART_CONTEXT_SAMPLES, node, &a);
	count_events(c, figure_self, &c->m->contexts[node - 1].figures, FIGURE_OF_CONTEXT, node,
		     &a);
	count_self(c, c->steps.items[self].level, &a);
	return c->steps.items[self].level->procedure;
}

/* Counts STACK; all that is known of it is its PROCEDURE, which the tree has as IN. Returns its
 * context. */
static struct model_context *
count_alone(struct account *c, const struct stack *stack, model_id procedure, model_id in)
{
	model_id node = context(c, 0, in, 0); /* may move the contexts */
	struct model_context *x = &c->m->contexts[node - 1];
	const struct sampled sampled = sampled_of(stack);

	note_sampled(c, PART_CONTEXT_SAMPLES, node, &sampled);
	note_sampled(c, PART_SELF_SAMPLES, procedure, &sampled);
	note_sampled(c, PART_TOTAL_SAMPLES, procedure, &sampled);
	sampled_add(&x->total, &sampled);
	sampled_add(&x->self, &sampled);
	return x;
}

static void
count_unprofiled(struct account *c, const struct stack *stack)
{
	struct model_run *run = &c->m->runs[stack->run - 1];
	model_id unprofiled = (model_id)c->m->nr_procedures + 1; /* see add_unprofiled() */
	struct model_context *x = count_alone(c, stack, unprofiled, 0);
	model_id node = (model_id)(x - c->m->contexts) + 1;
	const struct amount a = amount_of(c, stack);

	c->unprofiled_ns += stack->ns;
	run->unprofiled_samples += stack->count;
	run->unprofiled_wait_ns += stack->wait_ns;
	count_events(c, figure_total, &x->figures, FIGURE_OF_CONTEXT, 0, &a);
	count_events(c, figure_self, &x->figures, FIGURE_OF_CONTEXT, node, &a);
	count_events(c, figure_self, &c->unprofiled, FIGURE_OF_PROCEDURE, unprofiled, &a);
	count_events(c, figure_total, &c->unprofiled, FIGURE_BELOW_PROCEDURE, unprofiled, &a);
}

/* The time of STACK is the runtime's own. */
static void
count_runtime(struct account *c, const struct stack *stack)
{
	struct model_procedure *p = &c->m->procedures[c->runtime - 1];
	const struct sampled sampled = sampled_of(stack);

	count_alone(c, stack, c->runtime, c->runtime);
	sampled_add(&p->self, &sampled);
	sampled_add(&p->total, &sampled);
	if (!c->m->runs[stack->run - 1].centre_samples)
		return;
	note_sampled(c, PART_CENTRE_SAMPLES, c->runtime, &sampled);
	p->centre_samples += stack->count;
	p->centre_ns += stack->ns;
}

/* PC: the procedure by program counter. */
static void
count_centre(struct account *c, const struct stack *stack, model_id pc)
{
	const struct sampled sampled = sampled_of(stack);
	struct model_procedure *p;

	if (stack->count && c->m->runs[stack->run - 1].centre_samples && pc != stack->centre)
		disagreement_add(&c->disagreement, pc, stack->centre, stack->count);
	if (!stack->centre) {
		if (!c->m->runs[stack->run - 1].centre_samples)
			return;
		note_sampled(c, PART_CENTRE_SAMPLES, (model_id)c->m->nr_procedures + 1, &sampled);
		c->centre_unprofiled_ns += stack->ns;
		return;
	}
	note_sampled(c, PART_CENTRE_SAMPLES, stack->centre, &sampled);
	p = &c->m->procedures[stack->centre - 1];
	p->centre_samples += stack->count;
	p->centre_ns += stack->ns;
}

/* Adds the time that belongs to no profiled procedure, as a procedure of its own. */
static void
add_unprofiled(struct account *c)
{
	struct model *m = c->m;
	struct model_procedure all = { .name = UNPROFILED_NAME, .linkage_name = "", .module = "",
				       .flags = PROCEDURE_STATIC | PROCEDURE_ARTIFICIAL,
				       .self.ns = c->unprofiled_ns,
				       .centre_ns = c->centre_unprofiled_ns,
				       .figures = c->unprofiled };
	const struct model_run *r;
	size_t i;

	for (i = 0; i < m->nr_runs; i++) {
		r = &m->runs[i];
		all.self.samples += r->unprofiled_samples;
		all.self.wait_ns += r->unprofiled_wait_ns;
		all.centre_samples += r->centre_unprofiled_samples;
	}
	all.total = all.self;
	if (all.self.samples || all.centre_samples || all.self.wait_ns || c->unprofiled)
		*MODEL_ADD(m, procedures) = all;
}

static bool
is_runtimes(struct account *c, const struct stack *stack)
{
	return !stack->event && stack->count && steps_is_runtime(&c->steps, stack);
}

/* The row of what the runtime took for itself, if there is any. */
static void
add_runtime(struct account *c)
{
	const struct samples *s = c->r->s;
	size_t i = 0;

	while (i < s->nr_stacks && !is_runtimes(c, &s->stacks[i]))
		i++;
	if (i == s->nr_stacks)
		return;
	*MODEL_ADD(c->m, procedures) = (struct model_procedure){
		.name = RUNTIME_NAME, .linkage_name = "", .module = "",
		.flags = PROCEDURE_STATIC | PROCEDURE_ARTIFICIAL,
	};
	c->runtime = (model_id)c->m->nr_procedures;
}

static void
take_part(struct account *c, model_id number)
{
	struct part_entries *part = c->parts ? &c->parts[number - 1] : NULL;

	if (c->part && part != c->part)
		part_sum(c->part, c->m);
	c->part = part;
}

/* Makes figures of stack NUMBER. */
static void
count_one(struct account *c, uint32_t number, uint32_t stamp)
{
	struct track_log *times = &c->r->s->times;
	struct stack stack = c->r->s->stacks[number];
	model_id pc = 0;

	if (stack.event == STACK_OF_BLOCKS)
		return;
	take_part(c, stack.part);
	if (stack.event)
		track_log_end(times);
	else
		track_log_begin(times, 2 * (size_t)number);
	if (c->runtime && is_runtimes(c, &stack)) {
		struct stack own = stack;

		/* What waits there does so for a call of the program's. */
		own.wait_ns = 0;
		count_runtime(c, &own);
		stack.count = stack.ns = stack.used = 0;
		if (!stack.wait_ns)
			return;
		track_log_begin(times, 2 * (size_t)number + 1);
	}
	steps_unfold(&c->steps, &stack);
	if (c->steps.nr)
		pc = count_stack(c, &stack, stamp);
	else
		count_unprofiled(c, &stack);
	count_centre(c, &stack, pc);
	if (!stack.event && stack.wait_ns && times->open == 2 * (size_t)number + 1)
		track_log_same(times, 2 * (size_t)number + 1, 2 * (size_t)number);
}

/* ---- allocations ---- */

/* Of calls at the place of SITE returns one of a procedure in NAMES; else SITE. */
static model_id
twin_of(const struct account *c, model_id site, const char *const *names)
{
	const struct model_site *sites = c->m->sites;

	for (const char *const *name = names;
	     site && *name && !space_is_among(names, sites[site - 1].target); name++) {
		model_id twin = locate_twin(c->r->s->b, site, *name);

		if (twin && !strcmp(sites[twin - 1].target, *name))
			return twin;
	}
	return site;
}

/* A call that wants blocks, or gives some back. */
struct caller {
	struct level *level;           /* the procedure it is in; NULL: not profiled */
	model_id site;                 /* 0: it is not known */
};

/* Returns the procedure out of LEVEL, of A, that called the wrapper there: what was inlined is as
 * if it had not been. */
static struct level *
beyond_wrappers(const struct account *c, const struct address *a, struct level *level)
{
	for (struct level *l = level; l < a->levels + a->nr_levels; l++)
		if (l->procedure && !(c->m->procedures[l->procedure - 1].flags & PROCEDURE_WRAPPER))
			return l;
	return level;
}

/* Returns the innermost profiled procedure that address NUMBER (0: none) is in; NULL: none. */
static struct level *
innermost(const struct account *c, uint32_t number)
{
	struct address *a = number ? &c->r->s->addresses[number - 1] : NULL;

	for (uint32_t i = 0; a && i < a->nr_levels; i++)
		if (a->levels[i].procedure)
			return &a->levels[i];
	return NULL;
}

static void
tell_strange(const struct account *c, const uint64_t *strange)
{
	for (uint32_t i = 1; i <= c->r->s->nr_addresses; i++) {
		const struct level *level = strange[i] ? innermost(c, i) : NULL;

		if (level && level->at.file)
			space_tell_strange(&c->r->s->space, c->m, level->at.file, level->at.line,
					   strange[i]);
	}
}

/* Returns the call that returns to address NUMBER, of one of NAMES or THROUGH other code. The level
 * may become a procedure that was called there and jumped elsewhere as its last act. */
static struct caller
caller_at(struct account *c, uint32_t number, bool through, const char *const *names)
{
	struct caller caller = { .level = innermost(c, number) };
	struct level *missing = NULL;

	if (!caller.level)
		return caller;
	caller.site = steps_site(&c->steps, caller.level, 0);
	/* A program's own allocator is no procedure that jumped to one. */
	if (!caller.site || !space_is_among(names, c->m->sites[caller.site - 1].target))
		missing = steps_missing(&c->steps, caller.level, 0);
	if (missing)
		return (struct caller){ .level = missing };
	if (!through)
		caller.site = twin_of(c, caller.site, names);
	return caller;
}

/* Returns the call of a pool's procedure that is told of by the one that returns to address
 * NUMBER. */
static struct caller
pool_caller_at(const struct account *c, uint32_t number)
{
	struct caller caller = { .level = innermost(c, number) };

	if (caller.level)
		caller.site = locate_pool_site(c->r->s->b, caller.level->procedure,
					       caller.level->at, c->r->c->callee);
	return caller;
}

/* Returns CALLER, at address NUMBER, but of wrappers that were inlined there their caller. */
static struct caller
beyond_inlined(struct account *c, uint32_t number, struct caller caller)
{
	struct level *level = caller.level;

	if (!level || !level->procedure ||
	    !(c->m->procedures[level->procedure - 1].flags & PROCEDURE_WRAPPER))
		return caller;
	level = beyond_wrappers(c, &c->r->s->addresses[number - 1], innermost(c, number));
	if (level == caller.level)
		return caller;
	return (struct caller){ level, steps_site(&c->steps, level, 0) };
}

/* Returns caller_at(), but of wrappers that were inlined there their caller. */
static struct caller
owner_at(struct account *c, uint32_t number, bool through, const char *const *names)
{
	return beyond_inlined(c, number, caller_at(c, number, through, names));
}

static void
count_space(struct account *c, const struct caller *caller, enum space_figure figure,
	    uint64_t value)
{
	struct level *level = caller->level;
	model_id unprofiled = (model_id)c->m->nr_procedures + 1; /* see add_unprofiled() */
	const struct event_slots slot = { { (unsigned)c->r->s->space.slots[figure] }, 1 };
	const struct amount a = { .events = value, .slots = &slot };

	if (c->r->s->space.slots[figure] < 0 || !value)
		return;
	if (level)
		count_self(c, level, &a);
	if (level && caller->site)
		count_events(c, figure_self, &c->m->sites[caller->site - 1].figures,
			     FIGURE_BELOW_SITE, caller->site, &a);
	if (!level)
		count_events(c, figure_self, &c->unprofiled, FIGURE_OF_PROCEDURE, unprofiled, &a);
}

/* Adds D, whose blocks were wanted by OF and given back by BY. */
static void
add_disposal(struct account *c, struct model_disposal d, const struct caller *of,
	     const struct caller *by)
{
	d.site = of->site;
	d.procedure = of->level ? of->level->procedure : 0;
	d.by_site = by->site;
	d.by = by->level ? by->level->procedure : 0;
	if (c->r->s->space.slots[SPACE_FREED] >= 0)
		disposals_add(&c->disposals, c->m, c->part, &d);
}

/* Adds what OF got of size class number CLASS (0: not known). */
static void
add_allocation(struct account *c, struct model_allocation a, unsigned class,
	       const struct caller *of)
{
	a.site = of->site;
	a.procedure = of->level ? of->level->procedure : 0;
	a.size_class = class ? (uint64_t)1 << class : COUNT_UNKNOWN;
	if (c->r->s->space.slots[SPACE_FREED] >= 0)
		allocations_add(&c->allocations, c->m, c->part, &a);
}

/* Adds VALUE to the context. */
static void
count_path(struct account *c, model_id context, unsigned slot, uint64_t value)
{
	if (!value)
		return;
	add_to_figure(c, figure_self, &c->m->contexts[context - 1].figures, FIGURE_OF_CONTEXT,
		      context, slot, value);
	for (model_id up = context; up; up = c->m->contexts[up - 1].parent)
		figure_total(c->m, &c->m->contexts[up - 1].figures, slot, count_figure(value));
}

/* Returns the step of the stack in which OWNER wants the block: inside of it are wrappers, and what
 * the allocator does. nr_steps: there is none. */
static size_t
step_of(const struct account *c, model_id owner)
{
	size_t i = 0;

	while (i < c->steps.nr &&
	       (c->steps.items[i].foreign || c->steps.items[i].level->procedure != owner))
		i++;
	return i;
}

/* Returns the context of the blocks of OWNER (0: unprofiled) that have stack NUMBER. */
static model_id
path_context(struct account *c, uint32_t number, model_id owner)
{
	struct path_end *end = &c->path_ends[number];
	model_id node = 0, site = 0;
	size_t first;

	if (end->context && end->owner == owner)
		return end->context;
	steps_unfold(&c->steps, &c->r->s->stacks[number]);
	first = step_of(c, owner);
	for (size_t i = c->steps.nr; first < c->steps.nr && i-- > first;) {
		struct level *level = c->steps.items[i].level;

		node = context(c, node, level ? level->procedure : 0, site);
		site = level && i > first && !c->steps.items[i].foreign
			       ? steps_site(&c->steps, level, steps_callee(&c->steps, i)) : 0;
	}
	*end = (struct path_end){ owner, node ? node : context(c, 0, owner, 0) };
	return end->context;
}

/* Adds what a cell of OWNER's has to the contexts of its paths. */
static void
count_paths(struct account *c, size_t number, model_id owner)
{
	static const enum space_figure figures[NR_PATH_WEIGHTS] = {
		[PATH_BYTES] = SPACE_BYTES, [PATH_LIVE] = SPACE_LIVE,
	};
	struct space *space = &c->r->s->space;

	for (int by = 0; by < NR_PATH_WEIGHTS && space->paths.period; by++) {
		int slot = space->slots[figures[by]];
		uint64_t value = space->cells[number].figures[figures[by]];
		struct space_share *shares = NULL, whole = { .value = value };
		size_t nr = value && slot >= 0 && owner
				    ? space_paths_share(&space->paths, number,
							(enum path_weight)by, value, &shares) : 0;

		for (size_t i = 0; i < (nr ? nr : 1) && value && slot >= 0; i++) {
			const struct space_share *s = nr ? &shares[i] : &whole;
			model_id node = nr ? path_context(c, s->stack, owner)
					   : context(c, 0, owner, 0);

			count_path(c, node, (unsigned)slot, s->value);
		}
		free(shares);
	}
}

static void
count_cell(struct account *c, const struct space_cell *cell, const struct caller *caller)
{
	static const struct caller nobody;
	const uint64_t *f = cell->figures;
	const struct model_allocation got = {
		.blocks = f[SPACE_ALLOCS], .bytes = f[SPACE_BYTES], .slack_bytes = f[SPACE_SLACK],
		.live_blocks = f[SPACE_LIVE_BLOCKS], .live_bytes = f[SPACE_LIVE],
		.peak_bytes = f[SPACE_PEAK],
	};
	const struct model_disposal never = {
		.how = DISPOSAL_NEVER, .blocks = cell->figures[SPACE_LIVE_BLOCKS],
		.bytes = cell->figures[SPACE_LIVE],
	};

	for (int i = 0; i < NR_SPACE_FIGURES; i++)
		count_space(c, caller, (enum space_figure)i, cell->figures[i]);
	if (never.blocks)
		add_disposal(c, never, caller, &nobody);
	if (got.blocks || got.peak_bytes)
		add_allocation(c, got, cell->size_class, caller);
}

/* Charges who gave back, and whose it was. */
static void
count_pairs(struct account *c)
{
	const struct space *space = &c->r->s->space;

	for (size_t i = 0; i < space->nr_pairs; i++) {
		const struct space_pair *p = &space->pairs[i];
		const struct model_disposal *d = &p->counts;
		struct caller of = owner_at(c, p->of, p->of_through, space_allocators());
		struct caller by = owner_at(c, p->address, p->through, space_disposers());

		take_part(c, p->part);
		count_space(c, &by, SPACE_FREED, d->bytes);
		count_space(c, &by, SPACE_COPIED, d->copied_bytes);
		count_space(c, &of, SPACE_TEMPORARY, d->lives[0]);
		count_space(c, &of, SPACE_AT_EXIT, d->how == DISPOSAL_EXIT ? d->bytes : 0);
		add_disposal(c, *d, &of, &by);
		add_allocation(c, (struct model_allocation){
			.freed_blocks = d->blocks, .freed_bytes = d->bytes,
			.temporary = d->lives[0], .life_bytes = d->life_bytes,
		}, p->size_class, &of);
	}
}

/* Returns where the call stands: the innermost expression, or what is known of it. */
static struct space_end
end_of(struct account *c, const struct caller *caller)
{
	struct level *level = caller->level;
	struct space_end end = { .procedure = 0 };

	if (!level)
		return end;
	locate(c, level);
	end.procedure = level->procedure;
	end.place = (struct place){ level->at.file, level->at.line, level->at.column,
				    level->at.line, level->at.column };
	if (level->range)
		end.place = c->m->ranges[level->range - 1].place;
	return end;
}

/* Returns the producer that CELL is of; 0: it is in code that was not profiled. */
static model_id
producer_of(struct account *c, const struct space_cell *cell, const struct caller *caller)
{
	const struct space_end end = end_of(c, caller);
	const struct model_producer key = {
		.site = caller->site, .through = cell->through, .procedure = end.procedure,
		.place = end.place,
	};

	return end.procedure ? space_producer(&c->r->s->space, c->m, &key) : 0;
}

/* Returns the end of CALLER, with the place of the call itself where it is known. */
static struct space_end
call_of(struct account *c, const struct caller *caller)
{
	struct space_end end = end_of(c, caller);

	if (end.procedure && caller->site && c->m->sites[caller->site - 1].place.file)
		end.place = c->m->sites[caller->site - 1].place;
	return end;
}

/* Adds errors for what had no record, and takes them off the STRANGE, by address, that nothing else
 * is known of. */
static void
count_faults(struct account *c, uint64_t *strange)
{
	const struct space *space = &c->r->s->space;
	uint64_t all = 0;

	for (size_t i = 0; i < space->nr_faults; i++) {
		const struct space_fault *f = &space->faults[i];
		struct caller by = owner_at(c, f->address, f->through, space_disposers());
		struct caller of = owner_at(c, f->of, f->of_through, space_allocators());
		const struct space_end ends[2] = { call_of(c, &by), call_of(c, &of) };
		uint64_t told = space_add_fault(space, c->m, f, &ends[0], &ends[1]);
		uint64_t *left = &strange[f->address];

		*left -= told < *left ? told : *left;
		all = count_add(all, told);
	}
	space_tell_faults(c->m, all);
}

/* What is known of a call: it got blocks as what it returned, or other code did so for it. */
enum { GOT_ITSELF = 1, GOT_THROUGH = 2 };

/* The type of what a call returns is that of the blocks that it gets, if it gets no others. At one
 * place one call cannot be told from another one. */
static void
settle_types(struct account *c, const uint8_t *got, const char *const *made)
{
	struct model *m = c->m;

	for (model_id i = 1; i <= m->nr_sites; i++) {
		struct model_site *site = &m->sites[i - 1];
		model_id twin = got[i - 1] ? locate_twin(c->r->s->b, i, site->target) : 0;

		if (got[i - 1] != GOT_ITSELF)
			continue;
		if (!site->type)
			site->type = made[i - 1];
		if (twin && !strcmp(m->sites[twin - 1].target, site->target))
			site->type = allocations_type(&m->arena, site->type,
						      m->sites[twin - 1].type);
	}
	for (model_id i = 1; i <= m->nr_sites; i++)
		if (got[i - 1] != GOT_ITSELF)
			m->sites[i - 1].type = NULL;
}

/* An operator new in a wrapper, such as that of std::allocator<T>, makes what the wrapper was made
 * for, whatever its caller does with it. Returns that; NULL: it is no such call. */
static const char *
type_made(const struct account *c, const struct caller *maker)
{
	static const char *const news[] = { "_Znwm", "_Znam", NULL };
	const struct model_site *site = maker->site ? &c->m->sites[maker->site - 1] : NULL;

	return site && space_is_among(news, site->target) ? site->type : NULL;
}

static void
note_made(const struct account *c, const char **made, const char *type)
{
	*made = *made ? allocations_type(&c->m->arena, *made, type) : type;
}

/* Does a library's procedure that the call names return what it gets? */
static bool
returns_block(const struct account *c, model_id site)
{
	static const char *const names[] = { "strdup", "strndup", "__strdup", "__strndup", NULL };

	return space_is_among(names, c->m->sites[site - 1].target);
}

/* Adds what OWNER got by the call MAKER of a pool's procedure. */
static void
add_pooled(struct account *c, const struct space_cell *cell, const struct caller *maker,
	   const struct caller *owner)
{
	const uint64_t *f = cell->figures;
	model_id callee = maker->site ? c->r->c->callee[maker->site - 1] : 0;
	const struct model_allocation got = {
		.pool = callee ? c->m->procedures[callee - 1].name
			       : maker->site ? c->m->sites[maker->site - 1].target : "?",
		.blocks = f[SPACE_POOL_ALLOCS], .bytes = f[SPACE_POOL_BYTES],
		.slack_bytes = cell->seen, .live_blocks = cell->left_blocks,
		.live_bytes = f[SPACE_POOL_LEFT], .peak_bytes = f[SPACE_POOL_PEAK],
		.freed_blocks = cell->freed_blocks, .freed_bytes = cell->freed_bytes,
	};

	add_allocation(c, got, 0, owner);
}

/* Charges the calls of pools' procedures with the blocks that they got. */
static void
count_pools(struct account *c, uint64_t *calls, uint8_t *got)
{
	const struct space *space = &c->r->s->space;

	for (size_t i = 0; i < space->nr_pools; i++) {
		const struct space_cell *cell = &space->pools[i];
		struct caller maker = pool_caller_at(c, cell->maker);
		struct caller owner =
			cell->address == cell->maker
				? beyond_inlined(c, cell->maker, maker)
				: owner_at(c, cell->address, true, space_allocators());

		take_part(c, cell->part);
		for (int k = SPACE_POOL_ALLOCS; k <= SPACE_POOL_PEAK; k++)
			count_space(c, &owner, (enum space_figure)k, cell->figures[k]);
		add_pooled(c, cell, &maker, &owner);
		if (maker.site)
			calls[maker.site - 1] += cell->figures[SPACE_POOL_ALLOCS] + cell->empty;
		if (owner.site)
			got[owner.site - 1] |= GOT_ITSELF;
	}
}

/* Charges the procedure, the call and its place with what they have got. */
static void
count_allocations(struct account *c)
{
	struct space *space = &c->r->s->space;
	uint64_t *calls = xcalloc(c->m->nr_sites, sizeof(*calls));
	uint64_t *strange = xcalloc(c->r->s->nr_addresses + 1, sizeof(*strange));
	uint8_t *got = xcalloc(c->m->nr_sites + 1, sizeof(*got));
	const char **made = xcalloc(c->m->nr_sites + 1, sizeof(*made));
	bool *pooled = locate_pooled(c->r->s->b);

	for (size_t i = 0; i < space->nr; i++) {
		struct space_cell *cell = &space->cells[i];
		bool direct = cell->address == cell->maker;
		struct caller maker = caller_at(c, cell->maker, cell->through, space_allocators());
		struct caller owner = owner_at(c, cell->address, cell->through || !direct,
					       space_allocators());

		take_part(c, cell->part);
		cell->producer = producer_of(c, cell, &owner);
		count_cell(c, cell, &owner);
		count_paths(c, i, owner.level ? owner.level->procedure : 0);
		if (maker.site && !cell->through)
			calls[maker.site - 1] += cell->figures[SPACE_ALLOCS] + cell->empty;
		if (owner.site && cell->figures[SPACE_ALLOCS])
			got[owner.site - 1] |= !direct || !cell->through ||
				returns_block(c, owner.site) ? GOT_ITSELF : GOT_THROUGH;
		if (owner.site && maker.site != owner.site)
			note_made(c, &made[owner.site - 1], type_made(c, &maker));
		if (!maker.level && cell->maker)
			space->unplaced += cell->figures[SPACE_ALLOCS] + cell->empty;
		strange[cell->address] += cell->strange;
	}
	count_pools(c, calls, got);
	settle_types(c, got, made);
	free(got);
	free(made);
	count_pairs(c);
	count_faults(c, strange);
	space_check(space, c->m, calls, c->r->c->callee, pooled);
	space_series_store(&space->series, c->m, space->cells, space->nr);
	tell_strange(c, strange);
	free(strange);
	free(calls);
	free(pooled);
}

void
samples_attribute(struct samples *s, const struct names *n, struct candidates *cand,
		  struct part_entries *parts)
{
	struct resolver r = { .s = s, .n = n, .c = cand, .arena = ARENA_INIT };
	struct account c = { .r = &r, .m = s->b->m, .parts = parts,
			     .steps = { .r = &r, .m = s->b->m } };
	uint32_t *order = samples_order(s, c.m->nr_parts), i;

	event_measures_add(&s->events, c.m);
	space_settle(&s->space, c.m);
	space_add_times(&s->space, c.m);
	c.stack_slot = samples_add_stack_measure(s, c.m);
	resolve_addresses(&r);
	seen_calls_init(&r.seen, n, s->modules, s->nr_modules, c.m, cand);
	jumped_init(&r.jumped, &r.seen);
	steps_find_foreign(&c.steps);
	add_runtime(&c);
	c.procedure_stack = xcalloc(c.m->nr_procedures, sizeof(*c.procedure_stack));
	c.site_stack = xcalloc(c.m->nr_sites, sizeof(*c.site_stack));
	c.line_stack = xcalloc(c.m->nr_lines, sizeof(*c.line_stack));
	c.path_ends = xcalloc(s->nr_stacks, sizeof(*c.path_ends));
	for (i = 0; i < s->nr_stacks; i++)
		count_one(&c, order[i], i + 1);
	track_log_end(&s->times);
	count_allocations(&c);
	add_unprofiled(&c);
	track_log_finish_parts(&s->times, c.m);
	disagreement_tell(&c.disagreement, c.m);
	disagreement_release(&c.disagreement);
	free(order);
	steps_release(&c.steps);
	free(c.procedure_stack);
	free(c.site_stack);
	free(c.line_stack);
	free(c.path_ends);
	index_release(&c.context_index);
	keys_release(&c.instructions);
	disposals_release(&c.disposals);
	allocations_release(&c.allocations);
	jumped_release(&r.jumped);
	seen_calls_release(&r.seen);
	arena_release(&r.arena);
}
