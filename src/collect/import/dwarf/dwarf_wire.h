/* The format that the child which reads DWARF writes into the pipe, and how it is started. */
#ifndef CGVIEW_COLLECT_DWARF_WIRE_H
#define CGVIEW_COLLECT_DWARF_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "collect/import/dwarf/dwarf.h"
#include "collect/import/limited.h" /* the head of each */

enum wire_kind {
	WIRE_TEXT = 1, /* bytes; texts are numbered from 1 in the order of arrival */
	WIRE_ADDRESS,  /* struct wire_address, then its struct wire_frame[] */
	WIRE_CODE,     /* struct wire_code */
	WIRE_PROBLEM,  /* bytes: why a module could not be read (to the end) */
	WIRE_UNREAD,   /* bytes: why a module was not read, which the next time it may be */
	WIRE_DONE,     /* nothing: all modules were read */
};

struct wire_address { uint32_t module, address, nr_frames, reserved; };
struct wire_frame { /* texts by number, 0 none */
	uint32_t name, linkage_name, declared_file, declared_line, declared_column;
	uint32_t file, line, column;
};

struct wire_code { uint32_t module, extent, file, line; uint64_t bytes; }; /* file: a text */

enum { WIRE_MAX_FRAMES = 128, WIRE_MAX_TEXT = 1 << 16 };

/* Reads the modules, from their files of debug information where they have one, and writes to FD.
 * Runs in the child; an error is written, not returned. First it gives up all rights that it does
 * not need. */
void dwarf_child_run(const struct dwarf_module *modules, size_t nr, int fd);

#endif
