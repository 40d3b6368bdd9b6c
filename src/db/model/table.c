#include "db/model/table.h"

#include <string.h>

const char *const stored_file_states[] = { "stored", "missing", "unreadable", "stale", "large",
					   "withheld", NULL };
const char *const stored_range_kinds[] = { "statement", "operand", "macro", "definition",
					   "procedure", "line", "point", NULL };
const char *const stored_site_kinds[] = { "direct", "indirect", "inlined", "unknown", NULL };
const char *const stored_combines[] = { "sum", "max", "last", "none", NULL };
const char *const stored_inclusives[] = { "none", "arcs", "stacks", "measured", NULL };
const char *const stored_disposal_hows[] = { "never", "free", "realloc", "exit", NULL };
const char *const stored_arc_hows[] = { "measured", "solved", "estimated", "pinned",
					"sampled", NULL };
const char *const stored_defect_roles[] = { "error", "allocated", "freed", "created", "previous",
					    "other", NULL };
const char *const stored_spread_figures[] = { "self", "calls", "work", NULL };
const char *const stored_branch_kinds[] = { "if", "loop", "conditional", "operand", "switch",
					    "line", NULL };

#define C(kind, called, member, ...)                                                       \
	{ .name = called, .holds = HOLDS_##kind, .at = offsetof(ROW, member),              \
	  .size = sizeof(((ROW *)0)->member), __VA_ARGS__ }
#define D(kind, called, member, ...)                                                       \
	{ .name = called, .holds = HOLDS_##kind, .at = offsetof(SIDE, member),             \
	  .size = sizeof(((SIDE *)0)->member), .flags = COLUMN_SIDE, __VA_ARGS__ }
#define FLAG(called, flag, ...) C(FLAG, called, flags, .bit = flag, __VA_ARGS__)
#define SELF { .name = "self_", .holds = HOLDS_SELF, .at = offsetof(ROW, figures) }
#define TOTAL { .name = "total_", .holds = HOLDS_TOTAL, .at = offsetof(ROW, figures), \
		.flags = COLUMN_CHANGES }
#define CHANGING COLUMN_SOLVED | COLUMN_CHANGES
#define END { .name = NULL }
#define WITHOUT \
	C(COUNT, "runs_without", runs_without, \
	  .comment = "so many runs are of builds that have it not")
#define LACKING(of) \
	C(COUNT, "lacking", lacking, .comment = "so many runs of loops are not in " of)

#define ROW struct profile_totals
static const struct table_column totals_columns[] = {
	C(U32, "runs", nr_runs), C(U32, "threads", nr_threads), C(U32, "files", nr_files),
	C(COUNT, "procedures", nr_procedures), C(COUNT, "blocks", nr_blocks),
	C(COUNT, "ranges", nr_ranges), C(COUNT, "call_sites", nr_sites),
	C(COUNT, "arcs", nr_arcs), C(COUNT, "lines", nr_lines, .comment = "lines with code"),
	C(COUNT, "notes", nr_notes),
	C(COUNT, "blocks_executed", blocks_executed, .comment = "sum of block.count"),
	C(COUNT, "calls", calls, .comment = "sum of call_site.count"),
	C(COUNT, "self_ns", self_ns, .comment = "sum of procedure.self_ns"),
	C(COUNT, "self_samples", self_samples),
	C(COUNT, "max_block_count", max_block_count),
	C(COUNT, "max_block_self_ns", max_block_self_ns),
	C(COUNT, "max_line_count", max_line_count),
	C(COUNT, "max_line_self_ns", max_line_self_ns),
	C(COUNT, "max_procedure_total_ns", max_procedure_total_ns),
	C(COUNT, "wait_ns", wait_ns, .comment = "sum of procedure.self_wait_ns"),
	C(COUNT, "max_block_self_wait_ns", max_block_self_wait_ns),
	C(COUNT, "max_line_self_wait_ns", max_line_self_wait_ns),
	C(COUNT, "cycles", nr_cycles),
	C(COUNT, "rows_without", rows_without, .comment = "how many have runs_without"),
	C(COUNT, "max_line_code_bytes", max_line_code_bytes), END
};
#undef ROW

#define ROW struct model_measure
static const struct table_column measure_columns[] = {
	C(TEXT, "name", name, .comment = "its columns are self_NAME and total_NAME"),
	C(TEXT, "label", label, .flags = COLUMN_NONE,
	  .comment = "as another tool calls it; NULL: the same"),
	C(TEXT, "title", title),
	C(TEXT, "unit", unit, .comment = "ns bytes count samples, or any word"),
	C(WORD, "combine", combine, .words = stored_combines,
	  .comment = "runs, threads and copies: sum max last none"),
	C(WORD, "inclusive", inclusive, .words = stored_inclusives,
	  .comment = "totals come from: none arcs stacks measured"),
	C(TEXT, "formula", formula, .flags = COLUMN_NONE,
	  .comment = "over others, computed when shown; NULL: it is stored"),
	C(BOOL, "exact", exact, .comment = "0: from samples"),
	C(BOOL, "detail", detail, .comment = "1: is shown where it is asked for"),
	C(COUNT, "period", period, .comment = "that one sample stands for; 0: it varies"),
	C(COUNT, "total", total, .comment = "of all procedures, combined"),
	C(COUNT, "max_block", max_block), C(COUNT, "max_line", max_line),
	C(SOME_REAL, "max_value", max_value, .comment = "the greatest of a line, by the formula"),
	END
};
#undef ROW

