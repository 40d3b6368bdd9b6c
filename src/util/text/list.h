/* Lists that people write: a line for each thing, a comment from a # on. */
#ifndef CGVIEW_UTIL_LIST_H
#define CGVIEW_UTIL_LIST_H

#include "util/error.h"

/* Reads all of PATH, which may be a pipe; heap. NULL: ERR. */
char *list_read(const char *path, struct error *err);
/* Returns the next line of the list from *NEXT on, without blanks around it and comments; empty
 * ones are left out. NUMBER, 0 before the first, is that of the line. NULL: there is none. */
char *list_next(char **next, int *number);

#endif
