/* The rows of a query that was typed, ":sql SELECT ...". They are read in slices and kept within
 * bounds, so that they can be scrolled, searched and sorted. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/store/sql.h"
#include "show/human.h"
#include "tui/busy.h"
#include "tui/layout.h"
#include "tui/screen/term.h"
#include "tui/views.h"
#include "tui/views/query_rows.h"
#include "tui/views/table.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/text/safe.h"

enum { MAX_WIDTH = 60, GAP = 2 };

struct query {
	struct browser *browser;
	char *sql;
	struct arena arena;
	const char *names[SQL_MAX_COLUMNS];
	int width[SQL_MAX_COLUMNS];
	bool number[SQL_MAX_COLUMNS]; /* nothing but numbers */
	int nr;              /* columns */
	struct query_rows rows;
	uint32_t *order;     /* the row at each place; NULL: in the order of the query */
	bool more;           /* there are rows that were not kept */
	int sort;            /* column, -1: in the order of the query */
	bool descending;
	struct {
		bool on;
		int column;
		bool descending;
		uint32_t *order;
		struct job *job;
	} sorting;           /* that goes on, or waits for the last row */
	struct sql_query *running; /* NULL: no more rows are read */
	FILE *out;           /* writing: the file */
	struct sql_problem problem;
	struct timespec began;
	bool told;           /* the user knows that it runs */
};

/* ---- running ---- */

static bool
long_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000 > 200;
}

/* Called while SQLite works, which can take long between two rows. */
static bool
stop(void *arg)
{
	struct query *q = arg;

	if (!q->told && long_since(&q->began)) {
		browser_say(q->browser, ROLE_PROMPT, "the query is running; %s stops it",
			    action_key(KEYMAP_PROMPT, ACTION_PROMPT_CANCEL));
		layout_draw(q->browser);
		draw_flush(false);
		q->told = true;
	}
	return q->told && term_stop_typed();
}

static void
begin_telling(struct query *q)
{
	q->told = false;
	clock_gettime(CLOCK_MONOTONIC, &q->began);
}

static void
end_telling(struct query *q)
{
	if (q->told)
		strbuf_clear(&q->browser->message);
}

static void
take_columns(void *arg, int nr, const char *const *names)
{
	struct query *q = arg;
	int i;

	/* The query runs once more, to be written: the columns are known. */
	if (q->nr)
		return;
	q->nr = q->rows.nr_columns = nr;
	for (i = 0; i < nr; i++) {
		q->names[i] = arena_strdup(&q->arena, names[i]);
		q->width[i] = safe_width(names[i], strlen(names[i]));
		if (q->width[i] > MAX_WIDTH)
			q->width[i] = MAX_WIDTH;
		q->number[i] = true;
	}
}

/* Widens the columns as far as needed; the cells' texts go through S. */
static void
measure(struct query *q, const struct sql_cell *cells, struct strbuf *s)
{
	int i, width;

	for (i = 0; i < q->nr; i++) {
		q->number[i] &= cells[i].type != SQL_TEXT && cells[i].type != SQL_BLOB;
		if (q->width[i] == MAX_WIDTH)
			continue;
		strbuf_clear(s);
		sql_cell_text(&cells[i], s);
		width = safe_width(s->buf, s->len);
		if (width > q->width[i])
			q->width[i] = width < MAX_WIDTH ? width : MAX_WIDTH;
	}
}

static bool
take_row(void *arg, const struct sql_cell *cells)
{
	struct strbuf s = STRBUF_INIT;
	struct query *q = arg;

	q->more = !query_rows_add(&q->rows, cells);
	if (!q->more)
		measure(q, cells, &s);
	strbuf_release(&s);
	return !q->more;
}

static void
stop_reading(struct query *q)
{
	sql_close(q->running);
	q->running = NULL;
}

/* Rows before a failure are no answer, unless the user stopped it. */
static void
give_up(struct query *q)
{
	stop_reading(q);
	if (q->problem.stopped && q->rows.nr) {
		q->problem = (struct sql_problem){ .at = -1 };
		q->more = true;
		return;
	}
	q->sorting.on = false;
	query_rows_release(&q->rows);
	q->nr = 0;
}

/* Reads rows until ENOUGH (NULL: to the end). */
static void
read_on(struct query *q, bool (*enough)(void *context))
{
	enum sql_state state;

	begin_telling(q);
	state = sql_work(q->running, enough, q->browser, &q->problem);
	end_telling(q);
	if (state == SQL_DONE)
		stop_reading(q);
	else if (state == SQL_FAILED)
		give_up(q);
}

