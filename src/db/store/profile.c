#include "db/store/profile.h"

#include <stdlib.h>
#include <string.h>

#include "db/lists/wings.h"
#include "db/model/table.h"
#include "db/store/connection.h"
#include "db/store/schema.h"
#include "db/store/text_reader.h"
#include "util/job.h"

#define PLACE(t) t ".file, " t ".line, " t ".column, " t ".end_line, " t ".end_column"
/* Comments stand for columns of figures: see profile_with_measures(). */
#define PROCEDURE_COLUMNS                                                                  \
	"id, file, line, column, end_line, end_column, name, cycle, shared, lacking " \
	"/*self procedure */ /*total procedure */"
#define FORMULAS "/*=*/ "
/* A direct site shows its callee by the name shown elsewhere, not by its linkage name. */
#define SITE_COLUMNS                                                                       \
	"s.id, " PLACE("s") ", s.procedure, s.kind, "                                      \
	"CASE s.kind WHEN 'direct' THEN coalesce((SELECT c.name FROM arc a "               \
	"JOIN procedure c ON c.id = a.callee WHERE a.site = s.id AND a.how <> 'sampled' " \
	"LIMIT 1), s.target) "                                                             \
	"ELSE s.target END, s.shared, s.lacking /*total call_site s.*/"
#define BY_PLACE "INDEXED BY range_by_place"
#define RANGE_COLUMNS \
	PLACE("r") ", r.kind, r.block, b.procedure, b.count, b.number, b.lacking /*self range r.*/"

