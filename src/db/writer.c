#include "db/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "db/parts.h"
#include "db/range_index.h"
#include "db/schema.h"

#define STRING(x) STRING_(x)
#define STRING_(x) #x

struct writer {
	const struct model *m;
	sqlite3 *db;
	sqlite3_stmt *st;        /* the insert that runs now */
	int column;              /* last one bound */
	int rc;                  /* sticky: after a failure nothing more is done */
	void (*progress)(double);
	size_t done, work;       /* rows */

	model_id *file_id;       /* [model's id] -> id stored; in the order of the paths */
	model_id *file_order;    /* [id stored - 1] -> position in the model */
	size_t *line_order;      /* lines by file and line */
	model_id *line_id;       /* [model's id] -> id stored; NULL: the same */
	struct file_sums *file_sums; /* per file of the model */
	struct part_sums *part_sums; /* per part */
	struct strbuf packed;
	struct arena arena;      /* of the row at hand */
};

struct file_sums { uint64_t lines, executed, procedures, count, samples, ns, wait_ns; };

struct part_sums {               /* what its threads say about a part */
	const struct model_thread *first;
	uint64_t threads, records, cpu_ns, lost_samples, wait_ns, delay_ns;
	struct strbuf tids;
};

/* ---- binding: columns in their order ---- */

static void
put_int(struct writer *w, int64_t v)
{
	sqlite3_bind_int64(w->st, ++w->column, v);
}

/* SQLite's integers are signed. */
static void
put_count(struct writer *w, uint64_t v)
{
	put_int(w, v > INT64_MAX ? INT64_MAX : (int64_t)v);
}

static void
put_id(struct writer *w, model_id id)
{
	w->column++;
	if (id)
		sqlite3_bind_int64(w->st, w->column, id);
	else
		sqlite3_bind_null(w->st, w->column);
}

static void
put_null(struct writer *w)
{
	sqlite3_bind_null(w->st, ++w->column);
}

static void
put_text(struct writer *w, const char *s)
{
	sqlite3_bind_text(w->st, ++w->column, s, -1, SQLITE_STATIC);
}

static model_id
file_id(const struct writer *w, model_id file)
{
	return file <= w->m->nr_files ? w->file_id[file] : 0;
}

static void
put_place(struct writer *w, const struct place *p)
{
	if (!file_id(w, p->file)) {
		w->column += 5; /* bindings were cleared: NULL */
		return;
	}
	put_int(w, file_id(w, p->file));
	put_int(w, p->line);
	put_int(w, p->column);
	put_int(w, p->end_line);
	put_int(w, p->end_column);
}

/* ---- one function a table: bind row I ---- */

/* Store the text as SQLite archives do, so that the shell's sqlar_uncompress() reads it. */
static void
put_packed(struct writer *w, const char *text, uint64_t size)
{
	uLongf n = compressBound(size);
	int rc;

	strbuf_clear(&w->packed);
	strbuf_room(&w->packed, n);
	w->column++;
	rc = compress2((Bytef *)w->packed.buf, &n, (const Bytef *)text, size, 1);
	if (rc != Z_OK || n >= size)
		sqlite3_bind_blob64(w->st, w->column, text, size, SQLITE_STATIC);
	else
		sqlite3_bind_blob64(w->st, w->column, w->packed.buf, n, SQLITE_STATIC);
}

static void
bind_file(struct writer *w, size_t i)
{
	const struct model_file *f = &w->m->files[w->file_order[i]];
	const struct file_sums *s = &w->file_sums[w->file_order[i]];
	char hash[17];

	put_text(w, f->path);
	put_text(w, schema_file_states[f->state]);
	put_int(w, f->lines);
	put_count(w, s->lines);
	put_count(w, s->executed);
	put_count(w, s->procedures);
	put_count(w, s->count);
	put_count(w, s->samples);
	put_count(w, s->ns);
	if (!f->text || f->size > SCHEMA_TEXT_MAX) {
		w->column++;
		put_int(w, 0);
		w->column++;
	} else {
		snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)f->hash);
		sqlite3_bind_text(w->st, ++w->column, hash, -1, SQLITE_TRANSIENT);
		put_count(w, f->size);
		put_packed(w, f->text, f->size);
	}
	put_count(w, s->wait_ns);
}

