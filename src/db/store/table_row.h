/* Inside src/db only: SQL for whole rows of the tables, and the reading of these. */
#ifndef CGVIEW_DB_TABLE_ROW_H
#define CGVIEW_DB_TABLE_ROW_H

#include <sqlite3.h>

#include "db/model/table.h"
#include "db/store/profile.h"

/* Appends "CREATE TABLE ..." for the schema of a profile with these measures. */
void table_create_sql(const struct table *t, struct measures others, struct strbuf *sql);
/* Appends "INSERT INTO ... VALUES (?,...)", with the id first where the table has one. */
void table_insert_sql(const struct table *t, struct measures others, struct strbuf *sql);

/* The columns of a table that are wanted: those with a flag, the named ones, or all that the model
 * needs. */
struct table_select {
	enum table_id table;
	const char *const *names; /* ends with NULL; NULL: no names */
	enum table_column_flag flag; /* in place of names; 0: none */
	bool solved;              /* without names: COLUMN_SOLVED, too */
};
/* Is column C of its table wanted? */
bool table_is_selected(const struct table_select *s, const struct table_column *c);
/* Appends "SELECT id, ... FROM ... ORDER BY id". */
void table_select_sql(const struct table_select *s, struct measures others, struct strbuf *sql);
/* Reads the current row of ST, of that query, into ROW (zeroed), its texts into ARENA. Returns
 * false when a needed id is missing. What cannot be true makes P damaged, as in column.h. */
bool table_read(struct profile *p, sqlite3_stmt *st, const struct table_select *s,
		struct arena *arena, void *row);

#endif
