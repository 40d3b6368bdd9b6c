/* Every kind of listing: its columns with their SQL, and how it is sorted. */
#include "db/lists/list_spec.h"

#include "db/lists/arc_groups.h"
#include "db/model/measure.h"

#define HAS(text) "has(?1, " text ")"
#define FILES "(SELECT id FROM file WHERE " HAS("path") ")"
#define IS_NAMED(id) "is_named(?1, " id ")"
/* The text shown for the row: from COLUMN of LINE up to END_COLUMN of END_LINE. */
#define IS_IN_TEXT(file, range, place) "is_in_text(?1, " file ", " range ", " place ")"
/* SQLite computes both sides of an OR; this looks at a text only when no name matches. */
#define NAMES_OR_TEXT(names, text) "CASE WHEN " names " THEN 1 ELSE " text " END"
#define PLACE(t) t ".line, " t ".column, " t ".end_line, " t ".end_column"
#define END { .name = NULL }
/* The place of a builtin measure's column, which is made as those of the others are. */
#define MEASURED(called) { .name = called }
/* A column of the listing's own table: its SQL, its unit, and how it sorts follow from its name. */
#define T(called, ...) { .name = called, .sql = "", __VA_ARGS__ }
/* Tables have the column behind all others, for who chooses it. */
#define SHOWN(of_head, of_help) .head = of_head, .help = of_help
#define C(called, of_unit, in_sql, ...) \
	{ .name = called, .unit = UNIT_##of_unit, .sql = in_sql, __VA_ARGS__ }

/* A count of row T; NULL: nothing of it was counted (COUNT_LACKS_ALL). */
#define COUNTED(t, column) \
	"CASE WHEN " t "." column " OR " t ".lacking < 9223372036854775807 "                  \
	"THEN " t "." column " END"
#define COUNT(called, t, column) \
	C(called, COUNT, COUNTED(t, column), .sort = { "-" t "." column }, .sum = t "." column, \
	  .flags = LIST_COUNTED | LIST_INDEXED)
/* TIME of each of COUNT. */
#define EACH(called, time, count) \
	C(called, RATIO, time " / nullif(" count ", 0)", \
	  .sort = { "-(1.0 * " time " / nullif(" count ", 0))" }, .flags = LIST_COUNTED)
/* Lines that are known to have been executed or not. */
#define KNOWN_LINES(t) "nullif(" t ".code_lines - " t ".uncounted_lines, 0)"
#define EXECUTED(t) \
	C("executed", COUNT, "iif(" t ".uncounted_lines AND " t ".uncounted_lines = " \
	  t ".code_lines, NULL, " t ".executed_lines)", \
	  .sort = { "-" t ".executed_lines" }, .sum = t ".executed_lines", \
	  .flags = LIST_COUNTED)
#define EXECUTED_PERCENT(t) \
	C("executed_percent", RATIO, "100 * " t ".executed_lines / " KNOWN_LINES(t), \
	  .sort = { "-(100.0 * " t ".executed_lines / " KNOWN_LINES(t) ")" }, \
	  .flags = LIST_COUNTED)

/* How evenly ranks, or runs, have the figure F. I(column): its SQL; HEAD(text): the heading, or
 * NULL; MORE: flags. What the greatest has more than the mean is what the others may wait for. */
#define EVEN_REAL(f, what, called, of_unit, in_sql, I, HEAD, of_help, more)                       \
	C(called, of_unit, I(in_sql), .sort = { "-" I(in_sql) }, .flags = LIST_NO_SUM | (more),   \
	  SHOWN(HEAD(f " " what), of_help))
#define EVEN_AT(f, what, I, HEAD, more)                                                           \
	C(f "_" what "_at", NUMBER, I(f "_" what "_at"), .flags = (more),                         \
	  SHOWN(HEAD(f " " what " at"), "Which rank, or run, has the " what))
#define EVEN_WHOLE(f, what, of_unit, unit, I, HEAD, more)                                         \
	C(f "_" what unit, of_unit, I(f "_" what), .flags = LIST_NO_SUM | (more),                 \
	  SHOWN(HEAD(f " " what), "The " what " that a rank, or a run, has"))
#define EVEN(f, whole, unit, real, sd, I, HEAD, more)                                             \
	EVEN_WHOLE(f, "least", whole, unit, I, HEAD, more), EVEN_AT(f, "least", I, HEAD, more),   \
	EVEN_REAL(f, "mean", f "_mean" unit, real, f "_mean", I, HEAD,                            \
		  "The mean over ranks, or runs", more),                                          \
	EVEN_WHOLE(f, "most", whole, unit, I, HEAD, more), EVEN_AT(f, "most", I, HEAD, more),     \
	EVEN_REAL(f, "spread", sd, real, f "_sd", I, HEAD,                                        \
		  "The standard deviation over ranks, or runs", more),                            \
	EVEN_REAL(f, "imbalance%", f "_imbalance", VALUE, f "_imbalance", I, HEAD,                \
		  "What the most is above the mean, as a share of the most", more)
#define EVENLY(sd, I, HEAD, more)                                                                 \
	C("self_over_ns", NS, "max(" I("self_most") " - " I("self_mean") ", 0)",                  \
	  .flags = LIST_NO_SUM | (more),                                                          \
	  SHOWN(HEAD("self over"), "What the most is above the mean: others may wait for it")),   \
	EVEN("self", NS, "_ns", NS, sd, I, HEAD, more),                                           \
	EVEN("calls", COUNT, "", VALUE, "calls_sd", I, HEAD, more),                               \
	EVEN("work", COUNT, "", VALUE, "work_sd", I, HEAD, more)
/* Of a procedure among others, only if it is asked for: see LIST_UNEVEN. */
#define UNEVEN(column) "(SELECT i." column " FROM temp.imbalance i WHERE i.id = p.id)"
#define UNEVEN_HEAD(text) text

#define IF_COUNTED(what) "iif(p.lacking < 9223372036854775807, " what ", NULL)"
static const struct list_column procedure_columns[] = {
	C("id", NUMBER, "p.id", .flags = LIST_INDEXED, .id = TABLE_PROCEDURE),
	C("procedure", TEXT, "p.name", .flags = LIST_INDEXED),
	C("file", TEXT, "f.path", .sort = { "p.file", "p.line", "p.column", "p.end_line" },
	  .flags = LIST_INDEXED),
	C("line", NUMBER, "p.line", .sort = { "p.line", "p.file" }),
	C("calls", COUNT, "CASE WHEN p.calls OR NOT p.is_foreign AND "
	  "p.lacking < 9223372036854775807 THEN p.calls END",
	  .sort = { "-p.calls" }, .sum = "iif(p.is_foreign, 0, p.calls)",
	  .flags = LIST_COUNTED | LIST_INDEXED),
	T("self_ns", .flags = LIST_INDEXED), T("self_samples"),
	T("total_ns", .flags = LIST_INDEXED | LIST_NO_SUM),
	C("propagated_ns", NS, IF_COUNTED("p.propagated_ns"), .sort = { "-p.propagated_ns" },
	  .flags = LIST_COUNTED | LIST_NO_SUM),
	T("total_samples", .flags = LIST_NO_SUM),
	C("code_bytes", COUNT, "p.code_bytes"), /* the head of the column tells the unit */
	C("cycle", NUMBER, "p.cycle", .sort = { "-p.cycle" }, .id = TABLE_CYCLE),
	C("file_id", NUMBER, "p.file", .id = TABLE_FILE),
	T("end_line"), T("linkage_name"), T("column"), MEASURED("centre_ns"), T("centre_samples"),
	MEASURED("centre_total_ns"), MEASURED("self_wait_ns"), MEASURED("total_wait_ns"),
	C("propagated_lo_ns", NS, IF_COUNTED("p.propagated_lo_ns"),
	  .sort = { "-p.propagated_lo_ns" }, .flags = LIST_COUNTED | LIST_NO_SUM),
	C("propagated_hi_ns", NS, IF_COUNTED("p.propagated_hi_ns"),
	  .sort = { "-p.propagated_hi_ns" }, .flags = LIST_NO_SUM),
	C("self_calls", COUNT, IF_COUNTED("p.self_calls"), .sort = { "-p.self_calls" },
	  .flags = LIST_COUNTED),
	EACH("self_each_ns", "p.self_ns", "p.calls"),
	EACH("centre_each_ns", "p.centre_ns", "p.calls"),
	T("self_sd_ns", .flags = LIST_NO_SUM),
	C("runs_without", NUMBER, "p.runs_without", .sort = { "-p.runs_without" }),
	C("differs", NUMBER, "p.differs", .sort = { "-p.differs", "-p.total_ns" }),
	T("own_ns"), T("own_samples"), T("own_wait_ns"),
	EACH("own_each_ns", "p.own_ns", "p.calls"),
	T("is_foreign"),
	C("estimated", COUNT, "p.estimated", .flags = LIST_NO_SUM),
	T("shared"), T("lacking"),
	C("measured", TEXT, "CASE WHEN p.lacking < 9223372036854775807 THEN 'counted' "
	  "WHEN p.total_samples THEN 'sampled' ELSE 'no' END"),
	EVENLY("self_ranks_sd_ns" /* the other is that of runs */, UNEVEN, UNEVEN_HEAD,
	       LIST_UNEVEN),
	END
};

#define BLOCKS_OF_PROCEDURES "procedure p CROSS JOIN block b ON b.procedure = p.id"
/* The place of the expression with most of the block's time; of the first one when none has any. */
#define HOTTEST(column)                                                                           \
	"coalesce((SELECT r." column " FROM range r WHERE r.id = b.hottest), b." column ")"

static const struct list_column block_columns[] = {
	C("id", NUMBER, "b.id", .flags = LIST_INDEXED, .id = TABLE_BLOCK),
	C("file", TEXT, "f.path", .sort = { "b.file", "b.line", "b.column" },
	  .flags = LIST_INDEXED),
	C("line", NUMBER, "coalesce(r.line, b.line)",
	  .sort = { HOTTEST("line"), "b.file", HOTTEST("column") }),
	C("column", NUMBER, "coalesce(r.column, b.column)", .sort = { HOTTEST("column") }),
	C("end_line", NUMBER, "coalesce(r.end_line, b.end_line)", .sort = { HOTTEST("end_line") }),
	C("end_column", NUMBER, "coalesce(r.end_column, b.end_column)",
	  .sort = { HOTTEST("end_column") }),
	C("procedure", TEXT, "p.name", .sort = { "p.name", "p.id" },
	  .sort_from = BLOCKS_OF_PROCEDURES, .flags = LIST_INDEXED),
	COUNT("count", "b", "count"),
	T("self_ns", .flags = LIST_INDEXED), T("self_samples"),
	C("procedure_id", NUMBER, "b.procedure", .flags = LIST_INDEXED, .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "b.file", .id = TABLE_FILE), MEASURED("self_wait_ns"),
	EACH("self_each_ns", "b.self_ns", "b.count"),
	C("runs_without", NUMBER, "b.runs_without", .sort = { "-b.runs_without" }),
	T("lacking"),
	END
};

/* Does what arc A brings of its callee E rest on an estimate? */
#define IS_ESTIMATED "(a.how IN ('estimated', 'pinned') OR coalesce(e.estimated, 0))"
#define ANY_ESTIMATED "(SELECT coalesce(max(" IS_ESTIMATED "), 0) FROM arc a " \
	"LEFT JOIN procedure e ON e.id = a.callee WHERE a.site = s.id)"
#define SITES_OF_PROCEDURES "procedure p CROSS JOIN call_site s ON s.procedure = p.id"
static const struct list_column site_columns[] = {
	C("id", NUMBER, "s.id", .flags = LIST_INDEXED, .id = TABLE_SITE),
	C("file", TEXT, "f.path", .sort = { "s.file", "s.line", "s.column" },
	  .flags = LIST_INDEXED),
	C("line", NUMBER, "s.line", .sort = { "s.line", "s.file", "s.column" }),
	T("column"), T("end_line"), T("end_column"),
	C("procedure", TEXT, "p.name", .sort = { "p.name", "p.id" },
	  .sort_from = SITES_OF_PROCEDURES, .flags = LIST_INDEXED),
	T("kind"),
	COUNT("count", "s", "count"),
	T("total_ns", .flags = LIST_INDEXED | LIST_NO_SUM),
	T("total_samples", .flags = LIST_NO_SUM), T("target"),
	C("procedure_id", NUMBER, "s.procedure", .flags = LIST_INDEXED, .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "s.file", .id = TABLE_FILE), MEASURED("total_wait_ns"),
	T("propagated_ns", .flags = LIST_COUNTED | LIST_NO_SUM),
	EACH("total_each_ns", "s.total_ns", "s.count"),
	C("runs_without", NUMBER, "s.runs_without", .sort = { "-s.runs_without" }),
	C("estimated", COUNT, ANY_ESTIMATED, .flags = LIST_NO_SUM),
	T("shared"), T("lacking"),
	END
};

static const struct list_column line_columns[] = {
	C("id", NUMBER, "l.id", .flags = LIST_INDEXED, .id = TABLE_LINE),
	C("file", TEXT, "f.path", .sort = { "l.file", "l.line" }, .flags = LIST_INDEXED),
	C("line", NUMBER, "l.line", .sort = { "l.line", "l.file" }),
	COUNT("count", "l", "count"),
	T("self_ns", .flags = LIST_INDEXED), T("self_samples"),
	C("file_id", NUMBER, "l.file", .sort = { "l.file", "l.line" }, .flags = LIST_INDEXED,
	  .id = TABLE_FILE),
	MEASURED("self_wait_ns"),
	EACH("self_each_ns", "l.self_ns", "l.count"),
	C("runs_without", NUMBER, "l.runs_without", .sort = { "-l.runs_without" }),
	C("total_ns", NS, "l.total_ns", .sort = { "-l.total_ns", "-l.count" },
	  .flags = LIST_NO_SUM),
	T("total_samples", .flags = LIST_NO_SUM), T("lacking"),
	C("code_bytes", COUNT, "l.code_bytes"), /* as of procedures */
	END
};

/* Work is exact unless a block lacks counts; of sums nothing else is known. */
#define COUNTS_LACK "(SELECT NOT exact FROM measure WHERE id = 6)"
_Static_assert(MEASURE_WORK == 6, "work");

static const struct list_column file_columns[] = {
	C("id", NUMBER, "f.id", .flags = LIST_INDEXED, .id = TABLE_FILE),
	C("file", TEXT, "f.path"),
	C("lines", COUNT, "f.code_lines"),
	EXECUTED("f"),
	T("self_ns"), T("count", .flags = LIST_COUNTED),
	C("lacking", COUNT, COUNTS_LACK),
	T("procedures"), MEASURED("self_wait_ns"), T("self_samples"),
	EXECUTED_PERCENT("f"),
	T("state"),
	C("never", COUNT, "f.code_lines - f.executed_lines - f.uncounted_lines",
	  .flags = LIST_COUNTED),
	C("uncounted", COUNT, "f.uncounted_lines"),
	END
};

static const struct list_column never_columns[] = {
	C("id", NUMBER, "n.id", .flags = LIST_INDEXED),
	C("procedure", TEXT, "coalesce(p.name, '(in no procedure)')",
	  .sort_from = "temp.never n LEFT JOIN procedure p ON p.id = n.procedure"),
	C("file", TEXT, "f.path", .sort = { "n.file", "n.line" }),
	C("line", NUMBER, "n.line", .sort = { "n.line", "n.file" }),
	C("lines", COUNT, "n.lines"),
	C("never", COUNT, "n.never", .sort = { "-n.never", "-n.lines" }, .flags = LIST_COUNTED),
	C("never_percent", RATIO, "100 * n.never / nullif(n.lines, 0)",
	  .sort = { "-(100.0 * n.never / nullif(n.lines, 0))", "-n.never" }),
	C("calls", COUNT, "n.calls", .sort = { "-n.calls" }, .flags = LIST_COUNTED),
	C("procedure_id", NUMBER, "n.procedure", .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "n.file", .id = TABLE_FILE),
	END
};

/* Of what is known to have been executed or not. */
#define COVERED(what) \
	C(what, COUNT, "nullif(v." what ", 0)", .sort = { "-v." what }, .flags = LIST_NO_SUM), \
	C("executed_" what, COUNT, "iif(v." what " > v.uncounted_" what ", v.executed_" what \
	  ", NULL)", .sort = { "-v.executed_" what }, .flags = LIST_COUNTED | LIST_NO_SUM), \
	C(what "_percent", RATIO, "100 * v.executed_" what " / nullif(v." what \
	  " - v.uncounted_" what ", 0)", \
	  .sort = { "-(100.0 * v.executed_" what " / nullif(v." what " - v.uncounted_" what \
		    ", 0))" }, .flags = LIST_COUNTED), \
	C("uncounted_" what, COUNT, "v.uncounted_" what, .flags = LIST_NO_SUM)
static const struct list_column coverage_columns[] = {
	C("id", NUMBER, "v.id", .flags = LIST_INDEXED),
	C("path", TEXT, "v.path", .sort = { "v.id" }), C("kind", TEXT, "v.kind"),
	C("files", COUNT, "v.files", .flags = LIST_NO_SUM),
	COVERED("lines"), COVERED("blocks"), COVERED("branches"),
	C("file_id", NUMBER, "v.file", .id = TABLE_FILE),
	END
};

static const struct list_column covered_columns[] = {
	C("id", NUMBER, "v.id", .flags = LIST_INDEXED),
	C("procedure", TEXT, "p.name",
	  .sort_from = "temp.covered v LEFT JOIN procedure p ON p.id = v.procedure"),
	C("file", TEXT, "f.path", .sort = { "v.file", "v.line", "v.id" }),
	C("line", NUMBER, "v.line", .sort = { "v.line", "v.file" }),
	C("calls", COUNT, "iif(v.procedure, " COUNTED("v", "calls") ", NULL)",
	  .sort = { "-v.calls" }, .sum = "v.calls", .flags = LIST_COUNTED),
	COVERED("lines"), COVERED("blocks"), COVERED("branches"), T("lacking"),
	C("procedure_id", NUMBER, "v.procedure", .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "v.file", .id = TABLE_FILE),
	END
};

static const struct list_column branch_columns[] = {
	C("id", NUMBER, "c.id", .flags = LIST_INDEXED),
	C("file", TEXT, "f.path", .sort = { "c.file", "c.line", "c.column" }),
	C("line", NUMBER, "c.line", .sort = { "c.line", "c.file" }),
	C("column", NUMBER, "c.column"), C("end_line", NUMBER, "c.end_line"),
	C("end_column", NUMBER, "c.end_column"),
	C("procedure", TEXT, "p.name",
	  .sort_from = "temp.condition c LEFT JOIN procedure p ON p.id = c.procedure"),
	C("kind", TEXT, "c.kind"),
	C("count", COUNT, "c.count", .flags = LIST_COUNTED | LIST_NO_SUM),
	C("ways", COUNT, "c.ways"), C("taken", COUNT, "c.taken", .flags = LIST_COUNTED),
	C("missing", TEXT, "c.missing"),
	C("procedure_id", NUMBER, "c.procedure", .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "c.file", .id = TABLE_FILE),
	END
};

static const struct list_column directory_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED),
	C("directory", TEXT, "d.path"),
	C("files", COUNT, "d.files"),
	C("lines", COUNT, "d.code_lines"),
	EXECUTED("d"),
	T("procedures"), T("count", .flags = LIST_COUNTED),
	C("lacking", COUNT, COUNTS_LACK),
	T("self_ns"), T("self_samples"), MEASURED("self_wait_ns"),
	C("total_ns", NS, "d.total_ns", .sort = { "-d.total_ns", "-d.total_count" },
	  .flags = LIST_NO_SUM),
	C("total_count", COUNT, "d.total_count", .flags = LIST_NO_SUM),
	EXECUTED_PERCENT("d"),
	END
};