const char *const profile_queries[NR_QUERIES] = {
	[QUERY_RANGES] =
		"WITH sizes(class) AS (VALUES " SCHEMA_SIZE_CLASSES ") "
		"SELECT " RANGE_COLUMNS " "
		"FROM sizes CROSS JOIN range r " BY_PLACE " "
		"CROSS JOIN block b ON b.id = r.block "
		"WHERE r.file = ?1 AND " SCHEMA_SIZE_CLASS("r.") " = sizes.class "
		"AND r.line > ?2 - (1 << 4 * sizes.class) AND r.line <= ?3 AND r.end_line >= ?2",
	[QUERY_MACROS] =
		"SELECT " RANGE_COLUMNS " "
		"FROM block b CROSS JOIN range r ON r.block = b.id "
		"WHERE b.procedure = ?1 AND r.kind IN ('macro', 'definition')",
	[QUERY_LINES] =
		"SELECT line, lacking /*self line */ "
		FORMULAS
		"FROM line l "
		"WHERE file = ?1 AND line BETWEEN ?2 AND ?3 ORDER BY line, id",
	[QUERY_FORMULAS] =
		/* They are computed for a line that has these figures, whatever else it has. */
		"SELECT 0 " FORMULAS "FROM (SELECT 0 /*self line ?*/ /*total line NULL AS */) l",
	[QUERY_SITES] =
		/* A call that began more than 100 lines above does not justify a second index. */
		"SELECT " SITE_COLUMNS " FROM call_site s "
		"WHERE s.file = ?1 AND s.line BETWEEN ?2 - 100 AND ?3 AND s.end_line >= ?2 "
		"ORDER BY s.line, s.column, s.id",
	[QUERY_SITE] =
		"SELECT " SITE_COLUMNS " FROM call_site s WHERE s.id = ?1",
	[QUERY_SITE_CALLS] =
		"SELECT callee, hi FROM arc WHERE site = ?1 AND +callee = ?2",
	[QUERY_SITE_CAN_CALL] =
		"SELECT callee, hi FROM arc WHERE +site = ?1 AND callee = ?2",
	[QUERY_SITE_CALLED] =
		"SELECT s.target, s.kind = 'direct' FROM call_site s WHERE s.id = ?1 "
		"AND s.kind = 'direct' UNION ALL SELECT p.name, 0 FROM arc a "
		"JOIN procedure p ON p.id = a.callee WHERE a.site = ?1 AND a.hi > 0 LIMIT 3",
	[QUERY_ARC_CALLED] =
		"SELECT s.target, 1 FROM arc a JOIN call_site s ON s.id = a.site "
		"WHERE a.id = ?1 AND a.callee IS NULL AND s.kind = 'direct'",
	[QUERY_OPTIONAL] =
		"SELECT EXISTS(SELECT 1 FROM procedure WHERE propagated_lo_ns < propagated_hi_ns), "
		"EXISTS(SELECT 1 FROM procedure WHERE self_calls > 0), "
		"(SELECT rows_without > 0 FROM totals), "
		"EXISTS(SELECT 1 FROM procedure WHERE file IS NULL AND is_foreign), "
		"(SELECT max(length(path)) FROM file)",
	[QUERY_HOTTEST_NAMES] =
		"SELECT length(name) FROM procedure ORDER BY self_ns DESC, calls DESC LIMIT 20",
	[QUERY_PROCEDURE] =
		"SELECT " PROCEDURE_COLUMNS " FROM procedure WHERE id = ?1",
	[QUERY_NAMES] =
		"SELECT id, file, line, column, end_line, end_column, name, calls, self_ns "
		"FROM procedure ORDER BY id",
	[QUERY_PROCEDURE_AT] =
		"SELECT " PROCEDURE_COLUMNS " FROM procedure "
		/* Only procedures within the same one can end before the line: few. Without a
		 * bound, a line in no procedure would be compared with all. */
		"WHERE id = (SELECT id FROM (SELECT id, end_line FROM procedure "
		"WHERE file = ?1 AND line <= ?2 ORDER BY line DESC, column DESC LIMIT 1000) "
		"WHERE end_line >= ?2 LIMIT 1)",
	[QUERY_PROCEDURE_COPIES] =
		"SELECT self_ns, total_ns, calls, id FROM procedure "
		"WHERE file = ?1 AND line = ?2 AND column = ?3",
	[QUERY_PROCEDURE_NAMED] =
		"SELECT " PROCEDURE_COLUMNS " FROM procedure WHERE name = ?1 ORDER BY id LIMIT 1",
	/* for the tree of calls */
	[QUERY_ALL_ARCS] =
		"SELECT id, caller, callee, count, propagated_ns, how IN ('estimated', 'pinned') "
		"FROM arc",
	[QUERY_ALL_CALLED] =
		"SELECT id, propagated_ns, self_ns, calls, self_calls, cycle FROM procedure",
	[QUERY_CYCLE] =
		"SELECT propagated_ns, self_ns, outer_calls, inner_calls, self_calls FROM cycle "
		"WHERE id = ?1",
	[QUERY_CALLED] =
		"SELECT id, propagated_ns, self_ns, calls, self_calls, cycle FROM procedure "
		"WHERE id = ?1",
	[QUERY_MEMBERS] = "SELECT id FROM procedure WHERE cycle = ?1 ORDER BY id",
	[QUERY_ARCS_IN] =
		"SELECT a.id, a.caller, coalesce(a.site, a.through), a.count, a.propagated_ns, "
		"a.how IN ('estimated', 'pinned'), p.cycle "
		"FROM arc a LEFT JOIN procedure p ON p.id = a.caller WHERE a.callee = ?1",
	[QUERY_ARCS_OUT] =
		"SELECT a.id, a.callee, coalesce(a.site, a.through), a.count, a.propagated_ns, "
		"a.how IN ('estimated', 'pinned'), p.cycle "
		"FROM arc a CROSS JOIN procedure p ON p.id = a.callee "
		"WHERE a.caller = ?1 AND NOT p.is_foreign",
	[QUERY_FILES] =
		"SELECT id, path, size_bytes, lines, state, hash FROM file ORDER BY id",
	[QUERY_FILE_TEXT] =
		"SELECT size_bytes, text_zlib FROM file WHERE id = ?1",
};

