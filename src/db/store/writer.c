#include "db/store/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/lists/list_spec.h"
#include "db/model/rows.h"
#include "db/model/run_deviation.h"
#include "db/store/connection.h"
#include "db/store/new_file.h"
#include "db/model/order.h"
#include "db/store/schema.h"
#include "db/store/table_row.h"
#include "db/store/writer_rows.h"
#include "util/order.h"

/* ---- statements ---- */

static void
execute(struct writer *w, const char *sql)
{
	if (w->rc == SQLITE_OK)
		w->rc = sqlite3_exec(w->db, sql, NULL, NULL, NULL);
}

static void
prepare(struct writer *w, const char *sql)
{
	if (w->rc == SQLITE_OK)
		w->rc = sqlite3_prepare_v2(w->db, sql, -1, &w->st, NULL);
}

static void
step(struct writer *w)
{
	if (w->rc != SQLITE_OK)
		return;
	sqlite3_step(w->st);
	w->rc = sqlite3_reset(w->st);
	sqlite3_clear_bindings(w->st);
	w->column = 0;
}

static void
finish_statement(struct writer *w)
{
	sqlite3_finalize(w->st);
	w->st = NULL;
	w->column = 0;
}

static void
advance(struct writer *w, size_t rows)
{
	enum { STEP = 8192 };
	size_t before = w->done / STEP;

	w->done += rows;
	if (w->progress && w->done / STEP != before)
		w->progress->tell(w->progress->context, (double)w->done / (double)w->work);
}

static size_t
table_rows(enum table_id table, const struct model *m)
{
	size_t at = tables[table].nr, nr = at ? *(const size_t *)((const char *)m + at) : 0;

	return table == TABLE_MEASURE ? nr + NR_BUILTIN_MEASURES : nr;
}

static void
write_table(struct writer *w, enum table_id table)
{
	size_t nr = table_rows(table, w->m);
	struct strbuf sql = STRBUF_INIT;

	if (!table_is_there(&tables[table], writer_others(w)))
		return;
	table_insert_sql(&tables[table], writer_others(w), &sql);
	prepare(w, sql.buf);
	strbuf_release(&sql);
	for (size_t i = 0; i < nr && w->rc == SQLITE_OK; i++) {
		put_int(w, (int64_t)i + 1);
		writer_put_row(w, table, i);
		step(w);
		advance(w, 1);
	}
	finish_statement(w);
}

/* ---- what is computed once, so that no viewer has to ---- */

#define RAISE(max, value) do { if ((value) > (max)) (max) = (value); } while (0)

static void
sum_up(const struct model *m, struct profile_totals *t)
{
	for (size_t i = 0; i < m->nr_threads; i++)
		t->nr_threads += m->threads[i].more_threads;
	for (size_t i = 0; i < m->nr_procedures; i++) {
		t->self_ns = count_add(t->self_ns, m->procedures[i].self_ns);
		t->self_samples += m->procedures[i].self_samples;
		t->wait_ns = count_add(t->wait_ns, m->procedures[i].self.wait_ns);
		RAISE(t->max_procedure_total_ns, m->procedures[i].total_ns);
		t->rows_without += m->procedures[i].runs_without != 0;
	}
	for (size_t i = 0; i < m->nr_blocks; i++) {
		t->blocks_executed = count_add(t->blocks_executed, m->blocks[i].count);
		RAISE(t->max_block_count, m->blocks[i].count);
		RAISE(t->max_block_self_ns, m->blocks[i].self_ns);
		RAISE(t->max_block_self_wait_ns, m->blocks[i].self.wait_ns);
		t->rows_without += m->blocks[i].runs_without != 0;
	}
	for (size_t i = 0; i < m->nr_sites; i++) {
		t->calls = count_add(t->calls, m->sites[i].count);
		t->rows_without += m->sites[i].runs_without != 0;
	}
	for (size_t i = 0; i < m->nr_lines; i++) {
		RAISE(t->max_line_count, m->lines[i].count);
		RAISE(t->max_line_self_ns, m->lines[i].self_ns);
		RAISE(t->max_line_self_wait_ns, m->lines[i].self.wait_ns);
		RAISE(t->max_line_code_bytes, m->lines[i].code_bytes);
		t->rows_without += m->lines[i].runs_without != 0;
	}
}

