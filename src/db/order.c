#include "db/order.h"

#include <stdlib.h>
#include <string.h>

#include "db/parts.h"
#include "util/mem.h"

struct sorter {
	struct model *m;
	struct model_order *o;
	uint32_t *depth;         /* of contexts */
};

/* ---- comparing two rows of M by position; what they refer to has its new id already ---- */

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int
compare_places(const struct sorter *s, const struct place *a, const struct place *b)
{
	int c = compare_numbers(s->o->files[a->file], s->o->files[b->file]);

	if (!c)
		c = compare_numbers(a->line, b->line);
	if (!c)
		c = compare_numbers(a->column, b->column);
	if (!c)
		c = compare_numbers(a->end_line, b->end_line);
	return c ? c : compare_numbers(a->end_column, b->end_column);
}

static int
compare_files(const struct sorter *s, size_t x, size_t y)
{
	return strcmp(s->m->files[x].path, s->m->files[y].path);
}

static int
compare_procedures(const struct sorter *s, size_t x, size_t y)
{
	const struct model_procedure *a = &s->m->procedures[x], *b = &s->m->procedures[y];
	int c = compare_places(s, &a->place, &b->place);

	if (!c)
		c = compare_texts(a->module, b->module);
	if (!c)
		c = compare_texts(a->linkage_name, b->linkage_name);
	return c ? c : compare_texts(a->name, b->name);
}

static int
compare_blocks(const struct sorter *s, size_t x, size_t y)
{
	const struct model_block *a = &s->m->blocks[x], *b = &s->m->blocks[y];
	int c = compare_numbers(s->o->procedures[a->procedure], s->o->procedures[b->procedure]);

	return c ? c : compare_numbers(a->number, b->number);
}

/* Ranges of a block stay in the compiler's order. */
static int
compare_ranges(const struct sorter *s, size_t x, size_t y)
{
	return compare_numbers(s->o->blocks[s->m->ranges[x].block],
			       s->o->blocks[s->m->ranges[y].block]);
}

static int
compare_sites(const struct sorter *s, size_t x, size_t y)
{
	return compare_numbers(s->o->procedures[s->m->sites[x].procedure],
			       s->o->procedures[s->m->sites[y].procedure]);
}

static int
compare_lines(const struct sorter *s, size_t x, size_t y)
{
	const struct model_line *a = &s->m->lines[x], *b = &s->m->lines[y];
	int c = compare_numbers(s->o->files[a->file], s->o->files[b->file]);

	return c ? c : compare_numbers(a->line, b->line);
}

/* Compares contexts of one depth: their parents have their places already. */
static int
compare_contexts(const struct sorter *s, size_t x, size_t y)
{
	const struct model_context *a = &s->m->contexts[x], *b = &s->m->contexts[y];
	int c = compare_numbers(s->depth[x], s->depth[y]);

	if (!c)
		c = compare_numbers(s->o->contexts[a->parent], s->o->contexts[b->parent]);
	if (!c)
		c = compare_numbers(s->o->procedures[a->procedure],
				    s->o->procedures[b->procedure]);
	return c ? c : compare_numbers(s->o->sites[a->site], s->o->sites[b->site]);
}

static int
compare_disposals(const struct sorter *s, size_t x, size_t y)
{
	const struct model_disposal *a = &s->m->disposals[x], *b = &s->m->disposals[y];
	int c = compare_numbers(s->o->procedures[a->procedure], s->o->procedures[b->procedure]);

	if (!c)
		c = compare_numbers(s->o->sites[a->site], s->o->sites[b->site]);
	if (!c)
		c = compare_numbers(s->o->procedures[a->by], s->o->procedures[b->by]);
	if (!c)
		c = compare_numbers(s->o->sites[a->by_site], s->o->sites[b->by_site]);
	return c ? c : compare_numbers(a->how, b->how);
}