static void
bind_procedure(struct writer *w, size_t i)
{
	const struct model_procedure *p = &w->m->procedures[i];

	put_text(w, p->name);
	put_text(w, p->linkage_name);
	put_text(w, p->module);
	put_place(w, &p->place);
	for (uint32_t flag = PROCEDURE_STATIC; flag <= PROCEDURE_PASSED; flag <<= 1)
		put_int(w, (p->flags & flag) != 0);
	put_id(w, p->code_bytes);
	put_count(w, p->calls);
	put_count(w, p->self_samples);
	put_count(w, p->self_ns);
	put_count(w, p->total_ns);
	put_count(w, p->total_lo_ns);
	put_count(w, p->total_hi_ns);
	if (p->has_root_total)
		put_count(w, p->root_total_ns);
	else
		put_null(w);
	put_count(w, p->total_samples);
	put_count(w, p->total_sampled_ns);
	put_int(w, p->cycle);
	put_count(w, p->self_calls);
	put_count(w, p->calls_without_site);
	put_count(w, p->centre_samples);
	put_count(w, p->centre_ns);
	put_count(w, p->centre_total_ns);
	put_count(w, p->self_wait_ns);
	put_count(w, p->total_wait_ns);
}

static void
bind_block(struct writer *w, size_t i)
{
	const struct model_block *b = &w->m->blocks[i];

	put_id(w, b->procedure);
	put_int(w, b->number);
	put_place(w, &b->place);
	put_count(w, b->count);
	put_count(w, b->self_samples);
	put_count(w, b->self_ns);
	put_count(w, b->self_wait_ns);
}

static void
bind_range(struct writer *w, size_t i)
{
	const struct model_range *r = &w->m->ranges[i];

	put_id(w, r->block);
	put_text(w, schema_range_kinds[r->kind]);
	put_place(w, &r->place);
	put_count(w, r->self_samples);
	put_count(w, r->self_ns);
	put_count(w, r->self_wait_ns);
}

static void
bind_site(struct writer *w, size_t i)
{
	const struct model_site *s = &w->m->sites[i];

	put_id(w, s->procedure);
	put_id(w, s->block);
	put_text(w, schema_site_kinds[s->kind]);
	put_place(w, &s->place);
	put_text(w, s->target);
	put_count(w, s->count);
	put_count(w, s->total_samples);
	put_count(w, s->total_ns);
	put_count(w, s->calls_without_entry);
	put_count(w, s->total_wait_ns);
	put_count(w, s->propagated_ns);
}

static void
bind_arc(struct writer *w, size_t i)
{
	const struct model_arc *a = &w->m->arcs[i];
	model_id site = a->site ? a->site : a->through;
	bool known = site && site <= w->m->nr_sites;

	put_id(w, a->site);
	put_id(w, known ? w->m->sites[site - 1].procedure : 0);
	put_id(w, a->callee);
	put_text(w, schema_arc_hows[a->how]);
	put_count(w, a->count);
	put_count(w, a->lo);
	put_count(w, a->hi);
	put_count(w, a->time_ns);
	put_count(w, a->samples);
	put_int(w, a->differs);
	put_count(w, a->measured);
	put_id(w, a->through);
}

static void
bind_pin(struct writer *w, size_t i)
{
	const struct model_pin *p = &w->m->pins[i];

	put_text(w, p->name);
	put_id(w, p->site);
	put_id(w, p->callee);
	put_count(w, p->count);
}

static void
bind_cycle(struct writer *w, size_t i)
{
	const struct model_cycle *c = &w->m->cycles[i];

	put_text(w, c->members);
	put_int(w, c->procedures);
	put_count(w, c->self_ns);
	put_count(w, c->total_ns);
	put_count(w, c->inner_calls);
	put_count(w, c->self_calls);
	put_count(w, c->outer_calls);
}

static void
bind_line(struct writer *w, size_t i)
{
	const struct model_line *l = &w->m->lines[w->line_order[i]];

	put_id(w, file_id(w, l->file));
	put_int(w, l->line);
	put_count(w, l->count);
	put_count(w, l->self_samples);
	put_count(w, l->self_ns);
	put_count(w, l->self_wait_ns);
}

static void
bind_context(struct writer *w, size_t i)
{
	const struct model_context *c = &w->m->contexts[i];

	put_id(w, c->parent);
	put_id(w, c->procedure);
	put_id(w, c->site);
	put_count(w, c->self_samples);
	put_count(w, c->total_samples);
	put_count(w, c->self_wait_ns);
	put_count(w, c->total_wait_ns);
}

