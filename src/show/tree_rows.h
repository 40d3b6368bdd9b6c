/* The rows of a tree of calls: some nodes are expanded, chains of nodes with a single child are
 * folded into one row. A collapsed node shows what its callees have as its own. */
#ifndef CGVIEW_SHOW_TREE_ROWS
#define CGVIEW_SHOW_TREE_ROWS

#include <stdbool.h>
#include <stddef.h>

#include "db/trees/tree_join.h"
#include "util/index.h"
#include "util/mem.h"

struct tree_row {
	uint32_t node;       /* the first of its chain */
	uint32_t level;      /* 0: a root, or the node that the tree is zoomed to */
	uint32_t parent;     /* row, TREE_NONE: none */
	bool last;           /* among its siblings */
};

enum tree_cut {
	TREE_CUT_MIN = 1,        /* rows below nodes that weigh too little */
	TREE_CUT_ROWS = 2,       /* lower levels */
};

struct tree_rows {
	struct tree *tree;       /* owned */
	struct profile *profile;
	/* Returns the name of a procedure, valid until the next call; NULL: as in the profile. */
	const char *(*name)(void *context, model_id procedure);
	void *context;
	/* Is it time to stop asking for children while rows are drawn? NULL: nobody waits, and the
	 * children of every node are looked for; otherwise only if they are few. */
	bool (*enough)(void *context);
	bool drawing;            /* rows are drawn now */
	bool asked;              /* children were asked for meanwhile */
	bool unready;            /* some were not found: it is not known whether there are any */
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
	bool filled;             /* somebody has chosen what is expanded, or tree_rows_fill() */
	unsigned cut;            /* what the last tree_rows_expand_all() left out: enum tree_cut */
	size_t spread;           /* rows that it has made, while it pauses */
};

/* Makes rows of TREE, which they own; all of it must have been read. */
struct tree_rows *tree_rows_open(struct profile *p, struct tree *tree);
void tree_rows_close(struct tree_rows *o);

/* Functions that may look for many children are marked "takes long": a job (util/job.h) pauses
 * meanwhile, and is dropped before the rows are closed or reordered. What was expanded stays so. */

/* Finds the children of all nodes of NODE's chain. Takes long. */
void tree_rows_open_node(struct tree_rows *o, uint32_t node);

/* Returns the last node of the chain that begins at NODE: its children are those of the row. A
 * chain ends at a node with many children that nobody has opened. */
uint32_t tree_rows_tail(struct tree_rows *o, uint32_t node);
/* Is all in the row recursion, counted where the procedure stands first? Then it has no share. */
bool tree_rows_goes_back(struct tree_rows *o, uint32_t node);
bool tree_rows_has_children(struct tree_rows *o, uint32_t node);
bool tree_rows_is_expanded(const struct tree_rows *o, uint32_t node);

/* The functions below change the rows; tree_rows_row_of() finds a node again. */
void tree_rows_expand(struct tree_rows *o, uint32_t node, bool expand);
/* Makes NODE expanded when the rows change the next time. */
void tree_rows_mark_expanded(struct tree_rows *o, uint32_t node);
/* Expands NODE and all below it with at least MIN of weight, level by level, at most LEVELS of
 * rows, until there are MOST rows. o->cut tells whether something was left out. Takes long. */
void tree_rows_expand_all(struct tree_rows *o, uint32_t node, uint64_t min, size_t most,
			  size_t levels);
void tree_rows_collapse_all(struct tree_rows *o, uint32_t node);
/* Expands along the heaviest child from *NODE on until a node's self is more than that; *NODE is
 * then that node. Takes long. */
void tree_rows_hottest(struct tree_rows *o, uint32_t *node);
/* Expands the heaviest row that is collapsed, again and again, while there are at most MOST rows;
 * none that has less than MIN of weight. Takes long. */
void tree_rows_fill(struct tree_rows *o, uint64_t min, size_t most);
/* Expands all nodes above NODE. */
void tree_rows_reveal(struct tree_rows *o, uint32_t node);
/* Shows only what is below NODE (0: all again), NODE expanded. */
void tree_rows_zoom(struct tree_rows *o, uint32_t node);
void tree_rows_fold(struct tree_rows *o, bool unfolded);

/* Sorts anew what tree_reorder() needs. Returns what NODE is now. */
uint32_t tree_rows_reorder(struct tree_rows *o, uint32_t node);

/* Returns the row that NODE or the nearest node above it is in; 0 when there is none. */
size_t tree_rows_row_of(struct tree_rows *o, uint32_t node);

/* Returns what the row of NODE has itself. *BELOW: what its callees have that no row shows, as it
 * is collapsed; so of all rows together both make up the total. Bottom-up there is none. */
int64_t tree_rows_own(struct tree_rows *o, uint32_t node, int64_t *below);

/* Returns what shares refer to: all, or the weight of the node that is zoomed to. */
uint64_t tree_rows_whole(const struct tree_rows *o);

/* Appends "├ " and what stands before it, in at most WIDTH columns; levels without room as a
 * number. */
void tree_rows_lines(const struct tree_rows *o, size_t row, int width, bool ascii,
		     struct strbuf *out);
/* Appends the name of one node: "parse", "cycle 3 at parse". */
void tree_rows_name(struct tree_rows *o, uint32_t node, bool ascii, struct strbuf *out);
/* Appends the names of a row: "main -> run -> parse". Inner names are left out when WIDTH columns
 * (0: any) are too few. Recursion tells how often. */
void tree_rows_names(struct tree_rows *o, uint32_t node, bool ascii, int width,
		     struct strbuf *out);

/* Returns the node of a row's chain whose place is the row's: of callees the last; of callers the
 * first, which makes the call. */
uint32_t tree_rows_place(struct tree_rows *o, uint32_t node);

/* Appends "from 3,181 sampled stacks", "from arcs: time shared out by calls, an estimate". */
void tree_rows_origin(const struct tree_rows *o, struct strbuf *out);

/* Keeps what is expanded and zoomed to in rows that go, and the cursor's node (TREE_NONE: none),
 * for rows of the same tree when it is read again, maybe with other figures. Heap. */
struct tree_marks;
struct tree_marks *tree_marks_take(const struct tree_rows *o, uint32_t node);
/* Sets them as far as the nodes exist; returns the cursor's, TREE_NONE: it had none. Takes long. */
uint32_t tree_marks_put(struct tree_rows *o, const struct tree_marks *m);
void tree_marks_free(struct tree_marks *m);

/* A search for a name: from a node on (itself only with HERE), in the order of the rows as if all
 * were expanded, around the end. */
struct tree_look {
	uint32_t from;
	bool here, backward;
	uint32_t found;      /* TREE_NONE: there is none whose name MATCHES */
	uint32_t nr;         /* number of nodes looked at, which is limited */
	bool part;           /* some were not looked at */
};

/* Searches. Takes long. Meanwhile nothing may change but what is expanded. */
void tree_rows_look(struct tree_rows *o, struct tree_look *l,
		    bool (*matches)(void *pattern, const char *name, size_t n), void *pattern);

#endif
