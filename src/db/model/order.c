#include "db/model/order.h"

#include <stdlib.h>
#include <string.h>

#include "db/model/tracks.h"
#include "util/mem.h"
#include "util/order.h"

/* In this order tables are sorted, as the keys of some have ids of others. Rows that are alike stay
 * in theirs: ranges of a block in the compiler's. */
static const struct {
	enum table_id table;
	const char *key[ROW_KEY_MAX + 1];
} orders[] = {
	{ TABLE_FILE, { "path" } },
	{ TABLE_PROCEDURE, { "place", "module", "linkage_name", "name" } },
	{ TABLE_BLOCK, { "procedure", "number" } },
	{ TABLE_RANGE, { "block" } },
	{ TABLE_SITE, { "procedure" } },
	{ TABLE_LINE, { "file", "line" } },
	{ TABLE_BRANCH, { "place", "procedure", "kind", "number", "way" } },
	{ TABLE_INSTRUCTION, { "module", "address", "procedure", "range" } },
	{ TABLE_CONTEXT, { "parent", "procedure", "site" } },
	{ TABLE_DISPOSAL, { "procedure", "site", "by", "by_site", "how" } },
	{ TABLE_ALLOCATION, { "procedure", "site", "pool", "size_class" } },
	{ TABLE_RUN, { "started_ns", "host", "command", "build_id", "wall_ns", "cpu_ns" } },
	{ TABLE_PART, { "run" } },
	{ TABLE_THREAD, { "run" } },
	{ TABLE_TRACK, { "run" } },
	{ TABLE_REMARK, { "place", "path", "path_line", "text", "procedure" } },
	{ TABLE_SPREAD, { "procedure", "figure" } },
	{ TABLE_MODULE, { "path", "build_id" } },
	{ TABLE_NOTE, { "kind", "text" } },
};

struct sorting {
	const char *items;
	size_t size;
	struct row_key key;
	const struct row_ids *ids;
	const uint32_t *depth;   /* of contexts; NULL: of others */
};

static int
compare_positions(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int c = row_compare(&s->key, s->items + x * s->size, s->items + y * s->size, s->ids);

	return c ? c : (x > y) - (x < y);
}

static int
compare_depths(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return s->depth[x] != s->depth[y] ? s->depth[x] < s->depth[y] ? -1 : 1 : (x > y) - (x < y);
}

