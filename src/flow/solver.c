#include "flow/solver.h"

#include <string.h>

#include "flow/array.h"
#include "flow/estimate.h"
#include "flow/levels.h"

/* FLOW_BOUNDS_SMALL: blocks up to this size get exact bounds, while the work for all of them (in
 * arcs looked at) is less than that of the other steps. */
enum { EXACT_ARCS = 256, EXACT_WORK = 10000000 };

/* Blocks above this size are estimated from what they were before a small change. */
enum { NEAR_ARCS = 20000 };

/* Work that turning arcs one by one to the paper's value may take; for all blocks together. */
enum { EVEN_WORK = 40000000 };

/* ---- up to a solution ---- */

static enum flow_status
settle_pins(struct graph *g, const struct flow_options *options)
{
	enum flow_status status = FLOW_OK;

	for (size_t i = 0; i < options->nr_pins && !status; i++)
		status = graph_pin(g, options->pins[i].arc, options->pins[i].count);
	return status;
}

/* The largest sample count of equal arcs stands for all: they are one arc, seen under several
 * names. */
static enum flow_status
find_samples(struct flow_solver *s, const double *prior)
{
	const struct graph *g = &s->graph;
	uint32_t k = 0;

	if (!prior)
		return FLOW_OK;
	s->samples = array_new(s->members.nr_arcs, sizeof(*s->samples));
	if (!s->samples)
		return FLOW_NO_MEMORY;
	for (uint32_t i = 0; i < g->nr_arcs && k < s->members.nr_arcs; i++) {
		if (g->by_site[i] != s->ids[k])
			continue;
		do {
			if (prior[g->by_site[i]] > s->samples[k])
				s->samples[k] = prior[g->by_site[i]];
			i++;
		} while (i < g->nr_arcs && g->state[g->by_site[i]] == GRAPH_DUPLICATE);
		i--;
		k++;
	}
	return FLOW_OK;
}

static enum flow_status
find_unlikely(struct flow_solver *s)
{
	const uint8_t *unlikely = s->graph.problem->unlikely;
	uint8_t any = 0;

	if (!unlikely)
		return FLOW_OK;
	s->unlikely = array_new(s->members.nr_arcs, sizeof(*s->unlikely));
	if (!s->unlikely)
		return FLOW_NO_MEMORY;
	for (uint32_t e = 0; e < s->members.nr_arcs; e++)
		any |= s->unlikely[e] = unlikely[s->ids[e]];
	if (!any) {
		free(s->unlikely);
		s->unlikely = NULL;
	}
	return FLOW_OK;
}

static enum flow_status
note_counts(struct flow_solver *s)
{
	s->count = array_raw(s->members.nr_nodes, sizeof(*s->count));
	s->residual = array_new(s->members.nr_nodes, sizeof(*s->residual));
	s->alone = array_new(s->members.nr_nodes, sizeof(*s->alone));
	if (!s->count || !s->residual || !s->alone)
		return FLOW_NO_MEMORY;
	memcpy(s->count, s->members.rest, s->members.nr_nodes * sizeof(*s->count));
	for (uint32_t e = 0; s->unlikely && e < s->members.nr_arcs; e++)
		if (s->unlikely[e])
			s->alone[s->members.from[e]] = s->alone[s->members.to[e]] = 1;
	return FLOW_OK;
}

/* Nodes that unlikely arcs touch have no twins. */
static enum flow_status
merge_unlikely(struct flow_solver *s)
{
	if (!s->unlikely)
		return FLOW_OK;
	s->merged_unlikely = array_raw(s->merged.nr_arcs, sizeof(*s->merged_unlikely));
	if (!s->merged_unlikely)
		return FLOW_NO_MEMORY;
	for (uint32_t e = 0; e < s->merged.nr_arcs; e++)
		s->merged_unlikely[e] = s->unlikely[s->twins.first_arc[e]];
	return FLOW_OK;
}

static enum flow_status
merge(struct flow_solver *s)
{
	enum flow_status status;

	status = twins_merge(&s->twins, &s->merged, &s->members, s->count, s->alone);
	return status ? status : merge_unlikely(s);
}

static enum flow_status
find_solution(struct flow_solver *s)
{
	uint32_t most = s->members.nr_nodes + 1; /* a block whose outside is split has one more */
	enum flow_status status = push_init(&s->push, most);

	if (status)
		return status;
	s->number = array_raw(most, sizeof(*s->number));
	if (!s->number)
		return FLOW_NO_MEMORY;
	push_rests(&s->push, &s->merged);
	return blocks_find(&s->blocks, &s->merged);
}

