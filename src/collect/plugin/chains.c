/* Chains: blocks that do nothing but count, and go to the same place, follow on each other.
 *
 * A counter on an edge to a join has a block of its own, which jumps there: eight bytes of counter
 * and two to five of jump, for each of the conditions that lead to the same `return`. Let the first
 * of two such blocks go to the second in place of the join: it needs no jump when it stands right
 * before it. What comes from the first is then counted by both, so the first one's counter becomes
 * a joint one, of its own counter and of the second's with the factor -1. There are as many
 * increments as before; who comes from the first executes one in place of a jump.
 *
 * The block that runs most by the compiler's guess is the last of a chain. Nothing but increments
 * lies between the first of a chain and the join, so what coalesce.c says of straight-line code
 * holds here. There are no chains in front of the head of a loop, as that would then begin in the
 * chain.
 */
#include "plugin.h"

#include <algorithm>

enum {
	LONGEST = 3,	/* blocks of a chain */
	MOST_ENDS = 32, /* chains that one more block is tried with */
};

struct stub {
	basic_block bb;
	double weight;		     /* how often it is executed, by the compiler's guess */
	auto_vec<joint_part> counts; /* what it counts */
	gimple *first;		     /* increment */
	struct stub *last;	     /* of its chain, which goes to the join */
	int place;		     /* in its chain, from the end */
};

/* Takes what BB counts; false: that is not all that it does, or it must stay as it is. A block that
 * tells the debugger where a variable is would tell that to who comes from another one. */
static bool
look_at(struct stub *s, basic_block bb)
{
	s->bb = bb;
	s->first = NULL;
	s->last = s;
	s->place = 0;
	if (!single_pred_p(bb) || !single_succ_p(bb) ||
	    ((single_pred_edge(bb)->flags | single_succ_edge(bb)->flags) & EDGE_COMPLEX) ||
	    !gimple_seq_empty_p(phi_nodes(bb)))
		return false;
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		struct joint_part part = {NULL_TREE, 0, 1};
		gimple *stmt = gsi_stmt(i);

		if (glabel *label = dyn_cast<glabel *>(stmt)) {
			tree name = gimple_label_label(label);

			if (FORCED_LABEL(name) || DECL_NONLOCAL(name))
				return false;
			continue;
		}
		if (is_gimple_debug(stmt) && !gimple_debug_bind_p(stmt))
			continue;
		if (!is_increment(stmt) || increment_is_sum(stmt))
			return false;
		part.array = increment_counter(stmt, &part.number);
		if (!part.array)
			return false;
		s->counts.safe_push(part);
		s->first = s->first ? s->first : stmt;
	}
	s->weight = bb->count.initialized_p() ? (double)bb->count.to_gcov_type() : 0;
	return s->first != NULL;
}

/* Does the join get the same values from both? */
static bool
hand_on_the_same(const struct stub *a, const struct stub *b)
{
	edge from_a = single_succ_edge(a->bb), from_b = single_succ_edge(b->bb);

	for (gphi_iterator i = gsi_start_phis(from_a->dest); !gsi_end_p(i); gsi_next(&i))
		if (!virtual_operand_p(gimple_phi_result(i.phi())) &&
		    !operand_equal_p(PHI_ARG_DEF_FROM_EDGE(i.phi(), from_a),
				     PHI_ARG_DEF_FROM_EDGE(i.phi(), from_b), 0))
			return false;
	return true;
}

/* What comes from A is counted by B too. */
static void
count_less(struct stub *a, const struct stub *b)
{
	gimple_stmt_iterator i = gsi_for_stmt(a->first);
	location_t place = gimple_location(a->first);
	auto_vec<joint_part> parts;
	int number;

	parts.safe_push(a->counts[0]);
	for (unsigned k = 0; k < b->counts.length(); k++) {
		parts.safe_push(b->counts[k]);
		parts.last().factor = -1;
	}
	joint_normalise(&parts);
	if (!parts.is_empty()) {
		number = joint_counter(JOINT_LATE, &parts);
		gsi_insert_before(&i,
				  increment_build(joint_counters(JOINT_LATE), number, place),
				  GSI_SAME_STMT);
	}
	increment_remove(&i);
}

