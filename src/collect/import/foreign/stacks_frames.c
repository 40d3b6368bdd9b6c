#include "collect/import/foreign/stacks_frames.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/dwarf/debug_file.h"
#include "collect/import/dwarf/dwarf.h"
#include "collect/import/dwarf/line_index.h"
#include "collect/import/elf/cfi.h"
#include "collect/import/elf/demangle.h"
#include "collect/import/elf/elf.h"
#include "collect/import/samples/foreign.h"
#include "util/keys.h"
#include "util/text/path.h"

void
frames_release(struct frames *f)
{
	free(f->items);
	free(f->parts);
	free(f->texts);
	free(f->begins_unknown);
	free(f->builds);
	keys_release(&f->build_keys);
	index_release(&f->frame_index);
	index_release(&f->text_index);
	sources_release(&f->sources);
	owners_release(&f->owners);
	arena_release(&f->arena);
}

/* ---- adding ---- */

static bool
text_equal(const void *context, uint32_t item, const void *key)
{
	const char *text = ((const struct frames *)context)->texts[item];
	const struct stacks_text *k = key;

	return strlen(text) == k->length && !memcmp(text, k->at, k->length);
}

uint32_t
frames_text(struct frames *f, struct stacks_text text)
{
	enum { MOST = 1 << 16 };
	const char *nul = text.length ? memchr(text.at, '\0', text.length) : NULL;
	uint64_t hash;
	uint32_t i;

	if (!text.length && f->nr_texts)
		return 0;
	if (!text.length)
		text.at = "";
	text.length = nul ? (size_t)(nul - text.at) : text.length;
	text.length = text.length < MOST ? text.length : MOST;
	hash = hash_bytes(HASH_START, text.at, text.length);
	i = index_find(&f->text_index, hash, text_equal, f, &text);
	if (i == INDEX_NONE) {
		i = (uint32_t)f->nr_texts;
		GROW(f->texts, f->nr_texts + 1, f->texts_alloc);
		f->texts[f->nr_texts++] = arena_strndup(&f->arena, text.at, text.length);
		index_add(&f->text_index, hash, i);
	}
	return i;
}

void
frames_init(struct frames *f)
{
	*f = (struct frames){ .arena = ARENA_INIT, .nr = 1 };
	GROW(f->items, 1, f->alloc);
	frames_text(f, (struct stacks_text){ "", 0 }); /* 0 */
	f->items[0] = (struct frame){ .module = 0 };
}

static bool
frame_equal(const void *context, uint32_t item, const void *key)
{
	const struct frame *a = &((const struct frames *)context)->items[item], *k = key;

	return a->module == k->module && a->symbol == k->symbol && a->name == k->name &&
	       a->file == k->file && a->line == k->line && a->start_line == k->start_line &&
	       a->address == k->address && a->offset == k->offset && a->caller == k->caller &&
	       a->inlined == k->inlined && a->in_file == k->in_file &&
	       a->next == k->next && a->into == k->into;
}

uint32_t
frames_add(struct frames *f, const struct stacks_frame *frame, bool caller, uint32_t into)
{
	struct frame key = {
		.module = frames_text(f, frame->module), .symbol = frames_text(f, frame->symbol),
		.name = frames_text(f, frame->name), .file = frames_text(f, frame->file),
		.line = frame->file.length ? frame->line : 0, .start_line = frame->start_line,
		.address = frame->address, .offset = frame->offset, .caller = caller,
		.inlined = frame->inlined, .in_file = frame->in_file, .next = frame->next,
		.into = into,
	};
	uint64_t hash = hash_number(hash_number(HASH_START, key.module), key.symbol);
	uint32_t i;

	hash = hash_number(hash, (uint64_t)key.file << 32 | key.line);
	hash = hash_number(hash_number(hash, key.address), (uint64_t)into << 3 | caller << 2 |
			   frame->next << 1 | frame->inlined);
	i = index_find(&f->frame_index, hash, frame_equal, f, &key);
	if (i == INDEX_NONE) {
		i = (uint32_t)f->nr;
		GROW(f->items, f->nr + 1, f->alloc);
		f->items[f->nr++] = key;
		index_add(&f->frame_index, hash, i);
	}
	return i;
}

