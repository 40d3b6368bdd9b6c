/* The version before differs in four ways: its total times were those that are carried up the
 * arcs; it knew the builtin measures only and has no table of them; its ranges have an R*Tree; all
 * of its samples stand for the same time. */
#include "db/convert.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/connection.h"
#include "db/new_file.h"
#include "db/schema.h"

struct conversion {
	struct profile *old;
	sqlite3 *db;             /* the new file; the old one is attached */
	int rc;                  /* sticky */
};

static void
execute(struct conversion *c, const char *sql)
{
	if (c->rc == SQLITE_OK)
		c->rc = sqlite3_exec(c->db, sql, NULL, NULL, NULL);
}

static sqlite3_stmt *
prepare(struct conversion *c, const char *sql)
{
	sqlite3_stmt *st = NULL;

	if (c->rc == SQLITE_OK)
		c->rc = sqlite3_prepare_v2(c->db, sql, -1, &st, NULL);
	return st;
}

static void
step_and_end(struct conversion *c, sqlite3_stmt *st)
{
	if (c->rc == SQLITE_OK && sqlite3_step(st) != SQLITE_DONE)
		c->rc = sqlite3_errcode(c->db);
	sqlite3_finalize(st);
}

static void
attach(struct conversion *c)
{
	sqlite3_stmt *st = prepare(c, "ATTACH ?1 AS old");
	char *name = *c->old->path == '/' ? xstrdup(c->old->path)
					  : xasprintf("./%s", c->old->path);

	if (st)
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	step_and_end(c, st);
	free(name);
}

/* Pages of a damaged file may contain each other. SQLite refuses ids that come again, and the new
 * file cannot become much larger than the old one. */
static void
limit(struct conversion *c)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_str(&sql, "PRAGMA main.max_page_count = ");
	strbuf_fmt(&sql, "%llu", (unsigned long long)(c->old->bytes / 8192 * 4 + 1000));
	execute(c, sql.buf);
	strbuf_release(&sql);
}

/* The names of figures within a text; no other figure's name contained one of the two. */
#define RENAMED_FIGURES(text) "replace(replace(replace(" text ", 'total_sampled_ns', '\1'), " \
	"'total_ns', 'propagated_ns'), '\1', 'total_ns')"

/* Columns of now as expressions over the columns of then. What was not known is 0. */
#define SAMPLED(samples) "(SELECT CAST(round(1.0 * " samples " * t.self_ns / " \
	"max(t.self_samples, 1)) AS INTEGER) FROM old.totals t)"
static const struct { enum table_id table; const char *column, *then; } renamed[] = {
	{ TABLE_PROCEDURE, "total_ns", "total_sampled_ns" },
	{ TABLE_PROCEDURE, "propagated_ns", "total_ns" },
	{ TABLE_PROCEDURE, "propagated_lo_ns", "total_lo_ns" },
	{ TABLE_PROCEDURE, "propagated_hi_ns", "total_hi_ns" },
	{ TABLE_PROCEDURE, "differs", "0" }, { TABLE_PROCEDURE, "is_foreign", "0" },
	{ TABLE_PROCEDURE, "own_samples", "self_samples" },
	{ TABLE_PROCEDURE, "own_ns", "self_ns" },
	{ TABLE_PROCEDURE, "own_wait_ns", "self_wait_ns" },
	{ TABLE_PROCEDURE, "estimated", "0" },
	{ TABLE_PROCEDURE, "self_work", "0" }, { TABLE_PROCEDURE, "total_work", "0" },
	{ TABLE_PROCEDURE, "is_wrapper", "0" }, { TABLE_PROCEDURE, "shared", "0" },
	{ TABLE_PROCEDURE, "lacking", "0" }, { TABLE_BLOCK, "lacking", "0" },
	{ TABLE_SITE, "lacking", "0" }, { TABLE_LINE, "lacking", "0" },
	{ TABLE_LINE, "code_bytes", "NULL" }, { TABLE_TOTALS, "max_line_code_bytes", "0" },
	{ TABLE_SITE, "shared", "0" }, { TABLE_ARC, "shared", "0" },
	{ TABLE_SITE, "total_work", "0" }, { TABLE_ARC, "total_work", "0" },
	{ TABLE_SITE, "type", "NULL" },
	{ TABLE_ARC, "total_samples", "samples" }, { TABLE_ARC, "pair_samples", "samples" },
	{ TABLE_ARC, "total_ns", SAMPLED("arc.samples") },
	{ TABLE_ARC, "pair_ns", SAMPLED("arc.samples") },
	{ TABLE_PART, "rank", "-1" },
	{ TABLE_COMPARISON, "arcs", "NULL" }, { TABLE_COMPARISON, "pair", "NULL" },
	{ TABLE_COMPARISON, "type", "NULL" }, { TABLE_COMPARISON, "size_class", "NULL" },
	{ TABLE_RUN, "sample_ns", "interval_ns" }, { TABLE_RUN, "clock", "NULL" },
	{ TABLE_CONTEXT, "self_ns", SAMPLED("context.self_samples") },
	{ TABLE_CONTEXT, "total_ns", SAMPLED("context.total_samples") },
	{ TABLE_ARC, "propagated_ns", "time_ns" }, { TABLE_ARC, "unlike", "0" },
	{ TABLE_CYCLE, "total_samples", "0" }, { TABLE_CYCLE, "total_ns", "0" },
	{ TABLE_CYCLE, "propagated_ns", "total_ns" },
	{ TABLE_LINE, "total_samples", "0" }, { TABLE_LINE, "total_ns", "0" },
	{ TABLE_TOTALS, "max_procedure_total_ns",
	  "(SELECT coalesce(max(total_sampled_ns), 0) FROM old.procedure)" },
	{ TABLE_METRIC, "expression", RENAMED_FIGURES("expression") },
	{ TABLE_METRIC, "figure", RENAMED_FIGURES("figure") },
};

