/* Running the recorded command again: asked, done on the terminal as it is without us, and the new
 * profile looked at in the same place. */
#ifndef CGVIEW_TUI_AGAIN_H
#define CGVIEW_TUI_AGAIN_H

#include "tui/browser.h"

/* Show what would be run, and where; Enter there runs it. */
unsigned again_ask(struct browser *b);

#endif
