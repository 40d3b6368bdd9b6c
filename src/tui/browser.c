#include "tui/browser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "show/human.h"
#include "solve/subset.h"
#include "tui/record_again.h"
#include "tui/keys/command.h"
#include "tui/filter.h"
#include "tui/goto.h"
#include "tui/icicle/icicle_aside.h"
#include "tui/layout.h"
#include "tui/other_programs.h"
#include "tui/screen/paste.h"
#include "tui/views/table.h"
#include "tui/screen/term.h"
#include "tui/unrecorded.h"
#include "tui/views.h"
#include "tui/walk.h"

/* ---- life ---- */

/* Tells first-time users the most important keys. */
static void
say_first(struct browser *b, const char *what)
{
	browser_say(b, ROLE_MESSAGE, "%s %s.   %s: its source   %s: all keys", what,
		    action_key(KEYMAP_TABLE, ACTION_DIAGNOSTICS),
		    action_key(KEYMAP_TABLE, ACTION_OPEN), action_key(KEYMAP_TABLE, ACTION_HELP));
}

static void
say_notes(struct browser *b, size_t nr)
{
	char what[60];

	snprintf(what, sizeof(what), "%zu note%s about this profile:", nr, nr == 1 ? "" : "s");
	say_first(b, what);
}

/* Code in a library's headers is too common to be told at the start. */
static size_t
notes_that_matter(struct listing *notes)
{
	int kind = list_column_find(LIST_NOTE, "kind");
	size_t n = 0, nr = listing_rows(notes);
	const struct list_row *row;

	for (size_t i = 0; i < nr && (row = listing_row(notes, i)); i++)
		n += row->cells[kind].null || strcmp(row->cells[kind].text, "library");
	return n;
}

static void
first_message(struct browser *b)
{
	struct list_query q = { .kind = LIST_NOTE };
	struct listing *notes = listing_open(b->profile, &q);
	size_t nr = notes ? notes_that_matter(notes) : 0;

	listing_close(notes);
	if (profile_error(b->profile))
		browser_say(b, ROLE_ERROR, "%s", profile_error(b->profile));
	else if (b->config->nr_problems > 1)
		browser_say(b, ROLE_ERROR, "%s   (%zu more: %s)", b->config->problems[0],
			    b->config->nr_problems - 1 + b->config->nr_more,
			    action_key(KEYMAP_TABLE, ACTION_DIAGNOSTICS));
	else if (b->config->nr_problems)
		browser_say(b, ROLE_ERROR, "%s", b->config->problems[0]);
	else if (b->live.from)
		live_say_first(b);
	else if (!b->totals->nr_procedures)
		browser_say(b, ROLE_WARNING, "this profile is empty: build the program with cgcc, "
			    "and record again");
	else if (!b->totals->blocks_executed && !profile_is_uncounted(b->profile) &&
		 !profile_counts_only_calls(b->profile))
		browser_say(b, ROLE_WARNING, "nothing of this program was executed: was it ended "
			    "before it began? %s tells how",
			    action_key(KEYMAP_TABLE, ACTION_DIAGNOSTICS));
	else if (nr)
		say_notes(b, nr);
	else if (!b->totals->self_ns && !profile_lead(b->profile))
		say_first(b, "Counts only, no time; why:");
}

/* Takes over the metrics of another profile, and shows the one called NAME (or NULL) if it is
 * there. */
static void
take_metrics(struct browser *b, const char *name)
{
	int metric;

	metrics_of(&b->metrics, b->profile);
	live_metrics(b);
	margins_of(&b->margins, &b->metrics);
	metric = name ? metrics_find(&b->metrics, name, strlen(name)) : -1;
	b->metric = metric >= 0 && b->metrics.items[metric].there ? (size_t)metric
								  : b->metrics.first;
}

/* Computes the heat anew after metric or scale changed. */
static void
renew_heat(struct browser *b)
{
	heat_of_metric(&b->heat, &b->metrics.items[b->metric], b->linear);
}

/* Without time the summary begins with another cost, or with counts. */
static void
sort_without_time(struct view *v)
{
	struct table *t = view_table(v);

	for (int i = 0; i < t->nr_columns; i++) {
		int listed = t->columns[i].source ? table_find(t, t->columns[i].source) : -1;

		if (listed >= 0 && t->columns[i].needs == NEEDS_NOTHING &&
		    !(t->columns[i].flags & COLUMN_OFF) && table_listed(t, listed)->measure &&
		    list_has_shares(table_listed(t, listed))) {
			table_sort(v, t, i);
			return;
		}
	}
	table_sort_by(v, t, "calls");
}

