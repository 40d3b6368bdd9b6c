#include "db/store/load.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/connection.h"
#include "db/store/profile.h"
#include "db/store/table_row.h"

struct loader {
	struct model *m;
	struct profile *p;
	bool damaged;            /* an id is not there, or not in its turn */
};

/* Adds a row of T to the model, zeroed. */
static void *
add_row(struct model *m, const struct table *t)
{
	char **items = (char **)((char *)m + t->items);
	size_t *nr = (size_t *)((char *)m + t->nr), *alloc = (size_t *)((char *)m + t->alloc);
	size_t room = *nr < *alloc ? *alloc : grow_size(*alloc, *nr + 1);

	if (room != *alloc)
		*items = xrealloc(*items, room, t->row);
	*alloc = room;
	return memset(*items + (*nr)++ * t->row, 0, t->row);
}

static bool
has_blob(const struct table_select *s)
{
	const struct table_column *c = tables[s->table].columns;

	while (!table_ends(c) && (c->holds != HOLDS_BLOB || c->flags & COLUMN_SIDE))
		c++;
	return !table_ends(c);
}

static void
load_table(struct loader *l, const struct table_select *s)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;
	uint64_t nr = 0;

	if (!table_is_there(&tables[s->table], l->p->others))
		return;
	table_select_sql(s, l->p->others, &sql);
	st = profile_prepare(l->p, sql.buf);
	strbuf_release(&sql);
	profile_large_values(l->p, has_blob(s));
	while (st && !l->damaged && profile_step(l->p, st)) {
		l->damaged |= column_count(l->p, st, 0) != ++nr;
		l->damaged |= !table_read(l->p, st, s, &l->m->arena,
					  add_row(l->m, &tables[s->table]));
	}
	profile_large_values(l->p, false);
	sqlite3_finalize(st);
}

/* Checks that all parts have their own counts, or that the only part has none. */
static void
check_parts(struct loader *l)
{
	for (size_t i = 0; i < l->m->nr_parts; i++)
		l->damaged |= (l->m->parts[i].data.blob.data != NULL) != (l->m->nr_parts > 1);
}

static void
load_texts(struct loader *l)
{
	struct model_file *f;
	const struct profile_file *stored;
	char *heap, *kept;
	size_t i, size;

	for (i = 0; i < l->m->nr_files; i++) {
		f = &l->m->files[i];
		stored = profile_file(l->p, (model_id)i + 1);
		heap = stored ? profile_file_text(l->p, (model_id)i + 1, &size) : NULL;
		if (!heap)
			continue;
		kept = arena_alloc(&l->m->arena, size + 1);
		memcpy(kept, heap, size);
		free(heap);
		f->text = kept;
		f->size = size;
		f->hash = stored->hash;
	}
}

static int
load(struct model *m, const char *path, const struct table_select *wanted, size_t nr, bool texts,
     struct error *err)
{
	struct loader l = { .m = m, .p = profile_open(path, err) };

	if (!l.p)
		return -1;
	for (size_t i = 0; i < l.p->others.nr; i++)
		measure_add(m, &l.p->others.items[i]);
	for (size_t i = 0; i < nr; i++)
		load_table(&l, &wanted[i]);
	check_parts(&l);
	if (texts)
		load_texts(&l);
	if (profile_error(l.p))
		error_set(err, "%s", profile_error(l.p));
	else if (l.damaged)
		error_set(err, "%s is damaged: its tables contradict each other", path);
	profile_close(l.p);
	return err->set ? -1 : 0;
}

/* Cycles follow when the model is solved. */
int
model_load(struct model *m, const char *path, struct error *err)
{
	struct table_select all[NR_TABLES];
	size_t nr = 0;

	for (enum table_id t = TABLE_MEASURE + 1; t < NR_TABLES; t++)
		if (t != TABLE_CYCLE)
			all[nr++] = (struct table_select){ .table = t };
	return load(m, path, all, nr, true, err);
}

int
model_load_runs(struct model *m, const char *path, struct error *err)
{
	static const struct table_select runs[] = {
		{ .table = TABLE_RUN }, { .table = TABLE_MODULE },
	};

	return load(m, path, runs, sizeof(runs) / sizeof(*runs), false, err);
}

