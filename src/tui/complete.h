/* Tab at the colon: what could be meant by what was typed so far. */
#ifndef CGVIEW_TUI_COMPLETE_H
#define CGVIEW_TUI_COMPLETE_H

#include "tui/browser.h"

/* The prompt's text as far as it is clear; if it is not, the possible words are offered. */
void complete_prompt(struct browser *b);

/* The Ith word that can stand behind a command; NULL: no more. */
const char *complete_column(struct browser *b, size_t i);
const char *complete_charge(struct browser *b, size_t i);
const char *complete_rule(struct browser *b, size_t i);

#endif
