/* Procedures whose entries follow from the calls: one counter less.
 *
 * A procedure that is static, whose address nobody takes and whose callers are all counted is
 * entered as often as its call sites are executed. What a site's block counts is known from its own
 * procedure; so in the graph of this one (count.c) the arc from the root to the first block is
 * known, and one more of the others need not be: the heaviest that the entries depend on. A
 * procedure that calls itself is treated alike, with its entries less its own calls in place of its
 * entries: that, too, is a sum of counters with fixed factors. Where procedures call each other in
 * a circle, one of them keeps its counter, so that the importer (collect/import/counts/entries.c)
 * can solve callers first. */
#include "graph.h"

/* ---- which procedures ---- */

static auto_vec<const char *> asm_texts; /* of the asm statements */
static hash_map<nofree_string_hash, int> *nr_named;
enum plan { PLAN_UNDER_WAY, PLAN_COUNTED, PLAN_FOLLOWS };
static hash_map<cgraph_node *, enum plan> *plans;

void
elide_note_asm(gasm *stmt)
{
	asm_texts.safe_push(xstrdup(gimple_asm_string(stmt)));
}

/* Assembly can call by name what the compiler does not see called. */
static bool
named_in_asm(const char *name)
{
	for (unsigned i = 0; i < asm_texts.length(); i++)
		if (strstr(asm_texts[i], name))
			return true;
	for (asm_node *n = symtab->first_asm_symbol(); n; n = api_asm_at(n->next))
		if (strstr(TREE_STRING_POINTER(n->asm_str), name))
			return true;
	return false;
}

/* The tables know procedures by their names. */
static bool
name_is_its_own(tree decl)
{
	cgraph_node *node;

	if (!nr_named) {
		nr_named = new hash_map<nofree_string_hash, int>;
		FOR_EACH_FUNCTION(node)
			if (node->definition)
				nr_named->get_or_insert(xstrdup(linkage_name(node->decl)))++;
	}
	return *nr_named->get(linkage_name(decl)) == 1;
}

static bool
is_referred_to(cgraph_node *node)
{
	ipa_ref *ref = NULL;

	for (int i = 0; node->iterate_referring(i, ref); i++)
		if (ref->use == IPA_REF_ADDR || ref->use == IPA_REF_ALIAS)
			return true;
	return node->address_taken;
}

static bool
is_called_otherwise(tree decl)
{
	static const char *const attributes[] = {"target_clones", "simd", "transaction_safe",
						 "weakref", "ifunc"};

	for (unsigned i = 0; i < ARRAY_SIZE(attributes); i++)
		if (lookup_attribute(attributes[i], DECL_ATTRIBUTES(decl)))
			return true;
	return DECL_STATIC_CONSTRUCTOR(decl) || DECL_STATIC_DESTRUCTOR(decl) ||
	       DECL_PRESERVE_P(decl) || DECL_VIRTUAL_P(decl) || DECL_ARTIFICIAL(decl) ||
	       fndecl_built_in_p(decl) || named_in_asm(linkage_name(decl));
}

static bool
is_only_called(cgraph_node *node)
{
	tree decl = node->decl;

	if (TREE_PUBLIC(decl) || DECL_EXTERNAL(decl) || DECL_COMDAT(decl) || DECL_WEAK(decl) ||
	    node->alias || node->thunk || node->function_version() || is_referred_to(node) ||
	    is_called_otherwise(decl) || !name_is_its_own(decl))
		return false;
	for (cgraph_edge *call = node->callers; call; call = call->next_caller)
		if (call->caller->thunk || call->caller->alias || !is_counted(call->caller->decl))
			return false;
	return node->callers != NULL;
}

/* Callers are planned first. One that is being planned already closes a circle of calls: then NODE,
 * which waits for it, keeps its counter. */
static enum plan
plan(cgraph_node *node)
{
	bool circle = false;

	if (enum plan *known = plans->get(node))
		return *known;
	if (!is_only_called(node)) {
		plans->put(node, PLAN_COUNTED);
		return PLAN_COUNTED;
	}
	plans->put(node, PLAN_UNDER_WAY);
	for (cgraph_edge *call = node->callers; call; call = call->next_caller)
		circle |= call->caller != node && plan(call->caller) == PLAN_UNDER_WAY;
	plans->put(node, circle ? PLAN_COUNTED : PLAN_FOLLOWS);
	return circle ? PLAN_COUNTED : PLAN_FOLLOWS;
}

static bool
entries_follow(tree decl)
{
	cgraph_node *node = cgraph_node::get(decl);

	if (options.mode == MODE_BLOCK || flag_tm || !node)
		return false;
	if (!plans)
		plans = new hash_map<cgraph_node *, enum plan>;
	return plan(node) == PLAN_FOLLOWS;
}