/* The data of a part with the ids that lines have in the file. What is damaged stays so. */
static void
renumber_part(struct writer *w, struct model_part *p)
{
	struct model_part packed = *p;
	struct part_entries e = { .items = NULL };
	struct error ignored = ERROR_INIT;

	if (!part_unpack(p, w->m, &e, &ignored)) {
		for (size_t i = 0; i < e.nr; i++) {
			if (part_of_line(e.items[i].column))
				e.items[i].id = w->line_id[e.items[i].id];
		}
		part_pack(&packed, &e, &w->arena);
		p->data = packed.data;
		p->packed = packed.packed;
		p->size = packed.size;
	}
	part_entries_release(&e);
}

static void
bind_part(struct writer *w, size_t i)
{
	struct model_part part = w->m->parts[i];
	const struct model_part *p = &part;
	const struct part_sums *s = &w->part_sums[i];

	arena_release(&w->arena); /* what was bound before */
	if (p->data && w->line_id)
		renumber_part(w, &part);

	put_id(w, p->run);
	put_int(w, s->first ? s->first->pid : 0);
	put_int(w, s->first ? s->first->tid : 0);
	put_text(w, s->first ? s->first->name : "");
	put_count(w, s->threads);
	put_text(w, s->tids.buf);
	put_count(w, s->cpu_ns);
	put_count(w, p->samples);
	put_count(w, s->lost_samples);
	put_count(w, s->wait_ns);
	put_count(w, s->delay_ns);
	put_count(w, p->blocks_executed);
	put_count(w, p->size);
	w->column++;
	if (p->data)
		sqlite3_bind_blob64(w->st, w->column, p->data, p->packed, SQLITE_STATIC);
}

static void
bind_thread(struct writer *w, size_t i)
{
	const struct model_thread *t = &w->m->threads[i];

	put_id(w, t->run);
	put_id(w, t->part);
	put_int(w, t->pid);
	put_int(w, t->tid);
	put_count(w, t->cpu_ns);
	put_count(w, t->samples);
	put_count(w, t->lost_samples);
	put_count(w, t->wait_ns);
	put_count(w, t->delay_ns);
	put_text(w, t->name ? t->name : "");
	put_int(w, t->more_threads);
}

static void
bind_run(struct writer *w, size_t i)
{
	const struct model_run *r = &w->m->runs[i];

	put_text(w, r->command);
	put_text(w, r->directory);
	put_text(w, r->program);
	put_text(w, r->build_id);
	put_text(w, r->host);
	put_int(w, r->started_ns);
	put_count(w, r->wall_ns);
	put_count(w, r->user_ns);
	put_count(w, r->system_ns);
	put_count(w, r->cpu_ns);
	put_int(w, r->exit_status);
	put_int(w, r->exit_signal);
	put_count(w, r->asked_interval_ns);
	put_count(w, r->interval_ns);
	put_count(w, r->samples);
	put_count(w, r->lost_samples);
	put_count(w, r->unprofiled_samples);
	put_int(w, r->processes);
	put_count(w, r->centre_samples);
	put_count(w, r->centre_unprofiled_samples);
	put_count(w, r->wall_interval_ns);
	put_count(w, r->wait_ns);
	put_count(w, r->unprofiled_wait_ns);
	put_count(w, r->delay_ns);
	put_text(w, r->baseline_program);
	put_count(w, r->baseline_wall_ns);
	put_count(w, r->baseline_user_ns);
	put_count(w, r->baseline_system_ns);
}

static void
bind_note(struct writer *w, size_t i)
{
	put_text(w, w->m->notes[i].kind);
	put_text(w, w->m->notes[i].text);
}

static void
put_real(struct writer *w, double v)
{
	sqlite3_bind_double(w->st, ++w->column, v); /* NaN: NULL */
}

static void
put_scalar(struct writer *w, const struct scalar_value *v)
{
	if (v->type == SCALAR_INTEGER)
		put_int(w, v->integer);
	else if (v->type == SCALAR_REAL)
		put_real(w, v->real);
	else
		put_null(w);
}

