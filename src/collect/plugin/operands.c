/* Ranges that GIMPLE no longer has: operands of && and ||, arms of ?:, whole assignments.
 *
 * The tree before GENERIC (PLUGIN_PRE_GENERICIZE) still has them. Two things are taken from it:
 * - for each expression its full range, found again later by its caret location, which GIMPLE
 * keeps;
 * - a mark in each operand of && and || and each arm of ?:, a call to a function that does not
 * exist, evaluated with the operand, and one in front of each break, continue and goto. After
 * gimplification it stands in just the block that evaluates the operand; the counting pass reads
 * its number, gives the block the range and deletes the mark.
 */
#include "plugin.h"

#include "hash-map.h"

static hash_map<int_hash<location_t, UNKNOWN_LOCATION>, location_t>
	*expressions; /* caret -> widest */
static hash_set<int_hash<location_t, UNKNOWN_LOCATION>> *logical;
static hash_set<int_hash<location_t, UNKNOWN_LOCATION>> *cleaned; /* variables' names */
static hash_set<int_hash<location_t, UNKNOWN_LOCATION>> *aliases; /* locations taken from these */
static hash_set<tree> *misplaced; /* ?: of the procedure that is looked at */
static bool without_marks;
static hash_set<tree> *unreached; /* its statements in front of a switch's first label */
static GTY(()) tree mark_decl;
static vec<place> marks;
static hash_map<int_hash<location_t, UNKNOWN_LOCATION>, int> *jumps; /* caret -> index of marks */

enum mark_kind { MARK_OPERAND, MARK_DEFINITION };

/* The front end of C++ evaluates what has marks in it: in GCC 16 even the bodies of constexpr
 * procedures. It ignores no call but that of the built-in procedure that the mark says to be. */
static tree
mark_function(void)
{
	if (!mark_decl) {
		tree type = build_function_type_list(void_type_node, integer_type_node,
						     integer_type_node, NULL_TREE);

		mark_decl = build_fn_decl("__cgview_mark", type);
		set_decl_built_in_function(mark_decl, BUILT_IN_NORMAL,
					   BUILT_IN_ASAN_POINTER_COMPARE);
		api_declare_to_front_end(mark_decl);
		TREE_NOTHROW(mark_decl) = 1;
		DECL_ATTRIBUTES(mark_decl) =
			tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
	}
	return mark_decl;
}

static tree
make_mark(location_t loc, enum mark_kind kind, const struct place *place)
{
	tree call = build_call_expr_loc(loc, mark_function(), 2,
					build_int_cst(integer_type_node, marks.length()),
					build_int_cst(integer_type_node, kind));

	marks.safe_push(*place);
	TREE_SIDE_EFFECTS(call) = 1;
	return call;
}

/* Returns the mark's number; -1: there is to be none. */
static int
plant_mark(tree *operand, const struct place *place, location_t op, bool in_definition)
{
	location_t loc = EXPR_LOCATION(*operand);
	tree call;

	if (without_marks)
		return -1;
	call = make_mark(op, in_definition ? MARK_DEFINITION : MARK_OPERAND, place);
	*operand = build2_loc(loc, COMPOUND_EXPR, TREE_TYPE(*operand), call, *operand);
	TREE_SIDE_EFFECTS(*operand) = 1;
	return (int)marks.length() - 1;
}

/* In front of a jump a call would hide from the front end that nothing but a jump is there, and let
 * it warn of a fall through to it. A hint for the prediction of branches is what it looks behind:
 * the one before a `continue` is its own. The place is found again by the location. */
static tree
make_jump_mark(location_t loc, const struct place *place)
{
	tree hint = build_predict_expr(PRED_NO_PREDICTION, NOT_TAKEN);

	SET_EXPR_LOCATION(hint, loc);
	jumps->put(get_pure_location(line_table, loc), (int)marks.length());
	marks.safe_push(*place);
	return hint;
}

/* Index of the mark that STMT is, NULL: it is none of a jump. */
static const int *
jump_mark(gimple *stmt)
{
	if (gimple_code(stmt) != GIMPLE_PREDICT || !jumps || !gimple_has_location(stmt) ||
	    gimple_predict_predictor(stmt) != PRED_NO_PREDICTION)
		return NULL;
	return jumps->get(get_pure_location(line_table, gimple_location(stmt)));
}

