/* Where addresses of procedures go, and where pointers come from: this limits what a call through a
 * pointer can reach, as far as it can be seen for certain. */
#include "graph.h"

/* The procedure whose address ARG is, or NULL. */
static tree
procedure_of(tree arg)
{
	bool address = TREE_CODE(arg) == ADDR_EXPR;

	return address && TREE_CODE(TREE_OPERAND(arg, 0)) == FUNCTION_DECL ? TREE_OPERAND(arg, 0)
									   : NULL_TREE;
}

void
pointers_passed(struct site *s, gcall *call)
{
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (tree decl = procedure_of(gimple_call_arg(call, i)))
			s->passed.safe_push(linkage_name(decl));
}

/* ---- what is handed out at run time ---- */

static bool
is_pointer_to_procedure(tree type)
{
	return type && POINTER_TYPE_P(type) && FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type));
}

/* Is argument NUMBER of CALL a pointer to a procedure, by its own type or the parameter's? */
static bool
hands_procedure(gcall *call, unsigned number)
{
	tree type = TYPE_ARG_TYPES(gimple_call_fntype(call));

	for (unsigned i = 0; type && i < number; i++)
		type = TREE_CHAIN(type);
	return is_pointer_to_procedure(TREE_TYPE(gimple_call_arg(call, number))) ||
	       (type && is_pointer_to_procedure(TREE_VALUE(type)));
}

/* sigaction(signal, &action, ...) hands out what the first word of ACTION points to. Returns a
 * reference to it, or NULL. */
static tree
handler_of(gcall *call)
{
	tree action;

	if (gimple_call_num_args(call) < 2 ||
	    strcmp(linkage_name(gimple_call_fndecl(call)), "sigaction"))
		return NULL_TREE;
	action = gimple_call_arg(call, 1);
	if (TREE_CODE(action) != ADDR_EXPR || !DECL_P(TREE_OPERAND(action, 0)))
		return NULL_TREE;
	return build2(MEM_REF, ptr_type_node, unshare_expr(action),
		      build_int_cst(ptr_type_node, 0));
}

void
pointers_handed(gcall *call, vec<tree> *pointers)
{
	tree callee = gimple_call_fndecl(call), handler;

	if (!DECL_EXTERNAL(callee) || !TREE_PUBLIC(callee) || fndecl_built_in_p(callee))
		return;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree arg = gimple_call_arg(call, i);

		if (TREE_CODE(arg) == SSA_NAME && hands_procedure(call, i))
			pointers->safe_push(arg);
	}
	handler = handler_of(call);
	if (handler)
		pointers->safe_push(handler);
}

/* ---- constant tables ---- */

/* The reference by which the pointer is read from memory, or NULL. */
static tree
read_by(tree pointer)
{
	for (int depth = 0; depth < 4 && TREE_CODE(pointer) == SSA_NAME; depth++) {
		gimple *def = SSA_NAME_DEF_STMT(pointer);

		if (!is_gimple_assign(def) || gimple_has_volatile_ops(def))
			return NULL_TREE;
		pointer = gimple_assign_rhs1(def);
		if (gimple_assign_load_p(def))
			return pointer;
		if (!gimple_assign_ssa_name_copy_p(def) &&
		    !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)))
			return NULL_TREE;
	}
	return NULL_TREE;
}

static tree
note_procedure(tree *node, int *walk_subtrees, void *data)
{
	if (TREE_CODE(*node) == FUNCTION_DECL) {
		((struct site *)data)->reads.safe_push(linkage_name(*node));
		*walk_subtrees = 0;
	}
	return NULL_TREE;
}

/* A variable that cannot change, with a value that is known here (that of a shared library's public
 * one is not: the program may have its own of this name): what is read from it is one of the
 * procedures that its value names. */
