/* Tab at the colon: what could be meant by what was typed so far. */
#ifndef CGVIEW_TUI_COMPLETE_H
#define CGVIEW_TUI_COMPLETE_H

#include "tui/browser.h"
#include "tui/command.h"

/* The prompt's text as far as it is clear; if it is not, the possible words are offered. */
void complete_prompt(struct browser *b);

/* The part that all CANDIDATES which begin with the N bytes of TYPED have in common, in *BEST;
 * returns how many there are and lists them in OFFER. */
size_t complete_words(struct browser *b, command_complete_function *candidates, const char *typed,
		      size_t n, struct strbuf *best, struct strbuf *offer);

/* The Ith word that can stand behind a command; NULL: no more. */
const char *complete_column(struct browser *b, size_t i);
const char *complete_measure(struct browser *b, size_t i);
const char *complete_charge(struct browser *b, size_t i);
const char *complete_normalise(struct browser *b, size_t i);
const char *complete_rule(struct browser *b, size_t i);

#endif
