#include "solve/aggregate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/arc_ends.h"
#include "db/lists/likely_calls.h"
#include "flow/flow.h"
#include "solve/callback_arcs.h"
#include "solve/calls.h"
#include "solve/carry.h"
#include "solve/foreign.h"
#include "util/order.h"

static int
status_error(enum flow_status status, struct error *err)
{
	return error_set(err, status == FLOW_NO_MEMORY ?
			 "out of memory while working out aggregate times" :
			 "aggregate times cannot be worked out: the counts are damaged");
}

/* ---- gprof's rule ---- */

enum { NAMED_MEMBERS = 12 };

static int
compare_totals(const void *a, const void *b, void *context)
{
	const struct model *m = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct model_procedure *x = &m->procedures[i], *y = &m->procedures[k];

	COMPARE(x->cycle, y->cycle);
	COMPARE(y->propagated_ns, x->propagated_ns);
	return i < k ? -1 : i > k;
}

/* "a, b, c and 20 more" */
static const char *
name_members(struct model *m, const uint32_t *members, uint32_t nr)
{
	struct strbuf text = STRBUF_INIT;
	const char *kept;
	uint32_t i;

	for (i = 0; i < nr && i < NAMED_MEMBERS; i++) {
		strbuf_str(&text, i ? ", " : "");
		strbuf_str(&text, m->procedures[members[i]].name);
	}
	if (i < nr)
		strbuf_fmt(&text, " and %u more", nr - i);
	kept = arena_strdup(&m->arena, text.buf);
	strbuf_release(&text);
	return kept;
}

static void
name_cycles(struct model *m)
{
	uint32_t *members = xcalloc(m->nr_procedures, sizeof(*members));
	uint32_t nr = 0, i, end;

	for (i = 0; i < m->nr_procedures; i++)
		if (m->procedures[i].cycle)
			members[nr++] = i;
	qsort_r(members, nr, sizeof(*members), compare_totals, m);
	for (i = 0; i < nr; i = end) {
		struct model_cycle *c = &m->cycles[m->procedures[members[i]].cycle - 1];

		end = i + c->procedures;
		c->members = name_members(m, members + i, c->procedures);
	}
	free(members);
}

static void
store_cycles(struct model *m, const struct flow_time *t)
{
	m->nr_cycles = 0; /* those of a profile that this run was added to */
	for (size_t i = 0; i < t->nr_cycles; i++) {
		const struct flow_cycle *from = &t->cycles[i];

		*MODEL_ADD(m, cycles) = (struct model_cycle){
			.procedures = (uint32_t)from->members, .propagated_ns = from->total_ns,
			.inner_calls = from->inner_calls, .self_calls = from->self_calls,
			.outer_calls = from->outer_calls,
		};
	}
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (m->procedures[i].cycle)
			m->cycles[m->procedures[i].cycle - 1].self_ns += m->procedures[i].self_ns;
	name_cycles(m);
}

/* A figure of procedures that is carried up the arcs: where it is in the rows. */
struct carried { size_t self, total, of_arc, of_site; /* 0: they have none */ };
static const struct carried carried_time = {
	offsetof(struct model_procedure, self_ns), offsetof(struct model_procedure, propagated_ns),
	offsetof(struct model_arc, propagated_ns), offsetof(struct model_site, propagated_ns),
};
static const struct carried carried_centre = {
	offsetof(struct model_procedure, centre_ns),
	offsetof(struct model_procedure, centre_total_ns), 0, 0,
};
static const struct carried carried_work = {
	offsetof(struct model_procedure, self_work), offsetof(struct model_procedure, total_work),
	offsetof(struct model_arc, total_work), offsetof(struct model_site, total_work),
};

static uint64_t *
at(void *row, size_t offset)
{
	return (uint64_t *)((char *)row + offset);
}

