/* The user's own keys, colours and options, from a file: see cgview-config(5). A wrong line is
 * noted with its number and has no effect; nothing in the file can do harm. */
#ifndef CGVIEW_TUI_CONFIG_H
#define CGVIEW_TUI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/screen/term.h"
#include "util/error.h"

enum { CONFIG_MAX_PROBLEMS = 100 };

struct config {
	char *path;                /* heap; NULL: there is no such file */
	char *text;                /* of it, heap, with a NUL behind each word that was read */
	enum background background;
	bool mouse, linear, clipboard;
	size_t sql_seconds;        /* of CPU time, for a query */
	const char *metric;        /* a name; NULL: it is not set */
	char *problems[CONFIG_MAX_PROBLEMS]; /* "FILE:LINE: what is wrong" */
	size_t nr_problems;
	size_t nr_more;            /* problems that were not kept */
};

/* Reads the file PATH, or if NULL the user's: $XDG_CONFIG_HOME/cgview/config, else
 * ~/.config/cgview/config; without one, and with "/dev/null", all is as built in. Keys and colours
 * change at once (action_bind, role_change), expressions get their names (expression_add), the rest
 * is in *C. Called at most once in a program. */
void config_read(struct config *c, const char *path);
/* Complains of each wrong line. */
void config_tell(const struct config *c);
void config_release(struct config *c);

#endif
