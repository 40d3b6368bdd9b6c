#include "db/tree.h"

#include <stdlib.h>
#include <string.h>

#include "db/tree_join.h"
#include "db/tree_reader.h"
#include "util/mem.h"
#include "util/order.h"

/* With more nodes than this and the roots a tree is no help to anybody; a hostile profile could
 * make it grow for ever. */
enum { MAX_NODES = 200000 };

bool
tree_is_possible(struct profile *p, enum tree_source source)
{
	sqlite3_stmt *st;
	bool some;

	if (source == TREE_ARCS)
		return profile_totals(p)->nr_arcs > 0;
	if (!profile_totals(p)->run.samples) /* stacks of those alone that waited */
		return false;
	st = profile_query(p, QUERY_CONTEXTS);
	some = profile_step(p, st);
	if (some)
		sqlite3_reset(st);
	return some;
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
	struct tree *t = tree_with(p, want, want->source == TREE_CONTEXTS ? &tree_context_reader
									 : &tree_arc_reader, NULL);

	t->data = t->reader->open(t);
	if (t->data && !profile_error(p))
		return t;
	tree_close(t);
	return NULL;
}

const char *
tree_error(const struct tree *t)
{
	return t->reader->error ? t->reader->error(t) : profile_error(t->profile);
}

static void
end_finding(struct tree *t)
{
	struct finding *f = &t->finding;

	if (f->data)
		t->reader->path_end(t, f);
	free(f->path);
	*f = (struct finding){ .procedure = 0 };
}

void
tree_close(struct tree *t)
{
	if (!t)
		return;
	tree_give_up_children(t);
	end_finding(t);
	if (t->data)
		t->reader->close(t->data);
	long_sort_release(&t->sort);
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
	return t->want.bottom_up && !t->want.procedure ? n->self : n->total;
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

	if (t->reader->leads)
		return t->reader->leads(t, id);
	return tree_weight(t, &t->nodes[n->first]) >= n->self;
}

/* ---- children ---- */

