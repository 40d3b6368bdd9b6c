#include "db/trees/tree.h"

#include <stdlib.h>
#include <string.h>

#include "db/trees/tree_join.h"
#include "db/trees/tree_reader.h"
#include "util/job_sort.h"
#include "util/mem.h"
#include "util/order.h"

/* A tree with more nodes than this besides the roots helps nobody; a hostile profile could make it
 * grow for ever. */
enum { MAX_NODES = 200000 };

static bool
is_of_stacks(struct profile *p, unsigned measure)
{
	const struct model_measure *m = &profile_measures(p).items[measure - 1];

	if (measure == MEASURE_WAIT)
		return profile_totals(p)->run.wall_interval_ns != 0;
	if (measure > NR_BUILTIN_MEASURES && measure_has_paths(m))
		return true;
	return m->inclusive == INCLUSIVE_STACKS && m->combine == COMBINE_SUM && !m->formula;
}

/* Did a tool measure what each arc has of it? */
static bool
is_of_arcs(struct profile *p, unsigned measure)
{
	const struct model_measure *m = &profile_measures(p).items[measure - 1];

	return m->inclusive == INCLUSIVE_MEASURED && m->combine == COMBINE_SUM && !m->formula;
}

enum tree_source
tree_source_of(struct profile *p, unsigned measure)
{
	return measure && is_of_arcs(p, measure) ? TREE_ARCS : TREE_CONTEXTS;
}

unsigned
tree_arcs_measure(struct profile *p)
{
	unsigned lead = profile_lead(p);

	return lead && is_of_arcs(p, lead) ? lead : 0;
}

unsigned
tree_next_measure(struct profile *p, unsigned measure)
{
	while (++measure <= profile_measures(p).nr)
		if (is_of_stacks(p, measure) || is_of_arcs(p, measure))
			return measure;
	return 0;
}

bool
tree_has_measure(struct profile *p, unsigned measure)
{
	return !measure || is_of_stacks(p, measure) || is_of_arcs(p, measure);
}

bool
tree_is_possible(struct profile *p, enum tree_source source)
{
	if (source == TREE_ARCS)
		return profile_totals(p)->nr_arcs > 0;
	/* Without samples there may be the stacks that waited. */
	return profile_totals(p)->run.samples && profile_has_stacks(p);
}

struct tree *
tree_with(struct profile *p, const struct tree_want *want, const struct tree_reader *reader,
	  void *data)
{
	struct tree *t = xcalloc(1, sizeof(*t));

	t->profile = p;
	t->want = *want;
	t->reader = reader;
	t->data = data;
	GROW(t->nodes, 1, t->alloc);
	t->nodes[0] = (struct tree_node){ .parent = TREE_NONE, .exact = true };
	t->nr = 1;
	return t;
}

struct tree *
tree_begin(struct profile *p, const struct tree_want *want)
{
	bool stacks = want->source == TREE_CONTEXTS;
	struct tree *t = tree_with(p, want, stacks ? &tree_context_reader : &tree_arc_reader, NULL);

	t->data = stacks ? tree_context_open(t) : tree_arc_open(t);
	if (!profile_error(p))
		return t;
	tree_close(t);
	return NULL;
}

const char *
tree_error(const struct tree *t)
{
	return t->reader->error ? t->reader->error(t) : profile_error(t->profile);
}

void
tree_close(struct tree *t)
{
	if (!t)
		return;
	t->reader->close(t->data);
	free(t->nodes);
	free(t);
}

const struct tree_want *
tree_wanted(const struct tree *t)
{
	return &t->want;
}

const struct tree_node *
tree_node(const struct tree *t, uint32_t id)
{
	return &t->nodes[id];
}

uint32_t
tree_nr_nodes(const struct tree *t)
{
	return (uint32_t)t->nr;
}

bool
tree_full(const struct tree *t)
{
	return t->full;
}

size_t
tree_bytes(const struct tree *t)
{
	return t->nr * sizeof(*t->nodes) + t->reader->bytes(t);
}

bool
tree_has_time(const struct tree *t)
{
	return t->nodes[0].total > 0;
}

const struct model_measure *
tree_measure(const struct tree *t)
{
	return t->want.measure ? &profile_measures(t->profile).items[t->want.measure - 1] : NULL;
}

bool
tree_has_paths(const struct tree *t)
{
	return t->want.measure > NR_BUILTIN_MEASURES && measure_has_paths(tree_measure(t));
}

uint64_t
tree_paths(const struct tree *t, uint64_t value)
{
	uint64_t period = tree_measure(t)->period, nr = value / period;

	nr += value % period >= (period + 1) / 2;
	return value && !nr ? 1 : nr;
}

