/* Reads the rows of a table: work that takes longer than a key should goes on while nobody types.
 * The old rows stay until there is something better. */
#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/views.h"
#include "tui/views/table.h"

static bool
is_unfinished(const struct table *t)
{
	return t->next || (t->listing && !listing_ready(t->listing));
}

static bool
is_busy(const struct table *t)
{
	return is_unfinished(t) || t->seek >= 0;
}

bool
table_busy(const struct table *t)
{
	return t->source->busy && t->source->busy(t);
}

bool
table_grows(const struct table *t)
{
	return t->listing && !listing_ready(t->listing);
}

static void
take_next(struct view *v, struct table *t)
{
	listing_close(t->listing);
	t->listing = t->next;
	t->next = NULL;
	t->summed_up = t->sums_are_old = false;
	t->settled.column = t->query.sort;
	t->settled.descending = t->query.descending;
	t->settled.sort = t->sort;
	t->settled.uneven = t->uneven;
	v->cursor = v->top = 0;
}

/* Moves the cursor to row AT, if it was found. */
static void
go_to(struct view *v, ptrdiff_t at)
{
	if (at < 0)
		return;
	if (v->area.h)
		view_move_to(v, (size_t)at);
	else
		v->cursor = (size_t)at;
}

/* Works on the listing that nobody sees yet. One whose rows come in their order can be shown when
 * some are there; otherwise the row that the cursor is on must be found first. */
static unsigned
work_on_next(struct view *v, struct table *t)
{
	struct browser *b = t->browser;
	size_t above = v->cursor - v->top;
	bool done = listing_work(t->next, busy_over, b);
	const struct list_row *row = t->listing ? table_row(t, v->cursor) : NULL;
	ptrdiff_t at = -1;

	if (!done && t->listing && !listing_streams(t->next))
		return WORK_MORE;
	if (row && (t->seek < 0 || v->cursor))
		t->seek = table_id(row);
	if (b->live.from && !b->live.touched)
		t->seek = -1;
	if (done && t->seek >= 0) {
		at = listing_find_soon(t->next, t->seek, busy_over, b);
		if (at == LISTING_LATER && t->listing)
			return WORK_MORE;
	}
	take_next(v, t);
	if (done && at != LISTING_LATER)
		t->seek = -1;
	go_to(v, at);
	if (b->live.from && at >= 0)
		v->top = (size_t)at > above ? (size_t)at - above : 0;
	view_clamp(v);
	return WORK_NEW | (at < 0 ? WORK_MOVED : 0);
}

/* Finds the row that the cursor was on, unless the user has moved it meanwhile. */
static unsigned
look_for_row(struct view *v, struct table *t)
{
	ptrdiff_t at;

	if (v->cursor) {
		t->seek = -1;
		return WORK_NEW;
	}
	at = listing_find_soon(t->listing, t->seek, busy_over, t->browser);
	if (at == LISTING_LATER)
		return WORK_MORE;
	t->seek = -1;
	go_to(v, at);
	return at > 0 ? WORK_NEW | WORK_MOVED : WORK_NEW;
}

static unsigned
read_listing(struct view *v, struct table *t)
{
	unsigned what = t->next ? work_on_next(v, t) : 0;

	if (what & WORK_MORE)
		return what;
	if (table_grows(t)) {
		bool none = !listing_rows(t->listing);
		bool done = listing_work(t->listing, busy_over, t->browser);

		/* The cursor is on a row from now on. */
		if (none && listing_rows(t->listing))
			what |= WORK_NEW | WORK_MOVED;
		if (!done)
			return what | WORK_MORE;
		what |= WORK_NEW;
	}
	if (t->listing && t->seek >= 0)
		what |= look_for_row(v, t);
	return what;
}

unsigned
table_work(struct view *v, struct table *t)
{
	return t->source->work ? t->source->work(v, t) : 0;
}

/* Returns what must be compared before the rows can be listed; 0: nothing. */
static int
things_to_wait_for(const struct table *t)
{
	int things[] = { t->kind->things, t->query.nr_open ? t->query.opens : 0 };

	for (int i = 0; i < 2; i++)
		if (things[i] && !compare_list(t->browser, (enum compare_by)(things[i] - 1)))
			return things[i];
	return 0;
}

