#include "show/columns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define C(of_head, of_source, of_cell, of_width, of_rank, of_help, ...)                       \
	{ .head = of_head, .source = of_source, .cell = CELL_##of_cell, .width = of_width,    \
	  .rank = of_rank, .help = of_help, __VA_ARGS__ }
#define END { .head = NULL }
#define OFF .flags = COLUMN_OFF
#define NEEDS(what) .needs = NEEDS_##what

#define BAR(column) C("", NULL, BAR, 8, 7, "The same as a bar", .second = column)
#define SELF_PERCENT(rank) C("self%", "self_ns", PERCENT, 5, rank, "Share of all self time")
#define SELF_HELP "Time in the code itself, and in what is not profiled and was called by it"
#define OWN_HELP "Time in the code itself, without what is not profiled and was called by it"
#define SELF                                                                                    \
	C("self", "self_ns", VALUE, 8, 0, SELF_HELP)
#define SELF_ERROR(also)                                                                        \
	C("\302\261", "self_samples", ERROR, 4, 8,                                              \
	  "Sampling error of self, in percent: within it in 95 of 100 cases",                    \
	  .second = "self_ns", .flags = COLUMN_INVERSE | (also))
#define SAMPLES                                                                                 \
	C("samples", "self_samples", VALUE, 7, 10, "How many samples self is made of",           \
	  .flags = COLUMN_OFF | COLUMN_MEASURES)
#define TOTAL(rank)                                                                             \
	C("total", "total_ns", VALUE, 8, rank,                                                  \
	  "Time in it and in called functions, from the sampled stacks",                        \
	  .flags = COLUMN_MEASURES)
#define PROPAGATED(rank)                                                                       \
	C("propagated", "propagated_ns", PROPAGATED, 10, rank,                                 \
	  "The same by counts of calls, as gprof has it: self times shared out to callers",    \
	  .second = "differs")
#define CALLS C("calls", "calls", VALUE, WIDTH_COUNT, 2, "How often it was entered: exact")
#define CODE(rank)                                                                             \
	C("code", "code_bytes", KNOWN, 7, rank, "Bytes of its machine code", NEEDS(ROWS))
#define COUNT(what)                                                                             \
	C("count", "count", VALUE, WIDTH_COUNT, 2, "How often " what " executed: exact")
#define COUNT_PERCENT(what)                                                                     \
	C("count%", "count", COUNT_PERCENT, 6, 10, "Share of the count in that of all " what, OFF)
#define SELF_EACH(head, of)                                                                     \
	C(head, "self_each_ns", EACH, 9, 9, "Self time of each " of, OFF, .second = "self_ns")
#define CODE_LINES(rank) C("lines", "lines", VALUE, 8, rank, "Lines with code")
#define EXECUTED                                                                                \
	C("executed", "executed", VALUE, 8, 1, "Lines with code that were executed"),           \
	C("%", "executed_percent", PART_PERCENT, 5, 5,                                          \
	  "Share of the lines with code that were executed", .second = "executed")
#define BLOCKS                                                                                  \
	C("blocks", "count", VALUE, WIDTH_COUNT, 10,                                            \
	  "How often basic blocks were executed, in sum", OFF)
/* Stands beside a figure of all runs that only some of them have. */
#define WITHOUT                                                                                 \
	C("without", "runs_without", WITHOUT, 7, 6,                                             \
	  "So many of the runs are of builds that have it not: its figures are of the others",  \
	  NEEDS(BUILDS))
#define PROCEDURES_IN(rank)                                                                     \
	C("procedures", "procedures", VALUE, 10, rank, "Procedures defined there")
#define PLACE(width, share)                                                                     \
	C("where", "file", PLACE, width, 3, "File and line", .second = "line", .grow = share)
#define IN_PROCEDURE(head)                                                                      \
	C(head, "procedure", NAME, 14, 6, "The procedure it is in", .grow = 1)
#define SOURCE(head, cell, width, share, rank, help, ...)                                       \
	C(head, "file", cell, width, rank, help, .flags = COLUMN_IN_SOURCE, .grow = share,      \
	  NEEDS(ROWS), __VA_ARGS__)
#define RECURSIVE(rank, help)                                                                   \
	C("recursive", "self_calls", VALUE, 9, rank, help, NEEDS(RECURSION))

static const struct column procedure_columns[] = {
	SELF_PERCENT(5), BAR("self_ns"), SELF, SELF_ERROR(0), SAMPLES,
	C("own", "own_ns", VALUE, 8, 10, OWN_HELP, NEEDS(FOREIGN)),
	C("spread", "self_sd_ns", VALUE, 8, 7,
	  "Standard deviation of the self time of one run, over the runs", NEEDS(RUNS)),
	C("centre", "centre_ns", VALUE, 8, 6,
	  "Self time counted the other way: by cost centre, or by program counter",
	  NEEDS(CENTRES)),
	C("total%", "total_ns", PERCENT, 6, 6,
	  "Share of all time that was spent in it and in called functions"),
	TOTAL(1),
	C("\302\261total", "total_samples", ERROR, 7, 12,
	  "Sampling error of total, in percent: within it in 95 of 100 cases",
	  .second = "total_ns", .flags = COLUMN_INVERSE, NEEDS(COUNTER)),
	C("propagated%", "propagated_ns", PERCENT, 11, 11,
	  "Share of all time, as the counts of calls have it", OFF, NEEDS(COUNTER)),
	PROPAGATED(13),
	C(COLUMN_INTERVAL, "propagated_lo_ns", BOUNDS, 18, 14,
	  "How far propagated can move within what the counts of calls allow",
	  .second = "propagated_hi_ns", NEEDS(BOUNDS), .flags = COLUMN_MEASURES),
	CALLS, WITHOUT,
	C("calls%", "calls", COUNT_PERCENT, 6, 10, "Share of all calls", OFF),
	RECURSIVE(15, "How often it was called by itself, directly"),
	C("self/call", "self_each_ns", EACH, 9, 9, "Self time of each call", .second = "self_ns"),
	CODE(13),
	C("cycle", "cycle", NUMBER, 5, 11,
	  "The number of the cycle that it is in: procedures that call each other", OFF,
	  NEEDS(CYCLES)),
	C("procedure", "procedure", PROCEDURE, 16, 0, "Its name", .grow = 3),
	C("symbol", "linkage_name", TEXT, 16, 11,
	  "Its name for the linker, where that is another one", OFF, .grow = 1),
	PLACE(14, 2), END
};

/* The procedures of one file, in its order. */
static const struct column outline_columns[] = {
	C("line", "line", LINE, 7, 3, "The line that it begins at"),
	SELF_PERCENT(5), BAR("self_ns"), SELF, SELF_ERROR(0), TOTAL(1), CALLS, CODE(9),
	C("procedure", "procedure", PROCEDURE, 16, 0, "Its name", .grow = 1), END
};

static const struct column block_columns[] = {
	SELF_PERCENT(5), BAR("self_ns"), SELF, SELF_ERROR(0), SAMPLES,
	COUNT("it was"), WITHOUT, COUNT_PERCENT("expressions"), SELF_EACH("self/each", "execution"),
	SOURCE("expression", SOURCE, 20, 5, 0,
	       "Its source text, of those executed together the hottest; sorts as the source",
	       .second = "end_line"),
	IN_PROCEDURE("procedure"), PLACE(14, 1), END
};