/* T NULL: it is not known. */
static void
store_carried(struct model *m, const struct calls *c, const struct carried *k,
	      const struct flow_time *t)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		*at(&m->procedures[i], k->total) = t ? t->total_ns[i] : 0;
	for (size_t i = 0; k->of_site && i < m->nr_sites; i++)
		*at(&m->sites[i], k->of_site) = 0;
	for (size_t i = 0; k->of_arc && i < m->nr_arcs; i++)
		*at(&m->arcs[i], k->of_arc) = t ? calls_share_of_outside(m, &m->arcs[i], t) : 0;
	for (size_t i = 0; k->of_arc && t && i < c->nr_made; i++) {
		struct model_arc *a = &m->arcs[c->arc[i]];

		*at(a, k->of_arc) = t->call_ns[i];
		*at(&m->sites[arc_origin(a) - 1], k->of_site) += t->call_ns[i];
	}
}

/* Time and calls tell what the cycles are. */
static void
store_time(struct model *m, const struct calls *c, const struct flow_time *t)
{
	for (size_t i = 0; i < m->nr_procedures; i++) {
		m->procedures[i].propagated_ns = t->total_ns[i];
		m->procedures[i].cycle = t->cycle[i];
		m->procedures[i].self_calls = 0;
	}
	for (size_t i = 0; i < c->nr_made; i++)
		if (c->made[i].caller == c->made[i].callee)
			m->procedures[c->made[i].callee].self_calls += c->made[i].count;
	store_cycles(m, t);
	store_carried(m, c, &carried_time, t);
}

/* Carries another figure up the same arcs; what is too much to be added up is not known. */
static enum flow_status
carry(struct model *m, const struct calls *c, const struct carried *k)
{
	uint64_t *self = xcalloc(m->nr_procedures, sizeof(*self));
	enum flow_status status;
	struct flow_time t;

	for (size_t i = 0; i < m->nr_procedures; i++)
		self[i] = *at(&m->procedures[i], k->self);
	status = flow_time(m->nr_procedures, self, c->entries, c->made, c->nr_made, &t);
	free(self);
	if (status && status != FLOW_BAD_INPUT)
		return status;
	store_carried(m, c, k, status ? NULL : &t);
	if (!status)
		flow_time_release(&t);
	return FLOW_OK;
}

static void
sum_work(struct model *m)
{
	for (size_t i = 0; m->nr_blocks && i < m->nr_procedures; i++)
		m->procedures[i].self_work = 0;
	for (size_t i = 0; i < m->nr_blocks; i++) {
		uint64_t *work = &m->procedures[m->blocks[i].procedure - 1].self_work;

		*work = count_add(*work, m->blocks[i].count);
	}
}

static bool
keeps_centres(const struct model *m)
{
	for (size_t i = 0; i < m->nr_runs; i++)
		if (m->runs[i].centre_samples)
			return true;
	return false;
}

static enum flow_status
propagate(struct model *m, const struct calls *c)
{
	struct flow_time t;
	enum flow_status status = flow_time(m->nr_procedures, c->self_ns, c->entries, c->made,
					    c->nr_made, &t);

	if (status)
		return status;
	store_time(m, c, &t);
	flow_time_release(&t);
	if (keeps_centres(m))
		status = carry(m, c, &carried_centre);
	return status ? status : carry(m, c, &carried_work);
}

/* ---- which totals rest on estimates ---- */

static model_id
caller_of(const struct model *m, const struct model_arc *a)
{
	model_id origin = arc_origin(a);

	return origin ? m->sites[origin - 1].procedure : 0;
}

/* Marks P, whose callers are then to be looked at. */
static void
mark(struct model_procedure *p, struct model_procedure **todo, size_t *nr)
{
	if (!p->estimated)
		todo[(*nr)++] = p;
	p->estimated = true;
}

/* Are the shares of A's callee, which NR arcs reach, of calls that were not all counted? */
static bool
lacks(const struct model *m, const struct model_arc *a, size_t nr)
{
	return a->site && nr > 1 && m->sites[a->site - 1].lacking;
}

/* Marks the procedures with estimated calls, and whoever calls these: FIRST and BY are the arcs in
 * the order of their callees. */
