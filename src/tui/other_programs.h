/* Writes files, the clipboard, and the command line of the editor. */
#ifndef CGVIEW_TUI_OTHER_PROGRAMS
#define CGVIEW_TUI_OTHER_PROGRAMS

#include "tui/browser.h"

/* Writes the view that has the keyboard to PATH as text, and tells the result. An existing file is
 * replaced only if OVER, and then at once or not at all. */
unsigned save_view(struct browser *b, const char *path, bool over);

/* Copies WHAT to the terminal's clipboard, if the user allows it: "name" of the procedure that is
 * shown, "place" of the source's line, "row" (or "") under the cursor. */
unsigned copy_command(struct browser *b, const char *what);

/* Runs $VISUAL or $EDITOR at the current source line. */
unsigned edit_source(struct browser *b);

#endif
