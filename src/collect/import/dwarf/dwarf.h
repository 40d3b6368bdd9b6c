/* Positions and inlined calls of sampled addresses, from DWARF. The reading is done by a forked
 * child with limits, because libdwarf can be crashed by a damaged file; what it says is checked. */
#ifndef CGVIEW_COLLECT_DWARF_H
#define CGVIEW_COLLECT_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/import/elf/elf.h"
#include "util/error.h"
#include "util/mem.h"

struct dwarf_frame {            /* texts are "" and numbers 0 when unknown */
	const char *name, *linkage_name;
	const char *declared_file;          /* where the procedure is defined */
	uint32_t declared_line, declared_column;
	const char *file;                   /* where in it the address, or the inlined call, is */
	uint32_t line, column;
};

struct dwarf_address {
	uint64_t address;               /* link-time */
	const struct dwarf_frame *frames; /* innermost first: inlined procedures, then the one
					   * that they were inlined into; one without a name:
					   * only the line is known; NULL: nothing is */
	uint32_t nr_frames;
};

struct dwarf_extent { uint64_t address, size; }; /* link-time; of a symbol's code */

struct dwarf_code {             /* what of an extent the line table has for one line */
	uint32_t extent, line;
	const char *file;
	uint64_t bytes;
};

struct dwarf_module {
	const char *path;
	const struct elf *elf;   /* it, open; NULL: it is opened */
	const struct elf *debug; /* for dwarf_resolve() alone: what is read */
	const struct elf *common; /* likewise: what dwz has put there; or NULL */
	struct dwarf_address *addresses; /* sorted by address, no two equal */
	size_t nr_addresses;
	const struct dwarf_extent *extents; /* sorted, none overlaps another; may be none */
	size_t nr_extents;
	struct dwarf_code *code; /* of these; heap, the caller's */
	size_t nr_code, code_alloc;
	bool stripped;           /* having no debug information is no problem to tell */
};

/* Fill the frames of all addresses, and the code of each extent, at most its size.
 * Texts go to ARENA. Returns 0, or -1 when the debug information
 * could not be read to its end: ERR says why; what was found until then is filled in. When ERR is
 * unread, it was there and might be read the next time. */
int dwarf_resolve(struct dwarf_module *modules, size_t nr, struct arena *arena, struct error *err);

#endif
