#include "tui/live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/store/overlay.h"
#include "tui/browser.h"
#include "tui/layout.h"
#include "tui/record_again.h"
#include "tui/screen/term.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/walk.h"
#include "util/job.h"

#define MS UINT64_C(1000000)

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

static void
renew_sums(struct browser *b)
{
	struct profile_totals totals = *b->totals;
	int64_t space[NR_OVERLAY_SPACE];
	uint64_t calls;

	live_shown_totals(b->live.from->shown, &totals, &calls, space);
	profile_overlay_changed(b->profile, &totals, calls, space);
}

/* Long lists are sorted, and summed up, once in so many looks; the figures of rows that are seen
 * are always those of the last one. */
static bool
is_its_turn(const struct browser *b, struct view *v)
{
	enum { SHORT = 1500, EACH = 500 /* rows */ };
	struct table *t = view_table(v);
	size_t rows = t && t->listing ? listing_rows(t->listing) : 0;

	if (rows <= SHORT || b->live.next_ns / b->live.from->delay_ns % (1 + rows / EACH) == 0)
		return true;
	t->sums_are_old = true;
	return false;
}

/* What is watched has times, and memory, of procedures only. */
void
live_metrics(struct browser *b)
{
	struct metrics *m = &b->metrics;
	size_t only = profile_is_uncounted(b->profile) ? METRIC_SELF : METRIC_COUNT;

	for (size_t i = 0; b->live.from && i < m->nr; i++)
		m->items[i].there &= i == only;
	if (b->live.from)
		m->first = only;
}

/* All that is shown of figures is read again; ALL: also what takes long. */
static void
renew(struct browser *b, bool all)
{
	renew_sums(b);
	browser_renew_heat(b);
	docs_forget_figures(&b->docs);
	source_renew_figures(b->panes[PANE_SOURCE]);
	for (int i = 0; i < b->depth; i++)
		if (all || is_its_turn(b, b->stack[i]))
			table_renew_figures(b->stack[i]);
	for (int i = 0; i < PANE_NR; i++) {
		if (!all && !is_its_turn(b, b->panes[i]))
			continue;
		table_renew_figures(b->panes[i]);
		if (i == PANE_CALLERS || i == PANE_CALLEES)
			arcs_sum_up(b->panes[i]);
	}
}

bool
live_renew_threads(struct browser *b)
{
	struct overlay_thread *threads;
	size_t nr;

	if (!b->live.from)
		return false;
	nr = live_shown_threads(b->live.from->shown, &threads);
	profile_overlay_threads(b->profile, threads, nr);
	free(threads);
	return true;
}

void
live_say_first(struct browser *b)
{
	browser_say(b, ROLE_MESSAGE, "Live: %swhat a look may lack: %s.   %s: rates   %s: stand "
		    "still   %s: from here on",
		    b->live.procedures_only ? "sources and callers are coming; " : "",
		    action_key(KEYMAP_TABLE, ACTION_DIAGNOSTICS),
		    action_key(KEYMAP_TABLE, ACTION_RATES),
		    action_key(KEYMAP_TABLE, ACTION_FREEZE),
		    action_key(KEYMAP_TABLE, ACTION_FROM_ZERO));
}

/* ---- tables ---- */

/* The program's tables can be large: a thread stores them while the keyboard is answered. */
struct live_storing {
	const struct tui_live *from;
	pthread_t thread;
	bool in_thread;
	atomic_bool done;
	int result;
	struct error err;
};

static void *
store_tables(void *storing)
{
	struct live_storing *s = storing;

	s->result = s->from->store(s->from->context, &s->err);
	atomic_store(&s->done, true);
	return NULL;
}

static void
begin_storing(struct browser *b)
{
	struct live_storing *s;

	if (b->live.storing)
		return;
	b->live.storing = s = xcalloc(1, sizeof(*s));
	s->from = b->live.from;
	s->in_thread = !pthread_create(&s->thread, NULL, store_tables, s);
	if (!s->in_thread)
		store_tables(s);
}

/* Waits until it is done; -1 and ERR: it has failed. */
static int
end_storing(struct browser *b, struct error *err)
{
	struct live_storing *s = b->live.storing;
	int result;

	if (s->in_thread)
		pthread_join(s->thread, NULL);
	result = s->result;
	*err = s->err;
	free(s);
	b->live.storing = NULL;
	return result;
}

