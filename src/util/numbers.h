/* Lists of numbers, as users type them: "2, 5-7". */
#ifndef CGVIEW_UTIL_NUMBERS_H
#define CGVIEW_UTIL_NUMBERS_H

#include <stddef.h>

/* The next part of *LIST, which is moved behind it: FROM..TO, both the same for a number alone;
 * what is too large is SIZE_MAX. Returns 1; 0 at the end of the list; -1: it is no such list. */
int numbers_next(const char **list, size_t *from, size_t *to);

#endif
