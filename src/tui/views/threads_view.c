/* The list of runs and their threads, some of them marked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "show/human.h"
#include "show/runs.h"
#include "tui/busy.h"
#include "tui/filter.h"
#include "tui/threads.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/order.h"

enum row_kind { ROW_RUN, ROW_FACTS, ROW_THREAD };
struct row {
	model_id run;
	enum row_kind kind;
	size_t at;               /* in the listing of threads */
	model_id thread;
};

struct chooser {
	struct table table;      /* first: view_table() */
	struct profile *profile; /* with all threads */
	struct listing *runs, *threads;
	struct row *rows;
	size_t nr_rows;
	/* What is shown next, in another order. */
	struct job *reading;     /* NULL: nothing is */
	struct listing *next_threads;
	struct row *next;
	size_t nr_next, next_alloc;
	size_t nr_threads, last_id; /* the greatest there can be */
	bool *marked;              /* by id - 1 */
	size_t nr_marked;
};

static struct chooser *
chooser_of(const struct table *t)
{
	return (struct chooser *)t;
}

/* ---- reading ---- */

static const struct cell *
cell_of(const struct list_row *row, enum list_kind kind, const char *name)
{
	static const struct cell none = { .null = true, .text = "" };
	const struct cell *c = row ? &row->cells[list_column_find(kind, name)] : &none;

	return c->null ? &none : c;
}

static uint64_t
number(const struct list_row *row, enum list_kind kind, const char *name)
{
	int64_t n = cell_of(row, kind, name)->number;

	return n < 0 ? 0 : (uint64_t)n;
}

static int
compare_rows(const void *pa, const void *pb, void *context)
{
	const struct row *a = pa, *b = pb;

	(void)context;
	COMPARE(a->run, b->run);
	COMPARE(a->kind, b->kind);
	COMPARE(a->at, b->at);
	return 0;
}

static void
add_row(struct chooser *c, struct row row)
{
	GROW(c->next, c->nr_next + 1, c->next_alloc);
	c->next[c->nr_next++] = row;
	job_pause(1);
}

/* Lists the rows anew: each run, and below it its threads, if it has any, as they are sorted. */
static void
read_rows(void *chooser)
{
	struct chooser *c = chooser;
	struct list_query q = c->table.query;
	size_t nr_runs = listing_rows(c->runs), nr;
	const struct list_row *row;

	restrict_query(&c->table.to, c->profile, &q);
	c->next_threads = listing_open(c->profile, &q);
	nr = listing_rows(c->next_threads);
	for (model_id run = 1; run <= nr_runs; run++) {
		add_row(c, (struct row){ run, ROW_RUN, 0, 0 });
		add_row(c, (struct row){ run, ROW_FACTS, 0, 0 });
	}
	for (size_t i = 0; i < nr; i++) {
		job_progress((double)i, (double)nr);
		row = listing_row(c->next_threads, i);
		if (row)
			add_row(c, (struct row){ (model_id)number(row, LIST_THREAD, "run"),
						 ROW_THREAD, i,
						 (model_id)number(row, LIST_THREAD, "id") });
	}
	job_sort(c->next, c->nr_next, sizeof(*c->next), compare_rows, NULL);
}

static void
drop_next(struct chooser *c)
{
	busy_drop(&c->reading);
	listing_close(c->next_threads);
	c->next_threads = NULL;
	free(c->next);
	c->next = NULL;
	c->nr_next = c->next_alloc = 0;
}

/* The cursor stays on its row; it begins on the first thread. */
static void
show_next(struct view *v)
{
	struct chooser *c = v->data;
	struct row at = v->cursor < c->nr_rows ? c->rows[v->cursor] : (struct row){ .run = 0 };

	listing_close(c->threads);
	free(c->rows);
	c->threads = c->next_threads;
	c->nr_threads = listing_rows(c->threads);
	c->rows = c->next;
	c->nr_rows = c->nr_next;
	c->next_threads = NULL;
	c->next = NULL;
	drop_next(c);
	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct row *r = &c->rows[i];
		bool found = at.run ? r->kind == at.kind && r->run == at.run &&
				      r->thread == at.thread
				    : r->kind == ROW_THREAD;

		if (found || !at.run)
			v->cursor = i;
		if (found)
			break;
	}
	if (v->area.h)
		view_move_to(v, v->cursor);
}

/* Goes on in the slice that has begun. */
static unsigned
read_on(struct view *v, struct table *t)
{
	struct chooser *c = chooser_of(t);

	if (c->reading && !busy_run(v->browser, &c->reading))
		return WORK_MORE;
	if (c->next_threads)
		show_next(v);
	return WORK_NEW;
}

