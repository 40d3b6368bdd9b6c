/* The SQL of every kind of listing: what its columns are, and how each of them is sorted. */
#include "db/list_spec.h"

#define HAS(text) "has(?1, " text ")"
#define FILES "(SELECT id FROM file WHERE " HAS("path") ")"
#define IS_NAMED(id) "is_named(?1, " id ")"
/* The text that is shown of the row: from COLUMN of LINE up to END_COLUMN of END_LINE. */
#define IS_IN_TEXT(file, range, place) "is_in_text(?1, " file ", " range ", " place ")"
/* SQLite computes both sides of an OR; a text is looked at only when nothing else has it. */
#define NAMES_OR_TEXT(names, text) "CASE WHEN " names " THEN 1 ELSE " text " END"
#define PLACE(t) t ".line, " t ".column, " t ".end_line, " t ".end_column"
#define END { .name = NULL }

static const struct list_column procedure_columns[] = {
	{ "id", UNIT_NUMBER }, { "procedure", UNIT_TEXT }, { "file", UNIT_TEXT },
	{ "line", UNIT_NUMBER }, { "calls", UNIT_COUNT }, { "self_ns", UNIT_NS },
	{ "self_samples", UNIT_SAMPLES }, { "total_ns", UNIT_NS },
	{ "total_sampled_ns", UNIT_NS }, { "total_samples", UNIT_SAMPLES },
	{ "code_bytes", UNIT_BYTES }, { "cycle", UNIT_NUMBER }, { "file_id", UNIT_NUMBER },
	{ "end_line", UNIT_NUMBER }, { "linkage_name", UNIT_TEXT }, { "column", UNIT_NUMBER },
	{ "centre_ns", UNIT_NS }, { "centre_samples", UNIT_SAMPLES },
	{ "centre_total_ns", UNIT_NS }, { "self_wait_ns", UNIT_NS },
	{ "total_wait_ns", UNIT_NS }, { "total_lo_ns", UNIT_NS },
	{ "total_hi_ns", UNIT_NS }, { "root_total_ns", UNIT_NS },
	{ "self_calls", UNIT_COUNT },
	{ "self_each_ns", UNIT_RATIO }, { "centre_each_ns", UNIT_RATIO },
	{ "self_sd_ns", UNIT_NS }, { "runs_without", UNIT_NUMBER }, END
};
static const struct column_sort procedure_sorts[] = {
	{ { "p.id" }, true, NULL },
	{ { "p.name" }, true, NULL },
	{ { "p.file", "p.line", "p.column", "p.end_line" }, true, NULL },
	{ { "p.line", "p.file" }, false, NULL },
	{ { "-p.calls" }, true, NULL },
	{ { "-p.self_ns", "-p.calls" }, true, NULL },
	{ { "-p.self_samples", "-p.calls" }, false, NULL },
	{ { "-p.total_ns" }, true, NULL },
	{ { "-p.total_sampled_ns" }, true, NULL },
	{ { "-p.total_samples" }, false, NULL },
	{ { "-p.code_bytes" }, false, NULL },
	{ { "-p.cycle" }, false, NULL },
	{ { "p.file" }, false, NULL },
	{ { "p.end_line" }, false, NULL },
	{ { "p.linkage_name" }, false, NULL },
	{ { "p.column" }, false, NULL },
	{ { "-p.centre_ns", "-p.calls" }, false, NULL },
	{ { "-p.centre_samples", "-p.calls" }, false, NULL },
	{ { "-p.centre_total_ns" }, false, NULL },
	{ { "-p.self_wait_ns", "-p.calls" }, false, NULL },
	{ { "-p.total_wait_ns" }, false, NULL },
	{ { "-p.total_lo_ns" }, false, NULL },
	{ { "-p.total_hi_ns" }, false, NULL },
	{ { "-p.root_total_ns" }, false, NULL },
	{ { "-p.self_calls" }, false, NULL },
	{ { "-(1.0 * p.self_ns / nullif(p.calls, 0))" }, false, NULL },
	{ { "-(1.0 * p.centre_ns / nullif(p.calls, 0))" }, false, NULL },
	{ { "-p.self_sd_ns" }, false, NULL },
	{ { "-p.runs_without" }, false, NULL },
};

