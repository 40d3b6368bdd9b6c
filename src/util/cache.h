/* The user's folder for what can be made again. */
#ifndef CGVIEW_UTIL_CACHE
#define CGVIEW_UTIL_CACHE

#include <stdbool.h>

/* Returns the folder of the cache, which may not be there yet; heap; NULL: there is no home. */
char *cache_path(void);

/* Makes the folder PATH, and those that it is in. Returns whether it is there and ours alone. */
bool cache_make_directory(char *path);

/* Is the folder PATH there, and ours alone, so that what is in it is what we put there? */
bool cache_is_ours(const char *path);

#endif