static void
bind_compared(struct writer *w, size_t i)
{
	const struct model_compared *c = &w->m->compared[i];

	put_text(w, c->name);
	put_text(w, c->path);
	put_text(w, c->command);
	put_text(w, c->build_id);
	put_real(w, c->size > 0 ? c->size : NAN);
	put_real(w, c->count_scale);
	put_real(w, c->time_scale);
}

static void
bind_metric(struct writer *w, size_t i)
{
	const struct model_metric *m = &w->m->metrics[i];

	put_text(w, m->name);
	put_text(w, m->expression);
	put_text(w, m->things);
	put_text(w, m->figure);
}

/* A place in a file of another profile has its path beside it. */
static void
bind_comparison(struct writer *w, size_t i)
{
	const struct model_comparison *c = &w->m->comparisons[i];

	put_id(w, c->metric);
	put_id(w, c->procedure);
	put_id(w, c->callee);
	put_text(w, c->procedure_name);
	put_text(w, c->callee_name);
	put_text(w, c->path);
	put_id(w, file_id(w, c->place.file));
	put_id(w, c->place.line);
	put_id(w, c->place.column);
	put_id(w, c->place.end_line);
	put_id(w, c->place.end_column);
	put_text(w, c->kind);
	put_scalar(w, &c->a);
	put_scalar(w, &c->b);
	put_scalar(w, &c->value);
	put_text(w, c->sides);
	put_real(w, c->significance);
}

#define TABLE(name, member, bind) { #name, offsetof(struct model, nr_##member), bind }
static const struct table {
	const char *name;
	size_t nr;      /* offset of its number of rows in struct model */
	void (*bind)(struct writer *w, size_t i);
} tables[] = {
	TABLE(run, runs, bind_run),
	TABLE(part, parts, bind_part),
	TABLE(thread, threads, bind_thread),
	TABLE(note, notes, bind_note),
	TABLE(file, files, bind_file),
	TABLE(procedure, procedures, bind_procedure),
	TABLE(block, blocks, bind_block),
	TABLE(range, ranges, bind_range),
	TABLE(call_site, sites, bind_site),
	TABLE(arc, arcs, bind_arc),
	TABLE(pin, pins, bind_pin),
	TABLE(cycle, cycles, bind_cycle),
	TABLE(line, lines, bind_line),
	TABLE(context, contexts, bind_context),
	TABLE(compared, compared, bind_compared),
	TABLE(metric, metrics, bind_metric),
	TABLE(comparison, comparisons, bind_comparison),
};
enum { NR_TABLES = sizeof(tables) / sizeof(tables[0]) };

static size_t
table_rows(const struct table *t, const struct model *m)
{
	return *(const size_t *)((const char *)m + t->nr);
}

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
		w->progress((double)w->done / (double)w->work);
}

/* The insert for all columns of TABLE, which has as many as the schema says. Returns them. */
static int
prepare_insert(struct writer *w, const char *table)
{
	struct strbuf sql = STRBUF_INIT;
	int columns;

	strbuf_str(&sql, "SELECT * FROM ");
	strbuf_str(&sql, table);
	prepare(w, sql.buf);
	columns = sqlite3_column_count(w->st);
	finish_statement(w);
	strbuf_clear(&sql);
	strbuf_str(&sql, "INSERT INTO ");
	strbuf_str(&sql, table);
	strbuf_str(&sql, " VALUES (?");
	for (int i = 1; i < columns; i++)
		strbuf_str(&sql, ",?");
	strbuf_char(&sql, ')');
	prepare(w, sql.buf);
	strbuf_release(&sql);
	return columns;
}

static void
write_table(struct writer *w, const struct table *t)
{
	size_t nr = table_rows(t, w->m);
	int columns = prepare_insert(w, t->name);

	for (size_t i = 0; i < nr && w->rc == SQLITE_OK; i++) {
		put_int(w, (int64_t)i + 1);
		t->bind(w, i);
		if (w->column != columns)
			BUG("table %s: %d columns of %d", t->name, w->column, columns);
		step(w);
		advance(w, 1);
	}
	finish_statement(w);
}

/* ---- what is computed once, so that no viewer has to ---- */

#define RAISE(max, value) do { if ((value) > (max)) (max) = (value); } while (0)

