#include "collect/import/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/elf/places.h"
#include "collect/import/foreign/printer.h"
#include "util/text/clone.h"

enum { MOST_PARTS = 64, MOST_BYTES = 4 << 20 };

void
code_release(struct code *c)
{
	free(c->lines);
	free(c->parts);
	arena_release(&c->arena);
}

static int
check_build(const struct elf *e, const char *path, const char *build_id, struct error *err)
{
	char id[2 * BUILD_ID_MAX + 1] = "";

	for (size_t i = 0; i < e->build_id_length; i++)
		snprintf(id + 2 * i, 3, "%02x", e->build_id[i]);
	if (!*build_id || !strcmp(id, build_id))
		return 0;
	return error_set(err, "%s is of another build than the one that ran: its instructions are "
			      "not those that were sampled", path);
}

static bool
is_clone(const char *symbol, const char *name)
{
	size_t n = clone_base(symbol);

	return *name && n == strlen(name) && !memcmp(symbol, name, n);
}

static bool
holds_one(const struct elf_symbol *s, const uint64_t *at, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (at[i] - s->address < s->size)
			return true;
	return false;
}

/* Chooses the symbols. Several of one address are one. */
static void
choose_parts(struct code *c, const struct elf_symbol *symbols, size_t nr_symbols, const char *name,
	     const uint64_t *at, size_t nr)
{
	uint64_t bytes = 0, end = 0;

	for (const struct elf_symbol *s = symbols; s < symbols + nr_symbols; s++) {
		bool own = is_clone(s->name, name);

		if (!s->size || s->stub || s->address < end || (!own && !holds_one(s, at, nr)))
			continue;
		c->cut |= c->nr_parts == MOST_PARTS || bytes + s->size > MOST_BYTES;
		if (c->nr_parts == MOST_PARTS || bytes + s->size > MOST_BYTES)
			continue;
		bytes += s->size;
		end = s->address + s->size;
		GROW(c->parts, c->nr_parts + 1, c->parts_alloc);
		c->parts[c->nr_parts++] = (struct code_part){
			arena_strdup(&c->arena, s->name), s->address, s->size, own,
		};
	}
}

/* "  401136:\tmov    %rdi,%rax" */
static void
take_line(struct code *c, uint32_t part, const char *line, size_t n)
{
	const struct code_part *p = &c->parts[part];
	char *end;
	uint64_t address = strtoull(line, &end, 16);

	if (end == line || *end != ':' || end[1] != '\t' || address - p->address >= p->size)
		return;
	end += 2;
	n -= (size_t)(end - line);
	while (n && (end[n - 1] == ' ' || end[n - 1] == '\n'))
		n--;
	GROW(c->lines, c->nr_lines + 1, c->lines_alloc);
	c->lines[c->nr_lines++] = (struct code_line){
		.address = address, .part = part, .text = arena_strndup(&c->arena, end, n),
	};
}

static int
disassemble(struct code *c, const char *path, uint32_t part, struct error *err)
{
	const struct code_part *p = &c->parts[part];
	char from[48], to[48];
	const char *const arguments[] = { "objdump", "--disassemble", "--wide", "--demangle",
					  "--no-show-raw-insn", from, to, "--", path, NULL };
	struct printed printed = PRINTED_INIT;
	char *line = NULL;
	size_t alloc = 0;
	ssize_t n;
	FILE *f;

	snprintf(from, sizeof(from), "--start-address=%#llx", (unsigned long long)p->address);
	snprintf(to, sizeof(to), "--stop-address=%#llx",
		 (unsigned long long)(p->address + p->size));
	if (printer_run(&printed, arguments, err))
		return -1;
	f = fopen(printed.path, "r");
	while (f && (n = getline(&line, &alloc, f)) > 0)
		take_line(c, part, line, (size_t)n);
	free(line);
	if (f)
		fclose(f);
	printed_close(&printed);
	return 0;
}

static int
compare_addresses(const void *a, const void *b)
{
	const struct dwarf_address *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Without debug information instructions have no places. */
static void
find_places(struct code *c, struct elf *e)
{
	struct dwarf_address *addresses = xcalloc(c->nr_lines + 1, sizeof(*addresses));
	struct dwarf_module module = { .path = e->path, .elf = e, .stripped = true,
				       .addresses = addresses, .nr_addresses = c->nr_lines };
	struct error ignored = ERROR_INIT;

	for (size_t i = 0; i < c->nr_lines; i++)
		addresses[i].address = c->lines[i].address;
	qsort(addresses, c->nr_lines, sizeof(*addresses), compare_addresses);
	dwarf_resolve(&module, 1, &c->arena, &ignored);
	for (size_t i = 0; i < c->nr_lines; i++) {
		const struct dwarf_address key = { .address = c->lines[i].address };
		const struct dwarf_address *found = bsearch(&key, addresses, c->nr_lines,
							    sizeof(key), compare_addresses);

		c->lines[i].frames = found->frames;
		c->lines[i].nr_frames = found->nr_frames;
	}
	free(addresses);
}

int
code_read(struct code *c, const char *path, const char *build_id, const char *linkage_name,
	  const uint64_t *at, size_t nr, struct error *err)
{
	char *place = places_path(path);
	struct elf_symbol *symbols = NULL;
	ptrdiff_t nr_symbols;
	struct elf e;
	int status;

	*c = (struct code){ .arena = ARENA_INIT };
	if (elf_open(&e, place, err)) {
		free(place);
		return -1;
	}
	status = check_build(&e, path, build_id, err);
	nr_symbols = status ? 0 : elf_symbols(&e, &symbols, err);
	if (!status)
		status = nr_symbols < 0 ? -1 : 0;
	if (!status)
		choose_parts(c, symbols, (size_t)nr_symbols, linkage_name, at, nr);
	for (uint32_t i = 0; !status && i < c->nr_parts; i++)
		status = disassemble(c, place, i, err);
	if (!status)
		find_places(c, &e);
	free(symbols);
	elf_close(&e);
	free(place);
	return status;
}