#define FILE_OF_ARC "(SELECT s.file FROM call_site s WHERE s.id = coalesce(a.site, a.through))"
#define ARCS_AND_SITES "arc a LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through)"
/* The callee of a direct call; a mark tells calls of a namesake outside of the program. */
#define NAMED "CASE WHEN substr(s.target, -8) = '@outside' " \
	"THEN substr(s.target, 1, length(s.target) - 8) ELSE s.target END"
#define CALLED "CASE WHEN s.kind <> 'direct' OR a.site IS NULL THEN NULL ELSE " NAMED " END"
/* The function that got the callee's address, such as "qsort". */
#define THROUGH "CASE WHEN a.through IS NULL THEN NULL ELSE " NAMED " END"
/* The share of the callee's total that an arc brings, by its calls; nothing within a cycle. All of
 * it is brought by the calls from elsewhere: by others, of a cycle by what is outside of it. */
#define ENTRIES "CASE WHEN e.cycle > 0 THEN (SELECT c.outer_calls FROM cycle c " \
	"WHERE c.id = e.cycle) ELSE e.calls - e.self_calls END"
#define SHARE_OF_ARC "CASE WHEN r.id = e.id OR (r.cycle > 0 AND r.cycle = e.cycle) THEN 0 " \
	"ELSE CAST(min(1.0, 1.0 * a.count / nullif(" ENTRIES ", 0)) * e.", " AS INTEGER) END"
