/* Runs the command of a profile once more. */
#ifndef CGVIEW_CMD_RUN_AGAIN
#define CGVIEW_CMD_RUN_AGAIN

#include "tui/tui.h"

/* Fills *AGAIN (a tui_again_function): `cgview record` with the options and the command of the
 * first run of P, in its directory, into the file of P. Returns -1 and ERR when the command is not
 * known in full, or its program, its directory or the profile is not there. */
int run_again(struct profile *p, struct tui_again *again, struct error *err);

#endif
