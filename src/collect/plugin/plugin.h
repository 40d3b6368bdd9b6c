/* Declarations that the files of the plugin share. See plugin.c for the purpose and the order of
 * the passes. */
#ifndef CGVIEW_PLUGIN_PLUGIN_H
#define CGVIEW_PLUGIN_PLUGIN_H

#include "gcc_api.h"

enum count_mode { MODE_TREE, MODE_BLOCK };
enum counter_access { ACCESS_GS, ACCESS_PLAIN, ACCESS_ATOMIC };
enum sums_where { SUMS_NONE, SUMS_BOUNDED, SUMS_ALL };

/* A pattern that is named for record --space (wrapper=, alloc=, ...), in this unit: no procedure
 * has such a name; none that has it has the argument that was named; it was of use. */
enum pattern_use { PATTERN_UNKNOWN, PATTERN_NO_ARGUMENT, PATTERN_USED };

/* alloc=GLOB[:SIZE[:COUNT]], free=GLOB[:POINTER[:POOL]], pool=GLOB[:PARENT[:POOL]]: a pattern of
 * names of procedures, and numbers of their arguments from 1 on, 0: not named. */
struct pool_option {
	char *glob;
	const char *text; /* all of it */
	int arguments[2];
	enum pattern_use use;
};

struct options {
	enum count_mode mode;
	enum counter_access access;
	enum sums_where sums; /* in which loops are counts summed up in registers? (sums.c) */
	bool joint[2]; /* by stage: may counters be replaced by joint ones? */
	bool targets;  /* note what calls through pointers reach, where nothing else is said */
	auto_vec<char *> targets_of; /* globs as those below: of their calls only */
	bool disable, verbose;
	bool centres;
	auto_vec<char *> exclude; /* globs over source files and procedure names */
	/* Globs over allocators, and which of them were of use. */
	auto_vec<char *> wrappers, no_wrappers;
	auto_vec<enum pattern_use> wrapper_uses, no_wrapper_uses;
	auto_vec<pool_option> allocs, frees, pools;
};
extern struct options options;

/* ---- text (text.c) ---- */

/* Line LINE (from 1) of the file, *LENGTH bytes without its newline; NULL: there is none. */
const char *text_line(const char *path, int line, int *length);

/* A character of the text. */
struct cursor {
	const char *file;
	int line, column; /* from 1; column in bytes */
	const char *text; /* of the line, not NUL-terminated */
	int length;
	int last_line, last_column; /* of the character read last */
};

enum { MAX_LINES = 400 }; /* how far the end of something is looked for */

/* False: there is no such place. */
bool cursor_open(struct cursor *c, const char *file, int line, int column);
/* Next character; '\n' at the end of a line; -1 at the end of the file. */
int cursor_next(struct cursor *c);
int cursor_peek(const struct cursor *c);
/* Next character of the program: comments and literals are passed over (a literal reads as '"'). */
int cursor_token(struct cursor *c);
bool is_word(int ch); /* a character of a word */
bool is_blank(int ch);

/* Does the first of two points stand before the other? */
static inline bool
before(int line, int column, int other_line, int other_column)
{
	return line < other_line || (line == other_line && column < other_column);
}

/* ---- places (ranges.c; parts.c: what an expression is made of) ---- */

struct place {
	const char *file; /* as the compiler names it; NULL: none */
	int line, column, end_line, end_column;
};

enum range_kind {
	RANGE_STATEMENT,
	RANGE_OPERAND,
	RANGE_MACRO,
	RANGE_MACRO_DEFINITION,
	RANGE_PROCEDURE
};

/* Range of LOC in the text that the programmer sees: for code from a macro the use of the macro,
 * extended over its arguments. *FROM_MACRO says which. False: no place (artificial code). */
bool place_of(location_t loc, struct place *place, bool *from_macro);

/* LOC is a token that a macro expands to: returns the one that it was made of, which another macro
 * may have expanded to if it is of an argument. */
