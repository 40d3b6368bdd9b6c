/* Calls in tail position: they may become jumps, so nothing may be counted behind them.
 *
 * Only the return is behind them, and the handing on of what the call returned: the compiler makes
 * of `return c ? f(x) : g(x)` a call whose value goes into a variable of its own, where the arms
 * meet it is copied into another one, and that is returned. A variable of the program's is none of
 * this: its `return r` is a statement, which has not been executed as long as the call has not come
 * back.
 *
 * What wants a block of an allocator, or gives one back, is called in any case: by the return
 * address record --space knows who it is, and behind a jump that would be the caller of whoever
 * jumped. */
#include "graph.h"

enum { MAX_BLOCKS = 16 }; /* between a call and the return */

bool
is_trailer(gimple *stmt)
{
	return gimple_code(stmt) == GIMPLE_LABEL || gimple_code(stmt) == GIMPLE_RETURN ||
	       is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_NOP ||
	       (gimple_code(stmt) == GIMPLE_PREDICT && !operands_is_jump(stmt)) ||
	       gimple_clobber_p(stmt);
}

static bool
entered_abnormally(basic_block bb)
{
	edge_iterator ei;
	edge e;

	FOR_EACH_EDGE(e, ei, bb->preds)
		if (e->flags & EDGE_COMPLEX)
			return true;
	return false;
}

bool
stands_before_return(gimple_stmt_iterator i, basic_block bb)
{
	/* Without optimisation no call becomes a jump. */
	if (!flag_optimize_sibling_calls)
		return false;
	gsi_next(&i);
	for (;;) {
		for (; !gsi_end_p(i); gsi_next(&i))
			if (!is_trailer(gsi_stmt(i)))
				return false;
		if (!single_succ_p(bb) || (single_succ_edge(bb)->flags & EDGE_COMPLEX))
			return false;
		if (single_succ(bb) == EXIT_BLOCK_PTR_FOR_FN(cfun))
			return true;
		bb = single_succ(bb);
		if (!single_succ_p(bb) || single_succ(bb) != EXIT_BLOCK_PTR_FOR_FN(cfun) ||
		    entered_abnormally(bb))
			return false;
		i = gsi_start_bb(bb);
	}
}

static bool
is_compilers_own(tree name)
{
	return TREE_CODE(name) == SSA_NAME &&
	       (!SSA_NAME_VAR(name) || DECL_ARTIFICIAL(SSA_NAME_VAR(name)));
}

bool
hands_on(gimple *stmt)
{
	return gimple_assign_ssa_name_copy_p(stmt) && is_compilers_own(gimple_assign_lhs(stmt)) &&
	       is_compilers_own(gimple_assign_rhs1(stmt));
}

/* From I to the end of its block VALUE (NULL: none) is only handed on. */
static bool
handed_on_in_block(gimple_stmt_iterator i, tree *value)
{
	for (; !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (greturn *back = dyn_cast<greturn *>(stmt)) {
			if (gimple_return_retval(back) != *value)
				return false;
		} else if (hands_on(stmt) && gimple_assign_rhs1(stmt) == *value) {
			*value = gimple_assign_lhs(stmt);
		} else if (!is_trailer(stmt)) {
			return false;
		}
	}
	return true;
}

static tree
handed_on_by_edge(edge e, tree value)
{
	for (gphi_iterator i = gsi_start_phis(e->dest); !gsi_end_p(i); gsi_next(&i))
		if (value && PHI_ARG_DEF_FROM_EDGE(i.phi(), e) == value)
			return gimple_phi_result(i.phi());
	return value;
}

/* Does nothing follow the call at I but that its value is handed on and returned? */
static bool
hands_on_until_return(gimple_stmt_iterator i, basic_block bb)
{
	tree value = gimple_call_lhs(gsi_stmt(i));

	gsi_next(&i);
	for (int blocks = 0; blocks < MAX_BLOCKS; blocks++) {
		if (!handed_on_in_block(i, &value) || !single_succ_p(bb) ||
		    (single_succ_edge(bb)->flags & EDGE_COMPLEX))
			return false;
		if (single_succ(bb) == EXIT_BLOCK_PTR_FOR_FN(cfun))
			return true;
		value = handed_on_by_edge(single_succ_edge(bb), value);
		bb = single_succ(bb);
		if (entered_abnormally(bb))
			return false;
		i = gsi_start_bb(bb);
	}
	return false;
}

