/* Inside src/db only: what the tree and its two readers share. */
#ifndef CGVIEW_DB_TREE_READER_H
#define CGVIEW_DB_TREE_READER_H

#include "db/connection.h"
#include "db/tree.h"
#include "util/long_sort.h"
#include "util/sum.h"

/* The way to the heaviest node with a procedure, while it is looked for. */
struct finding {
	model_id procedure;      /* 0: none is looked for */
	uint32_t *path;          /* the members at of the nodes from a root on; heap */
	size_t nr, alloc;
	bool known;              /* all of the path is */
	size_t done;             /* how much of it led to node ID */
	uint32_t id;
	void *data;              /* the reader's, until the path is known */
};

/* The children of a node, while they are looked for. */
struct opening {
	uint32_t id;
	void *node;              /* the reader's; NULL: all were found */
	struct tree_node *nodes;
	size_t nr, alloc;
	struct long_sort sort;
};

struct tree_reader {
	/* NULL: profile_error() is set. */
	void *(*open)(struct tree *t);
	/* One step of the work that ends with the figures of node 0 and tree_add() for each of its
	 * children; false: all is done. */
	bool (*step)(struct tree *t);
	unsigned (*percent)(const struct tree *t);
	size_t (*bytes)(const struct tree *t); /* without nodes */
	void (*close)(void *data);
	/* The children of node ID, which is not 0: open_node(), steps that tree_add() them until
	 * one is false, and close_node(); that also when it is given up (not DONE). Others may be
	 * asked for meanwhile. */
	void *(*open_node)(struct tree *t, uint32_t id);
	bool (*node_step)(struct tree *t, void *node);
	void (*close_node)(struct tree *t, void *node, bool done);
	/* One step of the way to a procedure that ends with F->path; false: it is there. */
	bool (*path_step)(struct tree *t, struct finding *f);
	/* Frees F->data, if there is any. */
	void (*path_end)(struct tree *t, struct finding *f);
	/* Only the reader of several trees. is_child: is node ID what the path means by AT? order:
	 * what comes before the weight. anew: it is another order now. The others as tree_same()
	 * and so on. */
	bool (*is_child)(const struct tree *t, const struct finding *f, uint32_t id, uint32_t at);
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
	size_t nr_roots;        /* and node 0 */
	struct opening *opening; /* that goes on in slices; NULL: none */
	struct opening *to;     /* whose children tree_add() adds; NULL: the roots */
	struct finding finding;
	bool heavy;             /* a step was a long one: it is time to look at the clock */
};

/* A step sorts NR things. */
static inline void
tree_sorts(struct tree *t, size_t nr)
{
	t->heavy |= nr > 512;
}

/* A tree with node 0 alone and DATA of its reader, which has not read anything yet. */
struct tree *tree_with(struct profile *p, const struct tree_want *want,
		       const struct tree_reader *reader, void *data);

/* Some work; false: all is done. */
bool tree_step(struct tree *t);

/* Looking for the children of node ID: some work each step, until false; then they are known. End
 * it in any case. */
struct opening *opening_begin(struct tree *t, uint32_t id);
bool opening_step(struct tree *t, struct opening *o);
void opening_end(struct tree *t, struct opening *o);

/* The same with the one that goes on for tree_children_on(). */
bool tree_children_step(struct tree *t, uint32_t id);
/* The same for tree_find_on(); then *FOUND. */
bool tree_find_step(struct tree *t, model_id procedure, uint32_t *found);

/* Another child of the node whose children are asked for. Everything but parent, depth and children
 * is taken from CHILD. */
void tree_add(struct tree *t, const struct tree_node *child);

/* WHOLE * PART / OF, rounded down; at most WHOLE; 0 of 0 is 0. */
uint64_t tree_share(uint64_t whole, uint64_t part, uint64_t of);

#endif
