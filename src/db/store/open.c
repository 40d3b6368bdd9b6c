/* Opens a profile that may come from anywhere: nothing of it is believed before its schema has been
 * compared with ours. */
#include "db/store/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/lists/coverage.h"
#include "db/store/connection.h"
#include "db/store/schema.h"
#include "db/store/table_row.h"
#include "db/store/texts.h"
#include "util/file_kind.h"
#include "util/input.h"
#include "util/job.h"

static const struct { int limit, value; } limits[] = {
	{ SQLITE_LIMIT_LENGTH, SCHEMA_VALUE_MAX },
	{ SQLITE_LIMIT_SQL_LENGTH, 64 << 10 },
	{ SQLITE_LIMIT_COLUMN, 128 },
	{ SQLITE_LIMIT_EXPR_DEPTH, 50 },
	{ SQLITE_LIMIT_COMPOUND_SELECT, 4 },
	{ SQLITE_LIMIT_FUNCTION_ARG, 8 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 },
	{ SQLITE_LIMIT_VARIABLE_NUMBER, 64 },
	{ SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

static uint32_t
big_endian(const unsigned char *p, int bytes)
{
	uint32_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | *p++;
	return v;
}

static int
check_header(const char *path, const unsigned char *h, off_t size, struct error *err)
{
	uint32_t page = big_endian(h + 16, 2), version = big_endian(h + 60, 4);
	uint64_t bytes = 0;

	if (big_endian(h + 68, 4) == SCHEMA_OLD_ID)
		return error_set(err, "%s was written by an older cgview: record again", path);
	if (big_endian(h + 68, 4) != SCHEMA_APPLICATION_ID)
		return error_set(err, "%s is a database of another program, not a profile: write "
				      "one with 'cgview record'", path);
	if (version > SCHEMA_VERSION)
		return error_set(err, "%s was written by a newer cgview (format %u, this one reads "
				      "%d): install that one, or record again", path, version,
				 SCHEMA_VERSION);
	if (version < SCHEMA_OLDEST)
		return error_set(err, "%s was written by an older cgview (format %u, this one "
				      "reads %d): record again", path, version, SCHEMA_VERSION);
	if (h[18] != 1 || h[19] != 1)
		return error_set(err, "%s is in write-ahead mode, in which cgview writes none: "
				      "copy it again, or record again", path);
	bytes = (uint64_t)(page == 1 ? 65536 : page) * big_endian(h + 28, 4);
	if (bytes > (uint64_t)size)
		return error_set(err, "%s is cut off (%lld of %llu bytes): copy it again, or "
				      "record again", path, (long long)size,
				 (unsigned long long)bytes);
	return 0;
}

/* Says what PATH is, which begins with the N bytes HEAD and is no database. */
static int
refuse(const char *path, const unsigned char *head, size_t n, struct error *err)
{
	char *told = file_kind_told(path, head, n);

	if (n >= 6 && !memcmp(head, "cgview", 6))
		error_set(err, "%s is a raw profile: make a profile of it with 'cgview import'",
			  path);
	else if (told)
		error_set(err, "%s", told);
	else
		error_set(err, "%s is not a profile: write one with 'cgview record'", path);
	free(told);
	return -1;
}

/* Checks what can be told without SQLite, and the size; never blocks on a FIFO or a device. */
static int
check_file(const char *path, uint64_t *bytes, struct error *err)
{
	unsigned char header[FILE_KIND_HEAD];
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), result = -1;
	struct stat st;
	ssize_t n;

	if (!*path)
		return error_set(err, "the name of the profile is empty");
	if (fd < 0 && errno == ENOENT)
		return error_set(err, "%s does not exist: write a profile with 'cgview record'",
				 path);
	if (fd < 0)
		return error_set_errno(err, errno, "cannot open %s", path);
	if (fstat(fd, &st))
		error_set_errno(err, errno, "cannot look at %s", path);
	else if (S_ISDIR(st.st_mode))
		error_set(err, "%s is a directory: name the profile in it", path);
	else if (!S_ISREG(st.st_mode))
		error_set(err, "%s is not a regular file: name a profile", path);
	else if (!st.st_size)
		error_set(err, "%s is empty: write a profile with 'cgview record'", path);
	else if ((n = input_read_at(fd, 0, header, sizeof(header))) < 0)
		error_set_errno(err, errno, "cannot read %s", path);
	else if (n < SCHEMA_HEADER || memcmp(header, "SQLite format 3", 16))
		refuse(path, header, (size_t)n, err);
	else
		result = check_header(path, header, st.st_size, err);
	if (!result)
		*bytes = (uint64_t)st.st_size;
	close(fd);
	return result;
}

static int
damaged(struct profile *p, struct error *err)
{
	int code = sqlite3_errcode(p->db) & 0xff;

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return error_set(err, "%s is being written by another program: try again when it "
				      "is done", p->path);
	if (code == SQLITE_READONLY)
		return error_set(err, "%s-journal lies beside the profile: cgview never leaves "
				      "one, and what it says would be done; remove it, or move it "
				      "away", p->path);
	if (code == SQLITE_OK && profile_error(p)) /* what SQLite does not mind */
		return error_set(err, "%s", profile_error(p));
	return error_set(err, "%s is damaged (%s): copy it again, or record again", p->path,
			 sqlite3_errmsg(p->db));
}

void
profile_large_values(struct profile *p, bool yes)
{
	sqlite3_limit(p->db, SQLITE_LIMIT_LENGTH, yes ? SCHEMA_BLOB_MAX : SCHEMA_VALUE_MAX);
}

static void
harden(sqlite3 *db)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(db, limits[i].limit, limits[i].value);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_busy_timeout(db, 1000);
}

