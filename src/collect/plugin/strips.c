/* Strips: a loop goes round so many times at most until it is left, and is entered again.
 *
 *     left = total                      TOTAL: how often it goes back to its begin
 *   strip:
 *     back = MIN (left, MOST - 1)
 *     do { ... } while (back--)         the loop: to the optimisers as countable as it was
 *     if (left >= MOST) { left -= MOST; goto strip }
 *
 * What the loop hands from round to round goes from strip to strip in the same way.
 */
#include "plugin.h"

enum {
	LEAST_PRECISION = 16, /* bits that MOST needs */
	LANES = 16, /* a strip of so many rounds, or a multiple, leaves no rest of vectors */
};

static bool
is_plain(tree name)
{
	return TREE_CODE(name) != SSA_NAME || !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name);
}

static bool
hands_on_plainly(class loop *loop)
{
	for (gphi_iterator i = gsi_start_phis(loop->header); !gsi_end_p(i); gsi_next(&i)) {
		gphi *phi = i.phi();

		if (!is_plain(gimple_phi_result(phi)) ||
		    !is_plain(PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop))) ||
		    !is_plain(PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop))))
			return false;
	}
	return true;
}

/* A division where the loop is entered may cost more than the loop does. */
static bool
is_cheap(tree t)
{
	if (TREE_CODE(t) == SSA_NAME || CONSTANT_CLASS_P(t))
		return true;
	if (TREE_CODE_CLASS(TREE_CODE(t)) == tcc_unary)
		return is_cheap(TREE_OPERAND(t, 0));
	if (TREE_CODE_CLASS(TREE_CODE(t)) != tcc_binary)
		return false;
	switch (TREE_CODE(t)) {
	case TRUNC_DIV_EXPR:
	case FLOOR_DIV_EXPR:
	case EXACT_DIV_EXPR:
		return integer_pow2p(TREE_OPERAND(t, 1)) && is_cheap(TREE_OPERAND(t, 0));
	case TRUNC_MOD_EXPR:
	case FLOOR_MOD_EXPR:
		return false;
	default:
		return is_cheap(TREE_OPERAND(t, 0)) && is_cheap(TREE_OPERAND(t, 1));
	}
}

bool
strips_suit(class loop *loop, edge exit, const class tree_niter_desc *times)
{
	tree type = TREE_TYPE(times->niter);
	gimple *last = api_last_stmt(exit->src);

	return last && gimple_code(last) == GIMPLE_COND && single_pred_p(loop->latch) &&
	       single_pred(loop->latch) == exit->src && empty_block_p(loop->latch) &&
	       INTEGRAL_TYPE_P(type) && TYPE_UNSIGNED(type) &&
	       TYPE_PRECISION(type) >= LEAST_PRECISION && TYPE_PRECISION(type) <= BITS_PER_WORD &&
	       is_cheap(times->niter) && hands_on_plainly(loop);
}

/* How often it goes back to its begin. */
static tree
find_total(class loop *loop, const class tree_niter_desc *times)
{
	tree type = TREE_TYPE(times->niter), total = unshare_expr(times->niter);
	gimple_seq stmts = NULL;

	if (times->may_be_zero && !integer_zerop(times->may_be_zero))
		total = fold_build3(COND_EXPR, type, unshare_expr(times->may_be_zero),
				    build_zero_cst(type), total);
	total = force_gimple_operand(total, &stmts, true, NULL_TREE);
	if (stmts)
		gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), stmts);
	return total;
}

/* Strips all alike of a number of rounds that is known have a constant length, without which GCC
 * makes no vectors at -O2. */
static unsigned HOST_WIDE_INT
even_length(tree total, unsigned most)
{
	unsigned HOST_WIDE_INT rounds = tree_to_uhwi(total) + 1;

	for (unsigned lanes = LANES; rounds && lanes > 1; lanes /= 2)
		for (unsigned length = most - most % lanes; length && length >= most / 4;
		     length -= lanes)
			if (rounds % length == 0)
				return length;
	return 0;
}

/* How often a strip goes back to its begin. */
static tree
back_in_strip(basic_block strip, tree total, tree left, unsigned most)
{
	tree type = TREE_TYPE(total), back, limit;
	unsigned HOST_WIDE_INT even = 0;
	gimple_stmt_iterator end = gsi_last_bb(strip);

	if (TREE_CODE(total) == INTEGER_CST)
		even = even_length(total, most);
	limit = build_int_cst(type, (HOST_WIDE_INT)(even ? even : most) - 1);
	if (even)
		return limit;
	back = make_ssa_name(type);
	gsi_insert_after(&end, gimple_build_assign(back, MIN_EXPR, left, limit), GSI_NEW_STMT);
	return back;
}

