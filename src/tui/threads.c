#include "tui/threads.h"

#include <stdlib.h>
#include <string.h>

#include "solve/subset.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/walk.h"

void
threads_release(struct threads *t)
{
	profile_close(t->whole);
	free(t->keep);
	t->whole = NULL;
	t->keep = NULL;
	t->nr = 0;
	t->has_span = false;
}

struct profile *
threads_whole(struct browser *b)
{
	return b->threads.whole ? b->threads.whole : b->profile;
}

void
threads_forget(struct browser *b)
{
	threads_release(&b->threads);
}

void
threads_banner(struct browser *b, struct strbuf *out)
{
	if (profile_only(b->profile))
		strbuf_fmt(out, "only %s", profile_only(b->profile));
}

static void
show_progress(void *browser, double share)
{
	struct browser *b = browser;

	browser_say(b, ROLE_MESSAGE, "working out what is to be shown: %.0f%%", share * 100);
	browser_draw(b);
	draw_flush(false);
}

/* With small profiles the work is done before anybody could read this. */
static bool
takes_long(const struct browser *b)
{
	enum { MANY_RANGES = 20000 };

	return b->totals->nr_ranges > MANY_RANGES;
}

/* ---- showing some ---- */

/* Returns the number of those in KEEP. */
static size_t
count(const bool *keep, size_t nr)
{
	size_t i, n = 0;

	for (i = 0; i < nr; i++)
		n += keep[i];
	return n;
}

/* Arcs have other numbers there: changed counts cannot stay. */
static void
switch_to(struct browser *b, struct profile *profile)
{
	arc_dial_release(b);
	browser_take(b, profile);
}

static unsigned
show_all(struct browser *b)
{
	struct profile *whole = b->threads.whole, *some = b->profile;

	if (!whole) {
		browser_say(b, ROLE_MESSAGE, "all threads are shown, and all of the time");
		return EFFECT_DONE;
	}
	switch_to(b, whole);
	b->threads.whole = NULL;
	threads_forget(b);
	profile_close(some);
	browser_say(b, ROLE_MESSAGE, "all threads again");
	return EFFECT_DONE | EFFECT_MOVED | EFFECT_LAYOUT;
}

/* NEW replaces the profile that is shown; the whole profile is kept. */
static void
replace(struct browser *b, struct profile *new, const struct subset *only)
{
	struct threads *t = &b->threads;
	struct profile *old = b->profile;
	bool *keep = xcalloc(only->nr + 1, sizeof(*keep));

	switch_to(b, new);
	if (t->whole)
		profile_close(old);
	else
		t->whole = old;
	if (only->keep)
		memcpy(keep, only->keep, only->nr * sizeof(*keep));
	t->nr = only->keep ? only->nr : 0;
	t->has_span = only->span;
	if (only->span)
		t->span = *only->span;
	free(t->keep);
	t->keep = keep;
}

/* A procedure that has no time in what is shown now is of no interest: the first row is. */
static void
leave_what_is_idle(struct browser *b)
{
	struct view *summary = b->panes[PANE_SUMMARY];
	struct procedure_row row;

	if (!b->totals->self_ns ||
	    (profile_procedure(b->profile, b->procedure.id, &row) && row.total[MEASURE_TIME]))
		return;
	table_return(summary, view_table(summary), 0);
	walk_follow_cursor(b, summary);
}

static unsigned
show_some(struct browser *b, const struct subset *only)
{
	const struct progress progress = { show_progress, b };
	bool long_work = takes_long(b);
	struct error err = ERROR_INIT;
	struct profile *new;

	if (long_work)
		show_progress(b, 0);
	new = subset_open(b->profile, only, long_work ? &progress : NULL, &err);
	if (!new) {
		browser_say(b, ROLE_ERROR, "%s", err.text);
		return EFFECT_DONE;
	}
	replace(b, new, only);
	leave_what_is_idle(b);
	browser_say(b, ROLE_MESSAGE, "only %s%s%s; %s, then %s: all again",
		    only->span ? "" : "what ", profile_only(new), only->span ? "" : " did",
		    action_key(KEYMAP_GENERIC, only->span ? ACTION_TIMELINE : ACTION_THREADS),
		    action_key(only->span ? KEYMAP_TIMELINE : KEYMAP_THREADS, ACTION_ALL));
	return EFFECT_DONE | EFFECT_MOVED | EFFECT_LAYOUT;
}

/* Shows what is in KEEP (NULL, or all of it: all) and in SPAN (NULL: all). */
static unsigned
show(struct browser *b, const bool *keep, size_t nr, const struct time_span *span)
{
	size_t nr_kept = count(keep, nr);
	struct subset only = { .span = span };

	if (b->arc_dial.dial && dial_changed(b->arc_dial.dial)) {
		browser_say(b, ROLE_WARNING, "changed arcs are not saved: \":pin NAME\" saves "
			    "them, \":unpin\" releases them; then choose threads");
		return EFFECT_DONE;
	}
	if (nr_kept && nr_kept < nr) {
		only.keep = keep;
		only.nr = nr;
	}
	return only.keep || span ? show_some(b, &only) : show_all(b);
}

unsigned
threads_show(struct browser *b, const bool *keep, size_t nr)
{
	struct time_span span = b->threads.span;

	return show(b, keep, nr, keep && b->threads.has_span ? &span : NULL);
}

unsigned
threads_show_span(struct browser *b, const struct time_span *span)
{
	size_t nr = b->threads.nr;
	bool *keep = xcalloc(nr + 1, sizeof(*keep));
	unsigned effect;

	if (nr)
		memcpy(keep, b->threads.keep, nr * sizeof(*keep));
	effect = show(b, keep, nr, span);
	free(keep);
	return effect;
}
