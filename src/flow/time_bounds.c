/* How far aggregate times (flow_time) can move when the calls move within their intervals. Interval
 * arithmetic over the components, callees first: of a callee entered E times, a caller with n calls
 * has the share n / E; both are known to within an interval. */
#include "flow/flow.h"

#include <stdbool.h>
#include <string.h>

#include "flow/array.h"
#include "flow/callgraph.h"

typedef unsigned __int128 wide;

struct bounding {
	struct call_graph g;
	const uint64_t *entries;
	uint64_t *lo, *hi;          /* per arc: calls */
	uint32_t *certain_part;     /* per procedure: component by calls that always take part */
	wide *entries_lo, *entries_hi; /* per component: calls into it from outside */
	uint64_t *lo_ns, *hi_ns;    /* per component: its time */
	uint8_t *loose;             /* per component: something uncertain matters to it */
	uint8_t *stable;            /* per component: a cycle whatever the counts, or no cycle */
	uint32_t *order;            /* procedures by component */
	uint64_t all_ns;
};

static struct flow_call *
as_calls(const struct flow_call_range *ranges, size_t nr, bool always_only, size_t *nr_calls)
{
	struct flow_call *calls = array_raw(nr, sizeof(*calls));

	*nr_calls = 0;
	for (size_t i = 0; calls && i < nr; i++) {
		if (always_only && !ranges[i].always && !ranges[i].lo)
			continue;
		calls[(*nr_calls)++] =
			(struct flow_call){ ranges[i].caller, ranges[i].callee, ranges[i].hi };
	}
	return calls;
}

/* The components if only the calls took part that do so in every solution. */
static enum flow_status
find_certain_parts(struct bounding *b, const struct flow_call_range *ranges, size_t nr)
{
	size_t nr_calls;
	struct flow_call *calls = as_calls(ranges, nr, true, &nr_calls);
	struct call_graph g = { 0 };
	enum flow_status status = FLOW_NO_MEMORY;

	if (calls)
		status = call_graph_init(&g, b->g.nr, calls, nr_calls);
	if (!status) {
		b->certain_part = g.component;
		g.component = NULL;
	}
	call_graph_release(&g);
	free(calls);
	return status;
}

static void
sum_ranges(struct bounding *b, const struct flow_call_range *ranges)
{
	const struct flow_call_range *r;

	for (size_t i = 0; i < b->g.nr_arcs; i++) {
		for (size_t k = b->g.first[i]; k < b->g.first[i + 1]; k++) {
			r = &ranges[b->g.order[k]];
			b->lo[i] = add_saturated(b->lo[i], r->lo);
			b->hi[i] = add_saturated(b->hi[i], r->hi);
		}
	}
}

/* Are the members of each component one also without the uncertain calls? */
static void
find_stable(struct bounding *b)
{
	uint32_t *part = b->order; /* not in use yet: per component, that of a member */
	uint32_t k;

	memset(b->stable, 1, b->g.nr_components);
	for (size_t p = 0; p < b->g.nr; p++)
		part[b->g.component[p]] = b->certain_part[p];
	for (size_t p = 0; p < b->g.nr; p++) {
		k = b->g.component[p];
		if (part[k] != b->certain_part[p])
			b->stable[k] = false;
	}
}

static bool
is_inner(const struct bounding *b, size_t arc)
{
	return b->g.component[b->g.arcs[arc].caller] == b->g.component[b->g.arcs[arc].callee];
}

/* Bounds the calls into each component from outside: all entries, less the calls within, and never
 * fewer than the calls into it that are certain (counts that do not fit). */
