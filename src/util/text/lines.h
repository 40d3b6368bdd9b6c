/* A text and where its lines begin. */
#ifndef CGVIEW_UTIL_LINES_H
#define CGVIEW_UTIL_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "util/mem.h"

struct lines {
	char *text;              /* NULL: none */
	size_t size;
	uint32_t *starts;        /* byte at which line i + 1 begins, and SIZE; heap */
	uint32_t nr;
};

/* Make STARTS and NR of TEXT and SIZE; what is beyond 4 GB is cut off. */
void lines_index(struct lines *l);

/* Bytes of LINE (from 1) without its line end. Empty when there is no such line. */
const char *lines_get(const struct lines *l, uint32_t line, size_t *length);

/* Append what is from COLUMN of LINE up to END_COLUMN of END_LINE (bytes from 1, both included; 0
 * and UINT32_MAX: the whole line), each run of blanks, tabs and line ends as one blank, none at its
 * ends. About MOST bytes are enough: it may stop behind them. */
void lines_excerpt(struct strbuf *out, const struct lines *l, uint32_t line, uint32_t column,
		   uint32_t end_line, uint32_t end_column, size_t most);

#endif
