#include "collect/import/dwarf/dwarf_object.h"

#include <elf.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_MB = 2048 };           /* of a section that is unpacked */

#ifdef DW_LIBDWARF_VERSION
typedef Dwarf_Obj_Access_Section_a section_info;
typedef Dwarf_Obj_Access_Methods_a methods;
typedef Dwarf_Small byte_order;
#define field(name) as_##name
#define method(name) om_##name
#define LITTLE DW_END_little
#define finish(dbg) dwarf_object_finish(dbg)
#else
typedef Dwarf_Obj_Access_Section section_info;
typedef Dwarf_Obj_Access_Methods methods;
typedef Dwarf_Endianness byte_order;
#define field(name) name
#define method(name) name
#define LITTLE DW_OBJECT_LSB
#define finish(dbg)                                                                          \
	do {                                                                                 \
		Dwarf_Error finish_error_ = NULL;                                            \
		dwarf_object_finish(dbg, &finish_error_);                                    \
	} while (0)
#endif

/* ---- packed sections ---- */

enum { ZDEBUG_HEAD = 12 };         /* "ZLIB", then the size, big-endian */

static bool
is_zdebug(const struct elf_section *s)
{
	return !strncmp(s->name, ".zdebug", 7);
}

/* Sets *SIZE to the unpacked size of S, *HEAD to the bytes before the packed ones. Returns -1 when
 * it is packed in an unknown way. */
static int
unpacked_size(const struct elf_section *s, const uint8_t *data, uint64_t *size, size_t *head)
{
	Elf64_Chdr h;

	if (s->flags & SHF_COMPRESSED) {
		if (s->size < sizeof(h))
			return -1;
		memcpy(&h, data, sizeof(h));
		*size = h.ch_size;
		*head = sizeof(h);
		return h.ch_type == ELFCOMPRESS_ZLIB ? 0 : -1;
	}
	if (s->size < ZDEBUG_HEAD || memcmp(data, "ZLIB", 4))
		return -1;
	memcpy(size, data + 4, sizeof(*size));
	*size = be64toh(*size);
	*head = ZDEBUG_HEAD;
	return 0;
}

static bool
is_packed(const struct elf_section *s)
{
	return s->flags & SHF_COMPRESSED || is_zdebug(s);
}

/* Frees DATA. */
static uint8_t *
unpack(const struct elf_section *s, uint8_t *data, uint64_t *size)
{
	uint8_t *plain = NULL;
	size_t head = 0;
	uLongf n;

	if (!unpacked_size(s, data, size, &head) && *size <= (uint64_t)MOST_MB << 20) {
		n = *size;
		plain = malloc(n + 1); /* the size is a stranger's: too much is no end of ours */
		if (plain && (uncompress(plain, &n, data + head, s->size - head) != Z_OK ||
			      n != *size)) {
			free(plain);
			plain = NULL;
		}
	}
	free(data);
	return plain;
}

/* ---- what libdwarf asks ---- */

static bool
is_wanted(const struct elf_section *s)
{
	return s->type != SHT_NOBITS && (!strncmp(s->name, ".debug_", 7) || is_zdebug(s));
}

/* The bytes of section I, unpacked, and how many: kept. NULL: they cannot be had. */
static uint8_t *
contents(struct dwarf_object *o, size_t i)
{
	struct elf_section s = o->elf->sections[i];
	struct error err = ERROR_INIT;
	uint8_t *data;

	if (o->contents[i])
		return o->contents[i];
	s.flags &= ~(uint64_t)SHF_COMPRESSED; /* the packed bytes */
	data = elf_read(o->elf, &s, &err);
	if (err.unread)
		error_copy(&o->unread, &err);
	o->sizes[i] = s.size;
	if (data && is_packed(&o->elf->sections[i]))
		data = unpack(&o->elf->sections[i], data, &o->sizes[i]);
	return o->contents[i] = data;
}

