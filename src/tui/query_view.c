/* The rows of a query that was typed, ":sql SELECT ...". All of them are kept, within bounds, so
 * that they can be scrolled, searched and sorted. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/sql.h"
#include "tui/human.h"
#include "tui/layout.h"
#include "tui/term.h"
#include "tui/views.h"
#include "util/safe.h"

enum { MAX_ROWS = 100000, MAX_BYTES = 64 << 20, MAX_CELL = 4096, MAX_WIDTH = 60, GAP = 2 };

struct kept {                /* a cell */
	const char *text;    /* in the arena */
	int64_t integer;
	double real;
	enum sql_type type;
};

struct query {
	struct browser *browser;
	char *sql;
	struct arena arena;
	const char *names[SQL_MAX_COLUMNS];
	int width[SQL_MAX_COLUMNS];
	bool number[SQL_MAX_COLUMNS]; /* nothing but numbers */
	int nr;              /* columns */
	struct kept *cells;  /* nr a row, as they came */
	size_t nr_rows, alloc, bytes;
	size_t *order;       /* the row at each place */
	bool more;           /* there are rows that were not kept */
	int sort;            /* column, -1: as they came */
	bool descending;
	struct sql_problem problem;
	struct timespec began;
	bool told;           /* that it is running */
};

/* ---- running ---- */

static bool
long_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000 > 200;
}

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
take_columns(void *arg, int nr, const char *const *names)
{
	struct query *q = arg;
	int i;

	q->nr = nr;
	for (i = 0; i < nr; i++) {
		q->names[i] = arena_strdup(&q->arena, names[i]);
		q->width[i] = safe_width(names[i], strlen(names[i]));
		q->number[i] = true;
	}
}

static void
take_cell(struct query *q, int column, const struct sql_cell *cell, struct strbuf *s)
{
	struct kept *k = &q->cells[q->nr_rows * (size_t)q->nr + (size_t)column];
	int width;

	strbuf_clear(s);
	sql_cell_text(cell, s);
	width = safe_width(s->buf, s->len);
	*k = (struct kept){ arena_strndup(&q->arena, s->buf, s->len), cell->integer, cell->real,
			    cell->type };
	q->number[column] &= cell->type != SQL_TEXT && cell->type != SQL_BLOB;
	if (width > q->width[column])
		q->width[column] = width;
	q->bytes += s->len + sizeof(*k);
}

static bool
take_row(void *arg, const struct sql_cell *cells)
{
	struct query *q = arg;
	struct strbuf s = STRBUF_INIT;
	int i;

	q->more = q->nr_rows == MAX_ROWS || q->bytes > MAX_BYTES;
	if (q->more)
		return false;
	GROW(q->cells, (q->nr_rows + 1) * (size_t)q->nr, q->alloc);
	for (i = 0; i < q->nr; i++)
		take_cell(q, i, &cells[i], &s);
	q->nr_rows++;
	strbuf_release(&s);
	return true;
}

static void
run(struct query *q)
{
	const struct sql_limits limits = {
		.seconds = q->browser->config->sql_seconds, .cell = MAX_CELL, .stop = stop,
		.row = take_row, .columns = take_columns, .arg = q,
	};
	size_t i;
	int c;

	clock_gettime(CLOCK_MONOTONIC, &q->began);
	/* What came before it failed is no answer. */
	if (sql_run(profile_path(q->browser->profile), *q->sql ? q->sql : sql_tables, &limits,
		    &q->problem) < 0)
		q->nr_rows = 0, q->nr = 0;
	strbuf_clear(&q->browser->message);
	q->order = xcalloc(q->nr_rows + 1, sizeof(*q->order));
	for (i = 0; i < q->nr_rows; i++)
		q->order[i] = i;
	for (c = 0; c < q->nr; c++)
		if (q->width[c] > MAX_WIDTH)
			q->width[c] = MAX_WIDTH;
}

/* ---- rows ---- */

static const struct kept *
cell_at(const struct query *q, size_t row, int column)
{
	return &q->cells[q->order[row] * (size_t)q->nr + (size_t)column];
}

static size_t
query_rows(struct view *v)
{
	const struct query *q = v->data;

	return q->nr_rows;
}

static void
query_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct query *q = v->data;
	int i;

	for (i = 0; i < q->nr; i++)
		strbuf_fmt(out, "%s\n", cell_at(q, row, i)->text);
}

static int
query_head_lines(struct view *v)
{
	const struct query *q = v->data;

	return v->area.h > 3 && q->nr > 0;
}

/* From column v->left on. Returns where COLUMN begins; *W is what it has. */
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
	const struct kept *k;
	int c, x, w, used;

	for (c = v->left; c < q->nr; c++) {
		x = place_of(v, c, line, &w);
		if (x >= line->w)
			break;
		k = cell_at(q, row, c);
		used = line_text(line, x, w, q->number[c] ? ALIGN_RIGHT : ALIGN_LEFT,
				 k->type == SQL_TEXT ? ROLE_TEXT : ROLE_STRONG, k->text, -1);
		mark_hits(v, line, q->number[c] ? x + w - used : x, used, k->text);
	}
}

