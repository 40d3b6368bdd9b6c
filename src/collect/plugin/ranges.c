/* From GCC's locations to places in the text that the programmer sees. */
#include "plugin.h"

/* PLACE begins with a word: let it end at that word's end or, if an argument list follows, at its
 * closing parenthesis. */
static void
extend_over_arguments(struct place *place)
{
	struct cursor c;
	int ch, depth = 0, limit;

	if (!cursor_open(&c, place->file, place->line, place->column) || !is_word(cursor_peek(&c)))
		return;
	while (is_word(cursor_peek(&c)))
		cursor_next(&c);
	place->end_line = c.last_line;
	place->end_column = c.last_column;
	limit = place->line + MAX_LINES;
	do
		ch = cursor_token(&c);
	while (is_blank(ch));
	if (ch != '(')
		return;
	for (depth = 1; depth && (ch = cursor_token(&c)) != -1 && c.line < limit;)
		depth += ch == '(' ? 1 : ch == ')' ? -1 : 0;
	if (depth == 0) {
		place->end_line = c.last_line;
		place->end_column = c.last_column;
	}
}

void
place_extend_over_goto(struct place *place)
{
	struct cursor c;
	int ch, limit = place->line + MAX_LINES;

	if (!cursor_open(&c, place->file, place->line, place->column) ||
	    c.length - c.column < 4 || strncmp(c.text + c.column - 1, "goto", 4))
		return;
	while ((ch = cursor_token(&c)) != -1 && ch != ';' && c.line < limit)
		if (!is_blank(ch)) {
			place->end_line = c.last_line;
			place->end_column = c.last_column;
		}
}

void
place_skip_parentheses(struct place *place)
{
	struct cursor c;
	int ch = '(';

	if (!cursor_open(&c, place->file, place->line, place->column))
		return;
	while (ch == '(' || is_blank(ch))
		ch = cursor_token(&c);
	if (ch != -1 && c.last_line <= place->end_line) {
		place->line = c.last_line;
		place->column = c.last_column;
	}
}

/* PLACE is the '(' of a condition, or the '{' of an initialiser: let it end at its partner. */
static void
extend_over_parentheses(struct place *place)
{
	struct cursor c;
	int ch, depth = 0, limit = place->line + MAX_LINES;

	if (!cursor_open(&c, place->file, place->line, place->column) ||
	    (cursor_peek(&c) != '(' && cursor_peek(&c) != '{'))
		return;
	do {
		ch = cursor_token(&c);
		depth += ch == '(' || ch == '{' ? 1 : ch == ')' || ch == '}' ? -1 : 0;
	} while (depth && ch != -1 && c.line < limit);
	if (depth == 0) {
		place->end_line = c.last_line;
		place->end_column = c.last_column;
	}
}

/* Up to the partner of the bracket that C is at. */
static bool
pass_brackets(struct cursor *c)
{
	int ch, depth = 0, limit = c->line + MAX_LINES;

	do {
		ch = cursor_token(c);
		depth += ch == '(' || ch == '[' || ch == '{'   ? 1
			 : ch == ')' || ch == ']' || ch == '}' ? -1
							       : 0;
	} while (depth && ch != -1 && c->line < limit);
	return depth == 0;
}

static void
pass_blanks(struct cursor *c)
{
	while (cursor_peek(c) == ' ' || cursor_peek(c) == '\t')
		cursor_next(c);
}

static void
pass_word(struct cursor *c)
{
	while (is_word(cursor_peek(c)))
		cursor_next(c);
}

/* Is the operator that C is at the prefix of an operand? False also when that is not certain. */
static bool
is_prefix(const struct cursor *c)
{
	int i = c->column - 2;

	while (i >= 0 && is_blank((unsigned char)c->text[i]))
		i--;
	return i >= 0 && strchr("(,;=!&|<>?:{}[~^%*", c->text[i]) &&
	       strchr("*-~!(", cursor_peek(c));
}

/* Casts and prefixes, then a name or something in parentheses. False if it is not clear where it
 * ends: (p) * q may be a product, and the cast of *q. */
