#include "collect/merge_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/allocations.h"
#include "collect/merge.h"
#include "db/load.h"
#include "util/index.h"

const char *
merge_own(const struct merger *g, const char *s)
{
	return s ? arena_strdup(&g->into->arena, s) : NULL;
}

struct place
merge_place(const struct merger *g, struct place p)
{
	if (!g->source)
		p.file = g->files[p.file];
	else if (!g->source->place(g->source->context, &p))
		p.file = MERGE_NOWHERE;
	return p;
}

void
merge_partial_place(const struct merger *g, struct place *p)
{
	if (!p->file)
		return;
	if (p->column || !g->source)
		*p = merge_place(g, *p);
	else if (!g->source->line(g->source->context, &p->file, &p->line))
		p->file = MERGE_NOWHERE;
	if (!p->column)
		p->end_line = p->line;
	if (p->file == MERGE_NOWHERE)
		*p = (struct place){ 0 };
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

	return place_same(&a->place, &b->place) && !strcmp(a->linkage_name, b->linkage_name) &&
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
	       place_same(&a->place, &b->place);
}

/* Numbers differ in another build. */
static uint64_t
hash_block_by_place(const void *item)
{
	const struct model_block *b = item;

	return hash_place(hash_number(HASH_START, b->procedure), &b->place);
}

