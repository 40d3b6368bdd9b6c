#include "collect/import/dwarf/dwarf_wire.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/confine.h"
#include "collect/import/dwarf/dwarf_object.h"
#include "collect/import/dwarf/line_table.h"
#include "util/index.h"

enum { MAX_DEPTH = 200, MAX_RANGES = 1 << 16, MAX_INLINE = WIRE_MAX_FRAMES };

/* ---- output ---- */

struct out {
	FILE *to;
	struct index ix;           /* of texts */
	const char **texts;
	size_t nr, alloc;
	struct arena arena;
};

static void
send(struct out *o, uint32_t kind, const void *a, size_t na, const void *b, size_t nb)
{
	struct wire_head h = { .kind = kind, .size = (uint32_t)(na + nb) };

	fwrite(&h, sizeof(h), 1, o->to);
	if (na)
		fwrite(a, na, 1, o->to);
	if (nb)
		fwrite(b, nb, 1, o->to);
}

static bool
text_equal(const void *ctx, uint32_t item, const void *key)
{
	return !strcmp(((const struct out *)ctx)->texts[item], key);
}

/* The number of a text; it is sent when it is new. */
static uint32_t
text_number(struct out *o, const char *s)
{
	uint64_t h;
	uint32_t i;

	if (!s || !*s || strlen(s) > WIRE_MAX_TEXT)
		return 0;
	h = hash_text(HASH_START, s);
	i = index_find(&o->ix, h, text_equal, o, s);
	if (i != INDEX_NONE)
		return i + 1;
	GROW(o->texts, o->nr + 1, o->alloc);
	o->texts[o->nr] = arena_strdup(&o->arena, s);
	index_add(&o->ix, h, (uint32_t)o->nr++);
	send(o, WIRE_TEXT, s, strlen(s), NULL, 0);
	return (uint32_t)o->nr;
}

/* ---- state of one module ---- */

struct files {                     /* of the line table of one unit */
	Dwarf_Off cu;              /* offset of the unit's DIE */
	uint32_t *names;           /* text numbers; 0: not yet or not known */
	size_t nr;
};

struct origin {                    /* what is known of a procedure, by its DIE */
	Dwarf_Off offset;
	struct wire_frame frame;
};

struct chain {                     /* of one address, outermost first */
	struct wire_frame *levels;
	uint32_t nr, alloc;
	uint32_t file, line, column; /* of the address itself */
	bool complete;             /* a second procedure that claims the address is ignored */
};

struct interval { Dwarf_Addr lo, hi; };

struct line_code { uint32_t extent, file, line; uint64_t bytes; };

struct module {
	struct out *out;
	Dwarf_Debug dbg;
	struct module *common;     /* what dwz has put into a file of several programs; or NULL */
	struct bytes texts;        /* of that file, which the others have in their .debug_str */
	struct line_sections lines;
	const struct dwarf_address *addresses;
	struct chain *chains;      /* one per address */
	size_t nr;
	struct files *files;
	size_t nr_files, files_alloc;
	struct index origin_index;
	struct origin *origins;
	size_t nr_origins, origins_alloc;
	uint64_t *tables;          /* line tables whose rows were read */
	size_t nr_tables, tables_alloc;
	Dwarf_Addr cu_base;        /* of the unit at hand, for DWARF 4 ranges */
	struct interval *scratch;  /* MAX_RANGES */
	bool lines_damaged;
	bool split;                /* procedures stand in .dwo files, which nobody reads */
	const struct dwarf_extent *extents;
	size_t nr_extents;
	struct index code_index;
	struct line_code *code;    /* of the extents */
	size_t nr_code, code_alloc;
};

/* The number of the first address >= A. */
static size_t
lower_bound(const struct module *m, Dwarf_Addr a)
{
	size_t lo = 0, hi = m->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->addresses[mid].address < a)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The number of the first extent that ends behind A. */
static size_t
first_extent(const struct module *m, Dwarf_Addr a)
{
	size_t lo = 0, hi = m->nr_extents, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->extents[mid].address + m->extents[mid].size <= a)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Is part of an extent in the first NR intervals of the scratch? */
