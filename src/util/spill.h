/* Bytes that are put aside in a file that has no name, in place of the memory. */
#ifndef CGVIEW_UTIL_SPILL_H
#define CGVIEW_UTIL_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

struct spill {
	int fd;
	uint64_t size;
};

/* Opens it in the directory of the file BESIDE. Returns -1 and ERR when it cannot be made there. */
int spill_open(struct spill *s, const char *beside, struct error *err);
void spill_close(struct spill *s);

/* Append; *AT is where the bytes are from then on. -1 and ERR: the disk is full. */
int spill_add(struct spill *s, const void *data, size_t size, uint64_t *at, struct error *err);

/* These bytes are not read any more: the disk gets their room back, where it can. */
void spill_forget(struct spill *s, uint64_t at, uint64_t size);

/* SIZE bytes from AT on into DATA. -1: they are not there, or cannot be read. */
int spill_read(const struct spill *s, uint64_t at, void *data, size_t size);

#endif
