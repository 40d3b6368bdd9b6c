/* Runs the recorded command again: asks, runs it on the terminal as it is without us, and shows the
 * new profile at the same place. */
#ifndef CGVIEW_TUI_RECORD_AGAIN
#define CGVIEW_TUI_RECORD_AGAIN

#include "tui/browser.h"

/* Shows the whole command, and where it comes from. Enter runs it, but not before its end was
 * shown; a command that does not seem to be from here needs ACTION_YES. */
unsigned again_ask(struct browser *b);

/* Shows NEW, of the same program, at the present place, in place of the profile, which it closes:
 * all places are moved, by number if the builds are known to be the same, else by name. */
void again_take(struct browser *b, struct profile *new);

#endif
