/* Just before RTL: each increment of a counter becomes one instruction.
 *
 * Until here an increment is a volatile load, an addition and a volatile store, so that no loop keeps
 * it in a register (a program may be killed at any moment) while the alias analysis sees that it
 * touches nothing of the program's. Here the three become
 *	addq $1, %gs:counter(%rip)
 * %gs is the thread's displacement: 0 until the runtime starts, then the distance from the module's
 * own counters to the thread's copy of them, which lies in the mapped raw file. So each thread counts
 * exactly, without atomics, at the price of a plain increment.
 */
#include "plugin.h"

static const pass_data lower_data = {
	GIMPLE_PASS, "cgview_lower", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

static const char *
instruction(void)
{
	switch (options.access) {
	case ACCESS_PLAIN: return "addq\t%2, %0";
	case ACCESS_ATOMIC: return "lock addq\t%2, %0";
	default: return "addq\t%2, %%gs:%0";
	}
}

static tree
operand(const char *constraint, tree value)
{
	tree c = build_string(strlen(constraint), constraint);

	return build_tree_list(build_tree_list(NULL_TREE, c), value);
}

static gimple *
add_instruction(tree counter, tree amount, gimple *store)
{
	vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
	tree ref = unshare_expr(counter);
	gasm *stmt;

	TREE_THIS_VOLATILE(ref) = 0;
	TREE_SIDE_EFFECTS(ref) = 0;
	vec_safe_push(outputs, operand("=m", ref));
	vec_safe_push(inputs, operand("m", unshare_expr(ref)));
	vec_safe_push(inputs, operand("i", amount));
	stmt = gimple_build_asm_vec(instruction(), inputs, outputs, NULL, NULL);
	gimple_asm_set_volatile(stmt, false);
	gimple_asm_set_inline(stmt, true);
	gimple_set_vuse(stmt, gimple_vuse(store));
	gimple_set_vdef(stmt, gimple_vdef(store));
	return stmt;
}

/* operand_equal_p() does not compare volatile references. */
static bool
same_counter(tree a, tree b)
{
	poly_int64 offset_a, offset_b;
	tree base_a = get_addr_base_and_unit_offset(a, &offset_a);
	tree base_b = get_addr_base_and_unit_offset(b, &offset_b);

	return base_a && base_a == base_b && known_eq(offset_a, offset_b);
}

static bool
is_counter_store(gimple *stmt)
{
	return is_gimple_assign(stmt) && gimple_store_p(stmt) &&
	       tables_is_counter(gimple_assign_lhs(stmt));
}

/* STORE is `counter ={v} t + constant`, t ={v} counter: both other statements. */
static bool
parts(gimple *store, gimple **load, gimple **sum)
{
	tree value = gimple_assign_rhs1(store);

	if (TREE_CODE(value) != SSA_NAME || !is_gimple_assign(SSA_NAME_DEF_STMT(value)))
		return false;
	*sum = SSA_NAME_DEF_STMT(value);
	if (gimple_assign_rhs_code(*sum) != PLUS_EXPR ||
	    TREE_CODE(gimple_assign_rhs1(*sum)) != SSA_NAME ||
	    TREE_CODE(gimple_assign_rhs2(*sum)) != INTEGER_CST)
		return false;
	*load = SSA_NAME_DEF_STMT(gimple_assign_rhs1(*sum));
	return gimple_assign_load_p(*load) && has_single_use(gimple_assign_lhs(*load)) &&
	       same_counter(gimple_assign_rhs1(*load), gimple_assign_lhs(store));
}

static void
remove_statement(gimple *stmt)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);

	unlink_stmt_vdef(stmt);
	gsi_remove(&i, true);
	release_defs(stmt);
}

/* The store that belongs to SUM follows it at once. */
static gimple *
store_behind(gimple *sum)
{
	gimple_stmt_iterator i = gsi_for_stmt(sum);

	for (gsi_next_nondebug(&i); !gsi_end_p(i); gsi_next_nondebug(&i))
		return is_counter_store(gsi_stmt(i)) &&
		       gimple_assign_rhs1(gsi_stmt(i)) == gimple_assign_lhs(sum) ? gsi_stmt(i) : NULL;
	return NULL;
}

/* Moving stores out of a loop, GCC 12 stores the last value of the counters in it once more behind
 * the loop (tree-ssa-loop-im.c keeps the order of all stores in this way). That is one too many. */
static bool
is_repeated(gimple *store, gimple *sum)
{
	gimple *first = store_behind(sum);

	return first && first != store && same_counter(gimple_assign_lhs(first), gimple_assign_lhs(store));
}

static void
lower(gimple *store)
{
	gimple *load, *sum, *add;
	gimple_stmt_iterator i = gsi_for_stmt(store);

	if (!parts(store, &load, &sum) || !has_single_use(gimple_assign_rhs1(store)))
		internal_error("cgview: an increment in %qD was taken apart", current_function_decl);
	add = add_instruction(gimple_assign_lhs(store), gimple_assign_rhs2(sum), store);
	gsi_replace(&i, add, false);
	if (gimple_vdef(add) && TREE_CODE(gimple_vdef(add)) == SSA_NAME)
		SSA_NAME_DEF_STMT(gimple_vdef(add)) = add;
	remove_statement(sum);
	remove_statement(load);
}

static void
lower_all(function *fun)
{
	auto_vec<gimple *> stores;
	gimple *load, *sum;
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);) {
			gimple *stmt = gsi_stmt(i);

			gsi_next(&i);
			if (!is_counter_store(stmt))
				continue;
			if (parts(stmt, &load, &sum) && is_repeated(stmt, sum))
				remove_statement(stmt);
			else
				stores.safe_push(stmt);
		}
	for (unsigned n = 0; n < stores.length(); n++)
		lower(stores[n]);
}

class lower_pass : public gimple_opt_pass {
public:
	lower_pass(gcc::context *ctx) : gimple_opt_pass(lower_data, ctx) {}
	unsigned int execute(function *fun) final override
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
