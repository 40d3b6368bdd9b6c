/* What heaptrack writes, packed: a line for each thing that happened, with hexadecimal numbers that
 * begin at 1, in the order in which they are told:
 *
 *	v VERSION FORMAT
 *	X COMMAND
 *	c MILLISECONDS
 *	R PAGES
 *	s [LENGTH] TEXT            with its length from format 3 on
 *	i ADDRESS MODULE [FUNCTION [FILE LINE] [the same of what it is inlined into ...]]
 *	t ADDRESS CALLER           a trace: an i, and the t that it was called from
 *	a SIZE TRACE               a kind of blocks, which begin at 0
 *	+ A, - A                   a block of such an a comes and goes
 *
 * Blocks that go right after they came, with nothing asked for in between, are temporary. */
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

enum { MOST_MOMENTS = 256, MOST_INLINED = 1000, OLDEST = 1, NEWEST = 3 };

struct address { size_t first; uint32_t nr; };  /* frames, the innermost first */
/* Of a trace: what is live, and what was when most was. */
struct trace { uint32_t node; uint64_t live, blocks, peak, peak_blocks; uint64_t epoch; };
struct kind { uint64_t size; uint32_t trace; }; /* of blocks */

struct reader {
	struct text_lines in;
	struct stacks *stacks;
	struct tool_heap heap;
	uint32_t *strings;         /* numbers of kept texts; each list begins with none */
	size_t nr_strings, strings_alloc;
	struct stacks_frame *frames; /* their texts are numbers, until they are needed */
	size_t nr_frames, frames_alloc;
	struct address *addresses;
	size_t nr_addresses, addresses_alloc;
	struct trace *traces;
	size_t nr_traces, traces_alloc;
	struct kind *kinds;
	size_t nr_kinds, kinds_alloc;
	uint32_t command;
	uint64_t format, page, now_ms;
	uint64_t peak_ms;
	uint64_t live, peak, epoch, strange; /* EPOCH: how many peaks there were */
	uint64_t last;             /* the kind that came last; 0: something went since */
	uint64_t every, skipped;   /* one of so many times is a moment */
};

/* Reads a hexadecimal number. */
static bool
take_hex(const char **p, uint64_t *to)
{
	char *end;

	if (**p == ' ')
		++*p;
	*to = strtoull(*p, &end, 16);
	if (end == *p || (*end && *end != ' '))
		return false;
	*p = end;
	return true;
}

/* ---- what there is ---- */

static uint32_t
string_of(const struct reader *r, uint64_t number)
{
	return number < r->nr_strings ? r->strings[number] : 0;
}

static bool
take_string(struct reader *r, const char *p)
{
	uint64_t length;
	struct stacks_text text;

	if (r->format >= 3 && (!take_hex(&p, &length) || *p++ != ' '))
		return false;
	if (r->format < 3)
		p += *p == ' ';
	text = (struct stacks_text){ p, strlen(p) };
	GROW(r->strings, r->nr_strings + 1, r->strings_alloc);
	r->strings[r->nr_strings++] = stacks_keep(r->stacks, text);
	return true;
}

/* Texts move when others are kept: frames have their numbers in place of them. */
static struct stacks_text
number_text(uint32_t number)
{
	return (struct stacks_text){ .at = NULL, .length = number };
}

static struct stacks_text
text_of(const struct reader *r, struct stacks_text number)
{
	return stacks_kept(r->stacks, (uint32_t)number.length);
}