static void
raise_figures(struct model_measure *others, size_t nr, const struct figures *f, size_t max)
{
	for (size_t i = 0; f && i < nr; i++)
		RAISE(*(uint64_t *)((char *)&others[i] + max),
		      figure_size(figures_get(f, false, (unsigned)i)));
}

/* Sets the totals of measures that have figures below 0: shares refer to the sum of the sizes of
 * what the stacks have, as those of pprof do, or the procedures where there are no stacks. The net
 * sum may be 0, or have another sign than most of what it is made of. */
static void
sum_up_sizes(const struct model *m, struct model_measure *others)
{
	const struct row_array rows = row_array((struct model *)m, m->nr_contexts
						? TABLE_CONTEXT : TABLE_PROCEDURE);
	const size_t at = tables[m->nr_contexts ? TABLE_CONTEXT : TABLE_PROCEDURE].figures;
	uint64_t sizes[MEASURES_MAX][2] = { { 0 } }; /* above 0, below 0 */

	for (size_t i = 0; m->nr_measures && i < *rows.nr; i++) {
		const struct figures *f = *(struct figures **)(*rows.items + i * rows.size + at);

		for (unsigned k = 0; f && k < m->nr_measures; k++) {
			int64_t figure = figures_get(f, false, k);
			uint64_t *size = &sizes[k][figure < 0];

			*size = count_add(*size, figure_size(figure));
		}
	}
	for (size_t k = 0; k < m->nr_measures; k++)
		if (sizes[k][1] && others[k].combine == COMBINE_SUM)
			others[k].total = count_add(sizes[k][0], sizes[k][1]);
}

/* Stores all measures, with their figures for the whole profile. */
static void
sum_up_measures(struct writer *w)
{
	const struct model *m = w->m;
	size_t nr = m->nr_measures;
	struct model_measure *all = xcalloc(NR_BUILTIN_MEASURES + nr, sizeof(*all)), *others;
	struct profile_totals t = { .nr_runs = 0 };
	int64_t sums[MEASURES_MAX] = { 0 };

	memcpy(all, builtin_measures, sizeof(builtin_measures));
	others = all + NR_BUILTIN_MEASURES;
	if (nr)
		memcpy(others, m->measures, nr * sizeof(*others));
	for (size_t i = 0; i < nr; i++) {
		others[i].total = others[i].max_block = others[i].max_line = 0;
		others[i].max_value = 0;
	}
	for (size_t i = 0; i < m->nr_procedures; i++) {
		const struct figures *f = m->procedures[i].figures;

		all[MEASURE_CENTRE - 1].total += m->procedures[i].centre_ns;
		all[MEASURE_CALLS - 1].total = count_add(all[MEASURE_CALLS - 1].total,
							 m->procedures[i].calls);
		all[MEASURE_WORK - 1].total = count_add(all[MEASURE_WORK - 1].total,
							m->procedures[i].self_work);
		all[MEASURE_WORK - 1].exact &= m->procedures[i].lacking != COUNT_LACKS_ALL;
		for (size_t k = 0; f && k < nr; k++)
			sums[k] = measure_combine(others[k].combine, sums[k],
						  figures_get(f, false, (unsigned)k));
	}
	for (size_t k = 0; k < nr; k++)
		others[k].total = sums[k] > 0 ? (uint64_t)sums[k] : 0;
	sum_up_sizes(m, others);
	for (size_t i = 0; i < m->nr_blocks; i++) {
		all[MEASURE_WORK - 1].exact &= !m->blocks[i].lacking;
		raise_figures(others, nr, m->blocks[i].figures,
			      offsetof(struct model_measure, max_block));
	}
	for (size_t i = 0; i < m->nr_lines; i++)
		raise_figures(others, nr, m->lines[i].figures,
			      offsetof(struct model_measure, max_line));
	sum_up(m, &t);
	all[MEASURE_COUNT - 1].total = t.blocks_executed;
	all[MEASURE_COUNT - 1].max_block = t.max_block_count;
	all[MEASURE_COUNT - 1].max_line = t.max_line_count;
	all[MEASURE_TIME - 1].total = t.self_ns;
	all[MEASURE_TIME - 1].max_block = t.max_block_self_ns;
	all[MEASURE_TIME - 1].max_line = t.max_line_self_ns;
	all[MEASURE_WAIT - 1].total = t.wait_ns;
	all[MEASURE_WAIT - 1].max_block = t.max_block_self_wait_ns;
	all[MEASURE_WAIT - 1].max_line = t.max_line_self_wait_ns;
	w->measures = all;
}

