/* Chooses the columns of the source's margin, which the source shows at once. */
#include <string.h>

#include "show/margin.h"
#include "tui/views.h"

/* Returns the column's number in ROW; all that there are: none. */
static int
number_of(struct view *v, size_t row)
{
	const struct margins *margins = &v->browser->margins;
	int m;

	for (m = 0; m < margins->nr; m++)
		if (margins->columns[m].metric->there && !row--)
			break;
	return m;
}

static const struct margin_column *
column_of(struct view *v, size_t row)
{
	return &v->browser->margins.columns[number_of(v, row)];
}

static size_t
margin_rows(struct view *v)
{
	size_t nr = 0;

	for (int m = 0; m < v->browser->margins.nr; m++)
		nr += v->browser->margins.columns[m].metric->there;
	return nr;
}

static void
margin_row_text(struct view *v, size_t row, struct strbuf *out)
{
	strbuf_fmt(out, "%s  %s", column_of(v, row)->name, column_of(v, row)->help);
}

/* Room for the longest name, and more. */
static int
name_width(const struct browser *b)
{
	int least = 10;

	for (int m = 0; m < b->margins.nr; m++) {
		int width = (int)strlen(b->margins.columns[m].name) + 2;

		if (b->margins.columns[m].metric->there && width > least)
			least = width;
	}
	return least;
}

static void
margin_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct margin_column *c = column_of(v, row);
	bool chosen = source_margins(v->browser->panes[PANE_SOURCE]) &
		      MARGIN_BIT(number_of(v, row));
	int width = name_width(v->browser);

	line_text(line, 2, 3, ALIGN_LEFT, ROLE_KEY, chosen ? "[x]" : "[ ]", -1);
	line_text(line, 6, width, ALIGN_LEFT, chosen ? ROLE_STRONG : ROLE_TEXT, c->name, -1);
	line_text(line, 6 + width, line->w - 6 - width, ALIGN_LEFT, ROLE_DIM, c->help, -1);
}

static void
margin_title(struct view *v, struct title *title)
{
	(void)v;
	strbuf_str(&title->left, "columns of the source");
}

static unsigned
margin_act(struct view *v, enum action action, size_t count)
{
	struct view *source = v->browser->panes[PANE_SOURCE];

	(void)count;
	if (action == ACTION_COLUMNS)
		return browser_pop(v->browser);
	if (action == ACTION_COLUMN_RESET)
		source_set_margins(source, margin_default(&v->browser->margins));
	else if (action == ACTION_COLUMN_TOGGLE)
		source_set_margins(source,
				   source_margins(source) ^ MARGIN_BIT(number_of(v, v->cursor)));
	else
		return EFFECT_REFUSED;
	return EFFECT_DONE;
}

static void
margin_write(struct view *v, FILE *out)
{
	struct strbuf s = STRBUF_INIT;

	for (size_t i = 0; i < margin_rows(v); i++) {
		strbuf_clear(&s);
		margin_row_text(v, i, &s);
		fprintf(out, "%s\n", s.buf);
	}
	strbuf_release(&s);
}

static const struct view_ops margin_ops = {
	.name = "margin",
	.keymap = KEYMAP_COLUMNS,
	.popup = true,
	.rows = margin_rows,
	.draw_row = margin_draw_row,
	.title = margin_title,
	.row_text = margin_row_text,
	.act = margin_act,
	.write = margin_write,
};

struct view *
margin_new(struct browser *b)
{
	return view_new(&margin_ops, b, NULL);
}