bool
operands_is_jump(gimple *stmt)
{
	return jump_mark(stmt) != NULL;
}

bool
operands_is_guess(gimple *stmt)
{
	return gimple_code(stmt) == GIMPLE_PREDICT && !operands_is_jump(stmt) &&
	       gimple_predict_predictor(stmt) != PRED_TREE_EARLY_RETURN;
}

const struct place *
operands_mark(gimple *stmt)
{
	unsigned HOST_WIDE_INT n;

	if (const int *jump = jump_mark(stmt))
		return &marks[*jump];
	if (!mark_decl || !is_gimple_call(stmt) || gimple_call_fndecl(stmt) != mark_decl)
		return NULL;
	n = tree_to_uhwi(gimple_call_arg(stmt, 0));
	return n < marks.length() ? &marks[n] : NULL;
}

enum range_kind
operands_mark_kind(gimple *stmt)
{
	if (operands_is_jump(stmt))
		return RANGE_STATEMENT;
	return tree_to_uhwi(gimple_call_arg(stmt, 1)) == MARK_DEFINITION ? RANGE_MACRO_DEFINITION
									 : RANGE_OPERAND;
}

unsigned
operands_mark_number(gimple *stmt)
{
	return (unsigned)tree_to_uhwi(gimple_call_arg(stmt, 0));
}

bool
operands_is_jump_place(location_t loc)
{
	return jumps && LOCATION_LOCUS(loc) > BUILTINS_LOCATION &&
	       jumps->get(get_pure_location(line_table, loc));
}

static bool
is_logical(enum tree_code code)
{
	return code == TRUTH_ANDIF_EXPR || code == TRUTH_ORIF_EXPR;
}

static bool
scalar(tree type)
{
	return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type);
}

/* A mark may stand before this operand: it is a value (not something whose address is taken). */
static bool
can_carry_mark(tree operand)
{
	return operand && TREE_TYPE(operand) && scalar(TREE_TYPE(operand)) &&
	       TREE_CODE(operand) != TARGET_EXPR;
}

/* An operand that && or || made has operands with marks; in a macro's definition they may be those
 * of an argument, and then tell nothing of the definition. */
static bool
wants_mark(tree operand, bool in_definition)
{
	return (in_definition || !is_logical(TREE_CODE(operand))) && can_carry_mark(operand);
}

static void
note_operand(tree t, int which, const struct place *place, bool in_definition)
{
	tree operand = TREE_OPERAND(t, which);
	int mark = -1;

	if (wants_mark(operand, in_definition))
		mark = plant_mark(&TREE_OPERAND(t, which), place, EXPR_LOCATION(t), in_definition);
	branches_operand(t, operand, place, in_definition, mark);
}

static void
note_logical(tree t)
{
	struct place first, second;
	location_t loc = EXPR_LOCATION(t);
	bool in_definition;

	if (place_is_conditional(loc)) { /* `a ? b : 0` has become `a && b` */
		conditional_note(loc);
		return;
	}
	if (!place_of_operands(loc, 2, &first, &second, &in_definition))
		return;
	logical->add(api_point(loc));
	conditional_note_logical(loc);
	note_operand(t, 0, &first, in_definition);
	note_operand(t, 1, &second, in_definition);
}

/* ---- arms of ?: ----
 *
 * The front end exchanges them, inverting the condition, when it finds the other order simpler. So
 * each arm of the tree is compared with the two places in the text. */

static tree
without_conversions(tree t)
{
	while (CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR)
		t = TREE_OPERAND(t, 0);
	return t;
}

/* 1: only A holds, -1: only B holds, 0: nothing follows. */
static int
either(bool a, bool b)
{
	return (int)a - (int)b;
}

/* Does ARM of T stand HERE (1) or THERE (-1)? 0: cannot be told. */
static int
evidence(tree t, tree arm, const struct place *here, const struct place *there, bool in_definition)
{
	struct place at;

	arm = without_conversions(arm);
	if (EXPR_P(arm) && place_of_point(EXPR_LOCATION(arm), EXPR_LOCATION(t), in_definition, &at))
		return either(place_contains(here, &at), place_contains(there, &at));
	if (DECL_P(arm) && DECL_NAME(arm))
		return either(place_has_word(here, IDENTIFIER_POINTER(DECL_NAME(arm))),
			      place_has_word(there, IDENTIFIER_POINTER(DECL_NAME(arm))));
	if (CONSTANT_CLASS_P(arm))
		return either(!place_has_word(here, NULL), !place_has_word(there, NULL));
	return 0;
}

