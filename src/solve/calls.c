#include "solve/calls.h"

#include <stdlib.h>

#include "solve/callback_arcs.h"
#include "solve/foreign.h"
#include "util/mem.h"

/* Direct calls take part even when they were not made, so that cycles are the same from run to run;
 * all that a pointer could have called would make nearly every program one cycle. */
static void
calls_add(struct calls *c, const struct model *m, size_t arc)
{
	const struct model_arc *a = &m->arcs[arc];
	model_id origin = arc_origin(a);
	const struct model_site *s = origin ? &m->sites[origin - 1] : NULL;
	bool always = a->site && s->kind == SITE_DIRECT;

	if (!s || !s->procedure || !a->callee || is_uncounted_row(m, a->callee) ||
	    (!a->hi && !always))
		return;
	c->range_arc[c->nr_ranges] = arc;
	c->ranges[c->nr_ranges++] = (struct flow_call_range){ s->procedure - 1, a->callee - 1,
							      a->lo, a->hi, always };
	if (!a->count && !always)
		return;
	c->arc[c->nr_made] = arc;
	c->made[c->nr_made++] = (struct flow_call){ s->procedure - 1, a->callee - 1, a->count };
}

void
calls_init(struct calls *c, const struct model *m)
{
	*c = (struct calls){
		.made = xcalloc(m->nr_arcs, sizeof(*c->made)),
		.arc = xcalloc(m->nr_arcs, sizeof(*c->arc)),
		.ranges = xcalloc(m->nr_arcs, sizeof(*c->ranges)),
		.range_arc = xcalloc(m->nr_arcs, sizeof(*c->range_arc)),
		.self_ns = xcalloc(m->nr_procedures, sizeof(*c->self_ns)),
		.entries = xcalloc(m->nr_procedures, sizeof(*c->entries)),
	};
	for (size_t i = 0; i < m->nr_arcs; i++)
		calls_add(c, m, i);
	for (size_t i = 0; i < m->nr_procedures; i++) {
		c->self_ns[i] = m->procedures[i].self_ns;
		c->entries[i] = m->procedures[i].calls;
	}
}

void
calls_release(struct calls *c)
{
	free(c->made);
	free(c->arc);
	free(c->ranges);
	free(c->range_arc);
	free(c->self_ns);
	free(c->entries);
}

uint64_t
calls_into(const struct model *m, model_id procedure)
{
	const struct model_procedure *p = &m->procedures[procedure - 1];

	if (p->cycle)
		return m->cycles[p->cycle - 1].outer_calls;
	return p->calls > p->self_calls ? p->calls - p->self_calls : 0;
}

uint64_t
calls_share_of_outside(const struct model *m, const struct model_arc *a, const struct flow_time *t)
{
	const struct model_procedure *p = a->callee ? &m->procedures[a->callee - 1] : NULL;
	uint64_t entries = p ? calls_into(m, a->callee) : 0, total;

	if (arc_origin(a) || !entries)
		return 0;
	total = p->cycle ? t->cycles[p->cycle - 1].total_ns : t->total_ns[a->callee - 1];
	return a->count < entries ? (uint64_t)((unsigned __int128)total * a->count / entries)
				  : total;
}
