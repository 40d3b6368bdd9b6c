/* Sums: in innermost loops that call nothing a counter is a variable, stored behind the loop, or
 * behind the one around it.
 *
 * An increment of memory in each iteration of a short loop costs more than the loop. So before the
 * loop optimisers run, `counter ={v} 1` in such a loop becomes `sum = sum + 1`, with sum = 0 before
 * the loop and `counter ={v} sum` on each way out. To the optimisers that is one variable more:
 * they take it from the loop's own variables, or from the number of its iterations, and the loop
 * can be vectorised. What a thread has summed up when it dies in the loop is lost, and what is lost
 * is
 *
 *   told      a joint counter tells how many runs of the loop have not ended: its parts, with
 *             factor 0, are the counters that lack what these did. It has two counters that count
 *             into it, where the loop is entered (1) and behind the stores (-1). They are
 *             increments like any others, which coalesce.c mostly brings together with those that
 *             stand there anyhow.
 *   bounded   unless options.sums is SUMS_ALL: only loops that for certain go round MOST times at
 *             most at once, or, where the optimisers lose nothing by it, are divided into strips
 *             of so many rounds (strips.c); the sums are stored behind each strip.
 *
 * All counters of a loop are summed up, or none: what is lost is then whole rounds, and the law on
 * which all other counts rest holds as if the thread had died where it entered the loop. Whoever
 * takes a signal there and comes back loses nothing: the sums lie in registers, or on its stack.
 */
#include "plugin.h"

enum {
	MOST = 4096,	    /* rounds of one run of a loop */
	MAX_SUMS = 4,	    /* they need registers */
	MAX_BLOCKS = 64,    /* of a loop */
	PAYS_FROM = 4,	    /* rounds of a run, by the compiler's guess */
	PAYS_UP_TO = 12,    /* statements for each increment */
	LEAST_TOGETHER = 8, /* runs of an inner loop that a strip of the outer one has */
	MAX_AROUND = 16,    /* blocks of the loop around strips, beside them */
};

struct sum {
	struct joint_part counter;
	tree variable, inner; /* INNER: of the loop within it, added to VARIABLE behind that */
	bool told;	      /* by the walk; it needs no variable */
	/* Bit for each way out: is it counted before that in the last round? */
	uint64_t passed;
};

/* A variable of the program's that tells how many rounds have ended: START at first, NOW in each,
 * and NEXT, 1 << SHIFT more or less, in the one behind. */
struct walk {
	tree start, now, next; /* NULL: there is none */
	bool down;
	int shift;
};

/* A loop, or two, one in the other. */
struct summed {
	class loop *loop, *inner; /* NULL: only one */
	edge behind_inner;
	auto_vec<gimple *> increments;
	unsigned statements; /* but for these */
	bool in_strips;
	unsigned most;		     /* rounds of LOOP in one strip */
	class tree_niter_desc times; /* known if it is made strips */
	auto_vec<sum> sums;
	auto_vec<edge> exits;
	struct walk walk;
	uint64_t walked; /* bit for each way out: is NEXT known there? */
};

/* ---- which loops ---- */

static bool
same_counter(const struct joint_part *a, const struct joint_part *b)
{
	return a->array == b->array && a->number == b->number;
}

static sum *
find_sum(struct summed *s, gimple *increment)
{
	struct joint_part c = {NULL_TREE, 0, 0};

	c.array = increment_counter(increment, &c.number);
	for (unsigned i = 0; i < s->sums.length(); i++)
		if (same_counter(&s->sums[i].counter, &c))
			return &s->sums[i];
	return NULL;
}

/* False: it cannot be summed up. */
static bool
add_increment(struct summed *s, gimple *increment)
{
	struct sum new_one = {{NULL_TREE, 0, 0}, NULL_TREE, NULL_TREE, false, 0};

	new_one.counter.array = increment_counter(increment, &new_one.counter.number);
	if (!new_one.counter.array || increment_is_sum(increment))
		return false;
	s->increments.safe_push(increment);
	if (!find_sum(s, increment))
		s->sums.safe_push(new_one);
	return s->sums.length() <= MAX_SUMS;
}

/* What is neither code of the program's outside of the loop, nor seen from there, nor looks at what
 * others do: the loop may then be any other that computes the same. */
