#include "flow/twins.h"

#include <string.h>

#include "flow/array.h"

enum { NONE = UINT32_MAX };

/* Group sums stay below this, so that sums of a few of them fit too. */
#define GROUP_LIMIT (UINT64_MAX / 4)

/* ---- finding twins: a hash table of the first members of groups ---- */

struct table {
	uint32_t *slots;
	uint64_t mask;
	uint64_t *sum;     /* per node that is a first member: count of its group */
	const uint64_t *count;
	const uint8_t *alone;
};

static uint64_t
mix(uint64_t h)
{
	h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
	h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
	return h ^ (h >> 31);
}

/* Returns a hash that is equal for nodes with equal neighbours. */
static uint64_t
neighbour_hash(const struct net *net, uint32_t v)
{
	uint64_t h = net_degree(net, v);

	for (uint32_t k = net->start[v]; k < net->start[v + 1]; k++)
		h += mix(net->near[k].node + 0x9e3779b97f4a7c15u);
	return mix(h);
}

static bool
same_neighbours(const struct net *net, uint32_t a, uint32_t b)
{
	uint32_t n = net_degree(net, a);

	if (net_degree(net, b) != n)
		return false;
	for (uint32_t k = 0; k < n; k++)
		if (net->near[net->start[a] + k].node != net->near[net->start[b] + k].node)
			return false;
	return true;
}

/* The first member of V's group: V itself when it opens one. */
static uint32_t
find_group(struct table *t, const struct net *net, uint32_t v)
{
	uint64_t slot;
	uint32_t first;

	if (t->alone[v] || net_is_outside(net, v))
		return v;
	slot = neighbour_hash(net, v) & t->mask;
	for (; t->slots[slot] != NONE; slot = (slot + 1) & t->mask) {
		first = t->slots[slot];
		if (!same_neighbours(net, first, v))
			continue;
		if (t->count[v] <= GROUP_LIMIT && t->sum[first] + t->count[v] <= GROUP_LIMIT) {
			t->sum[first] += t->count[v];
			return first;
		}
		break; /* full: V opens the next group of these twins */
	}
	t->slots[slot] = v;
	t->sum[v] = t->count[v] <= GROUP_LIMIT ? t->count[v] : GROUP_LIMIT;
	return v;
}

/* Sites and procedures cannot be taken for each other: their neighbours differ. */
static enum flow_status
find_groups(uint32_t *first, const struct net *net, const uint64_t *count, const uint8_t *alone)
{
	enum flow_status status = FLOW_NO_MEMORY;
	struct table t = { .count = count, .alone = alone };

	t.mask = 16;
	while (t.mask < (uint64_t)net->nr_nodes * 2)
		t.mask *= 2;
	t.slots = array_raw(t.mask, sizeof(*t.slots));
	t.sum = array_new(net->nr_nodes, sizeof(*t.sum));
	if (!t.slots || !t.sum)
		goto out;
	memset(t.slots, 0xff, t.mask * sizeof(*t.slots));
	t.mask--;
	for (uint32_t v = 0; v < net->nr_nodes; v++)
		first[v] = find_group(&t, net, v);
	status = FLOW_OK;
out:
	free(t.slots);
	free(t.sum);
	return status;
}

/* ---- the merged network ---- */

/* Number the groups by their first members and list these; FIRST becomes the groups' numbers. */
static uint32_t
number_groups(struct twins *t, const struct net *net)
{
	uint32_t nr = 0;

	for (uint32_t v = 0; v < net->nr_nodes; v++)
		t->group[v] = t->group[v] == v ? nr++ : t->group[t->group[v]];
	for (uint32_t v = 0; v < net->nr_nodes; v++)
		t->member_start[t->group[v] + 1]++;
	for (uint32_t g = 0; g < nr; g++)
		t->member_start[g + 1] += t->member_start[g];
	for (uint32_t v = 0; v < net->nr_nodes; v++)
		t->member[t->member_start[t->group[v]]++] = v;
	memmove(t->member_start + 1, t->member_start, nr * sizeof(*t->member_start));
	t->member_start[0] = 0;
	return nr;
}

static bool
is_first(const struct twins *t, uint32_t v)
{
	return t->member[t->member_start[t->group[v]]] == v;
}

/* Name the merged arc of each member arc; returns their number. Arcs of a first member come before
 * those of the others; among them, an arc to a first member before those to its twins. */
