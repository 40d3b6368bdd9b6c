/* The rows of a tree of calls as they are shown: some nodes expanded, chains of nodes with a single
 * child folded into one row. What a collapsed node's callees have it shows as its own. */
#ifndef CGVIEW_SHOW_TREE_ROWS
#define CGVIEW_SHOW_TREE_ROWS

#include <stdbool.h>
#include <stddef.h>

#include "db/tree_join.h"
#include "util/index.h"
#include "util/mem.h"

struct tree_row {
	uint32_t node;       /* the first of its chain */
	uint32_t level;      /* 0: a root, or what the tree is zoomed to */
	uint32_t parent;     /* row, TREE_NONE: none */
	bool last;           /* among its siblings */
};

enum tree_cut {
	TREE_CUT_MIN = 1,        /* what is below nodes that weigh too little */
	TREE_CUT_ROWS = 2,       /* lower levels */
};

struct tree_rows {
	struct tree *tree;       /* owned */
	struct profile *profile;
	/* The name of a procedure, valid until the next call; NULL: that in the profile. */
	const char *(*name)(void *context, model_id procedure);
	void *context;
	/* Is it time to stop asking for children while rows are drawn? NULL: nobody waits, and the
	 * children of every node are asked for; else only few at once. */
	bool (*enough)(void *context);
	bool drawing;            /* rows are drawn now */
	bool asked;              /* since that began */
	bool unready;            /* some were, and it is not known whether they have children */
	uint32_t top;            /* node that is zoomed to, 0: all */
	bool unfolded;           /* no chains: a row for each node */
	unsigned char *expanded; /* by node */
	size_t expanded_alloc;
	struct tree_row *rows;
	size_t nr, alloc;
	struct tree_name *names; /* of procedures that were shown or looked for */
	size_t nr_names, names_alloc;
	struct index names_index;
	struct arena arena;      /* their texts */
	unsigned cut;            /* what the last tree_rows_expand_all() left: enum tree_cut */
	size_t spread;           /* rows that it has made, while it pauses */
};

/* TREE is theirs from now on; all of it must have been read. */
struct tree_rows *tree_rows_open(struct profile *p, struct tree *tree);
void tree_rows_close(struct tree_rows *o);

/* What may look for many children is said to take long: a job (util/job.h) pauses meanwhile, and is
 * dropped before the rows are closed or tree_rows_reorder()ed. What was expanded stays so. */

/* All nodes of the chain of NODE get their children. Takes long. */
void tree_rows_open_node(struct tree_rows *o, uint32_t node);

/* The last node of the chain that begins at NODE: its children are those of the row. As long as a
 * node's children are many and nobody opened it, a chain ends there. */
uint32_t tree_rows_tail(struct tree_rows *o, uint32_t node);
/* Is there nothing but recursion in the row, counted where the procedure stands first? Then it has
 * no share. */
bool tree_rows_goes_back(struct tree_rows *o, uint32_t node);
bool tree_rows_has_children(struct tree_rows *o, uint32_t node);
bool tree_rows_is_expanded(const struct tree_rows *o, uint32_t node);

/* All below change what rows there are; tree_rows_row_of() finds a node again. */
void tree_rows_expand(struct tree_rows *o, uint32_t node, bool expand);
/* Expanded when rows change the next time. */
void tree_rows_mark_expanded(struct tree_rows *o, uint32_t node);
/* NODE and all below it with at least MIN of weight, level by level, LEVELS of rows at most, until
 * there are MOST rows. o->cut tells whether something was left out. Takes long. */
void tree_rows_expand_all(struct tree_rows *o, uint32_t node, uint64_t min, size_t most,
			  size_t levels);
void tree_rows_collapse_all(struct tree_rows *o, uint32_t node);
/* Expand along the heaviest child from *NODE on until a node's self is more than that; *NODE is
 * where it got to. Takes long. */
void tree_rows_hottest(struct tree_rows *o, uint32_t *node);
/* Expand whatever stands above NODE. */
void tree_rows_reveal(struct tree_rows *o, uint32_t node);
/* Show only what is below NODE (0: all again), NODE expanded. */
void tree_rows_zoom(struct tree_rows *o, uint32_t node);
void tree_rows_fold(struct tree_rows *o, bool unfolded);

/* What orders the tree has changed (tree_reorder()). Returns what NODE is now. */
uint32_t tree_rows_reorder(struct tree_rows *o, uint32_t node);

/* The row that NODE or the nearest node above it is in; 0 when there is none. */
size_t tree_rows_row_of(struct tree_rows *o, uint32_t node);

/* What the row of NODE shows as its own: all, while it is collapsed. *LENT: some of it is that of
 * its callees. */
uint64_t tree_rows_own(struct tree_rows *o, uint32_t node, bool *lent);

/* What shares are of: all there is, or the weight of what is zoomed to. */
uint64_t tree_rows_whole(const struct tree_rows *o);

/* Append "├ " and what stands before it, at most WIDTH columns: levels that have no room are
 * counted. */
void tree_rows_lines(const struct tree_rows *o, size_t row, int width, bool ascii,
		     struct strbuf *out);
/* Append the name of one node: "parse", "cycle 3 at parse". */
void tree_rows_name(struct tree_rows *o, uint32_t node, bool ascii, struct strbuf *out);
/* Append the names of a row: "main -> run -> parse", with those between left out where they have no
 * room in WIDTH columns (0: as wide as it gets); of recursion how often. */
void tree_rows_names(struct tree_rows *o, uint32_t node, bool ascii, int width,
		     struct strbuf *out);

/* The node of a row's chain whose place is the row's: of callees the last; of callers the first,
 * that makes the call. */
uint32_t tree_rows_place(struct tree_rows *o, uint32_t node);

/* "from 3,181 sampled stacks", "from arcs: time shared out by calls, an estimate". */
void tree_rows_origin(const struct tree_rows *o, struct strbuf *out);

/* What is expanded and zoomed to in rows that go, and where the cursor is (TREE_NONE: nowhere):
 * for those of the same tree when it is read again, maybe with other figures. Heap. */
struct tree_marks;
struct tree_marks *tree_marks_take(const struct tree_rows *o, uint32_t node);
/* As far as there are such nodes; returns the cursor's, TREE_NONE: it had none. Takes long. */
uint32_t tree_marks_put(struct tree_rows *o, const struct tree_marks *m);
void tree_marks_free(struct tree_marks *m);

/* Looking for a name: from a node on (itself included only with HERE), in the order of the rows as
 * if all were expanded, around the end. */
struct tree_look {
	uint32_t from;
	bool here, backward;
	uint32_t found;      /* TREE_NONE: there is none whose name MATCHES */
	uint32_t nr;         /* nodes that were looked at: not more than a bounded number are */
	bool part;           /* that was not all there are */
};

/* Takes long. Nothing may change meanwhile but what is expanded. */
void tree_rows_look(struct tree_rows *o, struct tree_look *l,
		    bool (*matches)(void *pattern, const char *name, size_t n), void *pattern);

#endif
