#include "solve/solve.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "solve/aggregate.h"
#include "solve/callback_arcs.h"
#include "solve/foreign.h"
#include "solve/solution.h"
#include "util/order.h"

/* A candidate arc while it is worked on. */
struct link {
	model_id site, callee, through;
	bool candidate;            /* the tables say that it can be */
	enum unlike unlike;        /* of the candidate; and below */
	bool seen;
	uint64_t measured;         /* calls that the program noted */
	struct figures *figures;   /* that a tool told of them; or NULL */
};

struct links {
	struct link *items;
	size_t nr, alloc;
};

static void
links_add(struct links *l, model_id site, model_id callee)
{
	GROW(l->items, l->nr + 1, l->alloc);
	l->items[l->nr++] = (struct link){ site, callee, .candidate = true };
}

static void
links_add_measured(struct links *l, const struct model_arc *a)
{
	GROW(l->items, l->nr + 1, l->alloc);
	l->items[l->nr++] = (struct link){ a->site, a->callee, .measured = a->measured,
					      .figures = a->figures };
}

static int
link_compare(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	COMPARE(x->site, y->site);
	COMPARE(x->callee, y->callee);
	return x->through < y->through ? -1 : x->through > y->through;
}

/* Code that was not profiled can call what it can name or was given the address of. */
static bool
callable_from_outside(const struct model_procedure *p)
{
	return !(p->flags & PROCEDURE_STATIC) || (p->flags & (PROCEDURE_TAKEN | PROCEDURE_MAIN));
}

/* Each once. */
static void
links_sort(struct links *l, struct model *m)
{
	size_t n = 0;

	if (l->nr)
		qsort(l->items, l->nr, sizeof(*l->items), link_compare);
	for (size_t i = 0; i < l->nr; i++) {
		if (!n || link_compare(&l->items[n - 1], &l->items[i])) {
			l->items[n++] = l->items[i];
			continue;
		}
		l->items[n - 1].candidate |= l->items[i].candidate;
		if (l->items[i].unlike < l->items[n - 1].unlike && l->items[i].candidate)
			l->items[n - 1].unlike = l->items[i].unlike;
		l->items[n - 1].seen |= l->items[i].seen;
		l->items[n - 1].measured += l->items[i].measured;
		figures_unite(m, &l->items[n - 1].figures, l->items[i].figures);
	}
	l->nr = n;
}

static bool
is_valid(const struct model *m, const struct candidate *c)
{
	return c->site <= m->nr_sites && c->callee <= m->nr_procedures &&
	       (c->through ? c->site && c->callee : c->site || c->callee);
}

/* Per procedure: does all that outside knows of it come from calls that were executed? */
static bool *
find_handed_out(const struct model *m, const struct candidate *candidates, size_t nr)
{
	bool *handed_out = xcalloc(m->nr_procedures + 1, sizeof(*handed_out));

	for (size_t i = 0; i < nr; i++) {
		const struct candidate *c = &candidates[i];

		if (c->through && m->procedures[c->callee - 1].flags & PROCEDURE_PASSED &&
		    m->sites[c->site - 1].count)
			handed_out[c->callee] = true;
	}
	return handed_out;
}

/* FOREIGN: foreign_targets(). */
static void
add_candidate(struct links *l, const struct model *m, const struct candidate *c,
	      const bool *handed_out, const model_id *foreign, bool *seen)
{
	bool known = c->callee && !is_foreign(m, c->callee);

	if (!c->through)
		seen[c->site] = true;
	if (!c->through && !c->site && handed_out[c->callee])
		return;
	links_add(l, c->through ? 0 : c->site, known ? c->callee : foreign[c->site]);
	l->items[l->nr - 1].through = c->through ? c->site : 0;
	l->items[l->nr - 1].unlike = c->unlike;
	l->items[l->nr - 1].seen = c->seen;
}

/* Adds what no table tells: a call of qsort() led to a procedure, as a stack proves, whose address
 * came there in a way that nobody has noted. Only where other calls hand it out: without any, all
 * of its calls from outside are one exact number. */
