/* Samples of our own recorder, from a file that it still writes. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_PERF_GROWING_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_PERF_GROWING_H

#include <stdint.h>
#include <sys/types.h>

#include "collect/import/foreign/stacks.h"
#include "util/error.h"

/* Reads FD, which becomes its own; programs are read as UID may. TAKE gets each sample, whose
 * frames stay for that call alone. */
struct perf_growing *perf_growing_new(int fd, uid_t uid,
				      void (*take)(void *context,
						   const struct stacks_sample *sample),
				      void *context);
/* Takes the samples that came since, but for those of the last moments, which others may come
 * before. -1 and ERR: nothing is there yet, or the file cannot be read. */
int perf_growing_read(struct perf_growing *g, struct error *err);
/* How many records the kernel has said to be lost. */
uint64_t perf_growing_lost(const struct perf_growing *g);
/* NULL is nothing. What was not taken yet is taken. */
void perf_growing_free(struct perf_growing *g);

#endif