/* Costs of another tool have no work that they could be told from. */
static bool
compares_costs(const struct browser *b)
{
	bool any = false;

	for (size_t k = 0; k < b->compare.nr; k++)
		any |= profile_lines_are_uncounted(b->compare.profiles[k]);
	return any;
}

/* What is over the panes at first. The summary has no rows of memory: what a stored comparison has
 * of it is shown over it. Of two profiles the causes of the difference come first, unless somebody
 * asks for something else. */
static void
show_first(struct browser *b, const struct tui_compare *asked)
{
	struct view *v = NULL;

	if (asked && asked->nr == 2 && !asked->series && !asked->expression &&
	    !asked->options.normalise && !compares_costs(b))
		v = ledger_new(b);
	else if (compare_is_on(b) && compare_by_is_space(b->compare.begin) &&
		 !unrecorded(b, ACTION_DISPOSALS))
		v = disposals_new(b);
	if (v)
		browser_push(b, v);
}

struct browser *
browser_new(struct profile *profile, const struct tui_options *options,
	    const struct config *config)
{
	struct browser *b = xcalloc(1, sizeof(*b));

	b->profile = profile;
	b->totals = profile_totals(profile);
	profile_optional(profile, &b->optional);
	errors_read(&b->errors, profile);
	b->again = options->again;
	live_begin(b, options->live);
	b->config = config;
	b->linear = config->linear;
	b->mouse = config->mouse;
	term_mouse_on(b->mouse);
	b->directory = profile_directory(profile);
	strbuf_init(&b->message);
	prompt_init(&b->prompt);
	docs_init(&b->docs, profile);
	busy_watch(b, profile);
	take_metrics(b, config->metric);
	/* Without samples there is no time. */
	if (!totals_have_time(b->totals) && b->metric < NR_BUILTIN_METRICS)
		b->metric = (size_t)metrics_first(&b->metrics, b->totals);
	renew_heat(b);
	draw_begin();
	compare_open(b, options->compare);
	b->panes[PANE_SUMMARY] = summary_new(b);
	b->panes[PANE_SOURCE] = source_new(b);
	b->panes[PANE_CALLERS] = arcs_new(b, ARCS_CALLERS);
	b->panes[PANE_CALLEES] = arcs_new(b, ARCS_CALLEES);
	if (!b->totals->self_ns && !compare_is_on(b) && !profile_lead(profile) &&
	    !(b->live.from && b->live.from->has_begun))
		sort_without_time(b->panes[PANE_SUMMARY]);
	draw_begin();
	layout(b);
	walk_follow_cursor(b, b->panes[PANE_SUMMARY]);
	strbuf_clear(&b->message);
	first_message(b);
	show_first(b, options->compare);
	return b;
}

void
browser_free(struct browser *b)
{
	while (b->depth)
		view_free(b->stack[--b->depth]);
	for (int i = 0; i < PANE_NR; i++)
		view_free(b->panes[i]);
	icicle_aside_forget(b);
	dial_close(b->arc_dial.dial);
	tree_state_free(b->tree);
	compare_release(&b->compare);
	live_end(b);
	threads_release(&b->threads);
	docs_release(&b->docs);
	history_release(&b->history);
	search_release(&b->search);
	prompt_release(&b->prompt);
	strbuf_release(&b->message);
	errors_release(&b->errors);
	free(b->filter_before);
	while (b->nr_choices)
		column_choice_free(b->choices[--b->nr_choices]);
	free(b->choices);
	free(b->directory);
	free(b);
}

void
browser_take(struct browser *b, struct profile *profile)
{
	char metric[METRIC_NAME_MAX + 1];
	const struct profile *old;
	int i;

	while (b->depth)
		view_free(b->stack[--b->depth]);
	icicle_aside_forget(b);
	tree_state_free(b->tree);
	b->tree = NULL;
	old = b->profile;
	b->profile = profile;
	for (size_t k = 0; k < b->nr_choices; k++)
		column_choice_renew(b->choices[k], profile);
	b->totals = profile_totals(profile);
	profile_optional(profile, &b->optional);
	errors_read(&b->errors, profile);
	free(b->directory);
	b->directory = profile_directory(profile);
	docs_release(&b->docs);
	docs_init(&b->docs, profile);
	busy_watch(b, profile);
	memcpy(metric, b->metrics.items[b->metric].name, sizeof(metric));
	take_metrics(b, metric);
	renew_heat(b);
	compare_take(b);
	for (i = 0; i < PANE_NR; i++) {
		struct table *t = view_table(b->panes[i]);

		if (!t)
			continue;
		table_change_profile(t, old);
		table_reopen(b->panes[i], t);
	}
	arcs_sum_up(b->panes[PANE_CALLERS]);
	arcs_sum_up(b->panes[PANE_CALLEES]);
	source_refresh(b->panes[PANE_SOURCE]);
}