static bool
any_code(const struct module *m, size_t nr)
{
	size_t i, at;

	for (i = 0; i < nr; i++) {
		at = first_extent(m, m->scratch[i].lo);
		if (at < m->nr_extents && m->extents[at].address < m->scratch[i].hi)
			return true;
	}
	return false;
}

/* Is one of our addresses in the first NR intervals of the scratch? */
static bool
any_hit(const struct module *m, size_t nr)
{
	size_t i, at;

	for (i = 0; i < nr; i++) {
		at = lower_bound(m, m->scratch[i].lo);
		if (at < m->nr && m->addresses[at].address < m->scratch[i].hi)
			return true;
	}
	return false;
}

/* ---- attributes ---- */

static void
drop_error(struct module *m, Dwarf_Error e)
{
	if (e)
		dwarf_dealloc(m->dbg, e, DW_DLA_ERROR);
}

static Dwarf_Attribute
attribute(struct module *m, Dwarf_Die die, Dwarf_Half name)
{
	Dwarf_Attribute a = NULL;
	Dwarf_Error e = NULL;
	int res = dwarf_attr(die, name, &a, &e);

	if (res == DW_DLV_ERROR)
		drop_error(m, e);
	return res == DW_DLV_OK ? a : NULL;
}

/* Returns whether there is such an attribute; *TO is 0 when there is none, or no number. */
static bool
get_number(struct module *m, Dwarf_Die die, Dwarf_Half name, uint64_t *to)
{
	Dwarf_Attribute a = attribute(m, die, name);
	Dwarf_Unsigned u = 0;
	Dwarf_Signed s = 0;
	Dwarf_Error e = NULL;
	Dwarf_Half form = 0;

	*to = 0;
	if (!a)
		return false;
	/* dwarf_formudata() does not take this form in libdwarf 2021. */
	if (dwarf_whatform(a, &form, &e) == DW_DLV_OK && form == DW_FORM_implicit_const) {
		if (dwarf_formsdata(a, &s, &e) == DW_DLV_OK && s > 0)
			*to = (uint64_t)s;
	} else if (dwarf_formudata(a, &u, &e) == DW_DLV_OK) {
		*to = u;
	}
	drop_error(m, e);
	dwarf_dealloc(m->dbg, a, DW_DLA_ATTR);
	return true;
}

static uint32_t
number32(struct module *m, Dwarf_Die die, Dwarf_Half name)
{
	uint64_t v;

	get_number(m, die, name, &v);
	return v > INT32_MAX ? 0 : (uint32_t)v;
}

static bool
has_form(Dwarf_Attribute a, Dwarf_Half wanted)
{
	Dwarf_Error e = NULL;
	Dwarf_Half form = 0;

	return dwarf_whatform(a, &form, &e) == DW_DLV_OK && form == wanted;
}

/* NULL: there is no such text. */
static char *
common_text(struct module *m, Dwarf_Attribute a)
{
	Dwarf_Error e = NULL;
	Dwarf_Off offset = 0;
	size_t size;

	if (!m->common || dwarf_global_formref(a, &offset, &e) != DW_DLV_OK) {
		drop_error(m, e);
		return NULL;
	}
	size = (size_t)(m->common->texts.end - m->common->texts.at);
	if (offset >= size || !memchr(m->common->texts.at + offset, '\0', size - offset))
		return NULL;
	return (char *)(uintptr_t)(m->common->texts.at + offset);
}

static uint32_t
text_attribute(struct module *m, Dwarf_Die die, Dwarf_Half name)
{
	Dwarf_Attribute a = attribute(m, die, name);
	Dwarf_Error e = NULL;
	char *s = NULL;
	int res;

	if (!a)
		return 0;
	if (has_form(a, DW_FORM_GNU_strp_alt)) {
		s = common_text(m, a);
		res = s ? DW_DLV_OK : DW_DLV_NO_ENTRY;
	} else {
		res = dwarf_formstring(a, &s, &e);
	}
	if (res == DW_DLV_ERROR)
		drop_error(m, e);
	dwarf_dealloc(m->dbg, a, DW_DLA_ATTR);
	return res == DW_DLV_OK ? text_number(m->out, s) : 0;
}

