/* Fewer increments: what one procedure has become after inlining is counted anew.
 *
 * When small procedures have been inlined, one path increments counters of each of them. Here the
 * body is a graph again, as in count.c: a piece of straight-line code is an arc between two
 * vertices, an edge of the control flow is one too. Control may come from outside, or vanish, at
 * calls that may not come back, exceptions, setjmp, entry, return, and where a loop begins (it may
 * never end); all those vertices are one, the outside. Between them Kirchhoff's law holds: counters
 * on the arcs outside of a spanning tree tell all others. So each arc outside of the tree gets a
 * joint counter (joint.c), whose parts are the old counters that it tells about: those on the
 * tree's path between its ends, and its own. One that tells nothing is left out.
 *
 * Only arcs that have increments get one: the tree is made of the others first, then of those that
 * run most by the compiler's guess. However wrong that is, nothing is executed more often than
 * before.
 */
#include "plugin.h"

#include <algorithm>

/* Not "arc": to the linker, vectors of that are those of graph.h. */
struct body_arc {
	int from, to;	    /* vertices */
	unsigned first, nr; /* those of BODY's increments that stand here */
	double weight;	    /* how often it is executed, by the compiler's guess */
};

/* An arc outside of the tree tells this. */
struct told {
	unsigned arc;
	unsigned first, nr; /* parts */
};

struct body {
	function *fun;
	auto_vec<body_arc> arcs;
	auto_vec<gimple *> increments;
	auto_vec<joint_part> counters; /* of the increments */
	auto_vec<int> first, last;     /* vertices by bb->index */
	auto_vec<bool> outside;	       /* by vertex; 0 is the outside */

	auto_vec<int> group;	    /* union-find over vertices */
	auto_vec<bool> in_tree;	    /* by arc */
	auto_vec<int> above, depth; /* the tree, by vertex; depth -1: not seen */
	auto_vec<int> up;	    /* the arc to the vertex above */

	auto_vec<joint_part> parts;
	auto_vec<told> tells;
};

/* ---- the graph ---- */

static int
new_vertex(struct body *b, bool outside)
{
	b->outside.safe_push(outside);
	return (int)b->outside.length() - 1;
}

/* Control may come to an end here, or come back more than once. */
static bool
is_barrier(gimple *stmt)
{
	if (gcall *call = dyn_cast<gcall *>(stmt))
		return !call_returns(call) || (gimple_call_flags(call) & ECF_RETURNS_TWICE);
	if (gasm *code = dyn_cast<gasm *>(stmt))
		return gimple_asm_volatile_p(code);
	return statement_may_leave(stmt);
}

static double
weight_of(basic_block bb)
{
	return bb->count.initialized_p() ? (double)bb->count.to_gcov_type() : 0;
}

static void
add_arc(struct body *b, int from, int to, double weight)
{
	struct body_arc a = {from, to, b->increments.length(), 0, weight};

	b->arcs.safe_push(a);
}

static int
end_piece(struct body *b, bool outside)
{
	return b->arcs.last().to = new_vertex(b, outside);
}

/* False: an increment that cannot be understood. */
static bool
add_increment(struct body *b, gimple *stmt)
{
	struct joint_part part = {NULL_TREE, 0, 1};

	part.array = increment_counter(stmt, &part.number);
	if (!part.array)
		return false;
	b->increments.safe_push(stmt);
	b->counters.safe_push(part);
	b->arcs.last().nr++;
	return true;
}

static bool
cut_block(struct body *b, basic_block bb)
{
	int vertex = b->first[bb->index] = new_vertex(b, false);

	add_arc(b, vertex, -1, weight_of(bb));
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (is_increment(stmt) && !increment_is_sum(stmt)) {
			if (!add_increment(b, stmt))
				return false;
		} else if (is_barrier(stmt)) {
			vertex = end_piece(b, true);
			if (stmt_ends_bb_p(stmt)) {
				b->last[bb->index] = vertex;
				return true;
			}
			add_arc(b, vertex, -1, weight_of(bb));
		}
	}
	b->last[bb->index] = end_piece(b, EDGE_COUNT(bb->succs) == 0);
	return true;
}

static void
add_edge(struct body *b, edge e)
{
	int from = b->last[e->src->index];

	if (e->dest == EXIT_BLOCK_PTR_FOR_FN(b->fun)) {
		b->outside[from] = true;
		return;
	}
	if (e->flags & EDGE_COMPLEX)
		b->outside[from] = b->outside[b->first[e->dest->index]] = true;
	else
		add_arc(b, from, b->first[e->dest->index], 0);
	if (e->flags & EDGE_DFS_BACK)
		b->outside[b->first[e->dest->index]] = true;
}

