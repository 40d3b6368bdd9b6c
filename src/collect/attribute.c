/* Turns stacks that were read into figures of procedures, ranges, lines, call sites and
 * contexts. */
#include <stdlib.h>
#include <string.h>

#include "collect/disposals.h"
#include "collect/foreign_rows.h"
#include "collect/resolver.h"

/* ---- counting samples to procedures ---- */

struct step {
	struct level *level;           /* NULL: unprofiled code */
	bool foreign;                  /* unprofiled code, with or without a row of its own */
	uint32_t kernel, called;       /* foreign code: numbers + 1, 0 none */
};

struct account {
	struct resolver *r;
	struct model *m;
	struct step *steps;            /* of one stack, innermost first */
	size_t nr_steps, steps_alloc;
	struct foreign_rows rows;
	struct level *foreign;         /* of rows, by procedure, from first_foreign on */
	model_id first_foreign;
	/* Number + 1 of the last stack that counted to it. */
	uint32_t *procedure_stack, *site_stack, *line_stack;
	struct index context_index;
	struct part_entries *parts;    /* NULL: nobody asks */
	struct part_entries *part;     /* of the stack at hand; NULL as well */
	struct disposals disposals;
	struct disagreement disagreement;
	struct figures *unprofiled;    /* the arena's; NULL: none */
	uint64_t unprofiled_ns, centre_unprofiled_ns;
};

static void
add_step(struct account *c, struct level *level)
{
	GROW(c->steps, c->nr_steps + 1, c->steps_alloc);
	c->steps[c->nr_steps++] = (struct step){ .level = level };
}

/* Foreign code CODE (0: nothing is known of it); what stands together is one step. */
static void
add_foreign(struct account *c, uint32_t code)
{
	struct step *last;

	if (!c->nr_steps || !c->steps[c->nr_steps - 1].foreign)
		add_step(c, NULL);
	last = &c->steps[c->nr_steps - 1];
	last->foreign = true;
	if (code && c->r->s->foreign.codes[code - 1].kernel)
		last->kernel = code;
	if (code)
		last->called = code;
}

/* The symbol of foreign code in a profiled module. What the runtime does for a call, as around
 * fork(), is the call's, whose name the call site has. */
static const struct elf_symbol *
foreign_symbol_at(const struct module *mod, uint64_t address)
{
	const struct elf_symbol *symbol = samples_symbol_at(mod, address);

	return symbol && strncmp(symbol->name, "__cgview_", 9) ? symbol : NULL;
}

/* Code of a profiled module that was not profiled itself: assembly, what was left out, all of a
 * static library; without a symbol a stub, of which the call site knows what it leads to. */
static uint32_t
own_foreign_code(struct account *c, struct address *a, bool leaf)
{
	struct samples *s = c->r->s;
	const struct module *mod = &s->modules[a->module];
	const struct elf_symbol *symbol = foreign_symbol_at(mod, a->address);
	struct foreign_code code = { .name = symbol ? symbol->name : NULL };
	struct strbuf name = STRBUF_INIT;

	if (a->foreign[leaf])
		return a->foreign[leaf];
	if (symbol) {
		foreign_short_name(&name, mod->path);
		code.module = arena_strdup(&c->r->arena, name.buf);
		strbuf_release(&name);
	}
	if (leaf)
		code.kernel = foreign_enters_kernel(&mod->elf, a->address + 1, &s->unread);
	return a->foreign[leaf] = foreign_number(&s->foreign, &code);
}

/* Did A, the caller of B, call what was split off from the procedure that A itself is in? Then both
 * are one execution of that procedure. */
static bool
same_execution(const struct address *a, const struct address *b)
{
	return b && b->part && a->nr_levels && b->nr_levels &&
	       a->levels[0].procedure == b->levels[b->nr_levels - 1].procedure;
}

/* Inlined procedures are steps of their own. An inlined one that was not profiled is part of what
 * it is in. */
