/* What prompts do with what was typed; the editor; `:` commands. */
#ifndef CGVIEW_TUI_COMMAND_H
#define CGVIEW_TUI_COMMAND_H

#include "tui/browser.h"

/* The prompt's text changed, was accepted, or was given up. */
unsigned command_prompt(struct browser *b, enum prompt_event event);

/* A line typed at `:`. */
unsigned command_run(struct browser *b, const char *line);

/* $VISUAL or $EDITOR at the source line that is shown. */
unsigned command_edit(struct browser *b);

/* Write the view that has the keyboard to PATH as text. */
unsigned command_write(struct browser *b, const char *path);

#endif
