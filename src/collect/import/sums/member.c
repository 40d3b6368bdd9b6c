#include "collect/import/sums/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/order.h"

enum { MOST_MAPS = 1 << 20 }; /* bytes that a reader takes of them */

/* The state of making one member. */
struct making {
	struct summed_file *out;
	const struct places *places;
	struct share *s;
	int *used;                 /* numbers of places: modules, then libraries, sorted */
	size_t nr_used, nr_modules;
	int *number_of;            /* per place: number in USED, -1 none */
};

void
summed_file_add(struct summed_file *f, const void *data, size_t length)
{
	fwrite(data, 1, length, f->out);
	f->checksum = raw_checksum(f->checksum, data, length);
	f->length += length;
}

/* ---- places ---- */

static void
note_use(const struct making *x, uint64_t address)
{
	if (address >> SUM_PLACE)
		x->number_of[(address >> SUM_PLACE) - 1] = 0;
}

static void
find_places(struct making *x)
{
	const struct share *s = x->s;
	size_t nr = x->places->nr, i;
	int *rank = places_order(x->places, s->texts[RAW_TEXT_PROGRAM]);
	int *sorted = xcalloc(nr, sizeof(*sorted));

	x->used = xcalloc(nr, sizeof(*x->used));
	x->number_of = xcalloc(nr, sizeof(*x->number_of));
	for (i = 0; i < nr; i++) {
		x->number_of[i] = (i < s->nr_counters && s->counters[i]) ||
				  (i < s->stacks.nr_used && s->stacks.used[i]) ? 0 : -1;
		sorted[rank[i]] = (int)i;
	}
	for (i = 0; i < s->nr_targets; i++)
		note_use(x, s->targets[i].target);
	for (i = 0; i < nr; i++)
		if (!x->number_of[sorted[i]]) {
			x->number_of[sorted[i]] = (int)x->nr_used;
			x->used[x->nr_used++] = sorted[i];
			x->nr_modules += !x->places->items[sorted[i]].library;
		}
	free(sorted);
	free(rank);
}

/* ADDRESS, in places, as it is in the member. */
static uint64_t
member_address(const struct making *x, uint64_t address)
{
	const uint64_t within = ((uint64_t)1 << SUM_PLACE) - 1;

	return address >> SUM_PLACE ? place_address(x->number_of[(address >> SUM_PLACE) - 1],
						    address & within) : address;
}

/* ---- head and extents ---- */

static void
add_text(struct raw_head *h, const char *text)
{
	size_t n = strlen(text) + 1;

	if (n > sizeof(h->text) - h->text_length)
		n = sizeof(h->text) - h->text_length;
	memcpy(h->text + h->text_length, text, n);
	h->text_length += (uint32_t)n;
}

static void
make_head(const struct making *x)
{
	const struct share *s = x->s;
	struct raw_head *h = xcalloc(1, sizeof(*h));

	memcpy(h->magic, RAW_MAGIC, sizeof(h->magic));
	h->version = RAW_VERSION;
	h->size = sizeof(*h);
	h->started_ns = s->started_ns;
	h->started_mono_ns = s->started_mono_ns;
	h->ended_ns = s->ended_ns;
	h->asked_interval_ns = s->asked_interval_ns;
	h->pid = s->pid;
	h->flags = s->flags;
	for (size_t i = 0; i < RAW_TEXTS; i++)
		add_text(h, s->texts[i]);
	for (size_t i = 0; i < s->nr_arguments && h->text_length < sizeof(h->text); i++) {
		add_text(h, s->arguments[i]);
		h->argc++;
	}
	h->checksum = raw_head_checksum(h);
	summed_file_add(x->out, h, sizeof(*h));
	free(h);
}

/* E has what its kind needs besides lengths; LENGTH bytes are to follow. */
static void
begin_extent(const struct making *x, struct raw_extent e, uint64_t length)
{
	e.magic = RAW_EXTENT_MAGIC;
	e.pid = x->s->pid;
	e.data_offset = sizeof(e);
	e.data_length = e.used = length;
	e.length = (sizeof(e) + length + RAW_PAGE - 1) / RAW_PAGE * RAW_PAGE;
	e.checksum = raw_extent_checksum(&e);
	summed_file_add(x->out, &e, sizeof(e));
}

static void
end_extent(const struct making *x)
{
	static const char zeros[RAW_PAGE];

	summed_file_add(x->out, zeros, (RAW_PAGE - x->out->length % RAW_PAGE) % RAW_PAGE);
}

static void
add_extent(const struct making *x, struct raw_extent e, const void *data, size_t length)
{
	begin_extent(x, e, length);
	summed_file_add(x->out, data, length);
	end_extent(x);
}