static void
mark_estimated(struct model *m)
{
	size_t *first = xcalloc(m->nr_procedures + 2, sizeof(*first)), nr = 0;
	uint32_t *by = xcalloc(m->nr_arcs, sizeof(*by));
	struct model_procedure **todo = xcalloc(m->nr_procedures, sizeof(struct model_procedure *));

	for (size_t i = 0; i < m->nr_procedures; i++)
		m->procedures[i].estimated = false;
	for (size_t i = 0; i < m->nr_arcs; i++)
		first[m->arcs[i].callee + 1]++;
	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];
		model_id caller = caller_of(m, a);

		if (caller && a->callee && (a->how == ARC_ESTIMATED || a->how == ARC_PINNED ||
					    lacks(m, a, first[a->callee + 1])))
			mark(&m->procedures[caller - 1], todo, &nr);
	}
	for (size_t i = 1; i < m->nr_procedures + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < m->nr_arcs; i++)
		by[first[m->arcs[i].callee]++] = (uint32_t)i;
	while (nr) {
		size_t callee = (size_t)(todo[--nr] - m->procedures) + 1;

		for (size_t i = first[callee - 1]; i < first[callee]; i++) {
			const struct model_arc *a = &m->arcs[by[i]];

			if (a->count && caller_of(m, a))
				mark(&m->procedures[caller_of(m, a) - 1], todo, &nr);
		}
	}
	free(first);
	free(by);
	free(todo);
}

/* ---- bounds ---- */

static enum flow_status
store_bounds(struct model *m, const struct calls *c)
{
	uint64_t *lo = xcalloc(m->nr_procedures, sizeof(*lo));
	uint64_t *hi = xcalloc(m->nr_procedures, sizeof(*hi));
	enum flow_status status = flow_time_bounds(m->nr_procedures, c->self_ns, c->entries,
						   c->ranges, c->nr_ranges, lo, hi);

	for (size_t i = 0; i < m->nr_procedures && !status; i++) {
		struct model_procedure *p = &m->procedures[i];
		bool exact = lo[i] == hi[i]; /* but for rounding */

		p->propagated_lo_ns = exact || lo[i] > p->propagated_ns ? p->propagated_ns : lo[i];
		p->propagated_hi_ns = exact || hi[i] < p->propagated_ns ? p->propagated_ns : hi[i];
	}
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (!procedure_is_counted(&m->procedures[i]) &&
		    !(m->procedures[i].flags & PROCEDURE_FOREIGN))
			m->procedures[i].propagated_ns = m->procedures[i].propagated_lo_ns =
				m->procedures[i].propagated_hi_ns = 0; /* no count tells */
	free(lo);
	free(hi);
	return status;
}

/* ---- arcs against the sampled stacks ---- */

/* Procedures of a cycle share its time: they are taken as one. Others are numbered behind. */
static uint32_t
part_of(const struct model *m, model_id procedure)
{
	const struct model_procedure *p = &m->procedures[procedure - 1];

	return p->cycle ? p->cycle - 1 : (uint32_t)(m->nr_cycles + procedure - 1);
}

/* Is the context, above which its procedure is not, the first on its stack in the cycle of that? */
static bool
is_outermost(const struct model *m, const struct model_context *c)
{
	uint32_t part = part_of(m, c->procedure);
	bool alone = !m->procedures[c->procedure - 1].cycle; /* and it is known not to be above */

	for (model_id up = alone ? 0 : c->parent; up; up = m->contexts[up - 1].parent)
		if (m->contexts[up - 1].procedure &&
		    part_of(m, m->contexts[up - 1].procedure) == part)
			return false;
	return true;
}

static int
compare_key(const struct model_arc *a, const struct model_arc *key)
{
	COMPARE(a->site, key->site);
	COMPARE(a->callee, key->callee);
	return a->through < key->through ? -1 : a->through > key->through;
}

static int
arc_compare(const void *a, const void *b, void *context)
{
	const struct model *m = context;

	return compare_key(&m->arcs[*(const uint32_t *)a], &m->arcs[*(const uint32_t *)b]);
}

