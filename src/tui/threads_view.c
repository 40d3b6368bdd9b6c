/* The list of runs and their threads, some of them marked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "show/human.h"
#include "show/runs.h"
#include "tui/busy.h"
#include "tui/table.h"
#include "tui/threads.h"
#include "tui/views.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/order.h"
#include "util/safe.h"

enum row_kind { ROW_RUN, ROW_FACTS, ROW_THREAD };
struct row {
	model_id run;
	enum row_kind kind;
	size_t at;               /* in the listing of threads */
	model_id thread;
};

enum { MOST_COLUMNS = 16, WIDE_AT = 100 /* columns of the screen */ };

struct chooser {
	struct listing *runs, *threads;
	struct cell_context context; /* of cells of threads */
	struct column columns[MOST_COLUMNS]; /* those that have anything to show */
	int nr_columns;
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
	int sort;                  /* index of the column */
	bool reverse;
};

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
	struct list_query q = { .kind = LIST_THREAD };
	size_t nr_runs = listing_rows(c->runs), nr;
	const struct list_row *row;

	q.sort = list_column_find(LIST_THREAD, c->columns[c->sort].source);
	q.descending = unit_descends(list_columns(LIST_THREAD)[q.sort].unit) != c->reverse;
	c->next_threads = listing_open(c->context.profile, &q);
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

/* Goes on in the slice that has begun. Returns true when all rows are shown. */
static bool
read_on(struct view *v)
{
	struct chooser *c = v->data;

	if (c->reading && !busy_run(v->browser, &c->reading))
		return false;
	if (c->next_threads)
		show_next(v);
	return true;
}

static void
list_rows(struct view *v)
{
	struct chooser *c = v->data;

	drop_next(c);
	c->reading = job_new(read_rows, c);
	busy_slice(v->browser, SLICE_KEY);
	read_on(v);
}

static unsigned
threads_idle(struct view *v)
{
	struct chooser *c = v->data;

	if (!c->reading)
		return 0;
	busy_slice(v->browser, SLICE_IDLE);
	return read_on(v) ? WORK_NEW : WORK_MORE;
}

/* Shares refer to the time of all threads; without time, to the blocks executed. */
static void
take_columns(struct chooser *c, const struct list_sums *sums)
{
	const struct column *all = chosen_threads_kind.columns;
	int cpu = list_column_find(LIST_THREAD, "cpu_ns");
	int whole = sums->of[cpu] ? cpu : list_column_find(LIST_THREAD, "blocks_executed");

	c->context.whole = sums->of[whole];
	for (; all->head; all++) {
		struct column *column = &c->columns[c->nr_columns];

		if (all->needs == NEEDS_ROWS &&
		    !sums->of[list_column_find(LIST_THREAD, all->source)])
			continue;
		*column = *all;
		if (column->cell == CELL_PERCENT)
			column->source = list_columns(LIST_THREAD)[whole].name;
		else if (column->cell == CELL_BAR)
			column->second = list_columns(LIST_THREAD)[whole].name;
		/* What took most is first. */
		if (column->source && column->cell == CELL_VALUE &&
		    !strcmp(column->source, list_columns(LIST_THREAD)[whole].name))
			c->sort = c->nr_columns;
		c->nr_columns++;
	}
}

/* ---- drawing ---- */

static struct fixed_columns
columns_of(const struct chooser *c)
{
	return (struct fixed_columns){ c->columns, c->nr_columns, 4 /* behind the mark */, 1,
				       WIDE_AT, c->sort, 0 };
}

static void
threads_draw_head(struct view *v, int i, const struct line *line)
{
	const struct fixed_columns columns = columns_of(v->data);

	(void)i;
	fixed_draw_head(&columns, line);
}

static bool
is_marked(const struct chooser *c, const struct row *r)
{
	return c->marked[r->thread - 1];
}

static void
draw_thread(const struct chooser *c, const struct row *r, const struct line *line)
{
	const struct fixed_columns columns = columns_of(c);

	line_text(line, 2, 1, ALIGN_LEFT, ROLE_KEY, is_marked(c, r) ? "*" : "", -1);
	fixed_draw_row(&columns, &c->context, listing_row(c->threads, r->at), line);
}

static void
add_exit(const struct list_row *row, struct strbuf *out)
{
	if (!cell_of(row, LIST_RUN, "exit_signal")->null)
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

	if (!row)
		return;
	add_exit(row, out);
	strbuf_str(out, ", wall ");
	human_ns(out, number(row, LIST_RUN, "wall_ns"), ascii);
	strbuf_str(out, ", cpu ");
	human_ns(out, number(row, LIST_RUN, "cpu_ns"), ascii);
	if (number(row, LIST_RUN, "processes") > 1)
		strbuf_fmt(out, ", %" PRIu64 " processes", number(row, LIST_RUN, "processes"));
	strbuf_str(out, ", ");
	human_when(out, (int64_t)number(row, LIST_RUN, "started_ns"));
}

static void
threads_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct chooser *c = v->data;
	const struct row *r = &c->rows[row];
	struct strbuf s = STRBUF_INIT;

	if (r->kind == ROW_THREAD) {
		draw_thread(c, r, line);
		return;
	}
	if (r->kind == ROW_RUN)
		add_command(c, r->run, &s);
	else
		add_facts(c, r->run, &s);
	line_text(line, r->kind == ROW_RUN ? 2 : 4, line->w - 4, ALIGN_LEFT,
		  r->kind == ROW_RUN ? ROLE_STRONG : ROLE_DIM, s.buf, -1);
	strbuf_release(&s);
}

