/* Counters on the edges outside of a maximum spanning tree, and the notes for the tables.
 *
 * Graph (Knuth; Ball & Larus 1994; docs/formats.md): each block is an arc from its begin to its
 * end, a root stands for everything outside of the procedure. Whatever cannot carry a counter
 * (entry, return, abnormal and exception edges, a call that does not come back) is an arc from or
 * to the root and always in the tree; there is at most one from the root to each begin and one from
 * each end to the root, so they never form a cycle. Kruskal adds the heaviest of the rest; what is
 * left over gets a counter. All counts follow by Kirchhoff's law. A block is split behind every
 * call that may not come back: what was executed is exact even if it never does.
 */
#include "graph.h"

#include <fnmatch.h>

#include <algorithm>

static const pass_data count_data = {
	GIMPLE_PASS, "cgview_count",  OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0,
	0,	     TODO_update_ssa,
};

/* ---- which procedures ---- */

bool
is_named(tree decl, const vec<char *> *globs)
{
	const char *name = IDENTIFIER_POINTER(DECL_NAME(decl));
	const char *file = DECL_SOURCE_FILE(decl);

	for (unsigned i = 0; i < globs->length(); i++)
		if (!fnmatch((*globs)[i], name, 0) || !fnmatch((*globs)[i], file, 0))
			return true;
	return false;
}

static bool
is_resolver(tree decl)
{
	cgraph_node *node = cgraph_node::get(decl);

	return node && node->dispatcher_function;
}

/* Does a system header define DECL only to be inlined (extern templates, extern inline)? At each
 * level another part of its calls runs the library's body, so its count would be a matter of
 * chance. What is always inlined is counted, and so is the program's own, which has its body
 * somewhere. */
static bool
is_librarys(tree decl)
{
	return DECL_EXTERNAL(decl) && DECL_IN_SYSTEM_HEADER(decl) &&
	       !lookup_attribute("always_inline", DECL_ATTRIBUTES(decl));
}

static enum left_out_reason
reason_to_leave_out(tree decl)
{
	static const struct {
		const char *attribute;
		enum left_out_reason reason;
	} attributes[] = {
		{"naked", LEFT_OUT_NAKED},
		{"no_instrument_function", LEFT_OUT_ATTRIBUTE},
		{"no_profile_instrument_function", LEFT_OUT_ATTRIBUTE},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(attributes); i++)
		if (lookup_attribute(attributes[i].attribute, DECL_ATTRIBUTES(decl)))
			return attributes[i].reason;
	if (is_named(decl, &options.exclude))
		return LEFT_OUT_OPTION;
	return is_librarys(decl) ? LEFT_OUT_LIBRARY : LEFT_OUT_NOT;
}

/* Code of the source that may be touched at all. */
static bool
may_touch(tree decl)
{
	return !in_lto_p && !tables_emitted() && DECL_NAME(decl) && !is_resolver(decl);
}

bool
is_counted(tree decl)
{
	return may_touch(decl) && reason_to_leave_out(decl) == LEFT_OUT_NOT;
}

/* ---- preparing the CFG ---- */

/* The end of a variable's life is nothing that could be counted; nor is the front end's guess. */
static bool
is_nothing(gimple *stmt)
{
	return is_gimple_debug(stmt) || gimple_clobber_p(stmt) || operands_is_guess(stmt);
}

static bool
ends_block(gimple_stmt_iterator i)
{
	for (gsi_next(&i); !gsi_end_p(i); gsi_next(&i))
		if (!is_nothing(gsi_stmt(i)))
			return false;
	return true;
}

static gimple_stmt_iterator
last_thing(basic_block bb)
{
	gimple_stmt_iterator i = gsi_last_bb(bb);

	while (!gsi_end_p(i) && is_nothing(gsi_stmt(i)))
		gsi_prev(&i);
	return i;
}

/* The last statement of BB, if it is a call that may not come back; else the end. */
static gimple_stmt_iterator
last_call(basic_block bb)
{
	gimple_stmt_iterator i = last_thing(bb);
	gcall *call;

	if (gsi_end_p(i))
		return i;
	call = dyn_cast<gcall *>(gsi_stmt(i));
	return call && !operands_mark(call) && !call_returns(call) ? i : gsi_none();
}

