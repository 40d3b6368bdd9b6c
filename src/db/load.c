#include "db/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/connection.h"
#include "db/profile.h"
#include "db/schema.h"

struct loader {
	struct model *m;
	struct profile *p;
	sqlite3_stmt *st;
	bool damaged;            /* an id that is not there, or not in its turn */
};

static const char *
text(struct loader *l, int i)
{
	size_t n;
	const char *s = column_text(l->st, i, &n);

	return arena_strndup(&l->m->arena, s, n);
}

/* A reference to one of NR rows; 0 for NULL. */
static model_id
id(struct loader *l, int i, size_t nr)
{
	uint32_t v = column_u32(l->p, l->st, i);

	if (v > nr)
		l->damaged = true;
	return v > nr ? 0 : v;
}

static uint64_t
count(struct loader *l, int i)
{
	return column_count(l->p, l->st, i);
}

static struct place
place(struct loader *l, int i)
{
	struct place place;

	column_place(l->p, l->st, i, &place);
	if (place.file > l->m->nr_files)
		l->damaged = true;
	return place;
}

static int
word(struct loader *l, int i, const char *const *words)
{
	return column_word(l->p, l->st, i, words);
}

static void
load_file(struct loader *l)
{
	struct model_file *f = MODEL_ADD(l->m, files);

	f->path = text(l, 1);
	f->state = (enum file_state)word(l, 2, schema_file_states);
	f->lines = column_u32(l->p, l->st, 3);
}

static void
load_procedure(struct loader *l)
{
	static const unsigned flags[] = {
		PROCEDURE_STATIC, PROCEDURE_COMDAT, PROCEDURE_MAIN, PROCEDURE_VARIADIC,
		PROCEDURE_ARTIFICIAL, PROCEDURE_TAKEN, PROCEDURE_PASSED,
	};
	struct model_procedure *p = MODEL_ADD(l->m, procedures);
	int i;

	p->name = text(l, 1);
	p->linkage_name = text(l, 2);
	p->module = text(l, 3);
	p->place = place(l, 4);
	for (i = 0; i < 7; i++)
		p->flags |= count(l, 9 + i) ? flags[i] : 0;
	p->code_bytes = column_u32(l->p, l->st, 16);
	p->calls = count(l, 17);
	p->self_samples = count(l, 18);
	p->self_ns = count(l, 19);
	p->total_samples = count(l, 20);
	p->total_sampled_ns = count(l, 21);
	p->centre_samples = count(l, 22);
	p->centre_ns = count(l, 23);
	p->self_wait_ns = count(l, 24);
	p->total_wait_ns = count(l, 25);
	p->runs_without = count(l, 26);
}

static void
load_block(struct loader *l)
{
	struct model_block *b = MODEL_ADD(l->m, blocks);

	b->procedure = id(l, 1, l->m->nr_procedures);
	b->number = column_u32(l->p, l->st, 2);
	b->place = place(l, 3);
	b->count = count(l, 8);
	b->self_samples = count(l, 9);
	b->self_ns = count(l, 10);
	b->self_wait_ns = count(l, 11);
	b->runs_without = count(l, 12);
	l->damaged |= !b->procedure;
}

static void
load_range(struct loader *l)
{
	struct model_range *r = MODEL_ADD(l->m, ranges);

	r->block = id(l, 1, l->m->nr_blocks);
	r->kind = (enum range_kind)word(l, 2, schema_range_kinds);
	r->place = place(l, 3);
	r->self_samples = count(l, 8);
	r->self_ns = count(l, 9);
	r->self_wait_ns = count(l, 10);
	l->damaged |= !r->block;
}

static void
load_site(struct loader *l)
{
	struct model_site *s = MODEL_ADD(l->m, sites);

	s->procedure = id(l, 1, l->m->nr_procedures);
	s->block = id(l, 2, l->m->nr_blocks);
	s->kind = (enum site_kind)word(l, 3, schema_site_kinds);
	s->place = place(l, 4);
	s->target = text(l, 9);
	s->count = count(l, 10);
	s->total_samples = count(l, 11);
	s->total_ns = count(l, 12);
	s->total_wait_ns = count(l, 13);
	s->runs_without = count(l, 14);
	l->damaged |= !s->procedure;
}

static void
load_arc(struct loader *l)
{
	struct model_arc *a = MODEL_ADD(l->m, arcs);

	a->site = id(l, 1, l->m->nr_sites);
	a->callee = id(l, 2, l->m->nr_procedures);
	a->how = (enum arc_how)word(l, 3, schema_arc_hows);
	a->count = count(l, 4);
	a->lo = count(l, 5);
	a->hi = count(l, 6);
	a->measured = count(l, 7);
	a->through = id(l, 8, l->m->nr_sites);
}

