/* The names of the kernel's procedures: of the kernel that runs now. */
#ifndef CGVIEW_COLLECT_IMPORT_PERF_KERNEL_SYMBOLS_H
#define CGVIEW_COLLECT_IMPORT_PERF_KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "collect/import/foreign/objects.h"
#include "util/mem.h"

struct kernel_symbols {
	struct kernel_symbol *items; /* by address */
	size_t nr, alloc;
	uint64_t text;             /* where the kernel begins; 0: not known */
	struct arena arena;
};

/* Reads them, if they may be seen and are of the build ID (unknown: of the release RELEASE). */
void kernel_symbols_read(struct kernel_symbols *k, const struct object_id *id, const char *release);
void kernel_symbols_release(struct kernel_symbols *k);

/* NULL: not known. */
const char *kernel_symbol_at(const struct kernel_symbols *k, uint64_t address);

#endif