location_t place_unwind(location_t loc);

/* Finds where code from a macro stands: in the macro's definition (*IN_DEFINITION), or in the
 * argument that it is part of. False: not from a macro, or cannot be told. */
bool place_in_text(location_t loc, struct place *place, bool *in_definition);

/* The column of the last character of a line: the end of something whose end column GCC does not
 * know, as it counts none behind the 4,096th. */
int place_line_end(const char *file, int line);
/* A place with file NULL. */
struct place place_none(void);
/* PLACE is a declared name: extend it over `= value`, if that follows. */
void place_extend_over_initialiser(struct place *place);
/* PLACE is `switch`: extend it over the parentheses behind it. */
void place_extend_over_head(struct place *place);
/* Let PLACE begin behind the parentheses that it begins with. */
void place_skip_parentheses(struct place *place);
/* PLACE is `goto`: extend it over what stands before the semicolon. Other words are left. */
void place_extend_over_goto(struct place *place);

bool place_contains(const struct place *outer, const struct place *inner);
bool place_equal(const struct place *a, const struct place *b);

/* The point that LOC's caret is at: as it is spelled, or IN_DEFINITION of the macro that OF, an
 * expression around it, is from. False: none. */
bool place_of_point(location_t loc, location_t of, bool in_definition, struct place *place);
/* Does an expression begin at LOC that goes on up to END, on one line: no label, no `do`? */
bool place_is_operand(location_t loc, location_t end);
/* Does the text at LOC begin a loop (for, while, do), or the body of one (a brace)? */
bool place_begins_loop(location_t loc);
/* Is LOC's caret the question mark or the colon of a ?: */
bool place_is_conditional(location_t loc);
/* Is LOC a single closing parenthesis? */
bool place_is_closing(location_t loc);
/* Is LOC a single token, not an expression? */
bool place_is_token(location_t loc);
/* Does the text at LOC begin with the word continue? */
bool place_is_continue(location_t loc);
/* Does WORD stand in the text of PLACE, as a word of the language? NULL: any identifier. */
bool place_has_word(const struct place *place, const char *word);

/* The two operands of && or ||: what stands before and behind the operator at LOC (its caret)
 * within the operator's range, in the text that it is written in (IN_DEFINITION of a macro?). The
 * second function: condition and arms of ?:, with the colon as caret. False: cannot be told. */
bool place_of_operands(location_t loc, int operator_length, struct place *first,
		       struct place *second, bool *in_definition);
bool place_of_arms(location_t loc, struct place *condition, struct place *first,
		   struct place *second, bool *in_definition);
/* The same of what stands before the question mark at LOC. */
bool place_of_condition(location_t loc, struct place *condition, bool *in_definition);
/* The operator at LOC, && or ||, or the one that the ! there has turned round: its first character,
 * 0: none is there. */
int place_operator(location_t loc);
/* Does the text at LOC begin the condition of an `if`, or it; a label of a switch; a switch? */
bool place_begins_if(location_t loc);
bool place_begins_case(location_t loc);
bool place_begins_switch(location_t loc);
/* PLACE begins with `if` or `while`, or at the parenthesis behind that: let it be what stands in
 * the parentheses. */
void place_take_head(struct place *place);

/* ---- operands (operands.c) ---- */

/* PLUGIN_PRE_GENERICIZE: notes the full range of each expression and plants marks. */
void operands_scan(void *gcc_data, void *user_data);

/* Full range of the expression whose caret is LOC, from the tree. */
bool operands_range(location_t loc, struct place *place);
/* Is LOC the caret of && or ||, whose operands carry marks? */
bool operands_is_logical(location_t loc);
/* Does STMT end the life of a variable with the attribute cleanup? It has the place of the
 * variable's declaration then, on each way out of its scope. */
bool operands_cleans_up(gimple *stmt);
/* If STMT is a mark: its operand's place (valid for the whole unit), else NULL. */
const struct place *operands_mark(gimple *stmt);