static bool
build_graph(struct body *b)
{
	basic_block bb;
	edge_iterator ei;
	edge e;

	new_vertex(b, true);
	b->first.safe_grow_cleared(last_basic_block_for_fn(b->fun));
	b->last.safe_grow_cleared(last_basic_block_for_fn(b->fun));
	FOR_EACH_BB_FN(bb, b->fun)
		if (!cut_block(b, bb))
			return false;
	mark_dfs_back_edges();
	b->outside[b->first[single_succ(ENTRY_BLOCK_PTR_FOR_FN(b->fun))->index]] = true;
	FOR_EACH_BB_FN(bb, b->fun)
		FOR_EACH_EDGE(e, ei, bb->succs)
			add_edge(b, e);
	for (unsigned i = 0; i < b->arcs.length(); i++) {
		struct body_arc *a = &b->arcs[i];

		a->from = b->outside[a->from] ? 0 : a->from;
		a->to = b->outside[a->to] ? 0 : a->to;
	}
	return true;
}

/* ---- the tree ---- */

static int
find(struct body *b, int v)
{
	while (b->group[v] != v)
		v = b->group[v] = b->group[b->group[v]];
	return v;
}

/* Arcs that weigh the same: the later one goes into the tree, as what comes first is counted. */
static bool
goes_first(const struct body *body, unsigned i, unsigned j)
{
	const struct body_arc *a = &body->arcs[i], *b = &body->arcs[j];

	if (!a->nr != !b->nr)
		return !a->nr;
	return a->weight != b->weight ? a->weight > b->weight : i > j;
}

static void
choose_tree(struct body *b)
{
	auto_vec<unsigned> order;

	for (unsigned v = 0; v < b->outside.length(); v++)
		b->group.safe_push((int)v);
	for (unsigned i = 0; i < b->arcs.length(); i++) {
		order.safe_push(i);
		b->in_tree.safe_push(false);
	}
	std::sort(order.begin(), order.end(),
		  [b](unsigned i, unsigned j) { return goes_first(b, i, j); });
	for (unsigned i = 0; i < order.length(); i++) {
		const struct body_arc *a = &b->arcs[order[i]];
		int v = find(b, a->from), w = find(b, a->to);

		b->group[v] = w;
		b->in_tree[order[i]] = v != w;
	}
}

/* The arcs of the tree at each vertex: lists linked through two elements for each arc. */
struct links {
	auto_vec<int> head, next;
};

static void
link_tree(const struct body *b, struct links *l)
{
	for (unsigned v = 0; v < b->outside.length(); v++)
		l->head.safe_push(-1);
	for (unsigned i = 0; i < 2 * b->arcs.length(); i++) {
		const struct body_arc *a = &b->arcs[i / 2];
		int v = i % 2 ? a->to : a->from;

		l->next.safe_push(-1);
		if (!b->in_tree[i / 2])
			continue;
		l->next[i] = l->head[v];
		l->head[v] = (int)i;
	}
}

static void
hang(struct body *b, const struct links *l, int root)
{
	auto_vec<int> stack;

	b->depth[root] = 0;
	stack.safe_push(root);
	while (!stack.is_empty()) {
		int v = stack.pop();

		for (int i = l->head[v]; i >= 0; i = l->next[i]) {
			const struct body_arc *a = &b->arcs[i / 2];
			int w = i % 2 ? a->from : a->to;

			if (b->depth[w] >= 0)
				continue;
			b->depth[w] = b->depth[v] + 1;
			b->above[w] = v;
			b->up[w] = i / 2;
			stack.safe_push(w);
		}
	}
}

static void
hang_tree(struct body *b)
{
	unsigned n = b->outside.length();
	struct links l;

	link_tree(b, &l);
	for (unsigned v = 0; v < n; v++) {
		b->above.safe_push(-1);
		b->depth.safe_push(-1);
		b->up.safe_push(-1);
	}
	for (unsigned v = 0; v < n; v++)
		if (b->depth[v] < 0 && !(v && b->outside[v]))
			hang(b, &l, (int)v);
}

/* ---- what the arcs outside of it tell ---- */

static void
push_counters(const struct body *b, unsigned arc, int factor, vec<joint_part> *parts)
{
	const struct body_arc *a = &b->arcs[arc];

	for (unsigned i = a->first; i < a->first + a->nr; i++) {
		parts->safe_push(b->counters[i]);
		parts->last().factor = factor;
	}
}

