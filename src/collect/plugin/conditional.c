/* Conditional expressions that stand on several lines, and the lines of what they are made of.
 *
 * Of `x = c\n ? f()\n : g();` the compiler makes a jump, in each arm an assignment to a variable
 * of its own, and where the arms meet a copy of that. All of these have the place of the colon in
 * C, of the question mark in C++, or that of the last token, to which C++ has read when it makes an
 * initialisation or a return of the expression. They are no executions of the arm that happens to
 * stand there. The jump belongs to the condition, the assignment to its arm, and what hands the
 * value on is nothing of its own, as it is none of the last operand of && and || that are returned.
 * Control that comes back with the value to the line where the
 * condition began is in the same evaluation still.
 */
#include "graph.h"

typedef hash_map<int_hash<location_t, UNKNOWN_LOCATION>, place> places;

static places *on_lines; /* by caret */
/* The key is the caret of the call that they are an argument of: the compiler gives them its
 * place. */
static places *arguments;
static hash_set<int_hash<location_t, UNKNOWN_LOCATION>> *ends; /* their last characters */
/* The key is the name of the compiler's variable, which is one in the unit: in SSA form it has no
 * other. */
static hash_map<tree, place> *values;

/* Is LOC that of an expression on several lines? Notes where that ends. */
static bool
note_end(location_t loc, struct place *whole)
{
	bool from_macro;

	if (!place_of(loc, whole, &from_macro) || from_macro || whole->line == whole->end_line)
		return false;
	if (!on_lines) {
		on_lines = new places;
		values = new hash_map<tree, place>;
		arguments = new places;
		ends = new hash_set<int_hash<location_t, UNKNOWN_LOCATION>>;
	}
	ends->add(get_pure_location(line_table, api_range(loc).m_finish));
	return true;
}

void
conditional_note(location_t loc)
{
	struct place whole;

	if (!place_is_conditional(loc) || !note_end(loc, &whole))
		return;
	place_skip_parentheses(&whole); /* the range of (c ? a : b) begins with its parenthesis */
	on_lines->put(api_point(loc), whole);
}

void
conditional_note_logical(location_t loc)
{
	struct place whole;

	note_end(loc, &whole);
}

void
conditional_note_argument(tree call)
{
	tree only = NULL_TREE;
	int nr = 0;

	for (int i = 0; i < call_expr_nargs(call); i++)
		if (TREE_CODE(CALL_EXPR_ARG(call, i)) == COND_EXPR) {
			only = CALL_EXPR_ARG(call, i);
			nr++;
		}
	if (nr != 1) /* of several one place does not tell which */
		return;
	conditional_note(EXPR_LOCATION(only));
	if (const struct place *whole = conditional_at(EXPR_LOCATION(only)))
		arguments->put(api_point(EXPR_LOCATION(call)), *whole);
}

const struct place *
conditional_at(location_t caret)
{
	return on_lines && LOCATION_LOCUS(caret) > BUILTINS_LOCATION
		       ? on_lines->get(api_point(caret))
		       : NULL;
}

void
conditional_note_variables(function *fun)
{
	unsigned i;
	tree var;

	if (!values)
		return;
	FOR_EACH_LOCAL_DECL(fun, i, var)
	{
		const struct place *whole;

		if (!VAR_P(var) || !DECL_ARTIFICIAL(var) || !DECL_NAME(var) ||
		    strncmp(IDENTIFIER_POINTER(DECL_NAME(var)), "iftmp", 5))
			continue;
		whole = conditional_at(DECL_SOURCE_LOCATION(var));
		if (!whole)
			whole = arguments->get(api_point(DECL_SOURCE_LOCATION(var)));
		if (whole)
			values->put(DECL_NAME(var), *whole);
		else /* a name that is no more had the same address */
			values->remove(DECL_NAME(var));
	}
}

/* The expression that VALUE is the value of, or NULL. */
static const struct place *
whole_of(tree value)
{
	return values && TREE_CODE(value) == SSA_NAME && SSA_NAME_IDENTIFIER(value)
		       ? values->get(SSA_NAME_IDENTIFIER(value))
		       : NULL;
}

bool
conditional_has_place(location_t loc)
{
	return conditional_at(loc) ||
	       (ends && LOCATION_LOCUS(loc) > BUILTINS_LOCATION &&
		ends->contains(get_pure_location(line_table, api_range(loc).m_finish)) &&
		place_is_token(loc));
}

bool
conditional_handed_on(gimple *stmt)
{
	greturn *back = dyn_cast<greturn *>(stmt);
	tree value = back ? gimple_return_retval(back) : NULL_TREE;

	if (value && TREE_CODE(value) == SSA_NAME && !whole_of(value))
		stmt = SSA_NAME_DEF_STMT(value);
	else if (value)
		return whole_of(value) != NULL;
	return hands_on(stmt) && whole_of(gimple_assign_rhs1(stmt));
}

/* The expression whose value is used in BB, after an arm that is the only one to come back. */
static const struct place *
whole_used(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		ssa_op_iter op;
		tree use;

		FOR_EACH_SSA_TREE_OPERAND(use, gsi_stmt(i), op, SSA_OP_USE)
			if (whole_of(use))
				return whole_of(use);
	}
	return NULL;
}

const struct place *
conditional_ends(basic_block bb)
{
	for (gphi_iterator i = gsi_start_phis(bb); !gsi_end_p(i); gsi_next(&i))
		if (const struct place *whole = whole_of(gimple_phi_result(i.phi())))
			return whole;
	return single_pred_p(bb) ? whole_used(bb) : NULL;
}