void
browser_renew_heat(struct browser *b)
{
	char metric[METRIC_NAME_MAX + 1];

	memcpy(metric, b->metrics.items[b->metric].name, sizeof(metric));
	take_metrics(b, metric);
	renew_heat(b);
}

int
browser_reopen(struct browser *b, struct error *err)
{
	struct profile *old = b->profile, *new = subset_open_named(profile_name(old), err);

	if (!new)
		return -1;
	browser_take(b, new);
	threads_forget(b);
	profile_close(old);
	return 0;
}

static unsigned
idle_table(struct browser *b, struct view *v)
{
	struct table *t = view_table(v);
	unsigned what = 0;

	if (t && table_busy(t)) {
		busy_slice(b, SLICE_IDLE);
		what = table_work(v, t);
		if ((what & WORK_MOVED) && v == browser_view(b))
			walk_follow_cursor(b, v);
		/* When this is done the sums are next. */
		return what | WORK_MORE;
	}
	if (b->hits.view == v)
		what = hits_idle(v);
	else if (v->ops->idle)
		what = v->ops->idle(v);
	if ((what & WORK_MOVED) && v == browser_view(b))
		walk_follow_cursor(b, v);
	if (what || !t || !view_foot_lines(v))
		return what;
	busy_begin_idle(b);
	what = table_sum_up(t) ? WORK_NEW : 0;
	busy_end(b);
	return what;
}

unsigned
browser_idle(struct browser *b)
{
	unsigned what = 0;
	int i;

	for (i = b->depth - 1; i >= 0 && !(what & WORK_MORE); i--)
		what |= idle_table(b, b->stack[i]);
	for (i = 0; i < PANE_NR && !(what & WORK_MORE); i++)
		what |= idle_table(b, b->panes[i]);
	if (!(what & WORK_MORE) && b->aside)
		what |= idle_table(b, b->aside);
	if (!(what & WORK_MORE))
		what |= compare_idle(b);
	return what;
}

void
browser_draw(struct browser *b)
{
	layout_draw(b);
}

void
browser_say(struct browser *b, enum role role, const char *format, ...)
{
	va_list ap;
	char text[1200];

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	strbuf_clear(&b->message);
	strbuf_str(&b->message, text);
	b->message_role = role;
}

struct view *
browser_view(struct browser *b)
{
	return b->depth ? b->stack[b->depth - 1] : b->panes[b->focus];
}

/* ---- the stack of views ---- */

static void
drop_view(struct browser *b, int at)
{
	view_free(b->stack[at]);
	b->depth--;
	memmove(&b->stack[at], &b->stack[at + 1], (size_t)(b->depth - at) * sizeof(*b->stack));
}

void
browser_leave_causes(struct browser *b)
{
	for (int i = b->depth - 1; i >= 0; i--)
		if (is_ledger(b->stack[i]))
			drop_view(b, i);
}

unsigned
browser_push(struct browser *b, struct view *view)
{
	int i;

	/* A popup belongs to the view below it, which may go. */
	if (b->depth && b->stack[b->depth - 1]->ops->popup)
		view_free(b->stack[--b->depth]);
	/* Only one view of a kind is kept: the old one goes. */
	for (i = 0; i < b->depth; i++) {
		if (b->stack[i]->ops == view->ops)
			drop_view(b, i);
	}
	/* The lowest one goes where there are too many: VIEW may belong to the top one. */
	if (b->depth == STACK_MAX)
		drop_view(b, 0);
	b->stack[b->depth++] = view;
	layout(b);
	return EFFECT_DONE;
}

unsigned
browser_pop(struct browser *b)
{
	if (b->depth)
		view_free(b->stack[--b->depth]);
	return EFFECT_DONE | EFFECT_LAYOUT;
}

/* ---- the browser's own actions ---- */

typedef unsigned action_function(struct browser *b, enum action action, size_t count);

