/* A guess of how often each block runs, to put the counters where they cost least (the counts are
 * right whatever is guessed). Branches by the rules of Ball & Larus (1993) that matter most, and by
 * what the front end has noted (early return, goto, __builtin_expect); loops go round eight times.
 */
#include "graph.h"

static bool
noted_unlikely(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (gimple_code(gsi_stmt(i)) == GIMPLE_PREDICT)
			return gimple_predict_outcome(gsi_stmt(i)) == NOT_TAKEN;
	return false;
}

/* __builtin_expect(x, value) != 0: 1 it is expected to hold, 0 not to, -1 nothing is expected. */
static int
expected(tree operand)
{
	gcall *call;

	if (TREE_CODE(operand) != SSA_NAME)
		return -1;
	call = dyn_cast<gcall *>(SSA_NAME_DEF_STMT(operand));
	if (call && gimple_call_builtin_p(call, BUILT_IN_EXPECT) &&
	    TREE_CODE(gimple_call_arg(call, 1)) == INTEGER_CST)
		return !integer_zerop(gimple_call_arg(call, 1));
	if (is_gimple_assign(SSA_NAME_DEF_STMT(operand)) &&
	    gimple_assign_cast_p(SSA_NAME_DEF_STMT(operand)))
		return expected(gimple_assign_rhs1(SSA_NAME_DEF_STMT(operand)));
	return -1;
}

/* How likely a condition is to hold, by its operator and operands. */
static double
holds(gcond *cond)
{
	tree left = gimple_cond_lhs(cond), right = gimple_cond_rhs(cond);
	bool zero = integer_zerop(right);
	int hint = zero ? expected(left) : -1;

	switch (gimple_cond_code(cond)) {
	case NE_EXPR:
		if (hint >= 0)
			return hint ? 0.98 : 0.02;
		return POINTER_TYPE_P(TREE_TYPE(left)) ? 0.7 : 0.6;
	case EQ_EXPR:
		if (hint >= 0)
			return hint ? 0.02 : 0.98;
		return POINTER_TYPE_P(TREE_TYPE(left)) ? 0.3 : 0.4;
	case LT_EXPR:
	case LE_EXPR:
		return zero ? 0.3 : 0.5;
	case GT_EXPR:
	case GE_EXPR:
		return zero ? 0.7 : 0.5;
	default:
		return 0.5;
	}
}

static double
likelihood(edge e)
{
	gcond *cond = safe_dyn_cast<gcond *>(api_last_stmt(e->src));
	double p = 1;

	if (cond)
		p = e->flags & EDGE_TRUE_VALUE ? holds(cond) : 1 - holds(cond);
	if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
		return p;
	if (EDGE_COUNT(e->dest->succs) == 0)
		p *= 0.01;
	if (noted_unlikely(e->dest))
		p *= 0.3;
	if (bb_loop_depth(e->dest) < bb_loop_depth(e->src))
		p *= 0.15;
	return p;
}

/* What is known of each block, by its index. */
struct guess {
	auto_vec<double> frequency;
	auto_vec<double> all; /* likelihoods of its successors together; 0: not added up yet */
};

/* The part of what runs E's source that takes E. A switch has thousands of successors: what they
 * have together is added up once. */
static double
share(struct guess *g, edge e)
{
	double *all = &g->all[e->src->index];
	edge_iterator ei;
	edge other;

	if (*all <= 0)
		FOR_EACH_EDGE(other, ei, e->src->succs)
			*all += likelihood(other);
	return *all > 0 ? likelihood(e) / *all : 0;
}

static double
arrives(struct guess *g, basic_block bb)
{
	double sum = 0;
	edge_iterator ei;
	edge e;

	FOR_EACH_EDGE(e, ei, bb->preds)
	{
		if (e->flags & EDGE_DFS_BACK)
			continue;
		sum += e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun)
			       ? 1
			       : g->frequency[e->src->index] * share(g, e);
	}
	if (bb->loop_father && bb->loop_father->header == bb && bb_loop_depth(bb) > 0 && sum < 1e12)
		sum *= 8;
	return sum;
}

/* Behind a condition and before a join: a counter on E needs a block of its own, with a jump back.
 * (Not so where GCC puts loops and switches in order anyhow.) */
static bool
needs_jump(edge e)
{
	return EDGE_COUNT(e->src->succs) == 2 && EDGE_COUNT(e->dest->preds) > 1 &&
	       !(e->flags & EDGE_DFS_BACK) && bb_loop_depth(e->dest) >= bb_loop_depth(e->src);
}

void
guess_weights(struct graph *g, function *fun)
{
	hash_set<void *> behind;
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
	int nr = pre_and_rev_post_order_compute_fn(fun, NULL, order, false);
	struct guess guess;

	tail_note_behind(fun, &behind);
	loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
	guess.frequency.safe_grow_cleared(last_basic_block_for_fn(fun));
	guess.all.safe_grow_cleared(last_basic_block_for_fn(fun));
	for (int i = 0; i < nr; i++)
		guess.frequency[order[i]] = arrives(&guess, BASIC_BLOCK_FOR_FN(fun, order[i]));
	for (unsigned i = 0; i < g->arcs.length(); i++) {
		struct arc *a = &g->arcs[i];

		a->weight = a->e ? guess.frequency[a->e->src->index] * share(&guess, a->e)
				 : guess.frequency[a->block->index];
		if (a->e && needs_jump(a->e))
			a->weight *= 2; /* instructions */
		if (behind.contains(a->e ? (void *)a->e : (void *)a->block))
			a->weight = NEVER;
	}
	loop_optimizer_finalize();
	free(order);
}
