/* How the user wants tables to begin. */
#ifndef CGVIEW_TUI_PREFERENCE_H
#define CGVIEW_TUI_PREFERENCE_H

#include <stdbool.h>

struct table;

/* The table TABLE ("call-sites") begins sorted by COLUMN (its head or its name in csv), REVERSE:
 * the other way round than a key would sort it. False: no such table, or column, or not one to sort
 * by. */
bool preference_sort(const char *table, const char *column, bool reverse);

/* COLUMN is shown whatever room there is. False: no such table or column. */
bool preference_column(const char *table, const char *column);

/* T has taken its kind: sort and columns as the user wants them. */
void preference_apply(struct table *t);

#endif