static bool
undo_in_view(struct browser *b)
{
	struct view *v = browser_view(b);

	return v->ops->undo && v->ops->undo(v);
}

static unsigned
act_back(struct browser *b, enum action action, size_t count)
{
	if (b->depth && undo_in_view(b))
		return EFFECT_DONE | EFFECT_MOVED;
	if (b->depth)
		return browser_pop(b);
	return action == ACTION_BACK ? walk_back(b, count) : walk_forward(b, count);
}

/* In the pane itself the key walks on, from call to call. */
static unsigned
act_pane(struct browser *b, enum action action, size_t count)
{
	static const enum pane pane_of[ACTION_NR] = {
		[ACTION_CALLERS] = PANE_CALLERS, [ACTION_CALLEES] = PANE_CALLEES,
		[ACTION_SUMMARY] = PANE_SUMMARY, [ACTION_SOURCE] = PANE_SOURCE,
	};

	enum pane pane = pane_of[action];
	bool here = !b->depth && b->focus == pane;
	unsigned effect = EFFECT_DONE;

	while (b->depth)
		browser_pop(b);
	for (size_t i = 0; here && i < (count ? count : 1); i++) {
		if (pane == PANE_CALLERS || pane == PANE_CALLEES)
			effect |= view_act(b->panes[pane], ACTION_OPEN, 0);
		browser_focus(b, pane);
	}
	return effect | browser_focus(b, pane);
}

static unsigned
act_next_pane(struct browser *b, enum action action, size_t count)
{
	int by = action == ACTION_NEXT_PANE ? 1 : PANE_NR - 1;

	(void)count;
	return browser_focus(b, (enum pane)(((int)b->focus + by) % PANE_NR));
}

static unsigned
act_zoom(struct browser *b, enum action action, size_t count)
{
	(void)action;
	(void)count;
	b->zoom = !b->zoom;
	return EFFECT_DONE | EFFECT_LAYOUT;
}

static unsigned
act_mark(struct browser *b, enum action action, size_t count)
{
	(void)count;
	b->waits_for_letter = action;
	browser_say(b, ROLE_PROMPT, action == ACTION_MARK_SET ? "mark this place with which letter?"
							       : "go to which mark?");
	return EFFECT_DONE;
}

static unsigned
act_prompt(struct browser *b, enum action action, size_t count)
{
	static const enum prompt_kind kind_of[ACTION_NR] = {
		[ACTION_SEARCH] = PROMPT_SEARCH, [ACTION_SEARCH_BACK] = PROMPT_SEARCH_BACK,
		[ACTION_COMMAND] = PROMPT_COMMAND,
	};

	(void)count;
	b->search_from = view_place(browser_view(b));
	prompt_open(&b->prompt, kind_of[action], "");
	return EFFECT_DONE;
}

static unsigned
act_goto(struct browser *b, enum action action, size_t count)
{
	(void)action;
	(void)count;
	return goto_ask(b, "");
}

static unsigned
act_filter(struct browser *b, enum action action, size_t count)
{
	struct table *t = view_table(browser_view(b));
	const char *filter = t ? t->to.text[RESTRICT_FILTER] : NULL;

	(void)action;
	(void)count;
	if (!t) {
		browser_say(b, ROLE_MESSAGE, "only lists can be filtered: %s searches here",
			    action_key(browser_view(b)->ops->keymap, ACTION_SEARCH));
		return EFFECT_DONE;
	}
	b->search_from = browser_view(b)->cursor;
	free(b->filter_before);
	b->filter_before = filter ? xstrdup(filter) : NULL;
	prompt_open(&b->prompt, PROMPT_FILTER, filter ? filter : "");
	return EFFECT_DONE;
}

static unsigned
act_search_next(struct browser *b, enum action action, size_t count)
{
	struct view *v = browser_view(b);
	bool backward = b->search.backward != (action == ACTION_SEARCH_PREVIOUS);

	if (!b->search.pattern) {
		browser_say(b, ROLE_MESSAGE, "nothing to search for yet: %s asks",
			    action_key(v->ops->keymap, ACTION_SEARCH));
		return EFFECT_DONE;
	}
	/* Limits the work, so that a slip of the finger does not take minutes. */
	if (count > 100)
		count = 100;
	if (!hits_next(v, backward, count ? count - 1 : 0)) {
		browser_say(b, ROLE_MESSAGE, "not found: %s", b->search.pattern);
		return EFFECT_DONE;
	}
	return EFFECT_DONE | EFFECT_MOVED;
}

