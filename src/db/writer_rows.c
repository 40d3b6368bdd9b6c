#include "db/writer_rows.h"

#include <math.h>
#include <stdio.h>
#include <zlib.h>

#include "db/parts.h"
#include "db/schema.h"

/* ---- binding: columns in their order ---- */

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

static void
put_place(struct writer *w, const struct place *p)
{
	if (!writer_file_id(w, p->file)) {
		w->column += 5; /* bindings were cleared: NULL */
		return;
	}
	put_int(w, writer_file_id(w, p->file));
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
	if (w->spread[i] < 0)
		put_null(w);
	else
		put_int(w, w->spread[i]);
	put_count(w, p->runs_without);
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
	put_id(w, w->hottest[i]);
	put_count(w, b->runs_without);
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
	put_count(w, s->runs_without);
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

	put_id(w, writer_file_id(w, l->file));
	put_int(w, l->line);
	put_count(w, l->count);
	put_count(w, l->self_samples);
	put_count(w, l->self_ns);
	put_count(w, l->self_wait_ns);
	put_count(w, l->runs_without);
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
		p->spilled = false;
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
	const void *data;

	arena_release(&w->arena); /* what was bound before */
	if (part_has_data(p) && w->line_id)
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
	data = part_data(w->m, p, &w->packed);
	if (data)
		sqlite3_bind_blob64(w->st, w->column, data, p->packed, SQLITE_STATIC);
	else if (part_has_data(p))
		w->rc = SQLITE_IOERR_READ;
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
	put_text(w, r->raws);
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
	put_int(w, c->started_ns);
	put_count(w, c->blocks_executed);
	put_count(w, c->self_ns);
}

static void
bind_module(struct writer *w, size_t i)
{
	put_text(w, w->m->modules[i].path);
	put_text(w, w->m->modules[i].build_id);
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
	put_id(w, writer_file_id(w, c->place.file));
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
const struct writer_table writer_tables[] = {
	TABLE(run, runs, bind_run),
	TABLE(module, modules, bind_module),
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
const size_t writer_nr_tables = sizeof(writer_tables) / sizeof(writer_tables[0]);
