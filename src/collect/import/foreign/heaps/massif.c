/* What massif, valgrind's tool for the size of the heap, writes: snapshots with what was live, some
 * of them with a tree of who had asked for it, from the inside out:
 *
 *	desc: ...   cmd: ...   time_unit: i, ms or B
 *	snapshot=N   time=N   mem_heap_B=N   mem_heap_extra_B=N   mem_stacks_B=N
 *	heap_tree=empty, detailed or peak
 *	n2: 4267 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n1: 3984 0x112204: luaL_setfuncs (lauxlib.c:938)
 *	 n0: 283 in 8 places, all below massif's threshold (1.00%)
 */
#include "collect/import/foreign/foreign_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/foreign/heaps/tool_heap.h"
#include "collect/import/foreign/text_lines.h"
#include "collect/import/unpack.h"
#include "util/mem.h"

enum { MOST_DEPTH = 1000 };

struct amount { uint32_t node; uint64_t bytes; };
/* Of the tree. LEFT: what its callers lack. */
struct level { uint64_t left; struct stacks_frame frame; };

struct reader {
	struct text_lines in;
	struct stacks *stacks;
	struct tool_heap heap;
	struct arena arena;        /* texts of the frames of a tree */
	const char *command, *unit;
	uint64_t time, live, extra; /* of the snapshot */
	bool open, peak;           /* it has no moment yet; its tree is that of the peak */
	struct level levels[MOST_DEPTH];
	int depth;                 /* levels of the tree; 0: none is read */
	struct amount *amounts;    /* of the tree of the peak, or of the largest one */
	size_t nr_amounts, amounts_alloc;
	uint64_t tree_bytes;       /* all that it has */
	uint64_t extra_at_peak;
	bool keeps, has_peak;      /* the tree is to be that one; the file tells of the peak */
};

/* The node of DEPTH levels. The outermost one is no frame: what it lacks is of nobody known. */
static uint32_t
node_of(struct reader *r, int depth)
{
	const struct stacks_frame others = { .symbol = STACKS_TEXT("(below massif's threshold)"),
					     .offset = STACKS_NO_OFFSET };
	uint32_t node = 0;

	if (depth == 1)
		return stacks_below(r->stacks, 0, &others);
	for (int i = depth; i-- > 1;)
		node = stacks_below(r->stacks, node, &r->levels[i].frame);
	return node;
}

/* Takes levels off until there are DEPTH: what their callers lack is their own. */
static void
end_levels(struct reader *r, int depth)
{
	for (; r->depth > depth; r->depth--) {
		uint64_t left = r->levels[r->depth - 1].left;
		uint32_t node = left ? node_of(r, r->depth) : 0;

		if (!node)
			continue;
		tool_heap_band(&r->heap, node, left);
		if (!r->keeps)
			continue;
		GROW(r->amounts, r->nr_amounts + 1, r->amounts_alloc);
		r->amounts[r->nr_amounts++] = (struct amount){ node, left };
	}
}

static void
end_snapshot(struct reader *r)
{
	end_levels(r, 0);
	if (r->open)
		tool_heap_moment(&r->heap, r->time, r->live);
	r->open = false;
}

/* The moment stands before its bands. */
static void
begin_tree(struct reader *r, const char *kind)
{
	bool peak = !strcmp(kind, "peak");

	tool_heap_moment(&r->heap, r->time, r->live);
	r->open = false;
	r->keeps = peak || (!r->has_peak && r->live >= r->tree_bytes);
	r->has_peak |= peak;
	if (!r->keeps)
		return;
	r->nr_amounts = 0;
	r->tree_bytes = r->live;
	r->extra_at_peak = r->extra;
}

/* Is TEXT "NAME=NUMBER"? */
static bool
is_number(const char *text, const char *name, uint64_t *to)
{
	size_t n = strlen(name);
	char *end;

	if (strncmp(text, name, n) != 0 || text[n] < '0' || text[n] > '9')
		return false;
	*to = strtoull(text + n, &end, 10);
	return !*end;
}

/* " n2: 26157 0x12288C: luaM_malloc_ (lmem.c:192)" */
static bool
take_node(struct reader *r, const char *line)
{
	int depth = (int)strspn(line, " ");
	char *end;
	uint64_t bytes;
	const char *text;
	struct level *level;
	uint64_t address = 0;

	strtoull(line + depth + 1, &end, 10);
	if (strncmp(end, ": ", 2) != 0 || depth > r->depth || depth >= MOST_DEPTH ||
	    (!depth && r->depth))
		return false;
	text = end + 2;
	bytes = strtoull(text, &end, 10);
	if (end == text || *end != ' ')
		return false;
	end_levels(r, depth);
	text = end + 1;
	if (depth && strncmp(text, "0x", 2) != 0)
		return true; /* "in 8 places ...": they stay with the level above */
	if (depth) {
		level = &r->levels[depth - 1];
		level->left -= bytes < level->left ? bytes : level->left;
		address = strtoull(text, &end, 16);
		text = strncmp(end, ": ", 2) ? text : end + 2;
	}
	level = &r->levels[r->depth++];
	level->left = bytes;
	text = arena_strdup(&r->arena, text);
	level->frame = valgrind_frame(text, strlen(text));
	level->frame.address = address;
	return true;
}