/* Returns the build of the module with this name; NULL: it is not told. */
static const struct object_id *
build_of(const struct frames *f, uint32_t module)
{
	uint32_t i = keys_find(&f->build_keys, KEY(module));

	return i == INDEX_NONE ? NULL : &f->builds[i];
}

void
frames_build(struct frames *f, struct stacks_text module, const uint8_t *id, size_t length)
{
	struct object_id *b;
	bool is_new;

	if (!length || length > sizeof(b->bytes))
		return;
	keys_number(&f->build_keys, KEY(frames_text(f, module)), &is_new);
	if (!is_new)
		return;
	GROW(f->builds, f->nr_builds + 1, f->builds_alloc);
	b = &f->builds[f->nr_builds++];
	*b = (struct object_id){ .length = length };
	memcpy(b->bytes, id, length);
}

/* ---- addresses ---- */

struct module {
	uint32_t name;             /* the number of its text */
	struct elf elf;
	bool needed, open;
	struct elf_symbol *symbols; /* by address */
	const struct elf_symbol **by_name;
	size_t nr_symbols;
	struct dwarf_address *addresses;
	size_t nr_addresses, alloc;
	struct cfi *cfi;           /* read when it is wanted */
	bool cfi_read;
	struct elf debug;          /* whose symbols these are, if DEBUG_OPEN */
	bool debug_open;
	struct line_index *lines;  /* NULL: they are not asked */
};

struct resolving {
	struct frames *f;
	struct model *m;
	struct module *modules;
	size_t nr_modules, alloc;
	uint32_t *module_of;       /* by text: number + 1 */
	size_t module_of_alloc;
	struct keys procedures;    /* of the model */
	size_t begins_alloc;
	int64_t written_ns;
};

/* Is it for the module to say what is there? */
static bool
needs_module(const struct frame *f)
{
	return !f->inlined && !f->line;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct elf_symbol *const *)a)->name,
		      (*(const struct elf_symbol *const *)b)->name);
}

static void
open_module(struct resolving *r, struct module *mod)
{
	const char *path = r->f->texts[mod->name];
	const struct object_id *id = build_of(r->f, mod->name), unknown = { .length = 0 };
	struct error ignored = ERROR_INIT;
	enum object_found found;
	ptrdiff_t nr;

	found = object_open(&mod->elf, path, id ? id : &unknown, &r->f->owners);
	mod->open = found == OBJECT_FOUND;
	if (found == OBJECT_OTHER)
		model_note(r->m, "samples", "%s is of another build than the one that ran: what "
			   "its procedures are called is not known", path);
	nr = mod->open ? elf_symbols(&mod->elf, &mod->symbols, &ignored) : 0;
	mod->nr_symbols = nr > 0 ? (size_t)nr : 0;
}

static void
sort_names(struct module *mod)
{
	mod->by_name = xcalloc(mod->nr_symbols, sizeof(const struct elf_symbol *));
	for (size_t i = 0; i < mod->nr_symbols; i++)
		mod->by_name[i] = &mod->symbols[i];
	if (mod->nr_symbols)
		qsort(mod->by_name, mod->nr_symbols, sizeof(*mod->by_name), compare_names);
}

/* Can the program's debug information know more than the line that the frame says? */
static bool
may_be_of_program(const struct frames *all, const struct frame *f)
{
	return all->program && !f->module && f->line && f->address;
}

static bool
is_of_program(const struct frames *all, const struct frame *f)
{
	return all->program && f->module == all->program && f->line;
}

/* Returns the module that text NAME names; it stays until another one is found. */
static struct module *
module_named(struct resolving *r, uint32_t name)
{
	size_t before = r->module_of_alloc;

	if (name >= before) {
		GROW(r->module_of, name + 1, r->module_of_alloc);
		memset(r->module_of + before, 0,
		       (r->module_of_alloc - before) * sizeof(*r->module_of));
	}
	if (!r->module_of[name]) {
		GROW(r->modules, r->nr_modules + 1, r->alloc);
		r->modules[r->nr_modules] = (struct module){ .name = name };
		r->module_of[name] = (uint32_t)++r->nr_modules;
	}
	return &r->modules[r->module_of[name] - 1];
}