/* ---- statements and columns ---- */

static void
failed(struct profile *p)
{
	error_set(&p->error, "%s is damaged (%s): copy it again, or record again", p->path,
		  sqlite3_errmsg(p->db));
}

sqlite3_stmt *
profile_prepare(struct profile *p, const char *sql)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v3(p->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL) != SQLITE_OK)
		failed(p);
	return st;
}

sqlite3_stmt *
profile_prepare_again(struct profile *p, const char *sql)
{
	for (size_t i = 0; i < KEPT_STATEMENTS && p->kept[i]; i++) {
		sqlite3_stmt *st = p->kept[i];

		if (strcmp(sqlite3_sql(st), sql))
			continue;
		memmove(p->kept + i, p->kept + i + 1,
			(KEPT_STATEMENTS - i - 1) * sizeof(*p->kept));
		p->kept[KEPT_STATEMENTS - 1] = NULL;
		profile_step_anew(st);
		return st;
	}
	return profile_prepare(p, sql);
}

void
profile_put_back(struct profile *p, sqlite3_stmt *st)
{
	if (!st)
		return;
	sqlite3_reset(st);
	sqlite3_clear_bindings(st);
	sqlite3_finalize(p->kept[KEPT_STATEMENTS - 1]);
	memmove(p->kept + 1, p->kept, (KEPT_STATEMENTS - 1) * sizeof(*p->kept));
	p->kept[0] = st;
}

void
profile_execute(struct profile *p, const char *sql)
{
	sqlite3_stmt *st = profile_prepare(p, sql);

	profile_step(p, st);
	sqlite3_finalize(st);
}

/* Appends TEXT, of LENGTH bytes, with NAME for each '@'. */
static void
add_named(struct strbuf *sql, const char *text, size_t length, const char *name)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '@')
			strbuf_str(sql, name);
		else
			strbuf_char(sql, text[i]);
	}
}

/* Adds the columns that MARK, "self range r.", stands for. */
static void
add_figures(const struct profile *p, const char *mark, struct strbuf *sql)
{
	bool total = *mark == 't';
	const char *name = strchr(mark, ' ') + 1, *before = strchr(name, ' ') + 1;
	enum table_id table = TABLE_NONE;

	while (strncmp(tables[table].name, name, (size_t)(before - 1 - name)) ||
	       tables[table].name[before - 1 - name])
		table++;
	for (uint64_t ids = column_figure_ids(p, table, total); ids; ids &= ids - 1) {
		unsigned id = (unsigned)__builtin_ctzll(ids);

		if (*before == 'N' && id == MEASURE_COUNT) /* its own is a parameter */
			continue;
		strbuf_str(sql, ", ");
		strbuf_add(sql, before, strcspn(before, "*"));
		if (*before == '?')
			strbuf_fmt(sql, "%u AS ", id);
		column_figure_name(p, total, id, sql);
	}
}

static void
add_formulas(const struct profile *p, struct strbuf *sql)
{
	for (const struct list_column *c = profile_columns(p, LIST_LINE); c->name; c++) {
		if (c->measure && c->measure->formula) {
			strbuf_str(sql, ", ");
			strbuf_str(sql, c->sql);
		}
	}
}

void
profile_with_measures(const struct profile *p, const char *text, struct strbuf *sql)
{
	const char *mark, *end;

	for (; (mark = strstr(text, "/*")); text = end + 2) {
		strbuf_add(sql, text, (size_t)(mark - text));
		mark += 2;
		end = strstr(mark, "*/");
		if (*mark == '=')
			add_formulas(p, sql);
		else if (!strncmp(mark, "self ", 5) || !strncmp(mark, "total ", 6))
			add_figures(p, mark, sql);
		for (size_t i = 0; memchr(mark, '@', (size_t)(end - mark)) && i < p->others.nr;
		     i++) {
			if (p->others.items[i].formula)
				continue;
			strbuf_str(sql, ", ");
			add_named(sql, mark, (size_t)(end - mark), p->others.items[i].name);
		}
	}
	strbuf_str(sql, text);
}

