/* truth RAW...: how good are the estimates? The programs must have noted whom their calls through
 * pointers reached (cgcc --cgview-flags=targets). Their raw profiles are solved without using that,
 * by each rule, and compared with it. A line per rule:
 *
 *	RULE CALLS FREE_CALLS FREE_ARCS MISPLACED WRONG
 *
 * CALLS through pointers; those of them on arcs that the equations leave open, and how many arcs
 * these are; how many of the calls the estimate puts on another arc than they belong to; arcs whose
 * truth is not within their interval, or that were solved but are not so (there must be none). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import.h"
#include "solve/solution.h"
#include "solve/solve.h"

struct truth {
	struct model_arc *arcs;        /* sorted by site and callee */
	size_t nr;
	uint64_t *noted;               /* per site: calls whose callee is known */
};

struct score {
	uint64_t calls, free_calls, free_arcs, moved, wrong;
};

static const struct {
	const char *name;
	enum flow_estimator estimator;
	bool samples;
} rules[] = {
	{ "even", FLOW_EVEN, false },
	{ "entropy", FLOW_ENTROPY, false },
	{ "sparse", FLOW_SPARSE, false },
	{ "samples", FLOW_ENTROPY, true },
};

static int
compare(const void *a, const void *b)
{
	const struct model_arc *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void
keep_truth(struct truth *t, const struct model *m)
{
	t->nr = m->nr_arcs;
	t->arcs = xcalloc(m->nr_arcs, sizeof(*t->arcs));
	memcpy(t->arcs, m->arcs, m->nr_arcs * sizeof(*t->arcs));
	qsort(t->arcs, t->nr, sizeof(*t->arcs), compare);
	t->noted = xcalloc(m->nr_sites, sizeof(*t->noted));
	for (size_t i = 0; i < t->nr; i++)
		t->noted[t->arcs[i].site - 1] += t->arcs[i].measured;
}

/* Is it known of all calls of this site whom they reached? */
static bool
known(const struct truth *t, const struct model *m, model_id site)
{
	return m->sites[site - 1].kind == SITE_INDIRECT &&
	       t->noted[site - 1] == m->sites[site - 1].count;
}

static uint64_t
true_count(const struct truth *t, model_id site, model_id callee)
{
	struct model_arc key = { .site = site, .callee = callee }, *a;

	a = t->nr ? bsearch(&key, t->arcs, t->nr, sizeof(key), compare) : NULL;
	return a ? a->measured : 0;
}

static void
tell_wrong(const struct model *m, const struct model_arc *a, uint64_t truth)
{
	const struct model_site *s = &m->sites[a->site - 1];

	fprintf(stderr, "%s:%u:%u to %s: %" PRIu64 ", but %" PRIu64 "..%" PRIu64 " was solved\n",
		m->procedures[s->procedure - 1].name, s->place.line, s->place.column,
		a->callee ? m->procedures[a->callee - 1].name : "outside", truth, a->lo, a->hi);
}

static void
score_arc(struct score *s, const struct truth *t, const struct model *m, const struct model_arc *a)
{
	uint64_t truth = true_count(t, a->site, a->callee);

	if (truth < a->lo || truth > a->hi) {
		s->wrong++;
		tell_wrong(m, a, truth);
	}
	if (a->how != ARC_ESTIMATED && a->how != ARC_PINNED)
		return;
	s->free_arcs++;
	s->free_calls += truth;
	s->moved += truth > a->count ? truth - a->count : a->count - truth;
}

/* What was measured but is not even a candidate. */
static void
score_missing(struct score *s, const struct truth *t, const struct model *m)
{
	for (size_t i = 0; i < t->nr; i++) {
		const struct model_arc *a = &t->arcs[i];
		struct model_arc none = { .site = a->site, .callee = a->callee };
		bool found = !known(t, m, a->site);

		s->calls += found ? 0 : a->measured;
		for (size_t k = 0; k < m->nr_arcs && !found; k++)
			found = !compare(&m->arcs[k], a);
		if (!found) {
			s->wrong++;
			tell_wrong(m, &none, a->measured);
		}
	}
}

/* Solve once more, by another rule. */
static int
solve_by(struct model *m, unsigned rule, struct error *err)
{
	struct solution *s;
	uint64_t excess;
	int status;

	s = solution_open(m, rules[rule].samples, &excess, err);
	if (!s)
		return -1;
	solution_store_facts(s, m);
	status = solution_estimator(s, rules[rule].estimator, err);
	if (!status)
		solution_store_counts(s, m);
	solution_close(s);
	return status;
}

static int
score_rule(const struct truth *t, struct model *m, unsigned rule, struct error *err)
{
	struct score s = { 0 };

	if (solve_by(m, rule, err))
		return -1;
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (m->arcs[i].site && known(t, m, m->arcs[i].site))
			score_arc(&s, t, m, &m->arcs[i]);
	score_missing(&s, t, m);
	printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", rules[rule].name,
	       s.calls, s.free_calls, s.free_arcs, s.moved / 2, s.wrong);
	return 0;
}

int
main(int argc, char **argv)
{
	struct candidates found = { .nr = 0 };
	struct error err = ERROR_INIT;
	struct truth t = { .nr = 0 };
	struct model m;
	int status;

	model_init(&m);
	status = import_raw(&m, (const char *const *)argv + 1, (size_t)argc - 1, true, NULL, &found,
			    &err);
	if (!status) {
		keep_truth(&t, &m);
		m.nr_arcs = 0;
		status = model_solve(&m, found.items, found.nr, &err);
	}
	for (unsigned i = 0; i < sizeof(rules) / sizeof(*rules) && !status; i++)
		status = score_rule(&t, &m, i, &err);
	if (status)
		fprintf(stderr, "truth: %s\n", err.text);
	free(t.arcs);
	free(t.noted);
	candidates_release(&found);
	model_release(&m);
	return status ? 1 : 0;
}