/* Figures of runs and sums, and how many threads there are, have changed. */
static void
renew(struct chooser *c)
{
	const struct list_query runs = { .kind = LIST_RUN };

	listing_close(c->runs);
	c->runs = listing_open(c->profile, &runs);
	profile_sums(c->profile, LIST_THREAD, &c->table.sums);
	c->table.whole = c->table.sums.of[list_column_find(LIST_THREAD, c->table.kind->sort)];
}

static void
list_rows(struct view *v, struct table *t)
{
	struct chooser *c = chooser_of(t);

	drop_next(c);
	if (live_renew_threads(t->browser))
		renew(c);
	c->reading = job_new(read_rows, c);
	busy_slice(v->browser, SLICE_KEY);
	read_on(v, t);
}

static bool
is_reading(const struct table *t)
{
	return chooser_of(t)->reading;
}

static void
describe_reading(const struct table *t, struct strbuf *out)
{
	const struct chooser *c = chooser_of(t);

	if (c->reading)
		strbuf_fmt(out, "%sreading %u%%", out->len ? "  " : "", job_percent(c->reading));
}

/* ---- rows ---- */

static size_t
nr_rows(struct table *t)
{
	return chooser_of(t)->nr_rows;
}

static const struct list_row *
row_of(struct table *t, size_t i)
{
	const struct chooser *c = chooser_of(t);

	return c->rows[i].kind == ROW_THREAD ? listing_row(c->threads, c->rows[i].at) : NULL;
}

static bool
is_marked(struct table *t, size_t i)
{
	const struct chooser *c = chooser_of(t);

	return c->rows[i].kind == ROW_THREAD && c->rows[i].thread <= c->last_id &&
	       c->marked[c->rows[i].thread - 1];
}

static void
add_exit(const struct chooser *c, const struct list_row *row, struct strbuf *out)
{
	const struct browser *b = c->table.browser;

	if (b->live.from && !b->live.ended)
		strbuf_str(out, "it runs");
	else if (!cell_of(row, LIST_RUN, "exit_signal")->null)
		strbuf_fmt(out, "signal %" PRIu64, number(row, LIST_RUN, "exit_signal"));
	else if (!cell_of(row, LIST_RUN, "exit_status")->null)
		strbuf_fmt(out, "exit %" PRIu64, number(row, LIST_RUN, "exit_status"));
	else
		strbuf_str(out, "end unknown");
}

static void
add_command(const struct chooser *c, model_id run, struct strbuf *out)
{
	strbuf_fmt(out, "run %u   %s", run,
		   cell_of(listing_row(c->runs, run - 1), LIST_RUN, "command")->text);
}

static void
add_facts(const struct chooser *c, model_id run, struct strbuf *out)
{
	const struct list_row *row = listing_row(c->runs, run - 1);
	bool ascii = draw_ascii();
	const struct cell *label;

	if (!row)
		return;
	strbuf_str(out, "  ");
	label = cell_of(row, LIST_RUN, "label");
	if (!label->null)
		strbuf_fmt(out, "%s: ", label->text);
	add_exit(c, row, out);
	strbuf_str(out, ", wall ");
	human_ns(out, number(row, LIST_RUN, "wall_ns"), ascii);
	strbuf_str(out, ", cpu ");
	human_ns(out, number(row, LIST_RUN, "cpu_ns"), ascii);
	if (number(row, LIST_RUN, "processes") > 1)
		strbuf_fmt(out, ", %" PRIu64 " processes", number(row, LIST_RUN, "processes"));
	strbuf_str(out, ", ");
	human_when(out, (int64_t)number(row, LIST_RUN, "started_ns"));
}

/* Of a run: its command, and below that how it went. */
static void
add_run(struct table *t, size_t i, struct strbuf *out, enum role *role)
{
	const struct chooser *c = chooser_of(t);
	const struct row *r = &c->rows[i];

	*role = r->kind == ROW_RUN ? ROLE_STRONG : ROLE_DIM;
	if (r->kind == ROW_RUN)
		add_command(c, r->run, out);
	else if (r->kind == ROW_FACTS)
		add_facts(c, r->run, out);
}

static const struct row_source threads_source = {
	.rows = nr_rows, .row = row_of, .text = add_run, .marked = is_marked, .open = list_rows,
	.busy = is_reading, .work = read_on, .describe = describe_reading,
};

static void
threads_title(struct view *v, struct title *title)
{
	const struct chooser *c = v->data;

	strbuf_str(&title->left, "runs and threads");
	if (c->nr_marked) {
		human_count(&title->middle, c->nr_marked);
		strbuf_str(&title->middle, " marked: Enter shows only these");
	} else {
		filter_describe(&c->table, &title->middle);
		if (!title->middle.len)
			runs_spread(&title->middle, c->runs, draw_ascii());
	}
	human_count(&title->right, c->nr_threads);
	strbuf_fmt(&title->right, " thread%s", c->nr_threads == 1 ? "" : "s");
}