static struct sql_query *
begin(struct query *q, bool (*row)(void *arg, const struct sql_cell *cells))
{
	const struct sql_limits limits = {
		.seconds = q->browser->config->sql_seconds, .cell = QUERY_ROWS_CELL, .stop = stop,
		.row = row, .columns = take_columns, .arg = q,
	};

	begin_telling(q);
	return sql_begin(profile_path(q->browser->profile), *q->sql ? q->sql : sql_tables, &limits,
			 &q->problem);
}

static void
run(struct query *q)
{
	q->running = begin(q, take_row);
	if (!q->running)
		return;
	busy_slice(q->browser, SLICE_KEY);
	read_on(q, busy_over);
}

/* ---- rows ---- */

/* Returns the row at a place. */
static size_t
row_at(const struct query *q, size_t place)
{
	return q->order ? q->order[place] : place;
}

static size_t
query_rows(struct view *v)
{
	const struct query *q = v->data;

	return q->rows.nr;
}

/* Appends the text of the cell in that column, without NULs, so that it is one string. */
static void
cell_text(const struct query *q, size_t place, int column, struct strbuf *out)
{
	size_t from = out->len, length;

	query_rows_text(&q->rows, row_at(q, place), column, out);
	length = strlen(out->buf + from);
	out->len = from + length;
}

static void
query_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct query *q = v->data;
	int i;

	for (i = 0; i < q->nr; i++) {
		cell_text(q, row, i, out);
		strbuf_char(out, '\n');
	}
}

static int
query_head_lines(struct view *v)
{
	const struct query *q = v->data;

	return v->area.h > 3 && q->nr > 0;
}

/* Returns where COLUMN begins, from column v->left on; *W is its width. */
static int
place_of(const struct view *v, int column, const struct line *line, int *w)
{
	const struct query *q = v->data;
	int i, x = 2;

	for (i = v->left; i < column; i++)
		x += q->width[i] + GAP;
	*w = q->width[column];
	if (column == q->nr - 1 && !q->number[column])
		*w = line->w - x - 1;
	return x;
}

static void
query_draw_head(struct view *v, int i, const struct line *line)
{
	const struct query *q = v->data;
	int c, x, w, used;

	(void)i;
	for (c = v->left; c < q->nr; c++) {
		x = place_of(v, c, line, &w);
		used = line_text(line, x, w, q->number[c] ? ALIGN_RIGHT : ALIGN_LEFT,
				 c == q->sort ? ROLE_HEAD_SORT : ROLE_HEAD, q->names[c], -1);
		if (c != q->sort)
			continue;
		x += q->number[c] ? w : used;
		line_text(line, x, 1, ALIGN_LEFT, ROLE_HEAD_SORT,
			  draw_glyph(q->descending ? GLYPH_DOWN : GLYPH_UP), -1);
	}
}

static void
mark_hits(struct view *v, const struct line *line, int x, int w, const char *text)
{
	const struct search *search = &v->browser->search;
	size_t n = strlen(text), from = 0, start, end;
	int at, width;

	while (search_find(search, text, n, from, &start, &end)) {
		at = safe_width(text, start);
		width = safe_width(text + start, end - start);
		if (at + width > w)
			break;
		line_overlay(line, x + at, width, OVERLAY_MATCH);
		from = end;
	}
}

static void
query_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct query *q = v->data;
	struct strbuf text = STRBUF_INIT;
	struct sql_cell cell;
	int c, x, w, used;

	for (c = v->left; c < q->nr; c++) {
		x = place_of(v, c, line, &w);
		if (x >= line->w)
			break;
		query_rows_cell(&q->rows, row_at(q, row), c, &cell);
		strbuf_clear(&text);
		cell_text(q, row, c, &text);
		used = line_text(line, x, w, q->number[c] ? ALIGN_RIGHT : ALIGN_LEFT,
				 cell.type == SQL_TEXT ? ROLE_TEXT : ROLE_STRONG, text.buf, -1);
		mark_hits(v, line, q->number[c] ? x + w - used : x, used, text.buf);
	}
	strbuf_release(&text);
}

static void
query_title(struct view *v, struct title *title)
{
	const struct query *q = v->data;

	strbuf_str(&title->left, "query");
	strbuf_str(&title->middle, *q->sql ? q->sql : "tables and columns");
	title_place(title, v);
	if (q->running)
		strbuf_str(&title->right, ", reading");
	else if (q->sorting.on)
		strbuf_fmt(&title->right, ", sorting %u%%", job_percent(q->sorting.job));
	else if (q->more)
		strbuf_str(&title->right, ", there are more");
}

