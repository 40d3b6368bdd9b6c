#include "db/store/changed.h"

#include <string.h>

#include "db/store/connection.h"
#include "db/store/table_row.h"

enum { MOST_COLUMNS = 10 + 2 * MEASURES_MAX };

/* A table whose rows can change. Of their figures those of the measures do that follow from the
 * arcs. */
static const struct change {
	struct table_select select;
	bool whole;              /* the rows may be others: all are kept */
} changes[] = {
	{ { .table = TABLE_ARC, .flag = COLUMN_CHANGES }, false },
	{ { .table = TABLE_PROCEDURE, .flag = COLUMN_CHANGES }, false },
	{ { .table = TABLE_SITE, .flag = COLUMN_CHANGES }, false },
	{ { .table = TABLE_CYCLE }, true },
};
enum { NR_CHANGES = sizeof(changes) / sizeof(changes[0]) };

/* The columns as table.h describes them. */
struct described {
	struct described_column {
		const struct table_column *column;
		unsigned slot;   /* of a figure's measure */
		const char *measure; /* name of a figure's measure; "": it is no figure */
	} columns[MOST_COLUMNS];
	int nr;
};

static bool
has_figures(const struct table_column *c)
{
	return c->holds == HOLDS_SELF || c->holds == HOLDS_TOTAL;
}

static void
describe_figures(struct described *d, const struct profile *p, const struct table_column *column)
{
	for (unsigned slot = 0; slot < p->others.nr; slot++) {
		const struct model_measure *m = &p->others.items[slot];

		if (m->inclusive == INCLUSIVE_ARCS && !m->formula)
			d->columns[d->nr++] = (struct described_column){ column, slot, m->name };
	}
}

static struct described
describe(const struct profile *p, const struct change *c)
{
	struct described d = { .nr = 0 };

	for (const struct table_column *column = tables[c->select.table].columns;
	     !table_ends(column); column++) {
		if (!table_is_selected(&c->select, column))
			continue;
		if (has_figures(column))
			describe_figures(&d, p, column);
		else
			d.columns[d.nr++] = (struct described_column){ column, 0, "" };
	}
	return d;
}

/* Executes BEFORE, the table's name, and AFTER. */
static void
run_on(struct profile *p, const char *before, const struct change *c, const char *after)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_str(&sql, before);
	strbuf_str(&sql, tables[c->select.table].name);
	strbuf_str(&sql, after);
	profile_execute(p, sql.buf);
	strbuf_release(&sql);
}

static void
make_table(struct profile *p, const struct change *c)
{
	const struct described d = describe(p, c);
	struct strbuf sql = STRBUF_INIT;

	strbuf_str(&sql, "CREATE TEMP TABLE IF NOT EXISTS changed_");
	strbuf_str(&sql, tables[c->select.table].name);
	strbuf_str(&sql, "(id INTEGER PRIMARY KEY");
	for (int i = 0; i < d.nr; i++)
		strbuf_fmt(&sql, ", %s%s", d.columns[i].column->name, d.columns[i].measure);
	strbuf_str(&sql, ")");
	profile_execute(p, sql.buf);
	strbuf_release(&sql);
}

/* ---- which rows differ ---- */

static size_t
nr_rows(const struct change *c, const struct model *m)
{
	return *(const size_t *)((const char *)m + tables[c->select.table].nr);
}

static const char *
row_of(const struct change *c, const struct model *m, size_t i)
{
	const char *rows = *(char *const *)((const char *)m + tables[c->select.table].items);

	return rows + i * tables[c->select.table].row;
}

static bool
is_other_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") != 0;
}

static int64_t
figure(const struct described_column *d, const char *at)
{
	const struct figures *f = *(const struct figures *const *)at;

	return figures_get(f, d->column->holds == HOLDS_TOTAL, d->slot);
}

static bool
is_other(const struct described_column *d, const char *a, const char *b)
{
	const struct table_column *c = d->column;
	const char *x = a + c->at, *y = b + c->at;

	if (has_figures(c))
		return figure(d, x) != figure(d, y);
	if (c->holds == HOLDS_TEXT)
		return is_other_text(*(const char *const *)x, *(const char *const *)y);
	return memcmp(x, y, c->size) != 0;
}

