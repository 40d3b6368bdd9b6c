/* Aggregate time as seen from one root: Waddell & Ashley (1999), section 4, "traversing the graph
 * recursively starting from N". An arc to a procedure on the path of the walk is struck out, and
 * its calls are no entries any more. Struck out arcs lie within a strongly connected component and
 * depend on nothing but the component and where it is entered; so one walk over all components
 * gives the shares of all arcs between them, and a root only has to walk its own once more. */
#include "flow/flow.h"

#include <stdbool.h>
#include <string.h>

#include "flow/array.h"
#include "flow/callgraph.h"

typedef unsigned __int128 wide;

enum mark { MARK_UNSEEN, MARK_ON_PATH, MARK_DONE };

struct flow_roots {
	struct call_graph g;
	uint64_t *entries;      /* per procedure */
	uint64_t *fixed_ns;     /* per procedure: self, and what calls out of its component bring */
	uint64_t *total_ns;     /* per procedure: of the last walk over its component */
	uint64_t *root_ns;      /* per procedure: as root; valid when known */
	uint8_t *known;
	uint32_t *members;      /* by component */
	size_t *members_start;  /* per component + 1 */
	uint32_t *in;           /* arcs by callee; those from its own component first */
	size_t *in_start;       /* per procedure + 1 */
	/* of a walk */
	uint8_t *mark;          /* per procedure: enum mark */
	uint8_t *struck;        /* per arc: leads back to the path */
	wide *struck_calls;     /* per procedure: calls of struck arcs to it */
	uint32_t *path;
	size_t *next;           /* per procedure: its next arc */
};

static bool
is_inner(const struct flow_roots *r, uint32_t arc)
{
	return r->g.component[r->g.arcs[arc].caller] == r->g.component[r->g.arcs[arc].callee];
}

/* ---- a walk over one component ---- */

static wide
calls_in(const struct flow_roots *r, uint32_t p)
{
	wide calls = 0;

	for (size_t i = r->in_start[p]; i < r->in_start[p + 1]; i++)
		if (!r->struck[r->in[i]])
			calls += r->g.arcs[r->in[i]].count;
	return calls;
}

/* Entries of P that share its time: without struck calls; not fewer than its callers' calls. */
static wide
entries_of(const struct flow_roots *r, uint32_t p)
{
	wide entries = r->entries[p], calls = calls_in(r, p);

	entries -= r->struck_calls[p] < entries ? r->struck_calls[p] : entries;
	return entries < calls ? calls : entries;
}

/* P is complete: give its callers their shares, those within the component or those beyond it. */
static void
give_shares(struct flow_roots *r, uint32_t p, bool inner)
{
	uint64_t *to = inner ? r->total_ns : r->fixed_ns, before = 0, after;
	wide entries = entries_of(r, p), calls = 0;
	const struct flow_call *a;

	for (size_t i = r->in_start[p]; i < r->in_start[p + 1]; i++, before = after) {
		a = &r->g.arcs[r->in[i]];
		if (!r->struck[r->in[i]])
			calls += a->count;
		after = time_share(r->total_ns[p], calls, entries);
		if (is_inner(r, r->in[i]) == inner)
			to[a->caller] += after - before;
		else if (inner)
			break; /* the others come behind */
	}
}

static void
walk_from(struct flow_roots *r, uint32_t entry)
{
	size_t depth = 0;
	uint32_t p, q;

	r->mark[entry] = MARK_ON_PATH;
	r->path[depth++] = entry;
	while (depth) {
		p = r->path[depth - 1];
		if (r->next[p] == r->g.start[p + 1]) {
			r->mark[p] = MARK_DONE;
			give_shares(r, p, true);
			depth--;
			continue;
		}
		q = r->g.arcs[r->next[p]].callee;
		if (r->g.component[q] != r->g.component[p]) {
			r->next[p]++;
			continue;
		}
		if (r->mark[q] == MARK_ON_PATH) {
			r->struck[r->next[p]] = true;
			r->struck_calls[q] += r->g.arcs[r->next[p]].count;
		} else if (r->mark[q] == MARK_UNSEEN) {
			r->mark[q] = MARK_ON_PATH;
			r->path[depth++] = q;
		}
		r->next[p]++;
	}
}

static void
walk_component(struct flow_roots *r, uint32_t component, uint32_t entry)
{
	size_t i, a;
	uint32_t p;

	for (i = r->members_start[component]; i < r->members_start[component + 1]; i++) {
		p = r->members[i];
		r->mark[p] = MARK_UNSEEN;
		r->struck_calls[p] = 0;
		r->next[p] = r->g.start[p];
		r->total_ns[p] = r->fixed_ns[p];
		for (a = r->g.start[p]; a < r->g.start[p + 1]; a++)
			r->struck[a] = false;
	}
	walk_from(r, entry);
}

/* ---- all components, callees first ---- */

/* Returns the member that most calls from outside arrive at; the first of several. */
static uint32_t
usual_entry(const struct flow_roots *r, uint32_t component)
{
	uint32_t best = r->members[r->members_start[component]], p;
	uint64_t most = 0, entries;
	wide inner;

	for (size_t i = r->members_start[component]; i < r->members_start[component + 1]; i++) {
		p = r->members[i];
		inner = 0;
		for (size_t k = r->in_start[p]; k < r->in_start[p + 1]; k++)
			inner += is_inner(r, r->in[k]) ? r->g.arcs[r->in[k]].count : 0;
		entries = inner < r->entries[p] ? r->entries[p] - (uint64_t)inner : 0;
		if (entries <= most)
			continue;
		most = entries;
		best = p;
	}
	return best;
}

