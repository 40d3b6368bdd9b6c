/* Just before RTL: each increment of a counter becomes one instruction.
 *
 * Until here an increment is written as a volatile store of 1 to the counter. For the inliner, this
 * one statement weighs as much as the one instruction it will be. No loop keeps it in a register (a
 * program may be killed at any moment; but see sums.c). The alias analysis sees that it touches
 * nothing of the program's. Here it becomes
 *	incq %gs:counter(%rip)
 * and what has been summed up in a loop (sums.c) is added by
 *	addq sum, %gs:counter(%rip)
 * %gs is the thread's displacement: 0 until the runtime starts, then the distance from the module's
 * own counters to the thread's copy of them, which lies in the mapped raw file. So each thread
 * counts exactly, without atomics, at the price of a plain increment. (addq $1 would be a byte
 * longer, and measurably slower.)
 */
#include "plugin.h"

static const pass_data lower_data = {
	GIMPLE_PASS, "cgview_lower", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

/* By enum counter_access: that adds 1, and that adds a sum. */
static const char *const instructions[][2] = {
	[ACCESS_GS] = {"inc{q\t%%gs:|\tgs:}%0", "add{q\t%2, %%gs:%0|\tgs:%0, %2}"},
	[ACCESS_PLAIN] = {"inc{q|}\t%0", "add{q\t%2, %0|\t%0, %2}"},
	[ACCESS_ATOMIC] = {"lock inc{q\t%%gs:|\tgs:}%0",
			   "lock add{q\t%2, %%gs:%0|\tgs:%0, %2}"},
};

bool
lower_made(const char *text)
{
	text += strncmp(text, "lock ", 5) ? 0 : 5;
	return !strncmp(text, "inc{q", 5) || !strncmp(text, "add{q", 5);
}

static tree
operand(const char *constraint, tree value)
{
	tree c = build_string(strlen(constraint), constraint);

	return build_tree_list(build_tree_list(NULL_TREE, c), value);
}

/* A counter without what makes it an increment. */
static tree
plain(tree counter)
{
	tree ref = unshare_expr(counter);

	TREE_THIS_VOLATILE(ref) = 0;
	TREE_SIDE_EFFECTS(ref) = 0;
	return ref;
}

/* BEHIND: the last sum that is added before it in its block, or NULL. That a loop is left must not
 * be counted before its sums are; to the scheduler the instruction reads that sum's counter. */
static gimple *
add_instruction(tree counter, gimple *store, tree behind)
{
	vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
	tree ref = plain(counter);
	bool sum = increment_is_sum(store);
	gasm *stmt;

	vec_safe_push(outputs, operand("=m", ref));
	vec_safe_push(inputs, operand("m", unshare_expr(ref)));
	if (sum)
		vec_safe_push(inputs, operand("er", gimple_assign_rhs1(store)));
	if (behind)
		vec_safe_push(inputs, operand("m", plain(behind)));
	stmt = gimple_build_asm_vec(instructions[options.access][sum], inputs, outputs, NULL, NULL);
	/* Where a fault is an exception, no instruction that can fault may move over it. */
	gimple_asm_set_volatile(stmt, cfun->can_throw_non_call_exceptions);
	gimple_asm_set_inline(stmt, true);
	gimple_set_vuse(stmt, gimple_vuse(store));
	gimple_set_vdef(stmt, gimple_vdef(store));
	return stmt;
}

/* Where nothing is optimised no pass needs to know what an increment touches: the counter is a
 * word of the text. Registers need not be found for it, nor for its address, which is most of what
 * compiling it takes. */
static bool
needs_no_operands(gimple *store)
{
	return !optimize && !increment_is_sum(store) && !cfun->can_throw_non_call_exceptions &&
	       TARGET_LP64 && (ix86_cmodel == CM_SMALL || ix86_cmodel == CM_SMALL_PIC);
}

static void
add_text(vec<char> *text, const char *more)
{
	for (; *more; more++)
		text->safe_push(*more);
}

static void
write_out(gimple_stmt_iterator *i)
{
	static const char *const forms[] = {
		[ACCESS_GS] = "inc{q\t%%gs:_(%%rip)|\tQWORD PTR gs:_[rip]}",
		[ACCESS_PLAIN] = "inc{q\t_(%%rip)|\tQWORD PTR _[rip]}",
		[ACCESS_ATOMIC] = "lock inc{q\t%%gs:_(%%rip)|\tQWORD PTR gs:_[rip]}",
	};
	gimple *store = gsi_stmt(*i);
	auto_vec<char, 128> text;
	char offset[16];
	int number = 0;
	const char *name = linkage_name(increment_counter(store, &number));
	gasm *stmt;

	snprintf(offset, sizeof(offset), "+%d", number * 8);
	for (const char *form = forms[options.access]; *form; form++)
		if (*form == '_') {
			add_text(&text, name);
			add_text(&text, offset);
		} else {
			text.safe_push(*form);
		}
	text.safe_push('\0');
	stmt = gimple_build_asm_vec(text.address(), NULL, NULL, NULL, NULL);
	gimple_asm_set_volatile(stmt, true);
	gimple_asm_set_inline(stmt, true);
	gimple_set_location(stmt, gimple_location(store));
	gsi_insert_after(i, stmt, GSI_SAME_STMT);
	increment_remove(i);
}

static void
lower(gimple_stmt_iterator *i, tree *behind)
{
	gimple *store = gsi_stmt(*i), *add;
	tree added = gimple_assign_rhs1(store);

	if (!is_gimple_val(added) || !INTEGRAL_TYPE_P(TREE_TYPE(added)) ||
	    TYPE_PRECISION(TREE_TYPE(added)) != 64)
		internal_error("cgview: an increment in %qD was taken apart",
			       current_function_decl);
	module_counts();
	if (needs_no_operands(store)) {
		write_out(i);
		return;
	}
	add = add_instruction(gimple_assign_lhs(store), store, *behind);
	if (increment_is_sum(store))
		*behind = gimple_assign_lhs(store);
	gsi_replace(i, add, true);
	if (gimple_vdef(add) && TREE_CODE(gimple_vdef(add)) == SSA_NAME)
		SSA_NAME_DEF_STMT(gimple_vdef(add)) = add;
}

/* ---- loads that must stay behind their branch ---- */

/* Nothing but increments. */
static bool
only_counts(basic_block bb)
{
	bool counts = false;

	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (is_increment(gsi_stmt(i)))
			counts = true;
		else if (!is_gimple_debug(gsi_stmt(i)) && gimple_code(gsi_stmt(i)) != GIMPLE_LABEL)
			return false;
	return counts;
}

static bool
loads(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (gimple_assign_load_p(gsi_stmt(i)))
			return true;
	return false;
}

/* Is BB one arm of a branch, and does the other one, to the same join, only count? */
static bool
faces_increment(basic_block bb)
{
	basic_block from, other;

	if (!single_pred_p(bb) || !single_succ_p(bb) ||
	    (single_succ_edge(bb)->flags & EDGE_COMPLEX))
		return false;
	from = single_pred(bb);
	if (EDGE_COUNT(from->succs) != 2 || !safe_dyn_cast<gcond *>(api_last_stmt(from)))
		return false;
	other = EDGE_SUCC(from, EDGE_SUCC(from, 0)->dest == bb)->dest;
	return other != bb && single_pred_p(other) && single_succ_p(other) &&
	       single_succ(other) == single_succ(bb) && only_counts(other);
}

/* `c ? 15 : s->size` with a counter in the first arm: GCC's if-conversion takes the load before the
 * branch, as it would not do without the counter. Where the condition tells that something else was
 * just written there (a std::string that has its text in place of its capacity), the load waits for
 * long. An empty instruction that must not move keeps the arm where it is. */
static void
keep_loads(function *fun)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
	{
		gimple_stmt_iterator i;
		gasm *stay;

		if (!optimize || !loads(bb) || !faces_increment(bb))
			continue;
		stay = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);
		gimple_asm_set_volatile(stay, true);
		i = gsi_after_labels(bb);
		gsi_insert_before(&i, stay, GSI_SAME_STMT);
	}
}

