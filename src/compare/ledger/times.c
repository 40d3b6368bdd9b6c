/* Times of cells, run by run: of stacks that end in code outside those go to the call by which the
 * procedure got there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/ledger/parts.h"
#include "db/model/parts.h"

/* ---- which cell a context's own time is of ---- */

static bool
is_profiled(const struct model *m, model_id procedure)
{
	return procedure && !(m->procedures[procedure - 1].flags & PROCEDURE_FOREIGN);
}

/* Returns the call of E that TOP, the first context below it, came by: a cell + 1; 0: it is as of
 * E's own code, as the kernel's work for a page that it touched. */
static uint32_t
called_cell(struct ledger *l, size_t k, entity_id e, const struct model_context *top,
	    const model_id *sites)
{
	const struct ledger_side *s = &l->sides[k];
	const struct ledger_site *site = top->site && sites[top->site] ?
		&s->sites[sites[top->site] - 1] : NULL;
	const struct side_procedure *p = side_procedure(&l->m->sides[k], top->procedure);
	const struct ledger_procedure *of = &l->procedures[e];

	if (site && site->procedure == e && site->cell && site->cell != POINTER_CELL)
		return site->cell;
	for (size_t i = 0; i < of->nr_cells && p; i++) {
		const struct ledger_cell *c = &l->cells[of->first_cell + i];

		if (!site && c->kind == LEDGER_LIBRARY && p->linkage_name &&
		    !strcmp(c->name, p->linkage_name))
			return (uint32_t)(of->first_cell + i) + 1;
		if (c->kind == LEDGER_POINTER && site && site->cell == POINTER_CELL) {
			struct ledger_cell *pointer = &l->cells[of->first_cell + i];
			double ns = (double)(l->of == LEDGER_WAIT ? top->total_wait_ns
								 : top->total_ns);

			if (ns > pointer->most) {
				pointer->most = ns;
				pointer->name = p->linkage_name ? p->linkage_name : p->name;
			}
			return (uint32_t)(of->first_cell + i) + 1;
		}
	}
	return 0;
}

static void
find_cells(struct ledger *l, size_t k, const model_id *sites)
{
	struct ledger_side *s = &l->sides[k];
	const struct model *m = &s->m;

	s->cell_of_context = xcalloc(m->nr_contexts + 1, sizeof(*s->cell_of_context));
	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		entity_id e;

		if (!c->procedure || is_profiled(m, c->procedure) || !c->parent)
			continue;
		if (!is_profiled(m, m->contexts[c->parent - 1].procedure)) {
			s->cell_of_context[i] = s->cell_of_context[c->parent - 1];
			continue;
		}
		e = match_entity(l->m, k, m->contexts[c->parent - 1].procedure);
		s->cell_of_context[i] = e ? called_cell(l, k, e, c, sites) : 0;
	}
}

/* ---- sums ---- */

static uint32_t
own_cell(struct ledger *l, size_t k, model_id procedure)
{
	entity_id e = match_entity(l->m, k, procedure);

	return l->procedures[e].foreign || !e ? 0 : ledger_cell(l, e, LEDGER_OWN, NULL) + 1;
}

static void
need_column(struct ledger *l, uint32_t cell)
{
	if (cell && !l->cells[cell - 1].timed)
		l->cells[cell - 1].timed = (uint32_t)++l->nr_timed;
}

/* Cells have a column if either profile has time there. */
static void
find_columns(struct ledger *l, size_t k)
{
	const struct ledger_side *s = &l->sides[k];
	bool wait = l->of == LEDGER_WAIT;

	for (size_t i = 0; i < s->m.nr_procedures; i++)
		if (wait ? s->m.procedures[i].self.wait_ns : s->m.procedures[i].self_ns)
			need_column(l, own_cell(l, k, (model_id)i + 1));
	for (size_t i = 0; i < s->m.nr_contexts; i++)
		if (wait ? s->m.contexts[i].self.wait_ns : s->m.contexts[i].self_ns)
			need_column(l, s->cell_of_context[i]);
}

static void
add(const struct ledger *l, double *vector, uint32_t cell, double ns)
{
	if (cell && l->cells[cell - 1].timed)
		vector[l->cells[cell - 1].timed - 1] += ns;
}

static void
add_own(struct ledger *l, size_t k, double *vector, model_id procedure, double ns)
{
	add(l, vector, own_cell(l, k, procedure), ns);
}

/* What code outside did is in the own time of the procedure that called it. */
static void
add_context(struct ledger *l, size_t k, double *vector, model_id context, double ns)
{
	const struct ledger_side *s = &l->sides[k];
	uint32_t cell = s->cell_of_context[context - 1];

	if (!cell)
		return;
	add(l, vector, cell, ns);
	add(l, vector, ledger_cell(l, l->cells[cell - 1].procedure, LEDGER_OWN, NULL) + 1, -ns);
}

static int
add_part(struct ledger *l, size_t k, double *vector, const struct model_part *p)
{
	bool wait = l->of == LEDGER_WAIT;
	enum part_column self = wait ? PART_SELF_WAIT : PART_SELF_NS;
	enum part_column context = wait ? PART_CONTEXT_WAIT : PART_CONTEXT_NS;
	struct part_entries e = { .items = NULL };
	int status = part_unpack(p, &l->sides[k].m, &e, &l->error);

	for (size_t i = 0; i < e.nr && !status; i++) {
		if (e.items[i].column == self)
			add_own(l, k, vector, e.items[i].id, (double)e.items[i].value);
		else if (e.items[i].column == context)
			add_context(l, k, vector, e.items[i].id, (double)e.items[i].value);
	}
	part_entries_release(&e);
	return status;
}