#define ROW struct model_run
static const struct table_column run_columns[] = {
	C(TEXT, "command", command, .flags = COLUMN_NULL, .comment = "shell-quoted"),
	C(TEXT, "directory", directory, .flags = COLUMN_NULL),
	C(TEXT, "program", program, .flags = COLUMN_NULL),
	C(TEXT, "build_id", build_id, .flags = COLUMN_NULL),
	C(TEXT, "host", host, .flags = COLUMN_NULL),
	C(TEXT, "tool", tool, .flags = COLUMN_NONE, .comment = "that wrote it; NULL: cgview"),
	C(TEXT, "label", label, .flags = COLUMN_NONE, .comment = "the user's; NULL: none"),
	C(TEXT, "job", job, .flags = COLUMN_NONE,
	  .comment = "its number in a batch system; NULL: none"),
	C(TIME, "started_ns", started_ns, .comment = "since 1970"),
	C(COUNT, "wall_ns", wall_ns), C(COUNT, "user_ns", user_ns),
	C(COUNT, "system_ns", system_ns), C(COUNT, "cpu_ns", cpu_ns),
	C(INT, "exit_status", exit_status, .comment = "-1: killed or unknown"),
	C(INT, "exit_signal", exit_signal, .comment = "0: none"),
	C(COUNT, "asked_interval_ns", asked_interval_ns), C(COUNT, "interval_ns", interval_ns),
	C(COUNT, "sample_ns", sample_ns, .comment = "that one stands for in errors"),
	C(TEXT, "clock", clock, .flags = COLUMN_NONE,
	  .comment = "what sampled time, and why; NULL: not known"),
	C(COUNT, "samples", samples), C(COUNT, "lost_samples", lost_samples),
	C(COUNT, "unprofiled_samples", unprofiled_samples), C(U32, "processes", processes),
	C(COUNT, "centre_samples", centre_samples, .comment = "0: cost centres were not kept"),
	C(COUNT, "centre_unprofiled_samples", centre_unprofiled_samples,
	  .comment = "of them without a centre"),
	C(COUNT, "wall_interval_ns", wall_interval_ns, .comment = "0: waiting was not looked for"),
	C(COUNT, "wait_ns", wait_ns, .comment = "all threads, waiting"),
	C(COUNT, "unprofiled_wait_ns", unprofiled_wait_ns),
	C(COUNT, "delay_ns", delay_ns,
	  .comment = "all threads, able to run but without a processor"),
	C(TEXT, "baseline_program", baseline_program, .flags = COLUMN_NONE,
	  .comment = "the same without profiling; NULL: not known"),
	C(COUNT, "baseline_wall_ns", baseline_wall_ns),
	C(COUNT, "baseline_user_ns", baseline_user_ns),
	C(COUNT, "baseline_system_ns", baseline_system_ns),
	C(TEXT, "raws", raws, .flags = COLUMN_NONE,
	  .comment = "what tells its raw files from all others; NULL: not known"), END
};
#undef ROW

#define ROW struct model_module
static const struct table_column module_columns[] = {
	C(TEXT, "path", path),
	C(TEXT, "build_id", build_id, .comment = "empty: it has none"), END
};
#undef ROW

#define ROW struct model_part
#define SIDE struct part_side
static const struct table_column part_columns[] = {
	C(ID, "run", run, .refers = TABLE_RUN, .flags = COLUMN_NULL | COLUMN_NEEDED),
	D(U32, "pid", pid, .comment = "of its first thread"), D(U32, "tid", tid),
	D(TEXT, "name", name),
	C(INT, "rank", rank, .comment = "of its process in a parallel program; -1: none"),
	D(COUNT, "threads", threads, .comment = "that counted there one after the other"),
	D(TEXT, "tids", tids, .comment = "of the first few"), D(COUNT, "cpu_ns", cpu_ns),
	C(COUNT, "samples", samples), D(COUNT, "lost_samples", lost_samples),
	D(COUNT, "wait_ns", wait_ns), D(COUNT, "delay_ns", delay_ns),
	C(COUNT, "blocks_executed", blocks_executed), C(COUNT, "size_bytes", data.size),
	C(BLOB, "data_zlib", data.blob, .comment = "its counts; NULL: it is the only part"), END
};
#undef ROW
#undef SIDE

#define ROW struct model_thread
static const struct table_column thread_columns[] = {
	C(ID, "run", run, .refers = TABLE_RUN, .flags = COLUMN_NULL),
	C(ID, "part", part, .refers = TABLE_PART, .flags = COLUMN_NULL,
	  .comment = "where it counted"),
	C(U32, "pid", pid), C(U32, "tid", tid), C(COUNT, "cpu_ns", cpu_ns),
	C(COUNT, "samples", samples), C(COUNT, "lost_samples", lost_samples),
	C(COUNT, "wait_ns", wait_ns), C(COUNT, "delay_ns", delay_ns),
	C(TEXT, "name", name, .comment = "as the kernel knew it"),
	C(U32, "more_threads", more_threads, .comment = "later ones that are in its figures"), END
};
#undef ROW

