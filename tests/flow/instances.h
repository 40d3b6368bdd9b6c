/* Random instances of the flow problem, the same on every machine. */
#ifndef CGVIEW_TESTS_FLOW_INSTANCES_H
#define CGVIEW_TESTS_FLOW_INSTANCES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "flow/flow.h"
#include "random.h"

enum { MAX_SITES = 16, MAX_PROCEDURES = 16, MAX_ARCS = 200 };

struct instance {
	struct flow_problem problem;
	struct flow_arc arcs[MAX_ARCS];
	uint64_t sites[MAX_SITES], procedures[MAX_PROCEDURES];
	uint64_t truth[MAX_ARCS];
	bool consistent;         /* the counts are those of truth */
};

/* What kind of instance: */
struct shape {
	const char *name;
	unsigned sites, procedures;  /* at most */
	unsigned density;            /* per cent of the possible arcs */
	unsigned classes;            /* 0: arcs at random; else nodes of a class share their candidates */
	unsigned outside;            /* per cent of nodes with an arc to or from outside */
	unsigned zeros;              /* per cent of arcs that were never taken */
	unsigned bits;               /* counts up to 2^bits */
	unsigned wrong;              /* per cent of counts that are changed afterwards */
};

static void
instance_add_arc(struct instance *in, uint64_t *state, const struct shape *shape, int32_t site,
		 int32_t procedure)
{
	struct flow_problem *p = &in->problem;
	uint64_t n = random_chance(state, shape->zeros) ? 0 : random_count(state, shape->bits);

	if (p->nr_arcs == MAX_ARCS)
		return;
	in->arcs[p->nr_arcs] = (struct flow_arc){ site, procedure };
	/* Nothing is called more than 2^64 - 1 times. */
	if (site >= 0 && __builtin_add_overflow(in->sites[site], n, &in->sites[site])) {
		in->sites[site] -= n;
		n = 0;
	}
	if (procedure >= 0 &&
	    __builtin_add_overflow(in->procedures[procedure], n, &in->procedures[procedure])) {
		in->procedures[procedure] -= n;
		in->sites[site >= 0 ? site : 0] -= site >= 0 ? n : 0;
		n = 0;
	}
	in->truth[p->nr_arcs++] = n;
}

static bool
instance_has_arc(const struct shape *shape, uint64_t seed, uint64_t *state, unsigned i, unsigned j)
{
	uint64_t pair;

	if (!shape->classes)
		return random_chance(state, shape->density);
	pair = seed + (i % shape->classes) * 1000003 + (j % shape->classes) * 7919 + 1;
	return random_chance(&pair, shape->density);
}

static void
instance_make(struct instance *in, const struct shape *shape, uint64_t seed)
{
	struct flow_problem *p = &in->problem;
	uint64_t state = seed;

	memset(in, 0, sizeof(*in));
	p->nr_sites = 1 + random_below(&state, shape->sites);
	p->nr_procedures = 1 + random_below(&state, shape->procedures);
	for (unsigned i = 0; i < p->nr_sites; i++)
		for (unsigned j = 0; j < p->nr_procedures; j++)
			if (instance_has_arc(shape, seed, &state, i, j))
				instance_add_arc(in, &state, shape, (int32_t)i, (int32_t)j);
	for (unsigned i = 0; i < p->nr_sites; i++)
		if (random_chance(&state, shape->outside))
			instance_add_arc(in, &state, shape, (int32_t)i, FLOW_OUTSIDE);
	for (unsigned j = 0; j < p->nr_procedures; j++)
		if (random_chance(&state, shape->outside))
			instance_add_arc(in, &state, shape, FLOW_OUTSIDE, (int32_t)j);
	in->consistent = true;
	for (unsigned v = 0; v < p->nr_sites + p->nr_procedures; v++) {
		uint64_t *count = v < p->nr_sites ? &in->sites[v] : &in->procedures[v - p->nr_sites];

		if (!random_chance(&state, shape->wrong))
			continue;
		*count = random_count(&state, shape->bits);
		in->consistent = false;
	}
	p->site_count = in->sites;
	p->procedure_count = in->procedures;
	p->arcs = in->arcs;
}

static const struct shape shapes[] = {
	{ .name = "small", .sites = 5, .procedures = 5, .density = 50, .outside = 20, .zeros = 30,
	  .bits = 4 },
	{ .name = "small, wrong counts", .sites = 5, .procedures = 5, .density = 50, .outside = 20,
	  .zeros = 30, .bits = 4, .wrong = 30 },
	{ .name = "dense", .sites = 6, .procedures = 6, .density = 85, .outside = 15, .zeros = 40,
	  .bits = 10 },
	{ .name = "no outside, wrong counts", .sites = 6, .procedures = 6, .density = 45, .zeros = 30,
	  .bits = 6, .wrong = 20 },
	{ .name = "much outside", .sites = 6, .procedures = 6, .density = 35, .outside = 70,
	  .zeros = 40, .bits = 8 },
	{ .name = "twins", .sites = 10, .procedures = 10, .density = 50, .classes = 3, .outside = 5,
	  .zeros = 40, .bits = 5 },
	{ .name = "twins, wrong counts", .sites = 10, .procedures = 10, .density = 50, .classes = 3,
	  .outside = 5, .zeros = 40, .bits = 5, .wrong = 25 },
	{ .name = "one class", .sites = 7, .procedures = 7, .density = 100, .classes = 1,
	  .outside = 10, .zeros = 50, .bits = 6, .wrong = 5 },
	{ .name = "huge counts", .sites = 6, .procedures = 6, .density = 55, .outside = 20, .zeros = 30,
	  .bits = 58, .wrong = 10 },
	{ .name = "huge twins", .sites = 9, .procedures = 9, .density = 60, .classes = 2, .outside = 5,
	  .zeros = 20, .bits = 58, .wrong = 10 },
	{ .name = "counts to the limit", .sites = 6, .procedures = 6, .density = 60, .classes = 2,
	  .outside = 20, .zeros = 20, .bits = 64, .wrong = 20 },
	{ .name = "larger", .sites = 12, .procedures = 12, .density = 30, .outside = 15, .zeros = 45,
	  .bits = 12, .wrong = 5 },
};
enum { NR_SHAPES = sizeof(shapes) / sizeof(*shapes) };

#endif
