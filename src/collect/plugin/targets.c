/* Targets of calls through pointers (option targets).
 *
 * Each indirect call site has two words among the counters: a cache, where the runtime notes the
 * entry of its table that the site used last, and the number of calls that it could not note. The
 * call __cgview_target(words, target) before the call itself is made before inlining, so copies of
 * the site share its words, as they share its counters.
 */
#include "plugin.h"

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
	decl = build_fn_decl("__cgview_target", type);
	TREE_NOTHROW(decl) = 1;
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
	runtime_decl = decl;
	return decl;
}

/* What CALL is going to call, as an operand. */
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
	tree address = build2(MEM_REF, build_nonstandard_integer_type(64, 1), base, offset);
	gimple_stmt_iterator i = gsi_for_stmt(call);
	gimple *tell;

	tell = gimple_build_call(runtime_procedure(), 2, build_fold_addr_expr(address),
				 unshare_expr(target_of(call)));
	gimple_set_location(tell, gimple_location(call));
	gsi_insert_before(&i, tell, GSI_SAME_STMT);
}
