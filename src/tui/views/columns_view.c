/* The choice of columns: a list over the other panes, beside its table. */
#include <stdlib.h>
#include <string.h>

#include "tui/views.h"
#include "tui/views/table.h"
#include "util/text/safe.h"

struct columns {
	struct view *under;  /* the view of the table; below this one on the stack, or a pane */
	struct table *table;
};

static void
columns_close(struct view *v)
{
	free(v->data);
}

/* Returns how many are in the list: most profiles have one run, and nothing in the many columns
 * that compare several. */
static int
listed(const struct table *t)
{
	int nr = t->nr_columns;

	while (nr && t->columns[nr - 1].needs == NEEDS_SEVERAL && !table_column_known(t, nr - 1))
		nr--;
	return nr;
}

static size_t
columns_rows(struct view *v)
{
	struct columns *c = v->data;

	return (size_t)listed(c->table);
}

static void
columns_title(struct view *v, struct title *title)
{
	struct columns *c = v->data;

	strbuf_fmt(&title->left, "columns of %s", c->table->kind->name);
	strbuf_str(&title->right, "in the order of the table");
}

/* Returns why a column that is wanted is not there. */
static const char *
absence(const struct table *t, int i)
{
	if (!table_column_known(t, i))
		return t->kind->list == LIST_COMPARISON ? "empty in all rows"
							: "nothing in this profile";
	if (!t->layout[i].shown && t->choice->show[t->choice->order[i]] == SHOW_WITH_ROOM)
		return "no room";
	return "";
}

enum { BOX_AT = 2, NAME_AT = 6, NAME_WIDTH = 14, MOST_NAME_WIDTH = 24, LEAST_HELP = 20 };

/* Names of measures may be long. */
static int
name_width(const struct table *t)
{
	int width = NAME_WIDTH;

	for (int i = 0; i < listed(t); i++) {
		const char *name = column_name(&t->columns[i]);
		int w = safe_width(name, strlen(name)) + 2;

		width = w > width ? w : width;
	}
	return width < MOST_NAME_WIDTH ? width : MOST_NAME_WIDTH;
}

static void
columns_draw_row(struct view *v, size_t row, const struct line *line)
{
	struct columns *c = v->data;
	const struct table *t = c->table;
	const struct column *column = &t->columns[row];
	bool shown = t->layout[row].shown, sorted = (int)row == t->sort;
	const char *why = absence(t, (int)row);
	int names = name_width(t), x = NAME_AT + names, room = line->w - x - 1;
	int why_width = (int)strlen(why);
	const char *arrow = draw_glyph(t->query.descending != !!(column->flags & COLUMN_INVERSE)
				       ? GLYPH_DOWN : GLYPH_UP);

	if (table_column_known(t, (int)row))
		line_text(line, BOX_AT, 3, ALIGN_LEFT, ROLE_TEXT,
			  shown ? "[x]" : *why ? "[-]" : "[ ]", -1);
	line_text(line, NAME_AT, names - 2, ALIGN_LEFT, shown ? ROLE_STRONG : ROLE_DIM,
		  column_name(column), -1);
	if (sorted)
		line_text(line, NAME_AT + safe_width(column_name(column),
						     strlen(column_name(column))),
			  1, ALIGN_LEFT, ROLE_HEAD_SORT, arrow, -1);
	if (why_width && room > why_width + LEAST_HELP) {
		line_text(line, x + room - why_width, why_width, ALIGN_LEFT, ROLE_DIM, why, -1);
		room -= why_width + 2;
	}
	line_text(line, x, room, ALIGN_LEFT, shown ? ROLE_TEXT : ROLE_DIM, column->help, -1);
}

static void
columns_row_text(struct view *v, size_t row, struct strbuf *out)
{
	struct columns *c = v->data;
	const struct column *column = &c->table->columns[row];

	strbuf_fmt(out, "%s\n%s\n", column_name(column), column->help);
}