#define ROW struct model_track
static const struct table_column track_columns[] = {
	C(ID, "run", run, .refers = TABLE_RUN, .flags = COLUMN_NULL | COLUMN_NEEDED),
	C(ID, "part", part, .refers = TABLE_PART, .flags = COLUMN_NULL,
	  .comment = "NULL: threads are not told apart by parts"),
	C(U32, "pid", pid, .comment = "of its first thread"), C(U32, "tid", tid),
	C(TEXT, "name", name), C(COUNT, "samples", samples, .comment = "of time"),
	C(COUNT, "waits", waits), C(COUNT, "size_bytes", data.size),
	C(BLOB, "data_zlib", data.blob, .comment = "stacks, and when they were seen"), END
};
#undef ROW

#define ROW struct model_note
static const struct table_column note_columns[] = {
	C(TEXT, "kind", kind), C(TEXT, "text", text), END
};
#undef ROW

#define ROW struct model_file
#define SIDE struct file_side
static const struct table_column file_columns[] = {
	C(TEXT, "path", path),
	C(WORD, "state", state, .words = stored_file_states,
	  .comment = "stored missing unreadable stale large withheld"),
	C(U32, "lines", lines), D(COUNT, "code_lines", code_lines),
	D(COUNT, "executed_lines", executed_lines),
	D(COUNT, "uncounted_lines", uncounted_lines,
	  .comment = "that may have been executed or not"),
	D(COUNT, "procedures", procedures),
	D(COUNT, "count", count, .comment = "sum of block.count"),
	D(COUNT, "self_samples", self_samples), D(COUNT, "self_ns", self_ns),
	{ .name = "hash", .holds = HOLDS_TEXT, .at = offsetof(SIDE, hash), .size = sizeof(char *),
	  .flags = COLUMN_SIDE | COLUMN_NONE,
	  .comment = "FNV-1a 64 of the text, hexadecimal" },
	D(COUNT, "size_bytes", size_bytes),
	D(BLOB, "text_zlib", text, .comment = "sqlar_uncompress(text_zlib, size_bytes)"),
	D(COUNT, "self_wait_ns", self_wait_ns),
	{ .name = "self_", .holds = HOLDS_SELF, .at = offsetof(SIDE, figures),
	  .flags = COLUMN_SIDE }, END
};
#undef ROW
#undef SIDE

#define ROW struct model_procedure
#define SIDE struct procedure_side
static const struct table_column procedure_columns[] = {
	C(TEXT, "name", name), C(TEXT, "linkage_name", linkage_name, .flags = COLUMN_NULL),
	C(TEXT, "module", module, .flags = COLUMN_NULL), C(PLACE, NULL, place),
	FLAG("is_static", PROCEDURE_STATIC), FLAG("is_comdat", PROCEDURE_COMDAT),
	FLAG("is_main", PROCEDURE_MAIN), FLAG("is_variadic", PROCEDURE_VARIADIC),
	FLAG("is_artificial", PROCEDURE_ARTIFICIAL), FLAG("is_address_taken", PROCEDURE_TAKEN),
	FLAG("is_only_passed", PROCEDURE_PASSED, .comment = "its address, to code outside"),
	FLAG("is_foreign", PROCEDURE_FOREIGN, .comment = "not profiled; module: a short name"),
	FLAG("is_wrapper", PROCEDURE_WRAPPER, .comment = "of an allocator"),
	C(SOME, "code_bytes", code_bytes, .comment = "NULL: unknown"),
	C(COUNT, "calls", calls), C(COUNT, "self_samples", self_samples),
	C(COUNT, "self_ns", self_ns),
	C(COUNT, "total_samples", total_samples),
	C(COUNT, "total_ns", total_ns, .comment = "from the sampled stacks"),
	C(COUNT, "propagated_ns", propagated_ns, .flags = CHANGING,
	  .comment = "self times carried up the arcs"),
	C(COUNT, "propagated_lo_ns", propagated_lo_ns, .flags = COLUMN_SOLVED,
	  .comment = "how far it can move with the arcs"),
	C(COUNT, "propagated_hi_ns", propagated_hi_ns, .flags = COLUMN_SOLVED),
	C(BOOL, "differs", differs, .flags = COLUMN_SOLVED,
	  .comment = "1: propagated and total, beyond chance"),
	C(U32, "cycle", cycle, .flags = CHANGING, .comment = "its number, 0: in none"),
	C(COUNT, "self_calls", self_calls, .flags = CHANGING, .comment = "by itself, directly"),
	C(COUNT, "calls_without_site", calls_without_site, .flags = COLUMN_SOLVED),
	C(COUNT, "centre_samples", centre_samples, .comment = "self time, by cost centre"),
	C(COUNT, "centre_ns", centre_ns),
	C(COUNT, "centre_total_ns", centre_total_ns, .flags = COLUMN_SOLVED,
	  .comment = "centre_ns propagated along the arcs"),
	C(COUNT, "self_wait_ns", self_wait_ns),
	C(COUNT, "total_wait_ns", total_wait_ns,
	  .comment = "from the stacks of those that waited"),
	C(COUNT, "own_samples", own_samples, .flags = COLUMN_SOLVED),
	C(COUNT, "own_ns", own_ns, .flags = COLUMN_SOLVED,
	  .comment = "self without what foreign code did for it"),
	C(COUNT, "own_wait_ns", own_wait_ns, .flags = COLUMN_SOLVED),
	C(COUNT, "self_work", self_work, .flags = COLUMN_SOLVED,
	  .comment = "sum of its blocks' counts"),
	C(COUNT, "total_work", total_work, .flags = CHANGING,
	  .comment = "self_work propagated along the arcs"),
	C(BOOL, "estimated", estimated, .flags = COLUMN_SOLVED,
	  .comment = "1: what is propagated rests on estimated arcs"),
	C(BOOL, "shared", shared, .flags = CHANGING,
	  .comment = "1: totals of measures with inclusive arcs are estimates"),
	D(KNOWN, "self_sd_ns", self_sd_ns,
	  .comment = "standard deviation over runs; NULL: less than two"),
	WITHOUT, LACKING("calls"), SELF, TOTAL, END
};
#undef ROW
#undef SIDE

