/* Signals, while the browser has the terminal: whatever ends or stops the program gives it back
 * first; an interrupt asks us to stop what we do. */
#ifndef CGVIEW_TUI_TERM_SIGNALS_H
#define CGVIEW_TUI_TERM_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

/* Before curses is started: from now on all signals that end the program first write what was said
 * with term_signals_goodbye() and set the modes BEFORE. A second interrupt before the first one was
 * taken ends us like any of them: so it is when something hangs. *OPEN: the mask to wait for input
 * with, outside of which nobody is told of a new size, nor that we go on. */
void term_signals_catch(const struct termios *before, sigset_t *open);

/* One more thing to write, and to begin with. N bytes that stay; what does not fit is left out. */
void term_signals_goodbye(const char *text, size_t n);

/* After curses was started, which stops and goes on in its own manner: BEFORE and AFTER are written
 * around that. They stay. */
void term_signals_wrap_stop(const char *before, const char *after);

/* Keys that make signals are taken as keys as long as somebody looks for them, so that a pasted
 * text cannot send signals. Who works for long without looking (term_signals_busy) is watched: the
 * modes are WORKING then, until the next look (term_signals_look). WAITING: those of all other
 * times, from now on. */
void term_signals_modes(const struct termios *waiting, const struct termios *working);
void term_signals_busy(bool busy);
void term_signals_look(void);

/* Nothing is given back any more. */
void term_signals_let_go(void);

/* For a child that runs another program: they do what they do, and none is blocked that was not. */
void term_signals_default(void);

/* Since the last call: was the program interrupted; does it go on after it had been stopped? */
bool term_signals_interrupted(void);
bool term_signals_continued(void);
/* The first of these without taking it. */
bool term_signals_interrupt_waits(void);

#endif
