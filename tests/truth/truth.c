/* truth RAW...: how good are the estimates? The programs must have noted whom their calls through
 * pointers reached (cgcc --cgview-flags=targets). Their raw profiles are solved without using that,
 * by each rule, and compared with it. A line per rule:
 *
 *	RULE CALLS FREE_CALLS FREE_ARCS MISPLACED WRONG
 *
 * CALLS through pointers; those of them on arcs that the equations leave open, and how many arcs
 * these are; how many of the calls the estimate puts on another arc than they belong to; arcs whose
 * truth is not within their interval, or that were solved but are not so (there must be none); the
 * share of the run's samples that is not with the true caller.
 *
 * Without RAW, an instance comes from standard input, as --store writes it. --arcs lists the arcs
 * of open sites instead, as the default rule estimates them:
 *
 *	SITE CALLEE TRUTH COUNT LO HI ALL LO_95 HI_95 LO_90 HI_90
 *
 * ALL calls of the callee that are estimated; the rest is likely with 95 and 90 %. They are -1
 * where no samples tell. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/import.h"
#include "db/lists/likely_calls.h"
#include "solve/solution.h"
#include "solve/solve.h"

struct truth {
	struct model_arc *arcs;        /* sorted by site and callee */
	size_t nr;
	uint64_t *noted;               /* per site: calls whose callee is known */
	bool *open;                    /* per site: counts alone leave it open */
};

struct score {
	uint64_t calls, free_calls, free_arcs, moved, wrong;
	double time;                   /* samples that are not with the true caller */
};

static const struct {
	const char *name;
	enum flow_estimator estimator;
} rules[] = {
	{ "likely", FLOW_LIKELY },
	{ "even", FLOW_EVEN },
	{ "entropy", FLOW_ENTROPY },
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

/* Solves without what stacks prove: which sites do counts alone leave open? */
static int
find_open(struct truth *t, struct model *m, const struct candidates *c, struct error *err)
{
	struct candidate *items = xcalloc(c->nr, sizeof(*items));
	int status;

	for (size_t i = 0; i < c->nr; i++) {
		items[i] = c->items[i];
		items[i].seen = false;
	}
	m->nr_arcs = 0;
	status = model_solve(m, items, c->nr, err);
	t->open = xcalloc(m->nr_sites + 1, sizeof(*t->open));
	for (size_t i = 0; i < m->nr_arcs && !status; i++)
		t->open[m->arcs[i].site] |= m->arcs[i].how == ARC_ESTIMATED;
	free(items);
	return status;
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
	if (!t->open[a->site])
		return;
	s->free_arcs += a->how == ARC_ESTIMATED || a->how == ARC_PINNED;
	s->free_calls += truth;
	s->moved += truth > a->count ? truth - a->count : a->count - truth;
	if (a->callee && truth > a->count && m->procedures[a->callee - 1].calls)
		s->time += (double)m->procedures[a->callee - 1].total_samples *
			   (double)(truth - a->count) /
			   (double)m->procedures[a->callee - 1].calls;
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

	s = solution_open(m, &excess, err);
	if (!s)
		return -1;
	solution_store_facts(s, m);
	status = solution_estimator(s, rules[rule].estimator, err);
	if (!status)
		solution_store_counts(s, m);
	solution_close(s);
	return status;
}

static double
samples_of(const struct model *m)
{
	double n = 0;

	for (size_t i = 0; i < m->nr_procedures; i++)
		n += (double)m->procedures[i].self_samples;
	return n > 0 ? n : 1;
}

/* ---- intervals that rest on samples ---- */

/* Returns by site whether samples were seen there, heap. */
static bool *
seen_sites(const struct model *m)
{
	bool *seen = xcalloc(m->nr_sites + 1, sizeof(*seen));

	for (size_t i = 0; i < m->nr_contexts; i++)
		seen[m->contexts[i].site] |= m->contexts[i].total_samples > 0;
	return seen;
}

/* As the list of arcs has it (db/lists/list_spec.c). */
static bool
rests_on_samples(const struct model_arc *a, const bool *seen)
{
	return a->how == ARC_ESTIMATED && a->callee && seen[a->site];
}

static void
list_arc(const struct truth *t, const struct model *m, const struct model_arc *a, const bool *seen)
{
	static const enum likely_level levels[] = { LIKELY_95, LIKELY_90 };
	bool rests = rests_on_samples(a, seen);
	double all = 0, of = 0;

	for (size_t i = 0; i < m->nr_arcs && rests; i++) {
		const struct model_arc *other = &m->arcs[i];

		if (other->callee != a->callee || other->how != ARC_ESTIMATED || other->through)
			continue;
		all += (double)other->count;
		of += (double)other->total_samples;
	}
	printf("%u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, a->site, a->callee,
	       true_count(t, a->site, a->callee), a->count, a->lo, a->hi);
	printf(" %.0f", of > 0 ? all : -1);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		struct likely_calls l = { .lo = a->lo, .hi = a->hi };

		if (of > 0) {
			likely_calls(&l, levels[i], a->count, all, (double)a->total_samples, of);
			printf(" %" PRIu64 " %" PRIu64, l.lo, l.hi);
		} else {
			printf(" -1 -1");
		}
	}
	putchar('\n');
}

static void
list_arcs(const struct truth *t, const struct model *m)
{
	bool *seen = seen_sites(m);

	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];

		if (a->site && t->open[a->site] && known(t, m, a->site))
			list_arc(t, m, a, seen);
	}
	free(seen);
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
	printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.4f\n",
	       rules[rule].name, s.calls, s.free_calls, s.free_arcs, s.moved / 2, s.wrong,
	       s.time / samples_of(m));
	return 0;
}

