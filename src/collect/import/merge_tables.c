#include "collect/import/merge_tables.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/merge.h"
#include "collect/import/space/allocations.h"
#include "db/model/table.h"
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
		p.file = merge_id(g, TABLE_FILE, p.file);
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
	b->procedure = merge_id(g, TABLE_PROCEDURE, b->procedure);
	if (!b->procedure)
		b->place.file = MERGE_NOWHERE;
}

static void
map_range(const struct merger *g, void *item)
{
	struct model_range *r = item;

	r->block = merge_id(g, TABLE_BLOCK, r->block);
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

	s->procedure = merge_id(g, TABLE_PROCEDURE, s->procedure);
	s->block = merge_id(g, TABLE_BLOCK, s->block);
	s->place = merge_place(g, s->place);
	if (g->source && s->kind == SITE_DIRECT)
		s->target = map_target(g, s->target);
}

static void
map_line(const struct merger *g, void *item)
{
	struct model_line *l = item;

	if (!g->source)
		l->file = merge_id(g, TABLE_FILE, l->file);
	else if (!g->source->line(g->source->context, &l->file, &l->line))
		l->file = MERGE_NOWHERE;
}

static void
map_branch(const struct merger *g, void *item)
{
	struct model_branch *b = item;
	model_id file = b->place.file;
	bool known = !b->procedure;

	if (b->to_line && g->source)
		g->source->line(g->source->context, &file, &b->to_line);
	b->procedure = merge_id(g, TABLE_PROCEDURE, b->procedure);
	b->place = merge_place(g, b->place);
	if (!b->procedure && !known)
		b->place.file = MERGE_NOWHERE;
}

/* What INTO does not have any more is kept by the name of its file; an expression that has changed
 * is looked for by its line. */
static void
map_remark(const struct merger *g, void *item)
{
	struct model_remark *r = item;
	const struct place was = r->place;

	r->procedure = merge_id(g, TABLE_PROCEDURE, r->procedure);
	merge_partial_place(g, &r->place);
	if (was.file && !r->place.file) {
		r->place = (struct place){ .file = was.file, .line = was.line };
		merge_partial_place(g, &r->place);
	}
	if (was.file && !r->place.file) {
		r->path = g->from->files[was.file - 1].path;
		r->path_line = was.line;
		model_note(g->into, "merge", "a remark is on %s:%u, which is not in these sources "
			   "any more", r->path, r->path_line);
	}
}

/* ---- adding an entry to its like ---- */

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

/* The text that is kept must not depend on the order of merging. */
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

/* The first of the two times, whatever the order of the profiles. */
static void
add_remark(const struct merger *g, void *to, const void *item)
{
	struct model_remark *a = to;
	const struct model_remark *b = item;

	(void)g;
	if (b->written_ns < a->written_ns)
		a->written_ns = b->written_ns;
}

/* ---- the tables ---- */

#define AT(one, member) offsetof(struct model_##one, member)

struct likeness {
	enum table_id table;
	const char *key[ROW_KEY_MAX + 1]; /* what makes two rows the same: row_key() */
	void (*map)(const struct merger *g, void *item);   /* NULL: as row_map() does */
	void (*own)(const struct merger *g, void *item);   /* NULL: as row_own() does */
	void (*add)(const struct merger *g, void *to, const void *item); /* NULL: only counts */
	size_t without;          /* runs_without, 0: it has none */
	bool grows;              /* also by source what is new is appended */
};

/* Returns where a row has its figures; NULL: nowhere. */
static struct figures **
figures_of(const struct likeness *t, const void *row)
{
	size_t at = tables[t->table].figures;

	return at ? (struct figures **)((uintptr_t)row + at) : NULL;
}

static void
add_entry(const struct merger *g, const struct likeness *t, void *to, const void *item)
{
	model_add_row(t->table, to, item);
	if (figures_of(t, to))
		figures_combine(g->into, figures_of(t, to), *figures_of(t, item), g->slots);
	if (t->add)
		t->add(g, to, item);
}

/* Items that are new in INTO have figures of their own. */
static void
own_figures(const struct merger *g, const struct likeness *t, void *item)
{
	struct figures **at = figures_of(t, item), *of_from;

	if (!at)
		return;
	of_from = *at;
	*at = NULL;
	figures_combine(g->into, at, of_from, g->slots);
}

struct array { char *items; size_t nr, alloc, size; };

/* INTO's rows of a table, to be found by what makes them the same and, as several can be (the
 * copies of a static procedure of a header), by which of these they are. */
struct finder {
	const struct likeness *t;
	struct row_key key;
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

	return f->copy[i] == w->copy &&
	       row_same(&f->key, f->into->items + i * f->into->size, w->item);
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

	*f = (struct finder){
		.t = t, .key = row_key(t->table, t->key), .into = into, .ix = INDEX_INIT,
	};
	for (i = 0; i < into->nr; i++) {
		h = row_hash(&f->key, into->items + i * into->size);
		find_free(f, h, into->items + i * into->size, &copy);
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
		without = (uint64_t *)(f->into->items + i * f->into->size + f->t->without);
		if (!f->taken[i])
			*without = count_add(*without, g->from->nr_runs);
	}
}