static bool
needs_split(gimple_stmt_iterator i, basic_block bb)
{
	gcall *call = dyn_cast<gcall *>(gsi_stmt(i));

	if (!call)
		return statement_may_leave(gsi_stmt(i));
	return !operands_mark(call) && !call_returns(call) &&
	       (!stands_before_return(i, bb) || single_succ(bb) == EXIT_BLOCK_PTR_FOR_FN(cfun));
}

/* A call at a block's end needs no split: the edge behind it carries the count. A return behind a
 * call in tail position stands for itself too, so that the call ends its line, as it does for gcov;
 * no counter is ever put there. */
static void
split_behind_calls(function *fun)
{
	auto_vec<basic_block> work;
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		work.safe_push(bb);
	while (!work.is_empty()) {
		bb = work.pop();
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			if (!needs_split(i, bb) || ends_block(i))
				continue;
			work.safe_push(split_block(bb, gsi_stmt(i))->dest);
			break;
		}
	}
}

static bool
returns_twice(gimple *stmt)
{
	return is_gimple_call(stmt) && (gimple_call_flags(stmt) & ECF_RETURNS_TWICE);
}

/* Does STMT read one of NAMES? */
static bool
reads_any(gimple *stmt, hash_set<tree> *names)
{
	ssa_op_iter op;
	tree name;

	FOR_EACH_SSA_TREE_OPERAND(name, stmt, op, SSA_OP_USE)
		if (names->contains(name))
			return true;
	return false;
}

static bool
is_around(gimple *stmt, const struct place *place)
{
	struct statement_range ranges[STATEMENT_RANGES];

	return operands_statement(stmt, ranges) > 0 && place_contains(&ranges[0].place, place);
}

/* Returns the last statement of BB, behind CALL, that is part of what CALL stands in: it has what
 * came back, or its text is around the call. A variable of the program's that has it is another
 * matter. NULL: there is none. */
static gimple *
last_of_value(basic_block bb, gimple *call)
{
	hash_set<tree> names;
	struct place place;
	gimple *last = NULL;
	bool from_macro, placed = place_of(gimple_location(call), &place, &from_macro);
	tree value = gimple_call_lhs(call);

	if (value)
		names.add(value);
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);
		bool reads;

		if (is_nothing(stmt) || operands_mark(stmt))
			continue;
		reads = reads_any(stmt, &names);
		if (reads || (placed && is_around(stmt, &place)))
			last = stmt;
		value = gimple_get_lhs(stmt);
		if (reads && value && TREE_CODE(value) == SSA_NAME &&
		    (!SSA_NAME_VAR(value) || DECL_ARTIFICIAL(SSA_NAME_VAR(value))))
			names.add(value);
	}
	return last;
}

/* What setjmp stands in was executed once for each call, however often that came back, and the
 * importer takes the other times off the block behind it (src/collect/import/counts/lines.c). What
 * follows was executed as often as it came back, so that it has no part in that block; if nothing
 * is left, the block is empty. */
static void
split_behind_setjmp(function *fun)
{
	auto_vec<edge> behind;
	basic_block bb;
	edge e;

	FOR_EACH_BB_FN(bb, fun)
	{
		gimple_stmt_iterator i = last_thing(bb);

		e = find_fallthru_edge(bb->succs);
		if (e && !gsi_end_p(i) && returns_twice(gsi_stmt(i)) &&
		    e->dest != EXIT_BLOCK_PTR_FOR_FN(fun))
			behind.safe_push(e);
	}
	for (unsigned i = 0; i < behind.length(); i++) {
		gimple *last;
		location_t locus;

		e = behind[i];
		last = last_of_value(e->dest, gsi_stmt(last_thing(e->src)));
		if (last && !ends_block(gsi_for_stmt(last)))
			split_block(e->dest, last);
		if (last)
			continue;
		locus = e->goto_locus;
		e->goto_locus = UNKNOWN_LOCATION;
		single_succ_edge(split_edge(e))->goto_locus = locus;
	}
}

bool
may_leave(basic_block bb)
{
	gimple_stmt_iterator i = last_call(bb);

	return !gsi_end_p(i) && !stands_before_return(i, bb);
}

/* As may_leave(), as far as it is known what is called and where its value goes, and of other
 * statements too. */
static bool
may_leave_for_good(basic_block bb)
{
	gimple_stmt_iterator i = last_call(bb), last = last_thing(bb);

	if (!gsi_end_p(last) && statement_may_leave(gsi_stmt(last)))
		return true;
	return !gsi_end_p(i) && !tail_position(i, bb) &&
	       !call_comes_back(as_a<gcall *>(gsi_stmt(i)));
}

