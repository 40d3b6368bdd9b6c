/* Paths as text; nothing here looks at the disk. */
#ifndef CGVIEW_UTIL_PATH_H
#define CGVIEW_UTIL_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Does GLOB match the whole path, or any end of it that begins with a component (so that "lvm.c"
 * needs no directory)? A star matches slashes, too. */
bool path_matches(const char *glob, const char *path);

/* Is the file PATH in DIRECTORY or below it? "/" has all absolute paths, "." all others. */
bool path_is_in(const char *directory, const char *path);

/* Returns how many bytes of PATH name the directory of the file, without the slash at its end but
 * for "/" itself; 0: none is named. */
size_t path_directory(const char *path);

/* Returns what stands behind the last slash of PATH; all of PATH when that is nothing. */
const char *path_base(const char *path);

#endif