/* ---- instances: the numbers that are solved, without names and texts ---- */

static void
store(FILE *f, const struct model *m, const struct candidates *c)
{
	fprintf(f, "%zu %zu %zu %zu %zu\n", m->nr_procedures, m->nr_sites, m->nr_arcs, c->nr,
		m->nr_contexts);
	for (size_t i = 0; i < m->nr_procedures; i++) {
		const struct model_procedure *p = &m->procedures[i];

		fprintf(f, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", p->flags, p->calls,
			p->self_samples, p->total_samples);
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		fprintf(f, "%u %d %" PRIu64 "\n", m->sites[i].procedure, m->sites[i].kind,
			m->sites[i].count);
	for (size_t i = 0; i < m->nr_arcs; i++)
		fprintf(f, "%u %u %" PRIu64 "\n", m->arcs[i].site, m->arcs[i].callee,
			m->arcs[i].measured);
	for (size_t i = 0; i < c->nr; i++)
		fprintf(f, "%u %u %d\n", c->items[i].site, c->items[i].callee,
			c->items[i].through | c->items[i].seen << 1 | (int)c->items[i].unlike << 2);
	for (size_t i = 0; i < m->nr_contexts; i++)
		fprintf(f, "%u %u %u %" PRIu64 "\n", m->contexts[i].parent,
			m->contexts[i].procedure, m->contexts[i].site,
			m->contexts[i].self_samples);
}

static uint64_t
number(FILE *f)
{
	uint64_t n;

	if (fscanf(f, "%" SCNu64, &n) != 1) {
		fprintf(stderr, "truth: the instance is cut off\n");
		exit(1);
	}
	return n;
}

static void
load_calls(FILE *f, struct model *m, size_t nr_arcs, struct candidates *c, size_t nr_candidates)
{
	for (size_t i = 0; i < nr_arcs; i++) {
		struct model_arc *a = MODEL_ADD(m, arcs);

		a->site = (model_id)number(f);
		a->callee = (model_id)number(f);
		a->measured = number(f);
	}
	c->items = xcalloc(nr_candidates, sizeof(*c->items));
	for (; c->nr < nr_candidates; c->nr++) {
		struct candidate *k = &c->items[c->nr];
		uint64_t flags;

		k->site = (model_id)number(f);
		k->callee = (model_id)number(f);
		flags = number(f);
		k->through = flags & 1;
		k->seen = flags & 2;
		k->unlike = flags >> 2 & 3;
	}
}

static void
load_contexts(FILE *f, struct model *m, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct model_context *x = MODEL_ADD(m, contexts);

		x->parent = (model_id)number(f);
		x->procedure = (model_id)number(f);
		x->site = (model_id)number(f);
		x->self_samples = x->total_samples = number(f);
	}
	for (size_t i = nr; i-- > 0;) /* parents stand before children */
		if (m->contexts[i].parent)
			m->contexts[m->contexts[i].parent - 1].total_samples +=
				m->contexts[i].total_samples;
}

static void
load(FILE *f, struct model *m, struct candidates *c)
{
	size_t nr_procedures = number(f), nr_sites = number(f), nr_arcs = number(f);
	size_t nr_candidates = number(f), nr_contexts = number(f);

	for (size_t i = 0; i < nr_procedures; i++) {
		struct model_procedure *p = MODEL_ADD(m, procedures);

		p->name = "a procedure";
		p->place.line = (uint32_t)i;
		p->flags = (uint32_t)number(f);
		p->calls = number(f);
		p->self_samples = p->self_ns = number(f);
		p->total_samples = p->total_ns = number(f);
	}
	for (size_t i = 0; i < nr_sites; i++) {
		struct model_site *s = MODEL_ADD(m, sites);

		s->place.line = (uint32_t)i;
		s->procedure = (model_id)number(f);
		s->kind = number(f) ? SITE_INDIRECT : SITE_DIRECT;
		s->count = number(f);
	}
	load_calls(f, m, nr_arcs, c, nr_candidates);
	load_contexts(f, m, nr_contexts);
}

int
main(int argc, char **argv)
{
	struct candidates found = { .nr = 0 };
	struct error err = ERROR_INIT;
	struct truth t = { .nr = 0 };
	bool stores = argc > 1 && !strcmp(argv[1], "--store");
	bool lists = argc > 1 && !strcmp(argv[1], "--arcs");
	int first = 1 + (stores || lists);
	size_t nr = (size_t)(argc - first);
	struct model m;
	int status = 0;

	model_init(&m);
	if (argc == first)
		load(stdin, &m, &found);
	else
		status = import_raw(&m, (const char *const *)argv + first, nr,
				    &(struct import_runs){ &nr, 1 }, NULL, &found, &err);
	if (stores && !status)
		store(stdout, &m, &found);
	if (!status) {
		keep_truth(&t, &m);
		status = find_open(&t, &m, &found, &err);
	}
	m.nr_arcs = 0;
	if (!status)
		status = model_solve(&m, found.items, found.nr, &err);
	if (lists && !status)
		list_arcs(&t, &m);
	for (unsigned i = 0; i < sizeof(rules) / sizeof(*rules) && !status && first == 1; i++)
		status = score_rule(&t, &m, i, &err);
	if (status)
		fprintf(stderr, "truth: %s\n", err.text);
	free(t.arcs);
	free(t.noted);
	free(t.open);
	candidates_release(&found);
	model_release(&m);
	return status ? 1 : 0;
}