static bool
take_address(struct reader *r, const char *p)
{
	struct address a = { .first = r->nr_frames };
	uint64_t address, module, function, file, line;

	if (!take_hex(&p, &address) || !take_hex(&p, &module))
		return false;
	do {
		struct stacks_frame f = { .offset = STACKS_NO_OFFSET, .address = address };

		function = file = line = 0;
		if (*p && (!take_hex(&p, &function) || (*p && (!take_hex(&p, &file) ||
							       !take_hex(&p, &line)))))
			return false;
		f.module = number_text(string_of(r, module));
		f.symbol = number_text(string_of(r, function));
		f.file = number_text(string_of(r, file));
		f.line = line > INT32_MAX ? 0 : (uint32_t)line;
		f.inlined = *p != '\0';
		GROW(r->frames, r->nr_frames + 1, r->frames_alloc);
		r->frames[r->nr_frames++] = f;
		a.nr++;
	} while (*p && a.nr < MOST_INLINED);
	GROW(r->addresses, r->nr_addresses + 1, r->addresses_alloc);
	r->addresses[r->nr_addresses++] = a;
	return true;
}

/* What has no name is told by its address. */
static uint32_t
add_frame(struct reader *r, uint32_t node, const struct stacks_frame *of)
{
	struct stacks_frame f = *of;
	char *name = NULL;
	uint32_t below;

	f.module = text_of(r, of->module);
	f.symbol = text_of(r, of->symbol);
	f.file = text_of(r, of->file);
	if (!f.symbol.length) {
		name = xasprintf("0x%" PRIx64, f.address);
		f.symbol = (struct stacks_text){ name, strlen(name) };
	}
	below = stacks_below(r->stacks, node, &f);
	free(name);
	return below;
}

static bool
take_trace(struct reader *r, const char *p)
{
	uint64_t address, caller;
	struct trace t = { .epoch = 0 };
	const struct address *a;

	if (!take_hex(&p, &address) || !take_hex(&p, &caller) || !address ||
	    address >= r->nr_addresses || caller >= r->nr_traces)
		return false;
	a = &r->addresses[address];
	t.node = r->traces[caller].node;
	for (uint32_t i = a->nr; i-- > 0;)
		t.node = add_frame(r, t.node, &r->frames[a->first + i]);
	GROW(r->traces, r->nr_traces + 1, r->traces_alloc);
	r->traces[r->nr_traces++] = t;
	return true;
}

static bool
take_kind(struct reader *r, const char *p)
{
	uint64_t size, trace;

	if (!take_hex(&p, &size) || !take_hex(&p, &trace) || trace >= r->nr_traces ||
	    size > INT64_MAX)
		return false;
	GROW(r->kinds, r->nr_kinds + 1, r->kinds_alloc);
	r->kinds[r->nr_kinds++] = (struct kind){ size, (uint32_t)trace };
	return true;
}

/* ---- what happens ---- */

/* Before T changes: what it has is what it had at the last peak, if nothing has changed since. */
static void
settle(const struct reader *r, struct trace *t)
{
	if (t->epoch == r->epoch)
		return;
	t->peak = t->live;
	t->peak_blocks = t->blocks;
	t->epoch = r->epoch;
}

static bool
take_block(struct reader *r, const char *p)
{
	uint64_t number;
	struct trace *t;
	uint64_t size;

	if (!take_hex(&p, &number) || number >= r->nr_kinds)
		return false;
	t = &r->traces[r->kinds[number].trace];
	size = r->kinds[number].size;
	settle(r, t);
	t->live = count_add(t->live, size);
	t->blocks++;
	r->live = count_add(r->live, size);
	if (t->node) {
		tool_heap_add(&r->heap, t->node, HEAP_BYTES, size);
		tool_heap_add(&r->heap, t->node, HEAP_ALLOCS, 1);
	}
	r->last = number + 1;
	if (r->live > r->peak) {
		r->peak = r->live;
		r->peak_ms = r->now_ms;
		r->epoch++;
	}
	return true;
}

static bool
take_end(struct reader *r, const char *p)
{
	uint64_t number, size;
	struct trace *t;

	if (!take_hex(&p, &number) || number >= r->nr_kinds)
		return false;
	t = &r->traces[r->kinds[number].trace];
	size = r->kinds[number].size;
	settle(r, t);
	if (r->last == number + 1 && t->node)
		tool_heap_add(&r->heap, t->node, HEAP_TEMPORARIES, 1);
	r->last = 0;
	if (!t->blocks || t->live < size || r->live < size) {
		r->strange++;
		return true;
	}
	t->blocks--;
	t->live -= size;
	r->live -= size;
	return true;
}

