/* Compares in slices: what is to be shown begins at once, and goes on while nobody types. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/compared.h"
#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "tui/walk.h"
#include "util/job.h"

/* ---- one kind of rows ---- */

static const char *
default_expression(const struct compare *x, enum compare_by by)
{
	return x->series ? series_default(x->c, by) : comparison_default(x->c, by);
}

static void
find_chance(void *kind)
{
	struct compare_kind *k = kind;

	k->chance = k->stored.in ? profile_stored_discoveries(k->stored.in, k->stored.name)
				 : compared_discoveries(k->table);
}

/* A stored expression tells its units, too. */
static void
take_stored(struct compare *x, enum compare_by by, struct compare_kind *k)
{
	struct profile *p = x->profiles[x->nr - 1];
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct expression_context context = {
		.nr_profiles = x->nr, .figures = compare_figures(by, profile_figures(p)),
		.things = compare_by_things(by),
	};
	struct stored_facts facts;
	struct expression *e;

	k->expression = profile_stored_expression(p, compare_by_name(by));
	if (!k->expression)
		return;
	profile_stored_facts(p, compare_by_name(by), &facts);
	k->greatest = facts.greatest;
	k->differs = k->greatest > 0;
	k->sampled = facts.sampled;
	k->apart = facts.apart;
	k->alike = facts.alike;
	k->affected = facts.affected;
	k->stored.in = p;
	k->stored.name = compare_by_name(by);
	if (k->sampled)
		k->judging = job_new(find_chance, k);
	e = expression_compile(k->expression, &context, &err);
	if (!e)
		return;
	k->unit = expression_unit(e);
	k->figure = expression_figure(e);
	k->of_a = expression_figure_of(e, 0);
	k->of_b = expression_figure_of(e, x->nr - 1);
	expression_free(e);
}

/* Sets all that is known before the rows are there. */
static int
begin_with(struct compare *x, enum compare_by by, struct compare_kind *k, const char *text,
	   struct expression_error *err)
{
	const struct expression *e;

	if (x->series) {
		series_release(&k->series);
		series_init(&k->series, x->c, x->sizes);
		if (series_begin(&k->series, by, text, err))
			return -1;
		k->next = k->series.tables[by];
		k->unit = UNIT_GROWTH;
		e = k->series.expressions[by];
	} else {
		k->next = comparison_begin(x->c, by, text, 0, err);
		if (!k->next)
			return -1;
		e = compared_expression(k->next);
		k->unit = expression_unit(e);
	}
	k->figure = expression_figure(e);
	k->of_a = expression_figure_of(e, 0);
	k->of_b = expression_figure_of(e, x->nr - 1);
	free(k->expression);
	k->expression = xstrdup(expression_text(e));
	return 0;
}

static void
begin(struct browser *b, enum compare_by by, struct compare_kind *k)
{
	struct compare *x = &b->compare;
	struct expression_error err = EXPRESSION_ERROR_INIT;

	k->state = COMPARE_READY;
	if (!x->c) {
		take_stored(x, by, k);
		return;
	}
	k->state = COMPARE_GOES_ON;
	if (x->expression && !k->instead && !begin_with(x, by, k, x->expression, &err))
		return;
	k->instead = x->expression != NULL;
	err = (struct expression_error)EXPRESSION_ERROR_INIT;
	if (!begin_with(x, by, k, default_expression(x, by), &err))
		return;
	browser_say(b, ROLE_ERROR, "%s", err.error.text);
	k->state = COMPARE_READY;
}

/* Sets exponents and degrees by row, and the greatest exponent of those that can be believed. */
static void
take_exponents(struct compare_kind *k)
{
	struct series *s = &k->series;
	size_t nr = compared_rows(k->table);

	series_sort(s);
	k->exponents = xcalloc(nr, sizeof(*k->exponents));
	k->degrees = xcalloc(nr, sizeof(*k->degrees));
	for (size_t i = 0; i < nr; i++)
		k->exponents[i] = k->degrees[i] = NAN;
	for (size_t i = 0; i < s->nr_rows; i++) {
		const struct series_row *r = &s->rows[i];

		if (!r->good || isnan(r->exponent))
			continue;
		k->degrees[r->row] = r->degree;
		k->exponents[r->row] = r->exponent;
		k->greatest = fmax(k->greatest, fabs((double)r->exponent));
	}
	k->differs = true;
}