/* The kind of range that a mark stands for. */
enum range_kind operands_mark_kind(gimple *stmt);
/* Its number: one for each expression, the same in all copies of its code. */
unsigned operands_mark_number(gimple *stmt);
/* Is this mark one of a break, continue or goto? */
bool operands_is_jump(gimple *stmt);
/* Is STMT the front end's own guess that a branch is not taken: before a continue, a goto, behind
 * [[likely]]? It is no code, and where it has no place of its own it has that of the statement
 * around. (The one before an early return stands for the return.) */
bool operands_is_guess(gimple *stmt);

/* Is LOC the place of a break, continue or goto that has a mark? What else has it was made by
 * the compiler, which gives it to the code that ends variables' lives on the way, and has one
 * such code for several jumps. */
bool operands_is_jump_place(location_t loc);

/* Before FUN, the body of a coroutine, is in SSA form. A use of a name for another place is a copy
 * of the expression for that place there, with its location: it gets that of what reads it. */
void operands_place_aliases(function *fun);

/* The ranges that STMT is shown at: one, or for code from a macro the use, the uses in its
 * arguments that it is from (the first few), and the piece of the definition or argument. Returns
 * how many. */
enum { STATEMENT_RANGES = 8 };
struct statement_range {
	enum range_kind kind;
	struct place place;
};
int operands_statement(gimple *stmt, struct statement_range ranges[STATEMENT_RANGES]);

/* If LOC is that of a ?: on several lines, note it (conditional.c). */
void conditional_note(location_t loc);
/* If LOC is that of && or || on several lines, note where that ends. */
void conditional_note_logical(location_t loc);
/* Note the one that is an argument of CALL, a tree. */
void conditional_note_argument(tree call);
/* Before FUN is in SSA form: which of the compiler's variables have the values of these. */
void conditional_note_variables(function *fun);

/* ---- branches.c ---- */

enum branch_kind { BRANCH_IF, BRANCH_LOOP, BRANCH_CONDITIONAL, BRANCH_OPERAND, BRANCH_SWITCH };

/* Do the arms of a ?: stand in the tree as in the text? TO_FOLD: they do still. */
enum arms { ARMS_STRAIGHT, ARMS_EXCHANGED, ARMS_UNKNOWN, ARMS_TO_FOLD };

/* The trees of a procedure come next. */
void branches_begin(void);
/* Notes T if it is a statement with a condition, or && or ||; before it has marks. */
void branches_scan(tree t);
/* Notes OPERAND, at PLACE, of T, which is && or ||, and its MARK, -1: it has none. */
void branches_operand(tree t, tree operand, const struct place *place, bool in_definition,
		      int mark);
/* Notes the CONDITION of T, a ?:. NULL: it is not known where it stands. */
void branches_conditional(tree t, const struct place *condition, bool in_definition, enum arms);
/* Is the condition of T, a ?:, tested at the place of operands around it? Then it needs a MARK. */
bool branches_hides(tree t);
void branches_hidden(tree t, int mark);

/* ---- coroutine.c ---- */

/* Is DECL the body of a coroutine, entered at each resumption? */
bool coroutine_is_body(tree decl);
/* False: it is what the compiler made of a coroutine beside the procedure that is called. */
bool coroutine_is_called(tree decl);
/* Returns what stands behind the coroutine's name in the name of such a procedure; "" for
 * others. */
const char *coroutine_suffix(tree decl);
/* To be called for each procedure before any is counted. */
void coroutine_note(function *fun);
/* Is LOC the name of DECL, a part of a coroutine, or the brace at its end? What the compiler
 * makes for the frame has these places. */
bool coroutine_has_place(tree decl, location_t loc);
/* Is JUMP, a tree in DECL, one that the compiler made to enter the body, or to leave it? From
 * GCC 15 on the tree of the body, which PLUGIN_PRE_GENERICIZE has, is full of them. */
