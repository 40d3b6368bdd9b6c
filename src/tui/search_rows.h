/* Finds the next hit of a search among the rows of a view, which may be very many: a search that
 * takes longer than a key goes on while nobody types. */
#ifndef CGVIEW_TUI_SEARCH_ROWS
#define CGVIEW_TUI_SEARCH_ROWS

#include <stdbool.h>
#include <stddef.h>

#include "util/mem.h"
#include "util/text/search.h"

struct browser;
struct view;

struct hits {
	struct view *view;   /* NULL: nobody looks for anything */
	size_t from, done;   /* the first row looked at; how many have been */
	size_t back;         /* where the cursor goes if there is no hit */
	size_t times;        /* hits to go on to after the next one */
	bool backward;
};

/* Moves the cursor of V to the next hit of the browser's search from FROM on (inclusive), around
 * the end, and TIMES hits further; to BACK when there is none. Returns false when there is none;
 * true when it is there, or is still looked for. */
bool hits_find(struct view *v, bool backward, size_t from, size_t back, size_t times);
/* Moves the cursor of V to the next hit behind it; the cursor stays when there is none. */
bool hits_next(struct view *v, bool backward, size_t times);

/* Goes on while nobody types. Returns a set like table_work(). */
unsigned hits_idle(struct view *v);
/* Stops the search; returns false when there was none. */
bool hits_stop(struct browser *b);
/* Stops it if it is in V's rows. */
void hits_stop_in(struct view *v);
/* Appends "searching 40%" while V's rows are searched. */
void hits_describe(const struct view *v, struct strbuf *out);

#endif
