#include "collect/import/foreign/heaps/tool_heap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/foreign/line_rows.h"
#include "collect/import/space/space.h"
#include "util/keys.h"
#include "util/mem.h"
#include "util/order.h"

enum { MOST_BANDS = 24 }; /* of a moment */

/* ---- what a tool tells ---- */

#define EVENT(name, title, unit, detail) \
	{ { STACKS_TEXT(name), STACKS_TEXT(unit), 0 }, title, detail }
static const struct {
	struct stacks_event event;
	const char *title;
	bool detail;
} kinds[NR_HEAP_EVENTS] = {
	[HEAP_BYTES] = EVENT("bytes", "bytes allocated", "bytes", false),
	[HEAP_ALLOCS] = EVENT("allocs", "allocations", "count", false),
	[HEAP_PEAK] = EVENT("peak", "bytes live at the peak", "bytes", false),
	[HEAP_PEAK_BLOCKS] = EVENT("peak_blocks", "blocks live at the peak", "count", true),
	[HEAP_LIVE] = EVENT("live", "bytes never freed", "bytes", false),
	[HEAP_LIVE_BLOCKS] = EVENT("live_blocks", "blocks never freed", "count", true),
	[HEAP_READ] = EVENT("read", "bytes read", "bytes", false),
	[HEAP_WRITTEN] = EVENT("written", "bytes written", "bytes", false),
	[HEAP_TEMPORARIES] = EVENT("temporaries", "temporary blocks", "count", true),
};

void
tool_heap_init(struct tool_heap *h, struct stacks *s, unsigned of)
{
	*h = (struct tool_heap){ .stacks = s };
	stacks_spots_only(s);
	for (int i = 0; i < NR_HEAP_EVENTS; i++) {
		h->events[i] = of >> i & 1 ? stacks_event(s, &kinds[i].event) : -1;
		if (h->events[i] >= 0)
			stacks_counted(s, h->events[i], kinds[i].title, kinds[i].detail);
	}
}

void
tool_heap_release(struct tool_heap *h)
{
	free(h->moments);
	free(h->bands);
}

void
tool_heap_add(struct tool_heap *h, uint32_t node, enum heap_event event, uint64_t amount)
{
	const struct stacks_value v = { h->events[event], 0, amount };

	if (v.event >= 0 && amount)
		stacks_value(h->stacks, node, h->thread, &v);
}

void
tool_heap_moment(struct tool_heap *h, uint64_t at_ns, uint64_t live)
{
	GROW(h->moments, h->nr_moments + 1, h->moments_alloc);
	h->moments[h->nr_moments++] = (struct model_moment){
		.heap = 1, .at_ns = at_ns, .live_bytes = live,
	};
	h->peak = live > h->peak ? live : h->peak;
}

void
tool_heap_band(struct tool_heap *h, uint32_t node, uint64_t bytes)
{
	if (!bytes)
		return;
	GROW(h->bands, h->nr_bands + 1, h->bands_alloc);
	h->bands[h->nr_bands++] = (struct heap_band){ (uint32_t)h->nr_moments, node, bytes };
}

/* ---- frames ---- */

bool
tool_heap_is_allocator(struct stacks_text symbol)
{
	static const char *const shown[] = { "operator new(", "operator new[](" };
	char name[64];

	for (size_t i = 0; i < 2; i++)
		if (symbol.length > strlen(shown[i]) &&
		    !memcmp(symbol.at, shown[i], strlen(shown[i])))
			return true;
	if (symbol.length >= sizeof(name))
		return false;
	memcpy(name, symbol.at, symbol.length);
	name[symbol.length] = '\0';
	return space_is_among(space_allocators(), name);
}

struct stacks_frame
valgrind_frame(const char *text, size_t length)
{
	struct stacks_frame f = { .offset = STACKS_NO_OFFSET, .symbol = { text, length } };
	const char *end = text + length, *open = end, *p;
	uint32_t line = 0;

	if (!length || end[-1] != ')')
		return f;
	while (open > text && !(open[0] == '(' && open[-1] == ' '))
		open--;
	if (open == text) /* "(below main)" */
		return f;
	f.symbol.length = (size_t)(open - text) - 1;
	if (f.symbol.length == 3 && !memcmp(text, "???", 3))
		f.symbol.length = 0;
	open++;
	end--;
	if (end - open > 3 && !memcmp(open, "in ", 3)) {
		f.module = (struct stacks_text){ open + 3, (size_t)(end - open) - 3 };
		return f;
	}
	for (p = end; p > open && isdigit((unsigned char)p[-1]) && end - p < 9; p--)
		;
	for (const char *q = p; q < end; q++)
		line = 10 * line + (uint32_t)(*q - '0');
	if (p > open + 1 && p < end && p[-1] == ':') {
		f.file = (struct stacks_text){ open, (size_t)(p - open) - 1 };
		f.line = line;
	}
	return f;
}