static void
find_modules(struct resolving *r)
{
	for (size_t i = 0; i < r->f->nr; i++) { /* that of 0 is "" */
		struct frame *f = &r->f->items[i];
		bool program = may_be_of_program(r->f, f);

		if (program)
			f->module = r->f->program;
		module_named(r, f->module)->needed |= program || (i && needs_module(f));
	}
	for (size_t i = 0; i < r->nr_modules; i++)
		if (r->modules[i].needed) {
			open_module(r, &r->modules[i]);
			sort_names(&r->modules[i]);
		}
}

/* Returns the symbol by which a frame's address is told: of several of a name the one that fits, as
 * a file is mapped by whole pages. */
static const struct elf_symbol *
symbol_of(const struct resolving *r, const struct module *mod, const struct frame *f)
{
	const char *name = r->f->texts[f->symbol];
	const struct elf_symbol *found = NULL;
	size_t lo = 0, hi = mod->nr_symbols;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(mod->by_name[mid]->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < mod->nr_symbols && !strcmp(mod->by_name[lo]->name, name); lo++) {
		const struct elf_symbol *s = mod->by_name[lo];

		if (f->offset > s->size)
			continue;
		if (((s->address + f->offset) ^ f->address) % 4096 == 0)
			return s;
		found = found ? found : s;
	}
	return found;
}

/* What runs next tells of what stands before it, but for the first of a procedure. */
static uint64_t
address_in_file(const struct module *mod, const struct frame *f)
{
	const struct elf_symbol *s;
	uint64_t address;

	if (!elf_address_of(&mod->elf, f->address, &address))
		return 0;
	s = f->next ? elf_symbol_at(mod->symbols, mod->nr_symbols, address) : NULL;
	return address - (s && s->address != address);
}

/* Demangled names are no symbols of the file: then the address itself must be one in it. */
static uint64_t
link_address(const struct resolving *r, const struct module *mod, const struct frame *f)
{
	const struct elf_symbol *s = NULL;

	if (f->in_file)
		return address_in_file(mod, f);
	if (f->offset != STACKS_NO_OFFSET)
		s = symbol_of(r, mod, f);
	if (s)
		return s->address + f->offset;
	s = elf_symbol_at(mod->symbols, mod->nr_symbols, f->address);
	if (!s || (f->offset != STACKS_NO_OFFSET && f->address - s->address != f->offset))
		return 0;
	return f->address;
}

/* The same of a frame of the program that says its line: where it was loaded. */
static uint64_t
program_address(const struct resolving *r, const struct module *mod, const struct frame *f)
{
	uint64_t lowest = UINT64_MAX;

	for (size_t i = 0; i < mod->elf.nr_segments; i++)
		if (mod->elf.segments[i].address < lowest)
			lowest = mod->elf.segments[i].address;
	if (lowest >= 4096) /* it cannot be loaded elsewhere */
		return f->address;
	return f->address > r->f->loaded ? f->address - r->f->loaded : 0;
}

/* Does a direct call end at ADDRESS? */
static bool
call_ends_at(const struct module *mod, uint64_t address)
{
	enum { CALL = 0xe8, LENGTH = 5 };
	struct error ignored = ERROR_INIT;
	uint8_t byte = 0;

	for (size_t i = 0; i < mod->elf.nr_sections; i++) {
		const struct elf_section *s = &mod->elf.sections[i];

		if (s->address && address >= s->address + LENGTH &&
		    address - s->address <= s->size)
			return !elf_read_at(&mod->elf, address - LENGTH - s->address + s->offset,
					    &byte, 1, &ignored) && byte == CALL;
	}
	return false;
}

/* Are the addresses of callers behind their calls? With debug information as its unwinder, perf
 * has taken 1 from them already; the code itself tells. */