static void
take_line(struct reader *r)
{
	const char *line = r->in.line.buf;
	uint64_t number;
	bool good = true;

	if (*line == '#' || !*line) {
		;
	} else if (!strncmp(line, "cmd: ", 5)) {
		r->command = xstrdup(line + 5);
	} else if (!strncmp(line, "time_unit: ", 11)) {
		r->unit = xstrdup(line + 11);
	} else if (!strncmp(line, "desc:", 5)) {
		;
	} else if (is_number(line, "snapshot=", &number)) {
		end_snapshot(r);
		arena_release(&r->arena);
		r->time = r->live = r->extra = 0;
		r->open = true;
	} else if (is_number(line, "time=", &number)) {
		r->time = r->unit && !strcmp(r->unit, "ms") ? count_product(number, 1000000)
							     : number;
	} else if (is_number(line, "mem_heap_B=", &r->live) ||
		   is_number(line, "mem_heap_extra_B=", &r->extra) ||
		   is_number(line, "mem_stacks_B=", &number)) {
		;
	} else if (!strncmp(line, "heap_tree=", 10)) {
		if (strcmp(line + 10, "empty") != 0 && r->open)
			begin_tree(r, line + 10);
	} else {
		good = line[strspn(line, " ")] == 'n' && take_node(r, line);
	}
	r->in.good += good;
	if (!good)
		text_lines_bad(&r->in);
}

static int
read_file(struct reader *r, const char *path, struct model *m, struct error *err)
{
	while (text_lines_next(&r->in))
		take_line(r);
	end_snapshot(r);
	if (text_lines_finish(&r->in, path, "massif's", m, err))
		return -1;
	if (!r->nr_amounts)
		return error_set(err, "%s has no snapshot with who asked for the memory: there is "
				 "nothing to show", path);
	for (size_t i = 0; i < r->nr_amounts; i++)
		tool_heap_add(&r->heap, r->amounts[i].node, HEAP_PEAK, r->amounts[i].bytes);
	return 0;
}

static void
tell(const struct reader *r, struct model *m)
{
	const char *unit = !r->unit || !strcmp(r->unit, "i") ? "instructions"
			   : !strcmp(r->unit, "B") ? "bytes allocated" : NULL;

	if (unit)
		model_note(m, "space", "times are %s, each shown as a nanosecond", unit);
	if (r->extra_at_peak)
		model_note(m, "space", "the allocator took %" PRIu64 " bytes more at the peak",
			   r->extra_at_peak);
	if (!r->has_peak)
		model_note(m, "samples", "massif has no tree of the peak: the one with most of "
			   "those that it has is shown");
}

static int
massif_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct stacks_run run = { .tool = STACKS_TEXT("massif") };
	struct reader *r = xcalloc(1, sizeof(*r));
	const char *path = paths[nr - 1];
	struct stat st;
	int status = -1;

	r->stacks = stacks_new();
	r->arena = (struct arena)ARENA_INIT;
	tool_heap_init(&r->heap, r->stacks, 1 << HEAP_PEAK);
	r->heap.thread = stacks_thread(r->stacks, 0, 0, STACKS_TEXT(""));
	r->in = (struct text_lines)TEXT_LINES_INIT(unpack_open(path, &st, err));
	if (r->in.in) {
		status = read_file(r, path, m, err);
		fclose(r->in.in);
	}
	if (!status) {
		valgrind_program(r->stacks, m, r->command ? r->command : "");
		if (r->command)
			run.command = (struct stacks_text){ r->command, strlen(r->command) };
		status = tool_heap_finish(&r->heap, &run, path, &st, m, err);
	}
	if (!status)
		tell(r, m);
	text_lines_release(&r->in);
	tool_heap_release(&r->heap);
	free((char *)r->command);
	free((char *)r->unit);
	free(r->amounts);
	arena_release(&r->arena);
	stacks_free(r->stacks);
	free(r);
	return status;
}

static bool
massif_is(const char *head, size_t n)
{
	return n > 5 && !strncmp(head, "desc:", 5) && strstr(head, "\ncmd: ") &&
	       strstr(head, "\ntime_unit: ");
}

const struct foreign_format massif_format = {
	.name = "a profile of massif", .is = massif_is, .read = massif_read,
};