void
pointers_read(struct site *s, gcall *call)
{
	tree fn = gimple_call_fn(call), read = fn ? read_by(fn) : NULL_TREE;
	tree variable = read ? get_base_address(read) : NULL_TREE;

	if (!variable || !VAR_P(variable) || !TREE_READONLY(variable) || !TREE_STATIC(variable) ||
	    TREE_THIS_VOLATILE(variable) || DECL_EXTERNAL(variable) || DECL_WEAK(variable) ||
	    DECL_COMMON(variable) || !DECL_INITIAL(variable) ||
	    DECL_INITIAL(variable) == error_mark_node || !decl_binds_to_current_def_p(variable))
		return;
	walk_tree_without_duplicates(&DECL_INITIAL(variable), note_procedure, s);
	if (!s->reads.is_empty())
		s->flags |= SITE_READS;
}

/* ---- variables that only the unit's own statements can change ---- */

struct held {
	bool open;			/* something is stored that is not seen */
	auto_vec<const char *> names;	/* linkage names of what it is given */
	auto_vec<int> words;		/* of stores that the runtime is told of */
};

static auto_delete_vec<held> all_held;
static hash_map<int_hash<unsigned, 0>, int> *held_numbers; /* by DECL_UID */

/* Is it a pointer to a procedure that nobody else can name, or reach by its address? */
static bool
may_be_held(tree variable)
{
	varpool_node *node = varpool_node::get(variable);

	return TREE_STATIC(variable) && !TREE_PUBLIC(variable) && !DECL_EXTERNAL(variable) &&
	       !TREE_ADDRESSABLE(variable) && !TREE_THIS_VOLATILE(variable) &&
	       !DECL_PRESERVE_P(variable) && is_pointer_to_procedure(TREE_TYPE(variable)) && node &&
	       !node->has_aliases_p() && !symtab->first_asm_symbol();
}

/* Can it be told which procedure DECL is when the program runs? Not where a shared library's public
 * one may give way to the program's own. */
static bool
is_sure(tree decl)
{
	return decl_binds_to_current_def_p(decl) || (DECL_EXTERNAL(decl) && !flag_shlib);
}

static void
hold(struct held *h, tree decl)
{
	const char *name = linkage_name(decl);

	for (unsigned i = 0; i < h->names.length(); i++)
		if (!strcmp(h->names[i], name))
			return;
	h->names.safe_push(name);
}

static void
hold_initial(struct held *h, tree variable)
{
	tree value = DECL_INITIAL(variable), decl;

	if (!value || value == error_mark_node) {
		h->open = value;
		return;
	}
	STRIP_NOPS(value);
	decl = procedure_of(value);
	if (decl && is_sure(decl))
		hold(h, decl);
	else
		h->open = !integer_zerop(value);
}

/* The number of VARIABLE among those of the unit that only it can change; -1: it is none. */
static int
held_number(tree variable)
{
	bool existed;

	if (!variable || !VAR_P(variable) || !may_be_held(variable))
		return -1;
	if (!held_numbers)
		held_numbers = new hash_map<int_hash<unsigned, 0>, int>;
	int &number = held_numbers->get_or_insert(DECL_UID(variable), &existed);
	if (!existed) {
		number = (int)all_held.length();
		all_held.safe_push(new held());
		hold_initial(all_held[number], variable);
	}
	return number;
}

void
pointers_held(struct site *s, gcall *call)
{
	tree fn = gimple_call_fn(call);
	int number = fn ? held_number(read_by(fn)) : -1;

	if (number < 0)
		return;
	s->held = number;
	s->flags |= SITE_HELD;
}

/* Is it known, here or when the program runs, what STMT stores in all of the variable? */
static bool
hold_value(struct held *h, gimple *stmt, vec<told_pointer> *told)
{
	tree value = gimple_assign_single_p(stmt) ? gimple_assign_rhs1(stmt) : NULL_TREE;
	tree decl = value ? procedure_of(value) : NULL_TREE;

	if (!value || !VAR_P(gimple_assign_lhs(stmt)))
		return false;
	if (decl && is_sure(decl)) {
		hold(h, decl);
		return true;
	}
	if (integer_zerop(value))
		return true;
	if (!told || (!decl && TREE_CODE(value) != SSA_NAME))
		return false;
	h->words.safe_push(tables_take_counters(TARGET_WORDS));
	told->safe_push((struct told_pointer){stmt, value, h->words.last()});
	return true;
}

