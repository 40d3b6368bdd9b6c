/* Cost centres (Appel, Duba & MacQueen 1988; Waddell & Ashley 1999, section 4): a word of the
 * thread's, which the program itself keeps, tells whose time it is.
 *
 * A procedure sets it to the address of its first counter at entry, and again behind each call that
 * is not a tail call, where exceptions land, and where setjmp comes back. At exit nothing is done:
 * the caller sets its own. So a tail call stays a jump, and code that sets nothing (libraries, what
 * was not compiled with cgcc) is counted to its caller.
 *
 * What unprofiled code may call (a callback that is handed to a library, a handler of a signal)
 * sets back at its exit what it found at its entry: the code that it returns to would not. Unless
 * it ends in a tail call: that matters more.
 *
 * A procedure that the user leaves out behaves like a library, and better: it keeps what it found
 * and sets that again behind each of its calls, so that its callers have all of it,
 * also with what it does after it has called something profiled.
 *
 * The stores are volatile, as a sample can come at any time; the inliner copies them, so an inlined
 * procedure is counted like any other. The word is in static thread-local storage: one store in a
 * program, in a library its offset is loaded from a table first (initial-exec).
 */
#include "plugin.h"

/* The runtime's word. */
static tree current_decl;

static const struct ggc_root_tab roots[] = {
	{&current_decl, 1, sizeof(current_decl), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
	LAST_GGC_ROOT_TAB,
};

static tree
current_centre(void)
{
	tree decl = current_decl;

	if (decl)
		return decl;
	register_callback("cgview", PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *)roots);
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("__cgview_current"),
			  ptr_type_node);
	DECL_EXTERNAL(decl) = 1;
	TREE_PUBLIC(decl) = 1;
	TREE_STATIC(decl) = 0;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	TREE_USED(decl) = 1;
	TREE_ADDRESSABLE(decl) = 1;
	TREE_THIS_VOLATILE(decl) = 1;
	TREE_SIDE_EFFECTS(decl) = 1;
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier("__cgview_current"));
	set_decl_tls_model(decl, flag_shlib ? TLS_MODEL_INITIAL_EXEC : TLS_MODEL_LOCAL_EXEC);
	current_decl = decl;
	return decl;
}

/* ---- which calls ---- */

/* Procedures that the compiler knows and libc does by itself call nothing of the program's. But the
 * program's own procedures may allocate memory. */
static bool
leaves_centre(gcall *call)
{
	int flags = gimple_call_flags(call);
	tree decl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		return true;
	if (!decl || !fndecl_built_in_p(decl, BUILT_IN_NORMAL) || !(flags & ECF_LEAF))
		return false;
	switch (DECL_FUNCTION_CODE(decl)) {
	case BUILT_IN_MALLOC:
	case BUILT_IN_CALLOC:
	case BUILT_IN_REALLOC:
	case BUILT_IN_ALIGNED_ALLOC:
	case BUILT_IN_POSIX_MEMALIGN:
	case BUILT_IN_FREE:
	case BUILT_IN_STRDUP:
	case BUILT_IN_STRNDUP:
		return false;
	default:
		return true;
	}
}

static bool
must_set_after(gimple_stmt_iterator i, basic_block bb)
{
	gcall *call = dyn_cast<gcall *>(gsi_stmt(i));

	return call && !operands_mark(call) && !(gimple_call_flags(call) & ECF_NORETURN) &&
	       !leaves_centre(call) && !tail_position(i, bb);
}

static bool
is_own_call(gcall *call, function *fun)
{
	return gimple_call_fndecl(call) == fun->decl && targetm.binds_local_p(fun->decl);
}

/* Where FUN returns the centre is its own, as the last thing it did was to set it: unless it left
 * by a jump to another procedure. */
static bool
comes_back_as_itself(function *fun)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(i));

			if (call && !operands_mark(call) && !leaves_centre(call) &&
			    tail_position(i, bb) && !is_own_call(call, fun))
				return false;
		}
	return true;
}

/* ---- what unprofiled code calls ---- */

/* Procedures that are an argument of a call, and the procedures called. */
struct handed {
	tree procedure, to;
};
static vec<handed> all_handed;

void
centre_note_arguments(gcall *call)
{
	tree to = gimple_call_fndecl(call);

	for (unsigned i = 0; to && i < gimple_call_num_args(call); i++) {
		tree arg = gimple_call_arg(call, i);

		if (TREE_CODE(arg) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(arg, 0)) == FUNCTION_DECL)
			all_handed.safe_push((struct handed){TREE_OPERAND(arg, 0), to});
	}
}

/* Asked only when all of the unit is known. */
static bool
handed_outside(tree decl)
{
	static hash_set<tree> *outside;

	if (!outside)
		outside = new hash_set<tree>;
	while (!all_handed.is_empty()) {
		struct handed h = all_handed.pop();
		cgraph_node *to = cgraph_node::get(h.to);

		if (!to || !to->definition)
			outside->add(h.procedure);
	}
	return outside->contains(decl);
}