#define ARCS_AND_BOTH "arc a LEFT JOIN procedure r ON r.id = a.caller " \
	"LEFT JOIN procedure e ON e.id = a.callee"
#define ARCS_AND_CALLERS "arc a LEFT JOIN procedure p ON p.id = a.caller"
#define ARCS_AND_CALLEES "arc a LEFT JOIN procedure p ON p.id = a.callee"
#define KNOWN(count) "CASE a.how WHEN 'sampled' THEN NULL ELSE a." count " END"
/* Calls of a procedure by itself come last: their time is in its own. */
#define OWN_LAST "-(a.caller IS NOT a.callee)"
/* Of an estimate that rests on samples: no row of several arcs, stacks are known to tell of the
 * site (a jump leaves none), and of the callee's calls: those from pointers, or, of what was handed
 * out, those from outside. Of the latter they also tell that none came by a call, and how many
 * came by other ways than the calls that are known. */
#define LIKELY(end) "CASE WHEN a.how = 'estimated' AND a.id < 4294967296 AND "                     \
	"CASE WHEN a.site THEN s.total_samples > 0 "                                               \
	"WHEN a.through THEN s.total_samples > 0 OR a.count = 0 "                                  \
	"ELSE a.total_samples > 0 AND EXISTS (SELECT * FROM arc t "                                \
	"WHERE t.callee = a.callee AND t.through) END AND "                                        \
	"e.total_samples > 0 AND NOT e.is_foreign THEN "                                           \
	"(SELECT likely_" end "(a.count, a.lo, a.hi, a.total_samples, total(o.count), "            \
	"total(o.total_samples), a.site IS NULL) FROM arc o "                                      \
	"WHERE o.callee = a.callee AND o.how = 'estimated' "                                       \
	"AND CASE WHEN a.site THEN o.through IS NULL ELSE o.site IS NULL END) END"