/* Half of them go when there is no more room: one of two times as many is kept from then on. */
static void
thin_out(struct reader *r)
{
	struct tool_heap *h = &r->heap;
	size_t bands = 0, n = 0;

	for (size_t i = 0; i < h->nr_bands; i++)
		if (h->bands[i].moment % 2) {
			h->bands[bands] = h->bands[i];
			h->bands[bands++].moment = (h->bands[i].moment + 1) / 2;
		}
	for (size_t i = 0; i < h->nr_moments; i += 2)
		h->moments[n++] = h->moments[i];
	h->nr_bands = bands;
	h->nr_moments = n;
	r->every *= 2;
}

static void
add_moment(struct reader *r)
{
	tool_heap_moment(&r->heap, count_product(r->now_ms, 1000000), r->live);
	for (size_t i = 1; i < r->nr_traces; i++)
		if (r->traces[i].node)
			tool_heap_band(&r->heap, r->traces[i].node, r->traces[i].live);
}

static bool
take_time(struct reader *r, const char *p)
{
	if (!take_hex(&p, &r->now_ms))
		return false;
	if (++r->skipped < r->every)
		return true;
	r->skipped = 0;
	add_moment(r);
	if (r->heap.nr_moments >= MOST_MOMENTS)
		thin_out(r);
	return true;
}

static bool
take_head(struct reader *r, const char *p)
{
	uint64_t version;

	return take_hex(&p, &version) && (!*p || take_hex(&p, &r->format));
}

static bool
take(struct reader *r, const char *line)
{
	if (!*line || *line == '#' || (line[1] && line[1] != ' '))
		return !*line || *line == '#';
	switch (*line) {
	case 'v': return take_head(r, line + 1);
	case 's': return take_string(r, line + 1);
	case 'i': return take_address(r, line + 1);
	case 't': return take_trace(r, line + 1);
	case 'a': return take_kind(r, line + 1);
	case '+': return take_block(r, line + 1);
	case '-': return take_end(r, line + 1);
	case 'c': return take_time(r, line + 1);
	case 'X':
		r->command = stacks_keep(r->stacks, (struct stacks_text){
			line + 1 + (line[1] == ' '), strlen(line + 1 + (line[1] == ' ')) });
		return true;
	default:
		return strchr("RIAS", *line) != NULL;
	}
}

/* The moment at which most was live, among the others. */
static void
insert_peak(struct reader *r)
{
	struct tool_heap *h = &r->heap, old = *h;
	uint64_t at_ns = count_product(r->peak_ms, 1000000);
	size_t i = 0, band = 0, k;

	h->moments = NULL;
	h->bands = NULL;
	h->nr_moments = h->moments_alloc = h->nr_bands = h->bands_alloc = 0;
	for (i = 0; i <= old.nr_moments; i++) {
		bool here = at_ns != UINT64_MAX &&
			    (i == old.nr_moments || old.moments[i].at_ns > at_ns);

		if (here)
			tool_heap_moment(h, at_ns, r->peak);
		for (k = 1; here && k < r->nr_traces; k++)
			if (r->traces[k].node)
				tool_heap_band(h, r->traces[k].node, r->traces[k].peak);
		at_ns = here ? UINT64_MAX : at_ns;
		if (i == old.nr_moments)
			break;
		tool_heap_moment(h, old.moments[i].at_ns, old.moments[i].live_bytes);
		for (; band < old.nr_bands && old.bands[band].moment == i + 1; band++)
			tool_heap_band(h, old.bands[band].node, old.bands[band].bytes);
	}
	tool_heap_release(&old);
}