/* Returns the columns in which two rows differ: bits by index. */
static uint64_t
others(const struct described *d, const char *a, const char *b)
{
	uint64_t which = 0;

	for (int i = 0; i < d->nr; i++)
		which |= (uint64_t)is_other(&d->columns[i], a, b) << i;
	return which;
}

static void
bind(sqlite3_stmt *st, int i, const struct described_column *d, const char *at)
{
	const struct table_column *c = d->column;
	uint64_t count;

	switch (c->holds) {
	case HOLDS_TEXT:
		sqlite3_bind_text(st, i, *(const char *const *)at, -1, SQLITE_STATIC);
		break;
	case HOLDS_WORD:
		sqlite3_bind_text(st, i, c->words[*(const int *)at], -1, SQLITE_STATIC);
		break;
	case HOLDS_U32:
		sqlite3_bind_int64(st, i, *(const uint32_t *)at);
		break;
	case HOLDS_BOOL:
		sqlite3_bind_int64(st, i, *(const bool *)at);
		break;
	default:
		count = has_figures(c) ? (uint64_t)figure(d, at) : *(const uint64_t *)at;
		sqlite3_bind_int64(st, i, count > INT64_MAX ? INT64_MAX : (int64_t)count);
	}
}

static sqlite3_stmt *
prepare_insert(struct profile *p, const struct change *c, int nr)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "INSERT INTO temp.changed_");
	strbuf_str(&sql, tables[c->select.table].name);
	strbuf_str(&sql, " VALUES (?");
	for (int i = 0; i < nr; i++)
		strbuf_str(&sql, ", ?");
	strbuf_str(&sql, ")");
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	return st;
}

static void
keep_row(struct profile *p, const struct described *d, sqlite3_stmt *st, size_t i, const char *row)
{
	if (!st)
		return;
	sqlite3_reset(st);
	profile_step_anew(st);
	sqlite3_bind_int64(st, 1, (int64_t)i + 1);
	for (int k = 0; k < d->nr; k++)
		bind(st, k + 2, &d->columns[k], row + d->columns[k].column->at);
	profile_step(p, st);
}

/* Keeps each row of M that differs from the file's. Returns the columns that differ anywhere. */
static uint64_t
keep_others(struct profile *p, const struct change *c, const struct described *d,
	    const struct model *m)
{
	sqlite3_stmt *insert = prepare_insert(p, c, d->nr), *st;
	struct strbuf sql = STRBUF_INIT;
	struct arena arena = ARENA_INIT;
	size_t nr = nr_rows(c, m), seen = 0;
	uint64_t which, all = 0;
	union {
		struct model_arc arc;
		struct model_procedure procedure;
		struct model_site site;
		struct model_cycle cycle;
	} stored;

	table_select_sql(&c->select, p->others, &sql);
	st = profile_prepare(p, sql.buf);
	for (; profile_step(p, st) && seen < nr; seen++) {
		memset(&stored, 0, sizeof(stored));
		table_read(p, st, &c->select, &arena, &stored);
		which = others(d, (const char *)&stored, row_of(c, m, seen));
		all |= which;
		if (which && !c->whole)
			keep_row(p, d, insert, seen, row_of(c, m, seen));
	}
	/* A table that is kept whole may have more or fewer rows now. */
	if (c->whole && (seen < nr || nr < p->totals.nr_cycles))
		all = UINT64_MAX;
	for (size_t i = 0; c->whole && all && i < nr; i++)
		keep_row(p, d, insert, i, row_of(c, m, i));
	sqlite3_finalize(st);
	sqlite3_finalize(insert);
	strbuf_release(&sql);
	arena_release(&arena);
	return all;
}

/* ---- views in place of tables ---- */

static bool
is_named(const struct described_column *d, const char *name)
{
	size_t n = strlen(d->column->name);

	return !strncmp(name, d->column->name, n) && !strcmp(name + n, d->measure);
}

