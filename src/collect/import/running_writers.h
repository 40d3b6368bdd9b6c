/* Finds processes that still write raw profiles. */
#ifndef CGVIEW_COLLECT_RUNNING_WRITERS
#define CGVIEW_COLLECT_RUNNING_WRITERS

#include <stdbool.h>
#include <stddef.h>

/* The raw files of a directory that processes have mapped. */
struct mapped_raws {
	char **names;              /* without directories; one may be there several times */
	size_t nr, alloc;
	size_t nr_processes;       /* that have any of them */
	bool some_hidden;          /* some processes did not say what they have mapped */
};

/* Adds to M the raw files in DIRECTORY (whose last part names no other directory, as from
 * mkdtemp()) that processes count into which were started since this one was. Zombies count
 * nothing. Nothing is added when /proc cannot tell: some are hidden then. */
void mapped_raws_find(struct mapped_raws *m, const char *directory);
bool mapped_raws_has(const struct mapped_raws *m, const char *name);
void mapped_raws_release(struct mapped_raws *m);

/* Returns how many such processes there are. 0 also when /proc cannot tell. */
size_t living_processes(const char *directory);

#endif
