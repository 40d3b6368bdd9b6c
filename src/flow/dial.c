#include "flow/flow.h"

#include <string.h>

#include "flow/array.h"
#include "flow/solver.h"

enum { SETTLED = UINT32_MAX };

struct flow_dial {
	struct flow_problem problem;
	struct flow_solver solver;
	struct flow_result result;
	uint32_t *member;           /* per arc of the problem: arc of solver.members, or SETTLED */
	enum flow_estimator estimator;
	enum flow_bounds bounds;
};

/* ---- opening ---- */

/* Equal arcs are all known by the one of them that is a member. */
static enum flow_status
find_members(struct flow_dial *d)
{
	const struct graph *g = &d->solver.graph;
	uint32_t first = 0;

	d->member = array_raw(g->nr_arcs, sizeof(*d->member));
	if (!d->member)
		return FLOW_NO_MEMORY;
	memset(d->member, 0xff, g->nr_arcs * sizeof(*d->member));
	for (uint32_t k = 0; k < d->solver.members.nr_arcs; k++)
		d->member[d->solver.ids[k]] = k;
	for (uint32_t i = 0; i < g->nr_arcs; i++) {
		if (g->state[g->by_site[i]] == GRAPH_DUPLICATE)
			d->member[g->by_site[i]] = d->member[first];
		else
			first = g->by_site[i];
	}
	return FLOW_OK;
}

static enum flow_status
solve(struct flow_dial *d, const struct flow_options *options)
{
	struct flow_options plain = *options;
	enum flow_status status;

	plain.nr_pins = 0;
	status = solver_init(&d->solver, &d->problem, &plain, d->result.count);
	if (!status)
		status = solver_bound(&d->solver, d->bounds);
	if (!status)
		status = solver_estimate(&d->solver, d->estimator, NULL);
	if (!status)
		status = solver_store(&d->solver, &d->result);
	if (!status)
		status = find_members(d);
	for (size_t i = 0; i < options->nr_pins && !status; i++)
		status = flow_dial_turn(d, options->pins[i].arc, options->pins[i].count);
	return status;
}

enum flow_status
flow_dial_open(const struct flow_problem *problem, const struct flow_options *options,
	       struct flow_dial **dial)
{
	struct flow_dial *d = array_new(1, sizeof(*d));
	enum flow_status status;

	*dial = NULL;
	if (!d)
		return FLOW_NO_MEMORY;
	d->problem = *problem;
	d->estimator = options->estimator;
	d->bounds = options->bounds;
	status = solver_result_init(&d->result, problem);
	if (!status)
		status = solve(d, options);
	if (status)
		flow_dial_close(d);
	else
		*dial = d;
	return status;
}

void
flow_dial_close(struct flow_dial *d)
{
	if (!d)
		return;
	solver_release(&d->solver);
	flow_result_release(&d->result);
	free(d->member);
	free(d);
}

const struct flow_result *
flow_dial_result(const struct flow_dial *d)
{
	return &d->result;
}

enum flow_status
flow_dial_interval(struct flow_dial *d, size_t arc, uint64_t *lo, uint64_t *hi)
{
	struct twins_interval in;
	enum flow_status status;

	if (arc >= d->problem.nr_arcs)
		return FLOW_BAD_INPUT;
	in.lo = in.hi = d->result.count[arc];
	if (d->member[arc] != SETTLED) {
		status = solver_interval(&d->solver, d->member[arc], &in);
		if (status)
			return status;
	}
	*lo = d->result.lo[arc] = in.lo;
	*hi = d->result.hi[arc] = in.hi;
	return FLOW_OK;
}

/* ---- turning ---- */

/* The ends of arc K get nodes of their own in the merged network. */
static enum flow_status
isolate(struct flow_solver *s, uint32_t k)
{
	uint32_t ends[2] = { s->members.from[k], s->members.to[k] };
	bool had_twins = false;

	for (int i = 0; i < 2; i++) {
		uint32_t g = s->twins.group[ends[i]];

		if (s->twins.member_start[g + 1] - s->twins.member_start[g] > 1)
			had_twins = true;
		s->alone[ends[i]] = 1;
	}
	return had_twins ? solver_regroup(s) : FLOW_OK;
}

static enum flow_status
find_blocks_again(struct flow_solver *s)
{
	blocks_release(&s->blocks);
	return blocks_find(&s->blocks, &s->merged);
}

static enum flow_status
set_pinned(struct flow_solver *s, uint32_t k, bool pinned)
{
	uint32_t e = s->twins.merged_arc[k];

	if (s->members.closed[k] == pinned)
		return FLOW_OK;
	s->members.closed[k] = s->merged.closed[e] = pinned;
	return find_blocks_again(s);
}

