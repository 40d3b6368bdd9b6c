/* Finds the debug information of a program: in itself, or in a file of its own that it names
 * (.gnu_debuglink) or that stands under its build-id. */
#ifndef CGVIEW_COLLECT_DEBUG_FILE_H
#define CGVIEW_COLLECT_DEBUG_FILE_H

#include "collect/import/elf/elf.h"

/* Opens the separate debug file that belongs to PROGRAM and is of the same build, as PROGRAM's
 * owners may. 1: E is open. 0: there is none, or it needs none. -1 and ERR: it could not be
 * read. */
int debug_file_open(struct elf *e, const struct elf *program, struct error *err);

/* The same of the file into which dwz has put what OF, which has debug information, has in common
 * with other programs. */
int debug_file_open_common(struct elf *e, const struct elf *of, struct error *err);

#endif