static void
lower_all(function *fun)
{
	basic_block bb;

	increments_remove_repeated(fun);
	keep_loads(fun);
	FOR_EACH_BB_FN(bb, fun) {
		tree behind = NULL_TREE;

		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (is_increment(gsi_stmt(i)))
				lower(&i, &behind);
			else if (gasm *assembly = dyn_cast<gasm *>(gsi_stmt(i)))
				module_note_assembly(gimple_asm_string(assembly));
	}
}

class lower_pass : public gimple_opt_pass
{
      public:
	lower_pass(gcc::context *ctx) : gimple_opt_pass(lower_data, ctx)
	{
	}
	unsigned int execute(function *fun) override
	{
		lower_all(fun);
		return 0;
	}
};

opt_pass *
make_lower_pass(gcc::context *ctx)
{
	return new lower_pass(ctx);
}

/* The thread sanitizer would take increments for accesses of all threads to one place. It does not
 * look at instructions. */
class early_lower_pass : public lower_pass
{
      public:
	early_lower_pass(gcc::context *ctx) : lower_pass(ctx)
	{
	}
	bool gate(function *) final override
	{
		return sanitize_flags_p(SANITIZE_THREAD);
	}
};

opt_pass *
make_early_lower_pass(gcc::context *ctx)
{
	return new early_lower_pass(ctx);
}
