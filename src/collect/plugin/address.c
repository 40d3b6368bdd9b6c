/* Just behind expand: the address of a counter stands in its instruction, and no comment beside it.
 *
 * Expand loads every symbol into a pseudo register of its own, so that passes may find what two
 * instructions share. An increment has its counter as output and as input: two loads for the one
 * instruction, in each block, which sixty passes look at, and which the partial redundancy
 * elimination moves about, until one of them puts the symbol where it began. Done here, it is done
 * once. The loads that nobody needs any more fall to the next pass that removes dead ones. */
#include "plugin.h"

#include "memmodel.h"
#include "rtl.h"
#include "rtl-iter.h"
#include "insn-config.h"
#include "emit-rtl.h"
#include "explow.h"
#include "recog.h"

static const pass_data address_data = {
	RTL_PASS, "cgview_address", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

bool
address_is_table(const_rtx x)
{
	return GET_CODE(x) == SYMBOL_REF && SYMBOL_REF_DECL(x) &&
	       tables_is_counter(SYMBOL_REF_DECL(x));
}

/* What a pseudo register holds from its last load in BB on. */
struct held {
	rtx symbol; /* NULL: something else */
	basic_block bb;
};

/* Notes in REGISTERS, by number, what INSN sets. */
static void
note_set(vec<struct held> *registers, rtx_insn *insn)
{
	rtx set = single_set(insn);

	if (!set || !REG_P(SET_DEST(set)) || HARD_REGISTER_P(SET_DEST(set)))
		return;
	(*registers)[REGNO(SET_DEST(set))] = {
		address_is_table(SET_SRC(set)) ? SET_SRC(set) : NULL_RTX, BLOCK_FOR_INSN(insn)};
}

/* Returns the address of MEM in BB with the symbol in place of its register; NULL: it has none. */
static rtx
address(const vec<struct held> *registers, basic_block bb, rtx mem)
{
	rtx at = XEXP(mem, 0), base = at;
	const struct held *held;
	HOST_WIDE_INT offset = 0;

	if (GET_CODE(at) == PLUS && CONST_INT_P(XEXP(at, 1))) {
		offset = INTVAL(XEXP(at, 1));
		base = XEXP(at, 0);
	}
	if (!REG_P(base) || HARD_REGISTER_P(base))
		return NULL_RTX;
	held = &(*registers)[REGNO(base)];
	return held->symbol && held->bb == bb ? plus_constant(Pmode, held->symbol, offset) :
						NULL_RTX;
}

static void
put_symbols(const vec<struct held> *registers, rtx_insn *insn)
{
	subrtx_ptr_iterator::array_type array;

	FOR_EACH_SUBRTX_PTR(iter, array, &PATTERN(insn), NONCONST)
	{
		rtx *at = *iter, to;

		if (!MEM_P(*at) || !(to = address(registers, BLOCK_FOR_INSN(insn), *at)))
			continue;
		/* Where the model of the code wants the address in a register it stays there. */
		if (memory_address_addr_space_p(GET_MODE(*at), to, MEM_ADDR_SPACE(*at)))
			validate_change(insn, at, replace_equiv_address_nv(*at, to), true);
		iter.skip_subrtxes();
	}
	apply_change_group();
}

rtx
address_increment(const rtx_insn *insn)
{
	rtx body = PATTERN(insn);

	if (GET_CODE(body) == PARALLEL)
		body = XVECEXP(body, 0, 0);
	if (GET_CODE(body) == SET)
		body = SET_SRC(body);
	if (GET_CODE(body) != ASM_OPERANDS || !lower_made(ASM_OPERANDS_TEMPLATE(body)))
		return NULL_RTX;
	return body;
}

/* The compiler writes beside assembly where in the source it stands, twice, and the assembler reads
 * it. The instruction keeps its place for the debugger. */
static void
leave_out_comment(rtx_insn *insn)
{
	rtx increment = address_increment(insn);

	if (increment)
		ASM_OPERANDS_SOURCE_LOCATION(increment) = UNKNOWN_LOCATION;
}

class address_pass : public rtl_opt_pass
{
      public:
	address_pass(gcc::context *ctx) : rtl_opt_pass(address_data, ctx)
	{
	}
	unsigned int execute(function *fun) final override
	{
		auto_vec<struct held> registers;
		basic_block bb;
		rtx_insn *insn;

		if (optimize)
			registers.safe_grow_cleared(max_reg_num(), true);
		FOR_EACH_BB_FN(bb, fun)
			FOR_BB_INSNS(bb, insn)
			{
				if (!NONDEBUG_INSN_P(insn))
					continue;
				leave_out_comment(insn);
				if (!optimize)
					continue;
				if (asm_noperands(PATTERN(insn)) >= 0)
					put_symbols(&registers, insn);
				note_set(&registers, insn);
			}
		return 0;
	}
};

opt_pass *
make_address_pass(gcc::context *ctx)
{
	return new address_pass(ctx);
}