static int
read_file(struct reader *r, const char *path, struct model *m, struct error *err)
{
	while (text_lines_next(&r->in)) {
		if (take(r, r->in.line.buf))
			r->in.good++;
		else
			text_lines_bad(&r->in);
		if (r->format && (r->format < OLDEST || r->format > NEWEST))
			return error_set(err, "%s is of heaptrack's format %" PRIu64 ", and %d to "
					 "%d are known: heaptrack_print -f %s -F FILE makes folded "
					 "stacks of it", path, r->format, OLDEST, NEWEST, path);
	}
	if (text_lines_finish(&r->in, path, "heaptrack's", m, err))
		return -1;
	if (!r->epoch)
		return error_set(err, "%s has no allocation: there is nothing to show", path);
	add_moment(r);
	for (size_t i = 1; i < r->nr_traces; i++) {
		struct trace *t = &r->traces[i];

		settle(r, t);
		if (!t->node)
			continue;
		tool_heap_add(&r->heap, t->node, HEAP_PEAK, t->peak);
		tool_heap_add(&r->heap, t->node, HEAP_PEAK_BLOCKS, t->peak_blocks);
		tool_heap_add(&r->heap, t->node, HEAP_LIVE, t->live);
		tool_heap_add(&r->heap, t->node, HEAP_LIVE_BLOCKS, t->blocks);
	}
	insert_peak(r);
	return 0;
}

static int
heaptrack_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	struct stacks_run run = { .tool = STACKS_TEXT("heaptrack") };
	struct reader r = { .stacks = stacks_new(), .every = 1, .format = 0 };
	const char *path = paths[nr - 1];
	struct stat st;
	int status = -1;

	tool_heap_init(&r.heap, r.stacks, 1 << HEAP_BYTES | 1 << HEAP_ALLOCS | 1 << HEAP_PEAK |
		  1 << HEAP_PEAK_BLOCKS | 1 << HEAP_LIVE | 1 << HEAP_LIVE_BLOCKS |
		  1 << HEAP_TEMPORARIES);
	r.heap.thread = stacks_thread(r.stacks, 0, 0, STACKS_TEXT(""));
	/* Numbers begin at 1, but for those of kinds of blocks. */
	GROW(r.strings, 1, r.strings_alloc);
	GROW(r.addresses, 1, r.addresses_alloc);
	GROW(r.traces, 1, r.traces_alloc);
	r.strings[r.nr_strings++] = 0;
	r.addresses[r.nr_addresses++] = (struct address){ .nr = 0 };
	r.traces[r.nr_traces++] = (struct trace){ .node = 0 };
	r.in = (struct text_lines)TEXT_LINES_INIT(unpack_open(path, &st, err));
	if (r.in.in) {
		status = read_file(&r, path, m, err);
		fclose(r.in.in);
	}
	if (!status) {
		run.command = stacks_kept(r.stacks, r.command);
		status = tool_heap_finish(&r.heap, &run, path, &st, m, err);
	}
	if (!status && r.strange)
		model_note(m, "counts", "%" PRIu64 " blocks were given back that nobody had got",
			   r.strange);
	text_lines_release(&r.in);
	tool_heap_release(&r.heap);
	free(r.strings);
	free(r.frames);
	free(r.addresses);
	free(r.traces);
	free(r.kinds);
	stacks_free(r.stacks);
	return status;
}

/* "v 10400 3", and lines of one letter behind it. */
static bool
heaptrack_is(const char *head, size_t n)
{
	const char *p = head + 1, *end = memchr(head, '\n', n);
	uint64_t number;

	if (n < 4 || strncmp(head, "v ", 2) != 0 || !end || !take_hex(&p, &number) ||
	    number < 0x10000)
		return false;
	return !end[1] || (strchr("XISsitac#A", end[1]) && (!end[2] || end[2] == ' '));
}

const struct foreign_format heaptrack_format = {
	.name = "a profile of heaptrack", .is = heaptrack_is, .read = heaptrack_read,
};