/* Stores the greatest value that each formula has of a line. */
static void
find_greatest_values(struct writer *w)
{
	const struct measures all = { w->measures, NR_BUILTIN_MEASURES + w->m->nr_measures,
				      SCHEMA_VERSION };
	struct strbuf sql = STRBUF_INIT;

	for (size_t i = NR_BUILTIN_MEASURES; i < all.nr; i++) {
		strbuf_clear(&sql);
		strbuf_str(&sql, "UPDATE measure SET max_value = (SELECT max(");
		if (!all.items[i].formula || !list_formula_of_lines(all, &all.items[i], &sql))
			continue;
		strbuf_str(&sql, ") FROM line l) WHERE id = ?1");
		prepare(w, sql.buf);
		if (w->rc == SQLITE_OK)
			sqlite3_bind_int64(w->st, 1, (int64_t)i + 1);
		step(w);
		finish_statement(w);
	}
	strbuf_release(&sql);
}

static void
write_totals(struct writer *w)
{
	const struct model *m = w->m;
	struct profile_totals t = {
		.nr_runs = (uint32_t)m->nr_runs, .nr_threads = (uint32_t)m->nr_threads,
		.nr_files = (uint32_t)m->nr_files, .nr_procedures = m->nr_procedures,
		.nr_blocks = m->nr_blocks, .nr_ranges = m->nr_ranges, .nr_sites = m->nr_sites,
		.nr_arcs = m->nr_arcs, .nr_lines = m->nr_lines, .nr_notes = m->nr_notes,
		.nr_cycles = m->nr_cycles,
	};
	struct strbuf sql = STRBUF_INIT;

	sum_up(m, &t);
	table_insert_sql(&tables[TABLE_TOTALS], writer_others(w), &sql);
	prepare(w, sql.buf);
	strbuf_release(&sql);
	if (w->rc != SQLITE_OK)
		return;
	writer_put(w, TABLE_TOTALS, &t, NULL);
	step(w);
	finish_statement(w);
}

/* Combines the figures of lines to those of their file, of what adds up or has a greatest. */
static void
sum_figures(struct writer *w, struct figures **at, const struct figures *f)
{
	for (unsigned i = 0; f && i < w->m->nr_measures; i++)
		figures_set(&w->sums, at, false, i,
			    measure_combine(w->m->measures[i].combine, figures_get(*at, false, i),
					    figures_get(f, false, i)));
}

static void
sum_files(struct writer *w)
{
	const struct model *m = w->m;
	struct file_side *sums = w->files = xcalloc(m->nr_files, sizeof(*sums));

	for (size_t i = 0; i < m->nr_lines; i++) {
		const struct model_line *l = &m->lines[i];

		if (!writer_file_id(w, l->file))
			continue;
		sums[l->file - 1].code_lines++;
		sums[l->file - 1].executed_lines += l->count != 0;
		sums[l->file - 1].uncounted_lines += !l->count && l->lacking;
		sampled_add(&sums[l->file - 1].self, &l->self);
		sum_figures(w, &sums[l->file - 1].figures, l->figures);
	}
	for (size_t i = 0; i < m->nr_blocks; i++) {
		const struct model_block *b = &m->blocks[i];

		if (writer_file_id(w, b->place.file))
			sums[b->place.file - 1].count = count_add(sums[b->place.file - 1].count,
								  b->count);
	}
	for (size_t i = 0; i < m->nr_procedures; i++) {
		if (writer_file_id(w, m->procedures[i].place.file))
			sums[m->procedures[i].place.file - 1].procedures++;
	}
}

