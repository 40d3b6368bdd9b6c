#include "db/lists/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "db/model/table.h"
#include "db/store/connection.h"
#include "util/text/path.h"

const char *const coverage_names[NR_COVERAGE + 1] = { "lines", "blocks", "branches", NULL };

/* ---- conditions ---- */

/* Copies of a text (a template, a header in several units) are one condition: what was taken in one
 * of them was taken. */
#define WAYS(which) \
	"SELECT file, line, column, end_line, end_column, kind, number, way, count, lacking, " \
	"procedure, to_line FROM branch WHERE " which " " \
	"ORDER BY file, line, column, end_line, end_column, kind, number, way, id"

static void
add_way(struct conditions *r, const struct condition *c, const struct condition_way *w)
{
	struct condition *last = r->nr ? &r->items[r->nr - 1] : NULL;
	struct condition_way *way = r->nr_ways ? &r->ways[r->nr_ways - 1] : NULL;

	if (!last || !place_same(&last->place, &c->place) || last->kind != c->kind ||
	    last->number != c->number) {
		GROW(r->items, r->nr + 1, r->alloc);
		last = &r->items[r->nr++];
		*last = *c;
		way = NULL;
	}
	if (way && way->way == w->way) {
		way->count = count_add(way->count, w->count);
		way->uncounted = way->uncounted || w->uncounted;
		return;
	}
	GROW(r->ways, r->nr_ways + 1, r->ways_alloc);
	r->ways[r->nr_ways++] = *w;
	last->ways++;
}

static void
sum_up(struct conditions *r)
{
	const struct condition_way *way = r->ways;

	for (size_t i = 0; i < r->nr; i++) {
		struct condition *c = &r->items[i];

		c->of = way;
		for (; way < c->of + c->ways; way++) {
			c->taken += way->count > 0;
			c->uncounted += !way->count && way->uncounted;
			c->count = count_add(c->count, way->count);
		}
	}
}

/* Reads the conditions whose ways ST has, which it puts back. */
static void
read_conditions(struct profile *p, sqlite3_stmt *st, struct conditions *r)
{
	struct condition_way way;
	struct condition c;

	*r = (struct conditions){ .items = NULL };
	while (profile_step(p, st)) {
		c = (struct condition){ .procedure = column_id(p, st, 10, TABLE_PROCEDURE) };
		column_place(p, st, 0, &c.place);
		c.kind = (enum branch_kind)column_word(p, st, 5, stored_branch_kinds);
		c.number = column_u32(p, st, 6);
		way = (struct condition_way){
			.way = column_u32(p, st, 7), .count = column_count(p, st, 8),
			.uncounted = column_count(p, st, 9), .to_line = column_u32(p, st, 11),
		};
		if (!column_row_is_damaged(p))
			add_way(r, &c, &way);
	}
	profile_put_back(p, st);
	sum_up(r);
}

size_t
profile_conditions(struct profile *p, const struct condition **conditions)
{
	struct conditions r;

	if (!p->conditions.read) {
		p->conditions.read = true;
		read_conditions(p, profile_prepare_again(p, WAYS("file IS NOT NULL")), &r);
		p->conditions.items = r.items;
		p->conditions.ways = r.ways;
		p->conditions.nr = r.nr;
	}
	*conditions = p->conditions.items;
	return p->conditions.nr;
}

/* Returns the first of NR conditions that begins on LINE of FILE, or behind it. */
static size_t
first_condition(const struct condition *all, size_t nr, model_id file, uint64_t line)
{
	size_t low = 0;

	while (low < nr) {
		const size_t middle = low + (nr - low) / 2;
		const struct place *at = &all[middle].place;

		if (at->file < file || (at->file == file && at->line < line))
			low = middle + 1;
		else
			nr = middle;
	}
	return low;
}

/* Their table has no index: one look goes over all of it, which is quicker than to sort it; many
 * looks are not. */
enum { CONDITION_LOOKS = 8 };

void
profile_conditions_at(struct profile *p, model_id file, uint32_t first, uint32_t last,
		      struct conditions *c)
{
	const struct condition *all;
	sqlite3_stmt *st;
	size_t nr, begin;

