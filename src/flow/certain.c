/* What is below a procedure for certain, by dominators: Cooper, Harvey and Kennedy (2001), over the
 * calls that can have been made, with all code outside as the entry. */
#include <stdbool.h>
#include <string.h>

#include "flow/array.h"
#include "flow/flow.h"

enum { NONE = UINT32_MAX, WORK_FOR_EACH = 64, LEAST_WORK = 1 << 20 };

/* Vertices are numbered as they are left last to first by a walk from outside, which is number 0:
 * whoever is above another one has the lower number. */
struct walk {
	size_t nr;               /* procedures; with outside one more vertex */
	const struct flow_call_range *calls;
	size_t nr_calls;
	uint32_t *first, *by;    /* per procedure + 1: its calls as caller in BY */
	uint32_t *number, *at;   /* of a procedure, NONE: not reached; of a number, a procedure */
	uint32_t *above;         /* per number: the number of its dominator */
	uint32_t *depth, *before, *size; /* per number: in the tree of dominators */
	uint32_t *low;           /* how far up calls lead that leave the vertex's tree */
	bool *live;              /* per procedure: it or what it calls makes something */
};

static bool
can_be(const struct flow_call_range *c)
{
	return c->hi != 0;
}

static bool
walk_init(struct walk *w, size_t nr, const struct flow_call_range *calls, size_t nr_calls)
{
	*w = (struct walk){ .nr = nr, .calls = calls, .nr_calls = nr_calls };
	w->first = array_new(nr + 1, sizeof(*w->first));
	w->by = array_new(nr_calls, sizeof(*w->by));
	w->number = array_new(nr, sizeof(*w->number));
	w->at = array_new(nr + 1, sizeof(*w->at));
	w->above = array_new(nr + 1, sizeof(*w->above));
	w->depth = array_new(nr + 1, sizeof(*w->depth));
	w->before = array_new(nr + 1, sizeof(*w->before));
	w->size = array_new(nr + 1, sizeof(*w->size));
	w->low = array_new(nr + 1, sizeof(*w->low));
	w->live = array_new(nr, sizeof(*w->live));
	return w->first && w->by && w->number && w->at && w->above && w->depth && w->before &&
	       w->size && w->low && w->live;
}

static void
walk_release(struct walk *w)
{
	free(w->first);
	free(w->by);
	free(w->number);
	free(w->at);
	free(w->above);
	free(w->depth);
	free(w->before);
	free(w->size);
	free(w->low);
	free(w->live);
}

/* Puts the calls that can be in the order of their callers, or of their callees. */
static void
sort_calls(struct walk *w, bool by_callee)
{
	memset(w->first, 0, (w->nr + 1) * sizeof(*w->first));
	for (size_t i = 0; i < w->nr_calls; i++)
		if (can_be(&w->calls[i]))
			w->first[by_callee ? w->calls[i].callee : w->calls[i].caller]++;
	for (size_t p = 1; p <= w->nr; p++)
		w->first[p] += w->first[p - 1];
	for (size_t i = w->nr_calls; i-- > 0;)
		if (can_be(&w->calls[i]))
			w->by[--w->first[by_callee ? w->calls[i].callee : w->calls[i].caller]] =
				(uint32_t)i;
}

/* Marks whoever leads to something that MAKES; calls are in the order of their callees. STACK has
 * room for all. */
static void
find_live(struct walk *w, const bool *makes, uint32_t *stack)
{
	size_t nr = 0;

	for (size_t p = 0; p < w->nr; p++) {
		w->live[p] = makes[p];
		if (makes[p])
			stack[nr++] = (uint32_t)p;
	}
	while (nr) {
		uint32_t p = stack[--nr];

		for (uint32_t i = w->first[p]; i < w->first[p + 1]; i++) {
			uint32_t caller = w->calls[w->by[i]].caller;

			if (!w->live[caller])
				stack[nr++] = caller;
			w->live[caller] = true;
		}
	}
}

