#include "collect/import/space/space.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/errors/defects.h"
#include "collect/import/samples/samples.h"
#include "collect/import/sums/share_read.h"
#include "db/model/measure.h"
#include "util/order.h"

void
space_release(struct space *s)
{
	free(s->cells);
	free(s->pools);
	free(s->pool_sums);
	free(s->pairs);
	free(s->faults);
	space_series_release(&s->series);
	space_paths_release(&s->paths);
	index_release(&s->producers);
	*s = (struct space){ .nr = 0 };
}

/* ---- reading ---- */

/* No process has had more: it is damage. It keeps all sums in 63 bits. */
#define MOST ((uint64_t)1 << 53)

bool
space_cell_is_sound(const struct raw_space_cell *c)
{
	return c->blocks <= MOST && c->bytes <= MOST && c->freed_blocks <= MOST &&
	       c->freed_bytes <= MOST && c->slack <= MOST;
}

static void
add_cell(struct space *s, const struct raw_space_cell *c, const struct areas *areas, model_id part,
	 uint32_t address, uint32_t maker, uint64_t where)
{
	struct space_cell new = {
		.address = address, .maker = maker, .through = c->through & 1,
		.size_class = RAW_SPACE_CLASS(c->pc), .part = part, .where = where,
		.input = areas->input, .pid = areas->items[part - 1].pid,
		.freed_blocks = c->freed_blocks, .freed_bytes = c->freed_bytes,
		.empty = c->empty, .strange = c->strange,
	};

	if (c->pc & RAW_SPACE_POOL) {
		new.figures[SPACE_POOL_ALLOCS] = c->blocks;
		new.figures[SPACE_POOL_BYTES] = c->bytes;
		new.figures[SPACE_POOL_FREED] = c->freed_bytes;
		new.figures[SPACE_POOL_LEFT] = c->slack;
		new.seen = c->slack;
		s->ends_seen |= c->slack || c->freed_blocks;
		GROW(s->pools, s->nr_pools + 1, s->pools_alloc);
		s->pools[s->nr_pools++] = new;
		return;
	}
	new.figures[SPACE_ALLOCS] = c->blocks;
	new.figures[SPACE_BYTES] = c->bytes;
	new.figures[SPACE_SLACK] = c->slack;
	GROW(s->cells, s->nr + 1, s->alloc);
	s->cells[s->nr++] = new;
	s->strange += c->strange;
}

/* A raw file that is read, and what its addresses become. */
struct reading {
	struct space *s;
	struct samples *samples;
	const struct rawfile *r;
	const int *module_of;
	const struct areas *areas;
};

/* Returns the number + 1 of the call that returns to PC, below what stands above addresses; 0:
 * nobody's. */
static uint32_t
address_of(const struct reading *g, uint64_t pc, uint32_t module)
{
	int m = pc & RAW_SPACE_PC_MASK ? rawfile_module(g->r, module) : -1;

	return m < 0 || g->module_of[m] < 0 ? 0 :
	       samples_address(g->samples, (uint32_t)g->module_of[m],
			       (pc & RAW_SPACE_PC_MASK) - 1 -
				       g->r->modules[m].load_bias);
}

struct raw_space_cell
space_root(const struct rawfile *r, const struct raw_part *p, uint64_t number,
	   const struct raw_space_cell *c)
{
	enum { MOST_LINKS = 16 /* as SPACE_LINKS of the runtime; more is damage */ };
	struct raw_space_cell above = *c;

	for (int i = 0; i < MOST_LINKS && above.through >> 1 && above.through >> 1 <= number;
	     i++) {
		number = (above.through >> 1) - 1;
		if (rawfile_read(r, p->offset + number * sizeof(above), &above, sizeof(above)) <
		    sizeof(above))
			break;
	}
	return above;
}

static void
read_cells(const struct reading *g, const struct raw_part *p)
{
	model_id part = areas_of_extent(g->areas, p);
	struct raw_space_cell c, root;

	for (uint64_t at = 0; part && p->size - at >= sizeof(c); at += sizeof(c)) {
		if (rawfile_read(g->r, p->offset + at, &c, sizeof(c)) < sizeof(c))
			break;
		if (!space_cell_is_sound(&c))
			break;
		root = space_root(g->r, p, at / sizeof(c), &c);
		add_cell(g->s, &c, g->areas, part, address_of(g, root.pc, root.module),
			 address_of(g, c.pc, c.module), p->offset + at);
	}
}