static const struct list_column block_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "line", UNIT_NUMBER },
	{ "column", UNIT_NUMBER }, { "end_line", UNIT_NUMBER }, { "end_column", UNIT_NUMBER },
	{ "procedure", UNIT_TEXT }, { "count", UNIT_COUNT }, { "self_ns", UNIT_NS },
	{ "self_samples", UNIT_SAMPLES }, { "procedure_id", UNIT_NUMBER },
	{ "file_id", UNIT_NUMBER }, { "self_wait_ns", UNIT_NS },
	{ "self_each_ns", UNIT_RATIO }, { "runs_without", UNIT_NUMBER }, END
};
#define BLOCKS_OF_PROCEDURES "procedure p CROSS JOIN block b ON b.procedure = p.id"
/* The place of the expression that has most of the block's time; without any, of its first one. */
#define HOTTEST(column)                                                                           \
	"coalesce((SELECT r." column " FROM range r WHERE r.id = b.hottest), b." column ")"

static const struct column_sort block_sorts[] = {
	{ { "b.id" }, true, NULL },
	{ { "b.file", "b.line", "b.column" }, true, NULL },
	{ { HOTTEST("line"), "b.file", HOTTEST("column") }, false, NULL },
	{ { HOTTEST("column") }, false, NULL },
	{ { HOTTEST("end_line") }, false, NULL },
	{ { HOTTEST("end_column") }, false, NULL },
	{ { "p.name", "p.id" }, true, BLOCKS_OF_PROCEDURES },
	{ { "-b.count" }, true, NULL },
	{ { "-b.self_ns", "-b.count" }, true, NULL },
	{ { "-b.self_samples", "-b.count" }, false, NULL },
	{ { "b.procedure" }, true, NULL },
	{ { "b.file" }, false, NULL },
	{ { "-b.self_wait_ns", "-b.count" }, false, NULL },
	{ { "-(1.0 * b.self_ns / nullif(b.count, 0))" }, false, NULL },
	{ { "-b.runs_without" }, false, NULL },
};

static const struct list_column site_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "line", UNIT_NUMBER },
	{ "column", UNIT_NUMBER }, { "end_line", UNIT_NUMBER }, { "end_column", UNIT_NUMBER },
	{ "procedure", UNIT_TEXT }, { "kind", UNIT_TEXT }, { "count", UNIT_COUNT },
	{ "total_ns", UNIT_NS }, { "total_samples", UNIT_SAMPLES }, { "target", UNIT_TEXT },
	{ "procedure_id", UNIT_NUMBER }, { "file_id", UNIT_NUMBER },
	{ "total_wait_ns", UNIT_NS }, { "propagated_ns", UNIT_NS },
	{ "total_each_ns", UNIT_RATIO }, { "runs_without", UNIT_NUMBER }, END
};
#define SITES_OF_PROCEDURES "procedure p CROSS JOIN call_site s ON s.procedure = p.id"
static const struct column_sort site_sorts[] = {
	{ { "s.id" }, true, NULL },
	{ { "s.file", "s.line", "s.column" }, true, NULL },
	{ { "s.line", "s.file", "s.column" }, false, NULL },
	{ { "s.column" }, false, NULL },
	{ { "s.end_line" }, false, NULL },
	{ { "s.end_column" }, false, NULL },
	{ { "p.name", "p.id" }, true, SITES_OF_PROCEDURES },
	{ { "s.kind" }, false, NULL },
	{ { "-s.count" }, true, NULL },
	{ { "-s.total_ns" }, true, NULL },
	{ { "-s.total_samples" }, false, NULL },
	{ { "s.target" }, false, NULL },
	{ { "s.procedure" }, true, NULL },
	{ { "s.file" }, false, NULL },
	{ { "-s.total_wait_ns", "-s.count" }, false, NULL },
	{ { "-s.propagated_ns" }, false, NULL },
	{ { "-(1.0 * s.total_ns / nullif(s.count, 0))" }, false, NULL },
	{ { "-s.runs_without" }, false, NULL },
};

