#include "collect/import/dwarf/line_table.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum { /* of DWARF: the names are those of its standard, without DW_ */
	FORM_data2 = 0x05, FORM_data4 = 0x06, FORM_data8 = 0x07, FORM_string = 0x08,
	FORM_block = 0x09, FORM_data1 = 0x0b, FORM_strp = 0x0e, FORM_udata = 0x0f,
	FORM_data16 = 0x1e, FORM_line_strp = 0x1f,
	LNCT_path = 1, LNCT_directory_index = 2,
	LNS_copy = 1, LNS_advance_pc, LNS_advance_line, LNS_set_file, LNS_set_column,
	LNS_negate_stmt, LNS_set_basic_block, LNS_const_add_pc, LNS_fixed_advance_pc,
	LNE_end_sequence = 1, LNE_set_address = 2,
};

/* ---- bytes; what is not there is 0, and nothing is left then ---- */

static bool
has(struct bytes *b, uint64_t n)
{
	if (n <= (uint64_t)(b->end - b->at))
		return true;
	b->at = b->end = NULL;
	return false;
}

/* N is at most 8. */
static uint64_t
take_fixed(struct bytes *b, unsigned n)
{
	uint64_t v = 0;

	if (!has(b, n))
		return 0;
	memcpy(&v, b->at, n);
	b->at += n;
	return v;
}

