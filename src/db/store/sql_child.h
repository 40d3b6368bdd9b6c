/* Inside src/db only: the process that executes a query of the user (db/store/sql.h). Its messages
 * to the parent are each an enum sql_message, the length of the data, and the data. */
#ifndef CGVIEW_DB_SQL_CHILD_H
#define CGVIEW_DB_SQL_CHILD_H

#include "db/store/sql.h"

enum sql_message {
	SQL_COLUMNS, /* the names, each with its NUL */
	SQL_ROW,     /* for each column a struct sql_packed and its text */
	SQL_END,     /* nothing: there are no more rows */
	SQL_PROBLEM, /* the position (int64_t) and the text */
};

struct sql_head { uint32_t message, bytes; };
struct sql_packed {
	int64_t integer;
	double real;
	uint32_t length;
	uint8_t type, cut;
};

enum {
	SQL_LONGEST_VALUE = 8 << 20, /* bytes of a text or blob while it works */
	SQL_MOST_MEMORY = 256 << 20, /* of SQLite as a whole: it sorts in memory */
};

/* Executes SQL on the profile at PATH, and writes to FD, no more than CELL bytes of each text (0:
 * all). Never returns. */
void sql_child(int fd, const char *path, const char *sql, size_t cell) __attribute__((noreturn));

#endif
