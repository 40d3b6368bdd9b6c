#include "collect/import/samples/steps.h"

#include <stdlib.h>
#include <string.h>

static void
add_step(struct steps *c, struct level *level)
{
	GROW(c->items, c->nr + 1, c->alloc);
	c->items[c->nr++] = (struct step){ .level = level };
}

/* Foreign code CODE (0: nothing is known of it); what stands together is one step. */
static void
add_foreign(struct steps *c, uint32_t code)
{
	struct step *last;

	if (!c->nr || !c->items[c->nr - 1].foreign)
		add_step(c, NULL);
	last = &c->items[c->nr - 1];
	last->foreign = true;
	if (code && c->r->s->foreign.codes[code - 1].kernel)
		last->kernel = code;
	if (code && (!last->called || c->r->s->foreign.codes[code - 1].module))
		last->called = code;
}

/* The symbol of foreign code in a profiled module. What the runtime does for a call, as around
 * fork(), is the call's, whose name the call site has. */
static const struct elf_symbol *
foreign_symbol_at(const struct module *mod, uint64_t address)
{
	const struct elf_symbol *symbol = samples_symbol_at(mod, address);

	return symbol && !elf_is_ours(&mod->elf, symbol) ? symbol : NULL;
}

/* Code of a profiled module that was not profiled itself: assembly, what was left out, all of a
 * static library; without a symbol a stub: its call site knows what it leads to. */
static uint32_t
own_foreign_code(struct steps *c, struct address *a, bool leaf)
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

/* In the kernel for a call that the program made, which the runtime passes on? */
static bool
passes_on(struct steps *c, const struct module *mod, const struct elf_symbol *symbol,
	  uint64_t address)
{
	static const char *const own = "__cgview_", *const passing[] = {
		"__cgview_rt_signals_", "__cgview_rt_altstack_", "signals_", "set_by_kernel",
		"action_by_number",
	};
	bool passes = false;

	if (!symbol || !foreign_enters_kernel(&mod->elf, address + 1, &c->r->s->unread))
		return false;
	for (size_t i = 0; i < sizeof(passing) / sizeof(*passing); i++)
		passes |= !strncmp(symbol->name, passing[i], strlen(passing[i]));
	/* What stands in the place of libc's has its name. */
	return passes || (!symbol->file && strncmp(symbol->name, own, strlen(own)) != 0);
}

bool
steps_is_runtime(struct steps *c, const struct stack *stack)
{
	struct samples *s = c->r->s;
	uint32_t number = stack->nr ? s->frames[stack->first] : 0;
	const struct elf_symbol *symbol;
	const struct module *mod;
	struct address *a;

	if (!number)
		return false;
	if (number & FOREIGN_FRAME)
		return samples_in_runtime(s, number & ~FOREIGN_FRAME);
	a = &s->addresses[number - 1];
	mod = &s->modules[a->module];
	symbol = samples_symbol_at(mod, a->address);
	return elf_is_ours_at(&mod->elf, symbol, a->address) &&
	       !passes_on(c, mod, symbol, a->address);
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
expand_address(struct steps *c, struct address *a, const struct address *inner, bool leaf)
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
expand(struct steps *c, const struct stack *stack)
{
	struct samples *s = c->r->s;
	struct address *inner = NULL;
	uint32_t i, number;

	c->nr = 0;
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
	while (c->nr && c->items[c->nr - 1].foreign)
		c->nr--;
}

/* No call of the source stands at LEVEL: is it that of what was split off from its procedure? That
 * has the place of something outside, which was inlined before it. */
static bool
calls_own_part(const struct steps *c, const struct level *level)
{
	const struct place *p = &c->m->procedures[level->procedure - 1].place;

	return level->at.file && level->at.line &&
	       (level->at.file != p->file || level->at.line < p->line ||
		level->at.line > p->end_line);
}

model_id
steps_site(struct steps *c, struct level *level, model_id callee)
{
	/* A part may have jumped to several, and the level is the same. */
	if (!level->called || level->own_part) {
		level->called = true;
		level->site = locate_site(c->r->s->b, level->procedure, level->at, callee,
					  c->r->c->callee, &level->sure);
		level->own_part = !level->site && calls_own_part(c, level);
		if (!level->site)
			level->site = locate_only_site(c->r->s->b, level->procedure, callee,
						       c->r->c->callee);
		if (!level->site && callee)
			level->site = jumped_site(&c->r->jumped, level->procedure, callee);
	}
	return level->site;
}

static bool
missing_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct missing *a = &((const struct steps *)ctx)->missing[item], *b = key;

	return a->site == b->site && a->from == b->from && a->callee == b->callee;
}

/* A call of X under which the stack has Y: X has not yet set up its frame, or has given it up
 * already, to call Y as its last act. Either way it was X that called Y. */
static model_id
find_missing(const struct steps *c, const struct missing *key)
{
	const struct jumped *jumped = &c->r->jumped;
	model_id must;

	if (key->from)
		return jumped_next(jumped, key->from, key->callee);
	if (c->m->sites[key->site - 1].kind == SITE_INDIRECT)
		return key->callee ? jumped_called(jumped, key->site, key->callee) : 0;
	must = c->r->c->callee[key->site - 1];
	return must == key->callee ? 0 : must;
}