static void
add_seen_below(struct links *l, const struct model *m, const bool *handed_out)
{
	bool *shared = xcalloc(m->nr_procedures + 1, sizeof(*shared));

	for (size_t i = 0; i < l->nr; i++)
		shared[l->items[i].callee] |= l->items[i].through != 0;
	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		model_id site;

		if (!shared[c->procedure] || handed_out[c->procedure] ||
		    !context_below(m, c, &site) || !site ||
		    !calls_what_it_gets(m->sites[site - 1].target))
			continue;
		links_add(l, 0, c->procedure);
		l->items[l->nr - 1].through = site;
	}
	free(shared);
}

/* Does M know of entries alone, as profiles of gcov do? Then who called is not known, not even that
 * it was code outside. */
static bool
knows_no_calls(const struct model *m)
{
	bool foreign = m->nr_runs && !m->nr_sites;

	for (size_t i = 0; i < m->nr_runs; i++)
		foreign &= m->runs[i].tool && *m->runs[i].tool;
	return foreign;
}

/* The candidates, an arc from outside to each procedure that can have one, an arc to outside from
 * each site that has no candidate, and what was measured; sorted. */
static int
links_collect(struct links *l, struct model *m, const struct candidate *candidates, size_t nr,
	      struct error *err)
{
	model_id *foreign = foreign_targets(m);
	bool *seen, *handed_out, no_calls = knows_no_calls(m);
	size_t i;

	for (i = 0; i < nr; i++)
		if (!is_valid(m, &candidates[i])) {
			free(foreign);
			return error_set(err, "the tables name a call that does not exist");
		}
	seen = xcalloc(m->nr_sites + 1, sizeof(*seen));
	handed_out = find_handed_out(m, candidates, nr);
	for (i = 0; i < nr; i++)
		add_candidate(l, m, &candidates[i], handed_out, foreign, seen);
	for (i = 0; i < m->nr_sites; i++)
		if (!seen[i + 1] && !is_uncounted_row(m, m->sites[i].procedure))
			links_add(l, (model_id)(i + 1), foreign[i + 1]);
	for (i = 0; !no_calls && i < m->nr_procedures; i++)
		if (callable_from_outside(&m->procedures[i]) && !handed_out[i + 1] &&
		    !is_uncounted_row(m, (model_id)i + 1))
			links_add(l, 0, (model_id)(i + 1));
	for (i = 0; i < m->nr_arcs; i++)
		links_add_measured(l, &m->arcs[i]);
	add_seen_below(l, m, handed_out);
	free(seen);
	free(handed_out);
	free(foreign);
	links_sort(l, m);
	return 0;
}

/* A measured arc is a candidate by that; when the tables did not know of it, a note says so. */
static void
store_links(struct model *m, const struct links *l)
{
	m->nr_arcs = 0;
	for (size_t i = 0; i < l->nr; i++) {
		const struct link *k = &l->items[i];
		struct model_arc *a = MODEL_ADD(m, arcs);

		a->site = k->site;
		a->callee = k->callee;
		a->through = k->through;
		a->unlike = k->unlike;
		a->figures = k->figures;
		a->measured = k->measured ? k->measured : k->seen;
		/* Other tools have no tables, and sites that are not known more closely. */
		if (k->measured && !k->candidate && k->callee &&
		    (!k->site || m->sites[k->site - 1].kind != SITE_UNKNOWN))
			model_note(m, "flow", "%s was called through a pointer that should not "
				   "reach it: its type is another one, or its address is taken in "
				   "code that was not profiled",
				   m->procedures[k->callee - 1].name);
	}
}

/* ---- what the user has set ---- */

static int
apply_pins(struct solution *s, struct model *m, struct error *err)
{
	size_t i, arc;
	int status;

	for (i = 0; i < m->nr_pins; i++) {
		const struct model_pin *p = &m->pins[i];

		arc = model_arc_find(m, p->site, p->callee);
		status = arc < m->nr_arcs ? solution_turn(s, arc, p->count, err) : 1;
		if (status < 0)
			return -1;
		if (status)
			model_note(m, "flow", "a pin of \"%s\" does not fit the counts: %" PRIu64
				   " calls of %s", p->name, p->count,
				   p->callee ? m->procedures[p->callee - 1].name : "outside");
	}
	if (m->nr_pins)
		solution_store_counts(s, m);
	return 0;
}