/* The kind of the summary can be changed from any pane; a view has kinds of its own, or none. */
static unsigned
act_summary_kind(struct browser *b, enum action action, size_t count)
{
	(void)count;
	if (b->depth)
		return view_act(browser_view(b), action, 0);
	browser_focus(b, PANE_SUMMARY);
	return view_act(b->panes[PANE_SUMMARY], action, 0) | EFFECT_LAYOUT;
}

/* Hot spots belong to the source; where it was opened from the errors these take their place. */
static unsigned
act_hot(struct browser *b, enum action action, size_t count)
{
	struct view *v = browser_view(b);
	unsigned effect;

	if (b->depth && (v->ops->keymap == KEYMAP_BESIDE || is_errors(v)))
		return view_act(v, action, count);
	if (!b->depth && b->errors.walked)
		return errors_step(b, action == ACTION_HOT_NEXT ? ACTION_ERROR_NEXT
								: ACTION_ERROR_PREVIOUS, count);
	effect = view_act(b->panes[PANE_SOURCE], action, count);

	if (!b->panes[PANE_SOURCE]->area.h)
		effect |= browser_focus(b, PANE_SOURCE);
	if (effect & EFFECT_MOVED)
		walk_follow_cursor(b, b->panes[PANE_SOURCE]);
	if ((effect & EFFECT_MOVED) && b->strayed && !b->depth && b->focus == PANE_SUMMARY)
		effect |= browser_focus(b, PANE_SOURCE);
	return effect & ~(unsigned)EFFECT_MOVED;
}

static unsigned
show_metric(struct browser *b)
{
	renew_heat(b);
	source_refresh(b->panes[PANE_SOURCE]);
	browser_say(b, ROLE_MESSAGE, "colours show %s, in %s steps", b->heat.metric->title,
		    b->linear ? "even" : "logarithmic");
	/* Another line may be the hottest of the selected row. */
	return EFFECT_DONE | (browser_view(b) == b->panes[PANE_SUMMARY] ? EFFECT_MOVED : 0);
}

static unsigned
act_metric(struct browser *b, enum action action, size_t count)
{
	size_t steps = count ? count : 1;

	if (action == ACTION_SCALE) {
		b->linear = !b->linear;
		return show_metric(b);
	}
	b->errors.walked = false; /* it is measures that are wanted */
	/* Takes the COUNTth metric, or the next one; not those that are not there, nor details. */
	if (count)
		b->metric = b->metrics.nr - 1;
	while (steps) {
		const struct metric *m;

		b->metric = (b->metric + 1) % b->metrics.nr;
		m = &b->metrics.items[b->metric];
		steps -= m->there && !m->detail;
	}
	return show_metric(b);
}

unsigned
browser_measure(struct browser *b, const char *name)
{
	int metric = metrics_find(&b->metrics, name, strlen(name));

	if (metric < 0 || !b->metrics.items[metric].there) {
		browser_say(b, ROLE_MESSAGE, "this profile has no measure %s", name);
		return EFFECT_DONE;
	}
	b->metric = (size_t)metric;
	b->errors.walked = false;
	if (browser_view(b)->ops->keymap == KEYMAP_TREE ||
	    browser_view(b)->ops->keymap == KEYMAP_ICICLE)
		tree_show_measure(b, metric_tree_measure(&b->metrics.items[metric]));
	return show_metric(b);
}

static unsigned
act_legend(struct browser *b, enum action action, size_t count)
{
	(void)action;
	(void)count;
	if (is_legend(browser_view(b)))
		return browser_pop(b);
	if (browser_view(b) != b->panes[PANE_SOURCE])
		return browser_push(b, legend_new(b));
	source_toggle_legend(b->panes[PANE_SOURCE]);
	return EFFECT_DONE | EFFECT_LAYOUT;
}

static unsigned
act_background(struct browser *b, enum action action, size_t count)
{
	(void)action;
	(void)count;
	b->light = draw_palette_now() != PALETTE_LIGHT &&
		   draw_palette_now() != PALETTE_LIGHT_16;
	if (!term_background(b->light ? BACKGROUND_LIGHT : BACKGROUND_DARK))
		browser_say(b, ROLE_MESSAGE, "this terminal has too few colours for a choice");
	return EFFECT_DONE | EFFECT_REPAINT;
}

