#include "collect/import/counts/candidates.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/order.h"

enum { MAX_CANDIDATES = 4 << 20 };

/* ---- signatures ---- */

/* Length of the class at S: a letter and the digits behind it. */
static size_t
class_length(const char *s)
{
	size_t n = *s != '\0';

	while (isdigit((unsigned char)s[n]))
		n++;
	return n;
}

/* Length of what stands in braces at S: what a pointer points to. */
static size_t
pointee_length(const char *s)
{
	size_t n = *s == '{' ? strcspn(s, "}") : 0;

	return n + (s[n] == '}' && n);
}

/* How unlikely is it that what points to the thing named at A is given for a pointer to that at B?
 * An empty name can be any. */
static enum unlike
pointees_differ(const char *a, const char *b)
{
	size_t x = pointee_length(a), y = pointee_length(b);

	if (x == y && !memcmp(a, b, x))
		return UNLIKE_NOT;
	return !x || !y ? UNLIKE_VOID : x == 2 || y == 2 ? UNLIKE_NOT : UNLIKE_OTHER;
}

static bool
class_is(const char *s, size_t n, char c)
{
	return n == 1 && *s == c;
}

static bool
at_end(const char *s)
{
	return !*s || *s == ')';
}

static void
more_unlike(enum unlike *most, enum unlike this)
{
	*most = this > *most ? this : *most;
}

/* Can two parameter lists be made equal, a '*' standing for any number of parameters? */
static bool
parameters_compatible(const char *a, const char *b, enum unlike *unlike)
{
	size_t x, y;

	for (;;) {
		a += *a == ',';
		b += *b == ',';
		if (*a == '*' || *b == '*')
			return true; /* it stands at the end and takes what is left */
		if (at_end(a) || at_end(b))
			return at_end(a) && at_end(b);
		x = class_length(a);
		y = class_length(b);
		if (!class_is(a, x, '?') && !class_is(b, y, '?') && (x != y || memcmp(a, b, x)))
			return false;
		a += x;
		b += y;
		more_unlike(unlike, pointees_differ(a, b));
		a += pointee_length(a);
		b += pointee_length(b);
	}
}

bool
signatures_compatible(const char *call, const char *procedure, enum unlike *unlike)
{
	size_t x = class_length(call), y = class_length(procedure);
	const char *a = call + x + pointee_length(call + x);
	const char *b = procedure + y + pointee_length(procedure + y);
	bool same = x == y && !memcmp(call, procedure, x);

	*unlike = UNLIKE_NOT;
	if (*a != '(' || *b != '(') /* unknown */
		return true;
	if (!same && !class_is(call, x, 'v') && !class_is(call, x, '?') &&
	    !class_is(procedure, y, 'v') && !class_is(procedure, y, '?'))
		return false;
	*unlike = same ? pointees_differ(call + x, procedure + y) : UNLIKE_OTHER;
	return parameters_compatible(a + 1, b + 1, unlike);
}

/* ---- who is it that is called ---- */

static void
add_candidate(struct candidates *c, model_id site, model_id callee)
{
	GROW(c->items, c->nr + 1, c->alloc);
	c->items[c->nr++] = (struct candidate){ .site = site, .callee = callee };
}

size_t
candidates_resolve(const struct names *n, const struct module *mod, uint32_t unit, const char *text,
		   void (*tell)(void *, model_id), void *data)
{
	const struct name *name, *own = NULL;
	size_t nr = 0;

	for (name = names_find(n, text); name; name = names_next(n, name)) {
		if (name->plain || name->module != mod)
			continue;
		if (name->unit == unit) {
			tell(data, name->procedure);
			return 1;
		}
		if (name->unit == NO_UNIT && !own)
			own = name;
	}
	if (own) {
		tell(data, own->procedure);
		return 1;
	}
	for (name = names_find(n, text); name; name = names_next(n, name)) {
		if (name->plain || name->unit != NO_UNIT ||
		    !(name->module->programs & mod->programs))
			continue;
		tell(data, name->procedure);
		nr++;
	}
	return nr;
}

struct finder {
	struct candidates *c;
	struct builder *b;
	const struct names *n;
	const struct module *mod;
	uint32_t unit;
	const char *signature;
	model_id site;
	bool only_passed;          /* the address at hand */
	const char *handed;        /* its name, if it is public */
	bool *called;              /* per procedure: some direct call names it */
	bool *kept;                /* per procedure: its address goes elsewhere, too */
	bool full;
};

static void
add_handed_public(struct candidates *c, model_id procedure, const struct module *mod,
		  const char *name)
{
	GROW(c->handed, c->nr_handed + 1, c->handed_alloc);
	c->handed[c->nr_handed++] = (struct handed_public){ procedure, mod, name };
}