static const struct list_column line_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "line", UNIT_NUMBER },
	{ "count", UNIT_COUNT }, { "self_ns", UNIT_NS }, { "self_samples", UNIT_SAMPLES },
	{ "file_id", UNIT_NUMBER }, { "self_wait_ns", UNIT_NS },
	{ "self_each_ns", UNIT_RATIO }, { "runs_without", UNIT_NUMBER }, END
};
static const struct column_sort line_sorts[] = {
	{ { "l.id" }, true, NULL },
	{ { "l.file", "l.line" }, true, NULL },
	{ { "l.line", "l.file" }, false, NULL },
	{ { "-l.count" }, true, NULL },
	{ { "-l.self_ns", "-l.count" }, true, NULL },
	{ { "-l.self_samples", "-l.count" }, false, NULL },
	{ { "l.file", "l.line" }, true, NULL },
	{ { "-l.self_wait_ns", "-l.count" }, false, NULL },
	{ { "-(1.0 * l.self_ns / nullif(l.count, 0))" }, false, NULL },
	{ { "-l.runs_without" }, false, NULL },
};

static const struct list_column file_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "lines", UNIT_COUNT },
	{ "executed", UNIT_COUNT }, { "self_ns", UNIT_NS }, { "count", UNIT_COUNT },
	{ "procedures", UNIT_COUNT }, { "self_wait_ns", UNIT_NS },
	{ "self_samples", UNIT_SAMPLES }, { "executed_percent", UNIT_RATIO },
	{ "state", UNIT_TEXT }, END
};
static const struct column_sort file_sorts[] = {
	{ { "f.id" }, true, NULL },
	{ { "f.path" }, false, NULL },
	{ { "-f.code_lines" }, false, NULL },
	{ { "-f.executed_lines" }, false, NULL },
	{ { "-f.self_ns", "-f.count" }, false, NULL },
	{ { "-f.count" }, false, NULL },
	{ { "-f.procedures" }, false, NULL },
	{ { "-f.self_wait_ns", "-f.count" }, false, NULL },
	{ { "-f.self_samples", "-f.count" }, false, NULL },
	{ { "-(100.0 * f.executed_lines / nullif(f.code_lines, 0))" }, false, NULL },
	{ { "f.state" }, false, NULL },
};

static const struct list_column directory_columns[] = {
	{ "id", UNIT_NUMBER }, { "directory", UNIT_TEXT },
	{ "files", UNIT_COUNT }, { "lines", UNIT_COUNT },
	{ "executed", UNIT_COUNT }, { "procedures", UNIT_COUNT },
	{ "count", UNIT_COUNT }, { "self_ns", UNIT_NS },
	{ "self_samples", UNIT_SAMPLES }, { "self_wait_ns", UNIT_NS },
	{ "total_ns", UNIT_NS }, { "total_count", UNIT_COUNT },
	{ "executed_percent", UNIT_RATIO }, END
};
static const struct column_sort directory_sorts[] = {
	{ { "d.id" }, true, NULL },
	{ { "d.path" }, false, NULL },
	{ { "-d.files" }, false, NULL },
	{ { "-d.code_lines" }, false, NULL },
	{ { "-d.executed_lines" }, false, NULL },
	{ { "-d.procedures" }, false, NULL },
	{ { "-d.count" }, false, NULL },
	{ { "-d.self_ns", "-d.count" }, false, NULL },
	{ { "-d.self_samples", "-d.count" }, false, NULL },
	{ { "-d.self_wait_ns", "-d.count" }, false, NULL },
	{ { "-d.total_ns", "-d.total_count" }, false, NULL },
	{ { "-d.total_count" }, false, NULL },
	{ { "-(100.0 * d.executed_lines / nullif(d.code_lines, 0))" }, false, NULL },
};

static const struct list_column arc_columns[] = {
	{ "id", UNIT_NUMBER }, { "caller", UNIT_TEXT }, { "file", UNIT_TEXT },
	{ "line", UNIT_NUMBER }, { "column", UNIT_NUMBER }, { "callee", UNIT_TEXT },
	{ "count", UNIT_COUNT }, { "lo", UNIT_COUNT }, { "hi", UNIT_COUNT }, { "how", UNIT_TEXT },
	{ "site_id", UNIT_NUMBER }, { "caller_id", UNIT_NUMBER }, { "callee_id", UNIT_NUMBER },
	{ "file_id", UNIT_NUMBER }, { "end_line", UNIT_NUMBER }, { "end_column", UNIT_NUMBER },
	{ "time_ns", UNIT_NS }, { "target", UNIT_TEXT },
	{ "samples", UNIT_SAMPLES }, { "differs", UNIT_NUMBER },
	{ "measured", UNIT_COUNT }, { "through", UNIT_TEXT }, END
};
#define FILE_OF_ARC "(SELECT s.file FROM call_site s WHERE s.id = coalesce(a.site, a.through))"
#define ARCS_AND_SITES "arc a LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through)"
/* What a direct call calls; the mark is of those that call a namesake outside of the program. */
#define NAMED "CASE WHEN substr(s.target, -8) = '@outside' " \
	"THEN substr(s.target, 1, length(s.target) - 8) ELSE s.target END"