static unsigned
act_mouse(struct browser *b, enum action action, size_t count)
{
	(void)action;
	(void)count;
	b->mouse = !b->mouse;
	term_mouse_on(b->mouse);
	browser_say(b, ROLE_MESSAGE, b->mouse ? "the mouse is used here now"
					      : "the mouse is the terminal's again");
	return EFFECT_DONE;
}

static unsigned
act_redraw(struct browser *b, enum action action, size_t count)
{
	(void)action;
	(void)count;
	compare_resume(b);
	return EFFECT_DONE | EFFECT_LAYOUT | EFFECT_REPAINT;
}

/* The views that an action opens, if what they need was recorded; a function that returns NULL has
 * told why there is none. */
static struct view *(*const opened_by[ACTION_NR])(struct browser *b) = {
#define VIEW(action, function) [ACTION_##action] = function,
#include "tui/keys/action_rows.h"
};

static unsigned
act_push(struct browser *b, enum action action)
{
	struct view *view;

	if (action == ACTION_TIMELINE && layout_strip(b)) {
		while (layout_strip(b))
			browser_pop(b);
		return EFFECT_LAYOUT;
	}
	view = unrecorded(b, action) ? NULL : opened_by[action](b);
	return view ? browser_push(b, view) | EFFECT_MOVED : EFFECT_DONE;
}

static unsigned
act_icicle(struct browser *b, enum action action, size_t count)
{
	if (is_tree(browser_view(b)))
		return view_act(browser_view(b), action, count);
	if (unrecorded(b, ACTION_TREE))
		return EFFECT_DONE;
	return browser_push(b, tree_new_icicle(b)) | EFFECT_MOVED;
}

static unsigned
act_columns(struct browser *b, enum action action, size_t count)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);

	if (v->ops->popup)
		return view_act(v, action, count);
	return t ? browser_push(b, columns_new(v, t)) : view_act(v, action, count);
}

static unsigned
act_outside(struct browser *b, enum action action, size_t count)
{
	(void)count;
	if (action == ACTION_RUN_AGAIN)
		return again_ask(b);
	return action == ACTION_COPY ? copy_command(b, "row") : edit_source(b);
}

static unsigned
act_quit(struct browser *b, enum action action, size_t count)
{
	(void)count;
	if (action == ACTION_QUIT_ALL)
		return live_may_leave(b) ? EFFECT_QUIT : EFFECT_DONE;
	if (b->depth)
		return browser_pop(b);
	if (b->focus == PANE_SUMMARY && !b->zoom)
		return live_may_leave(b) ? EFFECT_QUIT : EFFECT_DONE;
	b->zoom = false;
	return browser_focus(b, PANE_SUMMARY);
}

/* Stops work in the view that has the keyboard. */
static bool
give_up_work(struct browser *b)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);
	const char *stopped = t ? table_give_up(v, t) : NULL;

	if (stopped) {
		browser_say(b, ROLE_MESSAGE, "%s", stopped);
		return true;
	}
	return compare_give_up(b) || (b->depth && is_tree(v) && tree_give_up(b)) ||
	       (v->ops->keymap == KEYMAP_QUERY && undo_in_view(b));
}

/* Finding a filter's rows counts as work, too. */
static bool
give_up_filter(struct browser *b)
{
	struct view *v = browser_view(b);
	struct table *t = view_table(v);

	if (!t || !table_busy(t) || !filter_undo(v, t))
		return false;
	browser_say(b, ROLE_MESSAGE, "stopped looking for rows");
	return true;
}

static unsigned
act_cancel(struct browser *b, enum action action, size_t count)
{
	(void)action;
	if (count || give_up_work(b))
		return EFFECT_DONE;
	if (give_up_filter(b))
		return EFFECT_DONE | EFFECT_MOVED;
	if (b->depth)
		return browser_pop(b);
	b->interrupted = live_may_leave(b);
	return b->interrupted ? EFFECT_QUIT : EFFECT_DONE;
}

