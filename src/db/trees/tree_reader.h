/* Inside src/db only: what the tree and its two readers share. */
#ifndef CGVIEW_DB_TREE_READER_H
#define CGVIEW_DB_TREE_READER_H

#include "db/store/connection.h"
#include "db/trees/tree.h"
#include "util/job.h"
#include "util/sum.h"

/* The way to the heaviest node with a procedure. */
struct tree_path {
	model_id procedure;
	uint32_t *at;            /* the members at of the nodes from a root on; heap */
	size_t nr, alloc;
	size_t tree;             /* joined: the tree that has the nodes */
};

/* The children of a node, while they are looked for. */
struct opening {
	struct tree *tree;
	uint32_t id;
	struct tree_node *nodes;
	size_t nr, alloc;
	uint32_t *order;
};

/* The first three may pause (util/job.h); queries of others meanwhile add nodes. */
struct tree_reader {
	/* Sets the figures of node 0, and calls tree_add() for each of its children. */
	void (*read)(struct tree *t, struct opening *to);
	/* Calls tree_add() for each child of a node that is not 0. */
	void (*children)(struct tree *t, struct opening *to);
	void (*path)(struct tree *t, struct tree_path *path);
	size_t (*bytes)(const struct tree *t); /* without nodes */
	void (*close)(void *data);
	/* As tree_evenness(); NULL: it knows nothing of that. */
	struct tree_evenness (*evenness)(const struct tree *t, const struct tree_node *n);
	/* Only in the reader of several trees. is_child: does the path mean node ID by AT? order:
	 * decides before the weight. anew: the order is another one now. The others are as
	 * tree_same() and so on. */
	bool (*is_child)(const struct tree *t, const struct tree_path *path, uint32_t id,
			 uint32_t at);
	int (*order)(const struct tree *t, const struct tree_node *a, const struct tree_node *b);
	void (*anew)(struct tree *t);
	bool (*same)(const struct tree *t, const struct tree_node *a, const struct tree_node *b);
	const char *(*error)(const struct tree *t);
	bool (*leads)(const struct tree *t, uint32_t id);
};
extern const struct tree_reader tree_context_reader, tree_arc_reader;

struct tree {
	struct profile *profile;
	struct tree_want want;
	const struct tree_reader *reader;
	void *data;             /* the reader's */
	struct tree_node *nodes;
	size_t nr, alloc;
	bool full;
	size_t nr_roots;        /* and node 0 */
	const struct opening *opening; /* the last that tree_children() began; NULL: it is over */
};

/* Makes a tree with node 0 alone and DATA of its reader, which has not read anything yet. */
struct tree *tree_with(struct profile *p, const struct tree_want *want,
		       const struct tree_reader *reader, void *data);
void *tree_context_open(struct tree *t);
void *tree_arc_open(struct tree *t);

/* Adds a child to the node whose children are asked for. Everything but parent, depth and children
 * is taken from CHILD. */
void tree_add(struct opening *to, const struct tree_node *child);

/* Returns WHOLE * PART / OF, rounded down; at most WHOLE; 0 of 0 is 0. */
uint64_t tree_share(uint64_t whole, uint64_t part, uint64_t of);

#endif
