/* Running the recorded command again: asked, done on the terminal as it is without us, and the new
 * profile looked at in the same place. */
#ifndef CGVIEW_TUI_RECORD_AGAIN
#define CGVIEW_TUI_RECORD_AGAIN

#include "tui/browser.h"

/* Show what would be run, all of it, and where it comes from. Enter there runs it, but not before
 * its end was shown, and not what does not seem to be from here: for that it is ACTION_YES. */
unsigned again_ask(struct browser *b);

#endif
