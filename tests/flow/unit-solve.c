/* From a model to its arcs and aggregate times: a small program made by hand.
 *
 * main (entered once from outside) calls work 10 times and printf, which is not profiled. work
 * calls through a pointer 7 times; f (3 entries) and g (4 entries) have their addresses taken, h
 * too but was never entered. work has a call of itself that was never made, and one of lost that
 * was made twice, though lost (static) was entered only once. Static orphan was entered once, and
 * nobody calls it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solution.h"
#include "solve/solve.h"

enum { TICK = 1000 }; /* ns that a sample stands for */
enum { MAIN = 1, WORK, F, G, H, LOST, ORPHAN };
enum { CALL_WORK = 1, CALL_PRINTF, CALL_POINTER, CALL_SELF, CALL_LOST };

static const struct {
	const char *name;
	uint32_t flags;
	uint64_t calls, self_ns;
} procedures[] = {
	{ "main", PROCEDURE_MAIN, 1, 100 },
	{ "work", PROCEDURE_STATIC, 10, 1000 },
	{ "f", PROCEDURE_STATIC | PROCEDURE_TAKEN, 3, 30 },
	{ "g", PROCEDURE_STATIC | PROCEDURE_TAKEN, 4, 400 },
	{ "h", PROCEDURE_STATIC | PROCEDURE_TAKEN, 0, 0 },
	{ "lost", PROCEDURE_STATIC, 1, 7 },
	{ "orphan", PROCEDURE_STATIC, 1, 50 },
};

static const struct { model_id procedure; enum site_kind kind; uint64_t count; } sites[] = {
	{ MAIN, SITE_DIRECT, 10 }, { MAIN, SITE_DIRECT, 5 },  { WORK, SITE_INDIRECT, 7 },
	{ WORK, SITE_DIRECT, 0 },  { WORK, SITE_DIRECT, 2 },
};

/* In no order, one of them twice. */
static const struct candidate candidates[] = {
	{ .site = CALL_POINTER, .callee = H }, { .site = CALL_POINTER, .callee = F },
	{ .site = CALL_WORK, .callee = WORK },
	{ .site = CALL_POINTER, .callee = G },
	{ .site = CALL_SELF, .callee = WORK }, { .site = CALL_LOST, .callee = LOST },
	{ .site = CALL_POINTER, .callee = F },
};

static void
make_model(struct model *m)
{
	model_init(m);
	for (size_t i = 0; i < sizeof(procedures) / sizeof(*procedures); i++) {
		struct model_procedure *p = MODEL_ADD(m, procedures);

		p->name = p->linkage_name = procedures[i].name;
		p->flags = procedures[i].flags;
		p->calls = procedures[i].calls;
		p->self_ns = procedures[i].self_ns;
	}
	for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++) {
		struct model_site *s = MODEL_ADD(m, sites);

		s->procedure = sites[i].procedure;
		s->kind = sites[i].kind;
		s->count = sites[i].count;
	}
}

static bool
report(bool good, const char *name)
{
	printf("%s - solve: %s\n", good ? "ok" : "not ok", name);
	return good;
}

static const struct model_arc *
find_arc(const struct model *m, model_id site, model_id callee)
{
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (m->arcs[i].site == site && m->arcs[i].callee == callee)
			return &m->arcs[i];
	return NULL;
}

static bool
arc_is(const struct model *m, model_id site, model_id callee, enum arc_how how, uint64_t count,
       uint64_t lo, uint64_t hi)
{
	const struct model_arc *a = find_arc(m, site, callee);

	return a && a->how == how && a->count == count && a->lo == lo && a->hi == hi;
}

/* h was never entered: no arc, neither from the pointer nor from outside. */
static bool
check_arcs(const struct model *m)
{
	return arc_is(m, 0, MAIN, ARC_SOLVED, 1, 1, 1) &&
	       arc_is(m, CALL_WORK, WORK, ARC_SOLVED, 10, 10, 10) &&
	       arc_is(m, CALL_PRINTF, 0, ARC_SOLVED, 5, 5, 5) &&
	       arc_is(m, CALL_SELF, WORK, ARC_SOLVED, 0, 0, 0) &&
	       arc_is(m, CALL_LOST, LOST, ARC_SOLVED, 1, 1, 1) && !find_arc(m, CALL_POINTER, H) &&
	       !find_arc(m, 0, WORK) && !find_arc(m, 0, H) && m->nr_arcs == 7;
}

static bool
check_residuals(const struct model *m)
{
	size_t notes = 0;

	for (size_t i = 0; i < m->nr_notes; i++)
		notes += !strcmp(m->notes[i].kind, "flow");
	return m->sites[CALL_LOST - 1].calls_without_entry == 1 &&
	       m->procedures[ORPHAN - 1].calls_without_site == 1 &&
	       !m->sites[CALL_POINTER - 1].calls_without_entry && notes == 2;
}

