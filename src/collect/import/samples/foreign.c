#include "collect/import/samples/foreign.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/elf/places.h"
#include "util/text/path.h"

/* No program has more; it keeps the searches for them short. */
enum { MOST_MAPS = 4096 };

struct foreign_map { uint64_t start, end, offset; uint32_t pid, library; };

struct library {
	const char *path, *module;
	uint64_t inode;            /* of the file that was mapped */
	bool opened, usable;       /* usable: it is that file */
	struct elf elf;
	struct elf_symbol *symbols;
	size_t nr_symbols;
};

struct foreign_address {           /* what was found out about one */
	uint64_t offset;           /* in the file */
	uint32_t library, code;
	bool leaf;
};

void
foreign_init(struct foreign *f, struct owners *owners)
{
	*f = (struct foreign){ .owners = owners, .arena = ARENA_INIT, .unread = ERROR_INIT };
}

void
foreign_release(struct foreign *f)
{
	for (size_t i = 0; i < f->nr_libraries; i++) {
		free(f->libraries[i]->symbols);
		if (f->libraries[i]->usable)
			elf_close(&f->libraries[i]->elf);
		free(f->libraries[i]);
	}
	index_release(&f->code_index);
	index_release(&f->address_index);
	free(f->maps);
	free(f->libraries);
	free(f->codes);
	free(f->addresses);
	arena_release(&f->arena);
	*f = (struct foreign){ .owners = NULL };
}

/* ---- which file ---- */

void
foreign_short_name(struct strbuf *sb, const char *path)
{
	const char *base = path_base(path), *end = strstr(base, ".so"), *p;
	size_t n = end && end > base ? (size_t)(end - base) : strlen(base);

	for (p = base + n; end && p > base && (isdigit((unsigned char)p[-1]) || p[-1] == '.'); p--)
		;
	if (p > base + 1 && p < base + n && p[-1] == '-') /* libc-2.31.so */
		n = (size_t)(p - 1 - base);
	for (size_t i = 0; i < n; i++)
		strbuf_char(sb, base[i]);
}

static uint32_t
library_of(struct foreign *f, const char *path, uint64_t inode)
{
	struct strbuf name = STRBUF_INIT;
	struct library *l;

	for (size_t i = 0; i < f->nr_libraries; i++)
		if (!strcmp(f->libraries[i]->path, path) && f->libraries[i]->inode == inode)
			return (uint32_t)i;
	foreign_short_name(&name, path);
	GROW(f->libraries, f->nr_libraries + 1, f->libraries_alloc);
	l = f->libraries[f->nr_libraries] = xcalloc(1, sizeof(*l));
	l->path = arena_strdup(&f->arena, path);
	l->module = arena_strdup(&f->arena, name.buf);
	l->inode = inode;
	strbuf_release(&name);
	return (uint32_t)f->nr_libraries++;
}

/* A line of /proc/self/maps: 7f0000-7f1000 r-xp 26000 fe:00 332835 /path. */
static void
add_map(struct foreign *f, const char *line, uint32_t pid)
{
	struct foreign_map map = { .pid = pid };
	const char *path = strchr(line, '/');
	uint64_t inode;
	char *p;

	map.start = strtoull(line, &p, 16);
	if (*p != '-' || !path)
		return;
	map.end = strtoull(p + 1, &p, 16);
	if (strncmp(p, " r-xp ", 6))
		return;
	map.offset = strtoull(p + 6, &p, 16);
	p += *p == ' ' ? strcspn(p + 1, " ") + 1 : 0;
	inode = strtoull(p, NULL, 10);
	if (map.end <= map.start || map.offset >> 48 || f->nr_maps == MOST_MAPS ||
	    f->nr_libraries >= 16 * MOST_MAPS)
		return;
	map.library = library_of(f, path, inode);
	GROW(f->maps, f->nr_maps + 1, f->maps_alloc);
	f->maps[f->nr_maps++] = map;
}

static void
read_part(struct foreign *f, const struct rawfile *r, const struct raw_part *p)
{
	enum { MOST = 1 << 20 };
	size_t size = p->size < MOST ? p->size : MOST;
	char *text = xmalloc(size + 1), *next = text, *line;

	text[rawfile_read(r, p->offset, text, size)] = '\0';
	while ((line = strsep(&next, "\n")))
		add_map(f, line, p->pid);
	free(text);
}

void
foreign_read_maps(struct foreign *f, const struct rawfile *r)
{
	f->nr_maps = 0;
	for (size_t i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_MAPS)
			read_part(f, r, &r->parts[i]);
}

/* The last that was told of the process itself; a child of fork has its parent's. */
static const struct foreign_map *
find_map(const struct foreign *f, uint32_t pid, uint64_t address)
{
	const struct foreign_map *found = NULL;

	for (size_t i = 0; i < f->nr_maps; i++) {
		const struct foreign_map *map = &f->maps[i];

		if (address < map->start || address >= map->end)
			continue;
		if (!found || map->pid == pid || found->pid != pid)
			found = map;
	}
	return found;
}