static void
expand_address(struct account *c, struct address *a, const struct address *inner, bool leaf)
{
	bool foreign = !a->levels[a->nr_levels - 1].procedure;
	uint32_t k;

	for (k = same_execution(a, inner); k < a->nr_levels; k++)
		if (a->levels[k].procedure)
			add_step(c, &a->levels[k]);
		else
			add_foreign(c, foreign ? own_foreign_code(c, a, leaf) : 0);
}

/* The stack as steps; unprofiled code between profiled procedures is one step, outside of them
 * none. */
static void
expand(struct account *c, const struct stack *stack)
{
	struct samples *s = c->r->s;
	struct address *inner = NULL;
	uint32_t i, number;

	c->nr_steps = 0;
	for (i = 0; i < stack->nr; i++) {
		number = s->frames[stack->first + i];
		if (!number || number & FOREIGN_FRAME) {
			add_foreign(c, number & ~FOREIGN_FRAME);
			inner = NULL;
			continue;
		}
		expand_address(c, &s->addresses[number - 1], inner, !i);
		inner = &s->addresses[number - 1];
	}
	while (c->nr_steps && c->steps[c->nr_steps - 1].foreign)
		c->nr_steps--;
}

static struct model_line *
find_line(const struct account *c, const struct level *level)
{
	const struct model *m = c->m;
	struct model_line *line = lines_find(&c->r->s->b->lines, level->at.file, level->at.line);
	const struct place *p;

	if (line && line->count)
		return line;
	line = NULL;
	if (level->range) {
		p = &m->ranges[level->range - 1].place;
		line = lines_find(&c->r->s->b->lines, p->file, p->line);
	}
	p = &m->procedures[level->procedure - 1].place;
	return line ? line : lines_find(&c->r->s->b->lines, p->file, p->line);
}

static void
locate(struct account *c, struct level *level)
{
	if (level->located)
		return;
	level->located = true;
	level->range = locate_range(c->r->s->b, level->procedure, level->at);
	level->block = level->range ? c->m->ranges[level->range - 1].block : 0;
	level->line = find_line(c, level);
}

/* One stack stands for so many samples, so much time, so many events of a source. */
struct amount {
	uint64_t n, ns, wait_ns, events;
	const struct event_slots *slots; /* of the measures that the events count for */
};

static struct amount
amount_of(const struct account *c, const struct stack *stack)
{
	static const struct event_slots none;

	return (struct amount){
		stack->count, stack->ns, stack->wait_ns, stack->events,
		stack->event ? &c->r->s->events.slots[stack->event - 1] : &none,
	};
}

static void
note(struct account *c, enum part_column column, model_id id, uint64_t value)
{
	if (c->part)
		part_add(c->part, column, id, value);
}

typedef void figure_function(struct model *m, struct figures **at, unsigned slot, uint64_t value);

/* Adds the events of A by SET to the figures *AT, which the part has as FIGURE of ID (0: none). */
static void
count_events(struct account *c, figure_function *set, struct figures **at,
	     enum part_figure figure, model_id id, const struct amount *a)
{
	unsigned i;

	for (i = 0; i < a->slots->nr; i++) {
		set(c->m, at, a->slots->slots[i], a->events);
		if (id)
			note(c, part_figure(a->slots->slots[i], figure), id, a->events);
	}
}

