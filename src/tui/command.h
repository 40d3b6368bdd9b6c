/* What prompts do with what was typed; `:` commands. */
#ifndef CGVIEW_TUI_COMMAND_H
#define CGVIEW_TUI_COMMAND_H

#include "tui/browser.h"

/* The prompt's text changed, was accepted, or was given up. */
unsigned command_prompt(struct browser *b, enum prompt_event event);

/* A line typed at `:`. */
unsigned command_run(struct browser *b, const char *line);

/* The Ith word that can stand behind the command; NULL: no more. */
typedef const char *command_complete_function(struct browser *b, size_t i);

/* The commands, for the help; the last one has no name. */
struct command_row {
	const char *name, *arguments, *help;
	unsigned (*run)(struct browser *b, const char *rest);
	command_complete_function *complete; /* NULL: anything may stand there */
};
extern const struct command_row command_table[];

/* The command of this name (N bytes), or NULL. */
const struct command_row *command_find(const char *name, size_t n);

#endif
