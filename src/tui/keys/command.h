/* Handles what was typed at prompts, and `:` commands. */
#ifndef CGVIEW_TUI_COMMAND_H
#define CGVIEW_TUI_COMMAND_H

#include "tui/browser.h"

/* Handles a change of the prompt's text, its acceptance, or its end. */
unsigned command_prompt(struct browser *b, enum prompt_event event);

/* Returns the Ith word that can stand behind the command; NULL: there are no more. */
typedef const char *command_complete_function(struct browser *b, size_t i);

/* The commands, for the help; the last one has no name. */
struct command_row {
	const char *name, *arguments, *help;
	unsigned (*run)(struct browser *b, const char *rest);
	command_complete_function *complete; /* NULL: anything may stand there */
};
extern const struct command_row command_table[];

/* Returns the command of this name (N bytes), or NULL. */
const struct command_row *command_find(const char *name, size_t n);

#endif
