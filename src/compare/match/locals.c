#include "compare/match/locals.h"

#define IS_ONE_OF(s, ...) is_one_of(s, (const char *const[]){ __VA_ARGS__, NULL })

static bool
is_one_of(struct slice s, const char *const *words)
{
	for (; *words; words++)
		if (slice_is(s, *words))
			return true;
	return false;
}

/* ---- names ---- */

static void
add_own(struct locals *l, struct slice name)
{
	if (l->nr == sizeof(l->own) / sizeof(*l->own))
		return;
	l->own[l->nr].name = slice_hash(name);
	l->own[l->nr++].depth = l->depth;
}

/* A tag is no variable, whatever that is called. Labels are names of their own. */
static bool
is_own(const struct locals *l, struct slice behind)
{
	uint64_t name = slice_hash(l->last);

	if (IS_ONE_OF(l->before, "struct", "union", "enum"))
		return false;
	if (slice_is(l->before, "goto") ||
	    (l->state == STATEMENT && l->words == 1 && slice_is(behind, ":")))
		return true;
	for (unsigned i = 0; i < l->nr; i++)
		if (l->own[i].name == name)
			return true;
	return false;
}

static void
forget_deeper(struct locals *l)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < l->nr; i++)
		if (l->own[i].depth <= l->depth)
			l->own[kept++] = l->own[i];
	l->nr = kept;
}

/* Is the last token a name that is declared there, as T stands behind it? */
static bool
is_declared(const struct locals *l, struct slice t)
{
	if (!slice_is_name(l->last) || IS_ONE_OF(l->before, "struct", "union", "enum"))
		return false;
	switch (l->state) {
	case PARAMETERS: /* f(int a, b), of the old style; (*f)(type) within it */
		return IS_ONE_OF(t, ",", ")", "[", "=") &&
		       (l->brackets == 1 ? slice_is_name(l->before) ||
					   IS_ONE_OF(l->before, "(", ",", "*", "&") :
			l->brackets == 2 && slice_is(l->before, "*"));
	case STATEMENT:
		return l->words > 1 && IS_ONE_OF(t, "=", ";", ",", "[", ":");
	case DECLARATOR:
		return IS_ONE_OF(t, "=", ";", ",", "[", ":");
	default:
		return false;
	}
}

/* ---- where in a statement ---- */

static void
begin_statement(struct locals *l)
{
	l->state = STATEMENT;
	l->words = 0;
	l->base = l->brackets;
	l->braces = 0;
}

static void
read_brace(struct locals *l, struct slice t)
{
	bool opens = slice_is(t, "{");

	if (l->braces || (opens && l->state == INITIALISER && slice_is(l->last, "="))) {
		l->braces = opens ? l->braces + 1 : l->braces - 1;
		return;
	}
	if (opens)
		l->depth++;
	else if (l->depth)
		l->depth--;
	forget_deeper(l);
	begin_statement(l);
}

static void
read_bracket(struct locals *l, struct slice t)
{
	bool opens = IS_ONE_OF(t, "(", "[");

	if (opens)
		l->brackets++;
	else if (l->brackets)
		l->brackets--;
	if (opens && slice_is(l->last, "for"))
		begin_statement(l);
	else if (l->state == PARAMETERS && !l->brackets)
		begin_statement(l);
	else if (l->state == STATEMENT || l->state == DECLARATOR || l->brackets < l->base)
		l->state = OTHER;
}

/* What is neither a brace nor a bracket, in a statement that has words and stars so far. */
static void
read_beginning(struct locals *l, struct slice t)
{
	if (slice_is(t, ":") && l->words == 1)
		begin_statement(l);
	else if (IS_ONE_OF(t, "case", "default"))
		l->state = LABEL;
	else if (!l->words && IS_ONE_OF(t, "return", "goto", "break", "continue", "if", "while",
					"for", "switch", "sizeof", "extern", "throw", "delete"))
		l->state = OTHER;
	else if (slice_is_name(t))
		l->words += !IS_ONE_OF(t, "else", "do");
	else if (!l->words || !IS_ONE_OF(t, "*", "&"))
		l->state = OTHER;
}

static void
advance(struct locals *l, struct slice t, bool declared)
{
	if (declared && l->state != PARAMETERS)
		l->state = INITIALISER;
	if (IS_ONE_OF(t, "{", "}"))
		read_brace(l, t);
	else if (IS_ONE_OF(t, "(", ")", "[", "]"))
		read_bracket(l, t);
	else if (slice_is(t, ";"))
		begin_statement(l);
	else if (l->state == LABEL && slice_is(t, ":"))
		begin_statement(l);
	else if (l->state == STATEMENT)
		read_beginning(l, t);
	else if (l->state == INITIALISER && slice_is(t, ",") && l->brackets == l->base &&
		 !l->braces)
		l->state = DECLARATOR;
}

bool
locals_next(struct locals *l, struct slice t, bool asked)
{
	bool declared = is_declared(l, t);
	bool used = l->asked && !declared && !is_own(l, t);

	if (declared && l->asked)
		add_own(l, l->last);
	advance(l, t, declared);
	l->before = l->last;
	l->last = t;
	l->asked = asked;
	return used;
}
