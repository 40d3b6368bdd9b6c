/* Branches: the ways that control takes at each condition of the source, and the edges that count
 * them.
 *
 * A condition is what the programmer sees as one: of an if, a loop or ?:, or an operand of && or
 * ||, unless it is itself made of these; and a switch, with a way for each group of labels that
 * stand together. It has no counter of its own: a way is an edge of the graph, so its count follows
 * from the counters by Kirchhoff's law as that of any other (docs/design/lines.md).
 *
 * The tree of the front end tells what conditions there are, and where they stand. Their tests in
 * GIMPLE are found again by location; those of operands, which have one location for several, by
 * the marks of operands.c: a test belongs to the last mark before it that no other test has taken.
 * What the compiler tests by itself (guards of static variables, pointers that are deleted, what
 * stands behind a cleanup) is in neither, and no branch.
 */
#include "graph.h"

#include "hash-map.h"

enum { NO_CONDITION = -1, FAR = 500 /* blocks in which the mark of a test is looked for */ };

/* What is known of a test that the front end may still turn round, exchanging the arms of ?: */
struct comparison {
	enum tree_code code; /* ERROR_MARK: nothing */
	bool constant;	     /* with one on the right */
};

struct condition {
	enum branch_kind kind;
	struct place place;
	bool inverted; /* true in the text is false in the tree */
	struct comparison comparison;
	int root; /* of operands: a number for each whole of && and || */
};

typedef hash_map<int_hash<location_t, UNKNOWN_LOCATION>, int> by_location;

static vec<condition> conditions;
static by_location *tests; /* caret -> its condition, or NO_CONDITION: of several */
static by_location *wholes; /* caret of what tests of operands have -> the root */
/* Of the procedure that is looked at: && and ||; ?: that are arguments, and the call's place. */
static hash_map<tree, int> *roots;
static hash_map<tree, location_t> *calls;
static hash_map<int_hash<int, -1>, int> *marked; /* number of a mark -> its condition */
static int nr_roots;

/* ---- in the tree ---- */

void
branches_begin(void)
{
	if (!tests) {
		tests = new by_location;
		wholes = new by_location;
		marked = new hash_map<int_hash<int, -1>, int>;
	}
	delete roots;
	roots = new hash_map<tree, int>;
	delete calls;
	calls = new hash_map<tree, location_t>;
}

static bool
is_logical(tree t)
{
	return TREE_CODE(t) == TRUTH_ANDIF_EXPR || TREE_CODE(t) == TRUTH_ORIF_EXPR;
}

/* What T, a condition, tests: without what only stands around it. */
static tree
inner(tree t)
{
	while (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR ||
	       TREE_CODE(t) == CLEANUP_POINT_EXPR || TREE_CODE(t) == TRUTH_NOT_EXPR)
		t = TREE_OPERAND(t, 0);
	return t;
}

static bool
has_place(location_t loc)
{
	return LOCATION_LOCUS(loc) > BUILTINS_LOCATION;
}

/* The root of T, && or ||: that of the outermost one around it. */
static int
root_of(tree t)
{
	bool existed;
	int &root = roots->get_or_insert(t, &existed);

	if (!existed)
		root = ++nr_roots;
	return root;
}

static void
note_whole(location_t loc, int root)
{
	if (has_place(loc))
		wholes->put(api_point(loc), root);
}

/* Notes that tests of the parts of T may have these places: LOC, and all around && or || in it. */
static void
note_whole_around(tree t, location_t loc)
{
	tree in = inner(t);
	int root = root_of(in);

	note_whole(loc, root);
	for (; t != in; t = TREE_OPERAND(t, 0))
		if (EXPR_P(t))
			note_whole(EXPR_LOCATION(t), root);
	note_whole(EXPR_LOCATION(in), root);
}

static struct comparison
comparison_of(tree t)
{
	struct comparison c = {ERROR_MARK, false};

	while (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR ||
	       TREE_CODE(t) == CLEANUP_POINT_EXPR)
		t = TREE_OPERAND(t, 0);
	c.code = NE_EXPR;
	c.constant = true;
	if (TREE_CODE(t) == TRUTH_NOT_EXPR)
		c.code = EQ_EXPR;
	if (!COMPARISON_CLASS_P(t))
		return c;
	c.code = TREE_CODE(t);
	c.constant = CONSTANT_CLASS_P(TREE_OPERAND(t, 1));
	if (CONSTANT_CLASS_P(TREE_OPERAND(t, 0))) {
		c.code = swap_tree_comparison(c.code);
		c.constant = true;
	}
	return c;
}

static int
add_condition(enum branch_kind kind, const struct place *place, bool inverted)
{
	struct condition c = {kind, *place, inverted, {ERROR_MARK, false}, 0};

	conditions.safe_push(c);
	return (int)conditions.length() - 1;
}