/* void (int), void (int, siginfo_t *, void *) */
static bool
looks_like_handler(tree decl)
{
	tree arg = TYPE_ARG_TYPES(TREE_TYPE(decl));
	int nr = 0;

	if (!VOID_TYPE_P(TREE_TYPE(TREE_TYPE(decl))) || !arg ||
	    TYPE_MAIN_VARIANT(TREE_VALUE(arg)) != integer_type_node)
		return false;
	for (arg = TREE_CHAIN(arg); arg && !VOID_TYPE_P(TREE_VALUE(arg)); arg = TREE_CHAIN(arg)) {
		if (!POINTER_TYPE_P(TREE_VALUE(arg)))
			return false;
		nr++;
	}
	return nr == 0 || nr == 2;
}

static bool
ends_in_call(function *fun)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (is_gimple_call(gsi_stmt(i)) && !operands_mark(gsi_stmt(i)) &&
			    tail_position(i, bb))
				return true;
	return false;
}

static bool
called_from_outside(tree decl)
{
	return handed_outside(decl) ||
	       (looks_like_handler(decl) && tables_address_taken(cgraph_node::get(decl)));
}

void
centre_look(function *fun, struct centre_plan *plan)
{
	bool itself = comes_back_as_itself(fun);
	basic_block bb;

	plan->hands_back = called_from_outside(fun->decl) && !ends_in_call(fun);

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (must_set_after(i, bb) &&
			    !(itself && is_own_call(as_a<gcall *>(gsi_stmt(i)), fun)))
				plan->calls.safe_push(as_a<gcall *>(gsi_stmt(i)));
}

/* ---- inserting ---- */

static gimple *
set_centre(tree value, location_t loc)
{
	gimple *stmt = gimple_build_assign(current_centre(), value);

	gimple_set_location(stmt, loc);
	return stmt;
}

static void
insert_after_call(gcall *call, tree value)
{
	gimple_stmt_iterator i = gsi_for_stmt(call);
	gimple *stmt = set_centre(value, gimple_location(call));
	edge e;
	edge_iterator ei;

	if (!stmt_ends_bb_p(call)) {
		gsi_insert_after(&i, stmt, GSI_SAME_STMT);
		return;
	}
	FOR_EACH_EDGE(e, ei, gimple_bb(call)->succs)
		if (!(e->flags & (EDGE_ABNORMAL | EDGE_EH | EDGE_FAKE)) &&
		    e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun))
			gsi_insert_on_edge(e, gimple_copy(stmt));
}

/* Control comes here from within a call, past the place behind it. */
static bool
is_landing(basic_block bb)
{
	edge e;
	edge_iterator ei;
	gimple *first = first_stmt(bb);
	glabel *label = first ? dyn_cast<glabel *>(first) : NULL;

	if (label && DECL_NONLOCAL(gimple_label_label(label)))
		return true;
	FOR_EACH_EDGE(e, ei, bb->preds)
		if (e->flags & EDGE_EH)
			return true;
	return false;
}

static void
insert_everywhere(function *fun, tree value, const vec<gcall *> *calls)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		if (is_landing(bb)) {
			gimple_stmt_iterator i = gsi_after_labels(bb);

			gsi_insert_before(&i, set_centre(value, UNKNOWN_LOCATION), GSI_SAME_STMT);
		}
	for (unsigned i = 0; i < calls->length(); i++)
		insert_after_call((*calls)[i], value);
	gsi_commit_edge_inserts();
}

static void
insert_at_entry(function *fun, gimple *stmt)
{
	edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
	gimple_stmt_iterator i;

	gimple_set_location(stmt, DECL_SOURCE_LOCATION(fun->decl));
	if (!single_pred_p(entry->dest))
		split_edge(entry);
	i = gsi_after_labels(single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)));
	gsi_insert_before(&i, stmt, GSI_SAME_STMT);
}

/* The address of the counter, which is a number for the linker. */
static tree
centre_of(int counter)
{
	tree counters = tables_counters();
	tree ref = build4(ARRAY_REF, TREE_TYPE(TREE_TYPE(counters)), counters,
			  build_int_cst(sizetype, counter), NULL_TREE, NULL_TREE);

	return build1(ADDR_EXPR, ptr_type_node, ref);
}

/* The centre as it is at entry. */
static tree
insert_load(function *fun)
{
	tree found = make_ssa_name(ptr_type_node);
	gimple *load = gimple_build_assign(found, current_centre());

	SSA_NAME_DEF_STMT(found) = load;
	insert_at_entry(fun, load);
	return found;
}

static void
insert_at_returns(tree value)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, EXIT_BLOCK_PTR_FOR_FN(cfun)->preds)
	{
		gimple_stmt_iterator i = gsi_last_bb(e->src);

		if (!gsi_end_p(i) && gimple_code(gsi_stmt(i)) == GIMPLE_RETURN)
			gsi_insert_before(&i, set_centre(value, gimple_location(gsi_stmt(i))),
					  GSI_SAME_STMT);
	}
}

void
centre_keep(function *fun, int first, const struct centre_plan *plan)
{
	insert_everywhere(fun, centre_of(first), &plan->calls);
	insert_at_entry(fun, set_centre(centre_of(first), UNKNOWN_LOCATION));
	if (plan->hands_back)
		insert_at_returns(insert_load(fun));
}

void
centre_pass_on(function *fun)
{
	auto_vec<gcall *> calls;
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (must_set_after(i, bb))
				calls.safe_push(as_a<gcall *>(gsi_stmt(i)));
	if (calls.is_empty())
		return;
	insert_everywhere(fun, insert_load(fun), &calls);
}