static void
count_self(struct account *c, struct level *level, const struct amount *a)
{
	struct model_procedure *p = &c->m->procedures[level->procedure - 1];
	struct model_range *r;
	struct model_block *b;

	locate(c, level);
	p->self_samples += a->n;
	p->self_ns += a->ns;
	p->self_wait_ns += a->wait_ns;
	note(c, PART_SELF_SAMPLES, level->procedure, a->n);
	note(c, PART_SELF_NS, level->procedure, a->ns);
	note(c, PART_SELF_WAIT, level->procedure, a->wait_ns);
	count_events(c, figure_self, &p->figures, FIGURE_OF_PROCEDURE, level->procedure, a);
	if (level->range) {
		note(c, PART_RANGE_SAMPLES, level->range, a->n);
		note(c, PART_RANGE_NS, level->range, a->ns);
		note(c, PART_RANGE_WAIT, level->range, a->wait_ns);
		r = &c->m->ranges[level->range - 1];
		r->self_samples += a->n;
		r->self_ns += a->ns;
		r->self_wait_ns += a->wait_ns;
		count_events(c, figure_self, &r->figures, FIGURE_OF_RANGE, level->range, a);
		b = &c->m->blocks[level->block - 1];
		b->self_samples += a->n;
		b->self_ns += a->ns;
		b->self_wait_ns += a->wait_ns;
		count_events(c, figure_self, &b->figures, FIGURE_OF_RANGE, 0, a);
	}
	if (level->line) {
		level->line->self_samples += a->n;
		level->line->self_ns += a->ns;
		level->line->self_wait_ns += a->wait_ns;
		note(c, PART_LINE_SAMPLES, (model_id)(level->line - c->m->lines) + 1, a->n);
		note(c, PART_LINE_NS, (model_id)(level->line - c->m->lines) + 1, a->ns);
		note(c, PART_LINE_WAIT, (model_id)(level->line - c->m->lines) + 1, a->wait_ns);
		count_events(c, figure_self, &level->line->figures, FIGURE_OF_LINE,
			     (model_id)(level->line - c->m->lines) + 1, a);
	}
}

static model_id
site_of(struct account *c, struct level *level, model_id callee)
{
	if (!level->called) {
		level->called = true;
		level->site = locate_site(c->r->s->b, level->procedure, level->at, callee,
					  c->r->c->callee, &level->sure);
		if (!level->site)
			level->site = locate_only_site(c->r->s->b, level->procedure, callee,
						       c->r->c->callee);
	}
	return level->site;
}

/* A call of X under which the stack has Y: X has not yet set up its frame, or has given it up
 * already, to call Y as its last act. Either way it was X that called Y. */
static struct level *
missing_level(struct account *c, struct level *level, model_id callee)
{
	model_id site = site_of(c, level, callee);
	model_id must = site ? c->r->c->callee[site - 1] : 0;

	if (!level->sure || !must || must == callee)
		return NULL;
	if (!level->missing)
		level->missing = arena_alloc(&c->r->arena, sizeof(*level->missing));
	*level->missing = (struct level){ .procedure = must };
	return level->missing;
}

/* The profiled procedure that step I of the stack calls; 0: other code. */
static model_id
callee_of(const struct account *c, size_t i)
{
	return c->steps[i - 1].foreign ? 0 : c->steps[i - 1].level->procedure;
}

static void
insert_missing(struct account *c)
{
	struct level *missing;
	size_t i;

	for (i = c->nr_steps; i-- > 1;) {
		if (c->steps[i].foreign)
			continue;
		missing = missing_level(c, c->steps[i].level, callee_of(c, i));
		if (!missing)
			continue;
		GROW(c->steps, c->nr_steps + 1, c->steps_alloc);
		memmove(c->steps + i + 1, c->steps + i, (c->nr_steps - i) * sizeof(*c->steps));
		c->nr_steps++;
		c->steps[i] = (struct step){ .level = missing };
	}
}

/* ---- rows of foreign code ---- */

static bool
calls_outside(const struct account *c, model_id site)
{
	return c->m->sites[site - 1].kind == SITE_DIRECT && !c->r->c->callee[site - 1];
}

/* SYMBOL tells which of two calls it was that the compiler puts at one place. */
static void
choose_twin(struct account *c, struct level *level, const char *symbol)
{
	model_id twin = locate_twin(c->r->s->b, level->site, symbol);

	if (!twin || (symbol && !strcmp(c->m->sites[level->site - 1].target, symbol)))
		return;
	if (symbol && calls_outside(c, twin) && !strcmp(c->m->sites[twin - 1].target, symbol))
		level->site = twin;
	else
		level->sure = false;
}

/* The name that a direct call has for code outside, which is in SYMBOL (NULL: unknown). Returns
 * NULL if it is not sure which call it was. */