/* The test of CONDITION has LOC. What several have tells none apart; a text that is compiled again,
 * as an instance of a template, is the same. */
static void
note_test(location_t loc, int condition)
{
	bool existed;

	if (!has_place(loc))
		return;
	int &known = tests->get_or_insert(api_point(loc), &existed);
	if (!existed || (known != NO_CONDITION &&
			 place_equal(&conditions[known].place, &conditions[condition].place)))
		known = condition;
	else
		known = NO_CONDITION;
}

/* The place of T, the condition of the statement at LOC. */
static struct place
condition_place(tree t, location_t loc)
{
	struct place place;
	bool from_macro;

	while (!EXPR_P(t) || !has_place(EXPR_LOCATION(t)))
		if (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR ||
		    TREE_CODE(t) == CLEANUP_POINT_EXPR)
			t = TREE_OPERAND(t, 0);
		else
			break;
	if (EXPR_P(t) && place_of(EXPR_LOCATION(t), &place, &from_macro))
		return place;
	if (place_of(loc, &place, &from_macro) && !from_macro)
		place_take_head(&place);
	return place;
}

static void
note_head(enum branch_kind kind, tree t, tree condition)
{
	location_t loc = EXPR_LOCATION(t);
	struct place place;
	int number;

	if (!condition || TREE_CONSTANT(condition) || is_logical(inner(condition))) {
		if (condition && is_logical(inner(condition)))
			note_whole_around(condition, loc);
		return;
	}
	place = condition_place(condition, loc);
	if (!place.file)
		return;
	number = add_condition(kind, &place, false);
	if (kind == BRANCH_IF || !has_place(EXPR_LOCATION(condition)))
		note_test(loc, number);
	for (; kind == BRANCH_LOOP; condition = TREE_OPERAND(condition, 0)) {
		if (EXPR_P(condition))
			note_test(EXPR_LOCATION(condition), number);
		if (!CONVERT_EXPR_P(condition) && TREE_CODE(condition) != NON_LVALUE_EXPR &&
		    TREE_CODE(condition) != CLEANUP_POINT_EXPR)
			break;
	}
}

/* `if` of C is a ?: without value; and a loop of GCC 11, of jumps only. */
static void
note_statement(tree t)
{
	tree one = TREE_OPERAND(t, 1), other = TREE_OPERAND(t, 2);

	if (place_is_conditional(EXPR_LOCATION(t)))
		return; /* branches_conditional() */
	if (place_begins_if(EXPR_LOCATION(t)))
		note_head(BRANCH_IF, t, TREE_OPERAND(t, 0));
	else if (one && other && TREE_CODE(one) == GOTO_EXPR && TREE_CODE(other) == GOTO_EXPR)
		note_head(BRANCH_LOOP, t, TREE_OPERAND(t, 0));
}

/* The compiler gives the test of a ?: that is an argument the place of the call. */
static void
note_arguments(tree call)
{
	for (int i = 0; i < call_expr_nargs(call); i++) {
		tree argument = inner(CALL_EXPR_ARG(call, i));

		if (TREE_CODE(argument) == COND_EXPR)
			calls->put(argument, EXPR_LOCATION(call));
	}
}

void
branches_scan(tree t)
{
	switch ((int)TREE_CODE(t)) {
	case IF_STMT:
		if (place_begins_if(EXPR_LOCATION(t)))
			note_head(BRANCH_IF, t, TREE_OPERAND(t, 0));
		break;
	case CALL_EXPR:
		note_arguments(t);
		break;
	case WHILE_STMT:
	case DO_STMT:
		note_head(BRANCH_LOOP, t, TREE_OPERAND(t, 0));
		break;
	case FOR_STMT:
		note_head(BRANCH_LOOP, t, TREE_OPERAND(t, 1));
		break;
	case COND_EXPR:
		if (VOID_TYPE_P(TREE_TYPE(t)))
			note_statement(t);
		break;
	case TRUTH_ANDIF_EXPR:
	case TRUTH_ORIF_EXPR:
		note_whole_around(t, UNKNOWN_LOCATION);
		break;
	}
}

/* A macro's condition is shown where the macro is used. */
static struct place
place_of_part(location_t loc, const struct place *part, bool in_definition)
{
	struct place use;
	bool from_macro;

	return in_definition && place_of(loc, &use, &from_macro) ? use : *part;
}

void
branches_operand(tree t, tree operand, const struct place *place, bool in_definition, int mark)
{
	struct place shown = place_of_part(EXPR_LOCATION(t), place, in_definition);
	tree in = inner(operand);
	int root = root_of(t), number;

	if (is_logical(in)) {
		roots->put(in, root);
		return;
	}
	if (mark < 0 || TREE_CONSTANT(operand))
		return;
	number = add_condition(BRANCH_OPERAND, &shown,
			       place_operator(EXPR_LOCATION(t)) !=
				       (TREE_CODE(t) == TRUTH_ANDIF_EXPR ? '&' : '|'));
	conditions[number].root = root;
	marked->put(mark, number);
}

