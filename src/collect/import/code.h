/* The machine code of procedures as text, with the places in the source that debug information has
 * for it. */
#ifndef CGVIEW_COLLECT_IMPORT_CODE_H
#define CGVIEW_COLLECT_IMPORT_CODE_H

#include "collect/import/dwarf/dwarf.h"

struct code_line {                 /* an instruction */
	uint64_t address;          /* link-time */
	const char *text;          /* as objdump has it; not made safe for a terminal */
	const struct dwarf_frame *frames; /* innermost first; see struct dwarf_address */
	uint32_t nr_frames;
	uint32_t part;             /* of which of the parts below */
};

struct code_part {                 /* a symbol's code */
	const char *symbol;
	uint64_t address, size;
	bool own;                  /* of the procedure that was asked for, or a clone of it */
};

struct code {
	struct code_line *lines;   /* by part, then by address */
	size_t nr_lines, lines_alloc;
	struct code_part *parts;
	size_t nr_parts, parts_alloc;
	bool cut;                  /* there is more code than is shown */
	struct arena arena;        /* owns texts */
};

/* Reads from PATH, the program or library as it was recorded, the code of the procedure called
 * LINKAGE_NAME, of its clones, and of what symbols the NR addresses AT are in. BUILD_ID, if not "",
 * is the one that it must have, in hexadecimal digits. objdump does it, which must be there. -1 and
 * ERR: what is missing. To be released in both cases. */
int code_read(struct code *c, const char *path, const char *build_id, const char *linkage_name,
	      const uint64_t *at, size_t nr, struct error *err);
void code_release(struct code *c);

#endif