static sqlite3_stmt *
prepare_with_measures(struct profile *p, const char *text)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;
	char *index;

	profile_with_measures(p, text, &sql);
	/* A view of them has none by name. */
	index = p->overlay.lines_have_times ? strstr(sql.buf, BY_PLACE) : NULL;
	if (index)
		memset(index, ' ', strlen(BY_PLACE));
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	return st;
}

sqlite3_stmt *
profile_own_query(struct profile *p, enum profile_query query)
{
	return prepare_with_measures(p, profile_queries[query]);
}

sqlite3_stmt *
profile_query(struct profile *p, enum profile_query query)
{
	sqlite3_stmt **st = &p->statements[query];

	if (!*st)
		*st = profile_own_query(p, query);
	if (*st) {
		sqlite3_reset(*st);
		sqlite3_clear_bindings(*st);
		profile_step_anew(*st);
	}
	return *st;
}

/* Operations of SQLite's virtual machine: the most expensive regular query (a filter over all arcs)
 * needs about two for each byte of the file. */
enum { SLICE = 20000 };

static int64_t
work_limit(const struct profile *p)
{
	uint64_t n = 50000000 + 8 * p->bytes;

	return n > INT32_MAX ? INT32_MAX : (int64_t)n;
}

static int
slice_is_over(void *context)
{
	struct profile *p = context;

	if (p->may_stop && p->poll && p->poll(p->poll_context))
		p->stopped = true;
	return p->stopped || --p->slices_left < 0;
}

void
profile_poll(struct profile *p, bool (*poll)(void *context), void *context)
{
	p->poll = poll;
	p->poll_context = context;
}

bool
profile_may_stop(struct profile *p, bool yes)
{
	bool stopped = p->stopped;

	p->may_stop = yes;
	p->stopped = false;
	return stopped;
}

void
profile_limit_work(struct profile *p)
{
	sqlite3_progress_handler(p->db, SLICE, slice_is_over, p);
}

void
profile_endless(struct profile *p)
{
	error_set(&p->error, "%s is damaged (its tables have no end): copy it again, or record "
			     "again", p->path);
}

void
profile_step_anew(sqlite3_stmt *st)
{
	sqlite3_stmt_status(st, SQLITE_STMTSTATUS_VM_STEP, 1);
}

bool
profile_step(struct profile *p, sqlite3_stmt *st)
{
	bool still;
	int rc;

	if (!st)
		return false;
	p->row_is_damaged = false;
	p->slices_left = work_limit(p) / SLICE;
	still = job_still(true); /* a step may call for texts, and for rows of a comparison */
	rc = sqlite3_step(st);
	job_still(still);
	if (rc == SQLITE_ROW &&
	    sqlite3_stmt_status(st, SQLITE_STMTSTATUS_VM_STEP, 0) <= work_limit(p))
		return true;
	if (rc == SQLITE_INTERRUPT && p->stopped)
		; /* the caller wanted it */
	else if (rc == SQLITE_ROW || rc == SQLITE_INTERRUPT)
		profile_endless(p);
	else if (rc != SQLITE_DONE)
		failed(p);
	sqlite3_reset(st);
	return false;
}