#define ROW struct model_block
#define SIDE struct block_side
static const struct table_column block_columns[] = {
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NEEDED),
	C(U32, "number", number, .comment = "within the procedure"), C(PLACE, NULL, place),
	C(COUNT, "count", count), C(COUNT, "self_samples", self_samples),
	C(COUNT, "self_ns", self_ns), C(COUNT, "self_wait_ns", self_wait_ns),
	D(ID, "hottest", hottest, .refers = TABLE_RANGE,
	  .comment = "of those in the same file; NULL: no time"),
	WITHOUT, LACKING("count"), SELF, END
};
#undef ROW
#undef SIDE

#define ROW struct model_range
static const struct table_column range_columns[] = {
	C(ID, "block", block, .refers = TABLE_BLOCK, .flags = COLUMN_NEEDED),
	C(WORD, "kind", kind, .words = stored_range_kinds,
	  .comment = "statement operand macro definition procedure line point"),
	C(PLACE, NULL, place),
	C(COUNT, "self_samples", self_samples, .comment = "innermost range only"),
	C(COUNT, "self_ns", self_ns), C(COUNT, "self_wait_ns", self_wait_ns), SELF, END
};
#undef ROW

#define ROW struct model_site
static const struct table_column call_site_columns[] = {
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NEEDED,
	  .comment = "the caller"),
	C(ID, "block", block, .refers = TABLE_BLOCK, .flags = COLUMN_NULL),
	C(WORD, "kind", kind, .words = stored_site_kinds,
	  .comment = "direct indirect inlined unknown"),
	C(PLACE, NULL, place),
	C(TEXT, "target", target, .flags = COLUMN_NULL,
	  .comment = "direct: linkage name; indirect: type signature"),
	C(COUNT, "count", count), C(COUNT, "total_samples", total_samples),
	C(COUNT, "total_ns", total_ns, .comment = "sampled below this site"),
	C(COUNT, "calls_without_entry", calls_without_entry, .flags = COLUMN_SOLVED),
	C(COUNT, "total_wait_ns", total_wait_ns, .comment = "waited below this site"),
	C(COUNT, "propagated_ns", propagated_ns, .flags = CHANGING,
	  .comment = "what its arcs bring"),
	C(COUNT, "total_work", total_work, .flags = CHANGING),
	C(BOOL, "shared", shared, .flags = CHANGING), WITHOUT, LACKING("count"),
	C(TEXT, "type", type, .flags = COLUMN_NONE,
	  .comment = "of the blocks that it gets; NULL: none, or not known"), TOTAL, SELF, END
};
#undef ROW

#define ROW struct model_arc
#define SIDE struct arc_side
static const struct table_column arc_columns[] = {
	C(ID, "site", site, .refers = TABLE_SITE, .flags = COLUMN_NULL,
	  .comment = "NULL: outside"),
	D(ID, "caller", caller, .refers = TABLE_PROCEDURE, .comment = "NULL: outside"),
	C(ID, "callee", callee, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "NULL: outside"),
	C(WORD, "how", how, .words = stored_arc_hows, .flags = COLUMN_CHANGES,
	  .comment = "measured solved estimated pinned sampled"),
	C(COUNT, "count", count, .flags = COLUMN_CHANGES), C(COUNT, "lo", lo), C(COUNT, "hi", hi),
	C(COUNT, "total_samples", total_samples, .flags = COLUMN_SOLVED),
	C(COUNT, "total_ns", total_ns, .flags = COLUMN_SOLVED,
	  .comment = "of the stacks that pass through it"),
	C(COUNT, "pair_samples", pair_samples, .flags = COLUMN_SOLVED,
	  .comment = "that get from caller to callee first by it"),
	C(COUNT, "pair_ns", pair_ns, .flags = COLUMN_SOLVED, .comment = "their time"),
	C(COUNT, "propagated_ns", propagated_ns, .flags = CHANGING,
	  .comment = "of the callee's; 0 within a cycle"),
	C(COUNT, "samples", samples, .flags = COLUMN_SOLVED,
	  .comment = "that enter the callee or its cycle here"),
	C(BOOL, "differs", differs, .flags = COLUMN_SOLVED,
	  .comment = "1: of samples, another share than of calls"),
	C(COUNT, "measured", measured, .comment = "of count: noted by the program"),
	C(ID, "through", through, .refers = TABLE_SITE, .flags = COLUMN_NULL,
	  .comment = "gave the callee's address to outside"),
	C(COUNT, "total_work", total_work, .flags = CHANGING,
	  .comment = "of the callee's; 0 within a cycle"),
	C(U32, "unlike", unlike, .comment = "0: types are the same, 1: but for void *, 2: not"),
	C(BOOL, "shared", shared, .flags = CHANGING),
	/* Some were measured, the others are made anew when it is solved. */
	{ .name = "total_", .holds = HOLDS_TOTAL, .at = offsetof(ROW, figures),
	  .flags = COLUMN_CHANGES },
	{ .name = "pair_", .holds = HOLDS_SELF, .at = offsetof(ROW, figures),
	  .flags = COLUMN_CHANGES }, END
};
#undef ROW
#undef SIDE