static bool
visit_store(gimple *stmt, tree base, tree, void *told)
{
	int number = held_number(base);
	struct held *h = number < 0 ? NULL : all_held[number];

	if (h && !hold_value(h, stmt, (vec<told_pointer> *)told))
		h->open = true;
	return false;
}

void
pointers_stored(function *fun, vec<told_pointer> *told)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			walk_stmt_load_store_ops(gsi_stmt(i), told, NULL, visit_store);
}

unsigned
pointers_nr_held(void)
{
	return all_held.length();
}

void
pointers_put_held(vec<unsigned char> *out)
{
	for (unsigned i = 0; i < all_held.length(); i++) {
		const struct held *h = all_held[i];

		put(out, h->open);
		put(out, h->names.length());
		for (unsigned k = 0; k < h->names.length(); k++)
			put_string(out, h->names[k]);
		put(out, h->words.length());
		for (unsigned k = 0; k < h->words.length(); k++)
			put(out, h->words[k] + 1);
	}
}

/* ---- addresses that are only handed out ---- */

/* Procedures of libraries that call what they are given and never give it away again: who asks
 * them for it (as signal() can be asked) could call it, or hand it out elsewhere. */
static const char *const discreet[] = {
	"GOMP_parallel",
	"GOMP_parallel_loop_dynamic",
	"GOMP_parallel_loop_guided",
	"GOMP_parallel_loop_nonmonotonic_dynamic",
	"GOMP_parallel_loop_nonmonotonic_guided",
	"GOMP_parallel_loop_static",
	"GOMP_parallel_sections",
	"GOMP_task",
	"__cxa_atexit",
	"at_quick_exit",
	"atexit",
	"bsearch",
	"call_once",
	"dl_iterate_phdr",
	"ftw",
	"ftw64",
	"glob",
	"glob64",
	"lfind",
	"lsearch",
	"nftw",
	"nftw64",
	"on_exit",
	"pthread_atfork",
	"pthread_create",
	"pthread_key_create",
	"pthread_once",
	"qsort",
	"qsort_r",
	"scandir",
	"scandir64",
	"tdelete",
	"tdestroy",
	"tfind",
	"thrd_create",
	"tsearch",
	"twalk",
	"twalk_r",
};

static bool
is_discreet(tree callee)
{
	if (!DECL_EXTERNAL(callee) || !TREE_PUBLIC(callee))
		return false;
	for (const char *name : discreet)
		if (!strcmp(name, linkage_name(callee)))
			return true;
	return false;
}

/* ---- procedures that hand on what they are given ---- */

enum { MOST_USES = 64 }; /* of a pointer, by copies and in other procedures, that are looked at */

struct handing {
	hash_set<tree> seen; /* SSA names */
	unsigned uses = 0;
};

static bool is_only_handed(struct handing *h, tree pointer);

/* Does CALLEE, static to the unit, give its argument NUMBER to nobody but procedures that keep it
 * to themselves? */
static bool
hands_on_argument(struct handing *h, tree callee, unsigned number)
{
	struct function *fun = DECL_STRUCT_FUNCTION(callee);
	tree parameter = DECL_ARGUMENTS(callee), value;

	if (TREE_PUBLIC(callee) || !gimple_has_body_p(callee) || !fun)
		return false;
	for (; parameter && number; number--)
		parameter = DECL_CHAIN(parameter);
	if (!parameter || !is_gimple_reg(parameter))
		return false;
	value = ssa_default_def(fun, parameter);
	return !value || is_only_handed(h, value);
}

