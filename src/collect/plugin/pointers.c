/* Where addresses of procedures go, and where pointers come from: what narrows down whom a call
 * through a pointer can reach, as far as it can be seen for certain. */
#include "plugin.h"

/* The procedure whose address ARG is, or NULL. */
static tree
procedure_of(tree arg)
{
	bool address = TREE_CODE(arg) == ADDR_EXPR;

	return address && TREE_CODE(TREE_OPERAND(arg, 0)) == FUNCTION_DECL ? TREE_OPERAND(arg, 0) :
									      NULL_TREE;
}

void
pointers_passed(struct site *s, gcall *call)
{
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (tree decl = procedure_of(gimple_call_arg(call, i)))
			s->passed.safe_push(linkage_name(decl));
}

/* ---- constant tables ---- */

/* The variable that the pointer is read from, or NULL. */
static tree
variable_of(tree pointer)
{
	tree base;

	for (int depth = 0; depth < 4 && TREE_CODE(pointer) == SSA_NAME; depth++) {
		gimple *def = SSA_NAME_DEF_STMT(pointer);

		if (!is_gimple_assign(def) || gimple_has_volatile_ops(def))
			return NULL_TREE;
		pointer = gimple_assign_rhs1(def);
		if (gimple_assign_load_p(def)) {
			base = get_base_address(pointer);
			return base && VAR_P(base) ? base : NULL_TREE;
		}
		if (!gimple_assign_ssa_name_copy_p(def) &&
		    !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)))
			return NULL_TREE;
	}
	return NULL_TREE;
}

static tree
note_procedure(tree *node, int *walk_subtrees, void *data)
{
	if (TREE_CODE(*node) == FUNCTION_DECL) {
		((struct site *)data)->reads.safe_push(linkage_name(*node));
		*walk_subtrees = 0;
	}
	return NULL_TREE;
}

/* A variable that cannot change, with a value that is known here: what is read from it is one of the
 * procedures that its value names. */
void
pointers_read(struct site *s, gcall *call)
{
	tree fn = gimple_call_fn(call), variable = fn ? variable_of(fn) : NULL_TREE;

	if (!variable || !TREE_READONLY(variable) || !TREE_STATIC(variable) ||
	    TREE_THIS_VOLATILE(variable) || DECL_EXTERNAL(variable) || DECL_WEAK(variable) ||
	    DECL_COMMON(variable) || !DECL_INITIAL(variable) ||
	    DECL_INITIAL(variable) == error_mark_node)
		return;
	walk_tree_without_duplicates(&DECL_INITIAL(variable), note_procedure, s);
	if (!s->reads.is_empty())
		s->flags |= SITE_READS;
}

/* ---- addresses that are only handed out ---- */

static bool
is_argument(gcall *call, tree decl)
{
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (procedure_of(gimple_call_arg(call, i)) == decl)
			return true;
	return false;
}

/* Does the address of NODE go nowhere but into calls of procedures that are defined elsewhere? */
bool
pointers_only_passed(cgraph_node *node)
{
	ipa_ref *ref = NULL;

	if (TREE_PUBLIC(node->decl) || symtab->first_asm_symbol())
		return false;
	for (int i = 0; node->iterate_referring(i, ref); i++) {
		gcall *call;
		tree callee;

		if (ref->use != IPA_REF_ADDR)
			return false;
		call = ref->stmt ? dyn_cast<gcall *>(ref->stmt) : NULL;
		callee = call ? gimple_call_fndecl(call) : NULL_TREE;
		if (!callee || !DECL_EXTERNAL(callee) || !is_argument(call, node->decl))
			return false;
	}
	return true;
}
