/* Calls from outside shared among the sites that handed the callee's address out: models made by
 * hand. Sites 1 and 2 (executed 3 times and once) and site 3 (never) call qsort or the like and
 * pass the address of procedure 2; procedure 1 is main, procedure 2 was entered 100 times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solution.h"
#include "solve/solve.h"
#include "solve/callback_arcs.h"

enum { MAIN = 1, COMPARE };
enum { SITE_A = 1, SITE_B, SITE_IDLE, SITE_POINTER };

struct arc_bounds { uint64_t lo, hi; };
static const uint64_t site_counts[] = { 3, 1, 0, 10 };

static void
make_model(struct model *m, uint32_t flags, uint64_t entries)
{
	model_init(m);
	MODEL_ADD(m, procedures)->calls = 1;
	m->procedures[0].name = "main";
	m->procedures[0].flags = PROCEDURE_MAIN;
	MODEL_ADD(m, procedures)->calls = entries;
	m->procedures[1].name = "compare";
	m->procedures[1].flags = flags;
	for (size_t i = 0; i < sizeof(site_counts) / sizeof(*site_counts); i++) {
		struct model_site *s = MODEL_ADD(m, sites);

		s->procedure = MAIN;
		s->kind = i + 1 == SITE_POINTER ? SITE_INDIRECT : SITE_DIRECT;
		s->count = site_counts[i];
	}
}

/* Of the calls from outside of COMPARE, those through SITE (0: the plain arc). */
static const struct model_arc *
find_through(const struct model *m, model_id site)
{
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (!m->arcs[i].site && m->arcs[i].callee == COMPARE && m->arcs[i].through == site)
			return &m->arcs[i];
	return NULL;
}

static bool
through_is(const struct model *m, model_id site, enum arc_how how, uint64_t count, uint64_t lo,
	   uint64_t hi)
{
	const struct model_arc *a = find_through(m, site);

	return a && a->how == how && a->count == count && a->lo == lo && a->hi == hi;
}

static uint64_t
sum_from_outside(const struct model *m)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->nr_arcs; i++)
		if (!m->arcs[i].site && m->arcs[i].callee == COMPARE)
			sum += m->arcs[i].count;
	return sum;
}

static bool
report(bool good, const char *name)
{
	printf("%s - through: %s\n", good ? "ok" : "not ok", name);
	return good;
}

enum { PASSED = PROCEDURE_STATIC | PROCEDURE_TAKEN | PROCEDURE_PASSED,
       KEPT = PROCEDURE_STATIC | PROCEDURE_TAKEN };

static bool
solve(struct model *m, const struct candidate *candidates, size_t nr)
{
	struct error err = ERROR_INIT;

	return !model_solve(m, candidates, nr, &err);
}

/* Handed out nowhere else, and of the calls that did so only one was executed. */
static bool
check_exact(void)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = 0 },
		{ .site = SITE_A, .callee = COMPARE, .through = true },
		{ .site = SITE_IDLE, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, PASSED, 100);
	good = solve(&m, all, 3) && through_is(&m, SITE_A, ARC_SOLVED, 100, 100, 100) &&
	       !find_through(&m, 0) && !find_through(&m, SITE_IDLE);
	model_release(&m);
	return report(good, "one call that was executed hands it out: exact");
}

/* Nobody knows who got how many: 3 to 1, as the calls were executed. */
static bool
check_two(void)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = COMPARE, .through = true },
		{ .site = SITE_B, .callee = COMPARE, .through = true },
		{ .site = SITE_IDLE, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, PASSED, 100);
	good = solve(&m, all, 3) && through_is(&m, SITE_A, ARC_ESTIMATED, 75, 0, 100) &&
	       through_is(&m, SITE_B, ARC_ESTIMATED, 25, 0, 100) && !find_through(&m, 0);
	model_release(&m);
	return report(good, "two calls share");
}