#define CALLED "CASE WHEN s.kind <> 'direct' OR a.site IS NULL THEN NULL ELSE " NAMED " END"
/* What got the address of the callee, as "qsort". */
#define THROUGH "CASE WHEN a.through IS NULL THEN NULL ELSE " NAMED " END"
#define ARCS_AND_CALLERS "arc a LEFT JOIN procedure p ON p.id = a.caller"
#define ARCS_AND_CALLEES "arc a LEFT JOIN procedure p ON p.id = a.callee"
static const struct column_sort arc_sorts[] = {
	{ { "a.id" }, true, NULL },
	{ { "coalesce(p.name, 'outside')", "a.caller" }, false, ARCS_AND_CALLERS },
	{ { "s.file", "s.line", "s.column" }, false, ARCS_AND_SITES },
	{ { "s.line", "s.file", "s.column" }, false, ARCS_AND_SITES },
	{ { "s.column" }, false, ARCS_AND_SITES },
	{ { "coalesce(p.name, 'outside')", "a.callee" }, false, ARCS_AND_CALLEES },
	{ { "-a.count" }, true, NULL },
	{ { "-a.lo" }, false, NULL },
	{ { "-a.hi" }, false, NULL },
	{ { "a.how" }, false, NULL },
	{ { "a.site" }, true, NULL },
	{ { "a.caller" }, true, NULL },
	{ { "a.callee" }, true, NULL },
	{ { "s.file" }, false, ARCS_AND_SITES },
	{ { "s.end_line" }, false, ARCS_AND_SITES },
	{ { "s.end_column" }, false, ARCS_AND_SITES },
	{ { "-a.time_ns", "-a.count" }, false, NULL },
	{ { CALLED }, false, ARCS_AND_SITES },
	{ { "-a.samples" }, false, NULL },
	{ { "-a.differs", "-a.count" }, false, NULL },
	{ { "-a.measured" }, false, NULL },
	{ { THROUGH }, false, ARCS_AND_SITES },
};

static const struct list_column cycle_columns[] = {
	{ "id", UNIT_NUMBER }, { "members", UNIT_TEXT }, { "procedures", UNIT_COUNT },
	{ "self_ns", UNIT_NS }, { "total_ns", UNIT_NS }, { "outer_calls", UNIT_COUNT },
	{ "inner_calls", UNIT_COUNT }, { "self_calls", UNIT_COUNT }, END
};
static const struct column_sort cycle_sorts[] = {
	{ { "c.id" }, true, NULL },
	{ { "c.members" }, false, NULL },
	{ { "-c.procedures" }, false, NULL },
	{ { "-c.self_ns" }, false, NULL },
	{ { "-c.total_ns" }, false, NULL },
	{ { "-c.outer_calls" }, false, NULL },
	{ { "-c.inner_calls" }, false, NULL },
	{ { "-c.self_calls" }, false, NULL },
};

static const struct list_column note_columns[] = {
	{ "id", UNIT_NUMBER }, { "kind", UNIT_TEXT }, { "text", UNIT_TEXT },
	{ "rank", UNIT_NUMBER }, END
};
/* What makes counts wrong comes before what makes times wrong, and that before what is merely
 * missing. */
#define NOTE_RANK "CASE n.kind WHEN 'subset' THEN 1 WHEN 'counts' THEN 2 WHEN 'tables' THEN 3 " \
	"WHEN 'uncounted' THEN 4 WHEN 'samples' THEN 5 WHEN 'dwarf' THEN 6 " \
	"WHEN 'source' THEN 7 WHEN 'flow' THEN 8 WHEN 'baseline' THEN 9 " \
	"WHEN 'threads' THEN 10 WHEN 'library' THEN 12 ELSE 11 END"
static const struct column_sort note_sorts[] = {
	{ { "n.id" }, true, NULL },
	{ { "n.kind" }, false, NULL },
	{ { "n.text" }, false, NULL },
	{ { NOTE_RANK }, false, NULL },
};