/* Returns whether there is such an attribute, of an offset in a section. */
static bool
get_offset(struct module *m, Dwarf_Die die, Dwarf_Half name, Dwarf_Off *to)
{
	Dwarf_Attribute a = attribute(m, die, name);
	Dwarf_Error e = NULL;
	int res;

	if (!a)
		return false;
	res = dwarf_global_formref(a, to, &e);
	if (res == DW_DLV_ERROR)
		drop_error(m, e);
	dwarf_dealloc(m->dbg, a, DW_DLA_ATTR);
	return res == DW_DLV_OK;
}

/* The DIE that an attribute refers to, in HOME; NULL: no such attribute, or broken. */
static Dwarf_Die
reference(struct module *m, Dwarf_Die die, Dwarf_Half name, struct module **home)
{
	Dwarf_Attribute a = attribute(m, die, name);
	Dwarf_Error e = NULL;
	Dwarf_Off offset = 0;
	Dwarf_Die to = NULL;
	int res = DW_DLV_NO_ENTRY;

	if (!a)
		return NULL;
	*home = has_form(a, DW_FORM_GNU_ref_alt) ? m->common : m;
	if (*home)
		res = dwarf_global_formref(a, &offset, &e);
	if (res == DW_DLV_OK)
		res = dwarf_offdie_b((*home)->dbg, offset, true, &to, &e);
	if (res == DW_DLV_ERROR)
		drop_error(m, e);
	dwarf_dealloc(m->dbg, a, DW_DLA_ATTR);
	return res == DW_DLV_OK ? to : NULL;
}

/* ---- address ranges ---- */

static size_t
ranges_5(struct module *m, Dwarf_Attribute a, Dwarf_Half form, Dwarf_Unsigned value,
	 struct interval *out)
{
	Dwarf_Rnglists_Head head = NULL;
	Dwarf_Unsigned count = 0, offset = 0, raw1, raw2, lo, hi, i;
	Dwarf_Bool unavailable;
	Dwarf_Error e = NULL;
	unsigned length, code;
	size_t nr = 0;

	if (dwarf_rnglists_get_rle_head(a, form, value, &head, &count, &offset, &e) != DW_DLV_OK) {
		drop_error(m, e);
		return 0;
	}
	for (i = 0; i < count && nr < MAX_RANGES; i++) {
		if (dwarf_get_rnglists_entry_fields_a(head, i, &length, &code, &raw1, &raw2,
						      &unavailable, &lo, &hi, &e) != DW_DLV_OK)
			break;
		if (code == DW_RLE_end_of_list)
			break;
		if (code == DW_RLE_base_address || code == DW_RLE_base_addressx || unavailable)
			continue;
		if (lo < hi)
			out[nr++] = (struct interval){ lo, hi };
	}
	drop_error(m, e);
	dwarf_dealloc_rnglists_head(head);
	return nr;
}

static size_t
ranges_4(struct module *m, Dwarf_Die die, Dwarf_Unsigned offset, struct interval *out)
{
	Dwarf_Ranges *list = NULL;
	Dwarf_Signed count = 0, i;
	Dwarf_Unsigned bytes = 0;
	Dwarf_Addr base = m->cu_base;
	Dwarf_Off real = 0;
	Dwarf_Error e = NULL;
	size_t nr = 0;

	if (dwarf_get_ranges_b(m->dbg, offset, die, &real, &list, &count, &bytes, &e) !=
	    DW_DLV_OK) {
		drop_error(m, e);
		return 0;
	}
	for (i = 0; i < count && nr < MAX_RANGES; i++) {
		if (list[i].dwr_type == DW_RANGES_END)
			break;
		if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
			base = list[i].dwr_addr2;
		else if (list[i].dwr_addr1 < list[i].dwr_addr2)
			out[nr++] = (struct interval){ base + list[i].dwr_addr1,
						       base + list[i].dwr_addr2 };
	}
	return nr; /* the list is left to the end of the process: its release has two names */
}

