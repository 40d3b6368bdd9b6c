#include "solve.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate.h"
#include "flow/flow.h"

/* A candidate arc while it is worked on. */
struct link {
	model_id site, callee;
	bool candidate;            /* the tables say that it can be */
	uint64_t measured;         /* calls that the program noted */
};

struct links {
	struct link *items;
	size_t nr, alloc;
};

static void
links_add(struct links *l, model_id site, model_id callee)
{
	GROW(l->items, l->nr + 1, l->alloc);
	l->items[l->nr++] = (struct link){ site, callee, .candidate = true };
}

static void
links_add_measured(struct links *l, const struct model_arc *a)
{
	GROW(l->items, l->nr + 1, l->alloc);
	l->items[l->nr++] = (struct link){ a->site, a->callee, .measured = a->count };
}

static int
link_compare(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* Code that was not profiled can call what it can name or was given the address of. */
static bool
callable_from_outside(const struct model_procedure *p)
{
	return !(p->flags & PROCEDURE_STATIC) || (p->flags & (PROCEDURE_TAKEN | PROCEDURE_MAIN));
}

/* Each once. */
static void
links_sort(struct links *l)
{
	size_t n = 0;

	if (l->nr)
		qsort(l->items, l->nr, sizeof(*l->items), link_compare);
	for (size_t i = 0; i < l->nr; i++) {
		if (!n || link_compare(&l->items[n - 1], &l->items[i])) {
			l->items[n++] = l->items[i];
			continue;
		}
		l->items[n - 1].candidate |= l->items[i].candidate;
		l->items[n - 1].measured += l->items[i].measured;
	}
	l->nr = n;
}

/* The candidates, an arc from outside to each procedure that can have one, an arc to outside from
 * each site that has no candidate, and what was measured; sorted. */
static int
links_collect(struct links *l, const struct model *m, const struct candidate *candidates, size_t nr,
	      struct error *err)
{
	bool *seen = xcalloc(m->nr_sites + 1, sizeof(*seen));
	int status = 0;

	for (size_t i = 0; i < nr && !status; i++) {
		if (candidates[i].site > m->nr_sites || candidates[i].callee > m->nr_procedures ||
		    (!candidates[i].site && !candidates[i].callee)) {
			status = error_set(err, "the tables name a call that does not exist");
			break;
		}
		links_add(l, candidates[i].site, candidates[i].callee);
		seen[candidates[i].site] = true;
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		if (!seen[i + 1])
			links_add(l, (model_id)(i + 1), 0);
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (callable_from_outside(&m->procedures[i]))
			links_add(l, 0, (model_id)(i + 1));
	for (size_t i = 0; i < m->nr_arcs; i++)
		links_add_measured(l, &m->arcs[i]);
	free(seen);
	links_sort(l);
	return status;
}

static int
status_error(enum flow_status status, struct error *err)
{
	return error_set(err, status == FLOW_NO_MEMORY ? "out of memory while solving for calls" :
			 "the calls cannot be solved for: the counts are damaged");
}

/* ---- what the sampled stacks say ---- */

static size_t
links_find(const struct links *l, model_id site, model_id callee)
{
	struct link key = { .site = site, .callee = callee }, *found;

	found = bsearch(&key, l->items, l->nr, sizeof(key), link_compare);
	return found ? (size_t)(found - l->items) : l->nr;
}

/* Samples below each link, and below each procedure by whatever link. */
static void
count_samples(const struct links *l, const struct model *m, double *below, double *inclusive)
{
	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		size_t k;

		if (!c->procedure)
			continue;
		inclusive[c->procedure - 1] += (double)c->total_samples;
		k = c->site ? links_find(l, c->site, c->procedure) : l->nr;
		if (k < l->nr)
			below[k] += (double)c->total_samples;
	}
}

/* A sample says how long a call took, not how often there was one: a slow callee is seen more
 * often. The share of a callee's samples that lie below a site, times its entries, is the number
 * of calls that the samples suggest. Per site these are scaled to the samples that there are, as a
 * measure of how much they are worth. */
static void
scale_samples(const struct links *l, const struct model *m, double *below, const double *inclusive)
{
	size_t end;

	for (size_t i = 0; i < l->nr; i = end) {
		double samples = 0, calls = 0;

		for (end = i; end < l->nr && l->items[end].site == l->items[i].site; end++) {
			model_id callee = l->items[end].callee;

			samples += below[end];
			if (below[end] > 0)
				below[end] *= (double)m->procedures[callee - 1].calls /
					      inclusive[callee - 1];
			calls += below[end];
		}
		for (size_t k = i; k < end && calls > 0; k++)
			below[k] *= samples / calls;
	}
}

/* Per link, heap; NULL when there are no samples. */
static double *
find_prior(const struct links *l, const struct model *m)
{
	double *below, *inclusive;

	if (!m->nr_contexts)
		return NULL;
	below = xcalloc(l->nr, sizeof(*below));
	inclusive = xcalloc(m->nr_procedures, sizeof(*inclusive));
	count_samples(l, m, below, inclusive);
	scale_samples(l, m, below, inclusive);
	free(inclusive);
	return below;
}

/* ---- what was measured ---- */

/* Calls that were noted but not counted, or counted but without an entry: of a program that was
 * killed between the one and the other. The counts are believed. */
static void
cut(struct link *k, uint64_t *left, uint64_t *excess)
{
	if (k->measured > *left) {
		*excess += k->measured - *left;
		k->measured = *left;
	}
	*left -= k->measured;
}

static void
tell_measured(struct model *m, const struct links *l, uint64_t excess)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct link *k = &l->items[i];

		if (k->measured && !k->candidate && k->callee)
			model_note(m, "flow", "%s was called through a pointer that should not "
				   "reach it: its type is another one, or its address is taken in "
				   "code that was not profiled",
				   m->procedures[k->callee - 1].name);
	}
	if (excess)
		model_note(m, "flow", "%" PRIu64 " calls through pointers were noted that were not "
			   "counted, or did not arrive: the program was killed meanwhile", excess);
}