/* Where the value of a nested ?: is converted, the compiler makes the inner one anew, at the place
 * of the outer one: the parts that stand there are not its own. */
static void
note_misplaced(tree outer)
{
	for (int i = 0; i < 3; i++) {
		tree part = TREE_OPERAND(outer, i);

		while (part && CONVERT_EXPR_P(part))
			part = TREE_OPERAND(part, 0);
		if (part && TREE_CODE(part) == COND_EXPR &&
		    LOCATION_LOCUS(EXPR_LOCATION(part)) == LOCATION_LOCUS(EXPR_LOCATION(outer)))
			misplaced->add(part);
	}
}

/* Do the arms of T stand as in the text? 1: yes, -1: they are exchanged, 0: cannot be told. Two
 * constants are never exchanged. */
static int
arms_evidence(tree t, const struct place *first, const struct place *second, bool in_definition)
{
	tree one = TREE_OPERAND(t, 1), other = TREE_OPERAND(t, 2);
	int straight = evidence(t, one, first, second, in_definition) +
		       evidence(t, other, second, first, in_definition);

	return straight || !(CONSTANT_CLASS_P(one) && CONSTANT_CLASS_P(other)) ? straight : 1;
}

/* The condition of T is tested at the place of what is around it. */
static void
hide_conditional(tree t)
{
	struct place none = place_none();
	int mark = can_carry_mark(TREE_OPERAND(t, 0))
			   ? plant_mark(&TREE_OPERAND(t, 0), &none, EXPR_LOCATION(t), false)
			   : -1;

	if (mark >= 0)
		branches_hidden(t, mark);
}

static void
note_conditional(tree t)
{
	struct place condition, first, second;
	tree *one = &TREE_OPERAND(t, 1), *other = &TREE_OPERAND(t, 2);
	bool in_definition, placed;
	int straight;

	note_misplaced(t);
	if (VOID_TYPE_P(TREE_TYPE(t)) && !place_is_conditional(EXPR_LOCATION(t)))
		return; /* it is an if */
	if (branches_hides(t)) {
		hide_conditional(t);
		return;
	}
	if (misplaced->contains(t) || !*one || !*other) {
		branches_conditional(t, NULL, false, ARMS_UNKNOWN);
		return;
	}
	conditional_note(EXPR_LOCATION(t));
	placed = place_of_arms(EXPR_LOCATION(t), &condition, &first, &second, &in_definition);
	straight = placed ? arms_evidence(t, &first, &second, in_definition) : 0;
	if (placed)
		branches_conditional(t, &condition, in_definition,
				     straight > 0   ? ARMS_STRAIGHT
				     : straight < 0 ? ARMS_EXCHANGED
						    : ARMS_UNKNOWN);
	else if (place_of_condition(EXPR_LOCATION(t), &condition, &in_definition))
		branches_conditional(t, &condition, in_definition, ARMS_TO_FOLD);
	else
		branches_conditional(t, NULL, false, ARMS_UNKNOWN);
	if (!placed || !scalar(TREE_TYPE(t)) || !can_carry_mark(*one) || !can_carry_mark(*other))
		return;
	if (wants_mark(TREE_OPERAND(t, 0), in_definition))
		plant_mark(&TREE_OPERAND(t, 0), &condition, EXPR_LOCATION(t), in_definition);
	if (!straight)
		return; /* better no count than that of the other arm */
	plant_mark(straight < 0 ? other : one, &first, EXPR_LOCATION(t), in_definition);
	plant_mark(straight < 0 ? one : other, &second, EXPR_LOCATION(t), in_definition);
}

/* `if (c) break;`: when it optimises, the gimplifier makes one jump of both; with a mark in front
 * the break keeps its place. */