/* The last statement of BB with a location, or its first one; NULL: it has none. */
static gimple *
last_located(basic_block bb)
{
	gimple *last = NULL;

	for (gimple_stmt_iterator i = gsi_last_nondebug_bb(bb); !gsi_end_p(i);
	     gsi_prev_nondebug(&i)) {
		last = gsi_stmt(i);
		if (!RESERVED_LOCATION_P(gimple_location(last)))
			break;
	}
	return last;
}

/* Does nothing but the return follow, with the ends of variables' lives before it? */
static bool
only_returns(basic_block bb)
{
	for (int blocks = 0; blocks < 4; blocks++) {
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (!is_trailer(gsi_stmt(i)))
				return false;
		if (!single_succ_p(bb))
			return false;
		bb = single_succ(bb);
		if (bb == EXIT_BLOCK_PTR_FOR_FN(cfun))
			return true;
	}
	return false;
}

/* As gcov does: a goto that stands on a line of its own is a block of its own; so is `return;`
 * behind a call. Other jumps behind calls end an arm or a loop's body: they have the place of the
 * condition or the loop, and are no execution of it (gcov counts them so); what the programmer
 * wrote (break, goto) has a mark. */
static void
split_gotos(function *fun)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
	{
		gimple *last = last_located(bb);
		edge e, next;
		edge_iterator ei;
		auto_vec<edge> split;

		if (!last || !gimple_has_location(last))
			continue;
		FOR_EACH_EDGE(e, ei, bb->succs)
			if (!(e->flags & EDGE_COMPLEX) && !RESERVED_LOCATION_P(e->goto_locus) &&
			    (!single_succ_p(bb) || (may_leave(bb) && only_returns(e->dest))) &&
			    LOCATION_LINE(e->goto_locus) != LOCATION_LINE(gimple_location(last)))
				split.safe_push(e);
		for (unsigned i = 0; i < split.length(); i++) {
			location_t locus = split[i]->goto_locus;

			next = single_succ_edge(split_edge(split[i]));
			next->goto_locus = locus;
		}
	}
}

/* The entry block is entered from outside only, so that its count is the number of calls. */
static void
own_entry(function *fun)
{
	edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));

	if (!single_pred_p(entry->dest))
		split_edge(entry);
}

/* ---- the graph ---- */

/* In the order of the chain, in which gcov goes through them too; the entry block is 0. */
static void
number_blocks(struct graph *g, function *fun)
{
	basic_block entry = single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun)), bb;

	g->number.safe_grow_cleared(last_basic_block_for_fn(fun));
	g->blocks.safe_push(entry);
	FOR_EACH_BB_FN(bb, fun)
		if (bb != entry)
			g->blocks.safe_push(bb);
	for (unsigned b = 0; b < g->blocks.length(); b++)
		g->number[g->blocks[b]->index] = (int)b;
}

static void
add_arc(struct graph *g, int from, int to, edge e, basic_block block)
{
	struct arc a = {from, to, e, block, 0, -1};

	g->arcs.safe_push(a);
}

static void
add_edge(struct graph *g, edge e, function *fun)
{
	int from = g->number[e->src->index];
	bool plain = !(e->flags & (EDGE_ABNORMAL | EDGE_EH | EDGE_FAKE));

	if (e->dest == EXIT_BLOCK_PTR_FOR_FN(fun)) {
		g->root_out[from] = true;
	} else if (plain) {
		add_arc(g, vertex_end(from), vertex_begin(g->number[e->dest->index]), e, NULL);
	} else {
		g->root_out[from] = true;
		g->root_in[g->number[e->dest->index]] = true;
	}
}

static void
build_graph(struct graph *g, function *fun)
{
	edge e;
	edge_iterator ei;

	number_blocks(g, fun);
	for (unsigned b = 0; b < g->blocks.length(); b++) {
		g->root_in.safe_push(false);
		g->root_out.safe_push(false);
	}
	g->root_in[0] = true;
	for (unsigned b = 0; b < g->blocks.length(); b++) {
		add_arc(g, vertex_begin(b), vertex_end(b), NULL, g->blocks[b]);
		FOR_EACH_EDGE(e, ei, g->blocks[b]->succs)
			add_edge(g, e, fun);
		if (EDGE_COUNT(g->blocks[b]->succs) == 0 || may_leave_for_good(g->blocks[b]))
			g->root_out[b] = true;
	}
}

