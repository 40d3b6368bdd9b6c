/* The calls of a program as a tree whose children are found when somebody asks for them: from the
 * stacks that were sampled, or from the arcs; from the callers down, or from a procedure up.
 *
 * From the stacks (table context) a node is a path of procedures. Recursion is folded: where a
 * procedure stands on a stack a second time, the path goes back to the first, so no path has one
 * twice, each sample is in exactly one node, and the totals of a node's children and its self make
 * its total. There a node of kind TREE_RECURSION tells how much went back.
 *
 * From the arcs a node is a path, too, but nobody saw which path took how much time: a node's time
 * is shared out by calls, as gprof does it. Procedures that call each other are one node, their
 * cycle, with the members below it, so no path is endless here either. */
#ifndef CGVIEW_DB_TREE_H
#define CGVIEW_DB_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model/run_deviation.h"
#include "db/store/profile.h"

enum tree_source { TREE_CONTEXTS, TREE_ARCS };

enum tree_kind {
	TREE_ALL,        /* node 0: stands over the roots and is no row */
	TREE_PROCEDURE,  /* procedure 0: code that is not profiled */
	TREE_CYCLE,      /* procedures that call each other; procedure: where it is entered, or 0 */
	TREE_RECURSION,  /* back to the procedure above (0: within the cycle), where it counts */
	TREE_OUTSIDE,    /* bottom-up: what has no caller here */
};

struct tree_want {
	enum tree_source source;
	bool bottom_up;
	unsigned measure;       /* one of tree_next_measure(), of its source; 0: time */
	model_id procedure;     /* bottom-up: callers of this one; 0: of all */
	/* Contexts, from the callers down, time: also how evenly ranks, or runs, have it. */
	bool uneven;
	/* Arcs: with the counts that profile_change() has set, in place of the stored ones; it must
	 * not be called again before the tree is closed. */
	bool changed;
};

enum { TREE_NONE = UINT32_MAX };

struct tree_node {
	uint32_t parent, depth; /* depth of the roots: 1 */
	uint32_t first, nr;     /* children, once they are known: nodes first .. first + nr - 1 */
	bool known;
	bool many;              /* it has children, as far as is known: too many to find at once */
	bool exact;             /* arcs: number was counted, not shared out */
	enum tree_kind kind;
	model_id procedure;
	/* The call that connects parent and child (bottom-up: child and parent); of several the one
	 * with the most; 0: unknown. */
	model_id site;
	uint32_t cycle;
	uint32_t deep;          /* contexts: how often at most the procedure is on a stack here */
	/* In tree_unit(). Bottom-up: the part of the root's that got there by this path. Those of
	 * node 0 are sums of sizes where some stacks have less than 0. */
	int64_t total, self;
	uint64_t number;        /* samples, or calls */
	uint32_t at, at_nr;     /* the reader's own */
};

struct tree;

/* Returns the measure after MEASURE among those that add up and that stacks have, or arcs, if these
 * were measured; 0, which is time, comes after the last one. */
unsigned tree_next_measure(struct profile *p, unsigned measure);
bool tree_has_measure(struct profile *p, unsigned measure);
/* Returns the source that has MEASURE. */
enum tree_source tree_source_of(struct profile *p, unsigned measure);
/* Returns the measure that stands in place of time in the tree of arcs; 0: there is time, or none
 * was measured. */
unsigned tree_arcs_measure(struct profile *p);

/* Can it be made? Stacks may have been sampled and not stored, or only those that waited. */
bool tree_is_possible(struct profile *p, enum tree_source source);

/* Opens a tree. NULL: profile_error() is set. Without such data it has no roots. */
struct tree *tree_open(struct profile *p, const struct tree_want *want);
/* Opens a tree in two steps. The second one may be a job (util/job.h); tree_error() then tells
 * whether it failed. Before that only tree_wanted() and tree_close() may be called. Drop a job on a
 * tree before you close the tree. */
struct tree *tree_begin(struct profile *p, const struct tree_want *want);
void tree_read(struct tree *t);
void tree_close(struct tree *t);
/* Returns what failed in a profile that it is made of; NULL: nothing. */
const char *tree_error(const struct tree *t);
const struct tree_want *tree_wanted(const struct tree *t);

/* Returns a node, valid until the next tree_children(). ID 0 is above the roots; its total is that
 * of the whole tree. */
const struct tree_node *tree_node(const struct tree *t, uint32_t id);
uint32_t tree_nr_nodes(const struct tree *t);

/* Returns the node with its children known, the heaviest first, other kinds than procedures last.
 * In a tree that has grown too large (tree_full()) a node that was not asked before has none. As
 * there may be as many as procedures, a job pauses meanwhile; others may use the tree then. */
const struct tree_node *tree_children(struct tree *t, uint32_t id);
/* Returns the node with its children known if they are few, otherwise with node.many set. */
const struct tree_node *tree_few_children(struct tree *t, uint32_t id);
/* Returns how many children a tree_children() that pauses has found so far. */
size_t tree_children_so_far(const struct tree *t);
bool tree_full(const struct tree *t);

/* Returns roughly how much memory it takes. */
size_t tree_bytes(const struct tree *t);

/* Returns what orders and sizes nodes, without its sign: the total; bottom-up of all procedures the
 * self time, as the totals of several roots overlap; without any time the number. */
uint64_t tree_weight(const struct tree *t, const struct tree_node *n);
bool tree_has_time(const struct tree *t);
/* Returns the unit of totals and selves; *MEASURE is theirs, NULL: time. */
enum column_unit tree_unit(const struct tree *t);
const struct model_measure *tree_measure(const struct tree *t);
/* Is it one of a measure that sampled call paths share out? And how many of them stand for VALUE,
 * at the least. */
bool tree_has_paths(const struct tree *t);
uint64_t tree_paths(const struct tree *t, uint64_t value);

/* Has the first child of node ID, whose children are known, as much as ID has without them, or
 * more? (In joined trees: of the value.) */
bool tree_leads(const struct tree *t, uint32_t id);

/* Have both nodes equal totals and numbers (in each tree that they are joined from)? */
bool tree_same(const struct tree *t, const struct tree_node *a, const struct tree_node *b);

/* Returns the heaviest node with this procedure, its ancestors known; TREE_NONE: there is none. A
 * job pauses meanwhile. */
uint32_t tree_find(struct tree *t, model_id procedure);

/* Returns how evenly ranks, or runs where there are no ranks, have what is in node N itself, and
 * with what is below it; the tree's. NULL: nobody has anything, or the tree was not asked for it,
 * or it knows no two ranks or runs. */
struct tree_evenness { const struct evenness *self, *total; };
struct tree_evenness tree_evenness(const struct tree *t, const struct tree_node *n);

/* Returns how many stacks were sampled, for a tree made of them. */
uint64_t tree_samples(const struct tree *t);

#endif
