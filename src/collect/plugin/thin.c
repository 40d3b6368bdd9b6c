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

/* Is the token from a macro in another one's argument? That is expanded once, and evaluated at each
 * place where the definition has the parameter. */
static bool
is_of_argument(location_t token)
{
	return linemap_location_from_macro_expansion_p(line_table, token) &&
	       linemap_location_from_macro_expansion_p(line_table, place_unwind(token));
}

static bool
same_copy(const struct block_range *r, const struct block_range *other)
{
	return r->origin == other->origin ||
	       (same_expansion(r, other) && !is_of_argument(r->origin) &&
		!is_of_argument(other->origin));
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
	       (r->kind == RANGE_MACRO_DEFINITION && same_copy(r, other));
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

/* A condition whose parts have ranges of their own is told by these. */
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

/* The ranges of a procedure in two orders: who can tell a range stands beside it in one of them. */
typedef const struct block_range *range;
struct orders {
	auto_vec<range> by_block;
	auto_vec<range> by_begin; /* of all files together */
};

static int
compare_in_order(range r, range other)
{
	return r < other ? -1 : r > other;
}

static int
compare_blocks(const void *a, const void *b)
{
	range r = *(const range *)a, other = *(const range *)b;

	return r->block != other->block ? r->block - other->block : compare_in_order(r, other);
}

static int
compare_begins(range r, range other)
{
	return r->place.line != other->place.line ? r->place.line - other->place.line
						  : r->place.column - other->place.column;
}

static int
compare_places(const void *a, const void *b)
{
	range r = *(const range *)a, other = *(const range *)b;
	int difference = compare_begins(r, other);

	return difference ? difference : compare_in_order(r, other);
}

static bool
is_of_earlier_block(const range &r, const range &other)
{
	return r->block < other->block;
}

static bool
begins_before(const range &r, const range &other)
{
	return compare_begins(r, other) < 0;
}

static bool
told_in_its_block(const struct orders *o, range r)
{
	unsigned i = o->by_block.lower_bound(r, is_of_earlier_block);

	for (; i < o->by_block.length() && o->by_block[i]->block == r->block; i++) {
		range other = o->by_block[i];

		if (other != r && told_in_block(r, other, other < r))
			return true;
	}
	return false;
}

static bool
begins_within(range r, range other)
{
	return !compare_begins(r, other) || other->place.line < r->place.end_line ||
	       (other->place.line == r->place.end_line &&
		other->place.column <= r->place.end_column);
}

/* Parts of R begin within it, and what is the same evaluation where R does. */
static bool
told_at_its_place(const struct orders *o, const vec<basic_block> *blocks, range r)
{
	unsigned i = o->by_begin.lower_bound(r, begins_before);

	for (; i < o->by_begin.length() && begins_within(r, o->by_begin[i]); i++) {
		range other = o->by_begin[i];

		if (!r->condition && compare_begins(r, other))
			return false;
		if (other != r && (told_before(blocks, r, other) || told_by_call(r, other) ||
				   told_by_part(r, other)))
			return true;
	}
	return false;
}

void
ranges_thin_out(struct procedure *p, const vec<basic_block> *blocks)
{
	auto_vec<block_range> kept;
	struct orders o;

	calculate_dominance_info(CDI_DOMINATORS);
	for (unsigned i = 0; i < p->ranges.length(); i++) {
		o.by_block.safe_push(&p->ranges[i]);
		o.by_begin.safe_push(&p->ranges[i]);
	}
	o.by_block.qsort(compare_blocks);
	o.by_begin.qsort(compare_places);
	for (unsigned i = 0; i < p->ranges.length(); i++)
		if (!told_in_its_block(&o, &p->ranges[i]) &&
		    !told_at_its_place(&o, blocks, &p->ranges[i]))
			kept.safe_push(p->ranges[i]);
	p->ranges.truncate(0);
	p->ranges.safe_splice(kept);
}
