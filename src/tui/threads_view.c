/* The list of runs and their threads, in which some are marked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/human.h"
#include "show/value.h"
#include "show/runs.h"
#include "tui/threads.h"
#include "tui/views.h"
#include "util/safe.h"

struct thread {
	model_id id, run;
	char name[16 * 4 + 1], tids[80];
	uint32_t pid;
	uint64_t threads, cpu_ns, samples, lost, wait_ns, blocks;
};

enum row_kind { ROW_RUN, ROW_FACTS, ROW_THREAD };
struct row {
	enum row_kind kind;
	size_t item;             /* in threads; runs: its first thread there, as in the next rows */
	model_id run;
};

enum { SORT_NUMBER, SORT_CPU, SORT_SAMPLES, SORT_BLOCKS, SORT_NR };

struct chooser {
	struct listing *runs;
	struct thread *threads;    /* run by run */
	size_t nr_threads;
	size_t last_id;            /* the greatest there can be */
	struct row *rows;
	size_t nr_rows, rows_alloc;
	bool *marked;              /* by id - 1 */
	size_t nr_marked;
	int sort;
	bool reverse, waits, shared;
	uint64_t cpu_ns, blocks;   /* of all */
};

/* ---- reading ---- */

static uint64_t
number(const struct list_row *row, enum list_kind kind, const char *name)
{
	const struct cell *c = &row->cells[list_column_find(kind, name)];

	return c->null || c->number < 0 ? 0 : (uint64_t)c->number;
}

static const char *
text(const struct list_row *row, enum list_kind kind, const char *name)
{
	const struct cell *c = &row->cells[list_column_find(kind, name)];

	return c->null ? "" : c->text;
}

static void
read_thread(struct chooser *c, const struct list_row *row, struct thread *t)
{
	t->id = (model_id)number(row, LIST_THREAD, "thread");
	t->run = (model_id)number(row, LIST_THREAD, "run");
	t->pid = (uint32_t)number(row, LIST_THREAD, "pid");
	t->threads = number(row, LIST_THREAD, "threads");
	t->cpu_ns = number(row, LIST_THREAD, "cpu_ns");
	t->samples = number(row, LIST_THREAD, "samples");
	t->lost = number(row, LIST_THREAD, "lost_samples");
	t->wait_ns = number(row, LIST_THREAD, "wait_ns");
	t->blocks = number(row, LIST_THREAD, "blocks_executed");
	snprintf(t->name, sizeof(t->name), "%s", text(row, LIST_THREAD, "name"));
	snprintf(t->tids, sizeof(t->tids), "%s", text(row, LIST_THREAD, "tids"));
	c->waits |= t->wait_ns != 0;
	c->shared |= t->threads > 1;
	c->cpu_ns += t->cpu_ns;
	c->blocks += t->blocks;
}

static void
read_threads(struct chooser *c, struct profile *p)
{
	struct list_query q = { .kind = LIST_THREAD };
	struct listing *l = listing_open(p, &q);
	const struct list_row *row;
	size_t i, nr = listing_rows(l);

	c->threads = xcalloc(nr, sizeof(*c->threads));
	for (i = 0; i < nr && (row = listing_row(l, i)); i++)
		read_thread(c, row, &c->threads[i]);
	c->nr_threads = i;
	c->last_id = (size_t)profile_rows(p, LIST_THREAD);
	c->marked = xcalloc(c->last_id, sizeof(*c->marked));
	listing_close(l);
}

/* What sorts within a run: the greatest first, but numbers from the first. */
static uint64_t
sort_key(const struct chooser *c, const struct thread *t)
{
	const uint64_t keys[SORT_NR] = {
		[SORT_NUMBER] = UINT32_MAX - t->id, [SORT_CPU] = t->cpu_ns,
		[SORT_SAMPLES] = t->samples, [SORT_BLOCKS] = t->blocks,
	};

	return keys[c->sort];
}