static const struct column site_columns[] = {
	C("total%", "total_ns", PERCENT, 6, 5,
	  "Share of all time that was spent in called functions"),
	BAR("total_ns"),
	C("total", "total_ns", VALUE, 8, 0, "Time in called functions, from the sampled stacks"),
	C("\302\261", "total_samples", ERROR, 4, 8,
	  "Sampling error of total, in percent: within it in 95 of 100 cases",
	  .second = "total_ns", .flags = COLUMN_INVERSE),
	C("samples", "total_samples", VALUE, 7, 10, "How many samples total is made of", OFF),
	C("propagated%", "propagated_ns", PERCENT, 11, 11,
	  "Share of all time that the callees bring, by counts of calls", OFF),
	C("propagated", "propagated_ns", VALUE, 10, 10,
	  "What the callees bring of their time, by counts of calls", .flags = COLUMN_MEASURES),
	C("count", "count", VALUE, WIDTH_COUNT, 2, "How often the call was made: exact"),
	WITHOUT, COUNT_PERCENT("calls"),
	C("total/each", "total_each_ns", EACH, 10, 9, "Time in called functions, of each call",
	  OFF, .second = "total_ns"),
	SOURCE("call", CALL, 20, 5, 0, "Its source text; sorts in the order of the source",
	       .second = "end_line"),
	IN_PROCEDURE("in"),
	C("kind", "kind", TEXT, 8, 9, "Direct, or through a pointer"),
	C("target", "target", TEXT, 16, 10,
	  "What a direct call calls; else the type of what can be called", OFF, .grow = 1),
	PLACE(14, 1), END
};

static const struct column cycle_columns[] = {
	C("cycle", "id", LINE, 5, 2, "Its number"),
	C("total%", "total_ns", PERCENT, 6, 5, "Share of all time"),
	C("total", "total_ns", VALUE, 8, 0,
	  "Time in its members and in called functions, from the sampled stacks"),
	C("propagated", "propagated_ns", VALUE, 10, 6,
	  "Self time of its members and what the counts of calls bring"),
	C("self", "self_ns", VALUE, 8, 1, "Self time of its members"),
	C("outside", "outer_calls", VALUE, WIDTH_COUNT, 4, "Calls of its members by others"),
	C("within", "inner_calls", VALUE, WIDTH_COUNT, 6, "Calls of one member by another"),
	RECURSIVE(8, "Calls of a member by itself"),
	C("procedures", "procedures", VALUE, 10, 3, "How many members"),
	C("members", "members", NAME, 16, 0, "The first few, by time", .grow = 1), END
};

static const struct column line_columns[] = {
	SELF_PERCENT(5), BAR("self_ns"), SELF, SELF_ERROR(0), SAMPLES,
	C("total%", "total_ns", PERCENT, 6, 9,
	  "Share of all time that was spent on it and in what is called there", OFF),
	C("total", "total_ns", VALUE, 8, 6,
	  "Time on it and in what is called there, from the sampled stacks",
	  .flags = COLUMN_MEASURES),
	COUNT("control reached it, as gcov counts"), WITHOUT, COUNT_PERCENT("lines"),
	SELF_EACH("self/each", "time that it is reached"),
	C("code", "code_bytes", KNOWN, 7, 11, "Bytes of machine code for it, all copies of it",
	  OFF),
	SOURCE("source", SOURCE, 20, 5, 0, "Its text; sorts in the order of the source"),
	PLACE(16, 1), END
};

static const struct column file_columns[] = {
	SELF_PERCENT(5), BAR("self_ns"), SELF, SELF_ERROR(COLUMN_OFF), SAMPLES,
	PROCEDURES_IN(8), CODE_LINES(7), EXECUTED, BLOCKS,
	C("text", "state", STATE, 10, 6,
	  "Whether its text is in the profile, and is the one that was compiled"),
	C("file", "file", PLACE, 20, 0, "Its path", .grow = 1), END
};

#define NEVER                                                                                   \
	C("never%", "never", COUNT_PERCENT, 6, 5,                                                \
	  "Share of all lines that were never executed"),                                        \
	C("never", "never", VALUE, 8, 0, "Lines with code that were never executed")
static const struct column never_columns[] = {
	NEVER, CODE_LINES(6),
	C("of it", "never_percent", PART_PERCENT, 5, 7, "Share of its lines that never ran",
	  .second = "never"),
	CALLS, C("procedure", "procedure", NAME, 20, 0, "Its name", .grow = 2), PLACE(12, 1), END
};
static const struct column never_files[] = {
	NEVER, CODE_LINES(6), EXECUTED, PROCEDURES_IN(7),
	C("file", "file", PLACE, 20, 0, "Its path", .grow = 1), END
};

#define COVERED(head, what, rank, of_rows)                                                      \
	C(head "%", what "_percent", COVERED, 9, rank,                                          \
	  "Share of the " of_rows " that was executed", .second = what),                        \
	C(what, "executed_" what, COVERED_OF, 13, rank + 3,                                     \
	  "How many " of_rows " were executed, of how many", .second = what)
static const struct column coverage_columns[] = {
	COVERED("line", "lines", 1, "lines with code"), COVERED("block", "blocks", 2, "blocks"),
	COVERED("branch", "branches", 3, "ways of conditions"),
	C("file", "path", PLACE, 20, 0, "Its path, or a directory with all below; first all files",
	  .grow = 1), END
};

static const struct column covered_columns[] = {
	COVERED("line", "lines", 1, "lines with code"), COVERED("block", "blocks", 2, "blocks"),
	COVERED("branch", "branches", 3, "ways of conditions"),
	C("calls", "calls", VALUE, WIDTH_COUNT, 7, "How often it was entered: exact", OFF),
	C("procedure", "procedure", NAME, 20, 0, "Its name", .grow = 2), PLACE(12, 1), END
};

static const struct column branch_columns[] = {
	C("count", "count", VALUE, WIDTH_COUNT, 2, "How often it was tested: exact"),
	C("never", "missing", NAME, 12, 0, "The ways that were never taken", .grow = 1),
	C("kind", "kind", NAME, 11, 4, "What the condition is of"),
	SOURCE("condition", SOURCE, 20, 3, 3, "Its text; sorts in the order of the source",
	       .second = "end_line"),
	IN_PROCEDURE("procedure"), PLACE(14, 1), END
};

static const struct column directory_columns[] = {
	C("total%", "total_ns", PERCENT, 6, 5,
	  "Share of all self time in its files and in the directories below"),
	BAR("total_ns"),
	C("total", "total_ns", VALUE, 8, 0, "Self time in its files and in the directories below"),
	SELF_PERCENT(8), SELF, SELF_ERROR(COLUMN_OFF), SAMPLES,
	C("files", "files", VALUE, 6, 7, "Files in the directory itself"),
	PROCEDURES_IN(9), CODE_LINES(8), EXECUTED, BLOCKS,
	C("directory", "directory", DIRECTORY, 20, 0, "Its path", .grow = 1), END
};

#define ARC_CALLS                                                                               \
	C("calls", "count", ESTIMATE, WIDTH_COUNT, 0,                                           \
	  "How often: exact, or an estimate with a mark (another one if stacks contradict)",      \
	  .flags = COLUMN_KEY)
#define ARC_TIME                                                                                \
	C("time", "total_ns", VALUE, 8, 1, "Time in the calls, from the sampled stacks")
#define ARC_PROPAGATED                                                                          \
	C("propagated", "propagated_ns", PROPAGATED, 10, 10,                                     \
	  "What the calls bring of the callee's time by their counts",                          \
	  .second = "differs", .flags = COLUMN_MEASURES)
