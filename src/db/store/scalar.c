#include "db/store/scalar.h"

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/model/significance.h"
#include "db/store/connection.h"
#include "util/mem.h"

/* Every text is short, so that no single operation takes long; nothing loops, as there is no table
 * and no second SELECT. The handler below looks at the clock all the same. */
static const struct { int limit, value; } limits[] = {
	{ SQLITE_LIMIT_LENGTH, 2000 },
	{ SQLITE_LIMIT_SQL_LENGTH, SCALAR_MAX_SQL + 100 },
	{ SQLITE_LIMIT_COLUMN, 4 },
	{ SQLITE_LIMIT_EXPR_DEPTH, 100 },
	{ SQLITE_LIMIT_COMPOUND_SELECT, 1 },
	{ SQLITE_LIMIT_VDBE_OP, 10000 },
	{ SQLITE_LIMIT_FUNCTION_ARG, 20 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 },
	{ SQLITE_LIMIT_VARIABLE_NUMBER, SCALAR_MAX_PARAMETERS },
	{ SQLITE_LIMIT_TRIGGER_DEPTH, 0 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

enum { OPERATIONS_PER_LOOK = 100, RUNS_PER_LOOK = 256 };

struct scalar {
	sqlite3 *db;
	sqlite3_stmt *st;
	char **functions;        /* that may be called */
	size_t nr_functions, functions_alloc;
	int selects;             /* seen while preparing: there must be one, ours */
	const char *refused;     /* by the authorizer, static or in refused_name */
	char refused_name[64];
	uint64_t deadline_ns;    /* CPU time of this thread */
	unsigned runs;
	bool late;
};

static uint64_t
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int
is_late(void *context)
{
	struct scalar *s = context;

	if (cpu_ns() > s->deadline_ns)
		s->late = true;
	return s->late;
}

/* ---- functions ---- */

static bool
any_null(int nr, sqlite3_value **v)
{
	for (int i = 0; i < nr; i++) {
		if (sqlite3_value_type(v[i]) == SQLITE_NULL)
			return true;
	}
	return false;
}

static void
call_ratio(sqlite3_context *c, int nr, sqlite3_value **v)
{
	double x = sqlite3_value_double(v[0]), y = sqlite3_value_double(v[1]);

	if (!any_null(nr, v) && (x != 0 || y != 0))
		sqlite3_result_double(c, x / y);
}

static void
call_share(sqlite3_context *c, int nr, sqlite3_value **v)
{
	double x = sqlite3_value_double(v[0]), total = sqlite3_value_double(v[1]);

	if (!any_null(nr, v) && total != 0)
		sqlite3_result_double(c, 100 * x / total);
}

static void
call_growth(sqlite3_context *c, int nr, sqlite3_value **v)
{
	double x[4];

	for (int i = 0; i < 4; i++)
		x[i] = sqlite3_value_double(v[i]);
	if (!any_null(nr, v) && x[0] > 0 && x[1] > 0 && x[2] > 0 && x[3] > 0 && x[2] != x[3])
		sqlite3_result_double(c, log(x[1] / x[0]) / log(x[3] / x[2]));
}

static void
call_significance(sqlite3_context *c, int nr, sqlite3_value **v)
{
	double x[6];

	for (int i = 0; i < 6; i++)
		x[i] = sqlite3_value_double(v[i]);
	/* It varies without bounds: nobody knows. A profile without samples has no time of one: as
	 * long as those of the other. */
	if (isinf(x[3] + x[5]))
		return;
	if (!any_null(nr, v) && x[0] >= 0 && x[1] >= 0 && (x[2] > 0 || x[4] > 0))
		sqlite3_result_double(c, significance(x[0], x[1], x[2] > 0 ? x[2] : x[4],
						      x[4] > 0 ? x[4] : x[2], x[3] + x[5]));
	else if (!any_null(nr, v) && x[0] == x[1])
		sqlite3_result_double(c, 0);
}

static const struct {
	const char *name;
	int arguments;
	void (*call)(sqlite3_context *c, int nr, sqlite3_value **v);
} own[] = {
	{ "ratio", 2, call_ratio }, { "share", 2, call_share }, { "growth", 4, call_growth },
	{ "significance", 6, call_significance },
	{ "signif", 6, call_significance }, /* its name in expressions that were stored before */
};

/* Refused are functions that do not give the same value each time, and those that make texts of any
 * length: printf('%.*c', 1000000000, 'x') counts to the end, whatever limits the length. */
static const char *const unfit[] = {
	"load_extension", "fts3_tokenizer", "random", "randomblob", "zeroblob", "changes",
	"total_changes", "last_insert_rowid", "current_time", "current_date", "current_timestamp",
	"printf", "format",
};

static bool
is_unfit(const char *name)
{
	for (size_t i = 0; i < sizeof(unfit) / sizeof(unfit[0]); i++) {
		if (!sqlite3_stricmp(unfit[i], name))
			return true;
	}
	return false;
}

static void
allow(struct scalar *s, const char *name)
{
	GROW(s->functions, s->nr_functions + 1, s->functions_alloc);
	s->functions[s->nr_functions++] = xstrdup(name);
}

/* Allows SQLite's own scalar functions that have no side effects, and ours. */
static int
allow_functions(struct scalar *s)
{
	static const char sql[] =
		"SELECT DISTINCT name FROM pragma_function_list "
		"WHERE type = 's' AND builtin AND flags & 0x200000";
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return -1;
	while (sqlite3_step(st) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);

		if (name && !is_unfit(name))
			allow(s, name);
	}
	if (sqlite3_finalize(st) != SQLITE_OK)
		return -1;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		allow(s, own[i].name);
		if (sqlite3_create_function_v2(s->db, own[i].name, own[i].arguments,
					       SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
					       own[i].call, NULL, NULL, NULL) != SQLITE_OK)
			return -1;
	}
	return 0;
}