static void
load_pin(struct loader *l)
{
	struct model_pin *p = MODEL_ADD(l->m, pins);

	p->name = text(l, 1);
	p->site = id(l, 2, l->m->nr_sites);
	p->callee = id(l, 3, l->m->nr_procedures);
	p->count = count(l, 4);
}

static void
load_line(struct loader *l)
{
	struct model_line *line = MODEL_ADD(l->m, lines);

	line->file = id(l, 1, l->m->nr_files);
	line->line = column_u32(l->p, l->st, 2);
	line->count = count(l, 3);
	line->self_samples = count(l, 4);
	line->self_ns = count(l, 5);
	line->self_wait_ns = count(l, 6);
	line->runs_without = count(l, 7);
	l->damaged |= !line->file;
}

static void
load_context(struct loader *l)
{
	struct model_context *c = MODEL_ADD(l->m, contexts);

	c->parent = id(l, 1, l->m->nr_contexts - 1); /* parents stand before children */
	c->procedure = id(l, 2, l->m->nr_procedures);
	c->site = id(l, 3, l->m->nr_sites);
	c->self_samples = count(l, 4);
	c->total_samples = count(l, 5);
	c->self_wait_ns = count(l, 6);
	c->total_wait_ns = count(l, 7);
}

static void
load_run(struct loader *l)
{
	struct model_run *r = MODEL_ADD(l->m, runs);

	r->command = text(l, 1);
	r->directory = text(l, 2);
	r->program = text(l, 3);
	r->build_id = text(l, 4);
	r->host = text(l, 5);
	r->started_ns = (int64_t)count(l, 6);
	r->wall_ns = count(l, 7);
	r->user_ns = count(l, 8);
	r->system_ns = count(l, 9);
	r->cpu_ns = count(l, 10);
	r->exit_status = sqlite3_column_int(l->st, 11);
	r->exit_signal = sqlite3_column_int(l->st, 12);
	r->asked_interval_ns = count(l, 13);
	r->interval_ns = count(l, 14);
	r->samples = count(l, 15);
	r->lost_samples = count(l, 16);
	r->unprofiled_samples = count(l, 17);
	r->processes = column_u32(l->p, l->st, 18);
	r->centre_samples = count(l, 19);
	r->centre_unprofiled_samples = count(l, 20);
	r->wall_interval_ns = count(l, 21);
	r->wait_ns = count(l, 22);
	r->unprofiled_wait_ns = count(l, 23);
	r->delay_ns = count(l, 24);
	if (sqlite3_column_type(l->st, 25) != SQLITE_NULL)
		r->baseline_program = text(l, 25);
	r->baseline_wall_ns = count(l, 26);
	r->baseline_user_ns = count(l, 27);
	r->baseline_system_ns = count(l, 28);
	if (sqlite3_column_type(l->st, 29) != SQLITE_NULL)
		r->raws = text(l, 29);
}

static void
load_module(struct loader *l)
{
	struct model_module *m = MODEL_ADD(l->m, modules);

	m->path = text(l, 1);
	m->build_id = text(l, 2);
}

static void
load_part(struct loader *l)
{
	struct model_part *p = MODEL_ADD(l->m, parts);
	const void *data = sqlite3_column_blob(l->st, 5);
	void *kept;

	p->run = id(l, 1, l->m->nr_runs);
	p->samples = count(l, 2);
	p->blocks_executed = count(l, 3);
	p->size = count(l, 4);
	l->damaged |= !p->run;
	if (sqlite3_column_type(l->st, 5) == SQLITE_NULL)
		return;
	p->packed = (size_t)sqlite3_column_bytes(l->st, 5);
	kept = arena_alloc(&l->m->arena, p->packed + 1);
	if (p->packed)
		memcpy(kept, data, p->packed);
	p->data = kept;
}

/* Either all parts have their own counts, or the only one has none of its own. */
static void
check_parts(struct loader *l)
{
	size_t i;

	for (i = 0; i < l->m->nr_parts; i++)
		l->damaged |= (l->m->parts[i].data != NULL) != (l->m->nr_parts > 1);
}

static void
load_thread(struct loader *l)
{
	struct model_thread *t = MODEL_ADD(l->m, threads);

	t->run = id(l, 1, l->m->nr_runs);
	t->pid = column_u32(l->p, l->st, 2);
	t->tid = column_u32(l->p, l->st, 3);
	t->cpu_ns = count(l, 4);
	t->samples = count(l, 5);
	t->lost_samples = count(l, 6);
	t->wait_ns = count(l, 7);
	t->delay_ns = count(l, 8);
	t->part = id(l, 9, l->m->nr_parts);
	t->name = text(l, 10);
	t->more_threads = column_u32(l->p, l->st, 11);
}

static void
load_note(struct loader *l)
{
	struct model_note *n = MODEL_ADD(l->m, notes);

	n->kind = text(l, 1);
	n->text = text(l, 2);
}

