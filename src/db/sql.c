#include "db/sql.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "db/connection.h"
#include "util/mem.h"

enum {
	SLICE = 10000,                /* operations of SQLite's machine between two looks */
	LONGEST_VALUE = 8 << 20,      /* bytes of a text or blob while it works */
	MOST_MEMORY = 256 << 20,      /* of SQLite altogether: sorting is done in memory */
};

const char sql_tables[] =
	"SELECT t.name AS \"table\", c.name AS \"column\", lower(c.type) AS type "
	"FROM pragma_table_list t JOIN pragma_table_info(t.name) c "
	"WHERE t.type IN ('table', 'virtual') AND t.schema = 'main' AND t.name NOT LIKE 'sqlite%' "
	"ORDER BY t.name, c.cid";

struct run {
	const struct sql_limits *limits;
	struct timespec end;
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

static int
is_over(void *context)
{
	struct run *r = context;
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	r->late = now.tv_sec > r->end.tv_sec ||
		  (now.tv_sec == r->end.tv_sec && now.tv_nsec >= r->end.tv_nsec);
	r->stopped = r->limits->stop && r->limits->stop(r->limits->arg);
	return r->late || r->stopped;
}

static void
set_end(struct run *r)
{
	double seconds = r->limits->seconds;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &r->end);
	r->end.tv_sec += (time_t)seconds;
	r->end.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (r->end.tv_nsec >= 1000000000) {
		r->end.tv_nsec -= 1000000000;
		r->end.tv_sec++;
	}
}

/* ---- the statement ---- */

static int
failed(struct profile *p, struct run *r, const char *sql, struct sql_problem *problem)
{
	int code = sqlite3_errcode(p->db) & 0xff;

	if (code == SQLITE_INTERRUPT && r->stopped) {
		problem->stopped = true;
		return error_set(&problem->error, "stopped");
	}
	if (code == SQLITE_INTERRUPT)
		return error_set(&problem->error, "it takes more than %g seconds of CPU time",
				 r->limits->seconds);
	if (code == SQLITE_NOMEM)
		return error_set(&problem->error, "it needs more than %d MB of memory",
				 MOST_MEMORY >> 20);
	if (code == SQLITE_AUTH)
		return error_set(&problem->error, "only SELECT is possible here");
	problem->at = sqlite3_error_offset(p->db);
	if (problem->at > (ptrdiff_t)strlen(sql))
		problem->at = -1;
	return error_set(&problem->error, "%s", sqlite3_errmsg(p->db));
}

/* What stands behind the statement: nothing, or -1 and told. */
static int
check_tail(struct profile *p, const char *sql, const char *tail, struct sql_problem *problem)
{
	sqlite3_stmt *st = NULL;
	int rc;

	while (isspace((unsigned char)*tail) || *tail == ';')
		tail++;
	rc = sqlite3_prepare_v2(p->db, tail, -1, &st, NULL);
	sqlite3_finalize(st);
	/* A comment is no statement. */
	if (rc == SQLITE_OK && !st)
		return 0;
	problem->at = tail - sql;
	return error_set(&problem->error, "one query at a time");
}

static sqlite3_stmt *
prepare(struct profile *p, struct run *r, const char *sql, struct sql_problem *problem)
{
	sqlite3_stmt *st = NULL;
	const char *tail;

	if (sqlite3_prepare_v2(p->db, sql, -1, &st, &tail) != SQLITE_OK) {
		failed(p, r, sql, problem);
		return NULL;
	}
	if (!st) {
		error_set(&problem->error, "there is no query");
		return NULL;
	}
	if (!sqlite3_stmt_readonly(st) || !sqlite3_column_count(st))
		error_set(&problem->error, "only SELECT is possible here");
	else if (!check_tail(p, sql, tail, problem))
		return st;
	sqlite3_finalize(st);
	return NULL;
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

static int
give_rows(struct profile *p, struct run *r, const char *sql, sqlite3_stmt *st,
	  struct sql_problem *problem)
{
	struct sql_cell cells[SQL_MAX_COLUMNS];
	size_t most = r->limits->cell ? r->limits->cell : LONGEST_VALUE;
	int i, rc, nr = sqlite3_column_count(st);

	tell_columns(st, r->limits);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		for (i = 0; i < nr; i++)
			read_cell(st, i, most, &cells[i]);
		if (!r->limits->row(r->limits->arg, cells))
			return 0;
	}
	return rc == SQLITE_DONE ? 0 : failed(p, r, sql, problem);
}

int
sql_run(const char *path, const char *sql, const struct sql_limits *limits,
	struct sql_problem *problem)
{
	struct run r = { .limits = limits };
	struct profile *p;
	sqlite3_stmt *st;
	int64_t before;
	int result = -1;

	memset(problem, 0, sizeof(*problem));
	problem->at = -1;
	p = profile_open(path, &problem->error);
	if (!p)
		return -1;
	sqlite3_limit(p->db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
	sqlite3_limit(p->db, SQLITE_LIMIT_COLUMN, SQL_MAX_COLUMNS);
	know_virtual_tables(p);
	sqlite3_set_authorizer(p->db, authorize, NULL);
	set_end(&r);
	sqlite3_progress_handler(p->db, SLICE, is_over, &r);
	before = sqlite3_hard_heap_limit64(MOST_MEMORY);
	st = prepare(p, &r, sql, problem);
	if (st)
		result = give_rows(p, &r, sql, st, problem);
	sqlite3_finalize(st);
	profile_close(p);
	sqlite3_hard_heap_limit64(before);
	return result;
}