/* Is there no way out of the procedure within the loop from HEAD to BB and back? */
static bool
only_loops(const struct graph *g, basic_block bb, basic_block head)
{
	auto_vec<basic_block> work;
	hash_set<basic_block> seen;
	edge_iterator ei;
	edge e;

	work.safe_push(bb);
	seen.add(head);
	seen.add(bb);
	while (!work.is_empty()) {
		bb = work.pop();
		if (g->root_out[g->number[bb->index]])
			return false;
		if (bb == head)
			continue;
		FOR_EACH_EDGE(e, ei, bb->preds)
			if (e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) && !seen.add(e->src))
				work.safe_push(e->src);
	}
	return !g->root_out[g->number[head->index]];
}

/* A thread may die in a loop that runs for long, or for ever. Then what stands before it was
 * executed, and what stands behind it was not. Inner loops come first: one that leads outside does
 * so for those around it. */
static void
let_loops_end(struct graph *g, function *fun)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
	int nr = pre_and_rev_post_order_compute_fn(fun, NULL, order, false);
	edge_iterator ei;
	edge e;

	while (nr-- > 0)
		FOR_EACH_EDGE(e, ei, BASIC_BLOCK_FOR_FN(fun, order[nr])->preds)
	if ((e->flags & EDGE_DFS_BACK) && only_loops(g, e->src, e->dest))
		g->root_out[g->number[e->src->index]] = true;
	free(order);
}

static int
find(struct graph *g, int v)
{
	while (g->parent[v] != v)
		v = g->parent[v] = g->parent[g->parent[v]];
	return v;
}

static bool
unite(struct graph *g, int v, int w)
{
	v = find(g, v);
	w = find(g, w);
	g->parent[v] = w;
	return v != w;
}

static struct graph *sorting;

static bool
heavier(int a, int b)
{
	if (sorting->arcs[a].weight != sorting->arcs[b].weight)
		return sorting->arcs[a].weight > sorting->arcs[b].weight;
	return a > b;
}

/* Kruskal: arcs left out of the tree get counters, numbered from 0. Returns how many. The first of
 * arcs with equal weight gets one: if the thread dies behind it, what was executed counts. Numbers
 * are in the order of the blocks: what runs together stands in few cache lines. */
static int
choose_counters(struct graph *g)
{
	auto_vec<int> order;
	int nr = 0;

	for (unsigned v = 0; v < 1 + 2 * g->blocks.length(); v++)
		g->parent.safe_push((int)v);
	for (unsigned b = 0; b < g->blocks.length(); b++) {
		if (g->root_in[b])
			unite(g, 0, vertex_begin(b));
		if (g->root_out[b])
			unite(g, 0, vertex_end(b));
	}
	for (unsigned i = 0; i < g->arcs.length(); i++)
		order.safe_push((int)i);
	sorting = g;
	std::sort(order.begin(), order.end(), heavier);
	for (unsigned i = 0; i < order.length(); i++) {
		struct arc *a = &g->arcs[order[i]];
		bool in_tree = unite(g, a->from, a->to);

		if (!in_tree || (options.mode == MODE_BLOCK && !a->e && a->weight < NEVER))
			a->counter = 0;
	}
	for (unsigned i = 0; i < g->arcs.length(); i++)
		if (g->arcs[i].counter >= 0)
			g->arcs[i].counter = nr++;
	return nr;
}

/* ---- notes for the tables ---- */

static void
note_range(struct graph *g, int block, enum range_kind kind, const struct place *place,
	   gimple *stmt, bool operand)
{
	struct block_range r = {
		block,	 kind,
		*place,	 LOCATION_LOCUS(gimple_location(stmt)),
		operand, gimple_code(stmt) == GIMPLE_COND,
		is_gimple_call(stmt) && !operands_mark(stmt),
	};

	g->proc.ranges.safe_push(r);
}

static void
note_statement(struct graph *g, int block, gimple *stmt)
{
	struct statement_range ranges[STATEMENT_RANGES];
	int nr = operands_statement(stmt, ranges);

	for (int i = 0; i < nr; i++)
		note_range(g, block, ranges[i].kind, &ranges[i].place, stmt, false);
}

static const char *
source_name(tree decl)
{
	return DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : NULL;
}

/* Builtins that no source calls by this name: they become instructions, or calls of the compiler's
 * own helpers (__atomic_fetch_add_8). */
