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
	unsigned classes; /* 0: arcs at random; else nodes of a class share their candidates */
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

static inline void
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
		uint64_t *count =
			v < p->nr_sites ? &in->sites[v] : &in->procedures[v - p->nr_sites];

		if (!random_chance(&state, shape->wrong))
			continue;
		*count = random_count(&state, shape->bits);
		in->consistent = false;
	}
	p->site_count = in->sites;
	p->procedure_count = in->procedures;
	p->arcs = in->arcs;
}

/* Name; sites, procedures, density, classes, outside, zeros, bits, wrong. */
static const struct shape shapes[] = {
	{ "small", 5, 5, 50, 0, 20, 30, 4, 0 },
	{ "small, wrong counts", 5, 5, 50, 0, 20, 30, 4, 30 },
	{ "dense", 6, 6, 85, 0, 15, 40, 10, 0 },
	{ "no outside, wrong counts", 6, 6, 45, 0, 0, 30, 6, 20 },
	{ "much outside", 6, 6, 35, 0, 70, 40, 8, 0 },
	{ "twins", 10, 10, 50, 3, 5, 40, 5, 0 },
	{ "twins, wrong counts", 10, 10, 50, 3, 5, 40, 5, 25 },
	{ "one class", 7, 7, 100, 1, 10, 50, 6, 5 },
	{ "huge counts", 6, 6, 55, 0, 20, 30, 58, 10 },
	{ "huge twins", 9, 9, 60, 2, 5, 20, 58, 10 },
	{ "counts to the limit", 6, 6, 60, 2, 20, 20, 64, 20 },
	{ "larger", 12, 12, 30, 0, 15, 45, 12, 5 },
};
enum { NR_SHAPES = sizeof(shapes) / sizeof(*shapes) };

#endif
