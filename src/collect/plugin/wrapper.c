/* Wrappers of allocators: procedures such as xmalloc(), that only hand on what an allocator gives
 * them, or hand to free() what they are given. With record --space a block is their caller's.
 *
 * A procedure is one if each value that it returns is what an allocator returned, NULL, or an
 * argument of its own (realloc(p, 0)), if it asks for a size that it was not born with, and
 * neither stores in the block itself, by whatever pointer into it, nor has a part of it filled:
 * that would be a constructor, which knows the type, or what makes a text. On other paths it may
 * come from what a pointer calls with an argument of the procedure (hook ? hook(n) : malloc(n)).
 * One that returns nothing is one if it gives back its argument to free(), or to such a hook, on
 * each path once at the most, and does nothing else. Attributes (malloc, alloc_size) and
 * wrapper=GLOB say so, too, and no-wrapper=GLOB that it is none. A pool (pools.c) is none, what
 * only hands on its blocks is one.
 *
 * The mark is an attribute, which goes along with copies and through link-time optimisation. What
 * was inlined is part of another procedure, and is none. Behind each call in a wrapper stands a
 * no-operation of eight bytes that no compiler makes: by that the runtime knows the return
 * address. It is put there last of all, and so stands directly behind the call. */
#include "graph.h"

#include "memmodel.h"
#include "rtl.h"
#include "emit-rtl.h"

#define MARK "cgview wrapper"
#define MARK_SAME "cgview same" /* returns the argument of the number that it has */

static const char *const allocators[] = {
	"malloc",	  "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign",
	"posix_memalign", "valloc", "pvalloc", "strdup",       "strndup",	"_Znwm",
	"_Znam",	  "_ZnwmRKSt9nothrow_t",	       "_ZnamRKSt9nothrow_t",
	"_ZnwmSt11align_val_t",		    "_ZnamSt11align_val_t",
	"_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t", NULL,
};
static const char *const disposers[] = {
	"free",	   "cfree",   "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvRKSt9nothrow_t",
	"_ZdaPvRKSt9nothrow_t", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
	"_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t", NULL,
};

static bool
is_called(tree decl, const char *const *names)
{
	for (int i = 0; decl && names[i]; i++)
		if (!strcmp(linkage_name(decl), names[i]))
			return true;
	return false;
}

bool
is_allocator(tree decl)
{
	return is_called(decl, allocators);
}

bool
is_disposer(tree decl)
{
	return is_called(decl, disposers);
}

bool
is_wrapper(tree decl)
{
	return lookup_attribute(MARK, DECL_ATTRIBUTES(decl));
}

static bool
says_so(tree decl)
{
	if (is_named(decl, &options.no_wrappers) || pools_is_alloc(decl))
		return false;
	return lookup_attribute("alloc_size", TYPE_ATTRIBUTES(TREE_TYPE(decl))) ||
	       DECL_IS_MALLOC(decl) || is_named(decl, &options.wrappers);
}

/* ---- what is handed on ---- */

struct handed {
	hash_set<tree> seen;
	auto_vec<tree> values; /* that are or become the block */
	bool allocates;
};

/* Has the call an argument that is not known when it is compiled? */
static bool
is_given_size(gcall *call)
{
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (!is_gimple_min_invariant(gimple_call_arg(call, i)))
			return true;
	return false;
}

static bool
brings_block(gcall *call)
{
	tree to = gimple_call_fndecl(call);

	if (to && pools_is_alloc(to))
		return pools_is_given_size(call);
	return to && (is_allocator(to) || is_wrapper(to) || says_so(to)) && is_given_size(call);
}

/* The argument that CALL returns, as memset() does and what only looks whether it is NULL.
 * Or NULL_TREE. */
static tree
returned_argument(gcall *call)
{
	int flags = gimple_call_return_flags(call);
	tree to = gimple_call_fndecl(call);
	tree mark = to ? lookup_attribute(MARK_SAME, DECL_ATTRIBUTES(to)) : NULL_TREE;
	unsigned i = flags & ERF_RETURN_ARG_MASK;

	if (mark)
		i = tree_to_uhwi(TREE_VALUE(mark));
	else if (!(flags & ERF_RETURNS_ARG))
		return NULL_TREE;
	return i < gimple_call_num_args(call) ? gimple_call_arg(call, i) : NULL_TREE;
}

static bool is_handed(struct handed *h, tree value);

static bool
is_handed_phi(struct handed *h, gphi *phi)
{
	for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
		if (!is_handed(h, gimple_phi_arg_def(phi, i)))
			return false;
	return true;
}

/* The parameter that VALUE is, or NULL_TREE. */
static tree
parameter_of(tree value)
{
	while (TREE_CODE(value) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF(value)) {
		gimple *from = SSA_NAME_DEF_STMT(value);

		if (!gimple_assign_single_p(from) && !gimple_assign_cast_p(from))
			return NULL_TREE;
		value = gimple_assign_rhs1(from);
	}
	if (TREE_CODE(value) != SSA_NAME || !SSA_NAME_VAR(value) ||
	    TREE_CODE(SSA_NAME_VAR(value)) != PARM_DECL)
		return NULL_TREE;
	return SSA_NAME_VAR(value);
}

