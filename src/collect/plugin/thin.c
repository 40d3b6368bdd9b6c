/* Which of the ranges that the statements of a procedure have are told: one for each evaluation. */
#include "plugin.h"

/* Both in the program's text, or both in definitions of macros. */
static bool
same_text(const struct block_range *r, const struct block_range *other)
{
	return (r->kind == RANGE_MACRO) == (other->kind == RANGE_MACRO) &&
	       (r->kind == RANGE_MACRO_DEFINITION) == (other->kind == RANGE_MACRO_DEFINITION);
}

/* Are both of one and the same expansion of a macro, or of none? */
static bool
same_expansion(const struct block_range *r, const struct block_range *other)
{
	const line_map *map = linemap_lookup(line_table, r->origin);
	const line_map *other_map = linemap_lookup(line_table, other->origin);

	return map == other_map || (map && other_map && !linemap_macro_expansion_map_p(map) &&
				    !linemap_macro_expansion_map_p(other_map));
}

/* One place may be evaluated more than once: a piece of a macro's definition in each expansion, an
 * argument at each place where the definition has the parameter. The use of a macro is one
 * evaluation. */
static bool
same_evaluation(const struct block_range *r, const struct block_range *other)
{
	if (!same_text(r, other) || !place_equal(&r->place, &other->place))
		return false;
	if (other->operand && !r->operand)
		return r->kind != RANGE_MACRO_DEFINITION || same_expansion(r, other);
	if (r->kind != other->kind || r->operand != other->operand)
		return false;
	return r->kind == RANGE_MACRO || r->origin == other->origin ||
	       !linemap_location_from_macro_expansion_p(line_table, r->origin) ||
	       (r->kind == RANGE_MACRO_DEFINITION && same_expansion(r, other));
}

/* Within a block a range that is part of another one is told by it; but what encloses an operand
 * stands for more than this block. */
static bool
told_in_block(const struct block_range *r, const struct block_range *other, bool earlier)
{
	if (same_evaluation(r, other)) {
		if (r->operand != other->operand)
			return other->operand;
		/* Conversions of arguments have the place of the call, too. */
		return r->call != other->call ? other->call : earlier;
	}
	if (r->operand || r->kind == RANGE_MACRO || !same_text(r, other) ||
	    !same_expansion(r, other) || place_equal(&r->place, &other->place))
		return false;
	return other->operand ? place_contains(&r->place, &other->place)
			      : place_contains(&other->place, &r->place);
}

/* Is R the range OTHER once more, in a block that runs only after the other one? Then it is the
 * same evaluation (a condition and what follows of it, the pieces of a macro's use). Copies that
 * the compiler made (of a cleanup, say) lie on other paths; their counts add up. */
static bool
told_before(const vec<basic_block> *blocks, const struct block_range *r,
	    const struct block_range *other)
{
	return r->block != other->block && same_evaluation(r, other) &&
	       (!r->call || r->kind != RANGE_STATEMENT || other->call || other->operand) &&
	       dominated_by_p(CDI_DOMINATORS, (*blocks)[r->block], (*blocks)[other->block]);
}

/* A condition of which parts have a range of their own is told by these. */
static bool
told_by_part(const struct block_range *r, const struct block_range *other)
{
	return r->condition && r->kind != RANGE_MACRO && other->operand && same_text(r, other) &&
	       same_expansion(r, other) && place_contains(&r->place, &other->place);
}

/* Tests and arms of a conditional argument, and conversions, have the place of the call that they
 * are made for: the call is what is evaluated there. */
static bool
told_by_call(const struct block_range *r, const struct block_range *other)
{
	return r->kind == RANGE_STATEMENT && !r->call && !r->operand && other->call &&
	       same_evaluation(r, other);
}

static bool
redundant(const struct procedure *p, const vec<basic_block> *blocks, unsigned i)
{
	const vec<block_range> *all = &p->ranges;
	const struct block_range *r = &(*all)[i];

	for (unsigned j = 0; j < all->length(); j++) {
		const struct block_range *other = &(*all)[j];

		if (j != i && ((other->block == r->block && told_in_block(r, other, j < i)) ||
			       told_before(blocks, r, other) || told_by_call(r, other) ||
			       told_by_part(r, other)))
			return true;
	}
	return false;
}

void
ranges_thin_out(struct procedure *p, const vec<basic_block> *blocks)
{
	auto_vec<block_range> kept;

	calculate_dominance_info(CDI_DOMINATORS);
	for (unsigned i = 0; i < p->ranges.length(); i++)
		if (!redundant(p, blocks, i))
			kept.safe_push(p->ranges[i]);
	p->ranges.truncate(0);
	p->ranges.safe_splice(kept);
}
