#include "collect/import/counts/targets.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/noted_calls.h"
#include "collect/import/dwarf/dwarf.h"
#include "util/order.h"

enum { OUTSIDE = -1, UNKNOWN = -2 }; /* in place of a module's number */

struct target_call {
	model_id site, part;
	uint32_t variable;         /* what is stored in it, and no call; 0 none */
	int module;
	uint64_t address;          /* link-time; 0 outside */
	uint64_t count;
	model_id procedure;        /* 0: outside */
	bool ambiguous;            /* while it is looked for */
	bool resolved, nothing;    /* it was looked for; it is none that is known */
};

static int
compare_noted(const void *a, const void *b)
{
	const struct noted_site *x = a, *y = b;

	COMPARE(x->mod, y->mod);
	return x->address < y->address ? -1 : x->address > y->address;
}

void
targets_init(struct targets *t, struct builder *b, struct module *modules, size_t nr)
{
	*t = (struct targets){ .b = b, .modules = modules };
	targets_again(t, nr);
}

void
targets_again(struct targets *t, size_t nr_modules)
{
	struct builder *b = t->b;

	if (nr_modules != t->nr_modules && b->nr_noted)
		qsort(b->noted, b->nr_noted, sizeof(*b->noted), compare_noted);
	t->nr_modules = nr_modules;
	for (size_t i = 0; i < t->nr_calls; i++)
		t->calls[i].count = 0;
}

static bool
is_unknown(const struct target_call *c)
{
	return c->module == UNKNOWN || c->nothing;
}

void
targets_release(struct targets *t)
{
	index_release(&t->call_index);
	free(t->calls);
	*t = (struct targets){ .b = NULL };
}

/* ---- reading ---- */

static bool
call_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct target_call *c = &((const struct targets *)ctx)->calls[item], *k = key;

	return c->site == k->site && c->variable == k->variable && c->part == k->part &&
	       c->module == k->module && c->address == k->address;
}

static void
add_call(struct targets *t, const struct target_call *call)
{
	uint64_t h = hash_number(HASH_START, (uint64_t)call->part << 32 | call->site);
	uint32_t i;

	h = hash_number(hash_number(h, call->variable), call->address);
	i = index_find(&t->call_index, h, call_equal, t, call);
	if (i != INDEX_NONE) {
		t->calls[i].count = count_add(t->calls[i].count, call->count);
		return;
	}
	GROW(t->calls, t->nr_calls + 1, t->calls_alloc);
	index_add(&t->call_index, h, (uint32_t)t->nr_calls);
	t->calls[t->nr_calls++] = *call;
}

static const struct noted_site *
noted_at(const struct targets *t, const struct module *mod, uint64_t address)
{
	struct noted_site key = { .mod = mod, .address = address };

	if (!t->b->nr_noted)
		return NULL;
	return bsearch(&key, t->b->noted, t->b->nr_noted, sizeof(key), compare_noted);
}

/* At a direct call the note says what the call handed out, not what it called. */
static bool
is_direct(const struct targets *t, model_id site)
{
	return site && t->b->m->sites[site - 1].kind == SITE_DIRECT;
}

/* The state of reading one raw file. */
struct reading {
	struct targets *t;
	const struct rawfile *r;
	const int *module_of;
	const struct areas *areas;
};

static void
take_call(void *reading, const struct noted_call *noted_call)
{
	const struct reading *x = reading;
	struct targets *t = x->t;
	struct target_call call = { .module = OUTSIDE, .count = noted_call->count };
	const struct noted_site *noted;
	const struct module *mod;
	bool handed, several = noted_call->module == NOTED_SEVERAL;
	uint64_t bias;

	if (noted_call->site_module < 0) { /* they stay calls of an unknown procedure */
		t->nr_unclear = count_add(t->nr_unclear, noted_call->count);
		return;
	}
	mod = &t->modules[x->module_of[noted_call->site_module]];
	noted = noted_at(t, mod, noted_call->site + mod->counters_address);
	if (!noted)
		return;
	call.site = noted->site;
	call.variable = noted->variable;
	call.part = areas_of_extent(x->areas, noted_call->part);
	handed = is_direct(t, noted->site);
	if (noted_call->module >= 0) {
		bias = x->r->modules[noted_call->module].load_bias;
		call.module = x->module_of[noted_call->module];
		call.address = noted_call->target - bias;
	} else if (noted_call->module != NOTED_OUTSIDE) {
		if (several && !handed && !noted->variable)
			t->nr_unclear = count_add(t->nr_unclear, noted_call->count);
		call.module = UNKNOWN;
	}
	t->lost_handed |= handed && several;
	if (!handed || call.module >= 0)
		add_call(t, &call);
}