/* For each of NR rows FROM: adds it to the one of INTO that is the same, or appends it. */
static void
merge_table(struct merger *g, const struct likeness *t, const char *from, size_t nr,
	    struct array *into)
{
	const struct row_references references = row_references(t->table, &g->ids);
	char *item = xmalloc(into->size);
	struct finder f;
	uint32_t n, copy;
	uint64_t h;

	finder_init(&f, t, into);
	for (size_t i = 0; i < nr; i++) {
		memcpy(item, from + i * into->size, into->size);
		if (t->map)
			t->map(g, item);
		else
			row_map(&references, item);
		h = row_hash(&f.key, item);
		n = find_free(&f, h, item, &copy);
		if (n != INDEX_NONE) {
			add_entry(g, t, into->items + n * into->size, item);
			f.taken[n] = true;
		} else if (g->source && !t->grows) {
			continue; /* its id is 0 */
		} else {
			if (into->nr == into->alloc) {
				into->alloc = grow_size(into->alloc, into->nr + 1);
				into->items = xrealloc(into->items, into->alloc, into->size);
			}
			n = (uint32_t)into->nr++;
			if (t->own)
				t->own(g, item);
			else
				row_own(t->table, item, &g->into->arena);
			own_figures(g, t, item);
			memcpy(into->items + n * into->size, item, into->size);
			enter(&f, n, h, copy);
		}
		g->ids.of[t->table][i + 1] = n + 1;
	}
	note_without(g, &f, into->nr);
	free(item);
	free(f.copy);
	free(f.taken);
	index_release(&f.ix);
}

/* By source files and procedures are found otherwise, and numbers of blocks differ. */
static const struct likeness files =
	{ TABLE_FILE, { "path" }, .own = own_file, .add = add_file };
static const struct likeness procedures =
	{ TABLE_PROCEDURE, { "place", "linkage_name", "name", "module" }, .map = map_procedure,
	  .add = add_procedure };
static const struct likeness blocks =
	{ TABLE_BLOCK, { "procedure", "number", "place" }, .map = map_block,
	  .without = AT(block, runs_without) };
static const struct likeness blocks_by_place =
	{ TABLE_BLOCK, { "procedure", "place" }, .map = map_block,
	  .without = AT(block, runs_without) };
static const struct likeness others[] = {
	{ TABLE_RANGE, { "block", "kind", "place" }, .map = map_range },
	{ TABLE_SITE, { "block", "place", "target", "procedure", "kind" }, .map = map_site,
	  .add = add_site, .without = AT(site, runs_without) },
	{ TABLE_LINE, { "file", "line" }, .map = map_line, .without = AT(line, runs_without) },
	{ TABLE_BRANCH, { "procedure", "place", "kind", "number", "way" }, .map = map_branch,
	  .without = AT(branch, runs_without) },
	{ TABLE_INSTRUCTION, { "module", "address", "procedure", "range" }, .grows = true },
	{ TABLE_CONTEXT, { "parent", "procedure", "site", "block" }, .grows = true },
	{ TABLE_REMARK, { "place", "path", "path_line", "text", "procedure" }, .map = map_remark,
	  .add = add_remark, .grows = true },
	{ TABLE_SPREAD, { "procedure", "figure" }, .grows = true },
	{ TABLE_DISPOSAL, { "site", "procedure", "by_site", "by", "how" }, .grows = true },
	{ TABLE_ALLOCATION, { "site", "procedure", "size_class", "pool" }, .grows = true },
};

static void
find_by_source(struct merger *g)
{
	const struct merge_source *s = g->source;
	bool *found = xcalloc(g->into->nr_procedures + 1, sizeof(*found));
	struct model_procedure *p;
	model_id id;
	size_t i;

	for (i = 0; i < g->from->nr_files; i++)
		g->ids.of[TABLE_FILE][i + 1] = s->file(s->context, (model_id)i + 1);
	for (i = 0; i < g->from->nr_procedures; i++) {
		id = s->procedure(s->context, (model_id)i + 1);
		g->ids.of[TABLE_PROCEDURE][i + 1] = id;
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

static void
merge_rows(struct merger *g, const struct likeness *t)
{
	struct row_array to = row_array(g->into, t->table);
	/* Rows of FROM are only read. */
	struct row_array from = row_array((struct model *)(uintptr_t)g->from, t->table);
	struct array rows = { *to.items, *to.nr, *to.alloc, to.size };

	merge_table(g, t, *from.items, *from.nr, &rows);
	*to.items = rows.items;
	*to.nr = rows.nr;
	*to.alloc = rows.alloc;
}

void
merge_tables(struct merger *g)
{
	for (int t = 0; t < NR_TABLES; t++)
		g->ids.of[t] = xcalloc(rows_count(g->from, (enum table_id)t) + 1, sizeof(model_id));
	if (g->source) {
		find_by_source(g);
		merge_rows(g, &blocks_by_place);
	} else {
		merge_rows(g, &files);
		merge_rows(g, &procedures);
		merge_rows(g, &blocks);
	}
	if (g->source) /* of two builds */
		g->into->nr_instructions = 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!g->source || others[i].table != TABLE_INSTRUCTION)
			merge_rows(g, &others[i]);
}
