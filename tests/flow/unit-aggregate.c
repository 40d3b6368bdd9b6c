/* Aggregate times of a model: a program made by hand with a call cycle, recursion, samples that
 * agree with the calls, and some that do not.
 *
 * main calls cheap 10 times and dear 10 times. Both call shared 10 times; shared (self 800 ns) and
 * other call each other (a cycle): shared calls other 30 times, other calls shared 30 times; other
 * (self 200 ns) calls itself 5 times. The time of the cycle, 1,000 ns, is shared by calls: 500 ns
 * each for cheap and dear. The samples say: 10 of 200 came through cheap. leaf is called 20 times
 * by cheap and 20 times by dear, 100 samples each way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/aggregate.h"

enum { TICK = 1 }; /* ns that a sample stands for */
enum { MAIN = 1, CHEAP, DEAR, SHARED, OTHER, LEAF };
enum { TO_CHEAP = 1, TO_DEAR, CHEAP_SHARED, DEAR_SHARED, TO_OTHER, BACK, OTHER_SELF, CHEAP_LEAF,
       DEAR_LEAF };

static const struct { const char *name; uint64_t calls, self_ns; } procedures[] = {
	{ "main", 1, 7 }, { "cheap", 10, 0 }, { "dear", 10, 0 }, { "shared", 50, 800 },
	{ "other", 35, 200 }, { "leaf", 40, 400 },
};
static const struct { model_id caller, callee; uint64_t count; } calls[] = {
	{ MAIN, CHEAP, 10 }, { MAIN, DEAR, 10 }, { CHEAP, SHARED, 10 }, { DEAR, SHARED, 10 },
	{ SHARED, OTHER, 30 }, { OTHER, SHARED, 30 }, { OTHER, OTHER, 5 }, { CHEAP, LEAF, 20 },
	{ DEAR, LEAF, 20 },
};
/* parent (position from 1), procedure, site, samples with it on top and all */
static const struct {
	model_id parent, procedure, site;
	uint64_t self, total;
} contexts[] = {
	{ 0, MAIN, 0, 0, 400 }, { 1, CHEAP, TO_CHEAP, 0, 110 }, { 1, DEAR, TO_DEAR, 0, 290 },
	{ 2, SHARED, CHEAP_SHARED, 10, 10 }, { 3, SHARED, DEAR_SHARED, 100, 190 },
	{ 5, OTHER, TO_OTHER, 40, 90 }, { 6, SHARED, BACK, 50, 50 },
	{ 2, LEAF, CHEAP_LEAF, 100, 100 }, { 3, LEAF, DEAR_LEAF, 100, 100 },
};

static bool
report(bool good, const char *name)
{
	printf("%s - aggregate: %s\n", good ? "ok" : "not ok", name);
	return good;
}

static void
make_model(struct model *m)
{
	model_init(m);
	for (size_t i = 0; i < sizeof(procedures) / sizeof(*procedures); i++) {
		struct model_procedure *p = MODEL_ADD(m, procedures);

		p->name = procedures[i].name;
		p->calls = procedures[i].calls;
		p->self_ns = procedures[i].self_ns;
		p->self_samples = p->self_ns / TICK;
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct model_site *s = MODEL_ADD(m, sites);
		struct model_arc *a = MODEL_ADD(m, arcs);

		s->procedure = calls[i].caller;
		s->count = a->count = a->lo = a->hi = calls[i].count;
		a->site = (model_id)m->nr_sites;
		a->callee = calls[i].callee;
		a->how = ARC_SOLVED;
	}
	*MODEL_ADD(m, arcs) = (struct model_arc){ .callee = MAIN, .count = 1, .lo = 1, .hi = 1 };
	for (size_t i = 0; i < sizeof(contexts) / sizeof(*contexts); i++)
		*MODEL_ADD(m, contexts) = (struct model_context){
			.parent = contexts[i].parent, .procedure = contexts[i].procedure,
			.site = contexts[i].site, .self_samples = contexts[i].self,
			.self_ns = contexts[i].self * TICK,
			.total_samples = contexts[i].total,
			.total_ns = contexts[i].total * TICK,
		};
}

static bool
times_are(const struct model *m, model_id id, uint64_t total)
{
	const struct model_procedure *p = &m->procedures[id - 1];

	return p->propagated_ns == total && p->propagated_lo_ns == total &&
	       p->propagated_hi_ns == total;
}

static bool
arc_is(const struct model *m, model_id site, uint64_t time, uint64_t samples, bool differs)
{
	const struct model_arc *a = &m->arcs[site - 1];

	return a->propagated_ns == time && a->samples == samples && a->differs == differs &&
	       m->sites[site - 1].propagated_ns == time;
}