/* A ?: that has become one of truth values has the place of the operator around it, and its test
 * that of the operand's: with a mark of its own it does not take the operand's. */
bool
branches_hides(tree t)
{
	return has_place(EXPR_LOCATION(t)) && wholes->get(api_point(EXPR_LOCATION(t))) &&
	       !place_is_conditional(EXPR_LOCATION(t));
}

void
branches_hidden(tree t, int mark)
{
	struct place none = place_none();
	int number = add_condition(BRANCH_CONDITIONAL, &none, false);

	conditions[number].root = *wholes->get(api_point(EXPR_LOCATION(t)));
	marked->put(mark, number);
}

void
branches_conditional(tree t, const struct place *condition, bool in_definition, enum arms arms)
{
	struct place shown = place_none();
	location_t *call = calls->get(t);
	tree tested = TREE_OPERAND(t, 0);
	int number;

	if (is_logical(inner(tested))) {
		note_whole_around(tested, EXPR_LOCATION(t));
		if (call)
			note_whole(*call, root_of(inner(tested)));
		return;
	}
	if (TREE_CONSTANT(tested))
		return;
	if (arms != ARMS_UNKNOWN)
		shown = place_of_part(EXPR_LOCATION(t), condition, in_definition);
	number = add_condition(BRANCH_CONDITIONAL, &shown, arms == ARMS_EXCHANGED);
	if (arms == ARMS_TO_FOLD)
		conditions[number].comparison = comparison_of(tested);
	note_test(EXPR_LOCATION(t), number);
	if (call)
		note_test(*call, number);
}

/* ---- in the graph ---- */

/* The condition of the last mark before the end of BB that has ROOT and that no test has TAKEN. */
static int
take_mark(basic_block bb, int root, hash_set<gimple *> *taken)
{
	for (int far = 0; far < FAR && bb && bb != ENTRY_BLOCK_PTR_FOR_FN(cfun); far++) {
		for (gimple_stmt_iterator i = gsi_last_bb(bb); !gsi_end_p(i); gsi_prev(&i)) {
			gimple *stmt = gsi_stmt(i);
			int *number = operands_mark(stmt) && !operands_is_jump(stmt)
					      ? marked->get((int)operands_mark_number(stmt))
					      : NULL;

			if (!number || conditions[*number].root != root ||
			    taken->contains(stmt))
				continue;
			taken->add(stmt);
			return *number;
		}
		bb = get_immediate_dominator(CDI_DOMINATORS, bb);
	}
	return NO_CONDITION;
}

static int
find_condition(gimple *test, basic_block bb, hash_set<gimple *> *taken)
{
	location_t loc = gimple_location(test);
	int *root, *number, found = NO_CONDITION;

	if (!has_place(loc) || !tests)
		return NO_CONDITION;
	root = wholes->get(api_point(loc));
	if (root)
		found = take_mark(bb, *root, taken);
	number = tests->get(api_point(loc));
	return found == NO_CONDITION && number ? *number : found;
}

/* 1: TEST is true when C is, -1: when C is not, 0: it cannot be told. The optimisers of the front
 * end make < of <= and a smaller constant. */
static int
direction(const struct comparison *c, gcond *test)
{
	enum tree_code code = gimple_cond_code(test);
	bool constant = CONSTANT_CLASS_P(gimple_cond_rhs(test));

	if (constant != c->constant)
		return 0;
	if (code == c->code)
		return 1;
	if (code == invert_tree_comparison(c->code, false))
		return -1;
	if (!constant)
		return code == swap_tree_comparison(c->code) ? 1
		       : code == swap_tree_comparison(invert_tree_comparison(c->code, false)) ? -1
											      : 0;
	if (code == EQ_EXPR || code == NE_EXPR || c->code == EQ_EXPR || c->code == NE_EXPR)
		return 0;
	return (code == LT_EXPR || code == LE_EXPR) == (c->code == LT_EXPR || c->code == LE_EXPR)
		       ? 1
		       : -1;
}

static struct branch *
new_branch(struct graph *g, enum branch_kind kind, const struct place *place)
{
	struct branch *branch = new struct branch();

	branch->kind = kind;
	branch->place = *place;
	for (unsigned i = 0; i < g->proc.branches.length(); i++)
		branch->number += place_equal(&g->proc.branches[i]->place, place);
	g->proc.branches.safe_push(branch);
	return branch;
}

static void
add_way(struct branch *branch, int way, edge e, location_t to)
{
	expanded_location at = has_place(to) ? expand_location(to) : expanded_location();
	struct branch_edge b = {way, e, 0, at.line, at.column};

	branch->edges.safe_push(b);
}