static const char *
target_of(struct account *c, struct level *level, const char *symbol)
{
	const struct model_site *s;
	size_t n;

	if (!site_of(c, level, 0) || !level->sure)
		return NULL;
	choose_twin(c, level, symbol);
	s = &c->m->sites[level->site - 1];
	if (!level->sure || !calls_outside(c, level->site))
		return NULL;
	n = strcspn(s->target, "@"); /* a mark that tells namesakes apart */
	return s->target[n] ? arena_strndup(&c->r->arena, s->target, n) : s->target;
}

/* Step I of the stack is foreign. Returns false if nothing is known of it. */
static bool
segment_of(struct account *c, size_t i, struct foreign_segment *segment)
{
	const struct foreign_code *codes = c->r->s->foreign.codes;
	const struct step *step = &c->steps[i];

	if (!step->called || i + 1 == c->nr_steps)
		return false;
	*segment = (struct foreign_segment){
		step->kernel ? &codes[step->kernel - 1] : NULL, &codes[step->called - 1],
		target_of(c, c->steps[i + 1].level, codes[step->called - 1].name),
	};
	return true;
}

static void
note_foreign(struct account *c, const struct stack *stack)
{
	struct foreign_segment segment;
	size_t i;

	for (i = 0; i < c->nr_steps; i++)
		if (c->steps[i].foreign && segment_of(c, i, &segment))
			foreign_rows_note(&c->rows, &segment,
					  stack->count + stack->events + !!stack->wait_ns);
}

static void
name_foreign(struct account *c)
{
	struct foreign_segment segment;
	model_id row;
	size_t i;

	for (i = 0; i < c->nr_steps; i++) {
		if (!c->steps[i].foreign || !segment_of(c, i, &segment))
			continue;
		row = foreign_rows_find(&c->rows, &segment);
		if (row)
			c->steps[i].level = &c->foreign[row - c->first_foreign];
	}
}

/* Which foreign code there is must be known before anything is counted for it. */
static void
find_foreign(struct account *c)
{
	const struct samples *s = c->r->s;
	size_t i;

	for (i = 0; i < s->nr_stacks; i++) {
		expand(c, &s->stacks[i]);
		insert_missing(c);
		note_foreign(c, &s->stacks[i]);
	}
	c->first_foreign = (model_id)c->m->nr_procedures + 1;
	foreign_rows_settle(&c->rows, c->m);
	c->foreign = xcalloc(c->m->nr_procedures + 1 - c->first_foreign + 1, sizeof(*c->foreign));
	for (i = c->first_foreign; i <= c->m->nr_procedures; i++)
		c->foreign[i - c->first_foreign] = (struct level){
			.procedure = (model_id)i, .located = true, .called = true,
		};
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
	level->line->total_samples += a->n;
	level->line->total_ns += a->ns;
	note(c, PART_LINE_TOTAL_SAMPLES, (model_id)i + 1, a->n);
	note(c, PART_LINE_TOTAL_NS, (model_id)i + 1, a->ns);
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
		p->total_samples += a->n;
		p->total_ns += a->ns;
		p->total_wait_ns += a->wait_ns;
		note(c, PART_TOTAL_SAMPLES, level->procedure, a->n);
		note(c, PART_TOTAL_NS, level->procedure, a->ns);
		note(c, PART_TOTAL_WAIT, level->procedure, a->wait_ns);
		count_events(c, figure_total, &p->figures, FIGURE_BELOW_PROCEDURE,
			     level->procedure, a);
	}
	if (site && c->site_stack[site - 1] != stamp) {
		c->site_stack[site - 1] = stamp;
		c->m->sites[site - 1].total_samples += a->n;
		c->m->sites[site - 1].total_ns += a->ns;
		c->m->sites[site - 1].total_wait_ns += a->wait_ns;
		note(c, PART_SITE_SAMPLES, site, a->n);
		note(c, PART_SITE_NS, site, a->ns);
		note(c, PART_SITE_WAIT, site, a->wait_ns);
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
	size_t self = c->steps[0].foreign, first = self && !c->steps[0].level, i;
	model_id node = 0, site = 0;
	struct level *level;

	for (i = c->nr_steps; i-- > first;) {
		level = c->steps[i].level;
		node = context(c, node, level ? level->procedure : 0, site);
		c->m->contexts[node - 1].total_samples += a.n;
		c->m->contexts[node - 1].total_ns += a.ns;
		c->m->contexts[node - 1].total_wait_ns += a.wait_ns;
		count_events(c, figure_total, &c->m->contexts[node - 1].figures, FIGURE_OF_CONTEXT,
			     0, &a);
		site = 0;
		if (!level)
			continue;
		if (i > 0 && !c->steps[i].foreign)
			site = site_of(c, level, callee_of(c, i));
		if (site && c->steps[i - 1].level && !c->steps[i - 1].foreign)
			note_call(c, stack, level, c->steps[i - 1].level, site);
		count_total(c, level, site, stamp, &a);
	}
	c->m->contexts[node - 1].self_samples += a.n;
	c->m->contexts[node - 1].self_ns += a.ns;
	c->m->contexts[node - 1].self_wait_ns += a.wait_ns;
	note(c, PART_CONTEXT_SAMPLES, node, a.n);
	note(c, PART_CONTEXT_NS, node, a.ns);
	note(c, PART_CONTEXT_WAIT, node, a.wait_ns);
	count_events(c, figure_self, &c->m->contexts[node - 1].figures, FIGURE_OF_CONTEXT, node,
		     &a);
	count_self(c, c->steps[self].level, &a);
	return c->steps[self].level->procedure;
}

