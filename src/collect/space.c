#include "collect/space.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/samples.h"
#include "db/measure.h"
#include "util/order.h"

void
space_release(struct space *s)
{
	free(s->cells);
	*s = (struct space){ .nr = 0 };
}

/* ---- reading ---- */

/* No process has had more: it is damage. It keeps all sums in 63 bits. */
#define MOST ((uint64_t)1 << 53)

static bool
is_sound(const struct raw_space_cell *c)
{
	return c->blocks <= MOST && c->bytes <= MOST && c->freed_blocks <= MOST &&
	       c->freed_bytes <= MOST && c->empty <= MOST && c->strange <= MOST;
}

static void
add_cell(struct space *s, const struct raw_space_cell *c, const struct areas *areas, model_id part,
	 uint32_t address)
{
	GROW(s->cells, s->nr + 1, s->alloc);
	s->cells[s->nr++] = (struct space_cell){
		.address = address, .through = c->through == 1, .part = part,
		.input = areas->input, .pid = areas->items[part - 1].pid,
		.freed_blocks = c->freed_blocks, .freed_bytes = c->freed_bytes,
		.empty = c->empty, .strange = c->strange,
		.figures = { [SPACE_ALLOCS] = c->blocks, [SPACE_BYTES] = c->bytes },
	};
	s->strange += c->strange;
}

static void
read_cells(struct space *s, struct samples *samples, const struct rawfile *r,
	   const struct raw_part *p, const int *module_of, const struct areas *areas)
{
	model_id part = areas_of_extent(areas, p);
	struct raw_space_cell c;

	for (uint64_t at = 0; part && p->size - at >= sizeof(c); at += sizeof(c)) {
		int m;

		if (rawfile_read(r, p->offset + at, &c, sizeof(c)) < sizeof(c) || !is_sound(&c))
			break;
		m = c.pc ? rawfile_module(r, c.module) : -1;
		add_cell(s, &c, areas, part, m < 0 || module_of[m] < 0 ? 0 :
			 samples_address(samples, (uint32_t)module_of[m],
					 c.pc - 1 - r->modules[m].load_bias));
	}
}

static void
tell_uncounted(struct model *m, const struct rawfile *r, const struct raw_space *facts)
{
	static const char *const why[RAW_SPACE_STATES] = {
		[RAW_SPACE_NOT_LOADED] = "libcgview_space.so was not loaded into it (it is linked "
			"statically, has another user's rights, or LD_PRELOAD got lost)",
		[RAW_SPACE_OTHER] = "it has an allocator of its own",
		[RAW_SPACE_RELEASE] = "it was built with the cgcc of another release",
		[RAW_SPACE_NO_ROOM] = "there was no memory for it",
	};

	if (facts->state != RAW_SPACE_COUNTED && facts->state < RAW_SPACE_STATES)
		model_note(m, "space", "allocations of %s are not counted: %s", r->program,
			   why[facts->state]);
}

void
space_read(struct space *s, struct samples *samples, const struct rawfile *r,
	   const int *module_of, const struct areas *areas)
{
	struct raw_space facts;

	s->nr_inputs++;
	for (size_t i = 0; i < r->nr_parts; i++) {
		const struct raw_part *p = &r->parts[i];

		if (p->kind == RAW_SPACE_CELLS)
			read_cells(s, samples, r, p, module_of, areas);
		if (p->kind != RAW_SPACE || p->size < sizeof(facts) ||
		    rawfile_read(r, p->offset, &facts, sizeof(facts)) < sizeof(facts))
			continue;
		tell_uncounted(areas->m, r, &facts);
		s->nr_counted += facts.state == RAW_SPACE_COUNTED;
		s->killed |= !r->head.ended_ns;
		s->lost = count_add(s->lost, facts.lost);
		s->early = count_add(s->early, facts.early);
	}
}

/* ---- what is live ---- */

static bool
same_producer(const struct space_cell *a, const struct space_cell *b)
{
	return a->input == b->input && a->pid == b->pid && a->address == b->address &&
	       a->through == b->through;
}

static int
compare_producers(const void *a, const void *b)
{
	const struct space_cell *x = a, *y = b;

	COMPARE(x->input, y->input);
	COMPARE(x->pid, y->pid);
	COMPARE(x->address, y->address);
	COMPARE(x->through, y->through);
	return x->part < y->part ? -1 : x->part > y->part;
}

static int
compare_parts(const void *a, const void *b)
{
	const struct space_cell *x = a, *y = b;

	return x->part != y->part ? (x->part < y->part ? -1 : 1) : compare_producers(a, b);
}

/* What one thread has got and another one has given back is taken off those that have most left: a
 * part must not have less than nothing. CELLS: NR of one producer in one process; FREED: of all. */
static void
share_out(struct space_cell *cells, size_t nr, enum space_figure live, uint64_t freed)
{
	while (freed) {
		struct space_cell *most = &cells[0];

		for (size_t i = 1; i < nr; i++)
			if (cells[i].figures[live] > most->figures[live])
				most = &cells[i];
		if (!most->figures[live]) /* a part of the file is missing */
			return;
		if (most->figures[live] >= freed) {
			most->figures[live] -= freed;
			return;
		}
		freed -= most->figures[live];
		most->figures[live] = 0;
	}
}

