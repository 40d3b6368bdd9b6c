/* The calls of a program as a tree whose children are found when somebody asks for them: from the
 * stacks that were sampled, or from the arcs; from the callers down, or from a procedure up.
 *
 * From the stacks (table context) a node is a path of procedures. Recursion is folded: where a
 * procedure stands on a stack a second time, the path goes back to the first, so no path has one
 * twice, each sample is in exactly one node, and the totals of a node's children and its self make
 * its total. Where that happened a node of kind TREE_RECURSION tells how much went back.
 *
 * From the arcs a node is a path, too, but which path took how much time was not seen: a node's
 * time is shared out by calls, as gprof does it. Procedures that call each other are one node,
 * their cycle, with the members below it, so no path is endless here either. */
#ifndef CGVIEW_DB_TREE_H
#define CGVIEW_DB_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/profile.h"

enum tree_source { TREE_CONTEXTS, TREE_ARCS };

enum tree_kind {
	TREE_ALL,        /* node 0: stands over the roots and is no row */
	TREE_PROCEDURE,  /* procedure 0: code that is not profiled */
	TREE_CYCLE,      /* procedures that call each other; procedure: where it is entered, or 0 */
	TREE_RECURSION,  /* back to the procedure above (0: within the cycle); counted there */
	TREE_OUTSIDE,    /* bottom-up: what has no caller here */
};

struct tree_want {
	enum tree_source source;
	bool bottom_up;
	unsigned measure;       /* contexts: one of tree_next_measure(); 0: time */
	model_id procedure;     /* bottom-up: callers of this one; 0: of all */
	/* Arcs: from other counts than the stored ones, as profile_change() has made them; it must
	 * not be called again before the tree is closed. */
	bool turned;
};

enum { TREE_NONE = UINT32_MAX };

struct tree_node {
	uint32_t parent, depth; /* depth of the roots: 1 */
	uint32_t first, nr;     /* children, once they are known: nodes first .. first + nr - 1 */
	bool known;
	bool many;              /* children, as far as is known: too many to be found at once */
	bool exact;             /* arcs: number is counted, not shared out */
	enum tree_kind kind;
	model_id procedure;
	/* Of the call by which parent and child (bottom-up: child and parent) are connected; of
	 * several the one with the most; 0: unknown. */
	model_id site;
	uint32_t cycle;
	uint32_t deep;          /* contexts: how often at most the procedure is on a stack here */
	/* In tree_unit(). Bottom-up: of the root's procedure, as far as it got there by this
	 * path. */
	uint64_t total, self;
	uint64_t number;        /* samples, or calls */
	uint32_t at, at_nr;     /* the reader's own */
};

struct tree;

/* The measure behind MEASURE of those that stacks have figures of which add up; 0, which is time,
 * is behind the last one. */
unsigned tree_next_measure(struct profile *p, unsigned measure);
bool tree_has_measure(struct profile *p, unsigned measure);

/* Is there anything to make it from? Stacks may have been sampled and not stored, or be of those
 * alone that waited. */
bool tree_is_possible(struct profile *p, enum tree_source source);

/* NULL: profile_error() is set. A profile without such data gives a tree without roots. */
struct tree *tree_open(struct profile *p, const struct tree_want *want);
/* The same in two steps, the second of which may be a job (util/job.h); then look at tree_error().
 * Before that nothing but tree_wanted() and tree_close() may be asked. A job on a tree must be
 * dropped before the tree is closed. */
struct tree *tree_begin(struct profile *p, const struct tree_want *want);
void tree_read(struct tree *t);
void tree_close(struct tree *t);
/* What went wrong in a profile that it is from; NULL: nothing. */
const char *tree_error(const struct tree *t);
const struct tree_want *tree_wanted(const struct tree *t);

/* Valid until the next tree_children(). ID 0 is above the roots; its total is all that there is. */
const struct tree_node *tree_node(const struct tree *t, uint32_t id);
uint32_t tree_nr_nodes(const struct tree *t);

/* The node with its children known, the heaviest first, other kinds than procedures last. In a tree
 * that has grown too large (tree_full()) a node that was not looked at before has none. As there
 * may be as many as procedures, a job pauses meanwhile; the tree may be asked for others then. */
const struct tree_node *tree_children(struct tree *t, uint32_t id);
/* The same at once if they are few: then they are known afterwards, else node.many is set. */
const struct tree_node *tree_few_children(struct tree *t, uint32_t id);
/* How many a tree_children() that pauses has found so far. */
size_t tree_children_so_far(const struct tree *t);
bool tree_full(const struct tree *t);

/* Roughly what it takes of memory. */
size_t tree_bytes(const struct tree *t);

/* What orders and sizes nodes: the total; bottom-up of all procedures the self time, as the totals
 * of several roots overlap; without any time the number. */
uint64_t tree_weight(const struct tree *t, const struct tree_node *n);
bool tree_has_time(const struct tree *t);
/* The unit of totals and selves; its measure, NULL: time. */
enum column_unit tree_unit(const struct tree *t);
const struct model_measure *tree_measure(const struct tree *t);

/* Has the first child of node ID, whose children are known, more than ID has without callees?
 * (Of joined trees: of the value.) */
bool tree_leads(const struct tree *t, uint32_t id);

/* Have both nodes the same total and number (in each tree that they are joined from)? */
bool tree_same(const struct tree *t, const struct tree_node *a, const struct tree_node *b);

/* The heaviest node with this procedure, its ancestors known; TREE_NONE: there is none. A job
 * pauses meanwhile. */
uint32_t tree_find(struct tree *t, model_id procedure);

/* How many stacks were sampled, if that is what it is from. */
uint64_t tree_samples(const struct tree *t);

#endif