static void
take(void *data, model_id procedure)
{
	struct finder *f = data;

	f->b->m->procedures[procedure - 1].flags |= PROCEDURE_TAKEN;
	f->kept[procedure - 1] |= !f->only_passed;
	if (f->handed)
		add_handed_public(f->c, procedure, f->mod, f->handed);
	GROW(f->c->taken, f->c->nr_taken + 1, f->c->taken_alloc);
	f->c->taken[f->c->nr_taken++] = (struct taken){
		.procedure = procedure, .signature = f->signature, .programs = f->mod->programs,
	};
}

static void
find_taken(struct finder *f)
{
	const struct unit *u = &f->mod->tables.units[f->unit];
	uint32_t i;

	for (i = 0; i < u->nr_taken; i++) {
		f->signature = u->taken[i].signature;
		f->only_passed = u->taken[i].local >= TAKEN_PASSED;
		f->handed = u->taken[i].local == TAKEN_PUBLIC_PASSED ? u->taken[i].name : NULL;
		candidates_resolve(f->n, f->mod, f->unit, u->taken[i].name, take, f);
	}
}

static int
compare_taken(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;
	int order = strcmp(x->signature, y->signature);

	if (order)
		return order;
	COMPARE(x->procedure, y->procedure);
	return x->programs < y->programs ? -1 : x->programs > y->programs;
}

static void
sort_taken(struct candidates *c)
{
	size_t i, n = 0;

	if (c->nr_taken)
		qsort(c->taken, c->nr_taken, sizeof(*c->taken), compare_taken);
	for (i = 0; i < c->nr_taken; i++)
		if (!n || compare_taken(&c->taken[n - 1], &c->taken[i]))
			c->taken[n++] = c->taken[i];
	c->nr_taken = n;
}

static void
call(void *data, model_id procedure)
{
	const struct model_procedure *p;
	struct finder *f = data;

	p = &f->b->m->procedures[procedure - 1];
	f->called[procedure - 1] = true;
	add_candidate(f->c, f->site, procedure);
	/* When several objects define it, the linker may have taken another one, not profiled. */
	if (p->flags & PROCEDURE_COMDAT && !p->calls)
		add_candidate(f->c, f->site, 0);
	else
		f->c->callee[f->site - 1] = procedure;
}

void
candidates_add_handed(struct candidates *c, model_id site, model_id callee)
{
	add_candidate(c, site, callee);
	c->items[c->nr - 1].through = true;
}

static void
pass(void *data, model_id procedure)
{
	struct finder *f = data;

	candidates_add_handed(f->c, f->site, procedure);
}

/* Is it a static procedure of the unit? The plugin, which knows its body, has looked what that does
 * with what it is given. */
static bool
is_own_static(const struct finder *f, const char *text)
{
	const struct name *name;

	for (name = names_find(f->n, text); name; name = names_next(f->n, name))
		if (!name->plain && name->module == f->mod && name->unit == f->unit)
			return true;
	return false;
}

/* Other profiled code gets the address, and may do anything with it. */
static void
keep(void *data, model_id procedure)
{
	struct finder *f = data;

	f->kept[procedure - 1] = true;
}

static void
find_direct(struct finder *f, const struct table_site *s)
{
	size_t nr = candidates_resolve(f->n, f->mod, f->unit, s->target, call, f);

	if (!nr)
		add_candidate(f->c, f->site, 0);
	for (uint32_t i = 0; i < s->nr_passed && !is_own_static(f, s->target); i++)
		candidates_resolve(f->n, f->mod, f->unit, s->passed[i], nr ? keep : pass, f);
	if (nr > 1)
		f->c->callee[f->site - 1] = 0;
}

static void
reach(void *data, model_id procedure)
{
	struct finder *f = data;
	const struct model_procedure *p = &f->b->m->procedures[procedure - 1];

	if (p->calls)
		add_candidate(f->c, f->site, procedure);
	else if (p->flags & PROCEDURE_COMDAT)
		add_candidate(f->c, f->site, 0);
}

/* The call is of what stands in a table that does not change. */
static void
find_read(struct finder *f, const struct table_site *s)
{
	for (uint32_t i = 0; i < s->nr_reads; i++)
		if (!candidates_resolve(f->n, f->mod, f->unit, s->reads[i], reach, f))
			add_candidate(f->c, f->site, 0);
}

/* A procedure that was never entered cannot have been called. */
static void
find_indirect(struct finder *f, const struct table_site *s)
{
	const struct model *m = f->b->m;
	const char *last = NULL;
	enum unlike unlike = UNLIKE_NOT;
	bool fits = false;
	size_t i;

	add_candidate(f->c, f->site, 0);
	if (!m->sites[f->site - 1].count)
		return;
	for (i = 0; i < f->c->nr_taken; i++) {
		const struct taken *t = &f->c->taken[i];

		if (f->c->nr >= MAX_CANDIDATES) {
			f->full = true;
			return;
		}
		if (!last || strcmp(last, t->signature)) {
			last = t->signature;
			fits = signatures_compatible(s->target, last, &unlike);
		}
		if (!fits || !(t->programs & f->mod->programs) ||
		    !m->procedures[t->procedure - 1].calls)
			continue;
		add_candidate(f->c, f->site, t->procedure);
		f->c->items[f->c->nr - 1].unlike = unlike;
	}
}

