/* The compilers that cgcc calls, and the plugins that fit them. */
#ifndef CGVIEW_CGCC_PLUGIN_H
#define CGVIEW_CGCC_PLUGIN_H

#include <stddef.h>

#include "util/mem.h"

/* The words of a command; behind the last one is NULL once there is one. */
struct arguments {
	const char **items;
	size_t nr, alloc;
};

static inline void
add(struct arguments *a, const char *text)
{
	GROW(a->items, a->nr + 2, a->alloc);
	a->items[a->nr++] = text;
	a->items[a->nr] = NULL;
}

/* Returns what PROGRAM says, at most PATH_MAX bytes, when it is asked QUESTION, which ends with
 * NULL; heap. NULL: it failed. */
char *ask(const char *program, const char *const *question);

/* Returns the path of the plugin for COMPILER; heap. PARTS: the folder of our parts. The program
 * ends when there is none. */
char *plugin_for(const char *parts, const char *compiler);

/* Adds to FOLDERS those with plugins that were built later (plugin_build()), for compilers that
 * those in PARTS do not fit: in PARTS itself and in the user's cache, if they are there. */
void plugin_built_folders(struct arguments *folders, const char *parts);

/* Returns what tells this plugin, with the release, from all others. */
const char *plugin_key(void);

/* Builds the plugin for COMPILER of the sources that are installed, into such a folder. The program
 * ends when that cannot be done. */
void plugin_build(const char *parts, const char *compiler);

#endif