static bool
note_jump(tree *jump)
{
	struct place place;
	bool from_macro;
	tree list = NULL_TREE;

	if (without_marks)
		return false;
	if ((TREE_CODE(*jump) != BREAK_STMT && TREE_CODE(*jump) != CONTINUE_STMT &&
	     TREE_CODE(*jump) != GOTO_EXPR) ||
	    !place_of(EXPR_LOCATION(*jump), &place, &from_macro) || from_macro ||
	    coroutine_made_jump(current_function_decl, *jump))
		return false;
	if (TREE_CODE(*jump) == GOTO_EXPR)
		place_extend_over_goto(&place);
	append_to_statement_list_force(make_jump_mark(EXPR_LOCATION(*jump), &place), &list);
	append_to_statement_list_force(*jump, &list);
	*jump = list;
	return true;
}

static bool
wider(location_t a, location_t b)
{
	struct place pa, pb;
	bool macro;

	return place_of(a, &pa, &macro) && place_of(b, &pb, &macro) && place_contains(&pa, &pb) &&
	       !place_equal(&pa, &pb);
}

/* `a += f()` is f(), whose value is kept, and then the assignment: only its operator has a known
 * place; the whole has that of the statement, which begins with `a`. */
static location_t
expression_location(tree t)
{
	location_t loc = EXPR_LOCATION(t), caret;
	source_range r;

	if (TREE_CODE(t) != COMPOUND_EXPR || TREE_CODE(TREE_OPERAND(t, 0)) != SAVE_EXPR ||
	    TREE_CODE(TREE_OPERAND(t, 1)) != MODIFY_EXPR)
		return loc;
	caret = LOCATION_LOCUS(EXPR_LOCATION(TREE_OPERAND(t, 1)));
	r.m_start = LOCATION_LOCUS(loc);
	r.m_finish = api_range(EXPR_LOCATION(TREE_OPERAND(t, 0))).m_finish;
	if (!place_is_operand(loc, caret) ||
	    linemap_location_from_macro_expansion_p(line_table, r.m_start) ||
	    linemap_location_from_macro_expansion_p(line_table, r.m_finish) ||
	    linemap_location_from_macro_expansion_p(line_table, caret))
		return loc;
	return make_location(caret, r.m_start, r.m_finish);
}

static void
note_expression(tree t)
{
	location_t loc = expression_location(t), caret = api_point(loc);

	if (caret <= BUILTINS_LOCATION || (unsigned)caret == UNKNOWN_LOCATION)
		return;
	if (location_t *known = expressions->get(caret)) {
		if (wider(loc, *known))
			*known = loc;
	} else {
		expressions->put(caret, loc);
	}
}

/* Code between `switch (c) {` and the first label is never executed, and the front end may warn of
 * it: not of a jump that it made itself, but it would of one with a mark in front. */
static tree
find_label(tree *tp, int *, void *)
{
	return TREE_CODE(*tp) == CASE_LABEL_EXPR || TREE_CODE(*tp) == LABEL_EXPR ? *tp : NULL_TREE;
}

/* Notes the statements of BODY before the first that has a label in it; true: there was one. */
static bool
note_unreached(tree body)
{
	if (!body)
		return false;
	if (TREE_CODE(body) == BIND_EXPR)
		return note_unreached(BIND_EXPR_BODY(body));
	if (TREE_CODE(body) == STATEMENT_LIST) {
		for (tree_stmt_iterator i = tsi_start(body); !tsi_end_p(i); tsi_next(&i))
			if (note_unreached(tsi_stmt(i)))
				return true;
		return false;
	}
	if (walk_tree_without_duplicates(&body, find_label, NULL))
		return true;
	unreached->add(body);
	return false;
}

/* When it optimises, and of `if (a && b)` always, the front end makes `if (c) ...; else break;` one
 * jump, which hides from -Wimplicit-fallthrough what comes behind: from there to the end of the
 * switch it does not look, or with a goto not at the next label. With a mark in front of the jump
 * it would. */
enum quiet { QUIET_NOT, QUIET_NEXT, QUIET_REST };

static tree
only_statement(tree list)
{
	tree only = NULL_TREE;

	if (!list || TREE_CODE(list) != STATEMENT_LIST)
		return list;
	for (tree_stmt_iterator i = tsi_start(list); !tsi_end_p(i); tsi_next(&i)) {
		if (TREE_CODE(tsi_stmt(i)) == DEBUG_BEGIN_STMT)
			continue;
		if (only)
			return NULL_TREE;
		only = tsi_stmt(i);
	}
	return only_statement(only);
}