static const char *
then(const struct table *t, const char *column)
{
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (&tables[renamed[i].table] == t && !strcmp(renamed[i].column, column))
			return renamed[i].then;
	}
	return column;
}

/* Appends the table's columns, in their order, as they were called then. */
static void
add_columns(struct conversion *c, const struct table *t, struct strbuf *out)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "SELECT * FROM main.");
	strbuf_str(&sql, t->name);
	st = prepare(c, sql.buf);
	for (int i = 0; st && i < sqlite3_column_count(st); i++) {
		strbuf_str(out, i ? ", " : "");
		strbuf_str(out, then(t, sqlite3_column_name(st, i)));
	}
	sqlite3_finalize(st);
	strbuf_release(&sql);
}

static void
copy_table(struct conversion *c, const struct table *t)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_str(&sql, "INSERT INTO main.");
	strbuf_str(&sql, t->name);
	strbuf_str(&sql, " SELECT ");
	add_columns(c, t, &sql);
	strbuf_str(&sql, " FROM old.");
	strbuf_str(&sql, t->name);
	if (!t->nr)
		strbuf_str(&sql, " LIMIT 1");
	execute(c, sql.buf);
	strbuf_release(&sql);
}

/* Stores the figures of the builtin measures for the whole profile. */
static const char builtin_sql[] =
	"INSERT INTO main.measure SELECT ?1, ?2, ?3, ?4, ?5, ?6, NULL, ?7, 0, 0, "
	"CASE ?1 WHEN 1 THEN blocks_executed WHEN 2 THEN self_ns WHEN 3 THEN wait_ns "
	"WHEN 4 THEN (SELECT coalesce(sum(centre_ns), 0) FROM old.procedure) "
	"WHEN 5 THEN (SELECT CAST(total(calls) AS INTEGER) FROM old.procedure) ELSE 0 END, "
	"CASE ?1 WHEN 1 THEN max_block_count WHEN 2 THEN max_block_self_ns "
	"WHEN 3 THEN max_block_self_wait_ns ELSE 0 END, "
	"CASE ?1 WHEN 1 THEN max_line_count WHEN 2 THEN max_line_self_ns "
	"WHEN 3 THEN max_line_self_wait_ns ELSE 0 END, NULL FROM old.totals LIMIT 1";

static void
add_measures(struct conversion *c)
{
	for (int i = 0; i < NR_BUILTIN_MEASURES; i++) {
		const struct model_measure *m = &builtin_measures[i];
		sqlite3_stmt *st = prepare(c, builtin_sql);

		if (st) {
			sqlite3_bind_int(st, 1, i + 1);
			sqlite3_bind_text(st, 2, m->name, -1, SQLITE_STATIC);
			sqlite3_bind_text(st, 3, m->title, -1, SQLITE_STATIC);
			sqlite3_bind_text(st, 4, m->unit, -1, SQLITE_STATIC);
			sqlite3_bind_text(st, 5, schema_combines[m->combine], -1, SQLITE_STATIC);
			sqlite3_bind_text(st, 6, schema_inclusives[m->inclusive], -1,
					  SQLITE_STATIC);
			sqlite3_bind_int(st, 7, m->exact);
		}
		step_and_end(c, st);
	}
}

static void
create(struct conversion *c, const struct schema *schema, enum schema_stage stage)
{
	for (size_t i = 0; i < schema->nr; i++) {
		if (schema->entries[i].stage == stage)
			execute(c, schema->entries[i].sql);
	}
}

static void
convert(struct conversion *c)
{
	struct schema schema;

	schema_make(&schema, (struct measures){ NULL, 0 });
	execute(c, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; "
		   "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; "
		   "PRAGMA synchronous = OFF; PRAGMA cache_size = -32000; "
		   "PRAGMA application_id = " SCHEMA_STRING(SCHEMA_APPLICATION_ID) "; "
		   "PRAGMA user_version = " SCHEMA_STRING(SCHEMA_VERSION));
	attach(c);
	limit(c);
	execute(c, "BEGIN");
	create(c, &schema, SCHEMA_BEFORE);
	for (int i = 0; i < NR_TABLES; i++) {
		if (i != TABLE_MEASURE && !tables[i].with && !tables[i].added)
			copy_table(c, &tables[i]);
	}
	add_measures(c);
	create(c, &schema, SCHEMA_AFTER);
	execute(c, "COMMIT");
	execute(c, "DETACH old");
	schema_release(&schema);
}

sqlite3 *
profile_convert(struct profile *old, struct error *err)
{
	struct conversion c = { .old = old };
	char *path = new_file_temporary(err);

	if (!path)
		return NULL;
	c.rc = sqlite3_open_v2(path, &c.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	unlink(path); /* from now on it ends with the process, however that ends */
	free(path);
	convert(&c);
	if (c.rc != SQLITE_OK)
		error_set(err, "%s was written by an older cgview, and cannot be converted: %s",
			  old->path, c.db ? sqlite3_errmsg(c.db) : sqlite3_errstr(c.rc));
	if (c.rc == SQLITE_OK)
		return c.db;
	sqlite3_close(c.db);
	return NULL;
}