int
model_load_calls(struct model *m, const char *path, struct error *err)
{
	static const char *const of_procedures[] = {
		"name", "linkage_name", "file", "calls", "self_samples", "self_ns", "centre_ns",
		"propagated_ns", "cycle", "self_work", "self_", NULL,
	};
	static const char *const of_sites[] = {
		"procedure", "kind", "file", "target", "count", NULL,
	};
	static const struct table_select calls[] = {
		{ .table = TABLE_PROCEDURE, .names = of_procedures },
		{ .table = TABLE_SITE, .names = of_sites }, { .table = TABLE_ARC },
		{ .table = TABLE_PIN }, { .table = TABLE_CONTEXT },
	};

	return load(m, path, calls, sizeof(calls) / sizeof(*calls), false, err);
}

/* Reads SELECTED, of P, which is open. */
static int
load_selected(struct model *m, struct profile *p, const struct table_select *selected, size_t nr,
	      struct error *err)
{
	struct loader l = { .m = m, .p = p };

	for (size_t i = 0; i < p->others.nr; i++)
		measure_add(m, &p->others.items[i]);
	for (size_t i = 0; i < nr; i++)
		load_table(&l, &selected[i]);
	check_parts(&l);
	if (profile_error(p))
		error_set(err, "%s", profile_error(p));
	else if (l.damaged)
		error_set(err, "%s is damaged: its tables contradict each other", profile_path(p));
	return err->set ? -1 : 0;
}

int
model_load_tables(struct model *m, struct profile *p, uint64_t wanted, struct error *err)
{
	struct table_select selected[NR_TABLES];
	size_t nr = 0;

	for (enum table_id t = TABLE_MEASURE + 1; t < NR_TABLES; t++)
		if (wanted & (uint64_t)1 << t)
			selected[nr++] = (struct table_select){ .table = t, .solved = true };
	return load_selected(m, p, selected, nr, err);
}

/* Reads SELECTED, of P; of other tables only how many rows they have. */
static int
load_some(struct model *m, struct profile *p, const struct table_select *selected, size_t nr,
	  struct error *err)
{
	int status = load_selected(m, p, selected, nr, err);

	m->nr_procedures = column_last_id(p, TABLE_PROCEDURE);
	m->nr_blocks = column_last_id(p, TABLE_BLOCK);
	m->nr_ranges = column_last_id(p, TABLE_RANGE);
	m->nr_lines = column_last_id(p, TABLE_LINE);
	m->nr_branches = column_last_id(p, TABLE_BRANCH);
	m->nr_instructions = column_last_id(p, TABLE_INSTRUCTION);
	m->nr_sites = column_last_id(p, TABLE_SITE);
	m->nr_contexts = column_last_id(p, TABLE_CONTEXT);
	m->nr_disposals = column_last_id(p, TABLE_DISPOSAL);
	m->nr_allocations = column_last_id(p, TABLE_ALLOCATION);
	return status;
}

int
model_load_parts(struct model *m, struct profile *p, struct error *err)
{
	static const struct table_select parts[] = {
		{ .table = TABLE_RUN }, { .table = TABLE_PART },
	};

	return load_some(m, p, parts, sizeof(parts) / sizeof(*parts), err);
}

int
model_load_tracks(struct model *m, struct profile *p, struct error *err)
{
	static const struct table_select tracks[] = { { .table = TABLE_TRACK } };

	return load_some(m, p, tracks, sizeof(tracks) / sizeof(*tracks), err);
}

int
model_load_stacks(struct model *m, struct profile *p, struct error *err)
{
	static const char *const of_procedures[] = {
		"is_foreign", "self_ns", "self_wait_ns", NULL,
	};
	static const struct table_select stacks[] = {
		{ .table = TABLE_RUN }, { .table = TABLE_PART },
		{ .table = TABLE_PROCEDURE, .names = of_procedures }, { .table = TABLE_CONTEXT },
	};

	return load_some(m, p, stacks, sizeof(stacks) / sizeof(*stacks), err);
}