static bool
is_sound_pair(const struct raw_space_pair *p)
{
	uint64_t most = p->bytes | p->moved | p->copied | p->grown | p->timed; /* a fault's are 0 */

	for (int i = 0; i < RAW_SPACE_LIVES; i++)
		most |= p->lives[i];
	return most <= MOST && p->life <= INT64_MAX && p->least_ns <= p->most_ns &&
	       p->most_ns <= INT64_MAX && RAW_SPACE_HOW(p->pc) < RAW_SPACE_HOWS;
}

static void
add_pair(const struct reading *g, const struct raw_space_pair *p, model_id part)
{
	static const enum disposal_how hows[RAW_SPACE_HOWS] = {
		[RAW_SPACE_FREE] = DISPOSAL_FREE, [RAW_SPACE_REALLOC] = DISPOSAL_REALLOC,
		[RAW_SPACE_EXIT] = DISPOSAL_EXIT,
	};
	struct space *s = g->s;
	struct model_disposal d = {
		.how = hows[RAW_SPACE_HOW(p->pc)], .bytes = p->bytes, .life_bytes = p->life,
		.moved = p->moved, .copied_bytes = p->copied, .grown_bytes = p->grown,
		.timed = p->timed, .least_ns = p->least_ns, .most_ns = p->most_ns,
	};

	for (int i = 0; i < RAW_SPACE_LIVES; i++)
		d.blocks += d.lives[i] = p->lives[i];
	if (!d.blocks)
		return;
	GROW(s->pairs, s->nr_pairs + 1, s->pairs_alloc);
	s->pairs[s->nr_pairs++] = (struct space_pair){
		.address = address_of(g, p->pc, p->module),
		.of = address_of(g, p->producer_pc, p->producer_module),
		.size_class = RAW_SPACE_CLASS(p->producer_pc),
		.through = p->pc >> 63, .of_through = p->producer_pc >> 63, .part = part,
		.counts = d,
	};
}

static void
add_fault(const struct reading *g, const struct raw_space_pair *p)
{
	struct space *s = g->s;
	struct space_fault *f;

	GROW(s->faults, s->nr_faults + 1, s->faults_alloc);
	f = &s->faults[s->nr_faults++];
	*f = (struct space_fault){
		.address = address_of(g, p->pc & RAW_SPACE_PC_MASK, p->module),
		.of = address_of(g, p->producer_pc & RAW_SPACE_PC_MASK, p->producer_module),
		.through = p->pc >> 63, .of_through = p->producer_pc >> 63,
	};
	for (int i = 0; i < RAW_SPACE_FAULTS; i++)
		f->times[i] = p->lives[i];
}

static void
read_pairs(const struct reading *g, const struct raw_part *part)
{
	model_id id = areas_of_extent(g->areas, part);
	struct raw_space_pair p;

	for (uint64_t at = 0; id && part->size - at >= sizeof(p); at += sizeof(p)) {
		if (rawfile_read(g->r, part->offset + at, &p, sizeof(p)) < sizeof(p) ||
		    !is_sound_pair(&p))
			break;
		if (RAW_SPACE_HOW(p.pc) == RAW_SPACE_FAULT)
			add_fault(g, &p);
		else
			add_pair(g, &p, id);
	}
}

/* The first of them tells which peak was the last. */
static void
read_pools(const struct reading *g, const struct raw_part *part)
{
	struct raw_space_pool first = { .cell = 0 }, p;
	struct space *s = g->s;

	for (uint64_t at = 0; part->size - at >= sizeof(p); at += sizeof(p)) {
		uint64_t peak;

		if (rawfile_read(g->r, part->offset + at, &p, sizeof(p)) < sizeof(p))
			break;
		if (!at)
			first = p;
		peak = p.peak == first.peak ? p.at_peak : p.live;
		if (!at || peak > MOST || p.before > MOST || p.left_blocks > MOST)
			continue;
		GROW(s->pool_sums, s->nr_pool_sums + 1, s->pool_sums_alloc);
		s->pool_sums[s->nr_pool_sums++] = (struct space_pool_sum){
			.where = p.cell, .input = g->areas->input, .peak = peak + p.before,
			.left_blocks = p.left_blocks,
		};
	}
}

