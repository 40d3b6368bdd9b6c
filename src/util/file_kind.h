/* What a file is that is no profile of cgview, told by its first bytes: for messages. */
#ifndef CGVIEW_UTIL_FILE_KIND_H
#define CGVIEW_UTIL_FILE_KIND_H

#include <stddef.h>

enum { FILE_KIND_HEAD = 512 }; /* bytes that are looked at, at most */

/* Returns, heap, "PATH is WHAT: what to do with it" for a file that begins with the N bytes HEAD.
 * NULL: the file is of no kind that is known. PATH is from outside: the text is, too. */
char *file_kind_told(const char *path, const void *head, size_t n);

/* The same of what the file PATH, which can be anything, begins with. */
char *file_kind_of(const char *path);

#endif