static enum flow_status
bound_entries(struct bounding *b)
{
	size_t nr = b->g.nr_components;
	wide *inner_lo = array_new(nr, sizeof(*inner_lo)), *inner_hi = array_new(nr, sizeof(wide));
	enum flow_status status = FLOW_NO_MEMORY;
	uint32_t k;

	if (!inner_lo || !inner_hi)
		goto out;
	for (size_t p = 0; p < b->g.nr; p++)
		b->entries_hi[b->g.component[p]] += b->entries[p];
	for (size_t i = 0; i < b->g.nr_arcs; i++) {
		k = b->g.component[b->g.arcs[i].callee];
		if (!is_inner(b, i))
			continue;
		inner_lo[k] += b->lo[i];
		inner_hi[k] += b->hi[i];
		b->loose[k] |= b->lo[i] != b->hi[i];
	}
	for (k = 0; k < nr; k++) {
		wide all = b->entries_hi[k];

		if (!b->stable[k]) /* its parts may have all entries, or hardly any */
			continue;
		b->entries_lo[k] = inner_hi[k] < all ? all - inner_hi[k] : 0;
		b->entries_hi[k] = inner_lo[k] < all ? all - inner_lo[k] : 0;
	}
	memset(inner_lo, 0, nr * sizeof(*inner_lo));
	for (size_t i = 0; i < b->g.nr_arcs; i++)
		if (!is_inner(b, i))
			inner_lo[b->g.component[b->g.arcs[i].callee]] += b->lo[i];
	for (k = 0; k < nr; k++) {
		if (b->stable[k] && b->entries_lo[k] < inner_lo[k])
			b->entries_lo[k] = inner_lo[k];
		if (b->entries_hi[k] < inner_lo[k])
			b->entries_hi[k] = inner_lo[k];
	}
	status = FLOW_OK;
out:
	free(inner_lo);
	free(inner_hi);
	return status;
}

/* Bounds of the share n / E of the callee's time, the calls n among the entries E. */
static uint64_t
least_share(const struct bounding *b, uint32_t callee, uint64_t calls)
{
	uint64_t share = time_share(b->lo_ns[callee], calls, b->entries_hi[callee]);

	return share ? share - 1 : 0; /* shares are cut at rounded sums */
}