static bool
pass_primary(struct cursor *c)
{
	struct cursor behind;

	for (;;) {
		while (cursor_peek(c) != '\n' && strchr("*-~!& \t", cursor_peek(c)))
			cursor_next(c);
		if (is_word(cursor_peek(c))) {
			pass_word(c);
			return true;
		}
		if (cursor_peek(c) != '(' || !pass_brackets(c))
			return false;
		behind = *c;
		pass_blanks(&behind);
		if (is_word(cursor_peek(&behind)) || c->text[c->column - 3] == '*')
			*c = behind;
		else
			return !strchr("*&+-", cursor_peek(&behind));
	}
}

/* Passes what stands behind a primary expression and belongs to it: an index, arguments, a
 * member. */
static bool
pass_suffix(struct cursor *c)
{
	struct cursor at = *c;
	int ch, next;

	pass_blanks(&at);
	ch = cursor_peek(&at);
	if (ch == '(' || ch == '[') {
		*c = at;
		return pass_brackets(c);
	}
	if (ch != '.' && ch != '-' && ch != '+')
		return false;
	cursor_next(&at);
	next = cursor_peek(&at);
	if (ch != '.' && next != ch && !(ch == '-' && next == '>'))
		return false;
	if (ch != '.')
		cursor_next(&at);
	pass_blanks(&at);
	if (next != ch && !is_word(cursor_peek(&at)))
		return false;
	if (next != ch)
		pass_word(&at);
	*c = at;
	return true;
}

/* PLACE is the first character of an expression that begins with prefixes or a cast: let it end
 * with their operand. The compiler tells no more of the condition `*p`, say. */
static void
extend_over_operand(struct place *place)
{
	struct cursor c;

	if (!cursor_open(&c, place->file, place->line, place->column) || !is_prefix(&c))
		return;
	if (!pass_primary(&c))
		return;
	while (pass_suffix(&c))
		;
	place->end_line = c.last_line;
	place->end_column = c.last_column;
}

void
place_extend_over_head(struct place *place)
{
	extend_over_arguments(place);
}

/* Up to the comma or semicolon that ends the declarator. */
void
place_extend_over_initialiser(struct place *place)
{
	struct cursor c;
	int ch, depth = 0, line = 0, column = 0, limit = place->line + MAX_LINES;
	bool assigned = false;

	if (!cursor_open(&c, place->file, place->line, place->column))
		return;
	while ((ch = cursor_token(&c)) != -1 && c.line < limit) {
		if (depth == 0 && (ch == ';' || ch == ',' || ch == ')'))
			break;
		depth += ch == '(' || ch == '[' || ch == '{'   ? 1
			 : ch == ')' || ch == ']' || ch == '}' ? -1
							       : 0;
		assigned = assigned || (ch == '=' && depth == 0);
		if (!is_blank(ch)) {
			line = c.last_line;
			column = c.last_column;
		}
	}
	if (ch == -1 || !assigned || !line)
		return;
	place->end_line = line;
	place->end_column = column;
}

/* ---- locations ---- */

static bool
reserved(location_t loc)
{
	return LOCATION_LOCUS(loc) == UNKNOWN_LOCATION || LOCATION_LOCUS(loc) == BUILTINS_LOCATION;
}

int
place_line_end(const char *file, int line)
{
	struct cursor c;

	return cursor_open(&c, file, line, 1) && c.length ? c.length : 1;
}

/* Start and end, both resolved as LRK tells; end >= start is not checked. */
static bool
resolve(location_t start, location_t end, enum location_resolution_kind lrk, struct place *place)
{
	const line_map_ordinary *map = NULL;
	location_t a = linemap_resolve_location(line_table, start, lrk, &map);
	expanded_location from = linemap_expand_location(line_table, map, a);
	location_t b = linemap_resolve_location(line_table, end, lrk, &map);
	expanded_location to = linemap_expand_location(line_table, map, b);

	if (!from.file || from.line <= 0 || from.column <= 0)
		return false;
	place->file = from.file;
	place->line = from.line;
	place->column = from.column;
	place->end_line = to.line;
	place->end_column = to.column ? to.column : place_line_end(to.file, to.line);
	return to.file && !strcmp(to.file, from.file);
}

static void
order(struct place *p)
{
	if (p->end_line < p->line || (p->end_line == p->line && p->end_column < p->column)) {
		p->end_line = p->line;
		p->end_column = p->column;
	}
}