void
live_wait(struct browser *b)
{
	const struct tui_live *from = b->live.from;
	struct error err = ERROR_INIT;
	struct profile *new;
	bool first;

	if (!b->live.storing)
		return;
	new = end_storing(b, &err) ? NULL : from->take(from->context, &err);
	if (!new) {
		browser_say(b, ROLE_ERROR, "%s", err.text);
		return;
	}
	first = b->live.procedures_only;
	b->live.procedures_only = false;
	again_take(b, new);
	renew(b, true);
	layout(b);
	if (first && !b->live.touched)
		live_say_first(b);
}

void
live_begin(struct browser *b, const struct tui_live *from)
{
	struct live_looks *l = &b->live;

	l->from = from;
	if (!from)
		return;
	l->running = true;
	l->began_ns = now_ns();
	l->next_ns = l->began_ns + from->delay_ns;
	renew_sums(b);
	if (!live_shown_has_more(from->shown))
		return;
	l->procedures_only = true;
	begin_storing(b);
}

void
live_end(struct browser *b)
{
	struct error ignored = ERROR_INIT;

	busy_drop(&b->live.job);
	if (b->live.storing)
		end_storing(b, &ignored);
}

/* ---- looking ---- */

static void
look(void *browser)
{
	struct browser *b = browser;

	b->live.running = b->live.from->look(b->live.from->context);
}

static void
show_look(struct browser *b)
{
	struct live_looks *l = &b->live;

	l->ended = !l->running;
	if (l->ended)
		hits_stop(b);
	/* A search that goes on reads the rows that there are. */
	if (!b->hits.view) {
		/* Other tables came with a library, or another program. */
		if (live_shown_has_more(l->from->shown))
			begin_storing(b);
		if (l->storing && l->ended)
			live_wait(b);
		else
			renew(b, l->ended);
	}
	l->next_ns += l->from->delay_ns;
	if (l->next_ns < now_ns())
		l->next_ns = now_ns();
	if (l->ended)
		browser_say(b, ROLE_MESSAGE, "the program has ended: all that it did; %s leaves",
			    action_key(KEYMAP_TABLE, ACTION_QUIT_ALL));
}

/* Until the user does something the first row is the selected one, also when it becomes another.
 * Returns whether it did. */
static bool
follow_first(struct browser *b)
{
	struct subject before = b->procedure;

	if (!b->live.touched)
		walk_arrived(b);
	return !subject_is(before, b->procedure);
}

tui_key
live_key(struct browser *b)
{
	enum { STORING_MS = 5 /* between two looks whether they are there */ };
	struct live_looks *l = &b->live;
	uint64_t now;
	tui_key key;

	if (!l->from || l->ended)
		return term_key();
	if (follow_first(b))
		return K_NONE;
	for (;;) {
		now = now_ns();
		if (!l->job && !l->storing && now >= l->next_ns)
			l->job = job_new(look, b);
		/* Rounded up: not a moment before. */
		key = term_key_within(l->job ? 0 : l->storing ? STORING_MS
						   : (int)((l->next_ns - now) / MS) + 1);
		if (key == K_MOUSE && l->procedures_only)
			live_wait(b);
		if (key != K_NONE) {
			l->touched = true;
			return key;
		}
		if (l->storing && atomic_load(&l->storing->done)) {
			live_wait(b);
			return K_NONE;
		}
		if (!l->job)
			continue;
		busy_slice(b, SLICE_IDLE);
		if (busy_run(b, &l->job)) {
			show_look(b);
			return K_NONE;
		}
	}
}

/* ---- what is shown ---- */

unsigned
live_act(struct browser *b, enum action action, size_t count)
{
	struct live_looks *l = &b->live;
	struct live_state state;

	(void)count;
	if (!l->from) {
		browser_say(b, ROLE_MESSAGE, "this program has ended: cgview watch shows one while "
			    "it runs");
		return EFFECT_DONE;
	}
	state = live_shown_state(l->from->shown);
	if (action == ACTION_RATES) {
		live_shown_rate(l->from->shown, !state.rate);
		browser_say(b, ROLE_MESSAGE, state.rate ? "all so far" : "what a second brings, of "
			    "the time between the last two looks");
	} else if (action == ACTION_FREEZE) {
		live_shown_freeze(l->from->shown, !state.frozen);
		if (state.frozen)
			browser_say(b, ROLE_MESSAGE, "figures go on with the next look");
		else
			browser_say(b, ROLE_MESSAGE, "figures stand still; the program goes on; "
				    "%s compares what came since",
				    action_key(KEYMAP_TABLE, ACTION_COMPARE));
		return EFFECT_DONE;    /* they are those of the last look as before */
	} else {
		live_shown_zero(l->from->shown, !state.zeroed);
		browser_say(b, ROLE_MESSAGE, state.zeroed ? "all since the program began"
			    : "counted from here on");
	}
	renew(b, true);
	return EFFECT_DONE;
}