static const struct shape *
shape_of(const struct builder *b, model_id procedure, const struct table_procedure *t)
{
	uint32_t i;

	for (i = b->first_shape[procedure - 1]; i; i = b->shapes[i - 1].next)
		if (b->shapes[i - 1].table == t)
			return &b->shapes[i - 1];
	return NULL;
}

static void
find_calls(struct finder *f)
{
	const struct unit *u = &f->mod->tables.units[f->unit];
	const struct table_procedure *p;
	const struct shape *shape;
	uint32_t i, k;

	for (i = 0; i < u->nr_procedures; i++) {
		p = &u->procedures[i];
		/* A compilation that only adds to the counts of another has the same calls. */
		shape = shape_of(f->b, f->mod->procedures[f->unit][i], p);
		for (k = 0; shape && k < p->nr_sites; k++) {
			f->site = shape->first_site + k;
			if (p->sites[k].nr_reads)
				find_read(f, &p->sites[k]);
			else if (p->sites[k].kind)
				find_indirect(f, &p->sites[k]);
			else
				find_direct(f, &p->sites[k]);
		}
	}
}

static void
each_unit(struct finder *f, const struct module *modules, size_t nr, void (*find)(struct finder *))
{
	size_t i;

	for (i = 0; i < nr; i++) {
		f->mod = &modules[i];
		for (f->unit = 0; f->mod->usable && f->unit < f->mod->tables.nr; f->unit++)
			find(f);
	}
}

/* A static procedure that runs though nobody names it or takes its address: a constructor, or known
 * to the assembler only. It was entered from outside. */
static void
find_uncalled(struct finder *f)
{
	const struct model *m = f->b->m;
	size_t i;

	for (i = 0; i < m->nr_procedures; i++)
		if (!f->called[i] && m->procedures[i].calls)
			add_candidate(f->c, 0, (model_id)i + 1);
}

static void
mark_passed(struct finder *f)
{
	struct model *m = f->b->m;

	for (size_t i = 0; i < m->nr_procedures; i++)
		if (m->procedures[i].flags & PROCEDURE_TAKEN && !f->kept[i])
			m->procedures[i].flags |= PROCEDURE_PASSED;
}

void
candidates_find(struct candidates *c, struct builder *b, const struct names *n,
		const struct module *modules, size_t nr)
{
	struct finder f = { .c = c, .b = b, .n = n };

	*c = (struct candidates){ .callee = xcalloc(b->m->nr_sites, sizeof(*c->callee)) };
	f.called = xcalloc(b->m->nr_procedures, sizeof(*f.called));
	f.kept = xcalloc(b->m->nr_procedures, sizeof(*f.kept));
	each_unit(&f, modules, nr, find_taken);
	sort_taken(c);
	each_unit(&f, modules, nr, find_calls);
	find_uncalled(&f);
	mark_passed(&f);
	if (f.full)
		model_note(b->m, "flow", "too many possible targets of calls through pointers: "
			   "some were left out, their calls are shown as calls to outside");
	free(f.called);
	free(f.kept);
}

/* ---- procedures that nobody else can name ---- */

static bool
is_exported(const char *name, const struct elf_symbol *exported, ptrdiff_t nr)
{
	for (ptrdiff_t i = 0; i < nr; i++)
		if (!strcmp(exported[i].name, name))
			return true;
	return false;
}

/* ITEMS: NR of MOD. */
static void
doubt_module(const struct handed_public *items, size_t nr, struct model *m, struct module *mod,
	     struct error *unread)
{
	struct elf_symbol *exported = NULL;
	struct error err = ERROR_INIT;
	bool closed = !mod->has_foreign && elf_section(&mod->elf, ".interp");
	ptrdiff_t nr_exported = closed ? elf_exported(&mod->elf, &exported, &err) : 0;

	for (size_t i = 0; i < nr; i++)
		if (!closed || nr_exported < 0 ||
		    is_exported(items[i].name, exported, nr_exported))
			m->procedures[items[i].procedure - 1].flags &= ~(uint32_t)PROCEDURE_PASSED;
	free(exported);
	if (err.unread)
		error_copy(unread, &err);
}

void
candidates_doubt_public(struct candidates *c, struct model *m, struct module *modules,
			struct error *unread)
{
	for (size_t i = 0, end; i < c->nr_handed; i = end) {
		for (end = i; end < c->nr_handed && c->handed[end].mod == c->handed[i].mod;)
			end++;
		doubt_module(&c->handed[i], end - i, m, &modules[c->handed[i].mod - modules],
			     unread);
	}
}

void
candidates_release(struct candidates *c)
{
	free(c->handed);
	free(c->items);
	free(c->taken);
	free(c->callee);
	*c = (struct candidates){ .items = NULL };
}