/* Sorts NR positions from FIRST on, and numbers their rows. IDS: the new ids. */
static void
sort_positions(struct sorting *s, size_t *order, size_t first, size_t nr, model_id *ids)
{
	qsort_r(order + first, nr, sizeof(*order), compare_positions, s);
	for (size_t i = first; i < first + nr; i++)
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

/* Sorts level by level, as siblings are told apart by where their parent is. */
static void
sort_contexts(struct sorting *s, const struct model *m, size_t *order, model_id *ids)
{
	uint32_t *depth = xcalloc(m->nr_contexts + 1, sizeof(*depth));
	size_t i, end;

	for (i = 0; i < m->nr_contexts; i++)
		depth[i] = m->contexts[i].parent ? depth[m->contexts[i].parent - 1] + 1 : 0;
	s->depth = depth;
	qsort_r(order, m->nr_contexts, sizeof(*order), compare_depths, s);
	for (i = 0; i < m->nr_contexts; i = end) {
		for (end = i; end < m->nr_contexts && depth[order[end]] == depth[order[i]]; end++)
			;
		sort_positions(s, order, i, end - i, ids);
	}
	free(depth);
}

static void
sort_table(struct model *m, enum table_id table, const char *const key[], struct row_ids *ids)
{
	struct row_array rows = row_array(m, table);
	size_t nr = *rows.nr, *order = positions(nr);
	model_id *to = ids->of[table] = xcalloc(nr + 1, sizeof(*to));
	struct sorting s = {
		.items = *rows.items, .size = rows.size, .key = row_key(table, key), .ids = ids,
	};

	if (table == TABLE_CONTEXT)
		sort_contexts(&s, m, order, to);
	else
		sort_positions(&s, order, 0, nr, to);
	rearrange(*rows.items, nr, rows.size, order);
}

/* ---- parts ---- */

static int
map_parts(struct model *m, struct spill *to, const struct row_ids *o, struct error *err)
{
	struct part_entries e = { .items = NULL };
	struct spill *from = m->spill;
	int status = 0;
	size_t i;

	for (i = 0; i < m->nr_parts && !status; i++) {
		struct model_part *p = &m->parts[i];

		if (!packed_is_there(&p->data))
			continue;
		e.nr = 0;
		m->spill = from;
		status = part_unpack(p, m, &e, err);
		part_entries_map(&e, o, NULL);
		m->spill = to;
		if (!status)
			status = part_store(m, p, &e, err);
	}
	m->spill = to;
	part_entries_release(&e);
	return status;
}

/* Tracks are in TO from now on, FROM is where they were; M is in order. */
static int
map_tracks(struct model *m, struct spill *from, const struct row_ids *o, struct error *err)
{
	struct model before = *m;
	int status = 0;

	before.spill = from;
	for (size_t i = 0; i < m->nr_tracks && !status; i++)
		status = track_move(&m->tracks[i], &before, &m->tracks[i], m, o, err);
	return status;
}

/* ---- everything ---- */

int
model_renumber(struct model *m, const struct row_ids *ids, struct error *err)
{
	for (int t = 0; t < NR_TABLES; t++) {
		struct row_array rows = row_array(m, (enum table_id)t);
		size_t nr = ids->of[t] ? rows_count(m, (enum table_id)t) : 0;
		size_t *order = positions(nr);

		for (size_t i = 0; i < nr; i++)
			order[ids->of[t][i + 1] - 1] = i;
		if (nr)
			rearrange(*rows.items, nr, rows.size, order);
		else
			free(order);
	}
	rows_map(m, ids);
	return map_parts(m, m->spill, ids, err) || map_tracks(m, m->spill, ids, err) ? -1 : 0;
}

int
model_put_in_order(struct model *m, struct spill *to, struct row_ids *ids, struct error *err)
{
	struct spill *from = m->spill;

	*ids = (struct row_ids){ .of = { NULL } };
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
		sort_table(m, orders[i].table, orders[i].key, ids);
	rows_map(m, ids);
	return map_parts(m, to, ids, err) || map_tracks(m, from, ids, err) ? -1 : 0;
}

/* ---- as it is stored ---- */

static int
compare_paths(const void *pa, const void *pb, void *context)
{
	const struct model *m = context;
	model_id a = *(const model_id *)pa, b = *(const model_id *)pb;
	int c = strcmp(m->files[a].path, m->files[b].path);

	return c ? c : (a > b) - (a < b);
}

static model_id *
numbers(size_t nr)
{
	model_id *all = xcalloc(nr + 1, sizeof(*all));

	for (size_t i = 0; i < nr; i++)
		all[i] = (model_id)i;
	return all;
}

model_id *
model_stored_files(const struct model *m)
{
	model_id *order = numbers(m->nr_files);

	qsort_r(order, m->nr_files, sizeof(*order), compare_paths, (void *)(uintptr_t)m);
	return order;
}

struct line_sorting { const struct model_line *lines; const model_id *rank; };

static int
compare_lines(const void *pa, const void *pb, void *context)
{
	const struct line_sorting *s = context;
	model_id ia = *(const model_id *)pa, ib = *(const model_id *)pb;
	const struct model_line *a = &s->lines[ia], *b = &s->lines[ib];

	COMPARE(s->rank[a->file], s->rank[b->file]);
	COMPARE(a->line, b->line);
	return (ia > ib) - (ia < ib);
}

model_id *
model_stored_lines(const struct model *m, const model_id *files)
{
	model_id *order = numbers(m->nr_lines);
	model_id *rank = xcalloc(m->nr_files + 1, sizeof(*rank));
	struct line_sorting sorting = { m->lines, rank };

	for (size_t i = 0; i < m->nr_files; i++)
		rank[files[i] + 1] = (model_id)i + 1;
	qsort_r(order, m->nr_lines, sizeof(*order), compare_lines, &sorting);
	free(rank);
	return order;
}