/* Its own level for each, as what it calls is another one. */
static struct level *
missing_of(struct steps *c, struct missing key)
{
	uint64_t h = hash_number(hash_number(hash_number(HASH_START, key.site), key.from),
				 key.callee);
	uint32_t i = index_find(&c->missing_index, h, missing_equal, c, &key);
	model_id procedure;

	if (i != INDEX_NONE)
		return c->missing[i].level;
	procedure = find_missing(c, &key);
	if (procedure) {
		key.level = arena_alloc(&c->r->arena, sizeof(*key.level));
		*key.level = (struct level){ .procedure = procedure };
	}
	GROW(c->missing, c->nr_missing + 1, c->missing_alloc);
	index_add(&c->missing_index, h, (uint32_t)c->nr_missing);
	c->missing[c->nr_missing++] = key;
	return key.level;
}

struct level *
steps_missing(struct steps *c, struct level *level, model_id callee)
{
	model_id site = steps_site(c, level, callee);

	if (level->own_part && callee && callee != level->procedure)
		return missing_of(c, (struct missing){ .from = level->procedure,
						       .callee = callee });
	if (!level->sure || !site)
		return NULL;
	return missing_of(c, (struct missing){ .site = site, .callee = callee });
}

/* The profiled procedure that step I of the stack calls; 0: other code. */
model_id
steps_callee(const struct steps *c, size_t i)
{
	return c->items[i - 1].foreign ? 0 : c->items[i - 1].level->procedure;
}

static void
insert_step(struct steps *c, size_t i, struct level *level)
{
	GROW(c->items, c->nr + 1, c->alloc);
	memmove(c->items + i + 1, c->items + i, (c->nr - i) * sizeof(*c->items));
	c->nr++;
	c->items[i] = (struct step){ .level = level };
}

/* Nobody comes twice between a call and its callee: each is nearer to that. */
static void
insert_missing(struct steps *c)
{
	struct level *missing;
	model_id callee;
	size_t i;

	for (i = c->nr; i-- > 1;) {
		if (c->items[i].foreign)
			continue;
		callee = steps_callee(c, i);
		missing = steps_missing(c, c->items[i].level, callee);
		while (missing) {
			insert_step(c, i, missing);
			missing = callee ? missing_of(c, (struct missing){
				.from = missing->procedure, .callee = callee,
			}) : NULL;
		}
	}
}

/* ---- rows of foreign code ---- */

static bool
calls_outside(const struct steps *c, model_id site)
{
	return c->m->sites[site - 1].kind == SITE_DIRECT && !c->r->c->callee[site - 1];
}

/* SYMBOL tells which of two calls it was that the compiler puts at one place. */
static void
choose_twin(struct steps *c, struct level *level, const char *symbol)
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
target_of(struct steps *c, struct level *level, const char *symbol)
{
	const struct model_site *s;
	size_t n;

	if (!steps_site(c, level, 0) || !level->sure)
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
segment_of(struct steps *c, size_t i, struct foreign_segment *segment)
{
	const struct foreign_code *codes = c->r->s->foreign.codes;
	const struct step *step = &c->items[i];

	if (!step->called || i + 1 == c->nr)
		return false;
	*segment = (struct foreign_segment){
		step->kernel ? &codes[step->kernel - 1] : NULL, &codes[step->called - 1],
		target_of(c, c->items[i + 1].level, codes[step->called - 1].name),
	};
	return true;
}

const char *
steps_foreign_name(struct steps *c, size_t i)
{
	struct foreign_segment s;

	while (i + 1 < c->nr && c->items[i].foreign && c->items[i + 1].foreign)
		i++; /* from the kernel to what was called */
	if (!segment_of(c, i, &s))
		return NULL;
	return s.target ? s.target : s.called->name;
}

static void
note_foreign(struct steps *c, const struct stack *stack)
{
	struct foreign_segment segment;
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->items[i].foreign && segment_of(c, i, &segment))
			foreign_rows_note(&c->rows, &segment,
					  stack->count + stack->events + !!stack->wait_ns +
						  (stack->event == STACK_OF_BLOCKS));
}

static struct level *
level_of(const struct steps *c, model_id row)
{
	return &c->foreign[row - c->first_foreign];
}

/* The kernel at work for what was called is a step of its own. */
static void
name_foreign(struct steps *c)
{
	struct foreign_segment segment;
	model_id row, called;
	size_t i;

	for (i = 0; i < c->nr; i++) {
		if (!c->items[i].foreign || !segment_of(c, i, &segment))
			continue;
		row = foreign_rows_find(&c->rows, &segment);
		called = foreign_rows_called(&c->rows, &segment);
		if (row)
			c->items[i].level = level_of(c, row);
		if (!row || !called)
			continue;
		insert_step(c, ++i, level_of(c, called));
		c->items[i].foreign = true;
		c->items[i].called = c->items[i - 1].called;
	}
}

/* Which foreign code there is must be known before anything is counted for it. */
void
steps_find_foreign(struct steps *c)
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

void
steps_unfold(struct steps *c, const struct stack *stack)
{
	expand(c, stack);
	insert_missing(c);
	name_foreign(c);
}

model_id
steps_self(struct steps *c, const struct stack *stack)
{
	struct level *level, *missing = NULL;
	size_t self = 0;

	expand(c, stack);
	if (!c->nr)
		return 0;
	while (c->items[self].foreign)
		self++;
	level = c->items[self].level;
	if (self) /* the nearest of what insert_missing() finds */
		missing = steps_missing(c, level, 0);
	return missing ? missing->procedure : level->procedure;
}

void
steps_release(struct steps *c)
{
	free(c->items);
	free(c->foreign);
	free(c->missing);
	index_release(&c->missing_index);
	foreign_rows_release(&c->rows);
}