/* ---- the schema ---- */

/* Is the row of sqlite_schema with these values the entry E? */
static bool
is_entry(const char *const value[4], const struct schema_entry *e)
{
	return e && !strcmp(e->type, value[0]) && !strcmp(e->table, value[2]) &&
	       !strcmp(e->sql, value[3]);
}

/* Checks that every entry of the file, or only the one called ONLY, is as SCHEMA says, and that
 * none is missing. */
static int
compare_schema(struct profile *p, const struct schema *schema, const char *only,
	       struct error *err)
{
	static const char sql[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema";
	bool *seen = arena_alloc(&p->arena, schema->nr * sizeof(*seen));
	const struct schema_entry *e;
	sqlite3_stmt *st = NULL;
	size_t found = 0;
	int rc;

	if (sqlite3_prepare_v2(p->db, sql, -1, &st, NULL) != SQLITE_OK)
		return damaged(p, err);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *value[4];
		bool whole = true;

		for (int i = 0; i < 4; i++) {
			value[i] = (const char *)sqlite3_column_text(st, i);
			whole &= value[i] != NULL;
		}
		if (whole && only && strcmp(value[1], only))
			continue;
		e = whole ? schema_find(schema, value[1]) : NULL;
		if (!is_entry(value, e))
			break;
		found += !seen[e - schema->entries];
		seen[e - schema->entries] = true;
	}
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		damaged(p, err);
	else if (rc == SQLITE_ROW || found != (only ? 1 : schema->nr))
		error_set(err, "%s does not have the tables of a profile: it was changed or made "
			       "by another program; record again", p->path);
	sqlite3_finalize(st);
	return err->set ? -1 : 0;
}

/* Every listing's columns stand on these: no profile can make them something else. */
static bool
is_builtin(const struct model_measure *m, const struct model_measure *builtin)
{
	return !strcmp(m->name, builtin->name) && !strcmp(m->unit, builtin->unit) &&
	       m->combine == builtin->combine && !m->formula;
}