static const struct list_column run_columns[] = {
	{ "id", UNIT_NUMBER }, { "run", UNIT_NUMBER }, { "command", UNIT_TEXT },
	{ "program", UNIT_TEXT }, { "directory", UNIT_TEXT }, { "host", UNIT_TEXT },
	{ "started_ns", UNIT_NUMBER }, { "wall_ns", UNIT_NS }, { "user_ns", UNIT_NS },
	{ "system_ns", UNIT_NS }, { "cpu_ns", UNIT_NS }, { "exit_status", UNIT_NUMBER },
	{ "exit_signal", UNIT_NUMBER }, { "processes", UNIT_COUNT }, { "threads", UNIT_COUNT },
	{ "samples", UNIT_SAMPLES }, { "lost_samples", UNIT_SAMPLES }, { "wait_ns", UNIT_NS },
	{ "delay_ns", UNIT_NS }, { "blocks_executed", UNIT_COUNT }, END
};
#define RUN_THREADS "(SELECT total(threads) FROM part WHERE part.run = r.id)"
#define RUN_BLOCKS "(SELECT total(blocks_executed) FROM part WHERE part.run = r.id)"
static const struct column_sort run_sorts[] = {
	{ { "r.id" }, false, NULL },
	{ { "r.id" }, false, NULL },
	{ { "r.command" }, false, NULL },
	{ { "r.program" }, false, NULL },
	{ { "r.directory" }, false, NULL },
	{ { "r.host" }, false, NULL },
	{ { "r.started_ns" }, false, NULL },
	{ { "-r.wall_ns" }, false, NULL },
	{ { "-r.user_ns" }, false, NULL },
	{ { "-r.system_ns" }, false, NULL },
	{ { "-r.cpu_ns" }, false, NULL },
	{ { "-r.exit_status", "-r.exit_signal" }, false, NULL },
	{ { "-r.exit_signal" }, false, NULL },
	{ { "-r.processes" }, false, NULL },
	{ { "-" RUN_THREADS }, false, NULL },
	{ { "-r.samples" }, false, NULL },
	{ { "-r.lost_samples" }, false, NULL },
	{ { "-r.wait_ns" }, false, NULL },
	{ { "-r.delay_ns" }, false, NULL },
	{ { "-" RUN_BLOCKS }, false, NULL },
};

static const struct list_column thread_columns[] = {
	{ "id", UNIT_NUMBER }, { "thread", UNIT_NUMBER }, { "run", UNIT_NUMBER },
	{ "pid", UNIT_NUMBER }, { "tid", UNIT_NUMBER }, { "name", UNIT_TEXT },
	{ "threads", UNIT_COUNT }, { "tids", UNIT_TEXT }, { "cpu_ns", UNIT_NS },
	{ "samples", UNIT_SAMPLES }, { "lost_samples", UNIT_SAMPLES }, { "wait_ns", UNIT_NS },
	{ "delay_ns", UNIT_NS }, { "blocks_executed", UNIT_COUNT }, END
};
static const struct column_sort thread_sorts[] = {
	{ { "t.id" }, false, NULL },
	{ { "t.id" }, false, NULL },
	{ { "t.run" }, false, NULL },
	{ { "t.pid" }, false, NULL },
	{ { "t.tid" }, false, NULL },
	{ { "t.name" }, false, NULL },
	{ { "-t.threads" }, false, NULL },
	{ { "t.tids" }, false, NULL },
	{ { "-t.cpu_ns" }, false, NULL },
	{ { "-t.samples" }, false, NULL },
	{ { "-t.lost_samples" }, false, NULL },
	{ { "-t.wait_ns" }, false, NULL },
	{ { "-t.delay_ns" }, false, NULL },
	{ { "-t.blocks_executed" }, false, NULL },
};