	*c = (struct conditions){ .items = NULL };
	if (!column_last_id(p, TABLE_BRANCH))
		return;
	if (!p->conditions.read && p->conditions.looks++ < CONDITION_LOOKS) {
		st = profile_prepare_again(p, WAYS("file = ?1 AND line BETWEEN ?2 AND ?3"));
		if (st) {
			sqlite3_bind_int64(st, 1, file);
			sqlite3_bind_int64(st, 2, first);
			sqlite3_bind_int64(st, 3, last);
		}
		read_conditions(p, st, c);
		return;
	}
	nr = profile_conditions(p, &all);
	begin = first_condition(all, nr, file, first);
	c->nr = first_condition(all, nr, file, (uint64_t)last + 1) - begin;
	if (c->nr)
		c->items = memcpy(xcalloc(c->nr, sizeof(*c->items)), all + begin,
				  c->nr * sizeof(*c->items));
}

void
conditions_release(struct conditions *c)
{
	free(c->items);
	free(c->ways);
	*c = (struct conditions){ .items = NULL };
}

void
condition_put_way(struct strbuf *out, const struct condition *c, const struct condition_way *w)
{
	if (c->kind == BRANCH_LINE)
		strbuf_fmt(out, "way %u", w->way + 1);
	else if (c->kind != BRANCH_SWITCH)
		strbuf_str(out, w->way ? "false" : "true");
	else if (w->to_line)
		strbuf_fmt(out, "case of line %u", w->to_line);
	else
		strbuf_str(out, "no case");
}

void
condition_put_missing(struct strbuf *out, const struct condition *c)
{
	const char *between = "";

	for (uint32_t i = 0; i < c->ways; i++) {
		if (c->of[i].count || c->of[i].uncounted)
			continue;
		strbuf_str(out, between);
		condition_put_way(out, c, &c->of[i]);
		between = ", ";
	}
}

bool
condition_is_one_way(const struct condition *c)
{
	return c->count && c->taken + c->uncounted < c->ways;
}

uint64_t
conditions_make(struct profile *p)
{
	const struct condition *all;
	size_t nr = profile_conditions(p, &all);
	struct strbuf missing = STRBUF_INIT;
	sqlite3_stmt *st;

	if (p->conditions.made)
		return p->conditions.rows;
	p->conditions.made = true;
	profile_execute(p, "CREATE TEMP TABLE condition(id INTEGER PRIMARY KEY, procedure INTEGER, "
			   "file INTEGER, line INTEGER, column INTEGER, end_line INTEGER, "
			   "end_column INTEGER, kind TEXT, count INTEGER, ways INTEGER, "
			   "taken INTEGER, missing TEXT)");
	st = profile_prepare(p, "INSERT INTO temp.condition VALUES (NULL, nullif(?, 0), ?, ?, ?, "
				"?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; st && i < nr; i++) {
		const struct condition *c = &all[i];
		const uint32_t numbers[] = { c->procedure, c->place.file, c->place.line,
					     c->place.column, c->place.end_line,
					     c->place.end_column };
		int column = 1;

		if (!condition_is_one_way(c))
			continue;
		sqlite3_reset(st);
		profile_step_anew(st);
		for (size_t k = 0; k < sizeof(numbers) / sizeof(*numbers); k++)
			sqlite3_bind_int64(st, column++, numbers[k]);
		sqlite3_bind_text(st, column++, stored_branch_kinds[c->kind], -1, SQLITE_STATIC);
		sqlite3_bind_int64(st, column++, (int64_t)c->count);
		sqlite3_bind_int64(st, column++, c->ways);
		sqlite3_bind_int64(st, column++, c->taken);
		strbuf_clear(&missing);
		condition_put_missing(&missing, c);
		sqlite3_bind_text(st, column++, missing.buf, (int)missing.len, SQLITE_TRANSIENT);
		profile_step(p, st);
		p->conditions.rows++;
	}
	sqlite3_finalize(st);
	strbuf_release(&missing);
	return p->conditions.rows;
}

/* ---- files and directories ---- */

struct covered {
	const char *path;        /* LENGTH bytes of it; of a directory with its slash */
	size_t length;
	const char *kind;        /* "total", "directory", "file" */
	model_id file;
	unsigned parts;          /* of a directory: files in it, and directories with rows */
	uint64_t files;
	struct coverage of[NR_COVERAGE];
};

