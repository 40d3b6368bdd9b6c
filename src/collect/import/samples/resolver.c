#include "collect/import/samples/resolver.h"

#include <stdlib.h>
#include <string.h>

static int
compare_addresses(const void *a, const void *b, void *ctx)
{
	const struct address *addresses = ctx;
	const struct address *x = &addresses[*(const uint32_t *)a];
	const struct address *y = &addresses[*(const uint32_t *)b];

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Which procedures have blocks that ran, or that did not. */
static void
note_ran(struct resolver *r)
{
	const struct model *m = r->s->b->m;

	r->ran = xcalloc(m->nr_procedures, sizeof(*r->ran));
	for (size_t i = 0; i < m->nr_blocks; i++)
		if (m->blocks[i].procedure)
			r->ran[m->blocks[i].procedure - 1] |=
				m->blocks[i].count ? BLOCKS_RAN : BLOCKS_DID_NOT;
}

/* ---- code ---- */

/* Lists the code of MOD: that of each symbol once, whatever other names it has. What was not
 * profiled may have copies of what was, and with -flto not all symbols tell whose they are. */
static void
list_extents(const struct module *mod, struct dwarf_module *d)
{
	struct dwarf_extent *extents = xcalloc(mod->nr_symbols, sizeof(*extents));
	uint64_t end = 0;

	d->extents = extents;
	for (size_t i = 0; i < mod->nr_symbols; i++) {
		const struct elf_symbol *s = &mod->symbols[i];

		if (s->stub || !s->size || s->size > UINT32_MAX / 4 || s->address < end)
			continue;
		extents[d->nr_extents++] = (struct dwarf_extent){ s->address, s->size };
		end = s->address + s->size;
	}
}

/* List the addresses of each module, sorted. */
static void
sort_addresses(struct resolver *r)
{
	struct samples *s = r->s;
	size_t *nr = xcalloc(s->nr_modules, sizeof(*nr)), i, k;

	r->modules = xcalloc(s->nr_modules, sizeof(*r->modules));
	r->numbers = xcalloc(s->nr_modules, sizeof(*r->numbers));
	for (i = 0; i < s->nr_addresses; i++)
		nr[s->addresses[i].module]++;
	for (i = 0; i < s->nr_modules; i++) {
		r->numbers[i] = xcalloc(nr[i], sizeof(**r->numbers));
		r->modules[i].path = s->modules[i].path;
		r->modules[i].elf = &s->modules[i].elf;
		r->modules[i].stripped = s->modules[i].usable &&
					 elf_stripped(&s->modules[i].elf);
		r->modules[i].addresses = xcalloc(nr[i], sizeof(struct dwarf_address));
		list_extents(&s->modules[i], &r->modules[i]);
		nr[i] = 0;
	}
	for (i = 0; i < s->nr_addresses; i++)
		r->numbers[s->addresses[i].module][nr[s->addresses[i].module]++] = (uint32_t)i;
	for (i = 0; i < s->nr_modules; i++) {
		r->modules[i].nr_addresses = nr[i];
		qsort_r(r->numbers[i], nr[i], sizeof(**r->numbers), compare_addresses,
			s->addresses);
		for (k = 0; k < nr[i]; k++)
			r->modules[i].addresses[k].address =
				s->addresses[r->numbers[i][k]].address;
	}
	free(nr);
}

static model_id
procedure_of(const struct resolver *r, const struct module *mod, const struct dwarf_frame *f)
{
	model_id file = sources_find(r->s->b->sources, "", f->declared_file);
	model_id procedure = 0;

	if (*f->linkage_name)
		procedure = names_procedure(r->n, mod, f->linkage_name, file, f->declared_line);
	if (!procedure && *f->name)
		procedure = names_procedure(r->n, mod, f->name, file, f->declared_line);
	if (!procedure)
		procedure = names_at(r->n, mod, f->name, file, f->declared_line,
				     f->declared_column);
	return procedure;
}

/* Paths may have been changed on the way (-ffile-prefix-map): the name must do then. */
static model_id
file_of(const struct resolver *r, const struct dwarf_frame *f, model_id procedure)
{
	const struct model *m = r->s->b->m;
	model_id file = sources_find(r->s->b->sources, "", f->file), own;

	if (file || !procedure || !*f->file)
		return file;
	own = m->procedures[procedure - 1].place.file;
	return own && !strcmp(basename(f->file), basename(m->files[own - 1].path)) ? own : 0;
}

/* What debug information has no name of its own for, and which has one place with others (instances
 * of a template) or none (lambdas), is what is called where it was inlined. */
static void
find_called(const struct resolver *r, struct address *a, const struct dwarf_address *d)
{
	for (uint32_t i = d->nr_frames; i-- > 1;) {
		const struct dwarf_frame *f = &d->frames[i - 1];
		const struct level *outer = &a->levels[i];
		struct level *level = &a->levels[i - 1];

		if (level->procedure || !outer->procedure)
			continue;
		level->procedure = locate_called(
			r->s->b, outer->procedure, outer->at, r->c->callee,
			(struct position){ sources_find(r->s->b->sources, "", f->declared_file),
					   f->declared_line, f->declared_column },
			level->at);
	}
}

/* What the compiler split off from a procedure and brought back into it is inlined there in debug
 * information, as if the procedure had called itself: both are one execution of it. */
static void
drop_own_parts(const struct resolver *r, struct address *a)
{
	uint32_t nr = 1, i;

	for (i = 1; i < a->nr_levels; i++) {
		struct level *inner = &a->levels[nr - 1];
		const struct level *outer = &a->levels[i];

		if (outer->procedure && outer->procedure == inner->procedure &&
		    !locate_calls_itself(r->s->b, outer->procedure, outer->at, r->c->callee))
			inner->outermost = outer->outermost;
		else
			a->levels[nr++] = *outer;
	}
	a->nr_levels = nr;
}

/* Code that an inlined procedure shares with the one around it (hoisted, or the end of both) has
 * the place of one of them in debug information. A procedure that never ran took no time: what
 * stands in it, and what is inlined there, is code of the procedure around it, if that did run. */
static void
drop_never_ran(const struct resolver *r, struct address *a)
{
	uint32_t i = a->nr_levels - 1;
	model_id procedure = a->levels[i].procedure;

	if (!procedure || !(r->ran[procedure - 1] & BLOCKS_RAN))
		return;
	while (i--) {
		procedure = a->levels[i].procedure;
		if (procedure && r->ran[procedure - 1] == BLOCKS_DID_NOT)
			break;
	}
	if (i == UINT32_MAX)
		return;
	a->levels += i + 1;
	a->nr_levels -= i + 1;
	a->levels->innermost = true;
}

static void
set_levels(struct resolver *r, struct address *a, const struct dwarf_address *d)
{
	const struct module *mod = &r->s->modules[a->module];
	const struct elf_symbol *symbol;
	const struct dwarf_frame *f;
	struct level *level;
	uint32_t i;

	a->nr_levels = d->nr_frames;
	a->levels = arena_alloc(&r->arena, a->nr_levels * sizeof(*a->levels));
	for (i = 0; i < d->nr_frames; i++) {
		f = &d->frames[i];
		level = &a->levels[i];
		level->address = (uint32_t)(a - r->s->addresses) + 1;
		level->innermost = !i;
		level->outermost = i + 1 == d->nr_frames && !a->part;
		level->procedure = procedure_of(r, mod, f);
		if (!level->procedure && i + 1 == d->nr_frames) {
			symbol = samples_symbol_at(mod, a->address);
			level->procedure = symbol ? names_symbol(r->n, mod, symbol) : 0;
		}
		level->at = (struct position){ file_of(r, f, level->procedure), f->line,
					       f->column };
	}
	find_called(r, a, d);
	drop_own_parts(r, a);
	drop_never_ran(r, a);
}

/* No debug information for the address: the symbol table knows the procedure. */
static void
set_symbol(struct resolver *r, struct address *a)
{
	const struct module *mod = &r->s->modules[a->module];
	const struct elf_symbol *symbol = samples_symbol_at(mod, a->address);

	a->nr_levels = 1;
	a->levels = arena_alloc(&r->arena, sizeof(*a->levels));
	if (symbol)
		a->levels->procedure = names_symbol(r->n, mod, symbol);
}

/* Gives the lines of the model the code that the line table has for them. What it has for others,
 * on which nothing is counted (most are the brace at the end of a procedure), is nobody's. */
static void
count_code(const struct resolver *r, size_t module)
{
	const struct dwarf_module *d = &r->modules[module];
	const struct module *mod = &r->s->modules[module];
	const struct elf_symbol *symbol;
	struct model_line *line;

	for (size_t i = 0; i < d->nr_code; i++) {
		const struct dwarf_code *c = &d->code[i];
		const struct dwarf_frame frame = { .file = c->file };

		symbol = samples_symbol_at(mod, d->extents[c->extent].address);
		line = lines_find(&r->s->b->lines,
				  file_of(r, &frame, names_symbol(r->n, mod, symbol)), c->line);
		if (line)
			line_add_code(line, c->bytes);
	}
}

static bool
is_part(const struct module *mod, uint64_t address)
{
	const struct elf_symbol *symbol = samples_symbol_at(mod, address);

	return symbol && strstr(symbol->name, ".part.");
}

/* Its samples are in profiled code, but nothing says in which procedure: none gets them. */
static void
tell_stripped(struct resolver *r, size_t module)
{
	const struct dwarf_module *d = &r->modules[module];
	size_t i, nr_counted = 0;

	for (i = 0; i < d->nr_addresses; i++) {
		if (d->addresses[i].nr_frames) /* of debug information in another file */
			return;
		nr_counted += r->s->addresses[r->numbers[module][i]].levels->procedure != 0;
	}
	if (nr_counted < d->nr_addresses)
		model_note(r->s->b->m, "samples", "%s is stripped: %s; link without -s and do not "
			   "strip it", d->path, nr_counted
			   ? "time can be counted only to the procedures that it exports"
			   : "no time can be counted to procedures");
}

void
resolve_addresses(struct resolver *r)
{
	struct samples *s = r->s;
	struct error err = ERROR_INIT;
	struct address *a;
	size_t i, k;

	sort_addresses(r);
	note_ran(r);
	if (dwarf_resolve(r->modules, s->nr_modules, &r->arena, &err))
		model_note(s->b->m, "dwarf", s->nr_addresses
			   ? "%s; times of procedures come from the symbol table, without inlined "
			     "calls and lines" : "%s; how much code a line has is not known",
			   err.text);
	if (err.unread)
		error_copy(&s->unread, &err);
	if (s->foreign.unread.set)
		error_copy(&s->unread, &s->foreign.unread);
	for (i = 0; i < s->nr_modules; i++) {
		for (k = 0; k < r->modules[i].nr_addresses; k++) {
			a = &s->addresses[r->numbers[i][k]];
			a->part = is_part(&s->modules[i], a->address);
			if (r->modules[i].addresses[k].nr_frames)
				set_levels(r, a, &r->modules[i].addresses[k]);
			else
				set_symbol(r, a);
		}
		count_code(r, i);
		if (r->modules[i].stripped)
			tell_stripped(r, i);
		free(r->modules[i].addresses);
		free((void *)r->modules[i].extents);
		free(r->modules[i].code);
		free(r->numbers[i]);
	}
	free(r->ran);
	free(r->modules);
	free(r->numbers);
}

struct model_line *
resolver_line(const struct resolver *r, const struct level *level)
{
	const struct model *m = r->s->b->m;
	struct model_line *line = lines_find(&r->s->b->lines, level->at.file, level->at.line);
	const struct place *p;

	if (line && line->count)
		return line;
	line = NULL;
	if (level->range) {
		p = &m->ranges[level->range - 1].place;
		line = lines_find(&r->s->b->lines, p->file, p->line);
	}
	p = &m->procedures[level->procedure - 1].place;
	return line ? line : lines_find(&r->s->b->lines, p->file, p->line);
}