static void
release_merged(struct flow_solver *s)
{
	twins_release(&s->twins);
	net_release(&s->merged);
	free(s->merged_unlikely);
	s->merged_unlikely = NULL;
	blocks_release(&s->blocks);
	free(s->bounds.lo);
	free(s->bounds.hi);
	s->bounds = (struct bounds){ 0 };
}

enum flow_status
solver_init(struct flow_solver *s, const struct flow_problem *problem,
	    const struct flow_options *options, uint64_t *x)
{
	enum flow_status status;

	memset(s, 0, sizeof(*s));
	status = graph_init(&s->graph, problem, x);
	if (!status)
		status = settle_pins(&s->graph, options);
	if (!status)
		status = graph_peel(&s->graph);
	if (!status)
		status = net_from_graph(&s->members, &s->graph, &s->ids);
	if (!status)
		status = find_samples(s, options->prior);
	if (!status)
		status = find_unlikely(s);
	if (!status)
		status = note_counts(s);
	if (!status)
		status = merge(s);
	if (!status)
		status = find_solution(s);
	return status;
}

/* Arcs keep their counts, and those that were closed stay closed. */
enum flow_status
solver_regroup(struct flow_solver *s)
{
	enum flow_status status;

	release_merged(s);
	status = merge(s);
	if (status)
		return status;
	for (uint32_t e = 0; e < s->members.nr_arcs; e++)
		if (s->members.closed[e])
			s->merged.closed[s->twins.merged_arc[e]] = 1;
	return blocks_find(&s->blocks, &s->merged);
}

void
solver_release(struct flow_solver *s)
{
	graph_release(&s->graph);
	net_release(&s->members);
	free(s->ids);
	free(s->count);
	free(s->residual);
	free(s->alone);
	free(s->samples);
	free(s->unlikely);
	release_merged(s);
	push_release(&s->push);
	free(s->number);
	memset(s, 0, sizeof(*s));
}

/* ---- block by block ---- */

struct block_job {
	struct flow_solver *s;
	struct net *net;           /* whose blocks they are */
	const uint32_t *arcs;      /* the block's arcs in it */
	struct net block;
	const struct solver_region *region; /* NULL: everywhere */
	uint64_t budget;           /* of push work, for all blocks */
	enum flow_bounds how;
	enum flow_estimator estimator;
	/* For estimates: net is a block itself, and these are arrays per arc of its origin. */
	const uint32_t *ids;       /* per arc of net: its arc there */
	const double *samples;     /* or NULL */
	const uint8_t *unlikely;   /* or NULL */
	const uint64_t *before;    /* the counts before a small change; or NULL */
};

static enum flow_status
for_each_block(struct block_job *job, const struct blocks *blocks,
	       enum flow_status (*work)(struct block_job *))
{
	enum flow_status status = FLOW_OK;

	for (uint32_t k = 0; k < blocks->nr && !status; k++) {
		job->arcs = blocks->arcs + blocks->start[k];
		if (job->region && job->region->block[job->arcs[0]] != job->region->number)
			continue;
		status = net_part(&job->block, job->net, job->arcs,
				  blocks->start[k + 1] - blocks->start[k], job->s->number);
		if (!status)
			status = work(job);
		net_release(&job->block);
	}
	return status;
}

/* ---- bounds ---- */

static enum flow_status
exact_bounds(struct block_job *job, struct bounds *b)
{
	uint64_t *least = array_raw(job->block.nr_arcs, sizeof(*least));
	uint64_t *most = array_raw(job->block.nr_arcs, sizeof(*most));
	enum flow_status status = FLOW_NO_MEMORY;

	if (least && most) {
		bounds_exact(&job->block, &job->s->push, b, least, most);
		status = FLOW_OK;
	}
	free(least);
	free(most);
	return status;
}

static bool
wants_exact(const struct block_job *job)
{
	if (job->how == FLOW_BOUNDS_SMALL)
		return job->block.nr_arcs <= EXACT_ARCS && job->s->push.work < job->budget;
	return job->how == FLOW_BOUNDS_EXACT;
}