static const struct list_column comparison_columns[] = {
	{ "id", UNIT_NUMBER }, { "procedure", UNIT_TEXT }, { "callee", UNIT_TEXT },
	{ "file", UNIT_TEXT }, { "line", UNIT_NUMBER }, { "column", UNIT_NUMBER },
	{ "end_line", UNIT_NUMBER }, { "end_column", UNIT_NUMBER }, { "kind", UNIT_TEXT },
	{ "a", UNIT_VALUE }, { "b", UNIT_VALUE }, { "value", UNIT_VALUE },
	{ "signed", UNIT_VALUE }, { "sides", UNIT_TEXT }, { "significance", UNIT_VALUE },
	{ "spark", UNIT_TEXT }, { "procedure_id", UNIT_NUMBER }, { "callee_id", UNIT_NUMBER },
	{ "file_id", UNIT_NUMBER }, { "owner", UNIT_NUMBER }, { "caller_entity", UNIT_NUMBER },
	{ "callee_entity", UNIT_NUMBER }, { "first_file", UNIT_NUMBER },
	{ "first_line", UNIT_NUMBER }, { "first_column", UNIT_NUMBER },
	{ "first_end_line", UNIT_NUMBER }, { "first_end_column", UNIT_NUMBER },
	{ "estimated", UNIT_NUMBER }, { "m1", UNIT_VALUE }, { "m2", UNIT_VALUE },
	{ "m3", UNIT_VALUE }, { "m4", UNIT_VALUE }, { "m5", UNIT_VALUE }, { "m6", UNIT_VALUE },
	{ "m7", UNIT_VALUE }, { "m8", UNIT_VALUE }, END
};
#define COMPARED_NAME "coalesce(c.procedure_name, " \
		      "(SELECT name FROM procedure WHERE id = c.procedure))"
#define COMPARED_CALLEE "coalesce(c.callee_name, " \
			"(SELECT name FROM procedure WHERE id = c.callee))"
#define COMPARED_FILE "coalesce(c.path, (SELECT path FROM file WHERE id = c.file))"
static const struct column_sort comparison_sorts[] = {
	{ { "c.id" }, true, NULL },
	{ { COMPARED_NAME }, false, NULL },
	{ { COMPARED_CALLEE }, false, NULL },
	{ { COMPARED_FILE, "c.line", "c.column" }, false, NULL },
	{ { "c.line" }, false, NULL },
	{ { "c.column" }, false, NULL },
	{ { "c.end_line" }, false, NULL },
	{ { "c.end_column" }, false, NULL },
	{ { "c.kind" }, false, NULL },
	{ { "-(c.a + 0.0)" }, false, NULL },
	{ { "-(c.b + 0.0)" }, false, NULL },
	{ { "-c.magnitude" }, true, NULL },
	{ { "-(c.value + 0.0)" }, false, NULL },
	{ { "c.sides" }, false, NULL },
	{ { "-abs(c.significance)" }, false, NULL },
	{ { "c.spark" }, false, NULL },
	{ { "c.procedure" }, false, NULL },
	{ { "c.callee" }, false, NULL },
	{ { "c.file" }, false, NULL },
	{ { "c.owner" }, false, NULL },
	{ { "c.caller_entity" }, false, NULL },
	{ { "c.callee_entity" }, false, NULL },
	{ { "c.first_file" }, false, NULL },
	{ { "c.first_line" }, false, NULL },
	{ { "c.first_column" }, false, NULL },
	{ { "c.first_end_line" }, false, NULL },
	{ { "c.first_end_column" }, false, NULL },
	{ { "c.estimated" }, false, NULL },
	{ { "-(c.m1 + 0.0)" }, false, NULL },
	{ { "-(c.m2 + 0.0)" }, false, NULL },
	{ { "-(c.m3 + 0.0)" }, false, NULL },
	{ { "-(c.m4 + 0.0)" }, false, NULL },
	{ { "-(c.m5 + 0.0)" }, false, NULL },
	{ { "-(c.m6 + 0.0)" }, false, NULL },
	{ { "-(c.m7 + 0.0)" }, false, NULL },
	{ { "-(c.m8 + 0.0)" }, false, NULL },
};

