/* Keys and commands from a file: for tests. One step a line:
 *   KEY               a key by its name: j, Enter, C-d, M-Left
 *   text:abc          each character as a key
 *   size:80x24        the screen has that size from now on
 *   :slices N         work that a key begins is left after N looks at the clock (32 rows each) and
 *                     gone on with before something is saved; 0, as in the beginning: it is done
 *   :save-screen FILE    the screen as text
 *   :save-at-once FILE   the same as it is now, whatever work goes on
 *   :save-roles FILE     the role of each cell as a letter
 *   :save-actions FILE   append the names of the actions done, at the end
 *   :list-actions FILE   all actions, their keys and help
 *   :list-roles FILE     the letters of the roles
 * Empty lines and lines that begin with # are left out. */
#ifndef CGVIEW_TUI_SCRIPT_H
#define CGVIEW_TUI_SCRIPT_H

#include "tui/browser.h"
#include "util/error.h"

/* Plays the script at PATH until it ends or the browser is left. Returns -1 and ERR on failure. */
int script_play(struct browser *b, const char *path, struct error *err);

/* Types each character of TEXT as a key. */
void script_type(struct browser *b, const char *text);

/* What goes on while nobody types is done before the first key of a script, and before a screen is
 * saved. */
void script_begin(struct browser *b);
void script_finish_work(struct browser *b);

#endif
