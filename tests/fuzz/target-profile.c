/* Profiles: a good one is changed, as bytes or by SQL, and then everything reads it. */
#include <sqlite3.h>
#include <unistd.h>

#define SAMPLE_SMALL
#include "compare/comparison.h"
#include "db/sample.h"
#include "db/store/bulk.h"
#include "db/store/load.h"
#include "db/trees/tree.h"
#include "fuzz/targets.h"

static struct {
	char *good, *changed;    /* paths */
	unsigned char *data;     /* of the good one */
	size_t size;
} base;

static void
need_base(void)
{
	struct model m;
	struct profile *p;
	FILE *f;

	if (base.data)
		return;
	p = sample_open(&m, "fuzz-base.db");
	base.good = xstrdup(path);
	base.changed = xstrdup(fuzz_file("db"));
	f = fopen(base.good, "rb");
	if (!p || !f)
		abort();
	fseek(f, 0, SEEK_END);
	base.size = (size_t)ftell(f);
	rewind(f);
	base.data = xmalloc(base.size);
	if (fread(base.data, 1, base.size, f) != base.size)
		abort();
	fclose(f);
	profile_close(p);
	model_release(&m);
}

/* ---- reading ---- */

static void
read_listing(struct profile *p, enum list_kind kind, int sort)
{
	struct list_query q = { .kind = kind, .filter = sort % 3 ? NULL : "a" };
	const struct list_row *row;
	struct listing *l;
	int columns = 0;

	while (profile_columns(p, kind)[columns].name)
		columns++;
	q.sort = sort % columns;
	q.descending = sort % 2;
	l = listing_open(p, &q);
	for (size_t i = 0; i < 40; i++) {
		row = listing_row(l, i % 2 ? i : listing_rows(l) - i);
		for (int c = 0; row && c < columns; c++)
			if (row->cells[c].number < 0 && kind != LIST_COMPARISON)
				abort();
	}
	listing_close(l);
}

static bool
fits(const struct place *p)
{
	return !p->file || (p->line && p->column && (p->end_line > p->line ||
		(p->end_line == p->line && p->end_column >= p->column)));
}

static void
read_windows(struct profile *p)
{
	struct range_row *ranges;
	struct line_row *lines;
	struct site_row *sites;
	struct procedure_row procedure;
	size_t n, size;

	for (model_id file = 0; file <= FILES + 1; file++) {
		n = profile_ranges(p, file, 10, 90, &ranges);
		for (size_t i = 0; i < n; i++)
			if (!fits(&ranges[i].place))
				abort();
		free(ranges);
		profile_lines(p, file, 1, UINT32_MAX, &lines);
		free(lines);
		n = profile_sites(p, file, 1, 200, &sites);
		for (size_t i = 0; i < n; i++)
			if (!fits(&sites[i].place))
				abort();
		free(sites);
		if (profile_procedure(p, file, &procedure) && !fits(&procedure.place))
			abort();
		free(profile_file_text(p, file, &size));
	}
}

static void
read_tree(struct profile *p, enum tree_source source, bool bottom_up)
{
	struct tree_want want = { .source = source, .bottom_up = bottom_up };
	struct tree *t = tree_open(p, &want);

	for (uint32_t id = 0; t && id < tree_nr_nodes(t) && id < 60; id++)
		tree_children(t, id);
	tree_close(t);
}

static void
compare(struct profile *p, int by)
{
	struct error err = ERROR_INIT;
	struct expression_error bad = EXPRESSION_ERROR_INIT;
	struct profile *good = profile_open(base.good, &err);
	struct profile *both[2] = { by % 2 ? p : good, by % 2 ? good : p };
	struct comparison_options options = { .normalise = NULL };
	struct comparison *c = good ? comparison_open(both, 2, &options, &err) : NULL;

	by %= NR_COMPARE_BY;
	if (c && compare_by_is_space((enum compare_by)by))
		comparison_table(c, (enum compare_by)by,
				 comparison_default(c, (enum compare_by)by), &bad);
	else if (c)
		comparison_table(c, (enum compare_by)by, "b.count - a.count", &bad);
	comparison_close(c);
	profile_close(good);
}

/* One of the ways to read it: HOW chooses, and what is sorted and compared. Many short turns
 * find more than few long ones. */
static void
read_all(int how)
{
	struct error err = ERROR_INIT;
	struct profile *p = profile_open(base.changed, &err);
	struct model m;

	if (!p && !err.set)
		abort();
	for (int kind = LIST_PROCEDURE; p && how % 4 == 0 && kind < LIST_NR; kind++)
		read_listing(p, (enum list_kind)kind, how / 4 + kind);
	for (int i = 0; p && how % 4 == 1 && i < 4; i++)
		read_tree(p, i / 2 ? TREE_ARCS : TREE_CONTEXTS, i % 2);
	if (p && how % 4 == 2)
		compare(p, how / 4);
	if (p && how % 4 == 3)
		read_windows(p);
	profile_close(p);
	model_init(&m);
	err = (struct error)ERROR_INIT;
	if (how % 4 == 3)
		model_load(&m, base.changed, &err);
	model_release(&m);
	unlink(base.changed);
}