/* COUNT: processes, 0: it is that of one raw file. */
static void
tell_uncounted(struct model *m, const struct rawfile *r, uint32_t state, uint64_t count)
{
	static const char *const why[RAW_SPACE_STATES] = {
		[RAW_SPACE_NOT_LOADED] = "libcgview_space.so was not loaded into it (a static "
			"program must be linked with cgcc --cgview-flags=space; else it has "
			"another user's rights, or LD_PRELOAD got lost)",
		[RAW_SPACE_OTHER] = "it has an allocator of its own (one in a library, -ljemalloc "
			"or LD_PRELOAD, is counted if it has malloc_usable_size(); so is one that "
			"is linked into a program with -static and cgcc --cgview-flags=space)",
		[RAW_SPACE_RELEASE] = "it was built by the cgcc of another release than the "
			"cgview that recorded it; build it anew with the cgcc beside that cgview",
		[RAW_SPACE_NO_ROOM] = "there was no memory for it",
	};

	if (state == RAW_SPACE_COUNTED || state >= RAW_SPACE_STATES)
		return;
	if (count)
		model_note(m, "heap", "allocations of %" PRIu64 " processes of %s are not counted: "
			   "%s", count, r->program, why[state]);
	else
		model_note(m, "heap", "allocations of %s are not counted: %s", r->program,
			   why[state]);
}

/* What a member of a sum tells of its processes; its cells are as those of one. */
static void
read_summed(struct space *s, const struct rawfile *r, struct model *m)
{
	struct error ignored = ERROR_INIT;
	struct sum_space space;
	struct sum_facts facts;

	if (sum_facts_read(r, &facts, &ignored) || !space_sum_facts(r, &space))
		return;
	for (uint32_t i = 0; i < RAW_SPACE_STATES; i++)
		if (space.states[i])
			tell_uncounted(m, r, i, space.states[i]);
	s->nr_inputs += facts.files - 1;
	s->nr_counted += space.states[RAW_SPACE_COUNTED];
	s->nr_summed += space.states[RAW_SPACE_COUNTED];
	s->killed_threads = count_add(s->killed_threads, space.killed);
	s->lost = count_add(s->lost, space.lost);
	s->early = count_add(s->early, space.early);
}

void
space_read(struct space *s, struct samples *samples, const struct rawfile *r,
	   const int *module_of, const struct areas *areas)
{
	struct reading g = { s, samples, r, module_of, areas };
	struct raw_space facts;

	s->nr_inputs++;
	if (r->sum)
		read_summed(s, r, areas->m);
	space_series_read(&s->series, r, areas->input, areas->run);
	for (size_t i = 0; i < r->nr_parts; i++) {
		const struct raw_part *p = &r->parts[i];

		if (p->kind == RAW_SPACE_CELLS)
			read_cells(&g, p);
		else if (p->kind == RAW_SPACE_PAIRS)
			read_pairs(&g, p);
		else if (p->kind == RAW_SPACE_POOLS)
			read_pools(&g, p);
		if (p->kind != RAW_SPACE || p->size < sizeof(facts) ||
		    rawfile_read(r, p->offset, &facts, sizeof(facts)) < sizeof(facts))
			continue;
		tell_uncounted(areas->m, r, facts.state, 0);
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
	       a->maker == b->maker && a->through == b->through &&
	       a->size_class == b->size_class;
}

static int
compare_producers(const void *a, const void *b)
{
	const struct space_cell *x = a, *y = b;

	COMPARE(x->input, y->input);
	COMPARE(x->pid, y->pid);
	COMPARE(x->address, y->address);
	COMPARE(x->maker, y->maker);
	COMPARE(x->through, y->through);
	COMPARE(x->size_class, y->size_class);
	return x->part < y->part ? -1 : x->part > y->part;
}

static int
compare_parts(const void *a, const void *b)
{
	const struct space_cell *x = a, *y = b;

	return x->part != y->part ? (x->part < y->part ? -1 : 1) : compare_producers(a, b);
}

static int
compare_pairs(const void *a, const void *b)
{
	const struct space_pair *x = a, *y = b;

	COMPARE(x->part, y->part);
	COMPARE(x->of, y->of);
	COMPARE(x->address, y->address);
	return x->counts.how < y->counts.how ? -1 : x->counts.how > y->counts.how;
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
	uint64_t blocks = 0, bytes = 0, at_peak = 0;

	for (size_t i = 0; i < nr; i++) {
		uint64_t *f = cells[i].figures;

		blocks += own(&f[SPACE_LIVE_BLOCKS], f[SPACE_ALLOCS], cells[i].freed_blocks);
		bytes += own(&f[SPACE_LIVE], f[SPACE_BYTES], cells[i].freed_bytes);
		if (cells[i].at_peak > 0)
			f[SPACE_PEAK] = (uint64_t)cells[i].at_peak;
		else
			at_peak += -(uint64_t)cells[i].at_peak;
	}
	share_out(cells, nr, SPACE_LIVE_BLOCKS, blocks);
	share_out(cells, nr, SPACE_LIVE, bytes);
	share_out(cells, nr, SPACE_PEAK, at_peak);
}

/* Finds what is left of a pool's blocks whose end would be seen. */
static void
find_left(struct space_cell *cells, size_t nr)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < nr; i++) {
		uint64_t *left = &cells[i].figures[SPACE_POOL_LEFT];

		bytes += own(left, *left, cells[i].freed_bytes);
	}
	share_out(cells, nr, SPACE_POOL_LEFT, bytes);
}

