/* record --space: the library that counts allocations. */
#ifndef CGVIEW_CMD_SPACE_OPTION_H
#define CGVIEW_CMD_SPACE_OPTION_H

#include <stddef.h>

/* Finds the library beside this program, and looks whether PROGRAM can be run with it; ends this
 * one if not. Returns what LD_PRELOAD is to be, heap; NULL: it has the library in it. */
char *space_preload(const char *program);

/* What --space-every says, as in collect/recorder.h; ends this program if it is wrong. */
size_t space_every_option(const char *bytes);

#endif
