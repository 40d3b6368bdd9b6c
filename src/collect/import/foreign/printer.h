/* Other tools' own printers, for formats that change with each release of them. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_PRINTER_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_PRINTER_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

/* What a tool has printed: a file without a name, and the path by which this process and its
 * children can open it. */
struct printed {
	int fd;                    /* -1: none */
	char path[40];
};
#define PRINTED_INIT { .fd = -1 }

/* Runs ARGUMENTS (NULL behind the last; no shell, the program is looked for in PATH), with as
 * little of the environment as it needs and for five minutes at most, and fills P with what it
 * prints, up to 2 GB. -1 and ERR, which has the command to try by hand: it failed, or is not
 * there. */
int printer_run(struct printed *p, const char *const *arguments, struct error *err);
/* Is there a program NAME in PATH? */
bool printer_is_there(const char *name);

void printed_close(struct printed *p);

#endif