static bool
check_times(const struct model *m)
{
	return times_are(m, MAIN, 1407) && times_are(m, CHEAP, 700) && times_are(m, DEAR, 700) &&
	       times_are(m, SHARED, 800) && times_are(m, OTHER, 200) && times_are(m, LEAF, 400);
}

static bool
check_arcs(const struct model *m)
{
	return arc_is(m, TO_CHEAP, 700, 110, false) && arc_is(m, TO_DEAR, 700, 290, false) &&
	       arc_is(m, CHEAP_SHARED, 500, 10, true) && arc_is(m, DEAR_SHARED, 500, 190, true) &&
	       arc_is(m, TO_OTHER, 0, 0, false) && arc_is(m, BACK, 0, 0, false) &&
	       arc_is(m, OTHER_SELF, 0, 0, false) && arc_is(m, CHEAP_LEAF, 200, 100, false) &&
	       arc_is(m, DEAR_LEAF, 200, 100, false) && m->arcs[9].propagated_ns == 1407 &&
	       m->arcs[9].samples == 400;
}

static bool
check_cycle(const struct model *m)
{
	const struct model_cycle *c = m->cycles;

	return m->nr_cycles == 1 && c->procedures == 2 && c->self_ns == 1000 &&
	       c->propagated_ns == 1000 && c->inner_calls == 60 && c->self_calls == 5 &&
	       c->outer_calls == 20 && !strcmp(c->members, "shared, other") &&
	       m->procedures[SHARED - 1].cycle == 1 && m->procedures[OTHER - 1].cycle == 1 &&
	       m->procedures[OTHER - 1].self_calls == 5 && !m->procedures[LEAF - 1].cycle;
}

/* Twice as many calls from cheap as the samples allow, or between half and twice as many? */
static bool
check_interval(void)
{
	struct error err = ERROR_INIT;
	struct model m;
	bool good;

	make_model(&m);
	m.arcs[CHEAP_SHARED - 1].how = m.arcs[DEAR_SHARED - 1].how = ARC_ESTIMATED;
	m.arcs[CHEAP_SHARED - 1].lo = 1;
	m.arcs[DEAR_SHARED - 1].hi = 19;
	good = !model_aggregate(&m, &err) && !m.arcs[CHEAP_SHARED - 1].differs &&
	       !m.arcs[DEAR_SHARED - 1].differs;
	/* cheap: between 1 and 10 of 20 parts of 1,000 ns, and 200 of leaf */
	good = good && m.procedures[CHEAP - 1].propagated_lo_ns <= 250 &&
	       m.procedures[CHEAP - 1].propagated_lo_ns >= 240 &&
	       m.procedures[CHEAP - 1].propagated_hi_ns >= 700 &&
	       m.procedures[CHEAP - 1].propagated_hi_ns <= 710;
	model_release(&m);
	return good;
}

/* Stacks that pass several calls of f by itself count once for both together: 8 get there first by
 * the one, of which 5 pass the other one, too, and 2 by the other one alone. */
static bool
counts_pairs_once(void)
{
	enum { F = 2, BY_MAIN = 1, ONE, OTHER_ONE };
	/* Times are no multiple of samples: these do not all stand for as much. */
	static const struct { model_id parent, site; uint64_t self, total, ns; } of_f[] = {
		{ 1, BY_MAIN, 0, 10, 100 }, { 2, ONE, 3, 8, 50 }, { 3, OTHER_ONE, 5, 5, 45 },
		{ 2, OTHER_ONE, 2, 2, 50 },
	};
	struct model m;
	struct error err = ERROR_INIT;
	bool good;

	model_init(&m);
	for (int i = 0; i < 2; i++) {
		MODEL_ADD(&m, procedures)->name = i ? "f" : "main";
		m.procedures[i].calls = i ? 20 : 1;
	}
	for (model_id i = BY_MAIN; i <= OTHER_ONE; i++) {
		MODEL_ADD(&m, sites)->procedure = i == BY_MAIN ? 1 : F;
		*MODEL_ADD(&m, arcs) = (struct model_arc){
			.site = i, .callee = F, .count = 7, .lo = 7, .hi = 7,
		};
	}
	*MODEL_ADD(&m, contexts) = (struct model_context){
		.procedure = 1, .total_samples = 10, .total_ns = 100,
	};
	for (size_t i = 0; i < sizeof(of_f) / sizeof(*of_f); i++)
		*MODEL_ADD(&m, contexts) = (struct model_context){
			.parent = of_f[i].parent, .procedure = F, .site = of_f[i].site,
			.self_samples = of_f[i].self, .total_samples = of_f[i].total,
			.total_ns = of_f[i].ns,
		};
	good = !model_aggregate(&m, &err) && m.arcs[0].total_samples == 10 &&
	       m.arcs[0].pair_samples == 10 && m.arcs[1].total_samples == 8 &&
	       m.arcs[1].pair_samples == 8 && m.arcs[2].total_samples == 7 &&
	       m.arcs[2].pair_samples == 2 && m.arcs[0].total_ns == 100 &&
	       m.arcs[0].pair_ns == 100 && m.arcs[1].total_ns == 50 && m.arcs[1].pair_ns == 50 &&
	       m.arcs[2].total_ns == 95 && m.arcs[2].pair_ns == 50;
	model_release(&m);
	return good;
}