static enum flow_status
bound_block(struct block_job *job)
{
	struct bounds b = { 0 }, *all = &job->s->bounds;
	enum flow_status status = FLOW_NO_MEMORY;

	b.lo = array_raw(job->block.nr_arcs, sizeof(*b.lo));
	b.hi = array_raw(job->block.nr_arcs, sizeof(*b.hi));
	if (!b.lo || !b.hi)
		goto out;
	status = FLOW_OK;
	bounds_outer(&job->block, &b);
	if (wants_exact(job))
		status = exact_bounds(job, &b);
	for (uint32_t k = 0; k < job->block.nr_arcs; k++) {
		all->lo[job->arcs[k]] = b.lo[k];
		all->hi[job->arcs[k]] = b.hi[k];
	}
out:
	free(b.lo);
	free(b.hi);
	return status;
}

enum flow_status
solver_bound(struct flow_solver *s, enum flow_bounds how)
{
	struct block_job job = { .s = s, .net = &s->merged, .how = how,
				 .budget = s->push.work + EXACT_WORK };

	free(s->bounds.lo);
	free(s->bounds.hi);
	s->bounds.lo = array_raw(s->merged.nr_arcs, sizeof(*s->bounds.lo));
	s->bounds.hi = array_raw(s->merged.nr_arcs, sizeof(*s->bounds.hi));
	if (!s->bounds.lo || !s->bounds.hi)
		return FLOW_NO_MEMORY;
	for (uint32_t e = 0; e < s->merged.nr_arcs; e++)
		s->bounds.lo[e] = s->bounds.hi[e] = s->merged.x[e];
	return for_each_block(&job, &s->blocks, bound_block);
}

/* ---- estimates ---- */

static void
copy_back(struct block_job *job)
{
	for (uint32_t k = 0; k < job->block.nr_arcs; k++)
		job->net->x[job->arcs[k]] = job->block.x[k];
}

static enum flow_status
estimate_by_entropy(struct block_job *job)
{
	bool near = job->before && job->block.nr_arcs > NEAR_ARCS;
	uint32_t nr = job->block.nr_arcs;
	uint64_t *before = near ? array_raw(nr, sizeof(*before)) : NULL;
	enum flow_status status = FLOW_NO_MEMORY;

	for (uint32_t k = 0; before && k < nr; k++)
		before[k] = job->before[job->ids[job->arcs[k]]];
	if (before || !near)
		status = estimate_entropy(&job->block, &job->s->push, before);
	free(before);
	return status;
}

static uint64_t
budget_left(const struct block_job *job)
{
	uint64_t work = job->s->push.work;

	return work < job->budget ? job->budget - work : 0;
}

static enum flow_status
estimate_evenly(struct block_job *job)
{
	return estimate_even(&job->block, &job->s->push, budget_left(job));
}

static enum flow_status
estimate_by_likelihood(struct block_job *job)
{
	uint32_t nr = job->block.nr_arcs;
	double *samples = job->samples ? array_raw(nr, sizeof(*samples)) : NULL;
	enum flow_status status = FLOW_NO_MEMORY;

	for (uint32_t k = 0; samples && k < nr; k++)
		samples[k] = job->samples[job->ids[job->arcs[k]]];
	if (samples || !job->samples)
		status = estimate_likely(&job->block, &job->s->push, budget_left(job), samples);
	free(samples);
	return status;
}

static enum flow_status
estimate_part(struct block_job *job)
{
	static enum flow_status (*const estimate[])(struct block_job *) = {
		[FLOW_LIKELY] = estimate_by_likelihood,
		[FLOW_EVEN] = estimate_evenly,
		[FLOW_ENTROPY] = estimate_by_entropy,
	};
	enum flow_status status = estimate[job->estimator](job);

	copy_back(job);
	return status;
}

/* Opens the arcs of the block that are not above LEVEL, and closes the others. */
static void
open_up_to(struct block_job *job, int level)
{
	for (uint32_t e = 0; e < job->block.nr_arcs; e++)
		job->block.closed[e] = job->unlikely[job->arcs[e]] > level;
}

/* Takes the calls off the unlikely arcs of the block, as far as others can have them; those of them
 * that need have none are closed. */
static void
move_to_likely(struct block_job *job)
{
	struct net *block = &job->block;

	for (uint32_t e = 0; e < block->nr_arcs; e++) {
		if (!job->unlikely[job->arcs[e]])
			continue;
		block->rest[block->from[e]] += block->x[e];
		block->rest[block->to[e]] += block->x[e];
		block->x[e] = 0;
	}
	for (int level = 0; level <= FLOW_UNLIKELY; level++) {
		open_up_to(job, level);
		push_rests(&job->s->push, block);
	}
	levels_settle(block, job->unlikely, job->arcs);
}

