/* Aggregate time by gprof's rule: Graham, Kessler and McKusick (1982), section 4. Strongly
 * connected procedures are one node; the time of a node is carried to its callers in proportion to
 * their calls from outside the node. Whole nanoseconds, none lost: what comes from outside keeps
 * the rest. */
#include "flow/flow.h"

#include <stdbool.h>
#include <string.h>

#include "flow/array.h"
#include "flow/callgraph.h"

typedef unsigned __int128 wide;

/* ---- cycles: components of two or more, numbered by their first member ---- */

static enum flow_status
number_cycles(const struct call_graph *g, struct flow_time *out)
{
	uint32_t *members = array_new(g->nr_components, sizeof(*members));
	uint32_t *number = array_new(g->nr_components, sizeof(*number));
	enum flow_status status = FLOW_NO_MEMORY;
	uint32_t k;

	if (!members || !number)
		goto out;
	for (size_t p = 0; p < g->nr; p++)
		members[g->component[p]]++;
	for (size_t p = 0; p < g->nr; p++) {
		k = g->component[p];
		if (members[k] < 2)
			continue;
		if (!number[k])
			number[k] = (uint32_t)++out->nr_cycles;
		out->cycle[p] = number[k];
	}
	out->cycles = array_new(out->nr_cycles, sizeof(*out->cycles));
	if (out->cycles)
		status = FLOW_OK;
out:
	free(members);
	free(number);
	return status;
}

/* ---- carrying time from callees to callers ---- */

struct carry {
	wide *entries;        /* per component: calls into it from outside of it */
	wide *arcs_in;        /* per component: those of them that have a caller */
	uint64_t *total_ns;   /* per component: self and inherited time of its members so far */
	size_t *order;        /* arcs between components, by component of the callee */
	size_t nr_order;
	uint64_t *arc_ns;     /* per arc: what it carries */
};

static bool
is_inner(const struct call_graph *g, const struct flow_call *a)
{
	return g->component[a->caller] == g->component[a->callee];
}

/* Calls within a component carry no time and do not count as entries. Entries fewer than the calls
 * (counts that do not fit) must not carry more time than there is. */
static void
count_entries(const struct call_graph *g, const uint64_t *entries, struct carry *c)
{
	wide *inner = c->arcs_in;
	uint32_t k;

	for (size_t p = 0; p < g->nr; p++)
		c->entries[g->component[p]] += entries[p];
	for (size_t i = 0; i < g->nr_arcs; i++)
		if (is_inner(g, &g->arcs[i]))
			inner[g->component[g->arcs[i].caller]] += g->arcs[i].count;
	for (k = 0; k < g->nr_components; k++) {
		c->entries[k] -= inner[k] < c->entries[k] ? inner[k] : c->entries[k];
		c->arcs_in[k] = 0;
	}
	for (size_t i = 0; i < g->nr_arcs; i++)
		if (!is_inner(g, &g->arcs[i]))
			c->arcs_in[g->component[g->arcs[i].callee]] += g->arcs[i].count;
	for (k = 0; k < g->nr_components; k++)
		if (c->entries[k] < c->arcs_in[k])
			c->entries[k] = c->arcs_in[k];
}

/* Callers have higher component numbers than their callees: sorted by the callee's component,
 * highest last, every component is complete when its turn comes. A counting sort keeps arc order.
 */
static enum flow_status
order_arcs(const struct call_graph *g, struct carry *c)
{
	size_t *start = array_new(g->nr_components + 1, sizeof(*start));
	const struct flow_call *a;

	if (!start)
		return FLOW_NO_MEMORY;
	for (size_t i = 0; i < g->nr_arcs; i++) {
		a = &g->arcs[i];
		if (!is_inner(g, a))
			start[g->component[a->callee] + 1]++;
	}
	for (size_t k = 0; k < g->nr_components; k++)
		start[k + 1] += start[k];
	c->nr_order = start[g->nr_components];
	for (size_t i = 0; i < g->nr_arcs; i++) {
		a = &g->arcs[i];
		if (!is_inner(g, a))
			c->order[start[g->component[a->callee]]++] = i;
	}
	free(start);
	return FLOW_OK;
}

static void
carry_up(const struct call_graph *g, struct carry *c, struct flow_time *out)
{
	const struct flow_call *a;
	uint64_t before, after;
	wide calls = 0;
	uint32_t k, last = UINT32_MAX;

	for (size_t i = 0; i < c->nr_order; i++) {
		a = &g->arcs[c->order[i]];
		k = g->component[a->callee];
		if (k != last)
			calls = 0;
		last = k;
		before = time_share(c->total_ns[k], calls, c->entries[k]);
		calls += a->count;
		after = time_share(c->total_ns[k], calls, c->entries[k]);
		c->arc_ns[c->order[i]] = after - before;
		c->total_ns[g->component[a->caller]] += after - before;
		out->total_ns[a->caller] += after - before;
		out->outside_ns -= after - before;
	}
}

