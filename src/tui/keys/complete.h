/* Tab at the colon: completes what was typed so far. */
#ifndef CGVIEW_TUI_COMPLETE_H
#define CGVIEW_TUI_COMPLETE_H

#include "tui/browser.h"
#include "tui/keys/command.h"

/* Completes the prompt's text as far as it is clear, and offers the possible words if it is not. */
void complete_prompt(struct browser *b);

/* Draws a list above the prompt's line: what can stand where it ends, with what that does. */
void complete_draw(struct browser *b);

/* Sets *BEST to what all CANDIDATES that begin with the N bytes of TYPED have in common; returns
 * how many there are and lists them in OFFER. */
size_t complete_words(struct browser *b, command_complete_function *candidates, const char *typed,
		      size_t n, struct strbuf *best, struct strbuf *offer);

/* Returns the Ith word that can stand behind a command; NULL: there are no more. */
const char *complete_column(struct browser *b, size_t i);
const char *complete_measure(struct browser *b, size_t i);
const char *complete_self_by(struct browser *b, size_t i);
const char *complete_normalise(struct browser *b, size_t i);
const char *complete_rule(struct browser *b, size_t i);

#endif
