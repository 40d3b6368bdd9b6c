/* Takes a model apart: keeps only some of its threads and runs. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/parts.h"
#include "db/model/table.h"

/* ---- only some parts ---- */

/* Clears the member AT of the rows of TABLE, of SIZE bytes. */
static void
clear(struct model *m, enum table_id table, size_t at, size_t size)
{
	struct row_array rows = row_array(m, table);

	for (size_t i = 0; at && i < *rows.nr; i++)
		memset(*rows.items + i * rows.size + at, 0, size);
}

static void
clear_column(struct model *m, enum part_column c)
{
	clear(m, part_members[c].table, part_members[c].at, sizeof(uint64_t));
	clear(m, TABLE_BLOCK, part_members[c].of_block, sizeof(uint64_t));
}

static void
clear_counts(struct model *m)
{
	size_t i;

	for (enum part_column c = PART_CALLS; c < PART_NR; c++)
		clear_column(m, c);
	clear(m, TABLE_CONTEXT, offsetof(struct model_context, total), sizeof(struct sampled));
	for (int t = 0; t < NR_TABLES; t++)
		clear(m, (enum table_id)t, t == TABLE_ARC ? 0 : tables[t].figures,
		      sizeof(struct figures *));
	for (i = 0; i < m->nr_disposals; i++) {
		const struct model_disposal d = m->disposals[i];

		m->disposals[i] = (struct model_disposal){
			.site = d.site, .procedure = d.procedure, .by_site = d.by_site,
			.by = d.by, .how = d.how,
		};
	}
	for (i = 0; i < m->nr_allocations; i++) {
		const struct model_allocation a = m->allocations[i];

		m->allocations[i] = (struct model_allocation){
			.site = a.site, .procedure = a.procedure, .pool = a.pool,
			.size_class = a.size_class,
		};
	}
	for (i = 0; i < m->nr_arcs; i++)
		m->arcs[i].measured = 0;
}

static void
clear_run(struct model_run *r)
{
	r->cpu_ns = r->samples = r->lost_samples = r->unprofiled_samples = 0;
	r->centre_samples = r->centre_unprofiled_samples = 0;
	r->wait_ns = r->delay_ns = r->unprofiled_wait_ns = 0;
	/* These are known of the whole run only. */
	r->user_ns = r->system_ns = 0;
	r->baseline_program = NULL;
	r->baseline_wall_ns = r->baseline_user_ns = r->baseline_system_ns = 0;
}

/* A procedure's entry adds to its run, too: what is in no profiled procedure, and the whole. */
static void
apply_to_run(const struct model *m, struct model_run *r, const struct part_entry *e)
{
	bool profiled = strcmp(m->procedures[e->id - 1].name, UNPROFILED_NAME) ||
			m->procedures[e->id - 1].place.file;

	if (e->column == PART_SELF_SAMPLES) {
		r->samples = count_add(r->samples, e->value);
		r->unprofiled_samples += profiled ? 0 : e->value;
	} else if (e->column == PART_SELF_WAIT) {
		r->wait_ns = count_add(r->wait_ns, e->value);
		r->unprofiled_wait_ns += profiled ? 0 : e->value;
	} else {
		r->centre_samples = count_add(r->centre_samples, e->value);
		r->centre_unprofiled_samples += profiled ? 0 : e->value;
	}
}

static void
apply_arc(struct model *m, const struct part_entry *e)
{
	size_t i = model_arc_find(m, e->id, e->other);

	if (i < m->nr_arcs)
		m->arcs[i].measured = count_add(m->arcs[i].measured, e->value);
}

static void
add_to(void *row, size_t member, uint64_t value)
{
	uint64_t *to = (uint64_t *)((char *)row + member);

	*to = count_add(*to, value);
}

static void
apply_member(struct model *m, const struct part_entry *e)
{
	struct row_array rows = row_array(m, part_table(e->column));
	char *row = *rows.items + (e->id - 1) * rows.size;

	if (e->column >= PART_DISPOSAL) {
		add_to(row, part_count_member(e->column), e->value);
		return;
	}
	if (part_members[e->column].at)
		add_to(row, part_members[e->column].at, e->value);
	if (part_members[e->column].of_block)
		add_to(&m->blocks[m->ranges[e->id - 1].block - 1],
		       part_members[e->column].of_block, e->value);
}

/* Applies an entry of a measure without columns of its own. */
static void
apply_figure(struct model *m, const struct part_entry *e)
{
	unsigned slot = (e->column - PART_FIGURE) / NR_PART_FIGURES;
	enum part_figure figure = (enum part_figure)((e->column - PART_FIGURE) % NR_PART_FIGURES);
	enum table_id table = part_table(e->column);
	struct row_array rows = row_array(m, table);
	char *at = *rows.items + (e->id - 1) * rows.size + tables[table].figures;

	if (figure == FIGURE_BELOW_PROCEDURE ||
	    (figure == FIGURE_BELOW_SITE && m->measures[slot].inclusive != INCLUSIVE_ARCS))
		figure_total(m, (struct figures **)at, slot, (int64_t)e->value);
	else
		figure_self(m, (struct figures **)at, slot, (int64_t)e->value);
	if (figure == FIGURE_OF_RANGE)
		figure_self(m, &m->blocks[m->ranges[e->id - 1].block - 1].figures, slot,
			    (int64_t)e->value);
}