/* Returns the position in SORTED of the first arc that is not before KEY. */
static size_t
position_of(const struct model *m, const uint32_t *sorted, const struct model_arc *key)
{
	size_t lo = 0, hi = m->nr_arcs, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (compare_key(&m->arcs[sorted[mid]], key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct model_arc *
find_arc(struct model *m, const uint32_t *sorted, const struct model_arc *key)
{
	size_t i = position_of(m, sorted, key);

	return i < m->nr_arcs && !compare_key(&m->arcs[sorted[i]], key) ? &m->arcs[sorted[i]]
									: NULL;
}

/* Returns the arc by which PROCEDURE is called from outside if there is but one: a thread's start
 * routine is the root of its stacks, and came from the call that handed it out. */
static struct model_arc *
only_arc_from_outside(struct model *m, const uint32_t *sorted, model_id procedure)
{
	const struct model_arc key = { .callee = procedure };
	size_t i = position_of(m, sorted, &key);
	struct model_arc *found = NULL;

	for (; i < m->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[sorted[i]];

		if (a->site || a->callee != procedure)
			break;
		if (found)
			return NULL;
		found = a;
	}
	return found;
}

/* The arc by which a stack got to context C: from a site; through one, if there is code that was
 * not profiled between; from outside. */
static struct model_arc *
arc_to(struct model *m, const uint32_t *sorted, const struct model_context *c)
{
	const struct model_context *up = c->parent ? &m->contexts[c->parent - 1] : NULL;
	struct model_arc key = { .callee = c->procedure }, *found;

	if (up && up->procedure && !is_foreign(m, up->procedure)) {
		key.site = c->site;
		return key.site ? find_arc(m, sorted, &key) : NULL;
	}
	context_below(m, c, &key.through);
	found = find_arc(m, sorted, &key);
	key.through = 0;
	found = found ? found : find_arc(m, sorted, &key);
	return found ? found : only_arc_from_outside(m, sorted, c->procedure);
}

/* Do both lead from one procedure to another one? */
static bool
is_same_pair(const struct model *m, const struct model_arc *a, const struct model_arc *b)
{
	model_id x = arc_origin(a), y = arc_origin(b);

	return a == b || (x && y && a->callee == b->callee &&
			  m->sites[x - 1].procedure == m->sites[y - 1].procedure);
}

/* Has a caller of context I come by an arc of the same two procedures? PAIR: per context, an arc of
 * its two, which leads to the procedure of the context. */
static bool
pair_passed(const struct model *m, struct model_arc *const *pair, const model_id *above, size_t i)
{
	for (model_id up = above[i]; up; up = above[up - 1])
		if (pair[up - 1] && is_same_pair(m, pair[up - 1], pair[i]))
			return true;
	return false;
}

static bool
arc_passed(struct model_arc *const *by, const model_id *above, size_t i)
{
	for (model_id up = above[i]; up; up = above[up - 1])
		if (by[up - 1] == by[i])
			return true;
	return false;
}

/* Count the stacks of context I for the arc that it came by (NULL: it is not known which of those
 * of two procedures), unless a caller came by that, too; and for the arc's pair, unless a caller
 * came by any arc of that. */
static void
count_passes(struct model *m, struct model_arc *const *by, struct model_arc *const *pair,
	     const model_id *above, size_t i)
{
	const struct model_context *c = &m->contexts[i];
	bool first = by[i] && !arc_passed(by, above, i), first_of_pair;
	struct model_arc *a = pair[i];

	if (by[i] && !first)
		return;
	first_of_pair = !pair_passed(m, pair, above, i);
	a->total_samples += first ? c->total_samples : 0;
	a->total_ns += first ? c->total_ns : 0;
	a->pair_samples += first_of_pair ? c->total_samples : 0;
	a->pair_ns += first_of_pair ? c->total_ns : 0;
	for (unsigned k = 0; c->figures && k < m->nr_measures; k++) {
		int64_t total = figures_get(c->figures, true, k);

		if (m->measures[k].inclusive == INCLUSIVE_ARCS || /* see carry.c */
		    m->measures[k].inclusive == INCLUSIVE_MEASURED)
			continue;
		if (first)
			figure_total(m, &a->figures, k, total);
		if (first_of_pair)
			figure_self(m, &a->figures, k, total);
	}
}

/* ---- stacks that came by one of several arcs, it is not known by which ---- */

/* By caller and callee; of those the one with most calls first. */
static int
compare_pair(const void *a, const void *b, void *context)
{
	const struct model *m = context;
	const struct model_arc *x = &m->arcs[*(const uint32_t *)a];
	const struct model_arc *y = &m->arcs[*(const uint32_t *)b];

	COMPARE(m->sites[x->site - 1].procedure, m->sites[y->site - 1].procedure);
	COMPARE(x->callee, y->callee);
	COMPARE(y->count, x->count);
	return x < y ? -1 : x > y;
}

/* The arcs with calls that come from sites, in that order. */
struct pairs { uint32_t *arcs; size_t nr; };

static void
sort_pairs(struct model *m, struct pairs *p)
{
	p->arcs = xcalloc(m->nr_arcs + 1, sizeof(*p->arcs));
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (m->arcs[i].site && m->arcs[i].callee && m->arcs[i].count)
			p->arcs[p->nr++] = (uint32_t)i;
	qsort_r(p->arcs, p->nr, sizeof(*p->arcs), compare_pair, m);
}

/* Returns the arc that has what is known of CALLER and CALLEE alone; NULL: none. */
static struct model_arc *
find_pair(struct model *m, struct pairs *p, model_id caller, model_id callee)
{
	size_t lo = 0, hi, mid;
	struct model_arc *a;

	if (!p->arcs)
		sort_pairs(m, p);
	hi = p->nr;
	while (lo < hi) {
		model_id from;

		mid = lo + (hi - lo) / 2;
		a = &m->arcs[p->arcs[mid]];
		from = m->sites[a->site - 1].procedure;
		if (from < caller || (from == caller && a->callee < callee))
			lo = mid + 1;
		else
			hi = mid;
	}
	a = lo < p->nr ? &m->arcs[p->arcs[lo]] : NULL;
	return a && a->callee == callee && m->sites[a->site - 1].procedure == caller ? a : NULL;
}

/* Returns the arc with most calls from the procedure of C's parent to that of C, or NULL. */
static struct model_arc *
pair_of(struct model *m, struct pairs *p, const struct model_context *c)
{
	model_id caller = c->parent ? m->contexts[c->parent - 1].procedure : 0;

	return caller && !c->site && c->procedure && !is_foreign(m, caller)
		       ? find_pair(m, p, caller, c->procedure) : NULL;
}

/* Returns the model's arcs in the order of arc_compare(), heap. */
static uint32_t *
sort_arcs(struct model *m)
{
	uint32_t *sorted = xcalloc(m->nr_arcs, sizeof(*sorted));

	for (size_t i = 0; i < m->nr_arcs; i++)
		sorted[i] = (uint32_t)i;
	qsort_r(sorted, m->nr_arcs, sizeof(*sorted), arc_compare, m);
	return sorted;
}

/* What a tool has told of an arc stays; all else is made anew. */
static void
keep_measured(struct model *m, struct model_arc *a)
{
	bool any = false;

	for (unsigned i = 0; a->figures && i < m->nr_measures; i++) {
		bool keep = m->measures[i].inclusive == INCLUSIVE_MEASURED;

		for (int total = 0; total < 2 && !keep; total++)
			figures_set(&m->arena, &a->figures, total, i, 0);
		any |= keep;
	}
	if (!any)
		a->figures = NULL;
}

/* Counts the stacks that pass through each arc. ABOVE: contexts_above(). Returns, per context, the
 * arc that it came by, or NULL; heap. */
static struct model_arc **
count_all_passes(struct model *m, const uint32_t *sorted, const model_id *above)
{
	struct model_arc **by = xcalloc(m->nr_contexts, sizeof(struct model_arc *));
	struct model_arc **pair = xcalloc(m->nr_contexts, sizeof(struct model_arc *));
	struct pairs pairs = { NULL, 0 };

	for (size_t i = 0; i < m->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[i];

		a->samples = a->total_samples = a->total_ns = a->pair_samples = a->pair_ns = 0;
		keep_measured(m, a);
	}
	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];

		by[i] = c->procedure ? arc_to(m, sorted, c) : NULL;
		pair[i] = by[i] ? by[i] : pair_of(m, &pairs, c);
		if (pair[i])
			count_passes(m, by, pair, above, i);
	}
	free(pair);
	free(pairs.arcs);
	return by;
}

/* Counts each stack for the arc by which it got to each of its procedures last: what a call of a
 * procedure took that calls itself, without what it called of itself. */
static void
count_innermost(const struct model *m, struct model_arc *const *by, const model_id *above,
		double *innermost)
{
	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		model_id up = above[i];

		if (by[i])
			innermost[by[i] - m->arcs] += (double)c->total_samples;
		if (up && by[up - 1])
			innermost[by[up - 1] - m->arcs] -= (double)c->total_samples;
	}
}