/* The sites of MOD stand together, by their addresses: the first of them; nr_noted: none. */
static size_t
first_site(const struct builder *b, const struct module *mod)
{
	size_t lo = 0, hi = b->nr_noted, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (b->noted[mid].mod < mod)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool
words_of(const void *reading, int module, size_t i, uint64_t *site)
{
	const struct targets *t = ((const struct reading *)reading)->t;
	const struct module *mod = &t->modules[module];
	size_t at = first_site(t->b, mod) + i;

	if (at >= t->b->nr_noted || t->b->noted[at].mod != mod)
		return false;
	*site = t->b->noted[at].address - mod->counters_address;
	return true;
}

void
targets_read(struct targets *t, const struct rawfile *r, const int *module_of,
	     const struct areas *areas)
{
	struct reading x = { t, r, module_of, areas };
	const struct noted_calls calls = {
		.raw = r, .module_of = module_of, .areas = areas, .words = words_of,
		.take = take_call, .context = &x,
	};

	if (t->b->nr_noted)
		noted_calls_read(&calls);
	if (t->nr_unclear)
		model_note(t->b->m, "counts", "%" PRIu64 " calls through pointers are those of an "
			   "unknown procedure: several libraries stood at its address, or at that "
			   "of the call, one after the other", t->nr_unclear);
	t->nr_unclear = 0;
}

/* ---- from addresses to procedures ---- */

/* This is found out about an address. */
struct found {
	model_id procedure;        /* 0: none that was profiled */
	bool several, any;
};

static void
found_one(struct found *f, model_id procedure)
{
	f->several |= f->any && f->procedure != procedure;
	f->procedure = procedure;
	f->any = true;
}

static const char *
skip_number(const char *s)
{
	s += *s == 'n';
	while (isdigit((unsigned char)*s))
		s++;
	return *s == '_' ? s + 1 : s;
}

/* The offsets of a C++ thunk: h16_, v0_n24_. */
static const char *
skip_offset(const char *s)
{
	if (*s == 'h')
		return skip_number(s + 1);
	return *s == 'v' ? skip_number(skip_number(s + 1)) : s;
}

/* The linkage name that a symbol stands for, heap: without what the compiler adds to copies, or the
 * linker for versions. */
static char *
plain_name(const char *symbol)
{
	return xstrndup(symbol, strcspn(symbol + (*symbol == '.'), ".@") + (*symbol == '.'));
}

/* Where a C++ thunk goes on to, heap; NULL: NAME is none. One that adjusts `this` (_ZTh, _ZTv) goes
 * to the method; one that adjusts the result (_ZTc, with an offset for each) goes to that without
 * the offset of `this`, which calls the method and is a procedure like others. */
static char *
name_behind_thunk(const char *name)
{
	const char *rest = name + 3;

	if (!strncmp(name, "_ZTh", 4) || !strncmp(name, "_ZTv", 4))
		return xasprintf("_Z%s", skip_offset(rest));
	if (!strncmp(name, "_ZTch0_", 7))
		return xasprintf("_Z%s", skip_offset(rest + 4));
	if (!strncmp(name, "_ZTc", 4))
		return xasprintf("_ZTch0_%s", skip_offset(rest + 1));
	return NULL;
}

static const struct unit *
unit_of(const struct module *mod, uint64_t counters, uint32_t *number)
{
	uint32_t i;

	for (i = 0; counters && i < mod->tables.nr; i++)
		if (mod->tables.units[i].counters_address == counters &&
		    mod->tables.units[i].nr_counters) {
			*number = i;
			return &mod->tables.units[i];
		}
	return NULL;
}

/* Does the symbol mean NAME? A local one whose unit is known means that unit's own. */
static bool
may_mean(const struct elf_symbol *s, const struct module *mod, const struct name *name)
{
	uint32_t unit;

	if (name->plain)
		return false;
	if (s->stub)
		return name->module != mod && name->unit == NO_UNIT &&
		       name->module->programs & mod->programs;
	if (name->module != mod)
		return false;
	return !unit_of(mod, s->counters, &unit) || name->unit == unit || name->unit == NO_UNIT;
}

static void
consider_name(struct found *f, const char *text, const struct elf_symbol *s,
	      const struct module *mod, const struct names *n)
{
	const struct name *name;
	bool own = false;
	uint32_t unit;

	for (name = names_find(n, text); name; name = names_next(n, name))
		own |= may_mean(s, mod, name) && unit_of(mod, s->counters, &unit) &&
		       name->unit == unit;
	for (name = names_find(n, text); name; name = names_next(n, name))
		if (may_mean(s, mod, name) && !(own && name->unit == NO_UNIT))
			found_one(f, name->procedure);
}

static void
consider(struct found *f, const struct elf_symbol *s, const struct module *mod,
	 const struct names *n)
{
	char *text = plain_name(s->name), *next;

	for (; text && !f->any; text = next) {
		consider_name(f, text, s, mod, n);
		next = name_behind_thunk(text);
		free(text);
	}
	free(text);
}

static bool
in_stubs(const struct module *mod, uint64_t address)
{
	const struct elf_section *s;
	size_t i;

	for (i = 0; i < mod->elf.nr_sections; i++) {
		s = &mod->elf.sections[i];
		if (address >= s->address && address - s->address < s->size &&
		    (!strncmp(s->name, ".plt", 4) || !strncmp(s->name, ".iplt", 5)))
			return true;
	}
	return false;
}

enum answer { FOUND, AMBIGUOUS, NOTHING };

/* The procedure at ADDRESS, by the symbol table; FOUND and 0: outside. */
static enum answer
resolve(const struct module *mod, uint64_t address, const struct names *n, model_id *procedure)
{
	struct found f = { .any = false };
	size_t lo = 0, hi = mod->nr_symbols, mid;
	bool symbol = false, stub = in_stubs(mod, address);

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (mod->symbols[mid].address < address)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < mod->nr_symbols && mod->symbols[lo].address == address; lo++) {
		/* A defined symbol on a stub is one that is resolved at run time (ifunc). */
		if (stub && !mod->symbols[lo].stub)
			return NOTHING;
		symbol = true;
		consider(&f, &mod->symbols[lo], mod, n);
	}
	*procedure = f.procedure;
	return f.several ? AMBIGUOUS : symbol ? FOUND : NOTHING;
}