static bool
stays_inside(gimple *stmt)
{
	if (gcall *call = dyn_cast<gcall *>(stmt))
		return gimple_call_builtin_p(call) && (gimple_call_flags(call) & ECF_CONST) &&
		       (gimple_call_flags(call) & ECF_LEAF) && !stmt_could_throw_p(cfun, call);
	return gimple_code(stmt) != GIMPLE_ASM && !gimple_has_volatile_ops(stmt) &&
	       !stmt_could_throw_p(cfun, stmt);
}

static bool
look_at_block(struct summed *s, basic_block bb)
{
	edge_iterator ei;
	edge e;

	if (bb->flags & BB_IRREDUCIBLE_LOOP)
		return false;
	FOR_EACH_EDGE(e, ei, bb->succs) {
		if (e->flags & EDGE_COMPLEX)
			return false;
		if (!flow_bb_inside_loop_p(s->loop, e->dest))
			s->exits.safe_push(e);
	}
	FOR_EACH_EDGE(e, ei, bb->preds)
		if (e->flags & EDGE_COMPLEX)
			return false;
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (is_gimple_debug(stmt))
			continue;
		if (is_increment(stmt) ? !add_increment(s, stmt) : !stays_inside(stmt))
			return false;
		s->statements += !is_increment(stmt) && gimple_code(stmt) != GIMPLE_LABEL;
	}
	return true;
}

static bool
look_at_body(struct summed *s)
{
	basic_block *body = get_loop_body(s->loop);
	bool good = true;

	for (unsigned i = 0; good && i < s->loop->num_nodes; i++)
		good = look_at_block(s, body[i]);
	free(body);
	return good && !s->increments.is_empty() && !s->exits.is_empty();
}

/* The compiler's guess of how often the loop goes round when it is entered; 0: it has none. */
static double
rounds(class loop *loop)
{
	profile_count in = loop_preheader_edge(loop)->count(), all = loop->header->count;

	if (!in.initialized_p() || !all.initialized_p() || !in.nonzero_p())
		return 0;
	return (double)all.to_gcov_type() / (double)in.to_gcov_type();
}

/* ---- how often they go round ---- */

/* The size in bytes of the variable that ADDRESS points into; 0: none that is known. */
static unsigned HOST_WIDE_INT
room_around(tree address)
{
	poly_int64 offset;
	tree base = NULL_TREE;

	STRIP_NOPS(address);
	if (TREE_CODE(address) == POINTER_PLUS_EXPR)
		return room_around(TREE_OPERAND(address, 0));
	if (TREE_CODE(address) == ADDR_EXPR)
		base = get_addr_base_and_unit_offset(TREE_OPERAND(address, 0), &offset);
	if (!base || !DECL_P(base) || !DECL_SIZE_UNIT(base) ||
	    !tree_fits_uhwi_p(DECL_SIZE_UNIT(base)) || !decl_binds_to_current_def_p(base))
		return 0;
	return tree_to_uhwi(DECL_SIZE_UNIT(base));
}

/* REF is read or written in each round: if it walks through a variable, it cannot go round more
 * often than there is room for. */
static bool
walks_in_little_room(class loop *loop, tree ref)
{
	unsigned HOST_WIDE_INT room;
	struct affine_iv walk;

	if (!ref || TREE_CODE(ref) != MEM_REF || TREE_CODE(TREE_OPERAND(ref, 0)) != SSA_NAME ||
	    !simple_iv(loop, loop, TREE_OPERAND(ref, 0), &walk, true) || integer_zerop(walk.step) ||
	    TREE_CODE(walk.step) != INTEGER_CST)
		return false;
	room = room_around(walk.base);
	return room && room < MOST;
}

static bool
walks_in_block(class loop *loop, basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (!gimple_assign_single_p(stmt) || is_increment(stmt))
			continue;
		if (walks_in_little_room(loop, gimple_assign_lhs(stmt)) ||
		    walks_in_little_room(loop, gimple_assign_rhs1(stmt)))
			return true;
	}
	return false;
}

static bool
is_bounded(class loop *loop)
{
	HOST_WIDE_INT most = max_loop_iterations_int(loop);
	basic_block *body;
	bool found = false;

	if (most >= 0 && most < MOST)
		return true;
	body = get_loop_body(loop);
	for (unsigned i = 0; !found && i < loop->num_nodes; i++)
		found = dominated_by_p(CDI_DOMINATORS, loop->latch, body[i]) &&
			walks_in_block(loop, body[i]);
	free(body);
	return found;
}

/* ---- what pays ---- */