static uint64_t
greatest_share(const struct bounding *b, uint32_t callee, uint64_t calls)
{
	wide entries = b->entries_lo[callee] < calls ? calls : b->entries_lo[callee];

	return calls ? add_saturated(time_share(b->hi_ns[callee], calls, entries), 1) : 0;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Adds what P's calls to other components bring it, at least and at most, and notes when any of
 * that is uncertain. */
static void
bound_procedure(struct bounding *b, uint32_t p, const uint64_t *self_ns, uint64_t *lo_ns,
		uint64_t *hi_ns)
{
	uint32_t own = b->g.component[p], k;

	lo_ns[p] = hi_ns[p] = self_ns[p];
	for (size_t i = b->g.start[p]; i < b->g.start[p + 1]; i++) {
		k = b->g.component[b->g.arcs[i].callee];
		if (k == own)
			continue;
		lo_ns[p] = add_saturated(lo_ns[p], least_share(b, k, b->lo[i]));
		hi_ns[p] = add_saturated(hi_ns[p], greatest_share(b, k, b->hi[i]));
		b->loose[own] |= b->hi[i] && (b->loose[k] || b->lo[i] != b->hi[i] ||
					      b->entries_lo[k] != b->entries_hi[k]);
	}
	hi_ns[p] = least(hi_ns[p], b->all_ns);
}

/* A member of a cycle that may fall apart can have the time of what is in it now. */
static void
finish_component(struct bounding *b, const uint32_t *members, size_t nr, uint64_t *lo_ns,
		 uint64_t *hi_ns)
{
	uint32_t k = b->g.component[members[0]];

	for (size_t i = 0; i < nr; i++) {
		b->lo_ns[k] = add_saturated(b->lo_ns[k], lo_ns[members[i]]);
		b->hi_ns[k] = add_saturated(b->hi_ns[k], hi_ns[members[i]]);
	}
	b->hi_ns[k] = least(b->hi_ns[k], b->all_ns);
	if (b->stable[k])
		return;
	b->loose[k] = true;
	for (size_t i = 0; i < nr; i++) {
		hi_ns[members[i]] = b->hi_ns[k];
		b->lo_ns[k] = least(b->lo_ns[k], lo_ns[members[i]]);
	}
}

static enum flow_status
order_procedures(struct bounding *b)
{
	size_t *start = array_new(b->g.nr_components + 1, sizeof(*start));

	if (!start)
		return FLOW_NO_MEMORY;
	for (size_t p = 0; p < b->g.nr; p++)
		start[b->g.component[p] + 1]++;
	for (size_t k = 0; k < b->g.nr_components; k++)
		start[k + 1] += start[k];
	for (size_t p = 0; p < b->g.nr; p++)
		b->order[start[b->g.component[p]]++] = (uint32_t)p;
	free(start);
	return FLOW_OK;
}

static void
bound_all(struct bounding *b, const uint64_t *self_ns, uint64_t *lo_ns, uint64_t *hi_ns)
{
	size_t end;

	for (size_t i = 0; i < b->g.nr; i = end) {
		for (end = i; end < b->g.nr && b->g.component[b->order[end]] ==
						       b->g.component[b->order[i]];
		     end++)
			bound_procedure(b, b->order[end], self_ns, lo_ns, hi_ns);
		finish_component(b, b->order + i, end - i, lo_ns, hi_ns);
	}
}

/* Where nothing uncertain matters there is one value, that of any counts within the ranges. */
static enum flow_status
settle(const struct bounding *b, const uint64_t *self_ns, const struct flow_call *calls,
       uint64_t *lo_ns, uint64_t *hi_ns)
{
	struct flow_time t;
	enum flow_status status = flow_time(b->g.nr, self_ns, b->entries, calls, b->g.nr_calls, &t);

	if (status)
		return status;
	for (size_t p = 0; p < b->g.nr; p++)
		if (!b->loose[b->g.component[p]])
			lo_ns[p] = hi_ns[p] = t.total_ns[p];
	flow_time_release(&t);
	return FLOW_OK;
}

static enum flow_status
allocate(struct bounding *b)
{
	size_t nr = b->g.nr_components;

	b->lo = array_new(b->g.nr_arcs, sizeof(*b->lo));
	b->hi = array_new(b->g.nr_arcs, sizeof(*b->hi));
	b->entries_lo = array_new(nr, sizeof(*b->entries_lo));
	b->entries_hi = array_new(nr, sizeof(*b->entries_hi));
	b->lo_ns = array_new(nr, sizeof(*b->lo_ns));
	b->hi_ns = array_new(nr, sizeof(*b->hi_ns));
	b->loose = array_new(nr, sizeof(*b->loose));
	b->stable = array_new(nr, sizeof(*b->stable));
	b->order = array_raw(b->g.nr, sizeof(*b->order));
	return b->lo && b->hi && b->entries_lo && b->entries_hi && b->lo_ns && b->hi_ns &&
			       b->loose && b->stable && b->order ?
		       FLOW_OK :
		       FLOW_NO_MEMORY;
}

static void
release(struct bounding *b)
{
	call_graph_release(&b->g);
	free(b->certain_part);
	free(b->lo);
	free(b->hi);
	free(b->entries_lo);
	free(b->entries_hi);
	free(b->lo_ns);
	free(b->hi_ns);
	free(b->loose);
	free(b->stable);
	free(b->order);
}

enum flow_status
flow_time_bounds(size_t nr_procedures, const uint64_t *self_ns, const uint64_t *entries,
		 const struct flow_call_range *calls, size_t nr_calls, uint64_t *lo_ns,
		 uint64_t *hi_ns)
{
	struct bounding b = { .entries = entries };
	struct flow_call *plain;
	enum flow_status status;
	size_t nr;

	if (time_check_sum(self_ns, nr_procedures))
		return FLOW_BAD_INPUT;
	for (size_t p = 0; p < nr_procedures; p++)
		b.all_ns += self_ns[p];
	plain = as_calls(calls, nr_calls, false, &nr);
	status = plain ? call_graph_init(&b.g, nr_procedures, plain, nr) : FLOW_NO_MEMORY;
	if (!status)
		status = allocate(&b);
	if (!status)
		status = find_certain_parts(&b, calls, nr_calls);
	if (!status) {
		sum_ranges(&b, calls);
		find_stable(&b);
		status = bound_entries(&b);
	}
	if (!status)
		status = order_procedures(&b);
	if (!status) {
		bound_all(&b, self_ns, lo_ns, hi_ns);
		status = settle(&b, self_ns, plain, lo_ns, hi_ns);
	}
	release(&b);
	free(plain);
	return status;
}