/* All runs together, which are one or cannot be told apart. */
static void
add_whole(struct ledger *l, size_t k)
{
	struct ledger_side *s = &l->sides[k];
	bool wait = l->of == LEDGER_WAIT;
	double all = 0;

	for (size_t i = 0; i < s->m.nr_procedures; i++)
		add_own(l, k, s->times, (model_id)i + 1,
			(double)(wait ? s->m.procedures[i].self.wait_ns
				      : s->m.procedures[i].self_ns));
	for (size_t i = 0; i < s->m.nr_contexts; i++)
		add_context(l, k, s->times, (model_id)i + 1,
			    (double)(wait ? s->m.contexts[i].self.wait_ns
					  : s->m.contexts[i].self_ns));
	for (size_t i = 0; i < s->m.nr_runs; i++)
		all += (double)(wait ? s->m.runs[i].wait_ns : s->m.runs[i].cpu_ns);
	for (size_t i = 0; i < l->nr_timed; i++)
		s->times[i] /= s->runs;
	s->rest[0] = all / s->runs;
}

/* Tells the vector of each run, from 1 on; 0: it took no samples on purpose. Returns how many. */
static size_t
number_runs(const struct ledger *l, const struct ledger_side *s, size_t *vector)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->m.nr_runs; i++) {
		const struct model_run *r = &s->m.runs[i];

		vector[i] = (l->of == LEDGER_WAIT ? r->wall_interval_ns : r->asked_interval_ns) ||
			    (r->tool && *r->tool) ? ++nr : 0;
	}
	return nr;
}

static bool
has_runs_apart(const struct model *m)
{
	for (size_t i = 0; i < m->nr_parts; i++)
		if (!m->parts[i].run || !packed_is_there(&m->parts[i].data))
			return false;
	return m->nr_parts > 1;
}

static int
add_runs(struct ledger *l, size_t k, const size_t *vector)
{
	struct ledger_side *s = &l->sides[k];

	for (size_t i = 0; i < s->m.nr_parts; i++) {
		const struct model_part *p = &s->m.parts[i];
		size_t v = vector[p->run - 1];

		if (v && add_part(l, k, s->times + (v - 1) * l->nr_timed, p))
			return -1;
		job_pause(JOB_LOOK);
	}
	for (size_t i = 0; i < s->m.nr_runs; i++)
		if (vector[i])
			s->rest[vector[i] - 1] = (double)(l->of == LEDGER_WAIT
				? s->m.runs[i].wait_ns : s->m.runs[i].cpu_ns);
	return 0;
}

static int
read_side(struct ledger *l, size_t k)
{
	struct ledger_side *s = &l->sides[k];
	/* In the arena, as the job may be dropped. */
	size_t *vector = arena_alloc(&l->arena, (s->m.nr_runs + 1) * sizeof(*vector));
	size_t nr = number_runs(l, s, vector);
	bool apart = nr && has_runs_apart(&s->m);

	s->nr_vectors = apart ? nr : 1;
	s->times = xcalloc(s->nr_vectors * l->nr_timed + 1, sizeof(*s->times));
	s->rest = xcalloc(s->nr_vectors, sizeof(*s->rest));
	s->scale = xcalloc(s->nr_vectors, sizeof(*s->scale));
	if (!apart)
		add_whole(l, k);
	else if (add_runs(l, k, vector))
		return -1;
	for (size_t v = 0; v < s->nr_vectors; v++)
		for (size_t i = 0; i < l->nr_timed; i++)
			s->rest[v] -= s->times[v * l->nr_timed + i];
	return 0;
}

/* Sites as the contexts number them: the bulk's rows are in that order, but sorted since. */
static model_id *
number_sites(struct ledger *l, size_t k)
{
	struct ledger_side *s = &l->sides[k];
	model_id *sites = xcalloc(s->m.nr_sites + 2, sizeof(*sites));

	for (size_t i = 0; i < s->nr_sites; i++)
		if (s->sites[i].id <= s->m.nr_sites)
			sites[s->sites[i].id] = (model_id)i + 1;
	return sites;
}

static bool
has_time(const struct ledger *l, const struct ledger_side *s)
{
	const struct profile_totals *t = profile_totals(s->p);

	return l->of == LEDGER_WAIT ? t->run.wall_interval_ns != 0 : totals_have_time(t);
}

int
ledger_read_times(struct ledger *l)
{
	for (size_t k = 0; k < 2; k++) {
		struct ledger_side *s = &l->sides[k];
		const struct profile_totals *t = profile_totals(s->p);
		model_id *sites = number_sites(l, k);

		s->timed = has_time(l, s);
		s->sample_ns = (double)(l->of == LEDGER_WAIT ? t->run.wall_interval_ns
				: t->run.sample_ns ? t->run.sample_ns : t->run.interval_ns);
		find_cells(l, k, sites);
		free(sites);
	}
	for (size_t k = 0; k < 2; k++)
		find_columns(l, k);
	for (size_t k = 0; k < 2; k++)
		if (read_side(l, k))
			return -1;
	/* Calls that nobody counted: as with no calls at all, which took time. */
	for (size_t i = 0; i < l->nr_cells; i++)
		for (size_t k = 0; k < 2; k++)
			if (!(l->counts[i].n[k] > 0) && ledger_cell_time(l, (uint32_t)i, k, true))
				l->cells[i].known = false;
	return 0;
}