static void
write_totals(struct writer *w)
{
	const struct model *m = w->m;
	uint64_t blocks = 0, calls = 0, ns = 0, samples = 0;
	uint64_t block_count = 0, block_ns = 0, line_count = 0, line_ns = 0, total_ns = 0;
	uint64_t wait_ns = 0, block_wait_ns = 0, line_wait_ns = 0, threads = m->nr_threads;

	for (size_t i = 0; i < m->nr_threads; i++)
		threads += m->threads[i].more_threads;
	for (size_t i = 0; i < m->nr_procedures; i++) {
		ns += m->procedures[i].self_ns;
		samples += m->procedures[i].self_samples;
		wait_ns += m->procedures[i].self_wait_ns;
		RAISE(total_ns, m->procedures[i].total_ns);
	}
	for (size_t i = 0; i < m->nr_blocks; i++) {
		blocks += m->blocks[i].count;
		RAISE(block_count, m->blocks[i].count);
		RAISE(block_ns, m->blocks[i].self_ns);
		RAISE(block_wait_ns, m->blocks[i].self_wait_ns);
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		calls += m->sites[i].count;
	for (size_t i = 0; i < m->nr_lines; i++) {
		RAISE(line_count, m->lines[i].count);
		RAISE(line_ns, m->lines[i].self_ns);
		RAISE(line_wait_ns, m->lines[i].self_wait_ns);
	}
	prepare(w, "INSERT INTO totals VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
	if (w->rc != SQLITE_OK)
		return;
	const uint64_t values[] = {
		m->nr_runs, threads, m->nr_files, m->nr_procedures, m->nr_blocks,
		m->nr_ranges, m->nr_sites, m->nr_arcs, m->nr_lines, m->nr_notes, blocks, calls, ns,
		samples, block_count, block_ns, line_count, line_ns, total_ns, wait_ns,
		block_wait_ns, line_wait_ns, m->nr_cycles,
	};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		put_count(w, values[i]);
	step(w);
	finish_statement(w);
}

static void
sum_files(struct writer *w)
{
	const struct model *m = w->m;
	struct file_sums *sums = w->file_sums = xcalloc(m->nr_files, sizeof(*sums));

	for (size_t i = 0; i < m->nr_lines; i++) {
		const struct model_line *l = &m->lines[i];

		if (!file_id(w, l->file))
			continue;
		sums[l->file - 1].lines++;
		sums[l->file - 1].executed += l->count != 0;
		sums[l->file - 1].samples += l->self_samples;
		sums[l->file - 1].ns += l->self_ns;
		sums[l->file - 1].wait_ns += l->self_wait_ns;
	}
	for (size_t i = 0; i < m->nr_blocks; i++) {
		if (file_id(w, m->blocks[i].place.file))
			sums[m->blocks[i].place.file - 1].count += m->blocks[i].count;
	}
	for (size_t i = 0; i < m->nr_procedures; i++) {
		if (file_id(w, m->procedures[i].place.file))
			sums[m->procedures[i].place.file - 1].procedures++;
	}
}

static void
sum_parts(struct writer *w)
{
	enum { TIDS = 6 };
	const struct model *m = w->m;
	struct part_sums *sums = w->part_sums = xcalloc(m->nr_parts, sizeof(*sums));

	for (size_t i = 0; i < m->nr_parts; i++)
		strbuf_init(&sums[i].tids);
	for (size_t i = 0; i < m->nr_threads; i++) {
		const struct model_thread *t = &m->threads[i];
		struct part_sums *s = t->part && t->part <= m->nr_parts ? &sums[t->part - 1]
									: NULL;

		if (!s)
			continue;
		if (!s->first)
			s->first = t;
		if (s->records++ < TIDS)
			strbuf_fmt(&s->tids, "%s%u", s->records > 1 ? ", " : "", t->tid);
		s->threads += 1 + (uint64_t)t->more_threads;
		s->cpu_ns += t->cpu_ns;
		s->lost_samples += t->lost_samples;
		s->wait_ns += t->wait_ns;
		s->delay_ns += t->delay_ns;
	}
	for (size_t i = 0; i < m->nr_parts; i++)
		if (sums[i].threads > (sums[i].records < TIDS ? sums[i].records : TIDS))
			strbuf_str(&sums[i].tids, ", ...");
}

static int
compare_paths(const void *pa, const void *pb, void *context)
{
	const struct model *m = context;
	model_id a = *(const model_id *)pa, b = *(const model_id *)pb;
	int c = strcmp(m->files[a].path, m->files[b].path);

	return c ? c : (a > b) - (a < b);
}

static void
order_files(struct writer *w)
{
	size_t nr = w->m->nr_files;

	w->file_order = xcalloc(nr, sizeof(*w->file_order));
	w->file_id = xcalloc(nr + 1, sizeof(*w->file_id));
	for (size_t i = 0; i < nr; i++)
		w->file_order[i] = (model_id)i;
	qsort_r(w->file_order, nr, sizeof(*w->file_order), compare_paths, (void *)w->m);
	for (size_t i = 0; i < nr; i++)
		w->file_id[w->file_order[i] + 1] = (model_id)i + 1;
}

static int
compare_lines(const void *pa, const void *pb, void *context)
{
	const struct writer *w = context;
	size_t ia = *(const size_t *)pa, ib = *(const size_t *)pb;
	const struct model_line *a = &w->m->lines[ia], *b = &w->m->lines[ib];
	model_id fa = file_id(w, a->file), fb = file_id(w, b->file);

	if (fa != fb)
		return fa < fb ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (ia > ib) - (ia < ib);
}

static void
order_lines(struct writer *w)
{
	size_t nr = w->m->nr_lines;
	bool moved = false;

	w->line_order = xcalloc(nr, sizeof(*w->line_order));
	for (size_t i = 0; i < nr; i++)
		w->line_order[i] = i;
	qsort_r(w->line_order, nr, sizeof(*w->line_order), compare_lines, w);
	for (size_t i = 0; i < nr; i++)
		moved |= w->line_order[i] != i;
	if (!moved)
		return;
	w->line_id = xcalloc(nr + 1, sizeof(*w->line_id));
	for (size_t i = 0; i < nr; i++)
		w->line_id[w->line_order[i] + 1] = (model_id)i + 1;
}

static int32_t
clamp(uint32_t v)
{
	return v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

static void
write_range_index(struct writer *w)
{
	const struct model *m = w->m;
	struct range_box *boxes;
	size_t nr = 0;

	if (w->rc != SQLITE_OK)
		return;
	boxes = xcalloc(m->nr_ranges, sizeof(*boxes));
	for (size_t i = 0; i < m->nr_ranges; i++) {
		const struct place *p = &m->ranges[i].place;
		int32_t file = clamp(file_id(w, p->file)), first = clamp(p->line);
		int32_t last = clamp(p->end_line);

		if (file)
			boxes[nr++] = (struct range_box){ (int64_t)i + 1, file, file, first,
							  last < first ? first : last };
	}
	w->rc = range_index_build(w->db, boxes, nr, m->nr_ranges);
	free(boxes);
	advance(w, m->nr_ranges);
}

static void
create(struct writer *w, enum schema_stage stage)
{
	for (size_t i = 0; i < schema_nr_entries; i++) {
		if (schema_entries[i].stage == stage)
			execute(w, schema_entries[i].sql);
	}
}

static void
write_all(struct writer *w)
{
	/* The temporary file is ours alone: a journal would only double the work. Rollback mode is
	 * what the finished file is in. */
	execute(w, "PRAGMA page_size = 8192");
	execute(w, "PRAGMA auto_vacuum = 0");
	execute(w, "PRAGMA secure_delete = 0");
	execute(w, "PRAGMA journal_mode = OFF");
	execute(w, "PRAGMA synchronous = OFF");
	execute(w, "PRAGMA cache_size = -32000");
	execute(w, "PRAGMA application_id = " STRING(SCHEMA_APPLICATION_ID));
	execute(w, "PRAGMA user_version = " STRING(SCHEMA_VERSION));
	execute(w, "BEGIN");
	create(w, SCHEMA_BEFORE);
	for (size_t i = 0; i < NR_TABLES; i++)
		write_table(w, &tables[i]);
	write_totals(w);
	write_range_index(w);
	create(w, SCHEMA_AFTER);
	execute(w, "COMMIT");
	if (w->rc == SQLITE_OK && w->progress)
		w->progress(1.0);
}

static int
store(const char *path, const struct model *m, void (*progress)(double), const char *target,
      struct error *err)
{
	struct writer w = { .m = m, .progress = progress, .packed = STRBUF_INIT,
			    .arena = ARENA_INIT };
	int result = 0;

	w.work = m->nr_ranges + 1;
	for (size_t i = 0; i < NR_TABLES; i++)
		w.work += table_rows(&tables[i], m);
	order_files(&w);
	order_lines(&w);
	sum_files(&w);
	sum_parts(&w);
	w.rc = sqlite3_open_v2(path, &w.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	write_all(&w);
	if (w.rc != SQLITE_OK)
		result = error_set(err, "cannot write %s: %s", target,
				   w.db ? sqlite3_errmsg(w.db) : sqlite3_errstr(w.rc));
	if (sqlite3_close(w.db) != SQLITE_OK && !result)
		result = error_set(err, "cannot write %s: %s", target, sqlite3_errmsg(w.db));
	free(w.file_id);
	free(w.file_order);
	free(w.line_order);
	free(w.line_id);
	free(w.file_sums);
	for (size_t i = 0; i < m->nr_parts; i++)
		strbuf_release(&w.part_sums[i].tids);
	free(w.part_sums);
	strbuf_release(&w.packed);
	arena_release(&w.arena);
	return result;
}

/* ---- the file: temporary name, fsync, rename ---- */

/* A new empty file beside TARGET, with the permissions that umask gives. */
static char *
create_beside(const char *target, struct error *err)
{
	for (unsigned i = 0; i < 1000; i++) {
		char *name = xasprintf("%s.%ld-%u.tmp", target, (long)getpid(), i);
		int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

		if (fd >= 0) {
			close(fd);
			return name;
		}
		if (errno != EEXIST) {
			error_set_errno(err, errno, "cannot create %s", name);
			free(name);
			return NULL;
		}
		free(name);
	}
	error_set(err, "cannot create a temporary file beside %s: remove %s.*.tmp", target, target);
	return NULL;
}

static int
sync_path(const char *path, int flags, struct error *err)
{
	int fd = open(path, flags | O_CLOEXEC);
	int result = 0;

	if (fd < 0)
		return error_set_errno(err, errno, "cannot open %s", path);
	/* EINVAL: a file system without fsync for this kind of file. */
	if (fsync(fd) && errno != EINVAL)
		result = error_set_errno(err, errno, "cannot write %s to disk", path);
	close(fd);
	return result;
}

static int
sync_directory(const char *target, struct error *err)
{
	char *copy = xstrdup(target);
	int result = sync_path(dirname(copy), O_RDONLY | O_DIRECTORY, err);

	free(copy);
	return result;
}

/* The file that PATH stands for: a symbolic link is followed, so that the link stays. Relative
 * names begin with "./": SQLite would take "file:..." for a URI. Heap, the caller's; NULL: ERR. */
static char *
resolve_target(const char *path, struct error *err)
{
	struct stat st;
	char *real;

	if (!*path) {
		error_set(err, "the name of the profile is empty");
		return NULL;
	}
	if (!stat(path, &st)) {
		if (!S_ISREG(st.st_mode)) {
			error_set(err, "%s exists and is not a regular file", path);
			return NULL;
		}
		real = realpath(path, NULL);
		if (real)
			return real;
	}
	return *path == '/' ? xstrdup(path) : xasprintf("./%s", path);
}

int
profile_write(const char *path, const struct model *m, void (*progress)(double), struct error *err)
{
	char *target = resolve_target(path, err), *name = NULL;
	int result = -1;

	if (!target)
		return -1;
	name = create_beside(target, err);
	if (!name)
		goto out;
	if (store(name, m, progress, target, err) || sync_path(name, O_RDWR, err))
		goto out;
	if (rename(name, target)) {
		error_set_errno(err, errno, "cannot rename %s to %s", name, target);
		goto out;
	}
	free(name);
	name = NULL;
	result = sync_directory(target, err);
out:
	if (name)
		unlink(name);
	free(name);
	free(target);
	return result;
}

int
profile_write_temporary(char **path, const struct model *m, void (*progress)(double),
			struct error *err)
{
	const char *directory = getenv("TMPDIR");
	char *name = xasprintf("%s/cgview.XXXXXX", directory && *directory == '/' ? directory
									       : "/tmp");
	int fd = mkostemp(name, O_CLOEXEC);

	*path = NULL;
	if (fd < 0) {
		error_set_errno(err, errno, "cannot create %s (TMPDIR says where)", name);
		free(name);
		return -1;
	}
	close(fd);
	if (store(name, m, progress, name, err)) {
		unlink(name);
		free(name);
		return -1;
	}
	*path = name;
	return 0;
}