void
valgrind_program(struct stacks *s, const struct model *m, const char *command)
{
	enum { LOADED = 0x108000 }; /* where it puts programs that can be anywhere */
	struct stacks_text program = { command, strcspn(command, " ") };
	char *path = m->program ? realpath(m->program, NULL) : NULL;

	if (m->program)
		program = (struct stacks_text){ path ? path : m->program,
						strlen(path ? path : m->program) };
	if (program.length && *program.at == '/')
		stacks_program(s, program, LOADED);
	free(path);
}

/* ---- what was live when ---- */

struct holder { model_id producer; uint64_t bytes; };

static int
compare_holders(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	COMPARE(y->bytes, x->bytes);
	COMPARE(x->producer, y->producer);
	return 0;
}

/* Finds producers: places at which memory was asked for. */
struct producers {
	struct keys keys, blocks;  /* procedure, file, line */
};

static void
find_blocks(struct producers *p, const struct model *m)
{
	bool is_new;

	for (size_t i = 0; i < m->nr_blocks; i++)
		keys_number(&p->blocks, KEY(m->blocks[i].procedure, m->blocks[i].place.file,
					    m->blocks[i].place.line), &is_new);
}

static void
producers_release(struct producers *p)
{
	keys_release(&p->keys);
	keys_release(&p->blocks);
}

/* Returns the producer at the end of a stack. Blocks of a profile of lines have a key each. */
static model_id
producer_of(struct tool_heap *h, struct model *m, struct producers *p, uint32_t node)
{
	struct stacks_spot s = stacks_spot(h->stacks, node);
	struct key key = KEY(s.procedure, s.file, s.line);
	bool is_new;
	uint32_t i = keys_number(&p->keys, key, &is_new), block = keys_find(&p->blocks, key);
	struct place place = { .file = 0 };

	if (!is_new)
		return i + 1;
	if (block != INDEX_NONE)
		place = m->blocks[block].place;
	else if (s.file && s.line)
		place = whole_line(s.file, s.line);
	*MODEL_ADD(m, producers) = (struct model_producer){
		.procedure = s.procedure, .place = place,
	};
	return i + 1;
}

/* Adds the bands of one moment, of which H has NR from FIRST on. */
static void
store_bands(struct tool_heap *h, struct model *m, struct producers *producers,
	    const struct heap_band *first, size_t nr, uint64_t live)
{
	struct keys seen = KEYS_INIT;
	struct holder *held = xcalloc(nr + 1, sizeof(*held));
	bool is_new;

	for (size_t i = 0; i < nr; i++) {
		model_id producer = producer_of(h, m, producers, first[i].node);
		struct holder *of = &held[keys_number(&seen, KEY(producer), &is_new)];

		of->producer = producer;
		of->bytes = count_add(of->bytes, first[i].bytes);
	}
	if (seen.nr)
		qsort(held, seen.nr, sizeof(*held), compare_holders);
	for (size_t i = 0; i < seen.nr && i < MOST_BANDS; i++) {
		uint64_t bytes = held[i].bytes < live ? held[i].bytes : live;

		live -= bytes;
		*MODEL_ADD(m, bands) = (struct model_band){
			.moment = (model_id)m->nr_moments, .producer = held[i].producer,
			.live_bytes = bytes,
		};
	}
	if (live)
		*MODEL_ADD(m, bands) = (struct model_band){
			.moment = (model_id)m->nr_moments, .live_bytes = live,
		};
	keys_release(&seen);
	free(held);
}

static void
store_moments(struct tool_heap *h, struct model *m)
{
	struct producers producers = { KEYS_INIT, KEYS_INIT };
	size_t band = 0, end;
	bool peak = false;

	find_blocks(&producers, m);
	*MODEL_ADD(m, heaps) = (struct model_heap){
		.run = 1, .pid = h->pid, .peak_bytes = h->peak, .peak_lo_bytes = h->peak,
		.peak_hi_bytes = h->peak, .moments = h->nr_moments,
	};
	for (size_t i = 0; i < h->nr_moments; i++) {
		struct model_moment *moment = MODEL_ADD(m, moments);

		*moment = h->moments[i];
		moment->peak = !peak && moment->live_bytes == h->peak;
		peak |= moment->peak;
		for (end = band; end < h->nr_bands && h->bands[end].moment == i + 1; end++)
			;
		store_bands(h, m, &producers, h->bands + band, end - band,
			    moment->live_bytes);
		band = end;
	}
	producers_release(&producers);
}

int
tool_heap_finish(struct tool_heap *h, const struct stacks_run *run, const char *path,
		 const struct stat *st, struct model *m, struct error *err)
{
	if (stacks_finish(h->stacks, run, path, st->st_uid, m, err))
		return -1;
	if (h->nr_moments)
		store_moments(h, m);
	return 0;
}