static uint64_t
take_leb(struct bytes *b, bool is_signed)
{
	unsigned shift = 0;
	uint64_t v = 0;
	uint8_t byte;

	do {
		byte = (uint8_t)take_fixed(b, 1);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		v |= UINT64_MAX << shift;
	return v;
}

static void
skip(struct bytes *b, uint64_t n)
{
	if (has(b, n))
		b->at += n;
}

static const char *
take_text(struct bytes *b)
{
	const uint8_t *text = b->at, *end = NULL;

	if (b->at != b->end)
		end = memchr(text, 0, (size_t)(b->end - text));
	if (!end) {
		b->at = b->end = NULL;
		return NULL;
	}
	b->at = end + 1;
	return (const char *)text;
}

static const char *
text_at(struct bytes section, uint64_t offset)
{
	skip(&section, offset);
	return take_text(&section);
}

/* ---- the head ---- */

struct head { struct bytes rest; const struct line_sections *s; unsigned offset_size; };

struct value { const char *text; uint64_t number; };

/* Returns false when the form is none that there can be. */
static bool
take_value(struct head *h, uint64_t form, struct value *v)
{
	static const uint8_t sizes[] = {
		[FORM_data1] = 1, [FORM_data2] = 2, [FORM_data4] = 4, [FORM_data8] = 8,
	};

	switch (form) {
	case FORM_string:
		v->text = take_text(&h->rest);
		return v->text != NULL;
	case FORM_strp:
		v->text = text_at(h->s->str, take_fixed(&h->rest, h->offset_size));
		return v->text != NULL;
	case FORM_line_strp:
		v->text = text_at(h->s->line_str, take_fixed(&h->rest, h->offset_size));
		return v->text != NULL;
	case FORM_udata:
		v->number = take_leb(&h->rest, false);
		return true;
	case FORM_data16:
		skip(&h->rest, 16);
		return true;
	case FORM_block:
		skip(&h->rest, take_leb(&h->rest, false));
		return true;
	}
	if (form >= sizeof(sizes) || !sizes[form])
		return false;
	v->number = take_fixed(&h->rest, sizes[form]);
	return true;
}

/* Reads a list of version 5, of directories or files, into a heap array, the caller's; NULL:
 * damaged. */
static struct line_file *
take_entries(struct head *h, size_t *nr)
{
	uint8_t nr_formats = (uint8_t)take_fixed(&h->rest, 1);
	uint64_t formats[2 * UINT8_MAX], count, i;
	struct line_file *entries;
	int k;

	for (k = 0; k < 2 * nr_formats; k++)
		formats[k] = take_leb(&h->rest, false);
	count = take_leb(&h->rest, false);
	if (count > (uint64_t)(h->rest.end - h->rest.at)) /* each has a byte at least */
		return NULL;
	entries = xcalloc(count + 1, sizeof(*entries));
	for (i = 0; i < count; i++)
		for (k = 0; k < nr_formats; k++) {
			struct value v = { NULL, 0 };

			if (!take_value(h, formats[2 * k + 1], &v)) {
				free(entries);
				return NULL;
			}
			if (formats[2 * k] == LNCT_path)
				entries[i].name = v.text;
			else if (formats[2 * k] == LNCT_directory_index)
				entries[i].directory = v.number;
		}
	*nr = count;
	return entries;
}

static bool
take_lists_5(struct line_table *t, struct head *h)
{
	struct line_file *directories = take_entries(h, &t->nr_directories);

	if (!directories)
		return false;
	t->directories = xcalloc(t->nr_directories + 1, sizeof(*t->directories));
	for (size_t i = 0; i < t->nr_directories; i++)
		t->directories[i] = directories[i].name;
	free(directories);
	t->files = take_entries(h, &t->nr_files);
	return t->files != NULL;
}

/* Both lists count from 1 there, and an empty name ends them. */
static bool
take_lists_4(struct line_table *t, struct head *h)
{
	size_t directories_alloc = 0, files_alloc = 0;
	struct line_file file = { NULL, 0 };
	const char *name = NULL;

	do {
		GROW(t->directories, t->nr_directories + 1, directories_alloc);
		t->directories[t->nr_directories++] = name;
		name = take_text(&h->rest);
	} while (name && *name);
	if (!name)
		return false;
	for (;;) {
		GROW(t->files, t->nr_files + 1, files_alloc);
		t->files[t->nr_files++] = file;
		file.name = take_text(&h->rest);
		if (!file.name || !*file.name)
			return file.name != NULL;
		file.directory = take_leb(&h->rest, false);
		take_leb(&h->rest, false); /* when it was changed */
		take_leb(&h->rest, false); /* its size */
	}
}

/* The registers at the beginning of a sequence: the file is 1 in all versions. */
static void
begin_sequence(struct line_table *t)
{
	t->row = (struct line_span){ .file = 1, .line = 1 };
	t->has_last = t->dead = false;
}

static bool
take_head(struct line_table *t, struct head *h)
{
	uint64_t length = take_fixed(&h->rest, 4);
	int k;

	h->offset_size = length == UINT32_MAX ? 8 : 4;
	if (h->offset_size == 8)
		length = take_fixed(&h->rest, 8);
	if (!has(&h->rest, length))
		return false;
	h->rest.end = h->rest.at + length;
	t->version = (unsigned)take_fixed(&h->rest, 2);
	if (t->version < 2 || t->version > 5)
		return false;
	if (t->version >= 5)
		skip(&h->rest, 2); /* sizes of addresses and of segment selectors */
	length = take_fixed(&h->rest, h->offset_size);
	t->rest = h->rest;
	skip(&t->rest, length);
	t->instruction = (uint8_t)take_fixed(&h->rest, 1);
	if (t->version >= 4 && take_fixed(&h->rest, 1) > 1)
		return false; /* no x86 instruction is a bundle of several */
	take_fixed(&h->rest, 1); /* whether rows are statements, which is all the same */
	t->line_base = (int8_t)take_fixed(&h->rest, 1);
	t->line_range = (uint8_t)take_fixed(&h->rest, 1);
	t->opcode_base = (uint8_t)take_fixed(&h->rest, 1);
	for (k = 1; k < t->opcode_base; k++)
		t->operands[k] = (uint8_t)take_fixed(&h->rest, 1);
	begin_sequence(t);
	return t->line_range && t->opcode_base && t->rest.at && h->rest.at;
}

int
line_table_open(struct line_table *t, const struct line_sections *s, uint64_t offset)
{
	struct head h = { .rest = s->line, .s = s };

	*t = (struct line_table){ .damaged = false };
	skip(&h.rest, offset);
	t->damaged = !take_head(t, &h) ||
		     !(t->version >= 5 ? take_lists_5(t, &h) : take_lists_4(t, &h)) || !h.rest.at;
	return t->damaged ? -1 : 0;
}

void
line_table_release(struct line_table *t)
{
	free(t->directories);
	free(t->files);
	*t = (struct line_table){ .damaged = false };
}

/* ---- the program ---- */

/* The registers are a row. Returns whether the row before it has code: it is SPAN then. */
static bool
emit(struct line_table *t, struct line_span *span)
{
	bool any = t->has_last && !t->dead && t->last.begin < t->row.begin;

	if (!t->has_last) /* the linker leaves 0 for the address of what it has removed */
		t->dead = !t->row.begin;
	*span = t->last;
	span->end = t->row.begin;
	t->last = t->row;
	t->has_last = true;
	return any;
}

static void
advance(struct line_table *t, uint64_t operations)
{
	t->row.begin += operations * t->instruction;
}

static bool
extended(struct line_table *t, struct line_span *span)
{
	uint64_t length = take_leb(&t->rest, false);
	struct bytes operand = t->rest;
	bool any = false;

	skip(&t->rest, length);
	if (!length || !t->rest.at)
		return false;
	operand.end = t->rest.at;
	switch (take_fixed(&operand, 1)) {
	case LNE_end_sequence:
		any = emit(t, span);
		begin_sequence(t);
		break;
	case LNE_set_address:
		t->row.begin = length - 1 <= 8 ? take_fixed(&operand, (unsigned)length - 1) : 0;
		break;
	}
	return any;
}

static bool
standard(struct line_table *t, uint8_t opcode, struct line_span *span)
{
	int k;

	switch (opcode) {
	case LNS_copy:
		return emit(t, span);
	case LNS_advance_pc:
		advance(t, take_leb(&t->rest, false));
		break;
	case LNS_advance_line:
		t->row.line += take_leb(&t->rest, true);
		break;
	case LNS_set_file:
		t->row.file = take_leb(&t->rest, false);
		break;
	case LNS_set_column:
		t->row.column = take_leb(&t->rest, false);
		break;
	case LNS_const_add_pc:
		advance(t, (255u - t->opcode_base) / t->line_range);
		break;
	case LNS_fixed_advance_pc:
		t->row.begin += take_fixed(&t->rest, 2);
		break;
	default:
		for (k = 0; k < t->operands[opcode]; k++)
			take_leb(&t->rest, false);
	}
	return false;
}

static bool
special(struct line_table *t, uint8_t opcode, struct line_span *span)
{
	unsigned adjusted = (unsigned)opcode - t->opcode_base;

	advance(t, adjusted / t->line_range);
	t->row.line += (uint64_t)(t->line_base + (int)(adjusted % t->line_range));
	return emit(t, span);
}

bool
line_table_next(struct line_table *t, struct line_span *span)
{
	bool any = false;
	uint8_t opcode;

	while (!any && t->rest.at != t->rest.end) {
		opcode = (uint8_t)take_fixed(&t->rest, 1);
		any = opcode >= t->opcode_base ? special(t, opcode, span)
		    : opcode ? standard(t, opcode, span) : extended(t, span);
		t->damaged |= !t->rest.at;
	}
	return any;
}