/* Each thread gives back of its own first. */
static uint64_t
own(uint64_t *live, uint64_t made, uint64_t freed)
{
	*live = made > freed ? made - freed : 0;
	return freed > made ? freed - made : 0;
}

static void
find_live(struct space_cell *cells, size_t nr)
{
	uint64_t blocks = 0, bytes = 0;

	for (size_t i = 0; i < nr; i++) {
		uint64_t *f = cells[i].figures;

		blocks += own(&f[SPACE_LIVE_BLOCKS], f[SPACE_ALLOCS], cells[i].freed_blocks);
		bytes += own(&f[SPACE_LIVE], f[SPACE_BYTES], cells[i].freed_bytes);
	}
	share_out(cells, nr, SPACE_LIVE_BLOCKS, blocks);
	share_out(cells, nr, SPACE_LIVE, bytes);
}

static void
sort_cells(struct space *s, int (*compare)(const void *, const void *))
{
	if (s->nr)
		qsort(s->cells, s->nr, sizeof(*s->cells), compare);
}

/* ---- the measures ---- */

static void
add_measures(struct space *s, struct model *m)
{
	static const struct model_measure measures[NR_SPACE_FIGURES] = {
		[SPACE_ALLOCS] = { .name = SPACE_MEASURE, .title = "allocations", .unit = "count" },
		[SPACE_BYTES] = { .name = "bytes", .title = "bytes allocated", .unit = "bytes" },
		[SPACE_LIVE] = { .name = "live", .title = "bytes never freed", .unit = "bytes" },
		[SPACE_LIVE_BLOCKS] = { .name = "live_blocks", .title = "blocks never freed",
					.unit = "count" },
	};

	for (int i = 0; i < NR_SPACE_FIGURES; i++) {
		struct model_measure measure = measures[i];

		measure.combine = COMBINE_SUM;
		measure.inclusive = INCLUSIVE_ARCS;
		measure.exact = !s->lost;
		s->slots[i] = s->nr_counted ? measure_add(m, &measure) : -1;
	}
}

void
space_settle(struct space *s, struct model *m)
{
	size_t end;

	sort_cells(s, compare_producers);
	for (size_t i = 0; i < s->nr; i = end) {
		for (end = i + 1; end < s->nr && same_producer(&s->cells[i], &s->cells[end]); end++)
			;
		find_live(&s->cells[i], end - i);
	}
	sort_cells(s, compare_parts);
	add_measures(s, m);
	if (s->lost)
		model_note(m, "space", "%" PRIu64 " calls that want or give back memory could not "
			   "be noted: the figures are off by what they got", s->lost);
}

/* What was handed out before anything was counted has no record, either. */
void
space_tell_strange(const struct space *s, struct model *m, model_id file, uint32_t line,
		   uint64_t times)
{
	if (s->strange <= s->early)
		return;
	model_note(m, "space", "%s:%u: %" PRIu64 " of the pointers given back there have no "
		   "record: something wrote behind the block, it was given back already, or it is "
		   "none; a block of which that is so counts as never freed",
		   m->files[file - 1].path, line, times);
}

/* ---- the law ---- */

static const char *const allocators[] = {
	"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign",
	"posix_memalign", "valloc", "pvalloc", "_Znwm", "_Znam", NULL
};

const char *const *
space_allocators(void)
{
	return allocators;
}

bool
space_is_allocator(const char *name)
{
	for (int i = 0; allocators[i]; i++)
		if (!strcmp(allocators[i], name))
			return true;
	return false;
}

static void
tell_difference(struct model *m, const struct model_site *site, uint64_t calls)
{
	const struct place *p = &site->place;

	model_note(m, "space", "%s:%u:%u: %" PRIu64 " calls of %s are counted, %" PRIu64
		   " allocations and failures were seen there", m->files[p->file - 1].path, p->line,
		   p->column, site->count, site->target, calls);
}

/* Whoever is killed may have counted a call that it did not come to. */
void
space_check(const struct space *s, struct model *m, const uint64_t *calls, const model_id *callee)
{
	enum { TOLD = 20 };
	uint64_t allowed = s->killed ? m->nr_parts : 0;
	size_t nr = 0;

	if (!s->nr_counted || s->nr_counted < s->nr_inputs || s->lost)
		return;
	for (size_t i = 0; i < m->nr_sites; i++) {
		const struct model_site *site = &m->sites[i];
		uint64_t apart = site->count > calls[i] ? site->count - calls[i]
							: calls[i] - site->count;

		if (site->kind != SITE_DIRECT || callee[i] || apart <= allowed ||
		    !site->place.file || !space_is_allocator(site->target))
			continue;
		if (nr++ < TOLD)
			tell_difference(m, site, calls[i]);
	}
	if (nr > TOLD)
		model_note(m, "space", "so it is at %zu more places", nr - TOLD);
}