static int
get_section_info(void *object, Dwarf_Half i, section_info *info, int *error)
{
	struct dwarf_object *o = object;
	const struct elf_section *s;

	(void)error;
	memset(info, 0, sizeof(*info));
	info->field(name) = "";
	if (i >= o->elf->nr_sections)
		return DW_DLV_NO_ENTRY;
	s = &o->elf->sections[i];
	if (!is_wanted(s))
		return DW_DLV_OK;
	if (is_packed(s) && !contents(o, i))
		return DW_DLV_OK;
	info->field(name) = is_zdebug(s) ? xasprintf(".%s", s->name + 2) : s->name;
	info->field(addr) = s->address;
	info->field(type) = s->type;
	info->field(size) = is_packed(s) ? o->sizes[i] : s->size;
	info->field(link) = s->link;
	info->field(info) = s->info;
	info->field(entrysize) = s->entry_size;
	return DW_DLV_OK;
}

static int
load_section(void *object, Dwarf_Half i, Dwarf_Small **data, int *error)
{
	struct dwarf_object *o = object;

	if (i >= o->elf->nr_sections || !is_wanted(&o->elf->sections[i]))
		return DW_DLV_NO_ENTRY;
	*data = contents(o, i);
	*error = DW_DLE_READ_ERROR;
	return *data ? DW_DLV_OK : DW_DLV_ERROR;
}

static byte_order
get_byte_order(void *object)
{
	(void)object;
	return LITTLE;
}

static Dwarf_Small
eight(void *object)
{
	(void)object;
	return 8;
}

#ifdef DW_LIBDWARF_VERSION
static Dwarf_Unsigned
get_filesize(void *object)
{
	return ((struct dwarf_object *)object)->elf->size;
}
#endif

static Dwarf_Unsigned
get_section_count(void *object)
{
	return ((struct dwarf_object *)object)->elf->nr_sections;
}

/* The number of a section has 16 bits here, as in the file; it has 64 in the types of some
 * versions. */
static const methods all_methods = {
	.method(get_section_info) = (void *)get_section_info,
	.method(get_byte_order) = get_byte_order,
	.method(get_length_size) = eight,
	.method(get_pointer_size) = eight,
#ifdef DW_LIBDWARF_VERSION
	.om_get_filesize = get_filesize,
#endif
	.method(get_section_count) = get_section_count,
	.method(load_section) = (void *)load_section,
};

int
dwarf_object_open(struct dwarf_object *o, const struct elf *elf, Dwarf_Error *e)
{
	*o = (struct dwarf_object){ .elf = elf };
	o->contents = xcalloc(elf->nr_sections, sizeof(*o->contents));
	o->sizes = xcalloc(elf->nr_sections, sizeof(*o->sizes));
#ifdef DW_LIBDWARF_VERSION
	o->interface = (dwarf_interface){ .ai_object = o, .ai_methods = &all_methods };
#else
	o->interface = (dwarf_interface){ .object = o, .methods = &all_methods };
#endif
	return dwarf_object_init_b(&o->interface, NULL, NULL, DW_GROUPNUMBER_ANY, &o->dbg, e);
}

struct bytes
dwarf_object_section(struct dwarf_object *o, const char *name)
{
	size_t i;

	for (i = 0; i < o->elf->nr_sections; i++) {
		const struct elf_section *s = &o->elf->sections[i];

		if (is_wanted(s) && !strcmp(s->name + (is_zdebug(s) ? 2 : 1), name) &&
		    contents(o, i))
			return (struct bytes){ o->contents[i], o->contents[i] + o->sizes[i] };
	}
	return (struct bytes){ NULL, NULL };
}

void
dwarf_object_close(struct dwarf_object *o)
{
	size_t i;

	if (o->dbg)
		finish(o->dbg);
	for (i = 0; i < o->elf->nr_sections; i++)
		free(o->contents[i]);
	free(o->contents);
	free(o->sizes);
}
