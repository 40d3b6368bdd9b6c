#include "collect/import/dwarf/line_index.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/dwarf/line_table.h"
#include "util/mem.h"
#include "util/order.h"

enum { MOST_SECTION = 64 << 20, MOST_SPANS = 8 << 20 };

struct span { uint64_t begin, end; uint32_t file, line; };

struct line_index {
	uint8_t *bytes[3];         /* of the sections */
	struct { const char *directory, *base, *name; } *files;
	struct span *spans;        /* by begin */
	size_t nr_files, files_alloc, nr_spans, spans_alloc;
};

static struct bytes
read_section(const struct elf *e, const char *name, uint8_t **keep)
{
	const struct elf_section *s = elf_section(e, name);
	struct error ignored = ERROR_INIT;
	size_t size = 0;

	*keep = s ? elf_read_unpacked(e, s, MOST_SECTION, &size, &ignored) : NULL;
	return (struct bytes){ *keep, *keep ? *keep + size : NULL };
}

/* Returns how long the table at OFFSET is, with its length; 0: it is none. */
static uint64_t
length_of(struct bytes b, uint64_t offset)
{
	const uint64_t left = (uint64_t)(b.end - b.at) - offset;
	uint32_t length;
	uint64_t longer;

	if (left < sizeof(length) + sizeof(longer))
		return 0;
	memcpy(&length, b.at + offset, sizeof(length));
	if (length < UINT32_MAX)
		return length <= left - sizeof(length) ? sizeof(length) + length : 0;
	memcpy(&longer, b.at + offset + sizeof(length), sizeof(longer));
	return longer <= left - sizeof(length) - sizeof(longer)
		       ? sizeof(length) + sizeof(longer) + longer : 0;
}

static const char *
directory_of(const struct line_table *t, uint64_t number)
{
	const char *directory = number < t->nr_directories ? t->directories[number] : NULL;

	return directory ? directory : "";
}

static void
add_table(struct line_index *x, struct line_table *t)
{
	const uint32_t first = (uint32_t)x->nr_files;
	struct line_span span;

	GROW(x->files, x->nr_files + t->nr_files, x->files_alloc);
	for (size_t i = 0; i < t->nr_files; i++, x->nr_files++) {
		x->files[x->nr_files].name = t->files[i].name;
		x->files[x->nr_files].directory = directory_of(t, t->files[i].directory);
		x->files[x->nr_files].base = directory_of(t, 0);
	}
	while (x->nr_spans < MOST_SPANS && line_table_next(t, &span)) {
		if (span.file >= t->nr_files || !span.line || span.line > UINT32_MAX)
			continue;
		GROW(x->spans, x->nr_spans + 1, x->spans_alloc);
		x->spans[x->nr_spans++] = (struct span){
			span.begin, span.end, first + (uint32_t)span.file, (uint32_t)span.line,
		};
	}
}

static int
compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	COMPARE(x->begin, y->begin);
	COMPARE(x->end, y->end);
	return 0;
}

/* Linkers keep most in order. */
static bool
are_sorted(const struct line_index *x)
{
	for (size_t i = 1; i < x->nr_spans; i++)
		if (x->spans[i - 1].begin > x->spans[i].begin)
			return false;
	return true;
}

struct line_index *
line_index_read(const struct elf *e)
{
	struct line_index *x = xcalloc(1, sizeof(*x));
	struct line_sections s = {
		.line = read_section(e, ".debug_line", &x->bytes[0]),
		.line_str = read_section(e, ".debug_line_str", &x->bytes[1]),
		.str = read_section(e, ".debug_str", &x->bytes[2]),
	};
	uint64_t at = 0, length;

	while (x->bytes[0] && (length = length_of(s.line, at))) {
		struct line_table t;

		if (!line_table_open(&t, &s, at))
			add_table(x, &t);
		line_table_release(&t);
		at += length;
	}
	if (x->nr_spans && !are_sorted(x))
		qsort(x->spans, x->nr_spans, sizeof(*x->spans), compare_spans);
	if (x->nr_spans)
		return x;
	line_index_free(x);
	return NULL;
}

void
line_index_free(struct line_index *x)
{
	if (!x)
		return;
	for (int i = 0; i < 3; i++)
		free(x->bytes[i]);
	free(x->files);
	free(x->spans);
	free(x);
}

char *
line_index_at(const struct line_index *x, uint64_t address, uint32_t *line)
{
	size_t lo = 0, hi = x->nr_spans;
	const char *directory, *base, *name;

	while (lo < hi) { /* the first one beyond the address */
		size_t mid = lo + (hi - lo) / 2;

		if (x->spans[mid].begin <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || address >= x->spans[lo - 1].end)
		return NULL;
	*line = x->spans[lo - 1].line;
	name = x->files[x->spans[lo - 1].file].name;
	directory = x->files[x->spans[lo - 1].file].directory;
	base = x->files[x->spans[lo - 1].file].base;
	if (!name)
		return NULL;
	if (*name == '/')
		return xstrdup(name);
	if (*directory == '/')
		return xasprintf("%s/%s", directory, name);
	return *base ? xasprintf("%s/%s/%s", base, directory, name) : NULL;
}