static size_t
ranges_attribute(struct module *m, Dwarf_Die die, struct interval *out)
{
	Dwarf_Attribute a = attribute(m, die, DW_AT_ranges);
	Dwarf_Half form = 0, version = 0, offset_size = 0;
	Dwarf_Unsigned value = 0;
	Dwarf_Off offset = 0;
	Dwarf_Error e = NULL;
	size_t nr = 0;
	int res;

	if (!a)
		return 0;
	dwarf_get_version_of_die(die, &version, &offset_size);
	res = dwarf_whatform(a, &form, &e);
	if (res == DW_DLV_OK && form == DW_FORM_rnglistx)
		res = dwarf_formudata(a, &value, &e);
	else if (res == DW_DLV_OK && (res = dwarf_global_formref(a, &offset, &e)) == DW_DLV_OK)
		value = offset;
	if (res == DW_DLV_OK)
		nr = version >= 5 ? ranges_5(m, a, form, value, out)
				  : ranges_4(m, die, value, out);
	else
		drop_error(m, e);
	dwarf_dealloc(m->dbg, a, DW_DLA_ATTR);
	return nr;
}

/* The address ranges of a DIE, into m->scratch. */
static size_t
die_ranges(struct module *m, Dwarf_Die die)
{
	struct interval *out = m->scratch;
	enum Dwarf_Form_Class class = DW_FORM_CLASS_UNKNOWN;
	Dwarf_Addr lo = 0, hi = 0;
	Dwarf_Half form = 0;
	Dwarf_Error e = NULL;

	if (dwarf_highpc_b(die, &hi, &form, &class, &e) != DW_DLV_OK) {
		drop_error(m, e);
		return ranges_attribute(m, die, out);
	}
	if (dwarf_lowpc(die, &lo, &e) != DW_DLV_OK) {
		drop_error(m, e);
		return 0;
	}
	if (class == DW_FORM_CLASS_CONSTANT)
		hi += lo;
	out[0] = (struct interval){ lo, hi };
	return lo < hi;
}

/* ---- files and lines ---- */

/* DIRECTORY/NAME, unless NAME is absolute. */
static void
join(struct strbuf *sb, const char *directory, const char *name)
{
	strbuf_clear(sb);
	if (name[0] != '/' && directory && *directory)
		strbuf_fmt(sb, "%s/", directory);
	strbuf_str(sb, name);
}

/* The directory that the names of a table of version 5 start from is its own first one; before that
 * only the unit says it: HOME. */
static const char *
base_directory(const struct line_table *t, const char *home, struct strbuf *sb)
{
	const char *first = t->version >= 5 && t->nr_directories ? t->directories[0] : NULL;

	if (!first || !strcmp(first, home))
		return home;
	join(sb, home, first);
	return sb->buf;
}

static void
read_files(struct module *m, struct files *f, const struct line_table *t, const char *home)
{
	struct strbuf base = STRBUF_INIT, directory = STRBUF_INIT, path = STRBUF_INIT;
	const char *in;
	size_t i;

	home = base_directory(t, home, &base);
	f->nr = t->nr_files;
	f->names = xcalloc(f->nr, sizeof(*f->names));
	for (i = 0; i < f->nr; i++) {
		const struct line_file *file = &t->files[i];

		if (!file->name)
			continue;
		in = file->directory && file->directory < t->nr_directories
			? t->directories[file->directory] : NULL;
		if (in)
			join(&directory, home, in);
		join(&path, in ? directory.buf : home, file->name);
		f->names[i] = text_number(m->out, path.buf);
	}
	strbuf_release(&base);
	strbuf_release(&directory);
	strbuf_release(&path);
}

static bool
code_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct line_code *c = &((const struct module *)ctx)->code[item], *k = key;

	return c->extent == k->extent && c->file == k->file && c->line == k->line;
}

/* The code from BEGIN to END, as far as it is of the extent of KEY, is of the line of KEY. */
static void
add_code(struct module *m, const struct line_code *key, Dwarf_Addr begin, Dwarf_Addr end)
{
	const struct dwarf_extent *x = &m->extents[key->extent];
	uint64_t h = hash_number(hash_number(HASH_START, (uint64_t)key->extent << 32 | key->file),
				 key->line);
	uint32_t i = index_find(&m->code_index, h, code_equal, m, key);

	if (i == INDEX_NONE) {
		GROW(m->code, m->nr_code + 1, m->code_alloc);
		i = (uint32_t)m->nr_code++;
		m->code[i] = *key;
		index_add(&m->code_index, h, i);
	}
	begin = begin < x->address ? x->address : begin;
	end = end > x->address + x->size ? x->address + x->size : end;
	m->code[i].bytes += end - begin;
}