static void
count_unprofiled(struct account *c, const struct stack *stack)
{
	model_id node = context(c, 0, 0, 0); /* may move the contexts */
	struct model_context *x = &c->m->contexts[node - 1];
	struct model_run *run = &c->m->runs[stack->run - 1];
	model_id unprofiled = (model_id)c->m->nr_procedures + 1; /* see add_unprofiled() */
	const struct amount a = amount_of(c, stack);

	note(c, PART_CONTEXT_SAMPLES, node, stack->count);
	note(c, PART_CONTEXT_NS, node, stack->ns);
	note(c, PART_CONTEXT_WAIT, node, stack->wait_ns);
	note(c, PART_SELF_SAMPLES, unprofiled, stack->count);
	note(c, PART_SELF_NS, unprofiled, stack->ns);
	note(c, PART_SELF_WAIT, unprofiled, stack->wait_ns);
	note(c, PART_TOTAL_SAMPLES, unprofiled, stack->count);
	note(c, PART_TOTAL_NS, unprofiled, stack->ns);
	note(c, PART_TOTAL_WAIT, unprofiled, stack->wait_ns);
	x->total_samples += stack->count;
	x->total_ns += stack->ns;
	x->self_samples += stack->count;
	x->self_ns += stack->ns;
	x->total_wait_ns += stack->wait_ns;
	x->self_wait_ns += stack->wait_ns;
	c->unprofiled_ns += stack->ns;
	run->unprofiled_samples += stack->count;
	run->unprofiled_wait_ns += stack->wait_ns;
	count_events(c, figure_total, &x->figures, FIGURE_OF_CONTEXT, 0, &a);
	count_events(c, figure_self, &x->figures, FIGURE_OF_CONTEXT, node, &a);
	count_events(c, figure_self, &c->unprofiled, FIGURE_OF_PROCEDURE, unprofiled, &a);
	count_events(c, figure_total, &c->unprofiled, FIGURE_BELOW_PROCEDURE, unprofiled, &a);
}