void
tree_add(struct tree *t, const struct tree_node *child)
{
	struct tree_node *n;

	if (t->to) {
		GROW(t->to->nodes, t->to->nr + 1, t->to->alloc);
		n = &t->to->nodes[t->to->nr++];
	} else {
		GROW(t->nodes, t->nr + 1, t->alloc);
		n = &t->nodes[t->nr++];
	}
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

/* Nodes from FIRST on are the children of node ID, in order. */
static void
adopt(struct tree *t, uint32_t id, size_t first)
{
	for (size_t i = first; i < t->nr; i++) {
		t->nodes[i].parent = id;
		t->nodes[i].depth = t->nodes[id].depth + 1;
	}
	t->nodes[id].first = (uint32_t)first;
	t->nodes[id].nr = (uint32_t)(t->nr - first);
	t->nodes[id].known = true;
}

struct opening *
opening_begin(struct tree *t, uint32_t id)
{
	struct opening *o = xcalloc(1, sizeof(*o));

	o->id = id;
	o->node = t->reader->open_node(t, id);
	return o;
}

void
opening_end(struct tree *t, struct opening *o)
{
	if (!o)
		return;
	if (o->node)
		t->reader->close_node(t, o->node, false);
	long_sort_release(&o->sort);
	free(o->nodes);
	free(o);
}

static int
compare_opened(const void *context, uint32_t a, uint32_t b)
{
	const struct tree *t = context;

	return compare_nodes(&t->to->nodes[a], &t->to->nodes[b], (void *)t);
}

/* All were found and are in order. */
static void
take_children(struct tree *t, struct opening *o)
{
	uint32_t *order = long_sort_take(&o->sort);
	size_t first = t->nr;

	GROW(t->nodes, t->nr + o->nr, t->alloc);
	for (size_t i = 0; i < o->nr; i++)
		t->nodes[t->nr++] = o->nodes[order[i]];
	free(order);
	adopt(t, o->id, first);
}

bool
opening_step(struct tree *t, struct opening *o)
{
	bool more = true;

	if (t->nodes[o->id].known)
		return false;
	t->to = o;
	if (!o->node) {
		tree_sorts(t, o->nr);
		more = !long_sort_work(&o->sort, compare_opened, t);
	} else if (!t->reader->node_step(t, o->node)) {
		t->reader->close_node(t, o->node, true);
		o->node = NULL;
		long_sort_begin(&o->sort, o->nr);
	}
	t->to = NULL;
	if (!more)
		take_children(t, o);
	return more;
}

static bool
is_full(struct tree *t)
{
	t->full |= t->nr >= t->nr_roots + MAX_NODES;
	return t->full;
}

void
tree_give_up_children(struct tree *t)
{
	opening_end(t, t->opening);
	t->opening = NULL;
}

size_t
tree_children_so_far(const struct tree *t)
{
	return t->opening ? t->opening->nr : 0;
}

bool
tree_children_step(struct tree *t, uint32_t id)
{
	if (t->nodes[id].known)
		return false;
	if (t->opening && t->opening->id != id)
		tree_give_up_children(t);
	if (!t->opening && is_full(t))
		return false;
	if (!t->opening)
		t->opening = opening_begin(t, id);
	if (!opening_step(t, t->opening))
		tree_give_up_children(t);
	return !t->nodes[id].known;
}

/* Steps between two looks whether it is enough; of looking for few children, one of which may be
 * the question how much of a procedure there is. */
enum { STEPS_NODE = 64, STEPS_FEW = 64 };

static bool
is_time(struct tree *t, unsigned step)
{
	bool heavy = t->heavy;

	t->heavy = false;
	return heavy || step % STEPS_NODE == 0;
}

bool
tree_children_on(struct tree *t, uint32_t id, bool (*enough)(void *context), void *context)
{
	for (unsigned i = 1; tree_children_step(t, id); i++)
		if (enough && is_time(t, i) && enough(context))
			return false;
	return true;
}

const struct tree_node *
tree_children(struct tree *t, uint32_t id)
{
	tree_children_on(t, id, NULL, NULL);
	return &t->nodes[id];
}

const struct tree_node *
tree_few_children(struct tree *t, uint32_t id)
{
	struct opening *o;
	unsigned i = 0;

	if (t->nodes[id].known || t->nodes[id].many || is_full(t))
		return &t->nodes[id];
	t->nodes[id].many = t->opening && t->opening->id == id;
	if (t->nodes[id].many)
		return &t->nodes[id];
	o = opening_begin(t, id);
	while (opening_step(t, o) && ++i < STEPS_FEW)
		;
	opening_end(t, o);
	t->nodes[id].many = !t->nodes[id].known;
	return &t->nodes[id];
}

/* ---- the roots ---- */

static int
compare_roots(const void *context, uint32_t a, uint32_t b)
{
	const struct tree *t = context;

	return compare_nodes(&t->nodes[a + 1], &t->nodes[b + 1], (void *)t);
}

/* Where they are: there may be many. */
static void
put_in_order(struct tree *t)
{
	uint32_t *order = long_sort_take(&t->sort), to, from;
	struct tree_node *roots = t->nodes + 1, kept;

	for (uint32_t i = 0; i < t->nr - 1; i++) {
		if (order[i] == i)
			continue;
		kept = roots[i];
		for (to = i; order[to] != i; to = from) {
			from = order[to];
			roots[to] = roots[from];
			order[to] = to;
		}
		roots[to] = kept;
		order[to] = to;
	}
	free(order);
	adopt(t, 0, 1);
	t->nr_roots = t->nr;
}

bool
tree_step(struct tree *t)
{
	if (t->stage == TREE_READY)
		return false;
	if (t->stage == TREE_READING) {
		if (t->reader->step(t))
			return true;
		long_sort_begin(&t->sort, t->nr - 1);
	} else if (!long_sort_work(&t->sort, compare_roots, t)) {
		return true;
	} else {
		put_in_order(t);
	}
	t->stage++;
	return true;
}

/* Steps between two looks whether it is enough; one of sorting is some hundred comparisons. */
enum { STEPS = 256, STEPS_SORTING = 4 };

bool
tree_work(struct tree *t, bool (*enough)(void *context), void *context)
{
	bool heavy;

	for (unsigned i = 1; tree_step(t); i++) {
		if (tree_error(t))
			return true;
		heavy = t->heavy;
		t->heavy = false;
		if (enough &&
		    (heavy || i % (t->stage == TREE_SORTING ? STEPS_SORTING : STEPS) == 0) &&
		    enough(context))
			return t->stage == TREE_READY;
	}
	return true;
}

unsigned
tree_percent(const struct tree *t)
{
	if (t->stage == TREE_READING)
		return t->reader->percent(t) * 9 / 10;
	return 90 + long_sort_percent(&t->sort) / 10;
}

struct tree *
tree_open(struct profile *p, const struct tree_want *want)
{
	struct tree *t = tree_begin(p, want);

	if (!t)
		return NULL;
	tree_work(t, NULL, NULL);
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

	tree_give_up_children(t);
	end_finding(t);
	t->reader->anew(t);
	for (i = 0; i < t->nr; i++)
		order[i] = (uint32_t)i;
	/* Siblings lie together, and where they lie stays as it is. */
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

/* ---- finding ---- */

static uint32_t
child_at(struct tree *t, const struct finding *f, uint32_t at)
{
	const struct tree_node *n = &t->nodes[f->id];
	uint32_t i;

	for (i = n->first; i < n->first + n->nr; i++) {
		if (t->reader->is_child ? t->reader->is_child(t, f, i, at)
					: t->nodes[i].at == at && t->nodes[i].kind < TREE_RECURSION)
			return i;
	}
	return TREE_NONE;
}

static uint32_t
find_root(struct tree *t, model_id procedure)
{
	const struct tree_node *n = &t->nodes[0];
	uint32_t i;

	for (i = n->first; i < n->first + n->nr; i++)
		if (t->nodes[i].procedure == procedure)
			return i;
	return TREE_NONE;
}

bool
tree_find_step(struct tree *t, model_id procedure, uint32_t *found)
{
	struct finding *f = &t->finding;

	*found = TREE_NONE;
	if (t->want.bottom_up)
		*found = find_root(t, procedure);
	if (!procedure || t->want.bottom_up)
		return false;
	if (f->procedure != procedure) {
		end_finding(t);
		f->procedure = procedure;
	}
	if (!f->known) {
		f->known = !t->reader->path_step(t, f);
		return true;
	}
	if (f->done < f->nr && f->id != TREE_NONE) {
		if (!tree_children_step(t, f->id))
			f->id = child_at(t, f, f->path[f->done++]);
		return true;
	}
	*found = f->id ? f->id : TREE_NONE;
	end_finding(t);
	return false;
}

bool
tree_find_on(struct tree *t, model_id procedure, uint32_t *found,
	     bool (*enough)(void *context), void *context)
{
	for (unsigned i = 1; tree_find_step(t, procedure, found); i++)
		if (enough && is_time(t, i) && enough(context))
			return false;
	return true;
}
