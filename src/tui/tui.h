/* The browser as the commands see it. */
#ifndef CGVIEW_TUI_TUI_H
#define CGVIEW_TUI_TUI_H

#include <stdbool.h>

#include "db/profile.h"
#include "util/error.h"

enum tui_background { TUI_ASK, TUI_DARK, TUI_LIGHT };

struct tui_options {
	enum tui_background background;
	bool mono;
	const char *script;  /* file of keys to play instead of a terminal, or NULL */
};

/* Can the browser run here? -1 and ERR: no terminal, or one that it cannot use. Called before the
 * profile is opened, so that the answer comes at once. */
int tui_possible(const struct tui_options *options, struct error *err);

/* Browse PROFILE until the user leaves. -1 and ERR: the terminal could not be set up, or a step of
 * the script failed. */
int tui_browse(struct profile *profile, const struct tui_options *options, struct error *err);

#endif
