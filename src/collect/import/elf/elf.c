#include "collect/import/elf/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "collect/import/owners.h"
#include "util/input.h"
#include "util/order.h"

enum { MAX_SECTIONS = 65536, MAX_SEGMENTS = 4096, MAX_NOTES = 1 << 20 };

static bool
inside(const struct elf *e, uint64_t offset, uint64_t size)
{
	return offset <= e->size && size <= e->size - offset;
}

/* N bytes at OFFSET into the caller's buffer. */
static int
read_at(const struct elf *e, void *buffer, uint64_t offset, size_t n, const char *what,
	struct error *err)
{
	if (!inside(e, offset, n))
		return error_set(err, "%s: damaged: %s beyond the end of the file", e->path, what);
	return input_exactly(e->fd, e->path, offset, buffer, n, err);
}

static int
open_file(struct elf *e, struct owners *owners, struct error *err)
{
	struct stat st;
	struct error why = ERROR_INIT;

	if (!*e->path)
		return error_set(err, "it is not known which program left this profile: the "
				 "system did not tell it (there was no /proc)");
	e->fd = owners_open(owners, e->path, &st, &why);
	if (e->fd < 0 && why.errnum == ENOENT)
		return error_set_errno(err, ENOENT, "%s: cannot open (it was there when "
				       "the program ran: put it back, or a symbolic link to it; "
				       "in a chroot or container its path was another one)",
				       e->path);
	if (e->fd < 0)
		return error_copy(err, &why);
	e->size = (uint64_t)st.st_size;
	e->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	return 0;
}

static int
check_head(const struct elf *e, const Elf64_Ehdr *h, struct error *err)
{
	if (memcmp(h->e_ident, ELFMAG, SELFMAG))
		return error_set(err, "%s: not an ELF file", e->path);
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return error_set(err, "%s: not a 64-bit little-endian ELF file", e->path);
	if (h->e_shnum && h->e_shentsize != sizeof(Elf64_Shdr))
		return error_set(err, "%s: damaged: strange size of section heads", e->path);
	return 0;
}

/* The string at OFFSET of a string table of SIZE bytes; "" when it is not in there. */
static const char *
string_at(const char *table, uint64_t size, uint64_t offset)
{
	if (offset >= size || !memchr(table + offset, '\0', size - offset))
		return "";
	return table + offset;
}

static uint8_t *
read_bytes(const struct elf *e, uint64_t offset, uint64_t size, const char *what, struct error *err)
{
	uint8_t *bytes;

	if (!inside(e, offset, size)) {
		error_set(err, "%s: damaged: %s beyond the end of the file", e->path, what);
		return NULL;
	}
	bytes = xmalloc(size + 1);
	bytes[size] = 0;
	if (read_at(e, bytes, offset, size, what, err)) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static int
read_sections(struct elf *e, const Elf64_Ehdr *h, struct error *err)
{
	Elf64_Shdr *heads;
	char *names = NULL;
	uint64_t names_size = 0, names_at = h->e_shstrndx;
	size_t i, nr = h->e_shnum;
	int ret = -1;

	if (!nr)
		return 0;
	heads = xcalloc(nr, sizeof(*heads));
	if (read_at(e, heads, h->e_shoff, nr * sizeof(*heads), "section table", err))
		goto out;
	if (names_at < nr && heads[names_at].sh_type == SHT_STRTAB) {
		names_size = heads[names_at].sh_size;
		names = (char *)read_bytes(e, heads[names_at].sh_offset, names_size,
					   "section names", err);
		if (!names)
			goto out;
	}
	e->sections = arena_alloc(&e->arena, nr * sizeof(*e->sections));
	e->nr_sections = nr;
	for (i = 0; i < nr; i++)
		e->sections[i] = (struct elf_section){
			.name = arena_strdup(&e->arena,
					     string_at(names, names_size, heads[i].sh_name)),
			.type = heads[i].sh_type, .link = heads[i].sh_link,
			.info = heads[i].sh_info, .flags = heads[i].sh_flags,
			.address = heads[i].sh_addr, .offset = heads[i].sh_offset,
			.size = heads[i].sh_size, .entry_size = heads[i].sh_entsize,
		};
	ret = 0;
out:
	free(names);
	free(heads);
	return ret;
}

/* Look for the GNU build-id in the notes of one segment. */
static void
find_build_id(struct elf *e, const uint8_t *notes, uint64_t size)
{
	Elf64_Nhdr n;
	uint64_t at = 0, name, desc, next;

	while (size - at >= sizeof(n)) {
		memcpy(&n, notes + at, sizeof(n));
		name = at + sizeof(n);
		desc = name + ((uint64_t)n.n_namesz + 3) / 4 * 4;
		next = desc + ((uint64_t)n.n_descsz + 3) / 4 * 4;
		if (desc > size || n.n_descsz > size - desc)
			return;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp(notes + name, "GNU", 4) && n.n_descsz <= BUILD_ID_MAX) {
			memcpy(e->build_id, notes + desc, n.n_descsz);
			e->build_id_length = n.n_descsz;
			return;
		}
		if (next > size)
			return;
		at = next;
	}
}