/* Finds, among the ranges of a block, which are executed equally often, the one with most time; of
 * several the first. */
static void
find_hottest(struct writer *w)
{
	const struct model *m = w->m;

	w->hottest = xcalloc(m->nr_blocks, sizeof(*w->hottest));
	for (size_t i = 0; i < m->nr_ranges; i++) {
		const struct model_range *r = &m->ranges[i];
		model_id *hottest = &w->hottest[r->block - 1];

		if (r->place.file == m->blocks[r->block - 1].place.file && r->self_ns &&
		    (!*hottest || r->self_ns > m->ranges[*hottest - 1].self_ns))
			*hottest = (model_id)(i + 1);
	}
}

/* Threads that ran one after the other may have begun with different things. */
static void
add_name(struct part_sums *s, const char *name)
{
	enum { MOST = sizeof(s->named) / sizeof(*s->named) };
	size_t i;

	for (i = 0; i < MOST && s->named[i]; i++)
		if (!strcmp(s->named[i], name))
			return;
	if (i < MOST) {
		strbuf_fmt(&s->names, "%s%s", i ? ", " : "", name);
		s->named[i] = name;
	} else if (!s->named_more) {
		strbuf_str(&s->names, ", ...");
		s->named_more = true;
	}
}

static void
release_part(struct part_sums *s)
{
	strbuf_release(&s->tids);
	strbuf_release(&s->names);
}

static void
sum_parts(struct writer *w)
{
	enum { TIDS = 6 };
	const struct model *m = w->m;
	struct part_sums *sums = w->parts = xcalloc(m->nr_parts, sizeof(*sums));

	for (size_t i = 0; i < m->nr_parts; i++)
		sums[i].tids = sums[i].names = (struct strbuf)STRBUF_INIT;
	for (size_t i = 0; i < m->nr_threads; i++) {
		const struct model_thread *t = &m->threads[i];
		struct part_sums *s;

		if (!t->part || t->part > m->nr_parts)
			continue;
		s = &sums[t->part - 1];
		if (!s->records) {
			s->side.pid = t->pid;
			s->side.tid = t->tid;
		}
		add_name(s, t->name);
		if (s->records++ < TIDS)
			strbuf_fmt(&s->tids, "%s%u", s->records > 1 ? ", " : "", t->tid);
		s->side.threads += 1 + (uint64_t)t->more_threads;
		s->side.cpu_ns += t->cpu_ns;
		s->side.lost_samples += t->lost_samples;
		s->side.wait_ns += t->wait_ns;
		s->side.delay_ns += t->delay_ns;
	}
	for (size_t i = 0; i < m->nr_parts; i++) {
		if (sums[i].side.threads > (sums[i].records < TIDS ? sums[i].records : TIDS))
			strbuf_str(&sums[i].tids, ", ...");
		sums[i].side.tids = sums[i].tids.buf;
		sums[i].side.name = sums[i].names.buf;
	}
}

static void
order_files(struct writer *w)
{
	size_t nr = w->m->nr_files;

	w->file_order = model_stored_files(w->m);
	w->file_id = xcalloc(nr + 1, sizeof(*w->file_id));
	for (size_t i = 0; i < nr; i++)
		w->file_id[w->file_order[i] + 1] = (model_id)i + 1;
}