/* CALL has POINTER among its arguments, and does not call it. */
static bool
is_handed_by(struct handing *h, gcall *call, tree pointer)
{
	tree callee = gimple_call_fndecl(call);

	if (targets_is_tell(call))
		return true;
	if (!callee || gimple_call_chain(call) == pointer)
		return false;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		if (gimple_call_arg(call, i) != pointer)
			continue;
		if (!is_discreet(callee) && !hands_on_argument(h, callee, i))
			return false;
	}
	return true;
}

/* STMT gives a copy of the pointer to a variable: its name; else NULL. */
static tree
copied_to(gimple *stmt)
{
	if (gphi *phi = dyn_cast<gphi *>(stmt))
		return gimple_phi_result(phi);
	if (gimple_assign_single_p(stmt) || gimple_assign_cast_p(stmt))
		return gimple_assign_lhs(stmt);
	return NULL_TREE;
}

/* Does STMT do nothing with POINTER but hand it to procedures that keep it to themselves? */
static bool
keeps_discreet(struct handing *h, gimple *stmt, tree pointer)
{
	tree copy;

	if (is_gimple_debug(stmt) || gimple_code(stmt) == GIMPLE_COND)
		return true;
	if (gcall *call = dyn_cast<gcall *>(stmt))
		return is_handed_by(h, call, pointer);
	copy = copied_to(stmt);
	return copy && TREE_CODE(copy) == SSA_NAME && is_only_handed(h, copy);
}

static bool
hands_out(gimple *stmt)
{
	tree callee = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;

	return callee && is_discreet(callee);
}

/* POINTER: an SSA name. Where it is handed out the runtime must be told what it is. */
static bool
is_only_handed(struct handing *h, tree pointer)
{
	bool handed = false, told = false;
	imm_use_iterator i;
	use_operand_p use;

	if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(pointer))
		return false;
	if (h->seen.add(pointer))
		return true;
	FOR_EACH_IMM_USE_FAST(use, i, pointer)
	{
		gimple *stmt = USE_STMT(use);

		if (++h->uses > MOST_USES || !keeps_discreet(h, stmt, pointer))
			return false;
		handed |= hands_out(stmt);
		told |= targets_is_tell(stmt);
	}
	return told || !handed;
}

/* Do the references to NODE show all of its callers in this unit? */
static bool
has_known_callers(cgraph_node *node)
{
	return !DECL_STATIC_CONSTRUCTOR(node->decl) && !DECL_STATIC_DESTRUCTOR(node->decl) &&
	       !DECL_PRESERVE_P(node->decl) && !DECL_WEAK(node->decl) && !DECL_COMDAT(node->decl) &&
	       !(TREE_PUBLIC(node->decl) && node->has_aliases_p()) && !symtab->first_asm_symbol();
}

/* Does REF, to the address of DECL, hand it to nobody but procedures that keep it to themselves?
 * Where these get it as the value of a variable it must be told at run time. */
static bool
is_handed_only(ipa_ref *ref, tree decl)
{
	struct handing h;
	gcall *call = ref->stmt ? dyn_cast<gcall *>(ref->stmt) : NULL;
	tree callee = call ? gimple_call_fndecl(call) : NULL_TREE, copy;
	bool handed = false;

	if (ref->use != IPA_REF_ADDR || !ref->stmt)
		return false;
	if (!call) {
		copy = copied_to(ref->stmt);
		return copy && TREE_CODE(copy) == SSA_NAME && is_only_handed(&h, copy);
	}
	for (unsigned i = 0; callee && i < gimple_call_num_args(call); i++) {
		if (procedure_of(gimple_call_arg(call, i)) != decl)
			continue;
		if (!is_discreet(callee) && !hands_on_argument(&h, callee, i))
			return false;
		handed = true;
	}
	return handed;
}

/* Does the address of NODE go nowhere but into calls of procedures that keep it to themselves? */
bool
pointers_only_passed(cgraph_node *node)
{
	ipa_ref *ref = NULL;

	if (!has_known_callers(node))
		return false;
	for (int i = 0; node->iterate_referring(i, ref); i++)
		if (!is_handed_only(ref, node->decl))
			return false;
	return true;
}
