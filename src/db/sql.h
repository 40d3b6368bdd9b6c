/* A query of the user's own on a profile: one SELECT, on a connection of its own that can only
 * read, for as long as it may take, within a bounded amount of memory. */
#ifndef CGVIEW_DB_SQL_H
#define CGVIEW_DB_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

enum sql_type { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BLOB };

struct sql_cell {
	enum sql_type type;
	int64_t integer;     /* SQL_INTEGER; SQL_BLOB: bytes */
	double real;         /* SQL_REAL, and SQL_INTEGER once more */
	const char *text;    /* as SQLite writes it; "" for SQL_NULL and SQL_BLOB; raw bytes from
	                      * outside: pass it through util/safe.h */
	size_t length;       /* of text; there may be NULs in it, and none behind it */
	bool cut;            /* it is longer than was asked for */
};

enum { SQL_MAX_COLUMNS = 64 };

struct sql_limits {
	double seconds;      /* of CPU time, at most */
	size_t cell;         /* bytes of a text, at most; 0: 8 MB */
	bool (*stop)(void *arg); /* asked again and again: stop now? May be NULL */
	bool (*row)(void *arg, const struct sql_cell *cells); /* false: no more rows are wanted */
	void (*columns)(void *arg, int nr, const char *const *names); /* once, before the rows */
	void *arg;
};

struct sql_problem {
	struct error error;  /* one line, without the name of the profile */
	ptrdiff_t at;        /* byte of the query that it is about, -1: none */
	bool stopped;        /* by stop() */
};

/* Run SQL on the profile at PATH. -1: PROBLEM tells why; rows may have been given before that. */
int sql_run(const char *path, const char *sql, const struct sql_limits *limits,
	    struct sql_problem *problem);

/* The same in slices. NULL: PROBLEM tells why; columns() has been called otherwise. */
struct sql_query;
struct sql_query *sql_begin(const char *path, const char *sql, const struct sql_limits *limits,
			    struct sql_problem *problem);
/* Go on giving rows until all were given, no more are wanted or ENOUGH(CONTEXT) (NULL: never),
 * which is asked after each row, says so. */
enum sql_state { SQL_FAILED, SQL_DONE, SQL_MORE };
enum sql_state sql_work(struct sql_query *q, bool (*enough)(void *context), void *context,
			struct sql_problem *problem);
void sql_close(struct sql_query *q);

/* Append what CELL says, raw: its text; "<12 bytes>" for a blob. */
struct strbuf;
void sql_cell_text(const struct sql_cell *cell, struct strbuf *out);

/* A query that lists all tables and their columns. */
extern const char sql_tables[];

#endif