static void
order_lines(struct writer *w)
{
	size_t nr = w->m->nr_lines;
	bool moved = false;

	w->line_order = model_stored_lines(w->m, w->file_order);
	for (size_t i = 0; i < nr; i++)
		moved |= w->line_order[i] != i;
	if (!moved)
		return;
	w->line_id = xcalloc(nr + 1, sizeof(*w->line_id));
	for (size_t i = 0; i < nr; i++)
		w->line_id[w->line_order[i] + 1] = (model_id)i + 1;
}

static void
create(struct writer *w, enum schema_stage stage)
{
	for (size_t i = 0; i < w->schema.nr; i++) {
		if (w->schema.entries[i].stage == stage)
			execute(w, w->schema.entries[i].sql);
	}
}

static void
write_all(struct writer *w)
{
	/* Each table and index takes at least a page, which adds up to most of a small profile. */
	enum { FEW_RANGES = 5000 };

	/* Nobody else uses the temporary file: a journal would only double the work. The finished
	 * file is in rollback mode. */
	execute(w, w->m->nr_ranges < FEW_RANGES ? "PRAGMA page_size = 1024"
						 : "PRAGMA page_size = 8192");
	execute(w, "PRAGMA auto_vacuum = 0");
	execute(w, "PRAGMA secure_delete = 0");
	execute(w, "PRAGMA journal_mode = OFF");
	execute(w, "PRAGMA synchronous = OFF");
	execute(w, "PRAGMA cache_size = -16000");
	execute(w, "PRAGMA application_id = " SCHEMA_STRING(SCHEMA_APPLICATION_ID));
	execute(w, "PRAGMA user_version = " SCHEMA_STRING(SCHEMA_VERSION));
	execute(w, "BEGIN");
	create(w, SCHEMA_BEFORE);
	for (int i = TABLE_TOTALS + 1; i < NR_TABLES; i++)
		write_table(w, (enum table_id)i);
	write_totals(w);
	find_greatest_values(w);
	create(w, SCHEMA_AFTER);
	execute(w, "COMMIT");
	if (w->rc == SQLITE_OK && w->progress)
		w->progress->tell(w->progress->context, 1.0);
}

/* Writes M by DB, which sqlite3_open_v2() gave us with RC. TARGET is what messages name. */
static int
store(sqlite3 *db, int rc, const struct model *m, const struct progress *progress,
      const char *target, struct error *err)
{
	struct writer w = { .m = m, .progress = progress, .packed = STRBUF_INIT,
			    .arena = ARENA_INIT, .sums = ARENA_INIT, .db = db, .rc = rc };
	int result = 0;

	schema_make(&w.schema, writer_others(&w));
	sum_up_measures(&w);

	w.work = 1;
	for (int i = 0; i < NR_TABLES; i++)
		w.work += table_rows((enum table_id)i, m);
	order_files(&w);
	order_lines(&w);
	sum_files(&w);
	sum_parts(&w);
	w.deviation = spread_of_procedures(m);
	find_hottest(&w);
	write_all(&w);
	if (w.rc != SQLITE_OK)
		result = error_set(err, "cannot write %s: %s", target,
				   w.db ? sqlite3_errmsg(w.db) : sqlite3_errstr(w.rc));
	free(w.file_id);
	free(w.file_order);
	free(w.line_order);
	free(w.line_id);
	free(w.files);
	for (size_t i = 0; i < m->nr_parts; i++)
		release_part(&w.parts[i]);
	free(w.parts);
	free(w.deviation);
	free(w.hottest);
	strbuf_release(&w.packed);
	schema_release(&w.schema);
	free(w.measures);
	arena_release(&w.sums);
	arena_release(&w.arena);
	return result;
}

/* ---- the file ---- */

/* Nobody else uses the file. Where a lock of flock() is one of fcntl(), as on NFS, SQLite's locks
 * would collide with ours. */
static int
open_alone(const char *path, sqlite3 **db)
{
	return sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
}

