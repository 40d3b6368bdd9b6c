/* Targets of calls through pointers (option targets).
 *
 * Each indirect call site has two words among the counters: a cache, where the runtime notes the
 * entry of its table that the site used last, and the number of calls that it could not note. The
 * call __cgview_target(words, target) before the call itself is made before inlining, so copies of
 * the site share its words, as they share its counters.
 *
 * Just before RTL the common case comes in line: if the cached entry has this target, one is added
 * to it, in five instructions; else the runtime is called, out of the way.
 */
#include "plugin.h"

static const char procedure_name[] = "__cgview_target";
static GTY(()) tree runtime_decl;
static struct ggc_root_tab roots[] = {
	{&runtime_decl, 1, sizeof(runtime_decl), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
	LAST_GGC_ROOT_TAB,
};

void
targets_register(const char *plugin)
{
	register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, roots);
}

/* void __cgview_target(uint64_t *words, void *target): it neither throws nor calls back, so no
 * block ends with it. Weak, as a program may be linked without the runtime. */
static tree
runtime_procedure(void)
{
	tree type, decl;

	if (runtime_decl)
		return runtime_decl;
	type = build_function_type_list(void_type_node, ptr_type_node, ptr_type_node, NULL_TREE);
	decl = build_fn_decl(procedure_name, type);
	declare_weak(decl);
	TREE_NOTHROW(decl) = 1;
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
	runtime_decl = decl;
	return decl;
}

/* Returns what CALL is going to call, as an operand. */
static tree
target_of(gcall *call)
{
	tree fn = gimple_call_fn(call);

	return TREE_CODE(fn) == OBJ_TYPE_REF ? OBJ_TYPE_REF_EXPR(fn) : fn;
}

void
targets_insert(gcall *call, int words)
{
	tree offset = build_int_cst(ptr_type_node, (HOST_WIDE_INT)words * 8);
	tree base = build_fold_addr_expr(tables_counters());
	tree word = build2(MEM_REF, build_nonstandard_integer_type(64, 1), base, offset);
	tree address = build_fold_addr_expr(word);
	gimple_stmt_iterator i = gsi_for_stmt(call);
	gimple *tell;

	/* The first words of the array have its address, but for a cast, which is no operand. */
	STRIP_NOPS(address);
	tell = gimple_build_call(runtime_procedure(), 2, address, unshare_expr(target_of(call)));
	gimple_set_location(tell, gimple_location(call));
	gsi_insert_before(&i, tell, GSI_SAME_STMT);
}

/* ---- in line ---- */

/* By name: at link time (-flto) it is not the declaration that was made here. */
static bool
is_tell(gimple *stmt)
{
	tree decl = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;

	return decl && !strcmp(linkage_name(decl), procedure_name);
}

static tree
operand(const char *constraint, tree value)
{
	tree c = build_string(strlen(constraint), constraint);

	return build_tree_list(build_tree_list(NULL_TREE, c), value);
}

static tree
clobber(const char *name)
{
	return build_tree_list(NULL_TREE, build_string(strlen(name), name));
}

/* struct raw_target: site, target, count. The entry is looked at by instructions, not by statements
 * of which the optimisers would think that they could touch something of the program's. */
static gasm *
common_case(tree words, tree target, basic_block rare)
{
	static const char code[] = "{movq\t%%gs:%0, %%r11|mov\tr11, gs:%0}\n"
				   "\t{testq\t%%r11, %%r11|test\tr11, r11}\n"
				   "\tjz\t%l2\n"
				   "\t{cmpq\t%1, 8(%%r11)|cmp\t[r11+8], %1}\n"
				   "\tjne\t%l2\n"
				   "\t{addq\t$1, 16(%%r11)|add\tQWORD PTR [r11+16], 1}";
	vec<tree, va_gc> *inputs = NULL, *clobbers = NULL, *labels = NULL;
	tree type = build_nonstandard_integer_type(64, 1);
	tree word = fold_build2(MEM_REF, type, words, build_int_cst(ptr_type_node, 0));
	gasm *stmt;

	module_counts();
	vec_safe_push(inputs, operand("m", word));
	vec_safe_push(inputs, operand("r", target));
	vec_safe_push(clobbers, clobber("r11"));
	vec_safe_push(clobbers, clobber("cc"));
	vec_safe_push(labels, build_tree_list(NULL_TREE, gimple_block_label(rare)));
	stmt = gimple_build_asm_vec(code, inputs, NULL, clobbers, labels);
	gimple_asm_set_volatile(stmt, true);
	gimple_asm_set_inline(stmt, true);
	return stmt;
}

static edge
branch(basic_block from, basic_block to, int flags, bool likely)
{
	edge e = make_edge(from, to, flags);

	e->probability =
		likely ? profile_probability::very_likely() : profile_probability::very_unlikely();
	return e;
}

/* The runtime may be missing (-nostdlib). */
static void
call_if_there(basic_block test, basic_block call, basic_block behind, tree decl)
{
	gimple_stmt_iterator i = gsi_last_bb(test);
	tree there = build_fold_addr_expr(decl);
	edge e = single_succ_edge(test);
	gcond *cond =
		gimple_build_cond(NE_EXPR, there, build_zero_cst(TREE_TYPE(there)), NULL, NULL);

	gcc_assert(e->dest == call);
	gsi_insert_after(&i, cond, GSI_NEW_STMT);
	e->flags = (e->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
	e->probability = profile_probability::very_likely();
	branch(test, behind, EDGE_FALSE_VALUE, false);
}

/* before, tell, behind  ->  before: common case, else goto test; test: is there a runtime?; call:
 * tell; behind. */
static void
expand(gimple *tell)
{
	basic_block before = gimple_bb(tell), test, call, behind;
	gimple_stmt_iterator i = gsi_for_stmt(tell);
	gasm *common;
	edge e;

	behind = split_block(before, tell)->dest;
	gsi_prev(&i);
	call = gsi_end_p(i) ? split_block_after_labels(before)->dest
			    : split_block(before, gsi_stmt(i))->dest;
	test = split_edge(single_succ_edge(before));
	common = common_case(gimple_call_arg(tell, 0), gimple_call_arg(tell, 1), test);
	gimple_set_location(common, gimple_location(tell));
	i = gsi_last_bb(before);
	gsi_insert_after(&i, common, GSI_NEW_STMT);
	e = single_succ_edge(before);
	e->flags &= ~EDGE_FALLTHRU;
	e->probability = profile_probability::very_unlikely();
	branch(before, behind, EDGE_FALLTHRU, true);
	call_if_there(test, call, behind, gimple_call_fndecl(tell));
	test->count = call->count = before->count.apply_probability(e->probability);
}

static const pass_data targets_data = {
	GIMPLE_PASS, "cgview_targets", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class targets_pass : public gimple_opt_pass
{
      public:
	targets_pass(gcc::context *ctx) : gimple_opt_pass(targets_data, ctx)
	{
	}
	unsigned int execute(function *fun) final override
	{
		auto_vec<gimple *> tells;
		basic_block bb;

		FOR_EACH_BB_FN(bb, fun)
			for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
				if (is_tell(gsi_stmt(i)))
					tells.safe_push(gsi_stmt(i));
		for (unsigned i = 0; i < tells.length(); i++)
			expand(tells[i]);
		if (tells.is_empty())
			return 0;
		free_dominance_info(CDI_DOMINATORS);
		free_dominance_info(CDI_POST_DOMINATORS);
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa_only_virtuals;
	}
};

opt_pass *
make_targets_pass(gcc::context *ctx)
{
	return new targets_pass(ctx);
}