static void
open_listing(struct view *v, struct table *t)
{
	const struct list_row *row = t->listing ? table_row(t, v->cursor) : NULL;
	struct list_query q = t->query;

	if (t->seek < 0 || v->cursor)
		t->seek = row ? table_id(row) : -1;
	t->waits = things_to_wait_for(t);
	if (t->waits)
		return;
	q.uneven = t->uneven = table_wants_uneven(t);
	restrict_query(&t->to, t->browser->profile, &q);
	listing_close(t->next);
	t->next = listing_begin(t->browser->profile, &q);
	busy_slice(t->browser, t->aside ? SLICE_ASIDE : SLICE_KEY);
	table_work(v, t);
}

void
table_open(struct view *v, struct table *t)
{
	if (t->source->open)
		t->source->open(v, t);
}

void
table_columns_chosen(struct view *v, struct table *t)
{
	table_layout(t, v->area.w);
	if (!t->uneven && table_wants_uneven(t))
		table_open(v, t);
}

void
table_renew_figures(struct view *v)
{
	struct table *t = view_table(v);

	if (!t || (!t->listing && t->source == &listing_source) || table_busy(t))
		return;
	table_open(v, t);
	table_layout(t, v->area.w);
}

void
table_reopen(struct view *v, struct table *t)
{
	const struct list_row *row = t->listing ? table_row(t, v->cursor) : NULL;
	int64_t seek = row && (t->seek < 0 || v->cursor) ? table_id(row) : t->seek;

	table_forget(t);
	v->cursor = 0;
	t->seek = seek;
	table_open(v, t);
}

void
table_finish(struct view *v, struct table *t)
{
	if (t->listing) {
		listing_work(t->listing, NULL, NULL);
	} else if (table_busy(t)) {
		busy_slice(t->browser, 0);
		table_work(v, t);
	}
}

void
table_seek(struct view *v, struct table *t, int64_t id)
{
	ptrdiff_t at;

	if (!t->listing)
		return;
	if (!listing_ready(t->listing)) {
		t->seek = id;
		return;
	}
	busy_slice(t->browser, SLICE_KEY);
	at = listing_find_soon(t->listing, id, busy_over, t->browser);
	if (at == LISTING_LATER) {
		v->cursor = v->top = 0;
		t->seek = id;
	}
	go_to(v, at);
}

void
table_return(struct view *v, struct table *t, size_t row)
{
	if (t->next)
		take_next(v, t);
	t->seek = -1;
	view_return(v, row);
}

void
table_forget(struct table *t)
{
	listing_close(t->listing);
	listing_close(t->next);
	t->listing = t->next = NULL;
	t->waits = 0;
	t->seek = -1;
	t->summed_up = t->sums_are_old = false;
}

const char *
table_give_up(struct view *v, struct table *t)
{
	bool sorts = t->settled.column != t->query.sort ||
		     t->settled.descending != t->query.descending;
	bool fills = t->uneven && !t->settled.uneven;

	if (!t->next || (!sorts && !fills))
		return NULL;
	listing_close(t->next);
	t->next = NULL;
	t->seek = -1;
	t->query.sort = t->settled.column;
	t->query.descending = t->settled.descending;
	t->sort = t->settled.sort;
	t->uneven = t->settled.uneven;
	if (fills)
		table_hide_uneven(t);
	table_layout(t, v->area.w);
	return sorts ? "stopped; sorted as before" : "stopped; the columns are those of before";
}

static void
describe_listing(const struct table *t, struct strbuf *out)
{
	const struct listing *l = t->next ? t->next : t->listing;

	if (t->waits)
		compare_describe_work(t->browser, (enum compare_by)(t->waits - 1), out);
	if (!is_unfinished(t))
		return;
	strbuf_fmt(out, "%s%s %d%%", out->len ? "  " : "", listing_task(l), listing_percent(l));
}

void
table_describe_work(const struct table *t, struct strbuf *out)
{
	if (t->source->describe)
		t->source->describe(t, out);
}

static size_t
rows_of_listing(struct table *t)
{
	return t->listing ? listing_rows(t->listing) : 0;
}

static const struct list_row *
row_of_listing(struct table *t, size_t i)
{
	return t->listing ? listing_row(t->listing, i) : NULL;
}

const struct row_source listing_source = {
	.rows = rows_of_listing, .row = row_of_listing, .open = open_listing, .busy = is_busy,
	.work = read_listing, .describe = describe_listing,
};
