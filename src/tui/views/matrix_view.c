/* Blocks as a matrix: a row for each maker, a column for each disposer; the more bytes (or blocks)
 * a cell has, the hotter it is. Only what can be seen is read and drawn. */
#include <stdlib.h>
#include <string.h>

#include "db/lists/pair_matrix.h"
#include "show/heat.h"
#include "show/human.h"
#include "show/value.h"
#include "tui/busy.h"
#include "tui/filter.h"
#include "tui/screen/legend.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/job.h"
#include "util/text/name.h"
#include "util/text/safe.h"

struct matrix_view {
	struct table table;        /* of pairs: how these are shown; its listing has their texts,
	                            * and, restricted, those that are wanted */
	struct pair_matrix pairs;
	struct job *reading;       /* them; NULL: they are there */
	model_id wanted;           /* the pair to begin on; 0: the first row */
	enum pair_figure shown;    /* in the cells, and the order of rows and columns */
	size_t column, left;       /* of the cursor; the first one that is seen */
};

static const struct {
	const char *name;
	enum column_unit unit;
} figures[NR_PAIR_FIGURES] = {
	[PAIR_BYTES] = { "bytes", UNIT_BYTES }, [PAIR_BLOCKS] = { "blocks", UNIT_COUNT },
};

/* The heads of the list's columns that tell of each side. */
static const struct { const char *name, *place; } ends[NR_PAIR_SIDES] = {
	[PAIR_ROWS] = { "made by", "made at" }, [PAIR_COLUMNS] = { "freed by", "freed at" },
};

/* ---- where things are ---- */

enum { LABEL_AT = 2, LEAST_LABEL = 8, MOST_LABEL = 40, CELL_WIDTH = 9, WIDE = 60 };

struct shape {
	int label;                 /* width of a row's name */
	int all;                   /* where the sums of rows are; 0: no room */
	int cells;                 /* where the first cell begins */
	size_t nr;                 /* cells that fit */
};

static struct shape
shape_of(const struct view *v)
{
	int w = v->area.w;
	struct shape s = { .label = w / 3 };

	s.label = s.label > MOST_LABEL ? MOST_LABEL : s.label < LEAST_LABEL ? LEAST_LABEL : s.label;
	s.cells = LABEL_AT + s.label + 1;
	if (w >= WIDE) {
		s.all = s.cells;
		s.cells += CELL_WIDTH + 1;
	}
	s.nr = w > s.cells + CELL_WIDTH ? (size_t)((w - s.cells) / CELL_WIDTH) : 1;
	return s;
}

/* Returns line I of a side in the order of what is shown. */
static uint32_t
line_number(const struct matrix_view *m, enum pair_side side, size_t i)
{
	return m->pairs.sides[side].order[m->shown][i];
}

static const struct pair_line *
line_at(const struct matrix_view *m, enum pair_side side, size_t i)
{
	return &m->pairs.sides[side].lines[line_number(m, side, i)];
}

static const struct pair_cell *
cell_at(const struct matrix_view *m, size_t row, size_t column)
{
	return pair_matrix_cell(&m->pairs, line_number(m, PAIR_ROWS, row),
				line_number(m, PAIR_COLUMNS, column));
}

static size_t
columns(const struct matrix_view *m)
{
	return m->reading ? 0 : m->pairs.sides[PAIR_COLUMNS].nr;
}

static size_t
matrix_rows(struct view *v)
{
	const struct matrix_view *m = v->data;

	return m->reading ? 0 : m->pairs.sides[PAIR_ROWS].nr;
}

/* Scrolls as little as is needed to see the cursor's column. */
static void
show_column(struct view *v)
{
	struct matrix_view *m = v->data;
	size_t nr = shape_of(v).nr, all = columns(m);

	if (m->column >= all)
		m->column = all ? all - 1 : 0;
	if (m->left + nr > all)
		m->left = all > nr ? all - nr : 0;
	if (m->column < m->left)
		m->left = m->column;
	if (m->column >= m->left + nr)
		m->left = m->column - nr + 1;
}

/* ---- reading ---- */

static void
read_pairs(void *matrix_view)
{
	struct matrix_view *m = matrix_view;

	pair_matrix_read(m->table.browser->profile,
			 table_is_restricted(&m->table) ? m->table.listing : NULL, &m->pairs);
}

static void
go_to_lines(struct view *v, uint32_t row, uint32_t column)
{
	struct matrix_view *m = v->data;

	m->column = m->pairs.sides[PAIR_COLUMNS].place[m->shown][column];
	show_column(v);
	view_move_to(v, m->pairs.sides[PAIR_ROWS].place[m->shown][row]);
}

