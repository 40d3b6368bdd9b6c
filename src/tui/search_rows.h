/* Looking for the next hit of a search among the rows of a view, of which there may be very many:
 * what takes longer than a key is gone on with while nobody types. */
#ifndef CGVIEW_TUI_SEARCH_ROWS
#define CGVIEW_TUI_SEARCH_ROWS

#include <stdbool.h>
#include <stddef.h>

#include "util/mem.h"
#include "util/search.h"

struct browser;
struct view;

struct hits {
	struct view *view;   /* NULL: nobody looks for anything */
	size_t from, done;   /* the row that was looked at first; how many have been */
	size_t back;         /* where the cursor goes if there is no hit */
	size_t times;        /* hits to go on to after the next one */
	bool backward;
};

/* The cursor of V to the next hit of the browser's search from FROM on (inclusive), around the end,
 * and TIMES hits further; to BACK when there is none. False: there is none; true: it is there, or
 * may be and is still looked for. */
bool hits_find(struct view *v, bool backward, size_t from, size_t back, size_t times);
/* The same from behind the cursor on, which stays where it is when there is none. */
bool hits_next(struct view *v, bool backward, size_t times);

/* Nobody types: go on. A set as of table_work(). */
unsigned hits_idle(struct view *v);
/* No more; false: nothing was looked for. */
bool hits_stop(struct browser *b);
/* The same if it is V's rows that are looked at. */
void hits_stop_in(struct view *v);
/* Append "searching 40%" while V's rows are looked at. */
void hits_describe(const struct view *v, struct strbuf *out);

#endif