/* Its address goes elsewhere, too, or everybody can name it: outside may call it by itself. */
static bool
check_kept(uint32_t flags, const char *name)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, flags, 100);
	good = solve(&m, all, 1) && through_is(&m, SITE_A, ARC_ESTIMATED, 100, 0, 100) &&
	       through_is(&m, 0, ARC_ESTIMATED, 0, 0, 100);
	model_release(&m);
	return report(good, name);
}

/* No call that hands it out was executed: it came from elsewhere. */
static bool
check_idle(void)
{
	static const struct candidate all[] = {
		{ .site = SITE_IDLE, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, PASSED, 100);
	good = solve(&m, all, 1) && through_is(&m, 0, ARC_SOLVED, 100, 100, 100) &&
	       !find_through(&m, SITE_IDLE);
	model_release(&m);
	return report(good, "handed out only where nothing was executed");
}

/* What the stacks tell counts more than how often the calls were executed: 1 of 10 samples is
 * below A. */
static bool
check_samples(void)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = COMPARE, .through = true },
		{ .site = SITE_B, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, PASSED, 100);
	for (model_id site = SITE_A; site <= SITE_B; site++) {
		struct model_context *c = MODEL_ADD(&m, contexts); /* qsort, below its call */

		c->site = site;
		c->total_samples = site == SITE_A ? 1 : 9;
		c->total_ns = c->total_samples * 1000;
		c = MODEL_ADD(&m, contexts);
		c->parent = (model_id)m.nr_contexts - 1;
		c->procedure = COMPARE;
		c->self_samples = c->total_samples = site == SITE_A ? 1 : 9;
		c->self_ns = c->total_ns = c->total_samples * 1000;
	}
	good = solve(&m, all, 2) && through_is(&m, SITE_A, ARC_ESTIMATED, 10, 0, 100) &&
	       through_is(&m, SITE_B, ARC_ESTIMATED, 90, 0, 100);
	model_release(&m);
	return report(good, "sampled stacks decide");
}

/* Adds N samples of COMPARE, below code that was not profiled, which SITE called (0: nobody, as at
 * the root of a thread), in the stack of context UP. Returns its context. */
static model_id
add_samples(struct model *m, model_id up, model_id site, uint64_t n)
{
	for (model_id procedure = 0; procedure <= COMPARE; procedure += COMPARE) {
		struct model_context *c = MODEL_ADD(m, contexts);

		c->parent = procedure ? (model_id)m->nr_contexts - 1 : up;
		c->site = procedure ? 0 : site;
		c->procedure = procedure;
		c->total_samples = n;
		c->total_ns = n * 1000;
	}
	return (model_id)m->nr_contexts;
}

/* All stacks stand below B, which is not known to hand it out: A has none of the calls. If B is
 * qsort, it is known to call it by that; else the calls are those from outside. */
static bool
check_elsewhere(const char *target, const char *name)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = COMPARE, .through = true },
	};
	bool named = !strcmp(target, "qsort"), good;
	struct model m;

	make_model(&m, KEPT, 100);
	for (size_t i = 0; i < m.nr_sites; i++)
		m.sites[i].target = i + 1 == SITE_B ? target : "bsearch";
	add_samples(&m, 0, SITE_A, 10);
	add_samples(&m, 0, SITE_B, 90);
	good = solve(&m, all, 1) && through_is(&m, SITE_A, ARC_ESTIMATED, 10, 0, 100) &&
	       through_is(&m, 0, ARC_ESTIMATED, named ? 0 : 90, 0, 100) &&
	       (named ? through_is(&m, SITE_B, ARC_ESTIMATED, 90, 0, 100)
		      : !find_through(&m, SITE_B));
	model_release(&m);
	return report(good, name);
}

/* The roots of threads tell nothing of who handed them out. */
static bool
check_roots(void)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = COMPARE, .through = true },
		{ .site = SITE_B, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, KEPT, 100);
	add_samples(&m, 0, 0, 90);
	good = solve(&m, all, 2) && through_is(&m, SITE_A, ARC_ESTIMATED, 75, 0, 100) &&
	       through_is(&m, SITE_B, ARC_ESTIMATED, 25, 0, 100) &&
	       through_is(&m, 0, ARC_ESTIMATED, 0, 0, 100);
	model_release(&m);
	return report(good, "roots of threads are nobody's");
}

