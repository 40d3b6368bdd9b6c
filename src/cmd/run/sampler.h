/* Samples of a program that counts nothing itself: the kernel takes them, with registers and a part
 * of the stack, into memory that a thread of ours empties into a file (sampler_file.h). */
#ifndef CGVIEW_CMD_SAMPLER
#define CGVIEW_CMD_SAMPLER

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/error.h"

struct sampler_kind {
	bool kernel;               /* it also sees what the kernel does for the program */
};

/* Does the system let us? -1 and ERR, whose errnum tells why not. */
int sampler_possible(struct sampler_kind *kind, struct error *err);

struct sampler_task {
	pid_t pid;
	bool waiting;              /* from its next program on; else all of its threads, at once */
	bool watched;              /* somebody reads the file meanwhile */
	bool counts;               /* it may be built with cgcc: only what its event would sample */
	size_t hz;
};

/* Begins to sample TASK, and what it starts, into a new file PATH. NULL and ERR. */
struct sampler *sampler_start(const struct sampler_task *task, const char *path,
			      struct error *err);
/* Ends it and writes the file. -1 and ERR. */
int sampler_end(struct sampler *s, struct error *err);

#endif