static void
macro_use(location_t loc, struct place *place)
{
	resolve(loc, loc, LRK_MACRO_EXPANSION_POINT, place);
	extend_over_arguments(place);
}

bool
place_of(location_t loc, struct place *place, bool *from_macro)
{
	source_range r;

	*place = place_none();
	if (reserved(loc))
		return false;
	*from_macro = linemap_location_from_macro_expansion_p(line_table, LOCATION_LOCUS(loc));
	if (*from_macro) {
		macro_use(LOCATION_LOCUS(loc), place);
		return place->file != NULL;
	}
	r = api_range(loc);
	if (!resolve(r.m_start, r.m_finish, LRK_MACRO_EXPANSION_POINT, place)) {
		if (!place->file)
			return false;
		order(place);
	}
	order(place);
	if (linemap_location_from_macro_expansion_p(line_table, r.m_finish)) {
		struct place end =
			*place; /* the expression ends with a macro's use: take it whole */

		end.line = place->end_line;
		end.column = place->end_column;
		end.end_line = end.line;
		end.end_column = end.column;
		extend_over_arguments(&end);
		place->end_line = end.end_line;
		place->end_column = end.end_column;
	}
	if (place->line == place->end_line && place->column == place->end_column) {
		extend_over_arguments(place);
		extend_over_parentheses(place);
		extend_over_operand(place);
	}
	return true;
}

/* ---- code from macros ----
 *
 * The compiler knows for each token of an expansion where it is spelled, and what it stands for in
 * the definition: for a token of an argument the parameter's name. An expression whose operator is
 * a token of the definition stands in the definition; one whose operator is in an argument stands
 * there. */

static const line_map *
macro_of(location_t loc)
{
	const line_map *map = linemap_lookup(line_table, LOCATION_LOCUS(loc));

	return map && linemap_macro_expansion_map_p(map) ? map : NULL;
}

location_t
place_unwind(location_t loc)
{
	const line_map_macro *map = linemap_check_macro(macro_of(loc));

	return MACRO_MAP_LOCATIONS(map)[2 * (LOCATION_LOCUS(loc) - MAP_START_LOCATION(map))];
}

static bool
same_place(location_t loc, enum location_resolution_kind a, enum location_resolution_kind b)
{
	struct place pa, pb;

	return resolve(loc, loc, a, &pa) && resolve(loc, loc, b, &pb) && place_equal(&pa, &pb);
}

/* Returns the token of MACRO's own text that TOKEN stands for: for one that an inner macro expands
 * to, that macro's name. */
static location_t
token_in(location_t token, const line_map *macro)
{
	const line_map *map;

	token = LOCATION_LOCUS(token);
	while ((map = macro_of(token)) && map != macro)
		token = linemap_unwind_toward_expansion(line_table, token, &map);
	return map == macro ? token : UNKNOWN_LOCATION;
}

/* PLACE ends with the first character of its last token: let it end with the last one. A token of
 * an expansion has no end of its own. */
static void
take_last_token(struct place *place)
{
	struct cursor c;
	int ch;

	if (!cursor_open(&c, place->file, place->end_line, place->end_column))
		return;
	ch = cursor_token(&c);
	if (is_word(ch))
		while (is_word(cursor_peek(&c)) || (ISDIGIT(ch) && cursor_peek(&c) == '.'))
			cursor_next(&c);
	else if ((ch == '+' || ch == '-') && cursor_peek(&c) == ch)
		cursor_next(&c);
	place->end_line = c.last_line;
	place->end_column = c.last_column;
}

/* When PLACE ends with a macro's name: let it end with the macro's arguments. */
static void
take_last_use(struct place *place)
{
	struct place end = {place->file, place->end_line, place->end_column, place->end_line,
			    place->end_column};

	extend_over_arguments(&end);
	place->end_line = end.end_line;
	place->end_column = end.end_column;
}

/* An expression of a macro's definition, in the definition. */
static bool
place_in_body(source_range r, const line_map *macro, struct place *place)
{
	location_t start = token_in(r.m_start, macro), finish = token_in(r.m_finish, macro);

	if (start == UNKNOWN_LOCATION || finish == UNKNOWN_LOCATION ||
	    !resolve(start, finish, LRK_MACRO_DEFINITION_LOCATION, place))
		return false;
	if (finish != r.m_finish)
		take_last_use(place);
	else
		take_last_token(place);
	if (place->line == place->end_line && place->column == place->end_column)
		extend_over_parentheses(place);
	return true;
}