/* Notes the position of the code of S for the addresses there, and what of the extents is there. */
static void
take_span(struct module *m, const struct files *f, const struct line_span *s)
{
	size_t i = lower_bound(m, s->begin), k = first_extent(m, s->begin);
	struct line_code at = {
		.file = s->file < f->nr ? f->names[s->file] : 0,
		.line = s->line > INT32_MAX ? 0 : (uint32_t)s->line,
	};

	for (; i < m->nr && m->addresses[i].address < s->end; i++) {
		m->chains[i].file = at.file;
		m->chains[i].line = at.line;
		m->chains[i].column = s->column > INT32_MAX ? 0 : (uint32_t)s->column;
	}
	for (; at.line && k < m->nr_extents && m->extents[k].address < s->end; k++) {
		at.extent = (uint32_t)k;
		add_code(m, &at, s->begin, s->end);
	}
}

static bool
table_is_new(struct module *m, uint64_t table)
{
	size_t i;

	for (i = 0; i < m->nr_tables; i++)
		if (m->tables[i] == table)
			return false;
	GROW(m->tables, m->nr_tables + 1, m->tables_alloc);
	m->tables[m->nr_tables++] = table;
	return true;
}

/* Read the line table of the unit with this DIE: its files, and its rows when they are WANTED and
 * were not read yet (units may share a table). */
static struct files *
read_table(struct module *m, Dwarf_Die cu, Dwarf_Off offset, bool wanted)
{
	struct line_span span;
	struct line_table t;
	struct files *f;
	uint32_t home;
	Dwarf_Off table = 0;

	GROW(m->files, m->nr_files + 1, m->files_alloc);
	f = &m->files[m->nr_files++];
	*f = (struct files){ .cu = offset };
	if (!get_offset(m, cu, DW_AT_stmt_list, &table))
		return f;
	home = text_attribute(m, cu, DW_AT_comp_dir);
	if (!line_table_open(&t, &m->lines, table)) {
		read_files(m, f, &t, home ? m->out->texts[home - 1] : "");
		if (wanted && table_is_new(m, table))
			while (line_table_next(&t, &span))
				take_span(m, f, &span);
	}
	m->lines_damaged |= t.damaged && wanted;
	line_table_release(&t);
	return f;
}

/* The text number of the file that an attribute of DIE has the number of, as its unit counts. 0 is
 * one of them from version 5 on; before, the table has none. */
static uint32_t
file_attribute(struct module *m, Dwarf_Die die, Dwarf_Half name)
{
	Dwarf_Off offset = 0;
	Dwarf_Error e = NULL;
	Dwarf_Die cu = NULL;
	struct files *f = NULL;
	uint64_t number;
	size_t i;

	if (!get_number(m, die, name, &number))
		return 0;
	if (dwarf_CU_dieoffset_given_die(die, &offset, &e) != DW_DLV_OK) {
		drop_error(m, e);
		return 0;
	}
	for (i = m->nr_files; i-- && !f;)
		if (m->files[i].cu == offset)
			f = &m->files[i];
	if (!f) {
		if (dwarf_offdie_b(m->dbg, offset, true, &cu, &e) != DW_DLV_OK) {
			drop_error(m, e);
			return 0;
		}
		f = read_table(m, cu, offset, false);
		dwarf_dealloc(m->dbg, cu, DW_DLA_DIE);
	}
	return number < f->nr ? f->names[number] : 0;
}

/* ---- procedures ---- */

static bool
origin_equal(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct module *)ctx)->origins[item].offset == *(const Dwarf_Off *)key;
}

static void
describe_one(struct module *m, Dwarf_Die die, struct wire_frame *f)
{
	if (!f->name)
		f->name = text_attribute(m, die, DW_AT_name);
	if (!f->linkage_name)
		f->linkage_name = text_attribute(m, die, DW_AT_linkage_name);
	if (!f->linkage_name)
		f->linkage_name = text_attribute(m, die, DW_AT_MIPS_linkage_name);
	if (!f->declared_line) {
		f->declared_line = number32(m, die, DW_AT_decl_line);
		f->declared_column = number32(m, die, DW_AT_decl_column);
	}
	/* A definition has none of its own if it is in the file of its declaration. */
	if (!f->declared_file)
		f->declared_file = file_attribute(m, die, DW_AT_decl_file);
}