#define ARC_END(end, help) C(#end, #end, END, 12, 0, help, .second = #end "_id", .grow = 3)
#define ARC_INTERVAL                                                                            \
	C(COLUMN_INTERVAL, "how", INTERVAL, 12, 9,                                              \
	  "Exact, measured, or the interval that the counts leave open", .grow = 1)
#define ARC_LIKELY                                                                              \
	C("likely", "likely_lo", BOUNDS, 12, 11,                                                 \
	  "What holds the true count in 95 of 100 cases: of estimates that rest on samples",    \
	  .second = "likely_hi", .grow = 1)
#define ARC_CALL(width, rank)                                                                   \
	SOURCE("call", SOURCE, width, 4, rank,                                                  \
	       "The source text of the call; sorts in the order of the source",                 \
	       .second = "end_line")
#define CALL_LINE(rank) C("line", "line", LINE, 6, rank, "The line of the call")
/* The arcs of one procedure. */
#define ARC_COLUMNS(end, help)                                                                  \
	ARC_CALLS,                                                                              \
	C("calls%", "count", WHOLE_PERCENT, 6, 7, "Share of all calls that are shown"),         \
	ARC_TIME,                                                                               \
	C("time%", "total_ns", TIME_PERCENT, 5, 6, "Share of all time that is in the calls"),   \
	ARC_PROPAGATED, ARC_END(end, help),                                                     \
	CALL_LINE(3), ARC_INTERVAL, ARC_LIKELY, ARC_CALL(18, 8), END

static const struct column caller_columns[] = { ARC_COLUMNS(caller, "Who called") };
static const struct column callee_columns[] = { ARC_COLUMNS(callee, "What was called") };
static const struct column arc_columns[] = {
	ARC_CALLS, ARC_INTERVAL, ARC_LIKELY, ARC_TIME, ARC_PROPAGATED,
	ARC_END(caller, "Who called"), ARC_END(callee, "What was called"), ARC_CALL(18, 8),
	PLACE(14, 1), END
};

static const struct column moment_columns[] = {
	C("moment", "moment", LINE, 6, 0, "Its number"),
	C("run", "run", LINE, 4, 6, "The run"),
	C("process", "pid", LINE, 8, 5, "The process"),
	C("time", "at_ns", VALUE, 8, 0, "Since the program began"),
	C("cpu", "cpu_ns", VALUE, 8, 4, "Processor time of the process until then"),
	C("allocated", "clock_bytes", VALUE, 9, 3, "What the process had been handed out"),
	C("live", "live_bytes", VALUE, 9, 0, "What was live of it, and of what it inherited"),
	C("inherited", "inherited_bytes", VALUE, 9, 7, "Of these: got by fork", OFF),
	C("resident", "resident_bytes", VALUE, 9, 2, "What the process had in memory"),
	C("peak", "peak", LINE, 4, 1, "1: the one with most live"), END
};

static const struct column band_columns[] = {
	C("moment", "moment", LINE, 6, 6, "The number of the moment"),
	C("time", "at_ns", VALUE, 8, 0, "Since the program began"),
	C("live", "live_bytes", VALUE, 9, 0, "What was live of it then"),
	C("allocated", "made_bytes", VALUE, 9, 2, "What it had been handed out until then"),
	C("procedure", "procedure", NAME, 14, 0,
	  "Who asked for it; nothing: all others together", .grow = 2),
	PLACE(14, 1), END
};

static const struct column span_columns[] = {
	C("not freed", "kept_lo_bytes", WITHIN, 17, 0,
	  "What was live in the end of what was allocated between the two moments",
	  .second = "kept_hi_bytes"),
	C("allocated", "made_lo_bytes", WITHIN, 17, 6, "What was allocated between them",
	  .second = "made_hi_bytes"),
	C("before", "before_lo_bytes", WITHIN, 17, 8, "What was live at the first",
	  .second = "before_hi_bytes"),
	C("after", "after_lo_bytes", WITHIN, 17, 7, "What was live at the second",
	  .second = "after_hi_bytes"),
	C("size", "size_class", LINE, 7, 0,
	  "Blocks of at most so many bytes, and more than half of that; 16: or fewer"),
	C("of", "name", TEXT, 14, 0, "Who asked for it, or what it was told apart by",
	  .grow = 2),
	C("what", "what", TEXT, 9, 6, "Of a call what it called; of a disposer how"),
	PLACE(14, 1), END
};

#define BYTES                                                                                   \
	C("blocks", "blocks", VALUE, WIDTH_COUNT, 4, "How many blocks"),                       \
	C("bytes%", "bytes", COUNT_PERCENT, 6, 5, "Share of the bytes of all rows"),           \
	BAR("bytes"), C("bytes", "bytes", VALUE, 9, 0, "Bytes that were asked for with them")
#define MAKER                                                                                   \
	C("made by", "procedure", NAME, 12, 0, "Who wanted the blocks", .grow = 2),            \
	C("made at", "file", PLACE, 12, 3, "Where", .second = "line", .grow = 1)
#define TYPE(rank)                                                                              \
	C("type", "type", TEXT, 12, rank, "What the blocks are; nothing: it is not known",     \
	  NEEDS(ROWS), .grow = 1)
#define DISPOSER                                                                                \
	C("how", "how", TEXT, 7, 6, "free, realloc, exit (free at the end), or never"),        \
	C("freed by", "by", NAME, 12, 0, "Who gave them back", .grow = 2),                     \
	C("freed at", "by_file", PLACE, 12, 3, "Where", .second = "by_line", .grow = 1)
#define LIFETIME C("lived", "life_bytes", VALUE, 8, 6,                                          \
		   "How long, on average: bytes that were allocated meanwhile", NEEDS(ROWS))
#define LIFE(head, source, rank, help, ...)                                                     \
	C(head, source, VALUE, 8, rank, help, NEEDS(ROWS), __VA_ARGS__)
#define LIVES(...)                                                                              \
	LIFE("temporary", "temporary", 8,                                                      \
	     "Blocks given back by the thread that got them before it allocated anything else",\
	     .flags = 0),                                                                      \
	LIFE("<4kB", "under_4k", 11, "Others that lived less than 4 kB", __VA_ARGS__),         \
	LIFE("<64kB", "under_64k", 12, "Others that lived less than 64 kB", __VA_ARGS__),      \
	LIFE("<1MB", "under_1m", 13, "Others that lived less than 1 MB", __VA_ARGS__),         \
	LIFE("<16MB", "under_16m", 14, "Others that lived less than 16 MB", __VA_ARGS__),      \
	LIFE("<256MB", "under_256m", 15, "Others that lived less than 256 MB", __VA_ARGS__),   \
	LIFE("<4GB", "under_4g", 16, "Others that lived less than 4 GB", __VA_ARGS__),         \
	LIFE("longer", "longer", 17, "Blocks that lived longer", __VA_ARGS__)
#define MOVES                                                                                   \
	LIFE("moved", "moved", 18, "Blocks that realloc gave another address", OFF),           \
	LIFE("copied", "copied_bytes", 10, "Bytes that realloc copied", .flags = 0),            \
	LIFE("grown", "grown_bytes", 19, "Bytes by which realloc made blocks larger", OFF)
#define TIMES                                                                                   \
	C("lived>", "least_ns", KNOWN, 9, 20,                                                  \
	  "How long at least, on average, in time (--space=times)", OFF),                      \
	C("lived<", "most_ns", KNOWN, 9, 20, "How long at most", OFF)