bool
tail_position(gimple_stmt_iterator i, basic_block bb)
{
	return stands_before_return(i, bb) ||
	       (flag_optimize_sibling_calls && hands_on_until_return(i, bb));
}

/* The last statement of BB that is neither a trailer nor hands on: if it is a call in tail position
 * true. */
static bool
ends_in_tail_call(basic_block bb)
{
	gimple_stmt_iterator i = gsi_last_bb(bb);

	while (!gsi_end_p(i) && (is_trailer(gsi_stmt(i)) || hands_on(gsi_stmt(i))))
		gsi_prev(&i);
	return !gsi_end_p(i) && is_gimple_call(gsi_stmt(i)) && tail_position(i, bb);
}

void
tail_note_behind(function *fun, hash_set<void *> *behind)
{
	basic_block bb, at;

	FOR_EACH_BB_FN(bb, fun)
	{
		if (!ends_in_tail_call(bb))
			continue;
		for (at = bb; single_succ(at) != EXIT_BLOCK_PTR_FOR_FN(fun); at = single_succ(at)) {
			behind->add(single_succ_edge(at));
			behind->add(single_succ(at));
		}
	}
}

/* ---- which calls may have become jumps ---- */

enum { MAGIC = 0x53564743, VERSION = 2 };

static vec<unsigned char> jumps;
static hash_set<nofree_string_hash> *noted;

static void
put_text(const char *text)
{
	put(&jumps, strlen(text));
	for (; *text; text++)
		jumps.safe_push((unsigned char)*text);
}

/* Returns the linkage name of the procedure itself; copies and parts of it have a dot and more
 * behind that. Heap. */
static char *
source_linkage_name(tree decl)
{
	char *name = xstrdup(linkage_name(decl));

	if (char *dot = strchr(name + (*name != '\0'), '.'))
		*dot = '\0';
	return name;
}

/* A table tells which procedures jump where: what they jump to is called, for whoever looks at the
 * stack, by the caller of the one that jumps. */
static void
note_jump(tree from, gcall *call)
{
	tree to = gimple_call_fndecl(call);
	char *text = to ? source_linkage_name(to) : type_signature(gimple_call_fntype(call));
	expanded_location at = expand_location(gimple_location(call));
	char *name = source_linkage_name(from);
	char *key = xasprintf("%s %d%s %d:%d", name, !to, text, at.line, at.column);

	if (!noted)
		noted = new hash_set<nofree_string_hash>;
	if (!noted->add(key)) {
		put_text(name);
		put(&jumps, !to);
		put_text(text);
		put(&jumps, at.line);
		put(&jumps, at.column);
	} else {
		free(key);
	}
	free(name);
	free(text);
}

/* The compiler makes a jump of no other call. */
static bool
may_jump(gimple *stmt)
{
	gcall *call = dyn_cast<gcall *>(stmt);

	return call && gimple_call_tail_p(call) && !gimple_call_internal_p(call);
}

static bool
must_return_here(gcall *call)
{
	tree to = gimple_call_fndecl(call);

	return to && (is_allocator(to) || is_disposer(to) || pools_is_hook(to)) &&
	       !gimple_call_must_tail_p(call);
}

static void
decide(tree from, gcall *call)
{
	if (must_return_here(call))
		gimple_call_set_tail(call, false);
	else
		note_jump(from, call);
}

static const pass_data tail_data = {
	GIMPLE_PASS, "cgview_tail", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class tail_pass : public gimple_opt_pass
{
      public:
	tail_pass(gcc::context *ctx) : gimple_opt_pass(tail_data, ctx)
	{
	}
	unsigned int execute(function *fun) final override
	{
		basic_block bb;

		FOR_EACH_BB_FN(bb, fun)
			for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
				if (may_jump(gsi_stmt(i)))
					decide(fun->decl, as_a<gcall *>(gsi_stmt(i)));
		return 0;
	}
};

opt_pass *
make_tail_pass(gcc::context *ctx)
{
	return new tail_pass(ctx);
}

void
tail_finish(void *, void *)
{
	struct table_head head = {"*.Lcgview_jumps", MAGIC, VERSION, 0, 0};
	auto_vec<tree> none;

	if (!noted || seen_error())
		return;
	head.number = (int)noted->elements();
	tables_write(&head, &none, &jumps);
}
