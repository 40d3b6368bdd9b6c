#include "db/store/sql_child.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/connection.h"
#include "util/child.h"
#include "util/mem.h"

enum { BUFFER = 64 << 10 /* bytes that are written at a time */ };

struct worker {
	int fd;
	size_t cell;
	const char *sql;
	struct profile *p;
	sqlite3_stmt *st;
	struct strbuf out;
};

/* ---- writing ---- */

static void
flush(struct worker *w)
{
	ssize_t n;

	for (size_t i = 0; i < w->out.len; i += (size_t)n) {
		n = write(w->fd, w->out.buf + i, w->out.len - i);
		if (n <= 0)
			child_end(1); /* nobody wants it any more */
	}
	strbuf_clear(&w->out);
}

static void
head(struct worker *w, enum sql_message message, uint64_t bytes)
{
	struct sql_head h = { message, (uint32_t)bytes };

	strbuf_add(&w->out, &h, sizeof(h));
}

static void
fail(struct worker *w, int64_t at, const char *text)
{
	head(w, SQL_PROBLEM, sizeof(at) + strlen(text));
	strbuf_add(&w->out, &at, sizeof(at));
	strbuf_str(&w->out, text);
	flush(w);
	child_end(1);
}

/* ---- what is allowed ---- */

static bool
allowed_pragma(const char *name)
{
	return name && (!strcmp(name, "table_info") || !strcmp(name, "table_list"));
}

/* Allows reading, and nothing else. */
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

/* Virtual tables declare themselves and prepare their statements at their first use; those that are
 * known before the authorizer is set need no permission for it. */
static void
know_virtual_tables(struct profile *p)
{
	static const char sql[] = "SELECT 1 FROM pragma_table_list, pragma_table_info('run')";
	sqlite3_stmt *st = NULL;

	sqlite3_prepare_v2(p->db, sql, -1, &st, NULL);
	sqlite3_finalize(st);
}

/* The parent bounds the time: it can end this process whenever it wants. */
static void
limit_profile(struct profile *p)
{
	sqlite3_limit(p->db, SQLITE_LIMIT_LENGTH, SQL_LONGEST_VALUE);
	sqlite3_limit(p->db, SQLITE_LIMIT_COLUMN, SQL_MAX_COLUMNS);
	know_virtual_tables(p);
	sqlite3_set_authorizer(p->db, authorize, NULL);
	sqlite3_progress_handler(p->db, 0, NULL, NULL);
	sqlite3_hard_heap_limit64(SQL_MOST_MEMORY);
}

/* ---- the statement ---- */

static void
failed(struct worker *w)
{
	int code = sqlite3_errcode(w->p->db) & 0xff;
	ptrdiff_t at;
	char *text;

	if (code == SQLITE_NOMEM) {
		text = xasprintf("it needs more than %d MB of memory", SQL_MOST_MEMORY >> 20);
		fail(w, -1, text);
	}
	if (code == SQLITE_AUTH)
		fail(w, -1, "only SELECT is possible here");
	at = sql_error_place(w->p->db);
	fail(w, at > (ptrdiff_t)strlen(w->sql) ? -1 : at, sqlite3_errmsg(w->p->db));
}

/* Checks that nothing stands behind the statement. */
static void
check_tail(struct worker *w, const char *tail)
{
	sqlite3_stmt *st = NULL;
	int rc;

	while (isspace((unsigned char)*tail) || *tail == ';')
		tail++;
	rc = sqlite3_prepare_v2(w->p->db, tail, -1, &st, NULL);
	sqlite3_finalize(st);
	/* A comment is no statement. */
	if (rc != SQLITE_OK || st)
		fail(w, tail - w->sql, "one query at a time");
}