/* Walks from procedure P to all that have not been reached; the order in which they are left
 * stands in w->at from its end on, NR_LEFT of them. NEXT: per procedure, its next call. Returns
 * NR_LEFT. */
static size_t
walk_from(struct walk *w, uint32_t p, uint32_t *stack, uint32_t *next, size_t nr_left)
{
	size_t nr = 0;

	stack[nr++] = p;
	w->number[p] = 0;
	while (nr) {
		uint32_t callee;

		p = stack[nr - 1];
		if (next[p] == w->first[p + 1]) {
			w->at[w->nr - nr_left++] = p;
			nr--;
			continue;
		}
		callee = w->calls[w->by[next[p]++]].callee;
		if (w->number[callee] != NONE)
			continue;
		w->number[callee] = 0;
		stack[nr++] = callee;
	}
	return nr_left;
}

/* Numbers all; what nothing leads to is taken to be entered from outside. Calls are in the order of
 * their callers. */
static void
number_all(struct walk *w, bool *entered, uint32_t *stack, uint32_t *next)
{
	size_t left = 0;

	memcpy(next, w->first, w->nr * sizeof(*next));
	for (size_t p = 0; p < w->nr; p++)
		w->number[p] = NONE;
	for (size_t k = 0; k < 2 * w->nr; k++) {
		size_t p = k % w->nr;

		if (w->number[p] != NONE || (k < w->nr && !entered[p]))
			continue;
		entered[p] = true;
		left = walk_from(w, (uint32_t)p, stack, next, left);
	}
	for (size_t n = 1; n <= w->nr; n++)
		w->number[w->at[n]] = (uint32_t)n;
}

/* Returns what is above both. */
static uint32_t
meet(const uint32_t *above, uint32_t a, uint32_t b, size_t *work)
{
	while (a != b) {
		++*work;
		if (a > b)
			a = above[a];
		else
			b = above[b];
	}
	return a;
}

/* Returns false when that takes too long. Calls are in the order of their callees. */
static bool
find_above(struct walk *w, const bool *entered)
{
	size_t work = 0, most = (w->nr + w->nr_calls) * WORK_FOR_EACH + LEAST_WORK;
	bool changed = true;

	for (size_t n = 1; n <= w->nr; n++)
		w->above[n] = NONE;
	while (changed && work < most) {
		changed = false;
		for (size_t n = 1; n <= w->nr && work < most; n++) {
			uint32_t p = w->at[n], new = entered[p] ? 0 : NONE;

			for (uint32_t i = w->first[p]; new && i < w->first[p + 1]; i++) {
				uint32_t from = w->number[w->calls[w->by[i]].caller];

				work++;
				if (w->above[from] != NONE)
					new = new == NONE ? from : meet(w->above, from, new, &work);
			}
			changed |= new != w->above[n];
			w->above[n] = new;
		}
	}
	return !changed;
}

/* The tree of dominators: depths, and where the trees of vertices begin. */
static void
measure_tree(struct walk *w)
{
	w->depth[0] = w->before[0] = 0;
	for (size_t n = 0; n <= w->nr; n++)
		w->size[n] = 1;
	for (size_t n = w->nr; n > 0; n--)
		w->size[w->above[n]] += w->size[n];
	for (size_t n = 0; n <= w->nr; n++)
		w->low[n] = w->before[n] + 1; /* where its next child begins */
	for (size_t n = 1; n <= w->nr; n++) {
		uint32_t above = w->above[n];

		w->depth[n] = w->depth[above] + 1;
		w->before[n] = w->low[above];
		w->low[above] += w->size[n];
		w->low[n] = w->before[n] + 1;
	}
}

static bool
is_within(const struct walk *w, uint32_t n, uint32_t tree)
{
	return w->before[n] - w->before[tree] < w->size[tree];
}

/* A call that leaves the tree of its caller's dominators leads to what others reach, too: none of
 * those below the callee's dominator has all of it to itself. */