/* ---- changing ---- */

/* Records of a place, a length and that many bytes. */
void
fuzz_pages(const uint8_t *data, size_t size)
{
	unsigned char *copy;
	size_t at, n, i = 0;

	need_base();
	copy = xmalloc(base.size);
	memcpy(copy, base.data, base.size);
	while (i + 5 <= size) {
		at = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % base.size;
		n = data[i + 3] % 16 + 1u;
		for (i += 4; n-- && i < size; i++, at++)
			copy[at % base.size] = data[i];
	}
	fuzz_write(base.changed, copy, base.size);
	free(copy);
	read_all(size ? data[size - 1] : 0);
}

static const char *const changes[] = {
	"run.id", "run.samples", "run.started_ns", "run.exit_status", "part.id", "part.run",
	"part.threads", "part.data_zlib", "thread.part", "thread.run", "file.id", "file.path",
	"file.state", "file.lines", "file.size_bytes", "file.text_zlib", "file.hash",
	"procedure.id", "procedure.name", "procedure.file", "procedure.line", "procedure.column",
	"procedure.end_line", "procedure.end_column", "procedure.calls", "procedure.self_ns",
	"procedure.cycle", "procedure.propagated_ns", "block.id", "block.procedure", "block.line",
	"block.column", "block.end_line", "block.end_column", "block.file", "block.count",
	"block.hottest", "range.id", "range.block", "range.kind", "range.file", "range.line",
	"range.column", "range.end_line", "range.end_column", "range.self_ns", "call_site.id",
	"call_site.procedure", "call_site.block", "call_site.kind", "call_site.file",
	"call_site.line", "call_site.end_line", "call_site.target", "call_site.count", "arc.id",
	"arc.site", "arc.caller", "arc.callee", "arc.how", "arc.count", "arc.propagated_ns",
	"arc.through", "pin.site", "pin.count", "cycle.id", "cycle.propagated_ns", "line.id",
	"line.file", "line.line", "line.count", "context.id", "context.parent",
	"context.procedure", "context.site", "context.self_samples", "note.kind", "note.text",
	"totals.runs", "totals.procedures", "totals.ranges", "totals.self_ns",
	"range.self_wait_ns", "compared.count_scale", "metric.things", "comparison.procedure",
	"comparison.line", "comparison.file", "comparison.value",
};
static const char *const values[] = {
	"0", "-1", "1", "2", "3", "NULL", "9223372036854775807", "-9223372036854775808",
	"2147483647", "2147483648", "4294967295", "4294967296", "1e300", "'x'", "''",
	"x'80ff'", "zeroblob(3000)", "char(27, 8238, 10)", "rowid", "rowid + 1", "rowid - 1",
	"1000000", "-65536", "hex(zeroblob(40000))",
};
static const char *const rows[] = { "1", "rowid = 1", "rowid = 2", "rowid = 7", "rowid % 3 = 0",
				    "rowid = (SELECT max(rowid) FROM %s)" };

/* Three bytes are a change: what, to what, in which rows; a high bit of the last: delete these. */
void
fuzz_contents(const uint8_t *data, size_t size)
{
	sqlite3 *db = NULL;

	need_base();
	fuzz_write(base.changed, base.data, base.size);
	if (sqlite3_open(base.changed, &db))
		abort();
	sqlite3_exec(db, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN", NULL,
		     NULL, NULL);
	for (size_t i = 0; i + 3 <= size && i < 30; i += 3) {
		const char *what = changes[data[i] % (sizeof(changes) / sizeof(*changes))];
		const char *dot = strchr(what, '.'), *value, *row;
		char *table = xstrndup(what, (size_t)(dot - what)), *where, *sql;

		value = values[data[i + 1] % (sizeof(values) / sizeof(*values))];
		row = rows[(data[i + 2] & 127) % (sizeof(rows) / sizeof(*rows))];
		where = strstr(row, "%s") ? xasprintf("rowid = (SELECT max(rowid) FROM %s)", table)
					  : xstrdup(row);
		sql = data[i + 2] & 128
			      ? xasprintf("DELETE FROM \"%s\" WHERE %s", table, where)
			      : xasprintf("UPDATE OR IGNORE \"%s\" SET \"%s\" = %s WHERE %s",
					  table, dot + 1, value, where);
		sqlite3_exec(db, sql, NULL, NULL, NULL);
		free(sql);
		free(where);
		free(table);
	}
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_close(db);
	read_all(size ? data[size - 1] & 127 : 0);
}
