/* Where else programs, libraries and debug files lie, as the user said: for the whole process, as
 * all that reads files of programs looks there. */
#ifndef CGVIEW_COLLECT_IMPORT_PLACES_H
#define CGVIEW_COLLECT_IMPORT_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/import/elf/elf.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* The files of the system on which was recorded are below DIRECTORY, and nowhere else. */
void places_set_root(const char *directory);
/* Debug files are also below DIRECTORY, as they are below DEBUG_ROOT. */
void places_add_debug(const char *directory);

/* Returns where PATH, as it was recorded, is; heap. */
char *places_path(const char *path);
/* Like elf_open_for(), of the file that was recorded as PATH. */
int places_open(struct elf *e, const char *path, struct owners *owners, struct error *err);
/* Were files copied from elsewhere, so that they are others than those that were recorded? */
bool places_are_copies(void);
/* Returns what PATH, which is where it is, was recorded as. */
const char *places_recorded(const char *path);
/* Returns directory NUMBER, from 0 on, of those that debug files are below; heap, NULL: there are
 * no more. */
char *places_debug(size_t number);

#endif