static uint32_t
number_arcs(struct twins *t, const struct net *net, uint32_t *latest)
{
	uint32_t nr = 0;

	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		uint32_t from = net->from[e], to = net->to[e], first, place;

		if (!is_first(t, from)) {
			/* Its like has the same place in the list of the group's first member. */
			first = t->member[t->member_start[t->group[from]]];
			place = e - net->near[net->start[from]].arc;
			t->merged_arc[e] = t->merged_arc[net->near[net->start[first]].arc + place];
			continue;
		}
		if (is_first(t, to))
			latest[t->group[to]] = nr++;
		t->merged_arc[e] = latest[t->group[to]];
	}
	return nr;
}

static uint32_t
first_group_at(const struct twins *t, const struct net *net, uint32_t v, uint32_t nr_groups)
{
	return v < net->nr_nodes ? t->group[v] : nr_groups;
}

static void
fill_merged(struct twins *t, struct net *merged, const struct net *net)
{
	merged->first_procedure = first_group_at(t, net, net->first_procedure, merged->nr_nodes);
	merged->first_outside = first_group_at(t, net, net->first_outside, merged->nr_nodes);
	for (uint32_t e = 0; e < net->nr_arcs; e++) {
		if (!is_first(t, net->from[e]) || !is_first(t, net->to[e]))
			continue;
		t->first_arc[t->merged_arc[e]] = e;
		merged->from[t->merged_arc[e]] = t->group[net->from[e]];
		merged->to[t->merged_arc[e]] = t->group[net->to[e]];
	}
	for (uint32_t v = 0; v < net->first_outside; v++)
		merged->rest[t->group[v]] += net->rest[v];
	for (uint32_t e = 0; e < net->nr_arcs; e++)
		merged->x[t->merged_arc[e]] += net->x[e];
	net_link(merged);
}

enum flow_status
twins_merge(struct twins *t, struct net *merged, const struct net *members, const uint64_t *count,
	    const uint8_t *alone)
{
	uint32_t nr_groups, nr_arcs, *latest = NULL;
	enum flow_status status = FLOW_NO_MEMORY;

	memset(t, 0, sizeof(*t));
	memset(merged, 0, sizeof(*merged));
	t->group = array_raw(members->nr_nodes, sizeof(*t->group));
	t->member_start = array_new((size_t)members->nr_nodes + 1, sizeof(*t->member_start));
	t->member = array_raw(members->nr_nodes, sizeof(*t->member));
	t->merged_arc = array_raw(members->nr_arcs, sizeof(*t->merged_arc));
	latest = array_raw(members->nr_nodes, sizeof(*latest));
	if (!t->group || !t->member_start || !t->member || !t->merged_arc || !latest ||
	    find_groups(t->group, members, count, alone))
		goto out;
	nr_groups = number_groups(t, members);
	nr_arcs = number_arcs(t, members, latest);
	t->first_arc = array_raw(nr_arcs, sizeof(*t->first_arc));
	if (!t->first_arc)
		goto out;
	status = net_init(merged, nr_groups, nr_arcs);
	if (!status)
		fill_merged(t, merged, members);
out:
	free(latest);
	return status;
}

void
twins_release(struct twins *t)
{
	free(t->group);
	free(t->member_start);
	free(t->member);
	free(t->merged_arc);
	free(t->first_arc);
	memset(t, 0, sizeof(*t));
}

/* ---- back to the members ---- */

typedef unsigned __int128 wide;

/* This is what each column of a table is still to get, and the sum of it (which fits, see
 * GROUP_LIMIT). */
struct columns {
	uint64_t *left;
	uint32_t nr;
	uint64_t sum;
};

static uint64_t
part(uint64_t n, uint64_t seen, uint64_t sum)
{
	if (!((n | seen) >> 32))
		return n * seen / sum;
	return (uint64_t)((wide)n * seen / sum);
}

/* N of what is left, in proportion to it; GIVE gets each column's part. With a whole table's rows
 * one after the other, every row and column comes out exact: a part is never more than is left,
 * and the last row takes all. */
static void
share_out(struct columns *c, uint64_t n, uint64_t *give)
{
	uint64_t seen = 0, before = 0, after;

	for (uint32_t k = 0; k < c->nr; k++) {
		seen += c->left[k];
		after = n == c->sum ? seen : part(n, seen, c->sum);
		give[k] = after - before;
		before = after;
	}
	for (uint32_t k = 0; k < c->nr; k++)
		c->left[k] -= give[k];
	c->sum -= n;
}

struct expansion {
	const struct twins *t;
	const struct net *merged;
	const uint64_t *count;
	struct net *members;
	uint64_t *left, *give; /* scratch: columns */
};

