/* Procedures that come back for certain: no loop, no call that may not come back, nothing thrown.
 *
 * A call of one is like any other statement: nothing but the death of the thread, or a jump out
 * of a signal handler, keeps it from what stands behind it. So what stands behind needs no counter
 * of its own. A loop might never end; then what stands behind it must not seem to have been
 * executed.
 */
#include "plugin.h"

static hash_map<cgraph_node *, bool> *known; /* false also while it is being looked at */

static bool
has_loop(function *fun)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
	int nr = pre_and_rev_post_order_compute_fn(fun, NULL, order, false);
	auto_vec<int> place;
	bool back = false;
	edge_iterator ei;
	edge e;

	place.safe_grow_cleared(last_basic_block_for_fn(fun));
	for (int i = 0; i < nr; i++)
		place[order[i]] = i;
	for (int i = 0; i < nr; i++)
		FOR_EACH_EDGE(e, ei, BASIC_BLOCK_FOR_FN(fun, order[i])->succs)
	back |= e->dest != EXIT_BLOCK_PTR_FOR_FN(fun) && place[e->dest->index] <= i;
	free(order);
	return back;
}

static bool
goes_on(function *fun, gimple *stmt)
{
	if (operands_mark(stmt))
		return true;
	if (gcall *call = dyn_cast<gcall *>(stmt))
		return !(gimple_call_flags(call) & ECF_RETURNS_TWICE) &&
		       (call_returns(call) || call_comes_back(call));
	if (gasm *assembly = dyn_cast<gasm *>(stmt))
		return !*gimple_asm_string(assembly);
	return !stmt_could_throw_p(fun, stmt);
}

static bool
comes_back(function *fun)
{
	basic_block bb;
	edge_iterator ei;
	edge e;

	if (!fun || !fun->cfg || has_loop(fun))
		return false;
	FOR_EACH_BB_FN(bb, fun)
	{
		FOR_EACH_EDGE(e, ei, bb->succs)
			if (e->flags & EDGE_ABNORMAL)
				return false;
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (!goes_on(fun, gsi_stmt(i)))
				return false;
	}
	return true;
}

bool
call_comes_back(gcall *call)
{
	tree decl = gimple_call_fndecl(call);
	cgraph_node *node = decl ? cgraph_node::get(decl) : NULL;
	enum availability available;
	bool result;

	if (!node || (gimple_call_flags(call) & ECF_NORETURN))
		return false;
	node = node->ultimate_alias_target(&available);
	if (available <= AVAIL_INTERPOSABLE || node->thunk)
		return false;
	/* GCC may inline the body of C's extern inline; but another one is called. */
	if (DECL_EXTERNAL(node->decl))
		return false;
	if (!known)
		known = new hash_map<cgraph_node *, bool>;
	if (bool *before = known->get(node))
		return *before;
	known->put(node, false);
	result = comes_back(DECL_STRUCT_FUNCTION(node->decl));
	known->put(node, result);
	return result;
}