/* Is it known where it is entered how often it goes round? */
static bool
knows_rounds(const struct summed *s, class tree_niter_desc *times)
{
	return s->exits.length() == 1 &&
	       number_of_iterations_exit(s->loop, s->exits[0], times, false);
}

/* Would it be made of vectors without counters, as far as can be told from how often it goes
 * round? At -O2 that must be known. */
static bool
may_be_vectors(const struct summed *s)
{
	class tree_niter_desc times;

	if (!flag_tree_loop_vectorize || !knows_rounds(s, &times))
		return false;
	return TREE_CODE(times.niter) == INTEGER_CST ||
	       flag_vect_cost_model != VECT_COST_MODEL_VERY_CHEAP;
}

/* An increment of memory takes five cycles from round to round. Where a round takes that long
 * anyhow, it costs little more than a register that is lost, and nothing that is done where the
 * loop is entered and left pays in one of few rounds. */
static bool
pays(const struct summed *s)
{
	return s->statements <= PAYS_UP_TO * s->increments.length() || may_be_vectors(s);
}

/* Does the one store of the loop walk byte by byte, of what never changes or is read so? GCC calls
 * memset() or memmove() then (-ftree-loop-distribute-patterns). */
static bool
walks_densely(class loop *loop, tree ref)
{
	bool pointer = TREE_CODE(ref) == MEM_REF;
	tree at = pointer ? TREE_OPERAND(ref, 0) : NULL_TREE, size = TYPE_SIZE_UNIT(TREE_TYPE(ref));
	struct affine_iv walk;

	if (TREE_CODE(ref) == ARRAY_REF)
		at = TREE_OPERAND(ref, 1);
	return at && TREE_CODE(at) == SSA_NAME && simple_iv(loop, loop, at, &walk, true) &&
	       tree_fits_shwi_p(walk.step) && tree_fits_uhwi_p(size) &&
	       absu_hwi(tree_to_shwi(walk.step)) == (pointer ? tree_to_uhwi(size) : 1);
}

static bool
is_moved(class loop *loop, gimple *store)
{
	tree value = gimple_assign_rhs1(store);
	gimple *from;

	if (!walks_densely(loop, gimple_assign_lhs(store)))
		return false;
	if (TREE_CODE(value) != SSA_NAME)
		return is_gimple_min_invariant(value);
	from = SSA_NAME_DEF_STMT(value);
	if (!gimple_bb(from) || !flow_bb_inside_loop_p(loop, gimple_bb(from)))
		return true;
	return gimple_assign_load_p(from) && walks_densely(loop, gimple_assign_rhs1(from));
}

static bool
only_moves(class loop *loop)
{
	unsigned moves = 0;

	if (!flag_tree_loop_distribute_patterns || loop->num_nodes > 2)
		return false;
	for (gimple_stmt_iterator i = gsi_start_bb(loop->header); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (is_gimple_debug(stmt) || is_increment(stmt) || !gimple_vdef(stmt))
			continue;
		if (!gimple_assign_single_p(stmt) || !is_moved(loop, stmt))
			return false;
		moves++;
	}
	return moves == 1;
}

/* Strips need registers, too. The loop around would have to do without them: if it is a long one,
 * its inner loops are mostly of few rounds, and an increment of memory in each costs less. */
static bool
leaves_registers(class loop *loop)
{
	class loop *around = loop_outer(loop);

	if (loop_preheader_edge(loop)->src->flags & BB_IRREDUCIBLE_LOOP)
		return false;
	return !loop_outer(around) || around->num_nodes - loop->num_nodes <= MAX_AROUND;
}

/* Other loops, too, would cost more. */
static bool
can_be_strips(struct summed *s)
{
	s->most = MOST;
	s->in_strips = leaves_registers(s->loop) && (may_be_vectors(s) || only_moves(s->loop)) &&
		       knows_rounds(s, &s->times) && strips_suit(s->loop, s->exits[0], &s->times);
	return s->in_strips;
}

static bool
suits(struct summed *s)
{
	class loop *loop = s->loop;

	return !loop->inner && loop->latch && loop->num_nodes <= MAX_BLOCKS &&
	       rounds(loop) >= PAYS_FROM && look_at_body(s) && pays(s) &&
	       (options.sums == SUMS_ALL || is_bounded(loop) || can_be_strips(s));
}

/* So many runs of the inner loop have MOST rounds in all, at most; 0: not known, or too few to put
 * some together. */
