/* Loops that the front end of C++ makes over the elements of an array: to construct them, to copy
 * them, to end their lives. `S a[5];`, `delete[] p;` and the brace behind them are executed once,
 * not as often as there are elements: what stands in such a loop counts, for its lines and ranges,
 * as often as the loop is entered.
 *
 * What counts the rounds of it is a variable of the compiler's without a name. No loop of the
 * program's has one.
 */
#include "graph.h"

/* Is NEXT, in the next round, the nameless NOW and a step? */
static bool
is_next(tree now, tree next)
{
	gassign *step;

	if (virtual_operand_p(now) || SSA_NAME_IDENTIFIER(now) || TREE_CODE(next) != SSA_NAME)
		return false;
	step = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next));
	return step && gimple_num_ops(step) == 3 && gimple_assign_rhs1(step) == now;
}

/* Does BACK lead to the begin of such a loop? */
static bool
goes_to_next_element(edge back)
{
	if (!(back->flags & EDGE_DFS_BACK) || (back->flags & EDGE_COMPLEX))
		return false;
	for (gphi_iterator i = gsi_start_phis(back->dest); !gsi_end_p(i); gsi_next(&i))
		if (is_next(gimple_phi_result(i.phi()), PHI_ARG_DEF_FROM_EDGE(i.phi(), back)))
			return true;
	return false;
}

static bool
begins_loop(basic_block head)
{
	edge_iterator ei;
	edge e;

	FOR_EACH_EDGE(e, ei, head->preds)
		if (goes_to_next_element(e))
			return true;
	return false;
}

void
elements_enter(function *fun)
{
	auto_vec<edge> entries;
	edge_iterator ei;
	basic_block bb;
	edge e;

	mark_dfs_back_edges();
	FOR_EACH_BB_FN(bb, fun)
		if (begins_loop(bb))
			FOR_EACH_EDGE(e, ei, bb->preds)
				if (!(e->flags & (EDGE_DFS_BACK | EDGE_COMPLEX)))
					entries.safe_push(e);
	for (unsigned i = 0; i < entries.length(); i++)
		split_edge(entries[i]);
}

/* Puts what has not been put into a loop into the one that begins at HEAD: all from which control
 * comes back there. */
static void
add_loop(struct graph *g, basic_block head)
{
	struct element_loop *loop = new struct element_loop();
	int number = (int)g->element_loops.length();
	auto_vec<basic_block> work;
	edge_iterator ei;
	edge e;

	g->element_loops.safe_push(loop);
	g->in_loop[g->number[head->index]] = number;
	FOR_EACH_EDGE(e, ei, head->preds)
		if (e->flags & EDGE_DFS_BACK)
			work.safe_push(e->src);
	while (!work.is_empty()) {
		basic_block bb = work.pop();

		if (g->in_loop[g->number[bb->index]] >= 0)
			continue;
		g->in_loop[g->number[bb->index]] = number;
		FOR_EACH_EDGE(e, ei, bb->preds)
			work.safe_push(e->src);
	}
}

void
elements_find(struct graph *g, function *fun)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
	int nr = pre_and_rev_post_order_compute_fn(fun, NULL, order, false);

	for (unsigned b = 0; b < g->blocks.length(); b++)
		g->in_loop.safe_push(-1);
	for (int i = 0; i < nr; i++) { /* outer loops come first */
		basic_block head = BASIC_BLOCK_FOR_FN(fun, order[i]);

		if (begins_loop(head) && g->in_loop[g->number[order[i]]] < 0)
			add_loop(g, head);
	}
	free(order);
	for (unsigned b = 0; b < g->blocks.length(); b++)
		if (g->in_loop[b] >= 0)
			g->element_loops[g->in_loop[b]]->blocks.safe_push((int)b);
}

const struct element_loop *
elements_entered(const struct graph *g, int b)
{
	basic_block bb = g->blocks[b];
	int behind;

	if (g->in_loop[b] >= 0 || !single_succ_p(bb) ||
	    single_succ(bb) == EXIT_BLOCK_PTR_FOR_FN(cfun))
		return NULL;
	behind = g->in_loop[g->number[single_succ(bb)->index]];
	return behind >= 0 ? g->element_loops[behind] : NULL;
}