struct covering {
	struct covered *items;   /* the total first; a directory stands before what is in it */
	size_t nr, alloc;
	size_t *open;            /* the total, and the directories that the last file is in */
	size_t nr_open, open_alloc;
	struct arena arena;
};

/* Blocks that begin at one place, and are there the same of their procedures, are copies. Of tools
 * that know lines only, blocks are lines. */
static const char blocks_sql[] =
	"SELECT file, count(*), sum(executed), sum(NOT executed AND lacking) FROM "
	"(SELECT file, max(count > 0) AS executed, max(lacking > 0) AS lacking FROM block "
	"WHERE file IS NOT NULL GROUP BY file, line, column, end_line, end_column, number) "
	"WHERE NOT EXISTS (SELECT 1 FROM range WHERE kind = 'line') GROUP BY file";

/* Sets, by file, what OF has. */
static void
read_blocks(struct profile *p, struct coverage *of, size_t nr_files)
{
	sqlite3_stmt *st = profile_prepare(p, blocks_sql);

	while (profile_step(p, st)) {
		model_id file = column_id(p, st, 0, TABLE_FILE);

		if (!column_row_is_damaged(p) && file && file <= nr_files)
			of[file] = (struct coverage){
				.all = column_count(p, st, 1), .executed = column_count(p, st, 2),
				.uncounted = column_count(p, st, 3),
			};
	}
	sqlite3_finalize(st);
}

static void
read_ways(struct profile *p, struct coverage *of, size_t nr_files)
{
	const struct condition *all;
	size_t nr = profile_conditions(p, &all);

	for (size_t i = 0; i < nr; i++) {
		struct coverage *c = &of[all[i].place.file];

		if (all[i].place.file > nr_files)
			continue;
		c->all += all[i].ways;
		c->executed += all[i].taken;
		c->uncounted += all[i].uncounted;
	}
}

static struct covered *
add_covered(struct covering *c, const char *path, size_t length, const char *kind)
{
	GROW(c->items, c->nr + 1, c->alloc);
	c->items[c->nr] = (struct covered){ .path = path, .length = length, .kind = kind };
	return &c->items[c->nr++];
}

static void
add_to(struct covered *to, const struct covered *from)
{
	to->files += from->files;
	for (int i = 0; i < NR_COVERAGE; i++) {
		to->of[i].all = count_add(to->of[i].all, from->of[i].all);
		to->of[i].executed = count_add(to->of[i].executed, from->of[i].executed);
		to->of[i].uncounted = count_add(to->of[i].uncounted, from->of[i].uncounted);
	}
}

static void
close_directory(struct covering *c)
{
	const struct covered *d = &c->items[c->open[--c->nr_open]];

	add_to(&c->items[c->open[c->nr_open - 1]], d);
}

static void
open_directory(struct covering *c, size_t at)
{
	GROW(c->open, c->nr_open + 1, c->open_alloc);
	c->open[c->nr_open++] = at;
}

/* Opens the directories that PATH is in, and no others. */
static void
open_directories(struct covering *c, const char *path)
{
	const struct covered *last;
	size_t n, end;

	for (; c->nr_open > 1; close_directory(c)) {
		last = &c->items[c->open[c->nr_open - 1]];
		if (!strncmp(last->path, path, last->length))
			break;
	}
	n = c->nr_open > 1 ? c->items[c->open[c->nr_open - 1]].length : 0;
	for (; (end = n + strcspn(path + n, "/")), path[end]; n = end + 1) {
		if (end == n && n)
			continue;
		c->items[c->open[c->nr_open - 1]].parts++;
		add_covered(c, path, end + 1, "directory");
		open_directory(c, c->nr - 1);
	}
	c->items[c->open[c->nr_open - 1]].parts++;
}

