/* Where else programs, libraries and debug files lie, as the user said: for the whole process, as
 * all that reads files of programs looks there. */
#ifndef CGVIEW_COLLECT_IMPORT_PLACES_H
#define CGVIEW_COLLECT_IMPORT_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/import/elf/elf.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* The files of the system on which was recorded are below DIRECTORY, and nowhere else. */
void places_set_root(const char *directory);
/* Debug files are also below DIRECTORY, as they are below DEBUG_ROOT. */
void places_add_debug(const char *directory);

/* Programs and libraries are also in DIRECTORY, by build id (.build-id/xx/yyyy, as GDB has them, or
 * as debuginfod's client keeps them) or by name; their debug files, too. */
void places_add_programs(const char *directory);

/* Returns where PATH, as it was recorded, is; heap. */
char *places_path(const char *path);
/* Like elf_open_for(), of the file that was recorded as PATH. */
int places_open(struct elf *e, const char *path, struct owners *owners, struct error *err);
/* Is E the build ID of LENGTH bytes? Zeros may be behind it. True where one of both has none. */
bool places_build_is(const struct elf *e, const uint8_t *id, size_t length);
/* Opens a copy of the build ID that was given (places_add_programs()) or is kept by perf or the
 * client of debuginfod. PATH is what it was called. False: there is none. */
bool places_open_copy(struct elf *e, const char *path, const uint8_t *id, size_t length,
		      struct owners *owners);
/* Like places_open(), but only what has exactly the build ID of LENGTH bytes: what is at PATH, or
 * else a copy. ERR tells what is wrong with PATH. */
int places_open_build(struct elf *e, const char *path, const uint8_t *id, size_t length,
		      struct owners *owners, struct error *err);
/* Returns the directory in which debuginfod's client keeps what it fetched; heap, or NULL. */
char *places_fetched(void);
/* Were files copied from elsewhere, so that they are others than those that were recorded? */
bool places_are_copies(void);
/* Returns what PATH, which is where it is, was recorded as. */
const char *places_recorded(const char *path);
/* Returns directory NUMBER, from 0 on, of those that debug files are below; heap, NULL: there are
 * no more. */
char *places_debug(size_t number);

#endif