static unsigned
runs_together(class loop *inner)
{
	HOST_WIDE_INT most = max_loop_iterations_int(inner);

	if (options.sums == SUMS_ALL)
		return MOST;
	return most < 0 || most >= MOST / LEAST_TOGETHER ? 0 : MOST / (unsigned)(most + 1);
}

/* Of a loop of vectors GCC puts several runs together, if nothing but that is in the loop around it
 * (-floop-unroll-and-jam), or makes vectors of that, so that they hold what several runs of the
 * inner one do. Then both are summed up behind the outer one, each from its number of rounds. */
static bool
suits_with_inner(struct summed *s, const struct summed *inner)
{
	HOST_WIDE_INT runs = max_loop_iterations_int(s->loop);
	class tree_niter_desc times;

	if (!s->loop->latch || s->loop->inner->next || !knows_rounds(inner, &times) ||
	    !look_at_body(s) || !knows_rounds(s, &s->times) ||
	    !((flag_unroll_jam && may_be_vectors(inner)) || may_be_vectors(s)))
		return false;
	s->most = runs_together(s->inner);
	s->in_strips = options.sums != SUMS_ALL && (runs < 0 || runs >= s->most);
	return s->most && (!s->in_strips || strips_suit(s->loop, s->exits[0], &s->times));
}

/* ---- what the program's own variables tell ----
 *
 * Of a search nobody knows the rounds where it is entered, and the optimisers keep the sum beside
 * the program's pointer, or put an instruction into the loop to have both from one. Where the
 * program needs its pointer behind the loop anyhow, the sum is said to be how far it has come. */

static bool
is_used_behind(class loop *loop, tree name)
{
	imm_use_iterator i;
	use_operand_p use;

	FOR_EACH_IMM_USE_FAST(use, i, name)
	{
		gimple *stmt = USE_STMT(use);

		if (!is_gimple_debug(stmt) && gimple_bb(stmt) &&
		    !flow_bb_inside_loop_p(loop, gimple_bb(stmt)))
			return true;
	}
	return false;
}

static bool
walks(class loop *loop, gphi *phi, struct walk *w)
{
	tree now = gimple_phi_result(phi), next = PHI_ARG_DEF_FROM_EDGE(phi, loop_latch_edge(loop));
	tree type = TREE_TYPE(now), step;
	gassign *add;

	if ((!POINTER_TYPE_P(type) && !INTEGRAL_TYPE_P(type)) ||
	    TYPE_PRECISION(type) != BITS_PER_WORD || TREE_CODE(next) != SSA_NAME ||
	    SSA_NAME_OCCURS_IN_ABNORMAL_PHI(now) || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(next))
		return false;
	add = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(next));
	if (!add || (gimple_assign_rhs_code(add) != POINTER_PLUS_EXPR &&
		     gimple_assign_rhs_code(add) != PLUS_EXPR))
		return false;
	step = gimple_assign_rhs2(add);
	if (gimple_assign_rhs1(add) != now || TREE_CODE(step) != INTEGER_CST ||
	    (!is_used_behind(loop, now) && !is_used_behind(loop, next)))
		return false;
	w->down = tree_int_cst_sign_bit(step) != 0;
	w->shift = exact_log2(absu_hwi(int_cst_value(step)));
	w->now = now;
	w->next = next;
	w->start = PHI_ARG_DEF_FROM_EDGE(phi, loop_preheader_edge(loop));
	return w->shift >= 0;
}

static bool
find_walk(class loop *loop, struct walk *w)
{
	for (gphi_iterator i = gsi_start_phis(loop->header); !gsi_end_p(i); gsi_next(&i))
		if (!virtual_operand_p(gimple_phi_result(i.phi())) && walks(loop, i.phi(), w))
			return true;
	w->now = NULL_TREE;
	return false;
}

/* Is it known of each way out how often BB was passed, from the rounds that have ended? */
static bool
is_passed_in_each_round(const struct summed *s, basic_block bb, uint64_t *passed)
{
	*passed = 0;
	if (!dominated_by_p(CDI_DOMINATORS, s->loop->latch, bb) ||
	    s->exits.length() > 8 * sizeof(*passed))
		return false;
	for (unsigned i = 0; i < s->exits.length(); i++)
		if (dominated_by_p(CDI_DOMINATORS, s->exits[i]->src, bb))
			*passed |= (uint64_t)1 << i;
		else if (!dominated_by_p(CDI_DOMINATORS, bb, s->exits[i]->src))
			return false;
	return true;
}