#define ROW struct model_pin
static const struct table_column pin_columns[] = {
	C(TEXT, "name", name, .comment = "of the pins that belong together"),
	C(ID, "site", site, .refers = TABLE_SITE, .flags = COLUMN_NULL,
	  .comment = "NULL: outside"),
	C(ID, "callee", callee, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "NULL: outside"),
	C(COUNT, "count", count), END
};
#undef ROW

#define ROW struct model_cycle
static const struct table_column cycle_columns[] = {
	C(TEXT, "members", members, .flags = COLUMN_NULL, .comment = "names of the first few"),
	C(U32, "procedures", procedures), C(COUNT, "self_ns", self_ns),
	C(COUNT, "total_samples", total_samples),
	C(COUNT, "total_ns", total_ns, .comment = "of the stacks with any of them"),
	C(COUNT, "propagated_ns", propagated_ns),
	C(COUNT, "inner_calls", inner_calls, .comment = "of one member by another"),
	C(COUNT, "self_calls", self_calls, .comment = "of a member by itself"),
	C(COUNT, "outer_calls", outer_calls, .comment = "calls from outside the cycle"), END
};
#undef ROW

#define ROW struct model_line
static const struct table_column line_columns[] = {
	C(ID, "file", file, .refers = TABLE_FILE, .flags = COLUMN_NEEDED), C(U32, "line", line),
	C(COUNT, "count", count), C(COUNT, "self_samples", self_samples),
	C(COUNT, "self_ns", self_ns), C(COUNT, "total_samples", total_samples),
	C(COUNT, "total_ns", total_ns, .comment = "with what is called there, once a stack"),
	C(COUNT, "self_wait_ns", self_wait_ns), WITHOUT, LACKING("count"),
	C(SOME, "code_bytes", code_bytes, .comment = "in all copies; NULL: none, or unknown"),
	SELF, END
};
#undef ROW

#define ROW struct model_context
static const struct table_column context_columns[] = {
	C(ID, "parent", parent, .refers = TABLE_CONTEXT, .flags = COLUMN_NULL | COLUMN_BEFORE,
	  .comment = "NULL: a root"),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "NULL: not profiled"),
	C(ID, "site", site, .refers = TABLE_SITE, .flags = COLUMN_NULL),
	C(ID, "block", block, .refers = TABLE_BLOCK, .flags = COLUMN_NULL,
	  .comment = "of its own samples; NULL: not known, or several"),
	C(COUNT, "self_samples", self_samples), C(COUNT, "self_ns", self_ns),
	C(COUNT, "total_samples", total_samples), C(COUNT, "total_ns", total_ns),
	C(COUNT, "self_wait_ns", self_wait_ns), C(COUNT, "total_wait_ns", total_wait_ns),
	SELF, TOTAL, END
};
#undef ROW

#define ROW struct model_disposal
static const struct table_column disposal_columns[] = {
	C(ID, "site", site, .refers = TABLE_SITE, .flags = COLUMN_NULL,
	  .comment = "that wanted the blocks"),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "it is in; NULL: not profiled"),
	C(ID, "by_site", by_site, .refers = TABLE_SITE, .flags = COLUMN_NULL,
	  .comment = "that gave them back"),
	C(ID, "by", by, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL),
	C(WORD, "how", how, .words = stored_disposal_hows, .comment = "never free realloc exit"),
	C(COUNT, "blocks", blocks), C(COUNT, "bytes", bytes),
	C(COUNT, "life_bytes", life_bytes, .comment = "sum, of bytes allocated meanwhile"),
	C(COUNT, "temporary", lives[0], .comment = "blocks, by how long they lived"),
	C(COUNT, "under_4k", lives[1]), C(COUNT, "under_64k", lives[2]),
	C(COUNT, "under_1m", lives[3]), C(COUNT, "under_16m", lives[4]),
	C(COUNT, "under_256m", lives[5]), C(COUNT, "under_4g", lives[6]),
	C(COUNT, "longer", lives[7]),
	C(COUNT, "moved", moved, .comment = "blocks, by realloc"),
	C(COUNT, "copied_bytes", copied_bytes), C(COUNT, "grown_bytes", grown_bytes),
	C(COUNT, "timed", timed, .comment = "blocks whose time is known"),
	C(COUNT, "least_ns", least_ns, .comment = "sums of bounds of their lifetimes"),
	C(COUNT, "most_ns", most_ns), END
};
#undef ROW

