/* How the user wants tables to begin. */
#ifndef CGVIEW_TUI_PREFERENCE_H
#define CGVIEW_TUI_PREFERENCE_H

#include <stdbool.h>

struct column_choice;
struct table;

/* The table TABLE ("call-sites") begins sorted by COLUMN (its head or its name in csv), REVERSE:
 * the other way round than a key would sort it. False: no such table, or column, or not one to sort
 * by. */
bool preference_sort(const char *table, const char *column, bool reverse);

/* COLUMN is shown whatever room there is. False: no such table or column. */
bool preference_column(const char *table, const char *column);

/* The table has the columns that were given to this function, in their order, and no others. */
bool preference_only_column(const char *table, const char *column);

/* T has taken its kind: sorted as the user wants. */
void preference_sort_apply(struct table *t);
/* CHOICE is as the kind says: now as the user wants. */
void preference_columns_apply(struct column_choice *choice);

#endif