static const struct column pair_columns[] = {
	BYTES, LIFETIME, TIMES, LIVES(OFF), MOVES, TYPE(9), MAKER, DISPOSER, END
};
static const struct column disposer_columns[] = {
	BYTES, LIFETIME, TIMES, LIVES(OFF), MOVES,
	C("makers", "makers", VALUE, 7, 9, "Of how many calls the blocks were"), DISPOSER, END
};
static const struct column lifetime_columns[] = {
	BYTES, C("live", "live", VALUE, 8, 1, "Bytes that were never given back"),
	C("lost", "lost", VALUE, 8, 4, "Bytes that memcheck found to be lost for good",
	  NEEDS(ERRORS)),
	C("at exit", "at_exit", VALUE, 8, 6, "Bytes given back when the program ended"),
	LIFETIME, TIMES, LIVES(.flags = 0), MOVES, TYPE(9),
	C("disposers", "disposers", VALUE, 9, 11, "How many calls gave them back"), MAKER, END
};

#define GOT                                                                                     \
	BYTES, C("each", "each_bytes", KNOWN, 7, 9, "Bytes of a block, on average"),           \
	C("peak", "peak", VALUE, 8, 1, "Bytes that were live at the peak", NEEDS(PEAKS)),      \
	C("live", "live", VALUE, 8, 2, "Bytes that were never given back"),                    \
	C("freed", "freed", VALUE, 8, 10, "Bytes that were given back"),                        \
	C("temporary", "temporary", VALUE, 9, 8,                                               \
	  "Blocks given back by the thread that got them before it allocated anything else"),  \
	C("lived", "life_bytes", KNOWN, 8, 10,                                                  \
	  "How long, on average, those that were given back: bytes allocated meanwhile"),      \
	C("slack", "slack_bytes", VALUE, 8, 18, "Bytes usable beyond", OFF)
#define SIZE_CLASS(rank)                                                                        \
	C("size", "size_class", LINE, 7, rank,                                                 \
	  "Blocks of at most so many bytes, and more than half of that; 16: or fewer",           \
	  .unit = "B")
#define MAKERS                                                                                  \
	C("makers", "makers", VALUE, 7, 8, "How many calls asked for them")
static const struct column producer_columns[] = {
	SIZE_CLASS(0), GOT, TYPE(6), MAKER, END
};
static const struct column pool_columns[] = {
	BYTES, C("each", "each_bytes", KNOWN, 7, 9, "Bytes of a block, on average"),
	C("peak", "peak", KNOWN, 8, 1,
	  "Bytes that were there when there was most of all that is seen to end"),
	C("left", "left", KNOWN, 8, 2, "Bytes that were not seen to be given back"),
	C("freed", "freed", KNOWN, 8, 10, "Bytes that were, or their pool was"),
	C("pool", "pool", NAME, 12, 0, "The procedure that gave them out", .grow = 1), TYPE(6),
	MAKER, END
};
static const struct column type_columns[] = {
	GOT, MAKERS, TYPE(0), END
};
static const struct column size_columns[] = {
	SIZE_CLASS(0), GOT, MAKERS, END
};

/* Errors that other tools found, and the frames of their stacks. */
static const struct column defect_columns[] = {
	C("error", "error", LINE, 5, 1, "Its number"),
	C("tool", "tool", TEXT, 8, 6, "What found it"),
	C("kind", "kind", TEXT, 20, 1, "The tool's word for it"),
	C("count", "count", VALUE, 6, 2, "How often it was seen"),
	C("lost", "bytes", KNOWN, 8, 4, "Bytes that a leak has lost", NEEDS(ROWS)),
	C("blocks", "blocks", KNOWN, 6, 8, "In so many blocks", NEEDS(ROWS)),
	C("procedure", "procedure", NAME, 12, 4, "The procedure it is in", .grow = 1),
	PLACE(12, 1), C("what", "what", TEXT, 24, 0, "What the tool says", .grow = 3), END
};

static const struct column frame_columns[] = {
	C("error", "error", LINE, 5, 4, "The number of the error"),
	C("kind", "kind", TEXT, 20, 5, "The tool's word for it", OFF),
	C("stack", "stack", LINE, 5, 3, "Number of the stack: 1 is that of the error"),
	C("role", "role", TEXT, 10, 0,
	  "What the stack is of: the error; where the block was allocated, or freed"),
	C("depth", "depth", LINE, 5, 2, "1 is the innermost"),
	C("function", "name", NAME, 16, 0, "Its name", .grow = 2), PLACE(16, 2), END
};

static const struct column note_columns[] = {
	C("about", "kind", TEXT, 10, 0, "What it is about"),
	C("note", "text", TEXT, 20, 0, "What to know", .grow = 1), END
};

static const struct column remark_columns[] = {
	PLACE(16, 1), C("procedure", "procedure", NAME, 12, 4, "The procedure that it is of",
			NEEDS(ROWS), .grow = 1),
	C("remark", "text", TEXT, 24, 0, "What was written there", .grow = 3),
	C("written", "written_ns", WHEN, 19, 6, "When, in UTC"), END
};

#define LOST C("lost", "lost_samples", VALUE, 7, 0, "Samples that were lost", NEEDS(ROWS))
#define WAITED(of) C("waited", "wait_ns", VALUE, 8, 0, "Time that " of " waited", NEEDS(ROWS))
#define SAMPLED C("samples", "samples", VALUE, 7, 0, "How many samples that is")
#define EXECUTED_BLOCKS                                                                         \
	C("blocks", "blocks_executed", VALUE, WIDTH_COUNT, 0,                                   \
	  "How often basic blocks were executed, in sum")
#define THREADS(help) C("threads", "threads", VALUE, 7, 0, help)
static const struct column run_columns[] = {
	C("run", "run", LINE, 5, 0, "Its number"),
	C("started", "started_ns", WHEN, 19, 0, "When it began, in UTC"),
	C("wall", "wall_ns", VALUE, 8, 0, "How long it took"),
	C("cpu", "cpu_ns", VALUE, 8, 0, "CPU time of all its processes"),
	WAITED("its threads"), SAMPLED, LOST, EXECUTED_BLOCKS,
	C("processes", "processes", VALUE, 9, 0, "How many processes"), THREADS("How many threads"),
	C("exit", "exit_status", EXIT, 9, 0, "Its exit status, or the signal that ended it",
	  .second = "exit_signal"),
	C("label", "label", TEXT, 12, 0, "What the user called it", NEEDS(ROWS)),
	C("job", "job", TEXT, 12, 0, "Its number in a batch system", NEEDS(ROWS)),
	C("command", "command", TEXT, 20, 0, "What was run", .grow = 1), END
};

static const struct column thread_columns[] = {
	C("thread", "thread", LINE, 6, 0, "Its number"),
	C("run", "run", LINE, 5, 0, "The run that it is of"),
	C("cpu", "cpu_ns", VALUE, 8, 0, "Its CPU time"), WAITED("it"),
	C("delayed", "delay_ns", VALUE, 8, 0, "Time that it could run and had no processor",
	  NEEDS(ROWS)),
	SAMPLED, LOST, EXECUTED_BLOCKS, THREADS("How many of that name are one row"),
	C("name", "name", TEXT, 16, 0, "Its name", .grow = 1),
	C("pid", "pid", NUMBER, 7, 0, "Its process"),
	C("tids", "tids", TEXT, 16, 0, "Their numbers in the system", .grow = 1), END
};