static void
read_files(struct profile *p, struct covering *c, const char *glob)
{
	size_t nr_files = column_last_id(p, TABLE_FILE);
	struct coverage *blocks = xcalloc(nr_files + 1, sizeof(*blocks));
	struct coverage *ways = xcalloc(nr_files + 1, sizeof(*ways));
	sqlite3_stmt *st = profile_prepare(p, "SELECT id, path, code_lines, executed_lines, "
					      "uncounted_lines FROM file ORDER BY path");

	read_blocks(p, blocks, nr_files);
	read_ways(p, ways, nr_files);
	while (profile_step(p, st)) {
		model_id file = column_id(p, st, 0, TABLE_FILE);
		struct covered *f;
		const char *path;
		size_t length;

		path = column_text(st, 1, &length);
		path = arena_strndup(&c->arena, path, length);
		if (column_row_is_damaged(p) || !file || file > nr_files ||
		    (glob && *glob && !path_matches(glob, path)))
			continue;
		if (!column_count(p, st, 2) && !blocks[file].all && !ways[file].all)
			continue;
		open_directories(c, path);
		f = add_covered(c, path, length, "file");
		f->file = file;
		f->files = 1;
		f->of[COVERAGE_LINES] = (struct coverage){
			.all = column_count(p, st, 2), .executed = column_count(p, st, 3),
			.uncounted = column_count(p, st, 4),
		};
		f->of[COVERAGE_BLOCKS] = blocks[file];
		f->of[COVERAGE_BRANCHES] = ways[file];
		add_to(&c->items[c->open[c->nr_open - 1]], f);
	}
	while (c->nr_open > 1)
		close_directory(c);
	sqlite3_finalize(st);
	free(blocks);
	free(ways);
}

static const char all_files[] = "(all files)";

static void
covering_read(struct profile *p, struct covering *c, const char *glob)
{
	*c = (struct covering){ .arena = ARENA_INIT };
	add_covered(c, all_files, strlen(all_files), "total");
	open_directory(c, 0);
	read_files(p, c, glob);
}

static void
covering_release(struct covering *c)
{
	free(c->items);
	free(c->open);
	arena_release(&c->arena);
}

void
profile_coverage(struct profile *p, const char *glob, struct coverage of[NR_COVERAGE])
{
	struct covering c;

	covering_read(p, &c, glob);
	memcpy(of, c.items[0].of, sizeof(c.items[0].of));
	covering_release(&c);
}

/* Directories with one directory in them, and nothing else, say nothing. */
static bool
says_something(const struct covering *c, size_t i)
{
	return strcmp(c->items[i].kind, "directory") != 0 || c->items[i].parts > 1 ||
	       (i + 1 < c->nr && c->items[i + 1].file);
}

uint64_t
coverage_make(struct profile *p, const char *glob)
{
	struct covering c;
	sqlite3_stmt *st;

	if (p->coverage.made)
		return p->coverage.rows;
	p->coverage.made = true;
	covering_read(p, &c, glob);
	profile_execute(p, "CREATE TEMP TABLE coverage(id INTEGER PRIMARY KEY, path TEXT, "
			   "kind TEXT, file INTEGER, files INTEGER, "
			   "lines INTEGER, executed_lines INTEGER, uncounted_lines INTEGER, "
			   "blocks INTEGER, executed_blocks INTEGER, uncounted_blocks INTEGER, "
			   "branches INTEGER, executed_branches INTEGER, "
			   "uncounted_branches INTEGER)");
	st = profile_prepare(p, "INSERT INTO temp.coverage VALUES (NULL, ?, ?, nullif(?, 0), ?, ?, "
				"?, ?, ?, ?, ?, ?, ?, ?)");
	for (size_t i = 0; st && i < c.nr; i++) {
		const struct covered *it = &c.items[i];
		int column = 1;

		if (!says_something(&c, i))
			continue;
		sqlite3_reset(st);
		profile_step_anew(st);
		sqlite3_bind_text(st, column++, it->path, (int)it->length, SQLITE_STATIC);
		sqlite3_bind_text(st, column++, it->kind, -1, SQLITE_STATIC);
		sqlite3_bind_int64(st, column++, it->file);
		sqlite3_bind_int64(st, column++, (int64_t)it->files);
		for (int k = 0; k < NR_COVERAGE; k++) {
			sqlite3_bind_int64(st, column++, (int64_t)it->of[k].all);
			sqlite3_bind_int64(st, column++, (int64_t)it->of[k].executed);
			sqlite3_bind_int64(st, column++, (int64_t)it->of[k].uncounted);
		}
		profile_step(p, st);
		p->coverage.rows++;
	}
	sqlite3_finalize(st);
	covering_release(&c);
	return p->coverage.rows;
}