/* A procedure that is handed to code outside by one call, as a thread's start routine is, has no
 * caller on its stacks. They came by that call; where two have handed it out, nobody knows. */
static bool
starts_of_threads(void)
{
	struct error err = ERROR_INIT;
	struct model m;
	bool good;

	make_model(&m);
	m.arcs[9].through = TO_CHEAP;
	good = !model_aggregate(&m, &err) && m.arcs[9].total_samples == 400;
	*MODEL_ADD(&m, arcs) = (struct model_arc){ .callee = MAIN, .through = TO_DEAR, .hi = 1 };
	good = good && !model_aggregate(&m, &err) && !m.arcs[9].total_samples &&
	       !m.arcs[m.nr_arcs - 1].total_samples;
	model_release(&m);
	return good;
}

/* Samples of 1 ns each: 700 ns are propagated to cheap, so three standard errors of the two are 116
 * where the stacks say 800, and 117 where they say 830. What is propagated to other, 200 ns, is its
 * share in the time of a cycle, which its stacks do not know. Without stacks there is no total. */
static bool
totals_that_differ(void)
{
	static const struct {
		model_id procedure;
		uint64_t total_ns;
		bool differs, without_stacks;
	} cases[] = {
		{ CHEAP, 800, false, false }, { CHEAP, 830, true, false },
		{ CHEAP, 570, true, false }, { OTHER, 1000, false, false },
		{ CHEAP, 0, true, false }, { CHEAP, 0, false, true },
	};
	struct error err = ERROR_INIT;
	bool good = true;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct model_procedure *p;
		struct model m;

		make_model(&m);
		for (size_t j = 0; j < m.nr_procedures; j++)
			m.procedures[j].self_samples = m.procedures[j].self_ns;
		p = &m.procedures[cases[i].procedure - 1];
		p->total_ns = cases[i].total_ns;
		m.nr_contexts = cases[i].without_stacks ? 0 : m.nr_contexts;
		good = !model_aggregate(&m, &err) && p->differs == cases[i].differs && good;
		model_release(&m);
	}
	return good;
}

/* Main has 10 ns of stacks and 1,407 that were carried up to it, but for what is below a stack that
 * begins with what main handed out: another thread's. So has whoever calls main. */
static bool
starters_of_threads(void)
{
	struct error err = ERROR_INIT;
	bool good = true;

	for (int through = 0; through < 2; through++) {
		struct model m;

		make_model(&m);
		for (size_t j = 0; j < m.nr_procedures; j++)
			m.procedures[j].self_samples = m.procedures[j].self_ns;
		m.procedures[MAIN - 1].total_ns = 10;
		m.contexts[0].procedure = CHEAP; /* what the stacks begin with */
		*MODEL_ADD(&m, arcs) = (struct model_arc){
			.callee = CHEAP, .through = through ? DEAR_LEAF : 0, .hi = 1,
		};
		good = !model_aggregate(&m, &err) && m.procedures[MAIN - 1].differs == !through &&
		       good;
		model_release(&m);
	}
	return good;
}

int
main(void)
{
	struct error err = ERROR_INIT;
	struct model m;
	bool good;

	make_model(&m);
	good = report(!model_aggregate(&m, &err), "a model");
	good = report(check_times(&m), "times by both rules") && good;
	good = report(check_arcs(&m), "arcs: time, samples, which differ") && good;
	good = report(check_cycle(&m), "the cycle") && good;
	good = report(!model_aggregate(&m, &err) && m.nr_cycles == 1, "once more") && good;
	model_release(&m);
	good = report(check_interval(), "arcs with intervals") && good;
	good = report(counts_pairs_once(), "stacks that pass several arcs of a pair") && good;
	good = report(starts_of_threads(), "stacks that begin with what a call handed out") && good;
	good = report(starters_of_threads(), "who starts threads is not on their stacks") && good;
	good = report(totals_that_differ(), "totals that differ by more than chance") && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