/* PC: the procedure by program counter. */
static void
count_centre(struct account *c, const struct stack *stack, model_id pc)
{
	struct model_procedure *p;

	if (stack->count && c->m->runs[stack->run - 1].centre_samples && pc != stack->centre)
		disagreement_add(&c->disagreement, pc, stack->centre, stack->count);
	if (!stack->centre) {
		if (!c->m->runs[stack->run - 1].centre_samples)
			return;
		note(c, PART_CENTRE_SAMPLES, (model_id)c->m->nr_procedures + 1, stack->count);
		note(c, PART_CENTRE_NS, (model_id)c->m->nr_procedures + 1, stack->ns);
		c->centre_unprofiled_ns += stack->ns;
		return;
	}
	note(c, PART_CENTRE_SAMPLES, stack->centre, stack->count);
	note(c, PART_CENTRE_NS, stack->centre, stack->ns);
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
				       .self_ns = c->unprofiled_ns,
				       .centre_ns = c->centre_unprofiled_ns,
				       .figures = c->unprofiled };
	const struct model_run *r;
	size_t i;

	for (i = 0; i < m->nr_runs; i++) {
		r = &m->runs[i];
		all.self_samples += r->unprofiled_samples;
		all.self_wait_ns += r->unprofiled_wait_ns;
		all.centre_samples += r->centre_unprofiled_samples;
	}
	all.total_samples = all.self_samples;
	all.total_ns = all.self_ns;
	all.total_wait_ns = all.self_wait_ns;
	if (all.self_samples || all.centre_samples || all.self_wait_ns || c->unprofiled)
		*MODEL_ADD(m, procedures) = all;
}

/* The stacks part by part, so that the entries of one are added up before the next begins. */
static uint32_t *
order_stacks(const struct samples *s, size_t nr_parts)
{
	size_t *at = xcalloc(nr_parts + 2, sizeof(*at)), i;
	uint32_t *order = xcalloc(s->nr_stacks, sizeof(*order));

	for (i = 0; i < s->nr_stacks; i++)
		at[s->stacks[i].part + 1]++;
	for (i = 1; i < nr_parts + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < s->nr_stacks; i++)
		order[at[s->stacks[i].part]++] = (uint32_t)i;
	free(at);
	return order;
}

static void
take_part(struct account *c, model_id number)
{
	struct part_entries *part = c->parts ? &c->parts[number - 1] : NULL;

	if (c->part && part != c->part)
		part_sum(c->part, c->m);
	c->part = part;
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
	struct level *missing;

	if (!caller.level)
		return caller;
	caller.site = site_of(c, caller.level, 0);
	missing = missing_level(c, caller.level, 0);
	if (missing)
		return (struct caller){ .level = missing };
	if (!through)
		caller.site = twin_of(c, caller.site, names);
	return caller;
}

/* Likewise, but of wrappers that were inlined there their caller. */
static struct caller
owner_at(struct account *c, uint32_t number, bool through, const char *const *names)
{
	struct caller caller = caller_at(c, number, through, names);
	struct level *level = caller.level;

	if (!level || !level->procedure ||
	    !(c->m->procedures[level->procedure - 1].flags & PROCEDURE_WRAPPER))
		return caller;
	level = beyond_wrappers(c, &c->r->s->addresses[number - 1], innermost(c, number));
	if (level == caller.level)
		return caller;
	return (struct caller){ level, site_of(c, level, 0) };
}

static void
count_space(struct account *c, struct level *level, enum space_figure figure, uint64_t value)
{
	model_id unprofiled = (model_id)c->m->nr_procedures + 1; /* see add_unprofiled() */
	const struct event_slots slot = { { (unsigned)c->r->s->space.slots[figure] }, 1 };
	const struct amount a = { .events = value, .slots = &slot };

	if (c->r->s->space.slots[figure] < 0 || !value)
		return;
	if (level)
		count_self(c, level, &a);
	else
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

static void
count_cell(struct account *c, const struct space_cell *cell, const struct caller *caller)
{
	static const struct caller nobody;
	const struct model_disposal never = {
		.how = DISPOSAL_NEVER, .blocks = cell->figures[SPACE_LIVE_BLOCKS],
		.bytes = cell->figures[SPACE_LIVE],
	};

	for (int i = 0; i < NR_SPACE_FIGURES; i++)
		count_space(c, caller->level, (enum space_figure)i, cell->figures[i]);
	if (never.blocks)
		add_disposal(c, never, caller, &nobody);
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
		count_space(c, by.level, SPACE_FREED, d->bytes);
		count_space(c, by.level, SPACE_COPIED, d->copied_bytes);
		count_space(c, of.level, SPACE_TEMPORARY, d->lives[0]);
		count_space(c, of.level, SPACE_AT_EXIT, d->how == DISPOSAL_EXIT ? d->bytes : 0);
		add_disposal(c, *d, &of, &by);
	}
}

