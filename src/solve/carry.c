#include "solve/carry.h"

#include <stdlib.h>
#include <string.h>

#include "db/model/measure.h"
#include "solve/callback_arcs.h"
#include "solve/foreign.h"
#include "util/mem.h"

struct carrier {
	struct model *m;
	const struct calls *c;
	struct flow_certain certain;
	bool *only;              /* per arc: whatever is below the callee is reached only by it */
	uint64_t *self, *below;  /* per procedure: of the measure at hand */
};

static bool
is_carried(const struct model_measure *measure)
{
	return measure->inclusive == INCLUSIVE_ARCS && !measure->formula;
}

static void
clear(struct model *m, unsigned slot)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		figures_set(&m->arena, &m->procedures[i].figures, true, slot, 0);
	for (size_t i = 0; i < m->nr_sites; i++)
		figures_set(&m->arena, &m->sites[i].figures, true, slot, 0);
	for (size_t i = 0; i < m->nr_arcs; i++) {
		figures_set(&m->arena, &m->arcs[i].figures, true, slot, 0);
		figures_set(&m->arena, &m->arcs[i].figures, false, slot, 0);
	}
}

/* Returns whether any measure is carried. */
static bool
clear_all(struct model *m)
{
	bool any = false;

	for (unsigned slot = 0; slot < m->nr_measures; slot++) {
		if (!is_carried(&m->measures[slot]))
			continue;
		clear(m, slot);
		any = true;
	}
	for (size_t i = 0; i < m->nr_procedures; i++)
		m->procedures[i].shared = false;
	for (size_t i = 0; i < m->nr_sites; i++)
		m->sites[i].shared = false;
	for (size_t i = 0; i < m->nr_arcs; i++)
		m->arcs[i].shared = false;
	return any;
}

/* ---- what is certain ---- */

static bool *
find_makers(const struct model *m)
{
	bool *makes = xcalloc(m->nr_procedures, sizeof(*makes));

	for (size_t i = 0; i < m->nr_procedures; i++) {
		const struct figures *f = m->procedures[i].figures;

		for (unsigned slot = 0; f && slot < m->nr_measures; slot++)
			makes[i] |= figures_get(f, false, slot) && is_carried(&m->measures[slot]);
	}
	return makes;
}

/* Returns which procedures can have been called from outside: all arcs into them that come from
 * somewhere can be fewer than their calls. */
static bool *
find_entered(const struct model *m, const struct calls *c)
{
	bool *entered = xcalloc(m->nr_procedures, sizeof(*entered));
	uint64_t *known = xcalloc(m->nr_procedures, sizeof(*known));

	for (size_t i = 0; i < c->nr_ranges; i++)
		known[c->ranges[i].callee] = count_add(known[c->ranges[i].callee],
						       c->ranges[i].hi);
	for (size_t i = 0; i < m->nr_procedures; i++)
		entered[i] = m->procedures[i].calls > known[i];
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (!arc_origin(&m->arcs[i]) && m->arcs[i].callee && m->arcs[i].hi)
			entered[m->arcs[i].callee - 1] = true;
	free(known);
	return entered;
}

/* An arc from outside is the only way to what is below a procedure that nobody else calls. */
static bool
is_only_from_outside(const struct carrier *k, const struct model_arc *a)
{
	return !arc_origin(a) && a->callee && !is_foreign(k->m, a->callee) &&
	       k->certain.whole[a->callee - 1] &&
	       a->lo >= calls_into(k->m, a->callee);
}

static enum flow_status
find_certain(struct carrier *k)
{
	const struct calls *c = k->c;
	bool *makes = find_makers(k->m), *entered = find_entered(k->m, c);
	enum flow_status status = flow_certain(k->m->nr_procedures, c->ranges, c->nr_ranges,
					       entered, makes, &k->certain);

	for (size_t i = 0; !status && i < c->nr_ranges; i++)
		k->only[c->range_arc[i]] = k->certain.whole_call[i];
	for (size_t i = 0; !status && i < k->m->nr_arcs; i++)
		k->only[i] |= is_only_from_outside(k, &k->m->arcs[i]);
	free(makes);
	free(entered);
	return status;
}

/* ---- storing ---- */

static void
store_procedures(struct carrier *k, unsigned slot, const struct flow_time *t)
{
	for (size_t i = 0; i < k->m->nr_procedures; i++) {
		struct model_procedure *p = &k->m->procedures[i];
		bool whole = k->certain.whole[i];
		uint64_t total = whole ? k->below[i] : t->total_ns[i];

		figure_total(k->m, &p->figures, slot, count_figure(total));
		p->shared |= total && !whole;
	}
}

/* VALUE is what arc NUMBER brings by the counts of calls. */
static void
store_arc(struct carrier *k, unsigned slot, size_t number, uint64_t value)
{
	struct model_arc *a = &k->m->arcs[number];
	struct model_site *s = arc_origin(a) ? &k->m->sites[arc_origin(a) - 1] : NULL;

	if (!value)
		return;
	value = k->only[number] ? k->below[a->callee - 1] : value;
	figure_total(k->m, &a->figures, slot, count_figure(value));
	figure_self(k->m, &a->figures, slot, count_figure(value)); /* of the pair */
	a->shared |= !k->only[number];
	if (!s)
		return;
	figure_total(k->m, &s->figures, slot, count_figure(value));
	s->shared |= a->shared;
}

/* What a site has itself is in its total as well: it calls code that has no row. */
static void
store_own(struct carrier *k, unsigned slot)
{
	for (size_t i = 0; i < k->m->nr_sites; i++) {
		struct model_site *s = &k->m->sites[i];

		figure_total(k->m, &s->figures, slot, figures_get(s->figures, false, slot));
	}
}

static enum flow_status
carry_one(struct carrier *k, unsigned slot)
{
	const struct calls *c = k->c;
	size_t nr = k->m->nr_procedures;
	enum flow_status status;
	struct flow_time t;

	for (size_t i = 0; i < nr; i++)
		k->self[i] = (uint64_t)figures_get(k->m->procedures[i].figures, false, slot);
	status = flow_time(nr, k->self, c->entries, c->made, c->nr_made, &t);
	if (status)
		return status == FLOW_BAD_INPUT ? FLOW_OK : status; /* too much to be added up */
	memcpy(k->below, k->self, nr * sizeof(*k->below));
	flow_certain_sum(&k->certain, nr, k->below);
	store_procedures(k, slot, &t);
	for (size_t i = 0; i < c->nr_made; i++)
		store_arc(k, slot, c->arc[i], t.call_ns[i]);
	for (size_t i = 0; i < k->m->nr_arcs; i++)
		store_arc(k, slot, i, calls_share_of_outside(k->m, &k->m->arcs[i], &t));
	store_own(k, slot);
	flow_time_release(&t);
	return FLOW_OK;
}

enum flow_status
carry_figures(struct model *m, const struct calls *c)
{
	struct carrier k = { .m = m, .c = c };
	enum flow_status status;

	if (!clear_all(m))
		return FLOW_OK;
	k.only = xcalloc(m->nr_arcs, sizeof(*k.only));
	k.self = xcalloc(m->nr_procedures, sizeof(*k.self));
	k.below = xcalloc(m->nr_procedures, sizeof(*k.below));
	status = find_certain(&k);
	for (unsigned slot = 0; slot < m->nr_measures && !status; slot++)
		if (is_carried(&m->measures[slot]))
			status = carry_one(&k, slot);
	flow_certain_release(&k.certain);
	free(k.only);
	free(k.self);
	free(k.below);
	return status;
}