/* Rows that are left out must be mentioned. */
static int
query_foot_lines(struct view *v)
{
	const struct query *q = v->data;

	return q->more && !q->running && v->area.h > 5;
}

static void
query_draw_foot(struct view *v, int i, const struct line *line)
{
	const struct query *q = v->data;
	struct strbuf s = STRBUF_INIT;

	(void)i;
	strbuf_str(&s, "the first ");
	human_count(&s, q->rows.nr);
	strbuf_fmt(&s, " rows%s; :w FILE writes all", q->sort >= 0 ? ", sorted" : "");
	line_text(line, 2, line->w - 3, ALIGN_LEFT, ROLE_WARNING, s.buf, (ptrdiff_t)s.len);
	strbuf_release(&s);
}

/* Appends the part of the query around the error, and a mark below it. */
static void
point_at(const struct query *q, struct strbuf *out)
{
	enum { BEFORE = 30, BEHIND = 40 };
	size_t at = (size_t)q->problem.at, from = at > BEFORE ? at - BEFORE : 0, i;

	while (from && ((unsigned char)q->sql[from] & 0xc0) == 0x80)
		from--;
	strbuf_fmt(out, "%.*s\n", (int)(at - from) + BEHIND, q->sql + from);
	for (i = 0; i < (size_t)safe_width(q->sql + from, at - from); i++)
		strbuf_char(out, ' ');
	strbuf_str(out, "^\n");
}

static void
query_empty(struct view *v, struct strbuf *out)
{
	const struct query *q = v->data;

	if (!q->problem.error.set) {
		strbuf_str(out, q->running ? "No row yet.\n" : "No row.\n");
		return;
	}
	strbuf_fmt(out, "%s\n", q->problem.error.text);
	if (q->problem.at >= 0)
		point_at(q, out);
	strbuf_fmt(out, "\n%s and %s bring the query back. :sql alone lists tables and columns.\n",
		   action_key(v->ops->keymap, ACTION_COMMAND),
		   action_key(KEYMAP_PROMPT, ACTION_PROMPT_OLDER));
}

/* ---- sorting ---- */

static int
compare_rows(const void *context, uint32_t a, uint32_t b)
{
	const struct query *q = context;
	int c = query_rows_compare(&q->rows, q->sorting.column, a, b);

	return q->sorting.descending ? -c : c;
}

/* Takes the new order; the cursor stays on its row. */
static void
take_order(struct view *v)
{
	struct query *q = v->data;
	size_t row = row_at(q, v->cursor), i;

	free(q->order);
	q->order = q->sorting.order;
	q->sorting.order = NULL;
	q->sorting.on = false;
	q->sort = q->sorting.column;
	q->descending = q->sorting.descending;
	for (i = 0; q->order[i] != row; i++)
		;
	view_move_to(v, i);
}

static void
sort_rows(void *query)
{
	struct query *q = query;

	job_sort_order(&q->sorting.order, q->rows.nr, compare_rows, q);
}

/* Sorts in the slice that has begun. Returns true when the rows are in order. */
static bool
sort_on(struct view *v)
{
	struct query *q = v->data;

	if (!busy_run(q->browser, &q->sorting.job))
		return false;
	take_order(v);
	return true;
}

static void
stop_sorting(struct query *q)
{
	busy_drop(&q->sorting.job);
	free(q->sorting.order);
	q->sorting.order = NULL;
	q->sorting.on = false;
}

static unsigned
sort_by(struct view *v, int column, bool descending)
{
	struct query *q = v->data;

	if (column < 0 || column >= q->nr || !q->rows.nr) {
		browser_say(v->browser, ROLE_MESSAGE, "there is no such column");
		return EFFECT_DONE;
	}
	stop_sorting(q);
	q->sorting.on = true;
	q->sorting.column = column;
	q->sorting.descending = descending;
	q->sorting.job = job_new(sort_rows, q);
	busy_slice(q->browser, SLICE_KEY);
	if (!q->running)
		sort_on(v);
	return EFFECT_DONE;
}

/* Returns the column to sort by, and its direction, in the user's terms. */
static int
sorted_by(const struct query *q, bool *descending)
{
	*descending = q->sorting.on ? q->sorting.descending : q->descending;
	return q->sorting.on ? q->sorting.column : q->sort;
}

static unsigned
query_click(struct view *v, int head, int x)
{
	struct line line = { .w = v->area.w };
	struct query *q = v->data;
	int c, at, w, sort;
	bool descending;

	(void)head;
	sort = sorted_by(q, &descending);
	for (c = v->left; c < q->nr; c++) {
		at = place_of(v, c, &line, &w);
		if (x >= at - 1 && x <= at + w)
			return sort_by(v, c, c == sort ? !descending : q->number[c]);
	}
	return EFFECT_NONE;
}