static int
compare(struct browser *b, struct error *err)
{
	struct profile *states[2];
	struct tui_compare compare = {
		.profiles = states, .nr = 2,
		.expression = profile_is_uncounted(b->profile) ? NULL : "b.count - a.count",
	};

	if (live_shown_states(b->live.from->shown, states, err))
		return -1;
	compare.comparison = comparison_open(states, 2, &compare.options, err);
	if (compare.comparison)
		tui_browse_within(b, &states[1], &compare);
	profile_close(states[0]);
	profile_close(states[1]);
	return compare.comparison ? 0 : -1;
}

unsigned
live_compare(struct browser *b)
{
	struct live_looks *l = &b->live;
	struct error err = ERROR_INIT;

	if (l->job) {
		busy_slice(b, 0);
		busy_run(b, &l->job);
		show_look(b);
	}
	layout_draw_busy("comparing ...");
	if (compare(b, &err))
		browser_say(b, ROLE_MESSAGE, "%s: %s keeps what is shown, to compare it later",
			    err.text, action_key(KEYMAP_TABLE, ACTION_FREEZE));
	return EFFECT_DONE | EFFECT_LAYOUT | EFFECT_REPAINT;
}

static bool
is_one_of(enum action action, const enum action *of, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (of[i] == action)
			return true;
	return false;
}

bool
live_refuses(struct browser *b, enum action action)
{
	static const enum action moves[] = { /* within the list that there is */
		ACTION_DOWN, ACTION_UP, ACTION_PAGE_DOWN, ACTION_PAGE_UP, ACTION_HALF_DOWN,
		ACTION_HALF_UP, ACTION_FIRST, ACTION_LAST, ACTION_QUIT_ALL, ACTION_CANCEL,
	};
	static const enum action later[] = {
		ACTION_TREE, ACTION_BANDS, ACTION_DISPOSALS, ACTION_TIMELINE, ACTION_NEVER,
		ACTION_NEVER_NEXT, ACTION_NEVER_PREVIOUS, ACTION_CYCLES, ACTION_ERRORS,
		ACTION_ERROR_NEXT, ACTION_ERROR_PREVIOUS, ACTION_RUN_AGAIN, ACTION_SHOW,
		ACTION_ALL, ACTION_MARK_ROW, ACTION_PINS, ACTION_ARC_MORE, ACTION_ARC_FEWER,
		ACTION_ARC_SET, ACTION_PIN,
	};

	if (b->live.procedures_only &&
	    !is_one_of(action, moves, sizeof(moves) / sizeof(*moves)))
		live_wait(b);
	if (!b->live.from || !is_one_of(action, later, sizeof(later) / sizeof(*later)))
		return false;
	browser_say(b, ROLE_MESSAGE, "not while it is watched: the profile has it, which is saved "
		    "at the end (%s leaves)", action_key(KEYMAP_TABLE, ACTION_QUIT_ALL));
	return true;
}

bool
live_may_leave(struct browser *b)
{
	struct live_looks *l = &b->live;
	const char *what = l->from && !l->ended && !l->warned
				   ? l->from->leaving(l->from->context) : NULL;

	if (!arc_dial_may_leave(b))
		return false;
	if (!what)
		return true;
	l->warned = true;
	browser_say(b, ROLE_WARNING, "leaving %s: the same key again leaves", what);
	return false;
}

void
live_banner(struct browser *b, struct strbuf *out)
{
	const struct live_looks *l = &b->live;
	struct live_state s;

	if (!l->from)
		return;
	s = live_shown_state(l->from->shown);
	strbuf_str(out, l->ended ? "ended" : s.frozen ? "frozen" : "live");
	if (s.rate)
		strbuf_str(out, ", figures a second");
	else if (s.zeroed && s.taken_ns >= s.zero_ns)
		strbuf_fmt(out, ", of %.0f s", (double)(s.taken_ns - s.zero_ns) / 1e9);
	else
		strbuf_str(out, ", all so far");
}
