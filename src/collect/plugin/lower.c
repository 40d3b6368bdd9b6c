/* Just before RTL: each increment of a counter becomes one instruction.
 *
 * Until here an increment is written as a volatile store of 1 to the counter: one statement, which
 * weighs as much for the inliner as the one instruction it will be, which no loop keeps in a
 * register (a program may be killed at any moment), and of which the alias analysis sees that it
 * touches nothing of the program's. Here it becomes
 *	incq %gs:counter(%rip)
 * %gs is the thread's displacement: 0 until the runtime starts, then the distance from the module's
 * own counters to the thread's copy of them, which lies in the mapped raw file. So each thread
 * counts exactly, without atomics, at the price of a plain increment. (addq $1 would be a byte
 * longer, and measurably slower.)
 */
#include "plugin.h"

static const pass_data lower_data = {
	GIMPLE_PASS, "cgview_lower", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

static const char *
instruction(void)
{
	switch (options.access) {
	case ACCESS_PLAIN:
		return "inc{q|}\t%0";
	case ACCESS_ATOMIC:
		return "lock inc{q\t%%gs:|\tgs:}%0";
	default:
		return "inc{q\t%%gs:|\tgs:}%0";
	}
}

static tree
operand(const char *constraint, tree value)
{
	tree c = build_string(strlen(constraint), constraint);

	return build_tree_list(build_tree_list(NULL_TREE, c), value);
}

static gimple *
add_instruction(tree counter, gimple *store)
{
	vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
	tree ref = unshare_expr(counter);
	gasm *stmt;

	TREE_THIS_VOLATILE(ref) = 0;
	TREE_SIDE_EFFECTS(ref) = 0;
	vec_safe_push(outputs, operand("=m", ref));
	vec_safe_push(inputs, operand("m", unshare_expr(ref)));
	stmt = gimple_build_asm_vec(instruction(), inputs, outputs, NULL, NULL);
	/* Where a fault is an exception, no instruction that can fault may move over it. */
	gimple_asm_set_volatile(stmt, cfun->can_throw_non_call_exceptions);
	gimple_asm_set_inline(stmt, true);
	gimple_set_vuse(stmt, gimple_vuse(store));
	gimple_set_vdef(stmt, gimple_vdef(store));
	return stmt;
}

static void
lower(gimple_stmt_iterator *i)
{
	gimple *store = gsi_stmt(*i), *add;

	if (!integer_onep(gimple_assign_rhs1(store)))
		internal_error("cgview: an increment in %qD was taken apart",
			       current_function_decl);
	add = add_instruction(gimple_assign_lhs(store), store);
	gsi_replace(i, add, true);
	if (gimple_vdef(add) && TREE_CODE(gimple_vdef(add)) == SSA_NAME)
		SSA_NAME_DEF_STMT(gimple_vdef(add)) = add;
}

static void
lower_all(function *fun)
{
	basic_block bb;

	increments_remove_repeated(fun);
	FOR_EACH_BB_FN(bb, fun)
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (is_increment(gsi_stmt(i)))
			lower(&i);
}

class lower_pass : public gimple_opt_pass
{
      public:
	lower_pass(gcc::context *ctx) : gimple_opt_pass(lower_data, ctx)
	{
	}
	unsigned int execute(function *fun) override
	{
		lower_all(fun);
		return 0;
	}
};

opt_pass *
make_lower_pass(gcc::context *ctx)
{
	return new lower_pass(ctx);
}

/* The thread sanitizer would take increments for accesses of all threads to one place. It does not
 * look at instructions. */
class early_lower_pass : public lower_pass
{
      public:
	early_lower_pass(gcc::context *ctx) : lower_pass(ctx)
	{
	}
	bool gate(function *) final override
	{
		return sanitize_flags_p(SANITIZE_THREAD);
	}
};

opt_pass *
make_early_lower_pass(gcc::context *ctx)
{
	return new early_lower_pass(ctx);
}
