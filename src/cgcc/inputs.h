/* The files in the compiler's command line: what GCC takes them for, and what is in them. */
#ifndef CGVIEW_CGCC_INPUTS
#define CGVIEW_CGCC_INPUTS

#include <stdbool.h>

#include "util/mem.h"

/* All that has no ending of a header or a source is for the linker. */
enum input { INPUT_OBJECT, INPUT_HEADER, INPUT_SOURCE, INPUT_ASSEMBLER, NR_INPUTS };

/* Returns what the file NAME is by its ending, without -x. */
enum input input_kind(const char *name);

/* Reads what is in the file PATH; false: there is none that the compiler would read. */
bool input_text(const char *path, struct strbuf *text);

/* Is there an instruction in the assembler file PATH that enters the kernel? It may also be a name,
 * or in a comment: that does no harm. */
bool input_names_entry(const char *path);

#endif