static void
threads_empty(struct view *v, struct strbuf *out)
{
	if (!table_view_explain(v, out))
		strbuf_str(out, "This profile does not say which run or thread anything was done "
			   "in.\n");
}

static void
threads_close(struct view *v)
{
	struct chooser *c = v->data;

	drop_next(c);
	listing_close(c->runs);
	listing_close(c->threads);
	free(c->rows);
	free(c->marked);
	table_view_close(v);
}

/* ---- choosing ---- */

/* Returns the threads of ROW: rows [*first, end). */
static size_t
threads_of(const struct chooser *c, size_t row, size_t *first)
{
	const struct row *r = &c->rows[row];
	size_t end;

	*first = row + (r->kind == ROW_RUN) + (r->kind != ROW_THREAD);
	if (r->kind == ROW_THREAD)
		return row + 1;
	for (end = *first; end < c->nr_rows && c->rows[end].run == r->run; end++)
		;
	return end;
}

/* A run is marked when all of it is; a partly marked one becomes marked. */
static unsigned
mark(struct view *v, size_t count)
{
	struct chooser *c = v->data;
	size_t first, end, i;
	bool all;

	for (count = count ? count : 1; count && v->cursor < c->nr_rows; count--) {
		end = threads_of(c, v->cursor, &first);
		for (all = true, i = first; i < end; i++)
			all &= is_marked(&c->table, i);
		for (i = first; i < end; i++) {
			c->nr_marked += !all - (size_t)is_marked(&c->table, i);
			c->marked[c->rows[i].thread - 1] = !all;
		}
		if (v->cursor + 1 == c->nr_rows)
			break;
		view_move_to(v, v->cursor + 1);
	}
	return EFFECT_DONE;
}

/* Shows the marked threads, else those of the row under the cursor. */
static unsigned
show(struct view *v)
{
	struct chooser *c = v->data;
	struct browser *b = v->browser;
	bool *keep;
	size_t nr = c->last_id, first, end;
	unsigned effect;

	first = end = v->cursor;
	if (!c->nr_marked)
		end = threads_of(c, v->cursor, &first);
	if (!c->nr_marked && first >= end) {
		browser_say(b, ROLE_MESSAGE, "there is nothing to choose from");
		return EFFECT_DONE;
	}
	keep = xcalloc(nr, sizeof(*keep));
	memcpy(keep, c->marked, nr * sizeof(*keep));
	for (; first < end; first++)
		keep[c->rows[first].thread - 1] = true;
	browser_pop(b); /* V is gone */
	effect = threads_show(b, keep, nr);
	free(keep);
	return effect | EFFECT_LAYOUT;
}

static unsigned
show_all(struct view *v)
{
	struct browser *b = v->browser;

	browser_pop(b); /* V is gone */
	return threads_show(b, NULL, 0) | EFFECT_LAYOUT;
}

static unsigned
threads_act(struct view *v, enum action action, size_t count)
{
	switch (action) {
	case ACTION_SHOW:
		return show(v);
	case ACTION_MARK_ROW:
		return mark(v, count);
	case ACTION_ALL:
		return show_all(v);
	default:
		return table_act(v, v->data, action, count);
	}
}

static const struct view_ops threads_ops = {
	.name = "threads",
	.keymap = KEYMAP_THREADS,
	TABLE_PANE_OPS,
	.close = threads_close,
	.title = threads_title,
	.empty = threads_empty,
	.act = threads_act,
};

/* Shares refer to the time of all threads; without time, to the blocks executed. What took most is
 * first. The threads shown now are marked, unless these are all. */
struct view *
threads_new(struct browser *b)
{
	struct profile *p = threads_whole(b);
	struct list_query runs = { .kind = LIST_RUN };
	struct chooser *c = xcalloc(1, sizeof(*c));
	struct view *v = view_new(&threads_ops, b, c);
	const struct table_kind *kind = &chosen_threads_kind;
	struct list_sums sums = { .rows = 0 };

	live_renew_threads(b);
	profile_sums(p, LIST_THREAD, &sums);
	if (!b->live.from && !sums.of[list_column_find(LIST_THREAD, kind->sort)])
		kind = &counted_threads_kind;
	table_init(&c->table, b, kind);
	c->table.source = &threads_source;
	c->table.sums = sums;
	c->table.whole = sums.of[list_column_find(LIST_THREAD, kind->sort)];
	c->profile = p;
	c->runs = listing_open(p, &runs);
	c->last_id = (size_t)profile_rows(p, LIST_THREAD);
	c->marked = xcalloc(c->last_id, sizeof(*c->marked));
	table_open(v, &c->table);
	for (size_t i = 0; i < c->last_id && i < b->threads.nr; i++) {
		c->marked[i] = b->threads.keep[i];
		c->nr_marked += c->marked[i];
	}
	return v;
}
