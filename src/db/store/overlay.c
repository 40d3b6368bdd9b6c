#include "db/store/overlay.h"

#include <string.h>

#include "db/store/connection.h"

/* The columns of a table that are figures: FIGURE of the row that KEY names, as AS has it (its '@'
 * is the figure). */
struct figure_column {
	enum table_id table;
	const char *name, *key;
	enum overlay_figure figure;
	const char *as;            /* NULL: itself */
	enum { ALWAYS, COUNTED, TIMED } when; /* see overlay_source.lines_have_times */
};

#define HOW "iif(@, 'estimated', 'solved')"
static const struct figure_column columns[] = {
	{ TABLE_PROCEDURE, "calls", "id", OVERLAY_CALLS, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "lacking", "id", OVERLAY_CALLS_LACK, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "self_ns", "id", OVERLAY_SELF_NS, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "own_ns", "id", OVERLAY_SELF_NS, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "total_ns", "id", OVERLAY_TOTAL_NS, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "self_allocs", "id", OVERLAY_ALLOCS, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "self_bytes", "id", OVERLAY_BYTES, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "self_live_blocks", "id", OVERLAY_LIVE_BLOCKS, NULL, ALWAYS },
	{ TABLE_PROCEDURE, "self_live", "id", OVERLAY_LIVE, NULL, ALWAYS },
	{ TABLE_BLOCK, "count", "id", OVERLAY_BLOCK, NULL, ALWAYS },
	{ TABLE_BLOCK, "lacking", "id", OVERLAY_BLOCK_LACKS, NULL, COUNTED },
	{ TABLE_BLOCK, "self_ns", "id", OVERLAY_BLOCK_SELF_NS, NULL, TIMED },
	{ TABLE_SITE, "count", "block", OVERLAY_BLOCK, NULL, ALWAYS },
	{ TABLE_SITE, "lacking", "block", OVERLAY_BLOCK_LACKS, NULL, ALWAYS },
	{ TABLE_LINE, "count", "id", OVERLAY_LINE, NULL, ALWAYS },
	{ TABLE_LINE, "lacking", "id", OVERLAY_LINE_LACKS, NULL, COUNTED },
	{ TABLE_LINE, "self_ns", "id", OVERLAY_LINE_SELF_NS, NULL, TIMED },
	{ TABLE_ARC, "count", "id", OVERLAY_ARC, NULL, ALWAYS },
	{ TABLE_ARC, "lo", "id", OVERLAY_ARC_LO, NULL, ALWAYS },
	{ TABLE_ARC, "hi", "id", OVERLAY_ARC_HI, NULL, ALWAYS },
	{ TABLE_ARC, "how", "id", OVERLAY_ARC_ESTIMATED, HOW, ALWAYS },
	{ TABLE_RUN, "cpu_ns", "id", OVERLAY_RUN_CPU_NS, NULL, ALWAYS },
	{ TABLE_RUN, "wall_ns", "id", OVERLAY_RUN_WALL_NS, NULL, ALWAYS },
	{ TABLE_FILE, "count", "id", OVERLAY_FILE, NULL, ALWAYS },
	{ TABLE_FILE, "self_ns", "id", OVERLAY_FILE_SELF_NS, NULL, ALWAYS },
	{ TABLE_FILE, "uncounted_lines", "id", OVERLAY_FILE, "0", COUNTED },
	{ TABLE_FILE, "executed_lines", "id", OVERLAY_FILE_EXECUTED, NULL, ALWAYS },
	{ TABLE_RANGE, "self_ns", "block", OVERLAY_BLOCK_SELF_NS, NULL, TIMED },
};
enum { NR_COLUMNS = sizeof(columns) / sizeof(*columns) };

/* overlaid(figure, id) */
static void
overlaid(sqlite3_context *context, int nr, sqlite3_value **values)
{
	const struct profile *p = sqlite3_user_data(context);
	sqlite3_int64 id = sqlite3_value_int64(values[1]);

	(void)nr;
	sqlite3_result_int64(context, p->overlay.figure(p->overlay.context,
							sqlite3_value_int(values[0]),
							id > 0 && id <= UINT32_MAX ? (model_id)id
										   : 0));
}

static bool
is_overlaid(const struct profile *p, const struct figure_column *c)
{
	return c->when == ALWAYS || (c->when == TIMED) == p->overlay.lines_have_times;
}

