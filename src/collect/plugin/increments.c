/* Increments of counters: statements counter ={v} 1 until lower.c makes instructions of them. */
#include "plugin.h"

gimple *
increment_build_sum(tree counters, int counter, tree sum, location_t loc)
{
	tree type = build_aligned_type(build_nonstandard_integer_type(64, 1), 64);
	tree address = build_fold_addr_expr(counters);
	tree offset = build_int_cst(ptr_type_node, (HOST_WIDE_INT)counter * 8);
	tree ref = build2(MEM_REF, type, address, offset);
	gimple *stmt;

	TREE_THIS_VOLATILE(ref) = 1;
	TREE_SIDE_EFFECTS(ref) = 1;
	stmt = gimple_build_assign(ref, sum);
	gimple_set_location(stmt, loc);
	return stmt;
}

gimple *
increment_build(tree counters, int counter, location_t loc)
{
	tree type = build_nonstandard_integer_type(64, 1);

	return increment_build_sum(counters, counter, build_int_cst(type, 1), loc);
}

location_t
location_near(basic_block bb)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
		if (!is_gimple_debug(gsi_stmt(i)) && gimple_has_location(gsi_stmt(i)))
			return gimple_location(gsi_stmt(i));
	return DECL_SOURCE_LOCATION(cfun->decl);
}

location_t
location_on_edge(edge e)
{
	gimple *last = api_last_stmt(e->src);

	if (!RESERVED_LOCATION_P(e->goto_locus))
		return e->goto_locus;
	return last && gimple_has_location(last) ? gimple_location(last) : location_near(e->dest);
}

bool
is_increment(gimple *stmt)
{
	return is_gimple_assign(stmt) && gimple_store_p(stmt) &&
	       tables_is_counter(gimple_assign_lhs(stmt));
}

bool
increment_is_sum(gimple *stmt)
{
	return !integer_onep(gimple_assign_rhs1(stmt));
}

tree
increment_counter(gimple *stmt, int *number)
{
	tree ref = gimple_assign_lhs(stmt), base;
	poly_int64 offset;

	base = get_addr_base_and_unit_offset(ref, &offset);
	if (!base || !VAR_P(base) || !offset.is_constant())
		return NULL_TREE;
	*number = (int)(offset.to_constant() / 8);
	return base;
}

void
increment_remove(gimple_stmt_iterator *i)
{
	gimple *stmt = gsi_stmt(*i);

	unlink_stmt_vdef(stmt);
	gsi_remove(i, true);
	release_defs(stmt);
}

void
increments_remove_repeated(function *fun)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);)
			if (is_increment(gsi_stmt(i)) &&
			    gimple_location(gsi_stmt(i)) == UNKNOWN_LOCATION)
				increment_remove(&i);
			else
				gsi_next(&i);
}
