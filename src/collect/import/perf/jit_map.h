/* What compilers at run time tell of the code that they made: /tmp/perf-PID.map, lines of "address
 * size name". */
#ifndef CGVIEW_COLLECT_IMPORT_PERF_JIT_MAP_H
#define CGVIEW_COLLECT_IMPORT_PERF_JIT_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/keys.h"
#include "util/mem.h"

struct jit_maps {
	struct jit_map *items;     /* by process */
	size_t alloc;
	struct keys pids;
	uid_t owner;               /* of the profile: only what is his, or root's, is read */
	struct arena arena;
};

void jit_maps_release(struct jit_maps *j);

/* NULL: nothing is told. It stays until the release. */
const char *jit_symbol_at(struct jit_maps *j, uint32_t pid, uint64_t address);

#endif