/* LOOP is left when it has gone back BACK times. */
static void
count_down(class loop *loop, edge exit, tree back)
{
	tree type = TREE_TYPE(back), now = make_ssa_name(type), next = make_ssa_name(type);
	gphi *phi = create_phi_node(now, loop->header);
	gimple_stmt_iterator end = gsi_last_bb(exit->src);
	gcond *cond = as_a<gcond *>(gsi_stmt(end));

	gsi_insert_before(&end, gimple_build_assign(next, MINUS_EXPR, now, build_one_cst(type)),
			  GSI_SAME_STMT);
	add_phi_arg(phi, back, loop_preheader_edge(loop), UNKNOWN_LOCATION);
	add_phi_arg(phi, next, loop_latch_edge(loop), UNKNOWN_LOCATION);
	gimple_cond_set_condition(cond, exit->flags & EDGE_TRUE_VALUE ? EQ_EXPR : NE_EXPR, now,
				  build_zero_cst(type));
	update_stmt(cond);
}

/* What LOOP hands on passes STRIP, the block in front of it, too; it comes there by AGAIN from the
 * strip before. */
static void
hand_on(class loop *loop, basic_block strip, edge again)
{
	edge in = loop_preheader_edge(loop), first = NULL, e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, strip->preds)
		if (e != again)
			first = e;
	for (gphi_iterator i = gsi_start_phis(loop->header); !gsi_end_p(i); gsi_next(&i)) {
		gphi *phi = i.phi(), *outer;
		tree result = gimple_phi_result(phi), handed;

		if (virtual_operand_p(result))
			continue;
		handed = copy_ssa_name(result);
		outer = create_phi_node(handed, strip);
		add_phi_arg(outer, PHI_ARG_DEF_FROM_EDGE(phi, in), first, UNKNOWN_LOCATION);
		add_phi_arg(outer, PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop)), again,
			    UNKNOWN_LOCATION);
		SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(phi, in), handed);
	}
}

/* Behind a strip, in the block BEHIND: to the next one at STRIP, unless it was the last. Returns
 * the edge there. */
static edge
go_on(basic_block behind, basic_block strip, tree left, tree back)
{
	edge out = single_succ_edge(behind), again;
	gimple_stmt_iterator end = gsi_last_bb(behind);

	gsi_insert_after(&end, gimple_build_cond(EQ_EXPR, left, back, NULL_TREE, NULL_TREE),
			 GSI_NEW_STMT);
	again = make_edge(behind, strip, EDGE_FALSE_VALUE);
	again->probability = profile_probability::very_unlikely();
	out->flags = (out->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
	out->probability = again->probability.invert();
	return single_succ_edge(split_edge(again));
}

struct strips
strips_make(class loop *loop, edge exit, const class tree_niter_desc *times, unsigned most)
{
	tree total = find_total(loop, times), type = TREE_TYPE(total), back, step;
	tree left = make_ssa_name(type), next = make_ssa_name(type);
	basic_block strip = split_edge(loop_preheader_edge(loop)), behind;
	edge first = single_pred_edge(strip), again;
	gphi *phi;
	gimple_stmt_iterator end;

	back = back_in_strip(strip, total, left, most);
	behind = split_edge(exit);
	again = go_on(behind, strip, left, back);
	hand_on(loop, strip, again);
	count_down(loop, exit, back);
	phi = create_phi_node(left, strip);
	add_phi_arg(phi, total, first, UNKNOWN_LOCATION);
	add_phi_arg(phi, next, again, UNKNOWN_LOCATION);
	step = TREE_CODE(back) == INTEGER_CST
		       ? fold_build2(PLUS_EXPR, type, back, build_one_cst(type))
		       : build_int_cst(type, most);
	end = gsi_last_bb(again->src);
	gsi_insert_after(&end, gimple_build_assign(next, MINUS_EXPR, left, step), GSI_NEW_STMT);
	free_numbers_of_iterations_estimates(loop);
	loop->nb_iterations = NULL_TREE;
	loops_state_set(LOOPS_NEED_FIXUP);
	return (struct strips){first, EDGE_SUCC(behind, 0)};
}
