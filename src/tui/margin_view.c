/* Choosing the columns of the source's margin: the source shows them at once. */
#include "show/margin.h"
#include "tui/views.h"

/* How many of MARGIN_NR make sense: without looking for them there are no waiting times. */
static bool
makes_sense(const struct browser *b, int m)
{
	return m != MARGIN_WAIT || b->totals->run.wall_interval_ns;
}

/* The column of ROW; MARGIN_NR: none. */
static int
column_of(struct view *v, size_t row)
{
	int m;

	for (m = 0; m < MARGIN_NR; m++)
		if (makes_sense(v->browser, m) && !row--)
			break;
	return m;
}

static size_t
margin_rows(struct view *v)
{
	size_t nr = 0;

	for (int m = 0; m < MARGIN_NR; m++)
		nr += makes_sense(v->browser, m);
	return nr;
}

static void
margin_row_text(struct view *v, size_t row, struct strbuf *out)
{
	int m = column_of(v, row);

	strbuf_fmt(out, "%s  %s", margin_columns[m].name, margin_columns[m].help);
}

enum { NAME_WIDTH = 10 };

static void
margin_draw_row(struct view *v, size_t row, const struct line *line)
{
	int m = column_of(v, row);
	bool chosen = source_margins(v->browser->panes[PANE_SOURCE]) & 1u << m;

	line_text(line, 2, 3, ALIGN_LEFT, ROLE_KEY, chosen ? "[x]" : "[ ]", -1);
	line_text(line, 6, NAME_WIDTH, ALIGN_LEFT, chosen ? ROLE_STRONG : ROLE_TEXT,
		  margin_columns[m].name, -1);
	line_text(line, 6 + NAME_WIDTH, line->w - 6 - NAME_WIDTH, ALIGN_LEFT, ROLE_DIM,
		  margin_columns[m].help, -1);
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
		source_set_margins(source, margin_default(v->browser->totals));
	else if (action == ACTION_COLUMN_TOGGLE)
		source_set_margins(source,
				   source_margins(source) ^ 1u << column_of(v, v->cursor));
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