/* NULL stays NULL. */
static const char *
text_or_null(struct loader *l, int i)
{
	return sqlite3_column_type(l->st, i) == SQLITE_NULL ? NULL : text(l, i);
}

static double
real(struct loader *l, int i, double fallback)
{
	return sqlite3_column_type(l->st, i) == SQLITE_NULL ? fallback :
	       sqlite3_column_double(l->st, i);
}

static struct scalar_value
scalar(struct loader *l, int i)
{
	struct scalar_value v = { .type = SCALAR_NULL };

	switch (sqlite3_column_type(l->st, i)) {
	case SQLITE_INTEGER:
		v.type = SCALAR_INTEGER;
		v.integer = sqlite3_column_int64(l->st, i);
		break;
	case SQLITE_FLOAT:
		v.type = SCALAR_REAL;
		v.real = sqlite3_column_double(l->st, i);
		break;
	}
	return v;
}

static void
load_compared(struct loader *l)
{
	struct model_compared *c = MODEL_ADD(l->m, compared);

	c->name = text(l, 1);
	c->path = text(l, 2);
	c->command = text_or_null(l, 3);
	c->build_id = text_or_null(l, 4);
	c->size = real(l, 5, 0);
	c->count_scale = real(l, 6, 1);
	c->time_scale = real(l, 7, 1);
	c->started_ns = sqlite3_column_int64(l->st, 8);
	c->blocks_executed = count(l, 9);
	c->self_ns = count(l, 10);
}

static void
load_metric(struct loader *l)
{
	struct model_metric *m = MODEL_ADD(l->m, metrics);

	m->name = text(l, 1);
	m->expression = text(l, 2);
	m->things = text(l, 3);
	m->figure = text(l, 4);
}

static void
load_comparison(struct loader *l)
{
	struct model_comparison *c = MODEL_ADD(l->m, comparisons);

	c->metric = id(l, 1, l->m->nr_metrics);
	c->procedure = id(l, 2, l->m->nr_procedures);
	c->callee = id(l, 3, l->m->nr_procedures);
	c->procedure_name = text_or_null(l, 4);
	c->callee_name = text_or_null(l, 5);
	c->path = text_or_null(l, 6);
	column_compared_place(l->p, l->st, 7, &c->place);
	c->kind = text(l, 12);
	c->a = scalar(l, 13);
	c->b = scalar(l, 14);
	c->value = scalar(l, 15);
	c->sides = text(l, 16);
	c->significance = real(l, 17, NAN);
	l->damaged |= !c->metric;
}

#define ARCS "SELECT id, site, callee, how, count, lo, hi, measured, through FROM arc ORDER BY id"
#define PINS "SELECT id, name, site, callee, count FROM pin ORDER BY id"
#define CONTEXTS \
	"SELECT id, parent, procedure, site, self_samples, total_samples, self_wait_ns, " \
	"total_wait_ns FROM context ORDER BY id"
#define RUNS \
	"SELECT id, command, directory, program, build_id, host, started_ns, wall_ns, user_ns, " \
	"system_ns, cpu_ns, exit_status, exit_signal, asked_interval_ns, interval_ns, samples, " \
	"lost_samples, unprofiled_samples, processes, centre_samples, " \
	"centre_unprofiled_samples, wall_interval_ns, wait_ns, unprofiled_wait_ns, delay_ns, " \
	"baseline_program, baseline_wall_ns, baseline_user_ns, baseline_system_ns, raws " \
	"FROM run ORDER BY id"