static void
find_low(struct walk *w)
{
	for (size_t n = 0; n <= w->nr; n++)
		w->low[n] = w->depth[n];
	for (size_t i = 0; i < w->nr_calls; i++) {
		const struct flow_call_range *c = &w->calls[i];
		uint32_t from, to, depth;

		if (!can_be(c) || !w->live[c->callee])
			continue;
		from = w->number[c->caller];
		to = w->number[c->callee];
		depth = w->depth[is_within(w, from, to) ? to : w->above[to]];
		w->low[from] = depth < w->low[from] ? depth : w->low[from];
	}
	for (size_t n = w->nr; n > 0; n--)
		if (w->low[n] < w->low[w->above[n]])
			w->low[w->above[n]] = w->low[n];
}

/* Sets whether a call is the only way to all that is below its callee. ENTRIES is for the number of
 * ways to each procedure. */
static void
judge_calls(const struct walk *w, const bool *entered, uint32_t *entries,
	    struct flow_certain *out)
{
	for (size_t p = 0; p < w->nr; p++)
		entries[p] = entered[p];
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < w->nr_calls; i++) {
			const struct flow_call_range *c = &w->calls[i];

			if (!can_be(c) || is_within(w, w->number[c->caller], w->number[c->callee]))
				continue;
			if (round)
				out->whole_call[i] = out->whole[c->callee] &&
						     entries[c->callee] == 1;
			else
				entries[c->callee]++;
		}
	}
}

static void
store(struct walk *w, const bool *entered, uint32_t *spare, struct flow_certain *out)
{
	measure_tree(w);
	find_low(w);
	for (size_t n = 1; n <= w->nr; n++) {
		uint32_t p = w->at[n], above = w->above[n];

		out->order[n - 1] = p;
		out->above[p] = above ? w->at[above] : (uint32_t)w->nr;
		out->whole[p] = w->low[n] >= w->depth[n];
	}
	judge_calls(w, entered, spare, out);
}

/* Nobody is above anybody, and nothing is certain. */
static void
give_up(size_t nr, struct flow_certain *out)
{
	for (size_t p = 0; p < nr; p++) {
		out->order[p] = (uint32_t)p;
		out->above[p] = (uint32_t)nr;
	}
}

enum flow_status
flow_certain(size_t nr, const struct flow_call_range *calls, size_t nr_calls, bool *entered,
	     const bool *makes, struct flow_certain *out)
{
	struct walk w;
	uint32_t *stack = array_new(nr, sizeof(*stack)), *next = array_new(nr, sizeof(*next));
	enum flow_status status = FLOW_NO_MEMORY;

	out->whole = array_new(nr, sizeof(*out->whole));
	out->whole_call = array_new(nr_calls, sizeof(*out->whole_call));
	out->above = array_new(nr, sizeof(*out->above));
	out->order = array_new(nr, sizeof(*out->order));
	if (!walk_init(&w, nr, calls, nr_calls) || !stack || !next || !out->whole ||
	    !out->whole_call || !out->above || !out->order)
		goto out;
	sort_calls(&w, false);
	number_all(&w, entered, stack, next);
	sort_calls(&w, true);
	find_live(&w, makes, stack);
	if (find_above(&w, entered))
		store(&w, entered, next, out);
	else
		give_up(nr, out);
	status = FLOW_OK;
out:
	free(stack);
	free(next);
	walk_release(&w);
	if (status)
		flow_certain_release(out);
	return status;
}

void
flow_certain_sum(const struct flow_certain *c, size_t nr, uint64_t *below)
{
	for (size_t i = nr; i-- > 0;) {
		uint32_t p = c->order[i];

		if (c->above[p] < nr)
			below[c->above[p]] += below[p];
	}
}

void
flow_certain_release(struct flow_certain *c)
{
	free(c->whole);
	free(c->whole_call);
	free(c->above);
	free(c->order);
	*c = (struct flow_certain){ NULL, NULL, NULL, NULL };
}
