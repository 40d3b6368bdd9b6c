/* Files that may be compressed: gzip and zstd are unpacked while they are read. */
#ifndef CGVIEW_COLLECT_UNPACK_H
#define CGVIEW_COLLECT_UNPACK_H

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "util/error.h"

/* More than this is not unpacked: a small file can be made to grow without an end. */
#define UNPACK_MOST ((uint64_t)4 << 30)

/* Opens PATH, see input_open(), and sets ST. What is read is the content, unpacked if its first
 * bytes are those of gzip or zstd; else as it is. A damaged file, and one of more than UNPACK_MOST
 * bytes, is an error of the stream (ferror) behind what was good. To be closed by fclose(). NULL
 * and ERR. */
FILE *unpack_open(const char *path, struct stat *st, struct error *err);

/* Returns the first N bytes of the content of PATH at most; -1: it cannot be read. */
ssize_t unpack_head(const char *path, void *to, size_t n);
/* The same; what is packed is unpacked by a child with limits (collect/import/limited.h). */
ssize_t unpack_head_apart(const char *path, void *to, size_t n);

#endif