bool coroutine_made_jump(tree decl, tree jump);
/* Is STMT, of DECL, what is executed when the body of a coroutine ends? */
bool coroutine_ends(tree decl, gimple *stmt);

/* ---- names (names.c) ---- */

/* Notes what DECL is called in the source: with -flto the front end, which knows it, is gone before
 * tables_add(). */
void names_note(tree decl);
/* The name that was noted, or what the compiler says now. Valid for the whole unit, or until the
 * next call. */
const char *names_of(tree decl);

/* ---- tables (tables.c) ---- */

/* Is DECL the destructor that delete calls? It calls the true one, and frees. */
bool is_deleting(tree decl);

/* A site's flags: it calls what it reads from a constant table; its result is of a known type; it
 * is counted as one that wants a block of a pool; it calls what a variable of the unit's holds. */
enum { SITE_READS = 32, SITE_MAKES = 64, SITE_POOL = 128, SITE_HELD = 256 };

struct site {
	int block;
	bool indirect;
	unsigned flags;	    /* 1 tail, 2 may not return, 4 virtual, 8 from a macro, 16 setjmp,
			     * SITE_READS, SITE_MAKES, SITE_POOL, SITE_HELD */
	const char *callee; /* direct: linkage name */
	tree type;	    /* indirect: function type */
	struct place place;
	auto_vec<const char *> passed;
	auto_vec<const char *> reads; /* SITE_READS: linkage names */
	int held; /* SITE_HELD: number of the variable in the unit */
	int words; /* number in the unit of the first word of its targets, -1: none */
	const char *made; /* what its result points to, if it allocates; NULL: unknown */
};

struct block_range {
	int block;
	enum range_kind kind;
	struct place place;
	location_t origin; /* the token; a macro's use makes one for each of its copies */
	bool operand;	   /* of && or ||, a part of ?: */
	bool condition;	   /* a jump, with the whole condition as its place */
	bool call;	   /* of a call itself */
};
struct block_line {
	int block;
	const char *file;
	int line;
	unsigned HOST_WIDE_INT statement; /* what is on the line; the same for all of its copies */
	int group;			  /* lines_group() */
};
struct edge_record {
	int from, to, counter;
}; /* counter -1: none */

/* A condition of the source, and the edges that are its ways: 0 it is true, 1 it is false; of a
 * switch, in the order of the text. */
struct branch_edge {
	int way;
	edge e;
	int number;	  /* in the tables */
	int line, column; /* where a way of a switch leads; 0: no label fits */
};
struct branch {
	enum branch_kind kind;
	struct place place;
	int number; /* of those at this place, in which a macro can have several */
	auto_vec<branch_edge> edges;
};

struct procedure {
	tree decl;
	struct place place;
	int first_counter, nr_counters, nr_blocks;
	bool follows; /* one counter more follows from the calls: see elide.c */
	auto_vec<int> block_counter;  /* per block, -1: none */
	auto_vec<block_line> lines;   /* by block */
	auto_vec<block_range> ranges; /* by block */
	auto_vec<edge_record> edges;
	auto_delete_vec<site> sites;
	auto_delete_vec<branch> branches;
};

/* Why a procedure of the source is not counted; the numbers stand in the tables. */
enum left_out_reason {
	LEFT_OUT_NOT,
	LEFT_OUT_OPTION,
	LEFT_OUT_NAKED,
	LEFT_OUT_ATTRIBUTE,
	LEFT_OUT_LIBRARY
};

/* Leave one range for each evaluation. BLOCKS are P's, by number (thin.c). */
void ranges_thin_out(struct procedure *p, const vec<basic_block> *blocks);

/* The unit's counter array; made at first use. */
tree tables_counters(void);
int tables_take_counters(int nr);     /* first of NR new ones */
bool tables_is_counter(tree ref);     /* a MEM_REF of the counter array? */
void tables_add(struct procedure *p); /* encodes P now; P stays the caller's */
void tables_leave_out(tree decl, enum left_out_reason);
bool tables_emitted(void);
bool tables_address_taken(cgraph_node *node);
char *type_signature(tree type);     /* of a procedure's TYPE (docs/formats.md), heap */
const char *linkage_name(tree decl); /* without the assembler's leading '*' */

