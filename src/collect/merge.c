#include "collect/merge.h"

#include <stdlib.h>
#include <string.h>

#include "db/parts.h"

struct merger {
	struct model *into;
	const struct model *from;
	/* For each of FROM's the id in INTO; [0] is 0. */
	model_id *files, *procedures, *blocks, *ranges, *sites, *lines, *contexts;
};

static uint64_t
add(uint64_t a, uint64_t b)
{
	return a + b < a || a + b > INT64_MAX ? INT64_MAX : a + b;
}

static struct place
map_place(const struct merger *g, struct place p)
{
	p.file = g->files[p.file];
	return p;
}

static bool
same_place(const struct place *a, const struct place *b)
{
	return a->file == b->file && a->line == b->line && a->column == b->column &&
	       a->end_line == b->end_line && a->end_column == b->end_column;
}

static uint64_t
hash_place(uint64_t h, const struct place *p)
{
	h = hash_number(h, (uint64_t)p->file << 32 | p->line);
	return hash_number(h, (uint64_t)p->column << 32 | p->end_column);
}

/* ---- what makes two entries the same; CTX is INTO's array ---- */

static uint64_t
hash_file(const void *item)
{
	return hash_text(HASH_START, ((const struct model_file *)item)->path);
}

static bool
equal_file(const void *ctx, uint32_t i, const void *key)
{
	const struct model_file *a = (const struct model_file *)ctx + i, *b = key;

	return !strcmp(a->path, b->path);
}

static uint64_t
hash_procedure(const void *item)
{
	const struct model_procedure *p = item;

	return hash_place(hash_text(HASH_START, p->linkage_name), &p->place);
}

static bool
equal_procedure(const void *ctx, uint32_t i, const void *key)
{
	const struct model_procedure *a = (const struct model_procedure *)ctx + i, *b = key;

	return same_place(&a->place, &b->place) && !strcmp(a->linkage_name, b->linkage_name) &&
	       !strcmp(a->name, b->name) && !strcmp(a->module, b->module);
}

static uint64_t
hash_block(const void *item)
{
	const struct model_block *b = item;

	return hash_place(hash_number(hash_number(HASH_START, b->procedure), b->number), &b->place);
}

static bool
equal_block(const void *ctx, uint32_t i, const void *key)
{
	const struct model_block *a = (const struct model_block *)ctx + i, *b = key;

	return a->procedure == b->procedure && a->number == b->number &&
	       same_place(&a->place, &b->place);
}

static uint64_t
hash_range(const void *item)
{
	const struct model_range *r = item;

	return hash_place(hash_number(hash_number(HASH_START, r->block), r->kind), &r->place);
}

static bool
equal_range(const void *ctx, uint32_t i, const void *key)
{
	const struct model_range *a = (const struct model_range *)ctx + i, *b = key;

	return a->block == b->block && a->kind == b->kind && same_place(&a->place, &b->place);
}

static uint64_t
hash_site(const void *item)
{
	const struct model_site *s = item;

	return hash_text(hash_place(hash_number(HASH_START, s->block), &s->place), s->target);
}

static bool
equal_site(const void *ctx, uint32_t i, const void *key)
{
	const struct model_site *a = (const struct model_site *)ctx + i, *b = key;

	return a->procedure == b->procedure && a->block == b->block && a->kind == b->kind &&
	       same_place(&a->place, &b->place) && !strcmp(a->target, b->target);
}

static uint64_t
hash_line(const void *item)
{
	const struct model_line *l = item;

	return hash_number(hash_number(HASH_START, l->file), l->line);
}

static bool
equal_line(const void *ctx, uint32_t i, const void *key)
{
	const struct model_line *a = (const struct model_line *)ctx + i, *b = key;

	return a->file == b->file && a->line == b->line;
}

static uint64_t
hash_context(const void *item)
{
	const struct model_context *c = item;

	return hash_number(hash_number(hash_number(HASH_START, c->parent), c->procedure), c->site);
}

static bool
equal_context(const void *ctx, uint32_t i, const void *key)
{
	const struct model_context *a = (const struct model_context *)ctx + i, *b = key;

	return a->parent == b->parent && a->procedure == b->procedure && a->site == b->site;
}

/* ---- an entry of FROM as INTO numbers things ---- */

static void
map_file(const struct merger *g, void *item)
{
	(void)g, (void)item;
}