const char *
foreign_file_at(const struct foreign *f, uint32_t pid, uint64_t address, uint64_t *inode,
		uint64_t *offset)
{
	const struct foreign_map *map = find_map(f, pid, address);

	if (!map)
		return NULL;
	*inode = f->libraries[map->library]->inode;
	*offset = address - map->start + map->offset;
	return f->libraries[map->library]->path;
}

/* ---- what is in it ---- */

/* Another file may stand there now: then nothing is known but its name. */
static void
open_library(struct foreign *f, struct library *l)
{
	struct error err = ERROR_INIT;
	ptrdiff_t nr = -1;
	struct stat st;

	l->opened = true;
	if (places_open(&l->elf, l->path, f->owners, &err)) {
		if (err.unread)
			error_copy(&f->unread, &err);
		return;
	}
	if (places_are_copies() || (!fstat(l->elf.fd, &st) && st.st_ino == l->inode))
		nr = elf_exported(&l->elf, &l->symbols, &err);
	if (err.unread)
		error_copy(&f->unread, &err);
	l->usable = nr >= 0;
	l->nr_symbols = nr >= 0 ? (size_t)nr : 0;
	if (!l->usable)
		elf_close(&l->elf);
}

/* Returns the section with code that is at OFFSET of the file; NULL: none. */
static const struct elf_section *
section_at(const struct elf *e, uint64_t offset)
{
	enum { ALLOCATED = 2, CODE = 4 };

	for (size_t i = 0; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];

		if ((s->flags & (ALLOCATED | CODE)) == (ALLOCATED | CODE) && offset >= s->offset &&
		    offset - s->offset < s->size)
			return s;
	}
	return NULL;
}

static bool
is_syscall(const uint8_t *bytes)
{
	return bytes[0] == 0x0f && bytes[1] == 0x05;
}

static bool
kernel_at_offset(const struct elf *e, uint64_t offset, struct error *err)
{
	uint8_t bytes[4];

	return offset >= 2 && offset + 2 <= e->size &&
	       !elf_read_at(e, offset - 2, bytes, sizeof(bytes), err) &&
	       (is_syscall(bytes) || is_syscall(bytes + 2));
}

bool
foreign_enters_kernel(const struct elf *e, uint64_t address, struct error *err)
{
	for (size_t i = 0; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];

		if (address >= s->address && address - s->address < s->size &&
		    section_at(e, s->offset + address - s->address) == s)
			return kernel_at_offset(e, s->offset + address - s->address, err);
	}
	return false;
}

static bool
code_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct foreign_code *c = &((const struct foreign *)ctx)->codes[item], *k = key;

	return c->kernel == k->kernel && !c->name == !k->name && !c->module == !k->module &&
	       (!c->name || !strcmp(c->name, k->name)) &&
	       (!c->module || !strcmp(c->module, k->module));
}

uint32_t
foreign_number(struct foreign *f, const struct foreign_code *code)
{
	uint64_t h = hash_number(HASH_START, code->kernel);
	uint32_t i;

	h = hash_text(hash_text(h, code->name ? code->name : ""), code->module ? code->module : "");
	i = index_find(&f->code_index, h, code_equal, f, code);
	if (i == INDEX_NONE) {
		GROW(f->codes, f->nr_codes + 1, f->codes_alloc);
		i = (uint32_t)f->nr_codes++;
		f->codes[i] = *code;
		index_add(&f->code_index, h, i);
	}
	return i + 1;
}

/* A return address is behind its call, which may be the last thing in its procedure. */
static struct foreign_code
find_code(struct foreign *f, struct library *l, uint64_t offset, bool leaf)
{
	struct foreign_code code = { .module = l->module };
	const struct elf_section *s;
	const struct elf_symbol *symbol = NULL;

	if (!l->opened)
		open_library(f, l);
	s = l->usable ? section_at(&l->elf, offset - !leaf) : NULL;
	if (s)
		symbol = elf_symbol_at(l->symbols, l->nr_symbols,
				       s->address + (offset - !leaf - s->offset));
	if (symbol)
		code.name = symbol->name;
	if (s && leaf)
		code.kernel = kernel_at_offset(&l->elf, offset, &f->unread);
	return code;
}

static bool
address_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct foreign_address *a = &((const struct foreign *)ctx)->addresses[item], *k = key;

	return a->offset == k->offset && a->library == k->library && a->leaf == k->leaf;
}

uint32_t
foreign_at(struct foreign *f, uint32_t pid, uint64_t address, bool leaf)
{
	const struct foreign_map *map = find_map(f, pid, address);
	struct foreign_address key = { .leaf = leaf };
	struct foreign_code code;
	uint64_t h;
	uint32_t i;

	if (!map)
		return 0;
	key.library = map->library;
	key.offset = address - map->start + map->offset;
	h = hash_number(hash_number(HASH_START, key.offset), (uint64_t)key.library << 1 | leaf);
	i = index_find(&f->address_index, h, address_equal, f, &key);
	if (i == INDEX_NONE) {
		code = find_code(f, f->libraries[key.library], key.offset, leaf);
		key.code = foreign_number(f, &code);
		GROW(f->addresses, f->nr_addresses + 1, f->addresses_alloc);
		i = (uint32_t)f->nr_addresses++;
		f->addresses[i] = key;
		index_add(&f->address_index, h, i);
	}
	return f->addresses[i].code;
}
