/* An ELF file as libdwarf reads it: section by section, through elf.h. libdwarf takes a short read
 * for damage, and cannot say whether a file is damaged or could not be read. */
#ifndef CGVIEW_COLLECT_DWARF_OBJECT_H
#define CGVIEW_COLLECT_DWARF_OBJECT_H

#if __has_include(<libdwarf-2/libdwarf.h>)
#include <libdwarf-2/dwarf.h>
#include <libdwarf-2/libdwarf.h>
#elif __has_include(<libdwarf-0/libdwarf.h>)
#include <libdwarf-0/dwarf.h>
#include <libdwarf-0/libdwarf.h>
#else
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#endif

#include "collect/import/dwarf/line_table.h" /* struct bytes */
#include "collect/import/elf/elf.h"

/* libdwarf before 0.2 (2021) has other names and arguments here and there. */
#ifdef DW_LIBDWARF_VERSION
typedef Dwarf_Obj_Access_Interface_a dwarf_interface;
#else
typedef Dwarf_Obj_Access_Interface dwarf_interface;
#endif

struct dwarf_object {
	const struct elf *elf;
	uint8_t **contents;        /* per section; NULL: not read yet */
	uint64_t *sizes;           /* of them, in bytes */
	dwarf_interface interface;
	Dwarf_Debug dbg;
	struct error unread;       /* set: what libdwarf says is not to be believed */
};

/* ELF stays open as long as O is. Returns what libdwarf does, and its error. */
int dwarf_object_open(struct dwarf_object *o, const struct elf *elf, Dwarf_Error *e);
/* The bytes of the section .NAME, unpacked, which O keeps; none: it cannot be had. */
struct bytes dwarf_object_section(struct dwarf_object *o, const char *name);
/* May be called even for one that could not be opened. */
void dwarf_object_close(struct dwarf_object *o);

#endif