#define ARCS_SITES_CALLEES ARCS_AND_SITES " LEFT JOIN procedure e ON e.id = a.callee"
static const struct list_column arc_columns[] = {
	C("id", NUMBER, "a.id", .flags = LIST_INDEXED, .id = TABLE_ARC),
	C("caller", TEXT, "coalesce(r.name, 'outside')",
	  .sort = { "coalesce(p.name, 'outside')", "a.caller" }, .sort_from = ARCS_AND_CALLERS),
	C("file", TEXT, "f.path", .sort = { "s.file", "s.line", "s.column" },
	  .sort_from = ARCS_AND_SITES),
	C("line", NUMBER, "s.line", .sort = { "s.line", "s.file", "s.column" },
	  .sort_from = ARCS_AND_SITES),
	C("column", NUMBER, "s.column", .sort_from = ARCS_AND_SITES),
	C("callee", TEXT, "coalesce(e.name, 'outside')",
	  .sort = { "coalesce(p.name, 'outside')", "a.callee" }, .sort_from = ARCS_AND_CALLEES),
	C("count", COUNT, KNOWN("count"), .sort = { "-a.count" },
	  .flags = LIST_COUNTED | LIST_INDEXED | LIST_CHANGES),
	C("lo", COUNT, KNOWN("lo"), .sort = { "-a.lo" }, .flags = LIST_NO_SUM),
	C("hi", COUNT, KNOWN("hi"), .sort = { "-a.hi" }, .flags = LIST_NO_SUM),
	T("how", .flags = LIST_COUNTED),
	C("site_id", NUMBER, "a.site", .flags = LIST_INDEXED, .id = TABLE_SITE),
	C("caller_id", NUMBER, "a.caller", .flags = LIST_INDEXED, .id = TABLE_PROCEDURE),
	C("callee_id", NUMBER, "a.callee", .flags = LIST_INDEXED, .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "s.file", .sort_from = ARCS_AND_SITES, .id = TABLE_FILE),
	C("end_line", NUMBER, "s.end_line", .sort_from = ARCS_AND_SITES),
	C("end_column", NUMBER, "s.end_column", .sort_from = ARCS_AND_SITES),
	C("total_ns", NS, "a.total_ns", .sort = { OWN_LAST, "-a.total_ns", "-a.count" },
	  .flags = LIST_NO_SUM),
	C("target", TEXT, CALLED, .sort_from = ARCS_AND_SITES),
	C("samples", SAMPLES, "a.samples"),
	C("differs", NUMBER, "a.differs", .sort = { "-a.differs", "-a.count" }),
	T("measured"),
	C("through", TEXT, THROUGH, .sort_from = ARCS_AND_SITES),
	T("total_samples", .flags = LIST_NO_SUM),
	C("propagated_ns", NS, "a.propagated_ns", .sort = { "-a.propagated_ns", "-a.count" },
	  .flags = LIST_COUNTED | LIST_NO_SUM),
	C("estimated", COUNT, IS_ESTIMATED, .flags = LIST_NO_SUM,
	  .sort_from = "arc a LEFT JOIN procedure e ON e.id = a.callee"),
	C("likely_lo", COUNT, LIKELY("lo"), .flags = LIST_COUNTED | LIST_NO_SUM,
	  .sort_from = ARCS_SITES_CALLEES),
	C("likely_hi", COUNT, LIKELY("hi"), .flags = LIST_NO_SUM,
	  .sort_from = ARCS_SITES_CALLEES),
	T("shared"),
	C("lacking", COUNT, ARC_LACKING, .of_groups = "a.lacking", .flags = LIST_NO_SUM),
	END
};

static const struct list_column cycle_columns[] = {
	C("id", NUMBER, "c.id", .flags = LIST_INDEXED, .id = TABLE_CYCLE),
	T("members"),
	C("procedures", COUNT, "c.procedures"),
	T("self_ns"), T("total_ns", .flags = LIST_NO_SUM), T("outer_calls"), T("inner_calls"),
	T("self_calls", .flags = LIST_COUNTED),
	T("propagated_ns", .flags = LIST_COUNTED | LIST_NO_SUM),
	END
};

/* Notes about wrong counts come before those about wrong times, and those before notes about what
 * is merely missing. */
#define NOTE_RANK "CASE n.kind WHEN 'subset' THEN 1 WHEN 'counts' THEN 2 WHEN 'tables' THEN 3 " \
	"WHEN 'uncounted' THEN 4 WHEN 'samples' THEN 5 WHEN 'stacks' THEN 5 WHEN 'dwarf' THEN 6 " \
	"WHEN 'source' THEN 7 WHEN 'flow' THEN 8 WHEN 'baseline' THEN 9 " \
	"WHEN 'threads' THEN 10 WHEN 'library' THEN 12 ELSE 11 END"
static const struct list_column moment_columns[] = {
	C("id", NUMBER, "m.id", .flags = LIST_INDEXED, .id = TABLE_MOMENT),
	C("moment", NUMBER, "m.id", .flags = LIST_INDEXED, .id = TABLE_MOMENT),
	C("run", NUMBER, "h.run", .sort = { "m.id" }, .id = TABLE_RUN),
	C("pid", NUMBER, "h.pid", .sort = { "m.id" }),
	C("at_ns", NS, "m.at_ns", .sort = { "m.id" }, .flags = LIST_NO_SUM),
	T("cpu_ns", .flags = LIST_NO_SUM), T("clock_bytes", .flags = LIST_NO_SUM),
	T("live_bytes", .flags = LIST_NO_SUM), T("inherited_bytes", .flags = LIST_NO_SUM),
	C("resident_bytes", BYTES, "nullif(m.resident_bytes, 0)", .flags = LIST_NO_SUM),
	C("peak", NUMBER, "m.peak", .sort = { "-m.peak" }),
	C("peak_lo_bytes", BYTES, "h.peak_lo_bytes", .sort = { "m.id" }, .flags = LIST_NO_SUM),
	C("peak_hi_bytes", BYTES, "h.peak_hi_bytes", .sort = { "m.id" }, .flags = LIST_NO_SUM),
	END
};

static const struct list_column band_columns[] = {
	C("id", NUMBER, "b.id", .flags = LIST_INDEXED, .id = TABLE_BAND),
	C("moment", NUMBER, "b.moment", .id = TABLE_MOMENT),
	C("at_ns", NS, "m.at_ns", .sort = { "b.moment" }, .flags = LIST_NO_SUM),
	T("live_bytes", .flags = LIST_NO_SUM),
	C("procedure", TEXT, "p.name", .sort = { "b.producer" }),
	C("file", TEXT, "f.path", .sort = { "b.producer" }),
	C("line", NUMBER, "r.line", .sort = { "b.producer" }),
	C("column", NUMBER, "r.column", .sort = { "b.producer" }),
	C("end_line", NUMBER, "r.end_line", .sort = { "b.producer" }),
	C("end_column", NUMBER, "r.end_column", .sort = { "b.producer" }),
	C("procedure_id", NUMBER, "r.procedure", .sort = { "b.producer" }, .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "r.file", .sort = { "b.producer" }, .id = TABLE_FILE),
	T("made_bytes", .flags = LIST_NO_SUM),
	END
};

static const struct list_column span_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED),
	C("from_ns", NS, "d.from_ns", .flags = LIST_NO_SUM),
	C("to_ns", NS, "d.to_ns", .flags = LIST_NO_SUM),
	C("name", TEXT, "d.name"),
	C("what", TEXT, "d.what"),
	C("size_class", NUMBER, "d.size_class"),
	C("made_lo_bytes", BYTES, "d.made_lo", .flags = LIST_NO_SUM),
	C("made_hi_bytes", BYTES, "d.made_hi", .flags = LIST_NO_SUM),
	C("kept_lo_bytes", BYTES, "d.kept_lo", .flags = LIST_NO_SUM),
	C("kept_hi_bytes", BYTES, "d.kept_hi", .flags = LIST_NO_SUM),
	C("before_lo_bytes", BYTES, "d.before_lo", .flags = LIST_NO_SUM),
	C("before_hi_bytes", BYTES, "d.before_hi", .flags = LIST_NO_SUM),
	C("after_lo_bytes", BYTES, "d.after_lo", .flags = LIST_NO_SUM),
	C("after_hi_bytes", BYTES, "d.after_hi", .flags = LIST_NO_SUM),
	C("file", TEXT, "f.path", .sort = { "f.path", "d.line", "d.column" },
	  .sort_from = "temp.span d LEFT JOIN file f ON f.id = d.file"),
	C("line", NUMBER, "d.line"),
	C("column", NUMBER, "d.column"),
	C("end_line", NUMBER, "d.end_line"),
	C("end_column", NUMBER, "d.end_column"),
	C("procedure_id", NUMBER, "d.procedure", .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "d.file", .id = TABLE_FILE),
	END
};

static const struct list_column note_columns[] = {
	C("id", NUMBER, "n.id", .flags = LIST_INDEXED, .id = TABLE_NOTE),
	T("kind"), T("text"),
	C("rank", NUMBER, NOTE_RANK),
	END
};