static int
compare_pool_sums(const void *a, const void *b)
{
	const struct space_pool_sum *x = a, *y = b;

	COMPARE(x->input, y->input);
	return x->where < y->where ? -1 : x->where > y->where;
}

/* Processes that had one cell after the other may have had records of their own. */
static void
unite_pool_sums(struct space *s)
{
	size_t nr = 0;

	if (s->nr_pool_sums)
		qsort(s->pool_sums, s->nr_pool_sums, sizeof(*s->pool_sums), compare_pool_sums);
	for (size_t i = 0; i < s->nr_pool_sums; i++) {
		const struct space_pool_sum *from = &s->pool_sums[i];
		struct space_pool_sum *to = nr ? &s->pool_sums[nr - 1] : NULL;

		if (!to || compare_pool_sums(to, from)) {
			s->pool_sums[nr++] = *from;
			continue;
		}
		to->peak = count_add(to->peak, from->peak);
		to->left_blocks = count_add(to->left_blocks, from->left_blocks);
	}
	s->nr_pool_sums = nr;
}

/* What is known of a producer is told of one of its cells. */
static void
add_pool_sums(struct space *s)
{
	unite_pool_sums(s);
	for (size_t i = 0; s->nr_pool_sums && i < s->nr_pools; i++) {
		struct space_cell *cell = &s->pools[i];
		const struct space_pool_sum key = { .where = cell->where, .input = cell->input };
		const struct space_pool_sum *found =
			bsearch(&key, s->pool_sums, s->nr_pool_sums, sizeof(key),
				compare_pool_sums);

		if (found) {
			cell->figures[SPACE_POOL_PEAK] = found->peak;
			cell->left_blocks = found->left_blocks;
		}
	}
}

/* Calls FIND with the cells of each producer, then puts all in the order of their parts. */
static void
settle_cells(struct space_cell *cells, size_t nr, void (*find)(struct space_cell *, size_t))
{
	size_t end;

	if (nr)
		qsort(cells, nr, sizeof(*cells), compare_producers);
	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && same_producer(&cells[i], &cells[end]); end++)
			;
		find(&cells[i], end - i);
	}
	if (nr)
		qsort(cells, nr, sizeof(*cells), compare_parts);
}

/* ---- the measures ---- */

