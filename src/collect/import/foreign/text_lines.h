/* The lines of a text that another tool wrote. Those that are not understood are counted. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_TEXT_LINES_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_TEXT_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include "db/model/model.h"
#include "util/error.h"
#include "util/mem.h"

enum { TEXT_LINE_MOST = 1 << 20 }; /* longer ones are not understood */

struct text_lines {
	FILE *in;
	struct strbuf line;        /* without its end */
	uint64_t at;               /* its number, from 1 on */
	uint64_t good, bad, first_bad;
};
#define TEXT_LINES_INIT(file) { .in = (file), .line = STRBUF_INIT }
void text_lines_release(struct text_lines *t);

/* Reads the next line into T->line. False: there is none. */
bool text_lines_next(struct text_lines *t);
/* The line was not understood. */
void text_lines_bad(struct text_lines *t);
/* To be called behind the last line. KIND: "perf script's". Notes in M how many lines were bad. -1
 * and ERR: they could not be read, or most of them are bad. */
int text_lines_finish(const struct text_lines *t, const char *path, const char *kind,
		      struct model *m, struct error *err);

#endif