/* ---- which counter ----
 *
 * Wanted: the factor with which each counter stands in E, the entries less the procedure's own
 * calls. E is a sum over arcs with weights w (1 of the entry, -1 of a block for each own call in
 * it). Give each vertex a height h, 0 at the root, such that w = h(to) - h(from) on the arcs of the
 * tree. A flow that comes back to where it was gains no height: the sum of h(to) - h(from) over all
 * arcs is 0, so E is the sum over the counters of w - h(to) + h(from). */

struct tree_arc {
	int from, to, w;
};

struct heights {
	auto_vec<tree_arc> tree;
	auto_vec<int> first, next; /* lists of the tree's arcs at a vertex: 2 * arc + (1 at its TO),
				    * -1 */
	auto_vec<int> own;	   /* per block: calls of the procedure itself */
	auto_vec<int> height;
};

static void
add_tree_arc(struct heights *h, int from, int to, int w)
{
	int end = 2 * (int)h->tree.length();
	struct tree_arc a = {from, to, w};

	h->tree.safe_push(a);
	h->next.safe_push(h->first[from]);
	h->first[from] = end;
	h->next.safe_push(h->first[to]);
	h->first[to] = end + 1;
}

static int
weight(const struct heights *h, const struct graph *g, const struct arc *a)
{
	return a->e ? 0 : -h->own[g->number[a->block->index]];
}

static void
collect_tree(struct heights *h, const struct graph *g)
{
	unsigned nr = g->blocks.length();

	for (unsigned v = 0; v < 1 + 2 * nr; v++)
		h->first.safe_push(-1);
	for (unsigned b = 0; b < nr; b++) {
		if (g->root_in[b])
			add_tree_arc(h, 0, vertex_begin(b), b == 0);
		if (g->root_out[b])
			add_tree_arc(h, vertex_end(b), 0, 0);
	}
	for (unsigned i = 0; i < g->arcs.length(); i++) {
		const struct arc *a = &g->arcs[i];

		if (a->counter < 0)
			add_tree_arc(h, a->from, a->to, weight(h, g, a));
	}
}

static void
climb(struct heights *h)
{
	auto_vec<int> work, from; /* vertices, and the arcs that they were reached by */
	int v, by;

	h->height.safe_grow_cleared(h->first.length());
	work.safe_push(0);
	from.safe_push(-1);
	while (!work.is_empty()) {
		v = work.pop();
		by = from.pop();
		for (int end = h->first[v]; end >= 0; end = h->next[end]) {
			const struct tree_arc *a = &h->tree[end / 2];
			int other = end % 2 ? a->from : a->to;

			if (end / 2 == by)
				continue;
			h->height[other] = h->height[v] + (end % 2 ? -a->w : a->w);
			work.safe_push(other);
			from.safe_push(end / 2);
		}
	}
}

static void
count_own_calls(struct heights *h, const struct graph *g, tree decl)
{
	const struct site *s;

	h->own.safe_grow_cleared(g->blocks.length());
	for (unsigned i = 0; i < g->proc.sites.length(); i++) {
		s = g->proc.sites[i];
		if (!s->indirect && !strcmp(s->callee, linkage_name(decl)))
			h->own[s->block]++;
	}
}

/* The heaviest arc whose counter stands in E with 1 or -1; NULL: none. */
static struct arc *
choose(struct graph *g, tree decl)
{
	struct heights h;
	struct arc *best = NULL;

	count_own_calls(&h, g, decl);
	collect_tree(&h, g);
	climb(&h);
	for (unsigned i = 0; i < g->arcs.length(); i++) {
		struct arc *a = &g->arcs[i];
		int factor = weight(&h, g, a) - h.height[a->to] + h.height[a->from];

		if (a->counter >= 0 && abs(factor) == 1 && (!best || a->weight > best->weight))
			best = a;
	}
	return best;
}

/* Without a counter a procedure may be the same as another one. Merged, the time of one would be
 * shown as the other's. */
static void
keep_apart(tree decl)
{
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("no_icf"), NULL_TREE,
					  DECL_ATTRIBUTES(decl));
}

int
elide_counter(struct graph *g, function *fun, int nr)
{
	struct arc *elided;
	int number;

	g->proc.follows = false;
	/* The place of its first counter is a procedure's cost centre. */
	if ((options.centres && nr == 1) || !entries_follow(fun->decl) ||
	    !(elided = choose(g, fun->decl)))
		return nr;
	number = elided->counter;
	for (unsigned i = 0; i < g->arcs.length(); i++)
		if (g->arcs[i].counter > number)
			g->arcs[i].counter--;
	elided->counter = nr - 1;
	g->proc.follows = true;
	if (nr == 1)
		keep_apart(fun->decl);
	return nr - 1;
}