static bool
is_argument(location_t token)
{
	return !same_place(token, LRK_SPELLING_LOCATION, LRK_MACRO_DEFINITION_LOCATION);
}

/* An expression of an argument, without the parentheses that the definition has around it. The
 * tokens of an expansion have consecutive locations. */
static bool
trim_argument(source_range *r, location_t caret, const line_map *macro)
{
	if (macro_of(r->m_start) != macro || macro_of(r->m_finish) != macro || r->m_start > caret ||
	    r->m_finish < caret)
		return false;
	while (r->m_start < caret && !is_argument(r->m_start))
		r->m_start++;
	while (r->m_finish > caret && !is_argument(r->m_finish))
		r->m_finish--;
	return true;
}

/* From an argument to what the macro in it expands to. Around that the argument has padding. */
static void
unwind(source_range *r, location_t *caret)
{
	while (r->m_start < *caret && !macro_of(place_unwind(r->m_start)))
		r->m_start++;
	while (r->m_finish > *caret && !macro_of(place_unwind(r->m_finish)))
		r->m_finish--;
	r->m_start = place_unwind(r->m_start);
	r->m_finish = place_unwind(r->m_finish);
	*caret = place_unwind(*caret);
}

static bool
place_in_argument(source_range r, struct place *place)
{
	if (!resolve(r.m_start, r.m_finish, LRK_SPELLING_LOCATION, place))
		return false;
	take_last_token(place);
	return true;
}

bool
place_in_text(location_t loc, struct place *place, bool *in_definition)
{
	const line_map *macro = reserved(loc) ? NULL : macro_of(loc);
	location_t token = LOCATION_LOCUS(loc);
	struct place caret, use;
	source_range r;

	*place = place_none();
	if (!macro)
		return false;
	r = api_range(loc);
	*in_definition = true;
	while (is_argument(token)) {
		if (!trim_argument(&r, token, macro))
			return false;
		if (!macro_of(place_unwind(token)))
			break;
		unwind(&r, &token);
		macro = macro_of(token);
	}
	if (!is_argument(token)) {
		if (!place_in_body(r, macro, place))
			return false;
	} else if (!place_in_argument(r, place)) {
		return false;
	} else {
		macro_use(LOCATION_LOCUS(loc), &use);
		*in_definition = !place_contains(&use, place);
	}
	return resolve(token, token, LRK_SPELLING_LOCATION, &caret) &&
	       place_contains(place, &caret);
}

struct place
place_none(void)
{
	struct place p = {NULL, 0, 0, 0, 0};

	return p;
}

bool
place_contains(const struct place *outer, const struct place *inner)
{
	return outer->file && inner->file && !strcmp(outer->file, inner->file) &&
	       !before(inner->line, inner->column, outer->line, outer->column) &&
	       !before(outer->end_line, outer->end_column, inner->end_line, inner->end_column);
}

bool
place_equal(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->column == b->column && a->end_line == b->end_line &&
	       a->end_column == b->end_column && a->file && b->file && !strcmp(a->file, b->file);
}

/* What TOKEN was in MACRO's own text or arguments; itself, if it is from elsewhere. */
static location_t
unwind_into(location_t token, const line_map *macro)
{
	location_t at = LOCATION_LOCUS(token);

	while (macro_of(at) && macro_of(at) != macro)
		at = place_unwind(at);
	return macro_of(at) ? at : LOCATION_LOCUS(token);
}

bool
place_of_point(location_t loc, location_t of, bool in_definition, struct place *place)
{
	*place = place_none();
	if (reserved(loc))
		return false;
	of = LOCATION_LOCUS(of);
	while (in_definition && macro_of(of) && is_argument(of) && macro_of(place_unwind(of)))
		of = place_unwind(of);
	if (in_definition && macro_of(of))
		loc = unwind_into(loc, macro_of(of));
	return resolve(LOCATION_LOCUS(loc), LOCATION_LOCUS(loc),
		       in_definition ? LRK_MACRO_DEFINITION_LOCATION : LRK_SPELLING_LOCATION,
		       place);
}