static int
read_segments(struct elf *e, const Elf64_Ehdr *h, struct error *err)
{
	size_t i, nr = h->e_phnum < MAX_SEGMENTS ? h->e_phnum : MAX_SEGMENTS;
	Elf64_Phdr p;
	uint8_t *notes;

	if (!nr || h->e_phentsize != sizeof(p))
		return 0;
	e->segments = arena_alloc(&e->arena, nr * sizeof(*e->segments));
	for (i = 0; i < nr; i++) {
		if (read_at(e, &p, h->e_phoff + i * sizeof(p), sizeof(p), "segment table", err))
			return -1;
		if (p.p_type == PT_LOAD)
			e->segments[e->nr_segments++] = (struct elf_segment){
				p.p_offset, p.p_filesz, p.p_vaddr,
			};
		if (p.p_type != PT_NOTE || p.p_filesz > MAX_NOTES || e->build_id_length)
			continue;
		notes = read_bytes(e, p.p_offset, p.p_filesz, "notes", err);
		if (!notes)
			return -1;
		find_build_id(e, notes, p.p_filesz);
		free(notes);
	}
	return 0;
}

/* What dwz makes has sections only. */
static int
read_notes(struct elf *e, struct error *err)
{
	const struct elf_section *s = elf_section(e, ".note.gnu.build-id");
	uint8_t *notes;

	if (e->nr_segments || e->build_id_length || !s || s->type != SHT_NOTE ||
	    s->size > MAX_NOTES)
		return 0;
	notes = read_bytes(e, s->offset, s->size, "notes", err);
	if (!notes)
		return -1;
	find_build_id(e, notes, s->size);
	free(notes);
	return 0;
}

int
elf_open(struct elf *e, const char *path, struct error *err)
{
	return elf_open_for(e, path, NULL, err);
}

int
elf_open_for(struct elf *e, const char *path, struct owners *owners, struct error *err)
{
	Elf64_Ehdr head;

	*e = (struct elf){ .fd = -1, .owners = owners, .arena = ARENA_INIT };
	e->path = arena_strdup(&e->arena, path);
	if (open_file(e, owners, err))
		goto failed;
	if (e->size < sizeof(head)) {
		error_set(err, "%s: not an ELF file", path);
		goto failed;
	}
	if (read_at(e, &head, 0, sizeof(head), "head", err) || check_head(e, &head, err) ||
	    read_sections(e, &head, err) || read_segments(e, &head, err) || read_notes(e, err))
		goto failed;
	e->entry = head.e_entry;
	return 0;
failed:
	elf_close(e);
	return -1;
}

void
elf_close(struct elf *e)
{
	if (e->fd >= 0)
		close(e->fd);
	arena_release(&e->arena);
	*e = (struct elf){ .fd = -1, .arena = ARENA_INIT };
}

const struct elf_section *
elf_section(const struct elf *e, const char *name)
{
	size_t i;

	for (i = 0; i < e->nr_sections; i++)
		if (!strcmp(e->sections[i].name, name))
			return &e->sections[i];
	return NULL;
}

