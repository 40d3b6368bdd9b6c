#include "solve/callback_arcs.h"

#include <stdlib.h>

#include "solve/foreign.h"

/* Weights of the arcs of one group; 0: no calls can have come that way. */
struct group {
	struct model_arc *arcs; /* the plain one first, if there is one */
	size_t nr, nr_parts;    /* parts: arcs through sites that were executed */
	const uint64_t *samples; /* per arc of the model */
};

static bool
is_part(const struct model *m, const struct model_arc *a)
{
	return a->through && m->sites[a->through - 1].count;
}

/* The first arc of those from outside to CALLEE. */
static size_t
first_of(const struct model *m, model_id callee)
{
	size_t lo = 0, hi = m->nr_arcs, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (!m->arcs[mid].site && m->arcs[mid].callee < callee)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Samples below each arc that leads through a site: the stack has the callee, code that was not
 * profiled, and the site. */
static uint64_t *
count_samples(const struct model *m)
{
	uint64_t *samples = xcalloc(m->nr_arcs, sizeof(*samples));

	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i], *between;

		between = c->parent ? &m->contexts[c->parent - 1] : NULL;
		if (!c->procedure || !between || !between->site ||
		    (between->procedure && !is_foreign(m, between->procedure)))
			continue;
		for (size_t k = first_of(m, c->procedure);
		     k < m->nr_arcs && !m->arcs[k].site && m->arcs[k].callee == c->procedure; k++)
			if (m->arcs[k].through == between->site)
				samples[k] += c->total_ns;
	}
	return samples;
}

static void
share_interval(const struct model *m, struct group *g)
{
	bool plain = !g->arcs[0].through;
	const struct model_arc all = g->arcs[0];

	for (size_t i = 0; i < g->nr; i++) {
		struct model_arc *a = &g->arcs[i];
		bool possible = is_part(m, a) || (!a->through && plain);

		a->lo = possible && g->nr_parts + plain == 1 ? all.lo : 0;
		a->hi = possible ? all.hi : 0;
		if (a->lo == a->hi)
			a->how = ARC_SOLVED;
		else if (g->nr_parts)
			a->how = ARC_ESTIMATED;
	}
}

static uint64_t
weight(const struct model *m, const struct group *g, size_t i, bool sampled)
{
	if (!is_part(m, &g->arcs[i]))
		return 0;
	return sampled ? g->samples[&g->arcs[i] - m->arcs] : m->sites[g->arcs[i].through - 1].count;
}

static void
share_count(const struct model *m, struct group *g)
{
	unsigned __int128 sum = 0, all = 0;
	uint64_t count = g->arcs[0].count, before = 0, after;
	bool sampled = false;
	size_t i;

	for (i = 0; i < g->nr; i++)
		sampled |= weight(m, g, i, true) != 0;
	for (i = 0; i < g->nr; i++)
		all += weight(m, g, i, sampled);
	for (i = 0; i < g->nr; i++, before = after) {
		sum += weight(m, g, i, sampled);
		after = all ? (uint64_t)((long double)count * (long double)sum / (long double)all) :
			count;
		if (sum == all)
			after = count;
		g->arcs[i].count = after - before;
	}
}

void
through_share(struct model *m, bool facts)
{
	uint64_t *samples = count_samples(m);
	size_t i, end;

	for (i = 0; i < m->nr_arcs && !m->arcs[i].site; i = end) {
		struct group g = { .arcs = &m->arcs[i], .samples = samples };

		for (end = i; end < m->nr_arcs && !m->arcs[end].site &&
			      m->arcs[end].callee == m->arcs[i].callee; end++)
			g.nr_parts += is_part(m, &m->arcs[end]);
		g.nr = end - i;
		if (g.nr == 1 && !g.arcs[0].through)
			continue;
		share_count(m, &g);
		if (facts)
			share_interval(m, &g);
	}
	free(samples);
}