static void
copy_text(char *to, size_t room, sqlite3_stmt *st, int i)
{
	size_t n;
	const char *text = column_text(st, i, &n);

	if (n >= room) {
		n = room - 1;
		while (n > 0 && (text[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(to, text, n);
	to[n] = '\0';
}

const char *
profile_only(const struct profile *p)
{
	return p->only;
}

const char *
profile_path(const struct profile *p)
{
	return p->path;
}

const char *
profile_name(const struct profile *p)
{
	return p->name ? p->name : p->path;
}

const char *
profile_error(const struct profile *p)
{
	return p->error.set ? p->error.text : NULL;
}

struct measures
profile_measures(const struct profile *p)
{
	return p->measures;
}

enum column_unit
measure_unit(const struct model_measure *measure)
{
	static const struct {
		const char *word;
		enum column_unit unit;
	} units[] = { { "ns", UNIT_NS }, { "bytes", UNIT_BYTES }, { "samples", UNIT_SAMPLES } };
	enum column_unit unit = UNIT_COUNT;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(measure->unit, units[i].word))
			unit = units[i].unit;
	}
	return measure->formula && unit != UNIT_NS && unit != UNIT_BYTES ? UNIT_VALUE : unit;
}

bool
measure_names_unit(const struct model_measure *measure)
{
	enum column_unit unit = measure_unit(measure);

	return (unit == UNIT_COUNT || unit == UNIT_VALUE) && strcmp(measure->unit, "count") != 0 &&
	       strcmp(measure->unit, "samples") != 0;
}

uint64_t
profile_samples(const struct profile_totals *t, uint64_t samples, uint64_t ns)
{
	uint64_t equal;

	if (!t->run.sample_ns || !samples)
		return samples;
	equal = ns / t->run.sample_ns + (ns % t->run.sample_ns >= (t->run.sample_ns + 1) / 2);
	return equal < samples ? equal + !equal : samples;
}

bool
profile_has_times(const struct profile *p)
{
	return p->last_id[TABLE_TRACK] != 0;
}

bool
profile_has_stacks(const struct profile *p)
{
	return p->last_id[TABLE_CONTEXT] != 0;
}

const struct profile_totals *
profile_totals(struct profile *p)
{
	return &p->totals;
}

/* ---- files ---- */

static void
read_files(struct profile *p)
{
	sqlite3_stmt *st = profile_query(p, QUERY_FILES);

	p->files_read = true;
	while (profile_step(p, st)) {
		struct profile_file *f;
		const char *text;
		size_t n;

		GROW(p->files, p->nr_files + 1, p->files_alloc);
		f = &p->files[p->nr_files++];
		f->id = column_id(p, st, 0, TABLE_FILE);
		text = column_text(st, 1, &n);
		f->path = arena_strndup(&p->arena, text, n);
		f->size = column_count(p, st, 2);
		f->lines = column_u32(p, st, 3);
		f->state = (enum file_state)column_word(p, st, 4, stored_file_states);
		text = column_text(st, 5, &n);
		f->hash = strtoull(text, NULL, 16);
	}
}

const struct profile_file *
profile_file(struct profile *p, model_id id)
{
	size_t low = 0, high;

	if (!p->files_read)
		read_files(p);
	for (high = p->nr_files; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (p->files[middle].id == id)
			return &p->files[middle];
		if (p->files[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

model_id
profile_file_named(struct profile *p, const char *path)
{
	if (!p->files_read)
		read_files(p);
	for (size_t i = 0; i < p->nr_files; i++) {
		if (!strcmp(p->files[i].path, path))
			return p->files[i].id;
	}
	return 0;
}

char *
profile_file_text(struct profile *p, model_id id, size_t *size)
{
	struct text_reader *r = text_reader_new(p, id);

	text_reader_work(r, NULL, NULL);
	return text_reader_end(r, size);
}

/* ---- lines, sites, procedures ---- */

/* Asks for what touches lines FIRST..LAST of FILE. NULL: there was an error. */
static sqlite3_stmt *
query_window(struct profile *p, enum profile_query query, model_id file,
	     uint32_t first, uint32_t last)
{
	sqlite3_stmt *st = profile_query(p, query);

	if (!st)
		return NULL;
	sqlite3_bind_int64(st, 1, file);
	sqlite3_bind_int64(st, 2, first);
	sqlite3_bind_int64(st, 3, last);
	return st;
}

size_t
profile_lines(struct profile *p, model_id file, uint32_t first, uint32_t last,
	      struct line_row **rows)
{
	sqlite3_stmt *st = query_window(p, QUERY_LINES, file, first, last);
	size_t nr = 0, alloc = 0;
	int64_t *self;

	*rows = NULL;
	while (profile_step(p, st)) {
		GROW(*rows, nr + 1, alloc);
		(*rows)[nr] = (struct line_row){
			.line = column_u32(p, st, 0), .lacking = column_count(p, st, 1) != 0,
		};
		self = (*rows)[nr].self;
		column_values(p, st, column_figures(p, st, 2, TABLE_LINE, false, self), self);
		(*rows)[nr].uncounted = is_uncounted(self[MEASURE_COUNT], column_count(p, st, 1));
		self[MEASURE_WORK] = self[MEASURE_COUNT];
		nr += !column_row_is_damaged(p);
	}
	return nr;
}

/* Returns false when the row is damaged. */
static bool
read_site(struct profile *p, sqlite3_stmt *st, struct site_row *row)
{
	static const char outside[] = "@outside"; /* the mark of a namesake outside */
	size_t n;

	row->id = column_id(p, st, 0, TABLE_SITE);
	column_place(p, st, 1, &row->place);
	row->procedure = column_id(p, st, 6, TABLE_PROCEDURE);
	row->kind = (enum site_kind)column_word(p, st, 7, stored_site_kinds);
	copy_text(row->target, sizeof(row->target), st, 8);
	n = strlen(row->target);
	if (n > strlen(outside) && !strcmp(row->target + n - strlen(outside), outside))
		row->target[n - strlen(outside)] = '\0';
	row->shared = column_count(p, st, 9) != 0;
	column_figures(p, st, 11, TABLE_SITE, true, row->total);
	row->uncounted = is_uncounted(row->total[MEASURE_COUNT], column_count(p, st, 10));
	return !column_row_is_damaged(p);
}

size_t
profile_sites(struct profile *p, model_id file, uint32_t first, uint32_t last,
	      struct site_row **rows)
{
	sqlite3_stmt *st = query_window(p, QUERY_SITES, file, first, last);
	size_t nr = 0, alloc = 0;

	*rows = NULL;
	while (profile_step(p, st)) {
		GROW(*rows, nr + 1, alloc);
		nr += read_site(p, st, &(*rows)[nr]);
	}
	return nr;
}

bool
profile_site_calls(struct profile *p, const struct site_row *site, model_id procedure)
{
	/* A site through a pointer may have thousands of callees. */
	sqlite3_stmt *st = profile_query(p, site->kind == SITE_DIRECT ? QUERY_SITE_CALLS
					 : QUERY_SITE_CAN_CALL);
	bool calls = false;

	if (!st || !procedure)
		return false;
	sqlite3_bind_int64(st, 1, site->id);
	sqlite3_bind_int64(st, 2, procedure);
	while (!calls && profile_step(p, st))
		calls = column_id(p, st, 0, TABLE_PROCEDURE) == procedure &&
			(site->kind == SITE_DIRECT || column_count(p, st, 1));
	sqlite3_reset(st);
	return calls;
}

bool
profile_site(struct profile *p, model_id id, struct site_row *row)
{
	sqlite3_stmt *st = profile_query(p, QUERY_SITE);
	bool there;

	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, id);
	if (!profile_step(p, st))
		return false;
	there = read_site(p, st, row);
	sqlite3_reset(st);
	return there;
}

void
profile_called_name(struct profile *p, bool arc, model_id id, struct strbuf *out)
{
	sqlite3_stmt *st = profile_query(p, arc ? QUERY_ARC_CALLED : QUERY_SITE_CALLED);
	const size_t mark = strlen(MARK_OUTSIDE), before = out->len;
	const char *name;
	bool outside = false;
	size_t n;

	if (!st)
		return;
	sqlite3_bind_int64(st, 1, id);
	while (!outside && profile_step(p, st)) {
		name = column_text(st, 0, &n);
		strbuf_str(out, out->len > before ? ", " : "");
		strbuf_add(out, name, n);
		outside = column_integer(st, 1);
		if (outside && (n < mark || strcmp(name + n - mark, MARK_OUTSIDE)))
			strbuf_str(out, MARK_OUTSIDE);
	}
	sqlite3_reset(st);
}

static bool
read_procedure(struct profile *p, sqlite3_stmt *st, struct procedure_row *row)
{
	int behind;

	if (!profile_step(p, st))
		return false;
	row->id = column_id(p, st, 0, TABLE_PROCEDURE);
	column_place(p, st, 1, &row->place);
	copy_text(row->name, sizeof(row->name), st, 6);
	row->cycle = column_id(p, st, 7, TABLE_CYCLE);
	row->shared = column_count(p, st, 8) != 0;
	behind = column_figures(p, st, 10, TABLE_PROCEDURE, false, row->self);
	column_figures(p, st, behind, TABLE_PROCEDURE, true, row->total);
	row->uncounted = is_uncounted(row->self[MEASURE_CALLS], column_count(p, st, 9));
	row->self[MEASURE_COUNT] = row->self[MEASURE_CALLS];
	sqlite3_reset(st);
	return !column_row_is_damaged(p);
}

bool
profile_procedure(struct profile *p, model_id id, struct procedure_row *row)
{
	sqlite3_stmt *st = profile_query(p, QUERY_PROCEDURE);

	if (st)
		sqlite3_bind_int64(st, 1, id);
	return read_procedure(p, st, row);
}

static void
finalize(void *st)
{
	sqlite3_finalize(st);
}

void
profile_names(struct profile *p, void (*take)(void *context, const struct name_row *row),
	      void *context)
{
	sqlite3_stmt *st = profile_own_query(p, QUERY_NAMES);
	struct job_hold hold;
	struct name_row row;

	job_hold(&hold, finalize, st);
	for (; profile_step(p, st); job_pause(1)) {
		row.id = column_id(p, st, 0, TABLE_PROCEDURE);
		column_place(p, st, 1, &row.place);
		row.name = column_text(st, 6, &row.length);
		row.calls = column_count(p, st, 7);
		row.self_ns = column_count(p, st, 8);
		if (!column_row_is_damaged(p))
			take(context, &row);
	}
	job_let_go(&hold);
}

bool
profile_procedure_at(struct profile *p, model_id file, uint32_t line, struct procedure_row *row)
{
	sqlite3_stmt *st = profile_query(p, QUERY_PROCEDURE_AT);

	if (st) {
		sqlite3_bind_int64(st, 1, file);
		sqlite3_bind_int64(st, 2, line);
	}
	return read_procedure(p, st, row);
}

/* The columns that order copies, and the id. */
enum { COPY_KEYS = 3, COPY_ID = COPY_KEYS };
struct copy {
	int64_t keys[COPY_KEYS + 1];
};

static bool
is_hotter(const struct copy *a, const struct copy *b)
{
	int i;

	for (i = 0; i < COPY_KEYS; i++)
		if (a->keys[i] != b->keys[i])
			return a->keys[i] > b->keys[i];
	return a->keys[COPY_ID] < b->keys[COPY_ID];
}

static bool
next_copy(struct profile *p, sqlite3_stmt *st, struct copy *c)
{
	int i;

	if (!profile_step(p, st))
		return false;
	for (i = 0; i < COPY_KEYS; i++)
		c->keys[i] = column_integer(st, i);
	c->keys[COPY_ID] = column_u32(p, st, COPY_ID);
	return true;
}

static sqlite3_stmt *
ask_copies(struct profile *p, const struct place *place)
{
	sqlite3_stmt *st = profile_query(p, QUERY_PROCEDURE_COPIES);

	if (st) {
		sqlite3_bind_int64(st, 1, place->file);
		sqlite3_bind_int64(st, 2, place->line);
		sqlite3_bind_int64(st, 3, place->column);
	}
	return st;
}

void
profile_procedure_copies(struct profile *p, const struct place *place, model_id id,
			 struct procedure_copies *copies)
{
	sqlite3_stmt *st = ask_copies(p, place);
	struct copy c, hottest = { { 0 } }, this = { { 0 } };

	memset(copies, 0, sizeof(*copies));
	while (next_copy(p, st, &c)) {
		if (!copies->nr++ || is_hotter(&c, &hottest))
			hottest = c;
		if (c.keys[COPY_ID] == id)
			this = c;
	}
	copies->hottest = (model_id)hottest.keys[COPY_ID];
	if (!this.keys[COPY_ID])
		return;
	st = ask_copies(p, place);
	for (copies->at = 1; next_copy(p, st, &c);)
		copies->at += is_hotter(&c, &this);
}

static int
longest_name(struct profile *p)
{
	sqlite3_stmt *st = profile_query(p, QUERY_HOTTEST_NAMES);
	int most = 0, length;

	while (profile_step(p, st)) {
		length = column_integer(st, 0);
		most = length > most ? length : most;
	}
	return most;
}

bool
profile_is_uncounted(const struct profile *p)
{
	return !p->measures.items[MEASURE_CALLS - 1].total && profile_lines_are_uncounted(p);
}

bool
profile_lines_are_uncounted(const struct profile *p)
{
	return !p->totals.blocks_executed &&
	       measure_is_least(&p->measures.items[MEASURE_WORK - 1]);
}

static bool
is_of_tool(const struct profile *p)
{
	return p->totals.run.tool && *p->totals.run.tool;
}

bool
profile_counts_only_calls(const struct profile *p)
{
	return is_of_tool(p) && !p->totals.blocks_executed &&
	       p->measures.items[MEASURE_CALLS - 1].total;
}

bool
profile_is_untimed(const struct profile *p)
{
	const struct model_run *r = &p->totals.run;

	return is_of_tool(p) && !p->totals.self_ns && !p->totals.self_samples && !r->cpu_ns;
}

const char *
profile_without_callers(const struct profile *p)
{
	return is_of_tool(p) && !p->totals.nr_sites && !p->totals.nr_arcs ? p->totals.run.tool
									  : NULL;
}

unsigned
profile_lead(const struct profile *p)
{
	if (!profile_is_untimed(p))
		return 0;
	for (unsigned id = NR_BUILTIN_MEASURES + 1; id <= p->measures.nr; id++) {
		const struct model_measure *m = &p->measures.items[id - 1];

		if (m->total && !m->formula && !m->detail)
			return id;
	}
	return 0;
}

void
profile_optional(struct profile *p, struct profile_optional *optional)
{
	sqlite3_stmt *st = profile_query(p, QUERY_OPTIONAL);

	memset(optional, 0, sizeof(*optional));
	if (profile_step(p, st)) {
		optional->bounds = column_integer(st, 0);
		optional->recursion = column_integer(st, 1);
		optional->builds = column_integer(st, 2);
		optional->foreign = column_integer(st, 3);
		optional->paths = column_integer(st, 4);
	}
	optional->names = longest_name(p);
	optional->errors = p->last_id[TABLE_DEFECT] != 0;
	optional->several = wing_is_there(p, WING_SEVERAL);
	optional->uneven = wing_is_there(p, WING_IMBALANCE);
}

bool
profile_procedure_named(struct profile *p, const char *name, struct procedure_row *row)
{
	sqlite3_stmt *st = profile_query(p, QUERY_PROCEDURE_NAMED);

	if (st)
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	return read_procedure(p, st, row);
}
