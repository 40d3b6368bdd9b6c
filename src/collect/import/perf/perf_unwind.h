/* The callers of a sample, by the copy of its stack that the kernel made. */
#ifndef CGVIEW_COLLECT_IMPORT_PERF_UNWIND_H
#define CGVIEW_COLLECT_IMPORT_PERF_UNWIND_H

#include "collect/import/elf/cfi.h"
#include "collect/import/foreign/objects.h"
#include "collect/import/perf/perf_maps.h"

struct perf_modules {              /* what maps name, each once */
	struct perf_module *items;
	size_t nr, alloc;
	struct index index;
	struct arena arena;
	struct owners *owners;
};

void perf_modules_release(struct perf_modules *m);
uint32_t perf_module_of(struct perf_modules *m, const char *path, size_t length);
const char *perf_module_path(const struct perf_modules *m, uint32_t module);
/* What is told first stands. */
void perf_module_set_build(struct perf_modules *m, uint32_t module, const uint8_t *id,
			   size_t length);
const struct object_id *perf_module_build(const struct perf_modules *m, uint32_t module);

struct perf_caller { uint64_t address; bool is_return; };

/* Sets at most MOST places, from F outwards, which is where the first one is, and becomes the last.
 * Returns how many; CUT: there are others. */
size_t perf_unwind(struct perf_modules *m, const struct perf_processes *p, uint32_t pid,
		   struct cfi_frame *f, const struct cfi_stack *stack, struct perf_caller *places,
		   size_t most, bool *cut);

#endif
