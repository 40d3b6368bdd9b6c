/* Trees of calls of several profiles as one tree: nodes that are reached by the same path are one
 * node, and a path that only one of them has is there, too. */
#ifndef CGVIEW_DB_TREE_JOIN_H
#define CGVIEW_DB_TREE_JOIN_H

#include "db/tree.h"

enum { MOST_JOINED = 26 };

/* What one of the trees has at a node. Several of its nodes, when it has copies of a procedure. */
struct tree_side {
	bool there;
	bool exact;              /* as of a node */
	uint64_t total, self, number;
};

struct tree_join {
	size_t nr;
	/* By tree_begin(), the join's from now on; NULL: that profile has nothing to show. */
	struct tree *trees[MOST_JOINED];
	const double *scales;    /* of their times, for the sum; the caller's, they may change */
	/* What PROCEDURE of a tree is called in the joined one; the same for what corresponds. */
	model_id (*name)(void *context, size_t tree, model_id procedure);
	/* And back; 0: it is not in that tree. */
	model_id (*here)(void *context, size_t tree, model_id name);
	/* What orders siblings, by its amount; NAN: behind all others. SIDES has nr. */
	double (*value)(void *context, const struct tree *t, const struct tree_side *sides);
	void *context;
};

/* As tree_begin(); P is the last profile. A node's total and self are the sums of all sides times
 * their scales, its number the sum. What else it has is that of the last side that has it. */
struct tree *tree_join_begin(struct profile *p, const struct tree_want *want,
			     const struct tree_join *join);

/* Is it one of these? */
bool tree_is_joined(const struct tree *t);

/* Of a node of a joined tree: all sides; the last tree that has it; its value. */
void tree_sides(const struct tree *t, uint32_t id, struct tree_side *sides);
size_t tree_last_side(const struct tree *t, uint32_t id);
double tree_value(const struct tree *t, uint32_t id);

/* After what value() says or the scales have changed: computed and ordered anew. Nodes have other
 * ids then: an array (heap, the caller's) of the new id by the old one. */
uint32_t *tree_reorder(struct tree *t);

#endif
