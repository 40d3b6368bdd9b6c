/* The menu of expressions that have a name. */
#include <stdlib.h>
#include <string.h>

#include "tui/browser.h"
#include "tui/views.h"

enum { NAME_AT = 2, NAME_WIDTH = 14, TEXT_AT = 17 };

static size_t
expressions_rows(struct view *v)
{
	size_t nr = 0;

	(void)v;
	while (expression_named(nr))
		nr++;
	return nr;
}

static void
expressions_draw_head(struct view *v, int i, const struct line *line)
{
	(void)v;
	(void)i;
	line_text(line, NAME_AT, NAME_WIDTH, ALIGN_LEFT, ROLE_HEAD, "name", -1);
	line_text(line, TEXT_AT, line->w - TEXT_AT, ALIGN_LEFT, ROLE_HEAD, "what it tells", -1);
	if (line->w >= 100)
		line_text(line, line->w / 2 + 8, line->w / 2 - 9, ALIGN_LEFT, ROLE_HEAD,
			  "expression", -1);
}

static void
expressions_draw_row(struct view *v, size_t row, const struct line *line)
{
	const struct named_expression *n = expression_named(row);
	int room = line->w >= 100 ? line->w / 2 + 6 - TEXT_AT : line->w - TEXT_AT - 1;

	(void)v;
	if (!n)
		return;
	line_text(line, NAME_AT, NAME_WIDTH, ALIGN_LEFT, ROLE_NAME, n->name, -1);
	line_text(line, TEXT_AT, room, ALIGN_LEFT, ROLE_TEXT,
		  *n->help ? n->help : n->expression, -1);
	if (line->w >= 100)
		line_text(line, line->w / 2 + 8, line->w / 2 - 9, ALIGN_LEFT, ROLE_DIM,
			  n->expression, -1);
}

static void
expressions_row_text(struct view *v, size_t row, struct strbuf *out)
{
	const struct named_expression *n = expression_named(row);

	(void)v;
	if (n)
		strbuf_fmt(out, "%s\n%s\n%s", n->name, n->help, n->expression);
}

static void
expressions_title(struct view *v, struct title *title)
{
	const struct named_expression *n = expression_named(v->cursor);

	strbuf_str(&title->left, "expressions");
	if (n)
		strbuf_str(&title->right, n->expression);
}

static unsigned
expressions_act(struct view *v, enum action action, size_t count)
{
	const struct named_expression *n = expression_named(v->cursor);
	struct browser *b = v->browser;

	(void)count;
	if (action != ACTION_OPEN)
		return EFFECT_REFUSED;
	browser_pop(b); /* V is gone */
	return (n ? compare_command(b, n->name) : EFFECT_DONE) | EFFECT_LAYOUT;
}

static void
expressions_write(struct view *v, FILE *out)
{
	const struct named_expression *n;

	(void)v;
	for (size_t i = 0; (n = expression_named(i)); i++)
		fprintf(out, "%s\t%s\t%s\n", n->name, n->expression, n->help);
}

static const struct view_ops expressions_ops = {
	.name = "expressions",
	.keymap = KEYMAP_EXPRESSIONS,
	.popup = true,
	.rows = expressions_rows,
	.head_lines = view_one_head_line,
	.draw_head = expressions_draw_head,
	.draw_row = expressions_draw_row,
	.title = expressions_title,
	.row_text = expressions_row_text,
	.act = expressions_act,
	.write = expressions_write,
};

/* The cursor begins on the one in force. */
struct view *
expressions_new(struct browser *b)
{
	struct view *v = view_new(&expressions_ops, b, NULL);
	const char *named = b->compare.expression;
	const char *now = b->compare.kinds[compare_by_shown(b)].expression;
	const struct named_expression *n;

	for (size_t i = 0; (n = expression_named(i)); i++)
		if ((named && !strcmp(n->name, named)) || (now && !strcmp(n->expression, now)))
			v->cursor = i;
	return v;
}
