/* A source text in a comparison: the figures of both profiles beside each line, and in colours how
 * much more or less is done there. */
#include <math.h>
#include <string.h>

#include "show/columns.h"
#include "show/value.h"
#include "tui/browser.h"
#include "tui/compare_source.h"
#include "util/safe.h"

enum { NARROW = 110, LEAST = 72, MARGIN_AT = 3 };

/* A, b, result: their widths in a pane of WIDTH columns, 0: not there. */
static void
widths(int width, int w[3])
{
	w[0] = w[1] = width < LEAST ? 0 : width < NARROW ? 8 : 13;
	w[2] = width < NARROW ? 9 : 14;
}

int
compare_margin(int width)
{
	int w[3], sum = 0;

	widths(width, w);
	for (int i = 0; i < 3; i++)
		sum += w[i] ? w[i] + 1 : 0;
	return sum;
}

static const char *
head_of(const struct browser *b, int i)
{
	return i == 2 ? "result" : compare_letter(i ? b->compare.nr - 1 : 0);
}

void
compare_draw_margin_head(const struct browser *b, const struct line *line, int width)
{
	int w[3], x = MARGIN_AT;

	widths(width, w);
	for (int i = 0; i < 3; i++) {
		if (!w[i])
			continue;
		line_text(line, x, w[i], ALIGN_RIGHT, ROLE_HEAD, head_of(b, i), -1);
		x += w[i] + 1;
	}
}

const struct compare_value *
compare_value_of_line(struct browser *b, const struct compare_source *s, uint32_t line)
{
	size_t nr;
	const struct compare_value *v = compare_values(b, BY_LINE, s, &nr);

	for (size_t i = 0; i < nr && v[i].place.line <= line; i++)
		if (v[i].place.line == line)
			return &v[i];
	return NULL;
}

void
compare_print_cell(struct strbuf *out, const struct compare_kind *k, const struct compare_value *v,
		   int i, int width)
{
	const struct scalar_value *side = i ? &v->b : &v->a;

	if (i == 2 && !isnan(v->value) && v->value != 0)
		value_real(out, k->unit, v->value, width, VALUE_SIGNED, draw_ascii());
	else if (i < 2 && side->type != SCALAR_NULL)
		value_print(out, figure_unit(k->figure), side, width, VALUE_PLAIN, draw_ascii());
}

void
compare_print_margin_head(const struct browser *b, struct strbuf *out)
{
	int w[3];

	widths(NARROW, w);
	for (int i = 0; i < 3; i++) {
		strbuf_char(out, ' ');
		safe_put_right(out, head_of(b, i), strlen(head_of(b, i)), w[i]);
	}
}

void
compare_print_margin(struct browser *b, const struct compare_source *s, uint32_t lineno,
		     struct strbuf *out)
{
	const struct compare_kind *k = compare_kind(b, BY_LINE);
	const struct compare_value *v = compare_value_of_line(b, s, lineno);
	struct strbuf cell = STRBUF_INIT;
	int w[3];

	widths(NARROW, w);
	for (int i = 0; i < 3; i++) {
		strbuf_clear(&cell);
		if (v)
			compare_print_cell(&cell, k, v, i, w[i]);
		strbuf_char(out, ' ');
		safe_put_right(out, cell.buf, cell.len, w[i]);
	}
	strbuf_release(&cell);
}

void
compare_draw_margin(struct browser *b, const struct compare_source *s, uint32_t lineno,
		    const struct line *line, int width)
{
	struct compare_kind *k = compare_kind(b, BY_LINE);
	const struct compare_value *v = compare_value_of_line(b, s, lineno);
	struct strbuf text = STRBUF_INIT;
	enum role role;
	int w[3], x = MARGIN_AT, level;

	if (!v)
		return;
	widths(width, w);
	level = compare_level(b, k, v->value);
	role = compare_role(b, k, v->value, v->unsure);
	line_text(line, 1, 1, ALIGN_LEFT, role == ROLE_UNSURE ? ROLE_DIM : level < 0 ? ROLE_PLACE
									  : ROLE_BAR,
		  !level ? "" : draw_glyph(level < 0 ? GLYPH_DOWN : GLYPH_UP), -1);
	for (int i = 0; i < 3; i++) {
		if (!w[i])
			continue;
		strbuf_clear(&text);
		compare_print_cell(&text, k, v, i, w[i]);
		line_text(line, x, w[i], ALIGN_RIGHT, i < 2 ? ROLE_TEXT
						      : role == ROLE_COLD ? ROLE_DIM : role,
			  text.buf, -1);
		x += w[i] + 1;
	}
	strbuf_release(&text);
}

const char *
compare_line_mark(struct browser *b, const struct compare_source *s, uint32_t line,
		  enum role *role)
{
	enum compare_mark mark;

	compare_other_line(b, s->file, line, &mark);
	*role = mark == CHANGED_TEXT ? ROLE_ESTIMATE : ROLE_STRONG;
	if (mark == SAME_TEXT || mark == NOT_KNOWN_YET)
		return "";
	return mark == CHANGED_TEXT ? "~" : s->file.first ? "-" : "+";
}

static bool
never(const struct compare_value *v)
{
	double a = scalar_number(&v->a), b = scalar_number(&v->b);

	return !(a > 0) && !(b > 0);
}

static enum role
role_of_value(struct browser *b, const struct compare_kind *k, const struct compare_value *v)
{
	enum role role = compare_role(b, k, v->value, v->unsure);

	return role == ROLE_COLD && figure_unit(k->figure) == UNIT_COUNT && never(v) ? ROLE_NEVER
										      : role;
}

struct compare_marks {
	struct browser *b;
	const struct compare_kind *k;
	const struct compare_value *values;
	size_t at, nr;
};

static bool
next_of_values(void *context, struct paint_mark *m)
{
	struct compare_marks *c = context;
	const struct compare_value *v;

	while (c->at < c->nr && c->values[c->at].kind == RANGE_MACRO_DEFINITION)
		c->at++;
	if (c->at == c->nr)
		return false;
	v = &c->values[c->at++];
	*m = (struct paint_mark){ v->place, v->kind == RANGE_PROCEDURE, false,
				  role_of_value(c->b, c->k, v) };
	return true;
}

void
compare_paint(struct browser *b, const struct compare_source *s, struct painted *vis,
	      uint32_t line)
{
	const struct compare_value *whole = compare_value_of_line(b, s, line);
	struct compare_marks marks = { .b = b, .k = compare_kind(b, BY_RANGE) };

	marks.values = compare_values(b, BY_RANGE, s, &marks.nr);
	paint_marks(vis, line, next_of_values, &marks,
		    whole ? role_of_value(b, compare_kind(b, BY_LINE), whole) : ROLE_NO_CODE);
}