/* Is it a call of what a pointer says, which is given the procedure's own argument? */
static bool
is_of_hook(gcall *call)
{
	if (gimple_call_fndecl(call) || gimple_call_internal_p(call))
		return false;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (parameter_of(gimple_call_arg(call, i)))
			return true;
	return false;
}

/* Is VALUE what an allocator returned, or what may be one, NULL, or an argument? */
static bool
is_handed(struct handed *h, tree value)
{
	gimple *from;

	if (integer_zerop(value))
		return true;
	if (TREE_CODE(value) != SSA_NAME || !POINTER_TYPE_P(TREE_TYPE(value)))
		return false;
	if (h->seen.add(value))
		return true;
	h->values.safe_push(value);
	if (SSA_NAME_IS_DEFAULT_DEF(value))
		return SSA_NAME_VAR(value) && TREE_CODE(SSA_NAME_VAR(value)) == PARM_DECL;
	from = SSA_NAME_DEF_STMT(value);
	if (gphi *phi = dyn_cast<gphi *>(from))
		return is_handed_phi(h, phi);
	if (gcall *call = dyn_cast<gcall *>(from)) {
		tree same = returned_argument(call);

		if (same)
			return is_handed(h, same);
		h->allocates |= brings_block(call);
		return brings_block(call) || is_of_hook(call);
	}
	return (gimple_assign_single_p(from) || gimple_assign_cast_p(from)) &&
	       is_handed(h, gimple_assign_rhs1(from));
}

/* Does STMT write to where VALUE leads? */
static bool
writes_through(gimple *stmt, tree value)
{
	tree to = is_gimple_assign(stmt) ? gimple_assign_lhs(stmt) : NULL_TREE;
	tree base = to && !is_gimple_reg(to) ? get_base_address(to) : NULL_TREE;

	return base && (TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF) &&
	       TREE_OPERAND(base, 0) == value;
}

/* The pointer that STMT makes of one into a block: a copy, the next part of it, or one of several.
 * Or NULL_TREE. */
static tree
led_on(gimple *stmt)
{
	bool is_part = is_gimple_assign(stmt) && gimple_assign_rhs_code(stmt) == POINTER_PLUS_EXPR;
	tree to;

	if (gphi *phi = dyn_cast<gphi *>(stmt))
		to = gimple_phi_result(phi);
	else if (is_part || gimple_assign_single_p(stmt) || gimple_assign_cast_p(stmt))
		to = gimple_assign_lhs(stmt);
	else
		return NULL_TREE;
	return TREE_CODE(to) == SSA_NAME && POINTER_TYPE_P(TREE_TYPE(to)) ? to : NULL_TREE;
}

/* Is something written to a block that is handed on, or is a call given a part of it? */
static bool
is_constructed(struct handed *h)
{
	unsigned whole = h->values.length();

	for (unsigned i = 0; i < h->values.length(); i++) {
		imm_use_iterator uses;
		use_operand_p use;

		FOR_EACH_IMM_USE_FAST(use, uses, h->values[i])
		{
			gimple *stmt = USE_STMT(use);
			tree on = led_on(stmt);

			if (writes_through(stmt, h->values[i]) ||
			    (i >= whole && is_gimple_call(stmt)))
				return true;
			if (on && !h->seen.add(on))
				h->values.safe_push(on);
		}
	}
	return false;
}

/* Does each return of FUN hand on a block? */
static bool
hands_on_blocks(function *fun)
{
	struct handed h;
	edge e;
	edge_iterator ei;

	h.allocates = false;
	if (!POINTER_TYPE_P(TREE_TYPE(TREE_TYPE(fun->decl))))
		return false;
	FOR_EACH_EDGE(e, ei, EXIT_BLOCK_PTR_FOR_FN(fun)->preds)
	{
		gimple_stmt_iterator last = gsi_last_bb(e->src);
		greturn *back = gsi_end_p(last) ? NULL : dyn_cast<greturn *>(gsi_stmt(last));

		if (!back || !gimple_return_retval(back) ||
		    !is_handed(&h, gimple_return_retval(back)))
			return false;
	}
	return h.allocates && !is_constructed(&h);
}

/* ---- what is given back ---- */