static bool
is_only_builtin(tree decl)
{
	static const char *const prefixes[] = { "__builtin_", "__atomic_", "__sync_" };
	const char *name = linkage_name(decl);
	bool found = false;

	if (!fndecl_built_in_p(decl))
		return false;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		found |= !strncmp(name, prefixes[i], strlen(prefixes[i]));
	return found || (fndecl_built_in_p(decl, BUILT_IN_NORMAL) &&
			 ALLOCA_FUNCTION_CODE_P(DECL_FUNCTION_CODE(decl)));
}

/* What the compiler does by itself is no call in the source. */
static bool
is_source_call(gcall *call)
{
	tree decl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call) || operands_mark(call))
		return false;
	return !decl || !source_name(decl) || !is_only_builtin(decl);
}

/* The callee of CALL, or what it hands out, is to be told at run time. */
static void
note_pointers(struct graph *g, struct site *s, gcall *call)
{
	auto_vec<tree> pointers;

	if (s->indirect)
		pointers.safe_push(targets_callee(call));
	else
		pointers_handed(call, &pointers);
	if (!pointers.is_empty())
		s->words = tables_take_counters(TARGET_WORDS);
	for (unsigned i = 0; i < pointers.length(); i++)
		g->pointers.safe_push((struct told_pointer){call, pointers[i], s->words});
}

static void
note_call(struct graph *g, int block, gcall *call, bool tail)
{
	tree decl = gimple_call_fndecl(call), fn = gimple_call_fn(call);
	struct site *s;
	bool from_macro = false;

	if (!is_source_call(call))
		return;
	s = new site();
	s->block = block;
	s->indirect = !decl;
	s->callee = decl ? linkage_name(decl) : NULL;
	/* An inline wrapper (of <string.h> in C++, of _FORTIFY_SOURCE) calls what it stands for, by
	 * the same name: the library's procedure. */
	if (decl && decl != cfun->decl && DECL_EXTERNAL(cfun->decl) &&
	    !strcmp(s->callee, linkage_name(cfun->decl)))
		s->callee = xasprintf("%s@outside", s->callee);
	s->type = decl ? NULL_TREE : gimple_call_fntype(call);
	if (place_of(gimple_location(call), &s->place, &from_macro) && !from_macro)
		operands_range(gimple_location(call), &s->place);
	s->flags = (tail && !pools_counts(call) ? 1 : 0) | (call_returns(call) ? 0 : 2) |
		   (fn && TREE_CODE(fn) == OBJ_TYPE_REF ? 4 : 0) | (from_macro ? 8 : 0) |
		   (gimple_call_flags(call) & ECF_RETURNS_TWICE ? 16 : 0);
	s->words = -1;
	s->made = types_of(call, from_macro ? NULL : &s->place);
	s->flags |= s->made ? SITE_MAKES : 0;
	s->flags |= pools_counts(call) ? SITE_POOL : 0;
	if (pools_concern(call))
		g->pooled.safe_push(call);
	if (targets_wanted(cfun->decl))
		note_pointers(g, s, call);
	pointers_passed(s, call);
	if (s->indirect) {
		pointers_read(s, call);
		pointers_held(s, call);
	}
	g->proc.sites.safe_push(s);
}

/* Without optimisation all returns of a procedure lead to one block with the place of one of them,
 * which is not executed once more for that. */
static bool
is_common_return(const struct graph *g, basic_block bb, gimple *stmt)
{
	if (gimple_code(stmt) != GIMPLE_RETURN || !lines_is_noted(g, gimple_location(stmt)))
		return false;
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (!is_trailer(gsi_stmt(i)))
			return false;
	return true;
}

static void
note_line_of_mark(struct graph *g, int b, gimple *mark)
{
	if (operands_is_jump(mark))
		lines_note(g, b, gimple_location(mark));
	else if (operands_mark_kind(mark) == RANGE_OPERAND)
		lines_note_operand(g, b, mark);
}

/* Notes for block B what is in BB: the same, or a block of a loop over elements, which is entered
 * from B. */
