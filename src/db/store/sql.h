/* Executes a query of the user on a profile: one SELECT, on a connection of its own that can only
 * read, limited in time and memory. */
#ifndef CGVIEW_DB_SQL_H
#define CGVIEW_DB_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

enum sql_type { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BLOB };

struct sql_cell {
	enum sql_type type;
	int64_t integer;     /* SQL_INTEGER; of SQL_BLOB the number of bytes */
	double real;         /* SQL_REAL, and SQL_INTEGER once more */
	const char *text;    /* as SQLite writes it; "" for SQL_NULL and SQL_BLOB; raw bytes from
	                      * outside: pass it through util/text/safe.h */
	size_t length;       /* of text, which may have NULs in it, and none at its end */
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

/* Runs SQL on the profile at PATH. Returns -1 and PROBLEM; rows may have been given before. */
int sql_run(const char *path, const char *sql, const struct sql_limits *limits,
	    struct sql_problem *problem);

/* Begins a query in slices. Returns NULL and PROBLEM; otherwise columns() has been called. */
struct sql_query;
struct sql_query *sql_begin(const char *path, const char *sql, const struct sql_limits *limits,
			    struct sql_problem *problem);
/* Gives rows until all were given, no more are wanted, or ENOUGH(CONTEXT) (NULL: never), which is
 * asked after each row, says so. */
enum sql_state { SQL_FAILED, SQL_DONE, SQL_MORE };
enum sql_state sql_work(struct sql_query *q, bool (*enough)(void *context), void *context,
			struct sql_problem *problem);
void sql_close(struct sql_query *q);

/* Appends the value of CELL, raw: its text; "<12 bytes>" for a blob. */
struct strbuf;
void sql_cell_text(const struct sql_cell *cell, struct strbuf *out);

/* A query that lists all tables and their columns. */
extern const char sql_tables[];

#endif