static void
query_title(struct view *v, struct title *title)
{
	const struct query *q = v->data;

	strbuf_str(&title->left, "query");
	strbuf_str(&title->middle, *q->sql ? q->sql : "tables and columns");
	human_count(&title->right, q->nr_rows ? v->cursor + 1 : 0);
	strbuf_char(&title->right, '/');
	human_count(&title->right, q->nr_rows);
	if (q->more)
		strbuf_str(&title->right, ", there are more");
}

/* The part of the query around the place, and a mark below it. */
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
		strbuf_str(out, "No row.\n");
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
compare_numbers(const struct kept *a, const struct kept *b)
{
	if (a->type == SQL_INTEGER && b->type == SQL_INTEGER)
		return (a->integer > b->integer) - (a->integer < b->integer);
	return (a->real > b->real) - (a->real < b->real);
}

/* As in SQLite: NULL, numbers, texts. */
static int
compare_cells(const struct kept *a, const struct kept *b)
{
	static const int class_of[] = {
		[SQL_NULL] = 0, [SQL_INTEGER] = 1, [SQL_REAL] = 1, [SQL_TEXT] = 2, [SQL_BLOB] = 3,
	};

	if (class_of[a->type] != class_of[b->type])
		return class_of[a->type] - class_of[b->type];
	return class_of[a->type] == 1 ? compare_numbers(a, b) : strcmp(a->text, b->text);
}

static int
compare_rows(const void *a, const void *b, void *arg)
{
	const struct query *q = arg;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	size_t nr = (size_t)q->nr, column = (size_t)q->sort;
	int c = compare_cells(&q->cells[i * nr + column], &q->cells[k * nr + column]);

	if (c)
		return q->descending ? -c : c;
	return (i > k) - (i < k);
}

static unsigned
sort_by(struct view *v, int column, bool descending)
{
	struct query *q = v->data;
	size_t row, i;

	if (column < 0 || column >= q->nr || !q->nr_rows) {
		browser_say(v->browser, ROLE_MESSAGE, "there is no such column");
		return EFFECT_DONE;
	}
	row = q->order[v->cursor];
	q->sort = column;
	q->descending = descending;
	qsort_r(q->order, q->nr_rows, sizeof(*q->order), compare_rows, q);
	for (i = 0; q->order[i] != row; i++)
		;
	view_move_to(v, i);
	return EFFECT_DONE;
}

static unsigned
query_click(struct view *v, int head, int x)
{
	struct line line = { .w = v->area.w };
	struct query *q = v->data;
	int c, at, w;

	(void)head;
	for (c = v->left; c < q->nr; c++) {
		at = place_of(v, c, &line, &w);
		if (x >= at - 1 && x <= at + w)
			return sort_by(v, c, c == q->sort ? !q->descending : q->number[c]);
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
	struct procedure_row found;

	if (path < 0)
		path = column_named(q, "file", false);
	if (procedure < 0)
		procedure = column_named(q, "name", false);
	if (path >= 0 && line >= 0) {
		int64_t n = cell_at(q, row, line)->integer;

		target->place.file = file_of_path(b, cell_at(q, row, path)->text);
		target->place.line = n > 0 && n < UINT32_MAX ? (uint32_t)n : 1;
		return target->place.file;
	}
	if (procedure < 0 ||
	    !profile_procedure_named(b->profile, cell_at(q, row, procedure)->text, &found))
		return false;
	target->place = source_name_place(b, false, &found.place);
	target->procedure = found.id;
	return found.place.file;
}

static unsigned
query_open(struct view *v)
{
	struct target target = { .procedure = 0 };
	struct browser *b = v->browser;
	const struct query *q = v->data;

	if (!q->nr_rows || !target_of(b, q, v->cursor, &target)) {
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
	int by = (int)(count && count < SQL_MAX_COLUMNS ? count : 1);

	switch (action) {
	case ACTION_OPEN:
		return query_open(v);
	case ACTION_SORT:
		if (!count)
			count = q->nr ? (size_t)(q->sort + 1) % (size_t)q->nr + 1 : 1;
		count = count > SQL_MAX_COLUMNS ? SQL_MAX_COLUMNS : count - 1;
		return sort_by(v, (int)count, (int)count < q->nr && q->number[count]);
	case ACTION_SORT_REVERSE:
		return sort_by(v, q->sort < 0 ? 0 : q->sort, !q->descending);
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
query_write(struct view *v, FILE *out)
{
	const struct query *q = v->data;
	struct strbuf s = STRBUF_INIT;
	size_t row;
	int c;

	for (c = 0; c < q->nr; c++)
		write_cell(q, c, q->names[c], &s);
	fprintf(out, "%s\n", s.buf);
	for (row = 0; row < q->nr_rows; row++) {
		strbuf_clear(&s);
		for (c = 0; c < q->nr; c++)
			write_cell(q, c, cell_at(q, row, c)->text, &s);
		fprintf(out, "%s\n", s.buf);
	}
	strbuf_release(&s);
}

static void
query_close(struct view *v)
{
	struct query *q = v->data;

	arena_release(&q->arena);
	free(q->cells);
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
	.draw_row = query_draw_row,
	.title = query_title,
	.row_text = query_row_text,
	.empty = query_empty,
	.act = query_act,
	.click = query_click,
	.write = query_write,
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
