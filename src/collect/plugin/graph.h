/* The graph of a procedure in which counters are placed: see count.c. */
#ifndef CGVIEW_PLUGIN_GRAPH_H
#define CGVIEW_PLUGIN_GRAPH_H

#include "plugin.h"

/* One arc of the graph that may carry a counter: a block, or an edge between blocks. */
struct arc {
	int from, to; /* vertices */
	edge e;	      /* NULL: the block arc of BLOCK */
	basic_block block;
	double weight;
	int counter; /* -1 none */
};

/* Before STMT, a call or a store, the runtime is told the value of POINTER, for what has these
 * WORDS. */
struct told_pointer {
	gimple *stmt;
	tree pointer;
	int words;
};

/* A loop over the elements of an array (elements.c): the numbers of its blocks. */
struct element_loop {
	auto_vec<int> blocks;
};

struct graph {
	struct procedure proc;
	auto_vec<basic_block> blocks;			       /* by our number */
	auto_vec<int> number;				       /* by bb->index */
	hash_set<int_hash<location_t, UNKNOWN_LOCATION>> seen; /* locations of statements so far */
	auto_vec<arc> arcs;
	auto_vec<bool> root_in, root_out; /* per block: arc root -> begin, end -> root */
	auto_vec<int> parent;		  /* union-find over vertices */
	auto_vec<told_pointer> pointers;  /* what the runtime is told */
	auto_vec<gcall *> pooled;	  /* calls that pools_concern() */
	auto_delete_vec<element_loop> element_loops;
	auto_vec<int> in_loop; /* per block: which of these it is in, -1: none */
	auto_vec<place> begun; /* per block: where the expression began that it goes on with */
};

static inline int
vertex_begin(int block)
{
	return 1 + 2 * block;
}
static inline int
vertex_end(int block)
{
	return 2 + 2 * block;
}

#define NEVER 1e300 /* a weight: heavier than what may have a counter */

/* Guess how often each arc of G, of FUN, is taken (weights.c). */
void guess_weights(struct graph *g, function *fun);

/* ---- tail.c ---- */

/* Nothing that could be counted: what may stand between a call in tail position and the return. */
bool is_trailer(gimple *stmt);
/* Nothing but the return follows the call at I of BB, in its block or the next one. */
bool stands_before_return(gimple_stmt_iterator i, basic_block bb);
/* The blocks and edges of FUN that lie behind calls in tail position. A counter there would stop
 * the call from becoming a jump, and miss those that never come back. They fit in any tree: paths
 * to the exit form no cycle. */
void tail_note_behind(function *fun, hash_set<void *> *behind);

/* A copy of one of the compiler's own variables to another one? */
bool hands_on(gimple *stmt);

/* ---- conditional.c ---- */

/* The whole ?: at CARET, if it stands on several lines; else NULL. */
const struct place *conditional_at(location_t caret);
/* Is LOC the caret or the last token of one, or the last token of && or || on several lines, which
 * the compiler gives to what is not there? */
bool conditional_has_place(location_t loc);
/* Does STMT do nothing but hand on or return the value of such an expression? */
bool conditional_handed_on(gimple *stmt);
/* The one whose arms meet at BB's begin, or whose value BB uses; NULL: none. */
const struct place *conditional_ends(basic_block bb);

/* ---- count.c ---- */

/* Does the last statement of BB leave for good, now or sometimes? A call that becomes a jump is as
 * good as come back: a counter behind it would make it a call, and only the return is there. */
bool may_leave(basic_block bb);

/* ---- lines.c ---- */

/* Is LOC where the text ended? C++ runs what static variables begin with in procedures that it
 * makes when it has read all: their own calls, tests and returns have that place, the brace of the
 * file's last procedure. */
bool lines_belong_to_none(location_t loc);

/* Block BLOCK of G stands on the line of LOC. */
void lines_note(struct graph *g, int block, location_t loc);
/* On the line where the operand begins that MARK is of. */
void lines_note_operand(struct graph *g, int block, gimple *mark);
/* On that of STMT; MARK is the last mark before it in its block, or NULL. */
void lines_note_statement(struct graph *g, int block, gimple *stmt, gimple *mark);
/* On that of a head of a loop without a condition. It has no code but a jump at the loop's end, is
 * executed as often as a turn begins, and has no count where no block tells that. */
void lines_note_head(struct graph *g, int b);
/* Does B go on with an expression that began on another line? A block goes on with what the only
 * one before it does. */
struct place lines_begun_before(struct graph *g, int b);
/* C++ has read so far, to the parenthesis behind the expression, when it makes a return of it. */
bool lines_read_so_far(const struct graph *g, int block, location_t loc);
bool lines_is_noted(const struct graph *g, location_t loc);
/* Is E the jump that the compiler makes at the end of a loop that has no condition? */
bool lines_goes_round(edge e);
/* All is noted: number the groups of each line, see lines.c. */
void lines_group(struct graph *g, function *fun);
void lines_tell(const struct procedure *p);

/* ---- branches.c ---- */

/* Before counters are put in, and marks taken away: notes the branches of FUN. */
void branches_note(struct graph *g, function *fun);
/* Numbers their edges as note_edges() does. */
void branches_number_edges(struct graph *g);

/* ---- elements.c ---- */

/* Before blocks are numbered: a block of its own wherever control enters a loop of FUN that the
 * compiler made over the elements of an array. */
void elements_enter(function *fun);
/* The back edges are marked: find these loops. */
void elements_find(struct graph *g, function *fun);
/* The one that control enters from B, which is in none; NULL: none. */
const struct element_loop *elements_entered(const struct graph *g, int b);

/* ---- elide.c ---- */

/* FUN, whose call sites are noted, is only called by code of this unit that is counted: the
 * sum of these calls is the number of its entries, so one counter of the NR in G need not be. Take
 * it off: it gets the last number. Returns how many counters remain: NR - 1, or NR when its entries
 * do not follow. */
int elide_counter(struct graph *g, function *fun, int nr);

#endif