static void
map_procedure(const struct merger *g, void *item)
{
	struct model_procedure *p = item;

	p->place = map_place(g, p->place);
}

static void
map_block(const struct merger *g, void *item)
{
	struct model_block *b = item;

	b->procedure = g->procedures[b->procedure];
	b->place = map_place(g, b->place);
}

static void
map_range(const struct merger *g, void *item)
{
	struct model_range *r = item;

	r->block = g->blocks[r->block];
	r->place = map_place(g, r->place);
}

static void
map_site(const struct merger *g, void *item)
{
	struct model_site *s = item;

	s->procedure = g->procedures[s->procedure];
	s->block = g->blocks[s->block];
	s->place = map_place(g, s->place);
}

static void
map_line(const struct merger *g, void *item)
{
	struct model_line *l = item;

	l->file = g->files[l->file];
}

static void
map_context(const struct merger *g, void *item)
{
	struct model_context *c = item;

	c->parent = g->contexts[c->parent];
	c->procedure = g->procedures[c->procedure];
	c->site = g->sites[c->site];
}

/* ---- adding an entry to its like ---- */

/* The text that belongs to the older run is the one that was compiled, if they differ. */
static void
add_file(void *to, const void *item)
{
	struct model_file *a = to;
	const struct model_file *b = item;

	if (b->text)
		*a = *b;
}

static void
add_procedure(void *to, const void *item)
{
	struct model_procedure *a = to;
	const struct model_procedure *b = item;

	a->flags |= b->flags;
	a->calls = add(a->calls, b->calls);
	a->self_samples = add(a->self_samples, b->self_samples);
	a->self_ns = add(a->self_ns, b->self_ns);
	a->total_samples = add(a->total_samples, b->total_samples);
	a->total_sampled_ns = add(a->total_sampled_ns, b->total_sampled_ns);
	a->centre_samples = add(a->centre_samples, b->centre_samples);
	a->centre_ns = add(a->centre_ns, b->centre_ns);
	a->self_wait_ns = add(a->self_wait_ns, b->self_wait_ns);
	a->total_wait_ns = add(a->total_wait_ns, b->total_wait_ns);
}

static void
add_block(void *to, const void *item)
{
	struct model_block *a = to;
	const struct model_block *b = item;

	a->count = add(a->count, b->count);
	a->self_samples = add(a->self_samples, b->self_samples);
	a->self_ns = add(a->self_ns, b->self_ns);
	a->self_wait_ns = add(a->self_wait_ns, b->self_wait_ns);
}

static void
add_range(void *to, const void *item)
{
	struct model_range *a = to;
	const struct model_range *b = item;

	a->self_samples = add(a->self_samples, b->self_samples);
	a->self_ns = add(a->self_ns, b->self_ns);
	a->self_wait_ns = add(a->self_wait_ns, b->self_wait_ns);
}

static void
add_site(void *to, const void *item)
{
	struct model_site *a = to;
	const struct model_site *b = item;

	a->count = add(a->count, b->count);
	a->total_samples = add(a->total_samples, b->total_samples);
	a->total_ns = add(a->total_ns, b->total_ns);
	a->total_wait_ns = add(a->total_wait_ns, b->total_wait_ns);
}

static void
add_line(void *to, const void *item)
{
	struct model_line *a = to;
	const struct model_line *b = item;

	a->count = add(a->count, b->count);
	a->self_samples = add(a->self_samples, b->self_samples);
	a->self_ns = add(a->self_ns, b->self_ns);
	a->self_wait_ns = add(a->self_wait_ns, b->self_wait_ns);
}

static void
add_context(void *to, const void *item)
{
	struct model_context *a = to;
	const struct model_context *b = item;

	a->self_samples = add(a->self_samples, b->self_samples);
	a->total_samples = add(a->total_samples, b->total_samples);
	a->self_wait_ns = add(a->self_wait_ns, b->self_wait_ns);
	a->total_wait_ns = add(a->total_wait_ns, b->total_wait_ns);
}

/* ---- the tables ---- */

struct table {
	size_t size;
	uint64_t (*hash)(const void *item);
	index_equal equal;
	void (*map)(const struct merger *g, void *item);
	void (*add)(void *to, const void *item);
};

struct array { char *items; size_t nr, alloc; };

/* For each entry of FROM: add it to the first of INTO that is the same, or append it. IDS (may be
 * NULL): where it went. */