static void
note_statements(struct graph *g, int b, basic_block bb)
{
	gimple *last_mark = NULL;

	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);
		location_t loc = gimple_location(stmt);

		if (const struct place *mark = operands_mark(stmt)) {
			if (!mark->file) /* of branches.c */
				continue;
			note_range(g, b, operands_mark_kind(stmt), mark, stmt,
				   !operands_is_jump(stmt));
			note_line_of_mark(g, b, stmt);
			if (!operands_is_jump(stmt))
				last_mark = stmt;
			continue;
		}
		if (is_nothing(stmt) || RESERVED_LOCATION_P(loc) || operands_is_jump_place(loc) ||
		    is_common_return(g, bb, stmt) || lines_belong_to_none(loc))
			continue;
		g->seen.add(api_point(loc));
		lines_note_statement(g, b, stmt, last_mark);
		note_statement(g, b, stmt);
	}
}

static void
note_calls(struct graph *g, int b)
{
	basic_block bb = g->blocks[b];

	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (gcall *call = dyn_cast<gcall *>(gsi_stmt(i)))
			note_call(g, b, call, tail_position(i, bb));
}

static void
note_block(struct graph *g, int b, function *fun)
{
	const struct element_loop *loop = elements_entered(g, b);
	basic_block bb = g->blocks[b];
	edge out;

	g->begun.safe_push(lines_begun_before(g, b));
	/* The line of a procedure that the compiler made is not where its code begins. */
	if ((bb == ENTRY_BLOCK_PTR_FOR_FN(fun)->next_bb || b == 0) && !DECL_ARTIFICIAL(fun->decl) &&
	    coroutine_is_called(fun->decl))
		lines_note(g, b, DECL_SOURCE_LOCATION(fun->decl));
	note_calls(g, b);
	if (g->in_loop[b] >= 0)
		return;
	lines_note_head(g, b);
	note_statements(g, b, bb);
	for (unsigned i = 0; loop && i < loop->blocks.length(); i++)
		note_statements(g, b, g->blocks[loop->blocks[i]]);
	/* As for gcov, a block that a call ends has no jump. */
	if (loop || !single_succ_p(bb) || may_leave(bb))
		return;
	out = single_succ_edge(bb);
	if (!RESERVED_LOCATION_P(out->goto_locus) &&
	    !g->seen.contains(api_point(out->goto_locus)) && !lines_goes_round(out) &&
	    !conditional_has_place(out->goto_locus) && !lines_read_so_far(g, b, out->goto_locus) &&
	    !coroutine_has_place(fun->decl, out->goto_locus))
		lines_note(g, b, out->goto_locus);
}

static void
note_procedure(struct graph *g, function *fun)
{
	struct procedure *p = &g->proc;
	expanded_location end = expand_location(fun->function_end_locus);
	bool macro;

	p->decl = fun->decl;
	if (!place_of(DECL_SOURCE_LOCATION(fun->decl), &p->place, &macro))
		p->place = place_none();
	if (end.file && p->place.file && !strcmp(end.file, p->place.file) &&
	    end.line >= p->place.line) {
		p->place.end_line = end.line;
		p->place.end_column =
			end.column ? end.column : place_line_end(end.file, end.line);
	}
	p->nr_blocks = (int)g->blocks.length();
	for (unsigned b = 0; b < g->blocks.length(); b++)
		note_block(g, (int)b, fun);
	pointers_stored(fun, &g->pointers);
	branches_note(g, fun);
	lines_group(g, fun);
	ranges_thin_out(&g->proc, &g->blocks);
}

static void
note_edges(struct graph *g)
{
	struct procedure *p = &g->proc;

	for (int b = 0; b < p->nr_blocks; b++)
		p->block_counter.safe_push(-1);
	for (unsigned i = 0; i < g->arcs.length(); i++) {
		struct arc *a = &g->arcs[i];
		struct edge_record r = {a->from, a->to, a->counter};

		if (a->e)
			p->edges.safe_push(r);
		else
			p->block_counter[g->number[a->block->index]] = a->counter;
	}
	for (int b = 0; b < p->nr_blocks; b++) {
		struct edge_record in = {0, vertex_begin(b), -1}, out = {vertex_end(b), 0, -1};

		if (g->root_in[b])
			p->edges.safe_push(in);
		if (g->root_out[b])
			p->edges.safe_push(out);
	}
	branches_number_edges(g);
}

/* ---- inserting ---- */

static void
remove_marks(function *fun)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);) {
			gimple *stmt = gsi_stmt(i);

			if (!operands_mark(stmt)) {
				gsi_next(&i);
				continue;
			}
			unlink_stmt_vdef(stmt);
			gsi_remove(&i, true);
			release_defs(stmt);
		}
}

