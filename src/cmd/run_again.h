/* Runs the command of a profile once more. */
#ifndef CGVIEW_CMD_RUN_AGAIN
#define CGVIEW_CMD_RUN_AGAIN

#include "tui/tui.h"

/* As tui_again_function: `cgview record` with the options and the command of the first run of P, in
 * its directory, into the file of P. -1 and ERR: the command is not known in full, its program, its
 * directory or the profile is not there, or may not be written. */
int run_again(struct profile *p, struct tui_again *again, struct error *err);

#endif