/* Appends a column of the view: with its changed value or its stored one. */
static void
add_column(struct strbuf *sql, const struct change *c, const struct described *d, uint64_t which,
	   const char *name)
{
	bool changed = false;

	for (int i = 0; i < d->nr; i++)
		changed |= which >> i & 1 && is_named(&d->columns[i], name);
	if (changed) {
		strbuf_str(sql, "coalesce((SELECT x.");
		strbuf_str(sql, name);
		strbuf_str(sql, " FROM temp.changed_");
		strbuf_str(sql, tables[c->select.table].name);
		strbuf_str(sql, " x WHERE x.id = t.id), t.");
		strbuf_str(sql, name);
		strbuf_str(sql, ") AS ");
	} else {
		strbuf_str(sql, "t.");
	}
	strbuf_str(sql, name);
}

static void
make_view(struct profile *p, const struct change *c, const struct described *d, uint64_t which)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "SELECT * FROM main.");
	strbuf_str(&sql, tables[c->select.table].name);
	st = profile_prepare(p, sql.buf);
	strbuf_clear(&sql);
	strbuf_str(&sql, "CREATE TEMP VIEW ");
	strbuf_str(&sql, tables[c->select.table].name);
	strbuf_str(&sql, " AS SELECT ");
	for (int i = 0; i < sqlite3_column_count(st); i++) {
		strbuf_str(&sql, i ? ", " : "");
		add_column(&sql, c, d, c->whole ? 0 : which, sqlite3_column_name(st, i));
	}
	strbuf_str(&sql, c->whole ? " FROM temp.changed_" : " FROM main.");
	strbuf_str(&sql, tables[c->select.table].name);
	strbuf_str(&sql, " t");
	sqlite3_finalize(st);
	profile_execute(p, sql.buf);
	strbuf_release(&sql);
}

static void
forget(struct profile *p)
{
	for (int i = 0; i < NR_CHANGES; i++) {
		run_on(p, "DROP VIEW IF EXISTS temp.", &changes[i], "");
		run_on(p, "DELETE FROM temp.changed_", &changes[i], "");
	}
	p->totals.nr_cycles = p->changed.nr_cycles;
	p->last_id[TABLE_CYCLE] = p->changed.last_cycle;
}

static void
change(struct profile *p, const struct model *m)
{
	struct described d[NR_CHANGES];
	uint64_t which[NR_CHANGES], any = 0;

	for (int i = 0; i < NR_CHANGES; i++) {
		d[i] = describe(p, &changes[i]);
		which[i] = keep_others(p, &changes[i], &d[i], m);
		any |= which[i];
		if (!which[i] || !changes[i].whole)
			continue;
		p->totals.nr_cycles = m->nr_cycles;
		if (m->nr_cycles > p->last_id[TABLE_CYCLE])
			p->last_id[TABLE_CYCLE] = (model_id)m->nr_cycles;
	}
	for (int i = 0; i < NR_CHANGES; i++)
		if (which[i])
			make_view(p, &changes[i], &d[i], which[i]);
	p->changed.any = any != 0;
}

void
profile_change(struct profile *p, const struct model *m)
{
	if (!m && !p->changed.any)
		return;
	profile_execute(p, "BEGIN");
	if (p->changed.any) {
		forget(p);
	} else {
		p->changed.nr_cycles = p->totals.nr_cycles;
		p->changed.last_cycle = p->last_id[TABLE_CYCLE];
		for (int i = 0; i < NR_CHANGES; i++)
			make_table(p, &changes[i]);
	}
	p->changed.any = false;
	if (m)
		change(p, m);
	profile_execute(p, "COMMIT");
	memset(p->sums_known, 0, sizeof(p->sums_known));
}

bool
list_may_change(enum list_kind kind)
{
	return kind == LIST_ARC || kind == LIST_PROCEDURE || kind == LIST_SITE ||
	       kind == LIST_CYCLE;
}

bool
profile_changes(const struct profile *p, enum list_kind kind)
{
	return p->changed.any && list_may_change(kind);
}