/* Inserts on all ways into BB but the jump by which setjmp comes back. */
static void
insert_before_block(basic_block bb, tree counters, int counter)
{
	location_t place = location_near(bb);
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, bb->preds)
		if (!(e->flags & EDGE_ABNORMAL))
			gsi_insert_on_edge(e, increment_build(counters, counter, place));
}

/* A block is counted at its begin. Behind setjmp it counts where that comes back, for each of its
 * returns. When setjmp ends the block it counts before it: nothing may stand between the begin of a
 * block and the setjmp to which a jump comes back (GCC 14 checks that). */
static void
insert_in_block(basic_block bb, tree counters, int counter)
{
	gimple_stmt_iterator i = gsi_after_labels(bb);
	gimple *stmt;

	while (!gsi_end_p(i) && is_gimple_debug(gsi_stmt(i)))
		gsi_next(&i);
	if (!gsi_end_p(i) && returns_twice(gsi_stmt(i)) && stmt_ends_bb_p(gsi_stmt(i))) {
		insert_before_block(bb, counters, counter);
		return;
	}
	stmt = increment_build(counters, counter, location_near(bb));
	if (!gsi_end_p(i) && returns_twice(gsi_stmt(i))) {
		gsi_insert_after(&i, stmt, GSI_SAME_STMT);
		return;
	}
	i = gsi_after_labels(bb);
	gsi_insert_before(&i, stmt, GSI_SAME_STMT);
}

static void
insert_counters(struct graph *g)
{
	tree all = tables_counters();

	for (unsigned i = 0; i < g->arcs.length(); i++) {
		struct arc *a = &g->arcs[i];
		int counter;

		if (a->counter < 0 || a->counter == g->proc.nr_counters)
			continue;
		counter = g->proc.first_counter + a->counter;
		if (a->e)
			gsi_insert_on_edge(a->e,
					   increment_build(all, counter, location_on_edge(a->e)));
		else
			insert_in_block(a->block, all, counter);
	}
	gsi_commit_edge_inserts();
}

static void
insert_targets(struct graph *g)
{
	for (unsigned i = 0; i < g->pointers.length(); i++)
		targets_insert(g->pointers[i].stmt, g->pointers[i].pointer, g->pointers[i].words);
}

static void
instrument(function *fun)
{
	struct centre_plan centre;
	struct graph g;
	int nr;

	split_gotos(fun);
	split_behind_calls(fun);
	split_behind_setjmp(fun);
	own_entry(fun);
	elements_enter(fun);
	mark_dfs_back_edges();
	build_graph(&g, fun);
	elements_find(&g, fun);
	let_loops_end(&g, fun);
	guess_weights(&g, fun);
	note_procedure(&g, fun);
	wrapper_look(fun);
	nr = elide_counter(&g, fun, choose_counters(&g));
	g.proc.nr_counters = nr;
	g.proc.first_counter = tables_take_counters(nr);
	note_edges(&g);
	tables_add(&g.proc);
	if (options.centres)
		centre_look(fun, &centre);
	insert_counters(&g);
	if (options.centres && nr)
		centre_keep(fun, g.proc.first_counter, &centre);
	insert_targets(&g);
	for (unsigned i = 0; i < g.pooled.length(); i++)
		pools_insert(g.pooled[i]);
	if (options.verbose)
		fprintf(stderr, "cgview: %s: %d blocks, %d counters\n", source_name(fun->decl),
			g.proc.nr_blocks, nr),
			lines_tell(&g.proc);
}

static void
count(function *fun)
{
	enum left_out_reason reason = reason_to_leave_out(fun->decl);

	if (reason == LEFT_OUT_NOT)
		instrument(fun);
	else
		tables_leave_out(fun->decl, reason);
	if (options.centres && (reason == LEFT_OUT_OPTION || reason == LEFT_OUT_LIBRARY))
		centre_pass_on(fun);
}

class count_pass : public gimple_opt_pass
{
      public:
	count_pass(gcc::context *ctx) : gimple_opt_pass(count_data, ctx)
	{
	}
	unsigned int execute(function *fun) final override
	{
		if (may_touch(fun->decl))
			count(fun);
		if (!is_counted(fun->decl) && !in_lto_p && !tables_emitted())
			pointers_stored(fun, NULL);
		if (!in_lto_p)
			remove_marks(fun);
		return 0;
	}
};

opt_pass *
make_count_pass(gcc::context *ctx)
{
	return new count_pass(ctx);
}