static void
add_column(const struct profile *p, struct strbuf *sql, enum table_id table, const char *name)
{
	const struct figure_column *c = columns;
	const char *as;

	while (c < columns + NR_COLUMNS &&
	       (c->table != table || strcmp(c->name, name) || !is_overlaid(p, c)))
		c++;
	if (c == columns + NR_COLUMNS) {
		strbuf_str(sql, "t.");
		strbuf_str(sql, name);
		return;
	}
	for (as = c->as ? c->as : "@"; *as; as++)
		if (*as == '@') {
			strbuf_fmt(sql, "overlaid(%d, t.", (int)c->figure);
			strbuf_str(sql, c->key);
			strbuf_str(sql, ")");
		} else {
			strbuf_char(sql, *as);
		}
	strbuf_str(sql, " AS ");
	strbuf_str(sql, name);
}

static void
make_view(struct profile *p, enum table_id table)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "SELECT * FROM main.");
	strbuf_str(&sql, tables[table].name);
	st = profile_prepare(p, sql.buf);
	strbuf_clear(&sql);
	strbuf_str(&sql, "CREATE TEMP VIEW ");
	strbuf_str(&sql, tables[table].name);
	strbuf_str(&sql, " AS SELECT ");
	for (int i = 0; i < sqlite3_column_count(st); i++) {
		strbuf_str(&sql, i ? ", " : "");
		add_column(p, &sql, table, sqlite3_column_name(st, i));
	}
	strbuf_str(&sql, " FROM main.");
	strbuf_str(&sql, tables[table].name);
	strbuf_str(&sql, " t");
	sqlite3_finalize(st);
	profile_execute(p, sql.buf);
	strbuf_release(&sql);
}

void
profile_overlay(struct profile *p, const struct overlay_source *o)
{
	p->overlay = *o;
	if (sqlite3_create_function(p->db, "overlaid", 2, SQLITE_UTF8 | SQLITE_INNOCUOUS, p,
				    overlaid, NULL, NULL) != SQLITE_OK)
		BUG("overlaid: %s", sqlite3_errmsg(p->db));
	for (int i = 0; i < NR_COLUMNS; i++)
		if (is_overlaid(p, &columns[i]) &&
		    (!i || columns[i].table != columns[i - 1].table))
			make_view(p, columns[i].table);
	/* Threads come while it is open: they have rows of their own. */
	profile_execute(p, "CREATE TEMP TABLE part AS SELECT * FROM main.part");
}

void
profile_overlay_changed(struct profile *p, const struct profile_totals *t, uint64_t calls,
			const int64_t space[NR_OVERLAY_SPACE])
{
	struct model_measure *measures = (struct model_measure *)p->measures.items;

	p->totals = *t;
	measures[MEASURE_CALLS - 1].total = calls;
	measures[MEASURE_WORK - 1].total = t->blocks_executed;
	for (size_t i = 0; i < NR_OVERLAY_SPACE && i < p->others.nr; i++)
		measures[NR_BUILTIN_MEASURES + i].total = (uint64_t)space[i];
	memset(p->sums_known, 0, sizeof(p->sums_known));
}

void
profile_overlay_threads(struct profile *p, const struct overlay_thread *threads, size_t nr)
{
	sqlite3_stmt *st;

	profile_execute(p, "BEGIN");
	profile_execute(p, "DELETE FROM temp.part");
	st = profile_prepare(p, "INSERT INTO temp.part (id, run, pid, tid, name, rank, threads, "
				"tids, cpu_ns, samples, lost_samples, wait_ns, delay_ns) "
				"VALUES (?1, 1, ?2, ?3, ?4, -1, ?5, ?3, ?6, ?7, ?8, ?9, ?10)");
	for (size_t i = 0; st && i < nr; i++) {
		const struct overlay_thread *t = &threads[i];
		const int64_t numbers[] = { (int64_t)i + 1, t->pid, t->tid, 0, (int64_t)t->threads,
					    t->cpu_ns, t->samples, t->lost_samples, t->wait_ns,
					    t->delay_ns };

		sqlite3_reset(st);
		for (int k = 0; k < (int)(sizeof(numbers) / sizeof(*numbers)); k++)
			sqlite3_bind_int64(st, k + 1, numbers[k]);
		sqlite3_bind_text(st, 4, t->name, -1, SQLITE_STATIC);
		profile_step_anew(st);
		profile_step(p, st);
	}
	sqlite3_finalize(st);
	profile_execute(p, "COMMIT");
	p->last_id[TABLE_PART] = (model_id)nr;
	memset(p->sums_known, 0, sizeof(p->sums_known));
}
