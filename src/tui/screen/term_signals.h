/* Signals while the browser has the terminal: one that ends or stops the program first gives the
 * terminal back; an interrupt stops the present work. */
#ifndef CGVIEW_TUI_TERM_SIGNALS_H
#define CGVIEW_TUI_TERM_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

/* Called before curses starts: makes all signals that end the program first write the
 * term_signals_goodbye() and set the modes BEFORE. A second interrupt before the first one was
 * taken ends the program, too, in case it hangs. *OPEN: the mask to wait for input with; outside of
 * such waits no new size and no continuation is told. */
void term_signals_catch(const struct termios *before, sigset_t *open);

/* Adds a text to write, before the others. N bytes that stay; what does not fit is left out. */
void term_signals_goodbye(const char *text, size_t n);

/* Called after curses started, which stops and goes on in its own manner: BEFORE and AFTER, which
 * stay, are written around that. */
void term_signals_wrap_stop(const char *before, const char *after);

/* Makes keys that send signals plain keys while the program reads keys, so that a pasted text
 * cannot send signals. During long work (term_signals_busy) the modes are WORKING until keys are
 * read again (term_signals_look); at all other times they are WAITING. */
void term_signals_modes(const struct termios *waiting, const struct termios *working);
void term_signals_busy(bool busy);
void term_signals_look(void);

/* Ends that: signals give nothing back any more. */
void term_signals_let_go(void);

/* For a child that runs another program: resets all signals, and unblocks those that we block. */
void term_signals_default(void);

/* Since the last call, was the program interrupted; was it continued after a stop? */
bool term_signals_interrupted(void);
bool term_signals_continued(void);
/* Does an interrupt wait? It is not taken. */
bool term_signals_interrupt_waits(void);

#endif