static void
take_table(struct compare *x, struct compare_kind *k)
{
	k->table = k->next;
	if (x->series) {
		take_exponents(k);
	} else {
		k->greatest = compared_greatest(k->table);
		k->differs = compared_differs(k->table);
		k->sampled = compared_sampled(k->table);
		k->few_runs = compared_few_runs(k->table);
		k->same_work = x->same_work && figure_is_sampled(k->figure);
	}
	if (k->sampled || (!x->series && figure_is_sampled(k->figure)))
		k->judging = job_new(find_chance, k);
	k->apart = compared_apart(k->table);
	k->alike = compared_alike(k->table);
	k->affected = compared_affected(k->table);
	if (compare_by_is_arcs(compared_by(k->table)))
		k->finding = job_new(compare_find_ends, k);
	else
		k->state = COMPARE_READY;
}

/* A kind that cannot be computed is done with, too, until there is another expression. */
static void
fail(struct browser *b, enum compare_by by, struct compare_kind *k, const struct error *err)
{
	bool again = b->compare.expression && !k->instead;

	k->next = NULL;
	k->instead = true;
	k->state = COMPARE_READY;
	if (again)
		begin(b, by, k);
	else
		browser_say(b, ROLE_ERROR, "%s", err->text);
}

/* Works until the slice is over. Returns true when the kind is ready. */
static bool
work(struct browser *b, enum compare_by by, struct compare_kind *k)
{
	struct compare *x = &b->compare;
	struct error err = ERROR_INIT;
	int done;

	if (k->table) {
		k->state = job_run(k->finding, busy_over, b) ? COMPARE_READY : COMPARE_GOES_ON;
		return k->state == COMPARE_READY;
	}
	done = x->series ? series_work(&k->series, by, busy_over, b, &err)
			 : comparison_work(k->next, busy_over, b, &err);
	if (done < 0)
		fail(b, by, k, &err);
	else if (done)
		take_table(x, k);
	return k->state == COMPARE_READY;
}

/* ---- asking ---- */

/* Milliseconds. When the browser starts nobody types yet; a key may ask for several kinds of rows
 * and for the places of some. */
enum { SLICE_FIRST = 300, SLICE_OTHERS = 1 };

struct compare_kind *
compare_kind(struct browser *b, enum compare_by by)
{
	struct compare_kind *k = &b->compare.kinds[by];

	if (k->state != COMPARE_NEW)
		return k;
	begin(b, by, k);
	busy_slice(b, !b->panes[PANE_SUMMARY] ? SLICE_FIRST
		      : by == compare_by_shown(b) ? SLICE_KEY : SLICE_OTHERS);
	while (k->state == COMPARE_GOES_ON && !work(b, by, k) && !busy_over(b))
		;
	return k;
}

bool
compare_list(struct browser *b, enum compare_by by)
{
	struct compare_kind *k = compare_kind(b, by);

	if (k->state == COMPARE_STOPPED)
		k->state = COMPARE_GOES_ON;
	if (k->state != COMPARE_READY)
		return false;
	compare_show_rows(b, by);
	return true;
}

/* Finds places until the slice is over. Returns true when they are known. */
static bool
find_places(struct browser *b, struct compare_kind *k, bool first)
{
	if (!k->table || compared_index(k->table, compare_side(&b->compare, first), busy_over, b))
		k->places[first] = PLACES_KNOWN;
	return k->places[first] == PLACES_KNOWN;
}

bool
compare_has_places(struct browser *b, enum compare_by by, bool first)
{
	struct compare_kind *k = compare_kind(b, by);

	if (k->state != COMPARE_READY)
		return false;
	if (k->places[first] == PLACES_UNKNOWN) {
		k->places[first] = PLACES_WANTED;
		busy_slice(b, SLICE_OTHERS);
		find_places(b, k, first);
	}
	return k->places[first] == PLACES_KNOWN;
}

/* ---- while nobody types ---- */

/* With the lines known the source beside the summary shows the one that differs most. */
static unsigned
show_place(struct browser *b, enum compare_by by)
{
	struct view *v = b->panes[PANE_SUMMARY];

	if (by == BY_LINE && v && v == browser_view(b))
		walk_follow_cursor(b, v);
	return WORK_MORE | WORK_NEW;
}

static void
deliver_to(struct view *v, enum compare_by by)
{
	struct browser *b = v->browser;
	struct table *t = view_table(v);

	if (!t || t->waits != (int)by + 1)
		return;
	table_open(v, t);
	/* Some columns may be empty. */
	table_layout(t, v->area.w);
	if (v != compare_rows_view(b))
		return;
	busy_slice(b, SLICE_IDLE);
	compare_seek(b);
	if (v == browser_view(b))
		walk_follow_cursor(b, v);
}