#define RANK C("rank", "rank", VALUE, 5, 0, "In a parallel program, from 0")
#define OF_RANK                                                                                 \
	C("wall", "wall_ns", VALUE, 8, 0, "How long it took, at most"),                         \
	C("cpu", "cpu_ns", VALUE, 8, 0, "CPU time of its processes"), WAITED("its threads"),    \
	C("delayed", "delay_ns", VALUE, 8, 0, "Time that they could run and had no processor",  \
	  NEEDS(ROWS)),                                                                         \
	SAMPLED, LOST, EXECUTED_BLOCKS, THREADS("How many threads"),                            \
	C("runs", "runs", VALUE, 5, 0, "How many runs it was in"),                              \
	C("host", "host", TEXT, 16, 0, "Where it ran", .grow = 1), END
static const struct column plain_rank_columns[] = { RANK, OF_RANK };
static const struct column rank_columns[] = {
	RANK,
	C("its self", "it_ns", VALUE, 8, 0, "Self time in the procedure that was asked for",
	  NEEDS(ROWS)),
	C("", NULL, BAR, 16, 0, "The same as a bar; the rank with most has a full one",
	  .second = "it_ns", NEEDS(ROWS)),
	C("its calls", "it_calls", VALUE, 9, 0, "Calls of that procedure: exact", NEEDS(ROWS)),
	C("its work", "it_work", VALUE, 9, 0, "Blocks executed in it: exact", NEEDS(ROWS)),
	OF_RANK
};

#define AT(head, of) \
	C(head, of, VALUE, 8, 3, "Its rank, its process or its run; of equal ones the first")
#define WHO(head, of) \
	C(head, of, TEXT, 24, 9, "Which process that is, of a sum of many: rank, host, job", OFF)
static const struct column imbalance_columns[] = {
	C("over", "self_over_ns", VALUE, 8, 0,
	  "What the one with most self time has more than the mean: others may wait for it"),
	C("imbalance%", "self_imbalance", FORMULA, 10, 1, "The same as a share of the most"),
	C("least", "self_least_ns", VALUE, 8, 4, "The least self time of a rank, or a run"),
	AT("least at", "self_least_at"),
	C("mean", "self_mean_ns", VALUE, 8, 4, "The mean self time"),
	C("most", "self_most_ns", VALUE, 8, 2, "The most self time"), AT("most at", "self_most_at"),
	C("spread", "self_sd_ns", VALUE, 8, 7, "The standard deviation of self time"),
	C("calls imbalance%", "calls_imbalance", FORMULA, 16, 6,
	  "What the one with most calls has more than the mean, as a share of its calls"),
	C("calls least", "calls_least", VALUE, 11, 6, "The least calls: exact"),
	C("calls mean", "calls_mean", FORMULA, 10, 8, "The mean of the calls"),
	C("calls most", "calls_most", VALUE, 10, 6, "The most calls: exact"),
	AT("calls at", "calls_most_at"),
	C("calls least at", "calls_least_at", VALUE, 14, 9, "Which has the least calls", OFF),
	C("calls spread", "calls_sd", FORMULA, 12, 9, "The standard deviation of the calls", OFF),
	C("work imbalance%", "work_imbalance", FORMULA, 15, 9,
	  "What the one with most work has more than the mean, as a share of its work", OFF),
	C("work least", "work_least", VALUE, 10, 9, "The fewest blocks executed: exact", OFF),
	C("work least at", "work_least_at", VALUE, 13, 9, "Which has the least work", OFF),
	C("work mean", "work_mean", FORMULA, 10, 9, "The mean of the blocks executed", OFF),
	C("work most", "work_most", VALUE, 10, 9, "The most blocks executed: exact", OFF),
	C("work at", "work_most_at", VALUE, 7, 9, "Which has the most work", OFF),
	C("work spread", "work_sd", FORMULA, 11, 9, "The standard deviation of the blocks", OFF),
	WHO("most who", "self_most_who"), WHO("least who", "self_least_who"),
	WHO("calls most who", "calls_most_who"), WHO("calls least who", "calls_least_who"),
	WHO("work most who", "work_most_who"), WHO("work least who", "work_least_who"),
	C("of", "of", TEXT, 5, 5,
	  "What is compared: ranks, runs where there are none, or the processes of a sum"),
	C("procedure", "procedure", NAME, 16, 0, "Its name", .grow = 2), PLACE(16, 1), END
};

/* Shares are of all time, or of all counts where nobody took samples. */
#define CHOSEN(of)                                                                              \
	C("thread", "thread", NUMBER, 6, 0, "Its number"),                                      \
	C("name", "name", NAME, 12, 0, "Its name", .grow = 3),                                  \
	C("cpu", "cpu_ns", VALUE, 8, 0, "Its CPU time"),                                        \
	C("share", of, PERCENT, 5, 3, "Share of the time of all"),                              \
	C("", NULL, BAR, 4, 6, "The same as a bar", .second = of, .grow = 1),                   \
	C("samples", "samples", VALUE, 7, 5, "How many samples that is"),                       \
	C("waited", "wait_ns", VALUE, 8, 2, "Time that it waited", NEEDS(ROWS)),                \
	C("blocks", "blocks_executed", VALUE, 11, 1,                                            \
	  "How often basic blocks were executed, in sum"),                                      \
	C("thread ids", "tids", TIDS, 10, 4, "Their numbers in the system",                     \
	  .second = "threads", .grow = 4), END
#define RANKED(of)                                                                              \
	C("thread", "thread", NUMBER, 6, 5, "Its number"),                                      \
	C("name", "name", NAME, 16, 0, "Job, host, rank, run or thread", .grow = 3),            \
	C("cpu", "cpu_ns", VALUE, 8, 0, "Its CPU time"),                                        \
	C("", NULL, BAR, 10, 2,                                                                 \
	  "The same as a bar, which is full for the job, host or rank with most",               \
	  .second = of, .grow = 2),                                                             \
	C("share", of, PERCENT, 5, 4, "Share of the time of all"),                              \
	C("samples", "samples", VALUE, 7, 6, "How many samples that is"),                       \
	C("waited", "wait_ns", VALUE, 8, 3, "Time that it waited", NEEDS(ROWS)),                \
	C("blocks", "blocks_executed", VALUE, 11, 1,                                            \
	  "How often basic blocks were executed, in sum"),                                      \
	C("thread ids", "tids", TIDS, 10, 7, "Their numbers in the system, or how many they are", \
	  .second = "threads", .grow = 1), END
static const struct column chosen_columns[] = { CHOSEN("cpu_ns") };
static const struct column ranked_columns[] = { RANKED("cpu_ns") };
static const struct column counted_ranked_columns[] = { RANKED("blocks_executed") };
static const struct column counted_columns[] = { CHOSEN("blocks_executed") };

/* The arcs that are held. */
static const struct column pin_columns[] = {
	C("calls", "count", ESTIMATE, 10, 0, "How often, as it was chosen"),
	C("possible", "how", INTERVAL, 16, 1, "The interval that the counts leave open"),
	C("saved as", "name", SAVED, 10, 2, "The name that it is saved under", .grow = 1),
	C("call", "call", NAME, 20, 0, "Caller and callee, and where", .grow = 4), END
};