/* Among all solutions the estimate is one with as few calls from and to outside as possible: they
 * are those with the same sums at outside, split in two. There, fewer arcs are free, and these are
 * in smaller blocks. */
static enum flow_status
estimate_block(struct block_job *job)
{
	struct block_job part = *job;
	struct blocks blocks = { 0 };
	enum flow_status status;

	push_off_outside(&job->s->push, &job->block);
	status = net_split_outside(&job->block);
	if (!status && job->unlikely && job->block.first_outside == job->block.nr_nodes)
		move_to_likely(job);
	if (!status && job->block.first_outside == job->block.nr_nodes) {
		status = blocks_find(&blocks, &job->block);
		part.net = &job->block;
		part.ids = job->arcs;
		part.region = NULL;
		if (!status)
			status = for_each_block(&part, &blocks, estimate_part);
	}
	blocks_release(&blocks);
	copy_back(job);
	return status;
}

/* Twins share independently, as maximum entropy has it; the other rules look at each member. */
static enum flow_status
estimate_members(struct flow_solver *s, enum flow_estimator estimator)
{
	struct block_job job = { .s = s, .net = &s->members, .estimator = estimator,
				 .samples = s->samples, .unlikely = s->unlikely,
				 .budget = s->push.work + EVEN_WORK };
	struct blocks blocks;
	enum flow_status status = blocks_find(&blocks, &s->members);

	if (!status)
		status = for_each_block(&job, &blocks, estimate_block);
	blocks_release(&blocks);
	return status;
}

/* The rests of the first solution stay where they are: from now on the counts are those that
 * fit. */
static void
place_residual(struct flow_solver *s)
{
	struct net *net = &s->members;

	for (uint32_t v = 0; v < net->first_outside; v++) {
		s->residual[v] += net->rest[v];
		s->count[v] -= net->rest[v];
		net->rest[v] = 0;
	}
	memset(s->merged.rest, 0, s->merged.nr_nodes * sizeof(*s->merged.rest));
}

enum flow_status
solver_estimate(struct flow_solver *s, enum flow_estimator estimator,
		const struct solver_region *region)
{
	struct block_job job = { .s = s, .net = &s->merged,
				 .unlikely = s->merged_unlikely, .region = region,
				 .before = region ? region->before : NULL,
				 .estimator = estimator };
	enum flow_status status = FLOW_OK;

	if (estimator == FLOW_ENTROPY)
		status = for_each_block(&job, &s->blocks, estimate_block);
	if (!status)
		status = twins_expand(&s->twins, &s->merged, s->count, &s->members);
	if (!status)
		place_residual(s);
	if (!status && estimator != FLOW_ENTROPY)
		status = estimate_members(s, estimator);
	return status;
}

/* ---- the result ---- */

enum flow_status
solver_result_init(struct flow_result *r, const struct flow_problem *p)
{
	memset(r, 0, sizeof(*r));
	r->count = array_raw(p->nr_arcs, sizeof(*r->count));
	r->lo = array_raw(p->nr_arcs, sizeof(*r->lo));
	r->hi = array_raw(p->nr_arcs, sizeof(*r->hi));
	r->how = array_raw(p->nr_arcs, sizeof(*r->how));
	r->site_residual = array_raw(p->nr_sites, sizeof(*r->site_residual));
	r->procedure_residual = array_raw(p->nr_procedures, sizeof(*r->procedure_residual));
	return r->count && r->lo && r->hi && r->how && r->site_residual && r->procedure_residual ?
	       FLOW_OK : FLOW_NO_MEMORY;
}

static void
store_settled(const struct flow_solver *s, struct flow_result *r)
{
	const struct graph *g = &s->graph;

	for (uint32_t i = 0; i < g->nr_arcs; i++) {
		r->lo[i] = r->hi[i] = r->count[i];
		r->how[i] = FLOW_SOLVED;
	}
	for (uint32_t i = 0; i < g->nr_sites; i++)
		r->site_residual[i] = g->site_rest[g->site_number[i]];
	for (uint32_t i = 0; i < g->nr_procedures; i++)
		r->procedure_residual[i] = g->procedure_rest[g->procedure_number[i]];
}