static bool
is_behind_calls(const struct resolving *r)
{
	enum { ENOUGH = 1000 };
	unsigned behind = 0, within = 0;

	for (size_t i = 1; i < r->f->nr && behind + within < ENOUGH; i++) {
		const struct frame *f = &r->f->items[i];
		const struct module *mod = &r->modules[r->module_of[f->module] - 1];

		if (!f->caller || f->inlined || f->in_file || !f->link || !mod->open)
			continue;
		behind += call_ends_at(mod, f->link);
		within += call_ends_at(mod, f->link + 1);
	}
	return behind >= within;
}

static int
compare_addresses(const void *a, const void *b)
{
	const struct dwarf_address *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void
find_addresses(struct resolving *r)
{
	bool behind;

	for (size_t i = 1; i < r->f->nr; i++) {
		struct frame *f = &r->f->items[i];
		const struct module *mod = &r->modules[r->module_of[f->module] - 1];

		if (mod->open && needs_module(f))
			f->link = link_address(r, mod, f);
	}
	behind = is_behind_calls(r);
	for (size_t i = 1; i < r->f->nr; i++) {
		struct frame *f = &r->f->items[i];
		struct module *mod = &r->modules[r->module_of[f->module] - 1];

		if (mod->open && is_of_program(r->f, f))
			f->link = program_address(r, mod, f);
		else if (f->link)
			f->link -= behind && f->caller && !f->in_file;
		if (!f->link)
			continue;
		GROW(mod->addresses, mod->nr_addresses + 1, mod->alloc);
		mod->addresses[mod->nr_addresses++] =
			(struct dwarf_address){ .address = f->link };
	}
	for (size_t i = 0; i < r->nr_modules; i++) {
		struct module *mod = &r->modules[i];
		size_t n = 0;

		if (mod->nr_addresses)
			qsort(mod->addresses, mod->nr_addresses, sizeof(*mod->addresses),
			      compare_addresses);
		for (size_t k = 0; k < mod->nr_addresses; k++)
			if (!n || mod->addresses[n - 1].address != mod->addresses[k].address)
				mod->addresses[n++] = mod->addresses[k];
		mod->nr_addresses = n;
	}
}

static void
read_debug_information(struct resolving *r)
{
	struct dwarf_module *modules = xcalloc(r->nr_modules, sizeof(*modules));
	struct error err = ERROR_INIT;
	size_t nr = 0;

	for (size_t i = 0; i < r->nr_modules; i++) {
		struct module *mod = &r->modules[i];

		if (mod->open && mod->nr_addresses)
			modules[nr++] = (struct dwarf_module){
				.path = mod->elf.path, .elf = &mod->elf, .stripped = true,
				.addresses = mod->addresses, .nr_addresses = mod->nr_addresses,
			};
	}
	if (nr && dwarf_resolve(modules, nr, &r->f->arena, &err))
		model_note(r->m, "dwarf", "%s", err.text);
	free(modules);
}

/* ---- procedures ---- */

/* LINE: where it begins, 0 unknown. */
struct procedure_key { const char *name, *linkage_name, *module; model_id file; uint32_t line; };

static bool
is_library(const char *module)
{
	return *module == '[' || strstr(module, ".so");
}

/* Appends how a procedure is shown. What is of a library says so. */
static void
show_name(struct strbuf *out, const struct procedure_key *k)
{
	bool named = *k->name || *k->linkage_name;

	if (!demangle(out, k->linkage_name, DEMANGLE_SHORT))
		strbuf_str(out, *k->name ? k->name : k->linkage_name);
	if (k->file || (named && !is_library(k->module) && strncmp(k->name, "0x", 2) != 0))
		return;
	strbuf_str(out, named ? " (" : "(");
	if (!strncmp(k->module, "[kernel", strlen("[kernel")))
		strbuf_str(out, "kernel");
	else if (*k->module)
		foreign_short_name(out, k->module);
	else
		strbuf_str(out, "unknown");
	strbuf_char(out, ')');
}

static uint32_t
number_of(struct frames *f, const char *text)
{
	return frames_text(f, (struct stacks_text){ text, strlen(text) });
}

static model_id
procedure_of(struct resolving *r, const struct procedure_key *k)
{
	struct strbuf shown = STRBUF_INIT;
	bool is_new;
	uint32_t i = keys_number(&r->procedures, KEY(number_of(r->f, k->module),
						     number_of(r->f, k->linkage_name),
						     k->file, k->line), &is_new);

	if (!is_new)
		return i + 1;
	show_name(&shown, k);
	*MODEL_ADD(r->m, procedures) = (struct model_procedure){
		.name = arena_strdup(&r->m->arena, shown.buf),
		.linkage_name = arena_strdup(&r->m->arena, k->linkage_name),
		.module = arena_strdup(&r->m->arena, k->module), .lacking = COUNT_LACKS_ALL,
		.place = { k->file, k->line, k->line > 0, k->line, k->line > 0 },
	};
	strbuf_release(&shown);
	GROW(r->f->begins_unknown, r->m->nr_procedures, r->begins_alloc);
	r->f->begins_unknown[i] = k->file && !k->line;
	return i + 1;
}

/* Where a procedure ends is not told: as far down as it was seen. The same of where it begins, if
 * that is not told, either. */
static void
widen_place(struct resolving *r, model_id procedure, model_id file, uint32_t line)
{
	struct place *place = &r->m->procedures[procedure - 1].place;

	if (!file || !line || place->file != file)
		return;
	if (r->f->begins_unknown[procedure - 1] && (!place->line || line < place->line))
		*place = (struct place){ file, line, 1, place->end_line, 1 };
	if (line > place->end_line)
		place->end_line = line;
}

static void
add_part(struct resolving *r, struct frame *f, const struct procedure_key *k, model_id file,
	 uint32_t line, uint32_t column)
{
	struct frames *all = r->f;
	model_id procedure = procedure_of(r, k);

	widen_place(r, procedure, file, line);
	GROW(all->parts, all->nr_parts + 1, all->parts_alloc);
	all->parts[all->nr_parts++] = (struct frame_part){ procedure, file, line, column };
	f->nr_parts++;
}

static model_id
file_of(struct resolving *r, const struct module *mod, const char *name)
{
	int64_t built_ns = mod->open ? mod->elf.mtime_ns : r->written_ns;

	return *name ? sources_add(&r->f->sources, "", name, built_ns) : 0;
}

/* Returns what debug information says of F; NULL: nothing. */
static const struct dwarf_address *
told_of(const struct resolving *r, const struct frame *f)
{
	const struct module *mod = &r->modules[r->module_of[f->module] - 1];
	const struct dwarf_address key = { .address = f->link }, *found;

	if (!f->link || !mod->nr_addresses)
		return NULL;
	found = bsearch(&key, mod->addresses, mod->nr_addresses, sizeof(key), compare_addresses);
	return found && found->nr_frames ? found : NULL;
}

static void
add_told(struct resolving *r, struct frame *f, const struct dwarf_frame *d)
{
	const struct module *mod = &r->modules[r->module_of[f->module] - 1];
	const char *symbol = r->f->texts[f->symbol];
	struct procedure_key k = {
		.name = *d->name ? d->name : symbol, .module = r->f->texts[f->module],
		.linkage_name = *d->linkage_name ? d->linkage_name : *d->name ? d->name : symbol,
		.file = file_of(r, mod, d->declared_file), .line = d->declared_line,
	};

	if (!k.file)
		k.line = 0;
	add_part(r, f, &k, file_of(r, mod, d->file), d->line, d->column);
}

/* Sets the parts of F by debug information: the last frame is the outermost. */
static void
take_told(struct resolving *r, struct frame *f, const struct dwarf_address *told)
{
	for (uint32_t i = told->nr_frames; i-- > 0;)
		add_told(r, f, &told->frames[i]);
}

/* Sets the part of a frame that says its line, if the program has it at that address; else it is
 * what it says. */
static bool
take_of_program(struct resolving *r, struct frame *f)
{
	const struct dwarf_address *told = told_of(r, f);
	const char *file = path_base(r->f->texts[f->file]), *symbol = r->f->texts[f->symbol];

	for (uint32_t i = 0; told && i < told->nr_frames; i++) {
		const struct dwarf_frame *d = &told->frames[i];

		/* The symbol is one that was made readable: "ns::f(int)". */
		if (d->line != f->line || strcmp(path_base(d->file), file) != 0 ||
		    !strstr(symbol, d->name))
			continue;
		add_told(r, f, d);
		return true;
	}
	f->module = 0;
	f->link = 0;
	return false;
}

/* Stripped code has no names, but where its procedures begin is told for the sake of exceptions.
 * Returns such a name; "": it is not told. */
static const char *
name_by_address(struct resolving *r, struct module *mod, const struct frame *f)
{
	uint64_t begin;
	char *name;
	const char *kept;

	if (!mod->open || !f->link)
		return "";
	if (!mod->cfi_read)
		mod->cfi = cfi_read(&mod->elf);
	mod->cfi_read = true;
	if (!mod->cfi || !cfi_procedure(mod->cfi, f->link, &begin))
		return "";
	name = xasprintf("0x%llx", (unsigned long long)begin);
	kept = arena_strdup(&r->f->arena, name);
	free(name);
	return kept;
}

/* Returns the file of the code at ADDRESS of MOD, and sets its line; 0: not known. */
static model_id
file_at(struct resolving *r, const struct module *mod, uint64_t address, uint32_t *line)
{
	char *path = line_index_at(mod->lines, address, line);
	model_id file = path ? file_of(r, mod, path) : 0;

	free(path);
	return file;
}

/* Sets the part of F, in the procedure K of symbol S (NULL: none), by line tables alone: it begins
 * at its first line. What was inlined has lines of others, so how far it goes is not known. */
static void
take_by_lines(struct resolving *r, struct frame *f, const struct module *mod,
	      const struct elf_symbol *s, struct procedure_key *k)
{
	struct frames *all = r->f;
	struct frame_part part = { .line = 0 };

	if (s)
		k->file = file_at(r, mod, s->address, &k->line);
	part.procedure = procedure_of(r, k);
	part.file = file_at(r, mod, f->link, &part.line);
	if (!part.file)
		part.line = 0;
	GROW(all->parts, all->nr_parts + 1, all->parts_alloc);
	all->parts[all->nr_parts++] = part;
	f->nr_parts++;
}

static void
take_frame(struct resolving *r, struct frame *f)
{
	const struct dwarf_address *told;
	const struct elf_symbol *s = NULL;
	struct procedure_key k;
	struct module *mod;
	model_id file;

	f->first_part = r->f->nr_parts;
	if (is_of_program(r->f, f) && take_of_program(r, f))
		return;
	if (f->inlined && f->into && !f->line && told_of(r, &r->f->items[f->into]))
		return; /* that one has it among its parts */
	mod = &r->modules[r->module_of[f->module] - 1];
	k = (struct procedure_key){ .name = r->f->texts[f->symbol],
				    .module = r->f->texts[f->module] };
	told = told_of(r, f);
	if (told) {
		take_told(r, f, told);
		return;
	}
	if (!*k.name && f->link)
		s = elf_symbol_at(mod->symbols, mod->nr_symbols, f->link);
	k.linkage_name = s ? s->name : *k.name ? k.name : name_by_address(r, mod, f);
	k.name = f->name ? r->f->texts[f->name] : k.linkage_name;
	if (mod->lines && f->link) {
		take_by_lines(r, f, mod, s, &k);
		return;
	}
	file = file_of(r, mod, r->f->texts[f->file]);
	k.file = file;
	k.line = file ? f->start_line : 0;
	add_part(r, f, &k, file, f->line, 0);
}

static void
add_modules(struct resolving *r)
{
	for (size_t i = 0; i < r->nr_modules; i++) {
		struct module *mod = &r->modules[i];
		struct strbuf id = STRBUF_INIT;

		if (!mod->open)
			continue;
		for (size_t k = 0; k < mod->elf.build_id_length; k++)
			strbuf_fmt(&id, "%02x", mod->elf.build_id[k]);
		*MODEL_ADD(r->m, modules) = (struct model_module){
			.path = arena_strdup(&r->m->arena, r->f->texts[mod->name]),
			.build_id = arena_strdup(&r->m->arena, id.buf),
		};
		strbuf_release(&id);
	}
}

static void
resolving_release(struct resolving *r)
{
	for (size_t i = 0; i < r->nr_modules; i++) {
		if (r->modules[i].open)
			elf_close(&r->modules[i].elf);
		if (r->modules[i].debug_open)
			elf_close(&r->modules[i].debug);
		line_index_free(r->modules[i].lines);
		free(r->modules[i].symbols);
		free(r->modules[i].by_name);
		free(r->modules[i].addresses);
		cfi_free(r->modules[i].cfi);
	}
	free(r->modules);
	free(r->module_of);
	keys_release(&r->procedures);
}

void
frames_resolve(struct frames *f, struct model *m, uid_t uid, int64_t written_ns)
{
	struct resolving r = { .f = f, .m = m, .written_ns = written_ns };

	owners_add(&f->owners, uid);
	sources_init(&f->sources, m);
	find_modules(&r);
	find_addresses(&r);
	read_debug_information(&r);
	for (size_t i = 1; i < f->nr; i++)
		take_frame(&r, &f->items[i]);
	add_modules(&r);
	resolving_release(&r);
}

/* ---- frame by frame ---- */

struct frames_symbols { struct resolving r; };

/* What was stripped has more of them in its debug file. */
static void
take_debug_symbols(struct module *mod)
{
	struct error ignored = ERROR_INIT;
	struct elf_symbol *symbols = NULL;
	ptrdiff_t nr;

	if (!mod->open || elf_section(&mod->elf, ".symtab") ||
	    debug_file_open(&mod->debug, &mod->elf, &ignored) <= 0)
		return;
	nr = elf_symbols(&mod->debug, &symbols, &ignored);
	mod->debug_open = nr > 0;
	if (nr <= 0) {
		free(symbols);
		elf_close(&mod->debug);
		return;
	}
	free(mod->symbols);
	mod->symbols = symbols;
	mod->nr_symbols = (size_t)nr;
}

struct frames_symbols *
frames_symbols_new(struct frames *f, struct model *m, uid_t uid)
{
	struct frames_symbols *s = xcalloc(1, sizeof(*s));

	s->r = (struct resolving){ .f = f, .m = m };
	owners_add(&f->owners, uid);
	sources_init(&f->sources, m);
	return s;
}

struct frame_part
frames_symbols_part(struct frames_symbols *s, uint32_t number)
{
	struct frame *f = &s->r.f->items[number];

	if (!f->nr_parts) {
		struct module *mod = module_named(&s->r, f->module);

		if (!mod->needed && needs_module(f)) {
			mod->needed = true;
			open_module(&s->r, mod);
			take_debug_symbols(mod);
			sort_names(mod);
			if (mod->open)
				mod->lines = line_index_read(mod->debug_open ? &mod->debug
									     : &mod->elf);
		}
		if (mod->open && needs_module(f))
			f->link = link_address(&s->r, mod, f);
		take_frame(&s->r, f);
	}
	return s->r.f->parts[f->first_part];
}

void
frames_symbols_free(struct frames_symbols *s)
{
	resolving_release(&s->r);
	free(s);
}

void
frames_read_sources(struct frames *f)
{
	sources_read(&f->sources, &f->owners);
}

const char *
frames_program(const struct frames *f)
{
	const char *program = "";

	for (size_t i = 1; i < f->nr; i++) {
		const char *module = f->texts[f->items[i].module];

		if (!strcmp(f->texts[f->items[i].symbol], "main"))
			return module;
		if (!*program && *module == '/' && !is_library(module))
			program = module;
	}
	return program;
}
