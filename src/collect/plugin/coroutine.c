/* Coroutines: the compiler makes three procedures of one in the source.
 *
 * The first has its name, and is what is called: it makes the frame, and enters the body for the
 * first time. The second is the body, which is entered again by each resumption and each
 * destruction, and goes on where it was left. The third is what destroy() calls. Only the first is
 * executed as often as the coroutine is called. Code that they have for the frame has the place of
 * the name, or that of the brace at the end, and is no execution of these lines. Control comes to
 * the brace when the body ends, before the last suspension. */
#include "graph.h"

/* By the name's place: the brace at the end. The body itself does not know it. */
static hash_map<int_hash<location_t, UNKNOWN_LOCATION>, location_t> *braces;

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && !strcmp(text + n - m, end);
}

static bool
is_part(tree decl)
{
	return DECL_STRUCT_FUNCTION(decl) && DECL_STRUCT_FUNCTION(decl)->coroutine_component;
}

bool
coroutine_is_body(tree decl)
{
	return is_part(decl) && ends_with(linkage_name(decl), ".actor");
}

bool
coroutine_is_called(tree decl)
{
	return !is_part(decl) ||
	       !(coroutine_is_body(decl) || ends_with(linkage_name(decl), ".destroy"));
}

const char *
coroutine_suffix(tree decl)
{
	if (coroutine_is_called(decl))
		return "";
	return coroutine_is_body(decl) ? " (resume)" : " (destroy)";
}

static bool
same_point(location_t a, location_t b)
{
	expanded_location x = expand_location(a), y = expand_location(b);

	return x.line == y.line && x.column == y.column && x.file && y.file &&
	       !strcmp(x.file, y.file);
}

void
coroutine_note(function *fun)
{
	if (coroutine_is_body(fun->decl))
		operands_place_aliases(fun);
	if (!is_part(fun->decl) || !coroutine_is_called(fun->decl))
		return;
	if (!braces)
		braces = new hash_map<int_hash<location_t, UNKNOWN_LOCATION>, location_t>;
	braces->put(LOCATION_LOCUS(DECL_SOURCE_LOCATION(fun->decl)), fun->function_end_locus);
}

bool
coroutine_has_place(tree decl, location_t loc)
{
	location_t name = DECL_SOURCE_LOCATION(decl), *brace;

	if (!is_part(decl) || !braces)
		return false;
	brace = braces->get(LOCATION_LOCUS(name));
	return same_point(loc, name) || (brace && same_point(loc, *brace));
}

bool
coroutine_made_jump(tree decl, tree jump)
{
	if (!is_part(decl))
		return false;
	if (TREE_CODE(jump) == GOTO_EXPR && TREE_CODE(GOTO_DESTINATION(jump)) == LABEL_DECL &&
	    DECL_ARTIFICIAL(GOTO_DESTINATION(jump)))
		return true;
	/* The parts are made when all has been read, and the end of none is known yet. */
	return same_point(EXPR_LOCATION(jump), input_location);
}

bool
coroutine_ends(tree decl, gimple *stmt)
{
	tree callee = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;

	return callee && DECL_NAME(callee) && coroutine_is_body(decl) &&
	       !strcmp(IDENTIFIER_POINTER(DECL_NAME(callee)), "final_suspend");
}
