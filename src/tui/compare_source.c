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

/* The value of a line as a whole. */
static const struct compare_value *
value_of_line(struct browser *b, const struct compare_source *s, uint32_t line)
{
	size_t nr;
	const struct compare_value *v = compare_values(b, BY_LINE, s, &nr);

	for (size_t i = 0; i < nr && v[i].place.line <= line; i++)
		if (v[i].place.line == line)
			return &v[i];
	return NULL;
}

static void
print_side(struct strbuf *out, const struct compare_kind *k, const struct scalar_value *v,
	   int width)
{
	if (v->type != SCALAR_NULL)
		value_print(out, figure_unit(k->figure), v, width, VALUE_PLAIN, draw_ascii());
}

/* Cell I of a line: a, b, result. */
static void
print_cell(struct strbuf *out, const struct compare_kind *k, const struct compare_value *v, int i,
	   int width)
{
	if (i == 2 && !isnan(v->value) && v->value != 0)
		value_real(out, k->unit, v->value, width, VALUE_SIGNED, draw_ascii());
	else if (i < 2)
		print_side(out, k, i ? &v->b : &v->a, width);
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
	const struct compare_value *v = value_of_line(b, s, lineno);
	struct strbuf cell = STRBUF_INIT;
	int w[3];

	widths(NARROW, w);
	for (int i = 0; i < 3; i++) {
		strbuf_clear(&cell);
		if (v)
			print_cell(&cell, k, v, i, w[i]);
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
	const struct compare_value *v = value_of_line(b, s, lineno);
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
		print_cell(&text, k, v, i, w[i]);
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

static void
paint_value(struct browser *b, const struct compare_kind *k, struct painted *vis,
	    const struct compare_value *v, uint32_t line)
{
	enum role role = compare_role(b, k, v->value, v->unsure);
	size_t from, end;

	if (v->kind == RANGE_PROCEDURE && line != v->place.line)
		return;
	paint_extent(vis, &v->place, line, &from, &end);
	if (v->kind == RANGE_PROCEDURE)
		end = paint_end_of_name(vis, from);
	if (role == ROLE_COLD && figure_unit(k->figure) == UNIT_COUNT && never(v))
		role = ROLE_NEVER;
	paint_bytes(vis->role, vis, from, end, (uint8_t)role);
}

void
compare_paint(struct browser *b, const struct compare_source *s, struct painted *vis,
	      uint32_t line)
{
	size_t nr, painted = 0;
	const struct compare_value *v = compare_values(b, BY_RANGE, s, &nr);
	struct compare_kind *k = compare_kind(b, BY_RANGE);

	memset(vis->role, ROLE_NO_CODE, vis->to - vis->from);
	for (size_t i = 0; i < nr && v[i].place.line <= line; i++) {
		if (v[i].place.end_line < line || v[i].kind == RANGE_MACRO_DEFINITION)
			continue;
		paint_value(b, k, vis, &v[i], line);
		painted++;
	}
	if (painted)
		return;
	/* Without ranges the line as a whole, from its first character to the last. */
	v = value_of_line(b, s, line);
	if (v) {
		struct compare_value whole = *v;

		whole.place.line = 0;
		whole.place.end_column = 0;
		paint_value(b, compare_kind(b, BY_LINE), vis, &whole, line);
	}
}