void
model_count_passes(struct model *m, double *innermost)
{
	uint32_t *sorted = sort_arcs(m);
	model_id *above = contexts_above(m);
	struct model_arc **by = count_all_passes(m, sorted, above);

	count_innermost(m, by, above, innermost);
	free(by);
	free(above);
	free(sorted);
}

/* What is known of the stacks that enter a part (a procedure or its cycle), or that do so by an
 * arc; and the samples of those that got to the callee last by it. */
struct entered {
	uint64_t *of_part, *by_arc;
	double *innermost;
};

/* Count the stacks of each arc: all that pass through it, and those that first enter the callee
 * (or its cycle) by it, so that each sample counts for one arc into it. The time of the latter goes
 * to ENTERED, and that of each part whose arc could be told. */
static void
count_stacks(struct model *m, const uint32_t *sorted, const struct entered *entered)
{
	model_id *above = contexts_above(m);
	struct model_arc **by = count_all_passes(m, sorted, above);

	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];

		if (!by[i] || above[i] || !is_outermost(m, c))
			continue;
		by[i]->samples += c->total_samples;
		entered->by_arc[by[i] - m->arcs] += c->total_ns;
		entered->of_part[part_of(m, c->procedure)] += c->total_ns;
	}
	count_innermost(m, by, above, entered->innermost);
	free(by);
	free(above);
}