/* Goes to the pair that is wanted. */
static void
begin_at(struct view *v)
{
	struct matrix_view *m = v->data;
	const struct pair_cell *cells = m->pairs.cells;

	for (size_t i = 0; m->wanted && i < m->pairs.nr; i++) {
		if (cells[i].pair != m->wanted)
			continue;
		go_to_lines(v, cells[i].line[PAIR_ROWS], cells[i].line[PAIR_COLUMNS]);
		break;
	}
	m->wanted = 0;
}

static bool
read_on(struct view *v, unsigned slice)
{
	struct matrix_view *m = v->data;

	busy_slice(v->browser, slice);
	if (table_is_restricted(&m->table) &&
	    !listing_work(m->table.listing, busy_over, v->browser))
		return false;
	return busy_run(v->browser, &m->reading);
}

static unsigned
matrix_idle(struct view *v)
{
	struct matrix_view *m = v->data;

	if (!m->reading)
		return 0;
	if (!read_on(v, SLICE_IDLE))
		return WORK_MORE;
	begin_at(v);
	return WORK_NEW | WORK_MORE;
}

/* Returns the pair as the list has it; NULL: it is damaged. */
static const struct list_row *
pair_row(struct matrix_view *m, model_id pair)
{
	return listing_row_of(m->table.listing, pair);
}

/* ---- texts ---- */

/* Appends the cell of the list's column headed HEAD. */
static void
put(struct matrix_view *m, const struct list_row *row, const char *head, int width,
    struct strbuf *out)
{
	struct table *t = &m->table;
	struct cell_context x = table_context(t);
	int i = columns_headed(t->columns, t->nr_columns, head, false);
	enum role role = ROLE_TEXT;

	if (i >= 0)
		cell_print(out, &x, &t->columns[i], row, width, &role);
}

/* Appends who the line is, in two halves of WIDTH if that is not enough. */
static void
put_line(struct matrix_view *m, enum pair_side side, size_t i, int width, struct strbuf *out)
{
	const struct list_row *row = pair_row(m, line_at(m, side, i)->pair);
	struct strbuf place = STRBUF_INIT, name = STRBUF_INIT;

	if (!row)
		return;
	put(m, row, ends[side].place, width / 2, &place);
	put(m, row, ends[side].name, WIDTH_WHOLE, &name);
	name_cut(&name, width - safe_width(place.buf, place.len) - (place.len > 0),
		 draw_glyph(GLYPH_DOTS));
	strbuf_add(out, name.buf, name.len);
	if (name.len && place.len)
		strbuf_char(out, ' ');
	strbuf_add(out, place.buf, place.len);
	strbuf_release(&place);
	strbuf_release(&name);
}

static void
matrix_row_text(struct view *v, size_t row, struct strbuf *out)
{
	put_line(v->data, PAIR_ROWS, row, 2 * WIDTH_WHOLE, out);
	strbuf_char(out, '\n');
}

static void
put_figure(const struct matrix_view *m, const uint64_t *of, struct strbuf *out)
{
	value_whole(out, figures[m->shown].unit, of[m->shown], CELL_WIDTH - 1, draw_ascii());
}

/* ---- heads ---- */

/* Which there are, from the top, and how high the view must be. */
enum head { HEAD_ENDS, HEAD_FACTS, HEAD_LEGEND, HEAD_NAMES, HEAD_PLACES, NR_HEADS };
static const int least_height[NR_HEADS] = {
	[HEAD_ENDS] = 6, [HEAD_FACTS] = 9, [HEAD_LEGEND] = 13, [HEAD_NAMES] = 4, [HEAD_PLACES] = 8,
};

static int
matrix_head_lines(struct view *v)
{
	int nr = 0;

	for (int i = 0; i < NR_HEADS; i++)
		nr += matrix_rows(v) && v->area.h >= least_height[i];
	return nr;
}

static int
matrix_foot_lines(struct view *v)
{
	return matrix_rows(v) && v->area.h > 7;
}

