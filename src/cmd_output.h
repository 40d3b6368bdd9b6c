/* What the commands that print to standard output share. */
#ifndef CGVIEW_CMD_OUTPUT_H
#define CGVIEW_CMD_OUTPUT_H

#include <stdbool.h>

/* GLOB matches the whole path, or any end of it that begins with a component: lvm.c, src/ *.c,
 * /usr/ *. */
bool output_path_matches(const char *glob, const char *path);

/* Flush standard output; the exit status of COMMAND. A reader that went away (| head) is no failure
 * worth a word; a full disk is. What could not be written is dropped, so that nobody behind us
 * tries, and tells, again. errno is that of the last write when a write failed before. */
int output_finish(const char *command);

#endif