static void
columns_write(struct view *v, FILE *out)
{
	struct columns *c = v->data;
	const struct table *t = c->table;
	int i;

	for (i = 0; i < listed(t); i++)
		fprintf(out, "[%c] %-12s %s\n", t->layout[i].shown ? 'x' : ' ',
			column_name(&t->columns[i]), t->columns[i].help);
}

/* ---- actions ---- */

static unsigned
applied(struct columns *c)
{
	table_take_columns(c->table);
	table_columns_chosen(c->under, c->table);
	return EFFECT_DONE;
}

static unsigned
toggle(struct view *v)
{
	struct columns *c = v->data;
	struct table *t = c->table;
	unsigned char *show = &t->choice->show[t->choice->order[v->cursor]];

	if ((int)v->cursor == t->sort && t->layout[v->cursor].shown) {
		browser_say(v->browser, ROLE_MESSAGE, "rows are sorted by %s: it stays",
			    column_name(&t->columns[v->cursor]));
		return EFFECT_DONE;
	}
	*show = t->layout[v->cursor].shown ? SHOW_NEVER : SHOW_ALWAYS;
	if (!table_column_known(t, (int)v->cursor))
		browser_say(v->browser, ROLE_MESSAGE, "%s nothing to show under %s",
			    t->kind->list == LIST_COMPARISON ? "these rows have"
							     : "this profile has",
			    column_name(&t->columns[v->cursor]));
	return applied(c);
}

static unsigned
move(struct view *v, int by)
{
	struct columns *c = v->data;
	struct column_choice *choice = c->table->choice;
	size_t to = v->cursor + (size_t)by;
	unsigned char moved = choice->order[v->cursor];

	if (to >= columns_rows(v))
		return EFFECT_DONE;
	choice->order[v->cursor] = choice->order[to];
	choice->order[to] = moved;
	applied(c);
	view_move_to(v, to);
	return EFFECT_DONE;
}

static unsigned
reset(struct view *v)
{
	struct columns *c = v->data;

	column_choice_reset(c->table->choice);
	browser_say(v->browser, ROLE_MESSAGE, "the columns are as they were at the beginning");
	return applied(c);
}

static unsigned
sort(struct view *v, bool reverse)
{
	struct columns *c = v->data;
	struct table *t = c->table;

	if (reverse)
		return table_act(c->under, t, ACTION_SORT_REVERSE, 0) & ~(unsigned)EFFECT_MOVED;
	if (!t->columns[v->cursor].source) {
		browser_say(v->browser, ROLE_MESSAGE, "there is no order in this column");
		return EFFECT_DONE;
	}
	return table_sort(c->under, t, (int)v->cursor) & ~(unsigned)EFFECT_MOVED;
}

static unsigned
columns_act(struct view *v, enum action action, size_t count)
{
	(void)count;
	switch (action) {
	case ACTION_COLUMN_TOGGLE:
		return toggle(v);
	case ACTION_COLUMN_LATER:
		return move(v, 1);
	case ACTION_COLUMN_EARLIER:
		return move(v, -1);
	case ACTION_COLUMN_RESET:
		return reset(v);
	case ACTION_SORT:
	case ACTION_SORT_REVERSE:
		return sort(v, action == ACTION_SORT_REVERSE);
	case ACTION_COLUMNS:
		return browser_pop(v->browser);
	default:
		return EFFECT_REFUSED;
	}
}

static const struct view_ops columns_ops = {
	.name = "columns",
	.keymap = KEYMAP_COLUMNS,
	.popup = true,
	.close = columns_close,
	.rows = columns_rows,
	.draw_row = columns_draw_row,
	.title = columns_title,
	.row_text = columns_row_text,
	.act = columns_act,
	.write = columns_write,
};

struct view *
columns_new(struct view *under, struct table *t)
{
	struct columns *c = xcalloc(1, sizeof(*c));

	c->under = under;
	c->table = t;
	return view_new(&columns_ops, t->browser, c);
}
