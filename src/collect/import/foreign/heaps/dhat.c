/* The JSON of DHAT, valgrind's tool for the use of the heap: for each stack that asked for memory
 * how many bytes and blocks, in all, when most was live, and in the end; bytes read and written.
 * In its modes "copy" and "ad-hoc" totals alone, of other things. Times are instructions, as a
 * rule. */
#include "collect/import/foreign/foreign_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/foreign/heaps/tool_heap.h"
#include "collect/import/unpack.h"
#include "util/mem.h"
#include "util/text/json.h"

enum { NR_MEMBERS = 8 };
static const char *const members[NR_MEMBERS] = { /* in the order of enum heap_event */
	"tb", "tbk", "gb", "gbk", "eb", "ebk", "rb", "wb",
};

struct point { uint64_t of[NR_MEMBERS]; size_t first, nr; };

struct reader {
	struct stacks *stacks;
	struct arena arena;
	struct point *points;
	size_t nr_points, points_alloc;
	uint32_t *frames;          /* numbers of texts, of all points */
	size_t nr_frames, frames_alloc;
	const char **texts;
	size_t nr_texts, texts_alloc;
	const char *command, *mode, *unit, *what;
	uint64_t pid, at_peak, at_end;
	bool is_dhat;
};

static uint64_t
count_of(const struct json *j)
{
	int64_t n = json_integer(j);

	return n < 0 ? 0 : (uint64_t)n;
}

static bool
take_frame(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;
	struct point *p = &r->points[r->nr_points - 1];
	uint64_t n = value == JSON_NUMBER ? count_of(j) : 0;

	if (p->nr < STACKS_MAX_FRAMES) {
		GROW(r->frames, r->nr_frames + 1, r->frames_alloc);
		r->frames[r->nr_frames++] = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
		p->nr++;
	}
	return json_pass(j, value);
}

static bool
take_point_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;

	if (value == JSON_ARRAY && !strcmp(key, "fs"))
		return json_items(j, take_frame, r);
	for (int i = 0; value == JSON_NUMBER && i < NR_MEMBERS; i++)
		if (!strcmp(key, members[i]))
			r->points[r->nr_points - 1].of[i] = count_of(j);
	return json_pass(j, value);
}

static bool
take_point(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;

	if (value != JSON_OBJECT)
		return json_pass(j, value);
	GROW(r->points, r->nr_points + 1, r->points_alloc);
	r->points[r->nr_points++] = (struct point){ .first = r->nr_frames };
	return json_members(j, take_point_member, r);
}

static bool
take_text(void *context, struct json *j, enum json_piece value)
{
	struct reader *r = context;

	GROW(r->texts, r->nr_texts + 1, r->texts_alloc);
	r->texts[r->nr_texts++] =
		arena_strdup(&r->arena, value == JSON_STRING ? json_text(j, NULL) : "");
	return json_pass(j, value);
}

static bool
take_member(void *context, struct json *j, const char *key, enum json_piece value)
{
	struct reader *r = context;
	const char *text = value == JSON_STRING ? json_text(j, NULL) : NULL;

	if (value == JSON_ARRAY && !strcmp(key, "pps"))
		return json_items(j, take_point, r);
	if (value == JSON_ARRAY && !strcmp(key, "ftbl"))
		return json_items(j, take_text, r);
	r->is_dhat |= !strcmp(key, "dhatFileVersion");
	if (text && !strcmp(key, "cmd"))
		r->command = arena_strdup(&r->arena, text);
	if (text && !strcmp(key, "mode"))
		r->mode = arena_strdup(&r->arena, text);
	if (text && !strcmp(key, "tu"))
		r->unit = arena_strdup(&r->arena, text);
	if (text && !strcmp(key, "verb"))
		r->what = arena_strdup(&r->arena, text);
	if (value == JSON_NUMBER && !strcmp(key, "pid"))
		r->pid = count_of(j);
	if (value == JSON_NUMBER && !strcmp(key, "tg"))
		r->at_peak = count_of(j);
	if (value == JSON_NUMBER && !strcmp(key, "te"))
		r->at_end = count_of(j);
	return json_pass(j, value);
}

/* "0x1290C1: lua_newstate (lstate.c:359)"; ADDRESS: of the frame. */
static struct stacks_frame
frame_of(const struct reader *r, uint32_t number, uint64_t *address)
{
	const char *text = number < r->nr_texts ? r->texts[number] : "", *colon;
	char *end;

	*address = strtoull(text, &end, 16);
	colon = end > text && !strncmp(end, ": ", 2) ? end + 2 : text;
	return valgrind_frame(colon, strlen(colon));
}

/* Returns the stack of a point, without the allocator's frames; innermost frames come first in the
 * file, and those of one address are inlined into the last one of it. */