const struct list_spec list_specs[] = {
	[LIST_PROCEDURE] = {
		.id = "p.id", .from = "procedure p", .file = "p.file",
		.row = "SELECT p.id, p.name, f.path, p.line, p.calls, p.self_ns, p.self_samples, "
		       "p.total_ns, p.total_sampled_ns, p.total_samples, p.code_bytes, p.cycle, "
		       "p.file, p.end_line, p.linkage_name, p.column, p.centre_ns, "
		       "p.centre_samples, p.centre_total_ns, p.self_wait_ns, p.total_wait_ns, "
		       "p.total_lo_ns, p.total_hi_ns, "
		       "p.root_total_ns, p.self_calls, p.self_ns / nullif(p.calls, 0), "
		       "p.centre_ns / nullif(p.calls, 0), p.self_sd_ns, p.runs_without "
		       "FROM procedure p LEFT JOIN file f ON f.id = p.file WHERE p.id = ?1",
		.filter = "(" HAS("p.name") " OR " HAS("p.linkage_name") " OR p.file IN " FILES ")",
		.columns = procedure_columns, .sorts = procedure_sorts,
	},
	[LIST_BLOCK] = {
		.id = "b.id", .from = "block b", .file = "b.file", .procedure = "b.procedure",
		.row = "SELECT b.id, f.path, "
		       "coalesce(r.line, b.line), coalesce(r.column, b.column), "
		       "coalesce(r.end_line, b.end_line), coalesce(r.end_column, b.end_column), "
		       "p.name, b.count, b.self_ns, b.self_samples, b.procedure, "
		       "b.file, b.self_wait_ns, b.self_ns / nullif(b.count, 0), b.runs_without "
		       "FROM block b LEFT JOIN range r ON r.id = b.hottest "
		       "LEFT JOIN file f ON f.id = b.file "
		       "LEFT JOIN procedure p ON p.id = b.procedure WHERE b.id = ?1",
		.filter = NAMES_OR_TEXT(IS_NAMED("b.procedure") " OR b.file IN " FILES,
					IS_IN_TEXT("b.file", "b.hottest", PLACE("b"))),
		.columns = block_columns, .sorts = block_sorts,
	},
	[LIST_SITE] = {
		.id = "s.id", .from = "call_site s", .file = "s.file", .procedure = "s.procedure",
		.row = "SELECT s.id, f.path, s.line, s.column, s.end_line, s.end_column, p.name, "
		       "s.kind, s.count, s.total_ns, s.total_samples, s.target, s.procedure, "
		       "s.file, s.total_wait_ns, s.propagated_ns, "
		       "s.total_ns / nullif(s.count, 0), s.runs_without FROM call_site s "
		       "LEFT JOIN file f ON f.id = s.file "
		       "LEFT JOIN procedure p ON p.id = s.procedure WHERE s.id = ?1",
		.filter = NAMES_OR_TEXT(HAS("s.target") " OR " HAS("s.kind") " OR "
					IS_NAMED("s.procedure") " OR s.file IN " FILES,
					IS_IN_TEXT("s.file", "NULL", PLACE("s"))),
		.columns = site_columns, .sorts = site_sorts,
	},
	[LIST_LINE] = {
		.id = "l.id", .from = "line l", .file = "l.file",
		.row = "SELECT l.id, f.path, l.line, l.count, l.self_ns, l.self_samples, l.file, "
		       "l.self_wait_ns, l.self_ns / nullif(l.count, 0), l.runs_without "
		       "FROM line l LEFT JOIN file f ON f.id = l.file WHERE l.id = ?1",
		.filter = NAMES_OR_TEXT("l.file IN " FILES,
					IS_IN_TEXT("l.file", "NULL",
						   "l.line, 0, l.line, 4294967295")),
		.columns = line_columns, .sorts = line_sorts,
	},
	[LIST_FILE] = {
		.id = "f.id", .from = "file f", .file = "f.id",
		.row = "SELECT f.id, f.path, f.code_lines, f.executed_lines, f.self_ns, f.count, "
		       "f.procedures, f.self_wait_ns, f.self_samples, "
		       "100 * f.executed_lines / nullif(f.code_lines, 0), f.state "
		       "FROM file f WHERE f.id = ?1",
		.filter = HAS("f.path"),
		.columns = file_columns, .sorts = file_sorts,
	},
	[LIST_DIRECTORY] = {
		.id = "d.id", .from = "temp.directory d",
		.row = "SELECT d.id, d.path, d.files, d.code_lines, d.executed_lines, "
		       "d.procedures, d.count, d.self_ns, d.self_samples, d.self_wait_ns, "
		       "d.total_ns, d.total_count, "
		       "100 * d.executed_lines / nullif(d.code_lines, 0) "
		       "FROM temp.directory d WHERE d.id = ?1",
		.filter = HAS("d.path"),
		.columns = directory_columns, .sorts = directory_sorts,
	},
	[LIST_ARC] = {
		.id = "a.id", .from = "arc a", .file = FILE_OF_ARC,
		.row = "SELECT a.id, coalesce(r.name, 'outside'), f.path, s.line, s.column, "
		       "coalesce(e.name, 'outside'), a.count, a.lo, a.hi, a.how, a.site, a.caller, "
		       "a.callee, s.file, s.end_line, s.end_column, a.time_ns, " CALLED
		       ", a.samples, a.differs, a.measured, " THROUGH
		       " FROM arc a LEFT JOIN procedure r ON r.id = a.caller "
		       "LEFT JOIN procedure e ON e.id = a.callee "
		       "LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through) "
		       "LEFT JOIN file f ON f.id = s.file WHERE a.id = ?1",
		.filter = NAMES_OR_TEXT(
			HAS("a.how") " OR " IS_NAMED("a.caller") " OR " IS_NAMED("a.callee")
			" OR (a.caller IS NULL AND " HAS("'outside'")
			") OR (a.callee IS NULL AND " HAS("'outside'") ") OR "
			FILE_OF_ARC " IN " FILES
			" OR " HAS("(SELECT " CALLED " FROM call_site s WHERE s.id = a.site)"),
			"(SELECT " IS_IN_TEXT("s.file", "NULL", PLACE("s"))
			" FROM call_site s WHERE s.id = coalesce(a.site, a.through))"),
		.columns = arc_columns, .sorts = arc_sorts,
	},
	[LIST_CYCLE] = {
		.id = "c.id", .from = "cycle c",
		.row = "SELECT c.id, c.members, c.procedures, c.self_ns, c.total_ns, "
		       "c.outer_calls, c.inner_calls, c.self_calls FROM cycle c WHERE c.id = ?1",
		.filter = "EXISTS (SELECT 1 FROM procedure p WHERE p.cycle = c.id AND "
			  IS_NAMED("p.id") ")",
		.columns = cycle_columns, .sorts = cycle_sorts,
	},
	[LIST_NOTE] = {
		.id = "n.id", .from = "note n",
		.row = "SELECT n.id, n.kind, n.text, " NOTE_RANK " FROM note n WHERE n.id = ?1",
		.filter = "(" HAS("n.kind") " OR " HAS("n.text") ")",
		.columns = note_columns, .sorts = note_sorts,
	},
	[LIST_RUN] = {
		.id = "r.id", .from = "run r",
		.row = "SELECT r.id, r.id, r.command, r.program, r.directory, r.host, "
		       "r.started_ns, r.wall_ns, r.user_ns, r.system_ns, r.cpu_ns, "
		       "CASE WHEN r.exit_status >= 0 THEN r.exit_status END, "
		       "nullif(r.exit_signal, 0), r.processes, " RUN_THREADS ", r.samples, "
		       "r.lost_samples, r.wait_ns, r.delay_ns, " RUN_BLOCKS
		       " FROM run r WHERE r.id = ?1",
		.filter = "(" HAS("r.command") " OR " HAS("r.host") ")",
		.columns = run_columns, .sorts = run_sorts,
	},
	[LIST_THREAD] = {
		.id = "t.id", .from = "part t",
		.row = "SELECT t.id, t.id, t.run, t.pid, t.tid, t.name, t.threads, t.tids, "
		       "t.cpu_ns, t.samples, t.lost_samples, t.wait_ns, t.delay_ns, "
		       "t.blocks_executed FROM part t WHERE t.id = ?1",
		.filter = "(" HAS("t.name") " OR " HAS("t.tids") ")",
		.columns = thread_columns, .sorts = thread_sorts,
	},
	[LIST_COMPARISON] = {
		.id = "c.id", .from = "compared_row c", .file = "c.file",
		.row = "SELECT c.id, " COMPARED_NAME ", " COMPARED_CALLEE ", " COMPARED_FILE ", "
		       "c.line, c.column, c.end_line, c.end_column, c.kind, c.a, c.b, c.value, "
		       "c.value, c.sides, c.significance, c.spark, c.procedure, c.callee, c.file, "
		       "c.owner, c.caller_entity, c.callee_entity, c.first_file, c.first_line, "
		       "c.first_column, c.first_end_line, c.first_end_column, c.estimated, "
		       "c.m1, c.m2, c.m3, c.m4, c.m5, c.m6, c.m7, c.m8 "
		       "FROM compared_row c WHERE c.id = ?1",
		.filter = NAMES_OR_TEXT(
			IS_NAMED("c.procedure") " OR " IS_NAMED("c.callee")
			" OR c.file IN " FILES " OR " HAS("c.procedure_name") " OR "
			HAS("c.callee_name") " OR " HAS("c.path"),
			"is_in_text_of(?1, c.holder, c.held_file, " PLACE("c") ")"),
		.columns = comparison_columns, .sorts = comparison_sorts,
	},
};