/* COMPARE below A calls B, and is called by that: of 100 samples 80 are those of the inner one. */
static bool
check_recursion(void)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = COMPARE, .through = true },
		{ .site = SITE_B, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, PASSED, 100);
	m.sites[SITE_B - 1].procedure = COMPARE;
	add_samples(&m, add_samples(&m, 0, SITE_A, 100), SITE_B, 80);
	good = solve(&m, all, 2) && through_is(&m, SITE_A, ARC_ESTIMATED, 20, 0, 100) &&
	       through_is(&m, SITE_B, ARC_ESTIMATED, 80, 0, 100);
	model_release(&m);
	return report(good, "a stack counts for the innermost call");
}

/* Types say that A called COMPARE and B main, and stacks that it was the other way round: all four
 * estimates are marked; not without these, nor with those that agree. */
static bool
check_contradicted(bool other_way, uint64_t n, bool want, const char *name)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = MAIN, .unlike = UNLIKE_OTHER },
		{ .site = SITE_A, .callee = COMPARE },
		{ .site = SITE_B, .callee = MAIN },
		{ .site = SITE_B, .callee = COMPARE, .unlike = UNLIKE_OTHER },
	};
	bool good = true;
	size_t marked = 0;
	struct model m;

	make_model(&m, KEPT, 100);
	m.procedures[0].calls = 100;
	m.procedures[0].flags = KEPT;
	for (model_id site = SITE_A; site <= SITE_B; site++) {
		bool compare = (site == SITE_A) != other_way;
		struct model_context *c;
		model_id up;

		m.sites[site - 1].kind = SITE_INDIRECT;
		m.sites[site - 1].count = 100;
		m.sites[site - 1].total_samples = n;
		c = MODEL_ADD(&m, contexts); /* the caller */
		c->procedure = MAIN;
		c->total_samples = c->total_ns = n;
		up = (model_id)m.nr_contexts;
		c = MODEL_ADD(&m, contexts);
		c->parent = up;
		c->site = site;
		c->procedure = compare ? COMPARE : MAIN;
		c->total_samples = c->total_ns = n;
	}
	m.procedures[0].total_ns = m.procedures[1].total_ns = n;
	m.procedures[0].total_samples = m.procedures[1].total_samples = n;
	good = solve(&m, all, 4);
	for (size_t i = 0; i < m.nr_arcs; i++)
		marked += m.arcs[i].site && m.arcs[i].callee == COMPARE && m.arcs[i].differs;
	model_release(&m);
	return report(good && (marked == 2) == want && (want || !marked), name);
}

/* A pointer can reach it, too (10 calls, or of outside): 90 to 100 are from outside. A pin of the
 * pointer's calls leaves the rest to those. */