static bool
word_stands_at(const struct cursor *c, int column, const char *word)
{
	int n = (int)strlen(word), rest = c->length - column + 1;

	return rest >= n && !strncmp(c->text + column - 1, word, n) &&
	       (rest == n || !is_word((unsigned char)c->text[column - 1 + n]));
}

bool
place_is_operand(location_t loc, location_t end)
{
	expanded_location x = expand_location(loc), to = expand_location(end);
	struct cursor c;
	int ch = 0;

	if (x.line != to.line || !cursor_open(&c, x.file, x.line, x.column) ||
	    x.column > c.length || word_stands_at(&c, x.column, "do"))
		return false;
	while (c.line == to.line && c.column < to.column && ch != ':')
		ch = cursor_token(&c);
	return ch != ':' && c.column == to.column;
}

bool
place_begins_loop(location_t loc)
{
	expanded_location x = expand_location(loc);
	struct cursor c;

	if (!cursor_open(&c, x.file, x.line, x.column) || x.column > c.length)
		return false;
	return cursor_peek(&c) == '{' || word_stands_at(&c, x.column, "for") ||
	       word_stands_at(&c, x.column, "while") || word_stands_at(&c, x.column, "do");
}

bool
place_is_conditional(location_t loc)
{
	expanded_location x = expand_location(loc);
	struct cursor c;

	return cursor_open(&c, x.file, x.line, x.column) && x.column <= c.length &&
	       (cursor_peek(&c) == '?' || cursor_peek(&c) == ':');
}

bool
place_is_token(location_t loc)
{
	source_range r = api_range(loc);
	expanded_location x = expand_location(loc), end = expand_location(r.m_finish);
	struct cursor c;

	if (linemap_location_from_macro_expansion_p(line_table, LOCATION_LOCUS(loc)) ||
	    expand_location(r.m_start).column != x.column || end.line != x.line ||
	    !cursor_open(&c, x.file, x.line, x.column))
		return false;
	while (c.column < end.column && is_word(cursor_peek(&c)))
		cursor_next(&c);
	if (cursor_peek(&c) == '"' || cursor_peek(&c) == '\'')
		cursor_token(&c);
	return c.column >= end.column;
}

bool
place_is_closing(location_t loc)
{
	expanded_location x = expand_location(loc);
	struct cursor c;

	return place_is_token(loc) && cursor_open(&c, x.file, x.line, x.column) &&
	       cursor_peek(&c) == ')';
}

bool
place_is_continue(location_t loc)
{
	expanded_location x = expand_location(loc);
	struct cursor c;

	return cursor_open(&c, x.file, x.line, x.column) && x.column <= c.length &&
	       word_stands_at(&c, x.column, "continue");
}

bool
place_has_word(const struct place *place, const char *word)
{
	struct cursor c;
	char name[256];
	size_t n = 0;
	int ch = 0;

	if (!cursor_open(&c, place->file, place->line, place->column))
		return false;
	while (ch != -1) {
		bool inside = !before(place->end_line, place->end_column, c.line, c.column);

		ch = inside ? cursor_token(&c) : -1;
		if (ch != -1 && is_word(ch)) {
			if (n < sizeof(name) - 1)
				name[n++] = (char)ch;
			continue;
		}
		name[n] = '\0';
		if (n && !ISDIGIT(name[0]) && (!word || !strcmp(name, word)))
			return true;
		n = 0;
	}
	return false;
}

static bool
open_spelled(struct cursor *c, location_t loc)
{
	expanded_location x = linemap_location_from_macro_expansion_p(line_table,
								      LOCATION_LOCUS(loc))
				      ? api_spelling_point(LOCATION_LOCUS(loc))
				      : expand_location(loc);

	return cursor_open(c, x.file, x.line, x.column) && x.column <= c->length;
}

bool
place_begins_if(location_t loc)
{
	struct cursor c;

	return open_spelled(&c, loc) &&
	       (cursor_peek(&c) == '(' || word_stands_at(&c, c.column, "if"));
}

bool
place_begins_case(location_t loc)
{
	struct cursor c;

	return open_spelled(&c, loc) && (word_stands_at(&c, c.column, "case") ||
					 word_stands_at(&c, c.column, "default"));
}

bool
place_begins_switch(location_t loc)
{
	struct cursor c;

	return open_spelled(&c, loc) && word_stands_at(&c, c.column, "switch");
}
