/* Joins the call trees of several profiles into one: nodes that are reached by the same path are
 * one node, and a path that only one of them has is there, too. */
#ifndef CGVIEW_DB_TREE_JOIN_H
#define CGVIEW_DB_TREE_JOIN_H

#include "db/trees/tree.h"

enum { MOST_JOINED = 999 };

/* The figures of one tree at a node: of several nodes, when the tree has copies of a procedure. */
struct tree_side {
	bool there;
	bool exact;              /* as in a node */
	int64_t total, self;
	uint64_t number;
};

struct tree_join {
	size_t nr;
	/* Made by tree_begin(), then owned by the join; NULL: that profile has nothing to show. */
	struct tree *trees[MOST_JOINED];
	const double *scales;    /* of their times, for the sum; the caller's, may change */
	/* Returns the joined tree's number for PROCEDURE of a tree; corresponding ones share it. */
	model_id (*name)(void *context, size_t tree, model_id procedure);
	/* Returns the procedure in TREE that has this number; 0: there is none. */
	model_id (*here)(void *context, size_t tree, model_id name);
	/* Returns the value whose amount orders siblings; NAN: behind all others. SIDES has nr. */
	double (*value)(void *context, const struct tree *t, const struct tree_side *sides);
	void *context;
};

/* Begins a joined tree, as tree_begin() does; P is the last profile. A node's total and self are
 * the sums over all sides times their scales, its number is the sum. The rest comes from the last
 * side that has it. */
struct tree *tree_join_begin(struct profile *p, const struct tree_want *want,
			     const struct tree_join *join);

/* Is it a joined tree? */
bool tree_is_joined(const struct tree *t);

/* About a node of a joined tree: all sides; the last tree that has it; its value. */
void tree_sides(const struct tree *t, uint32_t id, struct tree_side *sides);
size_t tree_last_side(const struct tree *t, uint32_t id);
double tree_value(const struct tree *t, uint32_t id);

/* Computes and sorts anew what value() or the scales have changed. Nodes get other ids: returns an
 * array (heap, the caller's) of the new id by the old one. */
uint32_t *tree_reorder(struct tree *t);

#endif