/* Another test of a condition that has one in this procedure, as the compiler copies code, is the
 * same condition. */
static struct branch *
branch_of(struct graph *g, int number, hash_map<int_hash<int, -1>, branch *> *known)
{
	bool existed;
	struct branch *&branch = known->get_or_insert(number, &existed);

	if (!existed)
		branch = new_branch(g, conditions[number].kind, &conditions[number].place);
	return branch;
}

static void
note_test_of(struct graph *g, gcond *test, basic_block bb, int number,
	     hash_map<int_hash<int, -1>, branch *> *known)
{
	const struct condition *c = &conditions[number];
	bool inverted = c->inverted;
	struct branch *branch;
	edge yes, no;

	extract_true_false_edges_from_block(bb, &yes, &no);
	if (!c->place.file || !yes || !no || yes == no)
		return;
	if (c->comparison.code != ERROR_MARK) {
		int way = direction(&c->comparison, test);

		if (!way)
			return; /* better no branch than one that goes the other way */
		inverted = way < 0;
	}
	branch = branch_of(g, number, known);
	add_way(branch, inverted, yes, UNKNOWN_LOCATION);
	add_way(branch, !inverted, no, UNKNOWN_LOCATION);
}

/* The first `case` or `default` at the begin of BB, where a switch leads to. */
static location_t
label_of(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		glabel *label = dyn_cast<glabel *>(gsi_stmt(i));

		if (!label)
			break;
		if (has_place(DECL_SOURCE_LOCATION(gimple_label_label(label))) &&
		    place_begins_case(DECL_SOURCE_LOCATION(gimple_label_label(label))))
			return DECL_SOURCE_LOCATION(gimple_label_label(label));
	}
	return UNKNOWN_LOCATION;
}

/* The ways of a switch, in the order of the text; where no label fits comes last. */
static void
note_switch(struct graph *g, gimple *stmt, basic_block bb)
{
	location_t loc = gimple_location(stmt);
	auto_vec<edge> ways;
	struct branch *branch;
	struct place place;
	bool from_macro;
	edge_iterator ei;
	edge e;

	if (!place_of(loc, &place, &from_macro) || EDGE_COUNT(bb->succs) < 2)
		return;
	if (!from_macro)
		place_extend_over_head(&place);
	branch = new_branch(g, BRANCH_SWITCH, &place);
	FOR_EACH_EDGE(e, ei, bb->succs)
	{
		unsigned at = 0;
		location_t label = label_of(e->dest);

		while (at < ways.length() &&
		       (!has_place(label) || (has_place(label_of(ways[at]->dest)) &&
					      linemap_compare_locations(
						      line_table, label_of(ways[at]->dest),
						      label) >= 0)))
			at++;
		ways.safe_insert(at, e);
	}
	for (unsigned i = 0; i < ways.length(); i++)
		add_way(branch, (int)i, ways[i], label_of(ways[i]->dest));
}

static void
note_block(struct graph *g, basic_block bb, hash_set<gimple *> *taken,
	   hash_map<int_hash<int, -1>, branch *> *known)
{
	gimple *last = api_last_stmt(bb);
	int number;

	if (!last || g->in_loop[g->number[bb->index]] >= 0)
		return;
	if (gcond *test = dyn_cast<gcond *>(last)) {
		number = find_condition(test, bb, taken);
		if (number != NO_CONDITION) {
			note_test_of(g, test, bb, number, known);
			return;
		}
	} else if (gimple_code(last) != GIMPLE_SWITCH) {
		return;
	}
	/* With one case, the compiler makes a test of it. */
	if (has_place(gimple_location(last)) && place_begins_switch(gimple_location(last)))
		note_switch(g, last, bb);
}

void
branches_note(struct graph *g, function *fun)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(fun));
	int nr = pre_and_rev_post_order_compute_fn(fun, NULL, order, false);
	hash_map<int_hash<int, -1>, branch *> known;
	hash_set<gimple *> taken;

	calculate_dominance_info(CDI_DOMINATORS);
	for (int i = 0; i < nr; i++)
		note_block(g, BASIC_BLOCK_FOR_FN(fun, order[i]), &taken, &known);
	free_dominance_info(CDI_DOMINATORS);
	free(order);
}

void
branches_number_edges(struct graph *g)
{
	hash_map<edge, int> numbers;
	int nr = 0;

	for (unsigned i = 0; i < g->arcs.length(); i++)
		if (g->arcs[i].e)
			numbers.put(g->arcs[i].e, nr++);
	for (unsigned i = 0; i < g->proc.branches.length(); i++)
		for (unsigned k = 0; k < g->proc.branches[i]->edges.length(); k++) {
			struct branch_edge *b = &g->proc.branches[i]->edges[k];

			b->number = *numbers.get(b->e);
		}
}