/* Adds a measure that the profile says it has. */
static bool
take_measure(struct model_measure *all, size_t nr, struct model_measure *m)
{
	if (nr < NR_BUILTIN_MEASURES)
		return is_builtin(m, &builtin_measures[nr]);
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(all[i].name, m->name))
			return false;
	}
	return measure_name_is_good(m->name);
}

static int
read_measures(struct profile *p, struct error *err)
{
	static const struct table_select select = { .table = TABLE_MEASURE };
	enum { MOST = NR_BUILTIN_MEASURES + MEASURES_MAX };
	struct model_measure *all = arena_alloc(&p->arena, MOST * sizeof(*all));
	struct strbuf sql = STRBUF_INIT;
	bool good = true;
	sqlite3_stmt *st;
	size_t nr = 0;

	table_select_sql(&select, p->others, &sql);
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	while (good && profile_step(p, st)) {
		good = nr < MOST && column_count(p, st, 0) == nr + 1;
		if (good)
			table_read(p, st, &select, &p->arena, &all[nr]);
		good = good && take_measure(all, nr, &all[nr]);
		nr++;
	}
	sqlite3_finalize(st);
	if (profile_error(p))
		return damaged(p, err);
	if (!good || nr < NR_BUILTIN_MEASURES)
		return error_set(err, "%s is damaged (its measures cannot be): copy it again, or "
				      "record again", p->path);
	p->measures = (struct measures){ all, nr, p->others.version };
	p->others.items = all + NR_BUILTIN_MEASURES;
	p->others.nr = nr - NR_BUILTIN_MEASURES;
	return 0;
}

/* Returns the number that SQL reads. */
static uint64_t
number_by(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = NULL;
	uint64_t number = 0;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		number = (uint64_t)sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return number;
}

/* The table of measures tells which columns other tables have; it is checked first. */
static int
check_schema(struct profile *p, struct error *err)
{
	struct schema schema;
	int status;

	p->others.version = (uint32_t)number_by(p->db, "PRAGMA user_version");
	schema_make(&schema, p->others);
	status = compare_schema(p, &schema, tables[TABLE_MEASURE].name, err);
	schema_release(&schema);
	if (status || read_measures(p, err))
		return -1;
	schema_make(&schema, p->others);
	status = compare_schema(p, &schema, NULL, err);
	schema_release(&schema);
	return status;
}

/* Adds a run that was also done without profiling. */
static void
add_baseline(struct profile_totals *t, const struct model_run *r)
{
	if (!r->baseline_program)
		return;
	if (!t->run.baseline_program)
		t->run.baseline_program = r->baseline_program;
	t->run.baseline_wall_ns = count_add(t->run.baseline_wall_ns, r->baseline_wall_ns);
	t->run.baseline_user_ns = count_add(t->run.baseline_user_ns, r->baseline_user_ns);
	t->run.baseline_system_ns = count_add(t->run.baseline_system_ns, r->baseline_system_ns);
	t->based_wall_ns = count_add(t->based_wall_ns, r->wall_ns);
	t->based_user_ns = count_add(t->based_user_ns, r->user_ns);
	t->based_system_ns = count_add(t->based_system_ns, r->system_ns);
}

/* Returns the mean of A and B, which weigh OF_A and OF_B. */
static uint64_t
mean_of(uint64_t a, uint64_t of_a, uint64_t b, uint64_t of_b)
{
	double all = (double)of_a + (double)of_b;

	double sum = (double)a * (double)of_a + (double)b * (double)of_b;

	return all > 0 ? (uint64_t)(sum / all + 0.5) : b;
}