#define ROW struct model_allocation
static const struct table_column allocation_columns[] = {
	C(ID, "site", site, .refers = TABLE_SITE, .flags = COLUMN_NULL,
	  .comment = "that wanted the blocks"),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "it is in; NULL: not profiled"),
	C(TEXT, "pool", pool, .flags = COLUMN_NONE,
	  .comment = "whose parts they are; NULL: an allocator gave them"),
	C(KNOWN, "size_class", size_class,
	  .comment = "the power of two that they fit in; NULL: not known"),
	C(COUNT, "blocks", blocks), C(COUNT, "bytes", bytes),
	C(COUNT, "slack_bytes", slack_bytes,
	  .comment = "usable beyond; of a pool: bytes whose end would be seen"),
	C(COUNT, "live_blocks", live_blocks, .comment = "in the end"),
	C(COUNT, "live_bytes", live_bytes),
	C(COUNT, "peak_bytes", peak_bytes, .comment = "live at the peak of their run"),
	C(COUNT, "freed_blocks", freed_blocks), C(COUNT, "freed_bytes", freed_bytes),
	C(COUNT, "temporary", temporary, .comment = "of the freed blocks"),
	C(COUNT, "life_bytes", life_bytes, .comment = "sum, of bytes allocated meanwhile"), END
};
#undef ROW

#define ROW struct model_producer
static const struct table_column producer_columns[] = {
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "NULL: not profiled"),
	C(ID, "site", site, .refers = TABLE_SITE, .flags = COLUMN_NULL,
	  .comment = "the call that wants memory; NULL: not known"),
	C(BOOL, "through", through, .comment = "1: code outside wants it for the call"),
	C(PLACE, NULL, place), END
};
#undef ROW

#define ROW struct model_heap
static const struct table_column heap_columns[] = {
	C(ID, "run", run, .refers = TABLE_RUN, .flags = COLUMN_NULL | COLUMN_NEEDED),
	C(U32, "pid", pid), C(COUNT, "peak_bytes", peak_bytes, .comment = "the most that was live"),
	C(COUNT, "peak_lo_bytes", peak_lo_bytes, .comment = "between these it must lie"),
	C(COUNT, "peak_hi_bytes", peak_hi_bytes),
	C(COUNT, "moments", moments, .comment = "written; not all are kept"),
	C(BOOL, "full", full, .comment = "1: there was no room for more"), END
};
#undef ROW

#define ROW struct model_moment
static const struct table_column moment_columns[] = {
	C(ID, "heap", heap, .refers = TABLE_HEAP, .flags = COLUMN_NEEDED),
	C(COUNT, "at_ns", at_ns, .comment = "since the program began"),
	C(COUNT, "cpu_ns", cpu_ns, .comment = "of the process"),
	C(COUNT, "clock_bytes", clock_bytes, .comment = "handed out until then"),
	C(COUNT, "live_bytes", live_bytes),
	C(COUNT, "inherited_bytes", inherited_bytes, .comment = "of these: got by fork"),
	C(COUNT, "resident_bytes", resident_bytes, .comment = "0: not known"),
	C(BOOL, "peak", peak, .comment = "1: the one with most of its heap"), END
};
#undef ROW

#define ROW struct model_band
static const struct table_column band_columns[] = {
	C(ID, "moment", moment, .refers = TABLE_MOMENT, .flags = COLUMN_NEEDED),
	C(ID, "producer", producer, .refers = TABLE_PRODUCER, .flags = COLUMN_NULL,
	  .comment = "NULL: all others"),
	C(COUNT, "live_bytes", live_bytes),
	C(COUNT, "made_bytes", made_bytes, .comment = "handed out until then"), END
};
#undef ROW

#define ROW struct model_size_band
static const struct table_column size_band_columns[] = {
	C(ID, "moment", moment, .refers = TABLE_MOMENT, .flags = COLUMN_NEEDED),
	C(KNOWN, "size_class", size_class, .comment = "as in allocation; NULL: not known"),
	C(COUNT, "live_bytes", live_bytes),
	C(COUNT, "made_bytes", made_bytes, .comment = "handed out until then"), END
};
#undef ROW

#define ROW struct model_compared
static const struct table_column compared_columns[] = {
	C(TEXT, "name", name, .comment = "in expressions: a, b ..."), C(TEXT, "path", path),
	C(TEXT, "command", command, .flags = COLUMN_NONE),
	C(TEXT, "build_id", build_id, .flags = COLUMN_NONE),
	C(SOME_REAL, "size", size, .comment = "of its input; NULL: not told"),
	C(REAL, "count_scale", count_scale, .comment = "its counts were multiplied with this"),
	C(REAL, "time_scale", time_scale),
	C(TIME, "started_ns", started_ns,
	  .comment = "its first run; and its totals: to know it again"),
	C(COUNT, "blocks_executed", blocks_executed), C(COUNT, "self_ns", self_ns), END
};
#undef ROW

#define ROW struct model_metric
static const struct table_column metric_columns[] = {
	C(TEXT, "name", name), C(TEXT, "expression", expression),
	C(TEXT, "things", things, .comment = "procedure block range line site arc pair file "
	  "producer type size disposer pool"),
	C(TEXT, "figure", figure, .comment = "what comparison.a and .b are"), END
};
#undef ROW

