/* What goes beyond the browser: files it writes, the clipboard, the editor. */
#ifndef CGVIEW_TUI_OTHER_PROGRAMS
#define CGVIEW_TUI_OTHER_PROGRAMS

#include "tui/browser.h"

/* Write the view that has the keyboard to PATH as text. A file that is there is replaced only if
 * OVER, and then at once or not at all. What came of it is told. */
unsigned outside_write(struct browser *b, const char *path, bool over);

/* The row under the cursor to the terminal's clipboard, if the user allows it. */
unsigned outside_copy(struct browser *b);

/* $VISUAL or $EDITOR at the source line that is shown. */
unsigned outside_edit(struct browser *b);

#endif
