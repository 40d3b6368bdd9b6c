#include "collect/import/samples/jumped.h"

#include <stdlib.h>

/* ---- numbers of things by that of what they belong to ---- */

/* OF: per thing what it belongs to, up to MOST; 0 nothing. */
static void
sort_by_number(struct by_number *b, const model_id *of, size_t nr, size_t most)
{
	b->first = xcalloc(most + 2, sizeof(*b->first));
	b->items = xcalloc(nr + 1, sizeof(*b->items));
	for (size_t i = 0; i < nr; i++)
		b->first[of[i]]++;
	for (size_t i = 1; i < most + 2; i++)
		b->first[i] += b->first[i - 1];
	for (size_t i = nr; i-- > 0;)
		b->items[--b->first[of[i]]] = (uint32_t)i;
}

static void
by_number_release(struct by_number *b)
{
	free(b->first);
	free(b->items);
}

void
jumped_init(struct jumped *j, const struct seen_calls *seen)
{
	const struct model *m = seen->m;
	model_id *of = xcalloc(m->nr_arcs + m->nr_sites + 1, sizeof(*of));

	*j = (struct jumped){ .seen = seen };
	for (size_t i = 0; i < m->nr_arcs; i++)
		of[i] = m->arcs[i].callee && m->arcs[i].measured ? m->arcs[i].site : 0;
	sort_by_number(&j->noted, of, m->nr_arcs, m->nr_sites);
	for (size_t i = 0; i < m->nr_sites; i++)
		of[i] = m->sites[i].procedure;
	sort_by_number(&j->sites, of, m->nr_sites, m->nr_procedures);
	free(of);
}

void
jumped_release(struct jumped *j)
{
	by_number_release(&j->noted);
	by_number_release(&j->sites);
	*j = (struct jumped){ .seen = NULL };
}

/* ---- ways ---- */

static bool
has_reached(const struct jumped *j, model_id site, model_id callee)
{
	for (uint32_t i = j->noted.first[site]; i < j->noted.first[site + 1]; i++)
		if (j->seen->m->arcs[j->noted.items[i]].callee == callee)
			return true;
	return false;
}

/* Can SITE have called CALLEE itself? Not if it was never executed. */
static bool
can_call(const struct jumped *j, model_id site, model_id callee)
{
	const struct model *m = j->seen->m;
	uint64_t sum = 0;

	if (!m->sites[site - 1].count && !m->sites[site - 1].lacking)
		return false;
	if (m->sites[site - 1].kind != SITE_INDIRECT)
		return j->seen->c->callee[site - 1] == callee;
	for (uint32_t i = j->noted.first[site]; i < j->noted.first[site + 1]; i++)
		sum += m->arcs[j->noted.items[i]].measured;
	return sum != m->sites[site - 1].count || has_reached(j, site, callee);
}

static bool
has_call(const struct jumped *j, model_id procedure, model_id callee)
{
	const struct by_number *b = &j->sites;

	for (uint32_t i = b->first[procedure]; i < b->first[procedure + 1]; i++)
		if (can_call(j, b->items[i] + 1, callee))
			return true;
	return false;
}

/* Has FROM a direct call of CALLEE? That it was not executed is known. */
static bool
names(const struct jumped *j, model_id from, model_id callee)
{
	const struct by_number *b = &j->sites;

	for (uint32_t i = b->first[from]; i < b->first[from + 1]; i++)
		if (j->seen->c->callee[b->items[i]] == callee)
			return true;
	return false;
}

/* The procedures that may be who stands between: none, one, or more. */
struct between { model_id procedure; bool several; };

static void
add_between(struct between *b, model_id procedure)
{
	b->several |= b->procedure && b->procedure != procedure;
	b->procedure = procedure;
}

/* FROM's code jumps to CALLEE, without a call of its own: adds the procedures that can be inlined
 * there, and have that jump. */
static void
add_inlined(const struct jumped *j, model_id from, model_id callee, struct between *between)
{
	const struct by_number *b = &j->sites;

	for (uint32_t i = b->first[from]; i < b->first[from + 1] && !between->several; i++) {
		model_id to = j->seen->c->callee[b->items[i]];

		if (to && to != from && to != between->procedure && has_call(j, to, callee))
			add_between(between, to);
	}
}

/* Adds the procedures that FROM can jump to and that can get to CALLEE by jumps. Returns whether
 * FROM can jump there itself: if that is ENOUGH nothing else is looked for. */
static bool
add_jumped(const struct jumped *j, model_id from, model_id callee, bool enough,
	   struct between *between)
{
	bool itself = false;
	size_t nr;
	model_id *to = seen_calls_jumps(j->seen, from, enough ? callee : 0, &nr);

	for (size_t i = 0; i < nr; i++)
		itself |= to[i] == callee;
	for (size_t i = 0; i < nr && !(itself && enough) && !between->several; i++)
		if (to[i] != callee && to[i] != from &&
		    seen_calls_can_jump(j->seen, to[i], callee))
			add_between(between, to[i]);
	free(to);
	return itself;
}

model_id
jumped_next(const struct jumped *j, model_id from, model_id callee)
{
	struct between between = { .procedure = 0 };

	if (has_call(j, from, callee))
		return 0;
	/* A jump that belongs to a call that was not executed tells nothing of others. */
	if (add_jumped(j, from, callee, !names(j, from, callee), &between))
		add_inlined(j, from, callee, &between);
	return between.several ? 0 : between.procedure;
}

model_id
jumped_called(const struct jumped *j, model_id site, model_id callee)
{
	unsigned found = 0;
	model_id called = 0;

	if (can_call(j, site, callee))
		return 0;
	for (uint32_t i = j->noted.first[site]; i < j->noted.first[site + 1]; i++) {
		const struct model_arc *a = &j->seen->m->arcs[j->noted.items[i]];

		if (seen_calls_can_jump(j->seen, a->callee, callee)) {
			called = a->callee;
			found++;
		}
	}
	return found == 1 ? called : 0;
}

/* Can CALLEE, which is on a stack where SITE's procedure is not, have been called there? */
static bool
can_have_jumped(const struct jumped *j, model_id site, model_id callee)
{
	const struct model_site *s = &j->seen->m->sites[site - 1];

	if (s->kind == SITE_INDIRECT)
		return has_reached(j, site, callee);
	return s->count && j->seen->c->callee[site - 1] == callee &&
	       seen_calls_may_be_jump(j->seen, site);
}

model_id
jumped_site(const struct jumped *j, model_id procedure, model_id callee)
{
	model_id found = 0;

	for (uint32_t i = j->sites.first[procedure]; i < j->sites.first[procedure + 1]; i++) {
		model_id site = j->sites.items[i] + 1;

		if (!can_have_jumped(j, site, callee))
			continue;
		if (found)
			return 0;
		found = site;
	}
	return found;
}