/* Name and place of the procedure of a DIE: its own attributes, then those of what it refers to. */
static void
describe(struct module *m, Dwarf_Die die, struct wire_frame *f)
{
	struct module *home = m;
	Dwarf_Die at = die, next;
	int steps;

	for (steps = 0; steps < 8; steps++) {
		describe_one(m, at, f);
		next = reference(m, at, DW_AT_abstract_origin, &home);
		if (!next)
			next = reference(m, at, DW_AT_specification, &home);
		if (at != die)
			dwarf_dealloc(m->dbg, at, DW_DLA_DIE);
		at = next;
		if (!at)
			return;
		m = home;
	}
	dwarf_dealloc(m->dbg, at, DW_DLA_DIE);
}

/* Like describe(), but remembers the result by the DIE: one procedure may be inlined often. */
static struct wire_frame
procedure_of(struct module *m, Dwarf_Die die)
{
	struct module *home = m;
	Dwarf_Die origin = reference(m, die, DW_AT_abstract_origin, &home);
	Dwarf_Off offset = 0;
	Dwarf_Error e = NULL;
	struct origin o = { .offset = 0 };
	uint32_t i;

	if (!origin || dwarf_dieoffset(origin, &offset, &e) != DW_DLV_OK) {
		describe(m, die, &o.frame);
		return o.frame;
	}
	m = home;
	i = index_find(&m->origin_index, hash_number(HASH_START, offset), origin_equal, m, &offset);
	if (i == INDEX_NONE) {
		o.offset = offset;
		describe(m, origin, &o.frame);
		GROW(m->origins, m->nr_origins + 1, m->origins_alloc);
		i = (uint32_t)m->nr_origins++;
		m->origins[i] = o;
		index_add(&m->origin_index, hash_number(HASH_START, offset), i);
	}
	dwarf_dealloc(m->dbg, origin, DW_DLA_DIE);
	return m->origins[i].frame;
}

static void
push_level(struct module *m, size_t address, const struct wire_frame *f, bool outermost)
{
	struct chain *c = &m->chains[address];

	if (c->complete || c->nr >= MAX_INLINE || outermost != !c->nr)
		return;
	GROW(c->levels, c->nr + 1, c->alloc);
	c->levels[c->nr++] = *f;
}

/* Add the procedure of DIE to the chains of the addresses in its ranges. */
static void
add_level(struct module *m, Dwarf_Die die, bool inlined, const struct interval *ranges, size_t nr)
{
	struct wire_frame f = procedure_of(m, die);
	size_t i, at;

	if (inlined) { /* the position is the call's: it belongs to the level outside */
		f.file = file_attribute(m, die, DW_AT_call_file);
		f.line = number32(m, die, DW_AT_call_line);
		f.column = number32(m, die, DW_AT_call_column);
	}
	for (i = 0; i < nr; i++)
		for (at = lower_bound(m, ranges[i].lo);
		     at < m->nr && m->addresses[at].address < ranges[i].hi; at++)
			push_level(m, at, &f, !inlined);
}

static void
complete(struct module *m, const struct interval *ranges, size_t nr)
{
	size_t i, at;

	for (i = 0; i < nr; i++)
		for (at = lower_bound(m, ranges[i].lo);
		     at < m->nr && m->addresses[at].address < ranges[i].hi; at++)
			m->chains[at].complete = true;
}

static void walk_children(struct module *m, Dwarf_Die die, int depth);

/* A DIE that has addresses of its own: look inside only if some of ours are in there. */
static void
walk_code(struct module *m, Dwarf_Die die, Dwarf_Half tag, int depth)
{
	struct interval *ranges;
	size_t nr = die_ranges(m, die);
	bool hit = any_hit(m, nr);

	if (!hit && (nr || tag != DW_TAG_lexical_block))
		return;
	ranges = xcalloc(nr, sizeof(*ranges));
	memcpy(ranges, m->scratch, nr * sizeof(*ranges));
	if (hit && tag != DW_TAG_lexical_block)
		add_level(m, die, tag == DW_TAG_inlined_subroutine, ranges, nr);
	walk_children(m, die, depth + 1);
	if (hit && tag == DW_TAG_subprogram)
		complete(m, ranges, nr);
	free(ranges);
}

