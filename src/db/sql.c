#include "db/sql.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/connection.h"
#include "util/mem.h"

enum {
	SLICE = 1000,                 /* operations of SQLite's machine between two looks */
	LONGEST_VALUE = 8 << 20,      /* bytes of a text or blob while it works */
	MOST_MEMORY = 256 << 20,      /* of SQLite altogether: sorting is done in memory */
};

const char sql_tables[] =
	"SELECT t.name AS \"table\", c.name AS \"column\", lower(c.type) AS type "
	"FROM pragma_table_list t JOIN pragma_table_info(t.name) c "
	"WHERE t.type IN ('table', 'virtual') AND t.schema = 'main' AND t.name NOT LIKE 'sqlite%' "
	"ORDER BY t.name, c.cid";

struct sql_query {
	struct sql_limits limits;
	struct profile *p;
	sqlite3_stmt *st;
	char *sql;
	int64_t left_ns, end_ns; /* CPU time that it still may take; when that is over */
	int64_t heap_limit;      /* that others have */
	bool late, stopped;
};

/* ---- what is allowed ---- */

static bool
allowed_pragma(const char *name)
{
	return name && (!strcmp(name, "table_info") || !strcmp(name, "table_list"));
}

/* Reading, and nothing else. */
static int
authorize(void *context, int action, const char *a, const char *b, const char *database,
	  const char *trigger)
{
	(void)context, (void)database, (void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return b && (!strcmp(b, "load_extension") || !strcmp(b, "fts3_tokenizer"))
		       ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		return allowed_pragma(a) ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

/* Virtual tables declare themselves, and prepare what they need, when they are first used; those
 * that are known by then need no permission for it. */
static void
know_virtual_tables(struct profile *p)
{
	static const char sql[] = "SELECT 1 FROM range_index, pragma_table_list, "
				  "pragma_table_info('run')";
	sqlite3_stmt *st = NULL;

	sqlite3_prepare_v2(p->db, sql, -1, &st, NULL);
	sqlite3_finalize(st);
}

static int64_t
cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int
is_over(void *context)
{
	struct sql_query *q = context;

	q->late = cpu_ns() >= q->end_ns;
	q->stopped = q->limits.stop && q->limits.stop(q->limits.arg);
	return q->late || q->stopped;
}

/* The limits are in force as long as it works. */
static void
begin_slice(struct sql_query *q)
{
	q->end_ns = cpu_ns() + q->left_ns;
	q->heap_limit = sqlite3_hard_heap_limit64(MOST_MEMORY);
}

static void
end_slice(struct sql_query *q)
{
	q->left_ns = q->end_ns - cpu_ns();
	sqlite3_hard_heap_limit64(q->heap_limit);
}

/* ---- the statement ---- */

static int
failed(struct sql_query *q, struct sql_problem *problem)
{
	int code = sqlite3_errcode(q->p->db) & 0xff;

	if (code == SQLITE_INTERRUPT && q->stopped) {
		problem->stopped = true;
		return error_set(&problem->error, "stopped");
	}
	if (code == SQLITE_INTERRUPT)
		return error_set(&problem->error, "it takes more than %g seconds of CPU time",
				 q->limits.seconds);
	if (code == SQLITE_NOMEM)
		return error_set(&problem->error, "it needs more than %d MB of memory",
				 MOST_MEMORY >> 20);
	if (code == SQLITE_AUTH)
		return error_set(&problem->error, "only SELECT is possible here");
	problem->at = sqlite3_error_offset(q->p->db);
	if (problem->at > (ptrdiff_t)strlen(q->sql))
		problem->at = -1;
	return error_set(&problem->error, "%s", sqlite3_errmsg(q->p->db));
}

/* What stands behind the statement: nothing, or -1 and told. */
static int
check_tail(const struct sql_query *q, const char *tail, struct sql_problem *problem)
{
	sqlite3_stmt *st = NULL;
	int rc;

	while (isspace((unsigned char)*tail) || *tail == ';')
		tail++;
	rc = sqlite3_prepare_v2(q->p->db, tail, -1, &st, NULL);
	sqlite3_finalize(st);
	/* A comment is no statement. */
	if (rc == SQLITE_OK && !st)
		return 0;
	problem->at = tail - q->sql;
	return error_set(&problem->error, "one query at a time");
}

static int
prepare(struct sql_query *q, struct sql_problem *problem)
{
	const char *tail;

	if (sqlite3_prepare_v2(q->p->db, q->sql, -1, &q->st, &tail) != SQLITE_OK)
		return failed(q, problem);
	if (!q->st)
		return error_set(&problem->error, "there is no query");
	if (!sqlite3_stmt_readonly(q->st) || !sqlite3_column_count(q->st))
		return error_set(&problem->error, "only SELECT is possible here");
	return check_tail(q, tail, problem);
}

static void
read_cell(sqlite3_stmt *st, int i, size_t most, struct sql_cell *cell)
{
	static const enum sql_type types[] = {
		[SQLITE_INTEGER] = SQL_INTEGER, [SQLITE_FLOAT] = SQL_REAL,
		[SQLITE_TEXT] = SQL_TEXT, [SQLITE_BLOB] = SQL_BLOB, [SQLITE_NULL] = SQL_NULL,
	};

	memset(cell, 0, sizeof(*cell));
	cell->type = types[sqlite3_column_type(st, i)];
	cell->text = "";
	if (cell->type == SQL_INTEGER)
		cell->integer = sqlite3_column_int64(st, i);
	if (cell->type == SQL_BLOB)
		cell->integer = sqlite3_column_bytes(st, i);
	if (cell->type == SQL_INTEGER || cell->type == SQL_REAL)
		cell->real = sqlite3_column_double(st, i);
	if (cell->type == SQL_NULL || cell->type == SQL_BLOB)
		return;
	cell->text = (const char *)sqlite3_column_text(st, i);
	cell->length = (size_t)sqlite3_column_bytes(st, i);
	if (!cell->text) {
		cell->text = "";
		cell->length = 0;
	}
	cell->cut = cell->length > most;
	if (!cell->cut)
		return;
	/* Not in the middle of a character. */
	cell->length = most;
	while (cell->length && (cell->text[cell->length] & 0xc0) == 0x80 &&
	       most - cell->length < 3)
		cell->length--;
}

void
sql_cell_text(const struct sql_cell *cell, struct strbuf *out)
{
	if (cell->type == SQL_BLOB)
		strbuf_fmt(out, "<%" PRId64 " bytes>", cell->integer);
	else
		strbuf_add(out, cell->text, cell->length);
	if (cell->cut)
		strbuf_str(out, "\342\200\246");
}

static void
tell_columns(sqlite3_stmt *st, const struct sql_limits *limits)
{
	const char *names[SQL_MAX_COLUMNS];
	int i, nr = sqlite3_column_count(st);

	for (i = 0; i < nr; i++) {
		names[i] = sqlite3_column_name(st, i);
		if (!names[i])
			names[i] = "";
	}
	limits->columns(limits->arg, nr, names);
}

static enum sql_state
give_rows(struct sql_query *q, bool (*enough)(void *context), void *context,
	  struct sql_problem *problem)
{
	struct sql_cell cells[SQL_MAX_COLUMNS];
	size_t most = q->limits.cell ? q->limits.cell : LONGEST_VALUE;
	int i, rc, nr = sqlite3_column_count(q->st);

	while ((rc = sqlite3_step(q->st)) == SQLITE_ROW) {
		for (i = 0; i < nr; i++)
			read_cell(q->st, i, most, &cells[i]);
		if (!q->limits.row(q->limits.arg, cells))
			return SQL_DONE;
		if (enough && enough(context))
			return SQL_MORE;
	}
	if (rc == SQLITE_DONE)
		return SQL_DONE;
	failed(q, problem);
	return SQL_FAILED;
}

/* ---- the whole ---- */

static void
limit_profile(struct sql_query *q)
{
	sqlite3_limit(q->p->db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
	sqlite3_limit(q->p->db, SQLITE_LIMIT_COLUMN, SQL_MAX_COLUMNS);
	know_virtual_tables(q->p);
	sqlite3_set_authorizer(q->p->db, authorize, NULL);
	sqlite3_progress_handler(q->p->db, SLICE, is_over, q);
}

struct sql_query *
sql_begin(const char *path, const char *sql, const struct sql_limits *limits,
	  struct sql_problem *problem)
{
	struct sql_query *q = xcalloc(1, sizeof(*q));
	int status;

	memset(problem, 0, sizeof(*problem));
	problem->at = -1;
	q->limits = *limits;
	q->left_ns = (int64_t)(limits->seconds * 1e9);
	q->sql = xstrdup(sql);
	q->p = profile_open(path, &problem->error);
	if (q->p) {
		limit_profile(q);
		begin_slice(q);
		status = prepare(q, problem);
		end_slice(q);
		if (!status) {
			tell_columns(q->st, limits);
			return q;
		}
	}
	sql_close(q);
	return NULL;
}

enum sql_state
sql_work(struct sql_query *q, bool (*enough)(void *context), void *context,
	 struct sql_problem *problem)
{
	enum sql_state state;

	begin_slice(q);
	state = give_rows(q, enough, context, problem);
	end_slice(q);
	return state;
}

void
sql_close(struct sql_query *q)
{
	if (!q)
		return;
	sqlite3_finalize(q->st);
	if (q->p)
		profile_close(q->p);
	free(q->sql);
	free(q);
}

int
sql_run(const char *path, const char *sql, const struct sql_limits *limits,
	struct sql_problem *problem)
{
	struct sql_query *q = sql_begin(path, sql, limits, problem);
	enum sql_state state = q ? sql_work(q, NULL, NULL, problem) : SQL_FAILED;

	sql_close(q);
	return state == SQL_DONE ? 0 : -1;
}
