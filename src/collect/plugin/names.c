/* What procedures are called, so that no two of them have one name at one place.
 *
 * The compiler prints a name for people, who see from where it is printed which instance of a
 * template it is. What it leaves out is added here:
 * - of a friend that a class template defines, the types of its parameters;
 * - of an instance with a parameter pack, arguments that are the default in front of it;
 * - where a lambda, a type of a procedure, without a name or of an unnamed namespace begins that an
 *   instance is made for: "call<main()::<lambda(int)> > @file.cc:34:9".
 * All follows from the text alone, so that one procedure has the same name in each unit.
 */
#include "plugin.h"
#include "cxx_api.h"

/* Where what an instance is made for begins, each once. */
struct locals {
	hash_set<tree> seen;
	auto_vec<location_t> places;
};

static void
note_local(struct locals *l, tree decl)
{
	location_t place = LOCATION_LOCUS(DECL_SOURCE_LOCATION(decl));

	if (place > BUILTINS_LOCATION && !l->places.contains(place))
		l->places.safe_push(place);
}

/* Does DECL stand in a procedure, or in an unnamed namespace? */
static bool
is_local(tree decl)
{
	tree context = DECL_CONTEXT(decl);

	while (context && TREE_CODE(context) != TRANSLATION_UNIT_DECL) {
		if (TREE_CODE(context) == FUNCTION_DECL ||
		    (TREE_CODE(context) == NAMESPACE_DECL && !DECL_NAME(context)))
			return true;
		context = TYPE_P(context) ? TYPE_CONTEXT(context) : DECL_CONTEXT(context);
	}
	return false;
}

static void look_at_arguments(struct locals *l, tree arguments);

static void
look_at_scopes(struct locals *l, tree context)
{
	while (context && TREE_CODE(context) != TRANSLATION_UNIT_DECL) {
		look_at_arguments(l, cxx_arguments(context));
		context = TYPE_P(context) ? TYPE_CONTEXT(context) : DECL_CONTEXT(context);
	}
}

static void
look_at_type(struct locals *l, tree type)
{
	tree name;

	type = TYPE_MAIN_VARIANT(type);
	if (l->seen.add(type))
		return;
	if (FUNC_OR_METHOD_TYPE_P(type))
		for (tree p = TYPE_ARG_TYPES(type); p; p = TREE_CHAIN(p))
			look_at_type(l, TREE_VALUE(p));
	if (TREE_CODE(type) == OFFSET_TYPE)
		look_at_type(l, TYPE_OFFSET_BASETYPE(type));
	if (cxx_points_to_method(type))
		look_at_type(l, TREE_TYPE(TYPE_FIELDS(type)));
	if (!RECORD_OR_UNION_TYPE_P(type) && TREE_CODE(type) != ENUMERAL_TYPE) {
		if (TREE_TYPE(type))
			look_at_type(l, TREE_TYPE(type));
		return;
	}
	name = TYPE_NAME(type);
	if (name && TREE_CODE(name) == TYPE_DECL && (is_local(name) || cxx_is_unnamed(type)))
		note_local(l, name);
	look_at_arguments(l, cxx_arguments(type));
	look_at_scopes(l, TYPE_CONTEXT(type));
}

/* The address of a variable or a procedure, which another unit may have under the same name. */
static void
look_at_address(struct locals *l, tree value)
{
	while (CONVERT_EXPR_P(value) || TREE_CODE(value) == ADDR_EXPR)
		value = TREE_OPERAND(value, 0);
	if (VAR_OR_FUNCTION_DECL_P(value) && !TREE_PUBLIC(value))
		note_local(l, value);
}

static void
look_at_arguments(struct locals *l, tree arguments)
{
	if (!arguments)
		return;
	if (TYPE_P(arguments) && !cxx_is_pack(arguments)) {
		look_at_type(l, arguments);
	} else if (cxx_is_pack(arguments)) {
		look_at_arguments(l, cxx_pack(arguments));
	} else if (TREE_CODE(arguments) == TREE_VEC) {
		for (int i = 0; i < TREE_VEC_LENGTH(arguments); i++)
			look_at_arguments(l, TREE_VEC_ELT(arguments, i));
	} else if (DECL_P(arguments)) {
		if (is_local(arguments))
			note_local(l, arguments);
	} else {
		look_at_address(l, arguments);
	}
}

/* Appends " @file:line:column,line:column". */
static void
add_locals(pretty_printer *pp, tree decl)
{
	const char *file = NULL;
	struct locals l;

	look_at_arguments(&l, cxx_arguments(decl));
	look_at_scopes(&l, DECL_CONTEXT(decl));
	for (unsigned i = 0; i < l.places.length(); i++) {
		expanded_location x = expand_location(l.places[i]);

		if (!x.file)
			continue;
		pp_string(pp, i ? "," : " @");
		if (!file || strcmp(file, x.file)) {
			pp_string(pp, lbasename(x.file));
			pp_character(pp, ':');
		}
		pp_printf(pp, "%d:%d", x.line, x.column);
		file = x.file;
	}
}

static hash_map<int_hash<unsigned, 0>, const char *> *names; /* by DECL_UID */

void
names_note(tree decl)
{
	pretty_printer pp;

	if (!names)
		names = new hash_map<int_hash<unsigned, 0>, const char *>;
	pp_string(&pp, cxx_is_front_end() ? cxx_name(decl)
					  : lang_hooks.decl_printable_name(decl, 1));
	pp_string(&pp, is_deleting(decl) ? " (deleting)" : coroutine_suffix(decl));
	if (cxx_is_front_end())
		add_locals(&pp, decl);
	names->put(DECL_UID(decl), xstrdup(pp_formatted_text(&pp)));
}

const char *
names_of(tree decl)
{
	const char **name = names ? names->get(DECL_UID(decl)) : NULL;

	return name ? *name : lang_hooks.decl_printable_name(decl, 1);
}