static void
add_texts(const struct chooser *c, const struct row *r, struct strbuf *out)
{
	const struct list_row *row = listing_row(c->threads, r->at);

	strbuf_fmt(out, "%s\n%s", cell_of(row, LIST_THREAD, "name")->text,
		   cell_of(row, LIST_THREAD, "tids")->text);
}

static void
threads_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct chooser *c = v->data;
	const struct row *r = &c->rows[row];

	if (r->kind == ROW_RUN)
		add_command(c, r->run, out);
	else if (r->kind == ROW_FACTS)
		add_facts(c, r->run, out);
	else
		add_texts(c, r, out);
}

static void
threads_title(struct view *v, struct title *title)
{
	const struct chooser *c = v->data;

	strbuf_str(&title->left, "runs and threads");
	if (c->nr_marked) {
		human_count(&title->middle, c->nr_marked);
		strbuf_str(&title->middle, " marked: Enter shows only these");
	} else {
		runs_spread(&title->middle, c->runs, draw_ascii());
	}
	human_count(&title->right, c->nr_threads);
	strbuf_fmt(&title->right, " thread%s", c->nr_threads == 1 ? "" : "s");
	if (c->reading)
		strbuf_fmt(&title->right, "  reading %u%%", job_percent(c->reading));
}

static void
threads_empty(struct view *v, struct strbuf *out)
{
	if (((const struct chooser *)v->data)->reading) {
		strbuf_str(out, "Not read yet.\n");
		return;
	}
	strbuf_str(out, "This profile does not say which run or thread anything was done in.\n");
}

static size_t
threads_rows(struct view *v)
{
	return ((const struct chooser *)v->data)->nr_rows;
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
	free(c);
}

static void
write_thread(const struct chooser *c, const struct row *r, struct strbuf *out)
{
	const struct list_row *row = listing_row(c->threads, r->at);
	struct strbuf s = STRBUF_INIT;
	enum role role;

	strbuf_str(out, is_marked(c, r) ? "*" : "");
	for (int k = 0; k < c->nr_columns; k++) {
		strbuf_clear(&s);
		cell_print(&s, &c->context, &c->columns[k], row,
			   c->columns[k].width ? c->columns[k].width + c->columns[k].grow
					       : WIDTH_WHOLE, &role);
		strbuf_char(out, '\t');
		safe_text(out, s.buf, s.len);
	}
	strbuf_release(&s);
}

static void
threads_write(struct view *v, FILE *out)
{
	const struct chooser *c = v->data;
	struct strbuf s = STRBUF_INIT, safe = STRBUF_INIT;

	busy_slice(v->browser, 0);
	read_on(v);
	for (size_t i = 0; i < c->nr_rows; i++) {
		strbuf_clear(&safe);
		strbuf_clear(&s);
		if (c->rows[i].kind == ROW_THREAD) {
			write_thread(c, &c->rows[i], &safe);
		} else {
			threads_row_text(v, i, &s);
			safe_text(&safe, s.buf, s.len);
		}
		fprintf(out, "%s\n", safe.buf);
	}
	strbuf_release(&s);
	strbuf_release(&safe);
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
			all &= is_marked(c, &c->rows[i]);
		for (i = first; i < end; i++) {
			c->nr_marked += !all - (size_t)is_marked(c, &c->rows[i]);
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

static bool
can_sort(const struct column *column)
{
	return column->cell == CELL_VALUE || column->cell == CELL_NUMBER;
}

static unsigned
sort(struct view *v, enum action action)
{
	struct chooser *c = v->data;

	if (action == ACTION_SORT_REVERSE)
		c->reverse = !c->reverse;
	else
		do
			c->sort = (c->sort + 1) % c->nr_columns;
		while (!can_sort(&c->columns[c->sort]));
	list_rows(v);
	return EFFECT_DONE;
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
	case ACTION_SORT:
	case ACTION_SORT_REVERSE:
		return sort(v, action);
	default:
		return EFFECT_REFUSED;
	}
}

static const struct view_ops threads_ops = {
	.name = "threads",
	.keymap = KEYMAP_THREADS,
	.close = threads_close,
	.rows = threads_rows,
	.head_lines = view_one_head_line,
	.draw_head = threads_draw_head,
	.draw_row = threads_draw_row,
	.title = threads_title,
	.row_text = threads_row_text,
	.empty = threads_empty,
	.act = threads_act,
	.write = threads_write,
	.idle = threads_idle,
};

/* The threads shown now are marked, unless these are all. */
struct view *
threads_new(struct browser *b)
{
	struct profile *p = threads_whole(b);
	struct list_query runs = { .kind = LIST_RUN };
	struct chooser *c = xcalloc(1, sizeof(*c));
	struct view *v = view_new(&threads_ops, b, c);
	struct list_sums sums = { .rows = 0 };
	size_t i;

	c->context = (struct cell_context){
		.profile = p, .totals = profile_totals(p), .kind = LIST_THREAD,
		.ascii = draw_ascii(),
	};
	c->runs = listing_open(p, &runs);
	c->last_id = (size_t)profile_rows(p, LIST_THREAD);
	c->marked = xcalloc(c->last_id, sizeof(*c->marked));
	profile_sums(p, LIST_THREAD, &sums);
	take_columns(c, &sums);
	list_rows(v);
	for (i = 0; i < c->last_id && i < b->threads.nr; i++) {
		c->marked[i] = b->threads.keep[i];
		c->nr_marked += c->marked[i];
	}
	return v;
}