static int
compare_threads(const void *a, const void *b, void *ctx)
{
	const struct thread *x = a, *y = b;
	const struct chooser *c = ctx;
	uint64_t i = sort_key(c, x), k = sort_key(c, y);

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (i != k)
		return (i > k) != c->reverse ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static void
add_row(struct chooser *c, enum row_kind kind, size_t item, model_id run)
{
	GROW(c->rows, c->nr_rows + 1, c->rows_alloc);
	c->rows[c->nr_rows++] = (struct row){ kind, item, run };
}

/* The rows anew; runs without threads are there, too. */
static void
list_rows(struct chooser *c)
{
	size_t run, nr_runs = listing_rows(c->runs), i = 0;

	if (c->nr_threads)
		qsort_r(c->threads, c->nr_threads, sizeof(*c->threads), compare_threads, c);
	c->nr_rows = 0;
	for (run = 1; run <= nr_runs; run++) {
		add_row(c, ROW_RUN, i, (model_id)run);
		add_row(c, ROW_FACTS, i, (model_id)run);
		for (; i < c->nr_threads && c->threads[i].run <= run; i++)
			add_row(c, ROW_THREAD, i, (model_id)run);
	}
}

/* ---- drawing ---- */

struct thread_column {
	const char *head;
	enum align align;
	int width, wide;   /* below WIDE_AT columns, and from there on; 0: the rest */
	int sort;          /* -1: does not */
};
enum { COLUMN_MARK, COLUMN_NUMBER, COLUMN_NAME, COLUMN_CPU, COLUMN_SHARE, COLUMN_BAR,
       COLUMN_SAMPLES, COLUMN_WAIT, COLUMN_BLOCKS, COLUMN_TIDS, NR_COLUMNS, WIDE_AT = 100 };
static const struct thread_column columns[NR_COLUMNS] = {
	[COLUMN_MARK] = { "", ALIGN_LEFT, 1, 1, -1 },
	[COLUMN_NUMBER] = { "thread", ALIGN_RIGHT, 6, 6, SORT_NUMBER },
	[COLUMN_NAME] = { "name", ALIGN_LEFT, 12, 16, -1 },
	[COLUMN_CPU] = { "cpu", ALIGN_RIGHT, 8, 8, SORT_CPU },
	[COLUMN_SHARE] = { "share", ALIGN_RIGHT, 5, 5, -1 },
	[COLUMN_BAR] = { "", ALIGN_LEFT, 4, 12, -1 },
	[COLUMN_SAMPLES] = { "samples", ALIGN_RIGHT, 8, 11, SORT_SAMPLES },
	[COLUMN_WAIT] = { "waited", ALIGN_RIGHT, 8, 8, -1 },
	[COLUMN_BLOCKS] = { "blocks", ALIGN_RIGHT, 11, 19, SORT_BLOCKS },
	[COLUMN_TIDS] = { "thread ids", ALIGN_LEFT, 0, 0, -1 },
};

static bool
is_shown(const struct chooser *c, int column)
{
	return column != COLUMN_WAIT || c->waits;
}

static int
width_of(const struct line *line, int column)
{
	return line->w < WIDE_AT ? columns[column].width : columns[column].wide;
}

static void
put_cell(const struct chooser *c, const struct line *line, int column, enum role role,
	 const char *s)
{
	int x = 2, k;

	for (k = 0; k < column; k++)
		x += is_shown(c, k) ? width_of(line, k) + 1 : 0;
	line_text(line, x, width_of(line, column) ? width_of(line, column) : line->w - x,
		  columns[column].align, role, s, -1);
}

static int
threads_head_lines(struct view *v)
{
	return v->area.h > 3;
}

static void
threads_draw_head(struct view *v, int i, const struct line *line)
{
	const struct chooser *c = v->data;
	int k;

	(void)i;
	for (k = 0; k < NR_COLUMNS; k++)
		if (is_shown(c, k))
			put_cell(c, line, k, columns[k].sort == c->sort ? ROLE_HEAD_SORT
								       : ROLE_HEAD,
				 columns[k].head);
}

/* The share in the time of all threads; without time, in the blocks executed. */
static void
add_share(const struct chooser *c, const struct thread *t, bool bar, int width, struct strbuf *out)
{
	uint64_t part = c->cpu_ns ? t->cpu_ns : t->blocks;
	uint64_t whole = c->cpu_ns ? c->cpu_ns : c->blocks;

	if (!bar)
		human_percent(out, part, whole);
	else if (whole)
		human_bar(out, (double)part / (double)whole, width, draw_ascii());
}

static void
add_tids(const struct thread *t, struct strbuf *out)
{
	if (t->threads > 1) {
		human_count(out, t->threads);
		strbuf_str(out, " in turn: ");
	}
	strbuf_str(out, t->tids);
}

static void
cell_text(const struct chooser *c, const struct thread *t, int column, int width,
	  struct strbuf *out)
{
	switch (column) {
	case COLUMN_MARK:
		strbuf_str(out, c->marked[t->id - 1] ? "*" : "");
		break;
	case COLUMN_NUMBER:
		value_whole(out, UNIT_NUMBER, t->id, width, draw_ascii());
		break;
	case COLUMN_NAME:
		strbuf_str(out, t->name);
		break;
	case COLUMN_CPU:
		value_whole(out, UNIT_NS, t->cpu_ns, width, draw_ascii());
		break;
	case COLUMN_SHARE:
	case COLUMN_BAR:
		add_share(c, t, column == COLUMN_BAR, width, out);
		break;
	case COLUMN_SAMPLES:
		value_whole(out, UNIT_SAMPLES, t->samples, width, draw_ascii());
		break;
	case COLUMN_WAIT:
		value_whole(out, UNIT_NS, t->wait_ns, width, draw_ascii());
		break;
	case COLUMN_BLOCKS:
		value_whole(out, UNIT_COUNT, t->blocks, width, draw_ascii());
		break;
	case COLUMN_TIDS:
		add_tids(t, out);
		break;
	}
}

static void
draw_thread(const struct chooser *c, const struct thread *t, const struct line *line)
{
	static const enum role roles[NR_COLUMNS] = {
		[COLUMN_MARK] = ROLE_KEY, [COLUMN_NAME] = ROLE_NAME, [COLUMN_BAR] = ROLE_BAR,
		[COLUMN_TIDS] = ROLE_DIM,
	};
	struct strbuf s = STRBUF_INIT;
	int k;

	for (k = 0; k < NR_COLUMNS; k++) {
		if (!is_shown(c, k))
			continue;
		strbuf_clear(&s);
		cell_text(c, t, k, width_of(line, k), &s);
		put_cell(c, line, k, roles[k], s.buf);
	}
	strbuf_release(&s);
}

static void
add_exit(const struct list_row *row, struct strbuf *out)
{
	if (!row->cells[list_column_find(LIST_RUN, "exit_signal")].null)
		strbuf_fmt(out, "signal %" PRIu64, number(row, LIST_RUN, "exit_signal"));
	else if (!row->cells[list_column_find(LIST_RUN, "exit_status")].null)
		strbuf_fmt(out, "exit %" PRIu64, number(row, LIST_RUN, "exit_status"));
	else
		strbuf_str(out, "end unknown");
}

static void
add_command(const struct chooser *c, model_id run, struct strbuf *out)
{
	const struct list_row *row = listing_row(c->runs, run - 1);

	strbuf_fmt(out, "run %u   %s", run, row ? text(row, LIST_RUN, "command") : "");
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
		draw_thread(c, &c->threads[r->item], line);
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
threads_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct chooser *c = v->data;
	const struct row *r = &c->rows[row];

	if (r->kind == ROW_RUN)
		add_command(c, r->run, out);
	else if (r->kind == ROW_FACTS)
		add_facts(c, r->run, out);
	else
		strbuf_fmt(out, "%s\n%s", c->threads[r->item].name, c->threads[r->item].tids);
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
}

static void
threads_empty(struct view *v, struct strbuf *out)
{
	(void)v;
	strbuf_str(out, "This profile does not say which run or thread anything was done in.\n");
}

static size_t
threads_rows(struct view *v)
{
	return ((const struct chooser *)v->data)->nr_rows;
}

static void
threads_resize(struct view *v)
{
	(void)v;
}

static void
threads_close(struct view *v)
{
	struct chooser *c = v->data;

	listing_close(c->runs);
	free(c->threads);
	free(c->rows);
	free(c->marked);
	free(c);
}

static void
threads_write(struct view *v, FILE *out)
{
	const struct chooser *c = v->data;
	struct strbuf s = STRBUF_INIT, safe = STRBUF_INIT;
	size_t i;
	int k;

	for (i = 0; i < c->nr_rows; i++) {
		strbuf_clear(&safe);
		if (c->rows[i].kind != ROW_THREAD) {
			strbuf_clear(&s);
			threads_row_text(v, i, &s);
			safe_text(&safe, s.buf, s.len);
		}
		for (k = 0; k < NR_COLUMNS && c->rows[i].kind == ROW_THREAD; k++) {
			if (!is_shown(c, k))
				continue;
			strbuf_clear(&s);
			cell_text(c, &c->threads[c->rows[i].item], k, columns[k].wide, &s);
			safe_text(&safe, s.buf, s.len);
			strbuf_str(&safe, k + 1 < NR_COLUMNS ? "\t" : "");
		}
		fprintf(out, "%s\n", safe.buf);
	}
	strbuf_release(&s);
	strbuf_release(&safe);
}

/* ---- choosing ---- */

/* The threads of ROW: [*first, end). */
static size_t
threads_of(const struct chooser *c, size_t row, size_t *first)
{
	const struct row *r = &c->rows[row];
	size_t end = r->item;

	*first = r->item;
	if (r->kind == ROW_THREAD)
		return r->item + 1;
	while (end < c->nr_threads && c->threads[end].run == r->run)
		end++;
	return end;
}

/* A run is marked when all of it is; else all of it gets marked. */
static unsigned
mark(struct view *v, size_t count)
{
	struct chooser *c = v->data;
	size_t first, end, i;
	bool all;

	for (count = count ? count : 1; count && v->cursor < c->nr_rows; count--) {
		end = threads_of(c, v->cursor, &first);
		for (all = true, i = first; i < end; i++)
			all &= c->marked[c->threads[i].id - 1];
		for (i = first; i < end; i++) {
			c->nr_marked += !all - (size_t)c->marked[c->threads[i].id - 1];
			c->marked[c->threads[i].id - 1] = !all;
		}
		if (v->cursor + 1 == c->nr_rows)
			break;
		view_move_to(v, v->cursor + 1);
	}
	return EFFECT_DONE;
}

/* Those that are marked, else those of the row under the cursor. */
static unsigned
show(struct view *v)
{
	struct chooser *c = v->data;
	struct browser *b = v->browser;
	bool *keep;
	size_t nr = c->last_id, first, end;
	unsigned effect;

	if (!c->nr_threads) {
		browser_say(b, ROLE_MESSAGE, "there is nothing to choose from");
		return EFFECT_DONE;
	}
	keep = xcalloc(nr, sizeof(*keep));
	memcpy(keep, c->marked, nr * sizeof(*keep));
	if (!c->nr_marked)
		for (end = threads_of(c, v->cursor, &first); first < end; first++)
			keep[c->threads[first].id - 1] = true;
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
sort(struct view *v, enum action action)
{
	struct chooser *c = v->data;
	struct row at = v->cursor < c->nr_rows ? c->rows[v->cursor] : (struct row){ ROW_RUN, 0, 0 };
	model_id id = at.kind == ROW_THREAD ? c->threads[at.item].id : 0;
	size_t i;

	if (action == ACTION_SORT_REVERSE)
		c->reverse = !c->reverse;
	else
		c->sort = (c->sort + 1) % SORT_NR;
	list_rows(c);
	for (i = 0; i < c->nr_rows; i++)
		if (c->rows[i].kind == at.kind && c->rows[i].run == at.run &&
		    (!id || c->threads[c->rows[i].item].id == id))
			view_move_to(v, i);
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
	.resize = threads_resize,
	.rows = threads_rows,
	.head_lines = threads_head_lines,
	.draw_head = threads_draw_head,
	.draw_row = threads_draw_row,
	.title = threads_title,
	.row_text = threads_row_text,
	.empty = threads_empty,
	.act = threads_act,
	.write = threads_write,
};

/* Those that are shown now are marked, unless these are all. */
struct view *
threads_new(struct browser *b)
{
	struct list_query runs = { .kind = LIST_RUN };
	struct chooser *c = xcalloc(1, sizeof(*c));
	struct view *v = view_new(&threads_ops, b, c);
	size_t i;

	c->runs = listing_open(threads_whole(b), &runs);
	read_threads(c, threads_whole(b));
	list_rows(c);
	for (i = 0; i < c->last_id && i < b->threads.nr; i++) {
		c->marked[i] = b->threads.keep[i];
		c->nr_marked += c->marked[i];
	}
	/* On the first thread. */
	while (v->cursor + 1 < c->nr_rows && c->rows[v->cursor].kind != ROW_THREAD)
		v->cursor++;
	return v;
}