#define ROW struct model_comparison
static const struct table_column comparison_columns[] = {
	C(ID, "metric", metric, .refers = TABLE_METRIC, .flags = COLUMN_NEEDED),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "it, or the one it is in"),
	C(ID, "callee", callee, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "of calls"),
	C(TEXT, "procedure_name", procedure_name, .flags = COLUMN_NONE,
	  .comment = "of one that is not in this profile"),
	C(TEXT, "callee_name", callee_name, .flags = COLUMN_NONE),
	C(TEXT, "path", path, .flags = COLUMN_NONE,
	  .comment = "of a file that is not in this profile"),
	C(COMPARED_PLACE, NULL, place), C(TEXT, "kind", kind),
	C(SCALAR, "a", a, .comment = "the figure in the first profile; NULL: not there"),
	C(SCALAR, "b", b, .comment = "in the last one"),
	C(SCALAR, "value", value, .comment = "NULL: none"), C(TEXT, "sides", sides),
	C(REAL, "significance", significance, .flags = COLUMN_NULL,
	  .comment = "in standard errors; NULL: exact"),
	C(SOME, "arcs", arcs, .comment = "of a pair: how many; NULL: it is none"),
	C(ID, "pair", pair, .refers = TABLE_COMPARISON, .flags = COLUMN_NULL,
	  .comment = "of an arc: its pair's row"),
	C(TEXT, "type", type, .flags = COLUMN_NONE, .comment = "of blocks"),
	C(KNOWN, "size_class", size_class, .comment = "of blocks"), END
};
#undef ROW

#define ROW struct model_defect
static const struct table_column defect_columns[] = {
	C(TEXT, "tool", tool, .comment = "memcheck asan lsan ubsan tsan, or another one"),
	C(TEXT, "kind", kind, .comment = "the tool's word for it"), C(TEXT, "what", what),
	C(COUNT, "count", count, .comment = "how often it was seen"),
	C(COUNT, "bytes", bytes, .comment = "lost by a leak"), C(COUNT, "blocks", blocks),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL),
	C(COMPARED_PLACE, NULL, place), END
};
#undef ROW

#define ROW struct model_defect_frame
static const struct table_column defect_frame_columns[] = {
	C(ID, "defect", defect, .refers = TABLE_DEFECT, .flags = COLUMN_NEEDED),
	C(U32, "stack", stack, .comment = "1: of the error itself"),
	C(WORD, "role", role, .words = stored_defect_roles,
	  .comment = "of the stack: error allocated freed created previous other"),
	C(U32, "depth", depth, .comment = "the innermost is 1"),
	C(TEXT, "name", name), C(TEXT, "module", module),
	C(TEXT, "path", path, .flags = COLUMN_NONE,
	  .comment = "of a source that is not in this profile"),
	C(SOME, "path_line", path_line),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL),
	C(COMPARED_PLACE, NULL, place), END
};
#undef ROW

#define ROW struct model_branch
static const struct table_column branch_columns[] = {
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "NULL: not known"),
	C(WORD, "kind", kind, .words = stored_branch_kinds,
	  .comment = "of condition: if loop conditional operand switch line"),
	C(PLACE, NULL, place),
	C(U32, "number", number, .comment = "of the conditions at this place"),
	C(U32, "way", way, .comment = "0: true, 1: false; of a switch, in the text's order"),
	C(SOME, "to_line", to_line, .comment = "of the label; NULL: none"),
	C(SOME, "to_column", to_column),
	C(COUNT, "count", count), WITHOUT, LACKING("count"), END
};
#undef ROW

#define ROW struct model_instruction
static const struct table_column instruction_columns[] = {
	C(TEXT, "module", module, .comment = "the path of the program or library"),
	C(KNOWN, "address", address, .comment = "in its file, within the instruction"),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NEEDED,
	  .comment = "that has the time"),
	C(ID, "range", range, .refers = TABLE_RANGE, .flags = COLUMN_NULL,
	  .comment = "NULL: not known"),
	C(COUNT, "self_samples", self_samples), C(COUNT, "self_ns", self_ns),
	C(COUNT, "self_wait_ns", self_wait_ns), END
};
#undef ROW

#define ROW struct model_remark
static const struct table_column remark_columns[] = {
	C(TEXT, "text", text), C(TIME, "written_ns", written_ns, .comment = "since 1970"),
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NULL,
	  .comment = "it is of that as a whole; NULL: of the place"),
	C(TEXT, "path", path, .flags = COLUMN_NONE,
	  .comment = "of a line that is not in this profile any more"),
	C(SOME, "path_line", path_line), C(COMPARED_PLACE, NULL, place), END
};
#undef ROW