static void
draw_ends(struct view *v, const struct line *line)
{
	struct matrix_view *m = v->data;
	const struct pair_line *by = line_at(m, PAIR_COLUMNS, m->column);
	struct strbuf text = STRBUF_INIT;
	int room = (line->w - 24) / 2;

	strbuf_str(&text, "made by ");
	put_line(m, PAIR_ROWS, v->cursor, room, &text);
	if (by->how == DISPOSAL_NEVER) {
		strbuf_str(&text, ", never freed");
	} else {
		strbuf_str(&text, by->how == DISPOSAL_FREE ? ", freed by "
				  : by->how == DISPOSAL_EXIT ? ", freed at exit by "
							     : ", freed by realloc in ");
		put_line(m, PAIR_COLUMNS, m->column, room, &text);
	}
	line_text(line, 1, line->w - 2, ALIGN_LEFT, ROLE_NAME, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

/* How many lived how long, where there are any: the list's columns. */
static void
put_lives(struct matrix_view *m, const struct list_row *row, struct strbuf *out)
{
	static const char *const lives[] = {
		"temporary", "<4kB", "<64kB", "<1MB", "<16MB", "<256MB", "<4GB", "longer",
	};
	const char *between = " (";

	for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		const struct table *t = &m->table;
		int c = columns_headed(t->columns, t->nr_columns, lives[i], false);
		int64_t n = c < 0 ? 0 : table_number(t, row, t->columns[c].source);

		if (n <= 0)
			continue;
		strbuf_str(out, between);
		human_count(out, (uint64_t)n);
		strbuf_fmt(out, " %s", lives[i]);
		between = ", ";
	}
	strbuf_str(out, *between == ',' ? ")" : "");
}

static void
put_share(struct matrix_view *m, enum pair_figure f, uint64_t n, struct strbuf *out)
{
	value_whole(out, figures[f].unit, n, VALUE_WIDE, draw_ascii());
	if (f == PAIR_BLOCKS)
		strbuf_str(out, n == 1 ? " block" : " blocks");
	strbuf_str(out, " (");
	human_percent(out, n, m->pairs.sums[f]);
	strbuf_str(out, "%)");
}

static void
put_facts(struct matrix_view *m, const struct pair_cell *cell, struct strbuf *out)
{
	const struct list_row *row = pair_row(m, cell->pair);

	put_share(m, PAIR_BLOCKS, cell->figures[PAIR_BLOCKS], out);
	strbuf_str(out, ", ");
	put_share(m, PAIR_BYTES, cell->figures[PAIR_BYTES], out);
	if (!row || m->pairs.sides[PAIR_COLUMNS].lines[cell->line[PAIR_COLUMNS]].how ==
		    DISPOSAL_NEVER)
		return;
	strbuf_str(out, ", lived ");
	put(m, row, "lived", CELL_WIDTH, out);
	strbuf_str(out, " on average");
	put_lives(m, row, out);
}

static void
draw_facts(struct view *v, const struct line *line)
{
	struct matrix_view *m = v->data;
	const struct pair_cell *cell = cell_at(m, v->cursor, m->column);
	struct strbuf text = STRBUF_INIT;

	if (cell)
		put_facts(m, cell, &text);
	else
		strbuf_str(&text, "nothing");
	line_text(line, 1, line->w - 2, ALIGN_LEFT, ROLE_TEXT, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

static struct heat
heat_of(struct view *v)
{
	const struct matrix_view *m = v->data;
	struct heat heat;

	/* Even steps begin at nothing. */
	heat_init(&heat, figures[m->shown].unit, v->browser->linear,
		  v->browser->linear ? 1 : m->pairs.least[m->shown], m->pairs.most[m->shown]);
	return heat;
}

static void
draw_legend(struct view *v, const struct line *line)
{
	const struct matrix_view *m = v->data;
	struct legend l = { .line = line, .width = line->w, .x0 = 1, .x = 1, .one_row = true };
	struct heat heat = heat_of(v);

	legend_add(&l, ROLE_TEXT, "", figures[m->shown].name);
	legend_add_heat(&l, &heat, false, draw_palette_now() <= PALETTE_FEW);
}

/* Appends the head of a column, its disposer, in the room of a cell. */
static void
put_head(struct matrix_view *m, size_t column, bool place, struct strbuf *out)
{
	const struct pair_line *by = line_at(m, PAIR_COLUMNS, column);
	const struct list_row *row = pair_row(m, by->pair);
	int64_t line = row ? table_number(&m->table, row, "by_line") : 0;

	if (by->how == DISPOSAL_NEVER) {
		strbuf_str(out, place ? "" : "never");
	} else if (!place && row) {
		put(m, row, ends[PAIR_COLUMNS].name, WIDTH_WHOLE, out);
		name_cut(out, CELL_WIDTH - 1, draw_glyph(GLYPH_DOTS));
	} else if (place) {
		strbuf_str(out, by->how == DISPOSAL_EXIT ? "exit" : by->how == DISPOSAL_REALLOC
			   ? "re" : "");
		if (line)
			strbuf_fmt(out, ":%lld", (long long)line);
	}
}

static void
draw_columns_head(struct view *v, bool place, const struct line *line)
{
	struct matrix_view *m = v->data;
	struct shape s = shape_of(v);
	struct strbuf text = STRBUF_INIT;

	if (!place) {
		line_text(line, LABEL_AT, s.label, ALIGN_LEFT, ROLE_HEAD, ends[PAIR_ROWS].name, -1);
		if (s.all)
			line_text(line, s.all, CELL_WIDTH - 1, ALIGN_RIGHT, ROLE_HEAD, "all", -1);
	}
	for (size_t i = 0; i < s.nr && m->left + i < columns(m); i++) {
		strbuf_clear(&text);
		put_head(m, m->left + i, place, &text);
		line_text(line, s.cells + (int)i * CELL_WIDTH, CELL_WIDTH - 1, ALIGN_RIGHT,
			  m->left + i == m->column ? ROLE_HEAD_SORT : ROLE_HEAD, text.buf,
			  (ptrdiff_t)text.len);
	}
	strbuf_release(&text);
}

static void
matrix_draw_head(struct view *v, int i, const struct line *line)
{
	enum head head = HEAD_ENDS;

	while (v->area.h < least_height[head] || i-- > 0)
		head++;
	if (head == HEAD_ENDS)
		draw_ends(v, line);
	else if (head == HEAD_FACTS)
		draw_facts(v, line);
	else if (head == HEAD_LEGEND)
		draw_legend(v, line);
	else
		draw_columns_head(v, head == HEAD_PLACES, line);
}

/* ---- cells ---- */

static void
draw_figure(struct matrix_view *m, const struct line *line, int x, enum role role,
	    const uint64_t *of)
{
	struct strbuf text = STRBUF_INIT;

	put_figure(m, of, &text);
	line_text(line, x, CELL_WIDTH - 1, ALIGN_RIGHT, role, text.buf, (ptrdiff_t)text.len);
	strbuf_release(&text);
}

static void
matrix_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct matrix_view *m = v->data;
	struct shape s = shape_of(v);
	struct heat heat = heat_of(v);
	struct strbuf label = STRBUF_INIT;

	put_line(m, PAIR_ROWS, row, s.label, &label);
	line_text(line, LABEL_AT, s.label, ALIGN_LEFT, ROLE_NAME, label.buf, (ptrdiff_t)label.len);
	strbuf_release(&label);
	if (s.all)
		draw_figure(m, line, s.all, ROLE_TEXT, line_at(m, PAIR_ROWS, row)->figures);
	for (size_t i = 0; i < s.nr && m->left + i < columns(m); i++) {
		const struct pair_cell *cell = cell_at(m, row, m->left + i);
		int x = s.cells + (int)i * CELL_WIDTH;

		if (cell) {
			enum role role = heat_role(&heat, 1, false, cell->figures[m->shown]);

			line_fill(line, x, CELL_WIDTH - 1, role, GLYPH_SPACE);
			draw_figure(m, line, x, role, cell->figures);
		}
		if (row == v->cursor && m->left + i == m->column)
			line_overlay(line, x, CELL_WIDTH - 1, OVERLAY_SELECT);
	}
}

static void
matrix_draw_foot(struct view *v, int i, const struct line *line)
{
	struct matrix_view *m = v->data;
	struct shape s = shape_of(v);

	(void)i;
	line_text(line, LABEL_AT, s.label, ALIGN_LEFT, ROLE_STRONG, "all", -1);
	if (s.all)
		draw_figure(m, line, s.all, ROLE_STRONG, m->pairs.sums);
	for (size_t k = 0; k < s.nr && m->left + k < columns(m); k++)
		draw_figure(m, line, s.cells + (int)k * CELL_WIDTH, ROLE_STRONG,
			    line_at(m, PAIR_COLUMNS, m->left + k)->figures);
}

static void
matrix_title(struct view *v, struct title *title)
{
	struct matrix_view *m = v->data;

	strbuf_fmt(&title->left, "who made and who freed: %s", figures[m->shown].name);
	if (compare_is_on(v->browser))
		strbuf_fmt(&title->left, ", only of %s",
			   sides_name(compare_side(&v->browser->compare, false)));
	if (m->reading)
		strbuf_fmt(&title->middle, "reading %u%%", job_percent(m->reading));
	else
		filter_describe(&m->table, &title->middle);
	if (!columns(m))
		return;
	human_count(&title->right, v->cursor + 1);
	strbuf_char(&title->right, '/');
	human_count(&title->right, matrix_rows(v));
	strbuf_fmt(&title->right, " %s ", draw_glyph(GLYPH_TIMES));
	human_count(&title->right, m->column + 1);
	strbuf_char(&title->right, '/');
	human_count(&title->right, columns(m));
}

static void
matrix_empty(struct view *v, struct strbuf *out)
{
	const struct matrix_view *m = v->data;
	const char *error = profile_error(v->browser->profile);

	if (!error && !m->reading && table_is_restricted(&m->table))
		filter_explain(&m->table, out);
	else
		strbuf_fmt(out, "%s\n", error ? error : m->reading ? "Not read yet."
								   : "Nothing was allocated.");
}

/* ---- keys ---- */

/* Goes to the source of one end. */
static unsigned
go_to_end(struct view *v, enum pair_side side)
{
	struct matrix_view *m = v->data;
	struct browser *b = v->browser;
	size_t i = side == PAIR_ROWS ? v->cursor : m->column;
	const struct list_row *row = pair_row(m, line_at(m, side, i)->pair);
	struct target target = { .procedure = { .id = 0 } };

	if (row && side == PAIR_COLUMNS)
		target.place = table_disposer_place(&m->table, row);
	else if (row)
		target.place = table_place(&m->table, row);
	if (!target.place.file) {
		browser_say(b, ROLE_MESSAGE, side == PAIR_COLUMNS
			    ? "it is not known where these were given back"
			    : "it is not known where these were made");
		return EFFECT_DONE;
	}
	target.procedure.id = line_at(m, side, i)->procedure;
	browser_pop(b); /* V is gone */
	disposals_leave(b);
	return browser_go(b, &target, true);
}

/* Cells show the other figure; the cursor stays on its pair. */
static unsigned
next_figure(struct view *v)
{
	struct matrix_view *m = v->data;
	uint32_t row = line_number(m, PAIR_ROWS, v->cursor);
	uint32_t column = line_number(m, PAIR_COLUMNS, m->column);

	m->shown = (m->shown + 1) % NR_PAIR_FIGURES;
	go_to_lines(v, row, column);
	return EFFECT_DONE | EFFECT_MOVED;
}

/* Back to the list, on this pair or on one of the row. */
static unsigned
open_list(struct view *v)
{
	struct matrix_view *m = v->data;
	struct browser *b = v->browser;
	const struct pair_cell *cell = cell_at(m, v->cursor, m->column);
	model_id pair = cell ? cell->pair : line_at(m, PAIR_ROWS, v->cursor)->pair;

	browser_pop(b); /* V is gone */
	return disposals_show_pair(b, pair);
}

static unsigned
move_to_column(struct view *v, size_t column)
{
	struct matrix_view *m = v->data;

	m->column = column;
	show_column(v);
	return EFFECT_DONE;
}

static unsigned
matrix_act(struct view *v, enum action action, size_t count)
{
	struct matrix_view *m = v->data;
	size_t by = count ? count : 1;

	if (!columns(m))
		return EFFECT_REFUSED;
	switch (action) {
	case ACTION_OPEN:
		return go_to_end(v, PAIR_ROWS);
	case ACTION_FREED_AT:
		return go_to_end(v, PAIR_COLUMNS);
	case ACTION_MATRIX:
		return open_list(v);
	case ACTION_MATRIX_CELLS:
		return next_figure(v);
	case ACTION_SCROLL_LEFT:
		return move_to_column(v, m->column > by ? m->column - by : 0);
	case ACTION_SCROLL_RIGHT:
		return move_to_column(v, m->column + by);
	case ACTION_SCROLL_BEGIN:
		return move_to_column(v, 0);
	case ACTION_SCROLL_END:
		return move_to_column(v, columns(m) - 1);
	default:
		return EFFECT_REFUSED;
	}
}

/* Puts the cursor on the column at X of the view. */
static void
pick_column(struct view *v, int x)
{
	struct matrix_view *m = v->data;
	struct shape s = shape_of(v);
	size_t i = x < s.cells ? SIZE_MAX : (size_t)((x - s.cells) / CELL_WIDTH);

	if (i < s.nr && m->left + i < columns(m))
		m->column = m->left + i;
}

static void
matrix_pick(struct view *v, size_t row, int x)
{
	pick_column(v, x);
	view_move_to(v, row);
}

static unsigned
matrix_click(struct view *v, int head, int x)
{
	(void)head;
	pick_column(v, x);
	return EFFECT_DONE;
}

/* ---- as text ---- */

enum { MOST_WRITTEN = 4000000 /* cells, empty ones too */ };

static void
write_cell(struct matrix_view *m, const uint64_t *of, FILE *out)
{
	struct strbuf text = STRBUF_INIT;

	if (of)
		put_figure(m, of, &text);
	fprintf(out, "%*s%s", CELL_WIDTH + 1 - safe_width(text.buf, text.len), "", text.buf);
	strbuf_release(&text);
}

static void
write_text(const char *s, size_t n, int width, bool right, FILE *out)
{
	struct strbuf safe = STRBUF_INIT;
	int pad = width - safe_fit(&safe, s, n, width);

	fprintf(out, "%*s%s%*s", right ? pad : 0, "", safe.buf, right ? 0 : pad, "");
	strbuf_release(&safe);
}

static void
write_heads(struct matrix_view *m, bool place, FILE *out)
{
	struct strbuf text = STRBUF_INIT;
	const char *rows = place ? "" : ends[PAIR_ROWS].name, *all = place ? "" : "all";

	write_text(rows, strlen(rows), MOST_LABEL, false, out);
	write_text(all, strlen(all), CELL_WIDTH + 1, true, out);
	for (size_t i = 0; i < columns(m); i++) {
		strbuf_clear(&text);
		put_head(m, i, place, &text);
		write_text(text.buf, text.len, CELL_WIDTH + 1, true, out);
	}
	fputc('\n', out);
	strbuf_release(&text);
}

static int
matrix_write(struct view *v, FILE *out, struct error *err)
{
	struct matrix_view *m = v->data;
	struct strbuf label = STRBUF_INIT;

	read_on(v, 0);
	if ((double)matrix_rows(v) * (double)columns(m) > MOST_WRITTEN)
		return error_set(err, "too many cells: the list has the same in fewer lines");
	write_heads(m, false, out);
	write_heads(m, true, out);
	for (size_t row = 0; row < matrix_rows(v); row++) {
		strbuf_clear(&label);
		put_line(m, PAIR_ROWS, row, MOST_LABEL, &label);
		write_text(label.buf, label.len, MOST_LABEL, false, out);
		write_cell(m, line_at(m, PAIR_ROWS, row)->figures, out);
		for (size_t i = 0; i < columns(m); i++) {
			const struct pair_cell *cell = cell_at(m, row, i);

			write_cell(m, cell ? cell->figures : NULL, out);
		}
		fputc('\n', out);
	}
	strbuf_release(&label);
	return 0;
}

/* ---- the view ---- */

static void
matrix_resize(struct view *v)
{
	show_column(v);
}

static void
matrix_close(struct view *v)
{
	struct matrix_view *m = v->data;

	busy_drop(&m->reading);
	pair_matrix_release(&m->pairs);
	table_release(&m->table);
	free(m);
}

static const struct view_ops matrix_ops = {
	.name = "matrix",
	.keymap = KEYMAP_MATRIX,
	.cursor = CURSOR_MARK,
	.close = matrix_close,
	.resize = matrix_resize,
	.rows = matrix_rows,
	.head_lines = matrix_head_lines,
	.draw_head = matrix_draw_head,
	.foot_lines = matrix_foot_lines,
	.draw_foot = matrix_draw_foot,
	.draw_row = matrix_draw_row,
	.title = matrix_title,
	.row_text = matrix_row_text,
	.empty = matrix_empty,
	.act = matrix_act,
	.click = matrix_click,
	.pick = matrix_pick,
	.try_write = matrix_write,
	.idle = matrix_idle,
};

struct view *
matrix_new(struct browser *b, const struct restrict_to *to, model_id pair)
{
	struct matrix_view *m = xcalloc(1, sizeof(*m));
	struct view *v = view_new(&matrix_ops, b, m);
	struct list_query q = { .kind = LIST_PAIR };

	table_init(&m->table, b, &table_kinds[LIST_PAIR]);
	restrict_copy(&m->table.to, to);
	restrict_query(&m->table.to, b->profile, &q);
	m->table.listing = listing_begin(b->profile, &q);
	m->wanted = pair;
	m->reading = job_new(read_pairs, m);
	if (read_on(v, SLICE_KEY))
		begin_at(v);
	return v;
}