static void
find_told(struct summed *s)
{
	class tree_niter_desc times;

	s->walk.now = NULL_TREE;
	if (s->in_strips || knows_rounds(s, &times) || !find_walk(s->loop, &s->walk) ||
	    !is_passed_in_each_round(s, gimple_bb(SSA_NAME_DEF_STMT(s->walk.next)), &s->walked))
		return;
	for (unsigned i = 0; i < s->increments.length(); i++) {
		struct sum *sum = find_sum(s, s->increments[i]);
		bool only = true;

		for (unsigned k = 0; k < s->increments.length(); k++)
			only &= k == i || find_sum(s, s->increments[k]) != sum;
		sum->told = only && is_passed_in_each_round(s, gimple_bb(s->increments[i]),
							    &sum->passed);
	}
}

/* The sum that is told where the loop is left by the way out EXIT. */
static tree
told_at(const struct summed *s, const struct sum *sum, unsigned exit)
{
	tree type = build_nonstandard_integer_type(64, 1);
	int walked = (int)(s->walked >> exit & 1);
	tree now = walked ? s->walk.next : s->walk.now;
	tree from = fold_convert(type, s->walk.down ? now : s->walk.start);
	tree to = fold_convert(type, s->walk.down ? s->walk.start : now);
	tree rounds = fold_build2(RSHIFT_EXPR, type, fold_build2(MINUS_EXPR, type, to, from),
				  build_int_cst(integer_type_node, s->walk.shift));
	int last = (int)(sum->passed >> exit & 1);
	gimple_seq stmts = NULL;

	rounds = fold_build2(PLUS_EXPR, type, rounds, build_int_cst(type, last - walked));
	rounds = force_gimple_operand(unshare_expr(rounds), &stmts, true, NULL_TREE);
	if (stmts)
		gsi_insert_seq_on_edge(s->exits[exit], stmts);
	return rounds;
}

/* LOOP, an innermost one, alone or with the one around it; NULL: it keeps its counters. */
static struct summed *
find_summed(class loop *loop)
{
	struct summed *s = new summed(), *both;

	s->loop = loop;
	if (!suits(s)) {
		delete s;
		return NULL;
	}
	find_told(s);
	if (!loop_outer(loop_outer(loop)))
		return s;
	both = new summed();
	both->loop = loop_outer(loop);
	both->inner = loop;
	both->behind_inner = s->exits[0];
	if (suits_with_inner(both, s))
		std::swap(s, both);
	delete both;
	return s;
}

/* ---- the change ---- */

/* The numbers of the late joint counters that count where the loop is entered and left. */
struct doors {
	int in, out;
};

static int
counts_into(int number, int factor)
{
	struct joint_part part = {joint_counters(JOINT_LATE), number, factor};
	auto_vec<joint_part> parts;

	parts.safe_push(part);
	return joint_counter(JOINT_LATE, &parts);
}

static struct doors
make_doors(const struct summed *s)
{
	auto_vec<joint_part> lacking;
	int open;

	for (unsigned i = 0; i < s->sums.length(); i++)
		lacking.safe_push(s->sums[i].counter);
	open = joint_counter(JOINT_LATE, &lacking);
	return (struct doors){counts_into(open, 1), counts_into(open, -1)};
}

static tree
make_variable(void)
{
	return create_tmp_reg(build_nonstandard_integer_type(64, 1), "cgview_sum");
}

static void
count_on_edge(edge e, int late)
{
	gsi_insert_on_edge(e,
			   increment_build(joint_counters(JOINT_LATE), late, location_on_edge(e)));
}

static void
enter(struct summed *s)
{
	edge e = loop_preheader_edge(s->loop);

	for (unsigned i = 0; i < s->sums.length(); i++) {
		tree v = s->sums[i].variable;

		if (v)
			gsi_insert_on_edge(e,
					   gimple_build_assign(v, build_zero_cst(TREE_TYPE(v))));
	}
}

static void
leave(struct summed *s)
{
	for (unsigned k = 0; k < s->exits.length(); k++) {
		edge e = s->exits[k];

		for (unsigned i = 0; i < s->sums.length(); i++) {
			const struct sum *sum = &s->sums[i];
			tree value = sum->told ? told_at(s, sum, k) : sum->variable;

			gsi_insert_on_edge(e, increment_build_sum(sum->counter.array,
								  sum->counter.number, value,
								  location_on_edge(e)));
		}
	}
}