#define DETAIL .detail = true
static void
add_measures(struct space *s, struct model *m)
{
	static const struct model_measure measures[NR_SPACE_FIGURES] = {
		[SPACE_ALLOCS] = { SPACE_MEASURE, "allocations", "count" },
		[SPACE_BYTES] = { "bytes", "bytes allocated", "bytes" },
		[SPACE_LIVE] = { "live", "bytes never freed", "bytes" },
		[SPACE_LIVE_BLOCKS] = { "live_blocks", "blocks never freed", "count", DETAIL },
		[SPACE_SLACK] = { "slack", "slack", "bytes", DETAIL },
		[SPACE_FREED] = { "freed", "bytes freed", "bytes", DETAIL },
		[SPACE_TEMPORARY] = { "temporaries", "temporary blocks", "count", DETAIL },
		[SPACE_COPIED] = { "copied", "bytes copied by realloc", "bytes", DETAIL },
		[SPACE_AT_EXIT] = { "at_exit", "bytes freed at exit", "bytes", DETAIL },
		[SPACE_PEAK] = { "peak", "bytes live at the peak", "bytes" },
		[SPACE_POOL_ALLOCS] = { "pool_allocs", "allocations of pools", "count" },
		[SPACE_POOL_BYTES] = { "pool_bytes", "bytes allocated of pools", "bytes" },
		[SPACE_POOL_FREED] = { "pool_freed", "bytes given back to pools", "bytes", DETAIL },
		[SPACE_POOL_LEFT] = { "pool_left", "bytes of pools not seen to be given back",
				      "bytes" },
		[SPACE_POOL_PEAK] = { "pool_peak", "bytes of pools at their peak", "bytes",
				      DETAIL },
	};

	for (int i = 0; i < NR_SPACE_FIGURES; i++) {
		struct model_measure measure = measures[i];
		bool there = i == SPACE_PEAK         ? s->nr_counted > s->nr_summed
			     : i < SPACE_POOL_ALLOCS ? true
			     : i <= SPACE_POOL_BYTES ? s->nr_pools : s->ends_seen;

		measure.combine = COMBINE_SUM;
		measure.inclusive = INCLUSIVE_ARCS;
		measure.exact = !s->lost;
		measure.period = i == SPACE_BYTES || i == SPACE_LIVE ? s->paths.period : 0;
		s->slots[i] = s->nr_counted && there ? measure_add(m, &measure) : -1;
	}
}
#undef DETAIL

void
space_settle(struct space *s, struct model *m)
{
	space_series_settle(&s->series, m, s->cells, s->nr);
	settle_cells(s->cells, s->nr, find_live);
	add_pool_sums(s);
	settle_cells(s->pools, s->nr_pools, find_left);
	space_paths_settle(&s->paths, s->cells, s->nr);
	if (s->nr_pairs)
		qsort(s->pairs, s->nr_pairs, sizeof(*s->pairs), compare_pairs);
	add_measures(s, m);
	if (s->nr_summed)
		model_note(m, "space", "allocations of %" PRIu64 " processes were added up: when "
			   "their memory was live, their peaks, and call paths are in no sum",
			   s->nr_summed);
	if (s->lost)
		model_note(m, "space", "%" PRIu64 " calls that want or give back memory could not "
			   "be noted: the figures are off by what they got", s->lost);
}

static bool
producer_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct model_producer *x = &((const struct model *)ctx)->producers[item], *k = key;

	return x->procedure == k->procedure && x->site == k->site && x->through == k->through &&
	       place_same(&x->place, &k->place);
}

model_id
space_producer(struct space *s, struct model *m, const struct model_producer *key)
{
	uint64_t h = hash_number(hash_number(HASH_START, key->procedure), key->site);
	uint32_t i;

	h = hash_number(h, (uint64_t)key->place.line << 32 | key->place.column);
	i = index_find(&s->producers, h, producer_equal, m, key);
	if (i == INDEX_NONE) {
		i = (uint32_t)m->nr_producers;
		*MODEL_ADD(m, producers) = *key;
		index_add(&s->producers, h, i);
	}
	return i + 1;
}

/* ---- what had no record ---- */

static struct model_defect_frame
frame_at(const struct model *m, const struct space_end *end, enum defect_role role, uint32_t stack)
{
	const struct model_procedure *p = &m->procedures[end->procedure - 1];

	return (struct model_defect_frame){
		.stack = stack, .role = role, .depth = 1, .name = p->name, .module = p->module,
		.procedure = end->procedure, .place = end->place,
	};
}