static bool
has_several_jumps(tree condition)
{
	while (TREE_CODE(condition) == TRUTH_NOT_EXPR || CONVERT_EXPR_P(condition) ||
	       TREE_CODE(condition) == CLEANUP_POINT_EXPR)
		condition = TREE_OPERAND(condition, 0);
	return is_logical(TREE_CODE(condition));
}

static enum quiet
quiet_behind(tree t)
{
	tree jump;

	if (TREE_CODE(t) != COND_EXPR && TREE_CODE(t) != IF_STMT)
		return QUIET_NOT;
	jump = only_statement(TREE_OPERAND(t, 2));
	if (jump && (TREE_CODE(jump) == COND_EXPR || TREE_CODE(jump) == IF_STMT))
		return quiet_behind(jump);
	if (!optimize && !has_several_jumps(TREE_OPERAND(t, 0)))
		return QUIET_NOT;
	if (jump && TREE_CODE(jump) == BREAK_STMT)
		return QUIET_REST;
	if (!jump || TREE_CODE(jump) != GOTO_EXPR ||
	    TREE_CODE(GOTO_DESTINATION(jump)) != LABEL_DECL)
		return QUIET_NOT;
	return DECL_ARTIFICIAL(GOTO_DESTINATION(jump)) ? QUIET_REST : QUIET_NEXT;
}

/* Marks the labels of a switch's BODY that the front end would not have looked at. */
static void
quiet_labels(tree body, enum quiet *quiet)
{
	tree label = NULL_TREE;

	if (!body)
		return;
	if (TREE_CODE(body) == BIND_EXPR) {
		enum quiet inner = *quiet;

		quiet_labels(BIND_EXPR_BODY(body), &inner);
	} else if (TREE_CODE(body) == STATEMENT_LIST) {
		for (tree_stmt_iterator i = tsi_start(body); !tsi_end_p(i); tsi_next(&i))
			quiet_labels(tsi_stmt(i), quiet);
	} else if (TREE_CODE(body) == CASE_LABEL_EXPR) {
		label = CASE_LABEL(body);
	} else if (TREE_CODE(body) == LABEL_EXPR) {
		label = LABEL_EXPR_LABEL(body);
	} else if (quiet_behind(body) != QUIET_NOT && *quiet != QUIET_REST) {
		*quiet = quiet_behind(body);
	}
	if (!label)
		return;
	if (*quiet != QUIET_NOT)
		FALLTHROUGH_LABEL_P(label) = true;
	if (*quiet == QUIET_NEXT)
		*quiet = QUIET_NOT;
}

static void
note_switch(tree body)
{
	enum quiet quiet = QUIET_NOT;

	note_unreached(body);
	quiet_labels(body, &quiet);
}

static tree scan(tree *tp, int *walk_subtrees, void *data);

static void
scan_tree(tree *tp, void *visited)
{
	walk_tree(tp, scan, visited, (hash_set<tree> *)visited);
}

/* A variable may be a name for another place (a lambda's capture, a structured binding). The
 * expression for that place stands for all uses, and has the location of the first one, or of the
 * declaration. Without a location each use has its own. */
static tree
forget_location(tree *tp, int *, void *)
{
	tree value;

	if (EXPR_P(*tp) && EXPR_HAS_LOCATION(*tp)) {
		aliases->add(get_pure_location(line_table, EXPR_LOCATION(*tp)));
		SET_EXPR_LOCATION(*tp, UNKNOWN_LOCATION);
	} else if (VAR_P(*tp) && DECL_HAS_VALUE_EXPR_P(*tp)) {
		value = DECL_VALUE_EXPR(*tp);
		walk_tree(&value, forget_location, NULL, NULL);
	}
	return NULL_TREE;
}

/* The initialisers of automatic variables are code, those of static ones are not. */
static void
scan_bind(tree bind, void *visited)
{
	for (tree var = BIND_EXPR_VARS(bind); var; var = DECL_CHAIN(var)) {
		if (VAR_P(var) && lookup_attribute("cleanup", DECL_ATTRIBUTES(var)))
			cleaned->add(api_point(DECL_SOURCE_LOCATION(var)));
		forget_location(&var, NULL, NULL);
		if (VAR_P(var) && !TREE_STATIC(var) && !DECL_EXTERNAL(var) && DECL_INITIAL(var))
			scan_tree(&DECL_INITIAL(var), visited);
	}
	scan_tree(&BIND_EXPR_BODY(bind), visited);
}