/* Heads depend on the tree: see tree_columns_make(). */
#define TREE C("procedure", "procedure", NAME, 0, 0, "The procedures of the row, in their tree")
static const struct column tree_columns[] = {
	C("total%", "weight", WHOLE_PERCENT, 6, 20, "Share of all that is in it and below"),
	C("", NULL, BAR, 4, 104, "The same as a bar", .second = "weight", .grow = 4),
	C("total", "total", COST, 9, 42, "What is in it and below", .grow = 1),
	C("self", "self", COST, 9, 52, "What is in it alone", .grow = 1),
	C("below", "below", COST, 9, 60, "What is below it, while that is not shown", .grow = 1),
	C("\302\261", "paths", PATHS_ERROR, 5, 66,
	  "Of call paths that were sampled: the interval that holds the total with 95 %",
	  .second = "all_paths"),
	C("calls", "count", ESTIMATE, 9, 70, "How many calls, or samples", .grow = 4),
	C("over", "total_over_ns", VALUE, 9, 0,
	  "What the rank, or run, with most in it and below has more than the mean",
	  NEEDS(SEVERAL)),
	C("imbalance%", "total_imbalance", FORMULA, 10, 100, "The same as a share of the most",
	  NEEDS(SEVERAL)),
	C("most at", "total_most_at", VALUE, 7, 0, "Which rank, or run, that is", NEEDS(SEVERAL)),
	C("self over", "self_over_ns", VALUE, 9, 120, "The same of what is in it alone",
	  NEEDS(SEVERAL)),
	C("self imb.%", "self_imbalance", FORMULA, 10, 140, "The same as a share of the most",
	  NEEDS(SEVERAL)),
	C("self at", "self_most_at", VALUE, 7, 120, "Which rank, or run, that is", NEEDS(SEVERAL)),
	TREE, C("where", "file", PLACE, 22, 110, "Where it is, or is called", .second = "line"),
	END
};
#define TREE_MIDDLE(source)                                                                     \
	C(source, source, FIGURE, 10, 110, "The figure in a profile between the first and the last")
static const struct column joined_columns[] = {
	C("a", "a", FIGURE, 9, 60, "The figure in the first profile", .grow = 1),
	TREE_MIDDLE("m1"), TREE_MIDDLE("m2"), TREE_MIDDLE("m3"), TREE_MIDDLE("m4"),
	C("b", "b", FIGURE, 9, 50, "The figure in the last profile", .grow = 1),
	C("result", "value", DIFFERENCE, 10, 30, "The value of the expression", .grow = 1),
	C("", NULL, DIRECTION, 1, 90, "More or less"),
	C(COLUMN_NOISE, "significance", ERRORS, 10, 100,
	  "Where times are sampled, the difference in standard errors: below 2 it may be chance"),
	C("verdict", "verdict", TEXT, 10, 95, "Slower, faster, more work, less work, same"),
	C("in", "sides", SIDES, 7, 70, "Only in one of them"),
	TREE, C("where", "file", PLACE, 22, 110, "Where it is, or is called", .second = "line"),
	END
};

/* ---- comparisons ---- */

#define MIDDLE(source, rank)                                                                    \
	C(source, source, FIGURE, 9, rank,                                                      \
	  "The figure in a profile between the first and the last", NEEDS(ROWS))
#define FIGURES                                                                                 \
	C("a", "a", FIGURE, 9, 2, "The figure in the first profile"),                           \
	MIDDLE("m1", 10), MIDDLE("m2", 11), MIDDLE("m3", 12), MIDDLE("m4", 13),                 \
	MIDDLE("m5", 14), MIDDLE("m6", 15), MIDDLE("m7", 16), MIDDLE("m8", 17),                 \
	C("b", "b", FIGURE, 9, 1, "The figure in the last profile"),                            \
	C("result", "value", DIFFERENCE, 10, 0,                                                 \
	  "The value of the expression; sorts by its amount"),                                  \
	C("", NULL, DIRECTION, 1, 7, "More or less"),                                           \
	C("change", "change", CHANGE, 7, 5, "From a to b, in percent of a", NEEDS(ROWS)),       \
	C("growth", "model", TEXT, 9, 1,                                                        \
	  "What describes the growth best: 1, log n, sqrt n, n, n log n, n^1.5, n^2, ...",      \
	  NEEDS(ROWS)),                                                                         \
	C("series", "spark", SPARK, 8, 4, "The figure of each run of a series", NEEDS(ROWS)),   \
	C("signed", "signed", DIFFERENCE, 10, 9, "The value; sorts by it with its sign", OFF),  \
	C(COLUMN_NOISE, "significance", ERRORS, 10, 6,                                          \
	  "Where times are sampled, the difference in standard errors: below 2 it may be chance", \
	  NEEDS(ROWS)),                                                                         \
	C("interval", "interval", HALF, 10, 8,                                                  \
	  "Half of the interval that holds the true value with 95 %",                           \
	  NEEDS(ROWS), OFF),                                                                    \
	C("verdict", "verdict", TEXT, 10, 5,                                                    \
	  "Slower, faster, more work, less work, same: see cgview-verdicts(7)", NEEDS(ROWS)),  \
	C("least", "least", HALF, 10, 8,                                                        \
	  "The least difference that would have been seen", NEEDS(ROWS), OFF),                  \
	C("in", "sides", SIDES, WIDTH_SIDES, 4,                                                 \
	  "Only in one of them, or its text has changed, or what it uses", NEEDS(ROWS))
#define WHERE_IF(...)                                                                           \
	C("where", "file", PLACE, 12, 3, "Where it is, in the last profile that has it",        \
	  .second = "line", .grow = 2, __VA_ARGS__)
#define WHERE WHERE_IF(.flags = 0)
#define PROCEDURE(rank, help) C("procedure", "procedure", NAME, 12, rank, help, .grow = 3)
#define COMPARED_END(head, source, rank, help)                                                  \
	C(head, source, COMPARED_END, 12, rank, help, .grow = 3, NEEDS(ROWS))
#define COMPARED_SOURCE(head)                                                                   \
	SOURCE(head, SOURCE, 20, 5, 0, "Its source text; sorts in the order of the source",     \
	       .second = "end_line")