#define REMARK_LINE "coalesce(m.line, m.path_line)"
static const struct list_column remark_columns[] = {
	C("id", NUMBER, "m.id", .flags = LIST_INDEXED, .id = TABLE_REMARK),
	C("procedure", TEXT, "p.name",
	  .sort = { "(SELECT name FROM procedure WHERE id = m.procedure)" }),
	C("file", TEXT, "coalesce(f.path, m.path)",
	  .sort = { "m.file", "m.path", REMARK_LINE, "m.column" }),
	C("line", NUMBER, REMARK_LINE, .sort = { REMARK_LINE, "m.file", "m.column" }),
	T("column"), T("end_line"), T("end_column"), T("text"), T("written_ns"),
	C("procedure_id", NUMBER, "m.procedure", .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "m.file", .id = TABLE_FILE),
	END
};

#define RUN_THREADS "(SELECT total(threads) FROM part WHERE part.run = r.id)"
#define RUN_BLOCKS "(SELECT total(blocks_executed) FROM part WHERE part.run = r.id)"
static const struct list_column run_columns[] = {
	C("id", NUMBER, "r.id", .id = TABLE_RUN),
	C("run", NUMBER, "r.id", .id = TABLE_RUN),
	T("command"), T("program"), T("directory"), T("host"), T("label"), T("job"),
	T("started_ns"), T("wall_ns"), T("user_ns"), T("system_ns"), T("cpu_ns"),
	C("exit_status", NUMBER, "CASE WHEN r.exit_status >= 0 THEN r.exit_status END",
	  .sort = { "-r.exit_status", "-r.exit_signal" }),
	C("exit_signal", NUMBER, "nullif(r.exit_signal, 0)", .sort = { "-r.exit_signal" }),
	C("processes", COUNT, "r.processes"),
	C("threads", COUNT, RUN_THREADS),
	T("samples"), T("lost_samples"), T("wait_ns"), T("delay_ns"),
	C("blocks_executed", COUNT, RUN_BLOCKS, .flags = LIST_COUNTED),
	C("lacking", COUNT, COUNTS_LACK),
	T("clock", SHOWN("clock", "What sampled its time, and why")),
	C("sample_ns", NUMBER, "r.sample_ns"),
	END
};

static const struct list_column thread_columns[] = {
	C("id", NUMBER, "t.id", .id = TABLE_PART),
	C("thread", NUMBER, "t.id", .id = TABLE_PART),
	C("run", NUMBER, "t.run", .id = TABLE_RUN),
	T("pid"), T("tid"), T("name"), T("threads"), T("tids"), T("cpu_ns"), T("samples"),
	T("lost_samples"), T("wait_ns"), T("delay_ns"), T("blocks_executed", .flags = LIST_COUNTED),
	C("lacking", COUNT, COUNTS_LACK),
	C("rank", NUMBER, "nullif(t.rank, -1)"),
	END
};

static const struct list_column rank_columns[] = {
	C("id", NUMBER, "k.id"), C("rank", NUMBER, "k.rank"), C("host", TEXT, "k.host"),
	C("runs", COUNT, "k.runs"), C("threads", COUNT, "k.threads"),
	C("wall_ns", NS, "k.wall_ns", .flags = LIST_NO_SUM), C("cpu_ns", NS, "k.cpu_ns"),
	C("samples", SAMPLES, "k.samples"), C("lost_samples", SAMPLES, "k.lost_samples"),
	C("wait_ns", NS, "k.wait_ns"), C("delay_ns", NS, "k.delay_ns"),
	C("blocks_executed", COUNT, "k.blocks_executed", .flags = LIST_COUNTED),
	C("it_calls", COUNT, "k.it_calls"), C("it_work", COUNT, "k.it_work"),
	C("it_ns", NS, "k.it_ns"), C("lacking", COUNT, COUNTS_LACK), END
};

#define ITSELF(column) "i." column
#define NO_HEAD(text) NULL /* show/columns.c has them */
#define WHO(called) C(called, TEXT, "i." called)
static const struct list_column imbalance_columns[] = {
	C("id", NUMBER, "i.id", .flags = LIST_INDEXED, .id = TABLE_PROCEDURE),
	C("procedure", TEXT, "p.name"),
	C("file", TEXT, "f.path", .sort = { "p.file", "p.line" }),
	C("line", NUMBER, "p.line", .sort = { "p.line", "p.file" }),
	C("of", TEXT, "i.of"),
	EVENLY("self_sd_ns", ITSELF, NO_HEAD, 0),
	WHO("self_least_who"), WHO("self_most_who"), WHO("calls_least_who"),
	WHO("calls_most_who"), WHO("work_least_who"), WHO("work_most_who"),
	C("file_id", NUMBER, "p.file", .id = TABLE_FILE), END
};

static const struct list_column defect_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED, .id = TABLE_DEFECT),
	C("error", NUMBER, "d.id", .flags = LIST_INDEXED, .id = TABLE_DEFECT),
	T("tool"), T("kind"), T("count"),
	C("bytes", BYTES, "nullif(d.bytes, 0)", .sort = { "-d.bytes" }),
	C("blocks", COUNT, "nullif(d.blocks, 0)", .sort = { "-d.blocks" }),
	C("procedure", TEXT, "p.name",
	  .sort = { "(SELECT name FROM procedure WHERE id = d.procedure)" }),
	C("file", TEXT, "f.path", .sort = { "d.file", "d.line", "d.column" }),
	C("line", NUMBER, "d.line", .sort = { "d.line", "d.file", "d.column" }),
	T("column"), T("end_line"), T("end_column"), T("what"),
	C("procedure_id", NUMBER, "d.procedure", .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "d.file", .id = TABLE_FILE),
	END
};

static const struct list_column frame_columns[] = {
	C("id", NUMBER, "a.id", .flags = LIST_INDEXED, .id = TABLE_DEFECT_FRAME),
	C("error", NUMBER, "a.defect", .id = TABLE_DEFECT),
	T("stack"), T("role"), T("depth"),
	C("name", TEXT, "coalesce(p.name, a.name)", .sort = { "a.name" }),
	C("file", TEXT, "coalesce(f.path, a.path)",
	  .sort = { "a.path", "a.file", "a.line", "a.column" }),
	C("line", NUMBER, "coalesce(a.line, a.path_line)"),
	T("column"), T("end_line"), T("end_column"), T("module"),
	C("kind", TEXT, "(SELECT kind FROM defect WHERE id = a.defect)"),
	C("procedure_id", NUMBER, "a.procedure", .id = TABLE_PROCEDURE),
	C("file_id", NUMBER, "a.file", .id = TABLE_FILE),
	END
};

#define COMPARED_NAME "coalesce(c.procedure_name, " \
		      "(SELECT name FROM procedure WHERE id = c.procedure))"
#define COMPARED_CALLEE "coalesce(c.callee_name, " \
			"(SELECT name FROM procedure WHERE id = c.callee))"
#define COMPARED_FILE "coalesce(c.path, (SELECT path FROM file WHERE id = c.file))"
/* The half of the value's, with 95 %. */
#define COMPARED_INTERVAL "iif(c.significance <> 0, 1.96 * abs(c.value / c.significance), NULL)"
/* In percent of what there was. */
#define COMPARED_CHANGE "iif(c.a > 0, (c.b + 0.0 - c.a) * 100 / c.a, NULL)"
#define N(called) C(called, NUMBER, "c." called)
#define V(called) C(called, VALUE, "c." called, .sort = { "-(c." called " + 0.0)" })
static const struct list_column comparison_columns[] = {
	C("id", NUMBER, "c.id", .flags = LIST_INDEXED),
	C("procedure", TEXT, COMPARED_NAME),
	C("callee", TEXT, COMPARED_CALLEE),
	C("file", TEXT, COMPARED_FILE, .sort = { COMPARED_FILE, "c.line", "c.column" }),
	N("line"), N("column"), N("end_line"), N("end_column"), C("kind", TEXT, "c.kind"),
	V("a"), V("b"),
	C("value", VALUE, "c.value", .sort = { "-c.magnitude" }, .flags = LIST_INDEXED),
	C("signed", VALUE, "c.value", .sort = { "-(c.value + 0.0)" }),
	C("change", VALUE, COMPARED_CHANGE, .sort = { "-abs(" COMPARED_CHANGE ")" }),
	C("sides", TEXT, "c.sides"),
	C("significance", VALUE, "c.significance", .sort = { "-abs(c.significance)" }),
	C("interval", VALUE, COMPARED_INTERVAL, .sort = { "-" COMPARED_INTERVAL }),
	C("verdict", TEXT, "c.verdict"), C("least", VALUE, "c.least"),
	C("spark", TEXT, "c.spark"), C("model", TEXT, "c.model"),
	C("procedure_id", NUMBER, "c.procedure"),
	C("callee_id", NUMBER, "c.callee"),
	C("file_id", NUMBER, "c.file"), N("owner"), N("caller_entity"), N("callee_entity"),
	N("first_file"), N("first_line"),
	N("first_column"), N("first_end_line"), N("first_end_column"), N("estimated"), N("arcs"),
	V("m1"), V("m2"), V("m3"), V("m4"), V("m5"), V("m6"), V("m7"), V("m8"),
	C("type", TEXT, "c.type"), N("size_class"), END
};

