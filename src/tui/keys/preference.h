/* The user's wishes for how tables begin. */
#ifndef CGVIEW_TUI_PREFERENCE_H
#define CGVIEW_TUI_PREFERENCE_H

#include <stdbool.h>

struct column_choice;
struct table;

/* Makes the table TABLE ("call-sites") begin sorted by COLUMN (its head or its name in csv),
 * REVERSE: the other way round than a key would sort it. Returns false when there is no such table,
 * or column, or it cannot sort. */
bool preference_sort(const char *table, const char *column, bool reverse);

/* Shows COLUMN whatever the room. Returns false when there is no such table or column. */
bool preference_column(const char *table, const char *column);

/* Gives the table the columns of the calls of this function, in their order, and no others. */
bool preference_only_column(const char *table, const char *column);

/* Sorts T, which has taken its kind, as the user wants. */
void preference_sort_apply(struct table *t);
/* Changes CHOICE from the kind's to the user's. */
void preference_columns_apply(struct column_choice *choice);

#endif