enum column_unit
tree_unit(const struct tree *t)
{
	return t->want.measure ? measure_unit(tree_measure(t)) : UNIT_NS;
}

uint64_t
tree_samples(const struct tree *t)
{
	return t->want.source == TREE_CONTEXTS ? t->nodes[0].number : 0;
}

uint64_t
tree_weight(const struct tree *t, const struct tree_node *n)
{
	if (!tree_has_time(t))
		return n->number;
	return figure_size(t->want.bottom_up && !t->want.procedure ? n->self : n->total);
}

uint64_t
tree_share(uint64_t whole, uint64_t part, uint64_t of)
{
	if (!of)
		return 0;
	return part >= of ? whole : (uint64_t)((unsigned __int128)whole * part / of);
}

bool
tree_same(const struct tree *t, const struct tree_node *a, const struct tree_node *b)
{
	return a->total == b->total && a->number == b->number &&
	       (!t->reader->same || t->reader->same(t, a, b));
}

bool
tree_leads(const struct tree *t, uint32_t id)
{
	const struct tree_node *n = &t->nodes[id];
	uint64_t own = t->want.bottom_up ? tree_weight(t, n) : figure_size(n->self);

	if (t->reader->leads)
		return t->reader->leads(t, id);
	/* Callers have all of what they call, but for what was called from outside. */
	for (uint32_t i = n->first; t->want.bottom_up && i < n->first + n->nr; i++) {
		uint64_t part = tree_weight(t, &t->nodes[i]);

		if (t->nodes[i].kind < TREE_RECURSION)
			own -= part < own ? part : own;
	}
	return tree_weight(t, &t->nodes[n->first]) >= own;
}

/* ---- children ---- */

void
tree_add(struct opening *to, const struct tree_node *child)
{
	struct tree_node *n;

	GROW(to->nodes, to->nr + 1, to->alloc);
	n = &to->nodes[to->nr++];
	*n = *child;
	n->known = child->kind == TREE_RECURSION || child->kind == TREE_OUTSIDE;
	n->many = false;
	n->first = n->nr = 0;
}

static int
compare_nodes(const void *pa, const void *pb, void *context)
{
	const struct tree_node *a = pa, *b = pb;
	const struct tree *t = context;

	COMPARE(a->kind >= TREE_RECURSION, b->kind >= TREE_RECURSION);
	if (t->reader->order)
		COMPARE(t->reader->order(t, a, b), 0);
	COMPARE(tree_weight(t, b), tree_weight(t, a));
	COMPARE(b->total, a->total);
	COMPARE(b->number, a->number);
	COMPARE(a->kind, b->kind);
	COMPARE(a->procedure, b->procedure);
	COMPARE(a->at, b->at);
	return 0;
}

static int
compare_opened(const void *context, uint32_t a, uint32_t b)
{
	const struct opening *o = context;

	return compare_nodes(&o->nodes[a], &o->nodes[b], o->tree);
}

/* Makes the children that were found, in their order, those of their node. */
static void
take_children(struct tree *t, struct opening *o)
{
	struct tree_node *parent, *n;

	GROW(t->nodes, t->nr + o->nr, t->alloc);
	parent = &t->nodes[o->id];
	parent->first = (uint32_t)t->nr;
	parent->nr = (uint32_t)o->nr;
	parent->known = true;
	for (size_t i = 0; i < o->nr; i++) {
		n = &t->nodes[t->nr++];
		*n = o->nodes[o->order[i]];
		n->parent = o->id;
		n->depth = parent->depth + 1;
	}
}

static void
release_opening(void *opening)
{
	struct opening *o = opening;

	if (o->tree->opening == o)
		o->tree->opening = NULL;
	free(o->order);
	free(o->nodes);
}

/* part of the time that sorting takes, about */
static const double sorting_takes = 0.1;

static void
find_children(struct opening *o)
{
	struct tree *t = o->tree;
	struct job_hold hold;
	struct job_part all;

	job_hold(&hold, release_opening, o);
	all = job_part(0, 1 - sorting_takes);
	if (o->id)
		t->reader->children(t, o);
	else
		t->reader->read(t, o);
	job_part_end(all);
	all = job_part(1 - sorting_takes, 1);
	job_sort_order(&o->order, o->nr, compare_opened, o);
	job_part_end(all);
	/* Others may have asked for them and got them meanwhile. */
	if (!t->nodes[o->id].known)
		take_children(t, o);
	job_let_go(&hold);
}

static bool
is_full(struct tree *t)
{
	t->full |= t->nr >= t->nr_roots + MAX_NODES;
	return t->full;
}

