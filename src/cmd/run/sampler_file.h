/* What a sampler leaves: a file as `perf record -z -o -` writes it, so that one reader serves
 * both. */
#ifndef CGVIEW_CMD_SAMPLER_FILE
#define CGVIEW_CMD_SAMPLER_FILE

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/error.h"

struct sampler_file;

/* ATTR: of all events. -1 and ERR. */
struct sampler_file *sampler_file_new(const char *path, const struct perf_event_attr *attr,
				      const char *event, struct error *err);
/* Records of the kernel's, and where all of it has come that was there. */
void sampler_file_add(struct sampler_file *f, const void *records, size_t size);
void sampler_file_end_round(struct sampler_file *f);
/* Who reads the file sees all rounds that have ended. */
void sampler_file_show(struct sampler_file *f);
/* What a process that runs already is called, which threads it has, and what is in its memory. */
void sampler_file_add_process(struct sampler_file *f, pid_t pid);
/* -1 and ERR: not all could be written. */
int sampler_file_close(struct sampler_file *f, struct error *err);

#endif