/* ---- procedures ---- */

/* The text that a procedure was compiled from: copies of one have their names at one place. */
#define TEXT_OF \
	"text_of(procedure, text) AS MATERIALIZED (SELECT p.id, t.id FROM temp.text_lines t " \
	"JOIN procedure p ON p.file = t.file AND p.line = t.line AND p.column = t.column " \
	"WHERE t.procedure IS NOT NULL)"
static const char covered_sql[] =
	"INSERT INTO temp.covered WITH " TEXT_OF ", "
	"blocks AS MATERIALIZED (SELECT text, count(*) AS nr, sum(executed) AS executed, "
	"sum(NOT executed AND lacking) AS uncounted FROM (SELECT o.text, "
	"max(b.count > 0) AS executed, max(b.lacking > 0) AS lacking FROM block b "
	"JOIN text_of o ON o.procedure = b.procedure WHERE b.file IS NOT NULL "
	"GROUP BY o.text, b.file, b.line, b.column, b.end_line, b.end_column, b.number) "
	"WHERE NOT EXISTS (SELECT 1 FROM range WHERE kind = 'line') GROUP BY text), "
	"ways AS MATERIALIZED (SELECT o.text, sum(c.ways) AS nr, sum(c.taken) AS executed, "
	"sum(c.uncounted) AS uncounted FROM temp.ways_of c "
	"JOIN text_of o ON o.procedure = c.procedure GROUP BY o.text) "
	"SELECT NULL, t.procedure, t.file, t.line, t.calls, t.lacking, t.lines, "
	"t.lines - t.never - t.uncounted, t.uncounted, "
	"coalesce(b.nr, 0), coalesce(b.executed, 0), coalesce(b.uncounted, 0), "
	"coalesce(w.nr, 0), coalesce(w.executed, 0), coalesce(w.uncounted, 0) "
	"FROM temp.text_lines t LEFT JOIN blocks b ON b.text = t.id "
	"LEFT JOIN ways w ON w.text = t.id WHERE t.lines OR b.nr OR w.nr "
	"ORDER BY t.file, t.line, t.column";

/* Makes temp.ways_of: how many ways a condition has, by its procedure. */
static void
store_ways(struct profile *p)
{
	const struct condition *all;
	size_t nr = profile_conditions(p, &all);
	sqlite3_stmt *st;

	profile_execute(p, "CREATE TEMP TABLE ways_of(procedure INTEGER, ways INTEGER, "
			   "taken INTEGER, uncounted INTEGER)");
	st = profile_prepare(p, "INSERT INTO temp.ways_of VALUES (?, ?, ?, ?)");
	for (size_t i = 0; st && i < nr; i++) {
		sqlite3_reset(st);
		profile_step_anew(st);
		sqlite3_bind_int64(st, 1, all[i].procedure);
		sqlite3_bind_int64(st, 2, all[i].ways);
		sqlite3_bind_int64(st, 3, all[i].taken);
		sqlite3_bind_int64(st, 4, all[i].uncounted);
		profile_step(p, st);
	}
	sqlite3_finalize(st);
}

uint64_t
covered_make(struct profile *p)
{
	const struct never_region *regions;

	if (p->covered.made)
		return p->covered.rows;
	p->covered.made = true;
	profile_never(p, &regions);
	store_ways(p);
	profile_execute(p, "CREATE TEMP TABLE covered(id INTEGER PRIMARY KEY, "
			   "procedure INTEGER, file INTEGER, line INTEGER, calls INTEGER, "
			   "lacking INTEGER, "
			   "lines INTEGER, executed_lines INTEGER, uncounted_lines INTEGER, "
			   "blocks INTEGER, executed_blocks INTEGER, uncounted_blocks INTEGER, "
			   "branches INTEGER, executed_branches INTEGER, "
			   "uncounted_branches INTEGER)");
	profile_execute(p, covered_sql);
	if (!profile_error(p))
		p->covered.rows = (uint64_t)sqlite3_changes(p->db);
	return p->covered.rows;
}