/* Returns what one sample stands for in errors, in nanoseconds: the mean of all runs. */
static double
time_of_sample(const struct model *m)
{
	double ns = 0, samples = 0, squares = 0;

	for (size_t i = 0; i < m->nr_runs; i++) {
		ns += (double)m->runs[i].cpu_ns;
		squares += (double)m->runs[i].cpu_ns * (double)m->runs[i].sample_ns;
	}
	if (squares > 0)
		return squares / ns;
	ns = 0;

	for (size_t i = 0; i < m->nr_procedures; i++) {
		ns += (double)m->procedures[i].self_ns;
		samples += (double)m->procedures[i].self_samples;
	}
	return samples > 0 ? ns / samples : 0;
}

/* The time of each cycle: that of all stacks with any of its members. */
static void
store_cycle_totals(struct model *m)
{
	for (size_t i = 0; m->nr_cycles && i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		uint32_t cycle = c->procedure ? m->procedures[c->procedure - 1].cycle : 0;

		if (!cycle || !is_outermost(m, c))
			continue;
		m->cycles[cycle - 1].total_samples += c->total_samples;
		m->cycles[cycle - 1].total_ns += c->total_ns;
	}
}

static uint32_t
end_of_arc(void *context, uint32_t i, bool callee)
{
	const struct model *m = context;
	model_id origin = arc_origin(&m->arcs[i]);

	if (callee)
		return m->arcs[i].callee;
	return origin ? m->sites[origin - 1].procedure : 0;
}

/* Marks all that lead to the NR marked procedures in FOUND, which has room for all. */
static void
mark_callers(struct model *m, bool *marked, model_id *found, size_t nr)
{
	struct ends ends = { .ready = false };
	size_t nr_arcs;

	ends_make(&ends, (uint32_t)m->nr_arcs, (uint32_t)m->nr_procedures, end_of_arc, m);
	while (nr > 0) {
		const uint32_t *arcs = ends_of(&ends, true, found[--nr], &nr_arcs);

		for (size_t i = 0; i < nr_arcs; i++) {
			model_id caller = end_of_arc(m, arcs[i], false);

			if (!caller || marked[caller - 1])
				continue;
			marked[caller - 1] = true;
			found[nr++] = caller;
		}
	}
	ends_release(&ends);
}

