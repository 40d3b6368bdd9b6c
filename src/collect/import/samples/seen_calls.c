#include "collect/import/samples/seen_calls.h"

#include <stdlib.h>
#include <string.h>

/* ---- who may jump where ---- */

static int
compare_jumps(const void *a, const void *b)
{
	const struct jump *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Names may mean several procedures, of several units: all of them may jump. */
static void
add_jumps(struct seen_calls *s, const struct module *mod)
{
	const struct name *name;

	for (size_t i = 0; i < mod->tables.nr_jumps; i++)
		for (name = names_find(s->names, mod->tables.jumps[i].from); name;
		     name = names_next(s->names, name)) {
			GROW(s->jumps, s->nr_jumps + 1, s->jumps_alloc);
			s->jumps[s->nr_jumps++] = (struct jump){
				name->procedure, &mod->tables.jumps[i],
			};
		}
}

/* What every program has beside its own: the beginning and the end, what is linked into it of a
 * shared C library, and our runtime. */
static bool
is_known_code(const struct elf *elf, const struct elf_symbol *symbol)
{
	static const char *const known[] = {
		"__do_global_dtors_aux", "__libc_csu_fini", "__libc_csu_init", "__pthread_atfork",
		"__stack_chk_fail_local", "_dl_relocate_static_pie", "_fini", "_init", "_start",
		"at_quick_exit", "atexit", "deregister_tm_clones", "frame_dummy", "fstat",
		"fstat64", "fstatat", "fstatat64", "lstat", "lstat64", "mknod", "mknodat",
		"pthread_atfork", "register_tm_clones", "stat", "stat64",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(symbol->name, known[i]))
			return true;
	return elf_is_ours(elf, symbol);
}

static bool
is_profiled(const struct names *n, const char *symbol)
{
	char *text = xstrdup(symbol);
	bool found;

	do {
		found = names_find(n, text) != NULL;
	} while (!found && names_shorten(text));
	free(text);
	return found;
}

static bool
has_unknown_code(const struct names *n, const struct module *mod)
{
	if (!mod->nr_symbols)
		return true;
	for (size_t i = 0; i < mod->nr_symbols; i++) {
		const struct elf_symbol *symbol = &mod->symbols[i];

		if (!symbol->stub && !is_known_code(&mod->elf, symbol) &&
		    !is_profiled(n, symbol->name))
			return true;
	}
	return false;
}

/* Does a procedure of the unit ask for others by name? They may be anything. */
static bool
asks_by_name(const struct unit *u)
{
	for (uint32_t i = 0; i < u->nr_procedures; i++)
		for (uint32_t k = 0; k < u->procedures[i].nr_sites; k++) {
			const struct table_site *site = &u->procedures[i].sites[k];

			if (!site->kind && (!strcmp(site->target, "dlsym") ||
					    !strcmp(site->target, "dlvsym")))
				return true;
		}
	return false;
}

static void
look_at_unit(struct seen_calls *s, const struct unit *u)
{
	s->unknown_code |= asks_by_name(u);
	for (uint32_t i = 0; i < u->nr_taken; i++) {
		if (names_find(s->names, u->taken[i].name))
			continue;
		GROW(s->foreign, s->nr_foreign + 1, s->foreign_alloc);
		s->foreign[s->nr_foreign++] = u->taken[i].signature;
	}
}

/* Candidates are found site by site; the first of each. */
static void
index_candidates(struct seen_calls *s)
{
	const struct candidates *c = s->c;

	s->first = xcalloc(s->m->nr_sites + 2, sizeof(*s->first));
	for (size_t i = c->nr; i-- > 0;)
		if (!c->items[i].through && c->items[i].site)
			s->first[c->items[i].site] = i;
}

void
seen_calls_init(struct seen_calls *s, const struct names *n, const struct module *modules,
		size_t nr, const struct model *m, struct candidates *c)
{
	*s = (struct seen_calls){ .m = m, .names = n, .c = c };
	for (size_t i = 0; i < nr; i++) {
		if (!modules[i].usable)
			continue;
		add_jumps(s, &modules[i]);
		s->unknown_code |= has_unknown_code(n, &modules[i]);
		for (size_t k = 0; k < modules[i].tables.nr; k++)
			look_at_unit(s, &modules[i].tables.units[k]);
	}
	if (s->nr_jumps)
		qsort(s->jumps, s->nr_jumps, sizeof(*s->jumps), compare_jumps);
	index_candidates(s);
}

void
seen_calls_release(struct seen_calls *s)
{
	free(s->first);
	free(s->jumps);
	free(s->foreign);
	*s = (struct seen_calls){ .m = NULL };
}

/* ---- whether something else can have been called ---- */

struct walk {
	const struct seen_calls *s;
	model_id callee;
	bool *reached;             /* per procedure */
	model_id *queue;
	size_t nr;
	bool foreign;              /* code that was not profiled can be reached */
};

static void
reach(struct walk *w, model_id procedure)
{
	if (w->reached[procedure])
		return;
	w->reached[procedure] = true;
	w->queue[w->nr++] = procedure;
}

/* Procedures of the C library that call nothing of the program's: no jump leads further. */
static bool
calls_nobody(const char *name)
{
	static const char *const those[] = {
		"calloc", "close", "free", "malloc", "memchr", "memcmp", "memcpy", "memmove",
		"memset", "read", "realloc", "strcasecmp", "strcat", "strchr", "strcmp", "strcpy",
		"strdup", "strlen", "strncasecmp", "strncmp", "strncpy", "strrchr", "strstr",
		"strtod", "strtol", "strtoul", "time", "write",
	};

	for (size_t i = 0; i < sizeof(those) / sizeof(*those); i++)
		if (!strcmp(name, those[i]))
			return true;
	return false;
}

/* Code that was not profiled jumps to what it was given, and can be called where a pointer to it
 * fits. */
static bool
foreign_can_jump(const struct seen_calls *s, const char *signature)
{
	enum unlike unlike;

	if (s->unknown_code)
		return true;
	for (size_t i = 0; i < s->nr_foreign; i++)
		if (signatures_compatible(signature, s->foreign[i], &unlike))
			return true;
	return false;
}

static bool
jumps_by_name(struct walk *w, const char *to)
{
	const struct name *name = names_find(w->s->names, to);
	bool found = false;

	w->foreign |= !name && !calls_nobody(to);
	for (; name; name = names_next(w->s->names, name)) {
		found |= name->procedure == w->callee;
		reach(w, name->procedure);
	}
	return found;
}

static bool
jumps_through_pointer(struct walk *w, const char *signature)
{
	const struct candidates *c = w->s->c;
	enum unlike unlike;
	bool found = false;

	w->foreign |= foreign_can_jump(w->s, signature);
	for (size_t i = 0; i < c->nr_taken; i++)
		if (signatures_compatible(signature, c->taken[i].signature, &unlike)) {
			found |= c->taken[i].procedure == w->callee;
			reach(w, c->taken[i].procedure);
		}
	return found;
}

static size_t
first_jump(const struct seen_calls *s, model_id procedure)
{
	size_t lo = 0, hi = s->nr_jumps, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->jumps[mid].from < procedure)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Can PROCEDURE jump to the callee? Adds where else it can jump to what was reached. */
static bool
jumps_to_callee(struct walk *w, model_id procedure)
{
	const struct seen_calls *s = w->s;
	size_t lo = first_jump(s, procedure);
	bool found = false;

	for (; lo < s->nr_jumps && s->jumps[lo].from == procedure && !found; lo++) {
		const struct table_jump *j = s->jumps[lo].to;

		found = j->through_pointer ? jumps_through_pointer(w, j->to)
					   : jumps_by_name(w, j->to);
	}
	return found && procedure != w->callee;
}

static bool
can_be_jumped_to(struct walk *w, model_id site)
{
	const struct seen_calls *s = w->s;
	bool outside = false, found = false;

	for (size_t i = s->first[site]; i < s->c->nr && s->c->items[i].site == site; i++)
		if (s->c->items[i].callee)
			reach(w, s->c->items[i].callee);
		else
			outside = true;
	for (size_t i = 0; i < w->nr && !found; i++)
		found = jumps_to_callee(w, w->queue[i]);
	return found || w->foreign ||
	       (outside && foreign_can_jump(s, s->m->sites[site - 1].target));
}

/* Is there another call in the procedure that looks the same? The compiler may have made one of
 * the two. */
static bool
has_double(const struct model *m, model_id site)
{
	const struct model_site *s = &m->sites[site - 1], *other;

	for (size_t i = 0; i < m->nr_sites; i++) {
		other = &m->sites[i];
		if (other != s && other->procedure == s->procedure && other->kind == s->kind &&
		    other->count && !strcmp(other->target, s->target))
			return true;
	}
	return false;
}

static void
walk_init(struct walk *w, const struct seen_calls *s, model_id callee)
{
	*w = (struct walk){ .s = s, .callee = callee };
	w->reached = xcalloc(s->m->nr_procedures + 1, sizeof(*w->reached));
	w->queue = xcalloc(s->m->nr_procedures + 1, sizeof(*w->queue));
}

model_id *
seen_calls_jumps(const struct seen_calls *s, model_id from, model_id callee, size_t *nr)
{
	struct walk w;

	walk_init(&w, s, callee);
	jumps_to_callee(&w, from);
	free(w.reached);
	*nr = w.nr;
	return w.queue;
}

bool
seen_calls_can_jump(const struct seen_calls *s, model_id from, model_id callee)
{
	bool found = false;
	struct walk w;

	walk_init(&w, s, callee);
	reach(&w, from);
	for (size_t i = 0; i < w.nr && !found; i++)
		found = jumps_to_callee(&w, w.queue[i]);
	free(w.reached);
	free(w.queue);
	return found;
}

static bool
means(const struct seen_calls *s, const char *text, model_id procedure)
{
	const struct name *name = names_find(s->names, text);

	while (name && name->procedure != procedure)
		name = names_next(s->names, name);
	return name;
}

bool
seen_calls_may_be_jump(const struct seen_calls *s, model_id site)
{
	const struct model_site *call = &s->m->sites[site - 1];
	const struct place *p = &call->place;
	size_t i;

	for (i = first_jump(s, call->procedure);
	     i < s->nr_jumps && s->jumps[i].from == call->procedure; i++) {
		const struct table_jump *j = s->jumps[i].to;

		if (!j->through_pointer && j->line >= p->line && j->line <= p->end_line &&
		    (j->line > p->line || j->column >= p->column) &&
		    (j->line < p->end_line || j->column <= p->end_column) &&
		    means(s, j->to, s->c->callee[site - 1]))
			return true;
	}
	return false;
}

void
seen_calls_note(struct seen_calls *s, model_id site, model_id callee)
{
	struct candidate *c = NULL;
	struct walk w;

	for (size_t i = s->first[site]; i < s->c->nr && s->c->items[i].site == site; i++)
		if (s->c->items[i].callee == callee && !s->c->items[i].through)
			c = &s->c->items[i];
	if (!c || c->looked_at)
		return;
	c->looked_at = true;
	walk_init(&w, s, callee);
	c->seen = s->m->sites[site - 1].count && s->m->procedures[callee - 1].calls &&
		  !has_double(s->m, site) && !can_be_jumped_to(&w, site);
	free(w.reached);
	free(w.queue);
}