uint8_t *
elf_read(const struct elf *e, const struct elf_section *s, struct error *err)
{
	if (s->type == SHT_NOBITS || s->flags & SHF_COMPRESSED) {
		error_set(err, "%s: section %s has no plain contents", e->path, s->name);
		return NULL;
	}
	return read_bytes(e, s->offset, s->size, s->name, err);
}

/* Returns whether all N bytes were there. */
static bool
unpack(uint32_t type, const uint8_t *from, size_t packed, uint8_t *to, size_t n)
{
	enum { ZLIB = 1, ZSTD = 2 }; /* ELFCOMPRESS_ZSTD: not in all headers */
	uLongf size = n;

	if (type == ZLIB)
		return uncompress(to, &size, from, packed) == Z_OK && size == n;
	return type == ZSTD && ZSTD_decompress(to, n, from, packed) == n;
}

uint8_t *
elf_read_unpacked(const struct elf *e, const struct elf_section *s, size_t most, size_t *size,
		  struct error *err)
{
	const bool packed = s->flags & SHF_COMPRESSED;
	uint8_t *bytes, *plain = NULL;
	Elf64_Chdr head;

	if (s->type == SHT_NOBITS || s->size > most || (packed && s->size < sizeof(head))) {
		error_set(err, "%s: section %s has no contents that can be read", e->path, s->name);
		return NULL;
	}
	bytes = read_bytes(e, s->offset, s->size, s->name, err);
	*size = s->size;
	if (!bytes || !packed)
		return bytes;
	memcpy(&head, bytes, sizeof(head));
	if (head.ch_size && head.ch_size <= most)
		plain = malloc(head.ch_size);
	if (!plain || !unpack(head.ch_type, bytes + sizeof(head), s->size - sizeof(head), plain,
			      head.ch_size)) {
		error_set(err, "%s: section %s cannot be unpacked", e->path, s->name);
		free(plain);
		plain = NULL;
	}
	*size = head.ch_size;
	free(bytes);
	return plain;
}

int
elf_read_at(const struct elf *e, uint64_t offset, void *buffer, size_t n, struct error *err)
{
	return read_at(e, buffer, offset, n, "code", err);
}

/* The section of type FIRST, else the one of type SECOND. */
static const struct elf_section *
symbol_section(const struct elf *e, uint32_t first, uint32_t second)
{
	const uint32_t types[] = { first, second };
	size_t i, t;

	for (t = 0; t < 2; t++)
		for (i = 0; i < e->nr_sections; i++)
			if (e->sections[i].type == types[t])
				return &e->sections[i];
	return NULL;
}

bool
elf_address_of(const struct elf *e, uint64_t offset, uint64_t *address)
{
	size_t i;

	for (i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *s = &e->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size) {
			*address = offset - s->offset + s->address;
			return true;
		}
	}
	return false;
}

bool
elf_stripped(const struct elf *e)
{
	const struct elf_section *s = symbol_section(e, SHT_SYMTAB, SHT_DYNSYM);

	return (!s || s->type == SHT_DYNSYM) && !elf_section(e, ".debug_info") &&
	       !elf_section(e, ".zdebug_info");
}

static int
compare_symbols(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	COMPARE(x->address, y->address);
	COMPARE(y->size, x->size);
	return strcmp(x->name, y->name);
}

/* The local symbols of a compilation stand together, among them that of its counters. LTO makes one
 * compilation of several: then it is not known whose. */
struct group {
	size_t first;              /* its procedures among the symbols */
	uint64_t counters;
	unsigned nr_counters;
};

static void
end_group(struct group *g, struct elf_symbol *symbols, size_t next)
{
	size_t i;

	for (i = g->first; i < next && g->nr_counters == 1; i++)
		if (symbols[i].file)
			symbols[i].counters = g->counters;
	*g = (struct group){ .first = next };
}

bool
elf_is_ours(const struct elf *e, const struct elf_symbol *symbol)
{
	return !strncmp(symbol->name, "__cgview_", 9) ||
	       (symbol->section < e->nr_sections &&
		!strcmp(e->sections[symbol->section].name, "cgview_rt"));
}

