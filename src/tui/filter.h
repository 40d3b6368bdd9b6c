/* Restricts the rows of a table: the keys and commands for that, and the texts about it. */
#ifndef CGVIEW_TUI_FILTER_H
#define CGVIEW_TUI_FILTER_H

#include "tui/view.h"
#include "tui/views/table.h"
#include "util/error.h"

/* Shows only rows of V's table in which TEXT, a regular expression, is found; empty: all. Returns
 * -1 and ERR, with nothing changed, when it is none. */
int filter_set(struct view *v, struct table *t, const char *text, struct error *err);
/* Shows only rows with that share of the sorted column; "" or "0": all. Tells errors. */
unsigned filter_least(struct view *v, struct table *t, const char *percent);
/* Shows only what is in files that match GLOB; "": in all. */
unsigned filter_glob(struct view *v, struct table *t, const char *glob);
/* Undoes the latest restriction. Returns false when there is none. */
bool filter_undo(struct view *v, struct table *t);

/* Handles cuts by percent, file or directory; EFFECT_REFUSED for other actions. V may be gone. */
unsigned filter_act(struct view *v, struct table *t, enum action action, size_t count);
/* Appends the restrictions, for a title. */
void filter_describe(const struct table *t, struct strbuf *out);
/* Appends why there are no rows, and what helps; lines. */
void filter_explain(const struct table *t, struct strbuf *out);

#endif