static bool
is_cpu_time(enum part_column column)
{
	return column >= PART_SELF_NS && column <= PART_CONTEXT_NS;
}

/* SCALE: what CPU time is multiplied by. */
static void
apply(struct model *m, struct model_run *run, const struct part_entries *entries, double scale)
{
	struct part_entry *e;
	size_t i;

	for (i = 0; i < entries->nr; i++) {
		e = &entries->items[i];
		if (scale != 1 && is_cpu_time(e->column))
			e->value = (uint64_t)((double)e->value * scale + 0.5);
		if (part_is_figure(e->column)) {
			apply_figure(m, e);
			continue;
		}
		apply_member(m, e);
		if (e->column == PART_MEASURED)
			apply_arc(m, e);
		else if (e->column == PART_SELF_SAMPLES || e->column == PART_SELF_WAIT ||
			 e->column == PART_CENTRE_SAMPLES)
			apply_to_run(m, run, e);
	}
}

static void
add_own_figures(struct model *m, struct model_context *c)
{
	for (unsigned k = 0; c->figures && k < m->nr_measures; k++)
		figure_total(m, &c->figures, k, figures_get(c->figures, false, k));
}

/* Adds what C has itself, with what is below it, to its parent. */
static void
add_to_parent(struct model *m, struct model_context *c)
{
	sampled_add(&c->total, &c->self);
	if (c->parent)
		sampled_add(&m->contexts[c->parent - 1].total, &c->total);
}

/* Computes what is not stored because it follows. */
static void
complete(struct model *m)
{
	struct model_context *c, *parent;
	size_t i;

	for (i = 0; i < m->nr_sites; i++)
		if (m->sites[i].block)
			m->sites[i].count = m->blocks[m->sites[i].block - 1].count;
	for (i = m->nr_contexts; i--;) {
		c = &m->contexts[i];
		add_to_parent(m, c);
		add_own_figures(m, c);
		if (!c->parent)
			continue;
		parent = &m->contexts[c->parent - 1];
		for (unsigned k = 0; c->figures && k < m->nr_measures; k++)
			figure_total(m, &parent->figures, k, figures_get(c->figures, true, k));
	}
}

/* Computes the runs' figures that follow from their threads, of those that are left. */
static void
keep_threads(struct model *m, const model_id *parts)
{
	size_t i, n = 0;

	for (i = 0; i < m->nr_threads; i++) {
		struct model_thread t = m->threads[i];
		struct model_run *r;

		if (!t.part || !parts[t.part])
			continue;
		t.part = parts[t.part];
		t.run = m->parts[t.part - 1].run;
		r = &m->runs[t.run - 1];
		r->cpu_ns = count_add(r->cpu_ns, t.cpu_ns);
		r->lost_samples = count_add(r->lost_samples, t.lost_samples);
		r->delay_ns = count_add(r->delay_ns, t.delay_ns);
		m->threads[n++] = t;
	}
	m->nr_threads = n;
}

/* PARTS and RUNS: [number] -> the number it has when the others are gone, 0: it is gone. */
static void
keep_rows(struct model *m, const model_id *runs, const model_id *parts)
{
	size_t i, n;

	for (i = n = 0; i < m->nr_runs; i++)
		if (runs[i + 1])
			m->runs[n++] = m->runs[i];
	m->nr_runs = n;
	for (i = n = 0; i < m->nr_parts; i++) {
		if (!parts[i + 1])
			continue;
		m->parts[n] = m->parts[i];
		m->parts[n].run = runs[m->parts[n].run];
		n++;
	}
	m->nr_parts = n;
	m->nr_spreads = 0; /* they are of all */
	parts_settle(m);
	keep_threads(m, parts);
	for (i = n = 0; i < m->nr_tracks; i++) {
		struct model_track t = m->tracks[i];

		if (t.part && !parts[t.part])
			continue;
		t.part = parts[t.part];
		t.run = runs[t.run];
		m->tracks[n++] = t;
	}
	m->nr_tracks = n;
}

/* A complete run gets its own figures back. */
static void
restore_runs(struct model *m, const struct model_run *whole, const bool *partial, size_t nr,
	     const model_id *runs)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (runs[i + 1] && !partial[i + 1])
			m->runs[runs[i + 1] - 1] = whole[i];
}

