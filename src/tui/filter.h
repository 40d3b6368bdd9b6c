/* Which rows of a table are shown: what keys and commands do about it, and how it is told. */
#ifndef CGVIEW_TUI_FILTER_H
#define CGVIEW_TUI_FILTER_H

#include "tui/table.h"
#include "tui/view.h"
#include "util/error.h"

/* V's table shows only rows in which TEXT, a regular expression, is found; empty: all. -1 and ERR:
 * it is none, and all stays as it was. */
int filter_set(struct view *v, struct table *t, const char *text, struct error *err);
/* Only rows with that share of the column sorted by; "" or "0": all. Tells what is wrong. */
unsigned filter_least(struct view *v, struct table *t, const char *percent);
/* Only what is in files that match GLOB; "": in all. */
unsigned filter_glob(struct view *v, struct table *t, const char *glob);
/* Take the latest restriction back. False: there is none. */
bool filter_undo(struct view *v, struct table *t);

/* Percent cut, file or directory of the row; EFFECT_REFUSED for other actions. V may be gone. */
unsigned filter_act(struct view *v, struct table *t, enum action action, size_t count);
/* Append what is left, for a title. */
void filter_describe(const struct table *t, struct strbuf *out);
/* Append why there are no rows, and what helps; lines. */
void filter_explain(const struct table *t, struct strbuf *out);

#endif