/* Returns which procedures have started a thread, directly or not: what it did was carried up to
 * them, but they are not on its stacks. Heap, by id - 1. */
static bool *
find_starters(struct model *m)
{
	bool *begins = xcalloc(m->nr_procedures, sizeof(bool));
	bool *starters = xcalloc(m->nr_procedures, sizeof(bool));
	model_id *found = xcalloc(m->nr_procedures, sizeof(*found)), id;
	size_t nr = 0;

	for (size_t i = 0; i < m->nr_contexts; i++)
		if (!m->contexts[i].parent && m->contexts[i].procedure)
			begins[m->contexts[i].procedure - 1] = true;
	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];

		id = a->through ? m->sites[a->through - 1].procedure : 0;
		if (!id || !a->callee || !begins[a->callee - 1] || starters[id - 1])
			continue;
		starters[id - 1] = true;
		found[nr++] = id;
	}
	if (nr)
		mark_callers(m, starters, found, nr);
	free(begins);
	free(found);
	return starters;
}

/* Is P's time as sampled another one than what the arcs bring, wherever that is within its bounds,
 * by more than chance explains? Both are sums of samples: their variance is the sum. What is
 * propagated to a member of a cycle is the whole cycle's, which no stack needs to have; so is that
 * of the threads which a STARTER started. */
static bool
total_differs(const struct model_procedure *p, double interval, bool starter)
{
	double total = (double)p->total_ns, error, chance;

	if (p->cycle || (starter && p->total_ns < p->propagated_lo_ns))
		return false;
	chance = 3 * sqrt((total + (double)p->propagated_ns) * interval);
	if (!procedure_is_counted(p)) /* nothing is carried up from it */
		return false;
	error = total < (double)p->propagated_lo_ns ? (double)p->propagated_lo_ns - total
						     : total - (double)p->propagated_hi_ns;
	return error > chance;
}

/* Is SHARE of N samples beyond what chance explains when the true share is P? */
static bool
beyond(double share, double p, double n)
{
	return fabs(share - p) > 3 * sqrt(p * (1 - p) / n) + 1 / n;
}

/* Does the share that the stacks by arc A, of time NS, have in those of the callee that are KNOWN
 * contradict its share of the calls, whatever the latter is within the arc's interval? Entries are
 * those from outside a cycle. INTERVAL: what one sample stands for. */
static bool
differs(const struct model_arc *a, uint64_t ns, uint64_t known, uint64_t entries, double interval)
{
	double share, lo, hi, samples = (double)known / interval;

	if (!known || !entries)
		return false;
	share = (double)ns / (double)known;
	lo = fmin((double)a->lo / (double)entries, 1);
	hi = fmin((double)a->hi / (double)entries, 1);
	if (share < lo)
		return beyond(share, lo, samples);
	return share > hi && beyond(share, hi, samples);
}

static bool
comes_from_outside(const struct model *m, const struct model_arc *a)
{
	model_id caller = caller_of(m, a);

	return !caller || part_of(m, caller) != part_of(m, a->callee);
}

/* Were there stacks? Without any, nobody's total is 0. */
static bool
knows_totals(const struct model *m)
{
	size_t i = 0;

	while (i < m->nr_procedures && !m->procedures[i].total_ns)
		i++;
	return m->nr_contexts || i < m->nr_procedures;
}

/* Estimates of a procedure's calls that share them: from sites and outside, or from outside, where
 * the calls that handed it out are told apart. */
struct estimates { double count, samples; bool through; };

static bool
is_estimate(const struct model *m, const struct model_arc *a)
{
	return a->how == ARC_ESTIMATED && a->callee && !is_uncounted_row(m, a->callee);
}

/* Do stacks tell of A at all? A jump leaves no frame of its own. */
static bool
is_told_of(const struct model *m, const struct model_arc *a, double samples)
{
	model_id site = arc_origin(a);

	return site ? m->sites[site - 1].total_samples || (a->through && !a->count) : samples > 0;
}

