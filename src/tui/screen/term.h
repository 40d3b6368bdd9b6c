/* The terminal: opened once, always given back: at exit, when the program dies with a message, on
 * fatal signals. Keys come from it, or from a script. */
#ifndef CGVIEW_TUI_TERM_H
#define CGVIEW_TUI_TERM_H

#include <stdbool.h>

#include "show/role.h"
#include "tui/screen/key.h"
#include "util/error.h"

enum background { BACKGROUND_ASK, BACKGROUND_DARK, BACKGROUND_LIGHT };

struct paste;

struct term_options {
	bool script;        /* no terminal: nobody sees the screen (TERM=xterm-256color) */
	bool mono;          /* no colours */
	bool plain;         /* none, and ASCII */
	enum background background;
};

/* Returns -1 and ERR when there is no terminal that the browser can use; nothing is changed. */
int term_possible(struct error *err);

/* Opens the terminal, sets up drawing (draw_init), and calls error_at_exit(). Returns -1 and ERR
 * when there is none, or TERM is unset, unknown or too dumb: a line that says what to use
 * instead. */
int term_open(const struct term_options *options, struct error *err);
void term_close(void);

/* Returns the next key; waits. K_HANGUP once the terminal is gone. */
tui_key term_key(void);

/* The same, but waits at most MS milliseconds: K_NONE then. */
tui_key term_key_within(int ms);

/* Has Esc been typed, or the interrupt key, while something takes long? Drops other keys. */
bool term_stop_typed(void);
/* Returns the key that term_key() would return at once; K_NONE: it would wait. */
tui_key term_peek(void);

/* Returns the text after K_PASTE; valid until the next key is read. */
const struct paste *term_paste(void);
/* Makes TEXT that text; for scripts. */
void term_pretend_paste(const char *text);

/* A mouse event after K_MOUSE. */
struct term_mouse {
	int y, x;
	enum { MOUSE_CLICK, MOUSE_DOUBLE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN } what;
};
bool term_mouse(struct term_mouse *mouse);
void term_mouse_on(bool on);

/* Chooses palettes for a dark or a light background; returns false when there are no colours. */
bool term_background(enum background background);

/* Makes the terminal put TEXT, N bytes that are safe to show, on its clipboard (OSC 52). */
void term_copy(const char *text, size_t n);

/* Sets the size of the screen; for scripts. */
void term_resize(int rows, int columns);

/* Runs ARGV (argv[0] looked up in PATH, no shell) with the terminal as it was before us, and waits.
 * Returns -1 and ERR when it could not be started or failed. The screen must be drawn anew. */
int term_run(char *const argv[], struct error *err);

/* Runs ARGV in DIRECTORY; then waits until the output has been read. *STATUS: as a shell has it.
 * Returns -1 and ERR only when it could not be started. */
int term_run_there(char *const argv[], const char *directory, int *status, struct error *err);

#endif