/* -Wduplicated-branches compares the arms later, and two marks are never equal: equal arms get
 * none when it is asked for. */
static bool
has_twin_arms(tree t)
{
	return warn_duplicated_branches && (TREE_CODE(t) == COND_EXPR || TREE_CODE(t) == IF_STMT) &&
	       TREE_OPERAND(t, 1) && TREE_OPERAND(t, 2) &&
	       operand_equal_p(TREE_OPERAND(t, 1), TREE_OPERAND(t, 2), OEP_LEXICOGRAPHIC);
}

static void
scan_twin_arms(tree t, void *visited)
{
	bool outside = without_marks;

	scan_tree(&TREE_OPERAND(t, 0), visited);
	without_marks = true;
	scan_tree(&TREE_OPERAND(t, 1), visited);
	scan_tree(&TREE_OPERAND(t, 2), visited);
	without_marks = outside;
}

static tree
scan(tree *tp, int *walk_subtrees, void *data)
{
	tree t = *tp;

	if (TYPE_P(t) || DECL_P(t)) {
		forget_location(&t, NULL, NULL);
		*walk_subtrees = 0;
		return NULL_TREE;
	}
	if (TREE_CODE(t) == BIND_EXPR) {
		scan_bind(t, data);
		*walk_subtrees = 0;
		return NULL_TREE;
	}
	if (unreached->contains(t)) {
		*walk_subtrees = 0;
		return NULL_TREE;
	}
	if (!EXPR_P(t))
		return NULL_TREE;
	if (TREE_CODE(t) == SWITCH_STMT || TREE_CODE(t) == SWITCH_EXPR)
		note_switch(TREE_OPERAND(t, 1));
	if (TREE_CODE(t) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(t, 0)) == COND_EXPR) {
		*walk_subtrees = 0;
		return NULL_TREE;
	}
	note_expression(t);
	branches_scan(t);
	if (has_twin_arms(t)) {
		scan_twin_arms(t, data);
		*walk_subtrees = 0;
		return NULL_TREE;
	}
	if (is_logical(TREE_CODE(t))) {
		note_logical(t);
	} else if (TREE_CODE(t) == COND_EXPR) {
		note_conditional(t);
	} else if (TREE_CODE(t) == CALL_EXPR) {
		conditional_note_argument(t);
	} else if (note_jump(tp)) {
		*walk_subtrees = 0;
	}
	return NULL_TREE;
}

/* The front ends for C and C++ have this: the precompiled header that is made. When it is used, the
 * meaning of the marks in it would be forgotten. */
extern const char *pch_file __attribute__((weak));

void
operands_scan(void *gcc_data, void *)
{
	tree fndecl = (tree)gcc_data;
	hash_set<tree> visited, nested, dead;

	misplaced = &nested;
	unreached = &dead;
	if (!expressions) {
		expressions = new hash_map<int_hash<location_t, UNKNOWN_LOCATION>, location_t>;
		logical = new hash_set<int_hash<location_t, UNKNOWN_LOCATION>>;
		cleaned = new hash_set<int_hash<location_t, UNKNOWN_LOCATION>>;
		jumps = new hash_map<int_hash<location_t, UNKNOWN_LOCATION>, int>;
		aliases = new hash_set<int_hash<location_t, UNKNOWN_LOCATION>>;
	}
	branches_begin();
	calls_body_parsed();
	without_marks = &pch_file && pch_file;
	if (!DECL_SAVED_TREE(fndecl))
		return;
	scan_tree(&DECL_SAVED_TREE(fndecl), &visited);
	api_forget_folded();
}

static bool
is_alias_place(location_t loc)
{
	return LOCATION_LOCUS(loc) > BUILTINS_LOCATION &&
	       aliases->contains(get_pure_location(line_table, LOCATION_LOCUS(loc)));
}

void
operands_place_aliases(function *fun)
{
	basic_block bb;
	location_t user;
	unsigned nr;
	tree var;

	if (!aliases)
		return;
	FOR_EACH_LOCAL_DECL(fun, nr, var)
		forget_location(&var, NULL, NULL);
	FOR_EACH_BB_FN(bb, fun)
	{
		user = UNKNOWN_LOCATION;
		for (gimple_stmt_iterator i = gsi_last_bb(bb); !gsi_end_p(i); gsi_prev(&i)) {
			gimple *stmt = gsi_stmt(i);

			if (gimple_assign_load_p(stmt) && is_gimple_reg(gimple_get_lhs(stmt)) &&
			    is_alias_place(gimple_location(stmt)))
				gimple_set_location(stmt, user);
			else if (gimple_has_location(stmt))
				user = gimple_location(stmt);
		}
	}
}

