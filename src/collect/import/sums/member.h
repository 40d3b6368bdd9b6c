/* Writes the bytes of a member of a sum: the same for the same share, whatever was added, in
 * whatever order. */
#ifndef CGVIEW_COLLECT_MEMBER_H
#define CGVIEW_COLLECT_MEMBER_H

#include <stdio.h>

#include "collect/import/sums/share.h"

/* A part of a file that is written: what must be known of it at the end. */
struct summed_file { FILE *out; uint64_t length; uint32_t checksum; };
#define SUMMED_FILE(file) { .out = (file), .length = 0, .checksum = RAW_CHECKSUM_START }
/* Appends LENGTH bytes. A failure is one of the stream. */
void summed_file_add(struct summed_file *f, const void *data, size_t length);

/* Appends the member to OUT, whole pages. -1 and ERR: it cannot be told in this format. */
int member_write(struct summed_file *out, const struct places *p, struct share *s,
		 struct error *err);

#endif
