/* Going to a procedure, a file or a line of it by a part of its name, from everywhere. */
#ifndef CGVIEW_TUI_GOTO_H
#define CGVIEW_TUI_GOTO_H

#include "tui/browser.h"

/* Opens the list of names and the prompt for it, which has TEXT already. */
unsigned goto_ask(struct browser *b, const char *text);
/* Goes to what is exactly TEXT: the name of one procedure, or the end of one path, with ":LINE" or
 * without. False: there is none, or there are several. */
bool goto_exactly(struct browser *b, const char *text, unsigned *effect);
/* What the prompt tells; it is closed first when EVENT is its end. */
unsigned goto_prompt(struct browser *b, int event);

#endif