size_t
tree_children_so_far(const struct tree *t)
{
	return t->opening ? t->opening->nr : 0;
}

const struct tree_node *
tree_children(struct tree *t, uint32_t id)
{
	struct opening o = { .tree = t, .id = id };

	if (!t->nodes[id].known && !is_full(t)) {
		t->opening = &o;
		find_children(&o);
	}
	return &t->nodes[id];
}

static void
find_few(void *opening)
{
	find_children(opening);
}

static bool
at_once(void *context)
{
	(void)context;
	return true;
}

const struct tree_node *
tree_few_children(struct tree *t, uint32_t id)
{
	struct opening o = { .tree = t, .id = id };
	struct job *j;
	bool done;

	if (t->nodes[id].known || t->nodes[id].many || is_full(t))
		return &t->nodes[id];
	t->nodes[id].many = t->opening && t->opening->id == id;
	if (t->nodes[id].many)
		return &t->nodes[id];
	/* Few are those that are found before anybody would look at the clock. */
	j = job_new(find_few, &o);
	done = job_run(j, at_once, NULL);
	job_free(j);
	t->nodes[id].many = !done;
	return &t->nodes[id];
}

/* ---- the roots ---- */

void
tree_read(struct tree *t)
{
	tree_children(t, 0);
	t->nr_roots = t->nr;
}

struct tree *
tree_open(struct profile *p, const struct tree_want *want)
{
	struct tree *t = tree_begin(p, want);

	if (!t)
		return NULL;
	tree_read(t);
	if (!profile_error(p))
		return t;
	tree_close(t);
	return NULL;
}

/* ---- another order ---- */

static int
compare_ids(const void *pa, const void *pb, void *context)
{
	const struct tree *t = context;

	return compare_nodes(&t->nodes[*(const uint32_t *)pa], &t->nodes[*(const uint32_t *)pb],
			     context);
}

uint32_t *
tree_reorder(struct tree *t)
{
	uint32_t *order = xcalloc(t->nr, sizeof(*order)), *to = xcalloc(t->nr, sizeof(*to));
	struct tree_node *nodes = xcalloc(t->nr, sizeof(*nodes));
	size_t i;

	t->reader->anew(t);
	for (i = 0; i < t->nr; i++)
		order[i] = (uint32_t)i;
	/* Siblings lie together, and stay in the same part of the array. */
	for (i = 0; i < t->nr; i++)
		if (t->nodes[i].nr > 1)
			qsort_r(order + t->nodes[i].first, t->nodes[i].nr, sizeof(*order),
				compare_ids, t);
	for (i = 0; i < t->nr; i++) {
		to[order[i]] = (uint32_t)i;
		nodes[i] = t->nodes[order[i]];
	}
	for (i = 1; i < t->nr; i++)
		nodes[i].parent = to[nodes[i].parent];
	memcpy(t->nodes, nodes, t->nr * sizeof(*nodes));
	free(nodes);
	free(order);
	return to;
}

struct tree_evenness
tree_evenness(const struct tree *t, const struct tree_node *n)
{
	const struct tree_evenness none = { NULL, NULL };

	return t->reader->evenness ? t->reader->evenness(t, n) : none;
}

/* ---- finding ---- */

static uint32_t
child_at(struct tree *t, const struct tree_path *path, const struct tree_node *n, uint32_t at)
{
	for (uint32_t i = n->first; i < n->first + n->nr; i++) {
		if (t->reader->is_child ? t->reader->is_child(t, path, i, at)
					: t->nodes[i].at == at && t->nodes[i].kind < TREE_RECURSION)
			return i;
	}
	return TREE_NONE;
}

static uint32_t
find_root(struct tree *t, model_id procedure)
{
	const struct tree_node *n = &t->nodes[0];

	for (uint32_t i = n->first; i < n->first + n->nr; i++)
		if (t->nodes[i].procedure == procedure)
			return i;
	return TREE_NONE;
}

static void
release_path(void *path)
{
	free(((struct tree_path *)path)->at);
}

uint32_t
tree_find(struct tree *t, model_id procedure)
{
	struct tree_path path = { .procedure = procedure };
	struct job_hold hold;
	uint32_t id = 0;

	if (t->want.bottom_up)
		return find_root(t, procedure);
	if (!procedure)
		return TREE_NONE;
	job_hold(&hold, release_path, &path);
	t->reader->path(t, &path);
	for (size_t i = 0; i < path.nr && id != TREE_NONE; i++)
		id = child_at(t, &path, tree_children(t, id), path.at[i]);
	job_let_go(&hold);
	return id ? id : TREE_NONE;
}
