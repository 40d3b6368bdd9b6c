#include "collect/import/live/live_space.h"

#include <string.h>

#include "collect/import/space/space.h"

void
live_space_begin(struct live *l)
{
	memset(l->space, 0, l->nr_space * sizeof(*l->space));
}

/* The call stands before the address that it returns to; see space.h. */
static model_id
procedure_of(struct live *l, const struct rawfile *r, const int *module_of,
	     const struct raw_space_cell *c)
{
	uint64_t pc = c->pc & RAW_SPACE_PC_MASK;
	int m = pc ? rawfile_module(r, c->module) : -1;

	return m < 0 || module_of[m] < 0 ? 0
	       : live_procedure_at(l, (size_t)module_of[m], pc - 1 - r->modules[m].load_bias);
}

/* Cells with no procedure are those of procedure 0. A pool's are not the heap's. */
static void
add_cell(struct live *l, model_id procedure, const struct raw_space_cell *c)
{
	struct live_space *to;

	GROW(l->space, l->nr_rows + 1, l->space_alloc);
	for (; l->nr_space <= l->nr_rows; l->nr_space++)
		l->space[l->nr_space] = (struct live_space){ .blocks = 0 };
	to = &l->space[procedure];
	to->blocks = count_add(to->blocks, c->blocks);
	to->bytes = count_add(to->bytes, c->bytes);
	to->freed_blocks = count_add(to->freed_blocks, c->freed_blocks);
	to->freed_bytes = count_add(to->freed_bytes, c->freed_bytes);
}

static void
read_cells(struct live *l, const struct rawfile *r, const int *module_of,
	   const struct raw_part *p)
{
	enum { AT_ONCE = 256 };
	struct raw_space_cell cells[AT_ONCE];
	uint64_t left = p->size / sizeof(*cells), number = 0;

	while (left) {
		size_t want = left < AT_ONCE ? (size_t)left : AT_ONCE;
		size_t nr = rawfile_read(r, p->offset + number * sizeof(*cells), cells,
					 want * sizeof(*cells)) / sizeof(*cells);

		for (size_t i = 0; i < nr; i++, number++) {
			const struct raw_space_cell root = space_root(r, p, number, &cells[i]);

			if (!space_cell_is_sound(&cells[i]))
				return;
			if (!(cells[i].pc & RAW_SPACE_POOL))
				add_cell(l, procedure_of(l, r, module_of, &root), &cells[i]);
		}
		if (nr < want)
			return;
		left -= nr;
	}
}

static void
add_measures(struct live *l)
{
	static const struct model_measure measures[NR_OVERLAY_SPACE] = {
		{ .name = "live", .title = "bytes live", .unit = "bytes" },
		{ .name = "bytes", .title = "bytes allocated", .unit = "bytes" },
		{ .name = "allocs", .title = "allocations", .unit = "count" },
		{ .name = "live_blocks", .title = "blocks live", .unit = "count", .detail = true },
	};

	for (int i = 0; i < NR_OVERLAY_SPACE; i++) {
		struct model_measure measure = measures[i];

		measure.combine = COMBINE_SUM;
		measure.exact = true;
		l->space_slots[i] = (unsigned)measure_add(&l->m, &measure);
	}
	l->has_space = true;
}

void
live_space_read(struct live *l, const struct rawfile *r, const int *module_of,
		const struct raw_part *p)
{
	struct raw_space facts;

	if (p->kind == RAW_SPACE_CELLS)
		read_cells(l, r, module_of, p);
	else if (p->kind == RAW_SPACE && !l->has_space && p->size >= sizeof(facts) &&
		 rawfile_read(r, p->offset, &facts, sizeof(facts)) == sizeof(facts) &&
		 facts.state == RAW_SPACE_COUNTED)
		add_measures(l);
}

static uint64_t
rest(uint64_t all, uint64_t gone)
{
	return all > gone ? all - gone : 0; /* they are not read at one moment */
}

static uint64_t
at_least(uint64_t least, uint64_t n)
{
	return n > least ? n : least;
}

struct live_memory
live_space_of(const struct live *l, model_id procedure, const struct live_memory *before)
{
	const struct live_space none = { .blocks = 0 };
	const struct live_space *s = procedure < l->nr_space ? &l->space[procedure] : &none;

	return (struct live_memory){
		.blocks = at_least(before->blocks, s->blocks),
		.bytes = at_least(before->bytes, s->bytes),
		.live_blocks = rest(s->blocks, s->freed_blocks),
		.live_bytes = rest(s->bytes, s->freed_bytes),
	};
}
