/* Counters in an innermost loop are addressed by a register.
 *
 * An increment reads what the last one of the same counter wrote. A processor has that word at once
 * if both address it by the same register and offset, as it then takes the word for a register
 * (memory renaming). By the address of the instruction, as counters are addressed elsewhere, it
 * takes seven cycles on Intel's Golden Cove, and a loop of five cycles takes seven, too. So before
 * such a loop is entered the address of the first of its counters goes to a register,
 *	leaq counter(%rip), base
 *	... incq %gs:8(base)
 * and the increment has five bytes in place of eight. The address comes from an instruction of
 * ours, as GCC would put a constant back into the increments.
 *
 * A loop with calls needs a register that these keep: it has a base only if few rounds are expected
 * to call (a buffer that is filled now and then), and it is small. In a very small one each
 * increment loads the address for itself, as it is the register's number that has to be the same,
 * not when it was loaded. Where registers are short GCC may keep the address on the stack, which is
 * a load more.
 */
#include "plugin.h"

#include "memmodel.h"
#include "rtl.h"
#include "rtl-iter.h"
#include "cfgrtl.h"
#include "insn-config.h"
#include "emit-rtl.h"
#include "explow.h"
#include "recog.h"

static const pass_data bases_data = {
	RTL_PASS, "cgview_bases", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

/* One of the unit's tables; a loop increments its counters from LEAST to MOST (in bytes). */
struct base {
	rtx table, reg;
	HOST_WIDE_INT least, most, at; /* at: what reg is the address of */
};

/* Of a loop with calls: at least so many rounds for each of them, and at most so many blocks; else
 * at most so many, and its increments load their addresses. */
enum { ROUNDS_A_CALL = 4, MOST_BLOCKS = 20, MOST_BLOCKS_EACH = 8 };

/* The increments of a loop. */
struct increments {
	auto_vec<rtx_insn *> insns;
	auto_vec<struct base> bases;
};

/* Is MEM a counter? Then its table and where it is in there. */
static bool
is_counter(rtx mem, rtx *table, HOST_WIDE_INT *offset)
{
	poly_int64 within;

	if (!MEM_P(mem))
		return false;
	*table = strip_offset(XEXP(mem, 0), &within);
	return within.is_constant(offset) && address_is_table(*table);
}

static struct base *
base_of(struct increments *all, rtx table)
{
	struct base *base;
	unsigned i;

	FOR_EACH_VEC_ELT(all->bases, i, base)
		if (rtx_equal_p(base->table, table))
			return base;
	return NULL;
}

static void
note_increment(struct increments *all, rtx_insn *insn)
{
	subrtx_var_iterator::array_type array;
	HOST_WIDE_INT offset;
	rtx table;

	all->insns.safe_push(insn);
	FOR_EACH_SUBRTX_VAR(iter, array, PATTERN(insn), NONCONST)
	{
		struct base *base;

		if (!is_counter(*iter, &table, &offset))
			continue;
		if (!(base = base_of(all, table)))
			base = all->bases.safe_push({table, NULL_RTX, offset, offset, 0});
		base->least = MIN(base->least, offset);
		base->most = MAX(base->most, offset);
	}
}

static bool
is_entry(const class loop *loop, edge e)
{
	return !flow_bb_inside_loop_p(loop, e->src);
}

static bool
has_simple_entries(const class loop *loop)
{
	edge_iterator i;
	edge e;

	FOR_EACH_EDGE(e, i, loop->header->preds)
		if (is_entry(loop, e) && e->flags & EDGE_COMPLEX)
			return false;
	return true;
}

/* Notes what LOOP increments. Returns its calls by GCC's guess, in the unit of
 * profile_count::to_frequency(). */
static HOST_WIDE_INT
find_increments(const class loop *loop, struct increments *all)
{
	basic_block *body = get_loop_body(loop);
	rtx_insn *insn;
	HOST_WIDE_INT calls = 0;

	for (unsigned b = 0; b < loop->num_nodes; b++)
		FOR_BB_INSNS(body[b], insn)
			if (CALL_P(insn))
				calls += MAX(1, body[b]->count.to_frequency(cfun));
			else if (NONDEBUG_INSN_P(insn) && address_increment(insn))
				note_increment(all, insn);
	free(body);
	return calls;
}

static bool
calls_much(const class loop *loop, HOST_WIDE_INT calls)
{
	int rounds = loop->header->count.to_frequency(cfun);

	return calls && (calls > rounds / ROUNDS_A_CALL || loop->num_nodes > MOST_BLOCKS);
}

/* REG = address of what is AT bytes in TABLE. */
static rtx
load_address(rtx reg, rtx table, HOST_WIDE_INT at)
{
	rtx counter = gen_rtx_MEM(DImode, plus_constant(Pmode, table, at));
	rtx lea = gen_rtx_ASM_OPERANDS(Pmode, ggc_strdup("lea{q\t%1, %0|\t%0, %1}"),
				       ggc_strdup("=r"), 0, rtvec_alloc(1), rtvec_alloc(1),
				       rtvec_alloc(0), UNKNOWN_LOCATION);

	ASM_OPERANDS_INPUT(lea, 0) = counter;
	ASM_OPERANDS_INPUT_CONSTRAINT_EXP(lea, 0) =
		gen_rtx_ASM_INPUT_loc(DImode, ggc_strdup("m"), UNKNOWN_LOCATION);
	return gen_rtx_SET(reg, lea);
}

/* The offset from the register is a byte if it can be. */
static void
load_base(const class loop *loop, struct base *base)
{
	enum { BYTE_OFFSETS = 128 };
	edge_iterator i;
	edge e;

	base->at = base->least + (base->most - base->least < BYTE_OFFSETS ? 0 : BYTE_OFFSETS);
	base->reg = gen_reg_rtx(Pmode);
	FOR_EACH_EDGE(e, i, loop->header->preds)
		if (is_entry(loop, e))
			insert_insn_on_edge(load_address(base->reg, base->table, base->at), e);
}

static void
use_bases(struct increments *all, rtx_insn *insn)
{
	subrtx_ptr_iterator::array_type array;
	HOST_WIDE_INT offset;
	rtx table;

	FOR_EACH_SUBRTX_PTR(iter, array, &PATTERN(insn), NONCONST)
	{
		struct base *base;

		if (!is_counter(**iter, &table, &offset))
			continue;
		base = base_of(all, table);
		validate_change(insn, *iter,
				replace_equiv_address_nv(
					**iter, plus_constant(Pmode, base->reg, offset - base->at)),
				true);
		iter.skip_subrtxes();
	}
	if (!apply_change_group())
		internal_error("cgview: the counter of an increment in %qD cannot be addressed",
			       current_function_decl);
}

static void
share_bases(class loop *loop, struct increments *all)
{
	struct base *base;
	rtx_insn *insn;
	unsigned i;

	FOR_EACH_VEC_ELT(all->bases, i, base)
		load_base(loop, base);
	FOR_EACH_VEC_ELT(all->insns, i, insn)
		use_bases(all, insn);
}

static void
load_before(rtx_insn *insn)
{
	struct increments one;
	struct base *base;
	unsigned i;

	note_increment(&one, insn);
	FOR_EACH_VEC_ELT(one.bases, i, base)
	{
		base->at = base->least;
		base->reg = gen_reg_rtx(Pmode);
		emit_insn_before(load_address(base->reg, base->table, base->at), insn);
	}
	use_bases(&one, insn);
}

static void
give_bases(class loop *loop)
{
	struct increments all;
	rtx_insn *insn;
	unsigned i;
	HOST_WIDE_INT calls;

	if (loop->inner || !optimize_loop_for_speed_p(loop))
		return;
	calls = find_increments(loop, &all);
	if (has_simple_entries(loop) && !calls_much(loop, calls))
		share_bases(loop, &all);
	else if (loop->num_nodes <= MOST_BLOCKS_EACH)
		FOR_EACH_VEC_ELT(all.insns, i, insn)
			load_before(insn);
}

class bases_pass : public rtl_opt_pass
{
      public:
	bases_pass(gcc::context *ctx) : rtl_opt_pass(bases_data, ctx)
	{
	}
	/* Atomic increments take as long in any way. */
	bool gate(function *) final override
	{
		return optimize && options.access != ACCESS_ATOMIC;
	}
	unsigned int execute(function *fun) final override
	{
		loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
		for (unsigned i = 1; i < number_of_loops(fun); i++)
			if (class loop *loop = get_loop(fun, i))
				give_bases(loop);
		loop_optimizer_finalize();
		free_dominance_info(CDI_DOMINATORS); /* passes behind expand want none */
		commit_edge_insertions();
		return 0;
	}
};

opt_pass *
make_bases_pass(gcc::context *ctx)
{
	return new bases_pass(ctx);
}