/* Direct sites keep their arc when it was never taken; what cannot have been taken through a
 * pointer or from outside is left out. */
static bool
worth_keeping(const struct model *m, const struct model_arc *a)
{
	return a->hi || a->how == ARC_SAMPLED ||
	       (a->site && m->sites[a->site - 1].kind == SITE_DIRECT);
}

static void
drop_arcs(struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nr_arcs; i++)
		if (worth_keeping(m, &m->arcs[i]))
			m->arcs[n++] = m->arcs[i];
	m->nr_arcs = n;
}

/* ---- what does not fit ---- */

/* Is M the sum of several builds, found by their source? Its modules are those of the newest. */
static bool
is_of_builds(const struct model *m)
{
	size_t i, k;

	for (i = 0; i < m->nr_runs; i++) {
		const char *id = m->runs[i].build_id;

		for (k = 0; id && k < m->nr_modules && strcmp(id, m->modules[k].build_id); k++)
			;
		if (id && *id && k && k == m->nr_modules)
			return true;
	}
	return false;
}

/* Notes how much only some of the builds have. */
static void
tell_without(struct model *m)
{
	size_t procedures = 0, sites = 0, lines = 0, i;

	for (i = 0; i < m->nr_procedures; i++)
		procedures += m->procedures[i].runs_without != 0;
	for (i = 0; i < m->nr_sites; i++)
		sites += m->sites[i].runs_without != 0;
	for (i = 0; i < m->nr_lines; i++)
		lines += m->lines[i].runs_without != 0;
	if (procedures || sites || lines)
		model_note(m, "builds", "%zu procedures, %zu call sites and %zu lines are in the "
			   "builds of only some of the runs", procedures, sites, lines);
}

static void
tell_residuals(struct model *m, uint64_t excess)
{
	bool builds = is_of_builds(m);
	uint64_t calls = 0, entries = 0;
	size_t nr_sites = 0, nr_procedures = 0;

	for (size_t i = 0; i < m->nr_sites; i++) {
		calls += m->sites[i].calls_without_entry;
		nr_sites += m->sites[i].calls_without_entry != 0;
	}
	for (size_t i = 0; i < m->nr_procedures; i++) {
		entries += m->procedures[i].calls_without_site;
		nr_procedures += m->procedures[i].calls_without_site != 0;
	}
	if (nr_sites)
		model_note(m, "flow",
			   "%" PRIu64 " calls from %zu call sites have no entry (%s)", calls,
			   nr_sites, builds
			   ? "of the builds that were added, some do not have the callee, or it "
			     "was not found"
			   : "the program was ended within a call, or a caller is counted and its "
			     "callee is not");
	if (nr_procedures && !knows_no_calls(m))
		model_note(m, "flow",
			   "%" PRIu64 " entries of %zu procedures have no call (%s)", entries,
			   nr_procedures, builds
			   ? "in some of the builds that were added they were called at places "
			     "that this one does not have"
			   : "called from code that was not profiled in a way that the tables do "
			     "not show");
	tell_without(m);
	if (excess)
		model_note(m, "flow", "%" PRIu64 " calls through pointers were noted that were not "
			   "counted, or did not arrive: the program was killed meanwhile", excess);
}

static int
solve_arcs(struct model *m, struct error *err)
{
	uint64_t excess;
	struct solution *s = solution_open(m, &excess, err);
	int status;

	if (!s)
		return -1;
	solution_store_facts(s, m);
	status = apply_pins(s, m, err);
	solution_close(s);
	if (status)
		return -1;
	drop_arcs(m);
	foreign_add_arcs(m);
	tell_residuals(m, excess);
	return model_aggregate(m, err);
}

int
model_solve(struct model *m, const struct candidate *candidates, size_t nr, struct error *err)
{
	struct links links = { 0 };
	int status = links_collect(&links, m, candidates, nr, err);

	if (!status)
		store_links(m, &links);
	free(links.items);
	return status ? status : solve_arcs(m, err);
}

int
model_solve_again(struct model *m, struct error *err)
{
	model_drop_notes(m, "flow"); /* made anew */
	return solve_arcs(m, err);
}
