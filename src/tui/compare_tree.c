/* The tree of calls in a comparison: the same path in the first profile. */
#include <math.h>
#include <string.h>

#include "tui/browser.h"

void
compare_tree_release(struct compare *x)
{
	for (int i = 0; i < 4; i++) {
		if (x->trees[i / 2][i % 2])
			tree_close(x->trees[i / 2][i % 2]);
		x->trees[i / 2][i % 2] = NULL;
	}
}

/* The tree of the first profile that corresponds to one of the last; NULL: there is none. */
static struct tree *
first_tree(struct browser *b, const struct tree *last)
{
	struct compare *x = &b->compare;
	struct match *m = comparison_match(x->c);
	struct tree_want want = *tree_wanted(last);
	struct tree **kept = &x->trees[want.source][want.bottom_up];
	const struct tree_want *old = *kept ? tree_wanted(*kept) : NULL;

	if (want.procedure) {
		entity_id entity = compare_entity(b, want.procedure);

		want.procedure = entity ? match_procedure(m, entity, 0) : 0;
		if (!want.procedure)
			return NULL;
	}
	if (old && old->wait == want.wait && old->procedure == want.procedure)
		return *kept;
	if (*kept)
		tree_close(*kept);
	*kept = tree_open(x->profiles[0], &want);
	return *kept;
}

static bool
corresponds(struct browser *b, const struct tree_node *last, const struct tree_node *first)
{
	struct match *m = comparison_match(b->compare.c);

	if (last->kind != first->kind)
		return false;
	if (!last->procedure || !first->procedure)
		return !last->procedure && !first->procedure;
	return compare_entity(b, last->procedure) == match_entity(m, 0, first->procedure);
}

/* The node of FIRST that is reached by the path of node ID of LAST. */
static uint32_t
same_path(struct browser *b, const struct tree *last, struct tree *first, uint32_t id)
{
	struct tree_node n = *tree_node(last, id);
	const struct tree_node *above;
	uint32_t parent, end;

	if (n.kind == TREE_ALL)
		return 0;
	parent = same_path(b, last, first, n.parent);
	if (parent == TREE_NONE)
		return TREE_NONE;
	above = tree_children(first, parent);
	end = above->first + above->nr;
	for (uint32_t i = above->first; i < end; i++)
		if (corresponds(b, &n, tree_node(first, i)))
			return i;
	return TREE_NONE;
}

bool
compare_tree_time(struct browser *b, const struct tree *tree, uint32_t id, uint64_t *ns,
		  bool *unsure)
{
	const struct compare *x = &b->compare;
	struct tree *first = x->c ? first_tree(b, tree) : NULL;
	uint32_t at = first ? same_path(b, tree, first, id) : TREE_NONE;
	double here = (double)tree_node(tree, id)->total, there, variance;

	*ns = at == TREE_NONE ? 0 : tree_node(first, at)->total;
	there = (double)*ns;
	variance = there * (double)profile_totals(x->profiles[0])->run.interval_ns +
		   here * (double)b->totals->run.interval_ns;
	*unsure = variance > 0 && compare_is_unsure((here - there) / sqrt(variance));
	return at != TREE_NONE;
}