uint64_t
space_add_fault(const struct space *s, struct model *m, const struct space_fault *f,
		const struct space_end *by, const struct space_end *of)
{
	static const struct { const char *kind, *what; } faults[RAW_SPACE_FAULTS] = {
		[RAW_SPACE_OVERWRITTEN] = { "overwritten",
			"something wrote behind the block that is given back" },
		[RAW_SPACE_TWICE] = { "double-free", "the block was given back already" },
		[RAW_SPACE_NO_BLOCK] = { "invalid-free", "what is given back is no block" },
		[RAW_SPACE_UNKNOWN] = { "no-record", "what is given back is no block, or what "
			"stands around it was overwritten" },
	};
	enum { MOST_ERRORS = 10000 }; /* as of a log */
	struct model_defect_frame frames[2];
	uint64_t sum = 0;
	size_t nr = 0;

	if (s->strange <= s->early || m->nr_defects >= MOST_ERRORS)
		return 0;
	if (by->procedure)
		frames[nr++] = frame_at(m, by, ROLE_OF_ERROR, 1);
	if (of->procedure)
		frames[nr++] = frame_at(m, of, ROLE_OF_ALLOCATION, 2);
	for (int i = 0; i < RAW_SPACE_FAULTS; i++) {
		const struct model_defect d = {
			.tool = SPACE_TOOL, .kind = faults[i].kind, .what = faults[i].what,
			.count = f->times[i], .procedure = by->procedure, .place = by->place,
		};

		if (d.count)
			defects_unite(m, &d, frames, nr);
		sum = count_add(sum, d.count);
	}
	return sum;
}

void
space_tell_faults(struct model *m, uint64_t times)
{
	if (times)
		model_note(m, "space", "%" PRIu64 " of the pointers given back have no record: see "
			   "the errors (! in the browser, report --by error); such a block "
			   "counts as never freed", times);
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
		   "none; such a block counts as never freed",
		   m->files[file - 1].path, line, times);
}

/* ---- the law ---- */

/* Of a program with operators of its own the first of these need not ask for a block: they may call
 * those. */
enum { NR_OTHER_NEWS = 6 };
static const char *const allocators[] = {
	"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t",
	"_ZnamSt11align_val_t", "_ZnwmSt11align_val_tRKSt9nothrow_t",
	"_ZnamSt11align_val_tRKSt9nothrow_t",
	"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign",
	"posix_memalign", "valloc", "pvalloc", "_Znwm", "_Znam", NULL
};

const char *const *
space_allocators(void)
{
	return allocators;
}

const char *const *
space_disposers(void)
{
	static const char *const disposers[] = {
		"free", "realloc", "reallocarray", "cfree", "_ZdlPv", "_ZdaPv", "_ZdlPvm",
		"_ZdaPvm", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t",
		"_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
		"_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t", NULL
	};

	return disposers;
}

static void
add_time(struct event_slots *slots, struct model *m, const char *name, const char *title)
{
	const struct model_measure measure = {
		.name = name, .title = title, .unit = "ns", .combine = COMBINE_SUM,
		.inclusive = INCLUSIVE_STACKS, .detail = true,
	};
	int slot = measure_add(m, &measure);

	if (slot >= 0)
		*slots = (struct event_slots){ { (unsigned)slot }, 1 };
}

void
space_add_times(struct space *s, struct model *m)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < m->nr_runs; i++)
		samples += m->runs[i].samples;
	if (!s->nr_counted || !samples)
		return;
	add_time(&s->making, m, "alloc_time", "time in allocators");
	add_time(&s->giving, m, "free_time", "time giving memory back");
}

/* What makes a block of another one makes one. */
const struct event_slots *
space_time_slots(const struct space *s, const char *name)
{
	static const struct event_slots none;

	if (!name)
		return &none;
	if (space_is_among(space_allocators(), name))
		return &s->making;
	return space_is_among(space_disposers(), name) ? &s->giving : &none;
}