static void
walk_all(struct flow_roots *r)
{
	uint32_t entry;

	for (uint32_t k = 0; k < r->g.nr_components; k++) {
		entry = usual_entry(r, k);
		walk_component(r, k, entry);
		r->root_ns[entry] = r->total_ns[entry];
		r->known[entry] = true;
		for (size_t i = r->members_start[k]; i < r->members_start[k + 1]; i++)
			give_shares(r, r->members[i], false);
	}
}

/* ---- tables ---- */

static void
list_members(struct flow_roots *r)
{
	for (size_t p = 0; p < r->g.nr; p++)
		r->members_start[r->g.component[p] + 1]++;
	for (size_t k = 0; k < r->g.nr_components; k++)
		r->members_start[k + 1] += r->members_start[k];
	for (size_t p = r->g.nr; p--;) /* fills from the end: the starts are the ends until then */
		r->members[--r->members_start[r->g.component[p] + 1]] = (uint32_t)p;
	for (size_t k = 0; k < r->g.nr_components; k++)
		r->members_start[k] = r->members_start[k + 1];
	r->members_start[r->g.nr_components] = r->g.nr;
}

static void
list_arcs_in(struct flow_roots *r)
{
	size_t *at = r->next; /* not in use yet */

	for (size_t i = 0; i < r->g.nr_arcs; i++)
		r->in_start[r->g.arcs[i].callee + 1]++;
	for (size_t p = 0; p < r->g.nr; p++)
		r->in_start[p + 1] += r->in_start[p];
	memcpy(at, r->in_start, r->g.nr * sizeof(*at));
	for (int outer = 0; outer < 2; outer++)
		for (uint32_t i = 0; i < r->g.nr_arcs; i++)
			if (is_inner(r, i) == !outer)
				r->in[at[r->g.arcs[i].callee]++] = i;
}

static enum flow_status
allocate(struct flow_roots *r)
{
	size_t nr = r->g.nr, arcs = r->g.nr_arcs;

	r->entries = array_new(nr, sizeof(*r->entries));
	r->fixed_ns = array_new(nr, sizeof(*r->fixed_ns));
	r->total_ns = array_new(nr, sizeof(*r->total_ns));
	r->root_ns = array_new(nr, sizeof(*r->root_ns));
	r->known = array_new(nr, sizeof(*r->known));
	r->members = array_raw(nr, sizeof(*r->members));
	r->members_start = array_new(r->g.nr_components + 1, sizeof(*r->members_start));
	r->in = array_raw(arcs, sizeof(*r->in));
	r->in_start = array_new(nr, sizeof(*r->in_start));
	r->mark = array_new(nr, sizeof(*r->mark));
	r->struck = array_new(arcs, sizeof(*r->struck));
	r->struck_calls = array_new(nr, sizeof(*r->struck_calls));
	r->path = array_raw(nr, sizeof(*r->path));
	r->next = array_new(nr, sizeof(*r->next));
	return r->entries && r->fixed_ns && r->total_ns && r->root_ns && r->known && r->members &&
			       r->members_start && r->in && r->in_start && r->mark && r->struck &&
			       r->struck_calls && r->path && r->next ?
		       FLOW_OK :
		       FLOW_NO_MEMORY;
}

/* Calls that were never made do not lead anywhere: if the walk followed them, it could strike out
 * all arcs by which a procedure was entered, and the procedure's time would be lost. */
static enum flow_status
init_graph(struct flow_roots *r, size_t nr_procedures, const struct flow_call *calls,
	   size_t nr_calls)
{
	struct flow_call *made = array_raw(nr_calls, sizeof(*made));
	enum flow_status status;
	size_t n = 0;

	if (!made)
		return FLOW_NO_MEMORY;
	for (size_t i = 0; i < nr_calls; i++)
		if (calls[i].count)
			made[n++] = calls[i];
	status = call_graph_init(&r->g, nr_procedures, made, n);
	free(made);
	return status;
}

enum flow_status
flow_roots_open(size_t nr_procedures, const uint64_t *self_ns, const uint64_t *entries,
		const struct flow_call *calls, size_t nr_calls, struct flow_roots **roots)
{
	struct flow_roots *r;
	enum flow_status status;

	*roots = NULL;
	if (time_check_sum(self_ns, nr_procedures))
		return FLOW_BAD_INPUT;
	r = array_new(1, sizeof(*r));
	if (!r)
		return FLOW_NO_MEMORY;
	status = init_graph(r, nr_procedures, calls, nr_calls);
	if (!status)
		status = allocate(r);
	if (status) {
		flow_roots_close(r);
		return status;
	}
	if (nr_procedures) {
		memcpy(r->entries, entries, nr_procedures * sizeof(*entries));
		memcpy(r->fixed_ns, self_ns, nr_procedures * sizeof(*self_ns));
	}
	list_members(r);
	list_arcs_in(r);
	walk_all(r);
	*roots = r;
	return FLOW_OK;
}

uint64_t
flow_roots_total(struct flow_roots *r, uint32_t procedure)
{
	if (!r->known[procedure]) {
		walk_component(r, r->g.component[procedure], procedure);
		r->root_ns[procedure] = r->total_ns[procedure];
		r->known[procedure] = true;
	}
	return r->root_ns[procedure];
}

void
flow_roots_close(struct flow_roots *r)
{
	if (!r)
		return;
	call_graph_release(&r->g);
	free(r->entries);
	free(r->fixed_ns);
	free(r->total_ns);
	free(r->root_ns);
	free(r->known);
	free(r->members);
	free(r->members_start);
	free(r->in);
	free(r->in_start);
	free(r->mark);
	free(r->struck);
	free(r->struck_calls);
	free(r->path);
	free(r->next);
	free(r);
}