/* Gives the rows to tables that wait for them. */
static unsigned
deliver(struct browser *b, enum compare_by by)
{
	for (int i = 0; i < PANE_NR; i++)
		deliver_to(b->panes[i], by);
	for (int i = 0; i < b->depth; i++)
		deliver_to(b->stack[i], by);
	return show_place(b, by);
}

/* Goes on with how sure the rows are. */
static unsigned
judge(struct browser *b, struct compare_kind *k)
{
	if (!k->judging)
		return 0;
	busy_slice(b, SLICE_IDLE);
	if (!job_run(k->judging, busy_over, b))
		return WORK_MORE;
	job_free(k->judging);
	k->judging = NULL;
	return WORK_MORE | WORK_NEW;
}

static unsigned
go_on(struct browser *b, enum compare_by by)
{
	struct compare_kind *k = &b->compare.kinds[by];

	busy_slice(b, SLICE_IDLE);
	if (k->state == COMPARE_GOES_ON)
		return work(b, by, k) ? deliver(b, by) : WORK_MORE;
	for (int first = 0; first < 2; first++)
		if (k->state == COMPARE_READY && k->places[first] == PLACES_WANTED)
			return find_places(b, k, first) ? show_place(b, by) : WORK_MORE;
	return 0;
}

static unsigned
seek_on(struct browser *b)
{
	struct view *v = compare_rows_view(b);
	size_t before = v->cursor;

	busy_slice(b, SLICE_IDLE);
	if (!compare_seek(b))
		return view_table(v)->waits ? 0 : WORK_MORE;
	if (v == browser_view(b) && v->cursor != before)
		walk_follow_cursor(b, v);
	return WORK_MORE | WORK_NEW;
}

unsigned
compare_idle(struct browser *b)
{
	/* The order of the work: what is shown first; then what has fewer rows. */
	const enum compare_by order[] = {
		compare_by_shown(b), BY_PROCEDURE, BY_PAIR, BY_ARC, BY_LINE, BY_FILE, BY_SITE,
		BY_TYPE, BY_SIZE, BY_POOL, BY_DISPOSER, BY_PRODUCER, BY_BLOCK, BY_RANGE,
	};
	unsigned what = 0;

	if (!b->compare.on)
		return 0;
	what = compare_lines_idle(b);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !what; i++)
		what = go_on(b, order[i]);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !what; i++)
		what = judge(b, &b->compare.kinds[order[i]]);
	if (!what && b->compare.held.known)
		what = seek_on(b);
	return what;
}

void
compare_finish(struct browser *b)
{
	while (compare_idle(b) & WORK_MORE)
		;
}

/* ---- stopping ---- */

static bool
stop(struct compare_kind *k)
{
	bool goes_on = k->state == COMPARE_GOES_ON;

	if (goes_on)
		k->state = COMPARE_STOPPED;
	return goes_on;
}

bool
compare_give_up(struct browser *b)
{
	struct compare *x = &b->compare;
	struct view *v = browser_view(b);
	struct table *t = view_table(v);
	bool stopped = false;

	if (!x->on)
		return false;
	if (t && t->waits)
		stopped = stop(&x->kinds[t->waits - 1]);
	else if (v == b->panes[PANE_SOURCE])
		stopped = stop(&x->kinds[BY_LINE]) | stop(&x->kinds[BY_RANGE]);
	if (stopped)
		browser_say(b, ROLE_MESSAGE, "stopped comparing; %s goes on",
			    action_key(KEYMAP_GENERIC, ACTION_REDRAW));
	return stopped;
}

void
compare_resume(struct browser *b)
{
	for (int i = 0; i < NR_COMPARE_BY; i++)
		if (b->compare.kinds[i].state == COMPARE_STOPPED)
			b->compare.kinds[i].state = COMPARE_GOES_ON;
}

void
compare_describe_work(struct browser *b, enum compare_by by, struct strbuf *out)
{
	const struct compare_kind *k = &b->compare.kinds[by];

	if (!k->next || (k->state != COMPARE_GOES_ON && k->state != COMPARE_STOPPED))
		return;
	strbuf_fmt(out, "%s%s %s %d%%", out->len ? "  " : "",
		   k->state == COMPARE_STOPPED ? "stopped comparing" : "comparing",
		   compare_by_things(by), compared_percent(k->next));
}

void
compare_explain_work(struct browser *b, enum compare_by by, struct strbuf *out)
{
	bool stopped = b->compare.kinds[by].state == COMPARE_STOPPED;

	compare_describe_work(b, by, out);
	strbuf_fmt(out, ".\n%s %s.\n",
		   action_key(KEYMAP_GENERIC, stopped ? ACTION_REDRAW : ACTION_ESCAPE),
		   stopped ? "goes on" : "stops");
}