/* Marks estimates that the stacks contradict. */
static void
mark_contradicted(struct model *m, const double *innermost)
{
	struct estimates *of = xcalloc(2 * (m->nr_procedures + 1), sizeof(*of));

	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];

		for (int outside = 0; outside < 2 && is_estimate(m, a); outside++) {
			struct estimates *e = &of[2 * a->callee + (unsigned)outside];

			if (outside ? a->site : a->through)
				continue;
			e->count += (double)a->count;
			e->samples += innermost[i];
			e->through |= a->through != 0;
		}
	}
	for (size_t i = 0; i < m->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[i];
		bool outside = !a->site && of[2 * a->callee + 1].through;
		const struct estimates *e = &of[2 * a->callee + outside];

		if (is_estimate(m, a) && is_told_of(m, a, innermost[i]))
			a->differs |= likely_contradicted((double)a->count, e->count, innermost[i],
							  e->samples);
	}
	free(of);
}

static void
compare_with_samples(struct model *m)
{
	const struct entered entered = {
		.of_part = xcalloc(m->nr_cycles + m->nr_procedures, sizeof(uint64_t)),
		.by_arc = xcalloc(m->nr_arcs, sizeof(uint64_t)),
		.innermost = xcalloc(m->nr_arcs, sizeof(double)),
	};
	uint32_t *sorted = sort_arcs(m);
	bool *starters = find_starters(m), known = knows_totals(m);
	double interval = time_of_sample(m);
	size_t i;

	count_stacks(m, sorted, &entered);
	for (i = 0; i < m->nr_procedures; i++)
		m->procedures[i].differs = known &&
					   total_differs(&m->procedures[i], interval,
							 starters[i]);
	free(starters);
	for (i = 0; i < m->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[i];

		a->differs = a->callee && !is_uncounted_row(m, a->callee) &&
			     comes_from_outside(m, a) &&
			     differs(a, entered.by_arc[i], entered.of_part[part_of(m, a->callee)],
				     calls_into(m, a->callee), interval);
	}
	mark_contradicted(m, entered.innermost);
	free(entered.innermost);
	free(entered.of_part);
	free(entered.by_arc);
	free(sorted);
}

int
model_propagate(struct model *m, struct error *err)
{
	struct calls calls;
	enum flow_status status;

	calls_init(&calls, m);
	status = propagate(m, &calls);
	if (!status)
		status = carry_figures(m, &calls);
	calls_release(&calls);
	if (status)
		return status_error(status, err);
	store_cycle_totals(m);
	return 0;
}

/* Is all time that of calls which a tool has measured one by one, and none of samples? */
static bool
times_are_measured(const struct model *m)
{
	bool any = false;

	for (size_t i = 0; i < m->nr_procedures; i++) {
		any |= m->procedures[i].self_ns != 0;
		if (m->procedures[i].self_samples)
			return false;
	}
	return any && m->nr_contexts;
}

/* Measured times are not shared out by counts: what is propagated is what was measured. */
static void
take_measured_times(struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++) {
		struct model_procedure *p = &m->procedures[i];

		p->propagated_ns = p->propagated_lo_ns = p->propagated_hi_ns = p->total_ns;
		p->differs = false;
	}
	for (size_t i = 0; i < m->nr_arcs; i++) {
		m->arcs[i].propagated_ns = m->arcs[i].total_ns;
		m->arcs[i].differs = false;
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		m->sites[i].propagated_ns = m->sites[i].total_ns;
	for (size_t i = 0; i < m->nr_cycles; i++)
		m->cycles[i].propagated_ns = m->cycles[i].total_ns;
}

int
model_aggregate(struct model *m, struct error *err)
{
	struct calls calls;
	enum flow_status status;

	sum_work(m);
	mark_estimated(m);
	calls_init(&calls, m);
	status = propagate(m, &calls);
	if (!status)
		status = store_bounds(m, &calls);
	if (!status) {
		store_cycle_totals(m);
		compare_with_samples(m); /* which makes the arcs' figures anew */
		status = carry_figures(m, &calls);
	}
	calls_release(&calls);
	if (status)
		return status_error(status, err);
	if (times_are_measured(m))
		take_measured_times(m);
	foreign_store_own(m);
	return 0;
}