/* An array of counters, of at most MOST; its true length is known only when it is finished, which
 * puts it into the program. */
tree tables_array(const char *name, int most);
void tables_finish_array(tree array, int nr);
void put(vec<unsigned char> *out, unsigned HOST_WIDE_INT n); /* LEB128 */
void put_string(vec<unsigned char> *out, const char *text);  /* its number */

struct table_head {
	const char *label; /* of the variable, for the assembler only */
	unsigned magic;
	int version, flags, number;
};
/* Write a table: its head, the addresses of ARRAYS, and STREAM, which is padded. */
void tables_write(const struct table_head *h, const vec<tree> *arrays, vec<unsigned char> *stream);

/* ---- joint counters (joint.c) ---- */

enum joint_stage { JOINT_EARLY, JOINT_LATE }; /* the numbers stand in the tables */

struct joint_part {
	tree array; /* NUMBER is a counter of it */
	int number, factor;
};

/* In one order, each counter once, none with factor 0. */
void joint_normalise(vec<joint_part> *parts);
/* The number of the joint counter with these PARTS (normalised), in joint_counters(). */
int joint_counter(enum joint_stage stage, const vec<joint_part> *parts);
tree joint_counters(enum joint_stage stage);
void joint_register(const char *plugin);	    /* once, at the start */
void joint_finish(void *gcc_data, void *user_data); /* PLUGIN_FINISH_UNIT */

/* ---- targets (targets.c) ---- */

/* Per call site, in the counter array: see runtime/targets.c. */
enum { TARGET_WORDS = 5 };

/* Before STMT, a call or a store, tell the runtime the value of POINTER: what it is going to call,
 * what it hands out, or stores. A reference to memory is read there. WORDS: the number of the first
 * word in the unit. */
void targets_insert(gimple *stmt, tree pointer, int words);
/* Is STMT what that has put in? */
bool targets_is_tell(gimple *stmt);
/* What CALL, which is indirect, is going to call, as an operand. */
tree targets_callee(gcall *call);
void targets_register(const char *plugin); /* once, at the start */
/* Are those of the calls of DECL to be noted? And of any procedure of the unit? */
bool targets_wanted(tree decl);
bool targets_wanted_any(void);

/* ---- module.c ---- */

void module_counts(void); /* the object that is written has an increment of a thread's copy */
void module_has_sites(void); /* ... and lists words of call sites */
void module_begin(void *gcc_data, void *user_data); /* PLUGIN_ALL_IPA_PASSES_START */
/* TEXT is assembly of the unit's own: what enters the kernel is told to the runtime. */
void module_note_assembly(const char *text);
void module_finish(void *gcc_data, void *user_data); /* PLUGIN_FINISH_UNIT */

/* ---- pointers.c ---- */

/* Note the procedures whose addresses are arguments of CALL. */
void pointers_passed(struct site *s, gcall *call);
/* Adds the pointers to procedures, not known here, that CALL hands to a procedure without a body in
 * this unit: operands, or references to memory that can be read before the call. */
void pointers_handed(gcall *call, vec<tree> *pointers);
/* CALL goes through a pointer: if that is read from a constant table, note what that names. */
void pointers_read(struct site *s, gcall *call);
/* CALL goes through a pointer: if that is read from a variable that only the unit's own statements
 * can store to, note that. */
void pointers_held(struct site *s, gcall *call);
/* Looks at all that FUN stores to such variables: what is not known here is to be TOLD to the
 * runtime. TOLD is NULL: it cannot be. */
struct told_pointer;
void pointers_stored(function *fun, vec<told_pointer> *told);
/* For the tables: such variables of the unit, and what they hold. */
unsigned pointers_nr_held(void);
void pointers_put_held(vec<unsigned char> *out);
/* Is the address of NODE taken in the unit for nothing but to be an argument of calls of
 * procedures of libraries that only call it, by way of the unit's own static ones, too, that only
 * hand it on; and is it reached in no other way? When all bodies are in SSA form. */
