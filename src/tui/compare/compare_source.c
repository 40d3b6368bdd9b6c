/* A source text in a comparison: shows the figures of both profiles beside each line, and in
 * colours how much more or less is done there. */
#include <math.h>
#include <string.h>

#include "show/columns.h"
#include "show/value.h"
#include "tui/browser.h"
#include "tui/compare/compare_source.h"
#include "util/text/safe.h"

int
compare_cells(const struct browser *b, int width, struct source_cell *cells)
{
	enum { NARROW = 110, LEAST = 72 };
	bool narrow = width < NARROW;
	int side = narrow ? 8 : 13, nr = 0;

	if (width >= LEAST) {
		cells[nr++] = (struct source_cell){ sides_name(0), side, NULL, CELL_A };
		cells[nr++] = (struct source_cell){ sides_name(b->compare.nr - 1), side, NULL,
						    CELL_B };
	}
	cells[nr++] = (struct source_cell){ "result", narrow ? 9 : 14, NULL, CELL_RESULT };
	return nr;
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
compare_print_cell(struct browser *b, const struct source_cell *cell,
		   const struct compare_value *v, struct strbuf *out, enum role *role)
{
	const struct compare_kind *k = compare_kind(b, BY_LINE);
	const struct scalar_value *side = cell->of == CELL_A ? &v->a : &v->b;

	*role = ROLE_TEXT;
	if (cell->of == CELL_RESULT) {
		*role = compare_text_role(b, k, v->heat, v->unsure);
		if (!isnan(v->value) && v->value != 0)
			value_real(out, k->unit, v->value, cell->width, VALUE_SIGNED,
				   draw_ascii());
	} else if (side->type != SCALAR_NULL) {
		value_print(out, figure_unit(cell->of == CELL_A ? k->of_a : k->of_b), side,
			    cell->width, VALUE_PLAIN, draw_ascii());
	}
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
	enum role role = compare_role(b, k, v->heat, v->unsure);

	return role == ROLE_COLD && figure_unit(k->figure) == UNIT_COUNT && never(v) ? ROLE_NEVER
										      : role;
}

struct compare_marks {
	struct browser *b;
	const struct compare_kind *k;
	const struct compare_value *values;
	size_t at, nr;
	enum role line;          /* of the line, if it is on both sides: else ROLE_NO_CODE */
};

static bool
is_on_both(const struct compare_value *v)
{
	return v->a.type != SCALAR_NULL && v->b.type != SCALAR_NULL;
}

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
	/* What is new in a line that was there before does not tell that more was done: what it
	 * replaces is nowhere in this text. */
	if (c->line != ROLE_NO_CODE && !is_on_both(v))
		m->role = c->line;
	return true;
}

void
compare_paint(struct browser *b, const struct compare_source *s, struct painted *vis,
	      uint32_t line)
{
	const struct compare_value *whole = compare_value_of_line(b, s, line);
	enum role role = whole ? role_of_value(b, compare_kind(b, BY_LINE), whole) : ROLE_NO_CODE;
	struct compare_marks marks = {
		.b = b, .k = compare_kind(b, BY_RANGE),
		.line = whole && is_on_both(whole) && !b->compare.series ? role : ROLE_NO_CODE,
	};

	marks.values = compare_values(b, BY_RANGE, s, &marks.nr);
	paint_marks(vis, line, next_of_values, &marks, role);
}