#define MODULES "SELECT id, path, build_id FROM module ORDER BY id"
#define PLACE "file, line, column, end_line, end_column, "
static const struct table {
	const char *sql;
	void (*load)(struct loader *l);
} tables[] = {
	{ "SELECT id, path, state, lines FROM file ORDER BY id", load_file },
	{ "SELECT id, name, linkage_name, module, " PLACE "is_static, is_comdat, is_main, "
	  "is_variadic, is_artificial, is_address_taken, is_only_passed, code_bytes, calls, "
	  "self_samples, self_ns, "
	  "total_samples, total_sampled_ns, centre_samples, centre_ns, self_wait_ns, "
	  "total_wait_ns, runs_without FROM procedure ORDER BY id", load_procedure },
	{ "SELECT id, procedure, number, " PLACE "count, self_samples, self_ns, "
	  "self_wait_ns, runs_without FROM block ORDER BY id",
	  load_block },
	{ "SELECT id, block, kind, " PLACE "self_samples, self_ns, self_wait_ns "
	  "FROM range ORDER BY id",
	  load_range },
	{ "SELECT id, procedure, block, kind, " PLACE "target, count, total_samples, total_ns, "
	  "total_wait_ns, runs_without FROM call_site ORDER BY id", load_site },
	{ ARCS, load_arc },
	{ PINS, load_pin },
	{ "SELECT id, file, line, count, self_samples, self_ns, self_wait_ns, "
	  "runs_without FROM line ORDER BY id", load_line },
	{ CONTEXTS, load_context },
	{ RUNS, load_run },
	{ MODULES, load_module },
	{ "SELECT id, run, samples, blocks_executed, size_bytes, data_zlib "
	  "FROM part ORDER BY id", load_part },
	{ "SELECT id, run, pid, tid, cpu_ns, samples, lost_samples, wait_ns, delay_ns, part, "
	  "name, more_threads FROM thread ORDER BY id",
	  load_thread },
	{ "SELECT id, kind, text FROM note ORDER BY id", load_note },
	{ "SELECT id, name, path, command, build_id, size, count_scale, time_scale, "
	  "started_ns, blocks_executed, self_ns FROM compared ORDER BY id", load_compared },
	{ "SELECT id, name, expression, things, figure FROM metric ORDER BY id", load_metric },
	{ "SELECT id, metric, procedure, callee, procedure_name, callee_name, path, " PLACE
	  "kind, a, b, value, sides, significance FROM comparison ORDER BY id", load_comparison },
};

static void
load_caller(struct loader *l)
{
	struct model_procedure *p = MODEL_ADD(l->m, procedures);

	p->name = text(l, 1);
	p->calls = count(l, 2);
	p->self_ns = count(l, 3);
	p->centre_ns = count(l, 4);
	p->total_ns = count(l, 5);
	p->cycle = column_u32(l->p, l->st, 6);
}

static void
load_call(struct loader *l)
{
	struct model_site *s = MODEL_ADD(l->m, sites);

	s->procedure = id(l, 1, l->m->nr_procedures);
	s->kind = (enum site_kind)word(l, 2, schema_site_kinds);
	s->target = text(l, 3);
	s->count = count(l, 4);
	s->place.line = column_u32(l->p, l->st, 5);
	s->place.column = column_u32(l->p, l->st, 6);
	l->damaged |= !s->procedure;
}

static const struct table calls_tables[] = {
	{ "SELECT id, name, calls, self_ns, centre_ns, total_ns, cycle FROM procedure ORDER BY id",
	  load_caller },
	{ "SELECT id, procedure, kind, target, count, line, column FROM call_site ORDER BY id",
	  load_call },
	{ ARCS, load_arc },
	{ PINS, load_pin },
	{ CONTEXTS, load_context },
};

static void
load_table(struct loader *l, const struct table *t)
{
	uint64_t nr = 0;

	l->st = profile_prepare(l->p, t->sql);
	while (l->st && !l->damaged && profile_step(l->p, l->st)) {
		l->damaged |= count(l, 0) != ++nr;
		t->load(l);
	}
	sqlite3_finalize(l->st);
}

static void
load_texts(struct loader *l)
{
	struct model_file *f;
	const struct profile_file *stored;
	char *heap, *kept;
	size_t i, size;

	for (i = 0; i < l->m->nr_files; i++) {
		f = &l->m->files[i];
		stored = profile_file(l->p, (model_id)i + 1);
		heap = stored ? profile_file_text(l->p, (model_id)i + 1, &size) : NULL;
		if (!heap)
			continue;
		kept = arena_alloc(&l->m->arena, size + 1);
		memcpy(kept, heap, size);
		free(heap);
		f->text = kept;
		f->size = size;
		f->hash = stored->hash;
	}
}

static int
load(struct model *m, const char *path, const struct table *t, size_t nr, bool texts,
     struct error *err)
{
	struct loader l = { .m = m, .p = profile_open(path, err) };
	size_t i;

	if (!l.p)
		return -1;
	for (i = 0; i < nr; i++)
		load_table(&l, &t[i]);
	check_parts(&l);
	if (texts)
		load_texts(&l);
	if (profile_error(l.p))
		error_set(err, "%s", profile_error(l.p));
	else if (l.damaged)
		error_set(err, "%s is damaged: its tables contradict each other", path);
	profile_close(l.p);
	return err->set ? -1 : 0;
}

int
model_load(struct model *m, const char *path, struct error *err)
{
	return load(m, path, tables, sizeof(tables) / sizeof(*tables), true, err);
}

int
model_load_runs(struct model *m, const char *path, struct error *err)
{
	static const struct table runs_tables[] = {
		{ RUNS, load_run },
		{ MODULES, load_module },
	};

	return load(m, path, runs_tables, sizeof(runs_tables) / sizeof(*runs_tables), false, err);
}

int
model_load_calls(struct model *m, const char *path, struct error *err)
{
	return load(m, path, calls_tables, sizeof(calls_tables) / sizeof(*calls_tables), false,
		    err);
}
