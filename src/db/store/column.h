/* Inside src/db only: reads the columns of a profile's rows, and believes what can be true. The
 * type is asked before a value is read, and SQLite refuses longer values than SCHEMA_VALUE_MAX
 * before it reads them. An id must be that of a row that can be there, a count must not be
 * negative, a place must have a begin and not end before it. Anything else makes the profile
 * damaged (profile_error()) and is read as nothing: 0, the first word, a place without a file. */
#ifndef CGVIEW_DB_COLUMN_H
#define CGVIEW_DB_COLUMN_H

#include <sqlite3.h>
#include <stdbool.h>

#include "db/store/profile.h"

/* Learns which ids there are, once, when P is opened. Returns false when they cannot be those of a
 * profile, or with profile_error(). */
bool column_learn_ids(struct profile *p);

/* Returns the greatest id in TABLE. */
model_id column_last_id(const struct profile *p, enum table_id table);

/* Was something in the last row (profile_step()) not believed? Code that keeps whole rows leaves
 * such a row out. */
bool column_row_is_damaged(const struct profile *p);

/* Return what a query worked out, or what is checked elsewhere; 0 for what is no number. */
int64_t column_integer(sqlite3_stmt *st, int i);
double column_real(sqlite3_stmt *st, int i);
uint64_t column_count(struct profile *p, sqlite3_stmt *st, int i);
int64_t column_figure(struct profile *p, sqlite3_stmt *st, int i); /* of a measure, with its sign */
/* Returns for which ids, as bits, TABLE has columns of self figures, or TOTAL ones. A formula has
 * nothing stored. */
uint64_t column_figure_ids(const struct profile *p, enum table_id table, bool total);
/* Appends the name of the column of ID. */
void column_figure_name(const struct profile *p, bool total, unsigned id, struct strbuf *sql);
/* Reads all these of TABLE, in the order of the ids, from column I on. Returns the column behind
 * them. */
int column_figures(struct profile *p, sqlite3_stmt *st, int i, enum table_id table, bool total,
		   int64_t figures[NR_ROW_FIGURES]);
/* The same for measures whose formulas lines have: reads their values. */
void column_values(struct profile *p, sqlite3_stmt *st, int i, int64_t figures[NR_ROW_FIGURES]);
uint32_t column_u32(struct profile *p, sqlite3_stmt *st, int i);
/* Reads the id of a row of TABLE; 0 for NULL, and for 0 where that means no cycle. */
model_id column_id(struct profile *p, sqlite3_stmt *st, int i, enum table_id table);
/* Returns the position of the column's text in WORDS (NULL at the end). */
int column_word(struct profile *p, sqlite3_stmt *st, int i, const char *const *words);
/* Reads a place from five columns, I and on: file, line, column, end_line, end_column. Without a
 * file there is no place. */
void column_place(struct profile *p, sqlite3_stmt *st, int i, struct place *place);
/* Reads the place of a compared thing from five columns: it may also be a file, or a line. */
void column_compared_place(struct profile *p, sqlite3_stmt *st, int i, struct place *place);
/* Checks a place whose five columns stand anywhere (-1: there is no such column). */
void column_check_place(struct profile *p, sqlite3_stmt *st, const int columns[5]);
/* The greatest line and column: the compiler's limit, and one more fits. */
enum { COLUMN_LINE_MAX = INT32_MAX };

/* Returns a text, never NULL, valid until the statement moves. At most PROFILE_TEXT_MAX bytes are
 * looked at. *LENGTH gets its bytes, cut before an incomplete character. */
enum { PROFILE_TEXT_MAX = 4096 };
const char *column_text(sqlite3_stmt *st, int i, size_t *length);

/* Returns bytes, valid until the statement moves; NULL for NULL. Only steps between
 * profile_large_values() give long ones. */
const void *column_blob(struct profile *p, sqlite3_stmt *st, int i, size_t *length);

#endif
