/* What the commands that print to standard output share. */
#ifndef CGVIEW_CMD_OUTPUT
#define CGVIEW_CMD_OUTPUT

#include "db/profile.h"

/* Flush standard output; the exit status of COMMAND. A reader that went away (| head) is no failure
 * worth a word; a full disk is. What could not be written is dropped, so that nobody behind us
 * tries, and tells, again. errno is that of the last write when a write failed before. */
int output_finish(const char *command);

/* The same, and what went wrong with the profile since it was opened. */
int output_finish_profile(const char *command, const struct profile *p);

#endif
