/* The dial against solving from the beginning with the same pins: random instances, random turns.
 * FLOW_INSTANCES: how many instances of each shape; FLOW_TURNS: how many turns of each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "instances.h"

enum { INSTANCES = 300, TURNS = 4, MAX_TURNS = 64 };

static const enum flow_estimator estimators[] = { FLOW_LIKELY, FLOW_EVEN, FLOW_ENTROPY };

struct play {
	struct instance in;
	struct flow_dial *dial;
	struct flow_pin pins[MAX_TURNS];
	size_t nr_pins;
	uint64_t seed;
	unsigned long nr_turns;
	size_t turns, refused, wrong;
};

static void
complain_play(struct play *p, const char *what)
{
	if (p->wrong++ < 10)
		printf("# seed %" PRIu64 ", %zu pins: %s\n", p->seed, p->nr_pins, what);
}

/* Sums, pins, intervals. */
static void
check_result(struct play *p)
{
	const struct flow_result *r = flow_dial_result(p->dial);
	uint64_t sites[MAX_SITES] = { 0 }, procedures[MAX_PROCEDURES] = { 0 };

	for (size_t e = 0; e < p->in.problem.nr_arcs; e++) {
		if (p->in.arcs[e].site >= 0)
			sites[p->in.arcs[e].site] += r->count[e];
		if (p->in.arcs[e].procedure >= 0)
			procedures[p->in.arcs[e].procedure] += r->count[e];
		if (r->count[e] < r->lo[e] || r->count[e] > r->hi[e] ||
		    (r->how[e] == FLOW_SOLVED) != (r->lo[e] == r->hi[e]))
			complain_play(p, "interval");
	}
	for (size_t i = 0; i < p->in.problem.nr_sites; i++)
		if (sites[i] + r->site_residual[i] != p->in.sites[i])
			complain_play(p, "sum of a site");
	for (size_t j = 0; j < p->in.problem.nr_procedures; j++)
		if (procedures[j] + r->procedure_residual[j] != p->in.procedures[j])
			complain_play(p, "sum of a procedure");
	for (size_t k = 0; k < p->nr_pins; k++)
		if (r->count[p->pins[k].arc] != p->pins[k].count)
			complain_play(p, "a pin does not hold");
}

static unsigned __int128
sum_outside(const struct play *p, const struct flow_result *r)
{
	unsigned __int128 sum = 0;

	for (size_t e = 0; e < p->in.problem.nr_arcs; e++)
		if (p->in.arcs[e].site < 0 || p->in.arcs[e].procedure < 0)
			sum += r->count[e];
	return sum;
}

/* The same instance, solved with these pins from the start. */
static void
check_against_solver(struct play *p)
{
	struct flow_options options = { .estimator = FLOW_ENTROPY, .bounds = FLOW_BOUNDS_EXACT,
					.pins = p->pins, .nr_pins = p->nr_pins };
	const struct flow_result *now = flow_dial_result(p->dial);
	struct flow_result r;
	uint64_t lo, hi;

	if (!p->in.consistent)
		return; /* the residual may be placed elsewhere */
	if (flow_solve(&p->in.problem, &options, &r)) {
		complain_play(p, "the solver refuses the pins");
		return;
	}
	if (sum_outside(p, now) != sum_outside(p, &r))
		complain_play(p, "other calls from and to outside than the solver's");
	for (size_t e = 0; e < p->in.problem.nr_arcs; e++) {
		if (r.lo[e] < now->lo[e] || r.hi[e] > now->hi[e] || r.how[e] != now->how[e])
			complain_play(p, "not what the solver says");
		if (flow_dial_interval(p->dial, e, &lo, &hi) || lo != r.lo[e] || hi != r.hi[e])
			complain_play(p, "interval on demand");
		if (now->lo[e] != lo || now->hi[e] != hi)
			complain_play(p, "interval on demand is not kept");
	}
	flow_result_release(&r);
}

/* A turn too far changes nothing. */
static void
check_too_far(struct play *p, size_t arc, uint64_t hi)
{
	const struct flow_result *r = flow_dial_result(p->dial);
	uint64_t before[MAX_ARCS];

	if (hi == UINT64_MAX)
		return;
	memcpy(before, r->count, p->in.problem.nr_arcs * sizeof(*before));
	if (flow_dial_turn(p->dial, arc, hi + 1) != FLOW_BAD_PIN)
		complain_play(p, "turned too far");
	if (memcmp(before, r->count, p->in.problem.nr_arcs * sizeof(*before)))
		complain_play(p, "a refused turn has changed counts");
	p->refused++;
}

