/* Threads of libraries that help: of a raw file in which others did, those that never executed a
 * block that is profiled, and are no process's first. They wait for all of the run, for nobody's
 * sake: that is in no total of waiting. */
#ifndef CGVIEW_COLLECT_HELPERS_H
#define CGVIEW_COLLECT_HELPERS_H

#include "collect/import/rawfile.h"

struct helpers {
	uint32_t *tids;
	size_t nr, alloc;
	uint64_t wait_ns;          /* of all of them */
};

/* Finds those of R, where it was asked who waits; to be released. */
void helpers_find(struct helpers *h, const struct rawfile *r);
void helpers_release(struct helpers *h);

/* Is SAMPLE a wait of one of them? */
bool helpers_waits(const struct helpers *h, const struct raw_sample *sample);

#endif
