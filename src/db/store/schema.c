#include "db/store/schema.h"

#include <string.h>

#include "db/store/table_row.h"
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

bool
schema_is_ours(const unsigned char header[SCHEMA_HEADER])
{
	const unsigned char *at = header + 68;
	uint32_t id = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];

	return !memcmp(header, "SQLite format 3", 16) &&
	       (id == SCHEMA_APPLICATION_ID || id == SCHEMA_OLD_ID);
}
