/* Shows programs while they run: looks at them as often as is wanted, in slices while nobody types,
 * and has all that is shown follow. */
#ifndef CGVIEW_TUI_LIVE_H
#define CGVIEW_TUI_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/keys/action.h"
#include "tui/screen/key.h"
#include "tui/tui.h"
#include "util/mem.h"

struct browser;
struct job;

struct live_looks {
	const struct tui_live *from; /* NULL: the profile is of runs that are over */
	struct job *job;             /* the look that goes on; else NULL */
	struct live_storing *storing; /* tables that are coming; else NULL */
	bool procedures_only;        /* is what there is of tables as yet */
	uint64_t began_ns, next_ns;
	bool running, ended;         /* as the last look told; and it was the last one */
	bool warned;                 /* what leaving does */
	bool touched;                /* a key was typed: the cursor stays on its row */
};

/* FROM: NULL or what is watched. If the profile lacks tables these are opened meanwhile, and only
 * its summary is to be shown until live_key() has taken them. */
void live_begin(struct browser *b, const struct tui_live *from);
void live_end(struct browser *b);
/* Waits for tables that are coming, and shows them. */
void live_wait(struct browser *b);
void live_say_first(struct browser *b);

/* Returns the next key as term_key() does; K_NONE: a look has brought something to be drawn. */
tui_key live_key(struct browser *b);

/* Shows rates or sums, from here on or from the beginning; stands still. */
unsigned live_act(struct browser *b, enum action action, size_t count);

/* Compares what stood still with what is now, in a browser of its own, until that is left. */
unsigned live_compare(struct browser *b);

/* Are programs watched? Then the profile's threads are those of the last look. */
bool live_renew_threads(struct browser *b);

/* Leaves of the metrics those that looks have of lines. */
void live_metrics(struct browser *b);

/* Tells that ACTION needs what is known only at the end; false: it does not. Waits for the tables
 * if it needs these. */
bool live_refuses(struct browser *b, enum action action);

/* May the browser be left? Tells once what leaving does to the program, and to arcs that were
 * changed; the same key again leaves. */
bool live_may_leave(struct browser *b);

/* Appends "live, all so far"; or nothing. */
void live_banner(struct browser *b, struct strbuf *out);

#endif
