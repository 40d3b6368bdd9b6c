/* Reading files, which others may cut, replace or withhold meanwhile. An error is never taken for
 * the end of a file, nor a short or interrupted read for either. Nothing is mapped: a file that
 * is cut is an error here and no signal. */
#ifndef CGVIEW_UTIL_INPUT_H
#define CGVIEW_UTIL_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "util/error.h"
#include "util/mem.h"

/* Open PATH, which may come from anywhere, to read it, and look at it (ST). Nothing but a regular
 * file is ever opened: opening a device may do something, and a FIFO would be waited for. Returns
 * the descriptor; -1 and ERR, whose errnum tells whether it is not there, or may not be read
 * (EINVAL: it is no regular file), unread set when that is not known: a fault of a disk. */
int input_open(const char *path, struct stat *st, struct error *err);

/* Read SIZE bytes from where FD stands, or from offset AT. Returns how many: fewer only at the end
 * of the file. -1 and errno when they could not be read. */
ssize_t input_read(int fd, void *to, size_t size);
ssize_t input_read_at(int fd, uint64_t at, void *to, size_t size);

/* Read SIZE bytes at offset AT; all were there a moment ago. -1 and ERR (unread). */
int input_exactly(int fd, const char *path, uint64_t at, void *to, size_t size, struct error *err);

/* Fill ERR: PATH could not be read, for the reason ERRNUM; 0: it is shorter than it was. Returns -1
 * with unread set, so that what is only missing can be told from what was there and is lost. */
int input_failed(const char *path, int errnum, struct error *err);

/* Is ERRNUM, of opening a file, a plain answer (it is not there, it may not be read), and no fault
 * of a disk or a network? */
bool input_is_answer(int errnum);

#endif
