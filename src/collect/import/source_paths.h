/* Where the text of a source is looked for: sources may have moved since the program was built, and
 * generated code names them as seen from another directory. */
#ifndef CGVIEW_COLLECT_SOURCE_PATHS_H
#define CGVIEW_COLLECT_SOURCE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

struct source_paths {              /* what the user said; all zero: nothing */
	struct source_path *items;
	size_t nr, alloc;
};

/* Add OLD=NEW (what lies in OLD lies in NEW now) or a directory to look in. -1: it is neither. */
int source_paths_add(struct source_paths *p, const char *text);
void source_paths_release(struct source_paths *p);

struct source_wanted {
	const char *path;          /* as the profile calls it */
	const char *directory;     /* in which the compiler worked; NULL: not known */
	const char *name;          /* what the compiler called it there */
	const char *const *beside; /* paths of files that are compiled together with it */
	size_t nr_beside;
};

/* Calls TRY with one place after the other where the text may be, until it returns true: PATH; the
 * name as seen from the compiler's directory, from those of the files beside it and from their
 * parents; the ends of PATH in the directories that P has. Each is tried first as P's OLD=NEW
 * change it. GUESSED: another file could have such a name, too. P may be NULL. Nothing here looks
 * at the disk. Returns false when there are no more. */
bool source_paths_try(const struct source_paths *p, const struct source_wanted *w,
		      bool (*try)(void *ctx, const char *place, bool guessed), void *ctx);

#endif
