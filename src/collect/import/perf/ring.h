/* Samples that the recorder took of programs that count: they become samples of their raw
 * profiles, as if the programs had taken them themselves. */
#ifndef CGVIEW_COLLECT_IMPORT_RING_H
#define CGVIEW_COLLECT_IMPORT_RING_H

#include <stdint.h>

#include "util/error.h"

struct ring_joined {
	uint64_t samples;          /* that came to a raw profile */
	uint64_t lost;             /* for which there was no room while the programs ran */
	uint64_t cut;              /* whose stacks lack their outer end */
};

/* Adds what FILE has (cmd/run/sampler.h) to the NR raw profiles at PATHS, which may still grow. -1
 * and ERR: it cannot be read, or they not be written. */
int ring_join(const char *file, const char *const *paths, size_t nr, struct ring_joined *joined,
	      struct error *err);

#endif