/* Returns the producer that CELL is of; 0: it is in code that was not profiled. */
static model_id
producer_of(struct account *c, const struct space_cell *cell, const struct caller *caller)
{
	struct model_producer key = { .site = caller->site, .through = cell->through };
	struct level *level = caller->level;

	if (!level)
		return 0;
	locate(c, level);
	key.procedure = level->procedure;
	key.place = (struct place){ level->at.file, level->at.line, level->at.column,
				    level->at.line, level->at.column };
	if (level->range)
		key.place = c->m->ranges[level->range - 1].place;
	return space_producer(&c->r->s->space, c->m, &key);
}

/* Charges the procedure, the call and its place with what they have got. */
static void
count_allocations(struct account *c)
{
	struct space *space = &c->r->s->space;
	uint64_t *calls = xcalloc(c->m->nr_sites, sizeof(*calls));
	uint64_t *strange = xcalloc(c->r->s->nr_addresses + 1, sizeof(*strange));

	for (size_t i = 0; i < space->nr; i++) {
		struct space_cell *cell = &space->cells[i];
		bool direct = cell->address == cell->maker;
		struct caller maker = caller_at(c, cell->maker, cell->through, space_allocators());
		struct caller owner = owner_at(c, cell->address, cell->through || !direct,
					       space_allocators());

		take_part(c, cell->part);
		cell->producer = producer_of(c, cell, &owner);
		count_cell(c, cell, &owner);
		if (maker.site && !cell->through)
			calls[maker.site - 1] += cell->figures[SPACE_ALLOCS] + cell->empty;
		strange[cell->address] += cell->strange;
	}
	count_pairs(c);
	space_check(space, c->m, calls, c->r->c->callee);
	space_series_store(&space->series, c->m, space->cells, space->nr);
	tell_strange(c, strange);
	free(strange);
	free(calls);
}

void
samples_attribute(struct samples *s, const struct names *n, struct candidates *cand,
		  struct part_entries *parts)
{
	struct resolver r = { .s = s, .n = n, .c = cand, .arena = ARENA_INIT };
	struct account c = { .r = &r, .m = s->b->m, .parts = parts };
	uint32_t *order = order_stacks(s, c.m->nr_parts), i;
	const struct stack *stack;
	model_id pc;

	event_measures_add(&s->events, c.m);
	space_settle(&s->space, c.m);
	resolve_addresses(&r);
	find_foreign(&c);
	seen_calls_init(&r.seen, n, s->modules, s->nr_modules, c.m, cand);
	c.procedure_stack = xcalloc(c.m->nr_procedures, sizeof(*c.procedure_stack));
	c.site_stack = xcalloc(c.m->nr_sites, sizeof(*c.site_stack));
	c.line_stack = xcalloc(c.m->nr_lines, sizeof(*c.line_stack));
	for (i = 0; i < s->nr_stacks; i++) {
		stack = &s->stacks[order[i]];
		take_part(&c, stack->part);
		expand(&c, stack);
		insert_missing(&c);
		name_foreign(&c);
		pc = 0;
		if (c.nr_steps)
			pc = count_stack(&c, stack, i + 1);
		else
			count_unprofiled(&c, stack);
		count_centre(&c, stack, pc);
	}
	count_allocations(&c);
	add_unprofiled(&c);
	disagreement_tell(&c.disagreement, c.m);
	disagreement_release(&c.disagreement);
	free(order);
	free(c.steps);
	free(c.foreign);
	foreign_rows_release(&c.rows);
	free(c.procedure_stack);
	free(c.site_stack);
	free(c.line_stack);
	index_release(&c.context_index);
	disposals_release(&c.disposals);
	seen_calls_release(&r.seen);
	arena_release(&r.arena);
}