static void
walk_die(struct module *m, Dwarf_Die die, int depth)
{
	Dwarf_Half tag = 0;
	Dwarf_Error e = NULL;

	if (dwarf_tag(die, &tag, &e) != DW_DLV_OK) {
		drop_error(m, e);
		return;
	}
	if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	    tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block)
		walk_code(m, die, tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ?
			  tag : DW_TAG_lexical_block, depth);
	else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
		walk_children(m, die, depth + 1);
}

static void
walk_children(struct module *m, Dwarf_Die parent, int depth)
{
	Dwarf_Die die = NULL, next;
	Dwarf_Error e = NULL;
	Dwarf_Off last = 0, offset = 0;
	int res = depth > MAX_DEPTH ? DW_DLV_NO_ENTRY : dwarf_child(parent, &die, &e);

	while (res == DW_DLV_OK) {
		/* A damaged sibling reference may lead back: offsets only ever grow. */
		if (dwarf_dieoffset(die, &offset, &e) != DW_DLV_OK || offset <= last) {
			dwarf_dealloc(m->dbg, die, DW_DLA_DIE);
			break;
		}
		last = offset;
		walk_die(m, die, depth);
		next = NULL;
		res = dwarf_siblingof_b(m->dbg, die, true, &next, &e);
		dwarf_dealloc(m->dbg, die, DW_DLA_DIE);
		die = next;
	}
	if (res == DW_DLV_ERROR)
		drop_error(m, e);
}

/* ---- units, modules ---- */

/* Is all but the lines of this unit in a .dwo file? */
static bool
is_skeleton(struct module *m, Dwarf_Die cu)
{
	static const Dwarf_Half names[] = {DW_AT_dwo_name, DW_AT_GNU_dwo_name};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_attribute(m, cu, names[i]))
			return true;
	return false;
}

static void
read_unit(struct module *m, Dwarf_Die cu)
{
	Dwarf_Off offset = 0;
	Dwarf_Error e = NULL;
	size_t nr;
	bool hit;

	m->cu_base = 0;
	if (dwarf_lowpc(cu, &m->cu_base, &e) == DW_DLV_ERROR)
		drop_error(m, e);
	nr = die_ranges(m, cu);
	hit = any_hit(m, nr);
	if ((!hit && !any_code(m, nr)) || dwarf_dieoffset(cu, &offset, &e) != DW_DLV_OK)
		return;
	read_table(m, cu, offset, true);
	if (!hit)
		return;
	m->split |= is_skeleton(m, cu);
	walk_children(m, cu, 0);
}

/* 0, or -1 when the units could not be walked to their end. */
static int
read_units(struct module *m)
{
	Dwarf_Unsigned length, type_offset, next;
	Dwarf_Half version, address_size, length_size, extension, kind;
	Dwarf_Off abbrev;
	Dwarf_Sig8 signature;
	Dwarf_Error e = NULL;
	Dwarf_Die cu;
	size_t nr = 0;
	int res;

	while ((res = dwarf_next_cu_header_d(m->dbg, true, &length, &version, &abbrev,
					     &address_size, &length_size, &extension, &signature,
					     &type_offset, &next, &kind, &e)) == DW_DLV_OK) {
		cu = NULL;
		nr++;
		res = dwarf_siblingof_b(m->dbg, NULL, true, &cu, &e);
		if (res == DW_DLV_ERROR)
			break;
		if (res == DW_DLV_OK) {
			read_unit(m, cu);
			dwarf_dealloc(m->dbg, cu, DW_DLA_DIE);
		}
	}
	return res == DW_DLV_ERROR || !nr ? -1 : 0;
}

static void
send_chain(const struct module *m, uint32_t module, size_t address)
{
	const struct chain *c = &m->chains[address];
	struct wire_frame frames[MAX_INLINE];
	struct wire_address w = { .module = module, .address = (uint32_t)address };
	uint32_t file = c->file, line = c->line, column = c->column, i;

	if (!c->nr && !c->line)
		return;
	if (!c->nr) { /* a line, but its procedure is unknown (split DWARF, assembler) */
		frames[w.nr_frames++] = (struct wire_frame){
			.file = file, .line = line, .column = column,
		};
	}
	/* The frames go from innermost to outermost, each with the position inside of itself. */
	for (i = c->nr; i--;) {
		struct wire_frame *f = &frames[w.nr_frames++];

		*f = c->levels[i];
		f->file = file;
		f->line = line;
		f->column = column;
		file = c->levels[i].file;
		line = c->levels[i].line;
		column = c->levels[i].column;
	}
	send(m->out, WIRE_ADDRESS, &w, sizeof(w), frames, w.nr_frames * sizeof(*frames));
}