/* The cycle that ARC closes: on from its end to its begin, through the tree. */
static void
tell_cycle(const struct body *b, unsigned arc, vec<joint_part> *parts)
{
	int v = b->arcs[arc].to, w = b->arcs[arc].from;

	push_counters(b, arc, 1, parts);
	while (v != w) {
		if (b->depth[v] >= b->depth[w]) {
			push_counters(b, b->up[v], b->arcs[b->up[v]].from == v ? 1 : -1, parts);
			v = b->above[v];
		} else {
			push_counters(b, b->up[w], b->arcs[b->up[w]].to == w ? 1 : -1, parts);
			w = b->above[w];
		}
	}
}

static void
solve(struct body *b)
{
	auto_vec<joint_part> parts;

	choose_tree(b);
	hang_tree(b);
	for (unsigned i = 0; i < b->arcs.length(); i++) {
		struct told t = {i, b->parts.length(), 0};

		if (b->in_tree[i])
			continue;
		parts.truncate(0);
		tell_cycle(b, i, &parts);
		joint_normalise(&parts);
		t.nr = parts.length();
		b->parts.safe_splice(parts);
		if (t.nr)
			b->tells.safe_push(t);
	}
}

/* ---- the change ---- */

static gimple *
increment_for(const struct body *b, const struct told *t, enum joint_stage stage, location_t loc)
{
	const struct joint_part *only = &b->parts[t->first];
	auto_vec<joint_part> parts;
	int number;

	if (t->nr == 1 && only->factor == 1)
		return increment_build(only->array, only->number, loc);
	for (unsigned i = 0; i < t->nr; i++)
		parts.safe_push(b->parts[t->first + i]);
	number = joint_counter(stage, &parts);
	return increment_build(joint_counters(stage), number, loc);
}

static void
insert(const struct body *b, const struct told *t, enum joint_stage stage)
{
	gimple *first = b->increments[b->arcs[t->arc].first];
	gimple_stmt_iterator i = gsi_for_stmt(first);

	gsi_insert_before(&i, increment_for(b, t, stage, gimple_location(first)), GSI_SAME_STMT);
}

static void
change(struct body *b, enum joint_stage stage)
{
	for (unsigned i = 0; i < b->tells.length(); i++)
		insert(b, &b->tells[i], stage);
	for (unsigned i = 0; i < b->increments.length(); i++) {
		gimple_stmt_iterator at = gsi_for_stmt(b->increments[i]);

		increment_remove(&at);
	}
}

static bool
coalesce(function *fun, enum joint_stage stage)
{
	struct body b;

	if (stage == JOINT_LATE)
		increments_remove_repeated(fun);
	b.fun = fun;
	if (!build_graph(&b) || b.increments.length() < 2)
		return false;
	solve(&b);
	if (b.tells.length() == b.increments.length())
		return false;
	if (options.verbose)
		fprintf(stderr, "cgview: %s: %s, %u increments become %u\n",
			linkage_name(fun->decl), stage == JOINT_EARLY ? "early" : "late",
			b.increments.length(), b.tells.length());
	change(&b, stage);
	return true;
}

/* ---- passes ---- */

static const pass_data early_data = {
	GIMPLE_PASS, "cgview_coalesce", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

static const pass_data late_data = {
	GIMPLE_PASS, "cgview_coalesce_late", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0,
	0,
};

static unsigned
run(function *fun, enum joint_stage stage)
{
	if (!coalesce(fun, stage))
		return 0;
	mark_virtual_operands_for_renaming(fun);
	return TODO_update_ssa_only_virtuals;
}

class early_coalesce_pass : public gimple_opt_pass
{
      public:
	early_coalesce_pass(gcc::context *ctx) : gimple_opt_pass(early_data, ctx)
	{
	}
	bool gate(function *) final override
	{
		return optimize && options.mode == MODE_TREE && options.joint[JOINT_EARLY];
	}
	unsigned int execute(function *fun) final override
	{
		return run(fun, JOINT_EARLY);
	}
};

opt_pass *
make_early_coalesce_pass(gcc::context *ctx)
{
	return new early_coalesce_pass(ctx);
}

class late_coalesce_pass : public gimple_opt_pass
{
      public:
	late_coalesce_pass(gcc::context *ctx) : gimple_opt_pass(late_data, ctx)
	{
	}
	bool gate(function *) final override
	{
		return optimize && options.mode == MODE_TREE && options.joint[JOINT_LATE];
	}
	unsigned int execute(function *fun) final override
	{
		return run(fun, JOINT_LATE);
	}
};

opt_pass *
make_late_coalesce_pass(gcc::context *ctx)
{
	return new late_coalesce_pass(ctx);
}
