/* The terminal: opened once, always given back: at exit, when the program dies with a message, on
 * fatal signals. Keys come from it, or from a script. */
#ifndef CGVIEW_TUI_TERM_H
#define CGVIEW_TUI_TERM_H

#include <stdbool.h>

#include "show/role.h"
#include "tui/key.h"
#include "util/error.h"

enum background { BACKGROUND_ASK, BACKGROUND_DARK, BACKGROUND_LIGHT };

struct paste;

struct term_options {
	bool script;        /* no terminal: the screen is drawn for nobody (TERM=xterm-256color) */
	bool mono;          /* no colours */
	enum background background;
};

/* -1 and ERR: no terminal, or one that the browser cannot use; nothing is changed. */
int term_possible(struct error *err);

/* -1 and ERR: no terminal, TERM unset, unknown or too dumb. One line that says what to use instead.
 * Sets up drawing (draw_init) and calls error_at_exit(). */
int term_open(const struct term_options *options, struct error *err);
void term_close(void);

/* The next key; waits. K_HANGUP once the terminal is gone. */
tui_key term_key(void);

/* While something takes long: has Esc been typed meanwhile, or the interrupt key? Other keys are
 * forgotten. */
bool term_stop_typed(void);
/* The key that term_key() would return at once; K_NONE: it would wait. */
tui_key term_peek(void);

/* The text after K_PASTE; until the next key is asked for. */
const struct paste *term_paste(void);
/* Script: it will be this one. */
void term_pretend_paste(const char *text);

/* A mouse event after K_MOUSE. */
struct term_mouse {
	int y, x;
	enum { MOUSE_CLICK, MOUSE_DOUBLE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN } what;
};
bool term_mouse(struct term_mouse *mouse);
void term_mouse_on(bool on);

/* Palettes for a dark or a light background; without colours nothing changes and false is returned.
 */
bool term_background(enum background background);

/* Let the terminal put TEXT, N bytes that are safe to show, on its clipboard (OSC 52). */
void term_copy(const char *text, size_t n);

/* Script: the size of the screen from now on. */
void term_resize(int rows, int columns);

/* Run ARGV (argv[0] looked up in PATH, no shell) with the terminal as it was before us; wait for
 * it. -1 and ERR when it could not be started or failed. The screen must be drawn anew. */
int term_run(char *const argv[], struct error *err);

/* The same in DIRECTORY; afterwards wait until what was written has been read. *STATUS: as a shell
 * has it. -1 and ERR only when it could not be started. */
int term_run_there(char *const argv[], const char *directory, int *status, struct error *err);

#endif
