/* A whole profile in memory, as the importer builds it and the writer stores it: one struct a
 * table, ids are positions + 1 in the arrays (0: none). Texts belong to the model's arena.
 * The meaning of every member is that of the column of the same name in cgview-db(5). */
#ifndef CGVIEW_DB_MODEL_H
#define CGVIEW_DB_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "db/model/measure.h"
#include "db/model/scalar_value.h"
#include "util/mem.h"

typedef uint32_t model_id; /* 1-based; 0 = none */

/* Counts stop at the greatest integer of SQLite. */
static inline uint64_t
count_add(uint64_t a, uint64_t b)
{
	return a + b < a || a + b > INT64_MAX ? INT64_MAX : a + b;
}

static inline uint64_t
count_product(uint64_t a, uint64_t b)
{
	return __builtin_mul_overflow(a, b, &a) || a > INT64_MAX ? INT64_MAX : a;
}

/* A count as the figure of a measure, which has a sign. */
static inline int64_t
count_figure(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

#define COUNT_UNKNOWN UINT64_MAX

/* As the `lacking` of a row: nothing of it was counted, so that a count of 0 says nothing. Sums
 * with it stay it: of what was counted in one run only, the count is a lower bound. */
#define COUNT_LACKS_ALL ((uint64_t)INT64_MAX)

/* Does this count with what it lacks say nothing? */
static inline bool
is_uncounted(uint64_t count, uint64_t lacking)
{
	return !count && lacking == COUNT_LACKS_ALL;
}

/* What stacks say of a thing: samples, the CPU time that they stand for, and time waited. A row has
 * it as one member and as three: SAMPLED_FIGURES(self) is self, and self_samples and so on. */
struct sampled { uint64_t samples, ns, wait_ns; };
#define SAMPLED_FIGURES(of)                                                                  \
	union {                                                                              \
		struct sampled of;                                                           \
		struct { uint64_t of##_samples, of##_ns, of##_wait_ns; };                    \
	}

static inline void
sampled_add(struct sampled *to, const struct sampled *from)
{
	to->samples = count_add(to->samples, from->samples);
	to->ns = count_add(to->ns, from->ns);
	to->wait_ns = count_add(to->wait_ns, from->wait_ns);
}

struct place {             /* a source range; all inclusive, from 1; columns in bytes */
	model_id file;
	uint32_t line, column, end_line, end_column;
};

bool place_same(const struct place *a, const struct place *b);
/* Does INNER lie in OUTER, or equal it? */
bool place_holds(const struct place *outer, const struct place *inner);

enum file_state {
	FILE_STORED, FILE_MISSING, FILE_UNREADABLE, FILE_STALE, /* stale: newer than the program */
	FILE_TOO_LARGE,        /* it alone, or all files together */
	FILE_WITHHELD,         /* left out on request, or not readable by the raw profile's owner */
};

struct model_file {
	const char *path;      /* absolute where it could be made so */
	const char *text;      /* NULL unless FILE_STORED or FILE_STALE; not NUL-terminated */
	uint64_t size;         /* bytes of text */
	uint32_t lines;
	uint64_t hash;         /* FNV-1a 64 of the text */
	enum file_state state;
};

enum procedure_flags {
	PROCEDURE_STATIC = 1, PROCEDURE_COMDAT = 2, PROCEDURE_MAIN = 4, PROCEDURE_VARIADIC = 8,
	PROCEDURE_ARTIFICIAL = 16, PROCEDURE_TAKEN = 32, /* its address is taken somewhere */
	PROCEDURE_PASSED = 64, /* only as an argument of calls of code outside */
	PROCEDURE_FOREIGN = 128, /* not profiled; see below */
	PROCEDURE_WRAPPER = 256, /* of an allocator: what it gets is its caller's */
};

struct model_procedure {
	const char *name;      /* as shown (C++: demangled) */
	const char *linkage_name;
	const char *module;    /* path of program or library it belongs to */
	struct place place;    /* name .. closing brace */
	uint32_t flags;        /* enum procedure_flags */
	uint32_t code_bytes;   /* 0 when unknown */
	uint64_t calls;        /* entries, exact */
	SAMPLED_FIGURES(self);
	SAMPLED_FIGURES(own);  /* self without what foreign code did for it */
	SAMPLED_FIGURES(total); /* once per stack */
	/* The self times carried up the arcs in proportion to their counts, as gprof does; how far
	 * that can move within the arcs' intervals. */
	uint64_t propagated_ns, propagated_lo_ns, propagated_hi_ns;
	bool differs;          /* total_ns is farther from propagated_ns than chance explains */
	uint64_t self_calls;           /* calls by itself, directly */
	uint32_t cycle;        /* number of the call cycle it is in, 0 none */
	uint64_t calls_without_site;   /* residual: entries that no call explains, beyond outside */
	uint64_t centre_samples, centre_ns; /* self time by cost centre; 0 when none are kept */
	uint64_t centre_total_ns;      /* centre_ns propagated along the arcs */
	uint64_t self_work, total_work; /* executed blocks; the total is propagated as time is */
	bool estimated;                /* what is propagated to it rests on estimated calls */
	/* Totals of measures that arcs carry up (INCLUSIVE_ARCS) are estimates: what is below it
	 * is below others, too, and counts of calls share it out. */
	bool shared;
	struct figures *figures;       /* of other measures; NULL: none */
	uint64_t runs_without; /* number of runs whose builds lack it */
	uint64_t lacking;      /* as of blocks: calls */
};

/* Were its calls counted? Lines and calls of what is not counted come from samples alone. */
static inline bool
procedure_is_counted(const struct model_procedure *p)
{
	return !(p->flags & PROCEDURE_FOREIGN) && p->lacking != COUNT_LACKS_ALL;
}

/* The procedure that stands for all code outside that no profiled procedure called, so that the
 * self times of all procedures make the whole time. It has no place and is PROCEDURE_ARTIFICIAL and
 * _STATIC. */
#define UNPROFILED_NAME "(unprofiled)"

/* The procedure that stands for what the runtime took for itself: it is in no other row. */
#define RUNTIME_NAME "(cgview)"

/* Foreign code, a function of a library or the kernel under a function's name, that was seen in
 * stacks has a row (PROCEDURE_FOREIGN, _ARTIFICIAL, _STATIC; no place; module is a short name). Its
 * own time is in the self time of the procedure that called it, so that its self is 0: the self
 * times of all rows are the time of the program, and so are their own times. Its calls are those of
 * the direct calls that name it, or 0, unknown, where stacks came by other ones. */

/* Adds BYTES to the machine code of P, which stops at INT32_MAX. */
static inline void
procedure_add_code(struct model_procedure *p, uint64_t bytes)
{
	p->code_bytes = (uint32_t)(bytes < INT32_MAX - (uint64_t)p->code_bytes
				   ? p->code_bytes + bytes : INT32_MAX);
}

struct model_block {
	model_id procedure;
	uint32_t number;       /* within the procedure */
	struct place place;    /* its first range; file 0: the block is artificial */
	uint64_t count;
	SAMPLED_FIGURES(self);
	struct figures *figures;
	uint64_t runs_without; /* as of procedures */
	uint64_t lacking;      /* so many runs of loops, at least, are not in the count: it may be
				* too low (plugin/sums.c); 0: it is exact; or COUNT_LACKS_ALL */
};

enum range_kind {
	RANGE_STATEMENT, RANGE_OPERAND, RANGE_MACRO, RANGE_MACRO_DEFINITION, RANGE_PROCEDURE,
	RANGE_LINE,            /* all of a line, of a profile that knows no ends of expressions */
	RANGE_POINT            /* in it, where debug information has a column: the token there */
};

struct model_range {
	model_id block;        /* its count and procedure are the block's */
	enum range_kind kind;
	struct place place;
	SAMPLED_FIGURES(self); /* samples whose position is in it, innermost range only */
	struct figures *figures;
};

/* Inlined: no call, but the place where a procedure's code was put into another one. Unknown: all
 * calls of a line, or of a procedure, of a profile that does not tell them apart. */
enum site_kind { SITE_DIRECT, SITE_INDIRECT, SITE_INLINED, SITE_UNKNOWN };

struct model_site {
	model_id procedure;    /* the caller */
	model_id block;
	enum site_kind kind;
	struct place place;
	const char *target;    /* direct: linkage name; indirect: type signature */
	uint64_t count;
	SAMPLED_FIGURES(total); /* below this site */
	uint64_t propagated_ns;           /* brought by its arcs, as of procedures */
	uint64_t calls_without_entry;     /* residual */
	uint64_t total_work;              /* brought by its arcs */
	bool shared;
	struct figures *figures;          /* self: of what it has in its totals itself */
	uint64_t runs_without; /* as of procedures */
	const char *type;      /* of the blocks that it gets; NULL: it gets none, or not known */
	uint64_t lacking;      /* as of blocks */
};

/* Pinned: an estimate that the user has set, or that follows from such a one. Sampled: stacks lead
 * from the site to foreign code, but how often it was called is not known. */
enum arc_how { ARC_MEASURED, ARC_SOLVED, ARC_ESTIMATED, ARC_PINNED, ARC_SAMPLED };

/* Types of a call through a pointer and of a procedure that it can reach: the same; a pointer to
 * something for one to void; pointers to different things, or a result for none. */
enum unlike { UNLIKE_NOT, UNLIKE_VOID, UNLIKE_OTHER };

struct model_arc {
	model_id site;         /* 0: outside */
	model_id callee;       /* 0: outside */
	/* Calls from outside: the site that handed out the callee's address, as the call of qsort
	 * does with compare; 0: none is known. Such arcs stand behind the callee's plain arc from
	 * outside and share its calls. */
	model_id through;
	enum unlike unlike;
	enum arc_how how;
	uint64_t count, lo, hi; /* lo..hi: what the counts allow, whatever is pinned */
	uint64_t measured;     /* of count: calls that the program noted, or that a stack proves */
	uint64_t propagated_ns; /* share of the callee's propagated_ns; 0 within a cycle */
	uint64_t total_work;   /* share of the callee's total_work; 0 within a cycle */
	uint64_t samples;      /* stacks that enter the callee (or its cycle) by this arc */
	uint64_t total_samples, total_ns; /* stacks that pass through it, once per stack */
	uint64_t pair_samples, pair_ns; /* those that get from caller to callee first by it */
	/* Other measures come out of the stacks, or are carried: self is of the pair, total of
	 * all that pass. */
	struct figures *figures;
	bool differs;          /* its shares of the callee's samples and calls differ */
	bool shared;
};

struct candidate {         /* an arc that can be; with both 0 it is none */
	model_id site, callee; /* 0: outside */
	bool through;          /* SITE passes the callee's address to code outside */
	enum unlike unlike;
	bool looked_at, seen;  /* a sampled stack has it; and proves that there was a call */
};

struct model_pin {         /* an arc's count as the user sets it */
	const char *name;      /* the name of its set of pins */
	model_id site, callee; /* of the arc */
	uint64_t count;
};

struct model_cycle {       /* procedures that call each other; its number is its position + 1 */
	const char *members;   /* names of the first few, the greatest propagated_ns first */
	uint32_t procedures;
	uint64_t self_ns, propagated_ns;
	uint64_t total_samples, total_ns; /* of stacks with any of them, once per stack */
	uint64_t inner_calls;  /* calls of one member by another */
	uint64_t self_calls;   /* calls of a member by itself */
	uint64_t outer_calls;  /* calls from outside the cycle */
};

struct model_line {        /* only lines with code */
	model_id file;
	uint32_t line;
	uint64_t count;        /* as gcov counts a line */
	SAMPLED_FIGURES(self);
	uint64_t total_samples, total_ns; /* with all that it calls: once per stack */
	struct figures *figures;
	uint64_t runs_without; /* as of procedures */
	uint64_t lacking;      /* as of blocks */
	uint32_t code_bytes;   /* machine code that stands for it, in all copies; 0: none, or
				* unknown */
};

/* As procedure_add_code(). */
static inline void
line_add_code(struct model_line *l, uint64_t bytes)
{
	l->code_bytes = (uint32_t)(bytes < INT32_MAX - (uint64_t)l->code_bytes
				   ? l->code_bytes + bytes : INT32_MAX);
}

/* What is tested: the condition of an if, of a loop, of ?:, an operand of && or ||, the value of a
 * switch; or what a tool tells that knows lines only. */
enum branch_kind {
	BRANCH_IF, BRANCH_LOOP, BRANCH_CONDITIONAL, BRANCH_OPERAND, BRANCH_SWITCH, BRANCH_LINE
};

struct model_branch {      /* one of the ways that control takes at a condition */
	model_id procedure;    /* 0: not known */
	enum branch_kind kind;
	struct place place;    /* of the condition; of what is in a macro, the macro's use */
	uint32_t number;       /* of the conditions that its procedure has at this place */
	uint32_t way;          /* 0: it is true, 1: false; of a switch, in the order of the text */
	uint32_t to_line, to_column; /* the label that a way of a switch leads to; 0: no other */
	uint64_t count;
	uint64_t runs_without; /* as of procedures */
	uint64_t lacking;      /* as of blocks */
};

struct model_instruction { /* an instruction in which samples were taken, all runs together */
	const char *module;    /* path of the program or library */
	uint64_t address;      /* link-time; within the instruction: of calls its last byte */
	model_id procedure;    /* the innermost one there, which has the time */
	model_id range;        /* the innermost one there; 0: not known */
	SAMPLED_FIGURES(self);
};

struct model_context {     /* calling-context tree of the samples; parents stand before children */
	model_id parent;       /* 0: a root */
	model_id procedure;    /* 0: code that was not profiled */
	model_id site;         /* call site in the parent's procedure, 0 unknown */
	model_id block;        /* where its own samples were, 0 unknown, or at several */
	SAMPLED_FIGURES(self);
	SAMPLED_FIGURES(total);
	struct figures *figures;
};

/* How blocks of a call site end: they are live at the end, given back to free(), to realloc(), or
 * to free() when the program had come to its end already. */
enum disposal_how { DISPOSAL_NEVER, DISPOSAL_FREE, DISPOSAL_REALLOC, DISPOSAL_EXIT };
/* Lifetimes, by what all threads allocated meanwhile: the first are temporary, the others under
 * 4 kB, 64 kB, 1 MB, 16 MB, 256 MB, 4 GB, and longer. */
enum { NR_LIVES = 8 };

struct model_disposal {    /* blocks by the call that made them and the one that freed them */
	model_id site, procedure;   /* the call that wanted the blocks; 0: not profiled */
	model_id by_site, by;       /* the call that freed them; 0: not profiled, or never */
	enum disposal_how how;
	uint64_t blocks, bytes;
	uint64_t life_bytes;        /* the sum of their lifetimes */
	uint64_t lives[NR_LIVES];   /* how many blocks lived so long; none of DISPOSAL_NEVER */
	/* By realloc(): blocks that got another address, bytes copied for that, bytes more. */
	uint64_t moved, copied_bytes, grown_bytes;
	/* Sums of the least and the most that lifetimes can be, of so many blocks; the others'
	 * times are not known. */
	uint64_t timed, least_ns, most_ns;
};

struct model_allocation {  /* what a call has got of one size class, or of one pool */
	model_id site, procedure;   /* that wanted the blocks, as of disposals */
	/* The procedure that gave them out, parts of other blocks; NULL: an allocator did. */
	const char *pool;
	/* The smallest power of two, from 16 on, that what was asked for fits in; or
	 * COUNT_UNKNOWN, as of a pool's. */
	uint64_t size_class;
	uint64_t blocks, bytes;
	uint64_t slack_bytes;       /* of a pool's: bytes of blocks whose end would be seen */
	uint64_t live_blocks, live_bytes, peak_bytes; /* in the end; at the program's peak */
	uint64_t freed_blocks, freed_bytes, temporary, life_bytes; /* as of disposals */
};

/* Who asks for memory: a place in profiled code. */
struct model_producer {
	model_id procedure, site;  /* 0: code that was not profiled; the call is not known */
	bool through;              /* code outside wants the blocks for it */
	struct place place;        /* of the call */
};

struct model_heap {        /* the memory of a process over time */
	model_id run;
	uint32_t pid;
	/* The most that was live; with threads or after a violent end it is only known to lie
	 * within lo..hi. */
	uint64_t peak_bytes, peak_lo_bytes, peak_hi_bytes;
	uint64_t moments;          /* that the program wrote; few of them are kept, or none */
	bool full;                 /* there was no room for more */
};

struct model_moment {      /* those of a heap stand together, in the order of time */
	model_id heap;
	uint64_t at_ns, cpu_ns;    /* since the program began; of the process */
	uint64_t clock_bytes;      /* that the process had been handed out until then */
	uint64_t live_bytes;
	uint64_t inherited_bytes;  /* of these: got by fork */
	uint64_t resident_bytes;   /* 0: not known */
	bool peak;                 /* the one with most of its heap */
};

struct model_band {        /* part of a moment; those of one stand together, the greatest first */
	model_id moment;
	model_id producer;         /* 0: all others, and those in code that was not profiled */
	uint64_t live_bytes;
	uint64_t made_bytes;       /* that it had been handed out until then */
};

struct model_size_band {   /* part of a moment: all that is live of one size class */
	model_id moment;
	uint64_t size_class;       /* as of allocations */
	uint64_t live_bytes, made_bytes; /* as of bands */
};

struct blob {
	const void *data;      /* NULL: none */
	uint64_t bytes;
};

/* Data that are kept compressed: db/model/packed.h. */
struct packed {
	struct blob blob;      /* none: there are no data, or they are spilled */
	bool spilled;          /* they are in the model's spill, from `at` on */
	uint64_t at;
	uint64_t size;         /* bytes before packing */
};

/* One copy of the counters: the smallest part of the counts that is kept apart, see
 * db/model/parts.h. */
struct model_part {
	model_id run;
	int rank;              /* its process's in a parallel program, -1: none */
	uint64_t samples;      /* taken in its threads, at a known place */
	uint64_t blocks_executed;
	struct packed data;    /* none: it is the only part and all counts are its */
};

/* When samples of time were taken, and waits seen: those of a part, or of a thread where threads
 * are not parts. See db/model/tracks.h. */
struct model_track {
	model_id run, part;    /* part 0: it is not known */
	uint32_t pid, tid;     /* of the first thread; 0: not known */
	const char *name;      /* as of threads */
	uint64_t samples, waits; /* how many are in it */
	struct packed data;
};

struct model_thread {
	model_id run, part;    /* part 0: it is not known where it counted */
	uint32_t pid, tid;
	const char *name;      /* as the kernel knew it; "": unknown */
	uint32_t more_threads; /* later threads in this record, whose figures it has, too */
	uint64_t cpu_ns, samples, lost_samples;
	uint64_t wait_ns;      /* blocked in the kernel */
	uint64_t delay_ns;     /* able to run, without a processor */
};

struct model_module {      /* a program or library with profiled procedures */
	const char *path;
	const char *build_id;  /* hexadecimal; "": it has none */
};

struct model_run {
	const char *command;   /* arguments, shell-quoted, one space between */
	const char *directory, *program, *build_id, *host;
	const char *tool;      /* that wrote the profile, with its version; NULL: this one */
	const char *label;     /* the user's; NULL: none */
	const char *job;       /* its number in a batch system; NULL: none */
	int64_t started_ns;    /* since 1970 */
	uint64_t wall_ns, user_ns, system_ns, cpu_ns;
	int exit_status;       /* -1 unknown or killed */
	int exit_signal;       /* 0 none */
	uint64_t asked_interval_ns, interval_ns; /* of the samples: asked for and got, 0 none */
	/* What a sample stands for in errors: the mean of all weights, by weight. Samples that
	 * stand for more than others count for more there. */
	uint64_t sample_ns;
	const char *clock;     /* what sampled time, and why; NULL: not known */
	uint64_t samples, lost_samples;
	uint64_t unprofiled_samples; /* samples with no profiled procedure on the stack */
	uint32_t processes;
	uint64_t centre_samples;   /* taken while cost centres were kept */
	uint64_t centre_unprofiled_samples; /* of them: before any procedure had set a centre */
	uint64_t wall_interval_ns; /* between two looks at who waits; 0: nobody looked */
	uint64_t wait_ns, delay_ns; /* of all threads */
	uint64_t unprofiled_wait_ns; /* with no profiled procedure on the stack */
	const char *baseline_program; /* of the run without profiling; NULL: not known */
	uint64_t baseline_wall_ns, baseline_user_ns, baseline_system_ns;
	/* RAW_ID digits for each of its raw files, one space between; no other run has them; or
	 * NULL. */
	const char *raws;
};
enum { RAW_ID = 16 };

/* Something that a user should know about the quality of the profile, for the diagnostics. */
struct model_note {
	const char *kind;      /* "dwarf", "source", "flow", "samples", "counts", "tables",
	                        * "baseline", "merge" (what was left out), "builds" (rows that only
	                        * some of the runs have), "uncounted" (procedures without counts,
	                        * and why), "library" (the same for its headers), "threads"
	                        * (without counts of their own), "subset", "space" (allocations),
	                        * "heap" (programs whose allocations are not counted) */
	const char *text;      /* one line: what, and what to do */
};

struct model_compared {    /* a profile that took part in a comparison; this one is the last */
	const char *name;      /* "a" */
	const char *path, *command, *build_id;
	double size;           /* of its input, 0: not known */
	double count_scale, time_scale;
	int64_t started_ns;    /* of its first run; tells it apart, like its totals */
	uint64_t blocks_executed, self_ns;
};

struct model_metric {      /* an expression and the kind of rows it was computed for */
	const char *name, *expression, *things, *figure;
};

struct model_comparison {  /* one row of it */
	model_id metric;
	model_id procedure, callee;     /* 0: not in this profile */
	const char *procedure_name, *callee_name, *path; /* when they are not here; NULL: none */
	struct place place;    /* file 0: see path, or it has no place */
	const char *kind, *sides;
	struct scalar_value a, b, value;
	double significance;   /* NAN: exact */
	uint32_t arcs;         /* of a pair: how many it has in all profiles together; else 0 */
	model_id pair;         /* arcs: the row of its pair; 0: pairs are not stored */
	const char *type;      /* of blocks; NULL: not known, or they are none */
	uint64_t size_class;   /* of blocks; COUNT_UNKNOWN: not known, or they are none */
};

/* An error that another tool found: see cgview-db(5). */
struct model_defect {
	const char *tool;      /* "memcheck", "asan", "lsan", "ubsan", "tsan" ... */
	const char *kind;      /* the tool's own word: "InvalidWrite", "heap-use-after-free" */
	const char *what;      /* a sentence, without what differs from run to run */
	uint64_t count;        /* how often it was seen */
	uint64_t bytes, blocks; /* of a leak */
	model_id procedure;    /* where it is; 0: not in this profile */
	struct place place;    /* the innermost expression, or only its line */
};

enum defect_role {
	ROLE_OF_ERROR,         /* where it happened; of a leak: where the block is from */
	ROLE_OF_ALLOCATION, ROLE_OF_FREEING,
	ROLE_OF_CREATION,      /* of a thread, a mutex, an uninitialised value */
	ROLE_OF_PREVIOUS,      /* the other access of a race */
	ROLE_OF_OTHER,
};

struct model_defect_frame {    /* those of a defect stand one behind the other */
	model_id defect;
	uint32_t stack;        /* of the defect's, from 1; the first one is that of the error */
	enum defect_role role; /* of the stack */
	uint32_t depth;        /* in the stack, the innermost is 1 */
	const char *name;      /* of the function, as the tool had it; "" unknown */
	const char *module;    /* path of the program or library; "" unknown */
	const char *path;      /* of the source, where the profile does not have it; or NULL */
	uint32_t path_line;    /* in it */
	model_id procedure;    /* 0: not in this profile */
	struct place place;    /* of the call, or only its line; file 0: see path */
};

struct model_remark {      /* what a user has written beside a place */
	const char *text;      /* one line */
	int64_t written_ns;    /* since 1970 */
	model_id procedure;    /* it is of this procedure as a whole; 0: of the place */
	struct place place;    /* an expression, or only a line (column 0); file 0: see path */
	const char *path;      /* of a source, or a line of it, that is not in this profile any
				* more; NULL: it is */
	uint32_t path_line;
};

/* Self time in ns, calls, executions of blocks. */
enum spread_figure { SPREAD_SELF, SPREAD_CALLS, SPREAD_WORK };

struct spread_at { int rank; uint32_t pid; const char *host, *job; }; /* rank -1: none */

/* How evenly all processes have what a procedure did, also those whose own counts are not in the
 * profile. What has no row did nothing in any of them. */
struct model_spread {
	model_id procedure;
	enum spread_figure figure;
	uint64_t processes;    /* whose figures are in it */
	uint64_t all;          /* that have the program, or library */
	uint64_t some;         /* in which it is not 0 */
	double mean, sd;       /* NAN: of one process there is no deviation */
	uint64_t least, most;
	struct spread_at least_at, most_at; /* of equal ones the first */
};
/* A note, where others were added to them. */
#define SPREADS_LEFT_OUT \
	"spreads over processes of sums are left out, as they are not of all that is here: add " \
	"up all with 'cgview reduce', then import that"

#define MODEL_ARRAY(type, name) struct type *name; size_t nr_##name, name##_alloc
/* The tables of a profile; an id belongs to one of them, or to none. */
enum table_id {
	TABLE_TOTALS, TABLE_NONE = TABLE_TOTALS, /* has no ids */
	TABLE_MEASURE, TABLE_RUN, TABLE_MODULE, TABLE_PART, TABLE_THREAD, TABLE_NOTE, TABLE_FILE,
	TABLE_PROCEDURE, TABLE_BLOCK, TABLE_RANGE, TABLE_SITE, TABLE_ARC, TABLE_PIN, TABLE_CYCLE,
	TABLE_LINE, TABLE_CONTEXT, TABLE_COMPARED, TABLE_METRIC, TABLE_COMPARISON,
	TABLE_DISPOSAL, TABLE_ALLOCATION, TABLE_PRODUCER, TABLE_HEAP, TABLE_MOMENT, TABLE_BAND,
	TABLE_SIZE_BAND, TABLE_DEFECT, TABLE_DEFECT_FRAME, TABLE_BRANCH, TABLE_TRACK,
	TABLE_INSTRUCTION, TABLE_REMARK, TABLE_SPREAD, NR_TABLES
};

/* Sums over a whole profile, which the writer works out. */
struct profile_totals {
	struct model_run run;      /* first run; times, samples, processes summed over all runs */
	uint32_t nr_runs, nr_threads, nr_files;
	uint64_t nr_procedures, nr_blocks, nr_ranges, nr_sites, nr_arcs, nr_cycles;
	uint64_t blocks_executed;  /* sum of block counts */
	uint64_t calls;            /* sum of site counts */
	uint64_t self_ns, self_samples;
	uint64_t max_block_count, max_block_self_ns; /* for heat scales */
	uint64_t max_line_count, max_line_self_ns;
	uint64_t max_procedure_total_ns;
	uint64_t wait_ns;          /* sum of what procedures waited themselves */
	uint64_t max_block_self_wait_ns, max_line_self_wait_ns;
	uint64_t nr_lines, nr_notes; /* rows */
	uint64_t max_line_code_bytes;
	uint64_t rows_without;     /* procedures, blocks, call sites, lines: with runs_without */
	/* Sums over the runs that have a baseline, to compare with run.baseline_*. */
	uint64_t based_wall_ns, based_user_ns, based_system_ns;
	/* Not stored: times are those of a span, so that there are none of each execution. */
	bool is_span;
};

struct model {
	struct arena arena;
	struct spill *spill;   /* for the data of parts and tracks, which can be many; NULL: none */
	bool without_texts;    /* the texts of its sources are not to be stored */
	const struct source_paths *source_paths; /* where else they are looked for; or NULL */
	const char *program;   /* whose profile another tool has written; NULL: not told */
	MODEL_ARRAY(model_measure, measures); /* without the builtin ones, which all models have */
	MODEL_ARRAY(model_file, files);
	MODEL_ARRAY(model_procedure, procedures);
	MODEL_ARRAY(model_block, blocks);
	MODEL_ARRAY(model_range, ranges);
	MODEL_ARRAY(model_site, sites);
	MODEL_ARRAY(model_arc, arcs);
	MODEL_ARRAY(model_cycle, cycles);
	MODEL_ARRAY(model_pin, pins);
	MODEL_ARRAY(model_remark, remarks);
	MODEL_ARRAY(model_spread, spreads);
	MODEL_ARRAY(model_line, lines);
	MODEL_ARRAY(model_branch, branches);
	MODEL_ARRAY(model_instruction, instructions);
	MODEL_ARRAY(model_context, contexts);
	/* Only with allocations that were counted: */
	MODEL_ARRAY(model_disposal, disposals);
	MODEL_ARRAY(model_allocation, allocations);
	MODEL_ARRAY(model_producer, producers);
	MODEL_ARRAY(model_heap, heaps);
	MODEL_ARRAY(model_moment, moments);
	MODEL_ARRAY(model_band, bands);
	MODEL_ARRAY(model_size_band, size_bands);
	MODEL_ARRAY(model_part, parts);
	MODEL_ARRAY(model_thread, threads);
	MODEL_ARRAY(model_track, tracks);
	MODEL_ARRAY(model_run, runs);
	MODEL_ARRAY(model_module, modules);
	MODEL_ARRAY(model_note, notes);
	MODEL_ARRAY(model_defect, defects);
	MODEL_ARRAY(model_defect_frame, defect_frames);
	MODEL_ARRAY(model_compared, compared);
	MODEL_ARRAY(model_metric, metrics);
	MODEL_ARRAY(model_comparison, comparisons);
};

/* Appends a zeroed element and returns it, e.g. MODEL_ADD(m, arcs)->site = 3. */
#define MODEL_ADD(m, name)                                                                   \
	({                                                                                   \
		GROW((m)->name, (m)->nr_##name + 1, (m)->name##_alloc);                      \
		memset(&(m)->name[(m)->nr_##name], 0, sizeof(*(m)->name));                   \
		&(m)->name[(m)->nr_##name++];                                                \
	})

void model_init(struct model *m);
void model_release(struct model *m);
void model_note(struct model *m, const char *kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Removes the notes of KIND. */
void model_drop_notes(struct model *m, const char *kind);
/* Adds a note of KIND, unless there is one with this text. */
void model_note_once(struct model *m, const char *kind, const char *text);

/* Returns the position of the arc from SITE to CALLEE, the first one of several from outside; the
 * number of arcs if there is none. M's arcs are sorted by site, callee, through. O(log arcs). */
size_t model_arc_find(const struct model *m, model_id site, model_id callee);

#endif
