/* Inside src/db only: what the tree and its two readers share. */
#ifndef CGVIEW_DB_TREE_READER_H
#define CGVIEW_DB_TREE_READER_H

#include "db/connection.h"
#include "db/tree.h"
#include "util/long_sort.h"

struct tree_reader {
	/* NULL: profile_error() is set. */
	void *(*open)(struct tree *t);
	/* One step of the work that ends with the figures of node 0 and tree_add() for each of its
	 * children; false: all is done. */
	bool (*step)(struct tree *t);
	unsigned (*percent)(const struct tree *t);
	size_t (*bytes)(const struct tree *t); /* without nodes */
	void (*close)(void *data);
	/* tree_add() for each child of node ID, which is not 0. */
	void (*children)(struct tree *t, uint32_t id);
	/* The members at of the nodes from a root to the procedure; heap, the caller's. */
	uint32_t *(*path)(struct tree *t, model_id procedure, size_t *nr);
	/* Only the reader of several trees. find: instead of path. order: what comes before the
	 * weight. anew: it is another order now. The others as tree_same() and so on. */
	uint32_t (*find)(struct tree *t, model_id procedure);
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
	enum { TREE_READING, TREE_SORTING, TREE_READY } stage;
	struct long_sort sort;  /* of the roots, of which there may be as many as procedures */
};

/* A tree with node 0 alone and DATA of its reader, which has not read anything yet. */
struct tree *tree_with(struct profile *p, const struct tree_want *want,
		       const struct tree_reader *reader, void *data);

/* Some work; false: all is done. */
bool tree_step(struct tree *t);

/* Another child of the node whose children are asked for. Everything but parent, depth and children
 * is taken from CHILD. */
void tree_add(struct tree *t, const struct tree_node *child);

/* WHOLE * PART / OF, rounded down; at most WHOLE; 0 of 0 is 0. */
uint64_t tree_share(uint64_t whole, uint64_t part, uint64_t of);

static inline uint64_t
tree_sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

#endif