static void
add_run(struct model_run *sum, const struct model_run *r)
{
	static const size_t added[] = {
		offsetof(struct model_run, wall_ns), offsetof(struct model_run, user_ns),
		offsetof(struct model_run, system_ns), offsetof(struct model_run, cpu_ns),
		offsetof(struct model_run, samples), offsetof(struct model_run, lost_samples),
		offsetof(struct model_run, unprofiled_samples),
		offsetof(struct model_run, centre_samples),
		offsetof(struct model_run, centre_unprofiled_samples),
		offsetof(struct model_run, wait_ns),
		offsetof(struct model_run, unprofiled_wait_ns),
		offsetof(struct model_run, delay_ns),
	};

	const uint64_t before = sum->cpu_ns;

	for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++) {
		uint64_t *to = (uint64_t *)((char *)sum + added[i]);

		*to = count_add(*to, *(const uint64_t *)((const char *)r + added[i]));
	}
	sum->sample_ns = mean_of(sum->sample_ns, before, r->sample_ns, r->cpu_ns);
	if (r->clock && !sum->clock)
		sum->clock = r->clock;
	sum->processes += r->processes;
	if (r->wall_interval_ns > sum->wall_interval_ns)
		sum->wall_interval_ns = r->wall_interval_ns;
}

/* Reads the facts of the first run and the sums of all. */
static void
read_runs(struct profile *p)
{
	static const struct table_select runs = { .table = TABLE_RUN };
	struct profile_totals *t = &p->totals;
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	t->run = (struct model_run){ .command = "", .directory = "", .program = "",
				     .build_id = "", .host = "", .exit_status = -1 };
	table_select_sql(&runs, p->others, &sql);
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	for (bool first = true; profile_step(p, st); first = false) {
		struct model_run r = { .command = NULL };

		table_read(p, st, &runs, &p->arena, &r);
		if (first)
			t->run = (struct model_run){
				.command = r.command, .directory = r.directory,
				.program = r.program, .build_id = r.build_id, .host = r.host,
				.tool = r.tool, .label = r.label, .job = r.job,
				.started_ns = r.started_ns, .exit_status = r.exit_status,
				.exit_signal = r.exit_signal,
				.asked_interval_ns = r.asked_interval_ns,
				.interval_ns = r.interval_ns,
			};
		add_run(&t->run, &r);
		add_baseline(t, &r);
	}
	sqlite3_finalize(st);
}

static int
read_ids(struct profile *p, struct error *err)
{
	if (column_learn_ids(p))
		return 0;
	if (profile_error(p))
		return damaged(p, err);
	return error_set(err, "%s is damaged (its tables have ids that cannot be): copy it again, "
			      "or record again", p->path);
}

/* Tables that only profiles with certain measures have, or newer ones, are empty ones in others. */
static void
add_tables(struct profile *p)
{
	struct strbuf sql = STRBUF_INIT, statement = STRBUF_INIT;

	for (int i = 0; i < NR_TABLES; i++) {
		if (table_is_there(&tables[i], p->others))
			continue;
		strbuf_clear(&sql);
		strbuf_clear(&statement);
		table_create_sql(&tables[i], p->others, &sql);
		strbuf_str(&statement, "CREATE TEMP");
		strbuf_str(&statement, sql.buf + strlen("CREATE"));
		profile_execute(p, statement.buf);
	}
	strbuf_release(&sql);
	strbuf_release(&statement);
}

static int
read_totals(struct profile *p, struct error *err)
{
	static const struct table_select totals = { .table = TABLE_TOTALS };
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;
	bool there;

	table_select_sql(&totals, p->others, &sql);
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	there = profile_step(p, st);
	if (there)
		table_read(p, st, &totals, &p->arena, &p->totals);
	sqlite3_finalize(st);
	if (!there && profile_error(p))
		return damaged(p, err);
	if (!there)
		return error_set(err, "%s has no totals: it is incomplete; record again", p->path);
	read_runs(p);
	if (profile_error(p))
		return error_set(err, "%s", profile_error(p));
	return 0;
}

