/* Inside src/db only: what a row of a profile says, believed as far as it can be true. All that is
 * read of a profile is read through these: an id is that of a row that can be there, a count is
 * not negative, a place has a begin and does not end before it. What is not so makes the profile
 * damaged (profile_error()) and is read as nothing: 0, the first word, a place without a file. */
#ifndef CGVIEW_DB_COLUMN_H
#define CGVIEW_DB_COLUMN_H

#include <sqlite3.h>
#include <stdbool.h>

#include "db/profile.h"

/* Learn what ids there are, once, when P is opened. False: they cannot be those of a profile, or
 * profile_error(). */
bool column_learn_ids(struct profile *p);

/* The greatest id in TABLE. */
model_id column_last_id(const struct profile *p, enum id_of table);

/* Was something in the last row (profile_step()) not believed? Whoever keeps whole rows leaves such
 * a one out. */
bool column_row_is_damaged(const struct profile *p);

uint64_t column_count(struct profile *p, sqlite3_stmt *st, int i);
/* Those of the other measures, by slot, in columns from I on; of those with a formula nothing is
 * stored. Returns the column behind them. */
int column_figures(struct profile *p, sqlite3_stmt *st, int i, uint64_t figures[MEASURES_MAX]);
uint32_t column_u32(struct profile *p, sqlite3_stmt *st, int i);
/* Of a row of TABLE; 0 for NULL, and for 0 where a cycle is none. */
model_id column_id(struct profile *p, sqlite3_stmt *st, int i, enum id_of table);
/* The position in WORDS (NULL at the end). */
int column_word(struct profile *p, sqlite3_stmt *st, int i, const char *const *words);
/* Five columns from I on: file, line, column, end_line, end_column. Without a file there is no
 * place. */
void column_place(struct profile *p, sqlite3_stmt *st, int i, struct place *place);
/* The same of what was compared, which can also be a file, or a line of one. */
void column_compared_place(struct profile *p, sqlite3_stmt *st, int i, struct place *place);
/* The same of a place whose five columns stand anywhere (-1: it has none such). */
void column_check_place(struct profile *p, sqlite3_stmt *st, const int columns[5]);
/* The greatest line and column there may be: the compiler's, and one more fits. */
enum { COLUMN_LINE_MAX = INT32_MAX };

/* Texts are never NULL, and at most PROFILE_TEXT_MAX bytes are looked at. LENGTH: bytes, cut before
 * an incomplete character. Valid until the statement moves. */
enum { PROFILE_TEXT_MAX = 4096 };
const char *column_text(sqlite3_stmt *st, int i, size_t *length);

#endif