/* A disposal D with its calls: the maker S in procedure P, the disposer T in Q. */
#define MAKER(table) table " d LEFT JOIN call_site s ON s.id = d.site " \
	"LEFT JOIN procedure p ON p.id = d.procedure"
#define BOTH_ENDS(table) MAKER(table) " LEFT JOIN call_site t ON t.id = d.by_site " \
	"LEFT JOIN procedure q ON q.id = d.by"
/* Which call of the procedure it was is not known where that one ended in a jump. */
#define OF_EITHER(s, p, what) "iif(" s ".file IS NULL, " p "." what ", " s "." what ")"
#define END_JOINS "LEFT JOIN call_site s ON s.id = d.site " \
	"LEFT JOIN procedure p ON p.id = d.procedure " \
	"LEFT JOIN file f ON f.id = " OF_EITHER("s", "p", "file") " " \
	"LEFT JOIN call_site t ON t.id = d.by_site LEFT JOIN procedure q ON q.id = d.by " \
	"LEFT JOIN file g ON g.id = " OF_EITHER("t", "q", "file")
#define MAKER_JOINS "LEFT JOIN call_site s ON s.id = d.site " \
	"LEFT JOIN procedure p ON p.id = d.procedure " \
	"LEFT JOIN file f ON f.id = " OF_EITHER("s", "p", "file")
#define NAME_OF(p) "coalesce(" p ".name, '(unprofiled)')"
#define PLACE_OF(prefix, s, p, file, tables) \
	C(prefix "file", TEXT, file ".path", .sort_from = tables, \
	  .sort = { OF_EITHER(s, p, "file"), OF_EITHER(s, p, "line"), \
		    OF_EITHER(s, p, "column") }), \
	C(prefix "line", NUMBER, OF_EITHER(s, p, "line"), .sort_from = tables), \
	C(prefix "column", NUMBER, OF_EITHER(s, p, "column"), .sort_from = tables), \
	C(prefix "end_line", NUMBER, OF_EITHER(s, p, "end_line"), .sort_from = tables), \
	C(prefix "end_column", NUMBER, OF_EITHER(s, p, "end_column"), .sort_from = tables)
#define MAKER_COLUMNS(tables) \
	C("procedure", TEXT, NAME_OF("p"), .sort = { NAME_OF("p"), "d.procedure" }, \
	  .sort_from = tables), \
	PLACE_OF("", "s", "p", "f", tables), \
	C("procedure_id", NUMBER, "d.procedure", .id = TABLE_PROCEDURE), \
	C("file_id", NUMBER, OF_EITHER("s", "p", "file"), .sort_from = tables, .id = TABLE_FILE)
#define BY "CASE d.how WHEN 'never' THEN NULL ELSE " NAME_OF("q") " END"
#define DISPOSER_COLUMNS(tables) \
	C("how", TEXT, "d.how"), \
	C("by", TEXT, BY, .sort = { BY, "d.by" }, .sort_from = tables), \
	PLACE_OF("by_", "t", "q", "g", tables), \
	C("by_id", NUMBER, "d.by", .id = TABLE_PROCEDURE), \
	C("by_file_id", NUMBER, OF_EITHER("t", "q", "file"), .sort_from = tables, .id = TABLE_FILE)
#define LIFE "d.life_bytes / nullif(d.blocks - d.live_blocks, 0)"
#define LIVES \
	C("life_bytes", BYTES, LIFE, .flags = LIST_NO_SUM), T("temporary"), T("under_4k"), \
	T("under_64k"), T("under_1m"), T("under_16m"), T("under_256m"), T("under_4g"), T("longer")
#define MOVES T("moved"), T("copied_bytes"), T("grown_bytes")
#define TIMES \
	T("timed"), \
	C("least_ns", NS, "d.least_ns / nullif(d.timed, 0)", .flags = LIST_NO_SUM), \
	C("most_ns", NS, "d.most_ns / nullif(d.timed, 0)", .flags = LIST_NO_SUM)
#define TYPE(tables) C("type", TEXT, "s.type", .sort_from = tables)
#define AMOUNTS T("blocks"), C("bytes", BYTES, "d.bytes")
static const struct list_column pair_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED),
	MAKER_COLUMNS(BOTH_ENDS("temp.pair")), DISPOSER_COLUMNS(BOTH_ENDS("temp.pair")), AMOUNTS,
	LIVES, MOVES, TYPE(BOTH_ENDS("temp.pair")), TIMES, END
};
static const struct list_column disposer_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED),
	DISPOSER_COLUMNS(BOTH_ENDS("temp.disposer")), AMOUNTS,
	C("makers", COUNT, "d.others", .flags = LIST_NO_SUM), LIVES, MOVES, TIMES, END
};
static const struct list_column lifetime_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED), MAKER_COLUMNS(MAKER("temp.lifetime")),
	AMOUNTS, T("live_blocks"), C("live", BYTES, "d.live"),
	C("at_exit", BYTES, "d.at_exit"),
	C("disposers", COUNT, "d.others", .flags = LIST_NO_SUM), LIVES, MOVES,
	TYPE(MAKER("temp.lifetime")), C("lost", BYTES, "d.lost"), TIMES, END
};

/* What was got, D: by the call S, in the procedure P. */
#define GOT_AMOUNTS \
	AMOUNTS, C("each_bytes", BYTES, "d.bytes / nullif(d.blocks, 0)", .flags = LIST_NO_SUM), \
	T("live_blocks"), C("live", BYTES, "d.live"), C("peak", BYTES, "d.peak"), \
	T("freed_blocks"), C("freed", BYTES, "d.freed"), T("temporary"), \
	C("life_bytes", BYTES, "d.life_bytes / nullif(d.freed_blocks, 0)", \
	  .flags = LIST_NO_SUM), T("slack_bytes")
#define SIZE_CLASS C("size_class", NUMBER, "d.size_class")
#define MAKERS C("makers", COUNT, "d.calls", .flags = LIST_NO_SUM)
static const struct list_column producer_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED), MAKER_COLUMNS(MAKER("temp.got")),
	C("type", TEXT, "d.type"), SIZE_CLASS, GOT_AMOUNTS, END
};
/* Of pools: SLACK_BYTES are those of blocks whose end would be seen, which may have none. */
#define SEEN(what) "iif(d.slack_bytes + d.live_blocks + d.freed_blocks > 0, d." what ", NULL)"
static const struct list_column pool_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED), C("pool", TEXT, "d.type"),
	MAKER_COLUMNS(MAKER("temp.got_pool")), AMOUNTS,
	C("each_bytes", BYTES, "d.bytes / nullif(d.blocks, 0)", .flags = LIST_NO_SUM),
	C("left_blocks", COUNT, SEEN("live_blocks")), C("left", BYTES, SEEN("live")),
	C("peak", BYTES, SEEN("peak")), C("freed_blocks", COUNT, SEEN("freed_blocks")),
	C("freed", BYTES, SEEN("freed")), TYPE(MAKER("temp.got_pool")), END
};
static const struct list_column type_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED), C("type", TEXT, "d.type"), GOT_AMOUNTS,
	MAKERS, END
};
static const struct list_column size_columns[] = {
	C("id", NUMBER, "d.id", .flags = LIST_INDEXED), SIZE_CLASS, GOT_AMOUNTS, MAKERS, END
};