/* Undoes the latest thing that can be undone. */
static unsigned
act_escape(struct browser *b, enum action action, size_t count)
{
	struct view *source = b->panes[PANE_SOURCE];
	struct table *t = view_table(browser_view(b));

	(void)action;
	(void)count;
	if (give_up_work(b))
		return EFFECT_DONE;
	if (b->depth && is_tree(browser_view(b)) && b->search.pattern) {
		search_set(&b->search, NULL);
		return EFFECT_DONE;
	}
	if (b->depth && undo_in_view(b))
		return EFFECT_DONE | EFFECT_MOVED;
	if (t && !b->search.pattern && filter_undo(browser_view(b), t))
		return EFFECT_DONE | EFFECT_MOVED;
	if (b->depth)
		return browser_pop(b);
	if (b->search.pattern) {
		search_set(&b->search, NULL);
	} else if (b->focus == PANE_SOURCE && source_selected(source).line) {
		source_unselect(source);
		return EFFECT_DONE | EFFECT_MOVED;
	} else if (b->zoom) {
		b->zoom = false;
	} else if (b->focus != PANE_SUMMARY) {
		return browser_focus(b, PANE_SUMMARY);
	} else {
		browser_say(b, ROLE_MESSAGE, "%s leaves",
			    action_key(browser_view(b)->ops->keymap, ACTION_QUIT));
	}
	return EFFECT_DONE | EFFECT_LAYOUT;
}

static action_function *const functions[ACTION_NR] = {
	[ACTION_BACK] = act_back, [ACTION_FORWARD] = act_back,
	[ACTION_CALLERS] = act_pane, [ACTION_CALLEES] = act_pane,
	[ACTION_SUMMARY] = act_pane, [ACTION_SOURCE] = act_pane,
	[ACTION_NEXT_PANE] = act_next_pane, [ACTION_PREVIOUS_PANE] = act_next_pane,
	[ACTION_ZOOM] = act_zoom,
	[ACTION_MARK_SET] = act_mark, [ACTION_MARK_GO] = act_mark,
	[ACTION_GOTO] = act_goto, [ACTION_REMARK] = remark_ask,
	[ACTION_SEARCH] = act_prompt, [ACTION_SEARCH_BACK] = act_prompt,
	[ACTION_COMMAND] = act_prompt, [ACTION_FILTER] = act_filter,
	[ACTION_SEARCH_NEXT] = act_search_next, [ACTION_SEARCH_PREVIOUS] = act_search_next,
	[ACTION_SUMMARY_NEXT] = act_summary_kind, [ACTION_SUMMARY_PREVIOUS] = act_summary_kind,
	[ACTION_HOT_NEXT] = act_hot, [ACTION_HOT_PREVIOUS] = act_hot,
	[ACTION_NEVER_NEXT] = never_step, [ACTION_NEVER_PREVIOUS] = never_step,
	[ACTION_ERROR_NEXT] = errors_step, [ACTION_ERROR_PREVIOUS] = errors_step,
	[ACTION_METRIC] = act_metric, [ACTION_SCALE] = act_metric,
	[ACTION_BACKGROUND] = act_background, [ACTION_MOUSE] = act_mouse,
	[ACTION_REDRAW] = act_redraw, [ACTION_EDIT] = act_outside, [ACTION_COPY] = act_outside,
	[ACTION_RUN_AGAIN] = act_outside, [ACTION_COLUMNS] = act_columns,
	[ACTION_LEGEND] = act_legend, [ACTION_TREE_ICICLE] = act_icicle,
	[ACTION_COMPARE] = compare_act, [ACTION_COMPARE_MENU] = compare_act,
	[ACTION_COMPARE_SIDES] = compare_act,
	[ACTION_COMPARE_CERTAIN] = compare_act, [ACTION_COMPARE_TEXT] = compare_act,
	[ACTION_COMPARE_BESIDE] = compare_act, [ACTION_COMPARE_NORMALISE] = compare_act,
	[ACTION_COMPARE_OFF] = compare_act,
	[ACTION_QUIT] = act_quit, [ACTION_QUIT_ALL] = act_quit, [ACTION_ESCAPE] = act_escape,
	[ACTION_CANCEL] = act_cancel,
	[ACTION_RATES] = live_act, [ACTION_FREEZE] = live_act, [ACTION_FROM_ZERO] = live_act,
};

/* ---- keys ---- */

/* The view may be gone that had the keyboard; then it is no pane and nothing follows it. */
static unsigned
take_effect(struct browser *b, unsigned effect)
{
	if (effect & EFFECT_QUIT)
		b->quit = true;
	if (effect & EFFECT_LAYOUT)
		layout(b);
	if (effect & EFFECT_MOVED)
		walk_follow_cursor(b, browser_view(b));
	return effect;
}