static void
add_modules(const struct making *x)
{
	struct strbuf data = STRBUF_INIT;

	for (size_t i = 0; i < x->nr_modules; i++) {
		const struct sum_place *p = &x->places->items[x->used[i]];
		const struct raw_extent e = {
			.kind = RAW_MODULE, .module = (uint32_t)i,
			.load_bias = place_address((int)i, 0),
			.counters = place_address((int)i, p->counters),
			.nr_counters = p->nr_counters,
			.text_start = place_address((int)i, p->text_start),
			.text_end = place_address((int)i, p->text_end),
			.build_id_length = p->build_id_length,
		};

		strbuf_clear(&data);
		strbuf_add(&data, p->path, strlen(p->path) + 1);
		strbuf_add(&data, p->build_id, p->build_id_length);
		add_extent(x, e, data.buf, data.len);
	}
	strbuf_release(&data);
	for (size_t i = 0; i < x->nr_modules; i++) {
		const struct sum_place *p = &x->places->items[x->used[i]];
		const struct raw_extent e = { .kind = RAW_COUNTERS, .module = (uint32_t)i,
					      .nr_counters = p->nr_counters };

		if (p->nr_counters)
			add_extent(x, e, x->s->counters[x->used[i]], p->nr_counters * 8);
	}
}

/* As the kernel tells where the code of files is. */
static int
add_maps(const struct making *x, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	int status = 0;

	for (size_t i = x->nr_modules; i < x->nr_used; i++) {
		const struct sum_place *p = &x->places->items[x->used[i]];

		strbuf_fmt(&text, "%" PRIx64 "-%" PRIx64 " r-xp 00000000 00:00 %" PRIu64 " %s\n",
			   place_address((int)i, 0), place_address((int)i + 1, 0), p->inode,
			   p->path);
	}
	if (text.len > MOST_MAPS)
		status = error_set(err, "the names of its libraries are too long for a sum: %zu "
				   "bytes", text.len);
	else if (text.len)
		add_extent(x, (struct raw_extent){ .kind = RAW_MAPS }, text.buf, text.len);
	strbuf_release(&text);
	return status;
}

/* ---- targets ---- */

static int
compare_targets(const void *a, const void *b)
{
	const struct raw_target *x = a, *y = b;

	COMPARE(x->site, y->site);
	COMPARE(x->target, y->target);
	return 0;
}

static void
add_targets(const struct making *x)
{
	const struct share *s = x->s;
	struct raw_target *targets = xcalloc(s->nr_targets, sizeof(*targets));

	for (size_t i = 0; i < s->nr_targets; i++)
		targets[i] = (struct raw_target){
			member_address(x, s->targets[i].site),
			member_address(x, s->targets[i].target), s->targets[i].count,
		};
	if (s->nr_targets) {
		qsort(targets, s->nr_targets, sizeof(*targets), compare_targets);
		add_extent(x, (struct raw_extent){ .kind = RAW_TARGETS }, targets,
			   s->nr_targets * sizeof(*targets));
	}
	free(targets);
}

/* ---- allocations ---- */

static uint64_t
member_pc(const struct making *x, uint64_t pc)
{
	return (pc & ~RAW_SPACE_PC_MASK) | member_address(x, pc & RAW_SPACE_PC_MASK);
}

/* The number of the module that ADDRESS is in; 0, as good as any: in none. */
static uint32_t
module_of(uint64_t address)
{
	uint64_t place = (address & RAW_SPACE_PC_MASK) >> SUM_PLACE;

	return place ? (uint32_t)place - 1 : 0;
}

/* Is it in a wrapper, so that another cell tells whose it is? */
static bool
is_inner(const struct summed_cell *c)
{
	return (c->of.pc & RAW_SPACE_PC_MASK) != c->root;
}

static int
compare_cells(const void *a, const void *b)
{
	const struct summed_cell *x = a, *y = b;

	COMPARE(is_inner(x), is_inner(y));
	COMPARE(x->of.pc & RAW_SPACE_PC_MASK, y->of.pc & RAW_SPACE_PC_MASK);
	COMPARE(x->of.pc, y->of.pc);
	COMPARE(x->of.through, y->of.through);
	COMPARE(x->root, y->root);
	return 0;
}

/* Those that stand in no wrapper come first: returns the number, from 1 on, of the first of these
 * (OUTER) whose call is ROOT; 0: there is none. */
static uint32_t
number_of_root(const struct summed_cell *cells, size_t outer, uint64_t root)
{
	size_t lo = 0, hi = outer;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if ((cells[mid].of.pc & RAW_SPACE_PC_MASK) < root)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < outer && (cells[lo].of.pc & RAW_SPACE_PC_MASK) == root ? (uint32_t)lo + 1 : 0;
}

/* As raw profiles have them: a table with a head, which tells where a cell stands in the file. */
static void
add_pools(const struct making *x, const struct summed_cell *cells, uint64_t begin)
{
	struct raw_space_pool head = { .peak = 1 };
	struct strbuf data = STRBUF_INIT;

	strbuf_add(&data, &head, sizeof(head));
	for (size_t i = 0; i < x->s->space.nr_cells; i++) {
		const struct raw_space_pool p = {
			.cell = begin + i * sizeof(cells->of), .at_peak = cells[i].pool_peak,
			.peak = head.peak, .left_blocks = cells[i].left_blocks,
		};

		if (p.at_peak || p.left_blocks)
			strbuf_add(&data, &p, sizeof(p));
	}
	if (data.len > sizeof(head))
		add_extent(x, (struct raw_extent){ .kind = RAW_SPACE_POOLS }, data.buf, data.len);
	strbuf_release(&data);
}