static int
compare_allocations(const struct sorter *s, size_t x, size_t y)
{
	const struct model_allocation *a = &s->m->allocations[x], *b = &s->m->allocations[y];
	int c = compare_numbers(s->o->procedures[a->procedure], s->o->procedures[b->procedure]);

	if (!c)
		c = compare_numbers(s->o->sites[a->site], s->o->sites[b->site]);
	if (!c)
		c = strcmp(a->pool ? a->pool : "", b->pool ? b->pool : "");
	return c ? c : compare_numbers(a->size_class, b->size_class);
}

static int
compare_runs(const struct sorter *s, size_t x, size_t y)
{
	const struct model_run *a = &s->m->runs[x], *b = &s->m->runs[y];
	int c = a->started_ns < b->started_ns ? -1 : a->started_ns > b->started_ns;

	if (!c)
		c = compare_texts(a->host, b->host);
	if (!c)
		c = compare_texts(a->command, b->command);
	if (!c)
		c = compare_texts(a->build_id, b->build_id);
	if (!c)
		c = compare_numbers(a->wall_ns, b->wall_ns);
	return c ? c : compare_numbers(a->cpu_ns, b->cpu_ns);
}

static int
compare_parts(const struct sorter *s, size_t x, size_t y)
{
	return compare_numbers(s->o->runs[s->m->parts[x].run], s->o->runs[s->m->parts[y].run]);
}

static int
compare_threads(const struct sorter *s, size_t x, size_t y)
{
	return compare_numbers(s->o->runs[s->m->threads[x].run], s->o->runs[s->m->threads[y].run]);
}

static int
compare_modules(const struct sorter *s, size_t x, size_t y)
{
	int c = compare_texts(s->m->modules[x].path, s->m->modules[y].path);

	return c ? c : compare_texts(s->m->modules[x].build_id, s->m->modules[y].build_id);
}

static int
compare_notes(const struct sorter *s, size_t x, size_t y)
{
	int c = compare_texts(s->m->notes[x].kind, s->m->notes[y].kind);

	return c ? c : compare_texts(s->m->notes[x].text, s->m->notes[y].text);
}

/* ---- sorting ---- */

typedef int (*compare)(const struct sorter *s, size_t x, size_t y);

struct sorting { const struct sorter *s; compare by; };

static int
compare_positions(const void *a, const void *b, void *context)
{
	const struct sorting *g = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int c = g->by(g->s, x, y);

	return c ? c : (x > y) - (x < y);
}

/* Numbers rows FIRST.. of the positions ORDER, which it sorts. IDS (may be NULL): the new ids. */
static void
sort_positions(const struct sorter *s, compare by, size_t *order, size_t first, size_t nr,
	       model_id *ids)
{
	struct sorting g = { s, by };
	size_t i;

	qsort_r(order + first, nr, sizeof(*order), compare_positions, &g);
	for (i = first; ids && i < first + nr; i++)
		ids[order[i] + 1] = (model_id)i + 1;
}

static size_t *
positions(size_t nr)
{
	size_t *order = xcalloc(nr + 1, sizeof(*order)), i;

	for (i = 0; i < nr; i++)
		order[i] = i;
	return order;
}

/* Puts ITEMS (NR of SIZE bytes) in the order of the positions ORDER, which it frees. */
static void
rearrange(void *items, size_t nr, size_t size, size_t *order)
{
	char *copy = xmalloc(nr * size + 1), *to = items;
	size_t i;

	if (nr)
		memcpy(copy, items, nr * size);
	for (i = 0; i < nr; i++)
		memcpy(to + i * size, copy + order[i] * size, size);
	free(copy);
	free(order);
}