int
profile_store(const char *path, const struct model *m, const struct progress *progress,
	      const char *target, struct error *err)
{
	sqlite3 *db = NULL;
	int rc = open_alone(path, &db), result = store(db, rc, m, progress, target, err);

	if (sqlite3_close(db) != SQLITE_OK && !result)
		result = error_set(err, "cannot write %s: %s", target, sqlite3_errmsg(db));
	return result;
}

int
profile_store_table(const char *path, uint32_t version, const struct model *m, enum table_id table,
		    const char *target, struct error *err)
{
	struct writer w = { .m = m, .packed = STRBUF_INIT, .arena = ARENA_INIT,
			    .sums = ARENA_INIT, .work = 1 };
	struct measures before = { m->measures, m->nr_measures, version };
	struct strbuf sql = STRBUF_INIT;
	int result = 0;

	w.rc = open_alone(path, &w.db);
	w.file_id = xcalloc(m->nr_files + 1, sizeof(*w.file_id));
	for (size_t i = 0; i <= m->nr_files; i++)
		w.file_id[i] = (model_id)i;
	execute(&w, "PRAGMA journal_mode = OFF");
	execute(&w, "PRAGMA synchronous = OFF");
	execute(&w, "BEGIN");
	for (int t = 0; t < NR_TABLES; t++) {
		strbuf_clear(&sql);
		table_create_sql(&tables[t], writer_others(&w), &sql);
		if (table_is_there(&tables[t], writer_others(&w)) &&
		    !table_is_there(&tables[t], before))
			execute(&w, sql.buf);
	}
	execute(&w, "PRAGMA user_version = " SCHEMA_STRING(SCHEMA_VERSION));
	strbuf_clear(&sql);
	strbuf_str(&sql, "DELETE FROM ");
	strbuf_str(&sql, tables[table].name);
	execute(&w, sql.buf);
	write_table(&w, table);
	execute(&w, "COMMIT");
	if (w.rc != SQLITE_OK)
		result = error_set(err, "cannot write %s: %s", target,
				   w.db ? sqlite3_errmsg(w.db) : sqlite3_errstr(w.rc));
	strbuf_release(&sql);
	strbuf_release(&w.packed);
	free(w.file_id);
	arena_release(&w.sums);
	arena_release(&w.arena);
	if (sqlite3_close(w.db) != SQLITE_OK && !result)
		result = error_set(err, "cannot write %s: %s", target, sqlite3_errmsg(w.db));
	return result;
}

/* The file that open_given() opens in place of GIVEN_NAME, which is none. */
static int given;
static const char given_name[] = "/cgview-given";

static int
open_given(const char *path, int flags, int mode)
{
	if (!strcmp(path, given_name))
		return fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return open(path, flags, mode);
}

int
profile_store_open(int fd, const struct model *m, const struct progress *progress,
		   const char *target, struct error *err)
{
	static const char name[] = "open";
	sqlite3_vfs *files;
	int result;

	sqlite3_initialize();
	files = sqlite3_vfs_find("unix-none");
	given = fd;
	files->xSetSystemCall(files, name, (sqlite3_syscall_ptr)open_given);
	result = profile_store(given_name, m, progress, target, err);
	files->xSetSystemCall(files, name, NULL);
	return result;
}

int
profile_write(const char *path, const struct model *m, const struct progress *progress,
	      struct error *err)
{
	struct new_file f;
	int result = -1;

	if (!new_file_begin(&f, path, err) && !profile_store(f.name, m, progress, f.target, err))
		result = new_file_put(&f, false, NULL, err);
	new_file_end(&f);
	return result;
}

sqlite3 *
profile_store_unnamed(const struct model *m, const struct progress *progress, struct error *err)
{
	char *name = new_file_temporary(err);
	sqlite3 *db = NULL;
	int rc, failed;

	if (!name)
		return NULL;
	rc = open_alone(name, &db);
	unlink(name); /* from now on it ends with the process, however that ends */
	failed = store(db, rc, m, progress, name, err);
	free(name);
	if (!failed)
		return db;
	sqlite3_close(db);
	return NULL;
}