bool
elf_is_ours_at(const struct elf *e, const struct elf_symbol *symbol, uint64_t address)
{
	if (symbol)
		return elf_is_ours(e, symbol);
	for (size_t i = 0; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];

		if (!strcmp(s->name, "cgview_rt") && address >= s->address &&
		    address - s->address < s->size)
			return true;
	}
	return false;
}

static bool
is_counters(const char *name)
{
	static const char counters[] = "__cgview_counters";

	return !strncmp(name, counters, sizeof(counters) - 1);
}

/* Keep the procedures of a symbol table: the defined ones, and those of other modules that have an
 * address here (the stub through which a program at a fixed place calls them). */
static size_t
pick_symbols(const Elf64_Sym *raw, size_t nr, const char *names, uint64_t names_size,
	     struct elf_symbol *symbols)
{
	const char *file = NULL, *name;
	struct group group = { .first = 0 };
	size_t i, used = 0;
	bool defined;

	for (i = 0; i < nr; i++) {
		name = string_at(names, names_size, raw[i].st_name);
		if (ELF64_ST_TYPE(raw[i].st_info) == STT_FILE) {
			end_group(&group, symbols, used);
			file = name;
		}
		if (ELF64_ST_TYPE(raw[i].st_info) == STT_OBJECT && is_counters(name)) {
			group.counters = raw[i].st_value;
			group.nr_counters++;
		}
		defined = raw[i].st_shndx != SHN_UNDEF;
		if (ELF64_ST_TYPE(raw[i].st_info) != STT_FUNC || (!defined && !raw[i].st_value))
			continue;
		symbols[used++] = (struct elf_symbol){
			.address = raw[i].st_value, .size = raw[i].st_size, .name = name,
			.section = raw[i].st_shndx,
			.file = ELF64_ST_BIND(raw[i].st_info) == STB_LOCAL ? file : NULL,
			.stub = !defined,
		};
	}
	end_group(&group, symbols, used);
	return used;
}

static ptrdiff_t
read_symbols(struct elf *e, const struct elf_section *s, struct elf_symbol **symbols,
	     struct error *err)
{
	const struct elf_section *strings;
	uint8_t *raw, *read;
	char *names;
	size_t nr;

	*symbols = NULL;
	if (!s || s->link >= e->nr_sections)
		return 0;
	strings = &e->sections[s->link];
	raw = elf_read(e, s, err);
	read = raw ? elf_read(e, strings, err) : NULL;
	if (!read) {
		free(raw);
		return -1;
	}
	names = arena_alloc(&e->arena, strings->size + 1);
	memcpy(names, read, strings->size + 1);
	free(read);
	nr = s->size / sizeof(Elf64_Sym);
	*symbols = xcalloc(nr, sizeof(**symbols));
	nr = pick_symbols((const Elf64_Sym *)raw, nr, names, strings->size, *symbols);
	free(raw);
	qsort(*symbols, nr, sizeof(**symbols), compare_symbols);
	return (ptrdiff_t)nr;
}

ptrdiff_t
elf_symbols(struct elf *e, struct elf_symbol **symbols, struct error *err)
{
	return read_symbols(e, symbol_section(e, SHT_SYMTAB, SHT_DYNSYM), symbols, err);
}

ptrdiff_t
elf_exported(struct elf *e, struct elf_symbol **symbols, struct error *err)
{
	return read_symbols(e, symbol_section(e, SHT_DYNSYM, SHT_SYMTAB), symbols, err);
}

const struct elf_symbol *
elf_symbol_at(const struct elf_symbol *symbols, size_t nr, uint64_t address)
{
	size_t lo = 0, hi = nr, mid;

	while (lo < hi) { /* the first symbol beyond the address */
		mid = lo + (hi - lo) / 2;
		if (symbols[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo--;)
		if (address - symbols[lo].address < symbols[lo].size)
			return &symbols[lo];
		else if (address - symbols[lo].address > 1 << 24)
			break;
	return NULL;
}