/* Rows that are made have no SQL. */
#define M(called, of_unit, ...) { .name = called, .unit = UNIT_##of_unit, __VA_ARGS__ }
static const struct list_column pin_columns[] = {
	M("id", NUMBER), M("count", COUNT, .flags = LIST_COUNTED), M("lo", COUNT), M("hi", COUNT),
	M("how", TEXT, .flags = LIST_COUNTED), M("name", TEXT), M("call", TEXT), END
};
/* How evenly ranks have it, of trees that were asked for that. */
#define TREE_EVEN(of) \
	M(of "_over_ns", NS, .flags = LIST_UNEVEN), M(of "_least_ns", NS, .flags = LIST_UNEVEN), \
	M(of "_least_at", NUMBER, .flags = LIST_UNEVEN), \
	M(of "_mean_ns", NS, .flags = LIST_UNEVEN), M(of "_most_ns", NS, .flags = LIST_UNEVEN), \
	M(of "_most_at", NUMBER, .flags = LIST_UNEVEN), \
	M(of "_sd_ns", NS, .flags = LIST_UNEVEN), M(of "_imbalance", VALUE, .flags = LIST_UNEVEN)
#define DATA(called, of_unit) { .name = called, .unit = UNIT_##of_unit, .flags = LIST_DATA }
/* What has DATA stands in csv and json in this order; total and self as figures of a measure. */
static const struct list_column tree_columns[] = {
	M("id", NUMBER), DATA("row", NUMBER), DATA("parent", NUMBER), DATA("depth", NUMBER),
	DATA("kind", TEXT), DATA("procedure", TEXT), DATA("file", TEXT), DATA("line", NUMBER),
	DATA("call_file", TEXT), DATA("call_line", NUMBER), DATA("total", COUNT),
	DATA("self", COUNT), DATA("samples", SAMPLES), DATA("calls", COUNT),
	DATA("cycle", NUMBER), DATA("estimated", NUMBER), TREE_EVEN("total"), TREE_EVEN("self"),
	M("weight", COUNT), M("below", COUNT),
	M("count", COUNT, .flags = LIST_COUNTED), M("paths", COUNT), M("all_paths", COUNT),
	M("how", TEXT, .flags = LIST_COUNTED),
	M("a", VALUE), M("m1", VALUE), M("m2", VALUE), M("m3", VALUE), M("m4", VALUE),
	M("b", VALUE), M("value", VALUE),
	M("significance", VALUE), M("sides", TEXT), M("verdict", TEXT), END
};