static bool
equal_block_by_place(const void *ctx, uint32_t i, const void *key)
{
	const struct model_block *a = (const struct model_block *)ctx + i, *b = key;

	return a->procedure == b->procedure && place_same(&a->place, &b->place);
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

	return a->block == b->block && a->kind == b->kind && place_same(&a->place, &b->place);
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
	       place_same(&a->place, &b->place) && !strcmp(a->target, b->target);
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

static uint64_t
hash_disposal(const void *item)
{
	const struct model_disposal *d = item;
	uint64_t h = hash_number(hash_number(HASH_START, d->site), d->procedure);

	return hash_number(hash_number(hash_number(h, d->by_site), d->by), d->how);
}

static bool
equal_disposal(const void *ctx, uint32_t i, const void *key)
{
	const struct model_disposal *a = (const struct model_disposal *)ctx + i, *b = key;

	return a->site == b->site && a->procedure == b->procedure && a->by_site == b->by_site &&
	       a->by == b->by && a->how == b->how;
}

static uint64_t
hash_allocation(const void *item)
{
	return allocations_hash(item);
}

static bool
equal_allocation(const void *ctx, uint32_t i, const void *key)
{
	return allocations_alike((const struct model_allocation *)ctx + i, key);
}

/* ---- an entry of FROM as INTO numbers things ---- */

static void
map_procedure(const struct merger *g, void *item)
{
	struct model_procedure *p = item;

	p->place = merge_place(g, p->place);
}

static void
map_block(const struct merger *g, void *item)
{
	struct model_block *b = item;

	/* Code without a place is known by its number only. */
	if (g->source && !b->place.file && g->source->changed(g->source->context, b->procedure))
		b->place.file = MERGE_NOWHERE;
	else
		b->place = merge_place(g, b->place);
	b->procedure = g->procedures[b->procedure];
	if (!b->procedure)
		b->place.file = MERGE_NOWHERE;
}

static void
map_range(const struct merger *g, void *item)
{
	struct model_range *r = item;

	r->block = g->blocks[r->block];
	r->place = merge_place(g, r->place);
}

/* A procedure that is called is the same under another name. */
static const char *
map_target(const struct merger *g, const char *name)
{
	model_id id = g->source->target(g->source->context, name);

	return id ? g->into->procedures[id - 1].linkage_name : name;
}

static void
map_site(const struct merger *g, void *item)
{
	struct model_site *s = item;

	s->procedure = g->procedures[s->procedure];
	s->block = g->blocks[s->block];
	s->place = merge_place(g, s->place);
	if (g->source && s->kind == SITE_DIRECT)
		s->target = map_target(g, s->target);
}

static void
map_line(const struct merger *g, void *item)
{
	struct model_line *l = item;

	if (!g->source)
		l->file = g->files[l->file];
	else if (!g->source->line(g->source->context, &l->file, &l->line))
		l->file = MERGE_NOWHERE;
}

static void
map_context(const struct merger *g, void *item)
{
	struct model_context *c = item;

	c->parent = g->contexts[c->parent];
	c->procedure = g->procedures[c->procedure];
	c->site = g->sites[c->site];
}

/* What is nowhere by source is as what is not profiled. */
static void
map_disposal(const struct merger *g, void *item)
{
	struct model_disposal *d = item;

	d->site = g->sites[d->site];
	d->procedure = g->procedures[d->procedure];
	d->by_site = g->sites[d->by_site];
	d->by = g->procedures[d->by];
}

static void
map_allocation(const struct merger *g, void *item)
{
	struct model_allocation *a = item;

	a->site = g->sites[a->site];
	a->procedure = g->procedures[a->procedure];
}

static uint64_t
hash_biography(const void *item)
{
	const struct model_biography *b = item;

	return hash_number(hash_number(HASH_START, b->site), b->procedure);
}

static bool
equal_biography(const void *ctx, uint32_t i, const void *key)
{
	const struct model_biography *a = (const struct model_biography *)ctx + i, *b = key;

	return a->site == b->site && a->procedure == b->procedure;
}

static void
map_biography(const struct merger *g, void *item)
{
	struct model_biography *b = item;

	b->site = g->sites[b->site];
	b->procedure = g->procedures[b->procedure];
}

/* ---- adding an entry to its like ---- */

/* Besides what is a count. */
static void
add_biography(const struct merger *g, void *to, const void *item)
{
	struct model_biography *sum = to;
	const struct model_biography *b = item;

	(void)g;
	sum->lag_error = hypot(sum->lag_error, b->lag_error);
	sum->use_error = hypot(sum->use_error, b->use_error);
	sum->drag_error = hypot(sum->drag_error, b->drag_error);
	sum->never_error = hypot(sum->never_error, b->never_error);
}

/* The smaller the better: the text as it was compiled, one that is newer, none. */
static int
rank_file(const struct model_file *f)
{
	return !f->text ? 2 + (int)f->state : f->state == FILE_STALE;
}

static void
own_file(const struct merger *g, void *item)
{
	struct model_file *f = item;
	char *text;

	f->path = merge_own(g, f->path);
	if (!f->text)
		return;
	text = arena_alloc(&g->into->arena, f->size + 1);
	memcpy(text, f->text, f->size);
	f->text = text;
}

static void
tell_other_text(struct model *m, const char *path)
{
	char *text = xasprintf("%s: its text is not the same in all profiles that were added; one "
			       "of them is shown", path);

	model_note_once(m, "source", text);
	free(text);
}

/* The text that is kept must not depend on who is added to whom. */
static void
add_file(const struct merger *g, void *to, const void *item)
{
	struct model_file *a = to, b = *(const struct model_file *)item;
	int x = rank_file(a), y = rank_file(&b);

	if (!x && !y && a->hash != b.hash)
		tell_other_text(g->into, a->path);
	if (x < y || (x == y && (!a->text || a->hash <= b.hash)))
		return;
	own_file(g, &b);
	*a = b;
}

static void
add_procedure(const struct merger *g, void *to, const void *item)
{
	struct model_procedure *a = to;
	const struct model_procedure *b = item;

	(void)g;
	a->flags |= b->flags;
	if (a->code_bytes < b->code_bytes)
		a->code_bytes = b->code_bytes;
}

static void
add_line(const struct merger *g, void *to, const void *item)
{
	struct model_line *a = to;
	const struct model_line *b = item;

	(void)g;
	if (a->code_bytes < b->code_bytes)
		a->code_bytes = b->code_bytes;
}

/* A call that got nothing in one of them has its type from the other one. */
static void
add_site(const struct merger *g, void *to, const void *item)
{
	struct model_site *a = to;
	const struct model_site *b = item;

	if (a->type && b->type)
		a->type = allocations_type(&g->into->arena, a->type, b->type);
	else if (b->type)
		a->type = merge_own(g, b->type);
}

/* ---- texts of what is new belong to INTO ---- */

static void
own_procedure(const struct merger *g, void *item)
{
	struct model_procedure *p = item;

	p->name = merge_own(g, p->name);
	p->linkage_name = merge_own(g, p->linkage_name);
	p->module = merge_own(g, p->module);
}

static void
own_site(const struct merger *g, void *item)
{
	struct model_site *s = item;

	s->target = merge_own(g, s->target);
	s->type = merge_own(g, s->type);
}

static void
own_allocation(const struct merger *g, void *item)
{
	struct model_allocation *a = item;

	a->pool = merge_own(g, a->pool);
}

/* ---- the tables ---- */

#define AT(one, member) offsetof(struct model_##one, member)

struct likeness {
	enum table_id table;
	size_t size;
	uint64_t (*hash)(const void *item);
	index_equal equal;
	void (*map)(const struct merger *g, void *item);   /* NULL: it names nothing */
	void (*own)(const struct merger *g, void *item);   /* NULL: it has no texts */
	void (*add)(const struct merger *g, void *to, const void *item); /* NULL: only counts */
	size_t without;          /* runs_without, 0: it has none */
	size_t figures;          /* 0: it has none */
	bool grows;              /* also by source what is new is appended */
};

static void
add_entry(const struct merger *g, const struct likeness *t, void *to, const void *item)
{
	model_add_row(t->table, to, item);
	if (t->figures)
		figures_combine(g->into, (struct figures **)((char *)to + t->figures),
				*(struct figures *const *)((const char *)item + t->figures),
				g->slots);
	if (t->add)
		t->add(g, to, item);
}

/* Items that are new in INTO have figures of their own. */
static void
own_figures(const struct merger *g, const struct likeness *t, void *item)
{
	struct figures **at = (struct figures **)((char *)item + t->figures), *of_from;

	if (!t->figures)
		return;
	of_from = *at;
	*at = NULL;
	figures_combine(g->into, at, of_from, g->slots);
}

struct array { char *items; size_t nr, alloc; };

/* INTO's rows of a table, to be found by what makes them the same and, as several can be (the
 * copies of a static procedure of a header), by which of these they are. */
struct finder {
	const struct likeness *t;
	struct array *into;
	struct index ix;
	uint32_t *copy;          /* per row */
	bool *taken;             /* per row: it has its counterpart */
	size_t copy_alloc, taken_alloc;
};

struct wanted { const void *item; uint32_t copy; };

static bool
equal_copy(const void *ctx, uint32_t i, const void *key)
{
	const struct finder *f = ctx;
	const struct wanted *w = key;

	return f->copy[i] == w->copy && f->t->equal(f->into->items, i, w->item);
}

/* The first row like ITEM that is not taken, or INDEX_NONE: *COPY is the number of the next one. */
static uint32_t
find_free(const struct finder *f, uint64_t hash, const void *item, uint32_t *copy)
{
	struct wanted w = { item, 0 };
	uint32_t n;

	for (;; w.copy++) {
		n = index_find(&f->ix, hash_number(hash, w.copy), equal_copy, f, &w);
		*copy = w.copy;
		if (n == INDEX_NONE || !f->taken[n])
			return n;
	}
}

static void
enter(struct finder *f, uint32_t n, uint64_t hash, uint32_t copy)
{
	GROW(f->copy, n + 1, f->copy_alloc);
	GROW(f->taken, n + 1, f->taken_alloc);
	f->copy[n] = copy;
	f->taken[n] = true;
	index_add(&f->ix, hash_number(hash, copy), n);
}

static void
finder_init(struct finder *f, const struct likeness *t, struct array *into)
{
	uint32_t i, copy;
	uint64_t h;

	*f = (struct finder){ .t = t, .into = into, .ix = INDEX_INIT };
	for (i = 0; i < into->nr; i++) {
		h = t->hash(into->items + i * t->size);
		find_free(f, h, into->items + i * t->size, &copy);
		enter(f, i, h, copy);
	}
	GROW(f->taken, into->nr + 1, f->taken_alloc);
	memset(f->taken, 0, into->nr * sizeof(*f->taken));
}

/* By source: rows without a counterpart in FROM are missing in the build of its runs. */
static void
note_without(const struct merger *g, const struct finder *f, size_t nr)
{
	uint64_t *without;
	size_t i;

	for (i = 0; i < nr && g->source && f->t->without; i++) {
		without = (uint64_t *)(f->into->items + i * f->t->size + f->t->without);
		if (!f->taken[i])
			*without = count_add(*without, g->from->nr_runs);
	}
}

/* For each entry of FROM: add it to the one of INTO that is the same, or append it. IDS: where it
 * went, 0: nowhere. */
static void
merge_table(const struct merger *g, const struct likeness *t, const void *from, size_t nr_from,
	    struct array *into, model_id *ids)
{
	char *item = xmalloc(t->size);
	struct finder f;
	uint32_t n, copy;
	uint64_t h;
	size_t i;

	finder_init(&f, t, into);
	for (i = 0; i < nr_from; i++) {
		memcpy(item, (const char *)from + i * t->size, t->size);
		if (t->map)
			t->map(g, item);
		h = t->hash(item);
		n = find_free(&f, h, item, &copy);
		if (n != INDEX_NONE) {
			add_entry(g, t, into->items + n * t->size, item);
			f.taken[n] = true;
		} else if (g->source && !t->grows) {
			continue; /* its id is 0 */
		} else {
			if (into->nr == into->alloc) {
				into->alloc = grow_size(into->alloc, into->nr + 1);
				into->items = xrealloc(into->items, into->alloc, t->size);
			}
			n = (uint32_t)into->nr++;
			if (t->own)
				t->own(g, item);
			own_figures(g, t, item);
			memcpy(into->items + n * t->size, item, t->size);
			enter(&f, n, h, copy);
		}
		ids[i + 1] = n + 1;
	}
	note_without(g, &f, into->nr);
	free(item);
	free(f.copy);
	free(f.taken);
	index_release(&f.ix);
}

#define TABLE(id, one, ...) \
	{ .table = TABLE_##id, .size = sizeof(struct model_##one), __VA_ARGS__ }
static const struct likeness files =
	TABLE(FILE, file, .hash = hash_file, .equal = equal_file, .own = own_file,
	      .add = add_file);
static const struct likeness procedures =
	TABLE(PROCEDURE, procedure, .hash = hash_procedure, .equal = equal_procedure,
	      .map = map_procedure, .own = own_procedure, .add = add_procedure,
	      .figures = AT(procedure, figures));
static const struct likeness blocks =
	TABLE(BLOCK, block, .hash = hash_block, .equal = equal_block, .map = map_block,
	      .figures = AT(block, figures), .without = AT(block, runs_without));
static const struct likeness blocks_by_place =
	TABLE(BLOCK, block, .hash = hash_block_by_place, .equal = equal_block_by_place,
	      .map = map_block, .figures = AT(block, figures),
	      .without = AT(block, runs_without));
static const struct likeness ranges =
	TABLE(RANGE, range, .hash = hash_range, .equal = equal_range, .map = map_range,
	      .figures = AT(range, figures));
static const struct likeness sites =
	TABLE(SITE, site, .hash = hash_site, .equal = equal_site, .map = map_site,
	      .own = own_site, .add = add_site, .figures = AT(site, figures),
	      .without = AT(site, runs_without));
static const struct likeness lines =
	TABLE(LINE, line, .hash = hash_line, .equal = equal_line, .map = map_line,
	      .add = add_line, .figures = AT(line, figures), .without = AT(line, runs_without));
static const struct likeness contexts =
	TABLE(CONTEXT, context, .hash = hash_context, .equal = equal_context,
	      .map = map_context, .figures = AT(context, figures), .grows = true);

static const struct likeness disposals =
	TABLE(DISPOSAL, disposal, .hash = hash_disposal, .equal = equal_disposal,
	      .map = map_disposal, .grows = true);
static const struct likeness allocations =
	TABLE(ALLOCATION, allocation, .hash = hash_allocation, .equal = equal_allocation,
	      .map = map_allocation, .own = own_allocation, .grows = true);
static const struct likeness biographies =
	TABLE(BIOGRAPHY, biography, .hash = hash_biography, .equal = equal_biography,
	      .map = map_biography, .add = add_biography, .grows = true);

#define MERGE(g, table, many, ids)                                                           \
	do {                                                                                 \
		struct model *m_ = (g)->into;                                                \
		struct array a_ = { (char *)m_->many, m_->nr_##many, m_->many##_alloc };     \
		merge_table(g, &(table), (g)->from->many, (g)->from->nr_##many, &a_, ids);   \
		m_->many = (void *)a_.items;                                                 \
		m_->nr_##many = a_.nr;                                                       \
		m_->many##_alloc = a_.alloc;                                                 \
	} while (0)

static void
find_by_source(struct merger *g)
{
	const struct merge_source *s = g->source;
	bool *found = xcalloc(g->into->nr_procedures + 1, sizeof(*found));
	struct model_procedure *p;
	model_id id;
	size_t i;

	for (i = 0; i < g->from->nr_files; i++)
		g->files[i + 1] = s->file(s->context, (model_id)i + 1);
	for (i = 0; i < g->from->nr_procedures; i++) {
		id = s->procedure(s->context, (model_id)i + 1);
		g->procedures[i + 1] = id;
		found[id] = true;
		if (id)
			add_entry(g, &procedures, &g->into->procedures[id - 1],
				  &g->from->procedures[i]);
	}
	for (i = 0; i < g->into->nr_procedures; i++) {
		p = &g->into->procedures[i];
		if (!found[i + 1] && !(p->flags & PROCEDURE_FOREIGN) &&
		    strcmp(p->name, UNPROFILED_NAME) && strcmp(p->name, RUNTIME_NAME))
			p->runs_without = count_add(p->runs_without, g->from->nr_runs);
	}
	free(found);
}

void
merge_tables(struct merger *g)
{
	model_id *ids = xcalloc(g->from->nr_biographies + 1, sizeof(*ids)); /* nothing names them */

	if (g->source) {
		find_by_source(g);
		MERGE(g, blocks_by_place, blocks, g->blocks);
	} else {
		MERGE(g, files, files, g->files);
		MERGE(g, procedures, procedures, g->procedures);
		MERGE(g, blocks, blocks, g->blocks);
	}
	MERGE(g, ranges, ranges, g->ranges);
	MERGE(g, sites, sites, g->sites);
	MERGE(g, lines, lines, g->lines);
	MERGE(g, contexts, contexts, g->contexts);
	MERGE(g, disposals, disposals, g->disposals);
	MERGE(g, allocations, allocations, g->allocations);
	MERGE(g, biographies, biographies, ids);
	free(ids);
}
