#include "collect/import/counts/names.h"

#include <stdlib.h>
#include <string.h>

#include "util/order.h"
#include "util/text/path.h"

static bool
text_equal(const void *ctx, uint32_t item, const void *key)
{
	return !strcmp(((const struct names *)ctx)->items[item].text, key);
}

static void
add_name(struct names *n, struct name name)
{
	uint64_t h = hash_text(HASH_START, name.text);
	uint32_t first = index_find(&n->ix, h, text_equal, n, name.text), i;

	if (!*name.text || !name.procedure)
		return;
	GROW(n->items, n->nr + 1, n->alloc);
	i = (uint32_t)n->nr++;
	n->items[i] = name;
	if (first == INDEX_NONE) {
		index_add(&n->ix, h, i);
		return;
	}
	/* Keep the order, so that results do not depend on the hash; the first stays the first. */
	n->items[i].next = n->items[first].next;
	n->items[first].next = i + 1;
}

static void
add_procedures(struct names *n, const struct module *mod, uint32_t unit)
{
	const struct unit *u = &mod->tables.units[unit];
	const struct table_procedure *p;
	struct name name;
	uint32_t i;

	for (i = 0; i < u->nr_procedures; i++) {
		p = &u->procedures[i];
		name = (struct name){
			.text = p->linkage_name, .module = mod,
			.unit = p->flags & PROCEDURE_STATIC ? unit : NO_UNIT,
			.procedure = mod->procedures[unit][i],
		};
		add_name(n, name);
		if (strcmp(p->name, p->linkage_name)) {
			name.text = p->name;
			name.plain = true;
			add_name(n, name);
		}
	}
}

/* Finds what TEXT means in a unit: its own local names come first. */
static const struct name *
in_unit(const struct names *n, const struct module *mod, uint32_t unit, const char *text)
{
	const struct name *name, *other = NULL;

	for (name = names_find(n, text); name; name = names_next(n, name)) {
		if (name->module != mod || name->plain)
			continue;
		if (name->unit == unit)
			return name;
		if (name->unit == NO_UNIT && !other)
			other = name;
	}
	return other;
}

static void
add_aliases(struct names *n, const struct module *mod, uint32_t unit)
{
	const struct unit *u = &mod->tables.units[unit];
	const struct name *target;
	uint32_t i;

	for (i = 0; i < u->nr_aliases; i++) {
		target = in_unit(n, mod, unit, u->aliases[i].target);
		/* An alias may be seen from elsewhere though its target is not. */
		if (target)
			add_name(n, (struct name){
				.text = u->aliases[i].name, .module = mod, .unit = NO_UNIT,
				.procedure = target->procedure,
			});
	}
}

/* ---- by place ---- */

/* Where a procedure of a module begins. */
struct beginning {
	const struct module *module;
	model_id file;
	uint32_t line, column;
};

static struct beginning
beginning_of(const struct names *n, uint32_t item)
{
	const struct place *p = &n->m->procedures[n->items[item].procedure - 1].place;

	return (struct beginning){ n->items[item].module, p->file, p->line, p->column };
}

static int
compare_beginnings(const struct beginning *a, const struct beginning *b)
{
	COMPARE((uintptr_t)a->module, (uintptr_t)b->module);
	COMPARE(a->file, b->file);
	COMPARE(a->line, b->line);
	COMPARE(a->column, b->column);
	return 0;
}

static int
compare_items(const void *va, const void *vb, void *names)
{
	const uint32_t *a = va, *b = vb;
	const struct beginning of_a = beginning_of(names, *a), of_b = beginning_of(names, *b);
	int order = compare_beginnings(&of_a, &of_b);

	if (order)
		return order;
	COMPARE(*a, *b);
	return 0;
}

static void
sort_by_place(struct names *n)
{
	n->by_place = xcalloc(n->nr + 1, sizeof(*n->by_place));
	for (uint32_t i = 0; i < n->nr; i++)
		if (!n->items[i].plain)
			n->by_place[n->nr_by_place++] = i;
	qsort_r(n->by_place, n->nr_by_place, sizeof(*n->by_place), compare_items, n);
}