static const struct column compared_procedures[] = {
	FIGURES, PROCEDURE(0, "The procedure"), WHERE, END
};
static const struct column compared_places[] = {
	FIGURES, COMPARED_SOURCE("expression"), WHERE, PROCEDURE(6, "The procedure"), END
};
static const struct column compared_sites[] = {
	FIGURES, COMPARED_SOURCE("call"), WHERE,
	COMPARED_END("callee", "callee", 6, "What is called"), PROCEDURE(7, "Who calls"), END
};
static const struct column compared_lines[] = {
	FIGURES,
	SOURCE("source", SOURCE, 20, 5, 0,
	       "The source text of the line; sorts in the order of the source"),
	WHERE, END
};
static const struct column compared_files[] = {
	FIGURES, C("file", "file", PLACE, 12, 0, "The file", .grow = 3), END
};
static const struct column compared_arcs[] = {
	FIGURES, COMPARED_END("caller", "procedure", 0, "Who calls"),
	COMPARED_END("callee", "callee", 0, "What is called"), WHERE, ARC_CALL(18, 8), END
};
static const struct column compared_callers[] = {
	FIGURES, COMPARED_END("caller", "procedure", 0, "Who called"), CALL_LINE(3),
	ARC_CALL(18, 8), END
};
static const struct column compared_callees[] = {
	FIGURES, COMPARED_END("callee", "callee", 0, "What was called"), CALL_LINE(3),
	ARC_CALL(18, 8), END
};
static const struct column compared_producers[] = {
	FIGURES, SIZE_CLASS(0), TYPE(5), MAKER, END
};
static const struct column compared_types[] = {
	FIGURES, TYPE(0), END
};
static const struct column compared_sizes[] = {
	FIGURES, SIZE_CLASS(0), END
};
static const struct column compared_disposers[] = {
	FIGURES, C("how", "kind", TEXT, 7, 6, "free, realloc, or exit (free at the end)"),
	C("freed by", "procedure", NAME, 12, 0, "Who gave them back", .grow = 2),
	C("freed at", "file", PLACE, 12, 2, "Where", .second = "line", .grow = 1), END
};
static const struct column compared_pools[] = {
	FIGURES, C("pool", "type", NAME, 12, 0, "The procedure that gave them out", .grow = 1),
	MAKER, END
};
/* Things of any kind that were compared. */
static const struct column compared_columns[] = {
	FIGURES, COMPARED_END("procedure", "procedure", 0, "The procedure, or who calls"),
	COMPARED_END("callee", "callee", 0, "What is called"), WHERE_IF(NEEDS(ROWS)),
	C("size", "size_class", LINE, 7, 0, "The size class of the blocks", NEEDS(ROWS),
	  .unit = "B"),
	C("type", "type", NAME, 12, 0, "Of what type the blocks are", NEEDS(ROWS)), END
};

/* ---- kinds ---- */

