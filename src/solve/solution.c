#include "solve/solution.h"

#include <stdlib.h>
#include <string.h>

#include "solve/aggregate.h"
#include "solve/callback_arcs.h"
#include "solve/foreign.h"

struct solution {
	size_t nr_arcs;
	uint64_t *sites, *procedures; /* counts without what was measured */
	uint64_t *measured;           /* per arc */
	uint64_t *site_keys, *procedure_keys;
	struct flow_arc *arcs;
	uint8_t *unlikely;            /* per arc */
	uint64_t *first;              /* per arc: the count when nothing is held */
	bool *held;                   /* per arc */
	bool *hidden;                 /* per arc: it takes no part */
	struct flow_dial *dial;
};

static int
status_error(enum flow_status status, struct error *err)
{
	return error_set(err, status == FLOW_NO_MEMORY ? "out of memory while solving for calls" :
			 "the calls cannot be solved for: the counts are damaged");
}

/* ---- what was measured ---- */

/* Some calls were noted but not counted, or counted but without an entry: the program was killed
 * between the one and the other. The counts are believed. */
static void
cut(struct model_arc *a, uint64_t *left, uint64_t *excess)
{
	if (a->measured > *left) {
		*excess += a->measured - *left;
		a->measured = *left;
	}
	*left -= a->measured;
}

/* Measured calls are no unknowns: they are taken off the sites' and procedures' counts, and the
 * rest is solved. */
static void
take_measured(struct solution *s, struct model *m, uint64_t *excess)
{
	*excess = 0;
	for (size_t i = 0; i < m->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[i];
		uint64_t all;

		if (!a->measured || !a->site)
			continue;
		cut(a, &s->sites[a->site - 1], excess);
		all = a->measured;
		if (a->callee)
			cut(a, &s->procedures[a->callee - 1], excess);
		s->sites[a->site - 1] += all - a->measured;
		s->measured[i] = a->measured;
	}
}

/* ---- opening ---- */

/* FNV-1a, from the hash KEY on. */
static uint64_t
key_of_bytes(uint64_t key, const void *bytes, size_t nr)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < nr; i++)
		key = (key ^ b[i]) * 0x100000001b3u;
	return key;
}

static uint64_t
key_of_place(uint64_t key, const struct place *p)
{
	uint32_t at[] = { p->line, p->column };

	return key_of_bytes(key, at, sizeof(at));
}

/* Names and places do not depend on the order in which the linker found the objects; the numbers of
 * the model do. */
static void
find_keys(struct solution *s, const struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++) {
		const struct model_procedure *p = &m->procedures[i];
		const char *name = p->linkage_name ? p->linkage_name : "";
		uint64_t key = key_of_bytes(0xcbf29ce484222325u, name, strlen(name));

		s->procedure_keys[i] = key_of_place(key, &p->place);
	}
	for (size_t i = 0; i < m->nr_sites; i++) {
		const struct model_site *site = &m->sites[i];

		s->site_keys[i] = key_of_place(site->procedure ?
					       s->procedure_keys[site->procedure - 1] : 0,
					       &site->place);
	}
}

/* What has no counts is outside, by whatever name. */
static int32_t
end_of(const struct model *m, model_id callee)
{
	return is_uncounted_row(m, callee) ? FLOW_OUTSIDE : (int32_t)callee - 1;
}

static void
copy_counts(struct solution *s, const struct model *m)
{
	for (size_t i = 0; i < m->nr_sites; i++)
		s->sites[i] = m->sites[i].count;
	for (size_t i = 0; i < m->nr_procedures; i++)
		s->procedures[i] = is_uncounted_row(m, (model_id)i + 1)
					   ? 0 : m->procedures[i].calls;
	for (size_t i = 0; i < m->nr_arcs; i++) {
		s->arcs[i] = (struct flow_arc){ (int32_t)m->arcs[i].site - 1,
						end_of(m, m->arcs[i].callee) };
		s->unlikely[i] = (uint8_t)m->arcs[i].unlike;
	}
}

/* Arcs that stacks tell of have no counts: they are taken for another arc of their site, so that
 * they change nothing. */
static void
hide_sampled(struct solution *s, const struct model *m)
{
	size_t begin, end, i, other;

	for (i = 0; i < m->nr_arcs; i++)
		s->hidden[i] = m->arcs[i].how == ARC_SAMPLED;
	for (begin = 0; begin < m->nr_arcs; begin = end) {
		other = m->nr_arcs;
		for (end = begin; end < m->nr_arcs && m->arcs[end].site == m->arcs[begin].site;
		     end++)
			if (!s->hidden[end] && other == m->nr_arcs)
				other = end;
		for (i = begin; i < end && other < m->nr_arcs; i++)
			if (s->hidden[i]) {
				s->arcs[i] = s->arcs[other];
				s->unlikely[i] = s->unlikely[other];
			}
	}
}

static enum flow_status
open_dial(struct solution *s, struct model *m)
{
	double *prior = xcalloc(m->nr_arcs, sizeof(*prior));
	struct flow_options options = { .estimator = FLOW_LIKELY, .bounds = FLOW_BOUNDS_SMALL,
					.prior = prior };
	struct flow_problem problem = {
		.nr_sites = m->nr_sites, .nr_procedures = m->nr_procedures,
		.nr_arcs = m->nr_arcs, .site_count = s->sites, .procedure_count = s->procedures,
		.arcs = s->arcs, .unlikely = s->unlikely, .site_key = s->site_keys,
		.procedure_key = s->procedure_keys,
	};
	enum flow_status status;

	model_count_passes(m, prior);
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (s->hidden[i] || prior[i] < 0) /* not in a sound profile */
			prior[i] = 0;
	status = flow_dial_open(&problem, &options, &s->dial);
	free(prior);
	if (!status && m->nr_arcs)
		memcpy(s->first, flow_dial_result(s->dial)->count, m->nr_arcs * sizeof(*s->first));
	return status;
}