/* work: 1000 + 30 + 400 + 7, all of it main's; nobody gets orphan's. */
static bool
check_times(const struct model *m)
{
	return m->procedures[WORK - 1].propagated_ns == 1437 &&
	       m->procedures[MAIN - 1].propagated_ns == 1537 &&
	       m->procedures[ORPHAN - 1].propagated_ns == 50 && !m->procedures[WORK - 1].cycle;
}

static bool
check_program(void)
{
	struct error err = ERROR_INIT;
	struct model m;
	bool good;

	make_model(&m);
	good = !model_solve(&m, candidates, sizeof(candidates) / sizeof(*candidates), &err);
	good = report(good && check_arcs(&m), "arcs") && good;
	/* f and g could be called from outside, too; but 7 = 3 + 4. */
	good = report(arc_is(&m, CALL_POINTER, F, ARC_SOLVED, 3, 3, 3) &&
		      arc_is(&m, CALL_POINTER, G, ARC_SOLVED, 4, 4, 4),
		      "a pointer that leaves no choice") && good;
	good = report(check_residuals(&m), "what does not fit") && good;
	good = report(check_times(&m), "aggregate times") && good;
	model_release(&m);
	return good;
}

static void
add_context(struct model *m, model_id procedure, model_id site, uint64_t samples)
{
	struct model_context *c = MODEL_ADD(m, contexts);

	c->procedure = procedure;
	c->site = site;
	c->parent = site != 0;
	c->self_samples = c->total_samples = samples;
	c->self_ns = c->total_ns = samples * TICK;
}

/* Two sites, two procedures, 1000 calls each. f was seen 90 times below site 1 and 10 times below
 * site 2; g, which takes ten times as long, 100 times and 900 times. Counts say half, which is
 * worth two samples. So arcs would have (1000 * 90 + 2 * 500) / 102 + 1/2 = 892.7 and 108.3 of f's
 * calls, (1000 * 100 + 2 * 500) / 1002 + 1/2 = 101.3 and 899.7 of g's; with the sums
 * x^2 / (1000 - x)^2 = (892.7 * 899.7) / (108.3 * 101.3), and x is 895.3. */
static bool
check_samples(void)
{
	struct candidate all[] = {
		{ .site = 1, .callee = 2 }, { .site = 1, .callee = 3 },
		{ .site = 2, .callee = 2 }, { .site = 2, .callee = 3 },
	};
	struct error err = ERROR_INIT;
	struct model m;
	bool good;

	model_init(&m);
	for (int i = 0; i < 3; i++) {
		MODEL_ADD(&m, procedures)->calls = i ? 1000 : 1;
		m.procedures[i].flags = i ? PROCEDURE_STATIC : PROCEDURE_MAIN;
	}
	for (int i = 0; i < 2; i++) {
		MODEL_ADD(&m, sites)->count = 1000;
		m.sites[i].kind = SITE_INDIRECT;
		m.sites[i].procedure = 1;
	}
	add_context(&m, 1, 0, 1100);
	add_context(&m, 2, 1, 90);
	add_context(&m, 3, 1, 100);
	add_context(&m, 2, 2, 10);
	add_context(&m, 3, 2, 900);
	good = !model_solve(&m, all, 4, &err) && arc_is(&m, 1, 2, ARC_ESTIMATED, 895, 0, 1000) &&
	       arc_is(&m, 2, 3, ARC_ESTIMATED, 895, 0, 1000);
	all[1].unlike = UNLIKE_OTHER;
	good = good && !model_solve(&m, all, 4, &err) &&
	       arc_is(&m, 1, 2, ARC_ESTIMATED, 1000, 0, 1000) &&
	       arc_is(&m, 1, 3, ARC_ESTIMATED, 0, 0, 1000);
	m.nr_arcs = 0;
	all[1].seen = true;
	good = good && !model_solve(&m, all, 4, &err) &&
	       arc_is(&m, 1, 3, ARC_ESTIMATED, 1, 1, 1000) &&
	       arc_is(&m, 1, 2, ARC_ESTIMATED, 999, 0, 999);
	model_release(&m);
	return report(good, "samples and types tell who called");
}

/* Tables from outside may say anything. */
static bool
check_nonsense(void)
{
	static const struct candidate bad[] = {
		{ .site = 6, .callee = 1 }, { .site = 1, .callee = 8 }, { .site = 0, .callee = 0 },
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct error err = ERROR_INIT;
		struct model m;

		make_model(&m);
		good = model_solve(&m, &bad[i], 1, &err) && err.set && good;
		model_release(&m);
	}
	return report(good, "candidates that do not exist are refused");
}

static bool
check_empty(void)
{
	struct error err = ERROR_INIT;
	struct model m;
	bool good;

	model_init(&m);
	good = !model_solve(&m, NULL, 0, &err) && !m.nr_arcs;
	model_release(&m);
	return report(good, "an empty model");
}

int
main(void)
{
	bool good = check_program();

	good = check_samples() && good;
	good = check_nonsense() && good;
	good = check_empty() && good;
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