bool
space_is_among(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* As it is written in the source. */
static const char *
shown(const char *allocator)
{
	return !strcmp(allocator, "_Znwm")   ? "operator new"
	       : !strcmp(allocator, "_Znam") ? "operator new[]" : allocator;
}

static void
tell_difference(struct model *m, const struct model_site *site, uint64_t calls)
{
	const struct place *p = &site->place;

	model_note(m, "space", "%s:%u:%u: %" PRIu64 " call%s of %s %s counted, %" PRIu64
		   " allocations and failures were seen there%s", m->files[p->file - 1].path,
		   p->line, p->column, site->count, site->count == 1 ? "" : "s",
		   shown(site->target), site->count == 1 ? "is" : "are", calls,
		   calls ? "" : "; gcc leaves out a block that the program can do without");
}

/* Is it of C's allocator? C++'s operators have other names here, and call that. */
static bool
is_of_allocator(const struct model *m, model_id procedure)
{
	const struct model_procedure *p = procedure ? &m->procedures[procedure - 1] : NULL;

	return p && !(p->flags & PROCEDURE_STATIC) &&
	       (space_is_among(space_allocators(), p->name) ||
		space_is_among(space_disposers(), p->name));
}

/* A call of a program's own allocator goes past the linker in the source file that defines it. */
static void
tell_unseen(struct model *m, const model_id *callee)
{
	uint64_t *unseen = xcalloc(m->nr_procedures + 1, sizeof(*unseen));

	for (size_t i = 0; i < m->nr_sites; i++) {
		const struct model_site *site = &m->sites[i];

		if (site->place.file && is_of_allocator(m, callee[i]) &&
		    m->procedures[callee[i] - 1].place.file == site->place.file &&
		    !is_of_allocator(m, site->procedure))
			unseen[callee[i]] = count_add(unseen[callee[i]], site->count);
	}
	for (size_t id = 1; id <= m->nr_procedures; id++) {
		const struct model_procedure *p = &m->procedures[id - 1];
		bool one = unseen[id] == 1;

		if (!unseen[id])
			continue;
		model_note(m, "space", "%s:%u: %" PRIu64 " call%s of %s in the file defining it "
			   "%s not seen, and blocks that were given back by such calls count as "
			   "never freed: put the allocator in another file",
			   m->files[p->place.file - 1].path, p->place.line, unseen[id],
			   one ? "" : "s", p->name, one ? "was" : "were");
	}
	free(unseen);
}

/* Must what is counted of the call with this index be what was seen there? */
static bool
is_judged(const struct model *m, size_t i, const model_id *callee, const bool *pooled)
{
	const struct model_site *site = &m->sites[i];

	return site->kind == SITE_DIRECT && site->place.file &&
	       (pooled[i] ||
		(!callee[i] && space_is_among(allocators + NR_OTHER_NEWS, site->target)));
}

static uint64_t
apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Several calls in one use of a macro have one place, and which of them a block is of nobody can
 * tell. Returns how far what is counted of all of them is from what was seen. */
static uint64_t
apart_at_place(const struct model *m, size_t i, const uint64_t *calls, const model_id *callee,
	       const bool *pooled)
{
	const struct model_site *sites = m->sites, *site = &sites[i];
	uint64_t counted = 0, seen = 0;
	size_t k = i;

	while (k && sites[k - 1].procedure == site->procedure)
		k--;
	for (; k < m->nr_sites && sites[k].procedure == site->procedure; k++) {
		if (!place_same(&sites[k].place, &site->place) || pooled[k] != pooled[i] ||
		    !is_judged(m, k, callee, pooled))
			continue;
		counted = count_add(counted, sites[k].count);
		seen = count_add(seen, calls[k]);
	}
	return apart(counted, seen);
}

/* Whoever is killed may have counted a call that it did not come to. */
void
space_check(const struct space *s, struct model *m, const uint64_t *calls, const model_id *callee,
	    const bool *pooled)
{
	enum { TOLD = 20 };
	uint64_t allowed = (s->killed ? m->nr_parts : 0) + s->killed_threads + s->unplaced;
	size_t nr = 0;

	if (s->nr_counted)
		tell_unseen(m, callee);
	if (!s->nr_counted || s->nr_counted < s->nr_inputs || s->lost)
		return;
	for (size_t i = 0; i < m->nr_sites; i++) {
		const struct model_site *site = &m->sites[i];

		if (apart(site->count, calls[i]) <= allowed || !is_judged(m, i, callee, pooled) ||
		    apart_at_place(m, i, calls, callee, pooled) <= allowed)
			continue;
		if (nr++ < TOLD)
			tell_difference(m, site, calls[i]);
	}
	if (nr > TOLD)
		model_note(m, "space", "so it is at %zu more places", nr - TOLD);
}