/* Which of its arguments FUN returns, whatever it does with them. Or -1. */
static int
same_argument(function *fun)
{
	tree is = NULL_TREE;
	int n = 0;
	edge e;
	edge_iterator ei;

	if (!POINTER_TYPE_P(TREE_TYPE(TREE_TYPE(fun->decl))))
		return -1;
	FOR_EACH_EDGE(e, ei, EXIT_BLOCK_PTR_FOR_FN(fun)->preds)
	{
		gimple_stmt_iterator last = gsi_last_bb(e->src);
		greturn *back = gsi_end_p(last) ? NULL : dyn_cast<greturn *>(gsi_stmt(last));
		tree value = back ? gimple_return_retval(back) : NULL_TREE;
		tree parameter = value ? parameter_of(value) : NULL_TREE;

		if (!parameter || (is && is != parameter))
			return -1;
		is = parameter;
	}
	for (tree p = is ? DECL_ARGUMENTS(fun->decl) : NULL_TREE; p && p != is; p = DECL_CHAIN(p))
		n++;
	return is ? n : -1;
}

static bool
gives_back_parameter(gcall *call)
{
	tree to = gimple_call_fndecl(call);

	return to && (is_disposer(to) || is_wrapper(to)) && gimple_call_num_args(call) &&
	       parameter_of(gimple_call_arg(call, 0));
}

static bool
reaches(basic_block from, basic_block to)
{
	hash_set<basic_block> seen;
	auto_vec<basic_block> todo;

	todo.safe_push(from);
	while (!todo.is_empty()) {
		basic_block bb = todo.pop();
		edge e;
		edge_iterator ei;

		FOR_EACH_EDGE(e, ei, bb->succs)
		{
			if (e->dest == to)
				return true;
			if (!seen.add(e->dest))
				todo.safe_push(e->dest);
		}
	}
	return false;
}

/* Does CALL do nothing but what some call on another path does, of those in BLOCKS? */
static bool
is_alone(gcall *call, const vec<basic_block> *blocks)
{
	basic_block bb = gimple_bb(call);

	for (unsigned i = 0; i < blocks->length(); i++)
		if ((*blocks)[i] == bb || reaches((*blocks)[i], bb) || reaches(bb, (*blocks)[i]))
			return false;
	return true;
}

/* Does FUN hand what it is given to free(), by its only call, or else to what a pointer says? */
static bool
hands_back_blocks(function *fun)
{
	auto_vec<basic_block> blocks;
	bool gives_back = false;
	basic_block bb;

	if (!VOID_TYPE_P(TREE_TYPE(TREE_TYPE(fun->decl))))
		return false;
	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(i));

			if (!call || operands_mark(call) || gimple_call_internal_p(call))
				continue;
			if (!is_alone(call, &blocks) ||
			    (!gives_back_parameter(call) && !is_of_hook(call)))
				return false;
			gives_back |= gives_back_parameter(call);
			blocks.safe_push(bb);
		}
	return gives_back;
}

/* Notes which of the patterns name DECL. */
static void
note_uses(tree decl, const vec<char *> *globs, vec<enum pattern_use> *uses)
{
	for (unsigned i = 0; i < globs->length(); i++) {
		auto_vec<char *> one;

		one.safe_push((*globs)[i]);
		if (is_named(decl, &one))
			(*uses)[i] = PATTERN_USED;
	}
}

static void
mark(tree decl, const char *name, tree value)
{
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier(name), value, DECL_ATTRIBUTES(decl));
}

void
wrapper_look(function *fun)
{
	tree decl = fun->decl;
	int same;

	note_uses(decl, &options.wrappers, &options.wrapper_uses);
	note_uses(decl, &options.no_wrappers, &options.no_wrapper_uses);
	if (is_wrapper(decl) || is_named(decl, &options.no_wrappers) || pools_is_alloc(decl))
		return;
	if (says_so(decl) || hands_on_blocks(fun) || hands_back_blocks(fun))
		mark(decl, MARK, NULL_TREE);
	else if ((same = same_argument(fun)) >= 0)
		mark(decl, MARK_SAME, build_int_cst(integer_type_node, same));
}

/* ---- the mark behind calls ---- */

static const pass_data wrapper_data = {
	RTL_PASS, "cgview_wrapper", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

class wrapper_pass : public rtl_opt_pass
{
      public:
	wrapper_pass(gcc::context *ctx) : rtl_opt_pass(wrapper_data, ctx)
	{
	}
	bool gate(function *fun) final override
	{
		return is_wrapper(fun->decl);
	}
	unsigned int execute(function *fun) final override
	{
		/* nopl 0x77766763(%rax,%rax,1): see runtime/space.c */
		static const char nop[] = ".byte 0x0f,0x1f,0x84,0,0x63,0x67,0x76,0x77";

		for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
			rtx text;

			if (!CALL_P(insn) || SIBLING_CALL_P(insn))
				continue;
			text = gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(nop),
						     DECL_SOURCE_LOCATION(fun->decl));
			MEM_VOLATILE_P(text) = 1;
			emit_insn_after_noloc(text, insn, BLOCK_FOR_INSN(insn));
		}
		return 0;
	}
};

opt_pass *
make_wrapper_pass(gcc::context *ctx)
{
	return new wrapper_pass(ctx);
}
