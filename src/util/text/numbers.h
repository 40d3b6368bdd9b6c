/* Numbers as users type them: lists, "2, 5-7", and times, "1.5s". */
#ifndef CGVIEW_UTIL_NUMBERS_H
#define CGVIEW_UTIL_NUMBERS_H

#include <stddef.h>

/* Reads the next part of *LIST, which is moved behind it: FROM..TO, equal for a number alone; a
 * number that is too large becomes SIZE_MAX. Returns 1; 0 at the end of the list; -1: it is no such
 * list. */
int numbers_next(const char **list, size_t *from, size_t *to);

/* Returns the nanoseconds that TEXT tells, as 1.5s, 20ms, 3us, 100ns; below 0: it is no time. */
double numbers_time(const char *text);

#endif