static void
merge_table(const struct merger *g, const struct table *t, const void *from, size_t nr_from,
	    struct array *into, model_id *ids)
{
	struct index ix = INDEX_INIT;
	char *item = xmalloc(t->size);
	uint64_t h;
	uint32_t n;
	size_t i;

	for (i = 0; i < into->nr; i++)
		index_add(&ix, t->hash(into->items + i * t->size), (uint32_t)i);
	for (i = 0; i < nr_from; i++) {
		memcpy(item, (const char *)from + i * t->size, t->size);
		t->map(g, item);
		h = t->hash(item);
		n = index_find(&ix, h, t->equal, into->items, item);
		if (n != INDEX_NONE) {
			t->add(into->items + n * t->size, item);
		} else {
			if (into->nr == into->alloc) {
				into->alloc = grow_size(into->alloc, into->nr + 1);
				into->items = xrealloc(into->items, into->alloc, t->size);
			}
			n = (uint32_t)into->nr++;
			memcpy(into->items + n * t->size, item, t->size);
			index_add(&ix, h, n);
		}
		if (ids)
			ids[i + 1] = n + 1;
	}
	free(item);
	index_release(&ix);
}

#define MERGE(g, one, many, ids)                                                             \
	do {                                                                                 \
		static const struct table table_ = { sizeof(struct model_##one), hash_##one, \
						     equal_##one, map_##one, add_##one };    \
		struct model *m_ = (g)->into;                                                \
		struct array a_ = { (char *)m_->many, m_->nr_##many, m_->many##_alloc };     \
		merge_table(g, &table_, (g)->from->many, (g)->from->nr_##many, &a_, ids);    \
		m_->many = (void *)a_.items;                                                 \
		m_->nr_##many = a_.nr;                                                       \
		m_->many##_alloc = a_.alloc;                                                 \
	} while (0)

static model_id *
new_ids(size_t nr)
{
	return xcalloc(nr + 1, sizeof(model_id));
}

/* ---- parts ---- */

/* INTO's id of FROM's row that an entry counts. */
static model_id
map_entry(const struct merger *g, const struct part_entry *e)
{
	switch (e->column) {
	case PART_COUNT:
		return g->blocks[e->id];
	case PART_RANGE_SAMPLES:
	case PART_RANGE_WAIT:
		return g->ranges[e->id];
	case PART_LINE_COUNT:
	case PART_LINE_SAMPLES:
	case PART_LINE_WAIT:
		return g->lines[e->id];
	case PART_SITE_COUNT:
	case PART_MEASURED:
	case PART_SITE_SAMPLES:
	case PART_SITE_WAIT:
		return g->sites[e->id];
	case PART_CONTEXT_SAMPLES:
	case PART_CONTEXT_WAIT:
		return g->contexts[e->id];
	default:
		return g->procedures[e->id];
	}
}

/* What part P of FROM counts, in INTO's ids. */
static int
map_part(const struct merger *g, const struct model_part *p, struct model_part *to,
	 struct error *err)
{
	struct part_entries e = { .items = NULL };
	int status = 0;
	size_t i;

	if (p->data)
		status = part_unpack(p, g->from, &e, err);
	else
		part_of_model(g->from, &e);
	for (i = 0; i < e.nr; i++) {
		e.items[i].id = map_entry(g, &e.items[i]);
		e.items[i].other = g->procedures[e.items[i].other];
	}
	part_pack(to, &e, &g->into->arena);
	part_entries_release(&e);
	return status;
}

/* A part that was alone has all counts; it is not alone any more. To be called while INTO has only
 * what it had. */
static void
pack_alone(struct model *m)
{
	struct part_entries e = { .items = NULL };

	if (m->nr_parts != 1)
		return;
	part_of_model(m, &e);
	part_pack(&m->parts[0], &e, &m->arena);
	part_entries_release(&e);
}

/* FROM's come first, as its runs do. When one of both does not know its parts, nobody does. */
static int
merge_parts(const struct merger *g, struct error *err)
{
	struct model *m = g->into;
	const struct model *from = g->from;
	size_t i, nr = m->nr_parts;
	int status = 0;

	if (!nr || !from->nr_parts) {
		m->nr_parts = 0;
		for (i = 0; i < m->nr_threads; i++)
			m->threads[i].part = 0;
		return 0;
	}
	GROW(m->parts, nr + from->nr_parts, m->parts_alloc);
	memmove(m->parts + from->nr_parts, m->parts, nr * sizeof(*m->parts));
	m->nr_parts = nr + from->nr_parts;
	for (i = 0; i < nr; i++)
		m->parts[from->nr_parts + i].run += (model_id)from->nr_runs;
	for (i = 0; i < m->nr_threads; i++)
		if (m->threads[i].part)
			m->threads[i].part += (model_id)from->nr_parts;
	for (i = 0; i < from->nr_parts && !status; i++) {
		m->parts[i] = from->parts[i];
		status = map_part(g, &from->parts[i], &m->parts[i], err);
	}
	return status;
}

/* ---- runs, threads, notes, arcs: these have no likes ---- */

static void
merge_runs(const struct merger *g)
{
	struct model *m = g->into;
	const struct model *from = g->from;
	size_t i, nr = m->nr_runs;

	GROW(m->runs, nr + from->nr_runs, m->runs_alloc);
	memmove(m->runs + from->nr_runs, m->runs, nr * sizeof(*m->runs));
	if (from->nr_runs)
		memcpy(m->runs, from->runs, from->nr_runs * sizeof(*m->runs));
	m->nr_runs = nr + from->nr_runs;
	for (i = 0; i < m->nr_threads; i++)
		m->threads[i].run += (model_id)from->nr_runs;
	GROW(m->threads, m->nr_threads + from->nr_threads, m->threads_alloc);
	if (m->nr_threads)
		memmove(m->threads + from->nr_threads, m->threads,
			m->nr_threads * sizeof(*m->threads));
	if (from->nr_threads)
		memcpy(m->threads, from->threads, from->nr_threads * sizeof(*m->threads));
	m->nr_threads += from->nr_threads;
	for (i = 0; i < from->nr_threads && !m->nr_parts; i++)
		m->threads[i].part = 0;
}

static void
merge_notes(const struct merger *g)
{
	struct model *m = g->into;
	size_t i, k;

	for (i = 0; i < g->from->nr_notes; i++) {
		for (k = 0; k < m->nr_notes; k++)
			if (!strcmp(m->notes[k].text, g->from->notes[i].text))
				break;
		if (k == m->nr_notes)
			*MODEL_ADD(m, notes) = g->from->notes[i];
	}
}

static void
merge_arcs(const struct merger *g, struct candidates *c)
{
	const struct model_arc *a;
	size_t i;

	for (i = 0; i < g->from->nr_arcs; i++) {
		a = &g->from->arcs[i];
		if (!a->site && !a->callee)
			continue;
		if (a->measured)
			*MODEL_ADD(g->into, arcs) = (struct model_arc){
				.site = g->sites[a->site], .callee = g->procedures[a->callee],
				.measured = a->measured,
			};
		GROW(c->items, c->nr + 1, c->alloc);
		c->items[c->nr++] = (struct arc_candidate){
			g->sites[a->through ? a->through : a->site], g->procedures[a->callee],
			a->through != 0,
		};
	}
}

static void
merge_pins(const struct merger *g)
{
	for (size_t i = 0; i < g->from->nr_pins; i++) {
		const struct model_pin *p = &g->from->pins[i];

		*MODEL_ADD(g->into, pins) = (struct model_pin){
			p->name, g->sites[p->site], g->procedures[p->callee], p->count,
		};
	}
}

int
model_merge(struct model *into, const struct model *from, struct candidates *c, struct error *err)
{
	struct merger g = {
		.into = into, .from = from, .files = new_ids(from->nr_files),
		.procedures = new_ids(from->nr_procedures), .blocks = new_ids(from->nr_blocks),
		.sites = new_ids(from->nr_sites), .contexts = new_ids(from->nr_contexts),
		.ranges = new_ids(from->nr_ranges), .lines = new_ids(from->nr_lines),
	};
	int status;

	pack_alone(into);
	MERGE(&g, file, files, g.files);
	MERGE(&g, procedure, procedures, g.procedures);
	MERGE(&g, block, blocks, g.blocks);
	MERGE(&g, range, ranges, g.ranges);
	MERGE(&g, site, sites, g.sites);
	MERGE(&g, line, lines, g.lines);
	MERGE(&g, context, contexts, g.contexts);
	status = merge_parts(&g, err);
	merge_runs(&g);
	merge_notes(&g);
	merge_arcs(&g, c);
	merge_pins(&g);
	free(g.files);
	free(g.procedures);
	free(g.blocks);
	free(g.sites);
	free(g.contexts);
	free(g.ranges);
	free(g.lines);
	return status;
}