static uint32_t
node_of(const struct reader *r, const struct point *p)
{
	uint64_t address, outer = 0;
	uint32_t node = 0;
	size_t first = 0;

	while (first + 1 < p->nr &&
	       tool_heap_is_allocator(frame_of(r, r->frames[p->first + first], &address).symbol))
		first++;
	for (size_t i = p->nr; i-- > first;) {
		struct stacks_frame f = frame_of(r, r->frames[p->first + i], &address);

		if (!r->frames[p->first + i])
			continue; /* the root */
		f.inlined = address && address == outer;
		f.address = address;
		outer = address;
		node = stacks_below(r->stacks, node, &f);
	}
	return node;
}

static void
add_points(const struct reader *r, struct tool_heap *h, bool is_heap)
{
	static const enum heap_event in[2] = { HEAP_PEAK, HEAP_LIVE };
	uint32_t *nodes = xcalloc(r->nr_points + 1, sizeof(*nodes));
	uint64_t sum;

	for (size_t i = 0; i < r->nr_points; i++) {
		const struct point *p = &r->points[i];

		nodes[i] = node_of(r, p);
		for (int k = 0; k < NR_MEMBERS && nodes[i]; k++)
			tool_heap_add(h, nodes[i], (enum heap_event)k, p->of[k]);
	}
	for (int k = 0; is_heap && k < 2; k++) {
		sum = 0;
		for (size_t i = 0; i < r->nr_points; i++)
			sum = count_add(sum, r->points[i].of[in[k]]);
		tool_heap_moment(h, k ? r->at_end : r->at_peak, sum);
		for (size_t i = 0; i < r->nr_points; i++)
			if (nodes[i])
				tool_heap_band(h, nodes[i], r->points[i].of[in[k]]);
	}
	free(nodes);
}

static void
tell(const struct reader *r, struct model *m, bool is_heap)
{
	if (!is_heap)
		model_note(m, "samples", "this is what DHAT writes in its mode %s: bytes and "
			   "allocations are what it calls \"%s\"", r->mode, r->what);
	else if (strcmp(r->unit, "ms") != 0)
		model_note(m, "space", "times are %s, each shown as a nanosecond", r->unit);
}

static int
read_file(struct reader *r, FILE *f, const char *path, struct error *err)
{
	struct json *j = json_new(f);
	bool good = json_next(j) == JSON_OBJECT && json_members(j, take_member, r) &&
		    json_next(j) == JSON_END;
	uint64_t line = json_line(j);

	json_free(j);
	if (!good)
		return error_set(err, "%s: line %" PRIu64 " is no JSON: is the file whole?", path,
				 line);
	if (!r->is_dhat || !r->nr_points)
		return error_set(err, "%s is JSON, but DHAT has noted nothing in it", path);
	return 0;
}

static int
dhat_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	enum { OF_HEAP = (1 << NR_MEMBERS) - 1, OF_OTHERS = 1 << HEAP_BYTES | 1 << HEAP_ALLOCS };
	struct reader r = { .stacks = stacks_new(), .arena = ARENA_INIT, .command = "",
			    .mode = "heap", .unit = "instrs", .what = "" };
	struct stacks_run run = { .tool = STACKS_TEXT("dhat") };
	const char *path = paths[nr - 1];
	struct tool_heap h = { .stacks = NULL };
	struct stat st;
	FILE *f = unpack_open(path, &st, err);
	int status = f ? read_file(&r, f, path, err) : -1;
	bool is_heap;

	if (!status) {
		is_heap = !strcmp(r.mode, "heap");
		tool_heap_init(&h, r.stacks, is_heap ? OF_HEAP : OF_OTHERS);
		h.pid = r.pid > UINT32_MAX ? 0 : (uint32_t)r.pid;
		h.thread = stacks_thread(r.stacks, h.pid, h.pid, STACKS_TEXT(""));
		for (size_t i = 0; !strcmp(r.unit, "ms") && i < 2; i++)
			*(i ? &r.at_end : &r.at_peak) *= 1000000;
		add_points(&r, &h, is_heap);
		valgrind_program(r.stacks, m, r.command);
		run.command = (struct stacks_text){ r.command, strlen(r.command) };
		status = tool_heap_finish(&h, &run, path, &st, m, err);
		if (!status)
			tell(&r, m, is_heap);
	}
	if (f)
		fclose(f);
	tool_heap_release(&h);
	free(r.points);
	free(r.frames);
	free(r.texts);
	arena_release(&r.arena);
	stacks_free(r.stacks);
	return status;
}

static bool
dhat_is(const char *head, size_t n)
{
	return n && *head == '{' && strstr(head, "\"dhatFileVersion\"");
}

const struct foreign_format dhat_format = {
	.name = "a profile of DHAT", .is = dhat_is, .read = dhat_read,
};