/* All of the chain behind A is executed for it, too. */
static void
go_to(struct stub *a, struct stub *b, basic_block join)
{
	edge e = single_succ_edge(a->bb);

	count_less(a, b);
	e = redirect_edge_and_branch(e, b->bb);
	gcc_assert(e);
	redirect_edge_var_map_clear(e);
	for (basic_block bb = b->bb; bb != join; bb = single_succ(bb))
		if (bb->count.initialized_p() && a->bb->count.initialized_p())
			bb->count += a->bb->count;
}

static bool
runs_more(const struct stub *a, const struct stub *b)
{
	return a->weight != b->weight ? a->weight > b->weight : a->bb->index > b->bb->index;
}

static bool
is_loop_head(basic_block bb)
{
	edge_iterator ei;
	edge e;

	FOR_EACH_EDGE(e, ei, bb->preds)
		if (e->flags & EDGE_DFS_BACK)
			return true;
	return false;
}

/* Returns the number of one of ENDS, the first blocks of chains as yet, that A can go to; -1: there
 * is none. */
static int
find_end(const vec<stub *> *ends, const struct stub *a)
{
	int nr = (int)ends->length();

	for (int i = nr - 1; i >= 0 && i >= nr - MOST_ENDS; i--)
		if (hand_on_the_same(a, (*ends)[i]->last))
			return i;
	return -1;
}

/* STUBS all go to JOIN. Returns whether any now goes to another one. */
static bool
make_chains(vec<stub *> *stubs, basic_block join)
{
	auto_vec<stub *> ends;
	bool any = false;

	std::sort(stubs->begin(), stubs->end(), runs_more);
	for (unsigned i = 0; i < stubs->length(); i++) {
		struct stub *a = (*stubs)[i];
		int end = find_end(&ends, a);

		if (end < 0) {
			ends.safe_push(a);
			continue;
		}
		a->last = ends[end]->last;
		a->place = ends[end]->place + 1;
		go_to(a, ends[end], join);
		any = true;
		if (a->place + 1 < LONGEST)
			ends[end] = a;
		else
			ends.ordered_remove(end);
	}
	return any;
}

static bool
chain_before(basic_block join)
{
	auto_delete_vec<stub> stubs;
	edge_iterator ei;
	edge e;

	if (EDGE_COUNT(join->preds) < 2 || is_loop_head(join))
		return false;
	FOR_EACH_EDGE(e, ei, join->preds) {
		struct stub *s = new stub();

		if (e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) && look_at(s, e->src))
			stubs.safe_push(s);
		else
			delete s;
	}
	return stubs.length() > 1 && make_chains(&stubs, join);
}

static bool
chain(function *fun)
{
	bool any = false;
	basic_block bb;

	mark_dfs_back_edges();
	FOR_EACH_BB_FN(bb, fun)
		any |= chain_before(bb);
	if (!any)
		return false;
	free_dominance_info(CDI_DOMINATORS);
	if (current_loops)
		loops_state_set(LOOPS_NEED_FIXUP);
	return true;
}

static const pass_data chains_data = {
	GIMPLE_PASS, "cgview_chains", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class chains_pass : public gimple_opt_pass
{
      public:
	chains_pass(gcc::context *ctx) : gimple_opt_pass(chains_data, ctx)
	{
	}
	bool gate(function *) final override
	{
		return optimize && options.mode == MODE_TREE && options.joint[JOINT_LATE];
	}
	unsigned int execute(function *fun) final override
	{
		if (!chain(fun))
			return 0;
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa_only_virtuals;
	}
};

opt_pass *
make_chains_pass(gcc::context *ctx)
{
	return new chains_pass(ctx);
}