/* The doors are around all strips: there they become one with the counters next to them. */
static void
make_strips(struct summed *s, const struct doors *d)
{
	struct strips all = strips_make(s->loop, s->exits[0], &s->times, s->most);

	count_on_edge(all.in, d->in);
	enter(s);
	leave(s);
	count_on_edge(all.out, d->out);
}

static void
keep_whole(struct summed *s, const struct doors *d)
{
	count_on_edge(loop_preheader_edge(s->loop), d->in);
	enter(s);
	leave(s);
	for (unsigned k = 0; k < s->exits.length(); k++)
		count_on_edge(s->exits[k], d->out);
}

/* The loop in S counts from 0, so that nothing in it depends on the one around it. */
static void
add_inner(struct summed *s)
{
	edge before = loop_preheader_edge(s->inner);

	for (unsigned i = 0; i < s->sums.length(); i++) {
		tree v = s->sums[i].variable, inner = make_variable();

		s->sums[i].inner = inner;
		gsi_insert_on_edge(before,
				   gimple_build_assign(inner, build_zero_cst(TREE_TYPE(v))));
		gsi_insert_on_edge(s->behind_inner, gimple_build_assign(v, PLUS_EXPR, v, inner));
	}
}

static void
sum_up(struct summed *s, gimple *increment)
{
	gimple_stmt_iterator i = gsi_for_stmt(increment);
	const struct sum *sum = find_sum(s, increment);
	bool inside = s->inner && flow_bb_inside_loop_p(s->inner, gimple_bb(increment));
	tree v = inside ? sum->inner : sum->variable;
	gimple *add;

	if (v) {
		add = gimple_build_assign(v, PLUS_EXPR, v, build_one_cst(TREE_TYPE(v)));
		gimple_set_location(add, gimple_location(increment));
		gsi_insert_before(&i, add, GSI_SAME_STMT);
	}
	increment_remove(&i);
}

static void
change(struct summed *s)
{
	struct doors d = make_doors(s);

	for (unsigned i = 0; i < s->sums.length(); i++)
		s->sums[i].variable = s->sums[i].told ? NULL_TREE : make_variable();
	if (s->in_strips)
		make_strips(s, &d);
	else
		keep_whole(s, &d);
	if (s->inner)
		add_inner(s);
	for (unsigned i = 0; i < s->increments.length(); i++)
		sum_up(s, s->increments[i]);
}

static bool
sum_in_loops(function *fun)
{
	auto_delete_vec<summed> all;
	loop_p loop;
	unsigned i;

	scev_initialize();
	calculate_dominance_info(CDI_DOMINATORS);
	for (i = 1; vec_safe_iterate(get_loops(fun), i, &loop); i++) {
		struct summed *s = loop ? find_summed(loop) : NULL;

		if (s)
			all.safe_push(s);
	}
	scev_finalize();
	for (i = 0; i < all.length(); i++)
		change(all[i]);
	if (options.verbose && all.length())
		fprintf(stderr, "cgview: %s: sums in %u loops\n", linkage_name(fun->decl),
			all.length());
	gsi_commit_edge_inserts();
	return !all.is_empty();
}

static const pass_data sums_data = {
	GIMPLE_PASS, "cgview_sums", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class sums_pass : public gimple_opt_pass
{
      public:
	sums_pass(gcc::context *ctx) : gimple_opt_pass(sums_data, ctx)
	{
	}
	/* Where setjmp comes back, or a fault is caught, variables may have any value. */
	bool gate(function *fun) final override
	{
		return optimize && options.mode == MODE_TREE && options.sums != SUMS_NONE &&
		       !fun->calls_setjmp && !fun->has_nonlocal_label &&
		       !fun->can_throw_non_call_exceptions && !flag_sanitize;
	}
	unsigned int execute(function *fun) final override
	{
		bool changed;

		loop_optimizer_init(LOOPS_NORMAL);
		changed = number_of_loops(fun) > 1 && sum_in_loops(fun);
		loop_optimizer_finalize();
		if (!changed)
			return 0;
		mark_virtual_operands_for_renaming(fun);
		return TODO_update_ssa | TODO_cleanup_cfg;
	}
};

opt_pass *
make_sums_pass(gcc::context *ctx)
{
	return new sums_pass(ctx);
}
