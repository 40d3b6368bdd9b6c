#include "db/schema.h"

#include <string.h>

#include "db/table.h"
#include "util/mem.h"

#define INDEX(name, table, columns) \
	{ SCHEMA_AFTER, "index", #name, #table, \
	  "CREATE INDEX " #name " ON " #table "(" columns ")" }
#define VIEW(name, select) \
	{ SCHEMA_AFTER, "view", #name, #name, "CREATE VIEW " #name " AS\n" select }

/* The schema besides the tables of table.c. */
static const struct schema_entry others[] = {
	INDEX(part_by_run, part, "run"),
	INDEX(procedure_by_name, procedure, "name"),
	INDEX(procedure_by_place, procedure, "file, line, column, end_line"),
	INDEX(procedure_by_calls, procedure, "calls DESC"),
	INDEX(procedure_by_self, procedure, "self_ns DESC, calls DESC"),
	INDEX(procedure_by_total, procedure, "total_ns DESC"),
	INDEX(procedure_by_cycle, procedure, "cycle"),
	INDEX(block_by_procedure, block, "procedure"),
	INDEX(block_by_place, block, "file, line, column"),
	INDEX(block_by_count, block, "count DESC"),
	INDEX(block_by_self, block, "self_ns DESC, count DESC"),
	INDEX(range_by_place, range, "file, " SCHEMA_SIZE_CLASS("") ", line, end_line"),
	{ SCHEMA_AFTER, "index", "range_of_macro", "range",
	  "CREATE INDEX range_of_macro ON range(block) WHERE kind IN ('macro', 'definition')" },
	INDEX(call_site_by_procedure, call_site, "procedure"),
	INDEX(call_site_by_place, call_site, "file, line, column"),
	INDEX(call_site_by_count, call_site, "count DESC"),
	INDEX(call_site_by_total, call_site, "total_ns DESC"),
	INDEX(arc_by_site, arc, "site"),
	INDEX(arc_by_caller, arc, "caller"),
	INDEX(arc_by_callee, arc, "callee"),
	INDEX(arc_by_through, arc, "through"),
	INDEX(arc_by_count, arc, "count DESC"),
	INDEX(line_by_place, line, "file, line"),
	INDEX(line_by_count, line, "count DESC"),
	INDEX(line_by_self, line, "self_ns DESC, count DESC"),
	INDEX(context_by_parent, context, "parent"),
	INDEX(context_by_procedure, context, "procedure"),
	INDEX(comparison_by_metric, comparison, "metric"),
	INDEX(comparison_by_procedure, comparison, "procedure"),
	INDEX(comparison_by_place, comparison, "file, line"),
	INDEX(defect_by_place, defect, "file, line"),
	INDEX(defect_frame_by_defect, defect_frame, "defect"),

	VIEW(flat,
	     "SELECT procedure.name AS procedure, file.path AS file, procedure.line,\n"
	     "  round(100.0 * procedure.self_ns / max(totals.self_ns, 1), 1) AS self_percent,\n"
	     "  procedure.self_ns, procedure.total_ns, procedure.calls\n"
	     "FROM totals, procedure LEFT JOIN file ON file.id = procedure.file\n"
	     "ORDER BY procedure.self_ns DESC, procedure.calls DESC"),
	VIEW(call_graph,
	     "SELECT coalesce(caller.name, 'outside') AS caller, file.path AS file,\n"
	     "  call_site.line, call_site.column,\n"
	     "  coalesce(callee.name, 'outside') AS callee,\n"
	     "  arc.count, arc.lo, arc.hi, arc.how, arc.total_ns\n"
	     "FROM arc\n"
	     "LEFT JOIN procedure AS caller ON caller.id = arc.caller\n"
	     "LEFT JOIN procedure AS callee ON callee.id = arc.callee\n"
	     "LEFT JOIN call_site ON call_site.id = arc.site\n"
	     "LEFT JOIN file ON file.id = call_site.file"),
	VIEW(hot_line,
	     "SELECT file.path AS file, line.line, line.count, line.self_ns\n"
	     "FROM line JOIN file ON file.id = line.file\n"
	     "ORDER BY line.self_ns DESC, line.count DESC"),
	VIEW(difference,
	     "SELECT metric.name AS metric, metric.things,\n"
	     "  coalesce(procedure.name, comparison.procedure_name) AS procedure,\n"
	     "  coalesce(callee.name, comparison.callee_name) AS callee,\n"
	     "  coalesce(file.path, comparison.path) AS file, comparison.line,\n"
	     "  comparison.column, comparison.end_line, comparison.end_column,\n"
	     "  comparison.kind, comparison.a, comparison.b, comparison.value,\n"
	     "  comparison.sides, comparison.significance, comparison.type,\n"
	     "  comparison.size_class\n"
	     "FROM comparison JOIN metric ON metric.id = comparison.metric\n"
	     "LEFT JOIN procedure ON procedure.id = comparison.procedure\n"
	     "LEFT JOIN procedure AS callee ON callee.id = comparison.callee\n"
	     "LEFT JOIN file ON file.id = comparison.file\n"
	     "ORDER BY comparison.id"),
	VIEW(source_range,
	     "SELECT file.path AS file, range.line, range.column, range.end_line,\n"
	     "  range.end_column, range.kind, procedure.name AS procedure, block.count,\n"
	     "  range.self_ns\n"
	     "FROM range JOIN block ON block.id = range.block\n"
	     "JOIN procedure ON procedure.id = block.procedure\n"
	     "LEFT JOIN file ON file.id = range.file"),
};
enum { NR_OTHERS = sizeof(others) / sizeof(others[0]) };

/* Comments are part of the stored text: `.schema` in the sqlite3 shell shows them. */
static struct schema_entry
table_entry(struct schema *schema, const struct table *t, struct measures measures)
{
	struct strbuf sql = STRBUF_INIT;
	struct schema_entry e = { SCHEMA_BEFORE, "table", t->name, t->name, NULL };

	table_create_sql(t, measures, &sql);
	e.sql = arena_strdup(&schema->arena, sql.buf);
	strbuf_release(&sql);
	return e;
}

void
schema_make(struct schema *schema, struct measures measures)
{
	schema->arena = (struct arena)ARENA_INIT;
	schema->nr = 0;
	schema->entries = arena_alloc(&schema->arena,
				      (NR_TABLES + NR_OTHERS) * sizeof(*schema->entries));
	for (int i = 0; i < NR_TABLES; i++) {
		if (table_is_there(&tables[i], measures))
			schema->entries[schema->nr++] = table_entry(schema, &tables[i], measures);
	}
	memcpy(schema->entries + schema->nr, others, sizeof(others));
	schema->nr += NR_OTHERS;
}

/* Entries of the version before that this one has not, or has otherwise under the same name. */
static const struct schema_entry before[] = {
	{ SCHEMA_BEFORE, "table", "range_index", "range_index",
	  "CREATE VIRTUAL TABLE range_index USING rtree_i32("
	  "id, first_file, last_file, first_line, last_line)" },
	{ SCHEMA_BEFORE, "table", "range_index_rowid", "range_index_rowid",
	  "CREATE TABLE \"range_index_rowid\"(rowid INTEGER PRIMARY KEY,nodeno)" },
	{ SCHEMA_BEFORE, "table", "range_index_node", "range_index_node",
	  "CREATE TABLE \"range_index_node\"(nodeno INTEGER PRIMARY KEY,data)" },
	{ SCHEMA_BEFORE, "table", "range_index_parent", "range_index_parent",
	  "CREATE TABLE \"range_index_parent\"(nodeno INTEGER PRIMARY KEY,parentnode)" },
	{ SCHEMA_BEFORE, "table", "totals", "totals",
	  "CREATE TABLE totals(\n"
	  "  runs INTEGER NOT NULL,\n"
	  "  threads INTEGER NOT NULL,\n"
	  "  files INTEGER NOT NULL,\n"
	  "  procedures INTEGER NOT NULL,\n"
	  "  blocks INTEGER NOT NULL,\n"
	  "  ranges INTEGER NOT NULL,\n"
	  "  call_sites INTEGER NOT NULL,\n"
	  "  arcs INTEGER NOT NULL,\n"
	  "  lines INTEGER NOT NULL, -- lines with code\n"
	  "  notes INTEGER NOT NULL,\n"
	  "  blocks_executed INTEGER NOT NULL, -- sum of block.count\n"
	  "  calls INTEGER NOT NULL, -- sum of call_site.count\n"
	  "  self_ns INTEGER NOT NULL, -- sum of procedure.self_ns\n"
	  "  self_samples INTEGER NOT NULL,\n"
	  "  max_block_count INTEGER NOT NULL,\n"
	  "  max_block_self_ns INTEGER NOT NULL,\n"
	  "  max_line_count INTEGER NOT NULL,\n"
	  "  max_line_self_ns INTEGER NOT NULL,\n"
	  "  max_procedure_total_ns INTEGER NOT NULL,\n"
	  "  wait_ns INTEGER NOT NULL, -- sum of procedure.self_wait_ns\n"
	  "  max_block_self_wait_ns INTEGER NOT NULL,\n"
	  "  max_line_self_wait_ns INTEGER NOT NULL,\n"
	  "  cycles INTEGER NOT NULL,\n"
	  "  rows_without INTEGER NOT NULL -- how many have runs_without\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "procedure", "procedure",
	  "CREATE TABLE procedure(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  name TEXT NOT NULL,\n"
	  "  linkage_name TEXT,\n"
	  "  module TEXT,\n"
	  "  file INTEGER REFERENCES file,\n"
	  "  line INTEGER,\n"
	  "  column INTEGER,\n"
	  "  end_line INTEGER,\n"
	  "  end_column INTEGER,\n"
	  "  is_static INTEGER NOT NULL,\n"
	  "  is_comdat INTEGER NOT NULL,\n"
	  "  is_main INTEGER NOT NULL,\n"
	  "  is_variadic INTEGER NOT NULL,\n"
	  "  is_artificial INTEGER NOT NULL,\n"
	  "  is_address_taken INTEGER NOT NULL,\n"
	  "  is_only_passed INTEGER NOT NULL, -- its address, to code outside\n"
	  "  code_bytes INTEGER, -- NULL: unknown\n"
	  "  calls INTEGER NOT NULL,\n"
	  "  self_samples INTEGER NOT NULL,\n"
	  "  self_ns INTEGER NOT NULL,\n"
	  "  total_ns INTEGER NOT NULL, -- propagated along the arcs\n"
	  "  total_lo_ns INTEGER NOT NULL, -- how far it can move with the arcs\n"
	  "  total_hi_ns INTEGER NOT NULL,\n"
	  "  root_total_ns INTEGER, -- cycles come together at their entry; NULL: not known\n"
	  "  total_samples INTEGER NOT NULL,\n"
	  "  total_sampled_ns INTEGER NOT NULL, -- from the sampled stacks\n"
	  "  cycle INTEGER NOT NULL, -- its number, 0: in none\n"
	  "  self_calls INTEGER NOT NULL, -- by itself, directly\n"
	  "  calls_without_site INTEGER NOT NULL,\n"
	  "  centre_samples INTEGER NOT NULL, -- self, charged by cost centre\n"
	  "  centre_ns INTEGER NOT NULL,\n"
	  "  centre_total_ns INTEGER NOT NULL, -- centre_ns propagated along the arcs\n"
	  "  self_wait_ns INTEGER NOT NULL,\n"
	  "  total_wait_ns INTEGER NOT NULL, -- from the stacks of those that waited\n"
	  "  self_sd_ns INTEGER, -- standard deviation over runs; NULL: less than two\n"
	  "  runs_without INTEGER NOT NULL -- so many runs are of builds that have it not\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "block", "block",
	  "CREATE TABLE block(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  procedure INTEGER NOT NULL REFERENCES procedure,\n"
	  "  number INTEGER NOT NULL, -- within the procedure\n"
	  "  file INTEGER REFERENCES file,\n"
	  "  line INTEGER,\n"
	  "  column INTEGER,\n"
	  "  end_line INTEGER,\n"
	  "  end_column INTEGER,\n"
	  "  count INTEGER NOT NULL,\n"
	  "  self_samples INTEGER NOT NULL,\n"
	  "  self_ns INTEGER NOT NULL,\n"
	  "  self_wait_ns INTEGER NOT NULL,\n"
	  "  hottest INTEGER REFERENCES range, -- of those in the same file; NULL: no time\n"
	  "  runs_without INTEGER NOT NULL -- so many runs are of builds that have it not\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "call_site", "call_site",
	  "CREATE TABLE call_site(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  procedure INTEGER NOT NULL REFERENCES procedure, -- the caller\n"
	  "  block INTEGER REFERENCES block,\n"
	  "  kind TEXT NOT NULL, -- direct indirect\n"
	  "  file INTEGER REFERENCES file,\n"
	  "  line INTEGER,\n"
	  "  column INTEGER,\n"
	  "  end_line INTEGER,\n"
	  "  end_column INTEGER,\n"
	  "  target TEXT, -- direct: linkage name; indirect: type signature\n"
	  "  count INTEGER NOT NULL,\n"
	  "  total_samples INTEGER NOT NULL,\n"
	  "  total_ns INTEGER NOT NULL, -- sampled below this site\n"
	  "  calls_without_entry INTEGER NOT NULL,\n"
	  "  total_wait_ns INTEGER NOT NULL, -- waited below this site\n"
	  "  propagated_ns INTEGER NOT NULL, -- what its arcs bring\n"
	  "  runs_without INTEGER NOT NULL -- so many runs are of builds that have it not\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "arc", "arc",
	  "CREATE TABLE arc(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  site INTEGER REFERENCES call_site, -- NULL: outside\n"
	  "  caller INTEGER REFERENCES procedure, -- NULL: outside\n"
	  "  callee INTEGER REFERENCES procedure, -- NULL: outside\n"
	  "  how TEXT NOT NULL, -- measured solved estimated pinned\n"
	  "  count INTEGER NOT NULL,\n"
	  "  lo INTEGER NOT NULL,\n"
	  "  hi INTEGER NOT NULL,\n"
	  "  time_ns INTEGER NOT NULL, -- of the callee's total; 0 within a cycle\n"
	  "  samples INTEGER NOT NULL, -- that enter the callee or its cycle here\n"
	  "  differs INTEGER NOT NULL, -- 1: of samples, another share than of calls\n"
	  "  measured INTEGER NOT NULL, -- of count: noted by the program\n"
	  "  through INTEGER REFERENCES call_site -- gave the callee's address to outside\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "cycle", "cycle",
	  "CREATE TABLE cycle(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  members TEXT, -- names of the first few\n"
	  "  procedures INTEGER NOT NULL,\n"
	  "  self_ns INTEGER NOT NULL,\n"
	  "  total_ns INTEGER NOT NULL,\n"
	  "  inner_calls INTEGER NOT NULL, -- of one member by another\n"
	  "  self_calls INTEGER NOT NULL, -- of a member by itself\n"
	  "  outer_calls INTEGER NOT NULL -- from without\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "line", "line",
	  "CREATE TABLE line(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  file INTEGER NOT NULL REFERENCES file,\n"
	  "  line INTEGER NOT NULL,\n"
	  "  count INTEGER NOT NULL,\n"
	  "  self_samples INTEGER NOT NULL,\n"
	  "  self_ns INTEGER NOT NULL,\n"
	  "  self_wait_ns INTEGER NOT NULL,\n"
	  "  runs_without INTEGER NOT NULL -- so many runs are of builds that have it not\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "run", "run",
	  "CREATE TABLE run(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  command TEXT, -- shell-quoted\n"
	  "  directory TEXT,\n"
	  "  program TEXT,\n"
	  "  build_id TEXT,\n"
	  "  host TEXT,\n"
	  "  started_ns INTEGER NOT NULL, -- since 1970\n"
	  "  wall_ns INTEGER NOT NULL,\n"
	  "  user_ns INTEGER NOT NULL,\n"
	  "  system_ns INTEGER NOT NULL,\n"
	  "  cpu_ns INTEGER NOT NULL,\n"
	  "  exit_status INTEGER NOT NULL, -- -1: killed or unknown\n"
	  "  exit_signal INTEGER NOT NULL, -- 0: none\n"
	  "  asked_interval_ns INTEGER NOT NULL,\n"
	  "  interval_ns INTEGER NOT NULL,\n"
	  "  samples INTEGER NOT NULL,\n"
	  "  lost_samples INTEGER NOT NULL,\n"
	  "  unprofiled_samples INTEGER NOT NULL,\n"
	  "  processes INTEGER NOT NULL,\n"
	  "  centre_samples INTEGER NOT NULL, -- 0: cost centres were not kept\n"
	  "  centre_unprofiled_samples INTEGER NOT NULL, -- of them without a centre\n"
	  "  wall_interval_ns INTEGER NOT NULL, -- 0: waiting was not looked for\n"
	  "  wait_ns INTEGER NOT NULL, -- all threads, waiting\n"
	  "  unprofiled_wait_ns INTEGER NOT NULL,\n"
	  "  delay_ns INTEGER NOT NULL, -- all threads, able to run but without a processor\n"
	  "  baseline_program TEXT, -- the same without profiling; NULL: not known\n"
	  "  baseline_wall_ns INTEGER NOT NULL,\n"
	  "  baseline_user_ns INTEGER NOT NULL,\n"
	  "  baseline_system_ns INTEGER NOT NULL,\n"
	  "  raws TEXT -- what tells its raw files from all others; NULL: not known\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "part", "part",
	  "CREATE TABLE part(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  run INTEGER REFERENCES run,\n"
	  "  pid INTEGER NOT NULL, -- of its first thread\n"
	  "  tid INTEGER NOT NULL,\n"
	  "  name TEXT NOT NULL,\n"
	  "  threads INTEGER NOT NULL, -- that counted there one after the other\n"
	  "  tids TEXT NOT NULL, -- of the first few\n"
	  "  cpu_ns INTEGER NOT NULL,\n"
	  "  samples INTEGER NOT NULL,\n"
	  "  lost_samples INTEGER NOT NULL,\n"
	  "  wait_ns INTEGER NOT NULL,\n"
	  "  delay_ns INTEGER NOT NULL,\n"
	  "  blocks_executed INTEGER NOT NULL,\n"
	  "  size_bytes INTEGER NOT NULL,\n"
	  "  data_zlib BLOB -- its counts; NULL: it is the only part\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "metric", "metric",
	  "CREATE TABLE metric(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  name TEXT NOT NULL,\n"
	  "  expression TEXT NOT NULL,\n"
	  "  things TEXT NOT NULL, -- procedure block range line site arc file\n"
	  "  figure TEXT NOT NULL -- what comparison.a and .b are\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "comparison", "comparison",
	  "CREATE TABLE comparison(\n"
	  "  id INTEGER PRIMARY KEY, -- within a metric the greatest |value| first\n"
	  "  metric INTEGER NOT NULL REFERENCES metric,\n"
	  "  procedure INTEGER REFERENCES procedure, -- it, or the one it is in\n"
	  "  callee INTEGER REFERENCES procedure, -- of calls\n"
	  "  procedure_name TEXT, -- of one that is not in this profile\n"
	  "  callee_name TEXT,\n"
	  "  path TEXT, -- of a file that is not in this profile\n"
	  "  file INTEGER REFERENCES file,\n"
	  "  line INTEGER,\n"
	  "  column INTEGER,\n"
	  "  end_line INTEGER,\n"
	  "  end_column INTEGER,\n"
	  "  kind TEXT NOT NULL,\n"
	  "  a, -- the figure in the first profile; NULL: not there\n"
	  "  b, -- in the last one\n"
	  "  value, -- NULL: none\n"
	  "  sides TEXT NOT NULL,\n"
	  "  significance REAL -- in standard errors; NULL: exact\n"
	  ")" },
	{ SCHEMA_BEFORE, "table", "context", "context",
	  "CREATE TABLE context(\n"
	  "  id INTEGER PRIMARY KEY,\n"
	  "  parent INTEGER REFERENCES context, -- NULL: a root\n"
	  "  procedure INTEGER REFERENCES procedure, -- NULL: not profiled\n"
	  "  site INTEGER REFERENCES call_site,\n"
	  "  self_samples INTEGER NOT NULL,\n"
	  "  total_samples INTEGER NOT NULL,\n"
	  "  self_wait_ns INTEGER NOT NULL,\n"
	  "  total_wait_ns INTEGER NOT NULL\n"
	  ")" },
	{ SCHEMA_BEFORE, "index", "procedure_by_sampled", "procedure",
	  "CREATE INDEX procedure_by_sampled ON procedure(total_sampled_ns DESC)" },
	{ SCHEMA_AFTER, "view", "difference", "difference",
	  "CREATE VIEW difference AS\n"
	  "SELECT metric.name AS metric, metric.things,\n"
	  "  coalesce(procedure.name, comparison.procedure_name) AS procedure,\n"
	  "  coalesce(callee.name, comparison.callee_name) AS callee,\n"
	  "  coalesce(file.path, comparison.path) AS file, comparison.line,\n"
	  "  comparison.column, comparison.end_line, comparison.end_column,\n"
	  "  comparison.kind, comparison.a, comparison.b, comparison.value,\n"
	  "  comparison.sides, comparison.significance\n"
	  "FROM comparison JOIN metric ON metric.id = comparison.metric\n"
	  "LEFT JOIN procedure ON procedure.id = comparison.procedure\n"
	  "LEFT JOIN procedure AS callee ON callee.id = comparison.callee\n"
	  "LEFT JOIN file ON file.id = comparison.file\n"
	  "ORDER BY comparison.id" },
	{ SCHEMA_BEFORE, "view", "call_graph", "call_graph",
	  "CREATE VIEW call_graph AS\n"
	  "SELECT coalesce(caller.name, 'outside') AS caller, file.path AS file,\n"
	  "  call_site.line, call_site.column,\n"
	  "  coalesce(callee.name, 'outside') AS callee,\n"
	  "  arc.count, arc.lo, arc.hi, arc.how, arc.time_ns\n"
	  "FROM arc\n"
	  "LEFT JOIN procedure AS caller ON caller.id = arc.caller\n"
	  "LEFT JOIN procedure AS callee ON callee.id = arc.callee\n"
	  "LEFT JOIN call_site ON call_site.id = arc.site\n"
	  "LEFT JOIN file ON file.id = call_site.file" },
};
enum { NR_BEFORE = sizeof(before) / sizeof(before[0]) };

static bool
is_in_before(const struct schema_entry *e)
{
	for (size_t i = 0; i < NR_BEFORE; i++) {
		if (!strcmp(before[i].name, e->name))
			return true;
	}
	return !strcmp(e->name, tables[TABLE_MEASURE].name) || !strcmp(e->name, "range_by_place");
}

void
schema_make_before(struct schema *schema)
{
	struct schema now;
	size_t nr = 0;

	schema_make(&now, (struct measures){ NULL, 0 });
	schema->arena = now.arena;
	schema->entries = arena_alloc(&schema->arena,
				      (now.nr + NR_BEFORE) * sizeof(*schema->entries));
	for (size_t i = 0; i < now.nr; i++) {
		if (!is_in_before(&now.entries[i]))
			schema->entries[nr++] = now.entries[i];
	}
	memcpy(schema->entries + nr, before, sizeof(before));
	schema->nr = nr + NR_BEFORE;
}

bool
schema_may_lack(const struct schema_entry *e)
{
	for (int i = 0; i < NR_TABLES; i++) {
		if (!strcmp(tables[i].name, e->table))
			return tables[i].added;
	}
	return false;
}

void
schema_release(struct schema *schema)
{
	arena_release(&schema->arena);
}

const struct schema_entry *
schema_find(const struct schema *schema, const char *name)
{
	for (size_t i = 0; i < schema->nr; i++) {
		if (!strcmp(schema->entries[i].name, name))
			return &schema->entries[i];
	}
	return NULL;
}

const char *const schema_file_states[] = { "stored", "missing", "unreadable", "stale", "large",
					   "withheld", NULL };
const char *const schema_range_kinds[] = { "statement", "operand", "macro", "definition",
					   "procedure", NULL };
const char *const schema_site_kinds[] = { "direct", "indirect", NULL };
const char *const schema_combines[] = { "sum", "max", "last", "none", NULL };
const char *const schema_inclusives[] = { "none", "arcs", "stacks", NULL };
const char *const schema_disposal_hows[] = { "never", "free", "realloc", "exit", NULL };
const char *const schema_arc_hows[] = { "measured", "solved", "estimated", "pinned",
					"sampled", NULL };
const char *const schema_defect_roles[] = { "error", "allocated", "freed", "created", "previous",
					    "other", NULL };

bool
schema_is_ours(const unsigned char header[SCHEMA_HEADER])
{
	const unsigned char *id = header + 68;

	return !memcmp(header, "SQLite format 3", 16) &&
	       ((uint32_t)id[0] << 24 | id[1] << 16 | id[2] << 8 | id[3]) == SCHEMA_APPLICATION_ID;
}
