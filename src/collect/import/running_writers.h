/* Finds processes that still write raw profiles. */
#ifndef CGVIEW_COLLECT_RUNNING_WRITERS
#define CGVIEW_COLLECT_RUNNING_WRITERS

#include <stddef.h>

/* Returns how many processes, started since this one was, count into raw files that lie in
 * DIRECTORY (whose last part names no other directory, as from mkdtemp()). Zombies count nothing. 0
 * also when /proc cannot tell. */
size_t living_processes(const char *directory);

#endif