static void
store_residual(const struct flow_solver *s, uint32_t k, struct flow_result *r)
{
	const struct net *net = &s->members;
	const struct flow_arc *arc = &s->graph.problem->arcs[s->ids[k]];

	if (arc->site >= 0)
		r->site_residual[arc->site] = s->residual[net->from[k]];
	if (arc->procedure >= 0)
		r->procedure_residual[arc->procedure] = s->residual[net->to[k]];
}

/* Per merged node, the sum of its members' counts; it fits, see twins_merge(). NULL: no memory. */
static uint64_t *
group_counts(const struct flow_solver *s)
{
	uint64_t *sum = array_new(s->merged.nr_nodes, sizeof(*sum));

	for (uint32_t v = 0; sum && v < s->members.first_outside; v++)
		sum[s->twins.group[v]] += s->count[v];
	return sum;
}

/* The interval of member arc K, when that of its merged arc is IN. */
static struct twins_interval
member_interval(const struct flow_solver *s, const uint64_t *sum, uint32_t k,
		struct twins_interval in)
{
	uint32_t ends[2] = { s->members.from[k], s->members.to[k] };

	for (int i = 0; i < 2; i++) {
		uint64_t own = s->count[ends[i]];

		if (!net_is_outside(&s->members, ends[i]))
			in = twins_narrow(in, own, sum[s->twins.group[ends[i]]] - own);
	}
	return in;
}

static void
store_interval(const struct flow_solver *s, uint32_t k, struct twins_interval in,
	       struct flow_result *r)
{
	uint32_t arc = s->ids[k];

	r->count[arc] = s->members.x[k];
	r->lo[arc] = in.lo;
	r->hi[arc] = in.hi;
	r->how[arc] = in.lo < in.hi ? FLOW_ESTIMATED : FLOW_SOLVED;
}

enum flow_status
solver_store(const struct flow_solver *s, struct flow_result *r)
{
	uint64_t *sum = group_counts(s);

	if (!sum)
		return FLOW_NO_MEMORY;
	store_settled(s, r);
	for (uint32_t k = 0; k < s->members.nr_arcs; k++) {
		uint32_t e = s->twins.merged_arc[k];
		struct twins_interval in = { s->bounds.lo[e], s->bounds.hi[e] };

		store_residual(s, k, r);
		store_interval(s, k, member_interval(s, sum, k, in), r);
	}
	free(sum);
	graph_copy_duplicates(&s->graph, r);
	return FLOW_OK;
}

/* Pins only narrow intervals: the old ones hold on. */
enum flow_status
solver_store_turn(const struct flow_solver *s, struct flow_result *r)
{
	uint64_t *sum = group_counts(s);

	if (!sum)
		return FLOW_NO_MEMORY;
	for (uint32_t k = 0; k < s->members.nr_arcs; k++) {
		uint32_t arc = s->ids[k], e = s->twins.merged_arc[k];
		struct twins_interval in = { s->merged.x[e], s->merged.x[e] };
		struct twins_interval old = { r->lo[arc], r->hi[arc] };

		if (s->blocks.block[e] == BLOCK_NONE) {
			in = member_interval(s, sum, k, in);
			old.lo = in.lo > old.lo ? in.lo : old.lo;
			old.hi = in.hi < old.hi ? in.hi : old.hi;
		}
		store_interval(s, k, old, r);
	}
	free(sum);
	graph_copy_duplicates(&s->graph, r);
	return FLOW_OK;
}

enum flow_status
solver_interval(struct flow_solver *s, uint32_t k, struct twins_interval *in)
{
	uint32_t e = s->twins.merged_arc[k];
	struct net *net = &s->merged;
	uint64_t *x, *sum;

	in->lo = in->hi = net->x[e];
	if (s->blocks.block[e] != BLOCK_NONE) {
		x = array_raw(net->nr_arcs, sizeof(*x));
		if (!x)
			return FLOW_NO_MEMORY;
		memcpy(x, net->x, net->nr_arcs * sizeof(*x));
		bounds_of_arc(net, &s->push, e, &in->lo, &in->hi);
		memcpy(net->x, x, net->nr_arcs * sizeof(*x));
		free(x);
	}
	sum = group_counts(s);
	if (!sum)
		return FLOW_NO_MEMORY;
	*in = member_interval(s, sum, k, *in);
	free(sum);
	return FLOW_OK;
}