static int
authorize(void *context, int action, const char *first, const char *second, const char *database,
	  const char *trigger)
{
	struct scalar *s = context;

	(void)first, (void)database, (void)trigger;
	if (action == SQLITE_SELECT && s->selects++ == 0)
		return SQLITE_OK;
	if (action != SQLITE_FUNCTION || !second) {
		s->refused = "one expression over figures is wanted, without tables";
		return SQLITE_DENY;
	}
	for (size_t i = 0; i < s->nr_functions; i++) {
		if (!sqlite3_stricmp(s->functions[i], second))
			return SQLITE_OK;
	}
	snprintf(s->refused_name, sizeof(s->refused_name), "%s() may not be called here", second);
	s->refused = s->refused_name;
	return SQLITE_DENY;
}

/* ---- opening ---- */

static int
connect(struct scalar *s)
{
	if (sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
						SQLITE_OPEN_MEMORY, NULL) != SQLITE_OK)
		return -1;
	if (allow_functions(s))
		return -1;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(s->db, limits[i].limit, limits[i].value);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_set_authorizer(s->db, authorize, s);
	sqlite3_progress_handler(s->db, OPERATIONS_PER_LOOK, is_late, s);
	return 0;
}

static const char select_begin[] = "SELECT (", select_end[] = "\n)";

static int
prepare(struct scalar *s, const char *expression, struct error *err, int *place)
{
	struct strbuf sql = STRBUF_INIT;
	const char *rest = NULL;
	int rc, result = 0;

	strbuf_str(&sql, select_begin);
	strbuf_str(&sql, expression);
	strbuf_str(&sql, select_end);
	rc = sqlite3_prepare_v3(s->db, sql.buf, (int)sql.len + 1, SQLITE_PREPARE_PERSISTENT,
				&s->st, &rest);
	if (rc != SQLITE_OK) {
		*place = sql_error_place(s->db);
		if (*place >= 0)
			*place -= (int)sizeof(select_begin) - 1;
		result = error_set(err, "%s", s->refused ? s->refused : sqlite3_errmsg(s->db));
	} else if (!s->st || sqlite3_column_count(s->st) != 1 || (rest && *rest)) {
		result = error_set(err, "one expression is wanted, and nothing behind it");
	}
	strbuf_release(&sql);
	return result;
}

struct scalar *
scalar_open(const char *expression, int nr, struct error *err, int *place)
{
	struct scalar *s = xcalloc(1, sizeof(*s));

	*place = -1;
	scalar_deadline(s, 1000);
	if (strlen(expression) > SCALAR_MAX_SQL)
		error_set(err, "the expression is too long");
	else if (connect(s))
		error_set(err, "SQLite does not start: %s",
			  s->db ? sqlite3_errmsg(s->db) : "out of memory");
	else if (!prepare(s, expression, err, place)) {
		if (sqlite3_bind_parameter_count(s->st) > nr)
			error_set(err, "a parameter without a value");
		else
			return s;
	}
	scalar_close(s);
	return NULL;
}

void
scalar_close(struct scalar *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->st);
	sqlite3_close(s->db);
	for (size_t i = 0; i < s->nr_functions; i++)
		free(s->functions[i]);
	free(s->functions);
	free(s);
}

/* ---- evaluating ---- */

void
scalar_deadline(struct scalar *s, unsigned ms)
{
	s->deadline_ns = cpu_ns() + (uint64_t)ms * 1000000;
	s->late = false;
}

void
scalar_bind(struct scalar *s, int i, const struct scalar_value *value)
{
	switch (value->type) {
	case SCALAR_INTEGER:
		sqlite3_bind_int64(s->st, i, value->integer);
		break;
	case SCALAR_REAL:
		sqlite3_bind_double(s->st, i, value->real);
		break;
	case SCALAR_TEXT:
		sqlite3_bind_text(s->st, i, value->text, -1, SQLITE_STATIC);
		break;
	case SCALAR_NULL:
		sqlite3_bind_null(s->st, i);
		break;
	}
}

static int
take_value(struct scalar *s, struct scalar_value *value, struct error *err)
{
	switch (sqlite3_column_type(s->st, 0)) {
	case SQLITE_NULL:
		value->type = SCALAR_NULL;
		return 0;
	case SQLITE_INTEGER:
		value->type = SCALAR_INTEGER;
		value->integer = sqlite3_column_int64(s->st, 0);
		return 0;
	case SQLITE_FLOAT:
		value->type = SCALAR_REAL;
		value->real = sqlite3_column_double(s->st, 0);
		return 0;
	default:
		return error_set(err, "the expression gives a text, not a number");
	}
}

int
scalar_run(struct scalar *s, struct scalar_value *value, struct error *err)
{
	int rc, result = 0;

	if (s->runs++ % RUNS_PER_LOOK == 0)
		is_late(s);
	rc = s->late ? SQLITE_INTERRUPT : sqlite3_step(s->st);
	if (rc == SQLITE_ROW)
		result = take_value(s, value, err);
	else if (s->late)
		result = error_set(err, "the expression takes too long");
	else
		result = error_set(err, "%s", sqlite3_errmsg(s->db));
	sqlite3_reset(s->st);
	return result;
}