/* ---- going to the source ---- */

static int
column_named(const struct query *q, const char *name, bool number)
{
	int i;

	for (i = 0; i < q->nr; i++)
		if (!strcmp(q->names[i], name) && q->number[i] == number)
			return i;
	return -1;
}

static model_id
file_of_path(struct browser *b, const char *path)
{
	const struct profile_file *file;
	model_id id;

	for (id = 1; id <= b->totals->nr_files; id++) {
		file = profile_file(b->profile, id);
		if (file && !strcmp(file->path, path))
			return id;
	}
	return 0;
}

/* The columns path (or file) and line, or procedure (or name), lead to the source. */
static bool
target_of(struct browser *b, const struct query *q, size_t row, struct target *target)
{
	int path = column_named(q, "path", false), line = column_named(q, "line", true);
	int procedure = column_named(q, "procedure", false);
	struct strbuf text = STRBUF_INIT;
	struct procedure_row found;
	struct sql_cell cell;
	bool there;

	if (path < 0)
		path = column_named(q, "file", false);
	if (procedure < 0)
		procedure = column_named(q, "name", false);
	if (path >= 0 && line >= 0) {
		query_rows_cell(&q->rows, row_at(q, row), line, &cell);
		cell_text(q, row, path, &text);
		target->place.file = file_of_path(b, text.buf);
		target->place.line = cell.integer > 0 && cell.integer < UINT32_MAX
				     ? (uint32_t)cell.integer : 1;
		strbuf_release(&text);
		return target->place.file;
	}
	if (procedure < 0)
		return false;
	cell_text(q, row, procedure, &text);
	there = profile_procedure_named(b->profile, text.buf, &found);
	strbuf_release(&text);
	if (!there)
		return false;
	target->place = source_name_place(&b->docs, &found.place);
	target->procedure.id = found.id;
	return found.place.file;
}

static unsigned
query_open(struct view *v)
{
	struct target target = { .procedure = 0 };
	struct browser *b = v->browser;
	const struct query *q = v->data;

	if (!q->rows.nr || !target_of(b, q, v->cursor, &target)) {
		browser_say(b, ROLE_MESSAGE, "this row leads nowhere: columns \"path\" and "
			    "\"line\", or \"procedure\", would lead to the source");
		return EFFECT_DONE;
	}
	browser_pop(b); /* V is gone */
	return browser_go(b, &target, true);
}

static unsigned
query_act(struct view *v, enum action action, size_t count)
{
	struct query *q = v->data;
	int by = (int)(count && count < SQL_MAX_COLUMNS ? count : 1), sort;
	bool descending;

	sort = sorted_by(q, &descending);
	switch (action) {
	case ACTION_OPEN:
		return query_open(v);
	case ACTION_SORT:
		if (!count)
			count = q->nr ? (size_t)(sort + 1) % (size_t)q->nr + 1 : 1;
		count = count > SQL_MAX_COLUMNS ? SQL_MAX_COLUMNS : count - 1;
		return sort_by(v, (int)count, (int)count < q->nr && q->number[count]);
	case ACTION_SORT_REVERSE:
		return sort_by(v, sort < 0 ? 0 : sort, !descending);
	case ACTION_SCROLL_LEFT:
		v->left = v->left > by ? v->left - by : 0;
		return EFFECT_DONE;
	case ACTION_SCROLL_RIGHT:
		v->left = v->left + by < q->nr ? v->left + by : q->nr ? q->nr - 1 : 0;
		return EFFECT_DONE;
	default:
		return EFFECT_REFUSED;
	}
}

/* ---- the rest ---- */

static void
write_cell(const struct query *q, int column, const char *text, struct strbuf *out)
{
	struct strbuf s = STRBUF_INIT;
	int w = safe_fit(&s, text, strlen(text), q->width[column]);
	int pad = column < q->nr - 1 || q->number[column] ? q->width[column] - w : 0;

	strbuf_fmt(out, "%*s", column ? GAP : 0, "");
	if (q->number[column])
		strbuf_fmt(out, "%*s%s", pad, "", s.buf);
	else
		strbuf_fmt(out, "%s%*s", s.buf, pad, "");
	strbuf_release(&s);
}

static void
write_heads(struct query *q, FILE *out)
{
	struct strbuf s = STRBUF_INIT;

	for (int c = 0; c < q->nr; c++)
		write_cell(q, c, q->names[c], &s);
	fprintf(out, "%s\n", s.buf);
	strbuf_release(&s);
}