/* A site without twins has what its group has. */
static void
copy_site(struct expansion *x, uint32_t a, uint32_t site)
{
	const struct net *merged = x->merged;

	for (uint32_t k = merged->start[a]; k < merged->start[a + 1]; k++)
		x->members->x[x->t->first_arc[merged->near[k].arc]] =
			merged->x[merged->near[k].arc];
	x->members->rest[site] = merged->rest[a];
}

/* The calls of each site of group A to each group of procedures, and those that stay unexplained.
 * They are noted on the site's arc to the first procedure of the group. */
static void
split_sites(struct expansion *x, uint32_t a)
{
	const struct net *merged = x->merged;
	struct net *members = x->members;
	uint32_t first = x->t->member_start[a], end = x->t->member_start[a + 1], nr, begin, place;
	struct columns c = { .left = x->left };

	if (end - first == 1) {
		copy_site(x, a, x->t->member[first]);
		return;
	}
	for (uint32_t k = merged->start[a]; k < merged->start[a + 1]; k++)
		c.left[c.nr++] = merged->x[merged->near[k].arc];
	nr = c.nr;
	c.left[c.nr++] = merged->rest[a];
	for (uint32_t k = 0; k < c.nr; k++)
		c.sum += c.left[k];
	begin = members->near[members->start[x->t->member[first]]].arc;
	for (uint32_t i = first; i < end; i++) {
		uint32_t site = x->t->member[i];

		share_out(&c, x->count[site], x->give);
		for (uint32_t k = 0; k < nr; k++) {
			place = x->t->first_arc[merged->near[merged->start[a] + k].arc] - begin;
			members->x[members->near[members->start[site]].arc + place] = x->give[k];
		}
		members->rest[site] = x->give[nr];
	}
}

/* The calls to each procedure of group B, site by site. */
static void
split_procedures(struct expansion *x, uint32_t b)
{
	struct net *members = x->members;
	uint32_t first = x->t->member_start[b], nr = x->t->member_start[b + 1] - first;
	const uint32_t *member = x->t->member + first;
	struct columns c = { .left = x->left, .nr = nr };

	if (nr == 1) { /* its arcs have their counts already */
		members->rest[member[0]] = x->merged->rest[b];
		return;
	}
	for (uint32_t j = 0; j < nr; j++) {
		c.left[j] = x->count[member[j]];
		c.sum += c.left[j];
	}
	share_out(&c, x->merged->rest[b], x->give);
	for (uint32_t j = 0; j < nr; j++)
		members->rest[member[j]] = x->give[j];
	for (uint32_t k = 0; k < net_degree(members, member[0]); k++) {
		share_out(&c, members->x[members->near[members->start[member[0]] + k].arc],
			  x->give);
		for (uint32_t j = 0; j < nr; j++)
			members->x[members->near[members->start[member[j]] + k].arc] = x->give[j];
	}
}

static void
expand(struct expansion *x)
{
	const struct net *merged = x->merged;

	for (uint32_t e = 0; e < merged->nr_arcs; e++)
		if (net_is_outside(merged, merged->from[e]))
			x->members->x[x->t->first_arc[e]] = merged->x[e];
	for (uint32_t a = 0; a < merged->first_procedure; a++)
		split_sites(x, a);
	for (uint32_t b = merged->first_procedure; b < merged->first_outside; b++)
		split_procedures(x, b);
}

enum flow_status
twins_expand(const struct twins *t, const struct net *merged, const uint64_t *count,
	     struct net *members)
{
	struct expansion x = { .t = t, .merged = merged, .count = count, .members = members };
	enum flow_status status = FLOW_NO_MEMORY;
	uint32_t most = 0;

	for (uint32_t v = 0; v < merged->nr_nodes; v++) {
		uint32_t degree = net_degree(merged, v);
		uint32_t nr = t->member_start[v + 1] - t->member_start[v];

		most = degree > most ? degree : most;
		most = nr > most ? nr : most;
	}
	x.left = array_raw((size_t)most + 1, sizeof(*x.left));
	x.give = array_raw((size_t)most + 1, sizeof(*x.give));
	if (x.left && x.give) {
		expand(&x);
		status = FLOW_OK;
	}
	free(x.left);
	free(x.give);
	return status;
}

/* ---- intervals ---- */

static uint64_t
less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The others take at most their own counts; what is above that must be this arc's. */
struct twins_interval
twins_narrow(struct twins_interval in, uint64_t own, uint64_t others)
{
	in.lo = less(in.lo, others);
	in.hi = least(in.hi, own);
	return in;
}