static void
add_cells(const struct making *x)
{
	const struct space_sum *s = &x->s->space;
	struct summed_cell *cells = xcalloc(s->nr_cells, sizeof(*cells));
	uint64_t begin = x->out->length + sizeof(struct raw_extent);
	struct strbuf data = STRBUF_INIT;
	size_t outer = 0;

	for (size_t i = 0; i < s->nr_cells; i++) {
		cells[i] = s->cells[i];
		cells[i].of.pc = member_pc(x, cells[i].of.pc);
		cells[i].of.module = module_of(cells[i].of.pc);
		cells[i].root = member_address(x, cells[i].root);
		outer += !is_inner(&cells[i]);
	}
	qsort(cells, s->nr_cells, sizeof(*cells), compare_cells);
	for (size_t i = 0; i < s->nr_cells; i++) {
		if (i >= outer)
			cells[i].of.through |= number_of_root(cells, outer, cells[i].root) << 1;
		strbuf_add(&data, &cells[i].of, sizeof(cells->of));
	}
	add_extent(x, (struct raw_extent){ .kind = RAW_SPACE_CELLS }, data.buf, data.len);
	add_pools(x, cells, begin);
	strbuf_release(&data);
	free(cells);
}

static int
compare_pairs(const void *a, const void *b)
{
	const struct raw_space_pair *x = a, *y = b;

	COMPARE(x->pc, y->pc);
	COMPARE(x->producer_pc, y->producer_pc);
	return 0;
}

static void
add_pairs(const struct making *x)
{
	const struct space_sum *s = &x->s->space;
	struct raw_space_pair *pairs = xcalloc(s->nr_pairs, sizeof(*pairs));

	for (size_t i = 0; i < s->nr_pairs; i++) {
		pairs[i] = s->pairs[i];
		pairs[i].pc = member_pc(x, pairs[i].pc);
		pairs[i].producer_pc = member_pc(x, pairs[i].producer_pc);
		pairs[i].module = module_of(pairs[i].pc);
		pairs[i].producer_module = module_of(pairs[i].producer_pc);
	}
	qsort(pairs, s->nr_pairs, sizeof(*pairs), compare_pairs);
	add_extent(x, (struct raw_extent){ .kind = RAW_SPACE_PAIRS }, pairs,
		   s->nr_pairs * sizeof(*pairs));
	free(pairs);
}

static void
add_space(const struct making *x)
{
	const struct space_sum *s = &x->s->space;
	static const struct sum_space nothing;

	if (memcmp(&s->facts, &nothing, sizeof(nothing)))
		add_extent(x, (struct raw_extent){ .kind = SUM_SPACE }, &s->facts,
			   sizeof(s->facts));
	if (s->nr_cells)
		add_cells(x);
	if (s->nr_pairs)
		add_pairs(x);
}

/* ---- stacks ---- */

/* They are merged twice, so that they need not be held: how many bytes they have is written before
 * them. */
static uint64_t
length_of_stacks(struct stack_set *s)
{
	struct stack_set_reader r;
	uint64_t length = 0;

	stack_set_read_begin(&r, s);
	while (stack_set_next(&r))
		length += stack_record_size(&r.now->of);
	stack_set_read_end(&r);
	return length;
}

static int
add_stacks(const struct making *x, struct error *err)
{
	const struct error *problem = &x->s->stacks.store->problem;
	uint64_t length = length_of_stacks(&x->s->stacks);
	struct stack_set_reader r;

	if (length)
		begin_extent(x, (struct raw_extent){ .kind = SUM_STACKS }, length);
	stack_set_read_begin(&r, &x->s->stacks);
	while (stack_set_next(&r)) {
		r.now->of.centre = member_address(x, r.now->of.centre);
		for (uint32_t i = 0; i < r.now->of.nr_frames; i++)
			r.now->frames[i] = member_address(x, r.now->frames[i]);
		summed_file_add(x->out, r.now, stack_record_size(&r.now->of));
	}
	stack_set_read_end(&r);
	end_extent(x);
	return problem->set ? error_copy(err, problem) : 0;
}

int
member_write(struct summed_file *out, const struct places *p, struct share *s, struct error *err)
{
	struct making x = { .out = out, .places = p, .s = s };
	int status;

	find_places(&x);
	make_head(&x);
	add_modules(&x);
	status = add_maps(&x, err);
	add_targets(&x);
	if (s->events.asked)
		add_extent(&x, (struct raw_extent){ .kind = RAW_EVENTS }, &s->events,
			   sizeof(s->events));
	if (s->wall.looks || s->wall.error || s->wall.lost)
		add_extent(&x, (struct raw_extent){ .kind = RAW_WALL }, &s->wall,
			   sizeof(s->wall));
	add_extent(&x, (struct raw_extent){ .kind = SUM_FACTS }, &s->facts, sizeof(s->facts));
	add_space(&x);
	if (!status)
		status = add_stacks(&x, err);
	free(x.used);
	free(x.number_of);
	return status;
}