bool pointers_only_passed(cgraph_node *node);

/* ---- types.c ---- */

/* STMT is not yet in SSA form: keeps the names of types that it has pointers to. */
void types_note_names(gimple *stmt);
/* Returns the name of the type that the result of CALL points to; NULL: that is not known, or not
 * what its size says, or the text at PLACE (NULL: it is elsewhere). */
const char *types_of(gcall *call, const struct place *place);
/* Events: a declaration, a class. */
void types_declared(void *gcc_data, void *user_data);
void types_class_declared(void *gcc_data, void *user_data);

/* ---- strips.c ---- */

/* Can LOOP, whose one way out is EXIT and which goes round as TIMES tells, be made strips? */
bool strips_suit(class loop *loop, edge exit, const class tree_niter_desc *times);
/* Where all strips of a loop are entered and left. */
struct strips {
	edge in, out;
};
/* Lets LOOP go round MOST times at most until it is left by EXIT and, unless all is done, entered
 * again: its preheader and EXIT are then those of a strip. */
struct strips strips_make(class loop *loop, edge exit, const class tree_niter_desc *times,
			  unsigned most);

/* ---- increments.c ---- */

/* counter ={v} 1: see lower.c, which also needs the location. COUNTERS: the array. */
gimple *increment_build(tree counters, int counter, location_t loc);
/* counter ={v} SUM: it adds SUM, a variable of 64 bits (sums.c). */
gimple *increment_build_sum(tree counters, int counter, tree sum, location_t loc);
/* Is TEXT that of the instruction that becomes of one? (lower.c) */
bool lower_made(const char *text);
/* Behind expand: what an increment consists of (ASM_OPERANDS); NULL: INSN is none. (address.c) */
rtx address_increment(const rtx_insn *insn);
/* Is X the symbol of a table of counters? */
bool address_is_table(const_rtx x);
bool is_increment(gimple *stmt);
/* Does STMT, an increment, add something else than 1? */
bool increment_is_sum(gimple *stmt);
/* The array of the counter that STMT, an increment, adds to, and the counter's NUMBER in it; NULL:
 * cannot be told. */
tree increment_counter(gimple *stmt, int *number);
/* Moving stores out of a loop, GCC 12 issues other stores of the loop once more behind it, to keep
 * the order of all (tree-ssa-loop-im.c, execute_sm_exit). For a store that is the same as the last
 * one; for an increment it is one too many. Only these have no location. */
void increments_remove_repeated(function *fun);
void increment_remove(gimple_stmt_iterator *i); /* and step to the next statement */
/* Where the increment of a block or edge belongs in the source: it must not make a line of its own.
 */
location_t location_near(basic_block bb);
location_t location_on_edge(edge e);

/* ---- calls.c ---- */

/* PLUGIN_START_PARSE_FUNCTION, PLUGIN_FINISH_PARSE_FUNCTION: operands stay as written. */
void calls_parse_begins(void *gcc_data, void *user_data);
void calls_parse_ends(void *gcc_data, void *user_data);
/* Between the two: what the front end does next is as at the level asked for. */
void calls_body_parsed(void);

/* ---- centre.c ---- */

struct centre_plan {
	auto_vec<gcall *> calls; /* behind these the centre must be set again */
	bool hands_back;	 /* at exit what was found at entry */
};

/* To be called early, for each call of the unit: notes which procedures are handed to which. */
void centre_note_arguments(gcall *call);
/* Before counters are put in. */
void centre_look(function *fun, struct centre_plan *plan);
/* Behind them: make FUN, whose first counter is FIRST, keep the centre. */
void centre_keep(function *fun, int first, const struct centre_plan *plan);
/* FUN is left out: it gives its caller's centre back after each call. */
void centre_pass_on(function *fun);