static int
connect_file(struct profile *p, struct error *err)
{
	/* A name that begins with "./" or "/" is never a URI, whatever SQLite was built with. */
	char *name = *p->path == '/' ? xstrdup(p->path) : xasprintf("./%s", p->path);
	int rc = sqlite3_open_v2(name, &p->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

	free(name);
	if (!p->db)
		return error_set(err, "cannot open %s: out of memory", p->path);
	return rc == SQLITE_OK ? 0 : damaged(p, err);
}

/* Sets up the connection before anything is read by it. */
static int
prepare_connection(struct profile *p, struct error *err)
{
	harden(p->db);
	profile_limit_work(p);
	if (profile_functions(p->db) != SQLITE_OK)
		return damaged(p, err);
	p->slices_left = INT32_MAX;
	/* trusted_schema and cell_size_check must be on before the first page is read. */
	if (sqlite3_exec(p->db, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; "
				"PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; "
				"PRAGMA cache_size = -8000",
			 NULL, NULL, NULL) != SQLITE_OK)
		return damaged(p, err);
	return 0;
}

static uint64_t
database_bytes(sqlite3 *db)
{
	return number_by(db, "SELECT page_count * page_size "
			     "FROM pragma_page_count, pragma_page_size");
}

/* Reads, by DB, what is known of the profile OF; by a new connection if it is NULL. */
static struct profile *
open_by(sqlite3 *db, const struct made_of *of, uint64_t bytes, struct error *err)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->db = db;
	p->path = xstrdup(of->path);
	p->bytes = db ? database_bytes(db) : bytes;
	p->arena = (struct arena)ARENA_INIT;
	if ((!db && connect_file(p, err)) || prepare_connection(p, err) || check_schema(p, err) ||
	    read_ids(p, err) || read_totals(p, err)) {
		profile_close(p);
		return NULL;
	}
	p->name = of->name ? arena_strdup(&p->arena, of->name) : NULL;
	p->only = of->only ? arena_strdup(&p->arena, of->only) : NULL;
	p->totals.is_span = of->is_span;
	add_tables(p);
	profile_make_columns(p);
	return p;
}

struct profile *
profile_open(const char *path, struct error *err)
{
	struct error local = ERROR_INIT;
	struct profile *p = NULL;
	uint64_t bytes = 0;

	if (!check_file(path, &bytes, &local))
		p = open_by(NULL, &(struct made_of){ .path = path }, bytes, &local);
	if (!p)
		error_set(err, "%s", local.text);
	return p;
}

struct profile *
profile_open_model(const struct model *m, const struct made_of *of, const struct progress *progress,
		   struct error *err)
{
	sqlite3 *db = profile_store_unnamed(m, progress, err);

	return db ? profile_open_stored(db, of, err) : NULL;
}

struct profile *
profile_open_stored(sqlite3 *db, const struct made_of *of, struct error *err)
{
	return open_by(db, of, 0, err);
}

void
profile_drop_stored(sqlite3 *db)
{
	sqlite3_close(db);
}

void
profile_close(struct profile *p)
{
	if (!p)
		return;
	for (int i = 0; i < NR_QUERIES; i++)
		sqlite3_finalize(p->statements[i]);
	for (size_t i = 0; i < KEPT_STATEMENTS; i++)
		sqlite3_finalize(p->kept[i]);
	profile_stored_forget(p);
	job_free(p->imbalance.job);
	if (p->texts)
		texts_release(p->texts);
	free(p->texts);
	if (p->db && sqlite3_close(p->db) != SQLITE_OK)
		BUG("a listing was left open");
	free(p->files);
	free(p->never.regions);
	free(p->conditions.items);
	free(p->conditions.ways);
	free(p->path);
	arena_release(&p->arena);
	free(p);
}

void
profile_save_memory(struct profile *p, size_t nr)
{
	enum { MANY = 20 };

	sqlite3_exec(p->db, nr > MANY ? "PRAGMA cache_size = -100" : "PRAGMA cache_size = -1000",
		     NULL, NULL, NULL);
}