#define ROW struct model_spread
#define SPREAD_AT(of)                                                                      \
	C(INT, #of "_rank", of##_at.rank, .comment = "-1: none"),                          \
	C(U32, #of "_pid", of##_at.pid), C(TEXT, #of "_host", of##_at.host),               \
	C(TEXT, #of "_job", of##_at.job)
static const struct table_column spread_columns[] = {
	C(ID, "procedure", procedure, .refers = TABLE_PROCEDURE, .flags = COLUMN_NEEDED),
	C(WORD, "figure", figure, .words = stored_spread_figures,
	  .comment = "self (ns) calls work (executions of its blocks)"),
	C(COUNT, "processes", processes, .comment = "whose figures are in it"),
	C(COUNT, "of_processes", all, .comment = "that have its program, or library"),
	C(COUNT, "some", some, .comment = "processes in which it is not 0"),
	C(REAL, "mean", mean),
	C(REAL, "sd", sd, .flags = COLUMN_NULL,
	  .comment = "standard deviation; NULL: there is one process"),
	C(COUNT, "least", least), SPREAD_AT(least), C(COUNT, "most", most), SPREAD_AT(most), END
};
#undef ROW

#define ROWS(called, type, member, ...)                                                    \
	{ .name = #called, .columns = called##_columns, .row = sizeof(struct type),        \
	  .items = offsetof(struct model, member), .nr = offsetof(struct model, nr_##member), \
	  .alloc = offsetof(struct model, member##_alloc), __VA_ARGS__ }
#define FIGURED(called, type, member) \
	ROWS(called, type, member, .figures = offsetof(struct type, figures))
const struct table tables[NR_TABLES] = {
	/* One row, so that a viewer need not sum up. */
	[TABLE_TOTALS] = { .name = "totals", .columns = totals_columns,
			   .row = sizeof(struct profile_totals) },
	/* The measures, the builtin ones first. */
	[TABLE_MEASURE] = ROWS(measure, model_measure, measures),
	[TABLE_RUN] = ROWS(run, model_run, runs),
	/* Programs and libraries with profiled procedures. */
	[TABLE_MODULE] = ROWS(module, model_module, modules),
	/* Copies of the counters: the smallest parts of the counts that are kept apart. */
	[TABLE_PART] = ROWS(part, model_part, parts),
	[TABLE_THREAD] = ROWS(thread, model_thread, threads),
	/* When samples were taken. */
	[TABLE_TRACK] = ROWS(track, model_track, tracks),
	[TABLE_NOTE] = ROWS(note, model_note, notes),
	/* Ids in the order of the paths: sorting by file needs no join. */
	[TABLE_FILE] = ROWS(file, model_file, files),
	[TABLE_PROCEDURE] = FIGURED(procedure, model_procedure, procedures),
	[TABLE_BLOCK] = FIGURED(block, model_block, blocks),
	[TABLE_RANGE] = FIGURED(range, model_range, ranges),
	[TABLE_SITE] = FIGURED(call_site, model_site, sites),
	[TABLE_ARC] = FIGURED(arc, model_arc, arcs),
	/* Counts of arcs that the user has set. */
	[TABLE_PIN] = ROWS(pin, model_pin, pins),
	/* Procedures that call each other. */
	[TABLE_CYCLE] = ROWS(cycle, model_cycle, cycles),
	[TABLE_LINE] = FIGURED(line, model_line, lines),
	[TABLE_CONTEXT] = FIGURED(context, model_context, contexts),
	/* The profiles that this one was compared with, and itself. */
	[TABLE_COMPARED] = ROWS(compared, model_compared, compared),
	/* What was compared. */
	[TABLE_METRIC] = ROWS(metric, model_metric, metrics),
	[TABLE_COMPARISON] = ROWS(comparison, model_comparison, comparisons,
				  .id_comment = "within a metric the greatest |value| first"),
	/* What became of the blocks of each call site. */
	[TABLE_DISPOSAL] = ROWS(disposal, model_disposal, disposals, .with = "freed"),
	/* What each call site got, by size class. */
	[TABLE_ALLOCATION] = ROWS(allocation, model_allocation, allocations, .with = "freed"),
	/* Live memory over time: calls that want memory, processes, moments, what was live then. */
	[TABLE_PRODUCER] = ROWS(producer, model_producer, producers, .with = "peak"),
	[TABLE_HEAP] = ROWS(heap, model_heap, heaps, .with = "peak"),
	[TABLE_MOMENT] = ROWS(moment, model_moment, moments, .with = "peak"),
	[TABLE_BAND] = ROWS(band, model_band, bands, .with = "peak"),
	[TABLE_SIZE_BAND] = ROWS(size_band, model_size_band, size_bands, .with = "peak"),
	/* Errors that other tools found, with their stacks. */
	[TABLE_DEFECT] = ROWS(defect, model_defect, defects),
	[TABLE_DEFECT_FRAME] = ROWS(defect_frame, model_defect_frame, defect_frames),
	/* The ways that control takes at conditions. */
	[TABLE_BRANCH] = ROWS(branch, model_branch, branches),
	/* Where in the machine code samples were taken. */
	[TABLE_INSTRUCTION] = ROWS(instruction, model_instruction, instructions, .since = 2),
	/* What users have written beside the source. */
	[TABLE_REMARK] = ROWS(remark, model_remark, remarks, .since = 3),
	/* How evenly all processes have what a procedure did. */
	[TABLE_SPREAD] = ROWS(spread, model_spread, spreads, .since = 4),
};

bool
table_is_there(const struct table *t, struct measures others)
{
	if (others.version < t->since)
		return false;
	for (size_t i = 0; t->with && i < others.nr; i++) {
		if (!strcmp(others.items[i].name, t->with))
			return true;
	}
	return !t->with;
}

bool
table_ends(const struct table_column *c)
{
	return !c->name && c->holds != HOLDS_PLACE && c->holds != HOLDS_COMPARED_PLACE;
}