unsigned
browser_act(struct browser *b, enum action action, size_t count)
{
	struct view *v = browser_view(b);
	bool looked = hits_stop(b);
	enum pane focus = b->focus;
	int depth = b->depth;
	unsigned effect;

	b->actions_done[action]++;
	if (looked && (action == ACTION_ESCAPE || action == ACTION_CANCEL)) {
		browser_say(b, ROLE_MESSAGE, "stopped searching: %s goes on",
			    action_key(v->ops->keymap, ACTION_SEARCH_NEXT));
		return EFFECT_DONE;
	}
	/* After any other action the question is asked again. */
	if (action != ACTION_QUIT && action != ACTION_QUIT_ALL && action != ACTION_CANCEL)
		b->arc_dial.warned = b->live.warned = false;
	if (live_refuses(b, action))
		return EFFECT_DONE;
	effect = functions[action]   ? functions[action](b, action, count)
		 : opened_by[action] ? act_push(b, action)
				     : view_act(v, action, count);
	effect = take_effect(b, effect);
	if (!b->quit && !b->depth && (depth || focus != b->focus))
		walk_arrived(b);
	return effect;
}

static void
unknown_key(struct browser *b, tui_key key)
{
	struct strbuf name = STRBUF_INIT;

	key_print(&name, key);
	browser_say(b, ROLE_MESSAGE, "%s does nothing here; %s shows all keys", name.buf,
		    action_key(browser_view(b)->ops->keymap, ACTION_HELP));
	strbuf_release(&name);
}

static bool
is_count(struct browser *b, tui_key key)
{
	if (key < '0' || key > '9' || (key == '0' && !b->count))
		return false;
	if (b->count < 100000000)
		b->count = b->count * 10 + (size_t)(key - '0');
	return true;
}

static unsigned
prompt_told(struct browser *b, enum prompt_event event)
{
	unsigned effect = EFFECT_DONE;

	if (event != PROMPT_NOTHING)
		effect |= command_prompt(b, event);
	return take_effect(b, effect);
}

/* Gives pasted text to the prompt; without one it does nothing. */
static unsigned
pasted(struct browser *b)
{
	const struct paste *paste = term_paste();
	struct strbuf bytes = STRBUF_INIT;

	if (b->prompt.kind != PROMPT_NONE)
		return prompt_told(b, prompt_paste(&b->prompt, paste));
	b->count = 0;
	b->waits_for_letter = ACTION_NONE;
	human_count(&bytes, paste->bytes);
	browser_say(b, ROLE_MESSAGE, "pasted text (%s byte%s) is ignored here; after %s or %s it "
		    "is taken", bytes.buf, paste->bytes == 1 ? "" : "s",
		    action_key(browser_view(b)->ops->keymap, ACTION_SEARCH),
		    action_key(browser_view(b)->ops->keymap, ACTION_COMMAND));
	strbuf_release(&bytes);
	return EFFECT_DONE;
}

unsigned
browser_key(struct browser *b, tui_key key)
{
	enum action action, waiting = b->waits_for_letter;
	size_t count;

	if (key == K_RESIZE) {
		draw_begin();
		layout(b);
		/* The size decides again what fits together. */
		if (browser_view(b) == b->panes[PANE_SUMMARY])
			walk_follow_cursor(b, b->panes[PANE_SUMMARY]);
		return EFFECT_DONE | EFFECT_REPAINT;
	}
	if (key == K_COLOURS)
		return EFFECT_DONE | EFFECT_REPAINT;
	if (key == K_HANGUP) {
		b->quit = true;
		return EFFECT_QUIT;
	}
	if (key == K_MOUSE) {
		hits_stop(b);
		return b->prompt.kind == PROMPT_NONE ? browser_mouse(b) : EFFECT_NONE;
	}
	strbuf_clear(&b->message);
	if (key == K_PASTE)
		return pasted(b);
	if (b->prompt.kind != PROMPT_NONE)
		return prompt_told(b, prompt_key(&b->prompt, key, b->actions_done));
	b->waits_for_letter = ACTION_NONE;
	if (waiting != ACTION_NONE)
		return key == K_ESC || key == K_INTERRUPT ? EFFECT_DONE
							  : walk_mark(b, waiting, key);
	if (is_count(b, key))
		return EFFECT_DONE;
	count = b->count;
	b->count = 0;
	action = action_of_key(browser_view(b)->ops->keymap, key);
	if (action == ACTION_NONE) {
		unknown_key(b, key);
		return EFFECT_DONE;
	}
	if (browser_act(b, action, count) & EFFECT_REFUSED)
		unknown_key(b, key);
	return EFFECT_DONE | (action == ACTION_REDRAW || action == ACTION_BACKGROUND ||
			      action == ACTION_EDIT ? EFFECT_REPAINT : 0);
}
