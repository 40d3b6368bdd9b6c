/* The parts of an expression in the text: operands of && and ||, condition and arms of ?:, and what
 * stands in the head of a statement. */
#include "plugin.h"

/* Everything of the text that is not blank or comment between two points: first and last character.
 * FROM and TO are inclusive/exclusive. A parenthesis whose partner is outside ends it, or, SKIP of
 * them, come before it. */
static bool
trimmed(const char *file, int line, int column, int end_line, int end_column, struct place *out,
	int skip)
{
	struct cursor c;
	int ch, depth = 0;

	*out = place_none();
	if (!cursor_open(&c, file, line, column))
		return false;
	while (before(c.line, c.column, end_line, end_column)) {
		int at_line = c.line, at_column = c.column;

		ch = cursor_token(&c);
		if (ch == -1)
			break;
		if (is_blank(ch) || ch == '\\')
			continue;
		if (ch == '(' && skip > 0) {
			skip--;
			continue;
		}
		depth += ch == '(' ? 1 : ch == ')' ? -1 : 0;
		if (depth < 0)
			break;
		if (!out->file) {
			out->file = file;
			out->line = at_line;
			out->column = at_column;
		}
		out->end_line = c.last_line;
		out->end_column = c.last_column;
	}
	return out->file != NULL;
}

/* The parentheses that are open at the second of two points, but not at the first. */
static int
open_between(const char *file, int line, int column, int end_line, int end_column)
{
	struct cursor c;
	int ch, depth = 0;

	if (!cursor_open(&c, file, line, column))
		return 0;
	while (before(c.line, c.column, end_line, end_column) && (ch = cursor_token(&c)) != -1)
		depth += ch == '(' ? 1 : ch == ')' ? -1 : 0;
	return depth > 0 ? depth : 0;
}

/* Find what stands from the begin of WHOLE to a point, and from a point to its end. */
static bool
part_before(const struct place *whole, int line, int column, struct place *out)
{
	return trimmed(whole->file, whole->line, whole->column, line, column, out,
		       open_between(whole->file, whole->line, whole->column, line, column));
}

static bool
part_behind(const struct place *whole, int line, int column, struct place *out)
{
	return trimmed(whole->file, line, column, whole->end_line, whole->end_column + 1, out, 0);
}

/* `!(a || b)` is turned into `!a && !b` at the place of the `!`: the operator is in the last pair
 * of parentheses. */
static bool
find_negated(const struct place *whole, expanded_location *caret)
{
	struct cursor c;
	int ch, next, depth = 0, line = 0;

	if (!cursor_open(&c, caret->file, caret->line, caret->column) || cursor_next(&c) != '!')
		return false;
	while (!before(whole->end_line, whole->end_column, c.line, c.column) &&
	       (ch = cursor_token(&c)) != -1) {
		depth += ch == '(' ? 1 : ch == ')' ? -1 : 0;
		next = cursor_peek(&c);
		if (depth != 1 || (ch != '|' && ch != '&') || next != ch)
			continue;
		line = caret->line = c.last_line;
		caret->column = c.last_column;
		cursor_next(&c);
	}
	return line != 0;
}

static bool
whole_and_caret(location_t loc, struct place *whole, expanded_location *caret, bool *in_definition)
{
	bool from_macro;

	*in_definition = false;
	if (!place_of(loc, whole, &from_macro))
		return false;
	*caret = expand_location(loc);
	if (from_macro) {
		if (!place_in_text(loc, whole, in_definition))
			return false;
		*caret = api_spelling_point(LOCATION_LOCUS(loc));
	}
	return caret->file && !strcmp(caret->file, whole->file) &&
	       !before(caret->line, caret->column, whole->line, whole->column) &&
	       before(caret->line, caret->column, whole->end_line, whole->end_column);
}

bool
place_of_operands(location_t loc, int operator_length, struct place *first, struct place *second,
		  bool *in_definition)
{
	struct place whole;
	expanded_location caret;
	struct cursor c;

	if (!whole_and_caret(loc, &whole, &caret, in_definition) ||
	    !cursor_open(&c, caret.file, caret.line, caret.column))
		return false;
	if (cursor_peek(&c) == '!' && !find_negated(&whole, &caret))
		return false;
	if (cursor_peek(&c) == '!')
		whole.line = c.line, whole.column = c.column + 1;
	return part_before(&whole, caret.line, caret.column, first) &&
	       part_behind(&whole, caret.line, caret.column + operator_length, second);
}

/* Position just behind the '?' that belongs to the ':' at COLON. */
static bool
question_mark(const struct place *whole, expanded_location colon, int *line, int *column)
{
	struct mark {
		int line, column, depth;
	};
	auto_vec<mark> open;
	struct cursor c;
	int ch, depth = 0;

	if (!cursor_open(&c, whole->file, whole->line, whole->column))
		return false;
	while (before(c.line, c.column, colon.line, colon.column)) {
		ch = cursor_token(&c);
		if (ch == -1)
			return false;
		if (ch == '(' || ch == '[' || ch == '{') {
			depth++;
		} else if (ch == ')' || ch == ']' || ch == '}') {
			depth--;
		} else if (ch == '?') {
			mark m = {c.line, c.column, depth};
			open.safe_push(m);
		} else if (ch == ':' && !open.is_empty() && open.last().depth == depth) {
			open.pop();
		}
	}
	if (open.is_empty() || open.last().depth != depth)
		return false;
	*line = open.last().line;
	*column = open.last().column;
	return true;
}

bool
place_of_arms(location_t loc, struct place *condition, struct place *first, struct place *second,
	      bool *in_definition)
{
	struct place whole;
	expanded_location caret;
	int line, column;

	return whole_and_caret(loc, &whole, &caret, in_definition) &&
	       question_mark(&whole, caret, &line, &column) &&
	       part_before(&whole, line, column - 1, condition) &&
	       trimmed(whole.file, line, column, caret.line, caret.column, first, 0) &&
	       part_behind(&whole, caret.line, caret.column + 1, second);
}

bool
place_of_condition(location_t loc, struct place *condition, bool *in_definition)
{
	struct place whole;
	expanded_location caret;
	struct cursor c;

	return whole_and_caret(loc, &whole, &caret, in_definition) &&
	       cursor_open(&c, caret.file, caret.line, caret.column) && cursor_peek(&c) == '?' &&
	       part_before(&whole, caret.line, caret.column, condition);
}

int
place_operator(location_t loc)
{
	struct place whole;
	expanded_location caret;
	bool in_definition;
	struct cursor c;
	int ch;

	if (!whole_and_caret(loc, &whole, &caret, &in_definition) ||
	    !cursor_open(&c, caret.file, caret.line, caret.column))
		return 0;
	if (cursor_peek(&c) == '!' &&
	    (!find_negated(&whole, &caret) ||
	     !cursor_open(&c, caret.file, caret.line, caret.column)))
		return 0;
	ch = cursor_peek(&c);
	return ch == 'a' ? '&' : ch == 'o' ? '|' : ch; /* C++: and, or */
}

void
place_take_head(struct place *place)
{
	struct cursor c;
	int ch;

	if (!cursor_open(&c, place->file, place->line, place->column))
		return;
	do
		ch = cursor_token(&c);
	while (is_word(ch) || is_blank(ch));
	if (ch == '(')
		trimmed(place->file, c.line, c.column, c.line + MAX_LINES, 1, place, 0);
}