#define KIND(of_list, of_columns, of_sort, row, rows)                                           \
	{ rows, LIST_##of_list, of_columns, of_sort, true, row, rows, true, 0, false }
#define PRINTED(of_list, of_columns, of_sort, row, rows)                                        \
	{ rows, LIST_##of_list, of_columns, of_sort, true, row, rows, true, 0, true }
const struct table_kind table_kinds[] = {
	[LIST_PROCEDURE] = KIND(PROCEDURE, procedure_columns, "self_ns", "procedure",
				"procedures"),
	[LIST_BLOCK] = KIND(BLOCK, block_columns, "self_ns", "expression", "expressions"),
	[LIST_SITE] = KIND(SITE, site_columns, "total_ns", "call site", "call sites"),
	[LIST_LINE] = KIND(LINE, line_columns, "self_ns", "line", "lines"),
	[LIST_FILE] = KIND(FILE, file_columns, "self_ns", "file", "files"),
	[LIST_DIRECTORY] = KIND(DIRECTORY, directory_columns, "total_ns", "directory",
				"directories"),
	[LIST_ARC] = PRINTED(ARC, arc_columns, "count", "arc", "arcs"),
	[LIST_CYCLE] = KIND(CYCLE, cycle_columns, "total_ns", "cycle", "cycles"),
	[LIST_NOTE] = PRINTED(NOTE, note_columns, "rank", "note", "notes"),
	[LIST_REMARK] = { "remarks", LIST_REMARK, remark_columns, "file", false, "remark",
			  "remarks", true, 0, false },
	[LIST_RUN] = PRINTED(RUN, run_columns, "run", "run", "runs"),
	[LIST_THREAD] = PRINTED(THREAD, thread_columns, "thread", "thread", "threads"),
	[LIST_RANK] = PRINTED(RANK, rank_columns, "rank", "rank", "ranks"),
	[LIST_IMBALANCE] = PRINTED(IMBALANCE, imbalance_columns, "self_over_ns", "procedure",
				   "procedures"),
	[LIST_MOMENT] = PRINTED(MOMENT, moment_columns, "moment", "moment", "moments"),
	[LIST_BAND] = PRINTED(BAND, band_columns, "id", "band", "bands"),
	[LIST_SPAN] = PRINTED(SPAN, span_columns, "kept_lo_bytes", "row", "rows"),
	[LIST_COMPARISON] = PRINTED(COMPARISON, compared_columns, "value", "row", "rows"),
	[LIST_PAIR] = KIND(PAIR, pair_columns, "bytes", "pair", "pairs"),
	[LIST_DISPOSER] = KIND(DISPOSER, disposer_columns, "bytes", "disposer", "disposers"),
	[LIST_LIFETIME] = KIND(LIFETIME, lifetime_columns, "bytes", "lifetime", "lifetimes"),
	[LIST_PRODUCER] = KIND(PRODUCER, producer_columns, "bytes", "producer", "producers"),
	[LIST_TYPE] = KIND(TYPE, type_columns, "bytes", "type", "types"),
	[LIST_SIZE] = KIND(SIZE, size_columns, "size_class", "size", "sizes"),
	[LIST_POOL] = KIND(POOL, pool_columns, "bytes", "row", "rows"),
	[LIST_DEFECT] = { "errors", LIST_DEFECT, defect_columns, "error", false, "error",
			  "errors", true, 0, false },
	[LIST_FRAME] = { "frames", LIST_FRAME, frame_columns, "id", false, "frame", "frames", false,
			 0, false },
	[LIST_NEVER] = KIND(NEVER, never_columns, "never", "procedure", "procedures"),
	[LIST_COVERAGE] = PRINTED(COVERAGE, coverage_columns, "path", "row", "rows"),
	[LIST_COVERED] = PRINTED(COVERED, covered_columns, "file", "procedure", "procedures"),
	[LIST_BRANCH] = PRINTED(BRANCH, branch_columns, "count", "condition", "conditions"),
	[LIST_PIN] = KIND(PIN, pin_columns, "id", "pin", "pins"),
	[LIST_TREE] = KIND(TREE, tree_columns, "id", "row", "rows"),
};
const struct table_kind callers_kind = KIND(ARC, caller_columns, "total_ns", "caller", "callers");
const struct table_kind callees_kind = KIND(ARC, callee_columns, "total_ns", "callee", "callees");
const struct table_kind chosen_threads_kind =
	KIND(THREAD, chosen_columns, "cpu_ns", "thread", "threads");
const struct table_kind counted_threads_kind =
	KIND(THREAD, counted_columns, "blocks_executed", "thread", "threads");
const struct table_kind plain_ranks_kind =
	KIND(RANK, plain_rank_columns, "rank", "rank", "ranks");
const struct table_kind chosen_ranks_kind =
	KIND(THREAD, ranked_columns, "cpu_ns", "thread", "threads");
const struct table_kind counted_ranks_kind =
	KIND(THREAD, counted_ranked_columns, "blocks_executed", "thread", "threads");
const struct table_kind joined_tree_kind = KIND(TREE, joined_columns, "id", "row", "rows");
const struct table_kind files_kind = { "files", LIST_FILE, file_columns, "file", false, "file",
				       "files", true, 0, false };
const struct table_kind never_files_kind = KIND(FILE, never_files, "never", "file", "files");
const struct table_kind outline_kind = { "outline", LIST_PROCEDURE, outline_columns, "line",
					 false, "procedure", "procedures", true, 0, false };

#define COMPARED(of_columns, row, rows, adds_up, by)                                            \
	{ "compared " rows, LIST_COMPARISON, of_columns, "value", true, row, rows, adds_up,     \
	  by + 1, false }
const struct table_kind compared_kinds[SUMMARY_NR] = {
	[SUMMARY_PROCEDURES] = COMPARED(compared_procedures, "procedure", "procedures", true,
					BY_PROCEDURE),
	[SUMMARY_BLOCKS] = COMPARED(compared_places, "expression", "expressions", true, BY_RANGE),
	[SUMMARY_SITES] = COMPARED(compared_sites, "call site", "call sites", true, BY_SITE),
	[SUMMARY_LINES] = COMPARED(compared_lines, "line", "lines", true, BY_LINE),
	[SUMMARY_FILES] = COMPARED(compared_files, "file", "files", true, BY_FILE),
	[SUMMARY_DIRECTORIES] = { "compared calls", LIST_COMPARISON, compared_arcs, "value", true,
				  "arc", "arcs", true, BY_ARC + 1, false },
};
const struct table_kind compared_producers_kind =
	COMPARED(compared_producers, "producer", "producers", true, BY_PRODUCER);
const struct table_kind compared_types_kind =
	COMPARED(compared_types, "type", "types", true, BY_TYPE);
const struct table_kind compared_sizes_kind =
	COMPARED(compared_sizes, "size", "sizes", true, BY_SIZE);
const struct table_kind compared_disposers_kind =
	COMPARED(compared_disposers, "disposer", "disposers", true, BY_DISPOSER);
const struct table_kind compared_pools_kind =
	COMPARED(compared_pools, "call of a pool", "calls of pools", true, BY_POOL);
const struct table_kind compare_callers_kind =
	COMPARED(compared_callers, "caller", "callers", false, BY_PAIR);
const struct table_kind compare_callees_kind =
	COMPARED(compared_callees, "callee", "callees", false, BY_PAIR);
const struct table_kind stored_callers_kind =
	COMPARED(compared_callers, "caller", "callers", false, BY_ARC);
const struct table_kind stored_callees_kind =
	COMPARED(compared_callees, "callee", "callees", false, BY_ARC);

const struct table_kind *
table_kind_at(int i)
{
	static const struct table_kind *const others[] = {
		&callers_kind, &callees_kind, &files_kind, &never_files_kind, &outline_kind,
		&compare_callers_kind,
		&compare_callees_kind, &compared_producers_kind, &compared_types_kind,
		&compared_sizes_kind, &compared_disposers_kind, &compared_pools_kind, NULL,
	};

	if (i < LIST_NR)
		return &table_kinds[i];
	i -= LIST_NR;
	return i < SUMMARY_NR ? &compared_kinds[i] : others[i - SUMMARY_NR];
}

/* ---- names ---- */

const char *
column_name(const struct column *c)
{
	return c->head[0] ? c->head : "bar";
}

/* Returns the heading where only ASCII can be shown. */
static const char *
plain_head(const struct column *c)
{
	static const char *const heads[][2] = {
		{ "\302\261", "+-" }, { "\302\261total", "+-total" },
	};

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (!strcmp(c->head, heads[i][0]))
			return heads[i][1];
	}
	return c->head;
}

static bool
is_called(const struct column *c, const char *name)
{
	return !strcasecmp(column_name(c), name) ||
	       !strcmp(name, plain_head(c));
}

int
columns_headed(const struct column *columns, int nr, const char *name, bool sort)
{
	for (int i = 0; i < nr && columns[i].head; i++)
		if ((!sort || columns[i].source) && is_called(&columns[i], name))
			return i;
	return -1;
}

int
columns_called(const struct column *columns, int nr, const char *name, bool sort)
{
	int headed = columns_headed(columns, nr, name, sort), share = -1;

	for (int i = 0; headed < 0 && i < nr && columns[i].head; i++) {
		if (!columns[i].source || columns[i].flags & COLUMN_IN_SOURCE ||
		    strcasecmp(columns[i].source, name))
			continue;
		if (sort || columns[i].cell == CELL_VALUE ||
		    columns[i].cell == CELL_PROPAGATED)
			return i;
		share = share < 0 ? i : share;
	}
	return headed < 0 ? share : headed;
}

/* Names begin with m1, m2, ... */
size_t
compare_middle(const char *source)
{
	return source && source[0] == 'm' && source[1] >= '1' && source[1] <= '9' && !source[2]
		       ? (size_t)(source[1] - '0') : 0;
}

const char *
column_heading(const struct column *c, size_t nr, bool ascii)
{
	if (nr && compare_middle(c->source))
		return sides_name(compare_middle(c->source));
	if (nr && c->cell == CELL_FIGURE && !strcmp(c->source, "b"))
		return sides_name(nr - 1);
	return ascii ? plain_head(c) : c->head;
}

void
column_put_head(struct strbuf *out, const struct column *c, const char *head)
{
	strbuf_str(out, head);
	if (c->unit) {
		strbuf_char(out, ' ');
		strbuf_str(out, c->unit);
	}
}

/* ---- time by program counter or by cost centre ---- */

const char *const self_by_names[NR_SELF_BY + 1] = {
	[SELF_BY_PC] = "pc", [SELF_BY_CENTRE] = "centre", [SELF_BY_OWN] = "own",
};

/* Time by program counter, and the same figure by others. */
static const struct { const char *pc, *by[NR_SELF_BY]; } self_columns[] = {
	{ "self_ns", { NULL, "centre_ns", "own_ns" } },
	{ "self_samples", { NULL, "centre_samples", "own_samples" } },
	{ "self_wait_ns", { NULL, NULL, "own_wait_ns" } },
	{ "total_ns", { NULL, "centre_total_ns", NULL } },
	{ "self_each_ns", { NULL, "centre_each_ns", "own_each_ns" } },
};

const char *
column_self_by(const char *source, enum self_by by)
{
	for (size_t i = 0; source && i < sizeof(self_columns) / sizeof(*self_columns); i++) {
		const char *other = self_columns[i].by[by];

		if (other && !strcmp(source, self_columns[i].pc))
			return other;
		if (other && !strcmp(source, other))
			return self_columns[i].pc;
	}
	return source;
}

/* What is headed as self time, and is not. */
static const struct { const char *head, *own, *help; } own_heads[] = {
	{ "self%", "own%", "Share of all own time" },
	{ "self", "own", OWN_HELP }, { "own", "self", SELF_HELP },
	{ "self/call", "own/call", "Own time of each call" },
};

void
column_set_self_by(struct column *c, enum self_by by)
{
	c->source = column_self_by(c->source, by);
	c->second = column_self_by(c->second, by);
	if (by == SELF_BY_CENTRE && c->needs == NEEDS_CENTRES)
		c->head = "by pc";
	for (size_t i = 0; i < sizeof(own_heads) / sizeof(*own_heads); i++) {
		if (by == SELF_BY_OWN && !strcmp(c->head, own_heads[i].head)) {
			c->head = own_heads[i].own;
			c->help = own_heads[i].help;
			return;
		}
	}
}

/* Paths are in order, so what the first and the last have in common all have. */
char *
profile_directory(struct profile *p)
{
	struct list_query q = { .kind = LIST_FILE, .sort = list_column_find(LIST_FILE, "file") };
	int column = q.sort;
	struct listing *files = listing_open(p, &q);
	size_t n = 0, rows = files ? listing_rows(files) : 0;
	const struct list_row *row = rows ? listing_row(files, 0) : NULL;
	char *first = xstrdup(row && !row->cells[column].null ? row->cells[column].text : "");
	const char *last;

	row = rows ? listing_row(files, rows - 1) : NULL;
	last = row && !row->cells[column].null ? row->cells[column].text : "";
	while (first[n] && first[n] == last[n])
		n++;
	while (n && first[n - 1] != '/')
		n--;
	/* The root alone would say more than nothing. */
	first[n > 1 ? n : 0] = '\0';
	listing_close(files);
	return first;
}