static void
write_kept(struct query *q, FILE *out)
{
	struct strbuf line = STRBUF_INIT, text = STRBUF_INIT;

	write_heads(q, out);
	for (size_t row = 0; row < q->rows.nr; row++) {
		strbuf_clear(&line);
		for (int c = 0; c < q->nr; c++) {
			strbuf_clear(&text);
			cell_text(q, row, c, &text);
			write_cell(q, c, text.buf, &line);
		}
		fprintf(out, "%s\n", line.buf);
	}
	strbuf_release(&line);
	strbuf_release(&text);
}

static bool
measure_row(void *arg, const struct sql_cell *cells)
{
	struct strbuf s = STRBUF_INIT;

	measure(arg, cells, &s);
	strbuf_release(&s);
	return true;
}

static bool
write_row(void *arg, const struct sql_cell *cells)
{
	struct strbuf line = STRBUF_INIT, text = STRBUF_INIT;
	struct query *q = arg;

	for (int c = 0; c < q->nr; c++) {
		strbuf_clear(&text);
		sql_cell_text(&cells[c], &text);
		write_cell(q, c, text.buf, &line);
	}
	fprintf(q->out, "%s\n", line.buf);
	strbuf_release(&line);
	strbuf_release(&text);
	return !ferror(q->out);
}

/* The rows were not kept: runs the query once more to see how wide they are, and once to write. */
static int
write_all(struct query *q, FILE *out, struct error *err)
{
	static bool (*const rows[])(void *arg, const struct sql_cell *cells) = {
		measure_row, write_row
	};
	enum sql_state state = SQL_DONE;
	struct query copy = *q;
	struct sql_query *running;

	copy.arena = (struct arena)ARENA_INIT;
	copy.nr = 0;
	copy.out = out;
	for (int i = 0; i < 2 && state == SQL_DONE; i++) {
		running = begin(&copy, rows[i]);
		if (i)
			write_heads(&copy, out);
		state = running ? sql_work(running, NULL, NULL, &copy.problem) : SQL_FAILED;
		sql_close(running);
	}
	end_telling(&copy);
	arena_release(&copy.arena);
	return state == SQL_DONE ? 0 : error_set(err, "%s", copy.problem.error.text);
}

static int
query_write(struct view *v, FILE *out, struct error *err)
{
	struct query *q = v->data;

	if (q->running)
		read_on(q, NULL);
	if (q->sorting.on && job_run(q->sorting.job, NULL, NULL))
		sort_on(v);
	if (q->more)
		return write_all(q, out, err);
	write_kept(q, out);
	return 0;
}

/* ---- work ---- */

static unsigned
query_idle(struct view *v)
{
	struct query *q = v->data;
	bool few = q->rows.nr < (size_t)v->area.h;

	if (!q->running && !q->sorting.on)
		return 0;
	busy_slice(q->browser, SLICE_IDLE);
	if (!q->running)
		return sort_on(v) ? WORK_NEW : WORK_MORE;
	read_on(q, busy_over);
	if (!q->running)
		view_clamp(v);
	return (q->running || q->sorting.on ? WORK_MORE : 0) | (few || !q->running ? WORK_NEW : 0);
}

/* Stops sorting first, then reading. */
static bool
query_undo(struct view *v)
{
	struct query *q = v->data;

	if (!q->running && !q->sorting.on)
		return false;
	if (q->sorting.on) {
		stop_sorting(q);
	} else {
		q->problem.stopped = true;
		give_up(q);
	}
	browser_say(v->browser, ROLE_MESSAGE, "stopped");
	return true;
}

static void
query_close(struct view *v)
{
	struct query *q = v->data;

	stop_reading(q);
	stop_sorting(q);
	query_rows_release(&q->rows);
	arena_release(&q->arena);
	free(q->order);
	free(q->sql);
	free(q);
}

static const struct view_ops query_ops = {
	.name = "query",
	.keymap = KEYMAP_QUERY,
	.close = query_close,
	.rows = query_rows,
	.head_lines = query_head_lines,
	.draw_head = query_draw_head,
	.foot_lines = query_foot_lines,
	.draw_foot = query_draw_foot,
	.draw_row = query_draw_row,
	.title = query_title,
	.row_text = query_row_text,
	.empty = query_empty,
	.act = query_act,
	.click = query_click,
	.try_write = query_write,
	.idle = query_idle,
	.undo = query_undo,
};

struct view *
query_new(struct browser *b, const char *sql)
{
	struct query *q = xcalloc(1, sizeof(*q));

	q->browser = b;
	q->sql = xstrdup(sql);
	q->arena = (struct arena)ARENA_INIT;
	q->sort = -1;
	run(q);
	return view_new(&query_ops, b, q);
}
