/* What a profile has nothing of, as it was not recorded. */
#ifndef CGVIEW_TUI_UNRECORDED_H
#define CGVIEW_TUI_UNRECORDED_H

#include <stdbool.h>

#include "tui/keys/action.h"

struct browser;

/* Has the profile nothing that the view of ACTION could show? Then a message says why, and which
 * command records it. */
bool unrecorded(struct browser *b, enum action action);

#endif
