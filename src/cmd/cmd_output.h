/* Code that the commands share which print to standard output. */
#ifndef CGVIEW_CMD_OUTPUT
#define CGVIEW_CMD_OUTPUT

#include "db/store/profile.h"

/* Flushes standard output and returns the exit status of COMMAND. A reader that went away (| head)
 * is no failure worth a word; a full disk is. Bytes that could not be written are dropped, so that
 * nobody behind us tries, and tells, again. errno is that of the last write when a write failed
 * before. */
int output_finish(const char *command);

/* Like output_finish(), and reports what went wrong with the profile since it was opened. */
int output_finish_profile(const char *command, const struct profile *p);

#endif