bool
operands_range(location_t loc, struct place *place)
{
	location_t *known = expressions ? expressions->get(api_point(loc)) : NULL;
	bool from_macro;

	return known && place_of(*known, place, &from_macro);
}

bool
operands_is_logical(location_t loc)
{
	return logical && LOCATION_LOCUS(loc) != UNKNOWN_LOCATION &&
	       logical->contains(api_point(loc));
}

/* The compiler's variable that tells, behind a cleanup which stands for several ways out, which way
 * it was. */
static bool
tells_way_out(gimple *stmt)
{
	ssa_op_iter op;
	tree name;

	FOR_EACH_SSA_TREE_OPERAND(name, stmt, op, SSA_OP_ALL_OPERANDS)
		if (TREE_CODE(name) == SSA_NAME && SSA_NAME_IDENTIFIER(name) &&
		    !strncmp(IDENTIFIER_POINTER(SSA_NAME_IDENTIFIER(name)), "finally_tmp", 11))
			return true;
	return false;
}

bool
operands_cleans_up(gimple *stmt)
{
	location_t loc = api_point(gimple_location(stmt));

	return cleaned && loc > BUILTINS_LOCATION && cleaned->contains(loc) &&
	       ((is_gimple_call(stmt) && !gimple_call_lhs(stmt)) || tells_way_out(stmt));
}

/* Does STMT stand for `name = value` of a declaration? Its location is the name's then. */
static bool
initialises(gimple *stmt)
{
	tree var = gimple_get_lhs(stmt);

	if (var && TREE_CODE(var) == SSA_NAME)
		var = SSA_NAME_VAR(var);
	else if (var)
		var = get_base_address(var);
	return var && VAR_P(var) &&
	       get_pure_location(line_table, DECL_SOURCE_LOCATION(var)) ==
		       get_pure_location(line_table, gimple_location(stmt));
}

/* The use of the macro that LOC is from, and, within the arguments, those of the ones that it came
 * from before: the outermost first. */
static int
macro_uses(location_t loc, struct statement_range ranges[STATEMENT_RANGES])
{
	bool from_macro;
	int n = 0;

	for (loc = LOCATION_LOCUS(loc); n < STATEMENT_RANGES - 1; loc = place_unwind(loc)) {
		struct statement_range *r = &ranges[n];

		if (!place_of(loc, &r->place, &from_macro) || !from_macro)
			break;
		r->kind = RANGE_MACRO;
		n += !n || !place_equal(&r->place, &ranges[n - 1].place);
	}
	return n;
}

static int
statement_from_macro(location_t loc, struct statement_range ranges[STATEMENT_RANGES])
{
	location_t *whole = expressions ? expressions->get(api_point(loc)) : NULL;
	bool in_definition;
	int n = macro_uses(loc, ranges);

	if (operands_is_logical(loc))
		return n;
	if (place_in_text(whole ? *whole : loc, &ranges[n].place, &in_definition) ||
	    place_in_text(LOCATION_LOCUS(loc), &ranges[n].place, &in_definition)) {
		ranges[n].kind = in_definition ? RANGE_MACRO_DEFINITION : RANGE_STATEMENT;
		n++;
	}
	return n;
}

int
operands_statement(gimple *stmt, struct statement_range ranges[STATEMENT_RANGES])
{
	location_t loc = gimple_location(stmt);
	bool from_macro;

	if (!place_of(loc, &ranges[0].place, &from_macro))
		return 0;
	if (from_macro)
		return statement_from_macro(loc, ranges);
	if (operands_is_logical(loc)) /* its operands have marks */
		return 0;
	if (gimple_code(stmt) != GIMPLE_COND)
		operands_range(loc, &ranges[0].place);
	if (gimple_code(stmt) == GIMPLE_SWITCH)
		place_extend_over_head(&ranges[0].place);
	else if (initialises(stmt))
		place_extend_over_initialiser(&ranges[0].place);
	ranges[0].kind = RANGE_STATEMENT;
	return 1;
}