static bool
check_pin(void)
{
	static const struct candidate all[] = {
		{ .site = SITE_POINTER, .callee = COMPARE }, { .site = SITE_POINTER, .callee = 0 },
		{ .site = SITE_A, .callee = COMPARE, .through = true },
		{ .site = SITE_B, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, PASSED, 100);
	good = solve(&m, all, 4) && sum_from_outside(&m) >= 90 && sum_from_outside(&m) <= 100 &&
	       find_through(&m, SITE_A)->hi == 100;
	model_release(&m);
	for (uint64_t pin = 0; pin <= 10; pin += 5) {
		make_model(&m, PASSED, 100);
		*MODEL_ADD(&m, pins) = (struct model_pin){ "p", SITE_POINTER, COMPARE, pin };
		good = good && solve(&m, all, 4) && sum_from_outside(&m) == 100 - pin &&
		       find_through(&m, SITE_A)->count + find_through(&m, SITE_B)->count ==
			       100 - pin &&
		       find_through(&m, SITE_A)->lo == 0 && find_through(&m, SITE_A)->hi == 100;
		model_release(&m);
	}
	return report(good, "what is left by a pin is shared");
}

/* What a call hands to pthread_create is called once for it at most; A was executed 3 times, B
 * once. WANT: of A and of B. */
static bool
check_once(uint32_t flags, uint64_t entries, const struct arc_bounds *want, const char *name)
{
	static const struct candidate all[] = {
		{ .site = SITE_A, .callee = COMPARE, .through = true },
		{ .site = SITE_B, .callee = COMPARE, .through = true },
		{ .site = SITE_IDLE, .callee = COMPARE, .through = true },
	};
	struct model m;
	bool good;

	make_model(&m, flags, entries);
	for (size_t i = 0; i < m.nr_sites; i++)
		m.sites[i].target = "pthread_create";
	good = solve(&m, all, 3) && sum_from_outside(&m) == entries;
	for (model_id site = SITE_A; site <= SITE_B && good; site++, want++) {
		const struct model_arc *a = find_through(&m, site);

		good = a && a->lo == want->lo && a->hi == want->hi && a->lo <= a->count &&
		       a->count <= a->hi && (a->how == ARC_SOLVED) == (a->lo == a->hi);
	}
	model_release(&m);
	return report(good, name);
}

static bool
check_once_each(void)
{
	static const struct arc_bounds both[] = { { 3, 3 }, { 1, 1 } };
	static const struct arc_bounds less[] = { { 1, 2 }, { 0, 1 } };
	static const struct arc_bounds more[] = { { 0, 100 }, { 0, 100 } };
	static const struct arc_bounds kept[] = { { 0, 3 }, { 0, 1 } };
	bool good = check_once(PASSED, 4, both, "a thread for each call: exact");

	good = check_once(PASSED, 2, less, "... fewer threads than calls") && good;
	good = check_once(PASSED, 100, more, "... more than calls: some were not counted") && good;
	return check_once(KEPT, 100, kept, "... its address is also kept") && good;
}

/* Sums stay to the last call, whatever the numbers. */
static bool
check_sums(void)
{
	static const uint64_t counts[] = { 1, 2, 3, 7, 1000003, UINT64_MAX / 3, UINT64_MAX - 1,
					   UINT64_MAX };
	bool good = true;

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct model m;

		make_model(&m, KEPT, counts[i]);
		m.sites[SITE_B - 1].count = UINT64_MAX - 5;
		for (model_id site = 0; site <= SITE_IDLE; site++)
			*MODEL_ADD(&m, arcs) = (struct model_arc){
				.callee = COMPARE, .through = site, .how = ARC_SOLVED,
				.count = counts[i], .lo = counts[i], .hi = counts[i],
			};
		through_share(&m, true);
		good = good && sum_from_outside(&m) == counts[i];
		for (size_t k = 0; k < m.nr_arcs; k++)
			good = good && m.arcs[k].lo <= m.arcs[k].count &&
			       m.arcs[k].count <= m.arcs[k].hi;
		model_release(&m);
	}
	return report(good, "sums are kept, huge ones too");
}

int
main(void)
{
	bool good = check_exact();

	good = check_two() && good;
	good = check_kept(KEPT, "its address is also kept: not exact") && good;
	good = check_kept(0, "everybody can name it: not exact") && good;
	good = check_idle() && good;
	good = check_samples() && good;
	good = check_elsewhere("qsort", "stacks below qsort, which nobody saw get it") && good;
	good = check_elsewhere("run_all", "... below a call that is not known") && good;
	good = check_roots() && good;
	good = check_contradicted(true, 50, true, "stacks contradict: marked") && good;
	good = check_contradicted(true, 1, false, "... one of each does not") && good;
	good = check_contradicted(false, 50, false, "stacks that agree: not marked") && good;
	good = check_recursion() && good;
	good = check_pin() && good;
	good = check_once_each() && good;
	good = check_sums() && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