static void
prepare(struct worker *w)
{
	const char *tail;

	if (sqlite3_prepare_v2(w->p->db, w->sql, -1, &w->st, &tail) != SQLITE_OK)
		failed(w);
	if (!w->st)
		fail(w, -1, "there is no query");
	if (!sqlite3_stmt_readonly(w->st) || !sqlite3_column_count(w->st))
		fail(w, -1, "only SELECT is possible here");
	check_tail(w, tail);
}

static void
tell_columns(struct worker *w)
{
	struct strbuf names = STRBUF_INIT;
	const char *name;

	for (int i = 0; i < sqlite3_column_count(w->st); i++) {
		name = sqlite3_column_name(w->st, i);
		strbuf_str(&names, name ? name : "");
		strbuf_char(&names, '\0');
	}
	head(w, SQL_COLUMNS, names.len);
	strbuf_add(&w->out, names.buf, names.len);
	strbuf_release(&names);
	flush(w);
}

/* Returns how many bytes of TEXT are wanted, without a part of a character. */
static size_t
cut(const struct worker *w, const char *text, size_t length)
{
	size_t most = w->cell ? w->cell : SQL_LONGEST_VALUE;

	if (length <= most)
		return length;
	length = most;
	while (length && (text[length] & 0xc0) == 0x80 && most - length < 3)
		length--;
	return length;
}

static const char *
read_cell(const struct worker *w, int i, struct sql_packed *cell)
{
	static const enum sql_type types[] = {
		[SQLITE_INTEGER] = SQL_INTEGER, [SQLITE_FLOAT] = SQL_REAL,
		[SQLITE_TEXT] = SQL_TEXT, [SQLITE_BLOB] = SQL_BLOB, [SQLITE_NULL] = SQL_NULL,
	};
	const char *text;
	size_t length;

	memset(cell, 0, sizeof(*cell));
	cell->type = (uint8_t)types[sqlite3_column_type(w->st, i)];
	if (cell->type == SQL_INTEGER)
		cell->integer = sqlite3_column_int64(w->st, i);
	if (cell->type == SQL_BLOB)
		cell->integer = sqlite3_column_bytes(w->st, i);
	if (cell->type == SQL_INTEGER || cell->type == SQL_REAL)
		cell->real = sqlite3_column_double(w->st, i);
	if (cell->type == SQL_NULL || cell->type == SQL_BLOB)
		return "";
	text = (const char *)sqlite3_column_text(w->st, i);
	length = text ? (size_t)sqlite3_column_bytes(w->st, i) : 0;
	cell->length = (uint32_t)cut(w, text, length);
	cell->cut = cell->length < length;
	return text ? text : "";
}

static void
give_row(struct worker *w)
{
	int nr = sqlite3_column_count(w->st);
	struct sql_packed cells[SQL_MAX_COLUMNS];
	const char *texts[SQL_MAX_COLUMNS];
	uint64_t bytes = 0;

	for (int i = 0; i < nr; i++) {
		texts[i] = read_cell(w, i, &cells[i]);
		bytes += sizeof(cells[i]) + cells[i].length;
	}
	head(w, SQL_ROW, bytes);
	for (int i = 0; i < nr; i++) {
		strbuf_add(&w->out, &cells[i], sizeof(cells[i]));
		strbuf_add(&w->out, texts[i], cells[i].length);
	}
	if (w->out.len >= BUFFER)
		flush(w);
}

void
sql_child(int fd, const char *path, const char *sql, size_t cell)
{
	struct worker w = { .fd = fd, .cell = cell, .sql = sql, .out = STRBUF_INIT };
	struct error err = ERROR_INIT;
	int rc;

	w.p = profile_open(path, &err);
	if (!w.p)
		fail(&w, -1, err.text);
	limit_profile(w.p);
	prepare(&w);
	tell_columns(&w);
	while ((rc = sqlite3_step(w.st)) == SQLITE_ROW)
		give_row(&w);
	if (rc != SQLITE_DONE)
		failed(&w);
	head(&w, SQL_END, 0);
	flush(&w);
	child_end(0);
}