/* What was measured is no unknown: what is left of the sites' and procedures' counts is solved. */
static void
take_measured(struct model *m, struct links *l, uint64_t *sites, uint64_t *procedures)
{
	uint64_t excess = 0;

	for (size_t i = 0; i < l->nr; i++) {
		struct link *k = &l->items[i];
		uint64_t all = k->measured;

		if (!all || !k->site)
			continue;
		cut(k, &sites[k->site - 1], &excess);
		if (!k->callee)
			continue;
		all = k->measured;
		cut(k, &procedures[k->callee - 1], &excess);
		sites[k->site - 1] += all - k->measured;
	}
	tell_measured(m, l, excess);
}

/* ---- arcs ---- */

static int
solve_links(struct links *l, struct model *m, struct flow_result *result,
	    struct error *err)
{
	uint64_t *sites = xcalloc(m->nr_sites, sizeof(*sites));
	uint64_t *procedures = xcalloc(m->nr_procedures, sizeof(*procedures));
	struct flow_arc *arcs = xcalloc(l->nr, sizeof(*arcs));
	double *prior = find_prior(l, m);
	struct flow_options options = { .estimator = FLOW_ENTROPY, .bounds = FLOW_BOUNDS_SMALL,
					.prior = prior };
	struct flow_problem problem = {
		.nr_sites = m->nr_sites, .nr_procedures = m->nr_procedures, .nr_arcs = l->nr,
		.site_count = sites, .procedure_count = procedures, .arcs = arcs,
	};
	enum flow_status status;

	for (size_t i = 0; i < m->nr_sites; i++)
		sites[i] = m->sites[i].count;
	for (size_t i = 0; i < m->nr_procedures; i++)
		procedures[i] = m->procedures[i].calls;
	take_measured(m, l, sites, procedures);
	for (size_t i = 0; i < l->nr; i++)
		arcs[i] = (struct flow_arc){ (int32_t)l->items[i].site - 1,
					     (int32_t)l->items[i].callee - 1 };
	status = flow_solve(&problem, &options, result);
	free(sites);
	free(procedures);
	free(arcs);
	free(prior);
	return status ? status_error(status, err) : 0;
}

/* Direct sites keep their arc when it was never taken; what cannot have been taken through a
 * pointer or from outside is left out. */
static bool
worth_keeping(const struct model *m, model_id site, uint64_t hi)
{
	return hi || (site && m->sites[site - 1].kind == SITE_DIRECT);
}

static void
store_arcs(struct model *m, const struct links *l, const struct flow_result *r)
{
	struct model_arc *a;

	m->nr_arcs = 0;
	for (size_t i = 0; i < l->nr; i++) {
		uint64_t measured = l->items[i].measured;

		if (!worth_keeping(m, l->items[i].site, measured + r->hi[i]))
			continue;
		a = MODEL_ADD(m, arcs);
		a->site = l->items[i].site;
		a->callee = l->items[i].callee;
		a->how = r->how[i] != FLOW_SOLVED ? ARC_ESTIMATED :
			 measured && !r->hi[i] ? ARC_MEASURED : ARC_SOLVED;
		a->count = measured + r->count[i];
		a->lo = measured + r->lo[i];
		a->hi = measured + r->hi[i];
	}
}

/* ---- what does not fit ---- */

static void
store_residuals(struct model *m, const struct flow_result *r)
{
	uint64_t calls = 0, entries = 0;
	size_t nr_sites = 0, nr_procedures = 0;

	for (size_t i = 0; i < m->nr_sites; i++) {
		m->sites[i].calls_without_entry = r->site_residual[i];
		calls += r->site_residual[i];
		nr_sites += r->site_residual[i] != 0;
	}
	for (size_t i = 0; i < m->nr_procedures; i++) {
		m->procedures[i].calls_without_site = r->procedure_residual[i];
		entries += r->procedure_residual[i];
		nr_procedures += r->procedure_residual[i] != 0;
	}
	if (nr_sites)
		model_note(m, "flow",
			   "%" PRIu64 " calls from %zu call sites have no entry (the program "
			   "was ended within a call, or a caller is counted and its callee is not)",
			   calls, nr_sites);
	if (nr_procedures)
		model_note(m, "flow",
			   "%" PRIu64 " entries of %zu procedures have no call (called from "
			   "code that was not profiled in a way that the tables do not show)",
			   entries, nr_procedures);
}

int
model_solve(struct model *m, const struct candidate *candidates, size_t nr, struct error *err)
{
	struct flow_result result = { 0 };
	struct links links = { 0 };
	int status;

	status = links_collect(&links, m, candidates, nr, err);
	if (!status)
		status = solve_links(&links, m, &result, err);
	if (!status) {
		store_arcs(m, &links, &result);
		store_residuals(m, &result);
		status = model_aggregate(m, err);
	}
	flow_result_release(&result);
	free(links.items);
	return status;
}