/* Numbers the parts and runs that are kept; notes which runs are kept only in part. */
static void
number_parts(const struct model *m, const bool *keep, model_id *runs, model_id *parts,
	     bool *partial)
{
	model_id nr = 0;
	size_t i;

	for (i = 0; i < m->nr_parts; i++) {
		if (keep[i]) {
			parts[i + 1] = ++nr;
			runs[m->parts[i].run] = 1;
		} else {
			partial[m->parts[i].run] = true;
		}
	}
	for (i = 1, nr = 0; i <= m->nr_runs; i++)
		if (runs[i])
			runs[i] = ++nr;
}

/* Adds the part's self time to SUM. */
static int
add_time(const struct model *m, size_t part, struct part_entries *e, uint64_t *sum,
	 struct error *err)
{
	e->nr = 0;
	if (part_unpack(&m->parts[part], m, e, err))
		return -1;
	for (size_t i = 0; i < e->nr; i++)
		if (e->items[i].column == PART_SELF_NS)
			*sum = count_add(*sum, e->items[i].value);
	return 0;
}

/* Sets, by run, what sampled time is to be multiplied by. That of a whole run adds up to the CPU
 * time of its threads; so it does for those that are kept of a run, and the head and the sum of
 * all rows are one figure. */
static int
find_scales(const struct model *m, const bool *keep, const bool *partial, double *scales,
	    struct part_entries *e, struct error *err)
{
	uint64_t *sampled = xcalloc(m->nr_runs + 1, sizeof(*sampled));
	uint64_t *cpu = xcalloc(m->nr_runs + 1, sizeof(*cpu));
	int status = 0;
	size_t i;

	for (i = 0; i < m->nr_parts && !status; i++)
		if (keep[i] && partial[m->parts[i].run])
			status = add_time(m, i, e, &sampled[m->parts[i].run], err);
	for (i = 0; i < m->nr_threads; i++) {
		const struct model_thread *t = &m->threads[i];

		if (t->part && keep[t->part - 1])
			cpu[m->parts[t->part - 1].run] =
				count_add(cpu[m->parts[t->part - 1].run], t->cpu_ns);
	}
	for (i = 0; i <= m->nr_runs; i++)
		scales[i] = sampled[i] && cpu[i] ? (double)cpu[i] / (double)sampled[i] : 1;
	free(sampled);
	free(cpu);
	return status;
}

static int
apply_parts(struct model *m, const bool *keep, const bool *partial, struct error *err)
{
	struct part_entries e = { .items = NULL };
	double *scales = xcalloc(m->nr_runs + 1, sizeof(*scales));
	int status = find_scales(m, keep, partial, scales, &e, err);
	size_t i;

	for (i = 0; i < m->nr_parts && !status; i++) {
		if (!keep[i])
			continue;
		e.nr = 0;
		status = part_unpack(&m->parts[i], m, &e, err);
		if (!status)
			apply(m, &m->runs[m->parts[i].run - 1], &e, scales[m->parts[i].run]);
	}
	part_entries_release(&e);
	free(scales);
	return status;
}

int
parts_keep(struct model *m, const bool *keep, struct error *err)
{
	size_t nr = m->nr_runs, i;
	model_id *runs = xcalloc(nr + 1, sizeof(*runs));
	model_id *parts = xcalloc(m->nr_parts + 1, sizeof(*parts));
	bool *partial = xcalloc(nr + 1, sizeof(*partial));
	struct model_run *whole = xcalloc(nr, sizeof(*whole));
	int status = 0;

	number_parts(m, keep, runs, parts, partial);
	for (i = 0; i < nr; i++)
		whole[i] = m->runs[i];
	if (m->nr_parts > 1) {
		clear_counts(m);
		for (i = 0; i < nr; i++)
			clear_run(&m->runs[i]);
		status = apply_parts(m, keep, partial, err);
		complete(m);
	}
	keep_rows(m, runs, parts);
	restore_runs(m, whole, partial, nr, runs);
	free(runs);
	free(parts);
	free(partial);
	free(whole);
	return status;
}

/* ---- only what stacks say ---- */

bool
part_is_sampled(uint64_t column)
{
	return (column >= PART_SELF_SAMPLES && column <= PART_CONTEXT_NS);
}

void
parts_clear_sampled(struct model *m)
{
	for (enum part_column c = PART_SELF_SAMPLES; c <= PART_CONTEXT_NS; c++)
		clear_column(m, c);
	clear(m, TABLE_CONTEXT, offsetof(struct model_context, total), sizeof(struct sampled));
	for (size_t i = 0; i < m->nr_runs; i++)
		clear_run(&m->runs[i]);
}

void
parts_add_sampled(struct model *m, struct model_run *run, struct part_entries *e)
{
	apply(m, run, e, 1);
}

void
parts_complete_sampled(struct model *m)
{
	for (size_t i = m->nr_contexts; i--;)
		add_to_parent(m, &m->contexts[i]);
}