/* Nothing but the return follows the call at I of BB, and the handing on of its value: it may
 * become a jump. (tail.c) */
bool tail_position(gimple_stmt_iterator i, basic_block bb);
/* PLUGIN_FINISH_UNIT: writes the table of calls that may have become jumps. (tail.c) */
void tail_finish(void *gcc_data, void *user_data);

/* ---- passes ---- */

opt_pass *make_cfg_pass(gcc::context *);	    /* calls.c */
opt_pass *make_calls_pass(gcc::context *);	    /* calls.c */
opt_pass *make_count_pass(gcc::context *);	    /* count.c */
opt_pass *make_unit_pass(gcc::context *);	    /* tables.c */
opt_pass *make_targets_pass(gcc::context *);	    /* targets.c */
opt_pass *make_joint_pass(gcc::context *);	    /* joint.c */
opt_pass *make_early_coalesce_pass(gcc::context *); /* coalesce.c */
opt_pass *make_late_coalesce_pass(gcc::context *);
opt_pass *make_sums_pass(gcc::context *);  /* sums.c */
opt_pass *make_lower_pass(gcc::context *); /* lower.c */
opt_pass *make_address_pass(gcc::context *); /* address.c */
opt_pass *make_bases_pass(gcc::context *);   /* bases.c */
opt_pass *make_tail_pass(gcc::context *);  /* tail.c */
opt_pass *make_early_lower_pass(gcc::context *);
opt_pass *make_wrapper_pass(gcc::context *); /* wrapper.c */
opt_pass *make_order_pass(gcc::context *);   /* order.c */
opt_pass *make_ordered_pass(gcc::context *);

/* Is DECL of the source, and not left out? (count.c) */
bool is_counted(tree decl);
/* Does one of GLOBS match the name of DECL, or that of its source file? (count.c) */
bool is_named(tree decl, const vec<char *> *globs);

/* Is DECL one of libc's allocators, or of C++'s; or what blocks are given back to? (wrapper.c) */
bool is_allocator(tree decl);
bool is_disposer(tree decl);
/* Does DECL only hand on what allocators return, or what it is given to free()? Known when
 * wrapper_look() has seen its body. */
bool is_wrapper(tree decl);
void wrapper_look(function *fun);

/* ---- pools.c ---- */

void pools_register(const char *plugin);
/* Adds what TEXT says; false: it says nothing. */
bool pools_read_option(vec<pool_option> *options, const char *text);
/* To be called early, for each call of the unit. */
void pools_note_size(gcall *call);
/* Does an option name it, and is it none of libc's? */
bool pools_is_alloc(tree decl);
/* Is CALL, of the procedure that is compiled, counted as one that wants a block of a pool? */
bool pools_counts(gcall *call);
/* Is it, or does it give such a block back? Then pools_insert() is to be called when all counters
 * are in their places. */
bool pools_concern(gcall *call);
void pools_insert(gcall *call);
/* Does CALL, of what pools_is_alloc(), ask for a size that is not known when it is compiled? */
bool pools_is_given_size(gcall *call);
/* Is DECL what the runtime is told by? Its calls must return to where they stand. */
bool pools_is_hook(tree decl);
/* The patterns of wrappers and pools: how many, and what became of each (docs/formats.md). */
unsigned pools_nr_patterns(void);
void pools_put_patterns(vec<unsigned char> *out);

/* To be called for each asm statement of the unit before the first procedure is counted.
 * (elide.c) */
void elide_note_asm(gasm *stmt);

/* Will this call come back for certain, whatever happens? (calls.c) */
bool call_returns(gcall *call);
/* Will it, as nothing in the procedure that it calls can keep it? (returns.c) */
bool call_comes_back(gcall *call);
/* May STMT, which is no call, leave the procedure: assembly that jumps or enters the kernel,
 * and, with -fnon-call-exceptions, whatever can fault? (calls.c) */
bool statement_may_leave(gimple *stmt);

#endif