/* Returns the first one that does not begin before WANTED. */
static size_t
first_at(const struct names *n, const struct beginning *wanted)
{
	size_t lo = 0, hi = n->nr_by_place;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct beginning b = beginning_of(n, n->by_place[mid]);

		if (compare_beginnings(&b, wanted) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Does NAME end with END, but for where the plugin says that an instance's arguments begin? */
static bool
ends_with(const char *name, const char *end)
{
	const char *added = strstr(name, " @");
	size_t n = added ? (size_t)(added - name) : strlen(name), n_end = strlen(end);

	return n >= n_end && !strncmp(name + n - n_end, end, n_end);
}

model_id
names_at(const struct names *n, const struct module *module, const char *text, model_id file,
	 uint32_t line, uint32_t column)
{
	const struct beginning wanted = { module, file, line, column };
	model_id only = 0, named = 0;
	bool several = false, several_named = false;

	if (!file || !line || !column)
		return 0;
	for (size_t i = first_at(n, &wanted); i < n->nr_by_place; i++) {
		const struct beginning b = beginning_of(n, n->by_place[i]);
		model_id procedure = n->items[n->by_place[i]].procedure;

		if (compare_beginnings(&b, &wanted))
			break;
		several |= only && only != procedure;
		only = procedure;
		if (!*text || !ends_with(n->m->procedures[procedure - 1].name, text))
			continue;
		several_named |= named && named != procedure;
		named = procedure;
	}
	if (!several)
		return only;
	return several_named ? 0 : named;
}

void
names_init(struct names *n, const struct model *m, const struct module *modules, size_t nr)
{
	uint32_t unit;
	size_t i;

	*n = (struct names){ .m = m };
	for (i = 0; i < nr; i++)
		for (unit = 0; modules[i].usable && unit < modules[i].tables.nr; unit++)
			add_procedures(n, &modules[i], unit);
	for (i = 0; i < nr; i++)
		for (unit = 0; modules[i].usable && unit < modules[i].tables.nr; unit++)
			add_aliases(n, &modules[i], unit);
	sort_by_place(n);
}

void
names_release(struct names *n)
{
	free(n->items);
	free(n->by_place);
	index_release(&n->ix);
	*n = (struct names){ .m = NULL };
}

const struct name *
names_find(const struct names *n, const char *text)
{
	uint32_t i = index_find(&n->ix, hash_text(HASH_START, text), text_equal, n, text);

	return i == INDEX_NONE ? NULL : &n->items[i];
}

const struct name *
names_next(const struct names *n, const struct name *name)
{
	return name->next ? &n->items[name->next - 1] : NULL;
}

model_id
names_procedure(const struct names *n, const struct module *module, const char *text,
		model_id file, uint32_t line)
{
	const struct name *name;
	const struct model_procedure *p;
	model_id same_line = 0, only = 0;
	bool several = false;

	for (name = names_find(n, text); name; name = names_next(n, name)) {
		if (name->module != module)
			continue;
		p = &n->m->procedures[name->procedure - 1];
		if (line && p->place.line == line) {
			if (file && p->place.file == file)
				return name->procedure;
			same_line = name->procedure;
		}
		several |= only && only != name->procedure;
		only = name->procedure;
		/* A static procedure elsewhere may have the same name. */
		several |= line && p->flags & PROCEDURE_STATIC;
	}
	return same_line ? same_line : several ? 0 : only;
}

/* A static procedure that stands in a .c file belongs to the symbols of that file only; one that
 * stands in a header may belong to any. */
static bool
other_file(const struct names *n, const struct model_procedure *p, const struct elf_symbol *symbol)
{
	const char *file = p->place.file ? path_base(n->m->files[p->place.file - 1].path) : "";
	const char *dot = strrchr(file, '.');

	return symbol->file && p->flags & PROCEDURE_STATIC && dot && (dot[1] | 32) == 'c' &&
	       strcmp(file, symbol->file);
}

/* The compiler names a copy or a part of a procedure by appending a text that begins with a dot; so
 * it does for the parts of a coroutine. */
bool
names_shorten(char *symbol)
{
	char *dot = strrchr(symbol, '.');

	if (!dot || dot == symbol)
		return false;
	*dot = '\0';
	return true;
}

model_id
names_symbol(const struct names *n, const struct module *module, const struct elf_symbol *symbol)
{
	char *text = xstrdup(symbol->name);
	const struct name *name;
	const struct model_procedure *p;
	model_id only = 0;
	bool several = false;

	do {
		for (name = names_find(n, text); name; name = names_next(n, name)) {
			p = &n->m->procedures[name->procedure - 1];
			if (name->module != module || name->plain || other_file(n, p, symbol))
				continue;
			several |= only && only != name->procedure;
			only = name->procedure;
		}
	} while (!only && names_shorten(text));
	free(text);
	return several ? 0 : only;
}