const struct list_spec list_specs[] = {
	[LIST_PROCEDURE] = {
		.name = "procedure", .id = "p.id", .from = "procedure p", .file = "p.file",
		.joins = "LEFT JOIN file f ON f.id = p.file",
		.filter = "(" HAS("p.name") " OR " HAS("p.linkage_name") " OR p.file IN " FILES ")",
		.columns = procedure_columns,
		.figures = { TABLE_PROCEDURE, true, true, "p.", "-p.calls" },
	},
	[LIST_BLOCK] = {
		.name = "block", .id = "b.id", .from = "block b",
		.file = "b.file", .procedure = "b.procedure",
		.joins = "LEFT JOIN range r ON r.id = b.hottest "
			 "LEFT JOIN file f ON f.id = b.file "
			 "LEFT JOIN procedure p ON p.id = b.procedure",
		.filter = NAMES_OR_TEXT(IS_NAMED("b.procedure") " OR b.file IN " FILES,
					IS_IN_TEXT("b.file", "b.hottest", PLACE("b"))),
		.columns = block_columns,
		.figures = { TABLE_BLOCK, true, false, "b.", "-b.count" },
	},
	[LIST_SITE] = {
		.name = "site", .id = "s.id", .from = "call_site s",
		.file = "s.file", .procedure = "s.procedure",
		.joins = "LEFT JOIN file f ON f.id = s.file "
			 "LEFT JOIN procedure p ON p.id = s.procedure",
		.filter = NAMES_OR_TEXT(HAS("s.target") " OR " HAS("s.kind") " OR "
					IS_NAMED("s.procedure") " OR s.file IN " FILES,
					IS_IN_TEXT("s.file", "NULL", PLACE("s"))),
		.columns = site_columns,
		.figures = { TABLE_SITE, false, true, "s.", "-s.count" },
	},
	[LIST_LINE] = {
		.name = "line", .id = "l.id", .from = "line l", .file = "l.file",
		.joins = "LEFT JOIN file f ON f.id = l.file",
		.filter = NAMES_OR_TEXT("l.file IN " FILES,
					IS_IN_TEXT("l.file", "NULL",
						   "l.line, 0, l.line, 4294967295")),
		.columns = line_columns,
		.figures = { TABLE_LINE, true, false, "l.", "-l.count" },
	},
	[LIST_FILE] = {
		.name = "file", .id = "f.id", .from = "file f", .file = "f.id",
		.filter = HAS("f.path"),
		.columns = file_columns,
		.figures = { TABLE_FILE, true, false, "f.", "-f.count" },
	},
	[LIST_NEVER] = {
		.name = "never", .id = "n.id", .from = "temp.never n",
		.file = "n.file", .procedure = "n.procedure",
		.joins = "LEFT JOIN file f ON f.id = n.file "
			 "LEFT JOIN procedure p ON p.id = n.procedure",
		.filter = "(" IS_NAMED("n.procedure") " OR n.file IN " FILES ")",
		.columns = never_columns,
	},
	[LIST_COVERAGE] = {
		.name = "coverage", .wing = WING_COUNTS, .id = "v.id",
		.from = "temp.coverage v", .file = "v.file", .filter = HAS("v.path"),
		.columns = coverage_columns,
	},
	[LIST_COVERED] = {
		.name = "covered", .wing = WING_COUNTS, .id = "v.id",
		.from = "temp.covered v", .file = "v.file", .procedure = "v.procedure",
		.joins = "LEFT JOIN file f ON f.id = v.file "
			 "LEFT JOIN procedure p ON p.id = v.procedure",
		.filter = "(" IS_NAMED("v.procedure") " OR v.file IN " FILES ")",
		.columns = covered_columns,
	},
	[LIST_BRANCH] = {
		.name = "branch", .wing = WING_BRANCHES, .id = "c.id",
		.from = "temp.condition c", .file = "c.file", .procedure = "c.procedure",
		.joins = "LEFT JOIN file f ON f.id = c.file "
			 "LEFT JOIN procedure p ON p.id = c.procedure",
		.filter = NAMES_OR_TEXT(HAS("c.missing") " OR " IS_NAMED("c.procedure")
					" OR c.file IN " FILES,
					IS_IN_TEXT("c.file", "NULL", PLACE("c"))),
		.columns = branch_columns,
	},
	[LIST_DIRECTORY] = {
		.name = "directory", .id = "d.id", .from = "temp.directory d",
		.filter = HAS("d.path"),
		.columns = directory_columns,
		.figures = { TABLE_FILE, true, true, "d.", "-d.count" },
	},
	[LIST_ARC] = {
		.name = "arc", .id = "a.id", .from = "arc a", .file = FILE_OF_ARC,
		.joins = "LEFT JOIN procedure r ON r.id = a.caller "
			 "LEFT JOIN procedure e ON e.id = a.callee "
			 "LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through) "
			 "LEFT JOIN file f ON f.id = s.file",
		.filter = NAMES_OR_TEXT(
			HAS("a.how") " OR " IS_NAMED("a.caller") " OR " IS_NAMED("a.callee")
			" OR (a.caller IS NULL AND " HAS("'outside'")
			") OR (a.callee IS NULL AND " HAS("'outside'") ") OR "
			FILE_OF_ARC " IN " FILES
			" OR " HAS("(SELECT " CALLED " FROM call_site s WHERE s.id = a.site)"),
			"(SELECT " IS_IN_TEXT("s.file", "NULL", PLACE("s"))
			" FROM call_site s WHERE s.id = coalesce(a.site, a.through))"),
		.columns = arc_columns,
		.figures = { TABLE_ARC, false, true, "a.", "-a.count", SHARE_OF_ARC,
			     ARCS_AND_BOTH },
	},
	[LIST_CYCLE] = {
		.name = "cycle", .id = "c.id", .from = "cycle c",
		.filter = "EXISTS (SELECT 1 FROM procedure p WHERE p.cycle = c.id AND "
			  IS_NAMED("p.id") ")",
		.columns = cycle_columns,
	},
	[LIST_NOTE] = {
		.name = "note", .id = "n.id", .from = "note n",
		.filter = "(" HAS("n.kind") " OR " HAS("n.text") ")",
		.columns = note_columns,
	},
	[LIST_RUN] = {
		.name = "run", .id = "r.id", .from = "run r",
		.filter = "(" HAS("r.command") " OR " HAS("r.host") " OR " HAS("r.label") " OR "
			  HAS("r.job") ")",
		.columns = run_columns,
	},
	[LIST_THREAD] = {
		.name = "thread", .id = "t.id", .from = "part t",
		.filter = "(" HAS("t.name") " OR " HAS("t.tids") ")",
		.columns = thread_columns,
	},
	[LIST_RANK] = {
		.name = "rank", .wing = WING_RANKS, .id = "k.id", .from = "temp.rank k",
		.filter = HAS("k.host"),
		.columns = rank_columns,
	},
	[LIST_IMBALANCE] = {
		.name = "imbalance", .wing = WING_IMBALANCE, .id = "i.id",
		.from = "temp.imbalance i JOIN procedure p ON p.id = i.id",
		.joins = "LEFT JOIN file f ON f.id = p.file",
		.filter = IS_NAMED("p.id"),
		.file = "p.file", .columns = imbalance_columns,
	},
	[LIST_COMPARISON] = {
		.name = "comparison", .id = "c.id", .from = "compared_row c", .file = "c.file",
		.filter = NAMES_OR_TEXT(
			IS_NAMED("c.procedure") " OR " IS_NAMED("c.callee")
			" OR c.file IN " FILES " OR " HAS("c.procedure_name") " OR "
			HAS("c.callee_name") " OR " HAS("c.path") " OR " HAS("c.type"),
			"is_in_text_of(?1, c.holder, c.held_file, " PLACE("c") ")"),
		.columns = comparison_columns,
	},
	[LIST_MOMENT] = {
		.name = "moment", .wing = WING_MOMENTS,
		.id = "m.id", .from = "moment m",
		.joins = "LEFT JOIN heap h ON h.id = m.heap",
		.filter = HAS("m.id"),
		.columns = moment_columns,
	},
	[LIST_BAND] = {
		.name = "band", .wing = WING_MOMENTS,
		.id = "b.id", .from = "band b",
		.joins = "LEFT JOIN moment m ON m.id = b.moment "
			 "LEFT JOIN producer r ON r.id = b.producer "
			 "LEFT JOIN procedure p ON p.id = r.procedure "
			 "LEFT JOIN file f ON f.id = r.file",
		.filter = IS_NAMED("(SELECT procedure FROM producer r WHERE r.id = b.producer)"),
		.columns = band_columns,
	},
	[LIST_SPAN] = {
		.name = "span", .wing = WING_MOMENTS,
		.id = "d.id", .from = "temp.span d", .file = "d.file", .procedure = "d.procedure",
		.joins = "LEFT JOIN file f ON f.id = d.file",
		.filter = "(" HAS("d.name") " OR " HAS("d.what") " OR d.file IN " FILES ")",
		.columns = span_columns,
	},
	[LIST_PAIR] = {
		.name = "pair", .wing = WING_BLOCKS,
		.id = "d.id", .from = "temp.pair d", .file = "(SELECT file FROM call_site "
			"WHERE id = d.site)", .procedure = "d.procedure", .joins = END_JOINS,
		.filter = "(" HAS("d.how") " OR " IS_NAMED("d.procedure") " OR " IS_NAMED("d.by")
			  ")",
		.columns = pair_columns,
	},
	[LIST_DISPOSER] = {
		.name = "disposer", .wing = WING_BLOCKS,
		.id = "d.id", .from = "temp.disposer d", .file = "(SELECT file FROM call_site "
			"WHERE id = d.by_site)", .procedure = "d.by", .joins = END_JOINS,
		.filter = "(" HAS("d.how") " OR " IS_NAMED("d.by") ")",
		.columns = disposer_columns,
	},
	[LIST_LIFETIME] = {
		.name = "lifetime", .wing = WING_BLOCKS,
		.id = "d.id", .from = "temp.lifetime d", .file = "(SELECT file FROM call_site "
			"WHERE id = d.site)", .procedure = "d.procedure", .joins = END_JOINS,
		.filter = IS_NAMED("d.procedure"),
		.columns = lifetime_columns,
	},
	[LIST_PRODUCER] = {
		.name = "producer", .wing = WING_BLOCKS,
		.id = "d.id", .from = "temp.got d", .file = "(SELECT file FROM call_site "
			"WHERE id = d.site)", .procedure = "d.procedure", .joins = MAKER_JOINS,
		.filter = "(" HAS("d.type") " OR " IS_NAMED("d.procedure") ")",
		.columns = producer_columns,
	},
	[LIST_POOL] = {
		.name = "pool", .wing = WING_POOLS,
		.id = "d.id", .from = "temp.got_pool d", .file = "(SELECT file FROM call_site "
			"WHERE id = d.site)", .procedure = "d.procedure", .joins = MAKER_JOINS,
		.filter = "(" HAS("d.type") " OR " IS_NAMED("d.procedure") ")",
		.columns = pool_columns,
	},
	[LIST_TYPE] = {
		.name = "type", .wing = WING_BLOCKS,
		.id = "d.id", .from = "temp.got_type d", .filter = HAS("d.type"),
		.columns = type_columns,
	},
	[LIST_SIZE] = {
		.name = "size", .wing = WING_BLOCKS,
		.id = "d.id", .from = "temp.got_size d", .filter = HAS("d.size_class"),
		.columns = size_columns,
	},
	[LIST_DEFECT] = {
		.name = "error", .id = "d.id", .from = "defect d",
		.file = "d.file", .procedure = "d.procedure",
		.joins = "LEFT JOIN file f ON f.id = d.file "
			 "LEFT JOIN procedure p ON p.id = d.procedure",
		.filter = "(" HAS("d.kind") " OR " HAS("d.what") " OR " HAS("d.tool") " OR "
			  IS_NAMED("d.procedure") " OR d.file IN " FILES ")",
		.columns = defect_columns,
	},
	[LIST_REMARK] = {
		.name = "remark", .id = "m.id", .from = "remark m",
		.file = "m.file", .procedure = "m.procedure",
		.joins = "LEFT JOIN file f ON f.id = m.file "
			 "LEFT JOIN procedure p ON p.id = m.procedure",
		.filter = "(" HAS("m.text") " OR " HAS("m.path") " OR " IS_NAMED("m.procedure")
			  " OR m.file IN " FILES ")",
		.columns = remark_columns,
	},
	[LIST_FRAME] = {
		.name = "frame", .id = "a.id", .from = "defect_frame a", .file = "a.file",
		.joins = "LEFT JOIN file f ON f.id = a.file "
			 "LEFT JOIN procedure p ON p.id = a.procedure",
		.filter = "(" HAS("a.name") " OR " HAS("a.role") " OR " IS_NAMED("a.procedure")
			  " OR a.file IN " FILES ")",
		.columns = frame_columns,
	},
	[LIST_PIN] = { .columns = pin_columns },
	[LIST_TREE] = { .columns = tree_columns },
};

const char *
list_name(enum list_kind kind)
{
	return list_specs[kind].name;
}

bool
list_sort_term(const struct list_column *c, int i, struct sort_term *term)
{
	const char *sql = i < LIST_MAX_TERMS ? c->sort[i] : NULL;

	if (!c->sort[0] && !i) {
		*term = (struct sort_term){ c->sql, unit_descends(c->unit) };
		return true;
	}
	if (!sql)
		return false;
	*term = (struct sort_term){ sql + (*sql == '-'), *sql == '-' };
	return true;
}