struct solution *
solution_open(struct model *m, uint64_t *excess, struct error *err)
{
	struct solution *s = xcalloc(1, sizeof(*s));
	enum flow_status status;

	s->nr_arcs = m->nr_arcs;
	s->sites = xcalloc(m->nr_sites, sizeof(*s->sites));
	s->procedures = xcalloc(m->nr_procedures, sizeof(*s->procedures));
	s->site_keys = xcalloc(m->nr_sites, sizeof(*s->site_keys));
	s->procedure_keys = xcalloc(m->nr_procedures, sizeof(*s->procedure_keys));
	s->measured = xcalloc(m->nr_arcs, sizeof(*s->measured));
	s->arcs = xcalloc(m->nr_arcs, sizeof(*s->arcs));
	s->unlikely = xcalloc(m->nr_arcs, sizeof(*s->unlikely));
	s->first = xcalloc(m->nr_arcs, sizeof(*s->first));
	s->held = xcalloc(m->nr_arcs, sizeof(*s->held));
	s->hidden = xcalloc(m->nr_arcs, sizeof(*s->hidden));
	copy_counts(s, m);
	hide_sampled(s, m);
	find_keys(s, m);
	take_measured(s, m, excess);
	status = open_dial(s, m);
	if (!status)
		return s;
	status_error(status, err);
	solution_close(s);
	return NULL;
}

void
solution_close(struct solution *s)
{
	if (!s)
		return;
	flow_dial_close(s->dial);
	free(s->sites);
	free(s->procedures);
	free(s->site_keys);
	free(s->procedure_keys);
	free(s->measured);
	free(s->arcs);
	free(s->unlikely);
	free(s->first);
	free(s->held);
	free(s->hidden);
	free(s);
}

/* ---- results ---- */

void
solution_store_facts(const struct solution *s, struct model *m)
{
	const struct flow_result *r = flow_dial_result(s->dial);

	for (size_t i = 0; i < s->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[i];

		if (s->hidden[i])
			continue;
		a->how = r->how[i] != FLOW_SOLVED ? ARC_ESTIMATED :
			 s->measured[i] && !r->hi[i] ? ARC_MEASURED : ARC_SOLVED;
		a->count = s->measured[i] + r->count[i];
		a->lo = s->measured[i] + r->lo[i];
		a->hi = s->measured[i] + r->hi[i];
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		m->sites[i].calls_without_entry = r->site_residual[i];
	for (size_t i = 0; i < m->nr_procedures; i++)
		m->procedures[i].calls_without_site = r->procedure_residual[i];
	through_share(m, true);
}

void
solution_store_counts(const struct solution *s, struct model *m)
{
	const struct flow_result *r = flow_dial_result(s->dial);

	for (size_t i = 0; i < s->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[i];

		if (s->hidden[i])
			continue;
		a->count = s->measured[i] + r->count[i];
		if (a->how == ARC_ESTIMATED || a->how == ARC_PINNED)
			a->how = s->held[i] || r->count[i] != s->first[i] ? ARC_PINNED :
				 ARC_ESTIMATED;
	}
	through_share(m, false);
}

int
solution_interval(struct solution *s, size_t arc, uint64_t *lo, uint64_t *hi, struct error *err)
{
	enum flow_status status = FLOW_OK;

	if (s->hidden[arc])
		*lo = *hi = 0;
	else
		status = flow_dial_interval(s->dial, arc, lo, hi);
	*lo += s->measured[arc];
	*hi += s->measured[arc];
	return status ? status_error(status, err) : 0;
}

int
solution_turn(struct solution *s, size_t arc, uint64_t count, struct error *err)
{
	enum flow_status status;

	if (arc >= s->nr_arcs || s->hidden[arc] || count < s->measured[arc])
		return 1;
	status = flow_dial_turn(s->dial, arc, count - s->measured[arc]);
	if (status == FLOW_BAD_PIN)
		return 1;
	s->held[arc] |= !status;
	return status ? status_error(status, err) : 0;
}

int
solution_let_go(struct solution *s, size_t arc, struct error *err)
{
	enum flow_status status = FLOW_OK;

	if (arc < s->nr_arcs && !s->hidden[arc]) {
		status = flow_dial_unpin(s->dial, arc);
		s->held[arc] = false;
	}
	return status ? status_error(status, err) : 0;
}

/* Solves with nothing held first, to find what the rule itself says: only arcs that differ from
 * that have moved with the arcs that are held. */
int
solution_estimator(struct solution *s, enum flow_estimator estimator, struct error *err)
{
	const struct flow_result *r = flow_dial_result(s->dial);
	uint64_t *count = xcalloc(s->nr_arcs, sizeof(*count));
	enum flow_status status = FLOW_OK;

	for (size_t i = 0; i < s->nr_arcs; i++)
		count[i] = r->count[i];
	for (size_t i = 0; i < s->nr_arcs && !status; i++)
		if (s->held[i])
			status = flow_dial_unpin(s->dial, i);
	if (!status)
		status = flow_dial_estimator(s->dial, estimator);
	for (size_t i = 0; i < s->nr_arcs; i++)
		s->first[i] = r->count[i];
	for (size_t i = 0; i < s->nr_arcs && !status; i++)
		if (s->held[i])
			status = flow_dial_turn(s->dial, i, count[i]);
	free(count);
	return status ? status_error(status, err) : 0;
}