static void
send_code(const struct module *m, uint32_t module)
{
	for (size_t i = 0; i < m->nr_code; i++) {
		const struct line_code *c = &m->code[i];
		const struct wire_code w = { module, c->extent, c->file, c->line, c->bytes };

		send(m->out, WIRE_CODE, &w, sizeof(w), NULL, 0);
	}
}

static void
problem(struct out *o, const char *what, const char *path)
{
	char *text = xasprintf("%s: %s", path, what);

	send(o, WIRE_PROBLEM, text, strlen(text), NULL, 0);
	free(text);
}

static void
find_lines(struct module *m, struct dwarf_object *object)
{
	m->lines.line = dwarf_object_section(object, "debug_line");
	m->lines.line_str = dwarf_object_section(object, "debug_line_str");
	m->lines.str = dwarf_object_section(object, "debug_str");
}

static bool
open_common(struct module *m, struct dwarf_object *object, const struct elf *elf)
{
	Dwarf_Error e = NULL;

	if (dwarf_object_open(object, elf, &e) != DW_DLV_OK)
		return false;
	m->dbg = object->dbg;
	find_lines(m, object);
	m->texts = m->lines.str;
	return true;
}

static void
read_module(struct out *o, const struct dwarf_module *from, uint32_t number)
{
	struct module m = {
		.out = o, .addresses = from->addresses, .nr = from->nr_addresses,
		.extents = from->extents, .nr_extents = from->nr_extents,
	};
	struct dwarf_object object, other = { .elf = NULL };
	struct module common = { .out = o };
	Dwarf_Error e = NULL;
	int res = dwarf_object_open(&object, from->debug, &e);
	bool damaged = res == DW_DLV_ERROR;
	size_t i;

	m.dbg = object.dbg;
	if (res == DW_DLV_OK) {
		find_lines(&m, &object);
		m.chains = xcalloc(m.nr, sizeof(*m.chains));
		m.scratch = xcalloc(MAX_RANGES, sizeof(*m.scratch));
		if (from->common && open_common(&common, &other, from->common))
			m.common = &common;
		damaged = read_units(&m) != 0;
	}
	if (!object.unread.set && other.unread.set)
		error_copy(&object.unread, &other.unread);
	if (object.unread.set)
		send(o, WIRE_UNREAD, object.unread.text, strlen(object.unread.text), NULL, 0);
	else if (res == DW_DLV_ERROR)
		problem(o, dwarf_errmsg(e), from->path);
	else if (damaged && !from->stripped)
		problem(o, "no debug information, or damaged", from->path);
	else if (res != DW_DLV_OK && !from->stripped)
		problem(o, "no debug information", from->path);
	if (m.split)
		problem(o, "what was inlined is told in .dwo files, which are not read: "
			"compile without -gsplit-dwarf", from->path);
	if (m.lines_damaged)
		problem(o, "its line numbers are damaged", from->path);
	for (i = 0; m.chains && i < m.nr; i++)
		send_chain(&m, number, i);
	send_code(&m, number);
	/* The rest of the memory goes with the process. */
	dwarf_object_close(&object);
	if (other.elf)
		dwarf_object_close(&other);
}

void
dwarf_child_run(const struct dwarf_module *modules, size_t nr, int fd)
{
	struct out o = { .to = fdopen(fd, "w"), .arena = ARENA_INIT };
	size_t i;

	if (!o.to)
		return;
	confine(fd);
	/* Its bookkeeping of all allocations costs more than the reading. */
	dwarf_set_de_alloc_flag(0);
	for (i = 0; i < nr; i++) {
		if (modules[i].debug)
			read_module(&o, &modules[i], (uint32_t)i);
		fflush(o.to);
	}
	send(&o, WIRE_DONE, NULL, 0, NULL, 0);
	fclose(o.to);
}
