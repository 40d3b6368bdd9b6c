/* Targets of calls through pointers (option targets), procedures that calls hand out, and what is
 * stored in variables for such (pointers.c).
 *
 * Each indirect call site has words among the counters (runtime/targets.c). The call
 * __cgview_target_note(words, target) before the call itself is made before inlining, so copies of
 * the site share its words, as they share its counters.
 *
 * Just before RTL it is replaced by code in line: the site's first target costs three instructions,
 * another one that its table has, eleven, out of the way; else the runtime is jumped to. Nothing of
 * it is a call to the compiler: the program's values stay in their registers.
 */
#include "plugin.h"

static const char procedure_name[] = "__cgview_target_note";
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

bool
targets_wanted_any(void)
{
	return options.targets || options.targets_of.length();
}

bool
targets_wanted(tree decl)
{
	return options.targets_of.length() ? is_named(decl, &options.targets_of) : options.targets;
}

/* void __cgview_target_note(uint64_t *words, void *target): it neither throws nor calls back, so no
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

tree
targets_callee(gcall *call)
{
	tree fn = gimple_call_fn(call);

	return TREE_CODE(fn) == OBJ_TYPE_REF ? OBJ_TYPE_REF_EXPR(fn) : fn;
}

/* Returns POINTER as an operand of what is inserted before STMT. */
static tree
operand_before(gimple *stmt, tree pointer)
{
	gimple_stmt_iterator i = gsi_for_stmt(stmt);
	gimple *load;

	if (is_gimple_val(pointer))
		return unshare_expr(pointer);
	load = gimple_build_assign(make_ssa_name(TREE_TYPE(pointer)), unshare_expr(pointer));
	gimple_set_location(load, gimple_location(stmt));
	gsi_insert_before(&i, load, GSI_SAME_STMT);
	return gimple_assign_lhs(load);
}

void
targets_insert(gimple *stmt, tree pointer, int words)
{
	tree offset = build_int_cst(ptr_type_node, (HOST_WIDE_INT)words * 8);
	tree base = build_fold_addr_expr(tables_counters());
	tree word = build2(MEM_REF, build_nonstandard_integer_type(64, 1), base, offset);
	tree address = build_fold_addr_expr(word);
	gimple_stmt_iterator i = gsi_for_stmt(stmt);
	gimple *tell;

	/* The first words of the array have its address, but for a cast, which is no operand. */
	STRIP_NOPS(address);
	tell = gimple_build_call(runtime_procedure(), 2, address, operand_before(stmt, pointer));
	gimple_set_location(tell, gimple_location(stmt));
	gsi_insert_before(&i, tell, GSI_SAME_STMT);
}

/* ---- in line ---- */

/* By name: at link time (-flto) it is not the declaration that was made here. */
bool
targets_is_tell(gimple *stmt)
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

/* The address of a site's words, as a constant: as an operand in memory it would be kept in a
 * register over loops. */
static tree
first_word(tree words)
{
	poly_int64 offset = 0;
	tree base = get_addr_base_and_unit_offset(TREE_OPERAND(words, 0), &offset);
	tree type = build_nonstandard_integer_type(64, 1);
	tree at;

	gcc_assert(base && VAR_P(base) && offset.is_constant());
	at = build_int_cst(ptr_type_node, offset.to_constant());
	return build_fold_addr_expr(build2(MEM_REF, type, build_fold_addr_expr(base), at));
}

/* Instructions look at the words: the optimisers would think that statements could touch something
 * of the program's.
 *
 * The site's first target: compared, and counted in the next word. Another one: module.c has what
 * all sites of the target's register share. That is jumped to, since the procedure may have its
 * values right below the stack pointer, and goes on where r11 leads to; from the end of the
 * instruction in front of that it reads where the words are.
 *
 * The section tells the runtime where such words are, the symbol the assembler which registers
 * module.c's code is wanted for. */
static const char noting[] = "cmp{q\t%1, %%gs:%p0(%%rip)|\tQWORD PTR gs:%p0[rip], %1}\n"
			     "\tje\t1f\n"
			     "\tlea{q\t2f(%%rip), %%r11|\tr11, 2f[rip]}\n"
			     "\tjmp\t__cgview_beside_%V1\n"
			     "1:\tinc{q\t%%gs:%p0+8(%%rip)|\tQWORD PTR gs:%p0[rip+8]}\n"
			     "2:\n"
			     "\t.set\t.Lcgview_has_%V1, 1\n"
			     "\t.pushsection\tcgview_sites,\"a\",@progbits\n"
			     "\t.quad\t%p0+24 - .\n"
			     "\t.popsection";

static void
expand(gimple *tell)
{
	tree words = gimple_call_arg(tell, 0), target = gimple_call_arg(tell, 1);
	vec<tree, va_gc> *inputs = NULL, *clobbers = NULL;
	gimple_stmt_iterator i = gsi_for_stmt(tell);
	gasm *stmt;

	module_has_sites();
	vec_safe_push(inputs, operand("i", first_word(words)));
	vec_safe_push(inputs, operand("r", unshare_expr(target)));
	vec_safe_push(clobbers, clobber("r11"));
	vec_safe_push(clobbers, clobber("cc"));
	stmt = gimple_build_asm_vec(noting, inputs, NULL, clobbers, NULL);
	gimple_asm_set_volatile(stmt, true);
	gimple_asm_set_inline(stmt, true);
	gimple_set_location(stmt, gimple_location(tell));
	unlink_stmt_vdef(tell);
	gsi_replace(&i, stmt, true);
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
	/* Words that may be anywhere are not reached like this: they stay calls. */
	bool gate(function *) final override
	{
		return ix86_cmodel != CM_LARGE && ix86_cmodel != CM_LARGE_PIC;
	}
	unsigned int execute(function *fun) final override
	{
		auto_vec<gimple *> tells;
		basic_block bb;

		FOR_EACH_BB_FN(bb, fun)
			for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
				if (targets_is_tell(gsi_stmt(i)))
					tells.safe_push(gsi_stmt(i));
		for (unsigned i = 0; i < tells.length(); i++)
			expand(tells[i]);
		if (tells.is_empty())
			return 0;
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa_only_virtuals;
	}
};

opt_pass *
make_targets_pass(gcc::context *ctx)
{
	return new targets_pass(ctx);
}
