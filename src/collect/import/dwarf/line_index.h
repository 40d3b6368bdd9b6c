/* All line tables of a program, for one address after the other. It is read in this process, as
 * line_table.h reads only bytes of the sections, whatever they are. */
#ifndef CGVIEW_COLLECT_LINE_INDEX_H
#define CGVIEW_COLLECT_LINE_INDEX_H

#include <stdint.h>

#include "collect/import/elf/elf.h"

/* Returns the lines of E, which may be closed then; NULL: it has none, or too many. */
struct line_index *line_index_read(const struct elf *e);
void line_index_free(struct line_index *x); /* NULL is nothing */

/* Returns the path, heap, of the file that the code at ADDRESS (link-time) is from, and sets LINE.
 * NULL: it is not told, or not in full, as a relative path before version 5 of DWARF. */
char *line_index_at(const struct line_index *x, uint64_t address, uint32_t *line);

#endif