/* Shares what an arc carries among its calls, to the last nanosecond, as everywhere. */
static void
share_among_calls(const struct call_graph *g, const struct flow_call *calls,
		  const uint64_t *arc_ns, uint64_t *call_ns)
{
	uint64_t before, after;
	wide all, sum;
	size_t k;

	for (size_t i = 0; i < g->nr_arcs; i++) {
		all = sum = before = 0;
		for (k = g->first[i]; k < g->first[i + 1]; k++)
			all += calls[g->order[k]].count;
		for (k = g->first[i]; k < g->first[i + 1]; k++, before = after) {
			sum += calls[g->order[k]].count;
			after = time_share(arc_ns[i], sum, all);
			call_ns[g->order[k]] = after - before;
		}
	}
}

static void
describe_cycles(const struct call_graph *g, const struct carry *c, struct flow_time *out)
{
	const struct flow_call *a;
	struct flow_cycle *cycle;
	uint32_t k;

	for (size_t p = 0; p < g->nr; p++) {
		if (!out->cycle[p])
			continue;
		cycle = &out->cycles[out->cycle[p] - 1];
		k = g->component[p];
		cycle->members++;
		cycle->total_ns = c->total_ns[k];
		cycle->outer_calls = c->entries[k] > UINT64_MAX ? UINT64_MAX :
								  (uint64_t)c->entries[k];
	}
	for (size_t i = 0; i < g->nr_arcs; i++) {
		a = &g->arcs[i];
		if (!out->cycle[a->caller] || !is_inner(g, a))
			continue;
		cycle = &out->cycles[out->cycle[a->caller] - 1];
		if (a->caller == a->callee)
			cycle->self_calls = add_saturated(cycle->self_calls, a->count);
		else
			cycle->inner_calls = add_saturated(cycle->inner_calls, a->count);
	}
}

static enum flow_status
carry_time(const struct call_graph *g, const uint64_t *self_ns, const uint64_t *entries,
	   const struct flow_call *calls, struct flow_time *out)
{
	struct carry c = { 0 };
	enum flow_status status = FLOW_NO_MEMORY;

	c.entries = array_new(g->nr_components, sizeof(*c.entries));
	c.arcs_in = array_new(g->nr_components, sizeof(*c.arcs_in));
	c.total_ns = array_new(g->nr_components, sizeof(*c.total_ns));
	c.order = array_raw(g->nr_arcs, sizeof(*c.order));
	c.arc_ns = array_new(g->nr_arcs, sizeof(*c.arc_ns));
	if (!c.entries || !c.arcs_in || !c.total_ns || !c.order || !c.arc_ns || order_arcs(g, &c))
		goto out;
	count_entries(g, entries, &c);
	for (size_t p = 0; p < g->nr; p++) {
		out->total_ns[p] = self_ns[p];
		c.total_ns[g->component[p]] += self_ns[p];
	}
	carry_up(g, &c, out);
	/* Outside gets what no caller took: per component its total less what was carried up. */
	for (size_t k = 0; k < g->nr_components; k++)
		out->outside_ns += c.total_ns[k];
	share_among_calls(g, calls, c.arc_ns, out->call_ns);
	describe_cycles(g, &c, out);
	status = FLOW_OK;
out:
	free(c.entries);
	free(c.arcs_in);
	free(c.total_ns);
	free(c.order);
	free(c.arc_ns);
	return status;
}

enum flow_status
flow_time(size_t nr_procedures, const uint64_t *self_ns, const uint64_t *entries,
	  const struct flow_call *calls, size_t nr_calls, struct flow_time *out)
{
	struct call_graph g = { 0 };
	enum flow_status status;

	memset(out, 0, sizeof(*out));
	if (time_check_sum(self_ns, nr_procedures))
		return FLOW_BAD_INPUT;
	status = call_graph_init(&g, nr_procedures, calls, nr_calls);
	if (!status) {
		out->total_ns = array_new(nr_procedures, sizeof(*out->total_ns));
		out->cycle = array_new(nr_procedures, sizeof(*out->cycle));
		out->call_ns = array_new(nr_calls, sizeof(*out->call_ns));
		status = out->total_ns && out->cycle && out->call_ns ? FLOW_OK : FLOW_NO_MEMORY;
	}
	if (!status)
		status = number_cycles(&g, out);
	if (!status)
		status = carry_time(&g, self_ns, entries, calls, out);
	call_graph_release(&g);
	if (status)
		flow_time_release(out);
	return status;
}

void
flow_time_release(struct flow_time *t)
{
	free(t->total_ns);
	free(t->cycle);
	free(t->cycles);
	free(t->call_ns);
	memset(t, 0, sizeof(*t));
}