#define SORT(s, many, ids)                                                                  \
	do {                                                                                \
		struct model *m_ = (s)->m;                                                  \
		size_t *order_ = positions(m_->nr_##many);                                  \
		sort_positions(s, compare_##many, order_, 0, m_->nr_##many, ids);           \
		rearrange(m_->many, m_->nr_##many, sizeof(*m_->many), order_);              \
	} while (0)

/* Sorts level by level, as siblings are told apart by where their parent is. */
static void
sort_contexts(struct sorter *s)
{
	struct model *m = s->m;
	size_t *order = positions(m->nr_contexts), i, end;
	struct sorting by_depth = { s, compare_contexts };

	s->depth = xcalloc(m->nr_contexts + 1, sizeof(*s->depth));
	for (i = 0; i < m->nr_contexts; i++)
		s->depth[i] = m->contexts[i].parent ? s->depth[m->contexts[i].parent - 1] + 1 : 0;
	/* No context has a new id yet, so this only keeps those of one depth together. */
	qsort_r(order, m->nr_contexts, sizeof(*order), compare_positions, &by_depth);
	for (i = 0; i < m->nr_contexts; i = end) {
		for (end = i; end < m->nr_contexts && s->depth[order[end]] == s->depth[order[i]];
		     end++)
			;
		sort_positions(s, compare_contexts, order, i, end - i, s->o->contexts);
	}
	rearrange(m->contexts, m->nr_contexts, sizeof(*m->contexts), order);
	free(s->depth);
}

/* ---- new ids in what refers to others ---- */

static void
map_places(struct model *m, const model_id *files)
{
	size_t i;

	for (i = 0; i < m->nr_procedures; i++)
		m->procedures[i].place.file = files[m->procedures[i].place.file];
	for (i = 0; i < m->nr_blocks; i++)
		m->blocks[i].place.file = files[m->blocks[i].place.file];
	for (i = 0; i < m->nr_ranges; i++)
		m->ranges[i].place.file = files[m->ranges[i].place.file];
	for (i = 0; i < m->nr_sites; i++)
		m->sites[i].place.file = files[m->sites[i].place.file];
	for (i = 0; i < m->nr_lines; i++)
		m->lines[i].file = files[m->lines[i].file];
}

static void
map_defects(struct model *m, const struct model_order *o)
{
	for (size_t i = 0; i < m->nr_defects; i++) {
		m->defects[i].procedure = o->procedures[m->defects[i].procedure];
		m->defects[i].place.file = o->files[m->defects[i].place.file];
	}
	for (size_t i = 0; i < m->nr_defect_frames; i++) {
		struct model_defect_frame *f = &m->defect_frames[i];

		f->procedure = o->procedures[f->procedure];
		f->place.file = o->files[f->place.file];
	}
}

static void
map_code(struct model *m, const struct model_order *o)
{
	size_t i;

	for (i = 0; i < m->nr_blocks; i++)
		m->blocks[i].procedure = o->procedures[m->blocks[i].procedure];
	for (i = 0; i < m->nr_ranges; i++)
		m->ranges[i].block = o->blocks[m->ranges[i].block];
	for (i = 0; i < m->nr_sites; i++) {
		m->sites[i].procedure = o->procedures[m->sites[i].procedure];
		m->sites[i].block = o->blocks[m->sites[i].block];
	}
	for (i = 0; i < m->nr_contexts; i++) {
		struct model_context *c = &m->contexts[i];

		c->parent = o->contexts[c->parent];
		c->procedure = o->procedures[c->procedure];
		c->site = o->sites[c->site];
	}
	for (i = 0; i < m->nr_disposals; i++) {
		struct model_disposal *d = &m->disposals[i];

		d->site = o->sites[d->site];
		d->procedure = o->procedures[d->procedure];
		d->by_site = o->sites[d->by_site];
		d->by = o->procedures[d->by];
	}
	for (i = 0; i < m->nr_allocations; i++) {
		m->allocations[i].site = o->sites[m->allocations[i].site];
		m->allocations[i].procedure = o->procedures[m->allocations[i].procedure];
	}
}

static void
map_calls(struct model *m, const struct model_order *o)
{
	size_t i;

	for (i = 0; i < m->nr_arcs; i++) {
		m->arcs[i].site = o->sites[m->arcs[i].site];
		m->arcs[i].through = o->sites[m->arcs[i].through];
		m->arcs[i].callee = o->procedures[m->arcs[i].callee];
	}
	for (i = 0; i < m->nr_pins; i++) {
		m->pins[i].site = o->sites[m->pins[i].site];
		m->pins[i].callee = o->procedures[m->pins[i].callee];
	}
}

static void
map_biographies(struct model *m, const struct model_order *o)
{
	for (size_t i = 0; i < m->nr_biographies; i++) {
		m->biographies[i].site = o->sites[m->biographies[i].site];
		m->biographies[i].procedure = o->procedures[m->biographies[i].procedure];
	}
}

static void
map_producers(struct model *m, const struct model_order *o)
{
	for (size_t i = 0; i < m->nr_producers; i++) {
		struct model_producer *p = &m->producers[i];

		p->procedure = o->procedures[p->procedure];
		p->site = o->sites[p->site];
		p->place.file = o->files[p->place.file];
	}
	for (size_t i = 0; i < m->nr_heaps; i++)
		m->heaps[i].run = o->runs[m->heaps[i].run];
}

static void
map_runs(struct model *m, const struct model_order *o)
{
	size_t i;

	for (i = 0; i < m->nr_parts; i++)
		m->parts[i].run = o->runs[m->parts[i].run];
	for (i = 0; i < m->nr_threads; i++) {
		m->threads[i].run = o->runs[m->threads[i].run];
		m->threads[i].part = o->parts[m->threads[i].part];
	}
}

/* ---- parts ---- */

static int
map_parts(struct model *m, struct spill *to, const struct model_order *o, struct error *err)
{
	const struct part_ids ids = {
		{ o->procedures, o->blocks, o->ranges, o->lines, o->sites, o->contexts,
		  o->disposals, o->allocations }, NULL,
	};
	struct part_entries e = { .items = NULL };
	struct spill *from = m->spill;
	int status = 0;
	size_t i;

	for (i = 0; i < m->nr_parts && !status; i++) {
		struct model_part *p = &m->parts[i];

		if (!part_has_data(p))
			continue;
		e.nr = 0;
		m->spill = from;
		status = part_unpack(p, m, &e, err);
		part_entries_map(&e, &ids);
		m->spill = to;
		if (!status)
			status = part_store(m, p, &e, err);
	}
	m->spill = to;
	part_entries_release(&e);
	return status;
}

/* ---- everything ---- */

static model_id *
new_ids(size_t nr)
{
	return xcalloc(nr + 1, sizeof(model_id));
}

int
model_put_in_order(struct model *m, struct spill *to, struct model_order *o, struct error *err)
{
	struct sorter s = { .m = m, .o = o };

	*o = (struct model_order){
		.files = new_ids(m->nr_files), .procedures = new_ids(m->nr_procedures),
		.blocks = new_ids(m->nr_blocks), .ranges = new_ids(m->nr_ranges),
		.sites = new_ids(m->nr_sites), .lines = new_ids(m->nr_lines),
		.contexts = new_ids(m->nr_contexts),
		.disposals = new_ids(m->nr_disposals),
		.allocations = new_ids(m->nr_allocations), .runs = new_ids(m->nr_runs),
		.parts = new_ids(m->nr_parts),
	};
	SORT(&s, files, o->files);
	SORT(&s, procedures, o->procedures);
	SORT(&s, blocks, o->blocks);
	SORT(&s, ranges, o->ranges);
	SORT(&s, sites, o->sites);
	SORT(&s, lines, o->lines);
	sort_contexts(&s);
	SORT(&s, disposals, o->disposals);
	SORT(&s, allocations, o->allocations);
	SORT(&s, runs, o->runs);
	SORT(&s, parts, o->parts);
	SORT(&s, threads, NULL);
	SORT(&s, modules, NULL);
	SORT(&s, notes, NULL);
	map_places(m, o->files);
	map_code(m, o);
	map_calls(m, o);
	map_runs(m, o);
	map_producers(m, o);
	map_biographies(m, o);
	map_defects(m, o);
	return map_parts(m, to, o, err);
}

void
model_order_release(struct model_order *o)
{
	free(o->files);
	free(o->procedures);
	free(o->blocks);
	free(o->ranges);
	free(o->sites);
	free(o->lines);
	free(o->contexts);
	free(o->disposals);
	free(o->allocations);
	free(o->runs);
	free(o->parts);
	*o = (struct model_order){ .files = NULL };
}