/* Bring merged arc E to COUNT; the others make up for it. False: they can't. */
static bool
move_to(struct flow_solver *s, uint32_t e, uint64_t count)
{
	struct net *net = &s->merged;
	uint32_t from = net->from[e], to = net->to[e];

	net->closed[e] = 1;
	if (count > net->x[e])
		net->x[e] += push_between(&s->push, net, to, from, count - net->x[e]);
	else if (count < net->x[e])
		net->x[e] -= push_between(&s->push, net, from, to, net->x[e] - count);
	net->closed[e] = 0;
	return net->x[e] == count;
}

/* Estimate what was one block with E anew, in the blocks into which the pin of E splits it. */
static enum flow_status
pin_and_estimate(struct flow_dial *d, uint32_t k, const uint64_t *before)
{
	struct flow_solver *s = &d->solver;
	struct blocks old = s->blocks;
	struct solver_region region = { .block = old.block, .before = before };
	enum flow_status status;

	region.number = old.block[s->twins.merged_arc[k]];
	s->blocks = (struct blocks){ 0 };
	status = set_pinned(s, k, true);
	if (!status)
		status = solver_estimate(s, d->estimator, &region);
	if (!status)
		status = solver_store_turn(s, &d->result);
	blocks_release(&old);
	return status;
}

static enum flow_status
turn_free(struct flow_dial *d, uint32_t k, uint64_t count)
{
	struct net *net = &d->solver.merged;
	uint64_t *before = array_raw(net->nr_arcs, sizeof(*before));
	enum flow_status status = FLOW_BAD_PIN;

	if (!before)
		return FLOW_NO_MEMORY;
	memcpy(before, net->x, net->nr_arcs * sizeof(*before));
	if (move_to(&d->solver, d->solver.twins.merged_arc[k], count))
		status = pin_and_estimate(d, k, before);
	else
		memcpy(net->x, before, net->nr_arcs * sizeof(*before));
	free(before);
	return status;
}

static enum flow_status
turn_member(struct flow_dial *d, uint32_t k, uint64_t count)
{
	struct flow_solver *s = &d->solver;
	enum flow_status status = isolate(s, k);
	uint32_t e;

	if (status)
		return status;
	e = s->twins.merged_arc[k];
	if (s->blocks.block[e] != BLOCK_NONE)
		return turn_free(d, k, count);
	return count == s->merged.x[e] ? set_pinned(s, k, true) : FLOW_BAD_PIN;
}

/* Can arc K, which is pinned, be turned to COUNT? */
static enum flow_status
check_other_value(struct flow_dial *d, uint32_t k, uint64_t count)
{
	struct twins_interval in = { 0, 0 };
	enum flow_status status = set_pinned(&d->solver, k, false);

	if (!status)
		status = solver_interval(&d->solver, k, &in);
	if (!status)
		status = set_pinned(&d->solver, k, true);
	if (!status && (count < in.lo || count > in.hi))
		status = FLOW_BAD_PIN;
	return status;
}

/* Widens the intervals of the arcs that arc K hung together with. */
static enum flow_status
let_go(struct flow_dial *d, uint32_t k)
{
	struct flow_solver *s = &d->solver;
	struct solver_region region = { 0 };
	enum flow_status status = set_pinned(s, k, false);

	if (status)
		return status;
	region.block = s->blocks.block;
	region.number = s->blocks.block[s->twins.merged_arc[k]];
	status = solver_bound(s, d->bounds);
	if (!status)
		status = solver_estimate(s, d->estimator, &region);
	return status ? status : solver_store(s, &d->result);
}

enum flow_status
flow_dial_turn(struct flow_dial *d, size_t arc, uint64_t count)
{
	enum flow_status status = FLOW_OK;
	uint32_t k;

	if (arc >= d->problem.nr_arcs)
		return FLOW_BAD_PIN;
	k = d->member[arc];
	if (k == SETTLED)
		return count == d->result.count[arc] ? FLOW_OK : FLOW_BAD_PIN;
	if (d->solver.members.closed[k]) {
		if (count == d->solver.members.x[k])
			return FLOW_OK;
		status = check_other_value(d, k, count);
		if (!status)
			status = let_go(d, k);
	}
	return status ? status : turn_member(d, k, count);
}

enum flow_status
flow_dial_unpin(struct flow_dial *d, size_t arc)
{
	uint32_t k;

	if (arc >= d->problem.nr_arcs)
		return FLOW_BAD_PIN;
	k = d->member[arc];
	if (k == SETTLED || !d->solver.members.closed[k])
		return FLOW_OK;
	return let_go(d, k);
}

enum flow_status
flow_dial_estimator(struct flow_dial *d, enum flow_estimator estimator)
{
	enum flow_status status;

	d->estimator = estimator;
	status = solver_estimate(&d->solver, estimator, NULL);
	return status ? status : solver_store_turn(&d->solver, &d->result);
}