/* ---- names that several procedures have: the debug information knows which one it is ---- */

static int
compare_addresses(const void *a, const void *b)
{
	const struct dwarf_address *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* The addresses of module NUMBER, sorted. */
static void
list_addresses(const struct targets *t, int number, struct dwarf_module *d)
{
	size_t i, nr = 0;

	d->path = t->modules[number].path;
	d->elf = &t->modules[number].elf;
	d->stripped = true;
	d->addresses = xcalloc(t->nr_calls, sizeof(*d->addresses));
	for (i = 0; i < t->nr_calls; i++)
		if (t->calls[i].module == number && t->calls[i].ambiguous)
			d->addresses[nr++].address = t->calls[i].address;
	if (nr)
		qsort(d->addresses, nr, sizeof(*d->addresses), compare_addresses);
	for (i = 0; i < nr; i++)
		if (!i || compare_addresses(&d->addresses[d->nr_addresses - 1], &d->addresses[i]))
			d->addresses[d->nr_addresses++] = d->addresses[i];
}

static model_id
procedure_of(const struct targets *t, const struct dwarf_module *d, const struct target_call *c,
	     const struct names *n)
{
	struct dwarf_address key = { .address = c->address }, *a;
	const struct dwarf_frame *f;
	model_id file;

	a = d->nr_addresses ? bsearch(&key, d->addresses, d->nr_addresses, sizeof(key),
				      compare_addresses) : NULL;
	if (!a || !a->nr_frames)
		return 0;
	f = &a->frames[a->nr_frames - 1];
	file = sources_find(t->b->sources, "", f->declared_file);
	return names_procedure(n, &t->modules[c->module], *f->linkage_name ? f->linkage_name
				       : f->name, file, f->declared_line);
}

static void
resolve_ambiguous(struct targets *t, const struct names *n)
{
	struct dwarf_module *d = xcalloc(t->nr_modules, sizeof(*d));
	struct arena arena = ARENA_INIT;
	struct error err = ERROR_INIT;
	struct target_call *c;
	size_t i;

	for (i = 0; i < t->nr_modules; i++)
		list_addresses(t, (int)i, &d[i]);
	/* The samples tell what is damaged. */
	if (dwarf_resolve(d, t->nr_modules, &arena, &err) && err.unread)
		error_copy(&t->unread, &err);
	for (i = 0; i < t->nr_calls; i++) {
		c = &t->calls[i];
		if (!c->ambiguous)
			continue;
		c->procedure = procedure_of(t, &d[c->module], c, n);
		c->nothing = !c->procedure;
		c->ambiguous = false;
	}
	for (i = 0; i < t->nr_modules; i++)
		free(d[i].addresses);
	free(d);
	arena_release(&arena);
}

static void
resolve_all(struct targets *t, const struct names *n)
{
	bool ambiguous = false;
	struct target_call *c;
	enum answer answer;
	size_t i;

	for (i = 0; i < t->nr_calls; i++) {
		c = &t->calls[i];
		if (c->module < 0 || c->resolved)
			continue;
		c->resolved = true;
		answer = resolve(&t->modules[c->module], c->address, n, &c->procedure);
		c->ambiguous = answer == AMBIGUOUS;
		ambiguous |= c->ambiguous;
		c->nothing = answer == NOTHING;
	}
	if (ambiguous)
		resolve_ambiguous(t, n);
}

void
targets_tell(struct targets *t, const struct names *n,
	     void (*tell)(void *context, model_id site, model_id callee, uint64_t count),
	     void *context)
{
	resolve_all(t, n);
	for (size_t i = 0; i < t->nr_calls; i++) {
		const struct target_call *c = &t->calls[i];

		if (!c->variable && !is_direct(t, c->site) && !is_unknown(c))
			tell(context, c->site, c->procedure, c->count);
	}
}

/* ---- arcs ---- */

static int
compare_arcs(const void *a, const void *b)
{
	const struct model_arc *x = a, *y = b;

	COMPARE(x->site, y->site);
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

void
targets_unite_arcs(struct model *m)
{
	size_t i, n = 0;

	if (m->nr_arcs)
		qsort(m->arcs, m->nr_arcs, sizeof(*m->arcs), compare_arcs);
	for (i = 0; i < m->nr_arcs; i++) {
		if (!n || compare_arcs(&m->arcs[n - 1], &m->arcs[i])) {
			m->arcs[n++] = m->arcs[i];
			continue;
		}
		m->arcs[n - 1].measured = count_add(m->arcs[n - 1].measured, m->arcs[i].measured);
		figures_unite(m, &m->arcs[n - 1].figures, m->arcs[i].figures);
	}
	m->nr_arcs = n;
}

static void
tell_rest(const struct targets *t)
{
	const struct builder *b = t->b;
	uint64_t other = 0;
	size_t i, nr_sites = 0;

	for (i = 0; i < b->nr_noted; i++) {
		if (!b->noted[i].other || !b->noted[i].site || is_direct(t, b->noted[i].site))
			continue;
		other = count_add(other, b->noted[i].other);
		nr_sites++;
	}
	if (other)
		model_note(b->m, "flow", "of %" PRIu64 " calls through pointers, at %zu call "
			   "sites, it was not noted what they reached (too many different ones, or "
			   "before the start of the profile): estimated", other, nr_sites);
	if (t->nr_unknown)
		model_note(b->m, "flow", "%" PRIu64 " calls through pointers reached code that "
			   "belongs to no one procedure (made by the program itself, or resolved "
			   "at run time): estimated", t->nr_unknown);
}

/* Some call handed out nobody knows what: then there is more than one way to each procedure. */
static void
doubt_passed(const struct targets *t)
{
	struct model *m = t->b->m;
	bool lost = t->lost_handed;

	for (size_t i = 0; i < t->b->nr_noted; i++)
		lost |= t->b->noted[i].other && is_direct(t, t->b->noted[i].site);
	for (size_t i = 0; lost && i < m->nr_procedures; i++)
		m->procedures[i].flags &= ~(uint32_t)PROCEDURE_PASSED;
}

/* The call C gave its procedure to code outside; profiled code calls it where that is counted. */
static void
add_handed(struct targets *t, struct candidates *candidates, const struct target_call *c)
{
	t->lost_handed |= is_unknown(c);
	if (!is_unknown(c) && c->procedure && !candidates->callee[c->site - 1])
		candidates_add_handed(candidates, c->site, c->procedure);
}

/* C was stored in its variable. */
static void
add_stored(struct targets *t, const struct target_call *c)
{
	if (is_unknown(c))
		held_open(&t->b->held, c->variable);
	else
		held_add_callee(&t->b->held, c->variable, c->procedure);
}

void
targets_attribute(struct targets *t, const struct names *n, struct candidates *candidates,
		  struct part_entries *parts)
{
	const struct target_call *c;
	struct model_arc *arc;
	size_t i;

	resolve_all(t, n);
	for (i = 0; i < t->nr_calls; i++) {
		c = &t->calls[i];
		if (c->variable) {
			add_stored(t, c);
			continue;
		}
		if (is_direct(t, c->site)) {
			add_handed(t, candidates, c);
			continue;
		}
		if (is_unknown(c)) {
			t->nr_unknown = count_add(t->nr_unknown, c->count);
			continue;
		}
		arc = MODEL_ADD(t->b->m, arcs);
		*arc = (struct model_arc){
			.site = c->site, .callee = c->procedure, .measured = c->count,
		};
		if (parts)
			part_add_arc(&parts[c->part - 1], c->site, c->procedure, c->count);
	}
	targets_unite_arcs(t->b->m);
	held_narrow(&t->b->held, candidates, t->b->m->nr_sites, n);
	doubt_passed(t);
	tell_rest(t);
}
