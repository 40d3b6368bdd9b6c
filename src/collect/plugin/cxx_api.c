/* Alone, since the header of the front end of C++ wants to come before others, and gives its own
 * meaning to what they have. */
#include "gcc-plugin.h"
#include "system.h"
#include "coretypes.h"
#include "cp/cp-tree.h"
#include "langhooks.h"

#include "cxx_api.h"

/* The compiler for C, which loads the plugin too, has no such procedures; the macro TYPE_UNNAMED_P
 * calls the second from GCC 16 on. */
extern const char *decl_as_string(tree, int) __attribute__((weak));
extern bool enum_with_enumerator_for_linkage_p(tree) __attribute__((weak));

bool
cxx_is_front_end(void)
{
	return decl_as_string && !strncmp(lang_hooks.name, "GNU C++", 7);
}

static tree
info_of(tree decl)
{
	if (TYPE_P(decl))
		return TYPE_TEMPLATE_INFO(decl);
	return TREE_CODE(decl) == FUNCTION_DECL && DECL_LANG_SPECIFIC(decl)
		       ? DECL_TEMPLATE_INFO(decl)
		       : NULL_TREE;
}

tree
cxx_arguments(tree decl)
{
	tree info = info_of(decl);

	return info ? TI_ARGS(info) : NULL_TREE;
}

bool
cxx_is_pack(tree argument)
{
	return ARGUMENT_PACK_P(argument);
}

tree
cxx_pack(tree argument)
{
	return ARGUMENT_PACK_ARGS(argument);
}

bool
cxx_is_unnamed(tree type)
{
	return LAMBDA_TYPE_P(type) || TYPE_UNNAMED_P(type);
}

bool
cxx_points_to_method(tree type)
{
	return TYPE_PTRMEMFUNC_P(type);
}

/* Has a class template defined DECL, as its friend? */
static bool
is_friend_of_template(tree decl)
{
	tree info = info_of(decl);

	return info && !DECL_CLASS_SCOPE_P(decl) &&
	       (!PRIMARY_TEMPLATE_P(TI_TEMPLATE(info)) || TMPL_ARGS_DEPTH(TI_ARGS(info)) > 1);
}

/* The innermost arguments of DECL, if what is left out of them is more than follows. */
static tree
arguments_cut(tree decl)
{
	tree all = cxx_arguments(decl);
	int last;

	if (!all)
		return NULL_TREE;
	if (TMPL_ARGS_DEPTH(all) > 1)
		all = TREE_VEC_ELT(all, TREE_VEC_LENGTH(all) - 1);
	last = TREE_VEC_LENGTH(all) - 1;
	return last > 0 && ARGUMENT_PACK_P(TREE_VEC_ELT(all, last)) &&
			       NON_DEFAULT_TEMPLATE_ARGS_COUNT(all)
		       ? all
		       : NULL_TREE;
}

/* Nothing but the types of its parameters tells it from the friend that another instance has. */
static const char *
name_of_friend(tree decl)
{
	int pretty = flag_pretty_templates;
	const char *name;

	flag_pretty_templates = 0;
	name = decl_as_string(decl, TFF_PLAIN_IDENTIFIER);
	flag_pretty_templates = pretty;
	return name;
}

const char *
cxx_name(tree decl)
{
	tree cut = arguments_cut(decl), count = NULL_TREE;
	const char *name;

	if (is_friend_of_template(decl))
		return name_of_friend(decl);
	if (cut) {
		count = NON_DEFAULT_TEMPLATE_ARGS_COUNT(cut);
		NON_DEFAULT_TEMPLATE_ARGS_COUNT(cut) = NULL_TREE;
	}
	name = lang_hooks.decl_printable_name(decl, 1);
	if (cut)
		NON_DEFAULT_TEMPLATE_ARGS_COUNT(cut) = count;
	return name;
}