static void
check_turn(struct play *p, uint64_t *state)
{
	size_t arc = random_below(state, (unsigned)p->in.problem.nr_arcs);
	uint64_t lo, hi, count;

	for (size_t k = 0; k < p->nr_pins; k++)
		if (p->pins[k].arc == arc)
			return;
	if (flow_dial_interval(p->dial, arc, &lo, &hi))
		complain_play(p, "no interval");
	check_too_far(p, arc, hi);
	count = random_next(state);
	if (hi - lo != UINT64_MAX)
		count = lo + count % (hi - lo + 1);
	if (flow_dial_turn(p->dial, arc, count)) {
		complain_play(p, "a possible turn is refused");
		return;
	}
	p->pins[p->nr_pins++] = (struct flow_pin){ arc, count };
	p->turns++;
	check_result(p);
	check_against_solver(p);
}

/* The last pin is turned again, then all are let go: the intervals are those of the beginning. */
static void
check_return(struct play *p, const struct flow_result *first, uint64_t *state)
{
	const struct flow_result *r = flow_dial_result(p->dial);
	struct flow_pin *last;
	uint64_t lo, hi;

	if (!p->nr_pins)
		return;
	last = &p->pins[p->nr_pins - 1];
	if (flow_dial_unpin(p->dial, last->arc) ||
	    flow_dial_interval(p->dial, last->arc, &lo, &hi) ||
	    flow_dial_turn(p->dial, last->arc, lo))
		complain_play(p, "unpin and turn");
	last->count = random_chance(state, 50) ? hi : lo;
	check_too_far(p, last->arc, hi);
	if (flow_dial_turn(p->dial, last->arc, last->count))
		complain_play(p, "a pinned arc is not turned");
	check_result(p);
	check_against_solver(p);
	while (p->nr_pins)
		if (flow_dial_unpin(p->dial, p->pins[--p->nr_pins].arc))
			complain_play(p, "not let go");
	check_result(p);
	if (memcmp(first->lo, r->lo, p->in.problem.nr_arcs * sizeof(*r->lo)) ||
	    memcmp(first->hi, r->hi, p->in.problem.nr_arcs * sizeof(*r->hi)))
		complain_play(p, "not back at the beginning");
}

static void
check_estimators(struct play *p)
{
	for (size_t i = 0; i < sizeof(estimators) / sizeof(*estimators); i++) {
		if (flow_dial_estimator(p->dial, estimators[i]))
			complain_play(p, "no other estimator");
		check_result(p);
	}
}

static void
check_instance(struct play *p, const struct shape *shape, uint64_t seed)
{
	struct flow_options options = { .estimator = estimators[seed % 3],
					.bounds = FLOW_BOUNDS_EXACT };
	struct flow_result first;
	uint64_t state = seed;

	instance_make(&p->in, shape, seed);
	p->seed = seed;
	p->nr_pins = 0;
	if (!p->in.problem.nr_arcs)
		return;
	if (flow_solve(&p->in.problem, &options, &first) ||
	    flow_dial_open(&p->in.problem, &options, &p->dial)) {
		complain_play(p, "not opened");
		return;
	}
	if (memcmp(first.count, flow_dial_result(p->dial)->count,
		   p->in.problem.nr_arcs * sizeof(*first.count)))
		complain_play(p, "does not begin as the solver ends");
	check_result(p);
	for (unsigned long i = 0; i < p->nr_turns; i++)
		check_turn(p, &state);
	check_estimators(p);
	check_return(p, &first, &state);
	flow_dial_close(p->dial);
	flow_result_release(&first);
}

static unsigned long
number_from(const char *variable, unsigned long usual)
{
	const char *text = getenv(variable);

	return text ? strtoul(text, NULL, 10) : usual;
}

int
main(void)
{
	unsigned long instances = number_from("FLOW_INSTANCES", INSTANCES);
	static struct play p;
	int failed = 0;

	p.nr_turns = number_from("FLOW_TURNS", TURNS);
	if (p.nr_turns > MAX_TURNS)
		p.nr_turns = MAX_TURNS;

	for (size_t k = 0; k < NR_SHAPES; k++) {
		p.wrong = p.turns = p.refused = 0;
		for (uint64_t i = 0; i < instances; i++)
			check_instance(&p, &shapes[k], 50000 + k * 1000000 + i);
		printf("# %zu turns, %zu refused\n", p.turns, p.refused);
		printf("%s - dial: %s\n", p.wrong || !p.turns ? "not ok" : "ok", shapes[k].name);
		failed += p.wrong != 0;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
